//! What is wrong with the part in focus for an engine: a row each, which leads to its place.

use egui::{Rect, Ui, pos2, vec2};

use super::compare::drawn;
use crate::ui::button::Button;
use crate::ui::{copy, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::lint::{Finding, Location, PROFILES, Profile, RULES, Severity};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, ClockAction, FileAction, SceneAction, Selection, Session};

const ROW: f32 = 24.0;

/// What the panel remembers for itself.
#[derive(Debug, Default)]
pub struct State {
    /// The profile that was chosen, by its place; else the one of the format's game.
    profile: Option<usize>,
    /// Notes are left out.
    hides_notes: bool,
}

/// Shows it; `bar` is what is free of the bar above.
pub fn show(ui: &mut Ui, session: &Session, bar: Rect, memory: &mut State, actions: &mut Vec<Action>) {
    let Some(entity) = session.entity() else { return };
    let profile = memory.profile.unwrap_or_else(|| Profile::index_for_format(entity.model().format()));
    // The panel asks for what it shows.
    let view = session.interface.lint.as_ref();
    let view = view.filter(|view| view.number == entity.number && view.profile == profile);
    if view.is_none() {
        actions.push(Action::File(FileAction::Lint(profile)));
    }
    let findings = view.and_then(|view| view.findings.as_ref());
    head(ui, bar, profile, findings.map(|findings| Severity::ALL.map(|severity| findings.count(severity))), memory);
    let tokens = theme::tokens(ui);
    let Some(findings) = findings else {
        return super::nothing(ui, "Checking…");
    };
    let is_shown = |finding: &&Finding| !memory.hides_notes || finding.severity != Severity::Note;
    let mut shown: Vec<&Finding> = findings.list.iter().filter(is_shown).collect();
    shown.sort_by_key(|finding| std::cmp::Reverse(finding.severity));
    if shown.is_empty() {
        let place = ui.available_rect_before_wrap().shrink2(vec2(12.0, 8.0));
        let icon = Rect::from_min_size(place.min, vec2(16.0, 20.0));
        paint::icon(ui.painter(), icon, icons::DONE, 14.0, tokens.ok);
        let at = place.min + vec2(22.0, 2.0);
        let engine = PROFILES.get(profile).map_or("this engine", |profile| profile.title);
        let text = if findings.list.is_empty() {
            format!("No findings for {engine}")
        } else {
            format!("No errors or warnings for {engine}")
        };
        let shown = paint::shortened(ui.painter(), &text, &fonts::body(), place.width() - 22.0);
        paint::text(ui.painter(), at, egui::Align2::LEFT_TOP, &shown, fonts::body(), tokens.text2);
        let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 28.0));
        let response = ui.interact(rect, ui.scope_id().with("no findings"), egui::Sense::hover());
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, &text));
        return;
    }
    egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
        list::rows(ui, "findings", 0..shown.len(), ROW, None, |ui, index| {
            if let Some(finding) = shown.get(index) {
                row(ui, entity, index, finding, actions);
            }
        });
        list::follow_focus(ui);
    });
}

fn head(ui: &mut Ui, bar: Rect, profile: usize, counts: Option<[u64; 3]>, memory: &mut State) {
    super::head(ui, bar, 8.0, |ui| {
        let title = PROFILES.get(profile).map_or("", |profile| profile.title);
        let button = Button::new("Engine").word(title).menu().tight().show(ui);
        menu::below(&button, |ui| {
            for (index, engine) in PROFILES.iter().enumerate() {
                let row = menu::Row::new(engine.title).on(index == profile);
                if row.show(ui).clicked() {
                    memory.profile = Some(index);
                }
            }
        });
        let notes = Button::new("Show notes").word("Notes").tight().on(!memory.hides_notes);
        if notes.show(ui).clicked() {
            memory.hides_notes = !memory.hides_notes;
        }
        if let Some(counts) = counts {
            let words = Severity::ALL.iter().zip(counts).filter(|(_, count)| *count > 0);
            let word = |(severity, count): (&Severity, u64)| {
                format::plural(usize::try_from(count).unwrap_or(usize::MAX), severity.label())
            };
            let text = words.map(word).collect::<Vec<_>>().join(", ");
            let place = ui.available_rect_before_wrap();
            paint::text_in(ui.painter(), place, &text, fonts::body(), theme::tokens(ui).text2);
        }
    });
}

