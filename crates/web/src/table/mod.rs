//! A table: one game, the pages that look at it, and the searches it needs.
//!
//! One task owns the game and reads its mail; nothing else touches it.
//!
//! ```text
//! pages ── Ask ──▶ ┌───────┐ ── Tree, Board, Search ──▶ pages
//! pool ── Found ─▶ │ table │ ── save ──▶ store
//! timer ─────────▶ └───────┘ ── submit ─▶ pool
//! ```

mod insights;
mod searches;

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use axum::extract::ws::Utf8Bytes;
use collinear_play::{Report, Turn};
use collinear_rules::{Cell, Position};
use tokio::sync::mpsc;

use crate::game::{Abilities, Game, Refusal};
use crate::hall::Hall;
use crate::pool::Job;
use crate::tree::NodeId;
use crate::wire::{
    ColumnScore, ColumnsView, NodeView, Purpose, SearchView, Seat, ThreatsView, ToPage, ToServer,
};
use crate::{insight, levels, record, socket, typed};

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
    /// The threats of a position are known, for the how-manieth look at the board.
    Threats(u64, ThreatsView),
    /// The solver waits behind so many searches.
    ColumnsQueued(SearchNumber, u32),
    /// The solver knows some columns, or all it will.
    Columns(SearchNumber, Vec<ColumnScore>, Solving),
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

/// How far the solver is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Solving {
    /// More columns follow.
    Going,
    /// Everything is known.
    Done,
    /// It made room for others, or was told to stop.
    Stopped,
    /// It has crashed.
    Failed,
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
    /// The nodes a review still has to evaluate, the next one last.
    to_review: Vec<NodeId>,
    /// Positions reviewed, and how many there are.
    reviewed: (u32, u32),
    /// Whether threats are shown.
    threats: bool,
    /// How often the overlays were brought up to date.
    looks: u64,
    /// Whether the solver's scores are shown.
    columns: bool,
    /// Whether the book's statistics are shown.
    book: bool,
    /// The solver at work and what it has found.
    solving: Option<(SearchNumber, Job, ColumnsView)>,
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
            to_review: Vec::new(),
            reviewed: (0, 0),
            threats: false,
            looks: 0,
            columns: false,
            book: false,
            solving: None,
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
                self.solving = None;
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
                if let Err(refusal) = self.answer(number, asked) {
                    // The board goes along: the page may have drawn a stone that is not there.
                    self.tell(number, &ToPage::Refused { text: refusal.to_string() });
                    self.tell(number, &ToPage::Board { board: self.game.board() });
                }
            }
            Mail::Queued(number, ahead) => self.with(number, |search| search.view.waiting = ahead),
            Mail::Progress(number, report) => self.progress(number, &report),
            Mail::Found(number, found) => self.found(number, found),
            Mail::Threats(look, threats) => {
                // An older look may have taken longer: its node can be another position by now.
                if look == self.looks {
                    self.tell_all(&ToPage::Threats { threats });
                }
            }
            Mail::ColumnsQueued(number, ahead) => self.columns_queued(number, ahead),
            Mail::Columns(number, scores, how) => self.columns_found(number, scores, how),
        }
    }

    fn join(&mut self, guest: Guest) {
        let number = guest.number;
        self.guests.push(guest);
        let rules = self.game.rules();
        let can = Abilities {
            levels: levels::levels(&self.hall.registry, rules),
            analyst: levels::analyst(&self.hall.registry, rules),
            formats: record::formats(rules),
            columns: collinear_connect4::solves(rules),
            shapes: insight::has_shapes(rules),
            book: self.hall.book(rules).is_some(),
        };
        let game = self.game.view(&self.id, can);
        self.tell(number, &ToPage::Game { game });
        self.tell(number, &ToPage::Tree { from: 0, nodes: self.sent.clone() });
        self.tell(number, &ToPage::Board { board: self.game.board() });
        let views: Vec<SearchView> =
            self.running.values().map(|search| search.view.clone()).collect();
        for search in views {
            self.tell(number, &ToPage::Search { search });
        }
        // A game is on disk from the moment somebody sits at it: a reload finds it again.
        self.save();
        self.think();
    }

    fn answer(&mut self, number: u64, asked: ToServer) -> Result<(), Refusal> {
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
            ToServer::Overlays { threats, columns, book } => {
                self.threats = threats;
                self.columns = columns;
                self.book = book;
                self.look();
                return Ok(());
            }
            ToServer::Shapes { cell } => {
                self.shapes(number, Cell::new(usize::from(cell)));
                return Ok(());
            }
            ToServer::Review { on } => {
                self.review(on);
                return Ok(());
            }
            ToServer::Export { format } => {
                let (name, text, losses) =
                    record::export(&self.game, &format).map_err(Refusal::Record)?;
                self.tell(number, &ToPage::Exported { name, text, losses });
                return Ok(());
            }
            ToServer::Sync { number: question } => {
                self.tell(number, &ToPage::Synced { number: question });
                return Ok(());
            }
            // Those are the socket's.
            ToServer::Open { .. }
            | ToServer::New { .. }
            | ToServer::Check { .. }
            | ToServer::Games
            | ToServer::Import { .. }
            | ToServer::Runs
            | ToServer::Run { .. }
            | ToServer::Replay { .. }
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
        self.look();
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
