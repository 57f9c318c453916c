//! A room: one game, the pages that look at it, and the work it needs done.
//!
//! It is a state machine. Whoever hosts it gives it one event after the other, does the effects of
//! each in their order, and calls it again when its time has come:
//!
//! ```text
//!           Join, Leave, Ask ──▶ ┌──────┐ ──▶ Save, then Tell: what was told is on disk
//!  Job: Started, Progress, Done ▶│ room │ ──▶ Start, Cancel: work
//!      Time, at `next_wake` ───▶ └──────┘
//! ```
//!
//! What an event changed is settled afterwards: stored, then shown, then thought about.

mod clients;
mod coach;
mod friends;
mod jobs;
mod opening;
mod overlays;
mod pace;
mod practice;
mod puzzle;
mod review;
mod searches;
#[cfg(test)]
mod tests;

use std::sync::Arc;

use collinear_play::Fault;
use collinear_play::instant::Instant;
use collinear_rules::Cell;
use collinear_rules::typed::ColumnNumbers;

use crate::friends::Person;
use crate::game::{Abilities, PageGame, Refusal};
use crate::lobby::{Keep, Lobby};
use crate::store::{Row, StoreError};
use crate::wire::{ColumnScore, GameView, ToGame, ToPage};
use crate::work::{Job, JobNumber, News, Outcome, Progress};
use crate::{convert, record};

use clients::Clients;
use coach::Coach;
use jobs::Jobs;
use overlays::{Overlays, Solving};
use pace::Pace;
use practice::Practice;
use puzzle::Judging;
use review::Review;
use searches::Searches;

/// The longest pause between two turns of agents.
const MAX_PACE_MS: u32 = 10_000;
/// The most analysis lines.
const MAX_LINES: u8 = 8;

/// Names a page as long as it is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClientId(pub u64);

/// What a room is told.
#[derive(Debug)]
pub enum Event {
    /// A page comes, of this person if that is known.
    Join(ClientId, Option<Person>),
    /// A page goes.
    Leave(ClientId),
    /// A page asks for something.
    Ask(ClientId, ToGame),
    /// News of a job.
    Job(JobNumber, News),
    /// The time it wanted to be called has come.
    Time,
}

/// What a host is to do for a room.
#[derive(Debug)]
pub enum Effect {
    /// Store the game; when that fails, tell all pages [`Room::not_saved`].
    Save(Row),
    /// Tell one page.
    Tell(ClientId, ToPage),
    /// Tell all pages.
    TellAll(ToPage),
    /// Have work done, and tell the room how it goes.
    Start(Job),
    /// Stop a job. Nothing has to be told of it any more.
    Cancel(JobNumber),
    /// A line for whoever looks after the host.
    Log(String),
}

/// What has to be done after an event.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Change {
    /// Nothing.
    #[default]
    None,
    /// The game is to be stored.
    Kept,
    /// Another position is shown: tell the pages, think.
    Shown,
    /// The game itself has changed: from now on it is kept.
    Game,
    /// It is another game.
    Replaced,
}

/// See the module.
pub struct Room {
    id: String,
    game: PageGame,
    lobby: Arc<Lobby>,
    /// When the step under way began.
    now: Instant,
    clients: Clients,
    jobs: Jobs,
    searches: Searches,
    review: Review,
    overlays: Overlays,
    judging: Judging,
    coach: Coach,
    practice: Practice,
    pace: Pace,
    change: Change,
    /// Whether it is stored: what is only looked at is not, until something changes.
    kept: bool,
}

impl Room {
    /// A room with nobody in it yet.
    pub fn new(id: String, game: PageGame, keep: Keep, lobby: Arc<Lobby>, now: Instant) -> Self {
        let mut clients = Clients::default();
        clients.show_tree(game.nodes());
        Self {
            id,
            game,
            lobby,
            now,
            clients,
            jobs: Jobs::default(),
            searches: Searches::default(),
            review: Review::default(),
            overlays: Overlays::default(),
            judging: Judging::default(),
            coach: Coach::default(),
            practice: Practice::default(),
            pace: Pace::new(now),
            change: Change::None,
            kept: keep == Keep::Now,
        }
    }

    /// Hears an event; what is to be done for it, in order.
    pub fn step(&mut self, event: Event, now: Instant) -> Vec<Effect> {
        self.now = now;
        self.charge();
        self.hear(event);
        self.settle();
        self.tell_coach();
        if self.clients.is_empty() {
            self.rest();
        }
        let wanted: Vec<JobNumber> = self
            .searches
            .jobs()
            .chain(self.overlays.jobs())
            .chain(self.judging.job())
            .chain(self.coach.jobs())
            .chain(self.practice.job())
            .chain(self.review.job())
            .collect();
        self.jobs.keep_only(&wanted, &mut self.clients.effects);
        std::mem::take(&mut self.clients.effects)
    }

    /// Whether nobody is in it: then nothing runs for it, and it need not be kept.
    pub const fn is_empty(&self) -> bool {
        self.clients.is_empty()
    }

