//! What a search remembers about stones that were good enough elsewhere, and the order in which
//! the stones of a node are tried.

use collinear_rules::{Cell, Player};

use super::moves::Candidate;
use super::params::SearchParams;

/// History and killers of one thread.
pub(super) struct Order {
    params: SearchParams,
    /// Per colour and cell: how often a stone there was good enough.
    history: [Vec<i32>; 2],
    /// Per ply the last two stones that were.
    killers: Vec<[Option<Cell>; 2]>,
}

const MAX_HISTORY: i32 = 1 << 12;
impl Order {
    pub(super) fn new(cells: usize, plies: usize, params: &SearchParams) -> Self {
        Self {
            params: *params,
            history: [vec![0; cells], vec![0; cells]],
            killers: vec![[None; 2]; plies],
        }
    }

    /// Adds what is remembered to the policy of each stone.
    pub(super) fn remind(&self, list: &mut [Candidate], player: Player, ply: usize) {
        let params = &self.params;
        let history = &self.history[player.index()];
        for candidate in list {
            candidate.order += history[candidate.cell.index()] / params.history_divisor;
            if self.killers[ply].contains(&Some(candidate.cell)) {
                candidate.order += params.killer_bonus;
            }
        }
    }

    /// How often a stone was good enough, from −4096 to 4096.
    pub(super) fn history(&self, player: Player, cell: Cell) -> i32 {
        self.history[player.index()][cell.index()]
    }

    /// Whether a stone was good enough at this ply.
    pub(super) fn is_killer(&self, cell: Cell, ply: usize) -> bool {
        self.killers[ply].contains(&Some(cell))
    }

    /// The last stone of these was good enough: it comes earlier from now on, the ones
    /// tried before it later.
    pub(super) fn reward(&mut self, tried: &[Candidate], player: Player, depth: i32, ply: usize) {
        let Some((best, earlier)) = tried.split_last() else { return };
        if self.killers[ply][0] != Some(best.cell) {
            self.killers[ply] = [Some(best.cell), self.killers[ply][0]];
        }
        let bonus = (depth * depth).clamp(1, self.params.history_max_bonus);
        let gain = self.params.history_gain;
        let history = &mut self.history[player.index()];
        let mut update = |cell: Cell, bonus: i32| {
            let entry = &mut history[cell.index()];
            // Gravity towards zero keeps entries within ±MAX_HISTORY.
            *entry += bonus - *entry * bonus.abs() / MAX_HISTORY;
        };
        update(best.cell, bonus * gain);
        for other in earlier {
            update(other.cell, -bonus);
        }
    }
}

/// Sorts by order, a stone known to be best before all.
pub(super) fn sort(list: &mut [Candidate], best: Option<Cell>) {
    for candidate in list.iter_mut().filter(|candidate| Some(candidate.cell) == best) {
        candidate.order = i32::MAX;
    }
    list.sort_by_key(|candidate| std::cmp::Reverse(candidate.order));
}
