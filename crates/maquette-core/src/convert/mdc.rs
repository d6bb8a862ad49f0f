//! Conversion to MDC: key frames of 16-bit vertices, and small offsets from them.

use glam::{Affine3A, Mat3A, Vec3};

use super::bake::Baked;
use super::short_vertices::{short_vertices, sixty_fourths};
use super::{Conversion, ConvertError, ConvertOptions, build};
use crate::error::counted;
use crate::model::packed_normal::nearest_ring_normal;
use crate::model::{
    FrameInfo, KeyDeltaFrame, Model, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagTrack, u32_or_max,
};
use crate::pose::PosedSurface;
use crate::pose::angles;

/// Units per step of an offset. The byte [`BIAS`] encodes offset 0.
const STEP: f32 = 0.05;
const BIAS: f32 = 127.0;
const ANGLE_STEPS: f32 = 32700.0 / 360.0;

/// Vertices of a surface in key frames, and offsets from them.
#[derive(Default)]
pub(crate) struct Track {
    pub keys: Vec<ShortVertex>,
    pub deltas: Vec<[u8; 4]>,
    pub frames: Vec<KeyDeltaFrame>,
}

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    let baked = Baked::new(model, options, options.limits, &mut losses);
    let names = baked.all_frame_names(&mut losses);
    let mut frames: Vec<FrameInfo> = Vec::new();
    let mut tags: Vec<[i16; 6]> = Vec::new();
    // Number of frames in which each tag's axes are not a rotation.
    let mut skewed = vec![0_usize; baked.tags.len()];
    let mut tracks: Vec<Track> = baked.surfaces.iter().map(|_| Track::default()).collect();
    baked.each_frame(|frame| {
        frames.push(baked.frame_info(frame, names.get(frame.frame as usize).cloned().unwrap_or_default()));
        for ((tag, name), skewed) in frame.tags.iter().zip(&baked.tags).zip(&mut skewed) {
            *skewed += usize::from(!is_rotation(tag));
            tags.push(angled(tag).ok_or_else(|| {
                let position = tag.translation;
                ConvertError::OutOfRange(format!(
                    "tag “{name}” is at {position} in frame {}; MDC stores positions up to 512 units from the origin",
                    frame.frame
                ))
            })?);
        }
        for (index, track) in tracks.iter_mut().enumerate() {
            track.add(short_vertices(&baked, frame, index, options.format)?, frame.surfaces.get(index))?;
        }
        Ok(())
    })?;
    for (name, count) in baked.tags.iter().zip(skewed).filter(|(_, count)| *count > 0) {
        losses.push(format!(
            "the axes of {name} are mirrored or not perpendicular in {}; MDC stores angles only",
            counted(count, "frame", "frames")
        ));
    }
    let count = u32_or_max(frames.len());
    let tracks = tracks.into_iter().zip(&baked.surfaces).map(|(track, surface)| MorphTrack {
        stored: u32_or_max(surface.vertex_count()),
        frame_count: count,
        remap: None,
        vertices: PackedVertices::KeyDeltas { keys: track.keys, deltas: track.deltas, frames: track.frames },
    });
    let motion = MorphMotion { surfaces: tracks.collect(), tags: TagTrack::Angles(tags) };
    Ok(Conversion { model: build(baked.to_parts(frames, motion, options.format))?, losses, origin: baked.origin })
}

impl Track {
    /// Adds a frame as offsets from the last key frame, or as a new key frame if an offset is too large. A frame that
    /// equals the last key frame only refers to it.
    pub fn add(&mut self, vertices: Vec<ShortVertex>, posed: Option<&PosedSurface>) -> Result<(), ConvertError> {
        let count = vertices.len().max(1);
        let [keys, deltas] = [self.keys.len(), self.deltas.len()].map(|length| length / count);
        let number = |number: usize| {
            let beyond = "MDC stores at most 32767 key frames and 32767 delta frames";
            let number = u16::try_from(number).ok().filter(|number| *number < 32767);
            number.ok_or_else(|| ConvertError::TooLarge(beyond.to_owned()))
        };
        let Some(last) = self.keys.len().checked_sub(vertices.len()).and_then(|start| self.keys.get(start..)) else {
            self.frames.push(KeyDeltaFrame { key: number(keys)?, delta: None });
            self.keys.extend(vertices);
            return Ok(());
        };
        let position = |vertex: &ShortVertex| Vec3::from_array(vertex.position.map(f32::from)) / 64.0;
        let offsets = posed.filter(|_| last != vertices).and_then(|posed| {
            let vertices = posed.positions.iter().zip(&posed.normals).zip(last);
            vertices.map(|((at, normal), key)| offset(*at - position(key), *normal)).collect::<Option<Vec<_>>>()
        });
        let key = number(keys.saturating_sub(1))?;
        self.frames.push(match offsets {
            Some(offsets) => {
                self.deltas.extend(offsets);
                KeyDeltaFrame { key, delta: Some(number(deltas)?) }
            }
            None if last == vertices => KeyDeltaFrame { key, delta: None },
            None => {
                self.keys.extend(vertices);
                KeyDeltaFrame { key: number(keys)?, delta: None }
            }
        });
        Ok(())
    }
}

fn offset(way: Vec3, normal: Vec3) -> Option<[u8; 4]> {
    let steps = ((way / STEP).round() + BIAS).to_array();
    let [x, y, z] = steps.map(|step| (0.0..=255.0).contains(&step).then_some(step as u8));
    Some([x?, y?, z?, nearest_ring_normal(normal)])
}

/// Tolerance of the test for orthonormal axes. Real files store rounded axes.
const SKEW: f32 = 2e-3;

fn is_rotation(tag: &Affine3A) -> bool {
    let matrix = tag.matrix3;
    let product = matrix * matrix.transpose();
    product.abs_diff_eq(Mat3A::IDENTITY, SKEW) && matrix.determinant() > 0.0
}

/// Returns a tag in steps of coordinates and angles; `None` beyond their range.
pub(crate) fn angled(tag: &Affine3A) -> Option<[i16; 6]> {
    let [x, y, z] = sixty_fourths(tag.translation.into())?;
    let [pitch, yaw, roll] = angles(&tag.matrix3).to_array().map(|degrees| (degrees * ANGLE_STEPS).round() as i16);
    Some([x, y, z, pitch, yaw, roll])
}
