//! The window before the first model: one place to drop on, one main button, what was open before, a sample, the keys.

use std::path::{Path, PathBuf};

use egui::{Align2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2, vec2};

use super::button::{self, Button, Emphasis};
use super::files::{Gallery, Line};
use super::{ViewportFeedback, error_strip, fonts, format, icons, paint, theme, top_bar, viewport};
use maquette_assets::open::format_by_name;
use maquette_assets::vfs::is_archive_name;
use maquette_scene::session::{Action, Dialog, FileAction, FilePrompt, Session, WindowAction};

/// Height of the card where there is room for it.
const HEIGHT: f32 = 230.0;
/// Between the card and what follows.
const GAP: f32 = 24.0;
/// Height of the list's heading, and of a row.
const HEADING: f32 = 28.0;
const ROW: f32 = 48.0;
/// Side of a row's picture.
const PICTURE: f32 = 36.0;
/// Rows at most.
const RECENT_ROWS: usize = 6;

/// Shows it; the picture has no place.
pub fn show(ui: &mut Ui, session: &Session, gallery: &mut Gallery, actions: &mut Vec<Action>) -> ViewportFeedback {
    error_strip::show_above(ui, session, actions);
    let tokens = theme::tokens(ui);
    let area = ui.available_rect_before_wrap();
    let _ = ui.allocate_rect(area, Sense::hover());
    viewport::studio(ui.painter(), area, tokens);

    let size = vec2(560.0_f32.min(area.width() - 32.0), HEIGHT.min(area.height() - 56.0));
    let recent = &session.preferences.recent;
    // As many as there is room for below the card.
    let room = (area.height() - size.y - 8.0 - 2.0 * GAP - HEADING - 48.0) / ROW;
    let shown = recent.len().min(RECENT_ROWS).min(room.max(0.0) as usize);
    let list = if shown > 0 { GAP + HEADING + shown as f32 * ROW } else { 0.0 };
    let top = (area.height() * 0.13).min((area.height() - size.y - list - 56.0) / 2.0).max(8.0);
    let card = Rect::from_min_size(pos2(area.center().x - size.x / 2.0, area.top() + top), size).round();
    dashed(ui, card);
    let compact = size.y < 210.0;
    // Without its icon the card ends as far below the buttons as ever; a still lower one has no second line either.
    let lift = if compact { (HEIGHT - size.y).clamp(24.0, 72.0) } else { 0.0 };
    let is_lowest = size.y < HEIGHT - 72.0;
    let at = |y: f32| pos2(card.center().x, card.top() + y - lift);
    if !compact {
        let place = Rect::from_center_size(at(56.0), vec2(40.0, 40.0));
        paint::icon(ui.painter(), place, icons::BOX, 40.0, tokens.accent);
    }
    let painter = ui.painter();
    let loading = session.jobs.loading.as_ref().map(|name| format!("Opening {name}…"));
    let title = loading.unwrap_or_else(|| "Drop a model here".to_owned());
    let title = paint::shortened(painter, &title, &fonts::title(), card.width() - 32.0);
    paint::text(painter, at(108.0), Align2::CENTER_CENTER, &title, fonts::title(), tokens.text);
    let what = format!("{}, or a folder or archive full of them", format::format_names().join(", "));
    if !is_lowest {
        paint::text(painter, at(136.0), Align2::CENTER_CENTER, &what, fonts::body(), tokens.text2);
    }
    let buttons = if is_lowest { 137.0 } else { 165.0 };

    let open = Button::of("Open file", &Action::File(FileAction::Ask(FilePrompt::Open)))
        .icon(icons::FILE)
        .word("Open file…")
        .rank(Emphasis::Main);
    let folder = Button::of("Open folder", &Action::File(FileAction::Ask(FilePrompt::OpenFolder)))
        .icon(icons::FOLDER_OPEN)
        .word("Open folder…")
        .rank(Emphasis::Raised);
    let (open, folder) = (open.height(32.0), folder.height(32.0));
    let (first, second) = (open.width(ui), folder.width(ui));
    let left = at(0.0).x - (first + 8.0 + second) / 2.0;
    let rect = |x: f32, width: f32| Rect::from_min_size(pos2(x.round(), at(buttons).y.round()), vec2(width, 32.0));
    if open.show_at(ui, rect(left, first), "open").clicked() {
        actions.push(Action::File(FileAction::Ask(FilePrompt::Open)));
    }
    if folder.show_at(ui, rect(left + first + 8.0, second), "folder").clicked() {
        actions.push(Action::File(FileAction::Ask(FilePrompt::OpenFolder)));
    }
    if shown > 0 {
        let corner = pos2(card.left(), card.bottom() + GAP);
        let place = Rect::from_min_size(corner, vec2(card.width(), HEADING + shown as f32 * ROW));
        recently(ui, place, recent.get(..shown).unwrap_or_default(), gallery, actions);
    }
    let below = Rect::from_min_size(pos2(card.left(), card.bottom() + list + 12.0), vec2(card.width(), 32.0));
    links(ui, session, below, actions);
    viewport::feedback(ui, Rect::from_min_size(area.min, egui::Vec2::ZERO))
}

