//! Searches at work: at most so many at once, the rest in a fair queue, each cancelled when nobody
//! wants it any more.
//!
//! ```text
//! submit ──▶ queue (first come, first served) ──▶ slot ──▶ mail with the result
//!               │ drop(Job)                         │ drop(Job): the stop flag, then the slot is free
//!               ▼                                   ▼
//!             gone                                gone
//! ```
//!
//! Agents with their tables are kept between turns, but only so many: memory stays bounded however
//! many pages are open.

use std::any::Any;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use collinear_play::{Fault, StopFlag, guard};
use tokio::sync::{Semaphore, mpsc, oneshot};

/// How long a sliced search runs before it makes room for one that waits.
const SLICE: Duration = Duration::from_secs(5);
/// How often a sliced search looks whether somebody waits.
const SLICE_LOOK: Duration = Duration::from_millis(250);

/// Whether a search gives way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slicing {
    /// Runs until it is done: an agent's turn, a hint.
    Whole,
    /// Stops after a while when others wait, to be submitted again: an open-ended analysis.
    Sliced,
}

/// A search that was submitted; dropping it cancels it.
#[derive(Debug)]
pub(crate) struct Job {
    stop: StopFlag,
    _wanted: oneshot::Sender<()>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.stop.stop();
    }
}

/// The slots, the queue and the agents between turns.
pub(crate) struct Pool {
    slots: Arc<Semaphore>,
    size: usize,
    waiting: AtomicU32,
    idle: Mutex<VecDeque<(String, Box<dyn Any + Send>)>>,
    /// Set when nothing is to run any more.
    closed: StopFlag,
}

impl Pool {
    /// A pool for so many searches at once.
    pub(crate) fn new(size: usize) -> Arc<Self> {
        Arc::new(Self {
            slots: Arc::new(Semaphore::new(size)),
            size,
            waiting: AtomicU32::new(0),
            idle: Mutex::new(VecDeque::new()),
            closed: StopFlag::default(),
        })
    }

    /// Searches in the queue.
    pub(crate) fn waiting(&self) -> u32 {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Runs `work` as soon as there is a slot. Its result is sent to `mailbox`; what `failed` says is
    /// sent instead when it panics, and what `queued` says first when it has to wait.
    pub(crate) fn submit<M: Send + 'static>(
        self: &Arc<Self>,
        slicing: Slicing,
        mailbox: mpsc::Sender<M>,
        queued: impl FnOnce(u32) -> Option<M> + Send + 'static,
        failed: impl FnOnce(Fault) -> M + Send + 'static,
        work: impl FnOnce(&StopFlag) -> M + Send + 'static,
    ) -> Job {
        let stop = self.closed.child();
        let (wanted, mut unwanted) = oneshot::channel::<()>();
        let job = Job { stop: stop.clone(), _wanted: wanted };
        let pool = Arc::clone(self);
        tokio::spawn(async move {
            let slots = Arc::clone(&pool.slots);
            let slot = if let Ok(slot) = Arc::clone(&slots).try_acquire_owned() {
                slot
            } else {
                let ahead = pool.waiting.fetch_add(1, Ordering::Relaxed) + pool.size as u32;
                if let Some(mail) = queued(ahead) {
                    let _ = mailbox.send(mail).await;
                }
                let slot = tokio::select! {
                    slot = slots.acquire_owned() => slot.ok(),
                    _ = &mut unwanted => None,
                };
                pool.waiting.fetch_sub(1, Ordering::Relaxed);
                let Some(slot) = slot else { return };
                slot
            };
            if stop.is_stopped() {
                return;
            }
            let flag = stop.clone();
            let mut search =
                tokio::task::spawn_blocking(move || guard(|| work(&flag)).unwrap_or_else(failed));
            let started = Instant::now();
            let result = loop {
                tokio::select! {
                    result = &mut search => break result,
                    () = tokio::time::sleep(SLICE_LOOK), if slicing == Slicing::Sliced => {
                        if started.elapsed() >= SLICE && pool.waiting() > 0 {
                            stop.stop();
                        }
                    }
                }
            };
            drop(slot);
            // There is no result when the program ends.
            if let Ok(mail) = result {
                let _ = mailbox.send(mail).await;
            }
        });
        job
    }

