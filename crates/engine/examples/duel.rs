//! Throw-away self-duels.
use collinear_engine::*;
use collinear_play::Budget;
use collinear_rules::*;
use rand::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use std::sync::Arc;
use std::time::{Duration, Instant};

fn engine(spec: &str, rules: &Rules) -> (Engine, Budget) {
    let mut s = Settings { memory: 16, ..Settings::default() };
    let mut b = Budget::default();
    let mut weights = Weights::for_rules(rules);
    for part in spec.split(',').filter(|s| !s.is_empty()) {
        let (k, v) = part.split_once('=').unwrap_or((part, ""));
        match k {
            "w1" => s.first_width = v.parse().unwrap(),
            "w2" => s.next_width = v.parse().unwrap(),
            "nodes" => b.nodes = Some(v.parse().unwrap()),
            "ms" => b.time = Some(Duration::from_millis(v.parse().unwrap())),
            "depth" => b.depth = Some(v.parse().unwrap()),
            "threads" => s.threads = v.parse().unwrap(),
            "level" => s.level = v.parse().unwrap(),
            "formula" => weights = Weights::formula(rules.k(), rules.p()),
            "weights" => weights = Weights::from_bytes(&std::fs::read(v).unwrap()).unwrap(),
            _ => {
                let f = Feature::ALL
                    .iter()
                    .find(|(n, _)| Some(*n) == k.strip_prefix("no-"))
                    .unwrap_or_else(|| panic!("{k}"))
                    .1;
                s.features = s.features.without(f);
            }
        }
    }
    (Engine::with_weights(rules, s, 1, Arc::new(weights)), b)
}

fn opening(rules: &Rules, seed: u64) -> Position {
    let mut r = Xoshiro256PlusPlus::seed_from_u64(seed);
    let w = Arc::new(Weights::for_rules(rules));
    loop {
        let mut p = Position::new(*rules);
        let (cx, cy) = (rules.width() as i32 / 2, rules.height() as i32 / 2);
        let n = rules.q() + rules.p() * 2 + if r.random_bool(0.5) { rules.p() } else { 0 };
        while p.stone_count() < n {
            let d = 3;
            let x = cx + r.random_range(-d..=d);
            let y = cy + r.random_range(-d..=d);
            if x < 0 || y < 0 {
                continue;
            }
            if let Some(c) = rules.cell(x as usize, y as usize) {
                let _ = p.play(c);
            }
            if p.is_over() {
                break;
            }
        }
        if p.is_over() {
            continue;
        }
        let s = State::new(&p, w.clone());
        if s.evaluation().abs() > 120 {
            continue;
        }
        let mut e = Engine::new(rules, Settings { memory: 1, ..Settings::default() }, 1);
        if e.prove(&p, &Budget::nodes(500)).proof().is_some() {
            continue;
        }
        // the other side if it could move
        let black: Vec<_> = p.stones(Player::Black).collect();
        let white: Vec<_> = p.stones(Player::White).collect();
        let other = Position::from_setup(
            *rules,
            &Setup { black, white, to_move: Some((!p.to_move(), rules.p())) },
        )
        .unwrap();
        if e.prove(&other, &Budget::nodes(500)).proof().is_some() {
            continue;
        }
        return p;
    }
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let rules: Rules = args[1].parse().unwrap();
    let pairs: u64 = args[4].parse().unwrap();
    let seed0: u64 = args.get(5).map_or(0, |s| s.parse().unwrap());
    let started = Instant::now();
    let (mut a, ba) = engine(&args[2], &rules);
    let (mut b, bb) = engine(&args[3], &rules);
    let (mut win, mut loss, mut draw) = (0, 0, 0);
    let mut pent = [0; 5];
    let (mut na, mut nb, mut da, mut db, mut ta, mut tb, mut ca, mut cb) =
        (0u64, 0u64, 0u64, 0u64, 0.0, 0.0, 0u64, 0u64);
    let mut plies = 0;
    for pair in 0..pairs {
        let start = opening(&rules, seed0 + pair);
        let mut sum = 0;
        for swap in [false, true] {
            let mut p = start.clone();
            a.clear();
            b.clear();
            let first = p.to_move();
            while !p.is_over() {
                let is_a = (p.to_move() == first) != swap;
                let t = Instant::now();
                let th = if is_a {
                    a.think(&p, &ba, &mut |_| {})
                } else {
                    b.think(&p, &bb, &mut |_| {})
                }
                .unwrap();
                let dt = t.elapsed().as_secs_f64();
                if is_a {
                    na += th.report.nodes;
                    da += th.report.depth as u64;
                    ta += dt;
                    ca += 1
                } else {
                    nb += th.report.nodes;
                    db += th.report.depth as u64;
                    tb += dt;
                    cb += 1
                }
                for c in th.turn {
                    p.play(c).unwrap();
                    if p.is_over() {
                        break;
                    }
                }
            }
            plies += p.stone_count();
            match p.outcome() {
                Outcome::Won(w) if (w == first) != swap => {
                    win += 1;
                    sum += 2
                }
                Outcome::Won(_) => loss += 1,
                _ => {
                    draw += 1;
                    sum += 1
                }
            }
        }
        pent[sum] += 1;
    }
    let n = (2 * pairs) as f64;
    let mean = (win as f64 + 0.5 * draw as f64) / n;
    let var: f64 = pent
        .iter()
        .enumerate()
        .map(|(i, &c)| c as f64 * (i as f64 / 4.0 - mean).powi(2))
        .sum::<f64>()
        / pairs as f64;
    let se = (var / pairs as f64).sqrt();
    let elo = |m: f64| -400.0 * (1.0 / m.clamp(0.001, 0.999) - 1.0).log10();
    println!(
        "{win}-{loss}-{draw}  score {:.3} elo {:+.0} [{:+.0},{:+.0}] pent {pent:?} | A {:.0} kn/s d{:.1} {:.0}ms, B {:.0} kn/s d{:.1} {:.0}ms  len {:.0} {:.0}s",
        mean,
        elo(mean),
        elo(mean - 1.96 * se),
        elo(mean + 1.96 * se),
        na as f64 / ta / 1e3,
        da as f64 / ca as f64,
        ta / ca as f64 * 1e3,
        nb as f64 / tb / 1e3,
        db as f64 / cb as f64,
        tb / cb as f64 * 1e3,
        plies as f64 / n,
        started.elapsed().as_secs_f64()
    );
}
