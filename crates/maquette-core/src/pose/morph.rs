//! Sampling of models with vertex animation, and their tags.

use glam::{EulerRot, Mat3A, Quat, Vec3, Vec3A};

use super::chunk::{Chunk, share};
use super::packing::{Bytes, Deltas, Floats, Packing, SHORT_STEP, Shorts, StoredVertices, VertexSelection};
use super::vertex_lerp::{Frame, between, single};
use super::{FrameBlend, Pose, PosedSurface, tag_frame};
use crate::model::{Bounds, ByteFrame, Model, MorphMotion, MorphTrack, PackedVertices, TagFrame, TagTrack};

pub(super) fn sample(
    model: &Model,
    motion: &MorphMotion,
    blend: FrameBlend,
    lod: u32,
    threads: usize,
    pose: &mut Pose,
) {
    for ((surface, track), posed) in model.surfaces().iter().zip(&motion.surfaces).zip(&mut pose.surfaces) {
        let shown = track.remap.as_ref().map_or(track.stored as usize, Vec::len);
        posed.resize(if surface.lod == lod { shown } else { 0 }, false);
    }
    pose.bounds = share(&mut pose.surfaces, threads, |index, part| match motion.surfaces.get(index) {
        Some(track) => pose_track(track, track.remap.as_deref(), blend, part),
        None => Bounds::EMPTY,
    });
    pose.tags.clear();
    let count = model.tags().len();
    pose.tags.extend((0..count).map(|tag| {
        let from = stored_tag(&motion.tags, blend.from as usize * count + tag);
        let to = stored_tag(&motion.tags, blend.to as usize * count + tag);
        let mix = |a: Vec3, b: Vec3| Vec3A::from(a.lerp(b, blend.t));
        tag_frame(mix(from.origin, to.origin), std::array::from_fn(|axis| mix(from.axes[axis], to.axes[axis])))
    }));
}

/// Samples the stored vertices of a surface in one frame, including unused ones. An MD2 has fewer stored vertices than
/// its surface, whose vertices are split by texture coordinate. Frames beyond the last show the last one.
pub fn sample_stored(track: &MorphTrack, frame: u32, posed: &mut PosedSurface) {
    posed.resize(track.stored as usize, false);
    pose_track(track, None, FrameBlend::single(frame), Chunk::whole(posed));
}

fn pose_track(track: &MorphTrack, remap: Option<&[u32]>, blend: FrameBlend, part: Chunk<'_>) -> Bounds {
    let blend = blend.clamped(track.frame_count.saturating_sub(1));
    let stored = track.stored as usize;
    let (from, to) = (blend.from as usize, blend.to as usize);
    match &track.vertices {
        PackedVertices::Bytes { frames, vertices } => {
            let at = |frame: usize| {
                let nothing = ByteFrame { scale: Vec3::ZERO, translate: Vec3::ZERO };
                let packing = Bytes::new(frames.get(frame).copied().unwrap_or(nothing));
                Frame { packing, stored: frame_of(vertices, frame, stored, remap) }
            };
            blended(at(from), at(to), blend.t, part)
        }
        PackedVertices::Shorts(vertices) => {
            let at = |frame: usize| Frame { packing: Shorts::new(), stored: frame_of(vertices, frame, stored, remap) };
            blended(at(from), at(to), blend.t, part)
        }
        PackedVertices::Floats(vertices) => {
            let at = |frame: usize| Frame { packing: Floats, stored: frame_of(vertices, frame, stored, remap) };
            blended(at(from), at(to), blend.t, part)
        }
        PackedVertices::KeyDeltas { keys, deltas, frames } => {
            let key = |frame: usize| {
                let key = frames.get(frame).map_or(0, |entry| entry.key.into());
                Frame { packing: Shorts::new(), stored: frame_of(keys, key, stored, remap) }
            };
            let delta = |frame: usize| {
                let delta = frames.get(frame)?.delta?;
                let stored = (key(frame).stored, frame_of(deltas, delta.into(), stored, remap));
                Some(Frame { packing: Deltas::new(), stored })
            };
            match (delta(from), delta(to)) {
                (Some(a), Some(b)) => blended(a, b, blend.t, part),
                (Some(a), None) => blended(a, key(to), blend.t, part),
                (None, Some(b)) => blended(key(from), b, blend.t, part),
                (None, None) => blended(key(from), key(to), blend.t, part),
            }
        }
    }
}

fn blended<A: Packing, B: Packing>(
    from: Frame<A, impl StoredVertices<A::Vertex>>,
    to: Frame<B, impl StoredVertices<B::Vertex>>,
    t: f32,
    part: Chunk<'_>,
) -> Bounds {
    if t > 0.0 { between(from, to, t, part) } else { single(from, part) }
}

fn frame_of<'a, V>(vertices: &'a [V], frame: usize, stored: usize, remap: Option<&'a [u32]>) -> VertexSelection<'a, V> {
    VertexSelection { vertices: vertices.get(frame * stored..(frame + 1) * stored).unwrap_or_default(), remap }
}

/// Returns a tag as stored, by its index over all frames.
pub(crate) fn stored_tag(tags: &TagTrack, index: usize) -> TagFrame {
    let axes = |rotation: Mat3A| [rotation.x_axis, rotation.y_axis, rotation.z_axis].map(Vec3::from);
    let nothing = || TagFrame { origin: Vec3::ZERO, axes: [Vec3::X, Vec3::Y, Vec3::Z] };
    match tags {
        TagTrack::Axes(tags) => tags.get(index).copied().unwrap_or_else(nothing),
        TagTrack::Angles(tags) => tags.get(index).map_or_else(nothing, |[x, y, z, pitch, yaw, roll]| {
            let radians = |steps: &i16| (f32::from(*steps) * (360.0 / 32700.0)).to_radians();
            // Rotate by roll about X, then pitch about Y, then yaw about Z.
            let rotation = Quat::from_euler(EulerRot::ZYX, radians(yaw), radians(pitch), radians(roll));
            let origin = Vec3::from_array([x, y, z].map(|steps| f32::from(*steps))) * SHORT_STEP;
            TagFrame { origin, axes: axes(Mat3A::from_quat(rotation)) }
        }),
    }
}
