//! The server ends: so does what it had begun, a match in the middle of a turn and an agent that
//! would think for ever. An agent may be a process of its own, which nobody else would end.

mod common;

use std::sync::atomic::Ordering;
use std::time::Duration;

use collinear_web::{Config, Server};
use common::{PATIENCE, Page, RUNNING, agent, config, connect6, person};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn matches_and_searches_end_with_the_server() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = Some(folder.path().join("results.sqlite"));
    let server = Server::bind(Config { results, ..config() }).await.expect("a server");
    let address = server.address().to_string();
    let (quit, told) = tokio::sync::oneshot::channel::<()>();
    let serving = tokio::spawn(server.run(async { drop(told.await) }));

    let mut page = Page::open(&address).await;
    // More time than the test has.
    let timing = json!({"type": "turn", "ms": 600_000});
    let game = json!({"rules": connect6(), "black": agent("slow:ms=0"), "white": person(),
        "timing": timing});
    page.say(json!({"type": "new", "game": game})).await;
    page.hear("board").await;
    let players = ["slow:ms=0", "slow:ms=0"];
    let new = json!({"rules": connect6(), "players": players, "format": "round-robin",
        "games": 2, "limits": "60s", "openings": "empty", "atOnce": 1});
    page.say(json!({"type": "startMatch", "match": new})).await;
    page.hear("matchStarted").await;
    let both = async {
        while RUNNING.load(Ordering::SeqCst) != 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(PATIENCE, both).await.expect("the game and the match are played");

    quit.send(()).expect("it listens");
    tokio::time::timeout(PATIENCE, serving).await.expect("it ends").expect("well");
    assert_eq!(RUNNING.load(Ordering::SeqCst), 0, "nobody thinks any more");
}
