//! The front worker: the host of the lobby and of the room that its page is in. It never searches.

use std::collections::HashMap;
use std::mem;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use collinear_play::Fault;
use collinear_play::instant::Instant;
use collinear_room::json;
use collinear_room::wire::{ToGame, ToLobby, ToPage, ToServer};
use collinear_room::work::{JobNumber, Lane, News, Outcome, Work, Yields};
use collinear_room::{Answer, ClientId, Effect, Errand, Event, Keep, Lobby, PageGame, Room, Store};

use crate::parts;
use crate::said::{Heard, Said, StoredRow};
use crate::store::{BrowserStore, Outbox};

/// The one page.
const PAGE: ClientId = ClientId(0);
/// Why there is no arena.
const NO_ARENA: &str = "matches, reports and named engines need the program on a computer";
/// Why nobody can be invited.
const NO_LINK: &str =
    "to play with a friend by a link, one of you runs the program: `collinear serve --lan`";

/// See the module.
pub struct Front {
    lobby: Arc<Lobby>,
    store: BrowserStore,
    room: Option<Room>,
    /// Which job of the room each ticket is for.
    jobs: HashMap<u64, JobNumber>,
    /// An errand that is being run for the page, and its ticket.
    errand: Option<(u64, Box<Errand>)>,
    /// What the page asked while it waits for the outcome.
    waiting: Vec<ToServer>,
    tickets: u64,
    random: u64,
    outbox: Outbox,
}

impl Front {
    /// The front of a page; the clock tells the seconds since 1970.
    pub fn new(
        seed: u64,
        games: Vec<StoredRow>,
        settings: Option<&str>,
        clock: fn() -> i64,
    ) -> Self {
        let outbox: Outbox = Arc::default();
        let store = BrowserStore::new(clock, Arc::clone(&outbox), games, settings);
        let lobby = Lobby { registry: collinear_agents::descriptions(), books: Arc::default() };
        let front = Self {
            lobby: Arc::new(lobby),
            store,
            room: None,
            jobs: HashMap::new(),
            errand: None,
            waiting: Vec::new(),
            tickets: 0,
            random: seed,
            outbox,
        };
        front.tell(&front.lobby.hello(&front.store));
        front
    }

