//! Makes puzzles from games of our own: the first position of a game in which a win of some length
//! can be proved becomes one.

use collinear_play::{Budget, play_turn};
use collinear_rules::{Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Judge, Puzzle};
use crate::registry;

/// Nodes of the players: weak enough to leave wins to each other.
const NODES: u64 = 300;
/// Random turns at the start of each game, so that no two are alike.
const RANDOM_TURNS: usize = 3;
/// A win in one turn is not a puzzle, and nobody reads more than this.
const TURNS: std::ops::RangeInclusive<u16> = 2..=6;
/// With gravity short wins are too easy.
const DROP_TURNS: std::ops::RangeInclusive<u16> = 3..=8;

/// Up to `count` puzzles of a game, at most one from each of `games` games; the same seed makes the
/// same ones. `on` hears how many games are done.
pub fn make(
    rules: &Rules,
    count: usize,
    games: usize,
    seed: u64,
    on: &mut dyn FnMut(usize),
) -> Vec<Puzzle> {
    let mut found: Vec<Puzzle> = Vec::new();
    let mut judge = Judge::new(rules);
    let name = rules.preset_name().map_or_else(|| rules.to_string(), str::to_owned);
    for game in 0..games {
        if found.len() == count {
            break;
        }
        if let Some((position, turns)) = play(rules, &mut judge, seed.wrapping_add(game as u64)) {
            let id = format!("{name}-{:03}", found.len() + 1);
            found.push(Puzzle { id, position, turns });
        }
        on(game + 1);
    }
    found
}

/// Plays one game until a win of the wanted length is proved.
fn play(rules: &Rules, judge: &mut Judge, seed: u64) -> Option<(Position, u16)> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let spec = if rules.gravity() { "karplus:plies=3,eval=fevalc" } else { "sextant:memory=1" };
    let mut player = registry().parse(spec).ok()?.build(rules, seed).ok()?;
    let wanted = if rules.gravity() { DROP_TURNS } else { TURNS };
    let mut position = Position::new(*rules);
    let mut turns = 0;
    while !position.is_over() {
        if turns > RANDOM_TURNS
            && let Some((_, length)) = judge.solution(&position)
        {
            if wanted.contains(&length) && holds(judge, &position) {
                return Some((position, length));
            }
            if length < *wanted.start() {
                return None;
            }
        }
        let turn = if turns < RANDOM_TURNS {
            near(&position, &mut random)
        } else {
            player.choose(&position, &Budget::nodes(NODES), &mut |_| {}).ok()?
        };
        play_turn(&mut position, &turn).ok()?;
        turns += 1;
    }
    None
}

/// Whether the proved turn is also a right answer, and not every turn is.
fn holds(judge: &mut Judge, position: &Position) -> bool {
    let Some((turn, _)) = judge.solution(position) else { return false };
    let right = judge.answer(position, &turn);
    if !matches!(right, Some(super::Answer::Defended { .. })) {
        return false;
    }
    // A quiet turn must lose the win, or there is nothing to find.
    let quiet: Vec<_> = position.legal_cells().into_iter().take(position.stones_left()).collect();
    judge.answer(position, &quiet) == Some(super::Answer::Missed)
}

/// A random turn near the middle.
fn near(position: &Position, random: &mut Xoshiro256PlusPlus) -> Vec<collinear_rules::Cell> {
    let rules = position.rules();
    let mut after = position.clone();
    let mut turn = Vec::new();
    for _ in 0..position.stones_left() {
        let middle = |cell: &collinear_rules::Cell| {
            let apart = |at: usize, size: usize| (2 * at + 1).abs_diff(size);
            let (x, y) = (rules.column(*cell), rules.row(*cell));
            apart(x, rules.width()).max(if rules.gravity() { 0 } else { apart(y, rules.height()) })
        };
        let mut cells = after.legal_cells();
        cells.sort_by_key(middle);
        let cell = cells[random.random_range(0..cells.len().min(12))];
        after.play_unchecked(cell);
        turn.push(cell);
        if after.is_over() {
            break;
        }
    }
    turn
}
