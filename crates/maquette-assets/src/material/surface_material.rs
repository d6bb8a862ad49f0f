//! Material of one surface, with the search that found it.

use std::path::PathBuf;
use std::sync::Arc;

use serde::Serialize;

use super::Image;
use super::find::missing_message;
use super::search_log::SearchLog;
use super::stage::{AlphaTest, DrawnFaces, Material, Stage};

/// Material of a surface: what is drawn, and how it was found.
#[derive(Clone, Debug)]
pub struct SurfaceMaterial {
    /// Name of the material in the file; empty if the file has none.
    pub name: String,
    /// Image that represents the material. If `None`, and no stage has an image, the placeholder is drawn.
    pub image: Option<Arc<Image>>,
    /// Path of `image`, relative to the game root; empty if there is none.
    pub path: String,
    /// Whether the skin hides the surface.
    pub hidden: bool,
    /// Whether the skin shows the surface even if it is hidden in the model.
    pub shown: bool,
    /// Behaviour beyond the image's edges.
    pub wrap: TextureWrap,
    /// Definition that is drawn.
    pub definition: Arc<Material>,
    /// Path of the script that defines the material, and the line.
    pub script: Option<(String, u32)>,
    /// Text of the definition, with both brackets.
    pub script_text: Option<Arc<str>>,
    /// Name of the first missing image of the definition.
    pub missing_image: Option<String>,
    /// File of the missing image, if it exists but cannot be decoded.
    pub unreadable: Option<Box<UnreadableImage>>,
    /// Whether the script names an image, but none of its stages is drawn. `image` is the first one that exists.
    pub lacks_stages: bool,
    /// Description of a definition of this name in an overridden script of the model's own archive.
    pub overridden_script: Option<String>,
    /// Whether an image was found where the game does not look: by its file name in the model's folder, or because no
    /// named image exists. It may be wrong.
    pub is_guess: bool,
    /// Part of the material that the game draws.
    pub in_game: InGame,
    /// Order of first occurrence in the model and its skin. The game uses it for equal sort numbers.
    pub sort_tiebreak: u32,
    /// Image with a similar name, if the image is missing.
    pub suggestion: Option<Box<Suggestion>>,
    /// Steps of the search.
    pub search_log: SearchLog,
}

/// An image file that exists but cannot be decoded.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct UnreadableImage {
    /// Path relative to the game root.
    pub path: String,
    /// Reason, in a clause.
    pub reason: String,
}

/// A suggested image.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suggestion {
    /// Path relative to the game root.
    pub path: String,
    /// Path on disk, possibly through an archive.
    pub location: Option<PathBuf>,
}

/// Source of a material's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// The model.
    Model,
    /// A skin.
    Skin,
}

/// Part of a material that the game draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InGame {
    /// The whole material.
    Whole,
    /// Only this many of the first stages. With 0, the surface is invisible.
    Stages(usize),
    /// The game's default texture.
    DefaultTexture,
    /// The whole material, with the game's default texture in place of missing maps (Doom 3).
    DefaultMaps,
}

impl SurfaceMaterial {
    /// Creates the material of a surface whose image was not found.
    #[must_use]
    pub fn missing(name: &str, origin: Origin) -> Self {
        Self {
            name: name.to_owned(),
            image: None,
            path: String::new(),
            hidden: false,
            shown: false,
            wrap: TextureWrap::Repeat,
            definition: Arc::default(),
            script: None,
            script_text: None,
            missing_image: None,
            unreadable: None,
            lacks_stages: false,
            overridden_script: None,
            is_guess: false,
            in_game: match origin {
                Origin::Model => InGame::DefaultTexture,
                Origin::Skin => InGame::Stages(0),
            },
            sort_tiebreak: 0,
            suggestion: None,
            search_log: SearchLog::default(),
        }
    }

    /// Creates the material of a surface with an image and without a script.
    #[must_use]
    pub fn of_image(name: &str, path: &str, image: Arc<Image>, wrap: TextureWrap) -> Self {
        Self {
            definition: Arc::new(Material::plain(Some(Arc::clone(&image)), path, wrap)),
            image: Some(image),
            path: path.to_owned(),
            wrap,
            in_game: InGame::Whole,
            ..Self::missing(name, Origin::Model)
        }
    }

    /// Returns a copy with another image and without a script.
    #[must_use]
    pub fn with_image(&self, path: &str, image: Arc<Image>) -> Self {
        Self {
            search_log: self.search_log.clone(),
            sort_tiebreak: self.sort_tiebreak,
            ..Self::of_image(&self.name, path, image, self.wrap)
        }
    }

    /// Adapts [`Self::in_game`] for a name in a skin: the game draws the stages before a missing image or an unknown
    /// directive.
    #[must_use]
    pub fn named_in(mut self, origin: Origin) -> Self {
        if origin == Origin::Skin && self.in_game == InGame::DefaultTexture {
            let lacks = |stage: &Stage| stage.maps.iter().any(|map| map.image.is_none());
            let known = self.definition.rejected_for.as_ref().map(|(_, stages)| *stages);
            let complete = self.definition.stages.iter().position(lacks).or(known).unwrap_or(0);
            // Stages that show nothing may have been removed after the directive.
            self.in_game = InGame::Stages(complete.min(known.unwrap_or(complete)).min(self.definition.stages.len()));
        }
        self
    }

