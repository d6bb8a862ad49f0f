//! Canvas with a texture and its UV triangles. The wheel zooms, a drag pans and a click selects.

use egui::{Color32, Painter, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2};

use super::channel::UploadedImage;
use super::{Shown, State, beside};
use crate::ui::theme;
use maquette_core::inspect::{UvEdge, triangle_at};
use maquette_core::model::Surface;
use maquette_scene::scene::{Entity, SelectionLevel};
use maquette_scene::session::{Action, SceneAction, Selection, Session};

/// Zoom per point of the wheel, as a power of e.
const WHEEL_ZOOM: f32 = 0.004;
const ZOOM_RANGE: (f32, f32) = (0.1, 200.0);
const SIGHT_MARGIN: f32 = 8.0;
/// Share of the panel that a triangle fills after zooming to it, and the zoom for a vertex.
const ZOOMED_SHARE: f32 = 0.4;
const VERTEX_ZOOM: f32 = 8.0;
/// Maximum numbers of visible edges and overlapping triangles to draw. More would be an unreadable grey area.
const EDGES_DRAWN: usize = 40_000;
const TRIANGLES_DRAWN: usize = 20_000;
/// Colour of edges on an image, and of the casing on both sides of an edge.
const LINE: Color32 = Color32::from_rgba_premultiplied(140, 140, 140, 140);
const CASING: Color32 = Color32::from_rgba_premultiplied(0, 0, 0, 84);

/// Converts texture coordinates to a window position, for an image at `place`.
fn at(place: Rect, uv: glam::Vec2) -> Pos2 {
    place.min + vec2(uv.x, uv.y) * place.size()
}

/// Converts a window position to texture coordinates, for an image at `place`.
fn uv_at(place: Rect, at: Pos2) -> glam::Vec2 {
    let from = at - place.min;
    glam::Vec2::new(from.x / place.width(), from.y / place.height())
}

/// Shows the image with the triangles of the surface. Triangles of other selected surfaces with the same image are
/// fainter.
pub fn show(ui: &mut Ui, shown: &Shown<'_>, state: &mut State, actions: &mut Vec<Action>) {
    let Shown { session, entity, surface, .. } = *shown;
    let (tokens, image, rect) = (theme::tokens(ui), shown.image(), ui.available_rect_before_wrap());
    let beside = beside(session, entity, surface, image);
    let is_drawn = |known: &usize| *known == surface || beside.contains(known);
    state.edges.retain(|(number, known), _| *number == entity.number && is_drawn(known));
    let response = ui.interact(rect, ui.scope_id().with("canvas"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "UV layout"));
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, tokens.studio[1]);
    if state.zoom <= 0.0 {
        state.zoom = 1.0;
    }
    let aspect = image.map_or(1.0, |image| image.width as f32 / image.height.max(1) as f32);
    let fit = (rect.width() - 24.0).min((rect.height() - 24.0) * aspect).max(16.0);
    if response.dragged() {
        state.pan += response.drag_delta();
    }
    let pointer = response.hover_pos();
    if let Some(at) = pointer {
        let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta().y, input.zoom_delta()));
        let factor = (wheel * WHEEL_ZOOM).exp() * pinch;
        let zoom = (state.zoom * factor).clamp(ZOOM_RANGE.0, ZOOM_RANGE.1);
        // Keep the texel under the pointer at its position.
        let from = at - rect.center() - state.pan;
        state.pan -= from * (zoom / state.zoom - 1.0);
        state.zoom = zoom;
    }
    follow(state, rect, vec2(fit, fit / aspect), entity, session.document.selection, surface);
    let size = vec2(fit, fit / aspect) * state.zoom;
    let image_rect = Rect::from_center_size(rect.center() + state.pan, size);
    if let Some(image) = image {
        behind(&painter, image_rect.intersect(rect), tokens);
        let shown = UploadedImage::of(ui.ctx(), image, state.channel, state.mip, state.shown.take());
        let whole = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
        painter.image(shown.texture.id(), image_rect, whole, Color32::WHITE);
        state.shown = Some(shown);
    } else {
        state.shown = None;
    }
    painter.rect_stroke(image_rect, 0.0, Stroke::new(1.0, tokens.line), egui::StrokeKind::Outside);
    let Some(still) = entity.model().surfaces().get(surface) else { return };
    if state.shows_overlaps
        && let Some((_, facts)) = &state.facts
    {
        overlaps(&painter, rect, image_rect, still, &facts.overlapping);
    }
    if !state.hides_lines {
        let (line, casing) = if image.is_some() { (LINE, CASING) } else { (tokens.text2, Color32::TRANSPARENT) };
        for other in &beside {
            let edges = state.edges_of(entity, *other);
            lines(&painter, rect, image_rect, &edges, line.gamma_multiply(0.5), casing.gamma_multiply(0.5));
        }
        lines(&painter, rect, image_rect, &state.edges_of(entity, surface), line, casing);
    }
    selected(&painter, image_rect, still, surface, session, tokens);
    state.pointed = pointer.map(|at| uv_at(image_rect, at));
    if pointer.is_some() {
        ui.ctx().request_repaint_after_secs(0.25);
    }
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        actions.push(Action::Scene(SceneAction::Select(clicked(session, still, surface, image_rect, at))));
    }
}

