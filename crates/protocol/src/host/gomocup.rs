//! Gomocup from the host's side, with the extension for other games than five in a row.

use std::fmt::Write as _;

use collinear_play::{Budget, Report, Turn};
use collinear_rules::{Cell, Player, Position, Rules};

use super::fault::Fault;
use super::link::Link;
use super::{Ask, Speaker};
use crate::gomocup::{info_game, parse_turn, point, turn};
use crate::quote::short;

/// What Gomocup says instead of a number when time is not limited.
const UNLIMITED: u128 = 2_147_483_647;

pub(super) struct Gomocup;

impl Speaker for Gomocup {
    fn hello(&mut self, link: &mut Link, rules: &Rules) -> Result<(), Fault> {
        // The game must be known before START; engines ignore what they do not know.
        for line in info_game(rules) {
            link.say(&line)?;
        }
        start(link, rules)
    }

    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, Fault> {
        let rules = ask.position.rules();
        if ask.news.is_none() {
            start(link, rules)?;
            for line in info_game(rules) {
                link.say(&line)?;
            }
        }
        for line in limits(ask.budget) {
            link.say(&line)?;
        }
        match ask.news {
            Some(stones) => link.say(&format!("TURN {}", turn(rules, stones)))?,
            None if ask.position.stone_count() == 0 => link.say("BEGIN")?,
            None => board(link, ask.position)?,
        }
        loop {
            match link.await_answer(|line| reply(rules, line))? {
                Reply::Turn(stones) => return Ok(stones),
                // The engine leaves it to us, and we have nothing better.
                Reply::Suggestion(stones) => link.say(&format!("PLAY {}", turn(rules, &stones)))?,
            }
        }
    }

    fn goodbye(&self) -> &'static str {
        "END"
    }

    fn stop_word(&self) -> Option<&'static str> {
        Some("YXSTOP")
    }
}

enum Reply {
    Turn(Turn),
    Suggestion(Turn),
}

/// What a line means while a turn is awaited; MESSAGE, DEBUG and INFO mean nothing.
fn reply(rules: &Rules, line: &str) -> Option<Result<Reply, Fault>> {
    let stones = |text: &str| {
        parse_turn(rules, text).map_err(|reason| Fault::Garbage {
            said: short(line),
            expected: format!("a turn such as 7,7 ({reason})"),
        })
    };
    let first = line.chars().next()?;
    if first.is_ascii_digit() || first == '-' {
        return Some(stones(line).map(Reply::Turn));
    }
    match line.split_once(char::is_whitespace) {
        Some((word, points)) if word.eq_ignore_ascii_case("suggest") => {
            Some(stones(points).map(Reply::Suggestion))
        }
        _ => refusal(line),
    }
}

fn start(link: &mut Link, rules: &Rules) -> Result<(), Fault> {
    if rules.width() == rules.height() {
        link.say(&format!("START {}", rules.width()))?;
    } else {
        link.say(&format!("RECTSTART {},{}", rules.width(), rules.height()))?;
    }
    link.await_answer(|line| {
        // The specification allows text behind OK.
        let ok = line.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("ok"));
        if ok { Some(Ok(())) } else { refusal(line) }
    })
}

fn refusal<T>(line: &str) -> Option<Result<T, Fault>> {
    let word = line.split_whitespace().next()?.to_ascii_uppercase();
    let refused = word == "ERROR" || word == "UNKNOWN";
    refused.then(|| Err(Fault::Refused { said: short(line) }))
}

fn limits(budget: &Budget) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(time) = budget.time {
        lines.push(format!("INFO timeout_turn {}", time.as_millis().clamp(1, UNLIMITED)));
    }
    let left = budget.clock.map_or(UNLIMITED, |clock| clock.left.as_millis().min(UNLIMITED));
    if budget.clock.is_some() {
        lines.push(format!("INFO timeout_match {left}"));
    }
    lines.extend(budget.nodes.map(|nodes| format!("INFO max_node {nodes}")));
    lines.extend(budget.depth.map(|depth| format!("INFO max_depth {depth}")));
    lines.push(format!("INFO time_left {left}"));
    lines
}

/// The whole position, in the order of play where it has one; the engine's own stones are 1.
fn board(link: &mut Link, position: &Position) -> Result<(), Fault> {
    let rules = position.rules();
    let own = position.to_move();
    let mut stones: Vec<Cell> = position.history().to_vec();
    if stones.len() != position.stone_count() {
        stones = Player::BOTH.into_iter().flat_map(|side| position.stones(side)).collect();
    }
    let mut block = "BOARD".to_owned();
    for cell in stones {
        let field = if position.at(cell) == Some(own) { 1 } else { 2 };
        let _ = write!(block, "\n{},{field}", point(rules, cell));
    }
    block.push_str("\nDONE");
    link.say(&block)
}
