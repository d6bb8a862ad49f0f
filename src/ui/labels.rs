//! Names in the picture: tags and joints as plates, pushed apart before they overlap.

use egui::{Align2, Color32, Rect, Role, Sense, Ui, WidgetInfo, vec2};
use glam::Vec3;

use super::{fonts, gizmo, paint, theme};
use crate::scene::{Label, LabelKind, OverlayKind};
use crate::session::{Action, DocumentView, SceneAction, Selection};

/// More plates than this hide the model: then only the chosen one and those under the pointer show.
const MOST_PLATES: usize = 24;
/// From the place to its plate.
const DISTANCE: f32 = 12.0;
/// How near the pointer must be to a place for its hidden plate.
const NEAR: f32 = 14.0;

/// Where a place of the model is in the picture, in points; `None` behind the eye.
#[must_use]
pub fn project(shown: DocumentView<'_>, picture: Rect, at: Vec3) -> Option<egui::Pos2> {
    let place = shown.view.camera.project(at, picture.width(), picture.height())?;
    Some(picture.min + vec2(place.x, place.y))
}

/// Shows the plates.
pub fn show(ui: &Ui, shown: DocumentView<'_>, labels: &[Label], picture: Rect, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let crowded = labels.len() > MOST_PLATES;
    let mut taken: Vec<Rect> = vec![gizmo::place(picture)];
    let mut chosen_first: Vec<(usize, &Label)> = labels.iter().enumerate().collect();
    let is_chosen =
        |label: &Label| shown.document.focus == Some(label.entity) && label.selection() == shown.document.selection;
    chosen_first.sort_by_key(|(_, label)| !is_chosen(label));
    for (index, label) in chosen_first {
        if let LabelKind::Axis(axis) = label.kind {
            letter(ui, shown, picture, label, tokens.axes[axis]);
            continue;
        }
        let selected = is_chosen(label);
        let Some(place) = project(shown, picture, label.at).filter(|place| picture.contains(*place)) else {
            continue;
        };
        let near = pointer.is_some_and(|pointer| pointer.distance(place) < NEAR);
        // Names of joints were asked for by name: as many as find room beside their place.
        let asked_for = shown.view.display.shows(OverlayKind::JointNames) && matches!(label.kind, LabelKind::Joint(_));
        if crowded && !selected && !near && !asked_for {
            continue;
        }
        let font = fonts::small_medium();
        let size = vec2(paint::width_of(ui, &label.text, font.clone()).ceil() + 12.0, 18.0);
        let Some(rect) = free_place(place, size, picture, &taken, !crowded || selected) else { continue };
        taken.push(rect);
        let response = ui.interact(rect, ui.scope_id().with(("plate", index)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &label.text));
        let painter = ui.painter_at(picture);
        let (fill, ink) = if selected { (tokens.accent_fill, tokens.on_accent) } else { (tokens.plate, tokens.text) };
        paint::fill(&painter, rect, 4, fill);
        if response.hovered() || response.has_focus() {
            paint::outline(&painter, rect, 4, 1.0, tokens.text);
        }
        paint::text(&painter, rect.center(), Align2::CENTER_CENTER, &label.text, font, ink);
        if response.clicked() {
            actions.push(Action::Scene(SceneAction::SelectIn(
                label.entity,
                if selected { Selection::None } else { label.selection() },
            )));
        }
    }
}

/// The letter at the end of an axis, in its colour and with an edge that holds on any texture.
fn letter(ui: &Ui, shown: DocumentView<'_>, picture: Rect, label: &Label, colour: Color32) {
    let Some(end) = project(shown, picture, label.at).filter(|place| picture.contains(*place)) else { return };
    // Past the end of its axis, not on it.
    let outwards = project(shown, picture, label.origin).map_or(egui::Vec2::ZERO, |origin| end - origin);
    let place = end + outwards.normalized() * 9.0;
    let tokens = theme::tokens(ui);
    let painter = ui.painter_at(picture);
    let ground = tokens.studio[1];
    for offset in [vec2(-1.0, 0.0), vec2(1.0, 0.0), vec2(0.0, -1.0), vec2(0.0, 1.0)] {
        paint::text(&painter, place + offset, Align2::CENTER_CENTER, &label.text, fonts::small_strong(), ground);
    }
    paint::text(&painter, place, Align2::CENTER_CENTER, &label.text, fonts::small_strong(), colour);
}

/// Beside the place, right, left, above or below it, or `far` from it, where nothing lies yet and the picture does not
/// end.
fn free_place(place: egui::Pos2, size: egui::Vec2, picture: Rect, taken: &[Rect], far: bool) -> Option<Rect> {
    let room = picture.shrink(4.0);
    let at = |align: Align2, offset: egui::Vec2| align.anchor_size(place + offset, size);
    let near = [
        at(Align2::LEFT_BOTTOM, vec2(DISTANCE, -4.0)),
        at(Align2::RIGHT_BOTTOM, vec2(-DISTANCE, -4.0)),
        at(Align2::LEFT_TOP, vec2(DISTANCE, 4.0)),
        at(Align2::RIGHT_TOP, vec2(-DISTANCE, 4.0)),
        at(Align2::CENTER_BOTTOM, vec2(0.0, -DISTANCE)),
        at(Align2::CENTER_TOP, vec2(0.0, DISTANCE)),
    ];
    let free =
        |rect: &Rect| room.contains_rect(*rect) && !taken.iter().any(|other| other.expand(1.0).intersects(*rect));
    let farther = (1_u8..6).flat_map(|step| {
        let shift = f32::from(step) * (size.y + 2.0);
        [near[0].translate(vec2(0.0, shift)), near[0].translate(vec2(0.0, -shift))]
    });
    near.into_iter().chain(farther.filter(|_| far)).find(free)
}
