//! What must hold for every format: games come back as they were, and nothing from outside panics.

use std::time::Duration;

use collinear_play::{Ink, Mark, NodeId, Reason, Sign, Thought, Value};
use collinear_rules::{Cell, Player, Position, Rules, Setup};
use proptest::prelude::*;

use super::*;

fn read_one(text: &str) -> GameRecord {
    let games = read(text.as_bytes(), None, &ReadOptions::default()).expect(text);
    assert_eq!(games.len(), 1, "{text}");
    games.into_iter().next().expect("one game")
}

fn error(text: &str, format: Format) -> String {
    let options = ReadOptions::default();
    read(text.as_bytes(), Some(format), &options).expect_err(text).to_string()
}

/// Plays `choices` as random legal stones; every choice may also step back and so make variations.
fn random_record(rules: Rules, choices: &[(u16, u8)], texts: &[String]) -> GameRecord {
    let mut boards = Boards::default();
    let mut builder = builder::Builder::new(rules, &mut boards);
    for (nth, &(choice, back)) in choices.iter().enumerate() {
        for _ in 0..back {
            if let Some(parent) = builder.record.tree.parent(builder.at()) {
                builder.back_to(parent);
            }
        }
        let legal = builder.position().legal_cells();
        if let Some(&cell) = legal.get(usize::from(choice) % legal.len().max(1)) {
            builder.place(cell, "").expect("legal");
            if choice % 5 == 0 && !texts.is_empty() {
                let at = builder.at();
                let notes = builder.record.tree.notes_mut(at).expect("there");
                notes.comment.clone_from(&texts[nth % texts.len()]);
                notes.thought = Thought {
                    time: Some(Duration::from_micros(u64::from(choice))),
                    clock: (choice % 2 == 0).then_some(Duration::from_millis(5)),
                    nodes: Some(u64::from(choice)),
                    depth: (choice % 4 == 0).then_some(3),
                    value: VALUES[usize::from(choice) % VALUES.len()],
                };
                notes.chance = (choice % 3 == 0).then_some(f32::from(choice % 7) / 7.0);
                let label = Sign::Label(texts[nth % texts.len()].clone());
                notes.marks = marks(rules, cell, label, usize::from(choice));
            }
        }
    }
    let mut record = builder.finish();
    for (nth, text) in texts.iter().enumerate() {
        record.metadata.insert(format!("key {nth}:]\\"), text.clone());
        record.players[nth % 2] = Some(text.clone()).filter(|text| !text.is_empty());
    }
    record
}

/// Some marks, all of different kinds or on different cells, as SGF tells them apart by these.
fn marks(rules: Rules, cell: Cell, label: Sign, choice: usize) -> Vec<Mark> {
    let further = 1 + choice % (rules.cells() - 1);
    let other = Cell::new((cell.index() + further) % rules.cells());
    let signs = [
        Sign::Triangle,
        Sign::Circle,
        Sign::Square,
        Sign::Cross,
        label,
        Sign::Arrow(other),
        Sign::Line(other),
    ];
    let inks = [Ink::Plain, Ink::Red, Ink::Green, Ink::Blue, Ink::Yellow];
    let marked = |(at, sign): (usize, Sign)| {
        let cell = if at == 1 { other } else { cell };
        Mark { ink: inks[(choice / 7 + at) % inks.len()], ..Mark::new(cell, sign) }
    };
    let wanted = |(at, _): &(usize, Sign)| choice >> at & 1 == 1;
    signs.into_iter().enumerate().filter(wanted).map(marked).collect()
}

const VALUES: [Option<Value>; 5] = [
    None,
    Some(Value::Chance(0.125)),
    Some(Value::WinsIn(3)),
    Some(Value::LosesIn(2)),
    Some(Value::Draw),
];

fn text() -> impl Strategy<Value = String> {
    // What survives SGF: anything printable with line breaks, brackets and backslashes.
    "[ -~é先\n]{0,20}"
}

