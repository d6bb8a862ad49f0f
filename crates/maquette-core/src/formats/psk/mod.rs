//! PSK: skeletal mesh of the Unreal engine's ActorX exporter, as DarkPlaces reads it. Its animations are in a PSA file
//! ([`psa`]).
//!
//! Source: DarkPlaces (`model_alias.c`, `Mod_PSKMODEL_Load`; `model_psk.h`). A file is a list of chunks, which begin with a
//! name of 20 bytes, a version, the size of a record and the number of records.
//!
//! | chunk | bytes each | content |
//! |---|---|---|
//! | `PNTS0000` | 12 | positions |
//! | `VTXW0000` | 16 | point, texture coordinates from the top |
//! | `FACE0000` | 12 | three wedges, clockwise; material |
//! | `MATT0000` | 88 | name of a material, each of which is a surface |
//! | `REFSKELT` | 120 | name, parent, rotation and origin relative to the parent |
//! | `RAWWEIGHTS` | 12 | weight, point, bone |
//!
//! There are no normals: DarkPlaces computes smooth ones.

pub mod psa;

use foldhash::{HashMap, HashMapExt as _};
use glam::{Quat, Vec2, Vec3};

use super::bone_surface::BONES;
use super::chunk::{f32_at, f32s, i32_at, u16s, vec3_at};
use super::iqm::is_tag;
use super::md3_common::limits;
use super::relative_bones::{RATE, bind_normals};
use crate::bytes::{Column, Kind, PartKind, Record, Source};
use crate::error::{Fault, LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::model::{
    AnimationFiles, Binding, Companions, Format, FrameInfo, Joint, JointFrames, JointStorage, JointTrack,
    JointTransform, ModelParts, Motion, NameLimits, SkeletalMotion, SkeletalTag, Surface, SurfaceStorage, TagStorage,
    Weight, are_usable, u32_or_max,
};

/// Mesh of the Unreal engine, `ACTRHEAD`.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "psk",
    title: "PSK",
    extensions: &["psk"],
    media_type: "model/x-unreal-psk",
    signature: "ACTRHEAD",
    game: "DarkPlaces (Nexuiz, Xonotic)",
    version: 1,
    usual_rate: RATE,
    surfaces: SurfaceStorage::Unnamed,
    tags: TagStorage::Joints,
    joints: JointStorage::Skeleton,
    stores_normals: false,
    name_limits: NameLimits { surface: Some(63), tag: Some(63), frame: None },
    companions: Companions { animations: AnimationFiles::Below("psa"), clip_lists: true, skins: true },
    alpha_without_script: true,
    animation: Some(psa::load_animation),
    ..FormatDef::plain(load)
};

const POINTS: Record = Record::new("PNTS0000", &[Column::new("point", Kind::F32, 3)]).holding(PartKind::StoredVertex);
const WEDGES: Record = Record::new(
    "VTXW0000",
    &[
        Column::new("pointIndex", Kind::U16, 2),
        Column::new("texcoord", Kind::F32, 2),
        Column::new("matIndex", Kind::U8, 1),
        Column::new("reserved", Kind::Bytes, 3),
    ],
);
const FACES: Record = Record::new(
    "FACE0000",
    &[
        Column::new("wedgeIndex", Kind::U16, 3),
        Column::new("matIndex", Kind::U8, 1),
        Column::new("auxMatIndex", Kind::U8, 1),
        Column::new("smoothingGroups", Kind::U32, 1),
    ],
);
const MATERIALS: Record =
    Record::new("MATT0000", &[Column::new("materialName", Kind::Text, 64), Column::new("values", Kind::I32, 6)])
        .holding(PartKind::Shader);
const BONE: &[Column] = &[
    Column::new("name", Kind::Text, 64),
    Column::new("flags", Kind::I32, 1),
    Column::new("numChildren", Kind::I32, 1),
    Column::new("parentIndex", Kind::I32, 1),
    Column::new("orientation", Kind::F32, 4),
    Column::new("position", Kind::F32, 3),
    Column::new("length, size", Kind::F32, 4),
];
const SKELETON: Record = Record::new("REFSKELT", BONE).holding(PartKind::Joint);
const WEIGHTS: Record = Record::new(
    "RAWWEIGHTS",
    &[
        Column::new("weight", Kind::F32, 1),
        Column::new("pointIndex", Kind::I32, 1),
        Column::new("boneIndex", Kind::I32, 1),
    ],
)
.holding(PartKind::Weight);

/// Weights of a vertex that DarkPlaces uses: the largest.
const WEIGHTS_PER_VERTEX: usize = 4;

