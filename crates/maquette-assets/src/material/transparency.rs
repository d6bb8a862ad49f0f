//! Transparency of images without a script.

use std::sync::Arc;

use super::expression::Expression;
use super::{AlphaTest, Blend, ScriptAlpha, Stage, SurfaceMaterial, Texels, sort};

/// Transparency of a surface without a script.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Transparency {
    /// Opaque, whatever the alpha.
    #[default]
    Opaque,
    /// Drawn where alpha is at least ½: leaves, fences.
    Cutout,
    /// Blended by alpha: glass, webs.
    Blend,
}

/// Maximum alpha of a clear texel, and minimum alpha of an opaque one.
const CLEAR: u8 = 31;
const SOLID: u8 = 224;
/// Share of transparent texels, in thousandths, up to which they count as accidental.
const STRAY_SHARE: usize = 5;

impl Texels {
    /// Guesses the purpose of alpha. Values mostly between clear and opaque count as opaque: many images store gloss
    /// there.
    pub fn transparency(&self) -> Transparency {
        *self.transparency.get_or_init(|| if self.has_alpha { self.find_transparency() } else { Transparency::Opaque })
    }

    /// Returns whether no texel is seen: alpha is below ½ everywhere.
    pub fn is_clear(&self) -> bool {
        self.has_alpha && self.rgba.as_chunks::<4>().0.iter().all(|texel| texel[3] < 128)
    }

    fn find_transparency(&self) -> Transparency {
        let (mut clear, mut soft, mut solid) = (0_usize, 0_usize, 0_usize);
        for texel in self.rgba.as_chunks::<4>().0 {
            match texel[3] {
                0..=CLEAR => clear += 1,
                SOLID.. => solid += 1,
                _ => soft += 1,
            }
        }
        let few = (clear + soft + solid) * STRAY_SHARE / 1000;
        if clear + soft <= few || clear + solid <= few {
            Transparency::Opaque
        } else if soft > clear {
            Transparency::Blend
        } else {
            Transparency::Cutout
        }
    }
}

impl SurfaceMaterial {
    /// Returns the transparency of the surface; [`Transparency::Opaque`] if it has a script.
    pub fn transparency(&self) -> Transparency {
        match self.definition.stages.first().filter(|_| self.script.is_none()) {
            Some(stage) if stage.blend.is_some() => Transparency::Blend,
            Some(Stage { alpha_test: AlphaTest::Half, .. }) => Transparency::Cutout,
            Some(Stage { alpha_test: AlphaTest::Above(Expression::Number(cutoff)), .. }) if *cutoff > 0.0 => {
                Transparency::Cutout
            }
            _ => Transparency::Opaque,
        }
    }

    /// Applies the use of alpha by a game's script. As in the Cube engines, blended surfaces are written to the depth
    /// buffer.
    #[must_use]
    pub fn with_script_alpha(mut self, alpha: ScriptAlpha) -> Self {
        let definition = Arc::make_mut(&mut self.definition);
        if let Some(stage) = definition.stages.first_mut() {
            let cutoff = if alpha.cutoff > 0.0 { alpha.cutoff } else { -1.0 };
            stage.alpha_test = AlphaTest::Above(Expression::Number(cutoff));
            stage.blend = alpha.blends.then_some(Blend::ALPHA);
            definition.sort = if alpha.blends { sort::SEE_THROUGH } else { sort::OPAQUE };
        }
        self
    }

    /// Applies the transparency of the image, unless the material has a script or [`ScriptAlpha`].
    #[must_use]
    pub fn with_image_transparency(mut self) -> Self {
        // A decal may represent the material, but the first stage decides about its alpha.
        let first = self.definition.stages.first().and_then(|stage| stage.maps.first()?.image.as_ref());
        let transparency = first.or(self.image.as_ref()).map(|image| image.transparency()).unwrap_or_default();
        let is_scripted = |stage: &Stage| matches!(stage.alpha_test, AlphaTest::Above(_));
        let is_scripted = self.script.is_some() || self.definition.stages.iter().any(is_scripted);
        if transparency == self.transparency() || is_scripted {
            return self;
        }
        let definition = Arc::make_mut(&mut self.definition);
        if let Some(stage) = definition.stages.first_mut() {
            let blends = transparency == Transparency::Blend;
            stage.blend = blends.then_some(Blend::ALPHA);
            stage.writes_depth = !blends;
            stage.alpha_test = if transparency == Transparency::Cutout { AlphaTest::Half } else { AlphaTest::None };
            definition.sort = if blends { sort::BLEND } else { sort::OPAQUE };
        }
        self
    }
}
