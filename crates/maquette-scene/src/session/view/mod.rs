//! View of the document: camera, display options and time of materials.

pub(super) mod camera_animation;
pub(super) mod framing;
pub(super) mod material_clock;
pub(super) mod navigation;

use glam::Vec3;

use super::{CameraAnimation, MaterialClock, Navigation};
use crate::scene::{Camera, Display, Onion, Overlays, SelectionLevel};

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
    pub(crate) fit_when_sized: bool,
    /// Number of further frames in which the dock may change the shape of the viewport.
    pub(crate) reshaping_frames: u8,
    /// Overlays to restore after a model without surfaces, for which tags and joints were switched on.
    pub(crate) switched: Option<Overlays>,
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
