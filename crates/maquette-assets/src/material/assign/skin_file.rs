//! Parser for `.skin` files.
//!
//! A line has the form `surface,path`. A suffix like `_1` of a surface's name may be omitted, because games remove it.
//! Lines for tags (`tag_head,`) are ignored. A surface is hidden if its path is empty, is `*off` or ends in `nodraw` or
//! `null`. In Jedi Academy, lines may name surfaces with the suffix `_off`, which the game removes (OpenJK
//! `tr_skin.cpp`, `RE_RegisterIndividualSkin`). Source: Quake III `tr_image.c` (`RE_RegisterSkin`, `CommaParse`).
//! Return to Castle Wolfenstein adds `md3_hat,models/…` and `playerscale,1.1`. DarkPlaces also reads `replace "surface"
//! "path"` (`model_shared.c`, `Mod_LoadSkinFiles`).

mod groups;

use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

use glam::{Affine3A, Vec3};

use crate::limits::{MAX_SKIN_ENTRIES, MAX_SKINS};
use crate::material::script::{Kind, plain_name, shortened};
use crate::vfs::{name_of, split_extension};
use maquette_core::bytes::{Source, utf8_or_latin1};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::limits::{MAX_PATH_BYTES, MAX_TEXT_BYTES};
use maquette_core::model::u32_or_max;
use maquette_core::text::{Cursor, Statements, readable};

/// File names that hide a surface. No such material exists, and games do not draw missing materials of skins.
const HIDING: [&str; 2] = ["nodraw", "null"];
/// Path that hides a surface (Ghoul2).
const OFF: &str = "*off";
/// Suffix of names that Ghoul2 games remove.
const OFF_SUFFIX: &str = "_off";
/// First words of lines that turn off and on the surfaces that they list (Ghoul2).
const SURFACES_OFF: &str = "surfoff";
const SURFACES_ON: &str = "surfon";
/// First word of a line of DarkPlaces.
const REPLACE: &str = "replace";
/// Maximum number of surfaces that games read. Maquette reads more, with a warning.
const USUAL_SURFACES: usize = 256;
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Index of the first entry in the file whose path leads to the same material.
    number: u32,
    path: Box<str>,
}

/// Contents of a `.skin` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinFile {
    /// Entries by the surface's name in lower case. If several entries name one surface, the first applies.
    surfaces: BTreeMap<Box<str>, Entry>,
    /// Paths of all entries in file order.
    paths: Vec<Box<str>>,
    /// Accessories: position (`hat`, `belt`, `beltl`, …) and game path of the model.
    pub accessories: Vec<(String, String)>,
    /// Scale of the player, 0.01 to 100.
    pub scale: Option<f32>,
    /// Surfaces by their names in lower case that another file turns on (true) or off.
    switched: BTreeMap<Box<str>, bool>,
    /// Names of the models that a `.g2skin` file is for, in lower case.
    models: Vec<String>,
    /// Whether the entries are for the materials that a model names, not for its surfaces (`.g2skin`, Doom 3).
    pub(super) names_materials: bool,
    /// Material in place of all others (Doom 3).
    others: Option<Entry>,
}

