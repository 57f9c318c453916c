//! The suite of `play::conformance` over every registered agent, on every game of the suite that it
//! plays, and over the literal names of the Connect Four players.

use collinear_agents::registry;
use collinear_play::conformance::{Effort, GAMES, check};

const EFFORT: Effort = Effort { seed: 7, nodes: 300, wins: 5, game_stones: 30 };

fn conforms(spec: &str) -> usize {
    let choice = registry().parse(spec).expect(spec);
    let games = GAMES.into_iter().chain(["4x4,k=4,gravity", "9x7,k=4,gravity"]);
    let mut played = 0;
    for game in games {
        let rules = game.parse().expect(game);
        if choice.spec.games().check(choice.spec.name(), &rules).is_ok() {
            let failures = check(&choice, &rules, &EFFORT);
            assert!(failures.is_empty(), "{}", failures[0]);
            played += 1;
        }
    }
    played
}

#[test]
fn every_agent_conforms_on_every_game_it_plays() {
    for spec in registry().iter() {
        assert!(conforms(spec.name()) > 0, "{} plays no game of the suite", spec.name());
    }
}

#[test]
fn so_do_the_players_by_ply() {
    for name in ["1ply_wineval", "2ply_fevalc", "9ply_fevala", "4ply_fevalb:search=plain"] {
        assert!(conforms(name) > 0);
    }
}
