//! Skeletons of matrices relative to the parent, with every bone in every frame (DPM, ZYM), and their big-endian numbers.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

use super::bone_surface::BONES;
use super::frame_names;
use super::iqm::is_tag;
use crate::bytes::{ByteReader, Column, Kind, Offset, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::model::{
    Binding, Clip, Detail, Format, FrameInfo, Joint, JointFrames, JointTrack, JointTransform, ModelParts, Motion,
    SkeletalMotion, SkeletalTag, Surface, are_usable, smooth_normals, u32_or_max,
};

/// Frames per second of clips without a rate.
pub(super) const RATE: f32 = 10.0;

const MATRIX: &[Column] = &[Column::new("matrix", Kind::F32Be, 12)];
/// Matrices of one frame: three rows of four numbers for each bone.
pub(super) const BONE_MATRICES: Record = Record::new("bonepositions", MATRIX).holding(PartKind::Joint);
/// Triangles of three vertex indices, counter-clockwise.
pub(super) const TRIANGLES: Record =
    Record::new("triangles", &[Column::new("indices", Kind::U32Be, 3)]).holding(PartKind::Triangle);
/// Texture coordinates.
pub(super) const TEXCOORDS: Record =
    Record::new("texcoords", &[Column::new("st", Kind::F32Be, 2)]).holding(PartKind::Vertex);

/// Returns the big-endian numbers of a record.
pub(super) fn words<const COUNT: usize>(record: &[u8]) -> [u32; COUNT] {
    let mut words = [0; COUNT];
    for (word, bytes) in words.iter_mut().zip(record.as_chunks::<4>().0) {
        *word = u32::from_be_bytes(*bytes);
    }
    words
}

/// Like [`words`], for floats.
pub(super) fn floats<const COUNT: usize>(record: &[u8]) -> [f32; COUNT] {
    words(record).map(f32::from_bits)
}

/// Reads a count between `min` and `max`.
pub(super) fn count(reader: &mut ByteReader, field: &str, [min, max]: [u32; 2]) -> Result<u32, LoadError> {
    let at = *reader;
    match reader.u32_be(field)? {
        0 if min > 0 => Err(at.error(field, Reason::Broken(format!("the count is 0; a model needs at least {min}")))),
        count if count < min => Err(at.error(field, Reason::Broken(format!("{count} is less than {min}")))),
        count if count > max => Err(at.error(field, Reason::CountOutOfRange { count: count.into(), max: max.into() })),
        count => Ok(count),
    }
}

/// Reads the number of bones.
pub(super) fn bone_count(reader: &mut ByteReader, field: &str) -> Result<u32, LoadError> {
    count(reader, field, [1, BONES])
}

/// Reads an offset from the start of the file.
pub(super) fn offset(reader: &mut ByteReader, field: &'static str) -> Result<Offset, LoadError> {
    let at = reader.position();
    Ok(Offset::new(field, at, reader.u32_be(field)?.cast_signed()))
}

/// Reads the type that follows the signature, which must be `supported`.
pub(super) fn check_type(reader: &mut ByteReader, supported: u32) -> Result<i32, LoadError> {
    let at = *reader;
    let found = reader.u32_be("type")?;
    if found != supported {
        return Err(
            at.error("type", Reason::UnsupportedVersion { found: found.into(), supported: supported.to_string() })
        );
    }
    Ok(found.cast_signed())
}

/// Reads the joints of a table of records of 40 bytes: a name of 32 bytes and, `parent_at` bytes in, the parent. Parents
/// come first.
pub(super) fn joints(table: &[u8], parent_at: usize, source: &Source, start: u64) -> Result<Vec<Joint>, LoadError> {
    let joint = |(index, record): (u32, &[u8; 40])| {
        let [parent] = words::<1>(record.get(parent_at..).unwrap_or_default());
        let parent = (parent.cast_signed() >= 0).then_some(parent);
        let name = source.text(record.get(..32).unwrap_or_default());
        if parent.is_some_and(|parent| parent >= index) {
            let at = start + u64::from(index) * 40 + parent_at as u64;
            let why = format!("bone {index} “{name}” comes before its parent");
            return Err(source.error("parent", at, Reason::Broken(why)));
        }
        Ok(Joint { name, parent, bind: JointTransform::IDENTITY, is_added: false })
    };
    (0..).zip(table.as_chunks::<40>().0).map(joint).collect()
}

/// Matrices of all frames.
#[derive(Default)]
pub(super) struct BoneFrames {
    pub matrices: Vec<[f32; 12]>,
    broken: usize,
}

impl BoneFrames {
    /// Adds matrices. Helper nodes of some exporters have only zeros as rotation, which counts as no rotation.
    pub fn add(&mut self, table: &[u8]) {
        let matrix = |record: &[u8; 48]| {
            let rows = floats::<12>(record);
            let [a, b, c, x, d, e, f, y, g, h, i, z] = rows;
            if !are_usable(&rows) {
                self.broken += 1;
                [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0]
            } else if [a, b, c, d, e, f, g, h, i] == [0.0; 9] {
                [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z]
            } else {
                rows
            }
        };
        self.matrices.extend(table.as_chunks::<48>().0.iter().map(matrix));
    }

    /// Returns the joints of the first frame in model space.
    pub fn first(&self, joints: &[Joint]) -> Vec<Affine3A> {
        let mut posed: Vec<Affine3A> = Vec::with_capacity(joints.len());
        for (joint, [a, b, c, x, d, e, f, y, g, h, i, z]) in joints.iter().zip(&self.matrices) {
            let columns = [Vec3A::new(*a, *d, *g), Vec3A::new(*b, *e, *h), Vec3A::new(*c, *f, *i)];
            let [first, second, third] = columns;
            let own = Affine3A { matrix3: Mat3A::from_cols(first, second, third), translation: Vec3A::new(*x, *y, *z) };
            let parent = joint.parent.and_then(|parent| posed.get(parent as usize));
            posed.push(parent.map_or(own, |parent| *parent * own));
        }
        posed
    }
}

/// Computes the smooth normals of surfaces without normals in a pose, and stores them in the space of each vertex's joints,
/// as DarkPlaces does.
pub(super) fn bind_normals(surfaces: &[Surface], bindings: &mut [Binding], posed: &[Affine3A]) {
    let to_joint: Vec<Mat3A> = posed.iter().map(|joint| joint.matrix3.transpose()).collect();
    for (surface, binding) in surfaces.iter().zip(bindings) {
        let position = |vertex: &(u32, u32)| -> Vec3 {
            let moved = binding.weights_of(*vertex).iter().map(|weight| {
                let joint = posed.get(weight.joint as usize).unwrap_or(&Affine3A::IDENTITY);
                joint.transform_point3(weight.offset) * weight.bias
            });
            moved.sum()
        };
        let positions: Vec<Vec3> = binding.vertices.iter().map(position).collect();
        let normals = smooth_normals(&positions, &surface.triangles);
        for ((first, count), normal) in binding.vertices.iter().zip(normals) {
            let own = *first as usize..*first as usize + *count as usize;
            for weight in binding.weights.get_mut(own).unwrap_or_default() {
                // A uniform scale keeps directions, so the transpose turns back.
                let turn = to_joint.get(weight.joint as usize).unwrap_or(&Mat3A::IDENTITY);
                weight.normal = (*turn * Vec3A::from(normal)).normalize_or(Vec3A::Z).into();
            }
        }
    }
}

/// Contents of a model with a skeleton of relative matrices.
pub(super) struct Contents {
    pub format: Format,
    pub version: i32,
    pub joints: Vec<Joint>,
    pub surfaces: Vec<Surface>,
    pub bindings: Vec<Binding>,
    pub frames: Vec<FrameInfo>,
    pub bones: BoneFrames,
    /// Clips of the file. Without any, the names of the frames divide them.
    pub clips: Vec<Clip>,
    pub details: Vec<Detail>,
}

impl Contents {
    /// Returns the model. Bones whose names contain `tag` are its tags.
    pub fn into_parts(self, warnings: &mut Warnings) -> ModelParts {
        let Self { format, version, joints, surfaces, bindings, frames, bones, clips, details } = self;
        let broken = [
            "matrix of a bone is not finite; the origin without rotation is used",
            "matrices of bones are not finite; the origin without rotation is used",
        ];
        warnings.add_counted(WarningKind::Substituted, "frames", bones.broken, broken);
        let tags = (0..).zip(&joints).filter(|(_, joint)| is_tag(joint));
        let (tags, tag_joints) = tags.map(|(index, joint)| (joint.name.clone(), SkeletalTag::Joint(index))).unzip();
        let track = JointTrack {
            first: 0,
            frame_count: u32_or_max(frames.len()),
            frames: JointFrames::Relative(bones.matrices),
        };
        ModelParts {
            version: Some(version),
            surfaces,
            tags,
            clips: if clips.is_empty() { frame_names::clips_or_all(&frames, RATE) } else { clips },
            frames,
            motion: Motion::Skeletal(SkeletalMotion { joints, bindings, tracks: vec![track], tags: tag_joints }),
            details,
            ..ModelParts::empty(format)
        }
    }
}
