//! Says where the experiments are: `experiments` in the repository, the same name in a package, which
//! `cargo xtask publish` fills.

use std::path::Path;

fn main() {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = [own.join("../../experiments"), own.join("experiments")];
    let folder = folders.into_iter().find(|folder| folder.join("karplus-1.toml").is_file());
    let Some(folder) = folder else {
        panic!("the folder `experiments` is missing: take the whole repository");
    };
    println!("cargo::rustc-env=COLLINEAR_EXPERIMENTS={}", folder.display());
    println!("cargo::rerun-if-changed={}", folder.display());
}
