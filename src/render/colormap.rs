//! The scale of colours by which numbers per vertex are shown, as a picture.

use maquette_scene::scene::VALUE_COLOURS;

/// Texels of the scale.
pub(super) const LENGTH: u32 = 256;

/// The scale as a picture one row high, four bytes a texel.
pub(super) fn texels() -> Vec<u8> {
    let last = (VALUE_COLOURS.len() - 1) as f32;
    (0..LENGTH).flat_map(|texel| colour(texel as f32 / (LENGTH - 1) as f32 * last)).collect()
}

/// The colour so many stops along.
fn colour(along: f32) -> [u8; 4] {
    let before = (along as usize).min(VALUE_COLOURS.len() - 2);
    let share = along - before as f32;
    let [from, to] = [VALUE_COLOURS[before], VALUE_COLOURS[before + 1]];
    let mix = |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * share).round() as u8;
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2]), 255]
}
