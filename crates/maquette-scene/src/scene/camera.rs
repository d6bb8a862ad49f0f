//! Camera that orbits a point. World space is X forward, Y left, Z up, so the front view looks along −X.

use glam::{Affine3A, Mat4, Vec2, Vec3, Vec4};

use super::{Choice, Choices};
use maquette_core::model::Bounds;

/// Default vertical field of view in perspective, in radians: 30 degrees.
pub const FIELD_OF_VIEW: f32 = 30.0 * std::f32::consts::PI / 180.0;
/// Allowed fields of view, in radians: 10 to 90 degrees.
pub const FIELD_OF_VIEW_RANGE: (f32, f32) = (10.0 * std::f32::consts::PI / 180.0, std::f32::consts::FRAC_PI_2);
/// Share of the viewport's width or height, whichever is tighter, that a framed model fills.
pub const FRAME_FILL: f32 = 0.84;
/// Yaw and pitch of the first view, in degrees: the eye is to the left of the model's face and above it.
pub const FIRST_VIEW: (f32, f32) = (35.0, 10.0);
/// Maximum pitch when orbiting, in degrees. The camera stops just short of the poles.
const STEEPEST: f32 = 89.9;

/// Projection of the camera.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Projection {
    /// Distant objects are smaller.
    #[default]
    Perspective,
    /// Size does not depend on distance.
    Orthographic,
}

impl Projection {
    /// Changes to the other projection.
    pub(crate) fn toggle(&mut self) {
        *self = match self {
            Self::Perspective => Self::Orthographic,
            Self::Orthographic => Self::Perspective,
        };
    }
}

/// Named views.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StandardView {
    /// The model's face: the camera looks along −X.
    Front,
    /// The model's back.
    Back,
    /// The model's left side (+Y).
    Left,
    /// The model's right side (−Y).
    Right,
    /// The view from above.
    Top,
    /// The view from below.
    Bottom,
    /// Yaw 45 degrees, pitch 35.26 degrees.
    Isometric,
}

impl Choices for StandardView {
    const CHOICES: &'static [Choice<Self>] = &[
        Choice::new(Self::Front, "Front"),
        Choice::new(Self::Back, "Back"),
        Choice::new(Self::Left, "Left"),
        Choice::new(Self::Right, "Right"),
        Choice::new(Self::Top, "Top"),
        Choice::new(Self::Bottom, "Bottom"),
        Choice::new(Self::Isometric, "Isometric"),
    ];
}

impl StandardView {
    /// Returns the view from the other side. The opposite of the isometric view is itself.
    #[must_use]
    pub fn opposite(self) -> Self {
        match self {
            Self::Front => Self::Back,
            Self::Back => Self::Front,
            Self::Left => Self::Right,
            Self::Right => Self::Left,
            Self::Top => Self::Bottom,
            Self::Bottom => Self::Top,
            Self::Isometric => Self::Isometric,
        }
    }

    /// Returns yaw and pitch in degrees, as in [`Camera`].
    pub fn angles(self) -> (f32, f32) {
        match self {
            Self::Front => (0.0, 0.0),
            Self::Back => (180.0, 0.0),
            Self::Left => (90.0, 0.0),
            Self::Right => (-90.0, 0.0),
            Self::Top => (0.0, 90.0),
            Self::Bottom => (0.0, -90.0),
            Self::Isometric => (45.0, 35.264_39),
        }
    }
}

/// A line of sight through the viewport.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ray {
    /// Start point of the line, in world space.
    pub origin: Vec3,
    /// World-space direction. Distances along the ray count in multiples of its length.
    pub direction: Vec3,
    /// Distance along the ray at which hits begin; nearer triangles are ignored.
    pub start: f32,
}

/// Camera that orbits a point.
#[derive(Clone, Debug, PartialEq)]
pub struct Camera {
    /// Point that the camera orbits and looks at, in world space.
    pub target: Vec3,
    /// Degrees round Z: at 0 the eye is in front of the model's face (+X), at 90 to its left (+Y).
    pub yaw: f32,
    /// Degrees above the horizon.
    pub pitch: f32,
    /// Distance from the eye to the target, in units; also sets the scale of the orthographic projection.
    pub distance: f32,
    /// Perspective or orthographic.
    pub projection: Projection,
    /// Vertical field of view in perspective, in radians.
    pub field_of_view: f32,
    /// Roll in degrees. Positive values tilt the camera to its right, so the image turns counterclockwise.
    pub roll: f32,
}

impl Default for Camera {
    fn default() -> Self {
        Self {
            target: Vec3::ZERO,
            yaw: FIRST_VIEW.0,
            pitch: FIRST_VIEW.1,
            distance: 100.0,
            projection: Projection::Perspective,
            field_of_view: FIELD_OF_VIEW,
            roll: 0.0,
        }
    }
}

