//! Stored data of single formats that writers, rules and conversions use.

use std::sync::Arc;

use glam::Vec3;

use crate::error::Warning;

use super::{AlphaMode, EmbeddedMaterial, EmbeddedSkin, Format, Model};

/// Stored data of a model that is neither geometry nor animation. Fields that a format lacks have their defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FormatData {
    /// Whether names beyond ASCII are stored in Latin-1, as in old files, and not in UTF-8.
    pub has_latin1: bool,
    /// Flags of the header (MDL, MD3, MDC, IQM).
    pub flags: i32,
    /// Format that the flags come from; `None` if it is the model's own, or unknown (glTF).
    pub flags_format: Option<Format>,
    /// Skin size in texels (MDL, MD2).
    pub skin_size: Option<[i32; 2]>,
    /// Skins whose images are inside the file.
    pub embedded_skins: Vec<EmbeddedSkin>,
    /// Version with joints, and with the shapes at rest, of a model whose moving shapes are stored as vertices (glTF).
    pub with_joints: Option<Arc<WithJoints>>,
    /// Names of the variants of the materials (glTF).
    pub variants: Vec<String>,
    /// Rules for drawing a sprite (SPR, SP2); `None` for other models.
    pub sprite: Option<Sprite>,
    /// Number of skins in the header, which games ignore (MD3, MDC).
    pub skin_count: i32,
    /// GL commands. The MD2 writer makes them from the triangles if they are `None`.
    pub gl_commands: Option<Arc<[i32]>>,
    /// Radius in the header (MDL).
    pub radius: f32,
    /// Position of the eyes (MDL).
    pub eye_position: Vec3,
    /// Whether frames of all copies are synchronous (MDL, SPR).
    pub sync_type: i32,
    /// Mean area of the triangles (MDL).
    pub mean_area: f32,
    /// Three numbers for each stored vertex: whether it is on the seam, and the texel (MDL).
    pub seams: Option<Arc<[i32]>>,
    /// Whether each triangle is on the front of the skin (MDL).
    pub faces_front: Arc<[i32]>,
    /// Command line of the exporter. `None` if the file has no such line (MD5).
    pub command_line: Option<String>,
    /// Text of the author; empty if the file has none (IQM).
    pub comment: String,
    /// Path of the skeleton in the game, without extension, and its number of bones (GLM). `None` if the game's skeleton
    /// for static models is used. The path is empty if the skeleton has no file yet.
    pub skeleton: Option<(String, u32)>,
    /// Scale and bias of the number of drawn vertices (MDS, MDM).
    pub lod: Option<[f32; 2]>,
    /// Hierarchy of surfaces and tags (GLM).
    pub hierarchy: Vec<SurfaceNode>,
    /// Formats of the arrays of vertex attributes (IQM).
    pub arrays: Vec<VertexArray>,
}

/// Entry of a hierarchy of surfaces and tags, which have its name.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceNode {
    /// Name without the suffix `_off`.
    pub name: String,
    /// Shader. That of a surface is its material instead.
    pub shader: String,
    /// Flags.
    pub flags: u32,
    /// Index of the parent. `None` for a root.
    pub parent: Option<u32>,
    /// Whether no LOD has vertices for the entry.
    pub is_empty: bool,
}

/// Version of a model for formats with joints.
#[derive(Clone, Debug, PartialEq)]
pub struct WithJoints {
    /// The model with joints.
    pub model: Model,
    /// Warnings that concern this version only.
    pub warnings: Vec<Warning>,
}

/// Rules by which games draw the images of a sprite.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sprite {
    /// Whether the image turns to the viewer.
    pub faces_viewer: bool,
    /// Whether the top of an image that turns stays up.
    pub is_upright: bool,
    /// Meaning of alpha.
    pub alpha: AlphaMode,
    /// Whether colours are added to the background.
    pub is_added: bool,
}

/// Format of an array with an attribute of each vertex.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VertexArray {
    /// Name of the attribute in the format's specification.
    pub attribute: &'static str,
    /// Type of the numbers, such as `u8`.
    pub number: &'static str,
    /// Count of the numbers of a vertex.
    pub size: usize,
}

/// Material of a surface in a variant: index of the variant, name, definition.
pub type SurfaceVariant = (u32, String, Arc<EmbeddedMaterial>);

/// Stored data of a surface that is not part of its mesh. Fields that a format lacks have their defaults.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SurfaceData {
    /// Flags of the header (MD3, MDC).
    pub flags: i32,
    /// Number that the running game sets (MDR).
    pub shader_index: i32,
    /// Bones that the surface uses (MDR, MDS, MDM, GLM). The writers add those that are missing.
    pub bone_references: Option<Arc<[i32]>>,
    /// Smallest number of vertices that are drawn (MDS, MDM).
    pub min_lod: i32,
    /// Vertex that replaces each one that is not drawn (MDS, MDM). The writers make them from the triangles if they are
    /// `None`.
    pub collapse_map: Option<Arc<[i32]>>,
    /// Number of weights in the file, which vertices may share (MD5).
    pub stored_weights: usize,
    /// Name that exporters write into a comment, `// meshes: NAME` (MD5).
    pub exported_name: String,
    /// Colour of each vertex, packed as red in the lowest byte, then green, blue and alpha (IQM, ASE, LWO, OBJ, glTF).
    pub colours: Option<Arc<[i32]>>,
    /// Material that the model's file, or one next to it, defines (glTF, OBJ).
    pub embedded_material: Option<Arc<EmbeddedMaterial>>,
    /// Materials in the variants of the model that change the surface (glTF).
    pub variants: Arc<[SurfaceVariant]>,
    /// Name of the material that a skin gave to an exported surface (glTF).
    pub skin_material: String,
    /// Name of the nearest node above that is a tag or one of [`PLAYER_PARTS`](super::PLAYER_PARTS) (glTF).
    pub parent: String,
}
