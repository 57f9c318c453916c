//! *Sextant*, the flagship player for boards without gravity: the options of
//! `collinear_engine::Engine` behind the seam of agents.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use collinear_engine::analysis::Watch;
use collinear_engine::net::Net;
use collinear_engine::{Engine, Feature, Features, LineNet, Searcher, Settings, Weights};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, OptionSpec, Options, Report, SpecError, Turn,
    read_file,
};
use collinear_rules::{Position, Rules};

use crate::coached::Coached;
use crate::parameters;

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::int("level", 1..=10, 10)
        .help("strength; 10 is full strength, a beginner can beat 1"),
    OptionSpec::choice("search", &["best", "network", "alphabeta"], "best")
        .help(
            "best: the network search in Connect6 (six in a row, two stones per turn), alpha-beta guided by \
             a network in Gomoku, any board; alpha-beta elsewhere",
        ),
    OptionSpec::time("time", None).help("the most time for a turn, whatever else limits it"),
    OptionSpec::int("nodes", 0..=1_000_000_000_000, 0)
        .help("the most nodes for a turn; 0 means no limit"),
    OptionSpec::int("depth", 0..=128, 0).help("the deepest search, in stones; 0 means no limit"),
    OptionSpec::int("threads", 1..=256, 1)
        .help("threads that search together; more than one makes turns unrepeatable"),
    OptionSpec::int("memory", 1..=4096, 64)
        .help("transposition table, in MiB; short turns use less"),
    OptionSpec::int("width", 1..=64, 24).help("first stones of a turn tried at each position"),
    OptionSpec::int("next-width", 1..=64, 12).help("later stones of a turn tried"),
    OptionSpec::int("leaf-effort", 0..=16, 2)
        .help("proof search at the horizon: 2 to this power nodes"),
    OptionSpec::int("near-effort", 0..=24, 8)
        .help("proof search where the opponent answers our turn: 2 to this power nodes"),
    OptionSpec::choice("eval", &["best", "combinations"], "best").help(
        "what a position is worth: best, in Gomoku and Renju, is line patterns that the network taught; \
         combinations of lines do without",
    ),
    OptionSpec::file("weights").help(
        "a file of weights instead of the shipped ones: a network from `train/`, line \
         patterns from `collinear fit weights`, or an evaluation from `collinear fit evaluation`",
    ),
    OptionSpec::file("params").help(
        "a file of parameters (`name = value` lines) instead of the release's numbers: \
         `collinear tune sextant --spsa` writes one, `--list` there shows all",
    ),
    OptionSpec::choice("coach", &["none", "losses", "mistakes", "inaccuracies"], "none").help(
        "obeys a coach at full strength who warns of so much, as the page's does, and plays something else then",
    ),
    OptionSpec::int("coach-nodes", 1..=1_000_000, 1_500)
        .help("positions (visits of the network search) that the coach looks at before and after a turn"),
    OptionSpec::text("off", "").help(
        "parts of the search to switch off, joined by +, to measure what they are worth: \
         table, aspiration, reductions, history, root-proof, tree-proof, verify, \
         futility, extensions, zone, quiet",
    ),
];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "the flagship: a network search (Connect6), alpha-beta with a network (Gomoku) or with fitted line patterns, and proofs by threats",
    options: OPTIONS,
    takes_wins: true,
    ..AgentSpec::new("sextant", build)
};

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    let number = |name: &str| options.int(name) as usize;
    let settings = Settings {
        first_width: number("width"),
        next_width: number("next-width"),
        memory: number("memory"),
        threads: number("threads"),
        level: number("level") as u8,
        leaf_effort: number("leaf-effort") as u8,
        near_effort: number("near-effort") as u8,
        features: features(options.text("off"))?,
        searcher: match options.text("search") {
            "alphabeta" => Searcher::AlphaBeta,
            "network" => Searcher::Network,
            _ => Searcher::Best,
        },
    };
    let weights = match options.text("eval") {
        "combinations" => Weights::for_rules(rules).with_learned(None),
        _ => Weights::for_rules(rules),
    };
    let with = |weights| Engine::with_weights(rules, settings, seed, Arc::new(weights));
    if settings.threads > 1 && !is_room(&settings) {
        return Err(BuildError::Other(format!(
            "sextant:threads={}: there is not enough memory for them: fewer threads, or a smaller memory=",
            settings.threads
        )));
    }
    let params = match options.text("params") {
        "" => None,
        path => Some(
            parameters::read(path)
                .map_err(|error| BuildError::Other(format!("sextant:params={path}: {error}")))?,
        ),
    };
    let engine = match files(rules, options.text("weights"))? {
        Loaded::Nothing => with(weights),
        Loaded::Learned(net) => with(weights.with_learned(Some(net))),
        Loaded::Patterns(weights) => {
            // Whoever names patterns wants to see them play.
            let settings = Settings { searcher: Searcher::AlphaBeta, ..settings };
            Engine::with_weights(rules, settings, seed, weights)
        }
        Loaded::Network(net) => with(weights).with_net(Some(net)),
    };
    let agent: Box<dyn Agent> = Box::new(Sextant {
        engine: match params {
            Some(params) => engine.with_params(&params),
            None => engine,
        },
        time: options.time("time"),
        nodes: Some(number("nodes") as u64).filter(|&nodes| nodes > 0),
        depth: Some(number("depth") as u32).filter(|&depth| depth > 0),
    });
    Ok(match Watch::named(options.text("coach")) {
        Some(watch) => Box::new(Coached::new(agent, rules, watch, number("coach-nodes") as u64)),
        None => agent,
    })
}

