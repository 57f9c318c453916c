//! The board page's server: games, searches and analysis for any number of pages, on loopback.
//!
//! What a page can do is decided in `collinear-room`; here are the sockets, the threads and the files
//! that it needs. The server owns every game and is the truth; the page is a thin client that draws
//! at once what it expects and corrects itself when told otherwise.
//!
//! ```text
//! listen ─▶ guard ─▶ assets              the embedded page
//!              ├───▶ arena               reports of runs and experiments, as files
//!              └───▶ socket ─▶ host ─▶ room_task     one WebSocket per page, one task per game
//!                                │        ├────▶ pool          work on threads, bounded and fair
//!                                └────────┴────▶ database      SQLite
//! ```
//!
//! ```no_run
//! use std::sync::Arc;
//!
//! use collinear_web::{Config, Server};
//!
//! # async fn serve() -> Result<(), collinear_web::ServeError> {
//! let config = Config {
//!     registry: collinear_agents::registry(),
//!     host: None,
//!     access: collinear_web::Access::Token,
//!     port: 0,
//!     data: None,
//!     results: None,
//!     build: env!("CARGO_PKG_VERSION").to_owned(),
//!     books: Vec::new(),
//!     searches: 2,
//!     add_engine: None,
//!     log: Arc::new(|line| eprintln!("{line}")),
//! };
//! let server = Server::bind(config).await?;
//! println!("{}", server.url());
//! server.run(std::future::pending()).await;
//! # Ok(())
//! # }
//! ```

#![forbid(unsafe_code)]

mod arena;
mod assets;
mod client;
mod database;
mod doors;
mod folder;
mod guard;
mod host;
mod listen;
mod matches;
mod network;
mod pool;
mod qr;
mod room_task;
mod site;
mod socket;

