//! Small pictures of models: kept while they are seen, asked for when they are missing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, Ui, pos2};
use image::RgbaImage;

use crate::model::Format;
use crate::ui::{format, icons, paint, theme};

/// Pictures kept; of more, those longest unseen go.
const MOST: usize = 512;
/// Side of a picture in points.
pub const SIDE: f32 = 32.0;

/// A small picture of a model, and what is told beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// The picture, with straight alpha.
    pub image: RgbaImage,
    /// What the file holds.
    pub format: Format,
    /// How many frames; 0 of a mesh without animations.
    pub frames: usize,
}

/// The pictures that are there.
#[derive(Default)]
pub struct Gallery {
    made: HashMap<PathBuf, Made>,
    broken: HashSet<PathBuf>,
    wanted: Vec<PathBuf>,
    /// Counts frames.
    now: u64,
}

struct Made {
    /// None if its texture belonged to a window that is gone.
    texture: Option<TextureHandle>,
    line: String,
    seen: u64,
}

impl Gallery {
    /// A frame begins.
    pub fn begin(&mut self) {
        self.now += 1;
        self.wanted.clear();
    }

    /// Models in sight whose pictures are missing.
    #[must_use]
    pub fn wanted(&self) -> &[PathBuf] {
        &self.wanted
    }

    /// Takes in a picture, or that there is none to be had.
    pub fn add(&mut self, ctx: &egui::Context, path: PathBuf, thumbnail: Option<&Thumbnail>) {
        let Some(thumbnail) = thumbnail else {
            self.broken.insert(path);
            return;
        };
        self.broken.remove(&path);
        let image = shrunk(&thumbnail.image, (SIDE * ctx.pixels_per_point()).round() as usize);
        let texture = Some(ctx.load_texture("model", image, TextureOptions::LINEAR));
        self.made.insert(path, Made { texture, line: line(thumbnail), seen: self.now });
        if self.made.len() > MOST {
            self.drop_oldest();
        }
    }

    /// Forgets one model's picture.
    pub fn forget(&mut self, path: &Path) {
        self.made.remove(path);
        self.broken.remove(path);
    }

    /// Forgets every texture: the device behind them is another one.
    pub fn forget_textures(&mut self) {
        self.made.values_mut().for_each(|made| made.texture = None);
    }

    /// A quarter at once, so that this is not done for every picture.
    fn drop_oldest(&mut self) {
        let mut seen: Vec<u64> = self.made.values().map(|made| made.seen).collect();
        let (_, limit, _) = seen.select_nth_unstable(MOST / 4);
        let limit = *limit;
        // Those in sight stay, whatever their number.
        self.made.retain(|_, made| made.seen > limit || made.seen == self.now);
    }

    /// Shows the picture of a model at `rect`, or a square that it will stand on. Gives the line below its name.
    pub fn show(&mut self, ui: &Ui, rect: Rect, path: &Path, format: Option<Format>) -> String {
        let tokens = theme::tokens(ui);
        paint::fill(ui.painter(), rect, 4, tokens.thumbnail);
        if self.broken.contains(path) {
            paint::icon(ui.painter(), rect, icons::IMAGE_OFF, 16.0, tokens.text3);
            return "Unreadable".to_owned();
        }
        let made = self.made.get_mut(path);
        let texture = made.as_ref().and_then(|made| made.texture.as_ref());
        match texture {
            Some(texture) => {
                let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
                ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
            }
            None => self.wanted.push(path.to_path_buf()),
        }
        match made {
            Some(made) => {
                made.seen = self.now;
                made.line.clone()
            }
            None => format.map_or(String::new(), |format| format.name().to_uppercase()),
        }
    }
}

/// `MD3 · 156 frames`
fn line(thumbnail: &Thumbnail) -> String {
    let frames = match thumbnail.frames {
        0 => "bind pose".to_owned(),
        frames => format::plural(frames, "frame"),
    };
    format!("{} · {frames}", thumbnail.format.name().to_uppercase())
}

/// The picture at the size it is shown in, each texel the mean of what it covers.
fn shrunk(image: &RgbaImage, side: usize) -> ColorImage {
    let (width, height) = (image.width() as usize, image.height() as usize);
    let whole = ColorImage::from_rgba_unmultiplied([width, height], image.as_raw());
    let side = side.clamp(1, width.min(height).max(1));
    if side >= width.min(height) {
        return whole;
    }
    let (columns, rows) = (shares(width, side), shares(height, side));
    let mut small = ColorImage::filled([side, side], Color32::TRANSPARENT);
    for (index, texel) in small.pixels.iter_mut().enumerate() {
        let (Some(across), Some(down)) = (columns.get(index % side), rows.get(index / side)) else { continue };
        let mut sum = [0.0_f32; 4];
        let mut weight = 0.0;
        for (y, down) in down {
            for (x, across) in across {
                let share = across * down;
                let source = whole.pixels.get(y * width + x).copied().unwrap_or(Color32::TRANSPARENT);
                sum.iter_mut().zip(source.to_array()).for_each(|(sum, value)| *sum += f32::from(value) * share);
                weight += share;
            }
        }
        let [red, green, blue, alpha] = sum.map(|sum| (sum / weight).round() as u8);
        *texel = Color32::from_rgba_premultiplied(red, green, blue, alpha);
    }
    small
}

/// For each of `to` fields, which of `from` texels it covers and how much of each.
fn shares(from: usize, to: usize) -> Vec<Vec<(usize, f32)>> {
    let step = from as f32 / to as f32;
    let field = |index: usize| {
        let (start, end) = (index as f32 * step, (index + 1) as f32 * step);
        let covered = start.floor() as usize..(end.ceil() as usize).min(from);
        covered.map(|texel| (texel, (end.min(texel as f32 + 1.0) - start.max(texel as f32)).max(0.0))).collect()
    };
    (0..to).map(field).collect()
}
