//! A whole room of a game by a link: two players, one who watches, and whatever else they try.

use std::sync::Arc;
use std::time::Duration;

use collinear_play::instant::Instant;
use collinear_room::wire::{
    BoardView, Colour, Fouls, FriendDeed, FriendsView, GameView, NewGame, OpeningChoice,
    OpeningRule, RulesForm, Seat, Timing, ToGame, ToLobby, ToPage, Wish,
};
use collinear_room::{
    Answer, ClientId, Effect, Event, Keep, Lobby, MemoryStore, Person, Room, Store, room_id,
};

const ANN: ClientId = ClientId(1);
const BEA: ClientId = ClientId(2);
const EVE: ClientId = ClientId(3);
const CLOCK: Timing = Timing::Clock { start_ms: 60_000, increment_ms: 1000 };

fn person(client: ClientId) -> Option<Person> {
    Person::read(&format!("{:032x}", client.0))
}

struct Host {
    lobby: Arc<Lobby>,
    room: Room,
    now: Instant,
    store: MemoryStore,
    told: Vec<(Option<ClientId>, ToPage)>,
    started: usize,
}

impl Host {
    fn new(form: RulesForm, timing: Timing, opening_rule: Option<OpeningRule>) -> Self {
        let registry = collinear_agents::registry();
        let lobby = Arc::new(Lobby { registry, books: Arc::default() });
        let store = MemoryStore::new(|| 0);
        let agent = Seat::Agent { spec: "random".to_owned(), label: String::new() };
        // Whatever the form says, both seats are for people.
        let game = NewGame { rules: form, black: agent, white: Seat::Person, timing, opening_rule };
        let Ok(Answer::Invite(game)) = lobby.answer(&store, ToLobby::Invite { game }, 7) else {
            panic!("an invitation")
        };
        let now = Instant::now();
        let room = Room::new(room_id("secret"), *game, Keep::Now, Arc::clone(&lobby), now);
        Self { lobby, room, now, store, told: Vec::new(), started: 0 }
    }

    fn connect_four() -> Self {
        Self::new(form(7, 6, 4, true), CLOCK, None)
    }

    /// Ann plays first, Bea second, Eve watches.
    fn with_players() -> Self {
        let mut host = Self::connect_four();
        host.join_all();
        host.sit(ANN, Colour::Black, "Ann");
        host.sit(BEA, Colour::White, "Bea");
        host
    }

    fn join_all(&mut self) {
        for client in [ANN, BEA, EVE] {
            self.step(Event::Join(client, person(client)));
        }
    }

    fn sit(&mut self, client: ClientId, colour: Colour, name: &str) {
        self.deed(client, FriendDeed::Sit { colour, name: name.to_owned(), clock: CLOCK });
    }

    fn step(&mut self, event: Event) {
        for effect in self.room.step(event, self.now) {
            match effect {
                Effect::Save(row) => self.store.save(&row).expect("in memory"),
                Effect::Tell(client, message) => self.told.push((Some(client), message)),
                Effect::TellAll(message) => self.told.push((None, message)),
                Effect::Start(_) => self.started += 1,
                Effect::Cancel(_) | Effect::Log(_) => {}
            }
        }
    }

    /// Asks for something; what was refused, if it was.
    fn ask(&mut self, client: ClientId, asked: ToGame) -> Option<String> {
        self.told.clear();
        self.step(Event::Ask(client, asked));
        self.told.iter().find_map(|(to, message)| match message {
            ToPage::Refused { text } if *to == Some(client) => Some(text.clone()),
            _ => None,
        })
    }

    fn deed(&mut self, client: ClientId, deed: FriendDeed) -> Option<String> {
        self.ask(client, ToGame::Friend { deed })
    }

    fn wish(&mut self, client: ClientId, wish: Wish) -> Option<String> {
        self.deed(client, FriendDeed::Ask { wish })
    }

    fn play(&mut self, client: ClientId, ply: u32, cell: u16) -> Option<String> {
        self.ask(client, ToGame::Play { ply, cell })
    }

    fn board(&mut self) -> BoardView {
        self.step(Event::Join(ClientId(99), None));
        let board = self.told.iter().rev().find_map(|(_, message)| match message {
            ToPage::Board { board } => Some(board.clone()),
            _ => None,
        });
        self.step(Event::Leave(ClientId(99)));
        board.expect("a board")
    }

