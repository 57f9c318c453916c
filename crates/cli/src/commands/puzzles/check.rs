//! `collinear puzzles check`: a set of puzzles proved once more.

use std::path::PathBuf;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use collinear_agents::puzzles::{Attempt, Checked, Entry, Finder, Theme, order, read_set, verify};
use collinear_play::read_text_file;
use indicatif::ProgressBar;
use rayon::prelude::*;
use serde_json::json;

use crate::report;

/// A set may have this many bytes.
const MAX_BYTES: u64 = 1 << 26;

#[derive(clap::Args)]
#[command(after_help = "Example: collinear puzzles check gomoku.txt --levels 200 --seed 7")]
pub(super) struct Check {
    /// A set that `collinear puzzles make` has written
    file: PathBuf,
    /// Let the levels try this many puzzles of the set again, and compare with the ratings
    #[arg(long, default_value_t = 0, value_name = "N")]
    levels: usize,
    /// Check only so many, spread evenly over the set
    #[arg(long, value_name = "N")]
    sample: Option<usize>,
    /// Seed for the turns of the levels: another one than that of the set
    #[arg(long, default_value_t = 2)]
    seed: u64,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

impl Check {
    pub(super) fn run(&self) -> Result<()> {
        let text = read_text_file(&self.file, MAX_BYTES)?;
        let set = read_set(&text).with_context(|| self.file.display().to_string())?;
        if set.is_empty() {
            bail!("{} has no puzzles", self.file.display());
        }
        let started = Instant::now();
        let wanted = spread(&set, self.sample.unwrap_or(set.len()));
        let bar = ProgressBar::new(wanted.len() as u64);
        let checked: Vec<Result<Checked, String>> = wanted
            .par_iter()
            .map(|entry| {
                let checked = verify(&mut Finder::new(entry.position.rules(), self.seed), entry);
                bar.inc(1);
                checked
            })
            .collect();
        bar.finish_and_clear();
        let wrong: Vec<&String> = checked.iter().filter_map(|found| found.as_ref().err()).collect();
        for words in &wrong {
            report::note(words);
        }
        let seconds = started.elapsed().as_secs_f64();
        let twice = checked.iter().filter(|found| **found == Ok(Checked::ScoredTwice)).count();
        let (pairs, agree) = self.order(&set);
        let themes: Vec<(char, usize)> = Theme::ALL
            .iter()
            .map(|(theme, letter)| {
                (*letter, set.iter().filter(|e| e.themes.contains(theme)).count())
            })
            .filter(|(_, count)| *count > 0)
            .collect();
        let ratings = (set.first().map(|e| e.rating), set.last().map(|e| e.rating));
        if self.json {
            let themes: serde_json::Map<_, _> =
                themes.iter().map(|(letter, count)| (letter.to_string(), json!(count))).collect();
            report::line(json!({
                "puzzles": set.len(), "checked": wanted.len(), "wrong": wrong.len(),
                "slow_solver": twice, "bytes": text.len(), "seconds": seconds,
                "pairs": pairs, "agree": agree, "themes": themes,
                "lowest": ratings.0, "highest": ratings.1,
            }))?;
        } else {
            report::line(format_args!(
                "{} of {} puzzles proved again, {twice} by the slow solver too; {} bytes, {seconds:.0} s",
                wanted.len() - wrong.len(),
                wanted.len(),
                text.len()
            ))?;
            let themes: Vec<String> =
                themes.iter().map(|(letter, count)| format!("{letter} {count}")).collect();
            report::line(format_args!("themes: {}", themes.join(", ")))?;
            if pairs > 0 {
                report::line(format_args!(
                    "{agree} of {pairs} pairs in the order of the levels ({:.1} %)",
                    100.0 * agree as f64 / pairs as f64
                ))?;
            }
        }
        if !wrong.is_empty() {
            bail!("{} puzzles are not what the set says", wrong.len());
        }
        Ok(())
    }

    /// Pairs of puzzles that levels find unequally hard, and those whose ratings say the same.
    fn order(&self, set: &[Entry]) -> (u64, u64) {
        let wanted = spread(set, self.levels);
        let bar = ProgressBar::new(wanted.len() as u64);
        let tried: Vec<(u16, Vec<Attempt>)> = wanted
            .par_iter()
            .map(|entry| {
                let mut finder = Finder::new(entry.position.rules(), self.seed);
                let attempts = finder.attempts(entry, self.seed);
                bar.inc(1);
                (entry.rating, attempts)
            })
            .collect();
        bar.finish_and_clear();
        order(&tried)
    }
}

/// So many puzzles of a set, spread evenly.
fn spread(set: &[Entry], count: usize) -> Vec<&Entry> {
    let count = count.min(set.len());
    (0..count).map(|at| &set[at * set.len() / count]).collect()
}
