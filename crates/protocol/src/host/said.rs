//! What an engine for Gomocup's managers says of a position while it thinks. No standard, but habits:
//!
//! ```text
//! Rapfi      MESSAGE Depth 12-20 | Eval 34 | Time 300ms | H8 I9
//! Yixin      MESSAGE depth 12-20 ev 34 n 100K n/ms 600 tm 300 pv H8 I9
//! PentaZen   MESSAGE Dep 12-20    Ev +34    Nd  12m    Tm 300    Sp 600
//! Carbon     MESSAGE eval 34, depth 12, nodes 100, speed 600
//! analysis   INFO EVAL 34      INFO WINRATE 0.54      INFO DEPTH 12
//! a win or loss in plies: +M13, -M12, +V13
//! ```
//! A name and a number behind it are believed, whatever stands between them; the last one counts. An
//! evaluation is a logit in a unit of the engine's own.

use std::time::Duration;

use collinear_play::{Line, Report, Value};
use collinear_rules::Cell;

/// The last things said.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Said {
    value: Option<Value>,
    depth: u32,
    nodes: u64,
}

impl Said {
    /// Hears a line; `scale` is how much of the engine's evaluation is one logit.
    pub(super) fn hear(&mut self, line: &str, scale: f64) {
        let breaks = |sign: char| sign.is_whitespace() || "|:=,;()[]".contains(sign);
        let mut words = line.split(breaks).filter(|word| !word.is_empty()).peekable();
        let speaks = words.next().is_some_and(|word| {
            ["message", "debug", "info"].iter().any(|known| word.eq_ignore_ascii_case(known))
        });
        if !speaks {
            return;
        }
        while let Some(word) = words.next() {
            let Some(number) = words.peek() else { break };
            match word.to_ascii_lowercase().as_str() {
                "eval" | "ev" => self.value = evaluation(number, scale).or(self.value),
                "winrate" => self.value = share(number).or(self.value),
                "depth" | "dep" => {
                    let nominal = number.split('-').next().and_then(|depth| depth.parse().ok());
                    self.depth = nominal.unwrap_or(self.depth);
                }
                "nodes" | "node" | "nd" | "n" | "visit" => {
                    self.nodes = count(number).unwrap_or(self.nodes);
                }
                _ => {}
            }
        }
    }

    /// All of it with the turn that followed, if there was a value.
    pub(super) fn report(self, turn: &[Cell], elapsed: Duration) -> Option<Report> {
        let lines = vec![Line { value: self.value?, stones: turn.to_vec() }];
        Some(Report { depth: self.depth, nodes: self.nodes, elapsed, lines, ..Report::default() })
    }
}

/// `34`, `-12.5`, `+M13`.
fn evaluation(text: &str, scale: f64) -> Option<Value> {
    let (wins, size) = match text.strip_prefix('-') {
        Some(size) => (false, size),
        None => (true, text.strip_prefix('+').unwrap_or(text)),
    };
    if let Some(plies) = size.strip_prefix(['M', 'm', 'V', 'v', '#']) {
        let plies: u16 = plies.parse().ok()?;
        return Some(if wins {
            Value::WinsIn(plies.div_ceil(2).max(1))
        } else {
            Value::LosesIn((plies / 2).max(1))
        });
    }
    // No word such as `inf` or `nan`.
    let size: f64 =
        size.starts_with(|sign: char| sign.is_ascii_digit()).then(|| size.parse())?.ok()?;
    let logit = if wins { size } else { -size } / scale;
    Some(Value::Chance((1.0 / (1.0 + (-logit).exp())) as f32))
}

fn share(text: &str) -> Option<Value> {
    let chance: f32 = text.parse().ok()?;
    (0.0..=1.0).contains(&chance).then_some(Value::Chance(chance))
}

