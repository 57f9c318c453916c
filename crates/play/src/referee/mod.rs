//! The referee of one game: asks both agents in turn, checks what they answer, keeps their clocks
//! and writes everything down. Whatever an agent does, the game ends with a record.
//!
//! An agent runs in this process and cannot be killed. At the end of its time a watchdog sets the
//! turn's stop flag; an answer that comes after the grace forfeits the game.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use collinear_rules::{Outcome, Player, Position};

mod record;

use crate::{Agent, AgentError, Report, StopFlag, TimeControl, Turn, play_turn};
pub use record::{Ending, GameRecord, GameResult, TurnRecord};

/// A player at the board.
pub struct Seat<'a> {
    /// Who plays.
    pub agent: &'a mut dyn Agent,
    /// What it may spend.
    pub control: TimeControl,
}

/// A decision from outside: the result and the reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The result.
    pub result: GameResult,
    /// Why, for the record.
    pub reason: String,
}

/// What is to be played, apart from the players.
#[derive(Clone, Debug)]
pub struct Game {
    /// Where the game starts.
    pub start: Position,
    /// The game is drawn when so many stones are on the board.
    pub max_stones: Option<usize>,
    /// Whether a game in which no row is possible any more ends at once.
    pub stop_dead_draws: bool,
    /// Calls the game off, also in the middle of a turn.
    pub stop: StopFlag,
}

impl Game {
    /// A game from this position to its natural end.
    pub fn from(start: Position) -> Self {
        Self { start, max_stones: None, stop_dead_draws: false, stop: StopFlag::default() }
    }
}

/// What happens while a game is played.
#[derive(Debug)]
pub enum Event<'a> {
    /// The player to move thinks aloud.
    Thinking(Player, &'a Report),
    /// A turn was played; the position is the one after it.
    Played(&'a TurnRecord, &'a Position),
}

