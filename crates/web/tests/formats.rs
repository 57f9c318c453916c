//! The files of the page are frozen: `formats/` has its games and a backup of them as version 0.2 writes
//! them, and every later version reads them. The other formats: `crates/cli/tests/formats.rs`.

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

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_of_the_first_release_is_read() {
    let folder = tempfile::tempdir().expect("a folder");
    let data = Some(folder.path().to_owned());
    let mut page = Page::open(&start(collinear_web::Config { data, ..config() }).await).await;
    page.hear("hello").await;
    page.say(json!({"type": "restoreBackup", "text": include_str!("formats/backup.json")})).await;
    let restored = page.hear("restored").await;
    assert_eq!(
        (&restored["games"], &restored["settings"]),
        (&json!(3), &json!("{\"sound\":true}"))
    );
    page.say(json!({"type": "open", "id": "22eabf2c46dae7d4"})).await;
    let board = page.hear_that("board", |board| board["board"]["ending"] != json!(null)).await;
    assert_eq!(board["board"]["link"], "connect6/j10.k10.k11.j11.i9.l12.h8");
}
