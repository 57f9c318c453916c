//! The searches of a room: an agent's turn, a hint, the analysis, a position of a review.

use std::collections::HashMap;
use std::time::Duration;

use collinear_agents::strongest;
use collinear_play::instant::Instant;
use collinear_play::{Budget, Fault, Line, NodeId, Report, StopFlag};
use collinear_rules::{Player, Position};

use super::pace::ReadyTurn;
use super::review::searched;
use super::{Effect, Room};
use crate::convert::{cells, engine_line};
use crate::game::Refusal;
use crate::wire::{Purpose, SearchView, ToPage};
use crate::work::{Found, HANG_PATIENCE, JobNumber, Search, Work, Yields};

/// How long a hint may think.
const HINT_TIME: Duration = Duration::from_millis(1500);
/// How long balanced stones are looked for.
const BALANCE_TIME: Duration = Duration::from_secs(4);
/// How long an analysis runs at most before it rests.
const ANALYSIS_TIME: Duration = Duration::from_secs(120);

/// The searches at work and what they are for.
#[derive(Default)]
pub(super) struct Searches {
    running: HashMap<Purpose, Running>,
    /// How many lines the analysis shows; 0 when it is off.
    lines: u8,
    /// How many balanced stones the search that begins looks for; 0 for a turn.
    balancing: u8,
    /// The node whose analysis is complete: it would only find the same again.
    analysed: Option<NodeId>,
}

struct Running {
    number: JobNumber,
    to_move: Player,
    /// The position's key.
    key: u64,
    node: NodeId,
    view: SearchView,
    /// What it may cost, and when an agent that plays has not come back at all.
    limit: Option<Duration>,
    hangs_at: Option<Instant>,
}

/// What to search for, with whom and how long.
pub(super) struct Task<'a> {
    pub(super) purpose: Purpose,
    pub(super) spec: &'a str,
    pub(super) seed: u64,
    pub(super) budget: Budget,
    /// Positions of the exact solver, where turns are to be graded and the game has one.
    pub(super) exact: Option<u64>,
}

impl Searches {
    /// The jobs that are wanted.
    pub(super) fn jobs(&self) -> impl Iterator<Item = JobNumber> {
        self.running.values().map(|search| search.number)
    }

    /// How the searches at work stand.
    pub(super) fn views(&self) -> impl Iterator<Item = &SearchView> {
        self.running.values().map(|search| &search.view)
    }

    /// Whether a search waits for a slot.
    pub(super) fn is_queued(&self, purpose: Purpose) -> bool {
        self.running.get(&purpose).is_some_and(|search| search.view.waiting > 0)
    }

    /// When the agent to move has used up all patience.
    pub(super) fn hangs_at(&self) -> Option<Instant> {
        self.running.get(&Purpose::Turn)?.hangs_at
    }

    /// The node that is being analysed.
    fn node_under_analysis(&self) -> Option<NodeId> {
        Some(self.running.get(&Purpose::Analysis)?.node)
    }

    /// Ends a search without a result.
    pub(super) fn cancel(&mut self, purpose: Purpose) {
        self.running.remove(&purpose);
    }

    /// The search of an agent that plays, when it is done.
    pub(super) fn take_turn(&mut self, number: JobNumber) -> Option<SearchView> {
        let search = self.running.get(&Purpose::Turn).filter(|search| search.number == number)?;
        let view = SearchView { done: true, waiting: 0, ..search.view.clone() };
        self.cancel(Purpose::Turn);
        Some(view)
    }

    /// Ends them all.
    pub(super) fn stop(&mut self) {
        self.running.clear();
    }
}

impl Room {
    /// Drops the searches of other positions and starts those that are wanted here.
    pub(super) fn think(&mut self) {
        let coach = self.coach_looks();
        let holds = self.coach.holds();
        let node = self.game.model.node();
        let analyses = self.may_analyse();
        if !analyses || self.searches.node_under_analysis() != Some(node) {
            self.note_analysis();
        }
        self.searches.running.retain(|purpose, search| match purpose {
            Purpose::Review | Purpose::Practice => true,
            Purpose::Coach => coach.as_ref().is_some_and(|(wanted, _)| search.node == *wanted),
            Purpose::Turn => search.node == node && self.game.agent_to_move().is_some() && !holds,
            Purpose::Analysis => search.node == node && analyses,
            Purpose::Hint => search.node == node,
        });
        if self.clients.is_empty() {
            return;
        }
        if self.pace.held.is_some() && self.game.agent_to_move().is_none() {
            self.pace.held = None;
        }
        if !self.searches.running.contains_key(&Purpose::Turn)
            && self.pace.held.is_none()
            && !holds
            && let Some((player, spec)) = self.game.agent_to_move()
        {
            let seed = self.game.seed.wrapping_add(player.index() as u64);
            let (spec, budget) = (spec.to_owned(), self.game.model.budget(StopFlag::default()));
            self.search(Purpose::Turn, &spec, seed, budget);
        }
        if let Some((node, position)) = coach
            && !self.searches.running.contains_key(&Purpose::Coach)
        {
            self.coach_search(node, position);
        }
        if self.searches.lines > 0
            && analyses
            && self.searches.analysed != Some(node)
            && !self.searches.running.contains_key(&Purpose::Analysis)
            && let Some(analyst) = self.analyst()
        {
            let lines = u16::from(self.searches.lines);
            let budget = Budget { lines, ..patient(ANALYSIS_TIME) };
            self.search(Purpose::Analysis, analyst, self.game.seed, budget);
        }
    }

