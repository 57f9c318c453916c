//! The state of every window, kept stone by stone: the one thing that agents, counters and the
//! engine all look at.
//!
//! A window is `k` neighbouring cells of a line. It is *live* for a player while the opponent has
//! no stone in it (and, where only exactly `k` win, while no own stone touches its ends); its
//! *need* is the number of its empty cells, the stones that would fill it.
//!
//! The windows of one line fit one machine word: bit `o` is the window that begins at the line's
//! cell `o`. For each colour the state keeps a ladder of such words, rung `c` holding the windows
//! with at least `c` stones of that colour:
//!
//! ```text
//! cells    . X X . X . O .        k = 4: windows begin at cells 0 … 4
//! rung 1   1 1 1 1 1              every window holds a black stone
//! rung 2   1 1 1 . .              windows 0, 1 and 2 hold two or more
//! rung 3   . 1 . . .              only XX.X has three
//! rung 4   . . . . .
//! ```
//!
//! A stone moves the windows through its cell up one rung: `rung[c] |= rung[c−1] & through`, four
//! lines of `k` such steps, and taking it back is the mirror image. Everything else follows by
//! one or two operations a line: live for Black = not on White's rung 1; live with need ≤ r = live
//! and on rung k − r; spoiled by an overline = a shift of the stones.

use std::sync::Arc;

use collinear_rules::{
    Cell, Geometry, LineId, LineRef, LineStones, Overline, Player, Position, WindowId,
};

/// The windows of a board under some stones. Gravity plays no part: a window counts by its empty
/// cells, reachable now or later.
///
/// ```
/// use collinear_rules::{Player, Position, Rules, notation};
/// use collinear_windows::Windows;
///
/// let rules = Rules::CONNECT6;
/// let mut windows = Windows::new(Position::new(rules).geometry().clone());
/// for name in ["g10", "h10", "i10", "k10"] {
///     assert!(!windows.has_threat(Player::Black));
///     windows.place(notation::parse(&rules, name)?, Player::Black);
/// }
/// // XXX.X lies in two windows of six: they begin at f10 and g10.
/// assert_eq!(windows.threats(Player::Black).count(), 2);
/// # Ok::<(), notation::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Windows {
    geometry: Arc<Geometry>,
    k: usize,
    p: usize,
    /// Per colour, whether rows longer than `k` do not win.
    exact: [bool; 2],
    /// Per line: its windows, then per colour the stones and rungs 1 … k.
    words: Vec<u64>,
    /// Per colour the lines with a live window of need ≤ p, and of need ≤ 2p.
    near: [[LineSet; 2]; 2],
    /// Where among a line's words those with so few empty cells are: a rung, or all windows.
    near_at: [[usize; 2]; 2],
}

/// A set of lines: the largest board has 64 + 64 + 127 + 127.
type LineSet = [u64; 6];

/// Index into [`Windows::near`]: one turn away, and two turns away.
const ONE_TURN: usize = 0;
const TWO_TURNS: usize = 1;

impl Windows {
    /// The empty board.
    pub fn new(geometry: Arc<Geometry>) -> Self {
        let rules = *geometry.rules();
        let mut windows = Self {
            k: rules.k(),
            p: rules.p(),
            exact: Player::BOTH.map(|player| rules.overline(player) == Overline::Ignored),
            words: vec![0; geometry.line_count() * (2 * rules.k() + 3)],
            near: [[[0; 6]; 2]; 2],
            near_at: [rules.p(), 2 * rules.p()].map(|need| {
                [0, 1].map(|player| match rules.k().saturating_sub(need) {
                    0 => 0,
                    rung => 1 + player * (rules.k() + 1) + rung,
                })
            }),
            geometry,
        };
        windows.clear();
        windows
    }

    /// The windows of a position.
    pub fn of(position: &Position) -> Self {
        let mut windows = Self::new(position.geometry().clone());
        windows.set(position);
        windows
    }

    /// Takes all stones away.
    pub fn clear(&mut self) {
        self.words.fill(0);
        for line in self.geometry.lines() {
            let count = self.geometry.line_windows(line).len();
            let base = line.index() * self.stride();
            self.words[base] = ones(count);
            self.note_line(line);
        }
    }

    /// Takes over the stones of a position on the same board.
    pub fn set(&mut self, position: &Position) {
        debug_assert_eq!(self.geometry.rules(), position.rules());
        self.clear();
        for player in Player::BOTH {
            for cell in position.stones(player) {
                self.place(cell, player);
            }
        }
    }

    /// The board.
    pub const fn geometry(&self) -> &Arc<Geometry> {
        &self.geometry
    }

    /// Puts a stone on an empty cell.
    #[inline]
    pub fn place(&mut self, cell: Cell, player: Player) {
        debug_assert!(self.is_empty(cell));
        let refs = *self.geometry.lines_through(cell);
        for at in refs {
            let through = self.windows_at(&at);
            let ladder = self.ladder_mut(at.line, player);
            ladder[0] |= 1 << at.index;
            for c in (2..ladder.len()).rev() {
                ladder[c] |= ladder[c - 1] & through;
            }
            ladder[1] |= through;
            self.note_line(at.line);
        }
    }

