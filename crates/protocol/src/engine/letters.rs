//! Cloudict and SAU from the engine's side: turns as letter pairs.
//!
//! ```text
//! host                engine         Cloudict                         SAU
//! new black           move JJ        rows from the bottom             rows from the top
//! move IKKK           move JKJL      first turn: move JJ              first turn: move JJ@@
//! ```
//!
//! The three commands that list each side's moves and the longest chains are those of document 001.

use collinear_play::{Fault, Report, Turn, play_turn};
use collinear_rules::{Cell, Player, Position, Setup, notation};

use super::desk::Desk;
use super::driver::{Flow, Front, Urgency};
use crate::letters::{self, Origin};
use crate::quote::quoted;

/// What differs between the two.
struct Quirks {
    name_command: &'static str,
    origin: Origin,
    /// Whether the commands of the Cloudict family beyond playing are known.
    family: bool,
}

const CLOUDICT: Quirks = Quirks { name_command: "name", origin: Origin::BottomLeft, family: true };
const SAU: Quirks = Quirks { name_command: "name?", origin: Origin::TopLeft, family: false };

/// Depths of the family are in turns.
const DEPTHS: std::ops::RangeInclusive<u32> = 1..=99;

const HELP: &str = "\
name                 the engine's name
new black            a new game, the engine opens
new white            a new game, the engine waits
move XXYY            the opponent's turn; the engine answers
next                 the engine plays for the side to move
black XXYY           set black stones
white XXYY           set white stones
depth D              search at most D turns deep
vcf, unvcf           accepted; the threat search is always on
print                the board
engine               the engine's turns so far
opponent             the opponent's turns so far
chains               each side's longest chain
quit                 the end";

pub(super) struct Letters {
    quirks: Quirks,
    depth: Option<u32>,
    /// The side the engine plays, known from its last turn.
    own: Option<Player>,
    last_turn: usize,
}

impl Letters {
    pub(super) const fn cloudict() -> Self {
        Self { quirks: CLOUDICT, depth: None, own: None, last_turn: 0 }
    }

    pub(super) const fn sau() -> Self {
        Self { quirks: SAU, depth: None, own: None, last_turn: 0 }
    }

    fn stones(&self, desk: &Desk<'_>, text: &str) -> Result<Turn, String> {
        letters::parse(&desk.rules(), self.quirks.origin, text)
    }

    fn think(&self, desk: &mut Desk<'_>) -> Flow {
        if desk.position.is_over() {
            return Flow::Next;
        }
        let mut budget = desk.usual_budget();
        if let Some(turns) = self.depth {
            budget.depth = Some(turns * desk.rules().p() as u32);
        }
        Flow::turn(budget)
    }

    fn new_game(&mut self, side: &str, desk: &mut Desk<'_>) -> Flow {
        desk.new_game(desk.options.rules);
        self.last_turn = 0;
        if side != "black" {
            self.own = (side == "white").then_some(Player::White);
            return Flow::Next;
        }
        self.own = Some(Player::Black);
        // Hosts of this family expect the centre, some refuse anything else.
        let rules = desk.rules();
        match rules.cell(rules.width() / 2, rules.height() / 2) {
            Some(centre) if rules.q() == 1 && !rules.gravity() => {
                self.answer(Ok(vec![centre]), desk)
            }
            _ => self.think(desk),
        }
    }

    fn opponent_turn(&mut self, text: &str, desk: &mut Desk<'_>) -> Flow {
        let played = self.stones(desk, text).and_then(|stones| {
            play_turn(&mut desk.position, &stones).map_err(|error| error.to_string())
        });
        match played {
            Ok(()) => {
                if let Some(words) = desk.outcome_words().filter(|_| self.quirks.family) {
                    desk.say(&format!("info the game is over: {words}"));
                }
                self.think(desk)
            }
            Err(reason) => {
                desk.say(&format!("error: move {}: {reason}", quoted(text)));
                Flow::Next
            }
        }
    }

    /// Sets stones of a colour: as moves where that is their turn, or else as a set-up.
    fn set(&mut self, player: Player, text: &str, desk: &mut Desk<'_>) {
        let result = self.stones(desk, text).and_then(|stones| {
            let position = &desk.position;
            let in_turn = position.to_move() == player && stones.len() <= position.stones_left();
            let mut next = position.clone();
            if in_turn && stones.iter().all(|&cell| next.play(cell).is_ok()) {
                return Ok(next);
            }
            let mut sides = Player::BOTH.map(|side| position.stones(side).collect::<Vec<Cell>>());
            sides[player.index()].extend(stones);
            let [black, white] = sides;
            let to_move = Some((player.opponent(), desk.rules().p()));
            Position::from_setup(desk.rules(), &Setup { black, white, to_move })
                .map_err(|error| error.to_string())
        });
        match result {
            Ok(position) => desk.set_position(position),
            Err(reason) => desk.say(&format!("error: {player} {}: {reason}", quoted(text))),
        }
    }

