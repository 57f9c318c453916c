//! Ratings of many players from all their games: Bradley–Terry with draws and the first move.
//!
//! In a game between Black i and White j, with `a = r_i − r_j + f`,
//!
//! ```text
//! P(Black wins) : P(draw) : P(White wins)  =  e^(a/2) : ν : e^(−a/2)
//! ```
//!
//! (Davidson 1970, with an order effect f as in Davidson & Beaver 1977.) The most likely r, f and ν
//! are found by Newton's method; a weak normal prior keeps players that won everything finite.
//! Error bars come from the pairs: the sandwich estimator with one cluster a pair, so that two games
//! of one opening never count as independent evidence.
//!
//! Games say how far players are apart. Where they stand is a convention: around the mean of all, or
//! so that the mean of some, the anchors, is the mean of the ratings that others have given these.

use nalgebra::{DMatrix, DVector};
use serde::Serialize;

use super::Z95;

/// One game for the ratings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RatedGame {
    /// Who moved first.
    pub black: usize,
    /// Who answered.
    pub white: usize,
    /// Black's half points: 0, 1 or 2.
    pub half_points: u8,
    /// Games with the same number were played from one opening.
    pub pair: u64,
}

/// A player's rating.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// Elo points above the mean of all players, or on the scale of the anchors.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error: f64,
}

/// The fit of all games.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Ratings {
    /// By player.
    pub players: Vec<Rating>,
    /// What moving first is worth, in Elo.
    pub first_move: Rating,
    /// ν: how often equal players draw, ν / (2 + ν).
    pub draw_weight: f64,
}

/// The prior's standard deviation in natural units: about 1400 Elo, far beyond what a few games
/// contradict, near enough to keep perfect scores finite.
const PRIOR_DEVIATION: f64 = 8.0;
/// Elo in one natural unit.
const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

impl Ratings {
    /// The most likely ratings of `players` players around their mean; none without players.
    pub fn fit(players: usize, games: &[RatedGame]) -> Self {
        Self::anchored(players, games, &[])
    }

    /// The same on the scale of these players' given ratings. Errors are those of the difference from
    /// the anchors' mean; what is given is taken as true.
    pub fn anchored(players: usize, games: &[RatedGame], anchors: &[(usize, f64)]) -> Self {
        let model = Model { players, games };
        let mut parameters = DVector::zeros(players + 2);
        let mut curvature = model.curvature(&parameters);
        for _ in 0..MAX_STEPS {
            let gradient = model.gradient(&parameters);
            let Some(factor) = curvature.clone().cholesky() else { break };
            let mut step = factor.solve(&gradient);
            // Far from the top a full step may overshoot: no parameter moves by more than this.
            let longest = step.amax();
            if longest > MAX_STEP {
                step *= MAX_STEP / longest;
            }
            parameters += &step;
            curvature = model.curvature(&parameters);
            if longest < SETTLED {
                break;
            }
        }
        model.ratings(&parameters, curvature, anchors)
    }
}

const MAX_STEPS: usize = 200;
const MAX_STEP: f64 = 2.0;
const SETTLED: f64 = 1e-10;

/// Parameters in order: the players' ratings, f, ln ν.
struct Model<'a> {
    players: usize,
    games: &'a [RatedGame],
}

