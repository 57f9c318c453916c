//! Certificates that were damaged, cut or invented are refused, and the refusal names the place.

use collinear_prove::{
    Certificate, CheckError, FormatError, Goal, Limits, Part, Prover, Reason, Value, check,
};
use collinear_rules::{Player, Position, Rules};
use proptest::prelude::*;

fn certificate(game: &str) -> Certificate {
    let rules: Rules = game.parse().expect(game);
    let prover = Prover::new(&Position::new(rules), 8 << 20).expect(game);
    prover.run(&Limits::default()).expect(game)
}

/// The strategy of a part, to be changed.
fn strategy(part: &mut Part) -> &mut Vec<u8> {
    match &mut part.reason {
        Reason::Strong(bytes) | Reason::Weak(bytes) => bytes,
        Reason::Zones(_) | Reason::Stealing => panic!("no strategy"),
    }
}

#[test]
fn files_are_read_back_as_they_were_written() {
    for game in ["3x3,k=3", "4x3,k=3", "4x4,k=3,p=2,q=1,gravity", "4x4,k=4,exact"] {
        let certificate = certificate(game);
        let file = certificate.to_bytes();
        assert_eq!(Certificate::from_bytes(&file), Ok(certificate.clone()), "{game}");
        assert!(String::from_utf8_lossy(&file).contains(&certificate.digest()), "{game}");
    }
}

#[test]
fn every_flipped_bit_of_a_file_is_found() {
    let file = certificate("4x3,k=3").to_bytes();
    for at in 0..file.len() {
        for bit in 0..8 {
            let mut damaged = file.clone();
            damaged[at] ^= 1 << bit;
            assert!(Certificate::from_bytes(&damaged).is_err(), "byte {at}, bit {bit}");
        }
    }
    for length in 0..file.len() {
        assert!(Certificate::from_bytes(&file[..length]).is_err(), "cut to {length}");
    }
}

#[test]
fn refusals_of_files_name_the_place() {
    let file = certificate("4x3,k=3").to_bytes();
    let text = String::from_utf8_lossy(&file).into_owned();
    let wrong = |from: &str, to: &str| {
        Certificate::from_bytes(text.replace(from, to).as_bytes()).expect_err(from).to_string()
    };
    assert!(wrong("game 4x3", "game 4y3").starts_with("line 2 of the certificate"));
    assert!(wrong("black\n", "black z9\n").starts_with("line 3 of the certificate"));
    assert!(wrong("value black", "value red").starts_with("line 6 of the certificate"));
    assert!(wrong("wins", "hopes").starts_with("line 7 of the certificate"));
    assert!(wrong("value black", "value white").contains("damaged"));
    assert!(matches!(
        Certificate::from_bytes(&file[..file.len() - 1]),
        Err(FormatError::Length { .. })
    ));
}

#[test]
fn a_strategy_that_is_cut_or_too_long_is_refused_with_the_place() {
    for game in ["4x3,k=3", "5x4,k=4", "4x4,k=3,p=2,q=1", "4x4,k=4,gravity"] {
        let genuine = certificate(game);
        let length = strategy(&mut genuine.clone().parts[0]).len();
        for cut in [0, length / 3, length - 1] {
            let mut forged = genuine.clone();
            strategy(&mut forged.parts[0]).truncate(cut);
            let refused = check(&forged).expect_err(game);
            assert!(
                matches!(refused, CheckError::Refused { part: 1, byte, .. } if byte <= cut),
                "{game}: {refused}"
            );
        }
        let mut forged = genuine;
        strategy(&mut forged.parts[0]).push(0);
        assert!(check(&forged).expect_err(game).to_string().contains("left over"), "{game}");
    }
}

/// A win by zones, with a quiet turn: cut, made longer, claimed for the other player, of a turn that cannot be played.
#[test]
fn forged_zones_are_refused_with_the_place() {
    let genuine = Certificate::from_bytes(include_bytes!("data/quiet.proof")).expect("a file");
    assert_eq!(check(&genuine).expect("a win").value, genuine.value);
    let forged = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut forged = genuine.clone();
        let Reason::Zones(turns) = &mut forged.parts[0].reason else { panic!("zones") };
        change(turns);
        check(&forged).expect_err("a forgery")
    };
    let Reason::Zones(turns) = &genuine.parts[0].reason else { panic!("zones") };
    for cut in 0..turns.len() {
        let refused = forged(&|turns| turns.truncate(cut));
        assert!(
            matches!(refused, CheckError::Refused { part: 1, byte, .. } if byte <= cut),
            "cut to {cut}: {refused}"
        );
    }
    assert!(forged(&|turns| turns.extend([0, 0])).to_string().contains("left over"));
    let occupied = forged(&|turns| turns.copy_within(0..2, 2));
    assert!(matches!(occupied, CheckError::Refused { byte: 4, .. }), "{occupied}");
    let mut other = genuine;
    other.value = Value::Won(!other.parts[0].player);
    other.parts[0].player = !other.parts[0].player;
    assert!(matches!(check(&other), Err(CheckError::Refused { .. })));
}

#[test]
fn claims_that_do_not_show_the_value_are_refused() {
    let mut drawn = certificate("3x3,k=3");
    drawn.value = Value::Won(Player::Black);
    assert!(matches!(check(&drawn), Err(CheckError::Claims { .. })));
    let mut half = certificate("3x3,k=3");
    half.parts.truncate(1);
    assert!(matches!(check(&half), Err(CheckError::Claims { .. })));
    let mut stolen = certificate("4x4,k=3,p=2,q=1");
    stolen.value = Value::Draw;
    stolen.parts = vec![
        Part { player: Player::White, goal: Goal::Holds, reason: Reason::Stealing },
        Part { player: Player::Black, goal: Goal::Holds, reason: Reason::Stealing },
    ];
    assert!(matches!(check(&stolen), Err(CheckError::Stealing { part: 1 })));
}

proptest! {
    /// Whatever stands in a strategy, the checker ends, and accepts only what is true.
    #[test]
    fn invented_strategies_show_nothing_false(
        bytes in prop::collection::vec(prop_oneof![0..16_u8, 0x80..0x83_u8, Just(0xfe)], 0..200),
        weak in any::<bool>(),
        game in prop::sample::select(vec!["4x3,k=3", "4x4,k=3,p=2,q=1", "4x4,k=3,gravity"]),
    ) {
        // In none of these games does the loser hold.
        let mut forged = certificate(game);
        let Value::Won(winner) = forged.value else { panic!("{game} is won") };
        forged.value = Value::Draw;
        let reason = if weak { Reason::Weak(bytes) } else { Reason::Strong(bytes) };
        forged.parts = vec![
            Part { player: !winner, goal: Goal::Holds, reason },
            Part { player: winner, goal: Goal::Holds, reason: Reason::Strong(vec![]) },
        ];
        prop_assert!(check(&forged).is_err());
    }

    /// A changed byte is refused, or makes another proof of the same true claim.
    #[test]
    fn a_changed_byte_never_changes_the_value(at in any::<prop::sample::Index>(), to in any::<u8>()) {
        let mut forged = certificate("4x3,k=3");
        let bytes = strategy(&mut forged.parts[0]);
        let at = at.index(bytes.len());
        bytes[at] = to;
        if let Ok(checked) = check(&forged) {
            prop_assert_eq!(checked.value, Value::Won(Player::Black));
        }
    }
}
