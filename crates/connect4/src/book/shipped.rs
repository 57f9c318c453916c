//! The bytes of the book that comes with the program, made by `collinear solve --make-book`; see
//! docs/connect4.md. A browser loads the program over a network: there whoever loads it lends the book
//! when somebody wants it.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
#[expect(clippy::unnecessary_wraps, reason = "in a browser there may be none")]
pub(super) const fn bytes() -> Option<&'static [u8]> {
    Some(include_bytes!("../../book/7x6.book"))
}

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub(super) use lent::bytes;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod lent {
    use std::sync::OnceLock;

    use crate::Book;

    static LENT: OnceLock<Vec<u8>> = OnceLock::new();

    pub(in super::super) fn bytes() -> Option<&'static [u8]> {
        LENT.get().map(Vec::as_slice)
    }

    impl Book {
        /// Lends the book for 7×6, before the first solver of that game is made. The first one stays.
        pub fn lend(bytes: Vec<u8>) {
            let _ = LENT.set(bytes);
        }
    }
}
