//! What every agent must do, whatever it thinks: the suite that runs over each registered agent on
//! each game it plays.
//!
//! Positions come from seeded random play that avoids rows and, nearly full ones, from a pattern
//! without rows; wins to be taken are built by laying out a window that lacks a few stones.

use std::fmt;
use std::thread;
use std::time::Duration;

use collinear_rules::{Cell, Outcome, Player, Position, Rules, Setup, WindowId};
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Agent, AgentChoice, Budget, Game, Referee, Report, TimeControl, Turn, play_turn};

/// Boards that between them have one, two and three stones per turn, gravity, exact rows, one cell,
/// one line, a rectangle and the largest size.
pub const GAMES: [&str; 14] = [
    "connect6",
    "gomoku",
    "connect4",
    "tictactoe",
    "9x9,k=5,p=2,q=1",
    "13x8,k=4,p=3,q=2",
    "gomoku-standard",
    "6x5,k=4,p=2,q=1,gravity",
    "1x1,k=1",
    "9x1,k=4,p=3,q=1",
    "2x7,k=5,p=2,q=2",
    "64x64,k=6,p=2,q=1",
    "renju",
    "9x8,k=5,renju=loses",
];

/// How much is tried.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Seed for all random choices.
    pub seed: u64,
    /// Nodes per turn.
    pub nodes: u64,
    /// Winning turns to find, for agents that promise to.
    pub wins: usize,
    /// Stones of the game the agent plays against itself.
    pub game_stones: usize,
}

/// By how many nodes an agent may overrun: clocks are not asked at every node.
pub const NODE_SLACK: u64 = 2048;

/// Something an agent did wrong.
#[derive(Clone, Debug)]
pub struct Failure {
    /// The agent's spec string.
    pub agent: String,
    /// The game.
    pub rules: Rules,
    /// What was expected of it.
    pub expected: &'static str,
    /// What happened, with the position.
    pub happened: String,
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agent, rules, expected, happened } = self;
        write!(f, "{agent} on {rules}: expected {expected}\n{happened}")
    }
}

/// Runs the whole suite for one agent on one game it supports; empty means it conforms.
pub fn check(choice: &AgentChoice, rules: &Rules, effort: &Effort) -> Vec<Failure> {
    let mut exam = Exam { choice, rules: *rules, effort, failures: Vec::new() };
    exam.run();
    exam.failures
}

struct Exam<'a> {
    choice: &'a AgentChoice,
    rules: Rules,
    effort: &'a Effort,
    failures: Vec<Failure>,
}

