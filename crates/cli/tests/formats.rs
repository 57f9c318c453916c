//! The formats of files are frozen: `formats/` has a file of each as version 0.2 writes it, and every later
//! version reads it. A new version of a format gets a file of its own beside the old one; none is ever
//! changed or taken away. The games of the page have theirs in `crates/web/tests/formats`.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

fn golden(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/formats").join(name)
}

/// Runs in a folder with copies of the golden files, and must succeed.
fn reads(folder: &TempDir, arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_collinear"))
        .current_dir(folder.path())
        .env("XDG_CONFIG_HOME", folder.path())
        .args(arguments)
        .output()
        .expect("the program starts");
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{arguments:?}: {errors}");
    String::from_utf8(output.stdout).expect("text")
}

/// A folder with these golden files.
fn folder_with(names: &[&str]) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    for name in names {
        fs::copy(golden(name), folder.path().join(name)).expect("copied");
    }
    folder
}

#[test]
fn game_records() {
    let moves = fs::read_to_string(golden("games.moves")).expect("moves");
    for name in ["games.jsonl", "games.sgf", "sgf-511.sgf", "sgf-lg.sgf", "games.ccgc", "games.csv"]
    {
        let folder = folder_with(&[name]);
        let read = reads(&folder, &["convert", name, "-", "--to", "moves", "--game", "connect6"]);
        assert_eq!(read, moves, "{name}");
    }
    // The native form loses nothing: what is read is written again.
    let folder = folder_with(&["games.jsonl"]);
    let again = reads(&folder, &["convert", "games.jsonl", "-", "--to", "jsonl"]);
    assert_eq!(again, fs::read_to_string(golden("games.jsonl")).expect("games"));
    for (name, game, stones) in [
        ("gomoku.psq", "gomoku", "# rules: 15x15,k=5\nh8 h9 i8 i9 g8 g9 f8 f9 e8\n"),
        ("gomoku.renlib", "gomoku", "# rules: 15x15,k=5,renju=loses\nh8 h9 i8 i9 g8 g9 f8 f9 e8\n"),
        ("four.pons", "connect4", "# rules: 7x6,k=4,gravity\nd1 d2 d3 d4 e1 c1 f1 g1\n"),
    ] {
        let folder = folder_with(&[name]);
        let from = name.split('.').next_back().expect("a format");
        let rest = ["--from", from, "--to", "moves", "--game", game];
        assert_eq!(
            reads(&folder, &[&["convert", name, "-"], &rest[..]].concat()),
            stones,
            "{name}"
        );
    }
}

#[test]
fn results_of_matches() {
    let folder = folder_with(&["results.sqlite"]);
    let read = reads(&folder, &["export", "--db", "results.sqlite", "--format", "moves"]);
    assert_eq!(read, fs::read_to_string(golden("results.moves")).expect("moves"));
}

#[test]
fn opening_statistics() {
    let folder = folder_with(&["statistics.book"]);
    let info = reads(&folder, &["book", "info", "statistics.book", "--json"]);
    let info: Value = serde_json::from_str(&info).expect("JSON");
    assert_eq!(
        (&info["positions"], &info["links"], &info["black_wins"]),
        (&5.into(), &4.into(), &1.into())
    );
}

#[test]
fn exact_scores() {
    let folder = folder_with(&["5x4.book"]);
    let game = ["solve", "33", "--game", "5x4,k=4,gravity", "--json", "--book", "5x4.book"];
    let solved: Value = serde_json::from_str(&reads(&folder, &game)).expect("JSON");
    assert_eq!(solved["columns"], serde_json::json!([-1, -1, 0, -1, -1]));
    assert_eq!(solved["nodes"], 0, "nothing had to be searched");
}

#[test]
fn certificates() {
    let folder = folder_with(&["certificate.proof"]);
    let checked = reads(&folder, &["prove", "--check", "certificate.proof"]);
    assert!(checked.contains("draw") && checked.contains("447ea5244445743f"), "{checked}");
}

#[test]
fn games_to_learn_from_and_weights() {
    let folder = folder_with(&["games.sxg", "weights.sxw", "network.sxn", "search.params"]);
    let made = reads(&folder, &["fit", "positions", "games.sxg", "--out", "positions.sxp"]);
    assert!(made.starts_with("235 positions"), "{made}");
    for option in ["weights=weights.sxw", "weights=network.sxn", "params=search.params"] {
        let player = format!("sextant:{option},nodes=50");
        let game = ["--game", "15x15,k=5", "--games", "2", "--max-stones", "8", "--seed", "1"];
        let table = reads(
            &folder,
            &[&["match", &player, "random", "--db", "x.sqlite"], &game[..]].concat(),
        );
        assert!(!table.contains("fault"), "{table}");
    }
}

#[test]
fn descriptions_of_runs_openings_and_puzzles() {
    let folder = folder_with(&["cup.toml", "experiment.toml", "openings.txt", "puzzles.jsonl"]);
    reads(&folder, &["tournament", "cup.toml", "--db", "x.sqlite"]);
    reads(
        &folder,
        &["experiment", "run", "experiment.toml", "--db", "x.sqlite", "--out", "reports"],
    );
    let game =
        ["--game", "gomoku", "--games", "4", "--openings", "openings.txt", "--db", "x.sqlite"];
    reads(&folder, &[&["match", "random", "random"], &game[..]].concat());
    let puzzles = reads(&folder, &["puzzles", "puzzles.jsonl", "--time", "10ms", "--json"]);
    let puzzles: Value = serde_json::from_str(&puzzles).expect("JSON");
    assert_eq!(puzzles["total"], 1);
}

/// Where the file lies differs between systems; on Linux the environment says it.
#[test]
#[cfg(target_os = "linux")]
fn named_engines() {
    let folder = folder_with(&["engines.toml"]);
    fs::create_dir(folder.path().join("collinear")).expect("a folder");
    fs::rename(folder.path().join("engines.toml"), folder.path().join("collinear/engines.toml"))
        .expect("moved");
    let engines = reads(&folder, &["engines", "list", "--json"]);
    let engine: Value = serde_json::from_str(engines.trim()).expect("JSON");
    assert_eq!(engine["command"][1], "two words");
}
