//! Openings against a plain twin, agents that choose, and games that go on from there.

use std::fmt::Write as _;

use proptest::prelude::*;

use super::*;
use crate::{
    Agent, Budget, End, Event, Game, GameRecord, Line, NodeId, Referee, Refusal, Report, Seat,
    StopFlag, Turn, Value,
};
use collinear_rules::{Cell, Position};

/// The plain twin: every way an opening can go, written down by hand. `A` and `B` are the opener and
/// the chooser; a number is so many stones, `x` takes Black, `o` takes White, `+` puts two more.
/// Behind the arrow stands who plays Black and after how many stones.
const WAYS: [(OpeningRule, &str); 8] = [
    (OpeningRule::Swap1, "A1 Bx > B 1"),
    (OpeningRule::Swap1, "A1 Bo > A 1"),
    (OpeningRule::Swap, "A3 Bx > B 3"),
    (OpeningRule::Swap, "A3 Bo > A 3"),
    (OpeningRule::Swap2, "A3 Bx > B 3"),
    (OpeningRule::Swap2, "A3 Bo > A 3"),
    (OpeningRule::Swap2, "A3 B+ B2 Ax > A 5"),
    (OpeningRule::Swap2, "A3 B+ B2 Ao > B 5"),
];

const fn letter(side: Side) -> char {
    match side {
        Side::Opener => 'A',
        Side::Chooser => 'B',
    }
}

fn gomoku(rule: OpeningRule) -> Game {
    let seats = [Seat::agent("first"), Seat::agent("second")];
    let game = Game::new(Rules::GOMOKU).with_seats(seats);
    game.with_opening_rule(rule).expect("gomoku has openings")
}

/// Goes through an opening, choosing by these numbers, and writes down how it went.
fn walk(rule: OpeningRule, choices: &[u8], cells: &[usize]) -> (String, Game) {
    let mut game = gomoku(rule);
    let (mut told, mut choices) = (String::new(), choices.iter());
    let mut cells = cells.iter().map(|&cell| Cell::new(cell));
    while let Some(step) = game.step() {
        told.push(letter(step.side()));
        match step {
            Step::Place { stones, .. } => {
                let _ = write!(told, "{stones} ");
                for left in (0..stones).rev() {
                    assert!(
                        matches!(game.step(), Some(Step::Place { stones, .. }) if stones == left + 1)
                    );
                    let cell = cells.find(|&cell| game.position().is_empty(cell));
                    game.play(cell.expect("a free cell")).expect("legal");
                }
            }
            Step::Choose { two_stones, .. } => {
                let all = [Choice::Black, Choice::White, Choice::TwoStones];
                let all = &all[..if two_stones { 3 } else { 2 }];
                let nth = choices.next().map_or(0, |n| usize::from(*n) % all.len());
                told.push(['x', 'o', '+'][nth]);
                told.push(' ');
                assert_eq!(
                    game.play(Cell::new(224)).expect_err("first a choice"),
                    Refusal::Opening(DialogueError::ChoiceFirst)
                );
                game.choose(all[nth]).expect("allowed");
            }
        }
    }
    let black = game.black().expect("settled");
    let _ = write!(told, "> {} {}", letter(black), game.opening());
    (told, game)
}

