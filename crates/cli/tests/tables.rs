//! `collinear tables` and `collinear threats` from outside.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::Value;

fn collinear(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("collinear").expect("built").args(args).assert()
}

fn json(args: &[&str]) -> Value {
    let assert = collinear(args).success();
    serde_json::from_slice(&assert.get_output().stdout).expect("JSON")
}

#[test]
fn tables_count_every_shape_of_a_19_cell_line() {
    let report = json(&["tables", "--json"]);
    assert_eq!(report["shapes"], 1_048_512);
    let types = report["types"].as_object().expect("types");
    assert_eq!(types.len(), 14);
    let sum: u64 = types.values().filter_map(Value::as_u64).sum();
    assert_eq!(sum, 1_048_512);
    assert_eq!(report["by_length"].as_object().expect("lengths").len(), 14);
    // A row of the paper's Table 3.
    assert_eq!(report["promotions"]["D4"], serde_json::json!(["DW", "L5", "D5", "L4"]));
    assert_eq!(report["promotions"]["O"], serde_json::json!(["S3", "D3", "L2"]));
}

#[test]
fn tables_of_other_sizes_and_games() {
    assert_eq!(json(&["tables", "--n", "13", "--json"])["shapes"], 16_320);
    assert_eq!(json(&["tables", "--n", "15", "--json"])["shapes"], 65_472);
    let gomoku = json(&["tables", "--k", "5", "--p", "1", "--n", "15", "--json"]);
    assert_eq!(gomoku["shapes"], 65_504);
    assert_eq!(gomoku["types"]["L4"], 0);
    collinear(&["tables", "--n", "12"])
        .success()
        .stdout(contains("1023.94   999.94  a slip"))
        .stdout(contains("8,128 shapes").and(contains("o      ×  ×  ×  ×  ×  ×  ×  √  √  √  ×")));
}

#[test]
fn every_sign_of_the_printed_tables_comes_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let folder = folder.path().to_str().expect("a path");
    collinear(&["experiment", "run", "table-base", "-q", "--data", folder])
        .success()
        .stdout(contains("110 of 110 signs").and(contains("100 of 100 signs")))
        .stdout(contains("1023.94  999.94*").and(contains("408")).and(contains("8–18, 11")));
}

#[test]
fn one_shape_is_explained() {
    let report = json(&["tables", "--shape", "XX.XX...", "--json"]);
    assert_eq!(report["phi"], 408);
    assert_eq!(report["bits"], 216);
    assert_eq!(report["type"], "D4");
    assert_eq!(report["cells"][0], "U");
    collinear(&["tables", "--shape", "..XXX... "]).success().stdout(contains("live three"));
    let long = "X.".repeat(32);
    assert_eq!(json(&["tables", "--shape", &long, "--json"])["length"], 64);
}

#[test]
fn bad_tables_and_shapes_are_one_line_with_the_remedy() {
    let too_long = ".".repeat(65);
    let cases: [(&[&str], &str); 8] = [
        (&["--shape", "XX.O..X"], "'O' at place 4"),
        (&["--shape", "XX.."], "6 to 64 cells"),
        (&["--shape", &too_long], "6 to 64 cells"),
        (&["--n", "5"], "6 to 22"),
        (&["--n", "60"], "6 to 22"),
        (&["--p", "0"], "1 to 5 stones"),
        (&["--p", "6"], "1 to 5 stones"),
        (&["--k", "1"], "2 to 64 stones"),
    ];
    for (args, message) in cases {
        let assert = collinear(&[&["tables"], args].concat()).code(2).stderr(contains(message));
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr).lines().count(), 1);
    }
}

/// A live four of Black in the middle and one threat of White.
const GAME: &str = "g10 a1 a2 h10 i10 a3 a4 j10\n";

fn threats(args: &[&str], record: &str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("collinear").expect("built");
    command.args(["threats", "-"]).args(args).write_stdin(record).assert()
}

#[test]
fn threats_are_counted_marked_and_answered() {
    let assert = threats(&["--json"], GAME).success();
    let report: Value = serde_json::from_slice(&assert.get_output().stdout).expect("JSON");
    assert_eq!(report["move"], 8);
    for counter in ["exact", "wu_huang", "mark_all"] {
        assert_eq!(report["black"][counter], 2, "{counter}");
        assert_eq!(report["white"][counter], 1, "{counter}");
    }
    let defences = serde_json::json!([["e10", "k10"], ["f10", "k10"], ["f10", "l10"]]);
    assert_eq!(report["black"]["defences"], defences);
    threats(&[], GAME).success().stdout(
        contains("stopped by e10 k10 or f10 k10 or f10 l10").and(contains(" B B X X X X B B")),
    );
    threats(&["--at", "1"], GAME).success().stdout(contains("black threatens nothing"));
}

#[test]
fn a_won_game_is_shown_before_the_turn_that_won() {
    let won = "g10 a1 a2 h10 i10 b1 b2 j10 k10 a3 b4 l10\n";
    threats(&[], won).success().stdout(contains("after 11 of 12 stones: black to move"));
    threats(&["--at", "12"], won).success().stdout(contains("black has won"));
}

#[test]
fn bad_records_and_moves_are_one_line_with_the_remedy() {
    let cases: [(&[&str], &str, &str); 5] = [
        (&["--at", "9"], GAME, "MOVE is 0 to 8"),
        (&["--nth", "2"], GAME, "there is one game in it"),
        (&["--nth", "0"], GAME, "counted from 1"),
        (&[], "j10 j10\n", "the cell is occupied"),
        (&[], "", "there is no game in it"),
    ];
    for (args, record, message) in cases {
        let assert = threats(args, record).code(2).stderr(contains(message));
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr).lines().count(), 1);
    }
    collinear(&["threats", "no-such-file.sgf"]).code(2).stderr(contains("no-such-file.sgf"));
}
