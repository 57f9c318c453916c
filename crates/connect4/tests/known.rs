//! Scores that others have published.

use collinear_connect4::{Solver, plain};
use collinear_rules::{Position, Rules, notation};

fn position(rules: Rules, moves: &str) -> Position {
    let mut position = Position::new(rules);
    for sign in moves.chars() {
        let cell = notation::parse_pons(&position, sign).expect(moves);
        position.play(cell).expect(moves);
    }
    position
}

/// From Pascal Pons' test sets (blog.gamesolver.org, `Test_L3_R1` to `Test_L1_R2`).
const PONS: [(&str, i8); 14] = [
    ("2252576253462244111563365343671351441", -1),
    ("7422341735647741166133573473242566", 1),
    ("23163416124767223154467471272416755633", 0),
    ("5554224333234511764415115", 4),
    ("52753311433677442422121", 8),
    ("1233722555341451114725221333", -1),
    ("274552224131661", 0),
    ("5455174361263362", -1),
    ("2531276566711153", 2),
    ("32164625", 11),
    ("6146", 18),
    ("243335424257", 12),
    ("32751571231557", -3),
    ("2416615552", 4),
];

#[test]
fn scores_of_the_published_test_sets() {
    let mut searching = Solver::without_book(&Rules::CONNECT4).expect("known");
    let mut with_book = Solver::new(&Rules::CONNECT4).expect("known");
    for (moves, score) in PONS {
        let position = position(Rules::CONNECT4, moves);
        assert_eq!(searching.solve(&position).expect(moves).score.get(), score, "{moves}");
        assert_eq!(with_book.solve(&position).expect(moves).score.get(), score, "{moves}");
    }
}

#[test]
fn several_threads_find_the_same_scores() {
    let mut solver = Solver::without_book(&Rules::CONNECT4).expect("known").threads(3);
    for (moves, score) in PONS {
        let position = position(Rules::CONNECT4, moves);
        solver.clear();
        assert_eq!(solver.solve(&position).expect(moves).score.get(), score, "{moves}");
    }
}

/// Boards of more than 64 bits, whose entries in the table are written in two halves.
#[test]
fn several_threads_find_the_same_scores_on_large_boards() {
    let rules: Rules = "9x7,k=4,gravity".parse().expect("rules");
    let mut alone = Solver::new(&rules).expect("known");
    let mut parallel = Solver::new(&rules).expect("known").threads(4);
    for moves in ["53197939914211362789119485", "61711591572114389599347233995"] {
        let position = position(rules, moves);
        let solution = alone.solve(&position).expect(moves);
        assert!(solution.nodes > 20_000, "{moves} is too easy for more than one thread");
        assert_eq!(parallel.solve(&position).expect(moves).score, solution.score, "{moves}");
    }
}

/// Width, height, who wins with perfect play, and the number of the last stone: John Tromp's and
/// Markus Steininger's tables; a draw fills the board. The larger boards: docs/connect4.md.
const BOARDS: [(u32, u32, i8, usize); 9] = [
    (4, 4, 0, 16),
    (5, 4, 0, 20),
    (6, 4, -1, 24),
    (7, 4, 0, 28),
    (4, 5, 0, 20),
    (5, 5, 0, 25),
    (4, 6, 0, 24),
    (4, 7, 0, 28),
    (4, 8, 0, 32),
];

#[test]
fn who_wins_on_other_boards() {
    for (width, height, sign, last) in BOARDS {
        let rules = Rules::builder(width, height, 4).gravity().build().expect("a board");
        let mut solver = Solver::new(&rules).expect("known");
        let score = solver.solve(&Position::new(rules)).expect("ongoing").score;
        assert_eq!(score.get().signum(), sign, "{rules}");
        assert_eq!(score.stones_to_end(rules.cells()), last, "{rules}");
    }
}

#[test]
fn a_solver_without_book_agrees_with_the_twin_late_in_the_game() {
    let mut late = position(Rules::CONNECT4, PONS[0].0);
    assert_eq!(plain::score(&mut late, &mut 0), PONS[0].1);
}
