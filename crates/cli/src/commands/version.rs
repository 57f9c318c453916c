//! `collinear version`: which program this is, for reports of errors and of results.

use anyhow::Result;
use collinear_arena::build_name;
use serde_json::json;

use crate::carrier::Carrier;
use crate::report;

/// Print the version, the build that results are kept under, and the system
#[derive(clap::Args)]
#[command(after_help = "Example: collinear version --json")]
pub(crate) struct Args {
    /// Report as JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: Args, carrier: &Carrier) -> Result<()> {
    let build = build_name(&carrier.program)?;
    let (os, arch) = (std::env::consts::OS, std::env::consts::ARCH);
    if args.json {
        let version = env!("CARGO_PKG_VERSION");
        return report::json(
            &json!({ "version": version, "build": build, "os": os, "arch": arch }),
        );
    }
    report::line(format_args!("collinear {build} {os} {arch}"))
}
