//! Games by a link over the real server: two people who lose their connection, fifty rooms at once, and
//! whatever somebody may try who has one link and wants more.

mod common;

use std::fmt::Write as _;

use collinear_web::{Access, Config, Server};
use common::{PATIENCE, Page, agent, config, connect6, person};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Error;

const ROOMS: usize = 50;

/// Three in a row for who moves first: `a` plays 0, 1, 2, `b` plays 3, 4.
const MOVES: [u16; 5] = [0, 3, 1, 4, 2];

fn tictactoe() -> Value {
    json!({"width": 3, "height": 3, "k": 3, "p": 1, "q": 1, "gravity": false, "exact": false})
}

fn clock() -> Value {
    json!({"type": "clock", "startMs": 600_000, "incrementMs": 0})
}

fn stones(board: &Value) -> usize {
    board["board"]["moves"].as_array().map_or(0, Vec::len)
}

/// An identity as a browser keeps it.
fn identity(number: usize) -> String {
    format!("{number:032x}")
}

/// A server with a token, and what its owner has.
struct Place {
    address: String,
    port: u16,
    token: String,
    gauge: collinear_web::Gauge,
}

impl Place {
    async fn start(config: Config) -> Self {
        let server = Server::bind(Config { access: Access::Token, ..config }).await;
        let server = server.expect("a server");
        let (url, address) = (server.url().to_owned(), server.address());
        let gauge = server.gauge();
        tokio::spawn(server.run(std::future::pending()));
        let token = url.split("token=").nth(1).expect("a token").to_owned();
        Self { address: address.to_string(), port: address.port(), token, gauge }
    }

    fn cookie(&self, name: &str, value: &str) -> String {
        format!("collinear_{name}_{}={value}", self.port)
    }

    async fn owner(&self) -> Page {
        let cookie = self.cookie("token", &self.token);
        Page::open_at(&self.address, "/socket", &cookie).await.expect("the owner comes in")
    }

    /// Comes by the link of a room, with an identity.
    async fn friend(&self, room: &str, who: usize) -> Friend {
        let cookie = self.cookie("player", &identity(who));
        let page = Page::open_at(&self.address, &format!("/socket?room={room}"), &cookie).await;
        let mut page = page.expect("the link lets in");
        // As the page does when it has connected.
        page.say(json!({"type": "sync", "number": 1})).await;
        Friend { page }
    }

    async fn invite(&self, rules: Value) -> String {
        let mut owner = self.owner().await;
        let game = json!({"rules": rules, "black": person(), "white": person(), "timing": clock()});
        owner.say(json!({"type": "invite", "game": game})).await;
        owner.hear("invited").await["room"].as_str().expect("a secret").to_owned()
    }

    /// Sends a request with these cookies and returns the whole answer.
    async fn request(&self, path: &str, cookies: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).await.expect("a connection");
        let mut text = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
        let _ = write!(text, "Host: {}\r\nCookie: {cookies}\r\n\r\n", self.address);
        stream.write_all(text.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.expect("an answer");
        String::from_utf8_lossy(&answer).into_owned()
    }

    async fn status(&self, path: &str, cookies: &str) -> String {
        let answer = self.request(path, cookies).await;
        answer.split(' ').nth(1).unwrap_or_default().to_owned()
    }

    /// Why a socket is not opened.
    async fn refused(&self, path: &str, cookies: &str) -> u16 {
        match Page::open_at(&self.address, path, cookies).await {
            Err(Error::Http(answer)) => answer.status().as_u16(),
            Err(error) => panic!("{error}"),
            Ok(_) => panic!("{path} was let in with {cookies}"),
        }
    }
}

/// A page in a room.
struct Friend {
    page: Page,
}

impl Friend {
    async fn deed(&mut self, deed: Value) {
        self.page.say(json!({"type": "friend", "deed": deed})).await;
    }

    async fn sit(&mut self, colour: &str, name: &str) {
        self.deed(json!({"type": "sit", "colour": colour, "name": name, "clock": clock()})).await;
    }

    async fn ask(&mut self, wish: &str) {
        self.deed(json!({"type": "ask", "wish": {"type": wish}})).await;
    }

