//! Names of images in the text of a definition.

use super::Kind;
use crate::limits::MAX_STAGES;
use crate::material::IMAGE_EXTENSIONS;
use crate::vfs::split_extension;
use maquette_core::text::Lexer;

/// Starts of lines whose images are not textures of the surface, but those of editors, compilers and skies.
const OTHER_LINES: [&str; 9] =
    ["qer", "q3map", "sky", "sun", "description", "renderbump", "guisurf", "decalinfo", "template"];

/// Returns the names with an image's extension in the text of a definition, in order.
pub(in crate::material) fn images_named_in(text: &str, kind: Kind) -> Vec<String> {
    let mut lexer = Lexer::with(kind.extension(), kind.dialect(), text.as_bytes());
    let mut names: Vec<String> = Vec::new();
    let mut line = 0;
    let mut is_other = false;
    while let Ok(Some(token)) = lexer.next() {
        let word = token.text();
        if token.line != line {
            line = token.line;
            is_other = OTHER_LINES.iter().any(|start| word.to_ascii_lowercase().starts_with(start));
        }
        let extension = split_extension(&word).1;
        let is_image = IMAGE_EXTENSIONS.iter().any(|known| known.eq_ignore_ascii_case(extension));
        if is_image && !is_other && !names.contains(&word) {
            names.push(word);
        }
        if names.len() >= MAX_STAGES {
            break;
        }
    }
    names
}
