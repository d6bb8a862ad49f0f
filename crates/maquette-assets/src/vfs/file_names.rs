//! Sorted names in a folder.

/// Names in one folder, sorted without regard to case, without duplicates.
#[derive(Debug, Default)]
pub struct FileNames {
    sorted: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    /// The name in lower case; `None` if `written` already is.
    key: Option<Box<str>>,
    written: Box<str>,
}

impl Name {
    fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(&self.written)
    }
}

impl FileNames {
    /// Sorts the names. If names differ only in case, the first is kept.
    pub(super) fn new(names: impl IntoIterator<Item = String>) -> Self {
        let of = |name: String| {
            let key = name.to_lowercase();
            Name { key: (key != name).then(|| key.into()), written: name.into() }
        };
        let mut sorted: Vec<Name> = names.into_iter().map(of).collect();
        sorted.sort_by(|a, b| a.key().cmp(b.key()));
        sorted.dedup_by(|next, last| next.key() == last.key());
        sorted.shrink_to_fit();
        Self { sorted }
    }

    /// Returns the number of names.
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Returns whether there are no names.
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// Iterates over the names in order.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.sorted.iter().map(|name| name.written.as_ref())
    }

    /// Returns the names that begin with `start`, ignoring case.
    pub fn beginning_with(&self, start: &str) -> impl Iterator<Item = &str> {
        let start = start.to_lowercase();
        let first = self.sorted.partition_point(|name| name.key() < start.as_str());
        let from = self.sorted.get(first..).unwrap_or_default().iter();
        from.take_while(move |name| name.key().starts_with(&start)).map(|name| name.written.as_ref())
    }

    /// Returns the spelling of the name whose lower case is `key`.
    pub fn get(&self, key: &str) -> Option<&str> {
        let index = self.sorted.binary_search_by(|name| name.key().cmp(key)).ok()?;
        self.sorted.get(index).map(|name| name.written.as_ref())
    }
}