    /// Returns whether both materials have the same name and were found by the same search.
    pub fn looks_like(&self, other: &Self) -> bool {
        self.name == other.name
            && self.path == other.path
            && (self.hidden, self.shown, self.is_guess, self.wrap, self.in_game)
                == (other.hidden, other.shown, other.is_guess, other.wrap, other.in_game)
            && self.search_log.is_shared_with(&other.search_log)
    }

    /// Iterates over all images of the material.
    pub fn images(&self) -> impl Iterator<Item = &Arc<Image>> {
        let stages = self.definition.stages.iter();
        let maps = stages.clone().flat_map(|stage| &stage.maps).filter_map(|map| map.image.as_ref());
        let relief = stages.filter_map(|stage| stage.relief.as_ref());
        self.image.iter().chain(maps).chain(relief.flat_map(|relief| relief.images()))
    }

    /// Iterates over the images of all stages with their game paths, which are empty for generated images.
    pub fn stage_images(&self) -> impl Iterator<Item = (&str, &Arc<Image>)> {
        let stages = self.definition.stages.iter();
        let relief = stages.clone().filter_map(|stage| stage.relief.as_ref());
        let relief = relief.flat_map(|relief| relief.bump.iter().chain(&relief.specular));
        stages
            .flat_map(|stage| &stage.maps)
            .chain(relief)
            .filter_map(|map| Some((map.path.as_str(), map.image.as_ref()?)))
    }

    /// Returns whether the viewer shows the material as a single lit image, or as the placeholder.
    pub fn is_plain(&self) -> bool {
        let stages = &self.definition.stages;
        let shows = self.definition.shows_base();
        let is_usual = |stage: &Stage| {
            stage.relief.is_none()
                && stage.maps.len() <= 1
                && !stage.by_frame
                && !matches!(stage.alpha_test, AlphaTest::Above(_))
        };
        let is_one = stages.len() <= 1 && stages.iter().all(is_usual) && self.definition.sides == DrawnFaces::Front;
        !shows || self.script.is_none() && is_one
    }

    /// Returns whether the game draws nothing because the script has no stages. The viewer still draws the surface.
    pub fn is_undrawn(&self) -> bool {
        !self.hidden
            && self.script.is_some()
            && self.definition.stages.is_empty()
            && self.image.is_none()
            && self.missing_image.is_none()
    }

    /// Returns whether only the placeholder can be drawn.
    pub fn is_missing(&self) -> bool {
        !self.is_undrawn() && self.image.is_none() && !self.definition.shows_base()
    }

    /// Returns whether an image of the material is still being decoded.
    pub fn is_pending(&self) -> bool {
        self.images().any(|image| image.is_pending())
    }

    /// Returns whether an image of the material is missing, or the script draws none.
    pub fn has_problem(&self) -> bool {
        let is_absent = match self.script {
            Some(_) => self.missing_image.is_some() || self.lacks_stages,
            None => self.image.is_none(),
        };
        is_absent && !self.hidden
    }

    /// Describes the missing or unreadable image in a sentence; `None` if nothing is missing.
    pub fn problem(&self) -> Option<String> {
        if !self.has_problem() {
            return None;
        }
        if let Some((file, line)) = &self.script {
            return Some(match (self.unreadable.as_deref(), &self.missing_image) {
                (Some(UnreadableImage { path, reason }), _) => format!("{file} line {line}: {path}: {reason}"),
                (None, Some(absent)) => format!("{file} line {line}: no image for “{absent}”"),
                (None, None) if self.path.is_empty() => {
                    format!("{file} line {line}: no stage of the shader names an image")
                }
                (None, None) => {
                    format!("{file} line {line}: no stage of the shader is drawn; it names the image {}", self.path)
                }
            });
        }
        if let Some(UnreadableImage { path, reason }) = self.unreadable.as_deref() {
            return Some(format!("{path}: {reason}"));
        }
        self.image.is_none().then(|| missing_message(&self.name, self.search_log.iter()))
    }

    /// Returns the number of stages that the game draws.
    pub fn stages_in_game(&self) -> usize {
        match self.in_game {
            InGame::Whole | InGame::DefaultMaps => self.definition.stages.len(),
            InGame::Stages(count) => count,
            InGame::DefaultTexture => 0,
        }
    }
}

/// Behaviour of a texture beyond its edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextureWrap {
    /// The texture repeats.
    #[default]
    Repeat,
    /// The texels at the edges continue.
    Clamp,
    /// Black, from the texels at the edges on (Doom 3's `zeroClamp`).
    Black,
    /// Transparent, from the texels at the edges on (Doom 3's `alphaZeroClamp`).
    Transparent,
}
