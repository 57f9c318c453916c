//! Cloudict and SAU from the host's side.
//!
//! ```text
//! engine opens        new black              →  move JJ
//! engine answers      new white, move JJ     →  move IKKK
//! forced opening      new white, black JJ, white IKKK, move JKJL  →  move …     (Cloudict only)
//! ```
//!
//! Engines of this family talk a lot. An answer is `move` and one word of letter pairs, nothing
//! before and nothing after: the help that Cloudict prints at its start has a line that begins with
//! `move XXXX`.

use collinear_play::{Report, Turn};
use collinear_rules::{Cell, Player, Position, Rules};

use super::fault::EngineFault;
use super::link::{Conventions, Heard, Link, PAUSE};
use super::{Ask, Speaker};
use crate::letters::{self, NO_STONE, Origin};
use crate::quote::short;

/// What differs between the two.
struct Quirks {
    name_command: &'static str,
    origin: Origin,
    /// Whether there are `black`, `white` and `next` for positions that were not played.
    set_up: bool,
    /// Whether a missing stone of a turn is written out.
    pads: bool,
}

const CLOUDICT: Quirks =
    Quirks { name_command: "name", origin: Origin::BottomLeft, set_up: true, pads: false };
const SAU: Quirks =
    Quirks { name_command: "name?", origin: Origin::TopLeft, set_up: false, pads: true };

pub(super) struct Letters {
    quirks: Quirks,
    /// The depth the engine was told.
    depth: Option<u32>,
}

impl Letters {
    pub(super) const fn cloudict() -> Self {
        Self { quirks: CLOUDICT, depth: None }
    }

    pub(super) const fn sau() -> Self {
        Self { quirks: SAU, depth: None }
    }

    fn write(&self, rules: &Rules, stones: &[Cell]) -> String {
        let mut text = letters::write(rules, self.quirks.origin, stones);
        if self.quirks.pads {
            text.push_str(&NO_STONE.repeat(rules.p().saturating_sub(stones.len())));
        }
        text
    }

    /// Tells the engine a position from scratch and asks for its turn.
    fn whole_game(&self, link: &mut Link, position: &Position) -> Result<(), EngineFault> {
        let rules = position.rules();
        if position.stone_count() == 0 {
            return link.say(&format!("new {}", position.to_move()));
        }
        let turns = turns(position);
        let answers_last_turn = turns.last().is_some_and(|turn| turn.whole)
            && turns.last().is_some_and(|turn| turn.player != position.to_move());
        let (before, last) = match turns.split_last() {
            Some((last, before)) if answers_last_turn => (before, Some(last)),
            _ => (turns.as_slice(), None),
        };
        if !self.quirks.set_up && (!before.is_empty() || last.is_none()) {
            let words = "SAU has no command to set up an opening";
            return Err(EngineFault::Unsupported(words.to_owned()));
        }
        link.say("new white")?;
        for turn in before {
            link.say(&format!("{} {}", turn.player, self.write(rules, &turn.stones)))?;
        }
        match last {
            Some(turn) => link.say(&format!("move {}", self.write(rules, &turn.stones))),
            None => link.say("next"),
        }
    }
}

impl Speaker for Letters {
    fn hello(&mut self, link: &mut Link, _: &Rules) -> Result<(), EngineFault> {
        link.say(self.quirks.name_command)?;
        link.await_answer(|line| match line.split_once(char::is_whitespace) {
            // With a dash it is a line of a help text.
            Some(("name", text)) if !text.trim_start().starts_with('-') => Heard::Answer(()),
            None if line == "name" => Heard::Answer(()),
            _ => Heard::Chatter,
        })
    }

    fn turn(
        &mut self,
        link: &mut Link,
        ask: &Ask<'_>,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, EngineFault> {
        let rules = ask.position.rules();
        if self.quirks.set_up
            && let Some(depth) = ask.budget.depth
            && self.depth != Some(depth)
        {
            link.say(&format!("depth {depth}"))?;
            self.depth = Some(depth);
        }
        match ask.news {
            Some(stones) => link.say(&format!("move {}", self.write(rules, stones)))?,
            None => self.whole_game(link, ask.position)?,
        }
        let origin = self.quirks.origin;
        link.await_answer(|line| answer(rules, origin, line))
    }

    fn conventions(&self) -> Conventions {
        Conventions { goodbye: "quit", stop: None, pause: PAUSE }
    }
}

