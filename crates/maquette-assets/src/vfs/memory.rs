//! Memory mount, for built-in samples and tests.

use std::borrow::Cow;

#[derive(Debug)]
pub(super) struct MemoryMount {
    files: Vec<(String, Cow<'static, [u8]>)>,
}

impl MemoryMount {
    pub(super) fn new(files: Vec<(String, Cow<'static, [u8]>)>) -> Self {
        Self { files }
    }

    fn entry(&self, path: &str) -> Option<&(String, Cow<'static, [u8]>)> {
        self.files.iter().find(|(name, _)| name.eq_ignore_ascii_case(path))
    }

    pub(super) fn find(&self, path: &str) -> Option<String> {
        self.entry(path).map(|(name, _)| name.clone())
    }

    pub(super) fn has_beginning_with(&self, key: &str) -> bool {
        let begins = |name: &str| name.get(..key.len()).is_some_and(|start| start.eq_ignore_ascii_case(key));
        self.files.iter().any(|(name, _)| begins(name))
    }

    pub(super) fn bytes_of(&self, path: &str) -> Option<&[u8]> {
        self.entry(path).map(|(_, bytes)| bytes.as_ref())
    }

    fn below<'s>(&'s self, folder: &'s str) -> impl Iterator<Item = &'s str> {
        self.files.iter().filter_map(move |(name, _)| {
            if folder.is_empty() {
                return Some(name.as_str());
            }
            let (start, rest) = name.split_at_checked(folder.len())?;
            start.eq_ignore_ascii_case(folder).then(|| rest.strip_prefix('/')).flatten()
        })
    }

    pub(super) fn files_in(&self, folder: &str) -> Vec<String> {
        self.below(folder).filter(|rest| !rest.contains('/')).map(str::to_owned).collect()
    }

    pub(super) fn folders_in(&self, folder: &str) -> Vec<String> {
        self.below(folder).filter_map(|rest| rest.split_once('/')).map(|(first, _)| first.to_owned()).collect()
    }
}
