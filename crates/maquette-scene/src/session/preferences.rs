//! Settings saved between sessions. The application chooses the location and the file format.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{COMMANDS, Dialog, Interface, Keymap, Navigation, Preference, Session, SidePanel};
use crate::scene::{Background, ColourTheme, FIELD_OF_VIEW, LightingMode, OverlayKind, TextureFilter, parse_view};
use maquette_assets::material::Limits;
use maquette_core::model::Format;

/// All saved settings.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Chosen theme; `None` follows the system.
    #[serde(rename = "tone")]
    pub theme: Option<ColourTheme>,
    /// Last lighting of the models of each game.
    #[serde(rename = "looks")]
    pub lighting: BTreeMap<String, LightingMode>,
    /// Last texture filter of the models of each game.
    pub texture_filters: BTreeMap<String, TextureFilter>,
    /// Whether fullbright colours of the skins in a model (MDL) are lit.
    pub lit_fullbrights: bool,
    /// Settings of the panels.
    pub panels: PanelPreferences,
    /// Sections of the inspector that the user opened or closed, by title.
    pub sections: BTreeMap<String, bool>,
    /// Whether the ground grid is shown.
    pub grid: bool,
    /// Whether the shadows on the ground and on the model are shown.
    pub shadow: bool,
    /// Background colour in sRGB, 0 to 255; `None` is the studio gradient.
    pub background: Option<[u8; 3]>,
    /// Mapping of mouse buttons.
    pub navigation: Navigation,
    /// Vertical field of view in degrees.
    pub field_of_view: f32,
    /// Frames per second of clips whose file specifies no rate, by file extension of the format.
    pub rates: BTreeMap<String, f32>,
    /// Changed shortcuts, by the id of the command.
    pub keys: Keymap,
    /// Whether files changed by other programs are reloaded.
    pub watch: bool,
    /// Whether the last session is reopened on start.
    pub restore: bool,
    /// Whether the camera jumps instead of gliding, and the interface does not fade.
    pub reduced_motion: bool,
    /// Memory limit for the images of a model, in megabytes.
    pub image_memory: u32,
    /// Scale of the interface, relative to that of the system.
    pub scale: f32,
    /// Whether the first steps were seen.
    pub hints_seen: bool,
    /// Recent files and folders, the newest first.
    pub recent: Vec<PathBuf>,
    /// Model shown last for each recent folder and archive.
    pub recent_models: BTreeMap<PathBuf, PathBuf>,
    /// Named views: camera, and lights after semicolons.
    pub views: BTreeMap<String, String>,
    /// First yaw and pitch in degrees, for models of a folder and its subfolders.
    pub folder_views: BTreeMap<PathBuf, [f32; 2]>,
    /// Size of the window.
    pub window: Option<WindowPreferences>,
}

/// Settings of the panels.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct PanelPreferences {
    /// Whether the file list is open.
    pub files: bool,
    /// Whether the inspector is open.
    pub inspector: bool,
    /// Whether files are at the right and the inspector at the left.
    pub swapped: bool,
    /// Width of the file list in points; `None` is the default.
    pub files_width: Option<f32>,
    /// Width of the inspector in points; `None` is the default.
    pub inspector_width: Option<f32>,
    /// Height of a dock below the view, in points; `None` is the default.
    pub dock_height: Option<f32>,
    /// Width of a dock next to the view, in points; `None` is the default.
    pub dock_width: Option<f32>,
    /// Tabs of the dock that the user moved, by id: whether the tab is next to the view.
    #[serde(rename = "dock_beside")]
    pub dock_at_side: BTreeMap<String, bool>,
}

impl Default for PanelPreferences {
    fn default() -> Self {
        Self {
            files: false,
            inspector: true,
            swapped: false,
            files_width: None,
            inspector_width: None,
            dock_height: None,
            dock_width: None,
            dock_at_side: BTreeMap::new(),
        }
    }
}

/// Settings of the window.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WindowPreferences {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// Whether the window is maximized.
    #[serde(default)]
    pub maximized: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            theme: None,
            lighting: BTreeMap::new(),
            texture_filters: BTreeMap::new(),
            lit_fullbrights: false,
            panels: PanelPreferences::default(),
            sections: BTreeMap::new(),
            grid: true,
            shadow: true,
            background: None,
            navigation: Navigation::default(),
            field_of_view: FIELD_OF_VIEW.to_degrees(),
            rates: BTreeMap::new(),
            keys: Keymap::default(),
            watch: true,
            restore: false,
            reduced_motion: false,
            image_memory: IMAGE_MEMORY,
            scale: 1.0,
            hints_seen: false,
            recent: Vec::new(),
            recent_models: BTreeMap::new(),
            views: BTreeMap::new(),
            folder_views: BTreeMap::new(),
            window: None,
        }
    }
}

