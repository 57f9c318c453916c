//! The border to JavaScript: two functions out, two in, and the one place with `unsafe`.
//!
//! Why it is sound: a text goes out as a slice that JavaScript copies before it returns; a text comes
//! in through a buffer that belongs to the module and that is read as bytes of its whole length. The
//! module has one thread.

use std::cell::RefCell;

use collinear_play::instant;

use crate::{Front, Heard, Said, Searcher};

mod lent {
    unsafe extern "C" {
        /// Milliseconds that never go back.
        pub(super) safe fn now() -> f64;
        /// Seconds since 1970.
        pub(super) safe fn seconds() -> f64;
        /// Hears a JSON text.
        pub(super) fn said(text: *const u8, length: usize);
    }
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static FRONT: RefCell<Option<Front>> = const { RefCell::new(None) };
    static SEARCHER: RefCell<Option<Searcher>> = const { RefCell::new(None) };
}

/// Room for a text of this many bytes, to be written before [`hear`].
#[unsafe(no_mangle)]
extern "C" fn buffer(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|buffer| {
        buffer.clear();
        buffer.resize(length, 0);
        buffer.as_mut_ptr()
    })
}

/// Hears the text in the buffer. Milliseconds until it wants to hear the time; never if negative.
#[unsafe(no_mangle)]
extern "C" fn hear() -> f64 {
    instant::lend(|| lent::now());
    let text = BUFFER.take();
    match serde_json::from_slice(&text) {
        Ok(Heard::Open { seed, games, settings }) => {
            let clock = || lent::seconds() as i64;
            FRONT.set(Some(Front::new(seed, games, settings.as_deref(), clock)));
            front(Heard::Time)
        }
        Ok(Heard::Work { ticket, work }) => {
            SEARCHER.with_borrow_mut(|searcher| {
                searcher.get_or_insert_default().work(ticket, &work, &mut |said| say(&said));
            });
            -1.0
        }
        Ok(heard) => front(heard),
        Err(error) => {
            say(&Said::Log { text: format!("not understood: {error}") });
            -1.0
        }
    }
}

fn front(heard: Heard) -> f64 {
    FRONT.with_borrow_mut(|front| {
        let Some(front) = front else { return -1.0 };
        for said in front.hear(heard) {
            say(&said);
        }
        front.next_wake().map_or(-1.0, |time| time.as_secs_f64() * 1000.0)
    })
}

fn say(said: &Said) {
    if let Ok(text) = serde_json::to_string(said) {
        // SAFETY: the text lives until JavaScript has copied it.
        unsafe { lent::said(text.as_ptr(), text.len()) };
    }
}
