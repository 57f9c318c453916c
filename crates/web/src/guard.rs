//! Who may talk to the server.
//!
//! | attack | what stops it |
//! |---|---|
//! | another machine | only loopback is bound, unless a host was asked for |
//! | another account of this machine, or of another one | a token in the address, then in a cookie |
//! | a friend's link used for more | it has a secret of its own, which opens its room and nothing else |
//! | a link that was guessed | 128 random bits |
//! | a player's seat | it belongs to a cookie that scripts cannot read, with 128 random bits |
//! | DNS rebinding | the `Host` of every request must be ours |
//! | a foreign page that opens our WebSocket | `Origin` must be the page's own |
//! | a page that has a program run as an engine | only by its owner, with the token, from this very machine |
//! | scripts, frames and styles from elsewhere | the Content-Security-Policy |

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use collinear_room::Person;
use rand::Rng;

use crate::doors::Doors;
use crate::listen::Peer;

/// How the name of the cookie begins that carries the token once it was in the address. The port
/// follows: a browser does not tell the ports of a machine apart.
const COOKIE: &str = "collinear_token_";
/// The same of the cookie that lets a friend's browser have the files of the page.
const ROOM_COOKIE: &str = "collinear_room_";
/// The same of the cookie by which a browser has its seats again.
const PERSON_COOKIE: &str = "collinear_player_";
/// How long the cookies are kept: bookmarks open without the token.
const COOKIE_SECONDS: u32 = 365 * 24 * 3600;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// For files of reports: they look as they were written, and can do nothing at all.
pub(crate) const REPORT_POLICY: &str = "sandbox; default-src 'none'; \
    style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the server lets in.
#[derive(Clone)]
pub(crate) struct Guard {
    /// The host that was asked for, beside loopback.
    pub(crate) host: Option<String>,
    /// The secret of the address, unless everybody who can reach the server is let in.
    pub(crate) token: Option<String>,
    /// The port that is served.
    pub(crate) port: u16,
    /// Which links lead to a room.
    pub(crate) doors: Arc<Doors>,
}

/// Who asks, and for what.
#[derive(Clone, Debug)]
pub(crate) struct Caller {
    pub(crate) scope: Scope,
    /// Whose browser it is, if it keeps cookies.
    pub(crate) person: Option<Person>,
    /// Whether it is the owner at this very machine: somebody who knows the token, and no other
    /// machine in between.
    pub(crate) at_machine: bool,
}

/// What a request may reach.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Scope {
    /// Everything.
    All,
    /// A room by its link, whoever comes by it.
    Room {
        /// What the link carries.
        secret: String,
        /// Whether it is the owner of the server.
        owner: bool,
    },
    /// The files of the page, which are everybody's who was let into some room.
    Files,
}

impl Guard {
    fn judge(&self, request: &Request) -> Result<Caller, (StatusCode, &'static str)> {
        let header = |name: HeaderName| request.headers().get(name).and_then(|v| v.to_str().ok());
        let host = header(header::HOST).unwrap_or_default();
        if !self.knows_host(host) {
            return Err((StatusCode::MISDIRECTED_REQUEST, "this address is not served here"));
        }
        let owner = self.knows_token(request.uri(), request.headers());
        let Some(scope) = self.scope(owner, request)? else {
            let how = "open the page with the full address that the program printed, token included: \
                 `collinear serve` with the same data folder prints it again";
            return Err((StatusCode::UNAUTHORIZED, how));
        };
        let is_socket = request.headers().contains_key(header::UPGRADE);
        let foreign = match header(header::ORIGIN) {
            Some(origin) => origin.split_once("://").is_none_or(|(_, from)| from != host),
            None => is_socket,
        };
        if foreign {
            return Err((StatusCode::FORBIDDEN, "only the page itself may connect"));
        }
        let person = self.cookies(request.headers(), PERSON_COOKIE).find_map(Person::read);
        let peer = request.extensions().get::<Peer>();
        // Both ends: a proxy on this machine speaks for others, who name another host.
        let is_here = peer.is_some_and(|peer| peer.0.to_canonical().is_loopback());
        let at_machine =
            is_here && is_loopback(host) && self.token.is_some() && scope == Scope::All;
        Ok(Caller { scope, person, at_machine })
    }

