//! The coach of a person who plays against an agent: before a turn is final it is judged as a review
//! would, and where it deserves a warning the opponent waits until the person keeps it or takes it back.
//!
//! ```text
//!   the person thinks   ── the position is searched, so that nobody waits for that later
//!   the turn is played  ── the position after it is searched, then the turn is judged; the agent waits
//!        no warning ──▶ the agent thinks
//!        a warning  ──▶ keep: the agent thinks; undo: the reason stays until another turn is played
//! ```
//!
//! What is known of a position is kept by its key: nodes may be gone, and come again with other stones.

use std::collections::HashMap;
use std::time::Duration;

use collinear_engine::analysis::Watch;
use collinear_play::{Budget, NodeId};
use collinear_rules::Position;

use super::review::Effort;
use super::{Change, ClientId, Room};
use crate::convert::{coach_level, watch};
use crate::game::Refusal;
use crate::wire::{
    CoachDeed, CoachLevel, CoachSays, CoachView, CoachWarning, DangerView, Purpose, Sealed, ToPage,
};
use crate::work::{JobNumber, Played, Searched, Work};

/// The most time for each of the two positions: a person waits.
const LOOK_TIME: Duration = Duration::from_secs(3);
/// Positions that the solver of games with gravity may look at for each.
const SOLVED: u64 = 6_000_000;

/// What the coach knows and says.
#[derive(Default)]
pub(super) struct Coach {
    /// What searches say of positions, by their keys; nothing where a search went wrong.
    known: HashMap<u64, Option<Searched>>,
    /// The turn that was played and has not passed yet: the positions before and after it.
    turn: Option<(u64, u64)>,
    /// The position that may be played on from, whatever there is to say about it.
    passed: Option<u64>,
    /// The turn that is being judged.
    judging: Option<Judging>,
    warned: Option<Warned>,
    told: Option<CoachView>,
    /// Pages that ask what is threatened.
    asking: HashMap<ClientId, JobNumber>,
}

/// A turn that is being judged: the positions before and after it.
struct Judging {
    job: JobNumber,
    before: u64,
    after: u64,
}

/// A turn that a warning is about.
struct Warned {
    before: u64,
    after: u64,
    warning: Sealed<CoachWarning>,
    taken_back: bool,
}

impl Coach {
    /// Whether the opponent has to wait.
    pub(super) fn holds(&self) -> bool {
        self.turn.is_some()
    }

    /// The jobs that are wanted besides searches.
    pub(super) fn jobs(&self) -> impl Iterator<Item = JobNumber> {
        self.asking.values().copied().chain(self.judging.as_ref().map(|judging| judging.job))
    }

    /// Nobody looks any more.
    pub(super) fn stop(&mut self) {
        self.asking.clear();
        self.judging = None;
    }

    /// A page is gone.
    pub(super) fn leave(&mut self, client: ClientId) {
        self.asking.remove(&client);
    }

    fn says(&self) -> CoachSays {
        match &self.warned {
            Some(Warned { warning, taken_back: true, .. }) => {
                CoachSays::TakenBack { warning: warning.clone() }
            }
            Some(Warned { warning, .. }) => CoachSays::Warns { warning: warning.clone() },
            None if self.turn.is_some() => CoachSays::Looking,
            None => CoachSays::Nothing,
        }
    }
}

impl Room {
    /// Answers what is asked of the coach.
    pub(super) fn ask_coach(&mut self, client: ClientId, deed: CoachDeed) -> Result<(), Refusal> {
        match deed {
            CoachDeed::Level { level } => {
                self.game.coach = watch(level);
                // The turn that an agent answers already is none of his business.
                self.let_pass();
            }
            CoachDeed::Keep => self.let_pass(),
            CoachDeed::Threats => {
                let model = &self.game.model;
                if model.is_over() {
                    return Err(collinear_play::Refusal::Over.into());
                }
                let (position, node) = (model.position().clone(), model.node().number());
                let job = self.start(Work::Danger { position, node });
                self.coach.asking.insert(client, job);
            }
        }
        Ok(())
    }

    fn let_pass(&mut self) {
        self.coach.passed = Some(self.game.model.position().key());
        self.coach.warned = None;
        self.pace.turn_began = self.now;
        self.change = self.change.max(Change::Kept);
    }

    /// Whether there is anybody to coach now, and how much is to be said.
    fn coached(&self) -> Option<Watch> {
        let (game, model) = (&self.game, &self.game.model);
        let people = model.seats.iter().filter(|seat| seat.is_person()).count();
        let plays = people == 1
            && game.friends.is_none()
            && game.puzzle.is_none()
            && model.is_live()
            && !model.is_over()
            && model.step().is_none()
            && self.analyst().is_some();
        game.coach.filter(|_| plays)
    }

