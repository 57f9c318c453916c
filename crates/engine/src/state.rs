//! The position as the search sees it: windows, line patterns, totals and keys, all kept stone by
//! stone and undone exactly.
//!
//! A stone changes the patterns of the empty cells on its four lines as far as they can see it:
//! its own colour sees one stone more up to the next enemy stone, the other colour sees less. Each
//! change adds the difference of two table entries to the totals of the board (the evaluation) and
//! of the cell (the policy). Undo replays the old codes from a journal.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineRef, Player, Position};
use collinear_shapes::{ThreatCounter, Windows};

use crate::patterns::{Code, DEAD};
use crate::weights::{Entry, Weights};

/// A position with everything the search asks for.
#[derive(Clone)]
pub struct State {
    windows: Windows,
    counter: ThreatCounter,
    weights: Arc<Weights>,
    lines: Arc<[LineInfo]>,
    /// Per slot (a cell on a line) the codes of both colours; stale under stones.
    codes: Vec<[Code; 2]>,
    /// Per colour the sums over all empty cells and directions.
    totals: [Totals; 2],
    /// Per colour and cell: worth of an own stone, worth of taking the cell from this colour.
    cells: [Vec<CellWorth>; 2],
    stones: Vec<Stone>,
    journal: Vec<Change>,
    empty: usize,
    turn: TurnPoint,
    key: u64,
}

/// Whose turn it is and how many stones are left of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnPoint {
    /// The player to move.
    pub player: Player,
    /// Stones left.
    pub left: u8,
}

/// What a cell is worth to a colour, summed over the four directions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellWorth {
    /// For the colour itself to play there.
    pub attack: i32,
    /// For the other colour to take it away.
    pub defend: i32,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    mover: i32,
    waiter: i32,
}

#[derive(Clone, Copy)]
struct LineInfo {
    first_slot: u32,
    length: u8,
}

#[derive(Clone, Copy)]
struct Stone {
    cell: Cell,
    before: TurnPoint,
    journal: u32,
}

/// A code before it changed.
#[derive(Clone, Copy)]
struct Change {
    slot: u32,
    cell: u16,
    player: Player,
    code: Code,
}

impl State {
    /// The state of a position. The weights must be made for its rules.
    pub fn new(position: &Position, weights: Arc<Weights>) -> Self {
        let geometry = position.geometry().clone();
        let mut first_slot = 0;
        let lines: Arc<[LineInfo]> = geometry
            .lines()
            .map(|line| {
                let length = geometry.line_cells(line).len();
                let info = LineInfo { first_slot, length: length as u8 };
                first_slot += length as u32;
                info
            })
            .collect();
        let cells = vec![CellWorth::default(); geometry.rules().cells()];
        let mut state = Self {
            windows: Windows::new(geometry),
            counter: ThreatCounter::new(),
            weights,
            lines,
            codes: vec![[0; 2]; first_slot as usize],
            totals: [Totals::default(); 2],
            cells: [cells.clone(), cells],
            stones: Vec::new(),
            journal: Vec::new(),
            empty: 0,
            turn: TurnPoint { player: Player::Black, left: 0 },
            key: 0,
        };
        state.set(position);
        state
    }

    /// Takes over another position on the same board.
    pub fn set(&mut self, position: &Position) {
        self.windows.set(position);
        self.stones.clear();
        self.journal.clear();
        self.empty = position.empty_count();
        self.turn = TurnPoint { player: position.to_move(), left: position.stones_left() as u8 };
        self.key = self.geometry().turn_key(self.turn.player, self.turn.left);
        for player in Player::BOTH {
            for cell in position.stones(player) {
                self.key ^= self.geometry().stone_key(cell, player);
            }
        }
        self.recompute();
    }

    /// Codes and totals from scratch: the slow twin of what [`play`](Self::play) keeps.
    fn recompute(&mut self) {
        self.totals = [Totals::default(); 2];
        for cells in &mut self.cells {
            cells.fill(CellWorth::default());
        }
        let geometry = self.windows.geometry().clone();
        for cell in geometry.rules().all_cells() {
            if !self.windows.is_empty(cell) {
                self.mark(cell, 1);
            }
            for at in geometry.lines_through(cell) {
                for player in Player::BOTH {
                    let code = self.code_at(at, player);
                    let slot = self.slot(at);
                    self.codes[slot][player.index()] = code;
                    if self.windows.is_empty(cell) {
                        let entry = self.weights.entry(code);
                        self.add(cell, player, entry, 1);
                    }
                }
            }
        }
    }

    /// The windows of both colours.
    #[inline]
    pub const fn windows(&self) -> &Windows {
        &self.windows
    }

    /// The board.
    #[inline]
    pub const fn geometry(&self) -> &Arc<Geometry> {
        self.windows.geometry()
    }

    /// The weights the totals are made of.
    pub const fn weights(&self) -> &Arc<Weights> {
        &self.weights
    }

