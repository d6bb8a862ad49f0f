//! Selection of several surfaces.

use crate::scene::{EntityId, Measure};
use crate::session::{Document, Selection, Session};

impl Document {
    /// Whether the panels describe the character as a whole.
    pub fn selects_character(&self) -> bool {
        self.whole_character
            && self.selection == Selection::None
            && self.scene.character.is_some()
            && self.scene.compared_pair().is_none()
    }

    /// Whether a surface of the focused entity is selected, or contains the selected triangle or vertex.
    pub fn selects_surface(&self, index: usize) -> bool {
        self.selection.surface().is_some_and(|first| first == index || self.other_surfaces.contains(&index))
    }

    /// Whether a surface is outlined, because it is selected as a whole.
    pub fn outlines_surface(&self, index: usize) -> bool {
        matches!(self.selection, Selection::Surface(_)) && self.selects_surface(index)
    }

    /// Returns the measurement from its start to the selection, if both ends are shown.
    pub fn measure(&self) -> Option<Measure> {
        let to = (self.focus?, self.selection);
        let from = self.measured_from?;
        let is_shown = |id| self.scene.entity(id).is_some_and(|entity| self.scene.shows(entity));
        (is_shown(from.0) && is_shown(to.0)).then(|| Measure::between(&self.scene, from, to))?
    }

    pub(crate) fn forget_removed_parts(&mut self) {
        let scene = &self.scene;
        let is_there = |(id, _): &(EntityId, Selection)| scene.entity(*id).is_some();
        self.measured_from = self.measured_from.filter(is_there);
        self.pinned.retain(is_there);
    }

    /// Returns the selected surfaces of the focused entity; the one that the panels describe comes first.
    pub fn selected_surfaces(&self) -> Vec<usize> {
        let Some(first) = self.selection.surface() else { return Vec::new() };
        let others = self.other_surfaces.iter().copied().filter(|other| *other != first);
        std::iter::once(first).chain(others).collect()
    }
}

impl Session {
    pub(crate) fn select_surfaces(&mut self, surfaces: &[usize]) {
        match surfaces.split_first() {
            Some((first, others)) => {
                self.select(Selection::Surface(*first));
                self.document.other_surfaces = others.iter().copied().filter(|other| other != first).collect();
            }
            None => self.select(Selection::None),
        }
    }

    pub(crate) fn toggle_selected(&mut self, surface: usize) {
        let mut surfaces = self.document.selected_surfaces();
        if self.document.selects_surface(surface) {
            surfaces.retain(|other| *other != surface);
        } else {
            surfaces.insert(0, surface);
        }
        self.select_surfaces(&surfaces);
    }
}
