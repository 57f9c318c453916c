//! What the agent says while it thinks, for people (`MESSAGE`) and for programs that asked for it
//! (`INFO SHOW_DETAIL`).
//!
//! People read the messages in the logs of their GUIs: one per depth, and the last one before the
//! turn. Programs that did not ask get no line that begins with INFO: some take every line they do
//! not know for a turn.

use std::fmt::Write as _;

use collinear_play::{Line, Report, Value};
use collinear_rules::{Cell, Rules, notation};

use crate::gomocup::{EVAL_SCALE, turn};

/// The value of a chance on the scale of GUIs.
fn eval_of(chance: f32) -> f64 {
    let chance = f64::from(chance).clamp(1e-4, 1.0 - 1e-4);
    EVAL_SCALE * (chance / (1.0 - chance)).ln()
}

/// The chance of a value on the scale of GUIs.
pub(super) fn chance_of(eval: f64) -> f32 {
    (1.0 / (1.0 + (-eval / EVAL_SCALE).exp())) as f32
}

/// How cells are named to people.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Names {
    /// Letter of the column, number of the row from the bottom.
    Usual,
    /// Points are a row from the top and a column, as Yixin-Board counts.
    RowFirst,
}

impl Names {
    fn list(self, rules: &Rules, cells: &[Cell]) -> String {
        match self {
            Self::Usual => notation::names(rules, cells),
            Self::RowFirst => {
                let name = |&cell: &Cell| {
                    let (from_top, across) =
                        (rules.column(cell), rules.height() - 1 - rules.row(cell));
                    format!("{}{}", notation::column_name(across), rules.width() - from_top)
                };
                cells.iter().map(name).collect::<Vec<_>>().join(" ")
            }
        }
    }
}

/// What a program has asked to hear, by the bits of `show_detail`.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Details(pub(super) u8);

impl Details {
    /// The cells that are being looked at, for colours on the board.
    const fn realtime(self) -> bool {
        self.0 & 1 != 0
    }

    /// Blocks of INFO lines.
    const fn analysis(self) -> bool {
        self.0 & 2 != 0
    }
}

/// The last thing the agent said in this turn, and how much of it was passed on.
#[derive(Default)]
pub(super) struct Thinking {
    last: Report,
    /// Depth of the last message.
    told: u32,
    shown: Option<Cell>,
}

impl Thinking {
    /// The value of the best line so far.
    pub(super) fn value(&self) -> Option<Value> {
        self.last.lines.first().map(|line| line.value)
    }

    /// The best lines so far.
    pub(super) fn lines(&self) -> &[Line] {
        &self.last.lines
    }

    /// Takes a report: the lines to say now.
    pub(super) fn hear(
        &mut self,
        report: Report,
        rules: &Rules,
        names: Names,
        details: Details,
    ) -> Vec<String> {
        let mut said = Vec::new();
        // A deeper search begins: what was said of the one before is its result.
        if report.depth > self.last.depth {
            said.extend(self.tell(rules, names));
        }
        let lines = if report.lines.is_empty() {
            std::mem::take(&mut self.last.lines)
        } else {
            report.lines
        };
        self.last = Report { lines, ..report };
        let best = self.last.lines.first().and_then(|line| line.stones.first().copied());
        if details.realtime() && best.is_some() && best != self.shown {
            self.shown = best;
            said.push("MESSAGE REALTIME REFRESH".to_owned());
            said.extend(best.map(|cell| format!("MESSAGE REALTIME BEST {}", turn(rules, &[cell]))));
        }
        if details.analysis() {
            said.extend(analysis(&self.last, rules));
        }
        said
    }

