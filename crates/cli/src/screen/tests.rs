//! The screen without a terminal: keys in, drawn text out.

use collinear_play::{Line, Report, Value};
use collinear_rules::{Player, Rules, notation};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

use super::app::{App, Then, Wish};
use super::draw;
use super::menu::{Chosen, Menu, Seat};
use super::thinker::Said;

fn drawn(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| draw::game(frame, app)).expect("drawn");
    terminal.backend().to_string()
}

fn people(rules: Rules) -> App {
    App::new(rules, [Seat::Person, Seat::Person])
}

fn press(app: &mut App, keys: &[KeyCode]) {
    for &key in keys {
        assert_eq!(app.on_key(key), (Then::Stay, None));
    }
}

fn type_in(app: &mut App, line: &str) {
    press(app, &[KeyCode::Char(':')]);
    for sign in line.chars() {
        press(app, &[KeyCode::Char(sign)]);
    }
    press(app, &[KeyCode::Enter]);
}

#[test]
fn cursor_and_enter_place_stones() {
    let mut app = people(Rules::CONNECT6);
    press(&mut app, &[KeyCode::Enter, KeyCode::Right, KeyCode::Up, KeyCode::Enter]);
    assert_eq!(notation::names(&Rules::CONNECT6, app.position().history()), "j10 k11");
    let screen = drawn(&app, 80, 24);
    assert!(screen.contains("stone 2 of 2"), "{screen}");
    assert!(screen.contains("●") && screen.contains("[○]"), "{screen}");
    press(&mut app, &[KeyCode::Enter]);
    assert!(app.message.contains("occupied"), "{}", app.message);
}

#[test]
fn typed_moves_play_until_the_first_wrong_one() {
    let mut app = people(Rules::CONNECT6);
    type_in(&mut app, "j10 k11");
    assert_eq!(app.position().stone_count(), 1);
    assert!(app.message.contains("the turn is over"), "{}", app.message);
    type_in(&mut app, "k11 z99");
    assert_eq!(app.position().stone_count(), 2);
    assert!(app.message.contains("z99"), "{}", app.message);
}

#[test]
fn with_gravity_the_cursor_is_a_column() {
    let mut app = people(Rules::CONNECT4);
    press(&mut app, &[KeyCode::Enter, KeyCode::Enter, KeyCode::Left, KeyCode::Up, KeyCode::Enter]);
    assert_eq!(notation::names(&Rules::CONNECT4, app.position().history()), "d1 d2 c1");
    type_in(&mut app, "d");
    assert_eq!(app.position().history().last(), Rules::CONNECT4.cell(3, 2).as_ref());
}

#[test]
fn a_win_is_shown_and_can_be_taken_back() {
    let mut app = people(Rules::TICTACTOE);
    for cell in ["a1", "b1", "a2", "b2", "a3"] {
        type_in(&mut app, cell);
    }
    assert_eq!(app.message, "black wins: a1 a2 a3");
    let screen = drawn(&app, 60, 12);
    assert!(screen.contains("human  wins") && screen.contains("black wins"), "{screen}");
    press(&mut app, &[KeyCode::Char('u')]);
    assert!(!app.position().is_over());
}

#[test]
fn an_agent_is_asked_listened_to_and_taken_back() {
    let rules = Rules::GOMOKU;
    let mut app = App::new(rules, [Seat::Person, Seat::Agent("sextant".to_owned())]);
    assert_eq!(app.next_wish(), None);
    type_in(&mut app, "h8");
    let (wish, id) = app.next_wish().expect("the agent is to move");
    assert_eq!(wish, Wish::Turn(Player::White));
    assert_eq!(app.next_wish(), None, "asked once");
    let cell = notation::parse(&rules, "h9").expect("a cell");
    let line = Line { value: Value::Chance(0.25), stones: vec![cell] };
    app.hear(id, Said::Report(Report { depth: 7, lines: vec![line], ..Report::default() }));
    let screen = drawn(&app, 80, 24);
    assert!(screen.contains("depth 7") && screen.contains("white: 25 %  h9"), "{screen}");
    press(&mut app, &[KeyCode::Enter]);
    assert!(app.message.contains("played by sextant"), "{}", app.message);
    app.hear(id + 1, Said::Turn(vec![cell]));
    assert_eq!(app.position().stone_count(), 1, "an answer nobody asked for");
    app.hear(id, Said::Turn(vec![cell]));
    assert_eq!(app.position().stone_count(), 2);
    press(&mut app, &[KeyCode::Char('u')]);
    assert_eq!(app.position().stone_count(), 0, "back to the person's stone");
    app.hear(id, Said::Turn(vec![cell]));
    assert_eq!(app.position().stone_count(), 0, "an answer to an old question");
}

