//! `collinear agents`, `book`, `play` and `tune` from the outside.

use std::fs;

use assert_cmd::Command;
use predicates::prelude::*;
use predicates::str::contains;
use serde_json::json;

fn collinear(arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("collinear").expect("the binary");
    command.args(arguments);
    command
}

fn output(arguments: &[&str]) -> String {
    let done = collinear(arguments).assert().success();
    String::from_utf8(done.get_output().stdout.clone()).expect("text")
}

#[test]
fn the_table_lists_every_agent_of_the_documents() {
    let table = output(&["agents"]);
    for name in [
        "random",
        "adjacent",
        "windows",
        "threats",
        "montecarlo",
        "sequences",
        "mesh",
        "book",
        "alicante",
        "genetic",
    ] {
        assert!(table.lines().any(|line| line.starts_with(name)), "{name} in\n{table}");
    }
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&output(&["agents", "--json"])).expect("json");
    assert!(rows.iter().all(|row| !row["source"].as_str().expect("text").is_empty()));
}

#[test]
fn one_agent_shows_its_options_and_wrong_names_are_refused() {
    let text = output(&["agents", "sequences"]);
    assert!(text.contains("defensive constant") && text.contains("0…20, default"), "{text}");
    collinear(&["agents", "sequenses"])
        .assert()
        .code(2)
        .stderr(contains("did you mean sequences?").and(contains("windows")));
    collinear(&["play", "--white", "sequences:dept=2"])
        .assert()
        .code(2)
        .stderr(contains("did you mean depth?"));
    collinear(&["play", "--white", "sequences:depth=900"])
        .assert()
        .code(2)
        .stderr(contains("1…64"));
    collinear(&["play", "--white", "perfect"]).assert().code(2).stderr(contains("does not play"));
}

#[test]
fn a_game_can_be_typed() {
    let mut game = collinear(&["play", "--game", "tictactoe", "--white", "windows", "--seed", "3"]);
    game.write_stdin("z9\nb2\nb2\nundo\nboard\nb2\nmoves\nblack\nwhite\nchains\nquit\n")
        .assert()
        .success()
        .stdout(
            contains("outside the 3x3 board")
                .and(contains("occupied"))
                .and(contains("white (windows) plays"))
                .and(contains("the game ends unfinished")),
        );
    // Nothing typed at all is the end of the game, not a hang.
    collinear(&["play"]).write_stdin("").assert().success();
    // Two agents need nobody; column letters are moves where stones fall.
    collinear(&["play", "--game", "connect4", "--black", "sequences", "--white", "windows"])
        .assert()
        .success()
        .stdout(contains("wins").or(contains("a draw")));
    collinear(&["play", "--game", "connect4", "--white", "adjacent"])
        .write_stdin("d\nd\n4\nquit\n")
        .assert()
        .success()
        .stdout(contains("1 . . . X").and(contains("white (adjacent) plays")));
}

#[test]
fn a_book_is_built_and_asked() {
    let folder = tempfile::tempdir().expect("a folder");
    let book = folder.path().join("my.book").display().to_string();
    let records = folder.path().join("played.jsonl").display().to_string();
    write_games(&records);
    let built = output(&["book", "build", &records, "--game", "9x9,k=5,p=2,q=1", "--out", &book]);
    assert!(built.contains("4 games"), "{built}");
    assert!(output(&["book", "info", &book]).contains("9x9,k=5,p=2,q=1"));
    let asked = output(&["book", "query", &book, "--moves", "e5", "--s", "2"]);
    assert!(asked.contains("document's rule (s = 2): ") && asked.contains("bound"), "{asked}");
    let json: serde_json::Value =
        serde_json::from_str(&output(&["book", "query", &book, "--moves", "e5", "--json"]))
            .expect("json");
    assert_eq!(json["turns"][0]["games"], 3, "{json}");

    collinear(&["book", "query", &book, "--moves", "e5 e5"])
        .assert()
        .code(2)
        .stderr(contains("occupied"));
    let bytes = fs::read(&book).expect("the book");
    let cut = folder.path().join("cut.book").display().to_string();
    fs::write(&cut, &bytes[..bytes.len() / 2]).expect("a writable folder");
    collinear(&["book", "info", &cut]).assert().code(2).stderr(contains("cut off"));
    collinear(&["play", "--white", &format!("book:file={book}")])
        .assert()
        .code(2)
        .stderr(contains("is for 9x9,k=5,p=2,q=1, not for 19x19"));
}

