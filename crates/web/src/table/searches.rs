//! The searches of a table: an agent's turn, a hint, the analysis, a position of a review.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use collinear_play::{Agent, Budget, Report};
use collinear_rules::{Cell, Position};

use super::{Found, Mail, SearchNumber, Table};
use crate::convert::{cells, engine_line};
use crate::game::Refusal;
use crate::levels;
use crate::pool::{Job, Slicing};
use crate::tree::{NodeId, NodeKey};
use crate::wire::{Purpose, SearchView, ToPage};

/// How long a hint may think.
const HINT_TIME: Duration = Duration::from_millis(1500);
/// How long an analysis runs at most before it rests.
const ANALYSIS_TIME: Duration = Duration::from_secs(120);
/// Reports a second that reach the page, at most ten.
const REPORT_GAP: Duration = Duration::from_millis(100);

/// The searches at work and what they are for.
#[derive(Default)]
pub(super) struct Searches {
    running: HashMap<Purpose, Running>,
    count: SearchNumber,
    /// How many lines the analysis shows; 0 when it is off.
    lines: u8,
    /// The node whose analysis is complete: it would only find the same again.
    analysed: Option<NodeKey>,
}

struct Running {
    number: SearchNumber,
    _job: Job,
    position: Position,
    node: NodeKey,
    view: SearchView,
}

/// What to search for, with whom and how long.
pub(super) struct Task<'a> {
    pub(super) purpose: Purpose,
    pub(super) spec: &'a str,
    pub(super) seed: u64,
    pub(super) budget: Budget,
}

impl Searches {
    /// A number no search of this table has.
    pub(super) const fn next_number(&mut self) -> SearchNumber {
        self.count += 1;
        self.count
    }

    /// How the searches at work stand.
    pub(super) fn views(&self) -> impl Iterator<Item = &SearchView> {
        self.running.values().map(|search| &search.view)
    }

    /// Whether a search waits for a slot.
    pub(super) fn is_queued(&self, purpose: Purpose) -> bool {
        self.running.get(&purpose).is_some_and(|search| search.view.waiting > 0)
    }

    /// Sets how many lines the analysis shows; 0 switches it off.
    pub(super) fn analyse(&mut self, lines: u8) {
        self.lines = lines;
        self.analysed = None;
        self.cancel(Purpose::Analysis);
    }

    /// Ends a search without a result.
    pub(super) fn cancel(&mut self, purpose: Purpose) {
        self.running.remove(&purpose);
    }

    /// Ends them all.
    pub(super) fn stop(&mut self) {
        self.running.clear();
    }
}

