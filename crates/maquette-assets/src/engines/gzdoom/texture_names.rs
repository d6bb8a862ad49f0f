//! GZDoom's textures by name: images in certain folders of the root, and definitions in `TEXTURES`.
//!
//! A definition like `texture NAME, 64, 64 { patch IMAGE, 0, 0 }` composes an image of patches, which are textures by name
//! or path. Source: GZDoom `texturemanager.cpp` (`ParseTextureDef`, `AddTexturesForWad`, `SortTexturesByType`),
//! `multipatchtexturebuilder.cpp` (`ParseTexture`, `ParsePatch`, `ResolvePatches`).

use std::collections::HashMap;

use crate::engines::IMAGE_EXTENSIONS;
use crate::limits::{MAX_LISTED_NAMES, MAX_MODEL_FILES};
use crate::vfs::{ReadLimit, Vfs, join, split_extension};
use maquette_core::error::{LoadError, Warnings};
use maquette_core::limits::MAX_TEXT_BYTES;
use maquette_core::text::{Dialect, Lexer, readable};

/// Types of textures: the folder of their images, and the word that defines one. If a name has several types, the last
/// applies.
#[rustfmt::skip]
const TYPES: [(&str, &str); 6] = [
    ("sprites", "sprite"), ("patches", "patch"), ("", "walltexture"), ("flats", "flat"), ("textures", "texture"),
    ("graphics", "graphic"),
];
/// Starts of the names of files with definitions, in the root.
const DEFINITIONS: [&str; 2] = ["textures", "hirestex"];
const DEPTH: usize = 8;
/// Length of a texture's name: that of a name in a WAD. Further letters of a file name are ignored (GZDoom
/// `filesystem.cpp`, `LumpShortName`).
const NAME_LENGTH: usize = 8;

/// Textures by type and by name in lower case.
#[derive(Debug, Default)]
pub(super) struct TextureNames {
    paths: HashMap<(usize, String), String>,
    /// Type and name of the first patch, and whether the texture is more than this unchanged patch.
    defined: HashMap<(usize, String), (usize, String, bool)>,
    count: usize,
}

impl TextureNames {
    /// Lists the textures below a root.
    pub(super) fn below(vfs: &Vfs, root: &str) -> Self {
        let mut names = Self::default();
        for (number, (folder, _)) in TYPES.iter().enumerate().filter(|(_, (folder, _))| !folder.is_empty()) {
            names.add_folder(vfs, number, &join(root, folder), DEPTH);
        }
        let is_definition = |name: &str| {
            let starts = |start: &&str| name.get(..start.len()).is_some_and(|own| own.eq_ignore_ascii_case(start));
            DEFINITIONS.iter().any(starts)
        };
        let mut files = vfs.list(root, is_definition);
        let mut next = 0;
        // Definitions before a mistake apply, although the game then stops.
        while let Some(file) = files.get(next).cloned().filter(|_| next < MAX_MODEL_FILES) {
            let bytes = vfs.read(&file, ReadLimit::TEXT).unwrap_or_default();
            let bytes = readable(&bytes, MAX_TEXT_BYTES, &mut Warnings::default());
            let mut lexer = Lexer::with("TEXTURES", Dialect::Plain, bytes);
            while let Ok(true) = names.add_definition(root, &mut lexer, |included| {
                let found = vfs.look_up(&join(root, &included.replace('\\', "/")));
                files.extend(found.filter(|found| !files.contains(found)));
            }) {}
            next += 1;
        }
        names
    }

    fn add_folder(&mut self, vfs: &Vfs, number: usize, folder: &str, depth: usize) {
        for file in vfs.files_in(folder).iter() {
            let (stem, extension) = split_extension(file);
            let is_image = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
            if is_image && self.count < MAX_LISTED_NAMES {
                self.count += 1;
                let name = stem.chars().take(NAME_LENGTH).collect::<String>().to_lowercase();
                self.paths.insert((number, name), join(folder, file));
            }
        }
        for inner in vfs.folders_in(folder).iter() {
            if depth > 0 && self.count < MAX_LISTED_NAMES {
                self.add_folder(vfs, number, &join(folder, inner), depth - 1);
            }
        }
    }

    /// Reads the next definition, or passes the path of an included file to `include`. Returns false at the end.
    fn add_definition(&mut self, root: &str, lexer: &mut Lexer, include: impl FnOnce(&str)) -> Result<bool, LoadError> {
        let Some(word) = lexer.next()? else { return Ok(false) };
        if word.is("#include") {
            include(&lexer.parse_text("path")?);
        }
        let Some(number) = TYPES.iter().position(|(_, known)| *known != "patch" && word.is(known)) else {
            return Ok(true);
        };
        let mut name = lexer.parse_text("name")?.to_lowercase();
        if name == "optional" && lexer.peek()?.is_some_and(|next| !next.is(",")) {
            name = lexer.parse_text("name")?.to_lowercase();
        }
        for size in ["width", "height"] {
            lexer.expect(",", size)?;
            lexer.parse_integer(size)?;
        }
        let mut first: Option<(usize, String, bool)> = None;
        let has_properties = lexer.check("{")?;
        while has_properties && !lexer.check("}")? {
            let Some(word) = lexer.next()? else { return Ok(false) };
            let Some(number) = TYPES.iter().position(|(_, known)| word.is(known)) else { continue };
            let patch = lexer.parse_text("patch")?.to_lowercase();
            let mut is_changed = false;
            for axis in ["x", "y"] {
                lexer.expect(",", axis)?;
                is_changed |= lexer.parse_integer(axis)? != 0;
            }
            if lexer.check("{")? {
                is_changed |= !lexer.check("}")? && lexer.skip_block("patch").map(|()| true)?;
            }
            match &mut first {
                Some((.., is_composed)) => *is_composed = true,
                None if patch.contains('/') => first = Some((number, join(root, &patch), is_changed)),
                None => first = Some((number, patch, is_changed)),
            }
        }
        if let Some(first) = first.filter(|_| self.count < MAX_LISTED_NAMES) {
            self.count += 1;
            self.defined.insert((number, name), first);
        }
        Ok(true)
    }

    /// Returns the path of the image of a texture, and whether the texture is more than this image.
    pub(super) fn get(&self, name: &str) -> Option<(String, bool)> {
        let mut key = self.existing(name.to_lowercase(), None)?;
        let mut is_composed = false;
        for _ in 0..DEPTH {
            let Some((number, patch, is_more)) = self.defined.get(&key) else { break };
            is_composed |= is_more;
            if patch.contains('/') {
                return Some((patch.clone(), is_composed));
            }
            // A patch that is called like its texture is the image of this name.
            if *patch == key.1 && self.paths.contains_key(&key) {
                break;
            }
            key = self.existing(patch.clone(), Some(*number))?;
        }
        Some((self.paths.get(&key)?.clone(), is_composed))
    }

    /// Returns the key of a name: of the preferred type, else of the last type that has the name.
    fn existing(&self, name: String, preferred: Option<usize>) -> Option<(usize, String)> {
        let keys = preferred.into_iter().chain((0..TYPES.len()).rev()).map(|number| (number, name.clone()));
        keys.into_iter().find(|key| self.defined.contains_key(key) || self.paths.contains_key(key))
    }
}
