//! The blocks of Gomocup: BOARD, YXBOARD and SWAP2BOARD with a stone per line, up to DONE.

use collinear_rules::{Cell, Player, Position, Rules, Setup};

use crate::gomocup::parse_point;
use crate::quote::short;

/// The block of lines that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Block {
    Board,
    /// `YXBOARD`: a position without a turn to play.
    Position,
    Swap2,
}

/// A block up to here. What is wrong with it is said at its end, once.
pub(super) struct OpenBlock {
    pub(super) kind: Block,
    pub(super) stones: Vec<(Cell, u8)>,
    pub(super) fault: Option<String>,
}

impl OpenBlock {
    pub(super) const fn new(kind: Block) -> Self {
        Self { kind, stones: Vec::new(), fault: None }
    }

    /// Takes a line between the command and DONE.
    pub(super) fn add(&mut self, rules: &Rules, line: &str) {
        match stone(rules, self.kind, line) {
            Ok(stone) if self.stones.len() < rules.cells() => self.stones.push(stone),
            Ok(_) => self.fault = Some("more stones than the board has cells".to_owned()),
            Err(reason) => drop(self.fault.get_or_insert(reason)),
        }
    }
}

fn stone(rules: &Rules, kind: Block, line: &str) -> Result<(Cell, u8), String> {
    if kind == Block::Swap2 {
        return parse_point(rules, line).map(|cell| (cell, 0));
    }
    let (at, field) = line.rsplit_once(',').ok_or("X,Y,FIELD or DONE expected")?;
    let cell = parse_point(rules, at)?;
    match field.trim() {
        "1" => Ok((cell, 1)),
        "2" => Ok((cell, 2)),
        _ => Err(format!("field {} is not supported", short(field))),
    }
}

/// The position of a BOARD block: in the order of play where it is one, or else as a set-up with
/// the engine to move.
pub(super) fn position_of(rules: Rules, stones: &[(Cell, u8)]) -> Result<Position, String> {
    let cells: Vec<Cell> = stones.iter().map(|(cell, _)| *cell).collect();
    if let Ok(position) = Position::from_moves(rules, &cells) {
        let own = position.to_move();
        let mut replay = Position::new(rules);
        let in_order = stones.iter().all(|&(cell, field)| {
            let right = (replay.to_move() == own) == (field == 1);
            right && replay.play(cell).is_ok()
        });
        if in_order {
            return Ok(position);
        }
    }
    let side = |wanted: u8| -> Vec<Cell> {
        stones.iter().filter(|(_, field)| *field == wanted).map(|(cell, _)| *cell).collect()
    };
    let (own, other) = (side(1), side(2));
    let setup = if own.len() < other.len() {
        Setup { black: other, white: own, to_move: Some((Player::White, rules.p())) }
    } else {
        Setup { black: own, white: other, to_move: Some((Player::Black, rules.p())) }
    };
    Position::from_setup(rules, &setup).map_err(|error| error.to_string())
}
