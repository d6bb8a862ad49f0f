//! Work on many things at once, told in their order.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::Range;
use std::sync::mpsc::{Sender, channel};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use maquette::threads::processors;

/// Items per thread that are begun at most before the first of them is told: what came of them waits in memory.
const AHEAD: usize = 16;
/// Items that a thread takes at once at most. To hand over one by one what takes less than [`SOON`] would cost more than the
/// work, and have threads wait for each other.
const MOST_AT_ONCE: usize = 8;
const SOON: Duration = Duration::from_millis(1);

/// Which item is whose turn.
#[derive(Default)]
struct Turns {
    now: Mutex<Turn>,
    changed: Condvar,
}

#[derive(Default)]
struct Turn {
    /// The item that is begun next.
    next: usize,
    /// The item that is told next.
    told: usize,
    is_stopped: bool,
}

impl Turns {
    fn lock(&self) -> MutexGuard<'_, Turn> {
        self.now.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The next items `of` so many to begin, `count` of them if these are not too far ahead; none when nothing more is to be
    /// begun.
    fn take(&self, count: usize, of: usize, threads: usize) -> Option<Range<usize>> {
        let ahead = threads * AHEAD;
        let is_early = |turn: &mut Turn| !turn.is_stopped && turn.next < of && turn.next >= turn.told + ahead;
        let mut turn = self.changed.wait_while(self.lock(), is_early).unwrap_or_else(PoisonError::into_inner);
        // The last ones are shared out.
        let count = count.min(of.saturating_sub(turn.next) / threads).max(1);
        let items = turn.next..(turn.next + count).min(turn.told + ahead).min(of);
        turn.next = items.end.max(items.start);
        (!turn.is_stopped && !items.is_empty()).then_some(items)
    }

    /// All items before this one are told.
    fn tell(&self, told: usize) {
        self.lock().told = told;
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.lock().is_stopped = true;
        self.changed.notify_all();
    }
}

/// Has nobody wait for a thread that panics.
struct StopOnPanic<'a>(&'a Turns);

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.stop();
        }
    }
}

/// Does `work` on every item, on so many threads, each with a state of its own; `done` is given what came of each in the
/// order of the items. Nothing new is begun once `done` gives false. Where the system gives fewer threads, these do all.
pub fn each<Item: Sync, State, Made: Send>(
    items: &[Item],
    threads: usize,
    state: impl Fn() -> State + Sync,
    work: impl Fn(&mut State, &Item) -> Made + Sync,
    mut done: impl FnMut(&Item, Made) -> bool,
) {
    let threads = threads.clamp(1, items.len().max(1));
    let turns = Turns::default();
    let (send, receive) = channel();
    let work_through = |send: Sender<(usize, Vec<Made>)>| {
        let _stop = StopOnPanic(&turns);
        let (mut state, mut count) = (state(), 1);
        while let Some(range) = turns.take(count, items.len(), threads) {
            let begun = Instant::now();
            let first = range.start;
            let items = items.get(range).unwrap_or_default();
            let wanted = items.iter().take_while(|_| !turns.lock().is_stopped);
            let made: Vec<Made> = wanted.map(|item| work(&mut state, item)).collect();
            if send.send((first, made)).is_err() {
                return;
            }
            count = if begun.elapsed() < SOON { (count * 2).min(MOST_AT_ONCE) } else { (count / 2).max(1) };
        }
    };
    let begun = thread::scope(|scope| {
        let begin = || {
            let (send, work_through) = (send.clone(), &work_through);
            thread::Builder::new().spawn_scoped(scope, move || work_through(send)).is_ok()
        };
        let begun = if threads == 1 { 0 } else { (0..threads).take_while(|_| begin()).count() };
        drop(send);
        if begun == 0 {
            return false;
        }
        let _stop = StopOnPanic(&turns);
        // What is finished before its turn waits for it.
        let (mut waiting, mut turn) = (BTreeMap::new(), 0);
        for (first, made) in receive {
            waiting.extend(made.into_iter().enumerate().map(|(index, made)| (first + index, made)));
            while let Some(made) = waiting.remove(&turn) {
                let goes_on = items.get(turn).is_none_or(|item| done(item, made));
                turn += 1;
                if !goes_on {
                    turns.stop();
                    return true;
                }
                if turn.is_multiple_of(MOST_AT_ONCE) {
                    turns.tell(turn);
                }
            }
            turns.tell(turn);
        }
        true
    });
    if !begun {
        let mut state = state();
        for item in items {
            if !done(item, work(&mut state, item)) {
                return;
            }
        }
    }
}

/// Threads for so many jobs, as many as the machine has processors for us where that is not said: more would only take memory.
pub fn threads_for(jobs: Option<NonZeroUsize>) -> usize {
    jobs.map_or(usize::MAX, usize::from).min(processors())
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
        for threads in [1, 4] {
            let mut seen = Vec::new();
            each(
                &items,
                threads,
                || (),
                slow,
                |item, made| {
                    seen.push((*item, made));
                    true
                },
            );
            assert_eq!(seen, items.iter().map(|item| (*item, item * 2)).collect::<Vec<_>>());
        }
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

    #[test]
    fn no_more_is_begun_than_may_wait_for_the_first() {
        let begun = Mutex::new(0);
        let items: Vec<usize> = (0..1000).collect();
        let work = |_: &mut (), item: &usize| {
            *begun.lock().unwrap_or_else(PoisonError::into_inner) += 1;
            if *item == 0 {
                thread::sleep(std::time::Duration::from_millis(200));
            }
            *begun.lock().unwrap_or_else(PoisonError::into_inner)
        };
        let mut first = None;
        each(
            &items,
            2,
            || (),
            work,
            |_, begun| {
                first.get_or_insert(begun);
                true
            },
        );
        assert!(first.is_some_and(|begun| begun <= 2 * AHEAD), "{first:?}");
    }
}
