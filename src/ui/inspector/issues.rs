//! The section Issues: warnings of the loaders, missing textures and findings of the panel Lint.
//! Always there. A click shows the field in the *File* panel, the material that is missing, or the element of the model.

use egui::{Align, Id, Rect, Response, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{State, materials};
use crate::ui::button::focus_ring;
use crate::ui::{access, dock, fonts, format, icons, list, paint, theme};
use maquette_assets::lint;
use maquette_scene::scene::Entity;
use maquette_scene::session::{
    Action, DockTab, Issue, IssueTarget, SceneAction, Selection, Session, Severity, WindowAction,
};

/// Where the text begins.
const TEXT: f32 = 50.0;
/// Further findings are in the panel Lint only.
const FINDINGS_LISTED: usize = 50;

/// Returns the numbers of errors and warnings: of the files, of missing textures, and of the rules of an engine where
/// the panel Lint has asked.
#[must_use]
pub fn counts(session: &Session) -> [usize; 2] {
    let issues = &session.document.issues;
    let lost = issues.iter().filter(|issue| issue.severity() == Severity::Lost).count();
    let findings = session.lint_findings().map_or(&[][..], |findings| findings.list.as_slice());
    let lint = |severity| findings.iter().filter(|finding| finding.severity == severity).count();
    [lost + lint(lint::Severity::Error), issues.len() - lost + lint(lint::Severity::Warning)]
}

/// `1 error, 6 warnings`
#[must_use]
pub fn summary([errors, warnings]: [usize; 2]) -> String {
    match (errors, warnings) {
        (0, 0) => "No warnings".to_owned(),
        (0, _) => format::plural(warnings, "warning"),
        (_, 0) => format::plural(errors, "error"),
        _ => format!("{}, {}", format::plural(errors, "error"), format::plural(warnings, "warning")),
    }
}

/// Shows the section: load issues, missing textures, and findings of the panel Lint.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let counts = counts(session);
    if !memory.section(ui, "Issues", &format::count(counts.iter().sum()), true) {
        return;
    }
    if counts == [0, 0] {
        let tokens = theme::tokens(ui);
        let row = ui.next_widget_position();
        let place = Rect::from_min_size(row + vec2(list::INSET, 0.0), vec2(14.0, 26.0));
        paint::icon(ui.painter(), place, icons::DONE, 14.0, tokens.ok);
        let (rect, _) = ui.allocate_exact_size(vec2(ui.available_width(), list::ROW), Sense::hover());
        let text = "No load issues";
        paint::text_in(ui.painter(), list::inside(rect, list::INSET + 22.0, 12.0), text, fonts::body(), tokens.text2);
    }
    let scene = &session.document.scene;
    let (missing, load): (Vec<_>, Vec<_>) = session
        .document
        .issues
        .iter()
        .map(|issue| {
            let entity = scene.entity(issue.entity);
            (issue, entity.and_then(|entity| Some((entity, issue.target(entity)?))))
        })
        .enumerate()
        .partition(|(_, (_, target))| matches!(target, Some((_, IssueTarget::Material(_)))));
    for (title, issues) in [("Load issues", load), ("Missing textures", missing)] {
        group(ui, title, issues.len());
        for (index, (issue, target)) in issues {
            let response = row(ui, ("issue", index), Line::of(issue), target.is_some());
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
    lint_group(ui, session, actions);
}

/// Name of a group and how many there are in it; nothing where there are none.
fn group(ui: &mut Ui, title: &str, count: usize) {
    if count == 0 {
        return;
    }
    let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 24.0), Sense::hover());
    let text = format!("{title} ({})", format::count(count));
    response.widget_info(|| WidgetInfo::labeled(Role::Heading, true, &text));
    let room = list::inside(rect, list::INSET, 12.0);
    paint::text_in(ui.painter(), room, &text, fonts::medium(), theme::tokens(ui).text);
}