    /// The room as a page was told last.
    fn friends(&mut self, client: ClientId) -> FriendsView {
        self.step(Event::Join(ClientId(99), None));
        self.step(Event::Leave(ClientId(99)));
        let told = self.told.iter().rev().find_map(|(to, message)| match message {
            ToPage::Friends { friends } if *to == Some(client) => Some(friends.clone()),
            _ => None,
        });
        told.expect("it was told")
    }

    fn game(&mut self) -> GameView {
        self.step(Event::Join(ClientId(99), None));
        let game = self.told.iter().rev().find_map(|(_, message)| match message {
            ToPage::Game { game } => Some((**game).clone()),
            _ => None,
        });
        self.step(Event::Leave(ClientId(99)));
        game.expect("a game")
    }

    /// The server is killed and started again: everybody is gone, the game as it was stored.
    fn restart(&mut self) {
        let game = self.store.load(&room_id("secret")).expect("read").expect("stored");
        let lobby = Arc::clone(&self.lobby);
        self.room = Room::new(room_id("secret"), game, Keep::Now, lobby, self.now);
    }
}

fn form(width: u32, height: u32, k: u32, gravity: bool) -> RulesForm {
    RulesForm { width, height, k, p: 1, q: 1, gravity, exact: false, fouls: Fouls::None }
}

#[test]
fn a_game_from_the_link_to_the_rematch() {
    let mut host = Host::connect_four();
    host.join_all();
    assert!(host.play(ANN, 0, 3).is_some_and(|why| why.contains("watching")));
    host.sit(ANN, Colour::Black, "Ann");
    assert!(host.play(ANN, 0, 3).is_some_and(|why| why.contains("both seats")));
    host.sit(BEA, Colour::White, "Bea");
    assert!(host.friends(BEA).agreed);
    assert_eq!(host.play(ANN, 0, 3), None);
    assert!(host.play(ANN, 1, 10).is_some_and(|why| why.contains("other player's turn")));
    // Refused, then granted: Bea's move goes with Ann's.
    assert_eq!(host.play(BEA, 1, 4), None);
    assert_eq!(host.wish(ANN, Wish::TakeBack), None);
    assert_eq!(host.deed(BEA, FriendDeed::Answer { yes: false }), None);
    assert_eq!(host.board().moves.len(), 2);
    host.wish(ANN, Wish::TakeBack);
    assert_eq!(host.deed(BEA, FriendDeed::Answer { yes: true }), None);
    assert_eq!(host.board().moves.len(), 0);
    // Four in column d.
    for (ply, column) in [3, 0, 3, 1, 3, 2, 3].into_iter().enumerate() {
        let (who, cell) =
            if ply % 2 == 0 { (ANN, ply as u16 / 2 * 7 + column) } else { (BEA, column) };
        assert_eq!(host.ask(who, ToGame::Play { ply: ply as u32, cell }), None, "{ply}");
    }
    let ending = host.board().ending.expect("four in a row");
    assert_eq!(ending.winner, Some(Colour::Black));
    assert!(host.wish(BEA, Wish::TakeBack).is_some_and(|why| why.contains("over")));
    // Both look through it; Eve only watches.
    assert_eq!(host.ask(BEA, ToGame::Goto { node: 0 }), None);
    assert!(host.ask(EVE, ToGame::Goto { node: 1 }).is_some());
    assert!(
        host.ask(BEA, ToGame::Play { ply: 2, cell: 9 }).is_some_and(|why| why.contains("over"))
    );
    assert_eq!(host.wish(BEA, Wish::Rematch), None);
    assert_eq!(host.deed(ANN, FriendDeed::Answer { yes: true }), None);
    assert!(host.board().moves.is_empty());
    let names: Vec<_> = host.game().info.into_iter().map(|info| info.value).collect();
    assert_eq!(names, ["Bea", "Ann"], "the colours are swapped");
    assert!(host.play(ANN, 0, 3).is_some());
    assert_eq!(host.play(BEA, 0, 3), None);
    // The game before is kept for itself, and the room as it is.
    let list = host.store.list().expect("a list");
    let mut kept: Vec<_> =
        list.iter().map(|game| (game.black.as_str(), game.finished, game.stones)).collect();
    kept.sort_unstable();
    assert_eq!(kept, [("Ann", true, 7), ("Bea", false, 1)]);
    assert_eq!(host.started, 0, "nobody was helped");
}

