//! A player that never gives away the value of a position: Connect Four and its relatives on the
//! solver of `collinear-connect4`, other small boards on the prover (`proved.rs`).
//!
//! In Connect Four there are three questions, each asked only of the columns that the one before left equal:
//!
//! 1. Who wins after this disc? Only the best answer stays: a won game is never drawn, a drawn one
//!    never lost.
//! 2. How soon? The shortest win; in a lost game, with `delay`, the longest resistance.
//! 3. How easily does a fallible opponent go wrong? A *trap* is a reply that worsens the outcome
//!    for the one who plays it; the disc after which most replies are traps is chosen.
//!
//! When the budget runs out, what is known by then decides: a proved win, then a proved draw, then
//! the columns that are still open (a shallow search ranks them), then the proved losses. Without a
//! limit it thinks until it knows.

use std::cmp::Reverse;

use collinear_connect4::{Limits, Mode, SolveError, Solver, solves};
use collinear_play::{
    Agent, AgentError, AgentSpec, Budget, BuildError, Games, Line, Meter, OptionSpec, Options,
    Report, Turn, Value,
};
use collinear_rules::{Cell, Outcome, Position, Rules};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_xoshiro::Xoshiro256PlusPlus;

use collinear_documents::kate;

use crate::proved::{Proved, proves};

const OPTIONS: &[OptionSpec] = &[
    OptionSpec::bool("delay", true).help("hold out as long as possible in a lost game"),
    OptionSpec::choice("ties", &["traps", "random", "middle"], "traps")
        .help("among equal columns: most traps for the opponent, a random one, or the middle"),
];

/// The registry's row.
pub(crate) static SPEC: AgentSpec = AgentSpec {
    summary: "never gives away the value; sets traps among equals",
    options: OPTIONS,
    games: Games::Only(
        plays,
        "Connect Four on boards of up to 128 bits, 3 to 6 in a row, and other boards of up to 25 cells",
    ),
    takes_wins: true,
    ..AgentSpec::new("perfect", build)
};

fn plays(rules: &Rules) -> bool {
    solves(rules) || proves(rules)
}

fn build(rules: &Rules, options: &Options, seed: u64) -> Result<Box<dyn Agent>, BuildError> {
    if !solves(rules) {
        return Ok(Box::new(Proved::new(rules, seed)?));
    }
    let solver = Solver::new(rules).map_err(|reason| BuildError::Other(reason.to_string()))?;
    Ok(Box::new(Perfect {
        solver,
        delay: options.bool("delay"),
        ties: match options.text("ties") {
            "random" => Ties::Random,
            "middle" => Ties::Middle,
            _ => Ties::Traps,
        },
        rng: Xoshiro256PlusPlus::seed_from_u64(seed),
    }))
}

/// How equals are told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ties {
    Traps,
    Random,
    Middle,
}

struct Perfect {
    solver: Solver,
    delay: bool,
    ties: Ties,
    rng: Xoshiro256PlusPlus,
}

impl Agent for Perfect {
    fn choose(
        &mut self,
        position: &Position,
        budget: &Budget,
        on: &mut dyn FnMut(&Report),
    ) -> Result<Turn, AgentError> {
        let meter = budget.start(position.empty_count().div_ceil(2) as u32);
        let mut study = Study { solver: &mut self.solver, meter: &meter, nodes: 0 };
        let moves = middle_first(position);
        let (value, equals) = study.best(position, &moves, self.delay);
        let cell = match self.ties {
            Ties::Random => equals.choose(&mut self.rng),
            Ties::Middle => equals.first(),
            Ties::Traps => study.most_traps(position, &equals).and_then(|at| equals.get(at)),
        };
        let &cell = cell.ok_or(AgentError::GameOver)?;
        let mut lines = vec![Line { value, stones: vec![cell] }];
        let mut tell = |lines: &[Line], nodes| {
            on(&Report {
                depth: position.empty_count() as u32,
                nodes,
                elapsed: meter.elapsed(),
                lines: lines.to_vec(),
                note: (equals.len() > 1).then(|| format!("{} columns are equal", equals.len())),
            });
        };
        tell(&lines, study.nodes);
        // The other columns, for whoever wants to see them, too: equals first.
        let mut others = equals.clone();
        others.extend(moves.iter().filter(|other| !equals.contains(other)));
        others.retain(|&other| other != cell);
        if budget.lines > 1 {
            let mut valued: Vec<(Value, Cell)> = Vec::new();
            for other in others {
                let Some(value) = study.value(position, other) else { break };
                valued.push((value, other));
                valued.sort_by(|(a, _), (b, _)| b.rank().total_cmp(&a.rank()));
                lines.truncate(1);
                let line = |&(value, cell): &(Value, Cell)| Line { value, stones: vec![cell] };
                lines.extend(valued.iter().take(usize::from(budget.lines) - 1).map(line));
                tell(&lines, study.nodes);
            }
        }
        Ok(vec![cell])
    }
}

