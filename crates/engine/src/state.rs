//! The position as the search sees it: stones, evaluation, policy and keys, all kept stone by stone and
//! undone exactly. Windows are counted when they are asked for.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineRef, Player, Position};
use collinear_windows::{Stones, ThreatCounter, Windows};

use crate::cells::Cells;
use crate::evaluation::{Evaluation, Leaf};
use crate::lines::stones_on;
use crate::patterns::{Code, DEAD};
use crate::proof::COUNT_STEPS;
use crate::weights::Weights;

/// A position with everything the search asks for.
#[derive(Clone)]
pub struct State {
    board: Stones,
    /// As of the first `counted_stones` of `stones`.
    windows: Windows,
    counted_stones: usize,
    counter: ThreatCounter,
    weights: Arc<Weights>,
    evaluation: Evaluation,
    stones: Vec<Played>,
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

/// A stone played, and what undo restores.
#[derive(Clone, Copy)]
struct Played {
    cell: Cell,
    turn: TurnPoint,
    key: u64,
}

impl State {
    /// The state of a position. The weights must be made for its rules.
    pub fn new(position: &Position, weights: Arc<Weights>) -> Self {
        let geometry = position.geometry().clone();
        let mut state = Self {
            evaluation: Evaluation::new(&geometry, &weights),
            weights,
            stones: Vec::new(),
            empty: 0,
            turn: TurnPoint { player: Player::Black, left: 0 },
            key: 0,
            board: Stones::new(geometry.clone()),
            windows: Windows::new(geometry),
            counted_stones: 0,
            counter: ThreatCounter::with_steps(COUNT_STEPS),
        };
        state.set(position);
        state
    }

    /// Takes over another position on the same board.
    pub fn set(&mut self, position: &Position) {
        self.board.set(position);
        self.windows.set(position);
        self.stones.clear();
        self.counted_stones = 0;
        self.empty = position.empty_count();
        self.turn = TurnPoint { player: position.to_move(), left: position.stones_left() as u8 };
        self.key = self.geometry().turn_key(self.turn.player, self.turn.left);
        for player in Player::BOTH {
            for cell in position.stones(player) {
                self.key ^= self.geometry().stone_key(cell, player);
            }
        }
        self.evaluation.set(&self.board);
    }

    /// Shapes and threats of every cell, where the evaluation keeps them.
    #[inline]
    pub(crate) const fn cells(&self) -> Option<&Cells> {
        self.evaluation.cells()
    }

    /// The stones on the board.
    #[inline]
    pub const fn board(&self) -> &Stones {
        &self.board
    }

    /// The windows of both colours.
    #[inline]
    pub fn windows(&mut self) -> &Windows {
        self.windows_mut()
    }

