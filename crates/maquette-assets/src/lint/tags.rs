//! Rules for tags: required tags, misspelled names, axes.

use std::collections::{HashMap, HashSet};

use glam::Vec3;

use super::finding::{Location, Occurrences, Severity, Sink};
use super::input::Context;
use maquette_core::error::counted;
use maquette_core::model::{Motion, TagFrame, TagStorage, TagTrack};

/// Tags that the code of games uses by name; some, like `tag_floor`, are only common.
#[rustfmt::skip]
const KNOWN: [&str; 9] = [
    "tag_torso", "tag_head", "tag_weapon", "tag_flag", "tag_barrel", "tag_flash", "tag_floor", "tag_shell",
    "tag_handle",
];

/// Tolerance of an axis's length, and of the cosine between two axes.
const TOLERANCE: f32 = 0.02;

/// Whether games find a tag by this name.
pub fn is_known_tag(name: &str) -> bool {
    KNOWN.contains(&name)
}

/// Returns the tags that parts of a player and first-person weapons must have (`cg_players.c`, `cg_weapons.c`).
fn needed(game_path: &str) -> &'static [&'static str] {
    let path = game_path.to_lowercase();
    let file = path.rsplit('/').next().unwrap_or_default();
    let stem = file.split('.').next().unwrap_or_default();
    let is_player = path.contains("models/players/");
    match stem {
        "lower" if is_player => &["tag_torso"],
        "upper" if is_player => &["tag_head", "tag_weapon"],
        _ if path.contains("models/weapons2/") && stem.ends_with("_hand") => &["tag_weapon"],
        _ => &[],
    }
}

/// Returns whether a model is a part of a player that the game animates.
pub(super) fn is_animated_part(game_path: &str) -> bool {
    matches!(needed(game_path).first(), Some(&("tag_torso" | "tag_head")))
}

pub(super) fn missing(context: &Context, sink: &mut Sink) {
    if !context.profile.has_player_parts {
        return;
    }
    for wanted in needed(context.subject.game_path) {
        if !context.model().tags().iter().any(|tag| tag == wanted) {
            sink.add(
                Severity::Warning,
                Location::default(),
                format!("no {wanted}; models attached to it are drawn at the origin"),
            );
        }
    }
}

pub(super) fn misnamed(context: &Context, sink: &mut Sink) {
    // The games add bolts such as `*flash` by name (OpenJK, `G2API_AddBolt`).
    if context.model().format().traits().tags == TagStorage::Triangles {
        return;
    }
    let tags = context.model().tags();
    let names: HashSet<&str> = tags.iter().map(String::as_str).collect();
    for (index, tag) in tags.iter().enumerate().take(context.model().own_tag_count()) {
        if let Some(meant) = meant_by(tag).filter(|meant| !names.contains(meant)) {
            sink.add(Severity::Warning, Location::tag(index, tag), format!("unknown tag; games look for {meant}"));
        }
    }
}

fn meant_by(tag: &str) -> Option<&'static str> {
    if is_known_tag(tag) || tag.len() > 32 {
        return None;
    }
    let plain = |name: &str| name.to_lowercase().replace(|c: char| !c.is_alphanumeric(), "");
    // Blender calls the second object of a name `tag_flash.001`.
    let is_number = |end: &str| end.len() == 3 && end.bytes().all(|c| c.is_ascii_digit());
    let own = plain(tag.rsplit_once('.').filter(|(_, end)| is_number(end)).map_or(tag, |(start, _)| start));
    // `tag_weapon2` is a different tag.
    if own.ends_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let is_bare = |name: &str| own == plain(name).trim_start_matches("tag") && !own.is_empty();
    KNOWN.into_iter().find(|known| own == plain(known) || is_bare(known) || is_one_letter_off(&own, &plain(known)))
}

fn is_one_letter_off(a: &str, b: &str) -> bool {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let front = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let max = a.len().min(b.len()) - front;
    let back = a.iter().rev().zip(b.iter().rev()).take(max).take_while(|(x, y)| x == y).count();
    a.len().max(b.len()) - front - back <= 1
}

pub(super) fn repeated(context: &Context, sink: &mut Sink) {
    let mut first = HashMap::new();
    for (index, tag) in context.model().tags().iter().enumerate().take(context.model().own_tag_count()) {
        if let Some(first) = first.get(tag) {
            sink.add(
                Severity::Warning,
                Location::tag(index, tag),
                format!("repeated name; games find only tag {first}"),
            );
        } else {
            first.insert(tag, index);
        }
    }
}

pub(super) fn length(context: &Context, sink: &mut Sink) {
    let off = |tag: &TagFrame| tag.axes.iter().any(|axis| !is_about(axis.length(), 1.0));
    let severity = if context.profile.normalises_tags { Severity::Note } else { Severity::Warning };
    axes(context, sink, severity, off, "axes are not of unit length", "");
}

pub(super) fn skewed(context: &Context, sink: &mut Sink) {
    let off = |tag: &TagFrame| {
        let [x, y, z] = tag.axes.map(Vec3::normalize_or_zero);
        [x.dot(y), y.dot(z), z.dot(x)].iter().any(|cosine| !is_about(*cosine, 0.0))
    };
    axes(context, sink, Severity::Warning, off, "axes are not perpendicular", "");
}

pub(super) fn mirrored(context: &Context, sink: &mut Sink) {
    let off = |tag: &TagFrame| tag.axes[0].cross(tag.axes[1]).dot(tag.axes[2]) < 0.0;
    axes(context, sink, Severity::Warning, off, "mirrored axes", "; attached models are drawn inside out");
}

fn is_about(number: f32, wanted: f32) -> bool {
    (number - wanted).abs() <= TOLERANCE
}

fn axes(
    context: &Context,
    sink: &mut Sink,
    severity: Severity,
    is_off: impl Fn(&TagFrame) -> bool,
    what: &str,
    effect: &str,
) {
    let Motion::Morph(morph) = context.model().motion() else { return };
    let TagTrack::Axes(track) = &morph.tags else { return };
    let tags = context.model().tags();
    for (index, name) in tags.iter().enumerate().take(context.model().own_tag_count()) {
        let mut found = Occurrences::default();
        for (frame, tag) in track.iter().skip(index).step_by(tags.len().max(1)).enumerate() {
            if is_off(tag) {
                found.add(|| Location { frame: Some(frame), ..Location::tag(index, name) });
            }
        }
        let frames = counted(found.count, "frame", "frames");
        sink.add_all(severity, found, format!("{what} in {frames}{effect}"));
    }
}
