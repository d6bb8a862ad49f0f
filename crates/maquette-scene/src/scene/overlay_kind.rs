//! Overlay kinds: one table for menus, keys, toolbar, inspector and command line. A new overlay needs a row here, an
//! icon in `ui::kit::icons`, and code that draws it: lines in `overlay.rs`, other overlays in the renderer.

use maquette_core::model::Model;

/// An overlay that can be switched on and off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverlayKind {
    /// Ground grid with the x and y axes.
    Grid,
    /// Soft shadow on the ground, and shadows of the scene on itself.
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
    /// Paths of tracked points through the clip.
    Trails,
}

/// A row of the table.
#[derive(Debug)]
pub struct OverlayRow {
    /// The overlay.
    pub kind: OverlayKind,
    /// Stable id of its command, under which shortcuts are saved.
    pub id: &'static str,
    /// Display name.
    pub label: &'static str,
    /// Default shortcut, in the notation of the shortcut editor.
    pub keys: &'static str,
    /// Value of `--show`.
    pub cli_name: &'static str,
    /// Search words for the command palette, separated by spaces.
    pub keywords: &'static str,
    /// Whether the overlay belongs to the ground rather than to the model.
    pub is_ground: bool,
    /// Toolbar button. Overlays without a button are listed only in the inspector.
    pub button: Option<OverlayButton>,
    /// Function that returns the reason why the overlay is unavailable for a model, if any.
    pub unavailable: fn(&Model) -> Option<&'static str>,
    /// Whether a separator precedes the overlay in its menu.
    pub after_line: bool,
}

/// Toolbar button of an overlay.
#[derive(Debug)]
pub struct OverlayButton {
    /// Label of the button.
    pub word: &'static str,
    /// Second line of the tooltip.
    pub note: &'static str,
    /// Whether the button remains if the toolbar is narrow.
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

/// Overlays in the order of menus, buttons and drawing.
pub static OVERLAYS: &[OverlayRow] = &[
    OverlayRow {
        keywords: "floor ground plane axes",
        is_ground: true,
        button: button("Grid", "Ground plane with the X and Y axes", true),
        after_line: true,
        ..row(OverlayKind::Grid, "display.grid", "Grid", "G", "grid")
    },
    OverlayRow {
        keywords: "floor ground contact ambient occlusion",
        is_ground: true,
        ..row(OverlayKind::Shadow, "display.shadow", "Shadows", "Shift+G", "shadow")
    },
    OverlayRow {
        keywords: "direction smooth shading",
        button: button("Normals", "Change the length with [ and ]", false),
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

// A new variant stops the compiler here; the assertion then demands its row.
const _: () = assert!(
    OVERLAYS.len()
        == match OverlayKind::Grid {
            OverlayKind::Grid
            | OverlayKind::Shadow
            | OverlayKind::VertexNormals
            | OverlayKind::FaceNormals
            | OverlayKind::Tags
            | OverlayKind::Joints
            | OverlayKind::JointNames
            | OverlayKind::Bounds
            | OverlayKind::Vertices
            | OverlayKind::Trails => 10,
        }
);

/// A set of overlays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Overlays(u32);

impl Overlays {
    /// Returns the set of `kinds`.
    #[must_use]
    pub fn from_kinds(kinds: &[OverlayKind]) -> Self {
        kinds.iter().fold(Self::default(), |mut all, kind| {
            all.set(*kind, true);
            all
        })
    }

    /// Whether the set contains an overlay.
    pub fn contains(self, kind: OverlayKind) -> bool {
        self.0 & (1 << kind as u32) != 0
    }

    /// Switches an overlay on or off.
    pub fn set(&mut self, kind: OverlayKind, on: bool) {
        let bit = 1 << kind as u32;
        self.0 = if on { self.0 | bit } else { self.0 & !bit };
    }

    /// Toggles an overlay.
    pub fn toggle(&mut self, kind: OverlayKind) {
        self.set(kind, !self.contains(kind));
    }

    /// Returns all ground overlays.
    #[must_use]
    pub fn all_ground() -> Self {
        Self(u32::MAX).ground()
    }

    /// Returns the ground overlays of the set.
    #[must_use]
    pub fn ground(self) -> Self {
        let ground = OVERLAYS.iter().filter(|row| row.is_ground && self.contains(row.kind));
        Self::from_kinds(&ground.map(|row| row.kind).collect::<Vec<_>>())
    }
}
