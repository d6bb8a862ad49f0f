//! Conversion to IQM: a skeleton relative to its parents, and one list of frames.

use std::convert::Infallible;
use std::sync::Arc;

use glam::{Affine3A, Mat3A, Quat, Vec3};

use super::names::{FittedNames, report_lost_frame_names};
use super::skeleton::Skeleton;
use super::{Conversion, ConvertError, ConvertOptions, SurfaceLimits, TagOrigin, build, clips, kept_flags};
use crate::error::counted;
use crate::formats::iqm::{MAX_WEIGHTS, is_tag};
use crate::model::{
    Binding, Clip, ClipSource, FloatVertex, Format, FormatData, FrameInfo, Joint, JointFrames, JointStorage,
    JointTrack, JointTransform, LocalFrames, LocalPose, LocalSkeleton, LocalTransform, Model, ModelParts, Motion,
    SkeletalMotion, SkeletalTag, Weight, Wrap, u32_or_max,
};
use crate::pose::{FrameBlend, Pose, Sampling, aligned_joints, is_flat, sample, sample_joints};

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    let mut skeleton = Skeleton::from_model(model, options, SurfaceLimits::NONE, 1, &mut losses)?;
    if skeleton.surfaces.is_empty() {
        return Err(ConvertError::Empty(
            "the model has no surfaces; an IQM without surfaces is only an animation".to_owned(),
        ));
    }
    if model.format().traits().joints == JointStorage::Bones {
        losses.push("bones were converted to joints without parents".to_owned());
    }
    let mut names = FittedNames::new(["joint", "joints"], usize::MAX, model);
    rename_joints(&mut skeleton, &mut names);
    let mut joints: Vec<Joint> = skeleton
        .names
        .iter()
        .zip(skeleton.parents.iter().copied())
        .map(|(name, parent)| Joint { name: name.clone(), parent, bind: JointTransform::IDENTITY, is_added: false })
        .collect();
    let moving = skeleton.frames.len() > 1;
    let (first, mut frames) = local_frames(model, &skeleton, &joints, &mut losses);
    let bind_pose = match model.motion() {
        Motion::Skeletal(motion) if moving => bind_pose(model, motion, &first, &joints),
        _ => first,
    };
    let mut bind = locals(&joints, &bind_pose, None);
    add_tag_joints(&mut skeleton, &mut names, &mut joints, &mut bind, &mut frames);
    names.report(&mut losses);
    let local_skeleton = Arc::new(LocalSkeleton::new(&joints, bind));
    for (index, joint) in joints.iter_mut().enumerate() {
        let (_, rotation, translation) = local_skeleton.to_model(index).to_scale_rotation_translation();
        joint.bind = JointTransform { rotation, translation };
    }
    let stored = WeightStorage { format: options.format, steps: WEIGHT_STEPS, has_sums: true };
    bind_vertices(&mut skeleton.bindings, &local_skeleton, &stored, &mut losses);
    let old = skeleton.frames.iter().filter_map(|frame| model.frames().get(*frame as usize));
    report_lost_frame_names(old.map(|info| info.name.as_str()), "IQM stores no frame names", &mut losses);
    let frame_count = if moving { skeleton.frames.len() } else { 1 };
    let (local, clips) = if moving {
        (packed(local_skeleton, &frames), listed_clips(model, &skeleton, options.format, &mut losses))
    } else {
        let clip = Clip::new("bind pose", 0, 1, options.format.usual_rate(), ClipSource::BindPose);
        (LocalFrames::bind_pose(local_skeleton), vec![clip])
    };
    let tags: Vec<(String, u32)> = (0..)
        .zip(&joints)
        .filter(|(_, joint)| is_tag(joint))
        .map(|(index, joint)| (joint.name.clone(), index))
        .collect();
    skeleton.origin.tags = tags.iter().map(|tag| origin_of(tag, &skeleton)).collect();
    let (tags, tag_joints) = tags.into_iter().map(|(name, joint)| (name, SkeletalTag::Joint(joint))).unzip();
    let track = JointTrack { first: 0, frame_count: u32_or_max(frame_count), frames: JointFrames::Local(local) };
    let parts = ModelParts {
        version: Some(options.format.traits().version),
        surfaces: skeleton.surfaces,
        frames: vec![FrameInfo::default(); frame_count],
        tags,
        clips,
        motion: Motion::Skeletal(SkeletalMotion {
            joints,
            bindings: skeleton.bindings,
            tracks: vec![track],
            tags: tag_joints,
        }),
        data: FormatData { flags: kept_flags(model, options.format), ..FormatData::default() },
        ..ModelParts::empty(options.format)
    };
    let converted = build(parts)?;
    let model = if moving { with_bounds(converted)? } else { converted };
    Ok(Conversion { model, losses, origin: skeleton.origin })
}

