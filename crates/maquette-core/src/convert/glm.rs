//! Conversion to GLM: a mesh in its bind pose, and bones relative to it and to their parents.

use std::collections::HashMap;

use glam::{Affine3A, Quat, Vec3};

use super::iqm::{WeightStorage, bind_pose, bind_vertices, locals};
use super::names::{FittedNames, NAME, cut, report_lost_frame_names};
use super::rigid::{Hierarchy, RigidFrames, fold_scales, give_normal_to_first, rigid};
use super::skeleton::Skeleton;
use super::{Conversion, ConvertError, ConvertOptions, TagOrigin, VertexOrigin, build, clips, repack};
use crate::error::counted;
use crate::formats::glm::{WEIGHT_STEPS, entries, name_and_lod};
use crate::model::{
    Binding, BonePool, Clip, ClipSource, FloatVertex, FormatData, FrameInfo, Joint, JointFrames, JointTrack,
    LocalSkeleton, Model, ModelParts, Motion, PackedBone, SkeletalMotion, SkeletalTag, StoredBone, Surface,
    SurfaceNode, Weight, u32_or_max,
};
use crate::pose::unpacked_bone;

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    if options.keeps_frames_of(model) {
        return with_new_tags(model, options);
    }
    let mut losses = Vec::new();
    let mut skeleton = Skeleton::unsplit(model, options, &mut losses)?;
    let surfaces = skeleton.bindings.len();
    add_tags(model, &mut skeleton);
    fold_scales(model, &mut skeleton, options.format, &mut losses);
    let Hierarchy { mut joints, sources, root } = Hierarchy::new(model, &mut skeleton, options.format, &mut losses);
    root.into_iter().for_each(|root| root.report(&joints, options.format, &mut losses));
    let bind = LocalSkeleton::new(&joints, locals(&joints, &rigid_bind_pose(model, &skeleton, &sources), None));
    for (index, joint) in joints.iter_mut().enumerate() {
        joint.bind = rigid(&bind.to_model(index));
    }
    let stored = WeightStorage { format: options.format, steps: WEIGHT_STEPS, has_sums: false };
    bind_vertices(&mut skeleton.bindings, &bind, &stored, &mut losses);
    give_normal_to_first(model, &mut skeleton.bindings);
    let triangles = skeleton.bindings.split_off(surfaces);
    // The vertices already have the few joints that the file stores.
    skeleton.split(model, options, options.limits, model.lod_count(), &mut losses);
    let hierarchy = &model.data().hierarchy;
    let Skeleton { surfaces, bindings, origin, .. } = &mut skeleton;
    order_surfaces(hierarchy, surfaces, bindings, &mut origin.surfaces);
    losses.extend(materials_of_lods(hierarchy, surfaces));
    let mut names = FittedNames::new(["tag", "tags"], NAME, model).shown_in(options.format);
    let tags = model.tags().iter().map(|name| names.unique(name)).collect();
    names.report(&mut losses);
    skeleton.origin.tags = (0..u32_or_max(triangles.len())).map(TagOrigin::Tag).collect();
    let converted = skeleton.frames.iter().filter_map(|frame| model.frames().get(*frame as usize));
    report_lost_frame_names(converted.map(|info| info.name.as_str()), "GLM stores no frame names", &mut losses);

    let rate = options.format.usual_rate();
    let mut parts = ModelParts {
        version: Some(options.format.traits().version),
        name: cut(model.name(), NAME, model.data().has_latin1).to_owned(),
        frames: vec![FrameInfo::default()],
        tags,
        clips: vec![Clip::new("bind pose", 0, 1, rate, ClipSource::BindPose)],
        data: FormatData { hierarchy: hierarchy.clone(), ..FormatData::default() },
        ..ModelParts::empty(options.format)
    };
    let mut tracks = vec![JointTrack { first: 0, frame_count: 1, frames: JointFrames::Bind }];
    if let Motion::Skeletal(motion) = model.motion() {
        let pool = packed_frames(&RigidFrames::new(model, &skeleton, &skeleton.frames, &sources), &joints)?;
        let count = u32_or_max(skeleton.frames.len());
        parts.frames.resize(skeleton.frames.len() + 1, FrameInfo::default());
        let shown = clips::blending(model, &skeleton.frames, rate).into_iter();
        let named = shown.filter(|clip| clip.source != ClipSource::AllFrames);
        parts.clips.extend(named.map(|clip| Clip { first: clip.first + 1, ..clip }));
        parts.clips.push(Clip::new("all frames", 1, count, rate, ClipSource::AllFrames));
        let pool = with_stored_bones(pool, motion, &sources);
        tracks.push(JointTrack { first: 1, frame_count: count, frames: JointFrames::Pool(pool) });
        parts.data.skeleton = Some((String::new(), u32_or_max(joints.len())));
    } else {
        joints.clear();
        let left = model.frames().len() - 1;
        if left > 0 {
            let frames = counted(left, "frame was", "frames were");
            losses.push(format!("{frames} dropped: GLM stores no vertex animation"));
        }
    }
    parts.surfaces = skeleton.surfaces;
    parts.motion = Motion::Skeletal(SkeletalMotion {
        joints,
        bindings: skeleton.bindings,
        tracks,
        tags: triangles.into_iter().map(SkeletalTag::Triangle).collect(),
    });
    Ok(Conversion { model: build(parts)?, losses, origin: skeleton.origin })
}

