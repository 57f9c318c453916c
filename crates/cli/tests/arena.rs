//! `match`, `tournament`, `experiment` and their relatives as a user runs them: what they print,
//! what they refuse, and that killing them loses nothing.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

fn collinear(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_collinear"));
    command.current_dir(folder.path()).args(args);
    command
}

fn run(folder: &TempDir, args: &[&str]) -> Output {
    collinear(folder, args).output().expect("the program starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

fn folder() -> TempDir {
    tempfile::tempdir().expect("a folder")
}

/// Runs, and must succeed.
fn good(folder: &TempDir, args: &[&str]) -> String {
    let output = run(folder, args);
    assert!(output.status.success(), "{args:?}: {}", stderr(&output));
    stdout(&output)
}

/// Runs, and must be refused with one line and exit code 2.
fn refused(folder: &TempDir, args: &[&str]) -> String {
    let output = run(folder, args);
    assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
    stderr(&output)
}

/// Every game of the latest run without what depends on the clock.
fn games(folder: &TempDir, db: &str) -> Vec<String> {
    let text = good(folder, &["export", "--db", db, "--format", "jsonl"]);
    let strip = |line: &str| {
        let mut game: Value = serde_json::from_str(line).expect("JSON");
        for key in ["sides", "turns"] {
            game.as_object_mut().expect("an object").remove(key);
        }
        game.to_string()
    };
    text.lines().map(strip).collect()
}

/// The last line of `--json`.
fn summary(text: &str) -> Value {
    serde_json::from_str(text.lines().last().expect("a line")).expect("JSON")
}

#[test]
fn a_match_is_summed_up() {
    let folder = folder();
    let args =
        ["match", "1ply_wineval", "random", "--game", "connect4", "--games", "60", "--db", "r"];
    let text = good(&folder, &args);
    for word in ["score", "of 60", "pairs", "Elo", "superiority", "first move", "endings"] {
        assert!(text.contains(word), "{word} is missing in {text}");
    }
    let again = run(&folder, &args);
    assert_eq!(stdout(&again).lines().next(), text.lines().next());
    assert!(stderr(&again).contains("60 games were played before, 0 left"), "{}", stderr(&again));
    assert!(stderr(&again).contains("--fresh or another --seed"));
}

#[test]
fn games_can_be_shown_and_are_summed_up_by_turns_and_time() {
    let folder = folder();
    let players = ["match", "2ply_fevala", "random", "--game", "connect4", "--games", "2"];
    let args = [&players[..], &["--db", "shown.sqlite", "--show"]].concat();
    let text = good(&folder, &args);
    let turns: Vec<_> = text.lines().filter(|line| line.starts_with("2ply_fevala: ")).collect();
    // One board after each turn of either player.
    let boards = text.matches("   a b c d e f g\n").count();
    let all = text.lines().filter(|line| line.starts_with("random: ")).count() + turns.len();
    assert!(boards == all && all >= 14, "{text}");
    assert_eq!(text.matches("\ngame ").count() + 1, 2, "{text}");
    let in_all = format!("in all      2ply_fevala: {} turns in ", turns.len());
    assert!(text.contains(&in_all), "{text}");
    assert!(refused(&folder, &[&args[..], &["--json"]].concat()).contains("--show"));
}

#[test]
fn a_sequential_test_stops_early_with_a_verdict() {
    let folder = folder();
    let args = [
        "match",
        "2ply_wineval",
        "random",
        "--game",
        "connect4",
        "--games",
        "5000",
        "--sprt",
        "0,50",
        "--db",
        "r",
    ];
    let text = good(&folder, &args);
    assert!(text.contains("H1 accepted: 50 or more"), "{text}");
    let reversed = [
        "match",
        "random",
        "2ply_wineval",
        "--game",
        "connect4",
        "--games",
        "5000",
        "--sprt",
        "0,50",
        "--json",
        "--db",
        "r",
    ];
    let end = summary(&good(&folder, &reversed));
    assert_eq!(end["sprt"]["verdict"], "accept-h0");
    assert_eq!(end["ended"], "decided");
    assert!(end["games"].as_u64().expect("a number") < 500);
}

#[test]
fn one_worker_and_two_play_the_same_games() {
    let folder = folder();
    for (db, workers) in [("one", "1"), ("two", "2")] {
        good(
            &folder,
            &[
                "tournament",
                "random",
                "1ply_wineval",
                "2ply_fevala",
                "--game",
                "connect4",
                "--games",
                "30",
                "--openings",
                "random:4",
                "-j",
                workers,
                "--db",
                db,
                "--seed",
                "7",
            ],
        );
    }
    assert_eq!(games(&folder, "one"), games(&folder, "two"));
    assert_eq!(games(&folder, "one").len(), 90);
}

const CUP: [&str; 9] = [
    "tournament",
    "random",
    "1ply_wineval",
    "3ply_fevala",
    "4ply_fevala",
    "--game",
    "connect4",
    "--games",
    "100",
];

/// How many games are heard of before each kill.
const AFTER: [usize; 5] = [3, 17, 1, 40, 8];

/// Games go on while a kill is on its way, so one tournament serves a few kills; the next one begins
/// anew.
#[test]
fn killing_it_loses_no_game_and_plays_none_twice() {
    let folder = folder();
    let calm = summary(&good(&folder, &[&CUP[..], &["--db", "calm", "--json"]].concat()));
    let (calm_games, total) = (games(&folder, "calm"), calm["games"].as_u64().expect("a number"));
    let (mut kills, mut all_reported) = (0, 0);
    for round in 0.. {
        let db = format!("killed{round}");
        let run = [&CUP[..], &["--db", &db, "--json"]].concat();
        let (mut reported, killed_before) = (0, kills);
        while kills < AFTER.len() {
            let mut child = collinear(&folder, &[&run[..], &["-j", "2"]].concat())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .expect("the program starts");
            let lines = BufReader::new(child.stdout.take().expect("a pipe")).lines();
            let heard = lines.take(AFTER[kills]).flatten().count();
            // SIGKILL on Unix: no handler runs, nothing is flushed.
            child.kill().expect("killed");
            child.wait().expect("gone");
            reported += heard as u64;
            if heard < AFTER[kills] {
                break;
            }
            kills += 1;
        }
        let end = summary(&good(&folder, &run));
        assert_eq!(end["games"], total);
        let now = end["played_now"].as_u64().expect("a number");
        assert!(now <= total.saturating_sub(reported), "kills lost games");
        assert_eq!(games(&folder, &db), calm_games);
        for player in 0..4 {
            let of = |value: &Value| value["standings"]["players"][player]["rating"].clone();
            assert_eq!(of(&end), of(&calm));
        }
        all_reported += reported;
        if kills >= AFTER.len() {
            eprintln!("{kills} kills, {all_reported} games heard of, none lost, none twice");
            return;
        }
        assert!(kills > killed_before, "the games are too quick to be killed");
    }
}

#[test]
fn shards_are_merged() {
    let folder = folder();
    let cup: Vec<&str> = [&CUP[..7], &["--games", "10"]].concat();
    good(&folder, &[&cup[..], &["--db", "whole"]].concat());
    for part in ["1/3", "2/3", "3/3"] {
        good(
            &folder,
            &[&cup[..], &["--shard", part, "--db", &format!("part{}", &part[..1])]].concat(),
        );
    }
    let text = good(&folder, &["merge", "all", "part1", "part2", "part3"]);
    assert_eq!(text.lines().count(), 3);
    assert!(text.contains("part1: 1 new runs, 20 new games, 0 already known"), "{text}");
    assert_eq!(games(&folder, "all"), games(&folder, "whole"));
    let end = summary(&good(&folder, &[&cup[..], &["--db", "all", "--json"]].concat()));
    assert_eq!((&end["played_now"], &end["games"]), (&Value::from(0), &Value::from(60)));
}

#[test]
fn tournaments_come_from_files_and_leave_a_page() {
    let folder = folder();
    let cup = folder.path().join("cup.toml");
    fs::write(&cup, "game = \"connect4\"\ngames = 4\nformat = \"gauntlet\"\nagents = [\"2ply_fevala\", \"random\", \"random\"]\n").expect("written");
    let text = good(&folder, &["tournament", "cup.toml", "--db", "r"]);
    assert!(text.contains("random #2"), "{text}");
    let report = only_folder(&folder.path().join("reports"));
    let html = fs::read_to_string(report.join("report.html")).expect("a page");
    assert!(html.contains("random #2") && html.contains("Bradley–Terry") && html.contains("<svg"));
    for (file, words) in [("data.csv", "random #2"), ("ratings.svg", "Elo above the mean")] {
        let text = fs::read_to_string(report.join(file)).expect(file);
        assert!(text.contains(words), "{text}");
    }

    fs::write(&cup, "game = \"connect4\"\ngames = 4\nagents = [\"randm\", \"random\"]\n")
        .expect("written");
    let words = refused(&folder, &["tournament", "cup.toml", "--db", "r"]);
    assert!(
        words.contains("cup.toml, line 3") && words.contains("did you mean random?"),
        "{words}"
    );
    assert_eq!(words.lines().count(), 1, "{words}");
}

fn only_folder(folder: &Path) -> PathBuf {
    let mut inside = fs::read_dir(folder).expect("a folder").map(|e| e.expect("an entry").path());
    let first = inside.next().expect("a folder");
    assert_eq!(inside.next(), None);
    first
}

#[test]
fn experiments_make_tables_pictures_and_a_page() {
    let folder = folder();
    let file = folder.path().join("deeper.toml");
    fs::write(
        &file,
        r#"
title = "Deeper"
question = "Does it win?"
game = "connect4"
games = 40
printed-games = 1000
[players]
random = { agent = "random", value = 0 }
one = { agent = "1ply_wineval", value = 1 }
two = { agent = "2ply_wineval", value = 2 }
[[cells]]
x = "one"
o = "random"
printed = 754
[[cells]]
x = "two"
o = "random"
printed = 942
[[cells]]
x = "two"
o = "one"
printed = 110.5
[[plots]]
kind = "score-by-difference"
axis = "plies"
"#,
    )
    .expect("written");
    let text = good(&folder, &["experiment", "run", "deeper.toml", "--db", "r", "--out", "out"]);
    assert!(text.contains("|z| ≤ 3 in 2 of 3 cells"), "{text}");
    assert!(text.contains("two – one"), "the cell that is off is named: {text}");
    let again =
        good(&folder, &["experiment", "report", "deeper.toml", "--db", "r", "--out", "again"]);
    assert_eq!(again, text);
    let csv = fs::read_to_string(folder.path().join("out/deeper/data.csv")).expect("data");
    assert_eq!(csv.lines().count(), 4);
    let svg = fs::read_to_string(folder.path().join("out/deeper/deeper-1.svg")).expect("a picture");
    assert!(svg.contains("logistic fit"));
    let html = fs::read_to_string(folder.path().join("out/deeper/report.html")).expect("a page");
    assert!(html.contains("<svg") && html.contains("Does it win?"));
    // Played in parts and merged, it finds the same.
    for (shard, part) in [("1/2", "one"), ("2/2", "two")] {
        let args = ["experiment", "run", "deeper.toml", "--shard", shard, "--db", part, "--quiet"];
        assert_eq!(good(&folder, &args), "", "a part makes no report");
    }
    good(&folder, &["merge", "both", "one", "two"]);
    good(&folder, &["experiment", "report", "deeper.toml", "--db", "both", "--out", "parts"]);
    let scores = |folder_name: &str| {
        let file = folder.path().join(folder_name).join("deeper/data.csv");
        let csv = fs::read_to_string(file).expect("data");
        let first = |line: &str| line.split(',').take(8).collect::<Vec<_>>().join(",");
        csv.lines().map(first).collect::<Vec<_>>()
    };
    assert_eq!(scores("parts"), scores("out"));
}

#[test]
fn studies_hear_the_number_of_games_and_keep_quiet() {
    let folder = folder();
    let names = ["feval-regression", "threat-counters"];
    let run_both = |action: &str, games: &str| {
        let args = ["experiment", action, names[0], names[1]];
        run(&folder, &[&args[..], &["--games", games, "--quiet", "--db", "r"]].concat())
    };
    let output = run_both("run", "8");
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stderr(&output), "");
    assert!(stdout(&output).contains("48 games of 3ply_fevala"), "{}", stdout(&output));
    assert_eq!(stdout(&run_both("report", "8")), stdout(&output));
    for report in [names[0], names[1], "feval-regression-threat-counters"] {
        let page = folder.path().join(format!("reports/{report}/report.html"));
        assert!(page.is_file(), "{}", page.display());
    }
    // Six cells of teaching games, and the fitted players at five depths against three rivals.
    let runs = good(&folder, &["export", "--list", "--json", "--db", "r"]);
    let runs: Vec<Value> =
        runs.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let sum = |key: &str| runs.iter().map(|run| run[key].as_u64().expect(key)).sum::<u64>();
    assert_eq!((runs.len(), sum("planned"), sum("games")), (21, 168, 168));
    assert!(runs.iter().all(|run| run["ended"] == "complete"));
}

#[test]
fn every_embedded_experiment_can_be_read() {
    let text = good(&folder(), &["experiment", "list", "--json"]);
    let embedded = fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../../experiments"))
        .expect("a folder")
        .flatten()
        // The atlas is a list of games for `collinear prove`.
        .filter(|file| file.path().extension().is_some() && file.file_name() != "atlas.toml")
        .count();
    assert_eq!(text.lines().count(), embedded, "{text}");
}

#[test]
fn openings_are_quiet_different_and_usable() {
    let folder = folder();
    let args = [
        "openings",
        "--game",
        "gomoku",
        "--stones",
        "4",
        "-n",
        "12",
        "--judge",
        "none",
        "--play-out",
        "none",
        "-o",
        "o.txt",
    ];
    good(&folder, &args);
    let text = fs::read_to_string(folder.path().join("o.txt")).expect("a file");
    let mut lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 12);
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 12);
    good(
        &folder,
        &[
            "match",
            "random",
            "random",
            "--game",
            "gomoku",
            "--openings",
            "o.txt",
            "-n",
            "8",
            "--db",
            "r",
        ],
    );
    assert!(games(&folder, "r").iter().all(|game| game.contains("\"opening\":4")));
}

