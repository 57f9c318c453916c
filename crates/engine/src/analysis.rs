//! What a coach would say about a game: the value of each turn, what was better, which wins were
//! missed.
//!
//! Every position of the game is searched once. A turn's loss is the chance its player had before
//! it less the chance the next position leaves him; a proved win before a turn that is gone at the
//! player's next turn is a missed win.

use std::sync::Arc;

use collinear_play::{Budget, Report, Value};
use collinear_rules::{Cell, IllegalMove, Outcome, Player, Position};

use crate::Engine;
use crate::proof::Proof;

mod coach;
mod danger;
mod why;
mod words;

pub use coach::{Kind, Warning, Watch, judged, kind, warning};
pub use danger::{Danger, danger, passed, row};
pub use why::{reasons, why};
pub use words::{annotate, remark, show, story, summary, verdict};

/// From so much lost chance on a turn is not as good as the best, and has one of the grades below:
/// the one place where that is decided.
const LOSSES: [(f32, Grade); 4] = [
    (0.30, Grade::Blunder),
    (0.15, Grade::Mistake),
    (0.07, Grade::Inaccuracy),
    (0.02, Grade::Good),
];
/// Who had so much of a chance and then a proved loss made a mistake at least: until then there was a
/// game.
const HOPE: f32 = 0.10;

/// One turn of a game, judged.
#[derive(Clone, Debug)]
pub struct TurnAnalysis {
    /// Stones on the board before it.
    pub start: usize,
    /// Whose turn.
    pub player: Player,
    /// The stones played.
    pub played: Vec<Cell>,
    /// The turn the engine prefers.
    pub best: Vec<Cell>,
    /// What that turn does, in words; empty where there is nothing to say.
    pub reason: String,
    /// The line it expects.
    pub line: Vec<Cell>,
    /// What the position was worth to the player.
    pub value: Value,
    /// What it was worth to him after his turn.
    pub after: Value,
    /// Depth of the search, in stones.
    pub depth: u32,
    /// The proof of a win that was there.
    pub proof: Option<Arc<Proof>>,
    /// How good the turn was.
    pub grade: Grade,
}

/// How good a turn was.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Grade {
    /// The engine's own choice, or as good.
    Best,
    /// Little lost.
    Good,
    /// A clearly better turn was there.
    Inaccuracy,
    /// Costs a good part of the chances.
    Mistake,
    /// Turns the game.
    Blunder,
    /// A proved win was there and is gone.
    MissedWin,
}

impl Grade {
    /// A word for it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Best => "best",
            Self::Good => "good",
            Self::Inaccuracy => "inaccuracy",
            Self::Mistake => "mistake",
            Self::Blunder => "blunder",
            Self::MissedWin => "missed win",
        }
    }
}

impl TurnAnalysis {
    /// Chance to win that the turn gave away, 0 or more.
    pub fn loss(&self) -> f32 {
        (self.value.chance() - self.after.chance()).max(0.0)
    }
}

/// What a search says about the position before a turn.
#[derive(Clone, Debug)]
pub struct Searched {
    /// The turn it prefers.
    pub best: Vec<Cell>,
    /// The line it expects.
    pub line: Vec<Cell>,
    /// What the position is worth to the player to move.
    pub value: Value,
    /// Depth reached, in stones.
    pub depth: u32,
    /// The proof of a win, if there is one.
    pub proof: Option<Arc<Proof>>,
}

impl Searched {
    /// What an agent said last, and the turn it chose.
    pub fn new(best: Vec<Cell>, report: &Report) -> Self {
        let (value, line) = report
            .lines
            .first()
            .map_or((Value::Draw, Vec::new()), |line| (line.value, line.stones.clone()));
        Self { best, line, value, depth: report.depth, proof: None }
    }
}

