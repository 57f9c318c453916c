//! `collinear convert` from outside: pipes, files, batches, and what it says about bad input.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use assert_cmd::Command;
use predicates::prelude::*;

fn collinear(dir: &Path, args: &[&str]) -> assert_cmd::assert::Assert {
    Command::cargo_bin("collinear").expect("built").current_dir(dir).args(args).assert()
}

/// Connect6 games of a fixed pattern, each ending in six in a row by Black.
fn games(count: usize) -> String {
    let mut text = String::from("game_id,moves,winner,label\n");
    for game in 0..count {
        let row = 3 + game % 12;
        let _ = writeln!(
            text,
            "{},\"a{row},s1,s2,b{row},c{row},s3,r1,d{row},e{row},r2,r3,f{row}\",black,x",
            game + 1
        );
    }
    text
}

#[test]
fn a_table_of_games_goes_to_sgf_and_back() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("in.csv"), games(300)).expect("written");
    collinear(dir.path(), &["convert", "in.csv", "out.sgf"])
        .success()
        .stderr(predicate::str::contains("300 games, "));
    collinear(dir.path(), &["convert", "out.sgf", "back.csv"]).success();
    let back = fs::read_to_string(dir.path().join("back.csv")).expect("written");
    let columns = |text: &str| -> Vec<String> {
        let lines = text.lines().skip(1);
        lines.map(|line| line.split(",black,").next().unwrap_or_default().to_owned()).collect()
    };
    assert_eq!(columns(&back), columns(&games(300)));
}

#[test]
fn pipes_need_a_format_and_say_so() {
    let mut command = Command::cargo_bin("collinear").expect("built");
    command.args(["convert", "--to", "sgf-511", "-", "-"]).write_stdin("j10 k9 l10\n");
    command.assert().success().stdout("(;FF[4]CA[UTF-8]GM[511]SZ[19];B[JJ];W[KI];W[LJ])\n");
    let mut command = Command::cargo_bin("collinear").expect("built");
    command.args(["convert", "-", "-"]).write_stdin("j10\n");
    command.assert().code(2).stderr(predicate::str::contains("--to"));
}

#[test]
fn bad_files_are_one_line_and_leave_the_output_alone() {
    let dir = tempfile::tempdir().expect("a folder");
    let cases: [(&str, &[u8], &str); 6] = [
        ("cut.sgf", b"(;GM[4]SZ[15];B[hh];W[g", "line 1, column 22"),
        ("binary.csv", b"\x7fELF\x00\x01", "line 1, column 5: byte 0x00 is not text"),
        (
            "far.csv",
            b"game_id,moves\n1,\"j10,k99\"\n",
            "line 2, column 8: move 2: \"k99\" is outside",
        ),
        ("twice.txt", b"j10 k11 k11\n", "move 3 (\"k11\") is illegal: the cell is occupied"),
        ("cut.jsonl", b"{\"collinear\":1,\"rules\":", "line 1, column"),
        ("empty.csv", b"", "no game"),
    ];
    for (name, bytes, message) in cases {
        fs::write(dir.path().join(name), bytes).expect("written");
        fs::write(dir.path().join("out.jsonl"), "before").expect("written");
        let assert = collinear(dir.path(), &["convert", name, "out.jsonl", "--fresh"])
            .code(2)
            .stderr(predicate::str::contains(message).and(predicate::str::contains(name)));
        assert_eq!(String::from_utf8_lossy(&assert.get_output().stderr).lines().count(), 1);
        let out = fs::read_to_string(dir.path().join("out.jsonl")).expect("still there");
        assert_eq!(out, "before", "{name}");
    }
    let left: Vec<_> = fs::read_dir(dir.path()).expect("listed").flatten().collect();
    assert_eq!(left.len(), cases.len() + 1, "a draft was left behind: {left:?}");
    collinear(dir.path(), &["convert", "missing.csv", "out.sgf"]).code(2);
}

#[test]
fn what_a_format_cannot_hold_is_said() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("in.sgf"), "(;GM[511];B[JJ]C[centre])").expect("written");
    collinear(dir.path(), &["convert", "in.sgf", "out.csv"])
        .success()
        .stderr(predicate::str::contains("csv has no place for comments: left out of 1 games"));
    collinear(dir.path(), &["convert", "in.sgf", "out.psq"])
        .code(2)
        .stderr(predicate::str::contains("game 1: psq cannot hold this game"));
}
