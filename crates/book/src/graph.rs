//! The graph: positions after whole turns, the results of games through them, and the turns seen.

use std::collections::{HashMap, HashSet};

use collinear_rules::{Cell, IllegalMove, Player, Position, Rules};

use crate::Rule;
use crate::frame::{Frame, Key, Spot};

/// Results of the games through a position, for Black.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Games Black won.
    pub wins: u32,
    /// Games nobody won.
    pub ties: u32,
    /// Games White won.
    pub losses: u32,
}

impl Tally {
    /// Games counted.
    pub const fn games(&self) -> u32 {
        self.wins + self.ties + self.losses
    }

    /// The same seen from a player.
    #[must_use]
    pub const fn of(self, player: Player) -> Self {
        match player {
            Player::Black => self,
            Player::White => Self { wins: self.losses, ties: self.ties, losses: self.wins },
        }
    }

    fn add(&mut self, winner: Option<Player>) {
        let count = match winner {
            Some(Player::Black) => &mut self.wins,
            None => &mut self.ties,
            Some(Player::White) => &mut self.losses,
        };
        *count = count.saturating_add(1);
    }
}

/// A turn that was played in a position, with what came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The stones left of the turn.
    pub turn: Vec<Cell>,
    /// Results for the player to move, of all games through the position it leads to.
    pub tally: Tally,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Node {
    pub(crate) tally: Tally,
    /// Turns seen here, in the canonical frame, and the position each leads to; sorted.
    pub(crate) links: Vec<(Vec<Spot>, Key)>,
}

/// Opening statistics for one game.
///
/// ```
/// use collinear_book::{Book, Rule};
/// use collinear_rules::{Cell, Player, Position, Rules};
///
/// let rules = Rules::TICTACTOE;
/// let mut book = Book::new(rules, 3);
/// let centre_then_side = [4, 1, 0, 8, 3, 5, 6].map(Cell::new);
/// book.add(&centre_then_side, Some(Player::Black)).unwrap();
///
/// // The answer on another side is the same answer on a turned board.
/// let after = Position::from_moves(rules, &[4, 3].map(Cell::new)).unwrap();
/// let best = book.recommend(&after, Rule::PAPER).unwrap();
/// assert_eq!(best.tally.wins, 1);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Book {
    pub(crate) rules: Rules,
    pub(crate) turns: u16,
    pub(crate) games: u32,
    pub(crate) nodes: HashMap<Key, Node>,
}

impl Book {
    /// An empty book that will look at this many turns of each game.
    pub fn new(rules: Rules, turns: u16) -> Self {
        Self { rules, turns, games: 0, nodes: HashMap::new() }
    }

    /// The game it is about.
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    /// How many turns of each game were looked at.
    pub const fn turns(&self) -> u16 {
        self.turns
    }

    /// Games in it.
    pub const fn games(&self) -> u32 {
        self.games
    }

    /// Positions in it.
    pub fn positions(&self) -> usize {
        self.nodes.len()
    }

    /// Turns in it.
    pub fn links(&self) -> usize {
        self.nodes.values().map(|node| node.links.len()).sum()
    }

    /// Adds a game; `winner` is none for a tie. An illegal move refuses the whole game and says
    /// which it was.
    pub fn add(
        &mut self,
        moves: &[Cell],
        winner: Option<Player>,
    ) -> Result<(), (usize, IllegalMove)> {
        Position::from_moves(self.rules, moves)?;
        let mut position = Position::new(self.rules);
        let mut rest = moves;
        let (mut key, mut frames) = Frame::canonical(&position);
        for turn in 0..=self.turns {
            self.nodes.entry(key.clone()).or_default().tally.add(winner);
            let stones = position.stones_left();
            if turn == self.turns || rest.len() < stones {
                break;
            }
            let (stones, later) = rest.split_at(stones);
            rest = later;
            let label = frames.iter().map(|frame| frame.label(&self.rules, stones)).min();
            for &cell in stones {
                position.play_unchecked(cell);
            }
            let (next, next_frames) = Frame::canonical(&position);
            if let Some(label) = label {
                let links = &mut self.nodes.entry(key).or_default().links;
                if let Err(place) = links.binary_search_by(|(known, _)| known.cmp(&label)) {
                    links.insert(place, (label, next.clone()));
                }
            }
            if position.is_over() {
                self.nodes.entry(next).or_default().tally.add(winner);
                break;
            }
            (key, frames) = (next, next_frames);
        }
        self.games = self.games.saturating_add(1);
        Ok(())
    }

    /// Leaves only positions that at least this many games passed through.
    pub fn prune(&mut self, games: u32) {
        self.nodes.retain(|_, node| node.tally.games() >= games);
        let kept: HashSet<Key> = self.nodes.keys().cloned().collect();
        for node in self.nodes.values_mut() {
            node.links.retain(|(_, next)| kept.contains(next));
        }
    }

    /// Results of the games through a position, for the player to move; none if it is unknown.
    pub fn tally(&self, position: &Position) -> Option<Tally> {
        let node = self.nodes.get(&Frame::canonical(position).0)?;
        Some(node.tally.of(position.to_move()))
    }

