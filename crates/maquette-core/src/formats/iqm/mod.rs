//! IQM (Inter-Quake Model): skeletal animation relative to the parents, with scale. `INTERQUAKEMODEL`, version 2 or 1.
//!
//! Source of the layout: the published specification `iqm.txt` and its demo, completed by the loaders of ioquake3
//! (`tr_model_iqm.c`) and DarkPlaces (`model_alias.c`). All offsets count from the start of the file; 0 means that a
//! table is absent. Tables may have any order and alignment.
//!
//! | table | bytes each | content |
//! |---|---|---|
//! | text | 1 | names, each ending with NUL; other tables store the offset of a name |
//! | meshes | 24 | name, material, ranges of vertices and triangles |
//! | vertex arrays | 20 | type, flags, format, components, offset of one attribute of all vertices; see `vertices.rs` |
//! | triangles | 12 | three vertices, numbered through all meshes |
//! | joints | 48 | name, parent, translation, rotation and scale of the bind pose, relative to the parent |
//! | poses | 88 | parent, mask, offset and scale of ten channels; see `frames.rs` |
//! | anims | 20 | name, first frame, number of frames, rate, flags |
//! | frames | 2 per channel | the channels in the masks of all poses |
//! | bounds | 32 | box and radii of a frame |
//!
//! Version 1 has nine channels: w of a quaternion is −√(1 − x² − y² − z²).
//!
//! A file without meshes holds animations for another file, whose joints its poses match by index.

mod frames;
mod joints;
mod vertices;
mod write;

use crate::convert;
use crate::formats::{FormatDef, FormatWriter};
use std::sync::Arc;

pub use frames::{check_animation, is_animation, is_animation_for, joints_in_header, load_animation, stored_joints};

pub(crate) use write::MAX_WEIGHTS;
pub use write::write;

use super::frame_names;
use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, FilePosition, LoadError, Reason, Warning, WarningKind, Warnings};
use crate::model::{
    AnimationFiles, Binding, Clip, ClipSource, Companions, Detail, Format, FormatData, FrameInfo, Joint, JointFrames,
    JointStorage, JointTrack, JointTransform, LocalFrames, LocalSkeleton, ModelParts, Motion, SkeletalMotion,
    SkeletalTag, Surface, TagStorage, VertexArray, u32_or_max,
};

/// Inter-Quake Model of DarkPlaces, ioquake3, FTE and the Cube engines, `INTERQUAKEMODEL` version 2 or 1.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "iqm",
    title: "IQM",
    extensions: &["iqm"],
    media_type: "model/x-interquake-iqm",
    signature: "INTERQUAKEMODEL",
    size_at: Some(20),
    game: "DarkPlaces (Nexuiz, Xonotic)",
    version: 2,
    tags: TagStorage::Joints,
    joints: JointStorage::Skeleton,
    bounds_frames: true,
    companions: Companions { animations: AnimationFiles::Above("iqm"), clip_lists: true, skins: true },
    looks_like: Some(|bytes| bytes.starts_with(MAGIC)),
    animation: Some(load_animation),
    writer: Some(FormatWriter {
        model_name: "Inter-Quake model",
        holds: "joints, surfaces on them, and all animations in one file",
        write,
        convert: convert::iqm::convert,
        // Ten channels while converting, of which few change.
        bytes_of_frame: |counts, _| counts.joints * 20,
        sampling_rate: 24.0,
    }),
    ..FormatDef::plain(load)
};

/// First bytes of a file.
pub const MAGIC: &[u8] = b"INTERQUAKEMODEL\0";
/// Size of the header.
pub const HEADER_BYTES: u64 = 124;

const RATE: f32 = FORMAT.usual_rate;

/// Limits of accepted files; ioquake3 stops at 128 joints and 1000 vertices of a mesh.
mod limits {
    pub const TEXT: u32 = 1 << 28;
    pub const MESHES: u32 = 1 << 16;
    pub const ARRAYS: u32 = 1 << 10;
    pub const VERTICES: u32 = 1 << 24;
    pub const TRIANGLES: u32 = 1 << 25;
    pub const JOINTS: u32 = 1 << 16;
    pub const FRAMES: u32 = 1 << 20;
    pub const CHANNELS: u32 = 10 * JOINTS;
}

const MESHES: Record = Record::new(
    "meshes",
    &[
        Column::new("name", Kind::U32, 1),
        Column::new("material", Kind::U32, 1),
        Column::new("first_vertex", Kind::U32, 1),
        Column::new("num_vertexes", Kind::U32, 1),
        Column::new("first_triangle", Kind::U32, 1),
        Column::new("num_triangles", Kind::U32, 1),
    ],
)
.holding(PartKind::Surface);

/// Number of records and offset of a table in the header.
#[derive(Clone, Copy)]
struct Table {
    count: u32,
    offset: Offset,
}