    /// Takes a stone away; [`place`](Self::place) undone in any order.
    #[inline]
    pub fn remove(&mut self, cell: Cell, player: Player) {
        debug_assert_eq!(self.at(cell), Some(player));
        let refs = *self.geometry.lines_through(cell);
        for at in refs {
            let through = self.windows_at(&at);
            let ladder = self.ladder_mut(at.line, player);
            ladder[0] &= !(1 << at.index);
            for c in 1..ladder.len() - 1 {
                ladder[c] &= ladder[c + 1] | !through;
            }
            ladder[ladder.len() - 1] &= !through;
            self.note_line(at.line);
        }
    }

    /// The stones of a colour on a line: bit `i` is the line's cell `i`.
    #[inline]
    pub fn stones(&self, line: LineId, player: Player) -> u64 {
        self.ladder(line, player)[0]
    }

    /// The stone on a cell.
    pub fn at(&self, cell: Cell) -> Option<Player> {
        let row = self.geometry.lines_through(cell)[0];
        Player::BOTH.into_iter().find(|&player| self.stones(row.line, player) >> row.index & 1 != 0)
    }

    /// Whether a cell has no stone.
    #[inline]
    pub fn is_empty(&self, cell: Cell) -> bool {
        let row = self.geometry.lines_through(cell)[0];
        let stones = self.stones(row.line, Player::Black) | self.stones(row.line, Player::White);
        stones >> row.index & 1 == 0
    }

    /// The windows through a cell on one of its lines, as a word of that line.
    #[inline]
    pub fn windows_at(&self, at: &LineRef) -> u64 {
        let first = (usize::from(at.index) + 1).saturating_sub(self.k);
        ones(at.window_range().len()) << first
    }

    /// All windows of a line.
    #[inline]
    pub fn all(&self, line: LineId) -> u64 {
        self.words[line.index() * self.stride()]
    }

    /// The windows of a line with at least this many stones of a colour, live or not.
    #[inline]
    pub fn at_least(&self, line: LineId, player: Player, stones: usize) -> u64 {
        match stones {
            0 => self.all(line),
            c if c <= self.k => self.ladder(line, player)[c],
            _ => 0,
        }
    }

    /// The windows of a line that a player could still fill.
    #[inline]
    pub fn live(&self, line: LineId, player: Player) -> u64 {
        let blocked = self.ladder(line, player.opponent())[1];
        self.all(line) & !blocked & !self.spoiled(line, player)
    }

    /// The live windows of a line that `need` stones or fewer would fill.
    #[inline]
    pub fn within(&self, line: LineId, player: Player, need: usize) -> u64 {
        self.at_least(line, player, self.k.saturating_sub(need)) & self.live(line, player)
    }

    /// The windows that an own stone at their end would make longer than `k`, where that does not win.
    #[inline]
    fn spoiled(&self, line: LineId, player: Player) -> u64 {
        if !self.exact[player.index()] {
            return 0;
        }
        let stones = self.stones(line, player);
        stones << 1 | stones.checked_shr(self.k as u32).unwrap_or(0)
    }

    /// Stones of a colour in a window.
    #[inline]
    pub fn count(&self, window: WindowId, player: Player) -> usize {
        let stones = self.stones(self.geometry.window_line(window), player);
        (stones >> self.geometry.window_offset(window) & ones(self.k)).count_ones() as usize
    }

    /// Whether a player could still fill a window.
    #[inline]
    pub fn is_live(&self, window: WindowId, player: Player) -> bool {
        let live = self.live(self.geometry.window_line(window), player);
        live >> self.geometry.window_offset(window) & 1 != 0
    }

    /// Empty cells of a window.
    #[inline]
    pub fn need(&self, window: WindowId) -> usize {
        let line = self.geometry.window_line(window);
        let empties = self.empties(line, self.geometry.window_offset(window));
        empties.count_ones() as usize
    }

    /// The empty cells of the window that begins at `offset`, as bits of the line's cells.
    #[inline]
    pub fn empties(&self, line: LineId, offset: usize) -> u64 {
        let stones = self.stones(line, Player::Black) | self.stones(line, Player::White);
        !stones & ones(self.k) << offset
    }

    /// Whether a player has a live window that one turn (`p` stones) would fill: a few loads.
    #[inline]
    pub fn has_threat(&self, player: Player) -> bool {
        self.near[ONE_TURN][player.index()].iter().fold(0, |any, lines| any | lines) != 0
    }

    /// Whether a player with `stones` stones left in the turn can win with them.
    #[inline]
    pub fn can_win(&self, player: Player, stones: usize) -> bool {
        if stones <= self.p && !self.has_threat(player) {
            return false;
        }
        self.lines_within(player, stones).next().is_some()
    }

