//! Slopes against differences, threads against one thread, interruptions against none, integers against floats.

use super::*;
use crate::fit::labels::Labelling;
use crate::linenet::LineSums;
use collinear_rules::{Player, Position};
use collinear_windows::Stones;

fn labels(runs: u64) -> Vec<LabelFile> {
    let rules = Rules::GOMOKU;
    let how = Labelling::new(&rules, 20, 3).expect("a network");
    let runs = how.make(0..runs, &StopFlag::default());
    vec![LabelFile { origin: how.origin(), rules, runs, whole: 0 }]
}

/// The step size has hardly begun to rise when so short a run ends.
fn schedule(positions: u64) -> Schedule {
    Schedule { positions, batch: 64, rate: 0.03, ..Schedule::default() }
}

fn fitted(labels: &[LabelFile], positions: u64) -> Fit {
    let mut fit = Fit::new(&Rules::GOMOKU, schedule(positions));
    fit.learn(labels, 1000, &StopFlag::default(), &mut |_| {});
    fit
}

#[test]
fn learning_brings_it_nearer_whatever_the_number_of_threads() {
    let labels = labels(12);
    let mut seen = Vec::new();
    let mut fit = Fit::new(&Rules::GOMOKU, schedule(6000));
    fit.learn(&labels, 20, &StopFlag::default(), &mut |losses| seen.push(losses));
    let (first, last) = (seen[0], seen[seen.len() - 1]);
    assert!(last.learned < 0.7 * first.learned, "{first:?} {last:?}");
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().expect("a thread");
    let alone = one.install(|| fitted(&labels, 6000));
    assert_eq!(alone.evaluation(), fit.evaluation());
}

#[test]
fn who_is_interrupted_ends_with_the_same() {
    let labels = labels(6);
    let whole = fitted(&labels, 1600);
    let stop = StopFlag::default();
    let mut first = Fit::new(&Rules::GOMOKU, schedule(1600));
    first.learn(&labels, 9, &stop, &mut |_| stop.stop());
    assert_eq!(first.step(), 9);
    let origin = Fit::origin(&Rules::GOMOKU, &schedule(1600), &labels);
    let bytes = first.to_bytes(&origin);
    let mut second = Fit::new(&Rules::GOMOKU, schedule(1600));
    second.go_on(&bytes, &origin).expect("the same");
    second.learn(&labels, 1000, &StopFlag::default(), &mut |_| {});
    assert_eq!(second.evaluation(), whole.evaluation());
    let other = Fit::origin(&Rules::GOMOKU, &Schedule { seed: 2, ..schedule(1600) }, &labels);
    let refused = Fit::new(&Rules::GOMOKU, schedule(1600)).go_on(&bytes, &other);
    assert_eq!(refused, Err(FitError::Other("seed 1, not 2".to_owned())));
    for at in [0, 9, bytes.len() / 2, bytes.len() - 1] {
        let mut changed = bytes.clone();
        changed[at] ^= 2;
        assert_eq!(second.go_on(&changed, &origin), Err(FitError::Damaged), "byte {at}");
    }
}

/// One of the numbers.
type Number<'a> = Box<dyn FnMut(&mut Numbers) -> &mut f32 + 'a>;

#[test]
fn slopes_are_the_slopes_of_the_loss() {
    let labels = labels(8);
    let mut fit = fitted(&labels, 1000);
    let examples = Examples::new(&fit.rules, &labels);
    let layout = Layout::new(&fit.rules, &fit.patterns);
    let mut trace = Trace::new(fit.rules.cells());
    let mut board = Vec::new();
    examples.board(&examples.train[40], &mut board);
    layout.rows(&fit.patterns, &board, &mut trace.rows);
    let target = 0.3;
    let logit = trace.forward(&fit.numbers.rows, &fit.numbers.dense);
    let mut slopes = Slopes { rows: vec![[0.0; CHANNELS]; fit.parts.rows], dense: Dense::ZERO };
    trace.backward(1.0 / (1.0 + (-logit).exp()) - target, &fit.numbers.dense, &mut slopes);
    let mut loss = |numbers: &Numbers| {
        let logit = f64::from(trace.forward(&numbers.rows, &numbers.dense));
        let chance = 1.0 / (1.0 + (-logit).exp());
        let target = f64::from(target);
        -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
    };
    let row = usize::from(Layout::new(&fit.rules, &fit.patterns).patterns[4 * 112].0);
    let row = fit.patterns.row(row);
    let (mut compared, shift) = (0, 2e-3_f32);
    for lane in 0..CHANNELS {
        for part in 0..9 {
            let (claimed, mut at): (f32, Number<'_>) = match part {
                0 => (slopes.rows[row][lane], Box::new(|numbers| &mut numbers.rows[row][lane])),
                part => (
                    slopes.dense.parts()[part - 1].get(lane).copied().unwrap_or_default(),
                    Box::new(move |numbers| {
                        let part = numbers.dense.parts_mut().into_iter().nth(part - 1);
                        let part = part.expect("a part");
                        let lane = lane.min(part.len() - 1);
                        &mut part[lane]
                    }),
                ),
            };
            if part == 8 && lane > 0 {
                continue;
            }
            let before = *at(&mut fit.numbers);
            let mut shifted = |by: f32| {
                *at(&mut fit.numbers) = before + by;
                loss(&fit.numbers)
            };
            let slope = (shifted(shift) - shifted(-shift)) / f64::from(2.0 * shift);
            *at(&mut fit.numbers) = before;
            let claimed = f64::from(claimed);
            assert!(
                (slope - claimed).abs() < 0.02 + 0.05 * slope.abs(),
                "{part} {slope} {claimed}"
            );
            compared += usize::from(claimed.abs() > 1e-3);
        }
    }
    assert!(compared > 60, "{compared} slopes are not zero");
}

#[test]
fn integers_say_what_the_floats_say() {
    let labels = labels(12);
    let fit = fitted(&labels, 6000);
    let net = std::sync::Arc::new(fit.evaluation());
    let examples = Examples::new(&fit.rules, &labels);
    let layout = Layout::new(&fit.rules, &fit.patterns);
    let geometry = Position::new(fit.rules).geometry().clone();
    let mut trace = Trace::new(fit.rules.cells());
    let mut board = Vec::new();
    for example in examples.train.iter().step_by(97) {
        examples.board(example, &mut board);
        layout.rows(&fit.patterns, &board, &mut trace.rows);
        let logit = trace.forward(&fit.numbers.rows, &fit.numbers.dense);
        let mut stones = Stones::new(geometry.clone());
        for (cell, &stone) in fit.rules.all_cells().zip(&board) {
            if stone > 0 {
                stones.place(cell, Player::BOTH[usize::from(stone - 1)]);
            }
        }
        let mut sums = LineSums::new(&geometry, net.clone());
        sums.set(&stones);
        let value = sums.value(Player::Black) as f32 / 256.0;
        assert!((value - logit).abs() < 0.03 + 0.01 * logit.abs(), "{value} {logit}");
    }
}

#[test]
fn parts_are_the_windows_of_a_pattern() {
    let patterns = Patterns::new();
    let parts = Parts::new(&patterns);
    let members: usize = (parts.rows..parts.vectors).map(|part| parts.members(part).len()).sum();
    assert_eq!(members, 15 * parts.rows);
    for row in (0..parts.rows).step_by(371) {
        for &part in parts.of_row(row) {
            assert!(parts.members(part as usize).contains(&(row as u32)));
        }
    }
}
