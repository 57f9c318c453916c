//! `collinear explain steps`: document 004's program, built up one step at a time on one position.

use std::fmt::Write as _;

use collinear_documents::explain::{
    ColumnSearch, ColumnValue, DepthSearch, FirstPly, KateSteps, PositionChains,
};
use collinear_rules::{Player, Position};
use serde::Serialize;

use super::columns::board;

/// Columns in a line of text.
const ROW: usize = 7;

/// The steps, with the position that they are about.
#[derive(Serialize)]
pub(super) struct Told {
    /// The rows from the top, as they are drawn.
    board: Vec<String>,
    #[serde(flatten)]
    steps: KateSteps,
}

impl Told {
    pub(super) fn of(position: &Position, steps: KateSteps) -> Self {
        Self { board: board(position, &[]), steps }
    }

    pub(super) fn text(&self) -> String {
        let Self { board, steps } = self;
        let mut out = String::new();
        for row in board {
            let _ = writeln!(out, "{row}");
        }
        let plies =
            if steps.plies == 1 { "1 ply".into() } else { format!("{} plies", steps.plies) };
        let _ = writeln!(out, "{} to move, {plies} ahead", steps.to_move);

        out.push_str(
            "\n1. Minimax: every move is looked at; a board that is not decided is worth 0.\n",
        );
        search(&mut out, &steps.minimax);

        out.push_str(
            "\n2. Alpha-beta: moves that cannot change the result are left out; ≤ no more than.\n",
        );
        search(&mut out, &steps.alpha_beta);
        less(&mut out, steps.minimax.nodes, steps.alpha_beta.nodes, "than minimax");

        out.push_str(
            "\n3. Iterative deepening: each depth is finished before the next. If time ended after one,\n   \
             its move is in hand; in the document that is after ten seconds.\n",
        );
        depths(&mut out, &steps.deepening);

        out.push_str(
            "\n4. Chains: cells in a line, free or one player's, as many as a row or more, count their discs\n   \
             squared; own minus opposing is what a board is worth that is not decided.\n",
        );
        chains(&mut out, &steps.chains, steps.to_move);
        out.push_str("   alpha-beta with them:\n");
        search(&mut out, &steps.with_chains);

        out.push_str("\n5. A win is worth the maximum divided by its ply, a loss minus that: near ones count more.\n");
        for (ply, worth) in (1..).zip(&steps.wins) {
            let _ = writeln!(out, "   ply {ply}: max/{ply} = {worth}");
        }
        let here: Vec<String> = steps.with_chains.columns.iter().filter_map(ends).collect();
        let here = if here.is_empty() { "nothing is decided yet".into() } else { here.join(", ") };
        let _ = writeln!(out, "   here: {here}");

        out.push_str(
            "\n6. First ply: empty columns with only empty neighbours are not looked at.\n",
        );
        first_ply(&mut out, &steps.first_ply);
        out.push_str("   the whole program, all steps together:\n");
        depths(&mut out, &steps.whole);
        out
    }
}

/// A value as the document writes it: a win is the maximum divided by its ply.
fn worth(value: i64, decided_on: Option<u32>) -> String {
    match decided_on {
        Some(ply) if value > 0 => format!("max/{ply}"),
        Some(ply) => format!("-max/{ply}"),
        None => value.to_string(),
    }
}

/// How a column ends.
fn ends(found: &ColumnValue) -> Option<String> {
    let (at_most, ply) = (if found.at_most { " or sooner" } else { "" }, found.decided_on?);
    Some(if found.value > 0 {
        format!("{} wins on ply {ply}", found.cell)
    } else {
        format!("{} loses on ply {ply}{at_most}", found.cell)
    })
}

fn search(out: &mut String, search: &ColumnSearch) {
    for row in search.columns.chunks(ROW) {
        let column = |found: &ColumnValue| {
            let at_most = if found.at_most { "≤" } else { "" };
            let best = if found.cell == search.cell { " *" } else { "" };
            format!("{} {at_most}{}{best}", found.cell, worth(found.value, found.decided_on))
        };
        let _ = writeln!(out, "   {}", row.iter().map(column).collect::<Vec<_>>().join("   "));
    }
    let decided_on = search.columns.iter().find(|found| found.cell == search.cell);
    let _ = writeln!(
        out,
        "   plays {}, value {}; {} nodes, {} cut-offs",
        search.cell,
        worth(search.value, decided_on.and_then(|found| found.decided_on)),
        search.nodes,
        search.cuts,
    );
}

/// What a step saves.
fn less(out: &mut String, before: u64, nodes: u64, than: &str) {
    let saved = before as i64 - nodes as i64;
    let part = 100.0 * saved.unsigned_abs() as f64 / before as f64;
    let word = if saved < 0 { "more" } else { "fewer" };
    let _ = writeln!(out, "   {} nodes {word} {than} ({part:.0} %)", saved.unsigned_abs());
}

fn depths(out: &mut String, found: &[DepthSearch]) {
    for found in found {
        let _ = writeln!(
            out,
            "   depth {}: {} in hand, value {}; {} nodes, {} so far",
            found.depth,
            found.cell,
            worth(found.value, found.decided_on),
            found.nodes,
            found.nodes_so_far,
        );
        if let Some(ply) = found.decided_on {
            let _ = writeln!(out, "   decided on ply {ply}: no deeper look is taken");
        }
    }
}

fn chains(out: &mut String, told: &PositionChains, to_move: Player) {
    for chain in &told.chains {
        let end = |cell: Option<&String>| cell.cloned().unwrap_or_default();
        let _ = writeln!(
            out,
            "   {} {} to {}: {}² = {}",
            chain.player,
            end(chain.cells.first()),
            end(chain.cells.last()),
            chain.discs,
            chain.points,
        );
    }
    let short = told.too_short;
    if short > 0 {
        let runs = if short == 1 { "run with discs is" } else { "runs with discs are" };
        let _ = writeln!(out, "   {short} {runs} too short for a row: nothing");
    }
    let PositionChains { own, opposing, value, .. } = told;
    let _ = writeln!(out, "   {own} − {opposing} = {value} for {to_move}");
}

fn first_ply(out: &mut String, told: &FirstPly) {
    if told.all_remote {
        out.push_str("   all columns are such: all are looked at\n");
    }
    for remote in &told.left_out {
        let beside = match &remote.neighbours[..] {
            [] => "has no neighbour".to_owned(),
            [one] => format!("its neighbour {one} is empty too"),
            more => format!("its neighbours {} are empty too", more.join(" and ")),
        };
        let _ = writeln!(out, "   without {}: {beside}", remote.column);
    }
    search(out, &told.search);
    if !told.left_out.is_empty() {
        let before = told.search.nodes as i64 + told.saved;
        less(out, before as u64, told.search.nodes, "than with every column");
    }
}
