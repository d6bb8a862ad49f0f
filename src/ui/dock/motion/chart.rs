//! Chart of curves over the frames of a clip, with the playhead. A press or a drag scrubs.

use std::ops::Range;

use egui::{Align2, Color32, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, WidgetInfo, pos2};

use super::{Curve, Quantity};
use crate::ui::{fonts, format, paint, theme};
use maquette_scene::scene::{Choices as _, Entity};
use maquette_scene::session::{Action, ClockAction};

/// Left margin, which contains the numbers, and the other margins.
const LEFT: f32 = 52.0;
const MARGIN: f32 = 12.0;
/// Minimum distance between grid lines, in points.
const APART: f32 = 28.0;

/// Shows the curves in `rect`. Their frames are those of `entity`'s clip.
pub fn show(ui: &mut Ui, rect: Rect, entity: &Entity, curves: &[Curve], quantity: Quantity, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let painter = ui.painter_at(rect);
    painter.rect_filled(rect, 0.0, tokens.field);
    // The names of the curves are at their right ends.
    let names = curves.iter().map(|curve| paint::width_of(ui, curve.name, fonts::small_medium())).fold(0.0, f32::max);
    let right = if names > 0.0 { names.ceil() + 10.0 } else { MARGIN };
    let chart_rect = Rect::from_min_max(
        pos2(rect.left() + LEFT, rect.top() + MARGIN),
        pos2(rect.right() - right, rect.bottom() - 2.0 * MARGIN),
    );
    let response = ui.interact(rect, ui.scope_id().with("chart"), Sense::CLICK | Sense::DRAG);
    response.widget_info(|| WidgetInfo::labeled(Role::Canvas, true, format!("{} curves", quantity.label())));
    if chart_rect.width() < 40.0 || chart_rect.height() < 30.0 {
        return;
    }
    if curves.is_empty() {
        let text = "A vertex has no angles";
        paint::text(&painter, rect.center(), Align2::CENTER_CENTER, text, fonts::body(), tokens.text2);
        return;
    }
    let clip = entity.clip();
    let first_shown = f64::from(entity.playback.first_shown(entity.model()));
    let first = f64::from(clip.first) - first_shown;
    let frames = curves.iter().map(|curve| curve.values.len()).max().unwrap_or(1).max(1);
    let all = || curves.iter().flat_map(|curve| curve.values.iter().copied()).filter(|value| value.is_finite());
    let (min, max) = (all().fold(f32::INFINITY, f32::min), all().fold(f32::NEG_INFINITY, f32::max));
    if !min.is_finite() || !max.is_finite() {
        return;
    }
    // Add room above and below, so that a constant curve is in the middle.
    let spare = ((max - min) * 0.06).max(0.05);
    let (min, max) = (min - spare, max + spare);
    // A single frame becomes a horizontal line.
    let steps = (frames - 1).max(1) as f64;
    let x = |frame: f64| chart_rect.left() + chart_rect.width() * (frame / steps) as f32;
    let y = |value: f32| chart_rect.bottom() - chart_rect.height() * (value - min) / (max - min);
    grid(&painter, chart_rect, min..max, y, tokens);
    let unit_at = rect.left_top() + egui::vec2(6.0, 0.0);
    paint::text(&painter, unit_at, Align2::LEFT_TOP, quantity.unit(), fonts::small(), tokens.text2);
    let mut names: Vec<(f32, &Curve)> = Vec::new();
    for curve in curves {
        let mut points: Vec<Pos2> =
            curve.values.iter().enumerate().map(|(frame, value)| pos2(x(frame as f64), y(*value))).collect();
        if let ([only], true) = (points.as_slice(), frames == 1) {
            points.push(pos2(chart_rect.right(), only.y));
        }
        names.extend(points.last().filter(|_| !curve.name.is_empty()).map(|last| (last.y, curve)));
        painter.add(Shape::line(points, Stroke::new(1.5, curve.colour)));
    }
    names.sort_by(|one, other| one.0.total_cmp(&other.0));
    let ends: Vec<f32> = names.iter().map(|(end, _)| *end).collect();
    for (at, (_, curve)) in name_positions(&ends, chart_rect.top(), chart_rect.bottom()).into_iter().zip(names) {
        let at = pos2(chart_rect.right() + 4.0, at);
        paint::text(&painter, at, Align2::LEFT_CENTER, curve.name, fonts::small_medium(), curve.colour);
    }
    let shown = entity.playback.shown_frame(entity.model()) - first;
    playhead(&painter, chart_rect, x(shown.clamp(0.0, (frames - 1) as f64)), tokens.accent);
    let ends =
        [(chart_rect.left_bottom(), 0, Align2::LEFT_TOP), (chart_rect.right_bottom(), frames - 1, Align2::RIGHT_TOP)];
    for (at, frame, align) in ends.into_iter().take(frames.min(2)) {
        let text = format::short(first + frame as f64, 0);
        paint::text(&painter, at + egui::vec2(0.0, 4.0), align, &text, fonts::small(), tokens.text2);
    }
    let frame_at = |at: Pos2| {
        let share = f64::from((at.x - chart_rect.left()) / chart_rect.width()).clamp(0.0, 1.0);
        share * (frames - 1) as f64
    };
    if let Some(at) = response.interact_pointer_pos().filter(|_| response.dragged() || response.clicked()) {
        let whole = ui.input(|input| input.modifiers.shift);
        let frame = if whole { frame_at(at) } else { frame_at(at).round() };
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id.into(), first + frame)));
    }
    if let Some(at) = response.hover_pos().filter(|at| chart_rect.contains(*at)) {
        let frame = frame_at(at).round() as usize;
        let value = |curve: &Curve| {
            let value = curve.values.get(frame).copied()?;
            Some(format!("{} {}", curve.name, format::fixed(f64::from(value), 3)).trim().to_owned())
        };
        let values: Vec<String> = curves.iter().filter_map(value).take(9).collect();
        let text = format!("Frame {}   {}", format::short(first + frame as f64, 0), values.join("   "));
        paint::text(&painter, chart_rect.left_top(), Align2::LEFT_BOTTOM, &text, fonts::small(), tokens.text);
    }
}

