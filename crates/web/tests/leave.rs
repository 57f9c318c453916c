//! Pages that come and go in any order, at any moment of what they have begun, leave nothing behind:
//! no room, no search, no connection.

mod common;

use std::time::Duration;

use collinear_web::{Config, Gauge, Load};
use common::{PATIENCE, Page, agent, config, connect6, person, start_gauged};
use futures_util::SinkExt;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

const PAGES: u64 = 120;

async fn until_quiet(gauge: &Gauge) {
    let quiet = async {
        while gauge.read() != Load::default() {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    let waited = tokio::time::timeout(PATIENCE, quiet).await;
    assert!(waited.is_ok(), "left behind: {:?}", gauge.read());
}

fn new_game(black: &Value) -> Value {
    let timing = json!({"type": "turn", "ms": 600_000});
    json!({"type": "new", "game": {"rules": connect6(), "black": black, "white": person(),
        "timing": timing}})
}

/// Connect Four with a stone that no book has: the solver would take minutes.
fn hard_puzzle() -> Value {
    let rules =
        json!({"width": 7, "height": 6, "k": 4, "p": 1, "q": 1, "gravity": true, "exact": false});
    let setup = json!({"rules": rules, "black": [3], "white": [], "toMove": "black",
        "stonesLeft": 1});
    json!({"type": "setup", "setup": setup, "puzzle": true})
}

/// One page: says some of what a page may say, and goes without a word at a random moment.
async fn visit(address: String, seed: u64) {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut page = Page::open(&address).await;
    let messages = [
        new_game(&agent("slow:ms=0")),
        new_game(&agent("sextant")),
        new_game(&person()),
        json!({"type": "play", "ply": 0, "cell": 180}),
        json!({"type": "analyse", "on": true, "lines": 2}),
        json!({"type": "overlays", "shown": ["threats", "policy", "columns"]}),
        json!({"type": "shapes", "cell": 180}),
        json!({"type": "hint"}),
        json!({"type": "review", "on": true}),
        json!({"type": "open"}),
        json!({"type": "open", "link": "connect4/d1.d2"}),
        hard_puzzle(),
    ];
    for _ in 0..random.random_range(0..6) {
        let message = &messages[random.random_range(0..messages.len())];
        if page.socket.send(Message::text(message.to_string())).await.is_err() {
            return;
        }
        if random.random() {
            tokio::time::sleep(Duration::from_millis(random.random_range(0..20))).await;
        }
    }
    if random.random() {
        let _ = page.socket.close(None).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_that_come_and_go_leave_nothing_behind() {
    let (address, gauge) = start_gauged(Config { searches: 1, ..config() }).await;
    let mut pages = tokio::task::JoinSet::new();
    for seed in 0..PAGES {
        pages.spawn(visit(address.clone(), seed));
        tokio::time::sleep(Duration::from_millis(seed % 4)).await;
    }
    while let Some(visited) = pages.join_next().await {
        visited.expect("a visit");
    }
    until_quiet(&gauge).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proof_that_nobody_waits_for_makes_room() {
    let (address, gauge) = start_gauged(Config { searches: 1, ..config() }).await;
    let mut page = Page::open(&address).await;
    page.say(hard_puzzle()).await;
    let begun = async {
        while gauge.read().work == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, begun).await.expect("the solver is at work");
    drop(page);
    let mut other = Page::open(&address).await;
    other.new_game(&connect6(), agent("random"), person()).await;
    let moved = |board: &Value| board["board"]["moves"].as_array().is_some_and(|m| !m.is_empty());
    other.hear_that("board", moved).await;
    drop(other);
    until_quiet(&gauge).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flood_of_pings_is_hung_up_on() {
    let (address, gauge) = start_gauged(config()).await;
    let mut page = Page::open(&address).await;
    let flood =
        async { while page.socket.send(Message::Ping(vec![b'p'; 125].into())).await.is_ok() {} };
    tokio::time::timeout(PATIENCE, flood).await.expect("the server hangs up");
    until_quiet(&gauge).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_that_says_nothing_is_closed() {
    let (address, gauge) = start_gauged(config()).await;
    let page = Page::open(&address).await;
    let connected = async {
        while gauge.read().connections == 0 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, connected).await.expect("it is open");
    // It is held here, and says nothing.
    until_quiet(&gauge).await;
    drop(page);
}
