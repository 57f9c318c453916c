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

use collinear_agents::puzzles::Goal;
use collinear_play::{Budget, Game, GameRecord, Line, NodeId, Report, Side, Step, StopFlag, Value};
use collinear_room::json;
use collinear_room::wire::{CoachLevel, ExplainAsked};
use collinear_room::work::{Assess, Outcome, Played, Search, Unproved, Work, Worker, Yields};
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

/// Three full columns of Connect Four: the solver takes a while over each position on the way.
fn early_stones() -> Vec<Cell> {
    let cell = |at: usize| Cell::new((at % 6) * 7 + [3, 2, 4][at / 6]);
    (0..18).map(cell).collect()
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

/// A whole board of Connect6 whose every position was searched.
fn long_line() -> Assess {
    let start = Position::new(Rules::CONNECT6);
    let mut game = Game::new(Rules::CONNECT6);
    // Rows of three stones and less: nobody ever has six.
    for cell in (0..361).map(|at| Cell::new(at * 7 % 361)) {
        if game.is_over() || game.play(cell).is_err() {
            break;
        }
    }
    let line = game.tree().path(game.node());
    let stones = game.position().history().to_vec();
    let searched = stones.iter().map(|cell| (vec![*cell], Report::default())).collect();
    Assess { effort: 1, start, line, stones, searched, winner: None }
}

/// The longest list of games that is read: twenty turns each, all over the board.
fn openings(position: &Position) -> Work {
    let stones = |game: usize| (0..39).map(move |at| (game + at * 7) % 361);
    let line = |game: usize| {
        let names = stones(game).map(|at| notation::name(position.rules(), Cell::new(at)));
        format!("b {}\n", names.collect::<String>())
    };
    let games = (0..1_600).map(line).collect::<String>();
    let text = format!("# game connect6\n{games}");
    Work::Openings { position: Position::new(*position.rules()), games: Some(text) }
}

/// As many games as there are lines, a cell each.
fn read(games: usize) -> Work {
    Work::Read { text: "j10 k11 i9 h8\n".repeat(games), index: None, open: None }
}

fn written(line: Assess) -> Work {
    let mut record = GameRecord::new(Rules::CONNECT6);
    let mut node = NodeId::ROOT;
    for &stone in &line.stones {
        node = record.tree.add(node, stone).expect("room");
    }
    let (record, review) = (Box::new(record), Some(Box::new(line)));
    Work::Write { record, format: "sgf".to_owned(), review }
}

/// A whole turn in a corner, far from everything.
fn played(before: &Position) -> Box<Played> {
    let mut after = before.clone();
    let mut turn = Vec::new();
    while after.to_move() == before.to_move() {
        let cell = Cell::new(turn.len());
        after.play(cell).expect("free");
        turn.push(cell);
    }
    // The best turn is in the middle, and wins; after the other one it is the opponent's.
    let best = |position: &Position| {
        let free = (150..).map(Cell::new).filter(|cell| position.at(*cell).is_none());
        let stones: Vec<Cell> = free.take(2).collect();
        let lines = vec![Line { value: Value::WinsIn(2), stones: stones.clone() }];
        (stones, Report { lines, ..Report::default() })
    };
    let (then, now) = (best(before), Some(best(&after)));
    Box::new(Played { before: before.clone(), turn, then, now })
}

fn warn(before: &Position) -> Work {
    Work::Warn { played: played(before), level: CoachLevel::Inaccuracies, node: 0 }
}

fn tried(before: &Position) -> Work {
    let played = played(before);
    Work::Try { stones: played.turn.clone(), played, node: 0 }
}

fn own_puzzle(position: &Position) -> Work {
    let unproved = Unproved { position: position.clone(), goal: Goal::Win };
    Work::Puzzle { id: String::new(), linked: Ok(unproved) }
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
    let line = long_line();
    for (name, work) in [
        ("a review", Work::Review(search("sextant", &six, review.clone()))),
        (
            "an exact review",
            Work::Exact { search: search("perfect", &four, review), nodes: u64::MAX },
        ),
        ("a win", win(&six)),
        ("a win with gravity", win(&four)),
        ("a danger", Work::Danger { position: six.clone(), node: 0 }),
        ("an opening", Work::Open { search: search("sextant", &empty, hour.clone()), step }),
        ("balance", Work::Balance { search: search("sextant", &pro, hour.clone()), stones: 2 }),
        ("columns", Work::Columns { position: four.clone() }),
        ("threats", Work::Threats { position: many_threats(), node: 0 }),
        ("policy", Work::Policy { position: five, node: 0 }),
        ("odd and even threats", Work::Parity { position: four.clone(), node: 0 }),
        ("shapes", Work::Shapes { position: opening(large), node: 0, cell: Cell::new(500) }),
        ("a proof explained", explained(&six)),
        ("a line judged", Work::Assess(Box::new(line.clone()))),
        ("a coach's look", warn(&six)),
        ("a turn tried", tried(&six)),
        ("records read", read(500)),
        ("a record written", written(line)),
        ("games of openings", openings(&six)),
        ("the list of puzzles", Work::Puzzles),
        ("a puzzle of one's own", own_puzzle(&four)),
        ("a puzzle with gravity", Work::Solve { position: four.clone(), goal: Goal::Win }),
        ("a puzzle", Work::Solve { position: six.clone(), goal: Goal::Win }),
        ("a defence with gravity", Work::Solve { position: four.clone(), goal: Goal::Hold }),
        ("a turn with gravity", Work::Judge { position: four, turn, goal: Goal::Win }),
        (
            "a turn",
            Work::Judge { position: six, turn: vec![Cell::new(0), Cell::new(1)], goal: Goal::Win },
        ),
        ("puzzles in a game", Work::FindPuzzles { rules: Rules::CONNECT4, stones: early_stones() }),
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
        Work::Danger { .. } => 13,
        Work::FindPuzzles { .. } => 14,
        Work::Assess(_) => 15,
        Work::Warn { .. } => 16,
        Work::Try { .. } => 17,
        Work::Read { .. } => 18,
        Work::Write { .. } => 19,
        Work::Puzzles => 20,
        Work::Puzzle { .. } => 21,
        Work::Parity { .. } => 22,
        Work::Openings { .. } => 23,
    }
}

const KINDS: usize = 24;

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

/// In a browser a room and its worker know each other by texts alone.
#[test]
fn every_kind_of_work_crosses_as_a_text() {
    for (name, work) in everything() {
        let text = serde_json::to_string(&work).expect(&name);
        let read: Work = json::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(serde_json::to_string(&read).expect(&name), text, "{name}");
    }
}
