//! Generated files of the morphing formats, and a list of typical files of all formats. Builders write all values unchecked.

use maquette_core::model::Format;

use crate::bytes::ByteWriter;
use crate::darkplaces_files;
use crate::ghoul2_files::Glm;
use crate::gltf::GltfFile;
use crate::iqm::Iqm;
use crate::quake2_files::{dkm, fm, kmdx};
use crate::skeletal_files::{MD5_MESH, Mdr};
use crate::sprite_files::{sp2, sprite};
use crate::static_files::{ASE, DXF, OBJ, lwo, three_ds};
use crate::unreal_files::psk;
use crate::wolfenstein_files::Wolf;

/// Returns small valid files of a format.
pub fn typical(format: Format) -> Vec<Vec<u8>> {
    match format {
        Format::Mdl => vec![Mdl::typical().build(), Mdl::grouped().build()],
        Format::Spr => [1, 2, 32].map(sprite).into(),
        Format::Sp2 => vec![sp2()],
        Format::Md2 => vec![Md2::typical().build()],
        Format::Kmdx => vec![kmdx()],
        Format::Fm => vec![fm(2), fm(0)],
        Format::Dkm => vec![dkm(1), dkm(2)],
        Format::Md3 => vec![Md3::typical().build()],
        Format::Mdc => vec![Mdc::typical().build()],
        Format::Mdr => vec![Mdr::typical().build(), Mdr { compressed: true, ..Mdr::typical() }.build()],
        Format::Mds => vec![Wolf::typical().mds()],
        Format::Mdm => vec![Wolf::typical().mdm()],
        Format::Md5 => vec![MD5_MESH.into()],
        Format::Glm => vec![Glm::typical().build()],
        Format::Zym => vec![darkplaces_files::zym()],
        Format::Dpm => vec![darkplaces_files::dpm()],
        Format::Psk => vec![psk()],
        Format::Iqm => vec![Iqm::typical().build(), Iqm::version_1().build()],
        Format::Ase => vec![ASE.into()],
        Format::Lwo => vec![lwo("LWO2"), lwo("LWOB")],
        Format::Obj => vec![OBJ.into()],
        Format::ThreeDs => vec![three_ds()],
        Format::Dxf => vec![DXF.into()],
        Format::Gltf => {
            let files = [GltfFile::triangle(), GltfFile::skinned(), GltfFile::morphing()];
            files.iter().flat_map(|file| [file.glb(), file.gltf_with_data(), file.gltf("a.bin")]).collect()
        }
    }
}

/// Returns a tag file of Enemy Territory with these tags, whose axes are those of the model.
pub fn tag_file(tags: &[(&str, [f32; 3])]) -> Vec<u8> {
    let mut file = ByteWriter::new();
    let count = i32::try_from(tags.len()).unwrap();
    file.raw(b"TAG1").i32(1).i32(count).i32(16 + count * 112); // ident, version, numTags, ofsEnd
    for (name, origin) in tags {
        file.name(name, 64).f32s(origin).f32s(&[1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]);
    }
    file.finish()
}

/// A TGA image of one texel, for tests that do not look at it.
pub const TGA: &[u8] = &[0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0, 0, 0, 0];

pub struct Md2 {
    pub skin_size: [i32; 2],
    pub skins: Vec<&'static str>,
    /// Texture coordinates s and t in texels.
    pub coordinates: Vec<[i16; 2]>,
    /// Three vertex and three texture coordinate indices.
    pub triangles: Vec<[u16; 6]>,
    pub frames: Vec<Md2Frame>,
    pub commands: Vec<i32>,
    /// Bytes written after the vertices of each frame.
    pub slack: usize,
}

pub struct Md2Frame {
    pub scale: [f32; 3],
    pub translate: [f32; 3],
    pub name: String,
    /// Position x, y, z and the index of the normal.
    pub vertices: Vec<[u8; 4]>,
}