#[test]
fn exports_know_their_formats() {
    let folder = folder();
    good(&folder, &["match", "random", "random", "--game", "gomoku", "-n", "4", "--db", "r"]);
    good(&folder, &["export", "--db", "r", "-o", "games.sgf"]);
    let sgf = fs::read_to_string(folder.path().join("games.sgf")).expect("a file");
    assert_eq!(sgf.matches("PB[random").count(), 4);
    let csv = good(&folder, &["export", "last", "--db", "r", "--format", "csv"]);
    assert_eq!(csv.lines().count(), 5);
    assert!(good(&folder, &["export", "--list", "--db", "r"]).contains("4 games"));
}

#[test]
fn what_export_writes_convert_reads_with_its_times() {
    let folder = folder();
    let duel = ["match", "1ply_wineval", "random", "--game", "connect4", "-n", "4", "--db", "r"];
    good(&folder, &duel);
    good(&folder, &["export", "--db", "r", "-o", "games.jsonl"]);
    good(&folder, &["export", "--db", "r", "-o", "direct.sgf"]);
    good(&folder, &["convert", "games.jsonl", "converted.sgf"]);
    for file in ["direct.sgf", "converted.sgf"] {
        let sgf = fs::read_to_string(folder.path().join(file)).expect("a file");
        assert_eq!(sgf.matches("PB[").count(), 4, "{sgf}");
        assert!(sgf.contains("XMS["), "{sgf}");
    }
}

