//! Lint panel: findings for an engine. A click selects the affected element.

use std::borrow::Cow;
use std::collections::HashSet;

use egui::{Color32, Ui};

use super::compare::drawn;
use crate::ui::button::Button;
use crate::ui::kit::row::Row;
use crate::ui::{copy, fonts, format, icons, inspector, list, menu, text, theme};
use maquette_assets::lint::{Finding, Findings, Location, PROFILES, RULES, Severity, repair_of};
use maquette_scene::scene::Entity;
use maquette_scene::session::{
    Action, ClockAction, EditAction, FileAction, SceneAction, Selection, Session, WindowAction,
};

const ROW: f32 = 24.0;
/// Maximum number of elements that the menu of a finding lists. The menu counts further ones.
const LISTED: usize = 16;
/// Rule of missing textures.
pub const MISSING_TEXTURE: &str = "missing-texture";

#[derive(Debug, Default)]
pub struct State {
    /// Usual and chosen profile, by index. The choice applies to models with this usual profile.
    chosen: Option<(usize, usize)>,
    hides_notes: bool,
}

pub fn show(ui: &mut Ui, head: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    let Some(entity) = session.entity() else { return };
    let usual = session.interface.folder_check.engine_of(&entity.asset);
    let profile = state.chosen.filter(|(of, _)| *of == usual).map_or(usual, |(_, chosen)| chosen);
    // The panel requests the findings that it shows.
    let is_requested = session.is_linted_for(profile);
    let parts = if is_requested { session.lint_findings() } else { Vec::new() };
    actions.extend((!is_requested).then_some(Action::File(FileAction::Lint(profile))));
    state.chosen = self::head(head, profile, &parts, state).map(|chosen| (usual, chosen)).or(state.chosen);
    if parts.is_empty() {
        list::nothing(ui, "Checking…");
        return;
    }
    let is_shown = |finding: &&Finding| !state.hides_notes || finding.severity != Severity::Note;
    let mut shown: Vec<(&Entity, Option<Cow<'_, Finding>>)> = Vec::new();
    for (entity, findings) in &parts {
        let mut own = grouped(findings.list.iter().filter(is_shown));
        own.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
        shown.extend((parts.len() > 1 && !own.is_empty()).then_some((*entity, None)));
        shown.extend(own.into_iter().map(|finding| (*entity, Some(finding))));
    }
    if shown.is_empty() {
        let tokens = theme::tokens(ui);
        let engine = PROFILES.get(profile).map_or("this engine", |profile| profile.title);
        let is_clean = parts.iter().all(|(_, findings)| findings.list.is_empty());
        let what = if is_clean { "findings" } else { "errors or warnings" };
        let checked = format!("{} rules checked", RULES.len());
        list::empty(ui, (icons::DONE, tokens.ok), &format!("No {what} for {engine}"), &checked);
        return;
    }
    list::scroll(ui, "findings", |ui| {
        list::rows(ui, "findings", 0..shown.len(), ROW, None, |ui, index| match shown.get(index) {
            Some((entity, Some(finding))) => row(ui, session, entity, index, finding, actions),
            Some((entity, None)) => drop(Row::heading(entity.label()).height(ROW).show(ui, ("part", index))),
            None => {}
        });
    });
}

/// Merges notes of a rule about several surfaces, which usually concern the whole model.
pub fn grouped<'a>(findings: impl Iterator<Item = &'a Finding>) -> Vec<Cow<'a, Finding>> {
    let what = |finding: &Finding| finding.message.split(':').next().unwrap_or_default().to_owned();
    let mut groups: Vec<Cow<'a, Finding>> = Vec::new();
    for finding in findings {
        let is_note = finding.severity == Severity::Note && finding.location.surface.is_some();
        let key = |finding: &Finding| (finding.rule, finding.severity, what(finding));
        let is_same = |first: &Finding| key(first) == key(finding);
        match groups.iter_mut().find(|first| is_note && is_same(first)) {
            Some(first) => {
                let places = std::iter::once(&finding.location).chain(&finding.more);
                first.to_mut().more.extend(places.cloned());
            }
            None => groups.push(Cow::Borrowed(finding)),
        }
    }
    for group in &mut groups {
        let Cow::Owned(merged) = group else { continue };
        let places = std::iter::once(&merged.location).chain(&merged.more);
        let surfaces: HashSet<usize> = places.filter_map(|place| Some(place.surface.as_ref()?.index)).collect();
        if surfaces.len() > 1 {
            let others = format::plural(surfaces.len() - 1, "more surface");
            merged.message = format!("{}, and in {others}", merged.message);
        }
    }
    groups
}