impl Exam<'_> {
    fn run(&mut self) {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(self.effort.seed);
        let positions = positions(self.rules, &mut random);
        self.legal_and_repeatable(&positions);
        if let Some(position) = positions.get(positions.len() / 2) {
            self.budgets(position);
        }
        if self.choice.spec.takes_wins {
            self.takes_wins(&mut random);
        }
        self.plays_itself();
    }

    /// Legal turns everywhere; the same from an equal agent with the same seed.
    fn legal_and_repeatable(&mut self, positions: &[Position]) {
        let (Some(mut first), Some(mut second)) = (self.build(), self.build()) else { return };
        for position in positions {
            let budget = Budget::nodes(self.effort.nodes);
            let (turn, nodes) = self.ask(&mut *first, position, &budget);
            if nodes > self.effort.nodes + NODE_SLACK {
                let happened = format!("{nodes} nodes in\n{position:?}");
                self.fail("the node budget to be kept", happened);
            }
            let (again, _) = self.ask(&mut *second, position, &Budget::nodes(self.effort.nodes));
            if turn != again {
                let happened = format!("{turn:?}, then {again:?} in\n{position:?}");
                self.fail("the same turn for the same seed", happened);
            }
        }
    }

    /// An answer under every kind of budget: deaf agents hang here.
    fn budgets(&mut self, position: &Position) {
        let Some(mut agent) = self.build() else { return };
        self.ask(&mut *agent, position, &Budget::depth(1));
        self.ask(&mut *agent, position, &Budget::time(Duration::from_millis(1)));
        self.ask(&mut *agent, position, &Budget::nodes(1));
        let stopped = Budget::default();
        stopped.stop.stop();
        self.ask(&mut *agent, position, &stopped);
        let later = Budget::default();
        thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(10));
                later.stop.stop();
            });
            self.ask(&mut *agent, position, &later);
        });
    }

    fn takes_wins(&mut self, random: &mut impl Rng) {
        let Some(mut agent) = self.build() else { return };
        for position in winnable(self.rules, self.effort.wins, random) {
            let (Some(turn), _) =
                self.ask(&mut *agent, &position, &Budget::nodes(self.effort.nodes))
            else {
                continue;
            };
            let mut after = position.clone();
            if play_turn(&mut after, &turn).is_ok()
                && after.outcome() != Outcome::Won(position.to_move())
            {
                self.fail("the win to be taken", format!("{turn:?} in\n{position:?}"));
            }
        }
    }

    /// A game against itself: what an agent keeps from turn to turn must not lead it astray.
    fn plays_itself(&mut self) {
        let (Some(mut black), Some(mut white)) = (self.build(), self.build()) else { return };
        let control = TimeControl::nodes(self.effort.nodes);
        let mut game = Game::new(self.rules).with_controls([control; 2]);
        let mut referee =
            Referee { max_stones: Some(self.effort.game_stones), ..Referee::default() };
        let end = referee.play(&mut game, [&mut *black, &mut *white], &mut |_| None);
        if end.is_fault() {
            let happened = format!("{end} in\n{:?}", game.position());
            self.fail("a game without faults", happened);
        }
    }

    fn build(&mut self) -> Option<Box<dyn Agent>> {
        match self.choice.build(&self.rules, self.effort.seed) {
            Ok(agent) => Some(agent),
            Err(error) => {
                self.fail("to be built for a game it supports", error.to_string());
                None
            }
        }
    }

    /// Asks for a turn and checks it. Returns it with the most nodes reported.
    fn ask(
        &mut self,
        agent: &mut dyn Agent,
        position: &Position,
        budget: &Budget,
    ) -> (Option<Turn>, u64) {
        let mut nodes = 0;
        let answer = agent.choose(position, budget, &mut |report: &Report| {
            nodes = nodes.max(report.nodes);
        });
        match answer {
            Err(error) => {
                self.fail("a turn", format!("{error} in\n{position:?}"));
                (None, nodes)
            }
            Ok(turn) => {
                if let Err(reason) = play_turn(&mut position.clone(), &turn) {
                    self.fail("a legal turn", format!("{reason} in\n{position:?}"));
                }
                (Some(turn), nodes)
            }
        }
    }

    fn fail(&mut self, expected: &'static str, happened: String) {
        let agent = self.choice.text.clone();
        self.failures.push(Failure { agent, rules: self.rules, expected, happened });
    }
}

/// The empty board, every number of stones left early and in the middle, and nearly full boards.
fn positions(rules: Rules, random: &mut impl Rng) -> Vec<Position> {
    let (cells, p, q) = (rules.cells(), rules.p(), rules.q());
    let mut counts: Vec<usize> = (0..q + 2 * p).collect();
    let middle = (q + 2 * p * (cells / 8 / (2 * p)).max(1)).min(60);
    counts.extend(middle..middle + 2 * p);
    counts.retain(|&count| count < cells);
    counts.sort_unstable();
    counts.dedup();
    let mut position = Position::new(rules);
    let mut found = Vec::new();
    for count in counts {
        while position.stone_count() < count && play_quietly(&mut position, random) {}
        if position.stone_count() == count {
            found.push(position.clone());
        }
    }
    found.extend((1..=p + 1).filter_map(|left| nearly_full(rules, left, random)));
    found
}

