//! The referee of one game: asks both agents in turn until the game has an end. Whatever an agent
//! does, there is one: what a fault is, [`ask`](crate::ask()) decides.

use collinear_rules::{Player, Position};

use crate::{Agent, End, Game, Reason, Report, Side, StopFlag, TurnRecord, Watchdog, guard};

/// When games end early, and who can call them off. Keep one for many games: its watchdog has a
/// thread where turns are timed.
#[derive(Debug, Default)]
pub struct Referee {
    /// A game is drawn when this many stones are on the board.
    pub max_stones: Option<usize>,
    /// Whether a game in which no row is possible any more ends at once.
    pub stop_dead_draws: bool,
    /// Calls the game off, also in the middle of a turn.
    pub stop: StopFlag,
    /// Tells agents when their time is over.
    pub watchdog: Watchdog,
}

/// What happens while a game is played.
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The player to move thinks aloud.
    Thinking(Player, &'a Report),
    /// A turn was played; the position is the one after it.
    Played(&'a TurnRecord, &'a Position),
    /// A step of an opening was done. With the last one the players have their colours; the
    /// referee was given the opener first.
    Opening(&'a Game),
}

impl Referee {
    /// Plays a game to its end. `on` hears everything and may decide the game after any turn (what
    /// it returns while an agent thinks is ignored).
    ///
    /// An agent that lost by a fault may be left in any state: throw it away.
    pub fn play(
        &mut self,
        game: &mut Game,
        agents: [&mut dyn Agent; 2],
        on: &mut dyn FnMut(Event<'_>) -> Option<End>,
    ) -> End {
        let end = self.play_on(game, agents, on);
        // A game that ended on the board says so itself.
        let _ = game.adjudicate(end.clone());
        end
    }

    fn play_on(
        &mut self,
        game: &mut Game,
        mut agents: [&mut dyn Agent; 2],
        on: &mut dyn FnMut(Event<'_>) -> Option<End>,
    ) -> End {
        for player in Player::BOTH {
            if let Err(fault) = guard(|| agents[player.index()].new_game()) {
                return End::lost_by(player, &fault);
            }
        }
        loop {
            if let Some(end) = self.natural_end(game) {
                return end;
            }
            if let Some(step) = game.step() {
                let seat = step.side().seat();
                let agent = &mut *agents[seat.index()];
                let done = game.ask_step(agent, self.stop.child(), &mut |report| {
                    on(Event::Thinking(seat, report));
                });
                if self.stop.is_stopped() {
                    return End::called_off();
                }
                if let Err(fault) = done {
                    return End::lost_by(seat, &fault);
                }
                if game.black() == Some(Side::Chooser) {
                    agents.swap(0, 1);
                }
                if let Some(end) = on(Event::Opening(game)) {
                    return end;
                }
                continue;
            }
            let player = game.position().to_move();
            let agent = &mut *agents[player.index()];
            let played = game.ask(agent, &mut self.watchdog, self.stop.child(), &mut |report| {
                on(Event::Thinking(player, report));
            });
            match played {
                _ if self.stop.is_stopped() => return End::called_off(),
                Err(fault) => return End::lost_by(player, &fault),
                Ok(turn) => {
                    if let Some(end) = on(Event::Played(&turn, game.position())) {
                        return end;
                    }
                }
            }
        }
    }

    fn natural_end(&self, game: &Game) -> Option<End> {
        let position = game.position();
        if let Some(end) = game.end() {
            return Some(end);
        }
        if self.stop_dead_draws && position.is_dead_draw() {
            return Some(End::drawn(Reason::DeadDraw));
        }
        if self.max_stones.is_some_and(|most| position.stone_count() >= most) {
            return Some(End::drawn(Reason::MoveLimit));
        }
        self.stop.is_stopped().then(End::called_off)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use collinear_rules::{Cell, Rules};

    use super::*;
    use crate::testing::{Script, Scripted, lowest, until_stopped};
    use crate::{AgentError, Clock, GameRecord, TimeControl};

    fn small() -> Game {
        Game::new("7x3,k=6,p=2,q=1".parse().expect("rules"))
    }

    fn play(white: Script, mut game: Game, referee: &mut Referee) -> GameRecord {
        let (mut a, mut b) = (Scripted(lowest), Scripted(white));
        let end = referee.play(&mut game, [&mut a, &mut b], &mut |_| None);
        let record = game.into_record();
        assert_eq!(record.end, Some(end));
        record
    }

    fn reason(record: &GameRecord) -> Reason {
        record.end.as_ref().expect("an end").reason
    }

    #[test]
    fn a_game_is_recorded_whole() {
        let record = play(lowest, small(), &mut Referee::default());
        assert_eq!(record.end, Some(End::drawn(Reason::FullBoard)));
        assert_eq!(record.moves().len(), 21);
        let turns = record.turns().expect("legal");
        assert_eq!(turns.len(), 11);
        assert!(turns.iter().all(|turn| turn.thought.nodes == Some(7)));
    }

    #[test]
    fn faults_lose_and_say_why() {
        let cases: [(Script, Reason, &str); 5] = [
            (|_, _| panic!("out of ideas"), Reason::Crash, "out of ideas"),
            (|_, _| Ok(vec![]), Reason::IllegalTurn, "only 0 were named"),
            (|p, _| Ok(vec![p.history()[0]; 2]), Reason::IllegalTurn, "a1: the cell is occupied"),
            (|_, _| Ok(vec![Cell::new(999); 2]), Reason::IllegalTurn, "outside the board"),
            (|_, _| Err(AgentError::Engine("pipe broke".into())), Reason::AgentError, "pipe broke"),
        ];
        for (white, expected, words) in cases {
            let record = play(white, small(), &mut Referee::default());
            assert_eq!(record.winner(), Some(Player::Black));
            let end = record.end.clone().expect("an end");
            assert_eq!(end.reason, expected);
            assert!(end.is_fault() && end.to_string().contains(words), "{end}");
            assert_eq!(record.turns().expect("legal").len(), 2);
        }
    }

    #[test]
    fn lateness_forfeits_and_the_grace_is_kept() {
        let tight = TimeControl {
            grace: Duration::from_secs(3600),
            ..TimeControl::turn(Duration::from_millis(5))
        };
        let timed = |control| small().with_controls([TimeControl::default(), control]);
        let mut short = Referee { max_stones: Some(6), ..Referee::default() };
        assert_eq!(reason(&play(until_stopped, timed(tight), &mut short)), Reason::MoveLimit);
        let strict = timed(TimeControl { grace: Duration::ZERO, ..tight });
        let record = play(until_stopped, strict, &mut Referee::default());
        assert_eq!(reason(&record), Reason::TimeForfeit);
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let clock = Clock { left: Duration::from_millis(30), increment: Duration::from_millis(7) };
        let control = TimeControl {
            clock: Some(clock),
            grace: Duration::from_secs(3600),
            ..TimeControl::default()
        };
        let game = small().with_controls([TimeControl::default(), control]);
        let mut short = Referee { max_stones: Some(6), ..Referee::default() };
        let record = play(until_stopped, game, &mut short);
        // The whole clock was used, so only the increment is left each time.
        let turns = record.turns().expect("legal");
        let left: Vec<_> = turns.iter().filter_map(|turn| turn.thought.clock).collect();
        assert_eq!(left, [clock.increment; 2]);
    }

    #[test]
    fn games_can_be_called_off_and_adjudicated() {
        let mut stopped = Referee::default();
        stopped.stop.stop();
        assert_eq!(play(lowest, small(), &mut stopped).end, Some(End::called_off()));

        let (mut a, mut b, mut game) = (Scripted(lowest), Scripted(lowest), small());
        let agreed = End::drawn(Reason::Agreement);
        let agents: [&mut dyn Agent; 2] = [&mut a, &mut b];
        let end = Referee::default().play(&mut game, agents, &mut |event| match event {
            Event::Played(turn, _) if turn.player == Player::White => Some(agreed.clone()),
            _ => None,
        });
        assert_eq!((end, game.end()), (agreed.clone(), Some(agreed)));
        assert_eq!(game.record().turns().expect("legal").len(), 2);
    }

    #[test]
    fn openings_and_dead_draws() {
        // X O X / X O O / O X .  : nothing is open any more.
        let moves = [0, 1, 2, 4, 3, 5, 7, 6].map(Cell::new);
        let start = Position::from_moves(Rules::TICTACTOE, &moves).expect("legal");
        let mut strict = Referee { stop_dead_draws: true, ..Referee::default() };
        let record = play(lowest, Game::from_position(start), &mut strict);
        assert_eq!(reason(&record), Reason::DeadDraw);
        assert_eq!((record.moves(), record.opening), (moves.to_vec(), 8));
        assert!(record.turns().expect("legal").is_empty());
    }
}
