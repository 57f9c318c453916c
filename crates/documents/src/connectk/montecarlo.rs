//! The cell that wins most random games (document 000, §3.3, Monte Carlo), with results kept from
//! stone to stone and turn to turn (its §6).
//!
//! `policy=even` gives every cell the same number of games, as the document does; `bound` spends
//! more on promising cells. Random games are local unless `local=0`, and each of them counts for
//! all cells its player took (`share`). A budget of nodes counts random games.
//!
//! The authors' program took the ten cells that Sequences likes best, and 1,000 random games for each
//! of them: `candidates=sequences,playouts=10000,policy=even,local=0,share=0,keep=false,slip`. Its
//! random games have a [slip](Sampling::slip) in favour of the player to move.

use crate::connectk::sequences::Sequences;
use crate::search::{Appraise, MonteCarlo, Noise, Policy, Sampling};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Line, OptionSpec, Options, Report, Turn,
    Value,
};
use collinear_rules::{Cell, Position, Rules};
use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::search::listed::turns_to_go;

const PLAYOUTS: OptionSpec =
    OptionSpec::int("playouts", 1..=1_000_000_000, 5000).help("random games for each stone");
const NEAR: OptionSpec =
    OptionSpec::int("near", 0..=64, 1).help("only cells this near to a stone; 0 means all");
const CANDIDATES: OptionSpec = OptionSpec::choice("candidates", &["near", "sequences"], "near")
    .help(
        "cells that get random games: those near stones, or the best by the utility of sequences, \
         against threats only the best",
    );
const TOP: OptionSpec =
    OptionSpec::int("top", 1..=4096, 10).help("how many cells candidates=sequences takes");
const SLIP: OptionSpec = OptionSpec::bool("slip", false).help(
    "random games begin with a stone that is not counted, as in the document's program: the \
     player to move has one too many",
);
const POLICY: OptionSpec = OptionSpec::choice("policy", &["even", "bound"], "bound")
    .help("which cell gets the next random game");
const KEEP: OptionSpec =
    OptionSpec::bool("keep", true).help("use the results of random games again for later stones");

const LOCAL: OptionSpec = OptionSpec::int("local", 0..=64, 1)
    .help("stones of random games fall within this many steps of others; 0 means anywhere");
const SHARE: OptionSpec = OptionSpec::float("share", 0.0..=1e6, 300.0)
    .help("own games that weigh as much as games with a later stone on the cell; 0 is without");
const EXPLORE: OptionSpec = OptionSpec::float("explore", 0.0..=10.0, 0.5)
    .help("how wide the confidence bound of policy=bound looks");

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "the cell that wins most random games",
    source: "document 000, §3.3 Monte Carlo and §6",
    options: &[PLAYOUTS, CANDIDATES, TOP, NEAR, LOCAL, POLICY, KEEP, SHARE, EXPLORE, SLIP],
    ..AgentSpec::new("montecarlo", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let sampling = Sampling {
        playouts: options.int(PLAYOUTS.name) as u64,
        near: options.int(NEAR.name) as usize,
        policy: if options.text(POLICY.name) == "even" { Policy::Even } else { Policy::Bound },
        keep: options.bool(KEEP.name),
        share: options.float(SHARE.name),
        explore: options.float(EXPLORE.name),
        slip: options.bool(SLIP.name),
    };
    let by_sequences = options.text(CANDIDATES.name) == "sequences";
    let geometry = Position::new(*rules).geometry().clone();
    Ok(Box::new(Sampler {
        sampling,
        carlo: MonteCarlo::local(geometry, options.int(LOCAL.name) as usize),
        adviser: by_sequences.then(|| Sequences::standard(*rules)),
        top: options.int(TOP.name) as usize,
        random: Xoshiro256PlusPlus::seed_from_u64(seed),
    }))
}

struct Sampler {
    sampling: Sampling,
    carlo: MonteCarlo,
    /// Who names the candidates, if not their distance to other stones.
    adviser: Option<Sequences>,
    top: usize,
    random: Xoshiro256PlusPlus,
}

impl Sampler {
    /// The cells that the adviser likes best, where there is one.
    fn advised(&mut self, position: &Position) -> Option<Vec<Cell>> {
        let adviser = self.adviser.as_mut()?;
        adviser.load(position);
        let mut list = Vec::new();
        adviser.list(position, &mut list);
        let most = if adviser.is_threatened(position) { 1 } else { self.top };
        Noise::new(position.rules().cells(), self.random.next_u64()).sort(&mut list, most);
        Some(list.into_iter().map(|candidate| candidate.cell).collect())
    }
}

impl Agent for Sampler {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let meter = budget.start(turns_to_go(position));
        let mut sampling = self.sampling;
        if let Some(nodes) = budget.nodes {
            // The budget is for the turn: every stone gets its share.
            sampling.playouts =
                sampling.playouts.min(nodes.div_ceil(position.stones_left() as u64));
        }
        let player = position.to_move();
        let mut ahead = position.clone();
        let mut turn = Turn::new();
        let mut games = 0;
        while ahead.to_move() == player && !ahead.is_over() {
            let mut sampling = sampling;
            let best = match self.advised(&ahead) {
                None => self.carlo.stone(&ahead, &sampling, &meter, &mut self.random, &mut games),
                Some(cells) => {
                    // One cell needs no games to be the best.
                    if cells.len() == 1 {
                        sampling.playouts = 0;
                    }
                    self.carlo.stone_among(
                        &cells,
                        &ahead,
                        &sampling,
                        &meter,
                        &mut self.random,
                        &mut games,
                    )
                }
            };
            let Some(best) = best.first() else { break };
            ahead.play_unchecked(best.cell);
            turn.push(best.cell);
            on(&Report {
                depth: turn.len() as u32,
                nodes: games,
                elapsed: meter.elapsed(),
                lines: vec![Line {
                    value: Value::Chance(best.chance as f32),
                    stones: turn.clone(),
                }],
                note: Some(format!("{} random games for the last stone", best.games)),
            });
        }
        if turn.is_empty() { Err(AgentError::GameOver) } else { Ok(turn) }
    }

    fn new_game(&mut self) {
        self.carlo.clear();
    }
}
