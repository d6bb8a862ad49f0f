//! Parser of `md2.cfg`, `md3.cfg`, `md5.cfg` and `iqm.cfg` of the Cube engines (AssaultCube, Sauerbraten, Red Eclipse).
//!
//! The scripts list models and their textures. Commands are separated by line ends or semicolons. The parser reads,
//! with `md3` standing for any of the four:
//!
//! | command | meaning |
//! |---|---|
//! | `md3load FILE` | loads a part, to which the following commands apply; in `md2.cfg` always `tris.md2` |
//! | `md3dir NAME` | sets the folder of the paths that follow |
//! | `md3skin MESH FILE [MASK]` | texture of a mesh, `*` for all; the mask controls shine and glow |
//! | `md3bumpmap MESH FILE` | normal map of a mesh |
//! | `md3decal MESH FILE` | image drawn over the texture by its alpha (Tesseract) |
//! | `md3anim NAME FIRST COUNT [RATE]` | animation of an MD2 or MD3 |
//! | `md5anim NAME FILE [RATE]` | animation of an MD5 or IQM |
//! | `md5tag JOINT NAME` | uses a joint as a tag |
//! | `md3cullface MESH 0` | draws both sides of a mesh |
//! | `md3alphatest MESH ALPHA` | does not draw texels up to this alpha |
//! | `md3alphablend MESH 0` | does not blend texels by alpha |
//! | `mdlcullface 0`, `mdlalphatest …`, `mdlalphablend …` | like the three above, for all meshes loaded so far |
//! | `mdlscale PERCENT`, `mdlyaw DEGREES` | size and heading of all parts (IQM, whose heading is not defined) |
//! | `exec FILE` | reads another script |
//! | `NAME = [ … ]`, `NAME ARGUMENT…` | defines commands, and runs them with the arguments `$arg1`, `$arg2`, … |
//!
//! Paths are relative to the script's folder. A prefix in `<…>` is an operation on the image (`<dds>`) and is ignored.
//! A later line overrides an earlier one. Source: Sauerbraten `animmodel.h`, `vertmodel.h`, `skelmodel.h`,
//! `rendermodel.cpp` (`makerelpath`), `command.cpp` (`executeret`); Tesseract `animmodel.h` (`setdecal`); and the games'
//! files. Other commands (`mdltrans`, …) are skipped.

use std::borrow::Cow;
use std::collections::HashMap;

use glam::{Affine3A, Vec3};

use crate::engines::SurfaceState;
use crate::limits::{MAX_MODEL_FILES, MAX_SETUP_LINES, MAX_SHORT_TEXT_BYTES};
use maquette_core::budget::Budget;
use maquette_core::bytes::utf8_or_latin1;
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::limits::{MAX_NESTING, MAX_PATH_BYTES};
use maquette_core::model::{AnimationFiles, Format, is_usable};
use maquette_core::text::{Dialect, Lexer, Token, readable};

/// Path in a script.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct CubePath {
    /// Folder set by `md3dir`; `None` for the script's folder.
    pub folder: Option<String>,
    /// Path without the image operation.
    pub file: String,
}

/// Textures of a mesh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CubeSkin {
    /// Name of the mesh; `*` for all.
    pub mesh: String,
    /// Base texture.
    pub texture: CubePath,
    /// Mask of specular, glow and reflection.
    pub mask: Option<CubePath>,
}

/// Animation of a part.
#[derive(Clone, Debug, PartialEq)]
pub struct CubeAnimation {
    /// Name, or several names separated by `|`.
    pub name: String,
    /// Frames to play.
    pub frames: CubeFrames,
    /// Frames per second; `None` if the script states none.
    pub frames_per_second: Option<f32>,
}

/// Frames of an animation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CubeFrames {
    /// Frames of the model: first frame and number of frames.
    Range(u32, u32),
    /// Separate animation file.
    File(CubePath),
}

