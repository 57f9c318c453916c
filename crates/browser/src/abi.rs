//! The border to JavaScript, and the one place with `unsafe`. A module is the front with the feature of
//! that name, else a searcher.
//!
//! Why it is sound: a text goes out as a slice that JavaScript copies before it returns; a text comes
//! in through a buffer that belongs to the module and that is read as bytes of its whole length. The
//! module has one thread.

use std::cell::RefCell;

use collinear_play::instant;
use collinear_protocol::records;
use collinear_room::json;

#[cfg(feature = "front")]
use crate::Front;
#[cfg(not(feature = "front"))]
use crate::Searcher;
use crate::{Heard, Said};

mod lent {
    #[link(wasm_import_module = "env")]
    unsafe extern "C" {
        /// Milliseconds that never go back.
        pub(super) safe fn now() -> f64;
        /// Seconds since 1970.
        #[cfg(feature = "front")]
        pub(super) safe fn seconds() -> f64;
        /// Reads bytes in the encoding of this name: fills the buffer, and tells how many bytes are in it.
        pub(super) fn decode(
            name: *const u8,
            name_length: usize,
            text: *const u8,
            length: usize,
        ) -> usize;
        /// Hears a JSON text.
        pub(super) fn said(text: *const u8, length: usize);
    }
}

thread_local! {
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    #[cfg(feature = "front")]
    static FRONT: RefCell<Option<Front>> = const { RefCell::new(None) };
    #[cfg(not(feature = "front"))]
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
    records::lend_decoder(decode);
    let text = BUFFER.take();
    match json::read_tagged(&String::from_utf8_lossy(&text)) {
        Ok(heard) => listen(heard),
        Err(error) => {
            say(&Said::Log { text: format!("not understood: {error}") });
            -1.0
        }
    }
}

/// Takes the part in the buffer: its name, a line's end, its bytes. 1 where its name is known.
#[cfg(not(feature = "front"))]
#[unsafe(no_mangle)]
extern "C" fn lend() -> u32 {
    let buffer = BUFFER.take();
    let Some(end) = buffer.iter().position(|byte| *byte == b'\n') else { return 0 };
    let name = String::from_utf8_lossy(&buffer[..end]);
    u32::from(crate::parts::lend(&name, &buffer[end + 1..]))
}

/// Whether this browser computes what the module was made for: the golden evaluation. 1 if it does.
#[cfg(not(feature = "front"))]
#[unsafe(no_mangle)]
extern "C" fn fits() -> u32 {
    u32::from(collinear_engine::net::is_exact())
}

#[cfg(feature = "front")]
fn listen(heard: Heard) -> f64 {
    match heard {
        Heard::Open { seed, games, settings } => {
            let clock = || lent::seconds() as i64;
            FRONT.set(Some(Front::new(seed, games, settings.as_deref(), clock)));
            front(Heard::Time {})
        }
        heard => front(heard),
    }
}

#[cfg(not(feature = "front"))]
fn listen(heard: Heard) -> f64 {
    SEARCHER.with_borrow_mut(|searcher| {
        searcher.get_or_insert_default().hear(heard, &mut |said| say(&said));
    });
    -1.0
}

#[cfg(feature = "front")]
fn front(heard: Heard) -> f64 {
    FRONT.with_borrow_mut(|front| {
        let Some(front) = front else { return -1.0 };
        for said in front.hear(heard) {
            say(&said);
        }
        front.next_wake().map_or(-1.0, |time| time.as_secs_f64() * 1000.0)
    })
}

/// As the browser reads it.
fn decode(name: &str, text: &[u8]) -> String {
    // SAFETY: both live until JavaScript has copied them.
    let length = unsafe { lent::decode(name.as_ptr(), name.len(), text.as_ptr(), text.len()) };
    let mut decoded = BUFFER.take();
    decoded.truncate(length);
    String::from_utf8_lossy(&decoded).into_owned()
}

fn say(said: &Said) {
    if let Ok(text) = serde_json::to_string(said) {
        // SAFETY: the text lives until JavaScript has copied it.
        unsafe { lent::said(text.as_ptr(), text.len()) };
    }
}