    /// Whose turn it is.
    #[inline]
    pub const fn turn(&self) -> TurnPoint {
        self.turn
    }

    /// Key of stones and turn.
    #[inline]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// Cells without a stone.
    #[inline]
    pub const fn empty_count(&self) -> usize {
        self.empty
    }

    /// Stones played since [`set`](Self::set).
    #[inline]
    pub fn played(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + '_ {
        self.stones.iter().map(|stone| stone.cell)
    }

    /// Added to the worth of cells with a stone, so that nobody wants them.
    pub(crate) const OCCUPIED: i32 = -(1 << 28);

    /// What every cell is worth to a colour.
    #[inline]
    pub(crate) fn worths(&self, player: Player) -> &[CellWorth] {
        &self.cells[player.index()]
    }

    /// What a cell is worth to a colour.
    #[inline]
    pub fn cell(&self, player: Player, cell: Cell) -> CellWorth {
        self.cells[player.index()][cell.index()]
    }

    /// The code a colour sees from an empty cell along a line.
    pub fn code(&self, at: &LineRef, player: Player) -> Code {
        self.codes[self.slot(at)][player.index()]
    }

    /// The static evaluation for the player to move, in 1/256 of a logit.
    #[inline]
    pub fn evaluation(&self) -> i32 {
        let mover = self.turn.player;
        let sum = self.totals[mover.index()].mover - self.totals[(!mover).index()].waiter;
        self.weights.tempo(self.turn.left) + (sum >> Weights::FRACTION_BITS)
    }

    /// The least number of stones against all threats of a player, at most `most + 1`.
    #[inline]
    pub fn threat_count(&mut self, player: Player, most: usize) -> usize {
        if !self.windows.has_threat(player) {
            return 0;
        }
        let p = self.geometry().rules().p();
        self.counter.count_within(&self.windows, player, p, most)
    }

    /// Windows mutable for a search that puts stones of its own and takes all of them back.
    pub(crate) const fn windows_mut(&mut self) -> &mut Windows {
        &mut self.windows
    }

    /// Places a stone of the player to move on an empty cell.
    pub fn play(&mut self, cell: Cell) {
        let player = self.turn.player;
        let geometry = self.windows.geometry().clone();
        self.stones.push(Stone { cell, before: self.turn, journal: self.journal.len() as u32 });
        for at in geometry.lines_through(cell) {
            for colour in Player::BOTH {
                let entry = self.weights.entry(self.codes[self.slot(at)][colour.index()]);
                self.add(cell, colour, entry, -1);
            }
        }
        self.windows.place(cell, player);
        for at in geometry.lines_through(cell) {
            if at.window_range().is_empty() {
                continue;
            }
            let cells = geometry.line_cells(at.line);
            for colour in Player::BOTH {
                self.update_side(at, cells, colour, player);
            }
        }
        self.mark(cell, 1);
        self.key ^= geometry.stone_key(cell, player);
        self.empty -= 1;
        self.set_turn(self.next_turn());
    }

    /// Takes the last stone back.
    pub fn undo(&mut self) -> Option<Cell> {
        let Stone { cell, before, journal } = self.stones.pop()?;
        let player = before.player;
        while self.journal.len() > journal as usize {
            let Some(Change { slot, cell, player, code }) = self.journal.pop() else { break };
            let now = self.codes[slot as usize][player.index()];
            self.codes[slot as usize][player.index()] = code;
            let (from, to) = (self.weights.entry(now), self.weights.entry(code));
            self.change(Cell::new(usize::from(cell)), player, from, to);
        }
        self.windows.remove(cell, player);
        let geometry = self.windows.geometry().clone();
        for at in geometry.lines_through(cell) {
            for colour in Player::BOTH {
                let entry = self.weights.entry(self.codes[self.slot(at)][colour.index()]);
                self.add(cell, colour, entry, 1);
            }
        }
        self.mark(cell, -1);
        self.key ^= geometry.stone_key(cell, player);
        self.empty += 1;
        self.set_turn(before);
        Some(cell)
    }

    fn next_turn(&self) -> TurnPoint {
        if self.turn.left > 1 {
            TurnPoint { left: self.turn.left - 1, ..self.turn }
        } else {
            let p = self.geometry().rules().p().min(self.empty);
            TurnPoint { player: !self.turn.player, left: p as u8 }
        }
    }

    #[inline]
    fn set_turn(&mut self, turn: TurnPoint) {
        let geometry = self.windows.geometry();
        self.key ^= geometry.turn_key(self.turn.player, self.turn.left)
            ^ geometry.turn_key(turn.player, turn.left);
        self.turn = turn;
    }