/// Loads a PSK without its animations.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let records = [POINTS, WEDGES, FACES, MATERIALS, SKELETON, WEIGHTS];
    let [points, wedges, faces, materials, skeleton, weights] = chunks(source, &records)?;
    if materials.0.len() / 88 > limits::SURFACES as usize {
        let count = (materials.0.len() / 88) as i64;
        let reason = Reason::CountOutOfRange { count, max: limits::SURFACES.into() };
        return Err(source.error("MATT0000", materials.1, reason));
    }
    let mut broken = 0;
    let mut usable = |point: Vec3| {
        broken += usize::from(!are_usable(&point.to_array()));
        if are_usable(&point.to_array()) { point } else { Vec3::ZERO }
    };
    let points: Vec<Vec3> = points.0.as_chunks::<12>().0.iter().map(|point| usable(vec3_at(point, 0))).collect();
    let joints = read_joints(source, skeleton, &mut usable)?;
    let weights = read_weights(weights.0, points.len(), &joints, warnings);
    let vertices: Vec<(usize, Vec2)> = wedges.0.as_chunks::<16>().0.iter().map(vertex).collect();
    let names = materials.0.as_chunks::<88>().0.iter().map(|record| source.text(record.get(..64).unwrap_or_default()));
    let mut parts: Vec<(Surface, Binding)> = names
        .map(|name| Surface {
            materials: [name].into_iter().filter(|name| !name.is_empty()).collect(),
            ..Surface::default()
        })
        .map(|surface| (surface, Binding::default()))
        .collect();
    let lost = add_faces(faces.0, &points, &vertices, &weights, &joints, &mut parts);
    let (surfaces, mut bindings): (Vec<Surface>, Vec<Binding>) = parts.into_iter().unzip();
    warnings.add_counted_fault(
        Fault::UnknownVertex,
        WarningKind::LeftOut,
        "FACE0000",
        lost,
        [
            "triangle names a vertex or a material that does not exist; skipped",
            "triangles name vertices or materials that do not exist; skipped",
        ],
    );
    warnings.add_counted(
        WarningKind::Substituted,
        "PNTS0000, REFSKELT",
        broken,
        [
            "position is not finite or beyond a billion; the origin is used",
            "positions are not finite or beyond a billion; the origin is used",
        ],
    );
    let posed: Vec<_> = joints.iter().map(|joint| joint.bind.into()).collect();
    bind_normals(&surfaces, &mut bindings, &posed);
    let tags = (0..).zip(&joints).filter(|(_, joint)| is_tag(joint));
    let (tags, tag_joints) = tags.map(|(index, joint)| (joint.name.clone(), SkeletalTag::Joint(index))).unzip();
    let track = JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind };
    Ok(ModelParts {
        surfaces,
        tags,
        frames: vec![FrameInfo::default()],
        motion: Motion::Skeletal(SkeletalMotion { joints, bindings, tracks: vec![track], tags: tag_joints }),
        ..ModelParts::empty(Format::Psk)
    })
}

