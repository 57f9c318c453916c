//! Work on threads: a limited number of searches and overlays at once, the rest in fair queues, each
//! stopped when nobody wants it any more, or when its limit is over.
//!
//! ```text
//! submit ──▶ queue (first come, first served) ──▶ slot ──▶ News::Done with the outcome
//!               │ drop(Ticket)                      │ drop(Ticket): the stop flag, then the slot is free
//!               ▼                                   ▼
//!             gone                                gone
//! ```

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use collinear_play::StopFlag;
use collinear_room::work::{Lane, News, Work, Worker, Yields};
use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::{Instant, sleep, sleep_until};

/// How long work that yields runs before it makes room for work that waits.
const SLICE: Duration = Duration::from_secs(5);
/// How often it looks whether anything waits.
const SLICE_LOOK: Duration = Duration::from_millis(250);
/// More than any work takes: the time of a turn may be a day.
const MAX_LIMIT: Duration = Duration::from_secs(7 * 24 * 3600);

/// Work that was submitted; dropping the ticket cancels it.
#[derive(Debug)]
pub(crate) struct Ticket {
    stop: StopFlag,
    wanted: oneshot::Sender<()>,
}

impl Ticket {
    /// Whether the work has ended.
    pub(crate) fn is_done(&self) -> bool {
        self.wanted.is_closed()
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// The slots, the queues and the worker.
pub(crate) struct Pool {
    worker: Arc<Worker>,
    searches: Queue,
    glances: Queue,
    /// Set when nothing is to run any more.
    closed: StopFlag,
}

/// Slots for one kind of work.
struct Queue {
    slots: Arc<Semaphore>,
    size: usize,
    waiting: AtomicU32,
}

impl Queue {
    fn new(size: usize) -> Self {
        Self { slots: Arc::new(Semaphore::new(size)), size, waiting: AtomicU32::new(0) }
    }

    fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::Relaxed)
    }

    fn running(&self) -> usize {
        self.size - self.slots.available_permits()
    }
}

impl Pool {
    /// A pool for this many searches and overlays at once.
    pub(crate) fn new(worker: Worker, searches: usize, glances: usize) -> Arc<Self> {
        Arc::new(Self {
            worker: Arc::new(worker),
            searches: Queue::new(searches),
            glances: Queue::new(glances),
            closed: StopFlag::default(),
        })
    }

    /// Pieces of work that run or wait.
    pub(crate) fn load(&self) -> usize {
        [&self.searches, &self.glances]
            .map(|queue| queue.running() + queue.waiting() as usize)
            .into_iter()
            .sum()
    }

    const fn queue(&self, lane: Lane) -> &Queue {
        match lane {
            Lane::Search => &self.searches,
            Lane::Glance => &self.glances,
        }
    }

