//! A folder of files as any static host serves it: to look at the page without a server before it is
//! published. There is nothing to protect: every file of the folder is public.

use std::io;
use std::net::SocketAddr;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use axum::Router;
use axum::extract::State;
use axum::http::{StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use thiserror::Error;
use tokio::net::TcpListener;

use crate::assets::kind_of;
use crate::listen::{self, Places};

/// Why a folder cannot be served.
#[derive(Debug, Error)]
pub enum SiteError {
    /// There is no page in it.
    #[error("there is no page in {}: make it with `cargo xtask site`", .0.display())]
    NoPage(PathBuf),
    /// The address is taken, or is not one of this machine.
    #[error("cannot listen on {place}: {error}: choose another one with --port or --host")]
    Listen {
        /// The address.
        place: String,
        /// What the system says.
        error: io::Error,
    },
}

/// Serves a folder.
pub struct Site {
    listener: TcpListener,
    address: SocketAddr,
    router: Router,
}

impl Site {
    /// Looks whether there is a page in the folder, and binds the address.
    pub async fn bind(folder: &Path, host: &str, port: u16) -> Result<Self, SiteError> {
        if !folder.join(INDEX).is_file() {
            return Err(SiteError::NoPage(folder.to_owned()));
        }
        let failed = |error| SiteError::Listen { place: format!("{host}:{port}"), error };
        let listener = TcpListener::bind((host, port)).await.map_err(failed)?;
        let address = listener.local_addr().map_err(failed)?;
        let router = Router::new().fallback_service(get(file).with_state(Arc::from(folder)));
        Ok(Self { listener, address, router })
    }

    /// What to type into a browser.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// Serves until `quit` is done.
    pub async fn run(self, quit: impl Future<Output = ()>) {
        tokio::select! {
            () = listen::serve(self.listener, self.router, Places::default()) => {}
            () = quit => {}
        }
    }
}

/// What an address that ends in a slash means.
const INDEX: &str = "index.html";

async fn file(State(folder): State<Arc<Path>>, uri: Uri) -> Response {
    let name = Path::new(uri.path().trim_start_matches('/'));
    let missing = || (StatusCode::NOT_FOUND, "there is no such file").into_response();
    // Only names of files below the folder: no way up, no other root.
    if !name.components().all(|part| matches!(part, Component::Normal(_))) {
        return missing();
    }
    let mut path = folder.join(name);
    if uri.path().ends_with('/') {
        path.push(INDEX);
    }
    let Ok(Ok(bytes)) = tokio::task::spawn_blocking({
        let path = path.clone();
        move || std::fs::read(path)
    })
    .await
    else {
        return missing();
    };
    let kind = kind_of(&path.to_string_lossy());
    ([(header::CONTENT_TYPE, kind), (header::CACHE_CONTROL, "no-cache")], bytes).into_response()
}
