//! The complete defence, by brute force: every turn without one of its stones loses, and where it
//! has none the game is lost.

mod common;

use std::collections::HashMap;

use collinear_engine::proof::ProofLimits;
use collinear_engine::tactics::{DefenceLimits, Replies, Tactics};
use collinear_rules::{Cell, Outcome, Position, Rules};
use collinear_windows::Windows;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use common::{random_position, turns};

/// Whether the player to move wins, every stone of every turn tried.
fn wins(position: &mut Position, memory: &mut HashMap<u64, bool>) -> bool {
    let player = position.to_move();
    if let Outcome::Won(winner) = position.outcome() {
        return winner == player;
    }
    if let Some(&known) = memory.get(&position.key()) {
        return known;
    }
    let mut any = false;
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        any = match position.outcome() {
            Outcome::Won(winner) => winner == player,
            Outcome::Drawn => false,
            Outcome::Ongoing if position.to_move() == player => wins(position, memory),
            Outcome::Ongoing => loses(position, memory),
        };
        position.undo();
        if any {
            break;
        }
    }
    memory.insert(position.key(), any);
    any
}

/// Whether the player to move loses, whatever he does. Shares the memory under another key.
fn loses(position: &mut Position, memory: &mut HashMap<u64, bool>) -> bool {
    let player = position.to_move();
    let key = !position.key();
    if let Some(&known) = memory.get(&key) {
        return known;
    }
    let mut all = true;
    for cell in position.legal_cells() {
        position.play_unchecked(cell);
        all = match position.outcome() {
            Outcome::Won(winner) => winner != player,
            Outcome::Drawn => false,
            Outcome::Ongoing if position.to_move() == player => loses(position, memory),
            Outcome::Ongoing => wins(position, memory),
        };
        position.undo();
        if !all {
            break;
        }
    }
    memory.insert(key, all);
    all
}

#[test]
fn no_stone_that_saves_is_left_out() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(31);
    for text in [
        "5x5,k=4",
        "5x5,k=4,exact",
        "5x5,k=4,p=2,q=1",
        "6x4,k=4,p=2,q=1,exact",
        "4x6,k=5,p=3,q=2",
        "7x6,k=5,renju",
    ] {
        let rules: Rules = text.parse().expect(text);
        let mut tactics = Tactics::new(&rules);
        let mut memory = HashMap::new();
        let (mut sets, mut left_out, mut lost) = (0, 0, 0);
        for _ in 0..700 {
            let count = rules.cells() - random.random_range(6..13);
            let Some(position) = random_position(rules, count, &mut random) else { continue };
            let (mover, left) = (position.to_move(), position.stones_left());
            let mut windows = Windows::of(&position);
            if windows.can_win(mover, left) {
                continue;
            }
            let proof = ProofLimits { nodes: 2_000, ..ProofLimits::default() };
            let limits = DefenceLimits { proof, total: 200_000 };
            let before = windows.clone();
            let replies = tactics.defences(&mut windows, mover, left, limits);
            assert!(windows == before, "the windows are put back");
            let saving = match replies {
                Replies::Free => continue,
                Replies::Only(cells) => cells,
                Replies::Lost { .. } => Vec::new(),
            };
            let others: Vec<Cell> =
                position.legal_cells().into_iter().filter(|cell| !saving.contains(cell)).collect();
            for turn in turns(&others, left) {
                let mut after = position.clone();
                for &cell in &turn {
                    after.play(cell).expect("legal");
                }
                let is_lost = !after.is_over() && wins(&mut after, &mut memory);
                assert!(is_lost, "{text}: {turn:?} saves, {saving:?} were listed\n{position:?}");
                left_out += 1;
            }
            sets += 1;
            lost += usize::from(saving.is_empty());
        }
        assert!(
            sets > 20 && left_out > 100 && lost > 2,
            "{text}: {sets} sets, {left_out} turns left out, {lost} lost"
        );
    }
}

/// With few nodes more stones stay, never fewer.
#[test]
fn limits_leave_more_stones_open() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(32);
    let rules: Rules = "7x7,k=5,p=2,q=1".parse().expect("a game");
    let mut longer = 0;
    for _ in 0..600 {
        let count = random.random_range(12..26);
        let Some(position) = random_position(rules, count, &mut random) else { continue };
        let (mover, left) = (position.to_move(), position.stones_left());
        let mut windows = Windows::of(&position);
        if windows.can_win(mover, left) {
            continue;
        }
        let mut ask = |total: u64| {
            let proof = ProofLimits { nodes: 300, ..ProofLimits::default() };
            let limits = DefenceLimits { proof, total };
            match Tactics::new(&rules).defences(&mut windows, mover, left, limits) {
                Replies::Free => None,
                Replies::Only(cells) => Some(cells),
                Replies::Lost { .. } => Some(Vec::new()),
            }
        };
        if let (Some(few), Some(many)) = (ask(300), ask(100_000)) {
            assert!(many.iter().all(|cell| few.contains(cell)), "{few:?} {many:?}\n{position:?}");
            longer += usize::from(few.len() > many.len());
        }
    }
    assert!(longer > 3, "only {longer} lists became shorter");
}
