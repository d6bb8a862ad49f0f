//! Materials of an ASE: their names, images and texture transforms.

use foldhash::{HashMap, HashMapExt as _};
use glam::Vec2;

use super::Reader;
use crate::error::LoadError;
use crate::text::Token;

/// Material, or submaterial of one.
pub(super) struct Material {
    /// `*MATERIAL_NAME`.
    pub name: String,
    /// `*BITMAP` of the diffuse map.
    pub bitmap: String,
    tiling: Vec2,
    offset: Vec2,
    /// Angle in radians.
    angle: f32,
    /// Submaterials and their numbers.
    parts: HashMap<i64, Material>,
}

impl Material {
    /// Reads the block of a material.
    pub fn read(reader: &mut Reader) -> Result<Self, LoadError> {
        let mut material = Self::empty();
        reader.block(|reader, word| {
            if word.is("*SUBMATERIAL") {
                let number = reader.lexer.parse_integer("*SUBMATERIAL")?;
                let mut part = Self::empty();
                // Submaterials of submaterials are skipped.
                reader.block(|reader, word| part.read_key(reader, word))?;
                material.parts.entry(number).or_insert(part);
                return Ok(());
            }
            material.read_key(reader, word)
        })?;
        Ok(material)
    }

    fn empty() -> Self {
        let (tiling, offset) = (Vec2::ONE, Vec2::ZERO);
        Self { name: String::new(), bitmap: String::new(), tiling, offset, angle: 0.0, parts: HashMap::new() }
    }

    fn read_key(&mut self, reader: &mut Reader, key: &Token) -> Result<(), LoadError> {
        if key.is("*MATERIAL_NAME") {
            self.name = reader.lexer.parse_text("*MATERIAL_NAME")?;
        } else if key.is("*MAP_DIFFUSE") {
            reader.block(|reader, word| {
                if word.is("*BITMAP") {
                    self.bitmap = reader.lexer.parse_text("*BITMAP")?;
                } else if word.is("*UVW_U_OFFSET") {
                    self.offset.x = reader.number("*UVW_U_OFFSET")?;
                } else if word.is("*UVW_V_OFFSET") {
                    self.offset.y = reader.number("*UVW_V_OFFSET")?;
                } else if word.is("*UVW_U_TILING") {
                    self.tiling.x = reader.number("*UVW_U_TILING")?;
                } else if word.is("*UVW_V_TILING") {
                    self.tiling.y = reader.number("*UVW_V_TILING")?;
                } else if word.is("*UVW_ANGLE") {
                    self.angle = reader.number("*UVW_ANGLE")?;
                }
                Ok(())
            })?;
        }
        Ok(())
    }

    /// Returns the number of the submaterial that faces with a number have: the one with this number, otherwise 0, as in
    /// Radiant. `None` if there is none, and the faces have the material itself.
    pub fn part_of(&self, number: i64) -> Option<i64> {
        [number, 0].into_iter().find(|number| self.parts.contains_key(number))
    }

    /// Returns the submaterial with a number, or the material itself.
    pub fn part(&self, number: Option<i64>) -> &Self {
        number.and_then(|number| self.parts.get(&number)).unwrap_or(self)
    }

    /// Returns texture coordinates as Doom 3 transforms them (`Model.cpp`, `ConvertASEToModelSurfaces`). Those in the
    /// file count from the bottom.
    pub fn transform(&self, stored: Vec2) -> Vec2 {
        let uv = Vec2::new(stored.x, 1.0 - stored.y) * self.tiling + Vec2::new(-self.offset.x, self.offset.y);
        let (sin, cos) = self.angle.sin_cos();
        Vec2::new(uv.x * cos + uv.y * sin, uv.y * cos - uv.x * sin)
    }

    /// Returns the name of the material in the game, without extension. It is the name of the material if that begins
    /// like a path of a game, as for q3map2 (`model.cpp`), otherwise the path of the image.
    pub fn game_name(name: &str, bitmap: &str) -> String {
        let name = name.replace('\\', "/");
        let is_path = ["textures/", "models/"].iter().any(|folder| starts_with(&name, folder));
        let has_bitmap = !bitmap.is_empty() && !bitmap.eq_ignore_ascii_case("none");
        let path = if is_path || !has_bitmap { name } else { bitmap.replace('\\', "/") };
        let path = in_game(&path);
        let (folder, file) = path.rsplit_once('/').map_or(("", path), |(folder, file)| (folder, file));
        let stem = file.rsplit_once('.').map_or(file, |(stem, _)| stem);
        if folder.is_empty() { stem.to_owned() } else { format!("{folder}/{stem}") }
    }
}

fn starts_with(text: &str, start: &str) -> bool {
    text.get(..start.len()).is_some_and(|found| found.eq_ignore_ascii_case(start))
}

/// Returns a path relative to the game. Doom 3 cuts a path after its first folder `base` (`FileSystem.cpp`,
/// `OSPathToRelativePath`); q3map2 cuts absolute paths before `models` or `textures`.
fn in_game(path: &str) -> &str {
    let after = |folder: &str| {
        let lower = path.to_ascii_lowercase();
        lower.find(&format!("/{folder}/")).map(|at| &path[at + 1..])
    };
    if let Some(rest) = after("base").or_else(|| starts_with(path, "base/").then_some(path)) {
        return rest.get("base/".len()..).unwrap_or_default();
    }
    let is_absolute = path.starts_with('/') || path.get(1..2) == Some(":");
    if !is_absolute && !path.split('/').any(|part| part == "..") {
        return path.strip_prefix("./").unwrap_or(path);
    }
    let first = [after("models"), after("textures")].into_iter().flatten().max_by_key(|rest| rest.len());
    first.unwrap_or_else(|| path.rsplit('/').next().unwrap_or_default())
}
