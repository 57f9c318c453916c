//! What every agent plays from a few positions with few nodes: the same lines here and in every browser,
//! or something is computed otherwise there. `signature.txt` beside the tests has them.

use collinear_play::{Budget, StopFlag};
use collinear_room::work::{Outcome, Search, Work, Worker, Yields};
use collinear_rules::{Position, notation};

use crate::question::position;

/// Positions of five games; composed for this purpose.
pub const POSITIONS: [(&str, &str); 6] = [
    ("connect6", "j10 k11 i9"),
    ("gomoku", "h8 i9 h10 h9 g9 i7"),
    ("renju", "h8 h9 j10"),
    ("connect4", "d1 d2 d3 c1"),
    ("connect4", ""),
    ("9x9,k=5,p=2,q=1", "e5 d4 f6"),
];
/// Nodes for each turn.
const NODES: u64 = 200;
/// Deeper than the nodes allow, except for agents that count none.
const DEPTH: u32 = 4;

/// One line for each agent in each position that it plays: game, agent, turn, nodes.
pub fn lines(worker: &Worker) -> Vec<String> {
    let registry = collinear_agents::registry();
    let mut lines = Vec::new();
    for (game, moves) in POSITIONS {
        let Ok(rules) = game.parse() else { continue };
        let Ok(position) = position(rules, moves) else { continue };
        for spec in registry.iter().filter(|spec| spec.plays(position.rules()).is_ok()) {
            let told = turn(worker, spec.name, &position);
            lines.push(format!("{game} after {:?}: {} {told}", moves, spec.name));
        }
    }
    lines
}

fn turn(worker: &Worker, agent: &str, position: &Position) -> String {
    let work = Work::Review(Search {
        owner: "signature".to_owned(),
        agent: agent.to_owned(),
        seed: 7,
        position: position.clone(),
        budget: Budget { nodes: Some(NODES), depth: Some(DEPTH), ..Budget::default() },
        yields: Yields::Never,
    });
    match worker.run(&work, &StopFlag::default(), &mut |_| {}) {
        Outcome::Found(found) => match found.turn {
            Ok(turn) => {
                let nodes = found.report.nodes;
                format!(
                    "{} {nodes} {:?}",
                    notation::names(position.rules(), &turn),
                    found.thought.value
                )
            }
            Err(fault) => fault.to_string(),
        },
        other => format!("{other:?}"),
    }
}
