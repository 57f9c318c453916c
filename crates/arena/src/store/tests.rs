//! Files of results: what goes in comes out, and what is wrong is refused and left alone.

use std::fs;

use collinear_play::{End, GameRecord, Reason, Thought};
use collinear_rules::{Cell, Rules};

use super::*;
use crate::game::{Side, stones_key};
use crate::testing::plan;

pub(super) fn game(number: u64, moves: &[usize]) -> PlayedGame {
    let moves: Vec<Cell> = moves.iter().copied().map(Cell::new).collect();
    let mut record = GameRecord::from_moves(Rules::CONNECT4, &moves).expect("legal");
    record.opening = moves.len().min(1);
    let end = End::drawn(Reason::FullBoard);
    record.end = Some(if number == 1 { end.with_detail("ça va \"mal\"") } else { end });
    let time = Duration::from_micros(20);
    let second = record.tree.main_line().nth(2);
    match second {
        Some(node) => {
            record.tree.notes_mut(node).expect("there").thought = Thought::timed(time);
        }
        None => record.unanswered = Some(Thought::timed(time)),
    }
    let side =
        Side { turns: 3, micros: 20, nodes: 9, depth: 4, sure_but_lost: number, gave_up_early: 2 };
    PlayedGame {
        summary: GameSummary {
            number,
            pair: number / 2,
            black: 0,
            white: 1,
            winner: None,
            reason: Reason::FullBoard,
            sides: [side, Side::default()],
            key: stones_key(&moves),
        },
        seeds: [u64::MAX, 7],
        record,
    }
}

fn keep(store: &Store, run: &str, game: PlayedGame) -> Result<bool, StoreError> {
    Ok(store.insert(run, &[GameRow::new(game)])?[0])
}

pub(super) fn in_folder(name: &str) -> (tempfile::TempDir, PathBuf) {
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
        let rows = games.clone().map(GameRow::new);
        assert_eq!(store.insert(&run, &rows).expect("inserts"), [true; 3]);
        assert!(!keep(&store, &run, game(4, &[5])).expect("a second game 4 is ignored"));
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
    assert!(message(&path).contains("damaged or not a file of results"), "{}", message(&path));
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
    assert!(message(&path).contains("format 99, and this program reads format 3"));
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
    assert_eq!(state(), (0, Some(2), None, false));
    keep(&store, &run, game(0, &[3])).expect("inserts");
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
        for number in 0..2000 {
            keep(&store, &run, game(number, &[3, 10, 17])).expect("inserts");
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
    store.lock().pragma_update(None, "max_page_count", 12).expect("set");
    // Three rows of every second column: no four in a row.
    let long: Vec<usize> = (0..42).filter(|cell| cell % 7 % 2 == 0).take(12).collect();
    let mut kept = 0;
    let error = loop {
        match keep(&store, &run, game(kept, &long)) {
            Ok(_) => kept += 1,
            Err(error) => break error,
        }
    };
    assert!(error.to_string().starts_with("the disk is full"), "{error}");
    drop(store);
    let store = Store::open(&path).expect("opens");
    assert_eq!(store.summaries(&run).expect("games").len() as u64, kept);
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
fn merging_refuses_contradictions_or_leaves_them_out() {
    let plan = plan(2);
    let ((_a, here), (_b, there)) = (in_folder("a"), in_folder("b"));
    for (path, moves) in [(&here, [3]), (&there, [4])] {
        let store = Store::open(path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        keep(&store, &run, game(5, &moves)).expect("inserts");
        if path == &there {
            keep(&store, &run, game(6, &moves)).expect("inserts");
        }
    }
    let store = Store::open(&here).expect("opens");
    let refusal = store.merge(&there).expect_err("refused").to_string();
    assert!(refusal.contains("game 5 of run"), "{refusal}");
    assert_eq!(store.summaries(&plan.run_id("1")).expect("games").len(), 1);
    // Where only what is new is wanted, the game that is here stays as it is.
    let before = store.summaries(&plan.run_id("1")).expect("games");
    let merged = store.merge_new(&there).expect("merges");
    assert_eq!(merged, Merged { runs: 0, games: 1, known: 1 });
    let after = store.summaries(&plan.run_id("1")).expect("games");
    assert_eq!((&after[..1], after.len()), (&before[..], 2));
}
