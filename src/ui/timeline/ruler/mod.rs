//! The ruler: numbers and ticks, the loop range, and the playhead with its flag over ruler and track.
//!
//! A drag moves the playhead from frame to frame, between frames with Shift; with Ctrl it makes a loop range, or moves the one it begins in; ends of the range can be
//! dragged. A double click in the range, or the menu, clears it.

pub mod overview;
mod scale;
pub mod track;

use egui::{
    Align2, CursorIcon, EventFilter, Key, PointerButton, Popup, Rect, RectAlign, Role, Sense, Stroke, Tooltip, Ui,
};
use egui::{WidgetInfo, pos2, vec2};

use super::{State, View};
use crate::ui::{access, context, fonts, format, menu, paint, theme};
use maquette_scene::scene::FrameRange;
use maquette_scene::session::{Action, ClockAction, Session, TimelineAction};

pub use scale::Scale;

/// Least distance of two numbers, and of two ticks.
const NUMBERS_APART: f32 = 52.0;
const TICKS_APART: f32 = 6.0;
/// How near to an end of the loop range one must be to drag it.
const NEAR: f32 = 4.0;

/// What a drag on the ruler does.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Drag {
    /// Moves the playhead, held so many points beside it.
    Playhead(f32),
    /// Makes a range from this frame on.
    Range(u32),
    /// Moves the start of the range: its last frame.
    Start(u32),
    /// Moves the end of the range: its first frame.
    End(u32),
    /// Moves the range as it was, held at this frame.
    Whole(FrameRange, u32),
}

/// The smallest of 1, 2, 5, 10, 20, … whose multiples lie `apart` points from each other.
#[must_use]
pub fn step_of(points_per_frame: f32, apart: f32) -> u32 {
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

/// The range that a drag makes while the pointer is over the frame `under`, of so many frames.
#[must_use]
pub fn range_of(drag: Drag, under: u32, frames: u32) -> Option<FrameRange> {
    match drag {
        Drag::Playhead(_) => None,
        Drag::Range(anchor) => FrameRange::new(anchor, under, frames),
        Drag::Start(last) => FrameRange::new(under.min(last.saturating_sub(1)), last, frames),
        Drag::End(first) => FrameRange::new(first, under.max(first.saturating_add(1)), frames),
        Drag::Whole(range, held) => Some(range.moved(i64::from(under) - i64::from(held), frames)),
    }
}

/// Shows the ruler.
pub fn show(
    ui: &Ui,
    session: &Session,
    view: &View<'_>,
    scale: &Scale,
    rect: Rect,
    memory: &mut State,
    actions: &mut Vec<Action>,
) {
    let sense = if view.playable { Sense::click_and_drag() } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with("ruler"), sense);
    let last = f64::from(view.frames.saturating_sub(1));
    access::slider(&response, view.playable, "Frame", view.frame, 0.0..=last);
    if view.playable {
        drag(ui, session, view, scale, rect, &response, memory, actions);
        keys(ui, &response, actions);
    }
    if response.has_focus() {
        paint::outline(ui.painter(), rect, 3, 2.0, theme::tokens(ui).accent);
    }
    range(ui, view, scale, rect, memory);
    ticks(ui, view, scale, rect);
    if !view.playable {
        return;
    }
    if response.double_clicked()
        && let Some(pointer) = response.interact_pointer_pos()
        && view.loop_range.is_some_and(|range| holds(&range, scale.under(pointer.x)))
    {
        actions.push(Action::Clock(ClockAction::SetLoopRange(None)));
    }
    Popup::context_menu(&response).style(menu::style).show(|ui| menu::frame(ui, |ui| choices(ui, session, actions)));
    let over_end = response.hover_pos().is_some_and(|at| end_at(view, scale, at.x).is_some());
    let cursor = match (memory.drag, over_end) {
        (Some(Drag::Whole(..)), _) => CursorIcon::Grabbing,
        (None, true) | (Some(Drag::Start(_) | Drag::End(_)), _) => CursorIcon::ResizeColumn,
        _ => CursorIcon::ResizeHorizontal,
    };
    let hovered = response.hover_pos().filter(|_| memory.drag.is_none() && response.hovered());
    memory.hovered = hovered.map(|at| at.x);
    let response = response.on_hover_and_drag_cursor(cursor);
    if let Some(at) = hovered {
        let mut tip = Tooltip::for_enabled(&response);
        // Above the ruler, where it hides no clip.
        let above = Rect::from_center_size(pos2(at.x, rect.center().y), vec2(2.0, rect.height()));
        tip.popup = tip.popup.anchor(above).align(RectAlign::TOP_START).gap(2.0);
        tip.show(|ui| tooltip(ui, view, scale, at.x, over_end));
    }
}

