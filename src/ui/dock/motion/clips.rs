//! What the motion comes to in each clip: how far from where it began, how fast, how far it slides.

use std::cmp::Ordering;

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::inspect::Summary;
use crate::scene::{ClipChoice, Entity, Followed};
use crate::session::{Action, ClockAction};
use crate::ui::button::focus_ring;
use crate::ui::{fonts, format, list, paint, theme};

const ROW: f32 = 24.0;
/// Width of a column of numbers.
const COLUMN: f32 = 54.0;

/// By what the clips are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    /// As in the file.
    #[default]
    File,
    /// The furthest first.
    Furthest,
    /// By the frame in which it is furthest.
    Frame,
    /// The fastest first.
    Fastest,
    /// What slides most first.
    Sliding,
}

const COLUMNS: [(Sorting, &str, &str); 4] = [
    (Sorting::Furthest, "Reach", "Furthest from its place in the first frame, in units"),
    (Sorting::Frame, "Frame", "Where it is furthest from its place in the first frame"),
    (Sorting::Fastest, "Speed", "Largest step from a frame to the next, in units per second"),
    (Sorting::Sliding, "Slide", "Along the ground while near its lowest place, in units"),
];

/// Shows the clips of the part that is followed first.
pub fn show(ui: &mut Ui, entity: &Entity, followed: &Followed, sorting: &mut Sorting, actions: &mut Vec<Action>) {
    let clips = entity.playback.clips(entity.model());
    let summary = |first: u32, end: u32, rate: f32| followed.track.summary(first as usize, end as usize, rate);
    let mut rows: Vec<(ClipChoice, String, Summary)> = clips
        .iter()
        .enumerate()
        .map(|(index, clip)| {
            (ClipChoice::Clip(index), clip.name.clone(), summary(clip.first, clip.end(), clip.frames_per_second))
        })
        .collect();
    if rows.is_empty() {
        let clip = entity.clip();
        rows.push((ClipChoice::AllFrames, clip.name.clone(), summary(clip.first, clip.end(), clip.frames_per_second)));
    }
    let number = |summary: &Summary| match sorting {
        Sorting::File => 0.0,
        Sorting::Furthest => summary.furthest.distance,
        // The first frame first.
        Sorting::Frame => -(summary.furthest.frame as f32),
        Sorting::Fastest => summary.fastest,
        Sorting::Sliding => summary.sliding,
    };
    rows.sort_by(|one, other| number(&other.2).partial_cmp(&number(&one.2)).unwrap_or(Ordering::Equal));
    headings(ui, sorting);
    egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
        list::rows(ui, "clips of motion", 0..rows.len(), ROW, None, |ui, index| {
            if let Some((choice, name, summary)) = rows.get(index) {
                row(ui, entity, *choice, name, summary, actions);
            }
        });
        list::follow_focus(ui);
    });
}

fn headings(ui: &mut Ui, sorting: &mut Sorting) {
    let tokens = theme::tokens(ui);
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
    paint::text_in(ui.painter(), list::inside(row, 12.0, 0.0), "Clip", fonts::small(), tokens.text2);
    for (index, (by, word, about)) in COLUMNS.into_iter().enumerate() {
        let right = row.right() - 10.0 - (COLUMNS.len() - 1 - index) as f32 * COLUMN;
        let cell = Rect::from_min_max(pos2(right - COLUMN + 6.0, row.top()), pos2(right, row.bottom()));
        let response = ui.interact(cell, ui.scope_id().with(("sort motion", word)), Sense::click());
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Sort by {}", word.to_lowercase())));
        let colour = if *sorting == by || response.hovered() { tokens.text } else { tokens.text2 };
        paint::text_right(ui.painter(), cell, word, fonts::small(), colour);
        if response.has_focus() {
            focus_ring(ui, cell, 0.0);
        }
        if response.clicked() {
            *sorting = if *sorting == by { Sorting::File } else { by };
        }
        response.on_hover_text(about);
    }
}

fn row(ui: &mut Ui, entity: &Entity, choice: ClipChoice, name: &str, summary: &Summary, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let selected = entity.playback.choice == choice;
    let short = |number: f32| format::short(f64::from(number), 2);
    let furthest = summary.furthest.frame as f64 - f64::from(entity.playback.first_shown(entity.model()));
    let told = format!(
        "{name}: reach {} in frame {}, speed {}, slide {}",
        short(summary.furthest.distance),
        format::short(furthest, 0),
        short(summary.fastest),
        short(summary.sliding)
    );
    let (rect, response) = list::row(ui, ui.scope_id().with(("motion of", name)), &told, ROW, selected);
    let mut right = rect.right() - 10.0;
    let fixed = |number: f32| format::fixed(f64::from(number), 2);
    let (slide, speed, reach) = (fixed(summary.sliding), fixed(summary.fastest), fixed(summary.furthest.distance));
    for text in [slide, speed, format::short(furthest, 0), reach] {
        let cell = Rect::from_min_max(rect.min, pos2(right, rect.bottom()));
        paint::text_right(ui.painter(), cell, &text, fonts::body(), tokens.text2);
        right -= COLUMN;
    }
    let room = Rect::from_min_max(pos2(rect.left() + 12.0, rect.top()), pos2(right - 4.0, rect.bottom()));
    paint::name_in(ui.painter(), room, name, fonts::body(), tokens.text);
    if response.clicked() {
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id, choice)));
    }
    if response.double_clicked() {
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id, furthest)));
    }
    response.on_hover_ui(|ui| {
        ui.label(egui::RichText::new(name).font(fonts::medium()));
        let first_shown = f64::from(entity.playback.first_shown(entity.model()));
        let shown = |frame: usize| format::short(frame as f64 - first_shown, 0);
        let length = format::fixed(f64::from(summary.length), 2);
        ui.label(format!("Furthest in frame {}, {length} units on its way", shown(summary.furthest.frame)));
        let step = format::fixed(f64::from(summary.largest_step.distance), 2);
        ui.label(format!("Largest step {step} units, to frame {}", shown(summary.largest_step.frame)));
        ui.label(egui::RichText::new("Double-click to go to the furthest frame").small().weak());
    });
}
