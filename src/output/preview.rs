//! Export previews: small images and an estimate of the file size.

use std::path::Path;

use image::{RgbaImage, imageops};

use super::film_encoder::encoded_bytes;
use super::job::{ExportKind, OutputJob};
use super::offscreen::OffscreenRenderer;
use super::{ExportedMotion, OutputError, contact_sheet, measured_export};
use crate::ui::ExportPreview;
use maquette_core::export::ExportError;
use maquette_scene::scene::{Camera, ClipChoice, ColourTheme, Display, Entity, FrameRange, Selection};
use maquette_scene::session::{ContactOptions, FilmKind, FilmOptions, ImageOptions, ModelOptions, OutputKind, Session};

/// Longest side of previews in pixels: 240 points at two pixels per point.
const SIDE: u32 = 480;
const MAX_PREVIEW_FRAMES: u32 = 16;
/// Longest side of images that are encoded to estimate the file size, in pixels. Sizes of larger images are
/// extrapolated by pixel count.
const MEASURED_SIDE: u32 = 1024;
const SAMPLE_FRAMES: u32 = 3;
/// Maximum number of contact sheet tiles that are drawn at full size for the estimate.
const FULL_SIZE_TILES: usize = 48;

/// Number, revision of the materials, visible surfaces, clip and frames of an entity.
type EntityKey = (u64, u64, Vec<bool>, ClipChoice, Option<FrameRange>);

/// State that a preview depends on. While the state is unchanged, the preview stays valid.
#[derive(Clone, Debug, PartialEq)]
pub struct PreviewKey {
    product: OutputKind,
    image: ImageOptions,
    film: FilmOptions,
    contact: ContactOptions,
    model: ModelOptions,
    viewport_size: [u32; 2],
    theme: Option<ColourTheme>,
    camera: Camera,
    display: Display,
    selection: Selection,
    entities: Vec<EntityKey>,
    revisions: Option<[u64; 2]>,
}

impl PreviewKey {
    /// Returns the key for the current state of the session.
    #[must_use]
    pub fn from_session(session: &Session, product: OutputKind) -> Self {
        let saving = &session.jobs.saving;
        let entities = session.document.scene.entities().iter();
        let entity = |entity: &Entity| {
            let (choice, range) = (entity.playback.choice, entity.playback.range);
            (entity.number, entity.material_revision(), entity.visible.clone(), choice, range)
        };
        let single_frame = product == OutputKind::Image && !session.is_moving();
        Self {
            product,
            image: saving.image,
            film: saving.film,
            contact: saving.contact,
            model: saving.model,
            viewport_size: saving.viewport_size,
            theme: session.interface.theme,
            camera: session.view.camera.clone(),
            display: session.view.display.clone(),
            selection: session.document.selection,
            entities: entities.map(entity).collect(),
            revisions: single_frame.then(|| [session.document.revision(), session.view.revision()]),
        }
    }
}

impl OutputJob {
    /// Creates a job for a preview; `None` for outputs that need no preview.
    #[must_use]
    pub fn to_preview(session: &Session, product: OutputKind) -> Option<Self> {
        Self::new(session, product, Path::new("")).ok().filter(|_| product.has_options())
    }

