//! What desktops want to know of the window: its name, and whether its frame is dark.

use winit::window::{Theme, WindowAttributes};

use maquette_scene::scene::ColourTheme;

/// The name by which desktops find the program's icon and group its windows: of its `.desktop` file.
#[cfg(target_os = "linux")]
pub(super) fn named(attributes: WindowAttributes) -> WindowAttributes {
    use winit::platform::wayland::WindowAttributesExtWayland as _;
    // X11's class is the same setting.
    attributes.with_name("maquette", "maquette")
}

#[cfg(not(target_os = "linux"))]
pub(super) fn named(attributes: WindowAttributes) -> WindowAttributes {
    attributes
}

/// The frame's theme: as the panels. Where the system's own theme is followed, the frame follows it by itself; on Linux
/// winit knows no such theme, and the frame is what the panels are.
pub(super) fn frame_theme(chosen: Option<ColourTheme>, shown: ColourTheme) -> Option<Theme> {
    let tone = if cfg!(target_os = "linux") { Some(shown) } else { chosen };
    tone.map(|tone| match tone {
        ColourTheme::Dark => Theme::Dark,
        ColourTheme::Light => Theme::Light,
    })
}
