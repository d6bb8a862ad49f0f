//! What the user wants: what is open, how it is looked at, what the panels show, what is being read and made. No window
//! and no GPU, so a list of [`Action`]s is a test.

#![forbid(unsafe_code)]

mod action;
mod caches;
mod camera_animation;
mod changed_files;
mod commands;
mod comparison;
mod contact_sheet;
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
mod load;
mod load_results;
mod material_clock;
mod model_list;
mod multi_selection;
mod notifications;
mod path_field;
mod preferences;
mod revised;
mod saving;
mod selection_by_name;
mod skins;
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
    Action, CameraAction, ClockAction, Dialog, DisplayAction, DockTab, EditAction, EditSubject, FileAction, Preference,
    SaveAction, SceneAction, SidePanel, TimelineAction, WindowAction,
};
pub use caches::{THUMBNAILS_LOADED, THUMBNAILS_ON_DISK, UNDO_HISTORY};
pub use camera_animation::{CameraAnimation, TURN_PERIODS};
pub use commands::{COMMANDS, Command, Group, command_for};
pub use comparison::{CompareMode, Comparison};
pub use contact_sheet::SheetClip;
pub use drop::{DropAction, DropAlternative, anchors_of, has_places, places};
pub use editing::{EditDialog, EditField, is_same_path};
pub use effect::{Effect, FilePrompt};
pub use file_structure::{FileStructure, StructureView};
pub use history::History;
pub use issues::{Issue, IssueTarget, Severity};
pub use keymap::Keymap;
pub use last_session::LastSession;
pub use lint_view::LintView;
pub use load::{Finish, Load, LoadAnswer, Loads, ModelList, Ticket};
pub use material_clock::MaterialClock;
pub use model_list::FoundModel;
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
pub use timeline::{FrameWindow, TimelineView, WIDEST_FRAME};
pub use unsaved::UnsavedAnswer;
pub use versions::{ModelVersion, ModelVersions, VersionKind};
pub use view::Navigation;
pub use window_state::WindowState;

use crate::scene::{
    Alpha, Camera, ClipChoice, ColourTheme, Display, Entity, EntityId, LightingMode, Onion, Overlays, Playback, Scene,
    Shading,
};
pub use crate::scene::{Selection, SelectionLevel};
use maquette_assets::open::{MaterialNames, ModelAsset, Role};
use maquette_assets::vfs::SearchOrder;
use maquette_core::model::Bounds;
use maquette_core::pose::Pose;

/// A file that was not opened, for the strip above the picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// `grunt.md3 was not opened`
    pub title: String,
    /// The reason in a sentence.
    pub message: String,
    /// What it means for what is in the scene.
    pub advice: String,
    /// The file.
    pub file: PathBuf,
    /// A part of it is intact and can be opened.
    pub is_damaged: bool,
    /// It is a folder: it has no bytes of its own.
    pub is_folder: bool,
}

/// Which panels are open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Panels {
    /// At the right.
    pub inspector: bool,
    /// At the left.
    pub files: bool,
    /// The dialog that lies over the window.
    pub dialog: Option<Dialog>,
    /// The tab of the dock; `None` while the dock is closed.
    pub dock: Option<DockTab>,
    /// Whether the dock takes the place of the view.
    pub dock_maximised: bool,
    /// All hidden for the moment.
    pub hidden: bool,
}

/// What is open: the scene, what is chosen of it, what can be undone.
#[derive(Clone)]
pub struct Document {
    /// The models and how they stand.
    pub scene: Scene,
    /// Which of the entities the panels tell of; none while the scene is empty.
    pub focus: Option<EntityId>,
    /// What is looked at closely, of the entity in focus.
    pub selection: Selection,
    /// The figure is selected as a whole, see [`Document::selects_figure`].
    whole_figure: bool,
    /// Two models that are compared.
    pub comparison: Option<Comparison>,
    /// From where distances to what is selected are measured.
    pub measured_from: Option<(EntityId, Selection)>,
    /// What is followed from frame to frame besides the selection.
    pub pinned: Vec<(EntityId, Selection)>,
    /// Surfaces that are selected beside the one of `selection`.
    pub other_surfaces: BTreeSet<usize>,
    /// Legs and torso go together as in the game.
    pub paired: bool,
    /// What is odd in the files of the scene, and what the skins worn did not find; the worst first.
    pub issues: Vec<Issue>,
    /// What can be undone.
    pub history: History,
    /// Parts that the last reload replaced.
    before_reload: Vec<(EntityId, ModelAsset)>,
    /// Where the ground lies: the lowest point in the clips that were first shown.
    pub floor: f32,
    /// What is reached in those clips: the scene stays as large while it moves. Empty without surfaces.
    pub extent: Bounds,
    /// Outermost points of the frames looked at: what a view of the moving model must hold.
    reach: Vec<Vec3>,
}

