//! One page's WebSocket: reads its messages, lets it into rooms, and sends what they tell.
//!
//! ```text
//! page ──▶ reader (a task: rate, silence) ──▶ inbox ──▶ Page ──▶ Lobby, Arena, a room
//!   ▲                                                   │
//!   └──────────────── outbox ◀── rooms, answers ◀───────┘
//! ```
//!
//! The reader is a task of its own so that a page that leaves is noticed whatever it waits for.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use axum::extract::ws::{Message as Frame, Utf8Bytes, WebSocket};
use collinear_room::wire::{
    ArenaLimits, Invitation, InviteLink, NewEngine, ToArena, ToGame, ToLobby, ToPage, ToServer,
};
use collinear_room::work::{News, Outcome};
use collinear_room::{Answer, ClientId, Errand, Event, Keep, Lobby, PageGame, room_id};
use futures_util::stream::SplitStream;
use futures_util::{SinkExt, StreamExt};
use rand::Rng;
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, interval, timeout};

use crate::AddEngine;
use crate::arena::Arena;
use crate::client::Client;
use crate::guard::{Caller, Scope};
use crate::host::{self, Host, Visit};
use crate::listen::Place;
use crate::matches::{Ground, Matches};
use crate::pool::Ticket;
use crate::qr::Qr;
use crate::room_task::Message;

/// The largest message a page may send: a large game record.
pub(crate) const MAX_MESSAGE: usize = 1 << 20;
/// The most bytes that wait to be sent in a connection beside the message at hand. It holds answers
/// to pings whose sender does not read: more of them are not kept.
pub(crate) const MAX_UNSENT: usize = MAX_MESSAGE + (1 << 16);
/// Messages waiting for a slow page before it is let go.
const OUTBOX: usize = 512;
/// Messages of a page that wait for the one before.
const INBOX: usize = 64;
/// The most messages a second, pings and pongs included; a person with a mouse stays far below.
const MAX_RATE: u32 = 200;
/// How often a room may die in a second before its game is left.
const MAX_DEATHS: u32 = 2;
/// How long a page may take to say its first word: it opens a game at once.
const FIRST_WORD: Duration = Duration::from_secs(10);
/// How often a page is asked whether it is still there. A browser answers by itself.
const PING_GAP: Duration = Duration::from_secs(20);
/// A page that is silent for so long is gone.
const MAX_SILENCE: Duration = Duration::from_secs(60);
/// A page that does not read for so long is gone.
const MAX_SEND: Duration = Duration::from_secs(20);

/// What is said to a page that asks for more than the game whose link it came by.
const ONLY_ITS_GAME: &str = "this link leads to one game and nothing else";
/// What is said where a match is not being played.
const NOT_PLAYED: &str = "no match of this name is being played here, or it is over";
/// What is said to a page that must not have programs run.
const ONLY_AT_THE_MACHINE: &str = "a program becomes an engine only from a page that is open on the \
    computer of the server itself, by its address with the token: there, or by `collinear engines add`";
/// What is said where the game of a link cannot be entered.
const NO_ROOM: &str = "this game cannot be opened: it was deleted, or too many games are open";

static CLIENTS: AtomicU64 = AtomicU64::new(0);

/// Serves one page until it goes. Its place among the connections is free again afterwards.
pub(crate) async fn serve(
    socket: WebSocket,
    host: Arc<Host>,
    place: Option<Place>,
    caller: Caller,
) {
    let (mut sink, stream) = socket.split();
    let (out, mut outbox) = mpsc::channel::<Utf8Bytes>(OUTBOX);
    let (heard, mut inbox) = mpsc::channel(INBOX);
    let (here, mut gone) = oneshot::channel();
    let reader = tokio::spawn(read(stream, heard, here));
    let id = ClientId(CLIENTS.fetch_add(1, Ordering::Relaxed));
    let mut page = Page {
        host,
        client: Client { id, person: caller.person, out },
        scope: caller.scope,
        at_machine: caller.at_machine,
        visit: None,
        errand: None,
        deaths: Rate::default(),
    };
    page.greet().await;
    let mut pings = interval(PING_GAP);
    pings.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        let frame = tokio::select! {
            heard = inbox.recv(), if page.errand.is_none() => match heard {
                Some(Heard::Text(text)) => {
                    page.read(&text).await;
                    None
                }
                Some(Heard::Binary) => {
                    page.refuse("only texts are understood, no binary data");
                    None
                }
                Some(Heard::Flood) => {
                    page.refuse("too many messages: please reload the page");
                    break;
                }
                None => break,
            },
            // Nobody waits for the outcome any more.
            _ = &mut gone, if page.errand.is_some() => break,
            outcome = done(&mut page.errand) => {
                page.conclude(&outcome).await;
                None
            }
            () = closed(page.visit.as_ref()) => {
                page.enter_again().await;
                None
            }
            text = outbox.recv() => {
                let Some(text) = text else { break };
                Some(Frame::Text(text))
            }
            _ = pings.tick() => Some(Frame::Ping(Bytes::new())),
        };
        if let Some(frame) = frame
            && !matches!(timeout(MAX_SEND, sink.send(frame)).await, Ok(Ok(())))
        {
            break;
        }
        // A room that could not deliver: the page would show something old.
        if page.client.out.capacity() == 0 {
            break;
        }
    }
    reader.abort();
    page.errand = None;
    page.leave().await;
    let farewell = async {
        while let Ok(text) = outbox.try_recv() {
            if sink.send(Frame::Text(text)).await.is_err() {
                break;
            }
        }
        let _ = sink.close().await;
    };
    let _ = timeout(MAX_SEND, farewell).await;
    drop(place);
}

