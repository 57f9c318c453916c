//! Two agents against each other from random openings, each opening twice with the agents swapped:
//! results, time per turn, and the wins at hand that each of them missed.
//!
//! `cargo run --release -p collinear-agents --example duel -- alicante sequences 12 connect6 3`

use std::time::{Duration, Instant};

use collinear_agents::registry;
use collinear_play::Budget;
use collinear_rules::{Outcome, Position, Rules};
use collinear_windows::Windows;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

/// Random stones fall within this distance of the middle.
const NEAR: usize = 3;

/// What is known of one of the two.
#[derive(Clone, Copy, Default)]
struct Side {
    wins: u32,
    turns: u32,
    time: Duration,
    at_hand: u32,
    missed: u32,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [first, second, games, game, stones] = &arguments[..] else {
        return Err("give two agents, games, a game and stones of the opening".into());
    };
    let (games, rules, stones): (u64, Rules, usize) =
        (games.parse()?, game.parse()?, stones.parse()?);
    let choices = [registry().parse(first)?, registry().parse(second)?];
    let mut sides = [Side::default(); 2];
    for game in 0..games {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(game / 2);
        let mut position = opening(rules, stones, &mut random)?;
        let seat = |player: usize| (player + game as usize) % 2;
        let mut agents = Vec::new();
        for player in 0..2 {
            agents.push(choices[seat(player)].build(&rules, random.random())?);
        }
        while !position.is_over() {
            let mover = position.to_move();
            let side = &mut sides[seat(mover.index())];
            // With gravity a window may lack the discs below it: not counted there.
            let winnable =
                !rules.gravity() && Windows::of(&position).can_win(mover, position.stones_left());
            let started = Instant::now();
            let turn = agents[mover.index()].choose(&position, &Budget::default(), &mut |_| {})?;
            side.time += started.elapsed();
            side.turns += 1;
            for cell in turn {
                position.play(cell)?;
            }
            let won = position.outcome() == Outcome::Won(mover);
            side.wins += u32::from(won);
            side.at_hand += u32::from(winnable);
            side.missed += u32::from(winnable && !won);
        }
    }
    let draws = games as u32 - sides[0].wins - sides[1].wins;
    println!("{first} +{} ={draws} -{} {second}", sides[0].wins, sides[1].wins);
    for (spec, side) in [first, second].into_iter().zip(sides) {
        let millis = side.time.as_secs_f64() * 1000.0 / f64::from(side.turns.max(1));
        let Side { at_hand, missed, turns, .. } = side;
        println!(
            "  {spec}: {turns} turns of {millis:.2} ms; wins at hand {at_hand}, missed {missed}"
        );
    }
    Ok(())
}

/// Random stones near the middle; never a finished game.
fn opening(
    rules: Rules,
    stones: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Result<Position, Box<dyn std::error::Error>> {
    let mut position = Position::new(rules);
    while position.stone_count() < stones && !position.is_over() {
        let near: Vec<_> = position
            .legal_cells()
            .into_iter()
            .filter(|&cell| {
                let x = rules.column(cell).abs_diff(rules.width() / 2);
                rules.gravity() || x.max(rules.row(cell).abs_diff(rules.height() / 2)) <= NEAR
            })
            .collect();
        position.play(*near.choose(random).ok_or("no cell is left for the opening")?)?;
    }
    Ok(position)
}
