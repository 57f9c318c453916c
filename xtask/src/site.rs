//! The page without a server, as a folder for any static host: `target/site`.

use std::fs;
use std::path::PathBuf;

use anyhow::{Context, Result};

use crate::cross::Cross;
use crate::{copy_folder, root, step};

const TARGET: &str = "wasm32-unknown-unknown";
/// Tells the page that it has no server.
const MARK: &str = "<meta name=\"collinear\" content=\"browser\" />";
/// Every browser since 2021 has these instructions.
const FEATURES: [(&str, &str); 1] =
    [("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128")];

/// Builds the module and puts it beside the built page. None where it cannot be built here.
pub(crate) fn build() -> Result<Option<PathBuf>> {
    let Some(cross) = Cross::find(TARGET)? else { return Ok(None) };
    let site = root().join("target/site");
    step("site: WebAssembly", || {
        cross.build(&["--release", "--quiet", "-p", "collinear-browser"], &FEATURES)
    })?;
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    copy_folder(&root().join("page/dist"), &site)?;
    let module = cross.made("release").join("collinear_browser.wasm");
    fs::copy(&module, site.join("collinear.wasm")).with_context(|| module.display().to_string())?;
    let index = site.join("index.html");
    let page = fs::read_to_string(&index)?;
    fs::write(&index, page.replacen("<head>", &format!("<head>\n    {MARK}"), 1))?;
    Ok(Some(site))
}