impl Table {
    fn read(
        reader: &mut ByteReader,
        count_field: &'static str,
        offset_field: &'static str,
        max: u32,
    ) -> Result<Self, LoadError> {
        let at = reader.position();
        let count = reader.count(count_field, max)?;
        Ok(Self { count, offset: reader.offset(offset_field)?.counted_by(count_field, at) })
    }

    /// Returns the complete table. An absent table must have no records.
    fn bytes<'a>(&self, source: &'a Source<'a>, record: &Record) -> Result<&'a [u8], LoadError> {
        match (self.count, self.offset.value) {
            (0, _) => Ok(&[]),
            (count, 0) => {
                let (field, at) = self.offset.counter();
                let why = format!("{count} records are announced, but {} is 0", self.offset.field);
                Err(source.error(field, at, Reason::Broken(why)))
            }
            _ => source.start().table(0, self.offset, self.count.into(), record),
        }
    }
}

struct Header {
    version: i32,
    flags: i32,
    text: Table,
    meshes: Table,
    arrays: Table,
    vertices: u32,
    triangles: Table,
    joints: Table,
    poses: Table,
    anims: Table,
    frames: Table,
    channels: u32,
    channels_at: u64,
    ofs_bounds: Offset,
    comment: Table,
    extensions: i32,
}

/// Loads an IQM with meshes.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let header = Header::read(source, warnings)?;
    if header.meshes.count == 0 {
        let why = if header.poses.count > 0 {
            "this is an IQM animation without meshes; open the .iqm with the mesh instead"
        } else {
            "the file has no meshes"
        };
        let (field, at) = header.meshes.offset.counter();
        return Err(source.error(field, at, Reason::Broken(why.to_owned())));
    }
    let names = Names::read(source, header.text)?;
    let mut joints = joints::read(source, &header, &names, warnings)?;
    let skeleton = Arc::new(LocalSkeleton::new(&joints.list, std::mem::take(&mut joints.bind)));
    let meshes = vertices::read(source, &header, &names, &joints, &skeleton, warnings)?;
    let tags: Vec<(String, SkeletalTag)> = (0..)
        .zip(&joints.list)
        .filter(|(_, joint)| is_tag(joint))
        .map(|(index, joint)| (joint.name.clone(), SkeletalTag::Joint(index)))
        .collect();
    let (tags, tag_joints) = tags.into_iter().unzip();
    for ((index, joint), transform) in joints.list.iter_mut().enumerate().zip(skeleton.bind()) {
        let (_, rotation, translation) = skeleton.to_model(index).to_scale_rotation_translation();
        let rotation = if rotation.is_finite() { rotation } else { transform.unit_rotation() };
        joint.bind = JointTransform { rotation, translation };
    }
    let motion = frames::read(source, &header, &names, &joints, &skeleton, warnings)?;
    let (frames, clips, local) = motion.unwrap_or_else(|| {
        let clip = Clip::new("bind pose", 0, 1, RATE, ClipSource::BindPose);
        (vec![FrameInfo::default()], vec![clip], LocalFrames::bind_pose(Arc::clone(&skeleton)))
    });
    if meshes.needs_origin {
        let (name, bind) = ("origin".to_owned(), JointTransform::IDENTITY);
        joints.list.push(Joint { name, parent: None, bind, is_added: true });
    }
    let clips = if clips.is_empty() { frame_names::clips_or_all(&frames, RATE) } else { clips };
    let track = JointTrack { first: 0, frame_count: u32_or_max(frames.len()), frames: JointFrames::Local(local) };
    let comment = header.comment(source);
    Ok(ModelParts {
        version: Some(header.version),
        surfaces: meshes.surfaces,
        frames,
        tags,
        clips,
        motion: Motion::Skeletal(SkeletalMotion {
            joints: joints.list,
            bindings: meshes.bindings,
            tracks: vec![track],
            tags: tag_joints,
        }),
        details: header.details(&comment),
        data: FormatData { flags: header.flags, comment, arrays: meshes.arrays, ..FormatData::default() },
        ..ModelParts::empty(Format::Iqm)
    })
}

/// Returns whether a joint serves as a tag.
pub(crate) fn is_tag(joint: &Joint) -> bool {
    joint.name.to_ascii_lowercase().contains("tag")
}

