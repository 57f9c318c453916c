//! `collinear explain`: ideas of the documents step by step, as text or as JSON.

use std::fmt::Write as _;

use anyhow::{Result, anyhow};
use clap::Subcommand;
use collinear_agents::puzzles::{Judge, ProofTree};
use collinear_documents::connectk::Marks;
use collinear_documents::explain::{
    KateSteps, LineStones, LineThreats, LookFound, MAX_STEP_PLIES, MinimaxTree, Seen,
    ShapePromotions, StepsOptions, TreeNode, TreeOptions, WindowScan,
};
use collinear_documents::tablebase::{LineRules, Shape};
use collinear_rules::{Player, Position, Rules, notation};
use serde::Serialize;

use crate::report;

mod columns;
mod steps;

/// Explain an idea of the documents step by step
#[derive(clap::Args)]
#[command(
    after_help = "Lines are written tile by tile: X a black stone, O a white one, . an empty tile.\n\nExamples: collinear explain windows ..XXXX..\n          collinear explain threats O.XX..X....OO..\n          collinear explain promotions ...XXX...\n          collinear explain minimax \"b1 a1 c1\" --game 4x3,k=3,gravity --plies 3 --prune\n          collinear explain steps \"d1 c1 d2 c2 d3\" --plies 4\n          collinear explain proof \"d1 d2 c1 c2\" --game connect4\n          collinear explain columns 164373344133722466215367227111"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Subcommand)]
