//! `collinear tune sextant --spsa`: the parameters of the search, many at once, by SPSA.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use collinear_agents::parameters;
use collinear_arena::tune::{Parameter, Settings, Spsa, SpsaSettings, TuneError};
use collinear_engine::{ParamSpec, Params};
use tempfile::TempDir;

use super::{name_and_range, progress_bar, read_json, write_state};
use crate::arena::stop_on_ctrl_c;
use crate::failure::Interrupted;
use crate::out_file;
use crate::report;

/// The options of SPSA.
#[derive(clap::Args)]
#[group(skip)]
pub(super) struct Args {
    /// Tune parameters of the search by SPSA: a name, or a beginning with `*`, with a range if it should
    /// be narrower; may be repeated
    #[arg(long = "spsa", value_name = "NAME[=LOW..HIGH]", conflicts_with_all = ["parameters", "pool"], requires = "out")]
    pub(super) names: Vec<String>,
    /// With --spsa: an opponent besides the other side of each step; may be repeated
    #[arg(long, value_name = "AGENT", requires = "names")]
    against: Vec<String>,
    /// With --spsa: nodes per turn, short for --limits nodes=N
    #[arg(long, requires = "names", conflicts_with = "limits")]
    nodes: Option<u64>,
    /// With --spsa: number of steps
    #[arg(long, default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..))]
    steps: u32,
    /// With --spsa: the parameters file to write
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// With --spsa: a parameters file to begin with
    #[arg(long, value_name = "FILE", requires = "names")]
    start: Option<PathBuf>,
    /// List the parameters of the search with value, range and unit
    #[arg(long, conflicts_with_all = ["names", "parameters"])]
    pub(super) list: bool,
}

/// Parameters are those of one agent.
fn check_agent(agent: &str) -> Result<()> {
    let registry = crate::registry::registry();
    let choice = registry.parse(agent)?;
    if choice.spec.options.iter().all(|option| option.name != "params") {
        bail!("{} has no parameters of a search: sextant has", choice.spec.name);
    }
    if !choice.options.text("params").is_empty() {
        bail!("{agent}: name the parameters to begin with by --start FILE");
    }
    Ok(())
}

pub(super) fn list(args: &super::Args) -> Result<()> {
    check_agent(&args.agent)?;
    let mut text = String::new();
    for spec in Params::specs() {
        let ParamSpec { name, help, unit, range: [low, high], default, .. } = spec;
        let _ = writeln!(text, "{name:30} {default:>9}  {low} to {high} {unit}\n    {help}");
    }
    report::text(&text)
}

