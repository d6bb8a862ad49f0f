//! What the motion comes to in each clip: how far from where it began, how fast, how far it slides.

use std::cmp::Ordering;

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use crate::ui::button::focus_ring;
use crate::ui::{access, fonts, format, list, paint, theme};
use maquette_core::inspect::Summary;
use maquette_core::model::{Clip, ClipSource, FrameNumbering};
use maquette_scene::scene::{ClipChoice, Entity, TrackedPoint};
use maquette_scene::session::{Action, ClockAction};

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
    /// By name.
    Name,
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

/// Width of the heading over the names.
const NAME_HEADING: f32 = 48.0;

/// A clip, and what the motion comes to in it.
struct Row {
    choice: ClipChoice,
    name: String,
    /// Its only frame, if it has no more: nothing moves in it.
    is_still: bool,
    is_bind: bool,
    /// The frame that people count as 0, in the model's list.
    zero: u32,
    first: u32,
    summary: Summary,
}

impl Row {
    fn of(entity: &Entity, choice: ClipChoice, clip: &Clip, followed: &TrackedPoint) -> Self {
        let counts_own = entity.model().frame_numbering() == FrameNumbering::PerClip;
        Self {
            choice,
            name: clip.name.clone(),
            is_still: clip.count <= 1,
            is_bind: clip.source == ClipSource::BindPose,
            zero: if counts_own { clip.first } else { 0 },
            first: clip.first,
            summary: followed.track.summary(clip.first as usize, clip.end() as usize, clip.frames_per_second),
        }
    }

    /// A frame of the model's list as people count it.
    fn shown(&self, frame: usize) -> f64 {
        frame as f64 - f64::from(self.zero)
    }

    /// Where it is furthest from where it began: in the first frame, if it stays there.
    fn furthest(&self) -> f64 {
        let furthest = self.summary.furthest;
        if furthest.distance > 0.0 { self.shown(furthest.frame) } else { self.shown(self.first as usize) }
    }

    /// What its only frame is called.
    fn still_word(&self) -> &'static str {
        if self.is_bind { "bind pose" } else { "1 frame" }
    }
}

/// Shows the clips of the part that is followed first.
pub fn show(ui: &mut Ui, entity: &Entity, followed: &TrackedPoint, sorting: &mut Sorting, actions: &mut Vec<Action>) {
    let clips = entity.playback.clips(entity.model());
    let mut rows: Vec<Row> = clips
        .iter()
        .enumerate()
        .map(|(index, clip)| Row::of(entity, ClipChoice::Clip(index), clip, followed))
        .collect();
    if rows.is_empty() {
        rows.push(Row::of(entity, ClipChoice::AllFrames, &entity.clip(), followed));
    }
    let number = |row: &Row| match sorting {
        Sorting::File | Sorting::Name => 0.0,
        // What has nothing that moves comes last.
        _ if row.is_still => f32::NEG_INFINITY,
        Sorting::Furthest => row.summary.furthest.distance,
        // The first frame first.
        Sorting::Frame => -(row.furthest() as f32),
        Sorting::Fastest => row.summary.fastest,
        Sorting::Sliding => row.summary.sliding,
    };
    rows.sort_by(|one, other| number(other).partial_cmp(&number(one)).unwrap_or(Ordering::Equal));
    if *sorting == Sorting::Name {
        rows.sort_by_cached_key(|row| row.name.to_lowercase());
    }
    headings(ui, sorting);
    egui::ScrollArea::vertical().auto_shrink([false, false]).min_scrolled_height(0.0).show(ui, |ui| {
        list::rows(ui, "clips of motion", 0..rows.len(), ROW, None, |ui, index| {
            if let Some(one) = rows.get(index) {
                row(ui, entity, one, actions);
            }
        });
        list::follow_focus(ui);
    });
}

fn headings(ui: &mut Ui, sorting: &mut Sorting) {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), ROW));
    let inner = list::inside(row, 12.0, 0.0);
    let name = Rect::from_min_max(inner.min, pos2(inner.left() + NAME_HEADING, inner.bottom()));
    heading(ui, name, Sorting::Name, "Clip", "Name of the clip", sorting);
    for (index, (by, word, about)) in COLUMNS.into_iter().enumerate() {
        let right = row.right() - 10.0 - (COLUMNS.len() - 1 - index) as f32 * COLUMN;
        let cell = Rect::from_min_max(pos2(right - COLUMN + 6.0, row.top()), pos2(right, row.bottom()));
        heading(ui, cell, by, word, about, sorting);
    }
}

