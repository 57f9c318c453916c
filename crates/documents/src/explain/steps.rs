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
mod tests {
    use collinear_play::Report;
    use collinear_rules::{Outcome, Rules};
    use rand::SeedableRng;
    use rand::rngs::SmallRng;

    use super::*;
    use crate::testing::random_position;

    fn position(game: &str, columns: &[usize]) -> Position {
        let mut position = Position::new(game.parse::<Rules>().expect(game));
        for &column in columns {
            position.play(position.drop_cell(column).expect("room")).expect("legal");
        }
        position
    }

    fn steps(position: &Position, plies: u32) -> KateSteps {
        KateSteps::of(position, StepsOptions { plies }).expect("steps")
    }

    /// Positions of several boards with a depth for each.
    fn positions() -> Vec<(Position, u32)> {
        let mut rng = SmallRng::seed_from_u64(4);
        let games = [
            ("connect4", 4),
            ("4x4,k=4,gravity", 6),
            ("9x7,k=4,gravity", 3),
            ("5x5,k=3,gravity", 4),
        ];
        let of = |(game, plies): (&str, u32)| {
            let rules: Rules = game.parse().expect(game);
            (0..8).map(|_| (random_position(rules, &mut rng), plies)).collect::<Vec<_>>()
        };
        games.into_iter().flat_map(of).collect()
    }

    /// What the agent reports: depth, nodes so far and its move.
    fn played(spec: &str, position: &Position) -> Vec<(u32, u64, String)> {
        let spec = crate::registry().parse(spec).expect(spec);
        let mut agent = spec.build(position.rules(), 1).expect("an agent");
        let mut told = Vec::new();
        let on = &mut |report: &Report| {
            let cell = notation::name(position.rules(), report.lines[0].stones[0]);
            told.push((report.depth, report.nodes, cell));
        };
        agent.choose(position, &Budget::default(), on).expect("a turn");
        told
    }

    #[test]
    fn nodes_and_moves_are_those_of_the_agent() {
        for (position, plies) in positions() {
            let told = steps(&position, plies);
            let once =
                |search: &ColumnSearch| vec![(told.plies, search.nodes, search.cell.clone())];
            let deeper = |found: &[DepthSearch]| {
                let row =
                    |found: &DepthSearch| (found.depth, found.nodes_so_far, found.cell.clone());
                found.iter().map(row).collect::<Vec<_>>()
            };
            for (options, found) in [
                ("search=minimax,deepen=false,chains=false,filter=false", once(&told.minimax)),
                ("deepen=false,chains=false,filter=false", once(&told.alpha_beta)),
                ("chains=false,filter=false", deeper(&told.deepening)),
                ("deepen=false,filter=false", once(&told.with_chains)),
                ("deepen=false", once(&told.first_ply.search)),
                ("deepen=true", deeper(&told.whole)),
            ] {
                let spec = format!("kate:{options},depth={plies}");
                assert_eq!(played(&spec, &position), found, "{spec}\n{position}");
            }
        }
    }

    /// Minimax as a textbook has it: the value of a disc for its player, and the discs looked at.
    fn textbook(position: &mut Position, cell: Cell, ply: u32, plies: u32) -> (i64, u64) {
        position.play_unchecked(cell);
        let (mut value, mut nodes) = (0, 1);
        match position.outcome() {
            Outcome::Won(_) => value = i64::from(i32::MAX) / i64::from(ply),
            Outcome::Ongoing if ply < plies => {
                let replies = position.legal_cells();
                let below = replies.iter().map(|&reply| textbook(position, reply, ply + 1, plies));
                let below: Vec<_> = below.collect();
                value = -below.iter().map(|found| found.0).max().expect("a reply");
                nodes += below.iter().map(|found| found.1).sum::<u64>();
            }
            _ => {}
        }
        position.undo();
        (value, nodes)
    }

    #[test]
    fn minimax_is_the_textbook_one_and_alpha_beta_agrees() {
        for (mut position, plies) in positions() {
            let told = steps(&position, plies);
            let (minimax, alpha_beta) = (&told.minimax, &told.alpha_beta);
            let mut nodes = 0;
            for found in &minimax.columns {
                let cell = notation::parse(position.rules(), &found.cell).expect("a cell");
                let (value, looked) = textbook(&mut position, cell, 1, told.plies);
                assert!(found.value == value && !found.at_most, "{found:?}\n{position}");
                nodes += looked;
            }
            assert_eq!((minimax.nodes, minimax.cuts), (nodes, 0));
            assert_eq!((&minimax.cell, minimax.value), (&alpha_beta.cell, alpha_beta.value));
            assert!(
                alpha_beta.nodes <= nodes && (alpha_beta.nodes == nodes) == (alpha_beta.cuts == 0)
            );
            for (exact, found) in minimax.columns.iter().zip(&alpha_beta.columns) {
                assert_eq!(exact.cell, found.cell);
                assert!(found.value == exact.value || found.at_most && found.value > exact.value);
            }
        }
    }

