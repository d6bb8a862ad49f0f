//! The section Issues: what was odd in the files and what was done about it. Always there. A click leads to the place: in
//! the *File* panel, or to the material that is missing.

use egui::{Align, Id, Rect, Response, Role, Sense, Ui, pos2, vec2};

use super::{State, materials};
use crate::ui::button::focus_ring;
use crate::ui::{access, dock, fonts, format, icons, list, paint, theme};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, Issue, IssueTarget, SceneAction, Selection, Session, Severity};

/// Where the text begins.
const TEXT: f32 = 50.0;

/// Shows the section.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let issues = &session.document.issues;
    if !memory.section(ui, "Issues", &format::count(issues.len()), true) {
        return;
    }
    if issues.is_empty() {
        let tokens = theme::tokens(ui);
        let row = ui.next_widget_position();
        let place = Rect::from_min_size(row + vec2(list::INSET, 0.0), vec2(14.0, 26.0));
        paint::icon(ui.painter(), place, icons::DONE, 14.0, tokens.ok);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), list::ROW), Sense::hover());
        let text = "No load issues";
        paint::text_in(ui.painter(), list::inside(rect, list::INSET + 22.0, 12.0), text, fonts::body(), tokens.text2);
        return;
    }
    for (index, issue) in issues.iter().enumerate() {
        let entity = session.document.scene.entity(issue.entity);
        let target = entity.and_then(|entity| Some((entity, issue.target(entity)?)));
        let response = row(ui, index, issue, target.is_some());
        let Some((entity, target)) = target else { continue };
        if response.clicked() {
            if let IssueTarget::Material(_) = target {
                memory.sections.go_to(materials::MATERIAL);
            }
            go_to(ui, session, entity, &target, actions);
        }
        response.on_hover_text(match target {
            IssueTarget::Material(_) => "Click to show the material",
            IssueTarget::File(_) | IssueTarget::Companion(..) | IssueTarget::Surface(_) => {
                "Click to show the place in the file"
            }
        });
    }
}

/// Leads to where an issue stands.
pub fn go_to(ui: &Ui, session: &Session, entity: &Entity, target: &IssueTarget, actions: &mut Vec<Action>) {
    match target {
        IssueTarget::File(place) => dock::show_place(ui.ctx(), session, entity, *place, actions),
        IssueTarget::Companion(file, place) => {
            dock::show_place_in(ui.ctx(), session, entity, file, *place, actions);
        }
        IssueTarget::Surface(surface) => dock::show_surface(session, entity, *surface, actions),
        IssueTarget::Material(surface) => {
            actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::Surface(*surface))));
        }
    }
}

/// The row of an issue, as high as its text.
fn row(ui: &mut Ui, index: usize, issue: &Issue, leads: bool) -> Response {
    let tokens = theme::tokens(ui);
    let (icon, ink) = match issue.severity() {
        Severity::Lost => (icons::FAILED, tokens.error),
        Severity::Replaced | Severity::Companion | Severity::Note => (icons::WARNING, tokens.warn),
    };
    let width = ui.available_width();
    let room = (width - TEXT - 12.0).max(40.0);
    let message = format::capital(&issue.warning.message);
    let lay = |text: &str, colour| ui.painter().layout(text.to_owned(), fonts::body(), colour, room);
    let message = lay(&message, tokens.text2);
    let head = if issue.about.is_empty() { 0.0 } else { 18.0 };
    let height = head + message.size().y.max(18.0) + 6.0;
    let (_, rect) = ui.allocate_space(vec2(width, height));
    let id: Id = ui.scope_id().with(("issue", index));
    let told = issue.to_string();
    let sense = if leads { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, id, sense);
    access::choosable(&response, Role::ListItem, ui.is_enabled(), false, &told);
    if leads {
        list::accept_focus(&response);
    }
    if leads && response.hovered() {
        ui.painter().rect_filled(rect, 0.0, tokens.raised);
    }
    if response.has_focus() {
        focus_ring(ui, true, rect.shrink(1.0), 0.0);
        ui.scroll_to_rect(rect, None::<Align>);
    }
    let place = Rect::from_min_size(rect.min + vec2(list::INSET, 3.0), vec2(14.0, 18.0));
    paint::icon(ui.painter(), place, icon, 14.0, ink);
    if head > 0.0 {
        let line = Rect::from_min_size(rect.min + vec2(TEXT, 2.0), vec2(room, 18.0));
        paint::name_in(ui.painter(), line, &issue.about, fonts::body(), tokens.text);
    }
    ui.painter().galley(pos2(rect.left() + TEXT, rect.top() + 3.0 + head), message, tokens.text2);
    response
}
