//! Wins by continuous threats: found by [`Solver`], written down as a [`Proof`], replayed against
//! every defence by [`check`], played out against any of them by [`answer`].
//!
//! The attacker keeps τ, the number of stones the defender needs against all threats at once, at
//! `p` or more after each of his turns, and leaves the defender no row to complete. With τ > p the
//! next turn wins; with τ = p every stone of the defender is forced into a smallest cover. For
//! p = 1 this is the "victory by continuous fours" of Gomoku, for p = 2 the double-threat search
//! of Connect6 (Wu & Lin, "Relevance-zone-oriented proof search for Connect6", 2010).

mod attack;
mod check;
mod general;
mod params;
mod play;
mod replay;
mod solver;
mod zone;

use std::sync::Arc;

use collinear_rules::Cell;

pub(crate) use attack::is_allowed;
pub use check::{Refutation, check};
pub use params::ProofParams;
pub use play::{Defence, Step, answer, defences, line};
pub use solver::{ProofLimits, Solver, Verdict};
pub use zone::Zone;

/// Steps of a threat count before it gives up with a lower bound: turns of four stones and fewer
/// never need that many, and a search cannot wait for longer ones.
pub(crate) const COUNT_STEPS: u32 = 1 << 12;

/// A winning turn and what follows it, for every defence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Proof {
    /// The attacker's stones, in order.
    pub turn: Vec<Cell>,
    /// Why this wins.
    pub then: Then,
}

/// What follows a turn of the attacker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Then {
    /// The turn completes a row.
    Row,
    /// The threats need more stones than the defender has in a turn.
    Overload,
    /// One continuation wins even if the defender could occupy all these cells, the union of all
    /// smallest covers, at once.
    Union {
        /// A cover, for showing a line of play.
        cover: Vec<Cell>,
        /// The union of all of them.
        cells: Vec<Cell>,
        /// The continuation.
        next: Arc<Proof>,
    },
    /// A continuation for each smallest cover.
    Covers(Vec<(Vec<Cell>, Arc<Proof>)>),
    /// The turn may leave the defender free, but threatens to win by threats, whatever he does.
    Quiet(Arc<Answer>),
}

/// The attacker's answer to some stones of the defender's turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// Wins as long as no other stone of the turn is one of `stones`.
    pub proof: Arc<Proof>,
    /// Further stones of the turn that need another answer.
    pub stones: Vec<(Cell, Arc<Answer>)>,
}

impl Answer {
    /// All proofs of the tree.
    fn proofs(&self) -> Vec<&Proof> {
        let mut found = vec![&*self.proof];
        for (_, answer) in &self.stones {
            found.extend(answer.proofs());
        }
        found
    }
}

impl Proof {
    /// Own turns until the row is complete, at most, this one included.
    pub fn turns(&self) -> u16 {
        match &self.then {
            Then::Row => 1,
            Then::Overload => 2,
            Then::Union { next, .. } => 1 + next.turns(),
            Then::Covers(covers) => {
                1 + covers.iter().map(|(_, next)| next.turns()).max().unwrap_or(0)
            }
            Then::Quiet(answer) => {
                1 + answer.proofs().into_iter().map(Self::turns).max().unwrap_or(0)
            }
        }
    }

    /// Turns of the attacker in the whole tree.
    pub fn size(&self) -> usize {
        match &self.then {
            Then::Row | Then::Overload => 1,
            Then::Union { next, .. } => 1 + next.size(),
            Then::Covers(covers) => 1 + covers.iter().map(|(_, next)| next.size()).sum::<usize>(),
            Then::Quiet(answer) => 1 + answer.proofs().into_iter().map(Self::size).sum::<usize>(),
        }
    }
}
