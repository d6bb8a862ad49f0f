//! `maquette animate`: a clip or a turntable as GIF, animated PNG or a PNG for each frame.

use std::path::Path;
use std::sync::Arc;

use maquette::output::{self, FilmFile, FrameNames, OffscreenRenderer, OutputError};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Role;
use maquette_scene::scene::{ClipChoice, Playback};
use maquette_scene::session::{FilmKind, FilmOptions, Session};

use super::args::{FilmArguments, FrameArguments};
use super::{Failure, frame_args, image_args, open};

/// Maximum number of pixels of a frame: 4096 × 4096.
const MAX_FILM_PIXELS: u64 = 1 << 24;

pub fn run(arguments: &FilmArguments) -> Result<(), Failure> {
    let kind = kind_of(&arguments.output)?;
    let FilmArguments { size, character, image: seen, .. } = arguments;
    if u64::from(size.0) * u64::from(size.1) > MAX_FILM_PIXELS {
        return Err(Failure::Usage(format!(
            "--size: expected at most {MAX_FILM_PIXELS} pixels, for example 4096x4096"
        )));
    }
    open::refuse_model_itself(&arguments.model, &arguments.output)?;
    let opener = open::opener(character, Default::default(), ImageLoading::Decode)?;
    let first_frame = FrameArguments { animation: None, frame: None };
    let mut session = image_args::session(&opener, &arguments.model, *size, character, &first_frame, seen)?;
    session.view.material_clock.seconds = seen.time.unwrap_or(0.0);
    choose_clip(&mut session, arguments)?;
    let options = FilmOptions {
        kind,
        turns: arguments.turntable.is_some(),
        turn_seconds: arguments.turntable.unwrap_or_default(),
        turn_plays: !arguments.no_clip,
        rate: (arguments.fps > 0.0).then_some(arguments.fps),
        ..FilmOptions::default()
    };
    let film = session.document.plan_film(&options).map_err(|error| Failure::Usage(error.to_string()))?;
    image_args::turn(&mut session, seen);
    session.frame_film(&film);
    if let Some((eye, _)) = &seen.camera {
        session.view.camera = image_args::camera(eye, &session)?;
    }
    let order = FilmFile {
        film,
        kind,
        path: arguments.output.clone(),
        size: *size,
        scale: seen.scale,
        names: true,
        repeats: !arguments.once,
    };
    let failed = |error: OutputError| Failure::output(&arguments.output, error);
    let mut studio = OffscreenRenderer::open().map_err(|error| failed(error.into()))?;
    output::film(&mut studio, &mut session, &order, &mut image_args::progress("Frame")).map_err(failed)
}

fn kind_of(output: &Path) -> Result<FilmKind, Failure> {
    let is_gif =
        output == Path::new("-") || output.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("gif"));
    let is_pattern = output.file_name().is_some_and(|name| name.to_string_lossy().contains('%'));
    match (is_gif, image_args::is_png(output)) {
        (true, _) => Ok(FilmKind::Gif),
        (_, true) if !is_pattern => Ok(FilmKind::AnimatedPng),
        (_, true) if FrameNames::of_pattern(output).is_some() => Ok(FilmKind::Frames),
        (_, true) => Err(Failure::Usage(format!("-o {}: expected one %d or, for four digits, %04d", output.display()))),
        _ => Err(Failure::Usage(format!(
            "-o {}: unknown format; available: .gif, .png, or frames such as 'frames/%04d.png'",
            output.display()
        ))),
    }
}

/// Chooses the clips: by name, or idle clips as in the window. `--legs` and `--torso` take precedence.
fn choose_clip(session: &mut Session, arguments: &FilmArguments) -> Result<(), Failure> {
    let is_character = session.document.scene.with_role(Role::Legs).is_some();
    let (legs, torso) = (&arguments.character.legs, &arguments.character.torso);
    for entity in session.document.scene.entities_mut() {
        let model = Arc::clone(&entity.asset.model);
        let report = match entity.role {
            Role::Legs => legs.is_some(),
            Role::Torso => torso.is_some(),
            _ => false,
        };
        if !report {
            entity.playback = Playback::default().for_model(&model);
            entity.playback.stand_as(&model, entity.role);
        }
        entity.playback.position = 0.0;
        // The frame plan plays the clips, so the scene itself stays paused.
        entity.playback.playing = false;
        entity.playback.repeat = arguments.repeat;
        entity.playback.interpolate = !arguments.no_interpolation;
    }
    let Some(name) = &arguments.animation else { return Ok(()) };
    let mut found = false;
    for entity in session.document.scene.entities_mut() {
        let same = |clip: &maquette_core::model::Clip| clip.name.eq_ignore_ascii_case(name);
        let model = Arc::clone(&entity.asset.model);
        let choice = model.clips().iter().position(same);
        let other = model.alternative_clips().iter().position(same).filter(|_| choice.is_none());
        if let Some(index) = choice.or(other) {
            entity.playback.player_table = other.is_some();
            entity.playback.choice = ClipChoice::Clip(index);
            found = true;
        }
        if !is_character {
            break;
        }
    }
    if found {
        return Ok(());
    }
    let entity = session.document.scene.entities().first();
    entity.map_or(Ok(()), |entity| frame_args::find_clip(entity.model(), name).map(drop))?;
    Err(Failure::Usage(format!("--animation {name}: no part of the character has this clip")))
}
