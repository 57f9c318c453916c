//! Fixed positions of several games, searched to fixed numbers of nodes: the sum of what the search
//! did is its signature. A change that should not change the search keeps it; any other change is
//! seen at once.

use std::time::{Duration, Instant};

use collinear_play::{Budget, Value};
use collinear_rules::{Position, Rules, notation};

use crate::{Engine, Settings};

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

/// Searches every position to so many nodes with one thread.
pub fn bench(nodes: u64, on: &mut dyn FnMut(&BenchResult)) -> Vec<BenchResult> {
    POSITIONS
        .into_iter()
        .filter_map(|position| {
            let result = run(position, nodes)?;
            on(&result);
            Some(result)
        })
        .collect()
}

fn run(position: BenchPosition, nodes: u64) -> Option<BenchResult> {
    let rules: Rules = position.game.parse().ok()?;
    let mut at = Position::new(rules);
    for name in position.stones.split_whitespace() {
        at.play(notation::parse(&rules, name).ok()?).ok()?;
    }
    let mut engine = Engine::new(&rules, Settings { memory: 16, ..Settings::default() }, 0);
    let started = Instant::now();
    let thought = engine.think(&at, &Budget::nodes(nodes), &mut |_| {}).ok()?;
    Some(BenchResult {
        position,
        depth: thought.report.depth,
        nodes: thought.report.nodes,
        elapsed: started.elapsed(),
        turn: notation::names(&rules, &thought.turn),
        value: thought.report.lines.first().map_or(Value::Draw, |line| line.value),
    })
}

/// One number for everything the searches did.
pub fn signature(results: &[BenchResult]) -> u64 {
    results.iter().fold(0xcbf2_9ce4_8422_2325, |hash, result| {
        let text = format!("{} {} {} {:?}", result.nodes, result.depth, result.turn, result.value);
        // FNV-1a over the bytes.
        text.bytes()
            .fold(hash, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_position_is_searched_and_the_signature_repeats() {
        let first = bench(300, &mut |_| {});
        assert_eq!(first.len(), POSITIONS.len());
        assert_eq!(signature(&first), signature(&bench(300, &mut |_| {})));
        assert_ne!(signature(&first), signature(&bench(900, &mut |_| {})));
    }
}
