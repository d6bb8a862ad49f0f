//! Viewport: rendered view with its overlays, camera control and selection.

mod compare_marks;
mod coordinates;
mod empty_view;
mod gizmo;
pub mod labels;
mod legend;
mod light_handles;
mod selection_modes;

use egui::{
    Align2, Event, Modifiers, MouseWheelUnit, PointerButton, Popup, Pos2, Rect, Response, Role, Sense, Ui, WidgetInfo,
    pos2, vec2,
};
use glam::Vec2;

use super::{ViewportFeedback, ViewportImage, context, dock, fonts, light_menu, menu, paint, theme};
use maquette_scene::scene::{Hit, PickedAnchor, pick_handle};
use maquette_scene::session::{Action, CameraAction, DisplayAction, DocumentView, Navigation, SceneAction, Session};

/// Zoom per point of a drag, as a power of e.
const DRAG_ZOOM: f32 = 0.006;
/// Zoom per point of the wheel, as a power of e. A notch is about 40 points.
const WHEEL_ZOOM: f32 = 0.004;
const NOTCH: f32 = 40.0;

/// Width in points at the sides, where the panels have their resize handles.
const EDGE: f32 = 5.0;

pub fn show(
    ui: &mut Ui,
    session: &Session,
    viewport: &ViewportImage<'_>,
    actions: &mut Vec<Action>,
) -> ViewportFeedback {
    let rect = ui.available_rect_before_wrap();
    let _ = ui.allocate_rect(rect, Sense::hover());
    // Leave out the sides, where the panels have their resize handles.
    let hand = rect.shrink2(vec2(EDGE, 0.0));
    let response = ui.interact(hand, ui.scope_id().with("picture"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, "Model"));
    let painter = ui.painter_at(rect);
    match viewport.texture {
        Some(texture) => {
            painter.image(texture, rect, Rect::from_min_max(Pos2::ZERO, pos2(1.0, 1.0)), egui::Color32::WHITE);
        }
        None => studio(&painter, rect, theme::tokens(ui)),
    }
    drag(ui, &response, session, rect, actions);
    click(ui, &response, session, rect, actions);
    right_click(ui, &response, session, rect, actions);
    wheel(ui, &response, rect, actions);
    coordinates::show(ui, session, rect);
    actions.extend(labels::show(ui, session.document_view(), viewport.labels, rect, Some(&response)));
    light_handles::show(ui, session, rect, actions);
    gizmo::show(ui, session, rect, actions);
    selection_modes::show(ui, session, rect, actions);
    dock::paint_lines(ui, session, rect);
    compare_marks::show(ui, session, rect);
    legend::show(ui, session, rect);
    empty_view::show(ui, session, rect, actions);
    if session.jobs.loading.is_some() {
        painter.rect_filled(rect.with_max_y(rect.top() + 2.0), 0.0, theme::tokens(ui).accent_fill);
    }
    feedback(ui, rect)
}

/// Returns the view's rectangle and scale for the renderer.
pub fn feedback(ui: &Ui, rect: Rect) -> ViewportFeedback {
    let (pixels_per_point, theme) = (ui.ctx().pixels_per_point(), theme::tokens(ui).theme);
    let is_used = super::onboarding::is_used(ui);
    ViewportFeedback { rect, pixels_per_point, theme, wanted: Vec::new(), timeline: 0.0, is_used }
}

