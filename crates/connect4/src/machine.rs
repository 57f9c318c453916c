//! The processor: the only unsafe code of the crate.
//!
//! The program is built for every x86-64. Counting bits and multiplying without flags are much
//! faster with instructions of 2013 (`popcnt`, `bmi`, `avx2`), so the search is compiled twice, and
//! [`Modern::detect`] hands out the faster one only where the processor has them.

#![allow(unsafe_code, reason = "calls of functions compiled for newer processors")]

use crate::board::Board;
use crate::search::{Search, Stopped};
use crate::shape::BoardShape;

/// A way to run the search: the same code, compiled for other processors.
pub(crate) trait Machine: Copy + Send + Sync + 'static {
    /// See [`Search::node`].
    fn search<S: BoardShape>(
        self,
        search: &mut Search<'_, S, Self>,
        board: &Board<S::Word>,
        alpha: i32,
    ) -> Result<i32, Stopped>;
}

/// Any processor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Portable;

impl Machine for Portable {
    #[inline]
    fn search<S: BoardShape>(
        self,
        search: &mut Search<'_, S, Self>,
        board: &Board<S::Word>,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        search.node(board, alpha)
    }
}

/// A processor with the instructions of 2013; a value of this type is the proof that it has them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Modern(());

impl Modern {
    /// Looks at the processor.
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("avx2")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("popcnt")
        {
            return Some(Self(()));
        }
        None
    }
}

impl Machine for Modern {
    #[inline]
    fn search<S: BoardShape>(
        self,
        search: &mut Search<'_, S, Self>,
        board: &Board<S::Word>,
        alpha: i32,
    ) -> Result<i32, Stopped> {
        // SAFETY: only `detect` makes a `Modern`, and it has found every feature that
        // `search_modern` is compiled with.
        #[cfg(target_arch = "x86_64")]
        unsafe {
            search_modern(search, board, alpha)
        }
        #[cfg(not(target_arch = "x86_64"))]
        search.node(board, alpha)
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
fn search_modern<S: BoardShape>(
    search: &mut Search<'_, S, Modern>,
    board: &Board<S::Word>,
    alpha: i32,
) -> Result<i32, Stopped> {
    search.node(board, alpha)
}

/// Asks the memory for what will be read soon.
#[inline(always)]
pub(crate) fn prefetch<T>(place: &T) {
    // SAFETY: a prefetch reads nothing the program can see, and the address is that of a reference.
    #[cfg(target_arch = "x86_64")]
    unsafe {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(std::ptr::from_ref(place).cast());
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = place;
}

/// Asks the system to back a large, still untouched allocation by huge pages: every probe of a
/// table spares a walk through the page tables. Without them everything works the same.
pub(crate) fn prefer_huge_pages<T>(room: &mut Vec<T>) {
    #[cfg(target_os = "linux")]
    {
        const ADVISE_HUGE_PAGES: i32 = 14;
        const PAGE: usize = 4096;
        unsafe extern "C" {
            fn madvise(address: *mut std::ffi::c_void, length: usize, advice: i32) -> i32;
        }
        let first = (room.as_mut_ptr() as usize).next_multiple_of(PAGE);
        let end = room.as_mut_ptr() as usize + room.capacity() * size_of::<T>();
        if end > first {
            // SAFETY: the range lies inside the vector's own allocation, and this advice changes
            // nothing but the size of the pages behind it. A refusal may be ignored.
            unsafe { madvise(first as *mut _, (end - first) / PAGE * PAGE, ADVISE_HUGE_PAGES) };
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = room;
}
