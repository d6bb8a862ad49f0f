//! The Scene tab: the entities and what is attached to what; shown, hidden, attached elsewhere, detached.

use std::collections::HashSet;

use egui::{Rect, RichText, ScrollArea, Sense, Ui, pos2, vec2};

use super::button::{Button, Emphasis, focus_ring};
use super::{access, context, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::open::{Anchor, Role as Part};
use maquette_assets::vfs::split_extension;
use maquette_scene::scene::{Attachment, Entity, EntityId};
use maquette_scene::session::{
    Action, FileAction, FilePrompt, SceneAction, Session, anchors_of, command_for, has_places, places,
};

/// Points to the right for each parent below.
const INDENT: f32 = 10.0;
/// Rows further from the ground stand no further to the right.
const INDENTED_LEVELS: usize = 6;
/// Rows of a menu: no model anyone made has as many tags.
const MENU_ROWS: usize = 256;

/// Shows the tab.
pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let folded_id = ui.scope_id().with("folded");
    let mut folded: HashSet<EntityId> = ui.data_mut(|data| data.get_temp(folded_id)).unwrap_or_default();
    ScrollArea::vertical().id_salt("scene").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(8.0);
        let whole = usize::from(session.document.scene.figure.is_some());
        if whole > 0 {
            figure(ui, session, actions);
        }
        for entity in in_order(session) {
            if is_folded(session, entity, &folded) {
                continue;
            }
            let second = compared_letter(session, entity) == Some("B");
            let others = session.document.scene.carried_by(entity.id).into_iter().skip(1);
            let is_second = |id: &EntityId| session.document.comparison.as_ref().is_some_and(|it| it.b == *id);
            let carries = !second && others.filter(|id| !is_second(id)).count() > 0;
            let turned = part(ui, session, entity, whole, carries.then(|| !folded.contains(&entity.id)), actions);
            if turned && !folded.remove(&entity.id) {
                folded.insert(entity.id);
            }
        }
        ui.add_space(10.0);
        below(ui, session, actions);
    });
    ui.data_mut(|data| data.insert_temp(folded_id, folded));
}

/// The entities from top to bottom: what is compared with a part stands below it.
fn in_order(session: &Session) -> Vec<&Entity> {
    let scene = &session.document.scene;
    let second = session.document.comparison.as_ref().and_then(|comparison| scene.entity(comparison.b));
    let mut entities: Vec<&Entity> =
        scene.entities().iter().filter(|entity| second.is_none_or(|second| second.id != entity.id)).collect();
    if let (Some(second), Some(comparison)) = (second, &session.document.comparison) {
        let place = entities.iter().position(|entity| entity.id == comparison.a).map_or(entities.len(), |at| at + 1);
        entities.insert(place, second);
    }
    entities
}

/// Which of two that are compared it is.
fn compared_letter(session: &Session, entity: &Entity) -> Option<&'static str> {
    let comparison = session.document.comparison.as_ref()?;
    match entity.id {
        id if id == comparison.a => Some("A"),
        id if id == comparison.b => Some("B"),
        _ => None,
    }
}

/// Whether one of its parents is folded.
fn is_folded(session: &Session, entity: &Entity, folded: &HashSet<EntityId>) -> bool {
    let mut at = entity.attachment.as_ref();
    while let Some(attachment) = at {
        if folded.contains(&attachment.to) {
            return true;
        }
        at = session.document.scene.entity(attachment.to).and_then(|parent| parent.attachment.as_ref());
    }
    false
}

