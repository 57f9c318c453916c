//! Gomocup (Piskvork) from the engine's side, with what Yixin-Board and similar programs add for analysis.
//!
//! Commands in any case; `OK` stands alone because some managers compare the whole line. Other
//! games than five in a row come through `--game` or the `INFO game` extension.

mod block;
mod settings;

use collinear_play::{Fault, Report, Turn, Value, play_turn};
use collinear_rules::{Cell, Position, Rules};

use super::desk::Desk;
use super::driver::{Flow, Front, Urgency};
use crate::gomocup::{parse_point, parse_turn, turn};
use crate::quote::short;
use block::{Block, OpenBlock, position_of};
use settings::Settings;

/// What GUIs may offer as table size, as a power of two of kilobytes: 1 GB.
const MAX_HASH_SIZE: u32 = 20;
/// The most lines `YXNBEST` may ask for.
const MAX_LINES: u16 = 100;

/// What the turn that is being thought about is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    Play,
    /// The swap2 choice: take the other colour or go on.
    Choose,
    /// Analysis: the turn is said but not played.
    Analyse,
}

pub(super) struct Gomocup {
    settings: Settings,
    started: bool,
    block: Option<OpenBlock>,
    purpose: Purpose,
    last_value: Option<Value>,
}

type Outcome = Result<Flow, String>;

