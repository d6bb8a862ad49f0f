//! DPM (DarkPlaces model): skeletal animation with matrices relative to the parent. `DARKPLACESMODEL`, type 2, big-endian.
//!
//! Source of the layout: the loader of DarkPlaces (`model_alias.c`, `Mod_DARKPLACESMODEL_Load`; `model_dpmodel.h`). All
//! offsets count from the start of the file. Corners are counter-clockwise.
//!
//! | table | bytes each | content |
//! |---|---|---|
//! | header | 80 | type, size, boxes, counts and offsets |
//! | bones | 40 | name, parent, flags |
//! | meshes | 56 | shader, counts and offsets |
//! | vertices | 4 + 32 per bone | position and normal in the bone's space, **times** the influence |
//! | frames | 68 | name, boxes, offset of the matrices of the bones |
//!
//! The boxes are not used: some exporters turned the model after they computed them.

use glam::{Vec2, Vec3};

use super::md3_common::{limits, surface_called};
use super::relative_bones::{
    BONE_MATRICES, BoneFrames, Contents, RATE, TEXCOORDS, TRIANGLES, bone_count, check_type, count, floats, joints,
    offset, words,
};
use crate::bytes::{Column, Count, Kind, Offset, PartKind, Record, Source};
use crate::error::{Fault, LoadError, Reason, WarningKind, Warnings};
use crate::formats::FormatDef;
use crate::model::{
    AnimationFiles, Binding, Companions, Format, FrameInfo, Joint, JointStorage, ModelParts, NameLimits, Surface,
    SurfaceStorage, TagStorage, Weight, are_usable, u32_or_max,
};

/// DarkPlaces model of Nexuiz and Xonotic, `DARKPLACESMODEL` type 2.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "dpm",
    title: "DPM",
    extensions: &["dpm"],
    media_type: "model/x-darkplaces-dpm",
    signature: "DARKPLACESMODEL",
    game: "DarkPlaces (Nexuiz, Xonotic)",
    version: 2,
    usual_rate: RATE,
    surfaces: SurfaceStorage::Unnamed,
    tags: TagStorage::Joints,
    joints: JointStorage::Skeleton,
    names_frames: true,
    name_limits: NameLimits { surface: Some(31), tag: Some(31), frame: Some(31) },
    companions: Companions { animations: AnimationFiles::None, clip_lists: true, skins: true },
    alpha_without_script: true,
    ..FormatDef::plain(load)
};

const BONES: Record = Record::new(
    "bones",
    &[Column::new("name", Kind::Text, 32), Column::new("parent", Kind::U32Be, 1), Column::new("flags", Kind::U32Be, 1)],
)
.holding(PartKind::Joint);
const MESHES: Record = Record::new(
    "meshs",
    &[
        Column::new("shadername", Kind::Text, 32),
        Column::new("num_verts", Kind::U32Be, 1),
        Column::new("num_tris", Kind::U32Be, 1),
        Column::new("ofs_verts", Kind::U32Be, 1),
        Column::new("ofs_texcoords", Kind::U32Be, 1),
        Column::new("ofs_indices", Kind::U32Be, 1),
        Column::new("ofs_groupids", Kind::U32Be, 1),
    ],
)
.holding(PartKind::Surface);
const FRAMES: Record = Record::new(
    "frames",
    &[
        Column::new("name", Kind::Text, 32),
        Column::new("mins", Kind::F32Be, 3),
        Column::new("maxs", Kind::F32Be, 3),
        Column::new("yawradius", Kind::F32Be, 1),
        Column::new("allradius", Kind::F32Be, 1),
        Column::new("ofs_bonepositions", Kind::U32Be, 1),
    ],
)
.holding(PartKind::Frame);
const VERTEX: Record =
    Record::new("verts", &[Column::new("numbones", Kind::U32Be, 1)]).holding(PartKind::Vertex).followed_by(
        Record::new(
            "bones",
            &[
                Column::new("origin", Kind::F32Be, 3),
                Column::new("influence", Kind::F32Be, 1),
                Column::new("normal", Kind::F32Be, 3),
                Column::new("bonenum", Kind::U32Be, 1),
            ],
        )
        .holding(PartKind::Weight),
        Count::AtBe(0),
    );

