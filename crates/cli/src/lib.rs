//! `collinear`: the command line of the workbench. Arguments are read here, every command has a
//! file of its own in `commands/`, and the libraries do the work.
//!
//! It is a library so that the Python package can carry the command.

#![forbid(unsafe_code)]

mod arena;
mod board;
mod carrier;
mod commands;
mod engines_file;
mod experiments;
mod failure;
mod journal;
mod out_file;
mod ray;
mod record_file;
mod registry;
mod report;
mod session_input;
mod signals;

use std::ffi::OsString;
use std::process::ExitCode;

use clap::Parser;

pub use carrier::Carrier;

/// Runs the command that the arguments name, the program's own name first.
pub fn main(arguments: impl IntoIterator<Item = OsString>, carrier: &Carrier) -> ExitCode {
    let given = commands::gomocup::meant(arguments.into_iter().collect());
    match commands::run(commands::Arguments::parse_from(given), carrier) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => failure::tell(&error),
    }
}
