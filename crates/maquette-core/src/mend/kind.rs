//! Which changes a model's format can hold.

use super::Edit;
use crate::model::{DetailValue, Format, Model, Motion};

/// Kinds of [`Edit`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
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
}

impl Edit {
    /// What kind it is.
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
        }
    }
}

/// Why no change of this kind can be made to files of the model's format, in a sentence without a full stop; none if it
/// can.
#[must_use]
pub fn why_not(model: &Model, kind: EditKind) -> Option<&'static str> {
    let format = model.format();
    match kind {
        EditKind::SetMaterial | EditKind::DropDegenerateTriangles => None,
        EditKind::RenameSurface => match format {
            Format::Md2 => Some("An MD2 has one mesh, without a name"),
            Format::Md5 => Some("MD5 meshes have no names, only shader paths"),
            Format::Md3 | Format::Mdc | Format::Mdr => None,
        },
        EditKind::RenameTag => match format {
            Format::Md2 => Some("An MD2 has no tags"),
            Format::Md5 => Some("An MD5 has joints in place of tags"),
            Format::Md3 | Format::Mdc | Format::Mdr => None,
        },
        EditKind::MoveTag | EditKind::AddTag | EditKind::RemoveTag => match format {
            Format::Md2 => Some("An MD2 has no tags"),
            Format::Md5 => Some("An MD5 has joints in place of tags"),
            Format::Mdr => Some("Tags of an MDR are bones: they can be renamed only"),
            Format::Md3 | Format::Mdc => None,
        },
        EditKind::RenameFrame => match format {
            Format::Md5 => Some("Frames of an MD5 have no names"),
            Format::Mdr if is_compressed(model) => Some("Frames of a compressed MDR have no names"),
            Format::Md2 | Format::Md3 | Format::Mdc | Format::Mdr => None,
        },
        EditKind::ReorderSkins => match format {
            Format::Md2 => None,
            Format::Md3 | Format::Mdc | Format::Mdr | Format::Md5 => {
                Some("Only an MD2 lists its skins; others have files beside the model")
            }
        },
        EditKind::RecomputeNormals => match (format, model.motion()) {
            (Format::Md5, _) => Some("An MD5 stores no normals"),
            (_, Motion::Skeletal(_)) => Some("Normals of a skeletal model are carried by its bones"),
            (_, Motion::Morph(_)) => None,
        },
        EditKind::RecomputeBounds => match format {
            Format::Md2 => Some("An MD2 stores no bounds"),
            Format::Md5 => Some("An .md5mesh stores no bounds"),
            Format::Md3 | Format::Mdc | Format::Mdr => None,
        },
    }
}

/// Whether the frames of an MDR are stored compressed.
fn is_compressed(model: &Model) -> bool {
    model
        .details()
        .iter()
        .any(|detail| detail.label == "frames" && detail.value == DetailValue::Text("compressed".to_owned()))
}
