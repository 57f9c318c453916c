//! The board page, served from Python: agents registered there can be played on it.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use collinear_play::StopFlag;
use collinear_web::{Access, Config, Server};
use pyo3::prelude::*;

use crate::errors::RunError;
use crate::{interrupt, players};

/// How often the server looks whether it was asked to stop.
const LOOK: Duration = Duration::from_millis(50);

/// Serves the page until Ctrl-C; `ready` is called with its address. Without `data` games are
/// kept in memory only.
#[pyfunction]
#[pyo3(signature = (ready, port=0, data=None))]
pub(crate) fn serve(
    py: Python<'_>,
    ready: Py<PyAny>,
    port: u16,
    data: Option<PathBuf>,
) -> PyResult<()> {
    let config = Config {
        registry: players::page_registry(py)?,
        host: None,
        access: Access::Token,
        port,
        results: data.as_ref().map(|folder| folder.join("results.sqlite")),
        data,
        // Players written in Python differ from one session to the next.
        build: format!("python {}", env!("CARGO_PKG_VERSION")),
        books: Vec::new(),
        searches: std::thread::available_parallelism().map_or(1, usize::from),
        add_engine: None,
        log: Arc::new(|_| {}),
    };
    let stop = StopFlag::default();
    let flag = stop.clone();
    let served = interrupt::run(py, &stop, move || -> Result<(), String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .enable_all()
            .build()
            .map_err(|error| error.to_string())?;
        let served = runtime.block_on(async {
            let server = Server::bind(config).await.map_err(|error| error.to_string())?;
            let url = server.url().to_owned();
            Python::attach(|py| ready.call1(py, (url,)).map(drop))
                .map_err(|error| error.to_string())?;
            let quit = async {
                while !flag.is_stopped() {
                    tokio::time::sleep(LOOK).await;
                }
            };
            server.run(quit).await;
            Ok(())
        });
        runtime.shutdown_background();
        served
    })?;
    served.map_err(RunError::new_err)
}
