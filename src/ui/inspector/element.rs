//! *Vertex* and *Triangle* sections: the data of the selected element.

use egui::{Response, Ui};
use glam::{Vec2, Vec3};

use super::{Inspector, controls, numbers, place_row, world_row};
use crate::ui::button::{Button, Emphasis};
use crate::ui::context::place as exact;
use crate::ui::kit::row::Row;
use crate::ui::{arrange, copy, fonts, format, list, paint, text, theme};
use maquette_core::inspect::{self, StoredVertex, TriangleInfo, VertexInfo};
use maquette_core::model::Weight;
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, SceneAction, Selection, Session};

pub const VERTEX: &str = "Vertex";
pub const TRIANGLE: &str = "Triangle";
const TRIANGLES_LISTED: usize = 12;

type Fact = (&'static str, String);

pub fn vertex_number(session: &Session, _: &Entity) -> Option<String> {
    let Selection::Vertex { vertex, .. } = session.document.selection else { return None };
    Some(format::count(vertex))
}

pub fn triangle_number(session: &Session, _: &Entity) -> Option<String> {
    let Selection::Triangle { triangle, .. } = session.document.selection else { return None };
    Some(format::count(triangle))
}

pub fn vertex(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let Selection::Vertex { surface, vertex } = panel.session.document.selection else { return };
    let entity = panel.entity;
    let posed = entity.pose.surfaces.get(surface);
    let facts = posed.and_then(|posed| inspect::vertex(entity.model(), surface, posed, vertex, entity.nearest_frame()));
    let Some(facts) = facts else { return not_shown(ui) };
    place_row(ui, facts.position, None);
    world_row(ui, entity, facts.position);
    let rows = vertex_rows(entity, surface, vertex, &facts);
    rows.iter().for_each(|(name, value)| text::fact(ui, name, value));
    if !facts.weights.is_empty() {
        weights(ui, entity, &facts, panel.actions);
    }
    copy_all(ui, || {
        let joint = |weight: &Weight| {
            let offset = exact(weight.offset);
            format!("Weight\t{}\t{}\toffset {offset}\n", joint_name(entity, weight.joint as usize), weight.bias)
        };
        let weights: String = facts.weights.iter().map(joint).collect();
        format!("Vertex\t{vertex}\nPosition\t{}\n{}{weights}", exact(facts.position), text(&rows))
    });
}

fn vertex_rows(entity: &Entity, surface: usize, vertex: usize, facts: &VertexInfo) -> Vec<Fact> {
    let mut rows = vec![("Surface", entity.distinct_surface_name(surface))];
    if facts.number != vertex {
        rows.push(("Index in file", format::count(facts.number)));
    }
    if let Some(stored) = facts.stored {
        rows.extend(stored_rows(stored));
    }
    rows.extend(facts.bind.map(|bind| ("Bind pose", numbers(bind, 3, ""))));
    rows.push(("UV", format!("{} {}", short(facts.uv.x, 4), short(facts.uv.y, 4))));
    rows.extend(texel(entity, surface, facts.uv).map(|texel| ("Texel", texel)));
    rows.push(("Normal", numbers(facts.normal, 3, "")));
    match (facts.computed_normal, facts.normal_deviation()) {
        (Some(computed), Some(degrees)) => {
            rows.push(("Computed", numbers(computed, 3, "")));
            rows.push(("Deviation", format!("{}°", short(degrees, 1))));
        }
        _ => rows.push(("Computed", "none (no triangle uses the vertex)".to_owned())),
    }
    let mut triangles: Vec<String> =
        facts.triangles.iter().take(TRIANGLES_LISTED).map(|triangle| triangle.to_string()).collect();
    if facts.triangles.len() > TRIANGLES_LISTED {
        triangles.push("…".to_owned());
    }
    let count = facts.triangles.len();
    rows.push(("Triangles", if count == 0 { "none".to_owned() } else { format!("{count}: {}", triangles.join(", ")) }));
    rows
}

pub fn triangle(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let Selection::Triangle { surface, triangle } = panel.session.document.selection else { return };
    let entity = panel.entity;
    let parts = entity.model().surfaces().get(surface).zip(entity.pose.surfaces.get(surface));
    let facts = parts.and_then(|(still, posed)| inspect::triangle(still, posed, triangle));
    let Some(facts) = facts else { return not_shown(ui) };
    text::fact(ui, "Surface", &entity.distinct_surface_name(surface));
    for (corner, position) in facts.corners.iter().zip(facts.positions) {
        let vertex = *corner as usize;
        let name = format!("Vertex {}", format::count(vertex));
        if link(ui, &name, &numbers(position, 2, ""), None).clicked() {
            panel.actions.push(Action::Scene(SceneAction::Select(Selection::Vertex { surface, vertex })));
        }
    }
    let rows = triangle_rows(entity, surface, &facts);
    rows.iter().for_each(|(name, value)| text::fact(ui, name, value));
    copy_all(ui, || {
        let corner = |(corner, position): (&u32, Vec3)| format!("Vertex {corner}\t{}\n", exact(position));
        let corners: String = facts.corners.iter().zip(facts.positions).map(corner).collect();
        format!("Triangle\t{triangle}\n{corners}{}", text(&rows))
    });
}

fn triangle_rows(entity: &Entity, surface: usize, facts: &TriangleInfo) -> Vec<Fact> {
    let [a, b, c] = facts.sides.map(|side| short(side, 3));
    let winding = match facts.deviation {
        None => "none (the triangle has no area)".to_owned(),
        Some(degrees) if facts.is_reversed() => format!("opposes normals ({}°)", short(degrees, 0)),
        Some(degrees) => format!("agrees with normals ({}°)", short(degrees, 0)),
    };
    let mut rows = vec![
        ("Area", short(facts.area, 4)),
        ("Edges", format!("{a}  {b}  {c}")),
        ("Normal", numbers(facts.normal, 3, "")),
        ("Winding", winding),
    ];
    let mirrored = if facts.uv_area < 0.0 { ", mirrored" } else { "" };
    rows.push(("UV area", format!("{} %{mirrored}", short(facts.uv_area.abs() * 100.0, 4))));
    let image = entity.materials().get(surface).and_then(|material| material.image.as_ref());
    if let Some(image) = image {
        let texels = facts.uv_area.abs() * (image.width as f32) * (image.height as f32);
        rows.push(("Texels", short(texels, 1)));
        if facts.area > 0.0 {
            rows.push(("Density", format!("{} texels per unit", short((texels / facts.area).sqrt(), 2))));
        }
    }
    rows
}

/// Reports that the selected element is not shown: another level of detail is shown, or the reloaded file has fewer
/// elements.
fn not_shown(ui: &mut Ui) {
    text::note(ui, "The selection is not in the model that is shown", theme::tokens(ui).text2);
}

/// Shows the weights in descending order, each with a bar. A click selects the joint.
fn weights(ui: &mut Ui, entity: &Entity, facts: &VertexInfo, actions: &mut Vec<Action>) {
    text::fact(ui, "Weights", &format!("{}, sum {}", format::count(facts.weights.len()), short(facts.weight_sum(), 4)));
    for weight in &facts.weights {
        let name = joint_name(entity, weight.joint as usize);
        let response = link(ui, &name, &short(weight.bias, 4), Some(weight.bias));
        if response.clicked() {
            actions.push(Action::Scene(SceneAction::Select(Selection::Joint(weight.joint as usize))));
        }
        response.on_hover_text(format!("{name}\nOffset in the joint's space: {}", numbers(weight.offset, 3, "")));
    }
}

/// Shows a link. With a `share`, a bar of that share of the width is below the name. A value that does not fit goes
/// below the name, but above a bar the name is cut instead.
fn link(ui: &mut Ui, name: &str, value: &str, share: Option<f32>) -> Response {
    let tokens = theme::tokens(ui);
    let width = |text: &str| paint::width_of(ui, text, fonts::body()) + 8.0;
    let is_wide = width(name) + width(value) > ui.available_width() - list::INSET - list::EDGE;
    let row = Row::new(name).link().spoken(format!("{name}: {value}")).inset(list::INSET).loses_end();
    let row = row.cell(value, width(value)).value_colour(tokens.text);
    let row = if is_wide && share.is_none() { row.values_below().height(42.0) } else { row.height(24.0) };
    let response = row.show(ui, ("link", name));
    if let Some(share) = share {
        let bottom = response.rect.bottom();
        let bar =
            arrange::inside(response.rect, list::INSET, list::EDGE).with_min_y(bottom - 3.0).with_max_y(bottom - 1.0);
        let width = (bar.width() * share.clamp(0.0, 1.0)).max(1.0);
        paint::fill(ui.painter(), bar.with_max_x(bar.left() + width), 1, tokens.accent);
    }
    response
}

fn copy_all(ui: &mut Ui, all: impl FnOnce() -> String) {
    let button = Button::new("Copy all").word("Copy all").rank(Emphasis::Raised).height(24.0);
    copy::on_click(&controls(ui, |ui| button.show(ui)), all);
}

fn text(rows: &[Fact]) -> String {
    rows.iter().map(|(name, value)| format!("{name}\t{value}\n")).collect()
}

fn joint_name(entity: &Entity, joint: usize) -> String {
    entity.model().joints().get(joint).map_or_else(|| format!("joint {joint}"), |joint| joint.name.clone())
}

/// Returns the texel at texture coordinates in the surface's image, as text.
fn texel(entity: &Entity, surface: usize, uv: Vec2) -> Option<String> {
    let image = entity.materials().get(surface)?.image.as_ref()?;
    let at = |coordinate: f32, size: u32| short(f32::floor(coordinate * size as f32), 0);
    let (width, height) = (image.width, image.height);
    Some(format!("{}, {} of {width} × {height}", at(uv.x, width), at(uv.y, height)))
}

fn stored_rows(stored: StoredVertex) -> Vec<Fact> {
    match stored {
        StoredVertex::Bytes { position: [x, y, z], normal } => {
            vec![("As stored", format!("{x} {y} {z}")), ("Normal index", normal.to_string())]
        }
        StoredVertex::Shorts { position: [x, y, z], normal } => {
            vec![("As stored", format!("{x} {y} {z}")), ("Raw normal", format!("0x{normal:04x}"))]
        }
        StoredVertex::Delta { base: [x, y, z], offset: [dx, dy, dz], normal } => vec![
            ("Base frame", format!("{x} {y} {z}")),
            ("Offset", format!("{dx} {dy} {dz}")),
            ("Normal index", normal.to_string()),
        ],
    }
}

fn short(number: f32, decimals: usize) -> String {
    format::short(f64::from(number), decimals)
}
