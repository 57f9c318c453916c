//! A table: one game, the pages that look at it, and the searches it needs.
//!
//! One task owns the game and reads its mail; nothing else touches it.
//!
//! ```text
//! pages ── Ask ──▶ ┌───────┐ ── Tree, Board, Search ──▶ pages
//! pool ── Found ─▶ │ table │ ── save ──▶ store
//! timer ─────────▶ └───────┘ ── submit ─▶ pool
//! ```

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use collinear_play::{Budget, Report, Turn};
use collinear_rules::{Cell, Position};
use tokio::sync::mpsc;

use crate::convert::{cells, engine_line};
use crate::game::{Game, Refusal};
use crate::hall::Hall;
use crate::pool::{Job, Manners};
use crate::tree::NodeId;
use crate::typed;
use crate::wire::{NodeView, Purpose, SearchView, Seat, ToPage, ToServer};
use crate::{levels, socket};

/// The least time before an agent answers a person: an instant answer is missed by the eye.
const ANSWER_PACE: Duration = Duration::from_millis(200);
/// How long a hint may think.
const HINT_TIME: Duration = Duration::from_millis(1500);
/// How long an analysis runs at most before it rests.
const ANALYSIS_TIME: Duration = Duration::from_secs(120);
/// Reports a second that reach the page, at most ten.
const REPORT_GAP: Duration = Duration::from_millis(100);
/// The longest pause between two turns of agents.
const MAX_PACE_MS: u32 = 10_000;
/// The most analysis lines.
const MAX_LINES: u8 = 8;

/// One page at the table.
#[derive(Clone, Debug)]
pub(crate) struct Guest {
    /// Its number, unique in this server.
    pub(crate) number: u64,
    /// Where its messages go. A page too slow to read them is dropped by its socket.
    pub(crate) out: mpsc::Sender<Utf8Bytes>,
}

/// What a table is told.
#[derive(Debug)]
pub(crate) enum Mail {
    /// A page sits down.
    Join(Guest),
    /// A page leaves.
    Leave(u64),
    /// A page asks for something.
    Ask(u64, ToServer),
    /// A search has to wait behind so many others.
    Queued(SearchNumber, u32),
    /// A search tells how far it is.
    Progress(SearchNumber, Report),
    /// A search has ended.
    Found(SearchNumber, Found),
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Found {
    /// The turn, or why there is none.
    pub(crate) turn: Result<Turn, String>,
    /// The last report.
    pub(crate) report: Report,
    /// Whether it was stopped before it was done.
    pub(crate) stopped: bool,
}

/// Tells the searches of a table apart.
pub(crate) type SearchNumber = u64;

struct Running {
    number: SearchNumber,
    _job: Job,
    position: Position,
    node: NodeId,
    view: SearchView,
}

/// See the module.
pub(crate) struct Table {
    id: String,
    game: Game,
    hall: Arc<Hall>,
    mailbox: mpsc::Sender<Mail>,
    guests: Vec<Guest>,
    running: HashMap<Purpose, Running>,
    searches: SearchNumber,
    /// The nodes as the pages know them.
    sent: Vec<NodeView>,
    /// How many lines the analysis shows; 0 when it is off.
    lines: u8,
    /// The node whose analysis is complete: it would only find the same again.
    analysed: Option<NodeId>,
    /// A turn that waits for its time.
    held: Option<(Instant, Turn)>,
    turn_began: Instant,
    charged: Instant,
}

impl Table {
    /// A table with nobody at it yet.
    pub(crate) fn new(
        id: String,
        game: Game,
        hall: Arc<Hall>,
        mailbox: mpsc::Sender<Mail>,
    ) -> Self {
        let now = Instant::now();
        Self {
            id,
            sent: game.nodes_from(0),
            game,
            hall,
            mailbox,
            guests: Vec::new(),
            running: HashMap::new(),
            searches: 0,
            lines: 0,
            analysed: None,
            held: None,
            turn_began: now,
            charged: now,
        }
    }

    /// Reads mail until the last page has left.
    pub(crate) async fn run(mut self, mut mailbox: mpsc::Receiver<Mail>) {
        loop {
            let wake = self.next_wake();
            let mail = tokio::select! {
                mail = mailbox.recv() => mail,
                () = sleep_until(wake) => None,
            };
            self.charge();
            match mail {
                Some(mail) => self.read(mail),
                None => self.on_time(),
            }
            if self.guests.is_empty() {
                self.running.clear();
                self.held = None;
                self.save();
                match Arc::clone(&self.hall).close(&self.id, &mut mailbox) {
                    Some(mail) => self.read(mail),
                    None => return,
                }
            }
        }
    }