/// Shows the engine and the counts of all parts. Returns the newly chosen engine.
fn head(ui: &mut Ui, profile: usize, parts: &[(&Entity, &Findings)], state: &mut State) -> Option<usize> {
    let title = PROFILES.get(profile).map_or("", |profile| profile.title);
    let button = Button::new("Engine").word(title).menu().tight().show(ui);
    let engines = PROFILES.iter().map(|profile| profile.title).enumerate();
    let chosen = menu::choose_below(&button, engines, profile);
    let notes = Button::new("Show notes").word("Notes").tight().on(!state.hides_notes);
    state.hides_notes ^= notes.show(ui).clicked();
    let count = |severity| parts.iter().map(|(_, findings)| findings.count(severity)).sum::<u64>();
    let words = Severity::ALL.iter().map(|severity| (severity, count(*severity))).filter(|(_, count)| *count > 0);
    let word = |(severity, count): (&Severity, u64)| {
        format::plural(usize::try_from(count).unwrap_or(usize::MAX), severity.label())
    };
    let text = words.map(word).collect::<Vec<_>>().join(", ");
    if !text.is_empty() {
        text::line(ui, &text, fonts::small(), theme::tokens(ui).text2);
    }
    chosen
}

fn row(ui: &mut Ui, session: &Session, entity: &Entity, index: usize, finding: &Finding, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let place = place_words(&finding.location);
    // Some messages already include the count.
    let own = format!("{} ", finding.count);
    let says_so = finding.message.starts_with(&own) || finding.message.contains(&format!(" at {own}"));
    let count = if finding.count > 1 && !says_so { format!(" ({} times)", finding.count) } else { String::new() };
    // Join brackets: “(240 paths tried) (skin blue) (3 times)”.
    let message = format!("{}{count}", format::sentence(&finding.message)).replace(") (", "; ");
    let (icon, colour) = severity_sign(finding.severity, tokens);
    let end = if place.is_empty() { String::new() } else { format!(", {place}") };
    let spoken = format!("{}: {message}{end}", finding.severity.label());
    let row = Row::new(message.as_str()).icon_in(icon, colour).small_value(place.as_str()).spoken(spoken);
    let response = row.height(ROW).show(ui, ("finding", index));
    if response.clicked() {
        go_to(entity, finding.rule, &finding.location, actions);
    }
    menu::context(&response, |ui| {
        for (number, place) in std::iter::once(&finding.location).chain(&finding.more).enumerate().take(LISTED) {
            let words = place_words(place);
            let word = if words.is_empty() { "The model".to_owned() } else { words };
            if (menu::Row { word: &word, value: format!("{}", number + 1), ..menu::Row::default() }).show(ui).clicked()
            {
                go_to(entity, finding.rule, place, actions);
            }
        }
        let more = finding.count.saturating_sub(1 + finding.more.len().min(LISTED - 1) as u64);
        if more > 0 {
            menu::Row::new(&format!("and {more} more")).disabled(true).show(ui);
        }
        menu::separator(ui);
        if let Some(repair) = repair_of(finding.rule) {
            let before = actions.len();
            menu::command(ui, session, &Action::Edit(EditAction::Operate(repair)), actions);
            // An operation changes the focused part.
            let focus = Action::Scene(SceneAction::SelectIn(entity.id, Selection::None));
            actions.splice(before..before, (actions.len() > before).then_some(focus));
        }
        if menu::Row::new("Copy").show(ui).clicked() {
            copy::put(ui.ctx(), format!("{}: {}: {message}", finding.severity.label(), finding.rule));
        }
    });
    response.on_hover_ui(|ui| {
        ui.label(egui::RichText::new(&message).font(fonts::medium()));
        if !place.is_empty() {
            ui.label(&place);
        }
        let reason = RULES.iter().find(|rule| rule.id == finding.rule).map(|rule| rule.reason);
        if let Some(reason) = reason {
            ui.label(reason);
        }
        ui.label(egui::RichText::new(format!("Rule {}", finding.rule)).small().weak());
    });
}