#[test]
fn games_that_repeat_each_other_are_no_evidence() {
    let folder = folder();
    let duel = ["match", "kate", "kate", "--game", "connect4", "--depth", "1", "-n", "20"];
    let text = good(&folder, &[&duel[..], &["--db", "r"]].concat());
    assert!(text.contains("1 of 10 pairs") && text.contains("--openings random:4"), "{text}");
    let json = good(&folder, &[&duel[..], &["--db", "r", "--json", "-q"]].concat());
    let last = summary(&json);
    assert_eq!(last["distinct"], 1);
    // One pair is two games: no score can be known better than that.
    let wilson = |end: &str| last["wilson"][end].as_f64().expect("a number");
    assert!(wilson("high") - wilson("low") > 0.5, "{last}");
}

#[test]
fn damage_is_named() {
    let folder = folder();
    let duel = ["match", "random", "random", "--game", "tictactoe", "-n", "4", "--db", "r"];
    good(&folder, &duel);
    // A page in the middle that is nothing but ones.
    let file = folder.path().join("r");
    let mut bytes = fs::read(&file).expect("read");
    let (page, pages) = (4096, bytes.len() / 4096);
    for at in (2..pages).map(|n| n * page) {
        bytes[at..at + page].fill(1);
    }
    fs::write(&file, bytes).expect("written");
    let output = run(&folder, &["export", "--db", "r"]);
    assert_eq!(output.status.code(), Some(1), "{}", stderr(&output));
    assert!(stderr(&output).contains("damaged"), "{}", stderr(&output));
}