    async fn answer(&mut self, yes: bool) {
        self.deed(json!({"type": "answer", "yes": yes})).await;
    }

    async fn play(&mut self, ply: usize, cell: u16) {
        self.page.say(json!({"type": "play", "ply": ply, "cell": cell})).await;
    }

    /// Waits for a board with so many stones.
    async fn board(&mut self, count: usize) -> Value {
        self.page.hear_that("board", |board| stones(board) == count).await
    }

    /// Waits until the room is so.
    async fn room(&mut self, wanted: impl Fn(&Value) -> bool) -> Value {
        self.page.hear_that("friends", |told| wanted(&told["friends"])).await["friends"].clone()
    }

    async fn refused(&mut self) -> String {
        self.page.hear("refused").await["text"].to_string()
    }
}

fn agreed(room: &Value) -> bool {
    room["agreed"] == true
}

#[tokio::test(flavor = "multi_thread")]
async fn a_game_with_lost_connections_take_backs_and_a_rematch() {
    let place = Place::start(config()).await;
    let room = place.invite(tictactoe()).await;
    let mut watcher = place.friend(&room, 3).await;
    let mut ann = place.friend(&room, 1).await;
    ann.sit("black", "Ann").await;
    let mut bea = place.friend(&room, 2).await;
    bea.sit("white", "Bea").await;
    ann.room(agreed).await;
    ann.play(0, 0).await;
    bea.board(1).await;
    bea.play(1, 3).await;
    ann.board(2).await;
    // The connection breaks without a word; whoever comes with the same identity is Ann again.
    drop(ann);
    bea.room(|room| room["seats"][0]["here"] == false).await;
    let mut ann = place.friend(&room, 1).await;
    ann.board(2).await;
    assert_eq!(ann.room(agreed).await["you"], "black");
    ann.play(2, 8).await;
    bea.board(3).await;
    ann.ask("takeBack").await;
    bea.room(|room| room["asked"]["by"] == "black").await;
    bea.answer(false).await;
    assert_eq!(ann.room(|room| !room["answered"].is_null()).await["answered"]["yes"], false);
    ann.ask("takeBack").await;
    bea.room(|room| room["asked"]["by"] == "black").await;
    bea.answer(true).await;
    for (ply, cell) in MOVES.into_iter().enumerate().skip(2) {
        let player = if ply % 2 == 0 { &mut ann } else { &mut bea };
        player.board(ply).await;
        player.play(ply, cell).await;
    }
    let end = watcher.board(5).await;
    assert_eq!(end["board"]["ending"]["winner"], "black");
    bea.ask("rematch").await;
    ann.room(|room| room["asked"]["wish"]["type"] == "rematch").await;
    ann.answer(true).await;
    let swapped = watcher.room(|room| room["seats"][0]["name"] == "Bea").await;
    assert_eq!(swapped["over"], false);
    bea.play(0, 4).await;
    ann.board(1).await;
}

/// A whole game of two pages, one of which comes back twice.
async fn play_in_a_room(place: &Place, number: usize) -> String {
    let room = place.invite(tictactoe()).await;
    let who = |seat: usize| 2 * number + seat + 1;
    let mut ann = place.friend(&room, who(0)).await;
    ann.sit("black", "Ann").await;
    let mut bea = place.friend(&room, who(1)).await;
    bea.sit("white", "Bea").await;
    ann.room(agreed).await;
    for (ply, cell) in MOVES.into_iter().enumerate() {
        let player = if ply % 2 == 0 { &mut ann } else { &mut bea };
        if ply > 0 {
            player.board(ply).await;
        }
        player.play(ply, cell).await;
        player.board(ply + 1).await;
        if ply == 1 || ply == 3 {
            bea = place.friend(&room, who(1)).await;
            bea.board(ply + 1).await;
        }
    }
    for player in [&mut ann, &mut bea] {
        let told = player.room(|room| room["over"] == true).await;
        assert!(told["seats"].as_array().is_some_and(|seats| !seats.contains(&Value::Null)));
    }
    room
}

