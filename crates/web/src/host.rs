//! The host of all rooms: what they share, and the list of those that somebody is in.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_book::Book;
use collinear_play::instant::Instant;
use collinear_room::work::Worker;
use collinear_room::{
    ClientId, Event, Keep, Lobby, PageGame, Room, Row, Store, StoreError, room_id,
};
use rand::Rng;
use tokio::sync::mpsc;
use tokio::sync::mpsc::error::TrySendError;

use crate::arena::Arena;
use crate::client::Client;
use crate::doors::Doors;
use crate::folder::Folder;
use crate::matches::Matches;
use crate::pool::Pool;
use crate::room_task::{Message, RoomTask};
use crate::{AddEngine, Config, Log};

/// The most games open at once.
const MAX_ROOMS: usize = 512;
/// Overlays worked out at once.
const GLANCES: usize = 2;
/// How long the work at hand may take to end when the server does.
const SHUT_TIME: Duration = Duration::from_secs(3);
/// Messages a room keeps before senders wait.
const MAILBOX: usize = 64;

/// A client's way to the room it is in.
pub(crate) struct Visit {
    /// The game's name in the store.
    pub(crate) id: String,
    /// Where to write to.
    pub(crate) room: mpsc::Sender<Message>,
}

/// What all rooms share.
pub(crate) struct Host {
    /// Answers what needs no room.
    pub(crate) lobby: Arc<Lobby>,
    /// Games on disk.
    store: Arc<dyn Store>,
    /// Ours as long as a room may write into it.
    _folder: Option<Folder>,
    /// Does the work.
    pub(crate) pool: Arc<Pool>,
    /// Hears what went wrong.
    pub(crate) log: Log,
    /// The file of results, if there may be one.
    pub(crate) arena: Option<Arena>,
    /// Which links lead to a room.
    pub(crate) doors: Arc<Doors>,
    /// Where other machines reach the server: addresses that end with a slash.
    pub(crate) reach: Vec<String>,
    /// Matches that pages have started.
    pub(crate) matches: Matches,
    /// Games of matches at the same time.
    pub(crate) at_once: usize,
    /// Gives programs names as engines, if pages may ask for that at all.
    pub(crate) add_engine: Option<AddEngine>,
    /// Names this very program in the file of results.
    pub(crate) build: String,
    rooms: Mutex<HashMap<String, mpsc::Sender<Message>>>,
}

impl Host {
    /// A host without rooms.
    pub(crate) fn new(
        config: Config,
        store: Arc<dyn Store>,
        folder: Option<Folder>,
        doors: Arc<Doors>,
        reach: Vec<String>,
    ) -> Arc<Self> {
        let searches = config.searches.max(1);
        // What each search and each overlay has used last, and a few more.
        let books: Arc<[Book]> = config.books.into();
        let worker = Worker::new(config.registry.clone(), 2 * (searches + GLANCES) + 2)
            .with_books(Arc::clone(&books));
        let matches = Matches::default();
        Arc::new(Self {
            lobby: Arc::new(Lobby { registry: config.registry, books }),
            store,
            _folder: folder,
            pool: Pool::new(worker, searches, GLANCES),
            arena: config.results.map(|results| Arena { results, matches: matches.clone() }),
            doors,
            reach,
            matches,
            at_once: searches,
            add_engine: config.add_engine,
            build: config.build,
            log: config.log,
            rooms: Mutex::new(HashMap::new()),
        })
    }

    /// Ends matches and searches and lets go of all agents: an agent may be a process, which would
    /// outlive the program. What does not end in time is left to itself.
    pub(crate) async fn shut(&self) {
        let ended = async { tokio::join!(self.matches.shut(), self.pool.shut()) };
        let _ = tokio::time::timeout(SHUT_TIME, ended).await;
    }

