//! Strength levels 1 to 10: less search and more slips below 10.
//!
//! A level caps the nodes of a turn and, on the lower ones, now and then plays a stone drawn from
//! the policy instead of searching: it overlooks what a player of that strength overlooks.

use collinear_play::{Budget, Turn};
use collinear_rules::{Cell, Position};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::moves;
use crate::tactics::Tactics;
use crate::{State, Weights};

/// Full strength.
const FULL: u8 = 10;

/// Per level: the most nodes of a turn, and how often it slips, in percent.
const LEVELS: [(u64, u32); 9] = [
    (10, 75),
    (20, 50),
    (60, 32),
    (200, 20),
    (300, 16),
    (1_000, 8),
    (2_500, 4),
    (5_000, 1),
    (12_000, 0),
];

/// The budget of a level: never more than was given.
pub(super) fn limited(level: u8, budget: &Budget) -> Budget {
    let mut budget = budget.clone();
    if level < FULL {
        let (most, _) = LEVELS[usize::from(level.clamp(1, FULL - 1)) - 1];
        budget.nodes = Some(budget.nodes.map_or(most, |nodes| nodes.min(most)));
    }
    budget
}

/// The randomness of the lower levels.
pub(super) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A careless turn, if this is the moment for one.
    pub(super) fn slip(
        &mut self,
        level: u8,
        position: &Position,
        state: &mut State,
    ) -> Option<Turn> {
        if level >= FULL {
            return None;
        }
        let (_, percent) = LEVELS[usize::from(level.clamp(1, FULL - 1)) - 1];
        if self.0.random_range(0..100) >= percent {
            return None;
        }
        // The lower the level, the flatter the choice.
        let temperature = 1.0 + 3.0 * f64::from(FULL - level) / f64::from(FULL);
        state.set(position);
        let mut turn = Turn::new();
        for _ in 0..position.stones_left() {
            let mut list = Vec::new();
            moves::by_policy(state, 24, &mut list);
            let best = list.first()?.policy;
            let weight =
                |policy: i32| (f64::from(policy - best) / Weights::LOGIT / temperature).exp();
            let total: f64 = list.iter().map(|candidate| weight(candidate.policy)).sum();
            let mut at = self.0.random_range(0.0..total);
            let chosen = list.iter().find(|candidate| {
                at -= weight(candidate.policy);
                at <= 0.0
            });
            let cell = chosen.or(list.last())?.cell;
            state.play(cell);
            turn.push(cell);
        }
        Some(turn)
    }
}

/// The best turn without any search: threats are answered, else the policy decides.
pub(super) fn by_policy(state: &mut State, tactics: &mut Tactics, position: &Position) -> Turn {
    let mut turn: Vec<Cell> = Turn::new();
    let mut list = Vec::new();
    for _ in 0..position.stones_left() {
        let mover = state.turn();
        let threatened = !position.rules().gravity() && state.windows().has_threat(!mover.player);
        list.clear();
        if threatened {
            moves::covers(state, tactics, &mut list);
        }
        if list.is_empty() {
            moves::by_policy(state, 1, &mut list);
        }
        let Some(best) = list.first() else { break };
        turn.push(best.cell);
        state.play(best.cell);
    }
    for _ in &turn {
        state.undo();
    }
    turn
}
