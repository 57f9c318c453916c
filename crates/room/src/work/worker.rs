//! Does work, and keeps agents and solvers with their tables for the next piece.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_agents::exact;
use collinear_agents::puzzles::{Answer, Finder, Goal, Judge};
use collinear_agents::wins::Wins;
use collinear_book::Book;
use collinear_connect4::{Limits, Solver};
use collinear_engine::analysis::{Searched, why};
use collinear_play::dialogue::{Reply, reply};
use collinear_play::instant::Instant;
use collinear_play::{
    Agent, AgentError, Budget, BuildError, Fault, Line, Registry, Report, Step, StopFlag, Thought,
    Value, ask, balance, guard, play_turn,
};
use collinear_rules::hash::fnv1a;
use collinear_rules::{Cell, Player, Position, Rules, notation};
use collinear_windows::has_shapes;

use super::{Found, Judged, Outcome, Progress, Search, Solution, Unproved, Work};
use crate::wire::{OpeningsView, Sealed};
use crate::{assess, columns, explain, insight, openings, parity, puzzles, record, win};

/// Reports that reach a room: at most ten per second.
const REPORT_GAP: Duration = Duration::from_millis(100);

/// Does any piece of work, on any number of threads.
///
/// Agents with their tables are kept between turns, but only a few: memory stays bounded however
/// many games are open.
pub struct Worker {
    registry: Registry,
    books: Arc<[Book]>,
    kept: Mutex<Kept>,
    most: usize,
}

/// What waits for its next use, the oldest first. None of it once the worker is closed.
#[derive(Default)]
struct Kept {
    things: VecDeque<(String, Box<dyn Any + Send>)>,
    closed: bool,
}

impl Worker {
    /// A worker that keeps this many agents and solvers.
    pub fn new(registry: Registry, most: usize) -> Self {
        Self { registry, books: Arc::default(), kept: Mutex::default(), most }
    }

    /// With these books of openings.
    #[must_use]
    pub fn with_books(self, books: Arc<[Book]>) -> Self {
        Self { books, ..self }
    }

    /// Does a piece of work; `tell` hears how it goes on. A panic is an outcome like any other.
    pub fn run(&self, work: &Work, stop: &StopFlag, tell: &mut dyn FnMut(Progress)) -> Outcome {
        guard(|| self.work(work, stop, tell)).unwrap_or_else(Outcome::Failed)
    }

    /// Lets go of everything that is kept, for good: an agent may be a process, which would outlive
    /// the program.
    pub fn close(&self) {
        let mut kept = self.kept();
        kept.closed = true;
        let things = std::mem::take(&mut kept.things);
        drop(kept);
        drop(things);
    }