impl Gomocup {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            settings: Settings::new(rules),
            started: false,
            block: None,
            purpose: Purpose::Play,
            last_value: None,
        }
    }

    fn start(&mut self, width: u32, height: u32, desk: &mut Desk<'_>) -> Outcome {
        let rules = self.settings.rules(width, height)?;
        self.started = true;
        self.settings.forget_clock();
        desk.new_game(rules);
        desk.say("OK");
        Ok(Flow::Next)
    }

    fn think(&mut self, purpose: Purpose, desk: &Desk<'_>) -> Outcome {
        if desk.position.is_over() {
            return Err("the game is over".to_owned());
        }
        self.purpose = purpose;
        self.last_value = None;
        Ok(Flow::Think(self.settings.budget(desk)))
    }

    fn begin_block(&mut self, kind: Block) -> Outcome {
        self.needs_board()?;
        self.block = Some(OpenBlock::new(kind));
        Ok(Flow::Next)
    }

    fn needs_board(&self) -> Result<(), String> {
        if self.started { Ok(()) } else { Err("START must come first".to_owned()) }
    }

    /// A line inside BOARD … DONE.
    fn block_line(&mut self, mut block: OpenBlock, line: &str, desk: &mut Desk<'_>) -> Outcome {
        if line.eq_ignore_ascii_case("done") {
            return match block.fault {
                Some(fault) => Err(fault),
                None => self.block_done(block.kind, &block.stones, desk),
            };
        }
        // No point begins with a letter: the block was left open, and this is a command.
        if line.starts_with(|c: char| c.is_ascii_alphabetic()) {
            desk.say("ERROR a block of stones did not end with DONE");
            return self.act(line, desk);
        }
        block.add(&desk.rules(), line);
        self.block = Some(block);
        Ok(Flow::Next)
    }

    fn block_done(&mut self, block: Block, stones: &[(Cell, u8)], desk: &mut Desk<'_>) -> Outcome {
        let cells: Vec<Cell> = stones.iter().map(|(cell, _)| *cell).collect();
        if block == Block::Swap2 {
            return self.swap2(&cells, desk);
        }
        let rules = desk.rules();
        desk.set_position(position_of(rules, stones)?);
        if block == Block::Position { Ok(Flow::Next) } else { self.think(Purpose::Play, desk) }
    }

    /// Swap2: put three stones, or choose a colour by what the agent thinks of the position.
    fn swap2(&mut self, cells: &[Cell], desk: &mut Desk<'_>) -> Outcome {
        let rules = desk.rules();
        match cells.len() {
            0 => {
                // Close to the edge, the second black stone apart: neither side is clearly ahead.
                let (w, h) = (rules.width(), rules.height());
                let points = [(w / 2, 1), (w / 2 + 1, 2), (w / 2 + 3, 1)];
                let cells: Option<Vec<Cell>> =
                    points.iter().map(|&(x, down)| rules.cell(x, h.checked_sub(down)?)).collect();
                let cells = cells.ok_or("the board is too small for swap2")?;
                desk.say(&turn(&rules, &cells));
                Ok(Flow::Next)
            }
            3 | 5 => {
                let position = Position::from_moves(rules, cells);
                let position =
                    position.map_err(|(n, error)| format!("stone {}: {error}", n + 1))?;
                desk.set_position(position);
                self.think(Purpose::Choose, desk)
            }
            n => Err(format!("swap2 has 0, 3 or 5 stones on the board, not {n}")),
        }
    }

    fn opponent_turn(&mut self, text: &str, desk: &mut Desk<'_>) -> Outcome {
        self.needs_board()?;
        let stones = parse_turn(&desk.rules(), text)?;
        play_turn(&mut desk.position, &stones).map_err(|error| error.to_string())?;
        self.think(Purpose::Play, desk)
    }

    fn take_back(&self, text: &str, desk: &mut Desk<'_>) -> Outcome {
        self.needs_board()?;
        let cell = parse_point(&desk.rules(), text)?;
        if desk.position.history().last() != Some(&cell) {
            return Err("only the last stone can be taken back".to_owned());
        }
        desk.position.undo();
        desk.say("OK");
        Ok(Flow::Next)
    }

    fn act(&mut self, line: &str, desk: &mut Desk<'_>) -> Outcome {
        if let Some(block) = self.block.take() {
            return self.block_line(block, line, desk);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = word.to_ascii_uppercase();
        if word == "INFO" {
            self.settings.info(rest, desk);
            return Ok(Flow::Next);
        }
        if let Some(trouble) = self.settings.trouble().filter(|_| word != "END" && word != "ABOUT")
        {
            return Err(trouble);
        }
        let next = Ok(Flow::Next);
        match word.as_str() {
            "START" => {
                let size = rest.parse().map_err(|_| "a board size is missing".to_owned())?;
                self.start(size, size, desk)
            }
            "RECTSTART" => {
                let size = rest.split_once(',');
                let size =
                    size.and_then(|(w, h)| Some((w.trim().parse().ok()?, h.trim().parse().ok()?)));
                let (width, height) = size.ok_or("a size such as 20,15 is missing")?;
                self.start(width, height, desk)
            }
            "RESTART" => {
                self.needs_board()?;
                let rules = desk.rules();
                self.start(rules.width() as u32, rules.height() as u32, desk)
            }
            "BEGIN" => {
                self.needs_board()?;
                self.think(Purpose::Play, desk)
            }
            "TURN" => self.opponent_turn(rest, desk),
            // The answer to a SUGGEST; we never suggest, but the stone is as good as any.
            "PLAY" => {
                self.needs_board()?;
                let stones = parse_turn(&desk.rules(), rest)?;
                play_turn(&mut desk.position, &stones).map_err(|error| error.to_string())?;
                desk.say(&turn(&desk.rules(), &stones));
                next
            }
            "BOARD" => self.begin_block(Block::Board),
            "YXBOARD" => self.begin_block(Block::Position),
            "SWAP2BOARD" => self.begin_block(Block::Swap2),
            "TAKEBACK" => self.take_back(rest, desk),
            "END" => Ok(Flow::Quit),
            "ABOUT" => {
                let (name, version) = (&desk.options.name, env!("CARGO_PKG_VERSION"));
                desk.say(&format!(
                    "name=\"{}\", version=\"{version}\", author=\"Collinear\"",
                    name.replace(['"', '\n', '\r'], "'")
                ));
                next
            }
            "YXSHOWINFO" => {
                self.settings.show_details();
                desk.say(&format!("MESSAGE {}", desk.options.name));
                let threads = std::thread::available_parallelism().map_or(1, usize::from);
                desk.say(&format!("MESSAGE INFO MAX_THREAD_NUM {threads}"));
                desk.say(&format!("MESSAGE INFO MAX_HASH_SIZE {MAX_HASH_SIZE}"));
                next
            }
            "YXNBEST" => {
                self.needs_board()?;
                let lines = rest.parse::<u16>().ok().filter(|n| (1..=MAX_LINES).contains(n));
                self.settings.lines = lines.ok_or("a number of lines from 1 to 100 is missing")?;
                self.settings.show_details();
                let flow = self.think(Purpose::Analyse, desk);
                self.settings.lines = 1;
                flow
            }
            // No game of this family forbids a point.
            "YXSHOWFORBID" => {
                desk.say("FORBID .");
                next
            }
            // Nobody thinks, or nothing is left to clear after the next START.
            "YXSTOP" | "STOP" | "YXHASHCLEAR" => next,
            _ => {
                desk.say(&format!("UNKNOWN {}", short(&word)));
                next
            }
        }
    }
}

