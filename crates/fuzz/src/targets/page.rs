//! A page that says anything: lines of messages to a running server, which must answer the last of
//! them unless they were a flood.

use std::sync::Arc;
use std::time::Duration;

use collinear_play::Registry;
use collinear_web::{Access, Config, Server};
use futures_util::future::join;
use futures_util::{SinkExt, StreamExt};
use tokio::runtime::Runtime;
use tokio_tungstenite::connect_async;
use tokio_tungstenite::tungstenite::Message;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;

use super::bytes;
use crate::{Run, Target};

/// Agents that think briefly, so that cases are many.
const AGENTS: [&str; 4] = ["random", "adjacent", "windows", "sequences"];
/// How long the server may take to answer after everything was said.
const PATIENCE: Duration = Duration::from_secs(30);
/// A server may hang up on this many messages at once.
const FLOOD: usize = 200;
/// The question whose answer ends a case.
const SYNC: &str = r#"{"type":"sync","number":4294967295}"#;

/// Every message a page has, in the order of a visit.
const EXAMPLES: [&str; 6] = [
    r#"{"type":"open","link":"tictactoe/b2"}
{"type":"play","ply":1,"cell":0}
{"type":"undo"}
{"type":"redo"}
{"type":"goto","node":1}
{"type":"continue"}
{"type":"retract"}"#,
    r#"{"type":"new","game":{"rules":{"width":9,"height":9,"k":5,"p":2,"q":1,"gravity":false,"exact":false},"black":{"type":"person"},"white":{"type":"agent","spec":"random","label":""},"timing":{"type":"turn","ms":10}}}
{"type":"play","ply":0,"cell":40}
{"type":"pause","paused":true}
{"type":"pace","ms":5}
{"type":"undo"}
{"type":"resign"}"#,
    r#"{"type":"import","text":"(;GM[511]SZ[19];B[jj];W[kk][ll])"}
{"type":"export","format":"sgf"}
{"type":"review","on":true,"effort":1}
{"type":"undo"}
{"type":"redo"}
{"type":"review","on":false}
{"type":"export","format":"sgf","review":true}"#,
    r#"{"type":"new","game":{"rules":{"width":7,"height":6,"k":4,"p":1,"q":1,"gravity":true,"exact":false},"black":{"type":"agent","spec":"windows","label":"Level 2"},"white":{"type":"agent","spec":"adjacent","label":""},"timing":{"type":"clock","startMs":50,"incrementMs":1}}}
{"type":"analyse","on":true,"lines":3}
{"type":"overlays","shown":["threats","columns","book","policy"]}
{"type":"shapes","cell":3}
{"type":"hint"}
{"type":"check","form":{"width":9,"height":9,"k":5,"p":8,"q":1,"gravity":false,"exact":true}}"#,
    r#"{"type":"setup","setup":{"rules":{"width":6,"height":6,"k":4,"p":2,"q":1,"gravity":false,"exact":false},"black":[0,7,14],"white":[3,4],"toMove":"white","stonesLeft":2}}
{"type":"type","ply":0,"text":"e5 d4"}
{"type":"comment","node":0,"text":"x"}
{"type":"prune","node":1}
{"type":"restore"}
{"type":"promote","node":2}
{"type":"puzzles"}
{"type":"puzzle","id":"connect6-001"}
{"type":"puzzleHint"}
{"type":"explain","asked":{"idea":"windows","line":"..XXXX.O","k":6,"p":2,"colour":"black","markAll":true}}
{"type":"explain","asked":{"idea":"minimax","game":"tictactoe","moves":"b2 a1","plies":2,"prune":true}}"#,
    r#"{"type":"games"}
{"type":"forget","id":"a"}
{"type":"remember","id":"a"}
{"type":"runs"}
{"type":"run","id":"a"}
{"type":"replay","run":"a","number":1}
{"type":"startMatch","match":{"rules":{"width":3,"height":3,"k":3,"p":1,"q":1,"gravity":false,"exact":false},"players":["random","windows"],"games":2,"timeMs":1,"openings":0}}
{"type":"stopMatch","run":"a"}
{"type":"settings","text":"{}"}
{"type":"sync","number":1}"#,
];

pub(super) fn target() -> Target {
    Target {
        name: "page",
        examples: bytes(&EXAMPLES),
        words: &[
            "\n",
            "{\"type\":\"undo\"}\n",
            "{\"type\":\"retract\"}\n",
            "{\"type\":\"review\",\"on\":true}\n",
            "{\"type\":\"continue\"}\n",
            "{\"type\":\"hint\"}\n",
            "{\"type\":\"resign\"}\n",
            "\"node\":",
            "\"ply\":",
            "null",
            "\"spec\":\"sextant\"",
            "\"link\":\"connect4/d.d\"",
            "[",
            "]",
            "{",
            "}",
        ],
        test_cases: 40,
        start,
    }
}

fn start() -> Run {
    let all = collinear_agents::registry();
    let registry = Registry::new(AGENTS.iter().filter_map(|name| all.get(name)).collect());
    let config = Config {
        registry,
        host: None,
        access: Access::Anybody,
        port: 0,
        data: None,
        results: None,
        build: "fuzz".to_owned(),
        books: Vec::new(),
        searches: 2,
        log: Arc::new(|_| ()),
    };
    let runtime = Runtime::new().expect("a runtime");
    let address = runtime.block_on(async {
        let server = Server::bind(config).await.expect("a free port");
        let address = server.address().to_string();
        tokio::spawn(server.run(std::future::pending()));
        address
    });
    Box::new(move |input| {
        let text = String::from_utf8_lossy(input).into_owned();
        let talk = async {
            let url = format!("ws://{address}/socket");
            let mut request = url.into_client_request().map_err(|e| e.to_string())?;
            let origin = format!("http://{address}").parse().map_err(|_| "no header")?;
            request.headers_mut().insert("origin", origin);
            let (socket, _) =
                connect_async(request).await.map_err(|e| format!("cannot connect: {e}"))?;
            let (mut sink, mut stream) = socket.split();
            let lines = text.lines().count();
            let say = async {
                for line in text.lines().chain([SYNC]) {
                    if sink.send(Message::text(line)).await.is_err() {
                        break;
                    }
                }
            };
            // A page reads while it talks: one that does not may be dropped.
            let hear = async {
                while let Some(Ok(message)) = stream.next().await {
                    if let Message::Text(text) = message
                        && text.contains("\"synced\"")
                        && text.contains("4294967295")
                    {
                        return true;
                    }
                }
                false
            };
            let ((), answered) = join(say, hear).await;
            // The protocol allows a server to hang up on a flood, and on nothing else.
            if !answered && lines < FLOOD {
                return Err(format!("the server hung up after {lines} messages"));
            }
            let _ = sink.close().await;
            Ok(())
        };
        runtime.block_on(async {
            let timed = tokio::time::timeout(PATIENCE, talk).await;
            timed.unwrap_or_else(|_| Err("the server does not answer any more".to_owned()))
        })
    })
}

#[cfg(test)]
mod tests {
    use collinear_room::wire::ToServer;

    /// A message whose form has changed would only be refused, again and again.
    #[test]
    fn every_example_is_a_message() {
        for line in super::EXAMPLES.iter().flat_map(|example| example.lines()) {
            let read = ToServer::read(line);
            assert!(read.is_ok(), "{line}: {read:?}");
        }
    }
}
