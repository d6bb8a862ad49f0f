//! Clips of a converted model, and their text for `animation.cfg`.

use std::borrow::Cow;
use std::fmt::Write as _;

use glam::Affine3A;

use super::names::{listed, report_names_not_ascii, report_renamed};
use super::{ConvertOptions, UniqueNames};
use crate::error::{Warnings, counted};
use crate::formats::animation_cfg::AnimationConfig;
use crate::model::{Bounds, Clip, ClipSource, Format, Model, Wrap, u32_or_max};
use crate::pose::{FrameBlend, Pose, Sampling, sample};

/// Returns the frames to convert, in ascending order.
pub(super) fn frames(model: &Model, options: &ConvertOptions) -> Vec<u32> {
    let count = u32_or_max(model.frames().len());
    let bind = model.clips().first().is_some_and(|clip| clip.source == ClipSource::BindPose && clip.count < count);
    match (options.frame, options.clips) {
        (Some(frame), _) => vec![frame],
        (None, Some(names)) => {
            let is_named = |clip: &&Clip| names.iter().any(|name| name.eq_ignore_ascii_case(&clip.name));
            let mut ranges: Vec<(u32, u32)> =
                model.clips().iter().filter(is_named).map(|clip| (clip.first, clip.end())).collect();
            ranges.sort_unstable();
            // Clips may share frames.
            let mut next = 0;
            let mut chosen = Vec::new();
            for (first, end) in ranges {
                chosen.extend(next.max(first)..end);
                next = next.max(end);
            }
            chosen
        }
        (None, None) => (u32::from(bind)..count).collect(),
    }
}

/// Returns the clips whose frames are all converted; their frames are positions in `frames`.
pub(super) fn clips(model: &Model, frames: &[u32]) -> Vec<Clip> {
    // A clip of all frames repeats those of the others.
    let is_named = |clip: &&Clip| !matches!(clip.source, ClipSource::BindPose | ClipSource::AllFrames);
    let has_named = model.clips().iter().any(|clip| is_named(&clip));
    let chosen = |clip: &&Clip| is_named(clip) || !has_named && clip.source == ClipSource::AllFrames;
    let placed = |clip: &Clip| {
        let first = frames.binary_search(&clip.first).ok()?;
        let last = frames.get(first + (clip.count as usize).checked_sub(1)?)?;
        (*last == clip.end() - 1).then(|| Clip { first: u32_or_max(first), ..clip.clone() })
    };
    model.clips().iter().filter(chosen).filter_map(placed).collect()
}

pub(super) fn named_or_all(model: &Model, frames: &[u32], rate: f32) -> Vec<Clip> {
    let named = clips(model, frames);
    if named.is_empty() { vec![all_frames(frames, rate)] } else { named }
}

/// Like [`named_or_all`], for formats whose loops blend from the last frame to the first. Doom 3 takes the last frame of
/// every animation for a copy of the first, also if they differ because the animation never loops.
pub(super) fn blending(model: &Model, frames: &[u32], rate: f32) -> Vec<Clip> {
    let mut clips = named_or_all(model, frames, rate);
    for clip in clips.iter_mut().filter(|clip| clip.wrap == Wrap::LastIsFirst) {
        let frame = |index: u32| frames.get(index as usize).copied().unwrap_or(0);
        if !are_equal(model, frame(clip.first), frame(clip.end() - 1)) {
            clip.wrap = Wrap::LastToFirst;
        }
    }
    clips
}

/// Largest distance of equal positions, relative to the size of the model.
const EQUAL: f32 = 1e-3;

/// Returns whether the surfaces, joints and tags of a model have the same positions and directions in two frames.
fn are_equal(model: &Model, first: u32, last: u32) -> bool {
    let [a, b] = [first, last].map(|frame| {
        let mut pose = Pose::default();
        sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
        pose
    });
    let transforms = |pose: &Pose| [pose.tags.as_slice(), &pose.joints].concat();
    let origins = transforms(&a).into_iter().map(|transform| transform.translation.into());
    let reach = a.bounds.union(Bounds::from_points(origins)).size().max_element().max(0.0) * EQUAL;
    let is_equal = |(a, b): (Affine3A, Affine3A)| {
        a.translation.abs_diff_eq(b.translation, reach) && a.matrix3.abs_diff_eq(b.matrix3, EQUAL)
    };
    let mut positions = a.surfaces.iter().zip(&b.surfaces).flat_map(|(a, b)| a.positions.iter().zip(&b.positions));
    transforms(&a).into_iter().zip(transforms(&b)).all(is_equal) && positions.all(|(a, b)| a.abs_diff_eq(*b, reach))
}

