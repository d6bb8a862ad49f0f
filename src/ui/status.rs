//! Status bar: the last notification at the left, data of the model at the right.

use egui::{Align, Layout, Response, Role, Sense, Ui, WidgetInfo, vec2};

use super::{Button, Row, arrange, context, fonts, format, icons, inspector, log, paint, text, theme};
use maquette_scene::session::{
    Action, Dialog, ExportJob, FileAction, NotificationKind, SaveAction, Session, WindowAction,
};

/// Seconds of loading after which a button offers to cancel.
const CANCEL_DELAY: f64 = 1.0;

/// Shows the bar. `waiting` is the loading time so far, in seconds.
pub fn show(ui: &mut Ui, session: &Session, waiting: f64, actions: &mut Vec<Action>) {
    // Use a child ui, so that the height of the bar does not change.
    let mut inner = arrange::rest(ui);
    arrange::at_end(&mut inner, |ui| {
        ui.spacing_mut().item_spacing.x = 16.0;
        facts(ui, session, actions);
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            ui.spacing_mut().item_spacing.x = 12.0;
            match (&session.jobs.loading, &session.jobs.work, session.document.pending_textures()) {
                (Some(what), ..) => loading(ui, what, waiting, actions),
                (None, Some(work), _) => progress(ui, work, actions),
                (None, None, Some((done, of))) => drop(text(ui, &format!("Loading textures, {done} of {of}…"), 0.0)),
                (None, None, None) => last_message(ui, session, actions),
            }
        });
    });
}

/// Shows a status text, and leaves `beside` points for the controls after it.
fn text(ui: &mut Ui, text: &str, beside: f32) -> Response {
    let inner = ui.scope(|ui| {
        ui.set_max_width((ui.available_width() - beside).max(0.0));
        text::line(ui, text, fonts::small(), theme::tokens(ui).text2)
    });
    inner.inner.widget_info(|| WidgetInfo::labeled(Role::Status, true, text));
    inner.inner
}

fn last_message(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let Some(note) = session.interface.notes.last() else {
        if session.asset().is_none() {
            text(ui, "No model open", 0.0);
        }
        return;
    };
    let text = log::line(note);
    let row = Row::label(&text).role(Role::Status).font(fonts::small()).loses_end().height(22.0).inset(0.0).margin(0.0);
    let (icon, colour) = log::sign(note.kind, tokens, tokens.text2);
    let row = if note.kind == NotificationKind::Done { row } else { row.icon_in(icon, colour) };
    let response = row.colour(colour).show(ui, "happened").interact(Sense::click());
    if response.clicked() {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Log)));
    }
    response.on_hover_ui(|ui| {
        ui.label(&text);
        ui.label(egui::RichText::new("Click to open the log").small().weak());
    });
}

fn cancel_button() -> Button<'static> {
    Button::new("Cancel").word("Cancel").icon(icons::CLOSE).height(22.0)
}

fn progress(ui: &mut Ui, work: &ExportJob, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let beside = cancel_button().width(ui) + 24.0;
    text(ui, &work.text(), beside);
    let length = (ui.available_width() - beside).clamp(0.0, 160.0);
    let (rail, _) = ui.allocate_exact_size(vec2(length, 4.0), Sense::hover());
    let share = (work.done as f32 / work.of.max(1) as f32).clamp(0.0, 1.0);
    paint::fill(ui.painter(), rail, 2, tokens.line);
    paint::fill(ui.painter(), rail.with_max_x(rail.left() + length * share), 2, tokens.accent_fill);
    cancel_button().enabled(!work.is_cancelled, "The export stops after the current step").push(
        ui,
        Action::Save(SaveAction::CancelWork),
        actions,
    );
}

/// Shows the progress of a load (`what`) and, after [`CANCEL_DELAY`] seconds, a button that cancels.
fn loading(ui: &mut Ui, what: &str, waiting: f64, actions: &mut Vec<Action>) {
    if waiting < CANCEL_DELAY {
        text(ui, what, 0.0);
        ui.ctx().request_repaint_after_secs((CANCEL_DELAY - waiting) as f32 + 0.01);
        return;
    }
    text(ui, what, cancel_button().width(ui) + 12.0);
    cancel_button().push(ui, Action::File(FileAction::CancelLoading), actions);
}

fn facts(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let small = |ui: &mut Ui, text: &str| drop(text::line(ui, text, fonts::small(), tokens.text2));
    if session.asset().is_none() {
        small(ui, concat!("Maquette ", env!("CARGO_PKG_VERSION")));
        return;
    }
    let summary = inspector::issue_summary(session);
    let (icon, colour) = inspector::issue_sign(session, tokens);
    let button = Button::new(&summary).word(&summary).icon_in(icon, colour).small().tight().quiet().height(22.0);
    button.push(ui, Action::Window(WindowAction::ShowSection("Issues")), actions);
    let (mut surfaces, mut triangles, mut parts) = (0, 0, 0);
    let mut textures: Vec<&str> = Vec::new();
    for entity in session.document.scene.entities().iter().filter(|entity| session.document.scene.shows(entity)) {
        parts += 1;
        for index in context::surfaces_shown(entity).filter(|index| entity.draws(*index)) {
            surfaces += 1;
            triangles += entity.model().surfaces().get(index).map_or(0, |surface| surface.triangles.len());
            let Some(material) = entity.materials().get(index) else { continue };
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