impl SkinFile {
    /// Parses a file. Invalid lines are skipped.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        Self::parse_with(bytes, &mut Warnings::default())
    }

    /// Like [`Self::parse`], but reports skipped lines.
    #[must_use]
    pub fn parse_with(bytes: &[u8], warnings: &mut Warnings) -> Self {
        Self::parse_from(&Source::new("skin", bytes), warnings)
    }

    /// Like [`Self::parse_with`], and records the entries in the recorder of `source`.
    #[must_use]
    pub fn parse_from(source: &Source, warnings: &mut Warnings) -> Self {
        let mut scanner = Scanner::new(readable(source.bytes(), MAX_TEXT_BYTES, warnings));
        let mut skin = Self::default();
        let statements = Statements::new(source);
        while scanner.find_words() {
            skin.read_line(&mut scanner, &statements, warnings);
        }
        statements.finish();
        if let Some((line, what)) = scanner.unclosed {
            warnings.add_line(WarningKind::Companion, line, format!("unclosed {what}"));
        }
        skin.number_materials();
        let count = skin.surfaces.len();
        if count > USUAL_SURFACES {
            warnings.add(
                WarningKind::Companion,
                "",
                format!("the skin names {count} surfaces; the games read only {USUAL_SURFACES}"),
            );
        }
        skin
    }

    /// Parses a table of skins: `surface,skin 0,skin 1,…`, one skin in each column (vkQuake `gl_model.c`,
    /// `Mod_AppendMD3SkinFile`). The first line of a surface counts. Lines without a skin are skipped.
    #[must_use]
    pub fn parse_columns(bytes: &[u8], warnings: &mut Warnings) -> Vec<Self> {
        let bytes = readable(bytes, MAX_TEXT_BYTES, warnings);
        let mut skins: Vec<Self> = Vec::new();
        let mut entries = 0;
        'lines: for (line, number) in bytes.split(|byte| is_line_end(*byte)).zip(1_u32..) {
            let mut fields = line.split(|byte| *byte == b',').map(|field| utf8_or_latin1(field).trim().to_owned());
            let name = fields.next().unwrap_or_default().to_lowercase();
            let fits = |text: &str| !text.is_empty() && text.len() <= MAX_PATH_BYTES;
            for (column, path) in fields.take(MAX_SKINS).enumerate().filter(|_| fits(&name)) {
                entries += 1;
                if entries > MAX_SKIN_ENTRIES {
                    let told = format!("more than {MAX_SKIN_ENTRIES} entries; the rest are skipped");
                    warnings.add_line(WarningKind::Companion, number, told);
                    break 'lines;
                }
                if skins.len() <= column {
                    skins.push(Self::default());
                }
                if let Some(skin) = skins.get_mut(column).filter(|_| fits(&path)) {
                    let number = u32_or_max(skin.surfaces.len());
                    skin.surfaces.entry(name.as_str().into()).or_insert(Entry { number, path: path.into() });
                }
            }
        }
        // A surface with fewer images has the first one in the other skins (vkQuake and Ironwail `r_alias.c`).
        if let Some((first, others)) = skins.split_first_mut() {
            for skin in others {
                for (name, entry) in &first.surfaces {
                    skin.surfaces.entry(name.clone()).or_insert_with(|| entry.clone());
                }
            }
        }
        skins.iter_mut().for_each(Self::number_materials);
        skins
    }

    /// Returns a skin with the entries of several files. If several files name a surface, the first applies.
    #[must_use]
    pub fn combined<'f>(files: impl IntoIterator<Item = &'f Self>) -> Self {
        let mut all = Self::default();
        for file in files {
            let first = u32_or_max(all.paths.len());
            for (name, entry) in &file.surfaces {
                let number = first.saturating_add(entry.number);
                all.surfaces.entry(name.clone()).or_insert(Entry { number, path: entry.path.clone() });
            }
            all.paths.extend_from_slice(&file.paths);
            all.accessories.extend_from_slice(&file.accessories);
            all.scale = all.scale.or(file.scale);
        }
        all.number_materials();
        all
    }

    /// Reads the file that turns surfaces on and off: lines `surfOff a,b` and `surfOn c`. All surfaces are turned off
    /// first (OpenJK `cg_players.c`, `CG_ParseSurfsFile` and `CG_RegisterClientModelname`).
    pub fn switch_surfaces(&mut self, bytes: &[u8]) {
        let mut scanner = Scanner::new(readable(bytes, MAX_TEXT_BYTES, &mut Warnings::default()));
        let mut turned_on = Vec::new();
        while scanner.find_words() {
            let word = utf8_or_latin1(scanner.word().unwrap_or_default()).to_lowercase();
            let mut value = scanner.word();
            while let Some(names) = value {
                let names = utf8_or_latin1(names).to_lowercase();
                let names = names.split([' ', '\t', ',']).filter(|name| !name.is_empty());
                for name in names.take(MAX_SKIN_ENTRIES.saturating_sub(self.switched.len() + turned_on.len())) {
                    match word.as_str() {
                        SURFACES_OFF => {
                            self.switched.insert(name.into(), false);
                        }
                        SURFACES_ON => turned_on.push(name.to_owned()),
                        _ => {}
                    }
                }
                value = if scanner.comma() { scanner.word() } else { None };
            }
            scanner.skip_line();
        }
        self.switched.extend(turned_on.into_iter().map(|name| (name.into(), true)));
    }

    /// Returns whether a `.g2skin` file is for the model with this file name without extension, in lower case.
    pub(super) fn is_for(&self, model: &str) -> bool {
        self.models.iter().any(|own| own == model)
    }

    /// Creates a skin of Doom 3, which replaces materials. An entry after one for all materials (`*`) has no effect.
    pub(crate) fn for_materials(entries: impl IntoIterator<Item = (String, String)>) -> Self {
        let mut skin = Self { names_materials: true, ..Self::default() };
        for ((from, path), number) in entries.into_iter().zip(0..) {
            let entry = Entry { number, path: path.into() };
            if from == "*" {
                skin.others = Some(entry);
                break;
            }
            skin.surfaces.entry(plain_name(Kind::Doom3, &from).into()).or_insert(entry);
        }
        skin.number_materials();
        skin
    }

    /// Returns the names under which [`Self::for_materials`] may have an entry for a material.
    pub(crate) fn keys_of_material(material: &str) -> [String; 2] {
        [plain_name(Kind::Doom3, material), material.to_lowercase()]
    }

    /// Returns the names of the surfaces or materials that have an entry.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.surfaces.keys().map(AsRef::as_ref)
    }

    /// Returns the material in place of another one, and its number. The entry for all materials does not apply to
    /// surfaces that are not drawn (dhewm3 `DeclSkin.cpp`, `RemapShaderBySkin`).
    pub(crate) fn material_for(&self, material: &str, is_drawn: bool) -> Option<(&str, u32)> {
        let entry = self.surfaces.get(plain_name(Kind::Doom3, material).as_str());
        let entry = entry.or_else(|| self.surfaces.get(material.to_lowercase().as_str()));
        let entry = entry.or(self.others.as_ref().filter(|_| is_drawn));
        entry.map(|entry| (entry.path.as_ref(), entry.number))
    }

    /// Returns whether the skin turns a surface on or off. `None` if it does neither.
    pub(super) fn is_switched_on(&self, surface: &str) -> Option<bool> {
        self.switched.get(surface.to_lowercase().as_str()).copied()
    }

    /// Reads the entries of a line: usually one, but games do not require a line end between entries.
    fn read_line(&mut self, scanner: &mut Scanner, statements: &Statements, warnings: &mut Warnings) {
        let end = |scanner: &Scanner, name: &str| statements.end_at(scanner.cursor.at() as u64, || name.to_owned());
        let end_line = |scanner: &mut Scanner, name: &str| {
            let last = scanner.skip_line();
            statements.end_at(last as u64, || name.to_owned());
        };
        let mut is_first = true;
        loop {
            let line = scanner.cursor.line();
            let Some(name) = scanner.word() else {
                if !scanner.comma() {
                    return;
                }
                continue;
            };
            let name = utf8_or_latin1(name).trim().to_lowercase();
            let has_comma = scanner.comma();
            // The line of a tag has no path.
            if name.contains("tag_") {
                if scanner.word().is_some() {
                    let message = format!(
                        "“{}” counts as a tag; Quake III reads the rest of the line as other entries; line skipped",
                        shortened(&name)
                    );
                    warnings.add_line(WarningKind::Companion, line, message);
                }
                return end_line(scanner, &name);
            }
            let replaced = if is_first && !has_comma && name == REPLACE { scanner.word() } else { None };
            let name = replaced.map_or(name, |name| utf8_or_latin1(name).trim().to_lowercase());
            if !has_comma && !is_first {
                return end_line(scanner, &name);
            }
            let value = scanner.word().map(|value| utf8_or_latin1(value).trim().to_owned());
            if !has_comma && value.is_none() || name.is_empty() {
                warnings.add_line(WarningKind::Companion, line, "expected a surface and a path; line skipped");
                return end_line(scanner, &name);
            }
            let value = value.unwrap_or_default();
            if name.len().max(value.len()) > MAX_PATH_BYTES {
                let message = format!("a name is longer than {MAX_PATH_BYTES} bytes; line skipped");
                warnings.add_line(WarningKind::Companion, line, message);
                return end_line(scanner, "");
            }
            if name == "playerscale" {
                self.read_scale(&value, line, warnings);
                // Some files give a number for each axis; only the first is used.
                return end_line(scanner, &name);
            }
            end(scanner, &name);
            self.add(name, value, line, warnings);
            is_first = false;
        }
    }

    fn read_scale(&mut self, value: &str, line: u32, warnings: &mut Warnings) {
        match value.parse() {
            Ok(scale) if (0.01..=100.0).contains(&scale) => self.scale = Some(scale),
            _ => warnings.add_line(
                WarningKind::Companion,
                line,
                format!("“{}” is not a scale from 0.01 to 100; skipped", shortened(value)),
            ),
        }
    }

    fn add(&mut self, name: String, path: String, line: u32, warnings: &mut Warnings) {
        if self.paths.len() + self.accessories.len() >= MAX_SKIN_ENTRIES {
            warnings.add_line(
                WarningKind::Companion,
                line,
                format!("more than {MAX_SKIN_ENTRIES} entries; the rest are skipped"),
            );
        } else if let Some((_, slot)) = name.split_once("md3_") {
            if slot.is_empty() || path.is_empty() {
                warnings.add_line(WarningKind::Companion, line, "accessory without a tag or a model; skipped");
            } else {
                self.accessories.push((slot.to_owned(), path));
            }
        } else {
            let number = u32_or_max(self.surfaces.len());
            self.paths.push(path.as_str().into());
            self.surfaces.entry(name.into()).or_insert(Entry { number, path: path.into() });
        }
    }

    fn number_materials(&mut self) {
        let mut entries: Vec<&mut Entry> = self.surfaces.values_mut().collect();
        entries.sort_by_key(|entry| entry.number);
        let mut first = HashMap::new();
        for entry in entries {
            entry.number = *first.entry(plain_name(Kind::Quake3, &entry.path)).or_insert(entry.number);
        }
    }

    /// Returns whether the file has no entries; games treat such a file as missing.
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.accessories.is_empty() && self.scale.is_none()
    }

    /// Returns the transform of the model with this skin: its scale.
    pub fn placement(&self) -> Affine3A {
        Affine3A::from_scale(Vec3::splat(self.scale.unwrap_or(1.0)))
    }

    /// Returns the path for a surface, by its name, by the name without a suffix like `_1`, or by the name with the
    /// suffix `_off`.
    pub fn path_of(&self, surface: &str) -> Option<&str> {
        self.entry_of(surface).map(|entry| entry.path.as_ref())
    }

    /// Returns the path for a surface by its number, as in Daemon.
    pub fn path_at(&self, index: usize) -> Option<&str> {
        self.paths.get(index).map(AsRef::as_ref)
    }

    pub(super) fn numbered_path_of(&self, surface: &str) -> Option<(&str, u32)> {
        self.entry_of(surface).map(|entry| (entry.path.as_ref(), entry.number))
    }

    fn entry_of(&self, surface: &str) -> Option<&Entry> {
        self.surfaces.get(self.name_of_entry(surface)?)
    }

    /// Returns whether Quake III finds no entry for a surface of an MD3 or MDC although the file names the surface. The
    /// game removes a suffix like `_1` from the surface's name only (ioquake3 `tr_model.c`, `R_LoadMD3`).
    pub(super) fn names_suffix(&self, surface: &str) -> bool {
        let name = surface.to_lowercase();
        self.surfaces.contains_key(name.as_str()) && cut(&name).is_some_and(|cut| !self.surfaces.contains_key(cut))
    }

    fn name_of_entry(&self, surface: &str) -> Option<&str> {
        let name = surface.to_lowercase();
        let found = self.surfaces.get_key_value(name.as_str()).or_else(|| self.surfaces.get_key_value(cut(&name)?));
        // The game ignores lines that turn off a surface that is off already.
        let of_off = || {
            let entry = self.surfaces.get_key_value(format!("{name}{OFF_SUFFIX}").as_str());
            entry.filter(|(_, entry)| &*entry.path != OFF)
        };
        found.or_else(of_off).map(|(name, _)| name.as_ref())
    }
}

