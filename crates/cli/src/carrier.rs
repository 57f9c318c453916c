//! Who carries the command: the program of its own, or a Python interpreter with the package.

use std::path::PathBuf;

/// What differs between the program and the package.
#[derive(Clone, Debug)]
pub struct Carrier {
    /// The file that plays: it names the build.
    pub program: PathBuf,
    /// The interpreter that has the package, for runs on a cluster.
    pub python: PathBuf,
}

impl Carrier {
    /// The program of its own.
    pub fn this_program() -> Self {
        // Linux tells it in /proc, which not every container has; there the name we were started by serves.
        let started_by = || std::env::args_os().next().map(PathBuf::from);
        let program = std::env::current_exe().ok().or_else(started_by).unwrap_or_default();
        Self { program, python: "python3".into() }
    }
}
