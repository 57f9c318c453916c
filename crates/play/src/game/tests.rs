//! A game as people and agents use it.

use super::*;
use crate::Clock;
use crate::testing::{Scripted, lowest};

fn played(cells: &[usize]) -> Game {
    let mut game = Game::new(Rules::CONNECT6);
    for &cell in cells {
        game.play(Cell::new(cell)).expect("legal");
    }
    game
}

fn against_agent(mut game: Game) -> Game {
    game.seats[1] = Seat::agent("sample");
    game
}

#[test]
fn stones_turns_and_refusals() {
    let mut game = played(&[0, 1]);
    assert!(matches!(game.play(Cell::new(1)), Err(Refusal::Illegal { .. })));
    assert!(matches!(game.play(Cell::new(999)), Err(Refusal::Illegal { .. })));
    assert!(game.play_turn(&[Cell::new(2), Cell::new(3)], Thought::default()).is_err());
    assert_eq!(game.position().history().len(), 2, "a turn is played whole or not at all");
    game.play_turn(&[Cell::new(2)], Thought::default()).expect("the rest of the turn");
    assert_eq!(game.position().to_move(), Player::Black);
}

#[test]
fn retract_takes_one_stone_of_an_unfinished_turn() {
    let mut game = played(&[0, 1]);
    game.retract().expect("a stone");
    assert_eq!(game.position().history().len(), 1);
    assert_eq!(game.retract(), Err(Refusal::NothingToUndo));
    assert!(game.can_redo());
    game.redo().expect("the stone again");
    assert_eq!(game.position().history().len(), 2);
}

#[test]
fn undo_goes_back_to_the_person_and_redo_returns() {
    let mut game = against_agent(played(&[0, 1, 2, 3, 4, 5, 6]));
    let tip = game.node();
    game.undo().expect("two turns");
    assert_eq!(game.position().history().len(), 3);
    assert!(game.is_live() && game.tree().contains(tip));
    game.redo().expect("again");
    assert_eq!(game.node(), tip);
    assert_eq!(game.redo(), Err(Refusal::NothingToRedo));
    game.undo().expect("two turns");
    game.undo().expect("two more");
    assert_eq!(game.undo(), Err(Refusal::NothingToUndo));
    game.redo().expect("the first two");
    assert_eq!(game.position().history().len(), 3);
    game.redo().expect("the rest");
    assert_eq!(game.node(), tip);
}

#[test]
fn a_turn_that_was_taken_back_stays_as_a_variation() {
    let mut game = played(&[0, 1, 2]);
    let tip = game.node();
    game.undo().expect("a turn");
    game.play(Cell::new(9)).expect("legal");
    game.play(Cell::new(10)).expect("legal");
    assert!(game.tree().contains(tip) && game.tree().has_variations());
    // The game itself is what was played instead.
    assert_eq!(game.tree().tip(NodeId::ROOT), game.node());
    assert_eq!(game.record().moves(), [0, 9, 10].map(Cell::new));
}

#[test]
fn a_variation_that_was_taken_back_stays_and_another_comes_after_it() {
    let mut game = Game::new(Rules::GOMOKU);
    for cell in [112, 113, 114] {
        game.play(Cell::new(cell)).expect("legal");
    }
    let (tip, first) = (game.node(), game.tree().main_line().nth(1).expect("a node"));
    game.go_to(first).expect("there");
    game.play(Cell::new(64)).expect("a variation");
    let variation = game.node();
    game.undo().expect("a turn");
    game.play(Cell::new(160)).expect("another one");
    assert!(game.tree().contains(variation));
    assert_eq!(game.tree().tip(NodeId::ROOT), tip, "the main line is what it was");
    assert_eq!(game.tree().children(first).count(), 3);
}

#[test]
fn a_stone_of_an_unfinished_turn_makes_room_unless_somebody_wrote_there() {
    let mut game = played(&[0, 1]);
    let tip = game.node();
    game.retract().expect("a stone");
    game.play(Cell::new(9)).expect("legal");
    assert!(!game.tree().contains(tip) && !game.tree().has_variations());

    let mut game = played(&[0, 1]);
    let tip = game.node();
    game.notes_mut(tip).expect("there").comment = "why not?".into();
    game.retract().expect("a stone");
    game.play(Cell::new(9)).expect("legal");
    assert!(game.tree().contains(tip) && game.tree().has_variations());
}

