//! What differs between two models, put into the bytes of the first.

use std::ops::Range;

use glam::Vec3;

use super::places::Places;
use crate::bytes::latin1_bytes;
use crate::error::WriteError;
use crate::formats;
use crate::model::{Format, Model, Motion, PackedVertices, ShortVertex, Surface, TagTrack};

/// The changed bytes; none if the tables would be others, or the places of what differs are not known.
///
/// # Errors
///
/// If a name does not fit its field.
pub(super) fn patched(bytes: &[u8], before: &Model, after: &Model) -> Result<Option<Vec<u8>>, WriteError> {
    if !has_same_tables(before, after) {
        return Ok(None);
    }
    let places = Places::of(bytes);
    if places.surface_count() != before.surfaces().len() && before.format() != Format::Md2 {
        return Ok(None);
    }
    let mut patch = Patch { format: before.format(), places, changes: Vec::new() };
    if patch.compare(before, after)?.is_none() {
        return Ok(None);
    }
    let bytes = patch.applied(bytes);
    // What is read of it decides.
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
}

/// Bytes that come in place of others.
struct Patch {
    format: Format,
    places: Places,
    changes: Vec<(Range<usize>, Vec<u8>)>,
}

impl Patch {
    /// Finds everything that differs; none if the place of something is not known.
    fn compare(&mut self, before: &Model, after: &Model) -> Result<Option<()>, WriteError> {
        for (index, (a, b)) in before.surfaces().iter().zip(after.surfaces()).enumerate() {
            if self.surface(index, a, b)?.is_none() {
                return Ok(None);
            }
        }
        for (index, (a, b)) in before.skins().iter().zip(after.skins()).enumerate() {
            let place = self.places.record("skins", index, "name");
            if a != b && self.name("skin", place, b)?.is_none() {
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
            let place = self.places.surface_field(index, "name");
            if self.name("name", place, &b.name)?.is_none() {
                return Ok(None);
            }
        }
        for (number, (_, new)) in a.materials.iter().zip(&b.materials).enumerate().filter(|(_, (a, b))| a != b) {
            let place = match self.format {
                // They are its skins.
                Format::Md2 => continue,
                Format::Mdr | Format::Md5 => self.places.surface_field(index, "shader"),
                _ => self.places.surface_record(index, "shaders", number, "name"),
            };
            if self.name("shader", place, new)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(()))
    }

    /// A name in its field, or, in a text, in its statement.
    fn name(&mut self, field: &str, place: Option<Range<usize>>, name: &str) -> Result<Option<()>, WriteError> {
        let error = |why: String| WriteError { format: self.format.name(), field: field.to_owned(), why };
        let Some(place) = place else { return Ok(None) };
        let mut bytes = latin1_bytes(name).map_err(error)?;
        if self.format == Format::Md5 {
            if name.contains(['"', '\n', '\r']) {
                return Err(error(format!("“{name}” has a character that cannot stand between quotation marks")));
            }
            self.changes.push((place, bytes));
            return Ok(Some(()));
        }
        // The game wants the zero that ends it.
        if bytes.len() >= place.len() {
            let (length, most) = (bytes.len(), place.len() - 1);
            return Err(error(format!("“{name}” has {length} characters; the field holds {most}")));
        }
        bytes.resize(place.len(), 0);
        self.changes.push((place, bytes));
        Ok(Some(()))
    }

    fn numbers(&mut self, place: Option<Range<usize>>, numbers: &[u8]) -> Option<()> {
        let place = place.filter(|place| place.len() == numbers.len())?;
        self.changes.push((place, numbers.to_vec()));
        Some(())
    }

    fn tags(&mut self, before: &Model, after: &Model) -> Result<Option<()>, WriteError> {
        let count = before.tags().len();
        for (tag, (_, name)) in before.tags().iter().zip(after.tags()).enumerate().filter(|(_, (a, b))| a != b) {
            // An MD3 repeats them in every frame.
            let frames = if self.format == Format::Md3 { before.frames().len() } else { 1 };
            let table = if self.format == Format::Mdc { "tagNames" } else { "tags" };
            for frame in 0..frames {
                let place = self.places.record(table, frame * count + tag, "name");
                if self.name("tag name", place, name)?.is_none() {
                    return Ok(None);
                }
            }
        }
        let (Motion::Morph(a), Motion::Morph(b)) = (before.motion(), after.motion()) else { return Ok(Some(())) };
        Ok(match (&a.tags, &b.tags) {
            (TagTrack::Axes(a), TagTrack::Axes(b)) => {
                let changed = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
                let mut columns = changed.flat_map(|(index, (_, tag))| {
                    let [x, y, z] = tag.axes;
                    [("origin", tag.origin), ("axis 0", x), ("axis 1", y), ("axis 2", z)].map(|column| (index, column))
                });
                columns.try_for_each(|(index, (column, value))| {
                    let place = self.places.record("tags", index, column);
                    self.numbers(place, &floats(value))
                })
            }
            (TagTrack::Angles(a), TagTrack::Angles(b)) => {
                let mut changed = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
                changed.try_for_each(|(index, (_, tag))| {
                    let (place, angles) = (shorts(&tag[..3]), shorts(&tag[3..]));
                    let [xyz, turned] = ["xyz", "angles"].map(|column| self.places.record("tags", index, column));
                    self.numbers(xyz, &place)?;
                    self.numbers(turned, &angles)
                })
            }
            _ => None,
        })
    }

    fn frames(&mut self, before: &Model, after: &Model) -> Result<Option<()>, WriteError> {
        for (index, (a, b)) in before.frames().iter().zip(after.frames()).enumerate().filter(|(_, (a, b))| a != b) {
            if a.name != b.name {
                let place = self.places.record("frames", index, "name");
                if self.name("frame name", place, &b.name)?.is_none() {
                    return Ok(None);
                }
            }
            let columns =
                b.bounds.map(|bounds| [("mins", bounds.min), ("maxs", bounds.max), ("localOrigin", b.origin)]);
            let is_changed = a.bounds != b.bounds || a.origin != b.origin || a.radius.to_bits() != b.radius.to_bits();
            // An MD2 has no other box than that of its scale.
            let is_changed = is_changed && self.format != Format::Md2;
            for (column, value) in columns.into_iter().flatten().filter(|_| is_changed) {
                let place = self.places.record("frames", index, column);
                if self.numbers(place, &floats(value)).is_none() {
                    return Ok(None);
                }
            }
            if is_changed {
                let place = self.places.record("frames", index, "radius");
                if self.numbers(place, &b.radius.to_le_bytes()).is_none() {
                    return Ok(None);
                }
            }
        }
        Ok(Some(()))
    }

    /// Packed vertices that differ.
    fn motion(&mut self, before: &Model, after: &Model) -> Option<()> {
        let (Motion::Morph(a), Motion::Morph(b)) = (before.motion(), after.motion()) else { return Some(()) };
        for (surface, (a, b)) in a.surfaces.iter().zip(&b.surfaces).enumerate() {
            match (&a.vertices, &b.vertices) {
                (PackedVertices::Shorts(a), PackedVertices::Shorts(b)) => self.shorts(surface, a, b)?,
                (
                    PackedVertices::KeyDeltas { keys: a, deltas: c, .. },
                    PackedVertices::KeyDeltas { keys: b, deltas: d, .. },
                ) => {
                    self.shorts(surface, a, b)?;
                    for (index, (_, delta)) in c.iter().zip(d).enumerate().filter(|(_, (c, d))| c != d) {
                        let start = self.places.surface_record(surface, "xyzCompressed", index, "ofsVec")?.start;
                        self.numbers(Some(start..start + 4), delta)?;
                    }
                }
                (PackedVertices::Bytes { vertices: a, .. }, PackedVertices::Bytes { vertices: c, .. }) => {
                    let stored = b.stored as usize;
                    for (index, (_, vertex)) in a.iter().zip(c).enumerate().filter(|(_, (a, c))| a != c) {
                        let start = self.places.record_tail("frames", index / stored)? + index % stored * 4;
                        self.numbers(Some(start..start + 4), vertex)?;
                    }
                }
                _ => return None,
            }
        }
        Some(())
    }

    fn shorts(&mut self, surface: usize, a: &[ShortVertex], b: &[ShortVertex]) -> Option<()> {
        let mut changed = a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b);
        changed.try_for_each(|(index, (_, vertex))| {
            let start = self.places.surface_record(surface, "xyzNormals", index, "xyz")?.start;
            let mut bytes = shorts(&vertex.position);
            bytes.extend(vertex.normal.to_le_bytes());
            self.numbers(Some(start..start + 8), &bytes)
        })
    }

    /// The bytes with everything changed; none if a change leaves them.
    fn applied(mut self, bytes: &[u8]) -> Option<Vec<u8>> {
        self.changes.sort_by_key(|(place, _)| place.start);
        let (mut changed, mut from) = (Vec::with_capacity(bytes.len()), 0);
        for (place, new) in self.changes {
            let old = bytes.get(place.clone())?;
            if place.start < from {
                return None;
            }
            changed.extend_from_slice(bytes.get(from..place.start)?);
            if self.format == Format::Md5 {
                changed.extend(statement(old, &new)?)
            } else {
                changed.extend(new)
            }
            from = place.end;
        }
        changed.extend_from_slice(bytes.get(from..)?);
        Some(changed)
    }
}

/// A statement of a text with another value: what stands between its quotation marks, or its last word.
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

fn floats(value: Vec3) -> Vec<u8> {
    value.to_array().iter().flat_map(|number| number.to_le_bytes()).collect()
}

fn shorts(numbers: &[i16]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_le_bytes()).collect()
}
