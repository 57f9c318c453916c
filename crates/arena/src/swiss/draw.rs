//! Who meets whom in the next round of a Swiss tournament: a function of the rounds before and the
//! seed, so that a run that was interrupted goes on with the same pairings.
//!
//! 1. With an odd number of players, one of those with the fewest byes has a bye: the last of them
//!    in the table for whom the others can be paired.
//! 2. Nobody meets the same opponent again while a round is possible without that; then nobody for
//!    a third time, and so on.
//! 3. From the top of the table downwards, each meets whoever has met them least, has the score
//!    nearest to theirs, had the other colour too often, and stands next; always so that the rest
//!    can be paired under 2.
//! 4. Black, in the first game of a meeting, has who had Black less often; of equals who had White
//!    last; then lots decide.

use collinear_rules::Player;
use collinear_rules::hash::mix;

use super::Record;
use super::matching::Matching;

/// A round before it is played.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Drawn {
    /// Who meets whom; the first has Black in the first game.
    pub(crate) meetings: Vec<(usize, usize)>,
    /// Who does not play.
    pub(crate) bye: Option<usize>,
}

/// Draws round number `round` (from 0) by how everybody stands.
pub(super) fn draw(records: &[Record], round: u64, seed: u64) -> Drawn {
    let lot = |player: usize| mix(mix(seed) ^ player as u64);
    let mut table: Vec<usize> = (0..records.len()).collect();
    table.sort_by_key(|&player| (u64::MAX - records[player].half_points, lot(player)));
    let most = records.iter().flat_map(|record| record.met.iter().copied()).max().unwrap_or(0);
    for rematches in 0..=most {
        for bye in byes(records, &table) {
            let places: Vec<usize> =
                table.iter().copied().filter(|&player| Some(player) != bye).collect();
            let may_meet = |a: usize, b: usize| a != b && records[a].met[b] <= rematches;
            let row = |&a: &usize| places.iter().map(|&b| may_meet(a, b)).collect();
            let matching = Matching::largest(places.iter().map(row).collect());
            if matching.is_perfect() {
                let meetings = pair(records, &places, matching);
                let coin = |a: usize, b: usize| mix(lot(a) ^ lot(b) ^ mix(round)) & 1 == 0;
                let ordered = meetings.into_iter().map(|(a, b)| {
                    if has_black(&records[a], &records[b]).unwrap_or_else(|| coin(a, b)) {
                        (a, b)
                    } else {
                        (b, a)
                    }
                });
                return Drawn { meetings: ordered.collect(), bye };
            }
        }
    }
    // With as many meetings allowed as there ever were, everybody can meet everybody.
    Drawn { meetings: Vec::new(), bye: None }
}

/// Who may have the bye, the last in the table first; nobody with an even number of players.
fn byes(records: &[Record], table: &[usize]) -> Vec<Option<usize>> {
    if table.len().is_multiple_of(2) {
        return vec![None];
    }
    let fewest = records.iter().map(|record| record.byes).min().unwrap_or(0);
    let due = table.iter().rev().filter(|&&player| records[player].byes == fewest);
    due.map(|&player| Some(player)).collect()
}

/// The meetings from the top of the table downwards.
fn pair(records: &[Record], places: &[usize], mut matching: Matching) -> Vec<(usize, usize)> {
    let mut meetings = Vec::new();
    let mut free = vec![true; places.len()];
    for place in 0..places.len() {
        if !free[place] {
            continue;
        }
        let me = &records[places[place]];
        let mut others: Vec<usize> = (place + 1..places.len()).filter(|&at| free[at]).collect();
        others.sort_by_key(|&at| {
            let other = &records[places[at]];
            let clash = me.blacks.signum() * other.blacks.signum() > 0;
            (me.met[places[at]], me.half_points.abs_diff(other.half_points), clash, at)
        });
        // The matching is perfect: at least its own pair can be fixed.
        let Some(other) = others.into_iter().find(|&other| matching.fix(place, other)) else {
            continue;
        };
        (free[place], free[other]) = (false, false);
        meetings.push((places[place], places[other]));
    }
    meetings
}

/// Whether the first of two has Black; none where nothing speaks for either.
fn has_black(a: &Record, b: &Record) -> Option<bool> {
    match a.blacks.cmp(&b.blacks) {
        std::cmp::Ordering::Less => Some(true),
        std::cmp::Ordering::Greater => Some(false),
        std::cmp::Ordering::Equal => match (a.last, b.last) {
            (Some(Player::White), Some(Player::Black)) => Some(true),
            (Some(Player::Black), Some(Player::White)) => Some(false),
            _ => None,
        },
    }
}
