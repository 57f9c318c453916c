//! `Rules`: one game of the family. Only valid rules can be built; every refusal says why.

use std::fmt;
use std::str::FromStr;

use thiserror::Error;

use crate::{Cell, Player};

/// What a row longer than `k` is worth.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Overline {
    /// `k` or more in a row win.
    #[default]
    Wins,
    /// Only exactly `k` in a row win (standard Gomoku).
    Ignored,
}

/// What becomes of a stone that Renju forbids to Black: an overline, a double four, a double three.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Fouls {
    /// No stone is forbidden: the game is not Renju.
    #[default]
    None,
    /// The stone is illegal and cannot be placed.
    Refused,
    /// The stone may be placed and loses the game at once, as in tournaments.
    Lose,
}

/// One game of the family. Always valid: built by [`Rules::builder`], a preset, or parsed.
///
/// ```
/// use collinear_rules::Rules;
///
/// let rules: Rules = "19x19,k=6,p=2,q=1".parse()?;
/// assert_eq!(rules, Rules::CONNECT6);
/// assert_eq!("7x6,k=4,gravity".parse(), Ok(Rules::CONNECT4));
/// assert_eq!("15x15,k=5,renju".parse(), Ok(Rules::RENJU));
/// assert_eq!(Rules::CONNECT4.to_string(), "7x6,k=4,gravity");
/// assert_eq!(
///     "7x6,k=9".parse::<Rules>().unwrap_err().to_string(),
///     "k = 9 does not fit on a 7x6 board: no line has 9 cells"
/// );
/// # Ok::<(), collinear_rules::ParseRulesError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Rules {
    width: u8,
    height: u8,
    k: u8,
    p: u8,
    q: u8,
    gravity: bool,
    overline: Overline,
    fouls: Fouls,
}

/// Rules under construction: `p`, `q`, gravity and overlines have their usual defaults.
#[derive(Clone, Copy, Debug)]
pub struct RulesBuilder {
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Stones in a row that win.
    pub k: u32,
    /// Stones a turn.
    pub p: u32,
    /// Stones of the very first turn.
    pub q: u32,
    /// Whether stones fall to the lowest empty cell of their column.
    pub gravity: bool,
    /// What longer rows are worth; Renju has an answer of its own.
    pub overline: Overline,
    /// What becomes of forbidden stones; anything but [`Fouls::None`] makes the game Renju.
    pub fouls: Fouls,
}

/// Why no game has these numbers.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesError {
    /// A side is 0 or over [`Rules::MAX_SIDE`].
    #[error("a board of {width}x{height} is out of range: each side takes 1 to 64 cells")]
    Size {
        /// The width asked for.
        width: u32,
        /// The height asked for.
        height: u32,
    },
    /// Nobody could ever make a row.
    #[error("k = {k} does not fit on a {width}x{height} board: no line has {k} cells")]
    RowTooLong {
        /// The row length asked for.
        k: u32,
        /// Columns.
        width: u32,
        /// Rows.
        height: u32,
    },
    /// `k` is zero.
    #[error("k = 0 is not a game: a row needs at least one stone")]
    NoRow,
    /// `p` is zero or too large.
    #[error("p = {0} is out of range: a turn takes 1 to 64 stones")]
    StonesPerTurn(u32),
    /// `q` is zero, too large, or more than the board holds.
    #[error("q = {q} is out of range: the first turn takes 1 to {most} stones on this board")]
    FirstTurn {
        /// The number asked for.
        q: u32,
        /// The largest that fits.
        most: u32,
    },
    /// Renju is defined for five in a row with one stone per turn.
    #[error("renju is played with k = 5, one stone per turn (p = 1, q = 1) and without gravity")]
    Renju,
    /// Renju says what overlines are worth.
    #[error("renju goes without exact: Black's overlines are forbidden and White's win")]
    RenjuExact,
}

impl Rules {
    /// The longest side of a board: a line is one machine word.
    pub const MAX_SIDE: u32 = 64;
    /// The most stones in one turn.
    pub const MAX_STONES_PER_TURN: u32 = 64;

