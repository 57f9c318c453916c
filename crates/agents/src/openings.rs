//! Games for the opening books that come with the page: strong players from many different beginnings.
//! The seed decides every game.
//!
//! Where openings have names each is played in turn; in games such as Connect6 each first answer near the
//! first stone; with gravity the first stones are drawn. A few turns more are played by low levels, which
//! seldom play alike, and the rest by the strongest player of the game: so the results say something
//! of the opening.

use std::collections::HashSet;

use collinear_book::{NAMED_OPENINGS, OpeningGame};
use collinear_play::{Agent, Budget, play_turn};
use collinear_rules::{Cell, Outcome, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{levels, registry, strongest};

/// Turns of lower levels after the opening.
const VARIED_TURNS: usize = 5;
/// Which levels these are, where there are ten: sensible ones that slip.
const VARIED_LEVELS: std::ops::RangeInclusive<usize> = 2..=4;
/// Stones drawn with gravity: perfect players go on from there.
const DRAWN_STONES: std::ops::RangeInclusive<usize> = 1..=6;
/// How far from the first stone answers of two stones lie.
const NEAR: usize = 2;
/// Stones of the longest game; longer ones count as drawn.
const MAX_STONES: usize = 140;

/// The game of this number; none where nobody plays it. `nodes` is what a turn may cost.
pub fn opening_game(rules: &Rules, number: u64, seed: u64, nodes: u64) -> Option<OpeningGame> {
    let mixed = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(number);
    let mut random = Xoshiro256PlusPlus::seed_from_u64(mixed);
    let registry = registry();
    let levels = levels(&registry, rules);
    let build = |spec: &str, seed| registry.parse(spec).ok()?.build(rules, seed).ok();
    let best = match strongest(&registry, rules)?.name {
        // Equal columns are drawn, so that games from one position differ.
        "perfect" => "perfect:ties=random",
        name => name,
    };
    let best = [build(best, random.random())?, build(best, random.random())?];
    let mut position = start(rules, number, &mut random);
    let levels = levels.get(*VARIED_LEVELS.start() - 1..*VARIED_LEVELS.end());
    let varied = levels.filter(|_| !rules.gravity()).map(|levels| {
        let mut level =
            || build(&levels[random.random_range(0..levels.len())].spec, random.random());
        Some([level()?, level()?])
    });
    if let Some(Some(mut players)) = varied {
        play(&mut position, &mut players, VARIED_TURNS, nodes)?;
    }
    let mut players = best;
    play(&mut position, &mut players, MAX_STONES, nodes)?;
    let winner = match position.outcome() {
        Outcome::Won(player) => Some(player),
        _ => None,
    };
    Some(OpeningGame { moves: position.history().to_vec(), winner })
}

/// Where a game begins.
fn start(rules: &Rules, number: u64, random: &mut Xoshiro256PlusPlus) -> Position {
    let mut openings: Vec<Position> =
        NAMED_OPENINGS.iter().filter_map(|named| named.on(rules)).collect();
    if rules.p() == 2 && rules.q() == 1 && !rules.gravity() {
        openings = first_answers(rules);
    }
    if let Some(opening) = openings.get(number as usize % openings.len().max(1)) {
        return opening.clone();
    }
    let mut position = Position::new(*rules);
    if rules.gravity() {
        for _ in 0..random.random_range(DRAWN_STONES) {
            let cells = position.legal_cells();
            position.play_unchecked(cells[random.random_range(0..cells.len())]);
        }
    }
    position
}

/// All answers of two stones near a first stone in the middle, no two of them mirror images.
fn first_answers(rules: &Rules) -> Vec<Position> {
    let (column, row) = (rules.width() / 2, rules.height() / 2);
    let side = |middle: usize| middle.saturating_sub(NEAR)..=middle + NEAR;
    let near: Vec<Cell> =
        side(row).flat_map(|y| side(column).filter_map(move |x| rules.cell(x, y))).collect();
    let mut seen = HashSet::new();
    let mut answers = Vec::new();
    for (at, &one) in near.iter().enumerate() {
        for &other in &near[at + 1..] {
            let stones = rules.cell(column, row).into_iter().chain([one, other]);
            let Ok(answer) = Position::from_moves(*rules, &stones.collect::<Vec<_>>()) else {
                continue;
            };
            if seen.insert(answer.canonical_key()) {
                answers.push(answer);
            }
        }
    }
    answers
}

/// So many turns, or until the end.
fn play(
    position: &mut Position,
    players: &mut [Box<dyn Agent>; 2],
    turns: usize,
    nodes: u64,
) -> Option<()> {
    for _ in 0..turns {
        if position.is_over() || position.stone_count() >= MAX_STONES {
            break;
        }
        let player = &mut players[position.to_move().index()];
        let turn = player.choose(position, &Budget::nodes(nodes), &mut |_| {}).ok()?;
        play_turn(position, &turn).ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use collinear_book::opening_name;

    use super::*;

    #[test]
    fn the_seed_decides_the_game_and_the_number_the_opening() {
        for rules in [Rules::CONNECT4, Rules::RENJU] {
            let game = |number, seed| opening_game(&rules, number, seed, 50).expect("a game");
            assert_eq!(game(3, 1), game(3, 1), "{rules}");
            assert_ne!(game(3, 1), game(3, 2), "{rules}");
            assert_ne!(game(3, 1), game(4, 1), "{rules}");
        }
        assert_eq!(first_answers(&Rules::CONNECT6).len(), 44);
        let game = opening_game(&Rules::RENJU, 29, 1, 50).expect("a game");
        let position = Position::from_moves(Rules::RENJU, &game.moves).expect("legal");
        assert_eq!(opening_name(&position), Some(&NAMED_OPENINGS[3]));
        assert!(position.is_over() || position.stone_count() >= MAX_STONES);
    }
}