fn without_inks(mut record: GameRecord) -> GameRecord {
    let noted: Vec<NodeId> = record.tree.noted().map(|(node, _)| node).collect();
    for node in noted {
        let notes = record.tree.notes_mut(node).expect("there");
        notes.marks.iter_mut().for_each(|mark| mark.ink = Ink::Plain);
    }
    record
}

fn main_line_only(record: &GameRecord) -> GameRecord {
    let mut plain = GameRecord::from_moves(record.rules, &record.moves()).expect("legal");
    plain.end.clone_from(&record.end);
    plain
}

fn game() -> impl Strategy<Value = Rules> {
    prop_oneof![
        Just(Rules::CONNECT6),
        Just(Rules::CONNECT4),
        Just(Rules::GOMOKU),
        Just(Rules::GOMOKU_STANDARD),
        Just(Rules::TICTACTOE),
        Just("60x54,k=4,p=3,q=2".parse().expect("rules")),
        Just("30x20,k=5".parse().expect("rules")),
    ]
}

fn straight(choices: &[u16]) -> Vec<(u16, u8)> {
    choices.iter().map(|&choice| (choice, 0)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn sgf_and_jsonl_keep_everything(
        rules in game(),
        choices in prop::collection::vec((any::<u16>(), 0..3_u8), 0..60),
        texts in prop::collection::vec(text(), 0..4),
        result in prop::sample::select(vec![
            "black", "white+resign", "draw", "void", "black+time", "white+crash", "draw+move-limit",
        ]),
    ) {
        let mut record = random_record(rules, &choices, &texts);
        let end = super::result::parse(result).expect("a result");
        // A winner without a reason is whatever the stones show.
        let shown = record.end.take();
        record.end = match end {
            Some(end) if end.reason == Reason::Unstated => {
                shown.filter(|shown| shown.winner == end.winner).or(Some(end))
            }
            end => end,
        };
        record.end = record.end.map(|end| if texts.len() > 2 { end.with_detail(&texts[0]) } else { end });
        record.opening = choices.len().min(1).min(record.moves().len());
        for format in [Format::Sgf, Format::Jsonl] {
            let written = write(std::slice::from_ref(&record), format).expect("can be held");
            let read = read(written.as_bytes(), None, &ReadOptions::default());
            prop_assert_eq!(read, Ok(vec![record.clone()]), "{}", written);
        }
    }

    /// What a program that keeps our private properties' order, or drops them, makes of marks.
    #[test]
    fn marks_of_a_node_are_read_in_any_order_and_without_our_colours(
        rules in game(),
        choices in prop::collection::vec((any::<u16>(), 0..1_u8), 1..30),
        texts in prop::collection::vec("[a-z]{1,3}", 1..3),
    ) {
        let record = random_record(rules, &choices, &texts);
        let plain = without_inks(record.clone());
        let written = write(std::slice::from_ref(&record), Format::Sgf).expect("can be held");
        // Where our colours stand in a node: no text of this test has a bracket or a semicolon.
        let colours = |node: &str| {
            let from = node.find("XHU[")?;
            let mut end = from + 3;
            while node[end..].starts_with('[') {
                end += node[end..].find(']').expect("closed") + 1;
            }
            Some(from..end)
        };
        let (mut bare, mut moved) = (Vec::new(), Vec::new());
        for node in written.split(';') {
            let Some(range) = colours(node) else {
                bare.push(node.to_owned());
                moved.push(node.to_owned());
                continue;
            };
            let without = [&node[..range.start], &node[range.end..]].concat();
            let stone = without.find(']').expect("a stone") + 1;
            moved.push([&without[..stone], &node[range], &without[stone..]].concat());
            bare.push(without);
        }
        let (bare, moved) = (bare.join(";"), moved.join(";"));
        prop_assert_eq!(read_one(&bare), plain, "{}", bare);
        prop_assert_eq!(read_one(&moved), record, "{}", moved);
    }

    #[test]
    fn connect6_dialects_keep_moves_and_variations(
        choices in prop::collection::vec((any::<u16>(), 0..3_u8), 1..60),
    ) {
        let record = random_record(Rules::CONNECT6, &choices, &[]);
        for format in [Format::SgfLittleGolem, Format::Sgf511] {
            let written = write(std::slice::from_ref(&record), format).expect("can be held");
            let read = read(written.as_bytes(), None, &ReadOptions::default()).expect(&written);
            prop_assert_eq!(read[0].moves(), record.moves());
            prop_assert_eq!(read[0].tree.len(), record.tree.len(), "{}", written);
        }
    }

    #[test]
    fn every_format_keeps_moves_and_winners_of_many_games(
        games in prop::collection::vec(
            (game(), prop::collection::vec(any::<u16>(), 1..400)), 1..4),
    ) {
        let records: Vec<GameRecord> = games
            .iter()
            .map(|(rules, choices)| main_line_only(&random_record(*rules, &straight(choices), &[])))
            .collect();
        for format in Format::ALL {
            let held: Vec<GameRecord> = records
                .iter()
                .filter(|record| write(std::slice::from_ref(record), format).is_ok())
                .cloned()
                .collect();
            let written = write(&held, format).expect("each one can be held");
            let read = read(written.as_bytes(), Some(format), &ReadOptions::default());
            let read = read.map_err(|e| TestCaseError::fail(format!("{e}\n{written}")))?;
            let moves = |r: &[GameRecord]| {
                r.iter().map(|g| (g.rules, g.moves(), g.winner())).collect::<Vec<_>>()
            };
            prop_assert_eq!(moves(&read), moves(&held), "{:?}", format);
        }
    }

    #[test]
    fn arbitrary_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        for format in Format::ALL {
            let _ = read(&bytes, Some(format), &ReadOptions::default());
        }
        let _ = read(&bytes, None, &ReadOptions::default());
    }

    #[test]
    fn signs_of_the_formats_in_any_order_never_panic(
        text in r#"[(){};\[\]BWXRUMSZGFC:,"\\0-9a-kJ \n+-]{0,120}"#,
        rules in game(),
    ) {
        for format in Format::ALL {
            let _ = read(text.as_bytes(), Some(format), &ReadOptions { rules: Some(rules) });
        }
    }

    #[test]
    fn damaged_files_never_panic_and_cut_ones_never_gain_stones(
        choices in prop::collection::vec((any::<u16>(), 0..2_u8), 1..40),
        at in any::<prop::sample::Index>(),
        byte in any::<u8>(),
    ) {
        let record = random_record(Rules::CONNECT6, &choices, &["note".to_owned()]);
        for format in Format::ALL {
            let Ok(written) = write(std::slice::from_ref(&record), format) else { continue };
            let mut bytes = written.into_bytes();
            let at = at.index(bytes.len());
            if let Ok(games) = read(&bytes[..at], Some(format), &ReadOptions::default()) {
                prop_assert!(games.iter().all(|game| game.tree.len() <= record.tree.len()));
            }
            bytes[at] = byte;
            let _ = read(&bytes, Some(format), &ReadOptions::default());
        }
    }
}