#[test]
fn ends_that_the_stones_do_not_show() {
    let mut game = against_agent(played(&[0, 1]));
    assert_eq!(game.who_resigns(), Player::Black);
    game.resign(Player::Black).expect("going on");
    assert_eq!(game.end(), Some(End::won(Player::White, Reason::Resignation)));
    assert_eq!(game.play(Cell::new(9)), Err(Refusal::Over));
    assert_eq!(game.resign(Player::Black), Err(Refusal::Over));
    assert_eq!(game.record().end, game.end());
    game.undo().expect("the resignation");
    assert_eq!(game.end(), None);
    game.forfeit(Player::White, &Fault::Crash("gone".into())).expect("going on");
    assert!(game.end().is_some_and(|end| end.is_fault() && end.winner == Some(Player::Black)));
    let node = game.node();
    game.go_to(NodeId::ROOT).expect("there");
    assert!(!game.is_over() && !game.is_live());
    game.remove(node).expect("there");
    assert_eq!(game.declared_end(), None);
}

#[test]
fn walking_branching_and_promoting() {
    let mut game = played(&[0, 1, 2]);
    let (tip, first) = (game.node(), game.tree().main_line().nth(1).expect("a node"));
    game.go_to(first).expect("there");
    assert!(!game.is_live());
    game.play(Cell::new(7)).expect("a variation");
    assert!(game.is_live());
    let branch = game.node();
    game.promote(branch).expect("there");
    assert_eq!(game.tree().tip(NodeId::ROOT), branch);
    game.remove(branch).expect("there");
    assert_eq!(game.node(), first);
    assert_eq!(game.go_to(branch), Err(Refusal::NoSuchNode));
    assert!(game.notes_mut(branch).is_err() && game.position_at(branch).is_none());
    assert_eq!(game.turn_ends(tip).len(), 3);
}

#[test]
fn clocks_run_and_come_back() {
    let second = Duration::from_secs(1);
    let clock = Clock { left: 10 * second, increment: second };
    let control = TimeControl { clock: Some(clock), ..TimeControl::default() };
    let mut game = Game::new(Rules::CONNECT6).with_controls([control; 2]);
    assert!(!game.spend(2 * second));
    game.play(Cell::new(0)).expect("legal");
    assert_eq!(game.left(Player::Black), Some(9 * second));
    assert!(!game.spend(3 * second));
    game.play(Cell::new(1)).expect("legal");
    game.play(Cell::new(2)).expect("legal");
    assert_eq!(game.left(Player::White), Some(8 * second));
    assert_eq!(game.budget(StopFlag::default()).clock.map(|c| c.left), Some(9 * second));
    assert!(game.spend(9 * second));
    assert_eq!(game.end(), Some(End::won(Player::White, Reason::TimeForfeit)));
    game.undo().expect("the end");
    assert_eq!(game.left(Player::Black), Some(9 * second));
    game.undo().expect("a turn");
    assert_eq!(game.left(Player::White), Some(10 * second));
}

#[test]
fn an_agent_is_asked_and_its_fault_leaves_the_game_as_it_was() {
    let mut game = played(&[0]);
    let mut watchdog = Watchdog::default();
    let turn = game
        .ask(&mut Scripted(lowest), &mut watchdog, StopFlag::default(), &mut |_| {})
        .expect("a turn");
    assert_eq!((turn.player, turn.stones.len()), (Player::White, 2));
    let node = game.node();
    let fault = game
        .ask(&mut Scripted(|_, _| Ok(vec![])), &mut watchdog, StopFlag::default(), &mut |_| {})
        .expect_err("no turn");
    assert_eq!((fault.reason(), game.node()), (Reason::IllegalTurn, node));
    game.forfeit(Player::Black, &fault).expect("going on");
    let record = game.into_record();
    let turns = record.turns().expect("legal");
    assert_eq!(turns.len(), 3);
    assert!(turns[1] == turn && turns[2].stones.is_empty());
}

#[test]
fn a_game_survives_its_record() {
    let mut game = against_agent(played(&[0, 1, 2]));
    game.resign(Player::Black).expect("going on");
    let record = game.record();
    let back = Game::from_record(record.clone()).expect("legal");
    assert_eq!(back.position(), game.position());
    assert_eq!(back.end(), game.end());
    assert_eq!(back.record(), record);
}
