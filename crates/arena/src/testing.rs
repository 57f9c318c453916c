//! Scripted agents and small plans for this crate's tests: it knows no real agent.

use std::time::Duration;

use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, OptionSpec, Options, Registry, Report,
    TimeControl, Turn, stone_by_stone,
};
use collinear_rules::{Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::adjudication::Adjudication;
use crate::opening::Openings;
use crate::plan::{Contestant, FirstMove, Pairings, Plan};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::choice(
        "trouble",
        &["none", "panic", "occupied", "hang", "refuse", "build"],
        "none",
    )
    .help("what goes wrong"),
    OptionSpec::float("share", 0.0..=1.0, 0.1).help("how often"),
];

/// `dice`: random stones, and in a share of its turns some trouble.
static DICE: AgentSpec = AgentSpec {
    summary: "random stones",
    source: "ours",
    options: OPTIONS,
    ..AgentSpec::new("dice", build)
};

fn build(_: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let trouble = options.text("trouble").to_owned();
    // Seed 0 is the trial that `Plan::check` makes.
    if trouble == "build" && seed != 0 {
        return Err(BuildError::Other("no engine at that path".to_owned()));
    }
    let rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    Ok(Box::new(Roller { rng, trouble, share: options.float("share") }))
}

struct Roller {
    rng: Xoshiro256PlusPlus,
    trouble: String,
    share: f64,
}

impl Agent for Roller {
    fn choose(
        &mut self,
        position: &Position,
        _: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        on(&Report { depth: 1, nodes: 3, ..Report::default() });
        if self.trouble != "none" && self.rng.random_bool(self.share) {
            match self.trouble.as_str() {
                "panic" => panic!("the dice fell off the table"),
                "occupied" => {
                    if let Some(&cell) = position.history().first() {
                        return Ok(vec![cell]);
                    }
                }
                "hang" => std::thread::sleep(Duration::from_secs(3600)),
                _ => return Err(AgentError::Engine("segmentation fault".to_owned())),
            }
        }
        stone_by_stone(position, |ahead| ahead.legal_cells().choose(&mut self.rng).copied())
    }
}

/// The registry of scripted agents.
pub(crate) fn registry() -> Registry {
    Registry::new(vec![&DICE])
}

/// A contestant from a spec of [`registry`].
pub(crate) fn contestant(spec: &str, control: TimeControl) -> Contestant {
    let agent = registry().parse(spec).expect("a scripted agent");
    Contestant { label: spec.to_owned(), agent, control }
}

/// Contestants without trouble.
pub(crate) fn contestants(count: usize) -> Vec<Contestant> {
    (0..count).map(|_| contestant("dice", TimeControl::default())).collect()
}

/// A small round robin.
pub(crate) fn plan(count: usize) -> Plan {
    Plan {
        rules: Rules::CONNECT4,
        contestants: contestants(count),
        format: Pairings::RoundRobin,
        first_move: FirstMove::Alternating,
        openings: Openings::Empty,
        opening_rule: None,
        adjudication: Adjudication::default(),
        seed: 1,
    }
}

/// Two numbers are the same up to a tolerance.
#[track_caller]
pub(crate) fn assert_close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() < tolerance, "{a} is not {b}");
}
