//! Every empty cell with the shapes of its four lines for both colours, kept stone by stone: where
//! threats are, and evaluation and policy by combinations of shapes. For one stone per turn.
//!
//! The idea of judging a cell by all four lines together is old in Gomoku programs; Rapfi's classical
//! evaluation is a fine example of it.

mod combos;
mod fouls;
mod shape;

use std::sync::Arc;

use collinear_rules::{Cell, LineRef, Player, Rules};
use collinear_windows::Stones;

pub(crate) use combos::{COMBOS, FourShapes, MASKS, all as all_combos, mask};
pub use combos::{CellKind, ComboWeights, Combos};
use shape::Room;
pub use shape::Shape;
pub(crate) use shape::ShapeTable;

use crate::evaluation::Evaluation;
use crate::weights::Weights;

/// The cells of a position.
#[derive(Clone)]
pub(crate) struct Cells {
    /// Per colour: in Renju rows of six are worth something to White alone.
    tables: [Arc<ShapeTable>; 2],
    combos: Arc<Combos>,
    /// Per colour the view of every cell; that of a cell with a stone is as it was before it.
    views: [Vec<View>; 2],
    /// Per colour the kind of every cell; `Quiet` where a stone is.
    kinds: [Vec<CellKind>; 2],
    /// Per colour to move the policy of every cell, less [`Evaluation::OCCUPIED`] where a stone is.
    policy: [Vec<i32>; 2],
    totals: Totals,
    /// What Renju forbids; nothing in other games.
    fouls: Option<fouls::Fouls>,
    /// What each stone has changed.
    undo: Vec<Undo>,
    changes: Vec<Change>,
}

/// What a colour sees from a cell: the shapes and what follows from them.
#[derive(Clone, Copy, Default)]
struct View {
    shapes: FourShapes,
    kind: CellKind,
    weights: ComboWeights,
}

impl View {
    #[inline]
    fn of(shapes: FourShapes, combos: &Combos) -> Self {
        Self { shapes, kind: combos.kind(shapes), weights: combos.entry(shapes) }
    }
}

/// Sums over all empty cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Totals {
    /// Per colour, evaluation if it is to move, and if it is not.
    mover: [i32; 2],
    waiter: [i32; 2],
    /// Per colour, how many cells are of each kind.
    kinds: [[u16; CellKind::COUNT]; 2],
}

#[derive(Clone, Copy)]
struct Undo {
    totals: Totals,
    /// The changes before this stone.
    changes: usize,
}

/// A cell as it was for a colour.
#[derive(Clone, Copy)]
struct Change {
    cell: Cell,
    colour: usize,
    view: View,
}

/// Cells that are looked at together.
const GROUP: usize = 32;

impl Cells {
    /// The cells of an empty board, if the weights know combinations.
    pub(crate) fn new(rules: &Rules, weights: &Weights) -> Option<Self> {
        let combos = weights.combos().filter(|_| ShapeTable::suits(rules))?.clone();
        let cells = rules.cells();
        Some(Self {
            tables: Player::BOTH.map(|player| Arc::new(ShapeTable::new(rules, player))),
            combos,
            views: [vec![View::default(); cells], vec![View::default(); cells]],
            kinds: [vec![CellKind::Quiet; cells], vec![CellKind::Quiet; cells]],
            policy: [vec![0; cells], vec![0; cells]],
            totals: Totals::default(),
            fouls: rules.is_renju().then(fouls::Fouls::default),
            undo: Vec::new(),
            changes: Vec::new(),
        })
    }

    /// Takes over another position.
    pub(crate) fn set(&mut self, board: &Stones) {
        let geometry = board.geometry().clone();
        self.totals = Totals::default();
        self.undo.clear();
        self.changes.clear();
        for cell in geometry.rules().all_cells() {
            let at = cell.index();
            for player in Player::BOTH {
                let mut shapes = FourShapes(0);
                for (direction, line) in geometry.lines_through(cell).iter().enumerate() {
                    let (own, enemy) = (board.on(line.line, player), board.on(line.line, !player));
                    let length = geometry.line_cells(line.line).len();
                    let index = usize::from(line.index);
                    let clear = !(1 << index);
                    let table = &self.tables[player.index()];
                    let shape = table.shape(own & clear, enemy & clear, index, length);
                    shapes = shapes.with(direction, shape);
                }
                self.views[player.index()][at] = View::of(shapes, &self.combos);
            }
            if board.is_empty(cell) {
                self.count(cell, 1);
                self.show(cell);
            } else {
                self.kinds.iter_mut().for_each(|kinds| kinds[at] = CellKind::Quiet);
                self.policy.iter_mut().for_each(|policy| policy[at] = Evaluation::OCCUPIED);
            }
        }
        self.find_fouls(board);
    }

