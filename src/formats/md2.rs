//! placeholder
use crate::error::{LoadError, Place, Reason, Warnings};
use crate::model::ModelParts;
/// Reads a whole file.
pub fn load(_bytes: &[u8], _warnings: &mut Warnings) -> Result<ModelParts, LoadError> {
    Err(LoadError::new("md2", "", Place::Whole, Reason::Broken("not yet read".to_owned())))
}
