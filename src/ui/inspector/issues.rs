//! *Issues* section: loader warnings, missing textures and lint findings.
//!
//! A click shows the field in the *File* panel, the material without a texture, or the element of the model.

use egui::{Color32, Response, Role, Ui};

use super::{Inspector, materials};
use crate::ui::kit::row::Row;
use crate::ui::{dock, fonts, format, icons, list, theme};
use maquette_assets::lint;
use maquette_core::error::WarningKind;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, DockTab, Issue, IssueTarget, SceneAction, Selection, Session, WindowAction};

/// Maximum number of findings listed here. The Lint panel lists all.
const FINDINGS_LISTED: usize = 50;

/// Returns the numbers of errors, warnings and notes: those of the engine check, which repeats the load issues of the
/// parts, or else the load issues.
pub fn counts(session: &Session) -> [usize; 3] {
    let checked = session.lint_findings();
    let is_new = |issue: &&Issue| issue.is_of_assembly || checked.is_empty();
    lint::Severity::ALL.map(|severity| {
        let issues = session.document.issues.iter().filter(is_new).filter(|issue| severity_of(issue) == severity);
        let found: u64 = checked.iter().map(|(_, findings)| findings.count(severity)).sum();
        issues.count() + usize::try_from(found).unwrap_or(usize::MAX)
    })
}

/// Returns the severity that the engine check would give an issue.
fn severity_of(issue: &Issue) -> lint::Severity {
    let is_of_texture = matches!(issue.target, Some(IssueTarget::Material(_) | IssueTarget::Skin(_)));
    match issue.warning.kind {
        WarningKind::Truncated => lint::Severity::Error,
        WarningKind::Companion if !issue.is_of_assembly && !is_of_texture => lint::Severity::Note,
        _ => lint::Severity::Warning,
    }
}

/// Rules whose findings repeat load issues.
const REPEATED: [&str; 3] = ["truncated", "oddity", "companion"];

/// Returns the findings that are not listed as load issues or missing textures, with their parts.
fn new_findings(session: &Session) -> impl Iterator<Item = (&Entity, &lint::Finding)> {
    let parts = session.lint_findings().into_iter();
    let findings = parts.flat_map(|(entity, findings)| findings.list.iter().map(move |finding| (entity, finding)));
    // The message of a finding continues with the skin.
    let is_listed = |finding: &lint::Finding| {
        let mut issues = session.document.issues.iter();
        finding.rule == dock::MISSING_TEXTURE && issues.any(|issue| finding.message.starts_with(&issue.warning.message))
    };
    findings.filter(move |(_, finding)| !REPEATED.contains(&finding.rule) && !is_listed(finding))
}

/// Formats the counts without notes: `1 error, 6 warnings in all parts`.
pub fn summary(session: &Session) -> String {
    let counted = match counts(session) {
        [0, 0, 0] if !session.lint_findings().is_empty() => "No issues".to_owned(),
        [0, 0, 0] => "No load issues".to_owned(),
        [0, 0, notes] => format::plural(notes, "note"),
        [0, warnings, _] => format::plural(warnings, "warning"),
        [errors, 0, _] => format::plural(errors, "error"),
        [errors, warnings, _] => {
            format!("{}, {}", format::plural(errors, "error"), format::plural(warnings, "warning"))
        }
    };
    if session.document.scene.entities().len() > 1 { format!("{counted} in all parts") } else { counted }
}

/// Returns the icon and the colour of the summary. Only a model that was checked for an engine is known to be fine.
pub fn sign(session: &Session, tokens: &theme::Tokens) -> (&'static str, Color32) {
    match counts(session) {
        [0, 0, 0] if !session.lint_findings().is_empty() => (icons::DONE, tokens.ok),
        [0, 0, _] => (icons::INFO, tokens.text2),
        [0, ..] => (icons::WARNING, tokens.warn),
        _ => (icons::FAILED, tokens.error),
    }
}

/// Returns the number of issues. It is never `None`, because the section is always shown.
pub fn count(session: &Session, _: &Entity) -> Option<String> {
    Some(format::count(counts(session).iter().sum()))
}

