//! The page without a server, as a folder for any static host: `target/site`.
//!
//! ```text
//! index.html, assets/, icons     the built page, marked as one without a server
//! front.wasm.gz                  the lobby and the room: what the first stone waits for
//! relaxed.wasm.gz simd.wasm.gz   all that thinks, with relaxed SIMD and without
//! *.sxn.gz *.sxe.gz *.book.gz    networks, line patterns, a book: fetched by the games that need them
//! site.json                      the version and the packed files with their sizes
//! service-worker.js              keeps all of it for use without a network
//! ```
//! Files are packed here because few static hosts pack such files themselves; by zopfli, whose gzip is
//! smaller than that of hosts. [`sizes`] prints what a browser loads and when, and fails above the budgets.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Serialize;

use crate::cross::Cross;
use crate::{copy_folder, npm, page_packages, programs, release, root, step};

const TARGET: &str = "wasm32-unknown-unknown";
/// Tells the page that it has no server.
const MARK: &str = "<meta name=\"collinear\" content=\"browser\" />";
/// Opened as a file, browsers refuse its scripts: then it says so.
const FILE_NOTE: &str = "<script>if (location.protocol === 'file:') document.addEventListener('DOMContentLoaded', \
    () => { document.body.textContent = 'Browsers do not run this page from a file: serve the folder, \
    for example by `collinear serve --site FOLDER` or `python3 -m http.server`, or put it on any web host.' })</script>";
/// Every browser since 2021 has these instructions; relaxed SIMD comes with a feature of the crate, so
/// that everything else is compiled once.
const FLAGS: [(&str, &str); 1] =
    [("CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS", "-C target-feature=+simd128")];
/// The modules, with the feature of `collinear-browser` that makes each, its profile in Cargo.toml, and the
/// features of its standard library.
const MODULES: [(&str, &str, &str, &str); 3] = [
    (FRONT, "front", "site-front", "optimize_for_size"),
    ("simd.wasm", "search", "site", ""),
    ("relaxed.wasm", "relaxed-simd", "site", ""),
];
const FRONT: &str = "front.wasm";
/// The module of the searchers that most browsers do not load.
const OTHER: &str = "simd.wasm.gz";
/// Bytes before the first stone: board, rules, light agents. What is for later is asked of a search worker
/// (`crates/room/src/work`) or imported by the page when it is opened.
/// The aim is 300 kB: lower it whenever there is room.
const MOST_FIRST: usize = 304_000;
/// Bytes in all that one browser keeps. What few people open is lent as a part of its own.
/// The aim is 2.2 MB.
const MOST_IN_ALL: usize = 2_630_000;
/// Rounds of zopfli: more find a thousandth more.
const ROUNDS: u64 = 5;
/// What games fetch when they need it; a test of `collinear-browser` holds the names to it.
const PARTS: [&str; 4] = [
    "crates/engine/weights/connect6.sxn",
    "crates/engine/weights/gomoku.sxn",
    "crates/engine/weights/gomoku.sxe",
    // Nine stones instead of eleven: a seventh of the bytes.
    "crates/browser/book/7x6.book",
];

/// What the page reads of its parts.
#[derive(Serialize)]
struct Site {
    version: String,
    packed: BTreeMap<String, Packed>,
}

#[derive(Serialize)]
struct Packed {
    /// Bytes of the packed file.
    bytes: usize,
}

