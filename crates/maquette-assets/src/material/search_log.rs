//! Log of the search for a surface's material.

use std::sync::Arc;

/// Step of the search for a surface's material.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct SearchStep {
    /// Description of the step.
    pub what: String,
    /// Tried paths, relative to the game root.
    pub tried: Vec<String>,
    /// Description of the result, if any.
    pub found: Option<String>,
    /// Explanation, for example why the step failed; may be empty.
    pub note: String,
}

/// The steps of a search, in order. Sections are shared, because thousands of surfaces may share a long search.
#[derive(Clone, Debug, Default)]
pub struct SearchLog(Arc<[Arc<[SearchStep]>]>);

impl SearchLog {
    /// Iterates over the steps in order.
    pub fn iter(&self) -> impl Iterator<Item = &SearchStep> {
        self.0.iter().flat_map(|section| section.iter())
    }

    /// Returns a copy with `steps` before its own.
    #[must_use]
    pub fn after(&self, steps: impl Into<Arc<[SearchStep]>>) -> Self {
        Self(std::iter::once(steps.into()).chain(self.0.iter().cloned()).collect())
    }

    /// Returns a copy with `steps` after its own.
    #[must_use]
    pub fn then(&self, steps: impl Into<Arc<[SearchStep]>>) -> Self {
        Self(self.0.iter().cloned().chain([steps.into()]).collect())
    }

    /// Returns whether both share their steps in memory.
    pub fn is_shared_with(&self, other: &Self) -> bool {
        self.0.len() == other.0.len() && self.0.iter().zip(&*other.0).all(|(a, b)| Arc::ptr_eq(a, b))
    }
}

impl<T: Into<Arc<[SearchStep]>>> From<T> for SearchLog {
    fn from(steps: T) -> Self {
        Self([steps.into()].into())
    }
}
