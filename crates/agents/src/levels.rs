//! Strengths to choose instead of an agent and its options, and the strongest agent of a game. The
//! page, the terminal and the protocols all ask here.

use collinear_play::{AgentSpec, Kind, Registry};
use collinear_rules::Rules;

/// A strength to play against.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Level {
    /// From 1.
    pub number: u32,
    /// What a person reads: `Beginner`.
    pub name: &'static str,
    /// The agent it stands for.
    pub spec: String,
    /// Elo above level 1, where it was measured: docs/strength.md has the matches.
    pub elo: Option<u32>,
}

/// The flagship, whose option `level` makes the ladder of strengths.
const FLAGSHIP: &str = "sextant";
const LEVEL: &str = "level";
/// Its levels with their Elo above the first in Connect6, from matches against the one below; the last
/// with 1,200 visits per turn.
const FLAGSHIP_LADDER: [(&str, u32); 10] = [
    ("Beginner", 0),
    ("Novice", 251),
    ("Casual", 516),
    ("Intermediate", 788),
    ("Club player", 1039),
    ("Strong club player", 1304),
    ("Advanced", 1624),
    ("Expert", 1856),
    ("Master", 2167),
    ("Full strength", 2669),
];
/// Connect Four has a ladder of its own: from any column over a few plies to perfect play.
const COLUMNS_LADDER: [(&str, &str); 8] = [
    ("Any column", "random"),
    ("Sees 1 ply", "karplus:plies=1,eval=fevalc"),
    ("Sees 2 plies", "karplus:plies=2,eval=fevalc"),
    ("Sees 3 plies", "karplus:plies=3,eval=fevalc"),
    ("Sees 4 plies", "karplus:plies=4,eval=fevalc"),
    ("Sees 6 plies", "karplus:plies=6,eval=fevalc"),
    ("Expert", "kate:time=2s"),
    ("Perfect", "perfect"),
];
/// Who plays best, the first that knows the game: the solver where it knows the game.
const STRONGEST: [&str; 3] = ["perfect", FLAGSHIP, "sequences"];

/// Opponents from weak to strong; empty when no agent plays the game.
pub fn levels(registry: &Registry, rules: &Rules) -> Vec<Level> {
    let plays =
        |spec: &str| registry.parse(spec).is_ok_and(|choice| choice.spec.plays(rules).is_ok());
    if rules.gravity() && COLUMNS_LADDER.iter().all(|(_, spec)| plays(spec)) {
        return (1..)
            .zip(COLUMNS_LADDER)
            .map(|(number, (name, spec))| Level { number, name, spec: spec.to_owned(), elo: None })
            .collect();
    }
    let option = playing(registry, rules)
        .find(|spec| spec.name == FLAGSHIP)
        .and_then(|spec| spec.option(LEVEL));
    if let Some(Kind::Int { min: 1, max, .. }) = option.map(|option| option.kind) {
        return (1..=max as u32)
            .zip(FLAGSHIP_LADDER)
            .map(|(number, (name, elo))| Level {
                number,
                name,
                spec: format!("{FLAGSHIP}:{LEVEL}={number}"),
                // Measured in Connect6; elsewhere only the order is known.
                elo: (*rules == Rules::CONNECT6).then_some(elo),
            })
            .collect();
    }
    (1..)
        .zip(playing(registry, rules))
        .map(|(number, spec)| Level {
            number,
            name: spec.name,
            spec: spec.name.to_owned(),
            elo: None,
        })
        .collect()
}

/// Who plays a game best, gives its hints and analyses it; nobody when no agent is fit for that.
pub fn strongest(registry: &Registry, rules: &Rules) -> Option<&'static AgentSpec> {
    let named =
        STRONGEST.iter().find_map(|name| playing(registry, rules).find(|spec| spec.name == *name));
    named.or_else(|| playing(registry, rules).find(|spec| spec.takes_wins))
}

/// The agents that play a game.
pub fn playing<'a>(
    registry: &'a Registry,
    rules: &'a Rules,
) -> impl Iterator<Item = &'static AgentSpec> + 'a {
    registry.iter().filter(|spec| spec.plays(rules).is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_names_an_agent_that_plays_the_game() {
        let registry = crate::registry();
        for (name, rules) in Rules::PRESETS {
            let levels = levels(&registry, &rules);
            assert!(levels.len() >= 3, "{name}: {levels:?}");
            for (number, level) in (1..).zip(levels) {
                let choice = registry.parse(&level.spec).expect(&level.spec);
                assert!(choice.spec.plays(&rules).is_ok() && level.number == number);
            }
            assert!(strongest(&registry, &rules).is_some(), "{name}");
        }
    }

    #[test]
    fn the_flagship_has_a_name_for_each_of_its_levels() {
        let registry = crate::registry();
        let option = registry.get(FLAGSHIP).and_then(|spec| spec.option(LEVEL));
        let Some(Kind::Int { min, max, .. }) = option.map(|option| option.kind) else {
            panic!("the flagship has levels");
        };
        assert_eq!((min, max as usize), (1, FLAGSHIP_LADDER.len()));
    }

    #[test]
    fn the_solver_is_asked_where_it_plays() {
        let registry = crate::registry();
        let name = |rules: &Rules| strongest(&registry, rules).map(|spec| spec.name);
        assert_eq!(name(&Rules::CONNECT4), Some("perfect"));
        assert_eq!(name(&Rules::CONNECT6), Some("sextant"));
    }
}
