//! State of the panels.

pub(super) mod crossing_search;
pub(super) mod dock_tab;
pub(super) mod file_structure;
pub(super) mod folder_check;
pub(super) mod lint_view;
pub(super) mod notifications;
pub(super) mod path_field;
pub(super) mod thumbnails;
pub(super) mod timeline;
pub(super) mod triangle_counts;
pub(super) mod window_state;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::Arc;

use super::{
    Action, CrossingSearch, Dialog, DockTab, DropAlternative, EditDialog, FolderCheck, LintView, ModelVersions,
    Notification, PathField, StructureView, TimelineView, TriangleCounts,
};
use crate::scene::ColourTheme;
use maquette_assets::open::MaterialName;

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
    /// Whether the file could be read, so that its bytes can be shown.
    pub has_bytes: bool,
    /// Whether the file is a folder or an archive without models.
    pub has_no_model: bool,
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

impl Default for Panels {
    fn default() -> Self {
        Self { inspector: true, files: false, dialog: None, dock: None, dock_maximised: false, hidden: false }
    }
}

/// State of the panels.
#[derive(Default)]
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
    /// Search for crossing surfaces.
    pub crossings: Option<CrossingSearch>,
    /// Problems of the listed models.
    pub folder_check: FolderCheck,
    /// Numbers of triangles of the listed models.
    pub triangle_counts: TriangleCounts,
    /// Models of the list that are selected together.
    pub selected_models: BTreeSet<PathBuf>,
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
    /// Names of the game's light materials, known from the first light with a position.
    pub light_materials: Vec<String>,
    /// Action that waits for the answer about unsaved changes.
    pub unsaved_prompt: Option<Box<Action>>,
    /// Notifications, the oldest first.
    pub notes: Vec<Notification>,
    /// Bytes of the thumbnails on disk; `None` until they are measured.
    pub thumbnails_on_disk: Option<u64>,
    /// Graphics adapter, API and driver, as text.
    pub graphics: String,
}

impl Interface {
    /// Whether a dialog is open that blocks all input. Save dialogs do not.
    pub fn has_sheet(&self) -> bool {
        self.panels.dialog.is_some()
            || self.path_field.is_some()
            || self.edit_dialog.is_some()
            || self.unsaved_prompt.is_some()
    }
}