impl Md2 {
    /// Returns two frames of two triangles with a shared edge and a texture seam at one vertex.
    pub fn typical() -> Self {
        let frame = |name: &str, lift: u8| Md2Frame {
            scale: [1.0, 2.0, 3.0],
            translate: [10.0, 20.0, 30.0],
            name: name.to_owned(),
            vertices: vec![[0, 0, lift, 5], [2, 0, lift, 5], [0, 2, lift, 5], [2, 3, 4 + lift, 52]],
        };
        Self {
            skin_size: [64, 128],
            skins: vec!["models/box/skin.pcx", "models/box/pain.pcx"],
            coordinates: vec![[0, 0], [31, 63], [63, 127], [-1, 200], [5, 6]],
            triangles: vec![[0, 2, 1, 0, 2, 1], [1, 2, 3, 4, 2, 3]],
            frames: vec![frame("stand01", 0), frame("stand02", 10)],
            // Strip of four corners, and the end mark.
            commands: vec![4, 0, 0, 0, 0, 0, 2, 0, 0, 1, 0, 0, 3, 0],
            slack: 0,
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = ByteWriter::new();
        let vertices = self.frames.first().map_or(0, |frame| frame.vertices.len());
        let frame_size = 40 + 4 * vertices + self.slack;
        let count = |length: usize| i32::try_from(length).unwrap();
        file.raw(b"IDP2") // ident
            .i32(8) // version
            .i32(self.skin_size[0]) // skinwidth
            .i32(self.skin_size[1]) // skinheight
            .i32(count(frame_size)) // framesize
            .i32(count(self.skins.len())) // num_skins
            .i32(count(vertices)) // num_xyz
            .i32(count(self.coordinates.len())) // num_st
            .i32(count(self.triangles.len())) // num_tris
            .i32(count(self.commands.len())) // num_glcmds
            .i32(count(self.frames.len())); // num_frames
        let offsets: [usize; 6] = std::array::from_fn(|_| file.later()); // ofs_skins … ofs_end
        file.fill(offsets[0], file.len());
        self.skins.iter().for_each(|skin| {
            file.name(skin, 64);
        });
        file.fill(offsets[1], file.len());
        self.coordinates.iter().flatten().for_each(|texel| {
            file.i16(*texel);
        });
        file.fill(offsets[2], file.len());
        self.triangles.iter().flatten().for_each(|index| {
            file.u16(*index);
        });
        file.fill(offsets[3], file.len());
        for frame in &self.frames {
            file.f32s(&frame.scale).f32s(&frame.translate).name(&frame.name, 16);
            frame.vertices.iter().for_each(|vertex| {
                file.raw(vertex);
            });
            file.raw(&vec![0xEE; self.slack]);
        }
        file.fill(offsets[4], file.len());
        self.commands.iter().for_each(|word| {
            file.i32(*word);
        });
        file.fill(offsets[5], file.len());
        file.finish()
    }
}

pub struct Mdl {
    pub scale: [f32; 3],
    pub scale_origin: [f32; 3],
    pub skin_size: [i32; 2],
    pub flags: i32,
    pub skins: Vec<MdlSkin>,
    /// Whether the vertex is on the seam, and s and t in texels.
    pub coordinates: Vec<[i32; 3]>,
    /// Whether the triangle is on the front, and its vertices.
    pub triangles: Vec<[i32; 4]>,
    pub frames: Vec<MdlFrame>,
    /// Bytes that an editor appended.
    pub trailer: Vec<u8>,
}

pub enum MdlSkin {
    /// Palette indices.
    Single(Vec<u8>),
    /// End times in seconds, and the images.
    Group(Vec<f32>, Vec<Vec<u8>>),
}

pub enum MdlFrame {
    Single(MdlPose),
    /// End times in seconds, and the poses.
    Group(Vec<f32>, Vec<MdlPose>),
}

pub struct MdlPose {
    pub name: String,
    /// Position x, y, z and the index of the normal.
    pub vertices: Vec<[u8; 4]>,
}

impl Mdl {
    /// Returns a triangle on the front and one on the back that share an edge on the seam, two frames and one skin.
    pub fn typical() -> Self {
        Self {
            scale: [1.0, 2.0, 3.0],
            scale_origin: [10.0, 20.0, 30.0],
            skin_size: [8, 4],
            flags: 8,
            skins: vec![MdlSkin::Single((0..32).collect())],
            coordinates: vec![[0, 0, 0], [0x20, 1, 3], [0x20, 3, 1], [0, 7, 3]],
            triangles: vec![[1, 0, 2, 1], [0, 1, 2, 3]],
            frames: vec![
                MdlFrame::Single(MdlPose::typical("stand1", 0)),
                MdlFrame::Single(MdlPose::typical("stand2", 10)),
            ],
            trailer: Vec::new(),
        }
    }

