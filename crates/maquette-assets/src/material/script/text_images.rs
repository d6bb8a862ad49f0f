//! Names of images in the text of a definition.

use super::Kind;
use crate::limits::MAX_STAGES;
use crate::material::IMAGE_EXTENSIONS;
use crate::vfs::split_extension;
use maquette_core::text::Lexer;

/// Starts of lines whose images are not textures of the surface, but those of editors, compilers and skies.
const OTHER_LINES: [&str; 9] =
    ["qer", "q3map", "sky", "sun", "description", "renderbump", "guisurf", "decalinfo", "template"];

/// Returns the names with an image's extension in the text of a definition, in order, and the other paths in it.
pub(in crate::material) fn images_named_in(text: &str, kind: Kind) -> [Vec<String>; 2] {
    let mut lexer = Lexer::with(kind.extension(), kind.dialect(), text.as_bytes());
    let (mut names, mut paths): (Vec<String>, Vec<String>) = Default::default();
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
        let list = if is_image { &mut names } else { &mut paths };
        if (is_image || word.contains('/')) && !is_other && !list.contains(&word) && list.len() < MAX_STAGES {
            list.push(word);
        }
    }
    [names, paths]
}

/// Returns whether a definition has directives in stages, none of which is for an image.
pub(in crate::material) fn has_stages_without_maps(text: &str, kind: Kind) -> bool {
    let mut lexer = Lexer::with(kind.extension(), kind.dialect(), text.as_bytes());
    let (mut depth, mut has_directives) = (0, false);
    while let Ok(Some(token)) = lexer.next() {
        depth += i32::from(token.is("{")) - i32::from(token.is("}"));
        has_directives |= depth > 1 && !token.is("{");
        if depth > 1 && token.text().to_ascii_lowercase().ends_with("map") {
            return false;
        }
    }
    has_directives
}
