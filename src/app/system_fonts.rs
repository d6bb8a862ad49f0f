//! Fonts of the system for characters that the fonts of the window lack, for example in Japanese file names.

#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

use egui::epaint::text::{FallbackRequest, FontData, FontInsert};
use fontdb::{Database, FaceInfo, Style, Weight};

/// Number of characters without a font after which the search for further ones ends.
const MISSES: usize = 64;

/// Returns a function that finds a font of the system for a character. It lists the fonts at the first such character.
pub fn provider() -> Arc<dyn egui::epaint::text::FontProvider> {
    let (fonts, missed) = (OnceLock::new(), AtomicUsize::new(0));
    Arc::new(move |request: &FallbackRequest<'_>| {
        let letter = request.cluster.chars().next()?;
        // Names in broken files may have any number of characters that no font has.
        if missed.load(Ordering::Relaxed) >= MISSES {
            return None;
        }
        let fonts = fonts.get_or_init(|| {
            let mut fonts = Database::new();
            fonts.load_system_fonts();
            fonts
        });
        let font = font_with(fonts, letter);
        missed.fetch_add(usize::from(font.is_none()), Ordering::Relaxed);
        font
    })
}

/// Returns a font with the character: an upright one of normal weight, if possible.
fn font_with(fonts: &Database, letter: char) -> Option<FontInsert> {
    let mut faces: Vec<&FaceInfo> = fonts.faces().collect();
    faces.sort_by_key(|face| (face.style != Style::Normal, face.weight.0.abs_diff(Weight::NORMAL.0), face.monospaced));
    faces.into_iter().find_map(|face| {
        let has_letter = |data: &[u8], index| {
            let font = ttf_parser::Face::parse(data, index).ok()?;
            font.glyph_index(letter).is_some().then(|| (data.to_vec(), index))
        };
        let (bytes, index) = fonts.with_face_data(face.id, has_letter)??;
        let data = FontData { index, ..FontData::from_owned(bytes) };
        Some(FontInsert::new(&face.post_script_name, data, Vec::new()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn font_has_the_character() {
        let mut fonts = Database::new();
        fonts.load_font_data(include_bytes!("../../assets/fonts/Lucide.ttf").to_vec());
        assert_eq!(font_with(&fonts, 'д').map(|font| font.name), None);
        fonts.load_font_data(include_bytes!("../../assets/fonts/Inter-SemiBold.ttf").to_vec());
        fonts.load_font_data(include_bytes!("../../assets/fonts/Inter-Regular.ttf").to_vec());
        assert_eq!(font_with(&fonts, 'д').map(|font| font.name).as_deref(), Some("Inter-Regular"));
        assert_eq!(font_with(&fonts, '漢').map(|font| font.name), None);
    }
}
