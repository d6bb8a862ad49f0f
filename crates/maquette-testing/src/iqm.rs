//! Generated IQM files.

use crate::bytes::ByteWriter;

/// Formats of vertex arrays.
pub const U8: u32 = 1;
pub const I32: u32 = 4;
pub const F16: u32 = 6;
pub const F32: u32 = 7;

/// A vertex array with its bytes for all vertices.
#[derive(Clone)]
pub struct IqmArray {
    pub kind: u32,
    pub format: u32,
    pub size: u32,
    pub bytes: Vec<u8>,
}

impl IqmArray {
    pub fn floats(kind: u32, size: u32, numbers: &[f32]) -> Self {
        Self { kind, format: F32, size, bytes: numbers.iter().flat_map(|number| number.to_le_bytes()).collect() }
    }

    pub fn bytes(kind: u32, size: u32, bytes: &[u8]) -> Self {
        Self { kind, format: U8, size, bytes: bytes.to_vec() }
    }
}

/// A mesh with its ranges of vertices and triangles (first, number).
#[derive(Clone)]
pub struct IqmMesh {
    pub name: &'static str,
    pub material: &'static str,
    pub vertices: (u32, u32),
    pub triangles: (u32, u32),
}

/// A joint relative to its parent.
#[derive(Clone)]
pub struct IqmJoint {
    pub name: &'static str,
    pub parent: i32,
    pub translate: [f32; 3],
    pub rotate: [f32; 4],
    pub scale: [f32; 3],
}

impl IqmJoint {
    pub fn at(name: &'static str, parent: i32, translate: [f32; 3]) -> Self {
        Self { name, parent, translate, rotate: [0.0, 0.0, 0.0, 1.0], scale: [1.0; 3] }
    }
}

/// Ten channels of a joint.
#[derive(Clone)]
pub struct IqmPose {
    pub parent: i32,
    pub mask: u32,
    pub offset: [f32; 10],
    pub scale: [f32; 10],
}

impl IqmPose {
    /// Returns the channels of a joint that does not move.
    pub fn still(parent: i32, translate: [f32; 3]) -> Self {
        let [x, y, z] = translate;
        Self { parent, mask: 0, offset: [x, y, z, 0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0], scale: [0.0; 10] }
    }

    /// Returns the pose with a channel that is `offset` plus `scale` times a number of each frame.
    pub fn moving(mut self, channel: usize, offset: f32, scale: f32) -> Self {
        self.mask |= 1 << channel;
        (self.offset[channel], self.scale[channel]) = (offset, scale);
        self
    }
}

/// An animation.
#[derive(Clone)]
pub struct IqmAnim {
    pub name: &'static str,
    pub first: u32,
    pub count: u32,
    pub rate: f32,
    pub flags: u32,
}

/// An IQM. Version 1 leaves out the fourth rotation component.
#[derive(Clone)]
pub struct Iqm {
    pub version: u32,
    /// Bytes before the first table, which shift all alignments.
    pub padding: usize,
    pub vertices: u32,
    pub meshes: Vec<IqmMesh>,
    pub arrays: Vec<IqmArray>,
    pub triangles: Vec<[u32; 3]>,
    pub joints: Vec<IqmJoint>,
    pub poses: Vec<IqmPose>,
    pub anims: Vec<IqmAnim>,
    /// Numbers of each frame.
    pub frames: Vec<Vec<u16>>,
    /// Box and radii of each frame; empty for none.
    pub bounds: Vec<[f32; 8]>,
    pub comment: &'static str,
}

