//! How a surface's material was looked for.

use std::sync::Arc;

/// One step of the search for a surface's material.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchStep {
    /// What was looked for, in words.
    pub what: String,
    /// The paths tried, relative to the game root.
    pub tried: Vec<String>,
    /// What was found, if anything.
    pub found: Option<String>,
    /// Why nothing was, where that is not seen from the paths.
    pub note: String,
}

/// The steps of a search, in order.
///
/// They are kept in sections that materials share: a model may have thousands of surfaces of one material, whose search
/// took thousands of paths, and each surface adds but a step of its own.
#[derive(Clone, Debug, Default)]
pub struct SearchLog(Arc<[Arc<[SearchStep]>]>);

impl SearchLog {
    /// All steps, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &SearchStep> {
        self.0.iter().flat_map(|section| section.iter())
    }

    /// The same after `steps`.
    #[must_use]
    pub fn after(&self, steps: impl Into<Arc<[SearchStep]>>) -> Self {
        Self(std::iter::once(steps.into()).chain(self.0.iter().cloned()).collect())
    }

    /// The same followed by `steps`.
    #[must_use]
    pub fn then(&self, steps: impl Into<Arc<[SearchStep]>>) -> Self {
        Self(self.0.iter().cloned().chain([steps.into()]).collect())
    }

    /// Whether both are the same steps in memory, not only equal ones.
    #[must_use]
    pub fn is_shared_with(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&*other.0).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl<T: Into<Arc<[SearchStep]>>> From<T> for SearchLog {
    fn from(steps: T) -> Self {
        Self([steps.into()].into())
    }
}
