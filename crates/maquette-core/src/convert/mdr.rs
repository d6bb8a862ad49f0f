//! Conversion to MDR: bones with absolute transforms in every frame.

use std::collections::{BTreeSet, HashMap, HashSet};

use glam::{Affine3A, Mat3A};

use super::merged::name_unnamed;
use super::names::{FittedNames, NAME, cut, fitted_frames, report_lost_frame_names};
use super::skeleton::Skeleton;
use super::{BonePacking, Conversion, ConvertError, ConvertOptions, TagOrigin, build, clips};
use crate::error::counted;
use crate::formats::mdr::bone_name;
use crate::model::{
    FrameInfo, Joint, JointFrames, JointStorage, JointTrack, JointTransform, Model, ModelParts, Motion, PackedMatrix,
    SkeletalMotion, SkeletalTag, is_tag_name, matrix_rows, u32_or_max,
};

/// Maximum bytes of a tag's name, without the final NUL.
const TAG_NAME: usize = 31;
/// Maximum number of bones in games.
const GAME_BONES: usize = 128;

pub(crate) fn convert(model: &Model, options: &ConvertOptions) -> Result<Conversion, ConvertError> {
    let mut losses = Vec::new();
    let mut skeleton = Skeleton::from_model(model, options, options.limits, model.lod_count(), &mut losses)?;
    if model.format().traits().joints == JointStorage::Skeleton && !model.joints().is_empty() {
        if model.own_tag_count() == 0 {
            losses.push("joints were converted to bones without parents; their names are kept as tags".to_owned());
            name_joints(&mut skeleton);
        } else {
            losses
                .push("joints were converted to bones without parents; only bones of tags keep their names".to_owned());
        }
    }
    let unturned = turn_to_model(&mut skeleton, &mut losses);
    let mut names = FittedNames::new(["tag", "tags"], TAG_NAME, model);
    for (name, _) in &mut skeleton.tags {
        *name = names.unique(name);
    }
    names.report(&mut losses);
    let mut frames = skeleton.frame_infos(model);
    let joint_count = skeleton.bind.len() + unturned.len();
    let is_scaled = matches!(model.motion(), Motion::Skeletal(motion) if motion.is_scaled());
    let usual = if is_scaled { BonePacking::Plain } else { BonePacking::Compressed };
    let mut packer = Packer::new(options.packing.unwrap_or(usual), joint_count * skeleton.frames.len());
    skeleton.each_frame(model, |joints| {
        let turned = joints.iter().zip(&skeleton.bind).map(|(joint, bind)| Affine3A {
            matrix3: joint.matrix3 * bind.transpose(),
            translation: joint.translation,
        });
        let unturned = unturned.iter().filter_map(|joint| joints.get(*joint as usize).copied());
        turned.chain(unturned).try_for_each(|bone| packer.push(matrix_rows(&bone)))
    })?;
    let joint_frames = packer.finish(&mut losses);
    let is_compressed = matches!(joint_frames, JointFrames::PackedMatrices(_));
    store_frame_names(&mut frames, is_compressed, model.data().has_latin1, &mut losses);
    if !is_compressed {
        let mut names: Vec<String> = frames.iter_mut().map(|frame| std::mem::take(&mut frame.name)).collect();
        name_unnamed(&clips::clips(model, &skeleton.frames), &mut names);
        frames.iter_mut().zip(names).for_each(|(frame, name)| frame.name = name);
    }
    let count = u32_or_max(frames.len());
    let mut tag_of: HashMap<usize, &str> = HashMap::new();
    for (name, joint) in &skeleton.tags {
        tag_of.entry(*joint as usize).or_insert(name);
    }
    let named = |index: usize| tag_of.get(&index).map_or_else(|| bone_name(index), |name| (*name).to_owned());
    let joint = |name: String| Joint { name, parent: None, bind: JointTransform::IDENTITY, is_added: false };
    let parts = ModelParts {
        version: Some(options.format.traits().version),
        name: cut(model.name(), NAME, model.data().has_latin1).to_owned(),
        clips: clips::blending(model, &skeleton.frames, options.format.usual_rate()),
        tags: skeleton.tags.iter().map(|(name, _)| name.clone()).collect(),
        motion: Motion::Skeletal(SkeletalMotion {
            joints: (0..joint_count).map(named).map(joint).collect(),
            bindings: skeleton.bindings,
            tracks: vec![JointTrack { first: 0, frame_count: count, frames: joint_frames }],
            tags: skeleton.tags.iter().map(|(_, joint)| SkeletalTag::Joint(*joint)).collect(),
        }),
        surfaces: skeleton.surfaces,
        frames,
        ..ModelParts::empty(options.format)
    };
    Ok(Conversion { model: build(parts)?, losses, origin: skeleton.origin })
}

