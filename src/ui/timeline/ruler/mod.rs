//! Ruler: numbers, ticks, loop range and playhead, and the tracks below them.
//!
//! A drag moves the playhead in whole frames, and with Shift between frames. Ctrl+drag creates a loop range, or moves
//! the range if the drag begins in it. The ends of the range can be dragged. A double-click in the range clears it.

pub mod overview;
mod scale;
mod track;

use egui::{
    Align2, CursorIcon, Event, EventFilter, Key, PointerButton, Pos2, Rect, RectAlign, Response, Role, Sense, Stroke,
    Tooltip, Ui, Vec2, WidgetInfo, pos2, vec2,
};

use super::{State, TRANSPORT, View, choices, shown_tracks};
use crate::ui::button::focus_ring;
use crate::ui::{access, fonts, format, menu, paint, theme};
use maquette_scene::scene::FrameRange;
use maquette_scene::session::{
    Action, ClockAction, EditAction, EditSubject, FrameWindow, SceneAction, Selection, Session, TimelineAction,
};

use scale::Scale;

pub const RULER: f32 = 22.0;
const BETWEEN: f32 = 3.0;
/// Width of the track names.
const GUTTER: f32 = 96.0;
/// Minimum distances between numbers and between ticks, in points.
const NUMBERS_APART: f32 = 52.0;
const TICKS_APART: f32 = 6.0;
/// Distance in points from an end of the loop range within which a drag moves that end.
const NEAR: f32 = 4.0;

/// Ruler or track of a playback on the time scale.
pub struct Lane<'a> {
    session: &'a Session,
    view: View<'a>,
    scale: Scale,
    rect: Rect,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drag {
    /// Moves the playhead, which is at this distance from the pointer in points.
    Playhead(f32),
    /// Creates a range from this frame.
    Range(u32),
    /// Moves the start of the range. Its last frame is fixed.
    Start(u32),
    /// Moves the end of the range. Its first frame is fixed.
    End(u32),
    /// Moves the whole range. The drag began at this frame.
    Whole(FrameRange, u32),
}

/// Returns the smallest of 1, 2, 5, 10, 20, … frames whose multiples are at least `apart` points apart.
fn step_of(points_per_frame: f32, apart: f32) -> u32 {
    let mut step = 1_u32;
    for factor in [2, 5, 10].into_iter().cycle() {
        if step as f32 * points_per_frame >= apart || step >= 100_000_000 {
            break;
        }
        let decade = 10_u32.pow(step.ilog10());
        step = decade * factor;
    }
    step
}

/// Returns the loop range that results from a drag with the pointer over the frame `under`.
fn range_of(drag: Drag, under: u32, frames: u32) -> Option<FrameRange> {
    match drag {
        Drag::Playhead(_) => None,
        Drag::Range(anchor) => FrameRange::new(anchor, under, frames),
        Drag::Start(last) => FrameRange::new(under.min(last.saturating_sub(1)), last, frames),
        Drag::End(first) => FrameRange::new(first, under.max(first.saturating_add(1)), frames),
        Drag::Whole(range, held) => Some(range.moved(i64::from(under) - i64::from(held), frames)),
    }
}

/// Returns the heights of a track, of the space above the overview, of the overview, and of the space below it.
fn heights(compact: bool) -> [f32; 4] {
    if compact { [18.0, 1.0, 3.0, 0.0] } else { [40.0, 8.0, 5.0, 5.0] }
}

/// Returns the height of ruler, tracks and overview together.
pub fn height(tracks: usize, compact: bool) -> f32 {
    let [track, above, strip, below] = heights(compact);
    let tracks = tracks.max(1) as f32;
    RULER + tracks * track + (tracks - 1.0) * BETWEEN + above + strip + below
}

