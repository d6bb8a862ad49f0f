//! What the user wants: the part on stage, the clock, the camera and every choice. No window and no GPU, so a list of
//! [`Action`]s is a test.

mod action;
mod apply;
mod clocks;
mod commands;
mod dropped;
mod effects;
mod history;
mod keymap;
mod last;
mod moves;
mod notes;
mod prefer;
mod preferences;
mod saving;
mod skins;
mod timeline;
mod view;

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

pub use action::{Action, Panel, Preference, Request, Selection, Switch};
pub use commands::{COMMANDS, Command, Group, command_for};
pub use dropped::{Meaning, Offer, anchors_of, has_places, places};
pub use effects::Effects;
pub use history::History;
pub use keymap::Keymap;
pub use last::LastSession;
pub use moves::{CameraMoves, TURN_PERIODS};
pub use notes::{Note, NoteKind};
pub use preferences::{PanelPreferences, Preferences, RATE_RANGE, WindowPreferences};
pub use saving::{
    ContactOptions, FilmKind, FilmOptions, MOST_PIXELS, MOST_TILES, PictureOptions, PictureSize, Product, Saving,
    Scenery, TILES, Work,
};
pub use timeline::{FrameWindow, MOST_POINTS, TimelineView};
pub use view::Navigation;

use crate::error::{Warning, Warnings};
use crate::material::{Finder, SurfaceLook};
use crate::model::Bounds;
use crate::pose::{FrameBlend, Pose};
use crate::scene::{
    Actor, ActorId, Alpha, Attachment, Camera, Cast, ClipChoice, Display, Look, Member, Onion, OpenError, Part,
    Playback, Role, Shading, Stage, Tone,
};

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PathPurpose {
    /// The file or folder is opened.
    Open,
    /// The model is hung here.
    Attach(Attachment),
    /// The picture is tried on.
    TryPicture,
    /// The folder is searched before the models' own games.
    AddRoot,
    /// Something is saved there.
    Save(Product),
}

/// Which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// At the right.
    pub inspector: bool,
    /// At the left.
    pub files: bool,
    /// The sheet that lies over the window.
    pub sheet: Option<Panel>,
    /// All hidden for the moment.
    pub hidden: bool,
}

/// Everything the window shows and the user can change.
pub struct Session {
    /// What stands there.
    pub stage: Stage,
    /// Which of the actors the panels tell of; none while the stage is empty.
    pub focus: Option<ActorId>,
    /// Legs and torso go together as in the game.
    pub paired: bool,
    /// Every switch of the picture.
    pub display: Display,
    /// The clock of moving materials.
    pub effects: Effects,
    /// Neighbours of the frame shown as ghosts.
    pub onion: Onion,
    /// Which frames the timeline shows.
    pub timeline: TimelineView,
    /// In whose light the models of each game were last looked at.
    pub looks_by_game: BTreeMap<&'static str, Look>,
    /// Dark or light as chosen; `None` follows the system.
    pub tone: Option<Tone>,
    /// From where the model is looked at.
    pub camera: Camera,
    /// How the camera moves by itself; nothing glides unless the window asks for it.
    pub moves: CameraMoves,
    /// What the hand does to the picture.
    pub navigation: Navigation,
    /// Width over height of the picture, told by the window.
    pub aspect: f32,
    /// What is odd in the files on stage, and what the skins worn did not find.
    pub issues: Vec<Warning>,
    /// What is looked at closely, of the actor in focus.
    pub selection: Selection,
    /// A file that was not opened.
    pub failure: Option<Failure>,
    /// What else could be done with what was dropped.
    pub offer: Option<Offer>,
    /// A field to type a path into.
    pub path_field: Option<PathField>,
    /// Pictures, films and contact sheets, and how they were saved last.
    pub saving: Saving,
    /// What is being made on a thread of its own.
    pub work: Option<Work>,
    /// What happened, oldest first.
    pub notes: Vec<Note>,
    /// Name of what is being opened.
    pub loading: Option<String>,
    /// Model files to go through, in the order of the list. Another list is another `Arc`.
    pub siblings: Arc<[PathBuf]>,
    /// The one of them that was asked for last, whether or not it could be opened.
    pub asked_for: Option<PathBuf>,
    /// Which panels are open.
    pub panels: Panels,
    /// What is remembered from start to start and stands nowhere else.
    pub preferences: Preferences,
    /// Where the last session ended.
    pub last_session: Option<LastSession>,
    /// What can be undone.
    pub history: History,
    /// Where the ground lies: the lowest point in the clips that were first shown.
    pub floor: f32,
    /// What is reached in those clips: the stage stays as large while it moves. Empty without surfaces.
    pub extent: Bounds,
    /// Outermost points of the frames looked at: what a view of the moving model must hold.
    reach: Vec<Vec3>,
    /// How what is being opened is to stand.
    restoring: Option<LastSession>,
    /// Whether tags and joints were switched on before a part that has nothing else.
    switched: Option<(bool, bool)>,
    /// The clock of an empty stage: speed, repeat and interpolation for what comes next.
    clock: Playback,
    /// A dropped model that is being opened and could be hung on what stands there.
    wanted_instead: Option<PathBuf>,
    /// The models to go through before those of a dropped model came.
    siblings_before: Option<Arc<[PathBuf]>>,
    /// A dropped model that is being hung on what stands there and could be opened.
    dropped_to_attach: Option<PathBuf>,
}

