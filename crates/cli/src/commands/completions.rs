//! `collinear completions`: what a shell needs to complete commands and options.

use anyhow::Result;
use clap::CommandFactory;
use clap_complete::{Shell, generate};

use super::Arguments;
use crate::report;

/// Print a completion script for a shell
#[derive(clap::Args)]
#[command(after_help = "Examples:
  collinear completions bash > ~/.local/share/bash-completion/completions/collinear
  collinear completions zsh > ~/.zfunc/_collinear
  collinear completions fish > ~/.config/fish/completions/collinear.fish")]
pub(crate) struct Args {
    /// The shell
    shell: Shell,
}

pub(crate) fn run(args: Args) -> Result<()> {
    let mut script = Vec::new();
    generate(args.shell, &mut Arguments::command(), "collinear", &mut script);
    report::text(&String::from_utf8_lossy(&script))
}
