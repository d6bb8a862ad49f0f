//! File names that every system accepts.

use crate::convert::UniqueNames;
use crate::error::is_unprintable;

/// Maximum length of a file name. Most file systems allow no more.
const MAX_NAME_BYTES: usize = 255;
/// Bytes that [`clean`] leaves for an extension and a number. Longer names are cut.
const SUFFIX_BYTES: usize = 55;
/// Characters that Windows refuses in file names. `/` separates folders on every system.
const REFUSED: &str = "/\\:*?\"<>|";

/// Converts a text to a file name, or to one without its extension. Replaced characters become `_`.
pub fn clean(text: &str) -> String {
    let allowed = |c: char| if is_unprintable(c) || REFUSED.contains(c) { '_' } else { c };
    let mut name: String = text.chars().map(allowed).collect();
    name.truncate(name.floor_char_boundary(MAX_NAME_BYTES - SUFFIX_BYTES));
    // Windows drops dots and blanks at the end.
    while name.ends_with(['.', ' ']) {
        name.pop();
    }
    if name.is_empty() || is_windows_device(&name) {
        name.insert(0, '_');
    }
    name
}

/// Like [`clean`], but returns a name that `taken` does not contain. Case does not distinguish names, because some systems
/// ignore it.
pub fn clean_unique(text: &str, taken: &mut UniqueNames) -> String {
    taken.claim(clean(text), str::to_lowercase, "_")
}

/// Returns why not every system accepts a file name; `None` if all do.
pub fn problem(name: &str) -> Option<&'static str> {
    if name.len() > MAX_NAME_BYTES {
        Some("a file name is longer than 255 bytes, which file systems refuse")
    } else if name.chars().any(|c| is_unprintable(c) || REFUSED.contains(c)) {
        Some("a file name cannot contain control characters or / \\ : * ? \" < > |")
    } else if name.ends_with(['.', ' ']) {
        Some("a file name cannot end in a dot or a blank on Windows")
    } else if is_windows_device(name) {
        Some("a file of this name is a device on Windows")
    } else {
        None
    }
}

/// Returns whether Windows takes a file of this name for a device, whatever its extension.
fn is_windows_device(name: &str) -> bool {
    let stem = name.split('.').next().unwrap_or_default().trim_end().to_lowercase();
    let is_numbered = |kind: &str| {
        let mut number = stem.strip_prefix(kind).unwrap_or_default().chars();
        number.next().is_some_and(|digit| digit.is_ascii_digit() || "¹²³".contains(digit)) && number.next().is_none()
    };
    let is_named = ["con", "prn", "aux", "nul", "conin$", "conout$"].contains(&stem.as_str());
    is_named || is_numbered("com") || is_numbered("lpt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clean_names_are_accepted_by_every_system() {
        let cases = [
            ("run", "run"),
            ("a/b", "a_b"),
            ("a\\b:c*d?e\"f<g>h|i", "a_b_c_d_e_f_g_h_i"),
            ("a\nb\u{1b}[31m\u{202e}c\0", "a_b_[31m_c_"),
            ("..", "_"),
            ("a. . ", "a"),
            ("", "_"),
            ("con", "_con"),
            ("Nul", "_Nul"),
            ("aux.x", "_aux.x"),
            ("COM1", "_COM1"),
            ("lpt²", "_lpt²"),
            ("com10", "com10"),
            ("console", "console"),
            ("größe", "größe"),
        ];
        for (text, name) in cases {
            assert_eq!(clean(text), name);
            assert_eq!(problem(name), None, "{name}");
            assert_eq!(problem(text).is_some(), text != name && !text.is_empty(), "{text}");
        }
        let long = "ö".repeat(200);
        assert_eq!(clean(&long), "ö".repeat(100));
        assert!(problem(&long).is_some());
    }

    #[test]
    fn names_that_become_equal_are_numbered() {
        let mut taken = UniqueNames::default();
        let names = ["a/b", "a:b", "A?B", "a_b"].map(|name| clean_unique(name, &mut taken));
        assert_eq!(names, ["a_b", "a_b_2", "A_B_3", "a_b_4"]);
    }
}
