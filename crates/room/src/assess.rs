//! Turns are judged once the positions around them were searched: those of a review, for the page and
//! for the comments of a record; the one that a coach looks at; one that was tried at a mistake.

use collinear_engine::analysis::{
    Grade, Kind, Searched, TurnAnalysis, Warning, judge, judged, kind, reasons, side,
    turning_point, warning, won_from,
};
use collinear_play::{NodeId, Value, play_turn};
use collinear_rules::{Cell, Player};

use crate::convert::{cells, colour, watch};
use crate::wire::{
    CoachLevel, CoachWarning, MistakeKind, Outlook, ReviewView, SideReview, TriedView, TurnGrade,
    TurnReview,
};
use crate::work::{self, Assess, Played};

/// The turns of the line, judged; none where its stones cannot be played.
pub(crate) fn turns(assess: &Assess) -> Option<Vec<TurnAnalysis>> {
    let searched = assess.searched.iter().map(searched).collect();
    judge(&assess.start, &assess.stones, searched).ok()
}

/// The same as the page is told of it.
pub(crate) fn view(assess: &Assess) -> Option<ReviewView> {
    let turns = turns(assess)?;
    let Assess { effort, start, line, winner, .. } = assess;
    let mut before = start.clone();
    let kinds: Vec<Option<Kind>> = turns
        .iter()
        .map(|turn| {
            let found = kind(&before, turn);
            turn.played.iter().for_each(|&cell| before.play_unchecked(cell));
            found
        })
        .collect();
    let first = start.stone_count();
    let after = |at: usize| line[turns[at].start - first + turns[at].played.len()].number();
    Some(ReviewView {
        effort: *effort,
        sides: Player::BOTH.map(|player| {
            let side = side(&turns, player);
            SideReview {
                accuracy: side.accuracy,
                inaccuracies: side.inaccuracies,
                mistakes: side.mistakes,
                blunders: side.blunders,
                missed_wins: side.missed_wins,
            }
        }),
        turning_point: turning_point(&turns).map(after),
        won_from: winner.and_then(|winner| won_from(&turns, winner)).map(after),
        turns: turns
            .iter()
            .zip(kinds)
            .map(|(turn, kind)| turn_review(turn, kind, line, first))
            .collect(),
    })
}

/// What the coach says to a turn, if he says so much.
pub(crate) fn warned(played: &Played, level: CoachLevel, node: u32) -> Option<CoachWarning> {
    let Played { before, turn, then, now } = played;
    let now = searched(now.as_ref()?);
    let turn = judged(before, turn, searched(then), Some(now.clone()))?;
    let Warning { turn, kind, answer, why } = warning(watch(level)?, before, turn, &now)?;
    Some(CoachWarning {
        node,
        colour: colour(turn.player),
        turn: cells(&turn.played),
        grade: grade_view(turn.grade),
        kind: kind_view(kind),
        had: outlook(turn.value),
        got: outlook(turn.after),
        answer: cells(&answer),
        why,
        better: cells(&turn.best),
        reason: turn.reason,
    })
}

/// How good a turn is that was tried; where nobody looked at the position after it, only the end of a
/// game is known.
pub(crate) fn tried(played: &Played, stones: &[Cell], node: u32) -> TriedView {
    let Played { before, turn, then, now } = played;
    let now = now.as_ref().map(searched);
    let mut after = before.clone();
    let is_turn = play_turn(&mut after, turn).is_ok();
    let known = is_turn && (now.is_some() || after.is_over());
    let why = now.as_ref().and_then(|now| reasons(&after, &now.best, Some(now.value)));
    let answer = now.as_ref().map(|now| cells(&now.best)).unwrap_or_default();
    let turn = known.then(|| judged(before, turn, searched(then), now)).flatten();
    TriedView {
        right: turn.as_ref().map(|turn| turn.grade < Grade::Inaccuracy),
        grade: turn.as_ref().map_or(TurnGrade::Good, |turn| grade_view(turn.grade)),
        got: turn.map_or(Outlook::Draw, |turn| outlook(turn.after)),
        answer,
        why: why.unwrap_or_default(),
        ..unknown(stones, node)
    }
}

/// What is told of a turn that nobody could judge.
pub(crate) fn unknown(stones: &[Cell], node: u32) -> TriedView {
    TriedView {
        node,
        stones: cells(stones),
        right: None,
        grade: TurnGrade::Good,
        got: Outlook::Draw,
        answer: Vec::new(),
        why: String::new(),
    }
}

fn searched((best, report): &work::Searched) -> Searched {
    Searched::new(best.clone(), report)
}

fn turn_review(
    turn: &TurnAnalysis,
    kind: Option<Kind>,
    line: &[NodeId],
    first: usize,
) -> TurnReview {
    let before = turn.start - first;
    let black = |chance: f32| if turn.player == Player::Black { chance } else { 1.0 - chance };
    TurnReview {
        node: line[before + turn.played.len()].number(),
        before: line[before].number(),
        colour: colour(turn.player),
        chance_before: black(turn.value.chance()),
        chance_after: black(turn.after.chance()),
        grade: grade_view(turn.grade),
        kind: kind.map(kind_view),
        missed_win: turn.grade == Grade::MissedWin,
        win_before: matches!(turn.value, Value::WinsIn(_)),
        loss_after: matches!(turn.after, Value::LosesIn(_)),
        better: cells(&turn.best),
        reason: turn.reason.clone(),
        line: cells(&turn.line),
        had: outlook(turn.value),
        got: outlook(turn.after),
    }
}

const fn grade_view(grade: Grade) -> TurnGrade {
    match grade {
        Grade::Best | Grade::Good => TurnGrade::Good,
        Grade::Inaccuracy => TurnGrade::Inaccuracy,
        Grade::Mistake => TurnGrade::Mistake,
        Grade::Blunder | Grade::MissedWin => TurnGrade::Blunder,
    }
}

const fn kind_view(kind: Kind) -> MistakeKind {
    match kind {
        Kind::MissedRow => MistakeKind::MissedRow,
        Kind::MissedWin => MistakeKind::MissedWin,
        Kind::LeftRow => MistakeKind::LeftRow,
        Kind::MadeRow => MistakeKind::MadeRow,
        Kind::LeftThreat => MistakeKind::LeftThreat,
        Kind::LetWin => MistakeKind::LetWin,
        Kind::Worse => MistakeKind::Worse,
    }
}

const fn outlook(value: Value) -> Outlook {
    match value {
        Value::Chance(chance) => Outlook::Chance { chance },
        Value::WinsIn(turns) => Outlook::Win { turns },
        Value::LosesIn(turns) => Outlook::Loss { turns },
        Value::Draw => Outlook::Draw,
    }
}
