//! Scene, display options and camera that images, animations and contact sheets have in common.

use maquette_scene::session::SceneAction;
use std::io::{self, IsTerminal as _};
use std::path::Path;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use maquette_assets::open::Opener;
use maquette_scene::scene::{
    BackfaceDisplay, Camera, CameraText, GameEffect, GameLight, LightingMode, OVERLAYS, Overlays, Projection, Wireframe,
};
use maquette_scene::session::{Action, Session};

use super::args::{CharacterArguments, FrameArguments, ImageArguments, OverlayArgument};
use super::{Failure, open, output, scene};

/// Opens the model and sets up the scene according to the arguments, but does not frame it.
pub fn session(
    opener: &Opener,
    model: &Path,
    size: (u32, u32),
    character: &CharacterArguments,
    frame: &FrameArguments,
    options: &ImageArguments,
) -> Result<Session, Failure> {
    let assembly = open::assembly(opener, model, character)?;
    let mut session = Session::default();
    session.view.aspect = size.0 as f32 / size.1 as f32;
    session.view.display.overlays = Overlays::default();
    session.show(assembly);
    scene::arrange(&mut session.document.scene, opener, character, frame)?;
    let levels = session.document.scene.entities().iter().map(|entity| entity.model().lod_count()).max().unwrap_or(1);
    if options.lod >= levels {
        return Err(Failure::Usage(format!("--lod {}: the model has LODs 0 to {}", options.lod, levels - 1)));
    }
    session.apply(Action::Scene(SceneAction::SetLod(options.lod)));
    choose_overlays(&mut session, options);
    if session.view.display.game_effect != GameEffect::None && !session.has_game_effects() {
        let name = output::path(model);
        output::error_line(format_args!(
            "{name}: --game-effect skipped; add --lighting game, and --game-light-of quake2 if the game is not Quake II"
        ));
    }
    set_game_lights(&mut session, opener, model, options);
    session.view.material_clock.seconds =
        options.time.unwrap_or_else(|| session.document.scene.material_time_of_image());
    Ok(session)
}

/// Sets the lights of the in-game look: those of the options, or else those after the camera.
fn set_game_lights(session: &mut Session, opener: &Opener, model: &Path, options: &ImageArguments) {
    let Some(format) = session.entity().map(|entity| entity.model().format()) else { return };
    let lights = options.camera.as_ref().and_then(|(_, lights)| lights.game.as_deref());
    let mut lights: Vec<GameLight> = match lights.filter(|_| options.game_light.is_empty()) {
        Some(lights) => lights.to_vec(),
        None if options.game_light.is_empty() => return,
        None => options.game_light.iter().flatten().cloned().collect(),
    };
    for light in &mut lights {
        if !light.load_images(opener, model, format) {
            let (name, material) = (output::path(model), &light.material);
            output::error_line(format_args!(
                "{name}: no images found for the light material “{material}”; the light is plain"
            ));
        }
    }
    session.view.display.game_lights = lights.into();
}

/// Updates the ground and sets the requested view.
pub fn turn(session: &mut Session, options: &ImageArguments) {
    session.document.update_extent();
    session.refresh();
    session.view.camera = Camera {
        yaw: options.view.0,
        pitch: options.view.1,
        projection: if options.orthographic { Projection::Orthographic } else { Projection::Perspective },
        field_of_view: options.fov.to_radians(),
        ..Camera::default()
    };
}

/// Returns the requested camera. It orbits the point on its line of sight that is nearest to the current target.
pub fn camera(eye: &CameraText, session: &Session) -> Result<Camera, Failure> {
    eye.camera(session.view.camera.target, session.view.aspect)
        .ok_or_else(|| Failure::Usage("--camera: forward and up must not be parallel".to_owned()))
}

fn choose_overlays(session: &mut Session, arguments: &ImageArguments) {
    // Options change the studio light of the camera's text.
    let studio = arguments.camera.as_ref().and_then(|(_, lights)| lights.studio.as_ref());
    studio.into_iter().for_each(|light| session.view.display.light = *light);
    for action in &arguments.settings.0 {
        session.apply(action.clone());
    }
    let display = &mut session.view.display;
    display.theme = arguments.theme;
    display.background = arguments.background;
    if arguments.two_sided || arguments.inside {
        display.sides = if arguments.two_sided { BackfaceDisplay::Both } else { BackfaceDisplay::Tinted };
    }
    display.samples = arguments.samples;
    display.light.turn(arguments.light.0, arguments.light.1);
    if arguments.show.is_none() && display.lighting != LightingMode::Game {
        // Tags and joints of a model without surfaces are already on.
        OVERLAYS.iter().filter(|row| row.is_ground).for_each(|row| display.overlays.set(row.kind, true));
    }
    for shown in arguments.show.as_deref().unwrap_or_default() {
        match shown {
            OverlayArgument::Overlay(kind) => display.overlays.set(*kind, true),
            OverlayArgument::Wireframe => display.wireframe = Wireframe::Over,
            OverlayArgument::None => {}
        }
    }
}

pub fn progress(unit: &'static str) -> impl FnMut(u32, u32) -> bool {
    let target = if io::stderr().is_terminal() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
    let bar = ProgressBar::with_draw_target(None, target);
    if let Ok(style) = ProgressStyle::with_template("{prefix} {pos} of {len} {wide_bar} {eta}") {
        bar.set_style(style);
    }
    bar.set_prefix(unit);
    move |done, of| {
        bar.set_length(u64::from(of));
        bar.set_position(u64::from(done));
        if done >= of {
            bar.finish_and_clear();
        }
        true
    }
}

pub fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("png"))
}
