//! Drop target: an outline and a card that explains the effect of the drop.

use std::path::{Path, PathBuf};

use egui::{Align2, Area, Id, LayerId, Margin, Order, Ui, Vec2};

use super::{card, fonts, format, icons, paint, text, theme};
use maquette_assets::open::is_model_file;
use maquette_assets::vfs::{is_archive_folder_name, is_archive_name, split_extension};
use maquette_core::formats::is_animation_extension;
use maquette_core::model::Format;
use maquette_scene::session::{Action, DropAction, FileAction, Session};

pub fn take(ui: &Ui, actions: &mut Vec<Action>) {
    let paths: Vec<PathBuf> =
        ui.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect());
    if !paths.is_empty() {
        actions.push(Action::File(FileAction::Drop(paths)));
    }
}

/// Shows the outline and the card while files are dragged over the window.
pub fn show(ui: &Ui, session: &Session) {
    let hovered = ui.input(|input| input.raw.hovered_files.clone());
    if hovered.is_empty() {
        return;
    }
    let paths: Vec<PathBuf> = hovered.into_iter().filter_map(|file| file.path).collect();
    let tokens = theme::tokens(ui);
    let screen = ui.ctx().content_rect();
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("drop")));
    painter.rect_filled(screen, 0.0, tokens.bar.gamma_multiply(0.74));
    paint::outline(&painter, screen, 0, 3.0, tokens.accent);

    let action = session.document.drop_action(&paths);
    let (title, kind) = describe(&paths, &action);
    let then = match (action, session.name()) {
        _ if session.interface.path_field.is_some() => "Close the dialog first".to_owned(),
        _ if !is_understood(&paths) => {
            let [names @ .., last] = Format::ALL.map(Format::title);
            format!("Maquette opens {} and {last} models, and archives", names.join(", "))
        }
        (DropAction::Attach(to), _) => format!("Attach to {}", to.anchor.name()),
        (DropAction::TryTexture, _) => match session.document.chosen_surface_name() {
            Some(surface) => format!("Apply to {surface}"),
            None => "Apply to all surfaces".to_owned(),
        },
        (DropAction::TrySkin, _) => "Apply to the surfaces that the skin names".to_owned(),
        (DropAction::Animate, _) => "Add to the open mesh".to_owned(),
        (DropAction::Open, Some(name)) => format!("Replace {name}"),
        (DropAction::Open, None) => "Release to open".to_owned(),
    };
    // Draw the card above everything in the foreground order.
    let area = Area::new(Id::unique("drop card")).order(Order::Tooltip).interactable(false);
    area.anchor(Align2::CENTER_CENTER, Vec2::ZERO).show(ui.ctx(), |ui| {
        card::frame(ui).inner_margin(Margin { left: 16, right: 16, top: 22, bottom: 18 }).show(ui, |ui| {
            ui.set_width(348.0_f32.min(screen.width() - 64.0));
            ui.vertical_centered(|ui| {
                text::icon(ui, icons::DOWNLOAD, 28.0, tokens.accent);
                ui.add_space(8.0);
                text::line(ui, &title, fonts::heading(), tokens.text);
                text::line(ui, &kind, fonts::body(), tokens.text2);
                ui.add(egui::Separator::default().spacing(20.0));
                text::line(ui, &then, fonts::body(), tokens.text2);
            });
        });
    });
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// Whether Maquette can open or apply one of the files. A file without an extension counts, because it may be a folder,
/// and painting must not read the disk.
fn is_understood(paths: &[PathBuf]) -> bool {
    let is_known = |path: &PathBuf| {
        let name = name_of(path);
        let extension = split_extension(&name).1.to_lowercase();
        is_model_file(path)
            || is_archive_name(&name)
            || is_archive_folder_name(&name)
            || ["", "skin", "char"].contains(&extension.as_str())
            || is_animation_extension(&extension)
            || maquette_assets::material::IMAGE_EXTENSIONS.contains(&extension.as_str())
    };
    paths.is_empty() || paths.iter().any(is_known)
}

/// Returns the headline and the second line of the card.
fn describe(paths: &[PathBuf], action: &DropAction) -> (String, String) {
    let first = paths.iter().find(|path| is_model_file(path)).or(paths.first());
    let Some(first) = first else { return ("Open file".to_owned(), String::new()) };
    let name = name_of(first);
    let (title, other) = match action {
        _ if !is_understood(paths) => ("Cannot open", "Not a model"),
        DropAction::Open => ("Open", "Needs an open model"),
        DropAction::Attach(_) => ("Attach", "Needs an open model"),
        DropAction::TryTexture => ("Apply", "Texture"),
        DropAction::TrySkin => ("Apply", "Skin"),
        DropAction::Animate => ("Add", "Animation"),
    };
    let kind = if is_model_file(first) {
        let extension = first.extension().unwrap_or_default().to_string_lossy().to_uppercase();
        format!("{} model", extension.strip_suffix("MESH").unwrap_or(&extension))
    } else if is_archive_name(&name) {
        "Archive; its models are listed in Files".to_owned()
    } else if first.extension().is_none() || is_archive_folder_name(&name) {
        "Folder; its models are listed in Files".to_owned()
    } else {
        other.to_owned()
    };
    let kind = match paths.len() {
        0 | 1 => kind,
        number => format!("{kind}, and {}", format::plural(number - 1, "other")),
    };
    (format!("{title} {name}"), kind)
}