    /// Connect6: 19×19, six in a row, two stones per turn, one in the first.
    pub const CONNECT6: Self = Self::preset(19, 19, 6, 2, false, Overline::Wins);
    /// Connect Four: 7×6, four in a row, stones fall.
    pub const CONNECT4: Self = Self::preset(7, 6, 4, 1, true, Overline::Wins);
    /// Freestyle Gomoku: 15×15, five or more in a row.
    pub const GOMOKU: Self = Self::preset(15, 15, 5, 1, false, Overline::Wins);
    /// Standard Gomoku: 15×15, exactly five in a row.
    pub const GOMOKU_STANDARD: Self = Self::preset(15, 15, 5, 1, false, Overline::Ignored);
    /// Renju: 15×15, five in a row; Black may not make overlines, double fours and double threes.
    pub const RENJU: Self = Self { fouls: Fouls::Refused, ..Self::GOMOKU };
    /// Tic-tac-toe: 3×3, three in a row.
    pub const TICTACTOE: Self = Self::preset(3, 3, 3, 1, false, Overline::Wins);

    /// The games that have a name of their own.
    pub const PRESETS: [(&'static str, Self); 6] = [
        ("connect6", Self::CONNECT6),
        ("connect4", Self::CONNECT4),
        ("gomoku", Self::GOMOKU),
        ("gomoku-standard", Self::GOMOKU_STANDARD),
        ("renju", Self::RENJU),
        ("tictactoe", Self::TICTACTOE),
    ];

    const fn preset(w: u8, h: u8, k: u8, p: u8, gravity: bool, overline: Overline) -> Self {
        Self { width: w, height: h, k, p, q: 1, gravity, overline, fouls: Fouls::None }
    }

    /// Starts from a board and a row length, with one stone per turn.
    pub const fn builder(width: u32, height: u32, k: u32) -> RulesBuilder {
        RulesBuilder {
            width,
            height,
            k,
            p: 1,
            q: 1,
            gravity: false,
            overline: Overline::Wins,
            fouls: Fouls::None,
        }
    }

    /// Columns.
    pub const fn width(&self) -> usize {
        self.width as usize
    }

    /// Rows.
    pub const fn height(&self) -> usize {
        self.height as usize
    }

    /// Stones in a row that win.
    pub const fn k(&self) -> usize {
        self.k as usize
    }

    /// Stones a turn.
    pub const fn p(&self) -> usize {
        self.p as usize
    }

    /// Stones of the very first turn.
    pub const fn q(&self) -> usize {
        self.q as usize
    }

    /// Whether stones fall.
    pub const fn gravity(&self) -> bool {
        self.gravity
    }

    /// What a row longer than `k` is worth to a player: in Renju it wins for White alone.
    pub const fn overline(&self, player: Player) -> Overline {
        match (self.fouls, player) {
            (Fouls::None, _) | (_, Player::White) => self.overline,
            (_, Player::Black) => Overline::Ignored,
        }
    }

    /// Whether a row longer than `k` wins, whoever made it.
    pub const fn overlines_win(&self) -> bool {
        matches!(self.overline(Player::Black), Overline::Wins)
    }

    /// What becomes of the stones that Renju forbids to Black.
    pub const fn fouls(&self) -> Fouls {
        self.fouls
    }

    /// Whether some stones are forbidden to Black.
    pub const fn is_renju(&self) -> bool {
        !matches!(self.fouls, Fouls::None)
    }

    /// Cells of the board.
    pub const fn cells(&self) -> usize {
        self.width() * self.height()
    }

    /// The cell at these coordinates, row 0 at the bottom, if it is on the board.
    pub fn cell(&self, column: usize, row: usize) -> Option<Cell> {
        (column < self.width() && row < self.height())
            .then(|| Cell::new(row * self.width() + column))
    }

    /// The column of a cell, 0 at the left.
    pub const fn column(&self, cell: Cell) -> usize {
        cell.index() % self.width()
    }

    /// The row of a cell, 0 at the bottom.
    pub const fn row(&self, cell: Cell) -> usize {
        cell.index() / self.width()
    }

    /// Every cell, row by row from the bottom left.
    pub fn all_cells(&self) -> impl DoubleEndedIterator<Item = Cell> + ExactSizeIterator + use<> {
        (0..self.cells()).map(Cell::new)
    }

    /// The name of the preset these rules are, if any.
    pub fn preset_name(&self) -> Option<&'static str> {
        Self::PRESETS.iter().find(|(_, rules)| rules == self).map(|(name, _)| *name)
    }
}