/// Returns a name without its suffix like `_1`; `None` if it has none.
fn cut(name: &str) -> Option<&str> {
    name.char_indices().rev().nth(1).filter(|(at, c)| *c == '_' && *at > 0).map(|(at, _)| &name[..at])
}

/// A new name for a surface in `.skin` files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceRename {
    /// Old name of the surface.
    pub old: String,
    /// New name of the surface.
    pub new: String,
    /// Whether another surface uses the old entry, which is then kept.
    pub keeps_old: bool,
}

/// Renames surfaces in the bytes of a `.skin` file. Returns `None` if the file names none of them.
pub fn rename_surfaces(bytes: &[u8], renames: &[SurfaceRename]) -> Option<Vec<u8>> {
    let skin = SkinFile::parse(bytes);
    // An entry without a suffix like `_1` applies to all surfaces that differ only in the suffix.
    let entries: Vec<(&str, bool, &SurfaceRename)> = renames
        .iter()
        .filter(|rename| !rename.old.eq_ignore_ascii_case(&rename.new))
        .filter_map(|rename| {
            let name = skin.name_of_entry(&rename.old)?;
            Some((name, rename.keeps_old || !name.eq_ignore_ascii_case(&rename.old), rename))
        })
        .collect();
    let mut written = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    let mut done: Vec<&str> = Vec::new();
    let text = |range: Range<usize>| bytes.get(range).unwrap_or_default();
    for EntryText { command, surface, rest, .. } in entry_texts(bytes) {
        let name = lowered(text(surface.clone()));
        // If several entries have one name, only the first is renamed.
        if done.contains(&name.as_str()) {
            continue;
        }
        for (entry, keeps, rename) in entries.iter().filter(|(entry, ..)| *entry == name) {
            let new = rename.new.as_bytes();
            if *keeps {
                written.extend_from_slice(text(copied..rest.end));
                let copy = [b"\n".as_slice(), command.as_bytes(), new, text(rest.clone())];
                copy.into_iter().for_each(|part| written.extend_from_slice(part));
                copied = rest.end;
            } else {
                written.extend_from_slice(text(copied..surface.start));
                written.extend_from_slice(new);
                copied = surface.end;
            }
            done.push(entry);
        }
    }
    written.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    (!done.is_empty()).then_some(written)
}

