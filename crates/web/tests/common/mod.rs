//! A server on a free port, pages that talk to it, and an agent whose turns the test controls.

#![allow(dead_code, reason = "each test file uses its own part of this")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use collinear_play::{
    Agent, AgentError, AgentSpec, BuildError, Games, OptionSpec, Options, Registry, Turn, agent_fn,
    stone_by_stone,
};
use collinear_rules::{Position, Rules};
use collinear_web::{Access, Config, Gauge, Server};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// How long a test waits for a message before it fails.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// Searches of [`Slow`] that run now, and the most there ever were at once.
pub(crate) static RUNNING: AtomicUsize = AtomicUsize::new(0);
pub(crate) static MAX: AtomicUsize = AtomicUsize::new(0);

const OPTIONS: &[OptionSpec] = &[OptionSpec::int("ms", 0..=10_000, 10)
    .help("how long a turn takes; 0 thinks until it is stopped")];

/// `slow`: plays the first legal cells, after some milliseconds or only when told to stop.
static SLOW: AgentSpec = AgentSpec {
    summary: "takes its time",
    source: "ours",
    options: OPTIONS,
    ..AgentSpec::new("slow", build)
};

#[expect(clippy::unnecessary_wraps, reason = "as `Build` has it")]
fn build(_: &Rules, options: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    let ms = options.int("ms") as u64;
    Ok(Box::new(agent_fn(move |position, budget| {
        let now = RUNNING.fetch_add(1, Ordering::SeqCst) + 1;
        MAX.fetch_max(now, Ordering::SeqCst);
        let mut left = if ms == 0 { u64::MAX } else { ms };
        while left > 0 && !budget.stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
            left -= 1;
        }
        RUNNING.fetch_sub(1, Ordering::SeqCst);
        first(position)
    })))
}

fn first(position: &Position) -> Result<Turn, AgentError> {
    stone_by_stone(position, |ahead| ahead.legal_cells().first().copied())
}

/// Set by a test that wants the next table that looks for agents to die.
pub(crate) static BREAK_A_TABLE: AtomicBool = AtomicBool::new(false);

/// `fragile`: plays nothing, and panics when it is asked whether it does.
static FRAGILE: AgentSpec = AgentSpec {
    summary: "breaks the task that looks at it",
    games: Games::Only(plays_fragile, "nothing"),
    ..AgentSpec::new("fragile", |_, _, _| Err(BuildError::Other("it does not play".to_owned())))
};

fn plays_fragile(_: &Rules) -> bool {
    assert!(!BREAK_A_TABLE.swap(false, Ordering::SeqCst), "a test broke this table");
    false
}

/// `faulty`: does one of the things no agent should.
static FAULTY: AgentSpec = AgentSpec {
    summary: "does what no agent should",
    options: &[OptionSpec::choice("fault", &["panics", "occupied", "hangs", "nothing"], "panics")
        .help("what it does")],
    ..AgentSpec::new("faulty", build_faulty)
};

#[expect(clippy::unnecessary_wraps, reason = "as `Build` has it")]
fn build_faulty(_: &Rules, options: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    let fault = options.text("fault").to_owned();
    Ok(Box::new(agent_fn(move |position, _| match fault.as_str() {
        "panics" => panic!("out of ideas"),
        "occupied" => Ok(position.history().to_vec()),
        // Longer than its time and all patience, whatever the stop flag says.
        "hangs" => {
            std::thread::sleep(Duration::from_secs(12));
            first(position)
        }
        _ => Err(AgentError::Engine("nothing comes to mind".to_owned())),
    })))
}

/// The product's agents, the slow one and the fragile one. That one is first, so that it is asked
/// by everybody who looks for an agent.
pub(crate) fn registry() -> Registry {
    let mut all: Vec<&'static AgentSpec> = vec![&FRAGILE];
    all.extend(collinear_agents::registry().iter());
    all.extend([&SLOW, &FAULTY]);
    Registry::new(all)
}

pub(crate) fn config() -> Config {
    Config {
        registry: registry(),
        host: None,
        access: Access::Anybody,
        port: 0,
        data: None,
        results: None,
        build: "test".to_owned(),
        books: Vec::new(),
        searches: 2,
        add_engine: None,
        log: Arc::new(|_| ()),
    }
}

/// Starts a server, and tells what it has under way.
pub(crate) async fn start_gauged(config: Config) -> (String, Gauge) {
    let server = Server::bind(config).await.expect("a server");
    let (address, gauge) = (server.address().to_string(), server.gauge());
    tokio::spawn(server.run(std::future::pending()));
    (address, gauge)
}

/// Starts a server; it ends with the test's runtime. Returns its address, `127.0.0.1:port`.
pub(crate) async fn start(config: Config) -> String {
    start_gauged(config).await.0
}

/// One page.
pub(crate) struct Page {
    pub(crate) socket: WebSocketStream<MaybeTlsStream<TcpStream>>,
}

impl Page {
    /// Connects as a browser would.
    pub(crate) async fn open(address: &str) -> Self {
        Self::open_at(address, "/socket", "").await.expect("a connection")
    }

    /// The same with a path and cookies of its own; why it was refused, if it was.
    pub(crate) async fn open_at(
        address: &str,
        path: &str,
        cookies: &str,
    ) -> Result<Self, tokio_tungstenite::tungstenite::Error> {
        let mut request = format!("ws://{address}{path}").into_client_request()?;
        let headers = request.headers_mut();
        headers.insert("origin", format!("http://{address}").parse().expect("a header"));
        if !cookies.is_empty() {
            headers.insert("cookie", cookies.parse().expect("a header"));
        }
        let (socket, _) = connect_async(request).await?;
        Ok(Self { socket })
    }

    pub(crate) async fn say(&mut self, message: Value) {
        self.say_text(message.to_string()).await;
    }

    pub(crate) async fn say_text(&mut self, text: String) {
        self.socket.send(Message::text(text)).await.expect("sent");
    }

    /// The next message of a type; others are skipped.
    pub(crate) async fn hear(&mut self, kind: &str) -> Value {
        self.hear_that(kind, |_| true).await
    }

    pub(crate) async fn hear_that(&mut self, kind: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let listen = async {
            while let Some(message) = self.socket.next().await {
                let Message::Text(text) = message.expect("a message") else { continue };
                let value: Value = serde_json::from_str(&text).expect("JSON");
                if value["type"] == kind && wanted(&value) {
                    return value;
                }
            }
            panic!("the server hung up while the test waited for {kind}");
        };
        tokio::time::timeout(PATIENCE, listen).await.unwrap_or_else(|_| panic!("no {kind} came"))
    }

    /// Begins a game and waits for its empty board.
    pub(crate) async fn new_game(&mut self, rules: &Value, black: Value, white: Value) -> Value {
        let timing = json!({"type": "turn", "ms": 1000});
        let game = json!({"rules": rules, "black": black, "white": white, "timing": timing});
        self.say(json!({"type": "new", "game": game})).await;
        let game = self.hear("game").await;
        self.hear("board").await;
        game
    }
}

pub(crate) fn person() -> Value {
    json!({"type": "person"})
}

pub(crate) fn agent(spec: &str) -> Value {
    json!({"type": "agent", "spec": spec, "label": ""})
}

pub(crate) fn connect6() -> Value {
    json!({"width": 19, "height": 19, "k": 6, "p": 2, "q": 1, "gravity": false, "exact": false})
}
