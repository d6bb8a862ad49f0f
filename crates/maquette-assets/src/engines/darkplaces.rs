//! DarkPlaces, the engine of Nexuiz and Xonotic.
//!
//! Source: DarkPlaces `image.c` (`imageformats_nopath`), `gl_rmain.c` (`R_SkinFrame_LoadExternal`), `model_shared.c`.

use super::Quantity::Joints;
use super::profile::{BYTE_JOINTS, NO_ENGINE, refused};
use super::{Engine, PLAIN, Profile, QUAKE_MAPS, TextureRules, USUAL};
use crate::companions::{Declared, add_clip_list};
use crate::material::ScriptRules;
use crate::material::quake3::Arguments::Line;
use crate::material::quake3::{Word, clamp_anim_map, polygon_offset};
use crate::vfs::{Vfs, name_of, split_extension};
use maquette_core::bytes::utf8_or_latin1;
use maquette_core::error::{Fault, WarningKind, Warnings};
use maquette_core::formats::clip_list::NamedRange;
use maquette_core::limits::{MAX_CLIPS, MAX_TEXT_BYTES};
use maquette_core::model::Format::{Dpm, Iqm, Md2, Md3, Mdl, Obj, Psk, Sp2, Spr, Zym};
use maquette_core::model::Model;
use maquette_core::text::{Cursor, readable};

pub(super) static ENGINE: Engine = Engine {
    name: "DarkPlaces (Nexuiz, Xonotic)",
    short_name: "DarkPlaces",
    other_folders: &["data"],
    profile: Some(&PROFILE),
    formats: &[Mdl, Spr, Md2, Sp2, Md3, Iqm, Dpm, Zym, Psk, Obj],
    mirrors: &[Obj],
    // No other engine of these formats has compiled QuakeC in the root. A single model is recognised by the list of
    // clips in its folder.
    sign: |vfs, path, _| {
        let programs = ["progs.dat", "csprogs.dat", "menu.dat"];
        programs.iter().find_map(|name| vfs.look_up(name)).or_else(|| frame_groups(vfs, path))
    },
    textures: TextureRules {
        bare_name_folders: &["override", "textures"],
        layers: Some(QUAKE_MAPS),
        ignores_lightmaps: true,
        alpha_without_script: true,
        script: &SCRIPT,
        ..USUAL
    },
    animations: |vfs, path, format, _| {
        let path = (format == Psk).then(|| vfs.look_up(&format!("{}.psa", split_extension(path).0)))??;
        let name = split_extension(name_of(&path)).0.to_owned();
        Some((vec![Declared { keeps_names: true, ..Declared::new(name, path) }], "the folder"))
    },
    add_companions: add_frame_groups,
    ..PLAIN
};

/// Source: `model_shared.c` (`Mod_LoadQ3Shaders`), which ignores other words. `dp_water` is `dpwater`.
static SCRIPT: ScriptRules = ScriptRules {
    shader: &[
        &[
            Word::shown("dppolygonoffset", Line, polygon_offset),
            Word::shown("dp_polygonoffset", Line, polygon_offset),
            Word::hidden("sky", Line),
        ],
        DP_WORDS,
    ],
    stage: &[&[Word::shown("animclampmap", Line, clamp_anim_map)], DP_WORDS],
    values: &["blendfunc addalpha"],
    skips_unknown: true,
    skips_errors: true,
};

/// Words for shadows, reflections, water, gloss and reliefs, which are not drawn.
pub(super) const DP_WORDS: &[Word] = &[Word::hidden("dp*", Line)];

/// `model_alias.c` (`Mod_IDP2_Load`, `Mod_IDP3_Load`, `Mod_INTERQUAKEMODEL_Load`).
pub(super) static PROFILE: Profile = Profile {
    name: "darkplaces",
    title: "DarkPlaces",
    formats: &[Mdl, Spr, Md2, Sp2, Md3, Iqm, Dpm, Zym, Psk, Obj],
    limits: &[&[refused(Iqm, Joints, BYTE_JOINTS)]],
    culls_by_frames: false,
    script: Some(&SCRIPT),
    refuses: &[
        (Md2, &[Fault::NoTriangles]),
        (Md3, &[Fault::FrameCount]),
        (Iqm, &[Fault::MissingCoordinates, Fault::WeightFormat, Fault::InvalidParent]),
    ],
    ..NO_ENGINE
};

/// Adds the clips of the list next to a model.
pub(super) fn add_frame_groups(vfs: &Vfs, game_path: &str, model: &mut Model, warnings: &mut Warnings) {
    if let Some(list) = frame_groups(vfs, game_path) {
        add_clip_list(vfs, &list, parse_frame_groups, model, warnings);
    }
}

fn frame_groups(vfs: &Vfs, game_path: &str) -> Option<String> {
    vfs.look_up(&format!("{game_path}.framegroups"))
}

