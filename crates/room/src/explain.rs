//! Explains ideas of the source documents: asks the crates that know them and turns what they say into
//! messages.

use collinear_agents::puzzles::{AfterTurn, Judge, ProofTree, ProofTurn};
use collinear_documents::connectk::Marks;
use collinear_documents::explain::{
    self as told, KateSteps, LineStones, LineThreats, MinimaxTree, Seen, ShapePromotions,
    StepsOptions, TreeNode, TreeOptions, WindowScan,
};
use collinear_documents::tablebase::{LineRules, Shape};
use collinear_rules::{ParseRulesError, Position, Rules, notation};

use crate::convert::{check_sides, colour, player};
use crate::wire::{
    ChainStep, ColumnSearch, ColumnStep, DefenceStep, DepthStep, ExplainAsked, Explained, LookStep,
    ProgramSteps, PromotionStep, ProofStep, ProofThen, RemoteStep, TileStep, TreeStep, WindowSeen,
    WindowStep,
};

/// The longest line, shape or list of moves that is read.
const MAX_TEXT: usize = 4000;
/// Deeper trees do not fit.
const MAX_PLIES: u8 = 20;

/// The steps, or why there are none. `judge` proves wins of a game.
pub(crate) fn explain(
    asked: &ExplainAsked,
    judge: impl FnOnce(&Position) -> Result<ProofTree, String>,
) -> Explained {
    let explained = match asked {
        ExplainAsked::Windows { line, k, p, colour, mark_all } => {
            lines(line, *k, *p).map(|(line, rules)| {
                let marks = if *mark_all { Marks::All } else { Marks::Last };
                windows(WindowScan::of(&line, rules, player(*colour), marks))
            })
        }
        ExplainAsked::Threats { line, k, p } => {
            lines(line, *k, *p).map(|(line, rules)| threats(LineThreats::of(&line, rules)))
        }
        ExplainAsked::Promotions { shape, k, p } => promotions(shape, *k, *p),
        ExplainAsked::Minimax { game, moves, plies, prune } => {
            position(game, moves).and_then(|position| {
                let options =
                    TreeOptions { plies: u32::from((*plies).min(MAX_PLIES)), prune: *prune };
                let tree = MinimaxTree::of(&position, options).map_err(|e| e.to_string())?;
                Ok(minimax(&position, tree))
            })
        }
        ExplainAsked::Steps { game, moves, plies } => position(game, moves).and_then(|position| {
            let options = StepsOptions { plies: u32::from(*plies) };
            let told = KateSteps::of(&position, options).map_err(|e| e.to_string())?;
            Ok(Explained::Steps { board: board(&position), told: Box::new(steps(told)) })
        }),
        ExplainAsked::Proof { game, moves } => position(game, moves)
            .and_then(|position| judge(&position).map(|tree| proof(&position, tree))),
    };
    explained.unwrap_or_else(|text| Explained::Problem { text })
}

/// The proof of a position by this judge.
pub(crate) fn prove(judge: &mut Judge, position: &Position) -> Result<ProofTree, String> {
    ProofTree::of(judge, position).map_err(|error| error.to_string())
}

fn lines(text: &str, k: u8, p: u8) -> Result<(LineStones, LineRules), String> {
    short(text)?;
    let line = LineStones::parse(text).map_err(|error| error.to_string())?;
    Ok((line, line_rules(k, p)?))
}

fn line_rules(k: u8, p: u8) -> Result<LineRules, String> {
    LineRules::new(k.into(), p.into()).map_err(|error| error.to_string())
}

fn short(text: &str) -> Result<(), String> {
    if text.len() > MAX_TEXT { Err("that is too long to explain".to_owned()) } else { Ok(()) }
}

/// A position from its rules and moves.
fn position(game: &str, moves: &str) -> Result<Position, String> {
    short(game)?;
    short(moves)?;
    let rules: Rules = game.parse().map_err(|error: ParseRulesError| error.to_string())?;
    check_sides(rules.width() as u32, rules.height() as u32).map_err(|error| error.to_string())?;
    let mut position = Position::new(rules);
    for name in moves.split_whitespace() {
        let cell = notation::parse(&rules, name).map_err(|error| error.to_string())?;
        position.play(cell).map_err(|illegal| format!("{name}: {illegal}"))?;
    }
    Ok(position)
}

fn windows(scan: WindowScan) -> Explained {
    let steps = scan.steps.into_iter().map(|step| WindowStep {
        first: step.first as u32,
        stones: step.stones,
        seen: match step.seen {
            Seen::Opposing => WindowSeen::Opposing,
            Seen::Marked => WindowSeen::Marked,
            Seen::Threat => WindowSeen::Threat,
            _ => WindowSeen::TooFew,
        },
        marked: step.marked.into_iter().map(|tile| tile as u32).collect(),
        threats: step.threats as u32,
    });
    let (line, k, enough) = (scan.line, scan.k as u32, scan.enough as u32);
    Explained::Windows { line, k, enough, steps: steps.collect() }
}