/// What a page says.
enum Heard {
    Text(Utf8Bytes),
    Binary,
    /// More than anybody says in a second: the last that is heard of it.
    Flood,
}

/// Hears a page until it goes, floods or falls silent; dropping `here` tells that it is over.
async fn read(
    mut stream: SplitStream<WebSocket>,
    inbox: mpsc::Sender<Heard>,
    here: oneshot::Sender<()>,
) {
    let mut rate = Rate::default();
    let (opened, mut has_spoken) = (Instant::now(), false);
    loop {
        let patience =
            if has_spoken { MAX_SILENCE } else { FIRST_WORD.saturating_sub(opened.elapsed()) };
        let Ok(Some(Ok(frame))) = timeout(patience, stream.next()).await else { break };
        let heard = match frame {
            _ if !rate.allows(MAX_RATE) => Some(Heard::Flood),
            Frame::Text(text) => Some(Heard::Text(text)),
            Frame::Binary(_) => Some(Heard::Binary),
            Frame::Ping(_) | Frame::Pong(_) => None,
            Frame::Close(_) => break,
        };
        let Some(heard) = heard else { continue };
        has_spoken = true;
        let is_last = matches!(heard, Heard::Flood);
        if inbox.send(heard).await.is_err() || is_last {
            break;
        }
    }
    drop(here);
}

/// Ends when the room has died: one that is left in order is not visited any more.
async fn closed(visit: Option<&Visit>) {
    match visit {
        Some(visit) => visit.room.closed().await,
        None => std::future::pending().await,
    }
}

/// An errand that is being run for the page.
struct UnderWay {
    errand: Box<Errand>,
    news: mpsc::Receiver<News>,
    _ticket: Ticket,
}

/// Waits for the outcome of the errand under way, if there is one.
async fn done(errand: &mut Option<UnderWay>) -> Outcome {
    let Some(errand) = errand else { return std::future::pending().await };
    loop {
        match errand.news.recv().await {
            Some(News::Done(outcome)) => return outcome,
            Some(_) => {}
            // The pool is closed.
            None => return Outcome::Unknown,
        }
    }
}

/// Counts what happens in the running second.
struct Rate {
    since: Instant,
    count: u32,
}

impl Default for Rate {
    fn default() -> Self {
        Self { since: Instant::now(), count: 0 }
    }
}

impl Rate {
    /// Counts one more; whether there were at most that many.
    fn allows(&mut self, most: u32) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            *self = Self::default();
        }
        self.count += 1;
        self.count <= most
    }
}

struct Page {
    host: Arc<Host>,
    client: Client,
    /// What it may reach.
    scope: Scope,
    /// Whether it is open on this very machine, by its owner.
    at_machine: bool,
    visit: Option<Visit>,
    /// Until it is over, what the page asks has to wait.
    errand: Option<UnderWay>,
    deaths: Rate,
}

impl Page {
    async fn greet(&mut self) {
        if let Scope::Room { secret, owner } = &self.scope {
            let invitation = Invitation { owner: *owner, links: self.links(secret, *owner) };
            self.client.tell(&Lobby::welcome(invitation));
            return self.enter_room().await;
        }
        let lobby = Arc::clone(&self.host.lobby);
        let hello = self.host.ask_store(move |store| Ok(lobby.hello(store))).await;
        if let Ok(hello) = hello {
            self.client.tell(&hello);
        }
    }

    /// The addresses of a room for other machines. Only the owner is told how the machine is reached.
    fn links(&self, secret: &str, owner: bool) -> Vec<InviteLink> {
        let reach = if owner { &self.host.reach[..] } else { &[] };
        let link = |base: &String| {
            let url = format!("{base}?room={secret}");
            let code = Qr::of(&url)?;
            Some(InviteLink { size: code.side() as u32, path: code.path(), url })
        };
        reach.iter().filter_map(link).collect()
    }

