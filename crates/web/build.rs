//! Rebuilds the crate when the built page changes: a new file in the folder does not change any
//! source the compiler knows.

fn main() {
    println!("cargo::rerun-if-changed=../../page/dist");
}
