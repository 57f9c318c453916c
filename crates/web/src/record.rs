//! Between games of the page and records of files.

use std::collections::BTreeMap;

use collinear_play::{End, NodeId as RecordNode, Reason};
use collinear_protocol::records::{self, Format, GameRecord, ReadOptions};
use collinear_rules::{Player, Rules};

use crate::convert::{check_sides, colour, player, rules_name};
use crate::game::Game;
use crate::text::one_line;
use crate::tree::{MAX_NODES, NodeId};
use crate::wire::{Ending, EndingReason, FormatInfo, GameInfo, Seat, Timing};

/// The most games of one file that are listed.
const MAX_CHOICES: usize = 500;

/// The longest line of a record's head.
const MAX_INFO: usize = 200;

/// What an imported text turned out to be.
pub(crate) enum Imported {
    /// A game to open.
    Game(Box<Game>),
    /// Several games to choose from.
    Choices(Vec<String>),
}

/// Reads a record. With several games and no index, their titles.
pub(crate) fn import(
    text: &str,
    index: Option<u32>,
    timing: Timing,
    seed: u64,
) -> Result<Imported, String> {
    let text = records::decode(text.as_bytes()).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for record in records::games(&text, None, &ReadOptions::default()).take(MAX_CHOICES) {
        found.push(record.map_err(|error| error.to_string())?);
    }
    match (found.len(), index) {
        (0, _) => Err("there is no game in this text".to_owned()),
        (1, _) => Ok(Imported::Game(Box::new(game(&found[0], timing, seed)?))),
        (_, Some(index)) => {
            let record = found.get(index as usize).ok_or("the record has no such game")?;
            Ok(Imported::Game(Box::new(game(record, timing, seed)?)))
        }
        (_, None) => Ok(Imported::Choices(
            found.iter().enumerate().map(|(at, record)| title(at, record)).collect(),
        )),
    }
}

fn title(at: usize, record: &GameRecord) -> String {
    let names = Player::BOTH.map(|player| {
        let name = record.players[player.index()].as_deref().unwrap_or(player.name());
        one_line(name, MAX_INFO)
    });
    format!(
        "{}. {}, {} stones, {}",
        at + 1,
        names.join(" – "),
        record.moves().len(),
        record.outcome().map_or_else(|| "unfinished".to_owned(), |end| end.to_string())
    )
}

fn game(record: &GameRecord, timing: Timing, seed: u64) -> Result<Game, String> {
    let rules = record.rules;
    check_sides(rules.width() as u32, rules.height() as u32).map_err(|error| error.to_string())?;
    if record.tree.len() > MAX_NODES {
        return Err(format!(
            "this record has {} moves and variations: the page shows at most {MAX_NODES}",
            record.tree.len()
        ));
    }
    let root = record.start().map_err(|error| error.to_string())?;
    let setup = record.setup.clone().unwrap_or_default();
    let seats = [Seat::Person, Seat::Person];
    let mut game = Game::from_root(root, setup, seats, timing, seed);
    // Depth first, main line first: a node's children then stand in the order of the record.
    let mut open = vec![(RecordNode::ROOT, NodeId::ROOT)];
    while let Some((from, to)) = open.pop() {
        if let Some(comment) = record.tree.comment(from) {
            let _ = game.comment(to.number(), comment);
        }
        let mut children = Vec::new();
        for child in record.tree.children(from) {
            if let Some(cell) = record.tree.stone(child) {
                children.push((child, game.tree.enter(to, cell)));
            }
        }
        open.extend(children.into_iter().rev());
    }
    game.info = info(record);
    let tip = game.tree.tip(NodeId::ROOT);
    let ended = match &record.end {
        Some(End { winner: Some(winner), reason, .. }) => {
            let reason = match reason {
                Reason::TimeForfeit => EndingReason::Time,
                _ => EndingReason::Resigned,
            };
            // A row on the board speaks for itself.
            game.position_at(tip)
                .winning_rows()
                .is_empty()
                .then_some((tip, Ending { winner: Some(colour(*winner)), reason }))
        }
        _ => None,
    };
    game.restore(tip, true, ended);
    Ok(game)
}

fn info(record: &GameRecord) -> Vec<GameInfo> {
    let line = |key: &str, value: &str| GameInfo {
        key: one_line(key, MAX_INFO),
        value: one_line(value, MAX_INFO),
    };
    let names = Player::BOTH
        .into_iter()
        .filter_map(|p| record.players[p.index()].as_deref().map(|name| line(p.name(), name)));
    let others = record.metadata.iter().map(|(key, value)| line(key, value));
    names.chain(others).take(40).collect()
}

