//! `.skin` files beside MD3, MDC and MDR models: which picture each surface wears.
//!
//! One entry a line, `surface,path`. Names are compared in lower case; a `_1`-like ending of a surface's name may be left
//! out, as the games cut it when they load a model. Lines for tags (`tag_head,`) name no surface. A path that ends in
//! `nodraw` or `null`, or none, hides the surface. Source: Quake III `tr_image.c` (`RE_RegisterSkin`, `CommaParse`); the same of
//! Return to Castle Wolfenstein adds accessories (`md3_hat,models/…`) and a scale (`playerscale,1.1`).

use std::collections::{BTreeMap, HashMap};

use super::script::{Kind, plain_name, shortened};
use crate::limits::MAX_SKIN_ENTRIES;
use crate::vfs::{name_of, split_extension};
use maquette_core::bytes::{Source, latin1};
use maquette_core::error::{WarningKind, Warnings};
use maquette_core::limits::{MAX_PATH_BYTES, MAX_TEXT_BYTES};
use maquette_core::model::u32_or_max;
use maquette_core::text::{Cursor, Statements, readable};

/// Names that mean that a surface is not drawn: there is no such material, and of what is not there the game draws
/// nothing.
const HIDING: [&str; 2] = ["nodraw", "null"];
/// Surfaces the games read.
const USUAL_SURFACES: usize = 256;

/// What a surface wears.
#[derive(Clone, Debug, PartialEq)]
struct Entry {
    /// Place among the entries of the file; in the end, of the first one whose path leads to the same material.
    number: u32,
    /// Path of its picture or script.
    path: Box<str>,
}

/// What a `.skin` file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SkinFile {
    /// Surface in lower case, and its entry; of equal surfaces the first counts.
    surfaces: BTreeMap<Box<str>, Entry>,
    /// Models worn: where (`hat`, `belt`, `beltl`, …), and the path of the model.
    pub accessories: Vec<(String, String)>,
    /// How many times larger the player is, 0.01 to 100.
    pub scale: Option<f32>,
}

