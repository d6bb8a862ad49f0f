//! Limits on files and searches. `SECURITY.md` lists the limits that users can meet; `maquette_core::limits` limits
//! models.

/// Bytes of a file. Larger ones are not read.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
/// Names in a path, the file's own among them. Deeper files are not looked for.
pub const MAX_PATH_NAMES: usize = 64;
/// Entries of an archive. Archives of more are refused.
pub const MAX_ARCHIVE_ENTRIES: u64 = 1 << 20;
/// Packed bytes of all entries per byte of their archive, because entries may overlap. Further entries are skipped.
pub const MAX_SHARED_RATIO: u64 = 4;
/// Unpacked bytes per packed byte of an entry beyond [`MIN_ENTRY_BYTES`]. Larger entries are not read. Models have 3 to
/// 5.
pub const MAX_ENTRY_RATIO: u64 = 16;
/// Bytes that every entry of an archive may unpack to, whatever its packed size.
pub const MIN_ENTRY_BYTES: u64 = 32 << 20;
/// Unpacked bytes per packed byte of all scripts, all skins or all animations of an archive. Bytes beyond count against
/// [`MAX_UNPACKED_BYTES`].
pub const MAX_UNPACKED_RATIO: u64 = 8;
/// Bytes that scripts, skins or animations may have beyond [`MAX_UNPACKED_RATIO`]. Further files are not read.
pub const MAX_UNPACKED_BYTES: u64 = 16 << 20;
/// Archives searched around a file. Further ones are left out, with a warning.
pub const MAX_ARCHIVES: usize = 256;
/// Models listed in a folder. Further ones are left out.
pub const MAX_LISTED_MODELS: usize = 200_000;
/// Folders that names of images are collected from. Further ones are left out.
pub const MAX_IMAGE_FOLDERS: usize = 4000;
/// Depth of folders that names of images are collected from. Links may form a cycle, so deeper ones are left out.
pub const MAX_FOLDER_DEPTH: usize = 12;

/// Different names of materials that are looked for in a model. Further ones count as missing, with a warning.
pub const MAX_MATERIAL_NAMES: usize = 1024;
/// Bytes of all paths that are tried for a model. Later names count as missing.
pub const MAX_SEARCHED_BYTES: u64 = 256 << 20;
/// Bytes of the tried paths that the search log of a model lists. Further ones are left out.
pub const MAX_LOGGED_BYTES: u64 = 8 << 20;
/// Names of files that are compared with the missing names of a model. Later names get no suggestion.
pub const MAX_COMPARED_NAMES: u64 = 1 << 18;
/// Bytes of a name to compare. Longer ones get no suggestion, because time grows with the square of the length.
pub const MAX_COMPARED_BYTES: usize = 64;
/// Bytes of all images that a model's image programs (`addnormals`, …) combine. Further programs are left out.
pub const MAX_PROGRAM_BYTES: u64 = 256 << 20;
/// Texels that a model's image programs process. Further programs are left out.
pub const MAX_PROGRAM_TEXELS: u64 = 256 << 20;
/// Nesting depth of image programs and expressions. Deeper ones are refused.
pub const MAX_NESTING: usize = 32;

/// Skins of an MD2, and images of its folder that are tried as skins. Further ones are left out.
pub const MAX_MD2_SKINS: usize = 32;
/// Bytes of an MD2's decoded skins. Further skins are not decoded.
pub const MAX_MD2_SKIN_BYTES: usize = 128 << 20;
/// `.skin` files read for a model. Further ones are left out.
pub const MAX_SKIN_FILES: usize = 64;
/// Surfaces and accessories of a `.skin` file. Further ones are skipped.
pub const MAX_SKIN_ENTRIES: usize = 4096;
/// Surfaces that all `.skin` files of a model assign materials to. Further files are left out.
pub const MAX_SKIN_SURFACES: usize = 32_768;
/// Models that skins add to a character. Further ones are left out.
pub const MAX_ACCESSORIES: usize = 64;

/// Script files of each kind that are read. Further ones are left out.
pub const MAX_SCRIPT_FILES: usize = 4096;
/// Names that the scripts of a kind define. Further ones are skipped with a warning. The largest games have tens of
/// thousands.
pub const MAX_DEFINITIONS: usize = 1 << 18;
/// Bytes of a definition in a script. Longer ones are not read. The longest of the games have a few thousand.
pub const MAX_DEFINITION_BYTES: usize = 128 << 10;
/// Warnings about a definition. Further ones are dropped.
pub const MAX_DEFINITION_WARNINGS: usize = 16;
/// Stages of a material. Further ones are left out.
pub const MAX_STAGES: usize = 64;
/// Bytes of a number in a script. Further bytes are ignored.
pub const MAX_NUMBER_BYTES: usize = 64;

/// Animations of an MD5. Further files are not read.
pub const MAX_ANIMATIONS: usize = 512;
/// Bytes of all `.def` files of a game. Further ones are not read.
pub const MAX_DEF_BYTES: u64 = 32 << 20;
/// Files of model definitions of GZDoom that are read for a model, included ones among them. Further ones are left out.
pub const MAX_MODEL_DEFINITIONS: usize = 64;
/// Uses of a model in its game's own files that become skins. Further ones are left out.
pub const MAX_SETUPS: usize = 16;
/// Folders below a model of a Cube engine that are searched for its scripts and skins. Further ones are left out.
pub const MAX_CUBE_FOLDERS: usize = 64;
/// Bytes of a file of lint rules. Longer ones are refused, because every rule is checked for every surface.
pub const MAX_RULES_BYTES: usize = 64 << 10;
