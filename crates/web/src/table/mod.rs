//! A table: one game, the pages that look at it, and the searches it needs.
//!
//! One task owns the game and reads its mail; nothing else touches it.
//!
//! ```text
//! pages ── Ask ──▶ ┌───────┐ ── Tree, Board, Search ──▶ pages
//! pool ── Found ─▶ │ table │ ── save ──▶ store
//! timer ─────────▶ └───────┘ ── submit ─▶ pool
//! ```
//!
//! Reading a message never waits. What it changed is settled afterwards: stored, then shown.

mod audience;
mod overlays;
mod pace;
mod puzzle;
mod review;
mod searches;

use std::sync::Arc;
use std::time::Instant;

use collinear_play::{Fault, Report, Thought, Turn};
use collinear_rules::{Cell, typed};
use tokio::sync::mpsc;

pub(crate) use audience::Guest;

use crate::game::{Abilities, PageGame, Refusal};
use crate::hall::Hall;
use crate::store::Row;
use crate::wire::{ColumnScore, PolicyView, ShapesView, ThreatsView, ToPage, ToServer};
use crate::{convert, record};

use audience::Audience;
use overlays::Overlays;
use pace::Pace;
use puzzle::{Judging, Verdict};
use review::Review;
use searches::Searches;

/// The longest pause between two turns of agents.
const MAX_PACE_MS: u32 = 10_000;
/// The most analysis lines.
const MAX_LINES: u8 = 8;

/// What a table is told.
#[derive(Debug)]
pub(crate) enum Mail {
    /// A page sits down.
    Join(Guest),
    /// A page leaves.
    Leave(u64),
    /// A page asks for something.
    Ask(u64, ToServer),
    /// A search has got its slot.
    Started(SearchNumber),
    /// A search has to wait behind so many others.
    Queued(SearchNumber, u32),
    /// A search tells how far it is.
    Progress(SearchNumber, Report),
    /// A search has ended.
    Found(SearchNumber, Found),
    /// The threats of a position are known, for the look at the board with this number; none when
    /// they could not be worked out.
    Threats(u64, Option<ThreatsView>),
    /// What the network thinks, for the look at the board with this number; none where it was not
    /// wanted any more.
    Policy(u64, Option<PolicyView>),
    /// The shapes a page asked for; none when they could not be worked out.
    Shapes(u64, Option<ShapesView>),
    /// The solver has judged a turn of a puzzle.
    Judged(SearchNumber, Verdict),
    /// The solver waits behind so many searches.
    ColumnsQueued(SearchNumber, u32),
    /// The solver knows some columns, or all it will.
    Columns(SearchNumber, Vec<ColumnScore>, Solving),
}

/// The result of a search.
#[derive(Debug)]
pub(crate) struct Found {
    /// The turn, or why there is none.
    pub(crate) turn: Result<Turn, Fault>,
    /// What it cost.
    pub(crate) thought: Thought,
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

/// What has to be done after a message was read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum News {
    /// Nothing.
    #[default]
    None,
    /// The game is to be stored.
    Kept,
    /// Another position is shown: tell the pages, think.
    Shown,
    /// The game itself has changed: from now on it is kept.
    Changed,
}

/// See the module.
pub(crate) struct Table {
    id: String,
    game: PageGame,
    hall: Arc<Hall>,
    mailbox: mpsc::Sender<Mail>,
    audience: Audience,
    searches: Searches,
    review: Review,
    overlays: Overlays,
    judging: Judging,
    pace: Pace,
    news: News,
    /// Whether it is stored: what is only looked at is not, until something changes.
    kept: bool,
}

