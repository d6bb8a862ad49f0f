//! Vertex lerp: two packed frames are decoded and blended, vertex by vertex.

use glam::{EulerRot, Mat3A, Quat, Vec3, Vec3A};

use super::{FrameBlend, Pose, PosedSurface, tag_frame};
use crate::model::packed_normal::{ring_normal, table_normal, zenith_azimuth};
use crate::model::{ByteFrame, Model, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagFrame, TagTrack};

/// Units per step of an MDC delta, and the byte that means no offset.
const DELTA_STEP: f32 = 0.05;
const DELTA_BIAS: f32 = 127.0;
/// Units per step of a sixteen-bit coordinate.
const SHORT_STEP: f32 = 1.0 / 64.0;

pub(super) fn sample(model: &Model, motion: &MorphMotion, blend: FrameBlend, lod: u32, pose: &mut Pose) {
    for ((surface, track), posed) in model.surfaces().iter().zip(&motion.surfaces).zip(&mut pose.surfaces) {
        posed.positions.clear();
        posed.normals.clear();
        posed.normal_lengths.clear();
        if surface.lod == lod {
            sample_track(track, track.remap.as_deref(), blend.clamped(track.frame_count.saturating_sub(1)), posed);
        }
    }
    pose.tags.clear();
    let count = model.tags().len();
    pose.tags.extend((0..count).map(|tag| {
        let from = stored_tag(&motion.tags, blend.from as usize * count + tag);
        let to = stored_tag(&motion.tags, blend.to as usize * count + tag);
        let mix = |a: Vec3, b: Vec3| Vec3A::from(a.lerp(b, blend.t));
        tag_frame(mix(from.origin, to.origin), std::array::from_fn(|axis| mix(from.axes[axis], to.axes[axis])))
    }));
}

/// The vertices of a surface in one frame as its file has them, those among them that no triangle shows: an MD2's file has
/// fewer of them than its surface, whose every vertex has one texture coordinate. Frames beyond the last hold the last.
pub fn sample_stored(track: &MorphTrack, frame: u32, posed: &mut PosedSurface) {
    posed.positions.clear();
    posed.normals.clear();
    posed.normal_lengths.clear();
    sample_track(track, None, FrameBlend::still(frame).clamped(track.frame_count.saturating_sub(1)), posed);
}

/// Blends the vertices of a surface that `remap` names, or all. The loop is written per packing, so that the decoder is chosen once.
fn sample_track(track: &MorphTrack, remap: Option<&[u32]>, blend: FrameBlend, posed: &mut PosedSurface) {
    let stored = track.stored as usize;
    let shown = Shown { remap, stored };
    let (from, to) = (blend.from as usize, blend.to as usize);
    match &track.vertices {
        PackedVertices::Bytes { frames, vertices } => {
            let decode = |frame: usize| {
                let scale =
                    frames.get(frame).copied().unwrap_or(ByteFrame { scale: Vec3::ZERO, translate: Vec3::ZERO });
                move |vertex: [u8; 4]| byte_vertex(scale, vertex)
            };
            let (a, b) = (frame_of(vertices, from, stored), frame_of(vertices, to, stored));
            lerp_frames(shown, blend.t, a, decode(from), b, decode(to), posed);
        }
        PackedVertices::Shorts(vertices) => {
            let (a, b) = (frame_of(vertices, from, stored), frame_of(vertices, to, stored));
            lerp_frames(shown, blend.t, a, short_vertex, b, short_vertex, posed);
        }
        PackedVertices::KeyDeltas { keys, deltas, frames } => {
            // A key with its delta, or alone: both as pairs, so that one decoder serves.
            let decode = |frame: usize| {
                let entry = frames.get(frame).copied();
                let key = entry.map_or(&[][..], |entry| frame_of(keys, entry.key.into(), stored));
                let delta = entry.and_then(|entry| entry.delta).map(|delta| frame_of(deltas, delta.into(), stored));
                move |index: usize| {
                    let key = key.get(index).copied().unwrap_or_default();
                    match delta.and_then(|delta| delta.get(index)) {
                        Some(delta) => delta_vertex(key, *delta),
                        None => short_vertex(key),
                    }
                }
            };
            let (a, b) = (decode(from), decode(to));
            shown.each(|index| push_blend(posed, a(index), b(index), blend.t));
        }
    }
}

