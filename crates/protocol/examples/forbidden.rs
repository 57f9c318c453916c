//! Compares Renju's forbidden points with another program's: any engine for Gomocup managers that
//! knows `yxshowforbid`, Rapfi for one.
//!
//! ```text
//! cargo run --release -p collinear-protocol --example forbidden -- ENGINE [POSITIONS] [SEED]
//! ```
//!
//! Half of the positions are crowds of black stones with White's around them, half are played near
//! the stones on the board. The engine is asked for all of them in one go, and every difference is
//! printed with its board.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

use collinear_rules::{Cell, Player, Position, Rules, notation};
use rand::seq::IteratorRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

const RULES: Rules = Rules::RENJU;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let engine = arguments.next().ok_or("the engine's command is missing")?;
    let wanted: usize = arguments.next().map_or(Ok(10_000), |number| number.parse())?;
    let seed: u64 = arguments.next().map_or(Ok(1), |number| number.parse())?;
    let positions = positions(wanted, seed);
    let mut child = Command::new(engine).stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
    let mut input = child.stdin.take().ok_or("no input")?;
    let output = BufReader::new(child.stdout.take().ok_or("no output")?);
    let questions: String = positions.iter().map(question).collect();
    let asking = std::thread::spawn(move || {
        // An engine that is gone is seen by its answers.
        let _ = write!(input, "START 15\nINFO rule 4\n{questions}END\n");
    });
    let mut answers = output.lines().map_while(Result::ok).filter_map(|line| {
        line.strip_prefix("FORBID ").map(|points| points.trim_end_matches('.').to_owned())
    });
    let (mut points, mut differences) = (0, 0);
    for (number, position) in positions.iter().enumerate() {
        let answer = answers.next().ok_or(format!("{number} answers only"))?;
        let theirs = cells(&answer)?;
        let ours = position.forbidden();
        points += ours.len();
        if ours != theirs {
            differences += 1;
            println!("they say {}\n{position}", notation::names(&RULES, &theirs));
        }
    }
    asking.join().map_err(|_| "asking failed")?;
    child.wait()?;
    println!("{} positions, {points} forbidden points, {differences} differences", positions.len());
    Ok(())
}

/// The stones, and the question.
fn question(position: &Position) -> String {
    let mut text = "yxboard\n".to_owned();
    for (number, &cell) in position.history().iter().enumerate() {
        let (x, y) = (RULES.column(cell), RULES.row(cell));
        let _ = writeln!(text, "{x},{y},{}", number % 2 + 1);
    }
    text.push_str("done\nyxshowforbid\n");
    text
}

/// `07070806`: two digits for the column and two for the row of each point.
fn cells(text: &str) -> Result<Vec<Cell>, Box<dyn Error>> {
    let mut found = Vec::new();
    for point in text.as_bytes().chunks(4) {
        let point = std::str::from_utf8(point)?;
        let (x, y) = point.split_at_checked(2).ok_or("a point has four digits")?;
        found.push(RULES.cell(x.parse()?, y.parse()?).ok_or("a point outside the board")?);
    }
    found.sort_unstable();
    Ok(found)
}

/// Positions with Black to move, every one from a game of legal stones.
fn positions(wanted: usize, seed: u64) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut found = Vec::new();
    while found.len() < wanted {
        let is_crowd = found.len() % 2 == 0;
        let game = if is_crowd { crowd(&mut random) } else { played(&mut random) };
        found.extend(game.filter(|position| !position.is_over()));
    }
    found
}

/// Black in a square, White mostly elsewhere.
fn crowd(random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let side = random.random_range(4..10);
    let corner = [0, 1].map(|_| random.random_range(0..=15 - side));
    let here = |cell: &Cell| {
        let at = [RULES.column(*cell), RULES.row(*cell)];
        (0..2).all(|axis| (corner[axis]..corner[axis] + side).contains(&at[axis]))
    };
    let stones = random.random_range(4..=side * side / 2);
    let share = random.random_range(0.0..0.6);
    game(2 * stones, random, |position, random| {
        let inside = position.to_move() == Player::Black || random.random_bool(share);
        position.legal_cells().into_iter().filter(|cell| here(cell) == inside).collect()
    })
}

/// Both near the stones that are there.
fn played(random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    let reach = random.random_range(1..=3_usize);
    let turns = random.random_range(4..60);
    game(2 * turns, random, |position, _| {
        let near = |cell: &Cell| {
            position.history().iter().any(|&other| {
                RULES.column(*cell).abs_diff(RULES.column(other)) <= reach
                    && RULES.row(*cell).abs_diff(RULES.row(other)) <= reach
            })
        };
        let cells = position.legal_cells();
        if position.stone_count() == 0 { cells } else { cells.into_iter().filter(near).collect() }
    })
}

/// A game of this many stones; rows are left alone where anything else is possible.
fn game(
    stones: usize,
    random: &mut Xoshiro256PlusPlus,
    mut cells: impl FnMut(&Position, &mut Xoshiro256PlusPlus) -> Vec<Cell>,
) -> Option<Position> {
    let mut position = Position::new(RULES);
    for _ in 0..stones {
        let mut open = cells(&position, random);
        loop {
            let at = (0..open.len()).choose(random)?;
            position.play_unchecked(open.swap_remove(at));
            if !position.is_over() {
                break;
            }
            position.undo();
        }
    }
    Some(position)
}
