//! Textures of games that changed Quake II's engine: a header, the texels of each mip level, and often a palette.
//!
//! | game | extension | texels |
//! |---|---|---|
//! | Quake II | WAL | indices of the colours of `pics/colormap.pcx` |
//! | Heretic II | M8, M32 | indices of an own palette; red, green, blue, alpha |
//! | Daikatana | WAL | indices of an own palette |
//!
//! Source: Heretic II `qfiles.h` (`miptex_t`, `miptex32_t`), QuArK `QkDaikatana.pas` (`TDKMiptex`), Quake II
//! `qfiles.h`.

use super::quake_palette::{Palette, decode_indices, palette_of};
use super::{Image, MAX_SIDE};
use crate::vfs::split_extension;

/// Positions of the fields of a header.
struct Header {
    extension: &'static str,
    /// First bytes; empty if the format has no version.
    version: &'static [u8],
    width: usize,
    height: usize,
    /// Position of the texels of the largest level.
    texels: usize,
    /// Red, green and blue of 256 colours.
    palette: Option<usize>,
    bytes_per_texel: u64,
}

/// A header without a version comes last.
const HEADERS: [Header; 4] = [
    Header {
        extension: "m8",
        version: &[2, 0, 0, 0],
        width: 36,
        height: 100,
        texels: 164,
        palette: Some(260),
        bytes_per_texel: 1,
    },
    Header {
        extension: "m32",
        version: &[4, 0, 0, 0],
        width: 516,
        height: 580,
        texels: 644,
        palette: None,
        bytes_per_texel: 4,
    },
    Header {
        extension: "wal",
        version: &[3],
        width: 36,
        height: 40,
        texels: 44,
        palette: Some(120),
        bytes_per_texel: 1,
    },
    Header { extension: "wal", version: &[], width: 32, height: 36, texels: 40, palette: None, bytes_per_texel: 1 },
];

/// Decodes a texture to at most `max` bytes of texels, by the extension of its name. `palette` has the colours of the
/// game. `None` for other images, and if the file is broken.
pub(in crate::material) fn decode_mip_texture(
    bytes: &[u8],
    name: &str,
    palette: Option<&Palette>,
    max: u64,
) -> Option<Image> {
    let extension = split_extension(name).1;
    let header = HEADERS
        .iter()
        .find(|header| header.extension.eq_ignore_ascii_case(extension) && bytes.starts_with(header.version))?;
    let number = |at: usize| Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?));
    let (width, height) = (number(header.width)?, number(header.height)?);
    let count = u64::from(width) * u64::from(height);
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) || count * 4 > max {
        return None;
    }
    let start = usize::try_from(number(header.texels)?).ok()?;
    let length = usize::try_from(count * header.bytes_per_texel).ok()?;
    let texels = bytes.get(start..)?.get(..length)?;
    if header.bytes_per_texel == 4 {
        return Some(Image::new(width, height, texels.to_vec()));
    }
    let own = header.palette.map(|at| palette_of(bytes.get(at..)?));
    let palette = own.unwrap_or(palette.copied())?;
    Some(decode_indices(width, height, texels, &palette))
}
