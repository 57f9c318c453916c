//! Moves that make a position as even as wished: for balanced starts, for openings in which the
//! opponent chooses the colour, and for whoever asks which move is worth just so much.
//!
//! Every candidate is played out on the board and an agent says what the position is then worth. All
//! of them get a short look, the quarter that comes nearest to the wish another one of four times the
//! length, and so on (after successive halving: Karnin, Koren, Somekh, ICML 2013). What looks even at
//! first and no longer at the next look is sharp, not even: the worse of the last two looks counts.

use std::collections::HashSet;
use std::time::Duration;

use collinear_rules::hash::mix;
use collinear_rules::{Cell, Outcome, Position};

use crate::instant::Instant;
use crate::{Agent, Budget, Fault, Line, Report, Value, Watchdog};

/// Stones and what the position is worth with them.
#[derive(Clone, Debug, PartialEq)]
pub struct Balanced {
    /// The stones, in turn.
    pub stones: Vec<Cell>,
    /// The chance of the player who is to move before them.
    pub chance: f32,
}

/// The shortest look worth having; with less time there are fewer candidates.
const MIN_LOOK: Duration = Duration::from_millis(2);
/// One in this many goes on to the next round.
const KEPT_PART: usize = 4;
/// Pairs that are looked at.
const MAX_PAIRS: usize = 256;
/// How far from other stones the stones of a pair lie.
const NEAR: usize = 2;

/// All next stones, those near to others first; of symmetric ones, one.
pub fn next_stones(position: &Position) -> Vec<Vec<Cell>> {
    let mut cells = position.legal_cells();
    cells.sort_by_key(|&cell| remoteness(position, cell));
    distinct(position, cells.into_iter().map(|cell| vec![cell]))
}

/// Pairs of next stones, drawn by a seed: the answer near to other stones, the first one there or, as
/// often, anywhere, since a player to move is ahead of where the pair shall leave him.
pub fn next_pairs(position: &Position, seed: u64) -> Vec<Vec<Cell>> {
    let near = |position: &Position| -> Vec<Cell> {
        let legal = position.legal_cells();
        let distance = |&cell: &Cell| remoteness(position, cell);
        let nearest = legal.iter().map(distance).min().unwrap_or(0).max(NEAR);
        legal.into_iter().filter(|cell| distance(cell) <= nearest).collect()
    };
    let (first, anywhere) = (near(position), position.legal_cells());
    let mut state = seed;
    let mut draw = |cells: &[Cell]| {
        state = mix(state.wrapping_add(1));
        (!cells.is_empty()).then(|| cells[(state % cells.len() as u64) as usize])
    };
    let pairs = (0..4 * MAX_PAIRS).map_while(|nth| {
        let one = draw(if nth % 2 == 0 { &first } else { &anywhere })?;
        let mut ahead = position.clone();
        ahead.play(one).ok()?;
        let other = draw(&near(&ahead)).filter(|_| !ahead.is_over());
        Some([Some(one), other].into_iter().flatten().collect::<Vec<Cell>>())
    });
    let whole = pairs.filter(|pair| pair.len() == 2);
    distinct(position, whole).into_iter().take(MAX_PAIRS).collect()
}

/// Distance to the nearest stone, on the empty board to the centre.
fn remoteness(position: &Position, cell: Cell) -> usize {
    let rules = position.rules();
    let at = |cell: Cell| (rules.column(cell), rules.row(cell));
    let (x, y) = at(cell);
    let to = |(column, row): (usize, usize)| x.abs_diff(column).max(y.abs_diff(row));
    let stones = collinear_rules::Player::BOTH.map(|player| position.stones(player).map(at));
    let nearest = stones.into_iter().flatten().map(to).min();
    nearest.unwrap_or_else(|| to((rules.width() / 2, rules.height() / 2)))
}

/// The first of those that lead to positions which symmetries turn into each other.
fn distinct(position: &Position, all: impl Iterator<Item = Vec<Cell>>) -> Vec<Vec<Cell>> {
    let mut seen = HashSet::new();
    all.filter(|stones| {
        after(position, stones).is_some_and(|ahead| seen.insert(ahead.canonical_key()))
    })
    .collect()
}

fn after(position: &Position, stones: &[Cell]) -> Option<Position> {
    let mut ahead = position.clone();
    stones.iter().all(|&cell| ahead.play(cell).is_ok()).then_some(ahead)
}

