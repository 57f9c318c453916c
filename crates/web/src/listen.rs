//! Accepts connections: so many at once, and none that takes for ever to say what it wants.

use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::task::JoinSet;

/// How long the head of a request may take, from the first moment of a connection on and also
/// between two requests.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The most connections at once; more are hung up on.
const MAX_CONNECTIONS: usize = 1024;
/// The pause after a refused accept, such as when no file handles are left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until it is dropped.
pub(crate) async fn serve(listener: TcpListener, router: Router) {
    // Not the builder that guesses the version: it waits for the first bytes without a limit.
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    let mut connections = JoinSet::new();
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        while connections.try_join_next().is_some() {}
        if connections.len() >= MAX_CONNECTIONS {
            continue;
        }
        let (builder, service) = (builder.clone(), TowerToHyperService::new(router.clone()));
        connections.spawn(async move {
            // However a connection ends, it concerns nobody else.
            let _ = builder.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
        });
    }
}
