//! MD5 (Doom 3): a text mesh whose vertices are attached to joints by weights, and text animations of the joints.
//!
//! Source of the grammar: the published description "MD5 (Henry)", corrected where the engine and real files disagree:
//!
//! - If rounding makes the sum n of the squares of x, y and z larger than 1, the w of a quaternion is −√|1−n|, not 0.
//! - Frames are blended joint by joint before the skeleton is composed.
//! - A clip has one interval fewer than frames.
//! - Many exporters omit lines that the description requires.
//!
//! The modules are:
//!
//! - [`mesh`]: `.md5mesh`, read by [`load`].
//! - [`anim`]: `.md5anim`, read by [`load_animation`] for a loaded mesh.

pub mod anim;
pub mod mesh;
mod write;

use crate::convert;
use crate::formats::{FormatDef, FormatWriter};
use glam::Vec3;

pub use anim::{check_animation, load_animation};
pub use mesh::load;
pub use write::write;

use super::unusable_numbers::{UnusableNumbers, finite};
use crate::error::{Fault, FilePosition, LoadError, Reason, Warning, WarningKind, Warnings};
use crate::model::{AnimationFiles, Companions, JointStorage, Precision, ScriptOrder, SurfaceStorage, u32_or_max};
use crate::text::Lexer;

/// Doom 3, text, version 10.
pub(crate) static FORMAT: FormatDef = FormatDef {
    name: "md5",
    title: "MD5",
    extensions: &["md5mesh"],
    media_type: "model/x-doom3-md5mesh",
    signature: "MD5Version 10",
    keyword: Some("numMeshes"),
    game: "Doom 3",
    version: 10,
    usual_rate: 24.0,
    sample: Some("umber.md5mesh"),
    is_text: true,
    surfaces: SurfaceStorage::Unnamed,
    joints: JointStorage::Skeleton,
    precision: Precision::Decimals,
    stores_normals: false,
    companions: Companions { animations: AnimationFiles::Below("md5anim"), clip_lists: false, skins: false },
    scripts: ScriptOrder::Doom3First,
    alpha_without_script: true,
    looks_like: Some(looks_like_mesh),
    animation: Some(|bytes, name, model, warnings| load_animation(bytes, name, model, warnings).map(Into::into)),
    writer: Some(FormatWriter {
        model_name: "Doom 3 model",
        holds: "joints, surfaces on them, and a file for each animation",
        write,
        convert: convert::md5::convert,
        // Six numbers as text.
        bytes_of_frame: |counts, _| counts.joints * 60,
        sampling_rate: 24.0,
    }),
    ..FormatDef::plain(load)
};

/// Maximum squared length of a stored orientation. Rounding explains lengths up to it.
const MAX_SQUARE: f32 = 1.0001;

/// Frames per second of the bind pose, and of animations without a rate.
pub const DEFAULT_RATE: f32 = FORMAT.usual_rate;

mod limits {
    pub const JOINTS: u32 = 1 << 16;
    pub const MESHES: u32 = 1 << 16;
    pub const VERTICES: u32 = 1 << 24;
    pub const TRIANGLES: u32 = 1 << 25;
    pub const FRAMES: u32 = 1 << 20;
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Mesh,
    Animation,
}

/// Returns whether these are the bytes of an `.md5mesh`, or of another MD5 that the mesh loader refuses with a reason.
pub fn looks_like_mesh(bytes: &[u8]) -> bool {
    kind(bytes) == Some(Kind::Mesh)
}

/// Returns whether these are the bytes of an `.md5anim`.
pub fn looks_like_animation(bytes: &[u8]) -> bool {
    kind(bytes) == Some(Kind::Animation)
}

