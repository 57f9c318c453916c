//! Wins, draws and losses, and the Wilson interval of the score.
//!
//! Wilson, E. B. (1927), "Probable inference, the law of succession, and statistical inference":
//! unlike the textbook interval it stays inside 0…1 and is right for perfect scores.

use serde::Serialize;

use super::Z95;

/// Games of one player against one or several others.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// A range that holds the true value with 95 % confidence.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Tally {
    /// All games.
    pub const fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: a win counts 1, a draw ½.
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// Points per game; ½ before the first one.
    pub fn score(&self) -> f64 {
        if self.games() == 0 { 0.5 } else { self.points() / self.games() as f64 }
    }

    /// The part of the games that was drawn.
    pub fn draw_rate(&self) -> f64 {
        if self.games() == 0 { 0.0 } else { self.draws as f64 / self.games() as f64 }
    }

    /// Counts a game by its points in halves: 0 a loss, 1 a draw, 2 a win.
    pub const fn add(&mut self, half_points: u8) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// The same games seen by the other side.
    #[must_use]
    pub const fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }

    /// The 95 % Wilson interval of the score. With draws it is a little wider than need be, since
    /// a draw varies less than the win or loss it stands for.
    pub fn wilson(&self) -> Interval {
        self.wilson_of(1.0)
    }

    /// The same when only this share of the games is evidence: games that repeat others say
    /// nothing new.
    pub fn wilson_of(&self, share: f64) -> Interval {
        let n = self.games() as f64 * share;
        if n == 0.0 {
            return Interval { low: 0.0, high: 1.0 };
        }
        let (p, z2) = (self.score(), Z95 * Z95);
        let centre = (p + z2 / (2.0 * n)) / (1.0 + z2 / n);
        let half = Z95 / (1.0 + z2 / n) * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
        Interval { low: (centre - half).max(0.0), high: (centre + half).min(1.0) }
    }
}

impl std::ops::AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

impl std::fmt::Display for Tally {
    /// `+12 =3 -5`, as chess players write it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(&format!("+{} ={} -{}", self.wins, self.draws, self.losses))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::assert_close;

    #[test]
    fn wilson_intervals_of_newcombe_1998() {
        // Newcombe, R. G. (1998), "Two-sided confidence intervals for the single proportion",
        // Statistics in Medicine 17, Table I, method 3 (score without continuity correction).
        for (wins, games, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = Tally { wins, draws: 0, losses: games - wins }.wilson();
            assert_close(interval.low, low, 5e-5);
            assert_close(interval.high, high, 5e-5);
        }
    }

    #[test]
    fn draws_are_half_points() {
        let tally = Tally { wins: 10, draws: 5, losses: 5 };
        assert_close(tally.score(), 0.625, 1e-12);
        assert_close(tally.reversed().score(), 0.375, 1e-12);
        assert_eq!(tally.to_string(), "+10 =5 -5");
    }

    #[test]
    fn nothing_is_known_before_the_first_game() {
        assert_eq!(Tally::default().wilson(), Interval { low: 0.0, high: 1.0 });
        assert_close(Tally::default().score(), 0.5, 1e-12);
    }
}