/// Paints the background of an empty scene.
pub fn studio(painter: &egui::Painter, rect: Rect, tokens: &theme::Tokens) {
    painter.add(egui::Shape::gradient_rect(rect, egui::Direction::TopDown, tokens.studio));
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Hand {
    Orbit,
    Pan,
    Zoom,
    Light,
}

fn hand(navigation: Navigation, button: PointerButton, modifiers: Modifiers) -> Option<Hand> {
    let (ctrl, shift) = (modifiers.command || modifiers.ctrl, modifiers.shift);
    match (navigation, button) {
        (_, PointerButton::Primary) if ctrl => Some(Hand::Light),
        (Navigation::Maquette, PointerButton::Primary) => Some(if shift { Hand::Pan } else { Hand::Orbit }),
        (Navigation::Maquette, PointerButton::Middle) => Some(Hand::Pan),
        (Navigation::Maquette, PointerButton::Secondary) => Some(Hand::Zoom),
        (Navigation::Blender, PointerButton::Middle) if shift => Some(Hand::Pan),
        (Navigation::Blender, PointerButton::Middle) if ctrl => Some(Hand::Zoom),
        (Navigation::Blender, PointerButton::Middle) => Some(Hand::Orbit),
        _ => None,
    }
}

const BUTTONS: [PointerButton; 3] = [PointerButton::Primary, PointerButton::Middle, PointerButton::Secondary];

fn drag(ui: &Ui, response: &Response, session: &Session, rect: Rect, actions: &mut Vec<Action>) {
    // The modifier keys at the start of a drag decide its effect, because keys may be released before the button.
    let id = response.id.with("hand");
    if response.drag_started() {
        let modifiers = ui.input(|input| input.modifiers);
        let begun = BUTTONS.into_iter().find(|button| response.drag_started_by(*button));
        let hand = begun.and_then(|button| hand(session.view.navigation, button, modifiers));
        ui.data_mut(|data| data.insert_temp(id, hand));
    }
    let held = response.dragged() || response.drag_stopped();
    let hand = if held { ui.data(|data| data.get_temp::<Option<Hand>>(id)).flatten() } else { None };
    let delta = drag_distance(ui, response);
    let action = match hand.filter(|_| delta != egui::Vec2::ZERO) {
        Some(Hand::Orbit) => Some(gizmo::orbit(delta)),
        Some(Hand::Pan) => Some(pan(delta, rect)),
        Some(Hand::Zoom) => Some(Action::Camera(CameraAction::Zoom((delta.y * DRAG_ZOOM).exp(), Vec2::ZERO))),
        Some(Hand::Light) if session.view.display.is_lit() => {
            let turn = delta * gizmo::ORBIT_SPEED;
            Some(Action::Display(DisplayAction::TurnLight(turn.x, -turn.y)))
        }
        Some(Hand::Light) | None => None,
    };
    actions.extend(action);
    if hand == Some(Hand::Light) && response.dragged() {
        light_plate(ui, session, rect);
    }
}

fn pan(delta: egui::Vec2, rect: Rect) -> Action {
    Action::Camera(CameraAction::Pan(Vec2::new(delta.x, delta.y), rect.height()))
}

/// Returns the visible tag or joint at a position in the window.
fn handle_at(shown: DocumentView<'_>, rect: Rect, at: Pos2) -> Option<PickedAnchor> {
    let (at, size) = (at - rect.min, rect.size());
    let (scene, view) = (&shown.document.scene, shown.view);
    pick_handle(scene, &view.display, &view.camera, Vec2::new(at.x, at.y), Vec2::new(size.x, size.y))
}

fn click(ui: &Ui, response: &Response, session: &Session, rect: Rect, actions: &mut Vec<Action>) {
    // A click that closes a menu must have no other effect.
    let id = response.id.with("closes a menu");
    if ui.input(|input| input.pointer.any_pressed()) {
        let open = Popup::is_any_open(ui.ctx());
        ui.data_mut(|data| data.insert_temp(id, open));
    }
    let closes = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
    let Some(at) = response.interact_pointer_pos().filter(|_| !closes) else { return };
    if response.double_clicked_by(PointerButton::Primary) {
        actions.push(Action::Camera(CameraAction::CentreOn(from_middle(rect, at))));
    } else if response.clicked_by(PointerButton::Primary) {
        let place = from_middle(rect, at);
        let more = ui.input(|input| input.modifiers.command || input.modifiers.ctrl);
        actions.push(match handle_at(session.document_view(), rect, at).filter(|_| !more) {
            Some(handle) => Action::Scene(SceneAction::SelectIn(handle.entity, handle.selection)),
            None if more => Action::Camera(CameraAction::PickMore(place)),
            None => Action::Camera(CameraAction::PickAt(place)),
        });
    }
}

/// Shows the context menu of the view. A surface under the pointer is selected, and its rows are added.
fn right_click(ui: &Ui, response: &Response, session: &Session, rect: Rect, actions: &mut Vec<Action>) {
    let id = response.id.with("on a surface");
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.secondary_clicked()) {
        let place = from_middle(rect, at);
        let hit = session.pick(place);
        ui.data_mut(|data| data.insert_temp(id, hit.is_some()));
        let is_selected =
            |hit: &Hit| session.document.focus == Some(hit.entity) && session.document.selects_surface(hit.surface);
        if hit.is_some_and(|hit| !is_selected(&hit)) {
            actions.push(Action::Camera(CameraAction::PickAt(place)));
        }
    }
    menu::context(response, |ui| {
        let on_surface = ui.data(|data| data.get_temp::<bool>(id)).unwrap_or(false);
        let surface = session.entity().filter(|_| on_surface && !session.document.selected_surfaces().is_empty());
        if let Some(entity) = surface {
            context::surfaces(ui, session, entity, actions);
            menu::separator(ui);
        }
        context::view(ui, session, surface.is_some(), actions);
    });
}