/// A board with this many empty cells and no row, if one can be laid out.
///
/// ```text
/// O O X X O O X X
/// X X O O X X O O     no line has three stones of a colour in a row
/// ```
fn nearly_full(rules: Rules, empty: usize, random: &mut impl Rng) -> Option<Position> {
    let mut cells: Vec<Cell> = rules.all_cells().collect();
    if rules.gravity() {
        // The top row is emptied first.
        cells.reverse();
    } else {
        cells.shuffle(random);
    }
    let stones = cells.get(empty..)?.iter();
    let (black, white) =
        stones.partition(|&&cell| (rules.column(cell) / 2 + rules.row(cell)).is_multiple_of(2));
    let left = random.random_range(1..=rules.p());
    let setup = Setup { black, white, to_move: Some((Player::White, left)) };
    Position::from_setup(rules, &setup).ok()
}

/// Plays a random stone that makes no row; false when there is none.
fn play_quietly(position: &mut Position, random: &mut impl Rng) -> bool {
    const TRIES: usize = 40;
    let legal = position.legal_cells();
    for _ in 0..TRIES {
        let Some(&cell) = legal.choose(random) else { return false };
        position.play_unchecked(cell);
        if position.outcome() == Outcome::Ongoing {
            return true;
        }
        position.undo();
    }
    false
}

/// Positions in which the player to move can complete a row within the turn.
fn winnable(rules: Rules, wanted: usize, random: &mut impl Rng) -> Vec<Position> {
    let windows = Position::new(rules).geometry().window_count();
    let mut found = Vec::new();
    for _ in 0..wanted * 50 {
        if found.len() == wanted {
            break;
        }
        let window = WindowId::new(random.random_range(0..windows));
        found.extend(lay_out(rules, window, random));
    }
    found
}

