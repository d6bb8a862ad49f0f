//! Rows of four numbers in a fixed order (Quake III, Elite Force multiplayer, qfusion).

use super::header::Header;
use super::row::Row;
use super::tokens::{Words, number};
use super::{AnimationConfig, BodyPart, Dialect, Entry};
use crate::error::{WarningKind, Warnings};
use crate::text::Token;

/// Animations by row; Quake III `bg_public.h`.
#[rustfmt::skip]
pub(super) const NAMES: [&str; 31] = [
    "BOTH_DEATH1", "BOTH_DEAD1", "BOTH_DEATH2", "BOTH_DEAD2", "BOTH_DEATH3", "BOTH_DEAD3", "TORSO_GESTURE",
    "TORSO_ATTACK", "TORSO_ATTACK2", "TORSO_DROP", "TORSO_RAISE", "TORSO_STAND", "TORSO_STAND2", "LEGS_WALKCR",
    "LEGS_WALK", "LEGS_RUN", "LEGS_BACK", "LEGS_SWIM", "LEGS_JUMP", "LEGS_LAND", "LEGS_JUMPB", "LEGS_LANDB",
    "LEGS_IDLE", "LEGS_IDLECR", "LEGS_TURN", "TORSO_GETFLAG", "TORSO_GUARDBASE", "TORSO_PATROL", "TORSO_FOLLOWME",
    "TORSO_AFFIRMATIVE", "TORSO_NEGATIVE",
];

/// Returns the animations that every player of Quake III has, in their order, with the part that plays them: legs, torso,
/// or the whole player.
pub(crate) fn quake_three_clips() -> impl Iterator<Item = (BodyPart, &'static str)> {
    NAMES.into_iter().take(REQUIRED).map(|name| match name.split_once('_') {
        Some(("LEGS", _)) => (BodyPart::Legs, name),
        Some(("TORSO", _)) => (BodyPart::Torso, name),
        _ => (BodyPart::Whole, name),
    })
}

/// Returns the gestures that players of Team Arena have in addition.
pub(crate) fn team_arena_clips() -> impl Iterator<Item = &'static str> {
    NAMES.into_iter().skip(REQUIRED)
}

/// Animations by row of qfusion's players; `gs_public.h`.
#[rustfmt::skip]
const QFUSION_NAMES: [&str; 49] = [
    "BOTH_DEATH1", "BOTH_DEAD1", "BOTH_DEATH2", "BOTH_DEAD2", "BOTH_DEATH3", "BOTH_DEAD3", "LEGS_STAND_IDLE",
    "LEGS_WALK_FORWARD", "LEGS_WALK_BACK", "LEGS_WALK_LEFT", "LEGS_WALK_RIGHT", "LEGS_RUN_FORWARD", "LEGS_RUN_BACK",
    "LEGS_RUN_LEFT", "LEGS_RUN_RIGHT", "LEGS_JUMP_LEG1", "LEGS_JUMP_LEG2", "LEGS_JUMP_NEUTRAL", "LEGS_LAND",
    "LEGS_CROUCH_IDLE", "LEGS_CROUCH_WALK", "LEGS_SWIM_FORWARD", "LEGS_SWIM_NEUTRAL", "LEGS_WALLJUMP",
    "LEGS_WALLJUMP_LEFT", "LEGS_WALLJUMP_RIGHT", "LEGS_WALLJUMP_BACK", "LEGS_DASH", "LEGS_DASH_LEFT", "LEGS_DASH_RIGHT",
    "LEGS_DASH_BACK", "TORSO_HOLD_BLADE", "TORSO_HOLD_PISTOL", "TORSO_HOLD_LIGHTWEAPON", "TORSO_HOLD_HEAVYWEAPON",
    "TORSO_HOLD_AIMWEAPON", "TORSO_SHOOT_BLADE", "TORSO_SHOOT_PISTOL", "TORSO_SHOOT_LIGHTWEAPON",
    "TORSO_SHOOT_HEAVYWEAPON", "TORSO_SHOOT_AIMWEAPON", "TORSO_WEAPON_SWITCHOUT", "TORSO_WEAPON_SWITCHIN",
    "TORSO_DROPHOLD", "TORSO_DROP", "TORSO_SWIM", "TORSO_PAIN1", "TORSO_PAIN2", "TORSO_PAIN3",
];

