//! Studio light: three lights that turn together.

use std::str::FromStr;

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

    /// Sets direction and brightness to those of a light that follows the camera, seen by a camera at `yaw`.
    pub fn set_as_seen(&mut self, seen: &Self, yaw: f32) {
        *self = Self { follows_camera: self.follows_camera, stays_at: yaw, ..*seen };
    }

    /// Returns the text of direction and brightness for a camera at `yaw`, for example `studio light=30,-10
    /// brightness=1.2`. It ends in `fixed` if the brightness does not adapt to the textures.
    pub fn text(&self, yaw: f32) -> String {
        let mut seen = Self { azimuth: 0.0, ..*self };
        seen.turn(self.yaw(yaw) - yaw, 0.0);
        let rounded = |number: f32| (number * 100.0).round() / 100.0 + 0.0;
        let (right, up, brightness) = (rounded(seen.azimuth), rounded(seen.elevation), rounded(seen.brightness));
        let fixed = if self.is_automatic { "" } else { " fixed" };
        format!("studio light={right},{up} brightness={brightness}{fixed}")
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

impl FromStr for Light {
    type Err = String;

    /// Parses the text of [`Light::text`] after `studio`, as a light that follows the camera.
    fn from_str(text: &str) -> Result<Self, String> {
        let mut light = Self::default();
        for word in text.split_whitespace() {
            let (name, value) = word.split_once('=').unwrap_or((word, ""));
            let numbers: Option<Vec<f32>> = value.split(',').map(|number| number.parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.iter().all(|number| number.is_finite()));
            match (name, numbers.as_deref()) {
                ("light", Some(&[right, up])) => light.turn(right, up),
                ("light", _) => return Err("light: expected two numbers, as in light=30,-10".to_owned()),
                ("brightness", Some(&[brightness])) => light.brightness = brightness.clamp(BRIGHTNESS.0, BRIGHTNESS.1),
                ("brightness", _) => return Err("brightness: expected a number".to_owned()),
                ("fixed", _) if value.is_empty() => light.is_automatic = false,
                _ => {
                    return Err(format!(
                        "unknown name “{name}” of the studio light; available: light, brightness, fixed"
                    ));
                }
            }
        }
        Ok(light)
    }
}
