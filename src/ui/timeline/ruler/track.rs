//! Track with the clips as coloured ranges. Overlapping clips share its height.

use std::collections::HashMap;

use egui::{CursorIcon, Painter, PointerButton, Rect, Role, Sense, Stroke, StrokeKind, Ui, WidgetInfo, pos2};

use super::{Lane, released_at};
use crate::ui::timeline::{State, clip_colour, loop_description};
use crate::ui::{fonts, format, paint, theme};
use maquette_core::model::Clip;
use maquette_scene::scene::ClipChoice;
use maquette_scene::session::{Action, ClockAction};

/// Length of a clip, as a multiple of a clip inside it, from which the inner one is drawn over it: the last frame of a
/// death is often a clip too.
const OUTER: u32 = 4;

/// Assigns lanes to ranges so that no ranges overlap in a lane. Returns the lane of each range, counted from the top,
/// and the number of lanes that share the height. A range without overlap gets the whole height, as does one whose
/// overlaps are short and inside it. Those get the lower half.
fn lanes(ranges: &[(u32, u32)]) -> Vec<(usize, usize)> {
    let mut order: Vec<(usize, (u32, u32))> = ranges.iter().copied().enumerate().collect();
    order.sort_by_key(|(_, (first, end))| (*first, std::cmp::Reverse(*end)));
    // Ends of the lanes of each group of overlapping ranges.
    let mut groups: Vec<Vec<u32>> = Vec::new();
    let mut placed = Vec::new();
    // Range with the last end, and the last end of the others.
    let (mut outer, mut others_end) = ((0, 0), 0);
    for (position, (index, (first, end))) in order.iter().copied().enumerate() {
        let is_short = end.saturating_sub(first).saturating_mul(OUTER) <= outer.1 - outer.0;
        let next = order.get(position + 1).map_or(u32::MAX, |(_, (first, _))| *first);
        let is_alone = others_end <= first && end <= next && groups.last().is_some_and(|ends| ends.len() == 1);
        let is_inner = first < end && end <= outer.1 && is_short && is_alone;
        others_end = others_end.max(end.min(outer.1));
        if is_inner {
            placed.push((index, 1, None));
            continue;
        }
        outer = if end > outer.1 { (first, end) } else { outer };
        let free = |other: &u32| *other <= first;
        let mut ends = groups.pop_if(|ends| !ends.iter().all(free)).unwrap_or_default();
        let lane = ends.iter().position(free).unwrap_or(ends.len());
        ends.splice(lane..ends.len().min(lane + 1), [end]);
        groups.push(ends);
        placed.push((index, lane, Some(groups.len() - 1)));
    }
    placed.sort_unstable();
    let count = |group: Option<usize>| group.map_or(2, |group| groups.get(group).map_or(1, Vec::len));
    placed.into_iter().map(|(_, lane, group)| (lane, count(group))).collect()
}

/// Index of a clip, and its rectangle.
type Place = (Option<usize>, Rect);

