//! Between games of the page and records of files.

use collinear_engine::analysis::{TurnAnalysis, annotate};
use collinear_play::{Game, GameRecord, NodeId, TimeControl};
use collinear_protocol::records::{self, Format, ReadOptions};
use collinear_rules::{Player, Rules};

use crate::convert::{check_sides, rules_name};
use crate::game::PageGame;
use crate::text::{self, one_line};
use crate::wire::FormatInfo;

/// The most games of one file that are listed.
const MAX_CHOICES: usize = 500;

/// The longest line of a record's head.
const MAX_INFO: usize = 200;

/// The most lines of a record's head.
const MAX_LINES: usize = 40;

/// What an imported text turned out to be.
pub(crate) enum Imported {
    /// A game to open.
    Game(Box<PageGame>),
    /// Several games to choose from.
    Choices(Vec<String>),
}

/// Reads a record. With several games and no index, their titles.
pub(crate) fn import(
    text: &str,
    index: Option<u32>,
    control: TimeControl,
    seed: u64,
) -> Result<Imported, String> {
    let text = records::decode(text.as_bytes()).map_err(|error| error.to_string())?;
    let mut found = Vec::new();
    for record in records::games(&text, None, &ReadOptions::default()).take(MAX_CHOICES) {
        found.push(record.map_err(|error| error.to_string())?);
    }
    match (found.len(), index) {
        (0, _) => Err("there is no game in this text".to_owned()),
        (1, _) => Ok(Imported::Game(Box::new(game(&found[0], control, seed)?))),
        (_, Some(index)) => {
            let record = found.get(index as usize).ok_or("the record has no such game")?;
            Ok(Imported::Game(Box::new(game(record, control, seed)?)))
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

fn game(record: &GameRecord, control: TimeControl, seed: u64) -> Result<PageGame, String> {
    let rules = record.rules;
    check_sides(rules.width() as u32, rules.height() as u32).map_err(|error| error.to_string())?;
    if record.tree.len() > Game::MAX_NODES {
        return Err(format!(
            "this record has {} moves and variations: the page shows at most {}",
            record.tree.len(),
            Game::MAX_NODES
        ));
    }
    let game = Game::from_record(cleaned(record)).map_err(|error| error.to_string())?;
    Ok(PageGame::new(game.with_controls([control; 2]), seed))
}

/// The record with texts that may be stored and shown: no control characters, nothing endless.
fn cleaned(record: &GameRecord) -> GameRecord {
    let mut game = record.clone();
    game.players = game.players.map(|name| Some(one_line(&name?, MAX_INFO)));
    let line =
        |(key, value): (&String, &String)| (one_line(key, MAX_INFO), one_line(value, MAX_INFO));
    game.metadata = record.metadata.iter().take(MAX_LINES).map(line).collect();
    let commented: Vec<NodeId> = record.tree.noted().map(|(node, _)| node).collect();
    for node in commented {
        if let Some(notes) = game.tree.notes_mut(node) {
            notes.comment = text::comment(&notes.comment);
        }
    }
    game
}

/// A file name, the record in a format, and what the format leaves out. With a review its remarks
/// stand as comments and its better lines as variations.
pub(crate) fn export(
    game: &PageGame,
    format: &str,
    review: Option<(&[NodeId], &[TurnAnalysis])>,
) -> Result<(String, String, Vec<String>), String> {
    let format = Format::from_name(format).ok_or("there is no such record format")?;
    let mut record = game.model.record();
    if let Some((line, turns)) = review {
        annotate(&mut record.tree, line, game.rules(), turns);
    }
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

    fn read(text: &str, index: Option<u32>) -> Result<Imported, String> {
        import(text, index, TimeControl::default(), 1)
    }

    fn one(text: &str) -> PageGame {
        match read(text, None) {
            Ok(Imported::Game(game)) => *game,
            Ok(Imported::Choices(titles)) => panic!("several games: {titles:?}"),
            Err(error) => panic!("{error}"),
        }
    }

    #[test]
    fn a_record_with_variations_comes_back_the_same() {
        let text = "(;GM[511]PB[Ada]C[hello];B[JJ]C[first](;W[KI];W[LJ])(;W[AA];W[BB]C[other]))";
        let game = one(text);
        assert_eq!(game.model.tree().len(), 6);
        assert_eq!(game.model.tree().comment(NodeId::ROOT), Some("hello"));
        let (name, exported, losses) = export(&game, "sgf", None).expect("a record");
        assert_eq!(name, "connect6.sgf");
        assert!(losses.is_empty());
        let back = one(&exported);
        assert_eq!(back.nodes(), game.nodes());
        assert_eq!(back.model.names, game.model.names);
        assert_eq!(game.model.names[0].as_deref(), Some("Ada"));
    }

    #[test]
    fn control_characters_do_not_come_in_with_a_record() {
        let game = one("(;GM[511]PB[A\u{9b}31mda]EV[x\u{7f}y];B[JJ]C[bell\u{85}\nline])");
        let texts: Vec<&String> =
            game.model.names.iter().flatten().chain(game.model.metadata.values()).collect();
        assert!(texts.len() >= 2, "{texts:?}");
        assert!(texts.iter().all(|text| !text.contains(char::is_control)), "{texts:?}");
        assert_eq!(game.model.tree().comment(game.model.node()), Some("bell \nline"));
    }

    #[test]
    fn several_games_are_offered() {
        let text = "j10 k11 i11\nj10 j11 i12\n";
        let Ok(Imported::Choices(titles)) = read(text, None) else {
            panic!("two games");
        };
        assert_eq!(titles.len(), 2);
        assert!(matches!(read(text, Some(1)), Ok(Imported::Game(_))));
        assert!(read(text, Some(2)).is_err());
    }

    #[test]
    fn every_offered_format_round_trips_a_game() {
        for rules in ["connect6", "connect4", "gomoku", "9x7,k=4,p=3,q=1"] {
            let rules: Rules = rules.parse().expect(rules);
            let formats = formats(&rules);
            assert!(formats.iter().any(|format| format.name == "sgf"), "{rules}");
            let mut game = PageGame::new(Game::new(rules), 1);
            for column in [3, 2, 3, 2] {
                let cell = game.model.position().drop_cell(column).expect("room");
                game.model.play(cell).expect("legal");
            }
            for format in formats {
                let (_, text, _) = export(&game, &format.name, None).expect(&format.name);
                // Some formats do not name the game; those the page reads as their usual one.
                if rules == Rules::CONNECT6 || format.name == "sgf" || format.name == "jsonl" {
                    let back = one(&text);
                    assert_eq!(
                        back.model.position(),
                        game.model.position(),
                        "{} {rules}",
                        format.name
                    );
                }
            }
        }
    }

    #[test]
    fn what_is_no_record_is_explained() {
        for text in ["", "hello world", "(;GM[511];B[ZZ])", "\u{0}\u{1}", "{\"rules\":1}"] {
            assert!(read(text, None).is_err(), "{text:?}");
        }
    }
}
