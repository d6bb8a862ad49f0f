//! Chunks of an LWO.

use std::ops::Range;

use foldhash::HashMap;
use glam::{Vec2, Vec3};

use crate::bytes::{ByteReader, Column, Kind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::polygons::colour;
use crate::formats::unusable_numbers::UNUSABLE;
use crate::model::{is_usable, u32_or_max};

const POINTS: Record = Record::new("points", &[Column::new("position", Kind::F32Be, 3)]);

/// Polygon of the first layer.
pub(super) struct Polygon {
    /// Corners of the polygon in [`Object::corners`].
    pub corners: Range<usize>,
    /// Number among all polygons.
    pub number: u32,
    /// Index into [`Object::names`].
    pub tag: usize,
    pub smoothing: u16,
}

/// Contents of a file. Points are in the space of the game.
#[derive(Default)]
pub(super) struct Object {
    pub version: i32,
    pub names: Vec<String>,
    pub points: Vec<Vec3>,
    pub corners: Vec<u32>,
    pub polygons: Vec<Polygon>,
    /// Largest angle in radians between smooth faces of each surface, by name; 0 or less for flat faces.
    pub surfaces: HashMap<String, f32>,
    /// Names of the surfaces, in the order of their chunks.
    pub surface_order: Vec<String>,
    pub point_uvs: HashMap<u32, Vec2>,
    pub corner_uvs: HashMap<(u32, u32), Vec2>,
    pub point_colours: HashMap<u32, [u8; 4]>,
    pub corner_colours: HashMap<(u32, u32), [u8; 4]>,
    /// Number of polygons in further layers.
    pub hidden: usize,
    /// Points and polygons before the latest chunk of each kind, from which indices count.
    first_point: usize,
    first_polygon: usize,
    layers: usize,
    broken_numbers: usize,
}

/// Reads an index of two or four bytes.
fn index(chunk: &mut ByteReader) -> Result<u32, LoadError> {
    let mut first = *chunk;
    match first.u8("index")? {
        0xff => Ok(chunk.u32_be("index")? & 0x00ff_ffff),
        _ => chunk.u16_be("index").map(u32::from),
    }
}

/// Reads a text that ends with NUL and has an even size.
fn text(chunk: &mut ByteReader) -> Result<String, LoadError> {
    let mut end = *chunk;
    while end.u8("name")? != 0 {}
    let length = end.position() - chunk.position();
    let text = chunk.name("name", length)?;
    chunk.skip("pad", (length % 2).min(chunk.left()))?;
    Ok(text)
}

impl Object {
    /// Reads all chunks.
    pub fn read(source: &Source, warnings: &mut Warnings) -> Result<Self, LoadError> {
        let mut reader = source.start();
        reader.name("FORM", 4)?;
        let size_at = reader;
        let size = u64::from(reader.u32_be("size")?);
        let end = size_at.position() + 4 + size;
        if end > source.len() {
            let reason = Reason::UnexpectedEnd { wanted: size, left: source.len() - size_at.position() - 4 };
            source.forgive(size_at.error("size", reason), || "the chunks up to the end are used".to_owned())?;
        }
        let type_at = reader;
        let kind = reader.name("type", 4)?;
        if !matches!(kind.as_str(), "LWO2" | "LWOB") {
            let why = format!("the type is “{kind}”; only LWO2 and LWOB are models that games read");
            return Err(type_at.error("type", Reason::Broken(why)));
        }
        let is_old = kind == "LWOB";
        let mut object = Self { version: if is_old { 1 } else { 2 }, ..Self::default() };
        while reader.position() + 8 <= end.min(source.len()) {
            if let Err(error) = object.read_chunk(source, &mut reader) {
                source.forgive(error, || "the rest of the file is skipped".to_owned())?;
                break;
            }
        }
        warnings.add_counted(WarningKind::Substituted, "points", object.broken_numbers, UNUSABLE);
        Ok(object)
    }

    fn read_chunk(&mut self, source: &Source, reader: &mut ByteReader) -> Result<(), LoadError> {
        let mut name = *reader;
        let id = name.name("chunk", 4)?;
        let _group = source.group(|| id.clone());
        reader.name("chunk", 4)?;
        let size = u64::from(reader.u32_be("size")?);
        let in_first_layer = self.layers <= 1;
        let is_old = self.version == 1;
        match id.as_str() {
            "PNTS" if in_first_layer => self.read_points(reader, size)?,
            "LAYR" => {
                reader.skip("layer", size)?;
                self.layers += 1;
                // The first layer may be named only after its points.
                self.layers += usize::from(self.layers == 1 && !self.points.is_empty());
            }
            _ => {
                let chunk = reader.within("data", size)?;
                match id.as_str() {
                    "TAGS" | "SRFS" => self.read_names(chunk)?,
                    "POLS" if is_old => self.read_old_polygons(chunk)?,
                    "POLS" if in_first_layer => self.read_polygons(chunk)?,
                    "POLS" => self.count_polygons(chunk)?,
                    "PTAG" if in_first_layer => self.read_tags(chunk)?,
                    "VMAP" | "VMAD" if in_first_layer => self.read_map(chunk, id == "VMAD")?,
                    "SURF" => self.read_surface(chunk, is_old)?,
                    _ => {}
                }
            }
        }
        if size % 2 == 1 && reader.position() < source.len() {
            reader.skip("pad", 1)?;
        }
        Ok(())
    }

    fn read_points(&mut self, reader: &mut ByteReader, size: u64) -> Result<(), LoadError> {
        self.first_point = self.points.len();
        let at = reader.position() - 4;
        let table = reader.next_table(("size", at), size / POINTS.stride(), &POINTS)?;
        reader.skip("rest", size % POINTS.stride())?;
        for point in table.as_chunks::<12>().0 {
            let numbers = point.as_chunks::<4>().0;
            let [x, y, z] = std::array::from_fn(|axis| {
                let number = numbers.get(axis).map_or(0.0, |bytes| f32::from_be_bytes(*bytes));
                self.broken_numbers += usize::from(!is_usable(number));
                if is_usable(number) { number } else { 0.0 }
            });
            self.points.push(Vec3::new(x, z, y));
        }
        Ok(())
    }

    fn read_names(&mut self, mut chunk: ByteReader) -> Result<(), LoadError> {
        while let Ok(name) = text(&mut chunk) {
            self.names.push(name);
        }
        Ok(())
    }

    fn push_polygon(&mut self, corners: Range<usize>, number: usize, tag: usize) {
        self.polygons.push(Polygon { corners, number: u32_or_max(number), tag, smoothing: 0 });
    }

    fn point(&self, at: &ByteReader, index: u32) -> Result<u32, LoadError> {
        let index = self.first_point + index as usize;
        let count = self.points.len();
        if index < count {
            Ok(u32_or_max(index))
        } else {
            Err(at.error("POLS", Reason::Broken(format!("point {index} does not exist; there are {count}"))))
        }
    }

    fn read_polygons(&mut self, mut chunk: ByteReader) -> Result<(), LoadError> {
        let kind = chunk.u8s::<4>("kind")?;
        self.first_polygon = self.polygons.len();
        while chunk.left() >= 2 {
            let start = self.corners.len();
            for _ in 0..chunk.u16_be("count")? & 0x3ff {
                let at = chunk;
                let point = self.point(&at, index(&mut chunk)?)?;
                self.corners.push(point);
            }
            // Curves, bones and balls have no face. They stay in the list, because later chunks number all polygons.
            let is_face = matches!(&kind, b"FACE" | b"PTCH" | b"SUBD") && self.corners.len() - start >= 3;
            let end = if is_face { self.corners.len() } else { start };
            self.corners.truncate(end);
            self.push_polygon(start..end, self.polygons.len(), 0);
        }
        Ok(())
    }

    fn read_old_polygons(&mut self, mut chunk: ByteReader) -> Result<(), LoadError> {
        while chunk.left() >= 2 {
            let start = self.corners.len();
            for _ in 0..chunk.u16_be("count")? {
                let at = chunk;
                let point = self.point(&at, chunk.u16_be("index")?.into())?;
                self.corners.push(point);
            }
            let at = chunk;
            let surface = chunk.u16_be("surface")?.cast_signed();
            if surface < 0 {
                chunk.skip("detail polygons", 2.min(chunk.left()))?;
            }
            let tag = usize::from(surface.unsigned_abs()).wrapping_sub(1);
            if tag >= self.names.len() {
                let why = format!("surface {surface} does not exist; there are {}", self.names.len());
                return Err(at.error("POLS", Reason::Broken(why)));
            }
            self.push_polygon(start..self.corners.len(), self.polygons.len(), tag);
        }
        Ok(())
    }

    fn count_polygons(&mut self, mut chunk: ByteReader) -> Result<(), LoadError> {
        chunk.skip("kind", 4)?;
        while chunk.left() >= 2 {
            self.hidden += 1;
            for _ in 0..chunk.u16_be("count")? & 0x3ff {
                index(&mut chunk)?;
            }
        }
        Ok(())
    }

    fn read_tags(&mut self, mut chunk: ByteReader) -> Result<(), LoadError> {
        let kind = chunk.u8s::<4>("kind")?;
        while chunk.left() >= 4 {
            // A cut entry at the end is left out.
            let Ok(polygon) = index(&mut chunk) else { break };
            let at = chunk;
            let Ok(tag) = chunk.u16_be("tag") else { break };
            let names = self.names.len();
            let Some(polygon) = self.polygons.get_mut(self.first_polygon + polygon as usize) else { continue };
            match &kind {
                b"SURF" if usize::from(tag) >= names => {
                    let why = format!("tag {tag} does not exist; there are {names}");
                    return Err(at.error("PTAG", Reason::Broken(why)));
                }
                b"SURF" => polygon.tag = tag.into(),
                b"SMGP" => polygon.smoothing = tag,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads texture coordinates or colours of points, or of corners. The last map that covers a point counts.
    fn read_map(&mut self, mut chunk: ByteReader, of_corners: bool) -> Result<(), LoadError> {
        let kind = chunk.u8s::<4>("kind")?;
        let dimension = chunk.u16_be("dimension")?;
        text(&mut chunk)?;
        let (is_uv, is_colour) = (&kind == b"TXUV" && dimension == 2, &kind == b"RGBA" && dimension == 4);
        if !is_uv && !is_colour {
            return Ok(());
        }
        while chunk.left() >= 2 {
            let point = u32_or_max(self.first_point + index(&mut chunk)? as usize);
            let polygon = if of_corners { Some(index(&mut chunk)? as usize) } else { None };
            let polygon = polygon.map(|index| u32_or_max(self.first_polygon + index));
            let mut values = [0.0; 4];
            for value in values.iter_mut().take(dimension.into()) {
                let number = chunk.f32_be("value")?;
                *value = if is_usable(number) { number } else { 0.0 };
            }
            let uv = Vec2::new(values[0], values[1]);
            let colour = colour(values);
            match (is_uv, polygon) {
                (true, None) => drop(self.point_uvs.insert(point, uv)),
                (true, Some(polygon)) => drop(self.corner_uvs.insert((polygon, point), uv)),
                (false, None) => drop(self.point_colours.insert(point, colour)),
                (false, Some(polygon)) => drop(self.corner_colours.insert((polygon, point), colour)),
            }
        }
        Ok(())
    }

    fn read_surface(&mut self, mut chunk: ByteReader, is_old: bool) -> Result<(), LoadError> {
        let name = text(&mut chunk)?;
        if !is_old {
            // The name of the source, which some exporters leave out.
            let _ = text(&mut chunk);
        }
        let mut angle = None;
        let mut is_smooth = false;
        while chunk.left() >= 6 {
            let (id, size) = (chunk.u8s::<4>("part")?, u64::from(chunk.u16_be("size")?));
            let mut values = chunk.within("part", size)?;
            match &id {
                b"SMAN" => angle = values.f32_be("SMAN").ok(),
                b"FLAG" if is_old => is_smooth = values.u16_be("FLAG").is_ok_and(|flags| flags & 4 != 0),
                _ => {}
            }
            chunk.skip("pad", (size % 2).min(chunk.left()))?;
        }
        // Doom 3's angle for smooth surfaces of the older version.
        let angle = angle.unwrap_or(if is_smooth { 1.56207 } else { 0.0 });
        self.surface_order.push(name.clone());
        self.surfaces.entry(name).or_insert(angle);
        Ok(())
    }
}