#[tokio::test(flavor = "multi_thread")]
async fn fifty_rooms_of_two_play_at_once_and_nothing_is_lost() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = Config { data: Some(folder.path().to_owned()), ..config() };
    let place = std::sync::Arc::new(Place::start(config).await);
    let mut playing = tokio::task::JoinSet::new();
    for number in 0..ROOMS {
        let place = std::sync::Arc::clone(&place);
        playing.spawn(async move { play_in_a_room(&place, number).await });
    }
    let mut rooms = Vec::new();
    while let Some(room) = playing.join_next().await {
        rooms.push(room.expect("a whole game"));
    }
    let mut owner = place.owner().await;
    owner.say(json!({"type": "games"})).await;
    let list = owner.hear("stored").await["games"].clone();
    let games = list.as_array().expect("games");
    let whole = |game: &&Value| game["finished"] == true && game["stones"] == MOVES.len();
    let stored: Vec<_> = games.iter().filter(whole).map(|game| game["room"].clone()).collect();
    assert_eq!((games.len(), rooms.len()), (ROOMS, ROOMS));
    assert!(rooms.iter().all(|room| stored.contains(&json!(room))), "{list}");
    drop(owner);
    let quiet = async {
        while place.gauge.read() != collinear_web::Load::default() {
            tokio::time::sleep(std::time::Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, quiet).await.expect("nobody is left, and no room");
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_comes_in_without_the_link_and_a_link_opens_its_game_alone() {
    let place = Place::start(config()).await;
    let [room, other] = [place.invite(tictactoe()).await, place.invite(tictactoe()).await];
    assert_ne!(room, other);
    // Without anything, with guesses, with an identity alone, with a foreign token.
    let guess = identity(77);
    for cookies in ["", &place.cookie("player", &guess), &place.cookie("token", &guess)] {
        for path in ["/", "/socket", "/assets/page.js", "/reports/a/b.svg"] {
            assert_eq!(place.status(path, cookies).await, "401", "{path} {cookies}");
        }
        assert_eq!(place.refused("/socket", cookies).await, 401);
        assert_eq!(place.refused(&format!("/socket?room={guess}"), cookies).await, 404);
        assert_eq!(place.status(&format!("/?room={guess}"), cookies).await, "404");
        assert_eq!(place.status("/?room=", cookies).await, "404");
    }
    // The link leaves a cookie for the files, and an identity that scripts cannot read.
    let answer = place.request(&format!("/?room={room}"), "").await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    let set = |name: &str| {
        let begins = format!("set-cookie: {}", place.cookie(name, ""));
        let found = answer.lines().find(|line| line.starts_with(&begins));
        found.map(|line| line[begins.len()..].to_owned())
    };
    assert!(set("player").is_some_and(|cookie| cookie.contains("; HttpOnly; SameSite=Lax")));
    assert!(set("room").is_some_and(|cookie| cookie.starts_with(&room)));
    assert_eq!(set("token"), None);
    let cookies = place.cookie("room", &room);
    assert_eq!(place.status("/assets/page.js", &cookies).await, "200");
    for path in ["/", "/index.html", "/reports/a/b.svg"] {
        assert_eq!(place.status(path, &cookies).await, "401", "{path}");
    }
    assert_eq!(place.refused("/socket", &cookies).await, 401);
    assert_eq!(place.refused(&format!("/reports/a/b.svg?room={room}"), &cookies).await, 401);
    // In the room there is nothing of the owner's, also when the owner comes by the link.
    let mut owner = place.owner().await;
    owner.say(json!({"type": "settings", "text": "mine"})).await;
    let own = owner.new_game(&connect6(), person(), agent("slow:ms=0")).await;
    for cookie in [place.cookie("player", &identity(1)), place.cookie("token", &place.token)] {
        let path = format!("/socket?room={room}");
        let mut page = Page::open_at(&place.address, &path, &cookie).await.expect("let in");
        let hello = page.hear("hello").await;
        assert_eq!((&hello["agents"], &hello["settings"]), (&json!([]), &Value::Null));
        assert_eq!(hello["invitation"]["owner"], cookie.contains("token"));
        let game = page.hear("game").await;
        assert_eq!(game["game"]["id"], format!("friend-{room}"));
        for asked in [
            json!({"type": "open"}),
            json!({"type": "open", "id": own["game"]["id"]}),
            json!({"type": "open", "id": format!("friend-{other}")}),
            json!({"type": "open", "link": "connect4/d1"}),
            json!({"type": "games"}),
            json!({"type": "forget", "id": own["game"]["id"]}),
            json!({"type": "settings", "text": "theirs"}),
            json!({"type": "puzzle", "id": "connect4/d1"}),
            json!({"type": "import", "text": "j10"}),
            json!({"type": "runs"}),
            json!({"type": "replay", "run": "a", "number": 0}),
            json!({"type": "startMatch", "match": {"rules": tictactoe(), "players": ["random", "random"],
                "format": "swiss", "games": 1, "limits": "1ms", "openings": "empty", "atOnce": 1}}),
            json!({"type": "live", "run": "a"}),
            json!({"type": "resumeMatch", "run": "a"}),
            json!({"type": "addEngine", "engine": {"name": "x", "protocol": "ugi", "command": "true",
                "folder": "", "init": ""}}),
        ] {
            page.say(asked.clone()).await;
            let text = page.hear("refused").await["text"].to_string();
            assert!(text.contains("one game and nothing else"), "{asked}: {text}");
        }
        for asked in [json!({"type": "hint"}), json!({"type": "analyse", "on": true, "lines": 1})] {
            page.say(asked).await;
            assert!(page.hear("refused").await["text"].to_string().contains("nobody has help"));
        }
    }
    // Nor does the owner's own page open such a game by its name: it would have no identity there.
    owner.say(json!({"type": "open", "id": format!("friend-{room}")})).await;
    assert_ne!(owner.hear("game").await["game"]["id"], format!("friend-{room}"));
    // A game that is deleted is gone for its link, and comes back with it.
    let id = format!("friend-{room}");
    owner.say(json!({"type": "forget", "id": id})).await;
    owner.hear("stored").await;
    assert_eq!(place.status(&format!("/?room={room}"), "").await, "404");
    assert_eq!(place.status(&format!("/?room={other}"), "").await, "200");
    owner.say(json!({"type": "remember", "id": id})).await;
    owner.hear("stored").await;
    assert_eq!(place.status(&format!("/?room={room}"), "").await, "200");
}

#[tokio::test(flavor = "multi_thread")]
async fn seats_are_not_stolen_and_old_identities_open_nothing() {
    let place = Place::start(config()).await;
    let [room, other] = [place.invite(tictactoe()).await, place.invite(tictactoe()).await];
    let mut ann = place.friend(&room, 1).await;
    ann.sit("black", "Ann").await;
    ann.room(|room| room["you"] == "black").await;
    // Cid sits first and leaves; Bea takes his seat.
    let mut cid = place.friend(&room, 3).await;
    cid.sit("white", "Cid").await;
    cid.room(agreed).await;
    cid.deed(json!({"type": "stand"})).await;
    cid.room(|room| room["seats"][1].is_null()).await;
    let mut bea = place.friend(&room, 2).await;
    bea.sit("white", "Bea").await;
    bea.room(agreed).await;
    ann.play(0, 4).await;
    bea.board(1).await;
    // It is White's turn: Cid's old identity, one nobody knows, none, and one that is none.
    let cookies = [identity(3), identity(9), String::new(), "x".repeat(32)];
    for cookie in cookies.map(|value| place.cookie("player", &value)) {
        let path = format!("/socket?room={room}");
        let page = Page::open_at(&place.address, &path, &cookie).await.expect("may watch");
        let mut eve = Friend { page };
        eve.board(1).await;
        assert_eq!(eve.room(|_| true).await["you"], Value::Null);
        eve.play(1, 0).await;
        assert!(eve.refused().await.contains("watching"));
        eve.page.say(json!({"type": "type", "ply": 1, "text": "a1"})).await;
        assert!(eve.refused().await.contains("watching"));
        eve.page.say(json!({"type": "resign"})).await;
        assert!(eve.refused().await.contains("watching"));
        for colour in ["black", "white"] {
            eve.sit(colour, "Bea").await;
            let why = eve.refused().await;
            assert!(why.contains("sits there already") || why.contains("no cookies"), "{why}");
        }
        eve.answer(true).await;
        assert!(eve.refused().await.contains("watching"));
    }
    // The own identity is worth nothing in another room, and the own seat plays one colour only.
    let mut elsewhere = place.friend(&other, 2).await;
    assert_eq!(elsewhere.room(|_| true).await["you"], Value::Null);
    elsewhere.play(0, 0).await;
    assert!(elsewhere.refused().await.contains("watching"));
    ann.play(1, 0).await;
    assert!(ann.refused().await.contains("other player's turn"));
    ann.sit("white", "Ann").await;
    assert!(ann.refused().await.contains("a seat already"));
    bea.play(1, 0).await;
    let board = ann.board(2).await;
    assert_eq!(board["board"]["moves"], json!([4, 0]));
}

/// A server in a folder that the connections of another one, in this very process, may hold a moment longer.
async fn bind_when_free(config: &impl Fn() -> Config) -> Server {
    let begun = std::time::Instant::now();
    loop {
        match Server::bind(config()).await {
            Ok(server) => return server,
            Err(error) => assert!(begun.elapsed() < PATIENCE, "{error}"),
        }
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_room_and_its_seats_outlive_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let config =
        || Config { access: Access::Token, data: Some(folder.path().to_owned()), ..config() };
    let mut room = String::new();
    for start in 0..2 {
        let server = bind_when_free(&config).await;
        let (url, address) = (server.url().to_owned(), server.address());
        let gauge = server.gauge();
        let (quit, told) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async { drop(told.await) }));
        let token = url.split("token=").nth(1).expect("a token").to_owned();
        let place = Place { address: address.to_string(), port: address.port(), token, gauge };
        if start == 0 {
            room = place.invite(tictactoe()).await;
            let mut ann = place.friend(&room, 1).await;
            ann.sit("black", "Ann").await;
            let mut bea = place.friend(&room, 2).await;
            bea.sit("white", "Bea").await;
            ann.room(agreed).await;
            ann.play(0, 4).await;
            ann.board(1).await;
        } else {
            let mut bea = place.friend(&room, 2).await;
            bea.board(1).await;
            assert_eq!(bea.room(agreed).await["you"], "white");
            bea.play(1, 0).await;
            bea.board(2).await;
        }
        quit.send(()).expect("it listens");
        serving.await.expect("it ends");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_server_for_the_network_says_where_it_is_and_its_rooms_too() {
    let everywhere = Some("0.0.0.0".to_owned());
    let config = Config { host: everywhere, access: Access::Token, ..config() };
    let server = Server::bind(config).await.expect("a server");
    let port = server.address().port();
    assert!(server.url().starts_with(&format!("http://127.0.0.1:{port}/?token=")));
    for url in server.network_urls() {
        assert!(!url.contains("0.0.0.0") && url.contains(&format!(":{port}/?token=")), "{url}");
    }
    let reached: Vec<String> = server.network_urls().to_vec();
    let (url, gauge) = (server.url().to_owned(), server.gauge());
    tokio::spawn(server.run(std::future::pending()));
    let token = url.split("token=").nth(1).expect("a token").to_owned();
    let place = Place { address: format!("127.0.0.1:{port}"), port, token, gauge };
    let room = place.invite(tictactoe()).await;
    let links = async |cookie: &str| {
        let path = format!("/socket?room={room}");
        let mut page = Page::open_at(&place.address, &path, cookie).await.expect("let in");
        page.hear("hello").await["invitation"]["links"].as_array().expect("links").clone()
    };
    let own = links(&place.cookie("token", &place.token)).await;
    assert_eq!(own.len(), reached.len());
    for (link, url) in own.iter().zip(&reached) {
        let base = url.split("?token").next().expect("an address");
        assert_eq!(link["url"], format!("{base}?room={room}"), "the link carries no token");
        assert!(link["path"].as_str().is_some_and(|path| path.starts_with('M')));
    }
    assert!(links("").await.is_empty(), "a friend is not told how else the machine is reached");
}
