//! The sections Vertex and Triangle: everything the file says of the one that is selected.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};
use glam::{Vec2, Vec3};

use super::{State, place_row, world_row};
use crate::ui::button::{Button, Emphasis, focus_ring};
use crate::ui::{copy, fonts, format, list, paint, theme};
use maquette_core::inspect::{self, StoredVertex, TriangleInfo, VertexInfo, WeightInfo};
use maquette_scene::scene::Entity;
use maquette_scene::session::{Action, SceneAction, Selection, Session};

/// Title of the section of a vertex.
pub const VERTEX: &str = "Vertex";
/// Title of the section of a triangle.
pub const TRIANGLE: &str = "Triangle";
/// Triangles of a vertex that are listed.
const TRIANGLES_LISTED: usize = 12;

/// Shows the section of the selected vertex or triangle, if one is.
pub fn show(ui: &mut Ui, session: &Session, entity: &Entity, memory: &mut State, actions: &mut Vec<Action>) {
    let (title, number) = match session.document.selection {
        Selection::Vertex { vertex, .. } => (VERTEX, vertex),
        Selection::Triangle { triangle, .. } => (TRIANGLE, triangle),
        _ => return,
    };
    if !memory.section(ui, title, &format::count(number), true) {
        return;
    }
    ui.push_id(title, |ui| match session.document.selection {
        Selection::Vertex { surface, vertex } => of_vertex(ui, entity, surface, vertex, actions),
        Selection::Triangle { surface, triangle } => of_triangle(ui, entity, surface, triangle, actions),
        _ => {}
    });
}

