//! The section Surfaces: shown or hidden, their pictures and triangles.

use egui::{Rect, Response, Ui, pos2, vec2};

use super::{State, clips, columns};
use crate::ui::thumbnails::Thumbnails;
use crate::ui::{context, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::material::SurfaceMaterial;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, SceneAction, Selection, Session};

/// Height of a row with a small picture.
const ROW: f32 = 30.0;

/// What a surface wears now.
#[must_use]
pub fn material_of(entity: &Entity, index: usize) -> Option<&SurfaceMaterial> {
    entity.materials().get(index)
}

/// Shows the section.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    entity: &Entity,
    memory: &mut State,
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let shown = memory.sorting.order(entity).to_vec();
    if shown.is_empty() {
        return;
    }
    let visible = |index: usize| entity.visible.get(index).copied().unwrap_or(true);
    let hidden = shown.iter().filter(|index| !visible(**index)).count();
    let selected = session.document.selected_surfaces().len();
    let count = if selected > 1 {
        format!("{} selected", format::count(selected))
    } else if hidden == 0 {
        format::count(shown.len())
    } else {
        format!("{} of {}", format::count(shown.len() - hidden), format::count(shown.len()))
    };
    if !memory.section(ui, "Surfaces", &count, true) {
        return;
    }
    let mut shown = shown;
    let wanted = memory.filter(ui, "surface", shown.len());
    if !wanted.is_empty() {
        shown.retain(|index| entity.surface_name(*index).to_lowercase().contains(&wanted));
    }
    let widths = columns::widths(ui, entity, &shown);
    columns::headings(ui, &mut memory.sorting, widths);
    let chosen = || shown.iter().position(|index| session.document.selection == Selection::Surface(*index));
    let bring = if memory.brings_selection { chosen() } else { None };
    list::rows(ui, "surfaces", 0..shown.len(), ROW, bring, |ui, row| {
        if let Some(index) = shown.get(row).copied() {
            let response = surface(ui, session, entity, index, widths, thumbnails, actions);
            if response.clicked() {
                let modifiers = ui.input(|input| input.modifiers);
                actions.push(Action::Scene(clicked(session, index, &shown, modifiers)));
            }
            actions.extend(response.double_clicked().then_some(Action::Scene(SceneAction::ShowOnly(index))));
        }
    });
    if shown.is_empty() {
        clips::nothing(ui, "No matching surfaces");
    }
    list::end_section(ui);
}

fn surface(
    ui: &mut Ui,
    session: &Session,
    entity: &Entity,
    index: usize,
    widths: [f32; 2],
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) -> Response {
    let visible = entity.visible.get(index).copied().unwrap_or(true);
    let part = &entity.asset;
    let tokens = theme::tokens(ui);
    let name = entity.surface_name(index);
    let selected = session.document.selects_surface(index);
    let id = ui.scope_id().with(("surface", index));
    let (rect, response) = list::row(ui, id, &name, ROW, selected);
    let place = Rect::from_center_size(pos2(rect.left() + 18.0, rect.center().y), vec2(26.0, rect.height()));
    let eye = list::eye(ui, place, ("eye", index), &name, visible, None);
    actions.extend(eye.then_some(Action::Scene(SceneAction::ShowSurface(index, !visible))));
    let material = material_of(entity, index);
    let picture = material.and_then(|material| material.image.as_ref());
    let place = Rect::from_center_size(pos2(rect.left() + 44.0, rect.center().y), vec2(22.0, 22.0));
    let uvs = part.model.surfaces().get(index).map_or(&[][..], |surface| &surface.uvs);
    thumbnails.show(ui, place, picture, index, uvs);
    let painter = ui.painter();
    let ink = if visible { tokens.text } else { tokens.text2 };
    let triangles = part.model.surfaces().get(index).map_or(0, |surface| surface.triangles.len());
    let vertices = part.model.stored_vertices(index);
    let split = part.model.surfaces().get(index).map_or(0, maquette_core::model::Surface::vertex_count);
    if widths[1] > 0.0 {
        let cell = list::inside(rect, 0.0, 12.0);
        paint::text_right(painter, cell, &format::count(vertices), fonts::body(), tokens.text2);
    }
    let cell = list::inside(rect, 0.0, 12.0 + widths[1]);
    paint::text_right(painter, cell, &format::count(triangles), fonts::body(), tokens.text2);
    let right = cell.right() - widths[0];
    if material.is_some_and(|material| material.trouble().is_some()) && triangles > 0 {
        let corner = Rect::from_center_size(place.right_bottom() - vec2(4.0, 4.0), vec2(14.0, 14.0));
        painter.circle_filled(corner.center(), 8.0, if selected { tokens.selected } else { tokens.panel });
        paint::icon(painter, corner, icons::WARNING, 12.0, tokens.warn);
    }
    let font = if selected { fonts::medium() } else { fonts::body() };
    let room = Rect::from_min_max(pos2(rect.left() + columns::NAME, rect.top()), pos2(right - 8.0, rect.bottom()));
    paint::name_in(painter, room, &name, font, ink);
    // What the menu does is done to what is selected.
    if response.secondary_clicked() && !selected {
        actions.push(Action::Scene(SceneAction::Select(Selection::Surface(index))));
    }
    menu::context(&response, |ui| context::surfaces(ui, session, entity, actions));
    response.on_hover_ui(|ui| tooltip(ui, &name, material, [triangles, vertices, split]))
}

/// What a click on a surface selects: it alone, with Ctrl it besides the others, with Shift all from the one selected
/// first to it.
fn clicked(session: &Session, index: usize, shown: &[usize], modifiers: egui::Modifiers) -> SceneAction {
    let selected = session.document.selected_surfaces();
    if modifiers.command || modifiers.ctrl {
        return SceneAction::ToggleSelected(index);
    }
    let row = |surface: usize| shown.iter().position(|other| *other == surface);
    if let (true, Some(first)) = (modifiers.shift, selected.first().copied())
        && let (Some(from), Some(to)) = (row(first), row(index))
    {
        let between = shown.get(from.min(to)..=from.max(to)).unwrap_or_default();
        let others = between.iter().copied().filter(|surface| *surface != first);
        return SceneAction::SelectSurfaces(std::iter::once(first).chain(others).collect());
    }
    SceneAction::Select(if selected == [index] { Selection::None } else { Selection::Surface(index) })
}

fn tooltip(ui: &mut Ui, name: &str, material: Option<&SurfaceMaterial>, counts: [usize; 3]) {
    ui.label(egui::RichText::new(name).font(fonts::medium()));
    let [triangles, vertices, split] = counts;
    let (triangles, vertices) = (format::plural(triangles, "triangle"), format::plural(vertices, "vertex"));
    ui.label(format!("{triangles}, {vertices}"));
    if split != counts[1] {
        ui.label(format!("{} drawn: split where texture coordinates differ", format::plural(split, "vertex")));
    }
    let Some(material) = material else { return };
    if material.hidden {
        ui.label("Hidden by the skin");
        return;
    }
    if material.is_undrawn() {
        ui.label("Not drawn in the game");
    }
    if let Some(trouble) = material.trouble() {
        ui.label(if material.name.is_empty() { "The file names no texture".to_owned() } else { trouble });
    }
    if let Some((file, line)) = &material.script {
        ui.label(egui::RichText::new(format!("{file} line {line}")).monospace());
    }
    if let Some(picture) = &material.image {
        ui.label(egui::RichText::new(&material.path).monospace());
        ui.label(egui::RichText::new(format::texture_size(picture)).small().weak());
    }
}