/// Errors and warnings of the panel Lint, or a row that opens it.
fn lint_group(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(entity) = session.entity() else { return };
    let Some(findings) = session.lint_findings() else {
        let opens = Action::Window(WindowAction::ToggleDock(DockTab::Lint));
        if session.interface.panels.dock != Some(DockTab::Lint) {
            let word = "Check for an engine…";
            let (rect, response) = list::row(ui, ui.scope_id().with("check"), word, list::ROW, false);
            let icon = Rect::from_min_size(rect.min + vec2(list::INSET, 0.0), vec2(14.0, rect.height()));
            let tokens = theme::tokens(ui);
            paint::icon(ui.painter(), icon, icons::LINT, 14.0, tokens.text2);
            paint::text_in(ui.painter(), list::inside(rect, TEXT, 12.0), word, fonts::body(), tokens.text2);
            actions.extend(response.clicked().then_some(opens));
        }
        return;
    };
    let mut shown: Vec<&lint::Finding> =
        findings.list.iter().filter(|finding| finding.severity != lint::Severity::Note).collect();
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    group(ui, "Lint", shown.len());
    for (index, finding) in shown.into_iter().take(FINDINGS_LISTED).enumerate() {
        let selection = selection_of(&finding.place);
        let response = row(ui, ("finding", index), Line::of_finding(finding), selection.is_some());
        if let Some(selection) = selection.filter(|_| response.clicked()) {
            actions.push(Action::Scene(SceneAction::SelectIn(entity.id, selection)));
        }
    }
}

/// Returns the element that a finding is about, as a selection.
fn selection_of(place: &lint::Location) -> Option<Selection> {
    match (&place.surface, place.triangle) {
        (Some(surface), Some(triangle)) => Some(Selection::Triangle { surface: surface.index, triangle }),
        (Some(surface), None) => Some(Selection::Surface(surface.index)),
        (None, _) => {
            let tag = place.tag.as_ref().map(|tag| Selection::Tag(tag.index));
            tag.or_else(|| place.joint.as_ref().map(|joint| Selection::Joint(joint.index)))
        }
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

/// Texts of a row of the list.
struct Line {
    is_error: bool,
    about: String,
    message: String,
    told: String,
}

impl Line {
    fn of(issue: &Issue) -> Self {
        Self {
            is_error: issue.severity() == Severity::Lost,
            about: issue.about.clone(),
            message: format::capital(&issue.warning.message),
            told: issue.to_string(),
        }
    }

    fn of_finding(finding: &lint::Finding) -> Self {
        let message = format::capital(&finding.message);
        let name = [&finding.place.surface, &finding.place.tag, &finding.place.joint].into_iter().flatten().next();
        let about = name.map(|name| name.name.clone()).unwrap_or_default();
        let told = if about.is_empty() { message.clone() } else { format!("{about}: {message}") };
        Self { is_error: finding.severity == lint::Severity::Error, about, message, told }
    }
}

/// A row of the list, as high as its text.
fn row(ui: &mut Ui, salt: (&str, usize), line: Line, leads: bool) -> Response {
    let tokens = theme::tokens(ui);
    let (icon, ink) = if line.is_error { (icons::FAILED, tokens.error) } else { (icons::WARNING, tokens.warn) };
    let width = ui.available_width();
    let room = (width - TEXT - 12.0).max(40.0);
    let lay = |text: &str, colour| ui.painter().layout(text.to_owned(), fonts::body(), colour, room);
    let message = lay(&line.message, tokens.text2);
    let head = if line.about.is_empty() { 0.0 } else { 18.0 };
    let height = head + message.size().y.max(18.0) + 6.0;
    let (_, rect) = ui.allocate_space(vec2(width, height));
    let id: Id = ui.scope_id().with(salt);
    let sense = if leads { Sense::click() } else { Sense::hover() };
    let response = ui.interact(rect, id, sense);
    access::choosable(&response, Role::ListItem, ui.is_enabled(), false, &line.told);
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
        let first = Rect::from_min_size(rect.min + vec2(TEXT, 2.0), vec2(room, 18.0));
        paint::name_in(ui.painter(), first, &line.about, fonts::body(), tokens.text);
    }
    ui.painter().galley(pos2(rect.left() + TEXT, rect.top() + 3.0 + head), message, tokens.text2);
    response
}