    /// Enters the room whose link the page came by.
    async fn enter_room(&mut self) {
        if let Scope::Room { secret, .. } = &self.scope {
            self.visit = self.host.join(&room_id(secret), self.client.clone()).await;
        }
        if self.visit.is_none() {
            self.refuse(NO_ROOM);
        }
    }

    async fn read(&mut self, text: &str) {
        let asked = match ToServer::read(text) {
            Ok(asked) => asked,
            Err(error) => return self.malformed(text, &error),
        };
        let done = match asked {
            ToServer::Lobby(_) | ToServer::Arena(_) if self.scope != Scope::All => {
                Err(ONLY_ITS_GAME.to_owned())
            }
            ToServer::Lobby(asked) => self.ask_lobby(asked).await,
            ToServer::Arena(asked) => match asked.open() {
                Ok(asked) => self.ask_arena(asked).await,
                Err(error) => return self.malformed(text, &error),
            },
            ToServer::Game(asked) => self.ask_game(asked).await,
        };
        self.settle(done);
    }

    fn malformed(&self, text: &str, error: &serde_json::Error) {
        self.log(&format!("a message of {} bytes was malformed: {error}", text.len()));
        self.refuse(&format!("the server did not understand the page: {error}"));
    }

    fn settle(&self, done: Result<(), String>) {
        if let Err(refusal) = done {
            self.log(&refusal);
            self.refuse(&refusal);
        }
    }

    async fn ask_game(&self, asked: ToGame) -> Result<(), String> {
        match (&self.visit, asked) {
            (Some(visit), asked) => {
                // A room that has died meanwhile is replaced by the page's loop.
                let _ = visit.room.send(host::event(self.client.id, asked)).await;
                Ok(())
            }
            (None, ToGame::Sync { number }) => {
                self.client.tell(&ToPage::Synced { number });
                Ok(())
            }
            (None, _) => Err("no game is open".to_owned()),
        }
    }

    async fn ask_lobby(&mut self, asked: ToLobby) -> Result<(), String> {
        let (lobby, seed) = (Arc::clone(&self.host.lobby), rand::rng().random());
        let doors = Arc::clone(&self.host.doors);
        let ask = move |store: &dyn collinear_room::Store| {
            // A game that is deleted cannot be entered by its link any more, until it is back.
            let changed = match &asked {
                ToLobby::Forget { id } | ToLobby::Remember { id } => Some(id.clone()),
                _ => None,
            };
            let answer = lobby.answer(store, asked, seed);
            if let Some(id) = changed {
                doors.set(&id, store.body(&id)?.is_some());
            }
            Ok(answer)
        };
        let answer = self.host.ask_store(ask).await.map_err(|error| error.to_string())??;
        self.follow(answer).await
    }

    async fn follow(&mut self, answer: Answer) -> Result<(), String> {
        match answer {
            Answer::Done => Ok(()),
            Answer::Tell(message) => {
                self.client.tell(&message);
                Ok(())
            }
            Answer::Begin { game, keep, instead } => {
                self.begin(*game, keep).await?;
                instead.map_or(Ok(()), Err)
            }
            Answer::Invite(game) => {
                let room = self.host.found(*game).await.map_err(|error| error.to_string())?;
                self.client.tell(&ToPage::Invited { room });
                Ok(())
            }
            Answer::Join(id) => {
                self.leave().await;
                self.visit = self.host.join(&id, self.client.clone()).await;
                match self.visit {
                    Some(_) => Ok(()),
                    None => self.begin_default().await,
                }
            }
            Answer::Work(errand) => {
                let (sender, news) = mpsc::channel(1);
                let ticket = self.host.pool.submit(errand.work(), sender, |news| news);
                self.errand = Some(UnderWay { errand, news, _ticket: ticket });
                Ok(())
            }
        }
    }

    /// The errand under way has ended.
    async fn conclude(&mut self, outcome: &Outcome) {
        let Some(UnderWay { errand, .. }) = self.errand.take() else { return };
        let done = match errand.conclude(outcome) {
            // On the heap: an errand never leads to another one.
            Ok(answer) => Box::pin(self.follow(answer)).await,
            Err(refusal) => Err(refusal),
        };
        self.settle(done);
    }

