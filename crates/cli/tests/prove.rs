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
    prove(&["--game", "19x19,k=6,p=2,q=1"]).code(2).stderr(contains("at most 64 cells"));
    prove(&["--game", "3x3,k=3", "a1", "a1"]).code(2).stderr(contains("stone 2 (a1)"));
    prove(&["--game", "3x3,k=3", "a1 a2 b1 b2 c1"]).code(2).stderr(contains("the game is over"));
    prove(&["--check", "nowhere.proof"]).code(2).stderr(contains("nowhere.proof"));
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("noise.proof");
    fs::write(&file, b"noise").expect("written");
    prove(&["--check", text(&file)]).code(2).stderr(contains("line 1"));
}
