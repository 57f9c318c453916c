//! A game and its moves as they stand in the page's address, so that copying it shares them.
//!
//! ```text
//! connect6/j10.k11.i9                       rules / moves
//! 9x7,k=4,p=3,q=1/e4.d3
//! gomoku/b-h8.h9/w-g8/t-black-1/i10         set-up stones and whose turn it is come between
//! ```

use std::fmt::Write as _;

use collinear_rules::{Cell, Player, Position, Rules, Setup, notation};
use thiserror::Error;

use crate::convert::{self, rules_name};
use crate::game::Game;

/// The longest link that is read: a full 32×32 board is about 4 kB.
const MAX_LENGTH: usize = 16_384;

/// Why a link leads nowhere.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub(crate) enum LinkError {
    /// Longer than any game.
    #[error("the link is too long to be a game")]
    TooLong,
    /// The first part names no game.
    #[error("the link names no game this program knows: {0}")]
    Rules(String),
    /// A move cannot be read or played.
    #[error("the link goes wrong at move {number} ({text:?}): {reason}")]
    Move {
        /// Counted from 1.
        number: usize,
        /// The move as written.
        text: String,
        /// What is wrong with it.
        reason: String,
    },
    /// The set-up stones make no position.
    #[error("the link's set-up stones make no position: {0}")]
    Setup(String),
}

/// What a link says.
#[derive(Debug)]
pub(crate) struct Linked {
    /// Stones before the first move.
    pub(crate) setup: Setup,
    /// Their position.
    pub(crate) root: Position,
    /// The moves, known to be legal.
    pub(crate) moves: Vec<Cell>,
}

/// The link of the position a game shows.
pub(crate) fn write(game: &Game) -> String {
    let rules = game.rules();
    let names = |cells: &[Cell]| {
        cells.iter().map(|&cell| notation::name(rules, cell)).collect::<Vec<_>>().join(".")
    };
    let mut link = rules_name(rules);
    let setup = game.setup();
    if !(setup.black.is_empty() && setup.white.is_empty() && setup.to_move.is_none()) {
        let root = game.root();
        let _ = write!(
            link,
            "/b-{}/w-{}/t-{}-{}",
            names(&setup.black),
            names(&setup.white),
            root.to_move(),
            root.stones_left()
        );
    }
    if !game.position().history().is_empty() {
        link.push('/');
        link += &names(game.position().history());
    }
    link
}

/// Reads a link.
pub(crate) fn read(text: &str) -> Result<Linked, LinkError> {
    if text.len() > MAX_LENGTH {
        return Err(LinkError::TooLong);
    }
    let mut parts = text.trim().split('/');
    let rules: Rules =
        parts.next().unwrap_or_default().parse().map_err(
            |error: collinear_rules::ParseRulesError| LinkError::Rules(error.to_string()),
        )?;
    convert::check_sides(rules.width() as u32, rules.height() as u32)
        .map_err(|error| LinkError::Rules(error.to_string()))?;
    let mut setup = Setup::default();
    let mut moves = "";
    for part in parts {
        match part.split_once('-') {
            Some(("b", stones)) => setup.black = setup_cells(&rules, stones)?,
            Some(("w", stones)) => setup.white = setup_cells(&rules, stones)?,
            Some(("t", turn)) => setup.to_move = Some(turn_of(turn)?),
            _ => moves = part,
        }
    }
    let root =
        Position::from_setup(rules, &setup).map_err(|error| LinkError::Setup(error.to_string()))?;
    let mut position = root.clone();
    for (at, text) in moves.split('.').filter(|text| !text.is_empty()).enumerate() {
        let wrong = |reason: String| LinkError::Move {
            number: at + 1,
            text: text.chars().take(12).collect(),
            reason,
        };
        let cell = notation::parse(&rules, text).map_err(|error| wrong(error.to_string()))?;
        position.play(cell).map_err(|error| wrong(error.to_string()))?;
    }
    Ok(Linked { setup, moves: position.history().to_vec(), root })
}

fn setup_cells(rules: &Rules, text: &str) -> Result<Vec<Cell>, LinkError> {
    text.split('.')
        .filter(|name| !name.is_empty())
        .map(|name| {
            notation::parse(rules, name).map_err(|error| LinkError::Setup(error.to_string()))
        })
        .collect()
}

fn turn_of(text: &str) -> Result<(Player, usize), LinkError> {
    let wrong = || {
        LinkError::Setup(format!(
            "{:?} is no turn such as black-2",
            text.chars().take(20).collect::<String>()
        ))
    };
    let (player, left) = text.split_once('-').ok_or_else(wrong)?;
    let player = Player::BOTH.into_iter().find(|p| p.name() == player).ok_or_else(wrong)?;
    Ok((player, left.parse().map_err(|_| wrong())?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::{Seat, Timing};

    fn game_of(link: &str) -> Game {
        let linked = read(link).expect(link);
        let seats = [Seat::Person, Seat::Person];
        let mut game = Game::from_root(linked.root, linked.setup, seats, Timing::Turn { ms: 1 }, 1);
        for cell in linked.moves {
            game.play(cell).expect("legal");
        }
        game
    }

    #[test]
    fn links_come_back_as_they_were_written() {
        for link in [
            "connect6",
            "connect6/j10.k11.i9",
            "connect4/d1.d2.d3",
            "9x7,k=4,p=3,q=1/e4.d3",
            "gomoku/b-h8.h9/w-g8/t-white-1/i10",
        ] {
            assert_eq!(write(&game_of(link)), link);
        }
    }

    #[test]
    fn what_leads_nowhere_is_explained() {
        let refusal = |link: &str| read(link).expect_err(link).to_string();
        assert!(refusal("chess/e4").contains("no game this program knows"));
        assert!(refusal("64x64,k=5").contains("32×32"));
        assert!(refusal("connect4/d2").contains("move 1"));
        assert!(refusal("connect6/j10.j10").contains("occupied"));
        assert!(refusal("connect6/<script>").contains("not a cell"));
        assert!(refusal("gomoku/b-h8/w-h8").contains("twice"));
        assert!(refusal("gomoku/t-green-1").contains("no turn"));
        assert!(refusal(&"x".repeat(100_000)).contains("too long"));
    }
}
