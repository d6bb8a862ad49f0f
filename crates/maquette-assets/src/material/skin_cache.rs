//! Cache of `.skin` files, shared by all models.

use std::sync::Arc;

use super::SkinFile;
use crate::vfs::{ReadLimit, Vfs};
use maquette_core::error::Warnings;

#[derive(Clone, Debug)]
pub(super) struct CachedSkin {
    pub file: Arc<SkinFile>,
    pub warnings: Warnings,
}

impl CachedSkin {
    pub(super) fn at(vfs: &Vfs, path: &str) -> Option<Self> {
        let read = vfs.memo(path, |vfs| {
            let bytes = vfs.read(path, ReadLimit::TEXT).ok()?;
            let mut warnings = Warnings::default();
            let file = Arc::new(SkinFile::parse_with(&bytes, &mut warnings));
            Some(Self { file, warnings })
        });
        read.as_ref().clone()
    }
}
