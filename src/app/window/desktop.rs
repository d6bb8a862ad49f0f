//! Properties of the window for desktops: its name, and the theme of its decorations.

use winit::window::{Theme, WindowAttributes};

use maquette_scene::scene::ColourTheme;

/// Sets the name of the `.desktop` file, which desktops use to find the icon and to group windows.
#[cfg(target_os = "linux")]
pub(super) fn named(attributes: WindowAttributes) -> WindowAttributes {
    use winit::platform::wayland::WindowAttributesExtWayland as _;
    // This also sets X11's class.
    attributes.with_name("maquette", "maquette")
}

#[cfg(not(target_os = "linux"))]
pub(super) fn named(attributes: WindowAttributes) -> WindowAttributes {
    attributes
}

/// Returns the theme of the window decorations. `None` lets winit apply the system's theme, which it does not know on
/// Linux.
pub(super) fn frame_theme(chosen: Option<ColourTheme>, shown: ColourTheme) -> Option<Theme> {
    let theme = if cfg!(target_os = "linux") { Some(shown) } else { chosen };
    theme.map(|theme| match theme {
        ColourTheme::Dark => Theme::Dark,
        ColourTheme::Light => Theme::Light,
    })
}
