//! Cache of `.skin` files, shared by all models.

use std::sync::Arc;

use super::SkinFile;
use crate::vfs::{ReadLimit, Vfs};
use maquette_core::error::Warnings;

pub(super) fn cached_skin(vfs: &Vfs, path: &str) -> Option<(Arc<SkinFile>, Warnings)> {
    let read = vfs.memo(path, |vfs| {
        let bytes = vfs.read(path, ReadLimit::TEXT).ok()?;
        let mut warnings = Warnings::default();
        let file = Arc::new(SkinFile::parse_with(&bytes, &mut warnings));
        Some((file, warnings))
    });
    read.as_ref().clone()
}
