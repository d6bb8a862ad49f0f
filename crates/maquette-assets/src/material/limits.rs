//! What the materials of a model may take: memory, and the time until they are not wanted any more.

use std::fmt;
use std::sync::Arc;

/// What the materials of one model may take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of its decoded pictures together, with their mip levels; a picture alone may take a quarter. What a graphics
    /// driver keeps of them comes on top.
    pub memory: u64,
    /// Whether it is to be stopped.
    pub stop: CancelToken,
}

impl Limits {
    /// The memory of models whose limits nobody changed: 1 GB, 8192 × 8192 for a picture.
    pub const MEMORY: u64 = 1 << 30;

    /// Bytes of a picture's texels, four each.
    #[must_use]
    pub fn image_bytes(&self) -> u64 {
        self.memory / 4
    }

    /// Bytes of all pictures' texels: their mip levels take a third more.
    pub(super) fn decoded(&self) -> usize {
        usize::try_from(self.memory / 4 * 3).unwrap_or(usize::MAX)
    }

    /// Bytes that are read of a picture's file: as many as its texels take, and its header.
    #[must_use]
    pub fn image_file_bytes(&self) -> u64 {
        self.image_bytes().saturating_add(1 << 16)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: Self::MEMORY, stop: CancelToken::default() }
    }
}

/// Tells whether work is to be stopped, because what comes of it is not wanted any more. By default it never is.
#[derive(Clone, Default)]
pub struct CancelToken(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl CancelToken {
    /// One that asks.
    pub fn when(is_set: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_set)))
    }

    /// Whether the work is to be stopped.
    #[must_use]
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|is_set| is_set())
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_set()).finish()
    }
}
