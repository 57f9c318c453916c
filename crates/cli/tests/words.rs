//! What the command line understands and how it corrects: suggestions, units, shells, manuals.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::assert::Assert;
use predicates::prelude::PredicateBooleanExt;
use predicates::str::contains;

fn collinear(args: &[&str]) -> Assert {
    let mut command = Command::new(env!("CARGO_BIN_EXE_collinear"));
    Assert::new(command.args(args).stdin(Stdio::null()).output().expect("the program starts"))
}

#[test]
fn a_slip_is_answered_with_what_was_probably_meant() {
    for (args, meant) in [
        (&["match", "random", "random", "-g", "conect6"][..], "did you mean connect6?"),
        (&["play", "Gomoko"], "did you mean gomoku?"),
        (&["match", "sextant,level=3", "random"], "did you mean sextant:level=3?"),
        (&["match", "sextnat", "random"], "did you mean sextant?"),
        (&["match", "random", "random", "--time", "100"], "did you mean 100ms or 100s?"),
        (&["match", "random@100", "random"], "did you mean 100ms or 100s?"),
        (&["match", "random", "random", "--clock", "60+1s"], "did you mean 60ms or 60s?"),
        (&["play", "--time", "2"], "did you mean 2ms or 2s?"),
        (&["experiment", "karplus-99"], "there is no experiment"),
    ] {
        collinear(args).code(2).stderr(contains(meant).and(contains("error: ")));
    }
}

#[test]
fn an_experiment_runs_by_its_name_alone_and_needs_no_other_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    let args = ["experiment", "karplus-1", "--games", "2", "--quiet", "--data", data];
    collinear(&args).success().stdout(contains("1ply"));
    assert!(folder.path().join("results.sqlite").exists());
    assert!(folder.path().join("reports/karplus-1/report.html").exists());
    collinear(&["experiment"]).code(2);
    collinear(&["export", "--data", data, "--list"]).success().stdout(contains("karplus-1"));
}

#[test]
fn completions_are_scripts_the_shell_accepts() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = collinear(&["completions", shell]).success().get_output().stdout.clone();
        let text = String::from_utf8(script.clone()).expect("text");
        assert!(text.contains("tournament") && text.contains("completions"), "{shell}");
        if shell == "bash" {
            let folder = tempfile::tempdir().expect("a folder");
            let file = folder.path().join("script");
            fs::write(&file, script).expect("written");
            let checked = Command::new("bash").arg("-n").arg(&file).status();
            assert!(checked.expect("bash is there").success());
        }
    }
    collinear(&["completions", "cobol"]).code(2);
}

#[test]
fn the_manual_pages_in_the_repository_are_those_the_program_writes() {
    let folder = tempfile::tempdir().expect("a folder");
    collinear(&["man", folder.path().to_str().expect("a path")]).success();
    let read = |folder: &Path| {
        let mut pages: Vec<_> = fs::read_dir(folder)
            .into_iter()
            .flatten()
            .flatten()
            .map(|entry| (entry.file_name(), fs::read_to_string(entry.path()).expect("text")))
            .collect();
        pages.sort();
        pages
    };
    let place = Path::new(env!("CARGO_MANIFEST_DIR")).join("man");
    let shipped = read(&place);
    let written = read(folder.path());
    assert!(written.iter().any(|(name, _)| name == "collinear-fit-games.1"));
    if shipped != written {
        // Whoever changed an option has the new pages at once and only needs to commit them.
        collinear(&["man", place.to_str().expect("a path")]).success();
    }
    assert!(shipped == written, "the man pages were stale and are written now: commit them");
}

#[test]
fn the_version_names_the_build() {
    collinear(&["version"])
        .success()
        .stdout(contains(concat!("collinear ", env!("CARGO_PKG_VERSION"))));
    collinear(&["version", "--json"]).success().stdout(contains("\"build\""));
}

#[test]
fn plain_play_places_a_line_whole_or_not_at_all() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_collinear"))
        .args(["play", "--plain", "--black", "human", "--white", "human"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut input = child.stdin.take().expect("a pipe");
    std::io::Write::write_all(&mut input, b"j10\nk11 zz\nmoves\nquit\n").expect("written");
    drop(input);
    let output = child.wait_with_output().expect("it ends");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("nothing was placed"), "{text}");
    assert!(text.lines().any(|line| line.ends_with("> j10")), "{text}");
}
