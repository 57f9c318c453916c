//! How late the turns of an engine for Gomocup managers are, beside other busy processes.
//!
//! ```text
//! cargo run --release -p collinear-protocol --example late -- TURNS MILLISECONDS BUSY ENGINE [ARGUMENT …]
//! ```
//!
//! The engine plays both sides of game after game in freestyle Gomoku; every turn is asked for by a whole
//! BOARD with `time_left` before it, as the Gomocup judge asks. Each game begins with two stones of its own.
//! The clock runs from the moment before the first line of the question to the moment the answer is read.
//! TURNS are those that take their time: an answer that comes at once, because a win is proved, does not
//! count. BUSY processes that only count run beside it; under `taskset -c 0` they, the engine and this host share
//! one core.

use std::error::Error;
use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use collinear_rules::{Cell, Position, Rules};

const RULES: Rules = Rules::GOMOKU;
/// No turn is asked for after so many stones: boards that are nearly full say little.
const MAX_STONES: usize = 60;
/// So many are asked for each that is wanted, at most.
const MOST_ASKED: u64 = 20;
/// What the Gomocup judge and Piskvork add to the time of a turn before they call it late, unless told
/// otherwise (`tolerance`).
const TOLERANCE: Duration = Duration::from_secs(1);
/// The argument by which this program becomes a busy process.
const COUNT: &str = "count";

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1).peekable();
    if arguments.peek().is_some_and(|word| word == COUNT) {
        return count();
    }
    let mut number = |what: &str| -> Result<u64, Box<dyn Error>> {
        Ok(arguments.next().ok_or_else(|| format!("{what} is missing"))?.parse()?)
    };
    let (turns, limit) = (number("the number of turns")?, number("the time of a turn")?);
    let busy = number("the number of busy processes")?;
    let command: Vec<String> = arguments.collect();
    // They end with us: their input does.
    let beside: Vec<Child> = (0..busy).map(|_| busy_process()).collect::<Result<_, _>>()?;
    let mut engine = Engine::start(&command, limit)?;
    let limit = Duration::from_millis(limit);
    let mut taken = Vec::new();
    let (mut games, mut asked) = (0, 0);
    while (taken.len() as u64) < turns && asked < turns * MOST_ASKED {
        let mut position = opening(games)?;
        games += 1;
        engine.ask("RESTART\n")?;
        while !position.is_over()
            && position.stone_count() < MAX_STONES
            && (taken.len() as u64) < turns
        {
            let (cell, time) = engine.turn(&position)?;
            position.play(cell)?;
            asked += 1;
            if time >= limit / 2 {
                taken.push(time);
            }
        }
    }
    engine.child.kill()?;
    engine.child.wait()?;
    println!("{asked} turns were asked for in {games} games");
    report(&mut taken, limit);
    for mut child in beside {
        child.kill()?;
        child.wait()?;
    }
    Ok(())
}

fn busy_process() -> Result<Child, Box<dyn Error>> {
    let program = std::env::current_exe()?;
    Ok(Command::new(program).arg(COUNT).stdin(Stdio::piped()).stdout(Stdio::null()).spawn()?)
}

/// Keeps a core busy until the input ends.
fn count() -> Result<(), Box<dyn Error>> {
    std::thread::spawn(|| {
        let mut number = 0_u64;
        loop {
            number = std::hint::black_box(number.wrapping_add(1));
        }
    });
    std::io::copy(&mut std::io::stdin(), &mut std::io::sink())?;
    Ok(())
}

fn report(taken: &mut [Duration], limit: Duration) {
    taken.sort_unstable();
    let ms = |time: Duration| time.as_secs_f64() * 1e3;
    let beyond = |limit: Duration| taken.iter().filter(|&&time| time > limit).count();
    println!(
        "{} took half of {} ms or more: {} took more than all, {} more than {} ms beyond it; the median {:.0} ms, \
         the longest {:.0} ms",
        taken.len(),
        limit.as_millis(),
        beyond(limit),
        beyond(limit + TOLERANCE),
        TOLERANCE.as_millis(),
        ms(taken.get(taken.len() / 2).copied().unwrap_or_default()),
        ms(taken.last().copied().unwrap_or_default()),
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
