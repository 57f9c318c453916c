//! What a coach says while a game goes on: whether a turn deserves a warning, what kind of mistake it
//! is, and how the opponent would answer. The grade is that of a review: [`judge`] decides it.

use collinear_play::{StopFlag, Turn, Value, play_turn};
use collinear_rules::{Cell, Position};

use super::{Grade, Searched, TurnAnalysis, by_loss, danger, is_same, judge, reasons};

/// Positions that tell a threat that was overlooked from a win that was allowed: a moment's work.
const KIND_NODES: u64 = 2_000;

/// What a coach warns of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Watch {
    /// Games thrown away: a turn after which the opponent has a proved win.
    Losses,
    /// Mistakes and worse, missed wins among them.
    Mistakes,
    /// Inaccuracies, too.
    Inaccuracies,
}

impl Watch {
    /// All of them, from few words to many.
    pub const ALL: [Self; 3] = [Self::Losses, Self::Mistakes, Self::Inaccuracies];

    /// A word for it: in options of agents and stored games.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Losses => "losses",
            Self::Mistakes => "mistakes",
            Self::Inaccuracies => "inaccuracies",
        }
    }

    /// The one with this name.
    pub fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|watch| watch.name() == name)
    }

    /// Whether a turn deserves a warning.
    pub fn warns(self, turn: &TurnAnalysis) -> bool {
        match self {
            Self::Losses => {
                turn.grade >= Grade::Inaccuracy && matches!(turn.after, Value::LosesIn(_))
            }
            Self::Mistakes => turn.grade >= Grade::Mistake,
            Self::Inaccuracies => turn.grade >= Grade::Inaccuracy,
        }
    }
}

/// What kind of mistake a turn was, by what the board shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// A row could have been completed at once.
    MissedRow,
    /// A proved win is gone.
    MissedWin,
    /// The opponent could complete a row at his next turn, and still can: a four was not stopped.
    LeftRow,
    /// The turn itself made room for a row: a disc below its last cell.
    MadeRow,
    /// The opponent threatened to win by force, and still does: an open three was not stopped.
    LeftThreat,
    /// The opponent has a proved win that he only threatens since this turn.
    LetWin,
    /// A worse turn than the best.
    Worse,
}

impl Kind {
    /// All of them.
    pub const ALL: [Self; 7] = [
        Self::MissedRow,
        Self::MissedWin,
        Self::LeftRow,
        Self::MadeRow,
        Self::LeftThreat,
        Self::LetWin,
        Self::Worse,
    ];
}

/// What kind of mistake a turn was; nothing for one that was none.
pub fn kind(before: &Position, turn: &TurnAnalysis) -> Option<Kind> {
    if turn.grade < Grade::Inaccuracy {
        return None;
    }
    if let Value::WinsIn(turns) = turn.value {
        return Some(if turns == 1 { Kind::MissedRow } else { Kind::MissedWin });
    }
    let Value::LosesIn(turns) = turn.after else { return Some(Kind::Worse) };
    let threatened = danger(before, KIND_NODES, &StopFlag::default());
    Some(match (turns, threatened) {
        (1, Some(danger)) if danger.turns == 1 => Kind::LeftRow,
        (1, _) => Kind::MadeRow,
        (_, Some(_)) => Kind::LeftThreat,
        (_, None) => Kind::LetWin,
    })
}

/// A turn that deserves a word before it is final.
#[derive(Clone, Debug)]
pub struct Warning {
    /// The turn, judged.
    pub turn: TurnAnalysis,
    /// What kind of mistake it is.
    pub kind: Kind,
    /// How the opponent answers.
    pub answer: Turn,
    /// What that does, in words; may be empty.
    pub why: String,
}

/// Judges a turn by what searches say of the positions before and after it, as a review does.
/// Nothing for a turn that does not follow the rules.
///
/// A review sees by what follows whether a win that the search lost sight of was still there; here
/// nothing has followed, and what counts is the chance that is left.
pub fn judged(
    before: &Position,
    turn: &[Cell],
    then: Searched,
    now: Option<Searched>,
) -> Option<TurnAnalysis> {
    let searched = std::iter::once(then).chain(now).collect();
    let mut turn = judge(before, turn, searched).ok()?.into_iter().next()?;
    let lost_sight = matches!(turn.after, Value::Chance(_)) && turn.value != Value::WinsIn(1);
    if turn.grade == Grade::MissedWin && lost_sight {
        turn.grade = if is_same(&turn.played, &turn.best) { Grade::Best } else { by_loss(&turn) };
    }
    Some(turn)
}

