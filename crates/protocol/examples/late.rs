//! How late the turns of an engine for Gomocup managers are, on this machine as it is just now.
//!
//! ```text
//! cargo run --release -p collinear-protocol --example late -- TURNS MILLISECONDS ENGINE [ARGUMENT …]
//! ```
//!
//! The engine plays both sides of game after game in freestyle Gomoku; every turn is asked for by a whole
//! BOARD with `time_left` before it, as the Gomocup judge asks. Each game begins with two stones of its own.
//! The clock runs from the moment before the first line of the question to the moment the answer is read.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use collinear_rules::{Cell, Position, Rules};

const RULES: Rules = Rules::GOMOKU;
/// No turn is asked for after so many stones: boards that are nearly full say little.
const MAX_STONES: usize = 60;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let mut number = |what: &str| -> Result<u64, Box<dyn Error>> {
        Ok(arguments.next().ok_or_else(|| format!("{what} is missing"))?.parse()?)
    };
    let (turns, limit) = (number("the number of turns")?, number("the time of a turn")?);
    let command: Vec<String> = arguments.collect();
    let mut engine = Engine::start(&command, limit)?;
    let mut taken = Vec::new();
    let mut games = 0;
    while (taken.len() as u64) < turns {
        let mut position = opening(games)?;
        games += 1;
        engine.ask("RESTART\n")?;
        while !position.is_over()
            && position.stone_count() < MAX_STONES
            && (taken.len() as u64) < turns
        {
            let (cell, time) = engine.turn(&position)?;
            position.play(cell)?;
            taken.push(time);
        }
    }
    engine.child.kill()?;
    engine.child.wait()?;
    report(&mut taken, Duration::from_millis(limit), games);
    Ok(())
}

fn report(taken: &mut [Duration], limit: Duration, games: usize) {
    taken.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let late = taken.iter().filter(|&&time| time > limit).count();
    let whole = taken.iter().filter(|&&time| time > limit * 4 / 5).count();
    let (count, worst) = (taken.len(), taken.last().copied().unwrap_or_default());
    println!(
        "{count} turns of {} ms in {games} games: {whole} took more than four fifths of it, {late} \
         more than all; the median {:.0} ms, the longest {:.0} ms",
        limit.as_millis(),
        ms(taken.get(count / 2).copied().unwrap_or_default()),
        ms(worst),
    );
}

/// Two stones that differ from game to game.
fn opening(game: usize) -> Result<Position, Box<dyn Error>> {
    let middle = RULES.width() / 2;
    let (column, row) = (middle + game % 5 - 2, middle + game / 5 % 5 - 2);
    let black = RULES.cell(middle, middle).ok_or("no middle")?;
    let white = RULES.cell(column, row).filter(|&cell| cell != black);
    let cells: Vec<Cell> = [Some(black), white].into_iter().flatten().collect();
    Position::from_moves(RULES, &cells).map_err(|(_, error)| error.into())
}

struct Engine {
    child: Child,
    to: ChildStdin,
    from: Lines<BufReader<ChildStdout>>,
}

impl Engine {
    fn start(command: &[String], limit: u64) -> Result<Self, Box<dyn Error>> {
        let (program, arguments) =
            command.split_first().ok_or("the engine's command is missing")?;
        let mut child = Command::new(program)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let to = child.stdin.take().ok_or("no input")?;
        let from = BufReader::new(child.stdout.take().ok_or("no output")?).lines();
        let mut engine = Self { child, to, from };
        let size = RULES.width();
        engine.ask(&format!(
            "START {size}\nINFO timeout_turn {limit}\nINFO timeout_match 0\nINFO rule 0\n"
        ))?;
        Ok(engine)
    }

    /// The first line of an answer that is not for people.
    fn ask(&mut self, question: &str) -> Result<String, Box<dyn Error>> {
        self.to.write_all(question.as_bytes())?;
        loop {
            let line = self.from.next().ok_or("the engine has ended")??;
            if !line.starts_with("MESSAGE") {
                return Ok(line.trim().to_owned());
            }
        }
    }

    /// The engine's stone and the time from the question to it.
    fn turn(&mut self, position: &Position) -> Result<(Cell, Duration), Box<dyn Error>> {
        let mut question = "INFO time_left 2147483647\nBOARD\n".to_owned();
        let count = position.history().len();
        for (number, &cell) in position.history().iter().enumerate() {
            let own = if (count - number).is_multiple_of(2) { 1 } else { 2 };
            let (x, y) = (RULES.column(cell), RULES.height() - 1 - RULES.row(cell));
            writeln!(question, "{x},{y},{own}")?;
        }
        question.push_str("DONE\n");
        let start = Instant::now();
        let answer = self.ask(&question)?;
        let time = start.elapsed();
        let (x, y) = answer.split_once(',').ok_or_else(|| format!("it answers {answer}"))?;
        let (x, y): (usize, usize) = (x.parse()?, y.parse()?);
        let row = (RULES.height() - 1).checked_sub(y).ok_or("a stone outside the board")?;
        let cell = RULES.cell(x, row).ok_or("a stone outside the board")?;
        Ok((cell, time))
    }
}
