//! Typefaces and sizes: Inter in three weights with tabular figures, Hack for paths, Lucide for icons.

use std::sync::Arc;

use egui::{Context, FontData, FontDefinitions, FontFamily, FontId};

const MEDIUM: &str = "medium";
const STRONG: &str = "strong";
const ICONS: &str = "icons";

/// Hands the bundled typefaces to egui.
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
    // What the first face of a family lacks, the next may have.
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

/// Labels and values, 13 points.
#[must_use]
pub fn body() -> FontId {
    FontId::new(13.0, FontFamily::Proportional)
}

/// Second lines, ticks, plates: 11 points, the smallest there is.
#[must_use]
pub fn small() -> FontId {
    FontId::new(11.0, FontFamily::Proportional)
}

/// Names of what is chosen.
#[must_use]
pub fn medium() -> FontId {
    FontId::new(13.0, FontFamily::Name(MEDIUM.into()))
}

/// Headers of sections.
#[must_use]
pub fn strong() -> FontId {
    FontId::new(13.0, FontFamily::Name(STRONG.into()))
}

/// Small and strong: the playhead's flag, letters of axes.
#[must_use]
pub fn small_strong() -> FontId {
    FontId::new(11.0, FontFamily::Name(STRONG.into()))
}

/// Names of clips on the track.
#[must_use]
pub fn small_medium() -> FontId {
    FontId::new(11.0, FontFamily::Name(MEDIUM.into()))
}

/// Headings of panels, 15 points.
#[must_use]
pub fn heading() -> FontId {
    FontId::new(15.0, FontFamily::Name(STRONG.into()))
}

/// The one line of the empty window, 20 points.
#[must_use]
pub fn title() -> FontId {
    FontId::new(20.0, FontFamily::Name(STRONG.into()))
}

/// Paths and names of frames, 12 points.
#[must_use]
pub fn mono() -> FontId {
    FontId::new(12.0, FontFamily::Monospace)
}

/// Icons of [`super::icons`]: 16 points in buttons, 14 in rows.
#[must_use]
pub fn icon(size: f32) -> FontId {
    FontId::new(size, FontFamily::Name(ICONS.into()))
}
