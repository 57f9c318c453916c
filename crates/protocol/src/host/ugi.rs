//! The native protocol from the host's side.

use std::time::Duration;

use collinear_play::{Line, Report, Turn, Value};
use collinear_rules::{Rules, notation};

use super::fault::EngineFault;
use super::link::{Conventions, Heard, Link};
use super::{Ask, Speaker};
use crate::quote::short;
use crate::ugi::{write_go, write_position};

pub(super) struct Ugi;

impl Speaker for Ugi {
    fn hello(&mut self, link: &mut Link, rules: &Rules) -> Result<(), EngineFault> {
        link.say("ugi")?;
        link.await_answer(|line| if line == "ugiok" { Heard::Answer(()) } else { Heard::Chatter })?;
        link.say(&format!("setoption name Rules value {rules}"))?;
        ready(link)
    }

    fn new_game(&mut self, link: &mut Link, _: &Rules) -> Result<(), EngineFault> {
        link.say("uginewgame")?;
        ready(link)
    }

    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, EngineFault> {
        let rules = *ask.position.rules();
        link.say(&write_position(ask.position))?;
        link.say(&write_go(ask.budget, ask.position.to_move()))?;
        link.await_answer(|line| {
            let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
            match word {
                "bestmove" => match turn(&rules, rest, line) {
                    Ok(stones) => Heard::Answer(stones),
                    Err(fault) => Heard::EngineFault(fault),
                },
                "info" => {
                    if let Some(report) = report(&rules, rest) {
                        on(&report);
                    }
                    Heard::Chatter
                }
                _ => refusal(line),
            }
        })
    }

    fn conventions(&self) -> Conventions {
        Conventions { goodbye: "quit", stop: Some("stop"), pause: Duration::ZERO }
    }
}

fn ready(link: &mut Link) -> Result<(), EngineFault> {
    link.say("isready")?;
    link.await_answer(|line| if line == "readyok" { Heard::Answer(()) } else { refusal(line) })
}

fn refusal<T>(line: &str) -> Heard<T> {
    let refused = line == "error" || line.starts_with("error ");
    if refused {
        Heard::EngineFault(EngineFault::Refused { said: short(line) })
    } else {
        Heard::Chatter
    }
}

fn turn(rules: &Rules, stones: &str, said: &str) -> Result<Turn, EngineFault> {
    // No turn has more stones than this; the rest would only fill memory.
    const MAX: usize = 65;
    let cells = stones.split_whitespace().take(MAX).map(|word| notation::parse(rules, word));
    cells.collect::<Result<Turn, _>>().map_err(|error| EngineFault::Garbage {
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
    use proptest::prelude::*;

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

    proptest! {
        #[test]
        fn whatever_is_said_stones_lie_on_the_board(
            text in prop_oneof![
                "\\PC{0,60}",
                "((depth|nodes|time|chance|wins|loses|draw|pv|[a-z][0-9]{1,2}|[-0-9.e]{1,22}) ){0,12}",
            ],
        ) {
            let cells = Rules::GOMOKU.cells();
            let turn = turn(&Rules::GOMOKU, &text, &text).unwrap_or_default();
            let report = report(&Rules::GOMOKU, &text).unwrap_or_default();
            let stones = report.lines.iter().flat_map(|line| &line.stones).chain(&turn);
            prop_assert!(stones.into_iter().all(|cell| cell.index() < cells));
        }
    }
}