/// The record of a game.
pub(crate) fn of(game: &Game) -> GameRecord {
    let mut record = GameRecord::new(*game.rules());
    let known: BTreeMap<&str, &str> =
        game.info.iter().map(|info| (info.key.as_str(), info.value.as_str())).collect();
    record.players = Player::BOTH.map(|side| {
        let named = known.get(side.name()).map(ToString::to_string);
        named.or_else(|| {
            Some(game.seat_name(side)).filter(|_| game.seats[side.index()] != Seat::Person)
        })
    });
    record.metadata = known
        .into_iter()
        .filter(|(key, _)| Player::BOTH.iter().all(|side| side.name() != *key))
        .map(|(key, value)| (key.to_owned(), value.to_owned()))
        .collect();
    let setup = game.setup();
    if !(setup.black.is_empty() && setup.white.is_empty() && setup.to_move.is_none()) {
        record.setup = Some(setup.clone());
    }
    let children = game.tree.child_lists();
    let mut open = vec![(NodeId::ROOT, RecordNode::ROOT)];
    while let Some((from, to)) = open.pop() {
        let comment = game.tree.comment(from);
        if !comment.is_empty() {
            record.tree.set_comment(to, comment);
        }
        for &child in &children[from.index()] {
            if let Some(node) = game.tree.cell(child).and_then(|cell| record.tree.add(to, cell)) {
                open.push((child, node));
            }
        }
    }
    let tip = game.tree.tip(NodeId::ROOT);
    record.end = match game.declared_end() {
        Some((node, Ending { winner: Some(winner), reason })) if node == tip => {
            let reason = if reason == EndingReason::Time {
                Reason::TimeForfeit
            } else {
                Reason::Resignation
            };
            Some(End::won(player(winner), reason))
        }
        _ => End::on_board(&game.position_at(tip)),
    };
    record
}

/// A file name, the record in a format, and what the format leaves out.
pub(crate) fn export(game: &Game, format: &str) -> Result<(String, String, Vec<String>), String> {
    let format = Format::from_name(format).ok_or("there is no such record format")?;
    let record = of(game);
    let text =
        records::write(std::slice::from_ref(&record), format).map_err(|error| error.to_string())?;
    let name = rules_name(game.rules()).replace([',', '='], "-");
    let losses = format.losses(&record).into_iter().map(str::to_owned).collect();
    Ok((format!("{name}.{}", extension(format)), text, losses))
}

/// The formats that can hold games of these rules.
pub(crate) fn formats(rules: &Rules) -> Vec<FormatInfo> {
    let empty = GameRecord::new(*rules);
    Format::ALL
        .into_iter()
        .filter(|format| records::write(std::slice::from_ref(&empty), *format).is_ok())
        .map(|format| FormatInfo {
            name: format.name().to_owned(),
            extension: extension(format).to_owned(),
        })
        .collect()
}

const fn extension(format: Format) -> &'static str {
    match format {
        Format::Sgf | Format::SgfLittleGolem | Format::Sgf511 => "sgf",
        Format::Psq => "psq",
        Format::Ccgc | Format::Pons | Format::Moves => "txt",
        Format::Csv => "csv",
        Format::Jsonl => "jsonl",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TIMING: Timing = Timing::Turn { ms: 1000 };

    fn one(text: &str) -> Game {
        match import(text, None, TIMING, 1) {
            Ok(Imported::Game(game)) => *game,
            Ok(Imported::Choices(titles)) => panic!("several games: {titles:?}"),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_record_with_variations_comes_back_the_same() {
        let text = "(;GM[511]PB[Ada]C[hello];B[JJ]C[first](;W[KI];W[LJ])(;W[AA];W[BB]C[other]))";
        let game = one(text);
        assert_eq!(game.tree.len(), 6);
        assert_eq!(game.tree.comment(NodeId::ROOT), "hello");
        let (name, exported, losses) = export(&game, "sgf").expect("a record");
        assert_eq!(name, "connect6.sgf");
        assert!(losses.is_empty());
        let back = one(&exported);
        assert_eq!(back.nodes(), game.nodes());
        assert_eq!(back.info, game.info);
        assert!(game.info.iter().any(|info| info.value == "Ada"));
    }

    #[test]
    fn control_characters_do_not_come_in_with_a_record() {
        let game = one("(;GM[511]PB[A\u{9b}31mda]EV[x\u{7f}y];B[JJ]C[bell\u{85}\nline])");
        let texts: Vec<&str> = game.info.iter().map(|info| info.value.as_str()).collect();
        assert!(texts.iter().all(|text| !text.contains(char::is_control)), "{texts:?}");
        assert_eq!(game.tree.comment(game.current()), "bell \nline");
    }

    #[test]
    fn several_games_are_offered() {
        let text = "j10 k11 i11\nj10 j11 i12\n";
        let Ok(Imported::Choices(titles)) = import(text, None, TIMING, 1) else {
            panic!("two games");
        };
        assert_eq!(titles.len(), 2);
        assert!(matches!(import(text, Some(1), TIMING, 1), Ok(Imported::Game(_))));
        assert!(import(text, Some(2), TIMING, 1).is_err());
    }

    #[test]
    fn every_offered_format_round_trips_a_game() {
        for rules in ["connect6", "connect4", "gomoku", "9x7,k=4,p=3,q=1"] {
            let rules: Rules = rules.parse().expect(rules);
            let formats = formats(&rules);
            assert!(formats.iter().any(|format| format.name == "sgf"), "{rules}");
            let mut game = Game::new(rules, [Seat::Person, Seat::Person], TIMING, 1);
            for column in [3, 2, 3, 2] {
                let cell = game.position().drop_cell(column).expect("room");
                game.play(cell).expect("legal");
            }
            for format in formats {
                let (_, text, _) = export(&game, &format.name).expect(&format.name);
                // Some formats do not name the game; those the page reads as their usual one.
                if rules == Rules::CONNECT6 || format.name == "sgf" || format.name == "jsonl" {
                    let back = one(&text);
                    assert_eq!(back.position(), game.position(), "{} {rules}", format.name);
                }
            }
        }
    }

    #[test]
    fn what_is_no_record_is_explained() {
        for text in ["", "hello world", "(;GM[511];B[ZZ])", "\u{0}\u{1}", "{\"rules\":1}"] {
            assert!(import(text, None, TIMING, 1).is_err(), "{text:?}");
        }
    }
}