    /// Jobs that were started and are neither done nor cancelled.
    pub fn running(&self) -> usize {
        self.jobs.running()
    }

    /// What the pages are told when a game could not be stored.
    pub fn not_saved(error: &StoreError) -> ToPage {
        ToPage::Refused { text: format!("this move could not be stored: {error}") }
    }

    fn hear(&mut self, event: Event) {
        match event {
            Event::Join(client, person) => self.join(client, person),
            Event::Leave(client) => {
                self.clients.leave(client);
                self.friends_come_or_go();
                self.overlays.leave(client);
                self.coach.leave(client);
            }
            Event::Ask(client, asked) => {
                if let Err(refusal) = self.answer(client, asked) {
                    // The board goes along: the page may have drawn a stone that is not there.
                    self.clients.tell(client, ToPage::Refused { text: refusal.to_string() });
                    self.clients.tell(client, ToPage::Board { board: self.game.board() });
                }
            }
            Event::Job(number, news) => self.news(number, news),
            Event::Time => self.on_time(),
        }
    }

    fn news(&mut self, number: JobNumber, news: News) {
        match news {
            News::Queued(ahead) => {
                self.queued(number, ahead);
                self.columns_queued(number, ahead);
            }
            News::Started => self.started(number),
            News::Progress(Progress::Report(report)) => self.progress(number, &report),
            News::Progress(Progress::Columns(known)) => {
                self.columns_found(number, known, Solving::Going);
            }
            News::Done(outcome) => {
                self.jobs.done(number);
                self.done(number, outcome);
            }
        }
    }

    fn done(&mut self, number: JobNumber, outcome: Outcome) {
        match outcome {
            Outcome::Found(found) => self.found(number, found),
            Outcome::Step(reply) => self.step_found(number, reply),
            Outcome::Columns(scores) => {
                let known = !scores.contains(&ColumnScore::Unknown);
                let how = if known { Solving::Done } else { Solving::Stopped };
                self.columns_found(number, scores, how);
            }
            Outcome::Threats(threats) => self.threats_found(number, threats),
            Outcome::Policy(policy) => self.policy_found(number, policy),
            Outcome::Parity(parity) => self.parity_found(number, parity),
            Outcome::Shapes(shapes) => self.shapes_found(number, shapes),
            Outcome::Win(win) => self.win_found(number, Some(win)),
            Outcome::Danger(danger) => self.danger_found(number, danger),
            Outcome::Solution(solution) => self.solved(number, solution),
            Outcome::Judged(judged) => self.judged(number, judged),
            Outcome::Unknown => {
                self.not_judged(number);
                self.assessed(number, None);
            }
            Outcome::Assessed(review) => self.assessed(number, Some(review)),
            Outcome::Warned(warning) => self.warned(number, warning),
            Outcome::Tried(tried) => self.tried(number, Some(tried)),
            Outcome::Written(written) => self.written(number, written),
            // Asked for by a lobby alone.
            Outcome::Explained(_)
            | Outcome::Read(_)
            | Outcome::Puzzles(_)
            | Outcome::Puzzle(_)
            | Outcome::Openings(_)
            | Outcome::FoundPuzzles(_) => {}
            Outcome::Failed(fault) => self.failed(number, fault),
        }
    }

    /// A job went wrong: whoever waits for it gets what it knows without.
    fn failed(&mut self, number: JobNumber, fault: Fault) {
        self.clients.effects.push(Effect::Log(format!("game {}: {fault}", self.id)));
        self.overlays_failed(number);
        self.danger_found(number, None);
        self.not_judged(number);
        self.assessed(number, None);
        self.warned(number, None);
        self.tried(number, None);
        self.written(number, Err(fault.to_string()));
        self.search_failed(number, fault);
    }

    fn join(&mut self, client: ClientId, person: Option<Person>) {
        self.clients.join(client, person);
        let game = self.view();
        self.clients.tell(client, ToPage::Game { game: Box::new(game) });
        self.clients.tell_tree(client);
        self.clients.tell(client, ToPage::Board { board: self.game.board() });
        for search in self.searches.views() {
            self.clients.tell(client, ToPage::Search { search: search.clone() });
        }
        if let Some(review) = self.review.view() {
            self.clients.tell(client, ToPage::Review { review: review.clone() });
        }
        self.introduce_coach(client);
        // A game is on disk from the moment somebody sits at it: a reload finds it again.
        self.change = self.change.max(Change::Kept);
    }

    /// What a page is told once.
    fn view(&self) -> GameView {
        let rules = self.game.rules();
        if self.game.friends.is_some() {
            let can = Abilities { formats: record::formats(rules), ..Abilities::default() };
            return self.game.view(&self.id, can);
        }
        let can = Abilities {
            levels: convert::levels(&self.lobby.registry, rules),
            analyst: self.analyst().map(str::to_owned),
            formats: record::formats(rules),
            overlays: self.offered(),
        };
        self.game.view(&self.id, can)
    }

