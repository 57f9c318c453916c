//! The large files that some work needs, fetched when it does: networks, line patterns, the book of
//! Connect Four.

use collinear_engine::Part;
use collinear_room::work::{Search, Work};
use collinear_rules::Rules;

/// The book of Connect Four, by the name of its file.
pub const BOOK: &str = "7x6.book";

/// All of them, by the names of their files.
pub fn all() -> Vec<&'static str> {
    Part::ALL.iter().map(|part| part.name()).chain([BOOK]).collect()
}

/// Those that a piece of work needs to be done as it is everywhere else.
pub fn of_work(work: &Work) -> Vec<&'static str> {
    match work {
        Work::Think(search)
        | Work::Review(search)
        | Work::Exact { search, .. }
        | Work::Open { search, .. }
        | Work::Balance { search, .. } => of_search(search),
        Work::Policy { position, .. } => of_engine(position.rules()),
        Work::Columns { position }
        | Work::Win { position, .. }
        | Work::Solve { position, .. }
        | Work::Judge { position, .. } => of_solver(position.rules()),
        Work::FindPuzzles { rules, .. } => of_solver(rules),
        Work::Puzzle { linked, .. } => {
            linked.as_ref().map_or_else(|_| Vec::new(), |posed| of_solver(posed.position.rules()))
        }
        Work::Danger { .. }
        | Work::Threats { .. }
        | Work::Parity { .. }
        | Work::Shapes { .. }
        | Work::Openings { .. }
        | Work::Explain { .. }
        | Work::Assess(_)
        | Work::Warn { .. }
        | Work::Try { .. }
        | Work::Read { .. }
        | Work::Write { .. }
        | Work::Puzzles => Vec::new(),
    }
}

fn of_search(search: &Search) -> Vec<&'static str> {
    of_agent(&search.agent, search.position.rules())
}

/// Those of an agent and of every agent that it may ask.
pub fn of_agent(spec: &str, rules: &Rules) -> Vec<&'static str> {
    let mut parts = Vec::new();
    if spec.contains("sextant") {
        parts.extend(of_engine(rules));
    }
    if spec.contains("perfect") {
        parts.extend(of_solver(rules));
    }
    parts
}

/// Those of the flagship.
pub(crate) fn of_engine(rules: &Rules) -> Vec<&'static str> {
    Part::ALL.iter().filter(|part| part.serves(rules)).map(|part| part.name()).collect()
}

/// Those of the solver.
pub(crate) fn of_solver(rules: &Rules) -> Vec<&'static str> {
    if *rules == Rules::CONNECT4 { vec![BOOK] } else { Vec::new() }
}

/// Hands a part over; false where nobody knows its name.
#[cfg(all(target_family = "wasm", feature = "search"))]
pub(crate) fn lend(name: &str, bytes: &[u8]) -> bool {
    if name == BOOK {
        collinear_connect4::Book::lend(bytes.to_vec());
        return true;
    }
    let part = Part::ALL.iter().find(|part| part.name() == name);
    part.map(|part| part.lend(bytes.to_vec())).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_needs_its_own_files_and_light_agents_none() {
        let gomoku = ["gomoku.sxn", "gomoku.sxe"];
        assert_eq!(of_agent("sextant:level=3", &Rules::GOMOKU), gomoku);
        assert_eq!(of_agent("book:then=(sextant)", &Rules::CONNECT6), ["connect6.sxn"]);
        assert_eq!(of_agent("perfect", &Rules::CONNECT4), [BOOK]);
        assert!(of_agent("random", &Rules::GOMOKU).is_empty());
        assert_eq!(of_agent("sextant", &Rules::RENJU), ["gomoku.sxe"]);
        let tictactoe: Rules = "tictactoe".parse().expect("a game");
        assert!(of_agent("sextant", &tictactoe).is_empty());
        assert_eq!(all().len(), 4);
    }
}
