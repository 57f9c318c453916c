//! The clock that every budget and every limit reads. It is the system's wherever there is one;
//! `wasm32-unknown-unknown` has none, so there whoever loads the module lends one with `lend` before
//! the first turn.

#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
pub use std::time::Instant;

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use lent::{Instant, lend};

#[cfg(all(target_family = "wasm", target_os = "unknown"))]
mod lent {
    use std::ops::{Add, Sub};
    use std::sync::OnceLock;
    use std::time::Duration;

    static CLOCK: OnceLock<fn() -> f64> = OnceLock::new();

    /// Lends a clock: milliseconds that never go back. The first one that is lent stays.
    pub fn lend(clock: fn() -> f64) {
        let _ = CLOCK.set(clock);
    }

    /// A moment, with the part of `std::time::Instant` that the libraries use.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    pub struct Instant(Duration);

    impl Instant {
        /// Now; without a clock always the same moment.
        pub fn now() -> Self {
            let ms = CLOCK.get().map_or(0.0, |clock| clock()).max(0.0);
            Self(Duration::from_nanos((ms * 1e6) as u64))
        }

        /// Time since then.
        pub fn elapsed(&self) -> Duration {
            Self::now().duration_since(*self)
        }

        /// Time since an earlier moment, zero if it is a later one.
        pub fn duration_since(&self, earlier: Self) -> Duration {
            self.0.saturating_sub(earlier.0)
        }

        /// The same.
        pub fn saturating_duration_since(&self, earlier: Self) -> Duration {
            self.duration_since(earlier)
        }

        /// A later moment; none beyond the end of time.
        pub fn checked_add(&self, time: Duration) -> Option<Self> {
            self.0.checked_add(time).map(Self)
        }
    }

    impl Add<Duration> for Instant {
        type Output = Self;

        fn add(self, time: Duration) -> Self {
            Self(self.0 + time)
        }
    }

    impl Sub for Instant {
        type Output = Duration;

        fn sub(self, earlier: Self) -> Duration {
            self.duration_since(earlier)
        }
    }
}
