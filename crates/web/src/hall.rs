//! The hall: everything the tables share, and the list of those that somebody sits at.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use collinear_book::Book;
use collinear_play::Registry;
use collinear_rules::Rules;
use rand::Rng;
use tokio::sync::mpsc;

use crate::arena::Arena;
use crate::game::Game;
use crate::insight::Tables;
use crate::pool::Pool;
use crate::store::Store;
use crate::table::{Guest, Mail, Table};
use crate::{Config, Log};

/// The most games open at once.
const MAX_TABLES: usize = 512;
/// Messages a table keeps before senders wait.
const MAILBOX: usize = 64;

/// What all tables share.
pub(crate) struct Hall {
    /// All agents.
    pub(crate) registry: Registry,
    /// Games on disk.
    pub(crate) store: Store,
    /// Searches.
    pub(crate) pool: Arc<Pool>,
    /// Opening statistics.
    pub(crate) books: Vec<Book>,
    /// Hears what went wrong.
    pub(crate) log: Log,
    /// The file of results, if there may be one.
    pub(crate) arena: Option<Arena>,
    /// Table-bases of line shapes.
    pub(crate) line_tables: Tables,
    tables: Mutex<HashMap<String, mpsc::Sender<Mail>>>,
}

impl Hall {
    /// An empty hall.
    pub(crate) fn new(config: Config, store: Store) -> Arc<Self> {
        Arc::new(Self {
            registry: config.registry,
            store,
            pool: Pool::new(config.searches.max(1)),
            books: config.books,
            arena: config.results.map(Arena),
            log: config.log,
            line_tables: Tables::default(),
            tables: Mutex::new(HashMap::new()),
        })
    }

    /// The book of a game, if one was given.
    pub(crate) fn book(&self, rules: &Rules) -> Option<&Book> {
        self.books.iter().find(|book| book.rules() == rules)
    }

    fn tables(&self) -> MutexGuard<'_, HashMap<String, mpsc::Sender<Mail>>> {
        self.tables.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sits a guest at the table of a new game. None when the hall is full.
    pub(crate) fn begin(self: &Arc<Self>, game: Game, guest: Guest) -> Option<mpsc::Sender<Mail>> {
        let id = format!("{:016x}", rand::rng().random::<u64>());
        self.seat(&id, guest, move || Some(game))
    }

    /// Sits a guest at the table of a stored game; None when there is no such game.
    pub(crate) fn join(self: &Arc<Self>, id: &str, guest: Guest) -> Option<mpsc::Sender<Mail>> {
        self.seat(id, guest, || self.store.load(id).ok().flatten())
    }

    fn seat(
        self: &Arc<Self>,
        id: &str,
        guest: Guest,
        game: impl FnOnce() -> Option<Game>,
    ) -> Option<mpsc::Sender<Mail>> {
        let mut tables = self.tables();
        if let Some(table) = tables.get(id) {
            // A table leaves the list under this lock, so one that is listed reads its mail; a
            // full mailbox is a page that floods it, and the guest is told to try again.
            return table.try_send(Mail::Join(guest)).is_ok().then(|| table.clone());
        }
        if tables.len() >= MAX_TABLES {
            return None;
        }
        let (sender, mailbox) = mpsc::channel(MAILBOX);
        let table = Table::new(id.to_owned(), game()?, Arc::clone(self), sender.clone());
        sender.try_send(Mail::Join(guest)).ok()?;
        tables.insert(id.to_owned(), sender.clone());
        tokio::spawn(table.run(mailbox));
        Some(sender)
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
