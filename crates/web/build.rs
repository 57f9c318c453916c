//! Says where the built page is: `page/dist` in the repository, `page` in a package, which
//! `cargo xtask publish` fills. Also rebuilds the crate when the page changes: a new file in the folder
//! does not change any source the compiler knows.

use std::path::Path;

fn main() {
    let folders = ["../../page/dist", "page"];
    let folder = folders.into_iter().find(|folder| Path::new(folder).join("index.html").is_file());
    let Some(folder) = folder else {
        panic!("the built page is missing: `cargo xtask page` builds it into page/dist");
    };
    println!("cargo::rustc-env=COLLINEAR_PAGE={folder}");
    println!("cargo::rerun-if-changed={folder}");
}
