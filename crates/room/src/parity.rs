//! Odd and even threats of the position shown, in the words of messages.

use collinear_connect4::Parity;
use collinear_rules::Position;

use crate::convert::colour;
use crate::wire::{FillingView, ParityThreat, ParityView};

/// What parity says; none where stones do not fall.
pub(crate) fn parity(position: &Position, node: u32) -> Option<ParityView> {
    let parity = Parity::of(position).ok()?;
    let threats = parity.threats.iter().map(|threat| ParityThreat {
        cell: threat.cell.index() as u16,
        colour: colour(threat.player),
        odd: threat.odd,
        serves: threat.serves,
    });
    Some(ParityView {
        node,
        answers: colour(parity.answers),
        threats: threats.collect(),
        filling: parity.filling.map(|filling| FillingView {
            winner: filling.wins.map(|(player, _)| colour(player)),
            cell: filling.wins.map(|(_, cell)| cell.index() as u16),
            zugzwang: filling.zugzwang,
            stones: filling.stones as u32,
            certain: filling.certain,
        }),
        bounds: parity.bounds.map(|bounds| [bounds.least.get(), bounds.most.get()]),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::Rules;

    #[test]
    fn only_games_with_gravity_have_it() {
        let of = |rules: Rules| parity(&Position::new(rules), 7);
        let view = of(Rules::CONNECT4).expect("stones fall");
        assert_eq!((view.node, view.threats.len()), (7, 0));
        assert_eq!(of(Rules::GOMOKU), None);
    }
}
