//! Labels of tags and joints in the view, placed without overlap and connected by leader lines.

use egui::{Align2, Color32, Painter, Pos2, Rect, Response, Role, Sense, Stroke, Ui, WidgetInfo, vec2};
use glam::Vec3;

use super::{gizmo, handle_at, selection_modes};
use crate::ui::{context, fonts, menu, paint, theme};
use maquette_assets::open::Anchor;
use maquette_scene::scene::{Label, LabelKind, OverlayKind, PickedAnchor};
use maquette_scene::session::{Action, DocumentView, SceneAction, Selection};

/// Maximum number of labels. With more, labels would hide the model, so only labels of selected elements or near the
/// pointer are shown.
const PLATES_SHOWN: usize = 24;
/// Area of the view in square points per label. Smaller views have fewer labels.
const ROOM_OF_PLATE: f32 = 11_000.0;
const DISTANCE: f32 = 12.0;
/// Distance of the pointer within which a hidden label appears.
const NEAR: f32 = 14.0;

/// Radius of a point's dot, at which the leader line begins.
const DOT: f32 = 3.0;
/// Vertical shifts in points that a label tries before it changes its side.
const SHIFTS: [f32; 9] = [0.0, -2.0, 2.0, -4.0, 4.0, -6.0, 6.0, -8.0, 8.0];

struct Plate<'a> {
    label: &'a Label,
    /// Position of the named point.
    origin: Pos2,
    rect: Rect,
    response: Response,
    selected: bool,
    pointed: bool,
}

/// Projects a point of the scene to a position in the window. `None` if the point is behind the eye.
pub fn project(shown: DocumentView<'_>, viewport: Rect, at: Vec3) -> Option<Pos2> {
    let place = shown.view.camera.project(at, viewport.width(), viewport.height())?;
    Some(viewport.min + vec2(place.x, place.y))
}

/// Shows the labels and returns the user's requests. `hand` is the response of an interactive view. In such a view, the
/// tag or joint under the pointer always has a label, and labels stay on their sides while there is room.
pub fn show(
    ui: &Ui,
    shown: DocumentView<'_>,
    labels: &[Label],
    viewport: Rect,
    hand: Option<&Response>,
) -> Vec<Action> {
    let mut actions = Vec::new();
    let hovered = hand.filter(|hand| !hand.dragged()).and_then(Response::hover_pos);
    let pointed = hovered.and_then(|at| handle_at(shown, viewport, at));
    if pointed.is_some() {
        ui.ctx().set_cursor_icon(egui::CursorIcon::PointingHand);
    }
    let is_chosen =
        |label: &Label| shown.document.focus == Some(label.entity) && label.selection() == shown.document.selection;
    let is_pointed = |label: &Label| {
        pointed.is_some_and(|handle| handle.entity == label.entity && handle.selection == label.selection())
    };
    let unnamed = pointed.filter(|_| !labels.iter().any(is_pointed));
    let unnamed = unnamed.and_then(|handle| label_of(shown, &handle));
    let named = labels.iter().filter(|label| matches!(label.kind, LabelKind::Tag(_) | LabelKind::Joint(_))).count();
    let crowded = named > PLATES_SHOWN.min((viewport.area() / ROOM_OF_PLATE) as usize);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let inner = viewport.shrink(4.0);
    let mut order: Vec<&Label> = labels.iter().chain(&unnamed).collect();
    order.sort_by_key(|label| !is_chosen(label));
    let mut taken: Vec<Rect> = vec![gizmo::place(viewport), selection_modes::place(ui, viewport)];
    let mut plates: Vec<Plate<'_>> = Vec::new();
    for label in labels {
        if let LabelKind::Axis(axis) = label.kind {
            taken.extend(letter(ui, shown, viewport, label, theme::tokens(ui).axes[axis]));
        }
    }
    for label in order.into_iter().filter(|label| !matches!(label.kind, LabelKind::Axis(_))) {
        let (selected, is_pointed) = (is_chosen(label), is_pointed(label));
        let Some(origin) = project(shown, viewport, label.at).filter(|place| viewport.contains(*place)) else {
            continue;
        };
        let near = is_pointed || pointer.is_some_and(|pointer| pointer.distance(origin) < NEAR);
        // The user switched on joint names, so show all that fit next to their joints.
        let asked_for = shown.view.display.shows(OverlayKind::JointNames) && matches!(label.kind, LabelKind::Joint(_));
        if crowded && !selected && !near && !asked_for {
            continue;
        }
        let size = vec2(paint::width_of(ui, &label.text, fonts::small_medium()).ceil() + 12.0, 18.0);
        let id = ui.scope_id().with(("plate", label.entity, label.kind));
        let last = hand.and_then(|_| ui.data(|data| data.get_temp(id)));
        let candidates = sides(origin, size);
        let count = if !crowded || selected || is_pointed { candidates.len() } else { NEAR_SIDES };
        let free = |rect: &Rect| {
            inner.contains_rect(*rect) && !taken.iter().any(|other: &Rect| other.expand(1.0).intersects(*rect))
        };
        let on_line = on_line(shown, viewport, label, size, free);
        let beside = || free_place(&candidates, count, last, free);
        let found = on_line.map(|rect| (last, rect)).or_else(|| beside().map(|(side, rect)| (Some(side), rect)));
        let found = found.or_else(|| is_pointed.then_some((Some(0), candidates[0])));
        let Some((side, rect)) = found else { continue };
        if let Some(side) = side.filter(|_| hand.is_some() && last != side) {
            ui.data_mut(|data| data.insert_temp(id, side));
        }
        taken.push(rect);
        let is_on_line = on_line.is_some();
        let response = ui.interact(rect, id, if is_on_line { Sense::hover() } else { Sense::click() });
        let role = if is_on_line { Role::Label } else { Role::Button };
        response.widget_info(|| WidgetInfo::labeled(role, true, &label.text));
        menu::context(&response, |ui| of_plate(ui, shown, label, &mut actions));
        if response.clicked() && label.kind != LabelKind::Distance {
            let selection = if selected { Selection::None } else { label.selection() };
            actions.push(Action::Scene(SceneAction::SelectIn(label.entity, selection)));
        }
        let origin = if is_on_line { rect.center() } else { origin };
        plates.push(Plate { label, origin, rect, response, selected: selected || is_on_line, pointed: is_pointed });
    }
    let painter = ui.painter_at(viewport);
    // Draw all lines first, so that no line crosses a label.
    plates.iter().for_each(|plate| leader(ui, &painter, plate));
    plates.iter().for_each(|plate| paint_plate(ui, &painter, plate));
    actions
}

