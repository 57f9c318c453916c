//! `collinear puzzles make` and `check` as a person runs them, and the sets that the page ships.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use collinear_agents::puzzles::{Goal, read_set};

fn run(words: &[&str], folder: &Path, threads: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_collinear"));
    command.args(words).current_dir(folder).env("RAYON_NUM_THREADS", threads);
    command.output().expect("it starts")
}

fn said(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

fn shipped(game: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../page/public/puzzles/{game}.txt"))
}

const GAMES: [&str; 4] = ["connect4", "connect6", "gomoku", "renju"];

#[test]
fn a_set_is_the_same_on_any_number_of_threads_and_after_an_interruption() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = |out: &str, threads: &str| {
        let words = ["puzzles", "make", "--game", "connect4", "--games", "12", "-o", out];
        said(&run(&words, folder.path(), threads))
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(make("one.txt", "1").0, Some(0));
    assert_eq!(make("two.txt", "2").0, Some(0));
    let set = read("one.txt");
    assert_eq!(read("two.txt"), set);
    assert!(read_set(&set).expect("a set").len() >= 5, "{set}");
    assert_eq!(make("one.txt", "1").0, Some(2), "finished work is not written over");
    // The journal of a run that was killed: what it knows of a game is believed.
    let command = set.lines().nth(1).and_then(|line| line.strip_prefix("# ")).expect("a header");
    let games = |game: u64| format!("{{\"number\":{game},\"puzzles\":[]}}\n");
    let games = (0..12).map(games).collect::<Vec<_>>().concat();
    let journal = format!("{{\"openings\":\"{command}\"}}\n{games}{{\"num");
    fs::write(folder.path().join("again.txt.journal"), journal).expect("written");
    assert_eq!(make("again.txt", "2").0, Some(0));
    assert_eq!(read_set(&read("again.txt")), Ok(Vec::new()));
    assert!(!folder.path().join("again.txt.journal").exists());
}

#[test]
fn a_set_is_checked_and_what_is_wrong_in_it_is_named() {
    let folder = tempfile::tempdir().expect("a folder");
    let check =
        |name: &str| said(&run(&["puzzles", "check", name, "--sample", "6"], folder.path(), "2"));
    for game in GAMES {
        fs::copy(shipped(game), folder.path().join(format!("{game}.txt"))).expect("copied");
        let (code, words) = check(&format!("{game}.txt"));
        assert_eq!(code, Some(0), "{game}: {words}");
    }
    let set = fs::read_to_string(shipped("connect4")).expect("a set");
    let line = set.lines().find(|line| line.contains(" w3 ")).expect("a win in three");
    let write = |name: &str, line: &str| {
        fs::write(folder.path().join(name), format!("# game connect4\n{line}\n")).expect("written");
    };
    write("good.txt", line);
    assert_eq!(check("good.txt").0, Some(0));
    write("wrong.txt", &line.replace(" w3 ", " w2 "));
    let (code, words) = check("wrong.txt");
    assert!(code == Some(2) && words.contains(&line[..6]), "{words}");
    write("broken.txt", "nonsense");
    let (code, words) = check("broken.txt");
    assert!(code == Some(2) && words.contains("line 2"), "{words}");
}

/// The first games of the command in the header of each shipped set, played again.
#[test]
fn the_shipped_sets_are_made_again_by_their_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    for (game, games) in [("connect4", "4"), ("connect6", "2"), ("gomoku", "2"), ("renju", "4")] {
        let set = fs::read_to_string(shipped(game)).expect("a set");
        let command = set.lines().nth(1).and_then(|line| line.strip_prefix("# collinear "));
        let mut words: Vec<&str> = command.expect("a command").split(' ').collect();
        let at = words.iter().position(|word| *word == "--games").expect("games");
        words[at + 1] = games;
        let output = run(&words, folder.path(), "2");
        let made = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines: Vec<&str> = made.lines().filter(|line| !line.starts_with('#')).collect();
        assert!(!lines.is_empty(), "{game}: {}", said(&output).1);
        for line in lines {
            assert!(set.lines().any(|known| known == line), "{game}: {line}");
        }
    }
}

#[test]
fn puzzles_of_a_file_of_games_and_of_no_other_game() {
    let folder = tempfile::tempdir().expect("a folder");
    // Black has a three with both ends free, and plays elsewhere.
    let game = "h8 a1 i8 c1 j8 e3 a15 g1 o1 g8\n";
    fs::write(folder.path().join("game.moves"), game).expect("written");
    let words = ["puzzles", "make", "--game", "gomoku", "--from", "game.moves"];
    let output = run(&words, folder.path(), "1");
    let set = read_set(&String::from_utf8_lossy(&output.stdout)).expect("a set");
    // Against the open three one turn holds, too; everybody sees that one.
    assert_eq!(set.len(), 1, "{}", said(&output).1);
    assert_eq!(set[0].goal, Goal::Win);
    assert_eq!((set[0].turns, set[0].position.stone_count()), (2, 8));
    let words = ["convert", "game.moves", "game.jsonl", "--game", "gomoku"];
    assert_eq!(said(&run(&words, folder.path(), "1")).0, Some(0));
    let words = ["puzzles", "make", "--game", "connect6", "--from", "game.jsonl"];
    let (code, words) = said(&run(&words, folder.path(), "1"));
    assert_eq!(code, Some(2), "{words}");
    assert!(words.contains("game.jsonl has no game of connect6"), "{words}");
}
