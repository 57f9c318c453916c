//! `collinear serve`: what it says before it serves, and when it cannot.

use assert_cmd::Command;
use predicates::str::contains;

fn serve(arguments: &[&str]) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("collinear").expect("the program");
    command.arg("serve").args(arguments).assert()
}

#[test]
fn help_has_examples() {
    serve(&["--help"]).success().stdout(contains("collinear serve --port"));
}

#[test]
fn what_cannot_be_served_is_one_line_and_exit_code_2() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    serve(&["--host", "256.0.0.1", "--no-open", "--data", data])
        .code(2)
        .stderr(contains("cannot listen on 256.0.0.1"));
    serve(&["--searches", "0"]).code(2);
    serve(&["--port", "99999"]).code(2);
    let file = folder.path().join("file");
    std::fs::write(&file, "not a folder").expect("written");
    serve(&["--no-open", "--port", "0", "--data", file.to_str().expect("a path")])
        .code(2)
        .stderr(contains("data folder"));
    std::fs::write(folder.path().join("games.db"), "not a database, whatever its name says")
        .expect("written");
    serve(&["--no-open", "--port", "0", "--data", data]).code(2).stderr(contains("game store"));
}
