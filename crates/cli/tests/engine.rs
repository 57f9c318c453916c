//! Engines and hosts as processes: pipes, matches between protocols, bridges, the compliance test,
//! and the Python engine of the documentation.

use std::fs;
use std::io::{BufRead, BufReader, Lines, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Stdio};
use std::time::Duration;

use assert_cmd::Command;
use assert_cmd::cargo::cargo_bin;
use predicates::prelude::*;

fn collinear(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("collinear").expect("built");
    command.args(args).timeout(Duration::from_secs(120));
    command
}

/// The command line of an engine of ours.
fn engine(protocol: &str, agent: &str) -> String {
    let program = cargo_bin("collinear");
    format!("{} engine --protocol {protocol} --agent {agent}", program.display())
}

/// A session with the program, whose input stays open while it answers.
struct Session {
    child: std::process::Child,
    input: Option<std::process::ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Session {
    fn open(args: &[&str]) -> Self {
        Self::start(&cargo_bin("collinear"), args)
    }

    fn start(program: &Path, args: &[&str]) -> Self {
        let mut command = std::process::Command::new(program);
        let mut child = command
            .args(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let lines = BufReader::new(child.stdout.take().expect("piped")).lines();
        Self { input: child.stdin.take(), child, lines }
    }

    fn say(&mut self, text: &str) {
        let input = self.input.as_mut().expect("open");
        input.write_all(text.as_bytes()).expect("it listens");
    }

    /// The next line.
    fn hear(&mut self) -> String {
        self.lines.next().expect("a line").expect("text")
    }

    /// The next line that begins so.
    fn hear_of(&mut self, word: &str) -> String {
        loop {
            let line = self.hear();
            if line.starts_with(word) {
                return line;
            }
        }
    }

    /// The next line that is not a message for people.
    fn answer(&mut self) -> String {
        loop {
            let line = self.hear();
            if !line.starts_with("MESSAGE") {
                return line;
            }
        }
    }

    /// The exit code, once its input has ended.
    fn end(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("a status").code()
    }
}

#[test]
fn sessions_get_their_answers() {
    let mut cloudict =
        Session::open(&["engine", "--protocol", "cloudict", "--agent", "random", "--seed", "5"]);
    cloudict.say("name\nnew black\nmove IKKK\n");
    assert_eq!(cloudict.hear(), "name Collinear random");
    assert_eq!(cloudict.hear(), "move JJ");
    assert_eq!(cloudict.hear().len(), "move XXYY".len());
    assert_eq!(cloudict.end(), Some(0));

    let mut gomocup = Session::open(&["engine", "--protocol", "gomocup", "--agent", "random"]);
    gomocup.say("START 15\r\nBEGIN\r\n");
    assert_eq!(gomocup.hear(), "OK");
    assert!(gomocup.answer().contains(','));
    gomocup.say("END\r\n");
    assert_eq!(gomocup.child.wait().expect("a status").code(), Some(0));

    // The strongest agent for the game.
    let mut ugi = Session::open(&["engine", "--protocol", "ugi", "--game", "connect4"]);
    ugi.say("position startpos moves d1\ngo infinite\n");
    ugi.hear_of("info");
    ugi.say("stop\n");
    assert_eq!(ugi.hear_of("bestmove"), "bestmove d2");
    assert_eq!(ugi.end(), Some(0));
}

/// Managers start a file whose name begins with `pbrain-`, without arguments.
#[cfg(unix)]
#[test]
fn under_a_brains_name_it_is_a_gomocup_engine() {
    let dir = tempfile::tempdir().expect("a folder");
    let brain = dir.path().join("pbrain-collinear");
    std::os::unix::fs::symlink(cargo_bin("collinear"), &brain).expect("linked");
    for (program, args) in [(brain, vec![]), (cargo_bin("collinear"), vec!["gomocup"])] {
        let mut session = Session::start(&program, &args);
        session.say("START 15 15\r\nINFO timeout_turn 50\r\nBEGIN\r\n");
        assert_eq!(session.hear(), "OK");
        assert!(session.hear().starts_with("MESSAGE Depth "));
        session.say("END\r\n");
        assert_eq!(session.end(), Some(0));
    }
}

/// What begins a turn that would take very long.
const LONG_TURNS: [(&str, &str); 4] = [
    ("cloudict", "new white\nmove JJ\n"),
    ("sau", "new white\nmove JJ@@\n"),
    ("gomocup", "START 15\nBOARD\n7,7,2\nDONE\nTURN 1,1\n"),
    ("ugi", "position startpos moves j10\ngo movetime 1000000000\ngo infinite\n"),
];

#[test]
fn engines_end_with_their_input_whatever_they_think_about() {
    for (protocol, script) in LONG_TURNS {
        let mut session = Session::open(&["engine", "--protocol", protocol, "--time", "9000s"]);
        session.say(script);
        assert_eq!(session.end(), Some(0), "{protocol}");
    }
}

#[cfg(unix)]
#[test]
fn engines_end_when_they_are_told_by_a_signal() {
    for (protocol, script) in LONG_TURNS {
        for (signal, code) in [("-TERM", 143), ("-INT", 130), ("-HUP", 129)] {
            if ignored(code - 128) {
                continue;
            }
            let mut session = Session::open(&["engine", "--protocol", protocol, "--time", "9000s"]);
            let (greeting, answer) = match protocol {
                "gomocup" => ("ABOUT\n", "name"),
                "ugi" => ("isready\n", "readyok"),
                "sau" => ("name?\n", "name"),
                _ => ("name\n", "name"),
            };
            session.say(greeting);
            // It has set up its signals before it reads.
            session.hear_of(answer);
            session.say(script);
            let pid = session.child.id().to_string();
            let kill = std::process::Command::new("kill").args([signal, &pid]).status();
            assert!(kill.is_ok_and(|status| status.success()));
            // The input is open still.
            assert_eq!(session.child.wait().expect("a status").code(), Some(code), "{protocol}");
        }
    }
}

#[test]
fn wrong_arguments_are_said_in_one_line() {
    collinear(&["engine", "--protocol", "gtp"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("protocols are cloudict, sau, gomocup, ugi"));
    collinear(&["engine", "--protocol", "sau", "--game", "30x30,k=5"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("26x26"));
    collinear(&["engine", "--protocol", "ugi", "--agent", "nobody"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("no agent \"nobody\""));
    collinear(&["match", "random", "external:cmd=/no/such/engine", "--games", "2", "-q"])
        .env("HOME", std::env::temp_dir())
        .assert()
        .code(2)
        .stderr(predicate::str::contains("could not be started"));
}

/// Whether these tests, and so the programs they start, were started with this signal ignored.
#[cfg(unix)]
fn ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let mask = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or("0").trim();
    u64::from_str_radix(mask, 16).is_ok_and(|mask| mask >> (signal - 1) & 1 == 1)
}

/// `nohup collinear …` goes on when the terminal is closed.
#[cfg(target_os = "linux")]
#[test]
fn a_signal_that_was_ignored_from_the_start_stays_ignored() {
    let program = cargo_bin("collinear");
    let script = format!("trap '' HUP; exec {} engine --protocol ugi", program.display());
    let mut session = Session::start(Path::new("sh"), &["-c", &script]);
    session.say("isready\n");
    session.hear_of("readyok");
    let pid = session.child.id().to_string();
    let kill = std::process::Command::new("kill").args(["-HUP", &pid]).status();
    assert!(kill.is_ok_and(|status| status.success()));
    session.say("isready\n");
    session.hear_of("readyok");
    assert_eq!(session.end(), Some(0));
}

/// From its first moments on: before it listens for signals, while it reads, while it thinks.
#[cfg(unix)]
#[test]
fn a_signal_at_any_moment_ends_an_engine() {
    use std::os::unix::process::ExitStatusExt;
    for (nth, (protocol, script)) in LONG_TURNS.into_iter().cycle().take(24).enumerate() {
        let mut session = Session::open(&["engine", "--protocol", protocol, "--time", "9000s"]);
        session.say(&script[..script.len() * (nth % 7) / 6]);
        std::thread::sleep(Duration::from_millis((nth * nth % 97) as u64));
        let (name, number) = [("-TERM", 15), ("-INT", 2), ("-HUP", 1)][nth % 3];
        let (name, number) = if ignored(number) { ("-TERM", 15) } else { (name, number) };
        let pid = session.child.id().to_string();
        let kill = std::process::Command::new("kill").args([name, &pid]).status();
        assert!(kill.is_ok_and(|status| status.success()));
        let status = session.child.wait().expect("a status");
        let unheard = status.signal() == Some(number);
        assert!(unheard || status.code() == Some(128 + number), "{protocol} {nth}: {status}");
    }
}

#[cfg(unix)]
#[test]
fn engines_of_different_protocols_play_a_match() {
    let dir = tempfile::tempdir().expect("a folder");
    let db = dir.path().join("results.sqlite");
    let external =
        |protocol| format!("external:cmd='{}',protocol={protocol}", engine(protocol, "random"));
    for (first, second) in [("cloudict", "ugi"), ("sau", "gomocup")] {
        collinear(&["match", &external(first), &external(second), "--games", "4", "-j", "2"])
            .args(["--game", "connect6", "--max-stones", "80", "--json", "-q", "--db"])
            .arg(&db)
            .assert()
            .success()
            .stdout(predicate::str::contains("agent-error").not());
    }
}

#[cfg(unix)]
#[test]
fn a_bridge_carries_a_game() {
    let ugi = engine("ugi", "random");
    let words: Vec<&str> = ugi.split(' ').collect();
    let bridge = ["bridge", "--from", "gomocup", "--to", "ugi", "--"];
    let mut session = Session::open(&[&bridge, &words[..]].concat());
    session.say("START 15\nBEGIN\n");
    assert_eq!(session.hear(), "OK");
    let opening = session.answer();
    let reply = if opening == "3,3" { "4,4" } else { "3,3" };
    session.say(&format!("TURN {reply}\n"));
    assert!(session.answer().contains(','));
    session.say("END\n");
    assert_eq!(session.end(), Some(0));

    let bridge = ["bridge", "--from", "cloudict", "--to", "gomocup", "--", "sh", "-c", "exit 1"];
    let mut session = Session::open(&bridge);
    session.say("new white\nmove JJ\n");
    assert!(session.hear().starts_with("error: it ended instead of answering"));
    assert_eq!(session.end(), Some(0));
}

/// An engine that stays when its input ends is killed when the bridge is asked to end.
#[cfg(unix)]
#[test]
fn an_interrupted_bridge_takes_its_engine_along() {
    let dir = tempfile::tempdir().expect("a folder");
    let script = "echo $$ > pid\n\
                  while :; do\n\
                    read -r word rest || sleep 1000\n\
                    case \"$word\" in ugi) echo ugiok;; isready) echo readyok;; go) echo bestmove a1;; esac\n\
                  done\n";
    fs::write(dir.path().join("stays.sh"), script).expect("written");
    let mut bridge = std::process::Command::new(cargo_bin("collinear"))
        .args(["bridge", "--from", "gomocup", "--to", "ugi", "--", "sh", "stays.sh"])
        .current_dir(dir.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("started");
    let mut stdin = bridge.stdin.take().expect("piped");
    stdin.write_all(b"START 15\nBEGIN\n").expect("it listens");
    let mut lines = BufReader::new(bridge.stdout.take().expect("piped")).lines();
    assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("OK"));
    assert_eq!(lines.next().and_then(Result::ok).as_deref(), Some("0,14"));
    let pid = fs::read_to_string(dir.path().join("pid")).expect("it ran");
    let signal = |word: &str, pid: &str| {
        let kill =
            std::process::Command::new("kill").args([word, pid]).stderr(Stdio::null()).status();
        kill.is_ok_and(|status| status.success())
    };
    assert!(signal("-TERM", &bridge.id().to_string()));
    assert_eq!(bridge.wait().expect("a status").code(), Some(143));
    while signal("-0", pid.trim()) {
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[cfg(unix)]
#[test]
fn the_compliance_test_passes_ours_and_fails_others() {
    for protocol in ["cloudict", "sau", "gomocup", "ugi"] {
        collinear(&["engine", "check", &engine(protocol, "random"), "--protocol", protocol])
            .assert()
            .success()
            .stdout(predicate::str::contains("FAIL").not());
    }
    collinear(&["engine", "check", "true", "--protocol", "cloudict", "--json"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("1 of 1 checks failed"));
}

/// The Python engine of `docs/protocols.md`, as it stands there.
#[cfg(unix)]
#[test]
fn the_engine_of_the_documentation_works() {
    let mut python = std::process::Command::new("python3");
    let found = python.arg("--version").stdout(Stdio::null()).status();
    if !found.is_ok_and(|status| status.success()) {
        eprintln!("skipped: there is no python3");
        return;
    }
    let docs = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../docs/protocols.md");
    let text = fs::read_to_string(docs).expect("the documentation");
    let code = text.split("```python\n").nth(1).and_then(|rest| rest.split("```").next());
    let dir = tempfile::tempdir().expect("a folder");
    let file = dir.path().join("dice.py");
    fs::write(&file, code.expect("a python block")).expect("written");
    let command = format!("python3 \"{}\"", file.display());
    for game in ["connect4", "30x4,k=4,p=3,q=2"] {
        collinear(&["engine", "check", &command, "--protocol", "ugi", "--game", game])
            .assert()
            .success()
            .stdout(predicate::str::contains("FAIL").not());
    }
}

#[cfg(unix)]
#[test]
fn engines_with_names_are_agents_everywhere() {
    let home = tempfile::tempdir().expect("a folder");
    let run = |args: &[&str]| {
        let mut command = collinear(args);
        command.env("HOME", home.path()).env_remove("XDG_CONFIG_HOME").env_remove("XDG_DATA_HOME");
        command.current_dir(home.path());
        command
    };
    let program = cargo_bin("collinear").display().to_string();
    let add = |name: &'static str| {
        let engine = ["engine", "--protocol", "ugi", "--agent", "random", "--game", "tictactoe"];
        let mut args = vec!["engines", "add", name, "--protocol", "ugi", "--", &program];
        args.extend(engine);
        run(&args).assert()
    };
    run(&["engines", "list"]).assert().success().stdout(predicate::str::contains("no engine"));
    add("dice").success().stdout(predicate::str::contains("added dice"));
    add("dice").success().stdout(predicate::str::contains("replaced dice"));
    add("sextant").code(2).stderr(predicate::str::contains("an agent of ours"));
    add("Dice!").code(2).stderr(predicate::str::contains("is not a name for an engine"));
    run(&["engines", "add", "none-such", "--protocol", "ugi", "--", "/no/such/engine"])
        .assert()
        .code(2)
        .stderr(predicate::str::contains("--unchecked"));
    run(&["engines", "list"]).assert().success().stdout(predicate::str::contains("dice"));
    run(&["agents"]).assert().success().stdout(predicate::str::contains("your ugi engine"));
    let db = ["--db", "r.sqlite", "-g", "tictactoe", "-n", "4", "-q"];
    for name in ["dice", "engine:dice"] {
        run(&[&["match", "random", name][..], &db].concat())
            .assert()
            .success()
            .stdout(predicate::str::contains("faults").not());
    }
    run(&["match", "random", "dice:cmd=sh", "-n", "2"]).assert().code(2);
    run(&["engines", "remove", "dice"]).assert().success();
    run(&["engines", "remove", "dice"]).assert().code(2).stderr(predicate::str::contains("names:"));
    run(&["experiment", "run", "rivals", "--db", "r.sqlite", "-q"])
        .assert()
        .success()
        .stderr(predicate::str::contains("is skipped"));
    // A file that cannot be read costs nobody the other agents.
    fs::write(home.path().join(".config/collinear/engines.toml"), "engines = 3").expect("written");
    run(&["engines", "list"]).assert().code(2).stderr(predicate::str::contains("engines.toml"));
    run(&["agents"]).assert().success().stderr(predicate::str::contains("left out"));
}