    /// A stone was placed: the board has it already.
    pub(crate) fn place(&mut self, board: &Stones, cell: Cell) {
        self.lift_fouls();
        self.undo.push(Undo { totals: self.totals, changes: self.changes.len() });
        let geometry = board.geometry();
        self.count(cell, -1);
        for colour in 0..2 {
            self.kinds[colour][cell.index()] = CellKind::Quiet;
            self.policy[colour][cell.index()] = Evaluation::OCCUPIED;
        }
        for (direction, at) in geometry.lines_through(cell).iter().enumerate() {
            let cells = geometry.line_cells(at.line);
            let stones = Player::BOTH.map(|player| board.on(at.line, player));
            let centre = usize::from(at.index);
            for colour in 0..2 {
                let reach = self.tables[colour].reach();
                let [own, enemy] = [stones[colour], stones[1 - colour]];
                // Behind an enemy nobody sees this stone.
                let room = Room::around(centre, enemy, cells.len());
                let first = room.start.max(centre.saturating_sub(reach));
                let last = (centre + reach).min(room.end - 1);
                let mut empty = !(own | enemy) >> first & ((2 << (last - first)) - 1);
                // An enemy here divides the room in two.
                let rooms = if enemy >> centre & 1 == 0 {
                    [room, room]
                } else {
                    [Room { end: centre, ..room }, Room { start: centre + 1, ..room }]
                };
                while empty != 0 {
                    let index = first + empty.trailing_zeros() as usize;
                    empty &= empty - 1;
                    let room = rooms[usize::from(index > centre)];
                    let shape = self.tables[colour].shape_in(own, room, index);
                    self.change(cells[index], colour, direction, shape);
                }
            }
        }
        self.renew_fouls(board);
    }

    /// The last stone was taken back.
    pub(crate) fn remove(&mut self, cell: Cell) {
        let Some(Undo { totals, changes }) = self.undo.pop() else { return };
        let fouls = self.drop_fouls();
        while self.changes.len() > changes {
            let Some(Change { cell, colour, view }) = self.changes.pop() else { break };
            self.write(cell, colour, view);
        }
        self.totals = totals;
        self.show(cell);
        self.restore_fouls(fouls);
    }

    /// The evaluation for the player to move, in 1/256 of a logit.
    #[inline]
    pub(crate) fn evaluation(&self, mover: Player) -> i32 {
        let (own, enemy) = (mover.index(), mover.opponent().index());
        let sum = self.totals.mover[own] - self.totals.waiter[enemy];
        let mask = mask(&self.totals.kinds[own], &self.totals.kinds[enemy]);
        (sum >> Weights::FRACTION_BITS) + self.combos.mask_weight(mask)
    }

    /// The policy of every cell for a colour to move.
    #[inline]
    pub(crate) fn policy(&self, player: Player) -> &[i32] {
        &self.policy[player.index()]
    }

    /// How many cells are of a kind for a colour.
    #[inline]
    pub(crate) fn count_of(&self, player: Player, kind: CellKind) -> u16 {
        self.totals.kinds[player.index()][kind as usize]
    }

    /// Whether rows and fours decide on the next stones: somebody can make a row, or the player to move an open four.
    #[inline]
    pub(crate) fn is_forced(&self, mover: Player) -> bool {
        self.count_of(mover, CellKind::Row) > 0
            || self.count_of(!mover, CellKind::Row) > 0
            || self.count_of(mover, CellKind::OpenFour) > 0
    }

    /// The kind of a cell for a colour.
    #[inline]
    pub(crate) fn kind(&self, player: Player, cell: Cell) -> CellKind {
        self.kinds[player.index()][cell.index()]
    }

