//! The section Tags: where other models attach; the chosen one tells its place and axes.

use egui::{Rect, Response, Ui, vec2};
use glam::Vec3;

use super::{State, angles_row, attached_row, axes_rows, clips, place_row, world_row};
use crate::ui::{context, field, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::open::Anchor;
use maquette_core::edit::{Edit, EditKind};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, EditAction, SceneAction, Selection, Session};

/// Shows the section, if the model has tags.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let part = &entity.asset;
    let tags = part.model.tags();
    if tags.is_empty() || !memory.section(ui, "Tags", &format::count(tags.len()), true) {
        return;
    }
    let chosen = if let Selection::Tag(index) = session.document.selection { Some(index) } else { None };
    let is_mirrored = |index: usize| entity.pose.tags.get(index).is_some_and(|frame| frame.matrix3.determinant() < 0.0);
    let wanted = memory.filter(ui, "tag", tags.len());
    let fits = |index: &usize| tags.get(*index).is_some_and(|name| name.to_lowercase().contains(&wanted));
    let shown: Vec<usize> = (0..tags.len()).filter(fits).collect();
    let row = |ui: &mut Ui, row: usize| {
        let Some(index) = shown.get(row).copied() else { return };
        let Some(name) = tags.get(index) else { return };
        let chosen = chosen == Some(index);
        let response = tag(ui, index, name, chosen, is_mirrored(index));
        menu::context(&response, |ui| {
            let frame = entity.pose.tags.get(index);
            context::anchor(ui, entity, Anchor::Tag(name.clone()), frame, actions);
            context::tag(ui, session, actions);
        });
        // What the menu does is done to what is selected.
        if response.secondary_clicked() && !chosen {
            actions.push(Action::Scene(SceneAction::Select(Selection::Tag(index))));
        }
        let selection = if chosen { Selection::None } else { Selection::Tag(index) };
        actions.extend(response.clicked().then_some(Action::Scene(SceneAction::Select(selection))));
    };
    // What the chosen one tells stands under it.
    let place = shown.iter().position(|index| chosen == Some(*index));
    let mut moved = None;
    list::rows_around(ui, "tags", shown.len(), place, memory.brings_selection, row, |ui| {
        if let Some(index) = chosen {
            moved = details(ui, session, entity, index, is_mirrored(index));
        }
    });
    actions.extend(moved.map(|edit| Action::Edit(EditAction::Change(vec![edit]))));
    if shown.is_empty() {
        clips::nothing(ui, "No matching tags");
    }
    list::end_section(ui);
}

/// Place and axes of a tag. Gives how it is moved, if another place was typed.
fn details(ui: &mut Ui, session: &Session, entity: &Entity, index: usize, mirrored: bool) -> Option<Edit> {
    let frame = entity.pose.tags.get(index)?;
    let place: Vec3 = frame.translation.into();
    let mut edit = None;
    if session.why_no_tag_edit(EditKind::MoveTag).is_some() {
        place_row(ui, place);
    } else {
        edit = moved(ui, entity, index, place).map(|by| Edit::MoveTag { tag: index, by });
    }
    world_row(ui, entity, place);
    angles_row(ui, frame);
    axes_rows(ui, frame);
    let name = entity.model().tags().get(index).cloned().unwrap_or_default();
    attached_row(ui, session, entity, &Anchor::Tag(name));
    if mirrored {
        let tokens = theme::tokens(ui);
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), 20.0), egui::Sense::hover());
        let inner = list::inside(rect, list::INSET, 8.0);
        let place = Rect::from_min_size(inner.min, vec2(14.0, 20.0));
        paint::icon(ui.painter(), place, icons::WARNING, 14.0, tokens.warn);
        let text = "Mirrored axes: attached models turn inside out";
        paint::text_in(ui.painter(), list::inside(inner, 19.0, 0.0), text, fonts::small(), tokens.warn);
        response.widget_info(|| egui::WidgetInfo::labeled(egui::Role::Label, true, text));
        response.on_hover_text(text);
    }
    ui.add_space(6.0);
    edit
}

/// X, Y and Z of a tag in fields. Gives by how much it was moved.
fn moved(ui: &mut Ui, entity: &Entity, index: usize, place: Vec3) -> Option<Vec3> {
    let tokens = theme::tokens(ui);
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 32.0));
    let inner = list::inside(row, list::INSET, 12.0);
    let width = (inner.width() - 8.0) / 3.0;
    let mut by = None;
    let axes = [("X", "Position X", Vec3::X), ("Y", "Position Y", Vec3::Y), ("Z", "Position Z", Vec3::Z)];
    for (number, (((letter, name, axis), colour), value)) in
        axes.into_iter().zip(tokens.axes).zip(place.to_array()).enumerate()
    {
        let left = inner.left() + number as f32 * (width + 4.0);
        let rect = Rect::from_min_size(egui::pos2(left, row.top() + 4.0), vec2(width, 24.0));
        let field = field::Number {
            name,
            shown: format::fixed(f64::from(value), 2),
            note: "Moves the tag in every frame by the same distance",
            framed: true,
            colour: tokens.text,
        };
        let id = ui.scope_id().with(("tag place", entity.id, index, number));
        #[allow(clippy::cast_possible_truncation, reason = "files have no more digits")]
        if let Some(typed) = field::number(ui, id, rect, &field) {
            by = Some(axis * (typed as f32 - value));
        }
        if !field::is_edited(ui.ctx(), id) {
            paint::text_in(ui.painter(), rect.shrink2(vec2(8.0, 0.0)), letter, fonts::small_strong(), colour);
        }
    }
    by.filter(|by| *by != Vec3::ZERO)
}

fn tag(ui: &mut Ui, index: usize, name: &str, chosen: bool, mirrored: bool) -> Response {
    let tokens = theme::tokens(ui);
    let (rect, response) = list::row(ui, ui.scope_id().with(("tag", index)), name, list::ROW, chosen);
    let inner = list::inside(rect, list::INSET, 12.0);
    let colour = if chosen { tokens.accent } else { tokens.text2 };
    paint::icon(ui.painter(), Rect::from_min_size(inner.min, vec2(14.0, inner.height())), icons::TAG, 14.0, colour);
    let mut room = Rect::from_min_max(inner.min + vec2(22.0, 0.0), inner.max);
    if mirrored {
        let place = Rect::from_min_max(egui::pos2(inner.right() - 14.0, inner.top()), inner.max);
        paint::icon(ui.painter(), place, icons::WARNING, 14.0, tokens.warn);
        room.max.x -= 20.0;
    }
    let font = if chosen { fonts::medium() } else { fonts::body() };
    paint::name_in(ui.painter(), room, name, font, tokens.text);
    response.on_hover_text(name)
}