impl Table {
    /// A table with nobody at it yet. A game that is not `kept` is not stored before it changes.
    pub(crate) fn new(
        id: String,
        game: PageGame,
        kept: bool,
        hall: Arc<Hall>,
        mailbox: mpsc::Sender<Mail>,
    ) -> Self {
        let mut audience = Audience::default();
        audience.show_tree(game.nodes());
        Self {
            id,
            game,
            hall,
            mailbox,
            audience,
            searches: Searches::default(),
            review: Review::default(),
            overlays: Overlays::default(),
            judging: Judging::default(),
            pace: Pace::default(),
            news: News::None,
            kept,
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
            self.settle().await;
            if self.audience.is_empty() {
                self.searches.stop();
                self.overlays.stop();
                self.pace.held = None;
                self.save().await;
                match Arc::clone(&self.hall).close(&self.id, &mut mailbox) {
                    Some(mail) => self.read(mail),
                    None => return,
                }
                self.settle().await;
            }
        }
    }

    fn read(&mut self, mail: Mail) {
        match mail {
            Mail::Join(guest) => self.join(guest),
            Mail::Leave(number) => {
                self.audience.leave(number);
                self.overlays.leave(number);
            }
            Mail::Ask(number, asked) => {
                if let Err(refusal) = self.answer(number, asked) {
                    // The board goes along: the page may have drawn a stone that is not there.
                    self.audience.tell(number, &ToPage::Refused { text: refusal.to_string() });
                    self.audience.tell(number, &ToPage::Board { board: self.game.board() });
                }
            }
            Mail::Started(number) => self.started(number),
            Mail::Queued(number, ahead) => self.queued(number, ahead),
            Mail::Progress(number, report) => self.progress(number, &report),
            Mail::Found(number, found) => self.found(number, found),
            Mail::Threats(look, threats) => self.threats_found(look, threats),
            Mail::Policy(look, policy) => self.policy_found(look, policy),
            Mail::Shapes(number, shapes) => {
                if let Some(shapes) = shapes {
                    self.audience.tell(number, &ToPage::Shapes { shapes });
                }
            }
            Mail::Judged(number, verdict) => self.judged(number, verdict),
            Mail::ColumnsQueued(number, ahead) => self.columns_queued(number, ahead),
            Mail::Columns(number, scores, how) => self.columns_found(number, scores, how),
        }
    }

    fn join(&mut self, guest: Guest) {
        let number = guest.number;
        self.audience.join(guest);
        let rules = self.game.rules();
        let can = Abilities {
            levels: convert::levels(&self.hall.registry, rules),
            analyst: self.analyst().map(str::to_owned),
            formats: record::formats(rules),
            overlays: self.offered(),
        };
        let game = self.game.view(&self.id, can);
        self.audience.tell(number, &ToPage::Game { game: Box::new(game) });
        self.audience.tell_tree(number);
        self.audience.tell(number, &ToPage::Board { board: self.game.board() });
        for search in self.searches.views() {
            self.audience.tell(number, &ToPage::Search { search: search.clone() });
        }
        if let Some(review) = self.review.view() {
            self.audience.tell(number, &ToPage::Review { review: review.clone() });
        }
        // A game is on disk from the moment somebody sits at it: a reload finds it again.
        self.news = self.news.max(News::Kept);
    }

