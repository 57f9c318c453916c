//! A page that says anything: lines of messages to a running server, which must go on answering.

use std::sync::Arc;
use std::time::Duration;

use collinear_play::Registry;
use collinear_web::{Config, Server};
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
/// The question whose answer ends a case.
const SYNC: &str = r#"{"type":"sync","number":4294967295}"#;

pub(super) fn target() -> Target {
    Target {
        name: "page",
        examples: bytes(&[
            "{\"type\":\"open\",\"link\":\"tictactoe/b2\"}\n{\"type\":\"play\",\"ply\":1,\"cell\":0}\n{\"type\":\"undo\"}\n{\"type\":\"goto\",\"node\":1}\n{\"type\":\"continue\"}",
            "{\"type\":\"new\",\"game\":{\"rules\":{\"width\":9,\"height\":9,\"k\":5,\"p\":2,\"q\":1,\"gravity\":false,\"exact\":false},\"black\":{\"type\":\"person\"},\"white\":{\"type\":\"agent\",\"spec\":\"random\",\"label\":\"\"},\"timing\":{\"type\":\"turn\",\"ms\":10}}}\n{\"type\":\"play\",\"ply\":0,\"cell\":40}\n{\"type\":\"undo\"}\n{\"type\":\"resign\"}",
            "{\"type\":\"import\",\"text\":\"(;GM[511]SZ[19];B[jj];W[kk][ll])\"}\n{\"type\":\"export\",\"format\":\"sgf\"}\n{\"type\":\"review\"}\n{\"type\":\"undo\"}\n{\"type\":\"redo\"}",
            "{\"type\":\"comment\",\"node\":0,\"text\":\"x\"}\n{\"type\":\"prune\",\"node\":1}\n{\"type\":\"promote\",\"node\":2}\n{\"type\":\"games\"}\n{\"type\":\"runs\"}\n{\"type\":\"settings\",\"text\":\"{}\"}\n{\"type\":\"type\",\"ply\":0,\"text\":\"e5 d4\"}",
        ]),
        words: &[
            "\n",
            "{\"type\":\"undo\"}\n",
            "{\"type\":\"retract\"}\n",
            "{\"type\":\"review\"}\n",
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
            let (mut socket, _) =
                connect_async(request).await.map_err(|e| format!("cannot connect: {e}"))?;
            for line in text.lines().chain([SYNC]) {
                // A server may hang up on a flood; it must then take the next page.
                if socket.send(Message::text(line)).await.is_err() {
                    return Ok(());
                }
            }
            while let Some(Ok(message)) = socket.next().await {
                if let Message::Text(text) = message
                    && text.contains("\"synced\"")
                    && text.contains("4294967295")
                {
                    let _ = socket.close(None).await;
                    return Ok(());
                }
            }
            Ok(())
        };
        runtime.block_on(async {
            let timed = tokio::time::timeout(PATIENCE, talk).await;
            timed.unwrap_or_else(|_| Err("the server does not answer any more".to_owned()))
        })
    })
}
