//! Why a turn was played, or should be, in one sentence: what it completes, stops and threatens, and
//! what its player thinks of it.

use crate::proof::{ProofLimits, Then};
use crate::tactics::Tactics;
use collinear_play::{Budget, Value, play_turn};
use collinear_rules::{Cell, Outcome, Player, Position, notation};
use collinear_windows::{FoundShape, LineShape, ThreatCounter, Windows, has_shapes, shapes};

/// Turns of more stones have too many defences to count them in passing.
const MAX_STONES: usize = 4;
/// Positions of a search by fours in passing: a moment's work.
const MAX_FOURS: u64 = 2_000;
/// The same by fours and threes.
const MAX_THREATS: u64 = 10_000;

/// `k11 and l9: stops a threat and makes two threats`. Nothing for a turn that is illegal here.
///
/// `value` is what the player to move thinks of the position, if it said so.
pub fn why(position: &Position, turn: &[Cell], value: Option<Value>) -> Option<String> {
    let names: Vec<String> =
        turn.iter().map(|&cell| notation::name(position.rules(), cell)).collect();
    let reasons = reasons(position, turn, value)?;
    let reasons = if reasons.is_empty() { "develops" } else { &reasons };
    Some(format!("{}: {reasons}", names.join(" and ")))
}

/// `stops a threat and makes two threats`, or an empty text where there is nothing to say. Nothing
/// for a turn that is illegal here.
pub fn reasons(position: &Position, turn: &[Cell], value: Option<Value>) -> Option<String> {
    let player = position.to_move();
    let mut after = position.clone();
    play_turn(&mut after, turn).ok()?;
    let five = has_shapes(position.rules());
    let mut reasons = Vec::new();
    if after.outcome() == Outcome::Won(player) {
        reasons.push(if five { "five in a row" } else { "completes a row" }.to_owned());
    } else if five {
        reasons.extend(blocked(position, &after, turn[0]));
        reasons.extend(made(&after, turn[0]));
        let by = way_of_winning(position, turn, value);
        reasons.extend(outlook(value, true).map(|text| text + by));
    } else {
        reasons.extend(threats(position, &after, player));
        reasons.extend(outlook(value, false));
    }
    Some(match &reasons[..] {
        several if five => several.join(", "),
        [rest @ .., last] if !rest.is_empty() => format!("{} and {last}", rest.join(", ")),
        all => all.concat(),
    })
}

/// The opponent's shapes from broken three on that the stone takes away or makes weaker, in words.
fn blocked(before: &Position, after: &Position, cell: Cell) -> Option<String> {
    let opponent = before.to_move().opponent();
    let left = shapes(after, opponent);
    let is_on_line = |found: &&FoundShape| {
        before.geometry().lines_through(cell).iter().any(|at| at.line == found.line)
    };
    let mut gone = shapes(before, opponent);
    gone.retain(|found| {
        (found.shape.is_three() || found.shape.is_four())
            && is_on_line(&found)
            && !left.iter().any(|other| {
                (other.line, &other.stones) == (found.line, &found.stones)
                    && other.shape >= found.shape
            })
    });
    let words: Vec<String> =
        gone.iter().map(|found| format!("the {}", found.words(before.rules()))).collect();
    (!words.is_empty()).then(|| format!("blocks {}", words.join(" and ")))
}

/// What a stone on the board is part of, by the strongest name.
fn made(after: &Position, cell: Cell) -> Option<String> {
    let mut own = shapes(after, after.at(cell)?);
    own.retain(|found| found.stones.contains(&cell));
    let count = |is: fn(LineShape) -> bool| own.iter().filter(|found| is(found.shape)).count();
    let (fours, threes) = (count(LineShape::is_four), count(LineShape::is_three));
    let best = own.first()?;
    Some(match (fours, threes) {
        (2.., _) => "double-four".to_owned(),
        (1, 1..) if best.shape != LineShape::StraightFour => "four-three".to_owned(),
        (0, 2..) => "double-three".to_owned(),
        (0, 0) if best.shape < LineShape::OpenTwo => return None,
        _ => {
            let words = best.words(after.rules());
            format!("{} {words}", if words.starts_with('o') { "an" } else { "a" })
        }
    })
}

