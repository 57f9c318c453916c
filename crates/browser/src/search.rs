//! A search worker: does one piece of work, or answers one question, after the other.

use collinear_play::{Fault, StopFlag};
use collinear_room::json;
use collinear_room::work::{News, Outcome, Worker};

use crate::said::{Heard, Said};
use crate::signature;

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
    /// Hears something and says what there is to say for it.
    pub fn hear(&self, heard: Heard, say: &mut dyn FnMut(Said)) {
        match heard {
            Heard::Work { ticket, work } => self.work(ticket, &work, say),
            Heard::Signature {} => say(Said::Signature { lines: signature::lines(&self.0) }),
            Heard::Needs { question } => match question.needs() {
                Ok(parts) => say(Said::Needs { parts }),
                Err(why) => say(Said::Refused { why }),
            },
            Heard::Question { question } => {
                let answer = question.answer(&self.0, &mut |progress| {
                    say(Said::Progress { progress });
                });
                say(answer
                    .map_or_else(|why| Said::Refused { why }, |answer| Said::Answer { answer }));
            }
            _ => say(Said::Log { text: "a search worker has no page".to_owned() }),
        }
    }

    /// Does it. Nobody can be heard meanwhile: who wants it to stop ends the whole worker.
    pub fn work(&self, ticket: u64, work: &str, say: &mut dyn FnMut(Said)) {
        let mut tell = |news: &News| {
            let done = matches!(news, News::Done(_));
            // News are plain data: they can always be written.
            let news = serde_json::to_string(news).unwrap_or_default();
            say(Said::News { ticket, news, done });
        };
        tell(&News::Started);
        let outcome = match json::read(work) {
            Ok(work) => self.0.run(&work, &StopFlag::default(), &mut |progress| {
                tell(&News::Progress(progress));
            }),
            Err(error) => Outcome::Failed(Fault::Crash(error.to_string())),
        };
        tell(&News::Done(outcome));
    }
}
