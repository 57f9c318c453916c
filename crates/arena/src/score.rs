//! The score while a run is on: kept up game by game, so that a progress line costs nothing.

use std::collections::{BTreeMap, HashMap};

use crate::game::GameSummary;
use crate::plan::Plan;
use crate::stats::{Bounds, Estimate, Sample, Sprt, Tally, Verdict};

/// The score of a run so far.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    tallies: Vec<Tally>,
    first_movers: Tally,
    faults: u64,
    paired: bool,
    /// The first game of a pair, by contestant 0's half points, until the second is there.
    open: HashMap<u64, u8>,
    sample: Sample,
    test: Option<SequentialTest>,
}

/// The test looks at pairs strictly in the order of their numbers: so the verdict is the same
/// whatever the order in which workers finish.
#[derive(Clone, Debug)]
struct SequentialTest {
    bounds: Bounds,
    waiting: BTreeMap<u64, u8>,
    next: u64,
    sample: Sample,
    decided: Option<u64>,
}

impl Scoreboard {
    /// Before the first game.
    pub fn new(plan: &Plan, sprt: Option<Bounds>) -> Self {
        let nothing =
            if plan.is_paired() { Sample::NO_PAIRS } else { Sample::of_games(&Tally::default()) };
        Self {
            tallies: vec![Tally::default(); plan.contestants.len()],
            first_movers: Tally::default(),
            faults: 0,
            paired: plan.is_paired(),
            open: HashMap::new(),
            sample: nothing.clone(),
            test: sprt.map(|bounds| SequentialTest {
                bounds,
                waiting: BTreeMap::new(),
                next: 0,
                sample: nothing,
                decided: None,
            }),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameSummary) {
        let black = game.result.half_points();
        self.tallies[game.black].add(black);
        self.tallies[game.white].add(2 - black);
        self.first_movers.add(black);
        self.faults += u64::from(is_fault(&game.ending));
        let mine = if game.black < game.white { black } else { 2 - black };
        let result = if self.paired {
            match self.open.remove(&game.pair) {
                None => {
                    self.open.insert(game.pair, mine);
                    return;
                }
                Some(other) => mine + other,
            }
        } else {
            mine
        };
        self.sample.add(result);
        if let Some(test) = &mut self.test {
            test.add(game.pair, result);
        }
    }

    /// The games of one contestant.
    pub fn tally(&self, contestant: usize) -> Tally {
        self.tallies[contestant]
    }

    /// All games, seen by whoever moved first.
    pub const fn first_movers(&self) -> Tally {
        self.first_movers
    }

    /// Games lost by a crash, a hang, an illegal turn or lateness.
    pub const fn faults(&self) -> u64 {
        self.faults
    }

    /// Of two contestants: the results of the first, pair by pair.
    pub const fn sample(&self) -> &Sample {
        &self.sample
    }

    /// Of two contestants: how much stronger the first is.
    pub fn estimate(&self) -> Estimate {
        Estimate::of(&self.sample, &self.tallies[0])
    }

    /// How the sequential test stands, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.test.as_ref().map(|test| test.bounds.test(&test.sample))
    }

    /// Whether the sequential test is over.
    pub fn is_decided(&self) -> bool {
        self.decided_by().is_some()
    }

    /// The pair that decided the sequential test.
    pub fn decided_by(&self) -> Option<u64> {
        self.test.as_ref().and_then(|test| test.decided)
    }
}

impl SequentialTest {
    fn add(&mut self, pair: u64, result: u8) {
        self.waiting.insert(pair, result);
        while self.decided.is_none()
            && let Some(result) = self.waiting.remove(&self.next)
        {
            self.sample.add(result);
            if self.bounds.test(&self.sample).verdict != Verdict::Undecided {
                self.decided = Some(self.next);
            }
            self.next += 1;
        }
    }
}

/// Whether the word says that somebody lost by a fault rather than on the board.
pub(crate) fn is_fault(ending: &str) -> bool {
    matches!(ending, "illegal-turn" | "time-forfeit" | "crash" | "agent-error" | "hang")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Outcome, Side};
    use crate::testing::plan;

    fn game(number: u64, first_wins: bool) -> GameSummary {
        let swapped = number % 2 == 1;
        let result = if first_wins == swapped { Outcome::White } else { Outcome::Black };
        let (black, white) = if swapped { (1, 0) } else { (0, 1) };
        let (pair, ending, sides) = (number / 2, "row".to_owned(), [Side::default(); 2]);
        GameSummary { number, pair, black, white, result, ending, sides }
    }

    #[test]
    fn pairs_are_counted_from_the_first_contestants_side() {
        let mut score = Scoreboard::new(&plan(2), None);
        for (number, wins) in [(0, true), (2, true), (1, true), (3, false), (4, true)] {
            score.add(&game(number, wins));
        }
        assert_eq!(score.sample(), &Sample::Pairs([0, 0, 1, 0, 1]));
        assert_eq!(score.tally(0), Tally { wins: 4, draws: 0, losses: 1 });
        assert_eq!(score.first_movers(), Tally { wins: 4, draws: 0, losses: 1 });
    }

    #[test]
    fn the_verdict_does_not_depend_on_the_order_of_arrival() {
        let bounds = Some(Bounds::new(0.0, 200.0));
        let games: Vec<_> = (0..60).map(|n| game(n, n % 7 != 3)).collect();
        let mut in_order = Scoreboard::new(&plan(2), bounds);
        for game in &games {
            in_order.add(game);
        }
        let mut backwards = Scoreboard::new(&plan(2), bounds);
        for game in games.iter().rev() {
            backwards.add(game);
        }
        assert!(in_order.is_decided());
        assert_eq!(in_order.decided_by(), backwards.decided_by());
        assert_eq!(in_order.sprt(), backwards.sprt());
    }
}
