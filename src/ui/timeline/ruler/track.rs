//! The track: every clip as a coloured range; clips that share frames share the height.

use std::collections::HashMap;

use egui::{CursorIcon, Painter, PointerButton, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2, vec2};

use super::Scale;
use crate::ui::timeline::{State, View, clip_colour, manner_of};
use crate::ui::{fonts, format, paint, theme};
use maquette_core::model::Clip;
use maquette_scene::scene::ClipChoice;
use maquette_scene::session::{Action, ClockAction, Session};

/// Lanes for ranges of frames, so that none lies on another: for each its lane, from the top, and how many share the height.
/// Ranges that overlap no other have the whole height.
fn lanes(ranges: &[(u32, u32)]) -> Vec<(usize, usize)> {
    let mut order: Vec<usize> = (0..ranges.len()).collect();
    order.sort_by_key(|index| ranges.get(*index).copied().unwrap_or_default());
    let mut lanes = vec![(0, 1); ranges.len()];
    let mut ends: Vec<u32> = Vec::new();
    let mut group: Vec<usize> = Vec::new();
    let close = |group: &mut Vec<usize>, ends: &mut Vec<u32>, lanes: &mut [(usize, usize)]| {
        for member in group.drain(..) {
            if let Some((_, count)) = lanes.get_mut(member) {
                *count = ends.len().max(1);
            }
        }
        ends.clear();
    };
    for index in order {
        let Some(&(first, end)) = ranges.get(index) else { continue };
        if ends.iter().all(|other| *other <= first) {
            close(&mut group, &mut ends, &mut lanes);
        }
        let free = ends.iter().position(|other| *other <= first);
        let lane = free.unwrap_or(ends.len());
        match ends.get_mut(lane) {
            Some(place) => *place = end,
            None => ends.push(end),
        }
        if let Some((place, _)) = lanes.get_mut(index) {
            *place = lane;
        }
        group.push(index);
    }
    close(&mut group, &mut ends, &mut lanes);
    lanes
}

/// Shows the track. A click goes to a frame, and to its clip; a double click plays the clip.
pub fn show(
    ui: &Ui,
    session: &Session,
    view: &View<'_>,
    scale: &Scale,
    rect: Rect,
    memory: &mut State,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    let painter = &ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
    // The ruler does the same and takes the keyboard.
    let sense = if view.playable { Sense::CLICK | Sense::DRAG } else { Sense::hover() };
    let response = ui.interact(rect, ui.scope_id().with("track"), sense);
    response.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Clips"));
    paint::fill(painter, rect, 3, tokens.field);

    let boxes = places(view, scale, rect);
    for (index, place) in &boxes {
        // What is not in sight is not laid out.
        if !place.expand(2.0).intersects(rect) {
            continue;
        }
        let name = index.map_or("all frames", |index| view.clips.get(index).map_or("", |clip| clip.name.as_str()));
        let current = *index == view.current || boxes.len() == 1;
        let seen = place.intersect(rect.expand2(vec2(1.0, 0.0)));
        let chosen = current && view.playable && index.is_some();
        let playhead = view.playable.then(|| scale.x(view.frame));
        clip(ui, painter, *place, seen, view.short_name(name), clip_colour(ui, *index), chosen, playhead);
        if let Some(clip) = index.and_then(|index| view.clips.get(index)) {
            manner(painter, *place, clip, clip_colour(ui, *index));
        }
    }
    // The frame of the current clip lies over its neighbours.
    let chosen = boxes.iter().find(|(index, _)| index.is_some() && *index == view.current);
    if let Some((_, place)) = chosen.filter(|_| view.playable) {
        painter.rect_stroke(*place, 3.0, Stroke::new(1.5, tokens.text), StrokeKind::Inside);
    }
    let under =
        |at: egui::Pos2| boxes.iter().rev().find(|(_, place)| place.expand(0.5).contains(at)).map(|(index, _)| *index);
    let was_pressed = memory.pressed == Some(view.entity.id);
    let is_down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
    if is_down {
        memory.pressed = Some(view.entity.id);
    } else if was_pressed {
        memory.pressed = None;
    }
    let let_go = was_pressed && !is_down;
    let released = if let_go { super::released_at(ui) } else { None };
    let pointer = released.or(response.interact_pointer_pos()).or(response.hover_pos());
    let Some(pointer) = pointer else { return };
    let here = under(pointer).flatten();
    if response.double_clicked() {
        actions.push(view.play(here.map_or(view.entity.playback.choice, ClipChoice::Clip)));
    } else if response.clicked() {
        match here {
            // What plays goes on playing, with another clip.
            Some(index)
                if (session.is_playing() || view.entity.playback.has_ended()) && Some(index) != view.current =>
            {
                actions.push(view.choose(ClipChoice::Clip(index)));
            }
            _ => click(view, scale, pointer.x, here, actions),
        }
    } else if response.dragged_by(PointerButton::Primary) || let_go {
        super::seek(ui, session, view, scale, pointer.x, let_go, actions);
    }
    let response = response.on_hover_cursor(if view.playable { CursorIcon::PointingHand } else { CursorIcon::Default });
    if let Some(clip) = here.and_then(|index| view.clips.get(index)) {
        response.on_hover_ui_at_pointer(|ui| tooltip(ui, view, clip));
    }
}

