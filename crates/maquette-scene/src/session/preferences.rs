//! What is remembered from one start to the next. Where and how it is kept is the application's.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::{Keymap, Navigation, Session};
use crate::scene::{Background, CameraText, ColourTheme, FIELD_OF_VIEW, LightingMode, OverlayKind};
use maquette_assets::material::Limits;
use maquette_core::model::Format;

/// Everything that is remembered.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct Preferences {
    /// Dark or light; none follows the system.
    pub tone: Option<ColourTheme>,
    /// The lighting in which models of each game are shown.
    #[serde(rename = "looks")]
    pub lighting: BTreeMap<String, LightingMode>,
    /// The panels at the sides.
    pub panels: PanelPreferences,
    /// Sections of the inspector that the user opened or closed, by their titles.
    pub sections: BTreeMap<String, bool>,
    /// Ground grid.
    pub grid: bool,
    /// Ground shadow.
    pub shadow: bool,
    /// One colour behind the model, sRGB 0 to 255; none: the studio.
    pub background: Option<[u8; 3]>,
    /// What the hand does to the picture.
    pub navigation: Navigation,
    /// Full vertical opening of the perspective, in degrees.
    pub field_of_view: f32,
    /// Frames per second of clips whose file names no rate, by the format's extension.
    pub rates: BTreeMap<String, f32>,
    /// The user's own keys, by the label of the command.
    pub keys: Keymap,
    /// Read files again by itself when another program has saved them.
    pub watch: bool,
    /// Begin where the last session ended.
    pub restore: bool,
    /// The camera jumps instead of gliding, and nothing fades.
    pub reduced_motion: bool,
    /// Megabytes that the images of a model may take.
    pub image_memory: u32,
    /// How large the interface is, times what the system says.
    pub scale: f32,
    /// The first steps were seen.
    pub hints_seen: bool,
    /// What was opened, the newest first.
    pub recent: Vec<PathBuf>,
    /// Named views, as [`CameraText`](crate::scene::CameraText).
    pub views: BTreeMap<String, String>,
    /// Yaw and pitch in degrees from which models of a folder and of those below it are seen first.
    pub folder_views: BTreeMap<PathBuf, [f32; 2]>,
    /// Size of the window.
    pub window: Option<WindowPreferences>,
}

/// What is remembered of the panels at the sides.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
#[serde(default)]
pub struct PanelPreferences {
    /// The files are open.
    pub files: bool,
    /// The inspector is open.
    pub inspector: bool,
    /// Files at the right, inspector at the left.
    pub swapped: bool,
    /// Width of the files in points; none is the usual one.
    pub files_width: Option<f32>,
    /// Width of the inspector in points.
    pub inspector_width: Option<f32>,
    /// Height in points of a dock below the view.
    pub dock_height: Option<f32>,
    /// Width of a dock next to the view, in points.
    pub dock_width: Option<f32>,
    /// Whether tabs of the dock are next to the view, by title, where the user has chosen.
    pub dock_beside: BTreeMap<String, bool>,
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
            dock_beside: BTreeMap::new(),
        }
    }
}

/// What is remembered of the window.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct WindowPreferences {
    /// Width in points.
    pub width: f32,
    /// Height in points.
    pub height: f32,
    /// As large as the screen.
    #[serde(default)]
    pub maximized: bool,
}

impl Default for Preferences {
    fn default() -> Self {
        Self {
            tone: None,
            lighting: BTreeMap::new(),
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
            views: BTreeMap::new(),
            folder_views: BTreeMap::new(),
            window: None,
        }
    }
}

/// Sizes of the interface that are offered, times what the system says.
pub const SCALES: [f32; 6] = [0.8, 0.9, 1.0, 1.25, 1.5, 2.0];

/// Slowest and fastest rate that can be chosen, in frames per second.
pub const RATE_RANGE: (f32, f32) = (0.1, 1000.0);

/// Megabytes that the images of a model may take until someone changes it, and how far that can be changed.
pub const IMAGE_MEMORY: u32 = (Limits::MEMORY >> 20) as u32;
/// See [`IMAGE_MEMORY`].
pub const IMAGE_MEMORY_RANGE: (u32, u32) = (64, 65_536);

impl Preferences {
    /// Files and folders remembered as opened.
    pub const RECENT_KEPT: usize = 12;
    /// Named views that are kept.
    const VIEWS_KEPT: usize = 100;

