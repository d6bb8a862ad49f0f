//! Table of settings for menus, palette, inspector, settings dialog and command line.

use std::borrow::Cow;

use super::{
    Action, CameraAction, ClockAction, DisplayAction, FileAction, Preference, SCALES, SceneAction, Session,
    TimelineAction, WindowAction,
};
use crate::scene::{
    Background, Choice, Choices, ColourTheme, Entity, LightingMode, Onion, SPEEDS, SPEEDS_BACKWARDS, Shading,
};
use maquette_assets::engines::LightRule;
use maquette_assets::material::MAX_PLAYER_COLOUR;
use maquette_assets::open::Role;
use maquette_core::model::{EmbeddedSkin, JointStorage};

/// Setting with a few values.
#[derive(Clone, Copy)]
pub struct Setting {
    /// Display name.
    pub label: &'static str,
    /// Menu or panel. The palette shows it next to the name.
    pub place: &'static str,
    /// Search words, separated by spaces.
    pub keywords: &'static str,
    /// Panel that shows the setting as one of its rows.
    pub panel: Option<Panel>,
    /// Option of the command line without its hyphens; empty if there is none.
    pub option: &'static str,
    /// Help text of the option.
    pub help: &'static str,
    /// Other name of the option.
    pub alias: Option<&'static str>,
    /// Whether the setting applies to the scene.
    pub applies: fn(&Session) -> bool,
    /// Function that returns the values in the order of menus.
    pub values: fn(&Session) -> Vec<Value>,
}

/// Value of a setting.
pub struct Value {
    /// Display name.
    pub label: Cow<'static, str>,
    /// Names on the command line.
    pub names: &'static [&'static str],
    /// Search words in addition to those of the setting.
    pub keywords: &'static str,
    /// Whether the setting has this value.
    pub is_current: bool,
    /// Action that changes another value to this one.
    pub action: Action,
}

/// Panel that shows its settings without further code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panel {
    /// *Window* in the settings dialog.
    Window,
    /// *View* in the settings dialog.
    View,
    /// *Files* in the settings dialog.
    Files,
    /// *Display* section of the inspector.
    Display,
    /// *Model* section of the inspector.
    Model,
    /// *Motion* section of the inspector.
    Motion,
    /// Menu of light and background.
    Light,
}

impl Setting {
    const fn found_by(mut self, keywords: &'static str) -> Self {
        self.keywords = keywords;
        self
    }

    const fn on(mut self, panel: Panel) -> Self {
        self.panel = Some(panel);
        self
    }

    const fn option(mut self, option: &'static str, help: &'static str) -> Self {
        (self.option, self.help) = (option, help);
        self
    }

    const fn when(mut self, applies: fn(&Session) -> bool) -> Self {
        self.applies = applies;
        self
    }

    /// Returns the state of a switch and the action that toggles it; `None` if the setting has other values than *on*
    /// and *off*.
    pub fn toggle(&self, session: &Session) -> Option<(bool, Action)> {
        let values = (self.values)(session);
        let is_on = values.first().filter(|value| value.label == ON)?.is_current;
        values.into_iter().find(|value| !value.is_current).map(|value| (is_on, value.action))
    }
}

const ON: &str = "on";

const fn setting(label: &'static str, place: &'static str, values: fn(&Session) -> Vec<Value>) -> Setting {
    let (keywords, panel, option, help, alias) = ("", None, "", "", None);
    Setting { label, place, keywords, panel, option, help, alias, applies: |_| true, values }
}

fn values<V: Copy, L: Into<Cow<'static, str>>>(
    labels: impl IntoIterator<Item = (V, L)>,
    is_current: impl Fn(V) -> bool,
    action: impl Fn(V) -> Action,
) -> Vec<Value> {
    let value = |(value, label): (V, L)| {
        let (is_current, action) = (is_current(value), action(value));
        Value { label: label.into(), names: &[], keywords: "", is_current, action }
    };
    labels.into_iter().map(value).collect()
}

/// Values of a switch.
fn on_off(is_on: bool, action: impl Fn(bool) -> Action) -> Vec<Value> {
    let mut values = values([(true, ON), (false, "off")], |value| value == is_on, action);
    values.iter_mut().zip([&[ON], &["off"]]).for_each(|(value, names)| value.names = names);
    values
}

fn choices<T: Choices>(current: T, action: impl Fn(T) -> Action) -> Vec<Value> {
    let value = |choice: &Choice<T>| {
        let (is_current, action) = (choice.value == current, action(choice.value));
        Value { label: choice.label.into(), names: choice.names, keywords: choice.keywords, is_current, action }
    };
    T::CHOICES.iter().map(value).collect()
}