/// The row of the whole figure.
fn figure(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let name = session.name().unwrap_or_default();
    let chosen = session.document.selects_figure();
    let (rect, response) = list::row(ui, ui.scope_id().with("figure"), name, list::ROW, chosen);
    actions.extend(response.clicked().then_some(Action::Scene(SceneAction::SelectFigure)));
    let painter = ui.painter();
    let icon = Rect::from_min_size(rect.min + vec2(12.0, 0.0), vec2(14.0, rect.height()));
    paint::icon(painter, icon, icons::PERSON, 14.0, if chosen { tokens.accent } else { tokens.text2 });
    let room = list::inside(rect, 32.0, 40.0);
    let own = paint::name_in(painter, room, name, fonts::medium(), tokens.text);
    let shown = session.document.scene.entities().iter().filter(|entity| session.document.scene.shows(entity)).count();
    let count = format::plural(shown, "part");
    let rest = Rect::from_min_max(pos2(own.right() + 8.0, room.top()), room.max);
    paint::text_in(painter, rest, &count, fonts::small(), tokens.text2);
    // A flash is seen for a moment only.
    let all_shown = session.document.scene.entities().iter().all(|entity| !entity.hidden || entity.role == Part::Flash);
    let why_not = session.document.comparison.is_some().then_some(COMPARED);
    if list::eye(ui, eye(rect), ("eye of", "figure"), "all parts", all_shown, why_not) && !all_shown {
        actions.push(Action::Scene(SceneAction::ShowAllEntities));
    }
    response.on_hover_text(
        session
            .document
            .scene
            .figure
            .as_ref()
            .and_then(|figure| figure.place.as_ref())
            .map_or_else(|| name.to_owned(), |place| place.display().to_string()),
    );
}

/// The row of a part. Gives whether it was folded or unfolded.
fn part(
    ui: &mut Ui,
    session: &Session,
    entity: &Entity,
    deeper: usize,
    unfolded: Option<bool>,
    actions: &mut Vec<Action>,
) -> bool {
    let tokens = theme::tokens(ui);
    let chosen = session.document.focus == Some(entity.id) && !session.document.selects_figure();
    let id = ui.scope_id().with(("part", entity.id));
    let label = entity.label().to_owned();
    let (rect, response) = list::row(ui, id, &label, list::ROW, chosen);
    if response.clicked() {
        actions.push(Action::Scene(SceneAction::SelectIn(entity.id, maquette_scene::session::Selection::None)));
    }
    let letter = compared_letter(session, entity);
    // It stands beside the part it is compared with, not on it.
    let own_depth = session.document.scene.depth(entity).saturating_sub(usize::from(letter == Some("B")));
    let depth = (own_depth + deeper).min(INDENTED_LEVELS);
    let left = 8.0 + depth as f32 * INDENT;
    let mut turned = false;
    if let Some(unfolded) = unfolded {
        let place = Rect::from_min_size(rect.min + vec2(left, 0.0), vec2(18.0, rect.height()));
        let fold = ui.interact(place, id.with("fold"), Sense::click());
        access::unfolds(&fold, unfolded, &format!("Parts attached to {label}"));
        let icon = if unfolded { icons::CHEVRON_DOWN } else { icons::CHEVRON_RIGHT };
        let colour = if fold.hovered() || fold.has_focus() { tokens.text } else { tokens.text2 };
        paint::icon(ui.painter(), place, icon, 14.0, colour);
        focus_ring(ui, fold.has_focus(), place, 0.0);
        turned = fold.clicked();
    }
    let icon = Rect::from_min_size(rect.min + vec2(left + 20.0, 0.0), vec2(14.0, rect.height()));
    let shown = session.document.scene.shows(entity);
    let ink = if shown { tokens.text } else { tokens.text2 };
    let ink_of_icon = if chosen { tokens.accent } else { tokens.text2 };
    match letter {
        Some(letter) => {
            paint::text(ui.painter(), icon.center(), egui::Align2::CENTER_CENTER, letter, fonts::strong(), ink_of_icon);
        }
        None => paint::icon(ui.painter(), icon, icons::BOX, 14.0, ink_of_icon),
    }
    let more_shown = chosen || response.hovered() || response.has_focus();
    let room = list::inside(rect, left + 40.0, if more_shown { 64.0 } else { 40.0 });
    let font = if chosen { fonts::medium() } else { fonts::body() };
    let star = if entity.asset.is_unsaved() { "*" } else { "" };
    let own = paint::name_in(ui.painter(), room, &format!("{label}{star}"), font, ink);
    let rest = Rect::from_min_max(pos2(own.right() + 8.0, room.top()), room.max);
    if rest.width() > 24.0 && entity.label() != entity.asset.name {
        let stem = split_extension(&entity.asset.name).0;
        paint::text_in(ui.painter(), rest, stem, fonts::small(), tokens.text2);
    }
    if list::eye(ui, eye(rect), ("eye of", id), &label, !entity.hidden, aside(session, entity)) {
        actions.push(Action::Scene(SceneAction::ShowEntity(entity.id, entity.hidden)));
    }
    if more_shown {
        let place = Rect::from_center_size(pos2(rect.right() - 46.0, rect.center().y), vec2(24.0, 24.0));
        let name = format!("More options for {label}");
        let more = Button::new(&name).icon(icons::MORE).height(24.0).show_at(ui, place, ("more", entity.id));
        menu::below(&more, |ui| choices(ui, session, entity, actions));
    }
    menu::context(&response, |ui| choices(ui, session, entity, actions));
    response.on_hover_ui(|ui| tooltip(ui, session, entity));
    turned
}

