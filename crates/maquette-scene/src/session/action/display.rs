//! Display actions: shading, light, overlays.

use super::after;
use crate::scene::{
    Alpha, BRIGHTNESS, BackfaceDisplay, Background, Choices as _, GameEffect, GameLight, LightShape, LightingMode,
    MAX_GAME_LIGHTS, OverlayKind, Shading, TextureFilter, Wireframe,
};
use crate::session::Session;
use glam::Vec3;
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
    /// Set the effect of the in-game look of Quake II.
    SetGameEffect(GameEffect),
    /// Add a point light to the in-game look, in place of a light from far away.
    AddGameLight,
    /// Move a light of the in-game look, by its index.
    MoveGameLight(usize, Vec3),
    /// Remove a light of the in-game look, by its index. After the last one with a position, the usual lights return.
    RemoveGameLight(usize),
    /// Set the display of backfaces.
    SetSides(BackfaceDisplay),
    /// Choose the next display of backfaces.
    CycleSides,
    /// Turn the studio light by degrees to the viewer's right and up.
    TurnLight(f32, f32),
    /// Set whether the light follows the camera.
    LightFollows(bool),
    /// Reset the studio light and the lights of the in-game look.
    ResetLight,
    /// Set the brightness factor of the studio light.
    SetBrightness(f32),
    /// Set whether the brightness adapts to the textures.
    AutomaticBrightness(bool),
}

impl Session {
    /// Whether the focused model is shown in the lights of the in-game look.
    #[must_use]
    pub fn has_game_lights(&self) -> bool {
        let display = &self.view.display;
        display.is_in_game() && self.asset().is_some_and(|asset| display.light_on(asset).has_interactions)
    }

    /// Adds a light before the scene, at the upper right of the view.
    fn add_game_light(&mut self) {
        let bounds = self.document.scene.bounds();
        let camera = &self.view.camera;
        let (right, up) = camera.right_up();
        let radius = bounds.radius().max(1.0);
        let origin = bounds.centre() + (camera.towards_eye() + right + up) * (radius * 0.6);
        let lights = &mut self.view.display.game_lights;
        let is_near = |light: &&GameLight| !matches!(light.shape, LightShape::Parallel(_));
        let near = lights.iter().filter(is_near).take(MAX_GAME_LIGHTS - 1).cloned();
        *lights = near.chain([GameLight::point(origin, radius * 3.0)]).collect();
    }

    fn remove_game_light(&mut self, number: usize) {
        let mut lights = self.view.display.game_lights.to_vec();
        if number < lights.len() {
            lights.remove(number);
            let has_point = lights.iter().any(|light| light.position().is_some());
            self.view.display.game_lights = if has_point { lights.into() } else { GameLight::usual() };
        }
    }

    /// Whether the focused model can be shown with an effect of Quake II.
    #[must_use]
    pub fn has_game_effects(&self) -> bool {
        let display = &self.view.display;
        display.is_in_game() && self.asset().is_some_and(|asset| *display.light_on(asset) == LightRule::QUAKE_2)
    }

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
            DisplayAction::SetGameEffect(effect) => display.game_effect = effect,
            DisplayAction::AddGameLight => self.add_game_light(),
            DisplayAction::MoveGameLight(number, to) => {
                let mut lights = display.game_lights.to_vec();
                if let Some(light) = lights.get_mut(number).filter(|_| to.is_finite()) {
                    light.move_to(to);
                    display.game_lights = lights.into();
                }
            }
            DisplayAction::RemoveGameLight(number) => self.remove_game_light(number),
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
            DisplayAction::ResetLight => {
                display.light.reset(yaw);
                display.game_lights = GameLight::usual();
            }
            DisplayAction::SetBrightness(brightness) => {
                if brightness.is_finite() {
                    display.light.brightness = brightness.clamp(BRIGHTNESS.0, BRIGHTNESS.1);
                }
            }
        }
    }
}