    fn rooms(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<Message>>> {
        self.rooms.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many rooms are open.
    pub(crate) fn open_rooms(&self) -> usize {
        self.rooms().values().filter(|room| !room.is_closed()).count()
    }

    /// Lets a client into the room of a new game. None when too many are open.
    pub(crate) fn begin(
        self: &Arc<Self>,
        game: PageGame,
        keep: Keep,
        client: Client,
    ) -> Option<Visit> {
        let id = format!("{:016x}", rand::rng().random::<u64>());
        self.enter(&id, client, game, keep).ok()
    }

    /// Makes a room for a game by a link; returns the secret of the link.
    pub(crate) async fn found(&self, game: PageGame) -> Result<String, StoreError> {
        let secret = format!("{:032x}", rand::rng().random::<u128>());
        let row = Row::of(&room_id(&secret), &game)?;
        self.ask_store(move |store| store.save(&row)).await?;
        self.doors.add(secret.clone());
        Ok(secret)
    }

    /// Lets a client into the room of a stored game; None when there is no such game, or too many
    /// are open.
    pub(crate) async fn join(self: &Arc<Self>, id: &str, client: Client) -> Option<Visit> {
        loop {
            let found = self.rooms().get(id).filter(|room| !room.is_closed()).cloned();
            let Some(room) = found else { break };
            match self.knock(id, &client) {
                Ok(Some(visit)) => return Some(visit),
                // It has closed meanwhile.
                Ok(None) => break,
                // A page floods it: wait until it has read something.
                Err(Busy) => drop(room.reserve().await),
            }
        }
        // Nobody is in it, or its task has died: a room with the game as it was stored.
        let wanted = id.to_owned();
        let game = self.ask_store(move |store| store.load(&wanted)).await.ok().flatten()?;
        self.enter(id, client, game, Keep::Now).ok()
    }

    /// Asks an open room to let a client in. A room leaves the list under the same lock, and only
    /// when it has read everything: what is sent here is read.
    fn knock(&self, id: &str, client: &Client) -> Result<Option<Visit>, Busy> {
        let rooms = self.rooms();
        let Some(room) = rooms.get(id) else { return Ok(None) };
        match room.try_send(Message::Join(client.clone())) {
            Ok(()) => Ok(Some(Visit { id: id.to_owned(), room: room.clone() })),
            Err(TrySendError::Full(_)) => Err(Busy),
            Err(TrySendError::Closed(_)) => Ok(None),
        }
    }

    fn enter(
        self: &Arc<Self>,
        id: &str,
        client: Client,
        game: PageGame,
        keep: Keep,
    ) -> Result<Visit, Busy> {
        // Another page may have been faster.
        if let Some(visit) = self.knock(id, &client)? {
            return Ok(visit);
        }
        let mut rooms = self.rooms();
        rooms.retain(|_, room| !room.is_closed());
        if rooms.len() >= MAX_ROOMS {
            return Err(Busy);
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let room = Room::new(id.to_owned(), game, keep, Arc::clone(&self.lobby), Instant::now());
        sender.try_send(Message::Join(client)).map_err(|_| Busy)?;
        rooms.insert(id.to_owned(), sender.clone());
        tokio::spawn(
            RoomTask::new(id.to_owned(), room, Arc::clone(self), sender.clone()).run(mailbox),
        );
        Ok(Visit { id: id.to_owned(), room: sender })
    }

    /// Asks the store aside, since the disk may be slow.
    pub(crate) async fn ask_store<T: Send + 'static>(
        &self,
        question: impl FnOnce(&dyn Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Arc::clone(&self.store);
        let answer = tokio::task::spawn_blocking(move || question(&*store));
        let failed = || StoreError::Unusable("a fault of ours: please report it".to_owned());
        answer.await.unwrap_or_else(|_| Err(failed()))
    }

    /// Takes a room that nobody is in off the list; false when a message has arrived meanwhile.
    pub(crate) fn close(&self, id: &str, mailbox: &mpsc::Receiver<Message>) -> bool {
        let mut rooms = self.rooms();
        let done = mailbox.is_empty();
        if done {
            rooms.remove(id);
        }
        done
    }
}

/// A room, or the whole server, that cannot take anybody now.
struct Busy;

/// A message of a client to the room it is in.
pub(crate) const fn event(client: ClientId, asked: collinear_room::wire::ToGame) -> Message {
    Message::Event(Event::Ask(client, asked))
}
