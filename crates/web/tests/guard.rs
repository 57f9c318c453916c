//! Who is let in: plain HTTP requests with the headers an attacker would send.

mod common;

use std::fmt::Write as _;

use collinear_web::{Access, Config, Server};
use common::{config, start};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// Sends a request with these headers and returns the whole answer.
async fn request(address: &str, path: &str, headers: &[(&str, &str)]) -> String {
    let mut stream = TcpStream::connect(address).await.expect("a connection");
    let mut text = format!("GET {path} HTTP/1.1\r\nConnection: close\r\n");
    for (name, value) in headers {
        let _ = write!(text, "{name}: {value}\r\n");
    }
    stream.write_all((text + "\r\n").as_bytes()).await.expect("sent");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).await.expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

const UPGRADE: [(&str, &str); 3] = [
    ("Upgrade", "websocket"),
    ("Sec-WebSocket-Version", "13"),
    ("Sec-WebSocket-Key", "dGhlIHNhbXBsZSBub25jZQ=="),
];

#[tokio::test(flavor = "multi_thread")]
async fn the_page_comes_with_a_strict_policy_and_is_small() {
    let address = start(config()).await;
    let mut bytes = 0;
    for path in ["/", "/assets/page.js", "/assets/page.css", "/icon.svg"] {
        let answer =
            request(&address, path, &[("Host", &address), ("Accept-Encoding", "gzip")]).await;
        assert_eq!(status(&answer), "200", "{path}");
        let head = answer.split("\r\n\r\n").next().unwrap_or_default().to_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'"), "{head}");
        assert!(!head.contains("unsafe"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff"));
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        bytes += length.and_then(|n| n.trim().parse::<usize>().ok()).expect("a length");
    }
    assert!(bytes < 200_000, "the first load takes {bytes} bytes");
}

#[tokio::test(flavor = "multi_thread")]
async fn foreign_hosts_and_origins_are_refused() {
    let address = start(config()).await;
    assert_eq!(status(&request(&address, "/", &[("Host", "evil.example")]).await), "421");
    let own = format!("http://{address}");
    let socket = async |origin: Option<&str>| {
        let mut headers = vec![("Host", address.as_str())];
        headers.extend(UPGRADE);
        headers.extend(origin.map(|origin| ("Origin", origin)));
        // A WebSocket needs the header `Connection: upgrade`; what is refused is so before that.
        status(&request(&address, "/socket", &headers).await).to_owned()
    };
    assert_eq!(socket(Some("http://evil.example")).await, "403");
    assert_eq!(socket(Some("null")).await, "403");
    assert_eq!(socket(None).await, "403");
    assert_ne!(socket(Some(&own)).await, "403");
    assert_eq!(status(&request(&address, "/nothing", &[("Host", &address)]).await), "404");
    assert_eq!(status(&request(&address, "/../Cargo.toml", &[("Host", &address)]).await), "404");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_token_opens_the_page_once_and_the_cookie_from_then_on() {
    let folder = tempfile::tempdir().expect("a folder");
    let config =
        || Config { access: Access::Token, data: Some(folder.path().to_owned()), ..config() };
    let mut tokens = Vec::new();
    for _ in 0..2 {
        let server = Server::bind(config()).await.expect("a server");
        let (url, address) = (server.url().to_owned(), server.address());
        let (quit, told) = tokio::sync::oneshot::channel::<()>();
        let serving = tokio::spawn(server.run(async { drop(told.await) }));
        let token = url.split("token=").nth(1).expect("a token in the address").to_owned();
        let name = address.to_string();
        let host = ("Host", name.as_str());
        assert_eq!(status(&request(&name, "/", &[host]).await), "401");
        assert_eq!(status(&request(&name, "/?token=wrong", &[host]).await), "401");
        let answer = request(&name, &format!("/?token={token}"), &[host]).await;
        assert_eq!(status(&answer), "200");
        let cookie = format!("collinear_token_{}={token}", address.port());
        assert!(answer.contains(&format!("{cookie}; HttpOnly; SameSite=Lax")), "{answer}");
        assert_eq!(status(&request(&name, "/", &[host, ("Cookie", &cookie)]).await), "200");
        let other = format!("collinear_token_1={token}");
        assert_eq!(status(&request(&name, "/", &[host, ("Cookie", &other)]).await), "401");
        // A socket of the page's own origin, but without the cookie.
        let mut headers = vec![host];
        headers.extend(UPGRADE);
        let origin = format!("http://{name}");
        headers.push(("Origin", &origin));
        assert_eq!(status(&request(&name, "/socket", &headers).await), "401");
        tokens.push(token);
        quit.send(()).expect("it listens");
        serving.await.expect("it ends");
    }
    assert_eq!(tokens[0], tokens[1], "bookmarks outlive the server");
}

#[tokio::test(flavor = "multi_thread")]
async fn files_of_reports_are_served_inert_and_nothing_else_is() {
    use collinear_arena::report::{Report, ReportStore};

    let folder = tempfile::tempdir().expect("a folder");
    let results = folder.path().join("results.sqlite");
    std::fs::write(&results, "secret").expect("written");
    let report = Report::new("mine", "Mine", "Why?", "run it")
        .with("a.svg", "a picture", "<svg xmlns='http://www.w3.org/2000/svg'/>".to_owned())
        .with("report.html", "all", "<script>alert(1)</script>".to_owned())
        .with("run.sh", "a script", "rm".to_owned());
    ReportStore::beside(&results).keep(&report).expect("kept");
    let address = start(Config { results: Some(results), ..config() }).await;
    let ask = async |path: &str| request(&address, path, &[("Host", address.as_str())]).await;
    let picture = ask("/reports/mine/a.svg").await.to_lowercase();
    assert_eq!(status(&picture), "200");
    assert!(picture.contains("content-type: image/svg+xml"), "{picture}");
    for file in ["a.svg", "report.html"] {
        let answer = ask(&format!("/reports/mine/{file}")).await;
        let policies: Vec<_> =
            answer.lines().filter(|line| line.starts_with("content-security-policy")).collect();
        assert_eq!(policies.len(), 1, "{answer}");
        assert!(policies[0].contains("sandbox; default-src 'none'"), "{answer}");
        assert!(!policies[0].contains("script"), "{answer}");
    }
    for path in [
        "/reports/mine/run.sh",
        "/reports/mine/report.json",
        "/reports/mine/b.svg",
        "/reports/mine/..%2F..%2Fresults.sqlite",
        "/reports/..%2F/results.sqlite",
        "/reports/../results.sqlite",
        "/reports/%2e%2e/results.sqlite",
        "/reports/mine/%00.svg",
    ] {
        let answer = ask(path).await;
        assert_eq!(status(&answer), "404", "{path}");
        assert!(!answer.contains("secret"), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_whose_head_never_ends_is_given_up() {
    let address = start(config()).await;
    let given_up = async |said: &'static str| {
        let mut stream = TcpStream::connect(&address).await.expect("a connection");
        stream.write_all(said.as_bytes()).await.expect("sent");
        let mut answer = Vec::new();
        let closed = tokio::time::timeout(common::PATIENCE, stream.read_to_end(&mut answer)).await;
        assert!(closed.is_ok(), "the server still waits after {said:?}");
    };
    // Nothing at all, and what other versions of the protocol begin with, wait no longer.
    tokio::join!(given_up("GET / HTTP/1.1\r\nHost: "), given_up(""), given_up("P"));
}
