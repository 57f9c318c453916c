//! Random games, as many a second as possible.
//!
//! A playout needs no keys, no history and no legality checks: it draws the empty cells without
//! replacement, sets a bit per stone, and looks for rows after every few dozen stones, on the whole
//! board at once. Where there is one, the game ended with the stone that completed the first, and
//! what was drawn after it is put back, the random numbers too: the games are those of somebody who
//! looks after every stone. Where a longer row does not win, and with gravity, every stone is looked
//! at. The plain twin below says what the same thing means in terms of [`Position`].
//!
//! On a large board most random stones fall where nothing is. A *local* game draws only cells
//! within a few steps of a stone, those of the game itself included.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineId, LineStones, Outcome, Overline, Player, Position};
use rand::seq::IndexedRandom;
use rand::{Rng, RngCore};

use super::rows::{RowWords, Run, RunFinder};

/// Plays random games from one position. Keeps its buffers: make one and load it again and again.
#[derive(Clone, Debug)]
pub struct Playouts {
    geometry: Arc<Geometry>,
    /// Row and column of each cell.
    spots: Vec<[u8; 2]>,
    /// Whether every stone is looked at: where some row that is too long does not win, and with
    /// gravity, where games are short and lines few.
    every: bool,
    /// Stones drawn before a look at the board; even, since a random word serves two.
    stretch: usize,
    /// Whether a stone may go to every empty cell, and no more need be known.
    free: bool,
    start: Board,
    /// Per cell its index among the open ones of the start.
    at: Vec<u16>,
    board: Board,
    runs: RunFinder,
    /// The stones of the latest game, first ones first.
    played: Vec<Cell>,
    /// Per cell those within reach, for local games; empty otherwise.
    near: Vec<Vec<Cell>>,
}

#[derive(Clone, Debug, Default)]
struct Board {
    rows: Vec<RowWords>,
    /// All lines, where every stone is looked at; empty otherwise.
    lines: Vec<[u64; 2]>,
    /// Where stones may go: all empty cells, or with gravity the lowest one of each column.
    open: Vec<Cell>,
    /// For local games: cells that are or were open, or hold a stone.
    seen: Vec<bool>,
    player: usize,
    left: usize,
}

impl Playouts {
    /// For games on this board; nothing is loaded yet.
    pub fn new(geometry: Arc<Geometry>) -> Self {
        let rules = *geometry.rules();
        let strict = Player::BOTH.iter().any(|&p| rules.overline(p) != Overline::Wins);
        let every = strict || rules.gravity();
        Self {
            geometry,
            spots: rules
                .all_cells()
                .map(|cell| [rules.row(cell) as u8, rules.column(cell) as u8])
                .collect(),
            every,
            stretch: (rules.cells() / 8).next_multiple_of(2).max(8),
            free: !every,
            start: Board::default(),
            at: vec![0; rules.cells()],
            board: Board::default(),
            runs: RunFinder::default(),
            played: Vec::new(),
            near: Vec::new(),
        }
    }

    /// For local games: stones fall within `steps` (in king's steps) of another. No difference
    /// with gravity, where every column is open anyway.
    pub fn local(geometry: Arc<Geometry>, steps: usize) -> Self {
        let rules = *geometry.rules();
        let mut playouts = Self::new(geometry);
        if steps > 0 && !rules.gravity() {
            let reach = |cell: Cell| {
                let (x, y) = (rules.column(cell), rules.row(cell));
                let columns = x.saturating_sub(steps)..=x + steps;
                let around = columns.flat_map(move |column| {
                    (y.saturating_sub(steps)..=y + steps)
                        .filter_map(move |row| rules.cell(column, row))
                });
                around.filter(|&other| other != cell).collect()
            };
            playouts.free = false;
            playouts.near = rules.all_cells().map(reach).collect();
        }
        playouts
    }