#[test]
fn the_dialects_as_programs_write_them() {
    // The shapes are those of the programs named; the games are made up.
    let little_golem = "(;FF[4]EV[c6.ch.1]PB[one]PW[two]SO[http://www.littlegolem.com]\n;B[j10];W[j9l11];B[k10i10])";
    let game = read_one(little_golem);
    assert_eq!(
        write(std::slice::from_ref(&game), Format::Moves).expect("held"),
        "j10 j9 l11 k10 i10\n"
    );
    assert_eq!(game.metadata["event"], "c6.ch.1");
    assert_eq!(game.players[1].as_deref(), Some("two"));

    let editor = read_one("(;GM[511]C[start];B[JJ](;W[LJ];W[KI]C[good])(;W[KK];W[KI]))");
    assert_eq!(write(std::slice::from_ref(&editor), Format::Moves).expect("held"), "j10 l10 k9\n");
    assert_eq!(editor.tree.comment(NodeId::ROOT), Some("start"));
    assert!(editor.tree.has_variations());

    let gomoku = read_one("(;FF[4]GM[4]SZ[15]RE[B+R];B[hh];W[gg])");
    assert_eq!(
        write(std::slice::from_ref(&gomoku), Format::Moves).expect("held"),
        "# rules: 15x15,k=5\nh8 g9\n"
    );
    assert_eq!(gomoku.end, Some(End::won(Player::Black, Reason::Resignation)));

    let ccgc =
        read_one("{[C6][Alpha B][Beta W][后手胜][2018.07.28 Beijing][Cup];B(J,10);W(I,11);W(K,9)}");
    assert_eq!(ccgc.players, [Some("Alpha".to_owned()), Some("Beta".to_owned())]);
    assert_eq!(ccgc.winner(), Some(Player::White));

    let psq = read_one(
        "Piskvorky 20x20, 11:11, 0\r\n10,10,5\r\n11,11,350\r\na.zip\r\nb.zip\r\n-1\r\n2,Freestyle\r\n",
    );
    assert_eq!((psq.rules.width(), psq.moves().len(), psq.winner()), (20, 2, Some(Player::White)));
    assert_eq!(
        psq.tree.noted().filter_map(|(_, notes)| notes.thought.time).collect::<Vec<_>>(),
        [5, 350].map(Duration::from_millis)
    );

    // As Piskvork itself writes them: the last number is an error code, and 0 is none.
    let rows = "1,1,0\n1,2,0\n2,1,0\n2,2,0\n3,1,0\n3,2,0\n4,1,0\n4,2,0\n5,1,0\n";
    let piskvork = |begins| {
        read_one(&format!("Piskvorky 20x20, 2:2, {begins}\n{rows}pbrain-a.exe\npbrain-b.exe\n0\n"))
    };
    for (begins, black) in [(0, "pbrain-a.exe"), (1, "pbrain-b.exe")] {
        let game = piskvork(begins);
        assert_eq!(game.winner(), Some(Player::Black));
        assert_eq!(game.players[0].as_deref(), Some(black), "{begins} begins");
    }

    let pons = read_one("4455 3");
    assert_eq!((pons.rules, pons.metadata["score"].as_str()), (Rules::CONNECT4, "3"));
}