fn threats(threats: LineThreats) -> Explained {
    let tiles = threats.tiles.into_iter().map(|tile| TileStep {
        looks: tile.looks.map(|look| {
            look.map(|look| LookStep {
                first: look.first as u32,
                colour: colour(look.player),
                stones: look.stones,
            })
        }),
        values: tile.values,
    });
    Explained::Threats { line: threats.line, k: threats.k as u32, tiles: tiles.collect() }
}

fn promotions(shape: &str, k: u8, p: u8) -> Result<Explained, String> {
    short(shape)?;
    let rules = line_rules(k, p)?;
    let shape = Shape::parse(rules.k(), shape).map_err(|error| error.to_string())?;
    let told = ShapePromotions::of(rules, shape);
    let cells = told.cells.into_iter().map(|cell| PromotionStep {
        place: cell.place as u32,
        becomes: cell.becomes,
        kind: cell.becomes_type.to_owned(),
        promotes: cell.promotes,
        cell_kind: cell.cell_type.to_owned(),
    });
    Ok(Explained::Promotions {
        shape: told.shape,
        kind: told.shape_type.to_owned(),
        cells: cells.collect(),
    })
}

fn minimax(position: &Position, tree: MinimaxTree) -> Explained {
    Explained::Minimax {
        board: board(position),
        to_move: colour(tree.to_move),
        value: tree.value as i32,
        nodes: tree.nodes as u32,
        left_out: tree.left_out as u32,
        moves: tree.moves.into_iter().map(branch).collect(),
    }
}

fn branch(node: TreeNode) -> TreeStep {
    TreeStep {
        cell: node.cell,
        colour: colour(node.player),
        order: node.order as u32,
        value: node.value as i32,
        cut: node.cut,
        best: node.best,
        replies: node.replies.into_iter().map(branch).collect(),
    }
}

fn steps(told: KateSteps) -> ProgramSteps {
    let chain = |chain: told::CountedChain| ChainStep {
        colour: colour(chain.player),
        cells: chain.cells,
        discs: chain.discs,
        points: chain.points as i32,
    };
    let remote = |remote: told::RemoteColumn| RemoteStep {
        column: remote.column,
        neighbours: remote.neighbours,
    };
    ProgramSteps {
        to_move: colour(told.to_move),
        plies: told.plies,
        minimax: column_search(told.minimax),
        alpha_beta: column_search(told.alpha_beta),
        deepening: told.deepening.into_iter().map(depth_step).collect(),
        chains: told.chains.chains.into_iter().map(chain).collect(),
        too_short: told.chains.too_short as u32,
        points: [told.chains.own as i32, told.chains.opposing as i32],
        with_chains: column_search(told.with_chains),
        wins: told.wins.into_iter().map(|worth| worth as i32).collect(),
        left_out: told.first_ply.left_out.into_iter().map(remote).collect(),
        all_remote: told.first_ply.all_remote,
        first_ply: column_search(told.first_ply.search),
        whole: told.whole.into_iter().map(depth_step).collect(),
    }
}

fn column_search(search: told::ColumnSearch) -> ColumnSearch {
    let column = |found: told::ColumnValue| ColumnStep {
        cell: found.cell,
        value: found.value as i32,
        at_most: found.at_most,
        decided_on: found.decided_on,
    };
    ColumnSearch {
        columns: search.columns.into_iter().map(column).collect(),
        cell: search.cell,
        value: search.value as i32,
        nodes: search.nodes as u32,
        cuts: search.cuts as u32,
    }
}

fn depth_step(found: told::DepthSearch) -> DepthStep {
    DepthStep {
        depth: found.depth,
        cell: found.cell,
        value: found.value as i32,
        decided_on: found.decided_on,
        nodes: found.nodes as u32,
        nodes_so_far: found.nodes_so_far as u32,
    }
}

fn proof(position: &Position, tree: ProofTree) -> Explained {
    Explained::Proof {
        board: board(position),
        winner: colour(tree.player),
        turns: tree.turns.into(),
        first: proof_step(tree.first),
        left_out: tree.left_out as u32,
    }
}

fn proof_step(turn: ProofTurn) -> ProofStep {
    let defences = turn.defences.into_iter().map(|defence| DefenceStep {
        stones: defence.stones,
        answer: defence.answer.map(|answer| Box::new(proof_step(*answer))),
    });
    ProofStep {
        stones: turn.stones,
        then: match turn.then {
            AfterTurn::Row => ProofThen::Row,
            AfterTurn::TooMany => ProofThen::TooMany,
            AfterTurn::Defences => ProofThen::Defences,
        },
        defences: defences.collect(),
    }
}