impl Lane<'_> {
    fn clip(&self, index: Option<usize>) -> Option<&Clip> {
        self.view.clips.get(index?)
    }

    /// Shows the track. A click seeks and selects the clip; a double-click plays it.
    pub(super) fn show_track(&self, ui: &Ui, state: &mut State, actions: &mut Vec<Action>) {
        let Self { view, rect, .. } = self;
        let tokens = theme::tokens(ui);
        let painter = &ui.painter().with_clip_rect(rect.intersect(ui.clip_rect()));
        // The ruler also seeks, and takes the keyboard focus.
        let sense = if view.playable { Sense::CLICK | Sense::DRAG } else { Sense::hover() };
        let response = ui.interact(*rect, ui.scope_id().with("track"), sense);
        response.widget_info(|| WidgetInfo::labeled(Role::Group, true, "Clips"));
        paint::fill(painter, *rect, 3, tokens.field);

        let boxes = self.places();
        // Skip clips out of view, because the layout of names takes time.
        let shown = boxes.iter().enumerate().filter(|(_, (_, place))| place.expand(2.0).intersects(*rect));
        for (number, (index, place)) in shown {
            let is_current = *index == view.current || boxes.len() == 1;
            let chosen = is_current && view.playable && index.is_some();
            self.paint_clip(painter, *index, *place, chosen, boxes.get(number + 1..).unwrap_or_default(), ui);
        }
        // Draw the outline of the current clip over its neighbours.
        let chosen = boxes.iter().find(|(index, _)| index.is_some() && *index == view.current);
        if let Some((_, place)) = chosen.filter(|_| view.playable) {
            painter.rect_stroke(*place, 3.0, Stroke::new(1.5, tokens.text), StrokeKind::Inside);
        }
        let was_pressed = state.pressed == Some(view.track);
        let is_down = response.is_pointer_button_down_on() && ui.input(|input| input.pointer.primary_down());
        if is_down {
            state.pressed = Some(view.track);
        } else if was_pressed {
            state.pressed = None;
        }
        let let_go = was_pressed && !is_down;
        let released = if let_go { released_at(ui) } else { None };
        let Some(pointer) = released.or(response.interact_pointer_pos()).or(response.hover_pos()) else { return };
        let is_under = |place: &Rect| place.expand(0.5).contains(pointer);
        let here = boxes.iter().rev().find(|(_, place)| is_under(place)).and_then(|(index, _)| *index);
        let goes_on = self.session.is_playing() || view.playback.has_ended();
        if response.double_clicked() {
            let choice = here.map_or(view.playback.choice, ClipChoice::Clip);
            actions.push(Action::Clock(ClockAction::PlayClip(view.track, choice)));
        } else if response.clicked() {
            match here.filter(|_| goes_on && here != view.current) {
                // Playback continues with the new clip.
                Some(index) => actions.push(view.choose(ClipChoice::Clip(index))),
                None => self.click(pointer.x, here, actions),
            }
        } else if response.dragged_by(PointerButton::Primary) || let_go {
            self.seek(ui, pointer.x, let_go, actions);
        }
        let cursor = if view.playable { CursorIcon::PointingHand } else { CursorIcon::Default };
        let response = response.on_hover_cursor(cursor);
        if let Some(clip) = self.clip(here) {
            response.on_hover_ui_at_pointer(|ui| self.clip_tooltip(ui, clip));
        }
    }

    /// Handles a click without a drag: seeks the frame and selects the clip under the pointer.
    fn click(&self, x: f32, here: Option<usize>, actions: &mut Vec<Action>) {
        let view = &self.view;
        let frame = self.scale.frame(x, true);
        let (first, end) = view.range(&view.clip);
        let is_in_current = f64::from(first) <= frame && frame < f64::from(end);
        // If clips share frames, the frame alone does not determine the clip.
        let other = here.filter(|_| here != view.current && is_in_current);
        actions.extend(other.map(|index| view.choose(ClipChoice::Clip(index))));
        actions.push(view.seek(frame));
        // The loop range stays if the new clip contains any of its frames.
        if let (Some(clip), Some(range)) = (self.clip(here), view.playback.range) {
            let (first, end) = view.range(clip);
            if range.last < first || end <= range.first {
                actions.push(Action::Clock(ClockAction::SetLoopRange(None)));
            }
        }
    }

    /// Returns the clips with their rectangles. The index `None` stands for all frames.
    fn places(&self) -> Vec<Place> {
        let Self { view, scale, rect, .. } = self;
        if view.clip_alone || view.clips.is_empty() {
            let right = scale.x(f64::from(scale.frames)).max(rect.left() + 1.0);
            let index = view.current.filter(|_| view.clip_alone);
            return vec![(index, rect.with_min_x(scale.x(0.0)).with_max_x(right))];
        }
        // Of clips with identical frames, show the current clip or else the first. Such clips are common, because
        // missing entries of an animation.cfg repeat another clip.
        let range_of = |index: usize| view.clips.get(index).map(|clip| view.range(clip)).unwrap_or_default();
        let mut seen: HashMap<(u32, u32), usize> = HashMap::new();
        let others = (0..view.clips.len()).filter(|index| Some(*index) != view.current);
        let all = view.current.into_iter().chain(others);
        let mut shown: Vec<usize> =
            all.filter(|index| *seen.entry(range_of(*index)).or_insert(*index) == *index).collect();
        // Short clips are drawn over those that contain them.
        let length = |index: usize| range_of(index).1.saturating_sub(range_of(index).0);
        shown.sort_unstable_by_key(|index| (std::cmp::Reverse(length(*index)), *index));
        let ranges: Vec<(u32, u32)> = shown.iter().map(|index| range_of(*index)).collect();
        let lanes = lanes(&ranges);
        // Leave a gap of one point between neighbours if frames are wide enough.
        let gap = if scale.step > 0.5 { 1.0 } else { 0.0 };
        let place = |(index, ((first, end), (lane, count)))| {
            let height = (rect.height() + 1.0) / count as f32;
            let top = rect.top() + height * lane as f32;
            let left = scale.x(f64::from(first));
            let right = (scale.x(f64::from(end)) - gap).max(left + 1.0);
            (Some(index), Rect::from_x_y_ranges(left..=right, top..=top + height - 1.0))
        };
        shown.into_iter().zip(ranges.into_iter().zip(lanes)).map(place).collect()
    }

    /// Paints the range of a clip, and its name in the visible part of the range that the clips painted later leave free.
    fn paint_clip(&self, painter: &Painter, index: Option<usize>, place: Rect, chosen: bool, later: &[Place], ui: &Ui) {
        let tokens = theme::tokens(ui);
        let colour = clip_colour(ui, index);
        let [at_rest, when_chosen] = tokens.clip_fill;
        let share = if chosen { when_chosen } else { at_rest };
        let corner = if place.width() >= 8.0 { 3 } else { 1 };
        paint::fill(painter, place, corner, theme::mix(tokens.field, colour, share));
        let cap = place.with_max_y(place.top() + if place.height() < 12.0 { 2.0 } else { 3.0 });
        painter.rect_filled(cap, egui::CornerRadius { nw: corner, ne: corner, sw: 0, se: 0 }, colour);
        if let Some(clip) = self.clip(index) {
            paint_manner(painter, place, clip, colour);
        }
        let name = self.view.short_name(index.map_or("all frames", |_| self.clip(index).map_or("", |clip| &clip.name)));
        let mut left = place.left().max(self.rect.left() - 1.0) + 5.0;
        let mut right = place.right().min(self.rect.right() + 1.0) - 2.0;
        let width = paint::width_of(ui, name, fonts::small_medium());
        if self.view.playable {
            (left, right) = beside_playhead(left, right, width, self.scale.x(self.view.frame));
        }
        if place.bottom() - cap.bottom() < 10.0 || right - left < 14.0 {
            return;
        }
        let name_rect = place.with_min_x(left).with_max_x(right.min(left + width));
        let tops = later.iter().filter(|(_, later)| later.intersects(name_rect)).map(|(_, later)| later.top());
        let bottom = tops.filter(|top| top - cap.bottom() >= 10.0).fold(place.bottom(), f32::min);
        let galley = paint::row_of(painter, name, fonts::small_medium(), tokens.text, right - left);
        let letters = galley.rows.first().map_or(0, |row| row.glyphs.len());
        // Fewer than three letters do not help. The tooltip has the whole name.
        let is_word = name.chars().filter(|letter| letter.is_alphanumeric()).count() > 1;
        if letters >= 4 || !galley.elided && is_word {
            // The mark of a cut name may be wider than the room.
            let painter = painter.with_clip_rect(place.intersect(painter.clip_rect()));
            let at = pos2(left, (cap.bottom() - 1.0 + bottom - galley.size().y) / 2.0);
            painter.galley(paint::snapped(&painter, at), galley, tokens.text);
        }
    }

    fn clip_tooltip(&self, ui: &mut Ui, clip: &Clip) {
        ui.label(egui::RichText::new(&clip.name).font(fonts::medium()));
        let (first, end) = self.view.range(clip);
        let rate = format::short(f64::from(clip.frames_per_second), 2);
        let frames = format::plural(clip.count as usize, "frame");
        let range = format!("{first}–{}, {frames}, {rate} fps", end.saturating_sub(1));
        for text in [range, loop_description(clip), "Double-click to play".to_owned()] {
            ui.label(egui::RichText::new(text).small().weak());
        }
    }
}

