//! A won position that can be played against: the winner's turns come from a proof, whatever the loser
//! tries.
//!
//! | game | the winner's turns come from |
//! |---|---|
//! | with gravity | the solver: the quickest win against the longest resistance |
//! | without | the tree of a proof by threats; a short one is replayed against every defence before it is shown |
//! | where there is no such proof | a search that says that it wins; after the next defence a proof is looked for again |
//!
//! Questions carry the whole line since the position in question, so nothing has to be remembered
//! between them; what was proved before is kept because it is asked again after every defence.

mod tree;

use std::collections::HashMap;
use std::sync::Arc;

use collinear_connect4::{Limits, Solver};
use collinear_engine::proof::{self, Proof, ProofLimits, Step, check};
use collinear_engine::tactics::{DefenceLimits, Replies, Tactics};
use collinear_engine::{Engine, Settings};
use collinear_play::{Budget, StopFlag, Turn, Value, play_turn};
use collinear_rules::{Cell, Outcome, Player, Position, Rules};
use collinear_windows::Windows;

use crate::exact;

pub use tree::Branch;

/// Positions that each search for a proof may look at.
const PROOF_NODES: u64 = 400_000;
/// Nodes of a search where there is no proof.
const SEARCH_NODES: u64 = 40_000;
/// Memory of the solver's table.
const SOLVER_MEMORY: usize = 64 << 20;
/// Turns of the winner in a proof that is checked first.
const MAX_CHECKED: usize = 4000;
/// Wins remembered before the memory is emptied.
const MAX_KNOWN: usize = 256;

/// Where the winner's turns come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// The tree of a proof.
    Proof,
    /// The exact solver.
    Solver,
    /// A search, which keeps no tree.
    Search,
}

/// A turn of the loser and how long it holds out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Defence {
    /// Its stones.
    pub cells: Turn,
    /// Turns that the winner still needs after it, at most; none where that is not known.
    pub turns: Option<u16>,
}

/// How a won position goes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Won {
    /// Who wins.
    pub winner: Player,
    /// The winner's turn; empty where the loser begins.
    pub answer: Turn,
    /// The winner's turns to the row, the answer included, at most; where the loser begins, after his
    /// longest defence.
    pub turns: u16,
    /// What the loser may try then, the longest resistance first; nothing when the row is complete.
    pub defences: Vec<Defence>,
    /// Where the answer comes from.
    pub source: Source,
    /// The whole proof, if it is short.
    pub tree: Vec<Branch>,
}

/// Why a position cannot be played against.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotWon {
    /// No win could be proved.
    Unproved,
    /// The stones do not follow the rules, or are none of the winner's answers.
    OffTheLine,
}

/// What is known of a position with the winner to move.
#[derive(Clone)]
enum Known {
    Proof(Arc<Proof>),
    Search(Turn, u16),
}

/// Answers such questions in one game.
pub struct Wins {
    rules: Rules,
    tactics: Tactics,
    columns: Option<Solver>,
    known: HashMap<u64, Option<Known>>,
    stop: StopFlag,
}

impl Wins {
    /// For a game.
    pub fn new(rules: &Rules) -> Self {
        let columns = rules.gravity().then(|| Solver::with_memory(rules, SOLVER_MEMORY).ok());
        Self {
            rules: *rules,
            tactics: Tactics::new(rules),
            columns: columns.flatten(),
            known: HashMap::new(),
            stop: StopFlag::default(),
        }
    }

    /// Heeds another flag from now on. What is answered once it is set is not the truth.
    pub fn heed(&mut self, stop: StopFlag) {
        self.stop = stop;
    }

    /// How a player's win in a position goes on after these stones: the winner's own turns among them are
    /// those that were answered before.
    pub fn show(
        &mut self,
        start: &Position,
        winner: Player,
        stones: &[Cell],
    ) -> Result<Won, NotWon> {
        if start.is_over() {
            return Err(NotWon::Unproved);
        }
        if self.columns.is_some() {
            return self.drop(start, winner, stones);
        }
        let mut position = start.clone();
        let mut rest = stones;
        // Where the side to move loses a defence comes first.
        if winner != position.to_move() {
            if rest.is_empty() {
                return self.lost(&position);
            }
            take_turn(&mut position, &mut rest).ok_or(NotWon::OffTheLine)?;
        }
        let mut step = self.win(&position).ok_or(NotWon::Unproved)?;
        loop {
            let turn = step.turn().to_vec();
            if rest.is_empty() {
                let mut won = answered(&position, winner, &step);
                if stones.is_empty()
                    && let Known::Proof(proof) = &step
                {
                    won.tree = tree::of_proof(&position, proof);
                }
                return Ok(won);
            }
            if !is_same(&take_turn(&mut position, &mut rest).ok_or(NotWon::OffTheLine)?, &turn) {
                return Err(NotWon::OffTheLine);
            }
            if position.is_over() || rest.is_empty() {
                return Err(NotWon::OffTheLine);
            }
            let before = position.clone();
            let defence = take_turn(&mut position, &mut rest).ok_or(NotWon::OffTheLine)?;
            if position.is_over() {
                return Err(NotWon::OffTheLine);
            }
            step = match step {
                Known::Proof(proof) => match proof::answer(&before, &proof, &defence) {
                    Some(Step::Row(turn)) => Known::Search(turn, 1),
                    Some(Step::Proof(next)) => Known::Proof(next),
                    None => return Err(NotWon::OffTheLine),
                },
                Known::Search(..) => self.win(&position).ok_or(NotWon::Unproved)?,
            };
        }
    }

