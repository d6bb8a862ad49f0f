//! The models of the folder, at the left: a list with a filter, and a step to the next or the one before.

use std::path::Path;

use egui::{Align, Rect, ScrollArea, Ui, pos2, vec2};

use super::button::Button;
use super::{field, fonts, icons, list, paint, theme, words};
use crate::session::{Action, Session};

/// What the panel remembers for itself.
#[derive(Debug, Default)]
pub struct Memory {
    filter: String,
    /// The part whose row was brought into sight.
    shown_part: u64,
    /// First and number of the models the filter was typed for.
    filtered: (Option<std::path::PathBuf>, usize),
}

/// Shows the panel.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut Memory, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let area = ui.max_rect();
    ui.spacing_mut().item_spacing.y = 0.0;
    let current = session.part().and_then(|part| part.file.as_deref());
    let count = session.siblings.len();

    // A filter is for the list it was typed for.
    let list_of = (session.siblings.first().cloned(), count);
    if memory.filtered != list_of {
        memory.filtered = list_of;
        memory.filter.clear();
    }
    ui.add_space(8.0);
    let hint = format!("Filter {}", words::plural(count, "model"));
    let id = ui.scope_id().with("filter");
    let typing = ui.memory(|memory| memory.has_focus(id));
    field::filter(ui, id, &mut memory.filter, &hint, 8.0);
    let entered = typing && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.add_space(8.0);
    let foot = Rect::from_min_max(pos2(area.left(), area.bottom() - 28.0), area.max);
    let height = (foot.top() - ui.next_widget_position().y).max(0.0);
    let wanted = memory.filter.to_lowercase();
    let shown: Vec<&Path> = session
        .siblings
        .iter()
        .map(std::path::PathBuf::as_path)
        .filter(|path| wanted.is_empty() || path.to_string_lossy().to_lowercase().contains(&wanted))
        .collect();
    if entered && let Some(first) = shown.first() {
        actions.push(Action::Show(first.to_path_buf()));
    }
    let place = shown.iter().position(|path| Some(*path) == current);
    let bring = memory.shown_part != session.actor().map_or(0, |actor| actor.number);
    memory.shown_part = session.actor().map_or(0, |actor| actor.number);
    let root = common_folder(session);
    let mut scroll = ScrollArea::vertical().id_salt("files").max_height(height).auto_shrink([false, false]);
    if let (true, Some(place)) = (bring, place) {
        scroll = scroll.vertical_scroll_offset((place as f32 * list::ROW - height / 2.0).max(0.0));
    }
    scroll.show_rows(ui, list::ROW, shown.len(), |ui, range| {
        for path in shown.get(range).unwrap_or_default() {
            file(ui, path, &root, Some(*path) == current, actions);
        }
    });
    if shown.is_empty() {
        let text = if count == 0 { "Open a folder to see its models" } else { "No model has this in its path" };
        let room =
            Rect::from_min_size(pos2(area.left() + 12.0, area.top() + 48.0), vec2(area.width() - 24.0, list::ROW));
        paint::text_in(ui.painter(), room, text, fonts::body(), tokens.text2);
    }
    ui.painter().hline(foot.x_range(), foot.top() + 0.5, (1.0, tokens.line));
    footer(ui, session, foot, current, actions);
}

/// The folder that all models of the list lie in or below.
fn common_folder(session: &Session) -> std::path::PathBuf {
    let mut paths = session.siblings.iter().filter_map(|path| path.parent());
    let Some(first) = paths.next() else { return std::path::PathBuf::new() };
    let mut common = first.to_path_buf();
    for path in paths {
        while !path.starts_with(&common) {
            if !common.pop() {
                return common;
            }
        }
    }
    common
}

fn file(ui: &mut Ui, path: &Path, root: &Path, chosen: bool, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let (rect, response) = list::row(ui, ui.scope_id().with(path), &name, list::ROW, chosen);
    if response.clicked() {
        actions.push(Action::Show(path.to_path_buf()));
    }
    let inner = list::inside(rect, 12.0, 12.0);
    let font = if chosen { fonts::medium() } else { fonts::body() };
    let own = paint::name_in(ui.painter(), inner, &name, font, tokens.text);
    let folder = path.parent().and_then(|folder| folder.strip_prefix(root).ok());
    let folder = folder.unwrap_or(Path::new("")).to_string_lossy();
    let rest = Rect::from_min_max(pos2(own.right() + 12.0, inner.top()), inner.max);
    if !folder.is_empty() && rest.width() > 40.0 {
        let short = paint::shortened(ui.painter(), &folder, &fonts::small(), rest.width());
        paint::text_right(ui.painter(), rest, &short, fonts::small(), tokens.text2);
    }
    response.on_hover_text(path.display().to_string());
}

fn footer(ui: &mut Ui, session: &Session, foot: Rect, current: Option<&Path>, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let count = session.siblings.len();
    let place = session.siblings.iter().position(|path| Some(path.as_path()) == current);
    let text = match place {
        Some(place) => format!("{} of {}", words::count(place + 1), words::count(count)),
        None => words::plural(count, "model"),
    };
    let room = list::inside(foot, 12.0, 64.0);
    paint::text_in(ui.painter(), room, &text, fonts::small(), tokens.text2);
    let builder = egui::UiBuilder::new().max_rect(foot.shrink2(vec2(8.0, 0.0)));
    ui.scope_builder(builder.layout(egui::Layout::right_to_left(Align::Center)), |ui| {
        ui.spacing_mut().item_spacing.x = 0.0;
        for (name, icon, action) in [
            ("Next model", icons::CHEVRON_RIGHT, Action::NextModel),
            ("Previous model", icons::CHEVRON_LEFT, Action::PreviousModel),
        ] {
            let button = Button::of(name, &action).icon(icon).height(24.0);
            if button.enabled(count > 1, "There is no other model").show(ui).clicked() {
                actions.push(action);
            }
        }
    });
}
