//! Counts the panics of the whole process: a task of a server may die without anybody hearing it.

use std::panic;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// A panic hook belongs to the process, so its count does as well.
static COUNT: AtomicU64 = AtomicU64::new(0);
static LAST: Mutex<String> = Mutex::new(String::new());

/// Begins to count instead of printing.
pub fn watch() {
    panic::set_hook(Box::new(|info| {
        let mut last = LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *last = info.to_string().replace('\n', " ");
        COUNT.fetch_add(1, Ordering::SeqCst);
    }));
}

/// Panics so far.
pub fn count() -> u64 {
    COUNT.load(Ordering::SeqCst)
}

/// What the last one said.
pub fn last() -> String {
    LAST.lock().unwrap_or_else(std::sync::PoisonError::into_inner).clone()
}
