//! Which agents the page suggests: strengths to play against, and who analyses.

use collinear_play::{AgentSpec, Kind, Registry};
use collinear_rules::Rules;

use crate::wire::Level;

/// The flagship, whose option `level` makes the ladder of strengths.
const FLAGSHIP: &str = "sextant";
const LEVEL: &str = "level";
/// Connect Four has a ladder of its own: from dice over a few plies to perfect play.
const COLUMNS_LADDER: [&str; 8] = [
    "random",
    "karplus:plies=1,eval=fevalc",
    "karplus:plies=2,eval=fevalc",
    "karplus:plies=3,eval=fevalc",
    "karplus:plies=4,eval=fevalc",
    "karplus:plies=6,eval=fevalc",
    "kate:time=2s",
    "perfect",
];
/// Who analyses, best first.
const ANALYSTS: [&str; 3] = ["perfect", FLAGSHIP, "sequences"];

/// Opponents from weak to strong; empty when no agent plays the game.
pub(crate) fn levels(registry: &Registry, rules: &Rules) -> Vec<Level> {
    let plays =
        |spec: &str| registry.parse(spec).is_ok_and(|choice| choice.spec.plays(rules).is_ok());
    if rules.gravity() && COLUMNS_LADDER.iter().all(|spec| plays(spec)) {
        return COLUMNS_LADDER
            .iter()
            .enumerate()
            .map(|(at, spec)| level(at as i64 + 1, spec))
            .collect();
    }
    let flagship = playing(registry, FLAGSHIP, rules).and_then(|spec| spec.option(LEVEL));
    if let Some(Kind::Int { min, max, .. }) = flagship.map(|option| option.kind) {
        return (min..=max).map(|at| level(at, &format!("{FLAGSHIP}:{LEVEL}={at}"))).collect();
    }
    let agents = all_playing(registry, rules);
    agents.enumerate().map(|(at, spec)| level(at as i64 + 1, spec.name)).collect()
}

fn level(number: i64, spec: &str) -> Level {
    Level { label: format!("Level {number}"), spec: spec.to_owned() }
}

/// Who gives hints and analyses this game.
pub(crate) fn analyst(registry: &Registry, rules: &Rules) -> Option<String> {
    ANALYSTS
        .iter()
        .find_map(|name| playing(registry, name, rules))
        .or_else(|| all_playing(registry, rules).find(|spec| spec.takes_wins))
        .map(|spec| spec.name.to_owned())
}

/// The agents that play a game.
pub(crate) fn all_playing<'a>(
    registry: &'a Registry,
    rules: &'a Rules,
) -> impl Iterator<Item = &'static AgentSpec> + 'a {
    registry.iter().filter(|spec| spec.plays(rules).is_ok())
}

fn playing(registry: &Registry, name: &str, rules: &Rules) -> Option<&'static AgentSpec> {
    all_playing(registry, rules).find(|spec| spec.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_names_an_agent_that_plays_the_game() {
        let registry = collinear_agents::registry();
        for (name, rules) in Rules::PRESETS {
            let levels = levels(&registry, &rules);
            assert!(levels.len() >= 3, "{name}: {levels:?}");
            for level in levels {
                let choice = registry.parse(&level.spec).expect(&level.spec);
                assert!(choice.spec.plays(&rules).is_ok());
            }
            assert!(analyst(&registry, &rules).is_some(), "{name}");
        }
    }
}
