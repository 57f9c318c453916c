//! `collinear agents`: the table of all agents, and one agent's options.

use std::fmt::Write as _;

use anyhow::Result;
use collinear_play::{AgentSpec, OptionSpec};
use serde::Serialize;

use crate::report;

/// List the agents, or the options of one
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear agents
  collinear agents sequences
  collinear agents --json

Options follow a colon: sequences:depth=2,width=8. A value that holds commas goes into brackets:
book:then=(sequences:depth=2,width=8)")]
pub(crate) struct Args {
    /// One agent, to see its options
    name: Option<String>,
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let registry = crate::registry::registry();
    if let Some(name) = args.name {
        let row = Row::of(registry.parse(&name)?.spec);
        return if args.json { report::json(&row) } else { report::text(&row.text()) };
    }
    let rows: Vec<Row> = registry.iter().map(Row::of).collect();
    if args.json { report::json(&rows) } else { report::text(&table(&rows)) }
}

#[derive(Serialize)]
struct Row {
    name: &'static str,
    summary: &'static str,
    source: &'static str,
    games: &'static str,
    /// Names that stand for some of its settings.
    aliases: Option<&'static str>,
    takes_wins: bool,
    options: Vec<OptionRow>,
}

#[derive(Serialize)]
struct OptionRow {
    name: &'static str,
    help: &'static str,
    r#type: &'static str,
    allowed: String,
}

impl Row {
    fn of(spec: &'static AgentSpec) -> Self {
        Self {
            name: spec.name,
            summary: spec.summary,
            source: spec.source,
            games: spec.games.words(),
            aliases: spec.aliases.map(|aliases| aliases.pattern),
            takes_wins: spec.takes_wins,
            options: spec.options.iter().map(OptionRow::of).collect(),
        }
    }

    fn text(&self) -> String {
        let Self { name, summary, source, games, aliases, takes_wins, options } = self;
        let mut text = format!("{name}: {summary}\nSource: {source}\nPlays:  {games}\n");
        if let Some(aliases) = aliases {
            let _ = writeln!(text, "Also:   {aliases}");
        }
        if *takes_wins {
            text.push_str("Always takes a win within the turn.\n");
        }
        if options.is_empty() {
            text.push_str("No options.\n");
        } else {
            text.push_str("\nOptions:\n");
        }
        let width = options.iter().map(|option| option.name.len()).max().unwrap_or(0);
        for OptionRow { name, help, allowed, .. } in options {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "  {name:width$}  {help}\n  {:width$}  {allowed}", "");
        }
        text
    }
}

impl OptionRow {
    fn of(option: &OptionSpec) -> Self {
        let r#type = option.kind.name();
        Self { name: option.name, help: option.help, r#type, allowed: option.kind.to_string() }
    }
}

fn table(rows: &[Row]) -> String {
    let width =
        |of: fn(&Row) -> &str| rows.iter().map(|row| of(row).chars().count()).max().unwrap_or(0);
    let (names, sources) = (width(|row| row.name), width(|row| row.source));
    let mut text = String::new();
    for Row { name, summary, source, games, aliases, .. } in rows {
        let _ =
            writeln!(text, "{name:names$}  {summary}\n{:names$}  {source:sources$}  {games}", "");
        if let Some(aliases) = aliases {
            let _ = writeln!(text, "{:names$}  also {aliases}", "");
        }
    }
    text
}