/// Builds the modules, puts them beside the built page, and makes the npm package. None where it
/// cannot be built here.
pub(crate) fn build() -> Result<Option<PathBuf>> {
    let Some(cross) = Cross::find(TARGET)? else { return Ok(None) };
    let modules = root().join("target/site-modules");
    fs::create_dir_all(&modules)?;
    for (name, feature, profile, std) in MODULES {
        step(&format!("site: {name}"), || {
            let arguments = "--quiet --lib -p collinear-browser --no-default-features --features";
            let arguments: Vec<&str> = ["--profile", profile]
                .into_iter()
                .chain(arguments.split(' '))
                .chain([feature])
                .collect();
            cross.build_small(&arguments, &FLAGS, std)?;
            let made = cross.made(profile).join("collinear_browser.wasm");
            fs::copy(&made, modules.join(name)).with_context(|| made.display().to_string())?;
            Ok(())
        })?;
    }
    let site = root().join("target/site");
    if site.exists() {
        fs::remove_dir_all(&site)?;
    }
    copy_folder(&root().join("page/dist"), &site)?;
    fs::remove_file(site.join("sources.hash"))?;
    let parts = PARTS.iter().map(|part| root().join(part));
    let files = MODULES.iter().map(|(name, ..)| modules.join(name)).chain(parts);
    let packed = files.map(|file| pack(&file, &site)).collect::<Result<BTreeMap<_, _>>>()?;
    assemble(&site, packed)?;
    sizes(&site)?;
    package(&site)?;
    Ok(Some(site))
}

/// Packs a file into the folder.
fn pack(file: &Path, into: &Path) -> Result<(String, Packed)> {
    let name = file.file_name().context("a file")?.to_string_lossy().into_owned();
    let bytes = fs::read(file).with_context(|| file.display().to_string())?;
    let mut packed = Vec::new();
    let rounds = zopfli::Options {
        iteration_count: NonZeroU64::new(ROUNDS).context("rounds")?,
        ..zopfli::Options::default()
    };
    zopfli::compress(rounds, zopfli::Format::Gzip, &bytes[..], &mut packed)?;
    fs::write(into.join(format!("{name}.gz")), &packed)?;
    Ok((name, Packed { bytes: packed.len() }))
}

/// Marks the page and writes what the site knows of itself.
fn assemble(site: &Path, packed: BTreeMap<String, Packed>) -> Result<()> {
    let index = site.join("index.html");
    let page = fs::read_to_string(&index)?;
    fs::write(&index, page.replacen("<head>", &format!("<head>\n    {MARK}\n    {FILE_NOTE}"), 1))?;
    let mut all = files_below(site, "")?;
    all.sort();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in &all {
        for byte in name.bytes().chain(fs::read(site.join(name))?) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    let known = Site { version: format!("{hash:016x}"), packed };
    fs::write(site.join("site.json"), serde_json::to_string(&known)?)?;
    let plain =
        |name: &&String| !is_packed(name) && *name != "index.html" && *name != "service-worker.js";
    let files: Vec<&String> = all.iter().filter(plain).collect();
    let built = serde_json::json!({ "version": known.version, "files": files });
    let worker = site.join("service-worker.js");
    let script = fs::read_to_string(&worker)?;
    fs::write(&worker, format!("self.SITE = {built};\n{script}"))?;
    Ok(())
}

fn files_below(folder: &Path, prefix: &str) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.file_type()?.is_dir() {
            names.extend(files_below(&entry.path(), &format!("{name}/"))?);
        } else {
            names.push(name);
        }
    }
    Ok(names)
}

/// Whether a file is of a kind.
fn has_ending(name: &str, ending: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == ending)
}

/// Whether a file of the site is packed already.
fn is_packed(name: &str) -> bool {
    Path::new(name).extension().is_some_and(|ending| ending == "gz")
}