    /// Hears something; what is to be said for it, in order.
    pub fn hear(&mut self, heard: Heard) -> Vec<Said> {
        match heard {
            Heard::Page { text } => self.page(&text),
            Heard::News { ticket, news } => match json::read(&news) {
                Ok(news) => self.news(ticket, news),
                Err(error) => self.say(Said::Log { text: error.to_string() }),
            },
            Heard::Gone { ticket, words } => {
                self.news(ticket, News::Done(Outcome::Failed(Fault::Crash(words))));
            }
            Heard::Time {} => self.step(Event::Time),
            _ => {}
        }
        mem::take(&mut *self.outbox.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// How long until it wants to be told the time, if it does.
    pub fn next_wake(&self) -> Option<Duration> {
        let when = self.room.as_ref()?.next_wake()?;
        Some(when.saturating_duration_since(Instant::now()))
    }

    fn page(&mut self, text: &str) {
        match ToServer::read(text) {
            Ok(asked) if self.errand.is_some() => self.waiting.push(asked),
            Ok(asked) => self.ask(asked),
            Err(error) => self.refuse(format!("the page was not understood: {error}")),
        }
    }

    fn ask(&mut self, asked: ToServer) {
        match asked {
            ToServer::Game(ToGame::Sync { number }) if self.room.is_none() => {
                self.tell(&ToPage::Synced { number });
            }
            ToServer::Game(_) if self.room.is_none() => self.refuse("no game is open".to_owned()),
            ToServer::Game(asked) => self.step(Event::Ask(PAGE, asked)),
            ToServer::Lobby(asked) => self.ask_lobby(asked),
            ToServer::Arena(_) => self.refuse(NO_ARENA.to_owned()),
        }
    }

    fn ask_lobby(&mut self, asked: ToLobby) {
        let seed = self.random();
        match self.lobby.answer(&self.store, asked, seed) {
            Ok(answer) => self.follow(answer),
            Err(refusal) => self.refuse(refusal),
        }
    }

    fn follow(&mut self, answer: Answer) {
        match answer {
            Answer::Done => {}
            Answer::Tell(message) => self.tell(&message),
            Answer::Begin { game, keep, instead } => {
                self.begin(*game, keep);
                if let Some(why) = instead {
                    self.refuse(why);
                }
            }
            Answer::Invite(_) => self.refuse(NO_LINK.to_owned()),
            Answer::Join(id) => {
                if let Ok(Some(game)) = self.store.load(&id) {
                    self.enter(id, game, Keep::Now);
                } else {
                    let seed = self.random();
                    self.begin(self.lobby.default_game(seed), Keep::Now);
                }
            }
            Answer::Work(errand) => {
                let ticket = self.start(&errand.work());
                self.errand = Some((ticket, errand));
            }
        }
    }

    fn begin(&mut self, game: PageGame, keep: Keep) {
        let id = format!("{:016x}", self.random());
        self.enter(id, game, keep);
    }

    fn enter(&mut self, id: String, game: PageGame, keep: Keep) {
        self.step(Event::Leave(PAGE));
        self.jobs.clear();
        self.room = Some(Room::new(id, game, keep, Arc::clone(&self.lobby), Instant::now()));
        self.step(Event::Join(PAGE, None));
    }

    fn step(&mut self, event: Event) {
        let Some(room) = &mut self.room else { return };
        for effect in room.step(event, Instant::now()) {
            self.apply(effect);
        }
    }

    fn apply(&mut self, effect: Effect) {
        match effect {
            Effect::Save(row) => {
                if let Err(error) = self.store.save(&row) {
                    self.tell(&Room::not_saved(&error));
                }
            }
            Effect::Tell(_, message) | Effect::TellAll(message) => self.tell(&message),
            Effect::Start(job) => {
                let ticket = self.start(&job.work);
                self.jobs.insert(ticket, job.number);
            }
            Effect::Cancel(number) => {
                let ticket = self.jobs.iter().find(|(_, job)| **job == number);
                if let Some(ticket) = ticket.map(|(ticket, _)| *ticket) {
                    self.jobs.remove(&ticket);
                    self.say(Said::Cancel { ticket });
                }
            }
            Effect::Log(text) => self.say(Said::Log { text }),
        }
    }

    fn start(&mut self, work: &Work) -> u64 {
        self.tickets += 1;
        let ticket = self.tickets;
        // Work is plain data: it can always be written.
        let text = serde_json::to_string(work).unwrap_or_default();
        self.say(Said::Start {
            ticket,
            parts: parts::of_work(work),
            glance: work.lane() == Lane::Glance,
            yields: work.yields() == Yields::ToOthers,
            limit: work.limit().as_millis() as u64,
            work: text,
        });
        ticket
    }

    fn news(&mut self, ticket: u64, news: News) {
        let is_done = matches!(news, News::Done(_));
        if let Some(number) = self.jobs.get(&ticket).copied() {
            if is_done {
                self.jobs.remove(&ticket);
            }
            self.step(Event::Job(number, news));
        } else if let News::Done(outcome) = news
            && let Some((_, errand)) = self.errand.take_if(|(running, _)| *running == ticket)
        {
            match errand.conclude(&outcome) {
                Ok(answer) => self.follow(answer),
                Err(refusal) => self.refuse(refusal),
            }
            for asked in mem::take(&mut self.waiting) {
                self.ask(asked);
            }
        }
    }

    fn refuse(&self, text: String) {
        self.tell(&ToPage::Refused { text });
    }

    fn tell(&self, message: &ToPage) {
        match serde_json::to_string(message) {
            Ok(text) => self.say(Said::Page { text }),
            Err(error) => self.say(Said::Log { text: error.to_string() }),
        }
    }

    fn say(&self, said: Said) {
        self.outbox.lock().unwrap_or_else(PoisonError::into_inner).push(said);
    }

    /// The next number of a splitmix sequence (Steele, Lea, Flood 2014).
    const fn random(&mut self) -> u64 {
        self.random = self.random.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.random ^ (self.random >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }
}
