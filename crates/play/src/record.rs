//! A game written down: who played what, how it went, and how it ended.

use std::collections::BTreeMap;
use std::time::Duration;

use collinear_rules::{Cell, IllegalMove, InvalidSetup, Player, Position, Rules, Setup};
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::{End, NodeId, Thought, Tree};

/// A recorded game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The game that was played.
    pub rules: Rules,
    /// The names of Black and of White, where known.
    #[serde(default)]
    pub players: [Option<String>; 2],
    /// Stones that stood on the board before the first move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub setup: Option<Setup>,
    /// How many stones at the head of the main line were given, not chosen by the players.
    #[serde(default)]
    pub opening: usize,
    /// The stones with variations and notes.
    pub tree: Tree,
    /// What the last, unanswered question to the player to move cost: it ended in a fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unanswered: Option<Thought>,
    /// How it ended; none where the record does not say or the game goes on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub end: Option<End>,
    /// Anything else, by key. Formats with fields of their own know `event`, `date`, `place`,
    /// `round`, `source`, `name`, `annotator`.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub metadata: BTreeMap<String, String>,
}

/// One turn of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct TurnRecord {
    /// Who played it.
    pub player: Player,
    /// The stones in order. Empty when the turn ended the game without one.
    pub stones: Vec<Cell>,
    /// What it cost, and what the player said.
    pub thought: Thought,
}

/// Why a record does not replay.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ReplayError {
    /// The stones it starts from make no position.
    #[error("set-up: {0}")]
    Setup(#[from] InvalidSetup),
    /// A move is illegal.
    #[error("move {number}: {reason}")]
    Illegal {
        /// Which stone of its line, counted from 1.
        number: usize,
        /// Why.
        reason: IllegalMove,
    },
    /// The opening has more stones than the main line.
    #[error("the opening has {opening} stones and the game only {stones}")]
    Opening {
        /// Stones of the opening.
        opening: usize,
        /// Stones of the main line.
        stones: usize,
    },
}

impl GameRecord {
    /// An empty record of a game.
    pub fn new(rules: Rules) -> Self {
        Self {
            rules,
            players: [None, None],
            setup: None,
            opening: 0,
            tree: Tree::new(),
            unanswered: None,
            end: None,
            metadata: BTreeMap::new(),
        }
    }

    /// A record of these stones, with the end that they show.
    pub fn from_moves(rules: Rules, moves: &[Cell]) -> Result<Self, ReplayError> {
        let mut record = Self::new(rules);
        let mut at = NodeId::ROOT;
        for &cell in moves {
            at = record.tree.add(at, cell).unwrap_or(at);
        }
        record.end = End::on_board(&record.position()?);
        Ok(record)
    }

    /// The stones of the main line, one after the other.
    pub fn moves(&self) -> Vec<Cell> {
        self.tree.main_line().filter_map(|node| self.tree.stone(node)).collect()
    }

    /// The position before the first stone.
    pub fn start(&self) -> Result<Position, InvalidSetup> {
        match &self.setup {
            None => Ok(Position::new(self.rules)),
            Some(setup) => Position::from_setup(self.rules, setup),
        }
    }

    /// The position after the last stone of the main line.
    pub fn position(&self) -> Result<Position, ReplayError> {
        self.position_after(usize::MAX)
    }

    /// The position after `stones` of the main line (all of them when there are fewer).
    pub fn position_after(&self, stones: usize) -> Result<Position, ReplayError> {
        let mut position = self.start()?;
        for (number, cell) in (1..).zip(self.moves().into_iter().take(stones)) {
            position.play(cell).map_err(|reason| ReplayError::Illegal { number, reason })?;
        }
        Ok(position)
    }

    /// The end: what the record says, or else what the stones show.
    pub fn outcome(&self) -> Option<End> {
        self.end.clone().or_else(|| End::on_board(&self.position().ok()?))
    }

    /// Who won, if anybody did.
    pub fn winner(&self) -> Option<Player> {
        self.outcome()?.winner
    }

    /// The turns that the players chose: the opening is left out, a turn that ended in a fault
    /// stands at the end without stones.
    pub fn turns(&self) -> Result<Vec<TurnRecord>, ReplayError> {
        let mut position = self.start()?;
        let mut turns: Vec<TurnRecord> = Vec::new();
        let mut complete = true;
        for (number, node) in self.tree.main_line().skip(1).enumerate() {
            let player = position.to_move();
            let Some(cell) = self.tree.stone(node) else { continue };
            position
                .play(cell)
                .map_err(|reason| ReplayError::Illegal { number: number + 1, reason })?;
            if number < self.opening {
                continue;
            }
            let thought = self.tree.thought(node).copied().unwrap_or_default();
            match turns.last_mut().filter(|_| !complete) {
                Some(turn) => {
                    turn.stones.push(cell);
                    turn.thought = thought;
                }
                None => turns.push(TurnRecord { player, stones: vec![cell], thought }),
            }
            complete = position.to_move() != player;
        }
        if let Some(thought) = self.unanswered {
            turns.push(TurnRecord { player: position.to_move(), stones: Vec::new(), thought });
        }
        Ok(turns)
    }