/// Lays out all stones of a window but those the turn can place, and some opposing ones elsewhere;
/// none if that is not a position or the win cannot be played (gravity).
fn lay_out(rules: Rules, window: WindowId, random: &mut impl Rng) -> Option<Position> {
    let empty = Position::new(rules);
    let mut row = empty.geometry().window_cells(window).to_vec();
    let left = random.random_range(1..=rules.p());
    let mut missing = Vec::new();
    for _ in 0..left.min(row.len()) {
        missing.push(row.swap_remove(random.random_range(0..row.len())));
    }
    missing.sort_unstable();
    let noise = random.random_range(0..=rules.cells().min(12));
    let cells: Vec<Cell> = rules.all_cells().collect();
    let mut opposing: Vec<Cell> = cells
        .choose_multiple(random, noise)
        .copied()
        .filter(|cell| !row.contains(cell) && !missing.contains(cell))
        .collect();
    if rules.gravity() {
        opposing.clear();
        // What the row rests on.
        for &cell in row.iter().chain(&missing) {
            let below = (0..rules.row(cell)).filter_map(|y| rules.cell(rules.column(cell), y));
            opposing.extend(below.filter(|c| !row.contains(c) && !missing.contains(c)));
        }
        opposing.sort_unstable();
        opposing.dedup();
    }
    let player = *Player::BOTH.choose(random)?;
    let (black, white) = if player == Player::Black { (row, opposing) } else { (opposing, row) };
    let setup = Setup { black, white, to_move: Some((player, left)) };
    let position = Position::from_setup(rules, &setup).ok()?;
    let mut won = position.clone();
    let played = missing.iter().try_for_each(|&cell| won.play(cell));
    (played.is_ok() && won.outcome() == Outcome::Won(player)).then_some(position)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::{AgentError, AgentSpec, Build, BuildError, Options, Registry};

    const fn sample(build: Build) -> AgentSpec {
        AgentSpec {
            summary: "a scripted agent",
            takes_wins: true,
            ..AgentSpec::new("sample", build)
        }
    }

    #[expect(clippy::unnecessary_wraps, reason = "as `Build` has it")]
    fn build<const FAULT: u8>(
        _: &Rules,
        _: &Options,
        _: u64,
    ) -> Result<Box<dyn Agent>, BuildError> {
        // Two agents built alike differ in nothing but this: what fault 4 decides by.
        static BUILT: AtomicUsize = AtomicUsize::new(0);
        Ok(Box::new(Player(FAULT, BUILT.fetch_add(1, Ordering::Relaxed))))
    }

    /// Plays legally and takes every win, or has the fault that its number says.
    struct Player(u8, usize);

    impl Agent for Player {
        fn choose(
            &mut self,
            position: &Position,
            _: &Budget,
            on: &mut dyn FnMut(&Report),
        ) -> Result<Turn, AgentError> {
            let legal = position.legal_cells();
            on(&Report { nodes: if self.0 == 3 { 1 << 40 } else { 1 }, ..Report::default() });
            if self.0 == 1 {
                return Ok(vec![legal[0]; position.stones_left() + 1]);
            }
            if self.0 != 2
                && let Some(win) = win(&mut position.clone(), position.stones_left())
            {
                return Ok(win);
            }
            let mut turn = Vec::new();
            let mut after = position.clone();
            for _ in 0..position.stones_left() {
                let legal = after.legal_cells();
                // Fault 4: every agent plays elsewhere than the one built before it.
                let at = if self.0 == 4 { self.1 } else { 0 };
                let Some(&cell) = legal.get(at % legal.len().max(1)) else { break };
                after.play_unchecked(cell);
                turn.push(cell);
            }
            Ok(turn)
        }
    }

    /// Tries every window that the stones left can fill.
    fn win(position: &mut Position, left: usize) -> Option<Turn> {
        let geometry = position.geometry().clone();
        geometry.windows().find_map(|window| {
            let mut turn: Turn = geometry.window_cells(window).to_vec();
            turn.retain(|&cell| position.is_empty(cell));
            turn.sort_unstable();
            let own = geometry.window_cells(window).len() - turn.len();
            if turn.len() > left || own == 0 && turn.len() > left {
                return None;
            }
            let mut after = position.clone();
            let player = after.to_move();
            let played = turn.iter().try_for_each(|&cell| after.play(cell));
            (played.is_ok() && after.outcome() == Outcome::Won(player)).then_some(turn)
        })
    }

    static SAMPLES: [AgentSpec; 5] = [
        sample(build::<0>),
        sample(build::<1>),
        sample(build::<2>),
        sample(build::<3>),
        sample(build::<4>),
    ];

    fn failures(number: usize, game: &str) -> Vec<String> {
        let choice = Registry::new(vec![&SAMPLES[number]]).parse("sample").expect("known");
        let effort = Effort { seed: 1, nodes: 100, wins: 10, game_stones: 40 };
        let rules = game.parse().expect(game);
        check(&choice, &rules, &effort).iter().map(|f| f.expected.to_owned()).collect()
    }

    #[test]
    fn a_sound_agent_conforms_everywhere() {
        for game in GAMES {
            assert_eq!(failures(0, game), Vec::<String>::new(), "{game}");
        }
    }

    #[test]
    fn each_fault_is_found() {
        let expected = ["a legal turn", "the win to be taken", "the node budget to be kept"];
        for (number, expected) in (1..).zip(expected) {
            assert!(failures(number, "connect6").iter().any(|f| f == expected), "{expected}");
        }
        assert!(failures(4, "gomoku").contains(&"the same turn for the same seed".to_owned()));
    }

    #[test]
    fn positions_reach_from_empty_to_nearly_full() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(3);
        for game in GAMES {
            let rules: Rules = game.parse().expect(game);
            let found = positions(rules, &mut random);
            assert!(found[0].stone_count() == 0 && found.iter().all(|p| !p.is_over()));
            if rules.cells() > 50 {
                assert!(found.iter().any(|p| p.empty_count() <= rules.p() + 1), "{game}");
                assert!(!winnable(rules, 5, &mut random).is_empty(), "{game}");
            }
        }
    }
}