fn frame_of<T>(vertices: &[T], frame: usize, stored: usize) -> &[T] {
    vertices.get(frame * stored..(frame + 1) * stored).unwrap_or_default()
}

/// Which of so many stored vertices are wanted: those of a list, or all.
#[derive(Clone, Copy)]
struct Shown<'a> {
    remap: Option<&'a [u32]>,
    stored: usize,
}

impl Shown<'_> {
    /// Calls `visit` with the stored index of each.
    fn each(self, mut visit: impl FnMut(usize)) {
        match self.remap {
            Some(remap) => remap.iter().for_each(|index| visit(*index as usize)),
            None => (0..self.stored).for_each(visit),
        }
    }
}

fn lerp_frames<T: Copy>(
    shown: Shown,
    t: f32,
    from: &[T],
    decode_from: impl Fn(T) -> (Vec3, Vec3),
    to: &[T],
    decode_to: impl Fn(T) -> (Vec3, Vec3),
    posed: &mut PosedSurface,
) {
    shown.each(|index| {
        if let (Some(a), Some(b)) = (from.get(index), to.get(index)) {
            push_blend(posed, decode_from(*a), decode_to(*b), t);
        }
    });
}

/// Positions are blended as they are, normals as unit vectors, then brought back to unit length.
fn push_blend(posed: &mut PosedSurface, from: (Vec3, Vec3), to: (Vec3, Vec3), t: f32) {
    posed.positions.push(from.0.lerp(to.0, t));
    posed.normals.push(from.1.lerp(to.1, t).normalize_or(from.1));
}

fn byte_vertex(frame: ByteFrame, [x, y, z, normal]: [u8; 4]) -> (Vec3, Vec3) {
    let steps = Vec3::new(f32::from(x), f32::from(y), f32::from(z));
    (steps * frame.scale + frame.translate, table_normal(normal))
}

fn short_vertex(vertex: ShortVertex) -> (Vec3, Vec3) {
    (Vec3::from_array(vertex.position.map(f32::from)) * SHORT_STEP, zenith_azimuth(vertex.normal))
}

fn delta_vertex(key: ShortVertex, [x, y, z, normal]: [u8; 4]) -> (Vec3, Vec3) {
    let steps = Vec3::new(f32::from(x), f32::from(y), f32::from(z)) - DELTA_BIAS;
    (short_vertex(key).0 + steps * DELTA_STEP, ring_normal(normal))
}

/// A tag as stored, its axes decoded but not yet of unit length.
fn stored_tag(tags: &TagTrack, index: usize) -> TagFrame {
    let axes = |rotation: Mat3A| [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(Vec3::from);
    let nothing = || TagFrame { origin: Vec3::ZERO, axes: [Vec3::X, Vec3::Y, Vec3::Z] };
    match tags {
        TagTrack::Axes(tags) => tags.get(index).copied().unwrap_or_else(nothing),
        TagTrack::Angles(tags) => tags.get(index).map_or_else(nothing, |[x, y, z, pitch, yaw, roll]| {
            let radians = |steps: &i16| (f32::from(*steps) * (360.0 / 32700.0)).to_radians();
            // Turned by roll about X, then pitch about Y, then yaw about Z.
            let rotation = Quat::from_euler(EulerRot::ZYX, radians(yaw), radians(pitch), radians(roll));
            let origin = Vec3::from_array([x, y, z].map(|steps| f32::from(*steps))) * SHORT_STEP;
            TagFrame { origin, axes: axes(Mat3A::from_quat(rotation)) }
        }),
    }
}
