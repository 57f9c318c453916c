//! One way to look at a board out of all the equal ones.
//!
//! Where Black opens with a single stone on a board without gravity, cells are counted from that
//! stone and all eight symmetries are tried: the document's "it doesn't really matter where player
//! 1 plays first". Elsewhere cells keep their place and the board's own symmetries are tried. The
//! frame with the smallest key is the canonical one.

use collinear_rules::{Cell, Player, Position, Rules, Symmetry};

/// A cell in a frame: columns and rows from the frame's origin.
pub(crate) type Spot = (i8, i8);

/// A position as a frame shows it: who is to move, how many stones are left of the turn, and the
/// sorted stones of each colour. Two positions have the same key only if they are the same.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Key {
    pub(crate) to_move: u8,
    pub(crate) left: u8,
    pub(crate) stones: [Vec<Spot>; 2],
}

/// A way to look at a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Frame {
    /// Turned around the first stone: one of eight.
    Relative { origin: Cell, turn: u8 },
    /// A symmetry of the board.
    Absolute(Symmetry),
}

impl Frame {
    /// All frames of a position, in a fixed order.
    fn all(position: &Position) -> Vec<Self> {
        let rules = position.rules();
        match position.history().first() {
            Some(&origin) if is_relative(rules) => {
                (0..8).map(|turn| Self::Relative { origin, turn }).collect()
            }
            _ => Symmetry::of(rules).iter().map(|&symmetry| Self::Absolute(symmetry)).collect(),
        }
    }

    /// The smallest key of a position and the frames that have it: several when the position is
    /// symmetric itself.
    pub(crate) fn canonical(position: &Position) -> (Key, Vec<Self>) {
        let all = Self::all(position);
        let mut keys: Vec<(Key, Self)> =
            all.into_iter().map(|frame| (frame.key(position), frame)).collect();
        keys.sort_by(|a, b| a.0.cmp(&b.0));
        let frames = keys.iter().take_while(|(key, _)| *key == keys[0].0);
        let frames = frames.map(|&(_, frame)| frame).collect();
        // Every board has at least itself as a symmetry.
        (keys.swap_remove(0).0, frames)
    }

    fn key(&self, position: &Position) -> Key {
        let rules = position.rules();
        Key {
            to_move: position.to_move() as u8,
            left: position.stones_left() as u8,
            stones: Player::BOTH.map(|player| {
                let mut spots: Vec<Spot> =
                    position.stones(player).map(|cell| self.spot(rules, cell)).collect();
                spots.sort_unstable();
                spots
            }),
        }
    }

    /// A cell of the board in this frame.
    pub(crate) fn spot(&self, rules: &Rules, cell: Cell) -> Spot {
        match *self {
            Self::Absolute(symmetry) => {
                let image = symmetry.apply(rules, cell);
                (rules.column(image) as i8, rules.row(image) as i8)
            }
            Self::Relative { origin, turn } => {
                let x = rules.column(cell) as i8 - rules.column(origin) as i8;
                let y = rules.row(cell) as i8 - rules.row(origin) as i8;
                let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
                (if turn & 1 != 0 { -x } else { x }, if turn & 2 != 0 { -y } else { y })
            }
        }
    }

    /// Back to the board; none when the cell would lie outside.
    pub(crate) fn cell(&self, rules: &Rules, (x, y): Spot) -> Option<Cell> {
        let at = |x: i16, y: i16| rules.cell(usize::try_from(x).ok()?, usize::try_from(y).ok()?);
        let (x, y) = (i16::from(x), i16::from(y));
        match *self {
            Self::Absolute(symmetry) => Some(symmetry.inverse().apply(rules, at(x, y)?)),
            Self::Relative { origin, turn } => {
                let x = if turn & 1 != 0 { -x } else { x };
                let y = if turn & 2 != 0 { -y } else { y };
                let (x, y) = if turn & 4 != 0 { (y, x) } else { (x, y) };
                at(x + rules.column(origin) as i16, y + rules.row(origin) as i16)
            }
        }
    }

    /// A turn's label: its spots sorted.
    pub(crate) fn label(&self, rules: &Rules, turn: &[Cell]) -> Vec<Spot> {
        let mut spots: Vec<Spot> = turn.iter().map(|&cell| self.spot(rules, cell)).collect();
        spots.sort_unstable();
        spots
    }
}

/// Whether boards that are shifted as a whole count as the same.
fn is_relative(rules: &Rules) -> bool {
    rules.q() == 1 && !rules.gravity()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(60))]

        #[test]
        fn frames_go_there_and_back_and_symmetric_boards_share_a_key(
            game in prop::sample::select(
                vec!["9x9,k=5,p=2,q=1", "7x5,k=4", "connect4", "6x6,k=4,p=2,q=2"]),
            picks in prop::collection::vec(0..100_usize, 1..12),
            which in 0..8_usize,
        ) {
            let rules: Rules = game.parse().expect(game);
            let symmetries = Symmetry::of(&rules);
            let symmetry = symmetries[which % symmetries.len()];
            let (mut one, mut other) = (Position::new(rules), Position::new(rules));
            for pick in picks {
                let legal = one.legal_cells();
                if legal.is_empty() {
                    break;
                }
                let cell = legal[pick % legal.len()];
                one.play(cell).expect("legal");
                other.play(symmetry.apply(&rules, cell)).expect("legal");
            }
            let (key, frames) = Frame::canonical(&one);
            prop_assert_eq!(key, Frame::canonical(&other).0);
            for frame in frames {
                for cell in rules.all_cells() {
                    prop_assert_eq!(frame.cell(&rules, frame.spot(&rules, cell)), Some(cell));
                }
            }
        }
    }

    #[test]
    fn shifted_boards_share_a_key_where_black_opens_with_one_stone() {
        let key = |game: &str, moves: &[(usize, usize)]| {
            let rules: Rules = game.parse().expect(game);
            let cells: Vec<Cell> =
                moves.iter().map(|&(x, y)| rules.cell(x, y).expect("on the board")).collect();
            Frame::canonical(&Position::from_moves(rules, &cells).expect("legal")).0
        };
        let (here, there) = ([(9, 9), (10, 9), (9, 11)], [(4, 6), (4, 5), (6, 6)]);
        assert_eq!(key("connect6", &here), key("connect6", &there));
        assert_ne!(key("19x19,k=6,p=3,q=3", &here), key("19x19,k=6,p=3,q=3", &there));
        // The first stone is the origin: the same stones in another order are another key only
        // when Black's first stone differs.
        assert_ne!(key("connect6", &here), key("connect6", &[(9, 11), (10, 9), (9, 9)]));
    }
}