/// Where a disc may go, the middle first.
fn middle_first(position: &Position) -> Vec<Cell> {
    let rules = position.rules();
    let mut moves = position.legal_cells();
    moves.sort_by_key(|&cell| (2 * rules.column(cell) + 1).abs_diff(rules.width()));
    moves
}

/// What the solver knows of a disc.
#[derive(Clone, Copy)]
struct Known {
    /// The score for the one who plays it: its sign in weak mode.
    score: i8,
    /// Discs until the game ends, this one included; only meant in strong mode.
    stones: usize,
}

/// The questions asked of the solver in one turn, all from one budget.
struct Study<'a> {
    solver: &'a mut Solver,
    meter: &'a Meter,
    nodes: u64,
}

impl Study<'_> {
    /// The best of these moves, all that are equally good, and the value they keep.
    fn best(&mut self, position: &Position, moves: &[Cell], delay: bool) -> (Value, Vec<Cell>) {
        // Step 1: who wins? A disc that wins at once needs no solver.
        let winning: Vec<Cell> =
            moves.iter().copied().filter(|&cell| wins(position, cell)).collect();
        if !winning.is_empty() {
            return (Value::WinsIn(1), winning);
        }
        let outcomes: Vec<Option<Known>> =
            moves.iter().map(|&cell| self.ask(position, cell, Mode::Weak)).collect();
        let with = |score: Option<i8>| -> Vec<Cell> {
            let pairs = moves.iter().zip(&outcomes);
            pairs.filter(|(_, o)| o.map(|o| o.score) == score).map(|(cell, _)| *cell).collect()
        };
        let best = outcomes.iter().flatten().map(|known| known.score).max();
        let open = with(None);
        if best.is_none_or(|best| best < 0) && !open.is_empty() {
            let guess = kate::best_of(position, &open, self.meter);
            return (Value::Chance(0.5), guess.into_iter().collect());
        }
        let equals = with(best);
        let won = match best {
            None | Some(0) => return (Value::Draw, equals),
            Some(score) => score > 0,
        };
        let unmeasured = Value::Chance(if won { 1.0 } else { 0.0 });
        if !won && !delay {
            return (unmeasured, equals);
        }

        // Step 2: how soon? Without an answer for all of them they stay equal.
        let measured: Option<Vec<Known>> =
            equals.iter().map(|&cell| self.ask(position, cell, Mode::Strong)).collect();
        let Some(measured) = measured else { return (unmeasured, equals) };
        let Some(&best) = measured.iter().max_by_key(|known| known.score) else {
            return (unmeasured, equals);
        };
        let value = if won {
            Value::WinsIn(best.stones.div_ceil(2) as u16)
        } else {
            Value::LosesIn((best.stones / 2) as u16)
        };
        let equals = equals.into_iter().zip(measured).filter(|(_, m)| m.score == best.score);
        (value, equals.map(|(cell, _)| cell).collect())
    }

    /// What a disc is worth exactly; nothing when the budget runs out.
    fn value(&mut self, position: &Position, cell: Cell) -> Option<Value> {
        if wins(position, cell) {
            return Some(Value::WinsIn(1));
        }
        let known = self.ask(position, cell, Mode::Strong)?;
        Some(match known.score {
            0 => Value::Draw,
            1.. => Value::WinsIn(known.stones.div_ceil(2) as u16),
            ..0 => Value::LosesIn((known.stones / 2) as u16),
        })
    }

    /// Which of these moves leaves the opponent most chances to go wrong; the first of equals.
    fn most_traps(&mut self, position: &Position, moves: &[Cell]) -> Option<usize> {
        if moves.len() < 2 {
            return (!moves.is_empty()).then_some(0);
        }
        let share = |study: &mut Self, cell: Cell| {
            let mut after = position.clone();
            after.play_unchecked(cell);
            study.traps(&after).unwrap_or((0, 1))
        };
        let shares: Vec<(usize, usize)> = moves.iter().map(|&cell| share(self, cell)).collect();
        // The largest fraction, compared without dividing; of equals the first.
        (0..moves.len()).min_by(|&a, &b| {
            let ((traps_a, all_a), (traps_b, all_b)) = (shares[a], shares[b]);
            Reverse(traps_a * all_b).cmp(&Reverse(traps_b * all_a))
        })
    }

    /// Replies that worsen the outcome for the one who plays them, of all replies; nothing when
    /// time runs out.
    fn traps(&mut self, position: &Position) -> Option<(usize, usize)> {
        let replies = middle_first(position);
        let outcome = |cell| {
            if wins(position, cell) {
                Some(1)
            } else {
                self.ask(position, cell, Mode::Weak).map(|known| known.score)
            }
        };
        let signs: Vec<i8> = replies.into_iter().map(outcome).collect::<Option<_>>()?;
        let best = signs.iter().max().copied()?;
        Some((signs.iter().filter(|sign| **sign < best).count(), signs.len()))
    }

    /// What the solver says of a disc that does not win at once; `None` when the budget is spent.
    fn ask(&mut self, position: &Position, cell: Cell, mode: Mode) -> Option<Known> {
        let mut after = position.clone();
        after.play_unchecked(cell);
        if after.is_over() {
            return Some(Known { score: 0, stones: 1 });
        }
        let left = self.meter.max_nodes().saturating_sub(self.nodes);
        if left == 0 || self.meter.is_spent(self.nodes) {
            return None;
        }
        let stop = || self.meter.is_spent(0);
        let limits = Limits { nodes: Some(left), stop: Some(&stop) };
        match self.solver.solve_within(&after, mode, &limits) {
            Ok(solution) => {
                self.nodes += solution.nodes;
                let stones = 1 + solution.score.stones_to_end(after.empty_count());
                Some(Known { score: -solution.score.get(), stones })
            }
            Err(SolveError::Stopped { nodes }) => {
                self.nodes += nodes;
                None
            }
            Err(_) => None,
        }
    }
}

