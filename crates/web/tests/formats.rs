//! The file of the page's games is frozen: `formats/` has one as version 0.2 writes it, and every later
//! version reads it. The other formats: `crates/cli/tests/formats.rs`.

mod common;

use common::{Page, config, start};
use serde_json::json;

#[tokio::test(flavor = "multi_thread")]
async fn games_of_the_first_release_are_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let golden = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/formats/games.sqlite");
    std::fs::copy(golden, folder.path().join("games.db")).expect("copied");
    let data = Some(folder.path().to_owned());
    let mut page = Page::open(&start(collinear_web::Config { data, ..config() }).await).await;
    assert_eq!(page.hear("hello").await["settings"], "{\"sound\":true}");
    page.say(json!({"type": "open", "id": "22eabf2c46dae7d4"})).await;
    let board = page.hear("board").await["board"].clone();
    assert_eq!(board["link"], "connect6/j10.k10.k11.j11.i9.l12.h8");
    assert_eq!(board["ending"]["winner"], "black");
    page.say(json!({"type": "open", "id": "747876b877c209bf"})).await;
    let going_on = page.hear_that("board", |board| board["board"]["moves"][0] == 112).await;
    assert_eq!(going_on["board"]["moves"].as_array().map(Vec::len), Some(2));
}
