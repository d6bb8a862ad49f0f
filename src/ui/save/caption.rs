//! Captions of a contact sheet.

use egui::{Color32, Rect, Theme, Ui, vec2};

use crate::ui::{fonts, paint, theme};
use maquette_scene::scene::ColourTheme;

/// Returns the background of a contact sheet.
pub fn panel_colour(theme: ColourTheme) -> Color32 {
    tokens(theme).panel
}

pub fn tokens(theme: ColourTheme) -> &'static theme::Tokens {
    if theme == ColourTheme::Light { &theme::LIGHT } else { &theme::DARK }
}

/// Paints a name at `place`, and `frames` to its right if there is room. `plated` adds a background, for use over an
/// unknown colour.
pub fn caption(root: &Ui, name: &str, frames: &str, plated: bool, theme: ColourTheme, place: Rect) {
    root.ctx().set_theme(if theme == ColourTheme::Light { Theme::Light } else { Theme::Dark });
    let tokens = tokens(theme);
    let painter = root.painter();
    let inset = if plated { 6.0 } else { 0.0 };
    if plated {
        paint::fill(painter, place.shrink2(vec2(0.0, 2.0)), 4, tokens.plate);
    }
    let text_rect = place.shrink2(vec2(inset, 0.0));
    let name_width = paint::width_of(root, name, fonts::body());
    let width = paint::width_of(root, frames, fonts::small());
    if name_width + width + 8.0 <= text_rect.width() {
        paint::text_right(painter, text_rect, frames, fonts::small(), tokens.text2);
    }
    paint::name_in(painter, text_rect, name, fonts::body(), tokens.text);
}
