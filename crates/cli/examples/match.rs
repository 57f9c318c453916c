//! A match of twenty games on Connect Four, kept in a file of results, with Elo and its interval.
//!
//! `cargo run --release --example match`

use std::sync::Arc;

use collinear_arena::{
    Adjudication, Contestant, FirstMove, Job, Openings, Pairings, Plan, Scoreboard, Store, run,
};
use collinear_play::{StopFlag, TimeControl};
use collinear_rules::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = collinear_agents::registry();
    let control = TimeControl::nodes(500);
    let contestants = ["kate", "random"]
        .map(|spec| Contestant::parse(&registry, spec, control))
        .into_iter()
        .collect::<Result<Vec<_>, _>>()?;
    let plan = Plan {
        rules: Rules::CONNECT4,
        contestants,
        format: Pairings::RoundRobin,
        first_move: FirstMove::Alternating,
        openings: Openings::Random(4),
        opening_rule: None,
        adjudication: Adjudication::default(),
        seed: 1,
    };
    let job = Job { workers: 2, ..Job::new(plan, 20) };
    let folder = tempfile::tempdir()?;
    let store = Arc::new(Store::open(&folder.path().join("results.sqlite"))?);
    let finished = run(&job, &store, &StopFlag::default(), &mut |_| {})?;
    let mut score = Scoreboard::new(&job.plan, None);
    for game in &finished.games {
        score.add(game);
    }
    let estimate = score.estimate();
    println!("kate – random: {}", score.tally(0));
    println!(
        "Elo {:+.0} ({:+.0} to {:+.0})",
        estimate.elo, estimate.interval.low, estimate.interval.high
    );
    Ok(())
}
