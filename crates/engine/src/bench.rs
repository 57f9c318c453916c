//! Fixed positions of several games, searched to fixed numbers of nodes: the sum of what the search
//! did is its signature. A change that should not change the search keeps it; any other change is
//! seen at once.
//!
//! And quiet positions searched to a fixed depth with one thread and with several: what a second
//! thread is worth is a ratio of times of one run.

use std::time::Duration;

use collinear_play::instant::Instant;
use collinear_play::{Budget, Value};
use collinear_rules::hash::{fnv1a, fnv1a_from};
use collinear_rules::{Position, Rules, notation};

use crate::{Engine, Searcher, Settings};

/// One position of the bench.
#[derive(Clone, Copy, Debug)]
pub struct BenchPosition {
    /// The game.
    pub game: &'static str,
    /// The stones so far, in order of play.
    pub stones: &'static str,
}

/// Openings, middle games and threats; composed for this purpose.
pub const POSITIONS: [BenchPosition; 9] = [
    BenchPosition { game: "connect6", stones: "j10 k11 i9" },
    BenchPosition { game: "connect6", stones: "j10 k10 j11 i9 k12 h8 l13 k11 k9" },
    BenchPosition {
        game: "connect6",
        stones: "j10 i11 k9 l8 i9 h9 h11 j12 g12 k12 l11 i8 g8 m10 l10",
    },
    BenchPosition { game: "gomoku", stones: "h8 i9 h10 h9 g9 i7" },
    BenchPosition { game: "gomoku-standard", stones: "h8 g9 i9 g7 g8 f8 i10 i8" },
    BenchPosition { game: "tictactoe", stones: "b2 a1" },
    BenchPosition { game: "9x9,k=5,p=2,q=1", stones: "e5 d4 f6" },
    BenchPosition { game: "13x11,k=6,p=3,q=2", stones: "g6 f5 e4 h7 f6" },
    BenchPosition { game: "connect4", stones: "d1 d2 d3 c1" },
];

/// Quiet positions made by `collinear openings` (seeds 1, 5 and 6), and the depth each is searched to.
pub const DEPTH_POSITIONS: [(BenchPosition, u32); 20] = [
    c6("g8 j7 g11 j11 g10"),
    c6("i8 l7 g12 i7 g9"),
    c6("m12 k10 i9 k8 m13"),
    c6("i10 k12 k7 h12 i11"),
    c6("m10 g13 m8 j10 j8"),
    c6("i13 g9 m13 k9 j10"),
    c6("i9 m12 m8 h6 h10 f13 l12 f11 j9"),
    c6("h8 k8 n10 i7 g10 m13 m7 m9 j8"),
    c6("g8 m13 i12 k9 h7 f13 l11 k10 g9"),
    c6("j9 g7 j10 n12 h11 f7 i12 h8 h9"),
    c6("o9 h5 f12 f13 k8 g9 n8 k14 k7 n6 n12 k15 i8"),
    c6("i15 g14 f8 f10 k10 k15 i6 f11 n6 j6 j15 n7 k6"),
    c6("k7 e10 n14 o15 n12 k8 h13 l9 m8 k11 i5 k10 n8"),
    c6("o9 i8 f5 n12 n10 o11 l15 e7 f13 m15 g10 f11 h7"),
    gomoku("j5 d10 h9 g7 g4 g10 f9 i8"),
    gomoku("e6 g6 i12 j4 e9 i8 i4 f4"),
    gomoku("i4 i12 l6 j11 g5 h11 k11 k5"),
    gomoku("j8 f10 g12 d5 d8 g10 g5 j4"),
    gomoku("d6 k8 j7 h9 e11 i9 k6 l6"),
    gomoku("i6 f6 i10 k6 h6 f7 g9 g11"),
];

