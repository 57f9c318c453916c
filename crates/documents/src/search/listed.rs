//! Every agent that can list cells with utilities plays alone and with search: the options
//! `depth`, `unit`, `width` and `parallel` are the same for all of them (document 000, §4).

use crate::search::{AlphaBeta, Appraise, BestTurn, Depth, Noise, Score};
use collinear_play::{
    Agent, AgentError, Budget, Line, Meter, OptionSpec, Options, Report, Turn, Value,
};
use collinear_rules::{Cell, Position};
use rand::{RngCore, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// How far to look.
pub(crate) const DEPTH: OptionSpec = OptionSpec::int("depth", 1..=64, 1)
    .help("how far to look ahead; 1 stone is the agent without search");
/// What depth counts.
pub(crate) const UNIT: OptionSpec =
    OptionSpec::choice("unit", &["stones", "turns"], "stones").help("what depth counts");
/// How many cells to search.
pub(crate) const WIDTH: OptionSpec = OptionSpec::int("width", 1..=4096, 8)
    .help("how many of the best cells to search for each stone");
/// Whether the width gives way to ties.
pub(crate) const TIES: OptionSpec = OptionSpec::bool("ties", false)
    .help("search every cell that is as good as the best too, whatever the width");
/// Whether a turn is searched once.
pub(crate) const ANEW: OptionSpec = OptionSpec::bool("anew", false)
    .help("search again for each stone of the turn, as deep as for the first");
/// Whether to use all cores.
pub(crate) const PARALLEL: OptionSpec = OptionSpec::bool("parallel", false)
    .help("search the alternatives for the first stone side by side; the turn is the same");

/// Reads the options of the search.
pub(crate) fn search_of(options: &Options) -> AlphaBeta {
    let depth = options.int(DEPTH.name) as u32;
    AlphaBeta {
        depth: match options.text(UNIT.name) {
            "turns" => Depth::Turns(depth),
            _ => Depth::Stones(depth),
        },
        width: options.int(WIDTH.name) as usize,
        ties: options.bool(TIES.name),
        anew: options.bool(ANEW.name),
        parallel: options.bool(PARALLEL.name),
    }
}

/// The scale of utilities that only compare cells and say nothing about who is ahead: the chance
/// in reports is one half until a row decides.
pub(crate) const NO_CHANCE: f64 = f64::INFINITY;

/// An agent made of an appraiser and the search over its lists.
pub(crate) struct Listed<A> {
    pub(crate) appraiser: A,
    pub(crate) search: AlphaBeta,
    /// The utility that means odds of e to 1, for reports.
    pub(crate) scale: f64,
    random: Xoshiro256PlusPlus,
}

impl<A: Appraise> Listed<A> {
    /// Equal utilities are decided by the seed.
    pub(crate) fn new(appraiser: A, search: AlphaBeta, scale: f64, seed: u64) -> Self {
        Self { appraiser, search, scale, random: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }
}

impl<A: Appraise> Agent for Listed<A> {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let noise = Noise::new(position.rules().cells(), self.random.next_u64());
        let meter = budget.start(turns_to_go(position));
        let mut search = self.search;
        if let Some(most) = budget.depth {
            search.depth = Depth::Stones(search.depth.stones(position).min(most));
        }
        let (scale, player) = (self.scale, position.to_move());
        let (mut ahead, mut turn, mut spent) = (position.clone(), Turn::new(), 0);
        loop {
            let mut last = None;
            let found = search
                .search(&ahead, &mut self.appraiser, &noise, &meter, spent, &mut |found| {
                    on(&report(&ahead, &turn, found, &meter, scale));
                    last = Some((found.depth, found.nodes));
                })
                .ok_or(AgentError::GameOver)?;
            if last != Some((found.depth, found.nodes)) {
                on(&report(&ahead, &turn, &found, &meter, scale));
            }
            spent = found.nodes;
            if !self.search.anew || meter.is_spent(spent) {
                turn.extend(found.turn);
                return Ok(turn);
            }
            ahead.play_unchecked(found.turn[0]);
            turn.push(found.turn[0]);
            if ahead.is_over() || ahead.to_move() != player {
                return Ok(turn);
            }
        }
    }
}

/// A guess for how many own turns a clock must serve: half of the empty board, but no more than
/// games usually last.
pub(crate) fn turns_to_go(position: &Position) -> u32 {
    (position.empty_count() / (4 * position.rules().p())).clamp(2, 30) as u32
}

/// What was found behind the stones of the turn that are chosen already.
fn report(
    position: &Position,
    chosen: &[Cell],
    found: &BestTurn,
    meter: &Meter,
    scale: f64,
) -> Report {
    let line = if found.line.len() < found.turn.len() { &found.turn } else { &found.line };
    let stones: Vec<Cell> = chosen.iter().chain(line).copied().collect();
    Report {
        depth: found.depth,
        nodes: found.nodes,
        elapsed: meter.elapsed(),
        lines: vec![Line { value: value(position, found.score, scale), stones }],
        note: None,
    }
}

/// A score in the words of reports.
pub(crate) fn value(position: &Position, score: Score, scale: f64) -> Value {
    let Some((own, stones)) = score.decided() else {
        let chance = 1.0 / (1.0 + (-(score.get() as f64) / scale).exp());
        return Value::Chance(chance as f32);
    };
    // Turns after the present one until the row is there.
    let later = stones.saturating_sub(position.stones_left()).div_ceil(position.rules().p());
    if own { Value::WinsIn(later as u16 / 2 + 1) } else { Value::LosesIn(later as u16 / 2 + 1) }
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;

    #[test]
    fn scores_become_turns() {
        let mut position = Position::new(Rules::CONNECT6);
        position.play(Cell::new(0)).expect("legal");
        // White to move with two stones: 1 2 | 3 4 | 5 6 are White, Black, White.
        let of = |score| value(&position, score, 1.0);
        assert_eq!(of(Score::win(1)), Value::WinsIn(1));
        assert_eq!(of(Score::win(2)), Value::WinsIn(1));
        assert_eq!(of(-Score::win(3)), Value::LosesIn(1));
        assert_eq!(of(Score::win(5)), Value::WinsIn(2));
        assert_eq!(of(-Score::win(8)), Value::LosesIn(2));
        assert_eq!(of(Score::EVEN), Value::Chance(0.5));
        let lead = Score::of(1_000_000);
        assert_eq!(value(&position, lead, NO_CHANCE), Value::Chance(0.5));
        assert_eq!(value(&position, Score::win(1), NO_CHANCE), Value::WinsIn(1));
    }
}