fn all_frames(frames: &[u32], rate: f32) -> Clip {
    Clip::new("all frames", 0, u32_or_max(frames.len()), rate, ClipSource::AllFrames)
}

/// Maximum bytes of a clip's name in a clip list. The games cut longer names.
const LISTED_NAME: usize = 63;

/// Returns the word that stands for each clip in a clip list. Games read a word that begins with a digit as a number,
/// skip brackets, commas and comments, and have words of their own, like `sex`.
pub(crate) fn words_of<'a>(names: impl Iterator<Item = &'a str>) -> Vec<String> {
    let mut taken = UniqueNames::default();
    let word = |name: &str| {
        let is_special = |c: char| c.is_whitespace() || c.is_control() || "(){},;\"".contains(c);
        let word: String = name.chars().map(|c| if is_special(c) { '_' } else { c }).collect();
        let word = word.replace("//", "__").replace("/*", "__");
        let is_number = word.starts_with(|c: char| c.is_ascii_digit() || "+-.".contains(c));
        let start = if is_number || is_keyword(&word) { "_" } else { "" };
        taken.claim_cut(format!("{start}{word}"), LISTED_NAME, str::to_ascii_lowercase, "_", str::floor_char_boundary)
    };
    names.map(word).collect()
}

/// Returns whether a line that begins with a word does not list a clip. The empty word counts, too.
fn is_keyword(word: &str) -> bool {
    let line = format!("{word} 0 1 -1 10\n");
    word.is_empty() || AnimationConfig::parse(line.as_bytes(), &mut Warnings::default()).entries.is_empty()
}

/// Returns a sentence about clips whose frames last differently long, which `storage` does not store.
pub(super) fn uneven_clips(clips: &[Clip], storage: &str) -> Option<String> {
    let uneven = clips.iter().filter_map(|clip| {
        let starts = std::iter::once(&0.0).chain(&clip.end_times);
        let steps = starts.zip(&clip.end_times).map(|(start, end)| end - start);
        let (shortest, longest) = (steps.clone().reduce(f32::min)?, steps.reduce(f32::max)?);
        (longest > shortest * 1.01).then(|| format!("{} ({shortest:.3} to {longest:.3} s)", clip.name))
    });
    let uneven = uneven.collect::<Vec<_>>().join(", ");
    let sentence = || format!("{storage} shows all frames of a clip for the same time; averaged: {uneven}");
    (!uneven.is_empty()).then(sentence)
}

/// Returns the named clips, which a clip list contains.
pub(crate) fn named(clips: &[Clip]) -> impl Iterator<Item = &Clip> + Clone {
    clips.iter().filter(|clip| !matches!(clip.source, ClipSource::AllFrames | ClipSource::BindPose))
}

/// Reports the clips that the files of a converted model do not store, and rates that differ when they are read
/// `again`. A clip that was renamed has the same frames.
pub(super) fn report_changed(clips: &[Clip], again: &[Clip], format: Format, losses: &mut Vec<String>) {
    let has_equal_frames = |a: &Clip, b: &Clip| (a.first, a.count) == (b.first, b.count);
    let mut stored: Vec<&Clip> = named(again).collect();
    let mut left: Vec<&Clip> = named(clips).collect();
    let mut rates = Vec::new();
    for needs_name in [true, false] {
        left.retain(|clip| {
            let is_equal = |other: &&Clip| has_equal_frames(clip, other) && (!needs_name || clip.name == other.name);
            let Some(at) = stored.iter().position(is_equal) else { return true };
            let (old, new) = (clip.frames_per_second, stored.swap_remove(at).frames_per_second);
            if clip.source.names_rates() && (new / old - 1.0).abs() > ROUNDED_RATE {
                rates.push(format!("“{}” from {old} to {new}", clip.name));
            }
            false
        });
    }
    report_lost(&left.into_iter().cloned().collect::<Vec<_>>(), format, losses);
    if !rates.is_empty() {
        let changed = counted(rates.len(), "clip has another rate", "clips have other rates");
        let (name, rates) = (format.title(), listed(rates.into_iter()));
        losses.push(format!("{changed}, because the frames of {name} have none: {rates} (frames per second)"));
    }
}

/// Largest relative change of a rate that counts as rounding.
const ROUNDED_RATE: f32 = 1e-3;

/// Reports clips that the format cannot store.
pub(super) fn report_lost(clips: &[Clip], format: Format, losses: &mut Vec<String>) {
    if !clips.is_empty() {
        let dropped = counted(clips.len(), "clip was", "clips were");
        let names = listed(clips.iter().map(|clip| format!("“{}”", clip.name)));
        losses.push(format!("{dropped} dropped, because {} cannot store all clips: {names}", format.title()));
    }
}