const GESTURE: usize = 6;
/// Row of `LEGS_WALKCR`, the first that only the legs' model has.
const WALK_CROUCHED: usize = 13;
/// Rows that every file has; Team Arena's gestures follow.
const REQUIRED: usize = 25;

pub(super) fn read(mut words: Words, mut header: Header, warnings: &mut Warnings) -> AnimationConfig {
    let dialect = if header.elite_force { Dialect::EliteForceMultiplayer } else { Dialect::QuakeThree };
    let names = match (header.qfusion, header.elite_force) {
        (true, _) => &QFUSION_NAMES[..],
        (false, true) => NAMES.get(..REQUIRED).unwrap_or(&NAMES),
        (false, false) => &NAMES,
    };
    let (mut rows, _) = read_rows(&mut words, &mut header, 4, names, warnings);
    words.finish(warnings);
    if header.qfusion {
        let entries = rows.into_iter().map(|row| row.qfusion(warnings)).collect();
        return AnimationConfig { dialect: Dialect::Qfusion, entries, tags: header.tags, ..AnimationConfig::default() };
    }
    if rows.len() < REQUIRED {
        warnings.add(
            WarningKind::Inconsistent,
            "",
            format!("only {} of {REQUIRED} animations are defined; those are used", rows.len()),
        );
    }
    let legs_shift = move_legs(&mut rows);
    let mut entries: Vec<Entry> = rows.into_iter().map(|row| row.quake_three(warnings)).collect();
    if dialect == Dialect::QuakeThree && entries.len() >= REQUIRED {
        let gesture = entries.get(GESTURE).cloned();
        let missing = NAMES.iter().skip(entries.len());
        let copies = missing.filter_map(|name| Some(Entry { name: (*name).to_owned(), ..gesture.clone()? }));
        entries.extend(copies.collect::<Vec<_>>());
    }
    let (fixed_legs, fixed_torso) = (header.fixed_legs, header.fixed_torso);
    AnimationConfig { dialect, entries, fixed_legs, fixed_torso, legs_shift, ..AnimationConfig::default() }
}

pub(super) fn read_rows<'a>(
    words: &mut Words<'a>,
    header: &mut Header,
    stride: usize,
    names: &[&str],
    warnings: &mut Warnings,
) -> (Vec<Row>, Option<Token<'a>>) {
    let mut rows: Vec<Row> = Vec::new();
    let mut numbers = [0.0; 4];
    let (mut filled, mut start, mut too_many) = (0, 1, None);
    let mut end = None;
    while let Some(word) = words.next() {
        let Some(number) = number(&word) else {
            if word.is_any(&["ENDANIMS", "HEADFRAMES"]) {
                words.end(&word);
                end = Some(word);
                break;
            }
            if !header.read(&word, words) {
                words.count_unknown(&word);
            }
            words.end(&word);
            continue;
        };
        if filled == 0 {
            start = word.line;
        }
        if let Some(slot) = numbers.get_mut(filled) {
            *slot = number;
        }
        filled += 1;
        if filled == stride {
            filled = 0;
            words.end_called(|| names.get(rows.len()).map_or_else(|| "row".to_owned(), |name| (*name).to_owned()));
            match names.get(rows.len()) {
                Some(name) => rows.push(Row::new((*name).to_owned(), start, numbers)),
                None => too_many = too_many.or(Some(start)),
            }
        }
    }
    if let Some(start) = too_many {
        warnings.add_line(
            WarningKind::LeftOut,
            start,
            format!("more than {} animations; the rest are skipped", names.len()),
        );
    }
    if filled > 0 {
        warnings.add_line(WarningKind::LeftOut, start, "the last animation is incomplete; skipped");
    }
    (rows, end)
}

/// Moves the rows of the legs to the frames of the legs' model. The file numbers frames as if one model had all frames,
/// but the legs' model lacks the frames of the torso. Returns the number of frames that the legs' model lacks.
pub(super) fn move_legs(rows: &mut [Row]) -> i64 {
    let first = |index: usize| rows.get(index).map(|row| row.first);
    let (Some(gesture), Some(walk)) = (first(GESTURE), first(WALK_CROUCHED)) else { return 0 };
    let skip = walk.saturating_sub(gesture);
    for row in rows.iter_mut().take(REQUIRED).skip(WALK_CROUCHED) {
        row.first = row.first.saturating_sub(skip);
    }
    skip
}
