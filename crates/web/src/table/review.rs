//! A review: every turn of the line shown is evaluated, one after the other.

use std::time::Duration;

use collinear_play::Budget;

use super::searches::Task;
use super::{News, Table};
use crate::levels;
use crate::tree::NodeKey;
use crate::wire::{Purpose, ToPage};

/// How long a review looks at each position.
const REVIEW_TIME: Duration = Duration::from_millis(300);

/// How far a review is.
#[derive(Default)]
pub(super) struct Review {
    /// The nodes it still has to evaluate, the next one last.
    open: Vec<NodeKey>,
    /// Positions reviewed, and how many there are.
    done: (u32, u32),
}

impl Table {
    /// Begins or ends a review: every turn of the line shown is evaluated, one after the other.
    pub(super) fn review(&mut self, on: bool) {
        self.searches.cancel(Purpose::Review);
        self.review.open.clear();
        if on {
            let tip = self.game.tree.tip(self.game.current());
            let ends = self.game.turn_ends(tip);
            self.review.open = ends.into_iter().rev().map(|end| self.game.tree.key(end)).collect();
        }
        self.review.done = (0, self.review.open.len() as u32);
        self.review_next();
    }

    pub(super) fn review_next(&mut self) {
        let (before, of) = self.review.done;
        let left = self.review.open.len() as u32;
        self.review.done = (of - left, of);
        if before != self.review.done.0 || left == 0 {
            self.audience.tell_all(&ToPage::Reviewed { done: of - left, of });
        }
        let analyst = levels::analyst(&self.hall.registry, self.game.rules());
        if let (Some(key), Some(spec)) = (self.review.open.pop(), analyst) {
            // The node may be gone: taken back or pruned meanwhile.
            let found = self.game.tree.find(key).map(|node| self.game.position_at(node));
            let Some(position) = found.filter(|position| !position.is_over()) else {
                return self.review_next();
            };
            let (seed, budget) = (self.game.seed, Budget::time(REVIEW_TIME));
            let task = Task { purpose: Purpose::Review, spec: &spec, seed, budget };
            self.search_at(key, position, task);
        } else if left == 0 {
            self.news = self.news.max(News::Kept);
        }
    }
}