/// Loads a DPM.
pub fn load(source: &Source, warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 16)?;
    let version = check_type(&mut reader, 2)?;
    reader.u32_be("filesize")?;
    reader.skip("mins, maxs, yawradius, allradius", 32)?;
    let counted_at = reader.position();
    let bones = bone_count(&mut reader, "num_bones")?;
    let meshes = count(&mut reader, "num_meshs", [1, limits::SURFACES])?;
    let frames = count(&mut reader, "num_frames", [1, limits::FRAMES])?;
    let ofs_bones = offset(&mut reader, "ofs_bones")?.counted_by("num_bones", counted_at);
    let ofs_meshes = offset(&mut reader, "ofs_meshs")?.counted_by("num_meshs", counted_at + 4);
    let ofs_frames = offset(&mut reader, "ofs_frames")?.counted_by("num_frames", counted_at + 8);
    drop(head);

    let table = source.start().table(0, ofs_bones, bones.into(), &BONES)?;
    let joints = joints(table, 32, source, u64::from(ofs_bones.value.cast_unsigned()))?;
    let table = source.start().table(0, ofs_meshes, meshes.into(), &MESHES)?;
    let (mut surfaces, mut bindings) = (Vec::with_capacity(table.len() / 56), Vec::with_capacity(table.len() / 56));
    let start = u64::from(ofs_meshes.value.cast_unsigned());
    for (index, record) in (0..).zip(table.as_chunks::<56>().0) {
        let _group = source.group_of(PartKind::Surface.at(surfaces.len()), || format!("mesh {index}"));
        match read_mesh(source, record, start + u64::from(index) * 56, &joints, index, warnings) {
            Ok((surface, binding)) => {
                surfaces.push(surface);
                bindings.push(binding);
            }
            // Further meshes would only repeat the work.
            Err(error) if matches!(error.reason, Reason::TooMuchData { .. }) => return Err(error),
            Err(error) => source.forgive(error, || "the mesh is skipped".to_owned())?,
        }
    }
    let (frames, bones) = read_frames(source, ofs_frames, frames, joints.len())?;
    let (format, clips, details) = (Format::Dpm, Vec::new(), Vec::new());
    Ok(Contents { format, version, joints, surfaces, bindings, frames, bones, clips, details }.into_parts(warnings))
}

fn read_frames(
    source: &Source,
    offset: Offset,
    count: u32,
    joints: usize,
) -> Result<(Vec<FrameInfo>, BoneFrames), LoadError> {
    let table = source.start().table(0, offset, count.into(), &FRAMES)?;
    let start = u64::from(offset.value.cast_unsigned());
    let (mut frames, mut bones) = (Vec::with_capacity(table.len() / 68), BoneFrames::default());
    for (index, record) in (0..).zip(table.as_chunks::<68>().0) {
        let [at] = words::<1>(record.get(64..).unwrap_or_default());
        let positions = Offset::new("ofs_bonepositions", start + index * 68 + 64, at.cast_signed());
        let _group = source.group_of(PartKind::Frame.at(frames.len()), || format!("frame {index}"));
        match source.start().table(0, positions, joints as u64, &BONE_MATRICES) {
            Ok(matrices) if matrices.len() == joints * 48 => bones.add(matrices),
            Ok(_) => break,
            Err(error) if frames.is_empty() => return Err(error),
            Err(error) => {
                source.forgive(error, || format!("{index} of {count} frames are used"))?;
                break;
            }
        }
        frames.push(FrameInfo { name: source.text(record.get(..32).unwrap_or_default()), ..FrameInfo::default() });
    }
    if frames.is_empty() {
        return Err(source.outside(0, offset, u64::from(count) * FRAMES.stride()));
    }
    Ok((frames, bones))
}

