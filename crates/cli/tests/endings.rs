//! How commands end: finished work is not written over, an interrupted run says so and goes on
//! later, a standard error that is full changes nothing.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use assert_cmd::assert::Assert;
use predicates::prelude::*;
use predicates::str::contains;
use tempfile::TempDir;

fn command(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_collinear"));
    command.current_dir(folder.path()).args(args);
    command
}

fn collinear(folder: &TempDir, args: &[&str]) -> Assert {
    let output = command(folder, args).output().expect("the program starts");
    Assert::new(output)
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Starts, waits until `ready` is there, and presses Ctrl-C. Returns the exit code.
#[cfg(unix)]
fn interrupted(folder: &TempDir, args: &[&str], ready: &dyn Fn(&Path) -> bool) -> Option<i32> {
    let mut child = command(folder, args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !ready(folder.path()) && child.try_wait().expect("a state").is_none() {
        std::thread::sleep(Duration::from_millis(5));
    }
    let id = child.id().to_string();
    Command::new("kill").args(["-INT", &id]).status().expect("kill is there");
    child.wait().expect("it ends").code()
}

#[test]
fn no_command_writes_over_finished_work_unless_asked_to() {
    let folder = folder();
    fs::write(folder.path().join("game.moves"), "a1 b1 a2 b2 a3\n").expect("written");
    collinear(
        &folder,
        &["fit", "games", "9x9,k=5", "--games", "4", "--nodes", "5", "--out", "g.sxg"],
    )
    .success();
    collinear(&folder, &["match", "random", "random", "-n", "2", "-g", "tictactoe", "--db", "db"])
        .success();
    let ttt = ["--game", "tictactoe"];
    let commands: [&[&str]; 7] = [
        &["book", "build", "game.moves", ttt[0], ttt[1], "--out", "out"],
        &[
            "openings",
            "--stones",
            "3",
            "-n",
            "2",
            "--judge",
            "none",
            "--play-out",
            "none",
            "--out",
            "out",
        ],
        &["export", "--db", "db", "--format", "sgf", "--out", "out"],
        &["convert", "game.moves", "out", "--to", "sgf", ttt[0], ttt[1]],
        &["analyze", "game.moves", ttt[0], ttt[1], "--nodes", "10", "--sgf", "out"],
        &["solve", "--game", "4x3,k=3,gravity", "--make-book", "--depth", "2", "--out", "out"],
        &["fit", "weights", "g.sxg", "--epochs", "1", "--out", "out"],
    ];
    let out = folder.path().join("out");
    for args in commands {
        fs::write(&out, "years of work").expect("written");
        collinear(&folder, args).code(2).stderr(contains("out already exists: --fresh"));
        assert_eq!(fs::read(&out).expect("read"), b"years of work", "{args:?}");
        collinear(&folder, &[args, &["--fresh"]].concat()).success();
        assert_ne!(fs::read(&out).expect("read"), b"years of work", "{args:?}");
        // An empty file, as mktemp makes it, is nothing to lose.
        fs::write(&out, "").expect("written");
        collinear(&folder, args).success();
        assert!(fs::metadata(&out).expect("there").len() > 0, "{args:?}");
        fs::remove_file(&out).expect("removed");
        let mut elsewhere = args.to_vec();
        let at = elsewhere.iter().position(|&arg| arg == "out").expect("it names the file");
        elsewhere[at] = "nowhere/out";
        collinear(&folder, &elsewhere).code(2).stderr(contains("there is no folder nowhere"));
    }
    let left = fs::read_dir(folder.path()).expect("listed").flatten();
    let drafts: Vec<_> = left
        .map(|entry| entry.file_name())
        .filter(|n| n.to_string_lossy().contains("part"))
        .collect();
    assert!(drafts.is_empty(), "{drafts:?}");
}

#[test]
fn a_report_takes_the_place_of_none_but_its_own() {
    let folder = folder();
    let cup: &[&str] = &["tournament", "random", "random", "-g", "tictactoe", "-n", "2"];
    let toml = "title = \"A\"\nquestion = \"B\"\ngame = \"tictactoe\"\ngames = 2\n\
                [players]\na = { agent = \"random\" }\n[[cells]]\nx = \"a\"\no = \"a\"\n";
    fs::write(folder.path().join("mine.toml"), toml).expect("written");
    let mine: &[&str] = &["experiment", "run", "mine.toml"];
    for args in [cup, mine] {
        let with = |more: &[&str]| {
            collinear(
                &folder,
                &[args, &["--quiet", "--db", "db", "--out", "reports"], more].concat(),
            )
        };
        with(&[]).success();
        let inside = fs::read_dir(folder.path().join("reports")).expect("listed").flatten();
        let report = inside.map(|entry| entry.path()).next().expect("a report");
        // The very same run again.
        with(&[]).success();
        fs::write(report.join("report.json"), "{}").expect("written");
        fs::write(report.join("data.csv"), "years of work").expect("written");
        let games =
            fs::metadata(folder.path().join("db")).expect("there").modified().expect("a time");
        with(&[]).code(2).stderr(contains("already exists: --fresh replaces it"));
        assert_eq!(fs::read(report.join("data.csv")).expect("read"), b"years of work");
        let after =
            fs::metadata(folder.path().join("db")).expect("there").modified().expect("a time");
        assert_eq!(games, after, "refused before anything is played");
        with(&["--fresh"]).success();
        assert_ne!(fs::read(report.join("data.csv")).expect("read"), b"years of work");
        fs::remove_dir_all(folder.path().join("reports")).expect("removed");
        fs::write(folder.path().join("reports"), "a file").expect("written");
        with(&["--fresh"]).code(2).stderr(contains("reports is a file: name a folder"));
        fs::remove_file(folder.path().join("reports")).expect("removed");
    }
    // Fewer games are another report.
    let games =
        |n| collinear(&folder, &[mine, &["--db", "db", "--out", "n", "--games", n]].concat());
    games("4").success();
    games("2").code(2).stderr(contains("n/mine already exists"));
}

#[test]
fn games_for_fitting_are_never_lost_to_a_second_run() {
    let folder = folder();
    let fit = |more: &[&str]| {
        let args = ["fit", "games", "9x9,k=5", "--nodes", "20", "--threads", "1", "--out", "g.sxg"];
        collinear(&folder, &[&args, more].concat())
    };
    let file = folder.path().join("g.sxg");
    fit(&["--games", "40"]).success();
    let whole = fs::read(&file).expect("written");
    fit(&["--games", "3"]).success().stdout(contains("40 games"));
    assert_eq!(fs::read(&file).expect("read"), whole);
    fit(&["--games", "40", "--seed", "9"]).code(2).stderr(contains("--fresh"));
    assert_eq!(fs::read(&file).expect("read"), whole);
    // A shorter run that is continued has the same games as one that was not interrupted.
    fit(&["--games", "33", "--fresh"]).success().stdout(contains("33 games"));
    assert!(fs::read(&file).expect("read").len() < whole.len());
    fit(&["--games", "40"]).success().stdout(contains("40 games"));
    assert_eq!(fs::read(&file).expect("read"), whole);
}

#[test]
fn damaged_games_are_never_lost_silently() {
    let folder = folder();
    let games = ["9x9,k=5", "--threads", "1", "--games", "3"];
    let few = ["--visits", "2", "--quick-visits", "1"];
    let net = [&["fit", "net-games", "--out", "n.sxg"], &games[..], &few].concat();
    let plain = [&["fit", "games", "--nodes", "20", "--out", "g.sxg"], &games[..]].concat();
    let settle = ["fit", "settle", "n.sxg", "--nodes", "50", "--threads", "1", "--out", "s.sxg"];
    let uses = |file| {
        [
            vec!["fit", "positions", file, "--out", "p.sxp"],
            vec!["fit", "weights", file, "--out", "w.sxw"],
            vec!["fit", "settle", file, "--out", "other.sxg"],
        ]
    };
    for (file, make) in [("n.sxg", &net[..]), ("g.sxg", &plain), ("s.sxg", &settle)] {
        collinear(&folder, make).success();
        let path = folder.path().join(file);
        let whole = fs::read(&path).expect("written");
        // One bit in the middle: nobody reads it, nobody goes on, nothing is cut.
        let mut changed = whole.clone();
        changed[whole.len() / 2] ^= 8;
        fs::write(&path, &changed).expect("written");
        collinear(&folder, make).code(2).stderr(contains("is damaged").and(contains(file)));
        for command in uses(file) {
            collinear(&folder, &command).code(2).stderr(contains("is damaged"));
        }
        assert_eq!(fs::read(&path).expect("read"), changed);
        // A torn end is kept beside the file, and its game is played again.
        fs::write(&path, &whole[..whole.len() - 5]).expect("written");
        collinear(&folder, make).success().stderr(contains("not finished"));
        assert_eq!(fs::read(&path).expect("read"), whole, "{file}");
        let torn = fs::read(folder.path().join(format!("{file}.torn-1"))).expect("kept");
        assert!(whole[..whole.len() - 5].ends_with(&torn) && !torn.is_empty());
    }
    // Other settings are refused with their names.
    for (name, value, said) in [
        ("--seed", "2", "seed 1, not 2"),
        ("--visits", "3", "visits 2, not 3"),
        ("--wander", "7", "wander 48, not 7"),
    ] {
        let mut other = net.clone();
        match other.iter().position(|word| *word == name) {
            Some(at) => other[at + 1] = value,
            None => other.extend([name, value]),
        }
        collinear(&folder, &other).code(2).stderr(contains(said).and(contains("--fresh")));
    }
}

#[cfg(unix)]
#[test]
fn interrupted_runs_exit_with_130_and_go_on_later() {
    let folder = folder();
    let cup = ["match", "random", "random", "-g", "gomoku", "-n", "1000000"];
    let cup = [&cup[..], &["--db", "db"]].concat();
    // The first games are there: the program listens.
    let begun =
        |folder: &Path| fs::metadata(folder.join("db-wal")).is_ok_and(|it| it.len() > 100_000);
    assert_eq!(interrupted(&folder, &cup, &begun), Some(130));
    let fit = ["fit", "games", "connect6", "--games", "100000", "--nodes", "50", "--out", "g.sxg"];
    let batch = |folder: &Path| fs::metadata(folder.join("g.sxg")).is_ok_and(|it| it.len() > 2000);
    assert_eq!(interrupted(&folder, &fit, &batch), Some(130));
    let games = fs::metadata(folder.path().join("g.sxg")).expect("kept").len();
    assert!(games > 1000, "{games} bytes");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_standard_error_changes_nothing() {
    let folder = folder();
    let code = |args: &[&str]| {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
        let mut command = command(&folder, args);
        command.stdout(Stdio::null()).stderr(full).status().expect("it runs").code()
    };
    let cup = ["match", "random", "random", "-g", "tictactoe", "-n", "4", "--db", "db"];
    assert_eq!(code(&cup), Some(0));
    assert_eq!(code(&cup), Some(0), "with games played before");
    assert_eq!(code(&["match", "random", "nobody"]), Some(2));
    assert_eq!(code(&["export", "--db", "missing"]), Some(2));
    assert_eq!(code(&["no-such-command"]), Some(2));
    fs::write(folder.path().join("a.moves"), "a1 b1\n").expect("written");
    assert_eq!(code(&["convert", "a.moves", "a.sgf", "--game", "tictactoe"]), Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_failure_and_a_wrong_name_is_wrong_use() {
    let folder = folder();
    let openings =
        ["openings", "--stones", "3", "-n", "2", "--judge", "none", "--play-out", "none", "--out"];
    collinear(&folder, &[&openings[..], &["/dev/full"]].concat())
        .code(1)
        .stderr(contains("error: /dev/full cannot be written"));
    collinear(&folder, &["threats", "missing.sgf"]).code(2).stderr(contains("error: missing.sgf"));
}
