//! Deepening: the same search a stone deeper each time, until the budget is spent.

use collinear_play::{Budget, Line, Meter, Report, Value};
use collinear_rules::{Cell, Position};

use super::frame::MAX_PLY;
use super::params::SearchParams;
use super::score::{self, INFINITE, MAX_DOUBT, MAX_EVALUATION, Score};
use super::settings::Feature;
use super::worker::Worker;
use super::{SearchResult, level, row};

/// The depths of a search, in stones.
#[derive(Clone, Copy)]
pub(super) struct Depths {
    first: i32,
    last: i32,
}

impl Depths {
    pub(super) fn of(position: &Position, budget: &Budget) -> Self {
        let last = budget.depth.map_or(MAX_PLY as i32, |depth| depth.min(MAX_PLY as u32) as i32);
        Self { first: (position.stones_left() as i32).min(last).max(1), last }
    }

    /// The depth to search next: a score in doubt is searched again, with more doubt.
    fn after(self, depth: i32, score: Score, doubt: &mut u8) -> Option<i32> {
        if score::is_doubted(score) && *doubt < MAX_DOUBT {
            *doubt += 1;
            return Some(depth);
        }
        *doubt = doubt.saturating_sub(1);
        (depth < self.last).then_some(depth + 1)
    }
}

/// Which lines a search is to find.
#[derive(Clone, Copy)]
pub(super) struct Wanted<'a> {
    /// How many in all.
    pub(super) lines: u16,
    /// The best of them, which are known: others are looked for.
    pub(super) known: &'a [Line],
}

/// Deepens until the budget is spent and reports each finished depth.
pub(super) fn lead(
    worker: &mut Worker<'_>,
    position: &Position,
    depths: Depths,
    Wanted { lines, known }: Wanted<'_>,
    meter: &Meter,
    on: &mut dyn FnMut(&Report),
) -> SearchResult {
    let left = position.stones_left();
    let mut report = Report::default();
    let mut scores: Vec<Score> = Vec::new();
    let mut turn = level::by_policy(worker.state, worker.tactics, position);
    let mut next = Some(depths.first);
    while let Some(depth) = next {
        worker.excluded.clear();
        worker.excluded.extend(known.iter().map(|line| set_of(&line.stones, left)));
        let mut found: Vec<Line> = known.to_vec();
        let guesses = std::mem::take(&mut scores);
        for number in 0..lines.saturating_sub(known.len() as u16) {
            let mut score = aspire(worker, guesses.get(usize::from(number)).copied(), depth);
            // A turn that loses by force is replaced before the search goes deeper (+50 Elo, 22 to 78;
            // +135 before the main line was searched for threats without condition).
            let mut tries = if lines == 1 { worker.params.max_refuted } else { 0 };
            while tries > 0
                && !worker.is_stopped()
                && !score::is_proved(score)
                && worker.is_refuted(left)
            {
                tries -= 1;
                score = aspire(worker, None, depth);
            }
            if worker.is_stopped() {
                // What was found before the stop is at least as good as the last depth's choice,
                // which was tried first.
                match worker.root_score {
                    Some(best) if lines == 1 && worker.line().len() >= left => score = best,
                    _ => break,
                }
            }
            let mut stones = worker.line().to_vec();
            // A turn that loses says nothing about the others, and one of them was being tried.
            if worker.is_stopped() && score < -MAX_EVALUATION {
                score = if score::is_proved(score) { score::doubted(score, 0) } else { score };
                let other = worker.turn_in_hand(left).filter(|other| is_legal(position, other));
                stones = other.unwrap_or(stones);
            }
            let whole = stones.len() >= left || complete(position, &mut stones, &turn);
            if !whole || score <= -INFINITE {
                break;
            }
            worker.excluded.push(set_of(&stones, left));
            found.push(Line { value: score::value(score), stones });
            scores.push(score);
        }
        if scores.is_empty() || worker.is_stopped() && found.len() < report.lines.len() {
            break;
        }
        let stopped = worker.is_stopped();
        turn = found[0].stones.iter().take(left).copied().collect();
        let decided = matches!(found[0].value, Value::WinsIn(_) | Value::LosesIn(_));
        report = Report {
            depth: depth as u32,
            nodes: worker.total_nodes(),
            elapsed: meter.elapsed(),
            lines: found,
            note: None,
        };
        on(&report);
        if stopped
            || decided && lines == 1
            || meter.is_past(worker.params.last_iteration)
            || meter.is_spent(report.nodes)
        {
            break;
        }
        next = depths.after(depth, scores[0], &mut worker.doubt);
        // Every cell is filled: deeper is the same.
        if depth as usize >= position.empty_count() && next > Some(depth) {
            break;
        }
    }
    report.nodes = worker.total_nodes();
    report.elapsed = meter.elapsed();
    if report.lines.is_empty() && !known.is_empty() {
        report.lines = known.to_vec();
    } else if report.lines.is_empty() {
        report.lines = vec![Line { value: Value::Chance(0.5), stones: turn.clone() }];
    }
    SearchResult { turn, report, proof: None }
}

