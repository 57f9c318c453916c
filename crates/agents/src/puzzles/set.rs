//! A set of puzzles as a text: what is shipped with the page, and what `collinear puzzles make` writes.
//!
//! ```text
//! # game 15x15,k=5                      the first line that says so names the rules
//! 7kq2mv w4 1 1540 vf h8i9g7…           a puzzle
//!   │    │  │  │    │  └ the stones in order of play
//!   │    │  │  │    └ themes, a letter each; `-` without any
//!   │    │  │  └ rating
//!   │    │  └ right first turns that are known
//!   │    └ w4: wins in four own turns; h1: holds with the next turn
//!   └ from the position, whichever way the board is turned
//! ```

use std::fmt;

use collinear_rules::{Position, Rules, notation};
use thiserror::Error;

use super::Goal;

/// More puzzles than any set has.
const MAX_ENTRIES: usize = 100_000;
/// Letters of a name: without those that look alike.
const ALPHABET: &[u8; 32] = b"abcdefghjkmnpqrstuvwxyz023456789";
const ID_LETTERS: u32 = 6;

/// What a puzzle is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Theme {
    /// A win by continuous fours.
    Fours,
    /// A stone of the win makes a four and a three at once.
    FourThree,
    /// The win begins with a turn that forces nothing.
    Quiet,
    /// The turn that holds.
    Defence,
    /// The loser is not threatened at last: he must move.
    Zugzwang,
    /// A turn with two threats at once decides.
    DoubleThreat,
    /// Five own turns and more.
    Long,
}

impl Theme {
    /// All, with their letters.
    pub const ALL: [(Self, char); 7] = [
        (Self::Fours, 'v'),
        (Self::FourThree, 'f'),
        (Self::Quiet, 'q'),
        (Self::Defence, 'd'),
        (Self::Zugzwang, 'z'),
        (Self::DoubleThreat, 'x'),
        (Self::Long, 'l'),
    ];

    fn letter(self) -> char {
        Self::ALL.iter().find(|(theme, _)| *theme == self).map_or('-', |(_, letter)| *letter)
    }
}

/// A puzzle of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position before the first turn.
    pub position: Position,
    /// What is to be reached.
    pub goal: Goal,
    /// Own turns until then, at most.
    pub turns: u16,
    /// First turns that are known to be right.
    pub right: u16,
    /// How hard it is, on the scale of [`super::RATINGS`].
    pub rating: u16,
    /// In the order of [`Theme::ALL`].
    pub themes: Vec<Theme>,
}

/// Why a line is not a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}: {reason}")]
pub struct SetError {
    /// Counted from 1.
    pub line: usize,
    /// What is wrong.
    pub reason: String,
}

impl Entry {
    /// Its name: the same for the mirror images of a position.
    pub fn id(&self) -> String {
        let key = self.position.canonical_key();
        let letter = |at: u32| char::from(ALPHABET[(key >> (5 * at)) as usize % ALPHABET.len()]);
        (0..ID_LETTERS).map(letter).collect()
    }

    fn read(rules: &Rules, line: &str) -> Result<Self, String> {
        let fields: Vec<&str> = line.split_whitespace().collect();
        let [id, goal, right, rating, themes, stones] = fields[..] else {
            return Err(format!("{} words where a puzzle has six", fields.len()));
        };
        let number = |what: &str, text: &str| -> Result<u16, String> {
            text.parse().map_err(|_| format!("{text:?} is not a number ({what})"))
        };
        let (goal, turns) = match goal.split_at_checked(1) {
            Some(("w", turns)) => (Goal::Win, number("turns", turns)?),
            Some(("h", turns)) => (Goal::Hold, number("turns", turns)?),
            _ => return Err(format!("{goal:?} is not a goal such as w4 or h1")),
        };
        let theme = |letter: char| {
            let found = Theme::ALL.iter().find(|(_, known)| *known == letter);
            found.map(|(theme, _)| *theme).ok_or(format!("{letter:?} is not a theme"))
        };
        let themes = themes.chars().filter(|letter| *letter != '-').map(theme);
        let mut position = Position::new(*rules);
        for name in notation::split(stones) {
            let cell = notation::parse(rules, name).map_err(|error| error.to_string())?;
            position.play(cell).map_err(|error| format!("{name}: {error}"))?;
        }
        let entry = Self {
            goal,
            turns,
            right: number("right turns", right)?,
            rating: number("rating", rating)?,
            themes: themes.collect::<Result<_, _>>()?,
            position,
        };
        let named = entry.id();
        if named == id { Ok(entry) } else { Err(format!("this position is {named}, not {id}")) }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let goal = match self.goal {
            Goal::Win => 'w',
            Goal::Hold => 'h',
        };
        let themes: String = self.themes.iter().map(|theme| theme.letter()).collect();
        let themes = if themes.is_empty() { "-" } else { &themes };
        let Self { turns, right, rating, position, .. } = self;
        write!(f, "{} {goal}{turns} {right} {rating} {themes} ", self.id())?;
        let rules = position.rules();
        position.history().iter().try_for_each(|&cell| f.write_str(&notation::name(rules, cell)))
    }
}

