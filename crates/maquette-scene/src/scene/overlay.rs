//! Overlays: normals, tags, joints and bounds as lines and dots, and names as labels.
//!
//! Overlays are computed on the CPU in world space from the drawn poses. The renderer widens each line to its width in
//! points. An [`Overlay`] is reused, so that filling it again allocates nothing. Lines that do not depend on the camera
//! can number millions; they are stored separately and stay valid while the camera moves.

use std::sync::atomic::{AtomicU64, Ordering};

use glam::{Affine3A, Vec3};

use maquette_core::model::{Model, Surface, face_normal};
use maquette_core::pose::{Pose, PosedSurface};

use super::{Camera, ColourTheme, Display, Entity, EntityId, Measure, OverlayKind, Selection, TrackedPoint};

/// Widths and diameters, in points.
const NORMAL_WIDTH: f32 = 1.0;
const BOUNDS_WIDTH: f32 = 1.5;
const JOINT_AXIS_WIDTH: f32 = 1.5;
const JOINT_SIZE: f32 = 5.0;
/// Width of a bone at its start as a share of its length, limits of that width, and width at its end.
const BONE_SHARE: f32 = 0.14;
const BONE_WIDTHS: (f32, f32) = (2.0, 7.0);
const BONE_END_WIDTH: f32 = 1.0;
const SELECTED_JOINT_SIZE: f32 = 8.0;
const TAG_WIDTH: f32 = 2.0;
const SELECTED_TAG_WIDTH: f32 = 3.0;
const TAG_ORIGIN_SIZE: f32 = 4.0;
const SELECTED_TAG_ORIGIN_SIZE: f32 = 6.0;
/// Length of tag axes: a share of the model's height, and a minimum in points.
const TAG_SHARE: f32 = 1.0 / 8.0;
const TAG_POINTS: f32 = 24.0;
const JOINT_AXIS_SHARE: f32 = 1.0 / 40.0;
const JOINT_AXIS_POINTS: f32 = 8.0;
/// Sizes of a selected vertex, of its normal (length) and of the edges of a selected triangle, in points.
const SELECTED_VERTEX_SIZE: f32 = 8.0;
const NORMAL_POINTS: f32 = 32.0;
const SELECTED_EDGE_WIDTH: f32 = 2.5;
const MEASURE_WIDTH: f32 = 1.5;
const MEASURE_DOT: f32 = 5.0;
const TRAIL_WIDTH: f32 = 1.5;
const TRAIL_DOT: f32 = 3.0;

/// A straight line, or a dot if both ends are equal.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Line {
    /// Start, in world space.
    pub start: [f32; 3],
    /// Width at the start, or diameter of a dot, in points.
    pub width: f32,
    /// End, in world space.
    pub end: [f32; 3],
    /// Width at the end, in points. The width changes linearly.
    pub end_width: f32,
    /// sRGB red, green, blue and alpha.
    pub colour: [u8; 4],
}

/// Visibility of lines behind surfaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Layer {
    /// Lines are not drawn: normals.
    Hidden,
    /// Lines are drawn faintly: bounds.
    Faint,
    /// Lines are drawn dimmed, but readable on any texture: tags.
    Dimmed,
    /// Lines are drawn over everything: joints and the selected tag.
    OnTop,
}

impl Layer {
    /// Layers in drawing order.
    pub const ALL: [Self; 4] = [Self::Hidden, Self::Faint, Self::Dimmed, Self::OnTop];
}

/// Subject of a label.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LabelKind {
    /// A tag, by its index.
    Tag(usize),
    /// A joint, by its index.
    Joint(usize),
    /// An axis of the selected tag: 0 forward, 1 left, 2 up.
    Axis(usize),
    /// The measured distance.
    Distance,
}

/// Text at a position. The window draws the text on a plate.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// Text of the label.
    pub text: String,
    /// Position in world space.
    pub at: Vec3,
    /// Whether the subject is selected.
    pub selected: bool,
    /// Entity of the subject.
    pub entity: EntityId,
    /// Subject of the label.
    pub kind: LabelKind,
    /// Start of the axis or of the measured distance; for other labels equal to `at`.
    pub origin: Vec3,
}

impl Label {
    /// Returns the selection that a click on the label makes.
    pub fn selection(&self) -> Selection {
        match self.kind {
            LabelKind::Tag(index) => Selection::Tag(index),
            LabelKind::Joint(index) => Selection::Joint(index),
            LabelKind::Axis(_) | LabelKind::Distance => Selection::None,
        }
    }
}

