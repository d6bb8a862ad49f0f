//! Limits on files and searches. `SECURITY.md` lists the limits that users may notice; `maquette_core::limits` limits
//! models.

/// Maximum bytes of a file. Larger ones are not read.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
/// Maximum number of names in a path, including the file's own. Deeper files are not searched for.
pub const MAX_PATH_NAMES: usize = 64;
/// Maximum number of entries of an archive. Larger archives are refused.
pub const MAX_ARCHIVE_ENTRIES: u64 = 1 << 20;
/// Maximum packed bytes of all entries per byte of their archive, because entries may overlap. Further entries are
/// skipped.
pub const MAX_SHARED_RATIO: u64 = 4;
/// Maximum unpacked bytes per packed byte of an entry beyond [`MIN_ENTRY_BYTES`]. Larger entries are not read. Models
/// have 3 to 5.
pub const MAX_ENTRY_RATIO: u64 = 16;
/// Bytes that every entry of an archive may unpack to, whatever its packed size.
pub const MIN_ENTRY_BYTES: u64 = 32 << 20;
/// Maximum unpacked bytes per packed byte of all scripts, all skins or all animations of an archive. Bytes beyond count
/// against [`MAX_UNPACKED_BYTES`].
pub const MAX_UNPACKED_RATIO: u64 = 8;
/// Maximum bytes that scripts, skins or animations may have beyond [`MAX_UNPACKED_RATIO`]. Further files are not read.
pub const MAX_UNPACKED_BYTES: u64 = 16 << 20;
/// Maximum number of archives searched around a file. Further ones are left out, with a warning.
pub const MAX_ARCHIVES: usize = 256;
/// Maximum number of models listed in a folder. Further ones are left out.
pub const MAX_LISTED_MODELS: usize = 200_000;
/// Maximum number of folders from which image names are collected. Further folders are left out.
pub const MAX_IMAGE_FOLDERS: usize = 4000;
/// Maximum depth of folders from which image names are collected. Links may form a cycle, so deeper folders are left
/// out.
pub const MAX_FOLDER_DEPTH: usize = 12;

/// Maximum number of different material names searched for in a model. Further names count as missing, with a warning.
pub const MAX_MATERIAL_NAMES: usize = 1024;
/// Maximum bytes of all paths that are tried for a model. Later names count as missing.
pub const MAX_SEARCHED_BYTES: u64 = 256 << 20;
/// Maximum bytes of the tried paths that the search log of a model lists. Further ones are left out.
pub const MAX_LOGGED_BYTES: u64 = 8 << 20;
/// Maximum number of file names compared with the missing names of a model. Later names get no suggestion.
pub const MAX_COMPARED_NAMES: u64 = 1 << 18;
/// Maximum bytes of a name to compare. Longer ones get no suggestion, because time grows with the square of the length.
pub const MAX_COMPARED_BYTES: usize = 64;
/// Maximum bytes of all images that a model's image programs (`addnormals`, …) combine. Further programs are left out.
pub const MAX_PROGRAM_BYTES: u64 = 256 << 20;
/// Maximum number of texels that a model's image programs process. Further programs are left out.
pub const MAX_PROGRAM_TEXELS: u64 = 256 << 20;
/// Maximum nesting depth of image programs and expressions. Deeper ones are refused.
pub const MAX_NESTING: usize = 32;

/// Maximum number of skins of a model without `.skin` files (Quake, Ironwail and vkQuake `MAX_SKINS`), and images of its
/// folder that are tried as skins. Further ones are left out.
pub const MAX_SKINS: usize = 32;
/// Maximum bytes of an MD2's decoded skins. Further skins are not decoded.
pub const MAX_MD2_SKIN_BYTES: usize = 128 << 20;
/// Maximum number of `.skin` files read for a model. Further ones are left out.
pub const MAX_SKIN_FILES: usize = 64;
/// Maximum number of surfaces and accessories of a `.skin` file. Further ones are skipped.
pub const MAX_SKIN_ENTRIES: usize = 4096;
/// Maximum number of surfaces that all `.skin` files of a model assign materials to. Further files are left out.
pub const MAX_SKIN_SURFACES: usize = 32_768;
/// Maximum number of models that skins add to a character. Further ones are left out.
pub const MAX_ACCESSORIES: usize = 64;

