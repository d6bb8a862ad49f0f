//! Skins of an MDL: images of palette indices.
//!
//! | chunk | count | bytes each |
//! |---|---|---|
//! | type | 1 | 4: 0 for a single image, else an animated group |
//! | of a group: number of images | 1 | 4 |
//! | of a group: intervals | images | 4: time in seconds at which the image ends |
//! | image | 1, or images | `skinwidth` × `skinheight`: palette indices, from the top row |

use std::sync::Arc;

use super::{Header, RATE, SKIN_HEIGHT, limits};
use crate::bytes::{ByteReader, Column, Count, Kind, PartKind, Record, Source};
use crate::error::{Fault, LoadError, WarningKind, Warnings};
use crate::formats::end_times;
use crate::model::{EmbeddedImage, EmbeddedSkin, PixelKind, Pixels};

const TEXELS: Record = Record::new("texels", &[Column::new("index", Kind::U8, 1)]);

pub(super) fn read(
    source: &Source,
    reader: &mut ByteReader,
    header: &Header,
    warnings: &mut Warnings,
) -> Result<Vec<EmbeddedSkin>, LoadError> {
    if header.skins == 0 {
        let message = "the file has no skin; the model is left without a texture";
        warnings.add_fault(Fault::MissingSkin, WarningKind::Inconsistent, "numskins", message);
    }
    let mut skins = Vec::new();
    for number in 0..header.skins {
        let name = format!("skin {number}");
        let _group = source.group_of(PartKind::Skin.at(number as usize), || name.clone());
        let skin = read_skin(reader, header, name.clone(), warnings).map_err(|error| error.within(&name))?;
        if skin.images.is_empty() {
            warnings.add(WarningKind::LeftOut, name, "the skin has no whole image; skipped");
        } else {
            skins.push(skin);
        }
    }
    Ok(skins)
}

fn read_skin(
    reader: &mut ByteReader,
    header: &Header,
    name: String,
    warnings: &mut Warnings,
) -> Result<EmbeddedSkin, LoadError> {
    let (width, height) = (header.skin_width, header.skin_height);
    let rows = Record::new("image", &[]).followed_by(TEXELS, Count::Fixed(width.into()));
    let mut skin = EmbeddedSkin { name, images: Vec::new(), end_times: Vec::new() };
    let mut count = 1;
    if reader.i32("type")? != 0 {
        let counter = ("numskins", reader.position());
        count = reader.count("numskins", limits::SKINS)?;
        skin.end_times = end_times::read(reader, counter, count, RATE, warnings)?;
        skin.images.reserve_exact(skin.end_times.len());
    }
    for _ in 0..count {
        let bytes = reader.next_table(SKIN_HEIGHT, height.into(), &rows)?.to_vec();
        let kind = PixelKind::GamePalette { has_cutouts: header.has_cutouts };
        let pixels = Pixels { width, height, kind, bytes };
        // A damaged file may contain only the first rows.
        if pixels.is_whole() {
            skin.images.push(EmbeddedImage::Pixels(Arc::new(pixels)));
        }
    }
    skin.end_times.truncate(skin.images.len());
    Ok(skin)
}
