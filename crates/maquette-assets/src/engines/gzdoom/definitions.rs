//! Parser of GZDoom's `MODELDEF`: which models an actor shows, with textures, scale and frames.
//!
//! A definition `Model ACTOR { … }` is a list of settings. Each `Frame` or `FrameIndex` line is a use of the models with
//! the settings so far; later settings apply to later lines. Words are case-insensitive, `\` counts as `/`.
//! Source: GZDoom `src/r_data/models.cpp` (`ParseModelDefLump`), `sc_man_scanner.re`; the implementation is independent.

use std::collections::BTreeMap;

use glam::{Affine3A, Quat, Vec3};

use crate::limits::MAX_DECLARATIONS;
use crate::vfs::join;
use maquette_core::error::{LoadError, WarningKind, Warnings};
use maquette_core::limits::{MAX_PATH_BYTES, MAX_TEXT_BYTES};
use maquette_core::text::{Dialect, Lexer, Token, readable};

/// Contents of a `MODELDEF` file.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ModelDef {
    /// Uses in file order.
    pub uses: Vec<ModelUse>,
    /// Paths of included files, from the root.
    pub includes: Vec<String>,
    /// Indices of uses and of the model in each, by the model's path in lower case.
    pub by_model: BTreeMap<String, Vec<(usize, u32)>>,
}

/// Models that an actor shows together.
#[derive(Clone, Debug, PartialEq)]
pub struct ModelUse {
    /// Name of the actor's class.
    pub actor: String,
    /// Models by index.
    pub models: BTreeMap<u32, DefinedModel>,
    /// Scale along the models' axes.
    pub scale: Vec3,
    /// Offset in units, which the scale does not change.
    pub offset: Vec3,
    /// Yaw, pitch and roll in degrees. A positive pitch turns the nose up.
    pub angles: [f32; 3],
    /// Frames of the states that show the models.
    pub frames: Vec<StateFrame>,
}

impl Default for ModelUse {
    fn default() -> Self {
        Self {
            actor: String::new(),
            models: BTreeMap::new(),
            scale: Vec3::ONE,
            offset: Vec3::ZERO,
            angles: [0.0; 3],
            frames: Vec::new(),
        }
    }
}

impl ModelUse {
    /// Returns the transform of the models relative to the actor (GZDoom `src/r_data/models.cpp`, `RenderModel`). A
    /// scale close to 0 is ignored.
    pub fn placement(&self) -> Affine3A {
        let scale = if self.scale.abs().min_element() > MIN_SCALE { self.scale } else { Vec3::ONE };
        let [yaw, pitch, roll] = self.angles.map(f32::to_radians);
        let turn = Quat::from_rotation_z(yaw) * Quat::from_rotation_y(-pitch) * Quat::from_rotation_x(roll);
        Affine3A::from_translation(self.offset) * Affine3A::from_scale(scale) * Affine3A::from_quat(turn)
    }
}

/// A model of a definition. Paths begin at the root.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct DefinedModel {
    /// Path of the model.
    pub path: String,
    /// Texture of the whole model.
    pub skin: Option<DefinedImage>,
    /// Textures of single surfaces, used if there is no `skin`.
    pub surface_skins: BTreeMap<u32, DefinedImage>,
    /// Path of the model whose frames move this one (IQM).
    pub animation: Option<String>,
}

/// Name of a texture. The game looks for it in the folder set by `Path` first, then at the name itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DefinedImage {
    /// Folder set by `Path`; empty for the root.
    pub folder: String,
    /// Name in the definition.
    pub name: String,
}

/// Frame of a model in a state of an actor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StateFrame {
    /// Sprite of the state, four letters.
    pub sprite: String,
    /// Letters of the sprite's frames.
    pub letters: String,
    /// Index of the model.
    pub model: u32,
    /// Frame of the model.
    pub frame: FrameName,
}

/// Frame of a model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FrameName {
    /// Number of the frame.
    Index(u32),
    /// Name of the frame.
    Name(String),
    /// No frame: a negative number. GZDoom does not draw the model in the state (`models_md3.cpp`, `RenderFrame`).
    Hidden,
}