/// Returns the room for a name of this `width` at `left`. If the playhead crosses the name, returns the room after the
/// playhead if the name fits there, or else the larger side.
fn beside_playhead(left: f32, right: f32, width: f32, playhead: f32) -> (f32, f32) {
    let (before, after) = (playhead - 4.0, playhead + 6.0);
    if !(left - 3.0..right.min(left + width) + 3.0).contains(&playhead) {
        (left, right)
    } else if after + width < right || right - after > before - left {
        (after, right)
    } else {
        (left, before)
    }
}

/// Marks unusual clips: a bar below the looping part, and an arrowhead at the start of a reversed clip.
fn paint_manner(painter: &Painter, place: Rect, clip: &Clip, colour: egui::Color32) {
    if clip.loop_frames > 0 && clip.loop_frames < clip.count {
        let share = clip.loop_frames as f32 / clip.count as f32 * place.width();
        let bar = place.with_min_y(place.bottom() - 3.0);
        let bar = if clip.reversed { bar.with_max_x(bar.left() + share) } else { bar.with_min_x(bar.right() - share) };
        painter.rect_filled(bar, 1.0, colour);
    }
    if clip.reversed && place.width() > 8.0 {
        let (x, y) = (place.left() + 1.0, place.center().y);
        let points = vec![pos2(x, y), pos2(x + 4.0, y - 4.0), pos2(x + 4.0, y + 4.0)];
        painter.add(egui::Shape::convex_polygon(points, colour, Stroke::NONE));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disjoint_ranges_use_full_lane_height() {
        assert!(lanes(&[(0, 10), (10, 20), (25, 30)]).iter().all(|lane| *lane == (0, 1)));
    }

    #[test]
    fn clip_name_avoids_the_playhead() {
        assert_eq!(beside_playhead(10.0, 100.0, 40.0, 80.0), (10.0, 100.0), "not crossed");
        assert_eq!(beside_playhead(10.0, 100.0, 40.0, 30.0), (36.0, 100.0), "room after it");
        assert_eq!(beside_playhead(10.0, 60.0, 40.0, 20.0), (26.0, 60.0), "short clip, more room after it");
        assert_eq!(beside_playhead(10.0, 60.0, 40.0, 48.0), (10.0, 44.0), "short clip, more room before it");
        assert_eq!(beside_playhead(10.0, 25.0, 50.0, 55.0), (10.0, 25.0), "playhead after a narrow clip");
    }

    #[test]
    fn overlapping_ranges_share_the_lane_height() {
        assert_eq!(lanes(&[(0, 30), (20, 30), (30, 40)]), [(0, 2), (1, 2), (0, 1)]);
        assert_eq!(lanes(&[(0, 30), (28, 35), (35, 40)]), [(0, 2), (1, 2), (0, 1)]);
    }

    #[test]
    fn short_range_inside_a_long_one_leaves_it_the_lane_height() {
        assert_eq!(lanes(&[(29, 30), (0, 30), (30, 60), (59, 60)]), [(1, 2), (0, 1), (0, 1), (1, 2)]);
        // Short ranges that overlap each other have lanes.
        assert_eq!(lanes(&[(0, 200), (10, 40), (30, 60)]), [(0, 3), (1, 3), (2, 3)]);
    }
}
