//! Operations that scale, turn, mirror and move.

use glam::{Mat3, Vec3};

use super::tags::vertex_named;
use crate::edit::operation::{Call, Notes, Operation, Parameter, ParameterKind, Reach};
use crate::edit::transform::{Transform, transformed};
use crate::model::{Bounds, Model, ModelParts};
use crate::pose::{Pose, Sampling, sample};

pub(super) const SURFACES: Parameter = Parameter::new("surfaces", "Surfaces", ParameterKind::Surfaces).or("all");
pub(super) const FRAMES: Parameter = Parameter::new("frames", "Frames", ParameterKind::Frames).or("all");
const VERTICES: Parameter = Parameter::new("vertices", "Vertices", ParameterKind::Vertices).or("all");
const AXIS: ParameterKind = ParameterKind::Choice(&["x", "y", "z"]);
pub(super) const TURN_AXIS: Parameter = Parameter::new("axis", "Axis", AXIS).or("z");
pub(super) const ANGLE: Parameter =
    Parameter::new("angle", "Angle", ParameterKind::Number { min: -360.0, max: 360.0, unit: "degrees" });
const LARGEST: f32 = 10_000.0;

const fn length(name: &'static str, label: &'static str) -> Parameter {
    let kind = ParameterKind::Number { min: 0.01, max: LARGEST, unit: "units" };
    Parameter::new(name, label, kind).or("")
}

const fn row(name: &'static str, title: &'static str, help: &'static str) -> Operation {
    Operation { parameters: &[SURFACES], ..Operation::plain("Transform", Reach::Space, [name, title, help]) }
}

pub(super) const SCALE: Operation = Operation {
    parameters: &[
        Parameter::new("factor", "Factor", ParameterKind::Number { min: 0.001, max: LARGEST, unit: "" }).or(""),
        length("height", "Height"),
        Parameter::new("axes", "Factors X, Y, Z", ParameterKind::Vector { unit: "" }).or(""),
        SURFACES,
        FRAMES,
        VERTICES,
    ],
    one_of: &["factor", "height", "axes"],
    apply: scale,
    ..row("scale", "Scale", "Scales by a factor, to a height of the first frame, or by a factor for each axis")
};

fn scale(model: &Model, call: &Call, notes: &mut Notes) -> Result<ModelParts, String> {
    let scale = match (call.number("height"), call.vector("axes")) {
        (Some(height), _) => {
            let own = bounds(model, &call.surfaces(model)?).size().z;
            if own <= 0.0 {
                return Err("the first frame has no height".to_owned());
            }
            Vec3::splat(height / own)
        }
        (_, Some(axes)) if axes.min_element() > 0.0 && axes.max_element() <= LARGEST => axes,
        (_, Some(_)) => return Err(format!("axes: expected factors above 0 and up to {LARGEST}")),
        _ => Vec3::splat(call.number("factor").unwrap_or(1.0)),
    };
    transformed(model, call, &Transform { scale, ..Transform::IDENTITY }, notes)
}

pub(super) const ROTATE: Operation = Operation {
    parameters: &[TURN_AXIS, ANGLE, SURFACES, FRAMES, VERTICES],
    apply: |model, call, notes| transformed(model, call, &Transform { turn: turn(call), ..Transform::IDENTITY }, notes),
    ..row(
        "rotate",
        "Rotate",
        "Rotates about an axis through the origin, counterclockwise seen from the tip of the axis",
    )
};

/// Returns the rotation of [`TURN_AXIS`] and [`ANGLE`].
pub(super) fn turn(call: &Call) -> Mat3 {
    let angle = f64::from(call.number("angle").unwrap_or(0.0)).to_radians();
    // Right angles are exact.
    let [sin, cos] = [angle.sin(), angle.cos()].map(|number| ((number * 1e9).round() / 1e9) as f32);
    match call.text("axis") {
        "x" => Mat3::from_cols(Vec3::X, Vec3::new(0.0, cos, sin), Vec3::new(0.0, -sin, cos)),
        "y" => Mat3::from_cols(Vec3::new(cos, 0.0, -sin), Vec3::Y, Vec3::new(sin, 0.0, cos)),
        _ => Mat3::from_cols(Vec3::new(cos, sin, 0.0), Vec3::new(-sin, cos, 0.0), Vec3::Z),
    }
}

pub(super) const MIRROR: Operation = Operation {
    parameters: &[Parameter::new("axis", "Axis", AXIS).or("y"), SURFACES],
    apply: |model, call, notes| {
        let signs = match call.text("axis") {
            "x" => Vec3::new(-1.0, 1.0, 1.0),
            "y" => Vec3::new(1.0, -1.0, 1.0),
            _ => Vec3::new(1.0, 1.0, -1.0),
        };
        let turn = Mat3::from_diagonal(signs);
        transformed(model, call, &Transform { turn, ..Transform::IDENTITY }, notes)
    },
    ..row("mirror", "Mirror", "Mirrors along an axis and turns the triangles over, so that their fronts stay outside")
};

pub(super) const MOVE: Operation = Operation {
    parameters: &[
        Parameter::new("by", "Offset X, Y, Z", ParameterKind::Vector { unit: "units" }),
        SURFACES,
        FRAMES,
        VERTICES,
    ],
    apply: |model, call, notes| {
        let by = call.vector("by").unwrap_or_default();
        transformed(model, call, &Transform { by, ..Transform::IDENTITY }, notes)
    },
    ..row("move", "Move", "Moves the model, or some of its surfaces, frames or vertices")
};

pub(super) const ORIGIN: Operation = Operation {
    parameters: &[
        Parameter::new("to", "New origin", ParameterKind::Choice(&["feet", "centre", "tag", "vertex"])).or("feet"),
        Parameter::new("tag", "Tag", ParameterKind::Tag).or(""),
        Parameter::new("vertex", "Vertex, such as head:12", ParameterKind::Vertex).or(""),
    ],
    apply: |model, call, notes| {
        let surfaces: Vec<usize> = (0..model.surfaces().len()).collect();
        let bounds = bounds(model, &surfaces);
        let mut pose = Pose::default();
        sample(model, &Sampling::default(), &mut pose);
        let origin = match call.text("to") {
            "tag" => {
                let tag = call.tag(model, "tag")?.ok_or("expected the name of the tag")?;
                pose.tags.get(tag).map_or(Vec3::ZERO, |tag| tag.translation.into())
            }
            "vertex" => {
                let named = vertex_named(model, call.text("vertex"))?;
                let (surface, vertex) = named.ok_or("expected a surface and a vertex, such as head:12")?;
                let posed = pose.surfaces.get(surface).and_then(|posed| posed.positions.get(vertex).copied());
                posed.ok_or("the vertex belongs to a coarser LOD")?
            }
            "centre" => bounds.centre(),
            _ => bounds.centre().with_z(bounds.or_origin().min.z),
        };
        transformed(model, call, &Transform { by: -origin, ..Transform::IDENTITY }, notes)
    },
    ..row("set-origin", "Set origin", "Moves the feet, the centre, a tag or a vertex of the first frame to the origin")
};

/// Returns the box of surfaces in the first frame.
fn bounds(model: &Model, surfaces: &[usize]) -> Bounds {
    let mut pose = Pose::default();
    sample(model, &Sampling::default(), &mut pose);
    let chosen = surfaces.iter().filter_map(|surface| pose.surfaces.get(*surface));
    Bounds::from_points(chosen.flat_map(|surface| surface.positions.iter().copied()))
}