/// Returns the joints of the first frame in model space, and those of each frame relative to their parents. A single
/// frame becomes the bind pose, and the list is empty.
fn local_frames(
    model: &Model,
    skeleton: &Skeleton,
    joints: &[Joint],
    losses: &mut Vec<String>,
) -> (Vec<Affine3A>, Vec<Vec<LocalTransform>>) {
    let (mut first, mut frames, mut sheared) = (Vec::new(), Vec::<Vec<LocalTransform>>::new(), 0);
    let rest = match model.motion() {
        Motion::Skeletal(motion) => motion.bind_pose().map(|rest| locals(joints, &rest, None)),
        Motion::Morph(_) => None,
    };
    let Ok(()) = skeleton.each_frame(model, |posed| {
        if first.is_empty() {
            first = posed.to_vec();
        }
        if skeleton.frames.len() > 1 {
            let before = frames.last().or(rest.as_ref());
            let locals = locals(joints, posed, before.map(Vec::as_slice));
            sheared += posed.len() - count_unsheared(joints, &locals, posed);
            frames.push(locals);
        }
        Ok::<_, Infallible>(())
    });
    if sheared > 0 {
        let joints = counted(sheared as u64, "joint transform was", "joint transforms were");
        losses.push(format!("{joints} changed: IQM stores no shear"));
    }
    (first, frames)
}

/// Returns the bind pose of the model. If its vertices have several positions there, or it has none (MDR), returns the
/// pose in which their positions agree best.
pub(super) fn bind_pose(model: &Model, motion: &SkeletalMotion, first: &[Affine3A], joints: &[Joint]) -> Vec<Affine3A> {
    let stored = motion.bind_pose().or_else(|| rest_pose(model));
    let is_usable = stored.as_ref().is_some_and(|stored| {
        let composed = LocalSkeleton::new(joints, locals(joints, stored, None));
        let composed: Vec<Affine3A> = (0..stored.len()).map(|joint| composed.to_model(joint)).collect();
        disagreement(motion, &composed) <= AGREEING
    });
    let mut bind = match stored {
        Some(stored) if is_usable => stored,
        stored => {
            let aligned = aligned_joints(motion, stored.as_deref().unwrap_or(first));
            aligned.iter().map(|joint| joint.as_affine3a()).collect()
        }
    };
    // Joints made of tags have no bind pose. They stay where they are on their parents, unless a scale of 0 hides
    // those.
    for (joint, own) in joints.iter().zip(first).skip(bind.len()) {
        let parent = joint.parent.map(|parent| parent as usize);
        let moved = parent.and_then(|parent| Some((bind.get(parent)?, first.get(parent)?)));
        let moved = moved.filter(|(_, posed)| !is_flat(posed));
        bind.push(moved.map_or(*own, |(rest, posed)| *rest * posed.inverse() * *own));
    }
    bind
}

