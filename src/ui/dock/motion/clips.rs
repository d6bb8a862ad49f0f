//! Table of the motion in each clip: reach, speed and slide.

use egui::Ui;

use crate::ui::kit::columns::{self, Column, Sorting};
use crate::ui::kit::row::Row;
use crate::ui::timeline::short_name;
use crate::ui::{fonts, format, list, theme};
use maquette_core::inspect::Summary;
use maquette_core::model::{Clip, ClipSource, FrameNumbering};
use maquette_scene::scene::{ClipChoice, Entity, EntityId, TrackedPoint};
use maquette_scene::session::{Action, ClockAction, Session};

const ROW: f32 = 24.0;
const COLUMN: f32 = 48.0;
const LAST: f32 = 64.0;

const fn column(word: &'static str, what: &'static str, about: &'static str) -> Column<'static> {
    Column { word, what, about: Some(about), width: COLUMN }
}

const COLUMNS: [Column<'_>; 6] = [
    Column { width: 0.0, ..column("Clip", "clip", "Name of the clip") },
    column("Offset", "max. offset", "Largest distance from the first frame, in units"),
    column("Frame", "frame", "Frame of the largest offset"),
    column("Speed", "max. speed", "Largest movement between two frames, in units per second"),
    column("Slide", "foot slide", "Horizontal movement in the lowest tenth of its heights, in units"),
    Column {
        width: LAST,
        ..column("Slides at", "frame of the largest slide", "Frame to which the point slides furthest")
    },
];

#[derive(Default)]
pub struct State {
    sorting: Sorting,
    /// Entity and clip at the last frame. The list scrolls to another clip.
    seen: Option<(EntityId, ClipChoice)>,
}

struct ClipMotion {
    choice: ClipChoice,
    name: String,
    /// Name in the row.
    short: String,
    is_still: bool,
    is_bind: bool,
    /// Model frame that is displayed as frame 0.
    zero: u32,
    first: u32,
    summary: Summary,
}

impl ClipMotion {
    /// Summarises a clip of the first followed point's entity for a point, which another entity may have.
    fn of(
        session: &Session,
        entity: &Entity,
        choice: ClipChoice,
        clip: &Clip,
        (letter, followed): (Option<char>, &TrackedPoint),
    ) -> Self {
        let own = session.document.scene.entity(followed.entity).unwrap_or(entity);
        let frames = super::frames_of(own, clip);
        let first = u32::try_from(frames.start).unwrap_or(u32::MAX);
        let letter = letter.map_or(String::new(), |letter| format!("{letter} · "));
        let counts_own = entity.model().frame_numbering() == FrameNumbering::PerClip;
        Self {
            choice,
            name: format!("{letter}{}", clip.name),
            short: letter + short_name(entity.role, &clip.name),
            is_still: clip.count <= 1,
            is_bind: clip.source == ClipSource::BindPose,
            zero: if counts_own { first } else { first - clip.first.min(first) },
            first,
            summary: followed.track.summary(frames.start, frames.end, clip.frames_per_second),
        }
    }

    /// Returns the displayed number of a frame of the model.
    fn shown(&self, frame: usize) -> f64 {
        frame as f64 - f64::from(self.zero)
    }

    /// Returns the displayed number of the frame with the largest distance, or of the first frame if nothing moves.
    fn furthest(&self) -> f64 {
        let furthest = self.summary.furthest;
        if furthest.distance > 0.0 { self.shown(furthest.frame) } else { self.shown(self.first as usize) }
    }

    fn slides_at(&self) -> Option<f64> {
        let slide = self.summary.largest_slide;
        (slide.distance > 0.0).then(|| self.shown(slide.frame))
    }

    /// Returns the sorting key of a column, for descending order. Clips without motion come last, and frame numbers
    /// ascend.
    fn key(&self, column: usize) -> f32 {
        match column {
            _ if self.is_still => f32::NEG_INFINITY,
            1 => self.summary.furthest.distance,
            2 => -(self.furthest() as f32),
            3 => self.summary.fastest,
            4 => self.summary.sliding,
            _ => -(self.slides_at().unwrap_or(f64::INFINITY) as f32),
        }
    }

    fn static_label(&self) -> &'static str {
        if self.is_bind { "bind pose" } else { "1 frame" }
    }
}

