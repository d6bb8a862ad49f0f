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
        if self.taken.insert(key(&name)) {
            return name;
        }
        let next = self.next.entry(key(&name)).or_insert(2);
        loop {
            let numbered = format!("{name}{separator}{next}");
            *next += 1;
            if self.taken.insert(key(&numbered)) {
                return numbered;
            }
        }
    }
}
