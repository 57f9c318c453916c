//! `collinear man`: the manual pages, made from the same table as the help.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::CommandFactory;
use clap_mangen::Man;

use super::Arguments;
use crate::{out_file, report};

/// Write the manual pages of every command into a folder
#[derive(clap::Args)]
#[command(after_help = "Example:
  collinear man ~/.local/share/man/man1 && man collinear-match")]
pub(crate) struct Args {
    /// The folder; created if missing
    #[arg(value_name = "DIR")]
    folder: PathBuf,
}

pub(crate) fn run(args: Args) -> Result<()> {
    std::fs::create_dir_all(&args.folder).with_context(|| out_file::cannot_write(&args.folder))?;
    let mut command = Arguments::command();
    command.build();
    let count = write(&command, &args.folder)?;
    report::line(format_args!("{count} pages in {}", args.folder.display()))
}

/// Writes the page of a command and those of its subcommands; says how many.
fn write(command: &clap::Command, folder: &Path) -> Result<usize> {
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    out_file::write(&folder.join(format!("{name}.1")), &page)?;
    let mut count = 1;
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        count += write(sub, folder)?;
    }
    Ok(count)
}
