//! PSA: animations of a PSK. The keys of all animations follow one another, frame by frame and bone by bone.
//!
//! Source: DarkPlaces (`model_alias.c`, `Mod_PSKMODEL_Load`; `model_psk.h`).
//!
//! | chunk | bytes each | content |
//! |---|---|---|
//! | `BONENAMES` | 120 | bones, as in `REFSKELT` of the mesh |
//! | `ANIMINFO` | 168 | name, frames per second, number of frames |
//! | `ANIMKEYS` | 32 | origin and rotation of a bone relative to its parent |

use glam::{Affine3A, Vec3};

use super::{BONE, chunks, rotation};
use crate::bytes::{Column, Kind, PartKind, Record, Source};
use crate::error::{LoadError, Reason, WarningKind, Warnings};
use crate::formats::LoadedAnimation;
use crate::formats::chunk::{f32_at, f32s, i32_at, vec3_at};
use crate::formats::relative_bones::RATE;
use crate::formats::track::{frames_played, no_room, warn_cut};
use crate::limits::MAX_CLIPS;
use crate::model::{Clip, ClipSource, FrameInfo, JointFrames, Model, are_usable, matrix_rows, u32_or_max};

/// First bytes of a PSA.
pub const MAGIC: &[u8] = b"ANIMHEAD";

const BONES: Record = Record::new("BONENAMES", BONE).holding(PartKind::Joint);
const CLIPS: Record = Record::new(
    "ANIMINFO",
    &[
        Column::new("name", Kind::Text, 64),
        Column::new("group", Kind::Text, 64),
        Column::new("numbones", Kind::I32, 1),
        Column::new("unused", Kind::I32, 3),
        Column::new("unused", Kind::F32, 1),
        Column::new("playtime", Kind::F32, 1),
        Column::new("fps", Kind::F32, 1),
        Column::new("unused", Kind::I32, 1),
        Column::new("firstframe", Kind::I32, 1),
        Column::new("numframes", Kind::I32, 1),
    ],
);
const KEYS: Record = Record::new(
    "ANIMKEYS",
    &[Column::new("origin", Kind::F32, 3), Column::new("quat", Kind::F32, 4), Column::new("frametime", Kind::F32, 1)],
);

/// Loads the animations of a PSA for `model`, whose bones must be the same, as one clip called `name`, with the ranges
/// that the file names.
pub fn load_animation(
    bytes: &[u8],
    name: &str,
    model: &Model,
    warnings: &mut Warnings,
) -> Result<LoadedAnimation, LoadError> {
    let source = Source::new("psa", bytes);
    let [bones, infos, keys] = chunks(&source, &[BONES, CLIPS, KEYS])?;
    let names = bones.0.as_chunks::<120>().0.iter().map(|record| source.text(record.get(..64).unwrap_or_default()));
    if !names.eq(model.joints().iter().map(|joint| joint.name.as_str())) {
        return Err(source.error("BONENAMES", bones.1, Reason::OtherModel));
    }
    let joints = model.joints().len();
    let (clips, frames) = read_clips(&source, infos, warnings)?;
    let stored = keys.0.len() / 32;
    if stored != frames as usize * joints {
        let why =
            format!("{stored} keys for {frames} frames of {joints} bones; {} are needed", frames as usize * joints);
        return Err(source.error("ANIMKEYS", keys.1, Reason::Broken(why)));
    }
    let played = frames_played(bytes.len(), frames as usize, joints, Some(model));
    if played == 0 {
        return Err(source.error("ANIMINFO", infos.1, Reason::Broken(no_room(model))));
    }
    if played < frames as usize {
        warn_cut("ANIMINFO", [played, frames as usize, joints, bytes.len()], warnings);
    }
    let played = u32_or_max(played);
    let clips = clips.into_iter().map(|clip| Clip { count: clip.count.min(played.saturating_sub(clip.first)), ..clip });
    let keys = keys.0.get(..played as usize * joints * 32).unwrap_or_default();
    let matrices = read_keys(keys, joints, warnings);
    let frames = vec![FrameInfo::default(); played as usize];
    Ok(LoadedAnimation {
        skeleton: None,
        track: (Clip::new(name, 0, played, RATE, ClipSource::AnimationFile), JointFrames::Relative(matrices), frames),
        clips: clips.filter(|clip| clip.count > 0).collect(),
    })
}

/// Checks a PSA without a model.
pub fn check_animation(source: &Source, warnings: &mut Warnings) -> Result<(), LoadError> {
    let [_, infos, _] = chunks(source, &[BONES, CLIPS, KEYS])?;
    read_clips(source, infos, warnings).map(drop)
}

/// Returns the clips, and the number of frames of all of them.
fn read_clips(
    source: &Source,
    (table, start): (&[u8], u64),
    warnings: &mut Warnings,
) -> Result<(Vec<Clip>, u32), LoadError> {
    let records = table.as_chunks::<168>().0;
    let (mut clips, mut frames) = (Vec::new(), 0_u32);
    for (index, record) in (0_u64..).zip(records) {
        let name = source.text(record.get(..64).unwrap_or_default());
        let (rate, count) = (f32_at(record, 152), i32_at(record, 164));
        if count < 0 {
            let why = Reason::Broken(format!("animation “{name}” has {count} frames"));
            return Err(source.error("numframes", start + index * 168 + 164, why));
        }
        let rate = if rate.is_finite() && rate > 0.0 { rate } else { RATE };
        if count > 0 && clips.len() < MAX_CLIPS {
            clips.push(Clip::new(name, frames, count.cast_unsigned(), rate, ClipSource::AnimationList));
        }
        frames = frames.saturating_add(count.cast_unsigned());
    }
    if records.len() > MAX_CLIPS {
        let message = format!("{} animations; only the first {MAX_CLIPS} are used", records.len());
        warnings.add(WarningKind::LeftOut, "ANIMINFO", message);
    }
    Ok((clips, frames))
}

/// Returns the matrices of the keys, relative to the parent.
fn read_keys(table: &[u8], joints: usize, warnings: &mut Warnings) -> Vec<[f32; 12]> {
    let mut broken = 0;
    let matrix = |(index, record): (usize, &[u8; 32])| {
        let origin = vec3_at(record, 0);
        let is_usable = are_usable(&origin.to_array());
        broken += usize::from(!is_usable);
        let rotation = rotation(index % joints.max(1), f32s(record.get(12..).unwrap_or_default()));
        let translation = if is_usable { origin } else { Vec3::ZERO };
        matrix_rows(&Affine3A::from_rotation_translation(rotation, translation))
    };
    let matrices = table.as_chunks::<32>().0.iter().enumerate().map(matrix).collect();
    warnings.add_counted(
        WarningKind::Substituted,
        "ANIMKEYS",
        broken,
        [
            "origin of a bone is not finite or beyond a billion; 0 is used",
            "origins of bones are not finite or beyond a billion; 0 is used",
        ],
    );
    matrices
}
