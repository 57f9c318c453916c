//! Random rules and random agents: each must answer legally, within its time, without a panic.
//! The bytes of the input are a seed and nothing else.

use std::time::Duration;

use collinear_play::{Budget, BuildError, ask};
use collinear_rules::hash::fnv1a;
use collinear_rules::{Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Run, Target};

/// A turn's time, and how late an answer may be on a machine that is busy with other things.
const TURN: Duration = Duration::from_millis(20);
const GRACE: Duration = Duration::from_secs(5);
/// Turns that are played in a case.
const TURNS: usize = 4;

pub(super) fn target() -> Target {
    Target {
        name: "agents",
        examples: vec![b"a".to_vec()],
        words: &["x", "yz", "0123456789"],
        test_cases: 40,
        start,
    }
}

fn start() -> Run {
    let registry = collinear_agents::registry();
    Box::new(move |input| {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(fnv1a(input));
        let rules = random_rules(&mut rng);
        let specs: Vec<_> = registry.iter().filter(|spec| spec.plays(&rules).is_ok()).collect();
        let Some(spec) = specs.choose(&mut rng) else { return Ok(()) };
        let memory = if spec.option("memory").is_some() { ":memory=1" } else { "" };
        let text = format!("{}{memory}", spec.name);
        let choice = registry.parse(&text).map_err(|error| error.to_string())?;
        let mut agent = match choice.build(&rules, 1) {
            // A book that was not named, a game that is too large.
            Err(BuildError::Other(_) | BuildError::Unsupported(_)) => return Ok(()),
            Err(error) => return Err(error.to_string()),
            Ok(agent) => agent,
        };
        agent.new_game();
        let mut position = Position::new(rules);
        for _ in 0..rng.random_range(0..=rules.cells() / 2) {
            let Some(&cell) = position.legal_cells().choose(&mut rng) else { break };
            position.play_unchecked(cell);
        }
        for _ in 0..TURNS {
            if position.is_over() {
                break;
            }
            let budget = Budget { grace: GRACE, ..Budget::time(TURN) };
            let turn = ask(agent.as_mut(), &position, &budget, &mut |_| {}).turn;
            let told = |reason: String| {
                let moves = collinear_rules::notation::names(&rules, position.history());
                format!("{text} on {rules} after {moves}: {reason}")
            };
            for cell in turn.map_err(|fault| told(format!("{}: {fault}", fault.reason().name())))? {
                position.play_unchecked(cell);
            }
        }
        Ok(())
    })
}

/// Every kind of board, small ones more often.
fn random_rules(rng: &mut impl Rng) -> Rules {
    loop {
        let side = |rng: &mut dyn rand::RngCore| match rng.random_range(0..8) {
            0 => rng.random_range(1..=4),
            7 => rng.random_range(16..=32),
            _ => rng.random_range(3..=15),
        };
        let (width, height): (u32, u32) = (side(rng), side(rng));
        let k = rng.random_range(1..=width.max(height).min(10));
        let (p, q) = (rng.random_range(1..=8), rng.random_range(1..=8));
        let gravity = if rng.random_bool(0.25) { ",gravity" } else { "" };
        let exact = if rng.random_bool(0.2) { ",exact" } else { "" };
        if let Ok(rules) = format!("{width}x{height},k={k},p={p},q={q}{gravity}{exact}").parse() {
            return rules;
        }
    }
}
