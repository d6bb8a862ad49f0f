//! Writer of a GLM and its GLA. The tables of a surface follow in the order of other exporters.

use std::collections::HashMap;

use glam::Vec2;

use super::surface::REFERENCES;
use super::{BONES, IS_TAG, NO_SKELETON, OFF_SUFFIX, SKELETON, gla};
use crate::bytes::ByteWriter;
use crate::error::WriteError;
use crate::formats::write::{
    AnimationFile, OTHER_MOTION, WrittenModel, skeletal, write_texture_coordinates, write_triangles,
};
use crate::model::{
    Binding, BonePool, ClipSource, JointFrames, JointTrack, Model, SkeletalMotion, SkeletalTag, StoredBone, Surface,
    SurfaceNode, matrix_rows, u32_or_max,
};

/// Maximum number of weights of a vertex.
pub(crate) const MAX_WEIGHTS: usize = 4;
/// Weight of a single bone in the file.
pub(crate) const WEIGHT_STEPS: f32 = 1023.0;

/// Flag of a surface that is drawn only on request.
const IS_OFF: u32 = 2;

/// Writes the mesh, and its skeleton if the model has one. Fails if a vertex has more than four weights, a surface uses
/// more than 32 bones, or the model is not packed as a GLM.
pub fn write(model: &Model) -> Result<WrittenModel, WriteError> {
    let writer = ByteWriter::new("glm").with_latin1(model.data().has_latin1);
    let motion = skeletal(model, &writer)?;
    if motion.tags.iter().any(|tag| !matches!(tag, SkeletalTag::Triangle(_))) {
        return Err(writer.error("tags", OTHER_MOTION));
    }
    let mut pools = motion.tracks.iter().filter_map(|track| match &track.frames {
        JointFrames::Bind => None,
        JointFrames::Pool(pool) => Some(Ok((track, pool))),
        _ => Some(Err(writer.error("", OTHER_MOTION))),
    });
    let skeleton = pools.next().transpose()?;
    if pools.next().is_some() {
        return Err(writer.error("", "the model has frames of several skeletons"));
    }
    let stored = skeleton.map_or(&[][..], |(_, pool)| &pool.stored);
    let (path, bones) =
        model.data().skeleton.as_ref().map_or((NO_SKELETON, 1), |(path, bones)| (path, *bones as usize));
    let mut animations = Vec::new();
    if let Some((track, pool)) = skeleton {
        let named = model.clips().iter().find(|clip| clip.source == ClipSource::AllFrames);
        let name = named.map_or_else(|| "skeleton".to_owned(), |clip| clip.name.clone());
        animations.push(AnimationFile { name, bytes: write_skeleton(motion, track, pool, path)? });
    }
    Ok(WrittenModel {
        main: write_mesh(writer, model, &nodes(model, motion), stored, (path, bones))?,
        animations,
        ..WrittenModel::default()
    })
}

/// Entry of the hierarchy, with its surface in each LOD that has one.
struct Node<'a> {
    name: &'a str,
    shader: &'a str,
    flags: u32,
    parent: Option<usize>,
    is_kept: bool,
    tag: Option<&'a Binding>,
    surfaces: HashMap<u32, (&'a Surface, &'a Binding)>,
}

/// Returns the entry of the hierarchy for each surface, named with its LOD, and for each tag, named without one.
/// Entries beyond those of the file are new.
pub(crate) fn entries<'a>(
    hierarchy: &'a [SurfaceNode],
    named: impl Iterator<Item = (&'a str, Option<u32>)>,
) -> Vec<usize> {
    // Surfaces of one LOD may share a name.
    let mut counts: HashMap<(&str, bool), u32> = HashMap::new();
    let mut places: HashMap<(&str, bool, u32), usize> = HashMap::new();
    for (index, own) in hierarchy.iter().enumerate().filter(|(_, own)| !own.is_empty) {
        let key = (own.name.as_str(), own.flags & IS_TAG != 0);
        let count = counts.entry(key).or_default();
        *count += 1;
        places.insert((key.0, key.1, *count), index);
    }
    let mut next = hierarchy.len();
    let mut seen: HashMap<(&str, Option<u32>), u32> = HashMap::new();
    let mut place = |(name, lod): (&'a str, Option<u32>)| {
        let number = seen.entry((name, lod)).or_default();
        *number += 1;
        *places.entry((name, lod.is_none(), *number)).or_insert_with(|| {
            next += 1;
            next - 1
        })
    };
    named.map(&mut place).collect()
}

/// Returns the name and LOD of a surface for [`entries`].
pub(crate) fn name_and_lod(surface: &Surface) -> (&str, Option<u32>) {
    (&surface.name, Some(surface.lod))
}

