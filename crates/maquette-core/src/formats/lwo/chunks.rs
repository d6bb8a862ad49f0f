//! Chunks of an LWO.

use std::ops::Range;

use foldhash::HashMap;
use glam::{Vec2, Vec3};

use crate::bytes::{ByteReader, Column, Kind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
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

/// Numbers of a chunk.
struct Numbers<'a> {
    source: &'a Source<'a>,
    bytes: &'a [u8],
}

impl Numbers<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.bytes.split_first_chunk::<N>()?;
        self.bytes = rest;
        Some(*first)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_be_bytes)
    }

    fn f32(&mut self) -> Option<f32> {
        self.take().map(f32::from_be_bytes)
    }

    /// Reads an index of two or four bytes.
    fn index(&mut self) -> Option<u32> {
        match self.bytes.first()? {
            0xff => self.take().map(u32::from_be_bytes).map(|index| index & 0x00ff_ffff),
            _ => self.u16().map(u32::from),
        }
    }

    /// Reads a text that ends with NUL and has an even size.
    fn text(&mut self) -> Option<String> {
        let length = self.bytes.iter().position(|byte| *byte == 0)?;
        let text = self.source.text(self.bytes.get(..length)?);
        self.bytes = self.bytes.get(length / 2 * 2 + 2..).unwrap_or_default();
        Some(text)
    }
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
        if object.broken_numbers > 0 {
            let messages = [
                "number is not finite or beyond a billion; replaced by 0",
                "numbers are not finite or beyond a billion; replaced by 0",
            ];
            warnings.add_counted(WarningKind::Substituted, "points", object.broken_numbers, messages);
        }
        Ok(object)
    }

    fn read_chunk(&mut self, source: &Source, reader: &mut ByteReader) -> Result<(), LoadError> {
        let start = *reader;
        let mut name = start;
        let id = name.name("chunk", 4)?;
        let _group = source.group(|| id.clone());
        reader.name("chunk", 4)?;
        let size = u64::from(reader.u32_be("size")?);
        let in_first_layer = self.layers <= 1;
        let is_old = self.version == 1;
        match id.as_str() {
            "PNTS" if in_first_layer => self.read_points(source, reader, size)?,
            "LAYR" => {
                reader.skip("layer", size)?;
                self.layers += 1;
                // The first layer may be named only after its points.
                self.layers += usize::from(self.layers == 1 && !self.points.is_empty());
            }
            _ => {
                let bytes = reader.bytes("data", size)?;
                let numbers = Numbers { source, bytes };
                let read = match id.as_str() {
                    "TAGS" | "SRFS" => self.read_names(numbers),
                    "POLS" if is_old => self.read_old_polygons(numbers),
                    "POLS" if in_first_layer => self.read_polygons(numbers),
                    "POLS" => self.count_polygons(numbers),
                    "PTAG" if in_first_layer => self.read_tags(numbers),
                    "VMAP" | "VMAD" if in_first_layer => self.read_map(numbers, id == "VMAD"),
                    "SURF" => self.read_surface(numbers, is_old),
                    _ => Ok(()),
                };
                read.map_err(|why| start.error(&id, Reason::Broken(why)))?;
            }
        }
        if size % 2 == 1 && reader.position() < source.len() {
            reader.skip("pad", 1)?;
        }
        Ok(())
    }

    fn read_points(&mut self, source: &Source, reader: &mut ByteReader, size: u64) -> Result<(), LoadError> {
        self.first_point = self.points.len();
        let at = reader.position() - 4;
        let table = reader.next_table(("size", at), size / POINTS.stride(), &POINTS)?;
        reader.skip("rest", size % POINTS.stride())?;
        for point in table.as_chunks::<12>().0 {
            let mut numbers = Numbers { source, bytes: point };
            let [x, y, z] = std::array::from_fn(|_| {
                let number = numbers.f32().unwrap_or_default();
                self.broken_numbers += usize::from(!is_usable(number));
                if is_usable(number) { number } else { 0.0 }
            });
            self.points.push(Vec3::new(x, z, y));
        }
        Ok(())
    }

    fn read_names(&mut self, mut numbers: Numbers) -> Result<(), String> {
        while let Some(name) = numbers.text() {
            self.names.push(name);
        }
        Ok(())
    }

    fn push_polygon(&mut self, corners: Range<usize>, number: usize, tag: usize) {
        self.polygons.push(Polygon { corners, number: u32_or_max(number), tag, smoothing: 0 });
    }

    fn point(&self, index: u32) -> Result<u32, String> {
        let index = self.first_point + index as usize;
        let count = self.points.len();
        if index < count {
            Ok(u32_or_max(index))
        } else {
            Err(format!("point {index} does not exist; there are {count}"))
        }
    }

    fn read_polygons(&mut self, mut numbers: Numbers) -> Result<(), String> {
        let kind = numbers.take::<4>().ok_or("the kind is missing")?;
        self.first_polygon = self.polygons.len();
        while let Some(count) = numbers.u16() {
            let start = self.corners.len();
            for _ in 0..count & 0x3ff {
                let index = numbers.index().ok_or("a polygon is not whole")?;
                let point = self.point(index)?;
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

    fn read_old_polygons(&mut self, mut numbers: Numbers) -> Result<(), String> {
        while let Some(count) = numbers.u16() {
            let start = self.corners.len();
            for _ in 0..count {
                let index = numbers.u16().ok_or("a polygon is not whole")?;
                let point = self.point(index.into())?;
                self.corners.push(point);
            }
            let surface = numbers.take().map(i16::from_be_bytes).ok_or("a polygon is not whole")?;
            if surface < 0 {
                // Number of detail polygons, which follow like others.
                numbers.u16();
            }
            let tag = usize::from(surface.unsigned_abs()).checked_sub(1).ok_or("a polygon has the surface 0")?;
            if tag >= self.names.len() {
                return Err(format!("surface {tag} does not exist; there are {}", self.names.len()));
            }
            self.push_polygon(start..self.corners.len(), self.polygons.len(), tag);
        }
        Ok(())
    }

    fn count_polygons(&mut self, mut numbers: Numbers) -> Result<(), String> {
        numbers.take::<4>();
        while let Some(count) = numbers.u16() {
            self.hidden += 1;
            for _ in 0..count & 0x3ff {
                numbers.index().ok_or("a polygon is not whole")?;
            }
        }
        Ok(())
    }

    fn read_tags(&mut self, mut numbers: Numbers) -> Result<(), String> {
        let kind = numbers.take::<4>().ok_or("the kind is missing")?;
        while let Some((polygon, tag)) = numbers.index().zip(numbers.u16()) {
            let names = self.names.len();
            let Some(polygon) = self.polygons.get_mut(self.first_polygon + polygon as usize) else { continue };
            match &kind {
                b"SURF" if usize::from(tag) >= names => {
                    return Err(format!("tag {tag} does not exist; there are {names}"));
                }
                b"SURF" => polygon.tag = tag.into(),
                b"SMGP" => polygon.smoothing = tag,
                _ => {}
            }
        }
        Ok(())
    }

    /// Reads texture coordinates or colours of points, or of corners. The last map that covers a point counts.
    fn read_map(&mut self, mut numbers: Numbers, of_corners: bool) -> Result<(), String> {
        let kind = numbers.take::<4>().ok_or("the kind is missing")?;
        let dimension = numbers.u16().ok_or("the dimension is missing")?;
        numbers.text().ok_or("the name is missing")?;
        let (is_uv, is_colour) = (&kind == b"TXUV" && dimension == 2, &kind == b"RGBA" && dimension == 4);
        if !is_uv && !is_colour {
            return Ok(());
        }
        while let Some(point) = numbers.index() {
            let point = u32_or_max(self.first_point + point as usize);
            let polygon = if of_corners {
                let index = numbers.index().ok_or("an entry is not whole")?;
                Some(u32_or_max(self.first_polygon + index as usize))
            } else {
                None
            };
            let mut values = [0.0; 4];
            for value in values.iter_mut().take(dimension.into()) {
                let number = numbers.f32().ok_or("an entry is not whole")?;
                *value = if is_usable(number) { number } else { 0.0 };
            }
            let uv = Vec2::new(values[0], values[1]);
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast clamps")]
            let colour = values.map(|part| (part * 255.0) as u8);
            match (is_uv, polygon) {
                (true, None) => drop(self.point_uvs.insert(point, uv)),
                (true, Some(polygon)) => drop(self.corner_uvs.insert((polygon, point), uv)),
                (false, None) => drop(self.point_colours.insert(point, colour)),
                (false, Some(polygon)) => drop(self.corner_colours.insert((polygon, point), colour)),
            }
        }
        Ok(())
    }

    fn read_surface(&mut self, mut numbers: Numbers, is_old: bool) -> Result<(), String> {
        let name = numbers.text().ok_or("the name is missing")?;
        if !is_old {
            numbers.text();
        }
        let mut angle = None;
        let mut is_smooth = false;
        while let Some((id, size)) = numbers.take::<4>().zip(numbers.u16()) {
            let (mut values, rest) = match numbers.bytes.split_at_checked(size.into()) {
                Some((values, rest)) => (Numbers { bytes: values, ..numbers }, rest),
                None => return Err("a part of the surface does not fit".to_owned()),
            };
            match &id {
                b"SMAN" => angle = values.f32(),
                b"FLAG" if is_old => is_smooth = values.u16().is_some_and(|flags| flags & 4 != 0),
                _ => {}
            }
            numbers.bytes = rest.get(usize::from(size % 2)..).unwrap_or_default();
        }
        // Doom 3's angle for smooth surfaces of the older version.
        let angle = angle.unwrap_or(if is_smooth { 1.56207 } else { 0.0 });
        self.surface_order.push(name.clone());
        self.surfaces.entry(name).or_insert(angle);
        Ok(())
    }
}
