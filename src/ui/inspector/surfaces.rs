//! *Surfaces* section: visibility, textures and sizes of the surfaces.

use egui::{Align2, Response, Ui};

use super::{Inspector, Sorted};
use crate::ui::kit::columns::{self, Column};
use crate::ui::kit::row::Row;
use crate::ui::{arrange, context, fonts, format, icons, list, menu, paint, theme};
use maquette_assets::material::SurfaceMaterial;
use maquette_core::model::Surface;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, SceneAction, Selection, Session};

const ROW: f32 = 30.0;
const NAME: f32 = 62.0;
/// Minimum width of a list with the number of vertices. In narrower lists, the tooltip has that number.
const WITH_VERTICES: f32 = 320.0;

/// Surfaces of a level of detail, sorted by name, triangles or vertices.
pub type Table = Sorted<(u64, u32), Vec<usize>>;

pub fn material_of(entity: &Entity, index: usize) -> Option<&SurfaceMaterial> {
    entity.materials().get(index)
}

fn sizes(entity: &Entity, index: usize) -> [usize; 2] {
    let triangles = entity.model().surfaces().get(index).map_or(0, |surface| surface.triangles.len());
    [triangles, entity.model().stored_vertices(index)]
}

fn is_visible(entity: &Entity, index: usize) -> bool {
    entity.visible.get(index).copied().unwrap_or(true)
}

fn sorted(entity: &Entity, by: columns::Sorting) -> Vec<usize> {
    let mut order: Vec<usize> = context::surfaces_shown(entity).collect();
    let Some((column, falls)) = by else { return order };
    // Reversing before and after the stable sort keeps equal surfaces in file order.
    if falls {
        order.reverse();
    }
    match column {
        0 => order.sort_by_cached_key(|index| entity.surface_name(*index).to_lowercase()),
        1 => order.sort_by_key(|index| sizes(entity, *index)[0]),
        _ => order.sort_by_key(|index| sizes(entity, *index)[1]),
    }
    if falls {
        order.reverse();
    }
    order
}

pub fn count(session: &Session, entity: &Entity) -> Option<String> {
    let all = context::surfaces_shown(entity).count();
    let shown = context::surfaces_shown(entity).filter(|index| is_visible(entity, *index)).count();
    let selected = session.document.selected_surfaces().len();
    let count = match (selected, shown) {
        (2.., _) => format!("{} selected", format::count(selected)),
        _ if shown == all => format::count(all),
        _ => format!("{} of {}", format::count(shown), format::count(all)),
    };
    (all > 0).then_some(count)
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let (session, entity) = (panel.session, panel.entity);
    let by = panel.state.surfaces.by;
    let order = panel.state.surfaces.get((entity.number, entity.lod), || sorted(entity, by)).clone();
    let shown = panel.filtered(ui, "surface", order.iter().map(|index| entity.surface_name(*index)));
    let shown: Vec<usize> = shown.into_iter().filter_map(|row| order.get(row).copied()).collect();
    let max = shown.iter().map(|index| sizes(entity, *index)).fold([0, 0], |[a, b], [c, d]| [a.max(c), b.max(d)]);
    let mut widths = max.map(|max| paint::width_of(ui, &format::count(max), fonts::body()).max(36.0).ceil() + 10.0);
    if ui.available_width() < WITH_VERTICES {
        widths[1] = 0.0;
    }
    let headings = [("Name", "name", 0.0), ("Tris", "triangles", widths[0]), ("Verts", "vertices", widths[1])];
    let headings = headings.map(|(word, what, width)| Column { word, what, about: None, width });
    if let Some(column) = columns::headings(ui, NAME, &headings, by) {
        // Names ascend first, numbers descend first.
        columns::sort(&mut panel.state.surfaces.by, column, column > 0);
    }
    let chosen = || shown.iter().position(|index| session.document.selection == Selection::Surface(*index));
    let scroll_to = if panel.state.scrolls_to_selection { chosen() } else { None };
    list::rows(ui, "surfaces", 0..shown.len(), ROW, scroll_to, |ui, row| {
        if let Some(index) = shown.get(row).copied() {
            let response = surface(ui, panel, index, widths);
            if response.clicked() {
                let modifiers = ui.input(|input| input.modifiers);
                panel.actions.push(Action::Scene(clicked(session, index, &shown, modifiers)));
            }
            panel.actions.extend(response.double_clicked().then_some(Action::Scene(SceneAction::ShowOnly(index))));
        }
    });
}

