//! The built page in `page/dist` is committed, so that no Node is needed to run the program; this
//! fails when its sources have changed since it was built. `npm run build` in `page/` builds it.

use std::path::{Path, PathBuf};

use collinear_rules::hash::{fnv1a, fnv1a_from};

/// What the built page is made of; `page/vite.config.ts` has the same list.
const SOURCES: [&str; 6] =
    ["index.html", "package-lock.json", "public", "src", "vite.config.ts", "vite.study.ts"];

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
    let hash = names.iter().fold(fnv1a(&[]), |hash, name| {
        let contents = std::fs::read(page.join(name)).expect("a source");
        fnv1a_from(fnv1a_from(hash, name.as_bytes()), &contents)
    });
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