#[test]
fn who_watches_and_who_comes_by_another_connection_plays_nothing() {
    let mut host = Host::with_players();
    let stranger = ClientId(4);
    host.step(Event::Join(stranger, None));
    let before = host.board();
    for client in [EVE, stranger, ClientId(77)] {
        for asked in [
            ToGame::Play { ply: 0, cell: 3 },
            ToGame::Type { ply: 0, text: "d".to_owned() },
            ToGame::Choose { choice: OpeningChoice::Black },
            ToGame::Resign,
            ToGame::Retract,
            ToGame::Undo,
            ToGame::Redo,
            ToGame::Goto { node: 0 },
            ToGame::Continue,
            ToGame::Pause { paused: true },
            ToGame::Pace { ms: 1 },
            ToGame::Hint,
            ToGame::Analyse { on: true, lines: 3 },
            ToGame::Review { on: true, effort: None },
            ToGame::Comment { node: 0, text: "mine".to_owned() },
            ToGame::Prune { node: 0 },
            ToGame::Restore,
            ToGame::Promote { node: 0 },
            ToGame::Friend { deed: FriendDeed::Stand },
            ToGame::Friend { deed: FriendDeed::Ask { wish: Wish::TakeBack } },
            ToGame::Friend { deed: FriendDeed::Answer { yes: true } },
            ToGame::Friend { deed: FriendDeed::Withdraw },
            ToGame::Friend { deed: FriendDeed::Say { text: "hello".to_owned() } },
            ToGame::Friend { deed: FriendDeed::Quiet },
        ] {
            let refused = host.ask(client, asked.clone());
            // Who is not here is told nothing, either.
            assert!(refused.is_some() || client == ClientId(77), "{asked:?}");
        }
        for colour in [Colour::Black, Colour::White] {
            host.sit(client, colour, "Eve");
        }
    }
    assert_eq!(host.board(), before);
    let names = host.friends(ANN).seats.map(|seat| seat.map(|seat| seat.name));
    assert_eq!(names, [Some("Ann".to_owned()), Some("Bea".to_owned())]);
    assert_eq!(host.started, 0);
}

#[test]
fn players_have_no_help_either_and_type_no_stones_of_the_other() {
    let mut host = Host::with_players();
    for asked in [
        ToGame::Hint,
        ToGame::Analyse { on: true, lines: 1 },
        ToGame::Review { on: true, effort: None },
        ToGame::Undo,
        ToGame::Pause { paused: true },
        ToGame::Goto { node: 0 },
    ] {
        assert!(host.ask(ANN, asked.clone()).is_some(), "{asked:?}");
    }
    let text = "d e d".to_owned();
    assert!(host.ask(ANN, ToGame::Type { ply: 0, text }).is_some());
    assert!(host.board().moves.is_empty());
    assert_eq!(host.ask(ANN, ToGame::Type { ply: 0, text: "d".to_owned() }), None);
    assert_eq!(host.board().moves.len(), 1);
    // Each gives up for themselves, whoever is to move.
    assert_eq!(host.ask(ANN, ToGame::Resign), None);
    assert_eq!(host.board().ending.and_then(|ending| ending.winner), Some(Colour::White));
    assert!(host.game().analyst.is_none() && host.game().overlays.is_empty());
}

#[test]
fn who_comes_back_has_the_seat_again_also_after_a_restart() {
    let mut host = Host::with_players();
    host.play(ANN, 0, 3);
    host.step(Event::Leave(ANN));
    assert_eq!(host.friends(BEA).seats[0].as_ref().map(|seat| seat.here), Some(false));
    let again = ClientId(11);
    host.step(Event::Join(again, person(ANN)));
    assert_eq!(host.friends(again).you, Some(Colour::Black));
    assert_eq!(host.play(BEA, 1, 10), None);
    host.restart();
    let (ann, bea, eve) = (ClientId(21), ClientId(22), ClientId(23));
    for (client, was) in [(eve, EVE), (bea, BEA), (ann, ANN)] {
        host.step(Event::Join(client, person(was)));
    }
    assert_eq!(host.friends(eve).you, None);
    assert!(host.play(eve, 2, 17).is_some());
    assert_eq!(host.play(ann, 2, 17), None);
    assert_eq!(host.board().moves.len(), 3);
}

