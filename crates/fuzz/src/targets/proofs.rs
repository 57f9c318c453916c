//! Certificates and saved states that a forger made, with the right digests. The checker ends and
//! accepts nothing false; a search that goes on from lies ends, too, and the checker finds them out.

use collinear_agents::{ZoneLimits, ZoneSearch};
use collinear_play::Budget;
use collinear_prove::{Certificate, FormatError, Limits, Prover, Reason, Value, check};
use collinear_rules::{Position, Rules};
use sha2::{Digest, Sha256};

use crate::{Run, Target};

/// Small games whose values are found at once.
const GAMES: [&str; 6] =
    ["3x3,k=3", "4x3,k=3", "4x4,k=3,p=2,q=1", "4x4,k=3,gravity", "4x4,k=4,exact", "4x4,k=4"];
/// Bytes of a table in a test, and nodes of a search that goes on from a forged state.
const MEMORY: usize = 1 << 16;
const NODES: u64 = 3000;
/// Bytes of the digest behind a state.
const DIGEST: usize = 32;

pub(super) fn targets() -> Vec<Target> {
    let known: Vec<Known> = GAMES.iter().filter_map(Known::find).collect();
    let words = &[
        "\u{80}",
        "part black holds weak 0\n",
        "part white holds stealing 0\n",
        "part black wins zones 0\n",
        "value black in 7\n",
        "value draw\n",
        "\0",
    ];
    vec![
        Target {
            name: "proofs",
            examples: known
                .iter()
                .flat_map(|known| [Some(known.certificate.clone()), known.by_zones()])
                .flatten()
                .map(|certificate| certificate.to_bytes())
                .collect(),
            words,
            test_cases: 400,
            start: proofs,
        },
        Target {
            name: "strategies",
            examples: known.iter().flat_map(Known::strategies).collect(),
            words: &["\u{80}", "\u{81}", "\u{82}", "\0", "\x05"],
            test_cases: 400,
            start: strategies,
        },
        Target {
            name: "states",
            examples: known.iter().filter_map(Known::state).collect(),
            words: &["\0\0\0\0", "\x7f\x7f\x7f\x7f", "\x01\0\0\0"],
            test_cases: 100,
            start: states,
        },
    ]
}

/// A game and its true value.
struct Known {
    /// Its place in the list.
    at: u8,
    rules: Rules,
    certificate: Certificate,
}

impl Known {
    fn find(game: &&str) -> Option<Self> {
        let at = GAMES.iter().position(|known| known == game)? as u8;
        let rules: Rules = game.parse().ok()?;
        let prover = Prover::new(&Position::new(rules), 1 << 20).ok()?;
        Some(Self { at, rules, certificate: prover.run(&Limits::default()).ok()? })
    }

    /// Its strategies, behind the number of the game and of the part.
    fn strategies(&self) -> Vec<Vec<u8>> {
        let part = |(number, part): (u8, &collinear_prove::Part)| match &part.reason {
            Reason::Strong(bytes) | Reason::Weak(bytes) | Reason::Zones(bytes) => {
                Some([&[self.at, number][..], bytes].concat())
            }
            Reason::Stealing => None,
        };
        let by_zones = self.by_zones();
        let zones = by_zones.iter().flat_map(|certificate| &certificate.parts);
        (0..).zip(self.certificate.parts.iter().chain(zones)).filter_map(part).collect()
    }

    /// The same value by zones, where they show it.
    fn by_zones(&self) -> Option<Certificate> {
        let meter = Budget::nodes(10_000).start(1);
        let limits = ZoneLimits { quiet: 1, proof_nodes: 100, meter: &meter };
        let mut search = ZoneSearch::new(&self.rules);
        let found = search.find(&Position::new(self.rules), limits, &|_, _| {}).ok()??;
        Some(found.win.certificate)
    }

    /// What a search that was stopped has saved, behind the number of the game.
    fn state(&self) -> Option<Vec<u8>> {
        let prover = Prover::new(&Position::new(self.rules), MEMORY).ok()?;
        let _ = prover.run(&Limits { nodes: Some(60), ..Limits::default() });
        let mut bytes = vec![self.at];
        prover.save(&mut bytes).ok()?;
        bytes.truncate(bytes.len() - DIGEST);
        Some(bytes)
    }

    /// Whether a certificate for the whole game that the checker accepts is true.
    fn judge(&self, certificate: &Certificate) -> Result<(), String> {
        let is_whole = certificate.rules == self.rules
            && certificate.setup.black.is_empty()
            && certificate.setup.white.is_empty()
            && certificate.setup.to_move == self.certificate.setup.to_move;
        match check(certificate) {
            Ok(checked) if is_whole && checked.value != self.certificate.value => Err(format!(
                "{}: {} is accepted, {} is true",
                self.rules, checked.value, self.certificate.value
            )),
            _ => Ok(()),
        }
    }
}

fn known() -> Vec<Known> {
    GAMES.iter().filter_map(Known::find).collect()
}

/// Whole files, and the same with the digest they should have.
fn proofs() -> Run {
    let known = known();
    Box::new(move |input| {
        let read = match Certificate::from_bytes(input) {
            Err(FormatError::Digest { expected, found }) => {
                let sealed = replaced(input, expected.as_bytes(), found.as_bytes());
                Certificate::from_bytes(&sealed)
            }
            read => read,
        };
        let Ok(certificate) = read else { return Ok(()) };
        if Certificate::from_bytes(&certificate.to_bytes()).as_ref() != Ok(&certificate) {
            return Err("a certificate does not come back".to_owned());
        }
        known.iter().try_for_each(|known| known.judge(&certificate))
    })
}

/// The strategy of a genuine certificate exchanged, for each value that might be claimed.
fn strategies() -> Run {
    let known = known();
    Box::new(move |input| {
        let [game, part, strategy @ ..] = input else { return Ok(()) };
        let known = &known[usize::from(*game) % known.len()];
        for value in [known.certificate.value, Value::Draw] {
            let mut forged = known.certificate.clone();
            forged.value = value;
            let at = usize::from(*part) % forged.parts.len();
            for (player, goal) in value.claims() {
                forged.parts[at].player = player;
                forged.parts[at].goal = goal;
                for reason in [Reason::Strong, Reason::Weak, Reason::Zones] {
                    forged.parts[at].reason = reason(strategy.to_vec());
                    known.judge(&forged)?;
                }
            }
        }
        Ok(())
    })
}

/// A search that goes on from a state that was tampered with.
fn states() -> Run {
    let known = known();
    Box::new(move |input| {
        let Some((&game, body)) = input.split_first() else { return Ok(()) };
        let known = &known[usize::from(game) % known.len()];
        let prover = Prover::new(&Position::new(known.rules), MEMORY).map_err(|e| e.to_string())?;
        let sealed = [body, &Sha256::digest(body)].concat();
        if prover.load(&mut &sealed[..]).is_err() {
            return Ok(());
        }
        let nodes = Some(prover.nodes().saturating_add(NODES));
        match prover.run(&Limits { nodes, ..Limits::default() }) {
            Ok(certificate) => known.judge(&certificate),
            Err(_) => Ok(()),
        }
    })
}

fn replaced(bytes: &[u8], from: &[u8], to: &[u8]) -> Vec<u8> {
    let found = bytes.windows(from.len().max(1)).position(|part| part == from);
    match found {
        Some(at) => [&bytes[..at], to, &bytes[at + from.len()..]].concat(),
        None => bytes.to_vec(),
    }
}