/// Shows the ruler, a track for each animated entity, and the overview if the timeline is zoomed.
pub fn show(ui: &mut Ui, session: &Session, compact: bool, state: &mut State, actions: &mut Vec<Action>) {
    let area = ui.max_rect();
    let Some(current) = session.document.led_track() else { return };
    let tracks = shown_tracks(session);
    let shared = tracks.len() > 1;
    let rect = area.with_min_x(area.left() + if shared { GUTTER } else { 0.0 }).with_max_y(area.top() + RULER);
    state.room = rect.width();
    let frames = session.document.frames_on_ruler();
    let scale = Scale::new(rect, session.frames_in_sight().unwrap_or(FrameWindow::all(frames)), frames);
    let ruler = Lane { session, view: View::of(current, shared), scale, rect };
    let [height, above_strip, strip_height, _] = heights(compact);
    let mut top = rect.bottom();
    let mut lanes = Vec::new();
    for track in tracks {
        let view = View::of(track, shared);
        let scale = Scale { frames: view.frames, ..scale };
        let lane = Lane { session, view, scale, rect: Rect::from_x_y_ranges(rect.x_range(), top..=top + height) };
        if shared {
            lane.track_name(ui, actions);
        }
        ui.push_id(track.id, |ui| lane.show_track(ui, state, actions));
        top += height + BETWEEN;
        lanes.push(lane);
    }
    let bottom = top - BETWEEN;
    ruler.show(ui, state, actions);
    for lane in &lanes {
        if lane.view.track == current.id {
            ruler.playhead(ui, lane.rect);
        } else if lane.is_in_sight() {
            lane.paint_playhead(ui, lane.rect, lane.rect.top() - 1.0);
        }
    }
    if let Some(x) = state.hovered {
        ruler.pointed(ui, x, bottom);
    }
    let top = bottom + above_strip;
    let strip = Rect::from_x_y_ranges(rect.x_range(), top..=top + strip_height);
    match session.frames_in_sight() {
        Some(window) => overview::show(ui, &Lane { rect: strip, ..ruler }, window, state, actions),
        None => state.strip = None,
    }
    take_wheel(ui, session, &scale, area.with_min_x(rect.left()), actions);
}

/// Handles the wheel, which zooms at the pointer with Ctrl and pans otherwise. The middle button also pans.
fn take_wheel(ui: &Ui, session: &Session, scale: &Scale, reach: Rect, actions: &mut Vec<Action>) {
    let zoomed = session.frames_in_sight();
    let mut pan = |points: f32| {
        if let Some(window) = zoomed.filter(|_| points != 0.0) {
            let start = window.start - f64::from(points / scale.step.max(1e-6));
            actions.push(Action::Timeline(TimelineAction::ShowFrames(FrameWindow { start, ..window })));
        }
    };
    let (pressed_at, middle) =
        ui.input(|input| (input.pointer.press_origin(), input.pointer.button_down(PointerButton::Middle)));
    if middle && zoomed.is_some() && pressed_at.is_some_and(|at| reach.contains(at)) {
        pan(ui.input(|input| input.pointer.delta().x));
        return;
    }
    let Some(pointer) = ui.input(|input| input.pointer.hover_pos()) else { return };
    if !ui.ctx().rect_contains_pointer(ui.layer_id(), reach) {
        return;
    }
    let (wheel, pinch) = ui.input(|input| (input.smooth_scroll_delta(), input.zoom_delta()));
    if (pinch - 1.0).abs() > 1e-4 {
        let factor = 1.0 / f64::from(pinch.max(0.01));
        actions.push(Action::Timeline(TimelineAction::ZoomFrames(factor, scale.at(pointer.x))));
    } else {
        pan(if wheel.x.abs() > wheel.y.abs() { wheel.x } else { wheel.y });
    }
}

/// Returns the position at which the primary button was released. In a slow frame, the pointer may have moved since.
fn released_at(ui: &Ui) -> Option<Pos2> {
    ui.input(|input| {
        input.events.iter().rev().find_map(|event| match event {
            Event::PointerButton { pos, pressed: false, button: PointerButton::Primary, .. } => Some(*pos),
            _ => None,
        })
    })
}

