//! Names under the pictures of a contact sheet.

use egui::{Color32, Rect, Theme, Ui, vec2};

use crate::ui::{fonts, paint, theme};
use maquette_scene::scene::Tone;

/// What is written under a picture.
#[derive(Clone, Copy, Debug)]
pub struct Caption<'a> {
    /// What it is called.
    pub name: &'a str,
    /// How many frames, at the right, if there is room.
    pub second: &'a str,
    /// On a plate, since nothing is known of what lies behind it.
    pub plated: bool,
}

/// Colour of what lies between the pictures.
#[must_use]
pub fn panel_colour(tone: Tone) -> Color32 {
    tokens(tone).panel
}

fn tokens(tone: Tone) -> &'static theme::Tokens {
    if tone == Tone::Light { &theme::LIGHT } else { &theme::DARK }
}

/// Writes a caption at `place`.
pub fn caption(root: &Ui, caption: &Caption<'_>, tone: Tone, place: Rect) {
    root.ctx().set_theme(if tone == Tone::Light { Theme::Light } else { Theme::Dark });
    let tokens = tokens(tone);
    let painter = root.painter();
    let inset = if caption.plated { 6.0 } else { 0.0 };
    if caption.plated {
        paint::fill(painter, place.shrink2(vec2(0.0, 2.0)), 4, tokens.plate);
    }
    let room = place.shrink2(vec2(inset, 0.0));
    let name = paint::width_of(root, caption.name, fonts::body());
    let second = paint::width_of(root, caption.second, fonts::small());
    if name + second + 8.0 <= room.width() {
        paint::text_right(painter, room, caption.second, fonts::small(), tokens.text2);
    }
    paint::name_in(painter, room, caption.name, fonts::body(), tokens.text);
}
