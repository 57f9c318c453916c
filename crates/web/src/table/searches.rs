//! The searches of a table: an agent's turn, a hint, the analysis, a review of the game.

use std::sync::Arc;
use std::time::{Duration, Instant};

use collinear_play::{Agent, Budget, Report};
use collinear_rules::{Cell, Position};

use super::{Found, Mail, Running, SearchNumber, Table};
use crate::convert::{cells, engine_line};
use crate::game::Refusal;
use crate::levels;
use crate::pool::Manners;
use crate::tree::NodeId;
use crate::wire::{Purpose, SearchView, Seat, ToPage};

/// The least time before an agent answers a person: an instant answer is missed by the eye.
const ANSWER_PACE: Duration = Duration::from_millis(200);
/// How long a hint may think.
const HINT_TIME: Duration = Duration::from_millis(1500);
/// How long an analysis runs at most before it rests.
const ANALYSIS_TIME: Duration = Duration::from_secs(120);
/// How long a review looks at each position.
const REVIEW_TIME: Duration = Duration::from_millis(300);
/// Reports a second that reach the page, at most ten.
const REPORT_GAP: Duration = Duration::from_millis(100);

impl Table {
    /// Drops the searches of other positions and starts those that are wanted here.
    pub(super) fn think(&mut self) {
        let node = self.game.current();
        self.running.retain(|purpose, search| {
            *purpose == Purpose::Review
                || search.node == node
                    && search.position == *self.game.position()
                    && (*purpose != Purpose::Turn || self.game.agent_to_move().is_some())
        });
        if self.guests.is_empty() {
            return;
        }
        if self.held.is_some() && self.game.agent_to_move().is_none() {
            self.held = None;
        }
        if !self.running.contains_key(&Purpose::Turn)
            && self.held.is_none()
            && let Some((player, spec)) = self.game.agent_to_move()
        {
            let seed = self.game.seed.wrapping_add(player.index() as u64);
            let (spec, budget) = (spec.to_owned(), self.game.budget());
            self.search(Purpose::Turn, &spec, seed, budget);
        }
        if self.lines > 0
            && self.game.ending().is_none()
            && self.analysed != Some(node)
            && !self.running.contains_key(&Purpose::Analysis)
            && let Some(analyst) = levels::analyst(&self.hall.registry, self.game.rules())
        {
            let budget = Budget { lines: u16::from(self.lines), ..Budget::time(ANALYSIS_TIME) };
            self.search(Purpose::Analysis, &analyst, self.game.seed, budget);
        }
    }

    pub(super) fn hint(&mut self) -> Result<(), Refusal> {
        if self.game.ending().is_some() {
            return Err(Refusal::Over);
        }
        let analyst =
            levels::analyst(&self.hall.registry, self.game.rules()).ok_or(Refusal::NoAnalyst)?;
        self.search(Purpose::Hint, &analyst, self.game.seed, Budget::time(HINT_TIME));
        Ok(())
    }

    fn search(&mut self, purpose: Purpose, spec: &str, seed: u64, budget: Budget) {
        let (node, position) = (self.game.current(), self.game.position().clone());
        self.search_at(node, position, Task { purpose, spec, seed, budget });
    }

    fn search_at(&mut self, node: NodeId, position: Position, task: Task<'_>) {
        let Task { purpose, spec, seed, mut budget } = task;
        self.searches += 1;
        let number = self.searches;
        let choice = self.hall.registry.parse(spec);
        let name = format!("{}/{purpose:?}/{seed}/{spec}", self.id);
        let pool = Arc::clone(&self.hall.pool);
        let mailbox = self.mailbox.clone();
        let searched = position.clone();
        let manners = if purpose == Purpose::Analysis { Manners::Patient } else { Manners::Busy };
        let failed = Found {
            turn: Err(format!("{spec} has crashed on this position")),
            report: Report::default(),
            stopped: false,
        };
        let job = self.hall.pool.submit(
            manners,
            self.mailbox.clone(),
            move |ahead| Mail::Queued(number, ahead),
            Mail::Found(number, failed),
            move |stop| {
                budget.stop = stop.clone();
                let mut last = Report::default();
                let mut told: Option<Instant> = None;
                let choose = || {
                    let kept = pool.take::<Box<dyn Agent>>(&name);
                    let choice = choice.map_err(|error| error.to_string())?;
                    let mut agent = if let Some(agent) = kept {
                        agent
                    } else {
                        let mut fresh = choice
                            .build(searched.rules(), seed)
                            .map_err(|error| error.to_string())?;
                        fresh.new_game();
                        fresh
                    };
                    let turn = agent.choose(&searched, &budget, &mut |report| {
                        last = report.clone();
                        if told.is_none_or(|told| told.elapsed() >= REPORT_GAP) {
                            told = Some(Instant::now());
                            // A full mailbox loses this report, not the next one.
                            let _ = mailbox.try_send(Mail::Progress(number, report.clone()));
                        }
                    });
                    pool.keep(name, agent);
                    turn.map_err(|error| error.to_string())
                };
                let turn = choose();
                Mail::Found(number, Found { turn, report: last, stopped: stop.is_stopped() })
            },
        );
        let view = SearchView {
            purpose,
            node: node.number(),
            agent: spec.to_owned(),
            waiting: 0,
            done: false,
            depth: 0,
            nodes: 0.0,
            ms: 0,
            lines: Vec::new(),
            note: None,
            turn: Vec::new(),
            problem: None,
        };
        if purpose != Purpose::Review {
            self.tell_all(&ToPage::Search { search: view.clone() });
        }
        self.running.insert(purpose, Running { number, _job: job, position, node, view });
    }