impl SkinFile {
    /// Reads a file. What is no entry is passed over, so there is always a result.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Self {
        Self::parse_with(bytes, &mut Warnings::default())
    }

    /// Reads a file, and tells what was passed over.
    #[must_use]
    pub fn parse_with(bytes: &[u8], warnings: &mut Warnings) -> Self {
        Self::parse_from(&Source::new("skin", bytes), warnings)
    }

    /// The same of a source, whose recorder notes what is read: every entry by its surface.
    #[must_use]
    pub fn parse_from(source: &Source, warnings: &mut Warnings) -> Self {
        let mut scanner = Scanner::new(readable(source.bytes(), MAX_TEXT_BYTES, warnings));
        let mut skin = Self::default();
        let statements = Statements::of(source);
        while scanner.find_words() {
            skin.read_line(&mut scanner, &statements, warnings);
        }
        statements.finish();
        if let Some((line, what)) = scanner.unclosed {
            warnings.add_line(WarningKind::Companion, line, format!("a {what} begins here that does not end"));
        }
        skin.number_materials();
        let count = skin.surfaces.len();
        if count > USUAL_SURFACES {
            warnings.add(
                WarningKind::Companion,
                "",
                format!("it names {count} surfaces; the games read {USUAL_SURFACES}"),
            );
        }
        skin
    }

    /// The entries of a line: usually one, but the games do not ask for an end of line between two.
    fn read_line(&mut self, scanner: &mut Scanner, statements: &Statements, warnings: &mut Warnings) {
        let end = |scanner: &Scanner, name: &str| statements.end_at(scanner.cursor.at() as u64, || name.to_owned());
        // Of a line whose rest is passed over.
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
            let name = latin1(name).trim().to_lowercase();
            // The rest of such a line is empty.
            if name.contains("tag_") {
                return end_line(scanner, &name);
            }
            let has_comma = scanner.comma();
            if !has_comma && !is_first {
                return end_line(scanner, &name);
            }
            let value = scanner.word().map(|value| latin1(value).trim().to_owned());
            if !has_comma && value.is_none() || name.is_empty() {
                warnings.add_line(
                    WarningKind::Companion,
                    line,
                    "there is no surface with a path here; the line is passed over",
                );
                return end_line(scanner, &name);
            }
            let value = value.unwrap_or_default();
            if name.len().max(value.len()) > MAX_PATH_BYTES {
                let told = format!("a name here has more than {MAX_PATH_BYTES} bytes; the line is passed over");
                warnings.add_line(WarningKind::Companion, line, told);
                return end_line(scanner, "");
            }
            if name == "playerscale" {
                self.read_scale(&value, line, warnings);
                // Some files give a number for each axis.
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
                format!("“{}” is no scale from 0.01 to 100", shortened(value)),
            ),
        }
    }

    fn add(&mut self, name: String, path: String, line: u32, warnings: &mut Warnings) {
        if self.surfaces.len() + self.accessories.len() >= MAX_SKIN_ENTRIES {
            warnings.add_line(WarningKind::Companion, line, format!("there are more than {MAX_SKIN_ENTRIES} entries"));
        } else if let Some((_, place)) = name.split_once("md3_") {
            if place.is_empty() || path.is_empty() {
                warnings.add_line(
                    WarningKind::Companion,
                    line,
                    "an accessory without a place or a model; it is passed over",
                );
            } else {
                self.accessories.push((place.to_owned(), path));
            }
        } else {
            let number = u32_or_max(self.surfaces.len());
            self.surfaces.entry(name.into()).or_insert(Entry { number, path: path.into() });
        }
    }

    /// Gives entries of the same material the number of the first of them.
    fn number_materials(&mut self) {
        let mut entries: Vec<&mut Entry> = self.surfaces.values_mut().collect();
        entries.sort_by_key(|entry| entry.number);
        let mut first = HashMap::new();
        for entry in entries {
            entry.number = *first.entry(plain_name(Kind::Quake3, &entry.path)).or_insert(entry.number);
        }
    }

    /// Whether it says nothing at all; games take such a file for missing.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.surfaces.is_empty() && self.accessories.is_empty() && self.scale.is_none()
    }

    /// Whether it dresses any surface.
    #[must_use]
    pub fn names_surfaces(&self) -> bool {
        !self.surfaces.is_empty()
    }

    /// The path for a surface: by its name, else by its name without a `_1`-like ending.
    #[must_use]
    pub fn path_of(&self, surface: &str) -> Option<&str> {
        self.entry_of(surface).map(|entry| entry.path.as_ref())
    }

    /// The same, and a number by which materials are sorted as the file names them first.
    pub(super) fn numbered_path_of(&self, surface: &str) -> Option<(&str, u32)> {
        self.entry_of(surface).map(|entry| (entry.path.as_ref(), entry.number))
    }

    fn entry_of(&self, surface: &str) -> Option<&Entry> {
        self.surfaces.get(self.name_of_entry(surface)?)
    }

    /// Name of the entry for a surface, in lower case.
    fn name_of_entry(&self, surface: &str) -> Option<&str> {
        let name = surface.to_lowercase();
        let cut = name.char_indices().rev().nth(1).filter(|(at, c)| *c == '_' && *at > 0).map(|(at, _)| &name[..at]);
        let found = self.surfaces.get_key_value(name.as_str()).or_else(|| self.surfaces.get_key_value(cut?));
        found.map(|(name, _)| name.as_ref())
    }
}

/// Another name of a surface in `.skin` files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SurfaceRename {
    /// Name in the files now.
    pub old: String,
    /// Name from now on.
    pub new: String,
    /// Whether another surface uses the old entry, which is kept then.
    pub keeps_old: bool,
}

/// Renames surfaces in the bytes of a `.skin` file. `None` if it names none of them.
#[must_use]
pub fn rename_surfaces(bytes: &[u8], renames: &[SurfaceRename]) -> Option<Vec<u8>> {
    let skin = SkinFile::parse(bytes);
    // An entry without a `_1`-like ending is for all surfaces that differ in that alone.
    let entries: Vec<(&str, bool, &SurfaceRename)> = renames
        .iter()
        .filter(|rename| !rename.old.eq_ignore_ascii_case(&rename.new))
        .filter_map(|rename| {
            let name = skin.name_of_entry(&rename.old)?;
            Some((name, rename.keeps_old || !name.eq_ignore_ascii_case(&rename.old), rename))
        })
        .collect();
    let mut scanner = Scanner::new(bytes);
    let mut written = Vec::with_capacity(bytes.len());
    let mut copied = 0;
    let mut done: Vec<&str> = Vec::new();
    while scanner.find_words() {
        let Some(word) = scanner.word() else {
            scanner.comma();
            continue;
        };
        let name = latin1(word).trim().to_lowercase();
        let start = word.as_ptr() as usize - bytes.as_ptr() as usize;
        let end = start + word.len();
        let after = scanner.cursor.at();
        if !scanner.comma() {
            scanner.skip_line();
            continue;
        }
        let _ = scanner.word();
        let rest = bytes.get(after..scanner.cursor.at()).unwrap_or_default();
        // Of equal entries the first one counts.
        if done.contains(&name.as_str()) {
            continue;
        }
        for (entry, keeps, rename) in entries.iter().filter(|(entry, ..)| *entry == name) {
            let new = rename.new.chars().map(|letter| u8::try_from(letter).unwrap_or(b'?'));
            if *keeps {
                written.extend_from_slice(bytes.get(copied..scanner.cursor.at()).unwrap_or_default());
                written.push(b'\n');
                written.extend(new);
                written.extend_from_slice(rest);
                copied = scanner.cursor.at();
            } else {
                written.extend_from_slice(bytes.get(copied..start).unwrap_or_default());
                written.extend(new);
                copied = end;
            }
            done.push(entry);
        }
    }
    written.extend_from_slice(bytes.get(copied..).unwrap_or_default());
    (!done.is_empty()).then_some(written)
}

