//! `puzzles`, `analyze`, `bench` and `fit` as a person runs them.

use assert_cmd::Command;
use predicates::prelude::*;
use serde_json::Value;

fn collinear(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("collinear").expect("built");
    command.args(args);
    command
}

fn file(name: &str, text: &str) -> (tempfile::TempDir, String) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    let path = path.display().to_string();
    (folder, path)
}

fn json(output: &[u8]) -> Value {
    serde_json::from_slice(output).expect("JSON")
}

/// Black has four in an open row: two more stones make six.
const WON: &str =
    r#"{"id":"won","stones":["g10","a1","s1","h10","i10","a19","s19","j10","b5","c7","q3"]}"#;

#[test]
fn puzzles_are_proved_and_verified() {
    // Two closed threes cross at h8: a four each way.
    let vcf = r#"{"id":"fours","game":"gomoku","stones":["e8","d8","f8","h4","g8","a1","h5","a15","h6","o1","h7","o15"]}"#;
    let (_folder, path) = file("p.jsonl", &format!("{WON}\n\n{vcf}\n"));
    let output = collinear(&["puzzles", &path, "--json", "--time", "20s"]).output().expect("runs");
    assert!(output.status.success());
    let report = json(&output.stdout);
    assert_eq!(report["total"], 2);
    assert_eq!(report["solved"], 2);
    assert_eq!(report["verified"], 2);
    assert_eq!(report["puzzles"][0]["turns"], 1);
    assert_eq!(report["puzzles"][1]["turns"], 2);
    assert!(report["median_ms"].as_f64().is_some());
}

#[test]
fn bad_puzzles_name_their_line() {
    let (_folder, path) = file("p.jsonl", &format!("{WON}\n{{\"stones\":[\"j10\",\"j10\"]}}\n"));
    collinear(&["puzzles", &path])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("line 2").and(predicate::str::contains("occupied")));
    let (_folder, path) = file("p.jsonl", r#"{"game":"connect4","stones":[]}"#);
    collinear(&["puzzles", &path]).assert().code(2).stderr(predicate::str::contains("gravity"));
    let (_folder, empty) = file("p.jsonl", "");
    collinear(&["puzzles", &empty]).assert().code(2);
    collinear(&["puzzles", "/no/such/file"]).assert().code(2);
    collinear(&["puzzles", &path, "--time", "soon"]).assert().code(2);
}

#[test]
fn a_game_is_analysed_in_words_json_and_sgf() {
    // White lets Black's four stand, Black does not see it at first.
    let game = "g10 a1 s1 h10 i10 a19 s19 j10 b5 c7 q3 m4 n15 d17 r17 k10 l10";
    let (folder, path) = file("game.txt", game);
    let sgf = folder.path().join("out.sgf").display().to_string();
    let output =
        collinear(&["analyze", &path, "--nodes", "300", "--verify", "--json", "--sgf", &sgf])
            .output()
            .expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report = json(&output.stdout);
    let turns = report["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 9);
    assert_eq!(turns[6]["grade"], "missed win", "{:?}", turns[6]);
    assert!(std::fs::read_to_string(sgf).expect("written").contains("misses a win"));
    collinear(&["analyze", &path, "--nodes", "300"]).assert().success().stdout(
        predicate::str::contains("misses a win").and(predicate::str::contains("black won")),
    );
    collinear(&["analyze", &path, "--number", "7"]).assert().code(2);
}

#[test]
fn bench_twice_has_the_same_signature() {
    let signature = || {
        let output = collinear(&["bench", "--nodes", "500", "--json"]).output().expect("runs");
        json(&output.stdout)["signature"].as_str().expect("a signature").to_owned()
    };
    assert_eq!(signature(), signature());
}

#[test]
fn weights_are_fitted_to_games_and_played_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Lines alone with two stones per turn, combinations of lines with one.
    for (game, kind) in [("9x9,k=6,p=2,q=1", b"SXW2"), ("9x9,k=5", b"SXC1")] {
        let (games, weights) = (path(&format!("{game}.sxg")), path(&format!("{game}.sxw")));
        let make = ["fit", "games", game, "--games", "12", "--nodes", "20", "--out", &games];
        collinear(&make).assert().success();
        let fit = ["fit", "weights", &games, "--epochs", "1", "--out", &weights];
        collinear(&fit).assert().success();
        assert!(std::fs::read(&weights).expect("written").starts_with(kind), "{game}");
    }
    let (games, weights) = (path("9x9,k=5.sxg"), path("9x9,k=5.sxw"));
    // The wrong kind of file is refused.
    collinear(&["fit", "weights", &weights, "--fresh", "--out", &games])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no games to learn from"));
}