/// Boards of Gomoku with 40 to 79 stones and no win in sight, from the games against Rapfi in `docs/games`: what nodes
/// cost late in a game.
pub const LATE_POSITIONS: [BenchPosition; 12] = [
    late(
        "i4 i9 i10 f12 g10 g9 h9 h10 g11 f11 f8 f10 f13 e11 d12 g12 g8 f7 h8 i8 e10 d10 g13 c9 b8 f9 d9 i5 i6 h7 e7 e5 g4 j7 g5 j4 g6 g7 i7 h6 k3 j8 j5 h3 h4 f6 l6 h12 i12",
    ),
    late(
        "e7 g5 j7 g9 f11 j6 i7 k7 i5 i6 h6 k6 l6 j4 k4 f7 g8 i4 j5 h5 g6 f5 f8 k9 k8 e9 f9 f3 g4 f4 f6 e5 d5 d6 f10 f12 g3 g10 j9 k10 h8 i8",
    ),
    late(
        "h10 i5 i6 g9 e5 j7 j8 h8 i7 h6 g7 f7 i10 i9 h9 e8 j10 k10 g6 f10 f9 e11 d12 g8 f8 g12 f11 j11 i12 l11 g10 e12 k11 j9 m12 l8 l10 m9 k9 m11 g5 m8 m7 i8 h7",
    ),
    late(
        "i4 k8 j9 k6 d10 e8 k7 g8 j6 i5 h8 j7 h9 i9 f10 g9 g10 e10 f11 i8 i6 i11 e12 d13 i10 h10 f8 f12 g11 e9 e7 d11 f9 f7 h5 l8 m8 h7 k12 j11 k11 k9 j10 c12 k13 k14 b13 g6 g7 l10 j13 m10 l9 i12 e4 d5 d6 e5 c5 b4 m11 l12 l5 k5 e6 b6 h13 i13 i14 l11 l4 l13 l14 j4 g4 l6 m7 h3 k3",
    ),
    late(
        "j12 i5 l4 j10 d10 h12 i11 h10 h11 g11 i9 i10 g10 f8 e10 f10 e9 f9 f7 e7 e12 e11 d12 i8 h8 d13 c12 f12 f11 d9 i13 k11 k10 d6 g9 e13 d14 c5 b4 e5",
    ),
    late(
        "l12 h8 d10 i8 f10 l6 g8 h7 h9 f7 g10 h10 g7 g6 j9 f9 d8 e9 d9 d11 e10 c10 f11 g12 c8 b7 e12 d13 f5 d7 e8 f8 e7 f6 e11 c9 k12 i6 h6 i9 i7 j11 j8",
    ),
    late(
        "i7 i8 j11 h9 h8 g10 f11 g9 f9 f8 e10 e7 d6 g12 g11 g7 d11 g8 g6 e11 h6 h11 h10 j8 f12 e13 f13 f10 d12 e12 d9 d10 f7 e8 j6 k6 j7 e6 e5 c7 c8 b7 f6 i6 h5",
    ),
    late(
        "e11 h5 h8 e7 e5 g5 f6 g7 f7 i5 f5 f8 h6 i6 d6 g4 f3 f4 g6 e6 h7 e4 h4 g9 h10 h9 j7 e10 d9 j9 i9 g11 g10 c10 d10 j11 c9 b8 e9 b9 d11 d4 c4 d12 k8 k10 j10 b11 b10 i12 l9 i11 k11 l12 i14 g13 k12 l11 m12 e14 f10 i10 g12 k5 j5 l6 j8 l8 j4 j6 h13 l4 m3",
    ),
    late(
        "k9 l10 k12 h10 d4 j7 l11 k11 m10 n9 j12 i12 j13 i14 j11 j10 i10 l13 i8 j9 g8 h9 h8 j8 j6 k7 i9 i7 h7 l7 m7 m8 k6 l8 n8 l6 l9 m5 n4 e8 f6 g7 f5 e4",
    ),
    late(
        "f6 g7 e6 h7 k8 i6 g8 h6 h8 j6 k6 f7 i7 i5 f8 e8 k5 k7 h4 g5 g6 d7 e7 d6 e5 j8 j4 l6 i9 j9 j7 l5 l7 k4 i11 i10 g10 g9 k11 j11 h9 i8 k10 k12 j12 l10 l13 j3 m6 d5 e4 e3 d4 f4 d2 k9 k13 l14 m11 l12",
    ),
    late(
        "l7 d6 e5 i9 g9 f6 e6 e7 g5 d5 d7 f5 f8 i7 i8 f3 f4 e4 c6 d3 g6 g7 h8 g8 f9 e8 d4 k9 j7 k6 e3 h7 f7 d2 k7 g2 h1 l8 j9 i10 m7 n7 f11 f10 h12 h9 j11 j10 l10 j5 k4 j4 f2 c5 i12 j3 j2 i3 h3 i5 k5 l6",
    ),
    late(
        "f5 j6 i11 l7 g10 j9 i10 i9 j10 h10 k9 h12 j8 i7 h9 h8 k5 g8 k8 i8 k10 k7 l8 m7 j7 i6 i5 n7 o7 k11 f9 e8 f8 j5 i12 j11 f10 f7 f11 f12 d13",
    ),
];

