//! Rows of the sheets that save: what is chosen at the left, the choice at the right.

use egui::{Id, Rect, Role, Ui, WidgetInfo, pos2, vec2};

use crate::ui::field::{self, Number};
use crate::ui::{checkbox, fonts, format, paint, segmented_control, theme};
use maquette_scene::scene::Background;
use maquette_scene::session::{ImageExtras, ImageSize, Saving};

/// From the sheet's edge to its words, and on to what is chosen.
pub const EDGE: f32 = 16.0;
const KEY: f32 = 104.0;
/// From the sheet's edge to what is chosen.
pub const INDENT: f32 = EDGE + KEY;

/// A row with a word. Gives the room for what is chosen.
fn row(ui: &mut Ui, word: &str) -> Rect {
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 28.0));
    let key = Rect::from_min_size(rect.min + vec2(EDGE, 0.0), vec2(KEY - 8.0, rect.height()));
    paint::text_in(ui.painter(), key, word, fonts::body(), theme::tokens(ui).text2);
    Rect::from_min_max(pos2(rect.left() + EDGE + KEY, rect.top()), pos2(rect.right() - EDGE, rect.bottom()))
}

/// One of few.
pub fn choice<T: Copy + PartialEq>(ui: &mut Ui, word: &str, values: &[(T, impl AsRef<str>)], current: T) -> Option<T> {
    let room = row(ui, word);
    segmented_control::show(ui, room, word, Role::RadioButton, values, current)
}

/// Something that follows from the rest.
pub fn told(ui: &mut Ui, word: &str, text: &str) {
    let room = row(ui, word);
    paint::text_in(ui.painter(), room, text, fonts::body(), theme::tokens(ui).text2);
}

/// Something that is on or off, each with its name.
pub fn ticks(ui: &mut Ui, word: &str, names: &[&str], on: &mut [&mut bool]) -> bool {
    let names: Vec<(&str, Option<&str>)> = names.iter().map(|name| (*name, None)).collect();
    ticks_unless(ui, word, &names, on)
}

/// Like [`ticks`], each with the reason why it cannot be on, if there is one.
fn ticks_unless(ui: &mut Ui, word: &str, names: &[(&str, Option<&str>)], on: &mut [&mut bool]) -> bool {
    let room = row(ui, word);
    let mut left = room.left();
    let mut changed = false;
    for ((name, why_not), on) in names.iter().zip(on) {
        let width = checkbox::LEAD + paint::width_of(ui, name, fonts::body()).ceil();
        let rect = Rect::from_min_size(pos2(left, room.top()), vec2(width, room.height()));
        left += width + 16.0;
        if let Some(why_not) = why_not {
            checkbox::show_disabled_at(ui, rect, name, why_not);
        } else if checkbox::show_at(ui, rect, name, **on) {
            **on = !**on;
            changed = true;
        }
    }
    changed
}

/// A number with its unit, and what may stand beside it.
pub fn number(ui: &mut Ui, word: &str, shown: String, note: &str) -> (Option<f64>, Rect) {
    let room = row(ui, word);
    let place = Rect::from_min_size(room.min, vec2(80.0, 28.0));
    let rest = Rect::from_min_max(pos2(place.right() + 16.0, room.top()), room.max);
    (number_at(ui, place, word, shown, note), rest)
}

fn number_at(ui: &mut Ui, place: Rect, name: &str, shown: String, note: &str) -> Option<f64> {
    let colour = theme::tokens(ui).text;
    let field = Number { name, shown, note, framed: true, colour };
    field::number(ui, Id::unique(("save", name)), place, &field)
}

/// A tick box beside something.
pub fn tick_beside(ui: &Ui, rest: Rect, name: &str, on: &mut bool) {
    if checkbox::show_at(ui, rest, name, *on) {
        *on = !*on;
    }
}

/// A side in whole pixels.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "kept between 1 and 16,384 first")]
fn side(number: f64) -> u32 {
    number.round().clamp(1.0, 16_384.0) as u32
}

