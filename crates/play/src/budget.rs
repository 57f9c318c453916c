//! What one turn may cost, and the meter that runs while it is spent.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::instant::Instant;

/// A flag that tells a thinking agent to answer now with the best turn it has.
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<Flag>);

#[derive(Debug, Default)]
struct Flag {
    set: AtomicBool,
    parent: Option<StopFlag>,
}

impl StopFlag {
    /// Asks for the answer.
    pub fn stop(&self) {
        self.0.set.store(true, Ordering::Relaxed);
    }

    /// Whether the answer was asked for, here or of any flag this one is a child of.
    pub fn is_stopped(&self) -> bool {
        self.0.set.load(Ordering::Relaxed) || self.0.parent.as_ref().is_some_and(Self::is_stopped)
    }

    /// A flag that can be set on its own and is set when this one is: a turn's flag is a child of
    /// its game's.
    #[must_use]
    pub fn child(&self) -> Self {
        Self(Arc::new(Flag { set: AtomicBool::new(false), parent: Some(self.clone()) }))
    }
}

/// A player's clock for the whole game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Clock {
    /// Time left before this turn.
    pub left: Duration,
    /// Time added after each turn.
    pub increment: Duration,
}

/// What one turn may cost. Nothing set means: think as long as you like, until stopped.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Budget {
    /// The most time for this turn.
    pub time: Option<Duration>,
    /// The clock for the rest of the game; the agent decides how much of it to spend.
    pub clock: Option<Clock>,
    /// The most nodes (playouts for Monte Carlo). Deterministic where the agent is.
    pub nodes: Option<u64>,
    /// The deepest search, in stones.
    pub depth: Option<u32>,
    /// How many best lines to report.
    pub lines: u16,
    /// Ends the turn early; not written.
    #[serde(skip)]
    pub stop: StopFlag,
    /// How late the answer may come before [`ask`](crate::ask) calls it late. Agents ignore it.
    pub grace: Duration,
}

/// The grace unless another is set: a loaded machine may wake a thread that late.
pub(crate) const GRACE: Duration = Duration::from_millis(250);

impl Default for Budget {
    fn default() -> Self {
        Self {
            time: None,
            clock: None,
            nodes: None,
            depth: None,
            lines: 0,
            stop: StopFlag::default(),
            grace: GRACE,
        }
    }
}

impl Budget {
    /// So much time for the turn.
    pub fn time(time: Duration) -> Self {
        Self { time: Some(time), ..Self::default() }
    }

    /// This many nodes for the turn.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// So deep a search.
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Whether anything but the stop flag limits the turn.
    pub const fn is_limited(&self) -> bool {
        self.time.is_some() || self.clock.is_some() || self.nodes.is_some() || self.depth.is_some()
    }

    /// The most time the turn may take, if there is a limit: its own or what is left on the clock.
    pub fn limit(&self) -> Option<Duration> {
        self.time.into_iter().chain(self.clock.map(|clock| clock.left)).min()
    }

    /// Starts the meter. `turns_to_go` is the agent's guess for how many own turns a clock must
    /// still serve.
    pub fn start(&self, turns_to_go: u32) -> Meter {
        let now = Instant::now();
        let share = self.clock.map(|clock| {
            let usable = clock.left.saturating_sub(CLOCK_RESERVE);
            (usable / turns_to_go.max(1) + clock.increment * 3 / 4).min(usable)
        });
        let target = match (self.time, share) {
            (Some(time), Some(share)) => Some(time.min(share)),
            (time, share) => time.or(share),
        };
        Meter {
            started: now,
            deadline: target.and_then(|time| now.checked_add(time)),
            max_nodes: self.nodes.unwrap_or(u64::MAX),
            stop: self.stop.clone(),
        }
    }
}

/// Kept back from a clock so that a slow machine does not forfeit.
const CLOCK_RESERVE: Duration = Duration::from_millis(50);

/// A running budget. Ask it every few hundred nodes.
#[derive(Clone, Debug)]
pub struct Meter {
    started: Instant,
    deadline: Option<Instant>,
    max_nodes: u64,
    stop: StopFlag,
}

impl Meter {
    /// Time since the turn began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// When the turn must be over, if it must.
    pub const fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// The most nodes.
    pub const fn max_nodes(&self) -> u64 {
        self.max_nodes
    }

    /// Whether the budget is spent: nodes first (cheap and deterministic), then the flag and time.
    pub fn is_spent(&self, nodes: u64) -> bool {
        nodes >= self.max_nodes
            || self.stop.is_stopped()
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
    }

    /// Whether more than this part of the time is gone: no use in beginning another iteration.
    pub fn is_past(&self, part: f64) -> bool {
        self.deadline.is_some_and(|deadline| {
            self.started.elapsed() >= deadline.duration_since(self.started).mul_f64(part)
        })
    }
}
