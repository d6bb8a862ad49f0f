//! `maquette snapshot`: a picture of a model, drawn as the window draws it.

use maquette::app;
use maquette::material::Depth;
use maquette::scene::{Camera, Look, Projection, Sides, Wireframe};
use maquette::session::{Action, Session};

use super::args::{Eye, Overlay, SnapshotArguments};
use super::{Failure, stage};

pub fn run(arguments: &SnapshotArguments) -> Result<(), Failure> {
    if arguments.output.extension().is_some_and(|extension| !extension.eq_ignore_ascii_case("png")) {
        return Err(Failure::Usage(format!("-o {}: pictures are written as .png", arguments.output.display())));
    }
    let opener = stage::opener(&arguments.figure, Depth::Decoded)?;
    let cast = stage::cast(&opener, &arguments.model, &arguments.figure)?;
    let mut session = Session::default();
    session.aspect = arguments.size.width as f32 / arguments.size.height as f32;
    session.display.grid = false;
    session.display.shadow = false;
    session.show(cast);
    stage::arrange(&mut session.stage, &opener, &arguments.figure, &arguments.moment)?;
    let levels = session.stage.actors().iter().map(|actor| actor.model().lod_count()).max().unwrap_or(1);
    if arguments.lod >= levels {
        return Err(Failure::Usage(format!("--lod {}: the model has levels 0 to {}", arguments.lod, levels - 1)));
    }
    session.apply(Action::SetLod(arguments.lod));
    choose_overlays(&mut session, arguments);
    session.effects.seconds = arguments.time;
    session.find_floor();
    session.refresh();
    session.camera = Camera {
        yaw: arguments.view.yaw,
        pitch: arguments.view.pitch,
        projection: if arguments.orthographic { Projection::Orthographic } else { Projection::Perspective },
        field_of_view: arguments.fov.to_radians(),
        ..Camera::default()
    };
    session.frame_model();
    if let Some(eye) = &arguments.camera {
        session.camera = camera(eye, &session)?;
    }
    let size = (arguments.size.width, arguments.size.height);
    let image = app::snapshot(&session, size, arguments.scale)
        .map_err(|error| Failure::File(format!("no picture was made: {error}")))?;
    let named = |error: image::ImageError| Failure::File(format!("{}: {error}", arguments.output.display()));
    image.save_with_format(&arguments.output, image::ImageFormat::Png).map_err(named)
}

/// The camera that was asked for; it orbits the nearest point to the model's middle before it.
fn camera(eye: &Eye, session: &Session) -> Result<Camera, Failure> {
    let distance = (session.camera.target - eye.origin).dot(eye.forward.normalize_or_zero()).max(1.0);
    Camera::looking(eye.origin, eye.forward, eye.up, eye.angle.to_radians(), session.aspect, distance)
        .ok_or_else(|| Failure::Usage("--camera: forward and up must be two directions".to_owned()))
}

fn choose_overlays(session: &mut Session, arguments: &SnapshotArguments) {
    let display = &mut session.display;
    display.shading = arguments.shading;
    display.look = arguments.look;
    display.tone = arguments.tone;
    display.background = arguments.background;
    display.sides = match (arguments.two_sided, arguments.inside) {
        (true, _) => Sides::Both,
        (_, true) => Sides::Tinted,
        _ => Sides::Front,
    };
    display.light.turn(arguments.light.0, arguments.light.1);
    let usual: &[Overlay] = if arguments.look == Look::Game { &[] } else { &[Overlay::Grid, Overlay::Shadow] };
    for overlay in arguments.show.as_deref().unwrap_or(usual) {
        match overlay {
            Overlay::Tags => display.tags = true,
            Overlay::Normals => display.vertex_normals = true,
            Overlay::FaceNormals => display.face_normals = true,
            Overlay::Joints => display.joints = true,
            Overlay::Names => display.joint_names = true,
            Overlay::Bounds => display.bounds = true,
            Overlay::Wireframe => display.wireframe = Wireframe::Over,
            Overlay::Vertices => display.vertices = true,
            Overlay::Grid => display.grid = true,
            Overlay::Shadow => display.shadow = true,
            Overlay::None => {}
        }
    }
}
