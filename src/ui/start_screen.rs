//! Start screen: drop target, open buttons, recent files and links.

use std::path::Path;

use egui::epaint::{RoundedRect, tessellator::path};
use egui::{CornerRadius, Rect, Shape, Stroke, Ui, vec2};

use super::files::{Gallery, Line};
use super::{
    Button, Emphasis, Row, ViewportFeedback, arrange, error_strip, fonts, icons, menu, paint, text, theme, top_bar,
    viewport,
};
use maquette_assets::open::{format_by_name, is_model_file};
use maquette_assets::vfs::is_archive_name;
use maquette_core::model::PLAYER_PARTS;
use maquette_scene::session::{Action, Dialog, FileAction, FilePrompt, Preferences, Session, WindowAction};

const HEIGHT: f32 = 230.0;
const GAP: f32 = 24.0;
const HEADING: f32 = 28.0;
const ROW: f32 = 48.0;
const PICTURE: f32 = 36.0;
const INSET: f32 = 8.0;
const RECENT_ROWS: usize = 6;

/// Shows the start screen. The returned view rectangle is empty.
pub fn show(ui: &mut Ui, session: &Session, gallery: &mut Gallery, actions: &mut Vec<Action>) -> ViewportFeedback {
    error_strip::show_above(ui, session, actions);
    let area = ui.available_rect_before_wrap();
    viewport::studio(ui.painter(), area, theme::tokens(ui));
    let width = 560.0_f32.min(area.width() - 32.0).max(0.0);
    let height = HEIGHT.min(area.height() - 56.0).max(0.0);
    // Show as many recent files as fit below the card.
    let room = (area.height() - height - 8.0 - 2.0 * GAP - HEADING - 48.0) / ROW;
    let shown = session.preferences.recent.len().min(RECENT_ROWS).min(room.max(0.0) as usize);
    let list = if shown > 0 { GAP + HEADING + shown as f32 * ROW } else { 0.0 };
    let top = (area.height() * 0.13).min((area.height() - height - list - 56.0) / 2.0).max(8.0);
    let column = area.shrink2(vec2(((area.width() - width) / 2.0).max(0.0), 0.0)).round();
    ui.scope_builder(egui::UiBuilder::new().max_rect(column), |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(top);
        let (_, place) = ui.allocate_space(vec2(ui.available_width(), height));
        dashed(ui, place);
        let layout = egui::Layout::top_down(egui::Align::Center);
        let builder = egui::UiBuilder::new().max_rect(place).layout(layout);
        card_content(&mut ui.new_child(builder), session, actions);
        if shown > 0 {
            ui.add_space(GAP);
            recently(ui, &session.preferences, shown, gallery, actions);
        }
        ui.add_space(14.0);
        links(ui, session, actions);
    });
    viewport::feedback(ui, Rect { max: area.min, ..area })
}

/// Shows text and buttons of the card. A low card omits the icon, then the second line.
fn card_content(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let height = ui.available_height();
    let (has_icon, has_formats) = (height >= 210.0, height >= HEIGHT - 72.0);
    let content = 68.0 + if has_icon { 56.0 } else { 0.0 } + if has_formats { 28.0 } else { 0.0 };
    ui.add_space(((height - content) / 2.0).max(0.0).round());
    if has_icon {
        text::icon(ui, icons::BOX, 40.0, tokens.accent);
        ui.add_space(16.0);
    }
    ui.scope(|ui| {
        ui.set_max_width((ui.available_width() - 32.0).max(0.0));
        let loading = session.jobs.loading.as_deref();
        text::line(ui, loading.unwrap_or("Drop a model here"), fonts::title(), tokens.text);
        ui.add_space(8.0);
        if has_formats {
            let formats = "A model of an id Tech game, a glTF, or a folder or archive full of them";
            text::line(ui, formats, fonts::body(), tokens.text2);
            ui.add_space(8.0);
        }
    });
    ui.add_space(8.0);
    let buttons = [
        ("Open file", icons::FILE, "Open file…", Emphasis::Main, FilePrompt::Open),
        ("Open folder", icons::FOLDER_OPEN, "Open folder…", Emphasis::Raised, FilePrompt::OpenFolder),
    ]
    .map(|(name, icon, word, rank, prompt)| {
        (Button::new(name).icon(icon).word(word).rank(rank).height(32.0), Action::File(FileAction::Ask(prompt)))
    });
    let width = buttons.iter().map(|(button, _)| button.width(ui)).sum::<f32>() + 8.0;
    arrange::centred(ui, width, |ui| {
        ui.spacing_mut().item_spacing.x = 8.0;
        buttons.into_iter().for_each(|(button, action)| drop(button.push(ui, action, actions)));
    });
}

