//! Fours and what stops them, with one stone per turn: wins in sight, the quiescence search at the
//! horizon, which follows fours, and the replies to a threatened four.

use collinear_rules::{Cell, Player, Rules};

use super::frame::{MAX_PLY, Node};
use super::moves;
use super::order;
use super::score::{self, Score, wins_at};
use super::table::{Bound, Entry};
use super::worker::Worker;
use crate::cells::{CellKind, Cells};

/// A win that the opponent threatens, and in how many turns if nothing stops it.
pub(super) struct Threat {
    pub(super) turns: i32,
}

impl Worker<'_> {
    /// A win or loss that needs no search: rows at hand, an open four that nobody stops, a four after
    /// whose only reply there is one.
    pub(super) fn in_sight(&mut self, distance: i32) -> Option<Score> {
        let cells = self.cells();
        let player = self.state.turn().player;
        if cells.count_of(player, CellKind::Row) > 0 {
            return Some(wins_at(distance));
        }
        match cells.count_of(!player, CellKind::Row) {
            0 if cells.count_of(player, CellKind::OpenFour) > 0 => {
                return Some(wins_at(distance + 2));
            }
            0 if cells.count_of(player, CellKind::FourThree) > 0 => {}
            0 => return None,
            1 if self.may_stop_the_row(player) => return None,
            _ => return Some(-wins_at(distance + 1)),
        }
        let mut from = 0;
        while let Some(cell) = self.cells().next_of(player, CellKind::FourThree, from) {
            if self.wins_by_four(cell) {
                return Some(wins_at(distance + 4));
            }
            from = cell.index() + 1;
        }
        None
    }

    /// Whether the player may place a stone where the opponent completes a row.
    fn may_stop_the_row(&self, player: Player) -> bool {
        let Some(cells) = self.state.cells() else { return true };
        let mut rows = cells.at_least(!player, CellKind::Row);
        rows.next().is_none_or(|cell| cells.is_allowed(player, cell))
    }

    /// The first cell where a player completes a row.
    fn row_cell(&self, player: Player) -> Option<Cell> {
        let cells = self.cells();
        let has_rows = cells.count_of(player, CellKind::Row) > 0;
        has_rows.then(|| cells.at_least(player, CellKind::Row).next()).flatten()
    }

    /// Whether an open four follows after a four on this cell and the only reply to it.
    fn wins_by_four(&mut self, cell: Cell) -> bool {
        let player = self.state.turn().player;
        self.state.play(cell);
        let reply = self.row_cell(player);
        let mut wins = false;
        if reply.is_some() && !self.may_stop_the_row(!player) {
            wins = true;
        } else if let Some(reply) = reply {
            self.state.play(reply);
            let cells = self.cells();
            wins = cells.count_of(!player, CellKind::Row) == 0
                && cells.count_of(player, CellKind::Row)
                    + cells.count_of(player, CellKind::OpenFour)
                    > 0;
            self.state.undo();
        }
        self.state.undo();
        wins
    }

    /// Quiescence search: the evaluation, or what continuous fours make of it. `fours` of ours were
    /// played.
    pub(super) fn quiescence(
        &mut self,
        [mut alpha, beta]: [Score; 2],
        node: Node,
        fours: u8,
    ) -> Score {
        let Node { ply, distance, .. } = node;
        if fours > 0 {
            self.frames[ply].line.clear();
            if self.count_node() {
                return 0;
            }
            if let Some(score) = self.in_sight(distance) {
                return score;
            }
        }
        if self.state.empty_count() == 0 {
            return 0;
        }
        let player = self.state.turn().player;
        if ply >= MAX_PLY {
            return self.evaluation(node);
        }
        if let Some(cell) = self.row_cell(!player) {
            self.state.play(cell);
            let score = -self.quiescence([-beta, -alpha], node.after(true), fours.max(1));
            self.state.undo();
            return score;
        }
        let evaluation = self.evaluation(node);
        let cells = self.cells();
        let best_kind =
            if fours < self.params.quiescence_plain { CellKind::Four } else { CellKind::FourPlus };
        let has_fours = cells.count_of(player, CellKind::FourPlus)
            + cells.count_of(player, CellKind::FourThree)
            > 0
            || best_kind == CellKind::Four && cells.count_of(player, CellKind::Four) > 0;
        if fours == 0 {
            self.state.note_leaf(has_fours);
        }
        if evaluation >= beta || !has_fours || fours >= self.params.quiescence_fours {
            return evaluation;
        }
        let key = self.state.key();
        let known = self.known(key, distance);
        if let Some(entry) = known
            && entry.depth >= -i32::from(fours)
            && !score::is_outdated(entry.score, self.doubt)
            && entry.settles(alpha, beta)
        {
            return entry.score;
        }
        let first = alpha;
        alpha = alpha.max(evaluation);
        let mut list = std::mem::take(&mut self.frames[ply].list);
        list.clear();
        let last = self.state.played().rev().nth(1);
        let is_near = |cell: Cell| {
            last.is_none_or(|last| {
                is_related(self.state.geometry().rules(), self.params.quiescence_near, cell, last)
            })
        };
        let found = self.cells().at_least(player, best_kind).filter(|&cell| is_near(cell));
        list.extend(found.map(|cell| moves::candidate(self.state, cell)));
        order::sort(&mut list, known.and_then(|entry| entry.best));
        let mut best = evaluation;
        let mut best_cell = None;
        for candidate in &list {
            self.state.play(candidate.cell);
            let score = -self.quiescence([-beta, -alpha], node.after(true), fours + 1);
            self.state.undo();
            if self.is_stopped() {
                break;
            }
            if score > best {
                best = score;
                best_cell = Some(candidate.cell);
                alpha = alpha.max(score);
                if score >= beta {
                    break;
                }
            }
        }
        self.frames[ply].list = list;
        if self.is_stopped() {
            return 0;
        }
        let bound = if best >= beta {
            Bound::Lower
        } else if best > first {
            Bound::Exact
        } else {
            Bound::Upper
        };
        let depth = -i32::from(fours);
        let unproved = known.map_or(0, |entry| entry.unproved);
        if known.is_none_or(|entry| entry.depth <= depth) {
            self.store(
                key,
                distance,
                Entry { score: best, bound, depth, best: best_cell, unproved },
            );
        }
        best
    }

    /// Every stone that may stop the opponent's rows and winning fours: those that guard against all of
    /// them, and own fours. Nothing if he threatens none.
    pub(super) fn list_guards(&self, list: &mut Vec<moves::Candidate>) -> Option<Threat> {
        list.clear();
        let (player, cells) = (self.state.turn().player, self.cells());
        if cells.count_of(!player, CellKind::Row) > 0 {
            let rows = cells.at_least(!player, CellKind::Row);
            let rows = rows.filter(|&cell| cells.is_allowed(player, cell));
            list.extend(rows.map(|cell| moves::candidate(self.state, cell)));
            return Some(Threat { turns: 1 });
        }
        let (threat, guards) = if cells.count_of(!player, CellKind::OpenFour) > 0 {
            (Threat { turns: 3 }, self.guards_against_open_fours(cells)?)
        } else if cells.count_of(!player, CellKind::FourThree) == 0 {
            return None;
        } else {
            let mut fours = cells.at_least(!player, CellKind::FourThree);
            let board = self.state.board();
            let guards = fours.find_map(|cell| cells.guards(board, !player, cell))?;
            (Threat { turns: 5 }, guards)
        };
        let allowed = guards.iter().filter(|&&cell| cells.is_allowed(player, cell));
        list.extend(allowed.map(|&cell| moves::candidate(self.state, cell)));
        let fours = cells.at_least(player, CellKind::Four).filter(|cell| !guards.contains(cell));
        list.extend(fours.map(|cell| moves::candidate(self.state, cell)));
        Some(threat)
    }

    fn guards_against_open_fours(&self, cells: &Cells) -> Option<Vec<Cell>> {
        let player = self.state.turn().player;
        let board = self.state.board();
        let threats: Vec<Cell> = cells.at_least(!player, CellKind::OpenFour).collect();
        if threats.iter().any(|&cell| player == Player::White && cells.may_become_foul(cell)) {
            return None;
        }
        let mut guards = Vec::new();
        // A stone that guards against the first threat stands on one of its lines.
        for at in board.geometry().lines_through(*threats.first()?) {
            for &cell in board.geometry().line_cells(at.line) {
                if board.is_empty(cell)
                    && !guards.contains(&cell)
                    && threats.iter().all(|&threat| !cells.still_wins(board, !player, threat, cell))
                {
                    guards.push(cell);
                }
            }
        }
        Some(guards)
    }
}

/// Whether two stones can work together: on one line within a row's length, or near each other.
fn is_related(rules: &Rules, near: usize, a: Cell, b: Cell) -> bool {
    let width = rules.width();
    let across = (a.index() % width).abs_diff(b.index() % width);
    let along = (a.index() / width).abs_diff(b.index() / width);
    let far = across.max(along);
    far <= near || far < rules.k() && (across == 0 || along == 0 || across == along)
}
