//! Reads a strategy back into the table: every position that it shows is decided there, so that a
//! larger strategy can be written around it without a search. The walk is that of `extract.rs`.

use std::collections::HashSet;

use crate::board::bits;
use crate::certificate::Goal;
use crate::extract::{EVERY_MOVE, GROUPS, Place, Step};
use crate::node::{Key, Node};
use crate::search::Search;
use crate::table::{Entry, Numbers};

/// Takes over a strategy that the checker has accepted. Where it ends early, what was read stays.
pub(super) fn learn(search: &mut Search<'_>, root: &Node, goal: Goal, bytes: &[u8]) {
    let mut reader = Reader { search, goal, shown: HashSet::new(), bytes };
    let _ = reader.show(root);
}

struct Reader<'w, 'a, 'b> {
    search: &'w mut Search<'a>,
    goal: Goal,
    shown: HashSet<Key>,
    bytes: &'b [u8],
}

impl Reader<'_, '_, '_> {
    fn take(&mut self) -> Option<u8> {
        let (&first, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        Some(first)
    }

    fn show(&mut self, node: &Node) -> Option<()> {
        let (board, question) = (self.search.board, self.search.question);
        let Place::Open(live) = Place::of(board, question, node, self.goal) else {
            return Some(());
        };
        let form = live.form(board, question, node);
        if self.shown.contains(&form) {
            return Some(());
        }
        let mine = node.turn.attacks == (self.goal == Goal::Wins);
        if !self.reason(mine)? {
            match Step::at(board, node, &live, self.goal) {
                Step::Mine => {
                    let index = u32::from(self.take()?);
                    let cell = 1_u64.checked_shl(index)? & node.empty(board);
                    (cell != 0).then_some(())?;
                    self.show(&node.play(board, cell))?;
                }
                Step::Theirs(moves) => {
                    for cell in bits(moves) {
                        self.show(&node.play(board, cell))?;
                    }
                }
            }
        }
        let numbers = Numbers::decided(self.goal == Goal::Wins);
        self.search.table.put(&live.key(board, question, node), Entry { numbers, effort: 1 });
        self.shown.insert(form);
        Some(())
    }

    /// Reads past a reason of the holder; whether there was one.
    fn reason(&mut self, mine: bool) -> Option<bool> {
        if self.goal == Goal::Wins || (mine && self.bytes.first().is_none_or(|&b| b < GROUPS)) {
            return Some(false);
        }
        match self.take()? {
            EVERY_MOVE => Some(false),
            GROUPS => {
                let group = usize::from(self.search.board.p) + 1;
                let length = usize::from(self.take()?) * group;
                self.bytes = self.bytes.get(length..)?;
                Some(true)
            }
            _ => Some(true),
        }
    }
}
