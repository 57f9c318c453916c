//! Weights that a forger made: the shipped files with other numbers in some places and the right
//! checksum. Whatever is accepted must play: legal turns, without a panic.

use std::io::Write;
use std::time::Duration;

use collinear_engine::net::Net;
use collinear_engine::{LineNet, Weights};
use collinear_play::{Budget, ask};
use collinear_rules::hash::fnv1a;
use collinear_rules::{Position, Rules};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use crate::{Run, Target};

/// The last bytes of all these files are their checksum.
const CHECKSUM: usize = 8;
/// Bytes of one change: where, and which two bytes stand there then.
const CHANGE: usize = 5;
/// Nodes of a turn, and how late an answer may be on a machine that is busy with other things.
const NODES: u64 = 60;
const GRACE: Duration = Duration::from_secs(20);

pub(super) fn target() -> Target {
    // The first byte says which file; two bytes 7f7f, 7fff, ff7f, 8080 are at the edge of what numbers
    // can be.
    let examples = (0..5_u8).map(|file| {
        vec![file, 0, 0, 9, 0x7f, 0x7f, 0, 1, 0, 0x80, 0x80, 2, 3, 4, 0xff, 0x7f, 0, 0, 6, 1, 0]
    });
    Target {
        name: "players",
        examples: examples.collect(),
        words: &["\x7f\x7f", "\0\0", "\x01\0", "\x7f\x01"],
        test_cases: 12,
        start,
    }
}

/// The shipped files, each with a game it is for.
fn files() -> Vec<(Rules, Vec<u8>)> {
    let mut files = Vec::new();
    for rules in [Rules::CONNECT6, Rules::GOMOKU] {
        files.push((rules, Weights::for_rules(&rules).to_bytes(1)));
        files.extend(Net::for_rules(&rules).map(|net| (rules, net.to_bytes())));
        files.extend(LineNet::for_rules(&rules).map(|net| (rules, net.to_bytes())));
    }
    files
}

fn start() -> Run {
    let registry = collinear_agents::registry();
    let files = files();
    Box::new(move |input| {
        let Some((&which, changes)) = input.split_first() else { return Ok(()) };
        let (rules, good) = &files[usize::from(which) % files.len()];
        let mut bytes = good.clone();
        let room = bytes.len() - CHECKSUM - 1;
        for change in changes.chunks_exact(CHANGE) {
            let at = change[..3].iter().fold(0, |at, &byte| at << 8 | usize::from(byte)) % room;
            bytes[at..at + 2].copy_from_slice(&change[3..]);
        }
        let end = bytes.len() - CHECKSUM;
        let sum = fnv1a(&bytes[..end]);
        bytes[end..].copy_from_slice(&sum.to_le_bytes());
        let mut file = tempfile::NamedTempFile::new().map_err(|error| error.to_string())?;
        file.write_all(&bytes).map_err(|error| error.to_string())?;
        let spec = format!("sextant:memory=1,weights={}", file.path().display());
        let choice = registry.parse(&spec).map_err(|error| error.to_string())?;
        let Ok(mut agent) = choice.build(rules, 1) else { return Ok(()) };
        let mut random = Xoshiro256PlusPlus::seed_from_u64(fnv1a(input));
        let mut position = Position::new(*rules);
        for _ in 0..random.random_range(0..30) {
            let Some(&cell) = position.legal_cells().choose(&mut random) else { break };
            position.play_unchecked(cell);
        }
        if position.is_over() {
            return Ok(());
        }
        let budget = Budget { grace: GRACE, ..Budget::nodes(NODES) };
        match ask(agent.as_mut(), &position, &budget, &mut |_| {}).turn {
            Ok(_) => Ok(()),
            Err(fault) => Err(format!("{rules}: {fault}")),
        }
    })
}