/// Returns the frame that shows the bind pose, as in a glTF with mirrored joints. Without the mirroring, the changes of
/// the joints since the bind pose would turn the normals over.
fn rest_pose(model: &Model) -> Option<Vec<Affine3A>> {
    let clip = model.clips().iter().find(|clip| clip.source == ClipSource::BindPose)?;
    let mut pose = Pose::default();
    sample_joints(model, FrameBlend::single(clip.first), &mut pose);
    Some(pose.joints)
}

/// Largest distance in units between the positions of a vertex that counts as rounding.
const AGREEING: f32 = 0.01;

/// Returns the largest distance between the positions that the joints of a vertex give it.
fn disagreement(motion: &SkeletalMotion, joints: &[Affine3A]) -> f32 {
    let mut largest = 0.0_f32;
    for binding in &motion.bindings {
        for vertex in &binding.vertices {
            let mut points = binding.weights_of(*vertex).iter().filter_map(|weight| {
                joints.get(weight.joint as usize).map(|joint| joint.transform_point3(weight.offset))
            });
            if let Some(first) = points.next() {
                largest = points.map(|point| point.distance(first)).fold(largest, f32::max);
            }
        }
    }
    largest
}

/// Returns the transforms of posed joints relative to their parents. `before` has those of the frame before.
pub(super) fn locals(joints: &[Joint], posed: &[Affine3A], before: Option<&[LocalTransform]>) -> Vec<LocalTransform> {
    let local = |(index, (joint, own)): (usize, (&Joint, &Affine3A))| {
        let before = before.and_then(|before| before.get(index));
        let parent = joint.parent.and_then(|parent| posed.get(parent as usize));
        let transform = LocalTransform::relative(parent, own, before);
        let transform = LocalTransform { scale: without_rounding(transform.scale), ..transform };
        if transform.matrix().is_finite() { transform } else { LocalTransform::IDENTITY }
    };
    joints.iter().zip(posed).enumerate().map(local).collect()
}

/// Scales within this distance of 1 are rounding errors.
const UNSCALED: f32 = 1e-4;

fn without_rounding(scale: Vec3) -> Vec3 {
    if scale.abs_diff_eq(Vec3::ONE, UNSCALED) { Vec3::ONE } else { scale }
}

/// Number of joints whose composed transforms equal the posed ones, apart from rounding.
fn count_unsheared(joints: &[Joint], locals: &[LocalTransform], posed: &[Affine3A]) -> usize {
    let composed = LocalSkeleton::new(joints, locals.to_vec());
    let is_equal = |(index, own): (usize, &Affine3A)| {
        let Mat3A { x_axis, y_axis, z_axis } = composed.to_model(index).matrix3;
        let columns = [(x_axis, own.x_axis), (y_axis, own.y_axis), (z_axis, own.z_axis)];
        columns.iter().all(|(own, other)| own.distance(*other) <= SHEAR)
    };
    posed.iter().enumerate().filter(|joint| is_equal(*joint)).count()
}

/// Smallest shear that is reported. Compressed bones of an MDR have less.
const SHEAR: f32 = 0.01;

/// Gives each joint a unique name, because games use the first joint with a name (ioquake3 `tr_model_iqm.c`,
/// `R_IQMLerpTag`). A tag follows its joint.
fn rename_joints(skeleton: &mut Skeleton, names: &mut FittedNames) {
    let old = skeleton.names.clone();
    skeleton.names.iter_mut().for_each(|name| *name = names.unique(name));
    for (name, joint) in &mut skeleton.tags {
        if old.get(*joint as usize) == Some(name)
            && let Some(new) = skeleton.names.get(*joint as usize)
        {
            name.clone_from(new);
        }
    }
}

