//! Waits for other threads and processes.

use std::thread;
use std::time::{Duration, Instant};

/// Maximum time that a test waits. A healthy program needs less than a second; on a busy machine, it may need minutes.
pub const MAX_WAIT: Duration = Duration::from_secs(600);

/// Waits until `is_done` returns true. Panics with `what` after [`MAX_WAIT`].
pub fn wait_until(what: &str, mut is_done: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_done() {
        assert!(start.elapsed() < MAX_WAIT, "did not happen: {what}");
        thread::sleep(Duration::from_millis(5));
    }
}