/// Centres a newly selected triangle or vertex if it is out of view, and zooms out if it exceeds the panel. `whole` is
/// the size of the image at zoom 1.
fn follow(state: &mut State, rect: Rect, whole: Vec2, entity: &Entity, selection: Selection, surface: usize) {
    let Some(still) = entity.model().surfaces().get(surface) else { return };
    let key = (entity.number, selection);
    let is_known = state.followed.replace(key) == Some(key);
    let zooms_in = std::mem::take(&mut state.zooms_in);
    if is_known && !zooms_in {
        return;
    }
    let uv = |vertex: usize| still.uvs.get(vertex).copied().filter(|uv| uv.is_finite());
    let uvs: Vec<glam::Vec2> = match selection {
        Selection::Triangle { surface: own, triangle } if own == surface => {
            corners(still, triangle).into_iter().flatten().collect()
        }
        Selection::Vertex { surface: own, vertex } if own == surface => uv(vertex).into_iter().collect(),
        _ => return,
    };
    let visible = rect.shrink(SIGHT_MARGIN);
    if uvs.is_empty() || !visible.is_positive() {
        return;
    }
    let bounds = |state: &State| {
        let image = Rect::from_center_size(rect.center() + state.pan, whole * state.zoom);
        Rect::from_points(&uvs.iter().map(|uv| at(image, *uv)).collect::<Vec<Pos2>>())
    };
    let selected_rect = bounds(state);
    if !selected_rect.is_finite() || visible.contains_rect(selected_rect) && !zooms_in {
        return;
    }
    let excess = (selected_rect.width() / visible.width()).max(selected_rect.height() / visible.height());
    if zooms_in {
        // A vertex has no size.
        let factor = if excess > 0.0 { ZOOMED_SHARE / excess } else { VERTEX_ZOOM / state.zoom };
        state.zoom = (state.zoom * factor).clamp(ZOOM_RANGE.0, ZOOM_RANGE.1);
    } else if excess > 1.0 {
        state.zoom = (state.zoom / (excess * 1.1)).max(ZOOM_RANGE.0);
    }
    state.pan += rect.center() - bounds(state).center();
}

fn behind(painter: &Painter, rect: Rect, tokens: &theme::Tokens) {
    painter.rect_filled(rect, 0.0, tokens.raised);
    let painter = painter.with_clip_rect(painter.clip_rect().intersect(rect));
    let step = 16.0;
    let (columns, rows) = ((rect.width() / step).ceil() as u32, (rect.height() / step).ceil() as u32);
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        if (row + column) % 2 == 0 {
            let corner = rect.min + vec2(column as f32, row as f32) * step;
            painter.rect_filled(Rect::from_min_size(corner, Vec2::splat(step)), 0.0, tokens.line);
        }
    }
}

/// Returns the texture coordinates of a triangle's corners; `None` if one is not finite.
pub fn corners(still: &Surface, triangle: usize) -> Option<[glam::Vec2; 3]> {
    let corner = |index: u32| still.uvs.get(index as usize).copied().filter(|uv| uv.is_finite());
    let [Some(a), Some(b), Some(c)] = still.triangles.get(triangle)?.map(corner) else { return None };
    Some([a, b, c])
}

/// Sizes of a triangle in points below which its edges fade, and at which they vanish.
const FADED_FROM: f32 = 6.0;
const FADED_TO: f32 = 2.0;
/// Minimum strength of island borders, whatever the size of the triangles is.
const BORDER_STRENGTH: f32 = 0.4;

fn strength(edge: &UvEdge, place: Rect) -> f32 {
    let side = (2.0 * edge.area * place.area()).sqrt();
    let strength = ((side - FADED_TO) / (FADED_FROM - FADED_TO)).clamp(0.0, 1.0);
    if edge.is_border { strength.max(BORDER_STRENGTH) } else { strength }
}