    fn answer(&mut self, client: ClientId, asked: ToGame) -> Result<(), Refusal> {
        self.permit(client, &asked)?;
        let moves = friends::moves(&asked);
        match asked {
            ToGame::Play { ply, cell } => {
                self.game.play_person(ply as usize, Cell::new(usize::from(cell)))?;
                self.judge_turn();
            }
            ToGame::Type { ply, text } => {
                let cells = self.game.model.typed(&text, ColumnNumbers::FromOne)?;
                for (at, cell) in cells.into_iter().enumerate() {
                    self.game.play_person(ply as usize + at, cell)?;
                }
                self.judge_turn();
            }
            ToGame::Choose { choice } => self.choose(choice)?,
            ToGame::Retract => self.game.retract()?,
            ToGame::Undo => self.game.undo()?,
            ToGame::Redo => self.game.redo()?,
            ToGame::Resign => self.resign(client)?,
            ToGame::Friend { deed } => self.friend(client, deed)?,
            ToGame::Goto { node } => {
                self.game.goto(node)?;
                self.pace.turn_began = self.now;
                self.change = self.change.max(Change::Shown);
                return Ok(());
            }
            ToGame::Continue => self.game.model.go_on(),
            ToGame::Pause { paused } => self.game.paused = paused,
            ToGame::Pace { ms } => self.game.pace_ms = ms.min(MAX_PACE_MS),
            ToGame::Comment { node, text } => self.game.comment(node, &text)?,
            ToGame::Prune { node } => self.game.prune(node)?,
            ToGame::Restore => self.game.restore()?,
            ToGame::Promote { node } => self.game.promote(node)?,
            ToGame::Hint => return self.hint(),
            ToGame::PuzzleHint => return self.puzzle_hint(),
            ToGame::Balance { stones } => return self.balance(stones),
            ToGame::Analyse { on, lines } => {
                self.analyse(if on { lines.clamp(1, MAX_LINES) } else { 0 });
                self.think();
                return Ok(());
            }
            ToGame::Overlays { shown } => {
                self.overlays.switch(shown);
                self.look();
                return Ok(());
            }
            ToGame::Shapes { cell } => {
                self.shapes(client, Cell::new(usize::from(cell)));
                return Ok(());
            }
            ToGame::Review { on, effort } => {
                self.review(on, effort.unwrap_or(1));
                return Ok(());
            }
            ToGame::Win { node, winner, stones } => {
                return self.show_win(client, node, convert::player(winner), &stones);
            }
            ToGame::Coach { deed } => return self.ask_coach(client, deed),
            ToGame::Try { node, stones } => return self.try_turn(client, node, &stones),
            ToGame::Export { format, review } => {
                self.export(client, format, review == Some(true));
                return Ok(());
            }
            ToGame::Sync { number } => {
                self.clients.tell(client, ToPage::Synced { number });
                return Ok(());
            }
        }
        if moves {
            self.friends_played();
        }
        self.pace.turn_began = self.now;
        self.changed();
        Ok(())
    }

    /// The game is not what it was.
    fn changed(&mut self) {
        self.change = self.change.max(Change::Game);
    }

    /// After every event: store what has changed, tell the pages, think.
    fn settle(&mut self) {
        let change = std::mem::take(&mut self.change);
        self.kept |= change >= Change::Game;
        match change {
            Change::None => {}
            Change::Kept => {
                self.save();
                self.tell_friends();
                self.think();
            }
            Change::Shown | Change::Game | Change::Replaced => {
                self.pace.charged = self.now;
                self.save();
                if change == Change::Replaced {
                    self.clients.tell_all(ToPage::Game { game: Box::new(self.view()) });
                    self.clients.show_whole_tree(self.game.nodes());
                } else {
                    self.clients.show_tree(self.game.nodes());
                }
                self.clients.tell_all(ToPage::Board { board: self.game.board() });
                self.tell_friends();
                self.think();
                self.look();
            }
        }
    }

    /// Nobody looks any more: nothing has to run, and what the clocks have lost is stored.
    fn rest(&mut self) {
        self.searches.stop();
        self.overlays.stop();
        self.judging.stop();
        self.coach.stop();
        self.practice.stop();
        self.review.stop();
        self.pace.held = None;
        self.save();
    }

    fn save(&mut self) {
        // An empty board between two people is what everybody starts with: not worth keeping.
        let model = &self.game.model;
        let is_game =
            model.tree().len() > 1 || !model.seats.iter().all(collinear_play::Seat::is_person);
        // A puzzle is begun anew.
        // The link of a room leads to it from the start.
        let is_game = is_game || self.game.friends.is_some();
        if !is_game || !self.kept || self.game.puzzle.is_some() {
            return;
        }
        match Row::of(&self.id, &self.game) {
            Ok(row) => self.clients.effects.push(Effect::Save(row)),
            Err(error) => self.clients.tell_all(Self::not_saved(&error)),
        }
    }
}
