//! MDX (Enemy Territory): skeleton and frames of MDM meshes. `MDXW`, version 2, with a header of 96 bytes.

use super::super::LoadedAnimation;
use super::super::angle_skeleton::{Header, Skeleton};
use super::super::md3_common::{version, warn_about_end};
use crate::bytes::Source;
use crate::error::{FilePosition, LoadError, Reason, Warnings};
use crate::model::{Clip, ClipSource, Format, JointFrames, Model, SkeletonFile, Wrap, u32_or_max};

/// Returns whether these are the bytes of an MDX.
pub fn is_animation(bytes: &[u8]) -> bool {
    bytes.starts_with(MAGIC)
}

/// Loads the frames of an MDX for an MDM, as a clip called `name`. The first MDX is also the skeleton. Fails if the file is
/// invalid, or if its number of bones does not fit the model.
pub fn load_animation(
    bytes: &[u8],
    name: &str,
    model: &Model,
    warnings: &mut Warnings,
) -> Result<LoadedAnimation, LoadError> {
    let Skeleton { joints, frames, angles } = load(&Source::new("mdx", bytes), warnings)?;
    let mut clip = Clip::new(name, 0, 1, Format::Mdm.usual_rate(), ClipSource::AnimationFile);
    // The file is a list of clips, so its first frame does not follow from its last.
    clip.wrap = Wrap::LastToFirst;
    let known = model.joints().len();
    if known != 0 && known != joints.len() {
        let why = format!("the file has {} bones, but the model’s skeleton has {known}", joints.len());
        return Err(LoadError::new("mdx", "numBones", FilePosition::Byte(BONES_AT), Reason::Broken(why)));
    }
    let joint_of_bone = (0..u32_or_max(joints.len())).collect();
    let skeleton = (known == 0).then_some(SkeletonFile { joints, joint_of_bone });
    Ok(LoadedAnimation { skeleton, track: (clip, JointFrames::Angles(angles), frames), clips: Vec::new() })
}

/// Checks an MDX without a model.
pub fn check_animation(source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    load(source, warnings).map(drop)
}

const BONES_AT: u64 = 76;
pub(super) const MAGIC: &[u8] = b"MDXW";
pub(super) const VERSION: i32 = 2;

fn load(source: &Source, warnings: &mut Warnings) -> Result<Skeleton, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    version(&mut reader, VERSION)?;
    reader.name("name", 64)?;
    let header = Header::read(&mut reader)?;
    let ofs_end = reader.offset("ofsEnd")?;
    drop(head);
    warn_about_end(source, ofs_end, &header.tables(), warnings);
    Skeleton::read(source, &header, false, warnings)
}
