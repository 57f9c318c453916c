//! One page's WebSocket: reads its messages, sits it at tables, and sends what they tell.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, Utf8Bytes, WebSocket};
use collinear_agents::playing;
use collinear_play::{Game, Registry, TimeControl};
use collinear_rules::{Position, Rules, Setup};
use futures_util::{SinkExt, StreamExt};
use rand::Rng;
use tokio::sync::mpsc;

use crate::arena::Arena;
use crate::convert::{agent_info, cells_of, control, levels, player, rules_of, rules_view};
use crate::game::PageGame;
use crate::hall::{Chair, Hall, Keep};
use crate::matches::Ground;
use crate::record::{self, Imported};
use crate::store::{MAX_GAMES, Store, StoreError};
use crate::table::{Guest, Mail};
use crate::wire::{FormCheck, NewGame, NewSetup, PresetInfo, RulesForm, Timing, ToPage, ToServer};
use crate::{link, puzzles, seats};

/// The largest message a page may send: a large game record.
pub(crate) const MAX_MESSAGE: usize = 1 << 20;
/// Messages waiting for a slow page before it is let go.
const OUTBOX: usize = 512;
/// The largest settings text.
const MAX_SETTINGS: usize = 16_384;
/// The most messages a second; a person with a mouse stays far below.
const MAX_RATE: u32 = 200;
/// How often a table may die in a second before its game is left.
const MAX_DEATHS: u32 = 2;
/// Times a form may ask for: a day.
const MAX_TIME_MS: u32 = 24 * 3600 * 1000;

static GUESTS: AtomicU64 = AtomicU64::new(0);

/// Serves one page until it goes.
pub(crate) async fn serve(socket: WebSocket, hall: Arc<Hall>) {
    let (mut sink, mut stream) = socket.split();
    let (out, mut outbox) = mpsc::channel::<Utf8Bytes>(OUTBOX);
    let number = GUESTS.fetch_add(1, Ordering::Relaxed);
    let mut page =
        Page { hall, guest: Guest { number, out }, chair: None, deaths: Rate::default() };
    page.greet().await;
    let mut rate = Rate::default();
    loop {
        tokio::select! {
            message = stream.next() => match message {
                Some(Ok(Message::Text(text))) => {
                    if !rate.allows(MAX_RATE) {
                        page.refuse("too many messages: please reload the page");
                        break;
                    }
                    page.read(&text).await;
                }
                Some(Ok(Message::Binary(_))) => {
                    page.refuse("only texts are understood, no binary data");
                }
                Some(Ok(Message::Ping(_) | Message::Pong(_))) => {}
                Some(Ok(Message::Close(_)) | Err(_)) | None => break,
            },
            () = closed(page.chair.as_ref()) => page.sit_again().await,
            text = outbox.recv() => {
                let Some(text) = text else { break };
                let sent = sink.send(Message::Text(text));
                // A page that does not read for so long is gone.
                match tokio::time::timeout(Duration::from_secs(20), sent).await {
                    Ok(Ok(())) => {}
                    _ => break,
                }
            }
        }
        // A table that could not deliver: the page would show something old.
        if page.guest.out.capacity() == 0 {
            break;
        }
    }
    page.leave().await;
    while let Ok(text) = outbox.try_recv() {
        if sink.send(Message::Text(text)).await.is_err() {
            break;
        }
    }
    let _ = sink.close().await;
}

/// A message as text.
pub(crate) fn text(message: &ToPage) -> Utf8Bytes {
    serde_json::to_string(message).unwrap_or_default().into()
}

/// Sends a message to a page; a page whose outbox is full is dropped by its own loop.
pub(crate) fn send(out: &mpsc::Sender<Utf8Bytes>, message: &ToPage) {
    send_text(out, text(message));
}

/// Sends a text to a page.
pub(crate) fn send_text(out: &mpsc::Sender<Utf8Bytes>, text: Utf8Bytes) {
    let _ = out.try_send(text);
}