    /// What was kept under this name, if it is still there.
    pub(crate) fn take<T: 'static>(&self, name: &str) -> Option<T> {
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let at = idle.iter().position(|(kept, _)| kept == name)?;
        let (_, thing) = idle.remove(at)?;
        thing.downcast().ok().map(|thing| *thing)
    }

    /// Keeps an agent or a solver for its next turn; what was kept longest goes when there is too
    /// much.
    pub(crate) fn keep<T: Send + 'static>(&self, name: String, thing: T) {
        if self.closed.is_stopped() {
            return;
        }
        let mut idle = self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        idle.push_back((name, Box::new(thing)));
        let evicted = if idle.len() > 2 * self.size + 2 { idle.pop_front() } else { None };
        drop(idle);
        // Outside the lock: an agent may own a process or a large table.
        drop(evicted);
    }

    /// Ends all searches, waits until they have, and lets go of everything that was kept.
    pub(crate) async fn shut(&self) {
        self.closed.stop();
        // Dropped at once: what waits in the queue sees the flag and goes.
        let _ = self.slots.acquire_many(self.size as u32).await;
        let idle = std::mem::take(&mut *self.idle.lock().unwrap_or_else(PoisonError::into_inner));
        drop(idle);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug, PartialEq)]
    enum Mail {
        Queued(u32),
        Done(u32, bool),
        Failed,
    }

    /// Waits for the stop flag, at most until the test would time out anyway.
    fn until_stopped(stop: &StopFlag) {
        while !stop.is_stopped() {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    fn submit(
        pool: &Arc<Pool>,
        mail: &mpsc::Sender<Mail>,
        work: impl FnOnce(&StopFlag) -> Mail + Send + 'static,
    ) -> Job {
        let queued = |ahead| Some(Mail::Queued(ahead));
        pool.submit(Slicing::Whole, mail.clone(), queued, |_| Mail::Failed, work)
    }

    #[tokio::test]
    async fn the_queue_is_fair_and_cancelled_searches_leave_it() {
        let pool = Pool::new(1);
        let (sender, mut mail) = mpsc::channel(16);
        let first = submit(&pool, &sender, |stop| {
            until_stopped(stop);
            Mail::Done(1, stop.is_stopped())
        });
        // Jobs queue in the order their tasks start: let each start before the next.
        while pool.slots.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let second = submit(&pool, &sender, |_| Mail::Done(2, false));
        assert_eq!(mail.recv().await, Some(Mail::Queued(1)));
        let _third = submit(&pool, &sender, |_| Mail::Done(3, false));
        assert_eq!(mail.recv().await, Some(Mail::Queued(2)));
        drop(second);
        drop(first);
        assert_eq!(mail.recv().await, Some(Mail::Done(1, true)));
        assert_eq!(mail.recv().await, Some(Mail::Done(3, false)));
        assert_eq!(pool.waiting(), 0);
    }

    #[tokio::test]
    async fn a_closed_pool_ends_its_searches_and_keeps_nothing() {
        let pool = Pool::new(1);
        let (sender, mut mail) = mpsc::channel(16);
        let kept = Arc::new(());
        pool.keep("before".to_owned(), Arc::clone(&kept));
        let (again, thing) = (Arc::clone(&pool), Arc::clone(&kept));
        let _first = submit(&pool, &sender, move |stop| {
            until_stopped(stop);
            again.keep("after".to_owned(), thing);
            Mail::Done(1, stop.is_stopped())
        });
        while pool.slots.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let _second = submit(&pool, &sender, |_| Mail::Done(2, false));
        assert_eq!(mail.recv().await, Some(Mail::Queued(1)));
        pool.shut().await;
        assert_eq!(mail.recv().await, Some(Mail::Done(1, true)));
        assert_eq!(Arc::strong_count(&kept), 1);
        assert!(mail.try_recv().is_err(), "what waited does not run");
    }

    #[tokio::test]
    async fn a_panic_is_a_result_and_frees_the_slot() {
        let pool = Pool::new(1);
        let (sender, mut mail) = mpsc::channel(16);
        let _first = submit(&pool, &sender, |_| panic!("an agent went wrong"));
        assert_eq!(mail.recv().await, Some(Mail::Failed));
        let _second = submit(&pool, &sender, |_| Mail::Done(2, false));
        assert_eq!(mail.recv().await, Some(Mail::Done(2, false)));
    }
}
