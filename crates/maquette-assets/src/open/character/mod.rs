//! Characters, which consist of several models: their files, and the assembly of their parts.

mod assemble;
mod assembly;
mod files;

pub(super) use assemble::{add_extras, assemble};
pub use assembly::{Anchor, Assembly, AssemblyPart, Character, Role};
pub use files::{HAND_TAGS, is_weapon};
pub(super) use files::{missing_part, plan_of_folder, plan_of_part};