/// Rotates all bones to the model's axes, because an MDR vertex has one normal that all its bones rotate. Returns the
/// joints whose tags need an extra bone with the original rotation; those bones follow all others, in order.
fn turn_to_model(skeleton: &mut Skeleton, losses: &mut Vec<String>) -> BTreeSet<u32> {
    for weight in skeleton.bindings.iter_mut().flat_map(|binding| &mut binding.weights) {
        let turned = skeleton.bind.get(weight.joint as usize).copied().unwrap_or(Mat3A::IDENTITY);
        weight.offset = turned * weight.offset;
        weight.normal = turned * weight.normal;
    }
    // Bones without vertices, such as those of tags, keep their rotation.
    let used: HashSet<u32> =
        skeleton.bindings.iter().flat_map(|binding| &binding.weights).map(|weight| weight.joint).collect();
    for (joint, bind) in (0_u32..).zip(&mut skeleton.bind) {
        if !used.contains(&joint) {
            *bind = Mat3A::IDENTITY;
        }
    }
    let is_turned = |joint: &u32| {
        let bind = skeleton.bind.get(*joint as usize);
        bind.is_some_and(|bind| !bind.abs_diff_eq(Mat3A::IDENTITY, 1e-7))
    };
    let own_bones =
        |tags: &[(String, u32)]| -> BTreeSet<u32> { tags.iter().map(|(_, joint)| *joint).filter(is_turned).collect() };
    let mut own = own_bones(&skeleton.tags);
    if skeleton.bind.len() + own.len() > GAME_BONES {
        let is_written: Vec<bool> =
            skeleton.tags.iter().map(|(name, joint)| is_tag_name(name) || !is_turned(joint)).collect();
        let left = is_written.iter().filter(|is_written| !**is_written).count();
        if left > 0 {
            losses.push(format!(
                "{} dropped: the game supports at most {GAME_BONES} bones",
                counted(left, "name of a joint was", "names of joints were")
            ));
        }
        let mut keep = is_written.iter();
        skeleton.tags.retain(|_| keep.next().copied().unwrap_or(true));
        let mut keep = is_written.iter();
        skeleton.origin.tags.retain(|_| keep.next().copied().unwrap_or(true));
        own = own_bones(&skeleton.tags);
    }
    let first = u32_or_max(skeleton.bind.len());
    let bone_of: HashMap<u32, u32> = own.iter().copied().zip(first..).collect();
    for (_, joint) in &mut skeleton.tags {
        *joint = bone_of.get(joint).copied().unwrap_or(*joint);
    }
    own
}

fn name_joints(skeleton: &mut Skeleton) {
    let origin_of_tag: HashMap<u32, TagOrigin> =
        skeleton.tags.iter().map(|(_, joint)| *joint).zip(skeleton.origin.tags.iter().copied()).collect();
    // An exported MDR has bones without names.
    let has_name = |(joint, name): &(u32, &String)| **name != bone_name(*joint as usize);
    let joints = (0_u32..).zip(&skeleton.names).filter(has_name);
    skeleton.tags = joints.clone().map(|(joint, name)| (name.clone(), joint)).collect();
    let origin = |(joint, _)| origin_of_tag.get(&joint).copied().unwrap_or(TagOrigin::Joint(joint));
    skeleton.origin.tags = joints.map(origin).collect();
}

/// Fits the frame names into their field. Clears them if the frames are compressed, because such frames have no names.
pub(super) fn store_frame_names(
    frames: &mut [FrameInfo],
    is_compressed: bool,
    is_latin1: bool,
    losses: &mut Vec<String>,
) {
    let own = || frames.iter().map(|frame| frame.name.as_str());
    let names = if is_compressed {
        report_lost_frame_names(own(), "compressed frames store no names", losses);
        Vec::new()
    } else {
        fitted_frames(own(), is_latin1, losses)
    };
    let mut names = names.into_iter();
    frames.iter_mut().for_each(|frame| frame.name = names.next().unwrap_or_default());
}

