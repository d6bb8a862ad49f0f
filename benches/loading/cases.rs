//! Files to load: generated files of every kind, and real files if they are present.

#![forbid(unsafe_code)]

use std::fs;
use std::hint::black_box;
use std::path::PathBuf;

use maquette_core::bytes::Source;
use maquette_core::error::Warnings;
use maquette_core::formats::{self, md5};
use maquette_core::model::Model;

use maquette_testing::files::{Md2, Md2Frame, Md3, Mdc, Mdl, MdlFrame, MdlPose, MdlSkin};
use maquette_testing::large::{self, number};
use maquette_testing::memory::peak_of;
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{Mdr, MdrVertex, bone};

/// Kinds of generated files.
pub const GENERATED: [&str; 16] = [
    "mdl",
    "md2",
    "md3",
    "mdc",
    "mdr",
    "mdr compressed",
    "mds",
    "mdm",
    "mdx",
    "md5mesh",
    "md5anim",
    "glm",
    "gla",
    "iqm",
    "glb",
    "glb with joints",
];

/// Approximate length of a generated file.
#[derive(Clone, Copy)]
pub enum Size {
    /// 50 KB, as in the games.
    Small,
    /// 2 MB.
    Large,
    /// 16 MB.
    Huge,
}

impl Size {
    pub const ALL: [Self; 3] = [Self::Small, Self::Large, Self::Huge];

    /// Returns the side of the vertex grid, and the number of frames.
    fn measures(self) -> (usize, usize, usize) {
        match self {
            Self::Small => (16, 20, 40),
            Self::Large => (64, 60, 400),
            Self::Huge => (128, 120, 2000),
        }
    }
}

/// A file on disk.
pub struct Case {
    pub name: String,
    path: PathBuf,
    is_animation: bool,
    /// Mesh that the file is a skeleton for.
    mesh: Option<Model>,
    /// Folder of the generated file. It is deleted when the case is dropped.
    _folder: Option<tempfile::TempDir>,
}

impl Case {
    /// Writes a generated file.
    pub fn generated(kind: &str, size: Size) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("model");
        fs::write(&path, made(kind, size)).unwrap();
        let mesh = match kind {
            "mdx" => Some(large::wolf(1, 1, vec![[0; 3]]).mdm()),
            "gla" => Some(large::glm(1, vec![[0; 3]]).build()),
            _ => None,
        };
        let mesh = mesh.map(|bytes| formats::load(&bytes).unwrap().0);
        Self { name: format!("made {kind}"), path, is_animation: kind == "md5anim", mesh, _folder: Some(folder) }
    }

    /// Returns the files in `../shared/models` or in the folder named by `MAQUETTE_MODELS`.
    pub fn real() -> Vec<Self> {
        let kinds = ["mdl", "md2", "md3", "mdc", "mdr", "mds", "mdm", "md5mesh", "md5anim", "glm", "iqm", "glb"];
        let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return Vec::new() };
        let kind_of =
            |path: &PathBuf| path.extension().and_then(|kind| kind.to_str()).unwrap_or_default().to_lowercase();
        let models = files_below(&folder).into_iter().filter(|path| kinds.contains(&kind_of(path).as_str()));
        let case = |path: PathBuf| Self {
            name: format!("real {}", kind_of(&path)),
            is_animation: kind_of(&path) == "md5anim",
            path,
            mesh: None,
            _folder: None,
        };
        models.map(case).filter(|case| fs::read(&case.path).is_ok_and(|bytes| case.loads(&bytes))).collect()
    }

    pub fn len(&self) -> usize {
        usize::try_from(fs::metadata(&self.path).unwrap().len()).unwrap()
    }

    fn loads(&self, bytes: &[u8]) -> bool {
        if self.is_animation {
            return md5::check_animation(&Source::new("md5", bytes), &mut Warnings::default()).is_ok();
        }
        if let Some(mesh) = &self.mesh {
            return black_box(mesh.clone()).add_animation("run", bytes).is_ok();
        }
        black_box(formats::load(bytes)).is_ok()
    }

    pub fn bytes(&self) -> Vec<u8> {
        fs::read(&self.path).unwrap()
    }

    pub fn copy(&self) {
        let bytes = self.bytes();
        black_box(bytes.clone());
    }

    pub fn load(&self) {
        assert!(self.loads(&self.bytes()));
    }

    pub fn load_from(&self, bytes: &[u8]) {
        assert!(self.loads(bytes));
    }

    /// Returns the peak memory of loading in bytes, without the file itself.
    pub fn peak(&self) -> usize {
        let bytes = self.bytes();
        peak_of(|| self.loads(&bytes)).1
    }
}