    /// When something happens by itself: a held turn is due, a clock runs out.
    fn next_wake(&self) -> Option<Instant> {
        let held = self.held.as_ref().map(|(due, _)| *due);
        let flag = (self.game.clock_runs() && !self.is_queued()).then(|| {
            let left = self.game.left_ms[self.game.position().to_move().index()];
            self.charged + Duration::from_millis(u64::from(left))
        });
        [held, flag].into_iter().flatten().min()
    }

    fn on_time(&mut self) {
        if self.held.as_ref().is_some_and(|(due, _)| *due <= Instant::now())
            && let Some((_, turn)) = self.held.take()
        {
            self.play_turn(&turn);
        }
    }

    /// An agent in the queue does not pay for the time it waits.
    fn is_queued(&self) -> bool {
        self.running.get(&Purpose::Turn).is_some_and(|search| search.view.waiting > 0)
    }

    fn charge(&mut self) {
        let now = Instant::now();
        let ms = now.duration_since(self.charged).as_millis() as u32;
        if !self.game.clock_runs() || self.is_queued() || self.guests.is_empty() {
            self.charged = now;
        } else if ms > 0 {
            self.charged = now;
            if self.game.spend(ms) {
                self.settle();
            }
        }
    }

    fn read(&mut self, mail: Mail) {
        match mail {
            Mail::Join(guest) => self.join(guest),
            Mail::Leave(number) => self.guests.retain(|guest| guest.number != number),
            Mail::Ask(number, asked) => {
                if let Err(refusal) = self.answer(asked) {
                    // The board goes along: the page may have drawn a stone that is not there.
                    self.tell(number, &ToPage::Refused { text: refusal.to_string() });
                    self.tell(number, &ToPage::Board { board: self.game.board() });
                }
            }
            Mail::Queued(number, ahead) => self.with(number, |search| search.view.waiting = ahead),
            Mail::Progress(number, report) => self.progress(number, &report),
            Mail::Found(number, found) => self.found(number, found),
        }
    }

    fn join(&mut self, guest: Guest) {
        let number = guest.number;
        self.guests.push(guest);
        let rules = self.game.rules();
        let game = self.game.view(
            &self.id,
            levels::levels(&self.hall.registry, rules),
            levels::analyst(&self.hall.registry, rules),
        );
        self.tell(number, &ToPage::Game { game });
        self.tell(number, &ToPage::Tree { from: 0, nodes: self.sent.clone() });
        self.tell(number, &ToPage::Board { board: self.game.board() });
        let views: Vec<SearchView> =
            self.running.values().map(|search| search.view.clone()).collect();
        for search in views {
            self.tell(number, &ToPage::Search { search });
        }
        self.think();
    }

    fn answer(&mut self, asked: ToServer) -> Result<(), Refusal> {
        match asked {
            ToServer::Play { ply, cell } => {
                self.game.play_person(ply as usize, Cell::new(usize::from(cell)))?;
            }
            ToServer::Type { ply, text } => {
                let cells = typed::read(self.game.position(), &text)?;
                for (at, cell) in cells.into_iter().enumerate() {
                    self.game.play_person(ply as usize + at, cell)?;
                }
            }
            ToServer::Retract => self.game.retract()?,
            ToServer::Undo => self.game.undo()?,
            ToServer::Resign => self.game.resign()?,
            ToServer::Goto { node } => self.game.goto(node)?,
            ToServer::Continue => self.game.go_on(),
            ToServer::Pause { paused } => self.game.paused = paused,
            ToServer::Pace { ms } => self.game.pace_ms = ms.min(MAX_PACE_MS),
            ToServer::Comment { node, text } => self.game.comment(node, &text)?,
            ToServer::Prune { node } => self.game.prune(node)?,
            ToServer::Promote { node } => self.game.promote(node)?,
            ToServer::Hint => return self.hint(),
            ToServer::Analyse { on, lines } => {
                self.lines = if on { lines.clamp(1, MAX_LINES) } else { 0 };
                self.analysed = None;
                self.running.remove(&Purpose::Analysis);
                self.think();
                return Ok(());
            }
            // Those are the socket's.
            ToServer::Open { .. }
            | ToServer::New { .. }
            | ToServer::Check { .. }
            | ToServer::Games
            | ToServer::Forget { .. }
            | ToServer::Settings { .. } => return Ok(()),
        }
        self.turn_began = Instant::now();
        self.settle();
        Ok(())
    }

    /// After every change: store, tell, think.
    fn settle(&mut self) {
        self.charged = Instant::now();
        self.save();
        self.show();
        self.think();
    }

    fn save(&self) {
        // An empty board between two people is what everybody starts with: not worth keeping.
        let is_game =
            self.game.tree.len() > 1 || self.game.seats.iter().any(|seat| *seat != Seat::Person);
        if is_game && let Err(error) = self.hall.store.save(&self.id, &self.game) {
            self.tell_all(&ToPage::Refused {
                text: format!("this move could not be stored: {error}"),
            });
        }
    }