    /// The message about what has not been told yet.
    pub(super) fn tell(&mut self, rules: &Rules, names: Names) -> Vec<String> {
        let several = self.last.lines.len() > 1;
        if self.last.depth == self.told {
            return Vec::new();
        }
        self.told = self.last.depth;
        let cost = format!(
            "Nodes {} | Speed {} | Time {}ms",
            self.last.nodes,
            speed(&self.last),
            self.last.elapsed.as_millis()
        );
        let numbered = self.last.lines.iter().enumerate().map(|(nth, line)| {
            let mut text = "MESSAGE ".to_owned();
            if several {
                let _ = write!(text, "({}) ", nth + 1);
            }
            let (depth, worth) = (self.last.depth, worth(line.value));
            let cells = names.list(rules, &line.stones);
            let _ = write!(text, "Depth {depth} | {worth} | {cost} | {cells}");
            text
        });
        numbered.collect()
    }
}

fn speed(report: &Report) -> u64 {
    (report.nodes as f64 / report.elapsed.as_secs_f64().max(1e-3)) as u64
}

fn worth(value: Value) -> String {
    let eval = eval(value);
    match value {
        Value::WinsIn(turns) => format!("Eval {eval} | Win in {turns}"),
        Value::LosesIn(turns) => format!("Eval {eval} | Loss in {turns}"),
        Value::Draw => format!("Eval {eval} | Draw"),
        Value::Chance(chance) => format!("Eval {eval} | Chance {:.1} %", 100.0 * chance),
    }
}

/// A value as GUIs know it: wins and losses are counted in plies.
fn eval(value: Value) -> String {
    match value {
        Value::WinsIn(turns) => format!("+M{}", 2 * u32::from(turns) - u32::from(turns > 0)),
        Value::LosesIn(turns) => format!("-M{}", 2 * u32::from(turns)),
        value => format!("{:.0}", eval_of(value.chance())),
    }
}

/// The block of INFO lines for every line of play.
fn analysis(report: &Report, rules: &Rules) -> Vec<String> {
    let Report { depth, nodes, elapsed, lines, .. } = report;
    let mut said = Vec::new();
    for (nth, line) in lines.iter().enumerate() {
        said.extend([
            format!("INFO PV {nth}"),
            format!("INFO NUMPV {}", lines.len()),
            format!("INFO DEPTH {depth}"),
            format!("INFO SELDEPTH {}", line.stones.len().max(*depth as usize)),
            format!("INFO NODES {nodes}"),
            format!("INFO TOTALNODES {nodes}"),
            format!("INFO TOTALTIME {}", elapsed.as_millis()),
            format!("INFO SPEED {}", speed(report)),
            format!("INFO EVAL {}", eval(line.value)),
            format!("INFO WINRATE {:.4}", line.value.chance()),
            format!("INFO BESTLINE {}", turn(rules, &line.stones)),
            "INFO PV DONE".to_owned(),
        ]);
    }
    said
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_guis_go_both_ways() {
        for chance in [0.01, 0.3, 0.5, 0.77, 0.99] {
            assert!((chance_of(eval_of(chance)) - chance).abs() < 1e-4);
        }
        assert!((chance_of(0.0) - 0.5).abs() < 1e-6);
    }

    #[test]
    fn the_deepest_search_is_told_once() {
        let rules = Rules::GOMOKU;
        let cell = rules.cell(0, 14).expect("a cell");
        let report = |depth, chance| Report {
            depth,
            lines: vec![Line { value: Value::Chance(chance), stones: vec![cell] }],
            ..Report::default()
        };
        let mut thinking = Thinking::default();
        let mut hear = |depth, chance| {
            thinking.hear(report(depth, chance), &rules, Names::RowFirst, Details(0))
        };
        assert!(hear(1, 0.5).is_empty());
        assert!(hear(1, 0.6).is_empty());
        let said = hear(2, 0.5);
        // Row 0 from the top, column 0.
        assert_eq!(
            said,
            ["MESSAGE Depth 1 | Eval 81 | Chance 60.0 % | Nodes 0 | Speed 0 | Time 0ms | a15"]
        );
        assert_eq!(thinking.tell(&rules, Names::Usual).len(), 1);
        assert!(thinking.tell(&rules, Names::Usual).is_empty());
    }
}
