//! `collinear prove`: who wins a small game, with a certificate; and the check of certificates.

mod atlas;
mod jobs;
mod picture;
mod zones;

use std::cell::Cell as Slot;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use collinear_play::{InputFileError, StopFlag, read_file};
use collinear_prove::{
    Certificate, Checked, Goal, Limits, Part, Progress, ProveError, Prover, Reason, Value, check,
    turns_of,
};
use collinear_rules::{Player, Position, Rules, notation};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};

use crate::arena::stop_on_ctrl_c;
use crate::carrier::Carrier;
use crate::failure::{Failed, Interrupted};
use crate::{out_file, report};

/// Prove who wins a small game with perfect play, and write a certificate that anyone can check
#[derive(clap::Args)]
#[command(
    after_help = "Boards of at most 64 cells are searched through; on larger ones wins are looked for by relevance\nzones, which is what --quiet and --proof-nodes are for. With --out the search is saved beside the certificate (FILE.state)\nnow and then and when it is stopped; the same command goes on from there. An atlas goes on with the games\nthat have no certificate yet.\n\nExamples: collinear prove --game 5x5,k=4\n          collinear prove --game 5x5,k=4,p=2,q=1 --out 5x5.proof --threads 2\n          collinear prove --game 6x6,k=4 c3 d4 --json\n          collinear prove --game 4x3,k=3 --distance\n          collinear prove --game connect6 j10 a1 s19 k10 j11 a19 s1\n          collinear prove --check 5x5.proof\n          collinear prove --atlas experiments/atlas.toml --out atlas\n          collinear prove --game 8x4,k=4 --jobs 100000 --threads 2 --out 8x4.proof"
)]
#[expect(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Args {
    /// Stones placed already, in order: c3 d4
    moves: Vec<String>,
    /// Rules of the game
    #[arg(long, default_value = "tictactoe", conflicts_with = "check")]
    game: Rules,
    /// Check this certificate, or those in this folder, instead of proving anything
    #[arg(long, value_name = "FILE", conflicts_with_all = ["moves", "out", "nodes", "fresh"])]
    check: Option<PathBuf>,
    /// Prove every game of this plan (TOML) and keep table and certificates in the folder of --out
    #[arg(long, value_name = "PLAN", requires = "out", conflicts_with_all = ["moves", "game", "fresh", "check"])]
    atlas: Option<PathBuf>,
    /// File to write the certificate to
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Replace the certificate if it exists, and start over
    #[arg(long, requires = "out")]
    fresh: bool,
    /// Memory limit of the table in MiB
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    memory: u32,
    /// Number of threads
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Give up after this many nodes
    #[arg(long, value_name = "N")]
    nodes: Option<u64>,
    /// Cut the proof into jobs of at most this many nodes, done by the threads or by --ray
    #[arg(long, value_name = "NODES", conflicts_with_all = ["nodes", "check", "atlas"], value_parser = clap::value_parser!(u64).range(1..))]
    jobs: Option<u64>,
    /// Do the jobs on the Ray cluster at this address ("auto" finds the running one, "local" starts one)
    #[arg(long, value_name = "ADDRESS", requires_all = ["jobs", "out"])]
    ray: Option<String>,
    /// Prove as well after how many stones a win is complete, with the winner hurrying and the loser delaying
    #[arg(long, conflicts_with_all = ["check", "atlas", "jobs", "zones"])]
    distance: bool,
    /// Look for a win by relevance zones, as on boards of more than 64 cells
    #[arg(long, conflicts_with_all = ["check", "atlas", "jobs", "fresh"])]
    zones: bool,
    /// Zones: turns after each other that force nothing at once
    #[arg(long, value_name = "TURNS", default_value_t = 2, value_parser = clap::value_parser!(u16).range(0..=20))]
    quiet: u16,
    /// Zones: nodes for each single search for a win by threats
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(1..))]
    proof_nodes: u64,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

/// The state is saved at first after this long, later when saving costs at most a twentieth.
const SAVE_AFTER: Duration = Duration::from_secs(2);
/// Larger boards are for zones.
const MAX_CELLS: usize = 64;
/// The largest certificate, table or plan that is read.
const MAX_BYTES: u64 = 1 << 30;

