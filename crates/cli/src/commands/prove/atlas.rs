//! Many games in one run: values, certificates and a table, beside the values in print.
//!
//! A plan is a TOML file of sets of games. Every game's certificate is a file of its own in the
//! folder; a run that was stopped goes on with the games that have none. Games that reach the limit
//! of nodes stay open, and a later run with a higher limit goes on with them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use collinear_play::{StopFlag, read_file, read_text_file};
use collinear_prove::{Certificate, Limits, ProveError, Prover, check};
use collinear_rules::{Position, Rules};
use serde::Deserialize;

use super::{MAX_BYTES, picture};
use crate::failure::{Failed, Interrupted};
use crate::{out_file, report};

/// A plan: which games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    /// Nodes for each game unless the command says otherwise.
    nodes: u64,
    set: Vec<Set>,
    /// Values in print, by game, with their source.
    #[serde(default)]
    printed: BTreeMap<String, [String; 2]>,
}

/// All boards of at most this many cells with these numbers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
    max_cells: u32,
    /// Row lengths; without them every one that fits.
    k: Option<Vec<u32>>,
    /// Pairs of p and q.
    turns: Vec<[u32; 2]>,
    #[serde(default)]
    gravity: bool,
}

/// The limits of the command.
pub(super) struct Means<'a> {
    pub(super) memory: usize,
    pub(super) threads: usize,
    pub(super) nodes: Option<u64>,
    pub(super) stop: &'a StopFlag,
}

/// The most cells of a board whose value can be proved.
const MAX_CELLS: u32 = 64;
/// The file of the table, in the folder.
const TABLE: &str = "atlas.csv";

/// How often the table is written: what a kill can lose, to be proved again.
const SAVE_EVERY: Duration = Duration::from_secs(2);

const HEAD: &str = "game,value,printed,source,nodes,seconds,bytes,positions,sha256\n";

/// Proves every game of a plan, the small boards first.
pub(super) fn run(plan: &Path, folder: &Path, means: &Means<'_>) -> Result<()> {
    let name = || plan.display().to_string();
    let text = read_text_file(plan, MAX_BYTES)?;
    let plan: Plan = toml::from_str(&text).with_context(name)?;
    let games = plan.games()?;
    fs::create_dir_all(folder).with_context(|| out_file::cannot_write(folder))?;
    let table = folder.join(TABLE);
    let mut rows = read_rows(&table)?;
    let (mut solved, mut contradictions) = (0, Vec::new());
    let mut saved = Instant::now();
    for (number, rules) in games.iter().enumerate() {
        let game = rules.to_string();
        let file = folder.join(format!("{}.proof", game.replace(',', "_")));
        let limit = means.nodes.unwrap_or(plan.nodes);
        let known = rows
            .get(&game)
            .is_some_and(|row| file.exists() || row.value == "open" && row.nodes >= limit);
        if !known {
            let row = match prove(rules, &file, limit, means) {
                Ok(row) => row,
                Err(error) => {
                    out_file::write(&table, csv(&games, &rows, &plan).as_bytes())?;
                    return Err(error);
                }
            };
            report::note(format_args!(
                "{} of {}: {game}: {}, {} nodes, {:.1} s",
                number + 1,
                games.len(),
                row.value,
                row.nodes,
                row.seconds
            ));
            rows.insert(game.clone(), row);
            // Small games take less time than the table does.
            if saved.elapsed() >= SAVE_EVERY {
                out_file::write(&table, csv(&games, &rows, &plan).as_bytes())?;
                saved = Instant::now();
            }
        }
        let value = &rows[&game].value;
        solved += usize::from(value != "open");
        if let Some([printed, source]) = plan.printed.get(&game)
            && value != "open"
            && printed != value
        {
            contradictions.push(format!("{game}: ours {value}, printed {printed} ({source})"));
        }
    }
    out_file::write(&table, csv(&games, &rows, &plan).as_bytes())?;
    let values: Vec<(Rules, String)> =
        games.iter().map(|rules| (*rules, rows[&rules.to_string()].value.clone())).collect();
    for (name, svg) in picture::draw(&values)? {
        out_file::write(&folder.join(name), svg.as_bytes())?;
    }
    report::line(format_args!("{}: {solved} of {} games proved", table.display(), games.len()))?;
    if contradictions.is_empty() {
        return Ok(());
    }
    Err(Failed(format!("values in print are contradicted: {}", contradictions.join("; "))).into())
}