/// Returns the entries of the hierarchy: those of the file that have surfaces, then new ones. The game draws only the
/// first entry and its descendants (OpenJK `tr_ghoul2.cpp`, `RenderSurfaces`), so it is the parent of entries without
/// one.
fn nodes<'a>(model: &'a Model, motion: &'a SkeletalMotion) -> Vec<Node<'a>> {
    let node = |name, shader, flags, parent: Option<u32>, is_kept| Node {
        name,
        shader,
        flags,
        parent: parent.map(|parent| parent as usize),
        is_kept,
        tag: None,
        surfaces: HashMap::new(),
    };
    let hierarchy = &model.data().hierarchy;
    let stored = |entry: &'a SurfaceNode| node(&entry.name, &entry.shader, entry.flags, entry.parent, entry.is_empty);
    let mut nodes: Vec<Node> = hierarchy.iter().map(stored).collect();
    let tags = model.tags().iter().map(|tag| (tag.as_str(), None));
    let places = entries(hierarchy, model.surfaces().iter().map(name_and_lod).chain(tags));
    let (of_surfaces, of_tags) = places.split_at(model.surfaces().len());
    for ((surface, binding), index) in model.surfaces().iter().zip(&motion.bindings).zip(of_surfaces) {
        if *index == nodes.len() {
            nodes.push(node(&surface.name, "", if surface.hidden { IS_OFF } else { 0 }, None, true));
        }
        nodes[*index].surfaces.insert(surface.lod, (surface, binding));
        nodes[*index].is_kept = true;
    }
    for ((name, tag), index) in model.tags().iter().zip(&motion.tags).zip(of_tags) {
        let SkeletalTag::Triangle(binding) = tag else { continue };
        if *index == nodes.len() {
            nodes.push(node(name, "", IS_TAG, None, true));
        }
        nodes[*index].tag = Some(binding);
        nodes[*index].is_kept = true;
    }
    let mut kept = 0;
    let new_index = nodes.iter().map(|node| {
        kept += usize::from(node.is_kept);
        node.is_kept.then(|| kept - 1)
    });
    let new_index: Vec<Option<usize>> = new_index.collect();
    let parents: Vec<Option<usize>> = nodes.iter().map(|node| node.parent).collect();
    // Dropped entries that were passed, with their nearest kept ancestors. A cycle has none.
    let mut known: HashMap<usize, Option<usize>> = HashMap::new();
    for node in &mut nodes {
        // A deleted entry leaves its children to its parent.
        let (mut above, mut passed) = (node.parent, Vec::new());
        let kept = loop {
            let Some(index) = above else { break None };
            let found = new_index.get(index).copied().flatten();
            if let Some(found) = found.map(Some).or_else(|| known.get(&index).copied()) {
                break found;
            }
            known.insert(index, None);
            passed.push(index);
            above = parents.get(index).copied().flatten();
        };
        known.extend(passed.into_iter().map(|index| (index, kept)));
        node.parent = Some(kept.unwrap_or(0));
    }
    nodes.retain(|node| node.is_kept);
    if let Some(first) = nodes.first_mut() {
        first.parent = None;
    }
    nodes
}

fn write_mesh(
    mut writer: ByteWriter,
    model: &Model,
    nodes: &[Node],
    stored: &[StoredBone],
    (skeleton, bones): (&str, usize),
) -> Result<Vec<u8>, WriteError> {
    writer.raw(super::FORMAT.signature.as_bytes());
    writer.i32(super::FORMAT.version);
    writer.text("name", model.name(), 64)?;
    writer.text(SKELETON, skeleton, 64)?;
    writer.i32(0);
    writer.count(BONES, bones)?;
    writer.count("numLODs", model.lod_count() as usize)?;
    let lods_at = writer.later();
    writer.count("numSurfaces", nodes.len())?;
    let [hierarchy_at, end_at] = std::array::from_fn(|_| writer.later());
    let start = writer.position();
    let offsets: Vec<_> = nodes.iter().map(|_| writer.later()).collect();
    writer.here("ofsSurfHierarchy", hierarchy_at, 0)?;
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for (index, node) in nodes.iter().enumerate() {
        node.parent.into_iter().for_each(|parent| children.entry(parent).or_default().push(index));
    }
    for ((index, node), offset) in nodes.iter().enumerate().zip(offsets) {
        writer.here("hierarchyOffsets", offset, start)?;
        let children = children.get(&index).map_or(&[][..], Vec::as_slice);
        node.write(&mut writer, children).map_err(|error| error.within(&format!("surface “{}”", node.name)))?;
    }
    writer.here("ofsLODs", lods_at, 0)?;
    for lod in 0..model.lod_count() {
        let start = writer.position();
        let lod_end = writer.later();
        let offsets: Vec<_> = nodes.iter().map(|_| writer.later()).collect();
        for ((index, node), offset) in nodes.iter().enumerate().zip(offsets) {
            writer.here("surfaceOffsets", offset, start + 4)?;
            let written = node.write_surface(&mut writer, (index, lod), stored);
            written.map_err(|error| error.within(&format!("LOD {lod}: surface “{}”", node.name)))?;
        }
        writer.here("ofsEnd", lod_end, start)?;
    }
    writer.here("ofsEnd", end_at, 0)?;
    Ok(writer.into_bytes())
}

