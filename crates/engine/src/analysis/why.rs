//! Why a turn was played, or should be, in one sentence: what it completes, stops and threatens, and
//! what its player thinks of it.

use collinear_play::{Value, play_turn};
use collinear_rules::{Cell, Outcome, Player, Position, notation};
use collinear_windows::{ThreatCounter, Windows};

/// Turns of more stones have too many defences to count them in passing.
const MAX_STONES: usize = 4;

/// `k11 and l9: stops a threat and makes two threats`. Nothing for a turn that is illegal here.
///
/// `value` is what the player to move thinks of the position, if it said so.
pub fn why(position: &Position, turn: &[Cell], value: Option<Value>) -> Option<String> {
    let player = position.to_move();
    let mut after = position.clone();
    play_turn(&mut after, turn).ok()?;
    let names: Vec<String> =
        turn.iter().map(|&cell| notation::name(position.rules(), cell)).collect();
    let mut reasons = Vec::new();
    if after.outcome() == Outcome::Won(player) {
        reasons.push("completes a row".to_owned());
    } else {
        reasons.extend(threats(position, &after, player));
        reasons.extend(outlook(value));
    }
    let reasons = match &reasons[..] {
        [] => "builds a position".to_owned(),
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        [only, ..] => only.clone(),
    };
    Some(format!("{}: {reasons}", names.join(" and ")))
}

/// What the turn stops and what it threatens, where stones lie where they are put.
fn threats(before: &Position, after: &Position, player: Player) -> Vec<String> {
    let rules = before.rules();
    let mut reasons = Vec::new();
    if rules.gravity() || rules.p() > MAX_STONES {
        return reasons;
    }
    let mut counter = ThreatCounter::new();
    let other = player.opponent();
    let mut count = |position: &Position, player| counter.count(&Windows::of(position), player);
    let (threatened, still) = (count(before, other), count(after, other));
    if still < threatened {
        let all = if still == 0 { "" } else { " in part" };
        reasons.push(format!("stops {}{all}", threats_in_words(threatened)));
    }
    let (had, has) = (count(before, player), count(after, player));
    if has > rules.p() {
        reasons.push("threatens more than can be stopped".to_owned());
    } else if has > had {
        reasons.push(format!("makes {}", threats_in_words(has - had)));
    }
    reasons
}

fn threats_in_words(count: usize) -> String {
    match count {
        1 => "a threat".to_owned(),
        2 => "two threats".to_owned(),
        3 => "three threats".to_owned(),
        more => format!("{more} threats"),
    }
}

fn outlook(value: Option<Value>) -> Option<String> {
    match value? {
        Value::WinsIn(1) => Some("wins".to_owned()),
        Value::WinsIn(turns) => Some(format!("wins by force in {turns} turns")),
        Value::LosesIn(_) => Some("puts off a lost game".to_owned()),
        Value::Draw => Some("holds the draw".to_owned()),
        Value::Chance(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Rules, Setup};

    fn said(black: &str, white: &str, turn: &str, value: Option<Value>) -> String {
        let rules = Rules::CONNECT6;
        let cells = |text: &str| -> Vec<Cell> {
            text.split_whitespace().map(|name| notation::parse(&rules, name).expect(name)).collect()
        };
        let setup =
            Setup { black: cells(black), white: cells(white), to_move: Some((Player::Black, 2)) };
        let position = Position::from_setup(rules, &setup).expect("a position");
        why(&position, &cells(turn), value).expect("legal")
    }

    #[test]
    fn rows_threats_and_defences_are_named() {
        let five = "h10 i10 j10 k10";
        assert_eq!(said(five, "", "l10 m10", None), "l10 and m10: completes a row");
        assert_eq!(said("", five, "g10 l10", None), "g10 and l10: stops two threats");
        let three = said("h10 i10", "", "j10 k10", None);
        assert_eq!(three, "j10 and k10: makes two threats");
        let quiet = said("", "", "a1 s19", None);
        assert_eq!(quiet, "a1 and s19: builds a position");
        let proved = said("h10 i10", "", "j10 k10", Some(Value::WinsIn(3)));
        assert_eq!(proved, "j10 and k10: makes two threats and wins by force in 3 turns");
    }

    #[test]
    fn what_cannot_be_played_has_no_reason() {
        let position = Position::new(Rules::CONNECT6);
        assert_eq!(why(&position, &[], None), None);
    }
}