/// Cuts a skin into words. They end at white space or a comma and nowhere else (paths may hold brackets, which the lexer
/// of the other formats takes for words of their own); a word in quotes ends with its line at the latest.
struct Scanner<'a> {
    cursor: Cursor<'a>,
    /// Line and kind of the first quote or comment that is not closed.
    unclosed: Option<(u32, &'static str)>,
}

impl<'a> Scanner<'a> {
    /// At the start of a file; a byte-order mark is skipped.
    fn new(bytes: &'a [u8]) -> Self {
        let mut cursor = Cursor::new(bytes, 1);
        if bytes.starts_with(b"\xef\xbb\xbf") {
            cursor.skip(3);
        }
        Self { cursor, unclosed: None }
    }

    /// Over white space and comments, not over the end of a line.
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

    /// To the next word or comma, over ends of lines too; whether there is one.
    fn find_words(&mut self) -> bool {
        loop {
            self.skip_blank();
            match self.cursor.here() {
                Some(byte) if is_line_end(byte) => self.cursor.advance(1),
                other => return other.is_some(),
            }
        }
    }

    /// The next word of the line, without quotes.
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

    /// To the end of the line, comments that go on below it included. Where the last word or comma on it ended.
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

/// Whether a path of a skin hides its surface.
#[must_use]
pub fn hides(path: &str) -> bool {
    let name = split_extension(name_of(path)).0;
    path.is_empty() || HIDING.iter().any(|hiding| name.eq_ignore_ascii_case(hiding))
}

/// The name of the skin in a file beside a model called `model` (with extension), if it is one of that model's:
/// `lower_red.skin` is `red` of `lower.md3` and of its coarser `lower_1.md3`, `flags.md3_0.skin` is `0` of `flags.md3`.
#[must_use]
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

/// What the names of a model's skins begin with, before an underscore: its own with its extension and without, and that of
/// the finest level of detail.
pub(super) fn skin_starts(model: &str) -> [&str; 3] {
    let (own, _) = split_extension(model);
    let finest = own.strip_suffix("_1").or_else(|| own.strip_suffix("_2")).unwrap_or(own);
    [model, own, finest]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn materials_are_numbered_as_the_file_names_them_first() {
        let skin = SkinFile::parse(b"z,x/1\nb,x/2\nc,X/1.tga\nz,x/9\na,x/3");
        let numbers = ["z", "b", "c", "a"].map(|surface| skin.numbered_path_of(surface));
        assert_eq!(numbers, [Some(("x/1", 0)), Some(("x/2", 1)), Some(("X/1.tga", 0)), Some(("x/3", 3))]);
    }

    fn renamed(file: &str, old: &str, new: &str, keeps_old: bool) -> Option<String> {
        let rename = SurfaceRename { old: old.to_owned(), new: new.to_owned(), keeps_old };
        rename_surfaces(file.as_bytes(), &[rename]).map(|bytes| String::from_utf8(bytes).unwrap())
    }

    #[test]
    fn a_renamed_surface_changes_its_entry_alone() {
        let file = "// U_torso, the old one\r\ntag_head,\r\n\"U_Torso\" , models/u_torso.tga\r\nu_arms,models/arms.tga";
        let changed = file.replacen("\"U_Torso\"", "\"chest\"", 1);
        assert_eq!(renamed(file, "u_torso", "chest", false), Some(changed));
        assert_eq!(renamed(file, "u_leg", "chest", false), None);
        assert_eq!(renamed(file, "u_arms", "u_arms", false), None);
        // Of equal entries the first one counts.
        assert_eq!(renamed("a,x\na,y", "a", "b", false).as_deref(), Some("b,x\na,y"));
    }

    #[test]
    fn an_entry_that_other_surfaces_use_stays() {
        assert_eq!(renamed("l_leg,a.tga\nc,b", "l_leg", "shin", true).as_deref(), Some("l_leg,a.tga\nshin,a.tga\nc,b"));
        // It is the entry of l_leg_2 as well.
        assert_eq!(
            renamed("\"l_leg\",a.tga", "l_leg_1", "shin", false).as_deref(),
            Some("\"l_leg\",a.tga\nshin,a.tga")
        );
    }
}