impl RulesBuilder {
    /// Checks the numbers.
    pub fn build(self) -> Result<Rules, RulesError> {
        let Self { width, height, k, p, q, gravity, overline, fouls } = self;
        let side = 1..=Rules::MAX_SIDE;
        if !side.contains(&width) || !side.contains(&height) {
            return Err(RulesError::Size { width, height });
        }
        if k == 0 {
            return Err(RulesError::NoRow);
        }
        if k > width.max(height) {
            return Err(RulesError::RowTooLong { k, width, height });
        }
        if !(1..=Rules::MAX_STONES_PER_TURN).contains(&p) {
            return Err(RulesError::StonesPerTurn(p));
        }
        let most = Rules::MAX_STONES_PER_TURN.min(width * height);
        if !(1..=most).contains(&q) {
            return Err(RulesError::FirstTurn { q, most });
        }
        if fouls != Fouls::None {
            if (k, p, q, gravity) != (5, 1, 1, false) {
                return Err(RulesError::Renju);
            }
            if overline != Overline::Wins {
                return Err(RulesError::RenjuExact);
            }
        }
        Ok(Rules {
            width: width as u8,
            height: height as u8,
            k: k as u8,
            p: p as u8,
            q: q as u8,
            gravity,
            overline,
            fouls,
        })
    }

    /// Sets the stones per turn.
    #[must_use]
    pub const fn p(mut self, p: u32) -> Self {
        self.p = p;
        self
    }

    /// Sets the stones of the first turn.
    #[must_use]
    pub const fn q(mut self, q: u32) -> Self {
        self.q = q;
        self
    }

    /// Makes stones fall.
    #[must_use]
    pub const fn gravity(mut self) -> Self {
        self.gravity = true;
        self
    }

    /// Makes only rows of exactly `k` win.
    #[must_use]
    pub const fn exact(mut self) -> Self {
        self.overline = Overline::Ignored;
        self
    }

    /// Makes the game Renju and says what becomes of a forbidden stone.
    #[must_use]
    pub const fn fouls(mut self, fouls: Fouls) -> Self {
        self.fouls = fouls;
        self
    }
}

/// Why a text names no game.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ParseRulesError {
    /// The first part is neither a preset nor a board.
    #[error(
        "{name:?} is neither a game ({names}) nor a board such as 19x19,k=6,p=2,q=1{}",
        nearest.map(|nearest| format!("; did you mean {nearest}?")).unwrap_or_default(),
        names = Rules::PRESETS.map(|(name, _)| name).join(", ")
    )]
    UnknownGame {
        /// The text given.
        name: String,
        /// The game that was probably meant.
        nearest: Option<&'static str>,
    },
    /// A part is not one of the known ones.
    #[error(
        "{0:?} is not part of a game: known are k=N, p=N, q=N, gravity, exact, renju, renju=loses"
    )]
    UnknownPart(String),
    /// The number behind a key is not a number.
    #[error("{value:?} is not a number (in {key}={value})")]
    NotANumber {
        /// The key.
        key: String,
        /// What stands behind it.
        value: String,
    },
    /// A key comes twice.
    #[error("{0} is given twice")]
    Twice(String),
    /// A board without `k`.
    #[error("k is missing: write for example {0},k=5")]
    NoK(String),
    /// The numbers make no game.
    #[error(transparent)]
    Invalid(#[from] RulesError),
}

impl FromStr for Rules {
    type Err = ParseRulesError;

    fn from_str(text: &str) -> Result<Self, ParseRulesError> {
        let text = text.trim();
        if let Some((_, rules)) = Self::PRESETS.iter().find(|(name, _)| *name == text) {
            return Ok(*rules);
        }
        let mut parts = text.split(',').map(str::trim);
        let board = parts.next().unwrap_or_default();
        let unknown =
            || ParseRulesError::UnknownGame { name: shorten(text), nearest: nearest_preset(text) };
        let (width, height) = board.split_once(['x', 'X', '×']).ok_or_else(unknown)?;
        let (Ok(width), Ok(height)) = (width.parse(), height.parse()) else {
            return Err(unknown());
        };
        let mut rules = Self::builder(width, height, 0);
        let mut seen: Vec<&str> = Vec::new();
        for part in parts {
            let (key, value) = match part.split_once('=') {
                Some((key, value)) => (key.trim(), Some(value.trim())),
                None => (part, None),
            };
            if seen.contains(&key) {
                return Err(ParseRulesError::Twice(shorten(key)));
            }
            seen.push(key);
            let number = |value: &str| {
                value.parse().map_err(|_| ParseRulesError::NotANumber {
                    key: key.to_owned(),
                    value: shorten(value),
                })
            };
            match (key, value) {
                ("k", Some(value)) => rules.k = number(value)?,
                ("p", Some(value)) => rules.p = number(value)?,
                ("q", Some(value)) => rules.q = number(value)?,
                ("gravity", None) => rules.gravity = true,
                ("exact", None) => rules.overline = Overline::Ignored,
                ("renju", None) => rules.fouls = Fouls::Refused,
                ("renju", Some("loses")) => rules.fouls = Fouls::Lose,
                _ => return Err(ParseRulesError::UnknownPart(shorten(part))),
            }
        }
        if !seen.contains(&"k") {
            return Err(ParseRulesError::NoK(board.to_owned()));
        }
        Ok(rules.build()?)
    }
}

