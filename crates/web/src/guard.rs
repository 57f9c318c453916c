//! Who may talk to the server.
//!
//! | attack | what stops it |
//! |---|---|
//! | another machine | only loopback is bound, unless a host was asked for |
//! | another account of this machine, or of another one | a token in the address, then in a cookie |
//! | DNS rebinding | the `Host` of every request must be ours |
//! | a foreign page that opens our WebSocket | `Origin` must be the page's own |
//! | scripts, frames and styles from elsewhere | the Content-Security-Policy |

use std::net::IpAddr;
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{self, HeaderName, HeaderValue};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

/// How the name of the cookie begins that carries the token once it was in the address. The port
/// follows: a browser does not tell the ports of a machine apart.
const COOKIE: &str = "collinear_token_";
/// How long the cookie is kept: bookmarks open without the token.
const COOKIE_SECONDS: u32 = 365 * 24 * 3600;

const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; \
    img-src 'self' data: blob:; connect-src 'self'; manifest-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// For files of reports: they look as they were written, and can do nothing at all.
pub(crate) const REPORT_POLICY: &str = "sandbox; default-src 'none'; \
    style-src 'unsafe-inline'; img-src data:; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// What the server lets in.
#[derive(Clone, Debug)]
pub(crate) struct Guard {
    /// The host that was asked for, beside loopback.
    pub(crate) host: Option<String>,
    /// The secret of the address, unless everybody who can reach the server is let in.
    pub(crate) token: Option<String>,
    /// The port that is served.
    pub(crate) port: u16,
}

impl Guard {
    fn judge(&self, request: &Request) -> Result<(), (StatusCode, &'static str)> {
        let header = |name: HeaderName| request.headers().get(name).and_then(|v| v.to_str().ok());
        let host = header(header::HOST).unwrap_or_default();
        if !self.knows_host(host) {
            return Err((StatusCode::MISDIRECTED_REQUEST, "this address is not served here"));
        }
        if !self.knows_token(request.uri(), request.headers()) {
            let how = "open the page with the full address that the program printed, token included: \
                 `collinear serve` with the same data folder prints it again";
            return Err((StatusCode::UNAUTHORIZED, how));
        }
        let is_socket = request.headers().contains_key(header::UPGRADE);
        let foreign = match header(header::ORIGIN) {
            Some(origin) => origin.split_once("://").is_none_or(|(_, from)| from != host),
            None => is_socket,
        };
        if foreign {
            return Err((StatusCode::FORBIDDEN, "only the page itself may connect"));
        }
        Ok(())
    }

    /// Whether a `Host` header names this server.
    fn knows_host(&self, host: &str) -> bool {
        let name = host_name(host);
        let address: Option<IpAddr> = name.trim_matches(['[', ']']).parse().ok();
        let is_loopback = name.eq_ignore_ascii_case("localhost")
            || address.is_some_and(|address| address.is_loopback());
        is_loopback
            || self.host.as_ref().is_some_and(|bound| {
                // Bound to every interface, any address of the machine may stand there; a name may
                // not, since anybody can point a name at us.
                let everywhere = bound.parse::<IpAddr>().is_ok_and(|bound| bound.is_unspecified());
                name.eq_ignore_ascii_case(bound)
                    || name.trim_matches(['[', ']']).eq_ignore_ascii_case(bound)
                    || everywhere && address.is_some()
            })
    }

    /// Whether the request carries the token, in its address or its cookie.
    fn knows_token(&self, uri: &Uri, headers: &HeaderMap) -> bool {
        let Some(token) = &self.token else { return true };
        let in_query = token_of(uri).is_some_and(|given| same(given, token));
        let in_cookie = headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|value| value.split(';'))
            .filter_map(|pair| pair.trim().split_once('='))
            .any(|(name, given)| name == self.cookie() && same(given, token));
        in_query || in_cookie
    }

    fn cookie(&self) -> String {
        format!("{COOKIE}{}", self.port)
    }
}

/// Looks at every request before anything else does.
pub(crate) async fn check(
    State(guard): State<Arc<Guard>>,
    request: Request,
    next: Next,
) -> Response {
    if let Err((status, why)) = guard.judge(&request) {
        let kind = [(header::CONTENT_TYPE, "text/plain; charset=utf-8")];
        return (status, kind, why).into_response();
    }
    let cookie =
        guard.token.as_ref().filter(|_| token_of(request.uri()).is_some()).and_then(|token| {
            // Lax: a link that a friend has sent opens the page, and nothing else of a foreign page
            // carries the cookie; sockets must have our origin besides.
            let name = guard.cookie();
            let cookie =
                format!("{name}={token}; HttpOnly; SameSite=Lax; Path=/; Max-Age={COOKIE_SECONDS}");
            HeaderValue::from_str(&cookie).ok()
        });
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if let Some(cookie) = cookie {
        headers.insert(header::SET_COOKIE, cookie);
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

fn token_of(uri: &Uri) -> Option<&str> {
    uri.query()?.split('&').find_map(|pair| pair.strip_prefix("token="))
}

/// The name of a `Host` header without the port.
fn host_name(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

/// Compares without telling by the time taken where two secrets differ.
fn same(given: &str, secret: &str) -> bool {
    given.len() == secret.len()
        && given.bytes().zip(secret.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(host: Option<&str>) -> Guard {
        Guard { host: host.map(str::to_owned), token: None, port: 4655 }
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
    fn the_token_may_come_by_address_or_cookie() {
        let guard =
            Guard { host: Some("0.0.0.0".into()), token: Some("secret".into()), port: 4655 };
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
