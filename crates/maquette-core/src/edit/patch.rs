//! Patching of changed values into the original bytes.

use std::ops::Range;

use glam::Vec3;

use super::field_offsets::FieldOffsets;
use super::operation::stores_clips;
use crate::bytes::{Part, PartKind, encoded};
use crate::error::WriteError;
use crate::formats;
use crate::model::{Format, Joint, Model, Motion, PackedVertices, ShortVertex, Surface, TagFrame, TagTrack};

pub(super) fn patched(bytes: &[u8], before: &Model, after: &Model) -> Result<Option<Vec<u8>>, WriteError> {
    if !has_same_tables(before, after) {
        return Ok(None);
    }
    let offsets = FieldOffsets::from_bytes(bytes);
    // The loader skipped a surface, so the indices of the file and the model differ.
    if offsets.surface_count > before.surfaces().len() {
        return Ok(None);
    }
    let has_latin1 = before.data().has_latin1;
    let mut patch = Patch { format: before.format(), bytes, offsets, changes: Vec::new(), has_latin1 };
    if patch.compare(before, after)?.is_none() {
        return Ok(None);
    }
    let bytes = patch.applied();
    let is_meant = |again: &Model| {
        again.surfaces() == after.surfaces()
            && again.tags() == after.tags()
            && again.frames() == after.frames()
            && again.skins() == after.skins()
    };
    Ok(bytes.filter(|bytes| formats::load(bytes).is_ok_and(|(again, _)| is_meant(&again))))
}

fn has_same_tables(before: &Model, after: &Model) -> bool {
    let same = |(a, b): (&Surface, &Surface)| {
        a.triangles == b.triangles && a.uvs == b.uvs && a.materials.len() == b.materials.len() && a.lod == b.lod
    };
    before.format() == after.format()
        && before.name() == after.name()
        && before.surfaces().len() == after.surfaces().len()
        && before.surfaces().iter().zip(after.surfaces()).all(same)
        && before.tags().len() == after.tags().len()
        && before.frames().len() == after.frames().len()
        && before.skins().len() == after.skins().len()
        && (!stores_clips(before) || before.clips() == after.clips())
        && before.data() == after.data()
}

struct Patch<'a> {
    format: Format,
    bytes: &'a [u8],
    offsets: FieldOffsets,
    changes: Vec<(Range<usize>, Vec<u8>)>,
    has_latin1: bool,
}

