//! Animations, images and contact sheets: file contents, and the export dialogs.

use std::io::Cursor;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, PoisonError};

use egui::accesskit::Toggled;
use egui::{Key, Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use image::codecs::gif::GifDecoder;
use image::{AnimationDecoder as _, ImageDecoder as _};
use maquette::output::{
    ContactSheetOptions, FilmFile, OffscreenRenderer, OutputError, OutputJob, PreviewKey, contact_sheet, film, save_png,
};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::{Opener, Role as Part, open_sample};
use maquette_core::model::Format;
use maquette_scene::scene::{Background, Choices as _, ClipChoice, Onion, OverlayKind};
use maquette_scene::session::{
    Action, ClockAction, Effect, FileAction, FilePrompt, FilmKind, FilmOptions, ImageExtras, ImageOptions, ImageSize,
    MAX_IMAGE_PIXELS, OutputKind, SaveAction, SceneAction, Selection, Session, TimelineAction,
};

use crate::support::command::maquette;
use crate::support::panels::{Bench, bench, click, taken};
use maquette_testing::player;

pub(super) fn session(format: Format, clip: &str) -> Session {
    let mut session = Session::default();
    session.show(open_sample(format).unwrap());
    let entity = &mut session.document.scene.entities_mut()[0];
    let index = entity.asset.model.clips().iter().position(|own| own.name == clip).unwrap();
    entity.playback.choice = ClipChoice::Clip(index);
    entity.playback.playing = false;
    session
}

#[test]
fn image_quality_is_the_number_of_averaged_images() {
    let session = Session::default();
    for samples in [1, 32, 128] {
        let copy = session.copy_for_image(&ImageExtras { samples, ..ImageExtras::default() }, 1.0);
        assert_eq!(copy.view.display.samples_at_rest(), samples);
    }
}

/// Returns the shared renderer. Without a GPU the test prints a message and passes, unless `MAQUETTE_REQUIRE_GPU` is 1.
fn studio() -> Option<MutexGuard<'static, OffscreenRenderer>> {
    static STUDIO: std::sync::OnceLock<Option<Mutex<OffscreenRenderer>>> = std::sync::OnceLock::new();
    let studio = STUDIO.get_or_init(|| match OffscreenRenderer::open() {
        Ok(studio) => Some(Mutex::new(studio)),
        Err(error) => {
            assert!(std::env::var_os("MAQUETTE_REQUIRE_GPU").is_none_or(|value| value != "1"), "{error}");
            None
        }
    });
    if studio.is_none() {
        eprintln!("skipped: no adapter");
    }
    studio.as_ref().map(|studio| studio.lock().unwrap_or_else(PoisonError::into_inner))
}

fn order(session: &Session, kind: FilmKind, path: PathBuf) -> FilmFile {
    let options = FilmOptions { kind, rate: None, ..FilmOptions::default() };
    let film = session.document.plan_film(&options).unwrap();
    FilmFile { film, kind, path, size: (48, 40), scale: 1.0, names: true, repeats: true }
}

fn transparent(session: &Session) -> Session {
    let extras = ImageExtras {
        background: Some(Background::Transparent),
        grid: false,
        shadow: false,
        overlays: false,
        names: false,
        ..ImageExtras::default()
    };
    session.copy_for_image(&extras, 1.2)
}