    /// What the request may reach; nothing without a token and without the link of a room.
    fn scope(
        &self,
        owner: bool,
        request: &Request,
    ) -> Result<Option<Scope>, (StatusCode, &'static str)> {
        if let Some(secret) = value_of(request.uri(), ROOM) {
            if !self.doors.lead(secret) {
                let gone = "this link leads to no game any more: ask for another one";
                return Err((StatusCode::NOT_FOUND, gone));
            }
            let is_of_room = matches!(request.uri().path(), "/" | "/socket");
            let secret = secret.to_owned();
            return Ok(is_of_room.then_some(Scope::Room { secret, owner }));
        }
        if owner {
            return Ok(Some(Scope::All));
        }
        let is_file = !matches!(request.uri().path(), "/" | "/index.html" | "/socket")
            && !["/reports", "/runs"].iter().any(|own| request.uri().path().starts_with(own));
        let was_in_room =
            || self.cookies(request.headers(), ROOM_COOKIE).any(|secret| self.doors.lead(secret));
        Ok((is_file && was_in_room()).then_some(Scope::Files))
    }

    /// The values of a cookie of ours.
    fn cookies<'a>(
        &self,
        headers: &'a HeaderMap,
        name: &str,
    ) -> impl Iterator<Item = &'a str> + use<'a> {
        let wanted = self.cookie(name);
        headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .filter_map(move |(name, given)| (name == wanted).then_some(given))
    }

    /// What the answer leaves in the browser.
    fn new_cookies(&self, uri: &Uri, caller: &Caller) -> Vec<HeaderValue> {
        let set = |name: &str, value: &str| {
            // Lax: a link that a friend has sent opens the page, and nothing else of a foreign page
            // carries the cookie; sockets must have our origin besides.
            let name = self.cookie(name);
            let cookie =
                format!("{name}={value}; HttpOnly; SameSite=Lax; Path=/; Max-Age={COOKIE_SECONDS}");
            HeaderValue::from_str(&cookie).ok()
        };
        let mut cookies = Vec::new();
        if let Some(token) = self.token.as_ref().filter(|_| value_of(uri, TOKEN).is_some()) {
            cookies.extend(set(COOKIE, token));
        }
        if let Scope::Room { secret, .. } = &caller.scope {
            cookies.extend(set(ROOM_COOKIE, secret));
            if caller.person.is_none() {
                let person = format!("{:032x}", rand::rng().random::<u128>());
                cookies.extend(set(PERSON_COOKIE, &person));
            }
        }
        cookies
    }

    /// Whether a `Host` header names this server.
    fn knows_host(&self, host: &str) -> bool {
        let name = host_name(host);
        is_loopback(host)
            || self.host.as_ref().is_some_and(|bound| {
                // Bound to every interface, any address of the machine may stand there; a name may
                // not, since anybody can point a name at us.
                let everywhere = bound.parse::<IpAddr>().is_ok_and(|bound| bound.is_unspecified());
                let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
                name.eq_ignore_ascii_case(bound)
                    || name.trim_matches(['[', ']']).eq_ignore_ascii_case(bound)
                    || everywhere && address.is_some()
            })
    }

    /// Whether the request carries the token, in its address or its cookie.
    fn knows_token(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let in_query = value_of(uri, TOKEN).is_some_and(|given| same(given, token));
        in_query || self.cookies(headers, COOKIE).any(|given| same(given, token))
    }

    fn cookie(&self, name: &str) -> String {
        format!("{name}{}", self.port)
    }
}

/// Looks at every request before anything else does.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    mut request: Request,
    next: Next,
) -> Response {
    let caller = match guard.judge(&request) {
        Ok(caller) => caller,
        Err((status, why)) => {
            let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
            return (status, kind, why).into_response();
        }
    };
    let cookies = guard.new_cookies(request.uri(), &caller);
    request.extensions_mut().insert(caller);
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    for cookie in cookies {
        headers.append(header::SET_COOKIE, cookie);
    }
    // A report has a stricter one of its own.
    headers.entry(header::CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    for (name, value) in [
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::X_FRAME_OPTIONS, "DENY"),
        (header::REFERRER_POLICY, "no-referrer"),
        (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    response
}

/// What stands in an address before the token, and before the secret of a room.
const TOKEN: &str = "token=";
const ROOM: &str = "room=";

fn value_of<'a>(uri: &'a Uri, key: &str) -> Option<&'a str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix(key))
}

