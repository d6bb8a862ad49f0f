//! Colour scale texture for values per vertex.

use maquette_scene::scene::VALUE_COLOURS;

pub(super) const LENGTH: u32 = 256;

pub(super) fn texels() -> Vec<u8> {
    let last = (VALUE_COLOURS.len() - 1) as f32;
    (0..LENGTH).flat_map(|texel| colour(texel as f32 / (LENGTH - 1) as f32 * last)).collect()
}

/// Returns the colour at a fractional index of the stops.
fn colour(along: f32) -> [u8; 4] {
    let before = (along as usize).min(VALUE_COLOURS.len() - 2);
    let share = along - before as f32;
    let [from, to] = [VALUE_COLOURS[before], VALUE_COLOURS[before + 1]];
    let mix = |from: u8, to: u8| (f32::from(from) + (f32::from(to) - f32::from(from)) * share).round() as u8;
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2]), 255]
}
