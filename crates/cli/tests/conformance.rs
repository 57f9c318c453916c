//! An agent stays the agent it is when it is reached through a protocol: the conformance suite over
//! engines of ours in processes of their own.

#![cfg(unix)]

use assert_cmd::cargo::cargo_bin;
use collinear_play::Registry;
use collinear_play::conformance::{Effort, check};
use collinear_protocol::host::EXTERNAL;
use collinear_rules::Rules;

#[test]
fn engines_conform_through_every_protocol() {
    let registry = Registry::new(vec![&EXTERNAL]);
    let program = cargo_bin("collinear");
    let effort = Effort { seed: 1, nodes: 200, wins: 0, game_stones: 40 };
    for (protocol, games) in [
        ("ugi", &["connect6", "connect4", "13x8,k=4,p=3,q=2", "1x1,k=1"][..]),
        ("gomocup", &["gomoku"]),
        ("cloudict", &["connect6"]),
    ] {
        for game in games {
            let rules: Rules = game.parse().expect(game);
            let spec = format!(
                "external:cmd='{} engine --protocol {protocol} --agent random --game {game}',protocol={protocol}",
                program.display()
            );
            let choice = registry.parse(&spec).expect("a spec");
            let failures = check(&choice, &rules, &effort);
            let words: Vec<String> = failures.iter().map(ToString::to_string).collect();
            assert!(words.is_empty(), "{protocol}, {game}:\n{}", words.join("\n"));
        }
    }
}
