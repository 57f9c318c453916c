//! The sliding window of Wu and Huang on one line, window by window, with the tiles it marks
//! (document 000, §2.1), or with the document's first remedy, which marks every empty tile (§2.2).

use collinear_rules::Player;
use serde::Serialize;

use super::LineStones;
use crate::connectk::Marks;
use crate::tablebase::LineRules;

/// A scan of a line from left to right.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowScan {
    /// The line.
    pub line: String,
    /// Cells of a window.
    pub k: usize,
    /// Stones of a threat: a window with this many or more can be filled in a turn.
    pub enough: usize,
    /// Every window in order.
    pub steps: Vec<WindowStep>,
    /// Windows that were counted.
    pub threats: usize,
}

/// One window.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct WindowStep {
    /// Its first tile, from 0.
    pub first: usize,
    /// Stones of the player who threatens.
    pub stones: u32,
    /// What the counter makes of it.
    pub seen: Seen,
    /// The tiles it marks.
    pub marked: Vec<usize>,
    /// The threats counted so far, this window included.
    pub threats: usize,
}

/// What the counter makes of a window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Seen {
    /// An opposing stone stops it.
    Opposing,
    /// It has too few stones.
    TooFew,
    /// One of its tiles is marked: its threat is counted already.
    Marked,
    /// A threat: it is counted, and tiles are marked.
    Threat,
}

impl WindowScan {
    /// Scans a line for the threats of a player.
    pub fn of(line: &LineStones, rules: LineRules, player: Player, marks: Marks) -> Self {
        let (k, enough) = (rules.k(), rules.threat());
        let mut scan = Self { line: line.to_string(), k, enough, steps: Vec::new(), threats: 0 };
        let mut marked = vec![false; line.length()];
        for first in 0..(line.length() + 1).saturating_sub(k) {
            let tiles = first..first + k;
            let count = |who| tiles.clone().filter(|&tile| line.at(tile) == Some(who)).count();
            let stones = count(player);
            let empty: Vec<usize> = tiles.clone().filter(|&tile| line.at(tile).is_none()).collect();
            let seen = if count(player.opponent()) > 0 {
                Seen::Opposing
            } else if stones < enough {
                Seen::TooFew
            } else if tiles.clone().any(|tile| marked[tile]) {
                Seen::Marked
            } else {
                Seen::Threat
            };
            let new = match (seen, marks) {
                (Seen::Threat, Marks::All) => empty,
                (Seen::Threat, Marks::Last) => empty.last().copied().into_iter().collect(),
                _ => Vec::new(),
            };
            for &tile in &new {
                marked[tile] = true;
            }
            scan.threats += usize::from(seen == Seen::Threat);
            scan.steps.push(WindowStep {
                first,
                stones: stones as u32,
                seen,
                marked: new,
                threats: scan.threats,
            });
        }
        scan
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Position, Rules, Setup};
    use proptest::prelude::*;

    use super::*;
    use crate::connectk::{mark_all, wu_huang};

    #[test]
    fn the_documents_figures() {
        let line = LineStones::parse("..XXXX..").expect("a line");
        let scan = WindowScan::of(&line, LineRules::CONNECT6, Player::Black, Marks::Last);
        let seen: Vec<_> = scan.steps.iter().map(|step| (step.seen, &step.marked[..])).collect();
        assert_eq!(seen, [(Seen::Threat, &[1][..]), (Seen::Marked, &[]), (Seen::Threat, &[7])]);
        let white = WindowScan::of(&line, LineRules::CONNECT6, Player::White, Marks::Last);
        assert_eq!((white.threats, white.steps[0].seen), (0, Seen::Opposing));
    }

    proptest! {
        /// On a board of one line the steps end where the counters do.
        #[test]
        fn steps_count_as_the_counters_do(signs in prop::collection::vec(0..4_u8, 6..20)) {
            let text: String = signs.iter().map(|sign| ['.', 'X', 'O', '.'][usize::from(*sign)]).collect();
            let line = LineStones::parse(&text).expect("a line");
            let rules: Rules = format!("{}x1,k=6,p=2,q=1", line.length()).parse().expect("rules");
            let of = |player| {
                rules.all_cells().filter(|cell| line.at(cell.index()) == Some(player)).collect()
            };
            let setup = Setup {
                black: of(Player::Black),
                white: of(Player::White),
                to_move: Some((Player::White, 1)),
            };
            let Ok(position) = Position::from_setup(rules, &setup) else { return Ok(()) };
            for player in Player::BOTH {
                let scan = |marks| WindowScan::of(&line, LineRules::CONNECT6, player, marks).threats;
                prop_assert_eq!(scan(Marks::Last), wu_huang(&position, player));
                prop_assert_eq!(scan(Marks::All), mark_all(&position, player));
            }
        }
    }
}
