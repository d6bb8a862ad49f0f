//! The columns of the section Surfaces: a click on a heading sorts by it.

use std::cmp::Reverse;

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::button::focus_ring;
use crate::ui::{access, fonts, format, paint, theme};
use maquette_scene::scene::Entity;

/// A column of the list of surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// Their names.
    Name,
    /// How many triangles they have.
    Triangles,
    /// How many vertices the file has for them.
    Vertices,
}

/// How the list is sorted, and the order that came of it.
#[derive(Debug, Default)]
pub struct Sorting {
    by: Option<(Column, bool)>,
    /// What the order was made of, and the order.
    sorted: Option<(Key, Vec<usize>)>,
}

type Key = (u64, u32, Option<(Column, bool)>);

impl Sorting {
    /// The surfaces of the level of detail shown, in the wanted order.
    pub fn order(&mut self, entity: &Entity) -> &[usize] {
        let key = (entity.number, entity.lod, self.by);
        let sorted = self.sorted.take().filter(|(known, _)| *known == key);
        let (_, order) = self.sorted.insert(sorted.unwrap_or_else(|| (key, sorted_by(entity, self.by))));
        order
    }

    /// Names first rise, numbers first fall; a third click brings back the order of the file.
    fn click(&mut self, column: Column) {
        sort(&mut self.by, column, column != Column::Name);
    }
}

/// Sorts by a column that was clicked: as it falls or rises first, then the other way, then not at all.
pub fn sort<C: Copy + PartialEq>(by: &mut Option<(C, bool)>, column: C, falls_first: bool) {
    *by = match *by {
        Some((known, falls)) if known == column => (falls == falls_first).then_some((column, !falls)),
        _ => Some((column, falls_first)),
    };
}

fn sorted_by(entity: &Entity, by: Option<(Column, bool)>) -> Vec<usize> {
    let model = entity.model();
    let surfaces = model.surfaces().iter().enumerate();
    let mut order: Vec<usize> =
        surfaces.filter(|(_, surface)| surface.lod == entity.lod).map(|(index, _)| index).collect();
    let triangles = |index: &usize| model.surfaces().get(*index).map_or(0, |surface| surface.triangles.len());
    let vertices = |index: &usize| model.stored_vertices(*index);
    let name = |index: &usize| entity.surface_name(*index).to_lowercase();
    match by {
        None => {}
        Some((Column::Name, false)) => order.sort_by_cached_key(name),
        Some((Column::Name, true)) => order.sort_by_cached_key(|index| Reverse(name(index))),
        Some((Column::Triangles, false)) => order.sort_by_key(triangles),
        Some((Column::Triangles, true)) => order.sort_by_key(|index| Reverse(triangles(index))),
        Some((Column::Vertices, false)) => order.sort_by_key(vertices),
        Some((Column::Vertices, true)) => order.sort_by_key(|index| Reverse(vertices(index))),
    }
    order
}

/// Narrower lists leave the vertices to the tooltip.
const WITH_VERTICES: f32 = 320.0;
/// From the edge of the list to the names.
pub const NAME: f32 = 62.0;

/// Returns the widths of the columns of triangles and vertices: as the largest number and the heading need. The vertices have no
/// column in a narrow list.
pub fn widths(ui: &Ui, entity: &Entity, order: &[usize]) -> [f32; 2] {
    let model = entity.model();
    let most = |count: &dyn Fn(usize) -> usize| order.iter().map(|index| count(*index)).max().unwrap_or(0);
    let triangles = most(&|index| model.surfaces().get(index).map_or(0, |surface| surface.triangles.len()));
    let vertices = most(&|index| model.stored_vertices(index));
    let width = |number| paint::width_of(ui, &format::count(number), fonts::body()).max(36.0).ceil() + 10.0;
    let is_wide = ui.available_width() >= WITH_VERTICES;
    [width(triangles), if is_wide { width(vertices) } else { 0.0 }]
}

/// The row of headings; a click sorts.
pub fn headings(ui: &mut Ui, sorting: &mut Sorting, [triangles, vertices]: [f32; 2]) {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 22.0));
    let right = row.right() - 12.0;
    let middle = right - vertices;
    let left = middle - triangles;
    for (column, word, what, from, to) in [
        (Column::Name, "Name", "name", row.left() + NAME, left - 8.0),
        (Column::Triangles, "Tris", "triangles", left, middle),
        (Column::Vertices, "Verts", "vertices", middle, right),
    ] {
        if to <= from {
            continue;
        }
        let rect = Rect::from_min_max(pos2(from, row.top()), pos2(to, row.bottom()));
        let falls = sorting.by.and_then(|(by, falls)| (by == column).then_some(falls));
        if heading(ui, rect, word, what, falls, column == Column::Name) {
            sorting.click(column);
        }
    }
}

/// A heading that sorts by `what`: at the left of `rect` or at its right, with a mark while its column falls or rises.
/// Gives whether it was clicked.
pub fn heading(ui: &Ui, rect: Rect, word: &str, what: &str, falls: Option<bool>, at_left: bool) -> bool {
    let response = ui.interact(rect, ui.scope_id().with(("sort", what)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Sort by {what}")));
    if let Some(falls) = falls {
        access::shows(&response, if falls { "descending" } else { "ascending" });
    }
    focus_ring(ui, response.has_focus(), rect.shrink(1.0), 0.0);
    let tokens = theme::tokens(ui);
    let colour = if response.hovered() || falls.is_some() { tokens.text } else { tokens.text2 };
    let painter = ui.painter();
    let text = if at_left {
        paint::text_in(painter, rect, word, fonts::small(), colour)
    } else {
        paint::text_right(painter, rect, word, fonts::small(), colour)
    };
    if let Some(falls) = falls {
        let x = if at_left { text.right() + 7.0 } else { text.left() - 7.0 };
        paint::sorting_mark(painter, pos2(x, rect.center().y), falls, colour);
    }
    let clicked = response.clicked();
    response.on_hover_text(format!("Sort by {what}"));
    clicked
}
