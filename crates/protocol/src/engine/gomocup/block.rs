//! The blocks of Gomocup and Yixin: a command, a stone or a point per line, up to DONE.

use collinear_rules::{Cell, Player, Position, Rules, Setup};

use super::opening::Decision;
use crate::gomocup::parse_point;
use crate::quote::short;

/// The block of lines that is being read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Block {
    Board,
    /// `YXBOARD`: a position without a turn to play.
    Position,
    Swap2,
    /// `YXBLOCK`: cells that no turn may begin with.
    Exclude,
    /// `YXBLOCKUNDO`: they may again.
    Allow,
    /// A step of Soosorv: the stones that lie, for the last step those to pick from too.
    Soosorv(Decision),
    /// A question about something we do not have: what is said at the end of it.
    Elsewhere(&'static str),
}

/// A block up to here. What is wrong with it is said at its end, once.
pub(super) struct OpenBlock {
    pub(super) kind: Block,
    pub(super) stones: Vec<(Cell, u8)>,
    /// The one number without a comma that a block may hold.
    pub(super) number: Option<u16>,
    pub(super) fault: Option<String>,
}

impl OpenBlock {
    pub(super) const fn new(kind: Block) -> Self {
        Self { kind, stones: Vec::new(), number: None, fault: None }
    }

    /// Takes a line between the command and DONE.
    pub(super) fn add(&mut self, rules: &Rules, line: &str) {
        match self.kind {
            Block::Elsewhere(_) => return,
            Block::Soosorv(_) if !line.contains(',') => {
                self.number = line.trim().parse().ok();
                return;
            }
            _ => {}
        }
        match stone(rules, &self.kind, line) {
            Ok(None) => {}
            Ok(Some(stone)) if self.stones.len() < rules.cells() => self.stones.push(stone),
            Ok(Some(_)) => self.fault = Some("more stones than the board has cells".to_owned()),
            Err(reason) => drop(self.fault.get_or_insert(reason)),
        }
    }

    /// The points, without what stands behind them.
    pub(super) fn cells(&self) -> Vec<Cell> {
        self.stones.iter().map(|(cell, _)| *cell).collect()
    }
}

/// Reads a line: `X,Y` or `X,Y,FIELD`. None: a stone that does not count.
fn stone(rules: &Rules, kind: &Block, line: &str) -> Result<Option<(Cell, u8)>, String> {
    let field = line.rsplit_once(',').filter(|(at, _)| at.contains(','));
    let Some((at, field)) = field else {
        // Only positions need the owner of a stone; elsewhere it follows from the order.
        return match kind {
            Block::Board | Block::Position => Err("X,Y,FIELD or DONE expected".to_owned()),
            _ => parse_point(rules, line).map(|cell| Some((cell, 0))),
        };
    };
    let cell = parse_point(rules, at)?;
    match field.trim() {
        "1" => Ok(Some((cell, 1))),
        "2" => Ok(Some((cell, 2))),
        // A stone of a finished row in a continuous game, which is not played here.
        "3" => Ok(None),
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

/// The position without one of its stones; its owner is to move again.
pub(super) fn without(position: &Position, cell: Cell) -> Result<Position, String> {
    let owner = position.at(cell).ok_or("there is no stone to take back")?;
    if position.history().last() == Some(&cell) {
        let mut before = position.clone();
        before.undo();
        return Ok(before);
    }
    let side = |player| position.stones(player).filter(|&other| other != cell).collect();
    let setup =
        Setup { black: side(Player::Black), white: side(Player::White), to_move: Some((owner, 1)) };
    Position::from_setup(*position.rules(), &setup).map_err(|error| error.to_string())
}
