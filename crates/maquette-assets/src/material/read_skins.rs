//! `.skin` files that many models share: read once, and kept while they are the same.

use std::sync::Arc;

use super::SkinFile;
use crate::error::Warnings;
use crate::text::LONGEST_TEXT;
use crate::vfs::{KeptFiles, Vfs};

/// `.skin` files read beside one model, and as many are kept.
pub(super) const MOST_SKIN_FILES: usize = 64;

/// The `.skin` files that were read last.
#[derive(Debug, Default)]
pub(super) struct SkinFiles(KeptFiles<Option<ReadSkin>, MOST_SKIN_FILES>);

/// A `.skin` file and what is odd about it.
#[derive(Clone, Debug)]
pub(super) struct ReadSkin {
    pub file: Arc<SkinFile>,
    pub warnings: Warnings,
}

impl SkinFiles {
    /// The one at a path; none if it cannot be read.
    pub(super) fn read(&self, vfs: &Vfs, path: &str) -> Option<ReadSkin> {
        let read = self.0.of(vfs, path, || {
            let bytes = vfs.read_up_to(path, LONGEST_TEXT).ok()?;
            let mut warnings = Warnings::default();
            let file = Arc::new(SkinFile::parse_with(&bytes, &mut warnings));
            Some(ReadSkin { file, warnings })
        });
        read.as_ref().clone()
    }
}
