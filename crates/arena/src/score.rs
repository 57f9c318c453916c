//! The score while a run is on: kept up game by game, so that a progress line costs nothing.

use std::collections::{BTreeMap, HashMap, HashSet};

use crate::game::GameSummary;
use crate::plan::Plan;
use crate::stats::{Bounds, Estimate, Interval, Sample, Sprt, SprtVerdict, Tally};

/// The score of a run so far.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    tallies: Vec<Tally>,
    first_movers: Tally,
    faults: u64,
    paired: bool,
    /// The first game of a pair, by contestant 0's half points and its identity, until the second
    /// is there.
    open: HashMap<u64, (u8, u64)>,
    sample: Sample,
    distinct: Distinct,
    test: Option<SequentialTest>,
}

/// The test looks at pairs strictly in the order of their numbers: so the verdict is the same
/// whatever the order in which workers finish.
#[derive(Clone, Debug)]
struct SequentialTest {
    bounds: Bounds,
    waiting: BTreeMap<u64, (u8, u64)>,
    next: u64,
    sample: Sample,
    distinct: Distinct,
    decided: Option<u64>,
}

/// Which results were seen: deterministic players repeat the same game from the same start, and a
/// repetition says nothing new.
#[derive(Clone, Debug, Default)]
struct Distinct {
    seen: HashSet<u64>,
    results: u64,
}

impl Distinct {
    fn add(&mut self, identity: u64) {
        self.seen.insert(identity);
        self.results += 1;
    }

    /// The share of the results that are not repetitions.
    fn share(&self) -> f64 {
        if self.results == 0 { 1.0 } else { self.seen.len() as f64 / self.results as f64 }
    }
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
            distinct: Distinct::default(),
            test: sprt.map(|bounds| SequentialTest {
                bounds,
                waiting: BTreeMap::new(),
                next: 0,
                sample: nothing,
                distinct: Distinct::default(),
                decided: None,
            }),
        }
    }

    /// Counts a game.
    pub fn add(&mut self, game: &GameSummary) {
        let black = game.half_points();
        self.tallies[game.black].add(black);
        self.tallies[game.white].add(2 - black);
        self.first_movers.add(black);
        self.faults += u64::from(game.reason.is_fault());
        let mine = if game.black < game.white { black } else { 2 - black };
        let identity = game.identity();
        let (result, identity) = if self.paired {
            match self.open.remove(&game.pair) {
                None => {
                    self.open.insert(game.pair, (mine, identity));
                    return;
                }
                // Whichever of the two was first, the pair is the same.
                Some((other, its)) => (mine + other, identity.wrapping_add(its)),
            }
        } else {
            (mine, identity)
        };
        self.sample.add(result);
        self.distinct.add(identity);
        if let Some(test) = &mut self.test {
            test.add(game.pair, result, identity);
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

    /// Of two contestants: how much stronger the first is. Repetitions do not count as evidence.
    pub fn estimate(&self) -> Estimate {
        Estimate::of_share(&self.sample, &self.tallies[0], self.distinct.share())
    }

    /// The 95 % interval of a contestant's score. Repetitions do not count as evidence.
    pub fn interval(&self, contestant: usize) -> Interval {
        self.tallies[contestant].wilson_of(self.distinct.share())
    }

    /// How many results (pairs, or games where nothing is paired) differ from all others.
    pub fn distinct(&self) -> u64 {
        self.distinct.seen.len() as u64
    }

    /// How the sequential test stands, if there is one.
    pub fn sprt(&self) -> Option<Sprt> {
        self.test.as_ref().map(SequentialTest::state)
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
    fn state(&self) -> Sprt {
        self.bounds.test_share(&self.sample, self.distinct.share())
    }

    fn add(&mut self, pair: u64, result: u8, identity: u64) {
        self.waiting.insert(pair, (result, identity));
        while self.decided.is_none()
            && let Some((result, identity)) = self.waiting.remove(&self.next)
        {
            self.sample.add(result);
            self.distinct.add(identity);
            if self.state().verdict != SprtVerdict::Undecided {
                self.decided = Some(self.next);
            }
            self.next += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_play::Reason;
    use collinear_rules::Player;

    use crate::game::Side;
    use crate::testing::plan;

    fn game(number: u64, first_wins: bool) -> GameSummary {
        let swapped = number % 2 == 1;
        let winner = Some(if first_wins == swapped { Player::White } else { Player::Black });
        let (black, white) = if swapped { (1, 0) } else { (0, 1) };
        let (pair, reason, sides) = (number / 2, Reason::Row, [Side::default(); 2]);
        GameSummary { number, pair, black, white, winner, reason, sides, key: number }
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
    fn a_game_played_again_is_no_evidence() {
        let bounds = Some(Bounds::new(0.0, 100.0));
        let (mut repeated, mut fresh) =
            (Scoreboard::new(&plan(2), bounds), Scoreboard::new(&plan(2), bounds));
        for number in 0..200 {
            fresh.add(&game(number, true));
            repeated.add(&GameSummary { key: number % 2, ..game(number, true) });
        }
        assert_eq!((fresh.distinct(), repeated.distinct()), (100, 1));
        assert!(fresh.is_decided() && !repeated.is_decided());
        assert!(fresh.interval(0).low > 0.95);
        // One pair is two games: the Wilson interval of 2 of 2 begins at 34 %.
        assert!((repeated.interval(0).low - 0.342).abs() < 0.01, "{:?}", repeated.interval(0));
        assert!(repeated.estimate().los < fresh.estimate().los);
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