pub(crate) fn pack(
    frames: &mut JointFrames,
    packing: BonePacking,
    losses: &mut Vec<String>,
) -> Result<(), ConvertError> {
    match (&*frames, packing) {
        (JointFrames::PackedMatrices(bones), BonePacking::Plain) => {
            *frames = JointFrames::Matrices(bones.iter().map(unpacked).collect());
        }
        (JointFrames::Matrices(bones), BonePacking::Compressed) => {
            let mut packer = Packer::new(packing, bones.len());
            bones.iter().try_for_each(|bone| packer.push(*bone))?;
            *frames = packer.finish(losses);
        }
        _ => {}
    }
    Ok(())
}

enum Packer {
    Plain(Vec<[f32; 12]>),
    Compressed(Vec<PackedMatrix>, usize),
}

impl Packer {
    fn new(packing: BonePacking, bones: usize) -> Self {
        match packing {
            BonePacking::Plain => Self::Plain(Vec::with_capacity(bones)),
            BonePacking::Compressed => Self::Compressed(Vec::with_capacity(bones), 0),
        }
    }

    fn push(&mut self, bone: [f32; 12]) -> Result<(), ConvertError> {
        match self {
            Self::Plain(bones) => {
                let mut bone = bone;
                // Readers take a bone of zeros for damaged. This one hides vertices, too.
                if bone.iter().all(|number| *number == 0.0)
                    && let Some(first) = bone.first_mut()
                {
                    *first = HIDDEN;
                }
                bones.push(bone);
            }
            Self::Compressed(bones, scaled) => {
                let [a, b, c, _, d, e, f, _, g, h, i, _] = bone;
                let is_scaled = [a, b, c, d, e, f, g, h, i].into_iter().any(|entry| entry.abs() > PACKED_REACH);
                *scaled += usize::from(is_scaled);
                bones.push(packed(&bone).ok_or_else(|| {
                    ConvertError::OutOfRange("a bone is more than 512 units from the origin, which compressed bones cannot store; write them uncompressed (--uncompressed)".to_owned())
                })?);
            }
        }
        Ok(())
    }

    fn finish(self, losses: &mut Vec<String>) -> JointFrames {
        match self {
            Self::Plain(bones) => JointFrames::Matrices(bones),
            Self::Compressed(bones, scaled) => {
                if scaled > 0 {
                    let bones = counted(scaled, "bone is", "bones are");
                    losses.push(format!(
                        "{bones} scaled, which compressed bones cannot store; write them uncompressed (--uncompressed)"
                    ));
                }
                JointFrames::PackedMatrices(bones)
            }
        }
    }
}

/// Scale of a bone that hides its vertices.
const HIDDEN: f32 = 1e-6;

const PACKED_REACH: f32 = 32767.0 / 32766.0;

fn packed([a, b, c, x, d, e, f, y, g, h, i, z]: &[f32; 12]) -> Option<PackedMatrix> {
    let packed_coordinate = |number: &f32| {
        let steps = (number * 64.0).round() + 32768.0;
        (0.0..=65535.0).contains(&steps).then_some(steps as u16)
    };
    let turn = |entry: &f32| ((entry * 32766.0).round() + 32768.0).clamp(0.0, 65535.0) as u16;
    let [a, b, c, d, e, f, g, h, i] = [a, b, c, d, e, f, g, h, i].map(turn);
    Some([packed_coordinate(x)?, packed_coordinate(y)?, packed_coordinate(z)?, a, b, c, d, e, f, g, h, i])
}

fn unpacked(words: &PackedMatrix) -> [f32; 12] {
    let [x, y, z, a, b, c, d, e, f, g, h, i] = words.map(|word| f32::from(word) - 32768.0);
    let [x, y, z] = [x, y, z].map(|steps| steps / 64.0);
    let [a, b, c, d, e, f, g, h, i] = [a, b, c, d, e, f, g, h, i].map(|entry| entry * (1.0 / 32766.0));
    [a, b, c, x, d, e, f, y, g, h, i, z]
}
