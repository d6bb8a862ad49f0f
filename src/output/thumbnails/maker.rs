//! Thumbnail creation: reads the cache, or draws a model small and alone.

use std::path::Path;
use std::sync::Arc;

use super::cache::ThumbnailCache;
use crate::output::offscreen;
use crate::render::{Gpu, GpuError, Renderer, Target};
use crate::ui::Thumbnail;
use maquette_assets::material::{ImageCache, ImageLoading};
use maquette_assets::open::{ModelAsset, OpenError, OpenOptions, Opener};
use maquette_core::model::{FrameNumbering, Model};
use maquette_scene::scene::{Background, Overlays};
use maquette_scene::session::Session;

/// Side of a thumbnail in pixels. It exceeds 32 points at three pixels per point, so that other programs can scale it
/// down.
const SIDE: u32 = 192;
/// Maximum side of textures in texels. Larger textures would not improve thumbnails.
const MAX_TEXTURE_SIDE: u32 = 512;
const PIXELS_PER_POINT: f32 = 3.0;

/// Error of a thumbnail.
#[derive(Debug, thiserror::Error)]
pub enum ThumbnailError {
    /// The model cannot be opened.
    #[error(transparent)]
    Model(#[from] OpenError),
    /// Drawing failed.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Creates thumbnails one after another.
pub struct ThumbnailMaker {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    opener: Opener,
    cache: ThumbnailCache,
}

impl ThumbnailMaker {
    /// Creates a maker that draws with `gpu` and stores results in `cache`.
    #[must_use]
    pub fn new(gpu: Gpu, cache: ThumbnailCache) -> Self {
        let gpu = gpu.with_textures_up_to(MAX_TEXTURE_SIDE);
        let renderer = Renderer::new(&gpu);
        let target = Target::new(&gpu, SIDE, SIDE, gpu.samples(true));
        Self { gpu, renderer, target, opener: Opener::new(Vec::new(), ImageLoading::Decode), cache }
    }

    /// Shares decoded images through `images`.
    #[must_use]
    pub fn sharing(mut self, images: Arc<ImageCache>) -> Self {
        self.opener = self.opener.sharing(images);
        self
    }

    /// Returns the thumbnail of the model at `path`. Reads the cache unless `redraw` is set.
    pub fn make(&mut self, path: &Path, redraw: bool) -> Result<Thumbnail, ThumbnailError> {
        let opener = self.opener.with(OpenOptions::default());
        let key = ThumbnailCache::key(opener.files(), path);
        if let Some(known) = key.as_ref().filter(|_| !redraw).and_then(|key| self.cache.read(key)) {
            return Ok(known);
        }
        let part = opener.model(path)?;
        let thumbnail = self.draw(part)?;
        if let Some(key) = key {
            self.cache.write(&key, &thumbnail);
        }
        Ok(thumbnail)
    }

    fn draw(&mut self, part: ModelAsset) -> Result<Thumbnail, GpuError> {
        let (format, frames) = (part.model.format(), frames(&part.model));
        let damaged = part.warnings.iter().any(|warning| warning.kind.loses_data());
        let mut session = Session::default();
        session.view.display.overlays = Overlays::default();
        session.view.display.background = Background::Transparent;
        session.show(part);
        // Frame the current pose instead of the whole range of motion.
        session.document.scene.entities_mut().iter_mut().for_each(|entity| entity.playback.playing = false);
        session.frame_pose();
        session.view.material_clock.seconds = session.document.scene.material_time_of_image();
        offscreen::draw_once(&self.gpu, &mut self.renderer, &self.target, session.document_view(), PIXELS_PER_POINT);
        let image = self.target.read_back(&self.gpu)?;
        Ok(Thumbnail { image, format, frames, damaged })
    }
}

/// Returns the number of frames to display. The bind pose of a mesh does not count.
fn frames(model: &Model) -> usize {
    model.frames().len() - usize::from(model.frame_numbering() == FrameNumbering::PerClip)
}
