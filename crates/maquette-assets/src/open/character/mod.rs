//! Characters, which consist of several models: their files, and the assembly of their parts.

mod assemble;
mod assembly;
mod files;
mod open;

pub(super) use assemble::put_skin_first;
use assemble::{add_extras, assemble};
pub use assembly::{Anchor, Assembly, AssemblyPart, Character, Role};
pub(super) use files::plan_of_part;
pub use files::{HAND_TAGS, is_weapon};
use files::{missing_part, plan_of_folder};
