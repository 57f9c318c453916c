//! `collinear play` in plain lines, as a pipe or a screen reader has it. The screen itself is
//! tested beside its code.

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;

fn play(args: &[&str], typed: &'static str) -> assert_cmd::assert::Assert {
    let mut command = Command::cargo_bin("collinear").expect("built");
    command.arg("play").args(args).write_stdin(typed).assert()
}

#[test]
fn without_a_terminal_lines_are_read_and_written() {
    play(&["tictactoe", "--black", "human"], "a1\nb1\na2\nb2\na3\n")
        .success()
        .stdout(contains("black (human) wins: a1 a2 a3").and(contains("\u{1b}").not()));
    play(&["connect4", "--white", "random", "--plain"], "d\nquit\n")
        .success()
        .stdout(contains("white (random) plays"));
}

#[test]
fn a_hint_blocks_the_row_that_would_win() {
    let args = ["tictactoe", "--black", "human", "--white", "human", "--time", "1s"];
    play(&args, "a1\nc2\na2\nhint\nquit\n").success().stdout(contains("hint: a3"));
}

#[test]
fn a_hint_says_what_the_stone_does() {
    let args = ["gomoku", "--black", "human", "--white", "human", "--time", "500ms"];
    let blocks = contains("8: blocks the open three g8–h8–i8");
    play(&args, "h8\na1\ni8\na2\ng8\nhint\nquit\n").success().stdout(blocks);
}

#[test]
fn wrong_games_and_players_are_refused() {
    play(&["chess"], "").code(2).stderr(contains("neither a game"));
    play(&["--white", "nobody"], "").code(2).stderr(contains("nobody"));
    play(&["gomoku", "--game", "gomoku"], "").code(2);
}

#[test]
fn columns_may_count_from_zero() {
    let both = ["connect4", "--black", "human", "--white", "human", "--columns-from"];
    let game = "0\n6\n7\nmoves\nquit\n";
    play(&[&both[..], &["0"]].concat(), game)
        .success()
        .stdout(contains("a1 g1").and(contains("there are 7, from 0")));
    play(&[&both[..], &["1"]].concat(), game)
        .success()
        .stdout(contains("f1 g1").and(contains("there are 7, from 1")));
    play(&[&both[..], &["2"]].concat(), game).code(2).stderr(contains("columns-from"));
}
