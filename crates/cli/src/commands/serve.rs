//! `collinear serve`: the board page. Bare `collinear` does the same with the defaults.

use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::thread::available_parallelism;

use anyhow::Result;
use clap::Parser;
use collinear_book::Book;
use collinear_web::{Access, Config, FolderError, Qr, ServeError, Server, Site, SiteError};

use super::book::read_book;

/// Serve the board page and open it in the browser: play, watch, analyse.
#[derive(Default, Parser)]
#[command(
    after_help = "Examples:\n  collinear serve\n  collinear serve --port 8080 --no-open\n  collinear serve --lan        # friends and phones of this network can come"
)]
pub(crate) struct Args {
    /// The port to listen on; 0 takes any free one [default: 4655, or any free one if it is taken]
    #[arg(long)]
    port: Option<u16>,
    /// Let other machines of the network in, as `--host 0.0.0.0`: to play with a friend by a link, and
    /// for your own phone
    #[arg(long, conflicts_with = "host")]
    lan: bool,
    /// Listen on this address instead of loopback
    #[arg(long)]
    host: Option<String>,
    /// Let in everybody who can reach the page, other accounts of this machine too, instead of those
    /// who have opened the printed address with its token once
    #[arg(long, conflicts_with_all = ["host", "lan"])]
    no_token: bool,
    /// The folder for games and settings [default: the user's data folder]
    #[arg(long)]
    data: Option<PathBuf>,
    /// Opening statistics to show, made by `collinear book build`; may be given for several games
    /// [default: books/*.book in the data folder]
    #[arg(long, value_name = "FILE")]
    book: Vec<PathBuf>,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// Serve the page without a server, as `cargo xtask site` makes it, from this folder: as a static host
    /// would, for a look
    #[arg(long, value_name = "FOLDER", num_args = 0..=1, default_missing_value = SITE_FOLDER,
          conflicts_with_all = ["data", "book", "searches", "no_token"])]
    site: Option<PathBuf>,
    /// The most searches at once; others wait their turn [default: one less than the processors]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    searches: Option<u16>,
}

/// Every interface of the machine.
const EVERYWHERE: &str = "0.0.0.0";
/// Nothing well known lives there.
const DEFAULT_PORT: u16 = 4655;

/// Where `cargo xtask site` puts the page without a server.
const SITE_FOLDER: &str = "target/site";
const LOOPBACK: &str = "127.0.0.1";

/// Where matches and tournaments are kept, in the same folder.
const RESULTS_FILE: &str = "results.sqlite";
/// Where books lie that are shown without being asked for, and how their names end.
const BOOKS_FOLDER: &str = "books";
const BOOK_ENDING: &str = "book";

pub(crate) fn run(args: Args, carrier: &crate::carrier::Carrier) -> Result<()> {
    if let Some(folder) = &args.site {
        return serve_site(folder, &args);
    }
    let searches = args.searches.map_or_else(
        || available_parallelism().map_or(1, |n| n.get().saturating_sub(1).max(1)),
        usize::from,
    );
    let data = match args.data {
        Some(folder) => folder,
        None => crate::arena::data_folder()?,
    };
    let asked = args.book.iter().map(|file| read_book(file)).collect::<Result<Vec<_>>>()?;
    let found = books_in(&data.join(BOOKS_FOLDER));
    let config = Config {
        registry: crate::registry::page_registry(),
        host: if args.lan { Some(EVERYWHERE.to_owned()) } else { args.host },
        access: if args.no_token { Access::Anybody } else { Access::Token },
        port: args.port.unwrap_or(DEFAULT_PORT),
        results: Some(data.join(RESULTS_FILE)),
        build: collinear_arena::build_name(&carrier.program)?,
        data: Some(data),
        books: if args.book.is_empty() { found } else { asked },
        searches,
        add_engine: Some(Arc::new(super::engines::add_for_page)),
        log: Arc::new(complain),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let asks_for_a_place = config.host.is_some() || args.port.is_some();
        let server = match Server::bind(config.clone()).await {
            // The same games are open already: a second start shows them.
            Err(ServeError::Folder(FolderError::Taken { address: Some(address), .. }))
                if !asks_for_a_place =>
            {
                tell(format_args!("Collinear already runs at {address}"));
                show(&address, args.no_open);
                return anyhow::Ok(());
            }
            // Something else listens there: any port serves as well.
            Err(ServeError::Listen { .. }) if args.port.is_none() => {
                Server::bind(Config { port: 0, ..config }).await?
            }
            bound => bound?,
        };
        tell(format_args!("Collinear is at {}   (Ctrl-C ends it)", server.url()));
        tell_network(server.network_urls());
        show(server.url(), args.no_open);
        server.run(told_to_quit()).await;
        anyhow::Ok(())
    })?;
    // A search that is still running must not hold the program back: games are on disk.
    runtime.shutdown_background();
    Ok(())
}

