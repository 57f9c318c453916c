//! Files of results: what goes in comes out, and what is wrong is refused and left alone.

use std::fs;

use collinear_play::{End, GameRecord, Reason, Thought};
use collinear_rules::{Cell, Rules};

use super::*;
use crate::game::{Side, stones_key};
use crate::testing::plan;

fn game(number: u64, moves: &[usize]) -> PlayedGame {
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
        let writer = store.writer();
        for game in &games {
            assert!(store.insert(&writer, &run, &plan, game.clone()).expect("inserts"));
        }
        store.insert(&writer, &run, &plan, game(4, &[5])).expect("a second game 4 is ignored");
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
    assert!(message(&path).contains("format 99, and this program reads format 3"));
}

#[test]
fn a_file_of_the_first_version_is_brought_up_to_date() {
    let (_folder, path) = in_folder("results.sqlite");
    let plan = plan(2);
    {
        let store = Store::open(&path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let writer = store.writer();
        store.insert(&writer, &run, &plan, game(0, &[3])).expect("inserts");
    }
    Connection::open(&path)
        .expect("opens")
        .execute_batch(
            "ALTER TABLE runs DROP COLUMN planned; ALTER TABLE runs DROP COLUMN ended;
             ALTER TABLE games DROP COLUMN key;
             ALTER TABLE games DROP COLUMN black_sure_but_lost;
             ALTER TABLE games DROP COLUMN white_sure_but_lost;
             ALTER TABLE games DROP COLUMN black_gave_up_early;
             ALTER TABLE games DROP COLUMN white_gave_up_early;
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
    let writer = store.writer();
    assert_eq!(state(), (0, Some(2), None, false));
    store.insert(&writer, &run, &plan, game(0, &[3])).expect("inserts");
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
        let writer = store.writer();
        for number in 0..2000 {
            store.insert(&writer, &run, &plan, game(number, &[3, 10, 17])).expect("inserts");
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
    let writer = store.writer();
    store.lock().pragma_update(None, "max_page_count", 12).expect("set");
    // Three rows of every second column: no four in a row.
    let long: Vec<usize> = (0..42).filter(|cell| cell % 7 % 2 == 0).take(12).collect();
    let mut kept = 0;
    let error = loop {
        match store.insert(&writer, &run, &plan, game(kept, &long)) {
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
fn merging_refuses_contradictions_or_leaves_them_out() {
    let plan = plan(2);
    let ((_a, here), (_b, there)) = (in_folder("a"), in_folder("b"));
    for (path, moves) in [(&here, [3]), (&there, [4])] {
        let store = Store::open(path).expect("opens");
        let run = store.begin(&plan, "1", "match", 9).expect("begins");
        let writer = store.writer();
        store.insert(&writer, &run, &plan, game(5, &moves)).expect("inserts");
        if path == &there {
            store.insert(&writer, &run, &plan, game(6, &moves)).expect("inserts");
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
        let writer = store.writer();
        for number in 0..100 {
            store.insert(&writer, &run, &plan, game(number, &[3, 10])).expect("inserts");
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
fn a_burst_file_that_makes_no_sense_is_set_aside() {
    let (_folder, path) = in_folder("results.sqlite");
    drop(Store::open(&path).expect("opens"));
    let plan = plan(2);
    let stranger = Kept::new("of another file", &plan, game(0, &[3]));
    let stranger = serde_json::to_string(&stranger).expect("a line") + "\n";
    for (text, reason) in
        [("nonsense\n", "line 1"), (&stranger, "a run that is not in the results")]
    {
        fs::write(path.with_file_name("results.sqlite-burst-0-1"), text).expect("written");
        let store = Store::open(&path).expect("opens all the same");
        let [SetAside { path: kept, reason: why }] = store.set_aside() else { panic!("one file") };
        assert!(why.contains(reason), "{why}");
        assert_eq!(fs::read_to_string(kept).expect("kept"), text);
        assert!(burst_files(&path).is_empty() && store.runs().expect("runs").is_empty());
        drop(store);
        assert!(Store::open(&path).expect("opens").set_aside().is_empty(), "only once");
    }
}

#[test]
fn a_folder_in_the_place_of_a_burst_file_is_set_aside() {
    let (_folder, path) = in_folder("results.sqlite");
    fs::create_dir(path.with_file_name("results.sqlite-burst-1-1")).expect("made");
    let store = Store::open(&path).expect("opens all the same");
    let [aside] = store.set_aside() else { panic!("one folder") };
    assert!(aside.path.is_dir() && aside.path.ends_with("results.sqlite-orphan-1-1"));
    assert!(aside.to_string().contains("set aside as") && aside.to_string().contains("plain file"));
    fs::write(path.with_file_name("results.sqlite-burst-1-1"), "nonsense\n").expect("written");
    let again = Store::open(&path).expect("opens");
    let [aside] = again.set_aside() else { panic!("one file") };
    assert!(aside.path.ends_with("results.sqlite-orphan-1-1-2"), "{aside}");
}

/// Made by the version before: four games of `sequences` against `random`, two games lost by an
/// engine that ended (the second one renamed to the `hang` of that version), two instant games, and
/// three more in a burst file that a killed process left behind.
#[test]
fn a_file_of_format_2_opens() {
    let (folder, path) = in_folder("results.sqlite");
    let data = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data");
    fs::copy(data.join("format-2.sqlite"), &path).expect("copied");
    let burst = folder.path().join("results.sqlite-burst-1-1");
    fs::copy(data.join("format-2.sqlite-burst"), burst).expect("copied");
    let store = Store::open_existing(&path).expect("opens");
    assert_eq!(store.set_aside(), []);
    let runs = store.runs().expect("runs");
    assert_eq!(runs.iter().map(|run| run.games).collect::<Vec<_>>(), [2, 5, 4]);
    let mut games = Vec::new();
    for run in &runs {
        store.each_game(run, &mut |game| games.push(game)).expect("games");
    }
    let reasons: Vec<Reason> = games.iter().map(|game| game.summary.reason).collect();
    assert_eq!(reasons[..2], [Reason::AgentError, Reason::TimeForfeit]);
    assert!(games[0].detail().is_some_and(|words| words.contains("exit code 3")));
    let turns = games[7].record.turns().expect("legal");
    assert_eq!((games[7].record.opening, turns.len()), (1, 4));
    assert_eq!(turns[1].thought.depth, Some(1));
    assert_eq!(turns[1].thought.time, Some(Duration::from_micros(45)));
    // The keys were made when the file was opened.
    for game in &games {
        assert_eq!(game.summary.key, stones_key(&game.record.moves()));
    }
    assert_eq!(games[7].record.winner(), Some(collinear_rules::Player::Black));
}
