//! Games looked back at, taken back and brought back.

use super::*;
use collinear_play::{Reason, TimeControl};
use std::time::Duration;

fn agent() -> Seat {
    Seat::agent("random")
}

fn connect6(seats: [Seat; 2], cells: &[usize]) -> PageGame {
    let mut game = PageGame::new(Game::new(Rules::CONNECT6).with_seats(seats), 1);
    for &cell in cells {
        game.model.play(Cell::new(cell)).expect("legal");
    }
    game
}

fn moves(game: &PageGame) -> usize {
    game.model.position().history().len()
}

#[test]
fn undo_on_an_earlier_move_steps_back_and_loses_nothing() {
    let mut game = connect6([Seat::Person, Seat::Person], &[180, 1, 2, 3, 4, 5, 6]);
    let nodes = game.model.tree().len();
    game.goto(5).expect("a node");
    assert!(!game.model.is_live());
    game.undo().expect("a turn back");
    assert_eq!((moves(&game), game.model.tree().len()), (3, nodes));
    // Even another stone there only makes a variation.
    game.play_person(3, Cell::new(99)).expect("legal");
    assert_eq!(game.model.tree().len(), nodes + 1);
    game.goto(3).expect("a node");
    for wanted in [5, 7] {
        game.redo().expect("a turn forward");
        assert_eq!(moves(&game), wanted);
    }
    assert!(!game.can_redo() && game.redo().is_err());
}

#[test]
fn going_on_from_an_earlier_move_keeps_what_followed_it() {
    let mut game = connect6([Seat::Person, Seat::Person], &[180, 1, 2, 3, 4, 5, 6]);
    game.goto(5).expect("a node");
    game.model.go_on();
    game.undo().expect("a turn back");
    game.play_person(3, Cell::new(99)).expect("legal");
    assert_eq!(game.model.tree().len(), 9, "the line that was played stays");
}

#[test]
fn undo_against_an_agent_takes_both_turns_and_redo_brings_them_back() {
    let mut game = connect6([Seat::Person, agent()], &[180, 1, 2, 3, 4, 5, 6]);
    game.undo().expect("something to undo");
    assert_eq!((moves(&game), game.can_redo()), (3, true));
    game.redo().expect("something to redo");
    assert_eq!(moves(&game), 7);
    let second = connect6([agent(), Seat::Person], &[180]);
    assert!(!second.can_undo(), "the agent's first stone is not the person's to undo");
}

#[test]
fn agents_wait_while_one_looks_back() {
    let mut game = connect6([Seat::Person, agent()], &[180, 1, 2]);
    game.goto(1).expect("a node");
    assert_eq!(game.agent_to_move(), None);
    game.model.go_on();
    assert_eq!(game.agent_to_move(), Some((Player::White, "random")));
    assert!(matches!(game.play_person(1, Cell::new(3)), Err(Refusal::NotYours(_))));
    game.paused = true;
    assert_eq!(game.agent_to_move(), None);
}

#[test]
fn what_was_pruned_comes_back() {
    let mut game = connect6([Seat::Person, Seat::Person], &[180, 1, 2]);
    let whole = game.nodes();
    game.prune(2).expect("a node");
    assert_eq!(game.model.tree().len(), 2);
    game.restore().expect("just removed");
    assert_eq!(game.nodes(), whole);
    assert_eq!(game.restore(), Err(Refusal::NothingRemoved));
    game.prune(2).expect("a node");
    game.play_person(1, Cell::new(9)).expect("legal");
    assert_eq!(game.restore(), Err(Refusal::NothingRemoved));
}

#[test]
fn clocks_run_from_the_second_turn_and_come_back_with_undo() {
    let control: TimeControl = "clock=1s+100ms".parse().expect("a control");
    let game = Game::new(Rules::TICTACTOE).with_controls([control; 2]);
    let mut game = PageGame::new(game, 1);
    assert!(!game.clock_runs());
    game.play_person(0, Cell::new(4)).expect("legal");
    assert!(game.clock_runs() && !game.spend(Duration::from_millis(400)));
    game.play_person(1, Cell::new(0)).expect("legal");
    assert_eq!(game.board().clock.map(|clock| clock.left_ms), Some([1100, 700]));
    assert!(game.spend(Duration::from_secs(5)));
    assert_eq!(game.model.end().map(|end| end.reason), Some(Reason::TimeForfeit));
    game.undo().expect("takes the loss on time back");
    assert_eq!(game.board().clock.map(|clock| clock.left_ms), Some([1100, 700]));
}
