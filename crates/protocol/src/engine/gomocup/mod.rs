//! Gomocup (Piskvork) from the engine's side, with what Yixin-Board and similar programs add for analysis.
//!
//! Commands in any case; `OK` stands alone because some managers compare the whole line. Other
//! games than five in a row come through `--game` or the `INFO game` extension.
//!
//! | file | what it knows |
//! |---|---|
//! | `block` | lines up to DONE, and the positions they describe |
//! | `settings` | INFO: limits, rules, games |
//! | `thinking` | what is said while the agent thinks |
//! | `yixin` | the commands of Yixin-Board |
//! | `opening` | the decisions of Swap2 and Soosorv |

mod block;
#[cfg(test)]
mod commands;
mod opening;
mod settings;
mod thinking;
mod yixin;

use collinear_play::{Fault, Report, Turn, play_turn};
use collinear_rules::{Cell, Position, Rules};

use super::desk::Desk;
use super::driver::{Flow, Front, Question, Task, Urgency};
use crate::gomocup::{parse_point, parse_turn, turn};
use crate::quote::short;
use block::{Block, OpenBlock, position_of, without};
use opening::{Decision, Form, Next};
use settings::Settings;
use thinking::{Names, Thinking};

/// What the answer that is being thought about is for.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Purpose {
    /// A turn to be said and played.
    Play,
    /// Stones of both colours to be said and put on the board.
    Place,
    /// A decision of an opening protocol.
    Decide(Decision, Form),
}

pub(super) struct Gomocup {
    settings: Settings,
    started: bool,
    block: Option<OpenBlock>,
    /// A command whose argument stands in the next line, and what is then said about it.
    next_line: Option<&'static str>,
    /// The last command was not known: points up to DONE may belong to it.
    unknown: bool,
    /// Cells that no turn may begin with.
    excluded: Vec<Cell>,
    names: Names,
    purpose: Purpose,
    thinking: Thinking,
}

type Outcome = Result<Flow, String>;

/// With this many cells excluded, lines for all of them are no longer looked for.
const MAX_EXCLUDED_LINES: usize = 16;

impl Gomocup {
    pub(super) fn new(rules: Rules) -> Self {
        Self {
            settings: Settings::new(rules),
            started: false,
            block: None,
            next_line: None,
            unknown: false,
            excluded: Vec::new(),
            names: Names::Usual,
            purpose: Purpose::Play,
            thinking: Thinking::default(),
        }
    }

    fn start(&mut self, size: Option<(u32, u32)>, desk: &mut Desk<'_>) -> Outcome {
        // What was refused belongs to the game before.
        self.settings.forget_trouble();
        let (width, height) = size.ok_or("a board size such as 15, or 20,15, is missing")?;
        let rules = self.settings.rules(width, height)?;
        self.started = true;
        self.settings.forget_clock();
        // Cells of the board before: there may be no such cells any more.
        self.excluded.clear();
        desk.new_game(rules);
        desk.say("OK");
        Ok(Flow::Next)
    }

    /// Asks for the turn of the player to move.
    fn think(&mut self, desk: &Desk<'_>) -> Outcome {
        self.think_about(Purpose::Play, 1, desk)
    }

    /// Asks for a turn and the best lines.
    fn think_about(&mut self, purpose: Purpose, lines: u16, desk: &Desk<'_>) -> Outcome {
        self.excluded.retain(|&cell| desk.position.is_empty(cell));
        let excluded = self.excluded.len();
        if excluded <= MAX_EXCLUDED_LINES {
            return self.ask(purpose, Task::Turn, lines + excluded as u16, desk);
        }
        self.ask_among_others(purpose, desk)
    }

    /// Asks for the best stone that is not excluded.
    fn ask_among_others(&mut self, purpose: Purpose, desk: &Desk<'_>) -> Outcome {
        let legal = desk.position.legal_cells().into_iter();
        let candidates: Vec<Vec<Cell>> =
            legal.filter(|cell| !self.excluded.contains(cell)).map(|cell| vec![cell]).collect();
        if candidates.is_empty() {
            return Err("every cell is excluded".to_owned());
        }
        self.ask(purpose, Task::Nearest { candidates, target: 1.0 }, 1, desk)
    }

    fn ask(&mut self, purpose: Purpose, task: Task, lines: u16, desk: &Desk<'_>) -> Outcome {
        self.needs_board()?;
        self.needs_known_rules()?;
        if desk.position.is_over() {
            return Err("the game is over".to_owned());
        }
        self.purpose = purpose;
        self.thinking = Thinking::default();
        let mut budget = self.settings.budget(desk);
        budget.lines = lines;
        Ok(Flow::Think(Question { budget, task }))
    }

