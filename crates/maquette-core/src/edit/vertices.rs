//! Unpacking and packing of vertices and tags.

use std::collections::BTreeSet;

use glam::{Affine3A, Mat3A, Vec3};

use super::operation::Notes;
use crate::convert::mdc::{Track, angled};
use crate::convert::{Grid, STEPS, packed, sixty_fourths};
use crate::model::packed_normal::nearest_zenith_azimuth;
use crate::model::{
    Bounds, ByteFrame, FloatVertex, KeyDeltaFrame, MorphMotion, MorphTrack, PackedVertices, ShortVertex, TagFrame,
    TagTrack, u32_or_max,
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

/// Frame to pack.
pub(super) enum NewFrame {
    /// Frame of the track, whose bytes stay.
    Kept(u32),
    /// Other vertices.
    Made(PosedSurface),
}

impl NewFrame {
    /// Returns the frame of a track at a time.
    pub fn at(track: &MorphTrack, time: FrameBlend) -> Self {
        let last = track.frame_count.saturating_sub(1);
        if time.t == 0.0 { Self::Kept(time.from.min(last)) } else { Self::Made(blended(track, time)) }
    }

    fn kept(&self) -> Option<usize> {
        if let Self::Kept(frame) = self { Some(*frame as usize) } else { None }
    }
}

/// Packs frames of vertices like `track`. `has_one_box` packs all bytes in steps of one box (MDL). The box of kept
/// frames stays if it has room for the others and is not much larger than all; else `notes` gets a sentence.
pub(super) fn encode(
    track: &mut MorphTrack,
    has_one_box: bool,
    mut frames: Vec<NewFrame>,
    notes: &mut Notes,
) -> Result<(), String> {
    let (old, stored) = (track.clone(), track.stored as usize);
    let made = |frame: &NewFrame| if let NewFrame::Made(posed) = frame { Some(posed.positions.len()) } else { None };
    track.stored = u32_or_max(frames.iter().find_map(made).unwrap_or(stored));
    track.frame_count = u32_or_max(frames.len());
    let short = |(position, normal)| short(position, nearest_zenith_azimuth(normal));
    track.vertices = match &old.vertices {
        PackedVertices::Floats(vertices) => {
            let pack = |posed: &PosedSurface| {
                Ok(pairs(posed).map(|(position, normal)| FloatVertex { position, normal }).collect())
            };
            PackedVertices::Floats(with_kept(vertices, stored, &frames, pack)?)
        }
        PackedVertices::Shorts(vertices) => {
            let pack = |posed: &PosedSurface| pairs(posed).map(short).collect();
            PackedVertices::Shorts(with_kept(vertices, stored, &frames, pack)?)
        }
        PackedVertices::KeyDeltas { keys, deltas, frames: table } => {
            let kept = frames.iter().filter_map(|frame| table.get(frame.kept()?));
            let key_numbers = used(kept.clone().map(|frame| frame.key));
            let delta_numbers = used(kept.filter_map(|frame| frame.delta));
            let new = |numbers: &[u16], number: u16| numbers.binary_search(&number).unwrap_or(0) as u16;
            let mut track = Track {
                keys: key_numbers.iter().flat_map(|key| chunk(keys, stored, (*key).into())).copied().collect(),
                deltas: delta_numbers
                    .iter()
                    .flat_map(|delta| chunk(deltas, stored, (*delta).into()))
                    .copied()
                    .collect(),
                frames: Vec::new(),
            };
            for frame in &frames {
                match frame {
                    NewFrame::Kept(frame) => track.frames.extend(table.get(*frame as usize).map(|own| KeyDeltaFrame {
                        key: new(&key_numbers, own.key),
                        delta: own.delta.map(|delta| new(&delta_numbers, delta)),
                    })),
                    NewFrame::Made(posed) => {
                        let vertices = pairs(posed).map(short).collect::<Result<_, _>>()?;
                        track.add(vertices, Some(posed)).map_err(|error| error.to_string())?;
                    }
                }
            }
            PackedVertices::KeyDeltas { keys: track.keys, deltas: track.deltas, frames: track.frames }
        }
        PackedVertices::Bytes { frames: boxes, vertices } => {
            let common = if has_one_box { Some(common_box(&old, boxes, &mut frames, notes)) } else { None };
            let of_frame = |frame: &NewFrame| match frame {
                NewFrame::Kept(frame) => boxes.get(*frame as usize).copied().unwrap_or_default(),
                NewFrame::Made(posed) => common.unwrap_or_else(|| byte_frame(posed.positions.iter().copied())),
            };
            let new: Vec<ByteFrame> = frames.iter().map(of_frame).collect();
            let mut made = frames.iter().zip(&new).filter(|(frame, _)| matches!(frame, NewFrame::Made(_)));
            let pack = |posed: &PosedSurface| {
                let scale = made.next().map(|(_, scale)| *scale).unwrap_or_default();
                Ok(pairs(posed).map(|(position, normal)| packed(position, normal, scale)).collect())
            };
            let vertices = with_kept(vertices, stored, &frames, pack)?;
            PackedVertices::Bytes { frames: new, vertices }
        }
    };
    Ok(())
}

fn used(numbers: impl Iterator<Item = u16>) -> Vec<u16> {
    numbers.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns the vertices of a frame in a table with `stored` vertices for each.
fn chunk<T>(all: &[T], stored: usize, frame: usize) -> &[T] {
    all.get(frame * stored..(frame + 1) * stored).unwrap_or_default()
}

fn with_kept<T: Copy>(
    old: &[T],
    stored: usize,
    frames: &[NewFrame],
    mut pack: impl FnMut(&PosedSurface) -> Result<Vec<T>, String>,
) -> Result<Vec<T>, String> {
    let mut all = Vec::new();
    for frame in frames {
        match frame {
            NewFrame::Kept(frame) => all.extend(chunk(old, stored, *frame as usize)),
            NewFrame::Made(posed) => all.extend(pack(posed)?),
        }
    }
    Ok(all)
}

fn pairs(posed: &PosedSurface) -> impl Iterator<Item = (Vec3, Vec3)> {
    posed.positions.iter().copied().zip(posed.normals.iter().copied())
}

/// Returns the box of all frames: that of the kept ones, or a new one, in which all frames are packed again.
fn common_box(old: &MorphTrack, boxes: &[ByteFrame], frames: &mut [NewFrame], notes: &mut Notes) -> ByteFrame {
    let own = frames.iter().find_map(NewFrame::kept).and_then(|frame| boxes.get(frame)).copied();
    if let Some(own) = own.filter(|_| frames.iter().all(|frame| frame.kept().is_some())) {
        return own;
    }
    let decoded = frames.iter().map(|frame| frame.kept().map(|frame| decoded(old, u32_or_max(frame))));
    let decoded: Vec<Option<PosedSurface>> = decoded.collect();
    let points = frames.iter().zip(&decoded).flat_map(|(frame, decoded)| match (frame, decoded) {
        (NewFrame::Made(posed), _) | (_, Some(posed)) => posed.positions.as_slice(),
        _ => &[],
    });
    let new = byte_frame(points.copied());
    let is_kept = |own: &ByteFrame| has_room(own, &new) && own.scale.cmple(new.scale * 2.0).all();
    if let Some(own) = own.filter(is_kept) {
        return own;
    }
    for (frame, decoded) in frames.iter_mut().zip(decoded) {
        decoded.into_iter().for_each(|posed| *frame = NewFrame::Made(posed));
    }
    if own.is_some() {
        notes.losses.push("the vertices of all frames were rounded to the steps of a new box".to_owned());
    }
    new
}

/// Returns whether a box has room for another one.
fn has_room(own: &ByteFrame, new: &ByteFrame) -> bool {
    let end = |own: &ByteFrame| own.translate + own.scale * STEPS;
    let half = own.scale / 2.0;
    (own.translate - half).cmple(new.translate).all() && end(new).cmple(end(own) + half).all()
}

/// Packs the moved vertices of a frame in the box of the frame. Returns false if none are listed, if the box has no room
/// for them, or if the track has no boxes.
pub(super) fn pack_in_box(track: &mut MorphTrack, frame: u32, posed: &PosedSurface, is_moved: &[bool]) -> bool {
    let start = frame as usize * track.stored as usize;
    let PackedVertices::Bytes { frames, vertices } = &mut track.vertices else { return false };
    let new = byte_frame(posed.positions.iter().copied());
    let own = frames.get(frame as usize).filter(|own| !is_moved.is_empty() && has_room(own, &new));
    let Some(own) = own else { return false };
    let moved = vertices.iter_mut().skip(start).zip(pairs(posed)).zip(is_moved).filter(|(_, is_moved)| **is_moved);
    moved.for_each(|((vertex, (position, normal)), _)| *vertex = packed(position, normal, *own));
    true
}

fn byte_frame(points: impl Iterator<Item = Vec3> + Clone) -> ByteFrame {
    let mut grid = Grid::new(Bounds::from_points(points.clone()));
    grid.add(points);
    grid.frame()
}

/// Returns a vertex in 1/64 units.
pub(super) fn short(position: Vec3, normal: u16) -> Result<ShortVertex, String> {
    let position = sixty_fourths(position).ok_or("a vertex would be more than 512 units from the origin")?;
    Ok(ShortVertex { position, normal })
}

/// Tag to pack, and the index of the stored tag that it comes from.
pub(super) type NewTag = (TagFrame, Option<usize>);

/// Returns the tags of a frame, or of a blend of two.
pub(super) fn tags(motion: &MorphMotion, count: usize, FrameBlend { from, to, t }: FrameBlend) -> Vec<NewTag> {
    let tag = |index: usize| {
        let source = from as usize * count + index;
        let a = stored_tag(&motion.tags, source);
        if t == 0.0 {
            return (a, Some(source));
        }
        let b = stored_tag(&motion.tags, to as usize * count + index);
        let axis = |axis: usize| a.axes[axis].lerp(b.axes[axis], t).normalize_or(a.axes[axis]);
        (TagFrame { origin: a.origin.lerp(b.origin, t), axes: std::array::from_fn(axis) }, Some(source))
    };
    (0..count).map(tag).collect()
}

/// Packs tags of all frames like `track`. Stored numbers of positions and axes that stay equal stay, too.
pub(super) fn encode_tags(track: &mut TagTrack, tags: Vec<NewTag>) -> Result<(), String> {
    let TagTrack::Angles(stored) = &*track else {
        *track = TagTrack::Axes(tags.into_iter().map(|(tag, _)| tag).collect());
        return Ok(());
    };
    let angles = |(tag, source): &NewTag| {
        let [x, y, z] = tag.axes.map(Into::into);
        let mut new = angled(&Affine3A { matrix3: Mat3A::from_cols(x, y, z), translation: tag.origin.into() })?;
        if let Some((source, numbers)) = source.and_then(|source| Some((source, stored.get(source)?))) {
            let before = stored_tag(track, source);
            for (range, is_equal) in [(0..3, before.origin == tag.origin), (3..6, before.axes == tag.axes)] {
                if is_equal {
                    new[range.clone()].copy_from_slice(&numbers[range]);
                }
            }
        }
        Some(new)
    };
    let tags: Option<Vec<[i16; 6]>> = tags.iter().map(angles).collect();
    *track = TagTrack::Angles(tags.ok_or("a tag would be more than 512 units from the origin")?);
    Ok(())
}