    /// A position that is lost for the side to move: what it may try.
    fn lost(&mut self, position: &Position) -> Result<Won, NotWon> {
        let budget = Budget { stop: self.stop.clone(), ..Budget::default() };
        let meter = budget.start(1);
        let limits =
            ProofLimits { nodes: PROOF_NODES, meter: Some(&meter), ..ProofLimits::default() };
        let limits = DefenceLimits { proof: limits, total: PROOF_NODES };
        let (player, left) = (position.to_move(), position.stones_left());
        let windows = &mut Windows::of(position);
        let proved = match self.tactics.defences(windows, player, left, limits) {
            Replies::Lost { turns } => Some(turns),
            Replies::Free | Replies::Only(_) => None,
        };
        let defences = self.tries(position);
        // Without a proof every try must be refuted: one that is not may save the game.
        let tried: Option<Vec<u16>> = defences.iter().map(|defence| defence.turns).collect();
        let longest = tried.and_then(|turns| turns.into_iter().max());
        let turns = proved.max(longest);
        Ok(Won {
            winner: player.opponent(),
            answer: Turn::new(),
            turns: turns.ok_or(NotWon::Unproved)?,
            defences,
            source: if proved.is_some() { Source::Proof } else { Source::Search },
            tree: Vec::new(),
        })
    }

    /// The turns of the side to move that hinder the opponent's win, the longest resistance first.
    fn tries(&mut self, position: &Position) -> Vec<Defence> {
        let budget = Budget { stop: self.stop.clone(), ..Budget::default() };
        let meter = budget.start(1);
        let turns = self.tactics.hindrances(position, PROOF_NODES, &meter);
        let mut found = Vec::new();
        for cells in turns {
            let mut after = position.clone();
            if play_turn(&mut after, &cells).is_err() || after.is_over() {
                continue;
            }
            let turns = self.win(&after).map(|known| known.turns());
            found.push(Defence { cells, turns });
        }
        found.sort_by_key(|defence| std::cmp::Reverse(defence.turns.unwrap_or(u16::MAX)));
        found
    }

    /// A win of the player to move: a checked proof, else what a search says.
    fn win(&mut self, position: &Position) -> Option<Known> {
        if position.is_over() {
            return None;
        }
        let key = position.key();
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let budget = Budget { stop: self.stop.clone(), ..Budget::default() };
        let meter = budget.start(1);
        let proof = self.tactics.win(position, PROOF_NODES, &meter);
        let proof = proof.filter(|proof| !self.is_checked(proof) || check(position, proof).is_ok());
        let found = proof.map(Known::Proof).or_else(|| self.searched(position));
        if !self.stop.is_stopped() {
            if self.known.len() >= MAX_KNOWN {
                self.known.clear();
            }
            self.known.insert(key, found.clone());
        }
        found
    }

    /// Whether a proof is replayed against every defence before it is shown: one of many turns, or with
    /// quiet ones that leave the defender several stones, would take longer than anybody waits.
    fn is_checked(&self, proof: &Proof) -> bool {
        proof.size() <= MAX_CHECKED
            && (self.rules.p() == 1 || !matches!(proof.then, proof::Then::Quiet(_)))
    }

    fn searched(&self, position: &Position) -> Option<Known> {
        let settings = Settings { memory: 16, ..Settings::default() };
        let mut engine = Engine::new(&self.rules, settings, 0);
        let budget = Budget { stop: self.stop.clone(), ..Budget::nodes(SEARCH_NODES) };
        let thought = engine.think(position, &budget, &mut |_| {}).ok()?;
        match thought.report.lines.first()?.value {
            Value::WinsIn(turns) => Some(Known::Search(thought.turn, turns)),
            _ => None,
        }
    }