impl Lane<'_> {
    fn last_frame(&self) -> u32 {
        self.view.frames.saturating_sub(1)
    }

    /// Shows the name and the frame number of the track. A click selects its entity.
    fn track_name(&self, ui: &Ui, actions: &mut Vec<Action>) {
        let tokens = theme::tokens(ui);
        let (entity, track) = (self.view.entity, self.view.track);
        let is_current = self.session.document.led_track().is_some_and(|led| led.id == track);
        let label = entity.track(track).label(self.view.shared);
        let gutter_rect = self.rect.with_min_x(self.rect.left() - GUTTER).with_max_x(self.rect.left());
        let response = ui.interact(gutter_rect, ui.scope_id().with(("track of", track)), Sense::click());
        let name = format!("{label} track");
        response.widget_info(|| WidgetInfo::selected(Role::Button, true, is_current, &name));
        let select = SceneAction::SelectIn(entity.id, Selection::None);
        if response.clicked() {
            actions.push(Action::Scene(select));
            let lead = Action::Clock(ClockAction::Lead(track));
            actions.extend(entity.model().has_torso().then_some(lead));
        }
        focus_ring(ui, response.has_focus(), gutter_rect, 0.0);
        let mut inner = gutter_rect.with_min_x(gutter_rect.left() + 2.0).with_max_x(gutter_rect.right() - 12.0);
        let frame = format::short(self.view.frame_number(), 1);
        inner.max.x = paint::text_right(ui.painter(), inner, &frame, fonts::body(), tokens.text2).left() - 6.0;
        let font = if is_current { fonts::medium() } else { fonts::body() };
        let is_lit = is_current || response.hovered() || response.has_focus();
        let colour = if is_lit { tokens.text } else { tokens.text2 };
        paint::text_in(ui.painter(), inner, label, font, colour);
    }

    fn show(&self, ui: &Ui, state: &mut State, actions: &mut Vec<Action>) {
        let Self { view, scale, rect, .. } = self;
        let sense = if view.playable { Sense::click_and_drag() } else { Sense::hover() };
        let response = ui.interact(*rect, ui.scope_id().with("ruler"), sense);
        access::slider(&response, view.playable, "Frame", view.frame, 0.0..=f64::from(self.last_frame()));
        if view.playable {
            self.drag(ui, &response, state, actions);
            let [steps, _] = arrows(ui, &response, false);
            let width = if ui.input(|input| input.modifiers.shift) { 10 } else { 1 };
            actions.extend((steps != 0).then_some(Action::Clock(ClockAction::Step(steps * width))));
        }
        if response.has_focus() {
            paint::outline(ui.painter(), *rect, 3, 2.0, theme::tokens(ui).accent);
        }
        if !view.playable {
            self.ticks(ui);
            return;
        }
        self.range(ui, state);
        self.ticks(ui);
        if response.double_clicked()
            && let Some(pointer) = response.interact_pointer_pos()
            && view.playback.range.is_some_and(|range| range.holds(f64::from(scale.under(pointer.x))))
        {
            actions.push(Action::Clock(ClockAction::SetLoopRange(None)));
        }
        menu::context(&response, |ui| rows(ui, self.session, actions));
        let over_end = response.hover_pos().is_some_and(|at| self.end_at(at.x).is_some());
        let cursor = match (state.drag, over_end) {
            (Some(Drag::Whole(..)), _) => CursorIcon::Grabbing,
            (None, true) | (Some(Drag::Start(_) | Drag::End(_)), _) => CursorIcon::ResizeColumn,
            _ => CursorIcon::ResizeHorizontal,
        };
        let hovered = response.hover_pos().filter(|_| state.drag.is_none() && response.hovered());
        state.hovered = hovered.map(|at| at.x);
        let response = response.on_hover_and_drag_cursor(cursor);
        if let Some(at) = hovered {
            let mut tip = Tooltip::for_enabled(&response);
            // The tooltip is above the timeline, so that it covers neither clips nor the transport.
            let top = rect.top() - TRANSPORT;
            let above = Rect::from_x_y_ranges(at.x - 1.0..=at.x + 1.0, top..=rect.bottom());
            tip.popup = tip.popup.anchor(above).align(RectAlign::TOP_START).gap(2.0);
            tip.show(|ui| self.tooltip(ui, at.x, over_end));
        }
    }

    /// Returns the drag that moves the end of the loop range near `x`, if any.
    fn end_at(&self, x: f32) -> Option<Drag> {
        let range = self.view.playback.range?;
        let is_near = |frame: f64| (x - self.scale.x(frame)).abs() <= NEAR;
        if is_near(f64::from(range.last) + 1.0) {
            return Some(Drag::End(range.first));
        }
        is_near(f64::from(range.first)).then_some(Drag::Start(range.last))
    }

    fn start_drag(&self, ui: &Ui, at: Pos2) -> Drag {
        let under = self.scale.under(at.x).min(self.last_frame());
        if ui.input(|input| input.modifiers.command || input.modifiers.ctrl) {
            return match self.view.playback.range.filter(|range| range.holds(f64::from(under))) {
                Some(range) => Drag::Whole(range, under),
                None => Drag::Range(under),
            };
        }
        let is_on_flag = self.flag(ui).is_some_and(|flag| flag.contains(at));
        let beside = if is_on_flag { at.x - self.scale.x(self.view.frame) } else { 0.0 };
        self.end_at(at.x).unwrap_or(Drag::Playhead(beside))
    }

    fn drag(&self, ui: &Ui, response: &Response, state: &mut State, actions: &mut Vec<Action>) {
        let down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
        // The last motion can arrive with the release. egui counts a quick press with motion neither as a click nor as
        // a drag.
        let let_go =
            state.drag.is_some() && !down || response.drag_stopped_by(PointerButton::Primary) || response.clicked();
        let released = if let_go { released_at(ui) } else { None };
        let pointer = released.or(response.interact_pointer_pos());
        if let Some(pointer) = pointer.filter(|_| down || let_go) {
            let pressed = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
            let drag = *state.drag.get_or_insert_with(|| self.start_drag(ui, pressed));
            let under = self.scale.under(pointer.x).min(self.last_frame());
            // The end of a range is the right edge of its last frame.
            let edge = self.scale.at(pointer.x).round();
            let made = match drag {
                Drag::Playhead(beside) => {
                    self.seek(ui, pointer.x - beside, let_go, actions);
                    None
                }
                // A press without motion does not create a range.
                Drag::Range(first) if first == under => None,
                Drag::Start(_) => range_of(drag, edge.max(0.0) as u32, self.view.frames),
                Drag::End(_) => range_of(drag, (edge - 1.0).max(0.0) as u32, self.view.frames),
                _ => range_of(drag, under, self.view.frames),
            };
            if made.is_some() && made != self.view.playback.range {
                actions.push(Action::Clock(ClockAction::SetLoopRange(made)));
            }
        }
        if !down {
            state.drag = None;
        }
    }

    /// Seeks the frame at the pointer, with Shift between frames if frames are interpolated. A release (`let_go`)
    /// always seeks.
    fn seek(&self, ui: &Ui, x: f32, let_go: bool, actions: &mut Vec<Action>) {
        // In a slow frame, Shift may be released after the button.
        let is_shifted = |event: &Event| matches!(event, Event::PointerButton { modifiers, .. } if modifiers.shift);
        let shift = ui.input(|input| input.modifiers.shift || input.events.iter().any(is_shifted));
        let whole = !self.session.playback().interpolate || !shift;
        if let_go || has_moved(ui) {
            actions.push(self.view.seek(self.scale.frame(x, whole).min(f64::from(self.last_frame()))));
        }
    }

    fn range(&self, ui: &Ui, state: &State) {
        let Some(range) = self.view.playback.range else { return };
        let tokens = theme::tokens(ui);
        let painter = ui.painter().with_clip_rect(self.rect.expand2(vec2(2.0, 0.0)));
        let (left, right) = (self.scale.x(f64::from(range.first)), self.scale.x(f64::from(range.last) + 1.0));
        let heights = self.rect.top() + 2.0..=self.rect.bottom() - 1.0;
        let band = Rect::from_x_y_ranges(left..=right, heights);
        painter.rect_filled(band, 0.0, theme::mix(tokens.panel, tokens.accent, 0.22));
        let held = state.drag.or(state.hovered.and_then(|x| self.end_at(x)));
        let width = if matches!(held, Some(Drag::Start(_))) { 4.0 } else { 2.0 };
        painter.rect_filled(band.with_max_x(left + width), 1.0, tokens.accent);
        let width = if matches!(held, Some(Drag::End(_))) { 4.0 } else { 2.0 };
        painter.rect_filled(band.with_min_x(right - width), 1.0, tokens.accent);
    }

    fn ticks(&self, ui: &Ui) {
        let Self { scale, rect, .. } = self;
        let tokens = theme::tokens(ui);
        let painter = ui.painter();
        let flag = self.flag(ui).map(|flag| flag.expand2(vec2(3.0, 8.0)));
        let ink = if self.view.playable { tokens.text2 } else { tokens.text3 };
        let step = step_of(scale.step, NUMBERS_APART);
        let tick = step_of(scale.step, TICKS_APART);
        // Skip numbers that would start left of the ruler.
        let first = (scale.at(rect.left() - 0.5).max(0.0) / f64::from(tick)).ceil() as u32;
        for frame in (first.saturating_mul(tick)..scale.frames).step_by(tick as usize) {
            let x = scale.x(f64::from(frame)).floor() + 0.5;
            if x > rect.right() {
                break;
            }
            let numbered = frame.is_multiple_of(step);
            let (height, colour) = if numbered { (8.0, tokens.text3) } else { (4.0, tokens.line) };
            let bottom = rect.bottom() - 1.0;
            painter.vline(x, bottom - height..=bottom, Stroke::new(1.0, colour));
            if numbered {
                let room = painter.layout_no_wrap(format::count(frame as usize), fonts::small(), ink);
                let place = Rect::from_min_size(pos2(x + 4.0, rect.top() + 3.0), room.size());
                if !flag.is_some_and(|flag| flag.intersects(place)) && place.right() <= rect.right() + 2.0 {
                    painter.galley(paint::snapped(painter, place.min), room, ink);
                }
            }
        }
    }

    /// Shows the frame under the pointer, and hints about the mouse.
    fn tooltip(&self, ui: &mut Ui, x: f32, over_end: bool) {
        let view = &self.view;
        let frame = self.scale.frame(x, true).min(f64::from(self.last_frame())) as u32;
        ui.horizontal(|ui| {
            ui.label(egui::RichText::new(format::count(frame as usize)).font(fonts::strong()));
            let name = view.frame_name(frame);
            if !name.is_empty() {
                ui.label(egui::RichText::new(name).font(fonts::mono()).color(theme::tokens(ui).text2));
            }
        });
        if let Some(clip) = view.clip_at(frame) {
            let (first, _) = view.range(clip);
            // Count from 1, like the number next to the transport.
            let [place, count] =
                [frame.saturating_sub(first) + 1, clip.count].map(|number| format::count(number as usize));
            let text = if first > 0 { format!("{}: {place} of {count}", clip.name) } else { clip.name.clone() };
            ui.label(egui::RichText::new(text).small().weak());
        }
        let hint = if over_end {
            "Drag to resize the loop range"
        } else if view.playback.range.is_some() {
            "Drag to scrub, with Shift between frames; Ctrl+drag moves the loop range, a double-click clears it"
        } else {
            "Drag to scrub, with Shift between frames; Ctrl+drag sets a loop range"
        };
        ui.label(egui::RichText::new(hint).small().weak());
    }

    fn flag_text(&self) -> String {
        let frame = self.view.frame_number();
        if frame.fract() < 0.05 { format::count(frame as usize) } else { format::fixed(frame, 1) }
    }

    /// Whether the playhead is within the horizontal range of the lane.
    fn is_in_sight(&self) -> bool {
        self.rect.x_range().expand(1.0).contains(self.scale.x(self.view.frame))
    }

    fn flag(&self, ui: &Ui) -> Option<Rect> {
        if !self.view.playable || !self.is_in_sight() {
            return None;
        }
        let width = (paint::width_of(ui, &self.flag_text(), fonts::small_strong()) + 12.0).max(27.0).ceil();
        let max = (self.rect.right() - width).max(self.rect.left());
        let left = (self.scale.x(self.view.frame) - width / 2.0).clamp(self.rect.left(), max);
        Some(Rect::from_min_size(pos2(left.round(), self.rect.top() + 2.0), vec2(width, 17.0)))
    }

    fn playhead(&self, ui: &Ui, track: Rect) {
        let Some(flag) = self.flag(ui) else { return };
        let tokens = theme::tokens(ui);
        // With several tracks, the line only covers its own track, and a stem connects it with the flag.
        let top = if self.view.shared { track.top() - 1.0 } else { flag.bottom() };
        let x = self.paint_playhead(ui, track, top);
        if self.view.shared {
            let stem = Rect::from_x_y_ranges(x - 1.0..=x + 1.0, flag.bottom()..=self.rect.bottom());
            ui.painter().rect_filled(stem, 0.0, tokens.accent);
        }
        paint::fill(ui.painter(), flag, 4, tokens.accent_fill);
        let (centre, font) = (Align2::CENTER_CENTER, fonts::small_strong());
        paint::text(ui.painter(), flag.center(), centre, &self.flag_text(), font, tokens.on_accent);
        let response = ui.interact(flag, ui.scope_id().with("flag"), Sense::hover());
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Playhead"));
    }

    /// Paints the playhead's line over `track` from `top`. Returns its horizontal position.
    fn paint_playhead(&self, ui: &Ui, track: Rect, top: f32) -> f32 {
        let tokens = theme::tokens(ui);
        let x = self.scale.x(self.view.frame).clamp(track.left() + 1.0, track.right() - 1.0);
        let line = Rect::from_x_y_ranges(x - 1.0..=x + 1.0, top..=track.bottom() + 1.0);
        ui.painter().rect_filled(line.expand2(vec2(1.0, 0.0)), 0.0, tokens.casing);
        ui.painter().rect_filled(line, 0.0, tokens.accent);
        x
    }

    /// Paints a line at the frame under the pointer, over ruler and tracks.
    fn pointed(&self, ui: &Ui, x: f32, bottom: f32) {
        let x = self.scale.x(self.scale.frame(x, true));
        if self.rect.x_range().contains(x) {
            let colour = theme::tokens(ui).text.gamma_multiply(0.35);
            ui.painter().vline(x.floor() + 0.5, (self.rect.top() + 2.0)..=bottom, Stroke::new(1.0, colour));
        }
    }
}