/// A name and what is told under it.
type Fact = (&'static str, String);

fn of_vertex(ui: &mut Ui, entity: &Entity, surface: usize, vertex: usize, actions: &mut Vec<Action>) {
    let posed = entity.pose.surfaces.get(surface);
    let facts = posed.and_then(|posed| inspect::vertex(entity.model(), surface, posed, vertex, entity.nearest_frame()));
    let Some(facts) = facts else { return not_shown(ui) };
    place_row(ui, facts.position);
    world_row(ui, entity, facts.position);
    let rows = vertex_rows(entity, surface, vertex, &facts);
    rows.iter().for_each(|(name, value)| list::fact(ui, name, value));
    if !facts.weights.is_empty() {
        weights(ui, entity, &facts, actions);
    }
    copy_all(ui, || {
        let joint = |weight: &WeightInfo| {
            let offset = numbers(weight.offset);
            format!("Weight\t{}\t{}\toffset {offset}\n", joint_name(entity, weight.joint), weight.bias)
        };
        let weights: String = facts.weights.iter().map(joint).collect();
        format!("Vertex\t{vertex}\nPosition\t{}\n{}{weights}", numbers(facts.position), text(&rows))
    });
    list::end_section(ui);
}

fn vertex_rows(entity: &Entity, surface: usize, vertex: usize, facts: &VertexInfo) -> Vec<Fact> {
    let mut rows = vec![("Surface", entity.distinct_surface_name(surface))];
    if facts.number != vertex {
        rows.push(("Index in file", format::count(facts.number)));
    }
    if let Some(stored) = facts.stored {
        rows.extend(stored_rows(stored));
    }
    rows.extend(facts.bind.map(|bind| ("Bind pose", rounded(bind, 3))));
    rows.push(("UV", format!("{} {}", short(facts.uv.x, 4), short(facts.uv.y, 4))));
    rows.extend(texel(entity, surface, facts.uv).map(|texel| ("Texel", texel)));
    rows.push(("Normal", rounded(facts.normal, 3)));
    match (facts.computed_normal, facts.normal_deviation()) {
        (Some(computed), Some(degrees)) => {
            rows.push(("Computed", rounded(computed, 3)));
            rows.push(("Deviation", format!("{}°", short(degrees, 1))));
        }
        _ => rows.push(("Computed", "none: no triangle touches it".to_owned())),
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

fn of_triangle(ui: &mut Ui, entity: &Entity, surface: usize, triangle: usize, actions: &mut Vec<Action>) {
    let still = entity.model().surfaces().get(surface);
    let posed = still.zip(entity.pose.surfaces.get(surface));
    let facts = posed.and_then(|(still, posed)| inspect::triangle(still, posed, triangle));
    let Some(facts) = facts else { return not_shown(ui) };
    list::fact(ui, "Surface", &entity.distinct_surface_name(surface));
    for (corner, position) in facts.corners.iter().zip(facts.positions) {
        let vertex = *corner as usize;
        let name = format!("Vertex {}", format::count(vertex));
        if link(ui, &name, &rounded(position, 2), None).clicked() {
            actions.push(Action::Scene(SceneAction::Select(Selection::Vertex { surface, vertex })));
        }
    }
    let rows = triangle_rows(entity, surface, &facts);
    rows.iter().for_each(|(name, value)| list::fact(ui, name, value));
    copy_all(ui, || {
        let corner = |(corner, position): (&u32, Vec3)| format!("Vertex {corner}\t{}\n", numbers(position));
        let corners: String = facts.corners.iter().zip(facts.positions).map(corner).collect();
        format!("Triangle\t{triangle}\n{corners}{}", text(&rows))
    });
    list::end_section(ui);
}

fn triangle_rows(entity: &Entity, surface: usize, facts: &TriangleInfo) -> Vec<Fact> {
    let [a, b, c] = facts.sides.map(|side| short(side, 3));
    let winding = match facts.deviation {
        None => "none: it has no area".to_owned(),
        Some(degrees) if facts.is_reversed() => format!("opposes normals ({}°)", short(degrees, 0)),
        Some(degrees) => format!("agrees with normals ({}°)", short(degrees, 0)),
    };
    let mut rows = vec![
        ("Area", short(facts.area, 4)),
        ("Sides", format!("{a}  {b}  {c}")),
        ("Normal", rounded(facts.normal, 3)),
        ("Winding", winding),
    ];
    let mirrored = if facts.uv_area < 0.0 { ", mirrored" } else { "" };
    rows.push(("UV area", format!("{} %{mirrored}", short(facts.uv_area.abs() * 100.0, 4))));
    let picture = entity.materials().get(surface).and_then(|material| material.image.as_ref());
    if let Some(picture) = picture {
        let texels = facts.uv_area.abs() * (picture.width as f32) * (picture.height as f32);
        rows.push(("Texels", short(texels, 1)));
        if facts.area > 0.0 {
            rows.push(("Density", format!("{} texels per unit", short((texels / facts.area).sqrt(), 2))));
        }
    }
    rows
}

/// Another level of detail is shown, or the file was read again and has fewer.
fn not_shown(ui: &mut Ui) {
    list::note(ui, "Not part of what is shown", theme::tokens(ui).text2);
    list::end_section(ui);
}

/// The weights, the strongest first, each a bar that leads to its joint.
fn weights(ui: &mut Ui, entity: &Entity, facts: &VertexInfo, actions: &mut Vec<Action>) {
    list::fact(ui, "Weights", &format!("{}, sum {}", format::count(facts.weights.len()), short(facts.weight_sum(), 4)));
    for weight in &facts.weights {
        let name = joint_name(entity, weight.joint);
        let response = link(ui, &name, &short(weight.bias, 4), Some(weight.bias));
        let offset = format!("{name}\nOffset in the joint's space: {}", rounded(weight.offset, 3));
        if response.clicked() {
            actions.push(Action::Scene(SceneAction::Select(Selection::Joint(weight.joint))));
        }
        response.on_hover_text(offset);
    }
}

/// A row that leads elsewhere: a name, a value, and as wide a bar under both as `share` says, 0 to 1. A value that has no
/// room beside its name stands below it; beside a bar the name is cut at its end.
fn link(ui: &mut Ui, name: &str, value: &str, share: Option<f32>) -> egui::Response {
    let tokens = theme::tokens(ui);
    let width = |text: &str| paint::width_of(ui, text, fonts::body());
    let is_wide = width(name) + 8.0 + width(value) > ui.available_width() - list::INSET - 12.0;
    let lines = if is_wide && share.is_none() { 2.0 } else { 1.0 };
    let (_, rect) = ui.allocate_space(vec2(ui.available_width(), 6.0 + 18.0 * lines));
    let response = ui.interact(rect, ui.scope_id().with(("link", name)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Link, true, format!("{name}: {value}")));
    let inner = list::inside(rect, list::INSET, 12.0);
    let painter = ui.painter();
    if let Some(share) = share {
        let width = (inner.width() * share.clamp(0.0, 1.0)).max(1.0);
        let bar = Rect::from_min_size(pos2(inner.left(), rect.bottom() - 3.0), vec2(width, 2.0));
        paint::fill(painter, bar, 1, tokens.accent);
    }
    if response.hovered() {
        painter.rect_filled(rect, 0.0, tokens.raised);
    }
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    if lines > 1.0 {
        let (first, second) = inner.shrink2(vec2(0.0, 3.0)).split_top_bottom_at_fraction(0.5);
        paint::text_in(painter, first, name, fonts::body(), tokens.accent);
        paint::text_right(painter, second, value, fonts::body(), tokens.text);
    } else {
        let right = paint::text_right(painter, inner, value, fonts::body(), tokens.text).left();
        let room = Rect::from_min_max(inner.min, pos2(right - 8.0, inner.bottom()));
        paint::text_in(painter, room, name, fonts::body(), tokens.accent);
    }
    response
}

fn copy_all(ui: &mut Ui, all: impl FnOnce() -> String) {
    ui.add_space(4.0);
    ui.horizontal(|ui| {
        ui.add_space(list::INSET);
        let button = Button::new("Copy all").word("Copy all").rank(Emphasis::Raised).height(24.0);
        copy::on_click(&button.show(ui), all);
    });
}

fn text(rows: &[Fact]) -> String {
    rows.iter().map(|(name, value)| format!("{name}\t{value}\n")).collect()
}

fn joint_name(entity: &Entity, joint: usize) -> String {
    entity.model().joints().get(joint).map_or_else(|| format!("joint {joint}"), |joint| joint.name.clone())
}

/// The texel that texture coordinates lead to, of the picture that the surface wears.
fn texel(entity: &Entity, surface: usize, uv: Vec2) -> Option<String> {
    let picture = entity.materials().get(surface)?.image.as_ref()?;
    let at = |coordinate: f32, size: u32| short(f32::floor(coordinate * size as f32), 0);
    let (width, height) = (picture.width, picture.height);
    Some(format!("{}, {} of {width} × {height}", at(uv.x, width), at(uv.y, height)))
}

/// The bytes of a vertex, as the file has them.
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

fn rounded(place: Vec3, decimals: usize) -> String {
    place.to_array().map(|number| format::fixed(f64::from(number), decimals)).join("  ")
}

/// Whole numbers, for those who paste them.
fn numbers(place: Vec3) -> String {
    crate::ui::context::place(place)
}
