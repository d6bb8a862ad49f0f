//! Display actions: shading, light, overlays.

use std::collections::BTreeSet;
use std::sync::Arc;

use maquette_assets::engines::LightRule;

use super::after;
use crate::scene::{
    Alpha, BRIGHTNESS, BackfaceDisplay, Background, Choices as _, GameEffect, GameLight, LightShape, LightingMode,
    MAX_GAME_LIGHTS, OverlayKind, Shading, TextureFilter, Wireframe,
};
use crate::session::loads::{QueuedLoad, then_update};
use crate::session::{Effect, NotificationKind, Session};

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
    AddPointLight,
    /// Add a light to the in-game look that is aimed at the middle of the scene, in place of a light from far away.
    AddProjectedLight,
    /// Replace a light of the in-game look, by its index.
    SetGameLight(usize, GameLight),
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
    pub fn has_game_lights(&self) -> bool {
        let display = &self.view.display;
        display.is_in_game() && self.asset().is_some_and(|asset| display.light_on(asset).has_interactions)
    }

    /// Adds a light before the scene, at the upper right of the view.
    fn add_game_light(&mut self, is_projected: bool) -> Option<Effect> {
        let (bounds, camera) = (self.document.scene.bounds(), &self.view.camera);
        let (right, up) = camera.right_up();
        let (centre, radius) = (bounds.centre(), bounds.radius().max(1.0));
        let (towards, aside) = (camera.towards_eye() * radius, (right + up) * radius);
        let light = match is_projected {
            true => GameLight::projected(centre + towards * 1.4 + aside * 0.5, centre, up, radius),
            false => GameLight::point(centre + (towards + aside) * 0.6, radius * 3.0),
        };
        let is_near = |light: &&GameLight| !matches!(light.shape, LightShape::Parallel(_));
        let near = self.view.display.game_lights.iter().filter(is_near).take(MAX_GAME_LIGHTS - 1).cloned();
        self.set_game_lights(near.chain([light]).collect())
    }

    fn replace_game_light(&mut self, number: usize, light: GameLight) -> Option<Effect> {
        let mut lights = self.view.display.game_lights.to_vec();
        let known = lights.get_mut(number)?;
        if let Err(why) = light.check() {
            self.notify(NotificationKind::Warning, "Light not changed", why);
            return None;
        }
        let is_loaded = known.material == light.material;
        *known = light;
        if !is_loaded {
            return self.set_game_lights(lights.into());
        }
        self.view.display.game_lights = lights.into();
        None
    }

    /// Sets the lights of the in-game look, and loads the images and the names of light materials.
    pub(in crate::session) fn set_game_lights(&mut self, lights: Arc<[GameLight]>) -> Option<Effect> {
        self.view.display.game_lights = lights;
        self.load_light_materials()
    }

    /// Loads the images of the lights' materials and the names of all light materials, if a light can have one.
    pub(in crate::session) fn load_light_materials(&mut self) -> Option<Effect> {
        let mut lights = self.view.display.game_lights.to_vec();
        let asset = self.asset().filter(|_| lights.iter().any(|light| light.position().is_some()))?;
        let (file, format) = (asset.file.clone()?, asset.model.format());
        let load = QueuedLoad::of_path(file, move |context, file| {
            let names = context.opener.light_materials(&file);
            let is_missing = |light: &mut GameLight| !light.load_images(context.opener, &file, format);
            let missing: BTreeSet<String> =
                lights.iter_mut().filter_map(|light| is_missing(light).then(|| light.material.clone())).collect();
            then_update(move |session| session.light_materials_loaded(&lights, &missing, names))
        });
        self.load(load.in_background().or_else(|_, _| {}))
    }

    fn light_materials_loaded(&mut self, loaded: &[GameLight], missing: &BTreeSet<String>, names: Vec<String>) {
        self.interface.light_materials = names;
        let mut lights = self.view.display.game_lights.to_vec();
        for light in &mut lights {
            if let Some(same) = loaded.iter().find(|loaded| loaded.material == light.material) {
                (light.projection, light.falloff) = (same.projection.clone(), same.falloff.clone());
            }
        }
        self.view.display.game_lights = lights.into();
        for name in missing {
            let text = format!("No images found for the light material “{name}”");
            self.notify(NotificationKind::Warning, text, "The light is plain");
        }
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
    pub fn has_game_effects(&self) -> bool {
        let display = &self.view.display;
        display.is_in_game() && self.asset().is_some_and(|asset| display.light_on(asset).has_effects)
    }

    pub(super) fn apply_to_display(&mut self, action: DisplayAction) -> Option<Effect> {
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
            DisplayAction::AddPointLight => return self.add_game_light(false),
            DisplayAction::AddProjectedLight => return self.add_game_light(true),
            DisplayAction::SetGameLight(number, light) => return self.replace_game_light(number, light),
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
        None
    }
}
