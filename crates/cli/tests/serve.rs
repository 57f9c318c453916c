//! `collinear serve`: what it says before it serves, and when it cannot.

use assert_cmd::Command;
use predicates::prelude::PredicateBooleanExt;
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
fn what_cannot_be_served_is_one_line() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = folder.path().to_str().expect("a path");
    serve(&["--host", "256.0.0.1", "--no-open", "--data", data])
        .code(1)
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
    serve(&["--no-open", "--port", "0", "--data", data]).code(1).stderr(contains(
        "games.db is damaged or no file of games (file is not a database): it is",
    ));
}

/// The program at work in a data folder of its own; it ends with the value.
#[cfg(unix)]
struct Serving {
    process: std::process::Child,
    folder: tempfile::TempDir,
    address: String,
}

#[cfg(unix)]
impl Serving {
    /// Starts it with `$BROWSER` and an empty `$PATH`, in which no other browser is found.
    fn with_browser(browser: &str) -> Self {
        Self::with(browser, std::process::Stdio::piped())
    }

    fn with(browser: &str, complaints: std::process::Stdio) -> Self {
        use std::io::BufRead;
        use std::process::{Command, Stdio};

        let folder = tempfile::tempdir().expect("a folder");
        let mut process = Command::new(env!("CARGO_BIN_EXE_collinear"))
            .args(["serve", "--port", "0", "--data", folder.path().to_str().expect("a path")])
            .env("BROWSER", browser)
            .env("PATH", "")
            .stdout(Stdio::piped())
            .stderr(complaints)
            .spawn()
            .expect("starts");
        let mut line = String::new();
        let out = process.stdout.as_mut().expect("a pipe");
        std::io::BufReader::new(out).read_line(&mut line).expect("a line");
        let address = line.split_whitespace().find(|word| word.starts_with("http://"));
        Self { address: address.expect("an address").to_owned(), process, folder }
    }

    /// Whether the page is served.
    fn answers(&self) -> bool {
        use std::io::{Read, Write};

        let address = self.address.trim_start_matches("http://");
        let (host, path) = address.split_once('/').expect("a path with the token");
        let mut stream = std::net::TcpStream::connect(host).expect("connects");
        write!(stream, "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
            .expect("asks");
        let mut answer = String::new();
        stream.read_to_string(&mut answer).expect("an answer");
        answer.starts_with("HTTP/1.1 200")
    }
}

#[cfg(unix)]
impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

#[test]
#[cfg(unix)]
fn the_browser_is_given_the_address() {
    use std::os::unix::fs::PermissionsExt;

    let folder = tempfile::tempdir().expect("a folder");
    let (browser, heard) = (folder.path().join("browser"), folder.path().join("heard"));
    // Renamed when written, so that it is never read half.
    let script =
        format!("#!/bin/sh\necho \"$1\" > {0}.part\n/bin/mv {0}.part {0}\n", heard.display());
    std::fs::write(&browser, script).expect("written");
    std::fs::set_permissions(&browser, std::fs::Permissions::from_mode(0o755)).expect("set");
    let serving = Serving::with_browser(browser.to_str().expect("a path"));
    let given = loop {
        match std::fs::read_to_string(&heard) {
            Ok(text) => break text,
            Err(_) => std::thread::sleep(std::time::Duration::from_millis(10)),
        }
    };
    assert_eq!(given.trim(), serving.address);
    assert!(serving.answers() && serving.folder.path().join("games.db").is_file());
}

#[test]
#[cfg(unix)]
fn without_a_browser_the_page_is_served_all_the_same() {
    use std::io::{BufRead, BufReader};

    let mut serving = Serving::with_browser("no-such-browser");
    let mut line = String::new();
    let complaints = serving.process.stderr.take().expect("a pipe");
    BufReader::new(complaints).read_line(&mut line).expect("a line");
    assert!(line.contains("open the address above yourself"), "{line}");
    assert!(serving.answers());
}

#[test]
#[cfg(unix)]
fn a_second_start_with_the_same_games_leads_to_the_first() {
    let serving = Serving::with_browser("no-such-browser");
    let data = serving.folder.path().to_str().expect("a path");
    let second = serve(&["--no-open", "--data", data]).success();
    second.stdout(contains(format!("already runs at {}", serving.address)));
    // Whoever asks for a place of its own is told why it cannot be had.
    serve(&["--no-open", "--port", "0", "--data", data])
        .code(1)
        .stderr(contains(&serving.address).and(contains("--data")));
    assert!(serving.answers());
}

#[test]
#[cfg(target_os = "linux")]
fn a_server_whose_log_cannot_be_written_goes_on() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a full device");
    // The first complaint is that there is no browser.
    let serving = Serving::with("no-such-browser", full.into());
    assert!(serving.answers());
}