/// A posed part whose overlays are drawn.
#[derive(Clone, Copy, Debug)]
pub struct OverlayPart<'a> {
    /// The entity.
    pub entity: EntityId,
    /// The model.
    pub model: &'a Model,
    /// The current pose.
    pub pose: &'a Pose,
    /// Level of detail that is drawn.
    pub lod: u32,
    /// Whether each surface is drawn. Surfaces without an entry are drawn.
    pub visible: &'a [bool],
    /// Selected element, which is drawn even if its kind is off.
    pub selection: Selection,
    /// Surfaces whose normals are drawn; `None` means all drawn surfaces.
    pub normals_of: Option<&'a [usize]>,
    /// Transform from model space to world space.
    pub world_from_model: Affine3A,
}

/// View in which an overlay is drawn.
#[derive(Clone, Copy, Debug)]
pub struct OverlayView<'a> {
    /// The camera.
    pub camera: &'a Camera,
    /// Display options.
    pub display: &'a Display,
    /// Height of the viewport in points.
    pub height: f32,
}

/// Lines, dots and labels.
#[derive(Clone, Debug, Default)]
pub struct Overlay {
    layers: [Vec<Line>; 4],
    /// Static lines, which do not depend on the camera.
    static_lines: [Vec<Line>; 4],
    static_revision: u64,
    labels: Vec<Label>,
    label_count: usize,
}

static MADE: AtomicU64 = AtomicU64::new(0);

struct Colours {
    axes: [[u8; 3]; 3],
    vertex_normals: [u8; 3],
    face_normals: [u8; 3],
    joints: [u8; 3],
    bounds: [u8; 3],
    selection: [u8; 3],
}

const DARK: Colours = Colours {
    axes: [[0xff, 0x5c, 0x6e], [0xa6, 0xe0, 0x5a], [0x58, 0xa6, 0xff]],
    vertex_normals: [0x4f, 0xd3, 0xd9],
    face_normals: [0xc3, 0x9b, 0xff],
    joints: [0xf2, 0xef, 0xe6],
    bounds: [0xe4, 0x8b, 0xe0],
    selection: [0xf0, 0x93, 0x5a],
};

const LIGHT: Colours = Colours {
    axes: [[0x8c, 0x10, 0x34], [0x4a, 0x8a, 0x0c], [0x0b, 0x5f, 0xc4]],
    vertex_normals: [0x00, 0x73, 0x7c],
    face_normals: [0x6a, 0x3f, 0xc0],
    joints: [0x26, 0x28, 0x2b],
    bounds: [0x97, 0x33, 0x9a],
    selection: [0xb0, 0x48, 0x0f],
};

impl Overlay {
    /// Removes everything except the lines of [`Self::set_static`]; memory is reused.
    pub fn clear(&mut self) {
        self.layers.iter_mut().for_each(Vec::clear);
        self.label_count = 0;
    }

    /// Returns the lines of a layer in drawing order. They are drawn over [`Self::static_lines`].
    pub fn lines(&self, layer: Layer) -> &[Line] {
        of_layer(&self.layers, layer)
    }

    /// Returns the static lines of a layer.
    pub fn static_lines(&self, layer: Layer) -> &[Line] {
        of_layer(&self.static_lines, layer)
    }

    /// Returns a number that identifies the current static lines.
    pub fn static_revision(&self) -> u64 {
        self.static_revision
    }

    /// Returns the labels.
    pub fn labels(&self) -> &[Label] {
        self.labels.get(..self.label_count).unwrap_or_default()
    }

    /// Adds the overlays of `part`.
    pub fn add(&mut self, part: &OverlayPart<'_>, view: &OverlayView<'_>) {
        self.add_static(part, view.display);
        self.add_moving(part, view);
    }

