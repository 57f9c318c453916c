//! The window state against recounting every window, and the exact count against brute force.

use std::sync::Arc;

use collinear_rules::{Cell, Geometry, LineStones, Overline, Player, Rules};
use collinear_windows::{ThreatCounter, Windows};
use proptest::prelude::*;

/// Boards of every kind: long turns, overlines, the longest lines, windows as long as the board.
const GAMES: [&str; 10] = [
    "19x19,k=6,p=2,q=1",
    "9x9,k=6,p=2,q=1",
    "15x15,k=5,exact",
    "7x6,k=4,gravity",
    "7x5,k=4,p=3,q=2",
    "8x3,k=5,p=2,q=1,exact",
    "64x2,k=64",
    "64x3,k=7,p=9,q=1,exact",
    "5x5,k=1",
    "9x9,k=5,renju",
];

/// A stone placed (or, where one stands, taken away), as an index that wraps around the board.
fn moves(most: usize) -> impl Strategy<Value = Vec<(usize, bool)>> {
    proptest::collection::vec((0..4096_usize, any::<bool>()), 0..most)
}

fn toggle(windows: &mut Windows, cell: Cell, black: bool) {
    match windows.at(cell) {
        Some(player) => windows.remove(cell, player),
        None => windows.place(cell, if black { Player::Black } else { Player::White }),
    }
}

/// Plain facts about one window, straight from its definition.
struct Recount {
    stones: usize,
    live: bool,
    empties: Vec<Cell>,
}

fn recount(windows: &Windows, geometry: &Geometry, index: usize, player: Player) -> Recount {
    let window = collinear_rules::WindowId::new(index);
    let cells = geometry.window_cells(window);
    let of = |wanted: Option<Player>| {
        cells.iter().copied().filter(|&cell| windows.at(cell) == wanted).collect::<Vec<_>>()
    };
    let flanked = geometry
        .window_flanks(window)
        .into_iter()
        .flatten()
        .any(|cell| windows.at(cell) == Some(player));
    let spoiled = geometry.rules().overline(player) == Overline::Ignored && flanked;
    Recount {
        stones: of(Some(player)).len(),
        live: of(Some(player.opponent())).is_empty() && !spoiled,
        empties: of(None),
    }
}

/// The smallest number of cells that hit all sets: tries every subset of the cells, small first.
fn brute_force(sets: &[Vec<Cell>], most: usize) -> (usize, Vec<Vec<Cell>>) {
    let mut cells: Vec<Cell> = sets.concat();
    cells.sort_unstable();
    cells.dedup();
    for size in 0..=most {
        let mut found = Vec::new();
        subsets(&cells, size, &mut Vec::new(), &mut |subset| {
            if sets.iter().all(|set| set.iter().any(|cell| subset.contains(cell))) {
                found.push(subset.to_vec());
            }
        });
        if !found.is_empty() {
            return (size, found);
        }
    }
    (most + 1, Vec::new())
}

fn subsets(cells: &[Cell], size: usize, taken: &mut Vec<Cell>, visit: &mut impl FnMut(&[Cell])) {
    if size == 0 {
        return visit(taken);
    }
    for (i, &cell) in cells.iter().enumerate() {
        taken.push(cell);
        subsets(&cells[i + 1..], size - 1, taken, visit);
        taken.pop();
    }
}

