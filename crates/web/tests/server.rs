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
    assert!(board["board"]["why"].is_string(), "{board}");
    page.say(json!({"type": "undo"})).await;
    let board = page.hear_that("board", |board| stones(board) == 0).await;
    assert_eq!(board["board"]["canUndo"], false);
    assert_eq!(board["board"]["canRedo"], true);
    page.say(json!({"type": "redo"})).await;
    page.hear_that("board", |board| stones(board) == 3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn undo_on_an_earlier_move_loses_nothing() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    let record = "j10 k11 i9 k9 i11 l12 h8 m13 g7";
    page.say(json!({"type": "import", "text": record})).await;
    let game = page.hear("game").await;
    page.hear_that("board", |board| stones(board) == 9).await;
    page.say(json!({"type": "goto", "node": 3})).await;
    page.hear_that("board", |board| stones(board) == 3).await;
    page.say(json!({"type": "undo"})).await;
    page.hear_that("board", |board| stones(board) == 1).await;
    page.say(json!({"type": "play", "ply": 1, "cell": 5})).await;
    page.hear_that("board", |board| stones(board) == 2).await;
    let mut other = Page::open(&address).await;
    other.say(json!({"type": "open", "id": game["game"]["id"]})).await;
    let tree = other.hear("tree").await;
    assert_eq!(tree["nodes"].as_array().map(Vec::len), Some(11), "{tree}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_agent_that_fails_loses_as_in_a_match_and_undo_takes_it_back() {
    let address = start(config()).await;
    for (spec, reason) in [
        ("faulty:fault=panics", "crash"),
        ("faulty:fault=occupied", "illegal-turn"),
        ("faulty:fault=hangs", "time-forfeit"),
        ("faulty:fault=nothing", "agent-error"),
    ] {
        let mut page = Page::open(&address).await;
        let timing = json!({"type": "turn", "ms": 50});
        let game = json!({"rules": connect6(), "black": person(), "white": agent(spec),
            "timing": timing});
        page.say(json!({"type": "new", "game": game})).await;
        page.hear("board").await;
        page.say(json!({"type": "play", "ply": 0, "cell": 180})).await;
        let board = page.hear_that("board", |board| !board["board"]["ending"].is_null()).await;
        let ending = &board["board"]["ending"];
        assert_eq!((&ending["winner"], &ending["reason"]), (&json!("black"), &json!(reason)));
        page.say(json!({"type": "pause", "paused": true})).await;
        page.say(json!({"type": "undo"})).await;
        page.hear_that("board", |board| board["board"]["ending"].is_null()).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_review_names_better_turns_and_says_the_same_the_second_time() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    // White lets Black's four stand: Black could win at once, and does not.
    let record = "j10 a1 a3 h10 i10 c1 e1 k10 s19 g1 i1 s17 s15";
    page.say(json!({"type": "import", "text": record})).await;
    page.hear("board").await;
    let mut reviews = Vec::new();
    for _ in 0..2 {
        page.say(json!({"type": "review", "on": true, "effort": 1})).await;
        reviews.push(page.hear("review").await["review"].clone());
    }
    assert_eq!(reviews[0], reviews[1]);
    let turns = reviews[0]["turns"].as_array().expect("turns");
    assert_eq!(turns.len(), 7);
    let missed = turns.iter().find(|turn| turn["missedWin"] == true).expect("a missed win");
    assert!(missed["better"].as_array().is_some_and(|cells| !cells.is_empty()), "{missed}");
    assert_eq!(missed["had"]["type"], "win", "{missed}");
    // White's first turn is where the game turned.
    assert_eq!(reviews[0]["turningPoint"], turns[1]["node"]);
    page.say(json!({"type": "export", "format": "sgf", "review": true})).await;
    let text = page.hear("exported").await["text"].to_string();
    assert!(text.contains("misses a win"), "{text}");
}

#[tokio::test(flavor = "multi_thread")]
async fn hints_come_with_words_and_positions_can_be_set_up() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    let row: Vec<u16> = (0..4).map(|at| 180 + at).collect();
    let setup = json!({"rules": connect6(), "black": row, "white": [0, 1, 2],
        "toMove": "black", "stonesLeft": 2});
    page.say(json!({"type": "setup", "setup": setup})).await;
    assert_eq!(page.hear("game").await["game"]["setup"][0].as_array().map(Vec::len), Some(4));
    page.hear("board").await;
    page.say(json!({"type": "hint"})).await;
    let done = |search: &Value| search["search"]["done"] == true;
    let hint = page.hear_that("search", done).await;
    assert!(hint["search"]["words"].to_string().contains("completes a row"), "{hint}");
    // The same as a puzzle; its name is a link that opens it again.
    page.say(json!({"type": "setup", "setup": setup, "puzzle": true})).await;
    let game = page.hear("game").await["game"]["puzzle"].clone();
    assert_eq!(game["goal"], "Black wins in 1");
    page.say(json!({"type": "puzzle", "id": game["id"]})).await;
    assert_eq!(page.hear("game").await["game"]["puzzle"], game);
    for id in ["connect6/j10", "no-such-puzzle", "8x7,k=4,gravity/d1"] {
        page.say(json!({"type": "puzzle", "id": id})).await;
        page.hear("refused").await;
    }
    let bad = json!({"rules": connect6(), "black": [0], "white": [0], "toMove": "black",
        "stonesLeft": 2});
    page.say(json!({"type": "setup", "setup": bad})).await;
    assert!(page.hear("refused").await["text"].to_string().contains("twice"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_only_looked_at_is_not_stored() {
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    page.say(json!({"type": "open", "link": "connect6/j10.k11"})).await;
    page.hear("board").await;
    let stored = async |page: &mut Page| {
        page.say(json!({"type": "games"})).await;
        page.hear("stored").await["games"].as_array().map_or(0, Vec::len)
    };
    assert_eq!(stored(&mut page).await, 0);
    page.say(json!({"type": "goto", "node": 1})).await;
    page.hear_that("board", |board| stones(board) == 1).await;
    assert_eq!(stored(&mut page).await, 0);
    page.say(json!({"type": "play", "ply": 1, "cell": 5})).await;
    page.hear_that("board", |board| stones(board) == 2).await;
    assert_eq!(stored(&mut page).await, 1);
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
    page.say(json!({"type": "overlays", "shown": ["threats"]})).await;
    let threats = page.hear("threats").await;
    assert_eq!(threats["threats"]["sides"][0]["exact"], 2);
    page.say(json!({"type": "overlays", "shown": ["policy"]})).await;
    let policy = page.hear("policy").await["policy"].clone();
    assert!(policy["cells"].as_array().is_some_and(|cells| !cells.is_empty()), "{policy}");
    assert!(policy["chance"].as_f64().is_some_and(|chance| (0.0..=1.0).contains(&chance)));
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
    page.say(json!({"type": "overlays", "shown": ["columns"]})).await;
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
    let game = page.hear("game").await["game"].clone();
    assert_eq!(game["overlays"], json!(["threats", "book", "shapes", "policy"]));
    page.say(json!({"type": "overlays", "shown": ["book"]})).await;
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

#[tokio::test(flavor = "multi_thread")]
async fn a_match_is_started_from_the_page_and_its_games_replayed() {
    let folder = tempfile::tempdir().expect("a folder");
    let results = Some(folder.path().join("results.sqlite"));
    let address = start(collinear_web::Config { results, ..config() }).await;
    let mut page = Page::open(&address).await;
    let rules =
        json!({"width": 3, "height": 3, "k": 3, "p": 1, "q": 1, "gravity": false, "exact": false});
    let new = |players: Value| {
        json!({"type": "startMatch", "match": {"rules": rules, "players": players,
            "format": "round-robin", "games": 4, "limits": "50ms", "openings": "empty", "atOnce": 1}})
    };
    page.say(new(json!(["random", "sextant:weights=/dev/zero"]))).await;
    assert!(page.hear("refused").await["text"].to_string().contains("cannot name files"));
    page.say(new(json!(["random", "sequences"]))).await;
    let run = page.hear("matchStarted").await["run"].clone();
    let view = loop {
        page.say(json!({"type": "run", "id": run})).await;
        let view = page.hear("run").await["view"].clone();
        if view["run"]["finished"] == true {
            break view;
        }
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    };
    assert_eq!(view["games"].as_array().map(Vec::len), Some(4), "{view}");
    page.say(json!({"type": "replay", "run": run, "number": view["games"][0]["number"]})).await;
    let game = page.hear("game").await;
    assert_eq!(game["game"]["replay"]["run"], run);
    page.say(json!({"type": "stopMatch", "run": run})).await;
    assert!(page.hear("refused").await["text"].to_string().contains("over"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_puzzle_takes_any_winning_turn_and_defends_itself() {
    use collinear_agents::puzzles::{Answer, Judge, shipped};

    let puzzle = shipped()
        .into_iter()
        .find(|puzzle| *puzzle.position.rules() == collinear_rules::Rules::CONNECT6)
        .expect("a Connect6 puzzle");
    let address = start(config()).await;
    let mut page = Page::open(&address).await;
    page.say(json!({"type": "puzzles"})).await;
    let listed = page.hear("puzzles").await["puzzles"].to_string();
    assert!(listed.contains(&puzzle.id) && listed.contains(&puzzle.goal()), "{listed}");
    page.say(json!({"type": "puzzle", "id": puzzle.id})).await;
    assert_eq!(page.hear("game").await["game"]["puzzle"]["goal"], puzzle.goal());
    let mut judge = Judge::new(puzzle.position.rules());
    let mut position = puzzle.position.clone();
    let say = async |page: &mut Page, before: usize, turn: &[collinear_rules::Cell]| {
        for (at, cell) in turn.iter().enumerate() {
            page.say(json!({"type": "play", "ply": before + at, "cell": cell.index()})).await;
        }
        page.hear("puzzleState").await
    };
    // A quiet turn is refused and taken back.
    let quiet: Vec<_> = position.legal_cells().into_iter().take(position.stones_left()).collect();
    let state = say(&mut page, position.history().len(), &quiet).await;
    assert_eq!(state["state"], "wrong", "{state}");
    for wanted in ["look", "try"] {
        page.say(json!({"type": "puzzleHint"})).await;
        assert_eq!(page.hear("puzzleState").await["words"]["type"], wanted);
    }
    // The stones of a winning turn in the other order are another turn, and as right.
    loop {
        let (mut turn, _) = judge.solution(&position).expect("still won");
        turn.reverse();
        let answer = judge.answer(&position, &turn).expect("legal");
        let state = say(&mut page, position.history().len(), &turn).await;
        match answer {
            Answer::Solved => {
                assert_eq!(state["state"], "solved", "{state}");
                break;
            }
            Answer::Defended { defence, .. } => {
                assert_eq!(state["state"], "going", "{state}");
                for played in [&turn, &defence] {
                    collinear_play::play_turn(&mut position, played).expect("legal");
                }
                let count = position.history().len();
                page.hear_that("board", |board| stones(board) == count).await;
            }
            Answer::Missed => panic!("a proved turn is right"),
        }
    }
}
