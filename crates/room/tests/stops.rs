//! Every kind of work stops soon after it is told to, whoever does it: a page that has gone must not
//! keep others waiting.
//!
//! What is measured is the processor time of the working thread after the flag was set, which does
//! not grow on a busy machine; elsewhere than on Linux, only that the work ends at all, long before
//! it would by itself.

use std::sync::Arc;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use collinear_play::{Budget, Side, Step, StopFlag};
use collinear_room::wire::ExplainAsked;
use collinear_room::work::{Outcome, Search, Work, Worker, Yields};
use collinear_rules::{Cell, Player, Position, Rules, Setup, notation};

/// How long work runs before it is stopped.
const BEFORE: Duration = Duration::from_millis(60);
/// The most processor time after that: ten times what a person would notice, for slow processors.
const MOST: Duration = Duration::from_millis(500);
/// How long a test waits for work to end. None of it would end so soon by itself.
const PATIENCE: Duration = Duration::from_secs(60);

/// A position of Connect Four whose stones no book has: solving it takes minutes.
fn outside_the_book() -> Position {
    let to_move = Some((Player::Black, 1));
    let setup = Setup { black: vec![Cell::new(3)], to_move, ..Setup::default() };
    Position::from_setup(Rules::CONNECT4, &setup).expect("a position")
}

/// Some stones in the middle and none in line.
fn opening(rules: Rules) -> Position {
    let mut position = Position::new(rules);
    let (middle, width) = (rules.cells() / 2, rules.width());
    for step in [0, width + 2, 2 * width - 1, 3 * width + 4, 3] {
        position.play(Cell::new(middle + step)).expect("free");
    }
    position
}

/// Turns with that many stones that counting what stops them has to be given up.
fn many_threats() -> Position {
    let rules: Rules = "15x15,k=4,p=64,q=30".parse().expect("a game");
    let apart = |at: &usize| (at % 15 + 2 * (at / 15)).is_multiple_of(5);
    let black = (0..225).filter(apart).take(30).map(Cell::new).collect();
    Position::from_setup(rules, &Setup { black, ..Setup::default() }).expect("a position")
}

fn search(agent: &str, position: &Position, budget: Budget) -> Search {
    Search {
        owner: "test".to_owned(),
        agent: agent.to_owned(),
        seed: 1,
        position: position.clone(),
        budget,
        yields: Yields::Never,
    }
}

/// The win of the player to move.
fn win(position: &Position) -> Work {
    let (position, winner) = (position.clone(), position.to_move());
    Work::Win { position, node: 0, winner, stones: Vec::new() }
}

/// How a proof goes on, which is looked for first.
fn explained(position: &Position) -> Work {
    let moves = notation::names(position.rules(), position.history());
    Work::Explain { asked: ExplainAsked::Proof { game: position.rules().to_string(), moves } }
}

/// Work of every kind, the longest that is known.
fn everything() -> Vec<(String, Work)> {
    let large: Rules = "32x32,k=6,p=2,q=1".parse().expect("a game");
    let (four, six, five) = (outside_the_book(), opening(Rules::CONNECT6), opening(Rules::GOMOKU));
    let hour = Budget::time(Duration::from_secs(3600));
    let mut all = Vec::new();
    for position in [&four, &six, &five] {
        for spec in collinear_agents::playing(&collinear_agents::registry(), position.rules()) {
            // It plays for others, and without a program there is nobody.
            if spec.name == "external" {
                continue;
            }
            let name = format!("an agent's turn: {} at {}", spec.name, position.rules());
            all.push((name, Work::Think(search(spec.name, position, hour.clone()))));
        }
    }
    let review = Budget::nodes(u64::MAX / 2);
    let turn = vec![Cell::new(3)];
    let (empty, pro) = (Position::new(Rules::GOMOKU), opening(Rules::GOMOKU));
    let step = Step::Place { side: Side::Opener, stones: 3 };
    for (name, work) in [
        ("a review", Work::Review(search("sextant", &six, review.clone()))),
        (
            "an exact review",
            Work::Exact { search: search("perfect", &four, review), nodes: u64::MAX },
        ),
        ("a win", win(&six)),
        ("a win with gravity", win(&four)),
        ("an opening", Work::Open { search: search("sextant", &empty, hour.clone()), step }),
        ("balance", Work::Balance { search: search("sextant", &pro, hour.clone()), stones: 2 }),
        ("columns", Work::Columns { position: four.clone() }),
        ("threats", Work::Threats { position: many_threats(), node: 0 }),
        ("policy", Work::Policy { position: five, node: 0 }),
        ("shapes", Work::Shapes { position: opening(large), node: 0, cell: Cell::new(500) }),
        ("a proof explained", explained(&six)),
        ("a puzzle with gravity", Work::Solve { position: four.clone() }),
        ("a puzzle", Work::Solve { position: six.clone() }),
        ("a turn with gravity", Work::Judge { position: four, turn }),
        ("a turn", Work::Judge { position: six, turn: vec![Cell::new(0), Cell::new(1)] }),
    ] {
        all.push((name.to_owned(), work));
    }
    all
}