/// Sets the path of surfaces in the bytes of a `.skin` file. Returns `None` if the file names none of them.
pub fn set_paths(bytes: &[u8], surfaces: &[String], path: &str) -> Option<Vec<u8>> {
    let skin = SkinFile::parse(bytes);
    let names: HashSet<&str> = surfaces.iter().filter_map(|surface| skin.name_of_entry(surface)).collect();
    let mut entries = entry_texts(bytes);
    // If several entries have one name, the games read only the first.
    let mut done = HashSet::new();
    entries.retain(|entry| {
        let name = lowered(bytes.get(entry.surface.clone()).unwrap_or_default());
        names.contains(name.as_str()) && done.insert(name)
    });
    let path = path.replace('"', "");
    let needs_quotes = path.contains([',', ' ', '\t']) || path.contains("//") || path.contains("/*");
    let quoted = format!("\"{path}\"");
    let mut written = bytes.to_vec();
    for entry in entries.iter().rev() {
        let is_quoted = bytes.get(..entry.path.start).is_some_and(|before| before.ends_with(b"\""));
        let path = if needs_quotes && !is_quoted { &quoted } else { &path };
        written.splice(entry.path.clone(), path.bytes());
    }
    (!entries.is_empty()).then_some(written)
}

/// Location of an entry in the bytes of a file.
struct EntryText {
    /// Text before the surface.
    command: &'static str,
    surface: Range<usize>,
    path: Range<usize>,
    /// Text after the surface.
    rest: Range<usize>,
}