/// What was opened before: a row each, with its picture where it is one model.
fn recently(ui: &mut Ui, place: Rect, recent: &[PathBuf], gallery: &mut Gallery, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let heading = Rect::from_min_size(place.min, vec2(place.width(), HEADING));
    paint::text_in(ui.painter(), heading, "Recent", fonts::strong(), tokens.text);
    let clear =
        Button::of("Clear recent files", &Action::File(FileAction::ForgetRecent)).word("Clear").quiet().height(24.0);
    let width = clear.width(ui);
    let at = Rect::from_min_size(pos2(heading.right() - width, heading.top() + 2.0), vec2(width, 24.0));
    actions.extend(clear.show_at(ui, at, "clear recent").clicked().then_some(Action::File(FileAction::ForgetRecent)));
    for (index, path) in recent.iter().enumerate() {
        let top = place.top() + HEADING + index as f32 * ROW;
        let rect = Rect::from_min_size(pos2(place.left(), top), vec2(place.width(), ROW));
        if row(ui, rect, path, gallery) {
            actions.push(Action::File(FileAction::Open(vec![path.clone()])));
        }
    }
}

fn row(ui: &Ui, rect: Rect, path: &Path, gallery: &mut Gallery) -> bool {
    let tokens = theme::tokens(ui);
    let file = path.file_name().unwrap_or_default().to_string_lossy();
    let name = &*called(path);
    let response = ui.interact(rect, ui.scope_id().with(("recent", path)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Open {name}")));
    if response.hovered() {
        paint::fill(ui.painter(), rect.expand2(vec2(8.0, 0.0)), theme::CORNER, tokens.raised);
    }
    button::focus_ring(ui, response.has_focus(), rect.expand2(vec2(8.0, 0.0)), 0.0);
    // In line with the heading.
    let square = Rect::from_min_size(rect.min + vec2(0.0, (ROW - PICTURE) / 2.0), vec2(PICTURE, PICTURE));
    let format = format_by_name(path);
    let what = if format.is_some() {
        gallery.show(ui, square, path);
        gallery.line(path, format)
    } else {
        let icon = if is_archive_name(&file) { icons::PACKAGE } else { icons::FOLDER_OPEN };
        paint::fill(ui.painter(), square, 4, tokens.thumbnail);
        paint::icon(ui.painter(), square, icon, 16.0, tokens.text2);
        Line::default()
    };
    let colour = if what.warns { tokens.warn } else { tokens.text2 };
    let inner = Rect::from_min_max(pos2(square.right() + 12.0, rect.top()), pos2(rect.right(), rect.bottom()));
    let right = paint::text_right(ui.painter(), inner, &what.text, fonts::body(), colour).left() - 12.0;
    let line = |top: f32, height: f32| {
        let corner = pos2(inner.left(), rect.top() + top);
        Rect::from_min_max(corner, pos2(right, rect.top() + top + height))
    };
    paint::name_in(ui.painter(), line(6.0, 18.0), name, fonts::medium(), tokens.text);
    let folder = path.parent().map_or(String::new(), |folder| folder.display().to_string());
    paint::name_in(ui.painter(), line(24.0, 16.0), &folder, fonts::small(), tokens.text2);
    response.on_hover_text(path.display().to_string()).clicked()
}

/// What a file is listed as: a part of a character by the character's folder.
fn called(path: &Path) -> String {
    let name = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let stem = path.file_stem().unwrap_or_default().to_string_lossy().to_lowercase();
    let is_part = ["lower", "upper", "head"].contains(&stem.as_str()) && format_by_name(path).is_some();
    path.parent().filter(|_| is_part).map(name).filter(|name| !name.is_empty()).unwrap_or_else(|| name(path))
}

fn links(ui: &mut Ui, session: &Session, room: Rect, actions: &mut Vec<Action>) {
    let keys = Button::of("Keyboard shortcuts", &Action::Window(WindowAction::ToggleDialog(Dialog::Help)))
        .icon(icons::KEYBOARD)
        .word("Keyboard shortcuts")
        .quiet();
    let sample_width = paint::width_of(ui, "Sample models", fonts::body()) + 16.0 + 22.0 + 20.0;
    let restore = Button::of("Restore last session", &Action::File(FileAction::RestoreLast)).icon(icons::HISTORY);
    let restore = restore.word("Restore last session").quiet();
    let restores = session.last_session.is_some() && room.width() > 420.0;
    let more = if restores { restore.width(ui) + 12.0 } else { 0.0 };
    let width = sample_width + 12.0 + keys.width(ui) + more;
    let place = Rect::from_center_size(room.center(), vec2(width, 28.0)).round();
    let builder = egui::UiBuilder::new().max_rect(place).layout(egui::Layout::left_to_right(egui::Align::Center));
    ui.scope_builder(builder, |ui| {
        ui.spacing_mut().item_spacing.x = 12.0;
        top_bar::samples_menu(ui, actions);
        actions.extend((restores && restore.show(ui).clicked()).then_some(Action::File(FileAction::RestoreLast)));
        actions.extend(keys.show(ui).clicked().then_some(Action::Window(WindowAction::ToggleDialog(Dialog::Help))));
    });
}

/// A dashed line round a card.
fn dashed(ui: &Ui, card: Rect) {
    let tokens = theme::tokens(ui);
    let rect = card.shrink(0.5);
    let corner = 10.0;
    let mut points = Vec::new();
    for (centre, from) in [
        (pos2(rect.right() - corner, rect.top() + corner), -90.0_f32),
        (pos2(rect.right() - corner, rect.bottom() - corner), 0.0),
        (pos2(rect.left() + corner, rect.bottom() - corner), 90.0),
        (pos2(rect.left() + corner, rect.top() + corner), 180.0),
    ] {
        for step in 0..=6_u8 {
            let angle = (from + f32::from(step) * 15.0).to_radians();
            points.push(centre + vec2(angle.cos(), angle.sin()) * corner);
        }
    }
    points.extend(points.first().copied());
    ui.painter().extend(Shape::dashed_line(&points, Stroke::new(1.0, tokens.text3), 4.0, 3.0));
}