    /// Draws the preview and estimates the file size.
    pub fn preview(mut self, renderer: &mut OffscreenRenderer) -> Result<ExportPreview, OutputError> {
        let session = &mut self.session;
        match self.what {
            ExportKind::Texture(_)
            | ExportKind::Copy(_)
            | ExportKind::File { .. }
            | ExportKind::Edit { .. }
            | ExportKind::ClipList { .. }
            | ExportKind::OwnClipList(..)
            | ExportKind::Models { .. } => Err(OutputError::NoTexture),
            ExportKind::Image { size, scale, names } => {
                let (measured, part) = scaled_to(size, MEASURED_SIDE);
                let image = renderer.draw(session.document_view(), measured, scale * part, names)?;
                let bytes = encoded_bytes(FilmKind::Frames, image.clone())? as f64 * pixel_ratio(size, measured);
                Ok(ExportPreview { frames: vec![downscaled(&image)], bytes: bytes as u64, ..ExportPreview::default() })
            }
            ExportKind::Film(options) => {
                let (plan, size) = (&options.film, options.size);
                let start = (session.view.camera.clone(), session.view.material_clock.seconds);
                let mut draw = |frame: u32, longest: u32| {
                    options.pose(session, frame, &start);
                    let (pixels, part) = scaled_to(size, longest);
                    renderer.draw(session.document_view(), pixels, options.scale * part, options.names)
                };
                let of = |index: u32, count: u32| u64::from(index) * u64::from(plan.frames) / u64::from(count.max(1));
                let at = |index, count| u32::try_from(of(index, count)).unwrap_or(0);
                let shown = plan.frames.min(MAX_PREVIEW_FRAMES);
                let frames = (0..shown).map(|index| draw(at(index, shown), SIDE)).collect::<Result<Vec<_>, _>>()?;
                let samples = plan.frames.min(SAMPLE_FRAMES);
                let mut bytes = 0;
                for index in 0..samples {
                    bytes += encoded_bytes(options.kind, draw(at(index, samples), MEASURED_SIDE)?)?;
                }
                // Frames are encoded independently, so a few suffice for an estimate.
                let each =
                    bytes as f64 / f64::from(samples.max(1)) * pixel_ratio(size, scaled_to(size, MEASURED_SIDE).0);
                let bytes = (each * f64::from(plan.frames)) as u64;
                Ok(ExportPreview { frames, seconds: plan.seconds(), bytes, ..ExportPreview::default() })
            }
            ExportKind::Model(options) => {
                if options.exporter().format().is_some() {
                    // Game formats are written with all LODs, the finest first.
                    session.document.scene.set_lod(0);
                }
                session.document.scene.refresh();
                let motion = ExportedMotion::from(options.motion);
                let scene = &session.document.scene;
                let measured = measured_export(scene, options.exporter(), &motion, &options.options);
                let (bytes, losses, refused) = match measured {
                    Ok((bytes, losses)) => (bytes, Some(losses), None),
                    Err(ExportError::Unfit(why)) => (0, None, Some(why)),
                    Err(error) => return Err(error.into()),
                };
                let image = renderer.draw(session.document_view(), (SIDE, SIDE), 1.0, false)?;
                Ok(ExportPreview { frames: vec![image], bytes, losses, refused, ..ExportPreview::default() })
            }
            ExportKind::Contact(mut options) => {
                let tiles = session.document.sheet_clips().len() * options.frames_per_clip as usize;
                let side = options.tile.0;
                if tiles > FULL_SIZE_TILES {
                    let small = (side / 2).max(32);
                    options.scale *= small as f32 / side as f32;
                    options.tile = (small, small);
                }
                let (sheet, ..) = contact_sheet(renderer, session, &options, &mut |_, _| true)?;
                let bytes = encoded_bytes(FilmKind::Frames, sheet.clone())? as f64;
                let bytes = (bytes * pixel_ratio((side, side), options.tile)) as u64;
                Ok(ExportPreview { frames: vec![downscaled(&sheet)], bytes, ..ExportPreview::default() })
            }
        }
    }
}

fn scaled_to(size: (u32, u32), longest: u32) -> ((u32, u32), f32) {
    let part = (longest as f32 / size.0.max(size.1).max(1) as f32).min(1.0);
    let side = |side: u32| ((side as f32 * part).round() as u32).max(1);
    ((side(size.0), side(size.1)), part)
}

fn pixel_ratio(size: (u32, u32), of: (u32, u32)) -> f64 {
    let pixels = |(width, height): (u32, u32)| f64::from(width) * f64::from(height);
    pixels(size) / pixels(of).max(1.0)
}

fn downscaled(image: &RgbaImage) -> RgbaImage {
    let ((width, height), _) = scaled_to(image.dimensions(), SIDE);
    imageops::resize(image, width, height, imageops::FilterType::Triangle)
}