/// A click without drag: the frame under the pointer, in the clip under the pointer.
fn click(view: &View<'_>, scale: &Scale, x: f32, here: Option<usize>, actions: &mut Vec<Action>) {
    let frame = scale.frame(x, true);
    let in_current = view.range(&view.clip).0 as f64 <= frame && frame < view.range(&view.clip).1 as f64;
    if let Some(index) = here
        && Some(index) != view.current
        && in_current
    {
        // Clips that share frames: the frame alone would not tell which is meant.
        actions.push(view.choose(ClipChoice::Clip(index)));
    }
    actions.push(view.seek(frame));
    // The range stays while the clip that one goes to has frames of it.
    if let (Some(clip), Some(range)) = (here.and_then(|index| view.clips.get(index)), view.loop_range) {
        let (first, end) = view.range(clip);
        if range.last < first || end <= range.first {
            actions.push(Action::Clock(ClockAction::SetLoopRange(None)));
        }
    }
}

/// The clips in sight with their places; `None` stands for all frames.
fn places(view: &View<'_>, scale: &Scale, rect: Rect) -> Vec<(Option<usize>, Rect)> {
    let right = scale.x(f64::from(scale.frames));
    let whole = |index| {
        vec![(
            index,
            Rect::from_min_max(pos2(scale.x(0.0), rect.top()), pos2(right.max(rect.left() + 1.0), rect.bottom())),
        )]
    };
    if view.clip_alone {
        return whole(view.current);
    }
    if view.clips.is_empty() {
        return whole(None);
    }
    // Of clips with the same frames (entries that an animation.cfg leaves out repeat another) the current one is shown,
    // else the first.
    let range_of = |index: usize| view.clips.get(index).map(|clip| view.range(clip)).unwrap_or_default();
    let mut shown: Vec<usize> = Vec::new();
    let mut seen: HashMap<(u32, u32), usize> = HashMap::new();
    let others = (0..view.clips.len()).filter(|index| Some(*index) != view.current);
    for index in view.current.into_iter().chain(others) {
        if *seen.entry(range_of(index)).or_insert(index) == index {
            shown.push(index);
        }
    }
    shown.sort_unstable();
    let ranges: Vec<(u32, u32)> = shown.iter().map(|index| range_of(*index)).collect();
    let lanes = lanes(&ranges);
    shown
        .iter()
        .zip(ranges.iter().zip(&lanes))
        .map(|(index, (range, (lane, count)))| {
            let height = (rect.height() + 1.0) / *count as f32;
            let top = rect.top() + height * *lane as f32;
            let left = scale.x(f64::from(range.0));
            // A gap of one point between neighbours, as long as there is room for it.
            let right = scale.x(f64::from(range.1)) - if scale.step() > 0.5 { 1.0 } else { 0.0 };
            let place = Rect::from_min_max(pos2(left, top), pos2(right.max(left + 1.0), top + height - 1.0));
            (Some(*index), place)
        })
        .collect()
}