/// Memory of a thread: its stack, the state of the board, what it has learned about moves; 256 of them
/// reserve 3.8 GB of addresses in Gomoku, 2.3 GB in Connect6.
const THREAD_BYTES: usize = 16 << 20;

/// Whether the memory that the threads and the table will take can be had now. They take it bit by bit,
/// and a program that gets none in the middle of that cannot go on.
fn is_room(settings: &Settings) -> bool {
    let bytes = settings.threads * THREAD_BYTES + (settings.memory << 20);
    Vec::<u8>::new().try_reserve_exact(bytes).is_ok()
}

/// What the option `weights` names.
enum Loaded {
    Nothing,
    Patterns(Arc<Weights>),
    Network(Arc<Net>),
    Learned(Arc<LineNet>),
}

fn files(rules: &Rules, path: &str) -> Result<Loaded, BuildError> {
    if path.is_empty() {
        return Ok(Loaded::Nothing);
    }
    let refuse = |reason: String| BuildError::Other(format!("sextant:weights={path}: {reason}"));
    let bytes = read_file(Path::new(path), Net::MAX_BYTES)
        .map_err(|error| BuildError::Other(format!("sextant:weights: {error}")))?;
    if bytes.starts_with(b"SXN") {
        let net = Net::from_bytes(&bytes).map_err(|error| refuse(error.to_string()))?;
        return if net.guides(rules) {
            Ok(Loaded::Network(Arc::new(net)))
        } else {
            Err(refuse(format!("this network was trained for other rules than {rules}")))
        };
    }
    if bytes.starts_with(LineNet::MAGIC) {
        let net = LineNet::from_bytes(&bytes).map_err(|error| refuse(error.to_string()))?;
        return if net.serves(rules) {
            Ok(Loaded::Learned(Arc::new(net)))
        } else {
            Err(refuse(format!("this evaluation was learned for other rules than {rules}")))
        };
    }
    let weights = Weights::from_bytes(&bytes).map_err(|error| refuse(error.to_string()))?;
    if rules.is_renju() && !weights.knows_combinations() {
        // What is forbidden is seen on the cells' shapes.
        return Err(refuse("renju needs weights for combinations of lines".to_owned()));
    }
    let known = Weights::for_rules(rules).space().len();
    if weights.space().len() == known {
        Ok(Loaded::Patterns(Arc::new(weights)))
    } else {
        Err(refuse(format!("these weights are not for {} in a row", rules.k())))
    }
}

fn features(off: &str) -> Result<Features, BuildError> {
    let mut features = Features::ALL;
    for word in off.split('+').filter(|word| !word.is_empty()) {
        let Some((_, feature)) = Feature::ALL.iter().find(|(name, _)| *name == word) else {
            let known: Vec<&str> = Feature::ALL.iter().map(|(name, _)| *name).collect();
            let reason =
                format!("{word:?} is not a part of the search; parts: {}", known.join(", "));
            return Err(SpecError::BadValue { agent: "sextant", name: "off", reason }.into());
        };
        features = features.without(*feature);
    }
    Ok(features)
}

struct Sextant {
    engine: Engine,
    time: Option<Duration>,
    nodes: Option<u64>,
    depth: Option<u32>,
}

impl Agent for Sextant {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let budget = Budget {
            time: [self.time, budget.time].into_iter().flatten().min(),
            nodes: [self.nodes, budget.nodes].into_iter().flatten().min(),
            depth: [self.depth, budget.depth].into_iter().flatten().min(),
            ..budget.clone()
        };
        self.engine.think(position, &budget, on).map(|thought| thought.turn)
    }

    fn new_game(&mut self) {
        self.engine.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_play::Registry;
    use collinear_play::conformance::{self, Effort};

    fn refusal(text: &str) -> String {
        let choice = Registry::new(vec![&SPEC]).parse(text).expect("the options are known");
        choice.build(&Rules::CONNECT6, 1).err().map(|error| error.to_string()).unwrap_or_default()
    }

    #[test]
    fn conforms_on_every_game() {
        let choice = Registry::new(vec![&SPEC]).parse("sextant:memory=1").expect("a spec");
        let effort = Effort { seed: 3, nodes: 300, wins: 10, game_stones: 40 };
        for game in conformance::GAMES {
            let failures = conformance::check(&choice, &game.parse().expect(game), &effort);
            assert!(failures.is_empty(), "{}", failures[0]);
        }
    }

    #[test]
    fn parts_of_the_search_can_be_switched_off_by_name() {
        let names: Vec<&str> = Feature::ALL.iter().map(|(name, _)| *name).collect();
        assert_eq!(refusal(&format!("sextant:memory=1,off={}", names.join("+"))), "");
        assert!(refusal("sextant:off=brakes").contains("tree-proof"));
        assert!(refusal("sextant:weights=/no/such/file").contains("/no/such/file"));
        let help = OPTIONS.iter().find(|option| option.name == "off").expect("declared").help;
        assert!(names.iter().all(|name| help.contains(name)), "the help names every part");
    }
}
