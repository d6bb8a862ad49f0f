//! Appearance of a model according to its game's own files: textures, clips, tags, placement.

use glam::Affine3A;

use crate::companions::Declared;
use crate::limits::MAX_SETUP_LINES;
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::model::Surface;

/// Use of a model in a game.
#[derive(Debug, Default)]
pub(crate) struct ModelSetup {
    /// Display name.
    pub name: String,
    /// Game path of the file or folder that defines the use.
    pub source: String,
    /// Textures; the last entry for a surface applies, separately for images, normal maps and decals.
    pub textures: Vec<SurfaceSetup>,
    /// States of surfaces with textures; the last one of a kind for a surface applies.
    pub states: Vec<(SurfaceChoice, SurfaceState)>,
    /// Clips that are ranges of the model's frames.
    pub clips: Vec<NamedRange>,
    /// Name of the clip whose frames `clips` count from; `None` for all frames of the model.
    pub clips_within: Option<String>,
    /// Whether the clips that have names in the model's own file stay before `clips`.
    pub keeps_named_clips: bool,
    /// Clips in other files.
    pub animations: Vec<Declared>,
    /// Names of joints, and the names of the tags at them.
    pub tags: Vec<(String, String)>,
    /// Transform of the model in the game.
    pub placement: Affine3A,
}

/// Textures of some surfaces. A path is a list of candidates: the first one that exists applies.
#[derive(Debug)]
pub(crate) struct SurfaceSetup {
    pub surfaces: SurfaceChoice,
    pub image: Option<Vec<String>>,
    pub mask: Option<Vec<String>>,
    pub normal_map: Option<Vec<String>>,
    /// Image that is drawn over the texture by its alpha.
    pub decal: Option<Vec<String>>,
}

impl SurfaceSetup {
    /// Creates an entry without textures.
    pub(crate) fn new(surfaces: SurfaceChoice) -> Self {
        Self { surfaces, image: None, mask: None, normal_map: None, decal: None }
    }
}

/// Surfaces that an entry is for.
#[derive(Debug)]
pub(crate) enum SurfaceChoice {
    All,
    Named(String),
    Index(usize),
}

/// Drawing state of a surface.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SurfaceState {
    /// Whether back faces are left out; `true` by default.
    Culls(bool),
    /// Alpha up to which texels are not drawn; 0.9 by default.
    AlphaTest(f32),
    /// Whether texels are blended by alpha; `true` by default.
    Blends(bool),
}

impl SurfaceChoice {
    pub(crate) fn includes(&self, index: usize, surface: &Surface) -> bool {
        match self {
            Self::All => true,
            Self::Named(name) => surface.script_name() == name,
            Self::Index(own) => *own == index,
        }
    }
}

impl ModelSetup {
    /// Returns the clips in other files, without repetitions.
    pub(crate) fn declared(setups: &[Self]) -> Vec<Declared> {
        let mut declared: Vec<Declared> = Vec::new();
        for named in setups.iter().flat_map(|setup| &setup.animations).take(MAX_SETUP_LINES) {
            if !declared.iter().any(|known| known.name == named.name && known.path == named.path) {
                declared.push(named.clone());
            }
        }
        declared
    }
}