impl Patch<'_> {
    fn compare(&mut self, before: &Model, after: &Model) -> Result<Option<()>, WriteError> {
        for (index, (a, b)) in before.surfaces().iter().zip(after.surfaces()).enumerate() {
            if self.surface(index, a, b)?.is_none() {
                return Ok(None);
            }
        }
        for (index, (a, b)) in before.skins().iter().zip(after.skins()).enumerate() {
            let found = self.offsets.text(None, PartKind::Skin.at(index));
            if a != b && self.name("skin", found, b)?.is_none() {
                return Ok(None);
            }
        }
        if self.tags(before, after)?.is_none() || self.frames(before, after)?.is_none() {
            return Ok(None);
        }
        Ok(self.motion(before, after))
    }

    fn surface(&mut self, index: usize, a: &Surface, b: &Surface) -> Result<Option<()>, WriteError> {
        if a.name != b.name {
            let found = self.offsets.text(Some(index), PartKind::SurfaceName.at(0));
            if self.name("name", found, &b.name)?.is_none() {
                return Ok(None);
            }
        }
        // The materials of an MD2 are its skins.
        if self.offsets.text(None, PartKind::Skin.at(0)).is_some() {
            return Ok(Some(()));
        }
        for (number, (_, new)) in a.materials.iter().zip(&b.materials).enumerate().filter(|(_, (a, b))| a != b) {
            let found = self.offsets.text(Some(index), PartKind::Shader.at(number));
            if self.name("shader", found, new)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    fn name(&mut self, field: &str, found: Option<(Range<usize>, bool)>, name: &str) -> Result<Option<()>, WriteError> {
        let error = |why: String| WriteError { format: self.format.name(), field: field.to_owned(), why };
        let Some((range, is_statement)) = found else { return Ok(None) };
        let mut bytes = encoded(name, self.has_latin1);
        if is_statement {
            if name.contains(['"', '\n', '\r']) {
                return Err(error(format!(
                    "“{name}” contains a quotation mark or a line break, which the format cannot store"
                )));
            }
            let changed = self.bytes.get(range.clone()).and_then(|old| statement(old, &bytes));
            return Ok(changed.map(|changed| self.changes.push((range, changed))));
        }
        // Games need the final NUL.
        if bytes.len() >= range.len() {
            let (length, max) = (bytes.len(), range.len() - 1);
            return Err(error(format!("“{name}” has {length} bytes; the field holds at most {max}")));
        }
        bytes.resize(range.len(), 0);
        self.changes.push((range, bytes));
        Ok(Some(()))
    }

    fn numbers(&mut self, surface: Option<usize>, part: Part, numbers: &[u8]) -> Option<()> {
        let span = self.offsets.numbers(surface, part).filter(|span| span.len() == numbers.len())?;
        self.changes.push((span, numbers.to_vec()));
        Some(())
    }

    fn tags(&mut self, before: &Model, after: &Model) -> Result<Option<()>, WriteError> {
        let count = before.tags().len();
        for (tag, (_, name)) in before.tags().iter().zip(after.tags()).enumerate().filter(|(_, (a, b))| a != b) {
            let offsets = match self.offsets.text(None, PartKind::Tag.at(tag)) {
                Some(span) => vec![Some(span)],
                // An MD3 repeats tag names in every frame.
                None => (0..before.frames().len())
                    .map(|frame| self.offsets.text(None, PartKind::FrameTag.at(frame * count + tag)))
                    .collect(),
            };
            for span in offsets {
                if self.name("tag name", span, name)?.is_none() {
                    return Ok(None);
                }
            }
        }
        let (Motion::Morph(a), Motion::Morph(b)) = (before.motion(), after.motion()) else { return Ok(Some(())) };
        let changed: Vec<(usize, Vec<u8>)> = match (&a.tags, &b.tags) {
            (TagTrack::Axes(a), TagTrack::Axes(b)) => {
                let bytes = |tag: &TagFrame| [[tag.origin].as_slice(), &tag.axes].concat().into_iter().flat_map(floats);
                changes(a, b, |tag| bytes(tag).collect())
            }
            (TagTrack::Angles(a), TagTrack::Angles(b)) => changes(a, b, |tag| shorts(tag)),
            _ => return Ok(None),
        };
        Ok(changed.into_iter().try_for_each(|(index, bytes)| self.numbers(None, PartKind::FrameTag.at(index), &bytes)))
    }

    fn frames(&mut self, before: &Model, after: &Model) -> Result<Option<()>, WriteError> {
        for (index, (a, b)) in before.frames().iter().zip(after.frames()).enumerate().filter(|(_, (a, b))| a != b) {
            let part = PartKind::Frame.at(index);
            if a.name != b.name && self.name("frame name", self.offsets.text(None, part), &b.name)?.is_none() {
                return Ok(None);
            }
            if a.bounds != b.bounds || a.origin != b.origin || a.radius.to_bits() != b.radius.to_bits() {
                let Some(bounds) = b.bounds else { return Ok(None) };
                let box_and_origin = [bounds.min, bounds.max, b.origin].into_iter().flat_map(floats);
                let bytes: Vec<u8> = box_and_origin.chain(b.radius.to_le_bytes()).collect();
                if self.numbers(None, part, &bytes).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(()))
    }

    fn motion(&mut self, before: &Model, after: &Model) -> Option<()> {
        let (Motion::Morph(a), Motion::Morph(b)) = (before.motion(), after.motion()) else {
            return has_same_joints(before, after).then_some(());
        };
        for (surface, (a, b)) in a.surfaces.iter().zip(&b.surfaces).enumerate() {
            if (a.stored, a.frame_count, &a.remap) != (b.stored, b.frame_count, &b.remap) {
                return None;
            }
            match (&a.vertices, &b.vertices) {
                (PackedVertices::Shorts(a), PackedVertices::Shorts(b)) => self.shorts(surface, a, b)?,
                (
                    PackedVertices::KeyDeltas { keys: a, deltas: c, frames },
                    PackedVertices::KeyDeltas { keys: b, deltas: d, frames: new },
                ) if (frames, a.len(), c.len()) == (new, b.len(), d.len()) => {
                    self.shorts(surface, a, b)?;
                    for (index, delta) in changes(c, d, |delta| delta.to_vec()) {
                        self.numbers(Some(surface), PartKind::DeltaVertex.at(index), &delta)?;
                    }
                }
                (PackedVertices::Bytes { vertices: a, frames }, PackedVertices::Bytes { vertices: c, frames: new })
                    if frames == new =>
                {
                    let stored = b.stored as usize;
                    for (index, vertex) in changes(a, c, |vertex| vertex.to_vec()) {
                        // The vertices of a frame follow its name.
                        let (name, _) = self.offsets.text(None, PartKind::Frame.at(index / stored))?;
                        let start = name.end + index % stored * 4;
                        self.changes.push((start..start + 4, vertex));
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn shorts(&mut self, surface: usize, a: &[ShortVertex], b: &[ShortVertex]) -> Option<()> {
        let bytes = |vertex: &ShortVertex| [shorts(&vertex.position), vertex.normal.to_le_bytes().to_vec()].concat();
        let mut changed = changes(a, b, bytes).into_iter();
        changed.try_for_each(|(index, bytes)| self.numbers(Some(surface), PartKind::KeyVertex.at(index), &bytes))
    }

    fn applied(mut self) -> Option<Vec<u8>> {
        self.changes.sort_by_key(|(span, _)| span.start);
        let bytes = self.bytes;
        let (mut changed, mut from) = (Vec::with_capacity(bytes.len()), 0);
        for (span, new) in self.changes {
            if span.start < from || span.end > bytes.len() {
                return None;
            }
            changed.extend_from_slice(bytes.get(from..span.start)?);
            changed.extend(new);
            from = span.end;
        }
        changed.extend_from_slice(bytes.get(from..)?);
        Some(changed)
    }
}

/// Returns whether joints and weights are equal. Their names and tags may differ.
fn has_same_joints(before: &Model, after: &Model) -> bool {
    let (Motion::Skeletal(a), Motion::Skeletal(b)) = (before.motion(), after.motion()) else { return false };
    let poses = |joints: &[Joint]| joints.iter().map(|joint| (joint.parent, joint.bind)).collect::<Vec<_>>();
    a.bindings == b.bindings && a.tracks == b.tracks && poses(&a.joints) == poses(&b.joints)
}

fn changes<T: PartialEq>(before: &[T], after: &[T], bytes: impl Fn(&T) -> Vec<u8>) -> Vec<(usize, Vec<u8>)> {
    let pairs = before.iter().zip(after).enumerate().filter(|(_, (before, after))| before != after);
    pairs.map(|(index, (_, after))| (index, bytes(after))).collect()
}

fn statement(old: &[u8], value: &[u8]) -> Option<Vec<u8>> {
    let quote = |byte: &u8| *byte == b'"';
    let first = old.iter().position(quote);
    let range = match first {
        Some(first) => first..old.iter().rposition(quote).filter(|last| *last > first)? + 1,
        None => {
            let end = old.trim_ascii_end().len();
            let start = old.get(..end)?.iter().rposition(u8::is_ascii_whitespace)? + 1;
            start..end
        }
    };
    Some([old.get(..range.start)?, b"\"", value, b"\"", old.get(range.end..)?].concat())
}

fn floats(value: Vec3) -> impl Iterator<Item = u8> {
    value.to_array().into_iter().flat_map(f32::to_le_bytes)
}

fn shorts(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