impl Default for Session {
    fn default() -> Self {
        Self {
            stage: Stage::default(),
            focus: None,
            paired: true,
            display: Display::default(),
            effects: Effects::default(),
            onion: Onion::default(),
            timeline: TimelineView::default(),
            looks_by_game: BTreeMap::new(),
            tone: None,
            camera: Camera::default(),
            moves: CameraMoves::default(),
            navigation: Navigation::default(),
            aspect: 1.0,
            issues: Vec::new(),
            selection: Selection::None,
            failure: None,
            offer: None,
            path_field: None,
            saving: Saving::default(),
            work: None,
            notes: Vec::new(),
            loading: None,
            siblings: Arc::default(),
            asked_for: None,
            panels: Panels { inspector: true, files: false, sheet: None, hidden: false },
            preferences: Preferences::default(),
            last_session: None,
            history: History::default(),
            floor: 0.0,
            extent: Bounds::EMPTY,
            reach: Vec::new(),
            restoring: None,
            switched: None,
            clock: Playback::default(),
            wanted_instead: None,
            siblings_before: None,
            dropped_to_attach: None,
        }
    }
}

impl Session {
    /// Moments looked at to find the ground and the first framing.
    const LOOKED_AT: u32 = 12;

    /// The actor that the panels tell of.
    #[must_use]
    pub fn actor(&self) -> Option<&Actor> {
        self.stage.actor(self.focus?)
    }

    /// The actor that the panels tell of, to be changed.
    pub fn actor_mut(&mut self) -> Option<&mut Actor> {
        self.stage.actor_mut(self.focus?)
    }

    /// The part that the panels tell of.
    #[must_use]
    pub fn part(&self) -> Option<&Part> {
        self.actor().map(|actor| &actor.part)
    }

    /// The actor whose clock the transport moves: the one in focus, else the nearest of its carriers that has several
    /// frames, else anyone who has.
    #[must_use]
    pub fn track(&self) -> Option<&Actor> {
        let focus = self.actor()?;
        let mut at = Some(focus);
        while let Some(actor) = at.filter(|actor| !actor.has_track()) {
            at = actor.attachment.as_ref().and_then(|attachment| self.stage.actor(attachment.to));
        }
        at.or_else(|| self.stage.actors().iter().find(|actor| actor.has_track())).or(Some(focus))
    }

    /// Everybody who has a clock to show; torso before legs, as they stand.
    #[must_use]
    pub fn tracks(&self) -> Vec<&Actor> {
        let mut tracks: Vec<&Actor> = self.stage.actors().iter().filter(|actor| actor.has_track()).collect();
        tracks.sort_by_key(|actor| match actor.role {
            Role::Torso => 0,
            Role::Legs => 1,
            _ => 2,
        });
        tracks
    }

    /// The clock that the transport moves; that of an empty stage while there is none.
    #[must_use]
    pub fn playback(&self) -> &Playback {
        self.track().map_or(&self.clock, |actor| &actor.playback)
    }