    fn depth(&mut self, text: &str, desk: &mut Desk<'_>) {
        match text.parse() {
            Ok(depth) if DEPTHS.contains(&depth) => self.depth = Some(depth),
            _ => {
                desk.say(&format!(
                    "error: depth {}: a number from 1 to 99 is needed",
                    quoted(text)
                ));
            }
        }
    }

    fn list_turns(&self, side: Option<Player>, desk: &mut Desk<'_>) {
        let Some(side) = side else {
            return desk.say("error: no game has begun: the sides are not known");
        };
        let rules = desk.rules();
        let mut replay = Position::new(rules);
        let mut turns: Vec<String> = Vec::new();
        for &cell in desk.position.history() {
            let begins = replay.stones_left() == replay_full_turn(&replay);
            if replay.to_move() == side {
                let name = letters::write(&rules, self.quirks.origin, &[cell]);
                match turns.last_mut() {
                    Some(turn) if !begins => turn.push_str(&name),
                    _ => turns.push(name),
                }
            }
            if replay.play(cell).is_err() {
                break;
            }
        }
        desk.say(&format!("{side}: {}", turns.join(" ")));
    }
}

/// Stones of the turn that is going on.
fn replay_full_turn(position: &Position) -> usize {
    let rules = position.rules();
    if position.stone_count() < rules.q() { rules.q() } else { rules.p() }
        .min(position.empty_count())
}

impl Front for Letters {
    fn command(&mut self, line: &str, desk: &mut Desk<'_>) -> Flow {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        let family = self.quirks.family;
        match word {
            word if word == self.quirks.name_command => {
                desk.say(&format!("name {}", desk.options.name));
            }
            "new" => return self.new_game(rest, desk),
            "move" => return self.opponent_turn(rest, desk),
            "quit" | "exit" => return Flow::Quit,
            "next" if family => return self.think(desk),
            "black" if family => self.set(Player::Black, rest, desk),
            "white" if family => self.set(Player::White, rest, desk),
            "depth" if family => self.depth(rest, desk),
            "vcf" | "unvcf" if family => {}
            "print" if family => desk.say(desk.position.to_string().trim_end()),
            "engine" if family => self.list_turns(self.own, desk),
            "opponent" if family => self.list_turns(self.own.map(Player::opponent), desk),
            "chains" if family => {
                for player in Player::BOTH {
                    let chain = desk.position.longest_chain(player);
                    let names = notation::names(desk.position.rules(), &chain);
                    desk.say(&format!("{player}: {}: {names}", chain.len()));
                }
            }
            "help" if family => desk.say(HELP),
            // The platform refused our turn: it is taken back.
            "error" if !family => {
                for _ in 0..std::mem::take(&mut self.last_turn) {
                    desk.position.undo();
                }
            }
            "end" if !family => desk.new_game(desk.options.rules),
            _ => {
                let remedy = if family { ": try help" } else { "" };
                desk.say(&format!("error: unknown command {}{remedy}", quoted(word)));
            }
        }
        Flow::Next
    }

    fn urgency(&self, line: &str, _: &Desk<'_>) -> Urgency {
        match line {
            "quit" | "exit" => Urgency::StopThen,
            "stop" => Urgency::Stop,
            _ => Urgency::Later,
        }
    }

    fn report(&mut self, _: Report, _: &mut Desk<'_>) {}

    fn answer(&mut self, answer: Result<Turn, Fault>, desk: &mut Desk<'_>) -> Flow {
        let side = desk.position.to_move();
        let played = answer.map_err(|error| error.to_string()).and_then(|turn| {
            play_turn(&mut desk.position, &turn).map_err(|error| error.to_string())?;
            Ok(turn)
        });
        match played {
            Ok(turn) => {
                self.own = Some(side);
                self.last_turn = turn.len();
                let rules = desk.rules();
                let mut text = letters::write(&rules, self.quirks.origin, &turn);
                if !self.quirks.family {
                    text.push_str(&letters::NO_STONE.repeat(rules.p().saturating_sub(turn.len())));
                }
                desk.say(&format!("move {text}"));
            }
            Err(reason) => desk.say(&format!("error: {reason}")),
        }
        Flow::Next
    }

    fn too_long(&mut self, desk: &mut Desk<'_>) {
        desk.say("error: the line is too long");
    }
}
