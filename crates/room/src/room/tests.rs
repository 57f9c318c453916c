//! A room and a host of a few lines: time is a number, work is done when the test says so.

use std::collections::BTreeSet;
use std::time::Duration;

use collinear_play::{Line, Report, Value};
use collinear_rules::Cell;
use proptest::prelude::*;

use super::*;
use crate::wire::{
    BoardView, Fouls, NewGame, OpeningChoice, OpeningRule, OpeningStep, Overlay, PuzzleWords,
    RulesForm, Seat, Timing, ToLobby,
};
use crate::work::{Work, Worker};
use crate::{Answer, MemoryStore};

mod coach;

const ME: ClientId = ClientId(1);

struct Host {
    room: Room,
    worker: Worker,
    now: Instant,
    /// Jobs that were started and neither done nor cancelled.
    jobs: Vec<Job>,
    /// What any page was told.
    told: Vec<ToPage>,
    /// What happened, in a word each.
    order: Vec<&'static str>,
}

impl Host {
    fn new(black: Seat, white: Seat, timing: Timing) -> Self {
        let rules = RulesForm {
            width: 19,
            height: 19,
            k: 6,
            p: 2,
            q: 1,
            gravity: false,
            exact: false,
            fouls: Fouls::None,
        };
        Self::of(NewGame { rules, black, white, timing, opening_rule: None })
    }

    fn of(game: NewGame) -> Self {
        let registry = collinear_agents::registry();
        let lobby = Arc::new(Lobby { registry: registry.clone(), books: Arc::default() });
        let asked = ToLobby::New { game };
        let answer = lobby.answer(&MemoryStore::new(|| 0), asked, 7).expect("a game");
        let Answer::Begin { game, keep, .. } = answer else { panic!("a game begins") };
        let now = Instant::now();
        Self {
            room: Room::new("a".to_owned(), *game, keep, lobby, now),
            worker: Worker::new(registry, 4),
            now,
            jobs: Vec::new(),
            told: Vec::new(),
            order: Vec::new(),
        }
    }

    fn step(&mut self, event: Event) {
        for effect in self.room.step(event, self.now) {
            match effect {
                Effect::Save(_) => self.order.push("save"),
                Effect::Tell(_, message) | Effect::TellAll(message) => {
                    if matches!(message, ToPage::Board { .. }) {
                        self.order.push("board");
                    }
                    self.told.push(message);
                }
                Effect::Start(job) => {
                    self.order.push("start");
                    self.jobs.push(job);
                }
                Effect::Cancel(number) => {
                    let before = self.jobs.len();
                    self.jobs.retain(|job| job.number != number);
                    assert_eq!(self.jobs.len() + 1, before, "only what runs is cancelled");
                }
                Effect::Log(_) => {}
            }
        }
        assert_eq!(self.room.running(), self.jobs.len());
    }

    fn ask(&mut self, asked: ToGame) {
        self.step(Event::Ask(ME, asked));
    }

    /// Does the job that was started first.
    fn work(&mut self) {
        let Job { number, work } = self.jobs.remove(0);
        // As it stands while its outcome is on the way.
        self.step_silently(Event::Job(number, News::Started));
        let outcome = self.worker.run(&work, &collinear_play::StopFlag::default(), &mut |_| {});
        self.step(Event::Job(number, News::Done(outcome)));
    }

    fn step_silently(&mut self, event: Event) {
        self.room.step(event, self.now);
    }

    /// Goes on to when the room wants to be called.
    fn wait(&mut self) {
        self.now = self.room.next_wake().expect("something is to happen").max(self.now);
        self.step(Event::Time);
    }

    fn board(&self) -> &BoardView {
        let boards = self.told.iter().rev().filter_map(|message| match message {
            ToPage::Board { board } => Some(board),
            _ => None,
        });
        boards.take(1).next().expect("a board")
    }
}

fn random() -> Seat {
    Seat::Agent { spec: "random".to_owned(), label: String::new() }
}

const TURN: Timing = Timing::Turn { ms: 1000 };