/// Returns what the text of [`animation_config`] cannot store, as sentences.
pub fn animation_config_losses(clips: &[Clip]) -> Vec<String> {
    let mut losses = Vec::new();
    report_words(clips, &mut losses);
    losses.extend(uneven_clips(clips, "animation.cfg"));
    report_names_not_ascii(named(clips).map(|clip| &clip.name), &mut losses);
    losses
}

/// Reports the names that a clip list changes.
pub(super) fn report_words(clips: &[Clip], losses: &mut Vec<String>) {
    let names = || named(clips).map(|clip| clip.name.as_str());
    let changed = names().zip(words_of(names())).filter(|(name, word)| name != word);
    let changes: Vec<_> = changed.map(|(name, word)| (name.to_owned(), word)).collect();
    report_renamed(
        &changes,
        ["clip", "clips"],
        "animation.cfg needs different names of one word that are not its keywords",
        losses,
    );
}

/// Returns the clips of a model for a clip list. The list of a model whose frames are in the file of its skeleton (GLM)
/// counts the frames of that file.
pub fn listed_clips(model: &Model) -> Cow<'_, [Clip]> {
    if !model.format().traits().companions.animations.are_skeletons() {
        return Cow::Borrowed(model.clips());
    }
    let clips = model.clips().iter();
    clips.map(|clip| Clip { first: model.frame_in_file(clip.first), ..clip.clone() }).collect()
}

/// Formats named clips in Elite Force's dialect: `NAME first count loop fps`. The loop is the frame to return to, or
/// −1. The bind pose is left out. `None` if there are no named clips.
pub fn animation_config(clips: &[Clip]) -> Option<String> {
    named(clips).next()?;
    let mut text = "// NAME first count loop fps\n".to_owned();
    for (clip, name) in named(clips).zip(words_of(named(clips).map(|clip| clip.name.as_str()))) {
        let [first, count, looping, rate] = listed_numbers(clip, false);
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{name} {first} {count} {looping} {rate}");
    }
    Some(text)
}

/// Formats named clips as a `.framegroups` of DarkPlaces and FTE: `first count fps loops // NAME`. Also returns the
/// losses, as sentences. The names are comments, because games number the groups. `None` if there are no named clips.
/// Source: DarkPlaces `model_shared.c` (`Mod_FrameGroupify_ParseGroups`).
pub fn frame_groups(clips: &[Clip]) -> Option<(String, Vec<String>)> {
    named(clips).next()?;
    let (mut text, mut losses) = ("// first count fps loops\n".to_owned(), Vec::new());
    for clip in named(clips) {
        let [first, count, ..] = listed_numbers(clip, false);
        let loops = u8::from(clip.loops());
        let name: String = clip.name.chars().filter(|letter| !letter.is_control()).collect();
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{first} {count} {} {loops} // {name}", clip.frames_per_second);
    }
    let mut report = |what: &str, is_changed: &dyn Fn(&Clip) -> bool| {
        let names: Vec<_> =
            named(clips).filter(|clip| is_changed(clip)).map(|clip| format!("“{}”", clip.name)).collect();
        losses.extend((!names.is_empty()).then(|| format!("{what}: {}", listed(names.into_iter()))));
    };
    report("groups play forward", &|clip| clip.reversed);
    report("groups repeat from their first frame", &|clip| clip.loops() && clip.loop_frames < clip.count);
    losses.extend(uneven_clips(clips, ".framegroups"));
    Some((text, losses))
}

/// Returns the first frame, the number of frames, the loop and the rate of a clip in an `animation.cfg`. The loop is the
/// frame to return to, or −1; with `counts`, the number of frames that repeat, as in games derived from Quake III.
pub(crate) fn listed_numbers(clip: &Clip, counts: bool) -> [String; 4] {
    // If the last frame repeats the first, the game's blend from last to first duplicates the last interval, so drop
    // that frame.
    let closes = clip.wrap == Wrap::LastIsFirst && clip.loops() && clip.count > 1;
    let count = if closes { clip.count - 1 } else { clip.count };
    let loop_frames = clip.loop_frames.min(count);
    let (sign, rate) = (if clip.reversed { "-" } else { "" }, clip.frames_per_second);
    let first = clip.first.to_string();
    if counts {
        return [first, format!("{sign}{count}"), loop_frames.to_string(), rate.to_string()];
    }
    let back = if loop_frames == 0 { -1 } else { i64::from(count - loop_frames) };
    [first, count.to_string(), back.to_string(), format!("{sign}{rate}")]
}
