//! The search against plain minimax, and the promises of its documentation.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};

use collinear_play::Budget;
use collinear_rules::{Player, Rules};
use proptest::prelude::*;

use super::*;

/// Utilities that depend on the stones in a way no symmetry helps with; every set of stones that
/// a turn can end with is written down.
#[derive(Clone)]
struct Hashed {
    seen: Option<Arc<Mutex<Vec<Vec<Cell>>>>>,
}

fn hash(x: u64) -> i64 {
    (x.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 48) as i64 - 32768
}

impl Appraise for Hashed {
    const EVALUATES: bool = true;

    fn load(&mut self, _: &Position) {}

    fn place(&mut self, _: Cell, _: Player) {}

    fn remove(&mut self, _: Cell, _: Player) {}

    fn list(&mut self, position: &Position, list: &mut Vec<Candidate>) {
        list.extend(position.legal_cells().into_iter().map(|cell| Candidate {
            cell,
            utility: Score::of(hash(position.key() ^ cell.index() as u64)),
        }));
    }

    fn value(&mut self, position: &Position, player: Player) -> Score {
        if let Some(seen) = &self.seen {
            let mut stones = position.history().to_vec();
            stones.sort_unstable();
            seen.lock().expect("no panic").push(stones);
        }
        let sign = if player == Player::Black { 1 } else { -1 };
        Score::of(sign * hash(position.key()))
    }
}

/// Minimax without pruning, marks or buffers, over all legal cells.
fn minimax(position: &Position, depth: u32, ply: usize) -> Score {
    let player = position.to_move();
    let scores = position.legal_cells().into_iter().map(|cell| {
        let mut next = position.clone();
        next.play(cell).expect("legal");
        match next.outcome() {
            Outcome::Won(_) => Score::win(ply + 1),
            Outcome::Drawn => Score::EVEN,
            Outcome::Ongoing if depth == 1 => Hashed { seen: None }.value(&next, player),
            Outcome::Ongoing if next.to_move() == player => minimax(&next, depth - 1, ply + 1),
            Outcome::Ongoing => -minimax(&next, depth - 1, ply + 1),
        }
    });
    scores.max().expect("the game goes on")
}

/// A search of one stone.
const SETTINGS: AlphaBeta =
    AlphaBeta { depth: Depth::Stones(1), width: 1, ties: false, anew: false, parallel: false };

fn search(position: &Position, depth: u32, width: usize, parallel: bool) -> BestTurn {
    let settings = AlphaBeta { depth: Depth::Stones(depth), width, parallel, ..SETTINGS };
    let noise = Noise::new(position.rules().cells(), 5);
    settings
        .search(
            position,
            &mut Hashed { seen: None },
            &noise,
            &Budget::default().start(1),
            0,
            &mut |_| {},
        )
        .expect("the game goes on")
}

fn game() -> impl Strategy<Value = Position> {
    let rules = prop::sample::select(vec![
        "4x3,k=3",
        "4x4,k=3,p=2,q=1",
        "3x3,k=3,p=3,q=2",
        "4x4,k=3,gravity",
        "4x3,k=3,p=2,q=1,gravity",
    ]);
    (rules, prop::collection::vec(0..100_usize, 0..6)).prop_map(|(rules, picks)| {
        let mut position = Position::new(rules.parse().expect("rules"));
        for pick in picks {
            let legal = position.legal_cells();
            position.play(legal[pick % legal.len()]).expect("legal");
            if position.is_over() {
                position.undo();
            }
        }
        position
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn full_width_equals_minimax(position in game(), depth in 1..4_u32) {
        let found = search(&position, depth, usize::MAX, false);
        // The deepening ends early on a decided game, which minimax sees at that depth too.
        prop_assert_eq!(found.score, minimax(&position, found.depth, 0));
        prop_assert!(found.depth == depth || found.score.decided().is_some());
        let mut after = position.clone();
        prop_assert!(collinear_play::play_turn(&mut after, &found.turn).is_ok());
    }

    #[test]
    fn threads_change_nothing(position in game(), depth in 1..5_u32, width in 1..6_usize) {
        let (one, many) = (search(&position, depth, width, false), search(&position, depth, width, true));
        prop_assert_eq!(one.turn, many.turn);
        prop_assert_eq!((one.score, one.line), (many.score, many.line));
    }
}

#[test]
fn no_set_of_stones_is_searched_twice_within_a_turn() {
    let rules: Rules = "3x3,k=3,p=3,q=3".parse().expect("rules");
    let seen = Arc::new(Mutex::new(Vec::new()));
    let settings = AlphaBeta { depth: Depth::Turns(1), width: 9, ..SETTINGS };
    let noise = Noise::new(9, 1);
    let mut appraiser = Hashed { seen: Some(seen.clone()) };
    let mut depths = 0;
    // Forget what shallower iterations saw: only the last one reaches the end of the turn.
    let found = settings.search(
        &Position::new(rules),
        &mut appraiser,
        &noise,
        &Budget::default().start(1),
        0,
        &mut |_| {
            depths += 1;
            if depths < 3 {
                seen.lock().expect("no panic").clear();
            }
        },
    );
    assert_eq!(found.expect("a turn").depth, 3);
    let seen = seen.lock().expect("no panic");
    let different: HashSet<_> = seen.iter().collect();
    assert_eq!(seen.len(), different.len());
    // 9 over 3 sets, less the 8 rows, which end the game before they are judged.
    assert_eq!(seen.len(), 84 - 8);
}

#[test]
fn a_spent_budget_still_gives_a_turn() {
    let position = Position::new(Rules::CONNECT6);
    let budget = Budget::default();
    budget.stop.stop();
    let settings = AlphaBeta { depth: Depth::Stones(5), width: 8, ..SETTINGS };
    let noise = Noise::new(361, 5);
    let found = settings.search(
        &position,
        &mut Hashed { seen: None },
        &noise,
        &budget.start(1),
        0,
        &mut |_| {},
    );
    assert_eq!(found.expect("a turn").turn.len(), 1);
}

#[test]
fn turns_are_counted_in_stones() {
    let mut position = Position::new(Rules::CONNECT6);
    assert_eq!(Depth::Turns(2).stones(&position), 3);
    position.play(Cell::new(0)).expect("legal");
    position.play(Cell::new(1)).expect("legal");
    assert_eq!(Depth::Turns(1).stones(&position), 1);
    assert_eq!(Depth::Turns(3).stones(&position), 5);
}