impl Node<'_> {
    /// Writes the surface of an entry in a LOD, which is empty if the LOD has none.
    fn write_surface(
        &self,
        writer: &mut ByteWriter,
        (index, lod): (usize, u32),
        stored: &[StoredBone],
    ) -> Result<(), WriteError> {
        const TRIANGLE: &[[u32; 3]] = &[[0, 1, 2]];
        const NONE: &Binding = &Binding { vertices: Vec::new(), weights: Vec::new(), bind: Vec::new() };
        let (binding, triangles, uvs, listed) = match (self.tag, self.surfaces.get(&lod)) {
            (Some(binding), _) => (binding, TRIANGLE, &[Vec2::ZERO; 3][..], None),
            (None, Some((surface, binding))) => {
                (*binding, surface.triangles.as_slice(), surface.uvs.as_slice(), surface.data.bone_references.as_ref())
            }
            (None, None) => (NONE, &[][..], &[][..], None),
        };
        let mut references = listed.map_or_else(Vec::new, |listed| listed.to_vec());
        // The first of equal references.
        let mut places: HashMap<i32, u32> = HashMap::new();
        for (bone, number) in references.iter().zip(0..) {
            places.entry(*bone).or_insert(number);
        }
        let mut place = |joint: Option<u32>| {
            let Some(joint) = joint.or_else(|| references.is_empty().then_some(0)) else { return 0 };
            let number = stored.get(joint as usize).map_or(joint, |bone| bone.number).cast_signed();
            *places.entry(number).or_insert_with(|| {
                references.push(number);
                u32_or_max(references.len() - 1)
            })
        };
        let mut vertices = Vec::with_capacity(binding.vertices.len());
        for (number, vertex) in binding.vertices.iter().enumerate() {
            let weights: Vec<(u32, f32)> =
                binding.weights_of(*vertex).iter().map(|weight| (place(Some(weight.joint)), weight.bias)).collect();
            let weights = if weights.is_empty() { vec![(place(None), 1.0)] } else { weights };
            if weights.len() > MAX_WEIGHTS {
                let why = format!("a vertex has {} weights; the format stores at most {MAX_WEIGHTS}", weights.len());
                return Err(writer.error("BoneWeightings", why));
            }
            if let Some((used, _)) = weights.iter().find(|(used, _)| *used >= REFERENCES) {
                let why = format!("the surface uses {} bones; the format stores at most {REFERENCES}", used + 1);
                return Err(writer.error("boneReferences", why));
            }
            let bound = binding.bind.get(number).ok_or_else(|| writer.error("verts", OTHER_MOTION))?;
            vertices.push((*bound, packed_weights(&weights)));
        }

        let start = writer.position();
        writer.i32(0);
        writer.count("thisSurfaceIndex", index)?;
        // `ofsHeader` leads back to the header of the file.
        writer.i32(i32::try_from(start).unwrap_or(i32::MAX).wrapping_neg());
        writer.count("numVerts", vertices.len())?;
        let vertices_at = writer.later();
        writer.count("numTriangles", triangles.len())?;
        let triangles_at = writer.later();
        writer.count("numBoneReferences", references.len())?;
        let [references_at, end_at] = std::array::from_fn(|_| writer.later());
        writer.here("ofsTriangles", triangles_at, start)?;
        write_triangles(writer, triangles);
        writer.here("ofsVerts", vertices_at, start)?;
        for (vertex, (packed, low)) in vertices {
            writer.vec3(vertex.normal);
            writer.vec3(vertex.position);
            writer.i32(packed.cast_signed());
            writer.raw(&low);
        }
        write_texture_coordinates(writer, uvs);
        writer.here("ofsBoneReferences", references_at, start)?;
        references.iter().for_each(|bone| writer.i32(*bone));
        writer.here("ofsEnd", end_at, start)
    }

    fn write(&self, writer: &mut ByteWriter, children: &[usize]) -> Result<(), WriteError> {
        let any = self.surfaces.iter().min_by_key(|(lod, _)| **lod).map(|(_, (surface, _))| *surface);
        // Tools mark surfaces that are off by a suffix, which the game removes.
        let is_hidden = any.is_some_and(|surface| surface.hidden);
        let is_marked = is_hidden && self.flags & !IS_OFF == 0 && self.name.len() + OFF_SUFFIX.len() < 64;
        writer.text("name", &format!("{}{}", self.name, if is_marked { OFF_SUFFIX } else { "" }), 64)?;
        let flags = if is_hidden && !is_marked && self.flags == 0 { IS_OFF } else { self.flags };
        writer.i32(flags.cast_signed());
        let shader = any.map_or(self.shader, |surface| surface.materials.first().map_or("", String::as_str));
        writer.text("shader", shader, 64)?;
        writer.i32(0);
        match self.parent {
            Some(parent) => writer.count("parentIndex", parent)?,
            None => writer.i32(-1),
        }
        writer.count("numChildren", children.len())?;
        children.iter().try_for_each(|child| writer.count("childIndexes", *child))
    }
}

