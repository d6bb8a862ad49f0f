//! What the user wants: the part on stage, the clock, the camera and every choice. No window and no GPU, so a list of
//! [`Action`]s is a test.

mod action;
mod arrivals;
mod commands;
mod dropped;
mod effect;
mod effects;
mod facts;
mod framing;
mod history;
mod keymap;
mod last;
mod load;
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

pub use action::{
    Action, CameraAction, ClockAction, DisplayAction, FileAction, Panel, Preference, SaveAction, SceneAction,
    TimelineAction, WindowAction,
};
pub use commands::{COMMANDS, Command, Group, command_for};
pub use dropped::{Meaning, Offer, anchors_of, has_places, places};
pub use effect::{Effect, Purpose};
pub use effects::Effects;
pub use facts::WindowFacts;
pub use history::History;
pub use keymap::Keymap;
pub use last::LastSession;
pub use load::{Intent, Load, LoadAnswer, Loaded, Loads, ModelList, Ticket};
pub use moves::{CameraMoves, TURN_PERIODS};
pub use notes::{Note, NoteKind};
pub use preferences::{PanelPreferences, Preferences, RATE_RANGE, WindowPreferences};
pub use saving::{
    ContactOptions, FilmKind, FilmOptions, MOST_PIXELS, MOST_TILES, PictureOptions, PictureSize, Product, Saving,
    Scenery, TILES, Work,
};
pub use timeline::{FrameWindow, MOST_POINTS, TimelineView};
pub use view::Navigation;

use crate::error::Warning;
use crate::model::Bounds;
use crate::pose::Pose;
pub use crate::scene::Selection;
use crate::scene::{
    Actor, ActorId, Alpha, Camera, Display, Look, Onion, Overlays, Part, Playback, Role, Shading, Stage, Tone,
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
    pub purpose: Purpose,
    /// Why the system's dialog did not open; empty if it was not asked.
    pub reason: String,
    /// What stands in it at first.
    pub text: String,
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
    /// Loads under way and waiting.
    loads: Loads,
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
    /// The model was framed before the window had told how large the picture is.
    fit_when_sized: bool,
    /// What was switched on before a part that has nothing else.
    switched: Option<Overlays>,
    /// The clock of an empty stage: speed, repeat and interpolation for what comes next.
    clock: Playback,
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
            loads: Loads::default(),
            siblings: Arc::default(),
            asked_for: None,
            panels: Panels { inspector: true, files: false, sheet: None, hidden: false },
            preferences: Preferences::default(),
            last_session: None,
            history: History::default(),
            floor: 0.0,
            extent: Bounds::EMPTY,
            reach: Vec::new(),
            fit_when_sized: false,
            switched: None,
            clock: Playback::default(),
        }
    }
}

impl Session {
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
}
