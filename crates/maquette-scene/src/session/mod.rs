//! Session: open document, view, panels and jobs, without window and GPU. Tests drive it with lists of [`Action`]s.

#![forbid(unsafe_code)]

mod action;
mod camera_animation;
mod changed_files;
mod closing;
mod commands;
mod comparison;
mod contact_sheet;
mod dock_tab;
mod drop;
mod edit_labels;
mod editing;
mod effect;
mod file_structure;
mod framing;
mod history;
mod issues;
mod keymap;
mod last_session;
mod lint_view;
mod loads;
mod material_clock;
mod model_list;
mod multi_selection;
mod notifications;
mod path_field;
mod preferences;
mod revised;
mod saving;
mod settings;
mod skins;
mod thumbnails;
mod timeline;
mod unsaved;
mod versions;
mod view;
mod window_state;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::PathBuf;
use std::sync::Arc;

use glam::Vec3;

pub use action::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, EditAction, EditSubject, FileAction, Preference,
    SaveAction, SceneAction, SidePanel, TimelineAction, WindowAction,
};
pub use camera_animation::{CameraAnimation, TURN_PERIODS};
pub use commands::{COMMANDS, Command, Group, command_for};
pub use comparison::{CompareMode, Comparison};
pub use contact_sheet::SheetClip;
pub use dock_tab::DockTab;
pub use drop::{DropAction, DropAlternative, anchors_of, attachment_points, has_attachment_points};
pub use editing::{EditDialog, EditField, is_same_path};
pub use effect::{Effect, FilePrompt};
pub use file_structure::{FileStructure, StructureView};
pub use history::{History, UNDO_HISTORY};
pub use issues::{Issue, IssueTarget, Severity};
pub use keymap::Keymap;
pub use last_session::LastSession;
pub use lint_view::LintView;
pub use loads::{Finish, Job, LoadAnswer, Loads};
pub use material_clock::MaterialClock;
pub use model_list::ModelFileChange;
pub use notifications::{Notification, NotificationKind, NotificationOffer};
pub use path_field::{FolderListing, PathField, path_from_root, split_typed, typed_path};
pub use preferences::{
    IMAGE_MEMORY, IMAGE_MEMORY_RANGE, PanelPreferences, Preferences, RATE_RANGE, SCALES, WindowPreferences,
};
pub use revised::Revised;
pub use saving::{
    ContactOptions, ExportJob, FilmKind, FilmOptions, ImageExtras, ImageOptions, ImageSize, MAX_IMAGE_PIXELS,
    MAX_TILES, ModelMotion, ModelOptions, OutputKind, Saving, TILES,
};
pub use settings::{
    FRAME_RATE, LIGHTING, LOOP_MODE, NAVIGATION, ONION, PROJECTION, Panel, SELECTION_MODE, SETTINGS, SHADING, SPEED,
    Setting, THEME, Value,
};
pub use thumbnails::{THUMBNAILS_LOADED, THUMBNAILS_ON_DISK};
pub use timeline::{FrameWindow, TimelineView, WIDEST_FRAME};
pub use unsaved::UnsavedAnswer;
pub use versions::{ModelVersion, ModelVersions, VersionKind};
pub use view::Navigation;
pub use window_state::WindowState;

use crate::scene::{
    Alpha, Camera, ClipChoice, ColourTheme, Display, Entity, EntityId, LightingMode, Onion, Overlays, Playback, Scene,
    Shading, TextureFilter, Track, TrackId,
};
pub use crate::scene::{Selection, SelectionLevel};
use maquette_assets::open::{MaterialName, ModelAsset, Role};
use maquette_assets::vfs::SearchOrder;
use maquette_core::bytes::LoadOptions;
use maquette_core::model::Bounds;
use maquette_core::pose::Pose;

/// Error of a file that failed to open, for the error strip.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// Title: `Could not open grunt.md3`.
    pub title: String,
    /// Reason, as a sentence.
    pub message: String,
    /// Consequence for the scene, for example that the open model stays; may be empty.
    pub advice: String,
    /// Path of the file.
    pub file: PathBuf,
    /// Whether a part of the file is intact and can be opened.
    pub is_damaged: bool,
    /// Whether the path is a folder, which has no bytes to show.
    pub is_folder: bool,
}

/// Visibility of panels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// Whether the inspector is open.
    pub inspector: bool,
    /// Whether the file list is open.
    pub files: bool,
    /// The open dialog.
    pub dialog: Option<Dialog>,
    /// The tab of the dock; `None` while the dock is closed.
    pub dock: Option<DockTab>,
    /// Whether the dock replaces the view.
    pub dock_maximised: bool,
    /// Whether all panels are hidden temporarily.
    pub hidden: bool,
}