#[test]
fn gif_has_expected_frames_delays_and_transparency() {
    let Some(mut studio) = studio() else { return };
    let folder = tempfile::tempdir().unwrap();
    let session = session(Format::Md3, "run");
    let path = folder.path().join("run.gif");
    let order = order(&session, FilmKind::Gif, path.clone());
    let mut progress = Vec::new();
    film(&mut studio, &mut transparent(&session), &order, &mut |done, of| {
        progress.push((done, of));
        true
    })
    .unwrap();
    assert_eq!((progress.first(), progress.last()), (Some(&(0, 8)), Some(&(8, 8))));
    let decoder = GifDecoder::new(Cursor::new(std::fs::read(&path).unwrap())).unwrap();
    assert_eq!(decoder.dimensions(), (48, 40));
    let frames = decoder.into_frames().collect_frames().unwrap();
    assert_eq!(frames.len(), 8);
    let milliseconds: u32 = frames.iter().map(|frame| frame.delay().numer_denom_ms().0).sum();
    let expected = (order.film.seconds() * 100.0).round() * 10.0;
    assert_eq!(f64::from(milliseconds), expected);
    let solid = |frame: &image::Frame| frame.buffer().pixels().filter(|pixel| pixel.0[3] > 0).count();
    for frame in &frames {
        assert_eq!(frame.buffer().get_pixel(0, 0).0[3], 0);
        assert!(frame.buffer().pixels().all(|pixel| [0, 255].contains(&pixel.0[3])));
    }
    // Each frame clears the previous one. Otherwise the last frame would cover the union of all frames.
    let all: usize = (0..48 * 40)
        .filter(|index| frames.iter().any(|frame| frame.buffer().get_pixel(index % 48, index / 48).0[3] > 0))
        .count();
    assert!(frames.iter().all(|frame| solid(frame) < all), "{all}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "nothing else is left");
}

#[test]
fn preview_estimates_animation_file_size() {
    let Some(mut studio) = studio() else { return };
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(Format::Md3, "run");
    for kind in [FilmKind::Gif, FilmKind::AnimatedPng] {
        session.jobs.saving.film =
            FilmOptions { kind, rate: None, size: ImageSize::Pixels(96, 64), ..FilmOptions::default() };
        let preview = OutputJob::to_preview(&session, OutputKind::Film).unwrap().preview(&mut studio).unwrap();
        // The preview shows all eight frames at export size.
        assert_eq!(preview.frames.len(), 8);
        assert_eq!(preview.frames[0].dimensions(), (96, 64));
        let path = folder.path().join(format!("run.{}", kind.extension()));
        let options = session.jobs.saving.film;
        let order = FilmFile {
            film: session.document.plan_film(&options).unwrap(),
            kind,
            path: path.clone(),
            size: (96, 64),
            scale: session.jobs.saving.scale_for(64),
            names: true,
            repeats: true,
        };
        let mut copy = session.copy_for_image(&options.extras, 1.5);
        film(&mut studio, &mut copy, &order, &mut |_, _| true).unwrap();
        let written = std::fs::metadata(&path).unwrap().len() as f64;
        let estimate = preview.bytes as f64;
        assert!((estimate / written - 1.0).abs() < 0.15, "{kind:?}: {estimate} told, {written} written");
    }
}

#[test]
fn preview_key_changes_only_with_its_inputs() {
    let mut session = session(Format::Md3, "run");
    let before = PreviewKey::from_session(&session, OutputKind::Film);
    // An animation does not depend on the current frame.
    session.apply(Action::Clock(ClockAction::Step(1)));
    session.refresh();
    assert_eq!(PreviewKey::from_session(&session, OutputKind::Film), before);
    session.jobs.saving.film.turns = true;
    assert_ne!(PreviewKey::from_session(&session, OutputKind::Film), before);
    let image_key = PreviewKey::from_session(&session, OutputKind::Image);
    session.apply(Action::Clock(ClockAction::Step(1)));
    session.refresh();
    assert_ne!(PreviewKey::from_session(&session, OutputKind::Image), image_key);
}

#[test]
fn selection_outline_is_copied_only_on_request() {
    let mut session = session(Format::Md3, "run");
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    let copied = |extras: ImageExtras| session.copy_for_image(&extras, 1.0).document.selection;
    assert_eq!(copied(ImageExtras::default()), Selection::None);
    assert_eq!(copied(ImageExtras { selection: true, ..ImageExtras::default() }), Selection::Surface(0));
}

#[test]
fn animated_png_frames_match_single_images() {
    let Some(mut studio) = studio() else { return };
    let folder = tempfile::tempdir().unwrap();
    let session = session(Format::Md5, "run");
    let path = folder.path().join("run.png");
    let order = order(&session, FilmKind::AnimatedPng, path.clone());
    film(&mut studio, &mut transparent(&session), &order, &mut |_, _| true).unwrap();
    let decoder = png::Decoder::new(Cursor::new(std::fs::read(&path).unwrap()));
    let mut reader = decoder.read_info().unwrap();
    let control = *reader.info().animation_control().unwrap();
    assert_eq!((control.num_frames, control.num_plays), (order.film.frames, 0));
    let mut bytes = vec![0; reader.output_buffer_size().unwrap()];
    let mut milliseconds = 0;
    for frame in 0..order.film.frames {
        reader.next_frame(&mut bytes).unwrap();
        let frame_control = reader.info().frame_control().unwrap();
        assert_eq!(frame_control.delay_den, 1000);
        milliseconds += u32::from(frame_control.delay_num);
        // Each frame equals a single image of its time.
        let mut scene = transparent(&session);
        order.film.pose(&mut scene.document.scene, frame);
        let expected = studio.draw(scene.document_view(), order.size, 1.0, false).unwrap();
        assert_eq!(bytes, expected.into_raw(), "frame {frame}");
    }
    assert_eq!(f64::from(milliseconds), (order.film.seconds() * 1000.0).round());
}

#[test]
fn cancelled_animation_leaves_no_files() {
    let Some(mut studio) = studio() else { return };
    let folder = tempfile::tempdir().unwrap();
    let session = session(Format::Md3, "run");
    for kind in FilmKind::all() {
        let name = if kind == FilmKind::Frames { "%04d.png" } else { "film" };
        let order = order(&session, kind, folder.path().join(name));
        let stopped = film(&mut studio, &mut transparent(&session), &order, &mut |done, _| done < 5);
        assert!(matches!(stopped, Err(OutputError::Cancelled)));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "{kind:?}");
        let unwritable = FilmFile { path: folder.path().join("a/b").join(name), ..order };
        if kind != FilmKind::Frames {
            let failed = film(&mut studio, &mut transparent(&session), &unwritable, &mut |_, _| true);
            assert!(matches!(failed, Err(OutputError::File(_))));
        }
    }
}

