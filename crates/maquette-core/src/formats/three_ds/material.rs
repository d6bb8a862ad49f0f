//! Materials of a 3DS.
//!
//! | chunk | within | content |
//! |---|---|---|
//! | `A000` | `AFFF` | name |
//! | `A020`, `A050`, `A081` | `AFFF` | diffuse colour, transparency, whether both sides are visible |
//! | `0010`, `0011`, `0012`, `0013` | `A020` | colour: floats, bytes, and both for linear light, with equal numbers |
//! | `0030`, `0031` | `A050` | part in percent, or from 0 to 1 |
//! | `A200`, `A300` | `AFFF`, `A200` | texture map, which replaces the colour; name of its file |
//! | `A354`, `A356`, `A358`, `A35A`, `A35C` | `A200` | scale, offset and angle of the map |

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::bytes::ByteReader;
use crate::error::{LoadError, WarningKind, Warnings};
use crate::model::{AlphaMode, EmbeddedImage, EmbeddedMaterial, is_usable, linear};

const EDITOR: u16 = super::id::EDITOR;
const MATERIAL: u16 = 0xafff;
const COLOUR: u16 = 0xa020;
const TRANSPARENCY: u16 = 0xa050;
const MAP: u16 = 0xa200;

/// Materials by name.
#[derive(Default)]
pub(super) struct Materials {
    known: BTreeMap<String, Arc<EmbeddedMaterial>>,
    /// Name and properties of the material that is read.
    name: String,
    material: EmbeddedMaterial,
    has_colour: bool,
    /// Number of scales, offsets and angles of maps.
    transforms: usize,
}

impl Materials {
    /// Reads the fields of a chunk with this parent and id. Returns whether chunks follow.
    pub fn read_chunk(&mut self, ids: (u16, u16), reader: &mut ByteReader, end: u64) -> Result<bool, LoadError> {
        match ids {
            (EDITOR, MATERIAL) => {
                self.add_latest();
                return Ok(true);
            }
            (MATERIAL, COLOUR | TRANSPARENCY | MAP) => return Ok(true),
            (MATERIAL, 0xa000) => self.name = reader.text_before("name", end)?,
            (MATERIAL, 0xa081) => self.material.double_sided = true,
            (COLOUR, 0x0010 | 0x0013) => {
                let colour = reader.vec3("colour")?;
                self.set_colour(colour.to_array());
            }
            (COLOUR, 0x0011 | 0x0012) => {
                let colour = reader.u8s::<3>("colour")?;
                self.set_colour(colour.map(|part| f32::from(part) / 255.0));
            }
            (TRANSPARENCY, 0x0030) => self.set_transparency(f32::from(reader.i16("percent")?) / 100.0),
            (TRANSPARENCY, 0x0031) => {
                let part = reader.f32("part")?;
                self.set_transparency(part);
            }
            (MAP, 0xa300) => {
                let path = reader.text_before("name", end)?.replace('\\', "/");
                let is_absolute = path.starts_with('/') || path.contains(':');
                let file = path.rsplit('/').next().filter(|_| is_absolute).unwrap_or(&path);
                self.material.image = Some(EmbeddedImage::External(file.to_owned())).filter(|_| !file.is_empty());
            }
            (MAP, 0xa354 | 0xa356) => self.transforms += usize::from(reader.f32("scale")? != 1.0),
            (MAP, 0xa358 | 0xa35a | 0xa35c) => self.transforms += usize::from(reader.f32("offset")? != 0.0),
            _ => {}
        }
        Ok(false)
    }

    /// Sets the first of the colours, which are those of the screen.
    fn set_colour(&mut self, colour: [f32; 3]) {
        if !std::mem::replace(&mut self.has_colour, true) && colour.iter().all(|part| is_usable(*part)) {
            let [red, green, blue] = colour.map(linear);
            self.material.colour = [red, green, blue, self.material.colour[3]];
        }
    }

    fn set_transparency(&mut self, part: f32) {
        self.material.colour[3] = if is_usable(part) { 1.0 - part.clamp(0.0, 1.0) } else { 1.0 };
    }

    /// Adds the material that was read, and begins the next one. The first of a name counts.
    fn add_latest(&mut self) {
        let next = EmbeddedMaterial { colour: [1.0; 4], ..EmbeddedMaterial::default() };
        let mut material = std::mem::replace(&mut self.material, next);
        if material.image.is_some() {
            material.colour = [1.0, 1.0, 1.0, material.colour[3]];
        }
        material.alpha = if material.colour[3] < 1.0 { AlphaMode::Blend } else { AlphaMode::Opaque };
        self.has_colour = false;
        let name = std::mem::take(&mut self.name);
        if !name.is_empty() {
            self.known.entry(name).or_insert_with(|| Arc::new(material));
        }
    }

    /// Returns all materials by name.
    pub fn finish(mut self, warnings: &mut Warnings) -> BTreeMap<String, Arc<EmbeddedMaterial>> {
        self.add_latest();
        let texts = [
            "scale, offset or angle of a texture map is not applied",
            "scales, offsets and angles of texture maps are not applied",
        ];
        warnings.add_counted(WarningKind::NotShown, "chunk A200", self.transforms, texts);
        self.known
    }
}
