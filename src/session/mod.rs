//! What the user wants: the part on stage, the clock, the camera and every choice. No window and no GPU, so a list of
//! [`Action`]s is a test.

mod action;
mod apply;
mod commands;
mod playback;

use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

pub use action::{Action, Panel, Request, Selection, Switch};
pub use commands::{COMMANDS, Command, Group, command_for};
pub use playback::{ClipChoice, Playback, SPEED_RANGE, SPEEDS};

use crate::error::{Warning, Warnings};
use crate::material::Finder;
use crate::model::Bounds;
use crate::pose::{BoneBlend, FrameBlend, Pose, Sampling, sample};
use crate::scene::{Camera, Display, OpenError, Part, Tone};

/// A file that was not opened, for the strip above the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// `grunt.md3 was not opened`
    pub title: String,
    /// The reason in a sentence.
    pub message: String,
    /// What it means for what is on stage.
    pub advice: String,
}

/// Asks for a path in the window itself, where no dialog of the system answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PathField {
    /// What is done with the path.
    pub purpose: PathPurpose,
    /// Why the system's dialog did not open; empty if it was not asked.
    pub reason: String,
}

/// What is done with a path typed into the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathPurpose {
    /// The file or folder is opened.
    Open,
    /// The picture is saved there.
    SavePicture,
}

/// Something that happened, for the status bar and the log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// What kind of event.
    pub kind: NoteKind,
    /// One line.
    pub text: String,
}

/// Kinds of [`Note`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteKind {
    /// It worked.
    Done,
    /// It worked, but look.
    Warning,
    /// It did not work.
    Failed,
}

/// Which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// At the right.
    pub inspector: bool,
    /// At the left.
    pub files: bool,
    /// The sheet of keys.
    pub help: bool,
    /// What happened.
    pub log: bool,
    /// All hidden for the moment.
    pub hidden: bool,
}

/// Everything the window shows and the user can change.
pub struct Session {
    /// The model on stage.
    pub part: Option<Part>,
    /// Counts the parts shown, so that others notice a new one.
    pub part_number: u64,
    /// The clock.
    pub playback: Playback,
    /// Every switch of the picture.
    pub display: Display,
    /// Dark or light as chosen; `None` follows the system.
    pub tone: Option<Tone>,
    /// From where the model is looked at.
    pub camera: Camera,
    /// Width over height of the picture, told by the window.
    pub aspect: f32,
    /// Which surfaces are shown, one per surface of the model.
    pub visible: Vec<bool>,
    /// Which of the part's skins it wears.
    pub skin: usize,
    /// What is odd in the part's files, and what the skin it wears did not find.
    pub issues: Vec<Warning>,
    /// Level of detail shown.
    pub lod: u32,
    /// How MDR bones are blended.
    pub bones: BoneBlend,
    /// What is looked at closely.
    pub selection: Selection,
    /// A file that was not opened.
    pub failure: Option<Failure>,
    /// A field to type a path into.
    pub path_field: Option<PathField>,
    /// What happened, oldest first.
    pub notes: Vec<Note>,
    /// Name of what is being opened.
    pub loading: Option<String>,
    /// Model files to go through, sorted.
    pub siblings: Vec<PathBuf>,
    /// The one of them that was asked for last, whether or not it could be opened.
    pub asked_for: Option<PathBuf>,
    /// Which panels are open.
    pub panels: Panels,
    /// The model as it stands now.
    pub pose: Pose,
    /// Where the ground lies: the model's lowest point in the clip it was first shown in.
    pub floor: f32,
    /// What the model reaches in that clip: the stage stays as large while it moves. Empty without surfaces.
    pub extent: Bounds,
    /// Outermost points of the frames looked at: what a view of the moving model must hold.
    reach: Vec<Vec3>,
    /// Whether tags and joints were switched on before a part that has nothing else.
    switched: Option<(bool, bool)>,
    sampled: Option<(u64, Sampling)>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            part: None,
            part_number: 0,
            playback: Playback::default(),
            display: Display::default(),
            tone: None,
            camera: Camera::default(),
            aspect: 1.0,
            visible: Vec::new(),
            skin: 0,
            issues: Vec::new(),
            lod: 0,
            bones: BoneBlend::default(),
            selection: Selection::None,
            failure: None,
            path_field: None,
            notes: Vec::new(),
            loading: None,
            siblings: Vec::new(),
            asked_for: None,
            panels: Panels { inspector: true, files: false, help: false, log: false, hidden: false },
            pose: Pose::default(),
            floor: 0.0,
            extent: Bounds::EMPTY,
            reach: Vec::new(),
            switched: None,
            sampled: None,
        }
    }
}

