//! Cache of model thumbnails. It also collects the models whose thumbnails are missing.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};

use egui::{Color32, ColorImage, Rect, TextureHandle, TextureOptions, Ui, pos2};
use image::RgbaImage;
use image::imageops::{self, FilterType};

use crate::ui::{colour_image, format, icons, paint, theme};
use maquette_core::model::Format;
use maquette_scene::session::THUMBNAILS_LOADED;

pub const SIDE: f32 = 32.0;

/// Thumbnail of a model, with data for its description.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thumbnail {
    /// Image with straight alpha.
    pub image: RgbaImage,
    /// Format of the file.
    pub format: Format,
    /// Number of frames; 0 for a mesh without animations.
    pub frames: usize,
    /// Whether a part of the file could not be read.
    pub damaged: bool,
}

/// Description below a model's name, for example `MD3 · 156 frames`, and whether it is a warning.
pub type Line = (String, bool);

#[derive(Default)]
pub struct Gallery {
    /// Models by path; the reason for models that cannot be read.
    made: HashMap<PathBuf, Result<Made, String>>,
    wanted: Vec<PathBuf>,
    wanted_large: HashSet<PathBuf>,
    now: u64,
}

struct Made {
    /// `None` after the window of the texture was closed.
    texture: Option<TextureHandle>,
    /// Texture with the full size of the thumbnail, while the grid is open.
    large: Option<TextureHandle>,
    line: Line,
    seen: u64,
}

impl Made {
    fn bytes(&self) -> u64 {
        self.texture.iter().chain(&self.large).map(|texture| texture.byte_size() as u64).sum()
    }
}

impl Gallery {
    pub fn begin(&mut self) {
        self.now += 1;
        self.wanted.clear();
        self.wanted_large.clear();
    }

    /// Returns the visible models without a thumbnail.
    pub fn wanted(&self) -> &[PathBuf] {
        &self.wanted
    }

    /// Adds a thumbnail, or the reason for which the model cannot be read.
    pub fn add(&mut self, ctx: &egui::Context, path: PathBuf, thumbnail: Result<&Thumbnail, String>) {
        let load = |image, side: u32| ctx.load_texture("model", shrunk(image, side), TextureOptions::LINEAR);
        let is_large = self.wanted_large.remove(&path);
        let made = thumbnail.map(|thumbnail| Made {
            texture: Some(load(&thumbnail.image, (SIDE * ctx.pixels_per_point()).round() as u32)),
            large: is_large.then(|| load(&thumbnail.image, u32::MAX)),
            line: line(thumbnail),
            seen: self.now,
        });
        self.made.insert(path, made);
        self.drop_oldest(THUMBNAILS_LOADED);
    }

    pub fn bytes(&self) -> u64 {
        self.made.values().flatten().map(Made::bytes).sum()
    }

    pub fn forget(&mut self, path: &Path) {
        self.made.remove(path);
    }

    /// Drops all textures, because their GPU device is gone.
    pub fn forget_textures(&mut self) {
        self.made.values_mut().flatten().for_each(|made| (made.texture, made.large) = (None, None));
    }

    /// Drops the thumbnails that were not visible for longest if their textures exceed `budget` bytes. Frees a quarter
    /// of the budget, so that this does not happen for every new thumbnail.
    fn drop_oldest(&mut self, budget: u64) {
        let bytes = self.bytes();
        if bytes <= budget {
            return;
        }
        let mut oldest: Vec<(u64, u64)> = self.made.values().flatten().map(|made| (made.seen, made.bytes())).collect();
        oldest.sort_unstable();
        let mut excess = bytes.saturating_sub(budget / 4 * 3);
        let mut limit = None;
        for (seen, bytes) in oldest {
            if excess == 0 {
                break;
            }
            excess = excess.saturating_sub(bytes);
            limit = Some(seen);
        }
        let is_kept = |made: &Made| limit.is_none_or(|limit| made.seen > limit) || made.seen == self.now;
        self.made.retain(|_, made| made.as_ref().map_or(true, is_kept));
    }

    pub fn line(&self, path: &Path, format: Option<Format>) -> Line {
        match self.made.get(path) {
            Some(Ok(made)) => made.line.clone(),
            Some(Err(_)) => ("Unreadable".to_owned(), true),
            None => (format.map_or("", Format::title).to_owned(), false),
        }
    }

