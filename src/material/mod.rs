//! Which picture goes on which surface, and how it was found.

mod find;
mod picture;
mod skin_file;

use std::sync::Arc;

pub use find::{Depth, Finder, IMAGE_EXTENSIONS};
pub use picture::{Picture, PictureError};
pub use skin_file::{SkinFile, hides, skin_name};

/// What a surface looks like: what the renderer draws, and how it came about.
#[derive(Clone, Debug)]
pub struct SurfaceLook {
    /// Name that was looked for, as the file has it; empty if the file names nothing.
    pub name: String,
    /// The picture; `None` shows the placeholder for a missing one.
    pub picture: Option<Arc<Picture>>,
    /// Where the picture lies, relative to the game root; empty if there is none.
    pub path: String,
    /// Not drawn: the skin says so.
    pub hidden: bool,
    /// Sampled past its edges: repeated, or the last texel held.
    pub wrap: PictureWrap,
    /// Everything that was tried, in order.
    pub trail: Arc<[Step]>,
}

impl SurfaceLook {
    /// The look of a surface whose picture was not found.
    #[must_use]
    pub fn missing(name: &str) -> Self {
        let (name, path) = (name.to_owned(), String::new());
        Self { name, picture: None, path, hidden: false, wrap: PictureWrap::Repeat, trail: Arc::default() }
    }
}

/// What lies beyond a picture's edges.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureWrap {
    /// The picture again.
    #[default]
    Repeat,
    /// Its last texels.
    Clamp,
}

/// One step of the search for a surface's picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Step {
    /// What was looked for, in words.
    pub what: String,
    /// The paths tried, relative to the game root.
    pub tried: Vec<String>,
    /// The path found, if any.
    pub found: Option<String>,
}