enum What {
    /// The sliding window that counts threats, window by window, with its marks
    Windows {
        /// The line
        line: String,
        /// Count White's threats, not Black's
        #[arg(long)]
        white: bool,
        /// Mark every empty tile of a threat, not only the last one
        #[arg(long)]
        mark_all: bool,
        #[command(flatten)]
        common: Common,
    },
    /// The generalised threats of a line, tile by tile
    Threats {
        /// The line
        line: String,
        #[command(flatten)]
        common: Common,
    },
    /// What a stone on each cell makes of a line shape
    Promotions {
        /// The shape: X a stone, . an empty cell
        shape: String,
        #[command(flatten)]
        common: Common,
    },
    /// The minimax tree of a small position, with the order of its moves and what alpha-beta leaves out
    Minimax {
        /// Stones played so far, such as "b1 a1 c1"
        #[arg(default_value = "")]
        moves: String,
        /// Rules of the game
        #[arg(long, default_value = "3x3,k=3")]
        game: Rules,
        /// Plies to look ahead
        #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=20))]
        plies: u32,
        /// Use alpha-beta
        #[arg(long)]
        prune: bool,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// A Connect Four program built up step by step: minimax, alpha-beta, deepening, chains, wins, first ply
    #[command(
        after_help = "The figure of document 004, three discs in a chain of four cells, 9 points:\n          collinear explain steps \"b1 e1 c1 f1 d1 g1\" --game 7x3,k=4,gravity"
    )]
    Steps {
        /// Stones played so far: columns such as 4455, or cells such as "d1 d2"
        #[arg(default_value = "")]
        position: String,
        /// Rules of the game
        #[arg(long, default_value = "connect4")]
        game: Rules,
        /// Plies to look ahead
        #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=i64::from(MAX_STEP_PLIES)))]
        plies: u32,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Odd and even threats of a game with gravity, column by column, and what zugzwang says
    Columns {
        /// Stones played so far: columns such as 4455, or cells such as "d1 d2"
        #[arg(default_value = "")]
        moves: String,
        /// Rules of the game
        #[arg(long, default_value = "connect4")]
        game: Rules,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// How a win goes on against each defence: by threats, or by exact values where stones fall
    Proof {
        /// Stones played so far; the player to move wins
        moves: String,
        /// Rules of the game
        #[arg(long, default_value = "connect6")]
        game: Rules,
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
}

#[derive(clap::Args)]
struct Common {
    /// Cells in a row that win
    #[arg(long, default_value_t = 6)]
    k: usize,
    /// Stones per turn
    #[arg(long, default_value_t = 2)]
    p: usize,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    match args.what {
        What::Windows { line, white, mark_all, common } => {
            let player = if white { Player::White } else { Player::Black };
            let marks = if mark_all { Marks::All } else { Marks::Last };
            let scan = WindowScan::of(&LineStones::parse(&line)?, common.rules()?, player, marks);
            told(common.json, &scan, windows)
        }
        What::Threats { line, common } => {
            let threats = LineThreats::of(&LineStones::parse(&line)?, common.rules()?);
            told(common.json, &threats, line_threats)
        }
        What::Promotions { shape, common } => {
            let rules = common.rules()?;
            let shape = Shape::parse(rules.k(), &shape)?;
            told(common.json, &ShapePromotions::of(rules, shape), promotions)
        }
        What::Minimax { moves, game, plies, prune, json } => {
            let position = position(game, &moves)?;
            let tree = MinimaxTree::of(&position, TreeOptions { plies, prune })?;
            told(json, &tree, minimax)
        }
        What::Steps { position, game, plies, json } => {
            let position = columns::position(game, &position)?;
            let steps = KateSteps::of(&position, StepsOptions { plies })?;
            told(json, &steps::Told::of(&position, steps), steps::Told::text)
        }
        What::Columns { moves, game, json } => {
            let position = columns::position(game, &moves)?;
            told(json, &columns::Told::of(&position)?, columns::Told::text)
        }
        What::Proof { moves, game, json } => {
            let position = position(game, &moves)?;
            let tree = ProofTree::of(&mut Judge::new(&game), &position)?;
            told(json, &tree, ProofTree::text)
        }
    }
}

/// The position after these stones.
fn position(game: Rules, moves: &str) -> Result<Position> {
    let names = moves.split_whitespace();
    let stones = names.map(|name| notation::parse(&game, name)).collect::<Result<Vec<_>, _>>()?;
    Position::from_moves(game, &stones)
        .map_err(|(at, illegal)| anyhow!("stone {} of {moves:?}: {illegal}", at + 1))
}

impl Common {
    fn rules(&self) -> Result<LineRules> {
        Ok(LineRules::new(self.k, self.p)?)
    }
}

fn told<T: Serialize>(json: bool, data: &T, text: impl FnOnce(&T) -> String) -> Result<()> {
    if json { report::json(data) } else { report::text(&text(data)) }
}

fn windows(scan: &WindowScan) -> String {
    let mut out = format!("{}\n", scan.line);
    let mut marked = vec![false; scan.line.len()];
    for step in &scan.steps {
        for &tile in &step.marked {
            marked[tile] = true;
        }
        let tiles = scan.line.char_indices().map(|(tile, sign)| {
            let inside = (step.first..step.first + scan.k).contains(&tile);
            match (inside, marked[tile]) {
                (_, true) => '*',
                (true, _) => sign,
                (false, _) => ' ',
            }
        });
        let tiles: String = tiles.collect();
        let why = match step.seen {
            Seen::Opposing => "an opposing stone".to_owned(),
            Seen::TooFew => format!("{} of {} stones", step.stones, scan.enough),
            Seen::Marked => format!("{} stones, but a tile is marked", step.stones),
            _ => format!("{} stones: threat {}, marked *", step.stones, step.threats),
        };
        let _ = writeln!(out, "{tiles}  {why}");
    }
    let _ = writeln!(
        out,
        "{} {}: windows of {} with {} stones or more",
        scan.threats,
        if scan.threats == 1 { "threat" } else { "threats" },
        scan.k,
        scan.enough
    );
    out
}

fn line_threats(threats: &LineThreats) -> String {
    let mut out = format!("{}\n", threats.line);
    let sign =
        |value: Option<u32>| value.map_or('.', |value| char::from_digit(value, 36).unwrap_or('+'));
    for (which, name) in ["first value", "second value"].into_iter().enumerate() {
        let row: String = threats.tiles.iter().map(|tile| sign(tile.values[which])).collect();
        let _ = writeln!(out, "{row}  {name}");
    }
    out.push_str("\ntile  forward            backward           counts\n");
    for (tile, found) in threats.tiles.iter().enumerate() {
        if found.looks == [None; 2] {
            continue;
        }
        let [forward, backward] = found.looks.map(|look| look.map_or("–".to_owned(), look_text));
        let kept: Vec<String> = found.values.iter().flatten().map(ToString::to_string).collect();
        let counts = if kept.is_empty() { "silenced".to_owned() } else { kept.join(" and ") };
        let _ = writeln!(out, "{:>4}  {forward:<17}  {backward:<17}  {counts}", tile + 1);
    }
    let _ = writeln!(
        out,
        "A look goes up to {} tiles ahead, then back over stones of that player only.\n\
         A larger value within {} tiles silences smaller ones; t counts 2^(6(t−1)).",
        threats.k - 1,
        threats.k,
    );
    out
}

fn look_text(look: LookFound) -> String {
    format!("{} {} from tile {}", look.stones, look.player, look.first + 1)
}

fn promotions(told: &ShapePromotions) -> String {
    let mut out = format!("{}  {} — {}\n", told.shape, told.shape_type, told.meaning);
    let (mark, width) = ("promoted to", told.shape.len());
    for cell in &told.cells {
        let here = format!("{:>1$}", '^', cell.place + 1);
        let what = if cell.promotes { mark } else { "stays below or at" };
        let _ = writeln!(
            out,
            "{here:<width$}  {}  {what} {}; the cell is {}",
            cell.becomes, cell.becomes_type, cell.cell_type
        );
    }
    out
}

fn minimax(tree: &MinimaxTree) -> String {
    let mut out = format!("{} to move\n", tree.to_move);
    for node in &tree.moves {
        branch(&mut out, node, 1);
    }
    let _ = writeln!(
        out,
        "value {}; {} moves looked at, {} left out\n\
         order. player cell value: what the move is worth to its player; * {}; ≤ cut off, no more than",
        tree.value,
        tree.nodes,
        tree.left_out,
        if tree.pruned {
            "the first of the best"
        } else {
            "every best move: any might be returned"
        },
    );
    out
}

fn branch(out: &mut String, node: &TreeNode, depth: usize) {
    let _ = writeln!(
        out,
        "{:indent$}{}. {} {} {}{}{}",
        "",
        node.order,
        node.player,
        node.cell,
        if node.cut { "≤" } else { "" },
        node.value,
        if node.best { " *" } else { "" },
        indent = 2 * depth,
    );
    for reply in &node.replies {
        branch(out, reply, depth + 1);
    }
}