/// Returns a GLM whose tags at joints are surfaces, too. Its skeleton stays.
fn with_new_tags(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut conversion = repack(model, options)?;
    let mut parts = conversion.model.into_parts();
    if let Motion::Skeletal(SkeletalMotion { joints, tags, .. }) = &mut parts.motion {
        for tag in tags {
            let (joint, place) = match tag {
                SkeletalTag::Joint(joint) => (*joint, Affine3A::IDENTITY),
                SkeletalTag::Offset(joint, place) => (*joint, *place),
                SkeletalTag::Triangle(_) => continue,
            };
            let bind = joints.get(joint as usize).map_or(Affine3A::IDENTITY, |joint| joint.bind.into());
            let mut binding = triangle(joint, &place);
            let bound = |weight: &Weight| FloatVertex {
                position: bind.transform_point3(weight.offset),
                normal: bind.transform_vector3(weight.normal),
            };
            binding.bind = binding.weights.iter().map(bound).collect();
            *tag = SkeletalTag::Triangle(binding);
        }
    }
    conversion.model = build(parts)?;
    Ok(conversion)
}

/// Orders the surfaces of each LOD like the hierarchy. Drops those without vertices.
pub(super) fn order_surfaces(
    hierarchy: &[SurfaceNode],
    surfaces: &mut Vec<Surface>,
    bindings: &mut Vec<Binding>,
    origins: &mut Vec<Vec<VertexOrigin>>,
) {
    let bound = std::mem::take(surfaces).into_iter().zip(std::mem::take(bindings));
    let all = bound.zip(std::mem::take(origins)).filter(|((surface, _), _)| !surface.uvs.is_empty());
    let mut all: Vec<_> = all.collect();
    all.sort_by_key(|((surface, _), _)| surface.lod);
    let places = entries(hierarchy, all.iter().map(|((surface, _), _)| name_and_lod(surface)));
    let mut all: Vec<_> = all.into_iter().zip(places).collect();
    all.sort_by_key(|(((surface, _), _), place)| (surface.lod, *place));
    for (((surface, binding), origin), _) in all {
        surfaces.push(surface);
        bindings.push(binding);
        origins.push(origin);
    }
}

/// Returns a sentence about surfaces of coarser LODs with other materials, because the hierarchy has one for all LODs.
pub(crate) fn materials_of_lods(hierarchy: &[SurfaceNode], surfaces: &[Surface]) -> Option<String> {
    let (mut known, mut count) = (HashMap::new(), 0);
    for (surface, place) in surfaces.iter().zip(entries(hierarchy, surfaces.iter().map(name_and_lod))) {
        let own = surface.materials.first();
        count += usize::from(*known.entry(place).or_insert(own) != own);
    }
    let surfaces = counted(count, "surface of a coarser LOD gets", "surfaces of coarser LODs get");
    (count > 0).then(|| format!("{surfaces} the material of the finest one: GLM stores one for all LODs"))
}

/// Appends a binding for each tag.
fn add_tags(model: &Model, skeleton: &mut Skeleton) {
    let mut all = Vec::new();
    if let Motion::Skeletal(motion) = model.motion() {
        all.extend(motion.tags.iter().enumerate().map(|(index, tag)| match tag {
            SkeletalTag::Joint(joint) => {
                triangle(skeleton.joint_of_tag(model, index).unwrap_or(*joint), &Affine3A::IDENTITY)
            }
            SkeletalTag::Offset(joint, place) => triangle(*joint, place),
            SkeletalTag::Triangle(binding) => binding.clone(),
        }));
    } else {
        let Ok(()) = skeleton.each_frame(model, |transforms| {
            all.extend(transforms.iter().skip(1).map(|tag| triangle(0, tag)));
            Ok::<_, std::convert::Infallible>(())
        });
    }
    skeleton.bindings.append(&mut all);
}

/// Returns the vertices of a tag surface on a joint, from which games compute the tag's transform in joint space
/// (OpenJK `tr_ghoul2.cpp`, `G2_ProcessSurfaceBolt`).
fn triangle(joint: u32, transform: &Affine3A) -> Binding {
    let axis = |axis: glam::Vec3A| Vec3::from(axis).normalize_or_zero();
    let (origin, x, y) =
        (Vec3::from(transform.translation), axis(transform.matrix3.x_axis), axis(transform.matrix3.y_axis));
    let weight = |offset: Vec3| Weight { joint, bias: 1.0, offset, normal: x.cross(y) };
    Binding {
        vertices: vec![(0, 1), (1, 1), (2, 1)],
        weights: vec![weight(origin + x), weight(origin + x + y), weight(origin)],
        bind: Vec::new(),
    }
}