#[test]
fn image_is_cancelled_between_its_samples() {
    if studio().is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(Format::Md3, "run");
    session.jobs.saving.image.size = ImageSize::Pixels(64, 64);
    let samples = session.view.display.samples_at_rest();
    let job = OutputJob::new(&session, OutputKind::Image, &folder.path().join("x.png")).unwrap();
    let mut reported = Vec::new();
    let stopped = job.make(&mut |done, of| {
        reported.push((done, of));
        done < 2
    });
    assert!(matches!(stopped, Err(OutputError::Cancelled)));
    assert_eq!(reported, [(0, samples), (1, samples), (2, samples)]);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn contact_sheet_has_tiles_for_every_clip() {
    let Some(mut studio) = studio() else { return };
    let session = session(Format::Md5, "run");
    let wanted = ContactSheetOptions { tile: (40, 40), frames_per_clip: 2, scale: 1.0, names: false };
    let (image, all, shown) =
        contact_sheet(&mut studio, &mut transparent(&session), &wanted, &mut |_, _| true).unwrap();
    // The bind pose is not a clip.
    assert_eq!((all, shown), (3, 3));
    // Three blocks of two tiles, with 2 points between tiles and 24 points for the name. The grid may vary.
    let sizes: Vec<(u32, u32)> = [(3, 1), (2, 2), (1, 3)]
        .map(|(columns, rows)| (32 + columns * (82 + 8) - 8, 32 + rows * (64 + 8) - 8))
        .to_vec();
    assert!(sizes.contains(&image.dimensions()), "{:?}", image.dimensions());
    assert_eq!(image.get_pixel(0, 0).0[3], 0);
    let solid = |left: u32| (0..1600).filter(|at| image.get_pixel(left + at % 40, 16 + at / 40).0[3] > 200).count();
    assert!(solid(16) > 160 && solid(16 + 42) > 160, "a figure in both of the first clip's tiles");
    let stopped = contact_sheet(&mut studio, &mut transparent(&session), &wanted, &mut |done, _| done < 2);
    assert!(matches!(stopped, Err(OutputError::Cancelled)));
}

#[test]
fn character_contact_sheet_has_clips_of_both_halves() {
    let Some(mut studio) = studio() else { return };
    let folder = tempfile::tempdir().unwrap();
    player::write(folder.path());
    let legs = folder.path().join("models/players/box/lower.md3");
    let mut session = Session::default();
    session.show(Opener::new(vec![], ImageLoading::Decode).character(&legs).unwrap());
    let names = |role: Part| -> Vec<String> {
        let clips = session.document.scene.with_role(role).unwrap().model().clips();
        clips.iter().map(|clip| clip.name.clone()).collect()
    };
    let (lower, upper) = (names(Part::Legs), names(Part::Torso));
    let more = upper.iter().filter(|name| !lower.contains(name)).count();
    assert!(more > 0 && upper.iter().any(|name| name.starts_with("TORSO_")), "{upper:?}");
    let wanted = ContactSheetOptions { tile: (24, 24), frames_per_clip: 1, scale: 1.0, names: false };
    let (_, all, shown) = contact_sheet(&mut studio, &mut transparent(&session), &wanted, &mut |_, _| true).unwrap();
    assert_eq!((all, shown), (lower.len() + more, lower.len() + more));
}

#[test]
fn narrow_image_shows_all_that_the_window_shows() {
    let Some(mut studio) = studio() else { return };
    let mut session = session(Format::Md3, "run");
    session.jobs.saving.viewport_size = [1600, 800];
    session.view.aspect = 2.0;
    session.frame_model();
    for aspect in [0.25_f32, 0.5, 1.0, 3.0] {
        let extras = ImageExtras {
            background: Some(Background::Transparent),
            grid: false,
            shadow: false,
            ..ImageExtras::default()
        };
        let copy = session.copy_for_image(&extras, aspect);
        let (width, height) = ((160.0 * aspect) as u32, 160);
        let image = studio.draw(copy.document_view(), (width, height), 1.0, false).unwrap();
        let edge = (0..height).flat_map(|y| [(0, y), (width - 1, y)]).chain((0..width).map(|x| (x, 0)));
        assert!(edge.into_iter().all(|(x, y)| image.get_pixel(x, y).0[3] == 0), "{aspect}");
        assert!(image.pixels().any(|pixel| pixel.0[3] == 255), "{aspect}");
    }
}

#[test]
fn image_sizes_stay_within_device_limits() {
    let mut session = Session::default();
    session.jobs.saving.max_image_side = 16_384;
    for size in [(0, 0), (16_384, 16_384), (u32::MAX, 1), (1, u32::MAX), (8192, 8192)] {
        let (width, height) = session.jobs.saving.pixels(ImageSize::Pixels(size.0, size.1));
        assert!(width >= 1 && height >= 1 && width <= 16_384 && height <= 16_384);
        assert!(u64::from(width) * u64::from(height) <= MAX_IMAGE_PIXELS);
    }
    // Twice the height doubles the line width.
    session.jobs.saving.viewport_size = [800, 600];
    session.jobs.saving.viewport_scale = 1.5;
    assert!((session.jobs.saving.scale_for(1200) - 3.0).abs() < 1e-6);
}

#[test]
fn existing_output_file_is_detected() {
    let folder = tempfile::tempdir().unwrap();
    let mut session = session(Format::Md3, "run");
    session.jobs.saving.film.kind = FilmKind::Frames;
    let path = folder.path().join("run.png");
    let order = |session: &Session, product| OutputJob::new(session, product, &path).unwrap();
    assert_eq!(order(&session, OutputKind::Film).existing_file(), None);
    save_png(&image::RgbaImage::new(2, 2), &folder.path().join("run-0000.png")).unwrap();
    assert_eq!(order(&session, OutputKind::Film).existing_file(), Some(folder.path().join("run-0000.png")));
    assert_eq!(order(&session, OutputKind::Image).existing_file(), None);
    // A missing extension is added before the check.
    save_png(&image::RgbaImage::new(2, 2), &path).unwrap();
    let bare = OutputJob::new(&session, OutputKind::Image, &folder.path().join("run")).unwrap();
    assert_eq!(bare.existing_file(), Some(path.clone()));
}

#[test]
fn missing_folder_is_named_without_system_number() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("nowhere").join("run.png");
    let error = OutputError::from(save_png(&image::RgbaImage::new(2, 2), &file).unwrap_err());
    let missing = folder.path().join("nowhere");
    assert_eq!(error.reason_at(&file), format!("the folder {} does not exist", missing.display()));
    assert!(!error.to_string().contains("os error"), "{error}");
    let below_file = folder.path().join("plain").join("run.png");
    std::fs::write(folder.path().join("plain"), "").unwrap();
    let error = OutputError::from(save_png(&image::RgbaImage::new(2, 2), &below_file).unwrap_err());
    assert_eq!(error.reason_at(&below_file), format!("{} is not a folder", folder.path().join("plain").display()));
}