    fn work(&self, work: &Work, stop: &StopFlag, tell: &mut dyn FnMut(Progress)) -> Outcome {
        match work {
            Work::Think(search) => self.search(search, stop, tell, Memory::Kept),
            Work::Review(search) => self.search(search, stop, tell, Memory::Emptied),
            Work::Open { search, step } => Outcome::Step(self.step(search, *step, stop, tell)),
            Work::Balance { search, stones } => self.balance(search, *stones, stop, tell),
            Work::Columns { position } => self.columns(position, stop, tell),
            Work::Threats { position, node } => {
                let threats = insight::threats(position, *node, stop);
                Outcome::Threats(threats.as_ref().map(Sealed::new))
            }
            Work::Policy { position, node } => {
                let rules = position.rules();
                let name = format!("policy/{rules}");
                let mut engine = self.take(&name).unwrap_or_else(|| insight::glancer(rules));
                let policy = insight::policy(&mut engine, position, *node, stop);
                self.keep(name, engine);
                Outcome::Policy(policy.as_ref().map(Sealed::new))
            }
            Work::Parity { position, node } => {
                let parity = parity::parity(position, *node);
                Outcome::Parity(parity.as_ref().map(Sealed::new))
            }
            Work::Shapes { position, node, cell } => {
                let shapes = insight::shapes(position, *cell, *node);
                Outcome::Shapes(shapes.as_ref().map(Sealed::new))
            }
            Work::Exact { search, nodes } => self
                .exact(search, *nodes, stop)
                .unwrap_or_else(|| self.search(search, stop, tell, Memory::Emptied)),
            Work::Win { position, node, winner, stones } => {
                let name = format!("wins/{}", position.rules());
                let mut wins = self.take(&name).unwrap_or_else(|| Wins::new(position.rules()));
                wins.heed(stop.clone());
                let win = win::view(&mut wins, position, *winner, stones, *node);
                self.keep(name, wins);
                Outcome::Win(Sealed::new(&win))
            }
            Work::Danger { position, node } => {
                let danger = insight::danger(position, *node, stop);
                Outcome::Danger(danger.as_ref().map(Sealed::new))
            }
            Work::Solve { position, goal } => self.judge(position.rules(), stop, |judge| {
                Outcome::Solution(solution(judge, position, *goal))
            }),
            Work::FindPuzzles { rules, stones } => {
                let mut finder = Finder::new(rules, 0).unrated();
                finder.heed(stop.clone());
                let found = finder.find(stones);
                Outcome::FoundPuzzles(found.iter().map(ToString::to_string).collect())
            }
            Work::Explain { asked } => {
                Outcome::Explained(Sealed::new(&explain::explain(asked, |position| {
                    self.with_judge(position.rules(), stop, |judge| explain::prove(judge, position))
                })))
            }
            Work::Openings { position, games } => {
                let found = self.openings(position, games.as_deref());
                Outcome::Openings(found.as_ref().map(Sealed::new).map_err(Clone::clone))
            }
            Work::Assess(line) => match assess::view(line) {
                Some(view) => Outcome::Assessed(Sealed::new(&view)),
                None => Outcome::Unknown,
            },
            Work::Warn { played, level, node } => {
                let warning = assess::warned(played, *level, *node);
                Outcome::Warned(warning.as_ref().map(Sealed::new))
            }
            Work::Try { played, stones, node } => {
                Outcome::Tried(Sealed::new(&assess::tried(played, stones, *node)))
            }
            Work::Read { text, index, open } => Outcome::Read(record::read(text, *index, *open)),
            Work::Write { record, format, review } => {
                Outcome::Written(record::write(record, format, review.as_deref()))
            }
            Work::Puzzles => Outcome::Puzzles(Sealed::new(&puzzles::list())),
            Work::Puzzle { id, linked } => match puzzles::shipped(id) {
                Some(posed) => Outcome::Puzzle(Ok(Box::new(posed))),
                None => self.puzzle(id, linked, stop),
            },
            Work::Judge { position, turn, goal } => self.judge(position.rules(), stop, |judge| {
                Outcome::Judged(judged(judge, position, turn, *goal))
            }),
        }
    }

    /// The agent of a search, with the name under which it is kept, and the budget that stops with
    /// the flag.
    fn agent(
        &self,
        search: &Search,
        stop: &StopFlag,
    ) -> Result<(String, Box<dyn Agent>, Budget), Fault> {
        let Search { owner, agent: spec, seed, position, budget, .. } = search;
        let budget = Budget { stop: stop.clone(), ..budget.clone() };
        let name = format!("{owner}/{seed}/{spec}/{}", position.rules());
        let kept = self.take::<Box<dyn Agent>>(&name);
        let agent = kept.map_or_else(|| self.build(spec, position, *seed), Ok)?;
        Ok((name, agent, budget))
    }

    /// How the games of a list went on, or those of a book that was given.
    fn openings(&self, position: &Position, games: Option<&str>) -> Result<OpeningsView, String> {
        let rules = position.rules();
        let Some(text) = games else {
            let book = self.books.iter().find(|book| book.rules() == rules);
            let book = book.ok_or_else(|| format!("there is no opening book for {rules}"))?;
            return Ok(openings::view(book, position));
        };
        // The next question is of the same list.
        let name = format!("openings/{:016x}", fnv1a(text.as_bytes()));
        let book = self.take::<Book>(&name).map_or_else(|| Book::of_games(text), Ok);
        let book = book.map_err(|error| error.to_string())?;
        if book.rules() != rules {
            return Err(format!("these games are of {}, not of {rules}", book.rules()));
        }
        let view = openings::view(&book, position);
        self.keep(name, book);
        Ok(view)
    }

