//! One page: plays both sides of one game after the other, closes now and then, and comes back.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use rand::Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

use crate::server::Address;

type Socket = WebSocketStream<MaybeTlsStream<TcpStream>>;

/// What happened to one page, or to all of them.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    pub(crate) stones: u64,
    pub(crate) games: u64,
    pub(crate) reconnects: u64,
    /// From a stone to the board with it.
    pub(crate) latencies: Vec<Duration>,
    /// Confirmed stones that were not there any more, in words.
    pub(crate) losses: Vec<String>,
}

impl Figures {
    pub(crate) fn add(&mut self, other: Self) {
        self.stones += other.stones;
        self.games += other.games;
        self.reconnects += other.reconnects;
        self.latencies.extend(other.latencies);
        self.losses.extend(other.losses);
    }
}

/// The connection is gone, because of the server or on purpose.
struct Gone;

/// How long an answer may take before the connection is given up.
const PATIENCE: Duration = Duration::from_secs(20);
/// Between two attempts to connect.
const RETRY: Duration = Duration::from_millis(200);
/// A person thinks as long on average before a stone.
const MEAN_THOUGHT: Duration = Duration::from_millis(150);
/// The chance that a page closes instead of playing a stone; half the time right behind the stone.
const CLOSES: f64 = 0.03;

/// The games that are played: width, height, k, p, q, gravity.
const GAMES: [(u16, u16, u16, u16, u16, bool); 4] = [
    (3, 3, 3, 1, 1, false),
    (7, 6, 4, 1, 1, true),
    (9, 9, 5, 1, 1, false),
    (19, 19, 6, 2, 1, false),
];

pub(crate) struct Client {
    address: Address,
    random: Xoshiro256PlusPlus,
    figures: Figures,
    /// The game that is under way, and its confirmed stones.
    game: Option<(String, Vec<u64>)>,
    cells: u64,
}

impl Client {
    pub(crate) fn new(address: Address, random: Xoshiro256PlusPlus) -> Self {
        Self { address, random, figures: Figures::default(), game: None, cells: 0 }
    }

    /// Plays until it is over.
    pub(crate) async fn play(mut self, over: Arc<AtomicBool>) -> Figures {
        while !over.load(Ordering::Relaxed) {
            let Ok(mut socket) = self.connect().await else {
                tokio::time::sleep(RETRY).await;
                continue;
            };
            self.figures.reconnects += 1;
            // However it ends, the next connection looks for what was confirmed.
            let _ = self.session(&mut socket, &over).await;
        }
        self.figures
    }

    async fn connect(&self) -> Result<Socket, Gone> {
        let Address { authority, query } = &self.address;
        let request = format!("ws://{authority}/socket{query}").into_client_request();
        let mut request = request.map_err(|_| Gone)?;
        let origin = format!("http://{authority}").parse().map_err(|_| Gone)?;
        request.headers_mut().insert("origin", origin);
        connect_async(request).await.map(|(socket, _)| socket).map_err(|_| Gone)
    }

    /// One connection, until it is closed.
    async fn session(&mut self, socket: &mut Socket, over: &AtomicBool) -> Result<(), Gone> {
        hear(socket, "hello").await?;
        let mut board = match self.game.clone() {
            Some((id, confirmed)) => self.open_again(socket, id, confirmed).await?,
            None => self.begin(socket).await?,
        };
        while !over.load(Ordering::Relaxed) {
            tokio::time::sleep(self.thought()).await;
            if self.random.random_bool(CLOSES) {
                if self.random.random_bool(0.5) {
                    self.say_stone(socket, &board).await?;
                }
                return Err(Gone);
            }
            let stones = stones(&board).len();
            let began = Instant::now();
            self.say_stone(socket, &board).await?;
            // A cell that is taken is refused: then another one is tried.
            board = loop {
                let message = next(socket).await?;
                match message["type"].as_str() {
                    Some("refused") => break board,
                    Some("board") if stones_of(&message).len() > stones => {
                        self.figures.latencies.push(began.elapsed());
                        break message["board"].clone();
                    }
                    _ => {}
                }
            };
            self.confirm(&board);
            if !board["ending"].is_null() {
                board = self.begin(socket).await?;
            }
        }
        Ok(())
    }