/// Returns the triangles of a vertex grid.
fn grid(side: usize) -> Vec<[usize; 3]> {
    let corner = |x: usize, y: usize| y * side + x;
    let squares = (1..side).flat_map(|y| (1..side).map(move |x| (x, y)));
    squares
        .flat_map(|(x, y)| {
            let [a, b, c, d] = [corner(x - 1, y - 1), corner(x, y - 1), corner(x - 1, y), corner(x, y)];
            [[a, b, c], [b, d, c]]
        })
        .collect()
}

fn signed_grid(side: usize) -> Vec<[i32; 3]> {
    grid(side).into_iter().map(|triangle| triangle.map(|index| i32::try_from(index).unwrap())).collect()
}

fn made(kind: &str, size: Size) -> Vec<u8> {
    let (side, frames, poses) = size.measures();
    let (triangles, count) = (grid(side), side * side);
    let signed = || signed_grid(side);
    let short = |index: usize| ([(index % 3000) as i16, (index % 777) as i16, 64], [(index % 256) as u8, 64]);
    let uvs: Vec<[f32; 2]> = (0..count).map(|index| [number(index), number(index + 7)]).collect();
    match kind {
        "md2" => {
            let vertices =
                |frame: usize| (0..count).map(move |index| [index as u8, frame as u8, 3, (index % 162) as u8]);
            let frame = |frame: usize| Md2Frame {
                scale: [1.0; 3],
                translate: [0.0; 3],
                name: format!("run{frame:03}"),
                vertices: vertices(frame).collect(),
            };
            // A tenth of the vertices lies on a texture seam.
            let st =
                |index: usize| u16::try_from(if index.is_multiple_of(10) { index + count } else { index }).unwrap();
            let corners = |[a, b, c]: &[usize; 3]| {
                let [x, y, z] = [a, b, c].map(|index| u16::try_from(*index).unwrap());
                [x, y, z, st(*a), *b as u16, *c as u16]
            };
            let command = |[a, b, c]: &[usize; 3]| [3, 0, 0, *a as i32, 0, 0, *b as i32, 0, 0, *c as i32];
            Md2 {
                coordinates: (0..2 * count).map(|index| [(index % 64) as i16, (index % 128) as i16]).collect(),
                triangles: triangles.iter().map(corners).collect(),
                frames: (0..frames).map(frame).collect(),
                commands: triangles.iter().flat_map(command).chain([0]).collect(),
                ..Md2::typical()
            }
            .build()
        }
        "md3" => Md3 {
            tags: Vec::new(),
            triangles: signed(),
            uvs,
            frames: (0..frames).map(|frame| (0..count).map(|index| short(index + frame)).collect()).collect(),
            ..Md3::typical()
        }
        .build(),
        "mdc" => {
            let keys = frames.div_ceil(8);
            let delta = |index: usize| [(index % 251) as u8, 127, 130, (index % 256) as u8];
            Mdc {
                tags: Vec::new(),
                tag_frames: Vec::new(),
                triangles: signed(),
                uvs,
                keys: (0..keys).map(|key| (0..count).map(|index| short(index + key)).collect()).collect(),
                deltas: (0..frames).map(|frame| (0..count).map(|index| delta(index + frame)).collect()).collect(),
                frames: (0..frames).map(|frame| [(frame / 8) as i16, frame as i16]).collect(),
                ..Mdc::typical()
            }
            .build()
        }
        "mdr" | "mdr compressed" => {
            let weight = |index: usize| ((index % 50) as i32, 0.5, [number(index), 1.0, 2.0]);
            let vertex = |index: usize| MdrVertex {
                normal: [0.0, 0.0, 1.0],
                uv: [number(index), number(index + 5)],
                weights: vec![weight(index), weight(index + 1)],
            };
            let bones =
                |frame: usize| (0..50).map(move |index| bone(number(frame), [number(index), 1.0, 2.0])).collect();
            Mdr {
                compressed: kind != "mdr",
                frames: (0..poses).map(bones).collect(),
                lods: 1,
                vertices: (0..count).map(vertex).collect(),
                triangles: signed(),
                tags: Vec::new(),
                ..Mdr::typical()
            }
            .build()
        }
        "mdl" => {
            let vertices =
                |frame: usize| (0..count).map(move |index| [index as u8, frame as u8, 3, (index % 162) as u8]);
            let pose = |frame| MdlPose { name: format!("run{frame:03}"), vertices: vertices(frame).collect() };
            // A tenth of the vertices is on the seam, and half of the triangles on the back.
            let coordinate = |index: usize| [i32::from(index.is_multiple_of(10)), (index % 64) as i32, 5];
            let triangle =
                |(index, [a, b, c]): (usize, &[usize; 3])| [(index % 2) as i32, *a as i32, *b as i32, *c as i32];
            Mdl {
                skin_size: [256, 128],
                skins: vec![MdlSkin::Single(vec![7; 256 * 128])],
                coordinates: (0..count).map(coordinate).collect(),
                triangles: triangles.iter().enumerate().map(triangle).collect(),
                frames: (0..frames).map(|frame| MdlFrame::Single(pose(frame))).collect(),
                ..Mdl::typical()
            }
            .build()
        }
        "mds" => large::wolf(count, 3 * poses, signed()).mds(),
        "mdm" => large::wolf(2 * count, 1, signed()).mdm(),
        "mdx" => large::wolf(1, 3 * poses, vec![[0; 3]]).mdx(),
        "glm" => large::glm(2 * count, signed()).build(),
        "gla" => large::gla(3 * poses).build(),
        "iqm" => large::iqm(count, 3 * poses, signed()).build(),
        "glb" => large::gltf(16 * count, &signed_grid(4 * side)).glb(),
        "glb with joints" => large::gltf_with_joints(9 * count, poses, &signed_grid(3 * side)).glb(),
        "md5mesh" => mesh_text(&triangles, count * poses.div_ceil(150), 60).into_bytes(),
        _ => animation_text(poses.div_ceil(2), 60).into_bytes(),
    }
}

