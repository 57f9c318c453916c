//! Writes that fail, at every point in turn: what was confirmed is there, and the same command goes on.
//! And files that never end: they are refused at once.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::process::{Command, Output};

use serde_json::Value;

const GAMES: usize = 200;

/// The match, whose files may have this many blocks of 512 bytes each: writes beyond that fail.
fn play(folder: &tempfile::TempDir, blocks: Option<usize>) -> Output {
    let limit = blocks.map(|blocks| format!("ulimit -f {blocks}; ")).unwrap_or_default();
    // With the signal ignored, the write itself fails.
    let script = format!("trap '' XFSZ; {limit}exec \"$0\" \"$@\"");
    Command::new("sh")
        .args(["-c", &script, env!("CARGO_BIN_EXE_collinear")])
        .args(["match", "random", "random", "--game", "connect6", "-j", "1", "--json", "--quiet"])
        .args(["-n", &GAMES.to_string(), "--db", "r"])
        .current_dir(folder.path())
        .output()
        .expect("the program starts")
}

/// The numbers of the games that were told of.
fn told(output: &Output) -> BTreeSet<u64> {
    let text = String::from_utf8_lossy(&output.stdout);
    let events = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    events.filter(|event| event["event"] == "game").filter_map(|e| e["number"].as_u64()).collect()
}

#[test]
fn a_disk_that_fills_up_at_any_point_loses_no_game_and_keeps_none_twice() {
    let (mut failures, mut with_games) = (0, 0);
    // Small steps up to the first tables, then larger ones, until there is room enough.
    for blocks in (0..24).step_by(3).chain((24..).step_by(30)) {
        let folder = tempfile::tempdir().expect("a folder");
        let first = play(&folder, Some(blocks));
        let before = told(&first);
        if first.status.success() {
            assert_eq!(before.len(), GAMES);
            break;
        }
        failures += 1;
        with_games += usize::from(!before.is_empty());
        let words = String::from_utf8_lossy(&first.stderr).into_owned();
        assert_eq!(first.status.code(), Some(1), "{blocks} blocks: {words}");
        assert!(words.starts_with("error: ") && words.contains(" r"), "{blocks} blocks: {words}");
        let second = play(&folder, None);
        let words = String::from_utf8_lossy(&second.stderr).into_owned();
        assert!(second.status.success(), "{blocks} blocks: {words}");
        let after = told(&second);
        let twice: Vec<_> = before.intersection(&after).collect();
        assert!(twice.is_empty(), "{blocks} blocks: {twice:?} were told of twice");
        let text = String::from_utf8_lossy(&second.stdout).into_owned();
        let summary: Value =
            serde_json::from_str(text.lines().last().expect("a line")).expect("JSON");
        assert_eq!(summary["games"], GAMES, "{blocks} blocks");
        assert!(before.len() + after.len() <= GAMES, "{blocks} blocks");
    }
    assert!(failures > 12 && with_games > 3, "{failures} failures, {with_games} with games before");
}

#[test]
fn a_file_that_never_ends_is_refused_by_every_command_that_reads_one() {
    let folder = tempfile::tempdir().expect("a folder");
    for name in ["zero.toml", "zero", "p.state", "p.state.json"] {
        std::os::unix::fs::symlink("/dev/zero", folder.path().join(name)).expect("a link");
    }
    for command in [
        "match random random --game tictactoe -n 2 --db r --openings zero",
        "match sextant:weights=zero random -n 2 --db r",
        "match book:file=zero random -n 2 --db r",
        "tournament zero.toml --db r",
        "experiment run zero.toml --db r",
        "convert zero out.sgf --from sgf",
        "analyze zero",
        "threats zero",
        "puzzles zero",
        "solve --batch zero",
        "solve --book zero 4",
        "book info zero",
        "book build zero --out b",
        "fit weights zero --out w",
        "fit evaluation zero --out e",
        "prove --check zero",
        "prove --game 3x3,k=3 --out p",
        "prove --atlas zero.toml --out atlas",
        "tune sextant --spsa search.iir_depth --out p",
        "tune sextant --spsa search.iir_depth --out q --start zero",
        "match sextant:params=zero random -n 2 --db r",
        "puzzles blind zero",
        "puzzles check zero",
        "puzzles make --from zero",
    ] {
        let words: Vec<&str> = command.split(' ').collect();
        let mut run = Command::new(env!("CARGO_BIN_EXE_collinear"));
        let output = run.args(&words).current_dir(folder.path()).output().expect("it starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{command}: {said}");
        assert!(said.contains("is not a plain file"), "{command}: {said}");
    }
}
