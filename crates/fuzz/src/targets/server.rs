//! A server of the page for the targets that talk to one.

use std::sync::Arc;
use std::time::Duration;

use collinear_play::Registry;
use collinear_web::{Access, Config, Gauge, Load, Server};
use tokio::net::TcpStream;
use tokio::runtime::Runtime;
use tokio_tungstenite::tungstenite::client::IntoClientRequest;
use tokio_tungstenite::{MaybeTlsStream, WebSocketStream, connect_async};

/// Agents that think briefly, so that cases are many.
const AGENTS: [&str; 4] = ["random", "adjacent", "windows", "sequences"];
/// How often it is looked whether the server is quiet.
const LOOK: Duration = Duration::from_millis(1);

/// A server at work.
pub(super) struct Serving {
    runtime: Runtime,
    pub(super) address: String,
    gauge: Gauge,
}

impl Serving {
    pub(super) fn start() -> Self {
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
            add_engine: None,
            log: Arc::new(|_| ()),
        };
        let runtime = Runtime::new().expect("a runtime");
        let (address, gauge) = runtime.block_on(async {
            let server = Server::bind(config).await.expect("a free port");
            let (address, gauge) = (server.address().to_string(), server.gauge());
            tokio::spawn(server.run(std::future::pending()));
            (address, gauge)
        });
        Self { runtime, address, gauge }
    }

    /// A page's socket.
    pub(super) async fn connect(
        &self,
    ) -> Result<WebSocketStream<MaybeTlsStream<TcpStream>>, String> {
        let url = format!("ws://{}/socket", self.address);
        let mut request = url.into_client_request().map_err(|error| error.to_string())?;
        let origin = format!("http://{}", self.address).parse().map_err(|_| "no header")?;
        request.headers_mut().insert("origin", origin);
        let connected = connect_async(request).await;
        connected.map(|(socket, _)| socket).map_err(|error| format!("cannot connect: {error}"))
    }

    /// Waits until nobody is connected, no game open, nothing at work.
    pub(super) async fn quiet(&self) {
        while self.gauge.read() != Load::default() {
            tokio::time::sleep(LOOK).await;
        }
    }

    /// What is under way, in words.
    pub(super) fn load(&self) -> String {
        format!("{:?}", self.gauge.read())
    }

    /// Runs a case, which must end within a time.
    pub(super) fn within(
        &self,
        most: Duration,
        case: impl Future<Output = Result<(), String>>,
    ) -> Result<(), String> {
        self.runtime.block_on(async {
            let timed = tokio::time::timeout(most, case).await;
            timed.unwrap_or_else(|_| Err("the server does not answer any more".to_owned()))
        })
    }
}