#[test]
fn a_click_is_stored_then_shown_then_answered_when_its_time_has_come() {
    let mut host = Host::new(Seat::Person, random(), TURN);
    host.step(Event::Join(ME, None));
    host.order.clear();
    host.ask(ToGame::Play { ply: 0, cell: 180 });
    assert_eq!(host.order, ["save", "board", "start"]);
    assert!(matches!(host.jobs[0].work, Work::Think(_)));
    host.work();
    assert_eq!(host.board().moves.len(), 1, "an instant answer would be missed by the eye");
    host.wait();
    assert_eq!(host.board().moves.len(), 3);
    assert!(host.jobs.is_empty());
}

#[test]
fn clocks_run_by_the_time_that_the_host_tells() {
    let clock = Timing::Clock { start_ms: 60_000, increment_ms: 0 };
    let mut host = Host::new(Seat::Person, Seat::Person, clock);
    host.step(Event::Join(ME, None));
    host.ask(ToGame::Play { ply: 0, cell: 180 });
    host.now += Duration::from_secs(20);
    host.ask(ToGame::Sync { number: 1 });
    host.wait();
    assert_eq!(host.board().ending.as_ref().map(|end| end.reason.name()), Some("time-forfeit"));
}

#[test]
fn a_page_that_leaves_at_once_leaves_no_work_behind() {
    let mut host = Host::new(random(), Seat::Person, TURN);
    host.step(Event::Join(ME, None));
    let number = host.jobs[0].number;
    host.step(Event::Leave(ME));
    assert!(host.room.is_empty() && host.jobs.is_empty());
    // What the cancelled search found comes late.
    host.step(Event::Job(number, News::Done(Outcome::Unknown)));
    assert!(host.room.is_empty() && host.jobs.is_empty());
    assert_eq!(host.room.next_wake(), None);
}

/// A game of Gomoku with Swap2.
fn swap2(black: Seat, white: Seat) -> Host {
    let rules = RulesForm {
        width: 15,
        height: 15,
        k: 5,
        p: 1,
        q: 1,
        gravity: false,
        exact: false,
        fouls: Fouls::None,
    };
    let opening_rule = Some(OpeningRule::Swap2);
    Host::of(NewGame { rules, black, white, timing: TURN, opening_rule })
}

fn seats_told(host: &Host) -> Option<&[Seat; 2]> {
    host.told.iter().rev().find_map(|message| match message {
        ToPage::Seats { seats, .. } => Some(seats),
        _ => None,
    })
}

#[test]
fn a_person_opens_and_an_agent_chooses() {
    let mut host = swap2(Seat::Person, random());
    host.step(Event::Join(ME, None));
    for (ply, cell) in [(0, 112), (1, 3), (2, 113)] {
        assert!(host.jobs.is_empty(), "the person puts all three stones");
        host.ask(ToGame::Play { ply, cell });
    }
    assert!(matches!(host.jobs[0].work, Work::Open { .. }));
    host.ask(ToGame::Choose { choice: OpeningChoice::Black });
    assert!(host.board().opening.as_ref().is_some_and(|opening| opening.deeds.len() == 1));
    // It has no opinion, so neither colour is ahead.
    host.work();
    let step = |host: &Host| host.board().opening.as_ref().and_then(|opening| opening.step.clone());
    assert!(matches!(step(&host), Some(OpeningStep::Place { stones: 2, .. })));
    host.work();
    assert_eq!(host.board().moves.len(), 5);
    assert!(host.jobs.is_empty() && seats_told(&host).is_none());
    host.ask(ToGame::Undo);
    assert_eq!(host.board().moves.len(), 5, "what is settled stays");
    // The game is kept as it stands, and goes on from there.
    let text = crate::saved::write(&host.room.game).expect("written");
    let back = crate::saved::read(&text).expect("read");
    assert_eq!(back.model.step(), host.room.game.model.step());
    host.ask(ToGame::Choose { choice: OpeningChoice::White });
    assert_eq!(step(&host), None);
    assert_eq!(seats_told(&host).map(|seats| seats[1].clone()), Some(Seat::Person));
    host.ask(ToGame::Play { ply: 5, cell: 50 });
    assert!(matches!(host.jobs[0].work, Work::Think(_)));
}

