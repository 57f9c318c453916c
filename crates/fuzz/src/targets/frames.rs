//! Sockets of pages below their messages: after a proper greeting any bytes, cut into pieces of any length.
//! Nothing may be left of them, and the next page must be served.

use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::server::Serving;
use crate::{Run, Target};

/// How long a case may take: a server waits some seconds for what was begun.
const PATIENCE: Duration = Duration::from_secs(40);
/// The end of the head of a request.
const END: &[u8] = b"\r\n\r\n";

pub(super) fn target() -> Target {
    let message = r#"{"type":"open","link":"tictactoe/b2"}"#;
    let text = |first: u8, text: &str| frame(first, text.as_bytes());
    let (first, last) = message.split_at(9);
    Target {
        name: "frames",
        examples: vec![
            text(0x81, message),
            [text(0x01, first), text(0x89, "ping"), text(0x80, last)].concat(),
            [text(0x81, message), text(0x88, "\u{3}\u{e8}bye")].concat(),
            [text(0x82, "binary"), text(0x8a, "pong")].concat(),
            // Sixteen and sixty-four bits of length, reserved bits, no mask, no text.
            [&[0x81, 0xfe, 0xff, 0xff][..], &[0; 70]].concat(),
            [&[0x81, 0xff, 0x7f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff][..], &[0; 9]].concat(),
            [text(0xf1, message), vec![0x81, 3], b"abc".to_vec()].concat(),
            frame(0x81, &[0xff, 0xfe, 0xc0]),
            b"GET / HTTP/1.1\r\nHost: x\r\n\r\n".to_vec(),
        ],
        words: &["\u{81}", "\u{1}", "\0", "\x7e", "\x7f", "{\"type\":\"undo\"}"],
        test_cases: 20,
        start,
    }
}

/// One frame as a browser sends it, with a mask of zeros.
fn frame(first: u8, payload: &[u8]) -> Vec<u8> {
    [&[first, 0x80 | payload.len() as u8, 0, 0, 0, 0][..], payload].concat()
}

fn start() -> Run {
    let serving = Serving::start();
    Box::new(move |input| {
        let talk = async {
            let mut stream = greeted(&serving.address).await?;
            // The pieces follow from the bytes.
            let mut rest = input;
            while let Some(&first) = rest.first() {
                let (piece, after) = rest.split_at((1 + usize::from(first)).min(rest.len()));
                rest = after;
                // It may have hung up.
                if stream.write_all(piece).await.is_err() || stream.flush().await.is_err() {
                    break;
                }
            }
            drop(stream);
            serving.quiet().await;
            serving.connect().await.map(drop)
        };
        serving.within(PATIENCE, talk).map_err(|error| format!("{error}: {}", serving.load()))
    })
}

/// A socket of a page that has not said anything.
async fn greeted(address: &str) -> Result<TcpStream, String> {
    let wrong = |error: std::io::Error| format!("cannot connect: {error}");
    let mut stream = TcpStream::connect(address).await.map_err(wrong)?;
    let request = format!(
        "GET /socket HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n\
         Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    );
    stream.write_all(request.as_bytes()).await.map_err(wrong)?;
    let mut head = Vec::new();
    while !head.ends_with(END) {
        head.push(stream.read_u8().await.map_err(wrong)?);
    }
    if head.starts_with(b"HTTP/1.1 101") { Ok(stream) } else { Err("no socket".to_owned()) }
}