    /// Puts what no window can hold back into its bounds: a file can be written by hand.
    #[must_use]
    pub fn sound(mut self) -> Self {
        let sound =
            |width: Option<f32>| width.filter(|width| width.is_finite()).map(|width| width.clamp(100.0, 2000.0));
        self.panels.files_width = sound(self.panels.files_width);
        self.panels.dock_height = sound(self.panels.dock_height);
        self.panels.dock_width = sound(self.panels.dock_width);
        self.panels.inspector_width = sound(self.panels.inspector_width);
        let usual = FIELD_OF_VIEW.to_degrees();
        self.field_of_view = if self.field_of_view.is_finite() { self.field_of_view.clamp(10.0, 90.0) } else { usual };
        self.scale = if self.scale.is_finite() { self.scale.clamp(0.5, 3.0) } else { 1.0 };
        self.rates.retain(|_, rate| rate.is_finite() && *rate > 0.0);
        self.rates.values_mut().for_each(|rate| *rate = rate.clamp(RATE_RANGE.0, RATE_RANGE.1));
        self.image_memory = self.image_memory.clamp(IMAGE_MEMORY_RANGE.0, IMAGE_MEMORY_RANGE.1);
        self.recent.truncate(Self::RECENT_KEPT);
        self.views.retain(|_, text| text.parse::<CameraText>().is_ok());
        self.folder_views.retain(|_, angles| angles.iter().all(|angle| angle.is_finite()));
        self.window =
            self.window.filter(|window| window.width.is_finite() && window.height.is_finite()).map(|window| {
                let (width, height) = (window.width.clamp(480.0, 16_384.0), window.height.clamp(360.0, 16_384.0));
                WindowPreferences { width, height, ..window }
            });
        self
    }

    /// Keeps a view under a name.
    pub fn keep_view(&mut self, name: &str, text: String) {
        let name = name.trim();
        if !name.is_empty() && (self.views.len() < Self::VIEWS_KEPT || self.views.contains_key(name)) {
            self.views.insert(name.to_owned(), text);
        }
    }

    /// Yaw and pitch in degrees from which models of a folder are seen first, where the user has chosen.
    #[must_use]
    pub fn folder_view(&self, folder: &Path) -> Option<[f32; 2]> {
        folder.ancestors().find_map(|folder| self.folder_views.get(folder)).copied()
    }

    /// Remembers what was opened, the newest first, nothing twice. A name that is no UTF-8 cannot be written down.
    pub fn opened(&mut self, path: &Path) {
        if path.to_str().is_none() {
            return;
        }
        self.recent.retain(|known| known != path);
        self.recent.insert(0, path.to_path_buf());
        self.recent.truncate(Self::RECENT_KEPT);
    }

    /// Frames per second of a format's clips whose file names no rate; none if nothing else than usual is wanted.
    #[must_use]
    pub fn rate_of(&self, format: Format) -> Option<f32> {
        self.rates.get(format.name()).copied()
    }
}

impl Session {
    /// Takes over what was remembered.
    pub fn recall(&mut self, preferences: Preferences) {
        let preferences = preferences.sound();
        self.interface.tone = preferences.tone;
        self.view.display.overlays.set(OverlayKind::Grid, preferences.grid);
        self.view.display.overlays.set(OverlayKind::Shadow, preferences.shadow);
        self.view.display.background = preferences.background.map_or(Background::Studio, Background::Colour);
        self.view.navigation = preferences.navigation;
        self.view.camera.field_of_view = preferences.field_of_view.to_radians();
        self.interface.panels.files = preferences.panels.files;
        self.interface.panels.inspector = preferences.panels.inspector;
        let games = Format::ALL.map(Format::game);
        let lighting = games.into_iter().filter_map(|game| Some((game, *preferences.lighting.get(game)?)));
        self.lighting_by_game = lighting.collect();
        self.preferences = preferences;
    }

    /// What is to be remembered, as things stand now.
    #[must_use]
    pub fn remembered(&self) -> Preferences {
        Preferences {
            tone: self.interface.tone,
            lighting: self.lighting_by_game.iter().map(|(game, mode)| ((*game).to_owned(), *mode)).collect(),
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
            // As it reads, not as radians come back.
            field_of_view: (self.goal().field_of_view.to_degrees() * 100.0).round() / 100.0,
            ..self.preferences.clone()
        }
    }
}