    /// Renews the codes of one colour along a line, outwards from a new stone of `player`, as far
    /// as the stone can be seen.
    #[inline]
    fn update_side(&mut self, at: &LineRef, cells: &[Cell], colour: Player, player: Player) {
        let own = self.windows.stones(at.line, colour);
        let enemy = self.windows.stones(at.line, !colour);
        let info = self.lines[at.line.index()];
        let (here, length) = (usize::from(at.index), usize::from(info.length));
        let reach = self.weights.space().reach();
        // Behind the next enemy stone (other than the new one itself) nobody sees the change.
        let walls = if colour == player { enemy } else { enemy & !(1 << here) };
        let stones = own | enemy;
        let first = {
            let wall = ((walls & ((1 << here) - 1)) << 1 | 1).ilog2() as usize;
            wall.max(here.saturating_sub(reach))
        };
        let last = {
            let wall = ((walls >> here >> 1) | 1 << (length - 1 - here)).trailing_zeros() as usize;
            here + wall.min(reach)
        };
        for (index, &cell) in cells.iter().enumerate().take(last + 1).skip(first) {
            if stones >> index & 1 != 0 {
                continue;
            }
            let slot = info.first_slot as usize + index;
            let code = self.weights.space().code(own, enemy, index, length);
            let before = std::mem::replace(&mut self.codes[slot][colour.index()], code);
            if before != code {
                let (from, to) = (self.weights.entry(before), self.weights.entry(code));
                self.change(cell, colour, from, to);
                self.journal.push(Change {
                    slot: slot as u32,
                    cell: cell.index() as u16,
                    player: colour,
                    code: before,
                });
            }
        }
    }

    #[inline]
    fn mark(&mut self, cell: Cell, sign: i32) {
        for worths in &mut self.cells {
            worths[cell.index()].attack += sign * Self::OCCUPIED;
        }
    }

    #[inline]
    fn slot(&self, at: &LineRef) -> usize {
        self.lines[at.line.index()].first_slot as usize + usize::from(at.index)
    }

    fn code_at(&self, at: &LineRef, player: Player) -> Code {
        if at.window_range().is_empty() {
            return DEAD;
        }
        let own = self.windows.stones(at.line, player);
        let enemy = self.windows.stones(at.line, !player);
        let length = usize::from(self.lines[at.line.index()].length);
        self.weights.space().code(own, enemy, usize::from(at.index), length)
    }

    #[inline]
    fn add(&mut self, cell: Cell, player: Player, entry: Entry, sign: i32) {
        let totals = &mut self.totals[player.index()];
        totals.mover += sign * i32::from(entry.mover);
        totals.waiter += sign * i32::from(entry.waiter);
        let worth = &mut self.cells[player.index()][cell.index()];
        worth.attack += sign * i32::from(entry.attack);
        worth.defend += sign * i32::from(entry.defend);
    }

    #[inline]
    fn change(&mut self, cell: Cell, player: Player, from: Entry, to: Entry) {
        let totals = &mut self.totals[player.index()];
        totals.mover += i32::from(to.mover) - i32::from(from.mover);
        totals.waiter += i32::from(to.waiter) - i32::from(from.waiter);
        let worth = &mut self.cells[player.index()][cell.index()];
        worth.attack += i32::from(to.attack) - i32::from(from.attack);
        worth.defend += i32::from(to.defend) - i32::from(from.defend);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Rules;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    fn fingerprint(state: &State) -> (u64, [Totals; 2], [Vec<CellWorth>; 2], TurnPoint, usize) {
        (state.key, state.totals, state.cells.clone(), state.turn, state.empty)
    }

    #[test]
    fn incremental_equals_from_scratch_and_undo_restores_everything() {
        for (number, text) in [
            "connect6",
            "gomoku",
            "gomoku-standard",
            "tictactoe",
            "9x6,k=4,p=3,q=2",
            "5x20,k=8,p=4,q=4",
            "32x32,k=7,p=2,q=3",
            "12x12,k=10,p=1,q=1",
            "4x64,k=3",
        ]
        .into_iter()
        .enumerate()
        {
            let rules: Rules = text.parse().expect(text);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(number as u64);
            let mut position = Position::new(rules);
            let weights = Arc::new(Weights::for_rules(&rules));
            let mut state = State::new(&position, weights.clone());
            let mut trail = vec![fingerprint(&state)];
            let plies = random.random_range(1..=rules.cells().min(60));
            for _ in 0..plies {
                let legal = position.legal_cells();
                if legal.is_empty() {
                    break;
                }
                let cell = legal[random.random_range(0..legal.len())];
                position.play(cell).expect("legal");
                state.play(cell);
                let fresh = State::new(&position, weights.clone());
                assert!(fingerprint(&fresh) == fingerprint(&state), "{text}");
                assert!(fresh.windows == state.windows);
                trail.push(fingerprint(&state));
            }
            while let Some(expected) = trail.pop() {
                assert!(fingerprint(&state) == expected, "{text}");
                assert_eq!(state.undo().is_some(), !trail.is_empty());
            }
        }
    }
}