pub(crate) fn run(args: Args, carrier: &Carrier) -> Result<()> {
    if let Some(file) = &args.check {
        return check_file(file, args.json);
    }
    let memory = (args.memory as usize) << 20;
    if let (Some(plan), Some(folder)) = (&args.atlas, &args.out) {
        let stop = stop_on_ctrl_c()?;
        let threads = usize::from(args.threads);
        let means = atlas::Means { memory, threads, nodes: args.nodes, stop: &stop };
        return atlas::run(plan, folder, &means);
    }
    if let Some(out) = &args.out {
        out_file::check(out, args.fresh)?;
    }
    let position = place(&args.game, &args.moves)?;
    let stop = stop_on_ctrl_c()?;
    let started = Instant::now();
    let (certificate, nodes) = match args.jobs {
        _ if args.zones || position.rules().cells() > MAX_CELLS => {
            zones::run(&position, &args, &stop)?
        }
        Some(job_nodes) => by_jobs(&position, job_nodes, &args, &stop, carrier)?,
        None => in_one_piece(&position, &args, &stop)?,
    };
    let seconds = started.elapsed().as_secs_f64();
    let file = certificate.to_bytes();
    let again = Instant::now();
    let checked = check(&certificate).map_err(|error| {
        Failed(format!("the certificate does not hold, which is a bug of collinear: {error}"))
    })?;
    if let Some(out) = &args.out {
        out_file::write(out, &file)?;
        for left in [state_file(out), jobs::answers_file(out)] {
            if left.exists() {
                fs::remove_file(&left).with_context(|| out_file::cannot_write(&left))?;
            }
        }
    }
    let proved = Proved {
        certificate: &certificate,
        checked,
        bytes: file.len(),
        check_seconds: again.elapsed().as_secs_f64(),
    };
    if args.json {
        let mut json = proved.json();
        json["nodes"] = nodes.into();
        json["seconds"] = seconds.into();
        return report::json(&json);
    }
    let mut text = proved.text();
    let _ = writeln!(text, "search       {nodes} nodes, {seconds:.2} s");
    if let Some(out) = &args.out {
        let _ = writeln!(text, "written to   {}", out.display());
    }
    report::text(&text)
}

/// One search with one table.
fn in_one_piece(position: &Position, args: &Args, stop: &StopFlag) -> Result<(Certificate, u64)> {
    let prover = Prover::new(position, (args.memory as usize) << 20)?;
    let state = args.out.as_deref().map(state_file);
    if let Some(state) = &state {
        resume(&prover, state, args.fresh)?;
    }
    let certificate = search(&prover, args, stop, state.as_deref())?;
    Ok((certificate, prover.nodes()))
}

/// Many small searches, here or on a cluster.
fn by_jobs(
    position: &Position,
    job_nodes: u64,
    args: &Args,
    stop: &StopFlag,
    carrier: &Carrier,
) -> Result<(Certificate, u64)> {
    let answers = args.out.as_deref().map(jobs::answers_file);
    if let Some(answers) = answers.as_deref().filter(|file| args.fresh && file.exists()) {
        fs::remove_file(answers).with_context(|| out_file::cannot_write(answers))?;
    }
    let bar = spinner()?;
    let means = jobs::Means {
        answers: answers.as_deref(),
        job_nodes,
        memory: (args.memory as usize) << 20,
        threads: usize::from(args.threads),
        stop,
        bar: &bar,
    };
    let (Some(address), Some(out)) = (&args.ray, &args.out) else {
        let proved = jobs::run(position, &means);
        bar.finish_and_clear();
        return proved;
    };
    let nodes = jobs::on_ray(address, position, out, &means, carrier)?;
    let name = || out.display().to_string();
    let bytes = fs::read(out).with_context(name)?;
    Ok((Certificate::from_bytes(&bytes).with_context(name)?, nodes))
}