    async fn begin(&mut self, socket: &mut Socket) -> Result<Value, Gone> {
        let (width, height, k, p, q, gravity) = GAMES[self.random.random_range(0..GAMES.len())];
        let rules = json!({"width": width, "height": height, "k": k, "p": p, "q": q,
            "gravity": gravity, "exact": false});
        let person = json!({"type": "person"});
        let timing = json!({"type": "turn", "ms": 1000});
        let game = json!({"rules": rules, "black": person, "white": person, "timing": timing});
        self.game = None;
        say(socket, &json!({"type": "new", "game": game})).await?;
        let game = hear(socket, "game").await?;
        let board = hear(socket, "board").await?["board"].clone();
        let id = game["game"]["id"].as_str().unwrap_or_default().to_owned();
        self.cells = u64::from(width) * u64::from(height);
        self.figures.games += 1;
        self.game = Some((id, Vec::new()));
        Ok(board)
    }

    /// The game that was under way, which must have every confirmed stone.
    async fn open_again(
        &mut self,
        socket: &mut Socket,
        id: String,
        confirmed: Vec<u64>,
    ) -> Result<Value, Gone> {
        // A game without a stone is not kept.
        if confirmed.is_empty() {
            return self.begin(socket).await;
        }
        say(socket, &json!({"type": "open", "id": id})).await?;
        let game = loop {
            let message = next(socket).await?;
            match message["type"].as_str() {
                Some("game") => break message,
                Some("refused") => {
                    self.figures.losses.push(format!("game {id}: {}", message["text"]));
                    return self.begin(socket).await;
                }
                _ => {}
            }
        };
        let board = hear(socket, "board").await?["board"].clone();
        let found = stones(&board);
        let same_game = game["game"]["id"] == id.as_str();
        if !same_game || !found.starts_with(&confirmed) {
            let words = format!("game {id}: {confirmed:?} were confirmed, {found:?} are there");
            self.figures.losses.push(words);
        }
        self.confirm(&board);
        if board["ending"].is_null() { Ok(board) } else { self.begin(socket).await }
    }

    fn confirm(&mut self, board: &Value) {
        let Some((_, confirmed)) = &mut self.game else { return };
        let found = stones(board);
        self.figures.stones += found.len().saturating_sub(confirmed.len()) as u64;
        *confirmed = found;
    }

    /// A stone on a free cell; where stones fall, it may be one that it cannot lie on.
    async fn say_stone(&mut self, socket: &mut Socket, board: &Value) -> Result<(), Gone> {
        let taken = stones(board);
        let free: Vec<u64> = (0..self.cells).filter(|cell| !taken.contains(cell)).collect();
        let cell = free[self.random.random_range(0..free.len())];
        say(socket, &json!({"type": "play", "ply": taken.len(), "cell": cell})).await
    }

    /// How long a person thinks.
    fn thought(&mut self) -> Duration {
        let share: f64 = self.random.random();
        MEAN_THOUGHT.mul_f64(-(1.0 - share).ln())
    }
}

/// The stones of a board.
fn stones(board: &Value) -> Vec<u64> {
    board["moves"].as_array().into_iter().flatten().filter_map(Value::as_u64).collect()
}

/// The stones of a message with a board.
fn stones_of(message: &Value) -> Vec<u64> {
    stones(&message["board"])
}

async fn say(socket: &mut Socket, message: &Value) -> Result<(), Gone> {
    socket.send(Message::text(message.to_string())).await.map_err(|_| Gone)
}

/// The next message.
async fn next(socket: &mut Socket) -> Result<Value, Gone> {
    loop {
        let message = tokio::time::timeout(PATIENCE, socket.next()).await;
        match message {
            Ok(Some(Ok(Message::Text(text)))) => {
                return serde_json::from_str(&text).map_err(|_| Gone);
            }
            Ok(Some(Ok(_))) => {}
            _ => return Err(Gone),
        }
    }
}

/// The next message of this kind.
async fn hear(socket: &mut Socket, kind: &str) -> Result<Value, Gone> {
    loop {
        let message = next(socket).await?;
        if message["type"] == kind {
            return Ok(message);
        }
    }
}
