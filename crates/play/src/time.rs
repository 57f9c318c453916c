//! Times as people write them, always with a unit: `100` could be milliseconds or seconds, and a
//! guess would be wrong by a factor of a thousand.

use std::time::Duration;

use thiserror::Error;

use crate::decimal::decimal;

/// Longer than anybody waits for a turn.
const MAX_TIME: Duration = Duration::from_secs(30 * 24 * 3600);

/// Why a text is not a time.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TimeError {
    /// A bare number.
    #[error("{0} has no unit: did you mean {0}ms or {0}s?")]
    NoUnit(String),
    /// Anything else.
    #[error("{0:?} is not a valid time: write one such as 500ms, 2s or 5m, at most 30 days")]
    NotATime(String),
}

/// Reads `500ms`, `2s`, `1.5s`, `3m`, and what is shorter than a millisecond: `20µs`, `0ns`.
pub fn parse_time(text: &str) -> Result<Duration, TimeError> {
    let shown = || text.chars().take(40).collect();
    let (number, unit) = text.split_at(text.find(char::is_alphabetic).unwrap_or(text.len()));
    let seconds = decimal(number.trim()).and_then(|number| match unit.trim() {
        "ns" => Some(number / 1e9),
        "us" | "µs" => Some(number / 1e6),
        "ms" => Some(number / 1000.0),
        "s" | "" => Some(number),
        "m" | "min" => Some(number * 60.0),
        _ => None,
    });
    let time = seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|&time| time <= MAX_TIME)
        .ok_or_else(|| TimeError::NotATime(shown()))?;
    if unit.trim().is_empty() { Err(TimeError::NoUnit(shown())) } else { Ok(time) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units() {
        for (text, millis) in [("500ms", 500), ("2s", 2000), ("1.5s", 1500), ("3m", 180_000)] {
            assert_eq!(parse_time(text), Ok(Duration::from_millis(millis)), "{text}");
        }
        for micros in [0, 1, 500, 1500] {
            let time = Duration::from_micros(micros);
            assert_eq!(parse_time(&format!("{time:?}")), Ok(time), "as limits show it");
        }
        let refused = parse_time("100").expect_err("no unit");
        assert_eq!(refused.to_string(), "100 has no unit: did you mean 100ms or 100s?");
        for text in ["", "soon", "-1s", "1h", "1e99s", "NaNs", "99999999s"] {
            assert!(matches!(parse_time(text), Err(TimeError::NotATime(_))), "{text}");
        }
    }
}
