//! What can be laid over a model or put under it: one table, which menus, keys, toolbar, inspector and command line read.
//! A new overlay is a row here, an icon in `ui::icons`, and the code in [`Overlay::add`](super::Overlay::add) that draws it.

use maquette_core::model::Model;

/// Something that is drawn besides the model and can be switched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayKind {
    /// Ground grid with the x and y axes.
    Grid,
    /// Soft shadow on the ground.
    Shadow,
    /// A line along each vertex normal.
    VertexNormals,
    /// A line along each face normal.
    FaceNormals,
    /// Tags as labelled axes.
    Tags,
    /// Joints and bones.
    Joints,
    /// Names of joints.
    JointNames,
    /// Box of the posed model.
    Bounds,
    /// A dot on each vertex.
    Vertices,
    /// The way of what is followed through the clip.
    Trails,
}

/// A row of the table.
#[derive(Debug)]
pub struct OverlayRow {
    /// What it is.
    pub kind: OverlayKind,
    /// Stable id of its command, under which keys are saved.
    pub id: &'static str,
    /// For people.
    pub label: &'static str,
    /// The key that switches it, as the dialog of keys writes it.
    pub keys: &'static str,
    /// The word of `--show`.
    pub cli_name: &'static str,
    /// Other words for it, separated by blanks, under which people look for it.
    pub keywords: &'static str,
    /// Whether it belongs to the ground under the model rather than to the model.
    pub is_ground: bool,
    /// Its button above the picture, if it has one; the others stand in the inspector.
    pub button: Option<OverlayButton>,
    /// Why it is unavailable for a model, if it is.
    pub unavailable: fn(&Model) -> Option<&'static str>,
    /// Whether a line stands before it in its menu.
    pub after_line: bool,
}

/// The button of an overlay.
#[derive(Debug)]
pub struct OverlayButton {
    /// A short word.
    pub word: &'static str,
    /// A second line of its tooltip.
    pub note: &'static str,
    /// It stays where there is little room.
    pub stays: bool,
}

fn nothing(_: &Model) -> Option<&'static str> {
    None
}

fn tags(model: &Model) -> Option<&'static str> {
    model.tags().is_empty().then_some("This file has no tags")
}

fn joints(model: &Model) -> Option<&'static str> {
    model.joints().is_empty().then_some("This file has no joints")
}

/// A row with nothing but names.
const fn row(
    kind: OverlayKind,
    id: &'static str,
    label: &'static str,
    keys: &'static str,
    cli_name: &'static str,
) -> OverlayRow {
    let (keywords, is_ground, button, after_line) = ("", false, None, false);
    OverlayRow { kind, id, label, keys, cli_name, keywords, is_ground, button, unavailable: nothing, after_line }
}

const fn button(word: &'static str, note: &'static str, stays: bool) -> Option<OverlayButton> {
    Some(OverlayButton { word, note, stays })
}

/// All overlays, in the order of menus, buttons and drawing.
pub static OVERLAYS: [OverlayRow; 10] = [
    OverlayRow {
        keywords: "floor ground plane axes",
        is_ground: true,
        button: button("Grid", "Ground plane with the X and Y axes", true),
        after_line: true,
        ..row(OverlayKind::Grid, "display.grid", "Grid", "G", "grid")
    },
    OverlayRow {
        keywords: "floor contact",
        is_ground: true,
        ..row(OverlayKind::Shadow, "display.shadow", "Ground shadow", "Shift+G", "shadow")
    },
    OverlayRow {
        keywords: "direction smooth shading",
        button: button("Normals", "Length with [ and ]", false),
        after_line: true,
        ..row(OverlayKind::VertexNormals, "display.vertex-normals", "Vertex normals", "N", "normals")
    },
    OverlayRow {
        keywords: "triangle polygon direction flat",
        ..row(OverlayKind::FaceNormals, "display.face-normals", "Face normals", "Shift+N", "facenormals")
    },
    OverlayRow {
        keywords: "attachment points axes bolt sockets",
        button: button("Tags", "Attachment points", true),
        after_line: true,
        unavailable: tags,
        ..row(OverlayKind::Tags, "display.tags", "Tags", "A", "tags")
    },
    OverlayRow {
        keywords: "bones skeleton armature rig",
        button: button("Joints", "The skeleton, always on top", false),
        unavailable: joints,
        ..row(OverlayKind::Joints, "display.joints", "Joints", "B", "joints")
    },
    OverlayRow {
        keywords: "bones skeleton labels",
        unavailable: joints,
        ..row(OverlayKind::JointNames, "display.joint-names", "Joint names", "Shift+B", "names")
    },
    OverlayRow {
        keywords: "bounding box size extents aabb",
        button: button("Bounds", "Bounding box of the current pose", false),
        ..row(OverlayKind::Bounds, "display.bounds", "Bounds", "X", "bounds")
    },
    OverlayRow {
        keywords: "points dots verts",
        ..row(OverlayKind::Vertices, "display.vertices", "Vertices", "Shift+W", "vertices")
    },
    OverlayRow {
        keywords: "path trajectory way motion history follow trace",
        ..row(OverlayKind::Trails, "display.motion-trails", "Motion trails", "Shift+M", "trails")
    },
];

/// A set of overlays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays(u32);

impl Overlays {
    /// These.
    #[must_use]
    pub fn of(kinds: &[OverlayKind]) -> Self {
        kinds.iter().fold(Self::default(), |mut all, kind| {
            all.set(*kind, true);
            all
        })
    }

    /// Whether one is among them.
    #[must_use]
    pub fn contains(self, kind: OverlayKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    /// Switches one on or off.
    pub fn set(&mut self, kind: OverlayKind, on: bool) {
        let bit = 1 << kind as u32;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    /// Switches one.
    pub fn toggle(&mut self, kind: OverlayKind) {
        self.set(kind, !self.contains(kind));
    }

    /// Those of the ground alone.
    #[must_use]
    pub fn ground(self) -> Self {
        let ground = OVERLAYS.iter().filter(|row| row.is_ground && self.contains(row.kind));
        Self::of(&ground.map(|row| row.kind).collect::<Vec<_>>())
    }
}
