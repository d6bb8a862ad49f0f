//! Parsers of image sizes and views.

use maquette_scene::scene::{Choices as _, OVERLAYS, OverlayKind, StandardView};
use maquette_scene::session::MAX_IMAGE_PIXELS;

/// Longest side of an image in pixels. Larger sizes are refused.
const MAX_IMAGE_SIDE: u32 = 16_384;

pub(super) fn parse_size(text: &str) -> Result<(u32, u32), String> {
    // Thumbnailers pass one number for a square.
    let (width, height) = text.split_once(['x', 'X', '×']).unwrap_or((text, text));
    let side = |text: &str| {
        let side = text.trim().parse().ok().filter(|side| (1..=MAX_IMAGE_SIDE).contains(side));
        side.ok_or_else(|| format!("expected width and height of 1 to {MAX_IMAGE_SIDE} pixels, for example 640x480"))
    };
    let (width, height) = (side(width)?, side(height)?);
    if u64::from(width) * u64::from(height) > MAX_IMAGE_PIXELS {
        return Err(format!("expected at most {MAX_IMAGE_PIXELS} pixels, for example 8192x8192"));
    }
    Ok((width, height))
}

pub(super) fn parse_angles(text: &str) -> Result<(f32, f32), &'static str> {
    if let Some(view) = StandardView::all().find(|view| view.label().eq_ignore_ascii_case(text.trim())) {
        return Ok(view.angles());
    }
    let angle = |text: &str| text.trim().parse::<f32>().ok().filter(|angle| angle.is_finite());
    let angles = text.split_once(',').and_then(|(yaw, pitch)| Some((angle(yaw)?, angle(pitch)?)));
    let (yaw, pitch) = angles.ok_or("expected a view or two angles, for example front or 35,10")?;
    Ok((yaw, pitch.clamp(-90.0, 90.0)))
}

/// Value of `--show`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayArgument {
    Overlay(OverlayKind),
    Wireframe,
    None,
}

/// Returns the values of `--show` with their names.
pub(super) fn overlays() -> impl Iterator<Item = (&'static str, OverlayArgument)> {
    let overlays = OVERLAYS.iter().map(|row| (row.cli_name, OverlayArgument::Overlay(row.kind)));
    overlays.chain([("wireframe", OverlayArgument::Wireframe), ("none", OverlayArgument::None)])
}