impl Model<'_> {
    /// Chances that Black wins, that the game is drawn, that White wins.
    fn chances(&self, x: &DVector<f64>, game: &RatedGame) -> [f64; 3] {
        let half = 0.5 * (x[game.black] - x[game.white] + x[self.players]);
        let weights = [half, x[self.players + 1], -half];
        let largest = weights.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = weights.map(|w| (w - largest).exp());
        let sum: f64 = weights.iter().sum();
        weights.map(|w| w / sum)
    }

    /// Derivative of one game's log-likelihood by a (half the surplus of wins) and by ln ν.
    fn pulls(&self, x: &DVector<f64>, game: &RatedGame) -> (f64, f64) {
        let [win, draw, loss] = self.chances(x, game);
        let won = f64::from(game.half_points) / 2.0 - 0.5;
        (won - (win - loss) / 2.0, f64::from(u8::from(game.half_points == 1)) - draw)
    }

    fn add_pulls(&self, x: &DVector<f64>, game: &RatedGame, to: &mut DVector<f64>) {
        let (by_strength, by_draw) = self.pulls(x, game);
        to[game.black] += by_strength;
        to[game.white] -= by_strength;
        to[self.players] += by_strength;
        to[self.players + 1] += by_draw;
    }

    fn gradient(&self, x: &DVector<f64>) -> DVector<f64> {
        let mut gradient = -x / PRIOR_DEVIATION.powi(2);
        for game in self.games {
            self.add_pulls(x, game, &mut gradient);
        }
        gradient
    }

    /// Minus the second derivatives: the covariance of the sufficient statistics, plus the prior.
    fn curvature(&self, x: &DVector<f64>) -> DMatrix<f64> {
        let size = self.players + 2;
        let mut matrix = DMatrix::identity(size, size) / PRIOR_DEVIATION.powi(2);
        for game in self.games {
            let [win, draw, loss] = self.chances(x, game);
            let mean = (win - loss) / 2.0;
            let strength = (win + loss) / 4.0 - mean * mean;
            let mixed = -mean * draw;
            let signed = [(game.black, 1.0), (game.white, -1.0), (self.players, 1.0)];
            for (row, a) in signed {
                for (column, b) in signed {
                    matrix[(row, column)] += a * b * strength;
                }
                matrix[(row, size - 1)] += a * mixed;
                matrix[(size - 1, row)] += a * mixed;
            }
            matrix[(size - 1, size - 1)] += draw * (1.0 - draw);
        }
        matrix
    }

    /// The middle of the sandwich: how much the pairs' pulls vary. The prior pulls too.
    fn pair_variation(&self, x: &DVector<f64>) -> DMatrix<f64> {
        let size = self.players + 2;
        let mut matrix = DMatrix::identity(size, size) / PRIOR_DEVIATION.powi(2);
        let mut games: Vec<_> = self.games.iter().collect();
        games.sort_by_key(|game| game.pair);
        for pair in games.chunk_by(|a, b| a.pair == b.pair) {
            let mut pull = DVector::zeros(size);
            for game in pair {
                self.add_pulls(x, game, &mut pull);
            }
            matrix.ger(1.0, &pull, &pull, 1.0);
        }
        matrix
    }

    fn ratings(
        &self,
        x: &DVector<f64>,
        curvature: DMatrix<f64>,
        anchors: &[(usize, f64)],
    ) -> Ratings {
        let n = self.players;
        let draw_weight = x[n + 1].exp();
        // With many draws one unit of r moves the score less: scaled so that small differences
        // mean what logistic Elo says they mean.
        let unit = ELO_PER_UNIT * 2.0 / (2.0 + draw_weight);
        let covariance = curvature.try_inverse().map_or_else(
            || DMatrix::zeros(n + 2, n + 2),
            |inverse| &inverse * self.pair_variation(x) * &inverse,
        );
        // What ratings are counted from: the mean of all, or of the anchors.
        let mut origin = DVector::zeros(n + 2);
        if anchors.is_empty() {
            origin.rows_mut(0, n).fill(1.0 / n.max(1) as f64);
        }
        for &(player, _) in anchors {
            origin[player] += 1.0 / anchors.len() as f64;
        }
        let given = anchors.iter().map(|&(_, elo)| elo).sum::<f64>() / anchors.len().max(1) as f64;
        let rate = |direction: &DVector<f64>| {
            let variance = (direction.transpose() * &covariance * direction)[(0, 0)];
            Rating { elo: unit * direction.dot(x), error: unit * Z95 * variance.max(0.0).sqrt() }
        };
        let players = (0..n)
            .map(|player| {
                let mut direction = -&origin;
                direction[player] += 1.0;
                let rating = rate(&direction);
                Rating { elo: given + rating.elo, ..rating }
            })
            .collect();
        let mut first = DVector::zeros(n + 2);
        first[n] = 1.0;
        Ratings { players, first_move: rate(&first), draw_weight }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `wins` of i over j as games that alternate colours, each game a cluster of its own.
    fn games_of(wins: &[(usize, usize, u32)]) -> Vec<RatedGame> {
        let mut games = Vec::new();
        for &(i, j, count) in wins {
            for n in 0..count {
                let pair = games.len() as u64;
                games.push(if n % 2 == 0 {
                    RatedGame { black: i, white: j, half_points: 2, pair }
                } else {
                    RatedGame { black: j, white: i, half_points: 0, pair }
                });
            }
        }
        games
    }

    #[test]
    fn stiglers_journals() {
        // Citations among four journals (Stigler 1994; Agresti, "Categorical Data Analysis").
        // Abilities and standard errors as printed in the vignette of R's BradleyTerry2:
        // Biometrika 0, Comm. Statist. −2.94907 (0.10255), JASA −0.47957 (0.06059),
        // JRSS-B 0.26895 (0.07083).
        let wins = [
            (0, 1, 730),
            (1, 0, 33),
            (0, 2, 498),
            (2, 0, 320),
            (0, 3, 221),
            (3, 0, 284),
            (1, 2, 68),
            (2, 1, 813),
            (1, 3, 17),
            (3, 1, 276),
            (2, 3, 142),
            (3, 2, 325),
        ];
        let fit = Ratings::fit(4, &games_of(&wins));
        let difference = |i: usize| (fit.players[i].elo - fit.players[0].elo) / ELO_PER_UNIT;
        for (journal, ability) in [(1, -2.949_07), (2, -0.479_57), (3, 0.268_95)] {
            assert!((difference(journal) - ability).abs() < 0.005, "{}", difference(journal));
        }
        assert!(fit.draw_weight < 1e-3);
        assert!(fit.first_move.elo.abs() < 5.0);
    }

    #[test]
    fn anchors_move_all_and_change_no_difference() {
        let games = games_of(&[(0, 1, 30), (1, 0, 10), (1, 2, 25), (2, 1, 20), (0, 2, 5)]);
        let free = Ratings::fit(3, &games);
        let apart =
            |ratings: &Ratings, i: usize, j: usize| ratings.players[i].elo - ratings.players[j].elo;
        for anchors in [vec![(1, 1837.0)], vec![(1, 1837.0), (2, 1500.0)]] {
            let fit = Ratings::anchored(3, &games, &anchors);
            for (i, j) in [(0, 1), (1, 2), (2, 0)] {
                assert!((apart(&fit, i, j) - apart(&free, i, j)).abs() < 1e-9);
            }
            let mean = |elo: &dyn Fn(&(usize, f64)) -> f64| {
                anchors.iter().map(elo).sum::<f64>() / anchors.len() as f64
            };
            let found = mean(&|&(player, _)| fit.players[player].elo);
            assert!((found - mean(&|&(_, given)| given)).abs() < 1e-9, "{found}");
        }
        // One anchor is where it is said to be; the error of another is that of the difference, which
        // for two players alone is twice what each has around their mean.
        let one = Ratings::anchored(3, &games, &[(1, 1837.0)]);
        assert!(one.players[1].error.abs() < 1e-9 && one.players[0].error > 10.0);
        let two = games_of(&[(0, 1, 30), (1, 0, 20)]);
        let (free, fixed) = (Ratings::fit(2, &two), Ratings::anchored(2, &two, &[(1, 0.0)]));
        assert!((fixed.players[0].error / free.players[0].error - 2.0).abs() < 1e-9);
    }

    #[test]
    fn two_players_with_draws_have_a_closed_form() {
        // Colours balanced: e^r = wins / losses, ν = draws / √(wins · losses).
        let mut games = Vec::new();
        for (half_points, count) in [(2, 40), (1, 30), (0, 10)] {
            for _ in 0..count {
                let pair = games.len() as u64;
                games.push(RatedGame { black: 0, white: 1, half_points, pair });
                games.push(RatedGame { black: 1, white: 0, half_points: 2 - half_points, pair });
            }
        }
        let fit = Ratings::fit(2, &games);
        let draw_weight = 30.0 / 400_f64.sqrt();
        assert!((fit.draw_weight / draw_weight - 1.0).abs() < 0.01);
        let expected = 400.0 * 4_f64.log10() * 2.0 / (2.0 + draw_weight);
        let found = fit.players[0].elo - fit.players[1].elo;
        assert!((found / expected - 1.0).abs() < 0.01, "{found} against {expected}");
    }

    #[test]
    fn error_bars_count_pairs_not_games() {
        // 200 independent games, and the same results as 100 pairs whose games always agree.
        let result = |n: u64| if n.is_multiple_of(4) { 0 } else { 2 };
        let game = |n: u64, pair| {
            let half_points = result(pair);
            if n.is_multiple_of(2) {
                RatedGame { black: 0, white: 1, half_points, pair: n }
            } else {
                RatedGame { black: 1, white: 0, half_points: 2 - half_points, pair: n }
            }
        };
        let single: Vec<_> = (0..200).map(|n| game(n, n / 2)).collect();
        let paired: Vec<_> =
            single.iter().map(|game| RatedGame { pair: game.pair / 2, ..*game }).collect();
        let error = |games: &[RatedGame]| Ratings::fit(2, games).players[0].error;
        let ratio = error(&paired) / error(&single);
        assert!((ratio - 2_f64.sqrt()).abs() < 0.05, "{ratio}");
    }

    #[test]
    fn the_first_move_is_rated_apart() {
        // Black wins three of four whoever plays it.
        let games: Vec<_> = (0..400_usize)
            .map(|n| RatedGame {
                black: n % 2,
                white: 1 - n % 2,
                half_points: if (n / 2) % 4 == 0 { 0 } else { 2 },
                pair: n as u64 / 2,
            })
            .collect();
        let fit = Ratings::fit(2, &games);
        assert!(fit.players[0].elo.abs() < 1.0);
        assert!((fit.first_move.elo - 400.0 * 3_f64.log10()).abs() < 3.0);
    }

    #[test]
    fn a_player_who_won_everything_is_finite_and_uncertain() {
        let fit = Ratings::fit(2, &games_of(&[(0, 1, 20)]));
        assert!(fit.players[0].elo.is_finite() && fit.players[0].elo > 150.0);
        assert!(fit.players[0].error > 200.0);
    }

    #[test]
    fn nobody_played() {
        assert!(Ratings::fit(0, &[]).players.is_empty());
        assert!(Ratings::fit(3, &[]).players[1].elo.abs() < 1e-9);
    }
}
