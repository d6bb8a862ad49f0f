//! Rows of the export dialogs: the name at the left and the control at the right.

use egui::{Id, Role, Ui, WidgetInfo, vec2};

use crate::ui::field::{self, Number};
use crate::ui::{arrange, checkbox, dialog, fonts, format, segmented_control, text, theme};
use maquette_scene::scene::{Background, Display, MAX_SAMPLES, OverlayKind, SAMPLES};
use maquette_scene::session::{ImageExtras, ImageSize, Saving};

/// Distance in points from a row's name to its control.
pub const KEY: f32 = 104.0;

pub fn row<R>(ui: &mut Ui, word: &str, controls: impl FnOnce(&mut Ui) -> R) -> R {
    arrange::form_row(ui, dialog::EDGE, KEY, word, controls)
}

/// Shows a segmented control that changes `current`.
pub fn choice<T: Copy + PartialEq>(ui: &mut Ui, word: &str, values: &[(T, impl AsRef<str>)], current: &mut T) {
    let chosen = row(ui, word, |ui| segmented_control::choose_wide(ui, word, Role::RadioButton, values, *current));
    *current = chosen.unwrap_or(*current);
}

/// Shows a value that the user cannot change.
pub fn fact(ui: &mut Ui, word: &str, shown: &str) {
    row(ui, word, |ui| text(ui, shown));
}

fn text(ui: &mut Ui, text: &str) {
    text::line(ui, text, fonts::body(), theme::tokens(ui).text2);
}

/// Shows checkboxes. Each can have a reason why it is disabled.
pub fn ticks(ui: &mut Ui, word: &str, ticks: &mut [(&str, &mut bool, Option<&str>)]) {
    row(ui, word, |ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        for (name, on, why_not) in ticks {
            checkbox::switch(ui, name, on, *why_not);
        }
    });
}

pub fn number(ui: &mut Ui, name: &str, shown: String, note: &str) -> Option<f64> {
    let colour = theme::tokens(ui).text;
    field::number_of(ui, Id::unique(("save", name)), 80.0, &Number { name, shown, note, framed: true, colour })
}

fn side(number: f64) -> u32 {
    number.round().clamp(1.0, 16_384.0) as u32
}

/// Shows the image size: as in the window, a square, or a custom width and height.
pub fn size(ui: &mut Ui, saving: &Saving, squares: &[u32], size: &mut ImageSize) {
    let squares_of = squares.iter().map(|side| format!("{side}²"));
    let words = std::iter::once("Window".to_owned()).chain(squares_of).chain(["Custom".to_owned()]);
    let choices: Vec<(usize, String)> = words.enumerate().collect();
    let other = choices.len() - 1;
    let square = |size: ImageSize| squares.iter().position(|side| size == ImageSize::Pixels(*side, *side));
    // A custom size may equal an offered square. In that case the control stays at *Custom*.
    let typed = Id::unique(("save", "typed size"));
    let typing = ui.data(|data| data.get_temp::<bool>(typed)).unwrap_or(false);
    let current = match *size {
        ImageSize::Window => 0,
        own if !typing => square(own).map_or(other, |index| index + 1),
        ImageSize::Pixels(..) => other,
    };
    let mut chosen = current;
    choice(ui, "Size", &choices, &mut chosen);
    if chosen != current {
        let (width, height) = saving.pixels(*size);
        *size = match chosen.checked_sub(1).map(|index| squares.get(index)) {
            None => ImageSize::Window,
            Some(Some(side)) => ImageSize::Pixels(*side, *side),
            Some(None) => ImageSize::Pixels(width, height),
        };
        ui.data_mut(|data| data.insert_temp(typed, chosen == other));
    }
    let (width, height) = saving.pixels(*size);
    row(ui, "", |ui| {
        if current != other {
            text(ui, &format!("{} × {} pixels", format::count(width as usize), format::count(height as usize)));
            return;
        }
        let note = "At most 8192 × 8192 pixels in total";
        if let Some(typed) = number(ui, "Width", width.to_string(), note) {
            *size = ImageSize::Pixels(side(typed), height);
        }
        text(ui, "×");
        if let Some(typed) = number(ui, "Height", height.to_string(), note) {
            *size = ImageSize::Pixels(width, side(typed));
        }
        text(ui, "pixels");
    });
}

/// Shows background, contents and quality of an image. `view` is what the view shows.
pub fn extras(ui: &mut Ui, view: &Display, extras: &mut ImageExtras) {
    let is_colour = |background: &Background| matches!(background, Background::Colour(_));
    let ImageExtras { background, grid, shadow, overlays, names, selection, samples } = extras;
    let had_ground = background.unwrap_or(view.background) != Background::Transparent;
    let backgrounds = [
        (None, "As in view"),
        (Some(Background::Transparent), "Transparent"),
        (Some(background.filter(is_colour).unwrap_or(Background::Colour([128; 3]))), "Colour"),
    ];
    row(ui, "Background", |ui| {
        arrange::at_end(ui, |ui| {
            if let Some(Background::Colour(colour)) = background {
                ui.spacing_mut().interact_size = vec2(48.0, 28.0);
                let response = ui.color_edit_button_srgb(colour);
                response.widget_info(|| WidgetInfo::labeled(Role::ColorWell, true, "Background colour"));
                response.on_hover_text("Background colour");
            }
            let current = background.filter(|background| *background != Background::Studio);
            let chosen = segmented_control::choose_wide(ui, "Background", Role::RadioButton, &backgrounds, current);
            *background = chosen.unwrap_or(*background);
        });
    });
    let has_ground = background.unwrap_or(view.background) != Background::Transparent;
    // A cutout has no shadows, unless the user adds them.
    *shadow = if has_ground == had_ground { *shadow } else { has_ground && view.shows(OverlayKind::Shadow) };
    let why_no_grid = (!has_ground).then_some("A transparent background has no grid");
    let mut rows = [("Grid", grid, why_no_grid), ("Shadows", shadow, None), ("Overlays", overlays, None)];
    ticks(ui, "Include", &mut rows);
    ticks(ui, "", &mut [("Labels", names, None), ("Selection outline", selection, None)]);
    choice(ui, "Quality", &[(1, "Draft"), (SAMPLES, "Normal"), (MAX_SAMPLES, "High")], samples);
}