    /// Takes a position as the start of the next games. It must not be over.
    pub fn load(&mut self, position: &Position) {
        let lines = || self.geometry.lines().map(|line| position.line(line));
        self.start.rows.clear();
        // The rows are the first of the lines.
        self.start.rows.extend(lines().take(self.geometry.rules().height()));
        self.start.lines.clear();
        if self.every {
            self.start.lines.extend(lines());
        }
        // In Renju a cell that is forbidden now may be legal later.
        self.start.open = if self.geometry.rules().is_renju() {
            position.empty_cells().collect()
        } else {
            position.legal_cells()
        };
        if !self.near.is_empty() && position.stone_count() > 0 {
            let near = |cell: &Cell| {
                self.near[cell.index()].iter().any(|&other| !position.is_empty(other))
            };
            self.start.open.retain(near);
            self.start.seen.clear();
            self.start.seen.resize(self.near.len(), false);
            for cell in position.geometry().rules().all_cells() {
                self.start.seen[cell.index()] = !position.is_empty(cell);
            }
            for cell in &self.start.open {
                self.start.seen[cell.index()] = true;
            }
        } else {
            self.start.seen.clear();
        }
        for (at, cell) in self.start.open.iter().enumerate() {
            self.at[cell.index()] = at as u16;
        }
        self.start.player = position.to_move().index();
        self.start.left = position.stones_left();
    }

    /// Gives the player to move one stone more than the rules do in this turn.
    pub fn give_extra_stone(&mut self) {
        self.start.left += 1;
    }

    /// Plays `first`, then at random to the end. None is a draw.
    pub fn run(&mut self, first: &[Cell], random: &mut (impl RngCore + Clone)) -> Option<Player> {
        self.board.clone_from(&self.start);
        self.played.clear();
        for &cell in first {
            let at = self.find_open(cell)?;
            if let Some(winner) = self.stone(at) {
                return Some(winner);
            }
        }
        let mut seen = 0;
        while !self.board.open.is_empty() {
            let (before, drawn) = (random.clone(), self.played.len());
            if self.free {
                self.scatter(random);
            } else if let Some(winner) = self.draw(random) {
                return Some(winner);
            }
            if !self.every
                && let Some(winner) = self.end_at_first_row(seen)
            {
                *random = before;
                for _ in 0..self.played.len().saturating_sub(drawn).div_ceil(2) {
                    random.next_u64();
                }
                return Some(winner);
            }
            seen = self.played.len();
        }
        // Stones that were asked for may have filled the board.
        if self.every { None } else { self.end_at_first_row(seen) }
    }

    /// Places the next stones, on any cells.
    fn scatter(&mut self, random: &mut impl RngCore) {
        let Board { rows, open, player, left, .. } = &mut self.board;
        let p = self.geometry.rules().p();
        let mut count = open.len();
        for _ in 0..self.stretch / 2 {
            let word = random.next_u64();
            // One random word serves two stones: boards have far fewer than 2^32 cells.
            for share in [word & 0xffff_ffff, word >> 32] {
                if count == 0 {
                    break;
                }
                let at = ((share * count as u64) >> 32) as usize;
                let cell = open[at];
                count -= 1;
                open[at] = open[count];
                self.played.push(cell);
                let [row, column] = self.spots[cell.index()];
                rows[usize::from(row)][*player] |= 1 << column;
                *left -= 1;
                if *left == 0 {
                    (*player, *left) = (1 - *player, p);
                }
            }
            if count == 0 {
                break;
            }
        }
        open.truncate(count);
    }

    /// Places the next stones where there are more rules than that; the end of the game, if it is
    /// seen.
    fn draw(&mut self, random: &mut impl RngCore) -> Option<Player> {
        let is_renju = self.geometry.rules().is_renju();
        let mut word = 0;
        for nth in 0..self.stretch {
            if self.board.open.is_empty() {
                break;
            }
            word = if nth % 2 == 0 { random.next_u64() } else { word >> 32 };
            let share = word & 0xffff_ffff;
            let at = if is_renju && self.board.player == 0 {
                let allowed = self.allowed();
                // Whatever Black plays loses.
                let Some(&at) = allowed.get(((share * allowed.len() as u64) >> 32) as usize) else {
                    return Some(Player::White);
                };
                at
            } else {
                ((share * self.board.open.len() as u64) >> 32) as usize
            };
            if let Some(winner) = self.stone(at) {
                return Some(winner);
            }
        }
        None
    }