/// Judges every turn of a game that starts from `start`: each position is searched within the
/// budget. With nodes instead of time the judgement is the same every time.
pub fn analyze(
    engine: &mut Engine,
    start: &Position,
    stones: &[Cell],
    budget: &Budget,
    on: &mut dyn FnMut(usize),
) -> Result<Vec<TurnAnalysis>, IllegalMove> {
    let mut search = |position: &Position| {
        if budget.stop.is_stopped() {
            return None;
        }
        // What was learnt from the positions before would make a second run another one.
        engine.clear();
        let thought = engine.think(position, budget, &mut |_| {}).ok()?;
        Some(Searched { proof: thought.proof, ..Searched::new(thought.turn, &thought.report) })
    };
    let mut searched = Vec::new();
    for (position, played) in positions(start, stones)? {
        if position.is_over() {
            break;
        }
        let Some(found) = search(&position) else { break };
        searched.push(found);
        on(played);
    }
    judge(start, stones, searched)
}

/// The positions before each turn of a game and after the last one, with the number of stones
/// played up to there.
pub fn positions(start: &Position, stones: &[Cell]) -> Result<Vec<(Position, usize)>, IllegalMove> {
    let mut position = start.clone();
    let mut positions = vec![(position.clone(), 0)];
    for (at, &cell) in (1..).zip(stones) {
        let player = position.to_move();
        position.play(cell)?;
        if position.to_move() != player || position.is_over() || at == stones.len() {
            positions.push((position.clone(), at));
        }
        if position.is_over() {
            break;
        }
    }
    Ok(positions)
}

/// Judges the turns of a game by what searches said of the [`positions`] before them and, where
/// the game did not end on the board, of the last one. Turns that were not searched are left out.
pub fn judge(
    start: &Position,
    stones: &[Cell],
    searched: Vec<Searched>,
) -> Result<Vec<TurnAnalysis>, IllegalMove> {
    let positions = positions(start, stones)?;
    let mut searched = searched.into_iter();
    let mut turns: Vec<TurnAnalysis> = Vec::new();
    let mut last = positions[0].0.clone();
    let mut value_at_end = None;
    for pair in positions.windows(2) {
        let ((before, from), (after, to)) = (&pair[0], &pair[1]);
        let Some(found) = searched.next() else { break };
        turns.push(TurnAnalysis {
            start: before.stone_count(),
            player: before.to_move(),
            played: stones[*from..*to].to_vec(),
            reason: reasons(before, &found.best, None).unwrap_or_default(),
            best: found.best,
            line: found.line,
            value: found.value,
            after: found.value,
            depth: found.depth,
            proof: found.proof,
            grade: Grade::Best,
        });
        last = after.clone();
    }
    if turns.len() + 1 == positions.len() {
        value_at_end = searched.next().map(|found| found.value);
    }
    let end = match last.outcome() {
        Outcome::Drawn => Value::Draw,
        Outcome::Won(winner) if winner == last.to_move() => Value::WinsIn(1),
        Outcome::Won(_) => Value::LosesIn(1),
        // Nobody looked: the last turn is taken to be as good as the best.
        Outcome::Ongoing => value_at_end.unwrap_or_else(|| {
            turns.last().map_or(Value::Draw, |turn| {
                if turn.player == last.to_move() { turn.value } else { turned(turn.value) }
            })
        }),
    };
    grade(&mut turns, &last, end);
    Ok(turns)
}

/// How one side played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Side {
    /// Its turns.
    pub turns: u32,
    /// How much of its chances it kept, 0 to 100: see [`accuracy`].
    pub accuracy: f32,
    /// Clearly worse than the best turn.
    pub inaccuracies: u32,
    /// Costs a good part of the chances.
    pub mistakes: u32,
    /// Turned the game.
    pub blunders: u32,
    /// A proved win was there and is gone.
    pub missed_wins: u32,
}

/// How a side played.
pub fn side(turns: &[TurnAnalysis], player: Player) -> Side {
    let own = || turns.iter().filter(move |turn| turn.player == player);
    let count = |grade: Grade| own().filter(|turn| turn.grade == grade).count() as u32;
    Side {
        turns: own().count() as u32,
        accuracy: accuracy(own()),
        inaccuracies: count(Grade::Inaccuracy),
        mistakes: count(Grade::Mistake),
        blunders: count(Grade::Blunder),
        missed_wins: count(Grade::MissedWin),
    }
}

