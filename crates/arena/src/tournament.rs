//! Tournament files: who plays what, in TOML.
//!
//! ```toml
//! game = "9x9,k=5"
//! games = 20                  # per matchup
//! format = "round-robin"      # or "gauntlet": the first agent against all others
//! agents = ["random", "kate@depth=3"]
//! limits = "100ms"            # optional: for all who have none of their own
//! openings = "random:3"       # optional
//! first-move = "alternating"  # optional, or "fixed"
//! max-stones = 60             # optional
//! dead-draws = true           # optional
//! seed = 1                    # optional
//! ```

use collinear_play::Registry;
use serde::Deserialize;
use toml::Spanned;

use crate::adjudication::Adjudication;
use crate::plan::{Contestant, FirstMove, Format, Plan};
use crate::spec_file::{FileError, Source};

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct File {
    game: Spanned<String>,
    games: Spanned<u64>,
    #[serde(default)]
    format: Format,
    agents: Spanned<Vec<Spanned<String>>>,
    limits: Option<Spanned<String>>,
    openings: Option<Spanned<String>>,
    #[serde(default)]
    first_move: FirstMove,
    max_stones: Option<usize>,
    #[serde(default)]
    dead_draws: bool,
    #[serde(default = "one")]
    seed: u64,
}

const fn one() -> u64 {
    1
}

/// Reads a tournament file: the plan and the games a matchup.
pub fn parse(name: &str, text: &str, registry: &Registry) -> Result<(Plan, u64), FileError> {
    let source = Source { file: name, text };
    let file: File = source.read()?;
    let rules = source.rules(file.game.get_ref(), &file.game.span())?;
    let common = source.limits(file.limits.as_ref())?;
    let openings = source.openings(&rules, file.openings.as_ref())?;
    let games = source.games(&file.games)?;
    let mut contestants = Vec::new();
    for agent in file.agents.get_ref() {
        let complain = |message: String| source.error(&agent.span(), message);
        let contestant = Contestant::parse(registry, agent.get_ref(), common)
            .map_err(|error| complain(error.to_string()))?;
        contestant.agent.build(&rules, 0).map_err(|error| complain(error.to_string()))?;
        contestants.push(contestant);
    }
    Contestant::tell_apart(&mut contestants);
    let plan = Plan {
        rules,
        contestants,
        format: file.format,
        first_move: file.first_move,
        openings,
        adjudication: Adjudication {
            max_stones: file.max_stones,
            dead_draws: file.dead_draws,
            score: None,
        },
        seed: file.seed,
    };
    plan.check(games).map_err(|error| source.error(&file.agents.span(), error.to_string()))?;
    Ok((plan, games))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::registry;

    const GOOD: &str = "game = \"connect4\"\ngames = 6\nformat = \"gauntlet\"\n\
        limits = \"nodes=9\"\nagents = [\n  \"dice\",\n  \"dice:share=0.2@depth=2\",\n  \"dice\",\n]\n";

    #[test]
    fn a_file_becomes_a_plan() {
        let (plan, games) = parse("cup.toml", GOOD, &registry()).expect("good");
        assert_eq!((games, plan.format, plan.seed), (6, Format::Gauntlet, 1));
        let labels: Vec<_> = plan.contestants.iter().map(|c| c.label.as_str()).collect();
        assert_eq!(labels, ["dice", "dice:share=0.2@depth=2", "dice #2"]);
        assert_eq!(plan.contestants[0].control.nodes, Some(9));
        assert_eq!(plan.contestants[1].control.depth, Some(2));
    }

    #[test]
    fn complaints_name_the_line() {
        for (from, to, line, words) in [
            ("games = 6", "games = 99999999999", 2, "1 to 10000000"),
            ("games = 6", "games = -1", 2, ""),
            ("gauntlet", "cup", 3, "`round-robin` or `gauntlet`"),
            ("nodes=9", "nodes=x", 4, "whole number"),
            ("\"dice\",\n]", "\"dise\",\n]", 8, "did you mean dice?"),
            ("connect4", "3x3,k=9", 1, "does not fit"),
            ("limits", "limit", 4, "unknown field `limit`"),
        ] {
            let error = parse("cup.toml", &GOOD.replacen(from, to, 1), &registry()).expect_err(to);
            assert_eq!(error.line, line, "{error}");
            assert!(error.message.contains(words), "{error}");
        }
        let lonely = GOOD.replace("  \"dice:share=0.2@depth=2\",\n  \"dice\",\n", "");
        let error = parse("cup.toml", &lonely, &registry()).expect_err("one agent");
        assert!(error.message.contains("at least two"), "{error}");
    }
}
