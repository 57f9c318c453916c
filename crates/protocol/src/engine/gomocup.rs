//! Gomocup (Piskvork) from the engine's side, with what Yixin-Board and its kin add for analysis.
//!
//! Commands in any case; `OK` stands alone because some managers compare the whole line. Other
//! games than five in a row come through `--game` or the `INFO game` extension.

use std::time::Duration;

use collinear_play::{AgentError, Budget, Clock, Report, Turn, Value, play_turn};
use collinear_rules::{Cell, Player, Position, Rules, RulesBuilder, Setup};

use super::desk::Desk;
use super::driver::{Flow, Front, Urgency};
use crate::gomocup::{EXACT, parse_point, parse_turn, turn};

/// `INFO` values that mean "no limit".
const UNLIMITED: i64 = 2_147_483_647;
/// Kept back from every limit for the way through pipes and schedulers.
const SAFETY: Duration = Duration::from_millis(30);
/// What "as fast as possible" is taken for.
const AT_ONCE: Duration = Duration::from_millis(1);
/// What GUIs may offer as table size, as a power of two of kilobytes: 1 GB.
const MAX_HASH_SIZE: u32 = 20;
/// The most lines `YXNBEST` may ask for.
const MOST_LINES: u16 = 100;

/// The block of lines that is being read.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Block {
    Board,
    /// `YXBOARD`: a position without a turn to play.
    Position,
    Swap2,
}

/// A block up to here. What is wrong with it is said at its end, once.
struct OpenBlock {
    kind: Block,
    stones: Vec<(Cell, u8)>,
    fault: Option<String>,
}

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
    /// The game apart from the board's size, which START gives.
    template: RulesBuilder,
    rule: u32,
    started: bool,
    block: Option<OpenBlock>,
    purpose: Purpose,
    timeout_turn: Option<i64>,
    timeout_match: Option<i64>,
    time_left: Option<i64>,
    max_depth: Option<u32>,
    max_nodes: Option<u64>,
    details: u8,
    lines: u16,
    last_value: Option<Value>,
    /// Something in an INFO that we cannot do: said at the next command, as the protocol asks.
    trouble: Option<String>,
}

type Outcome = Result<Flow, String>;

impl Gomocup {
    pub(super) fn new(rules: Rules) -> Self {
        let (width, height) = (rules.width() as u32, rules.height() as u32);
        let mut template =
            Rules::builder(width, height, rules.k() as u32).p(rules.p() as u32).q(rules.q() as u32);
        template.gravity = rules.gravity();
        template.overline = rules.overline();
        Self {
            template,
            rule: 0,
            started: false,
            block: None,
            purpose: Purpose::Play,
            timeout_turn: None,
            timeout_match: None,
            time_left: None,
            max_depth: None,
            max_nodes: None,
            details: 0,
            lines: 1,
            last_value: None,
            trouble: None,
        }
    }

    fn start(&mut self, width: u32, height: u32, desk: &mut Desk<'_>) -> Outcome {
        let rules = RulesBuilder { width, height, ..self.template }.build();
        let rules = rules.map_err(|error| error.to_string())?;
        self.started = true;
        self.time_left = None;
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
        let millis = |ms: i64| Duration::from_millis(ms.clamp(0, UNLIMITED) as u64);
        let limited = |ms: Option<i64>| ms.filter(|&ms| ms != UNLIMITED);
        let mut budget = Budget { lines: self.lines, ..Budget::default() };
        budget.time = limited(self.timeout_turn).map(|ms| match millis(ms) {
            Duration::ZERO => AT_ONCE,
            time => time.saturating_sub(SAFETY.max(time / 50)).max(AT_ONCE),
        });
        let clocked = self.timeout_match.is_none_or(|ms| ms > 0);
        budget.clock = limited(self.time_left)
            .filter(|_| clocked)
            .map(|ms| Clock { left: millis(ms), increment: Duration::ZERO });
        budget.depth = self.max_depth;
        budget.nodes = self.max_nodes;
        if !budget.is_limited() {
            let lines = budget.lines;
            budget = Budget { lines, ..desk.usual_budget() };
        }
        Ok(Flow::Think(budget))
    }

    /// `INFO` never has an answer.
    fn info(&mut self, text: &str, desk: &mut Desk<'_>) {
        let (key, value) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let value = value.trim();
        let number = value.parse::<i64>().ok();
        let mut demands = desk.demands();
        match key.to_ascii_lowercase().as_str() {
            "timeout_turn" => self.timeout_turn = number,
            "timeout_match" => self.timeout_match = number,
            "time_left" => self.time_left = number,
            "max_depth" => self.max_depth = number.and_then(|n| u32::try_from(n).ok()),
            "max_node" => {
                self.max_nodes = number.and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
            }
            "show_detail" => self.details = number.unwrap_or(0).clamp(0, 3) as u8,
            "max_memory" => {
                demands.memory = number.and_then(|n| u64::try_from(n).ok()).filter(|&n| n > 0);
            }
            "thread_num" => {
                demands.threads = number.and_then(|n| u32::try_from(n).ok()).filter(|&n| n > 0);
            }
            "rule" => self.set_rule(value, desk),
            "game" => self.set_game(value),
            "gravity" => self.template.gravity = value == "1",
            // Everything else is for others, or means nothing to us.
            _ => {}
        }
        desk.set_demands(demands);
    }

