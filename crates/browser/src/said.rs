//! What JavaScript and the module say to each other. Work and its news cross JavaScript as texts that it
//! does not look into: its numbers have 53 bits, a seed has 64.

use collinear_room::Row;
use serde::{Deserialize, Serialize};

/// What the module hears; `json::read_tagged` reads it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Heard {
    /// Be the front worker.
    Open {
        /// For everything random.
        seed: u64,
        /// The stored games, the oldest first.
        games: Vec<StoredRow>,
        /// The page's settings.
        settings: Option<String>,
    },
    /// The page has said something.
    Page {
        /// Its message.
        text: String,
    },
    /// How a piece of work goes on.
    News {
        /// Which.
        ticket: u64,
        /// The news, as a text.
        news: String,
    },
    /// The worker that did it is gone.
    Gone {
        /// Which work.
        ticket: u64,
        /// What is known about it.
        words: String,
    },
    /// The time that was asked for has come.
    Time {},
    /// Be a search worker, and do this.
    Work {
        /// Comes back with all news.
        ticket: u64,
        /// What to do, as a text.
        work: String,
    },
    /// Be a search worker, and say which parts this question needs.
    #[cfg(feature = "search")]
    Needs {
        /// The question.
        question: crate::Question,
    },
    /// Be a search worker, and say what every agent plays: the lines of `signature`.
    #[cfg(feature = "search")]
    Signature {},
    /// Be a search worker, and answer this.
    #[cfg(feature = "search")]
    Question {
        /// The question.
        question: crate::Question,
    },
}

/// What the module says.
#[derive(Debug, Serialize)]
#[serde(tag = "type", rename_all = "camelCase")]
pub enum Said {
    /// To the page.
    Page {
        /// The message.
        text: String,
    },
    /// Have a search worker do this.
    Start {
        /// Tells it apart.
        ticket: u64,
        /// What to do, as a text.
        work: String,
        /// The parts that it needs.
        parts: Vec<&'static str>,
        /// Whether it is short and must not wait behind searches.
        glance: bool,
        /// Whether it may be begun anew later when others wait.
        yields: bool,
        /// A wait of this many milliseconds means that something is wrong.
        limit: u64,
    },
    /// Nobody wants this work any more.
    Cancel {
        /// Which.
        ticket: u64,
    },
    /// Keep a game.
    Save {
        /// The game.
        game: StoredRow,
    },
    /// Keep a game no longer.
    Forget {
        /// Its name.
        id: String,
    },
    /// Keep the settings.
    Settings {
        /// As a text.
        text: String,
    },
    /// How the work goes on.
    News {
        /// Which.
        ticket: u64,
        /// The news, as a text.
        news: String,
        /// Whether there will be no more.
        done: bool,
    },
    /// The parts that a question needs.
    #[cfg(feature = "search")]
    Needs {
        /// Their names.
        parts: Vec<&'static str>,
    },
    /// How far the answer to a question is.
    #[cfg(feature = "search")]
    Progress {
        /// As in the answer.
        progress: crate::question::Found,
    },
    /// The answer to a question.
    #[cfg(feature = "search")]
    Answer {
        /// It.
        answer: crate::question::Answer,
    },
    /// What every agent plays.
    #[cfg(feature = "search")]
    Signature {
        /// A line for each agent and position.
        lines: Vec<String>,
    },
    /// Why there is no answer.
    #[cfg(feature = "search")]
    Refused {
        /// The reason.
        why: String,
    },
    /// A line for the console.
    Log {
        /// What it says.
        text: String,
    },
}

/// A game as the browser keeps it.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub struct StoredRow {
    /// When it was changed last, in seconds after 1970.
    pub updated: i64,
    /// The game.
    pub row: Row,
}