/// Finds the candidate after which the chance of the player to move is nearest to `target`, within
/// the budget for all of it together. None when there is no legal candidate, or the budget was over
/// before any was looked at.
///
/// `on` hears the best so far after every round; its depth is the number of the round. After a
/// fault the agent should be thrown away.
pub fn nearest(
    agent: &mut dyn Agent,
    position: &Position,
    candidates: &[Vec<Cell>],
    target: f32,
    budget: &Budget,
    on: &mut dyn FnMut(&Report),
) -> Result<Option<Balanced>, Fault> {
    let started = Instant::now();
    let mut watchdog = Watchdog::default();
    let player = position.to_move();
    let mut field: Vec<Candidate> = candidates
        .iter()
        .filter_map(|stones| {
            let ahead = after(position, stones)?;
            let found = Balanced { stones: stones.clone(), chance: target };
            Some(Candidate { ahead, found, distance: 0.0 })
        })
        .collect();
    let mut best: Option<Balanced> = None;
    let mut report = Report::default();
    let shared = budget.limit();
    let too_many = |count: usize| {
        let looks = count as u32 * rounds_of(count);
        shared.is_some_and(|time| MIN_LOOK.saturating_mul(looks) > time)
    };
    while field.len() > 1 && too_many(field.len()) {
        field.truncate(field.len() * 9 / 10);
    }
    let rounds = rounds_of(field.len());
    for round in 0..rounds {
        let share = rounds - round;
        let left = shared.map(|time| time.saturating_sub(started.elapsed()));
        let looks = field.len() as u32;
        let look = Budget {
            time: left.map(|left| left / share / looks.max(1)),
            clock: None,
            nodes: budget.nodes.map(|nodes| (nodes / u64::from(rounds * looks.max(1))).max(1)),
            lines: 1,
            stop: budget.stop.clone(),
            grace: Duration::MAX,
            ..*budget
        };
        let mut looked = 0;
        for Candidate { ahead, found, distance } in &mut field {
            if budget.stop.is_stopped() || left == Some(Duration::ZERO) {
                break;
            }
            let before = (found.chance - target).abs();
            found.chance = match ahead.outcome() {
                Outcome::Ongoing => {
                    let answer = watchdog.ask(agent, ahead, &look, &mut |_| {});
                    answer.turn?;
                    report.nodes += answer.thought.nodes.unwrap_or(0);
                    let value = answer.thought.value.map_or(0.5, Value::chance);
                    if ahead.to_move() == player { value } else { 1.0 - value }
                }
                Outcome::Won(winner) => f32::from(u8::from(winner == player)),
                Outcome::Drawn => 0.5,
            };
            *distance = before.max((found.chance - target).abs());
            looked += 1;
        }
        // A round that was cut short says less than the one before.
        if looked < field.len() && best.is_some() {
            break;
        }
        field.truncate(looked);
        field.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        let Some(Candidate { found: first, .. }) = field.first() else { break };
        best = Some(first.clone());
        report.depth = round + 1;
        report.elapsed = started.elapsed();
        let line = |found: &Balanced| Line {
            value: Value::Chance(found.chance),
            stones: found.stones.clone(),
        };
        report.lines = vec![line(first)];
        on(&report);
        field.truncate(field.len().div_ceil(KEPT_PART));
        if budget.stop.is_stopped() {
            break;
        }
    }
    Ok(best)
}

/// Rounds in which more than one candidate is looked at.
fn rounds_of(count: usize) -> u32 {
    let mut left = count;
    let rounds = std::iter::from_fn(|| {
        let more = left > 1;
        left = left.div_ceil(KEPT_PART);
        more.then_some(())
    });
    (rounds.count() as u32).max(1)
}

/// Stones that are looked at.
struct Candidate {
    ahead: Position,
    found: Balanced,
    /// From the target, at the worse of the last two looks.
    distance: f32,
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;
    use crate::{AgentError, Turn, stone_by_stone};

    /// Thinks that the column of the last stone is the chance of whoever placed it, in hundredths.
    struct ByColumn;

    impl Agent for ByColumn {
        fn choose(
            &mut self,
            position: &Position,
            _: &Budget,
            on: &mut dyn FnMut(&Report),
        ) -> Result<Turn, AgentError> {
            let last = position.history().last().copied().ok_or(AgentError::GameOver)?;
            let chance = 1.0 - position.rules().column(last) as f32 / 100.0;
            let turn = stone_by_stone(position, |ahead| ahead.legal_cells().first().copied())?;
            let lines = vec![Line { value: Value::Chance(chance), stones: turn.clone() }];
            on(&Report { nodes: 1, lines, ..Report::default() });
            Ok(turn)
        }
    }

    fn played(moves: &[(usize, usize)]) -> Position {
        let rules = Rules::GOMOKU;
        let cells: Vec<Cell> =
            moves.iter().map(|&(x, y)| rules.cell(x, y).expect("on the board")).collect();
        Position::from_moves(rules, &cells).expect("legal")
    }

    #[test]
    fn the_candidate_nearest_to_the_wish_is_found() {
        let position = played(&[(7, 7), (3, 4), (1, 0)]);
        let stones = next_stones(&position);
        assert_eq!(stones.len(), position.legal_count());
        for (target, column) in [(0.05, 5), (0.11, 11), (0.0, 0), (0.9, 14)] {
            let budget = Budget::nodes(10_000);
            let found = nearest(&mut ByColumn, &position, &stones, target, &budget, &mut |_| {});
            let found = found.expect("no fault").expect("a candidate");
            assert_eq!(position.rules().column(found.stones[0]), column);
        }
    }

    #[test]
    fn a_win_and_a_stop_are_seen() {
        let position = played(&[(0, 0), (0, 9), (1, 0), (2, 9), (2, 0), (4, 9), (3, 0), (6, 9)]);
        let stones = next_stones(&position);
        let budget = Budget::nodes(10_000);
        let found = nearest(&mut ByColumn, &position, &stones, 1.0, &budget, &mut |_| {});
        let found = found.expect("no fault").expect("a candidate");
        assert_eq!(
            (found.stones, found.chance),
            (vec![position.rules().cell(4, 0).expect("a cell")], 1.0)
        );
        budget.stop.stop();
        let found = nearest(&mut ByColumn, &position, &stones, 1.0, &budget, &mut |_| {});
        assert_eq!(found.expect("no fault"), None);
    }

    #[test]
    fn symmetric_stones_are_looked_at_once_and_pairs_are_legal() {
        assert_eq!(next_stones(&Position::new(Rules::GOMOKU)).len(), 36);
        let position = played(&[(7, 7)]);
        let pairs = next_pairs(&position, 3);
        assert_eq!(pairs.len(), next_pairs(&position, 3).len());
        assert!(pairs.len() > 50);
        assert!(pairs.iter().all(|pair| after(&position, pair).is_some()));
        assert!(next_pairs(&Position::new("1x1,k=1".parse().expect("rules")), 1).is_empty());
    }
}