/// Maximum number of script files of each kind that are read. Further ones are left out.
pub const MAX_SCRIPT_FILES: usize = 4096;
/// Maximum number of names that the scripts of a kind define. Further ones are skipped with a warning. The largest
/// games have tens of thousands.
pub const MAX_DEFINITIONS: usize = 1 << 18;
/// Maximum bytes of a definition in a script. Longer definitions are not read. The longest in games have a few
/// thousand.
pub const MAX_DEFINITION_BYTES: usize = 128 << 10;
/// Maximum number of warnings about a definition. Further ones are dropped.
pub const MAX_DEFINITION_WARNINGS: usize = 16;
/// Maximum number of stages of a material. Further ones are left out.
pub const MAX_STAGES: usize = 64;
/// Maximum bytes of a number in a script. Further bytes are ignored.
pub const MAX_NUMBER_BYTES: usize = 64;

/// Maximum bytes of a list of clips (`.framegroups`, `.anm`) or of a `MODELDEF` file of GZDoom. The rest is skipped with a
/// warning.
pub const MAX_LIST_BYTES: usize = 1 << 20;
/// Maximum number of characters that a game of Enemy Territory defines. Further definitions are not read.
pub const MAX_CHARACTER_FILES: usize = 1024;
/// Maximum number of animation files of a model. Further files are not read.
pub const MAX_ANIMATIONS: usize = 512;
/// Maximum number of models and animation files that Doom 3's definitions declare; of settings and frames in a `MODELDEF`
/// file of GZDoom, and of models and textures of its uses. Further ones are skipped.
pub const MAX_DECLARATIONS: usize = 16_384;
/// Maximum number of ancestors of a model in Doom 3's definitions. Further ancestors are not followed.
pub const MAX_ANCESTORS: usize = 64;
/// Maximum bytes of all `.def` files of a game. Further ones are not read.
pub const MAX_DEF_BYTES: u64 = 32 << 20;
/// Maximum number of GZDoom model definition files read for a model, including those that other files include. Further
/// files are left out.
pub const MAX_MODEL_DEFINITIONS: usize = 64;
/// Maximum number of images that GZDoom's definitions find by a texture name. Further ones are not found.
pub const MAX_TEXTURE_NAMES: usize = 1 << 16;
/// Maximum number of uses of a model in its game's own files that become skins. Further ones are left out.
pub const MAX_SETUPS: usize = 16;
/// Maximum number of clips, animations and tags that a game's own files add to a model, and of lines about models in a
/// script of a Cube engine. Further ones are skipped.
pub const MAX_SETUP_LINES: usize = 512;
/// Maximum number of tags added beyond those of a `.tag` file to a model with more frames. Beyond the limit, the tags
/// are left out.
pub const MAX_HELD_TAGS: usize = 1 << 20;
/// Maximum bytes of a script of a Cube engine. Longer scripts are not read.
pub const MAX_CUBE_SCRIPT_BYTES: usize = 64 << 10;
/// Maximum number of scripts that a script of a Cube engine reads. Further ones are skipped.
pub const MAX_CUBE_SCRIPTS: usize = 16;
/// Maximum number of folders below a model of a Cube engine that are searched for its scripts and skins. Further ones
/// are left out.
pub const MAX_CUBE_FOLDERS: usize = 64;
/// Maximum bytes of a file of lint rules. Longer ones are refused, because every rule is checked for every surface.
pub const MAX_RULES_BYTES: usize = 64 << 10;