    /// The same with gravity, where everything is known.
    fn drop(&mut self, start: &Position, winner: Player, stones: &[Cell]) -> Result<Won, NotWon> {
        let mut position = start.clone();
        for &cell in stones {
            position.play(cell).map_err(|_| NotWon::OffTheLine)?;
        }
        if position.is_over() {
            return Err(NotWon::OffTheLine);
        }
        let value = self.value(&position)?;
        let mover = position.to_move();
        let turns = match value {
            Value::WinsIn(turns) if winner == mover => turns,
            Value::LosesIn(turns) if winner != mover => turns,
            _ => return Err(NotWon::Unproved),
        };
        let mut answer = Turn::new();
        let mut after = position.clone();
        if winner == mover {
            answer.push(self.column(&position)?);
            after.play(answer[0]).map_err(|_| NotWon::OffTheLine)?;
        }
        let defences = if after.is_over() { Vec::new() } else { self.drops(&after)? };
        let tree =
            if stones.is_empty() { self.drop_tree(&position, winner, turns) } else { Vec::new() };
        Ok(Won { winner, answer, turns, defences, source: Source::Solver, tree })
    }

    fn ranked(&mut self, position: &Position) -> Result<Vec<(Cell, Value)>, NotWon> {
        let stop = || self.stop.is_stopped();
        let limits = Limits { stop: Some(&stop), ..Limits::default() };
        let solver = self.columns.as_mut().ok_or(NotWon::Unproved)?;
        let columns = exact::columns(solver, position, &limits).ok_or(NotWon::Unproved)?;
        let empty = position.empty_count();
        Ok(columns.into_iter().map(|(cell, score)| (cell, exact::value(score, empty))).collect())
    }

    fn value(&mut self, position: &Position) -> Result<Value, NotWon> {
        self.ranked(position)?.first().map(|(_, value)| *value).ok_or(NotWon::Unproved)
    }

    /// The quickest way to win.
    fn column(&mut self, position: &Position) -> Result<Cell, NotWon> {
        self.ranked(position)?.first().map(|(cell, _)| *cell).ok_or(NotWon::Unproved)
    }

    /// Every column of the loser, the longest resistance first.
    fn drops(&mut self, position: &Position) -> Result<Vec<Defence>, NotWon> {
        let turns = |value| match value {
            Value::LosesIn(turns) => Some(turns),
            _ => None,
        };
        let ranked = self.ranked(position)?.into_iter();
        Ok(ranked.map(|(cell, value)| Defence { cells: vec![cell], turns: turns(value) }).collect())
    }
}

impl Known {
    fn turn(&self) -> &[Cell] {
        match self {
            Self::Proof(proof) => &proof.turn,
            Self::Search(turn, _) => turn,
        }
    }

    fn turns(&self) -> u16 {
        match self {
            Self::Proof(proof) => proof.turns(),
            Self::Search(_, turns) => *turns,
        }
    }
}

/// The stones up to where the turn changes, played.
fn take_turn(position: &mut Position, rest: &mut &[Cell]) -> Option<Turn> {
    let player = position.to_move();
    let mut turn = Turn::new();
    while let [cell, more @ ..] = *rest
        && position.outcome() == Outcome::Ongoing
        && position.to_move() == player
    {
        position.play(*cell).ok()?;
        turn.push(*cell);
        *rest = more;
    }
    (position.is_over() || position.to_move() != player).then_some(turn)
}

fn is_same(one: &[Cell], other: &[Cell]) -> bool {
    one.len() == other.len() && one.iter().all(|cell| other.contains(cell))
}