/// The stones of a line's first turn, in no order.
fn set_of(stones: &[Cell], left: usize) -> Vec<Cell> {
    let mut set = stones[..left.min(stones.len())].to_vec();
    set.sort_unstable();
    set
}

/// One depth, with a window around the score of the last one (+5 Elo, −11 to 20).
fn aspire(worker: &mut Worker<'_>, guess: Option<Score>, depth: i32) -> Score {
    let centre = match guess {
        Some(guess)
            if worker.settings.features.has(Feature::Aspiration)
                && !score::is_proved(guess)
                && !score::is_doubted(guess) =>
        {
            guess
        }
        _ => return worker.search_root(-INFINITE, INFINITE, depth),
    };
    let params = worker.params;
    let (mut below, mut above) = (params.aspiration, params.aspiration);
    loop {
        let (alpha, beta) = ((centre - below).max(-INFINITE), (centre + above).min(INFINITE));
        let score = worker.search_root(alpha, beta, depth);
        if worker.is_stopped() || score > alpha && score < beta {
            return score;
        }
        if score <= alpha {
            if alpha == -INFINITE {
                return score;
            }
            below = widen(below, &params);
        } else {
            if beta == INFINITE {
                return score;
            }
            above = widen(above, &params);
        }
    }
}

const fn widen(half: Score, params: &SearchParams) -> Score {
    if half > params.aspiration_limit { 2 * INFINITE } else { half * params.aspiration_growth }
}

/// A helping thread walks the same way as the leader, on stones that nobody is busy with, and leaves
/// what it finds in the table.
pub(super) fn help(worker: &mut Worker<'_>, depths: Depths) {
    let mut score = None;
    let mut next = Some(depths.first);
    while let Some(depth) = next {
        let found = aspire(worker, score, depth);
        if worker.is_stopped() || score::is_proved(found) {
            break;
        }
        next = depths.after(depth, found, &mut worker.doubt);
        score = Some(found);
    }
}

fn is_legal(position: &Position, stones: &[Cell]) -> bool {
    let mut ahead = position.clone();
    stones.iter().all(|&cell| ahead.play(cell).is_ok())
}

/// Fills a line that ended early (a row in sight) up to a whole turn, or up to the stone that ends
/// the game; whether that was possible.
fn complete(position: &Position, stones: &mut Vec<Cell>, spare: &[Cell]) -> bool {
    let left = position.stones_left();
    if position.rules().gravity() {
        return complete_falling(position, stones, spare);
    }
    let others = spare.iter().copied().chain(position.legal_cells());
    for cell in others {
        if stones.len() >= left {
            break;
        }
        if !stones.contains(&cell) {
            stones.push(cell);
        }
    }
    stones.len() >= left
}

/// The same where stones fall: each must be legal after those before it.
fn complete_falling(position: &Position, stones: &mut Vec<Cell>, spare: &[Cell]) -> bool {
    let mut ahead = position.clone();
    if stones.iter().any(|&cell| ahead.play(cell).is_err()) {
        return false;
    }
    let left = position.stones_left();
    while stones.len() < left && !ahead.is_over() {
        let mut next = spare.iter().copied().find(|&cell| ahead.check(cell).is_ok());
        next = row(&ahead).and_then(|row| row.first().copied()).or(next);
        let Some(cell) = next.or_else(|| ahead.legal_cells().first().copied()) else {
            return false;
        };
        ahead.play_unchecked(cell);
        stones.push(cell);
    }
    true
}