    async fn ask_arena(&mut self, asked: ToArena) -> Result<(), String> {
        match asked {
            ToArena::Runs => {
                let ask = |arena: &Arena| Ok((arena.runs()?, arena.reports()));
                let (runs, reports) = self.read_arena(ask).await?;
                let limits = ArenaLimits {
                    at_once: self.host.at_once as u32,
                    engines: self.may_add_engines().is_ok(),
                };
                self.client.tell(&ToPage::Runs { runs, reports, limits });
            }
            ToArena::Run { id, known } => {
                let news = self.read_arena(move |arena| arena.run(&id, known.as_ref())).await?;
                if let Some(view) = news {
                    self.client.tell(&ToPage::Run { view });
                }
            }
            ToArena::Replay { run, number } => {
                let seed = rand::rng().random();
                let game = self.read_arena(move |arena| arena.replay(&run, number, seed)).await?;
                self.begin(game, Keep::WhenChanged).await?;
            }
            ToArena::StartMatch { r#match: new } => {
                let begin = move |matches: &Matches, ground| matches.start(ground, &new);
                let run = self.change_matches(begin).await?;
                self.client.tell(&ToPage::MatchStarted { run });
            }
            ToArena::ResumeMatch { run } => {
                let resume = move |matches: &Matches, ground| matches.resume(ground, &run);
                self.change_matches(resume).await?;
            }
            ToArena::StopMatch { run } => {
                self.host.matches.stop(&run).then_some(()).ok_or(NOT_PLAYED)?;
            }
            ToArena::PauseMatch { run } => {
                self.host.matches.pause(&run).then_some(()).ok_or(NOT_PLAYED)?;
            }
            ToArena::Live { run } => {
                let asked = run.clone();
                let boards = self.read_arena(move |arena| arena.live(&asked)).await?;
                self.client.tell(&ToPage::Live { run, boards });
            }
            ToArena::AddEngine { engine } => self.add_engine(engine).await?,
        }
        Ok(())
    }

    /// Starts or resumes a match aside: the file of results is opened, and engines are started.
    async fn change_matches<T: Send + 'static>(
        &self,
        change: impl FnOnce(&Matches, Ground) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let results = self.host.arena.as_ref().map(|arena| arena.results.clone());
        let ground = Ground {
            registry: self.host.lobby.registry.clone(),
            results: results.ok_or("this server has no file of results")?,
            build: self.host.build.clone(),
            at_once: self.host.at_once,
            log: Arc::clone(&self.host.log),
        };
        let matches = self.host.matches.clone();
        let changed = tokio::task::spawn_blocking(move || change(&matches, ground)).await;
        changed.map_err(|_| "the match could not be started".to_owned())?
    }

    /// Why this page may not have programs run, if it may not.
    fn may_add_engines(&self) -> Result<&AddEngine, String> {
        let add = self.host.add_engine.as_ref().filter(|_| self.at_machine);
        add.ok_or_else(|| ONLY_AT_THE_MACHINE.to_owned())
    }

    async fn add_engine(&self, engine: NewEngine) -> Result<(), String> {
        let add = Arc::clone(self.may_add_engines()?);
        let name = engine.name.clone();
        let added = tokio::task::spawn_blocking(move || add(&engine)).await;
        let spec = added.map_err(|_| "the engine could not be started".to_owned())??;
        self.host.lobby.registry.add(spec);
        self.client.tell(&ToPage::EngineAdded { name, agents: self.host.lobby.agents() });
        Ok(())
    }

    /// The file of results may be large: it is read aside.
    async fn read_arena<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Arena) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let arena = self.host.arena.clone().ok_or("this server has no file of results")?;
        let answer = tokio::task::spawn_blocking(move || question(&arena));
        answer.await.map_err(|_| "the file of results cannot be read".to_owned())?
    }

    async fn begin(&mut self, game: PageGame, keep: Keep) -> Result<(), String> {
        self.leave().await;
        self.visit = self.host.begin(game, keep, self.client.clone());
        match self.visit {
            Some(_) => Ok(()),
            None => Err("too many games are open: close some pages first".to_owned()),
        }
    }

    async fn begin_default(&mut self) -> Result<(), String> {
        let game = self.host.lobby.default_game(rand::rng().random());
        self.begin(game, Keep::Now).await
    }

    async fn leave(&mut self) {
        if let Some(visit) = self.visit.take() {
            let _ = visit.room.send(Message::Event(Event::Leave(self.client.id))).await;
        }
    }

    /// The room has died of a fault of ours: the game is opened again as it was stored. One that
    /// dies again and again is left for a fresh board.
    async fn enter_again(&mut self) {
        let Some(Visit { id, .. }) = self.visit.take() else { return };
        self.log(&format!("game {id} failed and is opened again"));
        if self.deaths.allows(MAX_DEATHS) {
            self.visit = self.host.join(&id, self.client.clone()).await;
        }
        if self.visit.is_none() && self.scope != Scope::All {
            return self.refuse(NO_ROOM);
        }
        if self.visit.is_none() {
            let begun = self.begin_default().await;
            self.settle(begun);
        }
        self.refuse("something went wrong in the server: the game is shown as it was last stored");
    }

    fn log(&self, what: &str) {
        (self.host.log)(&format!("page {}: {what}", self.client.id.0));
    }

    fn refuse(&self, text: &str) {
        self.client.tell(&ToPage::Refused { text: text.to_owned() });
    }
}
