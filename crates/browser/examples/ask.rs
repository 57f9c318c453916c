//! What a search worker of the page says, said natively: one JSON message per line of the input, its answers
//! as lines, and behind them the milliseconds that this thread had a processor. `page/e2e/speed.ts` holds
//! the browser to it.
//!
//! ```text
//! echo '{"type":"question","question":{"type":"solve","game":"connect4","moves":"d1"}}' |
//!     cargo run --release -p collinear-browser --example ask
//! ```

use std::error::Error;
use std::io::{self, BufRead, Write};
use std::time::Instant;

use collinear_browser::{Heard, Said, Searcher};
use collinear_room::json;
use serde_json::json;

fn main() -> Result<(), Box<dyn Error>> {
    let searcher = Searcher::default();
    let began = Instant::now();
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let heard: Heard = json::read_tagged(&line?)?;
        let before = spent(began);
        let mut said = Vec::new();
        searcher.hear(heard, &mut |answer| said.push(answer));
        let ms = spent(began) - before;
        for answer in said.iter().filter(|said| !matches!(said, Said::Progress { .. })) {
            writeln!(out, "{}", serde_json::to_string(answer)?)?;
        }
        writeln!(out, "{}", json!({ "type": "spent", "ms": ms }))?;
        out.flush()?;
    }
    Ok(())
}

/// Milliseconds of this thread on a processor, where the system tells (Linux); else those that passed.
fn spent(began: Instant) -> f64 {
    let nanoseconds = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = nanoseconds.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| began.elapsed().as_secs_f64() * 1e3, |nanoseconds| nanoseconds / 1e6)
}
