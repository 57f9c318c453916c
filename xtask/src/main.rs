//! The repository's chores.

fn main() {}
