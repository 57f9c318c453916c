//! Scores: evaluations in 1/256 of a logit, wins above them all, nearer wins higher.

use collinear_play::Value;

use crate::Weights;

/// A score for the player to move.
pub(crate) type Score = i32;

/// A row completed in the root's own turn. A win `d` turns later is worth `WIN - d`.
pub(crate) const WIN: Score = 30_000;
/// Above all scores.
pub(crate) const INFINITE: Score = 31_000;
/// Scores from here on are proved wins.
pub(crate) const PROVED: Score = 29_000;
/// A loss that not every stone was tried against counts as this much less than a proved one, and as
/// much less again for each degree of doubt at which it was found.
const DOUBT: Score = 2_000;
const DOUBT_STEP: Score = 1_000;
/// The most degrees of doubt.
pub(crate) const MAX_DOUBT: u8 = 6;
/// The chance to win that a loss in doubt leaves.
const DOUBTED_CHANCE: f32 = 0.1;
/// Evaluations stay within.
pub(crate) const MAX_EVALUATION: Score = 20_000;

/// The score of completing a row in the turn `distance` turns from the root.
pub(crate) const fn wins_at(distance: i32) -> Score {
    WIN - distance
}

/// Whether a score is a proved win or loss.
pub(crate) const fn is_proved(score: Score) -> bool {
    score >= PROVED || score <= -PROVED
}

/// The score of a loss against the stones that were tried, where there were others: worse than any
/// evaluation, but not proved. A longer defence is still better. A search at a higher degree of
/// doubt tries more stones and believes no score from a lower one.
pub(crate) fn doubted(loss: Score, degree: u8) -> Score {
    loss + DOUBT + DOUBT_STEP * Score::from(degree)
}

/// Whether a score is a win or loss in doubt.
pub(crate) const fn is_doubted(score: Score) -> bool {
    score.abs() > MAX_EVALUATION && score.abs() < PROVED
}

/// Whether a score is in doubt and was found at a lower degree.
pub(crate) fn is_outdated(score: Score, degree: u8) -> bool {
    is_doubted(score) && score.abs() > WIN - DOUBT - DOUBT_STEP * Score::from(degree)
}

/// Seen from the root to seen from a node.
pub(crate) const fn to_here(score: Score, distance: i32) -> Score {
    if score >= PROVED {
        score + distance
    } else if score <= -PROVED {
        score - distance
    } else {
        score
    }
}

/// Seen from a node to seen from the root.
pub(crate) const fn from_here(score: Score, distance: i32) -> Score {
    if score >= PROVED {
        score - distance
    } else if score <= -PROVED {
        score + distance
    } else {
        score
    }
}

/// What a score at the root means to people.
pub(crate) fn value(score: Score) -> Value {
    if score >= PROVED {
        Value::WinsIn(((WIN - score) / 2 + 1) as u16)
    } else if score <= -PROVED {
        Value::LosesIn(((WIN + score + 1) / 2).max(1) as u16)
    } else if is_doubted(score) {
        Value::Chance(if score < 0 { DOUBTED_CHANCE } else { 1.0 - DOUBTED_CHANCE })
    } else {
        Value::Chance(chance(score))
    }
}

/// The chance to win that an evaluation stands for.
pub(crate) fn chance(score: Score) -> f32 {
    (1.0 / (1.0 + (-f64::from(score) / Weights::LOGIT).exp())) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wins_count_in_own_turns() {
        assert_eq!(value(wins_at(0)), Value::WinsIn(1));
        assert_eq!(value(wins_at(2)), Value::WinsIn(2));
        assert_eq!(value(-wins_at(1)), Value::LosesIn(1));
        assert_eq!(value(-wins_at(3)), Value::LosesIn(2));
        assert_eq!(value(0), Value::Chance(0.5));
        assert_eq!(from_here(to_here(wins_at(5), 3), 3), wins_at(5));
    }

    #[test]
    fn doubt_is_no_proof_and_grows_old() {
        for degree in 0..=MAX_DOUBT {
            let loss = doubted(-wins_at(9), degree);
            assert!(is_doubted(loss) && is_doubted(-loss) && !is_proved(loss));
            assert!(!is_outdated(loss, degree) && is_outdated(loss, degree + 1));
            assert_eq!(value(-loss), Value::Chance(0.9));
        }
        assert!(!is_doubted(-wins_at(9)) && !is_doubted(MAX_EVALUATION));
    }
}