fn tooltip(ui: &mut Ui, session: &Session, entity: &Entity) {
    ui.label(RichText::new(entity.asset.starred_name()).font(fonts::medium()));
    ui.label(RichText::new(&entity.asset.game_path).monospace());
    let Some(attachment) = &entity.attachment else { return };
    let Some(parent) = session.document.scene.entity(attachment.to) else { return };
    let place = match &attachment.anchor {
        Anchor::Origin if compared_letter(session, entity) == Some("B") => {
            format!("Compared with {}", parent.asset.name)
        }
        Anchor::Origin => format!("At the origin of {}", parent.asset.name),
        anchor if parent.has(anchor) => format!("Attached to {} of {}", anchor.name(), parent.asset.name),
        anchor => format!("{} has no {}; placed at its origin", parent.asset.name, anchor.name()),
    };
    ui.label(RichText::new(place).small().weak());
}

/// Whether there is more of the figure than is shown: one part is shown alone, or others were never opened or taken away.
fn is_not_whole(session: &Session, entity: &Entity) -> bool {
    let has = |role| session.document.scene.with_role(role).is_some();
    let stands = session.document.scene.figure.is_some() && (has(Part::Body) || has(Part::Legs) && has(Part::Torso));
    session.document.scene.alone.is_some() || (entity.asset.of_figure && !stands)
}

/// The menu of a part.
fn choices(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    let row = |ui: &mut Ui, word: &str| menu::Row::new(word).show(ui).clicked();
    if session.document.scene.entities().len() > 1 && row(ui, "Isolate part") {
        actions.push(Action::Scene(SceneAction::ShowAlone(entity.id)));
    }
    if is_not_whole(session, entity) && row(ui, "Show full character") {
        actions.push(Action::Scene(SceneAction::ShowFigure));
    }
    if row(ui, if entity.hidden { "Show" } else { "Hide" }) {
        actions.push(Action::Scene(SceneAction::ShowEntity(entity.id, entity.hidden)));
    }
    if anchors_of(entity).next().is_some() {
        menu::leading_on(ui, "Attach a model here", |ui| {
            for anchor in anchors_of(entity).take(MENU_ROWS) {
                if row(ui, anchor.name()) {
                    actions
                        .push(Action::File(FileAction::Ask(FilePrompt::Attach(Attachment { to: entity.id, anchor }))));
                }
            }
        });
    }
    if entity.attachment.is_some() {
        let carried = session.document.scene.carried_by(entity.id);
        let others: Vec<(&Entity, Anchor)> =
            places(&session.document.scene).into_iter().filter(|(parent, _)| !carried.contains(&parent.id)).collect();
        if !others.is_empty() {
            menu::leading_on(ui, "Move to another tag", |ui| {
                for (parent, anchor) in others {
                    let to = Attachment { to: parent.id, anchor };
                    let on = entity.attachment.as_ref() == Some(&to);
                    let line = menu::Row {
                        word: to.anchor.name(),
                        value: parent.label().to_owned(),
                        on: Some(on),
                        ..menu::Row::default()
                    };
                    if line.show(ui).clicked() {
                        actions.push(Action::Scene(SceneAction::Reattach(entity.id, to)));
                    }
                }
            });
        }
        let is_focused = session.entity().is_some_and(|focus| focus.id == entity.id);
        let command = is_focused.then(|| command_for(&Action::Scene(SceneAction::DetachFocused))).flatten();
        if (menu::Row { word: "Detach", command, ..menu::Row::default() }).show(ui).clicked() {
            actions.push(Action::Scene(SceneAction::Detach(entity.id)));
        }
    }
    if let Some(file) = &entity.asset.file {
        menu::separator(ui);
        context::file(ui, file, actions);
    }
    if session.document.focus == Some(entity.id) {
        context::model(ui, session, actions);
    }
}