#[test]
fn clocks_run_only_while_a_player_is_there_and_come_back_with_a_take_back() {
    let mut host = Host::with_players();
    host.play(ANN, 0, 3);
    host.now += Duration::from_secs(10);
    host.play(BEA, 1, 10);
    let left = |board: BoardView| board.clock.map(|clock| clock.left_ms);
    assert_eq!(left(host.board()), Some([61_000, 51_000]));
    // Ann's clock runs while she is away and Bea waits, and stands still when only Eve watches.
    host.step(Event::Leave(ANN));
    host.now += Duration::from_secs(5);
    host.step(Event::Leave(BEA));
    host.now += Duration::from_secs(3600);
    host.step(Event::Join(ANN, person(ANN)));
    host.step(Event::Join(BEA, person(BEA)));
    assert_eq!(left(host.board()), Some([56_000, 51_000]));
    host.wish(ANN, Wish::TakeBack);
    host.deed(BEA, FriendDeed::Answer { yes: true });
    assert_eq!(left(host.board()), Some([60_000, 60_000]));
    host.play(ANN, 0, 3);
    host.now = host.room.next_wake().expect("Bea's clock runs out");
    host.step(Event::Time);
    assert_eq!(host.board().ending.and_then(|ending| ending.winner), Some(Colour::Black));
    assert!(host.friends(ANN).over);
}

#[test]
fn in_an_opening_the_players_follow_their_colours_and_the_chooser_opens_next() {
    let mut host = Host::new(form(15, 15, 5, false), CLOCK, Some(OpeningRule::Swap1));
    host.join_all();
    host.sit(ANN, Colour::Black, "Ann");
    host.sit(BEA, Colour::White, "Bea");
    let choose = |choice| ToGame::Choose { choice };
    assert!(host.ask(BEA, ToGame::Play { ply: 0, cell: 112 }).is_some());
    assert_eq!(host.ask(ANN, ToGame::Play { ply: 0, cell: 112 }), None);
    assert!(host.ask(ANN, choose(OpeningChoice::White)).is_some());
    assert_eq!(host.ask(BEA, choose(OpeningChoice::Black)), None);
    assert_eq!(host.friends(BEA).you, Some(Colour::Black));
    assert!(host.ask(BEA, ToGame::Play { ply: 1, cell: 113 }).is_some(), "White is next: Ann");
    assert_eq!(host.ask(ANN, ToGame::Play { ply: 1, cell: 113 }), None);
    assert_eq!(host.ask(BEA, ToGame::Resign), None);
    host.wish(ANN, Wish::Rematch);
    assert_eq!(host.deed(BEA, FriendDeed::Answer { yes: true }), None);
    assert_eq!(host.ask(BEA, ToGame::Play { ply: 0, cell: 112 }), None, "Bea opens");
}

#[test]
fn other_games_know_nothing_of_friends_and_the_lobby_opens_none_by_its_name() {
    let mut host = Host::with_players();
    host.play(ANN, 0, 3);
    let open = ToLobby::Open { id: Some(room_id("secret")), link: None };
    let answer = host.lobby.answer(&host.store, open, 1).expect("an answer");
    assert!(matches!(answer, Answer::Begin { .. }), "a fresh board, and not the friends' game");
    assert_eq!(host.store.latest_unfinished(), Ok(None));
    let game = host.lobby.default_game(1);
    let lobby = Arc::clone(&host.lobby);
    host.room = Room::new("a".to_owned(), game, Keep::Now, lobby, host.now);
    host.step(Event::Join(ANN, person(ANN)));
    assert!(host.wish(ANN, Wish::Chat).is_some_and(|why| why.contains("not played by a link")));
    assert_eq!(host.ask(ANN, ToGame::Play { ply: 0, cell: 180 }), None);
}