fn numbers<V: Copy + Into<f64>>(
    numbers: impl IntoIterator<Item = V>,
    label: impl Fn(V) -> String,
    current: V,
    action: impl Fn(V) -> Action,
) -> Vec<Value> {
    let labels = numbers.into_iter().map(|number| (number, label(number)));
    values(labels, |number| (number.into() - current.into()).abs() < 1e-3, action)
}

/// Values of one number of the onion skin. While the onion skin is off, no value counts as current.
fn onion(session: &Session, numbers: &[u32], label: fn(u32) -> String, with: fn(Onion, u32) -> Onion) -> Vec<Value> {
    let now = session.view.onion;
    let set = |number| Onion { on: true, ..with(now, number) };
    let labels = numbers.iter().map(|number| (*number, label(*number)));
    values(labels, |number| set(number) == now, |number| Action::Timeline(TimelineAction::SetOnion(set(number))))
}

/// Colours of a garment of Quake's players: 0 is the shirt, 1 the trousers.
fn player_colours(session: &Session, garment: usize) -> Vec<Value> {
    let now = session.player_colours;
    let rows = (0..=MAX_PLAYER_COLOUR).map(|row| (Some(row), row.to_string()));
    let set = |row| {
        let mut colours = now;
        colours[garment] = row;
        Action::File(FileAction::ColourPlayer(colours))
    };
    values(std::iter::once((None, "As in file".to_owned())).chain(rows), |row| now[garment] == row, set)
}

fn has_palette_skins(session: &Session) -> bool {
    entity_has(session, |entity| entity.model().embedded_skins().iter().any(EmbeddedSkin::is_in_game_palette))
}

fn ghosts(number: u32) -> String {
    if number == 0 { "none".to_owned() } else { number.to_string() }
}

fn prefer(preference: Preference) -> Action {
    Action::Window(WindowAction::Prefer(preference))
}

fn entity_has(session: &Session, has: impl Fn(&Entity) -> bool) -> bool {
    session.entity().is_some_and(has)
}

/// Whether the scene has a model or two halves of a character whose torso and legs play separate clips.
fn has_torso_and_legs(session: &Session) -> bool {
    let scene = &session.document.scene;
    let is_whole = scene.entities().iter().any(|entity| entity.model().has_torso());
    let halves = scene.with_role(Role::Legs).and(scene.with_role(Role::Torso));
    session.document.tracks().len() > 1 && (is_whole || halves.is_some())
}

/// Theme of the window.
pub const THEME: Setting = setting("Theme", "Settings", |session| {
    let themes = ColourTheme::CHOICES.iter().map(|choice| (Some(choice.value), choice.label));
    let themes = std::iter::once((None, "System")).chain(themes);
    let current = session.interface.theme;
    values(themes, |theme| theme == current, |theme| Action::Window(WindowAction::SetTheme(theme)))
})
.found_by("appearance mode colours colors window night day")
.on(Panel::Window);

/// Shading of surfaces.
pub const SHADING: Setting = setting("Shading", "Display", |session| {
    let set = |shading| Action::Display(DisplayAction::SetShading(shading));
    let mut shadings = choices(session.view.display.shading, set);
    // Only the comparison of two models sets this shading.
    shadings.retain(|value| value.action != set(Shading::Difference));
    shadings
})
.found_by("mode")
.option("shading", "Shading mode");

/// Lighting of textured surfaces.
pub const LIGHTING: Setting = Setting {
    alias: Some("look"),
    ..setting("Lighting", "Display", |session| {
        let set = |lighting| Action::Display(DisplayAction::SetLighting(lighting));
        let mut lightings = choices(session.view.display.lighting, set);
        // Other shadings have no lighting mode. Setting one returns to textures.
        let is_textured = session.view.display.shading == Shading::Textured;
        lightings.iter_mut().for_each(|value| value.is_current &= is_textured);
        lightings
    })
    .found_by("look")
    .option("lighting", "Lighting: studio, soft or hard (studio light), game (in-game) or plain (ignore shaders)")
};

/// Projection of the camera.
pub const PROJECTION: Setting = setting("Projection", "View", |session| {
    // There are two projections.
    choices(session.view.camera.projection, |_| Action::Camera(CameraAction::ToggleProjection))
})
.found_by("camera ortho parallel");

/// Mapping of mouse buttons.
pub const NAVIGATION: Setting = setting("Navigation", "View", |session| {
    choices(session.view.navigation, |navigation| Action::Camera(CameraAction::SetNavigation(navigation)))
})
.found_by("mouse scheme controls")
.on(Panel::View);

/// Kind of element that a click selects.
pub const SELECTION_MODE: Setting = setting("Selection mode", "Edit", |session| {
    choices(session.view.selection_level, |level| Action::Scene(SceneAction::SetSelectionLevel(level)))
})
.found_by("pick click choose face polygon vertex point element");

