//! Signed distance fields for the forms that flow into one another (head, boots), and rays cast from inside to find their skin.

use glam::DVec3;

/// Distance to an ellipsoid, good near its surface.
pub fn ellipsoid(p: DVec3, centre: DVec3, radii: DVec3) -> f64 {
    let q = p - centre;
    let (near, steep) = ((q / radii).length(), (q / (radii * radii)).length());
    if steep < 1e-9 { -radii.min_element() } else { near * (near - 1.0) / steep }
}

/// Distance to a capsule whose radius changes from one end to the other.
pub fn taper(p: DVec3, from: DVec3, to: DVec3, radius_from: f64, radius_to: f64) -> f64 {
    let axis = to - from;
    let t = ((p - from).dot(axis) / axis.length_squared()).clamp(0.0, 1.0);
    p.distance(from + axis * t) - (radius_from + (radius_to - radius_from) * t)
}

/// Union of two fields, blended over the distance `soft`.
pub fn join(a: f64, b: f64, soft: f64) -> f64 {
    let h = (soft - (a - b).abs()).max(0.0) / soft;
    a.min(b) - h * h * soft / 4.0
}

/// The first field without the second, blended over the distance `soft`.
pub fn carve(a: f64, b: f64, soft: f64) -> f64 {
    -join(-a, b, soft)
}

/// Last point within `reach` units at which a ray from inside leaves the field.
pub fn cast(field: &dyn Fn(DVec3) -> f64, from: DVec3, direction: DVec3, reach: f64) -> DVec3 {
    let mut inside = 0.0;
    let mut outside = reach;
    let mut t = 0.0;
    while t < reach {
        let distance = field(from + direction * t);
        if distance > 0.0 {
            outside = t;
            break;
        }
        inside = t;
        t += (-distance * 0.6).max(0.04);
    }
    for _ in 0..16 {
        let middle = (inside + outside) / 2.0;
        if field(from + direction * middle) > 0.0 {
            outside = middle;
        } else {
            inside = middle;
        }
    }
    from + direction * ((inside + outside) / 2.0)
}