proptest! {
    #[test]
    fn every_opening_is_one_of_the_plain_ways(
        rule in prop::sample::select(&OpeningRule::ALL[..]),
        choices in prop::collection::vec(any::<u8>(), 2),
        cells in prop::collection::hash_set(0_usize..224, 5),
    ) {
        let cells: Vec<usize> = cells.into_iter().collect();
        let (told, game) = walk(rule, &choices, &cells);
        prop_assert!(WAYS.contains(&(rule, told.as_str())), "{told}");
        // Whoever has Black sits there.
        let opener_is_black = game.black() == Some(Side::Opener);
        let first = usize::from(!opener_is_black);
        prop_assert_eq!(game.seats[first].label(), "first");
        prop_assert_eq!(game.position().to_move(), Player::White);
        // It comes back from what is written down.
        let text = serde_json::to_string(game.dialogue().expect("there")).expect("plain data");
        let dialogue = serde_json::from_str(&text).expect("reads");
        let back = Game::from_record(game.record()).expect("legal").with_dialogue(dialogue);
        let back = back.expect("possible");
        prop_assert_eq!(back.dialogue(), game.dialogue());
        // What was settled stays.
        let mut game = game;
        prop_assert_eq!(game.undo(), Err(Refusal::NothingToUndo));
        let first = game.tree().first_child(NodeId::ROOT).expect("a stone");
        prop_assert_eq!(game.remove(first), Err(Refusal::Opening(DialogueError::Fixed)));
        prop_assert_eq!(game.choose(Choice::Black), Err(Refusal::Opening(DialogueError::Settled)));
        prop_assert_eq!(game.record().turns().expect("legal").len(), 0);
    }

    #[test]
    fn what_a_file_says_may_be_anything(
        rule in prop::sample::select(&OpeningRule::ALL[..]),
        deeds in prop::collection::vec((any::<bool>(), 0_u8..4, 0_usize..7), 0..5),
        stones in 0_usize..8,
    ) {
        let deeds = deeds.into_iter().map(|(first, choice, stones)| Deed {
            side: if first { Side::Opener } else { Side::Chooser },
            choice: [None, Some(Choice::Black), Some(Choice::White), Some(Choice::TwoStones)][usize::from(choice)],
            stones,
            chance: None,
        });
        let dialogue = Dialogue { rule, deeds: deeds.collect() };
        let moves: Vec<Cell> = (0..stones).map(|n| Cell::new(17 * n)).collect();
        let record = GameRecord::from_moves(Rules::GOMOKU, &moves).expect("legal");
        if let Ok(game) = Game::from_record(record).expect("legal").with_dialogue(dialogue) {
            // Told in the plain form, it is the beginning of a way.
            let told = game.dialogue().expect("there").deeds().iter().map(|deed| {
                let what = match deed.choice {
                    None => (if deed.stones == 5 { "2" } else if rule == OpeningRule::Swap1 { "1" } else { "3" }).to_owned(),
                    Some(Choice::Black) => "x".to_owned(),
                    Some(Choice::White) => "o".to_owned(),
                    Some(Choice::TwoStones) => "+".to_owned(),
                };
                format!("{}{what}", letter(deed.side))
            });
            let told = told.collect::<Vec<_>>().join(" ");
            prop_assert!(WAYS.iter().any(|(r, way)| *r == rule && way.starts_with(&told)), "{told}");
        }
    }
}

#[test]
fn all_ways_are_gone() {
    let mut seen: Vec<(OpeningRule, String)> = Vec::new();
    for rule in OpeningRule::ALL {
        for (a, b) in [(0, 0), (1, 0), (2, 0), (2, 1)] {
            let told = walk(rule, &[a, b], &[7, 100, 30, 61, 90]).0;
            if !seen.contains(&(rule, told.clone())) {
                seen.push((rule, told));
            }
        }
    }
    assert_eq!(seen.len(), WAYS.len());
}

#[test]
fn stones_of_the_step_under_way_can_be_taken_back_by_a_person() {
    let mut game = Game::new(Rules::GOMOKU).with_opening_rule(OpeningRule::Swap2).expect("fits");
    assert!(!game.can_undo());
    for cell in [112, 113] {
        game.play(Cell::new(cell)).expect("legal");
    }
    game.undo().expect("the second stone");
    assert_eq!(game.step(), Some(Step::Place { side: Side::Opener, stones: 2 }));
    assert_eq!(game.tree().len(), 2);
    // From an earlier node nothing else is begun.
    game.play(Cell::new(114)).expect("legal");
    game.go_to(NodeId::ROOT).expect("there");
    assert_eq!(game.play(Cell::new(1)), Err(Refusal::Opening(DialogueError::Fixed)));
    game.go_on();
    game.play(Cell::new(115)).expect("legal");
    assert!(matches!(game.step(), Some(Step::Choose { side: Side::Chooser, two_stones: true })));
    assert!(!game.can_undo() && game.undo().is_err());
    game.choose(Choice::TwoStones).expect("allowed");
    assert!(!game.can_undo());
    game.play(Cell::new(116)).expect("legal");
    game.undo().expect("the fourth stone");
    game.play(Cell::new(117)).expect("legal");
    game.play(Cell::new(118)).expect("legal");
    assert_eq!(game.choose(Choice::TwoStones), Err(Refusal::Opening(DialogueError::OnlyColours)));
    game.choose(Choice::White).expect("allowed");
    assert_eq!((game.black(), game.opening()), (Some(Side::Chooser), 5));
    game.play(Cell::new(119)).expect("White's sixth stone");
    game.undo().expect("the sixth stone");
    assert_eq!(game.position().history().len(), 5);
}

#[test]
fn games_without_such_openings_refuse_them() {
    for game in ["connect6", "connect4", "tictactoe", "5x5,k=5", "9x9,k=3"] {
        let game = Game::new(game.parse().expect("rules"));
        let refused = game.with_opening_rule(OpeningRule::Swap2).expect_err("refused");
        assert!(refused.to_string().contains("one stone per turn"), "{refused}");
    }
    for size in [15, 17, 19, 20] {
        let rules: Rules = format!("{size}x{size},k=5").parse().expect("rules");
        assert_eq!(OpeningRule::Swap2.check(&rules), Ok(()));
        let all = candidates(&Position::new(rules), 3);
        assert_eq!(all.len(), 24);
        assert!(all.iter().all(|stones| Position::from_moves(rules, stones).is_ok()));
    }
    assert!("swap3".parse::<OpeningRule>().is_err());
}