/// Ends when the table has died: one that is left in order has no chair any more.
async fn closed(chair: Option<&Chair>) {
    match chair {
        Some(chair) => chair.table.closed().await,
        None => std::future::pending().await,
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
    /// Counts one more; whether there were at most so many.
    fn allows(&mut self, most: u32) -> bool {
        if self.since.elapsed() >= Duration::from_secs(1) {
            *self = Self::default();
        }
        self.count += 1;
        self.count <= most
    }
}

struct Page {
    hall: Arc<Hall>,
    guest: Guest,
    chair: Option<Chair>,
    deaths: Rate,
}

impl Page {
    async fn greet(&self) {
        let settings = self.hall.ask_store(Store::settings).await;
        let registry = &self.hall.registry;
        self.say(&ToPage::Hello {
            version: env!("CARGO_PKG_VERSION").to_owned(),
            presets: Rules::PRESETS
                .iter()
                .map(|(name, rules)| PresetInfo {
                    name: (*name).to_owned(),
                    rules: rules_view(rules),
                })
                .collect(),
            agents: registry.iter().map(agent_info).collect(),
            settings: settings.ok().flatten(),
        });
    }

    async fn read(&mut self, text: &str) {
        let asked = match serde_json::from_str::<ToServer>(text) {
            Ok(asked) => asked,
            Err(error) => {
                self.log(&format!("a message of {} bytes was malformed: {error}", text.len()));
                return self.refuse(&format!("the server did not understand the page: {error}"));
            }
        };
        if let Err(refusal) = self.answer(asked).await {
            self.log(&refusal);
            self.refuse(&refusal);
        }
    }

    async fn answer(&mut self, asked: ToServer) -> Result<(), String> {
        match asked {
            ToServer::Open { id, link } => self.open(id, link).await,
            ToServer::New { game } => {
                let game = new_game(&self.hall.registry, game)?;
                self.begin(game, Keep::Now).await
            }
            ToServer::Puzzles => {
                self.say(&ToPage::Puzzles { puzzles: puzzles::list() });
                Ok(())
            }
            ToServer::Puzzle { id } => {
                let puzzle = match puzzles::shipped(&id) {
                    Some(puzzle) => puzzle,
                    None => puzzles::own(&self.hall.pool, id).await?,
                };
                self.begin(puzzles::on_board(puzzle), Keep::WhenChanged).await
            }
            ToServer::Setup { setup, puzzle } => {
                let game = set_up(&setup)?;
                if puzzle != Some(true) {
                    return self.begin(game, Keep::Now).await;
                }
                let puzzle = puzzles::own(&self.hall.pool, link::write(&game.model)).await?;
                self.begin(puzzles::on_board(puzzle), Keep::WhenChanged).await
            }
            ToServer::Check { form } => {
                let check = check(&self.hall.registry, &form);
                self.say(&ToPage::Checked { form, check });
                Ok(())
            }
            ToServer::Games => self.list_games(|_| Ok(())).await,
            ToServer::Forget { id } => self.list_games(move |store| store.forget(&id)).await,
            ToServer::Remember { id } => {
                self.list_games(move |store| store.remember(&id).map(drop)).await
            }
            ToServer::Runs => {
                let ask = |arena: &Arena| Ok((arena.runs()?, arena.reports()));
                let (runs, reports) = self.ask_arena(ask).await?;
                self.say(&ToPage::Runs { runs, reports });
                Ok(())
            }
            ToServer::Run { id, known } => {
                let news = self.ask_arena(move |arena| arena.run(&id, known.as_ref())).await?;
                if let Some(view) = news {
                    self.say(&ToPage::Run { view });
                }
                Ok(())
            }
            ToServer::Replay { run, number } => {
                let seed = rand::rng().random();
                let game = self.ask_arena(move |arena| arena.replay(&run, number, seed)).await?;
                self.begin(game, Keep::WhenChanged).await
            }
            ToServer::StartMatch { new } => {
                let results = self.hall.arena.as_ref().map(|arena| arena.results.clone());
                let ground = Ground {
                    registry: self.hall.registry.clone(),
                    results: results.ok_or("this server has no file of results")?,
                    build: self.hall.build.clone(),
                    log: Arc::clone(&self.hall.log),
                };
                let matches = self.hall.matches.clone();
                let begin = move || matches.start(ground, &new);
                let started = tokio::task::spawn_blocking(begin).await;
                let run = started.map_err(|_| "the match could not be started".to_owned())??;
                self.say(&ToPage::MatchStarted { run });
                Ok(())
            }
            ToServer::StopMatch { run } => {
                if self.hall.matches.stop(&run) {
                    Ok(())
                } else {
                    Err("no match of this name was started here, or it is over".to_owned())
                }
            }
            ToServer::Import { text, index } => self.import(text, index).await,
            ToServer::Settings { text } => {
                if text.len() > MAX_SETTINGS {
                    return Err("these settings are too large to keep".to_owned());
                }
                let kept = self.hall.ask_store(move |store| store.keep_settings(&text)).await;
                kept.map_err(|error| error.to_string())
            }
            ToServer::Sync { number } if self.chair.is_none() => {
                self.say(&ToPage::Synced { number });
                Ok(())
            }
            asked => {
                let Some(chair) = &self.chair else {
                    return Err("no game is open".to_owned());
                };
                // A table that has died meanwhile is replaced by the page's loop.
                let _ = chair.table.send(Mail::Ask(self.guest.number, asked)).await;
                Ok(())
            }
        }
    }

    async fn open(&mut self, id: Option<String>, link: Option<String>) -> Result<(), String> {
        let newest = link.is_none();
        let found = self.hall.ask_store(move |store| store.find(id.as_deref(), newest)).await;
        let id = found.map_err(|error| error.to_string())?;
        if let Some(wanted) = &link {
            let stored = match id.clone() {
                Some(id) => self.hall.ask_store(move |store| store.load(&id)).await,
                None => Ok(None),
            };
            let shown = stored.ok().flatten().map(|game| link::write(&game.model));
            if shown.as_ref() != Some(wanted) {
                let opened = match link::read(wanted) {
                    Ok(linked) => self.begin(linked_game(linked), Keep::WhenChanged).await,
                    Err(error) => Err(error.to_string()),
                };
                // A link that leads nowhere still leaves the person with a board.
                if opened.is_err() {
                    self.begin(default_game(), Keep::Now).await?;
                }
                return opened;
            }
        }
        match id {
            Some(id) => {
                self.leave().await;
                self.chair = self.hall.join(&id, self.guest.clone()).await;
                if self.chair.is_some() {
                    Ok(())
                } else {
                    self.begin(default_game(), Keep::Now).await
                }
            }
            None => self.begin(default_game(), Keep::Now).await,
        }
    }

    /// Changes something in the store and tells what is in it then.
    async fn list_games(
        &self,
        change: impl FnOnce(&Store) -> Result<(), StoreError> + Send + 'static,
    ) -> Result<(), String> {
        let ask = move |store: &Store| {
            change(store)?;
            store.list()
        };
        let games = self.hall.ask_store(ask).await.map_err(|error| error.to_string())?;
        self.say(&ToPage::Stored { games, limit: MAX_GAMES });
        Ok(())
    }

    /// The file of results may be large: it is read aside.
    async fn ask_arena<T: Send + 'static>(
        &self,
        question: impl FnOnce(&Arena) -> Result<T, String> + Send + 'static,
    ) -> Result<T, String> {
        let arena = self.hall.arena.clone().ok_or("this server has no file of results")?;
        let answer = tokio::task::spawn_blocking(move || question(&arena));
        answer.await.map_err(|_| "the file of results cannot be read".to_owned())?
    }

    async fn import(&mut self, text: String, index: Option<u32>) -> Result<(), String> {
        let seed = rand::rng().random();
        let read = move || record::import(&text, index, default_control(), seed);
        match tokio::task::spawn_blocking(read).await.map_err(|error| error.to_string())?? {
            Imported::Game(game) => self.begin(*game, Keep::Now).await,
            Imported::Choices(titles) => {
                self.say(&ToPage::Choices { titles });
                Ok(())
            }
        }
    }

    async fn begin(&mut self, game: PageGame, keep: Keep) -> Result<(), String> {
        self.leave().await;
        self.chair = self.hall.begin(game, keep, self.guest.clone());
        match self.chair {
            Some(_) => Ok(()),
            None => Err("too many games are open: close some pages first".to_owned()),
        }
    }

    async fn leave(&mut self) {
        if let Some(chair) = self.chair.take() {
            let _ = chair.table.send(Mail::Leave(self.guest.number)).await;
        }
    }

    /// The table has died of a fault of ours: the game is opened again as it was stored. One that
    /// dies again and again is left for a fresh board.
    async fn sit_again(&mut self) {
        let Some(Chair { id, .. }) = self.chair.take() else { return };
        self.log(&format!("game {id} failed and is opened again"));
        if self.deaths.allows(MAX_DEATHS) {
            self.chair = self.hall.join(&id, self.guest.clone()).await;
        }
        if self.chair.is_none()
            && let Err(refusal) = self.begin(default_game(), Keep::Now).await
        {
            self.refuse(&refusal);
        }
        self.refuse("something went wrong in the server: the game is shown as it was last stored");
    }

    fn log(&self, what: &str) {
        (self.hall.log)(&format!("page {}: {what}", self.guest.number));
    }

    fn say(&self, message: &ToPage) {
        send(&self.guest.out, message);
    }

    fn refuse(&self, text: &str) {
        self.say(&ToPage::Refused { text: text.to_owned() });
    }
}

