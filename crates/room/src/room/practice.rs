//! Mistakes of a reviewed game, played once more: any turn that loses no more than the best ones is a
//! right answer. It is searched a step harder than in the review, and graded in the same place.

use collinear_play::{NodeId, Turn};
use collinear_rules::{Cell, Position};

use super::{ClientId, Room};
use crate::assess;
use crate::convert::cells_of;
use crate::game::Refusal;
use crate::wire::{Purpose, Sealed, ToPage, TriedView};
use crate::work::{JobNumber, Played, Searched, Work};

/// The latest question that is not answered yet.
#[derive(Default)]
pub(super) struct Practice {
    /// The position after the turn is being searched.
    asked: Option<Tried>,
    /// The turn is being judged.
    judging: Option<Judging>,
}

/// A turn that was tried.
struct Tried {
    client: ClientId,
    node: u32,
    before: Position,
    /// All that were tried, and those that are legal: a row may end a turn early.
    stones: Vec<Cell>,
    turn: Turn,
    /// What the review said of the position before it.
    then: Searched,
}

/// Whom to tell what the judge says.
struct Judging {
    job: JobNumber,
    client: ClientId,
    node: u32,
    stones: Vec<Cell>,
}

impl Practice {
    /// The job that is wanted besides searches.
    pub(super) fn job(&self) -> Option<JobNumber> {
        self.judging.as_ref().map(|judging| judging.job)
    }

    /// Nobody looks any more.
    pub(super) fn stop(&mut self) {
        *self = Self::default();
    }
}

impl Room {
    /// Judges a turn in place of a mistake.
    pub(super) fn try_turn(
        &mut self,
        client: ClientId,
        node: u32,
        stones: &[u16],
    ) -> Result<(), Refusal> {
        let (then, effort) = self.review.turn_after(node).ok_or(Refusal::NoMistake)?;
        let then = then.clone();
        let at = self.game.model.tree().node(node).ok_or(Refusal::NoMistake)?;
        let before = self.game.model.position_at(at).ok_or(Refusal::NoMistake)?;
        let stones = cells_of(before.rules(), stones).map_err(Refusal::Record)?;
        let mut after = before.clone();
        let mut turn = Turn::new();
        // A row may be complete before the last stone of a turn.
        for &cell in &stones {
            if after.is_over() {
                break;
            }
            if after.to_move() != before.to_move() {
                return Err(Refusal::NoTurn);
            }
            after.play(cell).map_err(|_| Refusal::NoTurn)?;
            turn.push(cell);
        }
        let over = after.is_over();
        if !over && after.to_move() == before.to_move() || turn.is_empty() {
            return Err(Refusal::NoTurn);
        }
        let asked = Some(Tried { client, node, before, stones, turn, then });
        self.practice = Practice { asked, judging: None };
        if over || !self.search_tried(at, after, effort) {
            self.searches.cancel(Purpose::Practice);
            self.judge_tried(None);
        }
        Ok(())
    }

    fn search_tried(&mut self, node: NodeId, after: Position, effort: u8) -> bool {
        let effort = self.effort(effort.saturating_add(1));
        self.judge_at(node, after, Purpose::Practice, effort)
    }

    /// The position after the turn was searched, if that was possible: the turn is judged.
    pub(super) fn judge_tried(&mut self, now: Option<Searched>) {
        let Some(Tried { client, node, before, stones, turn, then }) = self.practice.asked.take()
        else {
            return;
        };
        let played = Box::new(Played { before, turn, then, now });
        let job = self.start(Work::Try { played, stones: stones.clone(), node });
        self.practice.judging = Some(Judging { job, client, node, stones });
    }

    /// The turn is judged, or that went wrong.
    pub(super) fn tried(&mut self, number: JobNumber, tried: Option<Sealed<TriedView>>) {
        let judging = self.practice.judging.take_if(|judging| judging.job == number);
        let Some(Judging { client, node, stones, .. }) = judging else { return };
        let tried = tried.unwrap_or_else(|| Sealed::new(&assess::unknown(&stones, node)));
        self.clients.tell(client, ToPage::Tried { tried });
    }
}