    /// Sets how many lines the analysis shows; 0 switches it off.
    pub(super) fn analyse(&mut self, lines: u8) {
        self.note_analysis();
        self.searches.lines = lines;
        self.searches.analysed = None;
        self.searches.cancel(Purpose::Analysis);
    }

    /// Keeps what an analysis says that is about to be dropped.
    fn note_analysis(&mut self) {
        if let Some(search) = self.searches.running.get(&Purpose::Analysis) {
            let (node, view) = (search.node, search.view.clone());
            self.note_chance(node, &view);
        }
    }

    /// Keeps what a search says of a node, which may be gone: taken back or pruned while it ran.
    fn note_chance(&mut self, node: NodeId, view: &SearchView) {
        if let Some(chance) = view.lines.first().map(|line| line.chance)
            && let Ok(notes) = self.game.model.notes_mut(node)
            && notes.chance.replace(chance) != Some(chance)
        {
            self.clients.show_tree(self.game.nodes());
        }
    }

    /// Whether the position shown is to be analysed: not once the game is over, and not while a person
    /// waits for an agent, who needs the processors.
    fn may_analyse(&self) -> bool {
        let waits = self.game.agent_to_move().is_some() && !self.game.is_for_watching();
        !self.game.model.is_over() && !waits
    }

    /// Who analyses this game and gives hints.
    pub(super) fn analyst(&self) -> Option<&'static str> {
        strongest(&self.lobby.registry, self.game.rules()).map(|spec| spec.name)
    }

    pub(super) fn hint(&mut self) -> Result<(), Refusal> {
        if self.game.model.is_over() {
            return Err(collinear_play::Refusal::Over.into());
        }
        if self.game.model.step().is_some() {
            return Err(Refusal::NoHintInOpening);
        }
        let analyst = self.analyst().ok_or(Refusal::NoAnalyst)?;
        self.search(Purpose::Hint, analyst, self.game.seed, patient(HINT_TIME));
        Ok(())
    }

    /// Looks for one or two stones that make the position as even as possible.
    pub(super) fn balance(&mut self, stones: u8) -> Result<(), Refusal> {
        if self.game.model.is_over() {
            return Err(collinear_play::Refusal::Over.into());
        }
        let analyst = self.analyst().ok_or(Refusal::NoAnalyst)?;
        let position = self.game.model.position();
        if position.rules().p() != 1 || position.rules().q() != 1 {
            return Err(Refusal::NoBalance);
        }
        self.searches.balancing = stones.clamp(1, 2);
        self.search(Purpose::Hint, analyst, self.game.seed, patient(BALANCE_TIME));
        self.searches.balancing = 0;
        Ok(())
    }

    fn search(&mut self, purpose: Purpose, spec: &str, seed: u64, budget: Budget) {
        let (node, position) = (self.game.model.node(), self.game.model.position().clone());
        self.search_at(node, position, Task { purpose, spec, seed, budget, exact: None });
    }

    pub(super) fn search_at(&mut self, node: NodeId, position: Position, task: Task<'_>) {
        let Task { purpose, spec, seed, budget, exact } = task;
        let (to_move, key) = (position.to_move(), position.key());
        let limit = budget.limit().map(|limit| limit.saturating_add(budget.grace));
        let yields = if purpose == Purpose::Analysis { Yields::ToOthers } else { Yields::Never };
        let search = Search {
            owner: format!("{}/{purpose:?}", self.id),
            agent: spec.to_owned(),
            seed,
            position,
            budget,
            yields,
        };
        let step = self.game.model.step();
        let work = match (purpose, step) {
            (Purpose::Review | Purpose::Coach | Purpose::Practice, _) => match exact {
                Some(nodes) => Work::Exact { search, nodes },
                None => Work::Review(search),
            },
            (Purpose::Hint, _) if self.searches.balancing > 0 => {
                Work::Balance { search, stones: self.searches.balancing }
            }
            (Purpose::Turn, Some(step)) => Self::step_work(search, step),
            _ => Work::Think(search),
        };
        let number = self.start(work);
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
            words: None,
            problem: None,
        };
        if !is_silent(purpose) {
            self.clients.tell_all(ToPage::Search { search: view.clone() });
        }
        self.searches
            .running
            .insert(purpose, Running { number, to_move, key, node, view, limit, hangs_at: None });
    }

    /// Changes the view of a search that still runs and tells the pages.
    fn with(&mut self, number: JobNumber, change: impl FnOnce(&mut Running)) {
        let search = self.searches.running.values_mut().find(|search| search.number == number);
        if let Some(search) = search {
            change(search);
            let search = search.view.clone();
            if !is_silent(search.purpose) {
                self.clients.tell_all(ToPage::Search { search });
            }
        }
    }

    /// Its time begins to run.
    pub(super) fn started(&mut self, number: JobNumber) {
        let now = self.now;
        self.with(number, |search| {
            search.view.waiting = 0;
            let turn = search.view.purpose == Purpose::Turn;
            let limit = search.limit.filter(|_| turn);
            let patience = limit.map(|limit| limit.saturating_add(HANG_PATIENCE));
            search.hangs_at = patience.and_then(|time| now.checked_add(time));
        });
    }

    pub(super) fn queued(&mut self, number: JobNumber, ahead: u32) {
        self.with(number, |search| search.view.waiting = ahead);
    }

    pub(super) fn progress(&mut self, number: JobNumber, report: &Report) {
        self.with(number, |search| {
            let to_move = search.to_move;
            let view = &mut search.view;
            view.waiting = 0;
            view.depth = report.depth;
            view.nodes = report.nodes as f64;
            view.ms = report.elapsed.as_millis() as u32;
            if !report.lines.is_empty() {
                // Best first for the player to move, whatever order they were found in.
                let mut lines: Vec<&Line> = report.lines.iter().collect();
                lines.sort_by(|a, b| b.value.rank().total_cmp(&a.value.rank()));
                view.lines = lines.into_iter().map(|line| engine_line(line, to_move)).collect();
            }
            view.note.clone_from(&report.note);
        });
    }

    pub(super) fn found(&mut self, number: JobNumber, found: Found) {
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
        // What a position is worth after balanced stones says nothing about the node shown.
        if !found.balanced && !matches!(purpose, Purpose::Coach | Purpose::Practice) {
            self.note_chance(search.node, &search.view);
        }
        search.view.done = true;
        search.view.waiting = 0;
        match (purpose, found.turn) {
            (Purpose::Turn, Ok(turn)) => {
                self.clients.tell_all(ToPage::Search { search: search.view });
                let ready = ReadyTurn { turn, thought: found.thought, words: found.words };
                let due = self.due();
                if due <= self.now {
                    self.play_turn(ready);
                } else {
                    self.pace.held = Some((due, ready));
                }
            }
            (Purpose::Turn, Err(fault)) => {
                self.clients.tell_all(ToPage::Search { search: search.view });
                self.forfeit(&fault);
            }
            (Purpose::Analysis, Ok(_)) if found.stopped => {
                // It made room for others: back into the queue.
                self.think();
            }
            (Purpose::Review, turn) => {
                if let Ok(turn) = turn {
                    self.reviewed(search.node, turn, &found.report);
                }
                self.review_next();
            }
            (Purpose::Coach, turn) => {
                let found = turn.ok().map(|turn| searched(turn, &found.report));
                self.coach_found(search.key, found);
            }
            (Purpose::Practice, turn) => {
                let found = turn.ok().map(|turn| searched(turn, &found.report));
                self.judge_tried(found);
            }
            (_, result) => {
                if purpose == Purpose::Analysis {
                    self.searches.analysed = Some(search.node);
                }
                match result {
                    Ok(turn) => {
                        search.view.words = found.words;
                        search.view.turn = cells(&turn);
                    }
                    Err(fault) => search.view.problem = Some(fault.to_string()),
                }
                self.clients.tell_all(ToPage::Search { search: search.view });
            }
        }
    }

    /// A search went wrong.
    pub(super) fn search_failed(&mut self, number: JobNumber, fault: Fault) {
        self.found(number, Found::failed(fault));
    }

    pub(super) fn play_turn(&mut self, ReadyTurn { turn, thought, words }: ReadyTurn) {
        // The turn was checked when it was found; what can refuse it now is a full tree.
        match self.game.model.play_turn(&turn, thought) {
            Ok(()) => self.game.why = words.map(|words| (self.game.model.node(), words)),
            Err(refusal) => {
                self.game.paused = true;
                self.clients.tell_all(ToPage::Refused { text: refusal.to_string() });
            }
        }
        self.pace.turn_began = self.now;
        self.changed();
    }

    /// An agent that fails loses its game, as in a match; undo takes the loss back.
    pub(super) fn forfeit(&mut self, fault: &Fault) {
        let player = self.game.model.acting();
        let line = format!("game {}: {}: {fault}", self.id, self.game.name(player));
        self.clients.effects.push(Effect::Log(line));
        // A game that is over meanwhile needs no other end.
        let _ = self.game.model.forfeit(player, fault);
        self.changed();
    }

    /// An agent that does not come back at all has lost; its search is left to itself.
    pub(super) fn give_up_on_agent(&mut self) {
        self.searches.cancel(Purpose::Turn);
        self.forfeit(&Fault::Late { over: HANG_PATIENCE });
    }
}

/// Whether its progress is no news for pages: they hear of what is made of it.
const fn is_silent(purpose: Purpose) -> bool {
    matches!(purpose, Purpose::Review | Purpose::Coach | Purpose::Practice)
}

/// A budget for a search that nobody waits for at a clock: a late answer is as good.
pub(super) fn patient(time: Duration) -> Budget {
    Budget { grace: Duration::MAX, ..Budget::time(time) }
}
