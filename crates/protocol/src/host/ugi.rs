//! The native protocol from the host's side.

use std::time::Duration;

use collinear_play::{Line, Report, Turn, Value};
use collinear_rules::{Rules, notation};

use super::fault::Fault;
use super::link::Link;
use super::{Ask, Speaker};
use crate::quote::short;
use crate::ugi::{write_go, write_position};

pub(super) struct Ugi;

impl Speaker for Ugi {
    fn hello(&mut self, link: &mut Link, rules: &Rules) -> Result<(), Fault> {
        link.say("ugi")?;
        link.await_answer(|line| (line == "ugiok").then_some(Ok(())))?;
        link.say(&format!("setoption name Rules value {rules}"))?;
        link.say("isready")?;
        link.await_answer(|line| match line {
            "readyok" => Some(Ok(())),
            _ => refusal(line),
        })
    }

    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, Fault> {
        let rules = *ask.position.rules();
        if ask.news.is_none() {
            link.say("uginewgame")?;
        }
        link.say(&write_position(ask.position))?;
        link.say(&write_go(ask.budget, ask.position.to_move()))?;
        link.await_answer(|line| {
            if let Some(report) = line.strip_prefix("info ").and_then(|info| report(&rules, info)) {
                on(&report);
            }
            match line.strip_prefix("bestmove") {
                Some(stones) => Some(turn(&rules, stones, line)),
                None => refusal(line),
            }
        })
    }

    fn goodbye(&self) -> &'static str {
        "quit"
    }

    fn stop_word(&self) -> Option<&'static str> {
        Some("stop")
    }
}

fn refusal<T>(line: &str) -> Option<Result<T, Fault>> {
    let refused = line == "error" || line.starts_with("error ");
    refused.then(|| Err(Fault::Refused { said: short(line) }))
}

fn turn(rules: &Rules, stones: &str, said: &str) -> Result<Turn, Fault> {
    // No turn has more stones than this; the rest would only fill memory.
    const MOST: usize = 65;
    let cells = stones.split_whitespace().take(MOST).map(|word| notation::parse(rules, word));
    cells.collect::<Result<Turn, _>>().map_err(|error| Fault::Garbage {
        said: short(said),
        expected: format!("bestmove and cells such as j10 ({error})"),
    })
}

/// `depth 4 nodes 812 time 3 chance 0.55 pv d3 d4`; unknown words are passed over.
fn report(rules: &Rules, info: &str) -> Option<Report> {
    if let Some(note) = info.strip_prefix("string ") {
        return Some(Report { note: Some(note.to_owned()), ..Report::default() });
    }
    let mut report = Report::default();
    let mut value = None;
    let mut words = info.split_whitespace();
    while let Some(word) = words.next() {
        match word {
            "depth" => report.depth = words.next()?.parse().ok()?,
            "nodes" => report.nodes = words.next()?.parse().ok()?,
            "time" => report.elapsed = Duration::from_millis(words.next()?.parse().ok()?),
            "chance" => {
                let chance: f32 = words.next()?.parse().ok()?;
                value = (0.0..=1.0).contains(&chance).then_some(Value::Chance(chance));
            }
            "wins" => value = Some(Value::WinsIn(words.next()?.parse().ok()?)),
            "loses" => value = Some(Value::LosesIn(words.next()?.parse().ok()?)),
            "draw" => value = Some(Value::Draw),
            "pv" => {
                let stones: Result<_, _> =
                    words.by_ref().take(rules.cells()).map(|w| notation::parse(rules, w)).collect();
                report.lines = vec![Line { value: value?, stones: stones.ok()? }];
            }
            _ => {}
        }
    }
    Some(report)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn info_lines_become_reports() {
        let rules = Rules::CONNECT4;
        let info = "depth 4 nodes 812 time 3 line 1 chance 0.55 pv d3 d4";
        let report = report(&rules, info).expect("a report");
        assert_eq!((report.depth, report.nodes), (4, 812));
        assert_eq!(report.lines[0].stones.len(), 2);
        for bad in ["depth x", "depth", "nodes -1", "pv d3", "chance 7 pv d3", "wins 1 pv z99"] {
            assert_eq!(super::report(&rules, bad), None, "{bad}");
        }
    }
}
