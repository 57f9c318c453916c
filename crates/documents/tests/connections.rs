//! Connections kept stone by stone against connections found afresh.

use std::sync::Arc;

use collinear_documents::tablebase::{Connections, Grade, LineRules, Shape, TableBase};
use collinear_rules::{Cell, LineId, Player, Position, Rules};
use proptest::prelude::*;

fn table(rules: &Rules) -> Arc<TableBase> {
    let line_rules = LineRules::new(rules.k(), rules.p()).expect("valid");
    Arc::new(TableBase::new(line_rules, 13.max(rules.k())).expect("fits"))
}

/// The definition: a stretch without opposing stones that cannot be extended, `k` or longer.
fn afresh(position: &[Option<Player>], k: usize, player: Player) -> Vec<(usize, usize, u64)> {
    let n = position.len();
    let usable = |i: usize| position[i] != Some(player.opponent());
    let mut found = Vec::new();
    for head in 0..n {
        for end in head + k..=n {
            let whole = (head..end).all(usable);
            let maximal = (head == 0 || !usable(head - 1)) && (end == n || !usable(end));
            if whole && maximal {
                let stones = (head..end)
                    .filter(|&i| position[i] == Some(player))
                    .fold(0, |bits, i| bits | 1 << (i - head));
                found.push((head, end - head, stones));
            }
        }
    }
    found
}

#[test]
fn the_example_of_the_paper() {
    // §2.2: Black 0 … 10 and the void 12 … 18, White 8 … 18, on a line of 19 with white stones
    // at 11 (between them) and black ones up to 7.
    let rules: Rules = "19x1,k=6,p=2,q=1".parse().expect("rules");
    let mut connections = Connections::new(Position::new(rules).geometry().clone(), table(&rules));
    for (cell, player) in [(4, Player::Black), (7, Player::Black), (11, Player::White)] {
        connections.place(Cell::new(cell), player);
    }
    let found = |player| {
        connections
            .on_line(LineId::new(0), player)
            .map(|c| (usize::from(c.head), c.shape.length(), c.shape.stones()))
            .collect::<Vec<_>>()
    };
    assert_eq!(found(Player::Black), [(0, 11, 1 << 4 | 1 << 7), (12, 7, 0)]);
    assert_eq!(found(Player::White), [(8, 11, 1 << 3)]);
    // An empty line holds a void connection of each colour.
    connections.remove(Cell::new(4), Player::Black);
    connections.remove(Cell::new(7), Player::Black);
    connections.remove(Cell::new(11), Player::White);
    for player in Player::BOTH {
        let all: Vec<_> = connections.on_line(LineId::new(0), player).collect();
        assert_eq!(all.len(), 1);
        assert_eq!(all[0].shape, Shape::new(6, 19, 0).expect("a shape"));
    }
}

#[test]
fn cell_types_say_what_a_stone_would_make() {
    let rules = Rules::CONNECT6;
    let mut connections = Connections::new(Position::new(rules).geometry().clone(), table(&rules));
    let at = |x, y| rules.cell(x, y).expect("on the board");
    for x in [8, 9, 10] {
        connections.place(at(x, 9), Player::Black);
    }
    let [east, north, ..] = connections.cell_types(at(11, 9), Player::Black);
    assert_eq!((east, north), (Grade::L4, Grade::O));
    connections.place(at(11, 9), Player::White);
    assert_eq!(connections.cell_types(at(11, 9), Player::Black), [Grade::U; 4]);
    // The corner's falling diagonal is shorter than a row.
    let [.., south_east] = connections.cell_types(at(0, 0), Player::Black);
    assert_eq!(south_east, Grade::U);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn incremental_connections_equal_those_found_afresh(
        game in 0..4_usize,
        moves in proptest::collection::vec((0..4096_usize, any::<bool>()), 0..120),
    ) {
        let games = ["15x15,k=6,p=2,q=1", "9x7,k=4,p=1", "25x3,k=5,p=2,q=1", "6x6,k=3,p=2,q=1"];
        let rules: Rules = games[game].parse().expect("rules");
        let geometry = Position::new(rules).geometry().clone();
        let table = table(&rules);
        let mut connections = Connections::new(geometry.clone(), table.clone());
        let mut stones = vec![None; rules.cells()];
        for (index, black) in moves {
            let cell = Cell::new(index % rules.cells());
            if let Some(player) = stones[cell.index()].take() {
                connections.remove(cell, player);
            } else {
                let player = if black { Player::Black } else { Player::White };
                connections.place(cell, player);
                stones[cell.index()] = Some(player);
            }
        }
        for player in Player::BOTH {
            let mut counts = [0_u32; 14];
            for line in geometry.lines() {
                let signs: Vec<_> =
                    geometry.line_cells(line).iter().map(|cell| stones[cell.index()]).collect();
                let found: Vec<_> = connections
                    .on_line(line, player)
                    .map(|c| (usize::from(c.head), c.shape.length(), c.shape.stones()))
                    .collect();
                let expected = afresh(&signs, rules.k(), player);
                prop_assert_eq!(&found, &expected);
                for (_, length, stones) in expected {
                    let shape = Shape::new(rules.k(), length, stones).expect("a shape");
                    counts[table.rules().classify(shape) as usize] += 1;
                }
            }
            prop_assert_eq!(connections.counts(player), &counts);
        }
    }
}
