//! Parser of `MODEL.framegroups` of DarkPlaces, which names ranges of a model's frames.
//!
//! ```text
//! first count [frames-per-second [loops [name]]]   // comment
//! 1     24    20                  1                // forward
//! ```
//!
//! The default rate is 20, and groups loop by default. Games number their animations, so names are mostly in the
//! comments. Source: DarkPlaces `model_shared.c` (`Mod_FrameGroupify_ParseGroups`).

use super::clip_list::NamedRange;
use crate::bytes::latin1;
use crate::error::{WarningKind, Warnings};
use crate::limits::{MAX_CLIP_LIST_BYTES, MAX_CLIPS};
use crate::model::u32_or_max;
use crate::text::readable;

const RATE: f32 = 20.0;
/// Maximum characters kept of a name; the engine keeps 64.
const NAME_CHARACTERS: usize = 64;

/// Parses the frame ranges in file order. Unknown text is skipped with a warning.
#[must_use]
pub fn parse(bytes: &[u8], warnings: &mut Warnings) -> Vec<NamedRange> {
    let mut ranges = Vec::new();
    for (number, line) in readable(bytes, MAX_CLIP_LIST_BYTES, warnings).split(|byte| *byte == b'\n').enumerate() {
        let text = latin1(line);
        let (values, comment) = text.split_once("//").unwrap_or((&text, ""));
        let mut words = values.split_whitespace();
        let Some(first) = words.next() else { continue };
        let line = u32_or_max(number + 1);
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
            name: if name.is_empty() { format!("group {}", ranges.len()) } else { name },
            first,
            count: count.max(1),
            // The engine's minimum is 1.
            frames_per_second: Some(if rate.is_finite() { rate.max(1.0) } else { RATE }),
            loops,
        });
    }
    ranges
}

/// Parses a whole number; negative numbers become 0, as in the engine.
fn whole(word: &str) -> Option<u32> {
    let number: f64 = word.parse().ok()?;
    number.is_finite().then_some(number as u32)
}
