//! Generalised threats as a utility (document 000, §3.2 and §3.3, Threats): a stone is worth the
//! rows of both players that run through its cell, a longer row more than many shorter ones.
//!
//! The worth of a cell is a sum over its lines, and a line's part depends on that line's stones
//! alone. The parts are kept with the stones they were computed for, so after a stone only the
//! four lines whose words differ are computed again.
//!
//! Rows are counted as the document prints it (`reading=text`) or in one of three other readings,
//! see [`Reading`]. "If the agent can create a threat count greater than p, it will force a win":
//! a stone that leaves more own threats than the opponent has stones comes first (`force`); they
//! are counted like those of Sequences, by marks.
//!
//! With search the horizon can be judged in three ways: `balance`, ours, rows of the player to move
//! counted twice minus the opponent's; `difference`, as the authors' program, own rows minus
//! opposing ones; `list`, by the best utility of the player to move, whosever rows they are.

use std::sync::Arc;

use crate::connectk::{GeneralisedOptions, Priority, Reading, generalised_line};
use crate::search::{Appraise, Candidate, Score};
use collinear_play::{Agent, AgentSpec, BuildError, OptionSpec, Options};
use collinear_rules::{Cell, Geometry, Player, Position, Rules};

use crate::connectk::tactics::UrgentCases;
use crate::search::balanced::{Balance, Balanced};
use crate::search::listed::{ANEW, DEPTH, Listed, PARALLEL, TIES, UNIT, WIDTH, search_of};

const REPRIORITISE: OptionSpec = OptionSpec::choice("reprioritise", &["off", "own", "2007"], "off")
    .help(
        "what rows of k−p or more count: their stones; less if they are own ones that the stones \
         left cannot finish; or as in the authors' program",
    );
const READING: OptionSpec =
    OptionSpec::choice("reading", &["text", "completed", "loose", "apart"], "text").help(
        "rows as the document prints it; with short windows completed backwards as its program \
         does; with empty cells behind the cell in any case; or so and the players told apart",
    );
const FORCE: OptionSpec = OptionSpec::bool("force", true)
    .help("whether more own threats than the opponent has stones come before everything");
const HORIZON: OptionSpec =
    OptionSpec::choice("horizon", &["balance", "difference", "list"], "balance").help(
        "with depth > 1: own rows minus opposing ones, those of the player to move doubled or \
         not, or the best utility of the last list",
    );

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "builds and blocks the longest rows: generalised threats as utility",
    source: "document 000, §3.2 and §3.3 Threats",
    options: &[READING, FORCE, REPRIORITISE, HORIZON, DEPTH, UNIT, WIDTH, TIES, ANEW, PARALLEL],
    ..AgentSpec::new("threats", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let geometry = Position::new(*rules).geometry().clone();
    let threats = Threats {
        reprioritise: match options.text(REPRIORITISE.name) {
            "own" => Reprioritise::Own,
            "2007" => Reprioritise::Program,
            _ => Reprioritise::Off,
        },
        reading: match options.text(READING.name) {
            "completed" => Reading::Completed,
            "loose" => Reading::Loose,
            "apart" => Reading::Apart,
            _ => Reading::Text,
        },
        doubled: options.text(HORIZON.name) == "balance",
        force: options.bool(FORCE.name).then(|| UrgentCases::new(*rules)),
        sums: Vec::new(),
        geometry,
    };
    let search = search_of(options);
    let alone = options.int(DEPTH.name) == 1 && options.text(UNIT.name) == "stones";
    Ok(if alone || options.text(HORIZON.name) == "list" {
        Box::new(Listed::new(threats, search, ODDS_SCALE, seed))
    } else {
        Box::new(Listed::new(Balanced(threats), search, ODDS_SCALE, seed))
    })
}

/// The utility that means odds of e to 1 in reports: a row of four of six, a guess.
const ODDS_SCALE: f64 = (1 << 18) as f64;

/// Which rows of `k − p` or more count less.
#[derive(Clone, Copy)]
enum Reprioritise {
    Off,
    Own,
    Program,
}

#[derive(Clone)]
struct Threats {
    reprioritise: Reprioritise,
    reading: Reading,
    /// Whether the horizon counts rows of the player to move twice.
    doubled: bool,
    /// Counts the threats that force a win.
    force: Option<UrgentCases>,
    /// Sums by what is counted; a game needs few of them.
    sums: Vec<Sum>,
    geometry: Arc<Geometry>,
}

/// The worth of every cell, and what it was computed from.
#[derive(Clone)]
struct Sum {
    counts: GeneralisedOptions,
    worth: Vec<u128>,
    /// Per line the stones and the worth of its cells.
    parts: Vec<([u64; 2], Vec<u128>)>,
    total: u128,
}

impl Threats {
    /// The sum for what is to be counted, brought up to date.
    fn sum(&mut self, position: &Position, counts: GeneralisedOptions) -> &Sum {
        let at = self.sums.iter().position(|sum| sum.counts == counts).unwrap_or_else(|| {
            self.sums.push(Sum::new(&self.geometry, counts));
            self.sums.len() - 1
        });
        self.sums[at].update(position);
        &self.sums[at]
    }

