//! The suite of `play::conformance` over every registered agent, on every game of the suite that it
//! plays, and over the literal names of the Connect Four players.

use collinear_agents::registry;
use collinear_play::conformance::{Effort, GAMES, check};

const EFFORT: Effort = Effort { seed: 7, nodes: 100, wins: 5, game_stones: 30 };

fn conforms(spec: &str) -> usize {
    let choice = registry().parse(spec).expect(spec);
    let games = GAMES.into_iter().chain(["4x4,k=4,gravity", "9x7,k=4,gravity"]);
    let mut played = 0;
    for game in games {
        let rules = game.parse().expect(game);
        if choice.spec.plays(&rules).is_ok() {
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
        assert!(conforms(spec.name) > 0, "{} plays no game of the suite", spec.name);
    }
}

#[test]
fn options_that_take_other_ways_conform_too() {
    for spec in [
        "adjacent:depth=3,width=4",
        "alicante:eval=b,width=2,parallel",
        "genetic:eval=c,population=5",
        "genetic:strict,population=5,generations=8",
        "windows:depth=2,width=4,parallel",
        "sequences:depth=3,width=3,unit=turns",
        "sequences:marks=fresh,tie-break,cap=false",
        "mesh:mode=improved",
        "mesh:own=100,opposing=-25,sweeps=3",
        "alicante:candidates=genetic,directions=8,eval=a-chain,width=2",
        "tablebase:depth=3,width=3,composite=false,types=compute",
        "windows:urgent",
        "threats:reprioritise=2007,horizon=difference,depth=2,width=3,ties,anew",
        "threats:reading=loose,reprioritise=own,depth=2,width=3",
        "threats:reading=completed,force=false",
        "threats:horizon=list,depth=3,width=3",
        "montecarlo:policy=even,near=0,keep=false",
        "montecarlo:candidates=sequences,top=4,policy=even,local=0,share=0,keep=false,slip",
    ] {
        assert!(conforms(spec) > 0);
    }
}

#[test]
fn so_do_the_players_by_ply() {
    for name in ["1ply_wineval", "2ply_fevalc", "9ply_fevala", "4ply_fevalb:search=plain"] {
        assert!(conforms(name) > 0);
    }
}