    /// Tells the pages what has changed.
    fn show(&mut self) {
        self.show_tree();
        self.tell_all(&ToPage::Board { board: self.game.board() });
    }

    fn show_tree(&mut self) {
        let nodes = self.game.nodes_from(0);
        let same = nodes.iter().zip(&self.sent).take_while(|(new, old)| new == old).count();
        if same < nodes.len() || same < self.sent.len() {
            self.tell_all(&ToPage::Tree { from: same as u32, nodes: nodes[same..].to_vec() });
            self.sent = nodes;
        }
    }

    /// Drops the searches of other positions and starts those that are wanted here.
    fn think(&mut self) {
        let node = self.game.current();
        self.running.retain(|purpose, search| {
            search.node == node
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

    fn hint(&mut self) -> Result<(), Refusal> {
        if self.game.ending().is_some() {
            return Err(Refusal::Over);
        }
        let analyst =
            levels::analyst(&self.hall.registry, self.game.rules()).ok_or(Refusal::NoAnalyst)?;
        self.search(Purpose::Hint, &analyst, self.game.seed, Budget::time(HINT_TIME));
        Ok(())
    }

    fn search(&mut self, purpose: Purpose, spec: &str, seed: u64, mut budget: Budget) {
        self.searches += 1;
        let number = self.searches;
        let position = self.game.position().clone();
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
                    let kept = pool.take_agent(&name);
                    let choice = choice.map_err(|error| error.to_string())?;
                    let mut agent = match kept {
                        Some(agent) => agent,
                        None => {
                            let mut fresh = choice
                                .build(searched.rules(), seed)
                                .map_err(|error| error.to_string())?;
                            fresh.new_game();
                            fresh
                        }
                    };
                    let turn = agent.choose(&searched, &budget, &mut |report| {
                        last = report.clone();
                        if told.is_none_or(|told| told.elapsed() >= REPORT_GAP) {
                            told = Some(Instant::now());
                            // A full mailbox loses this report, not the next one.
                            let _ = mailbox.try_send(Mail::Progress(number, report.clone()));
                        }
                    });
                    pool.keep_agent(name, agent);
                    turn.map_err(|error| error.to_string())
                };
                let turn = choose();
                Mail::Found(number, Found { turn, report: last, stopped: stop.is_stopped() })
            },
        );
        let view = SearchView {
            purpose,
            node: self.game.current().number(),
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
        let node = self.game.current();
        self.tell_all(&ToPage::Search { search: view.clone() });
        self.running.insert(purpose, Running { number, _job: job, position, node, view });
    }

    /// Changes the view of a search that still runs and tells the pages.
    fn with(&mut self, number: SearchNumber, change: impl FnOnce(&mut Running)) {
        let search = self.running.values_mut().find(|search| search.number == number);
        if let Some(search) = search {
            change(search);
            let search = search.view.clone();
            self.tell_all(&ToPage::Search { search });
        }
    }

    fn progress(&mut self, number: SearchNumber, report: &Report) {
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

    fn found(&mut self, number: SearchNumber, found: Found) {
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
            (Purpose::Turn, Err(problem)) => self.give_up(problem),
            (Purpose::Analysis, Ok(_)) if found.stopped => {
                // It made room for others: back into the queue.
                self.think();
            }
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

    fn pace(&self) -> Duration {
        if self.game.seats.contains(&Seat::Person) {
            ANSWER_PACE
        } else {
            Duration::from_millis(u64::from(self.game.pace_ms))
        }
    }

    fn play_turn(&mut self, turn: &[Cell]) {
        let (player, before) = (self.game.position().to_move(), self.game.current());
        for &cell in turn {
            if self.game.ending().is_some() || self.game.position().to_move() != player {
                break;
            }
            if let Err(refusal) = self.game.play(cell) {
                let _ = self.game.goto(before.number());
                return self.give_up(format!("it wanted to play {refusal}"));
            }
        }
        if self.game.current() == before {
            return self.give_up("it had no turn to offer".to_owned());
        }
        self.turn_began = Instant::now();
        self.settle();
    }

    /// An agent that cannot move holds the game; the person may take back, go on or start anew.
    fn give_up(&mut self, problem: String) {
        let name = self.game.seat_name(self.game.position().to_move());
        self.game.trouble = Some(format!("{name} cannot go on: {problem}"));
        self.settle();
    }

    fn tell(&self, number: u64, message: &ToPage) {
        if let Some(guest) = self.guests.iter().find(|guest| guest.number == number) {
            socket::send(&guest.out, message);
        }
    }

    fn tell_all(&self, message: &ToPage) {
        let text = socket::text(message);
        for guest in &self.guests {
            socket::send_text(&guest.out, text.clone());
        }
    }
}

async fn sleep_until(when: Option<Instant>) {
    match when {
        Some(when) => tokio::time::sleep_until(when.into()).await,
        None => std::future::pending().await,
    }
}
