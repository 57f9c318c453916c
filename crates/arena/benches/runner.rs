//! What the runner adds to a game: instant players, every game committed, with one worker and with
//! two in turn. The two-worker figure over the one-worker figure is what counts.

use std::sync::Arc;
use std::time::{Duration, Instant};

use collinear_arena::Adjudication;
use collinear_arena::Openings;
use collinear_arena::Store;
use collinear_arena::{Contestant, FirstMove, Pairings, Plan};
use collinear_arena::{Job, Shard, run};
use collinear_play::{
    Agent, AgentSpec, BuildError, Options, Registry, StopFlag, TimeControl, agent_fn,
    stone_by_stone,
};
use collinear_rules::Rules;
use rand::seq::IndexedRandom;
use rand::{SeedableRng, rngs::SmallRng};

static INSTANTLY: AgentSpec =
    AgentSpec { summary: "random stones", source: "ours", ..AgentSpec::new("instantly", build) };

#[expect(clippy::unnecessary_wraps, reason = "as `Build` has it")]
fn build(_: &Rules, _: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let mut random = SmallRng::seed_from_u64(seed);
    Ok(Box::new(agent_fn(move |position, _| {
        stone_by_stone(position, |ahead| ahead.legal_cells().choose(&mut random).copied())
    })))
}

const GAMES: u64 = 50_000;
/// The best of this many rounds counts: other programs can only slow one down.
const ROUNDS: usize = 7;

fn play(workers: usize) -> Duration {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Arc::new(Store::open(&folder.path().join("results.sqlite")).expect("a store"));
    let agent = Registry::new(vec![&INSTANTLY]).parse("instantly").expect("the agent");
    let player = Contestant { label: "a".to_owned(), agent, control: TimeControl::default() };
    let plan = Plan {
        rules: Rules::CONNECT4,
        contestants: vec![player.clone(), player],
        format: Pairings::RoundRobin,
        first_move: FirstMove::Alternating,
        openings: Openings::Empty,
        opening_rule: None,
        adjudication: Adjudication::default(),
        seed: 1,
    };
    let job = Job {
        plan: Arc::new(plan),
        games: GAMES,
        build: "bench".to_owned(),
        name: "bench".to_owned(),
        shard: Shard::WHOLE,
        workers,
        sprt: None,
        patience: Duration::from_secs(10),
        live: None,
        pause: StopFlag::default(),
    };
    let began = Instant::now();
    run(&job, &store, &StopFlag::default(), &mut |_| {}).expect("a run");
    began.elapsed()
}

fn main() {
    let rate = |time: Duration| GAMES as f64 / time.as_secs_f64();
    println!("committed games of instant players, connect4: games per second");
    println!("round  1 worker  2 workers");
    let mut best = [Duration::MAX; 2];
    for round in 1..=ROUNDS {
        let times = [1, 2].map(play);
        println!("{round:>5}  {:>8.0}  {:>9.0}", rate(times[0]), rate(times[1]));
        best = [0, 1].map(|n| best[n].min(times[n]));
    }
    let gain = best[0].as_secs_f64() / best[1].as_secs_f64();
    println!(" best  {:>8.0}  {:>9.0}  {gain:.2} times", rate(best[0]), rate(best[1]));
}
