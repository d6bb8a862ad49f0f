//! Conversion to MDC: key frames of 16-bit vertices, and small offsets from them.

use std::collections::HashMap;

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
    counts: [u16; 2],
    last: Vec<Vec3>,
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
        let key = self.counts[0].checked_sub(1);
        let start = self.keys.len().saturating_sub(vertices.len());
        if let Some(key) = key
            && self.keys.get(start..) == Some(vertices.as_slice())
        {
            self.frames.push(KeyDeltaFrame { key, delta: None });
            return Ok(());
        }
        let offsets = posed.filter(|_| key.is_some()).and_then(|posed| {
            let vertices = posed.positions.iter().zip(&posed.normals).zip(&self.last);
            vertices.map(|((position, normal), key)| offset(*position - *key, *normal)).collect::<Option<Vec<_>>>()
        });
        let (key, delta) = match (key, offsets) {
            (Some(key), Some(offsets)) => (key, Some(self.add_delta(&offsets)?)),
            _ => (self.add_key(&vertices)?, None),
        };
        self.frames.push(KeyDeltaFrame { key, delta });
        Ok(())
    }

    /// Adds a frame of another track with unchanged bytes. `known` has the numbers of its key frames in both tracks.
    pub fn keep(
        &mut self,
        known: &mut HashMap<u16, u16>,
        (number, key): (u16, &[ShortVertex]),
        delta: Option<&[[u8; 4]]>,
    ) -> Result<(), ConvertError> {
        let key = match known.get(&number) {
            Some(key) => *key,
            None => self.add_key(key)?,
        };
        known.insert(number, key);
        let delta = delta.map(|delta| self.add_delta(delta)).transpose()?;
        self.frames.push(KeyDeltaFrame { key, delta });
        Ok(())
    }

    fn add_key(&mut self, vertices: &[ShortVertex]) -> Result<u16, ConvertError> {
        let position = |vertex: &ShortVertex| Vec3::from_array(vertex.position.map(f32::from)) / 64.0;
        self.last = vertices.iter().map(position).collect();
        self.keys.extend(vertices);
        next_number(&mut self.counts[0])
    }

    fn add_delta(&mut self, offsets: &[[u8; 4]]) -> Result<u16, ConvertError> {
        self.deltas.extend(offsets);
        next_number(&mut self.counts[1])
    }
}

fn next_number(count: &mut u16) -> Result<u16, ConvertError> {
    let beyond = || ConvertError::TooLarge("MDC stores at most 32767 key frames and 32767 delta frames".to_owned());
    let own = *count;
    *count = own.checked_add(1).filter(|count| *count < 32768).ok_or_else(beyond)?;
    Ok(own)
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
