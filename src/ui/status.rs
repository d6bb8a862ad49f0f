//! The status bar: what just happened at the left, what the model is made of at the right.

use egui::{Align, Layout, Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::button::{Button, focus_ring};
use super::layout::{RequestedPanel, WindowLayout};
use super::{fonts, format, icons, inspector, list, paint, theme, top_bar};
use maquette_scene::session::{
    Action, Dialog, ExportJob, FileAction, NotificationKind, SaveAction, Session, WindowAction,
};

/// Seconds that opening takes before it can be given up: what is over sooner needs no button.
const PATIENCE: f64 = 1.0;

/// Shows the bar; `waiting` is how many seconds something has been opened for.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    wanted: &mut RequestedPanel,
    form: &WindowLayout,
    inspector: &mut inspector::State,
    waiting: f64,
    actions: &mut Vec<Action>,
) {
    let bar = ui.max_rect();
    let inner = bar.shrink2(vec2(12.0, 0.0));
    let right = ui
        .scope_builder(egui::UiBuilder::new().max_rect(inner).layout(Layout::right_to_left(Align::Center)), |ui| {
            ui.spacing_mut().item_spacing.x = 16.0;
            facts(ui, session, wanted, form, inspector, actions);
            ui.min_rect().left()
        })
        .inner;
    let left = Rect::from_min_max(pos2(bar.left() + 12.0, bar.top()), pos2(right - 16.0, bar.bottom()));
    match (&session.jobs.loading, &session.jobs.work, session.pending_textures()) {
        (Some(name), ..) => loading(ui, name, waiting, left, actions),
        (None, Some(work), _) => progress(ui, work, left, actions),
        (None, None, Some((done, of))) => textures_come(ui, done, of, left),
        (None, None, None) => happened(ui, session, left, actions),
    }
}

/// How many textures are decoded of what is shown without them.
fn textures_come(ui: &Ui, done: usize, of: usize, room: Rect) {
    let text = format!("Loading textures, {done} of {of}…");
    let response = ui.interact(room, ui.scope_id().with("textures"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
    paint::text_in(ui.painter(), room, &text, fonts::small(), theme::tokens(ui).text2);
}

fn happened(ui: &Ui, session: &Session, room: Rect, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let note = session.interface.notes.last();
    let (text, kind) = match note {
        Some(note) if note.detail.is_empty() => (note.text.clone(), note.kind),
        Some(note) => (format!("{}. {}", note.text, note.detail), note.kind),
        None if session.asset().is_none() => ("No model open".to_owned(), NotificationKind::Done),
        None => return,
    };
    let (icon, colour) = match kind {
        NotificationKind::Done => (None, tokens.text2),
        NotificationKind::Warning => (Some(icons::WARNING), tokens.warn),
        NotificationKind::Failed => (Some(icons::FAILED), tokens.error),
    };
    let sense = if note.is_some() { Sense::click() } else { Sense::hover() };
    let response = ui.interact(room, ui.scope_id().with("happened"), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
    focus_ring(ui, response.has_focus(), room.expand2(vec2(4.0, -1.0)), 0.0);
    let mut words_left = room.left();
    if let Some(icon) = icon {
        paint::icon(ui.painter(), Rect::from_min_size(room.min, vec2(14.0, room.height())), icon, 14.0, colour);
        words_left += 19.0;
    }
    let room = Rect::from_min_max(pos2(words_left, room.top()), room.max);
    let ink = if kind == NotificationKind::Done { tokens.text2 } else { colour };
    paint::text_in(ui.painter(), room, &text, fonts::small(), ink);
    if note.is_some() && response.clicked() {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Log)));
    }
    if note.is_some() {
        response.on_hover_ui(|ui| {
            ui.label(&text);
            ui.label(egui::RichText::new("Click to open the log").small().weak());
        });
    }
}

