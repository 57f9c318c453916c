//! The screen without a terminal: keys in, drawn text out.

use std::time::{Duration, Instant};

use collinear_play::{
    Agent, AgentError, AgentSpec, Answer, Budget, Fault, Games, Line, Reason, Registry, Report,
    Seat, Thought, TimeControl, Turn, Value,
};
use collinear_rules::typed::ColumnNumbers;
use collinear_rules::{Player, Rules, notation};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::crossterm::event::KeyCode;

use super::app::{App, Then};
use super::menu::{Chosen, Menu};
use super::thinkers::{News, Said, Thinkers, Wish};
use super::{Chair, PATIENCE, draw};

fn drawn(app: &App, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a terminal");
    terminal.draw(|frame| draw::game(frame, app)).expect("drawn");
    terminal.backend().to_string()
}

fn people(rules: Rules) -> App {
    App::new(rules, [Seat::Person, Seat::Person], TimeControl::default())
}

/// An agent's turn.
fn turn(cells: &[collinear_rules::Cell]) -> Said {
    Said::Answer(Answer { turn: Ok(cells.to_vec()), thought: Thought::default() })
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
fn a_typed_line_is_played_whole_or_not_at_all() {
    let mut app = people(Rules::CONNECT6);
    type_in(&mut app, "j10 k11");
    assert_eq!(app.position().stone_count(), 0);
    assert!(app.message.contains("the turn is over"), "{}", app.message);
    type_in(&mut app, "j10");
    for (line, reason) in [("k11 zz", "zz"), ("k11 k11", "occupied"), ("k11 l9 m8", "is over")] {
        type_in(&mut app, line);
        assert_eq!(app.position().stone_count(), 1, "{line}");
        assert!(app.message.contains(reason), "{line}: {}", app.message);
    }
    type_in(&mut app, "k11, l9");
    assert_eq!(app.position().stone_count(), 3);
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
    assert_eq!(app.message, "black (human) wins: a1 a2 a3");
    let screen = drawn(&app, 60, 12);
    assert!(screen.contains("human  wins") && screen.contains("black (human) wins"), "{screen}");
    press(&mut app, &[KeyCode::Char('u')]);
    assert!(!app.position().is_over());
}

#[test]
fn an_agent_is_asked_listened_to_and_taken_back() {
    let rules = Rules::GOMOKU;
    let mut app = App::new(rules, [Seat::Person, Seat::agent("sextant")], TimeControl::default());
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
    app.hear(id + 1, turn(&[cell]));
    assert_eq!(app.position().stone_count(), 1, "an answer nobody asked for");
    app.hear(id, turn(&[cell]));
    assert_eq!(app.position().stone_count(), 2);
    press(&mut app, &[KeyCode::Char('u')]);
    assert_eq!(app.position().stone_count(), 0, "back to the person's stone");
    app.hear(id, turn(&[cell]));
    assert_eq!(app.position().stone_count(), 0, "an answer to an old question");
}

#[test]
fn a_turn_is_taken_back_and_played_again() {
    let mut app = people(Rules::CONNECT6);
    type_in(&mut app, "j10");
    type_in(&mut app, "k11 l9");
    press(&mut app, &[KeyCode::Char('u')]);
    assert_eq!(app.position().stone_count(), 1);
    press(&mut app, &[KeyCode::Char('r')]);
    assert_eq!(app.position().stone_count(), 3);
    press(&mut app, &[KeyCode::Char('r')]);
    assert!(app.message.contains("nothing to play again"), "{}", app.message);
    press(&mut app, &[KeyCode::Enter]);
    assert!(app.message.contains("occupied"), "{}", app.message);
}

/// An agent that does one wrong thing.
struct Wrong(&'static str);

impl Agent for Wrong {
    fn choose(
        &mut self,
        position: &collinear_rules::Position,
        _: &Budget,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        match self.0 {
            "panics" => panic!("out of ideas"),
            "occupied" => Ok(position.history()[..1].to_vec()),
            "hangs" => loop {
                std::thread::sleep(Duration::from_secs(3600));
            },
            _ => Err(AgentError::GameOver),
        }
    }
}

macro_rules! wrong {
    ($name:literal) => {
        AgentSpec {
            name: $name,
            summary: "does one wrong thing",
            source: "a test",
            options: &[],
            aliases: None,
            games: Games::All,
            takes_wins: false,
            build: |_, _, _| Ok(Box::new(Wrong($name))),
        }
    };
}

static WRONG: [AgentSpec; 4] =
    [wrong!("panics"), wrong!("occupied"), wrong!("hangs"), wrong!("idles")];

#[test]
fn a_faulty_agent_loses_for_the_reason_it_has_in_a_match() {
    let registry = Registry::new(WRONG.iter().collect());
    for (spec, reason) in [
        ("panics", Reason::Crash),
        ("occupied", Reason::IllegalTurn),
        ("hangs", Reason::TimeForfeit),
        ("idles", Reason::AgentError),
    ] {
        let rules = Rules::GOMOKU;
        let chairs = [Chair(None), Chair::parse(&registry, spec).expect("known")];
        let mut thinkers = Thinkers::new(&registry, rules, &chairs, 1).expect("made");
        let control = TimeControl::turn(Duration::from_millis(10));
        let mut app = App::new(rules, chairs.map(|chair| chair.seat()), control);
        type_in(&mut app, "h8");
        let (wish, id) = app.next_wish().expect("the agent is to move");
        thinkers.ask(wish, id, app.question(wish)).expect("asked");
        if spec == "hangs" {
            assert!(thinkers.wait(Duration::from_millis(100)).is_none());
            assert_eq!(app.give_up_late(Instant::now()), None, "it is given time");
            let late = Instant::now() + PATIENCE + Duration::from_secs(1);
            assert_eq!(app.give_up_late(late), Some(wish));
            thinkers.dismiss(wish);
        } else {
            let News { id, said } = thinkers.wait(Duration::from_secs(60)).expect("an answer");
            app.hear(id, said);
        }
        let end = app.game().end().expect("the game is over");
        assert_eq!((end.winner, end.reason), (Some(Player::Black), reason), "{spec}");
        assert!(app.message.contains("black wins: "), "{}", app.message);
        assert_eq!(app.next_wish(), None, "nobody is asked after the end");
        // Taken back, the game goes on with a new agent in the place of the old one.
        press(&mut app, &[KeyCode::Char('u'), KeyCode::Char('p')]);
        let (wish, id) = app.next_wish().expect("the agent is to move again");
        thinkers.ask(wish, id, app.question(wish)).expect("asked again");
    }
}

#[test]
fn a_hint_that_fails_ends_nothing() {
    let mut app = people(Rules::GOMOKU);
    let (_, wish) = app.on_key(KeyCode::Char('h'));
    let fault = Fault::Crash("out of ideas".to_owned());
    let answer = Answer { turn: Err(fault), thought: Thought::default() };
    app.hear(wish.expect("a wish").1, Said::Answer(answer));
    assert!(app.message.contains("no hint: out of ideas"), "{}", app.message);
    assert!(!app.game().is_over());
}

#[test]
fn a_hint_is_shown_on_the_board() {
    let mut app = people(Rules::GOMOKU);
    let (then, wish) = app.on_key(KeyCode::Char('h'));
    let (wish, id) = wish.expect("a wish");
    assert_eq!((then, wish), (Then::Stay, Wish::Hint));
    app.hear(id, turn(&[notation::parse(&Rules::GOMOKU, "c3").expect("a cell")]));
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
    assert_eq!(app.on_key(KeyCode::Char('q')).0, Then::Quit, "nothing is lost");
}

#[test]
fn leaving_a_game_that_is_on_takes_two_keys() {
    let mut app = people(Rules::GOMOKU);
    type_in(&mut app, "h8");
    press(&mut app, &[KeyCode::Char('q')]);
    assert!(drawn(&app, 80, 24).contains("Leave this game?"));
    press(&mut app, &[KeyCode::Char('x')]);
    assert_eq!(app.position().stone_count(), 1);
    press(&mut app, &[KeyCode::Char('q')]);
    assert_eq!(app.on_key(KeyCode::Char('q')).0, Then::Quit);
}

#[test]
fn whose_turn_it_is_is_seen_in_a_narrow_window() {
    let mut app = people(Rules::CONNECT6);
    assert!(drawn(&app, 60, 24).contains("● black to move"));
    type_in(&mut app, "j10");
    assert!(drawn(&app, 60, 24).contains("○ white, stone 1 of 2"));
    press(&mut app, &[KeyCode::Char(':'), KeyCode::Char('k')]);
    let screen = drawn(&app, 60, 24);
    assert!(screen.contains("○ white, stone 1 of 2") && screen.contains(":k"), "{screen}");
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
    assert!(
        matches!(chosen, Chosen::Game(Rules::CONNECT6, [Chair(None), Chair(None)])),
        "{chosen:?}"
    );
    assert!(matches!(menu.on_key(KeyCode::Esc), Chosen::Quit));
}

/// Lets the agents answer until a person is asked or the game is over.
fn let_agents_act(app: &mut App, thinkers: &mut Thinkers) {
    while let Some((wish, id)) = app.next_wish() {
        thinkers.ask(wish, id, app.question(wish)).expect("asked");
        while app.is_thinking() {
            let news = thinkers.wait(Duration::from_secs(60)).expect("an answer");
            app.hear(news.id, news.said);
        }
    }
}

#[test]
fn colours_are_chosen_on_the_screen_from_both_sides() {
    let registry = collinear_agents::registry();
    let rules = Rules::GOMOKU;
    for person_opens in [true, false] {
        let agent = Chair::parse(&registry, "sextant:depth=1").expect("an agent");
        let chairs = if person_opens { [Chair(None), agent] } else { [agent, Chair(None)] };
        let control = TimeControl::nodes(2000);
        let mut thinkers = Thinkers::new(&registry, rules, &chairs, 1).expect("made");
        let mut app = App::new(rules, chairs.map(|chair| chair.seat()), control)
            .with_opening_rule(Some(collinear_play::OpeningRule::Swap2))
            .expect("gomoku has openings");
        if person_opens {
            let screen = drawn(&app, 80, 24);
            assert!(screen.contains("3 more to place"), "{screen}");
            // White is far behind: whoever chooses takes Black, or two more stones are put.
            type_in(&mut app, "h8 a1 i9");
            press(&mut app, &[KeyCode::Char('b')]);
            assert!(app.game().black().is_none(), "it is the agent's choice");
            let_agents_act(&mut app, &mut thinkers);
            assert!(app.message.contains("sextant:depth=1"), "{}", app.message);
            if app.game().step().is_some() {
                type_in(&mut app, "white");
            }
        } else {
            let_agents_act(&mut app, &mut thinkers);
            assert_eq!(app.position().stone_count(), 3);
            assert!(app.message.contains("has put the stones"), "{}", app.message);
            let screen = drawn(&app, 80, 24);
            assert!(screen.contains("black, white, or two"), "{screen}");
            press(&mut app, &[KeyCode::Char('2')]);
            assert!(app.message.contains("puts two more stones"), "{}", app.message);
            type_in(&mut app, "a15 b15");
            let_agents_act(&mut app, &mut thinkers);
        }
        assert!(app.game().black().is_some(), "{}", app.message);
        // Whoever is an agent answers with the thread that is its own.
        let stones = app.position().stone_count();
        if app.game().seat_to_move().is_person() {
            type_in(&mut app, "o15");
        }
        let_agents_act(&mut app, &mut thinkers);
        assert!(app.position().stone_count() > stones && app.game().seat_to_move().is_person());
    }
}

#[test]
fn digits_are_columns_where_stones_fall() {
    let mut app = people(Rules::CONNECT4);
    press(&mut app, &[KeyCode::Char('4'), KeyCode::Char('7')]);
    assert_eq!(notation::names(&Rules::CONNECT4, app.position().history()), "d1 g1");
    // Document 003 counts from 0.
    let mut app = people(Rules::CONNECT4).with_columns(ColumnNumbers::FromZero);
    press(&mut app, &[KeyCode::Char('0'), KeyCode::Char('6'), KeyCode::Char('7')]);
    assert_eq!(notation::names(&Rules::CONNECT4, app.position().history()), "a1 g1");
    assert!(app.message.contains("there are 7, from 0"), "{}", app.message);
    let screen = drawn(&app, 80, 24);
    assert!(screen.contains(" 0 1 2 3 4 5 6"), "{screen}");
    type_in(&mut app, "chains");
    assert_eq!(app.message, "black: 1 in a row a1; white: 1 in a row g1");
    // On other boards a digit is no move.
    let mut app = people(Rules::CONNECT6);
    press(&mut app, &[KeyCode::Char('4')]);
    assert!(app.position().history().is_empty());
}
