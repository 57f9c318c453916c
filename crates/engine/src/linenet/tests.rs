//! Sums kept stone by stone against sums from scratch, path against path, bytes and back.

use collinear_rules::Position;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::head::{HIDDEN, Layer, MOST_WEIGHT};
use super::patterns::WINDOW;
use super::*;
use crate::net::Path;
use collinear_rules::Cell;
use collinear_windows::Stones;

fn random_net(seed: u64) -> LineNet {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut row = |most: i16| std::array::from_fn(|_| random.random_range(-most..=most));
    let rows = (0..Patterns::new().row_count()).map(|_| row(CAP / 2)).collect();
    let bias = row(CAP);
    let mut layer = || Layer {
        weights: std::array::from_fn(|_| row(400)),
        biases: row(900).map(|bias| i32::from(bias) << 8),
    };
    let (first, second) = (layer(), layer());
    let head = Head { first, second, last: row(MOST_WEIGHT), direct: row(3000), bias: 77 };
    LineNet::new(5, Overline::Wins, rows, bias, head)
}

/// The value, pattern by pattern, digit by digit, without anything that is kept.
fn plain_value(net: &LineNet, position: &Position) -> i32 {
    let geometry = position.geometry();
    let mover = position.to_move();
    let mut sums = [0_i64; CHANNELS];
    for cell in position.rules().all_cells() {
        let mut sum = net.bias.map(i64::from);
        for at in geometry.lines_through(cell) {
            let line = geometry.line_cells(at.line);
            let seen: [patterns::Seen; WINDOW] = std::array::from_fn(|place| {
                let index = usize::from(at.index) + place;
                match index.checked_sub(WINDOW / 2).and_then(|index| line.get(index)) {
                    None => patterns::Seen::Edge,
                    Some(&cell) => match position.at(cell) {
                        None => patterns::Seen::Empty,
                        Some(player) if player == mover => patterns::Seen::Own,
                        Some(_) => patterns::Seen::Other,
                    },
                }
            });
            let is_row = |row: &usize| {
                let cells = net.patterns.cells_of_row(*row);
                cells == seen || cells.iter().rev().eq(&seen)
            };
            let row = KNOWN.with(|known| {
                let key = seen.map(|cell| cell as u8);
                *known.borrow_mut().entry(key).or_insert_with(|| {
                    (0..net.patterns.row_count()).find(is_row).expect("every pattern has a row")
                })
            });
            for (sum, &number) in sum.iter_mut().zip(&net.rows[row]) {
                *sum += i64::from(number);
            }
        }
        for (total, sum) in sums.iter_mut().zip(sum) {
            *total += sum.clamp(0, i64::from(CAP));
        }
    }
    let inputs = sums.map(|sum| ((sum + 8).div_euclid(16)).min(7900));
    let layer = |layer: &Layer, inputs: &[i64; HIDDEN]| -> [i64; HIDDEN] {
        std::array::from_fn(|unit| {
            let weights = layer.weights.iter().map(|weights| i64::from(weights[unit]));
            let sum: i64 = weights.zip(inputs).map(|(weight, input)| weight * input).sum();
            (sum + i64::from(layer.biases[unit]) + 512).div_euclid(1024).clamp(0, 4095)
        })
    };
    let hidden = layer(&net.head.second, &layer(&net.head.first, &inputs));
    let dot = |weights: &[i16; HIDDEN], numbers: &[i64; HIDDEN]| -> i64 {
        weights.iter().zip(numbers).map(|(&weight, number)| i64::from(weight) * number).sum()
    };
    let sum = 8 * dot(&net.head.last, &hidden) + dot(&net.head.direct, &inputs);
    (sum + i64::from(net.head.bias) + 4096).div_euclid(8192) as i32
}

thread_local! {
    static KNOWN: std::cell::RefCell<std::collections::HashMap<[u8; WINDOW], usize>> =
        std::cell::RefCell::default();
}