/// How large: as in the window, one of these squares, or two sides that are typed.
pub fn size(ui: &mut Ui, saving: &Saving, squares: &[u32], size: &mut ImageSize) {
    let squares_of = squares.iter().map(|side| format!("{side} × {side}"));
    let words = std::iter::once("Window".to_owned()).chain(squares_of).chain(["Custom".to_owned()]);
    let choices: Vec<(usize, String)> = words.enumerate().collect();
    let other = choices.len() - 1;
    let square = |size: ImageSize| squares.iter().position(|side| size == ImageSize::Pixels(*side, *side));
    // A square that is offered may be typed too; then both say so.
    let typed = Id::unique(("save", "typed size"));
    let typing = ui.data(|data| data.get_temp::<bool>(typed)).unwrap_or(false);
    let current = match *size {
        ImageSize::Window => 0,
        own if !typing => square(own).map_or(other, |index| index + 1),
        ImageSize::Pixels(..) => other,
    };
    if let Some(chosen) = choice(ui, "Size", &choices, current) {
        let (width, height) = saving.pixels(*size);
        *size = match chosen.checked_sub(1).map(|index| squares.get(index)) {
            None => ImageSize::Window,
            Some(Some(side)) => ImageSize::Pixels(*side, *side),
            Some(None) => ImageSize::Pixels(width, height),
        };
        ui.data_mut(|data| data.insert_temp(typed, chosen == other));
    }
    let (width, height) = saving.pixels(*size);
    let is_other = current == other;
    let room = row(ui, "");
    let left = Rect::from_min_size(room.min, vec2(80.0, 28.0));
    let right = Rect::from_min_size(pos2(left.right() + 24.0, room.top()), vec2(80.0, 28.0));
    let tokens = theme::tokens(ui);
    let between = Rect::from_min_max(pos2(left.right() + 8.0, room.top()), pos2(right.left(), room.bottom()));
    let after = Rect::from_min_max(pos2(right.right() + 8.0, room.top()), room.max);
    if !is_other {
        let text = format!("{} × {} pixels", format::count(width as usize), format::count(height as usize));
        paint::text_in(ui.painter(), room, &text, fonts::body(), tokens.text2);
        return;
    }
    paint::text_in(ui.painter(), between, "×", fonts::body(), tokens.text2);
    paint::text_in(ui.painter(), after, "pixels", fonts::body(), tokens.text2);
    let note = "At most 8192 × 8192 pixels in total";
    if let Some(typed) = number_at(ui, left, "Width", width.to_string(), note) {
        *size = ImageSize::Pixels(side(typed), height);
    }
    if let Some(typed) = number_at(ui, right, "Height", height.to_string(), note) {
        *size = ImageSize::Pixels(width, side(typed));
    }
}

/// Shows background, grid and shadow of an image; `shown` is the background of the view.
pub fn scenery(ui: &mut Ui, shown: Background, scenery: &mut ImageExtras) {
    let is_colour = |background: &Background| matches!(background, Background::Colour(_));
    let mut room = row(ui, "Background");
    if let Some(Background::Colour(colour)) = &mut scenery.background {
        let place = Rect::from_min_max(pos2(room.right() - 48.0, room.top()), room.max);
        room.max.x -= 56.0;
        ui.scope_builder(egui::UiBuilder::new().max_rect(place).id_salt("colour"), |ui| {
            ui.spacing_mut().interact_size = place.size();
            let response = ui.color_edit_button_srgb(colour);
            response.widget_info(|| WidgetInfo::labeled(Role::ColorWell, true, "Background colour"));
            response.on_hover_text("Background colour");
        });
    }
    let backgrounds = [
        (None, "As in viewport"),
        (Some(Background::Transparent), "Transparent"),
        (Some(scenery.background.filter(is_colour).unwrap_or(Background::Colour([128; 3]))), "Colour"),
    ];
    let current = scenery.background.filter(|background| *background != Background::Studio);
    if let Some(chosen) = segmented_control::show(ui, room, "Background", Role::RadioButton, &backgrounds, current) {
        scenery.background = chosen;
    }
    let ImageExtras { background, grid, shadow, overlays, names, selection } = scenery;
    let has_ground = background.unwrap_or(shown) != Background::Transparent;
    let why_no_grid = (!has_ground).then_some("A transparent background has no grid");
    ticks_unless(
        ui,
        "Include",
        &[("Grid", why_no_grid), ("Ground shadow", None), ("Overlays", None)],
        &mut [grid, shadow, overlays],
    );
    ticks(ui, "", &["Labels", "Selection outline"], &mut [names, selection]);
}