fn spinner() -> Result<ProgressBar> {
    let style = ProgressStyle::with_template("{spinner} {elapsed} {msg}")?;
    Ok(ProgressBar::new_spinner().with_style(style))
}

/// The position after these stones.
fn place(rules: &Rules, moves: &[String]) -> Result<Position> {
    let mut position = Position::new(*rules);
    for (number, name) in moves.iter().flat_map(|text| text.split_whitespace()).enumerate() {
        let at = || format!("stone {} ({name})", number + 1);
        let cell = notation::parse(rules, name).with_context(at)?;
        position.play(cell).with_context(at)?;
    }
    Ok(position)
}

fn state_file(out: &Path) -> PathBuf {
    let mut name = out.as_os_str().to_owned();
    name.push(".state");
    name.into()
}

/// Goes on where an earlier run was stopped.
fn resume(prover: &Prover, state: &Path, fresh: bool) -> Result<()> {
    if !state.exists() {
        return Ok(());
    }
    if fresh {
        return fs::remove_file(state).with_context(|| out_file::cannot_write(state));
    }
    let name = || state.display().to_string();
    if !state.is_file() {
        return Err(InputFileError::NotPlain { path: state.to_owned() }.into());
    }
    let file = File::open(state).with_context(name)?;
    prover.load(&mut BufReader::new(file)).with_context(name)?;
    report::note(format_args!("{}: going on after {} nodes", state.display(), prover.nodes()));
    Ok(())
}

/// Searches, shows how far it is, and saves the state.
fn search(
    prover: &Prover,
    args: &Args,
    stop: &StopFlag,
    state: Option<&Path>,
) -> Result<Certificate> {
    let bar = spinner()?;
    let saved = Slot::new((Instant::now(), SAVE_AFTER));
    let failure = Slot::new(None);
    let on = |progress: &Progress| {
        bar.set_message(show(progress));
        bar.tick();
        let (last, wait) = saved.get();
        if let Some(state) = state.filter(|_| last.elapsed() >= wait) {
            let begun = Instant::now();
            if let Err(error) = save(prover, state) {
                failure.set(Some(error));
                stop.stop();
            }
            saved.set((Instant::now(), SAVE_AFTER.max(begun.elapsed() * 20)));
        }
    };
    let stopped = || stop.is_stopped();
    let limits = Limits {
        threads: usize::from(args.threads),
        nodes: args.nodes,
        stop: Some(&stopped),
        on: Some(&on),
    };
    let found = prover.run(&limits);
    let found = match found {
        Ok(certificate) if args.distance => prover.with_distance(certificate, &limits),
        found => found,
    };
    bar.finish_and_clear();
    if let Some(error) = failure.take() {
        return Err(error);
    }
    let stopped = matches!(found, Err(ProveError::Stopped { .. } | ProveError::StoppedAt { .. }));
    if let (true, Some(state)) = (stopped, state) {
        save(prover, state)?;
        report::note(format_args!(
            "{}: saved after {} nodes; the same command goes on",
            state.display(),
            prover.nodes()
        ));
    }
    if stop.is_stopped() && found.is_err() {
        match found {
            Err(error @ ProveError::StoppedAt { .. }) => report::note(error),
            _ => report::note(show(&prover.progress())),
        }
        return Err(Interrupted.into());
    }
    Ok(found?)
}

fn save(prover: &Prover, state: &Path) -> Result<()> {
    let mut file = BufWriter::new(out_file::create(state)?);
    prover.save(&mut file).with_context(|| out_file::cannot_write(state))?;
    file.flush().with_context(|| out_file::cannot_write(state))?;
    let file = file.into_inner().map_err(std::io::IntoInnerError::into_error);
    file.and_then(collinear_arena::WholeFile::commit).with_context(|| out_file::cannot_write(state))
}

