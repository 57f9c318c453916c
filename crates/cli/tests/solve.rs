//! `collinear solve` as a person uses it.

use assert_cmd::Command;
use predicates::str::contains;

fn solve(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("collinear").expect("built").arg("solve").args(args).assert()
}

#[test]
fn the_empty_board_has_its_published_scores() {
    solve(&[""])
        .success()
        .stdout(contains("score 1"))
        .stdout(contains("columns -2 -1 0 1 0 -1 -2"));
}

#[test]
fn json_has_the_promised_keys() {
    let output = solve(&["1111112", "--game", "4x6,k=4,gravity", "--json"]).success();
    let text = String::from_utf8(output.get_output().stdout.clone()).expect("text");
    let value: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert!(value["columns"][0].is_null());
    for key in ["score", "best", "nodes", "seconds"] {
        assert!(!value[key].is_null(), "{key}");
    }
}

#[test]
fn what_is_wrong_is_named_with_its_place() {
    for (moves, message) in [
        ("49", "move 2 of \"49\""),
        ("1111111", "column \"1\" is full"),
        ("12121212", "the game was over after move 7"),
        ("1212121", "nothing to solve"),
        ("4é", "move 2"),
    ] {
        solve(&[moves]).code(2).stderr(contains(message));
    }
    solve(&["--game", "30x5,k=4,gravity"]).code(2).stderr(contains("too large"));
    solve(&["--game", "connect6"]).code(2).stderr(contains("gravity"));
}

#[test]
fn a_batch_reports_mismatches_and_a_summary() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("positions.txt");
    // The first two from Pascal Pons' Test_L3_R1, the second with a wrong score.
    let text = "2252576253462244111563365343671351441 -1\n7422341735647741166133573473242566 2\n\
                23163416124767223154467471272416755633\n";
    std::fs::write(&file, text).expect("written");
    let file = file.to_str().expect("text");
    solve(&["--batch", file])
        .success()
        .stdout(contains("line 2\t7422341735647741166133573473242566\texpected 2\tfound 1"))
        .stdout(contains("\n3\t1\t"));
}

#[test]
fn a_book_is_made_and_used_and_its_damage_is_a_warning() {
    let folder = tempfile::tempdir().expect("folder");
    let file = folder.path().join("small.book");
    let path = file.to_str().expect("text");
    let game = ["--game", "5x4,k=4,gravity"];
    let make = ["--make-book", "--depth", "6", "--out", path, "--threads", "2"];
    solve(&[&game[..], &make].concat()).success().stdout(contains("depth 6"));
    solve(&[&["12"], &game[..], &["--book", path]].concat())
        .success()
        .stdout(contains("\n0 nodes"));
    let searched = solve(&[&["12"], &game[..], &["--no-book"]].concat()).success();
    let searched = String::from_utf8_lossy(&searched.get_output().stdout).into_owned();
    let score = searched.lines().next().expect("a line").to_owned();
    let mut bytes = std::fs::read(&file).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&file, bytes).expect("written");
    solve(&[&["12"], &game[..], &["--book", path]].concat())
        .success()
        .stderr(contains("checksum"))
        .stdout(contains(score));
}