/// Whether the pointer moved or pressed a button. A resting pointer must not seek in every frame.
fn has_moved(ui: &Ui) -> bool {
    ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != Vec2::ZERO)
}

/// Returns the steps of the arrow keys pressed on `response`: right, and up if `vertical`. The widget locks these keys.
fn arrows(ui: &Ui, response: &Response, vertical: bool) -> [i32; 2] {
    if !response.has_focus() {
        return [0; 2];
    }
    let filter = EventFilter { horizontal_arrows: true, vertical_arrows: vertical, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let pressed = |key| ui.input(|input| i32::from(input.key_pressed(key)));
    [pressed(Key::ArrowRight) - pressed(Key::ArrowLeft), pressed(Key::ArrowUp) - pressed(Key::ArrowDown)]
}

fn rows(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    choices::loop_rows(ui, session, actions);
    menu::separator(ui);
    let zoom = if session.playback().range.is_some() { "Zoom to loop range" } else { "Zoom to clip" };
    menu::Row::new(zoom).push(ui, Action::Timeline(TimelineAction::ShowClipFrames), actions);
    let disabled = session.frames_in_sight().is_none();
    let all = menu::Row { disabled, ..menu::Row::new("Zoom to all frames") };
    all.push(ui, Action::Timeline(TimelineAction::ShowAllFrames), actions);
    menu::separator(ui);
    menu::command(ui, session, &Action::Edit(EditAction::Ask(EditSubject::FrameName)), actions);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ruler_steps_are_one_two_five_ten() {
        let steps: Vec<u32> = [60.0, 30.0, 12.0, 6.0, 3.0, 1.5, 0.6].map(|points| step_of(points, 52.0)).into();
        assert_eq!(steps, [1, 2, 5, 10, 20, 50, 100]);
    }

    #[test]
    fn ruler_drags_create_ranges_including_both_ends() {
        let made = |drag, under| range_of(drag, under, 198).map(|range| (range.first, range.last));
        assert_eq!(made(Drag::Range(72), 94), Some((72, 94)));
        assert_eq!(made(Drag::Range(94), 72), Some((72, 94)), "backwards");
        assert_eq!(made(Drag::Start(94), 80), Some((80, 94)));
        assert_eq!(made(Drag::Start(94), 120), Some((93, 94)), "an end does not pass the other");
        assert_eq!(made(Drag::End(72), 40), Some((72, 73)));
        let range = FrameRange { first: 72, last: 94 };
        assert_eq!(made(Drag::Whole(range, 80), 90), Some((82, 104)));
        assert_eq!(made(Drag::Whole(range, 80), 0), Some((0, 22)));
        assert_eq!(made(Drag::Whole(range, 80), 197), Some((175, 197)));
    }
}
