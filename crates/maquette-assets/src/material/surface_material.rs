//! What one surface looks like, and how that came about.

use std::path::PathBuf;
use std::sync::Arc;

use super::Image;
use super::resolver::missing_message;
use super::search_log::SearchLog;
use super::stage::{Map, Material, Stage};

/// What a surface looks like: what the renderer draws, and how it came about.
#[derive(Clone, Debug)]
pub struct SurfaceMaterial {
    /// Name that was looked for, as the file has it; empty if the file names nothing.
    pub name: String,
    /// The one picture that stands for it; `None` shows the placeholder for a missing one, if no stage has a picture.
    pub image: Option<Arc<Image>>,
    /// Where the picture lies, relative to the game root; empty if there is none.
    pub path: String,
    /// Not drawn: the skin says so.
    pub hidden: bool,
    /// Sampled past its edges: repeated, or the last texel held.
    pub wrap: TextureWrap,
    /// What it is drawn with.
    pub definition: Arc<Material>,
    /// The script that defines it: its path, and the line.
    pub script: Option<(String, u32)>,
    /// What that script says of it, brackets included.
    pub script_text: Option<Arc<str>>,
    /// The first picture that its script asks for and that is not there.
    pub missing_image: Option<String>,
    /// A definition of its name in the model's own archive, in a script that the game takes from elsewhere: where, and
    /// from where the game takes it.
    pub replaced_script: Option<String>,
    /// Its picture was taken because none that is named was there: perhaps another was meant.
    pub is_guess: bool,
    /// What the game would draw.
    pub in_game: InGame,
    /// When its material was first named, of all of the model and its skin: of equal sort numbers the game draws the
    /// first named first.
    pub sort_tiebreak: u32,
    /// A picture that is called much like one that was not found.
    pub nearest: Option<Nearest>,
    /// Everything that was tried, in order.
    pub trail: SearchLog,
}

/// A picture that may be meant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Nearest {
    /// Relative to the game root.
    pub path: String,
    /// A path that leads to it from outside.
    pub place: Option<PathBuf>,
}

/// Where a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Origin {
    /// In the model.
    Model,
    /// In a skin.
    Skin,
}

/// What the game draws of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InGame {
    /// All of it.
    Whole,
    /// So many of its stages; none hides the surface.
    Stages(usize),
    /// Its own picture for what it does not find.
    DefaultPicture,
}

impl SurfaceMaterial {
    /// The material of a surface whose picture was not found.
    #[must_use]
    pub fn missing(name: &str, origin: Origin) -> Self {
        Self {
            name: name.to_owned(),
            image: None,
            path: String::new(),
            hidden: false,
            wrap: TextureWrap::Repeat,
            definition: Arc::default(),
            script: None,
            script_text: None,
            missing_image: None,
            replaced_script: None,
            is_guess: false,
            in_game: match origin {
                Origin::Model => InGame::DefaultPicture,
                Origin::Skin => InGame::Stages(0),
            },
            sort_tiebreak: 0,
            nearest: None,
            trail: SearchLog::default(),
        }
    }

    /// The material of a surface with a picture and no script.
    #[must_use]
    pub fn of_image(name: &str, path: &str, picture: Arc<Image>, wrap: TextureWrap) -> Self {
        Self {
            definition: Arc::new(Material::plain(Some(Arc::clone(&picture)), path, wrap)),
            image: Some(picture),
            path: path.to_owned(),
            wrap,
            in_game: InGame::Whole,
            ..Self::missing(name, Origin::Model)
        }
    }

    /// The same with another picture in place of its own, without a script.
    #[must_use]
    pub fn with_image(&self, path: &str, picture: Arc<Image>) -> Self {
        Self {
            trail: self.trail.clone(),
            sort_tiebreak: self.sort_tiebreak,
            ..Self::of_image(&self.name, path, picture, self.wrap)
        }
    }

    /// The material as it is where its name stands: a skin's entry that leads nowhere, or to a definition that lacks a picture,
    /// keeps in the game what was read before; a name in the model becomes the default picture.
    #[must_use]
    pub fn named_in(mut self, origin: Origin) -> Self {
        if origin == Origin::Skin && self.in_game == InGame::DefaultPicture {
            let lacks = |stage: &Stage| stage.maps.iter().any(|map| map.image.is_none());
            self.in_game = InGame::Stages(self.definition.stages.iter().position(lacks).unwrap_or(0));
        }
        self
    }