/// What a line means while a turn is awaited.
fn answer(rules: &Rules, origin: Origin, line: &str) -> Heard<Turn> {
    if line == "error" {
        return Heard::EngineFault(EngineFault::Refused { said: short(line) });
    }
    if line.starts_with("error") {
        return Heard::NearMiss(EngineFault::Refused { said: short(line) });
    }
    // Cloudict says so without a line end, so the next line is glued to it.
    let line = line.strip_prefix("We loss!").unwrap_or(line);
    let mut words = line.split_whitespace();
    let (first, stones, more) = (words.next(), words.next(), words.next());
    let (Some(first), Some(stones), None) = (first, stones, more) else { return Heard::Chatter };
    if !first.eq_ignore_ascii_case("move") {
        return Heard::Chatter;
    }
    let (said, stones) = (short(line), stones.to_ascii_uppercase());
    match letters::parse(rules, origin, &stones) {
        Ok(turn) => Heard::Answer(turn),
        Err(reason) if letters::are_pairs(&stones) => {
            Heard::EngineFault(EngineFault::ImpossibleTurn { said, reason })
        }
        Err(reason) => {
            let expected = format!("a turn such as move IKKK ({reason})");
            Heard::NearMiss(EngineFault::Garbage { said, expected })
        }
    }
}

struct PlayedTurn {
    player: Player,
    stones: Vec<Cell>,
    whole: bool,
}

/// The turns that led to a position. Of a set-up only the stones are known: the side to move comes
/// first, so that the last colour named is the one that has just moved.
fn turns(position: &Position) -> Vec<PlayedTurn> {
    let history = position.history();
    let p = position.rules().p();
    let mut turns: Vec<PlayedTurn> = Vec::new();
    if history.len() == position.stone_count() {
        let mut replay = Position::with_geometry(position.geometry().clone());
        for &cell in history {
            let player = replay.to_move();
            replay.play_unchecked(cell);
            let whole = replay.to_move() != player;
            match turns.last_mut().filter(|turn| !turn.whole) {
                Some(turn) => {
                    turn.stones.push(cell);
                    turn.whole = whole;
                }
                None => turns.push(PlayedTurn { player, stones: vec![cell], whole }),
            }
        }
        return turns;
    }
    let own = position.to_move();
    let sides = [own, own.opponent()].map(|side| position.stones(side).collect::<Vec<Cell>>());
    let [mine, theirs] = &sides;
    // Stones of the turn that is going on come last: that is how the engine knows how many are left.
    let placed = p.saturating_sub(position.stones_left()).min(mine.len());
    let (before, begun) = mine.split_at(mine.len() - placed);
    for (player, stones) in [(own, before), (own.opponent(), theirs), (own, begun)] {
        turns.extend(stones.chunks(p).map(|stones| PlayedTurn {
            player,
            stones: stones.to_vec(),
            whole: false,
        }));
    }
    turns
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn answers_have_one_form() {
        let rules = Rules::CONNECT6;
        let heard = |line: &str| answer(&rules, Origin::BottomLeft, line);
        for line in ["move IKKK", "move ikkk", "MOVE  IKKK", "move JJ", "We loss!move IKKK"] {
            assert!(matches!(heard(line), Heard::Answer(_)), "{line}");
        }
        for line in [
            "move XXXX   - tell the engine that the opponent take the move XXXX,",
            "moves IKKK",
            "move",
            "moveIKKK",
            "best move IKKK",
            "Searching 3/42",
            "Error: Can't open log file",
            "",
        ] {
            assert!(matches!(heard(line), Heard::Chatter), "{line}");
        }
        for line in ["move ?!?!", "move 12", "move IKK", "error: what?"] {
            assert!(matches!(heard(line), Heard::NearMiss(_)), "{line}");
        }
        for line in ["move ZZZZ", "move JJKKLL", "error"] {
            assert!(matches!(heard(line), Heard::EngineFault(_)), "{line}");
        }
    }

    const CELLS: usize = 361;

    /// One or two different cells of the board.
    fn some_stones() -> impl Strategy<Value = Vec<Cell>> {
        proptest::collection::hash_set(0..CELLS, 1..=2)
            .prop_map(|cells| cells.into_iter().map(Cell::new).collect())
    }

    proptest! {
        #[test]
        fn a_written_turn_is_heard(stones in some_stones(), sau: bool) {
            let origin = if sau { Origin::TopLeft } else { Origin::BottomLeft };
            let line = format!("move {}", letters::write(&Rules::CONNECT6, origin, &stones));
            let heard = answer(&Rules::CONNECT6, origin, &line);
            prop_assert!(matches!(heard, Heard::Answer(turn) if turn == stones), "{line}");
        }

        #[test]
        fn whatever_is_said_an_answer_lies_on_the_board(
            line in prop_oneof!["\\PC{0,40}", "(We loss!)?(move|MOVE) [A-Za-z0-9@?]{0,8} ?\\PC{0,4}"],
        ) {
            if let Heard::Answer(turn) = answer(&Rules::CONNECT6, Origin::BottomLeft, &line) {
                prop_assert!(turn.iter().all(|cell| cell.index() < CELLS) && turn.len() <= 2);
            }
        }
    }
}