    /// Bits: 1 exactly five, 2 continuous, 4 renju, 8 caro.
    fn set_rule(&mut self, value: &str, desk: &mut Desk<'_>) {
        self.trouble = None;
        match value.parse::<u32>() {
            Ok(rule) if rule & !EXACT == 0 => {
                if rule != self.rule {
                    self.rule = rule;
                    let freestyle =
                        RulesBuilder { overline: collinear_rules::Overline::Wins, ..self.template };
                    self.template = if rule & EXACT == 0 { freestyle } else { freestyle.exact() };
                    self.replay(desk);
                }
            }
            _ => self.trouble = Some(format!("rule {} is not supported", short(value))),
        }
    }

    /// The rule may come after START: the stones stay, under the new rules.
    fn replay(&mut self, desk: &mut Desk<'_>) {
        let old = desk.rules();
        let size = RulesBuilder {
            width: old.width() as u32,
            height: old.height() as u32,
            ..self.template
        };
        let replayed = size
            .build()
            .ok()
            .and_then(|rules| Position::from_moves(rules, desk.position.history()).ok());
        match replayed {
            Some(position) => desk.set_position(position),
            None => self.trouble = Some("the rule does not fit the stones on the board".to_owned()),
        }
    }

    fn set_game(&mut self, value: &str) {
        let numbers: Option<Vec<u32>> = value
            .strip_prefix("connect")
            .and_then(|rest| rest.split_whitespace().map(|n| n.parse().ok()).collect());
        match numbers.as_deref() {
            Some(&[width, height, k, p, q]) => {
                let overline = self.template.overline;
                let gravity = self.template.gravity;
                let game = Rules::builder(width, height, k).p(p).q(q);
                self.template = RulesBuilder { overline, gravity, ..game };
                self.trouble = game.build().err().map(|error| error.to_string());
            }
            _ => self.trouble = Some(format!("the game {} is not known", short(value))),
        }
    }

    fn begin_block(&mut self, kind: Block) -> Outcome {
        self.needs_board()?;
        self.block = Some(OpenBlock { kind, stones: Vec::new(), fault: None });
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
        match block_stone(&desk.rules(), block.kind, line) {
            Ok(stone) if block.stones.len() < desk.rules().cells() => block.stones.push(stone),
            Ok(_) => block.fault = Some("more stones than the board has cells".to_owned()),
            Err(reason) => block.fault = block.fault.or(Some(reason)),
        }
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
                let points = [(w / 2, h - 1), (w / 2 + 1, h - 2), (w / 2 + 3, h - 1)];
                let cells: Option<Vec<Cell>> =
                    points.iter().map(|&(x, y)| rules.cell(x, y)).collect();
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
            self.info(rest, desk);
            return Ok(Flow::Next);
        }
        if let Some(trouble) = self.trouble.clone().filter(|_| word != "END" && word != "ABOUT") {
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
                self.details |= 2;
                desk.say(&format!("MESSAGE {}", desk.options.name));
                let threads = std::thread::available_parallelism().map_or(1, usize::from);
                desk.say(&format!("MESSAGE INFO MAX_THREAD_NUM {threads}"));
                desk.say(&format!("MESSAGE INFO MAX_HASH_SIZE {MAX_HASH_SIZE}"));
                next
            }
            "YXNBEST" => {
                self.needs_board()?;
                let lines = rest.parse::<u16>().ok().filter(|n| (1..=MOST_LINES).contains(n));
                self.lines = lines.ok_or("a number of lines from 1 to 100 is missing")?;
                self.details |= 2;
                let flow = self.think(Purpose::Analyse, desk);
                self.lines = 1;
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
        if self.details & 2 == 0 {
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

    fn answer(&mut self, answer: Result<Turn, AgentError>, desk: &mut Desk<'_>) {
        let rules = desk.rules();
        // The clock of the turn before says nothing about the next one.
        self.time_left = None;
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

fn block_stone(rules: &Rules, kind: Block, line: &str) -> Result<(Cell, u8), String> {
    if kind == Block::Swap2 {
        return parse_point(rules, line).map(|cell| (cell, 0));
    }
    let (at, field) = line.rsplit_once(',').ok_or("X,Y,FIELD or DONE expected")?;
    let cell = parse_point(rules, at)?;
    match field.trim() {
        "1" => Ok((cell, 1)),
        "2" => Ok((cell, 2)),
        _ => Err(format!("field {} is not supported", short(field))),
    }
}

/// The position of a BOARD block: in the order of play where it is one, or else as a set-up with
/// the engine to move.
fn position_of(rules: Rules, stones: &[(Cell, u8)]) -> Result<Position, String> {
    let cells: Vec<Cell> = stones.iter().map(|(cell, _)| *cell).collect();
    if let Ok(position) = Position::from_moves(rules, &cells) {
        let own = position.to_move();
        let mut replay = Position::new(rules);
        let in_order = stones.iter().all(|&(cell, field)| {
            let right = (replay.to_move() == own) == (field == 1);
            right && replay.play(cell).is_ok()
        });
        if in_order {
            return Ok(position);
        }
    }
    let side = |wanted: u8| -> Vec<Cell> {
        stones.iter().filter(|(_, field)| *field == wanted).map(|(cell, _)| *cell).collect()
    };
    let (own, other) = (side(1), side(2));
    let setup = if own.len() < other.len() {
        Setup { black: other, white: own, to_move: Some((Player::White, rules.p())) }
    } else {
        Setup { black: own, white: other, to_move: Some((Player::Black, rules.p())) }
    };
    Position::from_setup(rules, &setup).map_err(|error| error.to_string())
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