/// What a browser loads before the first stone and in all, file by file; more than the budgets is an error.
fn sizes(site: &Path) -> Result<()> {
    let first = first_load(site)?;
    let mut sizes = BTreeMap::new();
    for name in files_below(site, "")? {
        let bytes = fs::read(site.join(&name))?;
        // Hosts pack scripts and styles; what is packed stays as it is, and so do pictures.
        let size = if is_packed(&name) || has_ending(&name, "png") {
            bytes.len()
        } else {
            packed(&bytes)?
        };
        sizes.insert(name, size);
    }
    println!("    bytes  packed by gzip");
    for (name, size) in &sizes {
        let when = if first.contains(name) {
            "before the first stone"
        } else if name == OTHER {
            "only without relaxed SIMD, instead of relaxed.wasm.gz"
        } else {
            "later"
        };
        println!("{size:>9}  {name:<40} {when}");
    }
    let of = |is: &dyn Fn(&String) -> bool| -> usize {
        sizes.iter().filter(|(name, _)| is(name)).map(|(_, size)| size).sum()
    };
    let before = of(&|name| first.contains(name));
    let all = of(&|name| name != OTHER);
    for (what, bytes, most) in
        [("before the first stone", before, MOST_FIRST), ("in all", all, MOST_IN_ALL)]
    {
        println!("{bytes:>9}  {what}, of at most {most}");
        if bytes > most {
            bail!(
                "the site has {bytes} bytes {what}, and at most {most} are wanted: see MOST_FIRST and \
                 MOST_IN_ALL in xtask/src/site.rs for where new things belong"
            );
        }
    }
    Ok(())
}

/// As hosts pack it.
fn packed(bytes: &[u8]) -> Result<usize> {
    let mut packer = GzEncoder::new(Vec::new(), Compression::best());
    packer.write_all(bytes)?;
    Ok(packer.finish()?.len())
}

/// The files that a page loads before it can show a stone: what index.html names, the front worker and its
/// module, and all that their scripts import at once.
fn first_load(site: &Path) -> Result<BTreeSet<String>> {
    let mut first = BTreeSet::new();
    let mut open = vec!["index.html", "site.json", "assets/front.js"]
        .into_iter()
        .map(str::to_owned)
        .collect::<Vec<_>>();
    open.push(format!("{FRONT}.gz"));
    while let Some(name) = open.pop() {
        let text = match Path::new(&name).extension().and_then(|ending| ending.to_str()) {
            Some("html" | "js") => {
                fs::read_to_string(site.join(&name)).with_context(|| name.clone())?
            }
            _ => String::new(),
        };
        let folder = name.rsplit_once('/').map_or("", |(folder, _)| folder);
        let before = if has_ending(&name, "js") {
            &["from\"./", "import\"./"][..]
        } else {
            &["src=\"./", "href=\"./"]
        };
        for start in before {
            for rest in text.split(start).skip(1) {
                let Some((path, _)) = rest.split_once('"') else { continue };
                let path =
                    if folder.is_empty() { path.to_owned() } else { format!("{folder}/{path}") };
                // Pictures of an installed page are not waited for.
                if !has_ending(&path, "png") && !first.contains(&path) {
                    open.push(path);
                }
            }
        }
        first.insert(name);
    }
    Ok(first)
}

/// The npm package, packed into `target/npm`; it needs Node.
fn package(site: &Path) -> Result<()> {
    if !programs::have_node()? {
        return Ok(());
    }
    page_packages()?;
    let home = root().join("target/npm");
    if home.exists() {
        fs::remove_dir_all(&home)?;
    }
    npm("site: npm package", &["run", "--silent", "package"])?;
    copy_folder(&root().join("page/package"), &home.join("collinear"))?;
    for name in files_below(site, "")?.iter().filter(|name| is_packed(name)) {
        if *name != format!("{FRONT}.gz") {
            fs::copy(site.join(name), home.join("collinear/dist").join(name))?;
        }
    }
    fs::copy(site.join("site.json"), home.join("collinear/dist/site.json"))?;
    let manifest = fs::read_to_string(home.join("collinear/package.json"))?;
    let manifest: serde_json::Value = serde_json::from_str(&manifest)?;
    ensure!(
        manifest["version"] == release::version()?,
        "page/package/package.json has another version than Cargo.toml"
    );
    let licences = ["LICENSE-MIT", "LICENSE-APACHE"];
    for licence in licences {
        fs::copy(root().join(licence), home.join("collinear").join(licence))?;
    }
    step("site: npm pack", || {
        crate::run(
            std::process::Command::new("npm")
                .args(["pack", "--silent", "./collinear"])
                .current_dir(&home),
        )
    })
}
