//! `collinear book make` as a person runs it, and the lists of games that the page ships.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use collinear_book::{Book, NAMED_OPENINGS};
use collinear_rules::{Position, Rules};

fn run(words: &[&str], folder: &Path, threads: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_collinear"));
    command.args(words).current_dir(folder).env("RAYON_NUM_THREADS", threads);
    command.output().expect("it starts")
}

fn shipped(game: &str) -> String {
    let file = format!("../../page/public/openings/{game}.txt");
    let path: PathBuf = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(path).expect("a list")
}

const GAMES: [&str; 4] = ["connect4", "gomoku", "renju", "connect6"];
/// The largest list, before it is packed.
const MOST_BYTES: usize = 60_000;

#[test]
fn a_list_is_the_same_on_any_number_of_threads_and_after_an_interruption() {
    let folder = tempfile::tempdir().expect("a folder");
    let make = |out: &str, threads: &str| {
        let words = ["book", "make", "--game", "connect4", "--games", "30", "-o", out];
        run(&words, folder.path(), threads).status.code()
    };
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    assert_eq!(make("one.txt", "1"), Some(0));
    assert_eq!(make("two.txt", "2"), Some(0));
    let list = read("one.txt");
    assert_eq!(read("two.txt"), list);
    assert_eq!(Book::of_games(&list).expect("a list").games(), 30);
    assert_eq!(make("one.txt", "1"), Some(2), "finished work is not written over");
    // The journal of a run that was killed: what it knows of a game is believed.
    let command = list.lines().nth(1).and_then(|line| line.strip_prefix("# ")).expect("a header");
    let journal =
        format!("{{\"openings\":\"{command}\"}}\n{{\"number\":3,\"line\":\"w d1\"}}\n{{\"num");
    fs::write(folder.path().join("again.txt.journal"), journal).expect("written");
    assert_eq!(make("again.txt", "2"), Some(0));
    let again = read("again.txt");
    let differ = again.lines().zip(list.lines()).filter(|(one, other)| one != other);
    assert_eq!(differ.map(|(line, _)| line).collect::<Vec<_>>(), ["w d1"]);
    assert!(!folder.path().join("again.txt.journal").exists());
}

#[test]
fn the_shipped_lists_are_books_and_every_named_opening_is_in_them() {
    for game in GAMES {
        let list = shipped(game);
        assert!(list.len() <= MOST_BYTES, "{game}: {}", list.len());
        let book = Book::of_games(&list).expect(game);
        assert!(book.games() >= 90, "{game}: {}", book.games());
        let rules: Rules = game.parse().expect(game);
        assert_eq!(*book.rules(), rules);
        for opening in NAMED_OPENINGS.iter().filter_map(|named| named.on(&rules)) {
            let games = book.tally(&opening).map_or(0, |tally| tally.games());
            assert!(games >= 4, "{game}: {} of {games}", opening.history().len());
        }
        assert!(!book.entries(&Position::new(rules)).is_empty(), "{game}");
    }
}

/// The first games of the command in the header of each shipped list, played again.
#[test]
fn the_shipped_lists_are_made_again_by_their_commands() {
    let folder = tempfile::tempdir().expect("a folder");
    for (game, games) in [("connect4", 40), ("gomoku", 1), ("renju", 3), ("connect6", 1)] {
        let list = shipped(game);
        let command = list.lines().nth(1).and_then(|line| line.strip_prefix("# collinear "));
        let mut words: Vec<&str> = command.expect("a command").split(' ').collect();
        let at = words.iter().position(|word| *word == "--games").expect("games");
        let wanted = games.to_string();
        words[at + 1] = &wanted;
        let output = run(&words, folder.path(), "2");
        let made = String::from_utf8_lossy(&output.stdout).into_owned();
        let lines = |text: &str| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
            lines.take(games).map(str::to_owned).collect()
        };
        assert_eq!(lines(&made).len(), games, "{}", String::from_utf8_lossy(&output.stderr));
        assert_eq!(lines(&made), lines(&list), "{game}");
    }
}
