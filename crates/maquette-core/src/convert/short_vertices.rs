//! Vertices with 16-bit coordinates (MD3, MDC).

use glam::Vec3;

use super::ConvertError;
use super::bake::Baked;
use crate::model::packed_normal::nearest_zenith_azimuth;
use crate::model::{Format, ShortVertex};
use crate::pose::Pose;

/// Steps of a coordinate in a unit.
const STEPS: f32 = 64.0;

pub(super) fn short_vertices(
    baked: &Baked<'_>,
    frame: &Pose,
    surface: usize,
    format: Format,
) -> Result<Vec<ShortVertex>, ConvertError> {
    let Some(posed) = frame.surfaces.get(surface) else { return Ok(Vec::new()) };
    let vertices = posed.positions.iter().zip(&posed.normals).enumerate();
    let short = vertices.map(|(index, (position, normal))| {
        let position = sixty_fourths(*position).ok_or_else(|| {
            let name = baked.surfaces.get(surface).map_or("", |surface| &surface.name);
            let Vec3 { x, y, z } = *position;
            let format = format.title();
            ConvertError::OutOfRange(format!(
                "vertex {index} of surface “{name}” is at {x} {y} {z} in frame {}; {format} stores positions up to 512 units from the origin",
                frame.frame
            ))
        })?;
        Ok(ShortVertex { position, normal: nearest_zenith_azimuth(*normal) })
    });
    short.collect()
}

/// Returns a position in 1/64 units; `None` beyond their range.
pub(crate) fn sixty_fourths(position: Vec3) -> Option<[i16; 3]> {
    let steps = (position * STEPS).round().to_array();
    let inside = |number: &f32| (f32::from(i16::MIN)..=f32::from(i16::MAX)).contains(number);
    steps.iter().all(inside).then(|| steps.map(|number| number as i16))
}