/// Cosine of 0.1 degrees. A view direction within this angle of an axis counts as parallel to the axis.
const ALONG: f32 = 0.999_998;

impl Camera {
    /// Returns a camera at `origin` that looks along `forward` with a horizontal field of view of `angle` radians, and
    /// orbits a point `distance` units ahead. Returns `None` if `forward` and `up` are parallel, or a number is not
    /// finite.
    #[must_use]
    pub fn looking(origin: Vec3, forward: Vec3, up: Vec3, angle: f32, aspect: f32, distance: f32) -> Option<Self> {
        let (forward, up) = (forward.try_normalize()?, up.try_normalize()?);
        let up = (up - forward * up.dot(forward)).try_normalize()?;
        let back = -forward;
        let mut camera = Self {
            target: origin + forward * distance,
            yaw: if back.x == 0.0 && back.y == 0.0 { 0.0 } else { back.y.atan2(back.x).to_degrees() },
            pitch: back.z.clamp(-1.0, 1.0).asin().to_degrees(),
            distance,
            field_of_view: 2.0 * ((angle / 2.0).tan() / aspect).atan(),
            ..Self::default()
        };
        let (right, level) = camera.right_up();
        camera.roll = up.dot(right).atan2(up.dot(level)).to_degrees();
        let is_sound = camera.target.is_finite() && camera.field_of_view.is_finite() && camera.field_of_view > 0.0;
        is_sound.then_some(camera)
    }

    /// Returns the unit vector from the target towards the eye.
    pub fn towards_eye(&self) -> Vec3 {
        let (sin_yaw, cos_yaw) = self.yaw.to_radians().sin_cos();
        let (sin_pitch, cos_pitch) = self.pitch.clamp(-90.0, 90.0).to_radians().sin_cos();
        Vec3::new(cos_yaw * cos_pitch, sin_yaw * cos_pitch, sin_pitch)
    }

    /// Returns the horizontal axis of the image, Y or X, if the view is orthographic, upright and along X or Y. Returns
    /// `None` otherwise.
    pub fn along_floor(&self) -> Option<Vec3> {
        let towards = self.towards_eye().abs();
        let is_level = self.projection == Projection::Orthographic && self.roll == 0.0;
        match (towards.x > ALONG, towards.y > ALONG) {
            _ if !is_level => None,
            (true, _) => Some(Vec3::Y),
            (_, true) => Some(Vec3::X),
            _ => None,
        }
    }

    /// Returns the position of the eye, in world space.
    pub fn eye(&self) -> Vec3 {
        self.target + self.towards_eye() * self.distance
    }

    /// Returns the right and up directions of the image, as unit vectors in world space.
    pub fn right_up(&self) -> (Vec3, Vec3) {
        let (sin_yaw, cos_yaw) = self.yaw.to_radians().sin_cos();
        let right = Vec3::new(-sin_yaw, cos_yaw, 0.0);
        let up = self.towards_eye().cross(right);
        let (sin_roll, cos_roll) = self.roll.to_radians().sin_cos();
        (right * cos_roll - up * sin_roll, up * cos_roll + right * sin_roll)
    }

    /// Returns the matrix from world space to eye space: x right, y up, z towards the viewer.
    pub fn view_from_world(&self) -> Mat4 {
        let (right, up) = self.right_up();
        let back = self.towards_eye();
        let eye = self.eye();
        Mat4::from_cols(
            Vec4::new(right.x, up.x, back.x, 0.0),
            Vec4::new(right.y, up.y, back.y, 0.0),
            Vec4::new(right.z, up.z, back.z, 0.0),
            Vec4::new(-right.dot(eye), -up.dot(eye), -back.dot(eye), 1.0),
        )
    }

    /// Returns the matrix from eye space to clip space (depth 0 to 1), for a scene of `radius` units around the target.
    pub fn clip_from_view(&self, aspect: f32, radius: f32) -> Mat4 {
        let (near, far) = self.depth_range(radius);
        match self.projection {
            Projection::Perspective => {
                glam::camera::rh::proj::directx::perspective(self.field_of_view, aspect, near, far)
            }
            Projection::Orthographic => {
                let half_height = self.half_height();
                let half_width = half_height * aspect;
                glam::camera::rh::proj::directx::orthographic(
                    -half_width,
                    half_width,
                    -half_height,
                    half_height,
                    self.distance - far,
                    far,
                )
            }
        }
    }

