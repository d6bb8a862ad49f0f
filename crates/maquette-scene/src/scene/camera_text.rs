//! Camera as text: the value of `--camera`, and the text that *Copy view* puts on the clipboard.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use glam::Vec3;

use super::{Camera, GameLight, Light};

/// Position and directions of a camera in world space.
///
/// The text form is `origin=X,Y,Z forward=X,Y,Z up=X,Y,Z fov=DEGREES`; `up` and `fov` may be left out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CameraText {
    /// Position of the eye, in units.
    pub origin: Vec3,
    /// View direction, of any length.
    pub forward: Vec3,
    /// Direction that points up in the image.
    pub up: Vec3,
    /// Horizontal field of view, in degrees.
    pub angle: f32,
}

impl CameraText {
    /// Returns the text form of a camera for an image of width / height `aspect`.
    #[must_use]
    pub fn from_camera(camera: &Camera, aspect: f32) -> Self {
        let angle = 2.0 * ((camera.field_of_view / 2.0).tan() * aspect).atan();
        let (forward, up) = (-camera.towards_eye(), camera.right_up().1);
        Self { origin: camera.eye(), forward, up, angle: angle.to_degrees() }
    }

    /// Returns the camera for a viewport of width / height `aspect`. It orbits the point on its line of sight that is
    /// nearest to `middle`. Returns `None` if `forward` and `up` are parallel, or a number is not finite.
    pub fn camera(&self, middle: Vec3, aspect: f32) -> Option<Camera> {
        let distance = (middle - self.origin).dot(self.forward.normalize_or_zero()).max(1.0);
        Camera::looking(self.origin, self.forward, self.up, self.angle.to_radians(), aspect, distance)
    }
}

/// Camera of a view, and its lights.
pub type ViewText = (CameraText, ViewLights);

/// Lights of a view; `None` for those that the view does not set.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ViewLights {
    /// Studio light, relative to the camera.
    pub studio: Option<Light>,
    /// Lights of the in-game look.
    pub game: Option<Arc<[GameLight]>>,
}

/// Parses a camera, and after semicolons the studio light and the lights of the in-game look, if any. The camera is
/// valid even if the lights are not.
pub fn parse_view(text: &str) -> Result<(CameraText, Result<ViewLights, String>), String> {
    let (camera, lights) = text.split_once(';').unwrap_or((text, ""));
    Ok((camera.parse()?, parse_lights(lights)))
}

fn parse_lights(text: &str) -> Result<ViewLights, String> {
    let (first, others) = text.split_once(';').unwrap_or((text, ""));
    let studio = first.trim().strip_prefix("studio ");
    let game = GameLight::from_texts(if studio.is_some() { others } else { text })?;
    Ok(ViewLights { studio: studio.map(str::parse).transpose()?, game })
}

impl fmt::Display for CameraText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The last digit changes the image by less than a pixel. Adding 0 turns -0 into 0.
        let rounded = |number: f32, digits: f32| (number * digits).round() / digits + 0.0;
        let vector =
            |vector: Vec3, digits: f32| vector.to_array().map(|number| rounded(number, digits).to_string()).join(",");
        let (forward, up) = (vector(self.forward, 1e4), vector(self.up, 1e4));
        write!(out, "origin={} forward={forward} up={up} fov={}", vector(self.origin, 1e3), rounded(self.angle, 1e3))
    }
}

impl FromStr for CameraText {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (mut origin, mut forward, mut up, mut angle) = (None, None, Vec3::Z, 40.0);
        for word in text.split_whitespace() {
            let (name, value) =
                word.split_once('=').ok_or_else(|| format!("unexpected “{word}”; expected name=value"))?;
            let numbers: Option<Vec<f32>> = value.split(',').map(|number| number.trim().parse().ok()).collect();
            let numbers = numbers.filter(|numbers| numbers.iter().all(|number: &f32| number.is_finite()));
            match (name, numbers.as_deref()) {
                ("origin", Some(&[x, y, z])) => origin = Some(Vec3::new(x, y, z)),
                ("forward", Some(&[x, y, z])) => forward = Some(Vec3::new(x, y, z)),
                ("up", Some(&[x, y, z])) => up = Vec3::new(x, y, z),
                ("fov", Some(&[degrees])) if degrees > 0.0 && degrees < 180.0 => angle = degrees,
                ("fov", _) => return Err("fov: expected more than 0 and less than 180 degrees".to_owned()),
                ("origin" | "forward" | "up", _) => {
                    return Err(format!("{name}: expected three numbers, as in {name}=1,0,0"));
                }
                _ => return Err(format!("unknown name “{name}”; available: origin, forward, up, fov")),
            }
        }
        let missing = || "expected origin=X,Y,Z and forward=X,Y,Z".to_owned();
        Ok(Self { origin: origin.ok_or_else(missing)?, forward: forward.ok_or_else(missing)?, up, angle })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn camera_round_trips_through_text() {
        let camera = Camera {
            target: Vec3::new(3.0, -2.0, 30.0),
            yaw: 118.0,
            pitch: -12.0,
            distance: 75.0,
            roll: 8.0,
            ..Camera::default()
        };
        let text = CameraText::from_camera(&camera, 1.6).to_string();
        let back = text.parse::<CameraText>().unwrap().camera(camera.target, 1.6).unwrap();
        let near = |a: f32, b: f32| assert!((a - b).abs() < 0.02, "{a} and {b} in {text}");
        near(back.eye().distance(camera.eye()), 0.0);
        near(back.yaw, camera.yaw);
        near(back.pitch, camera.pitch);
        near(back.roll, camera.roll);
        near(back.distance, camera.distance);
        near(back.field_of_view.to_degrees(), camera.field_of_view.to_degrees());
        // Computed by hand: from the front, 100 units away.
        let front = Camera { yaw: 0.0, pitch: 0.0, field_of_view: 90.0_f32.to_radians(), ..Camera::default() };
        assert_eq!(CameraText::from_camera(&front, 1.0).to_string(), "origin=100,0,0 forward=-1,0,0 up=0,0,1 fov=90");
    }
}
