//! Generated GLM and GLA files.

use crate::bytes::ByteWriter;

/// Quaternion w x y z and translation of a bone without movement, as stored in a pool.
pub const STILL: [u16; 7] = [49_149, 32_766, 32_766, 32_766, 32_768, 32_768, 32_768];

/// Returns a stored bone that rotates by half a turn about the vertical axis through (x, 0, 0), for whole numbers.
pub fn half_turn_about(x: u16) -> [u16; 7] {
    [32_766, 32_766, 32_766, 49_149, 32_768 + 128 * x, 32_768, 32_768]
}

/// Returns a stored bone that raises by `z` units.
pub fn raised_by(z: u16) -> [u16; 7] {
    [49_149, 32_766, 32_766, 32_766, 32_768, 32_768, 32_768 + 64 * z]
}

/// Returns the three rows (r r r t) of a bind pose without rotation.
pub fn bind_at([x, y, z]: [f32; 3]) -> [f32; 12] {
    [1.0, 0.0, 0.0, x, 0.0, 1.0, 0.0, y, 0.0, 0.0, 1.0, z]
}

/// A bone of a GLA.
pub struct GlaBone {
    pub name: &'static str,
    pub parent: i32,
    /// Three rows of (r r r t).
    pub bind: [f32; 12],
}

/// A GLA.
pub struct Gla {
    pub bones: Vec<GlaBone>,
    /// Index into `pool` for each frame and bone.
    pub frames: Vec<Vec<u32>>,
    pub pool: Vec<[u16; 7]>,
}

impl Gla {
    /// Returns a root and an arm at (10, 0, 0). In frame 1 the arm makes half a turn; in frame 2 the root is also
    /// raised by 5 units.
    pub fn typical() -> Self {
        let bone = |name, parent, bind| GlaBone { name, parent, bind };
        Self {
            bones: vec![bone("root", -1, bind_at([0.0; 3])), bone("arm", 0, bind_at([10.0, 0.0, 0.0]))],
            frames: vec![vec![0, 0], vec![0, 1], vec![2, 1]],
            pool: vec![STILL, half_turn_about(10), raised_by(5)],
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let count = |length: usize| i32::try_from(length).unwrap();
        let mut file = ByteWriter::new();
        file.raw(b"2LGA") // ident
            .i32(6) // version
            .name("models/box/box", 64) // name
            .f32(1.0) // fScale
            .i32(count(self.frames.len())); // numFrames
        let frames_at = file.later(); // ofsFrames
        file.i32(count(self.bones.len())); // numBones
        let [pool_at, skeleton_at, end_at] = std::array::from_fn(|_| file.later());
        let start = file.len();
        let offsets: Vec<usize> = self.bones.iter().map(|_| file.later()).collect();
        file.fill(skeleton_at, file.len());
        for ((index, bone), offset) in self.bones.iter().enumerate().zip(offsets) {
            file.fill(offset, file.len() - start);
            let inverse = bind_at([-bone.bind[3], -bone.bind[7], -bone.bind[11]]);
            file.name(bone.name, 64).u32(0).i32(bone.parent).f32s(&bone.bind).f32s(&inverse);
            let children = self.bones.iter().enumerate().filter(|(_, child)| child.parent == count(index));
            let children: Vec<i32> = children.map(|(child, _)| count(child)).collect();
            file.i32(count(children.len())); // numChildren
            children.iter().for_each(|child| {
                file.i32(*child);
            });
        }
        file.fill(frames_at, file.len());
        for index in self.frames.iter().flatten() {
            file.raw(&index.to_le_bytes()[..3]);
        }
        file.fill(pool_at, file.len());
        for word in self.pool.iter().flatten() {
            file.u16(*word);
        }
        file.fill(end_at, file.len());
        file.finish()
    }
}

/// An entry of the surface hierarchy of a GLM.
pub struct GlmNode {
    pub name: &'static str,
    pub flags: u32,
    pub shader: &'static str,
    pub parent: i32,
}

/// A vertex of a GLM.
pub struct GlmVertex {
    pub normal: [f32; 3],
    pub position: [f32; 3],
    pub uv: [f32; 2],
    /// Bone reference and share in 1/1023 of each weight. The share of the last is not stored.
    pub weights: Vec<(u32, u32)>,
}

/// A surface of a GLM.
pub struct GlmSurface {
    pub node: i32,
    pub vertices: Vec<GlmVertex>,
    pub triangles: Vec<[i32; 3]>,
    /// Bones of the skeleton that the vertices use.
    pub references: Vec<i32>,
}

/// A GLM with identical surfaces in every LOD.
pub struct Glm {
    pub skeleton: &'static str,
    pub bones: i32,
    pub nodes: Vec<GlmNode>,
    pub lods: usize,
    pub surfaces: Vec<GlmSurface>,
}

/// Returns a vertex that one bone moves.
pub fn vertex(position: [f32; 3], reference: u32) -> GlmVertex {
    GlmVertex { normal: [1.0, 0.0, 0.0], position, uv: [0.25, 0.75], weights: vec![(reference, 0)] }
}

impl Glm {
    /// Returns a body with one triangle, a cap that is off, and a tag on the arm of [`Gla::typical`]. A corner of the
    /// body has weights of 1/3 for the root and 2/3 for the arm.
    pub fn typical() -> Self {
        let node = |name, flags, shader, parent| GlmNode { name, flags, shader, parent };
        let surface =
            |node, vertices, references| GlmSurface { node, vertices, triangles: vec![[0, 1, 2]], references };
        let both = GlmVertex { weights: vec![(1, 341), (0, 0)], ..vertex([14.0, 0.0, 0.0], 0) };
        Self {
            skeleton: "models/box/box",
            bones: 2,
            nodes: vec![
                node("body", 0, "models/box/skin", -1),
                node("cap_off", 2, "models/box/cap", 0),
                node("*hand", 1, "", 0),
            ],
            lods: 2,
            surfaces: vec![
                surface(0, vec![vertex([0.0, 0.0, 8.0], 1), vertex([14.0, 0.0, 0.0], 0), both], vec![1, 0]),
                surface(1, [[0.0; 3], [0.0, 0.0, 1.0], [0.0, 1.0, 0.0]].map(|at| vertex(at, 0)).into(), vec![0]),
                surface(
                    2,
                    [[15.0, 0.0, 2.0], [15.0, 3.0, 2.0], [14.0, 0.0, 2.0]].map(|at| vertex(at, 0)).into(),
                    vec![1],
                ),
            ],
        }
    }

