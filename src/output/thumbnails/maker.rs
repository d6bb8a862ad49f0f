//! From a path to a thumbnail: what the disk still knows, else the model drawn as in the window, small and by itself.

use std::path::Path;
use std::sync::Arc;

use super::cache::ThumbnailCache;
use crate::output::offscreen;
use crate::render::{Gpu, GpuError, Renderer, Target};
use crate::ui::Thumbnail;
use maquette_assets::material::{ImageCache, ImageLoading};
use maquette_assets::open::{ModelAsset, OpenError, OpenOptions, Opener};
use maquette_core::error::WarningKind;
use maquette_core::model::{ClipSource, FrameNumbering, Model};
use maquette_scene::scene::{Background, OverlayKind};
use maquette_scene::session::Session;

/// Side of a thumbnail in pixels: 32 points on a window of three pixels a point, and fine enough to be shrunk for others.
const SIDE: u32 = 192;
/// Texels along a texture at most, several for each pixel.
const FINEST_TEXTURE: u32 = 512;
/// Pixels per point it is drawn for.
const PIXELS_PER_POINT: f32 = 3.0;

/// Why there is no thumbnail.
#[derive(Debug, thiserror::Error)]
pub enum ThumbnailError {
    /// The model cannot be opened.
    #[error(transparent)]
    Model(#[from] OpenError),
    /// It cannot be drawn.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

/// Makes thumbnails, one after another.
pub struct ThumbnailMaker {
    gpu: Gpu,
    renderer: Renderer,
    target: Target,
    opener: Opener,
    cache: ThumbnailCache,
}

impl ThumbnailMaker {
    /// A maker that draws with `gpu` and keeps what it made in `cache`.
    #[must_use]
    pub fn new(gpu: Gpu, cache: ThumbnailCache) -> Self {
        let gpu = gpu.with_textures_up_to(FINEST_TEXTURE);
        let renderer = Renderer::new(&gpu);
        let target = Target::new(&gpu, SIDE, SIDE, gpu.samples(true));
        Self { gpu, renderer, target, opener: Opener::new(Vec::new(), ImageLoading::Decoded), cache }
    }

    /// The same; decoded pictures are shared through `pictures`.
    #[must_use]
    pub fn sharing(mut self, pictures: Arc<ImageCache>) -> Self {
        self.opener = self.opener.sharing(pictures);
        self
    }

    /// The thumbnail of exactly the model at `path`; drawn `anew`, or perhaps as it was drawn before.
    pub fn make(&mut self, path: &Path, anew: bool) -> Result<Thumbnail, ThumbnailError> {
        let opener = self.opener.with(OpenOptions::default());
        let key = ThumbnailCache::key(opener.files(), path);
        if let Some(known) = key.as_ref().filter(|_| !anew).and_then(|key| self.cache.read(key)) {
            return Ok(known);
        }
        let part = opener.model(path)?;
        let thumbnail = self.draw(part)?;
        if let Some(key) = key {
            self.cache.write(&key, &thumbnail);
        }
        Ok(thumbnail)
    }

    /// The model alone at the start of its calm clip, nothing behind it.
    fn draw(&mut self, part: ModelAsset) -> Result<Thumbnail, GpuError> {
        let (format, frames) = (part.model.format(), frames(&part.model));
        let damaged = part.warnings.iter().any(|warning| warning.kind == WarningKind::LeftOut);
        let mut session = Session::default();
        session.view.display.overlays.set(OverlayKind::Grid, false);
        session.view.display.overlays.set(OverlayKind::Shadow, false);
        session.view.display.background = Background::Transparent;
        session.show(part);
        // Framed as it stands, not as far as it reaches while it moves.
        session.document.scene.entities_mut().iter_mut().for_each(|entity| entity.playback.playing = false);
        session.frame_moment();
        session.view.material_clock.seconds = session.document.scene.still_moment();
        offscreen::draw_once(&self.gpu, &mut self.renderer, &self.target, session.shown(), PIXELS_PER_POINT);
        let image = self.target.read_back(&self.gpu)?;
        Ok(Thumbnail { image, format, frames, damaged })
    }
}

/// How many frames, as people count them: a mesh's bind pose is none.
fn frames(model: &Model) -> usize {
    if model.frame_numbering() == FrameNumbering::PerClip {
        let animations = model.clips().iter().filter(|clip| clip.source == ClipSource::AnimationFile);
        return animations.map(|clip| clip.count as usize).sum();
    }
    model.frames().len()
}
