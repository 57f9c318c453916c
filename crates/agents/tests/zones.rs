//! Wins by zones beside the prover that searches boards through, the checker in Python, and forgers.

use std::path::Path;
use std::process::Command;

use collinear_agents::{ZoneLimits, ZoneSearch};
use collinear_play::Budget;
use collinear_prove::{Certificate, Limits, Prover, Reason, Value, check};
use collinear_rules::{Position, Rules};
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

fn random_position(
    rules: Rules,
    stones: usize,
    random: &mut Xoshiro256PlusPlus,
) -> Option<Position> {
    let mut position = Position::new(rules);
    for _ in 0..stones {
        let legal = position.legal_cells();
        position.play(legal[random.random_range(0..legal.len())]).ok()?;
        if position.is_over() {
            return None;
        }
    }
    Some(position)
}

/// The winner, the quiet turns and the certificate, which is read back from its file and checked.
fn found(search: &mut ZoneSearch, position: &Position) -> Option<(Value, u16, Certificate)> {
    let meter = Budget::nodes(search.nodes() + 20_000).start(1);
    let limits = ZoneLimits { quiet: 2, proof_nodes: 300, meter: &meter };
    let found = search.find(position, limits, &|_, _| {}).expect("no gravity")?;
    let certificate = found.win.certificate;
    let again = Certificate::from_bytes(&certificate.to_bytes()).expect("its own file");
    assert_eq!(again, certificate);
    let checked = check(&again).unwrap_or_else(|error| panic!("{error}\n{position:?}"));
    assert_eq!(checked.value, Value::Won(found.winner));
    Some((checked.value, found.quiet, certificate))
}

#[test]
fn wins_by_zones_are_wins() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(51);
    let (mut wins, mut quiet_wins) = (0, 0);
    let mut certificates = Vec::new();
    for text in [
        "5x5,k=4",
        "6x5,k=4",
        "5x5,k=4,exact",
        "6x5,k=5,p=2,q=1",
        "6x6,k=5,p=2,q=1",
        "6x5,k=5,p=3,q=2",
    ] {
        let rules: Rules = text.parse().expect(text);
        let mut search = ZoneSearch::new(&rules);
        for _ in 0..150 {
            let stones = random.random_range(rules.cells() / 5..rules.cells() * 2 / 3);
            let Some(position) = random_position(rules, stones, &mut random) else { continue };
            let Some((value, quiet, certificate)) = found(&mut search, &position) else { continue };
            certificates.push(certificate);
            let prover = Prover::new(&position, 8 << 20).expect("a small board");
            let limits = Limits { nodes: Some(200_000), ..Limits::default() };
            let Ok(true_value) = prover.value(&limits) else { continue };
            assert_eq!(value, true_value, "{text}\n{position:?}");
            wins += 1;
            quiet_wins += usize::from(quiet > 0);
        }
    }
    assert!(wins >= 60 && quiet_wins >= 5, "{wins} wins, {quiet_wins} quiet ones");
    python_accepts(&certificates);
}

/// The checker in Python, where there is a Python, says the same of all of them.
fn python_accepts(certificates: &[Certificate]) {
    let folder = tempfile::tempdir().expect("a folder");
    let files: Vec<_> =
        (0..certificates.len()).map(|n| folder.path().join(n.to_string())).collect();
    for (file, certificate) in files.iter().zip(certificates) {
        std::fs::write(file, certificate.to_bytes()).expect("written");
    }
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/python/collinear");
    let mut python = Command::new("python3");
    python.args(["-B", "-m", "proof"]).args(&files).env("PYTHONPATH", modules);
    let Ok(output) = python.output() else { return };
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(said.lines().count(), files.len(), "{}", String::from_utf8_lossy(&output.stderr));
    for (line, certificate) in said.lines().zip(certificates) {
        let value = format!(" {} {} ", certificate.rules, certificate.value);
        assert!(line.contains(&value), "{line}, not {value}");
    }
}

/// Whatever is changed in the turns: what the checker accepts is true.
#[test]
fn forged_turns_prove_nothing_that_is_false() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(52);
    let rules: Rules = "5x5,k=4".parse().expect("a game");
    let mut search = ZoneSearch::new(&rules);
    let (mut refused, mut tried) = (0, 0);
    for _ in 0..60 {
        let Some(position) = random_position(rules, 7, &mut random) else { continue };
        let Some((value, _, genuine)) = found(&mut search, &position) else { continue };
        for _ in 0..20 {
            let mut forged = genuine.clone();
            let Reason::Zones(bytes) = &mut forged.parts[0].reason else { panic!("zones") };
            if bytes.is_empty() {
                continue;
            }
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..3) {
                0 => bytes[at] = random.random_range(0..26),
                1 => drop(bytes.remove(at)),
                _ => bytes.push(0),
            }
            tried += 1;
            refused += usize::from(check(&forged).is_err());
            // The turns of one player for the other.
            let mut other = genuine.clone();
            if let Value::Won(winner) = value {
                other.value = Value::Won(!winner);
                other.parts[0].player = !winner;
                assert!(check(&other).is_err(), "{position:?}");
            }
        }
    }
    assert!(tried > 50 && refused * 2 > tried, "{refused} of {tried}");
}

/// On a board that nobody searches through.
#[test]
fn a_large_board() {
    let rules: Rules = "19x19,k=6,p=2,q=1".parse().expect("a game");
    let mut position = Position::new(rules);
    // White's first stones are in the corners, and Black has three about the centre and is to move.
    for (column, row) in [(9, 9), (0, 0), (18, 18), (10, 9), (9, 10), (0, 18), (18, 0)] {
        let cell = rules.cell(column, row).expect("on the board");
        position.play(cell).expect("empty");
    }
    let (value, _, certificate) = found(&mut ZoneSearch::new(&rules), &position).expect("won");
    assert_eq!(value, Value::Won(position.to_move()));
    let Reason::Zones(bytes) = &certificate.parts[0].reason else { panic!("zones") };
    assert!(!bytes.is_empty());
}