    /// Does the work as soon as there is a slot. All news of it go to the mailbox, in the form that
    /// `message` gives them.
    pub(crate) fn submit<M: Send + 'static>(
        self: &Arc<Self>,
        work: Work,
        mailbox: mpsc::Sender<M>,
        message: impl Fn(News) -> M + Clone + Send + 'static,
    ) -> Ticket {
        let stop = self.closed.child();
        let (wanted, unwanted) = oneshot::channel::<()>();
        let ticket = Ticket { stop: stop.clone(), wanted };
        let pool = Arc::clone(self);
        tokio::spawn(async move { pool.run(work, stop, unwanted, mailbox, message).await });
        ticket
    }

    async fn run<M: Send + 'static>(
        &self,
        work: Work,
        stop: StopFlag,
        mut unwanted: oneshot::Receiver<()>,
        mailbox: mpsc::Sender<M>,
        message: impl Fn(News) -> M + Clone + Send + 'static,
    ) {
        let queue = self.queue(work.lane());
        let slots = Arc::clone(&queue.slots);
        let slot = if let Ok(slot) = Arc::clone(&slots).try_acquire_owned() {
            slot
        } else {
            let ahead = queue.waiting.fetch_add(1, Ordering::Relaxed) + queue.size as u32;
            let _ = mailbox.send(message(News::Queued(ahead))).await;
            let slot = tokio::select! {
                slot = slots.acquire_owned() => slot.ok(),
                _ = &mut unwanted => None,
            };
            queue.waiting.fetch_sub(1, Ordering::Relaxed);
            let Some(slot) = slot else { return };
            slot
        };
        if stop.is_stopped() || mailbox.send(message(News::Started)).await.is_err() {
            return;
        }
        let started = Instant::now();
        let deadline = started + work.limit().min(MAX_LIMIT);
        let yields = work.yields() == Yields::ToOthers;
        let (worker, flag) = (Arc::clone(&self.worker), stop.clone());
        let (progress, told) = (mailbox.clone(), message.clone());
        let mut outcome = tokio::task::spawn_blocking(move || {
            worker.run(&work, &flag, &mut |news| {
                // A full mailbox loses this report, not the next one.
                let _ = progress.try_send(told(News::Progress(news)));
            })
        });
        let outcome = loop {
            tokio::select! {
                outcome = &mut outcome => break outcome,
                () = sleep(SLICE_LOOK), if yields => {
                    if started.elapsed() >= SLICE && queue.waiting() > 0 {
                        stop.stop();
                    }
                }
                () = sleep_until(deadline), if !stop.is_stopped() => stop.stop(),
            }
        };
        drop(slot);
        drop(unwanted);
        // There is no outcome when the program ends.
        if let Ok(outcome) = outcome {
            let _ = mailbox.send(message(News::Done(outcome))).await;
        }
    }

    /// Ends all work, waits until it has, and lets go of everything that was kept.
    pub(crate) async fn shut(&self) {
        self.closed.stop();
        // Dropped at once: what waits in a queue sees the flag and goes.
        for queue in [&self.searches, &self.glances] {
            let _ = queue.slots.acquire_many(queue.size as u32).await;
        }
        self.worker.close();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use collinear_play::{
        AgentSpec, Budget, BuildError, Options, Registry, agent_fn, stone_by_stone,
    };
    use collinear_room::work::{Found, Outcome, Search};
    use collinear_rules::{Position, Rules};

    /// `waits`: until its stop flag is set.
    static WAITS: AgentSpec = AgentSpec::new("waits", |_, _, _| {
        Ok(Box::new(agent_fn(|position, budget| {
            while !budget.stop.is_stopped() {
                std::thread::sleep(Duration::from_millis(1));
            }
            stone_by_stone(position, |ahead| ahead.legal_cells().first().copied())
        })))
    });
    static QUICK: AgentSpec = AgentSpec::new("quick", |_, _, _| {
        Ok(Box::new(agent_fn(|position, _| {
            stone_by_stone(position, |ahead| ahead.legal_cells().first().copied())
        })))
    });
    static PANICS: AgentSpec = AgentSpec::new("panics", broken);

    fn broken(
        _: &Rules,
        _: &Options,
        _: u64,
    ) -> Result<Box<dyn collinear_play::Agent>, BuildError> {
        panic!("an agent went wrong")
    }

    fn pool() -> Arc<Pool> {
        let registry = Registry::new(vec![&WAITS, &QUICK, &PANICS]);
        Pool::new(Worker::new(registry, 4), 1, 1)
    }

    fn search(agent: &str, budget: Budget) -> Work {
        Work::Think(Search {
            owner: agent.to_owned(),
            agent: agent.to_owned(),
            seed: 1,
            position: Position::new(Rules::TICTACTOE),
            budget,
            yields: Yields::Never,
        })
    }

    /// Submits a search of an agent; its news come with its number.
    fn submit(
        pool: &Arc<Pool>,
        mail: &mpsc::Sender<(u32, News)>,
        number: u32,
        agent: &str,
    ) -> Ticket {
        let work = search(agent, Budget::default());
        pool.submit(work, mail.clone(), move |news| (number, news))
    }

    /// The next news but reports and starts.
    async fn next(mail: &mut mpsc::Receiver<(u32, News)>) -> (u32, &'static str) {
        loop {
            let (number, news) = mail.recv().await.expect("news");
            match news {
                News::Queued(_) => return (number, "queued"),
                News::Done(Outcome::Found(Found { turn: Ok(_), stopped, .. })) => {
                    return (number, if stopped { "stopped" } else { "found" });
                }
                News::Done(_) => return (number, "failed"),
                News::Started | News::Progress(_) => {}
            }
        }
    }

    #[tokio::test]
    async fn the_queue_is_fair_and_cancelled_searches_leave_it() {
        let pool = pool();
        let (sender, mut mail) = mpsc::channel(16);
        let first = submit(&pool, &sender, 1, "waits");
        // Jobs queue in the order their tasks start: let each start before the next.
        while pool.searches.slots.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let second = submit(&pool, &sender, 2, "quick");
        assert_eq!(next(&mut mail).await, (2, "queued"));
        let third = submit(&pool, &sender, 3, "quick");
        assert_eq!(next(&mut mail).await, (3, "queued"));
        assert_eq!(pool.load(), 3);
        drop(second);
        drop(first);
        assert_eq!(next(&mut mail).await, (1, "stopped"));
        assert_eq!(next(&mut mail).await, (3, "found"));
        assert!(third.is_done());
        assert_eq!(pool.load(), 0);
    }

    #[tokio::test]
    async fn a_closed_pool_ends_its_searches_and_starts_none() {
        let pool = pool();
        let (sender, mut mail) = mpsc::channel(16);
        let _first = submit(&pool, &sender, 1, "waits");
        while pool.searches.slots.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let _second = submit(&pool, &sender, 2, "quick");
        assert_eq!(next(&mut mail).await, (2, "queued"));
        pool.shut().await;
        assert_eq!(next(&mut mail).await, (1, "stopped"));
        drop(sender);
        assert!(mail.recv().await.is_none(), "what waited does not run");
    }

    #[tokio::test]
    async fn a_panic_is_an_outcome_and_frees_the_slot() {
        let pool = pool();
        let (sender, mut mail) = mpsc::channel(16);
        let _first = submit(&pool, &sender, 1, "panics");
        assert_eq!(next(&mut mail).await, (1, "failed"));
        let _second = submit(&pool, &sender, 2, "quick");
        assert_eq!(next(&mut mail).await, (2, "found"));
    }
}