fn lowered(surface: &[u8]) -> String {
    utf8_or_latin1(surface).trim().to_lowercase()
}

fn entry_texts(bytes: &[u8]) -> Vec<EntryText> {
    let range = |word: &[u8]| {
        let start = word.as_ptr() as usize - bytes.as_ptr() as usize;
        start..start + word.len()
    };
    let mut scanner = Scanner::new(bytes);
    let mut entries = Vec::new();
    while scanner.find_words() {
        let Some(mut word) = scanner.word() else {
            scanner.comma();
            continue;
        };
        let mut rest = scanner.cursor.at();
        let mut command = "";
        if !scanner.comma() {
            match scanner.word().filter(|_| word == REPLACE.as_bytes()) {
                Some(replaced) => (word, rest, command) = (replaced, scanner.cursor.at(), "replace "),
                None => {
                    scanner.skip_line();
                    continue;
                }
            }
        }
        let before = scanner.cursor.at();
        let path = scanner.word().map_or(before..before, range);
        entries.push(EntryText { command, surface: range(word), path, rest: rest..scanner.cursor.at() });
    }
    entries
}

/// Tokenizer for skins. Words end only at white space or a comma, because paths may contain brackets.
struct Scanner<'a> {
    cursor: Cursor<'a>,
    unclosed: Option<(u32, &'static str)>,
}