impl Default for Document {
    fn default() -> Self {
        Self {
            scene: Scene::default(),
            focus: None,
            selection: Selection::None,
            whole_figure: false,
            comparison: None,
            measured_from: None,
            pinned: Vec::new(),
            other_surfaces: BTreeSet::new(),
            paired: true,
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
    /// Chooses a clip for an entity, and for its counterpart if legs and torso are paired.
    pub fn choose(&mut self, id: EntityId, choice: ClipChoice) {
        self.scene.choose(id, choice, self.paired);
    }
}

/// How the scene is looked at.
#[derive(Clone)]
pub struct View {
    /// From where.
    pub camera: Camera,
    /// How the camera moves by itself; nothing glides unless the window asks for it.
    pub moves: CameraAnimation,
    /// What the hand does to the picture.
    pub navigation: Navigation,
    /// What a click on the model selects.
    pub selection_level: SelectionLevel,
    /// Every switch of the picture.
    pub display: Display,
    /// The clock of moving materials.
    pub material_clock: MaterialClock,
    /// Neighbours of the frame shown as ghosts.
    pub onion: Onion,
    /// Width over height of the picture, told by the window.
    pub aspect: f32,
    /// The model was framed before the window had told how large the picture is.
    fit_when_sized: bool,
    /// Frames within which the dock may change the shape of the view.
    reshaping_frames: u8,
    /// What was switched on before a model that has nothing but tags and joints.
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
    /// Moves the camera so that it shows all `points`.
    pub fn frame(&mut self, points: &[Vec3]) {
        self.camera.frame(points.iter().copied(), self.aspect);
    }
}

/// Everything that the viewport depends on. While both revisions are the same, so is the image.
#[derive(Clone, Copy)]
pub struct DocumentView<'a> {
    /// The open document.
    pub document: &'a Revised<Document>,
    /// Camera, display options and clock of the viewport.
    pub view: &'a Revised<View>,
}

/// What the panels show besides the document.
pub struct Interface {
    /// Which panels are open.
    pub panels: Panels,
    /// Dark or light as chosen; `None` follows the system.
    pub tone: Option<ColourTheme>,
    /// Which frames the timeline shows.
    pub timeline: TimelineView,
    /// A file that was not opened.
    pub failure: Option<Failure>,
    /// How many losses there were when the user last put their message away.
    pub dismissed_losses: usize,
    /// The file that is taken apart.
    pub anatomy: Option<StructureView>,
    /// What is wrong with the part in focus for an engine.
    pub lint: Option<LintView>,
    /// Other versions of the model that will be compared.
    pub versions: Option<ModelVersions>,
    /// What else could be done with what was dropped.
    pub alternative: Option<DropAlternative>,
    /// A field to type a path into.
    pub path_field: Option<PathField>,
    /// Whether the system was asked for a file dialog and has not answered yet.
    pub awaits_dialog: bool,
    /// What is asked for about the model's file.
    pub edit_dialog: Option<EditDialog>,
    /// What the surfaces of the model can name, once it is known.
    pub material_names: Option<Arc<MaterialNames>>,
    /// What is to be done once it is known what becomes of unsaved changes.
    pub unsaved_prompt: Option<Box<Action>>,
    /// What happened, oldest first.
    pub notes: Vec<Notification>,
    /// Bytes of the thumbnails on disk; `None` until they are measured.
    pub thumbnails_on_disk: Option<u64>,
    /// Name of the graphics adapter, its interface and its driver.
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
            tone: None,
            timeline: TimelineView::default(),
            failure: None,
            dismissed_losses: 0,
            anatomy: None,
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

/// What is being read and made.
#[derive(Default)]
pub struct Jobs {
    /// Name of what is being opened.
    pub loading: Option<String>,
    /// Loads under way and waiting.
    loads: Loads,
    /// Pictures, films and contact sheets, and how they were saved last.
    pub saving: Saving,
    /// What is being made on a thread of its own.
    pub work: Option<ExportJob>,
    /// A model's file that is being saved.
    file_to_save: Option<editing::FileToSave>,
}

/// Everything the window shows and the user can change.
#[derive(Default)]
pub struct Session {
    /// The open document.
    pub document: Revised<Document>,
    /// Camera, display options and clock of the viewport.
    pub view: Revised<View>,
    /// Revision of the document whose poses were last brought up to date.
    refreshed: u64,
    /// What the panels show besides.
    pub interface: Interface,
    /// What is being read and made.
    pub jobs: Jobs,
    /// What is remembered from start to start and stands nowhere else.
    pub preferences: Preferences,
    /// The lighting in which models of each game were last shown.
    pub lighting_by_game: BTreeMap<&'static str, LightingMode>,
    /// Where the last session ended.
    pub last_session: Option<LastSession>,
    /// Model files to go through, in the order of the list. Another list is another `Arc`.
    pub model_list: Arc<[PathBuf]>,
    /// Those of them that a later archive of their game, or a loose file, replaces; and the name of what does.
    pub replaced_models: Arc<HashMap<PathBuf, String>>,
    /// Files beside them of model formats that are not read here: how many are called `.iqm` and the like, in lower case.
    pub left_out: BTreeMap<String, usize>,
    /// Whether the user named the list and it has several models; otherwise the open file brought it along.
    list_asked_for: bool,
    /// Whose files come first for a model in one of a game's archives.
    pub search_order: SearchOrder,
    /// Folders and archives that are searched before the models' own games, the last one first.
    pub search_folders: Vec<PathBuf>,
    /// The listed model that was asked for last, whether or not it could be opened, or the file that was opened last.
    pub requested_path: Option<PathBuf>,
    /// The clock of an empty scene: speed, repeat and interpolation for what comes next.
    clock: Playback,
}

impl Session {
    /// What a picture of the session depends on.
    #[must_use]
    pub fn shown(&self) -> DocumentView<'_> {
        DocumentView { document: &self.document, view: &self.view }
    }

