//! Scene tab: the parts with their attachments and visibility.

use std::collections::HashSet;

use egui::{RichText, ScrollArea, Sense, Ui};

use super::button::focus_ring;
use super::kit::row::Shown;
use super::{Button, Emphasis, Row, access, context, fonts, format, icons, list, menu, theme};
use maquette_assets::open::{Anchor, Role as Part};
use maquette_assets::vfs::split_extension;
use maquette_scene::scene::{Attachment, Entity, EntityId};
use maquette_scene::session::{
    Action, FileAction, FilePrompt, SceneAction, Session, anchors_of, attachment_points, command_for,
    has_attachment_points,
};

/// Widths of the eye and the menu button of a row, and the margin after them.
const EYE: f32 = 26.0;
const MORE: f32 = 24.0;
const EYE_MARGIN: f32 = 7.0;
/// Maximum number of tags in a menu, beyond any real model.
const MENU_ROWS: usize = 256;

pub fn show(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let folded_id = ui.scope_id().with("folded");
    let mut folded: HashSet<EntityId> = ui.data_mut(|data| data.get_temp(folded_id)).unwrap_or_default();
    ScrollArea::vertical().id_salt("scene").auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        ui.add_space(8.0);
        if session.document.scene.character.is_some() {
            character(ui, session, actions);
        }
        for entity in in_order(session) {
            if is_folded(session, entity, &folded) {
                continue;
            }
            let second = compared_letter(session, entity) == Some("B");
            let others = session.document.scene.subtree(entity.id).into_iter().skip(1);
            let is_second = |id: &EntityId| session.document.comparison.as_ref().is_some_and(|it| it.b == *id);
            let carries = !second && others.filter(|id| !is_second(id)).count() > 0;
            let turned = part(ui, session, entity, carries.then(|| !folded.contains(&entity.id)), actions);
            if turned && !folded.remove(&entity.id) {
                folded.insert(entity.id);
            }
        }
        ui.add_space(10.0);
        below(ui, session, actions);
    });
    ui.data_mut(|data| data.insert_temp(folded_id, folded));
}

/// Returns the entities in display order: the compared model B follows model A.
fn in_order(session: &Session) -> Vec<&Entity> {
    let mut entities: Vec<&Entity> = session.document.scene.entities().iter().collect();
    if let Some(comparison) = &session.document.comparison
        && let Some(at) = entities.iter().position(|entity| entity.id == comparison.b)
    {
        let second = entities.remove(at);
        let first = entities.iter().position(|entity| entity.id == comparison.a);
        entities.insert(first.map_or(entities.len(), |first| first + 1), second);
    }
    entities
}

fn compared_letter(session: &Session, entity: &Entity) -> Option<&'static str> {
    let comparison = session.document.comparison.as_ref()?;
    match entity.id {
        id if id == comparison.a => Some("A"),
        id if id == comparison.b => Some("B"),
        _ => None,
    }
}

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

fn character(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let scene = &session.document.scene;
    let name = session.name().unwrap_or_default();
    let shown = scene.entities().iter().filter(|entity| scene.shows(entity)).count();
    let row = Row::new(name).icon(icons::PERSON).font(fonts::medium()).aside(format::plural(shown, "part"));
    let row = row.selected(session.document.selects_character()).margin(EYE_MARGIN).end(EYE);
    let Shown { response, end, .. } = row.show_parts(ui, "figure");
    actions.extend(response.clicked().then_some(Action::Scene(SceneAction::SelectCharacter)));
    // A muzzle flash is normally hidden, so ignore it.
    let all_shown = scene.entities().iter().all(|entity| !entity.hidden || entity.role == Part::Flash);
    let why_not = session.document.comparison.is_some().then_some(COMPARED);
    if list::eye(ui, end, ("eye of", "figure"), "all parts", all_shown, why_not) && !all_shown {
        actions.push(Action::Scene(SceneAction::ShowAllEntities));
    }
    let place = scene.character.as_ref().and_then(|character| character.location.as_ref());
    response.on_hover_text(place.map_or_else(|| name.to_owned(), |place| place.display().to_string()));
}