    /// Whether another surface's material is this one: of the same name, found by the same search.
    #[must_use]
    pub fn looks_like(&self, other: &Self) -> bool {
        self.name == other.name
            && self.path == other.path
            && (self.hidden, self.is_guess, self.wrap, self.in_game)
                == (other.hidden, other.is_guess, other.wrap, other.in_game)
            && self.trail.is_shared_with(&other.trail)
    }

    /// Every picture that it is drawn with.
    pub fn images(&self) -> impl Iterator<Item = &Arc<Image>> {
        let stages = self.definition.stages.iter();
        let maps = stages.clone().flat_map(|stage| &stage.maps).filter_map(|map| map.image.as_ref());
        let relief = stages.filter_map(|stage| stage.relief.as_ref());
        self.image.iter().chain(maps).chain(relief.flat_map(|relief| relief.images()))
    }

    /// The pictures of its stages, normal and specular maps among them, with where they lie in the game; empty for a
    /// picture that is made of others.
    pub fn stage_images(&self) -> impl Iterator<Item = (&str, &Arc<Image>)> {
        let stages = self.definition.stages.iter();
        let relief = stages.clone().filter_map(|stage| stage.relief.as_ref());
        let relief = relief.flat_map(|relief| relief.bump.iter().chain(&relief.specular));
        stages
            .flat_map(|stage| &stage.maps)
            .chain(relief)
            .filter_map(|map| Some((map.path.as_str(), map.image.as_ref()?)))
    }

    /// Whether one plain picture under light is all there is to see of it in the studio.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        let stages = &self.definition.stages;
        let shows = stages.iter().any(|stage| stage.maps.iter().any(|map| map.image.is_some()));
        let is_one = stages.len() <= 1 && stages.iter().all(|stage| stage.relief.is_none());
        !shows || self.script.is_none() && is_one
    }

    /// Whether the game is meant to draw nothing of it: its script has no stages. It is not `hidden`, so that one can look
    /// at its form.
    #[must_use]
    pub fn is_undrawn(&self) -> bool {
        !self.hidden && self.script.is_some() && self.definition.stages.is_empty() && self.image.is_none()
    }

    /// Whether there is nothing to be drawn but the placeholder.
    #[must_use]
    pub fn is_missing(&self) -> bool {
        let shows = |map: &Map| map.image.is_some();
        !self.is_undrawn()
            && self.image.is_none()
            && !self.definition.stages.iter().any(|stage| stage.maps.iter().any(shows))
    }

    /// Whether a picture that it is drawn with is still being decoded.
    #[must_use]
    pub fn is_pending(&self) -> bool {
        self.images().any(|picture| picture.is_pending())
    }

    /// Whether an image of it was not found.
    #[must_use]
    pub fn has_trouble(&self) -> bool {
        let is_absent = if self.script.is_some() { self.missing_image.is_some() } else { self.image.is_none() };
        is_absent && !self.hidden
    }

    /// What of it was not found, in a sentence; none if nothing is missing.
    #[must_use]
    pub fn trouble(&self) -> Option<String> {
        if !self.has_trouble() {
            return None;
        }
        if let Some((file, line)) = &self.script {
            let absent = self.missing_image.as_ref()?;
            return Some(format!("{file} line {line} asks for “{absent}”, which does not exist"));
        }
        self.image.is_none().then(|| missing_message(&self.name, self.trail.iter()))
    }

    /// How many of the material's stages are drawn as in the game, or, in the studio, all.
    #[must_use]
    pub fn stages_in_game(&self) -> usize {
        match self.in_game {
            InGame::Whole => self.definition.stages.len(),
            InGame::Stages(count) => count,
            InGame::DefaultPicture => 0,
        }
    }
}

/// What lies beyond a picture's edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TextureWrap {
    /// The picture again.
    #[default]
    Repeat,
    /// Its last texels.
    Clamp,
}