fn row(ui: &mut Ui, entity: &Entity, index: usize, finding: &Finding, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let place = place_words(&finding.place);
    // Many messages have the number themselves.
    let own = format!("{} ", finding.count);
    let says_so = finding.message.starts_with(&own) || finding.message.contains(&format!(" at {own}place"));
    let count = if finding.count > 1 && !says_so { format!(" ({}×)", finding.count) } else { String::new() };
    let message = format!("{}{count}", format::capital(&finding.message));
    let told = format!("{}: {message}, {place}", finding.severity.label());
    let (rect, response) = list::row(ui, ui.scope_id().with(("finding", index)), &told, ROW, false);
    let (icon, colour) = match finding.severity {
        Severity::Error => (icons::FAILED, tokens.error),
        Severity::Warning => (icons::WARNING, tokens.warn),
        Severity::Note => (icons::INFO, tokens.text2),
    };
    let at = Rect::from_min_size(pos2(rect.left() + 12.0, rect.top()), vec2(14.0, ROW));
    paint::icon(ui.painter(), at, icon, 14.0, colour);
    let inner = list::inside(rect, 34.0, 12.0);
    let room = Rect::from_min_max(inner.min, pos2(inner.right(), inner.bottom()));
    let shown = paint::shortened(ui.painter(), &place, &fonts::small(), inner.width() * 0.4);
    let left = paint::text_right(ui.painter(), room, &shown, fonts::small(), tokens.text2).left();
    let room = Rect::from_min_max(inner.min, pos2(left - 12.0, inner.bottom()));
    paint::name_in(ui.painter(), room, &message, fonts::body(), tokens.text);
    if response.clicked() {
        go_to(entity, &finding.place, actions);
    }
    menu::context(&response, |ui| {
        for (number, place) in std::iter::once(&finding.place).chain(&finding.more).enumerate().take(16) {
            let words = place_words(place);
            let word = if words.is_empty() { "The model".to_owned() } else { words };
            if (menu::Row { word: &word, value: format!("{}", number + 1), ..menu::Row::default() }).show(ui).clicked()
            {
                go_to(entity, place, actions);
            }
        }
        menu::separator(ui);
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

/// Where it is, in words; empty for the model as a whole.
fn place_words(place: &Location) -> String {
    let mut words = Vec::new();
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

/// Goes there: selects it, shows the frame.
fn go_to(entity: &Entity, place: &Location, actions: &mut Vec<Action>) {
    if let Some(clip) = &place.clip {
        let choice = maquette_scene::scene::ClipChoice::Clip(clip.index);
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id, choice)));
    }
    if let Some(frame) = place.frame {
        let first = f64::from(entity.playback.first_shown(entity.model()));
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id, frame as f64 - first)));
    }
    let surface = place.surface.as_ref().map(|spot| spot.index);
    let selection = match (surface, place.triangle, place.vertex) {
        (Some(surface), Some(triangle), _) => Selection::Triangle { surface, triangle },
        (Some(surface), None, Some(vertex)) => Selection::Vertex { surface, vertex: drawn(entity, surface, vertex) },
        (Some(surface), None, None) => Selection::Surface(surface),
        (None, ..) => match (&place.tag, &place.joint) {
            (Some(tag), _) => Selection::Tag(tag.index),
            (None, Some(joint)) => Selection::Joint(joint.index),
            (None, None) => return,
        },
    };
    actions.push(Action::Scene(SceneAction::SelectIn(entity.id, selection)));
}
