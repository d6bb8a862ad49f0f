//! Lofts: cross sections swept along a centre line.

use glam::DVec3;

use super::profile::Profile;

/// A centre line and the cross sections along it.
pub struct Tube {
    /// Centre line: x, y, z against a distance of any unit.
    pub path: Profile<3>,
    /// Against `along` (0 to 1): distance on the path, half width to the sides, to the front, to the back, and squareness
    /// (2 = ellipse, larger = boxier). The distance may run backwards: that folds a cuff or a hem inward.
    pub rings: Profile<5>,
    /// Direction of the front, made perpendicular to the path.
    pub front: DVec3,
}

impl Tube {
    /// The frame at a distance on the path: centre, front, side.
    pub fn frame(&self, distance: f64) -> (DVec3, DVec3, DVec3) {
        let centre = DVec3::from(self.path.round(distance));
        let step = 1e-3;
        let ahead = DVec3::from(self.path.round(distance + step));
        let behind = DVec3::from(self.path.round(distance - step));
        let tangent = (ahead - behind).normalize();
        let front = self.front.reject_from(tangent).normalize();
        (centre, front, tangent.cross(front))
    }

    /// The surface: `around` starts at the front.
    pub fn point(&self, around: f64, along: f64) -> DVec3 {
        let [distance, side, front, back, squareness] = self.rings.tight(along);
        let (centre, front_axis, side_axis) = self.frame(distance);
        let (sine, cosine) = (around * std::f64::consts::TAU).sin_cos();
        let round = |x: f64| x.signum() * x.abs().powf(2.0 / squareness);
        let depth = if cosine >= 0.0 { front } else { back };
        centre + front_axis * (depth * round(cosine)) + side_axis * (side * round(sine))
    }
}
