//! `collinear threats`: what both sides threaten in a position, counted four ways.

use std::fmt::Write as _;

use anyhow::{Result, bail};
use collinear_documents::connectk::{GeneralisedOptions, Marks, count_marking, generalised};
use collinear_protocol::records::GameRecord;
use collinear_rules::{Cell, Outcome, Player, Position, notation};
use collinear_windows::{LineShape, ThreatCounter, Windows, shapes};
use serde::Serialize;

use crate::record_file::RecordArgs;
use crate::report;

/// Show the threats of both sides, their number by four counters, and the best defences
#[derive(clap::Args)]
#[command(
    after_help = "On the board: b, w: an empty cell of a threat of Black, of White; *: of both;\n              B, W: such a cell that is part of a best defence;\n              !: forbidden to Black (Renju).\n\nExample: collinear threats game.sgf --at 24"
)]
pub(crate) struct Args {
    #[command(flatten)]
    record: RecordArgs,
    /// After this many stones; otherwise at the end, or before the turn that won
    #[arg(long, value_name = "MOVE")]
    at: Option<usize>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

/// More defences than anybody reads; a turn of two stones has at most four.
const MAX_DEFENCES: usize = 100;

pub(crate) fn run(args: Args) -> Result<()> {
    let record = args.record.read()?;
    let (stone, position) = place(&record, args.at)?;
    let report = ThreatsReport::of(&position, stone, record.moves().len());
    if args.json { report::json(&report) } else { report::text(&report.text(&position)) }
}

/// The position asked for, and after how many stones it is.
fn place(record: &GameRecord, at: Option<usize>) -> Result<(usize, Position)> {
    let stones = record.moves().len();
    match at {
        Some(at) if at > stones => {
            bail!("--at {at}: the game has {stones} stones, so MOVE is 0 to {stones}")
        }
        Some(at) => Ok((at, record.position_after(at)?)),
        None => {
            let mut position = record.position()?;
            let mut stone = stones;
            if let Outcome::Won(winner) = position.outcome() {
                while let Some(cell) = position.undo() {
                    if position.to_move() != winner {
                        position.play_unchecked(cell);
                        break;
                    }
                    stone -= 1;
                }
            }
            Ok((stone, position))
        }
    }
}

#[derive(Serialize)]
struct ThreatsReport {
    game: String,
    /// Stones played so far.
    #[serde(rename = "move")]
    stone: usize,
    of: usize,
    to_move: &'static str,
    stones_left: usize,
    winner: Option<&'static str>,
    black: Side,
    white: Side,
}

#[derive(Serialize)]
struct Side {
    exact: usize,
    wu_huang: usize,
    mark_all: usize,
    generalised: usize,
    /// The side is to move and wins with the stones left of this turn.
    wins_now: bool,
    threats: Vec<Threat>,
    /// With five in a row: open threes and the like, strongest first.
    shapes: Vec<Shape>,
    defences: Vec<Vec<String>>,
    #[serde(skip)]
    defence_cells: Vec<Cell>,
}

#[derive(Serialize)]
struct Shape {
    name: &'static str,
    stones: Vec<String>,
    /// The cells by which it becomes the next stronger shape.
    grows: Vec<String>,
}

#[derive(Serialize)]
struct Threat {
    from: String,
    to: String,
    empty: Vec<String>,
    #[serde(skip)]
    empty_cells: Vec<Cell>,
}

impl ThreatsReport {
    fn of(position: &Position, stone: usize, of: usize) -> Self {
        let windows = Windows::of(position);
        let side = |player| Side::of(position, &windows, player);
        let rules = position.rules();
        Self {
            game: rules.preset_name().map_or_else(|| rules.to_string(), str::to_owned),
            stone,
            of,
            to_move: position.to_move().name(),
            stones_left: if position.is_over() { 0 } else { position.stones_left() },
            winner: match position.outcome() {
                Outcome::Won(player) => Some(player.name()),
                _ => None,
            },
            black: side(Player::Black),
            white: side(Player::White),
        }
    }

    fn text(&self, position: &Position) -> String {
        let mut out = format!("{}, after {} of {} stones: ", self.game, self.stone, self.of);
        let _ = match (self.winner, position.outcome()) {
            (Some(winner), _) => writeln!(out, "{winner} has won"),
            (None, Outcome::Drawn) => writeln!(out, "drawn"),
            _ => writeln!(out, "{} to move, stones left: {}", self.to_move, self.stones_left),
        };
        out.push('\n');
        self.write_board(&mut out, position);
        let p = position.rules().p();
        let _ = writeln!(out, "\nthreats of      black   white");
        let row = |out: &mut String, name: &str, count: fn(&Side) -> usize, note: &str| {
            let (black, white) = (count(&self.black), count(&self.white));
            let _ = writeln!(out, "{name:<13} {black:>7} {white:>7}   {note}");
        };
        let note = format!("stones that stop everything; {} means a turn is too few", p + 1);
        row(&mut out, "exact", |side| side.exact, &note);
        row(&mut out, "Wu–Huang", |side| side.wu_huang, "counts crossing rows twice");
        row(&mut out, "mark-all", |side| side.mark_all, "misses rows behind marked cells");
        row(&mut out, "generalised", |side| side.generalised, "rows one turn from a win");
        if position.rules().gravity() {
            out.push_str("stones fall: a cell counts even while nothing lies below it\n");
        }
        for (player, side) in [(Player::Black, &self.black), (Player::White, &self.white)] {
            side.write(&mut out, player, p);
        }
        out
    }

