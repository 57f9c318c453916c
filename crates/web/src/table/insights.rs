//! What a table shows besides the stones: threats, exact column scores, shapes of lines.

use std::sync::Arc;

use collinear_connect4::Solver;
use collinear_rules::Cell;

use super::{Mail, SearchNumber, Solving, Table};
use crate::pool::Manners;
use crate::wire::{ColumnScore, ColumnsView, ToPage};
use crate::{columns, insight, socket};

impl Table {
    /// Brings the overlays up to the position shown.
    pub(super) fn look(&mut self) {
        self.looks += 1;
        if self.threats {
            let look = self.looks;
            let (position, node) = (self.game.position().clone(), self.game.current().number());
            let mailbox = self.mailbox.clone();
            tokio::task::spawn_blocking(move || {
                // A closed mailbox: nobody looks any more.
                let threats = insight::threats(&position, node);
                let _ = mailbox.blocking_send(Mail::Threats(look, threats));
            });
        }
        if self.book
            && let Some(book) = self.hall.book(self.game.rules())
        {
            let book = insight::book(book, self.game.position(), self.game.current().number());
            self.tell_all(&ToPage::Book { book });
        }
        let node = self.game.current().number();
        let is_current = self.solving.as_ref().is_some_and(|(_, _, view)| view.node == node);
        if !self.columns || self.game.position().is_over() {
            self.solving = None;
        } else if !is_current {
            self.solve();
        }
    }

    fn solve(&mut self) {
        self.searches += 1;
        let number = self.searches;
        let position = self.game.position().clone();
        let rules = *position.rules();
        let width = rules.width();
        let (pool, mailbox) = (Arc::clone(&self.hall.pool), self.mailbox.clone());
        let name = format!("columns/{rules}");
        let unknown = vec![ColumnScore::Unknown; width];
        let job = self.hall.pool.submit(
            Manners::Patient,
            self.mailbox.clone(),
            move |ahead| Mail::ColumnsQueued(number, ahead),
            Mail::Columns(number, unknown, Solving::Failed),
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
            node: self.game.current().number(),
            columns: vec![ColumnScore::Unknown; width],
            done: false,
            waiting: 0,
        };
        self.tell_all(&ToPage::Columns { columns: view.clone() });
        self.solving = Some((number, job, view));
    }

    pub(super) fn columns_queued(&mut self, number: SearchNumber, ahead: u32) {
        if let Some((running, _, view)) = &mut self.solving
            && *running == number
        {
            view.waiting = ahead;
            let columns = view.clone();
            self.tell_all(&ToPage::Columns { columns });
        }
    }

    pub(super) fn columns_found(
        &mut self,
        number: SearchNumber,
        scores: Vec<ColumnScore>,
        how: Solving,
    ) {
        let Some((running, _, view)) = &mut self.solving else { return };
        if *running != number {
            return;
        }
        view.columns = scores;
        view.waiting = 0;
        view.done = matches!(how, Solving::Done | Solving::Failed);
        let columns = view.clone();
        self.tell_all(&ToPage::Columns { columns });
        if how == Solving::Stopped {
            // It made room for others: its table remembers what it has learnt.
            self.solve();
        }
    }

    /// Answers one page; building a table-base takes a moment, so not in this task.
    pub(super) fn shapes(&self, number: u64, cell: Cell) {
        let (position, node) = (self.game.position().clone(), self.game.current().number());
        let hall = Arc::clone(&self.hall);
        let Some(out) =
            self.guests.iter().find(|guest| guest.number == number).map(|guest| guest.out.clone())
        else {
            return;
        };
        tokio::task::spawn_blocking(move || {
            if let Some(shapes) = hall.line_tables.shapes(&position, cell, node) {
                socket::send(&out, &ToPage::Shapes { shapes });
            }
        });
    }
}