/// Parses a file. Unknown and incomplete settings are skipped with a warning.
pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> ModelDef {
    let bytes = readable(bytes, MAX_TEXT_BYTES, warnings);
    let mut parser = Parser {
        lexer: Lexer::with("MODELDEF", Dialect::Hexen, bytes),
        result: ModelDef::default(),
        lines: 0,
        entries: 0,
        warnings: &mut *warnings,
    };
    let outcome = parser.file();
    let Parser { mut result, lines, .. } = parser;
    for (number, used) in result.uses.iter().enumerate() {
        for (index, model) in &used.models {
            result.by_model.entry(model.path.to_lowercase()).or_default().push((number, *index));
        }
    }
    if let Err(error) = outcome {
        warnings.add_error(WarningKind::LeftOut, "", format!("the rest was skipped: {error}"), &error);
    }
    if lines >= MAX_DECLARATIONS {
        warnings.add(
            WarningKind::LeftOut,
            "",
            format!("there are more than {MAX_DECLARATIONS} lines; the rest was skipped"),
        );
    }
    result
}

struct Parser<'a, 'w> {
    lexer: Lexer<'a>,
    warnings: &'w mut Warnings,
    result: ModelDef,
    lines: usize,
    /// Number of models and textures in all uses. A short file may have many, because every use repeats those of its
    /// definition.
    entries: usize,
}

/// Settings that a use depends on.
#[rustfmt::skip]
const SETTINGS: [&str; 11] = [
    "path", "model", "animation", "skin", "surfaceskin", "scale", "offset", "zoffset", "angleoffset", "pitchoffset",
    "rolloffset",
];
/// Settings that are known and not shown, with the numbers of values.
#[rustfmt::skip]
const OTHER_SETTINGS: [(&str, usize); 20] = [
    ("rotation-speed", 1), ("rotation-vector", 3), ("rotation-center", 3), ("rotating", 0), ("ignoretranslation", 0),
    ("pitchfrommomentum", 0), ("inheritactorpitch", 0), ("inheritactorroll", 0), ("useactorpitch", 0),
    ("useactorroll", 0), ("noperpixellighting", 0), ("scaleweaponfov", 0), ("modelsareattachments", 0),
    ("interpolatedoubledframes", 0), ("nointerpolation", 0), ("dontcullbackfaces", 0), ("forcecullbackfaces", 0),
    ("userotationcenter", 0), ("correctpixelstretch", 0), ("baseframe", 0),
];
/// Smallest factor of a scale.
const MIN_SCALE: f32 = 1e-6;
/// Largest index of a model in a definition, and of a surface (GZDoom `MD3_MAX_SURFACES`).
const MAX_MODEL_INDEX: u32 = 31;