    /// Looks for rows; the winner, if there is one, with the stones after the winning one taken out
    /// of the game. There was no row before this many stones.
    fn end_at_first_row(&mut self, seen: usize) -> Option<Player> {
        let rules = *self.geometry.rules();
        let played = &self.played;
        let completed = |run: &Run| {
            let newest = |stone: &Cell| run.cells(&rules).any(|cell| cell == *stone);
            seen + played[seen..].iter().rposition(newest).unwrap_or(0)
        };
        let runs = self.runs.find(&self.geometry, &self.board.rows).iter();
        let (last, winner) = runs.map(|run| (completed(run), run.player)).min()?;
        self.played.truncate(last + 1);
        Some(winner)
    }

    /// The index of an open cell.
    fn find_open(&mut self, cell: Cell) -> Option<usize> {
        let open = &mut self.board.open;
        let at = usize::from(self.at[cell.index()]);
        if open.get(at) == Some(&cell) {
            return Some(at);
        }
        match open.iter().position(|&open| open == cell) {
            Some(at) => Some(at),
            // Out of reach for a local game, but asked for.
            None if !self.board.seen.is_empty() => {
                open.push(cell);
                Some(open.len() - 1)
            }
            None => None,
        }
    }

    /// The stones of the latest game in order, from the loaded position on.
    pub fn played(&self) -> &[Cell] {
        &self.played
    }

    /// The indices of the open cells that Renju does not forbid to Black.
    fn allowed(&self) -> Vec<usize> {
        let board = Lines { geometry: &self.geometry, lines: &self.board.lines };
        let open = self.board.open.iter().enumerate();
        open.filter(|&(_, &cell)| !board.is_forbidden(cell)).map(|(at, _)| at).collect()
    }

    /// Places a stone on the open cell at this index; where every stone is looked at, somebody if
    /// that makes a row.
    #[inline]
    fn stone(&mut self, at: usize) -> Option<Player> {
        let board = &mut self.board;
        let cell = board.open[at];
        let rules = self.geometry.rules();
        if rules.gravity() && cell.index() + rules.width() < rules.cells() {
            board.open[at] = Cell::new(cell.index() + rules.width());
        } else {
            board.open.swap_remove(at);
        }
        if !board.seen.is_empty() {
            for &other in &self.near[cell.index()] {
                if !std::mem::replace(&mut board.seen[other.index()], true) {
                    board.open.push(other);
                }
            }
            board.seen[cell.index()] = true;
        }
        self.played.push(cell);
        let [row, column] = self.spots[cell.index()];
        board.rows[usize::from(row)][board.player] |= 1 << column;
        if self.every {
            let mut rows = 0;
            for line in self.geometry.lines_through(cell) {
                let word = &mut board.lines[line.line.index()][board.player];
                *word |= 1 << line.index;
                rows |= self.geometry.winning_starts(*word, Player::BOTH[board.player]);
            }
            if rows != 0 {
                return Some(Player::BOTH[board.player]);
            }
        }
        board.left -= 1;
        if board.left == 0 {
            board.player = 1 - board.player;
            board.left = rules.p();
        }
        None
    }
}

/// The lines of a random game, as the rules of Renju ask for them.
struct Lines<'a> {
    geometry: &'a Geometry,
    lines: &'a [[u64; 2]],
}

impl LineStones for Lines<'_> {
    fn geometry(&self) -> &Geometry {
        self.geometry
    }

    fn line(&self, line: LineId) -> [u64; 2] {
        self.lines[line.index()]
    }
}

