//! Properties of the window for desktops: its name, and the theme of its frame.

use winit::window::{Theme, WindowAttributes};

use maquette_scene::scene::ColourTheme;

/// Sets the name of the `.desktop` file, by which desktops find the icon and group windows.
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

/// Returns the theme of the frame. winit applies the system's theme, except on Linux, where winit does not know the
/// theme.
pub(super) fn frame_theme(chosen: Option<ColourTheme>, shown: ColourTheme) -> Option<Theme> {
    let theme = if cfg!(target_os = "linux") { Some(shown) } else { chosen };
    theme.map(|theme| match theme {
        ColourTheme::Dark => Theme::Dark,
        ColourTheme::Light => Theme::Light,
    })
}