    /// The lines with a live window that `need` stones or fewer would fill, each with the word of
    /// these windows. Quick for `need` up to `2p`, where it looks only at lines known to have one.
    #[inline]
    pub fn lines_within(
        &self,
        player: Player,
        need: usize,
    ) -> impl Iterator<Item = (LineId, u64)> + '_ {
        let sets = &self.near;
        let set = match need {
            n if n <= self.p => sets[ONE_TURN][player.index()],
            n if n <= 2 * self.p => sets[TWO_TURNS][player.index()],
            _ => self.every_line(),
        };
        bits(set)
            .map(move |line| (line, self.within(line, player, need)))
            .filter(|&(_, windows)| windows != 0)
    }

    /// The windows a player threatens to fill in one turn.
    pub fn threats(&self, player: Player) -> impl Iterator<Item = WindowId> + '_ {
        self.windows_within(player, self.p)
    }

    /// The live windows that `need` stones or fewer would fill.
    pub fn windows_within(
        &self,
        player: Player,
        need: usize,
    ) -> impl Iterator<Item = WindowId> + '_ {
        self.lines_within(player, need).flat_map(|(line, windows)| {
            let first = self.geometry.line_windows(line).next().map_or(0, WindowId::index);
            offsets(windows).map(move |offset| WindowId::new(first + offset))
        })
    }

    /// Adds `weights[c]` for every live window of a line with `c` own stones. Summed over a
    /// stone's four lines before and after, it keeps a total over the board up to date.
    ///
    /// `weights` has `k + 1` entries.
    pub fn weigh(&self, line: LineId, player: Player, weights: &[i32]) -> i32 {
        let live = self.live(line, player);
        if live == 0 {
            return 0;
        }
        let rungs = &self.ladder(line, player)[1..];
        let count = |windows: u64| windows.count_ones() as i32;
        rungs.iter().zip(weights.windows(2)).fold(weights[0] * count(live), |sum, (rung, step)| {
            sum + (step[1] - step[0]) * count(rung & live)
        })
    }

    /// Number of live windows of a colour by own stones, 0 … k.
    pub fn live_by_stones(&self, player: Player) -> Vec<u32> {
        let mut counts = vec![0; self.k + 1];
        for line in self.geometry.lines() {
            let live = self.live(line, player);
            for (stones, count) in counts.iter_mut().enumerate() {
                let at_least = self.at_least(line, player, stones);
                let more = self.at_least(line, player, stones + 1);
                *count += (live & at_least & !more).count_ones();
            }
        }
        counts
    }

    const fn stride(&self) -> usize {
        2 * self.k + 3
    }

    fn every_line(&self) -> LineSet {
        let mut set = [0; 6];
        for line in self.geometry.lines() {
            set[line.index() / 64] |= 1 << (line.index() % 64);
        }
        set
    }

    /// The stones, then rungs 1 … k.
    #[inline]
    fn ladder(&self, line: LineId, player: Player) -> &[u64] {
        let rungs = self.k + 1;
        let base = line.index() * self.stride() + 1 + player.index() * rungs;
        &self.words[base..base + rungs]
    }

    #[inline]
    fn ladder_mut(&mut self, line: LineId, player: Player) -> &mut [u64] {
        let rungs = self.k + 1;
        let base = line.index() * self.stride() + 1 + player.index() * rungs;
        &mut self.words[base..base + rungs]
    }

    /// Brings the sets of lines with near windows up to date. Every stone comes through here four
    /// times, so the line's words are found once and not through [`within`](Self::within).
    #[inline]
    fn note_line(&mut self, line: LineId) {
        let (word, bit) = (line.index() / 64, line.index() % 64);
        let spoiled = Player::BOTH.map(|player| self.spoiled(line, player));
        let base = line.index() * self.stride();
        let words = &self.words[base..base + self.stride()];
        // A window with an enemy stone, on his first rung, is dead.
        let enemies = [words[self.k + 3], words[2]];
        for player in [0, 1] {
            let live = words[0] & !enemies[player] & !spoiled[player];
            for turns in [ONE_TURN, TWO_TURNS] {
                let filled = words[self.near_at[turns][player]];
                let set = &mut self.near[turns][player][word];
                *set = *set & !(1 << bit) | u64::from(live & filled != 0) << bit;
            }
        }
    }
}

impl LineStones for Windows {
    fn geometry(&self) -> &Geometry {
        &self.geometry
    }

    #[inline]
    fn line(&self, line: LineId) -> [u64; 2] {
        Player::BOTH.map(|player| self.stones(line, player))
    }
}

impl PartialEq for Windows {
    fn eq(&self, other: &Self) -> bool {
        self.geometry.rules() == other.geometry.rules()
            && self.words == other.words
            && self.near == other.near
    }
}

/// The positions of the set bits of a word, lowest first.
#[inline]
pub fn offsets(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        (word != 0).then(|| {
            let lowest = word.trailing_zeros() as usize;
            word &= word - 1;
            lowest
        })
    })
}

#[inline]
fn bits(set: LineSet) -> impl Iterator<Item = LineId> {
    set.into_iter()
        .enumerate()
        .flat_map(|(word, bits)| offsets(bits).map(move |bit| LineId::new(word * 64 + bit)))
}

/// The lowest `n` bits.
#[inline]
const fn ones(n: usize) -> u64 {
    if n >= 64 { u64::MAX } else { (1 << n) - 1 }
}