    /// Whether a part of a model-space box may be in the image. Returns false only if all corners are beyond one edge
    /// of the image, or all are behind the eye.
    pub fn may_see(&self, world_from_model: &Affine3A, bounds: &Bounds, aspect: f32) -> bool {
        let (min, max) = (bounds.min, bounds.max);
        let corner = |index: u32| {
            let side = |bit: u32, min: f32, max: f32| if index & bit == 0 { min } else { max };
            let corner = Vec3::new(side(1, min.x, max.x), side(2, min.y, max.y), side(4, min.z, max.z));
            self.view_from_world().transform_point3(world_from_model.transform_point3(corner))
        };
        let half_height = |depth: f32| match self.projection {
            Projection::Perspective => depth * (self.field_of_view / 2.0).tan(),
            Projection::Orthographic => self.half_height(),
        };
        let corners: [(Vec3, f32); 8] = std::array::from_fn(|index| {
            let corner = corner(u32::try_from(index).unwrap_or_default());
            (corner, half_height(-corner.z))
        });
        let all = |is_beyond: &dyn Fn(Vec3, f32) -> bool| corners.iter().all(|(at, half)| is_beyond(*at, *half));
        !(all(&|at, half| at.x > half * aspect)
            || all(&|at, half| at.x < -half * aspect)
            || all(&|at, half| at.y > half)
            || all(&|at, half| at.y < -half)
            || all(&|_, half| half < 0.0))
    }

    fn depth_range(&self, radius: f32) -> (f32, f32) {
        // The grid reaches a few radii further than the model.
        let reach = radius.max(1e-3) * 8.0;
        let far = self.distance + reach;
        ((self.distance - reach).max(far / 4000.0), far)
    }

    /// Returns half of the image's height in units, at the target.
    pub fn half_height(&self) -> f32 {
        self.distance * (self.field_of_view / 2.0).tan()
    }

    /// Returns the number of units per point at the target, for an image of `height` points.
    pub fn units_per_point(&self, height: f32) -> f32 {
        2.0 * self.half_height() / height.max(1.0)
    }

    /// Returns the number of units per point at the depth of `point`, for an image of `height` points.
    pub fn units_per_point_at(&self, point: Vec3, height: f32) -> f32 {
        match self.projection {
            Projection::Perspective => {
                let depth = (self.eye() - point).dot(self.towards_eye());
                self.units_per_point(height) * (depth / self.distance.max(1e-6)).max(0.0)
            }
            Projection::Orthographic => self.units_per_point(height),
        }
    }

    /// Projects `point` into an image of `width` × `height` points. Returns the offset from the top left, or `None` if
    /// `point` is behind the eye.
    pub fn project(&self, point: Vec3, width: f32, height: f32) -> Option<Vec2> {
        let (right, up) = self.right_up();
        let from_target = point - self.target;
        let depth = (self.eye() - point).dot(self.towards_eye());
        let half_height = match self.projection {
            Projection::Perspective => depth * (self.field_of_view / 2.0).tan(),
            Projection::Orthographic => self.half_height(),
        };
        let in_front = self.projection == Projection::Orthographic || depth > self.distance * 1e-4;
        let scale = height / 2.0 / half_height;
        let projected =
            Vec2::new(width, height) / 2.0 + Vec2::new(from_target.dot(right), -from_target.dot(up)) * scale;
        (in_front && projected.is_finite()).then_some(projected)
    }

    /// Returns the line of sight through `at`: an offset from the centre of the image in half image heights (x right, y
    /// up).
    pub fn ray(&self, at: Vec2) -> Ray {
        let (right, up) = self.right_up();
        let back = self.towards_eye();
        match self.projection {
            Projection::Perspective => {
                let slope = at * (self.field_of_view / 2.0).tan();
                Ray { origin: self.eye(), direction: right * slope.x + up * slope.y - back, start: 0.0 }
            }
            // An orthographic view also shows points behind the eye.
            Projection::Orthographic => {
                let at = at * self.half_height();
                let origin = self.target + right * at.x + up * at.y;
                Ray { origin, direction: -back, start: f32::NEG_INFINITY }
            }
        }
    }

    /// Sets the vertical field of view in radians, clamped to [`FIELD_OF_VIEW_RANGE`]. The distance changes, so that
    /// the model keeps its size at the target.
    pub fn set_field_of_view(&mut self, angle: f32) {
        let half_height = self.half_height();
        self.field_of_view = angle.clamp(FIELD_OF_VIEW_RANGE.0, FIELD_OF_VIEW_RANGE.1);
        self.distance = half_height / (self.field_of_view / 2.0).tan();
    }

