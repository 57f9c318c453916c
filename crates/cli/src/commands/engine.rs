//! `collinear engine`: any agent as an engine under a GUI, and the compliance test for engines.

use std::io;
use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Subcommand;
use collinear_agents::strongest;
use collinear_play::{Agent, AgentChoice, AgentSpec, Budget, BuildError, SettingError, parse_time};
use collinear_protocol::engine::{Demands, EngineOptions, serve};
use collinear_protocol::host::{Check, CheckResult, EngineConfig, check_engine, init_lines};
use collinear_protocol::{Protocol, UnknownProtocol};
use collinear_rules::Rules;
use serde_json::json;

use crate::failure::Interrupted;
use crate::registry::registry;
use crate::report;
use crate::session_input::{LAST_WORDS, SessionInput};
use crate::signals;

/// Run an agent as an engine on standard input and output, or test an engine
#[derive(clap::Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "Protocols: cloudict (Connect6 GUIs), sau, gomocup (Piskvork, Yixin-Board), ugi (ours, every game)

Examples:
  collinear engine --protocol cloudict --time 2s
  collinear engine --protocol gomocup --agent sextant:threads=4
  (printf 'position startpos moves d1\\ngo nodes 1000\\n'; sleep 1) | collinear engine --protocol ugi --game connect4
  collinear engine check './my-engine --fast' --protocol ugi --game gomoku"
)]
pub(crate) struct Args {
    #[command(subcommand)]
    task: Option<Task>,
    /// Protocol to speak
    #[arg(long, value_parser = protocol, required = true)]
    protocol: Option<Protocol>,
    #[command(flatten)]
    player: Player,
}

/// Who plays in a session, and within which limits.
#[derive(clap::Args)]
pub(crate) struct Player {
    /// Agent that plays [default: the strongest one for the game]
    #[arg(long)]
    agent: Option<String>,
    /// The game; otherwise the protocol's usual one, or what the host says
    #[arg(long)]
    game: Option<Rules>,
    #[command(flatten)]
    limits: Limits,
    /// Seed for all random choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

/// What a turn may cost when the host sets no limit.
#[derive(clap::Args)]
pub(crate) struct Limits {
    /// Time per turn when the host sets no limit
    #[arg(long, default_value = "3s", value_parser = parse_time)]
    time: std::time::Duration,
    /// Nodes per turn when the host sets no limit
    #[arg(long)]
    nodes: Option<u64>,
    /// Search depth in stones when the host sets no limit
    #[arg(long)]
    depth: Option<u32>,
}

impl Limits {
    pub(crate) fn budget(&self) -> Budget {
        Budget { time: Some(self.time), nodes: self.nodes, depth: self.depth, ..Budget::default() }
    }
}

#[derive(Subcommand)]
enum Task {
    /// Test an engine: a list of what it does right and wrong
    #[command(
        after_help = "Example:\n  collinear engine check 'python3 engine.py' --protocol ugi --game tictactoe"
    )]
    Check(CheckArgs),
}

/// How an engine is started and greeted.
#[derive(clap::Args)]
pub(crate) struct Ways {
    /// What it speaks
    #[arg(long, value_parser = protocol)]
    pub(crate) protocol: Protocol,
    /// The folder it runs in
    #[arg(long, value_name = "FOLDER")]
    pub(crate) dir: Option<PathBuf>,
    /// Lines to send after the greeting, with semicolons between them
    #[arg(long, value_name = "LINES", default_value = "")]
    pub(crate) init: String,
}

#[derive(clap::Args)]
struct CheckArgs {
    /// The engine's command line
    #[arg(value_name = "CMD")]
    command: String,
    #[command(flatten)]
    ways: Ways,
    /// A file to which everything said on both sides is added
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,
    /// The game; otherwise the protocol's usual one
    #[arg(long)]
    game: Option<Rules>,
    /// Seed of the opponent's stones
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    if let Some(Task::Check(args)) = args.task {
        return check(&args);
    }
    let Some(protocol) = args.protocol else { bail!("--protocol is missing") };
    play(protocol, &args.player)
}

