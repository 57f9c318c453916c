//! The network as a guide for alpha-beta with one stone per turn.
//!
//! One evaluation by the network takes as long as a hundred nodes of the search, so only nodes with many
//! nodes below them ask for it. There the policy chooses and orders the stones; and what the network's
//! value differs from the static evaluation by is carried down to the leaves, whose evaluation it corrects.

use std::sync::Arc;

use collinear_rules::Rules;

use super::moves::Candidate;
use super::score::Score;
use crate::net::{BoardNet, Net};
use crate::{State, Weights};

/// The memory takes about this many bytes.
const MEMORY: usize = 8 << 20;

/// A network and what it said before; one per thread. What it says depends on the position alone, so
/// nothing has to be forgotten.
pub(super) struct Guide {
    net: BoardNet,
    cells: usize,
    /// Per slot the key of a position, the value for the player to move, and a logit for every cell, in
    /// 1/256. A key of zero is an empty slot.
    keys: Vec<u64>,
    values: Vec<i16>,
    logits: Vec<i16>,
}

/// What the network says about a position.
#[derive(Clone, Copy)]
pub(super) struct Advice<'a> {
    /// For the player to move, in 1/256 of a logit.
    pub(super) value: Score,
    logits: &'a [i16],
}

impl Guide {
    pub(super) fn new(rules: &Rules, net: &Arc<Net>) -> Self {
        let cells = rules.cells();
        let slots = 1 << (MEMORY / (cells * size_of::<i16>())).max(1).ilog2();
        Self {
            net: BoardNet::new(rules, net),
            cells,
            keys: vec![0; slots],
            values: vec![0; slots],
            logits: vec![0; slots * cells],
        }
    }

    /// What it says about the position on the board.
    pub(super) fn advise(&mut self, state: &State) -> Advice<'_> {
        let key = state.key();
        let slot = key as usize & (self.keys.len() - 1);
        let logits = &mut self.logits[slot * self.cells..][..self.cells];
        if self.keys[slot] != key {
            // The conversion stays within the range of the type.
            let fixed = |logit: f32| (logit * Weights::LOGIT as f32) as i16;
            self.keys[slot] = key;
            self.values[slot] = fixed(self.net.evaluate(state));
            for (kept, &logit) in logits.iter_mut().zip(self.net.policy()) {
                *kept = fixed(logit);
            }
        }
        Advice { value: Score::from(self.values[slot]), logits }
    }
}

impl Advice<'_> {
    /// The `width` likeliest stones, best first. Says whether these are all there are.
    pub(super) fn list(&self, state: &State, width: usize, found: &mut Vec<Candidate>) -> bool {
        let width = width.max(1);
        let cells = state.geometry().rules().all_cells();
        found.clear();
        found.extend(cells.filter(|&cell| state.board().is_empty(cell)).map(|cell| {
            let policy = i32::from(self.logits[cell.index()]);
            Candidate { cell, policy, order: policy }
        }));
        let is_complete = found.len() <= width;
        let by_policy =
            |candidate: &Candidate| (std::cmp::Reverse(candidate.policy), candidate.cell);
        if !is_complete {
            found.select_nth_unstable_by_key(width - 1, by_policy);
            found.truncate(width);
        }
        found.sort_unstable_by_key(by_policy);
        is_complete
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Cell, Position};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    /// A board, its guide, and the same network without a memory.
    fn given(rules: &Rules) -> (State, Guide, BoardNet) {
        let net = Net::for_rules(rules).expect("a network");
        let weights = Arc::new(Weights::for_rules(rules));
        let state = State::new(&Position::new(*rules), weights);
        (state, Guide::new(rules, &net), BoardNet::new(rules, &net))
    }

    #[test]
    fn advice_is_what_the_network_says_whatever_was_asked_before() {
        let rules = Rules::GOMOKU;
        let (mut state, mut guide, mut plain) = given(&rules);
        let mut random = Xoshiro256PlusPlus::seed_from_u64(4);
        let mut depth = 0;
        for _ in 0..60 {
            if depth > 0 && random.random_range(0..3) == 0 {
                state.undo();
                depth -= 1;
            } else {
                let cell = Cell::new(random.random_range(0..rules.cells()));
                if !state.board().is_empty(cell) {
                    continue;
                }
                state.play(cell);
                depth += 1;
            }
            let value = plain.evaluate(&state) * 256.0;
            let first = guide.advise(&state);
            assert!((first.value as f32 - value).abs() <= 1.0);
            for (kept, logit) in first.logits.iter().zip(plain.policy()) {
                assert!((f32::from(*kept) - logit * 256.0).abs() <= 1.0);
            }
            let (value, logits) = (first.value, first.logits.to_vec());
            let again = guide.advise(&state);
            assert!(again.value == value && again.logits == logits);
        }
    }

    #[test]
    fn the_likeliest_stones_come_first() {
        let rules: Rules = "7x7,k=5".parse().expect("rules");
        let (mut state, mut guide, _) = given(&rules);
        for cell in [24, 25, 17] {
            state.play(Cell::new(cell));
        }
        let advice = guide.advise(&state);
        let mut plain: Vec<Cell> =
            rules.all_cells().filter(|&cell| state.board().is_empty(cell)).collect();
        plain.sort_by_key(|cell| std::cmp::Reverse(advice.logits[cell.index()]));
        let mut found = Vec::new();
        for (width, is_complete) in [(1, false), (9, false), (46, true), (200, true)] {
            assert_eq!(advice.list(&state, width, &mut found), is_complete);
            let cells: Vec<Cell> = found.iter().map(|candidate| candidate.cell).collect();
            assert_eq!(cells, plain[..width.min(46)]);
        }
    }
}