/// Model that a script loads.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct CubePart {
    /// Path of the model file.
    pub model: CubePath,
    /// Textures in file order; the last one for a mesh applies.
    pub skins: Vec<CubeSkin>,
    /// Names of meshes and their normal maps; the last one for a mesh applies.
    pub normal_maps: Vec<(String, CubePath)>,
    /// Names of meshes and the images drawn over their textures; the last one for a mesh applies.
    pub decals: Vec<(String, CubePath)>,
    /// Animations in file order.
    pub animations: Vec<CubeAnimation>,
    /// Names of joints, and the names of the tags at them.
    pub tags: Vec<(String, String)>,
    /// Names of meshes, `*` for all, and their states in file order.
    pub states: Vec<(String, SurfaceState)>,
    /// Scale and heading in the game.
    pub placement: Affine3A,
}

/// Returns the parts that a script for models of `format` loads. `read` returns the bytes of a script that the script
/// reads, by its path. Unknown text is skipped with a warning.
pub fn parse(
    bytes: &[u8],
    format: Format,
    read: &mut dyn FnMut(&str) -> Option<Vec<u8>>,
    warnings: &mut Warnings,
) -> Vec<CubePart> {
    let mut parser = Parser {
        format,
        parts: Vec::new(),
        folder: None,
        scale: 100.0,
        yaw: 0.0,
        lines: 0,
        script: None,
        scripts: 0,
        aliases: HashMap::new(),
        arguments: Vec::new(),
        depth: 0,
        executable: Budget::new(MAX_SHORT_TEXT_BYTES as u64),
        read,
        warnings,
    };
    if format == Format::Md2 {
        parser.add_default_part();
    }
    parser.script(bytes);
    let placement =
        Affine3A::from_scale(Vec3::splat(parser.scale / 100.0)) * Affine3A::from_rotation_z(parser.yaw.to_radians());
    parser.parts.iter_mut().for_each(|part| part.placement = placement);
    parser.parts
}

struct Parser<'w> {
    format: Format,
    parts: Vec<CubePart>,
    folder: Option<String>,
    /// Size in percent.
    scale: f32,
    /// Heading in degrees.
    yaw: f32,
    lines: usize,
    /// Script that the first one reads; `None` in the first one.
    script: Option<String>,
    scripts: usize,
    aliases: HashMap<String, Alias>,
    /// Arguments of the alias that runs.
    arguments: Vec<String>,
    /// Number of aliases that run within each other.
    depth: usize,
    /// Bytes of aliases that may still run. An alias may run itself twice.
    executable: Budget,
    read: &'w mut dyn FnMut(&str) -> Option<Vec<u8>>,
    warnings: &'w mut Warnings,
}

/// Commands with a name.
#[derive(Clone, Debug)]
struct Alias {
    text: Vec<u8>,
    /// Line of the first byte, and the script as in [`Parser::script`].
    line: u32,
    script: Option<String>,
}