/// What is being made, how far it is, and a way out of it.
fn progress(ui: &mut Ui, work: &ExportJob, room: Rect, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let text = work.text();
    let button = Button::new("Cancel").word("Cancel").icon(icons::CLOSE).height(22.0);
    let wide = paint::width_of(ui, &text, fonts::small()).ceil();
    let bar = (room.width() - wide - button.width(ui) - 24.0).clamp(0.0, 160.0);
    let words = Rect::from_min_size(room.min, vec2(wide.min(room.width()), room.height()));
    let response = ui.interact(words, ui.scope_id().with("work"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
    paint::text_in(ui.painter(), words, &text, fonts::small(), tokens.text2);
    let rail = Rect::from_min_size(pos2(words.right() + 12.0, room.center().y - 2.0), vec2(bar, 4.0));
    let share = work.done as f32 / work.of.max(1) as f32;
    paint::fill(ui.painter(), rail, 2, tokens.line);
    let done = Rect::from_min_size(rail.min, vec2(bar * share.clamp(0.0, 1.0), 4.0));
    paint::fill(ui.painter(), done, 2, tokens.accent_fill);
    let place = Rect::from_min_size(pos2(rail.right() + 12.0, room.top() + 1.0), vec2(button.width(ui), 22.0));
    actions.extend(button.show_at(ui, place, "cancel work").clicked().then_some(Action::Save(SaveAction::CancelWork)));
}

/// What is being opened, and a way out of it.
fn loading(ui: &mut Ui, name: &str, waiting: f64, room: Rect, actions: &mut Vec<Action>) {
    let text = format!("Opening {name}…");
    let mut right = room.right();
    if waiting >= PATIENCE {
        let button = Button::new("Cancel").word("Cancel").icon(icons::CLOSE).height(22.0);
        let wanted = paint::width_of(ui, &text, fonts::small()) + 12.0;
        let left = (room.left() + wanted).min(room.right() - button.width(ui));
        let place = Rect::from_min_size(pos2(left, room.top() + 1.0), vec2(button.width(ui), 22.0));
        right = left - 8.0;
        if button.show_at(ui, place, "cancel").clicked() {
            actions.push(Action::File(FileAction::CancelLoading));
        }
    } else {
        ui.ctx().request_repaint_after_secs((PATIENCE - waiting) as f32 + 0.01);
    }
    let words = Rect::from_min_max(room.min, pos2(right, room.bottom()));
    let response = ui.interact(words, ui.scope_id().with("opening"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Status, true, &text));
    paint::text_in(ui.painter(), words, &text, fonts::small(), theme::tokens(ui).text2);
}

fn facts(
    ui: &mut Ui,
    session: &Session,
    wanted: &mut RequestedPanel,
    form: &WindowLayout,
    inspector: &mut inspector::State,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    if session.asset().is_none() {
        small(ui, concat!("Maquette ", env!("CARGO_PKG_VERSION")));
        return;
    }
    let counts = inspector::issue_counts(session);
    let text = inspector::issue_summary(counts);
    let (icon, colour) = match counts {
        [0, 0] => (icons::DONE, tokens.ok),
        [0, _] => (icons::WARNING, tokens.warn),
        _ => (icons::FAILED, tokens.error),
    };
    let width = paint::width_of(ui, &text, fonts::small()) + 19.0;
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &text));
    paint::icon(ui.painter(), Rect::from_min_size(rect.min, vec2(14.0, rect.height())), icon, 14.0, colour);
    let ink = if response.hovered() || response.has_focus() { tokens.text } else { tokens.text2 };
    paint::text_in(ui.painter(), list::inside(rect, 19.0, -1.0), &text, fonts::small(), ink);
    focus_ring(ui, response.has_focus(), rect.expand2(vec2(4.0, -1.0)), 0.0);
    top_bar::show_issues(&response, session, form, wanted, inspector, actions);

    let (mut surfaces, mut triangles, mut parts) = (0, 0, 0);
    let mut textures: Vec<&str> = Vec::new();
    for entity in session.document.scene.entities().iter().filter(|entity| session.document.scene.shows(entity)) {
        parts += 1;
        for surface in entity.asset.model.surfaces().iter().filter(|surface| surface.lod == entity.lod) {
            surfaces += 1;
            triangles += surface.triangles.len();
        }
        for material in entity.materials().iter() {
            let maps =
                material.definition.stages.iter().flat_map(|stage| &stage.maps).filter(|map| map.image.is_some());
            let paths =
                maps.map(|map| map.path.as_str()).chain(material.image.as_ref().map(|_| material.path.as_str()));
            textures.extend(paths.filter(|path| !path.is_empty()));
        }
    }
    textures.sort_unstable();
    textures.dedup();
    for (number, one) in [(textures.len(), "texture"), (surfaces, "surface"), (triangles, "triangle")] {
        small(ui, &format::plural(number, one));
    }
    if parts > 1 {
        small(ui, &format::plural(parts, "part"));
    }
}

fn small(ui: &mut Ui, text: &str) {
    let width = paint::width_of(ui, text, fonts::small());
    let (rect, response) = ui.allocate_exact_size(vec2(width, 24.0), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
    paint::text_right(ui.painter(), rect, text, fonts::small(), theme::tokens(ui).text2);
}
