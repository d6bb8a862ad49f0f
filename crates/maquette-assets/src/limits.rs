//! Limits on files and searches. `SECURITY.md` lists the limits that users may notice; `maquette_core::limits` limits
//! models.

/// Maximum bytes of a file. Larger ones are not read.
pub const MAX_FILE_BYTES: u64 = 1 << 30;
/// Maximum number of names in a path, including the file's own. Deeper files are not searched for.
pub const MAX_PATH_NAMES: usize = 64;
/// Maximum number of entries of an archive. Larger archives are refused.
pub const MAX_ARCHIVE_ENTRIES: u64 = 1 << 20;
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

/// Maximum number of files or folders of one kind that are read for the whole game: script files, definitions of
/// characters, folders with images. Further ones are left out.
pub const MAX_GAME_FILES: usize = 4096;
/// Maximum number of files or folders of one kind that are read for a model: `.skin` files and the models that they
/// add, definitions of GZDoom, scripts and folders of a Cube engine. Further ones are left out.
pub const MAX_MODEL_FILES: usize = 64;
/// Maximum number of names of one kind: models of a folder, definitions in the scripts of a kind, textures of GZDoom,
/// and names compared with the missing names of a model. Further ones are left out. The largest games define tens of
/// thousands.
pub const MAX_LISTED_NAMES: usize = 1 << 18;
/// Maximum bytes of a short text: a definition in a script, a script of a Cube engine, a file of lint rules. Longer
/// ones are not read. The longest definitions in games have a few thousand.
pub const MAX_SHORT_TEXT_BYTES: usize = 128 << 10;
/// Maximum bytes of a word that takes time with the square of its length: a number in a script, of which further bytes
/// are ignored, or a name to compare, which gets no suggestion.
pub const MAX_WORD_BYTES: usize = 64;
/// Maximum length of a text from a file that a message quotes, and of bytes in the structure view. The rest is cut.
pub const MAX_QUOTED_LENGTH: usize = 64;
/// Maximum number of warnings about a definition or the uses of a model, and of locations of a finding. Further ones
/// are dropped.
pub const MAX_DETAILS: usize = 16;

/// Maximum number of different material names searched for in a model. Further names count as missing, with a warning.
pub const MAX_MATERIAL_NAMES: usize = 1024;
/// Maximum bytes of all paths that are tried for a model. Later names count as missing.
pub const MAX_SEARCHED_BYTES: u64 = 256 << 20;
/// Maximum bytes of the tried paths that the search log of a model lists. Further ones are left out.
pub const MAX_LOGGED_BYTES: u64 = 8 << 20;
/// Maximum bytes of the images that the image programs (`addnormals`, …) of a model combine, and number of texels that
/// they process. Further programs are left out.
pub const MAX_PROGRAM_WORK: u64 = 256 << 20;

/// Maximum number of skins of a model without `.skin` files (Quake, Ironwail and vkQuake `MAX_SKINS`), of images of its
/// folder that are tried as skins, and of its uses in the game's own files. Further ones are left out.
pub const MAX_SKINS: usize = 32;
/// Maximum bytes of an MD2's decoded skins. Further skins are not decoded.
pub const MAX_MD2_SKIN_BYTES: usize = 128 << 20;
/// Maximum number of surfaces and accessories of a `.skin` file. Further ones are skipped.
pub const MAX_SKIN_ENTRIES: usize = 4096;
/// Maximum number of surfaces that all `.skin` files of a model assign materials to. Further files are left out.
pub const MAX_SKIN_SURFACES: usize = 32_768;

/// Maximum number of stages of a material. Further ones are left out.
pub const MAX_STAGES: usize = 64;

/// Maximum number of models, animation files, entities and skins that each file of Doom 3 declares; of settings and
/// frames in a `MODELDEF` file of GZDoom, and of models and textures of its uses. Further ones are skipped.
pub const MAX_DECLARATIONS: usize = 16_384;
/// Maximum bytes of all `.def` files of a game. Further ones are not read.
pub const MAX_DEF_BYTES: u64 = 32 << 20;
/// Maximum number of clips, animations and tags that a game's own files add to a model, and of lines about models in a
/// script of a Cube engine. Further ones are skipped.
pub const MAX_SETUP_LINES: usize = 512;
/// Maximum number of tags added beyond those of a `.tag` file to a model with more frames. Beyond the limit, the tags
/// are left out.
pub const MAX_HELD_TAGS: usize = 1 << 20;