    /// The board with the cells of threats in place of the dots.
    fn write_board(&self, out: &mut String, position: &Position) {
        let rules = position.rules();
        let forbidden = position.forbidden();
        let empty_of = |side: &Side, cell| {
            side.threats.iter().any(|threat| threat.empty_cells.contains(&cell))
        };
        for row in (0..rules.height()).rev() {
            let _ = write!(out, "{:>2}", row + 1);
            for cell in (0..rules.width()).filter_map(|column| rules.cell(column, row)) {
                let (black, white) = (empty_of(&self.black, cell), empty_of(&self.white, cell));
                let sign = match position.at(cell) {
                    Some(Player::Black) => 'X',
                    Some(Player::White) => 'O',
                    None if forbidden.contains(&cell) => '!',
                    None if black && white => '*',
                    None if black && self.black.defence_cells.contains(&cell) => 'B',
                    None if white && self.white.defence_cells.contains(&cell) => 'W',
                    None if black => 'b',
                    None if white => 'w',
                    None => '.',
                };
                let _ = write!(out, " {sign}");
            }
            out.push('\n');
        }
        out.push_str("  ");
        for column in 0..rules.width() {
            let _ = write!(out, "{:>2}", notation::column_name(column));
        }
        out.push('\n');
    }
}

impl Side {
    fn of(position: &Position, windows: &Windows, player: Player) -> Self {
        let (rules, geometry) = (position.rules(), position.geometry());
        let name = |cell: Cell| notation::name(rules, cell);
        let mut counter = ThreatCounter::new();
        let defences = counter.defences(windows, player, MAX_DEFENCES);
        let threats = windows.threats(player).map(|window| {
            let cells = geometry.window_cells(window);
            let empty_cells: Vec<Cell> =
                cells.iter().copied().filter(|&cell| position.is_empty(cell)).collect();
            Threat {
                from: name(cells[0]),
                to: name(cells[cells.len() - 1]),
                empty: empty_cells.iter().map(|&cell| name(cell)).collect(),
                empty_cells,
            }
        });
        let options = GeneralisedOptions { only: Some(player), ..GeneralisedOptions::default() };
        Self {
            exact: counter.count(windows, player),
            wu_huang: count_marking(windows, player, Marks::Last).counted.len(),
            mark_all: count_marking(windows, player, Marks::All).counted.len(),
            generalised: generalised(position, options).threats,
            wins_now: !position.is_over()
                && position.to_move() == player
                && windows.can_win(player, position.stones_left()),
            threats: threats.collect(),
            shapes: shapes(position, player)
                .into_iter()
                .filter(|found| found.shape >= LineShape::OpenTwo)
                .map(|found| Shape {
                    name: found.shape.name(),
                    stones: found.stones.iter().map(|&cell| name(cell)).collect(),
                    grows: found.keys.iter().map(|&cell| name(cell)).collect(),
                })
                .collect(),
            defence_cells: defences.concat(),
            defences: defences
                .iter()
                .map(|cells| cells.iter().map(|&c| name(c)).collect())
                .collect(),
        }
    }

    fn write(&self, out: &mut String, player: Player, p: usize) {
        if !self.shapes.is_empty() {
            let _ = writeln!(out, "\n{player} has");
            for Shape { name, stones, grows } in &self.shapes {
                let grows = if grows.is_empty() {
                    String::new()
                } else {
                    format!("   grows on {}", grows.join(" "))
                };
                let _ = writeln!(out, "  {name:<15} {}{grows}", stones.join("–"));
            }
        }
        if self.threats.is_empty() {
            let nothing = if self.shapes.is_empty() { "nothing" } else { "no row yet" };
            let _ = writeln!(out, "\n{player} threatens {nothing}");
            return;
        }
        let _ = writeln!(out, "\n{player} threatens");
        for Threat { from, to, empty, .. } in &self.threats {
            let _ = writeln!(out, "  {:<8} empty {}", format!("{from}–{to}"), empty.join(" "));
        }
        if self.wins_now {
            let _ = writeln!(out, "  and is to move: wins now");
        }
        let _ = if self.exact > p && p == 1 {
            writeln!(out, "  no stone stops all of it")
        } else if self.exact > p {
            writeln!(out, "  no {p} stones stop all of it")
        } else {
            let listed: Vec<String> = self.defences.iter().map(|cells| cells.join(" ")).collect();
            writeln!(out, "  stopped by {}", listed.join(" or "))
        };
    }
}
