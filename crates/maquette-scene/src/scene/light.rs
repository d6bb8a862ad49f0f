//! Studio light: three lights that turn together.

/// Allowed elevation of the main light, in degrees above the horizon.
pub const KEY_ELEVATION: (f32, f32) = (-30.0, 88.0);
/// Default elevation of the main light, in degrees above the horizon.
pub const KEY_HOME: f32 = 48.0;
/// Allowed values of [`Light::brightness`].
pub const BRIGHTNESS: (f32, f32) = (0.2, 3.0);

/// Direction and brightness of the studio light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Rotation of all lights about Z in degrees, −180 to 180. Positive values turn the lights to the viewer's right.
    pub azimuth: f32,
    /// Elevation of all lights in degrees, relative to [`KEY_HOME`]; see [`KEY_ELEVATION`].
    pub elevation: f32,
    /// Brightness factor; see [`BRIGHTNESS`].
    pub brightness: f32,
    /// Whether the brightness also adapts to the model's textures.
    pub is_automatic: bool,
    /// Whether the lights turn with the camera instead of staying fixed in the world.
    pub follows_camera: bool,
    /// Reference yaw in degrees while the lights do not follow the camera.
    pub stays_at: f32,
}

impl Default for Light {
    fn default() -> Self {
        Self {
            azimuth: 0.0,
            elevation: 0.0,
            brightness: 1.0,
            is_automatic: true,
            follows_camera: true,
            stays_at: super::FIRST_VIEW.0,
        }
    }
}

impl Light {
    /// Turns all lights by degrees. The azimuth wraps around, and the elevation is clamped.
    pub fn turn(&mut self, azimuth: f32, elevation: f32) {
        self.azimuth = (self.azimuth + azimuth + 180.0).rem_euclid(360.0) - 180.0;
        let (lowest, highest) = KEY_ELEVATION;
        self.elevation = (self.elevation + elevation).clamp(lowest - KEY_HOME, highest - KEY_HOME);
    }

    /// Returns the yaw of the lights in degrees, for a camera at `yaw`.
    pub fn yaw(&self, yaw: f32) -> f32 {
        (if self.follows_camera { yaw } else { self.stays_at }) + self.azimuth
    }

    /// Sets whether the lights follow the camera. They do not move visibly.
    pub fn follow(&mut self, follows: bool, yaw: f32) {
        if follows != self.follows_camera {
            let seen = self.yaw(yaw);
            self.follows_camera = follows;
            self.stays_at = yaw;
            self.azimuth = 0.0;
            self.turn(seen - yaw, 0.0);
        }
    }

    /// Resets direction and brightness. Lights that do not follow the camera refer to `yaw` afterwards.
    pub fn reset(&mut self, yaw: f32) {
        *self = Self { follows_camera: self.follows_camera, stays_at: yaw, ..Self::default() };
    }

    /// Whether direction and brightness are the defaults.
    pub fn is_home(&self) -> bool {
        self.azimuth.abs() < 0.05
            && self.elevation.abs() < 0.05
            && self.is_automatic
            && (self.brightness - 1.0).abs() < 1e-3
    }
}
