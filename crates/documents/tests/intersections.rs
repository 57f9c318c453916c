//! Intersection types kept stone by stone against types worked out from the rules of lines.

use std::sync::Arc;

use collinear_documents::tablebase::{
    Composite, Grade, Intersections, LineRules, Shape, TableBase,
};
use collinear_rules::{Cell, Player, Position, Rules};
use proptest::prelude::*;

#[test]
fn threats_that_cross_are_definitely_won_together() {
    use Grade::{C6, D4, DW, L3, L4, O, U};
    let together = |each, p| Composite::of(each, p).together;
    assert_eq!(together([U, D4, O, D4], 1), DW);
    assert_eq!(together([U, D4, O, D4], 2), D4);
    assert_eq!(together([L4, D4, O, O], 2), DW);
    assert_eq!(together([L3, L3, L3, L3], 2), L3);
    assert_eq!(together([C6, O, O, O], 2), C6);
    assert_eq!(Composite::of([U, D4, L3, L4], 3).each, [L4, D4, L3, U]);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn kept_types_equal_those_of_the_definition(
        game in prop::sample::select(
            vec!["13x13,k=6,p=2,q=1", "9x7,k=4,p=1", "17x3,k=5,p=2,q=1", "6x6,k=3,p=2,q=1"],
        ),
        moves in proptest::collection::vec((0..4096_usize, any::<bool>()), 0..80),
    ) {
        let rules: Rules = game.parse().expect("rules");
        let line_rules = LineRules::new(rules.k(), rules.p()).expect("valid");
        let table = Arc::new(TableBase::new(line_rules, 13.max(rules.k())).expect("fits"));
        let empty = Position::new(rules);
        let mut kept = Intersections::of(&empty, table);
        let mut stones = vec![None; rules.cells()];
        for (index, black) in moves {
            let cell = Cell::new(index % rules.cells());
            if let Some(player) = stones[cell.index()].take() {
                kept.remove(cell, player);
            } else {
                let player = if black { Player::Black } else { Player::White };
                kept.place(cell, player);
                stones[cell.index()] = Some(player);
            }
        }
        for cell in rules.all_cells() {
            for player in Player::BOTH {
                let expected = empty.geometry().lines_through(cell).map(|at| {
                    let cells = empty.geometry().line_cells(at.line);
                    let index = usize::from(at.index);
                    let usable = |i: &usize| stones[cells[*i].index()] != Some(player.opponent());
                    if !usable(&index) {
                        return Grade::U;
                    }
                    let head = (0..index).rev().take_while(usable).last().unwrap_or(index);
                    let end = (index..cells.len()).take_while(usable).last().unwrap_or(index);
                    let bits = (head..=end)
                        .filter(|&i| stones[cells[i].index()] == Some(player))
                        .fold(0, |bits, i| bits | 1 << (i - head));
                    Shape::new(rules.k(), end + 1 - head, bits)
                        .map_or(Grade::U, |shape| line_rules.cell_type(shape, index - head))
                });
                prop_assert_eq!(kept.at(cell, player), &expected);
            }
        }
    }
}
