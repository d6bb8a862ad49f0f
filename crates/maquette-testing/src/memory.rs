//! Per-thread allocation counters, to prove that memory depends on file size and not on claimed counts.

#![allow(unsafe_code, reason = "the trait of allocators is unsafe; every call goes to the system's allocator")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

thread_local! {
    static NOW: Cell<usize> = const { Cell::new(0) };
    static PEAK: Cell<usize> = const { Cell::new(0) };
    static CALLS: Cell<usize> = const { Cell::new(0) };
}

/// The system allocator with counters per thread.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn grown(bytes: usize) {
    let _ = NOW.try_with(|now| {
        now.set(now.get().saturating_add(bytes));
        let _ = PEAK.try_with(|peak| peak.set(peak.get().max(now.get())));
        let _ = CALLS.try_with(|calls| calls.set(calls.get() + 1));
    });
}

fn shrunk(bytes: usize) {
    let _ = NOW.try_with(|now| now.set(now.get().saturating_sub(bytes)));
}

// SAFETY: every call goes to the system's allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        grown(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        shrunk(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        // Both blocks may exist at the same time.
        grown(size);
        shrunk(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

/// Returns the result of `work`, and the maximum number of bytes that it held at once.
pub fn peak_of<T>(work: impl FnOnce() -> T) -> (T, usize) {
    let before = NOW.get();
    PEAK.set(before);
    let result = work();
    (result, PEAK.get().saturating_sub(before))
}

/// Returns the number of allocations in `work`.
pub fn allocations_of(work: impl FnOnce()) -> usize {
    let before = CALLS.get();
    work();
    CALLS.get() - before
}
