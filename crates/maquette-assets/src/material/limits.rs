//! Limits on the materials of a model: memory and cancellation.

use std::fmt;
use std::sync::Arc;

/// Limits on the materials of one model.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Bytes of all decoded images with mip levels, without the driver's copies. One image may take a quarter.
    pub memory: u64,
    /// Cancels the search.
    pub stop: CancelToken,
}

impl Limits {
    /// Default of [`Self::memory`]: 1 GB, enough for an image of 8192 × 8192 texels.
    pub const MEMORY: u64 = 1 << 30;

    /// Returns the maximum bytes of an image's texels, four per texel.
    pub fn image_bytes(&self) -> u64 {
        self.memory / 4
    }

    pub(super) fn decoded(&self) -> usize {
        usize::try_from(self.memory / 4 * 3).unwrap_or(usize::MAX)
    }

    /// Returns the maximum bytes read of an image file: as many as its texels may take, and 64 KiB for headers.
    pub fn image_file_bytes(&self) -> u64 {
        self.image_bytes().saturating_add(1 << 16)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Self { memory: Self::MEMORY, stop: CancelToken::default() }
    }
}

/// Token that reports whether work should stop because its result is no longer needed. By default, work never stops.
#[derive(Clone, Default)]
pub struct CancelToken(Option<Arc<dyn Fn() -> bool + Send + Sync>>);

impl CancelToken {
    /// Creates a token that calls `is_set`.
    pub fn when(is_set: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Some(Arc::new(is_set)))
    }

    /// Returns whether the work should stop.
    pub fn is_set(&self) -> bool {
        self.0.as_ref().is_some_and(|is_set| is_set())
    }
}

impl fmt::Debug for CancelToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Stop").field(&self.is_set()).finish()
    }
}
