//! The coach, in games whose values are exact: what he warns of, what becomes of it, what waits meanwhile;
//! and mistakes that are played once more.

use super::*;
use crate::wire::{
    CoachDeed, CoachLevel, CoachSays, CoachWarning, MistakeKind, Outlook, ReviewView, TriedView,
    TurnGrade,
};

/// Connect Four, or a game of two stones per turn, against an agent that plays anything.
fn against_random(gravity: bool, timing: Timing) -> Host {
    let rules = if gravity {
        RulesForm {
            width: 7,
            height: 6,
            k: 4,
            p: 1,
            q: 1,
            gravity,
            exact: false,
            fouls: Fouls::None,
        }
    } else {
        RulesForm {
            width: 11,
            height: 11,
            k: 6,
            p: 2,
            q: 1,
            gravity,
            exact: false,
            fouls: Fouls::None,
        }
    };
    let game = NewGame { rules, black: Seat::Person, white: random(), timing, opening_rule: None };
    let mut host = Host::of(game);
    host.step(Event::Join(ME, None));
    host
}

/// The same with these stones played by both sides, by the person's hand.
fn at(gravity: bool, timing: Timing, stones: &[usize]) -> Host {
    let mut host = against_random(gravity, timing);
    host.ask(ToGame::Pause { paused: true });
    for (ply, cell) in (0..).zip(stones) {
        host.ask(ToGame::Play { ply, cell: *cell as u16 });
    }
    host.ask(ToGame::Pause { paused: false });
    host
}

fn says(host: &Host) -> CoachSays {
    let said = host.told.iter().rev().find_map(|message| match message {
        ToPage::Coach { coach } => Some(coach.says.clone()),
        _ => None,
    });
    said.unwrap_or(CoachSays::Nothing)
}

fn warned(host: &Host) -> CoachWarning {
    match says(host) {
        CoachSays::Warns { warning } => warning.open().expect("whole"),
        other => panic!("{other:?}"),
    }
}

fn level(host: &mut Host, level: CoachLevel) {
    host.ask(ToGame::Coach { deed: CoachDeed::Level { level } });
}

/// Does what the coach wants to know.
fn look(host: &mut Host) {
    while host.jobs.first().is_some_and(|job| {
        matches!(&job.work, Work::Exact { search, .. } | Work::Review(search) if search.owner.ends_with("Coach"))
            || matches!(job.work, Work::Warn { .. })
    }) {
        host.work();
    }
}

fn agent_thinks(host: &Host) -> bool {
    host.jobs
        .iter()
        .any(|job| matches!(&job.work, Work::Think(search) if search.owner.ends_with("Turn")))
}

/// Yellow has three discs in column c, and Red is to move.
const COLUMN: [usize; 6] = [3, 2, 10, 9, 6, 16];

#[test]
fn a_lost_turn_waits_for_the_person_and_is_taken_back_with_its_reason() {
    let mut host = at(true, TURN, &COLUMN);
    level(&mut host, CoachLevel::Losses);
    look(&mut host);
    assert_eq!(says(&host), CoachSays::Nothing);
    host.ask(ToGame::Play { ply: 6, cell: 13 });
    assert_eq!(says(&host), CoachSays::Looking);
    assert!(!agent_thinks(&host), "the opponent waits for the coach");
    look(&mut host);
    let warning = warned(&host);
    assert_eq!((warning.kind, warning.grade), (MistakeKind::LeftRow, TurnGrade::Blunder));
    assert_eq!((warning.turn, warning.answer, warning.better), (vec![13], vec![23], vec![23]));
    assert_eq!(warning.got, Outlook::Loss { turns: 1 });
    assert!(!agent_thinks(&host));
    host.ask(ToGame::Undo);
    assert_eq!(host.board().moves.len(), 6);
    assert!(matches!(says(&host), CoachSays::TakenBack { .. }));
    host.ask(ToGame::Play { ply: 6, cell: 23 });
    look(&mut host);
    assert_eq!(says(&host), CoachSays::Nothing);
    assert!(agent_thinks(&host), "the fourth disc is stopped");
}

#[test]
fn a_warning_may_be_kept_and_comes_again_after_a_reload() {
    let mut host = at(true, TURN, &COLUMN);
    level(&mut host, CoachLevel::Mistakes);
    host.ask(ToGame::Play { ply: 6, cell: 13 });
    look(&mut host);
    let warning = warned(&host);
    // The page comes again, and nobody was there meanwhile.
    host.step(Event::Leave(ME));
    let text = crate::saved::write(&host.room.game).expect("written");
    host.room.game = crate::saved::read(&text).expect("read");
    host.step(Event::Join(ME, None));
    assert_eq!(host.room.game.coach, Some(collinear_engine::analysis::Watch::Mistakes));
    look(&mut host);
    assert_eq!(warned(&host), warning);
    host.ask(ToGame::Coach { deed: CoachDeed::Keep });
    assert_eq!(says(&host), CoachSays::Nothing);
    assert!(agent_thinks(&host));
    // Switched off, he holds nobody up.
    host.ask(ToGame::Undo);
    level(&mut host, CoachLevel::Off);
    host.ask(ToGame::Play { ply: 6, cell: 13 });
    assert!(agent_thinks(&host));
}

