//! Many pages at once: a limited number of searches runs, everybody gets a turn, and a closed page's
//! search ends.

mod common;

use std::sync::atomic::Ordering;
use std::time::Duration;

use common::{MAX, Page, RUNNING, agent, config, connect6, person, start};
use serde_json::{Value, json};

const PAGES: usize = 50;
const TURNS: usize = 3;

/// One test, since the counters are shared.
#[tokio::test(flavor = "multi_thread")]
async fn fifty_pages_think_at_once_and_closed_ones_stop() {
    let address = start(config()).await;
    let mut pages = tokio::task::JoinSet::new();
    for _ in 0..PAGES {
        let address = address.clone();
        pages.spawn(async move {
            let mut page = Page::open(&address).await;
            page.new_game(&connect6(), person(), agent("slow:ms=20")).await;
            let moves = |board: &Value| board["board"]["moves"].as_array().map_or(0, Vec::len);
            let mut ply = 0;
            for turn in 0..TURNS {
                let own = if turn == 0 { 1 } else { 2 };
                for stone in 0..own {
                    // The agent fills the lowest row from the left; the person the highest.
                    let cell = 360 - ply - stone;
                    page.say(json!({"type": "play", "ply": ply + stone, "cell": cell})).await;
                }
                ply += own + 2;
                page.hear_that("board", |board| moves(board) == ply).await;
            }
        });
    }
    let mut served = 0;
    while let Some(result) = pages.join_next().await {
        result.expect("every page gets its turns");
        served += 1;
    }
    assert_eq!(served, PAGES);
    assert!(MAX.load(Ordering::SeqCst) <= 2, "{} searches at once", MAX.load(Ordering::SeqCst));

    // Searches that never end by themselves, two at work and one in the queue.
    let mut endless = Vec::new();
    for _ in 0..3 {
        let mut page = Page::open(&address).await;
        // More time than the test has.
        let timing = json!({"type": "turn", "ms": 600_000});
        let game = json!({"rules": connect6(), "black": agent("slow:ms=0"), "white": person(),
            "timing": timing});
        page.say(json!({"type": "new", "game": game})).await;
        page.hear("game").await;
        endless.push(page);
    }
    let until = async |count: usize| {
        while RUNNING.load(Ordering::SeqCst) != count {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    };
    tokio::time::timeout(common::PATIENCE, until(2)).await.expect("two run");
    drop(endless);
    tokio::time::timeout(common::PATIENCE, until(0)).await.expect("closed pages stop thinking");
}