#[test]
fn a_failing_agent_is_reported_once() {
    let mut app = App::new(Rules::GOMOKU, [Seat::Agent("x".to_owned()), Seat::Person]);
    let (_, id) = app.next_wish().expect("the agent is to move");
    app.hear(id, Said::Failed("out of order".to_owned()));
    assert!(app.message.contains("out of order"));
    assert_eq!(app.next_wish(), None);
}

#[test]
fn a_hint_is_shown_on_the_board() {
    let mut app = people(Rules::GOMOKU);
    let (then, wish) = app.on_key(KeyCode::Char('h'));
    let (wish, id) = wish.expect("a wish");
    assert_eq!((then, wish), (Then::Stay, Wish::Hint));
    app.hear(id, Said::Turn(vec![notation::parse(&Rules::GOMOKU, "c3").expect("a cell")]));
    assert!(app.message.contains("hint: c3"));
    assert!(drawn(&app, 80, 24).contains("[?]"));
}

#[test]
fn every_window_size_shows_something_and_keeps_the_cursor_in_sight() {
    let mut app = people("64x64,k=6,p=2,q=1".parse().expect("rules"));
    type_in(&mut app, "a1");
    for (width, height) in [(1, 1), (10, 3), (16, 5), (20, 8), (40, 12), (80, 24), (300, 100)] {
        let screen = drawn(&app, width, height);
        if width >= 16 && height >= 5 {
            assert!(screen.contains("[●]"), "{width}×{height}\n{screen}");
        }
    }
    assert!(drawn(&people(Rules::CONNECT6), 80, 24).contains("human"), "the panel is there");
    assert!(drawn(&app, 15, 5).contains("too small"));
}

#[test]
fn keys_lead_to_help_the_menu_and_away() {
    let mut app = people(Rules::GOMOKU);
    press(&mut app, &[KeyCode::Char('?')]);
    assert!(drawn(&app, 80, 24).contains("any key closes this"));
    press(&mut app, &[KeyCode::Char('q')]);
    assert_eq!(app.on_key(KeyCode::Char('n')).0, Then::Menu);
    assert_eq!(app.on_key(KeyCode::Char('q')).0, Then::Quit);
}

#[test]
fn the_start_screen_offers_a_person_and_levels_for_every_game() {
    let mut menu = Menu::new(Rules::CONNECT6, collinear_agents::registry());
    let mut terminal = Terminal::new(TestBackend::new(60, 16)).expect("a terminal");
    for _ in 0..Rules::PRESETS.len() {
        assert!(menu.opponents.len() >= 4, "{}", menu.rules());
        terminal.draw(|frame| draw::menu(frame, &menu, "")).expect("drawn");
        let screen = terminal.backend().to_string();
        assert!(screen.contains("another person") && screen.contains("level 1"), "{screen}");
        menu.on_key(KeyCode::Tab);
    }
    menu.on_key(KeyCode::Left);
    menu.on_key(KeyCode::Up);
    menu.on_key(KeyCode::Up);
    let chosen = menu.on_key(KeyCode::Enter);
    assert_eq!(chosen, Chosen::Game(Rules::CONNECT6, [Seat::Person, Seat::Person]));
    assert_eq!(menu.on_key(KeyCode::Esc), Chosen::Quit);
}
