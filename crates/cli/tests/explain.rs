//! `collinear explain`: the steps as text, what is refused, and the same as JSON.

use std::process::Command;

use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;
use serde_json::Value;

fn explain(args: &[&str]) -> Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_collinear"));
    Assert::new(command.arg("explain").args(args).output().expect("the program starts"))
}

/// A puzzle that Black wins by fours.
const GOMOKU: &str = "g9 h6 f6 j8 f8 i7 g5 e7 g8 i8 f7 k9 l10 f5 h9 e6";

#[test]
fn every_idea_has_steps() {
    explain(&["windows", "..XXXX.."]).success().stdout(contains("2 threats"));
    // Marking every empty tile changes nothing on one line but the marks.
    explain(&["windows", "..XXXX..", "--mark-all"])
        .success()
        .stdout(contains("**XXXX**  4 stones: threat 2").and(contains("2 threats")));
    explain(&["threats", "........XX......."]).success().stdout(contains("silenced"));
    explain(&["promotions", "...XXX..."]).success().stdout(contains("..XXXX...  promoted to L4"));
    explain(&["minimax", "b1 a1 c1", "--game", "4x3,k=3,gravity", "--plies", "2"])
        .success()
        .stdout(contains("black to move").or(contains("white to move")).and(contains("left out")));
}

#[test]
fn every_equal_move_of_minimax_is_marked_and_of_alpha_beta_the_first() {
    let both_ends = ["minimax", "b1 b2 c1 c2", "--game", "4x3,k=3,gravity", "--plies", "1"];
    explain(&both_ends)
        .success()
        .stdout(contains("black a1 10000 *").and(contains("black d1 10000 *")));
    explain(&[&both_ends[..], &["--prune"]].concat())
        .success()
        .stdout(contains("black a1 10000 *").and(contains("black d1 10000\n")));
}

#[test]
fn a_program_is_built_up_step_by_step() {
    let position = ["steps", "d1 c1 d2 c2 d3", "--plies", "3"];
    explain(&position).success().stdout(
        contains("a1 -max/2")
            .and(contains("d4 0 *"))
            .and(contains("depth 1: "))
            .and(contains("ply 3: max/3 = 715827882"))
            .and(contains("without f: its neighbours e and g are empty too")),
    );
    // The same position by its columns, as JSON.
    let output = explain(&["steps", "43434", "--plies", "3", "--json"]).success();
    let told: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!(told["minimax"]["cuts"], 0);
    assert_eq!(told["minimax"]["cell"], told["alpha_beta"]["cell"]);
    let nodes = |step: &str| told[step]["nodes"].as_u64().expect("nodes");
    assert!(nodes("alpha_beta") < nodes("minimax"));
    // The figure of the document.
    explain(&["steps", "b1 e1 c1 f1 d1 g1", "--game", "7x3,k=4,gravity", "--plies", "1"])
        .success()
        .stdout(contains("black a1 to d1: 3² = 9").and(contains("9 − 0 = 9 for black")));
}

#[test]
fn a_proof_answers_every_defence() {
    explain(&["proof", GOMOKU, "--game", "gomoku"])
        .success()
        .stdout(contains("black wins in 3 turns").and(contains("against")));
    let output = explain(&["proof", GOMOKU, "--game", "gomoku", "--json"]).success();
    let tree: Value = serde_json::from_slice(&output.get_output().stdout).expect("JSON");
    assert_eq!((&tree["player"], &tree["turns"]), (&"black".into(), &3.into()));
    let mut turn = &tree["first"];
    let mut turns = 1;
    while let Some(defence) = turn["defences"].get(0) {
        turn = &defence["answer"];
        turns += 1;
    }
    assert!(turn["then"] == "row" || turn["then"] == "too_many", "{turn}");
    assert!(turns <= 3);
}

#[test]
fn what_cannot_be_explained_is_refused() {
    explain(&["windows", "..1"]).code(2).stderr(contains("neither X, O nor ."));
    explain(&["minimax", "a1 a1", "--game", "tictactoe"]).code(2).stderr(contains("stone 2"));
    explain(&["minimax", "--game", "connect6"]).failure().stderr(contains("fewer plies"));
    explain(&["steps", "--plies", "8"]).failure().stderr(contains("fewer plies"));
    explain(&["steps", "--plies", "9"]).code(2).stderr(contains("1..=8"));
    explain(&["steps", "--game", "gomoku"]).failure().stderr(contains("one disc per turn"));
    explain(&["proof", "a1", "--game", "tictactoe"])
        .failure()
        .stderr(contains("no win of white by threats can be proved here"));
}
