//! Unique names in a file.

use std::collections::{HashMap, HashSet};

/// Set of used names.
#[derive(Default)]
pub struct UniqueNames {
    taken: HashSet<String>,
    next: HashMap<String, u32>,
}

impl UniqueNames {
    /// Returns `name`, or, if its `key` is used, `name` with `separator` and the first free number from 2.
    pub fn claim(&mut self, name: String, key: impl Fn(&str) -> String, separator: &str) -> String {
        self.claim_cut(name, usize::MAX, key, separator, str::floor_char_boundary)
    }

    /// Like [`Self::claim`], but cuts names to `max` bytes; `length` returns the length of the part that fits. A name that
    /// is equal to another one where it is cut loses its middle instead of its end.
    pub fn claim_cut(
        &mut self,
        mut name: String,
        max: usize,
        key: impl Fn(&str) -> String,
        separator: &str,
        length: impl Fn(&str, usize) -> usize,
    ) -> String {
        let whole = name.clone();
        name.truncate(length(&name, max));
        if self.taken.insert(key(&name)) {
            return name;
        }
        let without_middle = without_middle(&whole, max, &length);
        if self.taken.insert(key(&without_middle)) {
            return without_middle;
        }
        // Names that differ only where they are cut share the numbers.
        let shared = length(&name, max.saturating_sub(separator.len() + 1));
        let next = self.next.entry(key(name.get(..shared).unwrap_or_default())).or_insert(2);
        loop {
            let number = format!("{separator}{next}");
            let kept = length(&name, max.saturating_sub(number.len()));
            let numbered = format!("{}{number}", name.get(..kept).unwrap_or_default());
            *next += 1;
            if self.taken.insert(key(&numbered)) {
                return numbered;
            }
        }
    }
}

/// Cuts the middle out of a name, so that it has at most `max` bytes. The end begins with a word, if possible. `length`
/// returns the length of the part that fits.
pub(super) fn without_middle(name: &str, max: usize, length: impl Fn(&str, usize) -> usize) -> String {
    if length(name, max) == name.len() {
        return name.to_owned();
    }
    let is_mark = |c: char| !c.is_alphanumeric();
    let room = max / 2;
    let ends = name.char_indices().rev().take(room).filter_map(|(at, _)| name.get(at..));
    let ends: Vec<&str> = ends.take_while(|end| length(end, room) == end.len()).collect();
    let word = ends.iter().rev().find(|end| end.starts_with(is_mark));
    let end = word.or(ends.last()).copied().unwrap_or_default();
    let start = name.get(..length(name, max.saturating_sub(end.len()))).unwrap_or_default();
    format!("{}{end}", if word.is_some() { start.trim_end_matches(is_mark) } else { start })
}
