//! Background of 8-bit skins, which the games fill with the colours around it.

use std::collections::VecDeque;
use std::sync::Arc;

use super::{Image, Texels};

/// Colour of the texels around which there is only background.
const BLACK: [u8; 4] = [0, 0, 0, 255];

impl Texels {
    /// Returns the image as a skin of its game: the connected area of the first texel's colour takes the colours of its
    /// neighbours, from the edge inwards (QuakeSpasm `gl_model.c`, `Mod_FloodFillSkin`; yquake2 `gl1_image.c`,
    /// `R_FloodFillSkin`). `None` if the image does not change.
    pub fn filled(&self) -> Option<&Arc<Image>> {
        let fill = || self.has_background.then(|| self.fill()).flatten().map(Arc::new);
        self.filled.get_or_init(fill).as_ref()
    }

    fn fill(&self) -> Option<Image> {
        let (width, height) = (self.width as usize, self.height as usize);
        let mut rgba = self.rgba.clone();
        let texels = rgba.as_chunks_mut::<4>().0;
        let background = *texels.first()?;
        if background == BLACK || background[3] == 0 {
            return None;
        }
        let mut waits = vec![false; texels.len()];
        let mut queue = VecDeque::from([0_usize]);
        *waits.first_mut()? = true;
        while let Some(at) = queue.pop_front() {
            let (x, y) = (at % width, at / width);
            let mut colour = BLACK;
            let neighbours = [
                (x > 0).then(|| at - 1),
                (x + 1 < width).then_some(at + 1),
                (y > 0).then(|| at - width),
                (y + 1 < height).then_some(at + width),
            ];
            for next in neighbours.into_iter().flatten() {
                let (Some(texel), Some(waits)) = (texels.get(next), waits.get_mut(next)) else { continue };
                if *waits {
                    continue;
                }
                if *texel == background {
                    *waits = true;
                    queue.push_back(next);
                } else {
                    colour = *texel;
                }
            }
            *texels.get_mut(at)? = colour;
            *waits.get_mut(at)? = false;
        }
        Some(Image::new(self.width, self.height, rgba))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn background_takes_colours_from_the_edge_inwards() {
        let [blue, red, green] = [[0, 0, 255, 255], [255, 0, 0, 255], [0, 255, 0, 255]];
        let texels = |colours: &[[u8; 4]]| Image::new(4, 2, colours.concat());
        // The blue texel in the corner does not touch the background.
        let skin = [blue, blue, blue, red, blue, blue, red, blue];
        let filled = texels(&skin).with_background();
        assert_eq!(
            filled.filled().map(|image| image.rgba.clone()),
            Some([BLACK, BLACK, red, red, BLACK, BLACK, red, blue].concat())
        );
        assert!(texels(&skin).filled().is_none(), "the image is not an 8-bit skin");
        let black = [BLACK, green, green, green, BLACK, BLACK, red, red];
        assert!(texels(&black).with_background().filled().is_none());
    }
}
