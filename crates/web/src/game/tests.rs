//! Games played, taken back, left and ended.

use super::*;

const NO_CLOCK: Timing = Timing::Turn { ms: 100 };

fn agent() -> Seat {
    Seat::Agent { spec: "random".into(), label: "random".into() }
}

fn play(game: &mut Game, cells: &[usize]) {
    for &cell in cells {
        game.play(Cell::new(cell)).expect("legal");
    }
}

fn connect6(seats: [Seat; 2]) -> Game {
    Game::new(Rules::CONNECT6, seats, NO_CLOCK, 1)
}

#[test]
fn a_turn_of_two_stones_can_be_retracted_until_it_is_complete() {
    let mut game = connect6([Seat::Person, Seat::Person]);
    play(&mut game, &[180, 5]);
    assert_eq!((game.board().stones_left, game.board().turn_stones), (1, 2));
    game.retract().expect("one stone of two lies");
    assert_eq!(game.board().moves, [180]);
    assert_eq!(game.retract(), Err(Refusal::NothingToUndo));
    play(&mut game, &[6, 7]);
    assert_eq!(game.retract(), Err(Refusal::NothingToUndo));
    assert_eq!(game.tree.len(), 4);
}

#[test]
fn undo_against_an_agent_takes_both_turns() {
    let mut game = connect6([Seat::Person, agent()]);
    play(&mut game, &[180, 1, 2, 3, 4, 5, 6]);
    game.undo().expect("something to undo");
    assert_eq!(game.board().moves, [180, 1, 2]);
    game.undo().expect("the first stone");
    assert!(game.board().moves.is_empty() && game.tree.len() == 1);
    assert_eq!(game.undo(), Err(Refusal::NothingToUndo));
    let mut second = connect6([agent(), Seat::Person]);
    play(&mut second, &[180]);
    assert!(!second.board().can_undo, "the agent's first stone is not the person's to undo");
}

#[test]
fn another_move_in_the_past_is_a_variation() {
    let mut game = Game::new(Rules::TICTACTOE, [Seat::Person, Seat::Person], NO_CLOCK, 1);
    play(&mut game, &[4, 0, 8]);
    game.goto(1).expect("the first move");
    assert!(!game.is_live());
    play(&mut game, &[2]);
    assert!(game.is_live());
    assert_eq!(game.tree.children(NodeId::ROOT).count(), 1);
    assert_eq!(game.tree.len(), 5);
    game.promote(game.current().number()).expect("a node");
    assert_eq!(game.position_at(game.tree.tip(NodeId::ROOT)), *game.position());
}

#[test]
fn agents_wait_while_one_looks_back() {
    let mut game = Game::new(Rules::TICTACTOE, [Seat::Person, agent()], NO_CLOCK, 1);
    play(&mut game, &[4, 0]);
    game.goto(1).expect("a node");
    assert_eq!(game.agent_to_move(), None);
    game.go_on();
    assert_eq!(game.agent_to_move(), Some((Player::White, "random")));
    assert!(matches!(game.play_person(1, Cell::new(3)), Err(Refusal::NotYours(_))));
}

#[test]
fn resignation_and_its_undo() {
    let mut game = connect6([Seat::Person, agent()]);
    play(&mut game, &[180, 1, 2]);
    game.resign().expect("running");
    let end = game.ending().expect("over");
    assert_eq!((end.winner, end.reason), (Some(colour(Player::White)), EndingReason::Resigned));
    assert_eq!(game.play(Cell::new(9)), Err(Refusal::Over));
    game.undo().expect("takes the resignation back");
    assert_eq!(game.ending(), None);
    assert_eq!(game.board().moves.len(), 3);
}

#[test]
fn clocks_run_out_and_come_back_with_undo() {
    let timing = Timing::Clock { start_ms: 1000, increment_ms: 100 };
    let mut game = Game::new(Rules::TICTACTOE, [Seat::Person, Seat::Person], timing, 1);
    play(&mut game, &[4]);
    assert!(!game.spend(400));
    play(&mut game, &[0]);
    assert_eq!(game.left_ms, [1100, 700]);
    assert!(game.spend(5000));
    assert_eq!(game.ending().map(|e| e.reason), Some(EndingReason::Time));
    game.undo().expect("takes the loss on time back");
    assert_eq!(game.left_ms, [1100, 700]);
    game.undo().expect("takes the turn back");
    assert_eq!(game.left_ms, [1100, 1000]);
}
