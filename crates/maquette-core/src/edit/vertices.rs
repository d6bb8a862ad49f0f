//! Unpacking and packing of vertices and tags.

use glam::{Affine3A, Mat3A, Vec3};

use crate::convert::mdc::{Track, angled};
use crate::convert::{STEPS, packed, sixty_fourths};
use crate::model::packed_normal::nearest_zenith_azimuth;
use crate::model::{
    Bounds, ByteFrame, FloatVertex, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagFrame, TagTrack,
};
use crate::pose::{FrameBlend, PosedSurface, sample_stored, stored_tag};

/// Returns the stored vertices of a frame.
pub(super) fn decoded(track: &MorphTrack, frame: u32) -> PosedSurface {
    let mut posed = PosedSurface::default();
    sample_stored(track, frame.min(track.frame_count.saturating_sub(1)), &mut posed);
    posed
}

/// Returns the stored vertices between two frames, as engines blend them.
pub(super) fn blended(track: &MorphTrack, FrameBlend { from, to, t }: FrameBlend) -> PosedSurface {
    let mut posed = decoded(track, from);
    if t > 0.0 {
        let next = decoded(track, to);
        for (a, b) in posed.positions.iter_mut().zip(&next.positions) {
            *a = a.lerp(*b, t);
        }
        for (a, b) in posed.normals.iter_mut().zip(&next.normals) {
            *a = a.lerp(*b, t).normalize_or(*a);
        }
    }
    posed
}

/// Packs frames of vertices like `track`. `has_one_box` packs all bytes in steps of one box (MDL).
pub(super) fn encode(track: &mut MorphTrack, has_one_box: bool, frames: Vec<PosedSurface>) -> Result<(), String> {
    track.stored = frames.first().map_or(0, |frame| u32::try_from(frame.positions.len()).unwrap_or(u32::MAX));
    track.frame_count = u32::try_from(frames.len()).unwrap_or(u32::MAX);
    let pairs = |frame: &PosedSurface| -> Vec<(Vec3, Vec3)> {
        frame.positions.iter().copied().zip(frame.normals.iter().copied()).collect()
    };
    track.vertices = match &track.vertices {
        PackedVertices::Floats(_) => {
            let vertex = |(position, normal)| FloatVertex { position, normal };
            PackedVertices::Floats(frames.iter().flat_map(pairs).map(vertex).collect())
        }
        PackedVertices::Shorts(_) => {
            let short = |(position, normal)| short(position, nearest_zenith_azimuth(normal));
            PackedVertices::Shorts(frames.iter().flat_map(pairs).map(short).collect::<Result<_, _>>()?)
        }
        PackedVertices::KeyDeltas { .. } => {
            let mut track = Track::default();
            for frame in &frames {
                let short = |(position, normal)| short(position, nearest_zenith_azimuth(normal));
                let shorts = pairs(frame).into_iter().map(short).collect::<Result<_, _>>()?;
                track.add(shorts, Some(frame)).map_err(|error| error.to_string())?;
            }
            PackedVertices::KeyDeltas { keys: track.keys, deltas: track.deltas, frames: track.frames }
        }
        PackedVertices::Bytes { .. } => {
            let points = |frames: &[PosedSurface]| {
                Bounds::from_points(frames.iter().flat_map(|frame| frame.positions.iter().copied()))
            };
            let common = has_one_box.then(|| byte_frame(points(&frames)));
            let of_frame =
                |frame: &PosedSurface| common.unwrap_or_else(|| byte_frame(points(std::slice::from_ref(frame))));
            let boxes: Vec<ByteFrame> = frames.iter().map(of_frame).collect();
            let bytes = |(frame, scale): (&PosedSurface, &ByteFrame)| -> Vec<[u8; 4]> {
                pairs(frame).into_iter().map(|(position, normal)| packed(position, normal, *scale)).collect()
            };
            let vertices = frames.iter().zip(&boxes).flat_map(bytes).collect();
            PackedVertices::Bytes { frames: boxes, vertices }
        }
    };
    Ok(())
}

fn byte_frame(bounds: Bounds) -> ByteFrame {
    let bounds = bounds.or_origin();
    ByteFrame { scale: bounds.size() / STEPS, translate: bounds.min }
}

/// Returns a vertex in 1/64 units.
pub(super) fn short(position: Vec3, normal: u16) -> Result<ShortVertex, String> {
    let position = sixty_fourths(position).ok_or("a vertex would be more than 512 units from the origin")?;
    Ok(ShortVertex { position, normal })
}

/// Returns the tags of a frame, or of a blend of two.
pub(super) fn tags(motion: &MorphMotion, count: usize, FrameBlend { from, to, t }: FrameBlend) -> Vec<TagFrame> {
    let tag = |index: usize| {
        let a = stored_tag(&motion.tags, from as usize * count + index);
        if t == 0.0 {
            return a;
        }
        let b = stored_tag(&motion.tags, to as usize * count + index);
        let axis = |axis: usize| a.axes[axis].lerp(b.axes[axis], t).normalize_or(a.axes[axis]);
        TagFrame { origin: a.origin.lerp(b.origin, t), axes: std::array::from_fn(axis) }
    };
    (0..count).map(tag).collect()
}

/// Packs tags of all frames like `track`.
pub(super) fn encode_tags(track: &mut TagTrack, tags: Vec<TagFrame>) -> Result<(), String> {
    *track = match track {
        TagTrack::Axes(_) => TagTrack::Axes(tags),
        TagTrack::Angles(_) => {
            let angles = |tag: &TagFrame| {
                let [x, y, z] = tag.axes.map(Into::into);
                angled(&Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: tag.origin.into() })
            };
            let tags: Option<Vec<[i16; 6]>> = tags.iter().map(angles).collect();
            TagTrack::Angles(tags.ok_or("a tag would be more than 512 units from the origin")?)
        }
    };
    Ok(())
}
