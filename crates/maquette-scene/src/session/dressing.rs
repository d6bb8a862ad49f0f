//! What models wear that were shown before their pictures were decoded.

use super::{Effect, Session};
use maquette_assets::open::{Dressing, ModelAsset};

/// What is decoded by now.
#[derive(Clone, Debug)]
pub struct Dressed {
    /// What models wear.
    pub dressings: Vec<Dressing>,
    /// Pictures that are decoded, of so many.
    pub progress: (usize, usize),
}

impl Session {
    /// Pictures were decoded: models that wait for them wear them. Gives what is to be read again for it.
    pub fn dressed(&mut self, dressed: Dressed) -> Option<Effect> {
        let mut is_complete = false;
        for dressing in dressed.dressings {
            self.document.scene.take_dressing(&dressing);
            self.document.history.take_dressing(&dressing);
            is_complete |= dressing.is_complete;
            if dressing.is_complete && self.jobs.loads.are_under_way() {
                self.jobs.dressings.push(dressing);
            }
        }
        self.jobs.textures = dressed.progress;
        if !is_complete {
            return None;
        }
        self.update_issues();
        // What was found wrong of a model without its pictures is looked at again.
        let view = self.interface.lint.as_ref()?;
        let (number, profile) = (view.number, view.profile);
        self.entity().filter(|entity| entity.number == number)?;
        self.lint(profile)
    }

    /// Pictures that are decoded of what is shown, of so many; none if all are.
    #[must_use]
    pub fn textures_to_come(&self) -> Option<(usize, usize)> {
        self.document.scene.awaits_dressing().then_some(self.jobs.textures)
    }

    /// Dresses what was read for a model whose pictures came meanwhile.
    pub(super) fn catch_up(&self, asset: &mut ModelAsset) {
        for dressing in &self.jobs.dressings {
            asset.take_dressing(dressing);
        }
    }
}
