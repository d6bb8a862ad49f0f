//! Generated files of the Wolfenstein skeletons: MDS, MDM and MDX.

use crate::bytes::ByteWriter;
use crate::skeletal_files::MdrVertex;

/// A bone: name, parent (−1 for a root), share of the torso, distance from the parent, flags.
pub type WolfBone = (&'static str, i32, f32, f32, i32);

/// A frame: position of the root, and for each bone pitch, yaw, roll, an unused number, pitch and yaw of the direction
/// from the parent.
pub type WolfFrame = ([f32; 3], Vec<[i16; 6]>);

/// A tag of an MDM: name, axes, bone, offset in the bone's space.
pub type MdmTag = (&'static str, [[f32; 3]; 3], i32, [f32; 3]);

/// Quarter turn in the steps of the files.
pub const QUARTER: i16 = 16384;

/// A character as an MDS, or as an MDM and an MDX.
pub struct Wolf {
    pub bones: Vec<WolfBone>,
    pub frames: Vec<WolfFrame>,
    pub vertices: Vec<MdrVertex>,
    pub triangles: Vec<[i32; 3]>,
    /// Tags of the MDS: name and bone.
    pub tags: Vec<(&'static str, i32)>,
    pub mdm_tags: Vec<MdmTag>,
    pub surface: &'static str,
    pub shader: &'static str,
}

impl Wolf {
    /// Returns four bones in a row along X in the first frame, which turn in the second one. The spine belongs half to
    /// the torso, the arm and the tag wholly. The second corner of the only triangle is weighted to spine and arm.
    pub fn typical() -> Self {
        let vertex = |weights: &[(i32, f32, [f32; 3])]| MdrVertex {
            normal: [1.0, 0.0, 0.0],
            uv: [0.25, 0.75],
            weights: weights.to_vec(),
        };
        let turned = [0, QUARTER, 0, 0, 0, QUARTER];
        Self {
            bones: vec![
                ("hips", -1, 0.0, 0.0, 0),
                ("spine", 0, 0.5, 10.0, 0),
                ("arm", 1, 1.0, 4.0, 0),
                ("tag_weapon", 2, 1.0, 2.0, 1),
            ],
            frames: vec![
                ([1.0, 2.0, 3.0], vec![[0; 6]; 4]),
                ([1.0, 2.0, 5.0], vec![[0; 6], turned, [0, QUARTER, 0, 0, QUARTER, 0], [0, QUARTER, 0, 0, 0, 0]]),
            ],
            vertices: vec![
                vertex(&[(0, 1.0, [0.0, 0.0, 5.0])]),
                vertex(&[(1, 0.75, [4.0, 0.0, 0.0]), (2, 0.25, [0.0, 0.0, 0.0])]),
                vertex(&[(2, 1.0, [0.0, 1.0, 0.0])]),
            ],
            triangles: vec![[0, 1, 2]],
            tags: vec![("tag_weapon", 3)],
            mdm_tags: vec![("tag_weapon", [[0.0, 2.0, 0.0], [-2.0, 0.0, 0.0], [0.0, 0.0, 2.0]], 2, [1.0, 0.0, 0.0])],
            surface: "u_body",
            shader: "models/players/test/body.tga",
        }
    }

    pub fn mds(&self) -> Vec<u8> {
        let mut file = head(b"MDSW", 4);
        file.f32(5.0).f32(0.0); // lodScale, lodBias
        let skeleton = self.skeleton_header(&mut file);
        file.i32(1); // numSurfaces
        let surfaces = file.later(); // ofsSurfaces
        file.i32(count(self.tags.len())); // numTags
        let [tags, end] = std::array::from_fn(|_| file.later()); // ofsTags, ofsEnd
        self.skeleton(&mut file, skeleton);
        file.fill(surfaces, file.len());
        self.add_surface(&mut file, true);
        file.fill(tags, file.len());
        for (name, bone) in &self.tags {
            file.name(name, 64).f32(0.0).i32(*bone); // name, torsoWeight, boneIndex
        }
        file.fill(end, file.len());
        file.finish()
    }

    pub fn mdm(&self) -> Vec<u8> {
        let mut file = head(b"MDMW", 3);
        file.f32(5.0).f32(0.0); // lodScale, lodBias
        file.i32(1); // numSurfaces
        let surfaces = file.later(); // ofsSurfaces
        file.i32(count(self.mdm_tags.len())); // numTags
        let [tags, end] = std::array::from_fn(|_| file.later()); // ofsTags, ofsEnd
        file.fill(surfaces, file.len());
        self.add_surface(&mut file, false);
        file.fill(tags, file.len());
        for (name, axes, bone, offset) in &self.mdm_tags {
            file.name(name, 64).f32s(axes.as_flattened()).i32(*bone).f32s(offset);
            file.i32(1).i32(128).i32(132).i32(*bone); // numBoneReferences, ofsBoneReferences, ofsEnd, bone
        }
        file.fill(end, file.len());
        file.finish()
    }

    pub fn mdx(&self) -> Vec<u8> {
        let mut file = head(b"MDXW", 2);
        let skeleton = self.skeleton_header(&mut file);
        let end = file.later(); // ofsEnd
        self.skeleton(&mut file, skeleton);
        file.fill(end, file.len());
        file.finish()
    }

    fn skeleton_header(&self, file: &mut ByteWriter) -> [usize; 2] {
        file.i32(count(self.frames.len())).i32(count(self.bones.len())); // numFrames, numBones
        let offsets = std::array::from_fn(|_| file.later()); // ofsFrames, ofsBones
        file.i32(1); // torsoParent
        offsets
    }

    fn skeleton(&self, file: &mut ByteWriter, [frames, bones]: [usize; 2]) {
        file.fill(frames, file.len());
        for (root, angles) in &self.frames {
            file.f32s(&[-1.0, -2.0, -3.0]).f32s(&[1.0, 2.0, 3.0]); // bounds
            file.f32s(&[0.5, 0.0, 0.0]).f32(4.0).f32s(root); // localOrigin, radius, parentOffset
            angles.as_flattened().iter().for_each(|angle| {
                file.i16(*angle);
            });
        }
        file.fill(bones, file.len());
        for (name, parent, torso_weight, distance, flags) in &self.bones {
            file.name(name, 64).i32(*parent).f32(*torso_weight).f32(*distance).i32(*flags);
        }
    }

    fn add_surface(&self, file: &mut ByteWriter, has_fixed_parent: bool) {
        let start = file.len();
        file.i32(9).name(self.surface, 64).name(self.shader, 64); // ident, name, shader
        file.i32(0).i32(3).i32(-count(start)); // shaderIndex, minLod, ofsHeader
        file.i32(count(self.vertices.len())); // numVerts
        let vertices = file.later(); // ofsVerts
        file.i32(count(self.triangles.len())); // numTriangles
        let [triangles, collapse_map] = std::array::from_fn(|_| file.later()); // ofsTriangles, ofsCollapseMap
        file.i32(3); // numBoneReferences
        let [references, end] = std::array::from_fn(|_| file.later()); // ofsBoneReferences, ofsEnd
        file.fill(vertices, file.len() - start);
        for vertex in &self.vertices {
            file.f32s(&vertex.normal).f32s(&vertex.uv).i32(count(vertex.weights.len())); // numWeights
            if has_fixed_parent {
                file.i32(-1).f32(0.0); // fixedParent, fixedDist
            }
            for (bone, share, offset) in &vertex.weights {
                file.i32(*bone).f32(*share).f32s(offset);
            }
        }
        file.fill(triangles, file.len() - start);
        self.triangles.iter().flatten().for_each(|index| {
            file.i32(*index);
        });
        file.fill(collapse_map, file.len() - start);
        (0..self.vertices.len()).for_each(|vertex| {
            file.i32(count(vertex.saturating_sub(1)));
        });
        file.fill(references, file.len() - start);
        file.i32(0).i32(1).i32(2); // bone references
        file.fill(end, file.len() - start);
    }
}

fn head(ident: &[u8; 4], version: i32) -> ByteWriter {
    let mut file = ByteWriter::new();
    file.raw(ident).i32(version).name("models/players/test/body", 64);
    file
}

fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap()
}
