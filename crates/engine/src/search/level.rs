//! Strength levels 1 to 10: less search and a wider choice below 10.
//!
//! Where a network plays, a level draws each stone: the lower ones from its first impression of the
//! board, the higher ones from where a short search looked; the higher the temperature, the wider the
//! choice. So it overlooks what a player of that strength overlooks. Elsewhere a level caps the nodes
//! of a turn and, on the lower ones, now and then plays a stone drawn from the line patterns.

use collinear_play::{Budget, Turn, Value};
use collinear_rules::{Cell, Position};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::moves;
use crate::puct::NetSearch;
use crate::tactics::Tactics;
use crate::{State, Weights};

/// Full strength.
pub(super) const FULL: u8 = 10;

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

/// Per level where a network plays: visits for a stone, none for the first impression, and the
/// temperature at which it is drawn.
const NETWORK_LEVELS: [(u64, f64); 9] = [
    (0, 2.4),
    (0, 1.6),
    (0, 0.9),
    (0, 0.35),
    (10, 1.2),
    (32, 0.45),
    (80, 0.3),
    (150, 0.25),
    (400, 0.15),
];
/// Stones of the first impression that are drawn from: the tail would be stones nobody plays.
const IMPRESSIONS: usize = 24;

/// How a network plays on a level below full strength.
pub(super) fn with_network(level: u8) -> Option<(u64, f64)> {
    (level < FULL).then(|| NETWORK_LEVELS[usize::from(level.max(1)) - 1])
}

/// The budget with at most this many nodes.
pub(super) fn at_most(nodes: u64, budget: &Budget) -> Budget {
    let nodes = budget.nodes.map_or(nodes, |given| given.min(nodes));
    Budget { nodes: Some(nodes), ..budget.clone() }
}

/// The budget of a level without a network: never more than was given.
pub(super) fn limited(level: u8, budget: &Budget) -> Budget {
    if level >= FULL {
        return budget.clone();
    }
    let (most, _) = LEVELS[usize::from(level.max(1)) - 1];
    at_most(most, budget)
}

/// The randomness of the lower levels.
pub(super) struct Dice(Xoshiro256PlusPlus);

impl Dice {
    pub(super) fn new(seed: u64) -> Self {
        Self(Xoshiro256PlusPlus::seed_from_u64(seed))
    }

    /// A stone, the more often the larger its share is; a high temperature makes the shares equal.
    pub(super) fn draw(&mut self, mut stones: Vec<(Cell, f64)>, temperature: f64) -> Option<Cell> {
        stones.sort_by(|a, b| b.1.total_cmp(&a.1));
        stones.truncate(IMPRESSIONS);
        let most = stones.first()?.1.max(f64::MIN_POSITIVE);
        let weights: Vec<f64> =
            stones.iter().map(|(_, share)| (share / most).powf(temperature.recip())).collect();
        let mut at = self.0.random_range(0.0..weights.iter().sum());
        let chosen = weights.iter().position(|weight| {
            at -= weight;
            at <= 0.0
        });
        chosen.map_or(stones.last(), |chosen| stones.get(chosen)).map(|&(cell, _)| cell)
    }

    /// A turn of a level that plays with a network, and what it is worth.
    pub(super) fn turn(
        &mut self,
        network: &mut NetSearch,
        (visits, temperature): (u64, f64),
        position: &Position,
        budget: &Budget,
    ) -> (Turn, Value) {
        let mut ahead = position.clone();
        let (mut turn, mut value) = (Turn::new(), Value::Chance(0.5));
        while turn.len() < position.stones_left() && !ahead.is_over() {
            let stones = if visits == 0 {
                let (chance, shares) = network.glance(&ahead);
                value = Value::Chance(chance as f32);
                ahead.empty_cells().map(|cell| (cell, f64::from(shares[cell.index()]))).collect()
            } else {
                let budget = at_most(visits, budget);
                let thought = network.think(&ahead, &budget, &budget.start(1), 1, &mut |_| {});
                value = thought.report.lines.first().map_or(value, |line| line.value);
                // What is proved is played, and so is what it liked before it could look further.
                let looks = network.looks(&ahead);
                if matches!(value, Value::WinsIn(_)) || looks.is_empty() {
                    turn.extend(thought.turn);
                    break;
                }
                looks
            };
            let Some(cell) = self.draw(stones, temperature) else { break };
            if ahead.play(cell).is_err() {
                break;
            }
            turn.push(cell);
        }
        (turn, value)
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
        let (_, percent) = LEVELS[usize::from(level.max(1)) - 1];
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
            let weight = |policy: i32| (f64::from(policy - best) / Weights::LOGIT).exp();
            let stones = list.iter().map(|stone| (stone.cell, weight(stone.policy))).collect();
            let cell = self.draw(stones, temperature)?;
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

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;
    use crate::{Engine, Settings};

    fn stones() -> Vec<(Cell, f64)> {
        [(3, 0.2), (7, 0.5), (9, 0.3)].map(|(cell, share)| (Cell::new(cell), share)).to_vec()
    }

    #[test]
    fn the_temperature_widens_the_choice() {
        let mut dice = Dice::new(1);
        let mut count = |temperature: f64| {
            let best = Some(Cell::new(7));
            (0..1000).filter(|_| dice.draw(stones(), temperature) == best).count()
        };
        assert_eq!(count(0.02), 1000);
        assert!((450..550).contains(&count(1.0)));
        assert!((280..390).contains(&count(1e9)));
        assert_eq!(dice.draw(Vec::new(), 1.0), None);
    }

    #[test]
    fn every_level_plays_whole_legal_turns_that_the_seed_decides() {
        for rules in [Rules::CONNECT6, Rules::GOMOKU, Rules::TICTACTOE] {
            for level in 1..FULL {
                let play = |seed| {
                    let settings = Settings { level, ..Settings::default() };
                    let mut engine = Engine::new(&rules, settings, seed);
                    let mut position = Position::new(rules);
                    let budget = Budget { nodes: Some(20), ..Budget::default() };
                    while !position.is_over() && position.stone_count() < 9 {
                        let thought = engine.think(&position, &budget, &mut |_| {}).expect("open");
                        assert_eq!(thought.turn.len(), position.stones_left());
                        for cell in thought.turn {
                            position.play(cell).expect("legal");
                        }
                    }
                    position.history().to_vec()
                };
                assert_eq!(play(5), play(5), "{rules} level {level}");
            }
        }
    }

    #[test]
    fn an_analysis_has_as_many_lines_on_any_level() {
        let settings = Settings { level: 3, ..Settings::default() };
        let mut engine = Engine::new(&Rules::CONNECT6, settings, 1);
        let mut position = Position::new(Rules::CONNECT6);
        position.play(Cell::new(180)).expect("legal");
        let budget = Budget { nodes: Some(60), lines: 3, ..Budget::default() };
        let thought = engine.think(&position, &budget, &mut |_| {}).expect("open");
        assert_eq!(thought.report.lines.len(), 3);
    }

    /// A stronger level does not choose more widely, nor with less search.
    #[test]
    fn levels_with_a_network_are_in_order() {
        for pair in NETWORK_LEVELS.windows(2) {
            assert!(pair[0].0 < pair[1].0 || pair[0].1 > pair[1].1);
        }
        assert!(with_network(FULL).is_none());
    }
}
