//! An assembly: models that are opened together, and their attachments.

use std::path::PathBuf;

use glam::Affine3A;

use crate::open::ModelAsset;
use maquette_core::error::Warning;
use maquette_core::model::Model;

/// Role of a part in its character.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A single model.
    Model,
    /// `lower`, the root of the other parts.
    Legs,
    /// `upper`, on the legs' `tag_torso`.
    Torso,
    /// `head`, on the torso's `tag_head`.
    Head,
    /// The only model of a Quake II player, or the body of a Wolfenstein character.
    Body,
    /// A weapon, on `tag_weapon` or at the body's origin.
    Weapon,
    /// The weapon's rotating barrel.
    Barrel,
    /// The flash at the weapon's muzzle.
    Flash,
    /// A model that a skin adds, for example a hat.
    Accessory,
    /// A model that the user attached.
    Attached,
}

impl Role {
    /// Returns the id for scripts, after the names of the games' files.
    pub fn key(self) -> &'static str {
        match self {
            Self::Model => "model",
            Self::Legs => "lower",
            Self::Torso => "upper",
            Self::Head => "head",
            Self::Body => "body",
            Self::Weapon => "weapon",
            Self::Barrel => "barrel",
            Self::Flash => "flash",
            Self::Accessory => "accessory",
            Self::Attached => "attached",
        }
    }

    /// Returns the display name.
    pub fn label(self) -> &'static str {
        match self {
            Self::Model => "Model",
            Self::Legs => "Legs",
            Self::Torso => "Torso",
            Self::Head => "Head",
            Self::Body => "Body",
            Self::Weapon => "Weapon",
            Self::Barrel => "Barrel",
            Self::Flash => "Flash",
            Self::Accessory => "Accessory",
            Self::Attached => "Attached",
        }
    }
}

/// Attachment point on a parent.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// The first tag of this name.
    Tag(String),
    /// The first joint of this name.
    Joint(String),
    /// The parent's origin (Quake II weapons).
    Origin,
}

impl Anchor {
    /// Returns the transform in the space of `model`, given its posed tags and joints; `None` if `model` has no such
    /// tag or joint.
    pub fn transform_in(&self, model: &Model, tags: &[Affine3A], joints: &[Affine3A]) -> Option<Affine3A> {
        match self {
            Self::Origin => Some(Affine3A::IDENTITY),
            Self::Tag(name) => {
                let index = model.tags().iter().position(|tag| tag.eq_ignore_ascii_case(name))?;
                tags.get(index).copied()
            }
            Self::Joint(name) => {
                let index = model.joints().iter().position(|joint| joint.name.eq_ignore_ascii_case(name))?;
                joints.get(index).copied()
            }
        }
    }

    /// Returns the name of the tag or joint, or `origin`.
    pub fn name(&self) -> &str {
        match self {
            Self::Tag(name) | Self::Joint(name) => name,
            Self::Origin => "origin",
        }
    }
}

/// A part of an assembly.
#[derive(Clone, Debug)]
pub struct AssemblyPart {
    /// Model with its materials.
    pub asset: ModelAsset,
    /// Role of the part.
    pub role: Role,
    /// Index of an earlier part that is the parent, and the attachment point.
    pub parent: Option<(usize, Anchor)>,
    /// Whether the part shows the parent's frame instead of its own playback.
    pub follows_parent: bool,
    /// Whether the part is hidden at first, like a flash.
    pub hidden: bool,
    /// Skin that this part requires: the index of an earlier part and the name of its skin. The part is shown only
    /// while that skin is set; `None` if it is always shown.
    pub required_skin: Option<(usize, String)>,
    /// Warnings about other parts, which were not opened.
    pub warnings: Vec<Warning>,
}

impl AssemblyPart {
    /// Creates a part without a parent.
    #[must_use]
    pub fn new(asset: ModelAsset, role: Role) -> Self {
        Self {
            asset,
            role,
            parent: None,
            follows_parent: false,
            hidden: false,
            required_skin: None,
            warnings: Vec::new(),
        }
    }

    /// Attaches the part to an earlier one.
    #[must_use]
    pub fn on(mut self, parent: usize, anchor: Anchor) -> Self {
        self.parent = Some((parent, anchor));
        self
    }
}

/// Properties of a character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// Name of the character's folder.
    pub name: String,
    /// Path of the folder, on disk or in an archive.
    pub location: Option<PathBuf>,
    /// Paths of available weapons.
    pub weapons: Vec<PathBuf>,
}

/// Models that are added to the scene together: parents before children, at least one.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// Properties of the character, if the parts form one.
    pub character: Option<Character>,
    /// Parts.
    pub members: Vec<AssemblyPart>,
}

impl From<ModelAsset> for Assembly {
    fn from(asset: ModelAsset) -> Self {
        Self { character: None, members: vec![AssemblyPart::new(asset, Role::Model)] }
    }
}