const fn late(stones: &'static str) -> BenchPosition {
    BenchPosition { game: "gomoku", stones }
}

const fn c6(stones: &'static str) -> (BenchPosition, u32) {
    (BenchPosition { game: "connect6", stones }, 10)
}

const fn gomoku(stones: &'static str) -> (BenchPosition, u32) {
    (BenchPosition { game: "gomoku", stones }, 12)
}

/// What the search did in one position.
#[derive(Clone, Debug)]
pub struct BenchResult {
    /// The position.
    pub position: BenchPosition,
    /// Stones of depth reached.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time taken.
    pub elapsed: Duration,
    /// The turn chosen.
    pub turn: String,
    /// Its value.
    pub value: Value,
}

/// Searches every position to this many nodes with one thread.
pub fn bench(nodes: u64, on: &mut dyn FnMut(&BenchResult)) -> Vec<BenchResult> {
    POSITIONS
        .into_iter()
        .filter_map(|position| {
            let result = run(position, 1, Searcher::Best, &Budget::nodes(nodes))?;
            on(&result);
            Some(result)
        })
        .collect()
}

/// Alpha-beta without a network searches every late board to this many nodes with one thread.
pub fn late_boards(nodes: u64, on: &mut dyn FnMut(&BenchResult)) -> Vec<BenchResult> {
    LATE_POSITIONS
        .into_iter()
        .filter_map(|position| {
            let result = run(position, 1, Searcher::AlphaBeta, &Budget::nodes(nodes))?;
            on(&result);
            Some(result)
        })
        .collect()
}

/// Alpha-beta searches the quiet positions to their depths less `shallower`, each with one thread and then
/// with `threads`; `on` hears both results.
pub fn time_to_depth(
    threads: usize,
    shallower: u32,
    on: &mut dyn FnMut(&[BenchResult; 2]),
) -> Vec<[BenchResult; 2]> {
    DEPTH_POSITIONS
        .into_iter()
        .filter_map(|(position, depth)| {
            let budget = Budget::depth(depth.saturating_sub(shallower).max(1));
            let search = |threads| run(position, threads, Searcher::AlphaBeta, &budget);
            let pair = [search(1)?, search(threads)?];
            on(&pair);
            Some(pair)
        })
        .collect()
}