pub fn show(
    ui: &mut Ui,
    session: &Session,
    followed: &[TrackedPoint],
    State { sorting, seen }: &mut State,
    actions: &mut Vec<Action>,
) {
    let Some((first, others)) = followed.split_first() else { return };
    let Some(entity) = session.document.scene.entity(first.entity) else { return };
    let letter = |point: &TrackedPoint| super::letter(session, point.entity);
    // While two models are compared, each clip has a row for both.
    let counterpart = others.iter().find(|other| other.entity != first.entity && letter(other).is_some());
    let points: Vec<_> = match counterpart.filter(|_| letter(first).is_some()) {
        Some(other) => [first, other].map(|point| (letter(point), point)).to_vec(),
        None => vec![(None, first)],
    };
    let clips = entity.playback.clips(entity.model());
    let whole = entity.clip();
    let all = clips.iter().enumerate().map(|(index, clip)| (ClipChoice::Clip(index), clip));
    let none = clips.is_empty().then_some((ClipChoice::AllFrames, &whole));
    let of_clip =
        |(choice, clip)| points.iter().map(move |point| ClipMotion::of(session, entity, choice, clip, *point));
    let mut rows: Vec<ClipMotion> = all.chain(none).flat_map(of_clip).collect();
    match *sorting {
        None => {}
        Some((0, _)) => rows.sort_by_cached_key(|row| row.name.to_lowercase()),
        Some((column, _)) => rows.sort_by(|one, other| other.key(column).total_cmp(&one.key(column))),
    }
    if let Some(column) = columns::headings(ui, list::EDGE, &COLUMNS, *sorting) {
        // Names and frames ascend first, other numbers descend first. A second click restores the order of the file.
        let falls = !matches!(column, 0 | 2 | 5);
        *sorting = if sorting.is_some_and(|(by, _)| by == column) { None } else { Some((column, falls)) };
    }
    list::scroll(ui, "clips of motion", |ui| {
        let now = (entity.id, entity.playback.choice);
        let is_other = seen.replace(now) != Some(now);
        let chosen = rows.iter().position(|row| row.choice == now.1).filter(|_| is_other);
        list::rows(ui, "clips of motion", 0..rows.len(), ROW, chosen, |ui, index| {
            if let Some(one) = rows.get(index) {
                row(ui, entity, one, actions);
            }
        });
    });
}

fn row(ui: &mut Ui, entity: &Entity, one: &ClipMotion, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let ClipMotion { choice, name, short: label, summary, .. } = one;
    let selected = entity.playback.choice == *choice;
    let short = |number: f32| format::short(f64::from(number), 2);
    let furthest = one.furthest();
    let slides_at = one.slides_at().map(|frame| format::short(frame, 0));
    let spoken = if one.is_still {
        format!("{name}: {}", one.static_label())
    } else {
        format!(
            "{name}: max. offset {} in frame {}, max. speed {}, foot slide {}{}",
            short(summary.furthest.distance),
            format::short(furthest, 0),
            short(summary.fastest),
            short(summary.sliding),
            slides_at.as_ref().map_or(String::new(), |frame| format!(", largest to frame {frame}"))
        )
    };
    let fixed = |number: f32| format::fixed(f64::from(number), if number < 100.0 { 2 } else { 1 });
    let none = || "—".to_owned();
    let texts = if one.is_still {
        [none(), none(), none(), none(), none()]
    } else {
        let [reach, speed, slide] = [summary.furthest.distance, summary.fastest, summary.sliding].map(fixed);
        [reach, format::short(furthest, 0), speed, slide, slides_at.unwrap_or_else(none)]
    };
    let ink = if one.is_still { tokens.text3 } else { tokens.text2 };
    let row = Row::new(label.as_str()).height(ROW).selected(selected).spoken(spoken).loses_end();
    let cells = texts.into_iter().zip(COLUMNS.iter().skip(1));
    let row = cells.fold(row, |row, (text, column)| row.cell(text, column.width).value_colour(ink));
    let response = row.show(ui, ("motion of", name));
    if response.double_clicked() {
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id.into(), *choice)));
        actions.push(Action::Clock(ClockAction::SeekIn(entity.id.into(), furthest)));
    } else if response.clicked() {
        actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id.into(), *choice)));
    }
    response.on_hover_ui(|ui| {
        ui.label(egui::RichText::new(name).font(fonts::medium()));
        if one.is_still {
            ui.label(if one.is_bind { "The bind pose: nothing moves" } else { "A single frame: nothing moves" });
            ui.label(egui::RichText::new("Double-click to go to the clip").small().weak());
            return;
        }
        let shown = |frame: usize| format::short(one.shown(frame), 0);
        let length = format::fixed(f64::from(summary.length), 2);
        ui.label(format!("Largest offset in frame {}; path of {length} units", format::short(furthest, 0)));
        let step = format::fixed(f64::from(summary.largest_step.distance), 2);
        if summary.largest_step.distance > 0.0 {
            ui.label(format!("Largest movement: {step} units, to frame {}", shown(summary.largest_step.frame)));
        }
        ui.label(egui::RichText::new("Double-click to go to the frame of largest offset").small().weak());
    });
}
