//! What a room shows besides the stones: threats, exact column scores, shapes of lines, the book, the
//! network's first thoughts.

use std::collections::HashMap;
use std::time::Duration;

use collinear_play::instant::Instant;
use collinear_rules::{Cell, Player};

use super::{ClientId, Room};
use crate::convert::cells_of;
use crate::game::Refusal;
use crate::insight;
use crate::wire::{
    ColumnScore, ColumnsView, Overlay, ParityView, PolicyView, Sealed, ShapesView, ThreatsView,
    ToPage, WinView,
};
use crate::work::{JobNumber, Work, Written};

/// How long the columns of one position are solved before the rest stays unknown.
const MAX_SOLVING: Duration = Duration::from_secs(600);

/// What is shown, and the work on it.
#[derive(Default)]
pub(super) struct Overlays {
    shown: Vec<Overlay>,
    /// Threats being counted.
    counting: Option<JobNumber>,
    /// The network at work.
    glancing: Option<JobNumber>,
    /// Odd and even threats being worked out.
    filling: Option<JobNumber>,
    /// Shapes being worked out, the latest that each page asked for.
    shaping: HashMap<ClientId, JobNumber>,
    /// Wins being played out, the latest question of each page.
    winning: HashMap<ClientId, JobNumber>,
    /// Records being written, the latest that each page asked for.
    writing: HashMap<ClientId, JobNumber>,
    solving: Option<Columns>,
}

/// The solver at work and what it has found.
struct Columns {
    job: Option<JobNumber>,
    begun: Instant,
    view: ColumnsView,
}

/// How far the solver is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Solving {
    /// More columns follow.
    Going,
    /// Everything is known.
    Done,
    /// It made room for others, or was told to stop.
    Stopped,
    /// It has crashed.
    Failed,
}

impl Overlays {
    pub(super) fn switch(&mut self, shown: Vec<Overlay>) {
        self.shown = shown;
    }

    fn shows(&self, overlay: Overlay) -> bool {
        self.shown.contains(&overlay)
    }

    /// The jobs that are wanted.
    pub(super) fn jobs(&self) -> impl Iterator<Item = JobNumber> {
        let solving = self.solving.as_ref().and_then(|columns| columns.job);
        let single = [self.counting, self.glancing, self.filling, solving].into_iter().flatten();
        let each = [&self.shaping, &self.winning, &self.writing];
        single.chain(each.into_iter().flat_map(|jobs| jobs.values().copied()))
    }

    /// Nobody looks any more.
    pub(super) fn stop(&mut self) {
        self.counting = None;
        self.glancing = None;
        self.filling = None;
        self.shaping.clear();
        self.winning.clear();
        self.writing.clear();
        self.solving = None;
    }

    /// A page looks elsewhere.
    pub(super) fn leave(&mut self, client: ClientId) {
        self.shaping.remove(&client);
        self.winning.remove(&client);
        self.writing.remove(&client);
    }
}

impl Room {
    /// What can be shown in this game.
    pub(super) fn offered(&self) -> Vec<Overlay> {
        let rules = self.game.rules();
        let offered = [
            (Overlay::Threats, true),
            (Overlay::Columns, collinear_connect4::solves(rules)),
            (Overlay::Parity, collinear_connect4::solves(rules)),
            (Overlay::Book, self.lobby.book(rules).is_some()),
            (Overlay::Shapes, insight::has_shapes(rules)),
            (Overlay::Policy, insight::has_policy(rules)),
        ];
        offered.into_iter().filter(|(_, has)| *has).map(|(overlay, _)| overlay).collect()
    }

    /// Brings the overlays up to the position shown. Nobody looking, there is nothing to bring.
    pub(super) fn look(&mut self) {
        if self.clients.is_empty() {
            return;
        }
        let model = &self.game.model;
        let (position, node) = (model.position().clone(), model.node().number());
        let over = position.is_over();
        // An older look may take longer than this one: only the latest job is heard.
        self.overlays.counting = self
            .overlays
            .shows(Overlay::Threats)
            .then(|| self.start(Work::Threats { position: position.clone(), node }));
        let glance =
            self.overlays.shows(Overlay::Policy) && insight::has_policy(position.rules()) && !over;
        self.overlays.glancing =
            glance.then(|| self.start(Work::Policy { position: position.clone(), node }));
        if self.overlays.shows(Overlay::Book)
            && let Some(book) = self.lobby.book(position.rules())
        {
            let book = insight::book(book, &position, node);
            self.clients.tell_all(ToPage::Book { book });
        }
        self.overlays.filling = self
            .overlays
            .shows(Overlay::Parity)
            .then(|| self.start(Work::Parity { position: position.clone(), node }));
        let is_current =
            self.overlays.solving.as_ref().is_some_and(|columns| columns.view.node == node);
        if !self.overlays.shows(Overlay::Columns) || over {
            self.overlays.solving = None;
        } else if !is_current {
            self.solve(self.now);
        }
    }

    fn solve(&mut self, begun: Instant) {
        let model = &self.game.model;
        let view = ColumnsView {
            node: model.node().number(),
            columns: vec![ColumnScore::Unknown; model.rules().width()],
            done: false,
            waiting: 0,
        };
        let job = self.start(Work::Columns { position: self.game.model.position().clone() });
        self.clients.tell_all(ToPage::Columns { columns: view.clone() });
        self.overlays.solving = Some(Columns { job: Some(job), begun, view });
    }

    pub(super) fn start(&mut self, work: Work) -> JobNumber {
        self.jobs.start(work, &mut self.clients.effects)
    }