/// The first lines of a set: its rules, and the command that makes it.
pub fn set_header(rules: &Rules, command: &str) -> String {
    format!("# game {rules}\n# {command}\n")
}

/// Reads a set.
pub fn read_set(text: &str) -> Result<Vec<Entry>, SetError> {
    let mut rules: Option<Rules> = None;
    let mut entries = Vec::new();
    for (line, words) in (1..).zip(text.lines()) {
        let wrong = |reason: String| SetError { line, reason };
        if let Some(comment) = words.strip_prefix('#') {
            if let Some(game) = comment.trim().strip_prefix("game ") {
                rules = Some(game.parse().map_err(|error| wrong(format!("{error}")))?);
            }
        } else if !words.trim().is_empty() {
            let rules = rules.ok_or_else(|| {
                wrong("no line before it names the game, such as `# game 15x15,k=5`".to_owned())
            })?;
            if entries.len() == MAX_ENTRIES {
                return Err(wrong(format!("a set has at most {MAX_ENTRIES} puzzles")));
            }
            entries.push(Entry::read(&rules, words).map_err(wrong)?);
        }
    }
    Ok(entries)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        let cells = ["h8", "i9", "g7"].map(|name| notation::parse(&Rules::GOMOKU, name));
        let cells: Vec<_> = cells.into_iter().map(|cell| cell.expect("a cell")).collect();
        Entry {
            position: Position::from_moves(Rules::GOMOKU, &cells).expect("legal"),
            goal: Goal::Win,
            turns: 4,
            right: 1,
            rating: 1540,
            themes: vec![Theme::Fours, Theme::Long],
        }
    }

    #[test]
    fn a_set_is_read_as_it_was_written() {
        let text = format!("{}{}\n", set_header(&Rules::GOMOKU, "by hand"), entry());
        assert_eq!(read_set(&text), Ok(vec![entry()]));
        assert!(text.ends_with(" w4 1 1540 vl h8i9g7\n"), "{text}");
    }

    #[test]
    fn what_is_no_set_is_refused_with_its_line() {
        let good = entry().to_string();
        let reason = |line: &str| {
            let text = format!("# game 15x15,k=5\n{line}");
            read_set(&text).map_err(|error| error.to_string()).expect_err("refused")
        };
        assert_eq!(reason("a b"), "line 2: 2 words where a puzzle has six");
        assert!(reason(&good.replace(" w4 ", " v4 ")).contains("not a goal"));
        assert!(reason(&good.replace(" vl ", " v! ")).contains("not a theme"));
        assert!(reason(&good.replace("h8i9", "h8h8")).contains("h8:"));
        assert!(reason(&good.replace("g7", "g6")).contains("this position is"));
        assert!(read_set(&good).is_err_and(|error| error.reason.contains("names the game")));
    }

    #[test]
    fn the_name_is_that_of_every_mirror_image() {
        use collinear_rules::Symmetry;
        let (entry, rules) = (entry(), Rules::GOMOKU);
        for symmetry in Symmetry::of(&rules) {
            let cells = entry.position.history().iter().map(|&cell| symmetry.apply(&rules, cell));
            let position = Position::from_moves(rules, &cells.collect::<Vec<_>>()).expect("legal");
            assert_eq!(Entry { position, ..entry.clone() }.id(), entry.id());
        }
    }
}
