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

    /// Like [`Self::claim`], but cuts names to `max` bytes; `length` returns the length of the part that fits.
    pub fn claim_cut(
        &mut self,
        mut name: String,
        max: usize,
        key: impl Fn(&str) -> String,
        separator: &str,
        length: impl Fn(&str, usize) -> usize,
    ) -> String {
        name.truncate(length(&name, max));
        if self.taken.insert(key(&name)) {
            return name;
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