/// Returns the tables of the chunks with the names of `records`, and their positions. Other chunks are skipped.
fn chunks<'a, const COUNT: usize>(
    source: &'a Source,
    records: &[Record; COUNT],
) -> Result<[(&'a [u8], u64); COUNT], LoadError> {
    let mut found = [None; COUNT];
    let mut reader = source.start();
    while reader.position() < source.len() {
        let head = source.group(|| "chunk".to_owned());
        let name = reader.name("name", 20)?;
        reader.i32("version")?;
        let sized = reader;
        let size = reader.count("recordsize", u32::MAX >> 1)?;
        let counted_at = reader.position();
        let count = reader.count("numrecords", u32::MAX >> 1)?;
        drop(head);
        let at = reader.position();
        match records.iter().zip(&mut found).find(|(record, _)| record.name == name) {
            Some((record, _)) if u64::from(size) != record.stride() => {
                let why = format!("records of {name} have {size} bytes; {} are expected", record.stride());
                return Err(sized.error("recordsize", Reason::Broken(why)));
            }
            Some((record, table)) => {
                *table = Some((reader.next_table(("numrecords", counted_at), count.into(), record)?, at));
            }
            None => reader.skip("numrecords", u64::from(size) * u64::from(count))?,
        }
    }
    let missing = records.iter().zip(&found).find(|(_, table)| table.is_none_or(|(table, _)| table.is_empty()));
    if let Some((record, _)) = missing {
        let why = Reason::Broken(format!("chunk {} is missing or empty", record.name));
        return Err(source.error(record.name, source.len(), why));
    }
    Ok(found.map(Option::unwrap_or_default))
}

/// Returns a rotation relative to the parent. Files have its conjugate, but for the root, where only y is negative.
/// Zeros count as no rotation.
fn rotation(bone: usize, [x, y, z, w]: [f32; 4]) -> Quat {
    let stored = if bone == 0 { Quat::from_xyzw(x, -y, z, w) } else { Quat::from_xyzw(-x, -y, -z, w) };
    let length = stored.length();
    if length.is_normal() { stored / length } else { Quat::IDENTITY }
}

/// Returns the joints in the bind pose. The first is the root.
fn read_joints(
    source: &Source,
    (table, start): (&[u8], u64),
    usable: &mut impl FnMut(Vec3) -> Vec3,
) -> Result<Vec<Joint>, LoadError> {
    if table.len() / 120 > BONES as usize {
        let count = (table.len() / 120) as i64;
        return Err(source.error("REFSKELT", start, Reason::CountOutOfRange { count, max: BONES.into() }));
    }
    let mut joints: Vec<Joint> = Vec::with_capacity(table.len() / 120);
    for (index, record) in table.as_chunks::<120>().0.iter().enumerate() {
        let name = source.text(record.get(..64).unwrap_or_default());
        let own = JointTransform {
            rotation: rotation(index, f32s(record.get(76..).unwrap_or_default())),
            translation: usable(vec3_at(record, 92)),
        };
        let parent = i32_at(record, 72);
        let known = usize::try_from(parent).ok().and_then(|parent| joints.get(parent));
        let (parent, bind) = match (index, known) {
            (0, _) => (None, own),
            (_, Some(known)) => (Some(parent.cast_unsigned()), known.bind.then_inner(own)),
            (_, None) => {
                let why = format!("bone {index} “{name}” comes before its parent");
                return Err(source.error("parentIndex", start + index as u64 * 120 + 72, Reason::Broken(why)));
            }
        };
        joints.push(Joint { name, parent, bind, is_added: false });
    }
    Ok(joints)
}

/// Returns the largest weights of each point, as bone and weight, in the order of the file.
fn read_weights(table: &[u8], points: usize, joints: &[Joint], warnings: &mut Warnings) -> Vec<Vec<(u32, f32)>> {
    let mut weights: Vec<Vec<(u32, f32)>> = vec![Vec::new(); points];
    let mut broken = 0;
    for record in table.as_chunks::<12>().0 {
        let [point, bone] = [i32_at(record, 4), i32_at(record, 8)].map(i32::cast_unsigned);
        match weights.get_mut(point as usize) {
            Some(own) if (bone as usize) < joints.len() && are_usable(&[f32_at(record, 0)]) => {
                own.push((bone, f32_at(record, 0)));
            }
            _ => broken += 1,
        }
    }
    for own in weights.iter_mut().filter(|own| own.len() > WEIGHTS_PER_VERTEX) {
        own.sort_by(|(_, a), (_, b)| b.total_cmp(a));
        own.truncate(WEIGHTS_PER_VERTEX);
    }
    warnings.add_counted(
        WarningKind::LeftOut,
        "RAWWEIGHTS",
        broken,
        [
            "weight has a point or a bone that does not exist, or an invalid number; skipped",
            "weights have a point or a bone that does not exist, or an invalid number; skipped",
        ],
    );
    weights
}

fn vertex(record: &[u8; 16]) -> (usize, Vec2) {
    let [point] = u16s::<1>(record);
    let uv = [f32_at(record, 4), f32_at(record, 8)];
    (point.into(), if are_usable(&uv) { uv.into() } else { Vec2::ZERO })
}

/// Adds the triangles of each material to its surface, with the vertices that they use, attached to the joints.
fn add_faces(
    faces: &[u8],
    points: &[Vec3],
    vertices: &[(usize, Vec2)],
    weights: &[Vec<(u32, f32)>],
    joints: &[Joint],
    parts: &mut [(Surface, Binding)],
) -> usize {
    let to_joint: Vec<JointTransform> = joints.iter().map(|joint| joint.bind.inverse()).collect();
    let mut known: HashMap<(u8, u16), u32> = HashMap::new();
    let mut broken = 0;
    for record in faces.as_chunks::<12>().0 {
        let (corners, [material, ..]) = (u16s::<3>(record), record.last_chunk::<6>().copied().unwrap_or_default());
        let is_known = |corner: &u16| vertices.get(*corner as usize).is_some_and(|(point, _)| *point < points.len());
        let part = parts.get_mut(material as usize).filter(|_| corners.iter().all(is_known));
        let Some((surface, binding)) = part else {
            broken += 1;
            continue;
        };
        let triangle = corners.map(|corner| {
            *known.entry((material, corner)).or_insert_with(|| {
                let (point, uv) = vertices.get(corner as usize).copied().unwrap_or_default();
                let position = points.get(point).copied().unwrap_or_default();
                let own = weights.get(point).map_or(&[][..], Vec::as_slice);
                binding.vertices.push((u32_or_max(binding.weights.len()), u32_or_max(own.len())));
                binding.weights.extend(own.iter().map(|(joint, bias)| {
                    let to_joint = to_joint.get(*joint as usize).copied().unwrap_or(JointTransform::IDENTITY);
                    let offset = to_joint.rotation * position + to_joint.translation;
                    Weight { joint: *joint, bias: *bias, offset, normal: Vec3::Z }
                }));
                surface.uvs.push(uv);
                u32_or_max(surface.uvs.len() - 1)
            })
        });
        surface.triangles.push(triangle);
    }
    broken
}