/// Height of a curve's name.
const NAME: f32 = 13.0;

/// Returns positions for the names of curves near the sorted `ends` of the curves. Names do not overlap, and are within
/// `top` and `bottom` if they fit.
fn name_positions(ends: &[f32], top: f32, bottom: f32) -> Vec<f32> {
    let mut places = ends.to_vec();
    let mut free = top;
    for place in &mut places {
        *place = place.max(free);
        free = *place + NAME;
    }
    let mut free = bottom;
    for place in places.iter_mut().rev() {
        *place = place.min(free);
        free = *place - NAME;
    }
    places
}

fn grid(painter: &egui::Painter, room: Rect, values: Range<f32>, y: impl Fn(f32) -> f32, tokens: &theme::Tokens) {
    let (min, max) = (values.start, values.end);
    let wanted = f64::from((max - min) * APART / room.height());
    let power = 10_f64.powf(wanted.log10().floor());
    let step =
        [1.0, 2.0, 5.0, 10.0].into_iter().map(|times| times * power).find(|step| *step >= wanted).unwrap_or(power);
    let first = (f64::from(min) / step).ceil() as i64;
    let last = (f64::from(max) / step).floor() as i64;
    let decimals = (-step.log10().floor()).clamp(0.0, 4.0) as usize;
    for line in (first..=last).take(64) {
        let value = line as f64 * step;
        let at = y(value as f32);
        let colour: Color32 = if line == 0 { tokens.text3 } else { tokens.line };
        painter.hline(room.x_range(), at, (1.0, colour));
        let text = format::fixed(value, decimals);
        paint::text(painter, pos2(room.left() - 6.0, at), Align2::RIGHT_CENTER, &text, fonts::small(), tokens.text2);
    }
}

fn playhead(painter: &egui::Painter, room: Rect, x: f32, colour: Color32) {
    painter.vline(x, room.y_range(), (1.5, colour));
}

#[cfg(test)]
mod tests {
    use super::{NAME, name_positions};

    #[test]
    fn curve_labels_do_not_overlap_or_leave_chart() {
        assert_eq!(name_positions(&[20.0, 60.0], 0.0, 100.0), [20.0, 60.0], "there is room");
        assert_eq!(name_positions(&[50.0, 50.0, 52.0], 0.0, 100.0), [50.0, 50.0 + NAME, 50.0 + 2.0 * NAME]);
        // Names at the lower edge move up.
        assert_eq!(name_positions(&[95.0, 99.0, 100.0], 0.0, 100.0), [100.0 - 2.0 * NAME, 100.0 - NAME, 100.0]);
        assert_eq!(name_positions(&[], 0.0, 100.0), [] as [f32; 0]);
    }
}
