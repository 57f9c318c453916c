//! The runner with scripted agents: same games whatever the workers, nothing lost, nothing twice.

use std::time::Duration;

use collinear_play::{Reason, TimeControl};
use collinear_rules::{Cell, Player};

use super::*;
use crate::opening::Openings;
use crate::stats::Bounds;
use crate::testing::{contestant, plan};

fn store() -> (tempfile::TempDir, Arc<Store>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("results.sqlite")).expect("a store");
    (folder, Arc::new(store))
}

fn job(plan: Plan, games: u64, workers: usize) -> Job {
    Job {
        plan: Arc::new(plan),
        games,
        build: "test".to_owned(),
        name: "test".to_owned(),
        shard: Shard::WHOLE,
        workers,
        sprt: None,
        patience: Duration::from_millis(300),
        live: None,
        pause: StopFlag::default(),
    }
}

fn play(job: &Job, store: &Arc<Store>) -> Finished {
    run(job, store, &StopFlag::default(), &mut |_| {}).expect("a run")
}

/// Number, who moved first, who won, why, the stones.
type Essence = (u64, usize, Option<Player>, Reason, Vec<Cell>);

/// Everything about the games of a run that may not depend on time, workers or interruptions.
fn games(store: &Store) -> Vec<Essence> {
    let mut games = Vec::new();
    for row in store.runs().expect("runs") {
        store
            .each_game(&row, &mut |game| {
                let summary = game.summary;
                games.push((
                    summary.number,
                    summary.black,
                    summary.winner,
                    summary.reason,
                    game.record.moves(),
                ));
            })
            .expect("games");
    }
    games.sort_by_key(|game| game.0);
    games
}

#[test]
fn one_worker_and_four_play_the_same_games() {
    let plan = Plan { openings: Openings::Random(4), ..plan(3) };
    let ((_a, one), (_b, four)) = (store(), store());
    let finished = play(&job(plan.clone(), 10, 1), &one);
    assert_eq!((finished.ended, finished.games.len()), (Ended::Complete, 30));
    play(&job(plan, 10, 4), &four);
    assert_eq!(games(&one), games(&four));
}

#[test]
fn the_players_settle_who_plays_black() {
    let rule = collinear_play::OpeningRule::Swap2;
    let rules = collinear_rules::Rules::GOMOKU;
    let plan = Plan { rules, opening_rule: Some(rule), ..plan(2) };
    let ((_a, one), (_b, three)) = (store(), store());
    let finished = play(&job(plan.clone(), 12, 1), &one);
    assert_eq!((finished.ended, finished.games.len()), (Ended::Complete, 12));
    play(&job(plan.clone(), 12, 3), &three);
    assert_eq!(games(&one), games(&three));
    let row = one.runs().expect("runs").remove(0);
    let mut openers = [0; 2];
    one.each_game(&row, &mut |game| {
        // Dice have no opinion: two more stones are put, and the opener stays White.
        assert_eq!(game.record.opening, 5);
        let fixture = plan.schedule(12).get(game.summary.number).expect("a game");
        assert_eq!((game.summary.black, game.summary.white), (fixture.white, fixture.black));
        assert_eq!(game.seeds, [fixture.seeds[1], fixture.seeds[0]]);
        openers[fixture.black] += 1;
    })
    .expect("games");
    assert_eq!(openers, [6, 6]);
    // Nobody can begin so in other games.
    let other = Plan { rules: collinear_rules::Rules::CONNECT6, ..plan };
    assert!(matches!(other.check(2), Err(crate::PlanError::OpeningRule(_))));
}

#[test]
fn a_player_who_fails_in_the_opening_has_lost() {
    let trouble = contestant("dice:trouble=panic,share=1.0", TimeControl::default());
    let sound = contestant("dice", TimeControl::default());
    let rule = collinear_play::OpeningRule::Swap2;
    let rules = collinear_rules::Rules::GOMOKU;
    let contestants = vec![trouble, sound];
    let plan = Plan { rules, contestants, opening_rule: Some(rule), ..plan(2) };
    let (_folder, store) = store();
    let finished = play(&job(plan, 4, 2), &store);
    assert_eq!(finished.games.len(), 4);
    assert!(finished.games.iter().all(|game| game.loser() == Some(0)));
    assert!(finished.games.iter().all(|game| game.reason == Reason::Crash));
}