impl Session {
    /// Notes kept in the log.
    const MOST_NOTES: usize = 500;
    /// Frames looked at to find the ground and the first framing.
    const LOOKED_AT: u32 = 12;

    /// Puts a part on stage: its first view, its first clip playing.
    pub fn show(&mut self, part: Part) {
        self.put(part);
        self.skin = 0;
        self.find_issues();
        self.lod = 0;
        self.selection = Selection::None;
        if let Some(part) = &self.part {
            self.visible = part.model.surfaces.iter().map(|surface| !surface.hidden).collect();
            self.playback = self.playback.for_model(&part.model);
            // A file without surfaces shows what it has; the next file finds the switches as they were.
            let display = &mut self.display;
            if let Some((tags, joints)) = self.switched.take() {
                (display.tags, display.joints) = (tags, joints);
            }
            if part.model.surfaces.iter().all(|surface| surface.triangles.is_empty()) {
                self.switched = Some((display.tags, display.joints));
                display.tags |= !part.model.tags.is_empty();
                display.joints |= !part.model.joints().is_empty();
            }
        }
        self.find_floor();
        let projection = self.camera.projection;
        self.camera = Camera { projection, ..Camera::default() };
        self.refresh();
        self.frame_model();
    }

    /// Puts a newer state of the same file on stage, keeping camera, place and choices as far as they still exist.
    pub fn replace(&mut self, part: Part) {
        let surfaces = self.part.as_ref().map(|old| old.model.surfaces.len());
        self.put(part);
        let Some(part) = &self.part else { return };
        let last_skin = part.skins.len().saturating_sub(1);
        let model = Arc::clone(&part.model);
        self.skin = self.skin.min(last_skin);
        self.find_issues();
        self.lod = self.lod.min(model.lod_count() - 1);
        self.selection = Selection::None;
        if surfaces != Some(model.surfaces.len()) {
            self.visible = model.surfaces.iter().map(|surface| !surface.hidden).collect();
        }
        if let ClipChoice::Clip(index) = self.playback.choice
            && index >= self.playback.clips(&model).len()
        {
            self.playback = self.playback.for_model(&model);
        }
        self.find_floor();
        self.refresh();
    }

    fn put(&mut self, part: Part) {
        self.asked_for.clone_from(&part.file);
        self.part = Some(part);
        self.part_number += 1;
        self.sampled = None;
        self.failure = None;
        self.loading = None;
    }

    /// The part's warnings are about its first skin; another one may miss other pictures.
    pub(super) fn find_issues(&mut self) {
        let Some(part) = &self.part else { return };
        let mut issues = Warnings::default();
        issues.append(part.warnings.clone());
        if let Some(skin) = part.skins.get(self.skin).filter(|_| self.skin > 0) {
            Finder::tell_missing(&part.model, &skin.looks, &mut issues);
        }
        self.issues = issues.into_vec();
    }

    /// Says that a file was not opened; what is on stage stays.
    pub fn fail(&mut self, error: &OpenError) {
        self.loading = None;
        let advice = match &self.part {
            Some(part) => format!("{} stays open", part.name),
            None => String::new(),
        };
        let title = format!("{} was not opened", error.name());
        self.note(NoteKind::Failed, format!("{title}: {}", error.reason()));
        self.failure = Some(Failure { title, message: error.reason(), advice });
    }

    /// Adds a line to the log.
    pub fn note(&mut self, kind: NoteKind, text: impl Into<String>) {
        if self.notes.len() >= Self::MOST_NOTES {
            self.notes.remove(0);
        }
        self.notes.push(Note { kind, text: text.into() });
    }