/// The winner's turn in a position, and what may follow it.
fn answered(position: &Position, winner: Player, step: &Known) -> Won {
    let answer = step.turn().to_vec();
    let mut after = position.clone();
    let played = play_turn(&mut after, &answer).is_ok();
    let (turns, source, defences) = match step {
        Known::Proof(proof) => {
            let defences = if played { proof::defences(&after, proof) } else { Vec::new() };
            let known = |defence: proof::Defence| Defence {
                cells: defence.cells,
                turns: Some(defence.turns),
            };
            (proof.turns(), Source::Proof, defences.into_iter().map(known).collect())
        }
        Known::Search(_, 1) => (1, Source::Proof, Vec::new()),
        Known::Search(_, turns) => (*turns, Source::Search, Vec::new()),
    };
    Won { winner, answer, turns, defences, source, tree: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_rules::notation;
    use proptest::prelude::*;

    fn position(rules: Rules, moves: &str) -> Position {
        let at = |name| notation::parse(&rules, name).expect(name);
        let moves: Vec<Cell> = moves.split('.').map(at).collect();
        Position::from_moves(rules, &moves).expect("legal")
    }

    /// Plays the win out against whatever `choose` makes of the defences; the number of the winner's turns.
    fn played_out(
        start: &Position,
        winner: Player,
        mut choose: impl FnMut(&Position, &Won) -> Turn,
    ) -> u16 {
        let mut wins = Wins::new(start.rules());
        let mut line: Vec<Cell> = Vec::new();
        let mut position = start.clone();
        let mut least = u16::MAX;
        for turn in 1.. {
            let won = wins.show(start, winner, &line).expect("won");
            assert!(won.turns < least, "every turn brings the row nearer");
            least = won.turns;
            play_turn(&mut position, &won.answer).expect("legal");
            line.extend(&won.answer);
            if position.is_over() {
                assert_eq!(position.outcome(), Outcome::Won(winner));
                assert!(won.defences.is_empty());
                return turn;
            }
            let defence = choose(&position, &won);
            play_turn(&mut position, &defence).expect("legal");
            assert!(!position.is_over(), "the loser never completes a row");
            line.extend(defence);
        }
        unreachable!("every game ends")
    }

    fn best(_: &Position, won: &Won) -> Turn {
        assert!(won.defences.is_sorted_by_key(|defence| std::cmp::Reverse(defence.turns)));
        won.defences[0].cells.clone()
    }

    /// The shipped puzzle of a game with the fewest turns.
    fn puzzle(rules: Rules) -> Position {
        let all = crate::puzzles::shipped().into_iter();
        let fitting = all.filter(|puzzle| *puzzle.position.rules() == rules);
        fitting.min_by_key(|puzzle| puzzle.turns).expect("a puzzle").position
    }

    #[test]
    fn a_proof_is_played_out_against_its_best_defence() {
        for rules in [Rules::GOMOKU, Rules::CONNECT6] {
            let start = puzzle(rules);
            let winner = start.to_move();
            let first = Wins::new(&rules).show(&start, winner, &[]).expect("won");
            assert_eq!(first.source, Source::Proof);
            assert!(first.tree.first().is_none_or(|branch| branch.cells == first.answer));
            assert!(played_out(&start, winner, best) <= first.turns);
        }
    }

    #[test]
    fn connect_four_is_played_out_exactly() {
        let start = position(Rules::CONNECT4, "d1.d2.c1.c2");
        let won = Wins::new(&Rules::CONNECT4).show(&start, Player::Black, &[]).expect("won");
        assert_eq!(won.source, Source::Solver);
        assert_eq!(won.turns, played_out(&start, Player::Black, best));
        let not = Wins::new(&Rules::CONNECT4).show(&start, Player::White, &[]);
        assert_eq!(not, Err(NotWon::Unproved));
    }

    #[test]
    fn a_lost_position_begins_with_a_defence() {
        // White has an open four: every stone loses.
        let start = position(Rules::GOMOKU, "a1.h8.a3.i8.a5.j8.a7.k8");
        let won = Wins::new(&Rules::GOMOKU).show(&start, Player::White, &[]).expect("lost");
        assert_eq!((won.winner, won.answer.len(), won.turns), (Player::White, 0, 1));
    }

    #[test]
    fn what_is_not_won_or_not_on_the_line_is_refused() {
        let mut wins = Wins::new(&Rules::GOMOKU);
        let even = position(Rules::GOMOKU, "h8.i9");
        assert_eq!(wins.show(&even, Player::Black, &[]), Err(NotWon::Unproved));
        let start = puzzle(Rules::GOMOKU);
        let won = wins.show(&start, start.to_move(), &[]).expect("won");
        let other = start.empty_cells().find(|cell| !won.answer.contains(cell)).expect("a cell");
        assert_eq!(wins.show(&start, start.to_move(), &[other]), Err(NotWon::OffTheLine));
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]

        /// Whatever the loser plays, sense or nonsense, the proof has an answer and the row comes in time.
        #[test]
        fn every_defence_is_answered(seeds in prop::collection::vec(any::<usize>(), 40)) {
            let start = puzzle(Rules::GOMOKU);
            let winner = start.to_move();
            let most = Wins::new(&Rules::GOMOKU).show(&start, winner, &[]).expect("won").turns;
            let mut seeds = seeds.into_iter();
            let turns = played_out(&start, winner, |position, _| {
                let free: Vec<Cell> = position.empty_cells().collect();
                vec![free[seeds.next().unwrap_or(0) % free.len()]]
            });
            prop_assert!(turns <= most);
        }
    }
}
