//! The checker in Python (`crates/python/python/collinear/proof`) accepts what ours accepts and
//! refuses what ours refuses. It needs nothing but an interpreter.

use std::path::Path;
use std::process::{Command, Output};

use collinear_prove::{Certificate, CheckError, Limits, Prover, Reason, check};
use collinear_rules::{Position, Rules, notation};

/// Wins by zones that `collinear prove` found: by threats alone, and with a quiet turn.
const ZONES: [(&str, &[u8]); 2] = [
    ("threats", include_bytes!("data/threats.proof")),
    ("quiet", include_bytes!("data/quiet.proof")),
];

fn certificate(game: &str, moves: &str) -> Certificate {
    let rules: Rules = game.parse().expect(game);
    let mut position = Position::new(rules);
    for name in moves.split_whitespace() {
        position.play(notation::parse(&rules, name).expect(name)).expect(name);
    }
    let prover = Prover::new(&position, 8 << 20).expect(game);
    prover.run(&Limits::default()).expect(game)
}

/// What the checker in Python says to these bytes; `None` where there is no Python.
fn second_opinion(bytes: &[u8]) -> Option<Output> {
    let modules = Path::new(env!("CARGO_MANIFEST_DIR")).join("../python/python/collinear");
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("game.proof");
    std::fs::write(&file, bytes).expect("written");
    let mut python = Command::new("python3");
    python.args(["-B", "-m", "proof"]).arg(&file).env("PYTHONPATH", modules).output().ok()
}

#[test]
fn both_accept_what_the_search_proves() {
    for (game, moves) in [
        ("1x1,k=1", ""),
        ("3x3,k=3", ""),
        ("3x3,k=3", "a1 b1 c3"),
        ("4x3,k=3", ""),
        ("5x4,k=4", ""),
        ("4x4,k=3,p=2,q=1", ""),
        ("4x4,k=4,p=2,q=2", ""),
        ("4x4,k=3,p=2,q=3", "a1"),
        ("4x4,k=4,gravity", ""),
        ("3x4,k=3,gravity", ""),
        ("4x4,k=3,p=2,q=1,gravity", ""),
        ("5x3,k=3,exact", ""),
        ("4x4,k=4,exact", ""),
    ] {
        let certificate = certificate(game, moves);
        let checked = check(&certificate).unwrap_or_else(|error| panic!("{game}: {error}"));
        let value = checked.value;
        let Some(output) = second_opinion(&certificate.to_bytes()) else { return };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let complaint = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(said.contains(&format!(" {game} {value} ")), "{game}: {said}{complaint}");
    }
}

/// Bytes changed by somebody who knows how to write a digest: whatever our checker refuses, the
/// other refuses as well, and both accept the rest.
#[test]
fn both_refuse_the_same_forgeries() {
    let genuine = certificate("5x4,k=4", "");
    let refused = |part: usize, change: &dyn Fn(&mut Vec<u8>)| {
        let mut forged = genuine.clone();
        match &mut forged.parts[part].reason {
            Reason::Strong(bytes) | Reason::Weak(bytes) | Reason::Zones(bytes) => change(bytes),
            Reason::Stealing => panic!("part {part} has a strategy"),
        }
        let ours = check(&forged).is_err();
        if let Some(output) = second_opinion(&forged.to_bytes()) {
            assert_eq!(ours, !output.status.success(), "{output:?}");
        }
        ours
    };
    let (Reason::Weak(bytes) | Reason::Strong(bytes)) = &genuine.parts[0].reason else {
        panic!("White's part has a strategy")
    };
    let length = bytes.len();
    let flipped = (0..length).step_by(length / 12 + 1);
    let caught = flipped.clone().filter(|&at| refused(0, &|bytes| bytes[at] ^= 5)).count();
    assert!(caught * 2 > flipped.count(), "a changed byte seldom makes another proof");
    assert!(refused(0, &|bytes| bytes.truncate(length / 2)));
    assert!(refused(0, &|bytes| drop(bytes.drain(3..9))));
    assert!(refused(0, &|bytes| bytes.push(0)));
}

/// Distances: both accept the true one and refuse every other.
#[test]
fn both_know_how_long_a_win_takes() {
    for (game, moves) in [
        ("4x3,k=3", ""),
        ("4x4,k=3,p=2,q=1", ""),
        ("4x4,k=3,p=2,q=1,gravity", ""),
        ("5x3,k=3,exact", ""),
        ("5x4,k=3", "a1 e4"),
    ] {
        let rules: Rules = game.parse().expect(game);
        let mut position = Position::new(rules);
        for name in moves.split_whitespace() {
            position.play(notation::parse(&rules, name).expect(name)).expect(name);
        }
        let prover = Prover::new(&position, 8 << 20).expect(game);
        let limits = Limits::default();
        let certificate = prover.run(&limits).expect(game);
        let genuine = prover.with_distance(certificate, &limits).expect(game);
        let Some(stones) = genuine.stones else { panic!("{game} is won by somebody") };
        for claimed in [stones, stones - 1, stones + 1, stones + 2, 0, 1000] {
            let forged = Certificate { stones: Some(claimed), ..genuine.clone() };
            assert_eq!(check(&forged).is_ok(), claimed == stones, "{game}: {claimed}");
            let Some(output) = second_opinion(&forged.to_bytes()) else { return };
            assert_eq!(output.status.success(), claimed == stones, "{game}: {claimed} {output:?}");
        }
    }
}

/// Wins by zones on boards of any size: the same certificates are accepted, and what is refused is refused at the
/// same byte.
#[test]
fn both_follow_wins_by_zones() {
    for (name, bytes) in ZONES {
        let genuine = Certificate::from_bytes(bytes).expect(name);
        let value = check(&genuine).unwrap_or_else(|error| panic!("{name}: {error}")).value;
        let Some(output) = second_opinion(bytes) else { return };
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        let text = format!(" {} {value} ", genuine.rules);
        assert!(said.contains(&text), "{name}: {said}{}", String::from_utf8_lossy(&output.stderr));

        let Reason::Zones(turns) = &genuine.parts[0].reason else { panic!("{name}: zones") };
        let (length, mut refused) = (turns.len(), 0);
        for at in (0..length).step_by(length / 4 + 1) {
            for change in 0..4 {
                let mut forged = genuine.clone();
                let Reason::Zones(turns) = &mut forged.parts[0].reason else { panic!("zones") };
                match change {
                    0 => turns[at] ^= 3,
                    1 => turns.truncate(at),
                    2 => drop(turns.drain(at..=at)),
                    _ => turns.insert(at, 0xff),
                }
                let ours = check(&forged);
                let Some(output) = second_opinion(&forged.to_bytes()) else { return };
                assert_eq!(ours.is_ok(), output.status.success(), "{name}, {at}: {output:?}");
                let Err(CheckError::Refused { byte, .. }) = ours else { continue };
                let said = String::from_utf8_lossy(&output.stderr).into_owned();
                assert!(said.contains(&format!("wins, byte {byte}: ")), "{name}, {byte}: {said}");
                refused += 1;
            }
        }
        assert!(refused >= 8, "{name}: {refused}");
    }
}