fn holds(range: &FrameRange, frame: u32) -> bool {
    (range.first..=range.last).contains(&frame)
}

/// The end of the loop range at a place.
fn end_at(view: &View<'_>, scale: &Scale, x: f32) -> Option<Drag> {
    let range = view.loop_range?;
    let (left, right) = (scale.x(f64::from(range.first)), scale.x(f64::from(range.last) + 1.0));
    if (x - right).abs() <= NEAR {
        Some(Drag::End(range.first))
    } else if (x - left).abs() <= NEAR {
        Some(Drag::Start(range.last))
    } else {
        None
    }
}

/// What a drag that begins at a place does.
fn begun(ui: &Ui, view: &View<'_>, scale: &Scale, rect: Rect, at: egui::Pos2) -> Drag {
    let under = scale.under(at.x).min(view.frames.saturating_sub(1));
    if ui.input(|input| input.modifiers.command || input.modifiers.ctrl) {
        return match view.loop_range.filter(|range| holds(range, under)) {
            Some(range) => Drag::Whole(range, under),
            None => Drag::Range(under),
        };
    }
    let flag = flag_rect(ui, view, scale, rect).filter(|flag| flag.contains(at));
    let beside = flag.map_or(0.0, |_| at.x - scale.x(view.frame));
    end_at(view, scale, at.x).unwrap_or(Drag::Playhead(beside))
}

#[allow(clippy::too_many_arguments, reason = "what the ruler has")]
fn drag(
    ui: &Ui,
    session: &Session,
    view: &View<'_>,
    scale: &Scale,
    rect: Rect,
    response: &egui::Response,
    memory: &mut State,
    actions: &mut Vec<Action>,
) {
    let down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    // The last bit of way may come together with the release, and a quick one is neither a click nor yet a drag.
    let let_go =
        memory.drag.is_some() && !down || response.drag_stopped_by(PointerButton::Primary) || response.clicked();
    let pointer =
        if let_go { released_at(ui).or(response.interact_pointer_pos()) } else { response.interact_pointer_pos() };
    if let Some(pointer) = pointer.filter(|_| down || let_go) {
        let pressed = ui.input(|input| input.pointer.press_origin()).unwrap_or(pointer);
        let drag = *memory.drag.get_or_insert_with(|| begun(ui, view, scale, rect, pressed));
        match drag {
            Drag::Playhead(beside) => seek(ui, session, view, scale, pointer.x - beside, let_go, actions),
            drag => {
                let under = scale.under(pointer.x).min(view.frames.saturating_sub(1));
                // The right edge of a frame is the end of the range that it is the last of.
                let under = match drag {
                    Drag::Start(_) => scale.at(pointer.x).round().max(0.0) as u32,
                    Drag::End(_) => (scale.at(pointer.x).round() - 1.0).max(0.0) as u32,
                    _ => under,
                };
                // A press that has not moved yet makes nothing.
                let made = range_of(drag, under, view.frames).filter(|_| drag != Drag::Range(under));
                if made.is_some() && made != view.loop_range {
                    actions.push(Action::Clock(ClockAction::SetLoopRange(made)));
                }
            }
        }
    }
    if !down {
        memory.drag = None;
    }
}