    /// Returns the reason for which a model cannot be read; `None` if it can, or is not known.
    pub fn problem(&self, path: &Path) -> Option<&str> {
        self.made.get(path)?.as_ref().err().map(String::as_str)
    }

    /// Whether the thumbnail of a model is loaded.
    pub fn has(&self, path: &Path) -> bool {
        self.made.get(path).is_some_and(|made| made.as_ref().is_ok_and(|made| made.texture.is_some()))
    }

    /// Paints the thumbnail of a model at `rect`. Without a thumbnail, paints an empty square and requests the
    /// thumbnail.
    pub fn show(&mut self, ui: &Ui, rect: Rect, path: &Path) {
        let tokens = theme::tokens(ui);
        paint::fill(ui.painter(), rect, 4, tokens.thumbnail);
        let is_large = rect.width() > 2.0 * SIDE;
        let made = match self.made.get_mut(path) {
            Some(Err(_)) => return paint::icon(ui.painter(), rect, icons::IMAGE_OFF, 16.0, tokens.text3),
            made => made.and_then(|made| made.as_mut().ok()),
        };
        let large = made.as_ref().and_then(|made| made.large.as_ref()).filter(|_| is_large);
        let is_wanted = large.is_none() && (is_large || made.as_ref().is_none_or(|made| made.texture.is_none()));
        if let Some(texture) = large.or(made.as_ref().and_then(|made| made.texture.as_ref())) {
            let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            ui.painter().image(texture.id(), rect, whole, Color32::WHITE);
        }
        if let Some(made) = made {
            made.seen = self.now;
        }
        if is_wanted && is_large {
            self.wanted_large.insert(path.to_path_buf());
        }
        if is_wanted && !self.wanted.iter().any(|wanted| wanted == path) {
            self.wanted.push(path.to_path_buf());
        }
    }
}

fn line(thumbnail: &Thumbnail) -> Line {
    let frames = match thumbnail.frames {
        0 => "bind pose".to_owned(),
        frames => format::plural(frames, "frame"),
    };
    let text = format!("{} · {frames}", thumbnail.format.title());
    let text = if thumbnail.damaged { format!("Damaged · {text}") } else { text };
    (text, thumbnail.damaged)
}

/// Resizes a thumbnail to `side` pixels, unless that would enlarge it.
fn shrunk(image: &RgbaImage, side: u32) -> ColorImage {
    let whole = colour_image(image);
    let premultiplied = whole.pixels.iter().flat_map(Color32::to_array).collect();
    match RgbaImage::from_raw(image.width(), image.height(), premultiplied) {
        Some(image) if side < image.width().min(image.height()) => {
            let small = imageops::resize(&image, side.max(1), side.max(1), FilterType::Triangle);
            ColorImage::from_rgba_premultiplied([small.width() as usize, small.height() as usize], &small)
        }
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gallery_evicts_least_recently_seen_thumbnails() {
        // Four bytes per texel: 32 × 32 texels are 4096 bytes, and eight images fill the budget.
        const BUDGET: u64 = 8 * 4096;
        let mut gallery = Gallery::default();
        let ctx = egui::Context::default();
        let image = RgbaImage::new(96, 96);
        let thumbnail = Thumbnail { image, format: Format::ALL[0], frames: 1, damaged: false };
        for number in 0..8 {
            gallery.begin();
            gallery.add(&ctx, PathBuf::from(format!("{number}.md3")), Ok(&thumbnail));
        }
        gallery.drop_oldest(BUDGET);
        assert_eq!((gallery.made.len(), gallery.bytes()), (8, BUDGET));
        gallery.begin();
        gallery.add(&ctx, PathBuf::from("8.md3"), Ok(&thumbnail));
        gallery.drop_oldest(BUDGET);
        // Three quarters of the budget hold six: the newest.
        let mut left: Vec<String> = gallery.made.keys().map(|path| path.display().to_string()).collect();
        left.sort();
        assert_eq!(left, ["3.md3", "4.md3", "5.md3", "6.md3", "7.md3", "8.md3"]);
        for number in 0..100 {
            gallery.add(&ctx, PathBuf::from(format!("now {number}.md3")), Ok(&thumbnail));
        }
        gallery.drop_oldest(BUDGET);
        assert_eq!(gallery.made.len(), 101, "what is in sight stays");
    }
}