/// What an agent may think when nobody said otherwise.
const DEFAULT_TIMING: Timing = Timing::Turn { ms: 1000 };

fn default_control() -> TimeControl {
    control(DEFAULT_TIMING)
}

/// A game between two people.
pub(crate) fn game_of_people(model: Game) -> PageGame {
    PageGame::new(model.with_controls([default_control(); 2]), rand::rng().random())
}

fn default_game() -> PageGame {
    game_of_people(Game::new(Rules::CONNECT6))
}

fn linked_game(linked: link::Linked) -> PageGame {
    let mut game = game_of_people(Game::from_position(linked.root));
    for cell in linked.moves {
        if game.model.play(cell).is_err() {
            break;
        }
    }
    game
}

/// A position that somebody set up.
fn set_up(new: &NewSetup) -> Result<PageGame, String> {
    let rules = rules_of(&new.rules).map_err(|error| error.to_string())?;
    let setup = Setup {
        black: cells_of(&rules, &new.black)?,
        white: cells_of(&rules, &new.white)?,
        to_move: Some((player(new.to_move), new.stones_left as usize)),
    };
    let root = Position::from_setup(rules, &setup).map_err(|error| error.to_string())?;
    Ok(game_of_people(Game::from_position(root)))
}

fn new_game(registry: &Registry, new: NewGame) -> Result<PageGame, String> {
    let rules = rules_of(&new.rules).map_err(|error| error.to_string())?;
    let seat = |wanted| seats::seat(registry, &rules, wanted).map_err(|error| error.to_string());
    let seats = [seat(new.black)?, seat(new.white)?];
    let longest = match new.timing {
        Timing::Turn { ms } => ms,
        Timing::Clock { start_ms, increment_ms } => start_ms.max(increment_ms),
    };
    let shortest = match new.timing {
        Timing::Turn { ms } => ms,
        Timing::Clock { start_ms, .. } => start_ms,
    };
    if longest > MAX_TIME_MS || shortest == 0 {
        return Err("a time must be more than nothing and at most a day".to_owned());
    }
    let model = Game::new(rules).with_seats(seats).with_controls([control(new.timing); 2]);
    Ok(PageGame::new(model, rand::rng().random()))
}

fn check(registry: &Registry, form: &RulesForm) -> FormCheck {
    match rules_of(form) {
        Ok(rules) => FormCheck {
            rules: Some(rules_view(&rules)),
            problem: None,
            agents: playing(registry, &rules).map(|spec| spec.name.to_owned()).collect(),
            levels: levels(registry, &rules),
        },
        Err(error) => FormCheck {
            rules: None,
            problem: Some(error.to_string()),
            agents: Vec::new(),
            levels: Vec::new(),
        },
    }
}
