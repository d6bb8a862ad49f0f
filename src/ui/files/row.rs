//! The two kinds of rows: folders of 26 points, models of 42 with their pictures.

use std::path::Path;

use egui::{Id, Rect, Response, Role, Sense, Ui, pos2, vec2};

use super::gallery::{Gallery, Line, SIDE};
use crate::ui::button::focus_ring;
use crate::ui::{access, fonts, icons, list, paint, theme};
use maquette_assets::open::{Folder, format_by_name};

/// Height of a folder's row.
pub const FOLDER: f32 = list::ROW;
/// Height of a model's row.
pub const MODEL: f32 = 42.0;
/// How far rows go in per folder.
const INDENT: f32 = 12.0;
/// Folders deeper than this do not go further in, so that names have room.
const INDENTED_LEVELS: usize = 6;

fn indent(depth: usize) -> f32 {
    depth.min(INDENTED_LEVELS) as f32 * INDENT
}

/// Shows a folder or an archive; folded, with how many models it hides, if that is `counted`.
pub fn folder(ui: &Ui, rect: Rect, folder: &Folder, folded: bool, counted: bool) -> Response {
    let tokens = theme::tokens(ui);
    let response = ui.interact(rect, ui.scope_id().with(&folder.path), Sense::click());
    access::unfolds(&response, !folded, &folder.name);
    if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, theme::mix(tokens.panel, tokens.raised, 0.6));
    }
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let painter = ui.painter();
    let left = rect.left() + 8.0 + indent(folder.depth);
    let square = |x: f32| Rect::from_min_size(pos2(x, rect.top()), vec2(14.0, rect.height()));
    let chevron = if folded { icons::CHEVRON_RIGHT } else { icons::CHEVRON_DOWN };
    paint::icon(painter, square(left), chevron, 14.0, tokens.text2);
    let icon = if folder.is_archive { icons::PACKAGE } else { icons::FOLDER_OPEN };
    paint::icon(painter, square(left + 18.0), icon, 14.0, tokens.text2);
    let mut room = list::inside(rect, left + 37.0 - rect.left(), 12.0);
    if folded && counted {
        let count = crate::ui::format::count(folder.models);
        let count = paint::text_right(painter, room, &count, fonts::small(), tokens.text2);
        room.max.x = count.left() - 8.0;
    }
    paint::name_in(painter, room, &folder.name, fonts::body(), tokens.text2);
    response.on_hover_text(folder.path.display().to_string())
}

/// How a model's row looks.
#[derive(Clone, Copy, Debug)]
pub struct RowStyle<'a> {
    /// How many folders it lies in.
    pub depth: usize,
    /// It is the one in the scene.
    pub chosen: bool,
    /// It is the one in the scene and the list has the keyboard.
    pub focused: bool,
    /// Name of the archive or folder whose file the game takes in its place.
    pub replaced_by: Option<&'a str>,
    /// What is intact of it is in the scene.
    pub salvaged: bool,
}

/// Shows a model.
pub fn model(ui: &Ui, rect: Rect, id: Id, path: &Path, style: RowStyle<'_>, gallery: &mut Gallery) -> Response {
    let tokens = theme::tokens(ui);
    // The list as a whole takes the keyboard.
    let response = ui.interact(rect, id, Sense::CLICK);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let replaced = style.replaced_by.map(|by| format!("Replaced by {by}"));
    let below = if style.salvaged {
        Line { text: "Damaged".to_owned(), warns: true }
    } else {
        gallery.line(path, format_by_name(path))
    };
    let called = match &replaced {
        Some(replaced) => format!("{name}, {replaced}"),
        None if below.warns => format!("{name}, {}", below.text),
        None => name.to_string(),
    };
    access::choosable(&response, Role::ListItem, true, style.chosen, &called);
    if style.chosen {
        ui.painter().rect_filled(rect, 0.0, tokens.selected);
    } else if response.hovered() {
        ui.painter().rect_filled(rect, 0.0, tokens.raised);
    }
    focus_ring(ui, style.focused, rect.shrink(1.0), 0.0);
    let left = 12.0 + indent(style.depth);
    let square = Rect::from_min_size(rect.min + vec2(left, 5.0), vec2(SIDE, SIDE));
    gallery.show(ui, square, path);
    let words = list::inside(rect, left + SIDE + 9.0, 12.0);
    let line = |top: f32| {
        Rect::from_min_max(pos2(words.left(), rect.top() + top), pos2(words.right(), rect.top() + top + 16.0))
    };
    let font = if style.chosen { fonts::medium() } else { fonts::body() };
    let colour = if replaced.is_some() { tokens.text2 } else { tokens.text };
    paint::name_in(ui.painter(), line(6.0), &name, font, colour);
    let (Some(replaced), Some(by)) = (replaced, style.replaced_by) else {
        let colour = if below.warns { tokens.warn } else { tokens.text2 };
        paint::text_in(ui.painter(), line(22.0), &below.text, fonts::small(), colour);
        return response.on_hover_text(path.display().to_string());
    };
    // Where there is little room it is the name that is cut, not what is said of it.
    let word = paint::text_in(ui.painter(), line(22.0), "Replaced by", fonts::small(), tokens.warn);
    let room = Rect::from_min_max(pos2(word.right() + 3.0, line(22.0).top()), line(22.0).max);
    paint::name_in(ui.painter(), room, by, fonts::small(), tokens.warn);
    response.on_hover_text(format!("{}\n{replaced} in the game", path.display()))
}
