//! KATE built up one step at a time (document 004): minimax, alpha-beta, iterative deepening, chains,
//! wins divided by their ply, and a first ply without remote columns, each on the same position.
//!
//! The searches are those of the [`kate`] agent, which has a switch for each step: nodes, values and
//! moves are its own. Up to the chains a board that is not decided is worth nothing.

use collinear_play::{Budget, Meter};
use collinear_rules::{Cell, Player, Position, notation};
use serde::Serialize;
use thiserror::Error;

use crate::kate::{self, Search, Steps};

/// The most nodes of minimax, which looks at more than any later step: less than a second's work.
pub const MAX_STEP_NODES: u64 = 200_000;

/// The deepest look, in plies.
pub const MAX_STEP_PLIES: u32 = 8;

/// How the steps are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepsOptions {
    /// Plies to look ahead, at most [`MAX_STEP_PLIES`].
    pub plies: u32,
}

/// A position as every step of the program sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct KateSteps {
    /// Who is to move.
    pub to_move: Player,
    /// Plies looked ahead: what was asked, or as many as there are empty cells.
    pub plies: u32,
    /// Every move is looked at.
    pub minimax: ColumnSearch,
    /// Moves that cannot change the result are left out.
    pub alpha_beta: ColumnSearch,
    /// The same depth by depth.
    pub deepening: Vec<DepthSearch>,
    /// What the position itself is worth by its chains.
    pub chains: PositionChains,
    /// Alpha-beta where undecided boards are worth their chains.
    pub with_chains: ColumnSearch,
    /// What a win is worth on ply 1, 2 and so on: the maximum divided by the ply.
    pub wins: Vec<i64>,
    /// The same without remote empty columns on the first ply.
    pub first_ply: FirstPly,
    /// The whole program: all of the steps, depth by depth.
    pub whole: Vec<DepthSearch>,
}

/// A search at the full depth.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnSearch {
    /// The columns that were looked at, from left to right.
    pub columns: Vec<ColumnValue>,
    /// The move: the leftmost of the best.
    pub cell: String,
    /// Its value for the player to move.
    pub value: i64,
    /// Moves looked at.
    pub nodes: u64,
    /// Boards of which replies were left out.
    pub cuts: u64,
}

/// A column of the position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct ColumnValue {
    /// Where its disc comes to lie.
    pub cell: String,
    /// Its value for the player to move.
    pub value: i64,
    /// Whether it may be worth less: replies were left out.
    pub at_most: bool,
    /// The ply of the win or loss that the value stands for.
    pub decided_on: Option<u32>,
}

/// A finished iteration; if time ended after it, its move would be played.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct DepthSearch {
    /// Plies ahead.
    pub depth: u32,
    /// The move that is ready.
    pub cell: String,
    /// Its value for the player to move.
    pub value: i64,
    /// The ply of the win or loss that the value stands for; after one no deeper look is taken.
    pub decided_on: Option<u32>,
    /// Moves looked at by this iteration.
    pub nodes: u64,
    /// Moves looked at so far.
    pub nodes_so_far: u64,
}

/// The chains of a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PositionChains {
    /// Those that count: the player's to move first, and the more points first.
    pub chains: Vec<CountedChain>,
    /// Runs with discs that the opponent makes shorter than a row: they count nothing.
    pub too_short: usize,
    /// Points of the player to move.
    pub own: i64,
    /// Points of the opponent.
    pub opposing: i64,
    /// Own points minus opposing ones.
    pub value: i64,
}

/// Cells in a line that are free or one player's, as many as a row has or more.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CountedChain {
    /// Whose it is.
    pub player: Player,
    /// Its cells from end to end.
    pub cells: Vec<String>,
    /// Discs in it.
    pub discs: u32,
    /// Their number squared.
    pub points: i64,
}

/// The first ply without remote empty columns.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct FirstPly {
    /// The columns that are left out.
    pub left_out: Vec<RemoteColumn>,
    /// Whether all are remote: then all are looked at, which the document leaves open.
    pub all_remote: bool,
    /// The search of the others.
    pub search: ColumnSearch,
    /// Nodes that this saves; negative where a column left out would have brought cut-offs.
    pub saved: i64,
}

/// An empty column with empty neighbours only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RemoteColumn {
    /// Its name.
    pub column: String,
    /// The names of its neighbours.
    pub neighbours: Vec<String>,
}

/// Why there are no steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepsError {
    /// Not a game of the document.
    #[error("the program plays Connect Four on any board: gravity, one disc per turn")]
    OtherGame,
    /// Nothing is left to move.
    #[error("the game is over: there is no move to look at")]
    GameOver,
    /// Minimax would take too long.
    #[error(
        "minimax looks at more than {MAX_STEP_NODES} moves here: fewer plies or a smaller board"
    )]
    TooLarge,
}