impl<'a> Parser<'a, '_> {
    fn file(&mut self) -> Result<(), LoadError> {
        while let Some(token) = self.lexer.next()? {
            if token.is("#include") {
                let path = self.text()?;
                self.lines += 1;
                self.result.includes.extend(path.map(|path| slashes(&path)));
            } else if token.is("model") {
                let actor = self.text()?.unwrap_or_default();
                if self.lexer.check("{")? {
                    self.definition(actor)?;
                }
            }
            if self.lines >= MAX_DECLARATIONS {
                break;
            }
        }
        Ok(())
    }

    /// Returns the next word unless it is a bracket.
    fn text(&mut self) -> Result<Option<String>, LoadError> {
        let next = self.lexer.peek()?.filter(|token| !token.is_any(&["{", "}"]));
        if next.is_some() {
            self.lexer.next()?;
        }
        Ok(next.map(|token| token.text()).filter(|text| text.len() <= MAX_PATH_BYTES))
    }

    fn number(&mut self) -> Result<Option<f32>, LoadError> {
        Ok(self.text()?.and_then(|text| text.parse().ok()).filter(|number: &f32| number.is_finite()))
    }

    fn number_of_frame(&mut self) -> Result<Option<u32>, LoadError> {
        Ok(self.text()?.and_then(|text| text.parse().ok()))
    }

    fn index(&mut self) -> Result<Option<u32>, LoadError> {
        Ok(self.number_of_frame()?.filter(|index| *index <= MAX_MODEL_INDEX))
    }

    fn vector(&mut self) -> Result<Option<Vec3>, LoadError> {
        let numbers = [self.number()?, self.number()?, self.number()?];
        let [Some(x), Some(y), Some(z)] = numbers else { return Ok(None) };
        Ok(Some(Vec3::new(x, y, z)))
    }

    fn definition(&mut self, actor: String) -> Result<(), LoadError> {
        let mut folder = String::new();
        let mut state = ModelUse { actor, ..ModelUse::default() };
        let first = self.result.uses.len();
        loop {
            let Some(token) = self.lexer.next()? else {
                let message = format!("the definition of “{}” has no closing brace", state.actor);
                self.warnings.add(WarningKind::Inconsistent, "", message);
                break;
            };
            if token.is("}") {
                break;
            }
            self.lines += 1;
            if self.lines >= MAX_DECLARATIONS {
                break;
            }
            if token.is_any(&["frame", "frameindex"]) {
                self.frame(&token, &mut state)?;
                continue;
            }
            // The frames so far belong to the settings so far.
            if !state.frames.is_empty() && token.is_any(&SETTINGS) {
                self.finish(&state);
                state.frames.clear();
            }
            self.setting(&token, &mut folder, &mut state)?;
        }
        // A definition without frames still defines how the model looks.
        if !state.frames.is_empty() || self.result.uses.len() == first {
            self.finish(&state);
        }
        Ok(())
    }

    fn warn(&mut self, token: &Token, message: String) {
        self.warnings.add_at(WarningKind::LeftOut, "", message, token.position());
    }

    fn finish(&mut self, state: &ModelUse) {
        self.entries += state.models.values().map(|model| 1 + model.surface_skins.len()).sum::<usize>();
        if !state.models.is_empty() && self.entries <= MAX_DECLARATIONS {
            self.result.uses.push(state.clone());
        }
    }

    fn frame(&mut self, token: &Token<'a>, state: &mut ModelUse) -> Result<(), LoadError> {
        let (sprite, letters, model) = (self.text()?, self.text()?, self.index()?);
        let frame = if token.is("frame") {
            self.text()?.map(FrameName::Name)
        } else {
            self.text()?.and_then(|text| match text.parse::<i32>().ok()? {
                ..0 => Some(FrameName::Hidden),
                number => u32::try_from(number).ok().map(FrameName::Index),
            })
        };
        if let (Some(sprite), Some(letters), Some(model), Some(frame)) = (sprite, letters, model, frame) {
            state.frames.push(StateFrame { sprite, letters, model, frame });
        } else {
            self.warn(token, format!("the line “{}” is incomplete", token.text()));
        }
        Ok(())
    }

    fn setting(&mut self, token: &Token<'a>, folder: &mut String, state: &mut ModelUse) -> Result<(), LoadError> {
        let image = |folder: &str, name: String| {
            let name = slashes(&name);
            (!name.is_empty()).then(|| DefinedImage { folder: folder.to_owned(), name })
        };
        let below = |folder: &str, name: &str| join(folder, &slashes(name));
        match token.text().to_ascii_lowercase().as_str() {
            "path" => *folder = slashes(&self.text()?.unwrap_or_default()).trim_end_matches('/').to_owned(),
            "model" => {
                if let (Some(index), Some(name)) = (self.index()?, self.text()?) {
                    state.models.entry(index).or_default().path = below(folder, &name);
                }
            }
            "animation" => {
                if let (Some(index), Some(name)) = (self.index()?, self.text()?) {
                    state.models.entry(index).or_default().animation = Some(below(folder, &name));
                }
            }
            "skin" => {
                if let (Some(index), Some(name)) = (self.index()?, self.text()?) {
                    state.models.entry(index).or_default().skin = image(folder, name);
                }
            }
            "surfaceskin" => {
                if let (Some(index), Some(surface), Some(name)) = (self.index()?, self.index()?, self.text()?) {
                    let skins = &mut state.models.entry(index).or_default().surface_skins;
                    match image(folder, name) {
                        Some(image) => drop(skins.insert(surface, image)),
                        None => drop(skins.remove(&surface)),
                    }
                }
            }
            "scale" => state.scale = self.vector()?.unwrap_or(state.scale),
            "offset" => state.offset = self.vector()?.unwrap_or(state.offset),
            "zoffset" => state.offset.z = self.number()?.unwrap_or(state.offset.z),
            "angleoffset" => state.angles[0] = self.number()?.unwrap_or(state.angles[0]),
            "pitchoffset" => state.angles[1] = self.number()?.unwrap_or(state.angles[1]),
            "rolloffset" => state.angles[2] = self.number()?.unwrap_or(state.angles[2]),
            word => match OTHER_SETTINGS.iter().find(|(known, _)| *known == word) {
                Some((_, values)) => {
                    for _ in 0..*values {
                        self.text()?;
                    }
                }
                None => self.warn(token, format!("“{}” is not a setting", token.text())),
            },
        }
        Ok(())
    }
}

fn slashes(path: &str) -> String {
    path.trim().replace('\\', "/").trim_start_matches('/').to_owned()
}