/// Whether the list above has this kind; a kind that is added does not compile until it is here.
const fn kind(work: &Work) -> usize {
    match work {
        Work::Think(_) => 0,
        Work::Review(_) => 1,
        Work::Columns { .. } => 2,
        Work::Threats { .. } => 3,
        Work::Policy { .. } => 4,
        Work::Shapes { .. } => 5,
        Work::Solve { .. } => 6,
        Work::Judge { .. } => 7,
        Work::Open { .. } => 8,
        Work::Balance { .. } => 9,
        Work::Exact { .. } => 10,
        Work::Win { .. } => 11,
        Work::Explain { .. } => 12,
    }
}

const KINDS: usize = 13;

/// The processor time of a thread of this process, where the system tells it.
fn processor_time(thread: Option<&str>) -> Option<Duration> {
    let text = std::fs::read_to_string(format!("/proc/self/task/{}/schedstat", thread?)).ok()?;
    Some(Duration::from_nanos(text.split_whitespace().next()?.parse().ok()?))
}

/// Names the thread for [`processor_time`].
fn own_thread() -> Option<String> {
    let link = std::fs::read_link("/proc/thread-self").ok()?;
    Some(link.file_name()?.to_str()?.to_owned())
}

#[test]
fn every_kind_of_work_stops_when_it_is_told_to() {
    let all = everything();
    for wanted in 0..KINDS {
        assert!(all.iter().any(|(_, work)| kind(work) == wanted), "kind {wanted} is missing");
    }
    let worker = Arc::new(Worker::new(collinear_agents::registry(), 4));
    let mut slowest = (Duration::ZERO, String::new());
    for (name, work) in all {
        let stop = StopFlag::default();
        let (worker, flag) = (Arc::clone(&worker), stop.clone());
        let (begun, begin) = mpsc::channel();
        let (ended, end) = mpsc::channel();
        thread::spawn(move || {
            let own = own_thread();
            let _ = begun.send(own.clone());
            let outcome = worker.run(&work, &flag, &mut |_| {});
            let _ = ended.send((outcome, processor_time(own.as_deref())));
        });
        let thread = begin.recv().expect("it begins");
        if end.recv_timeout(BEFORE).is_ok() {
            continue;
        }
        let before = processor_time(thread.as_deref());
        stop.stop();
        let Ok((outcome, after)) = end.recv_timeout(PATIENCE) else {
            panic!("{name} does not stop");
        };
        assert!(!matches!(outcome, Outcome::Failed(_)), "{name}: {outcome:?}");
        if let (Some(before), Some(after)) = (before, after) {
            let took = after.saturating_sub(before);
            assert!(took <= MOST, "{name} went on for {took:?}");
            if took > slowest.0 {
                slowest = (took, name);
            }
        }
    }
    // With --nocapture: how much of the limit is used.
    println!("slowest to stop: {:?}, {}", slowest.0, slowest.1);
}