fn run(
    position: BenchPosition,
    threads: usize,
    searcher: Searcher,
    budget: &Budget,
) -> Option<BenchResult> {
    let rules: Rules = position.game.parse().ok()?;
    let mut at = Position::new(rules);
    for name in position.stones.split_whitespace() {
        at.play(notation::parse(&rules, name).ok()?).ok()?;
    }
    let settings = Settings { memory: 16, threads, searcher, ..Settings::default() };
    let mut engine = Engine::new(&rules, settings, 0);
    let started = Instant::now();
    let thought = engine.think(&at, budget, &mut |_| {}).ok()?;
    Some(BenchResult {
        position,
        depth: thought.report.depth,
        nodes: thought.report.nodes,
        elapsed: started.elapsed(),
        turn: notation::names(&rules, &thought.turn),
        value: thought.report.lines.first().map_or(Value::Draw, |line| line.value),
    })
}

/// Nodes per position of the signatures that are stored.
const CHECK_NODES: u64 = 4_000;

/// The signature of each game's positions at [`CHECK_NODES`]. A commit that means to change the search
/// of a game changes its number here, and says so; no other commit may.
const EXPECTED: [(&str, u64); 7] = [
    ("connect6", 0xc949_5f21_f420_da5c),
    ("gomoku", 0xde8a_7395_bea4_dbb2),
    ("gomoku-standard", 0x789d_69ce_34df_d2ee),
    ("tictactoe", 0x1468_e7e8_3450_9f48),
    ("9x9,k=5,p=2,q=1", 0xf657_3b46_2548_306c),
    ("13x11,k=6,p=3,q=2", 0xf415_09aa_a9ba_ab05),
    ("connect4", 0xa883_d7d8_3c52_0dee),
];

/// A game whose searches are not those that its stored signature stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unexpected {
    /// The game.
    pub game: &'static str,
    /// The signature stored for it.
    pub stored: u64,
    /// The signature found.
    pub found: u64,
}

/// Searches every position shortly, and compares the signature of each game with the one stored for it.
pub fn unexpected() -> Vec<Unexpected> {
    let results = bench(CHECK_NODES, &mut |_| {});
    let of_game = |game| {
        let results: Vec<BenchResult> =
            results.iter().filter(|result| result.position.game == game).cloned().collect();
        signature(&results)
    };
    EXPECTED
        .into_iter()
        .map(|(game, stored)| Unexpected { game, stored, found: of_game(game) })
        .filter(|check| check.stored != check.found)
        .collect()
}

/// One number for everything the searches did.
pub fn signature(results: &[BenchResult]) -> u64 {
    results.iter().fold(fnv1a(&[]), |hash, result| {
        let text = format!("{} {} {} {:?}", result.nodes, result.depth, result.turn, result.value);
        fnv1a_from(hash, text.as_bytes())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_searched_as_expected() {
        assert_eq!(unexpected(), [], "the search has changed: was it meant to?");
    }

    #[test]
    fn every_position_is_searched_and_the_signature_repeats() {
        let first = bench(300, &mut |_| {});
        assert_eq!(first.len(), POSITIONS.len());
        assert_eq!(signature(&first), signature(&bench(300, &mut |_| {})));
        assert_ne!(signature(&first), signature(&bench(900, &mut |_| {})));
    }

    #[test]
    fn late_boards_are_late_and_undecided() {
        let results = late_boards(2_000, &mut |_| {});
        assert_eq!(results.len(), LATE_POSITIONS.len());
        for result in results {
            let stones = result.position.stones.split(' ').count();
            assert!((40..80).contains(&stones), "{stones}");
            assert!(matches!(result.value, Value::Chance(_)), "{result:?}");
        }
    }

    #[test]
    fn one_thread_and_two_reach_the_depth_asked_for() {
        let shallower = 8;
        let pairs = time_to_depth(2, shallower, &mut |_| {});
        assert_eq!(pairs.len(), DEPTH_POSITIONS.len());
        for (pair, (_, depth)) in pairs.iter().zip(DEPTH_POSITIONS) {
            for result in pair {
                // Either may prove a win or loss at another depth; with two threads that is a matter of luck.
                let decided = matches!(result.value, Value::WinsIn(_) | Value::LosesIn(_));
                assert!(result.depth == depth - shallower || decided, "{result:?}");
            }
        }
    }
}