    /// Changes the view of a search that still runs and tells the pages.
    pub(super) fn with(&mut self, number: SearchNumber, change: impl FnOnce(&mut Running)) {
        let search = self.running.values_mut().find(|search| search.number == number);
        if let Some(search) = search {
            change(search);
            let search = search.view.clone();
            if search.purpose != Purpose::Review {
                self.tell_all(&ToPage::Search { search });
            }
        }
    }

    pub(super) fn progress(&mut self, number: SearchNumber, report: &Report) {
        self.with(number, |search| {
            let to_move = search.position.to_move();
            let view = &mut search.view;
            view.waiting = 0;
            view.depth = report.depth;
            view.nodes = report.nodes as f64;
            view.ms = report.elapsed.as_millis() as u32;
            if !report.lines.is_empty() {
                view.lines = report.lines.iter().map(|line| engine_line(line, to_move)).collect();
            }
            view.note.clone_from(&report.note);
        });
    }

    pub(super) fn found(&mut self, number: SearchNumber, found: Found) {
        let Some(purpose) =
            self.running.iter().find(|(_, search)| search.number == number).map(|(p, _)| *p)
        else {
            return;
        };
        self.progress(number, &found.report);
        let Some(mut search) = self.running.remove(&purpose) else { return };
        let chance = search.view.lines.first().map(|line| line.chance);
        if let Some(chance) = chance
            && self.game.tree.set_chance(search.node, chance)
        {
            self.show_tree();
        }
        search.view.done = true;
        search.view.waiting = 0;
        match (purpose, found.turn) {
            (Purpose::Turn, Ok(turn)) => {
                self.tell_all(&ToPage::Search { search: search.view });
                let due = self.turn_began + self.pace();
                if due <= Instant::now() {
                    self.play_turn(&turn);
                } else {
                    self.held = Some((due, turn));
                }
            }
            (Purpose::Turn, Err(problem)) => self.give_up(&problem),
            (Purpose::Analysis, Ok(_)) if found.stopped => {
                // It made room for others: back into the queue.
                self.think();
            }
            (Purpose::Review, _) => self.review_next(),
            (_, result) => {
                if purpose == Purpose::Analysis {
                    self.analysed = Some(search.node);
                }
                match result {
                    Ok(turn) => search.view.turn = cells(&turn),
                    Err(problem) => search.view.problem = Some(problem),
                }
                self.tell_all(&ToPage::Search { search: search.view });
            }
        }
    }

    /// Begins or ends a review: every turn of the line shown is evaluated, one after the other.
    pub(super) fn review(&mut self, on: bool) {
        self.running.remove(&Purpose::Review);
        self.to_review.clear();
        if on {
            let tip = self.game.tree.tip(self.game.current());
            self.to_review = self.game.turn_ends(tip);
            self.to_review.reverse();
        }
        self.reviewed = (0, self.to_review.len() as u32);
        self.review_next();
    }

    fn review_next(&mut self) {
        let (before, of) = self.reviewed;
        let left = self.to_review.len() as u32;
        self.reviewed = (of - left, of);
        if before != self.reviewed.0 || left == 0 {
            self.tell_all(&ToPage::Reviewed { done: of - left, of });
        }
        let analyst = levels::analyst(&self.hall.registry, self.game.rules());
        if let (Some(node), Some(spec)) = (self.to_review.pop(), analyst) {
            // The tree may have been cut meanwhile.
            if self.game.tree.node(node.number()).is_none() {
                return self.review_next();
            }
            let position = self.game.position_at(node);
            if position.is_over() {
                return self.review_next();
            }
            let (seed, budget) = (self.game.seed, Budget::time(REVIEW_TIME));
            let task = Task { purpose: Purpose::Review, spec: &spec, seed, budget };
            self.search_at(node, position, task);
        } else if left == 0 {
            self.save();
        }
    }

    fn pace(&self) -> Duration {
        if self.game.seats.contains(&Seat::Person) {
            ANSWER_PACE
        } else {
            Duration::from_millis(u64::from(self.game.pace_ms))
        }
    }

    pub(super) fn play_turn(&mut self, turn: &[Cell]) {
        let (player, before) = (self.game.position().to_move(), self.game.current());
        for &cell in turn {
            if self.game.ending().is_some() || self.game.position().to_move() != player {
                break;
            }
            if let Err(refusal) = self.game.play(cell) {
                let _ = self.game.goto(before.number());
                return self.give_up(&format!("it wanted to play {refusal}"));
            }
        }
        if self.game.current() == before {
            return self.give_up("it had no turn to offer");
        }
        self.turn_began = Instant::now();
        self.settle();
    }

    /// An agent that cannot move holds the game; the person may take back, go on or start anew.
    fn give_up(&mut self, problem: &str) {
        let name = self.game.seat_name(self.game.position().to_move());
        (self.hall.log)(&format!("game {}: {name} cannot go on: {problem}", self.id));
        self.game.trouble = Some(format!("{name} cannot go on: {problem}"));
        self.settle();
    }
}

/// What to search for, with whom and how long.
struct Task<'a> {
    purpose: Purpose,
    spec: &'a str,
    seed: u64,
    budget: Budget,
}