/// Speed factor of playback, first backward, then forward.
pub const SPEED: Setting = setting("Speed", "Animation", |session| {
    let speeds = SPEEDS_BACKWARDS.into_iter().chain(SPEEDS);
    let label = |speed: f64| format!("{speed:.2}×").replace('-', "−");
    let set = |speed| Action::Clock(ClockAction::SetSpeed(speed));
    let mut speeds = numbers(speeds, label, session.playback().speed, set);
    speeds.iter_mut().take(SPEEDS_BACKWARDS.len()).for_each(|value| value.keywords = "reverse backwards");
    speeds
})
.found_by("playback slow fast");

/// Frame rate of playback: first that of the clip, then common rates.
pub const FRAME_RATE: Setting = setting("Frame rate", "Animation", |session| {
    let current = session.playback().rate;
    let set = |rate| Action::Clock(ClockAction::SetRate(rate));
    let mut rates = values([(None, "From clip")], |_| current.is_none(), set);
    let common = [5.0_f32, 10.0, 12.0, 15.0, 20.0, 24.0, 30.0, 60.0];
    let label = |rate| format!("{rate} fps");
    rates.extend(numbers(common, label, current.unwrap_or_default(), |rate| set(Some(rate))));
    rates
})
.found_by("fps frames per second default");

/// Behaviour at the end of a clip.
pub const LOOP_MODE: Setting = setting("Loop mode", "Animation", |session| {
    choices(session.playback().repeat, |repeat| Action::Clock(ClockAction::SetRepeat(repeat)))
})
.found_by("repeat play pingpong back and forth");

/// Numbers of the onion skin. Each value switches the onion skin on.
pub const ONION: [Setting; 3] = [
    setting("Ghosts before", "Animation", |session| {
        onion(session, &[0, 1, 2, 3, 4, Onion::PER_SIDE], ghosts, |onion, before| Onion { before, ..onion })
    })
    .found_by("onion skin"),
    setting("Ghosts after", "Animation", |session| {
        onion(session, &[0, 1, 2, 3, 4, Onion::PER_SIDE], ghosts, |onion, after| Onion { after, ..onion })
    })
    .found_by("onion skin"),
    setting("Spacing", "Animation", |session| {
        let label = |number| if number == 1 { "1 frame".to_owned() } else { format!("{number} frames") };
        onion(session, &[1, 2, 3, 4, 5, 6, 7, 8, 9, Onion::WIDEST], label, |onion, step| Onion { step, ..onion })
    })
    .found_by("onion skin ghosts"),
];