impl KateSteps {
    /// Takes every step.
    pub fn of(position: &Position, options: StepsOptions) -> Result<Self, StepsError> {
        if !kate::plays(position.rules()) {
            return Err(StepsError::OtherGame);
        }
        if position.is_over() {
            return Err(StepsError::GameOver);
        }
        let plies = options.plies.clamp(1, MAX_STEP_PLIES).min(position.empty_count() as u32);
        let limited = Budget::nodes(MAX_STEP_NODES).start(1);
        let plain = Steps { prune: false, chains: false };
        let pruned = Steps { prune: true, chains: false };
        let counted = Steps { prune: true, chains: true };
        let minimax =
            Look { meter: &limited, steps: plain, filter: false }.once(position, plies)?;
        // At the same depth no other search looks at more moves than minimax did.
        let meter = &Budget::default().start(1);
        let look = |steps, filter| Look { meter, steps, filter };
        let with_chains = look(counted, false).once(position, plies)?;
        let near = look(counted, true).once(position, plies)?;
        Ok(Self {
            to_move: position.to_move(),
            plies,
            minimax,
            alpha_beta: look(pruned, false).once(position, plies)?,
            deepening: look(pruned, false).deeper(position, plies)?,
            chains: PositionChains::of(position),
            wins: (1..=plies).map(|ply| kate::MAX / i64::from(ply)).collect(),
            first_ply: FirstPly::of(position, near, with_chains.nodes),
            with_chains,
            whole: look(counted, true).deeper(position, plies)?,
        })
    }
}

/// A way to search.
struct Look<'a> {
    meter: &'a Meter,
    steps: Steps,
    filter: bool,
}

impl Look<'_> {
    /// The full depth at once.
    fn once(&self, position: &Position, plies: u32) -> Result<ColumnSearch, StepsError> {
        let mut search = Search::new(position, self.meter, self.steps);
        let columns = kate::first_columns(position, self.filter);
        let (value, cell) = search.root(&columns, plies).ok_or(StepsError::TooLarge)?;
        let name = |cell| notation::name(position.rules(), cell);
        let columns = search.looked.iter().map(|looked| ColumnValue {
            cell: name(looked.cell),
            value: looked.value,
            at_most: looked.is_bound,
            decided_on: kate::decided_on(looked.value),
        });
        Ok(ColumnSearch {
            columns: columns.collect(),
            cell: name(cell),
            value,
            nodes: search.nodes,
            cuts: search.cuts,
        })
    }

    /// Depth by depth, until the game is decided.
    fn deeper(&self, position: &Position, plies: u32) -> Result<Vec<DepthSearch>, StepsError> {
        let mut search = Search::new(position, self.meter, self.steps);
        let columns = kate::first_columns(position, self.filter);
        let mut found = Vec::new();
        for depth in 1..=plies {
            let before = search.nodes;
            let (value, cell) = search.root(&columns, depth).ok_or(StepsError::TooLarge)?;
            let decided_on = kate::decided_on(value);
            found.push(DepthSearch {
                depth,
                cell: notation::name(position.rules(), cell),
                value,
                decided_on,
                nodes: search.nodes - before,
                nodes_so_far: search.nodes,
            });
            if decided_on.is_some() {
                break;
            }
        }
        Ok(found)
    }
}

impl PositionChains {
    /// Goes over every line as the document tells it, where the search keeps sums per line.
    fn of(position: &Position) -> Self {
        let (geometry, rules) = (position.geometry(), position.rules());
        let mut told = Self { chains: Vec::new(), too_short: 0, own: 0, opposing: 0, value: 0 };
        let to_move = position.to_move();
        for player in [to_move, !to_move] {
            let has = |cell: &&Cell, player| position.at(**cell) == Some(player);
            let lines = geometry.lines().map(|line| geometry.line_cells(line));
            let runs = lines
                .filter(|line| line.len() >= rules.k())
                .flat_map(|line| line.split(move |cell| has(&cell, !player)));
            for run in runs {
                let discs = run.iter().filter(|cell| has(cell, player)).count() as u32;
                let points = i64::from(discs * discs);
                if run.len() < rules.k() {
                    told.too_short += usize::from(discs > 0);
                } else if discs > 0 {
                    let cells = run.iter().map(|&cell| notation::name(rules, cell)).collect();
                    told.chains.push(CountedChain { player, cells, discs, points });
                    *if player == to_move { &mut told.own } else { &mut told.opposing } += points;
                }
            }
        }
        told.chains.sort_by_key(|chain| (chain.player != to_move, -chain.points));
        told.value = told.own - told.opposing;
        told
    }
}

impl FirstPly {
    fn of(position: &Position, search: ColumnSearch, nodes_before: u64) -> Self {
        let (rules, near) = (position.rules(), kate::first_columns(position, true));
        let all = kate::first_columns(position, false);
        let name = |&column: &usize| notation::column_name(column);
        let left_out = all.iter().filter(|column| !near.contains(column)).map(|column| {
            let beside = [column.checked_sub(1), Some(column + 1)].into_iter().flatten();
            let neighbours = beside.filter(|&beside| beside < rules.width());
            RemoteColumn {
                column: name(column),
                neighbours: neighbours.map(|column| name(&column)).collect(),
            }
        });
        Self {
            left_out: left_out.collect(),
            // Beside a disc a column is near, and so is the disc's own.
            all_remote: position.stone_count() == 0,
            saved: nodes_before as i64 - search.nodes as i64,
            search,
        }
    }
}

#[cfg(test)]
mod tests;
