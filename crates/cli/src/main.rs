//! `collinear`: the command line of the workbench. Arguments are read here, every command has a
//! file of its own in `commands/`, and the libraries do the work.

mod arena;
mod commands;
mod experiments;
mod record_file;
mod registry;
mod report;
mod screen;
mod session;
mod session_input;
mod solve_book;
mod studies;
mod typed;
mod whole_file;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    let arguments = commands::Arguments::parse();
    match commands::run(arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("collinear: {error:#}");
            ExitCode::from(BAD_INPUT)
        }
    }
}

/// The exit code for anything a person can put right; clap uses the same for wrong arguments.
const BAD_INPUT: u8 = 2;