/// Returns the bind pose of the joints of the file, in model space.
fn rigid_bind_pose(model: &Model, skeleton: &Skeleton, sources: &[Option<u32>]) -> Vec<Affine3A> {
    let mut first = Vec::new();
    let frames = skeleton.frames.get(..1).unwrap_or_default();
    let Ok(()) = skeleton.each_of(model, frames, |joints| {
        first = joints.to_vec();
        Ok::<_, std::convert::Infallible>(())
    });
    let bind = match model.motion() {
        Motion::Skeletal(motion) => bind_pose(model, motion, &first, &skeleton.joints()),
        Motion::Morph(_) => first,
    };
    let joint = |source: &Option<u32>| bind.get((*source)? as usize).map(|joint| Affine3A::from(rigid(joint)));
    sources.iter().map(|source| joint(source).unwrap_or(Affine3A::IDENTITY)).collect()
}

/// Maximum number of different bones, whose indices have three bytes.
const MAX_BONES: usize = 1 << 24;

/// Packs the joints of all frames.
fn packed_frames(frames: &RigidFrames, joints: &[Joint]) -> Result<BonePool, ConvertError> {
    let (mut pool, mut known) = (BonePool { scale: 1.0, ..BonePool::default() }, HashMap::<PackedBone, u32>::new());
    let unbind: Vec<Affine3A> = joints.iter().map(|joint| joint.bind.inverse().into()).collect();
    frames.pack(joints, |frame, index, transform, parent| {
        let (Some(joint), Some(unbind)) = (joints.get(index), unbind.get(index)) else { return Ok(transform) };
        let parent = parent.copied().unwrap_or_default();
        let own = parent.inverse() * transform * *unbind;
        let bone = packed_bone(&own, joint.bind.translation).ok_or_else(|| {
            ConvertError::OutOfRange(format!(
                "joint “{}” moves, or turns too far from the origin, in frame {frame}: GLM stores at most 512 units; scale the model first",
                joint.name
            ))
        })?;
        let number = *known.entry(bone).or_insert_with(|| {
            pool.bones.push(bone);
            u32_or_max(pool.bones.len() - 1)
        });
        let [low, middle, high, _] = number.to_le_bytes();
        pool.indices.push([low, middle, high]);
        if pool.bones.len() > MAX_BONES {
            return Err(ConvertError::TooLarge(format!(
                "the frames have more than {MAX_BONES} different bones; choose fewer clips (--animation)"
            )));
        }
        Ok(parent * unpacked_bone(&bone))
    })?;
    Ok(pool)
}

/// Returns the packed bone that is nearest to a transform at `centre`. `None` if its translation is out of range.
fn packed_bone(transform: &Affine3A, centre: Vec3) -> Option<PackedBone> {
    let [x, y, z, w] = Quat::from_mat3a(&transform.matrix3).normalize().to_array();
    let steps = [w, x, y, z].map(|number| (number + 2.0) * 16_383.0);
    let rounded = |choice: u32| -> PackedBone {
        let number = |slot: usize| if choice >> slot & 1 == 0 { steps[slot].floor() } else { steps[slot].ceil() };
        let [w, x, y, z] = [0, 1, 2, 3].map(|slot| number(slot) as u16);
        [w, x, y, z, 1 << 15, 1 << 15, 1 << 15]
    };
    // The quaternion is not normalised, so rounding each component to the nearest step is not best.
    let error = |bone: &PackedBone| {
        let difference = unpacked_bone(bone).matrix3 - transform.matrix3;
        difference.to_cols_array().iter().map(|entry| entry * entry).sum::<f32>()
    };
    let mut bone = (0..16).map(rounded).min_by(|a, b| error(a).total_cmp(&error(b)))?;
    let translation = transform.transform_point3(centre) - unpacked_bone(&bone).transform_point3(centre);
    for (word, number) in bone.iter_mut().skip(4).zip(translation.to_array()) {
        let steps = ((number + 512.0) * 64.0).round();
        *word = (0.0..=65_535.0).contains(&steps).then_some(steps as u16)?;
    }
    Some(bone)
}

/// Adds the flags, scale and exact bind pose of the bones that came from a GLA.
fn with_stored_bones(pool: BonePool, motion: &SkeletalMotion, sources: &[Option<u32>]) -> BonePool {
    let known = motion.tracks.iter().find_map(|track| match &track.frames {
        JointFrames::Pool(known) => Some(known),
        _ => None,
    });
    let Some(known) = known else { return pool };
    let stored = (0..).zip(sources).map(|(number, source)| {
        let own = source.and_then(|source| known.stored.get(source as usize));
        own.map(|own| StoredBone { number, ..*own })
    });
    BonePool { scale: known.scale, stored: stored.collect::<Option<_>>().unwrap_or_default(), ..pool }
}