#[test]
fn a_stopped_run_goes_on_where_it_was() {
    let ((_a, whole), (_b, parts)) = (store(), store());
    play(&job(plan(2), 6000, 2), &whole);
    let mut sessions = 0;
    loop {
        sessions += 1;
        let stop = StopFlag::default();
        let mut heard = 0;
        let finished = run(&job(plan(2), 6000, 2), &parts, &stop, &mut |progress| {
            heard += u64::from(progress.game.is_some());
            if heard >= 100 {
                stop.stop();
            }
        })
        .expect("a run");
        assert_eq!(finished.played, heard);
        if finished.ended == Ended::Complete {
            break;
        }
    }
    assert!(sessions > 2);
    assert_eq!(games(&whole), games(&parts));
    assert_eq!(play(&job(plan(2), 6000, 2), &parts).played, 0, "nothing is played twice");
    assert_eq!(play(&job(plan(2), 6004, 2), &parts).played, 4, "a longer run continues");
}

#[test]
fn a_run_with_a_damaged_game_is_left_as_it_is() {
    let (folder, store) = store();
    play(&job(plan(2), 4, 1), &store);
    let sql = rusqlite::Connection::open(folder.path().join("results.sqlite")).expect("opens");
    sql.execute("UPDATE games SET ending = 'nonsense' WHERE number = 1", []).expect("damaged");
    let longer = run(&job(plan(2), 8, 1), &store, &StopFlag::default(), &mut |_| {});
    assert!(matches!(longer, Err(RunError::Store(StoreError::Damaged { .. }))), "{longer:?}");
    let row: (i64, Option<String>) = sql
        .query_row("SELECT planned, ended FROM runs", [], |row| Ok((row.get(0)?, row.get(1)?)))
        .expect("the run");
    assert_eq!(row, (4, Some("complete".to_owned())));
}

#[test]
fn shards_merge_into_the_whole() {
    let ((_a, whole), (_b, first), (_c, second)) = (store(), store(), store());
    play(&job(plan(3), 6, 2), &whole);
    for (index, part) in [&first, &second].into_iter().enumerate() {
        let shard = Shard { index: index as u64, of: 2 };
        let finished = play(&Job { shard, ..job(plan(3), 6, 1) }, part);
        assert_eq!(finished.ended, Ended::Complete);
        assert!(finished.games.len() < 18);
    }
    let merged = first.merge(second.path()).expect("merges");
    assert_eq!((merged.runs, merged.known), (0, 0));
    assert_eq!(first.merge(second.path()).expect("merges").games, 0, "merging twice is harmless");
    assert_eq!(games(&whole), games(&first));
}

#[test]
fn troubles_lose_and_the_run_goes_on() {
    for (trouble, ending, words) in [
        ("panic", Reason::Crash, "the dice fell off the table"),
        ("occupied", Reason::IllegalTurn, "the cell is occupied"),
        ("refuse", Reason::AgentError, "segmentation fault"),
        ("build", Reason::AgentError, "no engine at that path"),
    ] {
        let mut plan = plan(2);
        plan.contestants[1] =
            contestant(&format!("dice:trouble={trouble}"), TimeControl::default());
        let (_folder, store) = store();
        let finished = play(&job(plan, 20, 2), &store);
        assert_eq!(finished.games.len(), 20);
        let faulty: Vec<_> = finished.games.iter().filter(|g| g.reason == ending).collect();
        assert!(faulty.len() > 3, "{trouble}");
        for game in faulty {
            let winner = if game.black == 0 { Player::Black } else { Player::White };
            assert_eq!(game.winner, Some(winner));
        }
        let row = &store.runs().expect("runs")[0];
        let mut said = false;
        store
            .each_game(row, &mut |game| said |= game.detail().is_some_and(|w| w.contains(words)))
            .expect("games");
        assert!(said, "{trouble} left no words");
    }
}

#[test]
fn a_hanging_agent_is_left_behind() {
    let mut plan = plan(2);
    let quick = TimeControl::turn(Duration::from_millis(20));
    plan.contestants[0] = contestant("dice", quick);
    plan.contestants[1] = contestant("dice:trouble=hang,share=0.05", quick);
    let (_folder, store) = store();
    let finished = play(&job(plan, 8, 2), &store);
    assert_eq!((finished.ended, finished.games.len()), (Ended::Complete, 8));
    assert!(finished.games.iter().any(|game| game.reason == Reason::TimeForfeit));
}