/// Packs the bone references and weights of a vertex: five bits for each reference, and ten for each weight. The last
/// weight is what the others leave.
fn packed_weights(weights: &[(u32, f32)]) -> (u32, [u8; MAX_WEIGHTS]) {
    let (mut packed, mut low, mut left) = (u32_or_max(weights.len().saturating_sub(1)) << 30, [0; MAX_WEIGHTS], 1023);
    for (slot, ((reference, weight), low)) in weights.iter().zip(&mut low).enumerate() {
        let is_last = slot + 1 == weights.len();
        let share = if is_last { left } else { (weight * WEIGHT_STEPS).round().clamp(0.0, WEIGHT_STEPS) as u32 };
        left = left.saturating_sub(share);
        packed |= reference << (5 * slot) | (share >> 8) << (20 + 2 * slot);
        *low = (share & 255) as u8;
    }
    (packed, low)
}

fn write_skeleton(
    motion: &SkeletalMotion,
    track: &JointTrack,
    pool: &BonePool,
    path: &str,
) -> Result<Vec<u8>, WriteError> {
    let mut writer = ByteWriter::new("gla");
    let joints = &motion.joints;
    let number = |joint: usize| pool.stored.get(joint).map_or(joint, |bone| bone.number as usize);
    let mut joint_of_bone: Vec<usize> = (0..joints.len()).collect();
    joint_of_bone.sort_by_key(|joint| number(*joint));
    writer.raw(gla::MAGIC);
    writer.i32(super::FORMAT.version);
    writer.text("name", path, 64)?;
    writer.f32(pool.scale);
    writer.count("numFrames", track.frame_count as usize)?;
    let frames_at = writer.later();
    writer.count(BONES, joints.len())?;
    let [pool_at, skeleton_at, end_at] = std::array::from_fn(|_| writer.later());
    let start = writer.position();
    let offsets: Vec<_> = joints.iter().map(|_| writer.later()).collect();
    writer.here("ofsSkel", skeleton_at, 0)?;
    let mut children: HashMap<usize, Vec<usize>> = HashMap::new();
    for joint in &joint_of_bone {
        let parent = joints.get(*joint).and_then(|joint| joint.parent);
        parent.into_iter().for_each(|parent| children.entry(parent as usize).or_default().push(number(*joint)));
    }
    for (joint_index, offset) in joint_of_bone.iter().zip(offsets) {
        let Some(joint) = joints.get(*joint_index) else { continue };
        writer.here("boneOffsets", offset, start)?;
        let stored = pool.stored.get(*joint_index).copied().unwrap_or_else(|| {
            let [bind, inverse] = [joint.bind, joint.bind.inverse()].map(|pose| matrix_rows(&pose.into()));
            StoredBone { number: 0, flags: 0, bind, inverse }
        });
        let named = writer.text("name", &joint.name, 64);
        named.map_err(|error| error.within(&format!("bone “{}”", joint.name)))?;
        writer.i32(stored.flags.cast_signed());
        match joint.parent {
            Some(parent) => writer.count("parent", number(parent as usize))?,
            None => writer.i32(-1),
        }
        stored.bind.iter().chain(&stored.inverse).for_each(|entry| writer.f32(*entry));
        let children = children.get(joint_index).map_or(&[][..], Vec::as_slice);
        writer.count("numChildren", children.len())?;
        children.iter().try_for_each(|child| writer.count("children", *child))?;
    }
    writer.here("ofsFrames", frames_at, 0)?;
    for frame in pool.indices.chunks_exact(joints.len().max(1)) {
        joint_of_bone.iter().filter_map(|joint| frame.get(*joint)).for_each(|index| writer.raw(index));
    }
    writer.raw(&[0; 3][..writer.position().wrapping_neg() % 4]);
    writer.here("ofsCompBonePool", pool_at, 0)?;
    pool.bones.iter().flatten().for_each(|word| writer.u16(*word));
    writer.here("ofsEnd", end_at, 0)?;
    Ok(writer.into_bytes())
}