#[test]
fn an_agent_opens_and_a_person_chooses() {
    let mut host = swap2(random(), Seat::Person);
    host.step(Event::Join(ME, None));
    host.ask(ToGame::Play { ply: 0, cell: 112 });
    assert_eq!(host.board().moves.len(), 0, "it is not the person's step");
    host.work();
    assert_eq!(host.board().moves.len(), 3);
    host.ask(ToGame::Hint);
    assert!(host.jobs.is_empty(), "a hint is for a turn");
    host.ask(ToGame::Play { ply: 3, cell: 112 });
    assert_eq!(host.board().moves.len(), 3, "first a choice");
    host.ask(ToGame::Choose { choice: OpeningChoice::Black });
    let seats = seats_told(&host).expect("the seats have changed");
    assert_eq!(seats[0], Seat::Person);
    let text = crate::saved::write(&host.room.game).expect("written");
    let back = crate::saved::read(&text).expect("read");
    assert_eq!(back.model.seats, host.room.game.model.seats);
    // White's fourth stone is the agent's.
    assert!(matches!(host.jobs[0].work, Work::Think(_)));
    host.work();
    host.wait();
    assert_eq!(host.board().moves.len(), 4);
}

#[test]
fn balanced_stones_are_told_as_a_hint() {
    let mut host = swap2(Seat::Person, Seat::Person);
    host.step(Event::Join(ME, None));
    for stones in [1, 2] {
        host.ask(ToGame::Balance { stones });
        let Work::Balance { search, .. } = &mut host.jobs[0].work else { panic!("balance") };
        search.budget = collinear_play::Budget::nodes(3000);
        host.work();
        let Some(ToPage::Search { search }) = host.told.last() else { panic!("a search") };
        assert_eq!(search.turn.len(), usize::from(stones));
        let words = search.words.as_deref().expect("words");
        assert!(words.contains("as even as possible"), "{words}");
    }
}

fn analysed(host: &Host) -> bool {
    host.jobs
        .iter()
        .any(|job| matches!(&job.work, Work::Think(search) if search.owner.contains("Analysis")))
}

#[test]
fn an_analysis_rests_while_a_person_waits_for_an_agent_and_ends_with_the_game() {
    let mut host = Host::new(Seat::Person, random(), TURN);
    host.step(Event::Join(ME, None));
    host.ask(ToGame::Analyse { on: true, lines: 2 });
    assert!(analysed(&host));
    host.ask(ToGame::Play { ply: 0, cell: 180 });
    assert_eq!(host.jobs.len(), 1, "the agent has the processors for itself");
    assert!(!analysed(&host));
    host.work();
    host.wait();
    assert!(analysed(&host), "it is the person's turn again");
    host.ask(ToGame::Resign);
    assert!(host.jobs.is_empty());
    // Where two agents play it goes on beside them.
    let mut host = Host::new(random(), random(), TURN);
    host.step(Event::Join(ME, None));
    host.ask(ToGame::Analyse { on: true, lines: 2 });
    assert!(analysed(&host) && host.jobs.len() == 2);
}

#[test]
fn what_an_analysis_found_stays_when_it_is_switched_off() {
    let mut host = Host::new(Seat::Person, Seat::Person, TURN);
    host.step(Event::Join(ME, None));
    host.ask(ToGame::Analyse { on: true, lines: 1 });
    let number = host.jobs[0].number;
    let stones = vec![Cell::new(180)];
    let line = Line { value: Value::Chance(0.25), stones };
    let report = Report { lines: vec![line], ..Report::default() };
    host.step(Event::Job(number, News::Progress(Progress::Report(report))));
    host.ask(ToGame::Analyse { on: false, lines: 1 });
    assert!(host.jobs.is_empty());
    assert_eq!(host.room.game.nodes()[0].chance, Some(0.25));
}

#[test]
fn an_analysis_stops_when_the_flag_falls() {
    let clock = Timing::Clock { start_ms: 60_000, increment_ms: 0 };
    let mut host = Host::new(Seat::Person, Seat::Person, clock);
    host.step(Event::Join(ME, None));
    host.ask(ToGame::Play { ply: 0, cell: 180 });
    host.ask(ToGame::Analyse { on: true, lines: 2 });
    assert!(analysed(&host));
    host.wait();
    assert!(host.board().ending.is_some() && host.jobs.is_empty());
}