    /// Lets time pass. True if the picture changes.
    pub fn advance(&mut self, seconds: f64) -> bool {
        let Some(part) = &self.part else { return false };
        let before = self.playback.position;
        self.playback.advance(&part.model, seconds);
        #[allow(clippy::float_cmp, reason = "asks whether it was touched at all")]
        let moved = self.playback.position != before;
        moved
    }

    /// Brings the pose up to date with the clock and the choices; does nothing if it is.
    pub fn refresh(&mut self) {
        let Some(part) = &self.part else { return };
        let sampling = Sampling { blend: self.playback.blend(&part.model), lod: self.lod, bones: self.bones };
        if self.sampled != Some((self.part_number, sampling)) {
            sample(&part.model, &sampling, &mut self.pose);
            self.sampled = Some((self.part_number, sampling));
        }
    }

    /// Whether a surface is drawn: the user shows it and its skin does not hide it.
    #[must_use]
    pub fn draws(&self, surface: usize) -> bool {
        let skin = self.part.as_ref().and_then(|part| part.skins.get(self.skin));
        let hidden = skin.and_then(|skin| skin.looks.get(surface)).is_some_and(|look| look.hidden);
        !hidden && self.visible.get(surface).copied().unwrap_or(true)
    }

    /// What the camera should show: the visible vertices, else tags and joints.
    #[must_use]
    pub fn points(&self) -> Vec<Vec3> {
        let Some(part) = &self.part else { return Vec::new() };
        let surfaces = part.model.surfaces.iter().zip(&self.pose.surfaces).enumerate();
        let mut points: Vec<Vec3> = surfaces
            .filter(|(index, (surface, _))| self.draws(*index) && !surface.triangles.is_empty())
            .flat_map(|(_, (_, posed))| posed.positions.iter().copied())
            .collect();
        if points.is_empty() {
            let frames = self.pose.tags.iter().chain(&self.pose.joints);
            points.extend(frames.map(|frame| Vec3::from(frame.translation)));
            // A single tag has no size; its axes have.
            let bounds = Bounds::of(points.iter().copied());
            if !points.is_empty() && bounds.radius() < 8.0 {
                let side = Vec3::splat(8.0);
                points.extend(Bounds { min: bounds.centre() - side, max: bounds.centre() + side }.corners());
            }
        }
        points
    }

    /// Frames what is shown; while it moves, so that it stays in sight.
    pub fn frame_model(&mut self) {
        let mut points = self.points();
        if self.playback.playing && self.visible.iter().all(|visible| *visible) {
            points.extend_from_slice(&self.reach);
        }
        self.camera.frame(points.iter().copied(), self.aspect);
    }

    /// Puts the ground under the lowest point of a few frames of the clip that is chosen, so that it does not move with
    /// them.
    pub fn find_floor(&mut self) {
        let Some(part) = &self.part else { return };
        let clip = self.playback.clip(&part.model);
        let mut bounds = Bounds::EMPTY;
        let looked_at = clip.count.clamp(1, Self::LOOKED_AT);
        self.reach.clear();
        for step in 0..looked_at {
            let frame = clip.first + step * clip.count / looked_at;
            let sampling = Sampling { blend: FrameBlend::still(frame), lod: 0, bones: self.bones };
            sample(&part.model, &sampling, &mut self.pose);
            bounds = bounds.union(self.pose.bounds);
            add_reach(&self.pose, &mut self.reach);
        }
        self.sampled = None;
        self.floor = if bounds.is_empty() { 0.0 } else { bounds.min.z };
        self.extent = bounds;
    }
}

/// Adds a pose's outermost vertices, in 26 directions.
fn add_reach(pose: &Pose, reach: &mut Vec<Vec3>) {
    let steps = [-1.0, 0.0, 1.0];
    for direction in steps.iter().flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| Vec3::new(*x, *y, z)))) {
        let points = pose.surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
        let finite = points.filter(|point| point.is_finite());
        let outermost = finite.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
        reach.extend(outermost.filter(|_| direction != Vec3::ZERO));
    }
}