#[test]
fn bad_input_is_refused_with_a_reason() {
    let folder = folder();
    fs::write(folder.path().join("text"), "not a database, whatever the name may say")
        .expect("written");
    fs::write(folder.path().join("o.txt"), "j10 k10\nj10 j10\n").expect("written");
    let duel = ["match", "random", "random", "--game", "gomoku", "-n", "2"];
    // The words are right, the disk is not: no wrong use, but a failure.
    let output = run(&folder, &[&duel[..], &["--db", "text/below"]].concat());
    assert_eq!(output.status.code(), Some(1));
    assert!(stderr(&output).contains("cannot be made"), "{}", stderr(&output));
    for (more, words) in [
        (vec!["--db", "r", "--openings", "o.txt"], "o.txt: line 2: j10: the cell is occupied"),
        (
            vec!["--db", "r", "--openings", "nowhere.txt"],
            "neither empty, random:K, balanced, balanced:K, nor a file",
        ),
        (vec!["--db", "r", "--openings", "random:224"], "try fewer stones"),
        (vec!["--db", "r", "--sprt", "5"], "two Elo differences"),
        (vec!["--db", "r", "--sprt", "5,1"], "the smaller first"),
        (vec!["--db", "r", "--sprt", "0,5", "--shard", "1/2"], "cannot be sharded"),
        (vec!["--db", "r", "--shard", "3/2"], "from 1/8 to 8/8"),
        (vec!["--db", "r", "--time", "soon"], "500ms"),
    ] {
        let error = refused(&folder, &[&duel[..], &more].concat());
        assert!(error.contains(words), "{more:?}: {error}");
    }
    let damaged = run(&folder, &[&duel[..], &["--db", "text"]].concat());
    assert_eq!(damaged.status.code(), Some(1), "{}", stderr(&damaged));
    assert!(stderr(&damaged).contains("damaged or not a file of results"));
    for (args, words) in [
        (vec!["match", "rndom", "random", "--db", "r"], "did you mean random?"),
        (vec!["match", "random@speed=3", "random", "--db", "r"], "known are turn=TIME"),
        (vec!["match", "kate", "random", "--game", "connect6", "--db", "r"], "does not play"),
        (vec!["match", "random", "random", "--game", "7x6,k=9", "--db", "r"], "does not fit"),
        (vec!["match", "random", "random", "-n", "0", "--db", "r"], "out of range"),
        (vec!["tournament", "random", "--db", "r"], "at least two"),
        (vec!["experiment", "run", "nothing", "--db", "r"], "there is no experiment"),
        (vec!["experiment", "run", "threat-counters", "--shard", "1/2"], "played whole"),
        (vec!["experiment", "report", "karplus-1", "--shard", "1/2"], "of all games"),
        (vec!["export", "--db", "none"], "there is no file of results"),
        (vec!["merge", "into", "none"], "there is no file of results"),
    ] {
        let error = refused(&folder, &args);
        assert!(error.contains(words), "{args:?}: {error}");
    }
}