/// Plays one game. `on` hears everything and may decide the game after any turn (what it returns
/// while an agent thinks is ignored).
///
/// An agent that panicked may be left in any state: throw it away.
pub fn play_game(
    game: &Game,
    seats: [Seat<'_>; 2],
    on: &mut dyn FnMut(Event<'_>) -> Option<Verdict>,
) -> GameRecord {
    let timed =
        seats.iter().any(|seat| seat.control.turn.is_some() || seat.control.clock.is_some());
    let clocks = [&seats[0], &seats[1]].map(|seat| seat.control.clock.map(|clock| clock.left));
    let mut table = Table { game, seats, clocks, position: game.start.clone(), turns: Vec::new() };
    let (result, ending) = thread::scope(|scope| {
        let (alarms, inbox) = mpsc::channel();
        if timed {
            scope.spawn(move || watch(&inbox));
        }
        // Dropping `alarms` at the end of this closure sends the watchdog home.
        table.play(timed.then_some(&alarms), on)
    });
    let Table { position, turns, .. } = table;
    GameRecord { start: game.start.clone(), turns, result, ending, last: position }
}

/// What the watchdog is told: a turn began, or it is over.
enum Alarm {
    Set(Instant, StopFlag),
    Clear,
}

/// Sets the stop flag of a turn that runs out of time.
fn watch(inbox: &Receiver<Alarm>) {
    let mut set: Option<(Instant, StopFlag)> = None;
    loop {
        let message = match &set {
            None => inbox.recv().map_err(|_| RecvTimeoutError::Disconnected),
            Some((deadline, _)) => {
                inbox.recv_timeout(deadline.saturating_duration_since(Instant::now()))
            }
        };
        match message {
            Ok(Alarm::Set(deadline, flag)) => set = Some((deadline, flag)),
            Ok(Alarm::Clear) => set = None,
            Err(RecvTimeoutError::Timeout) => {
                if let Some((_, flag)) = set.take() {
                    flag.stop();
                }
            }
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

struct Table<'g, 's> {
    game: &'g Game,
    seats: [Seat<'s>; 2],
    clocks: [Option<Duration>; 2],
    position: Position,
    turns: Vec<TurnRecord>,
}

type Over = (GameResult, Ending);

impl Table<'_, '_> {
    fn play(
        &mut self,
        alarms: Option<&Sender<Alarm>>,
        on: &mut dyn FnMut(Event<'_>) -> Option<Verdict>,
    ) -> Over {
        for player in Player::BOTH {
            let agent = &mut *self.seats[player.index()].agent;
            if let Err(words) = guarded(|| agent.new_game()) {
                return lost(player, Ending::Crash(words));
            }
        }
        loop {
            if let Some(over) = self.natural_end() {
                return over;
            }
            if let Some(over) = self.turn(alarms, on) {
                return over;
            }
        }
    }

    fn natural_end(&self) -> Option<Over> {
        match self.position.outcome() {
            Outcome::Won(player) => return Some((GameResult::Won(player), Ending::Row)),
            Outcome::Drawn => return Some((GameResult::Drawn, Ending::FullBoard)),
            Outcome::Ongoing => {}
        }
        if self.game.stop_dead_draws && self.position.is_dead_draw() {
            return Some((GameResult::Drawn, Ending::DeadDraw));
        }
        if self.game.max_stones.is_some_and(|most| self.position.stone_count() >= most) {
            return Some((GameResult::Drawn, Ending::MoveLimit));
        }
        self.game.stop.is_stopped().then_some((GameResult::Unfinished, Ending::CalledOff))
    }

    fn turn(
        &mut self,
        alarms: Option<&Sender<Alarm>>,
        on: &mut dyn FnMut(Event<'_>) -> Option<Verdict>,
    ) -> Option<Over> {
        let player = self.position.to_move();
        let Seat { agent, control } = &mut self.seats[player.index()];
        let left = self.clocks[player.index()];
        let stop = self.game.stop.child();
        let budget = control.budget(left, stop.clone());
        let limit = match (control.turn, left) {
            (Some(turn), Some(left)) => Some(turn.min(left)),
            (turn, left) => turn.or(left),
        };
        let started = Instant::now();
        if let (Some(alarms), Some(limit)) = (alarms, limit)
            && let Some(deadline) = started.checked_add(limit)
        {
            // The watchdog lives until `alarms` is dropped, so sending cannot fail.
            let _ = alarms.send(Alarm::Set(deadline, stop));
        }
        let mut report = None;
        let answer: Result<Result<Turn, AgentError>, String> = guarded(|| {
            agent.choose(&self.position, &budget, &mut |latest| {
                on(Event::Thinking(player, latest));
                report = Some(latest.clone());
            })
        });
        let time = started.elapsed();
        if let Some(alarms) = alarms {
            let _ = alarms.send(Alarm::Clear);
        }
        let clock = control
            .clock
            .zip(left)
            .map(|(clock, left)| left.saturating_sub(time) + clock.increment);
        self.clocks[player.index()] = clock;
        let record = |stones| TurnRecord { player, stones, time, clock, report };

        let late = limit.and_then(|limit| time.checked_sub(limit));
        let ending = match answer {
            _ if self.game.stop.is_stopped() => {
                return Some((GameResult::Unfinished, Ending::CalledOff));
            }
            Err(words) => Ending::Crash(words),
            Ok(Err(error)) => Ending::AgentError(error),
            Ok(Ok(_)) if late.is_some_and(|over| over > control.grace) => {
                Ending::TimeForfeit { over: late.unwrap_or_default() }
            }
            Ok(Ok(stones)) => match play_turn(&mut self.position, &stones) {
                Err(reason) => Ending::IllegalTurn(reason),
                Ok(()) => return self.played(record(stones), on),
            },
        };
        self.turns.push(record(Vec::new()));
        Some(lost(player, ending))
    }

    fn played(
        &mut self,
        turn: TurnRecord,
        on: &mut dyn FnMut(Event<'_>) -> Option<Verdict>,
    ) -> Option<Over> {
        let verdict = on(Event::Played(&turn, &self.position));
        self.turns.push(turn);
        verdict.map(|Verdict { result, reason }| (result, Ending::Adjudicated(reason)))
    }
}

fn lost(player: Player, ending: Ending) -> Over {
    (GameResult::Won(player.opponent()), ending)
}

/// Runs an agent's code; a panic becomes its message.
fn guarded<T>(run: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|payload| {
        payload
            .downcast_ref::<String>()
            .cloned()
            .or_else(|| payload.downcast_ref::<&str>().map(ToString::to_string))
            .unwrap_or_else(|| "the agent panicked without a word".to_owned())
    })
}

#[cfg(test)]
mod tests {
    use collinear_rules::{Cell, Rules};

    use super::*;
    use crate::{Budget, Clock};

    type Script = fn(&Position, &Budget) -> Result<Turn, AgentError>;

    struct Scripted(Script);

    impl Agent for Scripted {
        fn choose(
            &mut self,
            position: &Position,
            budget: &Budget,
            on: &mut dyn FnMut(&Report),
        ) -> Result<Turn, AgentError> {
            on(&Report { nodes: 7, ..Report::default() });
            (self.0)(position, budget)
        }
    }

    fn lowest(position: &Position, _: &Budget) -> Result<Turn, AgentError> {
        let turn: Turn = position.legal_cells().into_iter().take(position.stones_left()).collect();
        if turn.is_empty() { Err(AgentError::GameOver) } else { Ok(turn) }
    }

    fn until_stopped(position: &Position, budget: &Budget) -> Result<Turn, AgentError> {
        while !budget.stop.is_stopped() {
            thread::yield_now();
        }
        lowest(position, budget)
    }

    fn game(white: Script, control: TimeControl, game: &Game) -> GameRecord {
        let (mut a, mut b) = (Scripted(lowest), Scripted(white));
        let seats = [
            Seat { agent: &mut a, control: TimeControl::default() },
            Seat { agent: &mut b, control },
        ];
        play_game(game, seats, &mut |_| None)
    }

    fn small() -> Game {
        Game::from(Position::new("7x3,k=6,p=2,q=1".parse().expect("rules")))
    }

    #[test]
    fn a_game_is_recorded_whole() {
        let record = game(lowest, TimeControl::default(), &small());
        assert_eq!((record.result, &record.ending), (GameResult::Drawn, &Ending::FullBoard));
        assert_eq!(record.moves().len(), 21);
        assert_eq!(record.turns.len(), 11);
        assert!(record.turns.iter().all(|t| t.report.as_ref().is_some_and(|r| r.nodes == 7)));
    }

    #[test]
    fn faults_lose_and_say_why() {
        let cases: [(Script, &str); 5] = [
            (|_, _| panic!("out of ideas"), "crash: out of ideas"),
            (|_, _| Ok(vec![]), "only 0 were named"),
            (|p, _| Ok(vec![p.history()[0]; 2]), "a1: the cell is occupied"),
            (|_, _| Ok(vec![Cell::new(999), Cell::new(0)]), "outside the board"),
            (|_, _| Err(AgentError::Engine("pipe broke".into())), "no turn: pipe broke"),
        ];
        for (white, words) in cases {
            let record = game(white, TimeControl::default(), &small());
            assert_eq!(record.result, GameResult::Won(Player::Black));
            assert!(record.ending.is_fault());
            assert!(record.ending.to_string().contains(words), "{}", record.ending);
            assert_eq!(record.turns.len(), 2);
        }
    }

    #[test]
    fn the_watchdog_ends_a_turn_and_lateness_forfeits() {
        let tight = TimeControl {
            grace: Duration::from_secs(3600),
            ..TimeControl::turn(Duration::from_millis(5))
        };
        let record = game(until_stopped, tight, &Game { max_stones: Some(6), ..small() });
        assert_eq!(record.ending, Ending::MoveLimit);
        let record = game(until_stopped, TimeControl { grace: Duration::ZERO, ..tight }, &small());
        assert!(matches!(record.ending, Ending::TimeForfeit { .. }), "{}", record.ending);
    }

    #[test]
    fn a_clock_runs_down_and_gains_its_increment() {
        let clock = Clock { left: Duration::from_millis(30), increment: Duration::from_millis(7) };
        let control = TimeControl {
            clock: Some(clock),
            grace: Duration::from_secs(3600),
            ..TimeControl::default()
        };
        let record = game(until_stopped, control, &Game { max_stones: Some(6), ..small() });
        // The whole clock was used, so only the increment is left each time.
        let left: Vec<_> = record.turns.iter().filter_map(|turn| turn.clock).collect();
        assert_eq!(left, [clock.increment; 2]);
    }

    #[test]
    fn games_can_be_called_off_and_adjudicated() {
        let stopped = small();
        stopped.stop.stop();
        assert_eq!(game(lowest, TimeControl::default(), &stopped).result, GameResult::Unfinished);

        let (mut a, mut b) = (Scripted(lowest), Scripted(lowest));
        let seats = [&mut a as &mut dyn Agent, &mut b]
            .map(|agent| Seat { agent, control: TimeControl::default() });
        let record = play_game(&small(), seats, &mut |event| match event {
            Event::Played(turn, _) if turn.player == Player::White => {
                Some(Verdict { result: GameResult::Drawn, reason: "agreed".into() })
            }
            _ => None,
        });
        assert_eq!(record.ending, Ending::Adjudicated("agreed".into()));
        assert_eq!(record.turns.len(), 2);
    }

    #[test]
    fn openings_and_dead_draws() {
        let rules = Rules::TICTACTOE;
        // X O X / X O O / O X .  : nothing is open any more.
        let moves = [0, 1, 2, 4, 3, 5, 7, 6].map(Cell::new);
        let start = Position::from_moves(rules, &moves).expect("legal");
        let record = game(
            lowest,
            TimeControl::default(),
            &Game { stop_dead_draws: true, ..Game::from(start) },
        );
        assert_eq!(record.ending, Ending::DeadDraw);
        assert_eq!(record.moves(), moves);
        assert!(record.turns.is_empty());
    }
}
