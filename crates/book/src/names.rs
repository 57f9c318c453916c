//! The openings that have names: the 26 of Renju, which players of Gomoku know, too.
//!
//! Black begins in the middle, White beside it, Black within two cells of the middle. White's stone lies
//! straight beside the first in the 13 direct openings, and diagonally in the 13 indirect ones:
//!
//! ```text
//! direct: h8 h9                 indirect: h8 i9             each number is the third stone
//!   . .  1  2  3   10             . . .  .  1   10
//!   . .  O  4  5    9             . . .  O  2    9
//!   . .  X  6  7    8             . . X  6  3    8
//!   . .  8  9 10    7             . 11 9 7  4    7
//!   . . 11 12 13    6             13 12 10 8 5   6
//!   f g  h  i  j                  f g  h  i  j
//! ```
//!
//! Names and numbers are those of the Renju International Federation (renju.net/openings). The
//! coordinates were compared stone by stone with two independent tables that agree: `OpenLib.java` of the
//! Gomoku engine in the Java package `com.engine.fourtransEngine`, and the table `indir`, `nms` of a
//! Python study of the 26 openings by Monte Carlo search. For Connect6 no source was found that gives
//! both names and stones, so it has none.

use collinear_rules::{Position, Rules, notation};

use crate::frame::Frame;

/// An opening with a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NamedOpening {
    /// `D4`: the fourth direct one; `I7`: the seventh indirect one.
    pub code: &'static str,
    /// `Kagetsu`.
    pub name: &'static str,
    /// `花月`.
    pub japanese: &'static str,
    /// Its stones on a board of 15 lines, one of the ways to turn them.
    pub stones: [&'static str; 3],
}

/// The column and the row of the first stone on a board of 15 lines.
const HOME: usize = 7;
const DIRECT: &str = "h9";
const INDIRECT: &str = "i9";

const fn opening(
    code: &'static str,
    name: &'static str,
    japanese: &'static str,
    second: &'static str,
    third: &'static str,
) -> NamedOpening {
    NamedOpening { code, name, japanese, stones: ["h8", second, third] }
}

/// All of them, the direct ones first.
pub const NAMED_OPENINGS: [NamedOpening; 26] = [
    opening("D1", "Kansei", "寒星", DIRECT, "h10"),
    opening("D2", "Keigetsu", "渓月", DIRECT, "i10"),
    opening("D3", "Sosei", "疎星", DIRECT, "j10"),
    opening("D4", "Kagetsu", "花月", DIRECT, "i9"),
    opening("D5", "Zangetsu", "残月", DIRECT, "j9"),
    opening("D6", "Ugetsu", "雨月", DIRECT, "i8"),
    opening("D7", "Kinsei", "金星", DIRECT, "j8"),
    opening("D8", "Shogetsu", "松月", DIRECT, "h7"),
    opening("D9", "Kyugetsu", "丘月", DIRECT, "i7"),
    opening("D10", "Shingetsu", "新月", DIRECT, "j7"),
    opening("D11", "Zuisei", "瑞星", DIRECT, "h6"),
    opening("D12", "Sangetsu", "山月", DIRECT, "i6"),
    opening("D13", "Yusei", "遊星", DIRECT, "j6"),
    opening("I1", "Chosei", "長星", INDIRECT, "j10"),
    opening("I2", "Kyogetsu", "峡月", INDIRECT, "j9"),
    opening("I3", "Kosei", "恒星", INDIRECT, "j8"),
    opening("I4", "Suigetsu", "水月", INDIRECT, "j7"),
    opening("I5", "Ryusei", "流星", INDIRECT, "j6"),
    opening("I6", "Ungetsu", "雲月", INDIRECT, "i8"),
    opening("I7", "Hogetsu", "浦月", INDIRECT, "i7"),
    opening("I8", "Rangetsu", "嵐月", INDIRECT, "i6"),
    opening("I9", "Gingetsu", "銀月", INDIRECT, "h7"),
    opening("I10", "Myojo", "明星", INDIRECT, "h6"),
    opening("I11", "Shagetsu", "斜月", INDIRECT, "g7"),
    opening("I12", "Meigetsu", "名月", INDIRECT, "g6"),
    opening("I13", "Suisei", "彗星", INDIRECT, "f6"),
];

impl NamedOpening {
    /// Whether White's stone lies straight beside the first one.
    pub fn is_direct(&self) -> bool {
        self.stones[1] == DIRECT
    }

    /// The opening on a board of 15 lines.
    fn position(&self) -> Option<Position> {
        let cells: Result<Vec<_>, _> =
            self.stones.iter().map(|name| notation::parse(&Rules::GOMOKU, name)).collect();
        Position::from_moves(Rules::GOMOKU, &cells.ok()?).ok()
    }

    /// The opening on the board of a game; none where the game does not know it.
    pub fn on(&self, rules: &Rules) -> Option<Position> {
        let (stones, middle) = (self.position()?, middle(rules)?);
        let cells = stones.history().iter().map(|&cell| {
            let (column, row) = (Rules::GOMOKU.column(cell), Rules::GOMOKU.row(cell));
            rules.cell((column + middle.0).checked_sub(HOME)?, (row + middle.1).checked_sub(HOME)?)
        });
        Position::from_moves(*rules, &cells.collect::<Option<Vec<_>>>()?).ok()
    }
}

