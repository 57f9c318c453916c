//! Blocks the cells that serve many opposing windows (document 000, §3.3, Windows).
//!
//! Every window through a cell that the opponent could still fill counts 4^(its stones); with
//! `attack`, which is ours, own ones count too. A cell that lies in many promising windows of the opponent is
//! where the next stone hurts most. That is all the document says of it; `urgent` adds the cases
//! of Sequences (a win, a threat, more threats than can be stopped) in front.

use crate::search::{Appraise, Candidate};
use collinear_play::{Agent, AgentSpec, BuildError, OptionSpec, Options};
use collinear_rules::{Cell, Player, Position, Rules};

use crate::connectk::tactics::{Urgency, UrgentCases};
use crate::search::listed::{ANEW, DEPTH, Listed, PARALLEL, TIES, UNIT, WIDTH, search_of};

const ATTACK: OptionSpec = OptionSpec::float("attack", 0.0..=10.0, 0.0)
    .help("how much own windows count beside opposing ones; the document's agent only blocks");

const URGENT: OptionSpec = OptionSpec::bool("urgent", false)
    .help("wins, opposing threats and p+1 own threats come first, as in sequences");

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "blocks the cells that serve most opposing windows",
    source: "document 000, §3.3 Windows",
    options: &[ATTACK, URGENT, DEPTH, UNIT, WIDTH, TIES, ANEW, PARALLEL],
    ..AgentSpec::new("windows", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let attack = (options.float(ATTACK.name) * WORTH as f64).round() as i64;
    let urgent = options.bool(URGENT.name);
    let appraiser = Blocker { tactics: UrgentCases::new(*rules), attack, urgent };
    Ok(Box::new(Listed::new(appraiser, search_of(options), ODDS_SCALE, seed)))
}

/// One opposing window without stones in utilities.
const WORTH: i64 = 1000;
/// The utility that means odds of e to 1 in reports, a guess.
const ODDS_SCALE: f64 = 1000.0 * WORTH as f64;
/// Stones beyond which a window counts no more: 4^20 still fits beside the urgent cases.
const MAX_STONES: usize = 16;

#[derive(Clone)]
struct Blocker {
    tactics: UrgentCases,
    attack: i64,
    urgent: bool,
}

impl Blocker {
    /// Σ 4^stones over the player's open windows through a cell that hold a stone.
    fn service(&self, cell: Cell, player: Player) -> i64 {
        let windows = &self.tactics.windows;
        let k = windows.geometry().rules().k();
        let mut sum = 0;
        for at in windows.geometry().lines_through(cell) {
            let open = windows.live(at.line, player) & windows.windows_at(at);
            for stones in 1..=k.min(MAX_STONES) {
                let holding = open & windows.at_least(at.line, player, stones);
                if holding == 0 {
                    break;
                }
                let step = if stones == 1 { 4 } else { 3 << (2 * (stones - 1)) };
                sum += step * i64::from(holding.count_ones());
            }
        }
        sum
    }
}

impl Appraise for Blocker {
    fn load(&mut self, position: &Position) {
        self.tactics.windows.set(position);
    }

    fn place(&mut self, cell: Cell, player: Player) {
        self.tactics.windows.place(cell, player);
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        self.tactics.windows.remove(cell, player);
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let stakes = self.urgent.then(|| self.tactics.stakes(position));
        let mover = position.to_move();
        for cell in position.legal_cells() {
            let room = self.tactics.windows.geometry().windows_through(cell).count() as i64;
            let quiet = room
                + WORTH * self.service(cell, mover.opponent())
                + self.attack * self.service(cell, mover);
            let verdict = match &stakes {
                Some(stakes) => self.tactics.verdict(stakes, cell),
                None => Urgency::Quiet,
            };
            let utility = verdict.score(quiet);
            list.push(Candidate { cell, utility });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn service_is_the_sum_over_windows() {
        let rules: Rules = "9x9,k=5".parse().expect("rules");
        let mut position = Position::new(rules);
        for index in [40, 41, 31, 12, 42, 13, 22] {
            position.play(Cell::new(index)).expect("legal");
        }
        let mut blocker = Blocker { tactics: UrgentCases::new(rules), attack: 0, urgent: false };
        blocker.load(&position);
        let geometry = position.geometry();
        for cell in position.empty_cells() {
            for player in Player::BOTH {
                let expected: i64 = geometry
                    .windows_through(cell)
                    .filter(|&window| blocker.tactics.windows.is_live(window, player))
                    .map(|window| blocker.tactics.windows.count(window, player) as u32)
                    .filter(|&stones| stones > 0)
                    .map(|stones| 4_i64.pow(stones))
                    .sum();
                assert_eq!(blocker.service(cell, player), expected);
            }
        }
    }
}