#[test]
fn a_decided_test_stops_the_run_at_the_same_pair_whatever_the_workers() {
    let mut lame = plan(2);
    lame.contestants[1] = contestant("dice:trouble=occupied,share=0.2", TimeControl::default());
    let decide = |workers| {
        let (_folder, store) = store();
        let sprt = Some(Bounds::new(0.0, 100.0));
        play(&Job { sprt, ..job(lame.clone(), 2000, workers) }, &store)
    };
    let (one, four) = (decide(1), decide(4));
    assert_eq!((one.ended, four.ended), (Ended::Decided, Ended::Decided));
    assert!(one.games.len() < 200);
    let numbers = |f: &Finished| f.games.iter().map(|g| (g.number, g.winner)).collect::<Vec<_>>();
    assert_eq!(numbers(&one), numbers(&four));
}

#[test]
fn tests_that_cannot_be_run_are_refused() {
    let (_folder, store) = store();
    let refuse = |job: &Job| {
        run(job, &store, &StopFlag::default(), &mut |_| {}).expect_err("refused").to_string()
    };
    let sprt = Some(Bounds::new(0.0, 5.0));
    assert!(refuse(&Job { sprt, ..job(plan(3), 2, 1) }).contains("exactly two"));
    let shard = Shard { index: 0, of: 2 };
    assert!(refuse(&Job { shard, sprt, ..job(plan(2), 2, 1) }).contains("sharded"));
    let shard = Shard { index: 3, of: 3 };
    assert!(refuse(&Job { shard, ..job(plan(2), 2, 1) }).contains("1/3 to 3/3"));
}

#[test]
fn a_swiss_run_goes_on_with_the_same_pairings() {
    let swiss = |players| Plan { format: crate::Pairings::Swiss { games: 2 }, ..plan(players) };
    for (players, rounds) in [(8, 3), (9, 4), (2, 3)] {
        let ((_a, whole), (_b, parts)) = (store(), store());
        let finished = play(&job(swiss(players), rounds, 1), &whole);
        assert_eq!(finished.ended, Ended::Complete);
        assert_eq!(finished.games.len() as u64, rounds * 2 * (players as u64 / 2));
        let mut sessions = 0;
        while sessions == 0 || parts.runs().expect("runs")[0].ended != Some(Ended::Complete) {
            sessions += 1;
            let stop = StopFlag::default();
            let on = &mut |progress: &Progress<'_>| {
                if progress.game.is_some() {
                    stop.stop();
                }
            };
            run(&job(swiss(players), rounds, 3), &parts, &stop, on).expect("a run");
        }
        assert!(sessions > 1);
        assert_eq!(games(&whole), games(&parts));
        // A longer tournament goes on from there.
        play(&job(swiss(players), rounds + 1, 2), &parts);
        play(&job(swiss(players), rounds + 1, 1), &whole);
        assert_eq!(games(&whole), games(&parts));
        let table = swiss(players).swiss(rounds + 1, &parts.summaries(&finished.run).expect("all"));
        assert_eq!(table.expect("a Swiss tournament").rounds.len() as u64, rounds + 1);
    }
    let (_folder, store) = store();
    let part = Job { shard: Shard { index: 0, of: 2 }, ..job(swiss(4), 2, 1) };
    let refused = run(&part, &store, &StopFlag::default(), &mut |_| {});
    assert!(matches!(refused, Err(RunError::DrawnShard)), "{refused:?}");
}

#[test]
fn games_can_be_seen_while_they_are_played() {
    let (_folder, store) = store();
    let live = Arc::new(LiveGames::default());
    let slow =
        contestant("dice:trouble=hang,share=0.02", TimeControl::turn(Duration::from_millis(1)));
    let sound = contestant("dice", TimeControl::default());
    let job = Job {
        live: Some(Arc::clone(&live)),
        ..job(Plan { contestants: vec![slow, sound], ..plan(2) }, 20, 2)
    };
    let done = std::sync::atomic::AtomicBool::new(false);
    std::thread::scope(|scope| {
        let looking = scope.spawn(|| {
            let mut most = 0;
            while !done.load(std::sync::atomic::Ordering::Relaxed) {
                let games = live.all();
                assert!(games.len() <= 2 && games.iter().all(|game| game.black != game.white));
                most = most.max(games.iter().map(|game| game.stones.len()).max().unwrap_or(0));
                std::thread::yield_now();
            }
            most
        });
        play(&job, &store);
        done.store(true, std::sync::atomic::Ordering::Relaxed);
        assert!(looking.join().expect("no panic") > 0);
    });
    assert_eq!(live.all(), []);
}