#[test]
fn clocks_stand_while_the_coach_speaks() {
    let clock = Timing::Clock { start_ms: 60_000, increment_ms: 0 };
    let mut host = at(true, clock, &COLUMN);
    level(&mut host, CoachLevel::Losses);
    host.ask(ToGame::Play { ply: 6, cell: 13 });
    look(&mut host);
    warned(&host);
    assert_eq!(host.room.next_wake(), None);
    host.now += Duration::from_secs(300);
    host.ask(ToGame::Coach { deed: CoachDeed::Keep });
    let left = host.room.game.model.left(collinear_rules::Player::White);
    assert_eq!(left, Some(Duration::from_secs(60)));
    assert!(host.room.next_wake().is_some(), "and run again");
}

#[test]
fn a_turn_of_two_stones_is_judged_as_a_whole() {
    // White has four in a row with room on both sides, Black stones of his own beside them; he stops one
    // end. In a game that is hopeless anyway nothing would be lost.
    let mut host = at(false, TURN, &[48, 58, 59, 70, 71, 60, 61]);
    level(&mut host, CoachLevel::Losses);
    host.ask(ToGame::Play { ply: 7, cell: 57 });
    look(&mut host);
    assert_eq!(says(&host), CoachSays::Nothing, "a stone is to come");
    host.ask(ToGame::Play { ply: 8, cell: 120 });
    look(&mut host);
    assert_eq!(warned(&host).kind, MistakeKind::LeftRow);
    assert_eq!(warned(&host).turn, [57, 120]);
    host.ask(ToGame::Undo);
    for (ply, cell) in [(7, 57), (8, 62)] {
        assert!(matches!(says(&host), CoachSays::TakenBack { .. }));
        host.ask(ToGame::Play { ply, cell });
    }
    look(&mut host);
    assert_eq!(says(&host), CoachSays::Nothing);
    assert!(agent_thinks(&host));
}

#[test]
fn what_is_threatened_is_told_to_whoever_asks() {
    let mut host = at(true, TURN, &COLUMN);
    host.ask(ToGame::Coach { deed: CoachDeed::Threats });
    host.work();
    let Some(ToPage::Danger { danger }) = host.told.last() else {
        panic!("{:?}", host.told.last())
    };
    let danger = danger.open().expect("whole");
    assert_eq!((&danger.turn[..], danger.turns), (&[23][..], 1));
    assert!(!danger.side.windows.is_empty());
}

fn review(host: &mut Host) -> ReviewView {
    host.ask(ToGame::Review { on: true, effort: Some(1) });
    while !host.jobs.is_empty() {
        host.work();
    }
    let found = host.told.iter().rev().find_map(|message| match message {
        ToPage::Review { review } => Some(review.open().expect("whole")),
        _ => None,
    });
    found.expect("a review")
}

fn tried(host: &mut Host, node: u32, stones: &[u16]) -> TriedView {
    host.ask(ToGame::Try { node, stones: stones.to_vec() });
    while !host.jobs.is_empty() {
        host.work();
    }
    match host.told.last() {
        Some(ToPage::Tried { tried }) => tried.open().expect("whole"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_mistake_is_played_again_and_every_good_turn_is_right() {
    let mut host = at(true, TURN, &[3, 2, 10, 9, 6, 16, 13]);
    host.ask(ToGame::Pause { paused: true });
    host.ask(ToGame::Play { ply: 7, cell: 23 });
    let found = review(&mut host);
    let mistake = found.turns.last().expect("turns");
    let mistake =
        if mistake.kind.is_none() { &found.turns[found.turns.len() - 2] } else { mistake };
    assert_eq!(mistake.kind, Some(MistakeKind::LeftRow));
    let node = mistake.before;
    let wrong = tried(&mut host, node, &[0]);
    assert_eq!((wrong.right, &wrong.answer[..]), (Some(false), &[23][..]));
    assert_eq!(tried(&mut host, node, &[23]).right, Some(true));
    // What is no turn there is refused, and so is what was no turn of the game.
    for (node, stones) in
        [(node, vec![14]), (node, vec![0, 1, 4]), (node, vec![999]), (9999, vec![23])]
    {
        host.ask(ToGame::Try { node, stones });
        assert!(host.told.iter().rev().take(2).any(|told| matches!(told, ToPage::Refused { .. })));
        assert!(host.jobs.is_empty());
    }
}
