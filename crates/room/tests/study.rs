//! The study that comes with the page says what is so: its wins are proved by our solvers, its mistakes
//! do not win, and other programs' eyes see its arrows and marks.

use collinear_agents::puzzles::Judge;
use collinear_connect4::{Parity, Solver};
use collinear_play::{GameRecord, Ink, NodeId, Sign};
use collinear_protocol::records::{self, Format, ReadOptions};
use collinear_rules::{Outcome, Player, Position};

/// How the words at a mistake begin.
const MISTAKE: &str = "A mistake";

fn chapters() -> Vec<GameRecord> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../page/src/study/two-threats.sgf");
    let text = std::fs::read(path).expect("the study");
    records::read(&text, None, &ReadOptions::default()).expect("an SGF collection")
}

/// Whose moves the reader is to find: the side that wins.
fn winner(chapter: &GameRecord) -> Player {
    match chapter.metadata.get("sgf.XGU").map(String::as_str) {
        Some("B") => Player::Black,
        Some("W") => Player::White,
        other => panic!("{other:?} is no side"),
    }
}

fn position(chapter: &GameRecord, node: NodeId) -> Position {
    let mut position = chapter.start().expect("a position");
    for node in chapter.tree.path(node) {
        if let Some(stone) = chapter.tree.stone(node) {
            position.play(stone).expect("legal");
        }
    }
    position
}

/// Whether the way to a node leads through a mistake.
fn is_mistake(chapter: &GameRecord, node: NodeId) -> bool {
    chapter
        .tree
        .path(node)
        .into_iter()
        .any(|node| chapter.tree.comment(node).is_some_and(|comment| comment.starts_with(MISTAKE)))
}

#[test]
fn every_win_is_proved_and_no_mistake_wins() {
    let (mut wins, mut mistakes, mut ends) = (0, 0, 0);
    for chapter in chapters() {
        let winner = winner(&chapter);
        let mut judge = Judge::new(&chapter.rules);
        for node in chapter.tree.walk() {
            let position = position(&chapter, node);
            let title = chapter.metadata["name"].as_str();
            let is_end = chapter.tree.children(node).next().is_none();
            if is_mistake(&chapter, node) {
                if is_end {
                    assert_eq!(
                        (position.to_move(), position.outcome()),
                        (winner, Outcome::Ongoing)
                    );
                    // Connect6 is sharp: there the mistake loses the quick win alone, and says so.
                    let later = judge.solution(&position).map(|(_, turns)| turns);
                    let is_slow = chapter.rules.p() == 2 && {
                        let start = chapter.start().expect("a position");
                        let (_, quick) = judge.solution(&start).expect("won");
                        later.is_some_and(|turns| turns > quick)
                    };
                    assert!(later.is_none() || is_slow, "{title}: the mistake wins in {later:?}");
                    mistakes += 1;
                }
            } else if is_end {
                assert_eq!(position.outcome(), Outcome::Won(winner), "{title}");
                ends += 1;
            } else if position.to_move() == winner && position.stones_left() == chapter.rules.p() {
                assert!(judge.solution(&position).is_some(), "{title}: {:?}", position.history());
                wins += 1;
            }
        }
    }
    assert_eq!((wins, mistakes, ends), (23, 6, 10));
}

/// In the last two chapters: what the words say of zugzwang is what parity says, proved, and every move
/// of the winner keeps the exact score.
#[test]
fn the_odd_and_the_even_threat_are_what_the_words_say() {
    let gravity: Vec<GameRecord> =
        chapters().into_iter().filter(|chapter| chapter.rules.gravity()).collect();
    assert_eq!(gravity.len(), 2);
    for (chapter, odd) in gravity.iter().zip([true, false]) {
        let winner = winner(chapter);
        let start = chapter.start().expect("a position");
        let parity = Parity::of(&start).expect("stones fall");
        let [threat] = parity.threats[..] else { panic!("one threat") };
        assert_eq!((threat.player, threat.odd, threat.serves), (winner, odd, true));
        let filling = parity.filling.expect("few columns");
        assert_eq!((filling.wins, filling.zugzwang), (Some((winner, threat.cell)), true));
        let bounds = parity.bounds.expect("not over");
        let begins = start.to_move() == winner;
        let proved = if begins { bounds.least.get() > 0 } else { bounds.most.get() < 0 };
        assert!(proved, "without search");
        let mut solver = Solver::new(&chapter.rules).expect("Connect Four");
        let score = solver.solve(&start).expect("solved").score;
        assert_eq!(score, filling.score);
        let won_by = if begins { score.get() } else { -score.get() };
        assert!(won_by > 0);
        for node in chapter.tree.main_line() {
            let position = position(chapter, node);
            if position.is_over() {
                assert_eq!(position.stone_count(), filling.stones);
                continue;
            }
            let here = solver.solve(&position).expect("solved").score.get();
            let of_winner = if position.to_move() == winner { here } else { -here };
            assert_eq!(of_winner, won_by, "{:?}", position.history());
        }
    }
}

#[test]
fn drawings_are_read_as_marks_and_come_back() {
    let chapters = chapters();
    assert_eq!(chapters.len(), 6);
    let marks: Vec<_> = chapters
        .iter()
        .flat_map(|chapter| chapter.tree.noted())
        .flat_map(|(_, notes)| notes.marks.iter().cloned())
        .collect();
    assert!(marks.iter().any(|mark| matches!(mark.sign, Sign::Arrow(_)) && mark.ink == Ink::Blue));
    assert!(marks.iter().any(|mark| matches!(mark.sign, Sign::Line(_)) && mark.ink == Ink::Green));
    assert!(marks.iter().any(|mark| mark.sign == Sign::Cross && mark.ink == Ink::Red));
    let written = records::write(&chapters, Format::Sgf).expect("SGF holds it");
    let again = records::read(written.as_bytes(), None, &ReadOptions::default()).expect("ours");
    assert_eq!(again, chapters);
}