/// Offered scales of the interface, relative to that of the system.
pub const SCALES: [f32; 6] = [0.8, 0.9, 1.0, 1.25, 1.5, 2.0];

/// Allowed frames per second of clips.
pub const RATE_RANGE: (f32, f32) = (0.1, 1000.0);

/// Default of [`Preferences::image_memory`], in megabytes.
pub const IMAGE_MEMORY: u32 = (Limits::MEMORY >> 20) as u32;
/// Allowed values of [`Preferences::image_memory`], in megabytes.
pub const IMAGE_MEMORY_RANGE: (u32, u32) = (64, 65_536);

impl Preferences {
    /// Maximum number of recent files and folders. Beyond the limit, the oldest are dropped.
    pub const MAX_RECENT: usize = 12;

    /// Returns the settings with every value within its limits. Values can be invalid, because users can edit the file.
    #[must_use]
    pub fn within_limits(mut self) -> Self {
        let width =
            |width: Option<f32>| width.filter(|width| width.is_finite()).map(|width| width.clamp(100.0, 2000.0));
        self.panels.files_width = width(self.panels.files_width);
        self.panels.dock_height = width(self.panels.dock_height);
        self.panels.dock_width = width(self.panels.dock_width);
        self.panels.inspector_width = width(self.panels.inspector_width);
        let usual = FIELD_OF_VIEW.to_degrees();
        self.field_of_view = if self.field_of_view.is_finite() { self.field_of_view.clamp(10.0, 90.0) } else { usual };
        self.scale = if self.scale.is_finite() { self.scale.clamp(0.5, 3.0) } else { 1.0 };
        self.rates.retain(|_, rate| rate.is_finite() && *rate > 0.0);
        self.rates.values_mut().for_each(|rate| *rate = rate.clamp(RATE_RANGE.0, RATE_RANGE.1));
        self.image_memory = self.image_memory.clamp(IMAGE_MEMORY_RANGE.0, IMAGE_MEMORY_RANGE.1);
        self.recent.truncate(Self::MAX_RECENT);
        self.views.retain(|_, text| parse_view(text).is_ok());
        self.folder_views.retain(|_, angles| angles.iter().all(|angle| angle.is_finite()));
        self.window =
            self.window.filter(|window| window.width.is_finite() && window.height.is_finite()).map(|window| {
                let (width, height) = (window.width.clamp(480.0, 16_384.0), window.height.clamp(360.0, 16_384.0));
                WindowPreferences { width, height, ..window }
            });
        self
    }

    /// Saves a view under a name.
    pub fn save_view(&mut self, name: &str, text: String) {
        let name = name.trim();
        if !name.is_empty() {
            self.views.insert(name.to_owned(), text);
        }
    }

    /// Returns the first yaw and pitch in degrees that the user chose for a folder or its nearest ancestor.
    pub fn folder_view(&self, folder: &Path) -> Option<[f32; 2]> {
        folder.ancestors().find_map(|folder| self.folder_views.get(folder)).copied()
    }

    /// Moves a path to the front of the recent paths. Paths that are not UTF-8 cannot be saved and are skipped.
    pub fn add_recent(&mut self, path: &Path) {
        if path.to_str().is_none() {
            return;
        }
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_path_buf());
        self.recent.truncate(Self::MAX_RECENT);
    }

    /// Records a model as the last one shown from the recent folders and archives that contain it.
    pub(super) fn set_recent_model(&mut self, model: &Path) {
        let Self { recent, recent_models, .. } = self;
        recent_models.retain(|folder, _| recent.contains(folder));
        let contains = |folder: &&PathBuf| model != folder.as_path() && model.starts_with(folder);
        let around = recent.iter().filter(|_| model.to_str().is_some()).filter(contains);
        recent_models.extend(around.map(|folder| (folder.clone(), model.to_path_buf())));
    }

    /// Returns the frames per second of a format's clips whose file specifies no rate; `None` is the default.
    pub fn rate_of(&self, format: Format) -> Option<f32> {
        self.rates.get(format.name()).copied()
    }
}