    fn priority(&self, position: &Position) -> Priority {
        let (mover, left) = (position.to_move(), position.stones_left());
        match self.reprioritise {
            Reprioritise::Off => Priority::Stones,
            Reprioritise::Own => Priority::Unfinished { mover, left },
            Reprioritise::Program => Priority::Program { mover, left },
        }
    }

    fn utility(&self, worth: u128) -> Score {
        // Rows of up to nine leave the shortest one at 1; longer ones lose the lowest tiers.
        let excess = (6 * self.geometry.rules().k() as u32).min(125).saturating_sub(57);
        Score::of(i64::try_from(worth >> excess).unwrap_or(i64::MAX))
    }
}

impl Sum {
    fn new(geometry: &Geometry, counts: GeneralisedOptions) -> Self {
        let parts = geometry.lines().map(|line| {
            let cells = geometry.line_cells(line).len();
            ([0; 2], vec![0; cells])
        });
        Self { counts, worth: vec![0; geometry.rules().cells()], parts: parts.collect(), total: 0 }
    }

    fn update(&mut self, position: &Position) {
        let geometry = position.geometry();
        for (line, (stones, part)) in geometry.lines().zip(&mut self.parts) {
            let now = position.line(line);
            if *stones == now {
                continue;
            }
            let new = generalised_line(geometry, line, now, self.counts).worth;
            for ((cell, before), after) in
                geometry.line_cells(line).iter().zip(part.iter()).zip(&new)
            {
                self.worth[cell.index()] = self.worth[cell.index()] - before + after;
                self.total = self.total - before + after;
            }
            (*stones, *part) = (now, new);
        }
    }
}

impl Appraise for Threats {
    fn load(&mut self, position: &Position) {
        if let Some(tactics) = &mut self.force {
            tactics.windows.set(position);
        }
    }

    fn place(&mut self, cell: Cell, player: Player) {
        if let Some(tactics) = &mut self.force {
            tactics.windows.place(cell, player);
        }
    }

    fn remove(&mut self, cell: Cell, player: Player) {
        if let Some(tactics) = &mut self.force {
            tactics.windows.remove(cell, player);
        }
    }

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let priority = self.priority(position);
        let counts = GeneralisedOptions { only: None, priority, reading: self.reading };
        let rules = *position.rules();
        let mut force = self.force.take();
        let stakes = force.as_mut().map(|tactics| tactics.stakes(position));
        let sum = self.sum(position, counts).worth.clone();
        list.extend(position.legal_cells().into_iter().map(|cell| {
            // Before the first rows the middle is as good as anything.
            let worth = if position.stone_count() == 0 {
                (rules.cells() * 2 - crate::connectk::adjacent::from_centre(&rules, cell)) as u128
            } else {
                sum[cell.index()]
            };
            let mut utility = self.utility(worth);
            if let (Some(tactics), Some(stakes)) = (&mut force, &stakes)
                && tactics.forces(stakes, cell)
            {
                utility = Score::of(FORCED.get() + utility.get());
            }
            Candidate { cell, utility }
        }));
        self.force = force;
    }
}

/// Above every sum of rows: those are cut to 57 bits.
const FORCED: Score = Score::of(1 << 59);

/// The horizon judged by whose rows there are.
impl Balance for Threats {
    fn balance(&mut self, position: &Position, player: Player) -> Score {
        // The doubled one knows by itself who moves next.
        let priority = if self.doubled { Priority::Stones } else { self.priority(position) };
        let mut total = |only| {
            let counts = GeneralisedOptions { only: Some(only), priority, reading: self.reading };
            let total = self.sum(position, counts).total;
            self.utility(total).get()
        };
        let (own, opposing) = (total(player), total(player.opponent()));
        let next = self.doubled.then(|| position.to_move());
        let weigh = |worth: i64, owner: Player| if next == Some(owner) { 2 * worth } else { worth };
        Score::of(weigh(own, player) - weigh(opposing, player.opponent()))
    }
}

#[cfg(test)]
mod tests {
    use crate::connectk::generalised;
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(30))]

        #[test]
        fn kept_lines_equal_the_whole_board(
            game in prop::sample::select(vec!["9x7,k=5,p=2,q=1", "connect4", "6x6,k=4,p=3,q=1"]),
            reading in prop::sample::select(vec![
                Reading::Text, Reading::Completed, Reading::Loose, Reading::Apart,
            ]),
            picks in prop::collection::vec((0..100_usize, any::<bool>()), 1..40),
        ) {
            let mut position = Position::new(game.parse().expect(game));
            let mut threats = Threats {
                reprioritise: Reprioritise::Own,
                reading,
                doubled: true,
                force: None,
                sums: Vec::new(),
                geometry: position.geometry().clone(),
            };
            for (pick, back) in picks {
                if back {
                    position.undo();
                }
                let legal = position.legal_cells();
                if legal.is_empty() {
                    break;
                }
                position.play(legal[pick % legal.len()]).expect("legal");
                for only in [None, Some(Player::Black), Some(Player::White)] {
                    let priority = Priority::Program { mover: Player::White, left: 1 };
                    let counts = GeneralisedOptions { only, priority, reading };
                    let whole = generalised(&position, counts).worth;
                    let sum = threats.sum(&position, counts);
                    prop_assert_eq!(&sum.worth, &whole);
                    prop_assert_eq!(sum.total, whole.iter().sum::<u128>());
                }
            }
        }
    }
}
