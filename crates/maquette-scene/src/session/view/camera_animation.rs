//! Camera animation: transitions to a view, and the turntable.

use crate::scene::Camera;
use crate::session::{Session, View};

/// Duration of a transition, in seconds.
const SECONDS: f64 = 0.2;
/// Allowed duration of one turn of the turntable, in seconds.
pub const TURN_PERIODS: (f32, f32) = (2.0, 60.0);

/// State of the camera animation.
#[derive(Clone, Debug, PartialEq)]
pub struct CameraAnimation {
    /// Whether the camera glides to a new view instead of jumping.
    pub eased: bool,
    /// Whether the turntable is on.
    pub turntable: bool,
    /// Duration of one turn, in seconds; see [`TURN_PERIODS`].
    pub period: f32,
    going: Option<Going>,
}

#[derive(Clone, Debug, PartialEq)]
struct Going {
    from: Camera,
    to: Camera,
    passed: f64,
}

impl Default for CameraAnimation {
    fn default() -> Self {
        Self { eased: false, turntable: false, period: 12.0, going: None }
    }
}

impl CameraAnimation {
    /// Stops the transition.
    pub fn stop(&mut self) {
        self.going = None;
    }
}

impl View {
    /// Returns the camera at the end of the running transition; without a transition, the camera itself.
    pub fn goal(&self) -> &Camera {
        self.moves.going.as_ref().map_or(&self.camera, |going| &going.to)
    }
}

impl Session {
    /// Starts a transition to the camera that results from `change`. During a transition, `change` starts at its goal.
    pub(crate) fn go(&mut self, change: impl FnOnce(&mut Self)) {
        let shown = self.view.camera.clone();
        if let Some(going) = self.view.moves.going.take() {
            self.view.camera = going.to;
        }
        change(self);
        let from = Camera { projection: self.view.camera.projection, ..shown };
        if self.view.moves.eased && from != self.view.camera {
            let to = std::mem::replace(&mut self.view.camera, from.clone());
            self.view.moves.going = Some(Going { from, to, passed: 0.0 });
        }
    }

    /// Whether the camera is animated.
    pub fn camera_moves(&self) -> bool {
        self.view.moves.going.is_some() || self.turns()
    }

    fn turns(&self) -> bool {
        self.view.moves.turntable && !self.document.scene.entities().is_empty()
    }

    pub(crate) fn advance_camera(&mut self, seconds: f64) -> bool {
        if !self.camera_moves() {
            return false;
        }
        let view = &mut *self.view;
        if let Some(going) = &mut view.moves.going {
            going.passed += seconds;
            let left = 1.0 - going.passed / SECONDS;
            if left > 0.0 {
                // Slow down towards the end.
                view.camera = going.from.on_the_way(&going.to, (1.0 - left * left * left) as f32);
            } else {
                view.camera = going.to.clone();
                view.moves.going = None;
            }
        } else {
            let period = f64::from(view.moves.period.clamp(TURN_PERIODS.0, TURN_PERIODS.1));
            let yaw = f64::from(view.camera.yaw) + 360.0 * seconds / period;
            view.camera.yaw = ((yaw + 180.0).rem_euclid(360.0) - 180.0) as f32;
        }
        true
    }
}
