//! Labelled positions in little memory: the stones of each run once, and for each position which of them are on
//! the board.

use collinear_rules::{Cell, Player, Rules};

use crate::fit::labels::LabelFile;

/// Positions to learn from and positions that are held back.
pub(super) struct Examples {
    stones: Vec<u16>,
    pub(super) train: Vec<Example>,
    pub(super) held: Vec<Example>,
    cells: usize,
}

/// A position.
#[derive(Clone, Copy)]
pub(super) struct Example {
    /// Where its run's stones and the stones beside it are.
    run: u32,
    beside: u32,
    prefix: u16,
    beside_count: u8,
    /// From a game of alpha-beta.
    pub(super) is_game: bool,
    /// The mover's result in halves, for positions of a game that was played to its end.
    result: Option<u8>,
    /// The logit, in 1/256.
    value: i16,
}

/// One run in this many is held back.
const HELD_BACK: u64 = 80;

impl Examples {
    /// From files of labels of one set of rules, with one stone per turn.
    pub(super) fn new(rules: &Rules, files: &[LabelFile]) -> Self {
        let (mut stones, mut train, mut held) = (Vec::new(), Vec::new(), Vec::new());
        let mut push = |cells: &[Cell]| {
            let at = stones.len() as u32;
            stones.extend(cells.iter().map(|cell| cell.index() as u16));
            at
        };
        for run in files.iter().flat_map(|file| &file.runs) {
            let at = push(&run.stones);
            for label in &run.labels {
                let mover = Player::BOTH[(label.prefix + label.beside.len()) % 2];
                let is_played = label.beside.is_empty() && label.prefix >= run.opening;
                let result = run.winner.map(|winner| 2 * u8::from(winner == mover));
                let example = Example {
                    run: at,
                    beside: push(&label.beside),
                    prefix: label.prefix as u16,
                    beside_count: label.beside.len() as u8,
                    is_game: run.is_game,
                    result: result.filter(|_| is_played && run.is_game),
                    value: label.value,
                };
                let is_held = run.number.is_multiple_of(HELD_BACK);
                if is_held { &mut held } else { &mut train }.push(example);
            }
        }
        Self { stones, train, held, cells: rules.cells() }
    }

    /// What the player to move sees on each cell: 0 nothing, 1 an own stone, 2 another.
    pub(super) fn board(&self, example: &Example, board: &mut Vec<u8>) {
        board.clear();
        board.resize(self.cells, 0);
        let part = |start: u32, count: usize| &self.stones[start as usize..][..count];
        let prefix = part(example.run, usize::from(example.prefix));
        let beside = part(example.beside, usize::from(example.beside_count));
        let count = prefix.len() + beside.len();
        for (at, &cell) in prefix.iter().chain(beside).enumerate() {
            board[usize::from(cell)] = if (count - at) % 2 == 0 { 1 } else { 2 };
        }
    }
}

impl Example {
    /// The chance that the network gives the player to move.
    pub(super) fn chance(&self) -> f32 {
        1.0 / (1.0 + (-f32::from(self.value) / 256.0).exp())
    }

    /// The chance as the game ended.
    pub(super) fn result(&self) -> Option<f32> {
        self.result.map(|halves| f32::from(halves) / 2.0)
    }
}