impl Table {
    /// Drops the searches of other positions and starts those that are wanted here.
    pub(super) fn think(&mut self) {
        let node = self.current_key();
        self.searches.running.retain(|purpose, search| {
            *purpose == Purpose::Review
                || search.node == node
                    && search.position == *self.game.position()
                    && (*purpose != Purpose::Turn || self.game.agent_to_move().is_some())
        });
        if self.audience.is_empty() {
            return;
        }
        if self.pace.held.is_some() && self.game.agent_to_move().is_none() {
            self.pace.held = None;
        }
        if !self.searches.running.contains_key(&Purpose::Turn)
            && self.pace.held.is_none()
            && let Some((player, spec)) = self.game.agent_to_move()
        {
            let seed = self.game.seed.wrapping_add(player.index() as u64);
            let (spec, budget) = (spec.to_owned(), self.game.budget());
            self.search(Purpose::Turn, &spec, seed, budget);
        }
        if self.searches.lines > 0
            && self.game.ending().is_none()
            && self.searches.analysed != Some(node)
            && !self.searches.running.contains_key(&Purpose::Analysis)
            && let Some(analyst) = levels::analyst(&self.hall.registry, self.game.rules())
        {
            let budget =
                Budget { lines: u16::from(self.searches.lines), ..Budget::time(ANALYSIS_TIME) };
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

    fn current_key(&self) -> NodeKey {
        self.game.tree.key(self.game.current())
    }

    fn search(&mut self, purpose: Purpose, spec: &str, seed: u64, budget: Budget) {
        let (node, position) = (self.current_key(), self.game.position().clone());
        self.search_at(node, position, Task { purpose, spec, seed, budget });
    }

    pub(super) fn search_at(&mut self, node: NodeKey, position: Position, task: Task<'_>) {
        let Task { purpose, spec, seed, mut budget } = task;
        let number = self.searches.next_number();
        let choice = self.hall.registry.parse(spec);
        let name = format!("{}/{purpose:?}/{seed}/{spec}", self.id);
        let pool = Arc::clone(&self.hall.pool);
        let mailbox = self.mailbox.clone();
        let searched = position.clone();
        let slicing = if purpose == Purpose::Analysis { Slicing::Sliced } else { Slicing::Whole };
        let failed = Found {
            turn: Err(format!("{spec} has crashed on this position")),
            report: Report::default(),
            stopped: false,
        };
        let job = self.hall.pool.submit(
            slicing,
            self.mailbox.clone(),
            move |ahead| Some(Mail::Queued(number, ahead)),
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
            node: self.game.tree.find(node).map_or(0, NodeId::number),
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
            self.audience.tell_all(&ToPage::Search { search: view.clone() });
        }
        self.searches.running.insert(purpose, Running { number, _job: job, position, node, view });
    }

    /// Changes the view of a search that still runs and tells the pages.
    fn with(&mut self, number: SearchNumber, change: impl FnOnce(&mut Running)) {
        let search = self.searches.running.values_mut().find(|search| search.number == number);
        if let Some(search) = search {
            change(search);
            if let Some(node) = self.game.tree.find(search.node) {
                search.view.node = node.number();
            }
            let search = search.view.clone();
            if search.purpose != Purpose::Review {
                self.audience.tell_all(&ToPage::Search { search });
            }
        }
    }

    pub(super) fn queued(&mut self, number: SearchNumber, ahead: u32) {
        self.with(number, |search| search.view.waiting = ahead);
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
        let Some(purpose) = self
            .searches
            .running
            .iter()
            .find(|(_, search)| search.number == number)
            .map(|(p, _)| *p)
        else {
            return;
        };
        self.progress(number, &found.report);
        let Some(mut search) = self.searches.running.remove(&purpose) else { return };
        let chance = search.view.lines.first().map(|line| line.chance);
        // The node may be gone: taken back or pruned while the search ran.
        if let Some(chance) = chance
            && let Some(node) = self.game.tree.find(search.node)
            && self.game.tree.set_chance(node, chance)
        {
            self.audience.show_tree(self.game.nodes());
        }
        search.view.done = true;
        search.view.waiting = 0;
        match (purpose, found.turn) {
            (Purpose::Turn, Ok(turn)) => {
                self.audience.tell_all(&ToPage::Search { search: search.view });
                let due = self.due();
                if due <= Instant::now() {
                    self.play_turn(&turn);
                } else {
                    self.pace.held = Some((due, turn));
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
                    self.searches.analysed = Some(search.node);
                }
                match result {
                    Ok(turn) => search.view.turn = cells(&turn),
                    Err(problem) => search.view.problem = Some(problem),
                }
                self.audience.tell_all(&ToPage::Search { search: search.view });
            }
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
        self.pace.turn_began = Instant::now();
        self.changed();
    }

    /// An agent that cannot move holds the game; the person may take back, go on or start anew.
    fn give_up(&mut self, problem: &str) {
        let name = self.game.seat_name(self.game.position().to_move());
        (self.hall.log)(&format!("game {}: {name} cannot go on: {problem}", self.id));
        self.game.trouble = Some(format!("{name} cannot go on: {problem}"));
        self.changed();
    }
}
