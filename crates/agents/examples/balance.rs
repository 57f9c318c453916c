//! How even the positions are that balanced moves lead to: for random positions of a few stones, one
//! and two stones are searched that make the position even, and a longer search of the position they
//! lead to is the judge. Beside it stand what the search itself said, and a stone near to the others
//! that is drawn at random.
//!
//! ```text
//! cargo run --release -p collinear-agents --example balance -- GAME POSITIONS NODES JUDGE_NODES [SEED]
//! ```

use std::error::Error;

use collinear_agents::{registry, strongest};
use collinear_play::{Agent, Budget, Value, balance};
use collinear_rules::{Cell, Outcome, Player, Position, Rules, hash};

const EVEN: f32 = 0.5;
/// Pairs of stones near to each other that a position is made of.
const PAIRS: u64 = 3;

/// Distances from even, by the one who looked.
#[derive(Default)]
struct Distances(Vec<f32>);

impl Distances {
    fn show(&self, what: &str) {
        let count = self.0.len().max(1) as f32;
        let within = |limit: f32| {
            let near = self.0.iter().filter(|&&distance| distance <= limit).count();
            100.0 * near as f32 / count
        };
        println!(
            "{what:<28} mean distance from even {:4.1} %, within 10 %: {:3.0} %, within 20 %: {:3.0} %",
            100.0 * self.0.iter().sum::<f32>() / count,
            within(0.1),
            within(0.2)
        );
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, positions, nodes, judge_nodes, seed @ ..] = &arguments[..] else {
        return Err("give a game, positions, nodes of the search and of the judge".into());
    };
    let (rules, positions): (Rules, u64) = (game.parse()?, positions.parse()?);
    let (nodes, judge_nodes): (u64, u64) = (nodes.parse()?, judge_nodes.parse()?);
    let seed: u64 = seed.first().map_or(Ok(1), |seed| seed.parse())?;
    let spec = strongest(&registry(), &rules).ok_or("no agent plays this game")?;
    let mut names = ["a random stone", "one balanced stone", "two balanced stones"]
        .map(|name| (name, Distances::default(), Distances::default()));
    for number in 0..positions {
        let Some(position) = random_position(rules, hash::mix(seed ^ hash::mix(number))) else {
            continue;
        };
        let drawn = balance::next_pairs(&position, number).swap_remove(0).swap_remove(0);
        let candidates =
            [vec![vec![drawn]], balance::next_stones(&position), balance::next_pairs(&position, 1)];
        for (at, candidates) in candidates.iter().enumerate() {
            let mut agent = spec.with_defaults().build(&rules, 1)?;
            let budget = Budget::nodes(nodes);
            let found =
                balance::nearest(&mut *agent, &position, candidates, EVEN, &budget, &mut |_| {})?;
            let found = found.ok_or("nothing was looked at")?;
            let judged = judge(&position, &found.stones, judge_nodes)?;
            names[at].1.0.push((found.chance - EVEN).abs());
            names[at].2.0.push((judged - EVEN).abs());
        }
    }
    for (name, own, judged) in &names {
        println!("{name}, {} positions", own.0.len());
        own.show("  the search itself");
        judged.show("  the longer search");
    }
    Ok(())
}

/// Pairs near to each other, nobody having won.
fn random_position(rules: Rules, seed: u64) -> Option<Position> {
    let mut position = Position::new(rules);
    for nth in 0..PAIRS {
        let pairs = balance::next_pairs(&position, seed.wrapping_add(nth));
        for &cell in pairs.first()? {
            position.play(cell).ok()?;
        }
    }
    (!position.is_over()).then_some(position)
}

/// Black's chance after some stones, as a fresh agent sees it.
fn judge(position: &Position, stones: &[Cell], nodes: u64) -> Result<f32, Box<dyn Error>> {
    let mut after = position.clone();
    for &cell in stones {
        after.play(cell)?;
    }
    if let Outcome::Won(winner) = after.outcome() {
        return Ok(f32::from(u8::from(winner == Player::Black)));
    }
    let rules = position.rules();
    let spec = strongest(&registry(), rules).ok_or("no agent plays this game")?;
    let mut agent: Box<dyn Agent> = spec.with_defaults().build(rules, 2)?;
    let mut value = EVEN;
    agent.choose(&after, &Budget::nodes(nodes), &mut |report| {
        value = report.lines.first().map_or(value, |line| Value::chance(line.value));
    })?;
    Ok(if after.to_move() == Player::Black { value } else { 1.0 - value })
}