/// Where the button was let go: in a slow frame the pointer may have gone on since.
pub fn released_at(ui: &Ui) -> Option<egui::Pos2> {
    ui.input(|input| {
        input.events.iter().rev().find_map(|event| match event {
            egui::Event::PointerButton { pos, pressed: false, button: PointerButton::Primary, .. } => Some(*pos),
            _ => None,
        })
    })
}

/// With the keyboard: arrows step.
fn keys(ui: &Ui, response: &egui::Response, actions: &mut Vec<Action>) {
    if !response.has_focus() {
        return;
    }
    let filter = EventFilter { horizontal_arrows: true, ..EventFilter::default() };
    ui.memory_mut(|memory| memory.set_focus_lock_filter(response.id, filter));
    let width = if ui.input(|input| input.modifiers.shift) { 10 } else { 1 };
    for (key, steps) in [(Key::ArrowLeft, -width), (Key::ArrowRight, width)] {
        if ui.input(|input| input.key_pressed(key)) {
            actions.push(Action::Clock(ClockAction::Step(steps)));
        }
    }
}

/// The loop range: its frames in the accent, an end at each side.
fn range(ui: &Ui, view: &View<'_>, scale: &Scale, rect: Rect, memory: &State) {
    let Some(range) = view.loop_range.filter(|_| view.playable) else { return };
    let tokens = theme::tokens(ui);
    let painter = ui.painter().with_clip_rect(rect.expand2(vec2(2.0, 0.0)));
    let (left, right) = (scale.x(f64::from(range.first)), scale.x(f64::from(range.last) + 1.0));
    let band = Rect::from_min_max(pos2(left, rect.top() + 2.0), pos2(right, rect.bottom() - 1.0));
    painter.rect_filled(band, 0.0, theme::mix(tokens.panel, tokens.accent, 0.22));
    let over = memory.hovered.and_then(|x| end_at(view, scale, x));
    for (x, is_end) in [(left, false), (right, true)] {
        let held = matches!((memory.drag.or(over), is_end), (Some(Drag::Start(_)), false) | (Some(Drag::End(_)), true));
        let width = if held { 4.0 } else { 2.0 };
        let x = if is_end { x - width } else { x };
        let bar = Rect::from_min_max(pos2(x, band.top()), pos2(x + width, band.bottom()));
        painter.rect_filled(bar, 1.0, tokens.accent);
    }
}

fn ticks(ui: &Ui, view: &View<'_>, scale: &Scale, rect: Rect) {
    let tokens = theme::tokens(ui);
    let painter = ui.painter();
    let flag = flag_rect(ui, view, scale, rect);
    let step = step_of(scale.step(), NUMBERS_APART);
    let tick = step_of(scale.step(), TICKS_APART);
    // Numbers that begin before the left edge are not begun.
    let first = (scale.at(rect.left() - 0.5).max(0.0) / f64::from(tick)).ceil() as u32;
    let mut frame = first.saturating_mul(tick);
    while frame < scale.frames {
        let x = (scale.x(f64::from(frame))).floor() + 0.5;
        if x > rect.right() {
            break;
        }
        let numbered = frame.is_multiple_of(step);
        let (height, colour) = if numbered { (8.0, tokens.text3) } else { (4.0, tokens.line) };
        painter.vline(x, (rect.bottom() - 1.0 - height)..=(rect.bottom() - 1.0), Stroke::new(1.0, colour));
        if numbered {
            let number = format::count(frame as usize);
            let ink = if view.playable { tokens.text2 } else { tokens.text3 };
            let room = painter.layout_no_wrap(number, fonts::small(), ink);
            let place = Rect::from_min_size(pos2(x + 4.0, rect.top() + 3.0), room.size());
            let hidden = flag.is_some_and(|flag| flag.expand2(vec2(3.0, 8.0)).intersects(place));
            if !hidden && place.right() <= rect.right() + 2.0 {
                painter.galley(paint::snapped(painter, place.min), room, ink);
            }
        }
        frame = frame.saturating_add(tick);
    }
}

