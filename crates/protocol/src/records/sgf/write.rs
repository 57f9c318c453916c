//! Writing: the tree again with a stack of our own.

use std::fmt::Write as _;

use collinear_rules::{Player, Position, Rules};

use super::super::record::{Ending, GameRecord, GameResult};
use super::super::tree::{NodeId, Tree};
use super::lex::escape;
use super::{Dialect, point, property_of};

/// What is still to be written.
enum Task {
    /// The stones of one node, several when a turn is written at once.
    Stones(Vec<NodeId>),
    /// A bracket of a variation.
    Sign(char),
}

/// Appends one game that begins at this position.
pub(crate) fn write(
    out: &mut String,
    record: &GameRecord,
    dialect: Dialect,
    mut position: Position,
) -> Result<(), String> {
    let rules = record.rules;
    let connect6 = rules.k() == 6
        && (rules.p(), rules.q(), rules.gravity()) == (2, 1, false)
        && rules.width() == rules.height()
        && rules.overline() == Rules::CONNECT6.overline();
    if dialect != Dialect::Ours && (!connect6 || rules.width() > 26) {
        return Err(format!("this dialect is for Connect6 on a square board, not for {rules}"));
    }
    header(out, record, dialect, &position);
    let stones_a_node = if dialect == Dialect::LittleGolem { rules.p() } else { 1 };
    let mut tasks = Vec::new();
    let mut depths: Vec<usize> = vec![0; record.tree.len()];
    branch(&mut tasks, record, Tree::ROOT, stones_a_node.min(position.stones_left()));
    while let Some(task) = tasks.pop() {
        match task {
            Task::Sign(sign) => out.push(sign),
            Task::Stones(nodes) => {
                let (Some(&first), Some(&last)) = (nodes.first(), nodes.last()) else { continue };
                let parent = record.tree.parent(first).unwrap_or(Tree::ROOT);
                while position.history().len() > depths[parent.index()] {
                    position.undo();
                }
                stones(out, record, dialect, &mut position, &nodes)?;
                for (nth, node) in nodes.iter().enumerate() {
                    depths[node.index()] = depths[parent.index()] + nth + 1;
                }
                branch(&mut tasks, record, last, stones_a_node.min(position.stones_left()));
            }
        }
    }
    out.push_str(")\n");
    Ok(())
}

fn header(out: &mut String, record: &GameRecord, dialect: Dialect, start: &Position) {
    let rules = record.rules;
    out.push_str("(;FF[4]CA[UTF-8]");
    let gomoku = rules.k() == 5 && (rules.p(), rules.q(), rules.gravity()) == (1, 1, false);
    match dialect {
        Dialect::Taiwan => out.push_str("GM[511]"),
        Dialect::Ours if gomoku => out.push_str("GM[4]"),
        _ => {}
    }
    let _ = match (rules.width(), rules.height()) {
        (width, height) if width == height => write!(out, "SZ[{width}]"),
        (width, height) => write!(out, "SZ[{width}:{height}]"),
    };
    if dialect == Dialect::Ours {
        let _ = write!(out, "XRU[{rules}]");
    }
    for (name, player) in ["PB", "PW"].into_iter().zip(&record.players) {
        if let Some(player) = player {
            text(out, name, player);
        }
    }
    match record.result {
        GameResult::Unknown => {}
        GameResult::Drawn => out.push_str("RE[Draw]"),
        GameResult::Void => out.push_str("RE[Void]"),
        GameResult::Won(player, ending) => {
            let how = match ending {
                Ending::Plain => "",
                Ending::Resignation => "R",
                Ending::Time => "T",
                Ending::Forfeit => "F",
            };
            let _ = write!(out, "RE[{}+{how}]", letter(player));
        }
    }
    for (key, value) in &record.metadata {
        match property_of(key) {
            Some(property) => text(out, property, value),
            None if dialect == Dialect::Ours => {
                out.push_str("XMD[");
                escape(out, key);
                out.push(':');
                escape(out, value);
                out.push(']');
            }
            None => {}
        }
    }
    if let Some(setup) = &record.setup {
        for (name, stones) in [("AB", &setup.black), ("AW", &setup.white)] {
            if !stones.is_empty() {
                out.push_str(name);
            }
            for &cell in stones {
                let _ = write!(out, "[{}]", point::name(&rules, dialect, cell));
            }
        }
        if setup.to_move.is_some() {
            let _ = write!(out, "PL[{}]XSL[{}]", letter(start.to_move()), start.stones_left());
        }
    }
    if let Some(comment) = record.tree.comment(Tree::ROOT) {
        text(out, "C", comment);
    }
}

/// The stones of one node of the file, with all they carry.
fn stones(
    out: &mut String,
    record: &GameRecord,
    dialect: Dialect,
    position: &mut Position,
    nodes: &[NodeId],
) -> Result<(), String> {
    let _ = write!(out, ";{}[", letter(position.to_move()));
    for &node in nodes {
        let cell = record.tree.stone(node).ok_or("a node without a stone")?;
        out.push_str(&point::name(&record.rules, dialect, cell));
        position.play(cell).map_err(|error| format!("a variation has an illegal move: {error}"))?;
    }
    out.push(']');
    for &node in nodes {
        if let (Dialect::Ours, Some(millis)) = (dialect, record.tree.millis(node)) {
            let _ = write!(out, "XMS[{millis}]");
        }
        if let Some(comment) = record.tree.comment(node) {
            text(out, "C", comment);
        }
    }
    Ok(())
}

/// Pushes what follows a node: one continuation, or bracketed variations, first on top.
fn branch(tasks: &mut Vec<Task>, record: &GameRecord, from: NodeId, stones_a_node: usize) {
    let turns = turns(&record.tree, from, stones_a_node.max(1));
    let alone = turns.len() == 1;
    for nodes in turns.into_iter().rev() {
        if alone {
            tasks.push(Task::Stones(nodes));
        } else {
            tasks.push(Task::Sign(')'));
            tasks.push(Task::Stones(nodes));
            tasks.push(Task::Sign('('));
        }
    }
}

/// Every way to go on from a node by up to so many stones.
fn turns(tree: &Tree, from: NodeId, stones: usize) -> Vec<Vec<NodeId>> {
    let mut open: Vec<Vec<NodeId>> = tree.children(from).map(|node| vec![node]).collect();
    for _ in 1..stones {
        open = open
            .into_iter()
            .flat_map(|path| {
                let last = path.last().copied().unwrap_or(from);
                let longer: Vec<Vec<NodeId>> =
                    tree.children(last).map(|next| [path.as_slice(), &[next]].concat()).collect();
                if longer.is_empty() { vec![path] } else { longer }
            })
            .collect();
    }
    open
}

fn text(out: &mut String, name: &str, value: &str) {
    out.push_str(name);
    out.push('[');
    escape(out, value);
    out.push(']');
}

const fn letter(player: Player) -> char {
    match player {
        Player::Black => 'B',
        Player::White => 'W',
    }
}
