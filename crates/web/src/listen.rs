//! Accepts connections: a limited number at once and from one address, and none that takes for ever to say
//! what it wants. A WebSocket keeps its place until it is closed.

use std::collections::HashMap;
use std::net::{IpAddr, Ipv6Addr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1::Builder;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;

/// How long the head of a request may take, from the first moment of a connection on and also
/// between two requests.
const HEAD_TIME: Duration = Duration::from_secs(5);
/// The most connections at once; more are hung up on. Systems give a program 1,024 open files unless
/// they are asked for more, and some are needed for games and results.
const MAX_CONNECTIONS: usize = 896;
/// The most of one address, so that one cannot keep all others out.
const MAX_OF_ONE: usize = 768;
/// The pause after a refused accept, such as when no file handles are left.
const ACCEPT_PAUSE: Duration = Duration::from_millis(100);

/// Serves until it is dropped.
pub(crate) async fn serve(listener: TcpListener, router: Router, places: Places) {
    // Not the builder that guesses the version: it waits for the first bytes without a limit.
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEAD_TIME);
    loop {
        let Ok((stream, from)) = listener.accept().await else {
            tokio::time::sleep(ACCEPT_PAUSE).await;
            continue;
        };
        let Some(place) = places.take(from.ip()) else { continue };
        // A stone is a small message, and the answer must not wait for the one before to be
        // acknowledged.
        let _ = stream.set_nodelay(true);
        let router = TowerToHyperService::new(router.clone());
        let builder = builder.clone();
        tokio::spawn(async move {
            let service = service_fn(move |mut request: hyper::Request<_>| {
                request.extensions_mut().insert(place.clone());
                request.extensions_mut().insert(Peer(from.ip()));
                hyper::service::Service::call(&router, request)
            });
            // However a connection ends, it concerns nobody else.
            let _ = builder.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
        });
    }
}

/// Who is at the other end of a connection.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) IpAddr);

/// The places for connections.
#[derive(Clone, Default)]
pub(crate) struct Places(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// One of them, taken until the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Place(#[expect(dead_code, reason = "held, not read")] Arc<Taken>);

struct Taken {
    places: Places,
    by: IpAddr,
}

impl Places {
    fn taken(&self) -> MutexGuard<'_, HashMap<IpAddr, usize>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many are taken.
    pub(crate) fn count(&self) -> usize {
        self.taken().values().sum()
    }

    /// A place for a connection from an address, if there is one.
    fn take(&self, from: IpAddr) -> Option<Place> {
        let by = network(from);
        let mut taken = self.taken();
        if taken.values().sum::<usize>() >= MAX_CONNECTIONS {
            return None;
        }
        let own = taken.entry(by).or_default();
        if *own >= MAX_OF_ONE {
            return None;
        }
        *own += 1;
        Some(Place(Arc::new(Taken { places: self.clone(), by })))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut taken = self.places.taken();
        if let Some(count) = taken.get_mut(&self.by) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.by);
            }
        }
    }
}

/// What counts as one address: in IPv6 a household has 2⁶⁴ of them.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => Ipv6Addr::from_bits(address.to_bits() >> 64 << 64).into(),
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_address_leaves_places_for_others_and_gives_its_own_back() {
        let places = Places::default();
        let [one, two] = [IpAddr::from([10, 0, 0, 1]), IpAddr::from([10, 0, 0, 2])];
        let taken: Vec<Place> = std::iter::from_fn(|| places.take(one)).collect();
        assert_eq!((taken.len(), places.count()), (MAX_OF_ONE, MAX_OF_ONE));
        let others: Vec<Place> = std::iter::from_fn(|| places.take(two)).collect();
        assert_eq!(others.len(), MAX_CONNECTIONS - MAX_OF_ONE);
        drop(taken);
        assert!(places.take(one).is_some());
        drop(others);
        assert_eq!(places.count(), 0);
    }

    #[test]
    fn addresses_of_one_household_are_one() {
        let of = |text: &str| network(text.parse().expect("an address"));
        assert_eq!(of("2001:db8::1"), of("2001:db8::ffff:2"));
        assert_ne!(of("2001:db8::1"), of("2001:db8:0:1::1"));
        assert_eq!(of("::ffff:10.0.0.1"), of("10.0.0.1"));
        assert_ne!(of("10.0.0.1"), of("10.0.0.2"));
    }
}
