//! A search worker: does one piece of work after the other.

use collinear_play::{Fault, StopFlag};
use collinear_room::work::{News, Outcome, Worker};

use crate::said::Said;

/// Agents that are kept for the next piece: a turn, an analysis, and an overlay.
const KEPT: usize = 3;

/// See the module.
pub struct Searcher(Worker);

impl Default for Searcher {
    fn default() -> Self {
        Self(Worker::new(collinear_agents::registry(), KEPT))
    }
}

impl Searcher {
    /// Does it. Nobody can be heard meanwhile: who wants it to stop ends the whole worker.
    pub fn work(&self, ticket: u64, work: &str, say: &mut dyn FnMut(Said)) {
        let mut tell = |news: &News| {
            let done = matches!(news, News::Done(_));
            // News are plain data: they can always be written.
            let news = serde_json::to_string(news).unwrap_or_default();
            say(Said::News { ticket, news, done });
        };
        tell(&News::Started);
        let outcome = match serde_json::from_str(work) {
            Ok(work) => self.0.run(&work, &StopFlag::default(), &mut |progress| {
                tell(&News::Progress(progress));
            }),
            Err(error) => Outcome::Failed(Fault::Crash(error.to_string())),
        };
        tell(&News::Done(outcome));
    }
}
