//! Rows of the file list: folders, and models with thumbnails.

use std::path::Path;

use egui::{Align2, Response, Ui, Vec2};

use super::gallery::{Gallery, Line, SIDE};
use crate::ui::kit::row::{Row, Shown};
use crate::ui::{format, icons, list, theme};
use maquette_assets::open::{Folder, format_by_name};

pub const FOLDER: f32 = list::ROW;
pub const MODEL: f32 = 42.0;

/// Shows a folder or an archive. If folded and `counted`, it shows its number of models.
pub fn folder(ui: &mut Ui, folder: &Folder, folded: bool, counted: bool) -> Response {
    let icon = if folder.is_archive { icons::PACKAGE } else { icons::FOLDER_OPEN };
    let mut row = Row::new(folder.name.as_str()).unfolds(!folded).icon(icon).inset(8.0 + list::indent(folder.depth));
    if folded && counted {
        row = row.small_value(format::count(folder.models));
    }
    let row = row.colour(theme::tokens(ui).text2);
    row.show(ui, &folder.path).on_hover_text(folder.path.display().to_string())
}

#[derive(Clone, Copy, Debug)]
pub struct RowStyle<'a> {
    pub depth: usize,
    /// Whether the model is open or selected.
    pub chosen: bool,
    /// Whether the model is chosen and the list has the keyboard.
    pub focused: bool,
    /// Archive or folder whose file overrides the model in the game.
    pub replaced_by: Option<&'a str>,
    /// Whether the model is open with only its intact parts.
    pub salvaged: bool,
}

pub fn model(ui: &mut Ui, path: &Path, style: RowStyle<'_>, gallery: &mut Gallery) -> Response {
    let tokens = theme::tokens(ui);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let replaced = style.replaced_by.map(|by| format!("Replaced by {by}"));
    let below = match &replaced {
        Some(replaced) => Line { text: replaced.clone(), warns: true },
        None if style.salvaged => Line { text: "Damaged".to_owned(), warns: true },
        None => gallery.line(path, format_by_name(path)),
    };
    let spoken = if below.warns { format!("{name}, {}", below.text) } else { name.to_string() };
    let row = Row::new(name).height(MODEL).inset(list::EDGE + list::indent(style.depth)).start(SIDE + 9.0);
    let row = row.selected(style.chosen).ring(style.focused).without_keyboard().spoken(spoken);
    let row = row.colour(if replaced.is_some() { tokens.text2 } else { tokens.text });
    let row = row.second_in(below.text, if below.warns { tokens.warn } else { tokens.text2 });
    let Shown { response, start, .. } = row.show_parts(ui, path);
    gallery.show(ui, Align2::LEFT_CENTER.align_size_within_rect(Vec2::splat(SIDE), start), path);
    match replaced {
        Some(replaced) => response.on_hover_text(format!("{}\n{replaced} in the game", path.display())),
        None => response.on_hover_text(path.display().to_string()),
    }
}