/// Four finished games in the native format, three of them the same up to symmetry.
fn write_games(file: &str) {
    let lines = [
        ("e5 f6 d4", "white"),
        ("e5 d6 f4", "white"),
        ("d4 e5 c3", "black"),
        ("e5 e6 e7", "black"),
    ];
    let games = lines.map(|(moves, result)| {
        let rules = "9x9,k=5,p=2,q=1";
        json!({"collinear": 2, "rules": rules, "moves": moves, "result": result}).to_string() + "\n"
    });
    fs::write(file, games.concat()).expect("a writable folder");
}

#[test]
fn tuning_stops_resumes_and_reports() {
    let folder = tempfile::tempdir().expect("a folder");
    let state = folder.path().join("c.json").display().to_string();
    let tune = [
        "tune",
        "sequences",
        "--param",
        "c=0.2..4",
        "--game",
        "7x7,k=4",
        "--population",
        "3",
        "--generations",
        "2",
        "--games",
        "4",
        "--verdict",
        "6",
        "--state",
        &state,
        "--json",
        "--quiet",
    ];
    let first: serde_json::Value = serde_json::from_str(&output(&tune)).expect("json");
    assert_eq!(first["history"].as_array().map(Vec::len), Some(2));
    assert!(first["verdict"]["tally"]["wins"].is_u64());
    // Done already: the kept state gives the same report without the games of the generations.
    let second: serde_json::Value = serde_json::from_str(&output(&tune)).expect("json");
    assert_eq!(first, second);
    let mut other = tune;
    other[3] = "c=0.2..5";
    collinear(&other).assert().code(2).stderr(contains("other settings"));
    other[3] = "d";
    collinear(&other).assert().code(2).stderr(contains("it has c, depth, width"));
    fs::write(&state, "{}").expect("a writable folder");
    collinear(&tune).assert().code(2).stderr(contains("is not the state of a tuning run"));
}

#[test]
fn spsa_is_interrupted_goes_on_and_writes_parameters_that_play() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str| folder.path().join(name).display().to_string();
    let tune = |out: &str, steps: &str| {
        let words = "tune sextant:memory=1 --game 7x7,k=5 --spsa search.lmr_* --games 2 --nodes 60 --seed 5 --quiet --steps";
        let mut words: Vec<String> = words.split(' ').map(str::to_owned).collect();
        words.extend([steps, "--out", out].map(str::to_owned));
        words
    };
    let run = |words: &[String]| output(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let (whole, other) = (file("whole.params"), file("other.params"));
    let said = run(&tune(&whole, "3"));
    let text = fs::read_to_string(&whole).expect("written");
    assert_eq!(said, text);
    assert!(text.contains("3 of 3 steps") && text.contains("\nsearch.lmr_factor = "), "{text}");
    // The state after the last step gives the same file without a game.
    fs::remove_file(&whole).expect("it was there");
    assert_eq!(run(&tune(&whole, "3")), text);
    assert_eq!(fs::read_to_string(&whole).expect("written again"), text);
    // The same seed gives the same file; other steps are another run.
    run(&tune(&other, "3"));
    assert_eq!(fs::read_to_string(&other).expect("written"), text);
    let words = tune(&other, "4");
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    collinear(&words).assert().code(2).stderr(contains("other settings"));
    let tuned = format!("sextant:memory=1,params={other}");
    let db = file("games.sqlite");
    let game = [
        "match",
        &tuned,
        "sextant:memory=1",
        "--game",
        "7x7,k=5",
        "--games",
        "2",
        "--nodes",
        "60",
        "--db",
        &db,
    ];
    collinear(&game).assert().success();
    assert!(output(&["tune", "sextant", "--list"]).contains("puct.cpuct"));
    let wrong = |name: &str, said: &str| {
        let out = file("none.params");
        let words = ["tune", "sextant", "--spsa", name, "--out", &out];
        collinear(&words).assert().code(2).stderr(contains(said));
    };
    wrong("search.brakes", "no such parameter");
    wrong("search.iir_depth=6..9", "hold 4");
    collinear(&["tune", "random", "--list"]).assert().code(2).stderr(contains("no parameters"));
}
