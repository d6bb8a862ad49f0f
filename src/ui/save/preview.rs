//! Preview of an export: an image or animation frames.

use egui::{Rect, Role, Sense, TextureHandle, TextureOptions, Ui, Vec2, WidgetInfo};
use image::RgbaImage;

use crate::ui::thumbnails::checker;
use crate::ui::{colour_image, fonts, format, paint, theme};

pub const SIDE: f32 = 240.0;
const SQUARE: f32 = 8.0;

/// Computed preview of an export.
#[derive(Clone, Debug, Default)]
pub struct ExportPreview {
    /// Frames, or a selection of them. For an image, there is one frame.
    pub frames: Vec<RgbaImage>,
    /// Duration of all frames, in seconds.
    pub seconds: f64,
    /// Estimated file size, in bytes.
    pub bytes: u64,
    /// Data that the model format cannot store, one sentence each.
    pub losses: Option<Vec<String>>,
    /// Reason why the format cannot store the model.
    pub refused: Option<String>,
}

#[derive(Default)]
pub struct State {
    frames: Vec<TextureHandle>,
    /// The preview without its frames, once it was computed.
    shown: Option<ExportPreview>,
    /// Whether the options or the model changed since.
    pub is_outdated: bool,
}

impl State {
    pub fn set(&mut self, context: &egui::Context, preview: Option<&ExportPreview>) {
        let texture = |image| context.load_texture("export preview", colour_image(image), TextureOptions::LINEAR);
        self.frames = preview.iter().flat_map(|preview| &preview.frames).map(texture).collect();
        self.shown = preview.map(|preview| {
            let texts = |texts: &Vec<String>| texts.iter().map(|text| format::sentence(text)).collect();
            let losses = preview.losses.as_ref().map(texts);
            let refused = preview.refused.as_deref().map(format::sentence);
            ExportPreview { frames: Vec::new(), losses, refused, ..*preview }
        });
    }

    /// Returns the preview if it is up to date.
    fn current(&self) -> Option<&ExportPreview> {
        self.shown.as_ref().filter(|_| !self.is_outdated)
    }

    /// Whether the preview is not computed yet.
    pub fn is_pending(&self) -> bool {
        self.current().is_none()
    }

    /// Returns the losses of a model once they are known.
    pub fn losses(&self) -> Option<&[String]> {
        self.current()?.losses.as_deref()
    }

    /// Returns the reason why the model cannot be exported, once it is known.
    pub fn refused(&self) -> Option<&str> {
        self.current()?.refused.as_deref()
    }

    /// Returns the estimated file size once it is known: `≈ 9.4 MB`.
    pub fn size(&self) -> Option<String> {
        let shown = self.current().filter(|shown| shown.refused.is_none() && shown.bytes > 0)?;
        Some(format!("≈ {}", format::bytes(shown.bytes)))
    }
}

pub fn show(ui: &mut Ui, state: &State) {
    let tokens = theme::tokens(ui);
    let (place, response) = ui.allocate_exact_size(Vec2::splat(SIDE), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, "Preview"));
    let count = state.frames.len();
    let seconds = state.shown.as_ref().map_or(0.0, |shown| shown.seconds);
    let frame = if count > 1 && seconds > 0.0 {
        let each = seconds / count as f64;
        let now = ui.input(|input| input.time);
        ui.ctx().request_repaint_after_secs(each.max(1.0 / 60.0) as f32);
        (now / each) as usize % count
    } else {
        0
    };
    let Some(texture) = state.frames.get(frame).filter(|_| !state.is_pending()) else {
        let text = if state.is_pending() { "Drawing…" } else { "No preview" };
        paint::fill(ui.painter(), place, 4, tokens.field);
        let centre = egui::Align2::CENTER_CENTER;
        paint::text(ui.painter(), place.center(), centre, text, fonts::small(), tokens.text2);
        return;
    };
    let size = texture.size_vec2();
    let rect = Rect::from_min_size(place.min, (size * (SIDE / size.max_elem().max(1.0))).round());
    checker(&ui.painter_at(rect), rect, SQUARE, [tokens.field, tokens.raised]);
    egui::Image::new(texture).paint_at(ui, rect);
    paint::outline(ui.painter(), rect, 0, 1.0, tokens.line);
}