#[test]
fn image_choices_stay_after_dialog_is_closed() {
    let mut session = session(Format::Md3, "run");
    let grid = |session: &Session| session.jobs.saving.image.extras.grid;
    session.view.display.overlays.set(OverlayKind::Grid, false);
    session.apply(Action::Save(SaveAction::SaveImage));
    assert!(!grid(&session), "the first offer is what the view shows");
    let mut image = session.jobs.saving.image;
    image.extras.grid = true;
    session.apply(Action::Save(SaveAction::SetImage(image)));
    session.apply(Action::Save(SaveAction::CloseSaving));
    session.apply(Action::Save(SaveAction::SaveImage));
    assert!(grid(&session));
    // After a failure the dialog reopens unchanged.
    session.jobs.saving.open = None;
    session.apply(Action::Save(SaveAction::SaveElsewhere(OutputKind::Image)));
    assert_eq!((session.jobs.saving.open, grid(&session)), (Some(OutputKind::Image), true));
}

#[test]
fn transparent_image_offers_no_grid() {
    let mut harness = bench(session(Format::Md5, "run"), vec2(1280.0, 800.0));
    click(&mut harness, Role::Button, "Save image");
    let grid = |harness: &Harness<'static, Bench>| {
        let node = harness.get_by_role_and_label(Role::CheckBox, "Grid");
        (node.accesskit_node().is_disabled(), node.accesskit_node().toggled() == Some(Toggled::True))
    };
    assert_eq!(grid(&harness), (false, true));
    click(&mut harness, Role::RadioButton, "Background: Transparent");
    assert_eq!(grid(&harness), (true, false));
    assert!(harness.state().session.jobs.saving.image.extras.grid, "the choice stays for another background");
    click(&mut harness, Role::RadioButton, "Background: As in view");
    assert_eq!(grid(&harness), (false, true));
}