impl Front for Gomocup {
    fn command(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        self.act(line, desk).unwrap_or_else(|reason| {
            desk.say(&format!("ERROR {reason}"));
            Flow::Next
        })
    }

    fn urgency(&self, line: &str) -> Urgency {
        match line.to_ascii_uppercase().as_str() {
            "END" => Urgency::StopThen,
            "YXSTOP" | "STOP" => Urgency::Stop,
            _ => Urgency::Later,
        }
    }

    fn report(&mut self, report: &Report, desk: &mut Desk<'_>) {
        self.last_value = report.lines.first().map(|line| line.value).or(self.last_value);
        if !self.settings.shows_details() {
            return;
        }
        let rules = desk.rules();
        let Report { depth, nodes, elapsed, lines, .. } = report;
        let speed = (*nodes as f64 / elapsed.as_secs_f64().max(1e-3)) as u64;
        for (nth, line) in lines.iter().enumerate() {
            desk.say(&format!("INFO PV {nth}"));
            desk.say(&format!("INFO NUMPV {}", lines.len()));
            desk.say(&format!("INFO DEPTH {depth}"));
            desk.say(&format!("INFO TOTALNODES {nodes}"));
            desk.say(&format!("INFO TOTALTIME {}", elapsed.as_millis()));
            desk.say(&format!("INFO SPEED {speed}"));
            let eval = match line.value {
                Value::WinsIn(turns) => format!("+M{turns}"),
                Value::LosesIn(turns) => format!("-M{turns}"),
                // A logistic scale of 200, as the GUIs of this protocol draw it.
                value => {
                    let chance = f64::from(value.chance()).clamp(1e-4, 1.0 - 1e-4);
                    format!("{:.0}", 200.0 * (chance / (1.0 - chance)).ln())
                }
            };
            desk.say(&format!("INFO EVAL {eval}"));
            desk.say(&format!("INFO WINRATE {:.4}", line.value.chance()));
            desk.say(&format!("INFO BESTLINE {}", turn(&rules, &line.stones)));
            desk.say("INFO PV DONE");
        }
    }

    fn answer(&mut self, answer: Result<Turn, Fault>, desk: &mut Desk<'_>) {
        let rules = desk.rules();
        // The clock of the turn before says nothing about the next one.
        self.settings.forget_clock();
        let said = answer.map_err(|error| error.to_string()).and_then(|stones| {
            let worse = self.last_value.is_some_and(|value| value.chance() < 0.5);
            match self.purpose {
                Purpose::Choose if worse => return Ok("SWAP".to_owned()),
                Purpose::Analyse => {}
                Purpose::Choose | Purpose::Play => {
                    play_turn(&mut desk.position, &stones).map_err(|error| error.to_string())?;
                }
            }
            Ok(turn(&rules, &stones))
        });
        match said {
            Ok(words) => desk.say(&words),
            Err(reason) => desk.say(&format!("ERROR {}", reason.replace(['\n', '\r'], " "))),
        }
    }

    fn too_long(&mut self, desk: &mut Desk<'_>) {
        desk.say("ERROR the line is too long");
    }
}
