//! One file per command: its arguments (`Args`) and `run`. This table is all that ties them together.

// Every command takes its arguments the same way, whether it uses them up or not.
#![allow(clippy::needless_pass_by_value)]

mod agents;
mod analyze;
mod bench;
mod book;
mod bridge;
mod completions;
mod convert;
mod engine;
mod engines;
mod experiment;
mod explain;
mod export;
mod fit;
pub(crate) mod gomocup;
mod man;
mod r#match;
mod merge;
mod openings;
mod play;
mod prove;
mod puzzles;
mod serve;
mod solve;
mod tables;
mod threat_counters;
mod threats;
mod tournament;
mod tune;
mod version;

use anyhow::Result;
use clap::{Parser, Subcommand};

use crate::carrier::Carrier;

/// A workbench for k-in-a-row games: Connect6, Gomoku, Connect Four and their relatives
#[derive(Parser)]
#[command(
    name = "collinear",
    version,
    after_help = "Games: connect6, connect4, gomoku, gomoku-standard, renju, tictactoe, or WxH,k=K[,p=P,q=Q][,gravity][,exact][,renju[=loses]]\nAgents: see `collinear agents`; options follow a colon: sequences:depth=2,width=8"
)]
pub(crate) struct Arguments {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    Agents(agents::Args),
    Analyze(analyze::Args),
    Bench(bench::Args),
    Book(book::Args),
    Bridge(bridge::Args),
    Completions(completions::Args),
    Convert(convert::Args),
    Engine(engine::Args),
    Engines(engines::Args),
    Experiment(experiment::Args),
    Explain(explain::Args),
    Fit(fit::Args),
    Export(export::Args),
    Gomocup(gomocup::Args),
    Man(man::Args),
    Match(r#match::Args),
    Merge(merge::Args),
    Openings(openings::Args),
    Play(play::Args),
    Prove(prove::Args),
    Puzzles(puzzles::Args),
    Serve(serve::Args),
    Solve(solve::Args),
    Tables(tables::Args),
    Threats(threats::Args),
    Tournament(tournament::Args),
    Tune(tune::Args),
    Version(version::Args),
}

/// Runs the command the arguments name.
pub(crate) fn run(arguments: Arguments, carrier: &Carrier) -> Result<()> {
    match arguments.command {
        Some(command) => match command {
            Command::Agents(args) => agents::run(args),
            Command::Analyze(args) => analyze::run(args),
            Command::Bench(args) => bench::run(args),
            Command::Book(args) => book::run(args),
            Command::Bridge(args) => bridge::run(args),
            Command::Completions(args) => completions::run(args),
            Command::Convert(args) => convert::run(args),
            Command::Engine(args) => engine::run(args),
            Command::Engines(args) => engines::run(args),
            Command::Experiment(args) => experiment::run(args, carrier),
            Command::Explain(args) => explain::run(args),
            Command::Fit(args) => fit::run(args),
            Command::Export(args) => export::run(args),
            Command::Gomocup(args) => gomocup::run(args),
            Command::Man(args) => man::run(args),
            Command::Match(args) => r#match::run(args, carrier),
            Command::Merge(args) => merge::run(args),
            Command::Openings(args) => openings::run(args),
            Command::Play(args) => play::run(args),
            Command::Prove(args) => prove::run(args, carrier),
            Command::Puzzles(args) => puzzles::run(args),
            Command::Serve(args) => serve::run(args, carrier),
            Command::Solve(args) => solve::run(args),
            Command::Tables(args) => tables::run(args),
            Command::Threats(args) => threats::run(args),
            Command::Tournament(args) => tournament::run(args, carrier),
            Command::Tune(args) => tune::run(args),
            Command::Version(args) => version::run(args, carrier),
        },
        None => serve::run(serve::Args::default(), carrier),
    }
}