    /// Whether every line replays, variations included.
    pub fn check(&self) -> Result<(), ReplayError> {
        let mut position = self.start()?;
        let mut open = vec![(NodeId::ROOT, self.tree.first_child(NodeId::ROOT))];
        let mut depth = 0;
        while let Some((node, next)) = open.pop() {
            match next {
                Some(child) => {
                    if let Some(cell) = self.tree.stone(child) {
                        let number = depth + 1;
                        position
                            .play(cell)
                            .map_err(|reason| ReplayError::Illegal { number, reason })?;
                    }
                    depth += 1;
                    open.push((node, self.tree.next_sibling(child)));
                    open.push((child, self.tree.first_child(child)));
                }
                None if node != NodeId::ROOT => {
                    position.undo();
                    depth -= 1;
                }
                None => {}
            }
        }
        let stones = self.tree.main_line().count() - 1;
        if self.opening > stones {
            return Err(ReplayError::Opening { opening: self.opening, stones });
        }
        Ok(())
    }

    /// The time a player thought in all, as far as it was noted.
    pub fn time_of(&self, player: Player) -> Duration {
        let turns = self.turns().unwrap_or_default();
        turns.iter().filter(|turn| turn.player == player).filter_map(|turn| turn.thought.time).sum()
    }
}

/// The stones that stand on a board before anything was played, if that is not the usual start.
pub(crate) fn setup_of(before: &Position) -> Option<Setup> {
    let [black, white] = Player::BOTH.map(|player| before.stones(player).collect::<Vec<Cell>>());
    let fresh = Position::with_geometry(before.geometry().clone());
    let to_move = (before.to_move(), before.stones_left());
    let usual = (fresh.to_move(), fresh.stones_left());
    (before.stone_count() > 0 || to_move != usual).then_some(Setup {
        black,
        white,
        to_move: Some(to_move),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reason;

    #[test]
    fn turns_follow_from_the_stones() {
        let moves: Vec<Cell> = (0..6).map(Cell::new).collect();
        let mut record = GameRecord::from_moves(Rules::CONNECT6, &moves).expect("legal");
        record.opening = 2;
        let third = record.tree.main_line().nth(3).expect("a node");
        let time = Duration::from_millis(7);
        record.tree.notes_mut(third).expect("a node").thought = Thought::timed(time);
        record.unanswered = Some(Thought::timed(time));
        let turns = record.turns().expect("legal");
        let stones: Vec<usize> = turns.iter().map(|turn| turn.stones.len()).collect();
        assert_eq!(stones, [1, 2, 1, 0]);
        assert_eq!(turns[0].player, Player::White);
        assert_eq!(record.time_of(Player::White), 2 * time);
    }

    #[test]
    fn an_unstated_end_follows_from_the_stones() {
        let moves = [0, 3, 1, 4, 2].map(Cell::new);
        let mut record = GameRecord::from_moves(Rules::TICTACTOE, &moves).expect("legal");
        record.end = None;
        assert_eq!(record.outcome(), Some(End::won(Player::Black, Reason::Row)));
        assert!(GameRecord::from_moves(Rules::TICTACTOE, &[Cell::new(9)]).is_err());
    }

    #[test]
    fn an_illegal_variation_is_found() {
        let moves: Vec<Cell> = (0..3).map(Cell::new).collect();
        let mut record = GameRecord::from_moves(Rules::CONNECT6, &moves).expect("legal");
        assert_eq!(record.check(), Ok(()));
        let first = record.tree.main_line().nth(1).expect("a node");
        record.tree.add(first, Cell::new(9)).expect("room");
        assert_eq!(record.check(), Ok(()));
        record.tree.add(first, Cell::new(0)).expect("room");
        assert!(matches!(record.check(), Err(ReplayError::Illegal { number: 2, .. })));
        record.tree.remove(record.tree.tip(NodeId::ROOT));
        record.opening = 9;
        assert!(record.check().is_err());
    }

    #[test]
    fn a_record_comes_back_from_json() {
        let mut record = GameRecord::from_moves(Rules::CONNECT4, &[Cell::new(3)]).expect("legal");
        record.end = Some(End::won(Player::Black, Reason::Resignation).with_detail("tired"));
        record.players[0] = Some("Ada".into());
        record.setup = Some(Setup { black: vec![], white: vec![Cell::new(0)], to_move: None });
        let text = serde_json::to_string(&record).expect("a text");
        assert_eq!(serde_json::from_str::<GameRecord>(&text).expect("a record"), record);
        assert!(text.contains(r#""reason":"resignation""#), "{text}");
    }
}