/// The preset that was probably meant.
fn nearest_preset(text: &str) -> Option<&'static str> {
    const MAX_TYPOS: usize = 3;
    let mut text = shorten(text).to_ascii_lowercase().replace([' ', '-', '_'], "");
    for (word, number) in [("four", "4"), ("six", "6")] {
        text = text.replace(word, number);
    }
    // Of a short text most letters must be right.
    let most = MAX_TYPOS.min(text.chars().count() / 2);
    let typos = |name: &str| strsim::damerau_levenshtein(&text, &name.replace('-', ""));
    let names = Rules::PRESETS.map(|(name, _)| name);
    names.into_iter().min_by_key(|name| typos(name)).filter(|name| typos(name) <= most)
}

/// Errors quote what they were given, but not megabytes of it.
pub(crate) fn shorten(text: &str) -> String {
    const MAX: usize = 40;
    if text.chars().count() <= MAX {
        text.to_owned()
    } else {
        text.chars().take(MAX).chain(['…']).collect()
    }
}

impl fmt::Display for Rules {
    /// The long form, without the parts that have their default value (p and q show together).
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{},k={}", self.width, self.height, self.k)?;
        if (self.p, self.q) != (1, 1) {
            write!(f, ",p={},q={}", self.p, self.q)?;
        }
        if self.gravity {
            f.write_str(",gravity")?;
        }
        if self.overline == Overline::Ignored {
            f.write_str(",exact")?;
        }
        match self.fouls {
            Fouls::None => {}
            Fouls::Refused => f.write_str(",renju")?,
            Fouls::Lose => f.write_str(",renju=loses")?,
        }
        Ok(())
    }
}

impl fmt::Debug for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rules({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(text: &str) -> String {
        text.parse::<Rules>().expect_err(text).to_string()
    }

    #[test]
    fn a_name_that_is_nearly_right_is_suggested() {
        for (written, meant) in
            [("connect-four", "connect4"), ("Connect Six", "connect6"), ("gomuko", "gomoku")]
        {
            assert!(refusal(written).contains(&format!("did you mean {meant}?")), "{written}");
        }
        assert!(!refusal("a").contains("did you mean"), "a letter is nearly anything");
    }

    #[test]
    fn presets_parse_by_name_and_by_long_form() {
        for (name, rules) in Rules::PRESETS {
            assert_eq!(name.parse(), Ok(rules));
            assert_eq!(rules.to_string().parse(), Ok(rules));
            assert_eq!(rules.preset_name(), Some(name));
        }
        let loses: Rules = "15x15,k=5,renju=loses".parse().expect("valid");
        assert_eq!((loses.fouls(), loses.to_string().parse()), (Fouls::Lose, Ok(loses)));
    }

    #[test]
    fn refusals_say_why() {
        assert!(refusal("7x6").contains("k is missing"));
        assert!(refusal("7x6,k=0").contains("at least one stone"));
        assert!(refusal("7x6,k=4,p=0").contains("p = 0"));
        assert!(refusal("3x3,k=3,q=10").contains("1 to 9"));
        assert!(refusal("65x3,k=3").contains("1 to 64"));
        assert!(refusal("0x3,k=3").contains("1 to 64"));
        assert!(refusal("99999999999x3,k=3").contains("neither a game"));
        assert!(refusal("3x3,k=4294967296").contains("not a number"));
        assert!(refusal("3x3,k=3,k=3").contains("twice"));
        assert!(refusal("3x3,k=3,speed=9").contains("known are"));
        assert!(refusal("15x15,k=6,renju").contains("k = 5"));
        assert!(refusal("15x15,k=5,p=2,q=1,renju").contains("one stone per turn"));
        assert!(refusal("15x15,k=5,renju,exact").contains("without exact"));
        assert!(refusal("15x15,k=5,renju=wins").contains("renju=loses"));
        assert!(refusal("15x15,k=5,renju,renju=loses").contains("twice"));
        assert!(refusal("chess").contains("connect6"));
        assert!(refusal(&"x".repeat(100_000)).len() < 300);
    }
}
