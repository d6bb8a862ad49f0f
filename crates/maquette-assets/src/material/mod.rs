//! Materials: images, scripts, skins, and the search for them.
//!
//! A name in a model or a skin leads to a script's definition or an image; both become a [`Material`], which is drawn.

mod assign;
mod coordinates;
mod deform;
mod describe;
mod expression;
mod find;
mod image;
mod limits;
mod script;
mod search_log;
mod stage;
mod surface_material;
mod transparency;
mod wave;

pub use crate::engines::IMAGE_EXTENSIONS;
pub use assign::{
    LoadedSkin, Matching, MaterialResolver, SKIN_STEP, ScriptAlpha, SkinFile, SurfaceRename, SurfaceTextures,
    converted_skins, hides, quake_pixels, rename_surfaces, set_paths, skin_name,
};
pub use coordinates::{Coordinates, TexMod, UvTransform, WARPS, warp_count, warps};
pub use deform::{Deform, SPRITE_COORDINATES, SPRITE_TRIANGLES, Viewpoint};
pub use expression::{Expression, LookupTable, Operator};
pub(crate) use find::IMAGE_IN_MODEL_FOLDER;
pub use find::{ImageLoading, MAX_PLAYER_COLOUR, ResolveContext};
pub(crate) use image::display_colour;
pub use image::{DecodeError, Image, ImageCache, ImageProgram, ImageQueue, MipLevel, Texels, mip_levels};
pub(crate) use image::{decode_pixels, palette_near};
pub use limits::{CancelToken, Limits};
pub(crate) use script::{DirectiveArgs, quake3};
pub use script::{Kind, Objection, ScriptPart, ScriptRules, Scripts, read_script};
pub use search_log::{SearchLog, SearchStep};
pub use stage::{
    AlphaSource, AlphaTest, Blend, ColourSource, DrawnFaces, Factor, Map, Material, NormalSpecular, Stage, sort,
};
pub use surface_material::{InGame, Origin, Suggestion, SurfaceMaterial, TextureWrap, UnreadableImage};
pub use transparency::Transparency;
pub use wave::{Wave, Waveform, noise};