/// The name of a `Host` header without the port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Whether a `Host` header names the machine from within.
fn is_loopback(host: &str) -> bool {
    let name = host_name(host);
    let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
    name.eq_ignore_ascii_case("localhost") || address.is_some_and(|address| address.is_loopback())
}

/// Compares without telling by the time taken where two secrets differ.
fn same(given: &str, secret: &str) -> bool {
    given.len() == secret.len()
        && given.bytes().zip(secret.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_room::MemoryStore;

    fn guard(host: Option<&str>) -> Guard {
        let doors = Doors::of(&MemoryStore::new(|| 0)).expect("an empty store");
        Guard { host: host.map(str::to_owned), token: None, port: 4655, doors: Arc::new(doors) }
    }

    #[test]
    fn loopback_knows_itself_and_nobody_else() {
        let guard = guard(None);
        for host in ["localhost", "localhost:4600", "127.0.0.1:1", "[::1]:4600", "[::1]"] {
            assert!(guard.knows_host(host), "{host}");
        }
        for host in
            ["", "evil.example", "evil.example:4600", "192.168.0.7", "127.0.0.1.evil.example"]
        {
            assert!(!guard.knows_host(host), "{host}");
        }
    }

    #[test]
    fn an_open_server_knows_addresses_but_not_foreign_names() {
        let everywhere = guard(Some("0.0.0.0"));
        assert!(everywhere.knows_host("192.168.0.7:4600"));
        assert!(!everywhere.knows_host("evil.example:4600"));
        let named = guard(Some("board.lan"));
        assert!(named.knows_host("board.lan:4600") && !named.knows_host("192.168.0.7"));
    }

    #[test]
    fn only_the_owner_on_this_machine_is_at_the_machine() {
        let owner = Guard { token: Some("secret".into()), ..guard(Some("0.0.0.0")) };
        let at = |guard: &Guard, host: &str, peer: Option<&str>, path: &str| {
            let request = Request::builder().uri(path).header(header::HOST, host);
            let mut request = request.body(axum::body::Body::empty()).expect("a request");
            if let Some(peer) = peer {
                request.extensions_mut().insert(Peer(peer.parse().expect("an address")));
            }
            guard.judge(&request).map(|caller| caller.at_machine)
        };
        let at_machine = |guard, peer, path| at(guard, "127.0.0.1:4655", peer, path);
        let full = "/?token=secret";
        for here in ["127.0.0.1", "::1", "::ffff:127.0.0.1"] {
            assert_eq!(at_machine(&owner, Some(here), full), Ok(true), "{here}");
        }
        for elsewhere in ["192.168.0.7", "::ffff:10.0.0.1", "2001:db8::1"] {
            assert_eq!(at_machine(&owner, Some(elsewhere), full), Ok(false), "{elsewhere}");
        }
        assert_eq!(at_machine(&owner, None, full), Ok(false));
        // A proxy on this machine lets others in.
        assert_eq!(at(&owner, "192.168.0.1:4655", Some("127.0.0.1"), full), Ok(false));
        assert_eq!(at(&owner, "localhost:4655", Some("127.0.0.1"), full), Ok(true));
        assert!(at_machine(&owner, Some("127.0.0.1"), "/").is_err());
        // Where everybody is let in, other accounts of this machine are too.
        assert_eq!(at_machine(&guard(None), Some("127.0.0.1"), "/"), Ok(false));
    }

    #[test]
    fn the_token_may_come_by_address_or_cookie() {
        let guard = Guard { token: Some("secret".into()), ..guard(Some("0.0.0.0")) };
        let cookie = |value: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::COOKIE, value.parse().expect("a header"));
            headers
        };
        let none = HeaderMap::new();
        assert!(guard.knows_token(&Uri::from_static("/?token=secret"), &none));
        assert!(
            guard.knows_token(&Uri::from_static("/"), &cookie("a=b; collinear_token_4655=secret"))
        );
        assert!(!guard.knows_token(&Uri::from_static("/?token=secre"), &none));
        assert!(!guard.knows_token(&Uri::from_static("/?token=sEcret"), &none));
        assert!(!guard.knows_token(&Uri::from_static("/"), &cookie("token=secret")));
    }
}