/// Open document: scene, selection and undo history.
#[derive(Clone)]
pub struct Document {
    /// The models and their state.
    pub scene: Scene,
    /// Entity that the panels describe; `None` if there is none.
    pub focus: Option<EntityId>,
    /// Selected element of the focused entity.
    pub selection: Selection,
    whole_character: bool,
    /// Running comparison.
    pub comparison: Option<Comparison>,
    /// Start of distance measurements, if any.
    pub measured_from: Option<(EntityId, Selection)>,
    /// Tracked points in addition to the selection.
    pub pinned: Vec<(EntityId, Selection)>,
    /// Selected surfaces in addition to the one of `selection`.
    pub other_surfaces: BTreeSet<usize>,
    /// Whether playback of legs and torso is linked, as in the game.
    pub paired: bool,
    /// Whether the transport controls the torso of the focused entity, if its model has one.
    pub leads_torso: bool,
    /// Issues of the files and the chosen skins, the worst first.
    pub issues: Vec<Issue>,
    /// Undo history.
    pub history: History,
    before_reload: Vec<(EntityId, ModelAsset)>,
    /// Height of the ground: the lowest point of the clips when the bounds were last updated.
    pub floor: f32,
    /// Bounds of the scene over the same clips; empty without surfaces.
    pub extent: Bounds,
    /// Outermost vertices of sampled frames, which a view of the animated scene must contain.
    reach: Vec<Vec3>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            scene: Scene::default(),
            focus: None,
            selection: Selection::None,
            whole_character: false,
            comparison: None,
            measured_from: None,
            pinned: Vec::new(),
            other_surfaces: BTreeSet::new(),
            paired: true,
            leads_torso: false,
            issues: Vec::new(),
            history: History::default(),
            before_reload: Vec::new(),
            floor: 0.0,
            extent: Bounds::EMPTY,
            reach: Vec::new(),
        }
    }
}

impl Document {
    /// Chooses a clip for an entity, and for the other half of the character if both are linked.
    pub fn choose(&mut self, track: impl Into<TrackId>, choice: ClipChoice) {
        self.scene.choose(track, choice, self.paired);
    }
}

/// View of the document.
#[derive(Clone)]
pub struct View {
    /// The camera.
    pub camera: Camera,
    /// Camera animation. The window enables easing; otherwise the camera jumps.
    pub moves: CameraAnimation,
    /// Mapping of mouse buttons.
    pub navigation: Navigation,
    /// Element that a click on the model selects.
    pub selection_level: SelectionLevel,
    /// Display options.
    pub display: Display,
    /// Time of animated materials.
    pub material_clock: MaterialClock,
    /// Onion skin.
    pub onion: Onion,
    /// Width / height of the viewport, set by the window.
    pub aspect: f32,
    /// Whether to frame the model again once the window sets the size of the viewport.
    fit_when_sized: bool,
    /// Number of further frames in which the dock may change the shape of the viewport.
    reshaping_frames: u8,
    /// Overlays to restore after a model without surfaces, for which tags and joints were switched on.
    switched: Option<Overlays>,
}

impl Default for View {
    fn default() -> Self {
        Self {
            camera: Camera::default(),
            moves: CameraAnimation::default(),
            navigation: Navigation::default(),
            selection_level: SelectionLevel::default(),
            display: Display::default(),
            material_clock: MaterialClock::default(),
            onion: Onion::default(),
            aspect: 1.0,
            fit_when_sized: false,
            reshaping_frames: 0,
            switched: None,
        }
    }
}

impl View {
    /// Moves the camera so that `points` fill the viewport.
    pub fn frame(&mut self, points: &[Vec3]) {
        self.camera.frame(points.iter().copied(), self.aspect);
    }
}

/// All inputs of the viewport. If both revisions are unchanged, the image is unchanged.
#[derive(Clone, Copy)]
pub struct DocumentView<'a> {
    /// The open document.
    pub document: &'a Revised<Document>,
    /// Camera, display options and material time.
    pub view: &'a Revised<View>,
}