fn read_mesh(
    source: &Source,
    record: &[u8; 56],
    at: u64,
    joints: &[Joint],
    index: u32,
    warnings: &mut Warnings,
) -> Result<(Surface, Binding), LoadError> {
    let shader = source.text(record.get(..32).unwrap_or_default());
    let [vertices, triangles, ofs_vertices, ofs_uvs, ofs_triangles, _] =
        words::<6>(record.get(32..).unwrap_or_default());
    for (field, count, max, at) in
        [("num_verts", vertices, limits::VERTICES, at + 32), ("num_tris", triangles, limits::TRIANGLES, at + 36)]
    {
        if count > max {
            let reason = Reason::CountOutOfRange { count: count.into(), max: max.into() };
            return Err(source.error(field, at, reason));
        }
    }
    let offset = |field, value: u32, place: u64, counter, count_at| {
        Offset::new(field, at + place, value.cast_signed()).counted_by(counter, at + count_at)
    };
    let reader = source.start();
    let about = surface_called(index, &shader);
    let binding = read_vertices(source, offset("ofs_verts", ofs_vertices, 40, "num_verts", 32), vertices, joints)?;
    let (binding, broken) = binding;
    let stored = u32_or_max(binding.vertices.len());
    let table = reader.table(0, offset("ofs_texcoords", ofs_uvs, 44, "num_verts", 32), stored.into(), &TEXCOORDS)?;
    let mut uvs: Vec<Vec2> = table.as_chunks::<8>().0.iter().map(|uv| usable(floats(uv))).collect();
    uvs.resize(stored as usize, Vec2::ZERO);
    let table =
        reader.table(0, offset("ofs_indices", ofs_triangles, 48, "num_tris", 36), triangles.into(), &TRIANGLES)?;
    let corners = |record: &[u8; 12]| {
        let [a, b, c] = words::<3>(record);
        [a, c, b]
    };
    let mut triangles: Vec<[u32; 3]> = table.as_chunks::<12>().0.iter().map(corners).collect();
    let all = triangles.len();
    triangles.retain(|triangle| triangle.iter().all(|index| *index < stored));
    warnings.add_counted_fault(
        Fault::UnknownVertex,
        WarningKind::LeftOut,
        &about,
        all - triangles.len(),
        ["triangle names vertices that do not exist; skipped", "triangles name vertices that do not exist; skipped"],
    );
    warnings.add_counted(
        WarningKind::LeftOut,
        &about,
        broken,
        [
            "weight has a number that is not finite or beyond a billion; skipped",
            "weights have numbers that are not finite or beyond a billion; skipped",
        ],
    );
    let materials = if shader.is_empty() { Vec::new() } else { vec![shader] };
    Ok((Surface { materials, triangles, uvs, ..Surface::default() }, binding))
}

/// Returns the coordinates, or zeros if one is not finite.
pub(super) fn usable(uv: [f32; 2]) -> Vec2 {
    if are_usable(&uv) { Vec2::from(uv) } else { Vec2::ZERO }
}

/// Returns the weights, and the number of those with unusable numbers, which are left out.
fn read_vertices(source: &Source, offset: Offset, count: u32, joints: &[Joint]) -> Result<(Binding, usize), LoadError> {
    if count == 0 {
        return Ok(Default::default());
    }
    // Vertices differ in length, so measure their table before it is charged to the budget.
    let mut rest = source.start().rest_of_file(0, offset)?;
    let whole = rest.len();
    let (mut vertices, mut weights) = (0, 0);
    while vertices < count
        && let Some((head, after)) = rest.split_first_chunk::<4>()
        && let own = u32::from_be_bytes(*head) as usize
        && let Some(after) = after.get(own.saturating_mul(32)..)
    {
        rest = after;
        vertices += 1;
        weights += own;
    }
    if vertices < count {
        let bytes = (whole - rest.len()) as u64 + u64::from(count - vertices) * VERTEX.stride();
        let error = match bytes > whole as u64 {
            true => source.outside(0, offset, bytes),
            false => source.error(
                offset.field,
                offset.at,
                Reason::Broken(format!("vertex {vertices} ends outside the file")),
            ),
        };
        source.forgive(error, || format!("{vertices} of {count} vertices are used"))?;
    }
    let mut table = source.start().walked_table(0, offset, vertices.into(), (whole - rest.len()) as u64, &VERTEX)?;
    let (mut binding, mut unusable) = (Binding::default(), 0);
    binding.vertices.reserve_exact(vertices as usize);
    binding.weights.reserve_exact(weights);
    while let Some((head, after)) = table.split_first_chunk::<4>() {
        let own = u32::from_be_bytes(*head) as usize;
        let (weights, after) = after.split_at_checked(own.saturating_mul(32)).unwrap_or_default();
        table = after;
        let first = binding.weights.len();
        for record in weights.as_chunks::<32>().0 {
            let [x, y, z, bias, a, b, c, _] = floats::<8>(record);
            let [joint] = words::<1>(record.get(28..).unwrap_or_default());
            if joint as usize >= joints.len() {
                let why = Reason::Broken(format!("bone {joint} does not exist; there are {}", joints.len()));
                let error = source.error(offset.field, offset.at, why);
                source.forgive(error, || "the weight is skipped".to_owned())?;
                continue;
            }
            let (position, normal) = (Vec3::new(x, y, z) / bias, Vec3::new(a, b, c) / bias);
            if bias == 0.0 {
                continue;
            }
            if are_usable(&[x, y, z, bias, a, b, c]) && are_usable(&position.to_array()) {
                let normal = if are_usable(&normal.to_array()) { normal } else { Vec3::ZERO };
                binding.weights.push(Weight { joint, bias, offset: position, normal });
            } else {
                unusable += 1;
            }
        }
        binding.vertices.push((u32_or_max(first), u32_or_max(binding.weights.len() - first)));
    }
    Ok((binding, unusable))
}
