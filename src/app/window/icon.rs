//! Icon of the window.

use winit::window::Icon;

/// Draws the icon, a lump of clay on a stand, so that no image decoder is needed before the window opens.
pub(super) fn icon() -> Option<Icon> {
    const SIDE: u32 = 64;
    let disc = |x: f32, y: f32, cx: f32, cy: f32, rx: f32, ry: f32| {
        let distance = ((x - cx) / rx).hypot((y - cy) / ry);
        ((1.0 - distance) * rx.min(ry) + 0.5).clamp(0.0, 1.0)
    };
    let mut rgba = Vec::with_capacity((SIDE * SIDE * 4) as usize);
    for row in 0..SIDE {
        for column in 0..SIDE {
            let (x, y) = (column as f32 + 0.5, row as f32 + 0.5);
            let stand = disc(x, y, 32.0, 52.0, 22.0, 7.0);
            let body = disc(x, y, 32.0, 34.0, 14.0, 18.0).max(disc(x, y, 32.0, 14.0, 9.0, 9.5));
            let light = 0.72 + 0.28 * ((40.0 - x) / 30.0).clamp(-1.0, 1.0) + 0.1 * ((20.0 - y) / 40.0);
            let mix = |stand_value: f32, body_value: f32| {
                let value = stand_value * (1.0 - body) + body_value * light * body;
                value.clamp(0.0, 255.0) as u8
            };
            let alpha = (stand.max(body) * 255.0) as u8;
            rgba.extend([mix(70.0, 240.0), mix(72.0, 147.0), mix(77.0, 90.0), alpha]);
        }
    }
    Icon::from_rgba(rgba, SIDE, SIDE).ok()
}
