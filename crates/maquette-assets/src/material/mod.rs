//! Materials: images, scripts, skins, and the search for them.
//!
//! A name in a model or a skin leads to a script's definition or an image; both become a [`Material`], which is drawn.

#![forbid(unsafe_code)]

mod assign;
mod candidate_paths;
mod companion_maps;
mod coordinates;
mod deform;
mod describe;
mod embedded_material;
mod embedded_skin;
mod expression;
mod image;
mod image_cache;
mod image_program;
mod image_queue;
mod limits;
mod lmp_image;
mod mip_levels;
mod model_folder;
mod name_patterns;
mod quake_palette;
mod resolver;
mod script;
mod script_textures;
mod search_log;
mod skin_cache;
mod skin_file;
mod stage;
mod surface_material;
mod transparency;
mod wave;

pub use assign::{LoadedSkin, SKIN_STEP};
pub(crate) use candidate_paths::IMAGE_IN_MODEL_FOLDER;
pub use coordinates::{Coordinates, TexMod, UvTransform, WARPS, warp_count, warps};
pub use deform::{Deform, SPRITE_COORDINATES, SPRITE_TRIANGLES, Viewpoint};
pub(crate) use embedded_material::display_colour;
pub use expression::{Expression, LookupTable, Operator};
pub use image::{DecodeError, Image, Texels};
pub use image_cache::ImageCache;
pub use image_program::ImageProgram;
pub use image_queue::ImageQueue;
pub use limits::{CancelToken, Limits};
pub use mip_levels::{MipLevel, mip_levels};
pub use resolver::{IMAGE_EXTENSIONS, ImageLoading, MaterialResolver, ResolveContext};
pub use script::{Kind, Scripts, read_script};
pub use script_textures::{ScriptAlpha, SurfaceTextures};
pub use search_log::{SearchLog, SearchStep};
pub use skin_file::{SkinFile, SurfaceRename, hides, rename_surfaces, skin_name};
pub use stage::{
    AlphaSource, AlphaTest, Blend, ColourSource, DrawnFaces, Factor, Map, Material, NormalSpecular, Stage, sort,
};
pub use surface_material::{InGame, Origin, Suggestion, SurfaceMaterial, TextureWrap};
pub use transparency::Transparency;
pub use wave::{Wave, Waveform, noise};