    /// Returns the camera between this one and `goal`, at a `share` from 0 to 1. Yaw and roll turn the shorter way.
    #[must_use]
    pub fn on_the_way(&self, goal: &Self, share: f32) -> Self {
        let number = |from: f32, to: f32| from + (to - from) * share;
        let shorter = |from: f32, to: f32| from + ((to - from + 180.0).rem_euclid(360.0) - 180.0) * share;
        // Interpolate logarithms, so that the size changes at a constant ratio.
        let size = |from: f32, to: f32| from.max(1e-6) * (to.max(1e-6) / from.max(1e-6)).powf(share);
        Self {
            target: self.target.lerp(goal.target, share),
            yaw: shorter(self.yaw, goal.yaw),
            pitch: number(self.pitch, goal.pitch),
            distance: size(self.distance, goal.distance),
            projection: goal.projection,
            field_of_view: number(self.field_of_view, goal.field_of_view),
            roll: shorter(self.roll, goal.roll),
        }
    }

    /// Orbits by degrees along the sides of the image, even if the image is rolled. The pitch stops just short of the
    /// poles.
    pub fn orbit(&mut self, yaw: f32, pitch: f32) {
        let (sin_roll, cos_roll) = self.roll.to_radians().sin_cos();
        let (yaw, pitch) = (yaw * cos_roll + pitch * sin_roll, pitch * cos_roll - yaw * sin_roll);
        self.yaw = (self.yaw + yaw + 180.0).rem_euclid(360.0) - 180.0;
        self.pitch = (self.pitch + pitch).clamp(-STEEPEST, STEEPEST);
    }

    /// Moves the target by `points` of an image of `height` points (x right, y down), as if the model were dragged.
    pub fn pan(&mut self, points: Vec2, height: f32) {
        let (right, up) = self.right_up();
        let scale = self.units_per_point(height);
        self.target += (right * -points.x + up * points.y) * scale;
    }

    /// Zooms by `factor` around `cursor`, which does not move: an offset from the centre of the image in half image
    /// heights (x right, y up).
    pub fn zoom(&mut self, factor: f32, cursor: Vec2) {
        let before = self.half_height();
        self.distance = (self.distance * factor).clamp(1e-3, 1e7);
        let (right, up) = self.right_up();
        self.target += (right * cursor.x + up * cursor.y) * (before - self.half_height());
    }

    /// Returns the standard view with these angles, if any.
    pub fn standard_view(&self) -> Option<StandardView> {
        let near = |a: f32, b: f32| ((a - b + 180.0).rem_euclid(360.0) - 180.0).abs() < 0.01;
        StandardView::all().find(|view| {
            let (yaw, pitch) = view.angles();
            near(self.yaw, yaw) && near(self.pitch, pitch) && near(self.roll, 0.0)
        })
    }

    /// Turns to a standard view, upright, and keeps target and distance.
    pub fn look_from(&mut self, view: StandardView) {
        (self.yaw, self.pitch) = view.angles();
        self.roll = 0.0;
    }

    /// Moves the camera so that `points` fill `FRAME_FILL` of an image of width / height `aspect`.
    pub fn frame(&mut self, points: impl Iterator<Item = Vec3> + Clone, aspect: f32) {
        let bounds = Bounds::from_points(points.clone());
        if bounds.is_empty() {
            return;
        }
        let (right, up) = self.right_up();
        let back = self.towards_eye();
        self.target = bounds.centre();
        let smallest = 1e-2_f32.max(bounds.radius() * 1e-3);
        let tan_y = (self.field_of_view / 2.0).tan() * FRAME_FILL;
        let tan_x = tan_y * aspect.max(0.05);
        let perspective = self.projection == Projection::Perspective;
        // Distance of a point towards each of the four planes that bound the image.
        let towards = |p: Vec3| {
            let depth = if perspective { p.dot(back) } else { 0.0 };
            let (x, y) = (p.dot(right) / tan_x, p.dot(up) / tan_y);
            [x + depth, depth - x, y + depth, depth - y]
        };
        // The outermost points depend on the direction of view, not on the position of the eye.
        let mut outermost = [(f32::NEG_INFINITY, self.target); 4];
        for point in points.filter(|point| point.is_finite()) {
            for (extreme, along) in outermost.iter_mut().zip(towards(point - self.target)) {
                if along > extreme.0 {
                    *extreme = (along, point);
                }
            }
        }
        // Move the eye to the middle between the four tightest planes. Repeat this to reduce rounding errors.
        for _ in 0..4 {
            let mut extent = [f32::NEG_INFINITY; 4];
            for (_, point) in outermost {
                for (slot, value) in extent.iter_mut().zip(towards(point - self.target)) {
                    *slot = slot.max(value);
                }
            }
            let [right_most, left_most, top_most, bottom_most] = extent;
            self.target +=
                right * ((right_most - left_most) / 2.0 * tan_x) + up * ((top_most - bottom_most) / 2.0 * tan_y);
            let needed = ((right_most + left_most) / 2.0).max((top_most + bottom_most) / 2.0);
            self.distance = needed.max(smallest / tan_y);
        }
    }
}
