//! `collinear experiment threat-counters` from outside: the same seed gives the same numbers and a plot.

use std::fs;

use assert_cmd::Command;
use predicates::str::contains;

fn collinear(args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("collinear")
        .expect("built")
        .args(["experiment", "threat-counters"])
        .args(args)
        .assert()
}

#[test]
fn a_seed_gives_the_same_numbers_and_a_plot() {
    let dir = tempfile::tempdir().expect("a folder");
    let svg = dir.path().join("plot.svg");
    let records = dir.path().join("games.moves");
    fs::write(&records, "# rules: 9x9,k=5,p=2,q=1\ne5 a1 a2 f5 g5 a3 a4 h5 i5\n").expect("written");
    let args = [
        "--game",
        "9x9,k=5,p=2,q=1",
        "--games",
        "20",
        "--agent",
        "random",
        "--records",
        records.to_str().expect("a path"),
        "--svg",
        svg.to_str().expect("a path"),
        "--fresh",
        "--json",
    ];
    let one = collinear(&args).success().get_output().stdout.clone();
    let two = collinear(&args).success().get_output().stdout.clone();
    assert_eq!(one, two);
    let sources: serde_json::Value = serde_json::from_slice(&one).expect("JSON");
    assert_eq!(sources.as_array().expect("a list").len(), 3);
    let random = &sources[0]["total"];
    assert!(random["threatening"].as_u64() > Some(0), "{random}");
    assert_eq!(random["mark_all"]["over"], 0);
    // The recorded game: Black threatens from the fifth stone on, until it wins.
    assert!(sources[2]["total"]["threatening"].as_u64() > Some(0));
    let plot = fs::read_to_string(svg).expect("written");
    assert!(plot.starts_with("<svg"));
    for name in ["Wu–Huang, random", "mark-all, played", "mark-all, records", "stones on the board"]
    {
        assert!(plot.contains(name), "{name} is missing in {plot}");
    }
}

#[test]
fn bad_input_is_refused() {
    collinear(&["--game", "connect6", "--agent", "nobody"]).code(2).stderr(contains("nobody"));
    collinear(&["--step", "0"]).code(2);
    collinear(&["--games", "1", "--agent", "random", "--records", "no-such-file"])
        .code(2)
        .stderr(contains("no-such-file"));
}
