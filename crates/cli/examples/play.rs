//! Two agents play a game of Connect6; the board and the record as SGF.
//!
//! `cargo run --release --example play`

use collinear_play::{Game, Referee, Seat, TimeControl};
use collinear_protocol::records::{self, Format};
use collinear_rules::Rules;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let rules = Rules::CONNECT6;
    let registry = collinear_agents::registry();
    let specs = ["sequences", "adjacent"];
    let mut black = registry.parse(specs[0])?.build(&rules, 1)?;
    let mut white = registry.parse(specs[1])?.build(&rules, 2)?;
    let mut game = Game::new(rules)
        .with_seats(specs.map(Seat::agent))
        .with_controls([TimeControl::nodes(2000); 2]);
    let end = Referee::default().play(&mut game, [&mut *black, &mut *white], &mut |_| None);
    println!("{}{end}", game.position());
    print!("{}", records::write(&[game.into_record()], Format::Sgf)?);
    Ok(())
}