const RATE: f32 = 20.0;
/// Maximum characters kept of a name; the engine keeps 64.
const NAME_CHARACTERS: usize = 64;

/// Parses `MODEL.framegroups`, which names ranges of a model's frames, in file order. Unknown text is skipped with a
/// warning.
///
/// ```text
/// first count [frames-per-second [loops [name]]]   // comment
/// 1     24    20                  1                // forward
/// ```
///
/// The default rate is 20, and groups loop by default. Games number their animations, so names are mostly in the
/// comments; without any name, the engine calls a group `groupified_4_anim`. Block comments and quoted names are
/// possible. Source: DarkPlaces `model_shared.c` (`Mod_FrameGroupify_ParseGroups`), `common.c`
/// (`COM_ParseToken_Simple`).
pub fn parse_frame_groups(bytes: &[u8], warnings: &mut Warnings) -> Vec<NamedRange> {
    let mut ranges = Vec::new();
    let mut cursor = Cursor::new(readable(bytes, MAX_TEXT_BYTES, warnings), 1);
    while let Some(Row { line, words, comment }) = next_row(&mut cursor) {
        let mut words = words.iter().map(String::as_str);
        let Some(first) = words.next() else { continue };
        if ranges.len() >= MAX_CLIPS {
            let message = format!("more than {MAX_CLIPS} groups; the rest are skipped");
            warnings.add_line(WarningKind::LeftOut, line, message);
            break;
        }
        let numbers = (whole(first), words.next().and_then(whole));
        let (Some(first), Some(count)) = numbers else {
            warnings.add_line(
                WarningKind::LeftOut,
                line,
                "expected a first frame and a number of frames; line skipped",
            );
            continue;
        };
        let rate = words.next().map_or(RATE, |word| word.parse().unwrap_or(0.0));
        let loops = words.next().is_none_or(|word| whole(word) != Some(0));
        let name = words.next().unwrap_or(comment.trim());
        let name: String = name.chars().filter(|c| !c.is_control()).take(NAME_CHARACTERS).collect();
        ranges.push(NamedRange {
            name: if name.is_empty() { format!("groupified_{}_anim", ranges.len()) } else { name },
            first,
            count: count.max(1),
            // The engine's minimum is 1.
            frames_per_second: Some(if rate.is_finite() { rate.max(1.0) } else { RATE }),
            loops,
        });
    }
    ranges
}

/// Number of words in a row that have a meaning.
const WORDS: usize = 5;

/// Line of `.framegroups`.
#[derive(Default)]
struct Row {
    /// Number of the line on which the first word begins.
    line: u32,
    /// First words, up to [`WORDS`].
    words: Vec<String>,
    /// Text after `//`.
    comment: String,
}

/// Reads a row. A block comment may contain line ends, which do not end the row. `None` at the end of the file.
fn next_row(cursor: &mut Cursor) -> Option<Row> {
    let mut row = Row::default();
    cursor.here()?;
    while let Some(here) = cursor.here() {
        match (here, cursor.after()) {
            (b'\n', _) => {
                cursor.advance(1);
                break;
            }
            (b'/', Some(b'/')) => row.comment = utf8_or_latin1(cursor.take_while(|byte| byte != b'\n')).split_off(2),
            (b'/', Some(b'*')) => {
                let rest = cursor.rest();
                let end = rest.windows(2).skip(2).position(|two| two == b"*/");
                cursor.advance(end.map_or(rest.len(), |length| length + 4));
            }
            (0..=b' ', _) => cursor.advance(1),
            _ => {
                let line = cursor.line();
                let word = if here == b'"' { quoted(cursor) } else { word(cursor) };
                if row.words.is_empty() {
                    row.line = line;
                }
                if row.words.len() < WORDS {
                    row.words.push(utf8_or_latin1(word));
                }
            }
        }
    }
    Some(row)
}

fn quoted<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    cursor.advance(1);
    let text = cursor.take_while(|byte| byte != b'"');
    cursor.advance(1);
    text
}

/// Reads a word. The engine ignores a comment that is glued to a number.
fn word<'a>(cursor: &mut Cursor<'a>) -> &'a [u8] {
    let rest = cursor.rest();
    let is_comment = |at: usize| matches!(rest.get(at..at + 2), Some(b"//" | b"/*"));
    let end = (0..rest.len()).find(|at| rest[*at] <= b' ' || is_comment(*at)).unwrap_or(rest.len());
    cursor.advance(end);
    rest.get(..end).unwrap_or_default()
}

/// Parses a whole number; negative numbers become 0, as in the engine.
fn whole(word: &str) -> Option<u32> {
    let number: f64 = word.parse().ok()?;
    number.is_finite().then_some(number as u32)
}