/// The heading of a column: a click sorts by it, another one by the order of the file again.
fn heading(ui: &mut Ui, cell: Rect, by: Sorting, word: &str, about: &str, sorting: &mut Sorting) {
    let tokens = theme::tokens(ui);
    let response = ui.interact(cell, ui.scope_id().with(("sort motion", word)), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, format!("Sort by {}", word.to_lowercase())));
    let colour = if *sorting == by || response.hovered() { tokens.text } else { tokens.text2 };
    let mark = if by == Sorting::Name {
        paint::text_in(ui.painter(), cell, word, fonts::small(), colour).right() + 8.0
    } else {
        paint::text_right(ui.painter(), cell, word, fonts::small(), colour).left() - 7.0
    };
    if *sorting == by {
        // The first frame and the first name stand first, of all others the largest.
        let falls = !matches!(by, Sorting::Frame | Sorting::Name);
        paint::sorting_mark(ui.painter(), pos2(mark, cell.center().y), falls, colour);
        access::shows(&response, if falls { "descending" } else { "ascending" });
    }
    focus_ring(ui, response.has_focus(), cell.expand2(vec2(4.0, -2.0)), 0.0);
    if response.clicked() {
        *sorting = if *sorting == by { Sorting::File } else { by };
    }
    response.on_hover_text(about);
}

fn row(ui: &mut Ui, entity: &Entity, one: &Row, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let Row { choice, name, summary, .. } = one;
    let selected = entity.playback.choice == *choice;
    let short = |number: f32| format::short(f64::from(number), 2);
    let furthest = one.furthest();
    let told = if one.is_still {
        format!("{name}: {}", one.still_word())
    } else {
        format!(
            "{name}: reach {} in frame {}, speed {}, slide {}",
            short(summary.furthest.distance),
            format::short(furthest, 0),
            short(summary.fastest),
            short(summary.sliding)
        )
    };
    let (rect, response) = list::row(ui, ui.scope_id().with(("motion of", name)), &told, ROW, selected);
    let mut right = rect.right() - 10.0;
    let fixed = |number: f32| format::fixed(f64::from(number), 2);
    let none = || "—".to_owned();
    let texts = if one.is_still {
        // A bind pose is called so by its name already.
        [none(), none(), "1 frame".to_owned(), none()]
    } else {
        [fixed(summary.sliding), fixed(summary.fastest), format::short(furthest, 0), fixed(summary.furthest.distance)]
    };
    let ink = if one.is_still { tokens.text3 } else { tokens.text2 };
    for text in texts {
        let cell = Rect::from_min_max(rect.min, pos2(right, rect.bottom()));
        paint::text_right(ui.painter(), cell, &text, fonts::body(), ink);
        right -= COLUMN;
    }
    let room = Rect::from_min_max(pos2(rect.left() + 12.0, rect.top()), pos2(right - 4.0, rect.bottom()));
    paint::text_in(ui.painter(), room, name, fonts::body(), tokens.text);
    if response.double_clicked() {
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id, *choice)));
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id, furthest)));
    } else if response.clicked() {
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id, *choice)));
    }
    response.on_hover_ui(|ui| {
        ui.label(egui::RichText::new(name).font(fonts::medium()));
        if one.is_still {
            ui.label(if one.is_bind { "The bind pose: nothing moves" } else { "A single frame: nothing moves" });
            ui.label(egui::RichText::new("Double-click to go to it").small().weak());
            return;
        }
        let shown = |frame: usize| format::short(one.shown(frame), 0);
        let length = format::fixed(f64::from(summary.length), 2);
        ui.label(format!("Furthest in frame {}, {length} units on its way", format::short(furthest, 0)));
        let step = format::fixed(f64::from(summary.largest_step.distance), 2);
        if summary.largest_step.distance > 0.0 {
            ui.label(format!("Largest step {step} units, to frame {}", shown(summary.largest_step.frame)));
        }
        ui.label(egui::RichText::new("Double-click to go to the furthest frame").small().weak());
    });
}
