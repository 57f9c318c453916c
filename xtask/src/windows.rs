//! The program for Windows: built with MinGW, tried under Wine.
//!
//! ```text
//! target/cross/x86_64-pc-windows-gnu/…/release/collinear.exe    what is built
//! target/cross/wine                                             where it is tried
//! ```

use std::path::PathBuf;

use anyhow::Result;

use crate::cross::Cross;
use crate::wine::Wine;
use crate::{programs, step};

const TARGET: &str = "x86_64-pc-windows-gnu";

/// Builds the program and tries it, as far as this machine can.
pub(crate) fn check() -> Result<()> {
    let Some(program) = build()? else { return Ok(()) };
    if !programs::have_wine()? {
        return Ok(());
    }
    step("windows: tried under Wine", || Wine::prepare(&program)?.tries())
}

/// `collinear.exe`, where it can be built.
pub(crate) fn build() -> Result<Option<PathBuf>> {
    if !programs::have_mingw()? {
        return Ok(None);
    }
    let Some(cross) = Cross::find(TARGET)? else { return Ok(None) };
    let linker = [("CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER", "x86_64-w64-mingw32-gcc")];
    step("windows: build", || cross.build(&["--release", "--quiet", "-p", "collinear"], &linker))?;
    Ok(Some(cross.made("release").join("collinear.exe")))
}
