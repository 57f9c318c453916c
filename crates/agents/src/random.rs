//! Uniformly random stones: the yardstick below every other player, and the `random` player of
//! document 003.
//!
//! Each stone of a turn is drawn from all legal cells (with gravity: from all columns that have
//! room) with the same chance. The seed decides the whole game.

use collinear_play::{Agent, AgentSpec, BuildError, Options, agent_fn, stone_by_stone};
use collinear_rules::Rules;
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "any legal stone, all with the same chance",
    source: "document 003, player functions",
    ..AgentSpec::new("random", build)
};

fn build(_: &Rules, _: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    Ok(Box::new(agent_fn(move |position, _| {
        stone_by_stone(position, |ahead| ahead.legal_cells().choose(&mut rng).copied())
    })))
}

#[cfg(test)]
mod tests {
    use collinear_play::{AgentError, Budget, Turn};
    use collinear_rules::Position;

    use super::*;

    fn first_turns(rules: Rules, seed: u64, count: usize) -> Vec<Turn> {
        let mut agent = build(&rules, &Options::defaults(&[]), seed).expect("no options");
        let empty = Position::new(rules);
        let mut turn = || agent.choose(&empty, &Budget::default(), &mut |_| {}).expect("a turn");
        (0..count).map(|_| turn()).collect()
    }

    #[test]
    fn the_seed_decides() {
        assert_eq!(first_turns(Rules::CONNECT6, 7, 50), first_turns(Rules::CONNECT6, 7, 50));
        assert_ne!(first_turns(Rules::CONNECT6, 7, 50), first_turns(Rules::CONNECT6, 8, 50));
    }

    #[test]
    fn every_column_has_the_same_chance() {
        let mut counts = [0_u32; 7];
        for turn in first_turns(Rules::CONNECT4, 1, 7000) {
            counts[Rules::CONNECT4.column(turn[0])] += 1;
        }
        // 1000 expected with a standard deviation of 29.
        assert!(counts.iter().all(|count| (850..1150).contains(count)), "{counts:?}");
    }

    #[test]
    fn a_turn_has_all_its_stones_and_ends_with_the_board() {
        let rules: Rules = "3x3,k=3,p=4,q=7".parse().expect("rules");
        for turn in first_turns(rules, 3, 20) {
            let position = Position::from_moves(rules, &turn).expect("legal");
            assert!(turn.len() == 7 || position.is_over());
        }
        let full = Position::from_moves(
            "1x1,k=1".parse().expect("rules"),
            &[collinear_rules::Cell::new(0)],
        );
        let mut agent = build(&Rules::TICTACTOE, &Options::defaults(&[]), 0).expect("no options");
        let answer = agent.choose(&full.expect("legal"), &Budget::default(), &mut |_| {});
        assert_eq!(answer, Err(AgentError::GameOver));
    }
}
