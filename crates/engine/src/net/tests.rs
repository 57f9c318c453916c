//! Every path against a plain network that is written down as the formulas say, and files.

use proptest::prelude::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::golden::{self, random_net};
use super::*;

/// The network as its drawing says: planes, convolutions over every input, no tiles and no stamps.
struct Drawn<'a> {
    net: &'a Net,
    width: isize,
    height: isize,
}

impl Drawn<'_> {
    fn inside(&self, x: isize, y: isize) -> bool {
        (0..self.width).contains(&x) && (0..self.height).contains(&y)
    }

    fn convolution(&self, input: &[Vec<u8>], by: &Convolution) -> Vec<Vec<f32>> {
        let channels = self.net.channels;
        let cells = (0..self.height).flat_map(|y| (0..self.width).map(move |x| (x, y)));
        cells
            .map(|(x, y)| {
                (0..channels)
                    .map(|output| {
                        let mut sum = 0_i64;
                        for tap in 0..9_usize {
                            let (dx, dy) = (tap as isize % 3 - 1, tap as isize / 3 - 1);
                            if !self.inside(x + dx, y + dy) {
                                continue;
                            }
                            let cell = &input[((y + dy) * self.width + x + dx) as usize];
                            for (at, &number) in cell.iter().enumerate() {
                                let group = (output / GROUP * 9 + tap) * channels / 4 + at / 4;
                                let weight =
                                    by.weights[(group * GROUP + output % GROUP) * 4 + at % 4];
                                sum += i64::from(number) * i64::from(weight);
                            }
                        }
                        sum as f32 * by.norm.scale[output] + by.norm.shift[output]
                    })
                    .collect()
            })
            .collect()
    }

    fn rounded(numbers: &[Vec<f32>]) -> Vec<Vec<u8>> {
        let round = |number: &f32| number.clamp(0.0, 127.0).round_ties_even() as u8;
        numbers.iter().map(|cell| cell.iter().map(round).collect()).collect()
    }

    fn normed(numbers: &[Vec<f32>], norm: &Norm) -> Vec<Vec<f32>> {
        let apply = |cell: &Vec<f32>| {
            cell.iter().zip(&norm.scale).zip(&norm.shift).map(|((x, a), b)| x * a + b).collect()
        };
        numbers.iter().map(apply).collect()
    }

    fn evaluate(&self, board: &[u8], one_left: bool) -> (f64, Vec<f64>) {
        let net = self.net;
        let plane = |x: isize, y: isize| {
            let stone = board[(y * self.width + x) as usize];
            [stone == OWN, stone == OTHER, true, one_left].map(|set| f32::from(u8::from(set)))
        };
        let mut stream: Vec<Vec<f32>> = Vec::new();
        for (y, x) in (0..self.height).flat_map(|y| (0..self.width).map(move |x| (y, x))) {
            let mut cell = net.input_bias.clone();
            for offset in 0..STAMP * STAMP {
                let dx = (offset % STAMP) as isize - REACH as isize;
                let dy = (offset / STAMP) as isize - REACH as isize;
                if self.inside(x + dx, y + dy) {
                    for (number, set) in plane(x + dx, y + dy).into_iter().enumerate() {
                        let stamp = &net.stamps[(offset * PLANES + number) * net.channels..];
                        cell.iter_mut().zip(stamp).for_each(|(sum, add)| *sum += set * add);
                    }
                }
            }
            stream.push(cell);
        }
        for block in &net.blocks {
            let first = Self::rounded(&Self::normed(&stream, &block.norm));
            let second = Self::rounded(&self.convolution(&first, &block.first));
            let added = self.convolution(&second, &block.second);
            for (cell, added) in stream.iter_mut().zip(added) {
                cell.iter_mut().zip(added).for_each(|(sum, add)| *sum += add);
            }
        }
        let last: Vec<Vec<f64>> = Self::normed(&stream, &net.last)
            .iter()
            .map(|cell| cell.iter().map(|&number| f64::from(number.max(0.0))).collect())
            .collect();
        let dot =
            |a: &[f64], b: &[f32]| a.iter().zip(b).map(|(x, &y)| x * f64::from(y)).sum::<f64>();
        let policy =
            last.iter().map(|cell| f64::from(net.policy_bias) + dot(cell, &net.policy)).collect();
        let channel = |at: usize| last.iter().map(move |cell| cell[at]);
        let mut pooled: Vec<f64> =
            (0..net.channels).map(|at| channel(at).sum::<f64>() / last.len() as f64).collect();
        pooled.extend((0..net.channels).map(|at| channel(at).fold(0.0, f64::max)));
        let hidden: Vec<f64> = (0..HIDDEN)
            .map(|unit| {
                let column: Vec<f32> =
                    net.hidden.iter().skip(unit).step_by(HIDDEN).copied().collect();
                (f64::from(net.hidden_bias[unit]) + dot(&pooled, &column)).max(0.0)
            })
            .collect();
        (f64::from(net.value_bias) + dot(&hidden, &net.value), policy)
    }
}