/// State of the panels.
pub struct Interface {
    /// Visibility of panels.
    pub panels: Panels,
    /// Chosen theme; `None` follows the system.
    pub theme: Option<ColourTheme>,
    /// Visible frames of the timeline.
    pub timeline: TimelineView,
    /// The file that failed to open.
    pub failure: Option<Failure>,
    /// Number of losses when the user last closed the message about them.
    pub dismissed_losses: usize,
    /// Structure view.
    pub structure: Option<StructureView>,
    /// Lint view.
    pub lint: Option<LintView>,
    /// Other versions of the model, offered for comparison.
    pub versions: Option<ModelVersions>,
    /// Alternative use of a dropped model.
    pub alternative: Option<DropAlternative>,
    /// The open path prompt in the window.
    pub path_field: Option<PathField>,
    /// Whether a file dialog of the system is open.
    pub awaits_dialog: bool,
    /// The open edit dialog.
    pub edit_dialog: Option<EditDialog>,
    /// Names of textures and shaders that surfaces of the model can use, once they are listed.
    pub material_names: Option<Arc<Vec<MaterialName>>>,
    /// Action that waits for the answer about unsaved changes.
    pub unsaved_prompt: Option<Box<Action>>,
    /// Notifications, the oldest first.
    pub notes: Vec<Notification>,
    /// Bytes of the thumbnails on disk; `None` until they are measured.
    pub thumbnails_on_disk: Option<u64>,
    /// Graphics adapter, API and driver, as text.
    pub graphics: String,
}

impl Default for Interface {
    fn default() -> Self {
        Self {
            panels: Panels {
                inspector: true,
                files: false,
                dialog: None,
                dock: None,
                dock_maximised: false,
                hidden: false,
            },
            theme: None,
            timeline: TimelineView::default(),
            failure: None,
            dismissed_losses: 0,
            structure: None,
            lint: None,
            versions: None,
            alternative: None,
            path_field: None,
            awaits_dialog: false,
            edit_dialog: None,
            material_names: None,
            unsaved_prompt: None,
            notes: Vec::new(),
            thumbnails_on_disk: None,
            graphics: String::new(),
        }
    }
}

/// Loads and exports.
#[derive(Default)]
pub struct Jobs {
    /// Name of the file that is loading.
    pub loading: Option<String>,
    loads: Loads,
    /// Save dialogs and their options.
    pub saving: Saving,
    /// The running export.
    pub work: Option<ExportJob>,
    file_to_save: Option<editing::FileToSave>,
}

/// State of the viewer: everything that the window shows and the user can change.
#[derive(Default)]
pub struct Session {
    /// The open document.
    pub document: Revised<Document>,
    /// View of the document.
    pub view: Revised<View>,
    /// Revision of the document when the poses were last updated.
    refreshed: u64,
    /// State of the panels.
    pub interface: Interface,
    /// Loads and exports.
    pub jobs: Jobs,
    /// Saved settings that no other field holds.
    pub preferences: Preferences,
    /// State of the last session.
    pub last_session: Option<LastSession>,
    /// Model files in list order. Every change replaces the `Arc`.
    pub model_list: Arc<[PathBuf]>,
    /// Overridden files of the list, with the name of the archive or file that overrides each.
    pub replaced_models: Arc<HashMap<PathBuf, String>>,
    /// Number of files in the listed folders whose model format cannot be read, by lower-case extension.
    pub left_out: BTreeMap<String, usize>,
    /// Whether the user opened a list of several models, rather than a single file.
    list_asked_for: bool,
    /// Search order for a model in one of a game's archives.
    pub search_order: SearchOrder,
    /// Interpretation of models in other conventions than those of the games (glTF).
    pub import: LoadOptions,
    /// Folders and archives that are searched before the models' own games. The last one is searched first.
    pub search_folders: Vec<PathBuf>,
    /// The listed model that was requested last, even if it failed to open; otherwise the file that was opened last.
    pub requested_path: Option<PathBuf>,
    /// Playback of an empty scene: speed, repeat mode and interpolation for the next model.
    clock: Playback,
}

impl Document {
    /// Returns the focused entity.
    #[must_use]
    pub fn entity(&self) -> Option<&Entity> {
        self.scene.entity(self.focus?)
    }

    /// Like [`Self::entity`], but mutable.
    pub fn entity_mut(&mut self) -> Option<&mut Entity> {
        let focus = self.focus?;
        self.scene.entity_mut(focus)
    }

    /// Returns the asset of the focused entity.
    #[must_use]
    pub fn asset(&self) -> Option<&ModelAsset> {
        self.entity().map(|entity| &entity.asset)
    }

    /// Returns the entity that the transport controls: the focused entity or its nearest ancestor with a track. If none
    /// has a track, returns the first entity with a track, or else the focused entity.
    #[must_use]
    pub fn track(&self) -> Option<&Entity> {
        let focus = self.entity()?;
        let mut at = Some(focus);
        while let Some(entity) = at.filter(|entity| !entity.has_track()) {
            at = entity.attachment.as_ref().and_then(|attachment| self.scene.entity(attachment.to));
        }
        at.or_else(|| self.scene.entities().iter().find(|entity| entity.has_track())).or(Some(focus))
    }