#[test]
fn transparent_command_leaves_the_next_image_as_chosen() {
    let mut session = session(Format::Md3, "run");
    let background = |session: &mut Session, action| {
        session.apply(Action::Save(action));
        session.jobs.saving.image.extras.background
    };
    let transparent = Some(Background::Transparent);
    assert_eq!(background(&mut session, SaveAction::SaveTransparent), transparent);
    assert_eq!(background(&mut session, SaveAction::SaveTransparent), transparent);
    assert_eq!(background(&mut session, SaveAction::SaveImage), None);
    let mut options = session.jobs.saving.image;
    options.extras.background = transparent;
    session.apply(Action::Save(SaveAction::SetImage(options)));
    assert_eq!(background(&mut session, SaveAction::SaveImage), transparent);
}

#[test]
fn only_one_export_runs_at_a_time() {
    let mut session = session(Format::Md3, "run");
    session.apply(Action::Save(SaveAction::SaveTransparent));
    assert_eq!(session.jobs.saving.open, Some(OutputKind::Image));
    assert_eq!(session.jobs.saving.image.extras.background, Some(Background::Transparent));
    assert!(matches!(
        session.apply(Action::File(FileAction::Ask(FilePrompt::Save(OutputKind::Image)))),
        Some(Effect::Ask(FilePrompt::Save(OutputKind::Image)))
    ));
    session.jobs.begin_work(OutputKind::Film, "Animation", "frame");
    session.jobs.report_progress(11, 40);
    assert_eq!(session.jobs.work.as_ref().unwrap().text(), "Animation: frame 12 of 40");
    assert!(session.apply(Action::File(FileAction::Ask(FilePrompt::Save(OutputKind::Film)))).is_none());
    assert!(session.interface.notes.last().unwrap().text.contains("frame 12 of 40"));
    assert!(matches!(session.apply(Action::Save(SaveAction::CancelWork)), Some(Effect::CancelWork)));
    assert_eq!(session.jobs.work.as_ref().unwrap().text(), "Cancelling animation…");
    session.jobs.work = None;
    assert!(session.apply(Action::Save(SaveAction::CancelWork)).is_none());
    assert!(Session::default().apply(Action::Save(SaveAction::CopyImage)).is_none(), "there is nothing to copy");
}