    pub fn build(&self) -> Vec<u8> {
        let count = |length: usize| i32::try_from(length).unwrap();
        let mut file = ByteWriter::new();
        file.raw(b"2LGM") // ident
            .i32(6) // version
            .name("models/box/model.glm", 64) // name
            .name(self.skeleton, 64) // animName
            .i32(0) // animIndex
            .i32(self.bones) // numBones
            .i32(count(self.lods)); // numLODs
        let lods_at = file.later(); // ofsLODs
        file.i32(count(self.nodes.len())); // numSurfaces
        let [hierarchy_at, end_at] = std::array::from_fn(|_| file.later());
        let start = file.len();
        let offsets: Vec<usize> = self.nodes.iter().map(|_| file.later()).collect();
        file.fill(hierarchy_at, file.len());
        for ((index, node), offset) in self.nodes.iter().enumerate().zip(offsets) {
            file.fill(offset, file.len() - start);
            file.name(node.name, 64).u32(node.flags).name(node.shader, 64).i32(0).i32(node.parent);
            let children = self.nodes.iter().enumerate().filter(|(_, child)| child.parent == count(index));
            let children: Vec<i32> = children.map(|(child, _)| count(child)).collect();
            file.i32(count(children.len())); // numChildren
            children.iter().for_each(|child| {
                file.i32(*child);
            });
        }
        file.fill(lods_at, file.len());
        for _ in 0..self.lods {
            let lod = file.len();
            let lod_end = file.later(); // ofsEnd
            let offsets: Vec<usize> = self.surfaces.iter().map(|_| file.later()).collect();
            for (surface, offset) in self.surfaces.iter().zip(offsets) {
                file.fill(offset, file.len() - lod - 4);
                surface.write(&mut file);
            }
            file.fill(lod_end, file.len() - lod);
        }
        file.fill(end_at, file.len());
        file.finish()
    }
}

impl GlmSurface {
    fn write(&self, file: &mut ByteWriter) {
        let count = |length: usize| i32::try_from(length).unwrap();
        let start = file.len();
        file.i32(0).i32(self.node).i32(-count(start)); // ident, thisSurfaceIndex, ofsHeader
        file.i32(count(self.vertices.len())); // numVerts
        let vertices_at = file.later();
        file.i32(count(self.triangles.len())); // numTriangles
        let triangles_at = file.later();
        file.i32(count(self.references.len())); // numBoneReferences
        let [references_at, end_at] = std::array::from_fn(|_| file.later());
        file.fill(triangles_at, file.len() - start);
        for corner in self.triangles.iter().flatten() {
            file.i32(*corner);
        }
        file.fill(vertices_at, file.len() - start);
        for vertex in &self.vertices {
            let mut packed = u32::try_from(vertex.weights.len() - 1).unwrap() << 30;
            let mut low = [0; 4];
            for (slot, (reference, share)) in vertex.weights.iter().enumerate() {
                packed |= reference << (5 * slot) | (share >> 8) << (20 + 2 * slot);
                low[slot] = u8::try_from(share & 255).unwrap();
            }
            file.f32s(&vertex.normal).f32s(&vertex.position).u32(packed).raw(&low);
        }
        for vertex in &self.vertices {
            file.f32s(&vertex.uv);
        }
        file.fill(references_at, file.len() - start);
        for bone in &self.references {
            file.i32(*bone);
        }
        file.fill(end_at, file.len() - start);
    }
}