/// Gives Black this chance in every position, and plays the first free cell.
struct Sure(f32);

impl Agent for Sure {
    fn choose(
        &mut self,
        position: &Position,
        _: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, crate::AgentError> {
        let black = position.to_move() == Player::Black;
        let chance = if black { self.0 } else { 1.0 - self.0 };
        let stones = position.legal_cells().into_iter().take(1).collect::<Turn>();
        let lines = vec![Line { value: Value::Chance(chance), stones: stones.clone() }];
        on(&Report { nodes: 1, lines, ..Report::default() });
        Ok(stones)
    }
}

#[test]
fn agents_take_what_they_think_is_ahead() {
    // Black's chance as A and B see it: how the opening goes.
    let cases = [
        (OpeningRule::Swap2, 0.5, 0.7, "A3 Bx"),
        (OpeningRule::Swap2, 0.5, 0.3, "A3 Bo"),
        (OpeningRule::Swap2, 0.7, 0.5, "A3 B+ B2 Ax"),
        (OpeningRule::Swap2, 0.3, 0.51, "A3 B+ B2 Ao"),
        (OpeningRule::Swap, 0.3, 0.51, "A3 Bx"),
        (OpeningRule::Swap1, 0.3, 0.9, "A1 Bx"),
    ];
    for (rule, a, b, expected) in cases {
        let mut game = gomoku(rule);
        let (mut first, mut second) = (Sure(a), Sure(b));
        let mut referee = Referee { max_stones: Some(12), ..Referee::default() };
        let agents: [&mut dyn Agent; 2] = [&mut first, &mut second];
        let mut steps = 0;
        let end = referee.play(&mut game, agents, &mut |event| {
            steps += usize::from(matches!(event, Event::Opening(_)));
            None
        });
        assert_eq!(end, End::drawn(crate::Reason::MoveLimit));
        let deeds = game.dialogue().expect("there").deeds();
        assert_eq!(steps, deeds.len());
        let told: Vec<String> = deeds
            .iter()
            .scan(0, |before, deed| {
                let put = deed.stones - std::mem::replace(before, deed.stones);
                let what = match deed.choice {
                    None => put.to_string(),
                    Some(Choice::Black) => "x".to_owned(),
                    Some(Choice::White) => "o".to_owned(),
                    Some(Choice::TwoStones) => "+".to_owned(),
                };
                Some(format!("{}{what}", letter(deed.side)))
            })
            .collect();
        assert_eq!(told.join(" "), expected);
        // The sixth stone and so on are played by whoever has the colour.
        let record = game.record();
        assert_eq!(record.turns().expect("legal").len(), 12 - game.opening());
        assert_eq!(record.metadata.get("opening-rule").map(String::as_str), Some(rule.name()));
        let chooser = deeds.iter().find(|deed| deed.choice.is_some()).expect("a choice");
        assert!((chooser.chance.expect("a chance") - b).abs() < 1e-6);
    }
}

#[test]
fn deeds_are_told_in_a_sentence() {
    let deed = |choice, chance| Deed { side: Side::Chooser, choice, stones: 3, chance };
    for (deed, words) in [
        (deed(Some(Choice::Black), Some(0.58)), "kate takes Black: Black wins 58 %"),
        (deed(Some(Choice::White), Some(0.42)), "kate takes White: White wins 58 %"),
        (deed(None, None), "kate has put the stones"),
    ] {
        assert_eq!(deed.words("kate"), words);
    }
    let two = deed(Some(Choice::TwoStones), Some(0.51)).words("kate");
    assert!(two.contains("neither side is ahead"), "{two}");
}

#[test]
fn a_fault_in_an_opening_loses_the_game() {
    struct Broken;
    impl Agent for Broken {
        fn choose(
            &mut self,
            _: &Position,
            _: &Budget,
            _: &mut dyn FnMut(&Report),
        ) -> Result<Turn, crate::AgentError> {
            Err(crate::AgentError::Engine("pipe broke".to_owned()))
        }
    }
    let mut game = gomoku(OpeningRule::Swap2);
    let (mut first, mut second) = (Sure(0.5), Broken);
    let agents: [&mut dyn Agent; 2] = [&mut first, &mut second];
    let end = Referee::default().play(&mut game, agents, &mut |_| None);
    assert_eq!((end.winner, end.reason), (Some(Player::Black), crate::Reason::AgentError));
    assert_eq!(game.position().history().len(), 3);
    let mut stopped = Referee { stop: StopFlag::default(), ..Referee::default() };
    stopped.stop.stop();
    let agents: [&mut dyn Agent; 2] = [&mut Sure(0.5), &mut Sure(0.5)];
    let end = stopped.play(&mut gomoku(OpeningRule::Swap2), agents, &mut |_| None);
    assert_eq!(end, End::called_off());
}