/// A room with the game of a link or the puzzle of a name.
fn opened(asked: ToLobby) -> Host {
    let mut host = Host::new(Seat::Person, Seat::Person, TURN);
    let lobby = Arc::new(Lobby { registry: collinear_agents::registry(), books: Arc::default() });
    let answer = match lobby.answer(&MemoryStore::new(|| 0), asked, 7).expect("an answer") {
        Answer::Work(errand) => {
            let stop = collinear_play::StopFlag::default();
            let outcome = host.worker.run(&errand.work(), &stop, &mut |_| {});
            errand.conclude(&outcome).expect("a game")
        }
        answer => answer,
    };
    let Answer::Begin { game, keep, .. } = answer else { panic!("a game begins") };
    host.room = Room::new("b".to_owned(), *game, keep, lobby, host.now);
    host.step(Event::Join(ME, None));
    host
}

#[test]
fn a_puzzle_says_first_where_to_look_then_the_stone() {
    let mut host = opened(ToLobby::Puzzle { id: "connect4-007".to_owned() });
    let mut hint = || {
        host.ask(ToGame::PuzzleHint);
        host.work();
        match host.told.last() {
            Some(ToPage::PuzzleState { words, .. }) => words.clone(),
            other => panic!("{other:?}"),
        }
    };
    let PuzzleWords::Look { cells } = hint() else { panic!("where to look comes first") };
    let PuzzleWords::Try { cell, why: None } = hint() else { panic!("then the stone") };
    assert!(cells.contains(&cell) && cells.len() >= 12, "{cells:?}");
    // Another position begins with where to look again.
    host.ask(ToGame::Play { ply: 14, cell });
    host.work();
    host.ask(ToGame::PuzzleHint);
    host.work();
    assert!(matches!(
        host.told.last(),
        Some(ToPage::PuzzleState { words: PuzzleWords::Look { .. }, .. })
    ));
}

#[test]
fn the_second_hint_of_a_puzzle_says_what_the_stone_does() {
    let mut host = opened(ToLobby::Puzzle { id: "gomoku-002".to_owned() });
    for _ in 0..2 {
        host.ask(ToGame::PuzzleHint);
        host.work();
    }
    let Some(ToPage::PuzzleState { words: PuzzleWords::Try { why: Some(why), .. }, .. }) =
        host.told.last()
    else {
        panic!("the stone and why, not {:?}", host.told.last());
    };
    assert_eq!(why, "h6: four-three, wins in 3 (VCF)");
}

#[test]
fn a_review_of_connect_four_is_exact() {
    let link = "connect4/d1.d2.c1.c2.e1.d3.b1".to_owned();
    let mut host = opened(ToLobby::Open { id: None, link: Some(link) });
    host.ask(ToGame::Review { on: true, effort: Some(1) });
    while !host.jobs.is_empty() {
        assert!(matches!(host.jobs[0].work, Work::Exact { .. } | Work::Assess(_)));
        host.work();
    }
    let review = host.told.iter().rev().find_map(|message| match message {
        ToPage::Review { review } => Some(review),
        _ => None,
    });
    let review = review.expect("a review").open().expect("whole");
    let missed: Vec<usize> =
        (1..).zip(&review.turns).filter(|(_, turn)| turn.missed_win).map(|(at, _)| at).collect();
    assert_eq!(missed, [3, 4], "Red throws the win away, Yellow gives it back");
    assert_eq!((review.sides[0].missed_wins, review.sides[1].missed_wins), (1, 1));
    assert!(review.sides[0].accuracy < 90.0, "{}", review.sides[0].accuracy);
    let third = review.turns[2].node;
    assert!(
        review.won_from.is_some_and(|node| node > third),
        "the win was not kept from the start"
    );
}