pub(super) fn run(args: &super::Args) -> Result<()> {
    check_agent(&args.agent)?;
    let Some(out) = &args.spsa.out else { bail!("--spsa needs --out FILE") };
    let start = match &args.spsa.start {
        None => Params::default(),
        Some(file) => {
            parameters::read(&file.to_string_lossy()).with_context(|| file.display().to_string())?
        }
    };
    let state = args.state.clone().unwrap_or_else(|| {
        let mut name = out.clone().into_os_string();
        name.push(".state.json");
        PathBuf::from(name)
    });
    let settings = settings(args, &start)?;
    let names: Vec<String> = settings.settings.parameters.iter().map(|p| p.name.clone()).collect();
    let folder = TempDir::new().context("a folder for the players' parameters")?;
    // What is not tuned but was changed by the file to begin with belongs to every player.
    let fixed: Vec<(&str, f64)> = Params::specs()
        .into_iter()
        .filter(|spec| names.iter().all(|name| name != spec.name))
        .filter_map(|spec| {
            Some((spec.name, start.get(spec.name)?))
                .filter(|v| v.1.to_bits() != spec.default.to_bits())
        })
        .collect();
    let values = |values: &[f64]| -> Vec<(&str, f64)> {
        let tuned = names.iter().map(String::as_str).zip(values.iter().copied());
        tuned.chain(fixed.iter().copied()).collect()
    };
    let spec = |tuned: &[f64]| -> Result<String, TuneError> {
        player(folder.path(), &args.agent, &parameters::show("", &values(tuned)))
    };
    let registry = crate::registry::registry();
    let mut spsa = match read_json::<Spsa>(&state)? {
        Some(kept) if kept.settings == settings => {
            kept.read_back().with_context(|| state.display().to_string())?
        }
        Some(_) => bail!(
            "{} belongs to a run with other settings: name another file with --state, or remove it",
            state.display()
        ),
        None => {
            out_file::check(out, false)?;
            Spsa::new(settings, &registry, &spec)?
        }
    };
    let stop = stop_on_ctrl_c()?;
    let each = spsa.games_per_step();
    let total = each.saturating_mul(spsa.settings.steps.into());
    let bar = progress_bar((each.saturating_mul(spsa.done.into()), total), args.quiet);
    let text = |spsa: &Spsa| {
        let comment = format!(
            "collinear tune {} --spsa: {} of {} steps of {each} games, {}",
            args.agent, spsa.done, spsa.settings.steps, spsa.settings.settings.rules
        );
        parameters::show(&comment, &values(&spsa.played()))
    };
    spsa.run(&registry, &spec, &stop, &mut |spsa| -> Result<()> {
        bar.set_position(each.saturating_mul(spsa.done.into()));
        bar.set_message(format!("step {} of {}", spsa.done, spsa.settings.steps));
        // The state last: a step that is in it is in the file as well.
        out_file::write(out, text(spsa).as_bytes())?;
        write_state(&state, spsa)
    })?;
    bar.finish_and_clear();
    if !spsa.is_done() {
        report::note(format_args!(
            "stopped after {} of {} steps: run the same command to continue",
            spsa.done, spsa.settings.steps
        ));
        return Err(Interrupted.into());
    }
    out_file::write(out, text(&spsa).as_bytes())?;
    report::text(&text(&spsa))
}

/// A player with these parameters, as a spec string. The same parameters are the same file.
fn player(folder: &Path, agent: &str, text: &str) -> Result<String, TuneError> {
    let file =
        folder.join(format!("{:016x}.params", collinear_rules::hash::fnv1a(text.as_bytes())));
    std::fs::write(&file, text)
        .map_err(|error| TuneError::Settings(format!("{}: {error}", file.display())))?;
    let joint = if agent.contains(':') { ',' } else { ':' };
    Ok(format!("{agent}{joint}params={}", file.display()))
}

fn settings(args: &super::Args, start: &Params) -> Result<SpsaSettings> {
    let specs = Params::specs();
    let mut parameters: Vec<Parameter> = Vec::new();
    for text in &args.spsa.names {
        let (name, range) = name_and_range("--spsa", text)?;
        let is_meant = |spec: &&ParamSpec| match name.strip_suffix('*') {
            Some(beginning) => spec.name.starts_with(beginning),
            None => spec.name == name,
        };
        let before = parameters.len();
        for spec in specs.iter().filter(is_meant) {
            let [least, most] = spec.range;
            let (low, high) = range.unwrap_or((least, most));
            let start = start.get(spec.name).unwrap_or(spec.default);
            if !(least <= low && low < high && high <= most && (low..=high).contains(&start)) {
                bail!(
                    "--spsa {text}: the range of {} must lie within {least}..{most} and hold {start}",
                    spec.name
                );
            }
            if parameters.iter().any(|parameter| parameter.name == spec.name) {
                bail!("--spsa {text}: {} is named twice", spec.name);
            }
            let name = spec.name.to_owned();
            parameters.push(Parameter { name, low, high, whole: spec.is_whole, start });
        }
        if parameters.len() == before {
            bail!(
                "--spsa {name}: no such parameter; `collinear tune {} --list` shows all",
                args.agent
            );
        }
    }
    let limits = match args.spsa.nodes {
        Some(nodes) => format!("nodes={nodes}"),
        None => args.limits.clone(),
    };
    let settings = Settings {
        agent: args.agent.clone(),
        pool: args.spsa.against.clone(),
        rules: args.game.to_string(),
        limits,
        opening: args.opening,
        parameters,
        // Of the genetic search alone.
        population: 0,
        generations: 0,
        games: args.games,
        mutation: 0.0,
        seed: args.seed,
    };
    Ok(SpsaSettings { settings, steps: args.spsa.steps })
}
