//! How the studio's light stands: the same three lights, turned as one.

/// Highest and lowest the main light may stand, in degrees above the horizon.
pub const KEY_ELEVATION: (f32, f32) = (-30.0, 88.0);
/// Where the main light stands at first, in degrees above the horizon.
pub const KEY_HOME: f32 = 48.0;
/// Least and most of [`Light::brightness`].
pub const BRIGHTNESS: (f32, f32) = (0.2, 3.0);

/// How the studio's light is turned, and how bright it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Light {
    /// Degrees that all lights are turned round Z towards the viewer's right, −180 to 180.
    pub azimuth: f32,
    /// Degrees that all lights are raised; see [`KEY_ELEVATION`].
    pub elevation: f32,
    /// All of the studio's light, as a factor; see [`BRIGHTNESS`].
    pub brightness: f32,
    /// It turns with the camera; else it stays in the world.
    pub follows_camera: bool,
    /// Yaw of the camera in degrees that it stays with while it does not follow.
    pub stays_at: f32,
}

impl Default for Light {
    fn default() -> Self {
        Self { azimuth: 0.0, elevation: 0.0, brightness: 1.0, follows_camera: true, stays_at: super::FIRST_VIEW.0 }
    }
}

impl Light {
    /// Turns by degrees; it goes round, and stops above and below.
    pub fn turn(&mut self, azimuth: f32, elevation: f32) {
        self.azimuth = (self.azimuth + azimuth + 180.0).rem_euclid(360.0) - 180.0;
        let (lowest, highest) = KEY_ELEVATION;
        self.elevation = (self.elevation + elevation).clamp(lowest - KEY_HOME, highest - KEY_HOME);
    }

    /// Yaw in degrees that the lights count from, for a camera at `yaw`.
    #[must_use]
    pub fn yaw(&self, yaw: f32) -> f32 {
        (if self.follows_camera { yaw } else { self.stays_at }) + self.azimuth
    }

    /// Lets it follow the camera or stay where it is; nothing leaps, neither way.
    pub fn follow(&mut self, follows: bool, yaw: f32) {
        if follows != self.follows_camera {
            let seen = self.yaw(yaw);
            self.follows_camera = follows;
            self.stays_at = yaw;
            self.azimuth = 0.0;
            self.turn(seen - yaw, 0.0);
        }
    }

    /// Turned back to where it stood at first, as bright as at first; whether it follows the camera stays.
    pub fn reset(&mut self, yaw: f32) {
        *self = Self { follows_camera: self.follows_camera, stays_at: yaw, ..Self::default() };
    }

    /// Whether it stands as at first.
    #[must_use]
    pub fn is_home(&self) -> bool {
        self.azimuth.abs() < 0.05 && self.elevation.abs() < 0.05 && (self.brightness - 1.0).abs() < 1e-3
    }
}