    /// Whether a dialog lies over the window: what is under it answers to nothing.
    #[must_use]
    pub fn has_dialog(&self) -> bool {
        self.has_sheet() || self.jobs.saving.open.is_some()
    }

    /// The same, but for those that save images and the like, which keep what is typed in them.
    #[must_use]
    pub fn has_sheet(&self) -> bool {
        let interface = &self.interface;
        interface.panels.dialog.is_some()
            || interface.path_field.is_some()
            || interface.edit_dialog.is_some()
            || interface.unsaved_prompt.is_some()
    }

    /// The entity that the panels tell of.
    #[must_use]
    pub fn entity(&self) -> Option<&Entity> {
        self.document.scene.entity(self.document.focus?)
    }

    /// The entity that the panels tell of, to be changed.
    pub fn entity_mut(&mut self) -> Option<&mut Entity> {
        let focus = self.document.focus?;
        self.document.scene.entity_mut(focus)
    }

    /// The part that the panels tell of.
    #[must_use]
    pub fn asset(&self) -> Option<&ModelAsset> {
        self.entity().map(|entity| &entity.asset)
    }

    /// The entity whose clock the transport moves: the one in focus, else the nearest of its parents that has several
    /// frames, else any that has.
    #[must_use]
    pub fn track(&self) -> Option<&Entity> {
        let focus = self.entity()?;
        let mut at = Some(focus);
        while let Some(entity) = at.filter(|entity| !entity.has_track()) {
            at = entity.attachment.as_ref().and_then(|attachment| self.document.scene.entity(attachment.to));
        }
        at.or_else(|| self.document.scene.entities().iter().find(|entity| entity.has_track())).or(Some(focus))
    }

    /// Every entity that has a clock to show; torso before legs.
    #[must_use]
    pub fn tracks(&self) -> Vec<&Entity> {
        let mut tracks: Vec<&Entity> =
            self.document.scene.entities().iter().filter(|entity| entity.has_track()).collect();
        tracks.sort_by_key(|entity| match entity.role {
            Role::Torso => 0,
            Role::Legs => 1,
            _ => 2,
        });
        tracks
    }

    /// The clock that the transport moves; that of an empty scene while there is none.
    #[must_use]
    pub fn playback(&self) -> &Playback {
        self.track().map_or(&self.clock, |entity| &entity.playback)
    }

    /// Whether time passes.
    #[must_use]
    pub fn is_playing(&self) -> bool {
        self.document.scene.is_playing()
    }

    /// The pose of the entity in focus.
    #[must_use]
    pub fn pose(&self) -> Option<&Pose> {
        self.entity().map(|entity| &entity.pose)
    }

    /// The name with a star if anything is not saved.
    #[must_use]
    pub fn starred_name(&self) -> Option<String> {
        let star = if self.has_unsaved() { "*" } else { "" };
        self.name().map(|name| format!("{name}{star}"))
    }

    /// Name of what stands there, for the title and for sentences: the figure's, else the first part's.
    #[must_use]
    pub fn name(&self) -> Option<&str> {
        self.document.scene.name()
    }

    /// The game that the first model is of, by its format.
    fn game(&self) -> Option<&'static str> {
        self.document.scene.entities().first().map(|entity| entity.model().format().game())
    }

    /// Shows the model in another light, and this game's models from now on.
    fn set_lighting(&mut self, lighting: LightingMode) {
        self.view.display.lighting = lighting;
        self.view.display.shading = Shading::Textured;
        self.view.display.alpha = Alpha::Material;
        if let Some(game) = self.game() {
            self.lighting_by_game.insert(game, lighting);
        }
    }

    /// Lets time pass. True if the picture changes.
    pub fn advance(&mut self, seconds: f64) -> bool {
        let clips = self.is_playing() && self.advance_clips(seconds);
        let camera = self.advance_camera(seconds);
        clips | camera | self.advance_effects(seconds)
    }

    fn advance_clips(&mut self, seconds: f64) -> bool {
        let mut moved = false;
        let shown = self.track().map(|track| track.playback.shown_frame(track.model()));
        for entity in self.document.scene.entities_mut().iter_mut().filter(|entity| entity.has_track()) {
            let before = entity.playback.position;
            entity.playback.advance(&entity.asset.model, seconds);
            #[allow(clippy::float_cmp, reason = "asks whether it was touched at all")]
            let touched = entity.playback.position != before;
            moved |= touched;
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