    /// The board.
    #[inline]
    pub const fn geometry(&self) -> &Arc<Geometry> {
        self.board.geometry()
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

    /// The policy of every cell for a colour to move: logits in 1/256.
    pub fn policy(&mut self, player: Player) -> &[i32] {
        self.evaluation.policy(&self.board, player)
    }

    /// The policy of one empty cell for the player to move.
    pub fn policy_of(&self, cell: Cell) -> i32 {
        self.evaluation.policy_of(&self.board, self.turn.player, cell)
    }

    /// The code a colour sees from an empty cell along a line.
    pub fn code(&self, at: &LineRef, player: Player) -> Code {
        match stones_on(&self.board, at.line, &self.weights) {
            line if line.length == 0 => DEAD,
            line => self.weights.code(line, usize::from(at.index), player),
        }
    }

    /// The static evaluation for the player to move, in 1/256 of a logit.
    #[inline]
    pub fn evaluation(&mut self) -> i32 {
        self.evaluation.evaluate(self.turn, self.key)
    }

    /// Remembers that this position is a [`Leaf`], where evaluations are remembered.
    #[inline]
    pub(crate) fn note_leaf(&mut self, has_fours: bool) {
        self.evaluation.note_leaf(self.key, has_fours);
    }

    /// What is remembered of the leaf with this key.
    #[inline]
    pub(crate) fn known_leaf(&self, key: u64) -> Option<Leaf> {
        self.evaluation.known_leaf(key)
    }

    /// The least number of stones against all threats of a player, at most `most + 1`. With turns
    /// of five stones and more it may be a lower bound.
    #[inline]
    pub fn threat_count(&mut self, player: Player, most: usize) -> usize {
        if !self.windows().has_threat(player) {
            return 0;
        }
        let p = self.geometry().rules().p();
        self.counter.count_within(&self.windows, player, p, most)
    }

    /// Windows mutable for a search that puts stones of its own and takes all of them back.
    #[inline]
    pub(crate) fn windows_mut(&mut self) -> &mut Windows {
        for stone in &self.stones[self.counted_stones..] {
            self.windows.place(stone.cell, stone.turn.player);
        }
        self.counted_stones = self.stones.len();
        &mut self.windows
    }

    /// Places a stone of the player to move on an empty cell.
    pub fn play(&mut self, cell: Cell) {
        let (turn, key) = (self.turn, self.key);
        self.key = self.key_after(cell);
        self.board.place(cell, turn.player);
        self.evaluation.place(&self.board, cell);
        self.stones.push(Played { cell, turn, key });
        self.empty -= 1;
        self.turn = self.turn_after(self.empty);
    }

    /// Takes the last stone back.
    pub fn undo(&mut self) -> Option<Cell> {
        let Played { cell, turn, key } = self.stones.pop()?;
        self.board.remove(cell, turn.player);
        if self.counted_stones > self.stones.len() {
            self.windows.remove(cell, turn.player);
            self.counted_stones -= 1;
        }
        self.evaluation.remove(&self.board, cell);
        (self.turn, self.key) = (turn, key);
        self.empty += 1;
        Some(cell)
    }

    /// The key after one more stone on an empty cell.
    #[inline]
    pub(crate) fn key_after(&self, cell: Cell) -> u64 {
        let (geometry, next) = (self.board.geometry(), self.turn_after(self.empty - 1));
        self.key
            ^ geometry.stone_key(cell, self.turn.player)
            ^ geometry.turn_key(self.turn.player, self.turn.left)
            ^ geometry.turn_key(next.player, next.left)
    }

    /// Whose turn it is after one more stone, which leaves so many cells empty.
    fn turn_after(&self, empty: usize) -> TurnPoint {
        if self.turn.left > 1 {
            TurnPoint { left: self.turn.left - 1, ..self.turn }
        } else {
            let p = self.geometry().rules().p().min(empty);
            TurnPoint { player: !self.turn.player, left: p as u8 }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::{CellKind, Combos, FourShapes, ShapeTable, mask};
    use collinear_rules::Rules;
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    #[derive(Debug, PartialEq)]
    struct Seen {
        key: u64,
        turn: TurnPoint,
        empty: usize,
        evaluation: i32,
        policy: [Vec<i32>; 2],
    }

    fn seen(state: &mut State) -> Seen {
        Seen {
            key: state.key(),
            turn: state.turn(),
            empty: state.empty_count(),
            evaluation: state.evaluation(),
            policy: Player::BOTH.map(|player| state.policy(player).to_vec()),
        }
    }

    /// The same, cell by cell and pattern by pattern, without anything that is kept.
    fn plainly_seen(position: &Position, weights: &Weights) -> Seen {
        let geometry = position.geometry();
        let (mover, left) = (position.to_move(), position.stones_left() as u8);
        let mut key = geometry.turn_key(mover, left);
        let mut sum = 0;
        let mut policy = Player::BOTH.map(|_| vec![0; position.rules().cells()]);
        for cell in position.rules().all_cells() {
            if let Some(player) = position.at(cell) {
                key ^= geometry.stone_key(cell, player);
                for policy in &mut policy {
                    policy[cell.index()] = Evaluation::OCCUPIED;
                }
                continue;
            }
            for at in geometry.lines_through(cell) {
                let cells = geometry.line_cells(at.line);
                for player in Player::BOTH {
                    let stones = |player| {
                        cells.iter().enumerate().fold(0_u64, |word, (index, &cell)| {
                            word | u64::from(position.at(cell) == Some(player)) << index
                        })
                    };
                    let (own, enemy) = (stones(player), stones(!player));
                    let at = usize::from(at.index);
                    let code = match cells.len() {
                        short if short < position.rules().k() => DEAD,
                        length => weights.space().code(own, enemy, at, length),
                    };
                    let entry = weights.entry(code);
                    policy[player.index()][cell.index()] += i32::from(entry.attack);
                    policy[(!player).index()][cell.index()] += i32::from(entry.defend);
                    sum += if player == mover {
                        i32::from(entry.mover)
                    } else {
                        -i32::from(entry.waiter)
                    };
                }
            }
        }
        let mut evaluation = weights.tempo(left) + (sum >> Weights::FRACTION_BITS);
        if let Some(combos) = weights.combos() {
            (evaluation, policy) = plain_combos(position, combos);
        }
        let turn = TurnPoint { player: mover, left };
        Seen { key, turn, empty: position.empty_count(), evaluation, policy }
    }

    /// Evaluation and policy by combinations, cell by cell.
    fn plain_combos(position: &Position, combos: &Combos) -> (i32, [Vec<i32>; 2]) {
        let (geometry, mover) = (position.geometry(), position.to_move());
        let table = ShapeTable::new(position.rules(), Player::Black);
        let mut policy = Player::BOTH.map(|_| vec![Evaluation::OCCUPIED; position.rules().cells()]);
        let mut kinds = [[0_u16; CellKind::COUNT]; 2];
        let mut sum = 0;
        for cell in position.rules().all_cells().filter(|&cell| position.at(cell).is_none()) {
            let shapes = Player::BOTH.map(|player| {
                let mut shapes = FourShapes(0);
                for (direction, at) in geometry.lines_through(cell).iter().enumerate() {
                    let cells = geometry.line_cells(at.line);
                    let [own, enemy] = [player, !player].map(|player| {
                        cells.iter().enumerate().fold(0_u64, |word, (index, &cell)| {
                            word | u64::from(position.at(cell) == Some(player)) << index
                        })
                    });
                    let shape = table.shape(own, enemy, usize::from(at.index), cells.len());
                    shapes = shapes.with(direction, shape);
                }
                shapes
            });
            let entries = shapes.map(|shapes| combos.entry(shapes));
            for player in Player::BOTH {
                let (own, enemy) = (player.index(), player.opponent().index());
                kinds[own][combos.kind(shapes[own]) as usize] += 1;
                policy[own][cell.index()] =
                    i32::from(entries[own].attack) + i32::from(entries[enemy].defend);
                sum += if player == mover {
                    i32::from(entries[own].mover)
                } else {
                    -i32::from(entries[own].waiter)
                };
            }
        }
        let mask = mask(&kinds[mover.index()], &kinds[mover.opponent().index()]);
        ((sum >> Weights::FRACTION_BITS) + combos.mask_weight(mask), policy)
    }

    #[test]
    fn learned_values_follow_stones_and_their_taking_back() {
        let rules = Rules::GOMOKU;
        let weights = Arc::new(Weights::for_rules(&rules));
        let plain = Arc::new(Weights::for_rules(&rules).with_learned(None));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut position = Position::new(rules);
        let mut state = State::new(&position, weights.clone());
        let (mut learned, mut forced) = (0, 0);
        for _ in 0..400 {
            if position.is_over() || position.stone_count() > 40 || random.random_range(0..5) < 2 {
                assert_eq!(state.undo(), position.undo());
            } else {
                let mut draw = || random.random_range(4..11);
                let cell = rules.cell(draw(), draw()).expect("on the board");
                // An occupied cell is simply drawn again.
                if position.play(cell).is_ok() {
                    state.play(cell);
                }
            }
            let [fresh, combinations] = [&weights, &plain]
                .map(|weights| State::new(&position, weights.clone()).evaluation());
            assert_eq!(state.evaluation(), fresh);
            if state.cells().is_some_and(|cells| cells.is_forced(position.to_move())) {
                assert_eq!(fresh, combinations, "rows and fours decide");
                forced += 1;
            } else {
                learned += usize::from(fresh != combinations);
            }
        }
        assert!(learned > 100 && forced > 0, "{learned} {forced}");
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
            "9x20,k=6",
            "11x11,k=7,exact",
            "4x64,k=3",
        ]
        .into_iter()
        .enumerate()
        {
            let rules: Rules = text.parse().expect(text);
            let mut random = Xoshiro256PlusPlus::seed_from_u64(number as u64);
            let mut position = Position::new(rules);
            let weights = Arc::new(Weights::for_rules(&rules).with_learned(None));
            let mut state = State::new(&position, weights.clone());
            let mut trail = vec![seen(&mut state)];
            let plies = random.random_range(1..=rules.cells().min(60));
            for _ in 0..plies {
                let legal = position.legal_cells();
                if legal.is_empty() || position.is_over() {
                    break;
                }
                let cell = legal[random.random_range(0..legal.len())];
                position.play(cell).expect("legal");
                state.play(cell);
                // Neither policy nor windows are asked for after every stone.
                let expected = plainly_seen(&position, &weights);
                if random.random_range(0..3) > 0 {
                    assert_eq!(seen(&mut state), expected, "{text}");
                }
                if random.random_range(0..3) == 0 {
                    assert!(Windows::of(&position) == *state.windows(), "{text}");
                }
                assert_eq!(state.evaluation(), expected.evaluation, "{text}");
                for &cell in &position.legal_cells()[..position.legal_cells().len().min(5)] {
                    let player = position.to_move().index();
                    let policy = expected.policy[player][cell.index()];
                    assert_eq!(state.policy_of(cell), policy, "{text}");
                }
                trail.push(expected);
            }
            while let Some(expected) = trail.pop() {
                if random.random_range(0..3) > 0 || trail.is_empty() {
                    assert_eq!(seen(&mut state), expected, "{text}");
                }
                if random.random_range(0..3) == 0 || trail.is_empty() {
                    assert!(Windows::of(&position) == *state.windows(), "{text}");
                }
                assert_eq!(state.undo(), position.undo(), "{text}");
            }
        }
    }
}
