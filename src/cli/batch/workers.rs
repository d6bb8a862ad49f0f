//! Ordered parallel map with bounded memory.

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Condvar, Mutex};

use maquette_core::threads::with_others;

/// Maximum number of items per thread that have been started but not reported. Their results take memory.
const MAX_ITEMS_AHEAD: usize = 16;

struct Queue<Made, Report> {
    begun: usize,
    reported: usize,
    /// Results that wait for earlier items, by index of the item.
    waiting: BTreeMap<usize, Made>,
    report: Report,
    is_stopped: bool,
}

/// Calls `work` on every item, on at most `threads` threads, and `report` with each result in item order.
///
/// No further item is started after `report` returns false. If a thread cannot be started, the other threads do its
/// work.
pub fn map_in_order<Item: Sync, Made: Send>(
    items: &[Item],
    threads: usize,
    work: impl Fn(&Item) -> Made + Sync,
    report: impl FnMut(&Item, Made) -> bool + Send,
) {
    let threads = threads.clamp(1, items.len().max(1));
    let queue = Mutex::new(Queue { begun: 0, reported: 0, waiting: BTreeMap::new(), report, is_stopped: false });
    let changed = Condvar::new();
    with_others(threads - 1, || {
        // A panic poisons the queue, which ends all threads.
        while let Ok(queue_now) = queue.lock() {
            let Ok(mut queue_now) = changed.wait_while(queue_now, |queue| {
                let is_full = queue.begun >= queue.reported + threads * MAX_ITEMS_AHEAD;
                is_full && !queue.is_stopped && queue.begun < items.len()
            }) else {
                return;
            };
            let index = queue_now.begun;
            let Some(item) = items.get(index).filter(|_| !queue_now.is_stopped) else { return };
            queue_now.begun += 1;
            drop(queue_now);
            let made = catch_unwind(AssertUnwindSafe(|| work(item)));
            let Ok(mut queue_now) = queue.lock() else { return };
            // Waiting threads check the queue again when this thread releases or poisons it.
            changed.notify_all();
            queue_now.waiting.insert(index, made.unwrap_or_else(|panic| resume_unwind(panic)));
            let Queue { reported, waiting, report, is_stopped, .. } = &mut *queue_now;
            while !*is_stopped && let (Some(item), Some(made)) = (items.get(*reported), waiting.remove(reported)) {
                *is_stopped = !report(item, made);
                *reported += 1;
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;

    #[test]
    fn results_are_reported_in_order_until_a_stop() {
        let items: Vec<usize> = (0..200).collect();
        for (threads, count) in [(1, 200), (4, 200), (4, 10)] {
            let mut reported = Vec::new();
            let slow = |item: &usize| {
                // Later items finish first.
                thread::sleep(Duration::from_micros(if item.is_multiple_of(7) { 300 } else { 10 }));
                item * 2
            };
            map_in_order(&items, threads, slow, |item, made| {
                reported.push((*item, made));
                *item + 1 < count
            });
            assert_eq!(reported, (0..count).map(|item| (item, item * 2)).collect::<Vec<_>>());
        }
    }

    #[test]
    fn slow_first_item_limits_how_many_are_begun() {
        let begun = AtomicUsize::new(0);
        let items: Vec<usize> = (0..1000).collect();
        let work = |item: &usize| {
            begun.fetch_add(1, Ordering::SeqCst);
            if *item == 0 {
                // Wait until the other thread has started the permitted items, then 50 ms more for a forbidden one.
                let start = Instant::now();
                let is_ahead = || begun.load(Ordering::SeqCst) >= 2 * MAX_ITEMS_AHEAD;
                while !is_ahead() && start.elapsed() < Duration::from_secs(600) {
                    thread::yield_now();
                }
                thread::sleep(Duration::from_millis(50));
            }
            begun.load(Ordering::SeqCst)
        };
        let mut first = None;
        map_in_order(&items, 2, work, |_, begun| {
            first.get_or_insert(begun);
            true
        });
        assert_eq!(first, Some(2 * MAX_ITEMS_AHEAD));
    }

    #[test]
    fn panic_in_work_or_report_ends_all_threads() {
        let items: Vec<usize> = (0..1000).collect();
        for in_work in [true, false] {
            let run = || {
                let work = |item: &usize| assert!(!in_work || *item != 3);
                map_in_order(&items, 4, work, |item, ()| {
                    assert_ne!(*item, 3);
                    true
                });
            };
            assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
        }
    }
}