fn board(game: &str) -> Arc<Geometry> {
    Arc::new(Geometry::new(game.parse::<Rules>().expect(game)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn every_answer_equals_a_recount(game in 0..GAMES.len(), moves in moves(150)) {
        let geometry = board(GAMES[game]);
        let mut windows = Windows::new(geometry.clone());
        let cells = geometry.rules().cells();
        for (index, black) in moves {
            toggle(&mut windows, Cell::new(index % cells), black);
        }
        let p = geometry.rules().p();
        for player in Player::BOTH {
            let mut by_stones = vec![0; geometry.rules().k() + 1];
            let mut threats = Vec::new();
            let mut weight = 0;
            let weights: Vec<i32> = (0..=geometry.rules().k() as i32).map(|c| c * c + 3).collect();
            for window in geometry.windows() {
                let truth = recount(&windows, &geometry, window.index(), player);
                prop_assert_eq!(windows.count(window, player), truth.stones);
                prop_assert_eq!(windows.is_live(window, player), truth.live);
                prop_assert_eq!(windows.need(window), truth.empties.len());
                if truth.live {
                    by_stones[truth.stones] += 1;
                    weight += weights[truth.stones];
                    if truth.empties.len() <= p {
                        threats.push(window);
                    }
                }
                for need in 0..=geometry.rules().k() {
                    let line = geometry.window_line(window);
                    let within = windows.within(line, player, need);
                    let offset = geometry.window_offset(window);
                    let expected = truth.live && truth.empties.len() <= need;
                    prop_assert_eq!(within >> offset & 1 != 0, expected);
                }
            }
            prop_assert_eq!(windows.live_by_stones(player), by_stones);
            prop_assert_eq!(windows.has_threat(player), !threats.is_empty());
            let mut listed: Vec<_> = windows.threats(player).collect();
            listed.sort_unstable();
            prop_assert_eq!(listed, threats);
            let weighed: i32 =
                geometry.lines().map(|line| windows.weigh(line, player, &weights)).sum();
            prop_assert_eq!(weighed, weight);
            for need in 0..=2 * p + 1 {
                let listed = windows.windows_within(player, need).count();
                let expected = geometry.windows().filter(|&window| {
                    windows.is_live(window, player) && windows.need(window) <= need
                });
                prop_assert_eq!(listed, expected.count());
            }
        }
    }

    #[test]
    fn taking_stones_back_in_any_order_restores_everything(
        game in 0..GAMES.len(),
        before in moves(60),
        after in moves(30),
        turn in 0..30_usize,
    ) {
        let geometry = board(GAMES[game]);
        let cells = geometry.rules().cells();
        let mut windows = Windows::new(geometry);
        for (index, black) in before {
            toggle(&mut windows, Cell::new(index % cells), black);
        }
        let then = windows.clone();
        let mut placed = Vec::new();
        for (index, black) in after {
            let cell = Cell::new(index % cells);
            if windows.is_empty(cell) {
                let player = if black { Player::Black } else { Player::White };
                windows.place(cell, player);
                placed.push((cell, player));
            }
        }
        if !placed.is_empty() {
            let turn = turn % placed.len();
            placed.rotate_left(turn);
        }
        for (cell, player) in placed {
            windows.remove(cell, player);
        }
        prop_assert!(windows == then);
    }
}

/// Small boards where brute force over cell subsets is quick, with stones enough for threats.
const CROWDED: [&str; 8] = [
    "7x7,k=6,p=2,q=1",
    "8x8,k=5,p=1",
    "6x6,k=4,p=2,q=1",
    "6x5,k=5,p=3,q=1",
    "7x7,k=5,p=1,exact",
    "6x6,k=4,p=2,q=1,exact",
    "5x5,k=4,p=4,q=2",
    "8x8,k=5,renju",
];

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn the_exact_count_and_its_defences_equal_brute_force(
        game in 0..CROWDED.len(),
        moves in moves(30),
        bias in 0..4_usize,
    ) {
        let geometry = board(CROWDED[game]);
        let cells = geometry.rules().cells();
        let p = geometry.rules().p();
        let mut windows = Windows::new(geometry.clone());
        for (i, &(index, black)) in moves.iter().enumerate() {
            // Mostly black stones, so that threats are not all blocked at once.
            let cell = Cell::new(index % cells);
            if windows.is_empty(cell) {
                let black = black || i % 4 < bias;
                windows.place(cell, if black { Player::Black } else { Player::White });
            }
        }
        let mut counter = ThreatCounter::new();
        for player in Player::BOTH {
            let sets: Vec<Vec<Cell>> = geometry
                .windows()
                .map(|window| recount(&windows, &geometry, window.index(), player))
                .filter(|truth| truth.live && truth.empties.len() <= p)
                .map(|truth| truth.empties)
                .map(|mut cells| {
                    // White's threats: some cells may be forbidden to Black.
                    cells.retain(|&cell| player == Player::Black || !windows.is_forbidden(cell));
                    cells
                })
                .collect();
            let (size, covers) = brute_force(&sets, p);
            prop_assert_eq!(counter.count(&windows, player), size);
            let expected = if size == 0 { Vec::new() } else { covers };
            prop_assert_eq!(counter.defences(&windows, player, usize::MAX), expected);
        }
    }
}

#[test]
fn a_turn_of_sixty_four_stones_is_counted_in_bounded_work() {
    let geometry = board("64x64,k=40,p=30,q=1");
    let mut windows = Windows::new(geometry.clone());
    for cell in geometry.rules().all_cells().step_by(3) {
        windows.place(cell, Player::Black);
    }
    let count = ThreatCounter::new().count(&windows, Player::Black);
    assert!(count > 0 && count <= 31);
}