/// The name of the opening that a game began with, whichever way the board is turned; none before its
/// third stone, and in games that have no named openings.
pub fn opening_name(position: &Position) -> Option<&'static NamedOpening> {
    let rules = position.rules();
    let (column, row) = middle(rules)?;
    let stones = position.history().get(..3).filter(|_| position.stone_count() >= 3)?;
    if rules.cell(column, row) != stones.first().copied() {
        return None;
    }
    let (key, _) = Frame::canonical(&Position::from_moves(*rules, stones).ok()?);
    NAMED_OPENINGS
        .iter()
        .find(|named| named.position().is_some_and(|known| Frame::canonical(&known).0 == key))
}

/// The middle of a board on which five in a row are played, with a stone for each turn.
fn middle(rules: &Rules) -> Option<(usize, usize)> {
    let (width, height) = (rules.width(), rules.height());
    let is_five = rules.k() == 5 && rules.p() == 1 && rules.q() == 1 && !rules.gravity();
    let fits = width == height && width % 2 == 1 && width >= 5;
    (is_five && fits).then_some((width / 2, height / 2))
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use collinear_rules::{Player, Symmetry};

    use super::*;

    #[test]
    fn there_are_thirteen_of_each_kind_and_no_two_are_mirror_images() {
        let mut keys = HashSet::new();
        for named in &NAMED_OPENINGS {
            let position = named.on(&Rules::RENJU).expect(named.name);
            assert_eq!((position.stone_count(), position.to_move()), (3, Player::White));
            let spot = |at: usize| {
                let cell = position.history()[at];
                let from_middle = |line: usize| line as i32 - 7;
                (from_middle(Rules::RENJU.column(cell)), from_middle(Rules::RENJU.row(cell)))
            };
            assert_eq!(spot(0), (0, 0), "{}", named.name);
            let (x, y) = spot(1);
            assert_eq!(x.abs() + y.abs(), if named.is_direct() { 1 } else { 2 }, "{}", named.name);
            assert_eq!(x.abs().max(y.abs()), 1, "{}", named.name);
            assert!(spot(2).0.abs().max(spot(2).1.abs()) <= 2, "{}", named.name);
            assert!(keys.insert(position.canonical_key()), "{}", named.name);
            assert_eq!(named.code.starts_with('D'), named.is_direct());
        }
        let direct = NAMED_OPENINGS.iter().filter(|named| named.is_direct()).count();
        assert_eq!((direct, keys.len()), (13, 26));
    }

    /// All third stones within two cells of the middle: every one has a name, and each name is as often
    /// there as it has mirror images.
    #[test]
    fn every_third_stone_near_the_middle_has_a_name() {
        let rules = Rules::GOMOKU;
        let at = |x, y| rules.cell(x, y).expect("on the board");
        for second in [at(7, 8), at(8, 8)] {
            let mut names = HashSet::new();
            for cell in (5..10).flat_map(|x| (5..10).map(move |y| (x, y))) {
                let third = at(cell.0, cell.1);
                let Ok(position) = Position::from_moves(rules, &[at(7, 7), second, third]) else {
                    continue;
                };
                names.insert(opening_name(&position).expect("a name").code);
            }
            assert_eq!(names.len(), 13);
        }
    }

    #[test]
    fn a_name_holds_however_the_board_is_turned_and_as_the_game_goes_on() {
        for rules in [Rules::GOMOKU, Rules::RENJU, "19x19,k=5".parse().expect("a game")] {
            for named in &NAMED_OPENINGS {
                let position = named.on(&rules).expect(named.name);
                for symmetry in Symmetry::of(&rules) {
                    let turned: Vec<_> =
                        position.history().iter().map(|&c| symmetry.apply(&rules, c)).collect();
                    let mut turned = Position::from_moves(rules, &turned).expect("legal");
                    assert_eq!(opening_name(&turned), Some(named), "{symmetry:?}");
                    turned.play(rules.cell(0, 0).expect("a corner")).expect("free");
                    assert_eq!(opening_name(&turned), Some(named), "{symmetry:?}");
                }
            }
        }
    }

    #[test]
    fn elsewhere_there_are_no_names() {
        let name = |rules: Rules, stones: &str| {
            let cells = stones.split(' ').map(|name| notation::parse(&rules, name).expect(name));
            let cells: Vec<_> = cells.collect();
            opening_name(&Position::from_moves(rules, &cells).expect("legal")).map(|n| n.name)
        };
        assert_eq!(name(Rules::GOMOKU, "h8 h9 i9"), Some("Kagetsu"));
        assert_eq!(name(Rules::GOMOKU, "h8 g7 g9"), Some("Hogetsu"));
        assert_eq!(name(Rules::GOMOKU, "h8 h9"), None, "two stones");
        assert_eq!(name(Rules::GOMOKU, "g8 g9 h9"), None, "not from the middle");
        assert_eq!(name(Rules::GOMOKU, "h8 h9 k9"), None, "too far away");
        assert_eq!(name(Rules::CONNECT6, "j10 j11 k11"), None);
        assert_eq!(name(Rules::CONNECT4, "d1 d2 d3"), None);
    }
}