#[test]
fn export_dialog_choices_map_to_actions() {
    let mut harness = bench(session(Format::Md5, "run"), vec2(1280.0, 800.0));
    assert_eq!(click(&mut harness, Role::Button, "Save image"), [Action::Save(SaveAction::SaveImage)]);
    let before = harness.state().session.jobs.saving.image;
    let wanted = ImageOptions { size: ImageSize::Pixels(2048, 2048), ..before };
    assert_eq!(click(&mut harness, Role::RadioButton, "Size: 2048²"), [Action::Save(SaveAction::SetImage(wanted))]);
    click(&mut harness, Role::RadioButton, "Background: Transparent");
    let extras = harness.state().session.jobs.saving.image.extras;
    assert_eq!((extras.background, extras.shadow, extras.grid), (Some(Background::Transparent), false, true));
    click(&mut harness, Role::CheckBox, "Shadows");
    assert!(harness.state().session.jobs.saving.image.extras.shadow, "a shadow is drawn on request");
    click(&mut harness, Role::RadioButton, "Size: Custom");
    harness.get_by_role_and_label(Role::SpinButton, "Width");
    assert_eq!(
        click(&mut harness, Role::Button, "Save"),
        [Action::File(FileAction::Ask(FilePrompt::Save(OutputKind::Image)))]
    );
    assert_eq!(harness.state().session.jobs.saving.open, None);

    harness.state_mut().session.apply(Action::Save(SaveAction::SaveFilm));
    harness.run();
    click(&mut harness, Role::RadioButton, "Content: Turntable");
    click(&mut harness, Role::RadioButton, "Format: Animated PNG");
    click(&mut harness, Role::RadioButton, "Frame rate: Every frame once");
    click(&mut harness, Role::CheckBox, "Play clip");
    let film = harness.state().session.jobs.saving.film;
    assert_eq!((film.turns, film.turn_plays, film.kind, film.rate), (true, false, FilmKind::AnimatedPng, None));
    harness.key_press(Key::Escape);
    assert_eq!(taken(&mut harness), [Action::Save(SaveAction::CloseSaving)]);
    harness.state_mut().session.apply(Action::Save(SaveAction::SaveContactSheet));
    harness.run();
    harness.key_press(Key::Enter);
    harness.run();
    let asked = Action::File(FileAction::Ask(FilePrompt::Save(OutputKind::ContactSheet)));
    assert_eq!(taken(&mut harness), [asked], "Enter is for the button in colour");
    harness.state_mut().session.apply(Action::Save(SaveAction::SaveContactSheet));
    harness.run();
    click(&mut harness, Role::RadioButton, "Frames per clip: 5");
    assert_eq!(harness.state().session.jobs.saving.contact.frames_per_clip, 5);
    assert_eq!(click(&mut harness, Role::Button, "Cancel"), [Action::Save(SaveAction::CloseSaving)]);
}

#[test]
fn open_export_dialog_is_idle_and_fits_small_windows() {
    for size in [vec2(1280.0, 800.0), vec2(640.0, 480.0), vec2(200.0, 100.0)] {
        for product in [OutputKind::Image, OutputKind::Film, OutputKind::ContactSheet, OutputKind::Model] {
            let mut session = session(Format::Md5, "run");
            session.jobs.saving.open = Some(product);
            let mut harness = bench(session, size);
            harness.run();
            harness.step();
            let delay = harness.output().viewport_output[&egui::ViewportId::ROOT].repaint_delay;
            assert!(delay > std::time::Duration::from_secs(60), "{delay:?}");
        }
    }
}