/// A session of an agent of ours.
pub(crate) fn play(protocol: Protocol, args: &Player) -> Result<()> {
    let registry = registry();
    let chosen = args.agent.as_deref().map(|text| registry.parse(text)).transpose()?;
    let name =
        chosen.as_ref().map_or("Collinear".to_owned(), |agent| format!("Collinear {}", agent.text));
    let make = |rules: &Rules, demands: &Demands| -> Result<Box<dyn Agent>, BuildError> {
        let choice = match &chosen {
            Some(choice) => choice.clone(),
            None => strongest(&registry, rules)
                .map(AgentSpec::with_defaults)
                .ok_or_else(|| BuildError::Other(format!("no agent plays {rules}")))?,
        };
        within(choice, demands)?.build(rules, args.seed)
    };
    let rules = args.game.unwrap_or(protocol.usual_game());
    if let Some(choice) = &chosen {
        choice.spec.plays(&rules)?;
    }
    let options =
        EngineOptions { name, rules, budget: args.limits.budget(), last_words: LAST_WORDS };
    run_session(protocol, &options, &make)
}

/// Serves standard input and output; a host that has gone away is not an error.
pub(crate) fn run_session(
    protocol: Protocol,
    options: &EngineOptions,
    make: &collinear_protocol::engine::AgentMaker<'_>,
) -> Result<()> {
    match serve(protocol, SessionInput::open()?, &mut io::stdout(), options, make) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {}
        other => other?,
    }
    match signals::received() {
        Some(_) => Err(Interrupted.into()),
        None => Ok(()),
    }
}

/// The part of the host's memory that goes into the agent's tables.
const TABLE_SHARE: u64 = 2;

/// The agent with what the host allows, where it has options for that.
fn within(mut choice: AgentChoice, demands: &Demands) -> Result<AgentChoice, BuildError> {
    let megabytes = demands.memory.map(|bytes| (bytes / TABLE_SHARE) >> 20);
    for (name, demand) in [("memory", megabytes), ("threads", demands.threads.map(u64::from))] {
        let option = choice.spec.option(name);
        let (Some(option), Some(demand)) = (option, demand) else { continue };
        let collinear_play::Kind::Int { min, max, .. } = option.kind else { continue };
        let mut value = i64::try_from(demand).unwrap_or(max).clamp(min, max);
        if name == "memory" {
            // A host that allows more than the user asked for changes nothing.
            value = value.min(choice.options.int(name));
        }
        let wrong = |error: SettingError| BuildError::Other(error.to_string());
        choice.options.set(option, &value.to_string()).map_err(wrong)?;
    }
    Ok(choice)
}

fn check(args: &CheckArgs) -> Result<()> {
    let config = EngineConfig {
        folder: args.ways.dir.clone(),
        init: init_lines(&args.ways.init),
        log: args.log.clone(),
        ..EngineConfig::new(&args.command, args.ways.protocol)
    };
    let rules = args.game.unwrap_or(args.ways.protocol.usual_game());
    let mut on = |check: &Check| {
        if !args.json {
            let (word, detail) = match &check.verdict {
                CheckResult::Pass(detail) => ("pass", detail.as_str()),
                CheckResult::Fail(reason) => ("FAIL", reason.as_str()),
                CheckResult::Note(reason) => ("note", reason.as_str()),
                CheckResult::Skip(why) => ("skip", *why),
            };
            // Who has gone does not hear the rest; the exit code still tells.
            let _ = report::line(format_args!("{word}  {:<44}  {detail}", check.what));
        }
    };
    let checks = check_engine(&config, rules, args.seed, &mut on);
    let failed =
        checks.iter().filter(|check| matches!(check.verdict, CheckResult::Fail(_))).count();
    if args.json {
        let list: Vec<_> = checks
            .iter()
            .map(|check| match &check.verdict {
                CheckResult::Pass(detail) => {
                    json!({"check": check.what, "verdict": "pass", "detail": detail})
                }
                CheckResult::Fail(reason) => {
                    json!({"check": check.what, "verdict": "fail", "detail": reason})
                }
                CheckResult::Note(reason) => {
                    json!({"check": check.what, "verdict": "note", "detail": reason})
                }
                CheckResult::Skip(why) => {
                    json!({"check": check.what, "verdict": "skip", "detail": why})
                }
            })
            .collect();
        report::line(
            json!({"command": args.command, "protocol": args.ways.protocol.name(), "checks": list}),
        )?;
    }
    if failed > 0 {
        bail!("{failed} of {} checks failed", checks.len());
    }
    Ok(())
}

pub(crate) fn protocol(text: &str) -> Result<Protocol, UnknownProtocol> {
    text.parse()
}