#[test]
fn errors_name_place_text_and_what_was_expected() {
    assert_eq!(
        error("j10 k11\nj10 j99", Format::Moves),
        "line 2, column 5: move 2: \"j99\" is outside the 19x19 board"
    );
    assert_eq!(
        error("j10 k11 j10", Format::Moves),
        "line 1, column 9: move 3 (\"j10\") is illegal: the cell is occupied"
    );
    assert_eq!(
        error("game_id,moves,winner\n1,\"j10,k11\",red", Format::Csv),
        "line 2, column 13: found \"red\", expected black, white, draw or nothing"
    );
    assert!(error("game_id,moves\n1,\"j10,k11", Format::Csv).contains("cut short"));
    assert!(error("(;GM[4];B[hh]", Format::Sgf).contains("cut short"));
    assert!(error("(;GM[4]C[open", Format::Sgf).contains("cut short"));
    assert!(error("(;GM[4];B[hh];B[gg])", Format::Sgf).contains("other side's turn"));
    assert!(error("(;GM[1];B[hh])", Format::Sgf).contains("GM[4]"));
    assert!(error("(;GM[4];B[hh];AB[gg])", Format::Sgf).contains("first node"));
    assert_eq!(
        error("445x", Format::Pons),
        "line 1, column 4: move 4: \"x\" is outside the 7x6 board"
    );
    assert!(error("4444444", Format::Pons).contains("column \"4\" is full"));
    assert!(
        error("Piskvorky 20x20, 11:11, 0\n21,1,0", Format::Psq).starts_with("line 2, column 1")
    );
    assert!(error("{[C6][a][b][c][d][e];B(T,10)}", Format::Ccgc).contains("outside"));
    assert!(
        error("{\"collinear\":3,\"rules\":\"connect6\",\"moves\":\"\"}", Format::Jsonl)
            .contains("version 2")
    );
    assert!(error("{\"collinear\":1,", Format::Jsonl).contains("EOF"));
    assert!(error("\u{1}\u{2}", Format::Moves).contains("binary"));
}