/// A judge that is a program of its own: even is what ends with a stone on column h, and `said` is what
/// it says of a position whose last stone is on column `$x`, counted from 0.
#[cfg(unix)]
fn judge(folder: &TempDir, said: &str) -> String {
    let script = format!(
        "echo start >> \"$(dirname \"$0\")/started\"\n\
         while IFS=' ,' read -r word rest; do\n\
           case \"$word\" in\n\
             START) echo OK;;\n\
             DONE) {said}; echo 0,0;;\n\
             END) exit 0;;\n\
             [0-9]*) x=$word;;\n\
           esac\n\
         done\n"
    );
    let file = folder.path().join("judge.sh");
    fs::write(&file, script).expect("written");
    format!("external:cmd='sh \"{}\"',protocol=gomocup@5s", file.display())
}

#[cfg(unix)]
#[test]
fn a_program_of_somebody_else_judges_openings() {
    let folder = folder();
    let judge =
        judge(&folder, "echo \"MESSAGE Depth 3-9 | Eval $(( x * 500 - 3500 )) | Time 1ms\"");
    let args = ["openings", "--game", "gomoku", "--stones", "3", "-n", "4", "--play-out", "none"];
    good(&folder, &[&args[..], &["--judge", &judge, "-o", "o.txt"]].concat());
    let text = fs::read_to_string(folder.path().join("o.txt")).expect("a file");
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 4, "{text}");
    for line in lines {
        let (stones, chance) = line.split_once("  # ").expect("a chance");
        assert!(stones.split(' ').next_back().is_some_and(|last| last.starts_with('h')), "{line}");
        assert_eq!(chance, "0.50", "{line}");
    }
    // One process serves many candidates.
    let started =
        fs::read_to_string(folder.path().join("started")).expect("it ran").lines().count();
    assert!(
        started <= 1 + std::thread::available_parallelism().map_or(1, usize::from),
        "{started}"
    );
    for said in [":", "echo MESSAGE loading", "echo 'MESSAGE Eval VAL_NONE'"] {
        let judge = self::judge(&folder, said);
        let words = refused(&folder, &[&args[..], &["--judge", &judge]].concat());
        assert!(words.contains("says nothing of how a position stands"), "{said}: {words}");
    }
}