    fn step(
        &self,
        search: &Search,
        step: Step,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Progress),
    ) -> Result<Reply, Fault> {
        let (name, mut agent, budget) = self.agent(search, stop)?;
        let answer = reply(&mut *agent, &search.position, step, &budget, &mut |report| {
            tell(Progress::Report(report.clone()));
        })?;
        self.keep(name, agent);
        Ok(answer)
    }

    fn balance(
        &self,
        search: &Search,
        stones: u8,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let (name, mut agent, budget) = match self.agent(search, stop) {
            Ok(made) => made,
            Err(fault) => return Outcome::Found(Found::failed(fault)),
        };
        let position = &search.position;
        let candidates = match stones {
            1 => balance::next_stones(position),
            _ => balance::next_pairs(position, position.key()),
        };
        let found = balance::nearest(&mut *agent, position, &candidates, 0.5, &budget, &mut |r| {
            tell(Progress::Report(r.clone()));
        });
        let found = match found {
            Ok(Some(found)) => found,
            Ok(None) => return Outcome::Found(Found::failed(AgentError::GameOver.into())),
            Err(fault) => return Outcome::Found(Found::failed(fault)),
        };
        self.keep(name, agent);
        let black = match position.to_move() {
            Player::Black => found.chance,
            Player::White => 1.0 - found.chance,
        };
        let names = notation::names(position.rules(), &found.stones);
        let note = format!("{names}: as even as possible, Black wins {:.0} %", 100.0 * black);
        let words = Some(note.clone());
        let line = Line { value: Value::Chance(found.chance), stones: found.stones.clone() };
        Outcome::Found(Found {
            turn: Ok(found.stones),
            thought: Thought { value: Some(line.value), ..Thought::default() },
            report: Report { note: Some(note), lines: vec![line], ..Report::default() },
            stopped: stop.is_stopped(),
            balanced: true,
            words,
        })
    }

    fn search(
        &self,
        search: &Search,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Progress),
        memory: Memory,
    ) -> Outcome {
        let position = &search.position;
        let (name, mut agent, budget) = match self.agent(search, stop) {
            Ok(made) => made,
            Err(fault) => return Outcome::Found(Found::failed(fault)),
        };
        if memory == Memory::Emptied {
            agent.new_game();
        }
        let mut last = Report::default();
        let mut told: Option<Instant> = None;
        let answer = ask(&mut *agent, position, &budget, &mut |report| {
            last = report.clone();
            if told.is_none_or(|told| told.elapsed() >= REPORT_GAP) {
                told = Some(Instant::now());
                tell(Progress::Report(report.clone()));
            }
        });
        // After a fault an agent may be in any state.
        if answer.turn.is_ok() {
            self.keep(name, agent);
        }
        // A review says what the better turn does where it judges the turns.
        let words = match (&answer.turn, memory) {
            (Ok(turn), Memory::Kept) => why(position, turn, answer.thought.value),
            _ => None,
        };
        Outcome::Found(Found {
            turn: answer.turn,
            thought: answer.thought,
            report: last,
            stopped: stop.is_stopped(),
            balanced: false,
            words,
        })
    }

    fn build(&self, spec: &str, position: &Position, seed: u64) -> Result<Box<dyn Agent>, Fault> {
        let fault = |error: BuildError| Fault::Agent(AgentError::Engine(error.to_string()));
        let choice = self.registry.parse(spec).map_err(|error| fault(error.into()))?;
        let mut agent = choice.build(position.rules(), seed).map_err(fault)?;
        agent.new_game();
        Ok(agent)
    }

    fn columns(
        &self,
        position: &Position,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Progress),
    ) -> Outcome {
        let rules = position.rules();
        let name = format!("columns/{rules}");
        let kept = self.take::<Solver>(&name).or_else(|| columns::solver(rules));
        let Some(mut solver) = kept else {
            let words = format!("no solver knows {rules}");
            return Outcome::Failed(Fault::Agent(AgentError::Engine(words)));
        };
        let scores = columns::scores(&mut solver, position, stop, &mut |known| {
            tell(Progress::Columns(known.to_vec()));
        });
        self.keep(name, solver);
        Outcome::Columns(scores)
    }

    /// A position of somebody's own as a puzzle: it has to be proved one.
    fn puzzle(&self, id: &str, linked: &Result<Unproved, String>, stop: &StopFlag) -> Outcome {
        let unproved = match linked {
            Ok(unproved) => unproved,
            Err(why) => return Outcome::Puzzle(Err(why.clone())),
        };
        let Unproved { position, goal } = unproved;
        self.judge(position.rules(), stop, |judge| {
            let solution = judge.solution_to(*goal, position);
            Outcome::Puzzle(puzzles::proved(id, unproved, solution).map(Box::new))
        })
    }

    /// What the solver says of a position of a review; none when it is not done within the nodes.
    fn exact(&self, search: &Search, nodes: u64, stop: &StopFlag) -> Option<Outcome> {
        let rules = search.position.rules();
        let name = format!("columns/{rules}");
        let mut solver = self.take::<Solver>(&name).or_else(|| columns::solver(rules))?;
        // What was learnt before would make a second review another one.
        solver.clear();
        let ask = || stop.is_stopped();
        let limits = Limits { nodes: Some(nodes), stop: Some(&ask) };
        let found = exact::searched(&mut solver, &search.position, &limits);
        self.keep(name, solver);
        let Searched { best, line, value, depth, .. } = found?;
        let lines = vec![Line { value, stones: line }];
        Some(Outcome::Found(Found {
            turn: Ok(best),
            thought: Thought { value: Some(value), ..Thought::default() },
            report: Report { depth, lines, ..Report::default() },
            stopped: false,
            balanced: false,
            words: None,
        }))
    }

    fn judge(
        &self,
        rules: &Rules,
        stop: &StopFlag,
        ask: impl FnOnce(&mut Judge) -> Outcome,
    ) -> Outcome {
        let outcome = self.with_judge(rules, stop, ask);
        // What it said then is not the truth about the position.
        if stop.is_stopped() { Outcome::Unknown } else { outcome }
    }

    fn with_judge<T>(
        &self,
        rules: &Rules,
        stop: &StopFlag,
        ask: impl FnOnce(&mut Judge) -> T,
    ) -> T {
        let name = format!("judge/{rules}");
        let mut judge = self.take::<Judge>(&name).unwrap_or_else(|| Judge::new(rules));
        judge.heed(stop.clone());
        let said = ask(&mut judge);
        self.keep(name, judge);
        said
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was kept under this name, if it is still there.
    fn take<T: 'static>(&self, name: &str) -> Option<T> {
        let things = &mut self.kept().things;
        let at = things.iter().position(|(kept, _)| kept == name)?;
        let (_, thing) = things.remove(at)?;
        thing.downcast().ok().map(|thing| *thing)
    }

    /// Keeps a thing for its next use; what was kept longest goes when there is too much.
    fn keep<T: Send + 'static>(&self, name: String, thing: T) {
        let mut kept = self.kept();
        if kept.closed {
            return;
        }
        kept.things.push_back((name, Box::new(thing)));
        let evicted = if kept.things.len() > self.most { kept.things.pop_front() } else { None };
        drop(kept);
        // Outside the lock: an agent may own a process or a large table.
        drop(evicted);
    }
}

/// A right turn with what it does; the words of threats are those of rows of five.
fn solution(judge: &mut Judge, position: &Position, goal: Goal) -> Option<Solution> {
    let (turn, turns) = judge.solution_to(goal, position)?;
    let wins = (goal == Goal::Win).then_some(Value::WinsIn(turns));
    let words = has_shapes(position.rules()).then(|| why(position, &turn, wins)).flatten();
    Some(Solution { turn, turns, words })
}

/// What a turn of a puzzle leads to, and what the defence does.
fn judged(judge: &mut Judge, position: &Position, turn: &[Cell], goal: Goal) -> Judged {
    let answer = judge.answer_to(goal, position, turn);
    let words = match &answer {
        Some(Answer::Defended { defence, .. }) => {
            let mut after = position.clone();
            play_turn(&mut after, turn).ok().and_then(|()| why(&after, defence, None))
        }
        _ => None,
    };
    Judged { answer, words }
}

/// Whether an agent goes on with what it has learnt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Memory {
    /// It does.
    Kept,
    /// It begins anew.
    Emptied,
}
