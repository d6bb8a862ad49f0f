//! Frames of an MDL: poses and groups of poses.
//!
//! | chunk | count | bytes each |
//! |---|---|---|
//! | type | 1 | 4: 0 for a single pose, else a group |
//! | of a group: number of poses | 1 | 4 |
//! | of a group: box | 1 | 8: like that of a pose |
//! | of a group: intervals | poses | 4: time in seconds at which the pose ends |
//! | pose | 1, or poses | 24 + 4 × `numverts`: box as two vertices, 16-character name, vertices (x y z, normal index) |
//!
//! The model counts poses, as one list of frames. A group is a clip.

use std::ops::Range;

use glam::Vec3;

use super::{Header, Mesh, NUM_VERTS, RATE, limits};
use crate::bytes::{ByteReader, Column, Kind, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::table_normals::NormalMender;
use crate::formats::{end_times, frame_names};
use crate::model::{Bounds, Clip, ClipSource, FrameInfo, u32_or_max};

const VERTS: Record =
    Record::new("verts", &[Column::new("v", Kind::U8, 3), Column::new("lightnormalindex", Kind::U8, 1)])
        .holding(PartKind::StoredVertex);

/// Rates of the slowest and fastest clips, in frames per second. Other rates are raised or lowered to them.
const SLOWEST: f32 = 0.1;
const FASTEST: f32 = 1000.0;

#[derive(Default)]
pub(super) struct Frames {
    pub infos: Vec<FrameInfo>,
    pub vertices: Vec<[u8; 4]>,
    pub clips: Vec<Clip>,
}

pub(super) fn read(
    source: &Source,
    reader: &mut ByteReader,
    header: &Header,
    mesh: &Mesh,
    warnings: &mut Warnings,
) -> Result<Frames, LoadError> {
    let mut loader = FrameLoader {
        source,
        header,
        mender: NormalMender::new(&mesh.triangles, &mesh.remap),
        frames: Frames::default(),
    };
    for number in 0..header.frames {
        if let Err(error) = loader.read_frame(reader, number, warnings) {
            let error = error.within(&format!("frame {number}"));
            if loader.frames.infos.is_empty() {
                return Err(error);
            }
            source.forgive(error, || format!("{number} of {} frames are used", header.frames))?;
            break;
        }
    }
    loader.mender.report("verts", warnings);
    let mut frames = loader.frames;
    if frames.infos.is_empty() {
        return Err(reader.error("frames", Reason::Broken("a model needs at least one pose".to_owned())));
    }
    frames.clips = clips(&frames.infos, frames.clips);
    Ok(frames)
}

struct FrameLoader<'a> {
    source: &'a Source<'a>,
    header: &'a Header,
    mender: NormalMender<'a>,
    /// Frames so far; the clips are the groups.
    frames: Frames,
}

impl FrameLoader<'_> {
    fn read_frame(&mut self, reader: &mut ByteReader, number: u32, warnings: &mut Warnings) -> Result<(), LoadError> {
        let _group = self.source.group(|| format!("frame {number}"));
        if reader.i32("type")? == 0 {
            return self.read_pose(reader);
        }
        let counter = ("numframes", reader.position());
        let count = reader.count("numframes", limits::POSES)?;
        reader.u8s::<4>("bboxmin")?;
        reader.u8s::<4>("bboxmax")?;
        let end_times = end_times::read(reader, counter, count, RATE, warnings)?;
        let first = self.frames.infos.len();
        for _ in 0..count {
            self.read_pose(reader)?;
        }
        if end_times.is_empty() {
            warnings.add(WarningKind::LeftOut, format!("frame {number}"), "the group has no poses; skipped");
        } else {
            let rate = end_times.last().map_or(RATE, |end| (count as f32 / end).clamp(SLOWEST, FASTEST));
            let group = Clip::new("", u32_or_max(first), count, rate, ClipSource::FrameGroup);
            self.frames.clips.push(Clip { end_times, ..group });
        }
        Ok(())
    }

    fn read_pose(&mut self, reader: &mut ByteReader) -> Result<(), LoadError> {
        let number = self.frames.infos.len();
        let _group = self.source.group_of(PartKind::Frame.at(number), || format!("pose {number}"));
        let (wanted, left) =
            (24 + 4 * u64::from(self.header.vertices), reader.file_len().saturating_sub(reader.position()));
        if left < wanted {
            return Err(reader.error("pose", Reason::UnexpectedEnd { wanted, left }));
        }
        let scale = self.header.scale;
        let position = |[x, y, z, _]: [u8; 4]| scale.translate + Vec3::new(x.into(), y.into(), z.into()) * scale.scale;
        let bounds = Bounds { min: position(reader.u8s("bboxmin")?), max: position(reader.u8s("bboxmax")?) };
        let name = reader.name("name", 16)?;
        self.frames.infos.push(FrameInfo { name, bounds: Some(bounds), ..FrameInfo::default() });
        let vertices = reader.next_table(NUM_VERTS, self.header.vertices.into(), &VERTS)?.as_chunks::<4>().0;
        let start = self.frames.vertices.len();
        self.frames.vertices.extend_from_slice(vertices);
        self.mender.mend(self.frames.vertices.get_mut(start..).unwrap_or_default(), scale);
        Ok(())
    }
}

/// Returns the groups, each named after its first pose, and clips of the poses between them by their names. `groups` are
/// in the order of their poses.
pub(crate) fn clips(infos: &[FrameInfo], groups: Vec<Clip>) -> Vec<Clip> {
    let mut clips = Vec::new();
    let mut next = 0;
    for group in groups {
        let first = group.first as usize;
        clips.extend(named_clips(infos, next..first));
        next = group.end() as usize;
        let named = named_clips(infos, first..first + 1).into_iter().next();
        clips.extend(named.map(|Clip { name, .. }| Clip { name, ..group }));
    }
    clips.extend(named_clips(infos, next..infos.len()));
    frame_names::number_repeats(&mut clips);
    clips
}

fn named_clips(infos: &[FrameInfo], poses: Range<usize>) -> Vec<Clip> {
    let first = u32_or_max(poses.start);
    let infos = infos.get(poses).unwrap_or_default();
    let all = || vec![Clip::new("all", 0, u32_or_max(infos.len()), RATE, ClipSource::FrameNames)];
    let mut clips = if infos.is_empty() { Vec::new() } else { frame_names::groups(infos, RATE).unwrap_or_else(all) };
    clips.iter_mut().for_each(|clip| clip.first += first);
    clips
}
