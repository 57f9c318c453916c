//! Which agents the page suggests: strengths to play against, and who analyses.

use collinear_play::{AgentSpec, Kind, Registry};
use collinear_rules::Rules;

use crate::wire::Level;

/// The flagship, whose option `level` makes the ladder of strengths.
const FLAGSHIP: &str = "sextant";
const LEVEL: &str = "level";
/// Without the flagship the ladder is made of whole agents, weak to strong.
const LADDER: [&str; 4] = ["random", "adjacent", "sequences", "perfect"];
/// Who analyses, best first.
const ANALYSTS: [&str; 3] = ["perfect", FLAGSHIP, "sequences"];

/// Opponents from weak to strong; empty when no agent plays the game.
pub(crate) fn levels(registry: &Registry, rules: &Rules) -> Vec<Level> {
    let flagship = playing(registry, FLAGSHIP, rules)
        .and_then(|spec| spec.options().iter().find(|option| option.name == LEVEL));
    if let Some(Kind::Int { min, max, .. }) = flagship.map(|option| option.kind) {
        return (min..=max)
            .map(|level| Level {
                label: format!("Level {level}"),
                spec: format!("{FLAGSHIP}:{LEVEL}={level}"),
            })
            .collect();
    }
    let ladder: Vec<_> = LADDER.iter().filter_map(|name| playing(registry, name, rules)).collect();
    let agents = if ladder.is_empty() { all_playing(registry, rules).collect() } else { ladder };
    agents
        .iter()
        .enumerate()
        .map(|(at, spec)| Level {
            label: format!("Level {}: {}", at + 1, spec.name()),
            spec: spec.name().to_owned(),
        })
        .collect()
}

/// Who gives hints and analyses this game.
pub(crate) fn analyst(registry: &Registry, rules: &Rules) -> Option<String> {
    ANALYSTS
        .iter()
        .find_map(|name| playing(registry, name, rules))
        .or_else(|| all_playing(registry, rules).find(|spec| spec.takes_wins()))
        .map(|spec| spec.name().to_owned())
}

/// The agents that play a game.
pub(crate) fn all_playing<'a>(
    registry: &'a Registry,
    rules: &'a Rules,
) -> impl Iterator<Item = &'static dyn AgentSpec> + 'a {
    registry.iter().filter(|spec| spec.games().check(spec.name(), rules).is_ok())
}

fn playing(registry: &Registry, name: &str, rules: &Rules) -> Option<&'static dyn AgentSpec> {
    all_playing(registry, rules).find(|spec| spec.name() == name)
}
