//! Several surfaces selected together: one of them is what the panels tell of, the others are beside it.

use super::{Document, Selection, Session};

impl Document {
    /// Whether a surface of the entity in focus is selected, alone or with others.
    #[must_use]
    pub fn selects_surface(&self, index: usize) -> bool {
        match self.selection {
            Selection::Surface(first) => first == index || self.other_surfaces.contains(&index),
            _ => false,
        }
    }

    /// The surfaces selected of the entity in focus; the one that the panels tell of comes first.
    #[must_use]
    pub fn selected_surfaces(&self) -> Vec<usize> {
        match self.selection {
            Selection::Surface(first) => {
                let others = self.other_surfaces.iter().copied().filter(|other| *other != first);
                std::iter::once(first).chain(others).collect()
            }
            _ => Vec::new(),
        }
    }
}

impl Session {
    /// Selects these surfaces of the entity in focus; the panels tell of the first.
    pub(super) fn select_surfaces(&mut self, surfaces: &[usize]) {
        match surfaces.split_first() {
            Some((first, others)) => {
                self.select(Selection::Surface(*first));
                self.document.other_surfaces = others.iter().copied().filter(|other| other != first).collect();
            }
            None => self.select(Selection::None),
        }
    }

    /// Selects a surface beside those that are selected, or takes it out of them.
    pub(super) fn toggle_selected(&mut self, surface: usize) {
        let mut surfaces = self.document.selected_surfaces();
        if self.document.selects_surface(surface) {
            surfaces.retain(|other| *other != surface);
        } else {
            surfaces.insert(0, surface);
        }
        self.select_surfaces(&surfaces);
    }
}
