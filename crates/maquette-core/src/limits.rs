//! Limits on files, and on the work and memory that a file may cause. `SECURITY.md` lists the limits that users may
//! notice.

/// Maximum bytes that all tables of a file, or all entries of an archive, may claim, as a multiple of the file's length.
/// Files beyond the limit, whose tables overlap, are refused; further entries of an archive are skipped.
pub const MAX_CLAIMED_PER_BYTE: u64 = 4;
/// Bytes that the tables of even the smallest file may claim.
pub const MIN_CLAIMED_BYTES: u64 = 64 << 10;
/// Minimum bytes of a file for each frame that it claims. With fewer bytes, a frame table outside the file is an error,
/// not a warning.
pub const MIN_FRAME_BYTES: u64 = 8;
/// Largest usable position, scale or weight; larger ones are read as 0 with a warning. The product of four is still
/// finite.
pub const MAX_COORDINATE: f32 = 1e9;
/// Maximum number of warnings listed for a file. Further warnings are only counted.
pub const MAX_WARNINGS: usize = 200;
/// Minimum number of entries that a recorder keeps of a file. It keeps one more for every ten bytes of the file.
/// Further entries are dropped.
pub const MIN_RECORDED_ENTRIES: usize = 1 << 16;

/// Maximum bytes of a text file, and of a file of unknown format in the structure view. The rest is skipped.
pub const MAX_TEXT_BYTES: usize = 16 << 20;
/// Maximum number of clips of a list or an `animation.cfg`, of files that it includes, and of a model's animation files.
/// Further ones are skipped with a warning.
pub const MAX_CLIPS: usize = 4096;
/// Maximum nesting depth of included files, image programs, expressions, folders with images and ancestors of a model.
/// Deeper ones are left out.
pub const MAX_NESTING: usize = 64;
/// Maximum number of entries of a cache in memory. A full cache drops old or unused entries.
pub const MAX_CACHED: usize = 128;
/// Maximum bytes of a path. Longer paths are not searched for.
pub const MAX_PATH_BYTES: usize = 1024;

/// Maximum number of vertices, weights and triangles posed in all frames of a model to convert, export or edit it.
/// Larger models are refused, and lint rules pose three of their frames. Comparisons of larger models pose fewer frames,
/// at equal distances. All searches for the nearest vertex in a comparison test as many, and later frames are left out.
/// The morph targets of a glTF move as many, and later frames are shown without them, with a warning.
pub const MAX_POSED_VERTICES: usize = 1 << 28;
/// Maximum number of vertices and weights posed for a report. Beyond the limit, the report uses frames at equal
/// distances, or none.
pub const MAX_REPORTED_VERTICES: usize = 1 << 25;
/// Maximum number of grid cells that a report on texture coordinates examines. Further triangles are left out.
pub const MAX_GRID_CELLS: u64 = 1 << 23;
/// Maximum bytes that a conversion writes in all frames, or twice the bytes of the model if that is more. Larger models
/// are refused.
pub const MAX_CONVERTED_BYTES: u64 = 256 << 20;
/// Maximum bytes of an exported glTF: its lengths have 32 bits, and its JSON needs room. Larger models are refused.
pub const MAX_GLTF_BYTES: usize = u32::MAX as usize - (256 << 20);
/// Maximum number of vertices used to align bones for glTF. Larger models use an even selection of their vertices.
pub const MAX_ALIGNED_VERTICES: usize = 20_000;
/// Maximum number of bones aligned for glTF. If there are more, all keep the transforms of their first frame.
pub const MAX_ALIGNED_BONES: usize = 1024;
/// Maximum number of joints of a vertex in glTF. Beyond the limit, the joints with the smallest weights are dropped.
pub const MAX_VERTEX_JOINTS: usize = 32;
/// Maximum number of nodes, meshes or other objects of a glTF that is read, of its surfaces, and of frames of a clip. Files
/// with more objects are refused; further surfaces and frames are left out with a warning.
pub const MAX_GLTF_OBJECTS: usize = 65_535;
/// Maximum number of variants of the materials of a glTF (skins of Quake, `MAX_SKINS`). Further ones are left out with a
/// warning.
pub const MAX_GLTF_VARIANTS: usize = 32;
/// Maximum number of surfaces of a glTF in all variants together.
pub const MAX_GLTF_VARIED_SURFACES: usize = 131_072;
/// Maximum bytes that the numbers of a glTF take when they are decoded, as a multiple of the file's length with its
/// buffers. Files beyond the limit, whose nodes and accessors share data too often, are refused.
pub const MAX_GLTF_DECODED_PER_BYTE: u64 = 6;
/// Bytes that the numbers of even the smallest glTF may take when they are decoded.
pub const MIN_GLTF_DECODED_BYTES: u64 = 16 << 20;
/// Number of vertices in all frames that a glTF with moving morph targets may have; one more for every four bytes of the
/// file. Further frames are left out with a warning.
pub const MAX_BAKED_VERTICES: usize = 1 << 21;
/// Number of triangles and copies of blocks that a DXF may have, or one for every [`BYTES_PER_DXF_TRIANGLE`] of the file if
/// that is more. Further ones are left out with a warning.
pub const MAX_DXF_TRIANGLES: u64 = 1 << 17;
/// Bytes of a DXF for each triangle. A triangle takes up to 16 times as much memory while it is loaded.
pub const BYTES_PER_DXF_TRIANGLE: u64 = 24;