fn wins(position: &Position, cell: Cell) -> bool {
    let mut after = position.clone();
    after.play_unchecked(cell);
    matches!(after.outcome(), Outcome::Won(_))
}

#[cfg(test)]
mod tests {
    use collinear_connect4::plain;

    use super::*;
    use crate::registry;

    fn position(rules: &str, columns: &str) -> Position {
        let mut position = Position::new(rules.parse().expect(rules));
        for column in columns.bytes() {
            let cell = position.drop_cell(usize::from(column - b'1')).expect("room");
            position.play(cell).expect("legal");
        }
        position
    }

    #[test]
    fn as_many_columns_are_told_as_are_wanted_the_best_first() {
        let position = position("connect4", "44444475621261");
        let choice = registry().parse("perfect").expect("a spec");
        let mut agent = choice.build(position.rules(), 1).expect("builds");
        let mut last = Report::default();
        let budget = Budget { lines: 3, ..Budget::default() };
        agent.choose(&position, &budget, &mut |report| last = report.clone()).expect("a turn");
        assert_eq!(last.lines.len(), 3);
        assert!(last.lines.is_sorted_by(|a, b| a.value.rank() >= b.value.rank()));
        let mut solver = Solver::new(position.rules()).expect("solves");
        let scores = solver.scores(&position).expect("solved");
        for line in &last.lines {
            let score = scores[position.rules().column(line.stones[0])].expect("room");
            let stones = score.stones_to_end(position.empty_count()) as u16;
            let exact = match score.get() {
                0 => Value::Draw,
                1.. => Value::WinsIn(stones.div_ceil(2)),
                ..0 => Value::LosesIn(stones / 2),
            };
            assert_eq!(line.value, exact);
        }
    }

    fn answer(spec: &str, position: &Position, budget: &Budget) -> (Cell, Value) {
        let choice = registry().parse(spec).expect(spec);
        let mut agent = choice.build(position.rules(), 1).expect("builds");
        let mut value = Value::Draw;
        let on = &mut |report: &Report| value = report.lines[0].value;
        let turn = agent.choose(position, budget, on).expect("a turn");
        (turn[0], value)
    }

    /// On a board small enough for plain search: every move keeps the exact score.
    #[test]
    fn no_move_gives_anything_away() {
        let rules: Rules = "5x4,k=3,gravity".parse().expect("rules");
        let random = registry().parse("random").expect("known");
        for seed in 0..30 {
            let mut position = Position::new(rules);
            let mut opponent = random.build(&rules, seed).expect("builds");
            while !position.is_over() {
                let before = plain::score(&mut position.clone(), &mut 0);
                let (cell, _) = answer("perfect", &position, &Budget::default());
                position.play(cell).expect("legal");
                if position.is_over() {
                    break;
                }
                assert_eq!(-plain::score(&mut position.clone(), &mut 0), before, "{position}");
                let reply = opponent.choose(&position, &Budget::default(), &mut |_| {});
                position.play(reply.expect("a turn")[0]).expect("legal");
            }
        }
    }