    /// Brings the coach up to the position shown: which turn he judges, and the position he wants
    /// searched for it, if any.
    pub(super) fn coach_looks(&mut self) -> Option<(NodeId, Position)> {
        self.coach.turn = None;
        let judging = self.coach.judging.take();
        let (model, key) = (&self.game.model, self.game.model.position().key());
        let Some(watch) = self.coached() else {
            self.coach.warned = None;
            return None;
        };
        let ends = model.turn_ends(model.node());
        let agent = self.game.agent_to_move().is_some();
        // The turn that was just played, or the one that the person is about to play.
        let start = if agent { ends.len().checked_sub(2)? } else { ends.len().checked_sub(1)? };
        let start = ends[start];
        let before = model.position_at(start)?;
        let follow = |warned: &Warned| {
            if agent { warned.after == key } else { warned.before == before.key() }
        };
        self.coach.warned = self
            .coach
            .warned
            .take()
            .filter(follow)
            .map(|warned| Warned { taken_back: !agent, ..warned });
        let persons = model.seats[before.to_move().index()].is_person();
        let free = before.history().len() >= model.opening();
        if !persons || !free || agent && self.coach.passed == Some(key) {
            return None;
        }
        let now = [before.key(), key];
        self.coach.known.retain(|known, _| now.contains(known));
        if !agent {
            let unknown = !self.coach.known.contains_key(&before.key());
            return unknown.then_some((start, before));
        }
        self.coach.turn = Some((before.key(), key));
        if self.coach.warned.is_some() {
            return None;
        }
        let Some(then) = self.coach.known.get(&before.key()) else { return Some((start, before)) };
        let Some(now) = self.coach.known.get(&key) else {
            return Some((model.node(), model.position().clone()));
        };
        let Some((then, now)) = then.as_ref().zip(now.as_ref()) else {
            self.coach.turn = None;
            self.coach.passed = Some(key);
            return None;
        };
        let turn = (before.key(), key);
        self.coach.judging = judging.filter(|judging| (judging.before, judging.after) == turn);
        if self.coach.judging.is_none() {
            let turn = model.position().history()[before.history().len()..].to_vec();
            let (then, now, node) = (then.clone(), Some(now.clone()), model.node().number());
            let keys = (before.key(), key);
            let played = Box::new(Played { before, turn, then, now });
            let job = self.start(Work::Warn { played, level: coach_level(Some(watch)), node });
            self.coach.judging = Some(Judging { job, before: keys.0, after: keys.1 });
        }
        None
    }

    /// The turn is judged, or that went wrong: then it passes.
    pub(super) fn warned(&mut self, number: JobNumber, warning: Option<Sealed<CoachWarning>>) {
        let judging = self.coach.judging.take_if(|judging| judging.job == number);
        let Some(Judging { before, after, .. }) = judging else { return };
        match warning {
            Some(warning) => {
                self.coach.warned = Some(Warned { before, after, warning, taken_back: false });
            }
            None => self.coach.passed = Some(after),
        }
        self.think();
    }

    /// Searches a position for the coach.
    pub(super) fn coach_search(&mut self, node: NodeId, position: Position) {
        let Effort { budget, exact } = self.effort(1);
        let budget = Budget { time: Some(LOOK_TIME), grace: Duration::MAX, ..budget };
        let effort = Effort { budget, exact: exact.map(|nodes| nodes.min(SOLVED)) };
        // There is an analyst, or nobody would be coached.
        let _ = self.judge_at(node, position, Purpose::Coach, effort);
    }

    /// A search of the coach has ended; where one has no result the turn passes.
    pub(super) fn coach_found(&mut self, key: u64, found: Option<Searched>) {
        self.coach.known.insert(key, found);
        self.think();
    }

    /// A job has worked out what is threatened, or has failed.
    pub(super) fn danger_found(&mut self, number: JobNumber, danger: Option<Sealed<DangerView>>) {
        let asked = self.coach.asking.iter().find(|(_, job)| **job == number);
        let Some(client) = asked.map(|(client, _)| *client) else { return };
        self.coach.asking.remove(&client);
        if let Some(danger) = danger {
            self.clients.tell(client, ToPage::Danger { danger });
        }
    }

    fn coach_view(&self) -> CoachView {
        CoachView { level: coach_level(self.game.coach), says: self.coach.says() }
    }

    /// Tells a page that comes, where there is a coach.
    pub(super) fn introduce_coach(&mut self, client: ClientId) {
        if self.game.coach.is_some() {
            let coach = self.coach_view();
            self.clients.tell(client, ToPage::Coach { coach });
        }
    }

    /// Tells all pages when the coach says something else than before.
    pub(super) fn tell_coach(&mut self) {
        let coach = self.coach_view();
        let told = self.coach.told.as_ref();
        let news = match told {
            Some(told) => *told != coach,
            None => coach.level != CoachLevel::Off,
        };
        if news {
            self.coach.told = Some(coach.clone());
            self.clients.tell_all(ToPage::Coach { coach });
        }
    }
}