/// What the frame under the pointer is, and what can be done here.
fn tooltip(ui: &mut Ui, view: &View<'_>, scale: &Scale, x: f32, over_end: bool) {
    let frame = scale.frame(x, true).min(f64::from(view.frames.saturating_sub(1))) as u32;
    ui.horizontal(|ui| {
        ui.label(egui::RichText::new(format::count(frame as usize)).font(fonts::strong()));
        let name = view.frame_name(frame);
        if !name.is_empty() {
            ui.label(egui::RichText::new(name).font(fonts::mono()).color(theme::tokens(ui).text2));
        }
    });
    if let Some(clip) = view.clip_at(frame) {
        let (first, _) = view.range(clip);
        let text = match frame.checked_sub(first).filter(|_| first > 0) {
            Some(place) => {
                format!("{}: {} of {}", clip.name, format::count(place as usize), format::count(clip.count as usize))
            }
            None => clip.name.clone(),
        };
        ui.label(egui::RichText::new(text).small().weak());
    }
    let hint = if over_end {
        "Drag to resize the loop range"
    } else if view.loop_range.is_some() {
        "Drag to scrub, Shift: between frames; Ctrl+drag moves the loop range, double-click clears it"
    } else {
        "Drag to scrub, Shift: between frames; Ctrl+drag sets a loop range"
    };
    ui.label(egui::RichText::new(hint).small().weak());
}

/// The menu of the ruler.
fn choices(ui: &mut Ui, session: &Session, actions: &mut Vec<Action>) {
    let has_range = session.playback().range.is_some();
    let is_zoomed = session.frames_in_sight().is_some();
    for (word, action, usable) in [
        ("Set loop start", Action::Clock(ClockAction::LoopFromHere), true),
        ("Set loop end", Action::Clock(ClockAction::LoopToHere), true),
        ("Clear loop range", Action::Clock(ClockAction::SetLoopRange(None)), has_range),
        ("Zoom to clip", Action::Timeline(TimelineAction::ShowClipFrames), true),
        ("Zoom to all frames", Action::Timeline(TimelineAction::ShowAllFrames), is_zoomed),
    ] {
        if action == Action::Timeline(TimelineAction::ShowClipFrames) {
            menu::separator(ui);
        }
        let word = if action == Action::Timeline(TimelineAction::ShowClipFrames) && has_range {
            "Zoom to loop range"
        } else {
            word
        };
        if (menu::Row { disabled: !usable, ..menu::Row::of(word, &action) }).show(ui).clicked() {
            actions.push(action);
        }
    }
    context::frame(ui, session, actions);
}

/// Goes to the frame under the pointer; with Shift between frames, where these are blended. Where the pointer `let_go`
/// is where the playhead stays.
pub fn seek(
    ui: &Ui,
    session: &Session,
    view: &View<'_>,
    scale: &Scale,
    x: f32,
    let_go: bool,
    actions: &mut Vec<Action>,
) {
    // In a slow frame Shift may have been let go after the button.
    let is_shifted =
        |event: &egui::Event| matches!(event, egui::Event::PointerButton { modifiers, .. } if modifiers.shift);
    let shift = ui.input(|input| input.modifiers.shift || input.events.iter().any(is_shifted));
    let whole = !session.playback().interpolate || !shift;
    // A pointer that rests must not seek again and again.
    let moved = ui.input(|input| input.pointer.any_pressed() || input.pointer.delta() != egui::Vec2::ZERO);
    if moved || let_go {
        let last = f64::from(view.frames.saturating_sub(1));
        actions.push(view.seek(scale.frame(x, whole).min(last)));
    }
}

/// The number on the flag.
fn flag_text(view: &View<'_>) -> String {
    let frame = view.frame_number();
    if frame.fract() < 0.05 { format::count(frame as usize) } else { format::fixed(frame, 1) }
}