    /// The empty cells of a kind, or a stronger one.
    pub(crate) fn at_least(
        &self,
        player: Player,
        kind: CellKind,
    ) -> impl Iterator<Item = Cell> + '_ {
        let groups = self.kinds[player.index()].chunks(GROUP).enumerate();
        // Such cells are few: most groups are passed over at once.
        let strongest = |group: &[CellKind]| group.iter().fold(0, |most, &k| most.max(k as u8));
        let groups = groups.filter(move |(_, group)| strongest(group) >= kind as u8);
        groups.flat_map(move |(number, group)| {
            let cells = group.iter().enumerate().filter(move |(_, found)| **found >= kind);
            cells.map(move |(at, _)| Cell::new(number * GROUP + at))
        })
    }

    /// The first cell of exactly this kind from an index on.
    pub(crate) fn next_of(&self, player: Player, kind: CellKind, from: usize) -> Option<Cell> {
        let rest = self.kinds[player.index()].get(from..)?;
        rest.iter().position(|&found| found == kind).map(|at| Cell::new(from + at))
    }

    /// The shapes of a cell for a colour, as the number of its combination.
    pub(crate) fn combo(&self, player: Player, cell: Cell) -> usize {
        self.combos.number(self.views[player.index()][cell.index()].shapes)
    }

    /// The mask of threats for the player to move.
    pub(crate) fn threat_mask(&self, mover: Player) -> usize {
        let (own, enemy) = (mover.index(), mover.opponent().index());
        mask(&self.totals.kinds[own], &self.totals.kinds[enemy])
    }

    /// Whether a stone of the other colour on `guard` leaves `player` a winning four on `cell`.
    pub(crate) fn still_wins(
        &self,
        board: &Stones,
        player: Player,
        cell: Cell,
        guard: Cell,
    ) -> bool {
        if cell == guard {
            return false;
        }
        let geometry = board.geometry();
        let lines = geometry.lines_through(cell);
        let guarded = geometry.lines_through(guard);
        let Some(direction) = (0..4).find(|&d| lines[d].line == guarded[d].line) else {
            return true;
        };
        let line = lines[direction].line;
        let own = board.on(line, player);
        let enemy = board.on(line, !player) | 1 << guarded[direction].index;
        let length = geometry.line_cells(line).len();
        let index = usize::from(lines[direction].index);
        let shape = self.tables[player.index()].shape(own, enemy, index, length);
        let shapes = self.views[player.index()][cell.index()].shapes.with(direction, shape);
        self.combos.kind(shapes) >= CellKind::OpenFour
    }

    /// Whether `player` wins by a four on `cell` and an open four after the only reply to it; then the
    /// stones of the other colour that may stop it, besides fours of its own: on one of the two cells,
    /// where the line is no longer open afterwards, or where the reply makes a four, too.
    ///
    /// Not told where Renju could forbid the open four to Black by then.
    pub(crate) fn guards(&self, board: &Stones, player: Player, cell: Cell) -> Option<Vec<Cell>> {
        if self.looks_far(player) {
            return None;
        }
        let geometry = board.geometry();
        let table = &*self.tables[player.index()];
        let lines = geometry.lines_through(cell);
        let shapes = self.views[player.index()][cell.index()].shapes;
        let four = (0..4).find(|&d| shapes.shape(d) == Shape::Four)?;
        let line = Held::new(board, player, lines[four]);
        let reply = line.cells[line.empty().find(|&i| line.shape(table, i) == Shape::Row)?];
        let answers = self.views[player.opponent().index()][reply.index()].shapes;
        if (0..4).any(|d| answers.shape(d) >= Shape::Four) {
            return None;
        }
        let opens = |line: &Held<'_>| line.empty().any(|i| line.shape(table, i) >= Shape::OpenFour);
        let is_open = |&d: &usize| {
            d != four && shapes.shape(d).is_three() && opens(&Held::new(board, player, lines[d]))
        };
        let line = Held::new(board, player, lines[(0..4).find(is_open)?]);
        let mut guards = vec![cell, reply];
        guards.extend(
            line.empty()
                .filter(|i| !opens(&Held { enemy: line.enemy | 1 << i, ..line }))
                .map(|i| line.cells[i]),
        );
        for (d, at) in geometry.lines_through(reply).iter().enumerate() {
            if answers.shape(d) >= Shape::BlockedThree {
                let cells = geometry.line_cells(at.line);
                let near = |i: &usize| {
                    i.abs_diff(usize::from(at.index))
                        <= self.tables[player.opponent().index()].reach()
                };
                let near = (0..cells.len()).filter(near).map(|i| cells[i]);
                guards.extend(near.filter(|&cell| board.is_empty(cell)));
            }
        }
        guards.sort_unstable();
        guards.dedup();
        Some(guards)
    }

    #[inline]
    fn change(&mut self, cell: Cell, colour: usize, direction: usize, shape: Shape) {
        let before = self.views[colour][cell.index()];
        let shapes = before.shapes.with(direction, shape);
        if before.shapes == shapes {
            return;
        }
        self.changes.push(Change { cell, colour, view: before });
        let now = View::of(shapes, &self.combos);
        self.write(cell, colour, now);
        let [old, new] = [before.weights, now.weights];
        self.totals.mover[colour] += i32::from(new.mover) - i32::from(old.mover);
        self.totals.waiter[colour] += i32::from(new.waiter) - i32::from(old.waiter);
        self.totals.kinds[colour][before.kind as usize] -= 1;
        self.totals.kinds[colour][now.kind as usize] += 1;
    }

    /// Writes the view of an empty cell with its policy, and no totals.
    #[inline]
    fn write(&mut self, cell: Cell, colour: usize, view: View) {
        let at = cell.index();
        let old = std::mem::replace(&mut self.views[colour][at], view).weights;
        let new = view.weights;
        self.kinds[colour][at] = view.kind;
        self.policy[colour][at] += i32::from(new.attack) - i32::from(old.attack);
        self.policy[1 - colour][at] += i32::from(new.defend) - i32::from(old.defend);
    }

    /// Adds an empty cell to the totals, or takes it away.
    fn count(&mut self, cell: Cell, sign: i32) {
        for colour in 0..2 {
            let View { kind, weights, .. } = self.views[colour][cell.index()];
            self.totals.mover[colour] += sign * i32::from(weights.mover);
            self.totals.waiter[colour] += sign * i32::from(weights.waiter);
            let count = &mut self.totals.kinds[colour][kind as usize];
            *count = count.wrapping_add_signed(sign as i16);
        }
    }

    /// Writes kind and policy of a cell that is empty now.
    fn show(&mut self, cell: Cell) {
        let at = cell.index();
        let [black, white] = [self.views[0][at], self.views[1][at]];
        for (colour, own, enemy) in [(0, black, white), (1, white, black)] {
            self.kinds[colour][at] = own.kind;
            self.policy[colour][at] =
                i32::from(own.weights.attack) + i32::from(enemy.weights.defend);
        }
    }
}

