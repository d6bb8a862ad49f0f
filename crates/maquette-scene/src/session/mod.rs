//! Session: open document, view, panels and jobs, without window and GPU. Tests drive it with lists of [`Action`]s.

mod action;
mod changed_files;
mod closing;
mod commands;
mod document;
mod drop;
mod effect;
mod interface;
mod keymap;
mod last_session;
mod loads;
mod model_list;
mod preferences;
mod revised;
mod saving;
mod settings;
mod unsaved;
mod view;

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

pub use action::{
    Action, CameraAction, ClockAction, Dialog, DisplayAction, EditAction, EditSubject, FileAction, Preference,
    SaveAction, SceneAction, SidePanel, TimelineAction, WindowAction,
};
pub use commands::{COMMANDS, Command, Group, command_for};
pub use document::Document;
pub use document::comparison::{CompareMode, Comparison};
pub use document::contact_sheet::SheetClip;
pub use document::editing::{EditDialog, EditField, set_material};
pub use document::history::{History, UNDO_HISTORY};
pub use document::issues::{Issue, IssueTarget, Severity};
pub use document::versions::{ModelVersion, ModelVersions, VersionKind};
pub use drop::{DropAction, DropAlternative, anchors_of, attachment_points, has_attachment_points};
pub use effect::{Effect, FilePrompt};
pub use interface::crossing_search::{CrossingSearch, CrossingSpan, SearchedSurface};
pub use interface::dock_tab::DockTab;
pub use interface::file_structure::{FileStructure, StructureView};
pub use interface::folder_check::{FileProblem, FolderCheck, ProblemKind};
pub use interface::lint_view::LintView;
pub use interface::notifications::{Notification, NotificationKind, NotificationOffer};
pub use interface::path_field::{FolderListing, PathField, path_from_root, split_typed, typed_path};
pub use interface::thumbnails::{THUMBNAILS_LOADED, THUMBNAILS_ON_DISK};
pub use interface::timeline::{FrameWindow, TimelineView, WIDEST_FRAME};
pub use interface::triangle_counts::TriangleCounts;
pub use interface::window_state::WindowState;
pub use interface::{Failure, Interface, Panels};
pub use keymap::Keymap;
pub use last_session::LastSession;
pub use loads::{LoadAnswer, LoadJob, LoadQueue, SessionUpdate};
pub use model_list::ModelFileChange;
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
pub use unsaved::UnsavedAnswer;
pub use view::View;
pub use view::camera_animation::{CameraAnimation, TURN_PERIODS};
pub use view::material_clock::MaterialClock;
pub use view::navigation::Navigation;

use crate::loader::FileStamp;
use crate::scene::{Alpha, Entity, LightingMode, Playback, Shading, TextureFilter};
pub use crate::scene::{Selection, SelectionLevel};
use maquette_assets::open::ModelAsset;
use maquette_assets::vfs::SearchOrder;
use maquette_core::bytes::LoadOptions;

/// All inputs of the viewport. If both revisions are unchanged, the image is unchanged.
#[derive(Clone, Copy)]
pub struct DocumentView<'a> {
    /// The open document.
    pub document: &'a Revised<Document>,
    /// Camera, display options and material time.
    pub view: &'a Revised<View>,
}

/// Loads and exports.
#[derive(Default)]
pub struct Jobs {
    /// Progress of the running load: `Opening gun.md3…`.
    pub loading: Option<String>,
    loads: LoadQueue,
    /// Save dialogs and their options.
    pub saving: Saving,
    /// The running export.
    pub work: Option<ExportJob>,
    file_to_save: Option<document::editing::FileToSave>,
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
    /// Size and date of each listed file.
    pub file_stamps: HashMap<PathBuf, FileStamp>,
    /// Coarser LODs of the listed models.
    coarser_levels: Vec<PathBuf>,
    /// Overridden files of the list, with the name of the archive or file that overrides each.
    pub replaced_models: Arc<HashMap<PathBuf, String>>,
    /// Files in the listed folders whose model format cannot be read.
    pub left_out: Arc<[PathBuf]>,
    /// Whether the user opened a list of several models, rather than a single file.
    list_asked_for: bool,
    /// Search order for a model in one of a game's archives.
    pub search_order: SearchOrder,
    /// Colours of shirt and trousers until another model is opened (MDL).
    pub player_colours: [Option<u8>; 2],
    /// Interpretation of models in other conventions than those of the games (glTF).
    pub import: LoadOptions,
    /// Folders and archives that are searched before the models' own games. The last one is searched first.
    pub search_folders: Vec<PathBuf>,
    /// The listed model that was requested last, even if it failed to open; otherwise the file that was opened last.
    pub requested_path: Option<PathBuf>,
    /// Playback of an empty scene: speed and interpolation for the next model.
    clock: Playback,
}

impl Session {
    /// Returns the inputs of the viewport.
    pub fn document_view(&self) -> DocumentView<'_> {
        DocumentView { document: &self.document, view: &self.view }
    }

    /// Whether a dialog is open. Dialogs block input to the rest of the window.
    pub fn has_dialog(&self) -> bool {
        self.interface.has_sheet() || self.jobs.saving.open.is_some()
    }

    /// Returns the focused entity.
    pub fn entity(&self) -> Option<&Entity> {
        self.document.entity()
    }

    /// Returns the asset of the focused entity.
    pub fn asset(&self) -> Option<&ModelAsset> {
        self.document.asset()
    }

    /// Returns the playback that the transport controls.
    pub fn playback(&self) -> &Playback {
        self.document.led_track().map_or(&self.clock, |track| track.playback)
    }

    /// Whether any entity plays.
    pub fn is_playing(&self) -> bool {
        self.document.scene.is_playing()
    }

    /// Returns the name of the scene, with a star if there are unsaved changes.
    pub fn starred_name(&self) -> Option<String> {
        let star = if self.document.has_unsaved() { "*" } else { "" };
        self.name().map(|name| format!("{name}{star}"))
    }

    /// Returns the name of the scene: that of the character, or else of the first part.
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
            self.drop_other_crossings();
        }
    }
}