    /// Returns the track that the transport controls, of the entity from [`Self::track`].
    #[must_use]
    pub fn led_track(&self) -> Option<Track<'_>> {
        let entity = self.track()?;
        let is_torso = self.leads_torso && entity.model().has_torso();
        Some(entity.track(TrackId { entity: entity.id, is_torso }))
    }

    /// Returns all tracks. The torso precedes the legs.
    #[must_use]
    pub fn tracks(&self) -> Vec<Track<'_>> {
        let moving = self.scene.entities().iter().filter(|entity| entity.has_track());
        let mut tracks: Vec<Track> = moving.flat_map(Entity::tracks).collect();
        tracks.sort_by_key(|track| match track.entity.role {
            Role::Torso => 0,
            Role::Legs => 1,
            _ => 2,
        });
        tracks
    }

    /// Returns the pose of the focused entity.
    #[must_use]
    pub fn pose(&self) -> Option<&Pose> {
        self.entity().map(|entity| &entity.pose)
    }

    fn game(&self) -> Option<&'static str> {
        self.scene.entities().first().map(|entity| entity.model().format().game())
    }
}

impl Interface {
    /// Whether a dialog is open that blocks all input. Save dialogs do not.
    #[must_use]
    pub fn has_sheet(&self) -> bool {
        self.panels.dialog.is_some()
            || self.path_field.is_some()
            || self.edit_dialog.is_some()
            || self.unsaved_prompt.is_some()
    }
}

impl Session {
    /// Returns the inputs of the viewport.
    #[must_use]
    pub fn document_view(&self) -> DocumentView<'_> {
        DocumentView { document: &self.document, view: &self.view }
    }

    /// Whether a dialog is open. Dialogs block input to the rest of the window.
    #[must_use]
    pub fn has_dialog(&self) -> bool {
        self.interface.has_sheet() || self.jobs.saving.open.is_some()
    }

    /// Returns the focused entity.
    #[must_use]
    pub fn entity(&self) -> Option<&Entity> {
        self.document.entity()
    }

    /// Returns the asset of the focused entity.
    #[must_use]
    pub fn asset(&self) -> Option<&ModelAsset> {
        self.document.asset()
    }

    /// Returns the playback that the transport controls.
    #[must_use]
    pub fn playback(&self) -> &Playback {
        self.document.led_track().map_or(&self.clock, |track| track.playback)
    }

    /// Whether any entity plays.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.document.scene.is_playing()
    }

    /// Returns the name of the scene, with a star if there are unsaved changes.
    #[must_use]
    pub fn starred_name(&self) -> Option<String> {
        let star = if self.document.has_unsaved() { "*" } else { "" };
        self.name().map(|name| format!("{name}{star}"))
    }

    /// Returns the name of the scene: that of the character, or else of the first part.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.document.scene.name()
    }

    fn set_lighting(&mut self, lighting: LightingMode) {
        self.view.display.lighting = lighting;
        self.view.display.shading = Shading::Textured;
        self.view.display.alpha = Alpha::Material;
        if let Some(game) = self.document.game() {
            self.preferences.lighting.insert(game.to_owned(), lighting);
        }
    }

    fn set_texture_filter(&mut self, filter: TextureFilter) {
        self.view.display.texture_filter = filter;
        if let Some(game) = self.document.game() {
            self.preferences.texture_filters.insert(game.to_owned(), filter);
        }
    }

    /// Advances by `seconds`. Returns whether the image changes.
    pub fn advance(&mut self, seconds: f64) -> bool {
        let clips = self.is_playing() && self.advance_clips(seconds);
        let camera = self.advance_camera(seconds);
        clips | camera | self.advance_effects(seconds)
    }

    fn advance_clips(&mut self, seconds: f64) -> bool {
        let mut moved = false;
        let shown = self.document.led_track().map(|track| track.shown_frame());
        for entity in self.document.scene.entities_mut().iter_mut().filter(|entity| entity.has_track()) {
            let model = Arc::clone(&entity.asset.model);
            for playback in entity.playbacks_mut() {
                let before = playback.position;
                playback.advance(&model, seconds);
                #[allow(clippy::float_cmp, reason = "detects any change of the value")]
                let touched = playback.position != before;
                moved |= touched;
            }
        }
        if let Some(shown) = shown.filter(|_| moved) {
            self.follow_playhead(shown);
        }
        moved
    }

    /// Updates poses and transforms if the document changed since the last call.
    pub fn refresh(&mut self) {
        if self.refreshed != self.document.revision() {
            self.document.scene.refresh();
            self.refreshed = self.document.revision();
        }
    }
}