/// Serves a folder of files until the program is told to end.
fn serve_site(folder: &Path, args: &Args) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build()?;
    runtime.block_on(async {
        let host = args.host.as_deref().unwrap_or(LOOPBACK);
        let site =
            match (args.port, Site::bind(folder, host, args.port.unwrap_or(DEFAULT_PORT)).await) {
                // Something else listens there: any port serves as well.
                (None, Err(SiteError::Listen { .. })) => Site::bind(folder, host, 0).await?,
                (_, bound) => bound?,
            };
        let url = site.url();
        tell(format_args!("The site is at {url}   (Ctrl-C ends it)"));
        show(&url, args.no_open);
        site.run(told_to_quit()).await;
        Ok(())
    })
}

/// Waits for Ctrl-C, or for the system or a closed terminal to end the program.
async fn told_to_quit() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminate), Ok(mut hang_up)) =
            (signal(SignalKind::terminate()), signal(SignalKind::hangup()))
        {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = terminate.recv() => {}
                _ = hang_up.recv() => {}
            }
            return;
        }
    }
    #[cfg(windows)]
    {
        use tokio::signal::windows::{ctrl_break, ctrl_close, ctrl_logoff, ctrl_shutdown};
        if let (Ok(mut stop), Ok(mut close), Ok(mut logoff), Ok(mut shutdown)) =
            (ctrl_break(), ctrl_close(), ctrl_logoff(), ctrl_shutdown())
        {
            tokio::select! {
                _ = tokio::signal::ctrl_c() => {}
                _ = stop.recv() => {}
                _ = close.recv() => {}
                _ = logoff.recv() => {}
                _ = shutdown.recv() => {}
            }
            return;
        }
    }
    drop(tokio::signal::ctrl_c().await);
}

/// Where other machines find the page, and the first of these addresses for the camera of a phone.
fn tell_network(urls: &[String]) {
    let Some(first) = urls.first() else { return };
    for url in urls {
        tell(format_args!("Your other devices open {url}"));
    }
    tell(
        "That address opens everything: for friends, choose New game, Play with a friend, and send the link shown there.",
    );
    let code = Qr::of(first).filter(|_| io::stdout().is_terminal());
    for line in code.iter().flat_map(Qr::lines) {
        tell(line);
    }
}

/// A line for the person. A reader that is gone or a full disk does not end the server.
fn tell(line: impl std::fmt::Display) {
    let _ = crate::report::line(line);
}

/// A line for whoever looks after the server, under the same terms.
fn complain(line: &str) {
    let _ = writeln!(io::stderr(), "collinear: {line}");
}

/// Opens the page in the browser, unless that is not wanted.
fn show(url: &str, no_open: bool) {
    if !no_open && open_browser(url).is_err() {
        complain("no browser could be opened: open the address above yourself");
    }
}

/// Opens the page in `$BROWSER` where that names a program, else in what the system prefers.
fn open_browser(url: &str) -> io::Result<()> {
    let asked = std::env::var_os("BROWSER").unwrap_or_default();
    let quiet = Stdio::null;
    Command::new(asked)
        .arg(url)
        .stdin(quiet())
        .stdout(quiet())
        .stderr(quiet())
        .spawn()
        .map(drop)
        .or_else(|_| open::that_detached(url))
}

/// The books of a folder, by name. One that cannot be read is named and left out: nobody asked for
/// it, and the page works without.
fn books_in(folder: &Path) -> Vec<Book> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|file| file.extension().is_some_and(|ending| ending == BOOK_ENDING))
        .collect();
    files.sort();
    let read = |file: &PathBuf| {
        read_book(file).inspect_err(|error| complain(&format!("{error:#}: left out"))).ok()
    };
    files.iter().filter_map(read).collect()
}
