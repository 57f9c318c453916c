//! Games to make puzzles from: two levels play each other from a few random turns, so that each
//! leaves something to the other. The seed decides the whole game.

use collinear_play::{Budget, play_turn};
use collinear_rules::{Cell, Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{levels, registry};

/// Random turns at the start, so that no two games are alike.
const RANDOM_TURNS: std::ops::RangeInclusive<usize> = 2..=4;
/// Cells nearest to the middle that they choose from.
const NEAR: usize = 16;
/// The levels that play: the first makes no sense of the board, and the strongest leave nothing.
const WEAKEST: usize = 2;
const STRONGEST: usize = 6;
/// Nodes of a turn, for levels that have no limit of their own.
const NODES: u64 = 2_000;
/// Stones of the longest game.
const MAX_STONES: usize = 120;

/// The stones of one game; none where nobody plays it.
pub fn play_game(rules: &Rules, seed: u64) -> Option<Vec<Cell>> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let registry = registry();
    let levels = levels(&registry, rules);
    let strongest = STRONGEST.min(levels.len().checked_sub(1)?);
    let mut build = || {
        let level = &levels[random.random_range(WEAKEST.min(strongest)..=strongest) - 1];
        registry.parse(&level.spec).ok()?.build(rules, random.random()).ok()
    };
    let mut players = [build()?, build()?];
    let opening = random.random_range(RANDOM_TURNS);
    let mut position = Position::new(*rules);
    let mut turns = 0;
    while !position.is_over() && position.stone_count() < MAX_STONES {
        let turn = if turns < opening {
            near(&position, &mut random)
        } else {
            players[turns % 2].choose(&position, &Budget::nodes(NODES), &mut |_| {}).ok()?
        };
        play_turn(&mut position, &turn).ok()?;
        turns += 1;
    }
    Some(position.history().to_vec())
}

/// A random turn near the middle.
fn near(position: &Position, random: &mut Xoshiro256PlusPlus) -> Vec<Cell> {
    let rules = position.rules();
    let mut after = position.clone();
    let mut turn = Vec::new();
    for _ in 0..position.stones_left() {
        let middle = |cell: &Cell| {
            let apart = |at: usize, size: usize| (2 * at + 1).abs_diff(size);
            let (x, y) = (rules.column(*cell), rules.row(*cell));
            apart(x, rules.width()).max(if rules.gravity() { 0 } else { apart(y, rules.height()) })
        };
        let mut cells = after.legal_cells();
        cells.sort_by_key(middle);
        let cell = cells[random.random_range(0..cells.len().min(NEAR))];
        after.play_unchecked(cell);
        turn.push(cell);
        if after.is_over() {
            break;
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_decides_the_game() {
        for rules in [Rules::CONNECT4, Rules::GOMOKU] {
            let game = play_game(&rules, 7).expect("a game");
            assert_eq!(play_game(&rules, 7), Some(game.clone()), "{rules}");
            assert_ne!(play_game(&rules, 8), Some(game.clone()), "{rules}");
            assert!(Position::from_moves(rules, &game).expect("legal").stone_count() >= 7);
        }
    }
}
