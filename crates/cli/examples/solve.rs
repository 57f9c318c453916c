//! The exact score of every column of a Connect Four position.
//!
//! `cargo run --release --example solve -- 4444`

use collinear_connect4::Solver;
use collinear_rules::{Position, Rules};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let columns = std::env::args().nth(1).unwrap_or_else(|| "4444".to_owned());
    let mut position = Position::new(Rules::CONNECT4);
    for sign in columns.chars() {
        let column = sign.to_digit(10).and_then(|column| (column as usize).checked_sub(1));
        let cell = column.and_then(|column| position.drop_cell(column));
        position.play(cell.ok_or_else(|| format!("{sign:?} is not a column with room"))?)?;
    }
    print!("{position}");
    let mut solver = Solver::new(&Rules::CONNECT4)?;
    let solution = solver.solve(&position)?;
    println!(
        "score {} for {}, {} positions searched",
        solution.score,
        position.to_move(),
        solution.nodes
    );
    for (column, score) in (1..).zip(solver.scores(&position)?) {
        println!("column {column}: {}", score.map_or("full".to_owned(), |score| score.to_string()));
    }
    Ok(())
}
