//! What surfaces look like: pictures, scripts and what they come to, and how each was found.
//!
//! A name in a model or a skin leads to a definition in a script, or to a picture; either becomes a [`Material`], which
//! the renderer draws stage by stage. Everything that was tried stands in the [`SurfaceMaterial`].

#![forbid(unsafe_code)]

mod assign;
mod beside;
mod coordinates;
mod deform;
mod dress;
mod expression;
mod find;
mod image_program;
mod known_game;
mod layers;
mod limits;
mod mip_levels;
mod picture;
mod picture_shelf;
mod places;
mod read_skins;
mod script;
mod skin_file;
mod stage;
mod supply;
mod surface_material;
mod trail;
mod transparency;
mod wave;
mod words;

pub use assign::{FoundSkin, SKIN_STEP};
pub use coordinates::{Coordinates, TexMod, UvTransform, WARPS, warp_count, warps};
pub use deform::{Deform, Onlooker, SPRITE_COORDINATES, SPRITE_TRIANGLES};
pub use dress::Dress;
pub use expression::{Expression, Operator, Table};
pub use find::{Depth, Finder, IMAGE_EXTENSIONS, Search};
pub use image_program::ImageProgram;
pub use known_game::{KnownGame, cube_scripts, known_game};
pub use limits::{Limits, Stop};
pub use mip_levels::{MipLevel, mip_levels};
pub use picture::{Picture, PictureError};
pub use picture_shelf::PictureShelf;
pub use script::{Kind, Scripts, read_script};
pub use skin_file::{SkinFile, hides, skin_name};
pub use stage::{
    AlphaSource, AlphaTest, Blend, ColourSource, CullMode, Factor, Map, Material, NormalSpecular, Stage, sort,
};
pub use supply::PictureSupply;
pub use surface_material::{InGame, Nearest, Origin, PictureWrap, SurfaceMaterial};
pub use trail::{Step, Trail};
pub use transparency::Transparency;
pub use wave::{Form, Wave, noise};