fn recently(ui: &mut Ui, preferences: &Preferences, shown: usize, gallery: &mut Gallery, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let forget = Action::File(FileAction::ForgetRecent);
    let clear = Button::new("Clear recent files").word("Clear").quiet().height(24.0);
    let heading = Row::heading("Recent").height(HEADING).inset(INSET).margin(0.0).end(clear.width(ui));
    let end = heading.show_parts(ui, "recent").end;
    arrange::within(ui, end, "clear recent", |ui| clear.push(ui, forget, actions));
    for path in preferences.recent.iter().take(shown) {
        let file = path.file_name().unwrap_or_default().to_string_lossy();
        let format = format_by_name(path);
        let (what, warns) = if format.is_some() { gallery.line(path, format) } else { Line::default() };
        let name = display_name(path);
        let folder = path.parent().map_or(String::new(), |folder| folder.display().to_string());
        let row = Row::new(&*name).button().spoken(format!("Open {name}")).font(fonts::medium()).second(folder);
        let row = row.height(ROW).inset(INSET).margin(INSET).start(PICTURE + 12.0).value(what);
        let row = row.value_colour(if warns { tokens.warn } else { tokens.text2 });
        let shown = row.show_parts(ui, ("recent", path));
        // Aligns the thumbnail with the heading.
        let square = shown.start.with_max_x(shown.start.left() + PICTURE).shrink2(vec2(0.0, (ROW - PICTURE) / 2.0));
        // A folder or an archive has the thumbnail of the model that was shown last from it.
        let model = if format.is_some() { Some(path) } else { preferences.recent_models.get(path) };
        model.into_iter().for_each(|model| gallery.show(ui, square, model));
        if format.is_none() && !model.is_some_and(|model| gallery.has(model)) {
            let icon = if is_archive_name(&file) { icons::PACKAGE } else { icons::FOLDER_OPEN };
            paint::fill(ui.painter(), square, 4, tokens.thumbnail);
            paint::icon(ui.painter(), square, icon, 16.0, tokens.text2);
        }
        if shown.response.on_hover_text(path.display().to_string()).clicked() {
            actions.push(Action::File(FileAction::Open(vec![path.clone()])));
        }
    }
}

/// Returns the display name of a file. A part of a character is called by its folder.
fn display_name(path: &Path) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_part = PLAYER_PARTS.contains(&stem.as_str()) && is_model_file(path);
    path.parent().filter(|_| is_part).map(name).filter(|name| !name.is_empty()).unwrap_or_else(|| name(path))
}

fn links(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let link = |word, icon, action| (Button::new(word).icon(icon).word(word).quiet(), action);
    let help = Action::Window(WindowAction::ToggleDialog(Dialog::Help));
    let mut links = vec![link("Keyboard shortcuts", icons::KEYBOARD, help)];
    if session.last_session.is_some() && ui.available_width() > 420.0 {
        links.insert(0, link("Restore last session", icons::HISTORY, Action::File(FileAction::RestoreLast)));
    }
    let samples = Button::new("Sample models").icon(icons::PERSON).word("Sample models").quiet().menu();
    let width: f32 = links.iter().map(|(button, _)| button.width(ui) + 12.0).sum();
    arrange::centred(ui, samples.width(ui) + width, |ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        menu::below(&samples.show(ui), |ui| top_bar::samples(ui, actions));
        links.into_iter().for_each(|(button, action)| drop(button.push(ui, action, actions)));
    });
}

fn dashed(ui: &Ui, card: Rect) {
    let mut points = Vec::new();
    path::rounded_rectangle(&mut points, RoundedRect::new(card.shrink(0.5), CornerRadius::same(10)));
    points.extend(points.first().copied());
    let stroke = Stroke::new(1.0, theme::tokens(ui).text3);
    ui.painter().extend(Shape::dashed_line(&points, stroke, 4.0, 3.0));
}
