//! placeholder
use crate::error::{LoadError, Place, Reason, Warnings};
use crate::model::ModelParts;
/// Reads a whole file.
pub fn load(_bytes: &[u8], _warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    Err(LoadError::new("md5", "", Place::Whole, Reason::Broken("not yet read".to_owned())))
}
/// Whether these are the first bytes of an `.md5mesh`.
#[must_use]
pub fn looks_like_mesh(bytes: &[u8]) -> bool {
    bytes.starts_with(b"MD5Version")
}
/// Whether these are the first bytes of an `.md5anim`.
#[must_use]
pub fn looks_like_animation(_bytes: &[u8]) -> bool {
    false
}
/// placeholder
pub fn load_animation(
    _bytes: &[u8],
    _name: &str,
    _model: &crate::model::Model,
    _warnings: &mut Warnings,
) -> Result<(crate::model::Clip, crate::model::JointChannels, Vec<crate::model::FrameInfo>), LoadError> {
    Err(LoadError::new("md5", "", Place::Whole, Reason::Broken("not yet read".to_owned())))
}
