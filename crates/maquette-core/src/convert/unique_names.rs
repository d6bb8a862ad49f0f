//! Names that may stand only once in a file.

use std::collections::{HashMap, HashSet};

/// Gives each name once.
#[derive(Default)]
pub struct UniqueNames {
    taken: HashSet<String>,
    /// The number to try next for each name.
    next: HashMap<String, u32>,
}

impl UniqueNames {
    /// The name itself, or, where it is taken, with the first free number from 2 on after `separator`. Names with the same
    /// `key` are taken for one.
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
