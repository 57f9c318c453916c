//! The program for Windows: built with MinGW, tried under Wine.
//!
//! ```text
//! target/cross/x86_64-pc-windows-gnu/…/release/collinear.exe    what is built
//! target/cross/wine                                             where it is tried
//! ```

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};

use crate::cross::Cross;
use crate::{programs, root, run, step};

const TARGET: &str = "x86_64-pc-windows-gnu";
/// Longer than a page needs to answer under Wine on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// Builds the program and tries it, as far as this machine can.
pub(crate) fn check() -> Result<()> {
    let Some(program) = build()? else { return Ok(()) };
    if !programs::have_wine()? {
        return Ok(());
    }
    step("windows: tried under Wine", || Wine::prepare(&program)?.tries())
}

/// `collinear.exe`, where it can be built.
pub(crate) fn build() -> Result<Option<PathBuf>> {
    if !programs::have_mingw()? {
        return Ok(None);
    }
    let Some(cross) = Cross::find(TARGET)? else { return Ok(None) };
    let linker = [("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")];
    step("windows: build", || cross.build(&["--release", "--quiet", "-p", "collinear"], &linker))?;
    Ok(Some(cross.made("release").join("collinear.exe")))
}

/// A folder that is all the program sees of a Windows machine.
struct Wine {
    folder: PathBuf,
}

impl Wine {
    fn prepare(program: &Path) -> Result<Self> {
        let folder = root().join("target/cross/wine");
        fs::create_dir_all(&folder)?;
        fs::copy(program, folder.join("collinear.exe"))?;
        fs::copy(program, folder.join("pbrain-collinear.exe"))?;
        run(Command::new("x86_64-w64-mingw32-gcc")
            .args(["-shared", "-o"])
            .arg(folder.join("bcryptprimitives.dll"))
            .arg(root().join("xtask/wine/bcryptprimitives.c"))
            .arg("-ladvapi32"))?;
        Ok(Self { folder })
    }

    fn command(&self, program: &str, arguments: &[&str]) -> Command {
        let mut command = Command::new("wine");
        command.arg(program).args(arguments).current_dir(&self.folder);
        command.env("WINEPREFIX", self.folder.join("prefix")).env("WINEDEBUG", "-all");
        // The library beside the program, before Wine's own.
        command.env("WINEDLLOVERRIDES", "bcryptprimitives=n,b");
        command
    }

    /// What a command prints, given its input.
    fn prints(&self, program: &str, arguments: &[&str], input: &str) -> Result<String> {
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

    fn tries(&self) -> Result<()> {
        let prints = |arguments: &[&str]| self.prints("collinear.exe", arguments, "");
        ensure!(prints(&["version"])?.starts_with("collinear "), "version");
        let scores = prints(&["solve", "44", "--no-book"])?;
        ensure!(!scores.is_empty(), "solve prints nothing");
        // The same search, node for node, as the stored signatures say.
        prints(&["bench", "--check"])?;
        self.gomocup()?;
        self.match_with_an_engine()?;
        self.page()
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

    /// The program as host and, as a process of its own, as engine.
    fn match_with_an_engine(&self) -> Result<()> {
        let rival = "external:cmd=pbrain-collinear.exe,protocol=gomocup";
        let arguments = ["match", "random", rival, "--game", "gomoku", "--games", "2"];
        let rest =
            ["--time", "100ms", "--grace", "10s", "--seed", "1", "--db", "match.db", "--fresh"];
        let table = self.prints("collinear.exe", &[&arguments[..], &rest[..]].concat(), "")?;
        ensure!(table.contains("external"), "a match prints {table:?}");
        Ok(())
    }

    /// The page answers, and ends when it is told to.
    fn page(&self) -> Result<()> {
        let arguments =
            ["serve", "--port", "4689", "--no-open", "--no-token", "--data", "page-data"];
        let mut server = self.command("collinear.exe", &arguments).stdout(Stdio::null()).spawn()?;
        let answer = page_answers();
        server.kill()?;
        server.wait()?;
        // Wine's process is not the program itself.
        let _ = Command::new("wineserver")
            .arg("-k")
            .env("WINEPREFIX", self.folder.join("prefix"))
            .status();
        answer
    }
}

fn page_answers() -> Result<()> {
    use std::io::Read as _;
    let start = Instant::now();
    while start.elapsed() < PATIENCE {
        if let Ok(mut stream) = std::net::TcpStream::connect(("127.0.0.1", 4689)) {
            stream.set_read_timeout(Some(PATIENCE))?;
            stream.write_all(
                b"GET / HTTP/1.1\r\nHost: 127.0.0.1:4689\r\nConnection: close\r\n\r\n",
            )?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            ensure!(answer.starts_with("HTTP/1.1 200"), "the page answers {answer:.200}");
            return Ok(());
        }
        thread::sleep(Duration::from_millis(200));
    }
    bail!("the page did not answer within {} s", PATIENCE.as_secs())
}