impl<'a> Scanner<'a> {
    fn new(bytes: &'a [u8]) -> Self {
        let mut cursor = Cursor::new(bytes, 1);
        if bytes.starts_with(b"\xef\xbb\xbf") {
            cursor.skip(3);
        }
        Self { cursor, unclosed: None }
    }

    fn skip_blank(&mut self) {
        loop {
            self.cursor.take_while(|byte| byte <= b' ' && !is_line_end(byte));
            let rest = self.cursor.rest();
            if rest.starts_with(b"//") {
                self.cursor.take_while(|byte| !is_line_end(byte));
            } else if rest.starts_with(b"/*") {
                let length = rest.windows(2).skip(2).position(|two| two == b"*/");
                if length.is_none() {
                    self.unclosed = self.unclosed.or(Some((self.cursor.line(), "comment")));
                }
                self.cursor.advance(length.map_or(rest.len(), |length| length + 4));
            } else {
                return;
            }
        }
    }

    fn find_words(&mut self) -> bool {
        loop {
            self.skip_blank();
            match self.cursor.here() {
                Some(byte) if is_line_end(byte) => self.cursor.advance(1),
                other => return other.is_some(),
            }
        }
    }

    fn word(&mut self) -> Option<&'a [u8]> {
        self.skip_blank();
        match self.cursor.here()? {
            b',' => None,
            byte if is_line_end(byte) => None,
            b'"' => {
                let line = self.cursor.line();
                self.cursor.advance(1);
                let word = self.cursor.take_while(|byte| byte != b'"' && !is_line_end(byte));
                if self.cursor.here() == Some(b'"') {
                    self.cursor.advance(1);
                } else {
                    self.unclosed = self.unclosed.or(Some((line, "quoted text")));
                }
                Some(word)
            }
            _ => Some(self.cursor.take_while(|byte| byte > b' ' && byte != b',')),
        }
    }

    /// Takes a comma, if it comes next on the line.
    fn comma(&mut self) -> bool {
        self.skip_blank();
        let found = self.cursor.here() == Some(b',');
        if found {
            self.cursor.advance(1);
        }
        found
    }

    /// Skips the rest of the line, and comments that continue beyond it. Returns the end of the last word or comma.
    fn skip_line(&mut self) -> usize {
        let mut end = self.cursor.at();
        while self.word().is_some() || self.comma() {
            end = self.cursor.at();
        }
        end
    }
}

fn is_line_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Returns whether a path in a skin hides its surface.
pub fn hides(path: &str) -> bool {
    let name = split_extension(name_of(path)).0;
    path.is_empty() || path == OFF || HIDING.iter().any(|hiding| name.eq_ignore_ascii_case(hiding))
}

