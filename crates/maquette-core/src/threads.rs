//! Work that is shared by threads.

#![forbid(unsafe_code)]

use std::sync::OnceLock;
use std::thread;

/// How many threads the machine runs at once.
#[must_use]
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Calls `work` on this thread and on so many others at once. Where the system gives no further thread, those that run do its
/// share.
pub fn with_others(others: usize, work: impl Fn() + Sync) {
    let work = &work;
    thread::scope(|scope| {
        for _ in 0..others {
            if thread::Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}