    pub(super) fn threats_found(
        &mut self,
        number: JobNumber,
        threats: Option<Sealed<ThreatsView>>,
    ) {
        if self.overlays.counting.take_if(|job| *job == number).is_some()
            && let Some(threats) = threats
        {
            self.clients.tell_all(ToPage::Threats { threats });
        }
    }

    pub(super) fn policy_found(&mut self, number: JobNumber, policy: Option<Sealed<PolicyView>>) {
        if self.overlays.glancing.take_if(|job| *job == number).is_some()
            && let Some(policy) = policy
        {
            self.clients.tell_all(ToPage::Policy { policy });
        }
    }

    pub(super) fn parity_found(&mut self, number: JobNumber, parity: Option<Sealed<ParityView>>) {
        if self.overlays.filling.take_if(|job| *job == number).is_some()
            && let Some(parity) = parity
        {
            self.clients.tell_all(ToPage::Parity { parity });
        }
    }

    pub(super) fn columns_queued(&mut self, number: JobNumber, ahead: u32) {
        self.with_columns(number, |view| view.waiting = ahead);
    }

    /// Changes what is known of the columns, if this job is at work on them, and tells the pages.
    fn with_columns(&mut self, number: JobNumber, change: impl FnOnce(&mut ColumnsView)) {
        if let Some(solving) = &mut self.overlays.solving
            && solving.job == Some(number)
        {
            change(&mut solving.view);
            let columns = solving.view.clone();
            self.clients.tell_all(ToPage::Columns { columns });
        }
    }

    pub(super) fn columns_found(
        &mut self,
        number: JobNumber,
        scores: Vec<ColumnScore>,
        how: Solving,
    ) {
        let Some(solving) = &self.overlays.solving else { return };
        let begun = solving.begun;
        let given_up = self.now.duration_since(begun) >= MAX_SOLVING;
        let again = how == Solving::Stopped && !given_up && solving.job == Some(number);
        self.with_columns(number, |view| {
            view.columns = scores;
            view.waiting = 0;
            view.done = how != Solving::Going && !again;
        });
        if again {
            // It made room for others: its table remembers what it has learnt.
            self.solve(begun);
        } else if let Some(solving) = &mut self.overlays.solving
            && how != Solving::Going
        {
            solving.job = solving.job.filter(|job| *job != number);
        }
    }

    /// Answers one page; what it asked before is not wanted any more.
    pub(super) fn shapes(&mut self, client: ClientId, cell: Cell) {
        let model = &self.game.model;
        let (position, node) = (model.position().clone(), model.node().number());
        let job = self.start(Work::Shapes { position, node, cell });
        self.overlays.shaping.insert(client, job);
    }

    pub(super) fn shapes_found(&mut self, number: JobNumber, shapes: Option<Sealed<ShapesView>>) {
        let asked = self.overlays.shaping.iter().find(|(_, job)| **job == number);
        let Some(client) = asked.map(|(client, _)| *client) else { return };
        self.overlays.shaping.remove(&client);
        if let Some(shapes) = shapes {
            self.clients.tell(client, ToPage::Shapes { shapes });
        }
    }

    /// Asks how a win goes on; what the page asked before is not wanted any more.
    pub(super) fn show_win(
        &mut self,
        client: ClientId,
        node: u32,
        winner: Player,
        stones: &[u16],
    ) -> Result<(), Refusal> {
        let model = &self.game.model;
        let place = model.tree().node(node);
        let position = place.and_then(|place| model.position_at(place));
        let position = position.ok_or(collinear_play::Refusal::NoSuchNode)?;
        let stones = cells_of(position.rules(), stones).map_err(Refusal::Record)?;
        let job = self.start(Work::Win { position, node, winner, stones });
        self.overlays.winning.insert(client, job);
        Ok(())
    }

    pub(super) fn win_found(&mut self, number: JobNumber, win: Option<Sealed<WinView>>) {
        let asked = self.overlays.winning.iter().find(|(_, job)| **job == number);
        let Some(client) = asked.map(|(client, _)| *client) else { return };
        self.overlays.winning.remove(&client);
        if let Some(win) = win {
            self.clients.tell(client, ToPage::Win { win });
        }
    }

    /// Has the game written down for one page; with the review, if there is one and it is wanted.
    pub(super) fn export(&mut self, client: ClientId, format: String, reviewed: bool) {
        let record = Box::new(self.game.model.record());
        let review = self.review.line().filter(|_| reviewed).cloned().map(Box::new);
        let job = self.start(Work::Write { record, format, review });
        self.overlays.writing.insert(client, job);
    }

    pub(super) fn written(&mut self, number: JobNumber, written: Result<Written, String>) {
        let asked = self.overlays.writing.iter().find(|(_, job)| **job == number);
        let Some(client) = asked.map(|(client, _)| *client) else { return };
        self.overlays.writing.remove(&client);
        let message = match written {
            Ok(Written { name, text, losses }) => ToPage::Exported { name, text, losses },
            Err(text) => ToPage::Refused { text },
        };
        self.clients.tell(client, message);
    }

    /// A job of an overlay went wrong.
    pub(super) fn overlays_failed(&mut self, number: JobNumber) {
        self.threats_found(number, None);
        self.policy_found(number, None);
        self.parity_found(number, None);
        self.shapes_found(number, None);
        self.win_found(number, None);
        let unknown = vec![ColumnScore::Unknown; self.game.rules().width()];
        self.columns_found(number, unknown, Solving::Failed);
    }
}
