//! Contact sheet: all clips of a model on one image, with their names.

use egui::Color32;
use glam::Vec3;
use image::{RgbaImage, imageops};

use super::offscreen::OffscreenRenderer;
use super::{OutputError, Progress};
use crate::ui;
use maquette_core::model::u32_or_max;
use maquette_core::pose::clip_length;
use maquette_scene::scene::{Background, ClipRange, Entity};
use maquette_scene::session::{ContactOptions, MAX_IMAGE_PIXELS, MAX_TILES, Session, SheetClip};

/// Distance between tiles and margin of the sheet, in points.
const GAP: f32 = 8.0;
const MARGIN: f32 = 16.0;
/// Height of a name, in points.
const NAME: f32 = 24.0;
/// Target ratio of width to height.
const ASPECT: f32 = 1.5;

/// Options of a contact sheet.
#[derive(Clone, Copy, Debug)]
pub struct ContactSheetOptions {
    /// Width and height of a tile in pixels.
    pub tile: (u32, u32),
    /// Number of frames per clip, side by side; at least 1.
    pub frames_per_clip: u32,
    /// Pixels per point.
    pub scale: f32,
    /// Whether the names of tags and joints are drawn.
    pub names: bool,
}

impl ContactSheetOptions {
    /// Converts the options of the save dialog.
    #[must_use]
    pub fn from_options(options: &ContactOptions) -> Self {
        Self {
            tile: (options.tile, options.tile),
            frames_per_clip: options.frames_per_clip,
            scale: (options.tile as f32 / 192.0).clamp(0.75, 4.0),
            names: options.extras.names,
        }
    }
}

struct Plan {
    columns: usize,
    block: (u32, u32),
    gap: u32,
    margin: u32,
    size: (u32, u32),
}

impl Plan {
    /// Plans a grid for `clips` whose shape is close to [`ASPECT`] and which has few empty cells.
    fn new(clips: usize, options: &ContactSheetOptions) -> Self {
        let points = |points: f32| (points * options.scale).round() as u32;
        let (gap, margin, name) = (points(GAP), points(MARGIN), points(NAME));
        let block = (
            options.tile.0 * options.frames_per_clip + (options.frames_per_clip - 1) * (gap / 4),
            options.tile.1 + name,
        );
        let size = |columns: usize| {
            let rows = clips.div_ceil(columns);
            let side = |count: usize, side: u32| {
                let count = u32_or_max(count);
                margin * 2 + count.saturating_mul(side + gap) - gap
            };
            (side(columns, block.0), side(rows, block.1))
        };
        let cost = |columns: usize| {
            let (width, height) = size(columns);
            let empty = clips.div_ceil(columns) * columns - clips;
            let off = (width as f32 / height as f32 / ASPECT).ln().abs();
            off + 0.5 * empty as f32 / clips as f32
        };
        let columns = (1..=clips).min_by(|a, b| cost(*a).total_cmp(&cost(*b))).unwrap_or(1);
        Self { columns, block, gap, margin, size: size(columns) }
    }

    fn offset(&self, index: usize) -> (i64, i64) {
        let at = |count: usize, side: u32| i64::from(self.margin) + count as i64 * i64::from(side + self.gap);
        (at(index % self.columns, self.block.0), at(index / self.columns, self.block.1))
    }
}

/// Draws the sheet. Returns the image, the total number of clips and the number of drawn clips, which is limited.
pub fn contact_sheet(
    renderer: &mut OffscreenRenderer,
    session: &mut Session,
    options: &ContactSheetOptions,
    progress: &mut Progress<'_>,
) -> Result<(RgbaImage, usize, usize), OutputError> {
    let mut rows = session.document.sheet_clips();
    let all = rows.len();
    let per_clip = options.frames_per_clip.max(1);
    rows.truncate((MAX_TILES / per_clip).max(1) as usize);
    let pixels = |plan: &Plan| u64::from(plan.size.0) * u64::from(plan.size.1);
    while rows.len() > 1 && pixels(&Plan::new(rows.len(), options)) > MAX_IMAGE_PIXELS {
        rows.truncate(rows.len() * 3 / 4);
    }
    let plan = Plan::new(rows.len(), options);
    session.view.aspect = options.tile.0 as f32 / options.tile.1 as f32;

    let mut targets: Vec<Vec3> = Vec::new();
    let mut farthest = 0.0_f32;
    for row in &rows {
        for number in 0..per_clip {
            pose_tile(session, row, number, per_clip);
            let points = session.points();
            session.view.frame(&points);
            targets.push(session.view.camera.target);
            farthest = farthest.max(session.view.camera.distance);
        }
    }
    session.view.camera.distance = farthest;

    let transparent = session.view.display.background == Background::Transparent;
    let background = if transparent { Color32::TRANSPARENT } else { ui::panel_colour(session.view.display.theme) };
    let mut sheet = RgbaImage::from_pixel(plan.size.0, plan.size.1, image::Rgba(background.to_array()));
    let count = u32_or_max(targets.len());
    let mut targets = targets.into_iter();
    let mut done = 0;
    for (index, row) in rows.iter().enumerate() {
        let (left, top) = plan.offset(index);
        for number in 0..per_clip {
            pose_tile(session, row, number, per_clip);
            session.view.camera.target = targets.next().unwrap_or(session.view.camera.target);
            let ContactSheetOptions { tile, scale, names, .. } = *options;
            let mut of_tile = |_, _| progress(done, count);
            let tile = renderer.draw_samples(session.document_view(), tile, scale, names, &mut of_tile)?;
            let step = i64::from(options.tile.0 + plan.gap / 4);
            imageops::replace(&mut sheet, &tile, left + i64::from(number) * step, top);
            done += 1;
        }
    }
    let theme = session.view.display.theme;
    let name_height = plan.block.1 - options.tile.1;
    for (index, row) in rows.iter().enumerate() {
        let frames = ui::format::count(row.frames);
        let strip = renderer.draw_text((plan.block.0, name_height), options.scale, |root, rect| {
            ui::caption(root, &row.name, &frames, transparent, theme, rect);
        })?;
        let (left, top) = plan.offset(index);
        imageops::overlay(&mut sheet, &strip, left, top + i64::from(options.tile.1));
    }
    progress(count, count);
    Ok((sheet, all, rows.len()))
}

/// Poses the scene for a tile of a clip: at the middle frame, or at frames with equal distances from the start.
fn pose_tile(session: &mut Session, row: &SheetClip, number: u32, per_clip: u32) {
    if let Some((other, choice)) = row.other {
        session.document.scene.choose(other, choice, false);
    }
    session.document.choose(row.entity, row.choice);
    for entity in session.document.scene.entities_mut().iter_mut().filter(|entity| entity.has_track()) {
        let steps = steps(entity, number, per_clip);
        entity.playback.playing = false;
        entity.playback.position = steps;
    }
    session.refresh();
}

fn steps(entity: &Entity, number: u32, per_clip: u32) -> f64 {
    let clip = entity.clip();
    if per_clip <= 1 {
        return f64::from(clip.count.saturating_sub(1) / 2);
    }
    let length = clip_length(&clip, entity.playback.repeat);
    let round = ClipRange::new(&entity.playback, entity.model()).round;
    let intervals = if round { per_clip } else { per_clip - 1 };
    // Use whole frames, because the file stores these.
    (length * f64::from(number) / f64::from(intervals)).floor().min(f64::from(clip.count.saturating_sub(1)))
}