fn of_plate(ui: &mut Ui, shown: DocumentView<'_>, label: &Label, actions: &mut Vec<Action>) {
    let Some(entity) = shown.document.scene.entity(label.entity) else { return };
    let (anchor, frame) = match label.kind {
        LabelKind::Tag(index) => (Anchor::Tag(label.text.clone()), entity.pose.tags.get(index)),
        LabelKind::Joint(index) => (Anchor::Joint(label.text.clone()), entity.pose.joints.get(index)),
        LabelKind::Axis(_) | LabelKind::Distance => return,
    };
    context::anchor(ui, entity, anchor, frame, actions);
}

/// Returns a label for a tag or joint that has none in the view.
fn label_of(shown: DocumentView<'_>, handle: &PickedAnchor) -> Option<Label> {
    let model = shown.document.scene.entity(handle.entity)?.model();
    let (text, kind) = match handle.selection {
        Selection::Tag(index) => (model.tags().get(index)?.clone(), LabelKind::Tag(index)),
        Selection::Joint(index) => (model.joints().get(index)?.name.clone(), LabelKind::Joint(index)),
        Selection::None | Selection::Surface(_) | Selection::Triangle { .. } | Selection::Vertex { .. } => return None,
    };
    let (at, entity) = (handle.position, handle.entity);
    Some(Label { text, at, selected: false, entity, kind, origin: at })
}

/// Draws the leader line with an edge for contrast, and a ring around a point under the pointer.
fn leader(ui: &Ui, painter: &Painter, plate: &Plate<'_>) {
    let tokens = theme::tokens(ui);
    let colour = if plate.selected { tokens.accent } else { tokens.text };
    if plate.pointed {
        painter.circle_stroke(plate.origin, 6.0, Stroke::new(3.5, tokens.plate));
        painter.circle_stroke(plate.origin, 6.0, Stroke::new(1.5, colour));
    }
    let end = plate.rect.clamp(plate.origin);
    let way = end - plate.origin;
    let begins = if plate.pointed { 6.0 } else { DOT };
    if way.length() > begins + 1.0 {
        let ends = [plate.origin + way.normalized() * begins, end];
        painter.line_segment(ends, Stroke::new(3.0, tokens.plate));
        painter.line_segment(ends, Stroke::new(1.0, colour));
    }
}