/// The players' name for the win that was seen, where this stone begins it: VCF, by fours alone, or
/// VCT, by threes and other threats of one, too. Two turns are a straight four: nobody calls that one.
fn way_of_winning(position: &Position, turn: &[Cell], value: Option<Value>) -> &'static str {
    if !matches!(value, Some(Value::WinsIn(3..))) {
        return "";
    }
    let mut tactics = Tactics::new(position.rules());
    let (player, left) = (position.to_move(), turn.len());
    let windows = &mut Windows::of(position);
    let limits = ProofLimits { nodes: MAX_FOURS, ..ProofLimits::default() };
    let proof = tactics.prove(windows, player, left, limits).proof().or_else(|| {
        let meter = Budget::nodes(MAX_THREATS).start(1);
        let limits = tactics.quiet_limits(MAX_THREATS, &meter);
        tactics.prove_quiet(windows, player, left, limits)
    });
    match proof {
        Some(proof) if proof.turn != turn => "",
        Some(proof) if matches!(proof.then, Then::Quiet(_)) => " (VCT)",
        Some(_) => " (VCF)",
        None => "",
    }
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
        reasons.push(format!("makes {}: cannot be stopped", threats_in_words(has)));
    } else if has > had && has == rules.p() && rules.p() == 2 {
        reasons.push("makes a double threat".to_owned());
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

fn outlook(value: Option<Value>, short: bool) -> Option<String> {
    match value? {
        Value::WinsIn(1) => Some("wins".to_owned()),
        Value::WinsIn(turns) if short => Some(format!("wins in {turns}")),
        Value::WinsIn(turns) => Some(format!("wins by force in {turns} turns")),
        Value::LosesIn(_) => Some("delays the loss".to_owned()),
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
        assert_eq!(three, "j10 and k10: makes a double threat");
        let quiet = said("", "", "a1 s19", None);
        assert_eq!(quiet, "a1 and s19: develops");
        let proved = said("h10 i10", "", "j10 k10", Some(Value::WinsIn(3)));
        assert_eq!(proved, "j10 and k10: makes a double threat and wins by force in 3 turns");
        let six = said("h10 i10 j10 f5", "", "k10 l10", None);
        assert_eq!(six, "k10 and l10: makes a double threat");
    }

    #[test]
    fn five_in_a_row_has_the_words_of_its_players() {
        let said = |moves: &str, cell: &str, value| {
            let at = |name| notation::parse(&Rules::GOMOKU, name).expect(name);
            let moves: Vec<Cell> = moves.split_whitespace().map(at).collect();
            let position = Position::from_moves(Rules::GOMOKU, &moves).expect("legal");
            why(&position, &[at(cell)], value).expect("legal")
        };
        let three = "h8 a1 i8 a3 g8";
        assert_eq!(said(three, "j8", None), "j8: blocks the open three g8–h8–i8");
        assert_eq!(said(three, "o15", None), "o15: develops");
        assert_eq!(said("h8 a1 i8 a3", "g8", None), "g8: an open three g8–h8–i8");
        let four_three = "e8 d8 f8 a1 g8 c1 h9 e1 h10 g1";
        let wins = Some(Value::WinsIn(4));
        assert_eq!(said(four_three, "h8", wins), "h8: four-three, wins in 4 (VCF)");
        // A quiet stone that wins is none of fours.
        let four_of_it = "h8 a1 i9 a3 j8 a5 i7 a7";
        assert!(said(four_of_it, "o1", wins).ends_with(": wins in 4"));
        // Two open threes, whatever White does against them.
        let two_threes = "g8 a1 i8 a3 h9 c1 h10 c3";
        assert_eq!(said(two_threes, "h8", wins), "h8: double-three, wins in 4 (VCT)");
        let four = "h8 a1 i8 a3 g8 a5 f8 j8";
        assert_eq!(said(four, "e8", None), "e8: five in a row");
        assert_eq!(
            said("h8 a1 i8 a3 g8 a5 f8", "j8", None),
            "j8: blocks the straight four f8–g8–h8–i8"
        );
    }

    #[test]
    fn what_cannot_be_played_has_no_reason() {
        let position = Position::new(Rules::CONNECT6);
        assert_eq!(why(&position, &[], None), None);
    }
}