#[test]
fn ten_thousand_nested_variations_and_a_long_line() {
    let deep = format!("(;GM[4]{};B[hh]{})", "(;C[x]".repeat(200_000), ")".repeat(200_000));
    assert_eq!(read_one(&deep).moves().len(), 1);
    let unclosed = format!("(;GM[4]{}", "(;C[x]".repeat(10_000));
    assert!(error(&unclosed, Format::Sgf).contains("cut short"));
    let long = "j".repeat(20_000_000);
    for format in Format::ALL {
        let refusal = error(&long, format);
        assert!(refusal.len() < 400, "{refusal}");
    }
}

#[test]
fn set_up_stones_travel() {
    let rules = Rules::CONNECT6;
    let at = |x, y| rules.cell(x, y).expect("on the board");
    let mut record = GameRecord::new(rules);
    record.setup = Some(Setup {
        black: vec![at(9, 9), at(9, 8)],
        white: vec![at(3, 3)],
        to_move: Some((Player::White, 1)),
    });
    let mut end: Position = record.start().expect("a position");
    end.play(at(0, 0)).expect("legal");
    record.tree.add(NodeId::ROOT, at(0, 0)).expect("room");
    for format in [Format::Sgf, Format::Jsonl] {
        let written = write(std::slice::from_ref(&record), format).expect("held");
        let read = read_one(&written);
        assert_eq!(read, record, "{written}");
        assert_eq!(read.position(), Ok(end.clone()));
    }
    assert!(write(&[record], Format::Csv).is_err());
    assert!(error("(;XRU[connect6]AB[aa][aa])", Format::Sgf).contains("occupied twice"));
}

#[test]
fn control_characters_that_a_format_can_name_do_not_get_in() {
    let text = r#"{"collinear":2,"rules":"3x3,k=3","black":"a\u001b]0;b\u0007c","white":"c\u009bd\u007fe",
        "result":"white","moves":"a3","meta":{"event":"x\u0000y\r\nz"}}"#;
    let text = text.replace("\n        ", "");
    let games = read(text.as_bytes(), None, &ReadOptions::default()).expect("a game");
    assert_eq!(games[0].players[0].as_deref(), Some("a ]0;b c"));
    for format in [Format::Sgf, Format::Jsonl, Format::Csv] {
        let written = write(&games, format).expect("can be held");
        assert!(!written.contains(|c: char| c.is_control() && c != '\n'), "{written:?}");
        let again = read(written.as_bytes(), Some(format), &ReadOptions::default());
        let again = again.unwrap_or_else(|error| panic!("{written:?}: {error}"));
        assert_eq!(again[0].players, games[0].players, "{written}");
    }
}

#[test]
fn a_format_holds_the_games_it_can_be_written_for() {
    let more = ["26x26,k=6,p=2,q=1", "27x27,k=6,p=2,q=1", "40x8,k=4,gravity", "15x15,k=5,q=2"];
    let more = more.map(|text| text.parse().expect(text));
    for rules in Rules::PRESETS.iter().map(|(_, rules)| rules).chain(&more) {
        let mut record = GameRecord::new(*rules);
        // In the last column: names of columns end before some boards do.
        let cell = *Position::new(*rules).legal_cells().last().expect("empty");
        record.tree.add(NodeId::ROOT, cell).expect("room");
        for format in Format::ALL {
            let written = match format {
                Format::Renlib => to_renlib(&record).is_ok(),
                _ => write(std::slice::from_ref(&record), format).is_ok(),
            };
            assert_eq!(format.holds(rules), written, "{} {rules}", format.name());
        }
    }
}
