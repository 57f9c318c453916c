//! Pages that say anything: lines of messages to a running server, which must answer the last of them
//! unless they were a flood; and several pages whose messages, comings and goings are mixed, of which
//! nothing must be left.

use std::time::Duration;

use futures_util::future::join;
use futures_util::{SinkExt, StreamExt};
use tokio_tungstenite::tungstenite::Message;

use super::bytes;
use super::server::Serving;
use crate::{Run, Target};

/// How long the server may take to answer after everything was said.
const PATIENCE: Duration = Duration::from_secs(30);
/// A server may hang up on this many messages at once: 200 in a second, the question at the end and
/// answers to its pings among them.
const FLOOD: usize = 190;
/// The question whose answer ends a case.
const SYNC: &str = r#"{"type":"sync","number":4294967295}"#;

/// Every message a page has, in the order of a visit.
const EXAMPLES: [&str; 8] = [
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
{"type":"puzzle","id":"hold/gomoku/h8.i9"}
{"type":"findPuzzles","id":"g1"}
{"type":"puzzleHint"}
{"type":"explain","asked":{"idea":"windows","line":"..XXXX.O","k":6,"p":2,"colour":"black","markAll":true}}
{"type":"explain","asked":{"idea":"minimax","game":"tictactoe","moves":"b2 a1","plies":2,"prune":true}}
{"type":"explain","asked":{"idea":"steps","game":"connect4","moves":"d1 c1","plies":2}}"#,
    r#"{"type":"openings","link":"gomoku/h8.i9","games":"\n# game gomoku\nb h8i9i7"}
{"type":"openings","link":"connect4"}
{"type":"ownOpenings","game":"connect6"}
{"type":"glance","link":"tictactoe/b2"}"#,
    r#"{"type":"games"}
{"type":"forget","id":"a"}
{"type":"remember","id":"a"}
{"type":"runs"}
{"type":"run","id":"a"}
{"type":"replay","run":"a","number":1}
{"type":"startMatch","match":{"rules":{"width":3,"height":3,"k":3,"p":1,"q":1,"gravity":false,"exact":false},"players":["random","windows"],"format":"swiss","games":2,"limits":"1ms","openings":"empty","atOnce":1}}
{"type":"live","run":"0123456789abcdef"}
{"type":"resumeMatch","run":"0123456789abcdef"}
{"type":"pauseMatch","run":"0123456789abcdef"}
{"type":"addEngine","engine":{"name":"x","protocol":"ugi","command":"true","folder":"","init":""}}
{"type":"stopMatch","run":"a"}
{"type":"settings","text":"{}"}
{"type":"sync","number":1}"#,
    r#"{"type":"new","game":{"rules":{"width":15,"height":15,"k":5,"p":1,"q":1,"gravity":false,"exact":false},"black":{"type":"person"},"white":{"type":"person"},"timing":{"type":"turn","ms":10},"openingRule":"swap2"}}
{"type":"play","ply":0,"cell":112}
{"type":"type","ply":1,"text":"i9 g7"}
{"type":"choose","choice":"twoStones"}
{"type":"undo"}
{"type":"type","ply":3,"text":"a1 o15"}
{"type":"choose","choice":"white"}
{"type":"balance","stones":2}
{"type":"choose","choice":"black"}"#,
];

const WORDS: &[&str] = &[
    "\n",
    "{\"type\":\"undo\"}\n",
    "{\"type\":\"retract\"}\n",
    "{\"type\":\"review\",\"on\":true}\n",
    "{\"type\":\"continue\"}\n",
    "{\"type\":\"hint\"}\n",
    "{\"type\":\"resign\"}\n",
    "{\"type\":\"choose\",\"choice\":\"black\"}\n",
    "{\"type\":\"balance\",\"stones\":1}\n",
    "\"node\":",
    "\"ply\":",
    "null",
    "\"openingRule\":\"swap\",",
    "\"spec\":\"sextant\"",
    "\"link\":\"connect4/d.d\"",
    "[",
    "]",
    "{",
    "}",
    // Two pages at one game, and one that goes.
    "1{\"type\":\"open\"}\n2{\"type\":\"open\"}\n",
    "1-\n",
];

pub(super) fn targets() -> [Target; 2] {
    let examples = bytes(&EXAMPLES);
    // Each line of a visit begins with the number of its page.
    let numbered = |(page, text): (usize, &&str)| -> Vec<u8> {
        let line = |(at, line): (usize, &str)| format!("{}{line}\n", (page + at / 4) % PAGES);
        text.lines().enumerate().map(line).collect::<String>().into_bytes()
    };
    let visits = EXAMPLES.iter().enumerate().map(numbered).collect();
    [
        Target { name: "page", examples, words: WORDS, test_cases: 40, start },
        Target { name: "visits", examples: visits, words: WORDS, test_cases: 20, start: visits_of },
    ]
}

fn start() -> Run {
    let serving = Serving::start();
    Box::new(move |input| {
        let text = String::from_utf8_lossy(input).into_owned();
        let talk = async {
            let (mut sink, mut stream) = serving.connect().await?.split();
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
        serving.within(PATIENCE, talk)
    })
}

/// Pages of a case of `visits`.
const PAGES: usize = 3;

/// Lines of the form `1{…}`: page 1 says that, and comes where it is not there; `1-`: it goes.
fn visits_of() -> Run {
    let serving = Serving::start();
    Box::new(move |input| {
        let text = String::from_utf8_lossy(input).into_owned();
        let talk = async {
            let mut pages: [Option<_>; PAGES] = Default::default();
            for line in text.lines() {
                let mut signs = line.chars();
                let which = signs.next().and_then(|sign| sign.to_digit(10)).unwrap_or(0) as usize;
                let page = &mut pages[which % PAGES];
                if signs.as_str() == "-" {
                    *page = None;
                    continue;
                }
                let socket = match page {
                    Some(socket) => socket,
                    None => page.insert(serving.connect().await?),
                };
                // Nobody reads: the server may have had enough of this page.
                if socket.send(Message::text(signs.as_str())).await.is_err() {
                    *page = None;
                }
            }
            drop(pages);
            serving.quiet().await;
            Ok(())
        };
        serving.within(PATIENCE, talk).map_err(|error| format!("{error}: {}", serving.load()))
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