/// Shows a clip's range over `place`, and its name within `seen`, moved behind the playhead if the playhead would cross it.
#[allow(clippy::too_many_arguments, reason = "what a clip has")]
fn clip(
    ui: &Ui,
    painter: &Painter,
    place: Rect,
    seen: Rect,
    name: &str,
    colour: egui::Color32,
    current: bool,
    playhead: Option<f32>,
) {
    let tokens = theme::tokens(ui);
    let [rest, chosen] = tokens.clip_fill;
    let fill = theme::mix(tokens.field, colour, if current { chosen } else { rest });
    let corner = if place.width() >= 8.0 { 3 } else { 1 };
    paint::fill(painter, place, corner, fill);
    let cap = Rect::from_min_size(place.min, vec2(place.width(), if place.height() < 12.0 { 2.0 } else { 3.0 }));
    painter.rect_filled(cap, egui::CornerRadius { nw: corner, ne: corner, sw: 0, se: 0 }, colour);
    let mut room =
        Rect::from_min_max(pos2(seen.left() + 5.0, cap.bottom() - 1.0), pos2(seen.right() - 2.0, place.bottom()));
    let width = paint::width_of(ui, name, fonts::small_medium());
    let crossed =
        |x: &f32| (room.left() - 3.0..room.left() + width + 3.0).contains(x) && x + 6.0 + width < room.right();
    if let Some(x) = playhead.filter(crossed) {
        room.min.x = x + 6.0;
    }
    if room.height() < 11.0 || room.width() < 14.0 {
        return;
    }
    let galley = paint::row_of(painter, name, fonts::small_medium(), tokens.text, room.width());
    let letters = galley.rows.first().map_or(0, |row| row.glyphs.len());
    // Fewer than three letters tell nothing; the tooltip does.
    if letters >= 4 || !galley.elided {
        let at = pos2(room.left(), room.center().y - galley.size().y / 2.0);
        painter.galley(paint::snapped(painter, at), galley, tokens.text);
    }
}

/// What a clip does at its end, where it is not the usual: a bar under the part that repeats, an arrowhead at the start
/// of one that is played backwards.
fn manner(painter: &Painter, place: Rect, clip: &Clip, colour: egui::Color32) {
    if clip.loop_frames > 0 && clip.loop_frames < clip.count {
        let share = clip.loop_frames as f32 / clip.count as f32 * place.width();
        let (left, right) =
            if clip.reversed { (place.left(), place.left() + share) } else { (place.right() - share, place.right()) };
        let bar = Rect::from_min_max(pos2(left, place.bottom() - 3.0), pos2(right, place.bottom()));
        painter.rect_filled(bar, 1.0, colour);
    }
    if clip.reversed && place.width() > 8.0 {
        let (x, y) = (place.left() + 1.0, place.center().y);
        let points = vec![pos2(x, y), pos2(x + 4.0, y - 4.0), pos2(x + 4.0, y + 4.0)];
        painter.add(egui::Shape::convex_polygon(points, colour, Stroke::NONE));
    }
}

fn tooltip(ui: &mut Ui, view: &View<'_>, clip: &Clip) {
    ui.label(egui::RichText::new(&clip.name).font(fonts::medium()));
    let (first, end) = view.range(clip);
    let rate = format::short(f64::from(clip.frames_per_second), 2);
    let frames = format::plural(clip.count as usize, "frame");
    let text = format!("{first}–{}, {frames}, {rate} fps", end.saturating_sub(1));
    ui.label(egui::RichText::new(text).small().weak());
    ui.label(egui::RichText::new(manner_of(clip)).small().weak());
    ui.label(egui::RichText::new("Double-click to play").small().weak());
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges_side_by_side_have_the_whole_height() {
        assert!(lanes(&[(0, 10), (10, 20), (25, 30)]).iter().all(|lane| *lane == (0, 1)));
    }

    #[test]
    fn ranges_that_share_frames_share_the_height() {
        let lanes = lanes(&[(0, 30), (28, 30), (30, 40)]);
        assert_eq!(lanes, [(0, 2), (1, 2), (0, 1)]);
    }
}
