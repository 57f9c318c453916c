//! Which stones are worth a look, in which order.

use collinear_rules::Cell;

use crate::State;
use crate::evaluation::Evaluation;
use crate::proof::Zone;
use crate::tactics::{Replies, Tactics};

/// A stone to try.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Candidate {
    pub(crate) cell: Cell,
    /// Logit of the policy, in 1/256.
    pub(crate) policy: i32,
    /// What it is sorted by.
    pub(crate) order: i32,
}

impl Candidate {
    /// Whether the rules allow a stone on this empty cell: Renju forbids some.
    fn is_allowed(&self) -> bool {
        self.policy > Evaluation::NOBODY
    }
}

/// The most candidates of a position.
pub(crate) const MAX: usize = 64;

/// The best `width` empty cells by policy, best first. Says whether these are all there are.
pub(crate) fn by_policy(state: &mut State, width: usize, found: &mut Vec<Candidate>) -> bool {
    found.clear();
    let player = state.turn().player;
    let width = width.clamp(1, MAX);
    if state.geometry().rules().gravity() {
        for column in 0..state.geometry().rules().width() {
            if let Some(cell) = drop_cell(state, column) {
                found.push(candidate(state, cell));
            }
        }
        found.sort_by_key(|candidate| std::cmp::Reverse(candidate.policy));
        return true;
    }
    let least = worth_a_look(state.policy(player), width);
    for (index, &policy) in state.policy(player).iter().enumerate() {
        if policy < least {
            continue;
        }
        if found.len() == width {
            if found[width - 1].policy >= policy {
                continue;
            }
            found.pop();
        }
        let at = found.partition_point(|other| other.policy >= policy);
        found.insert(at, Candidate { cell: Cell::new(index), policy, order: policy });
    }
    found.len() == state.empty_count()
}

/// A policy that at least `width` empty cells reach, if there are that many, and few cells more: with
/// it most cells are passed over at once. Cells are looked at by groups, as the best of as many
/// different groups are as many different cells.
fn worth_a_look(policy: &[i32], width: usize) -> i32 {
    const GROUP: usize = 8;
    let best_of = |group: &[i32]| group.iter().fold(i32::MIN, |best, &policy| best.max(policy));
    let mut best = [Evaluation::NOBODY; MAX];
    let best = &mut best[..width];
    for group in policy.chunks(GROUP) {
        let next = best_of(group);
        if next <= best[width - 1] {
            continue;
        }
        let mut place = width - 1;
        while place > 0 && best[place - 1] < next {
            best[place] = best[place - 1];
            place -= 1;
        }
        best[place] = next;
    }
    best[width - 1]
}

/// The best `width` empty cells of a zone by policy, best first. Says whether these are all.
pub(crate) fn in_zone(
    state: &State,
    zone: &Zone,
    width: usize,
    found: &mut Vec<Candidate>,
) -> bool {
    found.clear();
    let cells = state.geometry().rules().all_cells();
    found.extend(
        cells
            .filter(|&cell| zone.contains(cell) && state.board().is_empty(cell))
            .map(|cell| candidate(state, cell))
            .filter(Candidate::is_allowed),
    );
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.policy));
    let all = found.len();
    found.truncate(width.min(MAX));
    found.len() == all
}

/// Where the player to move must put the next stone against threats, best first by policy.
pub(crate) fn covers(state: &mut State, tactics: &mut Tactics, found: &mut Vec<Candidate>) {
    found.clear();
    let turn = state.turn();
    let replies = tactics.covers(state.windows_mut(), turn.player, usize::from(turn.left));
    if let Replies::Only(cells) = replies {
        found.extend(cells.into_iter().map(|cell| candidate(state, cell)));
    }
    found.sort_by_key(|candidate| std::cmp::Reverse(candidate.policy));
}

/// These cells, best first by policy, after those that are listed already.
pub(crate) fn append(state: &State, cells: impl Iterator<Item = Cell>, found: &mut Vec<Candidate>) {
    let listed = found.len();
    for cell in cells {
        let candidate = candidate(state, cell);
        if candidate.is_allowed() && !found[..listed].iter().any(|known| known.cell == cell) {
            found.push(candidate);
        }
    }
    found[listed..].sort_by_key(|candidate| std::cmp::Reverse(candidate.policy));
}

/// One cell as a candidate.
pub(crate) fn candidate(state: &State, cell: Cell) -> Candidate {
    let policy = state.policy_of(cell);
    Candidate { cell, policy, order: policy }
}

/// Where a stone in this column lands.
pub(crate) fn drop_cell(state: &State, column: usize) -> Option<Cell> {
    let rules = state.geometry().rules();
    (0..rules.height())
        .filter_map(|row| rules.cell(column, row))
        .find(|&cell| state.board().is_empty(cell))
}
