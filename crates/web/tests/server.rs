//! The server from outside: games over the socket, bad input, limits, and coming back from disk.

mod common;

use common::{Page, agent, config, connect6, person, start};
use futures_util::SinkExt;
use serde_json::{Value, json};
use tokio_tungstenite::tungstenite::Message;

fn stones(board: &Value) -> usize {
    board["board"]["moves"].as_array().map_or(0, Vec::len)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_plays_an_agent_and_takes_back() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    let hello = page.hear("hello").await;
    assert!(hello["agents"].as_array().is_some_and(|agents| agents.len() > 1));
    page.new_game(&connect6(), person(), agent("random")).await;
    page.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
    let board = page.hear_that("board", |board| stones(board) == 3).await;
    assert_eq!(board["board"]["colours"], "bww");
    assert_eq!(board["board"]["stonesLeft"], 2);
    page.say(json!({"type": "undo"})).await;
    let board = page.hear_that("board", |board| stones(board) == 0).await;
    assert_eq!(board["board"]["canUndo"], false);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_hears_of_everything_it_asked_before_it_is_synced() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    page.say(json!({"type": "sync", "number": 1})).await;
    assert_eq!(page.hear("synced").await["number"], 1, "also without a game");
    page.say(json!({"type": "open", "link": "tictactoe/b2"})).await;
    page.say(json!({"type": "play", "ply": 1, "cell": 0})).await;
    page.say(json!({"type": "undo"})).await;
    page.say(json!({"type": "sync", "number": 2})).await;
    // Messages are heard in their order: a sync before one of the boards would be missed below.
    for count in [1, 2, 1] {
        page.hear_that("board", |board| stones(board) == count).await;
    }
    assert_eq!(page.hear("synced").await["number"], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn two_agents_play_to_the_end_and_can_be_held() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    let rules =
        json!({"width": 4, "height": 4, "k": 3, "p": 1, "q": 1, "gravity": true, "exact": false});
    page.new_game(&rules, agent("random"), agent("random")).await;
    page.say(json!({"type": "pace", "ms": 0})).await;
    page.say(json!({"type": "pause", "paused": true})).await;
    page.hear_that("board", |board| board["board"]["paused"] == true).await;
    page.say(json!({"type": "pause", "paused": false})).await;
    let board = page.hear_that("board", |board| !board["board"]["ending"].is_null()).await;
    assert!(stones(&board) >= 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn nonsense_is_answered_and_the_server_goes_on() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    page.new_game(&connect6(), person(), person()).await;
    let mut refused = async |message: Value, why: &str| {
        page.say(message.clone()).await;
        let text = page.hear("refused").await["text"].to_string();
        assert!(text.contains(why), "{message}: {text}");
    };
    refused(json!("hello"), "did not understand").await;
    refused(json!({"type": "fly"}), "did not understand").await;
    refused(json!({"type": "play", "ply": -1, "cell": 3}), "did not understand").await;
    refused(json!({"type": "play", "ply": 0, "cell": 9999}), "outside").await;
    refused(json!({"type": "play", "ply": 7, "cell": 3}), "changed meanwhile").await;
    refused(json!({"type": "type", "ply": 0, "text": "zz99"}), "outside").await;
    refused(json!({"type": "undo"}), "nothing to take back").await;
    refused(json!({"type": "goto", "node": 77}), "not in the game").await;
    refused(json!({"type": "open", "link": "chess/e4"}), "no game this program knows").await;
    refused(json!({"type": "import", "text": "\u{1}\u{2}"}), "").await;
    refused(json!({"type": "import", "text": "(;GM[511];B[ZZ])"}), "").await;
    refused(json!({"type": "export", "format": "pdf"}), "no such record format").await;
    refused(json!({"type": "settings", "text": "x".repeat(100_000)}), "too large").await;
    let bad =
        json!({"width": 99, "height": 3, "k": 3, "p": 1, "q": 1, "gravity": false, "exact": false});
    let timing = json!({"type": "turn", "ms": 1000});
    let new = |rules: &Value, black: Value| {
        let game = json!({"rules": rules, "black": black, "white": person(), "timing": timing});
        json!({"type": "new", "game": game})
    };
    refused(new(&bad, person()), "32×32").await;
    refused(new(&connect6(), agent("nobody")), "no agent").await;
    refused(new(&connect6(), agent("perfect")), "does not play").await;
    refused(new(&connect6(), agent("sextant:memory=4096")), "at most 256").await;
    refused(new(&connect6(), agent("book:then=(sextant:threads=256)")), "at most 64").await;
    refused(new(&connect6(), agent("sextant:weights=/dev/zero")), "cannot name files").await;
    page.socket.send(Message::binary(vec![0_u8; 1000])).await.expect("sent");
    assert!(page.hear("refused").await["text"].to_string().contains("no binary"));
    page.say(json!({"type": "check", "form": bad})).await;
    assert!(page.hear("checked").await["check"]["problem"].to_string().contains("32×32"));
    page.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
    page.hear_that("board", |board| stones(board) == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_message_over_the_limit_ends_that_connection_alone() {
    let address = start(config()).await;
    let mut other = Page::open(&address).await;
    other.new_game(&connect6(), person(), person()).await;
    let mut page = Page::open(&address).await;
    let huge = json!({"type": "import", "text": "x".repeat(3 << 20)}).to_string();
    // The server may hang up before all of it is sent.
    let _ = page.socket.send(Message::text(huge)).await;
    other.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
    other.hear_that("board", |board| stones(board) == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn games_and_settings_come_back_from_disk() {
    let folder = tempfile::tempdir().expect("a folder");
    let config = || collinear_web::Config { data: Some(folder.path().to_owned()), ..config() };
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    let game = page.new_game(&connect6(), person(), person()).await;
    for (ply, cell) in [180, 1, 2].into_iter().enumerate() {
        page.say(json!({"type": "play", "ply": ply, "cell": cell})).await;
    }
    page.say(json!({"type": "comment", "node": 2, "text": "<i>text</i>"})).await;
    page.say(json!({"type": "settings", "text": "dark"})).await;
    page.hear_that("tree", |tree| tree.to_string().contains("<i>text</i>")).await;
    page.say(json!({"type": "games"})).await;
    page.hear("stored").await;
    // The first server still runs: as after a kill, its files were never closed.
    let found = tempfile::tempdir().expect("a folder");
    for file in ["games.db", "games.db-wal"] {
        std::fs::copy(folder.path().join(file), found.path().join(file)).expect("copied");
    }
    let config = || collinear_web::Config { data: Some(found.path().to_owned()), ..self::config() };
    let mut back = Page::open(&start(config()).await).await;
    assert_eq!(back.hear("hello").await["settings"], "dark");
    back.say(json!({"type": "open", "id": game["game"]["id"]})).await;
    let board = back.hear("board").await;
    assert_eq!(board["board"]["link"], "connect6/j10.b1.c1");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_pages_see_the_same_game() {
    let address = start(config()).await;
    let mut one = Page::open(&address).await;
    let game = one.new_game(&connect6(), person(), agent("slow:ms=1")).await;
    let mut two = Page::open(&address).await;
    two.say(json!({"type": "open", "id": game["game"]["id"]})).await;
    two.hear("board").await;
    one.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
    two.hear_that("board", |board| stones(board) == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn analysis_threats_columns_and_shapes_are_told() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    page.say(json!({"type": "open", "link": "connect6/h10.a1.a2.i10.j10.b1.b3.k10.s19"})).await;
    page.hear("board").await;
    page.say(json!({"type": "overlays", "threats": true, "columns": false, "book": false})).await;
    let threats = page.hear("threats").await;
    assert_eq!(threats["threats"]["sides"][0]["exact"], 2);
    page.say(json!({"type": "shapes", "cell": 180})).await;
    let shapes = page.hear("shapes").await;
    assert!(shapes.to_string().contains("\"L4\""), "{shapes}");
    page.say(json!({"type": "analyse", "on": true, "lines": 2})).await;
    let found = |search: &Value| {
        search["search"]["purpose"] == "analysis"
            && search["search"]["lines"][0]["cells"].is_array()
    };
    page.hear_that("search", found).await;
    page.say(json!({"type": "open", "link": "connect4/d1.d2.d3.d4.d5.d6.a1.a2.a3.b1.b2.c1"})).await;
    page.hear("board").await;
    page.say(json!({"type": "overlays", "threats": false, "columns": true, "book": false})).await;
    let columns = page.hear_that("columns", |columns| columns["columns"]["done"] == true).await;
    assert_eq!(columns["columns"]["columns"][3]["type"], "full");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_book_tells_what_was_played() {
    let rules = collinear_rules::Rules::CONNECT6;
    let cells = |names: &[&str]| -> Vec<_> {
        let cell = |name: &&str| collinear_rules::notation::parse(&rules, name).expect("a cell");
        names.iter().map(cell).collect()
    };
    let mut book = collinear_book::Book::new(rules, 6);
    let black = Some(collinear_rules::Player::Black);
    book.add(&cells(&["j10", "k11", "k9"]), black).expect("a game");
    let address = start(collinear_web::Config { books: vec![book], ..config() }).await;
    let mut page = Page::open(&address).await;
    page.say(json!({"type": "open", "link": "connect6/j10"})).await;
    assert_eq!(page.hear("game").await["game"]["book"], true);
    page.say(json!({"type": "overlays", "threats": false, "columns": false, "book": true})).await;
    let book = page.hear("book").await;
    let turn = &book["book"]["turns"][0];
    assert_eq!((turn["games"].as_u64(), turn["score"].as_f64()), (Some(1), Some(0.0)), "{book}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_review_finds_for_a_move_that_was_taken_back_is_dropped() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    page.new_game(&connect6(), person(), person()).await;
    page.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
    page.say(json!({"type": "review", "on": true})).await;
    // The first position is done: the one after the stone is being looked at.
    page.hear_that("reviewed", |news| news["done"] == 1).await;
    page.say(json!({"type": "prune", "node": 1})).await;
    page.hear_that("reviewed", |news| news["done"] == 2).await;
    page.say(json!({"type": "play", "ply": 0, "cell": 5})).await;
    page.hear_that("board", |board| stones(board) == 1).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_died_is_replaced_by_what_was_stored() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    let game = page.new_game(&connect6(), person(), person()).await;
    page.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
    page.hear_that("board", |board| stones(board) == 1).await;
    let mut other = Page::open(&address).await;
    other.say(json!({"type": "open", "id": game["game"]["id"]})).await;
    other.hear("board").await;
    common::BREAK_A_TABLE.store(true, std::sync::atomic::Ordering::SeqCst);
    page.say(json!({"type": "hint"})).await;
    for page in [&mut page, &mut other] {
        assert_eq!(page.hear("game").await["game"]["id"], game["game"]["id"]);
        page.hear_that("board", |board| stones(board) == 1).await;
    }
    page.say(json!({"type": "play", "ply": 1, "cell": 5})).await;
    for page in [&mut page, &mut other] {
        page.hear_that("board", |board| stones(board) == 2).await;
    }
}