/// What can be done with all: another weapon, something attached, the single part or the whole.
fn below(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(focus) = session.entity() else { return };
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 0)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.set_width(ui.available_width());
        let can_carry = has_places(&session.document.scene);
        let wide = |ui: &mut Ui, button: &Button<'_>, salt: &str| {
            let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 28.0));
            button.show_at(ui, rect, salt)
        };
        if is_not_whole(session, focus) {
            let button = Button::new("Show full character").icon(icons::PERSON).word("Show full character");
            if wide(ui, &button.rank(Emphasis::Raised), "whole").clicked() {
                actions.push(Action::Scene(SceneAction::ShowFigure));
            }
        } else if session.document.scene.entities().len() > 1 && !session.document.selects_figure() {
            let word = format!("Isolate {}", focus.asset.name);
            let word = paint::shortened(ui.painter(), &word, &fonts::body(), ui.available_width() - 40.0);
            let button = Button::new(&word).icon(icons::BOX).word(&word).rank(Emphasis::Raised);
            if wide(ui, &button, "alone").clicked() {
                actions.push(Action::Scene(SceneAction::ShowAlone(focus.id)));
            }
        }
        if let Some(figure) = session.document.scene.figure.as_ref().filter(|figure| !figure.weapons.is_empty()) {
            let held = session.document.scene.with_role(Part::Weapon);
            let name = held.map_or("none", |weapon| split_extension(&weapon.asset.name).0);
            let word = format!("Weapon: {name}");
            let button = Button::new("Weapon").word(&word).rank(Emphasis::Raised).menu();
            let response = wide(ui, &button, "weapon");
            menu::below(&response, |ui| {
                let none = menu::Row::new("none").on(held.is_none());
                actions.extend(none.show(ui).clicked().then_some(Action::Scene(SceneAction::ChooseWeapon(None))));
                for weapon in &figure.weapons {
                    let stem = weapon.file_stem().map(|stem| stem.to_string_lossy()).unwrap_or_default();
                    let on = held.is_some_and(|held| held.asset.file.as_ref() == Some(weapon));
                    if menu::Row::new(&stem).on(on).show(ui).clicked() {
                        actions.push(Action::Scene(SceneAction::ChooseWeapon(Some(weapon.clone()))));
                    }
                }
            });
        }
        let attach = Button::new("Attach model…").icon(icons::TAG).word("Attach model…").rank(Emphasis::Raised);
        let attach = attach.enabled(can_carry, "No tag or joint to attach to");
        let response = wide(ui, &attach, "attach");
        menu::below(&response, |ui| {
            let to = context::attach_rows(ui, places(&session.document.scene));
            actions.extend(to.map(|to| Action::File(FileAction::Ask(FilePrompt::Attach(to)))));
        });
        if can_carry {
            let hint = "Or drop a model: weapons attach to tag_weapon, any model to a selected tag or joint. Other models open on their own";
            ui.add(egui::Label::new(RichText::new(hint).small().weak()).wrap());
        }
    });
}

const COMPARED: &str = "Hidden while two models are compared";

/// Why a part is not shown for now, whatever its own switch says.
fn aside(session: &Session, entity: &Entity) -> Option<&'static str> {
    let scene = &session.document.scene;
    if let Some(pair) = scene.compared_pair() {
        return (!pair.contains(&entity.id)).then_some(COMPARED);
    }
    scene.alone.filter(|alone| *alone != entity.id).map(|_| "Hidden while another part is isolated")
}

/// Where the eye of a row is, at its end.
fn eye(row: Rect) -> Rect {
    Rect::from_center_size(pos2(row.right() - 20.0, row.center().y), vec2(26.0, row.height()))
}
