//! `collinear prove` as a person uses it: values, files, stops, checks.

use std::fs;
use std::path::Path;

use assert_cmd::Command;
use assert_cmd::assert::Assert;
use predicates::str::contains;

fn prove(args: &[&str]) -> Assert {
    Command::cargo_bin("collinear").expect("built").arg("prove").args(args).assert()
}

fn text(path: &Path) -> &str {
    path.to_str().expect("a plain name")
}

#[test]
fn values_of_small_games() {
    prove(&["--game", "3x3,k=3"]).success().stdout(contains("value        draw"));
    prove(&["--game", "4x3,k=3"]).success().stdout(contains("black wins (the first player)"));
    let output = prove(&["--game", "3x3,k=3,p=2,q=1", "b2", "--json"]).success();
    let json: serde_json::Value =
        serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    for key in ["game", "value", "because", "sha256", "bytes", "positions", "nodes", "seconds"] {
        assert!(!json[key].is_null(), "{key}");
    }
}

#[test]
fn a_certificate_is_written_checked_and_not_written_over() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("5x4.proof");
    let args = ["--game", "5x4,k=4", "--out", text(&file)];
    prove(&args).success();
    prove(&args).code(2).stderr(contains("--fresh replaces it"));
    prove(&["--check", text(&file)]).success().stdout(contains("value        draw"));
    let mut bytes = fs::read(&file).expect("written");
    *bytes.last_mut().expect("a strategy") ^= 1;
    fs::write(&file, &bytes).expect("written");
    prove(&["--check", text(&file)]).code(2).stderr(contains("damaged"));
}

#[test]
fn a_stopped_proof_is_saved_and_goes_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("5x5.proof");
    let state = folder.path().join("5x5.proof.state");
    let args = ["--game", "5x5,k=4", "--out", text(&file)];
    for nodes in ["500", "1000", "1500"] {
        let limited: Vec<&str> = args.iter().copied().chain(["--nodes", nodes]).collect();
        prove(&limited).code(1).stderr(contains("the same command goes on"));
        assert!(state.exists() && !file.exists());
    }
    prove(&args).success().stderr(contains("going on after")).stdout(contains("draw"));
    assert!(file.exists() && !state.exists());
    prove(&["--check", text(&file)]).success();
}

#[test]
fn what_is_wrong_is_named() {
    prove(&["--game", "19x19,k=6,p=2,q=1", "--quiet", "0"])
        .code(1)
        .stderr(contains("shows nothing about the value"));
    prove(&["--game", "9x9,k=4,gravity"]).code(2).stderr(contains("no zones with gravity"));
    prove(&["--game", "15x15,k=5,renju"]).code(2).stderr(contains("renju"));
    prove(&["--game", "3x3,k=3", "a1", "a1"]).code(2).stderr(contains("stone 2 (a1)"));
    prove(&["--game", "3x3,k=3", "a1 a2 b1 b2 c1"]).code(2).stderr(contains("the game is over"));
    prove(&["--check", "nowhere.proof"]).code(2).stderr(contains("nowhere.proof"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("noise.proof");
    fs::write(&file, b"noise").expect("written");
    prove(&["--check", text(&file)]).code(2).stderr(contains("line 1"));
}

#[test]
fn a_distance_is_proved_from_both_sides() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("4x3.proof");
    let args = ["--game", "4x3,k=3", "--distance", "--out", text(&file)];
    prove(&args).success().stdout(contains("distance     7 stones, the winner's turn 4 from here"));
    let output = prove(&["--check", text(&file), "--json"]).success();
    let json: serde_json::Value =
        serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(json["stones"], 7);
    assert_eq!(json["because"].as_array().expect("claims").len(), 2);
    prove(&["--game", "3x3,k=3", "--distance"]).success().stdout(contains("value        draw"));
    // The value needs fewer nodes than the distance.
    let file = folder.path().join("6x5.proof");
    let args = ["--game", "6x5,k=4", "--distance", "--nodes", "20000", "--out", text(&file)];
    prove(&args).code(1).stderr(contains("at least")).stderr(contains("the same command goes on"));
}

#[test]
fn a_win_on_a_large_board_is_proved_by_zones() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("connect6.proof");
    let stones = "j10 a1 s19 k10 j11 a19 s1";
    let args = ["--game", "connect6", stones, "--out", text(&file)];
    prove(&args).success().stderr(contains("won ")).stdout(contains("black wins"));
    prove(&["--check", text(&file)]).success().stdout(contains("turns and zones"));
    let small = ["--game", "6x5,k=4", "c3", "--zones"];
    prove(&small).code(1).stderr(contains("no win was found"));
}