/// Draws the visible edges, with a dark casing for contrast on bright textures.
fn lines(painter: &Painter, rect: Rect, place: Rect, edges: &[UvEdge], line: Color32, casing: Color32) {
    let all = edges.iter().map(|edge| (edge.ends.map(|uv| at(place, uv)), strength(edge, place)));
    let in_sight = |(ends, strength): &([Pos2; 2], f32)| *strength > 0.05 && Rect::from_points(ends).intersects(rect);
    let all: Vec<([Pos2; 2], f32)> = all.filter(in_sight).take(EDGES_DRAWN).collect();
    for (width, colour) in [(2.5, casing), (1.0, line)] {
        painter.extend(all.iter().map(|(points, strength)| Shape::LineSegment {
            points: *points,
            stroke: Stroke::new(width, colour.gamma_multiply(*strength)),
        }));
    }
}

/// Colour of overlapping triangles. The themes' reds are too similar to skin tones.
const OVERLAP: Color32 = Color32::from_rgb(255, 40, 40);
/// Distance of hatching lines along an axis, in points.
const HATCHING: f32 = 7.0;

fn overlaps(painter: &Painter, rect: Rect, place: Rect, still: &Surface, overlapping: &[u32]) {
    let all = overlapping.iter().filter_map(|triangle| corners(still, *triangle as usize));
    let all = all.map(|corners| corners.map(|uv| at(place, uv)));
    let in_sight = all.filter(|corners| Rect::from_points(corners).intersects(rect));
    for points in in_sight.take(TRIANGLES_DRAWN) {
        painter.add(Shape::convex_polygon(points.to_vec(), OVERLAP.gamma_multiply(0.35), Stroke::NONE));
        let sums = points.map(|point| point.x + point.y);
        let min = sums.into_iter().fold(f32::INFINITY, f32::min).max(rect.min.x + rect.min.y);
        let max = sums.into_iter().fold(f32::NEG_INFINITY, f32::max).min(rect.max.x + rect.max.y);
        let mut sum = (min / HATCHING).ceil() * HATCHING;
        while sum < max {
            let [a, b, c] = points;
            let crossed = [[a, b], [b, c], [c, a]].into_iter().filter_map(|[from, to]| {
                let (start, end) = (from.x + from.y, to.x + to.y);
                let is_crossed = (start <= sum) != (end <= sum);
                is_crossed.then(|| from.lerp(to, (sum - start) / (end - start)))
            });
            if let [from, to] = crossed.collect::<Vec<Pos2>>()[..] {
                painter.line_segment([from, to], Stroke::new(2.5, CASING));
                painter.line_segment([from, to], Stroke::new(1.0, OVERLAP));
            }
            sum += HATCHING;
        }
    }
}

fn selected(
    painter: &Painter,
    place: Rect,
    still: &Surface,
    surface: usize,
    session: &Session,
    tokens: &theme::Tokens,
) {
    match session.document.selection {
        Selection::Triangle { surface: own, triangle } if own == surface => {
            let Some(corners) = corners(still, triangle) else { return };
            let points = corners.map(|uv| at(place, uv)).to_vec();
            painter.add(Shape::closed_line(points.clone(), Stroke::new(4.0, tokens.casing)));
            let fill = tokens.accent.gamma_multiply(0.3);
            painter.add(Shape::convex_polygon(points, fill, Stroke::new(2.0, tokens.accent)));
        }
        Selection::Vertex { surface: own, vertex } if own == surface => {
            let Some(uv) = still.uvs.get(vertex).filter(|uv| uv.is_finite()) else { return };
            painter.circle_filled(at(place, *uv), 6.0, tokens.casing);
            painter.circle_filled(at(place, *uv), 4.5, tokens.accent);
        }
        _ => {}
    }
}

/// Returns the selection that a click makes, by the view's selection level. A click outside the triangles selects the
/// surface.
fn clicked(session: &Session, still: &Surface, surface: usize, place: Rect, pointer: Pos2) -> Selection {
    let Some(triangle) = triangle_at(still, uv_at(place, pointer)) else { return Selection::Surface(surface) };
    match session.view.selection_level {
        SelectionLevel::Surface | SelectionLevel::Triangle => Selection::Triangle { surface, triangle },
        SelectionLevel::Vertex => {
            let own = still.triangles.get(triangle).into_iter().flatten().map(|vertex| *vertex as usize);
            let away =
                |vertex: usize| still.uvs.get(vertex).map_or(f32::INFINITY, |uv| at(place, *uv).distance(pointer));
            let nearest = own.min_by(|one, other| away(*one).total_cmp(&away(*other)));
            nearest.map_or(Selection::Surface(surface), |vertex| Selection::Vertex { surface, vertex })
        }
    }
}