    #[test]
    fn wins_are_quick_and_losses_slow() {
        // Three in the bottom row with both ends open: White is to move and lost.
        let lost = position("6x5,k=4,gravity", "22334");
        assert_eq!(answer("perfect", &lost, &Budget::default()).1, Value::LosesIn(1));
        let won = position("6x5,k=4,gravity", "223344");
        assert_eq!(answer("perfect", &won, &Budget::default()).1, Value::WinsIn(1));
    }

    #[test]
    fn traps_are_replies_that_worsen_the_outcome() {
        let rules: Rules = "4x4,k=3,gravity".parse().expect("rules");
        let mut solver = Solver::new(&rules).expect("supported");
        let meter = Budget::default().start(1);
        let mut study = Study { solver: &mut solver, meter: &meter, nodes: 0 };
        let mut random =
            registry().parse("random").expect("known").build(&rules, 5).expect("builds");
        let mut seen = 0;
        let mut position = Position::new(rules);
        for _ in 0..200 {
            if position.is_over() {
                position = Position::new(rules);
            }
            let outcomes = position.legal_cells().into_iter().map(|cell| {
                let mut after = position.clone();
                after.play_unchecked(cell);
                match after.outcome() {
                    Outcome::Won(_) => 1,
                    Outcome::Drawn => 0,
                    Outcome::Ongoing => -plain::score(&mut after, &mut 0).signum(),
                }
            });
            let outcomes: Vec<i8> = outcomes.collect();
            let best = outcomes.iter().max().copied().expect("not over");
            let worse = outcomes.iter().filter(|outcome| **outcome < best).count();
            assert_eq!(study.traps(&position), Some((worse, outcomes.len())), "{position}");
            seen += worse;
            let turn = random.choose(&position, &Budget::default(), &mut |_| {}).expect("a turn");
            position.play(turn[0]).expect("legal");
        }
        assert!(seen > 50, "positions with traps were among them");
    }

    #[test]
    fn of_equal_moves_the_one_with_most_traps_is_played() {
        let rules: Rules = "5x4,k=4,gravity".parse().expect("rules");
        let mut solver = Solver::new(&rules).expect("supported");
        let meter = Budget::default().start(1);
        let mut study = Study { solver: &mut solver, meter: &meter, nodes: 0 };
        let mut choices_that_matter = 0;
        for opening in ["1", "2", "3", "12", "23", "31", "332", "214", "5215", "3322"] {
            let position = position("5x4,k=4,gravity", opening);
            let (_, equals) = study.best(&position, &middle_first(&position), true);
            let mut share = |cell: Cell| {
                let mut after = position.clone();
                after.play(cell).expect("legal");
                let (traps, replies) = study.traps(&after).expect("no limit");
                traps as f64 / replies as f64
            };
            let shares: Vec<f64> = equals.iter().map(|&cell| share(cell)).collect();
            let chosen = answer("perfect", &position, &Budget::default()).0;
            let at = equals.iter().position(|&cell| cell == chosen).expect("one of the equals");
            assert!(shares.iter().all(|&other| other <= shares[at]), "{shares:?}, chose {at}");
            choices_that_matter += usize::from(shares.iter().any(|&other| other < shares[at]));
        }
        assert!(choices_that_matter > 2, "{choices_that_matter}");
    }

    #[test]
    fn a_spent_budget_still_has_a_move_and_blocks_what_it_must() {
        let stopped = Budget::nodes(0);
        stopped.stop.stop();
        // White has to stop the column.
        let threat = position("connect4", "41424");
        let (cell, value) = answer("perfect", &threat, &stopped);
        assert_eq!(threat.rules().column(cell), 3);
        assert_eq!(value, Value::Chance(0.5));
        // So wide that not even the shallow search comes to an end.
        let wide = position("42x2,k=3,gravity", "112");
        assert!(wide.check(answer("perfect", &wide, &stopped).0).is_ok());
    }

    #[test]
    fn every_way_to_break_ties_keeps_the_outcome() {
        let drawn = position("6x5,k=4,gravity", "33333412");
        let score = |position: &Position| {
            let mut solver = Solver::new(position.rules()).expect("supported");
            solver.solve(position).expect("not over").score.get().signum()
        };
        let before = score(&drawn);
        for spec in ["perfect:ties=random", "perfect:ties=middle", "perfect:delay=false"] {
            let (cell, _) = answer(spec, &drawn, &Budget::default());
            let mut after = drawn.clone();
            after.play(cell).expect("legal");
            assert_eq!(-score(&after), before, "{spec}");
        }
    }
}
