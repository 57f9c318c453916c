//! What a table shows besides the stones: threats, exact column scores, shapes of lines, the book.

use std::collections::HashMap;
use std::sync::Arc;

use collinear_connect4::Solver;
use collinear_rules::Cell;

use super::{Mail, SearchNumber, Solving, Table};
use crate::pool::{Job, Slicing};
use crate::wire::{ColumnScore, ColumnsView, ThreatsView, ToPage};
use crate::{columns, insight};

/// What is shown, and the work on it.
#[derive(Default)]
pub(super) struct Overlays {
    threats: bool,
    columns: bool,
    book: bool,
    /// How often they were brought up to date.
    looks: u64,
    /// Threats being counted.
    counting: Option<Job>,
    /// Shapes being worked out, the latest that each page asked for.
    shaping: HashMap<u64, Job>,
    /// The solver at work and what it has found.
    solving: Option<(SearchNumber, Job, ColumnsView)>,
}

impl Overlays {
    pub(super) const fn switch(&mut self, threats: bool, columns: bool, book: bool) {
        (self.threats, self.columns, self.book) = (threats, columns, book);
    }

    /// Nobody looks any more.
    pub(super) fn stop(&mut self) {
        self.counting = None;
        self.shaping.clear();
        self.solving = None;
    }

    /// A page looks elsewhere.
    pub(super) fn leave(&mut self, number: u64) {
        self.shaping.remove(&number);
    }
}

impl Table {
    /// Brings the overlays up to the position shown.
    pub(super) fn look(&mut self) {
        self.overlays.looks += 1;
        self.overlays.counting = self.overlays.threats.then(|| {
            let look = self.overlays.looks;
            let (position, node) =
                (self.game.model.position().clone(), self.game.model.node().number());
            self.hall.overlays.submit(
                Slicing::Whole,
                self.mailbox.clone(),
                |_| None,
                move |_| Mail::Threats(look, None),
                move |stop| Mail::Threats(look, insight::threats(&position, node, stop)),
            )
        });
        if self.overlays.book
            && let Some(book) = self.hall.book(self.game.rules())
        {
            let book =
                insight::book(book, self.game.model.position(), self.game.model.node().number());
            self.audience.tell_all(&ToPage::Book { book });
        }
        let node = self.game.model.node().number();
        let is_current =
            self.overlays.solving.as_ref().is_some_and(|(_, _, view)| view.node == node);
        if !self.overlays.columns || self.game.model.position().is_over() {
            self.overlays.solving = None;
        } else if !is_current {
            self.solve();
        }
    }

    fn solve(&mut self) {
        let number = self.searches.next_number();
        let position = self.game.model.position().clone();
        let rules = *position.rules();
        let width = rules.width();
        let (pool, mailbox) = (Arc::clone(&self.hall.pool), self.mailbox.clone());
        let name = format!("columns/{rules}");
        let unknown = vec![ColumnScore::Unknown; width];
        let job = self.hall.pool.submit(
            Slicing::Sliced,
            self.mailbox.clone(),
            move |ahead| Some(Mail::ColumnsQueued(number, ahead)),
            move |_| Mail::Columns(number, unknown, Solving::Failed),
            move |stop| {
                let kept = pool.take::<Solver>(&name).or_else(|| columns::solver(&rules));
                let Some(mut solver) = kept else {
                    return Mail::Columns(number, Vec::new(), Solving::Failed);
                };
                let scores = columns::scores(&mut solver, &position, stop, &mut |known| {
                    let _ = mailbox.try_send(Mail::Columns(number, known.to_vec(), Solving::Going));
                });
                pool.keep(name, solver);
                let is_done = !scores.contains(&ColumnScore::Unknown);
                let how = if is_done { Solving::Done } else { Solving::Stopped };
                Mail::Columns(number, scores, how)
            },
        );
        let view = ColumnsView {
            node: self.game.model.node().number(),
            columns: vec![ColumnScore::Unknown; width],
            done: false,
            waiting: 0,
        };
        self.audience.tell_all(&ToPage::Columns { columns: view.clone() });
        self.overlays.solving = Some((number, job, view));
    }

    pub(super) fn threats_found(&self, look: u64, threats: Option<ThreatsView>) {
        // An older look may have taken longer: its node can be another position by now.
        if look == self.overlays.looks
            && let Some(threats) = threats
        {
            self.audience.tell_all(&ToPage::Threats { threats });
        }
    }

    pub(super) fn columns_queued(&mut self, number: SearchNumber, ahead: u32) {
        if let Some((running, _, view)) = &mut self.overlays.solving
            && *running == number
        {
            view.waiting = ahead;
            let columns = view.clone();
            self.audience.tell_all(&ToPage::Columns { columns });
        }
    }

    pub(super) fn columns_found(
        &mut self,
        number: SearchNumber,
        scores: Vec<ColumnScore>,
        how: Solving,
    ) {
        let Some((running, _, view)) = &mut self.overlays.solving else { return };
        if *running != number {
            return;
        }
        view.columns = scores;
        view.waiting = 0;
        view.done = matches!(how, Solving::Done | Solving::Failed);
        let columns = view.clone();
        self.audience.tell_all(&ToPage::Columns { columns });
        if how == Solving::Stopped {
            // It made room for others: its table remembers what it has learnt.
            self.solve();
        }
    }

    /// Answers one page; building a table-base takes a moment, so not in this task. What the page
    /// asked before is not wanted any more.
    pub(super) fn shapes(&mut self, number: u64, cell: Cell) {
        let (position, node) =
            (self.game.model.position().clone(), self.game.model.node().number());
        let hall = Arc::clone(&self.hall);
        let job = self.hall.overlays.submit(
            Slicing::Whole,
            self.mailbox.clone(),
            |_| None,
            move |_| Mail::Shapes(number, None),
            move |_| Mail::Shapes(number, hall.line_tables.shapes(&position, cell, node)),
        );
        self.overlays.shaping.insert(number, job);
    }
}
