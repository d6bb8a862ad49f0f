//! Animation export: draws frames on this thread and encodes them on another one.

use std::io;
use std::path::PathBuf;
use std::sync::mpsc::sync_channel;
use std::thread;

use image::RgbaImage;

use super::film_encoder::FilmEncoder;
use super::offscreen::OffscreenRenderer;
use super::{OutputError, Progress};
use maquette_scene::scene::{Background, Camera, FramePlan};
use maquette_scene::session::{FilmKind, Session};

/// Maximum number of frames waiting for the encoder, to limit memory.
const WAITING_FRAMES: usize = 2;

/// Options of an animation export, and its file.
#[derive(Clone, Debug)]
pub struct FilmFile {
    /// Frames to export.
    pub film: FramePlan,
    /// File format.
    pub kind: FilmKind,
    /// Path of the file. For PNG frames, the path may contain a pattern such as `frames/%04d.png`.
    pub path: PathBuf,
    /// Width and height in pixels.
    pub size: (u32, u32),
    /// Pixels per point.
    pub scale: f32,
    /// Whether names of tags and joints are drawn.
    pub names: bool,
    /// Whether players loop the animation.
    pub repeats: bool,
}

impl FilmFile {
    /// Poses the session for a frame. `start` is the camera and the material time of the first frame.
    pub(super) fn pose(&self, session: &mut Session, frame: u32, start: &(Camera, f64)) {
        self.film.pose(&mut session.document.scene, frame);
        session.view.camera = session.camera_of(&start.0, &self.film, frame);
        if session.view.material_clock.playing {
            session.view.material_clock.seconds = start.1 + self.film.time(frame);
        }
    }
}

/// Exports an animation of the session's scene from its camera. A failed or cancelled export leaves no files.
pub fn film(
    renderer: &mut OffscreenRenderer,
    session: &mut Session,
    options: &FilmFile,
    progress: &mut Progress<'_>,
) -> Result<(), OutputError> {
    let transparent = session.view.display.background == Background::Transparent;
    let (send, receive) = sync_channel::<RgbaImage>(WAITING_FRAMES);
    thread::scope(|scope| {
        let encoder = thread::Builder::new().spawn_scoped(scope, move || -> io::Result<()> {
            let mut film_encoder = FilmEncoder::new(options, transparent)?;
            let mut frame = 0;
            for image in receive {
                film_encoder.add(image, &options.film, frame)?;
                frame += 1;
            }
            // Drop the encoder of an incomplete sequence, which deletes the frames already written.
            if frame == options.film.frames { film_encoder.finish() } else { Ok(()) }
        })?;
        let drawn = draw(renderer, session, options, progress, |image| send.send(image).is_ok());
        drop(send);
        let encoded = encoder.join().unwrap_or_else(|_| Err(io::Error::other("the encoder failed")));
        // If the encoder stopped early, return its error.
        encoded?;
        drawn
    })
}

fn draw(
    renderer: &mut OffscreenRenderer,
    session: &mut Session,
    options: &FilmFile,
    progress: &mut Progress<'_>,
    mut take: impl FnMut(RgbaImage) -> bool,
) -> Result<(), OutputError> {
    let film = &options.film;
    let start = (session.view.camera.clone(), session.view.material_clock.seconds);
    for frame in 0..film.frames {
        options.pose(session, frame, &start);
        let FilmFile { size, scale, names, .. } = *options;
        let mut of_frame = |_, _| progress(frame, film.frames);
        let image = renderer.draw_samples(session.document_view(), size, scale, names, &mut of_frame)?;
        if !take(image) {
            return Ok(());
        }
    }
    progress(film.frames, film.frames);
    Ok(())
}
