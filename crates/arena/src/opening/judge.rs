//! Whether an opening gives both sides the same chances, found out by playing.
//!
//! Most random openings are won for one colour, whoever plays, and a short look at the board does
//! not see it. So a candidate is played out, by two copies of an agent that is stronger than the
//! players will be, in pairs of games; each copy thinks a little more or less than the other, so
//! that no two games are the same. Even openings make long games: one that has filled a third of the
//! board counts as drawn. A candidate is kept when after every pair no colour has won more often than
//! the other by more than the games drawn. Of openings that one colour wins nine times in ten, 18 %
//! survive a pair and 3 % two; of even ones 50 % and 25 %, and more where games are drawn.

use collinear_play::{BuildError, Fault, Game, StopFlag, TimeControl, Value, Watchdog};
use collinear_rules::{Player, Position};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::plan::Contestant;
use crate::seed::{Purpose, derive};

/// Plays candidates out.
#[derive(Clone, Debug)]
pub struct Judge {
    /// Who plays both sides.
    pub player: Contestant,
    /// The most games of a candidate; an odd number is rounded up.
    pub games: u32,
}

/// How the games of a candidate went.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ColourTally {
    /// Won by Black.
    pub black: u32,
    /// Won by White.
    pub white: u32,
    /// Won by nobody.
    pub drawn: u32,
}

impl ColourTally {
    /// Whether no colour has won more often than the other by more than the games drawn.
    pub const fn is_even(self) -> bool {
        self.black.abs_diff(self.white) <= self.drawn
    }
}

/// Why a candidate could not be judged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum JudgeError {
    /// The agent could not be made.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// The agent failed in a game.
    #[error("the judge failed: {0}")]
    Fault(#[from] Fault),
}

/// How much more or less than its limit a copy thinks, in percent.
const VARIATION: u64 = 30;
/// A game counts as drawn when the stones fill one in this many cells, and are at least this many.
const DRAWN_AT: (usize, usize) = (3, 40);

impl Judge {
    /// Plays a candidate out until a pair of games is uneven or all are played; none when it was
    /// stopped before. The same seed plays the same games where no clock is involved.
    pub fn play_out(
        &self,
        start: &Position,
        seed: u64,
        stop: &StopFlag,
    ) -> Result<Option<ColourTally>, JudgeError> {
        let mut tally = ColourTally::default();
        for pair in 0..self.games.div_ceil(2) {
            for game in [2 * pair, 2 * pair + 1] {
                match self.game(start, seed, game, stop)? {
                    _ if stop.is_stopped() => return Ok(None),
                    Some(Player::Black) => tally.black += 1,
                    Some(Player::White) => tally.white += 1,
                    None => tally.drawn += 1,
                }
            }
            if !tally.is_even() {
                break;
            }
        }
        Ok(Some(tally))
    }

    /// Plays one game; who has won, or has proved that it will.
    fn game(
        &self,
        start: &Position,
        seed: u64,
        number: u32,
        stop: &StopFlag,
    ) -> Result<Option<Player>, JudgeError> {
        let seeds = [Purpose::Black, Purpose::White].map(|p| derive(seed, number.into(), p));
        let build = |seed| self.player.agent.build(start.rules(), seed);
        let mut agents = [build(seeds[0])?, build(seeds[1])?];
        let controls = seeds.map(|seed| varied(&self.player.control, seed));
        let mut game = Game::from_position(start.clone()).with_controls(controls);
        let mut watchdog = Watchdog::default();
        for agent in &mut agents {
            agent.new_game();
        }
        let most = (start.rules().cells() / DRAWN_AT.0).max(DRAWN_AT.1);
        while !game.is_over() && !game.position().is_dead_draw() && !stop.is_stopped() {
            if game.position().stone_count() > most.max(start.stone_count()) {
                return Ok(None);
            }
            let player = game.position().to_move();
            let agent = &mut *agents[player.index()];
            let mut value = None;
            game.ask(agent, &mut watchdog, stop.child(), &mut |report| {
                value = report.lines.first().map(|line| line.value);
            })?;
            match value {
                Some(Value::WinsIn(_)) => return Ok(Some(player)),
                Some(Value::LosesIn(_)) => return Ok(Some(player.opponent())),
                _ => {}
            }
        }
        Ok(game.end().and_then(|end| end.winner))
    }
}

/// The limits of one copy in one game.
fn varied(control: &TimeControl, seed: u64) -> TimeControl {
    let percent =
        Xoshiro256PlusPlus::seed_from_u64(seed).random_range(100 - VARIATION..=100 + VARIATION);
    TimeControl {
        nodes: control.nodes.map(|nodes| (nodes.saturating_mul(percent) / 100).max(1)),
        turn: control.turn.map(|turn| turn * percent as u32 / 100),
        ..*control
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::Rules;

    use super::*;
    use crate::testing::contestant;

    fn judge(games: u32) -> Judge {
        Judge { player: contestant("dice", TimeControl::default()), games }
    }

    #[test]
    fn the_same_seed_plays_the_same_games() {
        let start = Position::new(Rules::TICTACTOE);
        let go = StopFlag::default();
        let tally = |seed| judge(4).play_out(&start, seed, &go).expect("played").expect("whole");
        let tallies: Vec<ColourTally> = (0..40).map(tally).collect();
        assert_eq!(tallies, (0..40).map(tally).collect::<Vec<_>>());
        for tally in &tallies {
            let games = tally.black + tally.white + tally.drawn;
            // Uneven ones end at once, even ones are played to the last game.
            assert!(games == 2 && !tally.is_even() || games == 4, "{tally:?}");
        }
        assert!(tallies.iter().any(|tally| tally.is_even()));
        assert!(tallies.iter().any(|tally| !tally.is_even()));
    }

    #[test]
    fn a_stopped_candidate_has_no_tally() {
        let stop = StopFlag::default();
        stop.stop();
        let start = Position::new(Rules::TICTACTOE);
        assert_eq!(judge(4).play_out(&start, 1, &stop), Ok(None));
    }

    #[test]
    fn faults_of_the_judge_are_errors() {
        let judge =
            Judge { player: contestant("dice:trouble=occupied", TimeControl::default()), games: 2 };
        let start = Position::new(Rules::TICTACTOE);
        let failed = (0..20).map(|seed| judge.play_out(&start, seed, &StopFlag::default()));
        assert!(failed.into_iter().any(|result| matches!(result, Err(JudgeError::Fault(_)))));
    }

    #[test]
    fn copies_think_differently_within_bounds() {
        let control = TimeControl { nodes: Some(1000), ..TimeControl::default() };
        let nodes: Vec<u64> = (0..50).filter_map(|seed| varied(&control, seed).nodes).collect();
        assert!(nodes.iter().all(|n| (700..=1300).contains(n)));
        assert!(nodes.iter().any(|n| *n < 900) && nodes.iter().any(|n| *n > 1100));
    }
}
