//! `collinear bridge`: a GUI of one protocol uses an engine of another.

use anyhow::Result;
use collinear_play::{Agent, BuildError};
use collinear_protocol::Protocol;
use collinear_protocol::engine::{Demands, EngineOptions};
use collinear_protocol::host::{EngineConfig, External};
use collinear_rules::Rules;

use super::engine::{Limits, protocol, run_session};
use crate::session_input::LAST_WORDS;

/// Connect a GUI to an engine that speaks another protocol
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear bridge --from gomocup --to ugi -- ./my-ugi-engine
  collinear bridge --from cloudict --to gomocup --game connect6 -- python3 engine.py")]
pub(crate) struct Args {
    /// Protocol of the GUI
    #[arg(long, value_parser = protocol)]
    from: Protocol,
    /// Protocol of the engine
    #[arg(long, value_parser = protocol)]
    to: Protocol,
    /// The game; otherwise the usual one of the GUI's protocol
    #[arg(long)]
    game: Option<Rules>,
    #[command(flatten)]
    limits: Limits,
    /// The engine's command
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let config = EngineConfig::from_words(&args.command, args.to);
    let program = args.command.first().map_or("engine", String::as_str);
    let options = EngineOptions {
        name: format!("{program} through Collinear"),
        rules: args.game.unwrap_or(args.from.usual_game()),
        budget: args.limits.budget(),
        last_words: LAST_WORDS,
    };
    let make = |rules: &Rules, _: &Demands| -> Result<Box<dyn Agent>, BuildError> {
        let engine = External::start(config.clone(), *rules);
        let engine = engine.map_err(|fault| BuildError::Other(fault.to_string()))?;
        Ok(Box::new(engine))
    };
    run_session(args.from, &options, &make)
}