/// The share of what was at stake in some turns that they kept, 0 to 100. At stake in a turn is the
/// chance that its player had before it: a turn in a lost game tells nothing, and one that throws a won
/// game away costs as much as can be. With nothing at stake nothing was lost.
pub fn accuracy<'a>(turns: impl Iterator<Item = &'a TurnAnalysis>) -> f32 {
    let (stake, lost) = turns.fold((0.0, 0.0), |(stake, lost), turn| {
        let lost_here = if turn.grade == Grade::Best { 0.0 } else { turn.loss() };
        (stake + turn.value.chance(), lost + lost_here)
    });
    if stake > 0.0 { 100.0 * (1.0 - lost / stake) } else { 100.0 }
}

/// The turn where most was lost, if it was a mistake at least: the earlier of two.
pub fn turning_point(turns: &[TurnAnalysis]) -> Option<usize> {
    let worst = (0..turns.len()).filter(|&at| turns[at].grade >= Grade::Mistake);
    worst.max_by(|&a, &b| turns[a].loss().total_cmp(&turns[b].loss()).then(b.cmp(&a)))
}

/// The first turn from which a player had a proved win at every turn of his, and never lost it.
pub fn won_from(turns: &[TurnAnalysis], winner: Player) -> Option<usize> {
    let own = turns.iter().enumerate().rev().filter(|(_, turn)| turn.player == winner);
    let kept = |turn: &TurnAnalysis| {
        matches!(turn.value, Value::WinsIn(_)) && turn.grade != Grade::MissedWin
    };
    own.take_while(|(_, turn)| kept(turn)).last().map(|(at, _)| at)
}

fn grade(turns: &mut [TurnAnalysis], end: &Position, last: Value) {
    let winner = match end.outcome() {
        Outcome::Won(player) => Some(player),
        Outcome::Drawn | Outcome::Ongoing => None,
    };
    for index in 0..turns.len() {
        let is_last = index + 1 == turns.len();
        let next = turns.get(index + 1).map_or(last, |turn| turn.value);
        let next_player = turns.get(index + 1).map_or(end.to_move(), |turn| turn.player);
        let player = turns[index].player;
        let mut after = if next_player == player { next } else { turned(next) };
        if is_last && winner == Some(player) {
            after = Value::WinsIn(1);
        }
        // A win that is still there at the next own turn was not lost, unless it is proved that it
        // was and the opponent gave it back; but a row that could have been completed at once was
        // missed, even if the opponent let it stand.
        let later = turns.get(index + 2).map(|turn| turn.value);
        let lasted = matches!(later, Some(Value::WinsIn(_)))
            || winner == Some(player) && index + 3 >= turns.len();
        let is_estimate = matches!(after, Value::Chance(_));
        let still_wins = matches!(after, Value::WinsIn(_))
            || lasted && is_estimate && turns[index].value != Value::WinsIn(1);
        let turn = &mut turns[index];
        turn.after = after;
        let chosen = is_same(&turn.played, &turn.best);
        turn.grade = if matches!(turn.value, Value::WinsIn(_)) && !still_wins {
            Grade::MissedWin
        } else if chosen || still_wins {
            Grade::Best
        } else {
            let grade = by_loss(turn);
            let gave_up_hope = matches!(turn.value, Value::Chance(chance) if chance >= HOPE)
                && matches!(after, Value::LosesIn(_));
            if gave_up_hope { grade.max(Grade::Mistake) } else { grade }
        };
    }
}

/// The grade of so much lost chance alone.
fn by_loss(turn: &TurnAnalysis) -> Grade {
    let lost = turn.loss();
    let grade = LOSSES.iter().find(|(least, _)| lost >= *least);
    grade.map_or(Grade::Best, |(_, grade)| *grade)
}

