//! Display actions: shading, light, overlays.

use super::after;
use crate::scene::{
    Alpha, BRIGHTNESS, BackfaceDisplay, Background, Choices as _, LightingMode, OverlayKind, Shading, TextureFilter,
    Wireframe,
};
use crate::session::Session;
use maquette_assets::engines::LightRule;

/// Display action of the user.
#[derive(Clone, Debug, PartialEq)]
pub enum DisplayAction {
    /// Set the lighting.
    SetLighting(LightingMode),
    /// Choose the next lighting.
    CycleLighting,
    /// Show or hide an overlay.
    Toggle(OverlayKind),
    /// Toggle whether overlays are drawn over the model.
    ToggleOverlaysOnTop,
    /// Set the shading.
    SetShading(Shading),
    /// Choose the next shading.
    CycleShading,
    /// Set the wireframe.
    SetWireframe(Wireframe),
    /// Choose the next wireframe mode.
    CycleWireframe,
    /// Set the use of alpha.
    SetAlpha(Alpha),
    /// Set the magnification of textures.
    SetTextureFilter(TextureFilter),
    /// Set the length of normals as a share of the model's radius.
    SetNormalLength(f32),
    /// Scale the length of normals by a factor.
    ScaleNormals(f32),
    /// Set the background.
    SetBackground(Background),
    /// Set the light of the in-game look; `None` for that of each model's engine.
    SetLightRule(Option<&'static LightRule>),
    /// Set the display of backfaces.
    SetSides(BackfaceDisplay),
    /// Choose the next display of backfaces.
    CycleSides,
    /// Turn the studio light by degrees to the viewer's right and up.
    TurnLight(f32, f32),
    /// Set whether the light follows the camera.
    LightFollows(bool),
    /// Reset the light.
    ResetLight,
    /// Set the brightness factor of the studio light.
    SetBrightness(f32),
    /// Set whether the brightness adapts to the textures.
    AutomaticBrightness(bool),
}

impl Session {
    pub(super) fn apply_to_display(&mut self, action: DisplayAction) {
        let yaw = self.view.camera.yaw;
        let display = &mut self.view.display;
        match action {
            DisplayAction::SetLighting(lighting) => self.set_lighting(lighting),
            DisplayAction::CycleLighting => {
                self.set_lighting(after(LightingMode::CYCLE.iter().copied(), self.view.display.lighting))
            }
            DisplayAction::Toggle(kind) => display.overlays.toggle(kind),
            DisplayAction::ToggleOverlaysOnTop => display.overlays_on_top = !display.overlays_on_top,
            DisplayAction::SetShading(shading) => display.shading = shading,
            DisplayAction::CycleShading => display.shading = after(Shading::CYCLE.iter().copied(), display.shading),
            DisplayAction::SetWireframe(wireframe) => display.wireframe = wireframe,
            DisplayAction::CycleWireframe => {
                display.wireframe = after(Wireframe::all(), display.wireframe);
            }
            DisplayAction::SetAlpha(alpha) => display.alpha = alpha,
            DisplayAction::SetTextureFilter(filter) => self.set_texture_filter(filter),
            DisplayAction::SetNormalLength(length) => display.normal_length = length.clamp(0.001, 1.0),
            DisplayAction::ScaleNormals(factor) => {
                display.normal_length = (display.normal_length * factor).clamp(0.005, 0.5);
            }
            DisplayAction::SetLightRule(rule) => display.light_rule = rule,
            DisplayAction::SetBackground(background) => display.background = background,
            DisplayAction::SetSides(sides) => display.sides = sides,
            DisplayAction::CycleSides => display.sides = after(BackfaceDisplay::all(), display.sides),
            DisplayAction::TurnLight(azimuth, elevation) => {
                if azimuth.is_finite() && elevation.is_finite() {
                    display.light.turn(azimuth, elevation);
                }
            }
            DisplayAction::AutomaticBrightness(automatic) => display.light.is_automatic = automatic,
            DisplayAction::LightFollows(follows) => display.light.follow(follows, yaw),
            DisplayAction::ResetLight => display.light.reset(yaw),
            DisplayAction::SetBrightness(brightness) => {
                if brightness.is_finite() {
                    display.light.brightness = brightness.clamp(BRIGHTNESS.0, BRIGHTNESS.1);
                }
            }
        }
    }
}