/// All settings with a few values, in the order of their panels. The command line applies its options in this order,
/// too: lighting precedes shading and alpha, because it resets both.
#[rustfmt::skip]
pub static SETTINGS: &[Setting] = &[
    THEME,
    setting("Interface scale", "Settings", |session| numbers(SCALES, |scale| format!("{:.0} %", scale * 100.0), session.preferences.scale, |scale| prefer(Preference::Scale(scale)))).on(Panel::Window).found_by("zoom dpi text size larger smaller"),
    setting("Inspector", "Settings", |session| values([(false, "Right"), (true, "Left")], |swapped| session.preferences.panels.swapped == swapped, |swapped| prefer(Preference::SwapPanels(swapped)))).on(Panel::Window).found_by("panel side swap dock"),
    setting("Reduce motion", "Settings", |session| on_off(session.preferences.reduced_motion, |on| prefer(Preference::ReducedMotion(on)))).on(Panel::Window).found_by("animations accessibility transitions glide"),
    setting("Reload files when they change on disk", "Settings", |session| on_off(session.preferences.watch, |on| prefer(Preference::Watch(on)))).on(Panel::Files).found_by("watch auto hot refresh"),
    setting("Reopen last session at startup", "Settings", |session| on_off(session.preferences.restore, |on| prefer(Preference::Restore(on)))).on(Panel::Files).found_by("restore remember resume start"),
    LIGHTING,
    SHADING,
    setting("Wireframe", "Display", |session| choices(session.view.display.wireframe, |wireframe| Action::Display(DisplayAction::SetWireframe(wireframe)))).found_by("edges triangles polygons topology mesh"),
    setting("Backfaces", "Display", |session| choices(session.view.display.sides, |sides| Action::Display(DisplayAction::SetSides(sides)))).on(Panel::Display).option("backfaces", "Backfaces; tint marks holes and triangles with wrong winding").found_by("culling two-sided double-sided inside winding"),
    setting("Alpha", "Display", |session| choices(session.view.display.alpha, |alpha| Action::Display(DisplayAction::SetAlpha(alpha)))).on(Panel::Display).option("alpha", "Alpha of textures without a shader; material is like the games of the format, other values ignore shaders").found_by("transparency opacity cutout"),
    setting("Texture filter", "Display", |session| choices(session.view.display.texture_filter, |filter| Action::Display(DisplayAction::SetTextureFilter(filter)))).on(Panel::Display).option("texture-filter", "Magnification of textures").found_by("magnification pixelated bilinear interpolation"),
    setting("Bones", "Model", |session| choices(session.document.scene.bones, |bones| Action::Scene(SceneAction::SetBoneBlend(bones)))).when(|session| entity_has(session, |entity| entity.model().format().traits().joints == JointStorage::Bones)).on(Panel::Display).found_by("interpolation joints skeleton"),
    setting("Light fullbright colours", "Model", |session| on_off(session.preferences.lit_fullbrights, |on| Action::File(FileAction::LightFullbrights(on)))).when(|session| entity_has(session, |entity| !entity.model().embedded_skins().is_empty())).on(Panel::Display).found_by("skin glow bright"),
    setting("Shirt", "Model", |session| player_colours(session, 0)).when(has_palette_skins).on(Panel::Display).found_by("player colour color skin top"),
    setting("Trousers", "Model", |session| player_colours(session, 1)).when(has_palette_skins).on(Panel::Display).found_by("player colour color skin bottom pants"),
    setting("Use standard player clips", "Animation", |session| on_off(session.playback().player_table, |on| Action::Clock(ClockAction::SetPlayerTable(on)))).when(|session| entity_has(session, |entity| !entity.model().alternative_clips().is_empty())).on(Panel::Display).found_by("player table stand run attack"),
    setting("Background", "Display", |session| {
        let colours = Background::COLOURS.map(|(name, colour)| (Background::Colour(colour), name));
        let backgrounds = std::iter::once((Background::Studio, "Studio")).chain(colours);
        values(backgrounds, |background| session.view.display.background == background, |background| Action::Display(DisplayAction::SetBackground(background)))
    }).found_by("backdrop colour color"),
    setting("In-game light", "Display", |session| {
        let rules = std::iter::once((None, "By model")).chain(LightRule::ALL.map(|rule| (Some(rule), rule.name)));
        let set = |rule| Action::Display(DisplayAction::SetLightRule(rule));
        let mut rules = values(rules, |rule| session.view.display.light_rule == rule, set);
        let names = std::iter::once(&["model"][..]).chain(LightRule::ALL.map(|rule| rule.names));
        rules.iter_mut().zip(names).for_each(|(value, names)| value.names = names);
        rules
    }).when(|session| session.view.display.lighting == LightingMode::Game).on(Panel::Light).option("game-light-of", "Engine whose light the in-game look shows; model is the engine of the model").found_by("engine rule game"),
    setting("In-game effect", "Display", |session| choices(session.view.display.game_effect, |effect| Action::Display(DisplayAction::SetGameEffect(effect)))).when(Session::has_game_effects).on(Panel::Light).option("game-effect", "Effect in the in-game look of Quake II").found_by("shell powerup glow translucent"),
    setting("Adapt brightness to textures", "Display", |session| on_off(session.view.display.light.is_automatic, |on| Action::Display(DisplayAction::AutomaticBrightness(on)))).when(|session| session.view.display.is_lit()).on(Panel::Light).found_by("automatic light exposure"),
    setting("Lock light to camera", "Display", |session| on_off(session.view.display.light.follows_camera, |on| Action::Display(DisplayAction::LightFollows(on)))).when(|session| session.view.display.is_lit()).on(Panel::Light).found_by("follow headlight"),
    setting("Brightness", "Display", |session| numbers([0.5_f32, 1.0, 2.0], |brightness| format!("{} %", brightness * 100.0), session.view.display.light.brightness, |brightness| Action::Display(DisplayAction::SetBrightness(brightness)))).found_by("light exposure intensity"),
    PROJECTION,
    setting("Field of view", "View", |session| numbers([15.0_f32, 30.0, 45.0, 60.0, 90.0], |degrees| format!("{degrees}°"), session.view.camera.field_of_view.to_degrees(), |degrees| Action::Camera(CameraAction::SetFieldOfView(degrees)))).found_by("fov camera lens"),
    NAVIGATION,
    SELECTION_MODE,
    setting("LOD", "Model", |session| {
        let entity = session.entity();
        let levels = (0..entity.map_or(0, |entity| entity.model().lod_count())).map(|level| (level, level.to_string()));
        values(levels, |level| entity.is_some_and(|entity| entity.lod == level), |level| Action::Scene(SceneAction::SetLod(level)))
    }).when(|session| entity_has(session, |entity| entity.model().lod_count() > 1)).on(Panel::Model).found_by("level of detail"),
    SPEED,
    FRAME_RATE,
    LOOP_MODE,
    ONION[0],
    ONION[1],
    ONION[2],
    setting("Pair torso and legs", "Animation", |session| on_off(session.document.paired, |on| Action::Clock(ClockAction::SetPaired(on)))).when(has_torso_and_legs).on(Panel::Motion).found_by("character together play clips on both"),
];