/// Adds a joint for each tag whose name differs from that of its joint.
fn add_tag_joints(
    skeleton: &mut Skeleton,
    names: &mut FittedNames,
    joints: &mut Vec<Joint>,
    bind: &mut Vec<LocalTransform>,
    frames: &mut [Vec<LocalTransform>],
) {
    for (name, joint) in &mut skeleton.tags {
        if joints.get(*joint as usize).is_some_and(|own| own.name == *name) {
            continue;
        }
        *name = names.unique(name);
        joints.push(Joint {
            name: name.clone(),
            parent: Some(*joint),
            bind: JointTransform::IDENTITY,
            is_added: false,
        });
        bind.push(LocalTransform::IDENTITY);
        frames.iter_mut().for_each(|frame| frame.push(LocalTransform::IDENTITY));
        *joint = u32_or_max(joints.len() - 1);
    }
}

/// Returns the tag or joint of the original for a tag of the converted model.
fn origin_of((name, joint): &(String, u32), skeleton: &Skeleton) -> TagOrigin {
    let tags = skeleton.tags.iter().zip(&skeleton.origin.tags);
    let own = tags.into_iter().find(|((own, at), _)| own == name && at == joint);
    own.map_or(TagOrigin::Joint(*joint), |(_, origin)| *origin)
}

/// Weights that a format stores.
pub(super) struct WeightStorage {
    pub format: Format,
    /// Weight of a single joint.
    pub steps: f32,
    /// Whether the weights of a vertex may have any sum. If not, it is 1.
    pub has_sums: bool,
}

/// Computes the vertices of the bind pose, and the weights that follow from them.
pub(super) fn bind_vertices(
    bindings: &mut [Binding],
    skeleton: &LocalSkeleton,
    stored: &WeightStorage,
    losses: &mut Vec<String>,
) {
    let (mut cut, mut scaled) = (0, 0);
    let turns: Vec<Mat3A> =
        (0..skeleton.bind().len()).map(|joint| skeleton.to_joint(joint).matrix3.transpose()).collect();
    for binding in bindings {
        let old = std::mem::take(binding);
        for vertex in &old.vertices {
            let (mut position, mut normal, mut sum) = (Vec3::ZERO, Vec3::ZERO, 0.0);
            for weight in old.weights_of(*vertex) {
                let Some(turn) = turns.get(weight.joint as usize) else { continue };
                position += skeleton.to_model(weight.joint as usize).transform_point3(weight.offset) * weight.bias;
                normal += *turn * weight.normal * weight.bias;
                sum += weight.bias;
            }
            // With a sum of 1, the vertex stays where it is in the bind pose only.
            let is_scaled = !stored.has_sums && (sum - 1.0).abs() > ROUNDED_SUM;
            scaled += usize::from(is_scaled);
            let position = if sum.abs() > NEGLIGIBLE_SUM && !is_scaled { position / sum } else { position };
            // In some formats only the first weight has a normal, and its bias may be 0.
            let first = old.weights_of(*vertex).first();
            let first = first.and_then(|weight| Some(*turns.get(weight.joint as usize)? * weight.normal));
            let normal = normal.normalize_or(first.unwrap_or_default().normalize_or(Vec3::Z));
            let bind = FloatVertex { position, normal };
            let mut own = merged_weights(old.weights_of(*vertex));
            if own.len() > MAX_WEIGHTS {
                cut += 1;
                own.sort_by(|a, b| b.1.total_cmp(&a.1));
                own.truncate(MAX_WEIGHTS);
            }
            let kept: f32 = own.iter().map(|(_, bias)| bias).sum();
            let is_cut = own.len() < vertex.1 as usize;
            let sum = if stored.has_sums { sum } else { 1.0 };
            let share = if (is_cut || !stored.has_sums) && kept > NEGLIGIBLE_SUM { sum / kept } else { 1.0 };
            own.iter_mut().for_each(|(_, bias)| *bias *= share);
            round_to_steps(&mut own, stored.steps);
            binding.vertices.push((u32_or_max(binding.weights.len()), u32_or_max(own.len())));
            binding.weights.extend(own.into_iter().map(|(joint, bias)| bind.weight(skeleton, joint, bias)));
            binding.bind.push(bind);
        }
    }
    let name = stored.format.title();
    if cut > 0 {
        let vertices = counted(cut, "vertex keeps", "vertices keep");
        losses.push(format!("{vertices} the {MAX_WEIGHTS} largest weights, the most that {name} stores"));
    }
    if scaled > 0 {
        let vertices = counted(scaled, "vertex add", "vertices add");
        losses.push(format!("the weights of {vertices} up to a sum other than 1, which {name} does not store"));
    }
}

