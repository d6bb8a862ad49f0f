//! `maquette snapshot`: a picture of a model, drawn as the window draws it.

use maquette::app;
use maquette::model::Model;
use maquette::scene::{self, Camera, Projection, Wireframe};
use maquette::session::{ClipChoice, Session};

use super::args::{Overlay, SnapshotArguments};
use super::{Failure, moment};

pub fn run(arguments: &SnapshotArguments) -> Result<(), Failure> {
    if arguments.output.extension().is_some_and(|extension| !extension.eq_ignore_ascii_case("png")) {
        return Err(Failure::Usage(format!("-o {}: pictures are written as .png", arguments.output.display())));
    }
    let part = scene::open(&arguments.model)?;
    let blend = moment::blend(&part.model, &arguments.moment)?;
    let mut session = Session::default();
    session.aspect = arguments.size.width as f32 / arguments.size.height as f32;
    session.display.grid = false;
    session.display.shadow = false;
    session.show(part);
    let Some(part) = &session.part else { return Ok(()) };
    if arguments.lod >= part.model.lod_count() {
        let last = part.model.lod_count() - 1;
        return Err(Failure::Usage(format!("--lod {}: the model has levels 0 to {last}", arguments.lod)));
    }
    if let Some(name) = &arguments.skin {
        session.skin = find_skin(part, name)?;
    }
    session.lod = arguments.lod;
    choose_overlays(&mut session, arguments);
    stand_at(&mut session, blend);
    session.find_floor();
    session.refresh();
    session.camera = Camera {
        yaw: arguments.view.yaw,
        pitch: arguments.view.pitch,
        projection: if arguments.orthographic { Projection::Orthographic } else { Projection::Perspective },
        ..Camera::default()
    };
    session.frame_model();
    let size = (arguments.size.width, arguments.size.height);
    let image = app::snapshot(&session, size, arguments.scale)
        .map_err(|error| Failure::File(format!("no picture was made: {error}")))?;
    let named = |error: image::ImageError| Failure::File(format!("{}: {error}", arguments.output.display()));
    image.save_with_format(&arguments.output, image::ImageFormat::Png).map_err(named)
}

fn find_skin(part: &scene::Part, name: &str) -> Result<usize, Failure> {
    let same = |skin: &scene::Skin| {
        skin.name.eq_ignore_ascii_case(name) || maquette::vfs::split_extension(&skin.name).0.eq_ignore_ascii_case(name)
    };
    part.skins.iter().position(same).ok_or_else(|| {
        let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
        Failure::Usage(format!("--skin {name}: there is no such skin; there are {}", names.join(", ")))
    })
}

fn choose_overlays(session: &mut Session, arguments: &SnapshotArguments) {
    let display = &mut session.display;
    display.shading = arguments.shading;
    display.tone = arguments.tone;
    display.background = arguments.background;
    display.two_sided = arguments.two_sided;
    for overlay in &arguments.show {
        match overlay {
            Overlay::Tags => display.tags = true,
            Overlay::Normals => display.vertex_normals = true,
            Overlay::FaceNormals => display.face_normals = true,
            Overlay::Joints => display.joints = true,
            Overlay::Names => display.joint_names = true,
            Overlay::Bounds => display.bounds = true,
            Overlay::Wireframe => display.wireframe = Wireframe::Over,
            Overlay::Grid => display.grid = true,
            Overlay::Shadow => display.shadow = true,
            Overlay::None => {}
        }
    }
}

/// Stops the session's clock at a blend of frames: in the clip that holds them.
fn stand_at(session: &mut Session, blend: maquette::pose::FrameBlend) {
    let Some(part) = &session.part else { return };
    let model: &Model = &part.model;
    let holds = |clip: &maquette::model::Clip| clip.contains(blend.from) && clip.contains(blend.to);
    let playback = &mut session.playback;
    playback.playing = false;
    playback.choice = playback.clips(model).iter().position(holds).map_or(ClipChoice::AllFrames, ClipChoice::Clip);
    let first = playback.clip(model).first;
    playback.position = f64::from(blend.from - first) + f64::from(blend.t);
    session.refresh();
}
