//! Files of results: what goes in comes out, and what is wrong is refused and left alone.

use std::fs;

use super::*;
use crate::game::{Outcome, Side};
use crate::testing::plan;

fn game(number: u64, moves: &[usize]) -> PlayedGame {
    PlayedGame {
        summary: GameSummary {
            number,
            pair: number / 2,
            black: 0,
            white: 1,
            result: Outcome::Draw,
            ending: "full-board".to_owned(),
            sides: [Side { turns: 3, micros: 20, nodes: 9, depth: 4 }, Side::default()],
        },
        seeds: [u64::MAX, 7],
        opening: 1,
        moves: moves.iter().copied().map(collinear_rules::Cell::new).collect(),
        words: (number == 1).then(|| "ça va \"mal\"".to_owned()),
        turns: "[[1,20]]".to_owned(),
    }
}

fn in_folder(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join(name);
    (folder, path)
}

fn message(path: &Path) -> String {
    Store::open(path).err().expect("refused").to_string()
}

#[test]
fn games_come_back_as_they_were() {
    let (_folder, path) = in_folder("deep/er/results.sqlite");
    let plan = plan(2);
    let games = [game(0, &[3, 10]), game(1, &[]), game(4, &[0])];
    {
        let store = Store::open(&path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let pen = store.pen();
        for game in &games {
            assert!(store.insert(&pen, &run, &plan, game.clone()).expect("inserts"));
        }
        store.insert(&pen, &run, &plan, game(4, &[5])).expect("a second game 4 is ignored");
    }
    let store = Store::open_existing(&path).expect("opens");
    let runs = store.runs().expect("runs");
    assert_eq!((runs.len(), runs[0].games, runs[0].labels()), (1, 3, vec!["dice".to_owned(); 2]));
    let mut found = Vec::new();
    store.each_game(&runs[0], &mut |game| found.push(game)).expect("games");
    assert_eq!(found, games);
    assert_eq!(store.run(&runs[0].id).expect("a run").as_ref(), Some(&runs[0]));
    assert_eq!(store.run("nobody").expect("no error"), None);
    assert_eq!(store.game(&runs[0], 4).expect("a game").as_ref(), Some(&games[2]));
    assert_eq!(store.game(&runs[0], 2).expect("no error"), None);
    assert_eq!(store.games_of_other_builds(&plan, "2").expect("counts"), 3);
    assert_eq!(store.games_of_other_builds(&plan, "1").expect("counts"), 0);
    store.forget(&runs[0].id).expect("forgets");
    assert!(store.runs().expect("runs").is_empty());
}

#[test]
fn files_of_others_are_refused_and_left_alone() {
    let (_folder, path) = in_folder("notes.txt");
    fs::write(&path, "shopping list: rice, tea, and far more than sixteen bytes").expect("written");
    assert!(message(&path).contains("damaged or no file of results"), "{}", message(&path));
    assert!(fs::read_to_string(&path).expect("read").starts_with("shopping list"));

    let (_folder, path) = in_folder("other.sqlite");
    Connection::open(&path).expect("opens").execute_batch("CREATE TABLE t (x)").expect("made");
    assert!(message(&path).contains("another program"));
}

#[test]
fn another_version_is_refused() {
    let (_folder, path) = in_folder("results.sqlite");
    drop(Store::open(&path).expect("opens"));
    Connection::open(&path).expect("opens").pragma_update(None, "user_version", 99).expect("set");
    assert!(message(&path).contains("format 99, and this program reads format 2"));
}

#[test]
fn a_file_of_the_first_version_is_brought_up_to_date() {
    let (_folder, path) = in_folder("results.sqlite");
    let plan = plan(2);
    {
        let store = Store::open(&path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let pen = store.pen();
        store.insert(&pen, &run, &plan, game(0, &[3])).expect("inserts");
    }
    Connection::open(&path)
        .expect("opens")
        .execute_batch(
            "ALTER TABLE runs DROP COLUMN planned; ALTER TABLE runs DROP COLUMN ended;
             PRAGMA user_version = 1",
        )
        .expect("made older");
    for _ in 0..2 {
        let runs = Store::open(&path).expect("opens").runs().expect("runs");
        assert_eq!((runs[0].games, runs[0].planned, runs[0].ended), (1, None, None));
        assert!(!runs[0].is_finished());
    }
    let store = Store::open(&path).expect("opens");
    store.begin(&plan, "1", "match", 1).expect("begins");
    assert!(store.runs().expect("runs")[0].is_finished());
}

#[test]
fn a_run_says_how_far_it_is() {
    let (_folder, path) = in_folder("results.sqlite");
    let plan = plan(2);
    let store = Store::open(&path).expect("opens");
    let state = || {
        let run = store.runs().expect("runs").remove(0);
        (run.games, run.planned, run.ended, run.is_finished())
    };
    let run = store.begin(&plan, "1", "match", 2).expect("begins");
    let pen = store.pen();
    assert_eq!(state(), (0, Some(2), None, false));
    store.insert(&pen, &run, &plan, game(0, &[3])).expect("inserts");
    store.end(&run, Ended::Decided).expect("ends");
    assert_eq!(state(), (1, Some(2), Some(Ended::Decided), true));
    store.begin(&plan, "1", "match", 4).expect("goes on");
    assert_eq!(state(), (1, Some(4), None, false));
    store.end(&run, Ended::Stopped).expect("ends");
    assert_eq!(state(), (1, Some(4), Some(Ended::Stopped), false));
}

#[test]
fn a_cut_off_file_is_refused_not_truncated() {
    let (_folder, path) = in_folder("results.sqlite");
    let plan = plan(2);
    {
        let store = Store::open(&path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let pen = store.pen();
        for number in 0..2000 {
            store.insert(&pen, &run, &plan, game(number, &[3, 10, 17])).expect("inserts");
        }
    }
    let whole = fs::read(&path).expect("read");
    for keep in [whole.len() / 2, 5000, 70] {
        fs::write(&path, &whole[..keep]).expect("written");
        let refusal = Store::open(&path)
            .and_then(|store| store.summaries(&plan.run_id("1")).map(|games| games.len()));
        assert!(matches!(refusal, Err(StoreError::Damaged { .. })), "{keep}: {refusal:?}");
        assert_eq!(fs::metadata(&path).expect("there").len(), keep as u64);
    }
}

#[test]
fn a_full_disk_keeps_what_was_there() {
    let (_folder, path) = in_folder("results.sqlite");
    let plan = plan(2);
    let store = Store::open(&path).expect("opens");
    let run = store.begin(&plan, "1", "match", 9).expect("begins");
    let pen = store.pen();
    store.lock().pragma_update(None, "max_page_count", 12).expect("set");
    let mut kept = 0;
    let error = loop {
        match store.insert(&pen, &run, &plan, game(kept, &[3; 60])) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(error.to_string().starts_with("the disk is full"), "{error}");
    drop(store);
    let store = Store::open(&path).expect("opens");
    // The game that did not fit may have been written down all the same.
    assert!((kept..=kept + 1).contains(&(store.summaries(&run).expect("games").len() as u64)));
    assert!(kept > 10);
}

#[test]
fn places_that_cannot_be_written_are_named() {
    let (_folder, path) = in_folder("a-file");
    fs::write(&path, "x").expect("written");
    assert!(message(&path.join("below/results.sqlite")).contains("cannot be made"));
    let (folder, _) = in_folder("x");
    assert!(message(folder.path()).contains("cannot be written"), "{}", message(folder.path()));
    assert!(matches!(
        Store::open_existing(&folder.path().join("none")),
        Err(StoreError::Missing { .. })
    ));
}

#[test]
fn merging_refuses_contradictions() {
    let plan = plan(2);
    let ((_a, here), (_b, there)) = (in_folder("a"), in_folder("b"));
    for (path, moves) in [(&here, [3]), (&there, [4])] {
        let store = Store::open(path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let pen = store.pen();
        store.insert(&pen, &run, &plan, game(5, &moves)).expect("inserts");
        if path == &there {
            store.insert(&pen, &run, &plan, game(6, &moves)).expect("inserts");
        }
    }
    let store = Store::open(&here).expect("opens");
    let refusal = store.merge(&there).expect_err("refused").to_string();
    assert!(refusal.contains("game 5 of run"), "{refusal}");
    assert_eq!(store.summaries(&plan.run_id("1")).expect("games").len(), 1);
}

fn burst_files(path: &Path) -> Vec<PathBuf> {
    let folder = path.parent().expect("a folder");
    let files = fs::read_dir(folder).expect("read").map(|entry| entry.expect("entry").path());
    files.filter(|file| file.to_string_lossy().contains("-burst-")).collect()
}

#[test]
fn bursts_of_a_killed_process_become_rows() {
    let (_folder, path) = in_folder("results.sqlite");
    let plan = plan(2);
    let run = {
        let store = Store::open(&path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let pen = store.pen();
        for number in 0..100 {
            store.insert(&pen, &run, &plan, game(number, &[3, 10])).expect("inserts");
        }
        // What a kill at this moment would leave: some rows, the rest in a file.
        let live = burst_files(&path);
        let rows: i64 = Connection::open(&path)
            .expect("opens")
            .query_row("SELECT COUNT(*) FROM games", [], |row| row.get(0))
            .expect("counted");
        assert_eq!(live.len(), 1);
        let text = fs::read_to_string(&live[0]).expect("read");
        assert_eq!(rows as usize + text.lines().count(), 100);
        fs::write(path.with_file_name("results.sqlite-burst-0-1"), text + "{\"run\":\"cut o")
            .expect("written");
        store.forget(&run).expect("forgets");
        store.begin(&plan, "1", "match", 9).expect("begins")
    };
    assert_eq!(burst_files(&path).len(), 1, "the living process has cleaned up after itself");
    let left = fs::read_to_string(&burst_files(&path)[0]).expect("read").lines().count() - 1;
    let store = Store::open(&path).expect("opens");
    assert_eq!(store.summaries(&run).expect("games").len(), left);
    assert!(burst_files(&path).is_empty());
}

#[test]
fn a_burst_file_that_makes_no_sense_is_named_and_kept() {
    let (_folder, path) = in_folder("results.sqlite");
    drop(Store::open(&path).expect("opens"));
    fs::write(path.with_file_name("results.sqlite-burst-0-1"), "nonsense\n").expect("written");
    assert!(message(&path).contains("results.sqlite-burst-0-1"), "{}", message(&path));
    assert_eq!(burst_files(&path).len(), 1);
}
