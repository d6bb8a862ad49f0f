//! Generated files of the skeletal formats.

use crate::bytes::ByteWriter;

/// A bone as three rows of (r r r t).
pub type Bone = [f32; 12];

/// Returns a bone rotated by `degrees` about Z, then moved.
pub fn bone(degrees: f32, [x, y, z]: [f32; 3]) -> Bone {
    let (sin, cos) = degrees.to_radians().sin_cos();
    [cos, -sin, 0.0, x, sin, cos, 0.0, y, 0.0, 0.0, 1.0, z]
}

/// A vertex with weights (bone, share, offset).
pub struct MdrVertex {
    pub normal: [f32; 3],
    pub uv: [f32; 2],
    pub weights: Vec<(i32, f32, [f32; 3])>,
}

/// An MDR with identical surfaces in every LOD.
pub struct Mdr {
    pub compressed: bool,
    /// Bones of each frame.
    pub frames: Vec<Vec<Bone>>,
    pub lods: usize,
    pub vertices: Vec<MdrVertex>,
    pub triangles: Vec<[i32; 3]>,
    pub tags: Vec<(i32, &'static str)>,
    pub shader: &'static str,
}

impl Mdr {
    /// Returns two bones, the second rotated by 90 degrees in the second frame, and one triangle. One of its corners is
    /// weighted to both bones.
    pub fn typical() -> Self {
        let vertex = |weights: &[(i32, f32, [f32; 3])]| MdrVertex {
            normal: [0.0, 0.0, 1.0],
            uv: [0.25, 0.75],
            weights: weights.to_vec(),
        };
        Self {
            compressed: false,
            frames: vec![
                vec![bone(0.0, [0.0; 3]), bone(0.0, [10.0, 0.0, 0.0])],
                vec![bone(0.0, [0.0; 3]), bone(90.0, [10.0, 0.0, 4.0])],
            ],
            lods: 2,
            vertices: vec![
                vertex(&[(0, 1.0, [0.0, 0.0, 5.0])]),
                vertex(&[(1, 1.0, [4.0, 0.0, 0.0])]),
                vertex(&[(0, 0.5, [2.0, 0.0, 0.0]), (1, 0.5, [-8.0, 0.0, 0.0])]),
            ],
            triangles: vec![[0, 1, 2]],
            tags: vec![(1, "tag_hand")],
            shader: "models/box/skin",
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut file = ByteWriter::new();
        let count = |length: usize| i32::try_from(length).unwrap();
        let bones = self.frames.first().map_or(0, Vec::len);
        file.raw(b"RDM5") // ident
            .i32(2) // version
            .name("models/box.mdr", 64) // name
            .i32(count(self.frames.len())) // numFrames
            .i32(count(bones)) // numBones
            .i32(if self.compressed { -104 } else { 104 }) // ofsFrames
            .i32(count(self.lods)); // numLODs
        let lods_at = file.later(); // ofsLODs
        file.i32(count(self.tags.len())); // numTags
        let [tags_at, end_at] = std::array::from_fn(|_| file.later()); // ofsTags, ofsEnd
        for (index, frame) in self.frames.iter().enumerate() {
            file.f32s(&[-1.0, -2.0, -3.0]) // bounds min
                .f32s(&[1.0, 2.0, 3.0]) // bounds max
                .f32s(&[0.0, 0.0, 0.0]) // localOrigin
                .f32(4.0); // radius
            if self.compressed {
                frame.iter().for_each(|bone| pack(&mut file, bone));
            } else {
                file.name(&format!("frame {index}"), 16);
                frame.iter().for_each(|bone| {
                    file.f32s(bone);
                });
            }
        }
        file.fill(lods_at, file.len());
        for _ in 0..self.lods {
            let start = file.len();
            file.i32(1); // numSurfaces
            let [surfaces, end] = std::array::from_fn(|_| file.later()); // ofsSurfaces, ofsEnd
            file.fill(surfaces, file.len() - start);
            self.surface(&mut file);
            file.fill(end, file.len() - start);
        }
        file.fill(tags_at, file.len());
        for (bone, name) in &self.tags {
            file.i32(*bone).name(name, 32);
        }
        file.fill(end_at, file.len());
        file.finish()
    }

    fn surface(&self, file: &mut ByteWriter) {
        let count = |length: usize| i32::try_from(length).unwrap();
        let start = file.len();
        file.raw(b"RDM5") // ident
            .name("body", 64) // name
            .name(self.shader, 64) // shader
            .i32(0) // shaderIndex
            .i32(-count(start)) // ofsHeader
            .i32(count(self.vertices.len())); // numVerts
        let vertices = file.later(); // ofsVerts
        file.i32(count(self.triangles.len())); // numTriangles
        let triangles = file.later(); // ofsTriangles
        file.i32(2); // numBoneReferences
        let [references, end] = std::array::from_fn(|_| file.later()); // ofsBoneReferences, ofsEnd
        file.fill(vertices, file.len() - start);
        for vertex in &self.vertices {
            file.f32s(&vertex.normal).f32s(&vertex.uv).i32(count(vertex.weights.len())); // numWeights
            for (bone, share, offset) in &vertex.weights {
                file.i32(*bone).f32(*share).f32s(offset);
            }
        }
        file.fill(triangles, file.len() - start);
        self.triangles.iter().flatten().for_each(|index| {
            file.i32(*index);
        });
        file.fill(references, file.len() - start);
        file.i32(0).i32(1); // bone references
        file.fill(end, file.len() - start);
    }
}

/// Packs a bone into twelve 16-bit words: the translation in 1/64 units, then the rows in 1/32766, all biased by 32768.
fn pack(file: &mut ByteWriter, bone: &Bone) {
    let [a, b, c, x, d, e, f, y, g, h, i, z] = *bone;
    let mut word = |value: f32, factor: f32| {
        file.u16(((value * factor).trunc() + 32768.0).clamp(0.0, 65535.0) as u16);
    };
    [x, y, z].into_iter().for_each(|value| word(value, 64.0));
    [a, b, c, d, e, f, g, h, i].into_iter().for_each(|value| word(value, 32766.0));
}

/// Mesh with two joints, the second at 10 units along X from the first, and a triangle on the second.
pub const MD5_MESH: &str = r#"MD5Version 10
commandline "mesh box"   // by hand

numJoints 2
numMeshes 1

joints {
	"origin"	-1 ( 0 0 0 ) ( 0 0 0 )
	"arm"	0 ( 10 0 0 ) ( 0 0 0 )	/* child of origin */
}

mesh {
	shader "models/box/skin"
	numverts 3
	vert 0 ( 0 0 ) 0 1
	vert 1 ( 1 0 ) 1 1
	vert 2 ( 0.5 1 ) 2 2
	numtris 1
	tri 0 0 1 2
	numweights 4
	weight 0 0 1 ( 0 0 5 )
	weight 1 1 1 ( 4 0 0 )
	weight 2 0 0.5 ( 2 0 0 )
	weight 3 1 0.5 ( -8 0 0 )
}
"#;

/// Animation of three frames for [`MD5_MESH`]: the arm rotates about Z by 0, 90 and 180 degrees; the origin rises by 0,
/// 1 and 2.
pub const MD5_ANIM: &str = r#"MD5Version 10
commandline "anim box"
numFrames 3
numJoints 2
frameRate 30
numAnimatedComponents 2

hierarchy {
	"origin"	-1 4 0
	"Arm"	0 32 1
}

bounds {
	( -1 -1 -1 ) ( 1 1 1 )
	( -2 -2 -2 ) ( 2 2 2 )
	( -3 -3 -3 ) ( 3 3 3 )
}

baseframe {
	( 0 0 0 ) ( 0 0 0 )
	( 10 0 0 ) ( 0 0 0 )
}

frame 0 {
	0 0
}

frame 1 {
	1 -0.70710678
}

frame 2 {
	2 -1
}
"#;
