//! Writing: the tree again with a stack of our own.

use std::fmt::Write as _;

use collinear_play::{End, GameRecord, NodeId, Reason, Tree};
use collinear_rules::{Player, Position, Rules};

use super::lex::escape;
use super::{Dialect, notes, point, property_of};

/// What is still to be written.
enum Task {
    /// The stones of one node, several when a turn is written at once, and how many come before.
    Stones(Vec<NodeId>, usize),
    /// A bracket of a variation.
    Sign(char),
}

/// The games of the Connect6 dialects, which have a letter for each of at most 26 columns.
pub(crate) fn is_connect6(rules: &Rules) -> bool {
    (rules.k(), rules.p(), rules.q(), rules.gravity()) == (6, 2, 1, false)
        && rules.width() == rules.height()
        && rules.overlines_win()
        && rules.width() <= 26
}

/// Appends one game that begins at this position.
pub(crate) fn write(
    out: &mut String,
    record: &GameRecord,
    dialect: Dialect,
    mut position: Position,
) -> Result<(), String> {
    let rules = record.rules;
    if dialect != Dialect::Ours && !is_connect6(&rules) {
        return Err(format!("this dialect is for Connect6 on a square board, not for {rules}"));
    }
    header(out, record, dialect, &position);
    let stones_a_node = if dialect == Dialect::LittleGolem { rules.p() } else { 1 };
    let mut tasks = Vec::new();
    branch(&mut tasks, record, (NodeId::ROOT, 0), stones_a_node.min(position.stones_left()));
    while let Some(task) = tasks.pop() {
        match task {
            Task::Sign(sign) => out.push(sign),
            Task::Stones(nodes, before) => {
                let Some(&last) = nodes.last() else { continue };
                while position.history().len() > before {
                    position.undo();
                }
                stones(out, record, dialect, &mut position, &nodes)?;
                let from = (last, before + nodes.len());
                branch(&mut tasks, record, from, stones_a_node.min(position.stones_left()));
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
    if let Some(end) = &record.end {
        result(out, end, dialect);
    }
    if dialect == Dialect::Ours && record.opening > 0 {
        let _ = write!(out, "XOP[{}]", record.opening);
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
    if let Some(comment) = record.tree.comment(NodeId::ROOT) {
        text(out, "C", comment);
    }
    if let Some(notes) = record.tree.notes(NodeId::ROOT) {
        notes::write(out, notes, &rules, dialect);
    }
}

/// `RE`, and where it cannot say everything, `XRE`.
fn result(out: &mut String, end: &End, dialect: Dialect) {
    let how = match end.reason {
        Reason::Resignation => "R",
        Reason::TimeForfeit => "T",
        reason if reason.is_fault() => "F",
        _ => "",
    };
    let _ = match end.winner {
        Some(player) => write!(out, "RE[{}+{how}]", letter(player)),
        None if end.counts() => write!(out, "RE[Draw]"),
        None => write!(out, "RE[Void]"),
    };
    let plain = matches!(
        end.reason,
        Reason::Row
            | Reason::FullBoard
            | Reason::Unstated
            | Reason::Resignation
            | Reason::TimeForfeit
            | Reason::Forfeit
            | Reason::CalledOff
    );
    if dialect == Dialect::Ours && !(plain && end.detail.is_none()) {
        let _ = write!(out, "XRE[{}", end.reason.name());
        if let Some(detail) = &end.detail {
            out.push(':');
            escape(out, detail);
        }
        out.push(']');
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
        if let Some(comment) = record.tree.comment(node) {
            text(out, "C", comment);
        }
        if let Some(notes) = record.tree.notes(node) {
            notes::write(out, notes, &record.rules, dialect);
        }
    }
    Ok(())
}

/// Pushes what follows a node: one continuation, or bracketed variations, first on top.
fn branch(
    tasks: &mut Vec<Task>,
    record: &GameRecord,
    (from, depth): (NodeId, usize),
    stones_a_node: usize,
) {
    let turns = turns(&record.tree, from, stones_a_node.max(1));
    let alone = turns.len() == 1;
    for nodes in turns.into_iter().rev() {
        if alone {
            tasks.push(Task::Stones(nodes, depth));
        } else {
            tasks.push(Task::Sign(')'));
            tasks.push(Task::Stones(nodes, depth));
            tasks.push(Task::Sign('('));
        }
    }
}

/// Every way to go on from a node by up to this many stones.
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