    /// Returns a skin and a frame that are groups of two.
    pub fn grouped() -> Self {
        let poses = ["run1", "run2"].map(|name| MdlPose::typical(name, 3)).into();
        Self {
            skins: vec![MdlSkin::Group(vec![0.1, 0.3], vec![vec![7; 32], vec![250; 32]])],
            frames: vec![MdlFrame::Group(vec![0.1, 0.3], poses)],
            ..Self::typical()
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = ByteWriter::new();
        let count = |length: usize| i32::try_from(length).unwrap();
        file.raw(b"IDPO") // ident
            .i32(6) // version
            .f32s(&self.scale)
            .f32s(&self.scale_origin)
            .f32(50.0) // boundingradius
            .f32s(&[1.0, 2.0, 3.5]) // eyeposition
            .i32(count(self.skins.len())) // numskins
            .i32(self.skin_size[0]) // skinwidth
            .i32(self.skin_size[1]) // skinheight
            .i32(count(self.coordinates.len())) // numverts
            .i32(count(self.triangles.len())) // numtris
            .i32(count(self.frames.len())) // numframes
            .i32(1) // synctype
            .i32(self.flags)
            .f32(2.5); // size
        for skin in &self.skins {
            match skin {
                MdlSkin::Single(image) => {
                    file.i32(0).raw(image); // type, image
                }
                MdlSkin::Group(times, images) => {
                    file.i32(1).i32(count(images.len())).f32s(times); // type, numskins, intervals
                    images.iter().for_each(|image| {
                        file.raw(image);
                    });
                }
            }
        }
        self.coordinates.iter().flatten().chain(self.triangles.iter().flatten()).for_each(|number| {
            file.i32(*number);
        });
        for frame in &self.frames {
            match frame {
                MdlFrame::Single(pose) => pose.write(file.i32(0)), // type
                MdlFrame::Group(times, poses) => {
                    file.i32(1).i32(count(poses.len())).raw(&[0; 4]).raw(&[9; 4]).f32s(times); // type … intervals
                    poses.iter().for_each(|pose| pose.write(&mut file));
                }
            }
        }
        file.raw(&self.trailer);
        file.finish()
    }
}

impl MdlPose {
    /// Returns a pose of four vertices.
    pub fn typical(name: &str, lift: u8) -> Self {
        let vertices = vec![[0, 0, lift, 5], [2, 0, lift, 5], [0, 2, lift, 5], [2, 3, 4 + lift, 52]];
        Self { name: name.to_owned(), vertices }
    }