impl Parser<'_> {
    fn script(&mut self, bytes: &[u8]) {
        let bytes = readable(bytes, MAX_SHORT_TEXT_BYTES, self.warnings);
        self.text(bytes, 1);
    }

    fn text(&mut self, bytes: &[u8], first: u32) {
        let mut lines = bytes.split(|byte| *byte == b'\n').zip(first..);
        while let Some((line, number)) = lines.next() {
            match alias_start(line) {
                Some((name, rest)) => self.define(name, rest, number, &mut lines),
                None => self.line(line, number),
            }
            if self.lines >= MAX_SETUP_LINES {
                self.warn(number, format!("more than {MAX_SETUP_LINES} lines about models; the rest are skipped"));
                break;
            }
        }
    }

    fn line(&mut self, line: &[u8], number: u32) {
        // A quoted text ends at the end of its line at the latest.
        let is_open = line.iter().filter(|byte| **byte == b'"').count() % 2 == 1;
        let closed = if is_open { Cow::Owned([line.trim_ascii_end(), b"\""].concat()) } else { Cow::Borrowed(line) };
        let expanded = self.expand(&closed);
        if let Err(error) = self.commands(Lexer::resumed("cfg", Dialect::Plain, &expanded, number)) {
            self.warn(number, format!("{}; line skipped", error.reason));
        }
    }

    /// Stores an alias. If the value opens a block, the block continues on the next lines.
    fn define<'l>(
        &mut self,
        name: String,
        mut rest: &'l [u8],
        line: u32,
        lines: &mut impl Iterator<Item = (&'l [u8], u32)>,
    ) {
        let mut text = Vec::new();
        if let Some(mut block) = rest.strip_prefix(b"[") {
            let mut depth = 1;
            rest = loop {
                if let Some(end) = end_of_block(block, &mut depth) {
                    text.extend_from_slice(block.get(..end).unwrap_or_default());
                    break block.get(end + 1..).unwrap_or_default();
                }
                text.extend_from_slice(block);
                text.push(b'\n');
                match lines.next() {
                    Some((next, _)) => block = next,
                    None => break &[],
                }
            };
        } else {
            let mut lexer = Lexer::resumed("cfg", Dialect::Plain, rest, line);
            text.extend_from_slice(lexer.next().ok().flatten().map_or(b"", |value| value.bytes));
            rest = lexer.rest().0;
        }
        self.aliases.insert(name, Alias { text, line, script: self.script.clone() });
        self.line(rest, line);
    }

    /// Runs an alias with these arguments.
    fn call(&mut self, name: &str, arguments: Vec<String>) {
        let Some(alias) = self.aliases.get(name).cloned() else { return };
        if self.depth >= MAX_NESTING || self.executable.take(alias.text.len() as u64 + 1).is_err() {
            return;
        }
        self.depth += 1;
        let outer = (std::mem::replace(&mut self.arguments, arguments), self.script.clone());
        self.script.clone_from(&alias.script);
        self.text(&alias.text, alias.line);
        (self.arguments, self.script) = outer;
        self.depth -= 1;
    }

    /// Replaces `$arg1` and `$NAME` by their values.
    fn expand<'l>(&self, line: &'l [u8]) -> Cow<'l, [u8]> {
        if !line.contains(&b'$') {
            return Cow::Borrowed(line);
        }
        let mut expanded = Vec::with_capacity(line.len());
        let (mut rest, mut is_quoted, mut is_start) = (line, false, true);
        while let Some((byte, after)) = rest.split_first() {
            let length = after.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
            let value = || self.value_of(after.get(..length)?);
            if *byte == b'$'
                && is_start
                && !is_quoted
                && expanded.len() < MAX_SHORT_TEXT_BYTES
                && let Some(value) = value()
            {
                expanded.extend_from_slice(&value);
                rest = after.get(length..).unwrap_or_default();
                continue;
            }
            is_quoted ^= *byte == b'"';
            is_start = byte.is_ascii_whitespace() || matches!(byte, b';' | b'(' | b'[');
            expanded.push(*byte);
            rest = after;
        }
        Cow::Owned(expanded)
    }

    /// Returns the value of an argument or an alias, in quotes if it would be several words. Long values are left out.
    fn value_of(&self, name: &[u8]) -> Option<Vec<u8>> {
        let name = std::str::from_utf8(name).ok()?;
        let number = name.strip_prefix("arg").and_then(|number| number.parse::<usize>().ok());
        let value = match number {
            Some(number) => self.arguments.get(number.checked_sub(1)?)?.as_bytes(),
            None => &self.aliases.get(name)?.text,
        };
        let is_word = |byte: &u8| !byte.is_ascii_whitespace() && !b"();,{}".contains(byte);
        let is_usable = value.len() <= MAX_PATH_BYTES && !value.contains(&b'"') && !value.contains(&b'\n');
        let is_plain = !value.is_empty() && value.iter().all(is_word);
        is_usable.then(|| if is_plain { value.to_vec() } else { [b"\"", value, b"\""].concat() })
    }

    fn warn(&mut self, line: u32, message: String) {
        let place = self.script.iter().fold(format!("line {line}"), |line, script| format!("{script} {line}"));
        self.warnings.add(WarningKind::LeftOut, place, message);
    }

    /// Reads another script in the place of an `exec`. A script that is missing is skipped, as in the engine.
    fn execute(&mut self, path: &str) {
        if self.scripts >= MAX_MODEL_FILES {
            return;
        }
        self.scripts += 1;
        if let Some(bytes) = (self.read)(path) {
            let outer = self.script.replace(path.to_owned());
            self.script(&bytes);
            self.script = outer;
        }
    }

    fn add_default_part(&mut self) {
        let model = CubePath { folder: None, file: format!("tris.{}", self.format.name()) };
        self.parts.push(CubePart { model, ..CubePart::default() });
    }

    /// Applies a command to all meshes of all parts. Like the engine, loads the default model if there are no parts.
    fn state_of_all(&mut self, what: &str, value: Option<f32>) {
        let Some(state) = state(what, value.unwrap_or_default()) else { return };
        self.lines += 1;
        if self.parts.is_empty() {
            self.add_default_part();
        }
        for part in &mut self.parts {
            // The command replaces all earlier ones.
            part.states.retain(|(_, known)| std::mem::discriminant(known) != std::mem::discriminant(&state));
            part.states.push(("*".to_owned(), state));
        }
    }

    fn commands(&mut self, mut lexer: Lexer) -> Result<(), LoadError> {
        while let Some(command) = lexer.next()? {
            let mut values = Vec::new();
            while let Some(value) = lexer.peek()?.filter(|next| next.line == command.line) {
                lexer.next()?;
                if value.is(";") {
                    break;
                }
                values.push(value);
            }
            if self.lines >= MAX_SETUP_LINES {
                break;
            }
            let word = command.text().to_ascii_lowercase();
            match (word.strip_prefix(self.format.name()), word.strip_prefix("mdl")) {
                _ if command.quoted => {}
                _ if self.aliases.contains_key(&command.text()) => {
                    let short = values.iter().filter(|value| value.bytes.len() <= MAX_PATH_BYTES);
                    self.call(&command.text(), short.map(Token::text).collect());
                }
                (Some(what), _) => {
                    if let Some(trouble) = self.command(what, &values) {
                        self.warn(command.line, trouble);
                    }
                }
                (None, Some(what)) => {
                    let value = values.first().and_then(Token::number);
                    match (what, value.filter(|number| self.format == Format::Iqm && is_usable(*number))) {
                        ("scale", Some(scale)) if scale > 0.0 => self.scale = scale,
                        ("yaw", Some(yaw)) => self.yaw = yaw,
                        _ => self.state_of_all(what, value),
                    }
                }
                (None, None) => {
                    if let (true, Some(path)) = (word == "exec", values.first()) {
                        self.execute(&path.text());
                    }
                }
            }
        }
        Ok(())
    }

    fn command(&mut self, what: &str, values: &[Token]) -> Option<String> {
        let word = |index: usize| values.get(index).map(Token::text).unwrap_or_default();
        let path = |index: usize, folder: &Option<String>| {
            let text = word(index);
            let file = if text.starts_with('<') { text.rsplit('>').next().unwrap_or_default() } else { &text };
            CubePath { folder: folder.clone(), file: file.to_owned() }
        };
        let wants = match what {
            "dir" | "load" => 1,
            "skin" | "bumpmap" | "decal" | "tag" | "anim" | "cullface" | "alphatest" | "alphablend" => 2,
            _ => return None,
        };
        if values.len() < wants || values.iter().take(wants).any(|value| value.bytes.is_empty()) {
            return Some(format!("“{}{what}” needs {wants} words; line skipped", self.format.name()));
        }
        if values.iter().take(3).any(|value| value.bytes.len() > MAX_PATH_BYTES) {
            return Some(format!("a word is longer than {MAX_PATH_BYTES} bytes; line skipped"));
        }
        self.lines += 1;
        match what {
            "dir" => {
                self.folder = Some(word(0));
                return None;
            }
            "load" if self.format == Format::Md2 => return None,
            "load" => {
                self.parts.push(CubePart { model: path(0, &self.folder), ..CubePart::default() });
                return None;
            }
            _ => {}
        }
        let has_files = self.format.traits().companions.animations != AnimationFiles::None;
        let name = self.format.name();
        let folder = self.folder.clone();
        let Some(part) = self.parts.last_mut() else {
            return Some(format!("“{name}{what}” comes before the model is loaded; line skipped"));
        };
        match what {
            "skin" => {
                let mask = values.get(2).filter(|mask| !mask.bytes.is_empty()).map(|_| path(2, &folder));
                part.skins.push(CubeSkin { mesh: word(0), texture: path(1, &folder), mask });
            }
            "bumpmap" => part.normal_maps.push((word(0), path(1, &folder))),
            "decal" => part.decals.push((word(0), path(1, &folder))),
            "cullface" | "alphatest" | "alphablend" => {
                let state = state(what, values.get(1).and_then(Token::number).unwrap_or_default());
                part.states.extend(state.map(|state| (word(0), state)));
            }
            // An MD3 stores its own tags. The engine's other tags are positions in model space.
            "tag" if has_files => part.tags.push((word(0), word(1))),
            "anim" => {
                let whole = |index: usize| values.get(index)?.integer().and_then(|number| u32::try_from(number).ok());
                let frames = if has_files {
                    CubeFrames::File(path(1, &folder))
                } else {
                    let Some(first) = whole(1) else {
                        return Some(format!("“{name}anim” needs a first frame; line skipped"));
                    };
                    CubeFrames::Range(first, whole(2).unwrap_or(1).max(1))
                };
                let rate = values.get(if has_files { 2 } else { 3 }).and_then(Token::number);
                let frames_per_second = rate.filter(|rate| rate.is_finite() && *rate > 0.0);
                // `|` separates names (Sauerbraten `rendermodel.cpp`, `matchanim`).
                let names = word(0);
                let names = names.split('|').filter(|name| !name.is_empty());
                part.animations.extend(names.map(|name| CubeAnimation {
                    name: name.to_owned(),
                    frames: frames.clone(),
                    frames_per_second,
                }));
            }
            _ => {}
        }
        None
    }
}

