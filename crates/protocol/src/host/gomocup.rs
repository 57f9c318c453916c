//! Gomocup from the host's side, with the extension for other games than five in a row.

use std::fmt::Write as _;
use std::time::Instant;

use collinear_play::{Budget, Report, Turn};
use collinear_rules::{Cell, Player, Position, Rules};

use super::fault::EngineFault;
use super::link::{Conventions, Heard, Link, PAUSE};
use super::said::Said;
use super::{Ask, Speaker, Swap2Form};
use crate::gomocup::{cell_at, info_game, info_rule, leading_points, point, turn};
use crate::quote::short;

/// What Gomocup says instead of a number when time is not limited.
const UNLIMITED: u128 = 2_147_483_647;

/// Lines that begin with these say nothing about a turn. Others are answers that cannot be read,
/// unless something comes after them.
const REMARKS: [&str; 4] = ["message", "debug", "info", "ok"];

pub(super) struct Gomocup {
    /// How much of its evaluation is one logit.
    scale: f64,
    /// Started for a game, and nothing has been played yet.
    fresh: bool,
    /// Words of INFO lines since the last answer: an engine may complain about each of them.
    info_words: usize,
}

impl Gomocup {
    pub(super) const fn new(scale: f64) -> Self {
        Self { scale, fresh: false, info_words: 0 }
    }

    fn inform(&mut self, link: &mut Link, lines: &[String]) -> Result<(), EngineFault> {
        for line in lines {
            self.info_words += line.split_whitespace().count();
            link.say(line)?;
        }
        Ok(())
    }

    fn start(&mut self, link: &mut Link, rules: &Rules) -> Result<(), EngineFault> {
        if rules.width() == rules.height() {
            link.say(&format!("START {}", rules.width()))?;
        } else {
            link.say(&format!("RECTSTART {},{}", rules.width(), rules.height()))?;
        }
        let mut complaints = Complaints(std::mem::take(&mut self.info_words));
        link.await_answer(|line| {
            // The specification allows text behind OK.
            let ok = line.get(..2).is_some_and(|word| word.eq_ignore_ascii_case("ok"));
            if ok { Heard::Answer(()) } else { complaints.hear(line) }
        })?;
        self.fresh = true;
        Ok(())
    }
}

impl Speaker for Gomocup {
    fn hello(&mut self, link: &mut Link, rules: &Rules) -> Result<(), EngineFault> {
        // An unusual game must be known before START; engines ignore what they do not know.
        self.inform(link, &info_game(rules))?;
        self.start(link, rules)
    }

    fn new_game(&mut self, link: &mut Link, rules: &Rules) -> Result<(), EngineFault> {
        if self.fresh { Ok(()) } else { self.start(link, rules) }
    }

    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, EngineFault> {
        let asked = Instant::now();
        let rules = ask.position.rules();
        let begins = ask.position.stone_count() == 0;
        if begins && !self.fresh {
            self.start(link, rules)?;
        }
        if self.fresh {
            self.inform(link, &info_rule(rules))?;
        }
        self.fresh = false;
        self.inform(link, &limits(ask.budget))?;
        match ask.news {
            Some(stones) => link.say(&format!("TURN {}", turn(rules, stones)))?,
            None if begins => link.say("BEGIN")?,
            None => board(link, ask.position)?,
        }
        let mut complaints = Complaints(std::mem::take(&mut self.info_words));
        let most = ask.position.stones_left();
        let mut said = Said::default();
        loop {
            let answer = link.await_answer(|line| {
                said.hear(line, self.scale);
                reply(rules, most, &mut complaints, line)
            })?;
            match answer {
                Reply::Turn(stones) => {
                    if let Some(report) = said.report(&stones, asked.elapsed()) {
                        on(&report);
                    }
                    return Ok(stones);
                }
                // The engine leaves it to us, and we have nothing better.
                Reply::Suggestion(stones) => link.say(&format!("PLAY {}", turn(rules, &stones)))?,
            }
        }
    }

    fn swap2(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        form: Swap2Form,
    ) -> Result<Vec<Cell>, EngineFault> {
        let position = ask.position;
        let rules = position.rules();
        if self.fresh {
            self.inform(link, &info_rule(rules))?;
        }
        self.fresh = false;
        self.inform(link, &limits(ask.budget))?;
        let mut block = "SWAP2BOARD".to_owned();
        for (at, &cell) in position.history().iter().enumerate() {
            let _ = write!(block, "\n{}", point(rules, cell));
            if form == Swap2Form::Fields {
                let _ = write!(block, ",{}", at % 2 + 1);
            }
        }
        block.push_str("\nDONE");
        link.say(&block)?;
        let mut complaints = Complaints(std::mem::take(&mut self.info_words));
        let answer = link.await_answer(|line| {
            if line.trim().eq_ignore_ascii_case("swap") {
                return Heard::Answer(Reply::Turn(Vec::new()));
            }
            reply(rules, 3, &mut complaints, line)
        })?;
        let (Reply::Turn(points) | Reply::Suggestion(points)) = answer;
        Ok(points)
    }

    fn conventions(&self) -> Conventions {
        Conventions { goodbye: "END", stop: Some("YXSTOP"), pause: PAUSE }
    }
}

enum Reply {
    Turn(Turn),
    Suggestion(Turn),
}

