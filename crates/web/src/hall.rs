//! The hall: everything the tables share, and the list of those that somebody sits at.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use collinear_book::Book;
use collinear_play::Registry;
use collinear_rules::Rules;
use rand::Rng;
use tokio::sync::mpsc;

use crate::arena::Arena;
use crate::folder::Folder;
use crate::game::PageGame;
use crate::insight::Tables;
use crate::matches::Matches;
use crate::pool::Pool;
use crate::store::{Store, StoreError};
use crate::table::{Guest, Mail, Table};
use crate::{Config, Log};

/// The most games open at once.
const MAX_TABLES: usize = 512;
/// Overlays worked out at once.
const OVERLAYS: usize = 2;
/// How long the work at hand may take to end when the server does.
const SHUT_TIME: Duration = Duration::from_secs(3);
/// Messages a table keeps before senders wait.
const MAILBOX: usize = 64;

/// From when on a game is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Keep {
    /// From the start.
    Now,
    /// When something in it changes: a link or a replay that is only looked at leaves no trace.
    WhenChanged,
}

/// A place at a table.
pub(crate) struct Chair {
    /// The game's name in the store.
    pub(crate) id: String,
    /// Where to write to.
    pub(crate) table: mpsc::Sender<Mail>,
}

/// What all tables share.
pub(crate) struct Hall {
    /// All agents.
    pub(crate) registry: Registry,
    /// Games on disk.
    store: Arc<Store>,
    /// Ours as long as a table may write into it.
    _folder: Option<Folder>,
    /// Searches.
    pub(crate) pool: Arc<Pool>,
    /// Threats and shapes: short, so that they need not wait behind searches.
    pub(crate) overlays: Arc<Pool>,
    /// Opening statistics.
    pub(crate) books: Vec<Book>,
    /// Hears what went wrong.
    pub(crate) log: Log,
    /// The file of results, if there may be one.
    pub(crate) arena: Option<Arena>,
    /// Matches that pages have started.
    pub(crate) matches: Matches,
    /// Names this very program in the file of results.
    pub(crate) build: String,
    /// Table-bases of line shapes.
    pub(crate) line_tables: Tables,
    tables: Mutex<HashMap<String, mpsc::Sender<Mail>>>,
}

impl Hall {
    /// An empty hall.
    pub(crate) fn new(config: Config, store: Store, folder: Option<Folder>) -> Arc<Self> {
        Arc::new(Self {
            registry: config.registry,
            store: Arc::new(store),
            _folder: folder,
            pool: Pool::new(config.searches.max(1)),
            overlays: Pool::new(OVERLAYS),
            books: config.books,
            arena: config.results.map(|results| Arena { results }),
            matches: Matches::default(),
            build: config.build,
            log: config.log,
            line_tables: Tables::default(),
            tables: Mutex::new(HashMap::new()),
        })
    }

    /// Ends matches and searches and lets go of all agents: an agent may be a process, which would
    /// outlive the program. What does not end in time is left to itself.
    pub(crate) async fn shut(&self) {
        let ended = async {
            tokio::join!(self.matches.shut(), self.pool.shut(), self.overlays.shut());
        };
        let _ = tokio::time::timeout(SHUT_TIME, ended).await;
    }

    /// The book of a game, if one was given.
    pub(crate) fn book(&self, rules: &Rules) -> Option<&Book> {
        self.books.iter().find(|book| book.rules() == rules)
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<Mail>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sits a guest at the table of a new game. None when the hall is full.
    pub(crate) fn begin(
        self: &Arc<Self>,
        game: PageGame,
        keep: Keep,
        guest: Guest,
    ) -> Option<Chair> {
        let id = format!("{:016x}", rand::rng().random::<u64>());
        self.seat(&id, guest, game, keep)
    }

    /// Sits a guest at the table of a stored game; None when there is no such game, or too many
    /// are open.
    pub(crate) async fn join(self: &Arc<Self>, id: &str, guest: Guest) -> Option<Chair> {
        let found = self.tables().get(id).filter(|table| !table.is_closed()).cloned();
        if let Some(table) = found
            && table.send(Mail::Join(guest.clone())).await.is_ok()
        {
            return Some(Chair { id: id.to_owned(), table });
        }
        // Nobody sits there, or its task has died: a table with the game as it was stored.
        let wanted = id.to_owned();
        let game = self.ask_store(move |store| store.load(&wanted)).await.ok().flatten()?;
        self.seat(id, guest, game, Keep::Now)
    }

    fn seat(self: &Arc<Self>, id: &str, guest: Guest, game: PageGame, keep: Keep) -> Option<Chair> {
        let mut tables = self.tables();
        tables.retain(|_, table| !table.is_closed());
        if let Some(table) = tables.get(id) {
            // Another page was faster. A table leaves the list under this lock, so one that is
            // listed reads its mail; a full mailbox is a page that floods it.
            let chair = Chair { id: id.to_owned(), table: table.clone() };
            return chair.table.try_send(Mail::Join(guest)).is_ok().then_some(chair);
        }
        if tables.len() >= MAX_TABLES {
            return None;
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let table =
            Table::new(id.to_owned(), game, keep == Keep::Now, Arc::clone(self), sender.clone());
        sender.try_send(Mail::Join(guest)).ok()?;
        tables.insert(id.to_owned(), sender.clone());
        tokio::spawn(table.run(mailbox));
        Some(Chair { id: id.to_owned(), table: sender })
    }

    /// Asks the store aside, since the disk may be slow.
    pub(crate) async fn ask_store<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Store) -> Result<T, StoreError> + Send + 'static,
    ) -> Result<T, StoreError> {
        let store = Arc::clone(&self.store);
        let answer = tokio::task::spawn_blocking(move || question(&store));
        answer.await.unwrap_or(Err(StoreError::Failed))
    }

    /// Takes a table that nobody sits at off the list, unless mail has arrived meanwhile.
    pub(crate) fn close(&self, id: &str, mailbox: &mut mpsc::Receiver<Mail>) -> Option<Mail> {
        let mut tables = self.tables();
        let mail = mailbox.try_recv().ok();
        if mail.is_none() {
            tables.remove(id);
        }
        mail
    }
}
