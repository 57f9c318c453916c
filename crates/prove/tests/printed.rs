//! Values that others have printed: `data/printed.csv`, each row with its source.

use collinear_prove::{Limits, Prover, check};
use collinear_rules::{Position, Rules};

#[test]
fn values_in_print_are_reproduced() {
    let mut rows = 0;
    for line in include_str!("data/printed.csv").lines().skip(1) {
        let fields: Vec<&str> = line.split(';').collect();
        let [game, value, source] = fields[..] else { panic!("{line}") };
        let rules: Rules = game.parse().expect(game);
        let prover = Prover::new(&Position::new(rules), 64 << 20).expect(game);
        let certificate = prover.run(&Limits::default()).expect(game);
        check(&certificate).unwrap_or_else(|error| panic!("{game}: {error}"));
        assert_eq!(certificate.value.name(), value, "{game}, against {source}");
        rows += 1;
    }
    assert!(rows >= 25, "{rows}");
}
