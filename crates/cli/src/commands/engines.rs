//! `collinear engines`: names for engines of other people, usable wherever an agent is named.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Subcommand;
use collinear_play::AgentSpec;
use collinear_protocol::Protocol;
use collinear_protocol::host::{External, command_words, init_lines, named_engine};
use collinear_web::NewEngine;
use serde_json::json;

use super::engine::Ways;
use crate::engines_file::{EnginesFile, NamedEngine};
use crate::report;

/// Gives engines of other people names, to use wherever an agent is named
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear engines add cloudict --protocol cloudict --dir ~/cloudict --init 'depth 4' -- ./gameEngine
  collinear engines add rapfi --protocol gomocup -- ~/rapfi/pbrain-rapfi
  collinear engines list
  collinear match sextant@1s cloudict
  collinear engines remove rapfi

The page offers them too, and on this computer it adds some (Arena, New match, Add an engine). `collinear experiment run rivals` plays against the two above.")]
pub(crate) struct Args {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Give an engine a name, or another command to a name
    Add(Add),
    /// List the engines that have names
    List {
        /// Report as JSON
        #[arg(long)]
        json: bool,
    },
    /// Forget a name
    Remove {
        /// The name
        name: String,
    },
}

#[derive(clap::Args)]
struct Add {
    /// The name: lower-case letters, digits and dashes
    name: String,
    #[command(flatten)]
    ways: Ways,
    /// Do not start it to see whether it answers
    #[arg(long)]
    unchecked: bool,
    /// The engine's command
    #[arg(last = true, required = true, value_name = "CMD")]
    command: Vec<String>,
}

pub(crate) fn run(args: Args) -> Result<()> {
    match args.action {
        Action::Add(add) => add.run(),
        Action::List { json } => list(json),
        Action::Remove { name } => remove(&name),
    }
}

/// The longest name.
const MAX_LETTERS: usize = 32;

impl Add {
    fn run(self) -> Result<()> {
        check_name(&self.name)?;
        let Ways { protocol, dir, init } = self.ways;
        let entry = entry(protocol, self.command, dir, &init)?;
        if !self.unchecked {
            try_out(&entry).map_err(|fault| {
                anyhow::anyhow!("{fault}; to add it nevertheless, say --unchecked")
            })?;
        }
        let mut file = EnginesFile::load()?;
        let replaced = file.engines.insert(self.name.clone(), entry).is_some();
        file.save()?;
        let what = if replaced { "replaced" } else { "added" };
        report::line(format_args!("{what} {}: collinear match sextant@1s {}", self.name, self.name))
    }
}

/// How an engine is found from anywhere.
fn entry(
    protocol: Protocol,
    mut command: Vec<String>,
    dir: Option<PathBuf>,
    init: &str,
) -> Result<NamedEngine> {
    let here = std::env::current_dir().context("the current folder is unknown")?;
    let dir = dir.map(|dir| here.join(dir));
    if let Some(program) = command.first_mut()
        && program.contains('/')
    {
        let from = dir.as_deref().unwrap_or(&here);
        *program = path_text(&from.join(&*program))?;
    }
    Ok(NamedEngine { protocol, command, dir, init: init_lines(init) })
}

/// Whether it starts and answers.
fn try_out(entry: &NamedEngine) -> Result<()> {
    External::start(entry.config(), entry.protocol.usual_game())
        .map(drop)
        .map_err(|fault| anyhow::anyhow!("{fault}"))
}

/// What a page of the board on this machine asks for. A name that is taken stays: games are going on
/// under it.
pub(super) fn add_for_page(new: &NewEngine) -> Result<&'static AgentSpec, String> {
    add_new(new).map_err(|error| format!("{error:#}"))
}

fn add_new(new: &NewEngine) -> Result<&'static AgentSpec> {
    check_name(&new.name)?;
    let mut file = EnginesFile::load()?;
    if file.engines.contains_key(&new.name) {
        bail!("{} is the name of an engine of yours: choose another", new.name);
    }
    let protocol = new.protocol.parse()?;
    let words = command_words(&new.command).filter(|words| !words.is_empty());
    let command = words.context("a command is needed, its quotes closed")?;
    let dir = Some(new.folder.trim()).filter(|dir| !dir.is_empty()).map(PathBuf::from);
    let entry = entry(protocol, command, dir, &new.init)?;
    try_out(&entry)?;
    let spec = named_engine(&new.name, &entry.config());
    file.engines.insert(new.name.clone(), entry);
    file.save()?;
    Ok(spec)
}

fn path_text(path: &Path) -> Result<String> {
    let text = path.to_str().with_context(|| format!("{} is not plain text", path.display()))?;
    Ok(text.to_owned())
}

fn check_name(name: &str) -> Result<()> {
    let plain = |sign: u8| sign.is_ascii_lowercase() || sign.is_ascii_digit() || sign == b'-';
    if name.is_empty() || name.len() > MAX_LETTERS || !name.bytes().all(plain) {
        bail!(
            "{name:?} is not a name for an engine: up to {MAX_LETTERS} lower-case letters, digits and dashes"
        );
    }
    let taken = ["engine", "external", "none"].contains(&name)
        || collinear_agents::registry().parse(name).is_ok();
    if taken {
        bail!("{name} is the name of an agent of ours: choose another");
    }
    Ok(())
}

fn list(json: bool) -> Result<()> {
    let file = EnginesFile::load()?;
    if file.engines.is_empty() && !json {
        return report::line("no engine has a name yet: see collinear engines add --help");
    }
    for (name, entry) in &file.engines {
        let protocol = entry.protocol.name();
        if json {
            let NamedEngine { command, dir, init, .. } = entry;
            report::line(json!({
                "name": name, "protocol": protocol, "command": command, "dir": dir, "init": init,
            }))?;
        } else {
            report::line(format_args!("{name:<16} {protocol:<9} {}", entry.command.join(" ")))?;
        }
    }
    Ok(())
}

fn remove(name: &str) -> Result<()> {
    let mut file = EnginesFile::load()?;
    if file.engines.remove(name).is_none() {
        let names: Vec<&str> = file.engines.keys().map(String::as_str).collect();
        bail!("no engine has the name {name:?}; names: {}", names.join(", "));
    }
    file.save()?;
    report::line(format_args!("removed {name}"))
}