#[test]
fn ratings_are_put_on_the_scale_of_anchors() {
    let folder = folder();
    let file = "title = \"t\"\nquestion = \"q\"\ngame = \"tictactoe\"\ngames = 8\nratings = true\n\
                [players.a]\nagent = \"random\"\n[players.b]\nagent = \"sequences\"\n\
                [[cells]]\nx = \"a\"\no = \"b\"\n";
    fs::write(folder.path().join("g.toml"), file).expect("written");
    let run = |action: &str, more: &[&str]| {
        run(&folder, &[&["experiment", action, "g.toml", "--db", "r.sqlite", "-q"], more].concat())
    };
    let free = run("run", &[]);
    assert!(stdout(&free).contains("Elo above the mean of all"), "{}", stderr(&free));
    let anchored = stdout(&run("report", &["--anchor", "a=1000"]));
    assert!(anchored.contains("given") && anchored.contains("1000"), "{anchored}");
    for (anchor, words) in [
        ("c=3", "players: a, b"),
        ("a", "such as rapfi=2283"),
        ("a=nan", "an anchor is a rating"),
        ("a=1e9", "an anchor is a rating"),
    ] {
        let refused = run("report", &["--anchor", anchor]);
        assert_eq!(refused.status.code(), Some(2), "{anchor}");
        assert!(stderr(&refused).contains(words), "{anchor}: {}", stderr(&refused));
    }
}

#[test]
fn a_search_for_openings_goes_on_where_it_was() {
    let folder = folder();
    let make = |file: &'static str| {
        [
            "openings",
            "--game",
            "5x5,k=4",
            "--stones",
            "2",
            "-n",
            "6",
            "--judge",
            "none",
            "--play-out",
            "sequences@depth=1",
            "--games",
            "2",
            "-o",
            file,
        ]
    };
    let path = |name: &str| folder.path().join(name);
    good(&folder, &make("whole.txt"));
    let whole = fs::read_to_string(path("whole.txt")).expect("a file");
    assert!(!path("whole.txt.journal").exists());
    // The journal of a search that was killed: what it knows of a candidate is believed.
    let purpose = whole.lines().next().and_then(|line| line.strip_prefix("# ")).expect("a header");
    let purpose = purpose.strip_suffix(" --count 6").expect("the count last");
    let tally = r#"{"number":0,"tally":{"black":2,"white":0,"drawn":0}}"#;
    let cut_off = format!("{{\"openings\":\"{purpose}\"}}\n{tally}\n{{\"num");
    fs::write(path("again.txt.journal"), cut_off).expect("written");
    good(&folder, &make("again.txt"));
    assert_eq!(fs::read_to_string(path("again.txt")).expect("a file").lines().count(), 7);
    fs::write(path("other.txt.journal"), "{\"openings\":\"x\"}\n").expect("written");
    assert!(refused(&folder, &make("other.txt")).contains("another search"));
}
