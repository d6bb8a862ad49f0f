//! Materials of an ASE: their names, images and texture transforms.

use foldhash::HashMap;
use glam::Vec2;

use crate::error::LoadError;
use crate::formats::keyed_blocks::KeyedBlocks;
use crate::model::path_in_game;
use crate::text::Token;

/// Keys of the texture transform: tiling, offset, and the angle in radians.
const TRANSFORM: [&str; 5] = ["*UVW_U_TILING", "*UVW_V_TILING", "*UVW_U_OFFSET", "*UVW_V_OFFSET", "*UVW_ANGLE"];

/// Material, or submaterial of one.
#[derive(Default)]
pub(super) struct Material {
    /// `*MATERIAL_NAME`.
    pub name: String,
    /// `*BITMAP` of the diffuse map.
    pub bitmap: String,
    /// Values of [`TRANSFORM`].
    transform: [Option<f32>; 5],
    /// Submaterials and their numbers.
    parts: HashMap<i64, Material>,
}

impl Material {
    /// Reads the block of a material.
    pub fn read(reader: &mut KeyedBlocks) -> Result<Self, LoadError> {
        let mut material = Self::default();
        reader.block(&["*MAP_DIFFUSE"], |reader, key| {
            if !key.is("*SUBMATERIAL") {
                return material.read_key(reader, key);
            }
            let number = reader.lexer.parse_integer("*SUBMATERIAL")?;
            let mut part = Self::default();
            // Submaterials of submaterials are skipped.
            reader.block(&["*MAP_DIFFUSE"], |reader, key| part.read_key(reader, key))?;
            material.parts.entry(number).or_insert(part);
            Ok(())
        })?;
        Ok(material)
    }

    fn read_key(&mut self, reader: &mut KeyedBlocks, key: &Token) -> Result<(), LoadError> {
        if key.is("*MATERIAL_NAME") {
            self.name = reader.lexer.parse_text("*MATERIAL_NAME")?;
        } else if key.is("*BITMAP") {
            self.bitmap = reader.lexer.parse_text("*BITMAP")?;
        } else if let Some((key, value)) = TRANSFORM.iter().zip(&mut self.transform).find(|(name, _)| key.is(name)) {
            *value = Some(reader.number(key)?);
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

    /// Returns the transform of stored texture coordinates, which count from the bottom, to those of Doom 3 (`Model.cpp`,
    /// `ConvertASEToModelSurfaces`).
    pub fn transform(&self) -> impl Fn(Vec2) -> Vec2 {
        let [u_tiling, v_tiling, u_offset, v_offset, angle] = self.transform;
        let tiling = Vec2::new(u_tiling.unwrap_or(1.0), v_tiling.unwrap_or(1.0));
        let offset = Vec2::new(-u_offset.unwrap_or(0.0), v_offset.unwrap_or(0.0));
        let (sin, cos) = angle.unwrap_or(0.0).sin_cos();
        move |stored| {
            let Vec2 { x: u, y: v } = Vec2::new(stored.x, 1.0 - stored.y) * tiling + offset;
            Vec2::new(u * cos + v * sin, v * cos - u * sin)
        }
    }

    /// Returns the name of the material in the game, without extension. It is the name of the material if that begins
    /// like a path of a game, as for q3map2 (`model.cpp`), otherwise the path of the image. Doom 3 cuts a path after its
    /// folder `base` (`FileSystem.cpp`, `OSPathToRelativePath`); q3map2 cuts absolute paths before `models` or `textures`.
    pub fn game_name(name: &str, bitmap: &str) -> String {
        let is_any = |part: &str, names: &[&str]| names.iter().any(|name| part.eq_ignore_ascii_case(name));
        let is_path = name.split_once(['/', '\\']).is_some_and(|(first, _)| is_any(first, &["textures", "models"]));
        let is_name = is_path || is_any(bitmap, &["", "none"]);
        let path = if is_name { name } else { bitmap }.replace('\\', "/");
        let root = |folders: &[&str]| folders.iter().position(|folder| is_any(folder, &["base"]));
        let in_game = path_in_game(&path, root, &["models", "textures"]);
        let is_outside =
            path.starts_with('/') || path.get(1..2) == Some(":") || path.split('/').any(|part| part == "..");
        let file = path.rsplit('/').next().unwrap_or_default();
        let path = in_game.unwrap_or_else(|| if is_outside { file } else { path.trim_start_matches("./") }.to_owned());
        let end = path.rfind('.').filter(|dot| !path[*dot..].contains('/')).unwrap_or(path.len());
        path[..end].to_owned()
    }
}