#[test]
fn incremental_equals_from_scratch_on_every_path() {
    for (number, text) in ["15x15,k=5", "7x9,k=5", "5x4,k=4", "3x20,k=3"].into_iter().enumerate() {
        let rules: Rules = text.parse().expect(text);
        let net = Arc::new(random_net(number as u64));
        let mut random = Xoshiro256PlusPlus::seed_from_u64(number as u64);
        let mut position = Position::new(rules);
        let geometry = position.geometry().clone();
        let mut board = Stones::new(geometry.clone());
        let mut paths: Vec<LineSums> = Path::available()
            .into_iter()
            .map(|path| LineSums::with_path(&geometry, net.clone(), path))
            .collect();
        for _ in 0..120 {
            let is_back = position.is_over() || random.random_range(0..5) < 2;
            if is_back && let Some(&cell) = position.history().last() {
                position.undo();
                board.remove(cell, position.to_move());
                for sums in &mut paths {
                    sums.remove(cell);
                }
            } else {
                let legal = position.legal_cells();
                let Some(&cell) = legal.get(random.random_range(0..legal.len().max(1))) else {
                    continue;
                };
                board.place(cell, position.to_move());
                position.play(cell).expect("legal");
                for sums in &mut paths {
                    sums.place(&board, cell);
                }
            }
            // Not every position is asked for.
            if random.random_range(0..3) > 0 {
                let expected = plain_value(&net, &position);
                for sums in &mut paths {
                    assert_eq!(sums.value(position.to_move()), expected, "{text}");
                }
            }
        }
        let mut fresh = LineSums::new(&geometry, net.clone());
        fresh.set(&board);
        assert_eq!(fresh.value(Player::Black), paths[0].value(Player::Black));
        assert_eq!(fresh.value(Player::White), paths[0].value(Player::White));
    }
}

#[test]
fn symmetric_boards_are_worth_the_same() {
    let rules = Rules::GOMOKU;
    let net = Arc::new(random_net(9));
    let (size, mut random) = (rules.width(), Xoshiro256PlusPlus::seed_from_u64(4));
    let mut cells: Vec<Cell> = (0..30).map(|_| Cell::new(random.random_range(0..225))).collect();
    cells.sort_unstable();
    cells.dedup();
    let value = |map: &dyn Fn(usize, usize) -> (usize, usize)| {
        let position = Position::new(rules);
        let mut board = Stones::new(position.geometry().clone());
        let mut sums = LineSums::new(position.geometry(), net.clone());
        for (number, cell) in cells.iter().enumerate() {
            let (x, y) = map(cell.index() % size, cell.index() / size);
            let cell = Cell::new(y * size + x);
            board.place(cell, Player::BOTH[number % 2]);
            sums.place(&board, cell);
        }
        sums.value(Player::Black)
    };
    let expected = value(&|x, y| (x, y));
    assert_eq!(value(&|x, y| (size - 1 - x, y)), expected);
    assert_eq!(value(&|x, y| (y, x)), expected);
}

#[test]
fn bytes_and_back_and_every_changed_byte_is_noticed() {
    let net = random_net(3);
    let bytes = net.to_bytes();
    assert_eq!(LineNet::from_bytes(&bytes).as_ref(), Ok(&net));
    assert_eq!(LineNet::from_bytes(b"SXN1"), Err(LineNetError::Magic));
    let short = LineNet::from_bytes(&bytes[..bytes.len() - 1]);
    assert!(matches!(short, Err(LineNetError::Length { .. })), "{short:?}");
    for at in (0..bytes.len()).step_by(90_001) {
        let mut changed = bytes.clone();
        changed[at] ^= 16;
        assert!(LineNet::from_bytes(&changed).is_err(), "byte {at}");
    }
}

const SUM_OF_THE_FITTED_FILE: [u8; 8] = [159, 141, 90, 108, 84, 51, 121, 193];

/// The file of version 1: its rows as they are.
fn first_version(net: &LineNet) -> Vec<u8> {
    let bytes = net.to_bytes();
    let rows = net.rows.as_flattened();
    let mut first = [b"SXLINES1", &bytes[8..12]].concat();
    first.extend(rows.iter().flat_map(|number| number.to_le_bytes()));
    first.extend(&bytes[12 + 2 * rows.len()..bytes.len() - 8]);
    first.extend(collinear_rules::hash::fnv1a(&first).to_le_bytes());
    first
}

#[test]
fn version_1_is_read_and_what_ships_is_what_was_in_it() {
    let mut net = random_net(4);
    net.rows[7] = [LineNet::MOST_ROW; CHANNELS];
    net.rows[8] = [-LineNet::MOST_ROW; CHANNELS];
    let net = LineNet::new(net.k, net.overline, net.rows, net.bias, net.head);
    assert_eq!(LineNet::from_bytes(&first_version(&net)).as_ref(), Ok(&net));
    assert_eq!(LineNet::from_bytes(&net.to_bytes()).as_ref(), Ok(&net));
    let shipped = LineNet::for_rules(&Rules::GOMOKU).expect("shipped");
    let first = first_version(&shipped);
    // The checksum of the file that was fitted, before it was written anew in version 2.
    assert_eq!(first[first.len() - 8..], SUM_OF_THE_FITTED_FILE);
}

#[test]
fn what_ships_can_be_read() {
    let net = LineNet::for_rules(&Rules::GOMOKU).expect("shipped");
    assert!(LineNet::for_rules(&Rules::CONNECT6).is_none());
    assert_ne!(net.rows[0], net.rows[1]);
}
