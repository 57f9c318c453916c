//! The experiments of document 003 through the command line.

use std::path::Path;

use assert_cmd::Command;
use serde_json::Value;

fn collinear(folder: &Path) -> Command {
    let mut command = Command::cargo_bin("collinear").expect("the binary is built");
    command.current_dir(folder);
    command
}

fn run(folder: &Path, name: &str, more: &[&str]) -> Command {
    let mut command = collinear(folder);
    command.args(["experiment", "run", name, "--db", "games.db", "--out", "out", "-q", "--json"]);
    command.args(more);
    command
}

#[test]
fn every_printed_score_is_in_the_files() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = collinear(folder.path()).args(["experiment", "list", "--json"]).output();
    let text = String::from_utf8(output.expect("runs").stdout).expect("text");
    let cells: usize = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).expect("JSON"))
        .filter(|experiment| experiment["group"] == "karplus")
        .map(|experiment| {
            let size = experiment["size"].as_str().expect("text").to_owned();
            size.split(' ').next().and_then(|n| n.parse::<usize>().ok()).expect("a number")
        })
        .sum();
    // The tables of experiments 1 to 7 of the document have 214 scores.
    assert_eq!(cells, 214);
}

#[test]
fn an_experiment_writes_table_data_and_pictures_beside_the_printed_scores() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = run(folder.path(), "karplus-7", &["--games", "2"]).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let findings: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(findings["name"], "karplus-7");
    let out = folder.path().join("out/karplus-7");
    let csv = std::fs::read_to_string(out.join("data.csv")).expect("data");
    assert_eq!(csv.lines().count(), 26);
    assert!(csv.lines().nth(1).is_some_and(|line| line.contains(",19,100,")), "{csv}");
    assert!(std::fs::read_to_string(out.join("karplus-7-1.svg")).is_ok_and(|s| s.contains("<svg")));
    assert!(out.join("report.html").is_file());
}

#[test]
fn constants_are_fitted_to_few_games_too() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = "title = \"T\"\nquestion = \"Q\"\nstudy = \"feval-regression\"\n[parameters]\n\
                teachers = [\"1ply_fevala\", \"random\"]\nteaching-games = 30\nlargest = 100\n\
                plies = [1, 2]\ngames = 4\nopening-discs = 4\n\
                [parameters.rivals]\nfevala = [0, -3, -2, -1, 0, 1, 2, 3]\n";
    std::fs::write(folder.path().join("fit.toml"), file).expect("written");
    let output = run(folder.path(), "fit.toml", &[]).output().expect("runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let findings: Value = serde_json::from_slice(&output.stdout).expect("JSON");
    let constants = &findings["sections"][1]["table"]["rows"];
    let fitted =
        |row: usize| constants[row][2]["text"].as_str().and_then(|n| n.parse::<i32>().ok());
    assert_eq!(fitted(0), Some(0));
    // More own discs are better, more opposing ones worse, even after a few games.
    assert!(fitted(7) > Some(0) && fitted(1) < Some(0), "{constants}");

    std::fs::write(folder.path().join("bad.toml"), file.replace("largest", "biggest"))
        .expect("written");
    run(folder.path(), "bad.toml", &[])
        .assert()
        .code(2)
        .stderr(predicates::str::contains("biggest"));
}
