//! A game in the terminal: on a screen of its own, or in plain lines for pipes and screen readers.
//!
//! Both are users of `collinear_play::Game`; what people and agents do to it is in [`app`], without
//! threads and without a terminal, and the agents think in [`thinkers`].

mod app;
mod draw;
mod menu;
mod plain;
mod screen;
#[cfg(test)]
mod tests;
mod thinkers;

use std::time::Duration;

use collinear_play::{AgentChoice, OpeningRule, Registry, Seat, SpecError, TimeControl};
use collinear_rules::Rules;
use collinear_rules::typed::ColumnNumbers;

pub(crate) use plain::play_in_lines;
pub(crate) use screen::play_on_screen;

/// What a game in the terminal begins with.
pub(crate) struct Start {
    pub(crate) rules: Rules,
    /// Who plays; the start screen asks when nobody was named.
    pub(crate) players: Option<[Chair; 2]>,
    pub(crate) control: TimeControl,
    pub(crate) opening_rule: Option<OpeningRule>,
    /// How columns are counted where stones fall.
    pub(crate) columns: ColumnNumbers,
    pub(crate) seed: u64,
    pub(crate) registry: Registry,
}

/// Who sits on one side: an agent, parsed once, or a person.
#[derive(Clone, Debug)]
pub(crate) struct Chair(pub(crate) Option<AgentChoice>);

/// The word for a person on the command line and beside the board.
const HUMAN: &str = "human";

/// How long past its time an agent is waited for before its game is given up, as in a match.
const PATIENCE: Duration = Duration::from_secs(10);

impl Chair {
    /// `human`, or an agent's spec.
    pub(crate) fn parse(registry: &Registry, text: &str) -> Result<Self, SpecError> {
        if text == HUMAN {
            Ok(Self(None))
        } else {
            registry.parse(text).map(|choice| Self(Some(choice)))
        }
    }

    /// The same as data of the game.
    fn seat(&self) -> Seat {
        self.0.as_ref().map_or(Seat::Person, |choice| Seat::agent(choice.text.clone()))
    }
}

/// The name beside the board.
fn name(seat: &Seat) -> &str {
    if seat.is_person() { HUMAN } else { seat.label() }
}
