//! The generalised threats of one line, tile by tile (document 000, §3.2): the windows that the two
//! looks find, the values that are left when larger ones have silenced smaller ones, and their worth.

use collinear_rules::Player;
use serde::Serialize;

use super::LineStones;
use crate::connectk::generalised::printed::{FoundWindow, Scan};
use crate::tablebase::LineRules;

/// The threats of a line.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LineThreats {
    /// The line.
    pub line: String,
    /// Cells of a window.
    pub k: usize,
    /// The tiles in order.
    pub tiles: Vec<TileThreats>,
}

/// What a tile finds.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TileThreats {
    /// The window found looking forward, and backward; none around a stone.
    pub looks: [Option<LookFound>; 2],
    /// The values that count, the larger first.
    pub values: [Option<u32>; 2],
}

/// A window found by a look.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LookFound {
    /// Its first tile, from 0.
    pub first: usize,
    /// Whose it is.
    pub player: Player,
    /// Stones of that player in it.
    pub stones: u32,
}

impl LineThreats {
    /// The threats of both players.
    pub fn of(line: &LineStones, rules: LineRules) -> Self {
        let (length, k) = (line.length(), rules.k());
        let scan = Scan { stones: line.stones(), length, k, completes: false };
        let rows = scan.rows();
        let found = |found: FoundWindow| LookFound {
            first: found.first,
            player: found.row.player,
            stones: found.row.stones,
        };
        let tiles = rows.into_iter().enumerate().map(|(tile, kept)| TileThreats {
            looks: scan.looks(tile).map(|look| look.map(found)),
            values: kept.map(|row| row.map(|row| row.stones)),
        });
        Self { line: line.to_string(), k, tiles: tiles.collect() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_and_values_of_a_pair() {
        let line = LineStones::parse("........XX.......").expect("a line");
        let threats = LineThreats::of(&line, LineRules::CONNECT6);
        let beside = &threats.tiles[7];
        assert_eq!(beside.values, [Some(2), Some(2)]);
        let firsts = beside.looks.map(|look| look.map(|look| look.first));
        assert_eq!(firsts, [Some(7), Some(4)]);
        // Three tiles away one stone is in reach, and the two silence it.
        assert_eq!(threats.tiles[3].looks[0].map(|look| look.stones), Some(1));
        assert_eq!(threats.tiles[3].values, [None; 2]);
        assert_eq!(threats.tiles[8].looks, [None; 2], "a stone looks at nothing");
    }
}