    /// Replaces the static lines by the normals and boxes of `parts`. [`Self::add_moving`] adds the rest.
    pub fn set_static<'a>(&mut self, parts: impl Iterator<Item = OverlayPart<'a>>, display: &Display) {
        self.static_revision = MADE.fetch_add(1, Ordering::Relaxed) + 1;
        std::mem::swap(&mut self.layers, &mut self.static_lines);
        self.layers.iter_mut().for_each(Vec::clear);
        parts.for_each(|part| self.add_static(&part, display));
        std::mem::swap(&mut self.layers, &mut self.static_lines);
    }

    fn add_static(&mut self, part: &OverlayPart<'_>, display: &Display) {
        let colours = colours(display);
        if display.shows(OverlayKind::VertexNormals) {
            self.add_vertex_normals(part, display, colours);
        }
        if display.shows(OverlayKind::FaceNormals) {
            self.add_face_normals(part, display, colours);
        }
        if display.shows(OverlayKind::Bounds) {
            self.add_bounds(part, display, colours);
        }
    }

    /// Adds the overlays of `part` that depend on the camera or are small.
    pub fn add_moving(&mut self, part: &OverlayPart<'_>, view: &OverlayView<'_>) {
        let colours = colours(view.display);
        self.add_element(part, view, colours);
        self.add_joints(part, view, colours);
        self.add_tags(part, view, colours);
    }

    /// Adds the line of a measured distance, with its length as a label of `entity`.
    pub fn add_measure(&mut self, entity: EntityId, measure: &Measure, view: &OverlayView<'_>) {
        let colours = colours(view.display);
        let Measure { from, to } = *measure;
        self.add_line(Layer::OnTop, [from, to], MEASURE_WIDTH, colours.selection);
        for end in [from, to] {
            self.add_dot(Layer::OnTop, end, MEASURE_DOT, colours.selection);
        }
        let at = (from + to) / 2.0;
        let text = format!("{:.3}", measure.distance());
        let label = Label { text: String::new(), at, selected: true, entity, kind: LabelKind::Distance, origin: from };
        self.add_label(&text, label);
    }

    /// Adds the motion trail of a tracked point, with a dot for each frame and a larger dot for the shown frame.
    pub fn add_trail(&mut self, followed: &TrackedPoint, entity: &Entity) {
        let (first, positions) = followed.way(entity);
        let shown = entity.nearest_frame();
        let mut last = None;
        for (frame, point) in (first..).zip(positions) {
            if let Some(last) = last.replace(point) {
                self.add_line(Layer::OnTop, [last, point], TRAIL_WIDTH, followed.colour);
            }
            let size = if frame == shown { TRAIL_DOT * 2.5 } else { TRAIL_DOT };
            self.add_dot(Layer::OnTop, point, size, followed.colour);
        }
    }

    fn add_element(&mut self, part: &OverlayPart<'_>, view: &OverlayView<'_>, colours: &Colours) {
        let corner = |surface: usize, vertex: usize| {
            let posed = part.pose.surfaces.get(surface)?;
            let (position, normal) = (posed.positions.get(vertex)?, posed.normals.get(vertex)?);
            let normal = part.world_from_model.transform_vector3(*normal).normalize_or_zero();
            Some((part.world_from_model.transform_point3(*position), normal))
        };
        match part.selection {
            Selection::Vertex { surface, vertex } => {
                let Some((point, normal)) = corner(surface, vertex) else { return };
                let length = NORMAL_POINTS * view.camera.units_per_point_at(point, view.height);
                self.add_line(Layer::OnTop, [point, point + normal * length], MEASURE_WIDTH, colours.vertex_normals);
                self.add_dot(Layer::OnTop, point, SELECTED_VERTEX_SIZE, colours.selection);
            }
            Selection::Triangle { surface, triangle } => {
                let triangles = part.model.surfaces().get(surface).map(|surface| surface.triangles.as_slice());
                let Some(corners) = triangles.and_then(|triangles| triangles.get(triangle)) else { return };
                let [Some(a), Some(b), Some(c)] = corners.map(|vertex| corner(surface, vertex as usize)) else {
                    return;
                };
                for ends in [[a.0, b.0], [b.0, c.0], [c.0, a.0]] {
                    self.add_line(Layer::OnTop, ends, SELECTED_EDGE_WIDTH, colours.selection);
                }
            }
            _ => {}
        }
    }

    /// Adds a line.
    pub fn add_line(&mut self, layer: Layer, ends: [Vec3; 2], width: f32, colour: [u8; 3]) {
        self.add_taper(layer, ends, [width, width], colour);
    }

    /// Adds a line with a width for each end.
    pub fn add_taper(&mut self, layer: Layer, ends: [Vec3; 2], widths: [f32; 2], [red, green, blue]: [u8; 3]) {
        let [hidden, faint, dimmed, on_top] = &mut self.layers;
        let lines = match layer {
            Layer::Hidden => hidden,
            Layer::Faint => faint,
            Layer::Dimmed => dimmed,
            Layer::OnTop => on_top,
        };
        let ([start, end], [width, end_width]) = (ends, widths);
        if start.is_finite() && end.is_finite() {
            let (start, end, colour) = (start.to_array(), end.to_array(), [red, green, blue, 255]);
            lines.push(Line { start, width, end, end_width, colour });
        }
    }

    fn add_dot(&mut self, layer: Layer, at: Vec3, size: f32, colour: [u8; 3]) {
        self.add_line(layer, [at, at], size, colour);
    }

    /// Adds a label. The text reuses the memory of an earlier label, so that a reused overlay allocates nothing.
    fn add_label(&mut self, text: &str, wanted: Label) {
        if !wanted.at.is_finite() {
            return;
        }
        if self.labels.len() == self.label_count {
            self.labels.push(wanted);
        } else if let Some(label) = self.labels.get_mut(self.label_count) {
            *label = Label { text: std::mem::take(&mut label.text), ..wanted };
        }
        if let Some(label) = self.labels.get_mut(self.label_count) {
            label.text.clear();
            label.text.push_str(text);
            self.label_count += 1;
        }
    }

    fn add_vertex_normals(&mut self, part: &OverlayPart<'_>, display: &Display, colours: &Colours) {
        let length = display.normal_length * part.pose.bounds.radius();
        let layer = layer(Layer::Hidden, display);
        for (_, posed) in shown(part, part.normals_of) {
            for (position, normal) in posed.positions.iter().zip(&posed.normals) {
                let start = part.world_from_model.transform_point3(*position);
                let end = start + part.world_from_model.transform_vector3(*normal).normalize_or_zero() * length;
                self.add_line(layer, [start, end], NORMAL_WIDTH, colours.vertex_normals);
            }
        }
    }

    fn add_face_normals(&mut self, part: &OverlayPart<'_>, display: &Display, colours: &Colours) {
        let length = display.normal_length * part.pose.bounds.radius();
        let layer = layer(Layer::Hidden, display);
        for (surface, posed) in shown(part, part.normals_of) {
            for corners in &surface.triangles {
                let corner = |index: u32| posed.positions.get(index as usize).copied();
                let [Some(a), Some(b), Some(c)] = corners.map(corner) else { continue };
                let middle = part.world_from_model.transform_point3((a + b + c) / 3.0);
                let normal = part.world_from_model.transform_vector3(face_normal(a, b, c)).normalize_or_zero();
                self.add_line(layer, [middle, middle + normal * length], NORMAL_WIDTH, colours.face_normals);
            }
        }
    }

    fn add_bounds(&mut self, part: &OverlayPart<'_>, display: &Display, colours: &Colours) {
        if part.pose.bounds.is_empty() {
            return;
        }
        let corners = part.pose.bounds.corners().map(|corner| part.world_from_model.transform_point3(corner));
        for (first, start) in corners.iter().enumerate() {
            for bit in [1, 2, 4].into_iter().filter(|bit| first & bit == 0) {
                if let Some(end) = corners.get(first | bit) {
                    self.add_line(layer(Layer::Faint, display), [*start, *end], BOUNDS_WIDTH, colours.bounds);
                }
            }
        }
    }

    fn add_joints(&mut self, part: &OverlayPart<'_>, view: &OverlayView<'_>, colours: &Colours) {
        let joints = part.model.joints();
        let height = part.pose.bounds.size().z;
        let standalone = joints.iter().all(|joint| joint.parent.is_none());
        let transform_of = |index: usize| part.pose.joints.get(index).map(|joint| part.world_from_model * *joint);
        if view.display.shows(OverlayKind::Joints) {
            for (index, joint) in joints.iter().enumerate() {
                let Some(frame) = transform_of(index) else { continue };
                let origin = Vec3::from(frame.translation);
                let parent = joint.parent.map(|parent| parent as usize);
                if let Some((parent, from)) = parent.and_then(|parent| Some((parent, transform_of(parent)?))) {
                    let ends = [from.translation.into(), origin];
                    // The bone moves with the joint at its start, so it is highlighted with that joint.
                    let own = part.selection == Selection::Joint(parent);
                    let colour = if own { colours.selection } else { colours.joints };
                    self.add_taper(Layer::OnTop, ends, bone_widths(view, ends), colour);
                } else if standalone {
                    let min = JOINT_AXIS_POINTS * view.camera.units_per_point_at(origin, view.height);
                    let length = (height * JOINT_AXIS_SHARE).max(min);
                    self.add_axes(Layer::OnTop, &frame, length, JOINT_AXIS_WIDTH, &colours.axes);
                }
            }
        }
        for (index, joint) in joints.iter().enumerate() {
            let selected = part.selection == Selection::Joint(index);
            let Some(frame) = transform_of(index).filter(|_| view.display.shows(OverlayKind::Joints) || selected)
            else {
                continue;
            };
            let origin = Vec3::from(frame.translation);
            let (size, colour) =
                if selected { (SELECTED_JOINT_SIZE, colours.selection) } else { (JOINT_SIZE, colours.joints) };
            self.add_dot(Layer::OnTop, origin, size, colour);
            if selected || view.display.shows(OverlayKind::JointNames) {
                self.add_label(&joint.name, label(part, LabelKind::Joint(index), origin, selected));
            }
        }
    }

    fn add_tags(&mut self, part: &OverlayPart<'_>, view: &OverlayView<'_>, colours: &Colours) {
        let height = part.pose.bounds.size().z;
        for (index, (name, tag)) in part.model.tags().iter().zip(&part.pose.tags).enumerate() {
            let selected = part.selection == Selection::Tag(index);
            if !view.display.shows(OverlayKind::Tags) && !selected {
                continue;
            }
            let frame = part.world_from_model * *tag;
            let origin = Vec3::from(frame.translation);
            let length = tag_axis_length(view.camera, origin, height, view.height);
            let width = if selected { SELECTED_TAG_WIDTH } else { TAG_WIDTH };
            let layer = if selected { Layer::OnTop } else { layer(Layer::Dimmed, view.display) };
            self.add_axes(layer, &frame, length, width, &colours.axes);
            let (size, colour) = if selected {
                (SELECTED_TAG_ORIGIN_SIZE, colours.selection)
            } else {
                (TAG_ORIGIN_SIZE, colours.joints)
            };
            self.add_dot(layer, origin, size, colour);
            if selected {
                for (axis, letter) in ["X", "Y", "Z"].into_iter().enumerate() {
                    let end = origin + axis_of(&frame, axis) * length;
                    self.add_label(letter, Label { origin, ..label(part, LabelKind::Axis(axis), end, true) });
                }
            }
            self.add_label(name, label(part, LabelKind::Tag(index), origin, selected));
        }
    }

    fn add_axes(&mut self, layer: Layer, frame: &Affine3A, length: f32, width: f32, colours: &[[u8; 3]; 3]) {
        let origin = Vec3::from(frame.translation);
        for (axis, colour) in colours.iter().enumerate() {
            self.add_line(layer, [origin, origin + axis_of(frame, axis) * length], width, *colour);
        }
    }
}