/// A text for each row, the top one first.
fn board(position: &Position) -> Vec<String> {
    let rules = position.rules();
    let row = |y: usize| {
        let cells = (0..rules.width()).filter_map(|x| rules.cell(x, y));
        cells.map(|cell| position.at(cell).map_or('.', |p| ['X', 'O'][p.index()])).collect()
    };
    (0..rules.height()).rev().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::wire::Colour;

    fn told(asked: &ExplainAsked) -> Explained {
        explain(asked, |position| prove(&mut Judge::new(position.rules()), position))
    }

    #[test]
    fn every_idea_has_steps() {
        let (line, colour) = ("..XXXX..".to_owned(), Colour::Black);
        let asked = ExplainAsked::Windows { line, k: 6, p: 2, colour, mark_all: false };
        let Explained::Windows { steps, enough: 4, .. } = told(&asked) else { panic!("windows") };
        assert_eq!(steps.iter().map(|step| step.threats).collect::<Vec<_>>(), [1, 1, 2]);
        let asked = ExplainAsked::Threats { line: "........XX.......".to_owned(), k: 6, p: 2 };
        let Explained::Threats { tiles, .. } = told(&asked) else { panic!("threats") };
        assert_eq!(tiles[7].values, [Some(2), Some(2)]);
        let asked = ExplainAsked::Promotions { shape: "...XXX...".to_owned(), k: 6, p: 2 };
        let Explained::Promotions { kind, cells, .. } = told(&asked) else { panic!("promotions") };
        assert_eq!((kind.as_str(), cells.len()), ("L3", 6));
        let (game, moves) = ("4x3,k=3,gravity".to_owned(), "b1 a1 c1".to_owned());
        let asked = ExplainAsked::Minimax { game, moves, plies: 2, prune: true };
        let Explained::Minimax { board, moves, .. } = told(&asked) else { panic!("minimax") };
        assert_eq!((board, moves.len()), (vec!["....".into(), "....".into(), "OXX.".into()], 4));
        let (game, moves) = ("connect4".to_owned(), "d1 c1 d2 c2 d3".to_owned());
        let Explained::Steps { told: steps, .. } =
            told(&ExplainAsked::Steps { game, moves, plies: 3 })
        else {
            panic!("steps")
        };
        assert_eq!(
            (&*steps.minimax.cell, steps.wins[1], steps.minimax.cuts),
            ("d4", i32::MAX / 2, 0)
        );
        let left: Vec<_> = steps.left_out.iter().map(|remote| &*remote.column).collect();
        assert_eq!(left, ["a", "f", "g"]);
        let (game, moves) = ("tictactoe".to_owned(), "a1 a3 b1 b3".to_owned());
        let asked = ExplainAsked::Proof { game, moves };
        let Explained::Proof { first, turns: 1, .. } = told(&asked) else { panic!("a proof") };
        assert_eq!((first.stones, first.then), (vec!["c1".to_owned()], ProofThen::Row));
    }

    #[test]
    fn what_cannot_be_explained_is_a_sentence() {
        let minimax = |game: &str, moves: &str, plies| ExplainAsked::Minimax {
            game: game.to_owned(),
            moves: moves.to_owned(),
            plies,
            prune: false,
        };
        let steps = |game: &str, moves: &str, plies| ExplainAsked::Steps {
            game: game.to_owned(),
            moves: moves.to_owned(),
            plies,
        };
        let line = |line: &str| ExplainAsked::Threats { line: line.to_owned(), k: 6, p: 2 };
        let tictactoe = || "tictactoe".to_owned();
        for (asked, says) in [
            (line("..1"), "neither X, O nor ."),
            (line(&".".repeat(5000)), "too long"),
            (ExplainAsked::Threats { line: ".".to_owned(), k: 0, p: 0 }, "k"),
            (minimax("connect4", "", 20), "fewer plies"),
            (steps("connect4", "", 255), "fewer plies"),
            (steps("gomoku", "", 2), "gravity"),
            (steps("connect4", "a1 b1 a2 b2 a3 b3 a4", 2), "the game is over"),
            (minimax("nonsense", "", 1), "nonsense"),
            (minimax("64x64,k=5", "", 1), "the page shows boards"),
            (minimax("tictactoe", "z9", 1), "z9"),
            (minimax("tictactoe", "a1 a1", 1), "a1: "),
            (
                ExplainAsked::Proof { game: tictactoe(), moves: String::new() },
                "no win of black by threats can be proved",
            ),
        ] {
            let Explained::Problem { text } = told(&asked) else { panic!("{asked:?}") };
            assert!(text.contains(says), "{text}");
        }
    }
}
