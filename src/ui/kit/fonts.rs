//! Fonts and sizes: Inter in three weights, Hack for paths, Lucide for icons.

use std::sync::Arc;

use egui::{Context, FontData, FontDefinitions, FontFamily, FontId};

const MEDIUM: &str = "medium";
const STRONG: &str = "strong";
const ICONS: &str = "icons";

pub fn install(ctx: &Context) {
    let mut fonts = FontDefinitions::empty();
    for (name, bytes) in [
        ("Inter", include_bytes!("../../../assets/fonts/Inter-Regular.ttf").as_slice()),
        ("Inter Medium", include_bytes!("../../../assets/fonts/Inter-Medium.ttf")),
        ("Inter SemiBold", include_bytes!("../../../assets/fonts/Inter-SemiBold.ttf")),
        ("Hack", include_bytes!("../../../assets/fonts/Hack-Regular.ttf")),
        ("Lucide", include_bytes!("../../../assets/fonts/Lucide.ttf")),
    ] {
        fonts.font_data.insert(name.to_owned(), Arc::new(FontData::from_static(bytes)));
    }
    // Later fonts of a family supply the glyphs that earlier fonts lack.
    for (family, faces) in [
        (FontFamily::Proportional, ["Inter", "Hack", "Lucide"]),
        (FontFamily::Monospace, ["Hack", "Inter", "Lucide"]),
        (FontFamily::Name(MEDIUM.into()), ["Inter Medium", "Hack", "Lucide"]),
        (FontFamily::Name(STRONG.into()), ["Inter SemiBold", "Hack", "Lucide"]),
    ] {
        fonts.families.insert(family, faces.map(str::to_owned).to_vec());
    }
    fonts.families.insert(FontFamily::Name(ICONS.into()), vec!["Lucide".to_owned()]);
    ctx.set_fonts(fonts);
}

/// Returns the font of labels and values, 13 points.
pub fn body() -> FontId {
    FontId::new(13.0, FontFamily::Proportional)
}

/// Returns the font of second lines, ticks and labels, 11 points. This is the smallest size.
pub fn small() -> FontId {
    FontId::new(11.0, FontFamily::Proportional)
}

/// Returns the font of the names of selected items, 13 points.
pub fn medium() -> FontId {
    FontId::new(13.0, FontFamily::Name(MEDIUM.into()))
}

/// Returns the font of section headings, 13 points.
pub fn strong() -> FontId {
    FontId::new(13.0, FontFamily::Name(STRONG.into()))
}

/// Returns the font of the playhead's flag and of axis letters, 11 points.
pub fn small_strong() -> FontId {
    FontId::new(11.0, FontFamily::Name(STRONG.into()))
}

/// Returns the font of clip names on the track, 11 points.
pub fn small_medium() -> FontId {
    FontId::new(11.0, FontFamily::Name(MEDIUM.into()))
}

/// Returns the font of panel headings, 15 points.
pub fn heading() -> FontId {
    FontId::new(15.0, FontFamily::Name(STRONG.into()))
}

/// Returns the font of the start screen's title, 20 points.
pub fn title() -> FontId {
    FontId::new(20.0, FontFamily::Name(STRONG.into()))
}

/// Returns the font of paths and frame names, 12 points.
pub fn mono() -> FontId {
    FontId::new(12.0, FontFamily::Monospace)
}

/// Returns the font of [`super::icons`]: 16 points in buttons, 14 in rows.
pub fn icon(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(ICONS.into()))
}