fn paint_plate(ui: &Ui, painter: &Painter, plate: &Plate<'_>) {
    let tokens = theme::tokens(ui);
    let (fill, ink) = if plate.selected { (tokens.accent_fill, tokens.on_accent) } else { (tokens.plate, tokens.text) };
    paint::fill(painter, plate.rect, 4, fill);
    if plate.pointed || plate.response.hovered() || plate.response.has_focus() {
        paint::outline(painter, plate.rect, 4, 1.0, tokens.text);
    }
    let text = &plate.label.text;
    paint::text(painter, plate.rect.center(), Align2::CENTER_CENTER, text, fonts::small_medium(), ink);
}

/// Paints the letter of an axis with an edge for contrast. Returns its rectangle.
fn letter(ui: &Ui, shown: DocumentView<'_>, viewport: Rect, label: &Label, colour: Color32) -> Option<Rect> {
    let end = project(shown, viewport, label.at).filter(|place| viewport.contains(*place))?;
    // Place the letter beyond the end of the axis.
    let outwards = project(shown, viewport, label.origin).map_or(egui::Vec2::ZERO, |origin| end - origin);
    let place = end + outwards.normalized() * 9.0;
    let tokens = theme::tokens(ui);
    let painter = ui.painter_at(viewport);
    let ground = tokens.studio[1];
    for offset in [vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.0, -1.0), vec2(0.0, 1.0)] {
        paint::text(&painter, place + offset, Align2::CENTER_CENTER, &label.text, fonts::small_strong(), ground);
    }
    Some(paint::text(&painter, place, Align2::CENTER_CENTER, &label.text, fonts::small_strong(), colour))
}

/// Places the label of a distance on its line, as near to the middle as possible. Returns `None` if the label would
/// hide most of a short line.
fn on_line(
    shown: DocumentView<'_>,
    viewport: Rect,
    label: &Label,
    size: egui::Vec2,
    free: impl Fn(&Rect) -> bool,
) -> Option<Rect> {
    if label.kind != LabelKind::Distance {
        return None;
    }
    let (from, to) = (label.origin, label.at + (label.at - label.origin));
    let [start, end] = [project(shown, viewport, from)?, project(shown, viewport, to)?];
    let way = end - start;
    // Share of the line that the label hides.
    let hidden = (size.x / way.x.abs().max(1e-3)).min(size.y / way.y.abs().max(1e-3));
    if hidden > 0.6 {
        return None;
    }
    let shares = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    shares.into_iter().map(|share| Rect::from_center_size(start + way * share, size)).find(free)
}

/// Returns the candidate rectangles of a label: first around the point, then increasingly far above and below it.
fn sides(place: Pos2, size: egui::Vec2) -> [Rect; 16] {
    let at = |align: Align2, x: f32, y: f32| align.anchor_size(place + vec2(x, y), size);
    let first = at(Align2::LEFT_BOTTOM, DISTANCE, -4.0);
    std::array::from_fn(|side| match side {
        0 => first,
        1 => at(Align2::RIGHT_BOTTOM, -DISTANCE, -4.0),
        2 => at(Align2::LEFT_TOP, DISTANCE, 4.0),
        3 => at(Align2::RIGHT_TOP, -DISTANCE, 4.0),
        4 => at(Align2::CENTER_BOTTOM, 0.0, -DISTANCE),
        5 => at(Align2::CENTER_TOP, 0.0, DISTANCE),
        farther => {
            let step = ((farther - NEAR_SIDES) / 2 + 1) as f32 * (size.y + 2.0);
            first.translate(vec2(0.0, if farther % 2 == 0 { step } else { -step }))
        }
    })
}

const NEAR_SIDES: usize = 6;

/// Returns the first free one of `count` candidates. The side of the last frame, with a small shift, has priority, so
/// that labels do not jump while the model moves.
fn free_place(
    candidates: &[Rect],
    count: usize,
    last: Option<usize>,
    free: impl Fn(&Rect) -> bool,
) -> Option<(usize, Rect)> {
    let kept = last.and_then(|side: usize| {
        let rect = candidates.get(side)?;
        SHIFTS.map(|shift| rect.translate(vec2(0.0, shift))).into_iter().find(&free).map(|rect| (side, rect))
    });
    kept.or_else(|| candidates.iter().copied().enumerate().take(count).find(|(_, rect)| free(rect)))
}
