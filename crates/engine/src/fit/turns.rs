//! Games in whole turns, as weights are fitted to them: what was played, and how likely a win was, turn by turn.

use collinear_rules::{Cell, Player, Position, Rules};

use super::games::{GameFile, SearchedGame, StoneThought};

/// A game with what the search thought of each turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedGame {
    /// Stones in order, the opening first.
    pub stones: Vec<Cell>,
    /// Stones of the opening: nobody searched for them.
    pub opening: usize,
    /// Who won, or was proved to.
    pub winner: Option<Player>,
    /// The score of each searched turn for its mover, in 1/256 of a logit; [`FittedGame::PROVED`] for a win.
    pub scores: Vec<i16>,
}

/// A turn of such a game, as the fit sees it.
#[derive(Clone, Copy, Debug)]
pub struct SearchedTurn {
    /// Stones on the board before it.
    pub start: usize,
    /// The score.
    pub score: i16,
}

impl FittedGame {
    /// The score of a proved win.
    pub const PROVED: i16 = 32_000;

    /// The searched turns in order.
    pub fn turns<'a>(&'a self, rules: &'a Rules) -> impl Iterator<Item = SearchedTurn> + 'a {
        let p = rules.p();
        let starts = (0..self.scores.len()).map(move |turn| self.opening + turn * p);
        starts.zip(&self.scores).map(|(start, &score)| SearchedTurn { start, score })
    }

    /// A turn that the opening began belongs to it.
    fn new(rules: &Rules, game: &SearchedGame) -> Self {
        let mut position = Position::new(*rules);
        let mut opening = game.opening;
        let mut scores = Vec::new();
        for (at, &cell) in game.stones.iter().enumerate() {
            let is_start = position.stones_left() == rules.p();
            if at >= opening && is_start {
                let thought = at.checked_sub(game.opening).and_then(|at| game.thoughts.get(at));
                scores.extend(thought.map(score));
            } else if at == opening && scores.is_empty() {
                opening += 1;
            }
            // The reader replayed every game.
            let _ = position.play(cell);
        }
        Self { stones: game.stones.clone(), opening, winner: game.winner, scores }
    }
}

fn score(thought: &StoneThought) -> i16 {
    if thought.value.unsigned_abs() >= i16::MAX as u16 {
        return thought.value.signum() * FittedGame::PROVED;
    }
    let value = f64::from(thought.value) / f64::from(i16::MAX);
    (((1.0 + value) / (1.0 - value)).ln() * crate::Weights::LOGIT) as i16
}

/// Games of one set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FittedGames {
    /// The rules.
    pub rules: Rules,
    /// The games.
    pub games: Vec<FittedGame>,
}

impl From<&GameFile> for FittedGames {
    fn from(file: &GameFile) -> Self {
        let games = file.games.iter().map(|game| FittedGame::new(&file.rules, game)).collect();
        Self { rules: file.rules, games }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_fitted_to_whole_turns() {
        let rules = Rules::CONNECT6;
        let look = |value| StoneThought { value, teaches: true, looks: Vec::new() };
        let stones: Vec<_> = [180, 181, 200, 201, 160, 161].map(Cell::new).to_vec();
        let fitted = |opening: usize, values: &[i16]| {
            let thoughts = values.iter().map(|&value| look(value)).collect();
            let winner = Some(Player::Black);
            let game =
                SearchedGame { number: 0, stones: stones.clone(), opening, winner, thoughts };
            FittedGame::new(&rules, &game)
        };
        // Turns begin with stones 1, 3 and 5; a chance of 0.75 is a logit of 1.0986.
        let half = i16::MAX / 2;
        let game = fitted(1, &[half, 9, -half, 9, i16::MAX]);
        assert_eq!((game.opening, game.scores), (1, vec![281, -281, FittedGame::PROVED]));
        let game = fitted(2, &[9, 0, 9, -i16::MAX]);
        assert_eq!((game.opening, game.scores), (3, vec![0, -FittedGame::PROVED]));
        assert_eq!((game.stones, game.winner), (stones.clone(), Some(Player::Black)));
    }
}
