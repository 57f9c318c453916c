//! Which of the turns seen is recommended.

use crate::graph::{Entry, Tally};

/// How to choose among turns that were seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Rule {
    /// The document's: of the turns seen `enough` times the one with the best part of wins among
    /// decided games, if that is above one half; otherwise of the others the one with most wins,
    /// then the one seen less often.
    Paper {
        /// The threshold of significance, 4 in the document.
        enough: u32,
    },
    /// The turn with the highest lower confidence bound of its score (Wilson, 95 %), if it was
    /// seen `enough` times. Answers the document's question whether 7 of 10 or 2 of 2 is better.
    Bound {
        /// Seen at least so often.
        enough: u32,
    },
}

impl Rule {
    /// The document's rule with its s = 4.
    pub const PAPER: Self = Self::Paper { enough: 4 };
    /// The confidence bound over turns seen at least twice.
    pub const BOUND: Self = Self::Bound { enough: 2 };

    /// The recommended one, if any.
    pub fn choose<'a>(&self, entries: &'a [Entry]) -> Option<&'a Entry> {
        match *self {
            Self::Paper { enough } => {
                let often = entries.iter().filter(|entry| entry.tally.games() >= enough);
                let best = often.max_by(|a, b| a.tally.ratio().total_cmp(&b.tally.ratio()));
                best.filter(|entry| entry.tally.ratio() > 0.5).or_else(|| {
                    entries
                        .iter()
                        .filter(|entry| entry.tally.games() < enough)
                        .max_by_key(|e| (e.tally.wins, std::cmp::Reverse(e.tally.games())))
                })
            }
            Self::Bound { enough } => entries
                .iter()
                .filter(|entry| entry.tally.games() >= enough)
                .max_by(|a, b| a.tally.lower_bound().total_cmp(&b.tally.lower_bound())),
        }
    }
}

impl Tally {
    /// Part of wins among decided games; one half when none was.
    pub fn ratio(&self) -> f64 {
        match self.wins + self.losses {
            0 => 0.5,
            decided => f64::from(self.wins) / f64::from(decided),
        }
    }

    /// Mean score, a tie counting half; one half without games.
    pub fn score(&self) -> f64 {
        match self.games() {
            0 => 0.5,
            games => (f64::from(self.wins) + f64::from(self.ties) / 2.0) / f64::from(games),
        }
    }

    /// Lower end of the 95 % interval of the score (Wilson 1927).
    pub fn lower_bound(&self) -> f64 {
        const Z: f64 = 1.96;
        let n = f64::from(self.games());
        if n == 0.0 {
            return 0.0;
        }
        let (p, z2) = (self.score(), Z * Z);
        let centre = p + z2 / (2.0 * n);
        let spread = Z * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        ((centre - spread) / (1.0 + z2 / n)).max(0.0)
    }
}

#[cfg(test)]
mod tests {
    use collinear_rules::Cell;

    use super::*;

    fn entries(results: &[(u32, u32, u32)]) -> Vec<Entry> {
        let entry = |(number, &(wins, ties, losses)): (usize, &(u32, u32, u32))| Entry {
            turn: vec![Cell::new(number)],
            tally: Tally { wins, ties, losses },
        };
        results.iter().enumerate().map(entry).collect()
    }

    fn chosen(rule: Rule, results: &[(u32, u32, u32)]) -> Option<usize> {
        rule.choose(&entries(results)).map(|entry| entry.turn[0].index())
    }

    #[test]
    fn the_paper_rule_in_the_papers_own_examples() {
        // Seen often and better than even.
        assert_eq!(chosen(Rule::PAPER, &[(7, 0, 3), (3, 0, 0), (3, 0, 1)]), Some(2));
        // None of those: 2 of 2 is better than 2 of 3, which is better than 1 of 1.
        assert_eq!(chosen(Rule::PAPER, &[(2, 0, 5), (1, 0, 0), (2, 0, 1), (2, 0, 0)]), Some(3));
        assert_eq!(chosen(Rule::PAPER, &[(2, 0, 5), (1, 0, 0), (2, 0, 1)]), Some(2));
        assert_eq!(chosen(Rule::PAPER, &[(2, 0, 5)]), None);
        assert_eq!(chosen(Rule::PAPER, &[]), None);
    }

    #[test]
    fn the_bound_weighs_ratio_against_evidence() {
        assert_eq!(chosen(Rule::BOUND, &[(70, 0, 30), (2, 0, 0)]), Some(0));
        assert_eq!(chosen(Rule::BOUND, &[(7, 0, 3), (8, 0, 0)]), Some(1));
        assert_eq!(chosen(Rule::BOUND, &[(1, 0, 0)]), None);
        // Wilson's interval for 8 of 10 is 0.490 … 0.943 (Newcombe 1998, table for method 3).
        let tally = Tally { wins: 8, ties: 0, losses: 2 };
        assert!((tally.lower_bound() - 0.490).abs() < 5e-4, "{}", tally.lower_bound());
    }
}