impl Plan {
    /// Every game once, the smallest boards first; without gravity width and height are not told
    /// apart.
    fn games(&self) -> Result<Vec<Rules>> {
        let mut games = Vec::new();
        for set in &self.set {
            let most = set.max_cells;
            if most > MAX_CELLS {
                bail!(
                    "max_cells = {most}: values are proved on boards of at most {MAX_CELLS} cells"
                );
            }
            for (width, height) in (1..=most).flat_map(|w| (1..=most / w).map(move |h| (w, h))) {
                // Without gravity a board and its transpose are one game; in one row nothing falls.
                if (!set.gravity && height > width) || (set.gravity && height == 1) {
                    continue;
                }
                let every: Vec<u32> = (1..=width.max(height)).collect();
                for &k in set.k.as_ref().unwrap_or(&every) {
                    for &[p, q] in &set.turns {
                        let mut builder = Rules::builder(width, height, k).p(p).q(q);
                        builder.gravity = set.gravity;
                        // A row or a first turn that does not fit is not a game of the set.
                        if let Ok(rules) = builder.build()
                            && !games.contains(&rules)
                        {
                            games.push(rules);
                        }
                    }
                }
            }
        }
        if games.is_empty() {
            bail!("the plan names no game");
        }
        games.sort_by_key(|rules| (rules.cells(), rules.width(), rules.k(), rules.p(), rules.q()));
        Ok(games)
    }
}

/// What the table says of a game.
struct Row {
    value: String,
    nodes: u64,
    seconds: f64,
    /// Bytes, positions checked and digest of the certificate.
    certificate: Option<(usize, u64, String)>,
}

fn prove(rules: &Rules, file: &Path, nodes: u64, means: &Means<'_>) -> Result<Row> {
    let prover = Prover::new(&Position::new(*rules), means.memory)?;
    let started = Instant::now();
    let stopped = || means.stop.is_stopped();
    let limits =
        Limits { threads: means.threads, nodes: Some(nodes), stop: Some(&stopped), on: None };
    let found = prover.run(&limits);
    let seconds = started.elapsed().as_secs_f64();
    let nodes = prover.nodes();
    match found {
        Ok(certificate) => {
            let checked = check(&certificate).map_err(|error| {
                Failed(format!("{rules}: the certificate does not hold, which is a bug: {error}"))
            })?;
            let bytes = certificate.to_bytes();
            out_file::write(file, &bytes)?;
            let told = (bytes.len(), checked.positions, certificate.digest());
            let value = certificate.value.name().to_owned();
            Ok(Row { value, nodes, seconds, certificate: Some(told) })
        }
        Err(ProveError::Stopped { .. }) if means.stop.is_stopped() => Err(Interrupted.into()),
        Err(ProveError::Stopped { .. }) => {
            Ok(Row { value: "open".to_owned(), nodes, seconds, certificate: None })
        }
        Err(error) => Err(error.into()),
    }
}

fn csv(games: &[Rules], rows: &BTreeMap<String, Row>, plan: &Plan) -> String {
    let mut text = HEAD.to_owned();
    for game in games.iter().map(ToString::to_string) {
        let Some(Row { value, nodes, seconds, certificate }) = rows.get(&game) else { continue };
        let [printed, source] = plan.printed.get(&game).cloned().unwrap_or_default();
        let _ = write!(text, "\"{game}\",{value},{printed},\"{source}\",{nodes},{seconds:.2},");
        let _ = match certificate {
            Some((bytes, positions, digest)) => writeln!(text, "{bytes},{positions},{digest}"),
            None => writeln!(text, ",,"),
        };
    }
    text
}

/// The rows of an earlier run.
fn read_rows(table: &Path) -> Result<BTreeMap<String, Row>> {
    let mut rows = BTreeMap::new();
    if !table.exists() {
        return Ok(rows);
    }
    let name = || table.display().to_string();
    let text = read_text_file(table, MAX_BYTES)?;
    for (number, line) in text.lines().enumerate().skip(1) {
        let row = read_row(line).with_context(|| {
            format!(
                "{} line {}: not a row of an atlas: remove the file to begin afresh",
                name(),
                number + 1
            )
        })?;
        rows.insert(row.0, row.1);
    }
    Ok(rows)
}

fn read_row(line: &str) -> Option<(String, Row)> {
    let (game, rest) = line.strip_prefix('"')?.split_once("\",")?;
    let (value, rest) = rest.split_once(',')?;
    // The printed value and its source, in quotes, come from the plan.
    let (_, rest) = rest.split_once("\",")?;
    let fields: Vec<&str> = rest.split(',').collect();
    let [nodes, seconds, bytes, positions, digest] = fields[..] else { return None };
    let certificate = match digest {
        "" => None,
        digest => Some((bytes.parse().ok()?, positions.parse().ok()?, digest.to_owned())),
    };
    let row = Row {
        value: value.to_owned(),
        nodes: nodes.parse().ok()?,
        seconds: seconds.parse().ok()?,
        certificate,
    };
    Some((game.to_owned(), row))
}

/// Whether a file of the folder is a certificate that holds, with its game and value.
pub(super) fn recheck(folder: &Path) -> Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    let mut checked = 0;
    for entry in entries {
        let path = entry?.path();
        if path.extension().is_some_and(|ending| ending == "proof") {
            let name = || path.display().to_string();
            let certificate =
                Certificate::from_bytes(&read_file(&path, MAX_BYTES)?).with_context(name)?;
            check(&certificate).map_err(|error| Failed(format!("{}: refused: {error}", name())))?;
            checked += 1;
        }
    }
    report::line(format_args!("{}: {checked} certificates hold", folder.display()))
}