/// Largest difference of a sum of weights from 1 that is due to rounding: half a step of a byte for each of four.
const ROUNDED_SUM: f32 = 2.0 / 255.0;

/// Returns the joints of a vertex in the order of their first weights, each with its sum, without zeros.
fn merged_weights(weights: &[Weight]) -> Vec<(u32, f32)> {
    let mut merged: Vec<(u32, f32)> = Vec::new();
    for weight in weights {
        match merged.iter_mut().find(|(joint, _)| *joint == weight.joint) {
            Some((_, sum)) => *sum += weight.bias,
            None => merged.push((weight.joint, weight.bias)),
        }
    }
    merged.retain(|(_, sum)| *sum > 0.0);
    merged
}

/// Rounds the weights of a vertex to whole steps. Their sum is the nearest step to that of the originals, so weights
/// that add up to 1 have all steps in total: engines do not normalise them. A small weight may vanish, but never the
/// last one.
fn round_to_steps(weights: &mut Vec<(u32, f32)>, whole: f32) {
    let steps = |weight: f32| weight.clamp(0.0, 1.0) * whole;
    let sum: f32 = weights.iter().map(|(_, weight)| steps(*weight)).sum();
    let floors: f32 = weights.iter().map(|(_, weight)| steps(*weight).floor()).sum();
    let mut by_remainder: Vec<usize> = (0..weights.len()).collect();
    let remainder = |index: &usize| weights.get(*index).map_or(0.0, |(_, weight)| steps(*weight).fract());
    by_remainder.sort_by(|a, b| remainder(b).total_cmp(&remainder(a)));
    by_remainder.truncate((sum.round().max(1.0) - floors) as usize);
    for (index, (_, weight)) in weights.iter_mut().enumerate() {
        let stored = steps(*weight).floor() + if by_remainder.contains(&index) { 1.0 } else { 0.0 };
        *weight = stored / whole;
    }
    weights.retain(|(_, weight)| *weight > 0.0);
}

/// Weight of a single joint in a file. DarkPlaces reads bytes only (`model_alias.c`, `Mod_INTERQUAKEMODEL_Load`).
const WEIGHT_STEPS: f32 = 255.0;

/// Sums of weights below this are not normalised.
const NEGLIGIBLE_SUM: f32 = 1e-3;

