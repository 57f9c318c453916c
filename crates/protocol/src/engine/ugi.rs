//! The native protocol from the engine's side: in the style of UCI, for every game of the family.
//!
//! ```text
//! ugi                                   id name …, option …, ugiok
//! isready                               readyok
//! setoption name Rules value connect4
//! uginewgame
//! position startpos moves d1 d2
//! go movetime 1000                      info depth 4 nodes 812 time 3 chance 0.55 pv d3 d4
//!                                       bestmove d3
//! ```

use collinear_play::{Budget, Clock, Fault, Report, Turn, Value};
use collinear_rules::{Outcome, Player, Position, Rules, notation};

use super::desk::Desk;
use super::driver::{Flow, Front, Urgency};
use crate::quote::quoted;
use crate::ugi::{Go, parse_go, parse_position};

/// The most lines a host may ask for.
const MAX_LINES: u16 = 100;
/// The most threads a host may ask for.
const MAX_THREADS: u32 = 1024;

#[derive(Default)]
pub(super) struct Ugi {
    rules: Option<Rules>,
    lines: u16,
}

impl Ugi {
    fn hello(desk: &mut Desk<'_>) {
        desk.say(&format!("id name {}", desk.options.name));
        desk.say("id author Collinear");
        desk.say(&format!("option name Rules type string default {}", desk.options.rules));
        desk.say(&format!("option name Lines type spin default 1 min 1 max {MAX_LINES}"));
        desk.say(&format!("option name Threads type spin default 0 min 0 max {MAX_THREADS}"));
        desk.say("option name Memory type spin default 0 min 0 max 1048576");
        desk.say("ugiok");
    }

    fn rules(&self, desk: &Desk<'_>) -> Rules {
        self.rules.unwrap_or(desk.options.rules)
    }

    fn set_option(&mut self, text: &str, desk: &mut Desk<'_>) -> Result<(), String> {
        let text = text.strip_prefix("name ").ok_or("expected: setoption name NAME value VALUE")?;
        let (name, value) = text.split_once(" value ").unwrap_or((text, ""));
        let value = value.trim();
        let number = |most: u64| {
            let number = value.parse::<u64>().ok().filter(|n| *n <= most);
            number.ok_or_else(|| format!("{name} takes a number from 0 to {most}"))
        };
        let mut demands = desk.demands();
        match name.trim().to_ascii_lowercase().as_str() {
            "rules" => {
                let rules = value.parse::<Rules>().map_err(|error| error.to_string())?;
                self.rules = Some(rules);
                desk.new_game(rules);
            }
            "lines" => self.lines = number(u64::from(MAX_LINES))? as u16,
            "threads" => {
                demands.threads = Some(number(u64::from(MAX_THREADS))? as u32).filter(|&n| n > 0);
            }
            // In megabytes; 0 leaves it to the engine.
            "memory" => demands.memory = Some(number(1 << 20)? << 20).filter(|&n| n > 0),
            _ => return Err(format!("no option {}", quoted(name))),
        }
        desk.set_demands(demands);
        Ok(())
    }

    fn go(&self, text: &str, desk: &Desk<'_>) -> Result<Flow, String> {
        if desk.position.is_over() {
            return Err("the game is over".to_owned());
        }
        let Go { movetime, clocks, nodes, depth, lines, infinite } = parse_go(text)?;
        let clock = clocks[desk.position.to_move().index()];
        let mut budget = Budget { time: movetime, nodes, depth, ..Budget::default() };
        budget.clock = clock.left.map(|left| Clock { left, increment: clock.increment });
        if !infinite && !budget.is_limited() {
            budget = desk.usual_budget();
        }
        budget.lines = lines.unwrap_or(self.lines.max(1)).min(MAX_LINES);
        Ok(Flow::turn(budget))
    }

    fn query(text: &str, desk: &mut Desk<'_>) -> Result<(), String> {
        let outcome = desk.position.outcome();
        let answer = match text {
            "gameover" => (outcome != Outcome::Ongoing).to_string(),
            "p1turn" => (desk.position.to_move() == Player::Black).to_string(),
            "result" => match outcome {
                Outcome::Ongoing => "none",
                Outcome::Won(Player::Black) => "p1win",
                Outcome::Won(Player::White) => "p2win",
                Outcome::Drawn => "draw",
            }
            .to_owned(),
            _ => return Err("known queries: gameover, p1turn, result".to_owned()),
        };
        desk.say(&format!("response {answer}"));
        Ok(())
    }

    fn act(&mut self, line: &str, desk: &mut Desk<'_>) -> Result<Flow, String> {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        match word {
            "ugi" => Self::hello(desk),
            "isready" => desk.say("readyok"),
            "setoption" => self.set_option(rest, desk)?,
            "uginewgame" => {
                if !rest.is_empty() {
                    self.rules = Some(rest.parse::<Rules>().map_err(|error| error.to_string())?);
                }
                desk.new_game(self.rules(desk));
            }
            "position" => {
                let position: Position = parse_position(self.rules(desk), rest)?;
                desk.set_position(position);
            }
            "go" => return self.go(rest, desk),
            "query" => Self::query(rest, desk)?,
            "print" | "d" => desk.say(desk.position.to_string().trim_end()),
            // Nobody thinks: there is nothing to stop.
            "stop" => {}
            "quit" => return Ok(Flow::Quit),
            _ => return Err(format!("unknown command {}", quoted(word))),
        }
        Ok(Flow::Next)
    }
}

impl Front for Ugi {
    fn command(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        self.act(line, desk).unwrap_or_else(|reason| {
            desk.say(&format!("error {reason}"));
            Flow::Next
        })
    }

    fn urgency(&self, line: &str, _: &Desk<'_>) -> Urgency {
        match line {
            "stop" => Urgency::Stop,
            "quit" => Urgency::StopThen,
            "isready" => Urgency::Reply("readyok".to_owned()),
            _ => Urgency::Later,
        }
    }

    fn report(&mut self, report: Report, desk: &mut Desk<'_>) {
        let Report { depth, nodes, elapsed, lines, note } = report;
        let rules = desk.rules();
        let several = lines.len() > 1;
        for (nth, line) in lines.iter().enumerate() {
            let number = if several { format!(" line {}", nth + 1) } else { String::new() };
            let value = match line.value {
                Value::Chance(chance) => format!("chance {chance:.3}"),
                Value::WinsIn(turns) => format!("wins {turns}"),
                Value::LosesIn(turns) => format!("loses {turns}"),
                Value::Draw => "draw".to_owned(),
            };
            let pv = notation::names(&rules, &line.stones);
            let time = elapsed.as_millis();
            desk.say(&format!(
                "info depth {depth} nodes {nodes} time {time}{number} {value} pv {pv}"
            ));
        }
        if lines.is_empty() {
            desk.say(&format!("info depth {depth} nodes {nodes} time {}", elapsed.as_millis()));
        }
        if let Some(note) = note {
            desk.say(&format!("info string {}", note.replace(['\n', '\r'], " ")));
        }
    }

    fn answer(&mut self, answer: Result<Turn, Fault>, desk: &mut Desk<'_>) -> Flow {
        match answer {
            Ok(turn) => {
                let rules = desk.rules();
                desk.say(&format!("bestmove {}", notation::names(&rules, &turn)));
            }
            Err(error) => {
                desk.say(&format!("error {}", error.to_string().replace(['\n', '\r'], " ")));
                desk.say("bestmove none");
            }
        }
        Flow::Next
    }

    fn too_long(&mut self, desk: &mut Desk<'_>) {
        desk.say("error the line is too long");
    }
}
