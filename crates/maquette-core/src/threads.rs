//! Work on several threads.

use std::sync::OnceLock;
use std::thread;

/// Returns the number of threads that run in parallel on this machine.
pub fn processors() -> usize {
    static PROCESSORS: OnceLock<usize> = OnceLock::new();
    *PROCESSORS.get_or_init(|| thread::available_parallelism().map_or(1, usize::from))
}

/// Runs `work` on this thread and on `others` more. Falls back to fewer threads when spawning fails.
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