fn wheel(ui: &Ui, response: &Response, rect: Rect, actions: &mut Vec<Action>) {
    let Some(pointer) = response.hover_pos() else { return };
    let (shift, wheel, pinch) =
        ui.input(|input| (input.modifiers.shift, input.smooth_scroll_delta().y, input.zoom_delta()));
    if shift {
        let moved = raw_scroll(ui);
        actions.extend((moved != egui::Vec2::ZERO).then(|| pan(moved, rect)));
        return;
    }
    let factor = (-wheel * WHEEL_ZOOM).exp() / pinch.max(0.01);
    if (factor - 1.0).abs() > 1e-4 {
        actions.push(Action::Camera(CameraAction::Zoom(factor, from_middle(rect, pointer))));
    }
}

/// Returns the unsmoothed scroll distance in points. egui's own distance merges both directions while Shift is held.
fn raw_scroll(ui: &Ui) -> egui::Vec2 {
    ui.input(|input| {
        let ways = input.events.iter().map(|event| match event {
            Event::MouseWheel { unit: MouseWheelUnit::Point, delta, .. } => *delta,
            Event::MouseWheel { unit: MouseWheelUnit::Line, delta, .. } => *delta * NOTCH,
            _ => egui::Vec2::ZERO,
        });
        ways.fold(egui::Vec2::ZERO, |sum, way| sum + way)
    })
}

/// Returns the offset of `at` from the view's centre in half view heights, x right, y up.
fn from_middle(rect: Rect, at: Pos2) -> Vec2 {
    let away = (at - rect.center()) / (rect.height() / 2.0).max(1.0);
    Vec2::new(away.x, -away.y)
}

/// Shows the direction of the light while the user drags it, or the reason why it cannot be turned.
fn light_plate(ui: &Ui, session: &Session, rect: Rect) {
    let tokens = theme::tokens(ui);
    let light = &session.view.display.light;
    let text = if session.view.display.is_lit() {
        let side = if light.azimuth < 0.0 { "left" } else { "right" };
        let height = if light.elevation < 0.0 { "down" } else { "up" };
        let (azimuth, elevation) = (light.azimuth.abs().round(), light.elevation.abs().round());
        format!("Light {azimuth}° {side}, {elevation}° {height}")
    } else {
        light_menu::why_not(session).to_owned()
    };
    let size = vec2(paint::width_of(ui, &text, fonts::body()).ceil() + 20.0, 26.0);
    let plate = Rect::from_center_size(pos2(rect.center().x, rect.bottom() - 26.0), size);
    paint::fill(&ui.painter_at(rect), plate, theme::CORNER, tokens.plate);
    paint::text(&ui.painter_at(rect), plate.center(), Align2::CENTER_CENTER, &text, fonts::body(), tokens.text);
}

/// Returns the drag distance of this frame in points. It includes the motion before egui detected the drag, and the
/// motion that arrives with the release.
fn drag_distance(ui: &Ui, response: &Response) -> egui::Vec2 {
    if response.drag_started() {
        return ui.input(|input| match (input.pointer.press_origin(), input.pointer.latest_pos()) {
            (Some(from), Some(to)) => to - from,
            _ => egui::Vec2::ZERO,
        });
    }
    if response.drag_stopped() { ui.input(|input| input.pointer.delta()) } else { response.drag_delta() }
}
