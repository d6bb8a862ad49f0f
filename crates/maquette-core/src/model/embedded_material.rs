//! Material that the model's file defines (glTF).

use std::fmt;
use std::sync::Arc;

/// Material that the model's file defines, for surfaces whose material name no game file defines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EmbeddedMaterial {
    /// Base colour image.
    pub image: Option<EmbeddedImage>,
    /// Factor of the base colour: red, green, blue and alpha, linear, 0 to 1.
    pub colour: [f32; 4],
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// Whether both sides of triangles are visible.
    pub double_sided: bool,
    /// Shader or material source text of a game.
    pub script: Option<String>,
}

/// Image of a [`EmbeddedMaterial`].
#[derive(Clone, PartialEq)]
pub enum EmbeddedImage {
    /// Path relative to the model's folder.
    External(String),
    /// Contents of an image file inside the model's file.
    Inside(Arc<[u8]>),
}

impl fmt::Debug for EmbeddedImage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::External(path) => write!(f, "External({path:?})"),
            Self::Inside(bytes) => write!(f, "Inside({} bytes)", bytes.len()),
        }
    }
}

/// Meaning of the alpha channel of a [`EmbeddedMaterial`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum AlphaMode {
    /// Ignored.
    #[default]
    Opaque,
    /// Texels below this value are discarded.
    Mask(f32),
    /// Blended with the background.
    Blend,
}