#[test]
fn a_win_is_played_out_against_every_defence_without_a_stone_on_the_board() {
    let link = "connect4/d1.d2.c1.c2".to_owned();
    let mut host = opened(ToLobby::Open { id: None, link: Some(link) });
    let (node, before) = (host.board().node, host.board().moves.clone());
    let mut stones = Vec::new();
    loop {
        let winner = crate::wire::Colour::Black;
        host.ask(ToGame::Win { node, winner, stones: stones.clone() });
        host.work();
        let Some(ToPage::Win { win }) = host.told.last() else { panic!("an answer") };
        let win = win.open().expect("whole");
        assert_eq!((win.node, &win.stones), (node, &stones));
        assert!(win.source.is_some() && !win.answer.is_empty());
        stones.extend(&win.answer);
        let Some(defence) = win.defences.first() else {
            assert_eq!((win.turns, win.rows.len()), (1, 1));
            break;
        };
        stones.extend(&defence.cells);
    }
    assert_eq!(host.board().moves, before);
    host.ask(ToGame::Win { node: 99, winner: crate::wire::Colour::Black, stones: Vec::new() });
    assert!(host.jobs.is_empty(), "there is no such node");
}

/// What may happen to a room, in any order.
#[derive(Clone, Debug)]
enum Happening {
    Join(u64),
    Leave(u64),
    Ask(u64, ToGame),
    Work,
    Late(u64),
    Wait,
}

fn happening() -> impl Strategy<Value = Happening> {
    let asked = prop_oneof![
        (0..20_u32, 0..361_u16).prop_map(|(ply, cell)| ToGame::Play { ply, cell }),
        Just(ToGame::Undo),
        Just(ToGame::Redo),
        Just(ToGame::Hint),
        Just(ToGame::Resign),
        Just(ToGame::Continue),
        (0..8_u32).prop_map(|node| ToGame::Goto { node }),
        (0..8_u32).prop_map(|node| ToGame::Prune { node }),
        any::<bool>().prop_map(|on| ToGame::Analyse { on, lines: 2 }),
        any::<bool>().prop_map(|on| ToGame::Review { on, effort: None }),
        any::<bool>().prop_map(|paused| ToGame::Pause { paused }),
        (0..361_u16).prop_map(|cell| ToGame::Shapes { cell }),
        (0..8_u32, 0..361_u16).prop_map(|(node, cell)| ToGame::Win {
            node,
            winner: crate::wire::Colour::Black,
            stones: vec![cell],
        }),
        Just(ToGame::Overlays { shown: vec![Overlay::Threats, Overlay::Policy] }),
        Just(ToGame::PuzzleHint),
    ];
    let client = 0..4_u64;
    prop_oneof![
        2 => client.clone().prop_map(Happening::Join),
        2 => client.clone().prop_map(Happening::Leave),
        4 => (client, asked).prop_map(|(client, asked)| Happening::Ask(client, asked)),
        1 => Just(Happening::Work),
        1 => (0..40_u64).prop_map(Happening::Late),
        1 => Just(Happening::Wait),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn opening_and_closing_pages_in_any_order_leaves_no_work(
        happenings in proptest::collection::vec(happening(), 0..60),
    ) {
        let mut host = Host::new(random(), Seat::Person, TURN);
        let mut inside = BTreeSet::new();
        for happening in happenings {
            match happening {
                Happening::Join(client) if inside.insert(client) => {
                    host.step(Event::Join(ClientId(client), None));
                }
                Happening::Leave(client) => {
                    inside.remove(&client);
                    host.step(Event::Leave(ClientId(client)));
                }
                Happening::Ask(client, asked) if inside.contains(&client) => {
                    host.step(Event::Ask(ClientId(client), asked));
                }
                // Only short work: the searches would take their time.
                Happening::Work if host.jobs.first().is_some_and(|job| {
                    matches!(job.work, Work::Threats { .. } | Work::Shapes { .. })
                        || matches!(&job.work, Work::Think(search) if search.agent == "random")
                }) => host.work(),
                // News of a job that was cancelled, or never was.
                Happening::Late(number) if host.jobs.iter().all(|job| job.number.0 != number) => {
                    host.step(Event::Job(JobNumber(number), News::Done(Outcome::Unknown)));
                }
                Happening::Wait if host.room.next_wake().is_some() => host.wait(),
                _ => {}
            }
            prop_assert_eq!(host.room.is_empty(), inside.is_empty());
            if inside.is_empty() {
                prop_assert!(host.jobs.is_empty());
                prop_assert_eq!(host.room.next_wake(), None);
            }
        }
        for client in inside {
            host.step(Event::Leave(ClientId(client)));
        }
        prop_assert!(host.room.is_empty() && host.jobs.is_empty());
        prop_assert_eq!(host.room.next_wake(), None);
    }
}