/// The warning that a judged turn deserves from a coach who warns of so much; `now` is what a search
/// says of the position after it.
pub fn warning(
    watch: Watch,
    before: &Position,
    turn: TurnAnalysis,
    now: &Searched,
) -> Option<Warning> {
    if !watch.warns(&turn) {
        return None;
    }
    let kind = kind(before, &turn)?;
    let mut after = before.clone();
    play_turn(&mut after, &turn.played).ok()?;
    let why = reasons(&after, &now.best, Some(now.value)).unwrap_or_default();
    Some(Warning { turn, kind, answer: now.best.clone(), why })
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::{Rules, notation};

    fn cells(rules: &Rules, names: &str) -> Vec<Cell> {
        let at = |name| notation::parse(rules, name).expect(name);
        names.split_whitespace().map(at).collect()
    }

    /// What a coach says to a turn where searches say so much: `then` to its player before it, with a
    /// preferred turn, and `now` to the opponent after it, who answers.
    fn said(
        watch: Watch,
        rules: Rules,
        [moves, turn, better, answer]: [&str; 4],
        [then, now]: [Value; 2],
    ) -> Option<Warning> {
        let searched = |best: &str, value| Searched {
            best: cells(&rules, best),
            line: Vec::new(),
            value,
            depth: 1,
            proof: None,
        };
        let before = Position::from_moves(rules, &cells(&rules, moves)).expect("legal");
        let (then, now) = (searched(better, then), searched(answer, now));
        let turn = judged(&before, &cells(&rules, turn), then, Some(now.clone())).expect("legal");
        warning(watch, &before, turn, &now)
    }

    const EVEN: Value = Value::Chance(0.45);
    /// Black has an open three, and a four with one end free.
    const THREE: &str = "h8 i9 i8 a1 g8";
    const FOUR: &str = "h8 j10 i8 i9 g8 j8 d5 h10 f8";

    fn kind_of(rules: Rules, words: [&str; 4], values: [Value; 2]) -> Option<Kind> {
        said(Watch::Inaccuracies, rules, words, values).map(|warning| warning.kind)
    }

    #[test]
    fn an_open_three_that_is_left_is_told_from_a_row_that_is_left() {
        let lost = [EVEN, Value::WinsIn(3)];
        let three = [THREE, "o15", "f8", "f8"];
        assert_eq!(kind_of(Rules::GOMOKU, three, lost), Some(Kind::LeftThreat));
        let four = [FOUR, "o15", "e8", "e8"];
        let at_once = [EVEN, Value::WinsIn(1)];
        assert_eq!(kind_of(Rules::GOMOKU, four, at_once), Some(Kind::LeftRow));
        let warning = said(Watch::Losses, Rules::GOMOKU, four, at_once).expect("lost at once");
        assert_eq!(warning.answer, cells(&Rules::GOMOKU, "e8"));
        assert_eq!(warning.why, "five in a row");
    }

    #[test]
    fn discs_make_room_and_allow_wins() {
        let made = ["a1 a2 b1 b2 g1 c1 g2 c2", "d1", "e1", "d2"];
        let at_once = [Value::Draw, Value::WinsIn(1)];
        assert_eq!(kind_of(Rules::CONNECT4, made, at_once), Some(Kind::MadeRow));
        let allowed = ["d1 d2", "a1", "d3", "d3"];
        let later = [Value::Draw, Value::WinsIn(5)];
        assert_eq!(kind_of(Rules::CONNECT4, allowed, later), Some(Kind::LetWin));
    }

    #[test]
    fn missed_rows_and_missed_wins_are_told_apart() {
        let four = ["h8 a1 i8 a3 g8 a5 f8 j8", "o15", "e8", "e8"];
        let missed = [Value::WinsIn(1), Value::Chance(0.4)];
        assert_eq!(kind_of(Rules::GOMOKU, four, missed), Some(Kind::MissedRow));
        let losses = said(Watch::Losses, Rules::GOMOKU, four, missed);
        assert!(losses.is_none(), "it is no loss yet");
        let later = [Value::WinsIn(4), Value::Chance(0.5)];
        assert_eq!(kind_of(Rules::GOMOKU, four, later), Some(Kind::MissedWin));
    }

    /// A search that lost sight of a win has not shown that it is gone.
    #[test]
    fn a_win_out_of_sight_is_judged_by_the_chance_that_is_left() {
        let three = ["h8 a1 i8 a3 g8 c1", "o15", "f8", "f8"];
        let still = [Value::WinsIn(4), Value::Chance(0.03)];
        assert_eq!(kind_of(Rules::GOMOKU, three, still), None);
        let chosen = ["h8 a1 i8 a3 g8 c1", "f8", "f8", "e8"];
        assert_eq!(kind_of(Rules::GOMOKU, chosen, [Value::WinsIn(4), EVEN]), None);
    }

    #[test]
    fn two_stones_per_turn_leave_a_row_with_one_of_two_defences() {
        let four = ["h10 g9 g11 i10 j10 e9 l11 k10 j12", "g10 a1", "g10 l10", "l10 m10"];
        let at_once = [EVEN, Value::WinsIn(1)];
        assert_eq!(kind_of(Rules::CONNECT6, four, at_once), Some(Kind::LeftRow));
        // As good a turn as the one preferred costs nothing.
        let stopped = ["h10 g9 g11 i10 j10 e9 l11 k10 j12", "l10 g10", "g10 l10", "a1 a2"];
        assert_eq!(kind_of(Rules::CONNECT6, stopped, [EVEN, Value::Chance(0.6)]), None);
    }

    #[test]
    fn more_is_warned_of_the_more_is_watched() {
        let words = [THREE, "f8", "j8", "o15"];
        let warned = |lost: f32| {
            let values = [Value::Chance(0.5), Value::Chance(0.5 + lost)];
            Watch::ALL.map(|watch| said(watch, Rules::GOMOKU, words, values).is_some())
        };
        assert_eq!(warned(0.04), [false, false, false]);
        assert_eq!(warned(0.10), [false, false, true]);
        assert_eq!(warned(0.20), [false, true, true]);
    }
}
