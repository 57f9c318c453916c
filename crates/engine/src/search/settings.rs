//! What can be set about the search: sizes and strengths, and a switch for each feature so that its
//! worth can be measured by a match against the engine without it.

use collinear_rules::Rules;

use crate::cells::ShapeTable;

/// Everything that can be set.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// First stones of a turn tried at a position.
    pub first_width: usize,
    /// Later stones of a turn tried.
    pub next_width: usize,
    /// Proof search at the horizon: 2 to this power nodes.
    pub leaf_effort: u8,
    /// Proof search where the opponent answers the turn to be chosen: 2 to this power nodes.
    pub near_effort: u8,
    /// Transposition table, in mebibytes at most: short turns use less.
    pub memory: usize,
    /// Threads that search.
    pub threads: usize,
    /// Strength from 1 to 10.
    pub level: u8,
    /// What is switched on.
    pub features: Features,
    /// Which search thinks.
    pub searcher: Searcher,
}

/// The searches there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Searcher {
    /// Where a network suits the game: guided alpha-beta with one stone per turn, else the network
    /// search. Alpha-beta elsewhere.
    #[default]
    Best,
    /// The network search (PUCT) where a network suits the game, else alpha-beta.
    Network,
    /// Alpha-beta over line patterns, in every game.
    AlphaBeta,
}

impl Searcher {
    /// Whether a network that suits the game guides alpha-beta instead of searching by itself.
    pub fn is_guided(self, rules: &Rules) -> bool {
        self == Self::Best && ShapeTable::suits(rules)
    }
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            first_width: 24,
            next_width: 12,
            leaf_effort: 2,
            near_effort: 8,
            memory: 64,
            threads: 1,
            level: 10,
            features: Features::ALL,
            searcher: Searcher::Best,
        }
    }
}

/// Parts of the search that can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Features(u32);

/// One part of the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Feature {
    /// The transposition table.
    Table,
    /// A narrow window around the last score.
    Aspiration,
    /// Fewer stones of depth for unlikely stones.
    Reductions,
    /// Killers and history in the order of moves.
    History,
    /// The search for a win by continuous threats at the root.
    RootProof,
    /// The same inside the tree.
    TreeProof,
    /// A longer search for the opponent's win by continuous threats after the turn to be chosen.
    Verify,
    /// No search where the evaluation is far above beta.
    Futility,
    /// Replies to threats cost no depth.
    Extensions,
    /// Only stones that matter where the opponent threatens a win by continuous threats.
    Zone,
    /// Wins that begin with a quiet turn: our own at the root, the opponent's after the turn to be
    /// chosen.
    Quiet,
}

impl Feature {
    /// Every feature with its name.
    pub const ALL: [(&'static str, Self); 11] = [
        ("table", Self::Table),
        ("aspiration", Self::Aspiration),
        ("reductions", Self::Reductions),
        ("history", Self::History),
        ("root-proof", Self::RootProof),
        ("tree-proof", Self::TreeProof),
        ("verify", Self::Verify),
        ("futility", Self::Futility),
        ("extensions", Self::Extensions),
        ("zone", Self::Zone),
        ("quiet", Self::Quiet),
    ];
}

impl Features {
    /// Everything on.
    pub const ALL: Self = Self(u32::MAX);

    /// Whether a feature is on.
    #[inline]
    pub const fn has(self, feature: Feature) -> bool {
        self.0 >> feature as u32 & 1 != 0
    }

    /// All these without one.
    #[must_use]
    pub const fn without(self, feature: Feature) -> Self {
        Self(self.0 & !(1 << feature as u32))
    }
}