/// Returns the name of the skin in a `file` named after `model`: `lower_red.skin` is `red` of `lower.md3` and of its
/// LOD `lower_1.md3`, `flags.md3_0.skin` is `0` of `flags.md3`.
pub fn skin_name<'f>(file: &'f str, model: &str) -> Option<&'f str> {
    let (stem, extension) = split_extension(file);
    if !extension.eq_ignore_ascii_case("skin") {
        return None;
    }
    skin_starts(model).into_iter().find_map(|start| {
        let (head, rest) = stem.split_at_checked(start.len())?;
        head.eq_ignore_ascii_case(start).then(|| rest.strip_prefix('_')).flatten().filter(|name| !name.is_empty())
    })
}

/// Prefixes of the names of a model's skins: the file name, its stem, and the stem of the finest level of detail.
pub(super) fn skin_starts(model: &str) -> [&str; 3] {
    let (own, _) = split_extension(model);
    let finest = own.strip_suffix("_1").or_else(|| own.strip_suffix("_2")).unwrap_or(own);
    [model, own, finest]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_are_numbered_by_first_mention() {
        let skin = SkinFile::parse(b"z,x/1\nb,x/2\nc,X/1.tga\nz,x/9\na,x/3");
        let numbers = ["z", "b", "c", "a"].map(|surface| skin.numbered_path_of(surface));
        assert_eq!(numbers, [Some(("x/1", 0)), Some(("x/2", 1)), Some(("X/1.tga", 0)), Some(("x/3", 3))]);
    }

    fn renamed(file: &str, old: &str, new: &str, keeps_old: bool) -> Option<String> {
        let rename = SurfaceRename { old: old.to_owned(), new: new.to_owned(), keeps_old };
        rename_surfaces(file.as_bytes(), &[rename]).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn renaming_surface_changes_only_its_entry() {
        let file = "// U_torso, the old one\r\ntag_head,\r\n\"U_Torso\" , models/u_torso.tga\r\nu_arms,models/arms.tga";
        let changed = file.replacen("\"U_Torso\"", "\"chest\"", 1);
        assert_eq!(renamed(file, "u_torso", "chest", false), Some(changed));
        assert_eq!(renamed(file, "u_leg", "chest", false), None);
        assert_eq!(renamed(file, "u_arms", "u_arms", false), None);
        assert_eq!(renamed("a,x\na,y", "a", "b", false).as_deref(), Some("b,x\na,y"));
    }

    #[test]
    fn setting_path_changes_only_first_entry_of_each_surface() {
        let file = "tag_head,\r\n\"U_Torso\" , \"models/u torso.tga\" // torso\r\nu_arms,\nreplace hat common/nodraw\nu_torso,b";
        let set = |names: &[&str]| {
            let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
            set_paths(file.as_bytes(), &names, "new/x").map(|bytes| String::from_utf8(bytes).unwrap())
        };
        assert_eq!(set(&["u_torso_1"]), Some(file.replacen("models/u torso.tga", "new/x", 1)));
        assert_eq!(
            set(&["u_arms", "Hat"]),
            Some(file.replace("u_arms,", "u_arms,new/x").replace("common/nodraw", "new/x"))
        );
        assert_eq!(set(&["u_leg"]), None);
        let quoted = set_paths(b"a,x\nb,\"y\"", &["a".to_owned(), "b".to_owned()], "p q,r");
        assert_eq!(quoted.as_deref(), Some(b"a,\"p q,r\"\nb,\"p q,r\"".as_slice()));
    }

    #[test]
    fn renaming_copies_entry_that_other_surfaces_use() {
        assert_eq!(renamed("l_leg,a.tga\nc,b", "l_leg", "shin", true).as_deref(), Some("l_leg,a.tga\nshin,a.tga\nc,b"));
        // The entry also applies to l_leg_2.
        assert_eq!(
            renamed("\"l_leg\",a.tga", "l_leg_1", "shin", false).as_deref(),
            Some("\"l_leg\",a.tga\nshin,a.tga")
        );
    }

    #[test]
    fn renaming_surface_changes_replace_line() {
        let file = "replace \"Helmet\" \"a.tga\" // a helmet\nreplace visor common/nodraw";
        assert_eq!(renamed(file, "helmet", "hat", false), Some(file.replace("Helmet", "hat")));
        assert_eq!(renamed(file, "visor", "glass", true), Some(format!("{file}\nreplace glass common/nodraw")));
    }
}
