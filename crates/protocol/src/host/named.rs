//! Engines the user has given a name: rows of the registry like any other.
//!
//! A named engine is the row of external engines with other defaults. What is run is fixed: each of
//! those options has one value only, so that a name may be offered to people who must not run
//! commands of their own, as on the page.

use collinear_play::{AgentSpec, Games, Kind, OptionSpec};
use collinear_rules::Rules;

use super::{EXTERNAL, EngineConfig};
use crate::Protocol;

/// The registry's row for a named engine. A registry lives as long as the program, and so do its
/// rows: call this once for each engine.
pub fn named_engine(name: &str, config: &EngineConfig) -> &'static AgentSpec {
    let fixed = [
        ("cmd", config.command.clone()),
        ("protocol", config.protocol.name().to_owned()),
        ("dir", text(config.folder.as_deref())),
        ("init", config.init.join(";")),
        ("log", text(config.log.as_deref())),
    ];
    let options: Vec<OptionSpec> = EXTERNAL
        .options
        .iter()
        .map(|option| match fixed.iter().find(|(name, _)| *name == option.name) {
            Some((_, value)) => OptionSpec { kind: only(value), help: "fixed", ..*option },
            None => *option,
        })
        .collect();
    let protocol = config.protocol;
    Box::leak(Box::new(AgentSpec {
        name: kept(name),
        summary: kept(&format!("your {protocol} engine: {}", config.command)),
        source: "your engines",
        options: Box::leak(options.into_boxed_slice()),
        games: usual_games(protocol),
        ..EXTERNAL
    }))
}

fn text(path: Option<&std::path::Path>) -> String {
    path.map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

fn kept(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

/// The kind of an option that cannot be set.
fn only(value: &str) -> Kind {
    let value = kept(value);
    Kind::Choice { values: Box::leak(Box::new([value])), default: value }
}

/// What engines of a protocol play unless they say otherwise, which these protocols have no words
/// for.
const fn usual_games(protocol: Protocol) -> Games {
    match protocol {
        Protocol::Cloudict | Protocol::Sau => Games::Only(is_connect6, "Connect6"),
        Protocol::Gomocup => Games::Only(is_five_in_a_row, "five in a row"),
        Protocol::Ugi => Games::All,
    }
}

fn is_connect6(rules: &Rules) -> bool {
    (rules.k(), rules.p(), rules.q(), rules.gravity()) == (6, 2, 1, false)
        && Protocol::Cloudict.check(rules).is_ok()
}

fn is_five_in_a_row(rules: &Rules) -> bool {
    (rules.k(), rules.p(), rules.q(), rules.gravity()) == (5, 1, 1, false)
}

#[cfg(test)]
mod tests {
    use collinear_play::Registry;

    use super::*;

    #[test]
    fn what_a_named_engine_runs_cannot_be_changed() {
        let config = EngineConfig::new("/opt/engines/mine --fast", Protocol::Gomocup);
        let registry = Registry::new(vec![named_engine("mine", &config)]);
        let choice = registry.parse("mine:move=5s").expect("a time may be set");
        assert_eq!(choice.options.text("cmd"), config.command);
        assert_eq!(registry.parse("engine:mine").expect("the long way").spec.name, "mine");
        for bad in
            ["mine:cmd=rm", "mine:dir=/", "mine:init=x", "mine:log=/tmp/x", "mine:protocol=ugi"]
        {
            let refusal = registry.parse(bad).err().map(|error| error.to_string());
            assert!(refusal.is_some_and(|words| words.contains("not allowed")), "{bad}");
        }
        assert!(choice.spec.plays(&Rules::GOMOKU).is_ok());
        assert!(choice.spec.plays(&Rules::CONNECT6).is_err());
    }
}
