//! From a game the referee has seen to a record that can be written down.

use collinear_play::referee::Ending as PlayedEnding;
use collinear_rules::{Cell, Player, Position, Setup};

use super::record::{Ending, GameRecord, GameResult};
use super::tree::Tree;

impl From<&collinear_play::referee::GameRecord> for GameRecord {
    /// Stones, result and times (on the last stone of each turn). A game that did not end on the
    /// board says why in the metadata `ending`; the names are for the caller to add.
    fn from(played: &collinear_play::referee::GameRecord) -> Self {
        let mut record = Self::new(*played.rules());
        let mut before = played.last.clone();
        while before.undo().is_some() {}
        record.setup = setup(&before);
        let mut at = Tree::ROOT;
        let mut nodes = Vec::new();
        for &cell in played.moves() {
            at = record.tree.add(at, cell);
            nodes.push(at);
        }
        let mut stones = played.start.history().len();
        for turn in &played.turns {
            stones += turn.stones.len();
            let last = stones.checked_sub(1).and_then(|last| nodes.get(last));
            if let Some(&node) = last.filter(|_| !turn.stones.is_empty()) {
                let millis = u32::try_from(turn.time.as_millis()).unwrap_or(u32::MAX);
                record.tree.set_millis(node, Some(millis));
            }
        }
        record.result = match (played.result, &played.ending) {
            (collinear_play::referee::GameResult::Drawn, _) => GameResult::Drawn,
            (collinear_play::referee::GameResult::Unfinished, _) => GameResult::Void,
            (collinear_play::referee::GameResult::Won(player), ending) => {
                let how = match ending {
                    PlayedEnding::TimeForfeit { .. } => Ending::Time,
                    ending if ending.is_fault() => Ending::Forfeit,
                    _ => Ending::Plain,
                };
                GameResult::Won(player, how)
            }
        };
        if !matches!(played.ending, PlayedEnding::Row | PlayedEnding::FullBoard) {
            record.metadata.insert("ending".to_owned(), played.ending.to_string());
        }
        record
    }
}

fn setup(before: &Position) -> Option<Setup> {
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
    use collinear_play::referee::{Game, Seat, play_game};
    use collinear_play::{Agent, AgentError, Budget, Report, TimeControl, Turn};
    use collinear_rules::Rules;

    use super::*;

    /// Plays legal stones until so many are on the board, then gives up.
    struct Until(usize);

    impl Agent for Until {
        fn choose(
            &mut self,
            position: &Position,
            _: &Budget,
            _: &mut dyn FnMut(&Report),
        ) -> Result<Turn, AgentError> {
            if position.stone_count() >= self.0 {
                return Err(AgentError::Engine("enough".to_owned()));
            }
            Ok(position.legal_cells().into_iter().take(position.stones_left()).collect())
        }
    }

    #[test]
    fn a_played_game_becomes_a_record() {
        let setup = Setup {
            black: vec![Cell::new(100)],
            white: vec![Cell::new(200)],
            to_move: Some((Player::White, 1)),
        };
        let start = Position::from_setup(Rules::CONNECT6, &setup).expect("a position");
        let (mut black, mut white) = (Until(50), Until(8));
        let seats = [&mut black as &mut dyn Agent, &mut white]
            .map(|agent| Seat { agent, control: TimeControl::default() });
        let played = play_game(&Game::from(start), seats, &mut |_| None);
        let record = GameRecord::from(&played);
        assert_eq!(record.moves(), played.moves());
        assert_eq!(record.setup, Some(setup));
        assert_eq!(record.position().as_ref(), Ok(&played.last));
        assert_eq!(record.result, GameResult::Won(Player::Black, Ending::Forfeit));
        assert_eq!(record.metadata["ending"], "no turn: enough");
        let timed = record.tree.main_line().filter(|&n| record.tree.millis(n).is_some()).count();
        assert_eq!(timed, played.turns.len() - 1);
    }
}