/// Computes the boxes of the frames, and the spheres around the origin, from the weights that the file stores.
fn with_bounds(model: Model) -> Result<Model, ConvertError> {
    let mut pose = Pose::default();
    let mut info = |frame: u32| {
        sample(&model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
        let bounds = pose.bounds.or_origin();
        let radius = bounds.min.abs().max(bounds.max.abs()).length();
        FrameInfo { bounds: Some(bounds), radius, ..FrameInfo::default() }
    };
    let frames = (0..u32_or_max(model.frames().len())).map(&mut info).collect();
    build(ModelParts { frames, ..model.into_parts() })
}

fn channels(joint: &LocalTransform) -> [f32; 10] {
    let ([a, b, c], [x, y, z, w], [d, e, f]) =
        (joint.translation.to_array(), joint.rotation.to_array(), joint.scale.to_array());
    [a, b, c, x, y, z, w, d, e, f]
}

/// Packs each channel in steps of 1/65535 of its range. Channels that do not change are exact.
pub(crate) fn packed(skeleton: Arc<LocalSkeleton>, frames: &[Vec<LocalTransform>]) -> LocalFrames {
    let joints = skeleton.bind().len();
    let mut numbers: Vec<[f32; 10]> = Vec::with_capacity(frames.len() * joints);
    for frame in frames {
        for joint in frame {
            // q and −q are one rotation. The sign follows the previous frame, so that the range is small.
            let before = numbers.len().checked_sub(joints).and_then(|at| numbers.get(at));
            let before = before.map_or(Quat::IDENTITY, |[_, _, _, x, y, z, w, ..]| Quat::from_xyzw(*x, *y, *z, *w));
            let sign = if before.dot(joint.rotation) < 0.0 { -1.0 } else { 1.0 };
            numbers.push(channels(&LocalTransform { rotation: joint.rotation * sign, ..*joint }));
        }
    }
    let mut stride = 0;
    let pose = |joint: usize| {
        let own = || numbers.iter().skip(joint).step_by(joints.max(1));
        let mut pose = LocalPose { offset: [0.0; 10], scale: [0.0; 10], mask: 0, first: stride };
        for channel in 0..10 {
            let values = || own().map(|numbers| numbers[channel]);
            let (min, max) = values().fold((f32::INFINITY, f32::NEG_INFINITY), |(a, b), own| (a.min(own), b.max(own)));
            pose.offset[channel] = min;
            if max > min {
                pose.scale[channel] = (max - min) / f32::from(u16::MAX);
                pose.mask |= 1 << channel;
            }
        }
        stride += pose.mask.count_ones();
        pose
    };
    let poses: Vec<LocalPose> = (0..joints).map(pose).collect();
    let mut words = Vec::with_capacity(frames.len() * stride as usize);
    for (index, numbers) in numbers.iter().enumerate() {
        let Some(pose) = poses.get(index.checked_rem(joints).unwrap_or(0)) else { continue };
        for (channel, number) in numbers.iter().enumerate().filter(|(channel, _)| pose.mask >> channel & 1 != 0) {
            let step = (number - pose.offset[channel]) / pose.scale[channel];
            words.push(step.round().clamp(0.0, f32::from(u16::MAX)) as u16);
        }
    }
    LocalFrames { skeleton, poses, stride, words, computes_w: false }
}

fn listed_clips(model: &Model, skeleton: &Skeleton, format: Format, losses: &mut Vec<String>) -> Vec<Clip> {
    let own = clips::blending(model, &skeleton.frames, model.format().usual_rate());
    let reversed = own.iter().filter(|clip| clip.reversed).count();
    if reversed > 0 {
        let clips = counted(reversed, "clip plays", "clips play");
        losses.push(format!("{clips} forwards: IQM cannot reverse a clip"));
    }
    // A clip that repeats its last frame holds it, like a clip that does not loop (Quake III, `CG_RunLerpFrame`).
    let loops = |clip: &Clip| clip.loops() && (clip.loop_frames > 1 || clip.count == 1);
    let partial = own.iter().filter(|clip| loops(clip) && clip.loop_frames < clip.count).count();
    if partial > 0 {
        let clips = counted(partial, "clip repeats", "clips repeat");
        losses.push(format!("{clips} all frames: IQM cannot repeat only the last ones"));
    }
    let mut names = FittedNames::new(["clip", "clips"], usize::MAX, model);
    // Engines play only listed frames. Those of a model of this format may be listed elsewhere.
    let lists_all = model.format() != format && own.iter().all(|clip| clip.source == ClipSource::AllFrames);
    let listed = own
        .into_iter()
        .map(|clip| {
            if clip.source == ClipSource::AllFrames && !lists_all {
                return clip;
            }
            let name = names.unique(&clip.name);
            // The format blends from the last frame to the first, so a last frame that equals the first is left out.
            let closes = clip.wrap == Wrap::LastIsFirst && loops(&clip) && clip.count > 1;
            let count = if closes { clip.count - 1 } else { clip.count };
            let listed = Clip::new(name, clip.first, count, clip.frames_per_second, ClipSource::AnimationList);
            Clip { loop_frames: if loops(&clip) { count } else { 0 }, ..listed }
        })
        .collect();
    names.report(losses);
    listed
}