fn surface(ui: &mut Ui, panel: &mut Inspector<'_>, index: usize, widths: [f32; 2]) -> Response {
    let (session, entity) = (panel.session, panel.entity);
    let tokens = theme::tokens(ui);
    let name = entity.surface_name(index);
    let visible = is_visible(entity, index);
    let selected = session.document.selects_surface(index);
    let ink = if visible { tokens.text } else { tokens.text2 };
    let mut row = Row::new(&name).height(ROW).inset(5.0).start(NAME - 5.0).colour(ink).selected(selected);
    let sizes = sizes(entity, index);
    for (size, width) in sizes.into_iter().zip(widths).filter(|(_, width)| *width > 0.0) {
        row = row.cell(format::count(size), width);
    }
    let shown = row.show_parts(ui, ("surface", index));
    let (eye, image) = shown.start.split_left_right_at_x(shown.start.left() + 28.0);
    let eye = list::eye(ui, eye, ("eye", index), &name, visible, None);
    panel.actions.extend(eye.then_some(Action::Scene(SceneAction::ShowSurface(index, !visible))));
    let material = material_of(entity, index);
    let surface = entity.model().surfaces().get(index);
    arrange::within(ui, image, ("image", index), |ui| {
        let image = material.and_then(|material| material.image.as_ref());
        let uvs = surface.map_or(&[][..], |surface| &surface.uvs);
        let place = panel.thumbnails.show(ui, 22.0, image, Some((index, uvs)));
        if material.is_some_and(|material| material.problem().is_some()) && sizes[0] > 0 {
            let corner = place.right_bottom() - egui::Vec2::splat(4.0);
            ui.painter().circle_filled(corner, 8.0, if selected { tokens.selected } else { tokens.panel });
            let (sign, font) = (icons::WARNING, fonts::icon(12.0));
            paint::text(ui.painter(), corner, Align2::CENTER_CENTER, sign, font, tokens.warn);
        }
    });
    // A right-click selects the surface first, because menu commands act on the selection.
    if shown.response.secondary_clicked() && !selected {
        panel.actions.push(Action::Scene(SceneAction::Select(Selection::Surface(index))));
    }
    menu::context(&shown.response, |ui| context::surfaces(ui, session, entity, panel.actions));
    let split = surface.map_or(0, Surface::vertex_count);
    shown.response.on_hover_ui(|ui| tooltip(ui, &name, material, sizes, split))
}

/// Returns the action of a click: it selects the surface. With Ctrl it toggles the surface, and with Shift it selects
/// the range from the first selected surface.
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

fn tooltip(ui: &mut Ui, name: &str, material: Option<&SurfaceMaterial>, sizes: [usize; 2], split: usize) {
    ui.label(egui::RichText::new(name).font(fonts::medium()));
    let [triangles, vertices] = sizes;
    ui.label(format!("{}, {}", format::plural(triangles, "triangle"), format::plural(vertices, "vertex")));
    if split != vertices {
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
    if let Some(trouble) = material.problem() {
        ui.label(if material.name.is_empty() { "The file names no texture".to_owned() } else { trouble });
    }
    if let Some((file, line)) = &material.script {
        ui.label(egui::RichText::new(format!("{file} line {line}")).monospace());
    }
    if let Some(image) = &material.image {
        ui.label(egui::RichText::new(&material.path).monospace());
        ui.label(egui::RichText::new(format::texture_size(image)).small().weak());
    }
}