/// Shows load issues, missing textures and lint findings.
pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let session = panel.session;
    if counts(session) == [0; 3] {
        let tokens = theme::tokens(ui);
        let (icon, colour) = sign(session, tokens);
        let none = Row::label(summary(session)).icon_in(icon, colour).colour(tokens.text2);
        none.inset(list::INSET).show(ui, "none");
    }
    let scene = &session.document.scene;
    let issues = session.document.issues.iter().enumerate();
    let (missing, load): (Vec<_>, Vec<_>) =
        issues.partition(|(_, issue)| matches!(issue.target, Some(IssueTarget::Material(_) | IssueTarget::Skin(_))));
    for (title, issues) in [("Load issues", load), ("Missing textures", missing)] {
        group(ui, title, issues.len());
        for (index, issue) in issues {
            let target = scene.entity(issue.entity).zip(issue.target.as_ref());
            let message = format::sentence(&issue.warning.text());
            let row = Row::new(&issue.about).second(message).spoken(issue.to_string());
            let response = show_row(ui, ("issue", index), row, severity_of(issue), target.is_some());
            let Some((entity, target)) = target else { continue };
            if response.clicked() {
                go_to(ui, session, entity, target, panel.actions);
            }
            response.on_hover_text(match target {
                IssueTarget::Material(_) => "Click to show the material",
                IssueTarget::Skin(_) => "Click to choose the skin",
                IssueTarget::File(_) | IssueTarget::Companion(..) | IssueTarget::Surface(_) => {
                    "Click to show the position in the file"
                }
            });
        }
    }
    lint_group(ui, panel);
}

fn group(ui: &mut Ui, title: &str, count: usize) {
    if count > 0 {
        let row = Row::heading(format!("{title} ({})", format::count(count))).font(fonts::medium());
        row.height(24.0).inset(list::INSET).show(ui, title);
    }
}

fn lint_group<'a>(ui: &mut Ui, panel: &mut Inspector<'a>) {
    if panel.session.lint_findings().is_empty() {
        if panel.session.interface.panels.dock != Some(DockTab::Lint) {
            let colour = theme::tokens(ui).text2;
            let row = Row::new("Check for an engine…").icon(icons::LINT).colour(colour);
            let opens = Action::Window(WindowAction::ToggleDock(DockTab::Lint));
            panel.actions.extend(row.inset(list::INSET).show(ui, "check").clicked().then_some(opens));
        }
        return;
    }
    let is_shared = panel.session.document.scene.entities().len() > 1;
    let found: Vec<(&Entity, &lint::Finding)> = new_findings(panel.session).collect();
    group(ui, "Engine check", found.len());
    let of_entity = |found: &[(&'a Entity, &'a lint::Finding)]| {
        let findings = dock::grouped(found.iter().map(|(_, finding)| *finding));
        findings.into_iter().zip(found.iter().map(|(entity, _)| *entity).cycle()).collect::<Vec<_>>()
    };
    let mut shown: Vec<_> = found.chunk_by(|(one, _), (other, _)| one.id == other.id).flat_map(of_entity).collect();
    shown.sort_by_key(|(finding, _)| std::cmp::Reverse(finding.severity));
    for (index, (finding, entity)) in shown.into_iter().take(FINDINGS_LISTED).enumerate() {
        let place = &finding.location;
        let about = match place.name() {
            own if !is_shared => own.to_owned(),
            "" => entity.label().to_owned(),
            name => format!("{}: {name}", entity.label()),
        };
        let message = format::sentence(&finding.message);
        let spoken = if about.is_empty() { message.clone() } else { format!("{about}: {message}") };
        let row = Row::new(about.as_str()).second(message).spoken(spoken);
        let selection = dock::selection_of(entity, place);
        let response = show_row(ui, ("finding", index), row, finding.severity, selection.is_some());
        if selection.is_some() && response.clicked() {
            dock::go_to_finding(entity, finding.rule, place, panel.actions);
        }
    }
}

fn show_row(ui: &mut Ui, salt: (&str, usize), row: Row<'_>, severity: lint::Severity, leads: bool) -> Response {
    let tokens = theme::tokens(ui);
    let (icon, ink) = dock::severity_sign(severity, tokens);
    let row = row.wraps().icon_in(icon, ink).inset(list::INSET);
    if leads { row } else { row.role(Role::ListItem) }.show(ui, salt)
}

/// Navigates to the target of an issue: a field in the file, or a surface.
pub fn go_to(ui: &Ui, session: &Session, entity: &Entity, target: &IssueTarget, actions: &mut Vec<Action>) {
    match target {
        IssueTarget::File(place) => dock::show_place(ui.ctx(), session, entity, *place, actions),
        IssueTarget::Companion(file, place) => {
            dock::show_place_in(ui.ctx(), session, entity, file, *place, actions);
        }
        IssueTarget::Surface(surface) => dock::show_surface(session, entity, *surface, actions),
        IssueTarget::Skin(skin) => {
            let materials = entity.asset.skins.get(*skin).map(|skin| &skin.materials);
            let lacking = materials.and_then(|all| all.iter().position(|material| material.has_problem()));
            let selection = lacking.map_or(Selection::None, Selection::Surface);
            actions.extend([
                Action::Scene(SceneAction::SelectIn(entity.id, selection)),
                Action::Scene(SceneAction::ChooseSkin(*skin)),
            ]);
        }
        IssueTarget::Material(surface) => {
            actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::Surface(*surface))));
            actions.push(Action::Window(WindowAction::ShowSection(materials::MATERIAL)));
        }
    }
}