    /// The turns seen in a position, most games first. In the middle of a turn: those that begin
    /// with the stones already placed. Needs the moves that led here, not just the stones.
    pub fn entries(&self, position: &Position) -> Vec<Entry> {
        if position.rules() != &self.rules || position.is_over() {
            return Vec::new();
        }
        let (start, placed) = turn_start(position);
        let (key, frames) = Frame::canonical(&start);
        let (Some(node), Some(frame)) = (self.nodes.get(&key), frames.first()) else {
            return Vec::new();
        };
        let player = position.to_move();
        let mut entries: Vec<Entry> = node
            .links
            .iter()
            .filter_map(|(label, next)| {
                // The label is the smallest over the frames of a symmetric position: any of them
                // leads back to a turn that is as good.
                let turns = frames.iter().filter_map(|frame| {
                    label
                        .iter()
                        .map(|&spot| frame.cell(&self.rules, spot))
                        .collect::<Option<Vec<_>>>()
                });
                let begins = |turn: &Vec<Cell>| placed.iter().all(|cell| turn.contains(cell));
                let mut turn = if placed.is_empty() {
                    label.iter().map(|&spot| frame.cell(&self.rules, spot)).collect()
                } else {
                    turns.into_iter().find(begins)
                }?;
                turn.retain(|cell| !placed.contains(cell));
                in_order(position, &mut turn)?;
                let tally = self.nodes.get(next)?.tally.of(player);
                Some(Entry { turn, tally })
            })
            .collect();
        entries.sort_by_key(|entry| (std::cmp::Reverse(entry.tally.games()), entry.turn.clone()));
        entries
    }

    /// What to play by a rule, if the rule finds anything good enough.
    pub fn recommend(&self, position: &Position, rule: Rule) -> Option<Entry> {
        rule.choose(&self.entries(position)).cloned()
    }
}

/// The position at the start of the turn, and the stones of the turn that are placed already.
fn turn_start(position: &Position) -> (Position, Vec<Cell>) {
    let player = position.to_move();
    let mut start = position.clone();
    let mut placed = Vec::new();
    while let Some(cell) = start.undo() {
        if start.to_move() != player {
            start.play_unchecked(cell);
            break;
        }
        placed.push(cell);
    }
    placed.reverse();
    (start, placed)
}

/// Puts a turn into an order that can be played (gravity); none if there is no legal one.
fn in_order(position: &Position, turn: &mut [Cell]) -> Option<()> {
    turn.sort_unstable();
    let mut ahead = position.clone();
    for &cell in turn.iter() {
        ahead.play(cell).ok()?;
    }
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(rules: &Rules, moves: &[(usize, usize)]) -> Vec<Cell> {
        moves.iter().map(|&(x, y)| rules.cell(x, y).expect("on the board")).collect()
    }

    #[test]
    fn orders_symmetries_and_shifts_meet_in_one_node() {
        let rules = Rules::CONNECT6;
        let mut book = Book::new(rules, 2);
        let games = [
            [(9, 9), (10, 9), (9, 11)],
            [(9, 9), (9, 11), (10, 9)],
            [(9, 9), (8, 9), (9, 7)],
            [(3, 3), (3, 4), (5, 3)],
        ];
        for game in games {
            book.add(&cells(&rules, &game), Some(Player::White)).expect("legal");
        }
        // Empty board, after one stone, after the turn; two different first stones were seen.
        assert_eq!((book.games(), book.positions(), book.links()), (4, 3, 3));
        let after = Position::from_moves(rules, &cells(&rules, &[(5, 9)])).expect("legal");
        let entries = book.entries(&after);
        assert_eq!(entries.len(), 1);
        assert_eq!(entries[0].tally, Tally { wins: 4, ties: 0, losses: 0 });
        // In the middle of the turn the other stone is found for either first one.
        for first in [(6, 9), (5, 11), (5, 10), (3, 9)] {
            let mut middle = after.clone();
            middle.play(rules.cell(first.0, first.1).expect("on the board")).expect("legal");
            assert_eq!(book.entries(&middle).len(), 1, "{first:?}");
        }
        let mut far = after.clone();
        far.play(rules.cell(0, 0).expect("on the board")).expect("legal");
        assert!(book.entries(&far).is_empty());
    }

    #[test]
    fn turns_that_would_leave_the_board_are_not_offered() {
        let rules = Rules::CONNECT6;
        let mut book = Book::new(rules, 2);
        book.add(&cells(&rules, &[(9, 9), (10, 10), (15, 9)]), None).expect("legal");
        let near = Position::from_moves(rules, &cells(&rules, &[(2, 2)])).expect("legal");
        for entry in book.entries(&near) {
            assert!(entry.turn.iter().all(|&cell| near.check(cell).is_ok()));
        }
        let corner = Position::from_moves(rules, &cells(&rules, &[(0, 18)])).expect("legal");
        for entry in book.entries(&corner) {
            assert!(entry.turn.iter().all(|&cell| corner.check(cell).is_ok()));
        }
    }

    #[test]
    fn counts_add_up_along_a_game() {
        let rules = Rules::CONNECT4;
        let mut book = Book::new(rules, 4);
        let drop = |columns: &[usize]| {
            let mut position = Position::new(rules);
            for &column in columns {
                position.play(position.drop_cell(column).expect("room")).expect("legal");
            }
            position
        };
        for (columns, winner) in [
            (&[3, 3, 2, 4][..], Some(Player::Black)),
            (&[3, 3, 4, 2][..], Some(Player::White)),
            (&[3, 2, 3][..], None),
        ] {
            book.add(drop(columns).history(), winner).expect("legal");
        }
        assert_eq!(book.tally(&drop(&[])), Some(Tally { wins: 1, ties: 1, losses: 1 }));
        // Mirrored games meet.
        assert_eq!(book.tally(&drop(&[3, 3, 2])), Some(Tally { wins: 1, ties: 0, losses: 1 }));
        assert!(book.add(&[Cell::new(40)], None).is_err());
        assert_eq!(book.games(), 3);
        book.prune(2);
        assert_eq!(book.tally(&drop(&[3, 2])), None);
        assert_eq!(book.entries(&drop(&[3])).len(), 1);
    }
}
