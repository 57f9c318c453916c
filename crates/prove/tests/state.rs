//! A search that is stopped and saved again and again ends with the same value, and a state that
//! is damaged or belongs to another position is refused.

use collinear_prove::{Limits, ProveError, Prover, check};
use collinear_rules::{Position, Rules};

fn prover(game: &str) -> Prover {
    let rules: Rules = game.parse().expect(game);
    Prover::new(&Position::new(rules), 4 << 20).expect(game)
}

#[test]
fn a_search_goes_on_where_it_was_stopped() {
    let game = "5x5,k=4,p=2,q=1";
    let through = prover(game).run(&Limits::default()).expect("no limit");
    let mut state = Vec::new();
    let mut stops = 0;
    let certificate = loop {
        let prover = prover(game);
        if !state.is_empty() {
            prover.load(&mut state.as_slice()).expect("its own state");
        }
        let nodes = Some(prover.nodes() + 500);
        match prover.run(&Limits { nodes, ..Limits::default() }) {
            Ok(certificate) => break certificate,
            Err(ProveError::Stopped { .. }) => stops += 1,
            Err(error) => panic!("{error}"),
        }
        state.clear();
        prover.save(&mut state).expect("memory");
    };
    assert!(stops >= 3, "{stops}");
    assert_eq!(certificate.value, through.value);
    check(&certificate).expect("holds");
}

#[test]
fn threads_find_the_same_value() {
    for game in ["4x4,k=3,p=2,q=1", "5x4,k=4", "5x4,k=3"] {
        let alone = prover(game).run(&Limits::default()).expect("no limit");
        let together = prover(game).run(&Limits { threads: 4, ..Limits::default() });
        let together = together.expect("no limit");
        check(&together).expect("holds");
        assert_eq!(alone.value, together.value, "{game}");
    }
}

#[test]
fn states_of_others_and_damaged_ones_are_refused() {
    let mine = prover("5x4,k=4");
    let stopped = mine.run(&Limits { nodes: Some(50), ..Limits::default() });
    assert!(matches!(stopped, Err(ProveError::Stopped { .. })));
    let mut state = Vec::new();
    mine.save(&mut state).expect("memory");
    let other = prover("4x5,k=4").load(&mut state.as_slice());
    assert!(matches!(other, Err(ProveError::OtherState { .. })), "{other:?}");
    let cut = prover("5x4,k=4").load(&mut &state[..state.len() - 40]);
    assert!(matches!(cut, Err(ProveError::DamagedState)), "{cut:?}");
    let middle = state.len() / 2;
    state[middle] ^= 1;
    let damaged = prover("5x4,k=4").load(&mut state.as_slice());
    assert!(matches!(damaged, Err(ProveError::DamagedState)), "{damaged:?}");
}