#[test]
fn an_evaluation_is_learned_from_labels_and_played_with() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("written");
    let labels = |out: &str, more: &[&str]| {
        let make = ["fit", "labels", "9x9,k=5", "--nodes", "20", "--out", &path(out)];
        collinear(&[&make, more].concat()).assert()
    };
    labels("one", &["--labels", "2000", "--threads", "1"]).success();
    // Begun with two threads and continued, it is the same file.
    labels("two", &["--labels", "500", "--threads", "2"]).success();
    labels("two", &["--labels", "2000", "--threads", "2"]).success();
    assert_eq!(read("one"), read("two"));
    labels("two", &["--labels", "2000", "--seed", "2"])
        .code(2)
        .stderr(predicate::str::contains("seed 1, not 2"));
    let mut changed = read("two");
    let middle = changed.len() / 2;
    changed[middle] ^= 1;
    std::fs::write(path("two"), changed).expect("written");
    labels("two", &["--labels", "2000"]).code(2).stderr(predicate::str::contains("is damaged"));
    let learn = |file: &str, more: &[&str]| {
        let fit = ["fit", "evaluation", &path(file), "--positions", "6400", "--batch", "64"];
        collinear(&[&fit, more].concat()).assert()
    };
    learn("two", &["--out", &path("none")]).code(2).stderr(predicate::str::contains("is damaged"));
    learn("one", &["--out", &path("e"), "--picture", &path("p.svg")]).success();
    // No time at all: after the first look it stops, and goes on later.
    learn("one", &["--out", &path("f"), "--minutes", "0"]).success();
    assert!(folder.path().join("f.under-way").exists());
    learn("one", &["--out", &path("f")]).success().stdout(predicate::str::contains("goes on"));
    assert_eq!(read("e"), read("f"));
    assert!(read("p.svg").starts_with(b"<svg"));
    let player = format!("sextant:nodes=50,weights={}", path("e"));
    let play = ["match", &player, "random", "-g", "9x9,k=5", "-n", "2", "--db", &path("db")];
    collinear(&play).assert().success();
    // No network could label these.
    collinear(&["fit", "labels", "9x9,k=4", "--out", &path("x")])
        .assert()
        .failure()
        .stderr(predicate::str::contains("no network"));
}

#[test]
fn the_network_teaches_weights_where_there_is_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, weights) = (path("g.sxg"), path("g.sxw"));
    let few = ["--games", "4", "--visits", "2", "--quick-visits", "1"];
    let make = ["fit", "net-games", "9x9,k=5", "--out", &games];
    collinear(&[&make[..], &few].concat()).assert().success();
    let fit =
        ["fit", "weights", &games, "--epochs", "1", "--go-on", "--teacher", "--out", &weights];
    collinear(&fit).assert().success();
    assert!(std::fs::read(&weights).expect("written").starts_with(b"SXC1"));
    // Games of rules that no network was trained for.
    let other = path("four.sxg");
    let make = ["fit", "games", "9x9,k=4", "--games", "4", "--nodes", "20", "--out", &other];
    collinear(&make).assert().success();
    collinear(&["fit", "weights", &other, "--teacher", "--out", &path("none")])
        .assert()
        .failure()
        .stderr(predicate::str::contains("leave --teacher out"));
}