/// `812`, `629K`, `12m`.
fn count(text: &str) -> Option<u64> {
    let digits = text.trim_end_matches(|sign: char| sign.is_ascii_alphabetic());
    let factor = match text[digits.len()..].to_ascii_lowercase().as_str() {
        "" => 1,
        "k" => 1_000,
        "m" => 1_000_000,
        "g" | "b" => 1_000_000_000,
        _ => return None,
    };
    digits.parse::<u64>().ok()?.checked_mul(factor)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heard(lines: &[&str]) -> Said {
        let mut said = Said::default();
        for line in lines {
            said.hear(line, 200.0);
        }
        said
    }

    #[test]
    fn the_habits_of_engines_are_understood() {
        let logit = |chance: f64| 200.0 * (chance / (1.0 - chance)).ln();
        for (line, eval, depth, nodes) in [
            ("MESSAGE Depth 12-20 | Eval 34 | Time 300ms | H8 I9", 34.0, 12, 0),
            (
                "MESSAGE Speed 629K | Depth 12-20 | Eval -34 | Node 188K | Time 300ms",
                -34.0,
                12,
                188_000,
            ),
            ("MESSAGE depth 12-20 ev 34 n 100K n/ms 600 tm 300 pv H8 I9", 34.0, 12, 100_000),
            ("MESSAGE Dep 12-20    Ev +34    Nd  12m    Tm 300    Sp 600", 34.0, 12, 12_000_000),
            ("DEBUG eval -5, depth 8, nodes 100, speed 600", -5.0, 8, 100),
            ("INFO EVAL 7", 7.0, 0, 0),
        ] {
            let said = heard(&[line]);
            let Some(Value::Chance(chance)) = said.value else { panic!("{line}: {said:?}") };
            assert!((logit(f64::from(chance)) - eval).abs() < 1e-3, "{line}: {chance}");
            assert_eq!((said.depth, said.nodes), (depth, nodes), "{line}");
        }
        for (line, value) in [
            ("MESSAGE Depth 9-13 | Eval +M13 | Time 3ms", Value::WinsIn(7)),
            ("MESSAGE Depth 9-13 | Eval -M12 | Time 3ms", Value::LosesIn(6)),
            ("MESSAGE Dep  1- 1    Ev +V1", Value::WinsIn(1)),
            ("INFO WINRATE 0.625", Value::Chance(0.625)),
        ] {
            assert_eq!(heard(&[line]).value, Some(value), "{line}");
        }
        for line in [
            "MESSAGE Eval VAL_NONE",
            "MESSAGE eval",
            "INFO WINRATE 62",
            "INFO WINRATE nan",
            "MESSAGE Eval inf",
            "MESSAGE Eval +M*",
            "7,7 eval 3",
            "",
        ] {
            assert_eq!(heard(&[line]), Said::default(), "{line}");
        }
    }

    #[test]
    fn the_last_value_counts_and_is_reported_with_the_turn() {
        let said = heard(&["MESSAGE eval 0 depth 3", "MESSAGE loading", "INFO WINRATE 0.25"]);
        let turn = [Cell::new(3)];
        let report = said.report(&turn, Duration::from_millis(5)).expect("a value");
        assert_eq!(report.lines, [Line { value: Value::Chance(0.25), stones: turn.to_vec() }]);
        assert_eq!((report.depth, report.elapsed.as_millis()), (3, 5));
        assert!(heard(&["MESSAGE depth 3"]).report(&turn, Duration::ZERO).is_none());
    }

    proptest! {
        #[test]
        fn whatever_is_said_a_chance_is_one(
            line in prop_oneof![
                "MESSAGE \\PC{0,60}",
                "INFO (eval|ev|winrate|depth|nodes) [-+]?[MV]?[0-9.e]{0,24}[kmgKMG]?",
            ],
            scale in 1.0..1e6_f64,
        ) {
            let mut said = Said::default();
            said.hear(&line, scale);
            if let Some(value) = said.value {
                prop_assert!((0.0..=1.0).contains(&value.chance()), "{line}: {value:?}");
            }
        }
    }
}
