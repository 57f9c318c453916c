//! The balanced openings that come with the program.
//!
//! Each file says in its first line which command made it; `docs/arena.md` has what was measured.

use collinear_rules::Rules;

use super::{OpeningError, Openings};

/// A set: its game, the stones of its openings, its text. The first of a game is the usual one.
const SETS: [(Rules, usize, &str); 4] = [
    (Rules::CONNECT6, 5, include_str!("../../openings/connect6-5.txt")),
    (Rules::CONNECT6, 3, include_str!("../../openings/connect6-3.txt")),
    (Rules::GOMOKU, 5, include_str!("../../openings/gomoku-5.txt")),
    (Rules::GOMOKU, 6, include_str!("../../openings/gomoku-6.txt")),
];

/// The set for a game, with this many stones or the usual number.
pub(super) fn balanced(rules: &Rules, stones: Option<usize>) -> Result<Openings, OpeningError> {
    let fits = |set: &&(Rules, usize, &str)| {
        set.0 == *rules && stones.is_none_or(|stones| stones == set.1)
    };
    match SETS.iter().find(fits) {
        Some((_, _, text)) => Openings::from_lines(rules, text.lines()),
        None => Err(OpeningError::NoBalancedSet { rules: *rules, stones }),
    }
}

/// The sets there are, for messages.
pub(super) fn names() -> String {
    SETS.map(|(rules, stones, _)| format!("{rules} with {stones}")).join(", ")
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::sync::Arc;

    use collinear_rules::Geometry;

    use super::super::is_quiet;
    use super::*;

    #[test]
    fn every_set_can_be_played_and_has_no_opening_twice() {
        for (rules, stones, _) in SETS {
            let set = balanced(&rules, Some(stones)).expect("a set");
            let geometry = Arc::new(Geometry::new(rules));
            set.check(&geometry).expect("legal");
            let Openings::List(list) = &set else { panic!("a list") };
            assert!(list.len() >= 18, "{rules}: {}", list.len());
            let mut keys = HashSet::new();
            for round in 0..list.len() as u64 {
                let position = set.start(&geometry, round, 0);
                assert_eq!(position.stone_count(), stones);
                assert!(is_quiet(&position));
                assert!(keys.insert(position.canonical_key()), "{rules}: opening {round} again");
            }
        }
    }

    #[test]
    fn games_without_a_set_are_told_so() {
        let refusal = balanced(&Rules::CONNECT4, None).expect_err("none");
        assert!(refusal.to_string().contains("collinear openings"), "{refusal}");
        assert!(balanced(&Rules::GOMOKU, Some(3)).is_err());
        assert!(balanced(&Rules::CONNECT6, None).is_ok());
    }
}