#[test]
fn film_and_sheet_commands_write_files_and_reject_errors() {
    let folder = tempfile::tempdir().unwrap();
    let sample = format!("{}/assets/sample/umber.md3", env!("CARGO_MANIFEST_DIR"));
    let path_of = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    for wrong in [
        &["-o", "x.avi"][..],
        &["-o", "x.gif", "--animation", "moonwalk"],
        &["-o", "x%s.png"],
        &["-o", "x.gif", "--turntable", "0"],
        &["-o", "x.gif", "--fps", "1000"],
        &["-o", "x.gif", "--size", "8192x8192"],
        &["-o", "x.gif", "--still"],
    ] {
        let output = maquette(&[&["film", &sample], wrong].concat());
        assert_eq!(output.status.code(), Some(2), "{wrong:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    assert_eq!(maquette(&["sheet", &sample, "-o", "x.jpg"]).status.code(), Some(2));
    assert_eq!(maquette(&["film", "no/such.md3", "-o", "x.gif"]).status.code(), Some(1));
    if studio().is_none() {
        return;
    }
    let film = path_of("run.gif");
    let size = ["--size", "32x32", "--fps", "0", "--animation", "RUN"];
    let output = maquette(&[&["film", &sample, "-o", &film], &size[..]].concat());
    assert_eq!(
        (output.status.code(), output.stderr.len()),
        (Some(0), 0),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    let decoder = GifDecoder::new(Cursor::new(std::fs::read(&film).unwrap())).unwrap();
    assert_eq!(decoder.into_frames().count(), 8);
    let frames = path_of("new/%03d.png");
    let output =
        maquette(&[&["film", &sample, "-o", &frames, "--turntable", "1", "--still"], &["--fps", "4"][..]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let mut names: Vec<_> =
        std::fs::read_dir(folder.path().join("new")).unwrap().map(|it| it.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["000.png", "001.png", "002.png", "003.png"]);
    let sheet = path_of("sheet.png");
    let output = maquette(&["sheet", &sample, "-o", &sheet, "--size", "32x48", "--moments", "3"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(image::open(&sheet).unwrap().width() > 96);
}

#[test]
fn animation_without_interpolation_repeats_whole_frames() {
    if studio().is_none() {
        return;
    }
    // The clip has 8 frames at 10 frames per second. At 20, every other image is between two frames.
    let sample = format!("{}/assets/sample/umber.md2", env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    let images = |options: &[&str]| -> Vec<Vec<u8>> {
        let path = folder.path().join("%d.png").display().to_string();
        let clip = ["animate", &sample, "-o", &path, "--animation", "run", "--fps", "20"];
        let output = maquette(&[&clip[..], &["--size", "48x48", "--samples", "1"], options].concat());
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let image = |number| std::fs::read(folder.path().join(format!("{number}.png")));
        (0..).map_while(|number: u32| image(number).ok()).collect()
    };
    let (blended, whole) = (images(&[]), images(&["--no-interpolation"]));
    assert_eq!((blended.len(), whole.len()), (16, 16));
    for (blended, whole) in blended.chunks(2).zip(whole.chunks(2)) {
        assert!(blended[0] != blended[1] && whole[0] == whole[1] && blended[0] == whole[0]);
    }
}

#[test]
fn ghosts_of_previous_session_are_not_drawn() {
    let Some(mut studio) = studio() else { return };
    let showing = |format: Format| {
        let mut session = Session::default();
        session.show(open_sample(format).unwrap());
        session.apply(Action::Timeline(TimelineAction::SetOnion(Onion { on: true, before: 1, after: 1, step: 1 })));
        session.refresh();
        session
    };
    let (first, second) = (showing(Format::Md3), showing(Format::Md2));
    let alone = studio.draw(second.document_view(), (96, 96), 1.0, false).unwrap();
    studio.draw(first.document_view(), (96, 96), 1.0, false).unwrap();
    let after = studio.draw(second.document_view(), (96, 96), 1.0, false).unwrap();
    assert!(alone.as_raw() == after.as_raw(), "the ghosts of the session before");
}

/// An image of twice the size at twice the pixels per point has each label at its tag, at twice the size.
#[test]
fn labels_scale_with_pixels_per_point() {
    let Some(mut studio) = studio() else { return };
    let mut session = session(Format::Md3, "idle");
    session.apply(Action::Display(maquette_scene::session::DisplayAction::Toggle(OverlayKind::Tags)));
    session.refresh();
    let mut labels = |size: u32, scale: f32| {
        let [named, plain] =
            [true, false].map(|names| studio.draw(session.document_view(), (size, size), scale, names).unwrap());
        let differing = named.enumerate_pixels().filter(|(x, y, pixel)| *pixel != plain.get_pixel(*x, *y));
        let scaled = |at: u32| at as f32 / scale;
        let places: Vec<[f32; 2]> = differing.map(|(x, y, _)| [scaled(x), scaled(y)]).collect();
        assert!(!places.is_empty(), "no label at {size} pixels");
        let bound = |axis: usize, pick: fn(f32, f32) -> f32| places.iter().map(|at| at[axis]).reduce(pick).unwrap();
        [bound(0, f32::min), bound(1, f32::min), bound(0, f32::max), bound(1, f32::max)]
    };
    let once = labels(400, 1.0);
    for (size, scale) in [(800, 2.0), (200, 0.5)] {
        let other = labels(size, scale);
        for (own, other) in once.into_iter().zip(other) {
            assert!((own - other).abs() < 8.0, "scale {scale}: {once:?}, {other:?}");
        }
    }
}