/// Shows the row of a part. Returns whether it was folded or unfolded.
fn part(ui: &mut Ui, session: &Session, entity: &Entity, unfolded: Option<bool>, actions: &mut Vec<Action>) -> bool {
    let tokens = theme::tokens(ui);
    let scene = &session.document.scene;
    let label = entity.label();
    let letter = compared_letter(session, entity);
    // Show model B at the depth of model A, although it is attached to A.
    let own_depth = scene.depth(entity).saturating_sub(usize::from(letter == Some("B")));
    let depth = own_depth + usize::from(scene.character.is_some());
    let star = if entity.asset.is_unsaved() { "*" } else { "" };
    let row = Row::new(format!("{label}{star}")).spoken(label).inset(8.0 + list::indent(depth));
    let row = row.fold(unfolded).margin(EYE_MARGIN).end(EYE + MORE);
    let chosen = session.document.focus == Some(entity.id) && !session.document.selects_character();
    let row = row.selected(chosen);
    let row = row.colour(if scene.shows(entity) { tokens.text } else { tokens.text2 });
    let row = letter.map_or_else(|| row.clone().icon(icons::BOX), |letter| row.clone().letter(letter));
    let stem = if label == entity.asset.name { "" } else { split_extension(&entity.asset.name).0 };
    let Shown { response, fold, end, .. } = row.aside(stem).show_parts(ui, ("part", entity.id));
    if response.clicked() {
        actions.push(Action::Scene(SceneAction::SelectIn(entity.id, maquette_scene::session::Selection::None)));
    }
    let mut turned = false;
    if let Some(unfolded) = unfolded {
        let response = ui.interact(fold.expand(2.0), ui.scope_id().with(("fold", entity.id)), Sense::click());
        access::unfolds(&response, unfolded, &format!("Parts attached to {label}"));
        focus_ring(ui, response.has_focus(), fold, 0.0);
        turned = response.clicked();
    }
    let (more, eye) = end.split_left_right_at_x(end.right() - EYE);
    if list::eye(ui, eye, ("eye of", entity.id), label, !entity.hidden, aside(session, entity)) {
        actions.push(Action::Scene(SceneAction::ShowEntity(entity.id, entity.hidden)));
    }
    let is_used = chosen || response.hovered() || response.has_focus() || egui::Popup::is_any_open(ui.ctx());
    if is_used || ui.rect_contains_pointer(end) {
        let name = format!("More options for {label}");
        let more = Button::new(&name).icon(icons::MORE).height(24.0).show_at(ui, more, ("more", entity.id));
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

/// Whether parts of the character are not shown, because one is isolated or parts are missing.
fn is_not_whole(session: &Session, entity: &Entity) -> bool {
    let has = |role| session.document.scene.with_role(role).is_some();
    let stands = session.document.scene.character.is_some() && (has(Part::Body) || has(Part::Legs) && has(Part::Torso));
    session.document.scene.alone.is_some() || (entity.asset.of_character && !stands)
}

fn choices(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    let act = |action| Action::Scene(action);
    if session.document.scene.entities().len() > 1 {
        menu::item(ui, "Isolate part", act(SceneAction::ShowAlone(entity.id)), actions);
    }
    if is_not_whole(session, entity) {
        menu::item(ui, "Show full character", act(SceneAction::ShowCharacter), actions);
    }
    let word = if entity.hidden { "Show" } else { "Hide" };
    menu::item(ui, word, act(SceneAction::ShowEntity(entity.id, entity.hidden)), actions);
    if anchors_of(entity).next().is_some() {
        menu::leading_on(ui, "Attach a model here", |ui| {
            let own = anchors_of(entity).take(MENU_ROWS).map(|anchor| Attachment { to: entity.id, anchor });
            for to in own {
                let word = to.anchor.name().to_owned();
                menu::item(ui, &word, Action::File(FileAction::Ask(FilePrompt::Attach(to))), actions);
            }
        });
    }
    if let Some(attachment) = &entity.attachment {
        let carried = session.document.scene.subtree(entity.id);
        let others: Vec<(&Entity, Anchor)> = attachment_points(&session.document.scene)
            .into_iter()
            .filter(|(parent, _)| !carried.contains(&parent.id))
            .collect();
        if !others.is_empty() {
            menu::leading_on(ui, "Move to another tag", |ui| {
                let to = context::attach_rows(ui, others, Some(attachment));
                actions.extend(to.map(|to| act(SceneAction::Reattach(entity.id, to))));
            });
        }
        let is_focused = session.entity().is_some_and(|focus| focus.id == entity.id);
        let command = is_focused.then(|| command_for(&act(SceneAction::DetachFocused))).flatten();
        menu::Row { command, ..menu::Row::new("Detach") }.push(ui, act(SceneAction::Detach(entity.id)), actions);
    }
    if let Some(file) = &entity.asset.file {
        menu::separator(ui);
        context::file(ui, file, actions);
    }
    if session.document.focus == Some(entity.id) {
        context::model(ui, session, actions);
    }
}

fn below(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let Some(focus) = session.entity() else { return };
    egui::Frame::new().inner_margin(egui::Margin::symmetric(12, 0)).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 6.0;
        ui.set_width(ui.available_width());
        let can_carry = has_attachment_points(&session.document.scene);
        let shown = if is_not_whole(session, focus) {
            Some(("Show full character".to_owned(), icons::PERSON, SceneAction::ShowCharacter))
        } else if session.document.scene.entities().len() > 1 && !session.document.selects_character() {
            Some((format!("Isolate {}", focus.asset.name), icons::BOX, SceneAction::ShowAlone(focus.id)))
        } else {
            None
        };
        if let Some((word, icon, action)) = shown {
            let button = Button::new(&word).icon(icon).word(&word).rank(Emphasis::Raised);
            actions.extend(button.show_wide(ui).clicked().then_some(Action::Scene(action)));
        }
        if let Some(character) =
            session.document.scene.character.as_ref().filter(|character| !character.weapons.is_empty())
        {
            let held = session.document.scene.with_role(Part::Weapon);
            let name = held.map_or("none", |weapon| split_extension(&weapon.asset.name).0);
            let word = format!("Weapon: {name}");
            let button = Button::new("Weapon").word(&word).rank(Emphasis::Raised).menu();
            let response = button.show_wide(ui);
            menu::below(&response, |ui| {
                let file = held.and_then(|held| held.asset.file.as_ref());
                for weapon in std::iter::once(None).chain(character.weapons.iter().map(Some)) {
                    let stem =
                        weapon.map_or("none".into(), |weapon| weapon.file_stem().unwrap_or_default().to_string_lossy());
                    let on = weapon.map_or(held.is_none(), |weapon| file == Some(weapon));
                    menu::toggle(ui, &stem, on, Action::Scene(SceneAction::ChooseWeapon(weapon.cloned())), actions);
                }
            });
        }
        let attach = Button::new("Attach model…").icon(icons::TAG).word("Attach model…").rank(Emphasis::Raised);
        let attach = attach.enabled(can_carry, "No tag or joint to attach to");
        let response = attach.show_wide(ui);
        menu::below(&response, |ui| {
            let to = context::attach_rows(ui, attachment_points(&session.document.scene), None);
            actions.extend(to.map(|to| Action::File(FileAction::Ask(FilePrompt::Attach(to)))));
        });
        if can_carry {
            let hint = "Or drop a model: weapons attach to tag_weapon, and a card offers to attach others.";
            ui.add(egui::Label::new(RichText::new(hint).small().weak()).wrap());
        }
    });
}

const COMPARED: &str = "Hidden while two models are compared";

/// Returns the reason why a part is hidden although its switch is on, if any.
fn aside(session: &Session, entity: &Entity) -> Option<&'static str> {
    let scene = &session.document.scene;
    if let Some(pair) = scene.compared_pair() {
        return (!pair.contains(&entity.id)).then_some(COMPARED);
    }
    scene.alone.filter(|alone| *alone != entity.id).map(|_| "Hidden while another part is isolated")
}