fn kind(bytes: &[u8]) -> Option<Kind> {
    let mut lexer = Lexer::new("md5", bytes);
    let mut named = false;
    // Most likely kind of a truncated file.
    let fallback = |named: bool| named.then_some(Kind::Mesh);
    for _ in 0..8 {
        let Ok(Some(word)) = lexer.next() else { return fallback(named) };
        let Ok(value) = lexer.next() else { return fallback(named) };
        let number = value.is_some_and(|value| value.integer().is_some());
        let opens = value.is_some_and(|value| value.is("{"));
        if word.is("MD5Version") {
            named = true;
        } else if word.is("numMeshes") && number || word.is_any(&["joints", "mesh"]) && opens {
            return Some(Kind::Mesh);
        } else if word.is_any(&["numFrames", "frameRate", "numAnimatedComponents"]) && number
            || word.is_any(&["hierarchy", "bounds", "baseframe"]) && opens
        {
            // A camera also counts frames, but has no joints; the mesh loader refuses it with a reason.
            return if is_camera(lexer) { fallback(named) } else { Some(Kind::Animation) };
        } else if !(word.is("numJoints") && number || word.is("commandline") && value.is_some()) {
            return fallback(named);
        }
    }
    fallback(named)
}

fn is_camera(mut lexer: Lexer) -> bool {
    for _ in 0..6 {
        match lexer.next() {
            Ok(Some(word)) if word.is_any(&["numCuts", "cuts", "camera"]) => return true,
            Ok(Some(_)) => {}
            _ => return false,
        }
    }
    false
}

fn read_version(lexer: &mut Lexer) -> Result<i32, LoadError> {
    let before = *lexer;
    let version = lexer.parse_integer("MD5Version")?;
    let refuse = |reason: Reason| match before.peek() {
        Ok(Some(token)) => before.error_at(&token, "MD5Version", reason),
        _ => before.error("MD5Version", reason),
    };
    match version {
        10 => Ok(10),
        6 => {
            Err(refuse(Reason::Broken("version 6 (the Doom 3 alpha) is not supported; expected version 10".to_owned())))
        }
        11 => {
            let why = "version 11 (Enemy Territory: Quake Wars) is not supported; expected version 10";
            Err(refuse(Reason::Broken(why.to_owned())))
        }
        found => Err(refuse(Reason::UnsupportedVersion { found, supported: "10".to_owned() })),
    }
}

fn read_parent(
    lexer: &mut Lexer,
    own: usize,
    name: &str,
    fault: Fault,
    warnings: &mut Warnings,
) -> Result<Option<u32>, LoadError> {
    let parent = lexer.parse_integer("parent")?;
    match u32::try_from(parent) {
        Ok(parent) if (parent as usize) < own => Ok(Some(parent)),
        _ if parent == -1 => Ok(None),
        _ => {
            let message = format!("the parent {parent} does not precede the joint; the joint becomes a root");
            // Doom 3 accepts every negative number for a root.
            let fault = (parent >= 0).then_some(fault);
            let about = format!("joint {own} “{name}”");
            warnings.push(Warning { fault, ..Warning::new(WarningKind::Substituted, about, message) });
            Ok(None)
        }
    }
}

fn read_vec3(lexer: &mut Lexer, field: &str, broken: &mut UnusableNumbers) -> Result<Vec3, LoadError> {
    let numbers = lexer.parse_vector::<3>(field)?;
    Ok(Vec3::from_array(numbers.map(|number| finite(number, broken))))
}

#[derive(Clone, Copy)]
struct Count {
    value: u32,
    position: FilePosition,
}

impl Count {
    fn for_count(found: usize) -> Self {
        Self { value: u32_or_max(found), position: FilePosition::Whole }
    }

    fn read(lexer: &mut Lexer, field: &str, max: u32) -> Result<Self, LoadError> {
        let position = lexer.peek()?.map_or(lexer.position(), |token| token.position());
        Ok(Self { value: lexer.parse_count(field, max)?, position })
    }

    fn check(self, field: &str, found: usize, about: &str, warnings: &mut Warnings) -> Result<(), LoadError> {
        let declared = self.value;
        if found < declared as usize {
            let why = format!("expected {declared}, found only {found}");
            return Err(LoadError::new("md5", field, self.position, Reason::Broken(why)));
        }
        if found > declared as usize {
            let message = format!("{field} is {declared}, but the file has {found}; all are used");
            warnings.push(Warning {
                fault: Some(Fault::SurplusEntries),
                position: self.position,
                ..Warning::new(WarningKind::Inconsistent, about, message)
            });
        }
        Ok(())
    }
}