/// What a line means while a turn is awaited; MESSAGE, DEBUG, INFO and a late OK mean nothing.
fn reply(rules: &Rules, most: usize, complaints: &mut Complaints, line: &str) -> Heard<Reply> {
    let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let suggested = word.eq_ignore_ascii_case("suggest");
    let Some((points, trailing)) = leading_points(if suggested { rest } else { line }, most) else {
        let garbage = || EngineFault::Garbage {
            said: short(line),
            expected: "a turn such as 7,7".to_owned(),
        };
        let looks_like_one = suggested || word.starts_with(|sign: char| sign.is_ascii_digit());
        if looks_like_one {
            return Heard::NearMiss(garbage());
        }
        let is_remark = line.is_empty() || REMARKS.iter().any(|w| word.eq_ignore_ascii_case(w));
        return match complaints.hear(line) {
            Heard::Chatter if !is_remark => Heard::Unclear(garbage()),
            heard => heard,
        };
    };
    let cells: Result<Turn, String> = points.iter().map(|&(x, y)| cell_at(rules, x, y)).collect();
    match cells {
        Ok(cells) if suggested => Heard::Answer(Reply::Suggestion(cells)),
        Ok(cells) if trailing => {
            Heard::Remarkable(Reply::Turn(cells), "text after the turn is ignored")
        }
        Ok(cells) => Heard::Answer(Reply::Turn(cells)),
        Err(reason) => {
            let fault = EngineFault::ImpossibleTurn { said: short(line), reason };
            // `1,234 nodes` is not a turn.
            if trailing { Heard::NearMiss(fault) } else { Heard::EngineFault(fault) }
        }
    }
}

/// This many complaints may be about INFO lines, which an engine may ignore; one more is a refusal.
struct Complaints(usize);

impl Complaints {
    fn hear<T>(&mut self, line: &str) -> Heard<T> {
        let word = line.split_whitespace().next().unwrap_or_default();
        if !["error", "unknown"].iter().any(|known| word.eq_ignore_ascii_case(known)) {
            return Heard::Chatter;
        }
        let refusal = EngineFault::Refused { said: short(line) };
        match self.0.checked_sub(1) {
            Some(left) => {
                self.0 = left;
                Heard::NearMiss(refusal)
            }
            None => Heard::EngineFault(refusal),
        }
    }
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
fn board(link: &mut Link, position: &Position) -> Result<(), EngineFault> {
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn heard(line: &str, stones: usize) -> Heard<Reply> {
        reply(&Rules::GOMOKU, stones, &mut Complaints(0), line)
    }

    #[test]
    fn answers_begin_with_a_point() {
        for line in ["7,7", "7, 7", " 7 , 7 ".trim(), "0,14"] {
            assert!(matches!(heard(line, 1), Heard::Answer(Reply::Turn(_))), "{line}");
        }
        assert!(matches!(heard("7,7 8,8", 2), Heard::Answer(Reply::Turn(two)) if two.len() == 2));
        for line in ["7,7 h8", "7,7;", "7,7 8,8", "7,7 // depth 12"] {
            let one =
                matches!(heard(line, 1), Heard::Remarkable(Reply::Turn(one), _) if one.len() == 1);
            assert!(one, "{line}");
        }
        for line in ["MESSAGE 7,7", "DEBUG 7,7", "OK", "INFO EVAL 3", "message Speed 629K", ""] {
            assert!(matches!(heard(line, 1), Heard::Chatter), "{line}");
        }
        for line in ["h8", "(7,8)", "seven,eight"] {
            assert!(matches!(heard(line, 1), Heard::Unclear(_)), "{line}");
        }
        for line in ["7,x", "7", "12 nodes", "1,234 nodes", "SUGGEST h8"] {
            assert!(matches!(heard(line, 1), Heard::NearMiss(_)), "{line}");
        }
        for line in ["15,0", "-1,-1", "99999999,3", "ERROR no", "unknown command"] {
            assert!(matches!(heard(line, 1), Heard::EngineFault(_)), "{line}");
        }
    }

    #[test]
    fn complaints_about_info_lines_are_passed_over() {
        let mut complaints = Complaints(2);
        for _ in 0..2 {
            assert!(matches!(complaints.hear::<()>("ERROR Unknown command"), Heard::NearMiss(_)));
        }
        assert!(matches!(complaints.hear::<()>("UNKNOWN"), Heard::EngineFault(_)));
        assert!(matches!(complaints.hear::<()>("MESSAGE error"), Heard::Chatter));
    }

    const CELLS: usize = 225;

    /// One or two different cells of the board.
    fn some_stones() -> impl Strategy<Value = Vec<Cell>> {
        proptest::collection::hash_set(0..CELLS, 1..=2)
            .prop_map(|cells| cells.into_iter().map(Cell::new).collect())
    }

    proptest! {
        #[test]
        fn a_written_turn_is_heard(stones in some_stones()) {
            let line = turn(&Rules::GOMOKU, &stones);
            let same = |heard| matches!(heard, Heard::Answer(Reply::Turn(heard)) if heard == stones);
            prop_assert!(same(heard(&line, stones.len())), "{line}");
        }

        #[test]
        fn whatever_is_said_an_answer_lies_on_the_board(
            line in prop_oneof!["\\PC{0,40}", "(suggest )?[-0-9, ;x]{0,24}\\PC{0,4}"],
            most in 1_usize..=3,
        ) {
            use Reply::{Suggestion, Turn};
            let heard = heard(line.trim(), most);
            if let Heard::Answer(Turn(turn) | Suggestion(turn)) | Heard::Remarkable(Turn(turn), _) =
                heard
            {
                prop_assert!(turn.iter().all(|cell| cell.index() < CELLS));
                prop_assert!((1..=most).contains(&turn.len()), "{line:?}");
            }
        }
    }
}