impl Iqm {
    /// Returns two joints, the second 10 units along X from the first, and one triangle in the plane z = 5. Each joint
    /// has a vertex, and they share the third. In the second of two frames the second joint turns by 90° about Z.
    pub fn typical() -> Self {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        Self {
            version: 2,
            padding: 0,
            vertices: 3,
            meshes: vec![IqmMesh { name: "Body", material: "models/box/skin", vertices: (0, 3), triangles: (0, 1) }],
            arrays: vec![
                IqmArray::floats(0, 3, &[0.0, 0.0, 5.0, 14.0, 0.0, 5.0, 2.0, 1.0, 5.0]),
                IqmArray::floats(1, 2, &[0.25, 0.75, 0.5, 0.5, 0.0, 1.0]),
                IqmArray::floats(2, 3, &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]),
                IqmArray::bytes(4, 4, &[0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0]),
                IqmArray::bytes(5, 4, &[255, 0, 0, 0, 255, 0, 0, 0, 51, 204, 0, 0]),
            ],
            triangles: vec![[0, 1, 2]],
            joints: vec![IqmJoint::at("root", -1, [0.0; 3]), IqmJoint::at("Tag_hand", 0, [10.0, 0.0, 0.0])],
            poses: vec![
                IqmPose::still(-1, [0.0; 3]),
                IqmPose::still(0, [10.0, 0.0, 0.0]).moving(5, 0.0, half).moving(6, half, 1.0 - half),
            ],
            anims: vec![
                IqmAnim { name: "wave", first: 0, count: 2, rate: 20.0, flags: 1 },
                IqmAnim { name: "hold", first: 1, count: 1, rate: 0.0, flags: 0 },
            ],
            frames: vec![vec![0, 1], vec![1, 0]],
            bounds: vec![[0.0, 0.0, 5.0, 14.0, 1.0, 5.0, 14.1, 15.0], [0.0, 0.0, 5.0, 10.0, 4.0, 5.0, 11.0, 12.0]],
            comment: "made by a test",
        }
    }

    /// Returns a file of version 1, in whose second frame the second joint turns.
    pub fn version_1() -> Self {
        let typical = Self { version: 1, frames: vec![vec![0], vec![1]], ..Self::typical() };
        let turning = IqmPose::still(0, [10.0, 0.0, 0.0]).moving(5, 0.0, std::f32::consts::FRAC_1_SQRT_2);
        Self { poses: vec![typical.poses[0].clone(), turning], ..typical }
    }

    /// Returns the animation of [`Self::typical`] without its mesh and joints.
    pub fn animation() -> Self {
        let (meshes, arrays, triangles, joints) = Default::default();
        Self { meshes, arrays, triangles, joints, vertices: 0, bounds: Vec::new(), ..Self::typical() }
    }

    pub fn build(&self) -> Vec<u8> {
        let mut text = vec![0];
        let mut name_of = |name: &str| {
            if name.is_empty() {
                return 0;
            }
            let at = text.len() as u32;
            text.extend(name.bytes().chain([0]));
            at
        };
        let meshes: Vec<[u32; 2]> =
            self.meshes.iter().map(|mesh| [mesh.name, mesh.material].map(&mut name_of)).collect();
        let joints: Vec<u32> = self.joints.iter().map(|joint| name_of(joint.name)).collect();
        let anims: Vec<u32> = self.anims.iter().map(|anim| name_of(anim.name)).collect();
        let is_old = self.version == 1;
        let without_w = |channel: &usize| !is_old || *channel != 6;

        let mut tables: Vec<Vec<u8>> = Vec::new();
        let mut table = |fill: &dyn Fn(&mut ByteWriter)| {
            let mut writer = ByteWriter::default();
            fill(&mut writer);
            tables.push(writer.finish());
        };
        table(&|to| {
            to.raw(&text);
        });
        table(&|to| {
            for (mesh, names) in self.meshes.iter().zip(&meshes) {
                let ranges = [mesh.vertices.0, mesh.vertices.1, mesh.triangles.0, mesh.triangles.1];
                names.iter().chain(&ranges).for_each(|number| {
                    to.u32(*number);
                });
            }
        });
        table(&|to| {
            for corner in self.triangles.iter().flatten() {
                to.u32(*corner);
            }
        });
        table(&|to| {
            for (joint, name) in self.joints.iter().zip(&joints) {
                to.u32(*name);
                to.i32(joint.parent);
                to.f32s(&joint.translate);
                to.f32s(if is_old { &joint.rotate[..3] } else { &joint.rotate });
                to.f32s(&joint.scale);
            }
        });
        table(&|to| {
            for pose in &self.poses {
                to.i32(pose.parent);
                let mask = pose.mask;
                to.u32(if is_old { mask & 0x3f | mask >> 1 & 0x1c0 } else { mask });
                for numbers in [&pose.offset, &pose.scale] {
                    (0..10).filter(without_w).for_each(|channel| {
                        to.f32s(&[numbers[channel]]);
                    });
                }
            }
        });
        table(&|to| {
            for (anim, name) in self.anims.iter().zip(&anims) {
                [*name, anim.first, anim.count].into_iter().for_each(|number| {
                    to.u32(number);
                });
                to.f32s(&[anim.rate]);
                to.u32(anim.flags);
            }
        });
        table(&|to| {
            self.frames.iter().flatten().for_each(|word| {
                to.u16(*word);
            })
        });
        table(&|to| {
            self.bounds.iter().for_each(|bounds| {
                to.f32s(bounds);
            })
        });
        table(&|to| {
            if !self.comment.is_empty() {
                to.raw(self.comment.as_bytes()).raw(&[0]);
            }
        });

        let mut end = 124 + self.padding;
        let offsets: Vec<u32> = tables
            .iter()
            .map(|table| {
                let at = end;
                end += table.len();
                if table.is_empty() { 0 } else { at as u32 }
            })
            .collect();
        let arrays_at = end;
        let mut data_at = end + 20 * self.arrays.len();
        let mut arrays = ByteWriter::default();
        for array in &self.arrays {
            [array.kind, 0, array.format, array.size, data_at as u32].into_iter().for_each(|number| {
                arrays.u32(number);
            });
            data_at += array.bytes.len();
        }
        let [text_at, meshes_at, triangles_at, joints_at, poses_at, anims_at, frames_at, bounds_at, comment_at] =
            *offsets.as_slice()
        else {
            unreachable!("nine tables")
        };
        let count = |count: usize| count as u32;
        let channels = self.frames.first().map_or(0, Vec::len);
        let mut file = ByteWriter::default();
        file.raw(b"INTERQUAKEMODEL\0");
        let header = [
            self.version,
            count(data_at),
            0,
            count(tables[0].len()),
            text_at,
            count(self.meshes.len()),
            meshes_at,
            count(self.arrays.len()),
            self.vertices,
            if self.arrays.is_empty() { 0 } else { count(arrays_at) },
            count(self.triangles.len()),
            triangles_at,
            0,
            count(self.joints.len()),
            joints_at,
            count(self.poses.len()),
            poses_at,
            count(self.anims.len()),
            anims_at,
            count(self.frames.len()),
            count(channels),
            frames_at,
            bounds_at,
            count(tables[8].len()),
            comment_at,
            0,
            0,
        ];
        header.into_iter().for_each(|number| {
            file.u32(number);
        });
        let mut bytes = file.finish();
        bytes.resize(124 + self.padding, 0xee);
        bytes.extend(tables.into_iter().flatten());
        bytes.extend(arrays.finish());
        bytes.extend(self.arrays.iter().flat_map(|array| array.bytes.iter().copied()));
        bytes
    }
}