fn of_layer(layers: &[Vec<Line>; 4], layer: Layer) -> &[Line] {
    let [hidden, faint, dimmed, on_top] = layers;
    match layer {
        Layer::Hidden => hidden,
        Layer::Faint => faint,
        Layer::Dimmed => dimmed,
        Layer::OnTop => on_top,
    }
}

fn colours(display: &Display) -> &'static Colours {
    match display.line_theme() {
        ColourTheme::Dark => &DARK,
        ColourTheme::Light => &LIGHT,
    }
}

/// Returns the widths of a bone at its ends. The start width grows with the length, so that the short bones of a hand
/// stay distinct.
fn bone_widths(view: &OverlayView<'_>, [start, end]: [Vec3; 2]) -> [f32; 2] {
    let points = start.distance(end) / view.camera.units_per_point_at(start, view.height).max(1e-9);
    let (min, max) = BONE_WIDTHS;
    [(points * BONE_SHARE).clamp(min, max), BONE_END_WIDTH]
}

fn tag_axis_length(camera: &Camera, origin: Vec3, model_height: f32, height: f32) -> f32 {
    (model_height * TAG_SHARE).max(TAG_POINTS * camera.units_per_point_at(origin, height))
}

/// Returns the unit vector of an axis: 0 forward, 1 left, 2 up.
fn axis_of(frame: &Affine3A, axis: usize) -> Vec3 {
    Vec3::from(frame.matrix3.col(axis)).normalize_or_zero()
}

fn layer(usual: Layer, display: &Display) -> Layer {
    if display.overlays_on_top { Layer::OnTop } else { usual }
}

fn shown<'a>(
    part: &OverlayPart<'a>,
    only: Option<&'a [usize]>,
) -> impl Iterator<Item = (&'a Surface, &'a PosedSurface)> {
    let (lod, visible) = (part.lod, part.visible);
    let surfaces = part.model.surfaces().iter().zip(&part.pose.surfaces).enumerate();
    surfaces.filter_map(move |(number, (surface, posed))| {
        let drawn = surface.lod == lod && visible.get(number).copied().unwrap_or(true);
        (drawn && only.is_none_or(|only| only.contains(&number))).then_some((surface, posed))
    })
}

fn label(part: &OverlayPart<'_>, kind: LabelKind, at: Vec3, selected: bool) -> Label {
    Label { text: String::new(), at, selected, entity: part.entity, kind, origin: at }
}
