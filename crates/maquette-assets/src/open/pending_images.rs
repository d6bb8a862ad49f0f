//! Images that are decoded after their models are shown.

use std::sync::{Arc, OnceLock};

use super::{ModelAsset, Skin};
use crate::material::ImageQueue;

/// Images that are still being decoded for the models of one request, which share this state.
#[derive(Debug, Default)]
pub struct PendingImages {
    /// Queue of the images.
    pub queue: Arc<ImageQueue>,
    shown: Vec<ModelAsset>,
    /// Set when decoding has ended: the models of a second search if materials changed, else empty.
    renewed: OnceLock<Vec<ModelAsset>>,
}

impl PendingImages {
    /// Creates the state for the images in `queue`, which belong to the models in `shown`.
    #[must_use]
    pub fn new(queue: Arc<ImageQueue>, shown: Vec<ModelAsset>) -> Self {
        Self { queue, shown, renewed: OnceLock::new() }
    }

    /// Ends decoding. `renewed` has the models of a second search, if there was one.
    pub fn end(&self, renewed: Vec<ModelAsset>) {
        self.renewed.set(renewed).ok();
    }
}

impl ModelAsset {
    /// Takes over the result of the second search if decoding has ended. Returns whether it ended since the last call.
    pub fn finish_pending_images(&mut self) -> bool {
        let Some(pending) = self.pending_images.take_if(|pending| pending.renewed.get().is_some()) else {
            return false;
        };
        let renewed = pending.renewed.get().map_or(&[][..], Vec::as_slice);
        let is_own = |asset: &&ModelAsset| asset.game_path == self.game_path && asset.file == self.file;
        let (Some(shown), Some(renewed)) = (pending.shown.iter().find(is_own), renewed.iter().find(is_own)) else {
            return true;
        };
        let is_in = |skin: &Skin, skins: &[Skin]| skins.iter().any(|known| known.name == skin.name);
        self.skins.retain(|skin| !is_in(skin, &shown.skins) && !is_in(skin, &renewed.skins));
        self.skins.splice(0..0, renewed.skins.iter().cloned());
        self.warnings.retain(|warning| !shown.warnings.contains(warning));
        self.warnings.splice(0..0, renewed.warnings.iter().cloned());
        true
    }
}
