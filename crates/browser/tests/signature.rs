//! The lines that every browser must give, too: `page/e2e/signature.e2e.ts` holds the modules to them, in
//! Node and in Chromium. `COLLINEAR_WRITE_SIGNATURE=1` writes them anew, after a change that is meant to
//! change what an agent plays.

use collinear_browser::signature;
use collinear_room::work::Worker;

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/signature.txt");

#[test]
fn every_agent_plays_as_it_is_written() {
    let worker = Worker::new(collinear_agents::registry(), 1);
    let found = signature::lines(&worker).join("\n") + "\n";
    if std::env::var_os("COLLINEAR_WRITE_SIGNATURE").is_some() {
        std::fs::write(FILE, &found).expect("written");
    }
    let stored = std::fs::read_to_string(FILE).expect("stored");
    assert_eq!(found, stored, "an agent plays otherwise: is it meant to?");
    for spec in collinear_agents::registry().iter() {
        assert!(stored.contains(&format!(": {} ", spec.name)), "{} plays nowhere", spec.name);
    }
}