fn random_board(cells: usize, seed: u64) -> Vec<u8> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    (0..cells).map(|_| [EMPTY, EMPTY, OWN, OTHER][random.random_range(0..4)]).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Every path gives the same bits, and what the drawing says but for the order of additions:
    /// a number may then round to the other side once in a while, which moves a logit by little.
    #[test]
    fn all_paths_agree_with_the_drawing(
        (width, height) in (1_usize..24, 1_usize..24),
        (blocks, groups) in (1_usize..3, 1_usize..3),
        seed in any::<u64>(),
        one_left in any::<bool>(),
    ) {
        let net = Arc::new(random_net(blocks, groups * GROUP, seed));
        let board = random_board(width * height, seed);
        let mut plain = Evaluator::with_path(net.clone(), width, height, Path::Portable);
        let value = plain.evaluate(&board, one_left);
        for path in Path::available() {
            let mut evaluator = Evaluator::with_path(net.clone(), width, height, path);
            prop_assert_eq!(evaluator.evaluate(&board, one_left).to_bits(), value.to_bits());
            prop_assert_eq!(evaluator.policy(), plain.policy());
            // The memory of one evaluation leaves nothing behind for the next.
            evaluator.evaluate(&random_board(width * height, !seed), !one_left);
            prop_assert_eq!(evaluator.evaluate(&board, one_left).to_bits(), value.to_bits());
        }
        let drawn = Drawn { net: &net, width: width as isize, height: height as isize };
        let (drawn_value, drawn_policy) = drawn.evaluate(&board, one_left);
        let near = |a: f32, b: f64| (f64::from(a) - b).abs() <= 0.02 * (1.0 + b.abs());
        prop_assert!(near(value, drawn_value), "{value} {drawn_value}");
        for (&fast, slow) in plain.policy().iter().zip(drawn_policy) {
            prop_assert!(near(fast, slow), "{fast} {slow}");
        }
    }
}

#[test]
fn bytes_and_back() {
    let net = random_net(2, 32, 7);
    let bytes = net.to_bytes();
    assert_eq!(Net::from_bytes(&bytes), Ok(net));
    assert_eq!(Net::from_bytes(b"SXN"), Err(NetError::Magic));
    let mut wide = bytes.clone();
    wide[8] = 200;
    assert!(matches!(Net::from_bytes(&wide), Err(NetError::Shape { .. })));
    let short = &bytes[..bytes.len() - 1];
    assert!(matches!(Net::from_bytes(short), Err(NetError::Length { .. })));
    for at in [4, 100, 20_000, bytes.len() - 1] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert_eq!(Net::from_bytes(&damaged), Err(NetError::Checksum), "byte {at}");
    }
    let mut endless = random_net(1, 32, 7);
    endless.value_bias = f32::INFINITY;
    assert_eq!(Net::from_bytes(&endless.to_bytes()), Err(NetError::Number));
}

#[test]
fn shipped_networks_are_whole_and_suit_their_games() {
    for bytes in Part::NETS.iter().filter_map(|part| part.bytes()) {
        assert!(Net::from_bytes(bytes).is_ok());
    }
    assert!(Net::for_rules(&Rules::CONNECT6).is_some());
    assert!(Net::for_rules(&"15x15,k=6,p=2,q=1".parse().expect("rules")).is_some());
    assert!(Net::for_rules(&Rules::CONNECT4).is_none());
}

/// The file was printed by `train/golden.py`: two programs, one network. Where additions in another
/// order round a number to the other side, all empty parts of a board move with it.
#[test]
fn golden_boards_get_the_numbers_that_pytorch_computes() {
    let net =
        Arc::new(Net::from_bytes(Part::Connect6Net.bytes().expect("shipped")).expect("whole"));
    let lines = include_str!("golden.txt").lines().filter(|line| !line.starts_with('#'));
    let (mut boards, mut equal) = (0, 0);
    for line in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let size = |at: usize| words[at].parse::<usize>().expect("a size");
        let (width, height) = (size(0), size(1));
        let board: Vec<u8> = words[3].bytes().map(|digit| digit - b'0').collect();
        let expected: Vec<f32> =
            words[4..].iter().map(|word| word.parse().expect("a number")).collect();
        let mut evaluator = Evaluator::new(net.clone(), width, height);
        let value = evaluator.evaluate(&board, words[2] == "1");
        let spread = evaluator.policy().iter().step_by(width * height / 8).take(9);
        let found: Vec<f32> = std::iter::once(value).chain(spread.copied()).collect();
        assert_eq!(found.len(), expected.len());
        let apart = found.iter().zip(&expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max);
        assert!(apart < 0.25, "{line}: {found:?}");
        equal += usize::from(apart < 1e-4);
        boards += 1;
    }
    assert_eq!(boards, 10);
    assert!(equal >= 5, "{equal} boards");
}

#[test]
fn every_path_gives_the_golden_numbers() {
    for path in Path::available() {
        assert_eq!(golden::sum(path), golden::SUM, "{}", path.name());
    }
}
