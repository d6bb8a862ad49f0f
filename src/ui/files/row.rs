//! Rows of the file list: folders, and models with thumbnails.

use std::path::Path;

use egui::{Align2, Response, Ui, Vec2};

use super::gallery::{Gallery, Line, SIDE};
use super::problems;
use crate::ui::kit::row::Shown;
use crate::ui::{Row, format, icons, list, theme};
use maquette_assets::open::{TreeFolder, unread_kind};
use maquette_scene::session::Session;

pub const FOLDER: f32 = list::ROW;
pub const MODEL: f32 = 42.0;
pub const MODEL_IN_FOLDER: f32 = 60.0;

/// Shows a folder or an archive. If it is folded and `counted`, the row shows its number of models.
pub fn folder(ui: &mut Ui, folder: &TreeFolder, folded: bool, counted: bool) -> Response {
    let icon = if folder.is_archive { icons::PACKAGE } else { icons::FOLDER_OPEN };
    let mut row = Row::new(folder.name.as_str()).unfolds(!folded).icon(icon).inset(8.0 + list::indent(folder.depth));
    if folded && counted {
        row = row.small_value(format::count(folder.models));
    }
    let row = row.colour(theme::tokens(ui).text2);
    row.show(ui, &folder.path).on_hover_text(folder.path.display().to_string())
}

/// Shows a model with a line of text and, unless it is empty, a folder. `style` sets indentation and selection of its row.
pub fn model(
    ui: &mut Ui,
    session: &Session,
    (path, folder): (&Path, &str),
    line: Line,
    gallery: &mut Gallery,
    style: impl FnOnce(Row<'_>) -> Row<'_>,
) -> Response {
    let tokens = theme::tokens(ui);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let replaced = session.replaced_models.get(path).map(|by| format!("Overridden by {by}"));
    let is_salvaged = session.asset().is_some_and(|asset| asset.salvaged && asset.file.as_deref() == Some(path));
    let (below, warns) = match &replaced {
        Some(replaced) => (replaced.clone(), true),
        None if is_salvaged => ("Damaged".to_owned(), true),
        None => line,
    };
    let details = [folder, if warns { below.as_str() } else { "" }];
    let details = details.into_iter().filter(|text| !text.is_empty());
    let spoken = std::iter::once(&*name).chain(details).collect::<Vec<_>>().join(", ");
    let height = if folder.is_empty() { MODEL } else { MODEL_IN_FOLDER };
    let row = style(Row::new(name)).height(height).start(SIDE + 9.0).without_keyboard().spoken(spoken);
    let problem = gallery.problem(path).map(str::to_owned);
    let is_grey = replaced.is_some() || problem.is_some();
    let row = row.colour(if is_grey { tokens.text2 } else { tokens.text });
    let ink = if warns { tokens.warn } else { tokens.text2 };
    let row = if folder.is_empty() { row.second_in(below, ink) } else { row.second(folder).third_in(below, ink) };
    let Shown { response, start, .. } = row.show_parts(ui, path);
    gallery.show(ui, Align2::LEFT_CENTER.align_size_within_rect(Vec2::splat(SIDE), start), path);
    match replaced {
        Some(replaced) => response.on_hover_text(format!("{}\n{replaced} in the game", path.display())),
        // The reason begins with the path.
        None => response.on_hover_text(match problems::reasons(session, path) {
            Some(reasons) => format!("{}\n{reasons}", path.display()),
            None => problem.unwrap_or_else(|| path.display().to_string()),
        }),
    }
}

/// Shows a file of a model format that Maquette does not read, with the name of the format.
pub fn unread(ui: &mut Ui, path: &Path) {
    let tokens = theme::tokens(ui);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let what = unread_kind(path).unwrap_or_default();
    let spoken = format!("{name}, {what}");
    let row = Row::label(name).height(MODEL).inset(8.0).spoken(spoken).colour(tokens.text3);
    let shown = row.second_in(what.to_owned(), tokens.text3).show(ui, path);
    shown.on_hover_text(format!("{}\nMaquette does not read this format", path.display()));
}