/// Returns a mesh with two weights per vertex and numbers of ten digits, as exporters write them.
fn mesh_text(triangles: &[[usize; 3]], count: usize, joints: usize) -> String {
    let vector = |index: usize| {
        let [x, y, z] = [0, 1, 2].map(|axis| number(3 * index + axis));
        format!("( {x:.10} {y:.10} {z:.10} )")
    };
    let mut lines = vec![format!("MD5Version 10\ncommandline \"\"\nnumJoints {joints}\nnumMeshes 1\njoints {{")];
    let joint = |index: usize| format!("\t\"bone{index}\"\t{} {} ( 0.1 0.2 0.3 )", index as i64 - 1, vector(index));
    lines.extend((0..joints).map(joint));
    lines.push(format!("}}\nmesh {{\n\tshader \"models/box\"\n\tnumverts {count}"));
    let vertex = |index: usize| {
        let [s, t] = [index, index + 3].map(|index| number(index) / 20.0);
        format!("\tvert {index} ( {s:.10} {t:.10} ) {} 2", 2 * index)
    };
    lines.extend((0..count).map(vertex));
    lines.push(format!("\tnumtris {}", triangles.len()));
    lines.extend(triangles.iter().enumerate().map(|(index, [a, b, c])| format!("\ttri {index} {a} {b} {c}")));
    lines.push(format!("\tnumweights {}", 2 * count));
    let weight = |index: usize| format!("\tweight {index} {} 0.5000000000 {}", index % joints, vector(index));
    lines.extend((0..2 * count).map(weight));
    lines.push("}\n".to_owned());
    lines.join("\n")
}

/// Returns an animation in which every joint rotates and moves.
fn animation_text(frames: usize, joints: usize) -> String {
    let mut lines = vec!["MD5Version 10\ncommandline \"\"".to_owned()];
    lines.push(format!("numFrames {frames}\nnumJoints {joints}\nframeRate 24\nnumAnimatedComponents {}", 6 * joints));
    lines.push("hierarchy {".to_owned());
    lines.extend((0..joints).map(|index| format!("\t\"bone{index}\"\t{} 63 {}", index as i64 - 1, 6 * index)));
    lines.push("}\nbounds {".to_owned());
    lines.extend((0..frames).map(|_| "\t( -10.5 -10.5 -10.5 ) ( 10.5 10.5 10.5 )".to_owned()));
    lines.push("}\nbaseframe {".to_owned());
    lines.extend((0..joints).map(|_| "\t( 0.0 0.0 0.0 ) ( 0.0 0.0 0.0 )".to_owned()));
    lines.push("}".to_owned());
    for frame in 0..frames {
        lines.push(format!("frame {frame} {{"));
        let row = |joint: usize| {
            let numbers = (0..6).map(|axis| format!("{:.10}", number(frame * 7 + joint * 6 + axis) / 20.0));
            format!("\t{}", numbers.collect::<Vec<_>>().join(" "))
        };
        lines.extend((0..joints).map(row));
        lines.push("}".to_owned());
    }
    lines.join("\n")
}
