//! Work on many things at once, told in their order.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::channel;
use std::thread;

/// Does `work` on every item, on so many threads, each with a state of its own; `done` is given what came of each in the
/// order of the items. Nothing new is begun once `done` gives false.
pub fn each<Item: Sync, State, Made: Send>(
    items: &[Item],
    threads: usize,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &Item) -> Made + Sync,
    mut done: impl FnMut(&Item, Made) -> bool,
) {
    let (next, is_stopped) = (AtomicUsize::new(0), AtomicBool::new(false));
    let (send, receive) = channel();
    thread::scope(|scope| {
        for _ in 0..threads.clamp(1, items.len().max(1)) {
            let send = send.clone();
            scope.spawn(|| {
                let (send, mut state) = (send, state());
                while !is_stopped.load(Ordering::Relaxed) {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(item) = items.get(index) else { return };
                    if send.send((index, work(&mut state, item))).is_err() {
                        return;
                    }
                }
            });
        }
        drop(send);
        // What is finished before its turn waits for it.
        let (mut waiting, mut turn) = (BTreeMap::new(), 0);
        for (index, made) in receive {
            waiting.insert(index, made);
            while let Some(made) = waiting.remove(&turn) {
                let goes_on = items.get(turn).is_none_or(|item| done(item, made));
                turn += 1;
                if !goes_on {
                    is_stopped.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

/// As many as the machine has processors for us.
pub fn usual_threads() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_come_in_order_and_stop_when_told_to() {
        let items: Vec<usize> = (0..200).collect();
        let slow = |_: &mut (), item: &usize| {
            // Later ones are ready first.
            thread::sleep(std::time::Duration::from_micros(if item.is_multiple_of(7) { 300 } else { 10 }));
            item * 2
        };
        let mut seen = Vec::new();
        each(
            &items,
            4,
            || (),
            slow,
            |item, made| {
                seen.push((*item, made));
                true
            },
        );
        assert_eq!(seen, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
        let mut seen = 0;
        each(
            &items,
            4,
            || (),
            slow,
            |item, _| {
                seen += 1;
                *item < 9
            },
        );
        assert_eq!(seen, 10);
    }
}