    fn write(&self, file: &mut ByteWriter) {
        file.raw(&[0, 1, 2, 0]).raw(&[3, 4, 5, 0]).name(&self.name, 16); // bboxmin, bboxmax, name
        self.vertices.iter().for_each(|vertex| {
            file.raw(vertex);
        });
    }
}

/// Position x, y, z in 1/64 units, and the normal's zenith and azimuth.
pub type Short = ([i16; 3], [u8; 2]);

fn shorts(file: &mut ByteWriter, vertices: &[Short]) {
    for (position, normal) in vertices {
        position.iter().for_each(|number| {
            file.i16(*number);
        });
        file.raw(normal);
    }
}

/// Writes frames of MD3 and MDC: box, local origin, radius, name.
fn frame_table(file: &mut ByteWriter, frames: usize) {
    for index in 0..frames {
        file.f32s(&[-1.0, -2.0, -3.0]) // bounds min
            .f32s(&[1.0, 2.0, 3.0]) // bounds max
            .f32s(&[100.0, 0.0, 0.0]) // localOrigin, which has no effect
            .f32(4.0) // radius
            .name(&format!("frame {index}"), 16);
    }
}

pub struct Md3 {
    /// Name of each tag and, per frame, its origin and three axes.
    pub tags: Vec<(&'static str, Vec<[f32; 12]>)>,
    pub surfaces: usize,
    pub shaders: Vec<&'static str>,
    pub triangles: Vec<[i32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    /// Vertices of each frame.
    pub frames: Vec<Vec<Short>>,
}

impl Md3 {
    /// Returns one triangle with two frames and one tag.
    pub fn typical() -> Self {
        let corners = |x: i16| vec![([x, 0, 0], [64, 0]), ([x, 64, 0], [64, 64]), ([x, 0, 128], [128, 0])];
        let tag = |x: f32| [x, 0.0, 5.0, 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        Self {
            tags: vec![("tag_head", vec![tag(0.0), tag(8.0)])],
            surfaces: 1,
            shaders: vec!["models/box/skin.tga"],
            triangles: vec![[0, 1, 2]],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.5, 1.5]],
            frames: vec![corners(0), corners(640)],
        }
    }

    /// Returns one frame with these numbers of vertices and triangles; the triangles use all vertices.
    pub fn grid(vertices: usize, triangles: usize) -> Self {
        let corner = |index: usize| {
            let units = [index % 500, index * index % 97, index * 3 % 31];
            (units.map(|coordinate| i16::try_from(coordinate).unwrap() * 64), [0, 0])
        };
        let corners = |index: usize| [0, 1, 2].map(|corner| i32::try_from((index + corner) % vertices).unwrap());
        Self {
            tags: vec![],
            triangles: (0..triangles).map(corners).collect(),
            uvs: vec![[0.0, 0.0]; vertices],
            frames: vec![(0..vertices).map(corner).collect()],
            ..Self::typical()
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = ByteWriter::new();
        let count = |length: usize| i32::try_from(length).unwrap();
        let frames = self.frames.len();
        file.raw(b"IDP3") // ident
            .i32(15) // version
            .name("models/box.md3", 64) // name
            .i32(0) // flags
            .i32(count(frames)) // numFrames
            .i32(count(self.tags.len())) // numTags
            .i32(count(self.surfaces)) // numSurfaces
            .i32(0); // numSkins
        let [frames_at, tags_at, surfaces_at, end_at] = std::array::from_fn(|_| file.later());
        file.fill(frames_at, file.len());
        frame_table(&mut file, frames);
        file.fill(tags_at, file.len());
        for frame in 0..frames {
            for (name, transforms) in &self.tags {
                file.name(name, 64).f32s(&transforms[frame]); // name, origin, axes
            }
        }
        file.fill(surfaces_at, file.len());
        for _ in 0..self.surfaces {
            self.surface(&mut file);
        }
        file.fill(end_at, file.len());
        file.finish()
    }

    fn surface(&self, file: &mut ByteWriter) {
        let count = |length: usize| i32::try_from(length).unwrap();
        let start = file.len();
        file.raw(b"IDP3") // ident
            .name("u_torso", 64) // name
            .i32(0) // flags
            .i32(count(self.frames.len())) // numFrames
            .i32(count(self.shaders.len())) // numShaders
            .i32(count(self.uvs.len())) // numVerts
            .i32(count(self.triangles.len())); // numTriangles
        let [triangles, shaders, st, vertices, end] = std::array::from_fn(|_| file.later());
        file.fill(triangles, file.len() - start);
        self.triangles.iter().flatten().for_each(|index| {
            file.i32(*index);
        });
        file.fill(shaders, file.len() - start);
        self.shaders.iter().for_each(|shader| {
            file.name(shader, 64).i32(0); // name, run-time index
        });
        file.fill(st, file.len() - start);
        self.uvs.iter().for_each(|uv| {
            file.f32s(uv);
        });
        file.fill(vertices, file.len() - start);
        self.frames.iter().for_each(|frame| shorts(file, frame));
        file.fill(end, file.len() - start);
    }
}

pub struct Mdc {
    pub surface: &'static str,
    pub tags: Vec<&'static str>,
    /// Position x, y, z in 1/64 units, then pitch, yaw and roll, per frame and tag.
    pub tag_frames: Vec<[i16; 6]>,
    pub triangles: Vec<[i32; 3]>,
    pub uvs: Vec<[f32; 2]>,
    pub keys: Vec<Vec<Short>>,
    pub deltas: Vec<Vec<[u8; 4]>>,
    /// Key frame of each frame, and its delta if not negative.
    pub frames: Vec<[i16; 2]>,
}

impl Mdc {
    /// Returns one triangle with a key frame, a delta frame and another key frame. The tag rotates about one axis after
    /// another.
    pub fn typical() -> Self {
        let corners = |x: i16| vec![([x, 0, 0], [64, 0]), ([x, 64, 0], [64, 64]), ([x, 0, 128], [128, 0])];
        Self {
            surface: "head",
            tags: vec!["tag_weapon"],
            tag_frames: vec![[64, 0, 0, 0, 8175, 0], [128, 0, 0, 8175, 0, 0], [192, 0, 0, 0, 0, 8175]],
            triangles: vec![[0, 1, 2]],
            uvs: vec![[0.0, 0.0], [1.0, 0.0], [0.5, 1.5]],
            keys: vec![corners(0), corners(640)],
            deltas: vec![vec![[147, 127, 127, 0], [127, 126, 127, 8], [127, 127, 255, 252]]],
            frames: vec![[0, -1], [0, 0], [1, -1]],
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = ByteWriter::new();
        let count = |length: usize| i32::try_from(length).unwrap();
        let frames = self.frames.len();
        file.raw(b"IDPC") // ident
            .i32(2) // version
            .name("models/head.mdc", 64) // name
            .i32(0) // flags
            .i32(count(frames)) // numFrames
            .i32(count(self.tags.len())) // numTags
            .i32(1) // numSurfaces
            .i32(0); // numSkins
        let [frames_at, names_at, tags_at, surfaces_at, end_at] = std::array::from_fn(|_| file.later());
        file.fill(frames_at, file.len());
        frame_table(&mut file, frames);
        file.fill(names_at, file.len());
        self.tags.iter().for_each(|name| {
            file.name(name, 64);
        });
        file.fill(tags_at, file.len());
        self.tag_frames.iter().flatten().for_each(|number| {
            file.i16(*number);
        });
        file.fill(surfaces_at, file.len());
        self.surface(&mut file);
        file.fill(end_at, file.len());
        file.finish()
    }

    fn surface(&self, file: &mut ByteWriter) {
        let count = |length: usize| i32::try_from(length).unwrap();
        let start = file.len();
        file.i32(7) // ident, a runtime number in real files
            .name(self.surface, 64) // name
            .i32(0) // flags
            .i32(count(self.deltas.len())) // numCompFrames
            .i32(count(self.keys.len())) // numBaseFrames
            .i32(1) // numShaders
            .i32(count(self.uvs.len())) // numVerts
            .i32(count(self.triangles.len())); // numTriangles
        let [triangles, shaders, st, keys, deltas, key_of, delta_of, end] = std::array::from_fn(|_| file.later());
        file.fill(triangles, file.len() - start);
        self.triangles.iter().flatten().for_each(|index| {
            file.i32(*index);
        });
        file.fill(shaders, file.len() - start);
        file.name("models/head/skin", 64).i32(0); // name, run-time index
        file.fill(st, file.len() - start);
        self.uvs.iter().for_each(|uv| {
            file.f32s(uv);
        });
        file.fill(keys, file.len() - start);
        self.keys.iter().for_each(|key| shorts(file, key));
        file.fill(deltas, file.len() - start);
        self.deltas.iter().flatten().for_each(|vertex| {
            file.raw(vertex);
        });
        file.fill(key_of, file.len() - start);
        self.frames.iter().for_each(|[key, _]| {
            file.i16(*key);
        });
        file.fill(delta_of, file.len() - start);
        self.frames.iter().for_each(|[_, delta]| {
            file.i16(*delta);
        });
        file.fill(end, file.len() - start);
    }
}
