//! Files over the window: an edge, and a card that says what letting go will do.

use std::path::{Path, PathBuf};

use egui::{Align2, Id, LayerId, Order, Rect, Ui, vec2};

use super::{fonts, format, icons, paint, theme};
use maquette_assets::open::is_model_file;
use maquette_assets::vfs::{is_archive_folder_name, is_archive_name, split_extension};
use maquette_scene::session::{Action, DropAction, FileAction, Session};

/// Files that were let go go where they belong.
pub fn take(ui: &Ui, actions: &mut Vec<Action>) {
    let paths: Vec<PathBuf> =
        ui.input(|input| input.raw.dropped_files.iter().map(|file| file.path().to_path_buf()).collect());
    if !paths.is_empty() {
        actions.push(Action::File(FileAction::Drop(paths)));
    }
}

/// Shows edge and card while files are held over the window.
pub fn show(ui: &Ui, session: &Session) {
    let paths: Vec<PathBuf> =
        ui.input(|input| input.raw.hovered_files.iter().filter_map(|file| file.path.clone()).collect());
    let held = ui.input(|input| !input.raw.hovered_files.is_empty());
    if !held {
        return;
    }
    let tokens = theme::tokens(ui);
    let screen = ui.ctx().content_rect();
    let painter = ui.ctx().layer_painter(LayerId::new(Order::Foreground, Id::unique("drop")));
    painter.rect_filled(screen, 0.0, tokens.bar.gamma_multiply(0.74));
    paint::outline(&painter, screen, 0, 3.0, tokens.accent);

    let action = session.drop_action(&paths);
    let (title, kind) = describe(&paths, &action);
    let then = match (action, session.name()) {
        _ if !is_understood(&paths) => {
            let [names @ .., last] = format::format_names();
            format!("Maquette opens {} and {last} models, and archives", names.join(", "))
        }
        (DropAction::Attach(to), _) => format!("Attaches to {}", to.anchor.name()),
        (DropAction::TryPicture, _) => match session.chosen_surface_name() {
            Some(surface) => format!("To {surface}"),
            None => "To all surfaces".to_owned(),
        },
        (DropAction::TrySkin, _) => "To the surfaces it names".to_owned(),
        (DropAction::Animate, _) => "To the open MD5 mesh".to_owned(),
        (DropAction::Open, Some(name)) => format!("Replaces {name}"),
        (DropAction::Open, None) => "Release to open".to_owned(),
    };
    let card = Rect::from_center_size(screen.center(), vec2(380.0_f32.min(screen.width() - 32.0), 172.0));
    let shadow = ui.visuals().popup_shadow.as_shape(card, theme::CARD_CORNER);
    painter.add(shadow);
    paint::fill(&painter, card, theme::CARD_CORNER, tokens.pop);
    paint::outline(&painter, card, theme::CARD_CORNER, 1.0, tokens.line);
    let middle = card.center().x;
    let at = |y: f32| egui::pos2(middle, card.top() + y);
    paint::icon(&painter, Rect::from_center_size(at(38.0), vec2(32.0, 32.0)), icons::DOWNLOAD, 28.0, tokens.accent);
    let room = card.width() - 32.0;
    let centred = |y: f32, text: &str, font: egui::FontId, colour| {
        let short = paint::shortened(&painter, text, &font, room);
        paint::text(&painter, at(y), Align2::CENTER_CENTER, &short, font, colour);
    };
    centred(74.0, &title, fonts::heading(), tokens.text);
    centred(97.0, &kind, fonts::body(), tokens.text2);
    painter.hline(card.shrink(24.0).x_range(), card.top() + 119.5, (1.0, tokens.line));
    centred(144.0, &then, fonts::body(), tokens.text2);
}

fn name_of(path: &Path) -> String {
    path.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

/// A file without extension may be a folder, which may hold models; asking the disk is not for a drawing.
fn is_understood(paths: &[PathBuf]) -> bool {
    let is_known = |path: &PathBuf| {
        let name = name_of(path);
        let (_, extension) = split_extension(&name);
        let extension = extension.to_lowercase();
        is_model_file(path)
            || extension.is_empty()
            || is_archive_name(&name)
            || is_archive_folder_name(&name)
            || ["skin", "md5anim"].contains(&extension.as_str())
            || maquette_assets::material::IMAGE_EXTENSIONS.contains(&extension.as_str())
    };
    paths.is_empty() || paths.iter().any(is_known)
}

/// Headline and second line of the card.
fn describe(paths: &[PathBuf], action: &DropAction) -> (String, String) {
    let first = paths.iter().find(|path| is_model_file(path)).or(paths.first());
    let Some(first) = first else { return ("Open file".to_owned(), String::new()) };
    let title = match action {
        _ if !is_understood(paths) => "Cannot open",
        DropAction::Open => "Open",
        DropAction::Attach(_) => "Attach",
        DropAction::TryPicture | DropAction::TrySkin => "Apply",
        DropAction::Animate => "Add",
    };
    let kind = if is_model_file(first) {
        let extension = first.extension().unwrap_or_default().to_string_lossy().to_uppercase();
        format!("{} model", extension.strip_suffix("MESH").unwrap_or(&extension))
    } else if is_archive_name(&name_of(first)) {
        "Archive; its models are listed in Files".to_owned()
    } else if first.extension().is_none() || is_archive_folder_name(&name_of(first)) {
        "Folder; its models are listed in Files".to_owned()
    } else if is_understood(paths) {
        match action {
            DropAction::TryPicture => "Texture".to_owned(),
            DropAction::TrySkin => "Skin".to_owned(),
            DropAction::Animate => "Animation".to_owned(),
            DropAction::Open | DropAction::Attach(_) => "Needs an open model".to_owned(),
        }
    } else {
        "Not a model".to_owned()
    };
    let more = match paths.len() {
        0 | 1 => kind,
        number => format!("{kind}, and {}", format::plural(number - 1, "other")),
    };
    (format!("{title} {}", name_of(first)), more)
}