/// A line with one stone more.
#[derive(Clone, Copy)]
struct Held<'a> {
    own: u64,
    enemy: u64,
    cells: &'a [Cell],
}

impl<'a> Held<'a> {
    fn new(board: &'a Stones, player: Player, at: LineRef) -> Self {
        Self {
            own: board.on(at.line, player) | 1 << at.index,
            enemy: board.on(at.line, !player),
            cells: board.geometry().line_cells(at.line),
        }
    }

    fn empty(self) -> impl Iterator<Item = usize> {
        (0..self.cells.len()).filter(move |i| (self.own | self.enemy) >> i & 1 == 0)
    }

    fn shape(&self, table: &ShapeTable, at: usize) -> Shape {
        table.shape(self.own, self.enemy, at, self.cells.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Position, Rules};
    use rand::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use crate::State;

    /// The cells on which a player would complete a row, by the rules alone.
    fn rows(position: &Position, player: Player) -> usize {
        let rules = position.rules();
        let empty = rules.all_cells().filter(|&cell| position.at(cell).is_none());
        empty.filter(|&cell| completes(position, cell, player)).count()
    }

    fn completes(position: &Position, cell: Cell, player: Player) -> bool {
        let geometry = position.geometry();
        geometry.lines_through(cell).iter().any(|at| {
            let stones =
                geometry.line_cells(at.line).iter().enumerate().fold(0, |word, (i, &on)| {
                    word | u64::from(on == cell || position.at(on) == Some(player)) << i
                });
            let before = stones & !(1 << at.index);
            let starts = |stones| geometry.winning_starts(stones, player);
            starts(stones) & !starts(before) != 0
        })
    }

    /// Random positions near the centre in which nobody has won.
    fn positions(text: &str, seed: u64) -> impl Iterator<Item = Position> {
        let rules: Rules = text.parse().expect("rules");
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        std::iter::repeat_with(move || {
            let mut position = Position::new(rules);
            for _ in 0..random.random_range(6..26) {
                let (x, y) = (random.random_range(0..8), random.random_range(0..8));
                // An occupied cell is simply left out.
                let _ = rules.cell(x + 1, y + 1).map(|cell| position.play(cell));
            }
            position
        })
        .filter(|position| !position.is_over())
    }

    #[test]
    fn rows_and_open_fours_are_those_of_the_rules() {
        let mut open_fours = 0;
        for text in ["10x10,k=5", "10x10,k=5,exact", "10x10,k=6"] {
            for position in positions(text, 3).take(60) {
                let weights = Arc::new(Weights::for_rules(position.rules()));
                let state = State::new(&position, weights);
                let cells = state.cells().expect("combinations");
                for player in Player::BOTH {
                    assert_eq!(
                        rows(&position, player),
                        usize::from(cells.count_of(player, CellKind::Row))
                    );
                    if player != position.to_move() || rows(&position, player) > 0 {
                        continue;
                    }
                    for cell in position.legal_cells() {
                        let mut ahead = position.clone();
                        ahead.play(cell).expect("legal");
                        let wins = rows(&ahead, player) > 1;
                        assert_eq!(wins, cells.kind(player, cell) == CellKind::OpenFour, "{text}");
                        open_fours += u32::from(wins);
                    }
                }
            }
        }
        assert!(open_fours > 20, "{open_fours}");
    }

    #[test]
    fn a_guarded_four_is_no_winning_one() {
        let mut checked = 0;
        for text in ["10x10,k=5", "10x10,k=5,exact"] {
            for position in positions(text, 4).take(150) {
                let weights = Arc::new(Weights::for_rules(position.rules()));
                let mut state = State::new(&position, weights);
                let attacker = !position.to_move();
                let wins = |state: &State, cell| {
                    state.cells().expect("combinations").kind(attacker, cell) >= CellKind::OpenFour
                };
                let threats: Vec<Cell> =
                    position.legal_cells().into_iter().filter(|&cell| wins(&state, cell)).collect();
                for guard in position.legal_cells() {
                    let cells = state.cells().expect("combinations");
                    let claimed: Vec<bool> = threats
                        .iter()
                        .map(|&four| cells.still_wins(state.board(), attacker, four, guard))
                        .collect();
                    state.play(guard);
                    for (&four, claimed) in threats.iter().zip(claimed) {
                        assert_eq!(claimed, four != guard && wins(&state, four), "{text}");
                        checked += 1;
                    }
                    state.undo();
                }
            }
        }
        assert!(checked > 1000, "{checked}");
    }

    /// Whether the player to move wins by a four and, after the only reply, two ways to a row.
    fn wins_by_fours(position: &Position) -> bool {
        let player = position.to_move();
        let plays = |position: &Position, cell| {
            let mut ahead = position.clone();
            ahead.play(cell).expect("legal");
            ahead
        };
        position.legal_cells().into_iter().any(|four| {
            let ahead = plays(position, four);
            let reply = ahead.legal_cells().into_iter().find(|&c| completes(&ahead, c, player));
            let Some(reply) = reply.filter(|_| rows(&ahead, player) == 1) else {
                return rows(&ahead, player) > 1;
            };
            let replied = plays(&ahead, reply);
            rows(&replied, !player) == 0
                && replied.legal_cells().into_iter().any(|open| {
                    let ahead = plays(&replied, open);
                    rows(&ahead, player) > 1
                })
        })
    }

    #[test]
    fn only_a_guard_or_an_own_four_stops_a_four_with_an_open_four_behind_it() {
        let (mut threats, mut lost) = (0, 0);
        for text in ["10x10,k=5", "10x10,k=5,exact"] {
            let rules = text.parse().expect("rules");
            let weights = Arc::new(Weights::for_rules(&rules));
            let mut state = State::new(&Position::new(rules), weights);
            for position in positions(text, 5).take(1500) {
                state.set(&position);
                let (defender, attacker) = (position.to_move(), !position.to_move());
                let cells = state.cells().expect("combinations");
                let is_quiet = Player::BOTH.iter().all(|&player| {
                    cells.count_of(player, CellKind::Row)
                        + cells.count_of(player, CellKind::OpenFour)
                        == 0
                });
                let mut fours = cells.at_least(attacker, CellKind::FourThree);
                let found = fours.find_map(|c| cells.guards(state.board(), attacker, c));
                let Some(guards) = found.filter(|_| is_quiet) else { continue };
                threats += 1;
                // Some of the other stones: the test by the rules alone is slow.
                for cell in position.legal_cells().into_iter().skip(threats % 9).step_by(9) {
                    if guards.contains(&cell) || cells.kind(defender, cell) >= CellKind::Four {
                        continue;
                    }
                    let mut ahead = position.clone();
                    ahead.play(cell).expect("legal");
                    assert!(wins_by_fours(&ahead), "{text} {cell:?}");
                    lost += 1;
                }
            }
        }
        assert!(threats > 20 && lost > 150, "{threats} {lost}");
    }
}