/// The same by the plain rules: every stone drawn from all legal cells. Slow; the fast one is
/// tested and measured against it.
pub fn plain_playout(position: &Position, random: &mut impl Rng) -> Option<Player> {
    let mut game = position.clone();
    loop {
        match game.outcome() {
            Outcome::Won(player) => return Some(player),
            Outcome::Drawn => return None,
            Outcome::Ongoing => {
                let legal = game.legal_cells();
                game.play_unchecked(*legal.choose(random)?);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;
    use rand::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    const GAMES: [&str; 5] =
        ["connect6", "connect4", "tictactoe", "5x7,k=4,p=3,q=2", "6x5,k=4,p=2,q=1,gravity"];

    #[test]
    fn the_stones_played_make_the_game_by_the_rules() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(1);
        for text in GAMES {
            let rules: Rules = text.parse().expect(text);
            let start = Position::new(rules);
            let mut playouts = Playouts::new(start.geometry().clone());
            playouts.load(&start);
            for _ in 0..200 {
                let first = start.legal_cells()[0];
                let winner = playouts.run(&[first], &mut random);
                assert_eq!(playouts.played()[0], first);
                let end = Position::from_moves(rules, playouts.played()).expect("legal");
                assert_eq!(
                    end.outcome(),
                    winner.map_or(Outcome::Drawn, Outcome::Won),
                    "{text}\n{end}"
                );
            }
        }
    }

    #[test]
    fn looking_seldom_plays_the_games_of_looking_at_every_stone() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
        for text in GAMES.into_iter().chain(["gomoku", "12x3,k=3,p=1,q=1", "1x6,k=2,p=1,q=1"]) {
            let mut start = Position::new(text.parse().expect(text));
            for round in 0..100 {
                let steps = round % 3;
                let mut seldom = Playouts::local(start.geometry().clone(), steps);
                let mut always = Playouts { every: true, free: false, ..seldom.clone() };
                seldom.every = false;
                seldom.load(&start);
                always.load(&start);
                let cells = start.legal_cells();
                let first = &cells[..cells.len().min(round % 4)];
                let mut twin = random.clone();
                for _ in 0..5 {
                    let winner = seldom.run(first, &mut random);
                    assert_eq!(winner, always.run(first, &mut twin), "{text}\n{start}");
                    assert_eq!(seldom.played(), always.played(), "{text}\n{start}");
                    assert_eq!(random, twin, "{text}\n{start}");
                }
                // Next time from one stone further on.
                start.play_unchecked(cells[round % cells.len()]);
                if start.is_over() {
                    start = Position::new(*start.rules());
                }
            }
        }
    }

    #[test]
    fn local_games_are_legal_stay_near_and_end_sooner() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(5);
        let rules = Rules::CONNECT6;
        let centre = rules.cell(9, 9).expect("on the board");
        let start = Position::from_moves(rules, &[centre]).expect("legal");
        let mut stones = [0; 2];
        for (steps, total) in [0, 2].into_iter().zip(&mut stones) {
            let mut playouts = Playouts::local(start.geometry().clone(), steps);
            playouts.load(&start);
            for _ in 0..50 {
                let winner = playouts.run(&[], &mut random);
                let mut game = start.clone();
                for &cell in playouts.played() {
                    let distance = |other: Cell| {
                        let x = rules.column(cell).abs_diff(rules.column(other));
                        x.max(rules.row(cell).abs_diff(rules.row(other)))
                    };
                    let mut placed = Player::BOTH.into_iter().flat_map(|p| game.stones(p));
                    assert!(steps == 0 || placed.any(|other| distance(other) <= steps));
                    drop(placed);
                    game.play(cell).expect("legal");
                }
                assert_eq!(game.outcome(), winner.map_or(Outcome::Drawn, Outcome::Won));
                *total += playouts.played().len();
            }
        }
        assert!(stones[1] < stones[0], "{stones:?}");
    }

    #[test]
    fn fast_and_plain_win_equally_often() {
        const RUNS: i32 = 4000;
        let mut random = Xoshiro256PlusPlus::seed_from_u64(2);
        for text in ["tictactoe", "connect4", "6x6,k=4,p=2,q=1"] {
            let start = Position::new(text.parse().expect(text));
            let mut playouts = Playouts::new(start.geometry().clone());
            playouts.load(&start);
            let score = |winner| match winner {
                Some(Player::Black) => 2,
                Some(Player::White) => 0,
                None => 1,
            };
            let fast: i32 = (0..RUNS).map(|_| score(playouts.run(&[], &mut random))).sum();
            let plain: i32 = (0..RUNS).map(|_| score(plain_playout(&start, &mut random))).sum();
            // Half points: a standard deviation of at most 2·√(2·4000)·½ ≈ 90 for the difference.
            assert!((fast - plain).abs() < 450, "{text}: {fast} {plain}");
        }
    }
}
