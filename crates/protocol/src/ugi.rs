//! The two long lines of the native protocol, for both of its sides: `position` and `go`.

use std::fmt::Write as _;
use std::time::Duration;

use collinear_play::Budget;
use collinear_rules::{Cell, Player, Position, Rules, Setup, notation};

use crate::quote::quoted;

/// What `go` says about one side's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SideClock {
    pub(crate) left: Option<Duration>,
    pub(crate) increment: Duration,
}

impl SideClock {
    const UNKNOWN: Self = Self { left: None, increment: Duration::ZERO };
}

/// The limits of a `go` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Go {
    pub(crate) movetime: Option<Duration>,
    pub(crate) clocks: [SideClock; 2],
    pub(crate) nodes: Option<u64>,
    pub(crate) depth: Option<u32>,
    pub(crate) lines: Option<u16>,
    pub(crate) infinite: bool,
}

/// Reads what stands behind `go`.
pub(crate) fn parse_go(text: &str) -> Result<Go, String> {
    let mut go = Go {
        movetime: None,
        clocks: [SideClock::UNKNOWN; 2],
        nodes: None,
        depth: None,
        lines: None,
        infinite: false,
    };
    let mut words = text.split_whitespace();
    while let Some(key) = words.next() {
        if key == "infinite" {
            go.infinite = true;
            continue;
        }
        let value = words.next().ok_or_else(|| format!("{key} needs a number"))?;
        let number: u64 = value
            .parse()
            .map_err(|_| format!("{} {} is not a number from 0", quoted(key), quoted(value)))?;
        let time = Duration::from_millis(number.min(MAX_MILLIS));
        match key {
            "movetime" => go.movetime = Some(time),
            "p1time" | "btime" => go.clocks[0].left = Some(time),
            "p2time" | "wtime" => go.clocks[1].left = Some(time),
            "p1inc" | "binc" => go.clocks[0].increment = time,
            "p2inc" | "winc" => go.clocks[1].increment = time,
            "nodes" => go.nodes = Some(number),
            "depth" => go.depth = Some(number.min(u64::from(u32::MAX)) as u32),
            "lines" => go.lines = Some(number.min(u64::from(u16::MAX)) as u16),
            _ => {
                return Err(format!(
                    "{}: known are movetime, p1time, p2time, p1inc, p2inc, nodes, depth, lines, infinite",
                    quoted(key)
                ));
            }
        }
    }
    Ok(go)
}

/// A month: longer times are as good as none, and cannot overflow a clock.
const MAX_MILLIS: u64 = 30 * 24 * 3600 * 1000;

/// Writes the `go` line for a budget; `player` is whose clock it is.
pub(crate) fn write_go(budget: &Budget, player: Player) -> String {
    let mut text = "go".to_owned();
    if let Some(time) = budget.time {
        let _ = write!(text, " movetime {}", time.as_millis());
    }
    if let Some(clock) = budget.clock {
        let side = player.index() + 1;
        let _ = write!(text, " p{side}time {}", clock.left.as_millis());
        let _ = write!(text, " p{side}inc {}", clock.increment.as_millis());
    }
    if let Some(nodes) = budget.nodes {
        let _ = write!(text, " nodes {nodes}");
    }
    if let Some(depth) = budget.depth {
        let _ = write!(text, " depth {depth}");
    }
    if budget.lines > 1 {
        let _ = write!(text, " lines {}", budget.lines);
    }
    text
}

/// Reads what stands behind `position`:
/// `startpos [moves …]` or `setup [black …] [white …] [tomove SIDE LEFT] [moves …]`.
pub(crate) fn parse_position(rules: Rules, text: &str) -> Result<Position, String> {
    let mut words = text.split_whitespace().peekable();
    let mut setup = Setup::default();
    let is_setup = match words.next() {
        Some("startpos") => false,
        Some("setup") => true,
        _ => return Err("expected: position startpos moves … or position setup …".to_owned()),
    };
    let cell = |word: &str| notation::parse(&rules, word).map_err(|error| error.to_string());
    let mut moves: Vec<Cell> = Vec::new();
    while let Some(key) = words.next() {
        match key {
            "moves" => {
                for word in words.by_ref() {
                    moves.push(cell(word)?);
                }
            }
            "black" | "white" if is_setup => {
                let side = if key == "black" { &mut setup.black } else { &mut setup.white };
                while let Some(word) =
                    words.next_if(|word| word.ends_with(|c: char| c.is_ascii_digit()))
                {
                    side.push(cell(word)?);
                }
            }
            "tomove" if is_setup => {
                let side = words.next().unwrap_or_default();
                let player = Player::BOTH.into_iter().find(|player| player.name() == side);
                let left = words.next().and_then(|word| word.parse::<usize>().ok());
                let (Some(player), Some(left)) = (player, left) else {
                    return Err("expected: tomove black|white STONES_LEFT".to_owned());
                };
                setup.to_move = Some((player, left));
            }
            _ => return Err(format!("{}: expected moves and cells", quoted(key))),
        }
    }
    let mut position = if is_setup {
        Position::from_setup(rules, &setup).map_err(|error| error.to_string())?
    } else {
        Position::new(rules)
    };
    for (number, cell) in moves.into_iter().enumerate() {
        position.play(cell).map_err(|error| format!("move {}: {error}", number + 1))?;
    }
    Ok(position)
}

/// Writes the `position` line.
pub(crate) fn write_position(position: &Position) -> String {
    let rules = position.rules();
    let history = position.history();
    if history.len() == position.stone_count() {
        return match history {
            [] => "position startpos".to_owned(),
            moves => format!("position startpos moves {}", notation::names(rules, moves)),
        };
    }
    let mut text = "position setup".to_owned();
    for player in Player::BOTH {
        let stones: Vec<Cell> = position.stones(player).collect();
        if !stones.is_empty() {
            let _ = write!(text, " {player} {}", notation::names(rules, &stones));
        }
    }
    let _ = write!(text, " tomove {} {}", position.to_move(), position.stones_left());
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_and_limits_keep_their_words() {
        let rules = Rules::CONNECT6;
        for text in [
            "startpos",
            "startpos moves j10 k11 i11",
            "setup black a1 b2 white c3 tomove white 1",
            "setup white c3 tomove black 2",
        ] {
            let position = parse_position(rules, text).expect(text);
            assert_eq!(write_position(&position), format!("position {text}"));
        }
        for text in [
            "",
            "startpos moves a1 a1",
            "startpos a1",
            "setup tomove red 1",
            "setup black a1 white a1",
        ] {
            assert!(parse_position(rules, text).is_err(), "{text}");
        }
        let go = parse_go("p2time 5000 p2inc 10 nodes 7").expect("limits");
        assert_eq!(go.clocks[1].left, Some(Duration::from_secs(5)));
        assert_eq!(go.nodes, Some(7));
        for text in ["movetime", "movetime -1", "speed 3", "nodes 99999999999999999999"] {
            assert!(parse_go(text).is_err(), "{text}");
        }
    }
}