    /// Whether time passes.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.stage.is_playing()
    }

    /// The pose of the actor in focus.
    #[must_use]
    pub fn pose(&self) -> Option<&Pose> {
        self.actor().map(|actor| &actor.pose)
    }

    /// Name of what stands there, for the title and for sentences: the figure's, else the first part's.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        let first = self.stage.actors().first()?;
        Some(self.stage.figure.as_ref().map_or(first.part.name.as_str(), |figure| figure.name.as_str()))
    }

    /// Other models to go through.
    pub fn set_siblings(&mut self, siblings: Vec<PathBuf>) {
        let before = std::mem::replace(&mut self.siblings, siblings.into());
        self.siblings_before = self.wanted_instead.is_some().then_some(before);
    }

    /// Puts a cast on stage: its first view, its calm clips playing.
    pub fn show(&mut self, cast: impl Into<Cast>) {
        self.put(cast.into());
        // A file without surfaces shows what it has; the next file finds the switches as they were.
        let display = &mut self.display;
        if let Some((tags, joints)) = self.switched.take() {
            (display.tags, display.joints) = (tags, joints);
        }
        let mut surfaces = self.stage.actors().iter().flat_map(|actor| &actor.part.model.surfaces);
        if surfaces.all(|surface| surface.triangles.is_empty()) {
            self.switched = Some((display.tags, display.joints));
            display.tags |= self.stage.actors().iter().any(|actor| !actor.part.model.tags.is_empty());
            display.joints |= self.stage.actors().iter().any(|actor| !actor.part.model.joints().is_empty());
        }
        self.use_usual_rates();
        self.find_floor();
        let Camera { projection, field_of_view, .. } = self.camera;
        self.camera = Camera { projection, field_of_view, ..Camera::default() };
        self.refresh();
        self.frame_model();
        let file = self.stage.actors().first().and_then(|first| first.part.file.clone());
        if let Some(last) = self.restoring.take().filter(|last| Some(&last.file) == file.as_ref()) {
            self.stand_as(&last);
        }
    }

    fn put(&mut self, cast: Cast) {
        if let Some(track) = self.track() {
            self.clock = track.playback.clone();
        }
        let last = Stage::of(cast, &self.clock, &self.stage);
        let offer = self.leave(&last);
        self.stage = last;
        self.history = History::default();
        let asked = self.asked_for.take();
        let actors = self.stage.actors();
        let wanted = actors.iter().find(|actor| asked.is_some() && actor.part.file == asked);
        self.focus = wanted.or(actors.first()).map(|actor| actor.id);
        // A folder or another spelling may have been asked for; what is there counts.
        self.asked_for = self.part().and_then(|part| part.file.clone()).or(asked);
        self.selection = Selection::None;
        self.offer = offer;
        self.effects = Effects::default();
        self.open_timeline();
        self.display.look = self.game().and_then(|game| self.looks_by_game.get(game)).copied().unwrap_or_default();
        self.settled();
    }

    /// What was waited for has come.
    fn settled(&mut self) {
        self.failure = None;
        self.loading = None;
        self.find_issues();
    }

    /// Puts newer states of the same files on stage, keeping camera, place and choices as far as they still exist.
    pub fn replace(&mut self, parts: Vec<(ActorId, Part)>) {
        let chosen = self.chosen_name();
        self.stage.replace(parts);
        self.select_named(chosen);
        self.settled();
        self.find_floor();
        self.refresh();
    }

    /// Hangs opened models on what stands there. A weapon takes the place of the one that hangs there.
    pub fn attach(&mut self, members: Vec<Member>, to: &Attachment) {
        let name = members.first().map(|member| member.part.name.clone()).unwrap_or_default();
        let Some(carrier) = self.stage.actor(to.to).map(|actor| actor.part.name.clone()) else { return self.gone() };
        self.remember("Attach a model");
        let clock = self.playback().clone();
        let file = members.first().and_then(|member| member.part.file.clone());
        self.stage.hang(members, to, &clock);
        if self.actor().is_none() {
            self.focus = Some(to.to);
            self.selection = Selection::None;
        }
        let dropped = self.dropped_to_attach.take().filter(|dropped| Some(dropped) == file.as_ref());
        self.offer = dropped.map(Offer::attached);
        self.settled();
        self.note(NoteKind::Done, format!("{name} hangs on {} of {carrier}", to.anchor.name()));
        self.find_floor();
        self.refresh();
    }

    /// Something was read for a part that has gone meanwhile.
    fn gone(&mut self) {
        self.settled();
        self.note(NoteKind::Warning, "The part it was for has gone");
    }

    /// Puts a look on a surface of an actor, or on all of them. What repairs a name that leads nowhere repairs it on every
    /// surface.
    pub fn try_on(&mut self, actor: ActorId, surface: Option<usize>, look: &SurfaceLook) {
        self.remember("Try a picture on");
        let Some(actor) = self.stage.actor_mut(actor) else { return self.gone() };
        let broken = surface.and_then(|surface| actor.looks().get(surface)).filter(|look| look.is_missing());
        let broken = broken.map(|look| look.name.clone()).filter(|name| !name.is_empty());
        let is_meant = |index: usize, own: &SurfaceLook| {
            let is_same = broken.as_ref().is_some_and(|name| own.is_missing() && own.name == *name);
            surface.is_none_or(|surface| surface == index) || is_same
        };
        let looks = actor.looks().iter().enumerate();
        let meant: Vec<usize> = looks.filter(|(index, own)| is_meant(*index, own)).map(|(index, _)| index).collect();
        for index in meant {
            actor.try_on(index, look);
        }
        self.settled();
    }

    /// Puts on the last skin of parts that were read for actors.
    pub fn wear_new(&mut self, parts: Vec<(ActorId, Part)>) {
        let actors: Vec<(ActorId, usize)> =
            parts.iter().map(|(id, part)| (*id, part.skins.len().saturating_sub(1))).collect();
        self.replace(parts);
        let mut worn = Vec::new();
        for (id, last) in actors {
            if let Some(actor) = self.stage.actor_mut(id) {
                actor.wear(last);
                worn.push(format!("{} wears {}", actor.part.name, actor.skin_name()));
            }
        }
        self.note(NoteKind::Done, worn.join(", "));
        self.find_issues();
    }

    /// Plays the first of the animations that were added to a part; `refused` tells of those that were not.
    pub fn play_new(&mut self, id: ActorId, part: Part, refused: &[OpenError]) {
        let Some(known) = self.stage.actor(id).map(|actor| actor.model().clips.len()) else { return self.gone() };
        let added = part.model.clips.get(known).map(|clip| clip.name.clone());
        let before = self.issues.len();
        self.replace(vec![(id, part)]);
        let odd = self.issues.len().saturating_sub(before);
        if let Some(name) = added {
            self.stage.choose(id, ClipChoice::Clip(known), false);
            self.note(NoteKind::Done, format!("{name} was added"));
        }
        if odd > 0 {
            self.note(NoteKind::Warning, format!("{odd} things about it are odd; see Issues"));
        }
        for error in refused {
            self.note(NoteKind::Failed, format!("{} was not added: {}", error.name(), error.reason()));
        }
    }

    /// What the files said, and what the skins that are worn did not find: a part's own warnings are about its first
    /// skin.
    fn find_issues(&mut self) {
        let mut issues = Warnings::default();
        let actors = self.stage.actors();
        for actor in actors {
            let mut own = Warnings::default();
            own.append(actor.part.warnings.clone());
            if actor.skin > 0 || !actor.overrides.is_empty() {
                Finder::tell_missing(&actor.part.model, actor.looks(), &mut own);
            }
            for warning in own.into_vec() {
                let about = match (actors.len(), warning.about.as_str()) {
                    (1, _) => warning.about,
                    (_, "") => actor.part.name.clone(),
                    (_, about) if about == actor.part.name => warning.about,
                    (_, about) => format!("{}: {about}", actor.part.name),
                };
                issues.add(about, warning.message);
            }
        }
        self.issues = issues.into_vec();
    }

    /// Says that a file was not opened; what is on stage stays.
    pub fn fail(&mut self, error: &OpenError) {
        self.loading = None;
        self.wanted_instead = None;
        self.dropped_to_attach = None;
        let advice = self.name().map_or(String::new(), |name| format!("{name} stays open"));
        let title = format!("{} was not opened", error.name());
        self.log(NoteKind::Failed, format!("{title}: {}", error.reason()));
        self.restoring = None;
        self.failure = Some(Failure { title, message: error.reason(), advice });
    }

    /// The game that the first model is of, by its format.
    fn game(&self) -> Option<&'static str> {
        self.stage.actors().first().map(|actor| actor.model().format.game())
    }

    /// Shows the model in another light, and this game's models from now on.
    fn set_look(&mut self, look: Look) {
        self.display.look = look;
        self.display.shading = Shading::Textured;
        self.display.alpha = Alpha::Material;
        if let Some(game) = self.game() {
            self.looks_by_game.insert(game, look);
        }
    }

    /// Lets time pass. True if the picture changes.
    pub fn advance(&mut self, seconds: f64) -> bool {
        let mut moved = false;
        let shown = self.track().map(|track| track.playback.shown_frame(track.model()));
        for actor in self.stage.actors_mut().iter_mut().filter(|actor| actor.has_track()) {
            let before = actor.playback.position;
            actor.playback.advance(&actor.part.model, seconds);
            #[allow(clippy::float_cmp, reason = "asks whether it was touched at all")]
            let touched = actor.playback.position != before;
            moved |= touched;
        }
        if let Some(shown) = shown.filter(|_| moved) {
            self.follow_playhead(shown);
        }
        moved |= self.advance_camera(seconds);
        moved | self.advance_effects(seconds)
    }

    /// Brings poses and places up to date with the clocks and the choices; does nothing where they are.
    pub fn refresh(&mut self) {
        self.stage.refresh();
    }

    /// What the camera should show: the visible vertices, else tags and joints; in the world's space.
    #[must_use]
    pub fn points(&self) -> Vec<Vec3> {
        let mut points = Vec::new();
        for actor in self.stage.actors().iter().filter(|actor| self.stage.shows(actor)) {
            let surfaces = actor.part.model.surfaces.iter().zip(&actor.pose.surfaces).enumerate();
            let drawn = surfaces
                .filter(|(index, (surface, _))| actor.draws(*index) && !surface.triangles.is_empty())
                .flat_map(|(_, (_, posed))| posed.positions.iter());
            points.extend(drawn.map(|point| actor.world_from_model.transform_point3(*point)));
        }
        if points.is_empty() {
            for actor in self.stage.actors() {
                let frames = actor.pose.tags.iter().chain(&actor.pose.joints);
                points.extend(frames.map(|frame| Vec3::from((actor.world_from_model * *frame).translation)));
            }
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
        self.moves.stop();
        let mut points = self.points();
        let whole = self.stage.actors().iter().all(|actor| actor.visible.iter().all(|visible| *visible));
        if self.is_playing() && whole {
            points.extend_from_slice(&self.reach);
        }
        self.camera.frame(points.iter().copied(), self.aspect);
    }

    /// Puts the ground under the lowest point of a few moments of the clips that are chosen, so that it does not move
    /// with them.
    pub fn find_floor(&mut self) {
        let mut bounds = Bounds::EMPTY;
        let longest = self.stage.actors().iter().map(|actor| actor.clip().count).max().unwrap_or(1);
        let looked_at = longest.clamp(1, Self::LOOKED_AT);
        self.reach.clear();
        for step in 0..looked_at {
            self.stage.refresh_at(|actor| {
                let clip = actor.clip();
                FrameBlend::still(clip.first + step * clip.count / looked_at)
            });
            bounds = bounds.union(self.stage.bounds());
            for actor in self.stage.actors().iter().filter(|actor| self.stage.shows(actor)) {
                add_reach(actor, &mut self.reach);
            }
        }
        self.floor = if bounds.is_empty() { 0.0 } else { bounds.min.z };
        self.extent = bounds;
    }
}

/// Adds a pose's outermost vertices, in 26 directions, in the world's space.
fn add_reach(actor: &Actor, reach: &mut Vec<Vec3>) {
    let steps = [-1.0, 0.0, 1.0];
    let place = actor.world_from_model;
    for direction in steps.iter().flat_map(|x| steps.iter().flat_map(move |y| steps.map(|z| Vec3::new(*x, *y, z)))) {
        let points = actor.pose.surfaces.iter().flat_map(|surface| surface.positions.iter().copied());
        let finite = points.filter(|point| point.is_finite());
        let outermost = finite.max_by(|a, b| a.dot(direction).total_cmp(&b.dot(direction)));
        let outermost = outermost.filter(|_| direction != Vec3::ZERO);
        reach.extend(outermost.map(|point| place.transform_point3(point)));
    }
}
