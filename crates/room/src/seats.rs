//! What a page may put on a seat: agents of the registry, within limits, and no files.
//!
//! A page is text from outside. An agent it names must play the game, may take only so much of
//! what everybody shares, and may not make the server open a file; what holds for an agent holds
//! for every agent named in its options.

use collinear_play::{AgentChoice, Kind, Registry, Seat};
use collinear_rules::Rules;
use thiserror::Error;

use crate::text::one_line;
use crate::wire;

/// What a page may give an agent: memory (in MiB) and threads are everybody's.
const MAX_OPTIONS: [(&str, i64); 2] = [("memory", 256), ("threads", 64)];
/// Agents that ask agents that ask agents.
const MAX_NESTING: usize = 4;
/// The longest name of a seat.
const MAX_LABEL: usize = 60;

/// Why an agent may not sit down.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum SeatError {
    /// No such agent, or a wrong option.
    #[error(transparent)]
    Spec(#[from] collinear_play::SpecError),
    /// It plays other games.
    #[error(transparent)]
    Unsupported(#[from] collinear_play::Unsupported),
    /// It would read a file.
    #[error("{agent}: the page cannot name files: {option} can only be set on the command line")]
    File {
        /// The agent.
        agent: &'static str,
        /// The option.
        option: &'static str,
    },
    /// It would take too much.
    #[error("{agent}: {option} may be at most {most} on the page")]
    TooMuch {
        /// The agent.
        agent: &'static str,
        /// The option.
        option: &'static str,
        /// The limit.
        most: i64,
    },
    /// Agents within agents without end.
    #[error("an agent may ask another one, but at most {MAX_NESTING} deep")]
    Nesting,
}

/// The seat as it will be used, with a name that fits on one line.
pub fn seat(registry: &Registry, rules: &Rules, seat: wire::Seat) -> Result<Seat, SeatError> {
    let wire::Seat::Agent { spec, label } = seat else { return Ok(Seat::Person) };
    let choice = registry.parse(&spec)?;
    check(registry, rules, &choice, MAX_NESTING)?;
    let label = one_line(if label.trim().is_empty() { &spec } else { &label }, MAX_LABEL);
    Ok(Seat::Agent { spec, label })
}

fn check(
    registry: &Registry,
    rules: &Rules,
    choice: &AgentChoice,
    nesting: usize,
) -> Result<(), SeatError> {
    let agent = choice.spec.name;
    choice.spec.plays(rules)?;
    for option in choice.spec.options {
        match option.kind {
            Kind::File if !choice.options.text(option.name).is_empty() => {
                return Err(SeatError::File { agent, option: option.name });
            }
            Kind::Agent { .. } => {
                let nesting = nesting.checked_sub(1).ok_or(SeatError::Nesting)?;
                let inner = registry.parse(choice.options.text(option.name))?;
                check(registry, rules, &inner, nesting)?;
            }
            Kind::Int { .. } => {
                let limit = MAX_OPTIONS.iter().find(|(name, _)| *name == option.name);
                if let Some(&(_, most)) = limit
                    && choice.options.int(option.name) > most
                {
                    return Err(SeatError::TooMuch { agent, option: option.name, most });
                }
            }
            _ => {}
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(spec: &str) -> String {
        let wanted = wire::Seat::Agent { spec: spec.to_owned(), label: String::new() };
        match seat(&collinear_agents::registry(), &Rules::CONNECT6, wanted) {
            Ok(_) => String::new(),
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn limits_hold_however_deep_an_agent_is_named() {
        assert_eq!(refusal("sextant:level=3"), "");
        assert_eq!(refusal("book:then=(sextant:memory=64)"), "");
        assert!(refusal("sextant:memory=4096").contains("at most 256"));
        assert!(refusal("book:then=(sextant:memory=4096,threads=256)").contains("at most"));
        assert!(refusal("book:then=(book:then=(sextant:threads=256))").contains("at most 64"));
        assert!(refusal("book:then=(perfect)").contains("does not play"));
        let deep = (0..9).fold("random".to_owned(), |inner, _| format!("book:then=({inner})"));
        assert!(refusal(&deep).contains("deep"), "{}", refusal(&deep));
    }

    #[test]
    fn no_file_is_opened_for_a_page() {
        for spec in [
            "sextant:weights=/dev/zero",
            "book:file=/etc/hostname",
            "book:then=(sextant:weights=/etc/hostname)",
            "book:then=(book:file='/nowhere')",
        ] {
            let why = refusal(spec);
            assert!(why.contains("cannot name files"), "{spec}: {why}");
        }
    }

    #[test]
    fn names_are_one_line() {
        let wanted = wire::Seat::Agent { spec: "random".into(), label: "a\u{1b}[31m\nb".into() };
        let seat = seat(&collinear_agents::registry(), &Rules::CONNECT6, wanted).expect("a seat");
        assert_eq!(seat, Seat::Agent { spec: "random".into(), label: "a [31m b".into() });
    }
}