impl Interface {
    pub(super) fn toggle_panel(&mut self, panel: SidePanel) {
        let panels = &mut self.panels;
        match panel {
            SidePanel::Inspector => panels.inspector = !panels.inspector,
            SidePanel::Files => panels.files = !panels.files,
        }
        panels.hidden = false;
    }
}

impl Preferences {
    pub(super) fn set_panel_width(&mut self, panel: SidePanel, width: f32) {
        let panels = &mut self.panels;
        match panel {
            SidePanel::Files => panels.files_width = Some(width),
            SidePanel::Inspector => panels.inspector_width = Some(width),
        }
    }

    pub(super) fn set_keys(&mut self, id: &str, keys: &str) {
        if let Some(command) = COMMANDS.iter().find(|command| command.id == id) {
            self.keys.set(command, keys);
        }
    }
}

impl Session {
    /// Applies saved settings.
    pub fn apply_preferences(&mut self, preferences: Preferences) {
        let preferences = preferences.within_limits();
        self.interface.theme = preferences.theme;
        self.view.display.overlays.set(OverlayKind::Grid, preferences.grid);
        self.view.display.overlays.set(OverlayKind::Shadow, preferences.shadow);
        self.view.display.background = preferences.background.map_or(Background::Studio, Background::Colour);
        self.view.navigation = preferences.navigation;
        self.view.camera.field_of_view = preferences.field_of_view.to_radians();
        self.interface.panels.files = preferences.panels.files;
        self.interface.panels.inspector = preferences.panels.inspector;
        self.preferences = preferences;
    }

    /// Returns the settings to save.
    pub fn current_preferences(&self) -> Preferences {
        Preferences {
            theme: self.interface.theme,
            panels: PanelPreferences {
                files: self.interface.panels.files,
                inspector: self.interface.panels.inspector,
                ..self.preferences.panels.clone()
            },
            grid: self.view.display.shows(OverlayKind::Grid),
            shadow: self.view.display.shows(OverlayKind::Shadow),
            background: match self.view.display.background {
                Background::Colour(colour) => Some(colour),
                Background::Studio | Background::Transparent => None,
            },
            navigation: self.view.navigation,
            // Round the angle, because the conversion from radians is inexact.
            field_of_view: (self.view.goal().field_of_view.to_degrees() * 100.0).round() / 100.0,
            ..self.preferences.clone()
        }
    }

    pub(super) fn toggle_dialog(&mut self, dialog: Dialog) {
        let open = &mut self.interface.panels.dialog;
        if *open == Some(Dialog::Hints) {
            self.preferences.hints_seen = true;
        }
        *open = (*open != Some(dialog)).then_some(dialog);
    }

    pub(super) fn set_preference(&mut self, preference: Preference) {
        let preferences = &mut self.preferences;
        match preference {
            Preference::Section(title, open) => drop(preferences.sections.insert(title.to_owned(), open)),
            Preference::Watch(watch) => preferences.watch = watch,
            Preference::Restore(restore) => preferences.restore = restore,
            Preference::ReducedMotion(reduced) => {
                preferences.reduced_motion = reduced;
                self.view.moves.eased = !reduced;
            }
            Preference::Scale(scale) => preferences.scale = if scale.is_finite() { scale.clamp(0.5, 3.0) } else { 1.0 },
            Preference::ImageMemory(megabytes) => {
                let (min, max) = IMAGE_MEMORY_RANGE;
                preferences.image_memory = megabytes.clamp(min, max);
            }
            Preference::SwapPanels(swapped) => preferences.panels.swapped = swapped,
            Preference::Rate(format, rate) => {
                let rate = rate.filter(|rate| rate.is_finite()).map(|rate| rate.clamp(RATE_RANGE.0, RATE_RANGE.1));
                match rate {
                    Some(rate) => preferences.rates.insert(format.name().to_owned(), rate),
                    None => preferences.rates.remove(format.name()),
                };
                self.apply_default_rates();
            }
        }
    }

    pub(super) fn apply_default_rates(&mut self) {
        for entity in self.document.scene.entities_mut() {
            let rate = self.preferences.rate_of(entity.asset.model.format());
            entity.playbacks_mut().for_each(|playback| playback.usual_rate = rate);
        }
    }
}
