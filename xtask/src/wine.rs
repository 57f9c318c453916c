//! `collinear.exe` tried under Wine, as people on Windows use it: from a console, by its other name
//! under a Gomocup manager, as host and as engine, as a server, and killed in the middle of all that.
//!
//! Wine's process carries the program's: whoever kills it kills the program as the task manager would.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::{cargo_command, programs, root, run, step};

/// Longer than a page needs to answer under Wine on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);
/// How often the speed is taken; the best counts, as the machine may be busy.
const SPEED_ROUNDS: usize = 3;
/// Where the page is tried.
pub(crate) const PAGE_PORT: u16 = 4689;
/// The engine whose host is killed: it never ends by itself.
const ORPHAN: &str = "pbrain-orphan.exe";

/// A folder that is all the program sees of a Windows machine.
pub(crate) struct Wine {
    folder: PathBuf,
    /// What Wine keeps of its own.
    prefix: PathBuf,
}

impl Wine {
    pub(crate) fn prepare(program: &Path) -> Result<Self> {
        let folder = home();
        let prefix = folder.join("prefix");
        // Wine makes its own folder once, which takes half a minute.
        for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
            if entry.file_name() != "prefix" {
                let path = entry.path();
                if path.is_dir() { fs::remove_dir_all(path) } else { fs::remove_file(path) }?;
            }
        }
        let blanks = folder.join("two words");
        fs::create_dir_all(&blanks)?;
        for copy in ["collinear.exe", "pbrain-collinear.exe", "two words/pbrain-collinear.exe"] {
            fs::copy(program, folder.join(copy))?;
        }
        for folder in [&folder, &blanks] {
            complete(folder)?;
        }
        run(Command::new("x86_64-w64-mingw32-gcc")
            .arg("-o")
            .arg(folder.join(ORPHAN))
            .arg(root().join("xtask/wine/sleeper.c")))?;
        Ok(Self { folder, prefix })
    }

    /// Wine for what lies in a folder already.
    pub(crate) fn around(folder: &Path) -> Result<Self> {
        complete(folder)?;
        Ok(Self { folder: folder.to_owned(), prefix: home().join("prefix") })
    }

    /// A command under Wine.
    pub(crate) fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("wine");
        command.arg(program).args(arguments).current_dir(&self.folder);
        command.env("WINEPREFIX", &self.prefix).env("WINEDEBUG", "-all");
        // The library beside the program, before Wine's own.
        command.env("WINEDLLOVERRIDES", "bcryptprimitives=n,b;mscoree,mshtml=");
        command
    }

    /// What a command prints, given its input.
    pub(crate) fn prints(&self, program: &str, arguments: &[&str], input: &str) -> Result<String> {
        let mut child = self
            .command(program, arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .context("wine")?;
        child.stdin.take().context("its input")?.write_all(input.as_bytes())?;
        let output = child.wait_with_output()?;
        ensure!(output.status.success(), "{program} {arguments:?} ended with {}", output.status);
        Ok(String::from_utf8_lossy(&output.stdout).replace('\r', ""))
    }

    /// Everything.
    pub(crate) fn tries(&self) -> Result<()> {
        let prints = |arguments: &[&str]| self.prints("collinear.exe", arguments, "");
        step("wine: version, solve", || {
            ensure!(prints(&["version"])?.starts_with("collinear "), "version");
            let scores = prints(&["solve", "44"])?;
            ensure!(!scores.is_empty(), "solve prints nothing");
            Ok(())
        })?;
        // The same search, node for node, as the stored signatures say.
        step("wine: signature of the search", || prints(&["bench", "--check"]).map(drop))?;
        step("wine: nodes per second", || self.speed())?;
        step("wine: a Gomocup session", || self.gomocup())?;
        step("wine: a match against an engine", || self.match_with_an_engine())?;
        step("wine: how engines end", || self.ends())?;
        step("wine: a killed match", || self.killed_match())?;
        step("wine: a killed host", || self.killed_host())?;
        step("wine: Ctrl-C", || self.interrupted())?;
        step("wine: the page", || self.page())?;
        step("wine: pages on a server that is killed", || self.soak())
    }

    /// Nodes per second under Wine and by this machine's own program, in turns, so that both have the
    /// machine as it is.
    fn speed(&self) -> Result<()> {
        run(cargo_command().args(["build", "--release", "--quiet", "-p", "collinear"]))?;
        let arguments = ["bench", "--json", "--nodes", "20000"];
        let of = |printed: &str| -> Result<f64> {
            let report: serde_json::Value = serde_json::from_str(printed)?;
            report["nodes_per_second"].as_f64().context("no speed")
        };
        let mut best = [0.0_f64; 2];
        for _ in 0..SPEED_ROUNDS {
            let output =
                Command::new(root().join("target/release/collinear")).args(arguments).output()?;
            let native = of(&String::from_utf8_lossy(&output.stdout))?;
            let wine = of(&self.prints("collinear.exe", &arguments, "")?)?;
            best = [best[0].max(native), best[1].max(wine)];
        }
        let [native, wine] = best.map(|nodes| nodes / 1e3);
        eprintln!(
            "   {wine:.0} kn/s under Wine, {native:.0} kn/s native: {:.2} (best of {SPEED_ROUNDS} each)",
            wine / native
        );
        Ok(())
    }

    /// A session as managers of Gomoku tournaments send it, by the program's name alone.
    fn gomocup(&self) -> Result<()> {
        let mut child = self
            .command("pbrain-collinear.exe", &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .context("wine")?;
        // The end of its input would end the engine before it has answered.
        let mut input = child.stdin.take().context("its input")?;
        input.write_all(b"START 15\r\nINFO timeout_turn 200\r\nBEGIN\r\n")?;
        let answers = BufReader::new(child.stdout.take().context("its output")?).lines();
        let mut answers = answers.map_while(Result::ok).filter(|line| !line.starts_with("MESSAGE"));
        let [start, stone] = [answers.next(), answers.next()];
        drop(input);
        child.wait()?;
        ensure!(start.as_deref() == Some("OK"), "START is answered by {start:?}");
        let on_board = |text: &str| text.parse::<u8>().is_ok_and(|number| number < 15);
        let point = stone.as_deref().and_then(|line| line.split_once(','));
        ensure!(
            point.is_some_and(|(x, y)| on_board(x) && on_board(y)),
            "BEGIN is answered by {stone:?}"
        );
        Ok(())
    }

    /// The program as host and, as a process of its own, as engine; also one whose path has blanks and
    /// backslashes.
    fn match_with_an_engine(&self) -> Result<()> {
        for command in ["pbrain-collinear.exe", r#""two words\pbrain-collinear.exe""#] {
            let rival = format!("external:cmd={command},protocol=gomocup");
            let arguments = ["match", "random", &rival, "--game", "gomoku", "--games", "2"];
            let rest =
                ["--time", "100ms", "--grace", "10s", "--seed", "1", "--db", "match.db", "--fresh"];
            let table = self.prints("collinear.exe", &[&arguments[..], &rest[..]].concat(), "")?;
            let fault = ["crash", "silence", "disconnect", "agent-error", "time"]
                .into_iter()
                .find(|fault| table.contains(fault));
            ensure!(table.contains("external") && fault.is_none(), "a match prints {table}");
        }
        Ok(())
    }

    /// The exit code of a program that ends instead of playing is told.
    fn ends(&self) -> Result<()> {
        let rival = "external:cmd=collinear.exe no-such-command,protocol=gomocup";
        let arguments = ["match", "random", rival, "--game", "gomoku", "--db", "ends.db"];
        let output = self.command("collinear.exe", &arguments).output()?;
        let words = String::from_utf8_lossy(&output.stderr);
        ensure!(
            words.contains("(exit code 2)"),
            "it is not told how an engine ended: {words:.800}"
        );
        Ok(())
    }

    /// A match that was killed again and again has the games of one that was not.
    fn killed_match(&self) -> Result<()> {
        let arguments = |db| {
            let names =
                ["match", "sequences:depth=1", "random", "--game", "15x15,k=5", "--games", "600"];
            [&names[..], &["--seed", "1", "--db", db]].concat()
        };
        let moves =
            |db| self.prints("collinear.exe", &["export", "--db", db, "--format", "moves"], "");
        for wait in [900, 1200, 1500] {
            let mut child = self
                .command("collinear.exe", &arguments("killed.db"))
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()?;
            thread::sleep(Duration::from_millis(wait));
            child.kill()?;
            child.wait()?;
        }
        self.prints("collinear.exe", &arguments("killed.db"), "")?;
        self.prints("collinear.exe", &arguments("calm.db"), "")?;
        ensure!(moves("killed.db")? == moves("calm.db")?, "a killed match has other games");
        Ok(())
    }

    /// Engines end with their host, however it ends.
    fn killed_host(&self) -> Result<()> {
        let rival = format!("external:cmd={ORPHAN},protocol=gomocup,start=100s");
        let arguments = ["match", &rival, "random", "--game", "gomoku", "--games", "2"];
        let rest = ["--db", "orphan.db"];
        let mut host = self
            .command("collinear.exe", &[&arguments[..], &rest[..]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        let lives = || running(ORPHAN);
        until("the engine starts", lives)?;
        host.kill()?;
        host.wait()?;
        until("the engine ends with its host", || !lives())
    }

    /// Ctrl-C ends a match with the exit code of an interrupted program.
    fn interrupted(&self) -> Result<()> {
        let arguments = ["match", "random", "random", "--game", "15x15,k=5", "--games", "900000"];
        let mut child = self
            .command("collinear.exe", &[&arguments[..], &["--db", "interrupted.db"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()?;
        // Before it has begun, Ctrl-C ends it as Wine ends programs.
        until("a match begins", || self.folder.join("interrupted.db").exists())?;
        thread::sleep(Duration::from_secs(3));
        run(Command::new("kill").args(["-s", "INT", &child.id().to_string()]))?;
        let status = ended(&mut child)?;
        ensure!(status == Some(130), "Ctrl-C ends a match with {status:?}, expected 130");
        let runs =
            self.prints("collinear.exe", &["export", "--list", "--db", "interrupted.db"], "")?;
        ensure!(!runs.trim().is_empty(), "the games before Ctrl-C are gone");
        Ok(())
    }

    /// The page answers, and ends when it is told to.
    fn page(&self) -> Result<()> {
        let port = PAGE_PORT.to_string();
        let arguments =
            ["serve", "--port", &port, "--no-open", "--no-token", "--data", "page-data"];
        let mut server = self.command("collinear.exe", &arguments).stdout(Stdio::null()).spawn()?;
        let answer = page_answers();
        server.kill()?;
        server.wait()?;
        answer
    }

    /// Sockets and the file of games: pages play on a server that is killed and started again.
    fn soak(&self) -> Result<()> {
        let program = self.folder.join("serve.sh");
        let script = format!(
            "cd '{folder}'\nexport WINEPREFIX='{prefix}' WINEDEBUG=-all \
             WINEDLLOVERRIDES='bcryptprimitives=n,b;mscoree,mshtml='\nexec wine collinear.exe \"$@\"",
            folder = self.folder.display(),
            prefix = self.prefix.display()
        );
        programs::script(&program, &script)?;
        run(cargo_command()
            .args(["run", "--quiet", "-p", "collinear-fuzz", "--bin", "collinear-soak", "--"])
            .args(["--minutes", "1", "--clients", "4", "--kill-every", "20", "--program"])
            .arg(&program))
    }
}

impl Drop for Wine {
    fn drop(&mut self) {
        // What a failed trial has left running.
        let _ = Command::new("wineserver").arg("-k").env("WINEPREFIX", &self.prefix).status();
    }
}

fn home() -> PathBuf {
    root().join("target/cross/wine")
}

/// Puts into a folder what Wine of Debian 12 lacks; Rust needs it for its hash tables.
fn complete(folder: &Path) -> Result<()> {
    run(Command::new("x86_64-w64-mingw32-gcc")
        .args(["-shared", "-o"])
        .arg(folder.join("bcryptprimitives.dll"))
        .arg(root().join("xtask/wine/bcryptprimitives.c"))
        .arg("-ladvapi32"))
}

/// Waits for something to become so.
fn until(what: &str, mut so: impl FnMut() -> bool) -> Result<()> {
    let start = Instant::now();
    while !so() {
        ensure!(start.elapsed() < PATIENCE, "{what}: not within {} s", PATIENCE.as_secs());
        thread::sleep(Duration::from_millis(50));
    }
    Ok(())
}

/// The exit code of a process that must end.
fn ended(child: &mut Child) -> Result<Option<i32>> {
    let start = Instant::now();
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok(status.code());
        }
        if start.elapsed() > PATIENCE {
            child.kill()?;
            bail!("it did not end within {} s", PATIENCE.as_secs());
        }
        thread::sleep(Duration::from_millis(50));
    }
}

/// Whether a process of Wine runs this program.
fn running(program: &str) -> bool {
    fs::read_dir("/proc").into_iter().flatten().flatten().any(|entry| {
        // The program comes first; a host names it among its arguments.
        let line = fs::read(entry.path().join("cmdline")).unwrap_or_default();
        let first = line.split(|&byte| byte == 0).next().unwrap_or_default();
        String::from_utf8_lossy(first).ends_with(program)
    })
}

/// The page is there.
pub(crate) fn page_answers() -> Result<()> {
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", PAGE_PORT)) {
            stream.set_read_timeout(Some(PATIENCE))?;
            let host = format!("Host: 127.0.0.1:{PAGE_PORT}");
            let asked = format!("GET / HTTP/1.1\r\n{host}\r\nConnection: close\r\n\r\n");
            stream.write_all(asked.as_bytes())?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            ensure!(answer.starts_with("HTTP/1.1 200"), "the page answers {answer:.200}");
            return Ok(());
        }
        thread::sleep(Duration::from_millis(200));
    }
    bail!("the page did not answer within {} s", PATIENCE.as_secs())
}