use std::net::{IpAddr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;

use axum::extract::{Path, State, WebSocketUpgrade};
use axum::http::{HeaderMap, StatusCode, Uri, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use axum::{Extension, Router};
use collinear_book::Book;
use collinear_play::{AgentSpec, Registry};
pub use collinear_room::wire::NewEngine;
use collinear_room::{MemoryStore, Store, StoreError};
use rand::Rng;
use thiserror::Error;
use tokio::net::TcpListener;

use crate::assets::Assets;
use crate::database::Database;
pub use crate::database::DatabaseError;
use crate::doors::Doors;
use crate::folder::Folder;
pub use crate::folder::FolderError;
use crate::guard::{Caller, Guard};
use crate::host::Host;
use crate::listen::{Place, Places};
pub use crate::qr::Qr;
pub use crate::site::{Site, SiteError};

/// How the server runs.
#[derive(Clone)]
pub struct Config {
    /// Every agent that can be chosen.
    pub registry: Registry,
    /// Where to listen instead of loopback.
    pub host: Option<String>,
    /// Who is let in.
    pub access: Access,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The folder for games and settings; none keeps them in memory.
    pub data: Option<PathBuf>,
    /// The file of results that the arena view shows.
    pub results: Option<PathBuf>,
    /// Names this very program in the file of results: games of different ones are kept apart.
    pub build: String,
    /// Opening statistics, at most one book per game.
    pub books: Vec<Book>,
    /// The most searches at once, and as many games of matches.
    pub searches: usize,
    /// Gives a program a name as an engine, for a page that is opened on this very machine with the
    /// token; none where no page may do that.
    pub add_engine: Option<AddEngine>,
    /// Hears what went wrong, one line at a time: malformed messages, crashed agents.
    pub log: Log,
}

/// Who is let in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// Who knows the token of the address: other accounts of this machine do not.
    #[default]
    Token,
    /// Who can reach the server.
    Anybody,
}

/// Gives a program of this machine a name, for good: the row of the registry for it, or why not.
pub type AddEngine = Arc<dyn Fn(&NewEngine) -> Result<&'static AgentSpec, String> + Send + Sync>;

/// Where lines for whoever runs the server go.
pub type Log = Arc<dyn Fn(&str) + Send + Sync>;

/// Why the server cannot run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ServeError {
    /// The address cannot be bound.
    #[error("cannot listen on {address}: {error}{}", if *port == 0 { "" } else { "; try another --port" })]
    Listen {
        /// The address.
        address: String,
        /// The port that was asked for.
        port: u16,
        /// What the system says.
        error: std::io::Error,
    },
    /// The data folder cannot be used, or another server uses it.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// The store cannot be used.
    #[error(transparent)]
    Store(#[from] DatabaseError),
    /// The games in it cannot be listed.
    #[error(transparent)]
    Games(#[from] StoreError),
    /// Anything else of the system.
    #[error("the server stopped: {0}")]
    Io(#[from] std::io::Error),
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
    url: String,
    network_urls: Vec<String>,
    host: Arc<Host>,
    places: Places,
}

/// Tells what a server has under way.
#[derive(Clone)]
pub struct Gauge {
    host: Arc<Host>,
    places: Places,
}

/// What a server has under way.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Load {
    /// Games that somebody looks at.
    pub rooms: usize,
    /// Searches and other work, waiting or running.
    pub work: usize,
    /// Connections, those of pages included.
    pub connections: usize,
}

impl Gauge {
    /// What is under way now.
    pub fn read(&self) -> Load {
        Load {
            rooms: self.host.open_rooms(),
            work: self.host.pool.load(),
            connections: self.places.count(),
        }
    }
}

/// The file of games and settings in the data folder.
const STORE_FILE: &str = "games.db";

impl Server {
    /// Opens the store and binds the address.
    pub async fn bind(config: Config) -> Result<Self, ServeError> {
        let folder = config.data.as_deref().map(Folder::take).transpose()?;
        let store: Arc<dyn Store> = match &config.data {
            Some(folder) => Arc::new(Database::open(&folder.join(STORE_FILE))?),
            None => Arc::new(MemoryStore::new(database::now)),
        };
        let name = config.host.clone().unwrap_or_else(|| "127.0.0.1".to_owned());
        let port = config.port;
        let failed = |error| ServeError::Listen { address: format!("{name}:{port}"), port, error };
        let listener =
            TcpListener::bind((name.trim_matches(['[', ']']), port)).await.map_err(failed)?;
        let address = listener.local_addr()?;
        let token = match (config.access, &folder) {
            (Access::Anybody, _) => None,
            (Access::Token, Some(folder)) => Some(folder.token(new_token)?),
            (Access::Token, None) => Some(new_token()),
        };
        let doors = Arc::new(Doors::of(&*store)?);
        let guard = Arc::new(Guard {
            host: config.host.clone(),
            token: token.clone(),
            port: address.port(),
            doors: Arc::clone(&doors),
        });
        let reach = reach(config.host.as_deref(), address);
        let token = token.map_or_else(String::new, |token| format!("?token={token}"));
        let network_urls = reach.iter().map(|base| format!("{base}{token}")).collect();
        let url = format!("{}{token}", base(config.host.as_deref(), address.port()));
        if let Some(folder) = &folder {
            folder.announce(&url)?;
        }
        let host = Host::new(config, store, folder, doors, reach);
        let router = Router::new()
            .route("/socket", any(upgrade))
            .route("/reports/{report}/{file}", get(report_file))
            .route("/runs/{run}/report.html", get(run_report))
            .with_state(Arc::clone(&host))
            .fallback_service(get(file).with_state(Assets::load()))
            .layer(middleware::from_fn_with_state(guard, guard::check));
        let places = Places::default();
        Ok(Self { listener, address, router, url, network_urls, host, places })
    }

    /// Where it listens.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }

    /// What to type into a browser of this machine.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// What to type into a browser of another machine, the likeliest first; nothing where only this
    /// machine reaches the server. As [`Self::url`] they let in to everything.
    pub fn network_urls(&self) -> &[String] {
        &self.network_urls
    }

    /// Tells what is under way, also while it serves.
    pub fn gauge(&self) -> Gauge {
        Gauge { host: Arc::clone(&self.host), places: self.places.clone() }
    }

    /// Serves until `quit` is done. Open pages are cut off: their games are on disk. Matches and
    /// searches are ended, and with them the processes of engines.
    pub async fn run(self, quit: impl Future<Output = ()>) {
        tokio::select! {
            () = listen::serve(self.listener, self.router, self.places) => {}
            () = quit => {}
        }
        self.host.shut().await;
    }
}

fn new_token() -> String {
    format!("{:032x}", rand::rng().random::<u128>())
}

/// Whether a host stands for every interface: nobody can open that.
fn is_everywhere(host: &str) -> bool {
    host.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|host| host.is_unspecified())
}

/// Where a browser of this machine finds the page.
fn base(host: Option<&str>, port: u16) -> String {
    let host = match host.filter(|host| !is_everywhere(host)) {
        Some(host) if host.contains(':') && !host.starts_with('[') => format!("[{host}]"),
        Some(host) => host.to_owned(),
        None => "127.0.0.1".to_owned(),
    };
    format!("http://{host}:{port}/")
}

/// Where browsers of other machines find it.
fn reach(host: Option<&str>, bound: SocketAddr) -> Vec<String> {
    match host {
        Some(host) if is_everywhere(host) => network::addresses()
            .into_iter()
            .filter(|address| address.is_ipv4() || bound.is_ipv6())
            .map(|address| base(Some(&address.to_string()), bound.port()))
            .collect(),
        Some(_) if bound.ip().is_loopback() => Vec::new(),
        Some(host) => vec![base(Some(host), bound.port())],
        None => Vec::new(),
    }
}

async fn upgrade(
    State(host): State<Arc<Host>>,
    place: Option<Extension<Place>>,
    Extension(caller): Extension<Caller>,
    upgrade: WebSocketUpgrade,
) -> Response {
    let place = place.map(|Extension(place)| place);
    upgrade
        .max_write_buffer_size(socket::MAX_UNSENT)
        .max_message_size(socket::MAX_MESSAGE)
        .max_frame_size(socket::MAX_MESSAGE)
        .on_upgrade(move |socket| socket::serve(socket, host, place, caller))
}

async fn report_file(
    State(host): State<Arc<Host>>,
    Path((report, file)): Path<(String, String)>,
) -> Response {
    let read = move || host.arena.as_ref()?.report_file(&report, &file);
    let found = tokio::task::spawn_blocking(read).await.ok().flatten();
    let Some((kind, text)) = found else {
        return (StatusCode::NOT_FOUND, "there is no such report").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, guard::REPORT_POLICY),
        (header::CACHE_CONTROL, "no-cache"),
    ];
    (headers, text).into_response()
}

/// A run as one page to look at and to keep.
async fn run_report(State(host): State<Arc<Host>>, Path(run): Path<String>) -> Response {
    let read = move || host.arena.as_ref()?.run_report(&run).ok();
    let found = tokio::task::spawn_blocking(read).await.ok().flatten();
    let Some((name, text)) = found else {
        return (StatusCode::NOT_FOUND, "there is no such run").into_response();
    };
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (header::CONTENT_SECURITY_POLICY, guard::REPORT_POLICY.to_owned()),
        (header::CACHE_CONTROL, "no-cache".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"{name}\"")),
    ];
    (headers, text).into_response()
}

async fn file(State(assets): State<Assets>, uri: Uri, headers: HeaderMap) -> Response {
    assets.serve(&uri, &headers)
}