/// Whether the playhead stands within `rect`, sideways.
fn in_sight(view: &View<'_>, scale: &Scale, rect: Rect) -> bool {
    rect.x_range().expand(1.0).contains(scale.x(view.frame))
}

fn flag_rect(ui: &Ui, view: &View<'_>, scale: &Scale, rect: Rect) -> Option<Rect> {
    if !view.playable || !in_sight(view, scale, rect) {
        return None;
    }
    let text = flag_text(view);
    let width = (paint::width_of(ui, &text, fonts::small_strong()) + 12.0).max(27.0).ceil();
    let x = scale.x(view.frame);
    let left = (x - width / 2.0).clamp(rect.left(), (rect.right() - width).max(rect.left()));
    Some(Rect::from_min_size(pos2(left.round(), rect.top() + 2.0), vec2(width, 17.0)))
}

/// Shows the playhead: its flag on the ruler, its line over the track.
pub fn playhead(ui: &Ui, view: &View<'_>, scale: &Scale, ruler: Rect, track: Rect) {
    let Some(flag) = flag_rect(ui, view, scale, ruler) else { return };
    let tokens = theme::tokens(ui);
    let painter = ui.painter();
    let x = scale.x(view.frame).clamp(track.left() + 1.0, track.right() - 1.0);
    // Over its own track alone where there are several; a stem says which the flag is of.
    let top = if view.shared { track.top() - 1.0 } else { flag.bottom() };
    let line = Rect::from_min_max(pos2(x - 1.0, top), pos2(x + 1.0, track.bottom() + 1.0));
    if view.shared {
        let stem = Rect::from_min_max(pos2(x - 1.0, flag.bottom()), pos2(x + 1.0, ruler.bottom()));
        painter.rect_filled(stem, 0.0, tokens.accent);
    }
    painter.rect_filled(line.expand2(vec2(1.0, 0.0)), 0.0, tokens.casing);
    painter.rect_filled(line, 0.0, tokens.accent);
    paint::fill(painter, flag, 4, tokens.accent_fill);
    let text = flag_text(view);
    paint::text(painter, flag.center(), Align2::CENTER_CENTER, &text, fonts::small_strong(), tokens.on_accent);
    let response = ui.interact(flag, ui.scope_id().with("flag"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, "Playhead"));
}

/// Shows where a track stands that is not the current one.
pub fn needle(ui: &Ui, view: &View<'_>, scale: &Scale, track: Rect) {
    if !in_sight(view, scale, track) {
        return;
    }
    let tokens = theme::tokens(ui);
    let x = scale.x(view.frame).clamp(track.left() + 1.0, track.right() - 1.0);
    let line = Rect::from_min_max(pos2(x - 1.0, track.top() - 1.0), pos2(x + 1.0, track.bottom() + 1.0));
    ui.painter().rect_filled(line.expand2(vec2(1.0, 0.0)), 0.0, tokens.casing);
    ui.painter().rect_filled(line, 0.0, tokens.accent);
}

/// Shows over ruler and tracks which frame the pointer is over.
pub fn pointed(ui: &Ui, scale: &Scale, x: f32, ruler: Rect, bottom: f32) {
    let x = scale.x(scale.frame(x, true));
    if ruler.x_range().contains(x) {
        let colour = theme::tokens(ui).text.gamma_multiply(0.35);
        ui.painter().vline(x.floor() + 0.5, (ruler.top() + 2.0)..=bottom, Stroke::new(1.0, colour));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_one_two_five_ten() {
        let steps: Vec<u32> = [60.0, 30.0, 12.0, 6.0, 3.0, 1.5, 0.6].map(|points| step_of(points, 52.0)).into();
        assert_eq!(steps, [1, 2, 5, 10, 20, 50, 100]);
    }

    #[test]
    fn drags_make_ranges_that_hold_both_ends() {
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