/// Whether two turns are the same stones in any order.
fn is_same(one: &[Cell], other: &[Cell]) -> bool {
    one.len() == other.len() && one.iter().all(|cell| other.contains(cell))
}

/// The same value from the other player's point of view.
const fn turned(value: Value) -> Value {
    match value {
        Value::Chance(chance) => Value::Chance(1.0 - chance),
        Value::WinsIn(turns) => Value::LosesIn(turns),
        Value::LosesIn(turns) => Value::WinsIn(turns),
        Value::Draw => Value::Draw,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Settings;
    use collinear_rules::{Rules, notation};

    #[test]
    fn a_missed_win_and_a_blunder_are_named() {
        let rules = Rules::TICTACTOE;
        let stones: Vec<Cell> = ["a1", "b1", "b2", "a2", "b3", "c3", "c1"]
            .iter()
            .map(|name| notation::parse(&rules, name).expect("a cell"))
            .collect();
        let mut engine = Engine::new(&rules, Settings { memory: 1, ..Settings::default() }, 0);
        let budget = Budget::depth(9);
        let start = Position::new(rules);
        let turns = analyze(&mut engine, &start, &stones, &budget, &mut |_| {}).expect("legal");
        assert_eq!(turns.len(), 7);
        // After a1 b1 b2 White must stop the diagonal: a2 loses at once, b3 does not take the win.
        assert_eq!(turns[4].value, Value::WinsIn(1));
        assert_eq!(turns[4].grade, Grade::MissedWin);
        assert_eq!(turns[4].best, [notation::parse(&rules, "c3").expect("a cell")]);
        assert!(turns[1].grade >= Grade::Mistake, "{:?}", turns[1]);
    }

    #[test]
    fn a_second_look_says_the_same() {
        let rules = Rules::CONNECT6;
        let stones: Vec<Cell> = [180, 160, 200, 181, 182, 10, 11].map(Cell::new).to_vec();
        let start = Position::new(rules);
        let mut engine = Engine::new(&rules, Settings { memory: 1, ..Settings::default() }, 0);
        let mut look = || {
            let budget = Budget::nodes(500);
            let turns = analyze(&mut engine, &start, &stones, &budget, &mut |_| {}).expect("legal");
            turns.iter().map(|turn| (turn.grade, turn.best.clone())).collect::<Vec<_>>()
        };
        let first = look();
        assert_eq!(first.len(), 4);
        assert_eq!(look(), first);
    }

    #[test]
    fn sides_and_the_turning_point_follow_from_the_grades() {
        let rules = Rules::TICTACTOE;
        let stones = [0, 8, 4].map(Cell::new);
        let start = Position::new(rules);
        let said = |chance: f32| Searched {
            best: vec![Cell::new(2)],
            line: Vec::new(),
            value: Value::Chance(chance),
            depth: 1,
            proof: None,
        };
        // Black stands even, White throws half of its chances away, Black gives a little back.
        let searched = vec![said(0.5), said(0.5), said(0.95), said(0.1)];
        let turns = judge(&start, &stones, searched).expect("legal");
        let grades: Vec<Grade> = turns.iter().map(|turn| turn.grade).collect();
        assert_eq!(grades, [Grade::Best, Grade::Blunder, Grade::Good]);
        assert_eq!(turning_point(&turns), Some(1));
        let (black, white) = (side(&turns, Player::Black), side(&turns, Player::White));
        assert_eq!((black.turns, black.blunders, white.blunders), (2, 0, 1));
        // White kept 5 % of the 50 % it had, Black 90 of 95 and 50 of 50.
        assert!((white.accuracy - 10.0).abs() < 0.1, "{white:?}");
        assert!((black.accuracy - 100.0 * 1.4 / 1.45).abs() < 0.1, "{black:?}");
    }

    /// Judges four turns of tic-tac-toe by what is said of the five positions.
    fn judged(said: [Value; 5]) -> Vec<TurnAnalysis> {
        let searched = said.map(|value| Searched {
            best: vec![Cell::new(2)],
            line: Vec::new(),
            value,
            depth: 1,
            proof: None,
        });
        let stones = [0, 8, 4, 7].map(Cell::new);
        judge(&Position::new(Rules::TICTACTOE), &stones, searched.to_vec()).expect("legal")
    }

    #[test]
    fn a_win_that_was_given_back_was_missed_all_the_same() {
        use Value::{LosesIn, WinsIn};
        let turns = judged([WinsIn(9), WinsIn(8), WinsIn(7), LosesIn(6), WinsIn(6)]);
        let grades: Vec<Grade> = turns.iter().map(|turn| turn.grade).collect();
        assert_eq!(grades, [Grade::MissedWin, Grade::MissedWin, Grade::Best, Grade::Best]);
        assert_eq!(side(&turns, Player::Black).missed_wins, 1);
        assert_eq!(won_from(&turns, Player::Black), Some(2), "not from the first turn on");
        // Where a search only thinks that the win is gone, the one found later speaks against it.
        let turns = judged([WinsIn(9), Value::Chance(0.4), WinsIn(7), LosesIn(6), WinsIn(6)]);
        assert_eq!(turns[0].grade, Grade::Best);
        assert_eq!(won_from(&turns, Player::Black), Some(0));
    }

    #[test]
    fn a_chance_that_became_a_proved_loss_is_a_mistake() {
        let chance = Value::Chance;
        let (wins, loses) = (Value::WinsIn, Value::LosesIn);
        // White had 12 % and then a loss in 8.
        let turns = judged([chance(0.5), chance(0.12), wins(8), loses(8), wins(7)]);
        assert_eq!((turns[1].value, turns[1].after), (chance(0.12), loses(8)));
        assert_eq!(turns[1].grade, Grade::Mistake);
        assert!(side(&turns, Player::White).accuracy < 1.0, "nothing of its chances was kept");
        // Where there was hardly a chance left, hardly anything was lost.
        let turns = judged([chance(0.5), chance(0.05), wins(8), loses(8), wins(7)]);
        assert_eq!(turns[1].grade, Grade::Good);
    }

    #[test]
    fn exact_values_are_judged_as_they_are() {
        use Value::{Draw, LosesIn, WinsIn};
        let grades = |said| judged(said).iter().map(|turn| turn.grade).collect::<Vec<Grade>>();
        assert_eq!(grades([Draw, Draw, Draw, Draw, Draw]), [Grade::Best; 4]);
        assert_eq!(grades([Draw, WinsIn(4), LosesIn(4), WinsIn(3), LosesIn(3)])[0], Grade::Blunder);
        assert_eq!(grades([WinsIn(4), Draw, Draw, Draw, Draw])[0], Grade::MissedWin);
    }

    #[test]
    fn the_better_turn_is_named_with_what_it_does() {
        let at = |name: &str| notation::parse(&Rules::GOMOKU, name).expect(name);
        let stones: Vec<Cell> = "h8 a1 i8 a2 g8 b1 j8".split(' ').map(at).collect();
        let said = |best: &str, chance: f32| Searched {
            best: vec![at(best)],
            line: vec![at(best)],
            value: Value::Chance(chance),
            depth: 1,
            proof: None,
        };
        let mut searched: Vec<Searched> = vec![said("o15", 0.5); 5];
        searched.extend([said("f8", 0.48), said("j8", 0.9), said("k8", 0.1)]);
        let turns = judge(&Position::new(Rules::GOMOKU), &stones, searched).expect("legal");
        let remark = remark(&Rules::GOMOKU, &turns[5]).expect("a blunder");
        let better = "better f8: blocks the open three g8–h8–i8";
        assert_eq!(remark, format!("blunder: from 48 % to 10 %; {better}"));
        assert_eq!(turns[6].reason, "a straight four g8–h8–i8–j8");
    }
}
