//! Edits that a format supports.

use std::borrow::Cow;

use super::operation::{Reach, stores_clips};
use super::{Edit, Operation};
use crate::model::{
    ClipSource, JointFrames, JointStorage, JointTrack, MaterialStorage, Model, Motion, SurfaceStorage, TagStorage,
};

/// Kind of an [`Edit`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EditKind {
    /// [`Edit::RenameSurface`].
    RenameSurface,
    /// [`Edit::SetMaterial`].
    SetMaterial,
    /// [`Edit::RenameTag`].
    RenameTag,
    /// [`Edit::MoveTag`].
    MoveTag,
    /// [`Edit::AddTag`].
    AddTag,
    /// [`Edit::RemoveTag`].
    RemoveTag,
    /// [`Edit::RenameFrame`].
    RenameFrame,
    /// [`Edit::ReorderSkins`].
    ReorderSkins,
    /// [`Edit::RecomputeNormals`].
    RecomputeNormals,
    /// [`Edit::RecomputeBounds`].
    RecomputeBounds,
    /// [`Edit::DropDegenerateTriangles`].
    DropDegenerateTriangles,
    /// [`Edit::Operation`].
    Operation(&'static Operation),
}

impl Edit {
    /// Returns the kind of the edit.
    #[must_use]
    pub fn kind(&self) -> EditKind {
        match self {
            Self::RenameSurface { .. } => EditKind::RenameSurface,
            Self::SetMaterial { .. } => EditKind::SetMaterial,
            Self::RenameTag { .. } => EditKind::RenameTag,
            Self::MoveTag { .. } => EditKind::MoveTag,
            Self::AddTag { .. } => EditKind::AddTag,
            Self::RemoveTag { .. } => EditKind::RemoveTag,
            Self::RenameFrame { .. } => EditKind::RenameFrame,
            Self::ReorderSkins { .. } => EditKind::ReorderSkins,
            Self::RecomputeNormals => EditKind::RecomputeNormals,
            Self::RecomputeBounds => EditKind::RecomputeBounds,
            Self::DropDegenerateTriangles => EditKind::DropDegenerateTriangles,
            Self::Operation(call) => EditKind::Operation(call.operation),
        }
    }
}

/// Returns why the model's format does not support an edit, as a sentence without full stop. `None` if it does.
#[must_use]
pub fn why_not(model: &Model, kind: EditKind) -> Option<Cow<'static, str>> {
    let traits = model.format().traits();
    let name = model.format().title();
    if !model.format().is_written() {
        return Some(format!("{name} files cannot be written").into());
    }
    let has_skeleton = traits.joints == JointStorage::Skeleton;
    let why = match kind {
        EditKind::RenameSurface if traits.surfaces == SurfaceStorage::One => {
            format!("The only mesh of an {name} has no name")
        }
        EditKind::RenameSurface if traits.surfaces == SurfaceStorage::Unnamed => {
            format!("{name} meshes have no names, only shader paths")
        }
        EditKind::SetMaterial if traits.materials == MaterialStorage::Inside => {
            format!("Skins of an {name} are inside the file and have no names")
        }
        EditKind::RenameTag | EditKind::MoveTag | EditKind::AddTag | EditKind::RemoveTag
            if traits.tags == TagStorage::None =>
        {
            let what = if has_skeleton { "has joints instead of tags" } else { "has no tags" };
            format!("An {name} {what}")
        }
        EditKind::MoveTag | EditKind::AddTag | EditKind::RemoveTag if traits.tags == TagStorage::Bones => {
            format!("Tags of an {name} are bones and can only be renamed")
        }
        EditKind::RenameFrame if !traits.names_frames => format!("Frames of an {name} have no names"),
        EditKind::RenameFrame if is_compressed(model) => format!("Frames of a compressed {name} have no names"),
        EditKind::ReorderSkins if traits.materials != MaterialStorage::Skins => {
            return Some("Only an MD2 lists its skins".into());
        }
        EditKind::RecomputeNormals if !traits.stores_normals => format!("An {name} stores no normals"),
        EditKind::RecomputeNormals if matches!(model.motion(), Motion::Skeletal(_)) => {
            return Some("Normals of a skeletal model depend on its bones".into());
        }
        EditKind::RecomputeBounds if !traits.bounds_frames && has_skeleton => {
            format!("An .{} stores no bounds", model.format().extension())
        }
        EditKind::RecomputeBounds if !traits.bounds_frames => format!("An {name} stores no bounds"),
        EditKind::Operation(operation) if operation.reach == Reach::List && !stores_clips(model) => {
            return Some("The clips are in another file; maquette convert --edit writes a new list".into());
        }
        EditKind::Operation(operation) if operation.reach == Reach::Clips && has_animation_files(model) => {
            return Some("Frames are in animation files; maquette convert --edit changes them".into());
        }
        EditKind::Operation(operation) => return (operation.refuses)(model).map(Cow::Owned),
        _ => return None,
    };
    Some(why.into())
}

fn has_animation_files(model: &Model) -> bool {
    model.clips().iter().any(|clip| clip.source == ClipSource::AnimationFile)
}

fn is_compressed(model: &Model) -> bool {
    matches!(model.motion(), Motion::Skeletal(motion) if matches!(motion.tracks.as_slice(),
        [JointTrack { frames: JointFrames::PackedMatrices(_), .. }, ..]))
}
