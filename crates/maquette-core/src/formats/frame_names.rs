//! Clips derived from numbered frame names, or from the tables of Quake and Quake II players.

use std::collections::HashMap;

use crate::model::{Clip, ClipSource, Format, FrameInfo, u32_or_max};

/// Frames of Quake's player, in order: name and number of frames. The game uses only these numbers.
#[rustfmt::skip]
const QUAKE_PLAYER: [(&str, u32); 20] = [
    ("axrun", 6), ("rockrun", 6), ("stand", 5), ("axstnd", 12), ("axpain", 6), ("pain", 6), ("axdeth", 9),
    ("deatha", 11), ("deathb", 9), ("deathc", 15), ("deathd", 9), ("deathe", 9), ("nailatt", 2), ("light", 2),
    ("rockatt", 6), ("shotatt", 6), ("axatt", 6), ("axattb", 6), ("axattc", 6), ("axattd", 6),
];

/// Like [`QUAKE_PLAYER`], for players of Quake II.
#[rustfmt::skip]
const QUAKE_2_PLAYER: [(&str, u32); 20] = [
    ("stand", 40), ("run", 6), ("attack", 8), ("pain1", 4), ("pain2", 4), ("pain3", 4), ("jump", 6), ("flip", 12),
    ("salute", 11), ("taunt", 17), ("wave", 11), ("point", 12), ("crstnd", 19), ("crwalk", 6), ("crattak", 9),
    ("crpain", 4), ("crdeath", 5), ("death1", 6), ("death2", 6), ("death3", 8),
];

/// Splits a frame name into its stem and its number.
pub(crate) fn split(name: &str) -> (&str, &str) {
    name.split_at(name.trim_end_matches(|c: char| c.is_ascii_digit()).len())
}

/// Returns the clips that follow from the frame names of an MD3, MDC or MDR, or one clip of all frames.
pub(super) fn clips_or_all(frames: &[FrameInfo], rate: f32) -> Vec<Clip> {
    let count = u32_or_max(frames.len());
    // A single frame is usually named after the model or the exporter.
    let named = if count > 1 { by_name(frames, rate) } else { None };
    named.unwrap_or_else(|| vec![Clip::new("all frames", 0, count, rate, ClipSource::AllFrames)])
}

/// Groups frames by stem and consecutive numbers, the rule that best recovers the groups in the game's own frame lists.
/// `None` if the names are meaningless.
pub(crate) fn by_name(frames: &[FrameInfo], rate: f32) -> Option<Vec<Clip>> {
    let mut clips = groups(frames, rate)?;
    number_repeats(&mut clips);
    Some(clips)
}

/// Like [`by_name`], but several clips may have one name.
pub(super) fn groups(frames: &[FrameInfo], rate: f32) -> Option<Vec<Clip>> {
    let names = || frames.iter().map(|frame| frame.name.as_str());
    if !names().any(is_name) {
        return None;
    }
    let mut clips: Vec<Clip> = Vec::new();
    let mut previous: Option<(&str, Option<u64>)> = None;
    for (index, name) in (0_u32..).zip(names()) {
        let (stem, digits) = split(name);
        let number = digits.parse::<u64>().ok();
        let follows = previous.is_some_and(|(last_stem, last)| {
            last_stem.eq_ignore_ascii_case(stem)
                && number.is_some()
                && last.and_then(|last| last.checked_add(1)) == number
        });
        previous = Some((stem, number));
        match clips.last_mut() {
            Some(clip) if follows => {
                clip.count += 1;
                clip.loop_frames = clip.count;
            }
            _ => clips.push(Clip::new(label(name, stem, digits), index, 1, rate, ClipSource::FrameNames)),
        }
    }
    // If no two frames form a group, the names are meaningless: some exporters give all frames one name or arbitrary
    // names.
    (clips.len() < frames.len() || frames.len() == 1).then_some(clips)
}

/// Appends ` (2)`, ` (3)` … to repeated names.
pub(super) fn number_repeats(clips: &mut [Clip]) {
    let mut seen: HashMap<String, u32> = HashMap::new();
    for clip in clips {
        let times = seen.entry(clip.name.to_ascii_lowercase()).or_insert(0);
        *times += 1;
        if *times > 1 {
            clip.name = format!("{} ({times})", clip.name);
        }
    }
}

/// Returns whether a frame name can name a clip. Some exporters leave names empty, or store the first 16 bytes of a
/// path on the author's disk (`E:\MIJN DOCU001`).
fn is_name(name: &str) -> bool {
    !name.trim().is_empty() && !name.contains(['\\', '/'])
}

/// Returns the name of a group from its first frame: `run1` and `run001` become `run`, `pain101` becomes `pain1`, and
/// `walk.00101` becomes `walk.001`.
fn label(name: &str, stem: &str, digits: &str) -> String {
    let series = digits.strip_suffix("00").or_else(|| digits.strip_suffix("01"));
    let label = match series {
        Some(lead) if lead.contains(|c: char| c != '0') => format!("{stem}{lead}"),
        _ => stem.to_owned(),
    };
    let label = label.trim_end_matches(['_', '-', '.', ' ']);
    if label.is_empty() { name.to_owned() } else { label.to_owned() }
}

/// Returns the clips of Quake's player for 143 frames whose names form one clip (`frame1` to `frame143`).
pub(super) fn quake_player(frames: &[FrameInfo], clips: &[Clip]) -> Vec<Clip> {
    if frames.len() == 143 && clips.len() == 1 { table(&QUAKE_PLAYER, Format::Mdl) } else { Vec::new() }
}

/// Returns the clips of a Quake II player, a model of 198 frames of which the first are called `stand`; empty for other
/// models. Frame names are not enough, because some players number their three deaths as one sequence.
pub(super) fn quake_2_player(frames: &[FrameInfo], clips: &[Clip]) -> Vec<Clip> {
    let stands = clips.first().is_some_and(|clip| clip.name.to_ascii_lowercase().starts_with("stand"));
    if frames.len() == 198 && stands { table(&QUAKE_2_PLAYER, Format::Md2) } else { Vec::new() }
}

fn table(rows: &[(&str, u32)], format: Format) -> Vec<Clip> {
    let mut first = 0;
    let clip = |(name, count): &(&str, u32)| {
        let clip = Clip::new(*name, first, *count, format.usual_rate(), ClipSource::PlayerTable);
        first += count;
        clip
    };
    rows.iter().map(clip).collect()
}
