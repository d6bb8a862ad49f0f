//! The names in one folder.

/// Names in one folder, sorted without regard to case, each once. Shared: whoever asks for those of the same folder gets the
/// same list as long as the folder does not change.
#[derive(Debug, Default)]
pub struct FileNames {
    sorted: Vec<Name>,
}

#[derive(Debug)]
struct Name {
    /// In lower case; none where that is how it is written.
    key: Option<Box<str>>,
    written: Box<str>,
}

impl Name {
    fn key(&self) -> &str {
        self.key.as_deref().unwrap_or(&self.written)
    }
}

impl FileNames {
    /// Of names that differ in case alone, the first.
    pub(super) fn new(names: impl IntoIterator<Item = String>) -> Self {
        let of = |name: String| {
            let key = name.to_lowercase();
            Name { key: (key != name).then(|| key.into()), written: name.into() }
        };
        let mut sorted: Vec<Name> = names.into_iter().map(of).collect();
        // Stable: names that differ in case alone stay in their order.
        sorted.sort_by(|a, b| a.key().cmp(b.key()));
        sorted.dedup_by(|next, kept| next.key() == kept.key());
        sorted.shrink_to_fit();
        Self { sorted }
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.sorted.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sorted.is_empty()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        self.sorted.iter().map(|name| name.written.as_ref())
    }

    /// Those that begin with this, in any case.
    pub fn beginning_with(&self, start: &str) -> impl Iterator<Item = &str> {
        let start = start.to_lowercase();
        let first = self.sorted.partition_point(|name| name.key() < start.as_str());
        let from = self.sorted.get(first..).unwrap_or_default().iter();
        from.take_while(move |name| name.key().starts_with(&start)).map(|name| name.written.as_ref())
    }

    /// The spelling of the name that is this in lower case.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        let index = self.sorted.binary_search_by(|name| name.key().cmp(key)).ok()?;
        self.sorted.get(index).map(|name| name.written.as_ref())
    }
}
