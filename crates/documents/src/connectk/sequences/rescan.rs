//! The same utility by reading every window of the board again for every cell: slow, and short
//! enough to be believed.

use crate::search::{Appraise, Candidate};
use collinear_rules::{Cell, Player, Position};

use super::Worth;
use crate::connectk::tactics::Urgency;

#[derive(Clone)]
pub(super) struct Rescan {
    worth: Worth,
}

impl Rescan {
    pub(super) const fn new(worth: Worth) -> Self {
        Self { worth }
    }
}

impl Appraise for Rescan {
    fn load(&mut self, _: &Position) {}

    fn place(&mut self, _: Cell, _: Player) {}

    fn remove(&mut self, _: Cell, _: Player) {}

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        let (mover, left) = (position.to_move(), position.stones_left() - 1);
        let mut board: Vec<Option<Player>> =
            position.rules().all_cells().map(|cell| position.at(cell)).collect();
        for cell in position.legal_cells() {
            board[cell.index()] = Some(mover);
            let own = scan(position, &board, mover, self.worth.cap);
            let opposing = scan(position, &board, mover.opponent(), self.worth.cap);
            board[cell.index()] = None;
            let verdict = match own.need {
                Some(need) if need <= left => Urgency::Wins(need),
                _ if opposing.threats > 0 => Urgency::Threatened(opposing.threats),
                _ if own.threats as usize > position.rules().p() => Urgency::Forces,
                _ => Urgency::Quiet,
            };
            let utility = self.worth.utility(verdict, own.sum, opposing.sum);
            list.push(Candidate { cell, utility });
        }
    }
}

struct Scan {
    sum: i64,
    threats: u32,
    /// The fewest stones that fill a window and would come to rest.
    need: Option<usize>,
}

fn scan(position: &Position, board: &[Option<Player>], player: Player, cap: Option<usize>) -> Scan {
    let (rules, geometry) = (position.rules(), position.geometry());
    let mut marked = vec![false; rules.cells()];
    let mut scan = Scan { sum: 0, threats: 0, need: None };
    for window in geometry.windows() {
        let cells = geometry.window_cells(window);
        let spoiled = rules.overline(player) == collinear_rules::Overline::Ignored
            && geometry
                .window_flanks(window)
                .iter()
                .flatten()
                .any(|flank| board[flank.index()] == Some(player));
        if spoiled || cells.iter().any(|cell| board[cell.index()] == Some(player.opponent())) {
            continue;
        }
        let empties: Vec<Cell> =
            cells.iter().copied().filter(|cell| board[cell.index()].is_none()).collect();
        let stones = cells.len() - empties.len();
        let stones = stones.min(cap.unwrap_or(stones)) as i64;
        scan.sum += stones * stones;
        let rests = !rules.gravity()
            || empties.iter().all(|cell| {
                cell.index()
                    .checked_sub(rules.width())
                    .map(Cell::new)
                    .is_none_or(|below| board[below.index()].is_some() || empties.contains(&below))
            });
        if !rests {
            continue;
        }
        scan.need = Some(scan.need.unwrap_or(usize::MAX).min(empties.len()));
        if empties.len() <= rules.p() && empties.iter().all(|cell| !marked[cell.index()]) {
            scan.threats += 1;
            for cell in empties {
                marked[cell.index()] = true;
            }
        }
    }
    scan
}