    fn answer(&mut self, number: u64, asked: ToServer) -> Result<(), Refusal> {
        match asked {
            ToServer::Play { ply, cell } => {
                self.game.play_person(ply as usize, Cell::new(usize::from(cell)))?;
                self.judge_turn();
            }
            ToServer::Type { ply, text } => {
                let cells = typed::stones(self.game.model.position(), &text)?;
                for (at, cell) in cells.into_iter().enumerate() {
                    self.game.play_person(ply as usize + at, cell)?;
                }
                self.judge_turn();
            }
            ToServer::Retract => self.game.retract()?,
            ToServer::Undo => self.game.undo()?,
            ToServer::Redo => self.game.redo()?,
            ToServer::Resign => self.game.resign()?,
            ToServer::Goto { node } => {
                self.game.goto(node)?;
                self.pace.turn_began = Instant::now();
                self.news = self.news.max(News::Shown);
                return Ok(());
            }
            ToServer::Continue => self.game.model.go_on(),
            ToServer::Pause { paused } => self.game.paused = paused,
            ToServer::Pace { ms } => self.game.pace_ms = ms.min(MAX_PACE_MS),
            ToServer::Comment { node, text } => self.game.comment(node, &text)?,
            ToServer::Prune { node } => self.game.prune(node)?,
            ToServer::Restore => self.game.restore()?,
            ToServer::Promote { node } => self.game.promote(node)?,
            ToServer::Hint => return self.hint(),
            ToServer::PuzzleHint => return self.puzzle_hint(),
            ToServer::Analyse { on, lines } => {
                self.searches.analyse(if on { lines.clamp(1, MAX_LINES) } else { 0 });
                self.think();
                return Ok(());
            }
            ToServer::Overlays { shown } => {
                self.overlays.switch(shown);
                self.look();
                return Ok(());
            }
            ToServer::Shapes { cell } => {
                self.shapes(number, Cell::new(usize::from(cell)));
                return Ok(());
            }
            ToServer::Review { on, effort } => {
                self.review(on, effort.unwrap_or(1));
                return Ok(());
            }
            ToServer::Export { format, review } => {
                let review = self.review.turns().filter(|_| review == Some(true));
                let (name, text, losses) =
                    record::export(&self.game, &format, review).map_err(Refusal::Record)?;
                self.audience.tell(number, &ToPage::Exported { name, text, losses });
                return Ok(());
            }
            ToServer::Sync { number: question } => {
                self.audience.tell(number, &ToPage::Synced { number: question });
                return Ok(());
            }
            // Those are the socket's.
            ToServer::Open { .. }
            | ToServer::New { .. }
            | ToServer::Setup { .. }
            | ToServer::Puzzles
            | ToServer::Puzzle { .. }
            | ToServer::Check { .. }
            | ToServer::Games
            | ToServer::Import { .. }
            | ToServer::Runs
            | ToServer::Run { .. }
            | ToServer::Replay { .. }
            | ToServer::StartMatch { .. }
            | ToServer::StopMatch { .. }
            | ToServer::Forget { .. }
            | ToServer::Remember { .. }
            | ToServer::Settings { .. } => return Ok(()),
        }
        self.pace.turn_began = Instant::now();
        self.changed();
        Ok(())
    }

    /// The game is not what it was.
    fn changed(&mut self) {
        self.news = News::Changed;
    }

    /// After every message: store what has changed, tell the pages, think.
    async fn settle(&mut self) {
        let news = std::mem::take(&mut self.news);
        self.kept |= news == News::Changed;
        match news {
            News::None => {}
            News::Kept => {
                self.save().await;
                self.think();
            }
            News::Shown | News::Changed => {
                self.pace.charged = Instant::now();
                self.save().await;
                self.audience.show_tree(self.game.nodes());
                self.audience.tell_all(&ToPage::Board { board: self.game.board() });
                self.think();
                self.look();
            }
        }
    }

    async fn save(&self) {
        // An empty board between two people is what everybody starts with: not worth keeping.
        let model = &self.game.model;
        let is_game =
            model.tree().len() > 1 || !model.seats.iter().all(collinear_play::Seat::is_person);
        // A puzzle is begun anew.
        if !is_game || !self.kept || self.game.puzzle.is_some() {
            return;
        }
        let saved = match Row::of(&self.id, &self.game) {
            Ok(row) => self.hall.ask_store(move |store| store.save(&row)).await,
            Err(error) => Err(error),
        };
        if let Err(error) = saved {
            let text = format!("this move could not be stored: {error}");
            self.audience.tell_all(&ToPage::Refused { text });
        }
    }
}

async fn sleep_until(when: Option<Instant>) {
    match when {
        Some(when) => tokio::time::sleep_until(when.into()).await,
        None => std::future::pending().await,
    }
}