/// Returns the name and the value of a line that defines an alias: `NAME = VALUE` or `alias NAME VALUE`.
fn alias_start(line: &[u8]) -> Option<(String, &[u8])> {
    let is_name = |byte: &u8| !byte.is_ascii_whitespace() && !b"=\"[]();/$".contains(byte);
    let split = |text: &'_ [u8]| text.iter().position(|byte| !is_name(byte)).unwrap_or(text.len());
    let line = line.trim_ascii();
    let (name, rest) = line.split_at(split(line));
    let rest = rest.trim_ascii_start();
    let (name, value) = if name == b"alias" {
        let (name, value) = rest.split_at(split(rest));
        (name, value)
    } else {
        (name, rest.strip_prefix(b"=")?)
    };
    (!name.is_empty()).then(|| (utf8_or_latin1(name), value.trim_ascii_start()))
}

/// Returns the index of the bracket that closes a block within a line. `depth` is the number of open brackets.
fn end_of_block(line: &[u8], depth: &mut usize) -> Option<usize> {
    let mut is_quoted = false;
    for (index, byte) in line.iter().enumerate() {
        match byte {
            b'"' => is_quoted = !is_quoted,
            _ if is_quoted => {}
            b'/' if line.get(index + 1) == Some(&b'/') => return None,
            b'[' => *depth += 1,
            b']' => *depth -= 1,
            _ => {}
        }
        if *depth == 0 {
            return Some(index);
        }
    }
    None
}

fn state(what: &str, value: f32) -> Option<SurfaceState> {
    match what {
        "cullface" => Some(SurfaceState::Culls(value != 0.0)),
        "alphatest" => Some(SurfaceState::AlphaTest(value)),
        "alphablend" => Some(SurfaceState::Blends(value != 0.0)),
        _ => None,
    }
}
