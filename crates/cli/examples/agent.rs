//! An agent of one's own: what it must do, how it gets a name, how it is examined, and a game
//! against another one.
//!
//! `cargo run --release --example agent`

use collinear_play::conformance::{self, Effort};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Game, Options, Referee, Registry, Report,
    Turn, stone_by_stone,
};
use collinear_rules::{Cell, Position, Rules};

/// Plays as near to the centre as it can.
struct Centre;

impl Agent for Centre {
    fn choose(
        &mut self,
        position: &Position,
        _: &Budget,
        _: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let rules = position.rules();
        let distance = |cell: &Cell| {
            let (x, y) = (2 * rules.column(*cell) + 1, 2 * rules.row(*cell) + 1);
            x.abs_diff(rules.width()).pow(2) + y.abs_diff(rules.height()).pow(2)
        };
        stone_by_stone(position, |ahead| ahead.legal_cells().into_iter().min_by_key(distance))
    }
}

/// Its row in the registry: from here on it is known by name.
static CENTRE: AgentSpec = AgentSpec {
    summary: "as near to the centre as it can",
    source: "an example",
    ..AgentSpec::new("centre", build)
};

#[expect(clippy::unnecessary_wraps, reason = "other agents may fail to be made")]
fn build(_: &Rules, _: &Options, _: u64) -> Result<Box<dyn Agent>, BuildError> {
    Ok(Box::new(Centre))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let registry = Registry::new(vec![&CENTRE]);
    let choice = registry.parse("centre")?;
    let effort = Effort { seed: 1, nodes: 100, wins: 0, game_stones: 60 };
    for game in conformance::GAMES {
        for failure in conformance::check(&choice, &game.parse()?, &effort) {
            println!("{failure}");
        }
    }
    let rules = Rules::GOMOKU;
    let mut own = choice.build(&rules, 1)?;
    let mut other = collinear_agents::registry().parse("random")?.build(&rules, 1)?;
    let mut game = Game::new(rules);
    let end = Referee::default().play(&mut game, [&mut *own, &mut *other], &mut |_| None);
    println!("{}{end}", game.position());
    Ok(())
}
