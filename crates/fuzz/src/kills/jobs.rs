//! The long commands, each with what it needs and what it leaves behind. They are small, so that many
//! kills hit them, and nothing in them depends on a clock: whoever runs one again gets the same bytes.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};

/// A command and what it leaves behind.
pub(crate) struct Job {
    pub(crate) name: &'static str,
    /// Commands whose files it reads.
    before: &'static [&'static str],
    pub(crate) command: &'static str,
    results: &'static [Kept],
}

/// What a command leaves behind, and how two of it are compared.
enum Kept {
    /// A file with the same bytes.
    Bytes(&'static str),
    /// The same, and before it is whole it is the beginning of it.
    Growing(&'static str),
    /// A file of results with the same games.
    Games(&'static str),
    /// A certificate, or a folder of them, that holds. Which proof is found depends on where the
    /// search was stopped.
    Proof(&'static str),
}

/// A file of games that other commands read.
const NET_GAMES: &str =
    "fit net-games 9x9,k=5 --games 6 --visits 2 --quick-visits 1 --threads 1 --out n.sxg";
const GAMES: &str = "match random random --game gomoku -n 300 -j 1 --db g --quiet";
const MOVES: &str = "export --db g --format moves --out g.moves";
const LABELS: &str = "fit labels gomoku --labels 300 --nodes 10 --threads 1 --out l.sxl";

pub(crate) const JOBS: &[Job] = &[
    Job {
        name: "match",
        before: &[],
        command: "match random 1ply_wineval --game connect4 -n 600 -j 2 --db db --quiet",
        results: &[Kept::Games("db")],
    },
    Job {
        name: "tournament",
        before: &[],
        command: "tournament random 1ply_wineval 2ply_fevala --game connect4 -n 100 -j 2 --db db --out t --quiet",
        results: &[Kept::Games("db")],
    },
    Job {
        name: "experiment",
        before: &[],
        command: "experiment run mine.toml --db db --out e --quiet",
        results: &[Kept::Games("db")],
    },
    Job {
        name: "tune",
        before: &[],
        command: "tune sequences:depth=1 --param c=0.2..4 --game tictactoe --population 4 --generations 4 --games 20 --verdict 20 --state tune.json --quiet",
        results: &[Kept::Bytes("tune.json")],
    },
    Job {
        name: "tune --spsa",
        before: &[],
        command: "tune sextant --spsa search.lmr_* --game 7x7,k=4 --nodes 20 --games 4 --steps 12 --out p.params --quiet",
        results: &[Kept::Bytes("p.params"), Kept::Bytes("p.params.state.json")],
    },
    Job {
        name: "openings",
        before: &[],
        command: "openings --game 9x9,k=5 --stones 3 -n 12 --judge none --play-out sequences:depth=1 --out o",
        results: &[Kept::Bytes("o")],
    },
    Job {
        name: "fit games",
        before: &[],
        command: "fit games 9x9,k=5 --games 60 --nodes 50 --threads 1 --out f.sxg",
        results: &[Kept::Growing("f.sxg")],
    },
    Job {
        name: "fit net-games",
        before: &[],
        command: "fit net-games 9x9,k=5 --games 24 --visits 2 --quick-visits 1 --threads 1 --out n.sxg",
        results: &[Kept::Growing("n.sxg")],
    },
    Job {
        name: "fit settle",
        before: &[NET_GAMES],
        command: "fit settle n.sxg --nodes 300 --threads 1 --out s.sxg",
        results: &[Kept::Growing("s.sxg")],
    },
    Job {
        name: "fit positions",
        before: &[NET_GAMES],
        command: "fit positions n.sxg --out p.sxp",
        results: &[Kept::Bytes("p.sxp")],
    },
    Job {
        name: "fit weights",
        before: &[NET_GAMES],
        command: "fit weights n.sxg --epochs 4 --out w.sxw",
        results: &[Kept::Bytes("w.sxw")],
    },
    Job {
        name: "fit labels",
        before: &[],
        command: "fit labels gomoku --labels 2000 --nodes 10 --threads 1 --out l.sxl",
        results: &[Kept::Growing("l.sxl")],
    },
    Job {
        name: "fit evaluation",
        before: &[LABELS],
        command: "fit evaluation l.sxl --positions 4000 --batch 100 --threads 1 --out e.sxe",
        results: &[Kept::Bytes("e.sxe")],
    },
    Job {
        name: "prove",
        before: &[],
        command: "prove --game 5x5,k=4,p=2,q=1 --out x.proof --memory 8",
        results: &[Kept::Proof("x.proof")],
    },
    Job {
        name: "prove --atlas",
        before: &[],
        command: "prove --atlas atlas.toml --out atlas --memory 1",
        results: &[Kept::Proof("atlas")],
    },
    Job {
        name: "solve --make-book",
        before: &[],
        command: "solve --game 6x5,k=4,gravity --make-book --depth 6 --memory 1 --threads 1 --out b",
        results: &[Kept::Bytes("b")],
    },
    Job {
        name: "book build",
        before: &[GAMES, MOVES],
        command: "book build g.moves --game gomoku --out b",
        results: &[Kept::Bytes("b")],
    },
    Job {
        name: "convert",
        before: &[GAMES, MOVES],
        command: "convert g.moves g.sgf --to sgf --game gomoku",
        results: &[Kept::Bytes("g.sgf")],
    },
    Job {
        name: "export",
        before: &[GAMES],
        command: "export --db g --format csv --out g.csv",
        results: &[Kept::Bytes("g.csv")],
    },
    Job { name: "merge", before: &[GAMES], command: "merge all g", results: &[Kept::Games("all")] },
];

/// Files that the commands read and no command writes.
const FILES: [(&str, &str); 2] = [
    (
        "mine.toml",
        "title = \"A\"\nquestion = \"B\"\ngame = \"connect4\"\ngames = 200\n\
         [players]\na = { agent = \"random\" }\nb = { agent = \"1ply_wineval\" }\n\
         [[cells]]\nx = \"a\"\no = \"b\"\n",
    ),
    ("atlas.toml", "nodes = 100000\n[[set]]\nmax_cells = 12\nturns = [[1, 1], [2, 1]]\n"),
];

/// A folder in which the program runs.
pub(crate) struct Place<'a> {
    pub(crate) program: &'a Path,
    pub(crate) folder: &'a Path,
}

/// What is found in a folder after a command, in the order of its results.
pub(crate) type Found = Vec<Option<Vec<u8>>>;

impl Place<'_> {
    /// The program with these words.
    pub(crate) fn command(&self, words: &str) -> Command {
        let mut command = Command::new(self.program);
        command.args(words.split_whitespace());
        self.inside(&mut command);
        command
    }

    /// Runs something here, with nothing to read and nothing shown.
    pub(crate) fn inside(&self, command: &mut Command) {
        command.current_dir(self.folder).stdin(Stdio::null()).stdout(Stdio::null());
        command.stderr(Stdio::null());
    }

    /// The games of the last run in a file of results; none before a run has begun.
    fn games(&self, name: &str) -> Result<Vec<u8>> {
        let mut command = self.command(&format!("export --db {name} --format moves"));
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        match output.status.code() {
            Some(0) => Ok(output.stdout),
            Some(2) => Ok(Vec::new()),
            _ => bail!("{name}: {}: {}", output.status, said.trim()),
        }
    }

    /// Runs it to its end; its standard output.
    fn good(&self, words: &str) -> Result<Vec<u8>> {
        let mut command = self.command(words);
        let output = command.stdout(Stdio::piped()).stderr(Stdio::piped()).output()?;
        if !output.status.success() {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            bail!("{words}: {}: {}", output.status, said.trim());
        }
        Ok(output.stdout)
    }
}

impl Job {
    /// Puts what it needs into a folder.
    pub(crate) fn prepare(&self, place: &Place<'_>) -> Result<()> {
        for (name, text) in FILES {
            fs::write(place.folder.join(name), text)?;
        }
        self.before.iter().try_for_each(|words| place.good(words).map(drop))
    }

    /// Runs it to its end.
    pub(crate) fn finish(&self, place: &Place<'_>) -> Result<()> {
        place.good(self.command).map(drop)
    }

    /// What it has left behind so far; none for what is not there or, for proofs, not begun.
    pub(crate) fn found(&self, place: &Place<'_>) -> Result<Found> {
        let look = |kept: &Kept| -> Result<Option<Vec<u8>>> {
            let name = kept.name();
            if !place.folder.join(name).exists() {
                return Ok(None);
            }
            match kept {
                Kept::Bytes(_) | Kept::Growing(_) => {
                    fs::read(place.folder.join(name)).map(Some).context(name)
                }
                Kept::Games(_) => place.games(name).map(Some),
                Kept::Proof(_) => {
                    let said = place.good(&format!("prove --check {name}"))?;
                    let said = String::from_utf8_lossy(&said).into_owned();
                    let told = |line: &&str| line.starts_with("value") || line.ends_with(" hold");
                    Ok(Some(said.lines().filter(told).collect::<String>().into_bytes()))
                }
            }
        };
        self.results.iter().map(look).collect()
    }

    /// Whether what was found on the way to the end can lead there, and has lost nothing of what was
    /// found `before`.
    pub(crate) fn check(&self, now: &Found, before: &Found, end: &Found) -> Result<(), String> {
        for (at, kept) in self.results.iter().enumerate() {
            let (now, before, end) = (now[at].as_ref(), before[at].as_ref(), end[at].as_ref());
            let Some(now) = now else {
                if before.is_some() {
                    return Err(format!("{} is gone", kept.name()));
                }
                continue;
            };
            let end = end.map_or(&[][..], Vec::as_slice);
            let before = before.map_or(&[][..], Vec::as_slice);
            match kept {
                Kept::Growing(name) if !end.starts_with(now) => {
                    return Err(format!("{name} is not the beginning of what it is to become"));
                }
                Kept::Games(name) => {
                    let (now, before, end) = (count(now), count(before), count(end));
                    let within = |few: &Counts<'_>, many: &Counts<'_>| {
                        few.iter().all(|(line, n)| many.get(line).is_some_and(|most| n <= most))
                    };
                    if !within(&now, &end) {
                        return Err(format!("{name} has games twice, or others"));
                    }
                    if !within(&before, &now) {
                        return Err(format!("{name} has lost games"));
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }
}

impl Kept {
    const fn name(&self) -> &'static str {
        match self {
            Self::Bytes(name) | Self::Growing(name) | Self::Games(name) | Self::Proof(name) => name,
        }
    }
}

type Counts<'a> = std::collections::HashMap<&'a [u8], usize>;

/// How often each line is there.
fn count(text: &[u8]) -> Counts<'_> {
    let mut counts = Counts::new();
    for line in text.split(|byte| *byte == b'\n') {
        *counts.entry(line).or_default() += 1;
    }
    counts
}