    fn decide(&mut self, decision: Decision, form: Form, desk: &mut Desk<'_>) -> Outcome {
        self.needs_board()?;
        self.needs_known_rules()?;
        if desk.position.is_over() {
            return Err("the game is over".to_owned());
        }
        let budget = self.settings.budget(desk);
        let (position, question) = decision.question(&desk.position, budget)?;
        if let Some(position) = position {
            desk.set_position(position);
        }
        self.purpose = Purpose::Decide(decision, form);
        self.thinking = Thinking::default();
        Ok(Flow::Think(question))
    }

    fn begin_block(&mut self, kind: Block) -> Outcome {
        self.needs_board()?;
        self.block = Some(OpenBlock::new(kind));
        Ok(Flow::Next)
    }

    fn needs_board(&self) -> Result<(), String> {
        if self.started { Ok(()) } else { Err("START must come first".to_owned()) }
    }

    /// Something in an INFO cannot be done: that is said where it matters.
    fn needs_known_rules(&self) -> Result<(), String> {
        self.settings.trouble().map_or(Ok(()), Err)
    }

    /// A line inside BOARD … DONE.
    fn block_line(&mut self, mut block: OpenBlock, line: &str, desk: &mut Desk<'_>) -> Outcome {
        if line.eq_ignore_ascii_case("done") {
            return match block.fault {
                Some(fault) => Err(fault),
                None => self.block_done(block, desk),
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

    fn block_done(&mut self, block: OpenBlock, desk: &mut Desk<'_>) -> Outcome {
        let cells = block.cells();
        match block.kind {
            Block::Board => {
                desk.set_position(position_of(desk.rules(), &block.stones)?);
                return self.think(desk);
            }
            Block::Position => desk.set_position(position_of(desk.rules(), &block.stones)?),
            Block::Swap2 => return self.swap2(&cells, desk),
            Block::Exclude => {
                let new = cells.into_iter().filter(|cell| !self.excluded.contains(cell));
                let new: Vec<Cell> = new.collect();
                self.excluded.extend(new);
            }
            Block::Allow => self.excluded.retain(|cell| !cells.contains(cell)),
            Block::Soosorv(decision) => return self.soosorv_done(decision, cells, desk),
            Block::Elsewhere("") => {}
            Block::Elsewhere(words) => desk.say(words),
        }
        Ok(Flow::Next)
    }

    /// Swap2: put three stones, or choose a colour by what the agent thinks of the position.
    fn swap2(&mut self, cells: &[Cell], desk: &mut Desk<'_>) -> Outcome {
        let decision = match cells.len() {
            0 => Decision::Open,
            3 => Decision::Choose,
            5 => Decision::ChooseLast,
            n => return Err(format!("swap2 has 0, 3 or 5 stones on the board, not {n}")),
        };
        Self::set_up(cells, desk)?;
        self.decide(decision, Form::Gomocup, desk)
    }

    /// Puts these stones on the board, in the order of play.
    fn set_up(cells: &[Cell], desk: &mut Desk<'_>) -> Result<(), String> {
        let position = Position::from_moves(desk.rules(), cells);
        desk.set_position(position.map_err(|(n, error)| format!("stone {}: {error}", n + 1))?);
        Ok(())
    }

    fn opponent_turn(&mut self, text: &str, desk: &mut Desk<'_>) -> Outcome {
        self.needs_board()?;
        self.needs_known_rules()?;
        let stones = parse_turn(&desk.rules(), text)?;
        play_turn(&mut desk.position, &stones).map_err(|error| error.to_string())?;
        self.think(desk)
    }

    fn take_back(&self, text: &str, desk: &mut Desk<'_>) -> Outcome {
        self.needs_board()?;
        let cell = parse_point(&desk.rules(), text)?;
        desk.set_position(without(&desk.position, cell)?);
        desk.say("OK");
        Ok(Flow::Next)
    }

    fn act(&mut self, line: &str, desk: &mut Desk<'_>) -> Outcome {
        if let Some(words) = self.next_line.take() {
            desk.say(words);
            return Ok(Flow::Next);
        }
        if let Some(block) = self.block.take() {
            return self.block_line(block, line, desk);
        }
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let word = word.to_ascii_uppercase();
        let next = Ok(Flow::Next);
        if self.unknown && (word == "DONE" || !word.starts_with(|c: char| c.is_ascii_alphabetic()))
        {
            return next;
        }
        self.unknown = false;
        match word.as_str() {
            "INFO" => {
                self.settings.info(rest, desk);
                next
            }
            "START" | "RECTSTART" => self.start(size(rest), desk),
            "RESTART" => {
                self.needs_board()?;
                let rules = desk.rules();
                self.start(Some((rules.width() as u32, rules.height() as u32)), desk)
            }
            "BEGIN" => self.think(desk),
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
            "SWAP2BOARD" => self.begin_block(Block::Swap2),
            "TAKEBACK" => self.take_back(rest, desk),
            "END" => Ok(Flow::Quit),
            "ABOUT" => {
                desk.say(&about(&desk.options.name));
                next
            }
            _ => self.yixin(&word, rest, desk).unwrap_or_else(|| {
                self.unknown = true;
                // GUIs that know Yixin's commands show everything else as noise.
                if self.names == Names::Usual {
                    desk.say(&format!("UNKNOWN {}", short(&word)));
                }
                next
            }),
        }
    }

    /// The turn that was chosen, or the best other one where it begins with an excluded cell; none
    /// where no line is left.
    fn allowed(&self, stones: Turn) -> Option<Turn> {
        let free = |stones: &Turn| !stones.iter().any(|cell| self.excluded.contains(cell));
        if free(&stones) {
            return Some(stones);
        }
        let count = stones.len();
        let lines = self.thinking.lines().iter();
        lines.map(|line| line.stones.iter().copied().take(count).collect()).find(free)
    }

    fn said(&mut self, stones: Turn, desk: &mut Desk<'_>) -> Outcome {
        let rules = desk.rules();
        match self.purpose.clone() {
            Purpose::Play => {
                let Some(stones) = self.allowed(stones) else {
                    return self.ask_among_others(Purpose::Play, desk);
                };
                play_turn(&mut desk.position, &stones).map_err(|error| error.to_string())?;
                desk.say(&turn(&rules, &stones));
            }
            Purpose::Place => {
                for &cell in &stones {
                    desk.position.play(cell).map_err(|error| error.to_string())?;
                }
                desk.say(&turn(&rules, &stones));
            }
            Purpose::Decide(decision, form) => {
                match decision.answer(&desk.position, &stones, &self.thinking, form) {
                    Next::Say(lines) => lines.iter().for_each(|line| desk.say(line)),
                    Next::Ask(decision) => return self.decide(decision, form, desk),
                }
            }
        }
        Ok(Flow::Next)
    }
}

/// `15`, `15 15`, `20,15`.
fn size(text: &str) -> Option<(u32, u32)> {
    let mut numbers = text.split([',', ' ', '\t']).filter(|part| !part.is_empty());
    let width = numbers.next()?.parse().ok()?;
    let height = numbers.next().map_or(Some(width), |text| text.parse().ok())?;
    numbers.next().is_none().then_some((width, height))
}

fn about(name: &str) -> String {
    let (name, version) = (name.replace(['"', '\n', '\r'], "'"), env!("CARGO_PKG_VERSION"));
    format!("name=\"{name}\", version=\"{version}\", author=\"Collinear\"")
}

impl Front for Gomocup {
    fn command(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        self.act(line, desk).unwrap_or_else(|reason| {
            desk.say(&format!("ERROR {reason}"));
            Flow::Next
        })
    }

    fn urgency(&self, line: &str, desk: &Desk<'_>) -> Urgency {
        match line.to_ascii_uppercase().as_str() {
            "END" => Urgency::StopThen,
            "YXSTOP" | "STOP" => Urgency::Stop,
            "ABOUT" => Urgency::Reply(about(&desk.options.name)),
            _ => Urgency::Later,
        }
    }

    fn report(&mut self, report: Report, desk: &mut Desk<'_>) {
        let lines = report.lines.into_iter();
        let allowed = lines
            .filter(|line| line.stones.first().is_none_or(|cell| !self.excluded.contains(cell)));
        let report = Report { lines: allowed.collect(), ..report };
        let details = self.settings.details();
        for line in self.thinking.hear(report, &desk.rules(), self.names, details) {
            desk.say(&line);
        }
    }

    fn answer(&mut self, answer: Result<Turn, Fault>, desk: &mut Desk<'_>) -> Flow {
        for line in self.thinking.tell(&desk.rules(), self.names) {
            desk.say(&line);
        }
        let said = answer.map_err(|error| error.to_string());
        let flow = said.and_then(|stones| self.said(stones, desk)).unwrap_or_else(|reason| {
            desk.say(&format!("ERROR {}", reason.replace(['\n', '\r'], " ")));
            Flow::Next
        });
        if !matches!(flow, Flow::Think(_)) {
            // The clock of the turn before says nothing about the next one.
            self.settings.forget_clock();
        }
        flow
    }

    fn too_long(&mut self, desk: &mut Desk<'_>) {
        desk.say("ERROR the line is too long");
    }
}