    #[test]
    fn deepening_ends_with_the_move_of_the_full_depth() {
        for (position, plies) in positions() {
            let told = steps(&position, plies);
            for (search, found) in
                [(&told.alpha_beta, &told.deepening), (&told.first_ply.search, &told.whole)]
            {
                let last = found.last().expect("depth 1");
                assert_eq!(last.value, search.value, "{position}");
                // A win or a loss ends it sooner; then another column may be as good.
                assert!(last.decided_on.is_some() || last.depth == told.plies);
                assert!(last.depth < told.plies || last.cell == search.cell);
            }
        }
    }

    #[test]
    fn the_documents_figure_is_worth_nine_points() {
        // .XXXOOO: a chain of four cells with three discs, and one of three cells, which is too short.
        let told = steps(&position("7x3,k=4,gravity", &[1, 4, 2, 5, 3, 6]), 1).chains;
        let [chain] = &told.chains[..] else { panic!("one chain") };
        assert_eq!((chain.player, chain.discs, chain.points), (Player::Black, 3, 9));
        assert_eq!(chain.cells, ["a1", "b1", "c1", "d1"]);
        assert_eq!((told.own, told.opposing, told.value, told.too_short), (9, 0, 9, 1));
    }

    #[test]
    fn chains_sum_up_to_what_the_search_counts() {
        for (mut position, _) in positions() {
            // The search counts after a disc, for its player.
            let told = steps(&position, 1).with_chains;
            for found in told.columns.iter().filter(|found| found.decided_on.is_none()) {
                position
                    .play(notation::parse(position.rules(), &found.cell).expect("a cell"))
                    .expect("legal");
                if !position.is_over() {
                    assert_eq!(PositionChains::of(&position).value, -found.value, "{position}");
                }
                position.undo();
            }
        }
    }

    #[test]
    fn a_nearer_win_is_worth_more() {
        // Three in a column with room on top win at once.
        let told = steps(&position("connect4", &[3, 0, 3, 0, 3, 1]), 3);
        assert_eq!(told.wins, [2_147_483_647, 1_073_741_823, 715_827_882]);
        let (best, won) = (&told.minimax, |ply: usize| told.wins[ply - 1]);
        assert_eq!((&*best.cell, best.value), ("d4", won(1)));
        assert!(told.deepening.len() == 1 && told.deepening[0].decided_on == Some(1));
        let lost = steps(&position("connect4", &[3, 0, 3, 0, 3]), 2).minimax;
        let elsewhere = lost.columns.iter().filter(|found| found.cell != "d4");
        assert!(
            elsewhere.clone().all(|found| (found.value, found.decided_on) == (-won(2), Some(2)))
        );
        assert_eq!((elsewhere.count(), &*lost.cell), (6, "d4"));
    }

    #[test]
    fn remote_columns_are_left_out_of_the_first_ply_alone() {
        let told = steps(&position("connect4", &[3]), 4);
        let named = |left: &RemoteColumn| (left.column.clone(), left.neighbours.concat());
        let left: Vec<_> = told.first_ply.left_out.iter().map(named).collect();
        let expected = [("a", "b"), ("b", "ac"), ("f", "eg"), ("g", "f")];
        assert_eq!(left, expected.map(|(column, beside)| (column.to_owned(), beside.to_owned())));
        assert_eq!(told.first_ply.search.columns.len(), 3);
        let nodes = told.with_chains.nodes as i64;
        assert_eq!(told.first_ply.saved, nodes - told.first_ply.search.nodes as i64);
        assert!(told.first_ply.saved > 0 && !told.first_ply.all_remote);
        let empty = steps(&position("connect4", &[]), 2).first_ply;
        assert!(empty.all_remote && empty.left_out.is_empty() && empty.search.columns.len() == 7);
    }

    #[test]
    fn what_has_no_steps_is_refused() {
        let of = |position: &Position, plies| KateSteps::of(position, StepsOptions { plies });
        let connect4 = Position::new(Rules::CONNECT4);
        assert_eq!(of(&connect4, 7), Err(StepsError::TooLarge));
        assert_eq!(of(&connect4, 0).map(|told| told.plies), Ok(1));
        assert_eq!(of(&Position::new(Rules::GOMOKU), 1), Err(StepsError::OtherGame));
        let over = position("connect4", &[0, 1, 0, 1, 0, 1, 0]);
        assert_eq!(of(&over, 1), Err(StepsError::GameOver));
        // Plies beyond the last empty cell are not looked at.
        let nearly = position("4x1,k=4,gravity", &[0, 1]);
        assert_eq!(of(&nearly, 8).map(|told| told.plies), Ok(2));
    }
}
