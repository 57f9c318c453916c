//! The built page in `page/dist` is committed, so that no Node is needed to run the program; this
//! fails when its sources have changed since it was built. `npm run build` in `page/` builds it.

use std::path::{Path, PathBuf};

/// What the built page is made of; `page/vite.config.ts` has the same list.
const SOURCES: [&str; 5] = ["index.html", "package-lock.json", "public", "src", "vite.config.ts"];

fn files(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).expect("a folder") {
            files(&entry.expect("an entry").path(), found);
        }
    } else {
        found.push(path.to_owned());
    }
}

/// FNV-1a, 64 bits, over names and contents: a change detector, not a seal.
fn hash(page: &Path) -> String {
    let mut paths = Vec::new();
    for source in SOURCES {
        files(&page.join(source), &mut paths);
    }
    let mut names: Vec<String> = paths
        .iter()
        .map(|path| path.strip_prefix(page).expect("inside").to_string_lossy().replace('\\', "/"))
        .filter(|name| !name.ends_with(".test.ts"))
        .collect();
    names.sort_unstable();
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    for name in names {
        let contents = std::fs::read(page.join(&name)).expect("a source");
        for byte in name.bytes().chain(contents) {
            hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
    format!("{hash:016x}")
}

#[test]
fn the_built_page_is_current() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../page");
    let built = std::fs::read_to_string(page.join("dist/sources.hash")).unwrap_or_default();
    assert_eq!(
        built.trim(),
        hash(&page),
        "page/dist is stale: run `npm install && npm run build` in page/ and commit dist"
    );
}