impl Header {
    fn read(source: &Source, warnings: &mut Warnings) -> Result<Self, LoadError> {
        let _group = source.group(|| "header".to_owned());
        let mut reader = source.start();
        reader.name("magic", 16)?;
        let version = version(&mut reader)?;
        let filesize_at = reader.position();
        let filesize = reader.u32("filesize")?;
        if u64::from(filesize) != source.len() {
            let message = format!("the value is {filesize}, but the file has {} bytes", source.len());
            let fault = (u64::from(filesize) > source.len()).then_some(Fault::FileSize);
            let position = FilePosition::Byte(filesize_at);
            warnings.push(Warning { position, fault, ..Warning::new(WarningKind::Inconsistent, "filesize", message) });
        }
        let flags = reader.i32("flags")?;
        let text = Table::read(&mut reader, "num_text", "ofs_text", limits::TEXT)?;
        let meshes = Table::read(&mut reader, "num_meshes", "ofs_meshes", limits::MESHES)?;
        let arrays_at = reader.position();
        let arrays = reader.count("num_vertexarrays", limits::ARRAYS)?;
        let vertices = reader.count("num_vertexes", limits::VERTICES)?;
        let ofs_arrays = reader.offset("ofs_vertexarrays")?.counted_by("num_vertexarrays", arrays_at);
        let triangles = Table::read(&mut reader, "num_triangles", "ofs_triangles", limits::TRIANGLES)?;
        reader.offset("ofs_adjacency")?;
        let joints = Table::read(&mut reader, "num_joints", "ofs_joints", limits::JOINTS)?;
        let poses = Table::read(&mut reader, "num_poses", "ofs_poses", limits::JOINTS)?;
        let anims = Table::read(&mut reader, "num_anims", "ofs_anims", limits::FRAMES)?;
        let frames_at = reader.position();
        let frames = reader.count("num_frames", limits::FRAMES)?;
        let channels_at = reader.position();
        let channels = reader.count("num_framechannels", limits::CHANNELS)?;
        let ofs_frames = reader.offset("ofs_frames")?.counted_by("num_frames", frames_at);
        let ofs_bounds = reader.offset("ofs_bounds")?.counted_by("num_frames", frames_at);
        let comment = Table::read(&mut reader, "num_comment", "ofs_comment", limits::TEXT)?;
        let extensions = reader.i32("num_extensions")?;
        reader.offset("ofs_extensions")?;
        Ok(Self {
            version,
            flags,
            text,
            meshes,
            arrays: Table { count: arrays, offset: ofs_arrays },
            vertices,
            triangles,
            joints,
            poses,
            anims,
            frames: Table { count: frames, offset: ofs_frames },
            channels,
            channels_at,
            ofs_bounds,
            comment,
            extensions,
        })
    }

    fn computes_w(&self) -> bool {
        self.version == 1
    }

    fn comment(&self, source: &Source) -> String {
        let comment = block(source, "comment", self.comment).unwrap_or_default();
        source.text(comment)
    }

    fn details(&self, comment: &str) -> Vec<Detail> {
        let mut details = vec![
            Detail::flags(self.flags),
            Detail::text("num_vertexes", self.vertices),
            Detail::text("num_triangles", self.triangles.count),
            Detail::text("num_joints", self.joints.count),
            Detail::text("num_framechannels", self.channels),
            Detail::text("num_extensions", self.extensions),
        ];
        if !comment.is_empty() {
            details.push(Detail::text("comment", comment));
        }
        details
    }
}

fn version(reader: &mut ByteReader) -> Result<i32, LoadError> {
    let at = *reader;
    let version = reader.i32("version")?;
    if !matches!(version, 1 | 2) {
        let reason = Reason::UnsupportedVersion { found: version.into(), supported: "1 or 2".to_owned() };
        at.forgive(at.error("version", reason), || "it is read as version 2".to_owned())?;
        return Ok(2);
    }
    Ok(version)
}

/// Returns the bytes of a block of text.
fn block<'a>(source: &Source<'a>, field: &str, table: Table) -> Result<&'a [u8], LoadError> {
    if table.count == 0 || table.offset.value == 0 {
        return Ok(&[]);
    }
    let (start, count) = (u64::from(table.offset.value.cast_unsigned()), u64::from(table.count));
    let left = source.len().saturating_sub(start);
    if left < count {
        source.forgive(source.outside(0, table.offset, count), || format!("{left} of {count} bytes are used"))?;
    }
    source.at(start).skip(field, count.min(left))?;
    let range = usize::try_from(start).ok().zip(usize::try_from(start + count.min(left)).ok());
    Ok(range.and_then(|(start, end)| source.bytes().get(start..end)).unwrap_or_default())
}

/// Text block, from which names are taken by their offset.
struct Names<'a> {
    source: &'a Source<'a>,
    text: &'a [u8],
}

impl<'a> Names<'a> {
    fn read(source: &'a Source<'a>, table: Table) -> Result<Self, LoadError> {
        Ok(Self { source, text: block(source, "text", table)? })
    }

    /// Returns the name at an offset. An offset outside the text leads to an empty name, with a warning.
    fn get(&self, offset: u32, about: impl FnOnce() -> String, warnings: &mut Warnings) -> String {
        if offset == 0 && self.text.is_empty() {
            return String::new();
        }
        let Some(rest) = self.text.get(offset as usize..).filter(|rest| !rest.is_empty()) else {
            let message = format!("the name at byte {offset} is outside the text; an empty name is used");
            warnings.add(WarningKind::Substituted, about(), message);
            return String::new();
        };
        self.source.text(rest)
    }
}

/// Meshes as surfaces, in file order.
struct Meshes {
    surfaces: Vec<Surface>,
    bindings: Vec<Binding>,
    arrays: Vec<VertexArray>,
    /// Whether vertices without weights exist. An additional joint holds them.
    needs_origin: bool,
}
