//! Colours of a glTF: an image times a factor in linear light (*glTF 2.0 Specification*, 3.9.2).

use super::Image;
use maquette_core::model::linear;

/// Encodes linear light, from 0 to 1, as sRGB (IEC 61966-2-1).
fn encoded(part: f32) -> f32 {
    if part <= 0.003_130_8 { part * 12.92 } else { 1.055 * part.powf(1.0 / 2.4) - 0.055 }
}

fn decoded(byte: u8) -> f32 {
    linear(f32::from(byte) / 255.0)
}

fn byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0).round() as u8
}

/// Converts a linear colour to the bytes of an image. Alpha is not encoded.
pub(crate) fn display_colour([red, green, blue, alpha]: [f32; 4]) -> [u8; 4] {
    let [red, green, blue] = [red, green, blue].map(|part| byte(encoded(part)));
    [red, green, blue, byte(alpha)]
}

impl Image {
    /// Returns the image times a linear colour.
    pub(crate) fn tinted(&self, colour: [f32; 4]) -> Self {
        let table = |channel: usize| -> [u8; 256] {
            std::array::from_fn(|value| {
                let value = value as u8;
                let factor = colour[channel];
                if channel < 3 {
                    byte(encoded(decoded(value) * factor))
                } else {
                    byte(f32::from(value) / 255.0 * factor)
                }
            })
        };
        let tables: [[u8; 256]; 4] = std::array::from_fn(table);
        let texels = self.rgba.as_chunks::<4>().0.iter();
        let rgba = texels.flat_map(|texel| std::array::from_fn::<u8, 4, _>(|at| tables[at][usize::from(texel[at])]));
        Self::new(self.width, self.height, rgba.collect())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Half of linear white is sRGB 188: 1.055 · 0.5^(1/2.4) − 0.055 = 0.7354. Alpha is linear: 0.5 · 255 = 127.5.
    #[test]
    fn colours_are_multiplied_in_linear_light() {
        let white = Image::of_colour([255; 4]);
        assert_eq!(white.tinted([0.5, 1.0, 0.0, 0.5]).rgba, [188, 255, 0, 128]);
        assert_eq!(display_colour([0.5, 1.0, 0.0, 0.5]), [188, 255, 0, 128]);
        // 188 decodes to 0.5029; half of it is 0.2514, which is sRGB 137.
        assert_eq!(Image::of_colour([188, 10, 0, 255]).tinted([0.5, 1.0, 1.0, 1.0]).rgba, [137, 10, 0, 255]);
    }
}
