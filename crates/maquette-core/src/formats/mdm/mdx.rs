//! MDX (Enemy Territory): skeleton and frames of MDM meshes. `MDXW`, version 2, with a header of 96 bytes.

use super::super::angle_skeleton::{Header, Skeleton};
use super::super::md3_common::{version, warn_about_end};
use crate::bytes::Source;
use crate::error::{FilePosition, LoadError, Reason, Warnings};
use crate::model::{Clip, ClipSource, Format, JointFrames, Model, Wrap};

/// Returns whether these are the bytes of an MDX.
#[must_use]
pub fn is_animation(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MDXW")
}

/// Appends the frames of an MDX to an MDM, as a clip called `name`. The first MDX also becomes the skeleton. Fails
/// without a change if the file is invalid, or if its number of bones does not fit the model.
pub fn add_animation(model: &mut Model, name: &str, bytes: &[u8], warnings: &mut Warnings) -> Result<(), LoadError> {
    let Skeleton { joints, frames, angles } = load(&Source::new("mdx", bytes), warnings)?;
    let mut clip = Clip::new(name, 0, 1, Format::Mdm.usual_rate(), ClipSource::AnimationFile);
    // The file is a list of clips, so its first frame does not follow from its last.
    clip.wrap = Wrap::LastToFirst;
    let known = model.joints().len();
    let added = if known == 0 {
        model.add_skeleton(joints, clip, JointFrames::Angles(angles), frames)
    } else if known == joints.len() {
        model.add_track(clip, JointFrames::Angles(angles), frames)
    } else {
        let why = format!("the file has {} bones, but the model’s skeleton has {known}", joints.len());
        Err(LoadError::new("mdx", "numBones", FilePosition::Byte(BONES_AT), Reason::Broken(why)))
    };
    added.map_err(|error| LoadError { format: "mdx", ..error })
}

/// Checks an MDX without a model.
pub fn check_animation(source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    load(source, warnings).map(drop)
}

const BONES_AT: u64 = 76;

fn load(source: &Source, warnings: &mut Warnings) -> Result<Skeleton, LoadError> {
    let head = source.group(|| "header".to_owned());
    let mut reader = source.start();
    reader.name("ident", 4)?;
    version(&mut reader, 2)?;
    reader.name("name", 64)?;
    let header = Header::read(&mut reader)?;
    let ofs_end = reader.offset("ofsEnd")?;
    drop(head);
    warn_about_end(source, ofs_end, warnings);
    Skeleton::read(source, &header, false, warnings)
}
