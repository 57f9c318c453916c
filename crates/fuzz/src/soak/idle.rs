//! Sockets that are opened and say nothing, as many as somebody likes: whoever plays must not notice.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};

use crate::server::Address;

/// Between a hang-up and the next attempt.
const RETRY: Duration = Duration::from_secs(1);
/// Another address of this machine than that of the players, where the system has one.
const FROM: &str = "127.0.0.2:0";

/// What all of them have seen.
#[derive(Debug, Default)]
pub(crate) struct Seen {
    opened: AtomicU64,
    held: AtomicU64,
    most: AtomicU64,
}

impl Seen {
    /// How many were opened in all, and how many at once at most.
    pub(crate) fn figures(&self) -> (u64, u64) {
        (self.opened.load(Ordering::Relaxed), self.most.load(Ordering::Relaxed))
    }
}

/// One of them: opens again whenever it was hung up on, until it is over.
pub(crate) async fn sit(address: Address, seen: Arc<Seen>, over: Arc<AtomicBool>) {
    while !over.load(Ordering::Relaxed) {
        // However it ends, the next attempt follows.
        let _ = one(&address, &seen).await;
        tokio::time::sleep(RETRY).await;
    }
}

async fn one(address: &Address, seen: &Seen) -> std::io::Result<()> {
    let Address { authority, query } = address;
    let to: SocketAddr = authority.parse().map_err(std::io::Error::other)?;
    let mut stream = connect(to).await?;
    let request = format!(
        "GET /socket{query} HTTP/1.1\r\nHost: {authority}\r\nOrigin: http://{authority}\r\n\
         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await?;
    let mut heard = [0; 4096];
    // Hung up on without a word: it never had a place.
    if stream.read(&mut heard).await? == 0 {
        return Ok(());
    }
    seen.opened.fetch_add(1, Ordering::Relaxed);
    let now = seen.held.fetch_add(1, Ordering::Relaxed) + 1;
    seen.most.fetch_max(now, Ordering::Relaxed);
    while matches!(stream.read(&mut heard).await, Ok(1..)) {}
    seen.held.fetch_sub(1, Ordering::Relaxed);
    Ok(())
}

async fn connect(to: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    match FROM.parse().map(|from| socket.bind(from)) {
        Ok(Ok(())) => socket.connect(to).await,
        _ => TcpStream::connect(to).await,
    }
}
