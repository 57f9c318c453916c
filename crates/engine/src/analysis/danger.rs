//! What the opponent threatens: how he would win if it were his turn. The question behind every
//! quiet turn, and what tells a threat that was overlooked from a win that was allowed.

use collinear_play::{Budget, StopFlag, Turn};
use collinear_rules::{Outcome, Player, Position, Setup};
use collinear_windows::Windows;

use crate::tactics::Tactics;

/// Turns of more discs have too many orders to try them all.
const MAX_DISCS: usize = 2;

/// A win that the opponent would have if the player to move passed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Danger {
    /// The opponent.
    pub player: Player,
    /// The turn he would play.
    pub turn: Turn,
    /// His turns to the row, that one included; with 1 the row is completed at once.
    pub turns: u16,
}

/// What the opponent of the player to move threatens: a row at once, found for certain, else (without
/// gravity, where stones lie where they are put) a win by threats that this many positions prove.
pub fn danger(position: &Position, nodes: u64, stop: &StopFlag) -> Option<Danger> {
    let passed = passed(position)?;
    let player = passed.to_move();
    if let Some(turn) = row(&passed) {
        return Some(Danger { player, turn, turns: 1 });
    }
    if passed.rules().gravity() {
        return None;
    }
    let budget = Budget { stop: stop.clone(), ..Budget::default() };
    let proof = Tactics::new(passed.rules()).win(&passed, nodes, &budget.start(1))?;
    Some(Danger { player, turn: proof.turn.clone(), turns: proof.turns() })
}

/// The same stones with the opponent to begin a whole turn; nothing where that is no position.
pub fn passed(position: &Position) -> Option<Position> {
    let (rules, player) = (*position.rules(), position.to_move().opponent());
    let left = rules.p().min(position.empty_count());
    if position.is_over() || left < rules.p() {
        return None;
    }
    let stones = |player| position.stones(player).collect();
    let setup = Setup {
        black: stones(Player::Black),
        white: stones(Player::White),
        to_move: Some((player, left)),
    };
    Position::from_setup(rules, &setup).ok()
}

/// A turn that completes a row at once, if there is one.
pub fn row(position: &Position) -> Option<Turn> {
    if position.rules().gravity() {
        return drops(position, position.stones_left().min(MAX_DISCS));
    }
    let (player, left) = (position.to_move(), position.stones_left());
    let windows = Windows::of(position);
    windows.windows_within(player, left).find_map(|window| {
        let cells = position.geometry().window_cells(window);
        let turn: Turn = cells.iter().copied().filter(|cell| position.is_empty(*cell)).collect();
        let mut after = position.clone();
        let played = turn.iter().all(|&cell| after.is_over() || after.play(cell).is_ok());
        (played && after.outcome() == Outcome::Won(player)).then_some(turn)
    })
}

/// The same with gravity, where a cell may be out of reach: discs are tried.
fn drops(position: &Position, most: usize) -> Option<Turn> {
    let player = position.to_move();
    position.legal_cells().into_iter().find_map(|cell| {
        let mut after = position.clone();
        after.play(cell).ok()?;
        if after.outcome() == Outcome::Won(player) {
            return Some(vec![cell]);
        }
        if most < 2 || after.is_over() || after.to_move() != player {
            return None;
        }
        let rest = drops(&after, most - 1)?;
        Some([vec![cell], rest].concat())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Cell, Rules, notation};
    use proptest::prelude::*;

    fn position(rules: Rules, moves: &str) -> Position {
        let at = |name| notation::parse(&rules, name).expect(name);
        let moves: Vec<Cell> = moves.split_whitespace().map(at).collect();
        Position::from_moves(rules, &moves).expect("legal")
    }

    fn threatens(position: &Position) -> Option<(String, u16)> {
        let danger = danger(position, 5_000, &StopFlag::default())?;
        Some((notation::names(position.rules(), &danger.turn), danger.turns))
    }

    #[test]
    fn a_four_an_open_three_and_a_disc_are_seen() {
        let four = position(Rules::GOMOKU, "h8 a1 i8 a3 g8 a5 f8 j8");
        assert_eq!(threatens(&four), None, "White has nothing");
        let four = position(Rules::GOMOKU, "h8 a1 i8 a3 g8 a5 f8");
        assert_eq!(threatens(&four), Some(("e8".to_owned(), 1)));
        let three = position(Rules::GOMOKU, "h8 a1 i8 a3 g8");
        assert!(threatens(&three).is_some_and(|(_, turns)| turns == 2));
        let discs = position(Rules::CONNECT4, "d1 a1 d2 a2 d3");
        assert_eq!(threatens(&discs), Some(("d4".to_owned(), 1)));
        // The fourth cell of the row is out of reach yet.
        let high = position(Rules::CONNECT4, "a1 a2 b1 b2 c1 c2");
        assert_eq!(threatens(&high), None);
    }

    #[test]
    fn two_stones_per_turn_need_four_of_six() {
        let four = position(Rules::CONNECT6, "h10 a1 c1 i10 j10 e1 g1 k10 s19");
        assert!(threatens(&four).is_some_and(|(_, turns)| turns == 1));
        // Within a turn, too.
        let within = position(Rules::CONNECT6, "h10 a1 c1 i10 j10 e1 g1 k10 s19 s1");
        assert!(threatens(&within).is_some_and(|(_, turns)| turns == 1));
        assert_eq!(threatens(&position(Rules::CONNECT6, "h10 a1 c1")), None);
    }

    /// Whether any turn of the player to move completes a row, by trying all.
    fn any_row(position: &Position) -> bool {
        let player = position.to_move();
        position.legal_cells().into_iter().any(|cell| {
            let mut after = position.clone();
            after.play(cell).is_ok()
                && (after.outcome() == Outcome::Won(player)
                    || !after.is_over() && after.to_move() == player && any_row(&after))
        })
    }

    proptest! {
        #[test]
        fn rows_are_found_exactly_where_trying_everything_finds_them(
            game in proptest::sample::select(vec![
                "7x6,k=4,gravity", "6x5,k=4", "6x6,k=4,p=2,q=1", "5x5,k=4,p=2,q=1,gravity", "6x5,k=4,exact",
            ]),
            seeds in proptest::collection::vec(0_usize..1000, 0..16),
        ) {
            let rules: Rules = game.parse().expect("a game");
            let mut position = Position::new(rules);
            for seed in seeds {
                let legal = position.legal_cells();
                position.play(legal[seed % legal.len()]).expect("legal");
                if position.is_over() {
                    return Ok(());
                }
            }
            prop_assert_eq!(row(&position).is_some(), any_row(&position));
            if let Some(turn) = row(&position) {
                let player = position.to_move();
                for cell in turn {
                    position.play(cell).expect("legal");
                }
                prop_assert_eq!(position.outcome(), Outcome::Won(player));
            }
        }
    }
}
