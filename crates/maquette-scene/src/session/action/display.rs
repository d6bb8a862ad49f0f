//! How the model is shown: shading, light, overlays.

use super::after;
use crate::scene::{Alpha, BRIGHTNESS, BackfaceDisplay, Background, LightingMode, OverlayKind, Shading, Wireframe};
use crate::session::Session;

/// What a user wants of how the model is shown.
#[derive(Clone, Debug, PartialEq)]
pub enum DisplayAction {
    /// The lighting of the model.
    SetLighting(LightingMode),
    /// The next of studio, game, plain.
    CycleLighting,
    /// Show an overlay, or hide it.
    Toggle(OverlayKind),
    /// Draw overlays over the model, or hide what is behind it.
    ToggleOverlaysOnTop,
    /// How surfaces are shaded.
    SetShading(Shading),
    /// The next way of shading.
    CycleShading,
    /// Edges of triangles.
    SetWireframe(Wireframe),
    /// The next of none, over, alone.
    CycleWireframe,
    /// What becomes of alpha.
    SetAlpha(Alpha),
    /// Length of normals as a share of the model's radius.
    SetNormalLength(f32),
    /// Lengthen or shorten normals by a factor.
    ScaleNormals(f32),
    /// What stands behind the model.
    SetBackground(Background),
    /// What is seen of triangles from behind.
    SetSides(BackfaceDisplay),
    /// The next of nothing, the same, tinted.
    CycleSides,
    /// Turn the studio's light by degrees to the viewer's right and up.
    TurnLight(f32, f32),
    /// Whether the light turns with the camera or stays in the world.
    LightFollows(bool),
    /// The light as it was at first.
    ResetLight,
    /// All of the studio's light, as a factor.
    SetBrightness(f32),
}

impl Session {
    pub(super) fn apply_to_display(&mut self, action: DisplayAction) {
        let yaw = self.view.camera.yaw;
        let display = &mut self.view.display;
        match action {
            DisplayAction::SetLighting(lighting) => self.set_lighting(lighting),
            DisplayAction::CycleLighting => self.set_lighting(after(&LightingMode::ALL, self.view.display.lighting)),
            DisplayAction::Toggle(kind) => display.overlays.toggle(kind),
            DisplayAction::ToggleOverlaysOnTop => display.overlays_on_top = !display.overlays_on_top,
            DisplayAction::SetShading(shading) => display.shading = shading,
            DisplayAction::CycleShading => display.shading = after(&Shading::CYCLE, display.shading),
            DisplayAction::SetWireframe(wireframe) => display.wireframe = wireframe,
            DisplayAction::CycleWireframe => {
                display.wireframe = after(&Wireframe::ALL, display.wireframe);
            }
            DisplayAction::SetAlpha(alpha) => display.alpha = alpha,
            DisplayAction::SetNormalLength(length) => display.normal_length = length.clamp(0.001, 1.0),
            DisplayAction::ScaleNormals(factor) => {
                display.normal_length = (display.normal_length * factor).clamp(0.005, 0.5);
            }
            DisplayAction::SetBackground(background) => display.background = background,
            DisplayAction::SetSides(sides) => display.sides = sides,
            DisplayAction::CycleSides => display.sides = after(&BackfaceDisplay::ALL, display.sides),
            DisplayAction::TurnLight(azimuth, elevation) => {
                if azimuth.is_finite() && elevation.is_finite() {
                    display.light.turn(azimuth, elevation);
                }
            }
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
