//! The parts that are opened together, and what is attached to what.

use std::path::PathBuf;

use glam::Affine3A;

use super::ModelAsset;
use maquette_core::model::Model;

/// What a part is in its figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// A model by itself.
    Model,
    /// `lower`: stands on the ground and carries all the others.
    Legs,
    /// `upper`, on the legs' `tag_torso`.
    Torso,
    /// `head`, on the torso's `tag_head`.
    Head,
    /// The one model of a Quake II player.
    Body,
    /// In the hand: on `tag_weapon`, or where the body stands.
    Weapon,
    /// The weapon's turning barrel.
    Barrel,
    /// The flash at the weapon's muzzle.
    Flash,
    /// What a skin adds: a hat, a belt.
    Accessory,
    /// Hung on by the user.
    Attached,
}

impl Role {
    /// Word for scripts: what the games' own files are called.
    #[must_use]
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

    /// Word for people.
    #[must_use]
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

/// Where on its parent a part is attached.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Anchor {
    /// On the first tag of this name.
    Tag(String),
    /// On the first joint of this name.
    Joint(String),
    /// Where the parent itself stands (Quake II weapons).
    Origin,
}

impl Anchor {
    /// Its place in the space of `model`, whose tags and joints are posed as given; none if it has none of that name.
    #[must_use]
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

    /// Name of the tag or joint.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Tag(name) | Self::Joint(name) => name,
            Self::Origin => "origin",
        }
    }
}

/// One part of an opening.
#[derive(Clone, Debug)]
pub struct AssemblyPart {
    /// The model with what belongs to it.
    pub asset: ModelAsset,
    /// What it is.
    pub role: Role,
    /// Which earlier member carries it, and where.
    pub parent: Option<(usize, Anchor)>,
    /// Shows the parent's frame instead of having a clock of its own.
    pub follows_parent: bool,
    /// Not drawn at first: a flash is seen for a moment only.
    pub hidden: bool,
    /// Only worn while an earlier member wears the skin of this name.
    pub worn_with: Option<(usize, String)>,
}

impl AssemblyPart {
    /// A member that stands by itself.
    #[must_use]
    pub fn new(asset: ModelAsset, role: Role) -> Self {
        Self { asset, role, parent: None, follows_parent: false, hidden: false, worn_with: None }
    }

    /// The same, carried by an earlier member.
    #[must_use]
    pub fn on(mut self, parent: usize, anchor: Anchor) -> Self {
        self.parent = Some((parent, anchor));
        self
    }
}

/// What a whole figure is besides its parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Character {
    /// Name of its folder.
    pub name: String,
    /// That folder, on disk or in an archive.
    pub place: Option<PathBuf>,
    /// Weapons it may carry.
    pub weapons: Vec<PathBuf>,
}

/// Everything that is put in the scene at once. Carriers come before what they carry; never empty.
#[derive(Clone, Debug)]
pub struct Assembly {
    /// What the parts make up together, if they are a figure.
    pub figure: Option<Character>,
    /// The parts.
    pub members: Vec<AssemblyPart>,
}

impl From<ModelAsset> for Assembly {
    fn from(asset: ModelAsset) -> Self {
        Self { figure: None, members: vec![AssemblyPart::new(asset, Role::Model)] }
    }
}