/// One line: nodes, and for each question how many open nodes would answer it.
fn show(progress: &Progress) -> String {
    let mut text = format!("{} nodes", progress.nodes);
    for asked in &progress.questions {
        let game = if asked.weak { " (own rows aside)" } else { "" };
        let _ = write!(text, "; {} wins{game}: ", asked.attacker);
        let _ = match (asked.proof, asked.disproof) {
            (0, _) => write!(text, "yes"),
            (_, 0) => write!(text, "no"),
            (proof, disproof) => write!(text, "yes {proof}, no {disproof}"),
        };
    }
    if let Some(within) = progress.within {
        let _ = write!(text, "; within {within} stones?");
    }
    text
}

fn check_file(file: &Path, as_json: bool) -> Result<()> {
    if file.is_dir() {
        return atlas::recheck(file);
    }
    let name = || file.display().to_string();
    let bytes = read_file(file, MAX_BYTES)?;
    let certificate = Certificate::from_bytes(&bytes).with_context(name)?;
    let started = Instant::now();
    let checked =
        check(&certificate).map_err(|error| Failed(format!("{}: refused: {error}", name())))?;
    let check_seconds = started.elapsed().as_secs_f64();
    let proved = Proved { certificate: &certificate, checked, bytes: bytes.len(), check_seconds };
    if as_json { report::json(&proved.json()) } else { report::text(&proved.text()) }
}

/// A value with a certificate that holds.
struct Proved<'a> {
    certificate: &'a Certificate,
    checked: Checked,
    bytes: usize,
    check_seconds: f64,
}

impl Proved<'_> {
    fn text(&self) -> String {
        let Certificate { rules, setup, value, stones, parts } = self.certificate;
        let mut text = format!("game         {rules}\n");
        for (name, stones) in [("black", &setup.black), ("white", &setup.white)] {
            if !stones.is_empty() {
                let _ = writeln!(text, "{name:<12} {}", notation::names(rules, stones));
            }
        }
        let shown = match value {
            Value::Won(Player::Black) => "black wins (the first player)",
            Value::Won(Player::White) => "white wins (the second player)",
            Value::Draw => "draw",
        };
        let _ = writeln!(text, "value        {shown}");
        if let Some(stones) = stones {
            let _ = writeln!(text, "distance     {}", self.distance(*stones));
        }
        for part in parts {
            let _ = writeln!(text, "{:<12} {}", "because", because(part));
        }
        let _ = writeln!(
            text,
            "certificate  {} bytes, sha256 {}",
            self.bytes,
            self.certificate.digest()
        );
        let _ = writeln!(
            text,
            "checked      {} positions, {:.2} s",
            self.checked.positions, self.check_seconds
        );
        text
    }

    /// Stones and turns until the row is complete.
    fn distance(&self, stones: u32) -> String {
        let Certificate { rules, setup, value, .. } = self.certificate;
        let turns = Position::from_setup(*rules, setup).ok().and_then(|position| match value {
            Value::Won(player) => Some(turns_of(&position, *player, stones)),
            Value::Draw => None,
        });
        let turns = turns.unwrap_or_default();
        format!("{stones} stones, the winner's turn {turns} from here")
    }

    fn json(&self) -> Json {
        json!({
            "stones": self.certificate.stones,
            "game": self.certificate.rules.to_string(),
            "value": self.certificate.value.name(),
            "because": self.certificate.parts.iter().map(because).collect::<Vec<_>>(),
            "sha256": self.certificate.digest(),
            "bytes": self.bytes,
            "positions": self.checked.positions,
            "check_seconds": self.check_seconds,
        })
    }
}

/// One claim in words.
fn because(part: &Part) -> String {
    let player = part.player;
    match (&part.reason, part.goal) {
        (Reason::Stealing, _) => format!("{player} holds: strategy stealing"),
        (Reason::Weak(bytes), _) => {
            format!("{player} holds without own rows: a strategy of {} bytes", bytes.len())
        }
        (Reason::Zones(bytes), _) => {
            format!("{player} wins: turns and zones of {} bytes", bytes.len())
        }
        (Reason::Strong(bytes), Goal::Holds) => {
            format!("{player} holds: a strategy of {} bytes", bytes.len())
        }
        (Reason::Strong(bytes), Goal::Wins) => {
            format!("{player} wins: a strategy of {} bytes", bytes.len())
        }
    }
}