/// Returns the icon and the colour of a severity.
pub fn severity_sign(severity: Severity, tokens: &theme::Tokens) -> (&'static str, Color32) {
    match severity {
        Severity::Error => (icons::FAILED, tokens.error),
        Severity::Warning => (icons::WARNING, tokens.warn),
        Severity::Note => (icons::INFO, tokens.text2),
    }
}

/// Returns a description of a location; empty for the whole model.
fn place_words(place: &Location) -> String {
    let mut words: Vec<String> = place.lod.map(|lod| format!("LOD {lod}")).into_iter().collect();
    let named = |what: &str, spot: &maquette_assets::lint::NamedIndex| {
        if spot.name.is_empty() { format!("{what} {}", spot.index) } else { format!("{what} {}", spot.name) }
    };
    words.extend(place.surface.as_ref().map(|spot| named("surface", spot)));
    words.extend(place.triangle.map(|index| format!("triangle {index}")));
    words.extend(place.vertex.map(|index| format!("vertex {index}")));
    words.extend(place.tag.as_ref().map(|spot| named("tag", spot)));
    words.extend(place.joint.as_ref().map(|spot| named("joint", spot)));
    words.extend(place.clip.as_ref().map(|spot| named("clip", spot)));
    words.extend(place.frame.map(|index| format!("frame {index}")));
    words.join(", ")
}

/// Selects the element at a location. Assigns the skin of the finding and shows its clip, its frame and its material.
pub fn go_to(entity: &Entity, rule: &str, place: &Location, actions: &mut Vec<Action>) {
    if let Some(clip) = &place.clip {
        let choice = maquette_scene::scene::ClipChoice::Clip(clip.index);
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id.into(), choice)));
    }
    if let Some(frame) = place.frame {
        let first = f64::from(entity.playback.first_shown(entity.model()));
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id.into(), frame as f64 - first)));
    }
    let skin = place.skin.as_ref().map(|skin| skin.index).filter(|skin| *skin != entity.skin);
    // A skin is chosen in the focused part.
    let selection = selection_of(entity, place).or(skin.map(|_| Selection::None));
    actions.extend(selection.map(|selection| Action::Scene(SceneAction::SelectIn(entity.id, selection))));
    actions.extend(skin.map(|skin| Action::Scene(SceneAction::ChooseSkin(skin))));
    if rule == MISSING_TEXTURE {
        actions.push(Action::Window(WindowAction::ShowSection(inspector::MATERIAL)));
    }
}

/// Returns the element at a location. `None` for the whole model, a clip or a frame.
pub fn selection_of(entity: &Entity, place: &Location) -> Option<Selection> {
    let surface = place.surface.as_ref().map(|spot| spot.index);
    match (surface, place.triangle, place.vertex) {
        (Some(surface), Some(triangle), _) => Some(Selection::Triangle { surface, triangle }),
        (Some(surface), None, Some(vertex)) => {
            Some(Selection::Vertex { surface, vertex: drawn(entity, surface, vertex) })
        }
        (Some(surface), None, None) => Some(Selection::Surface(surface)),
        (None, ..) => {
            let tag = place.tag.as_ref().map(|tag| Selection::Tag(tag.index));
            tag.or_else(|| place.joint.as_ref().map(|joint| Selection::Joint(joint.index)))
        }
    }
}
