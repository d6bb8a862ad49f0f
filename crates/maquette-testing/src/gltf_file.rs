//! glTF reader that follows only the specification: nodes, accessors, morph targets, skins, animation keys.

use std::collections::HashMap;
use std::path::Path;

use maquette_core::export::ExportFiles;
use maquette_core::glam::{Affine3A, Mat4, Quat, Vec3};
use serde_json::Value;

/// Export target that keeps only the first file.
#[derive(Default)]
pub struct MainFile(pub Vec<u8>);

impl ExportFiles for MainFile {
    fn main(&mut self) -> &mut dyn std::io::Write {
        &mut self.0
    }

    fn companion_name(&self, ending: &str) -> String {
        format!("x{ending}")
    }

    fn write_companion(&mut self, _: &str, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

pub struct Gltf {
    pub json: Value,
    bytes: Vec<u8>,
}

/// Corners of a primitive in the scene: position and normal, three per triangle.
pub type Corners = Vec<(Vec3, Vec3)>;

impl Gltf {
    /// Reads a `.glb`.
    pub fn of_glb(file: &[u8]) -> Self {
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let json = word(12);
        assert_eq!((&file[16..20], json % 4), (&b"JSON"[..], 0));
        let bytes = if 20 + json < file.len() {
            let size = word(20 + json);
            assert_eq!((&file[24 + json..28 + json], 28 + json + size), (&b"BIN\0"[..], file.len()));
            file[28 + json..].to_vec()
        } else {
            Vec::new()
        };
        Self { json: serde_json::from_slice(&file[20..20 + json]).unwrap(), bytes }
    }

    /// Reads a `.glb` or `.gltf` file.
    pub fn read(path: &Path) -> Self {
        let file = std::fs::read(path).unwrap();
        if file.starts_with(b"glTF") {
            return Self::of_glb(&file);
        }
        let json: Value = serde_json::from_slice(&file).unwrap();
        let uri = json["buffers"][0]["uri"].as_str().unwrap().replace("%20", " ");
        Self { json, bytes: std::fs::read(path.with_file_name(uri)).unwrap() }
    }

    /// Returns the numbers of an accessor, one list per element.
    pub fn accessor(&self, index: usize) -> Vec<Vec<f64>> {
        let accessor = &self.json["accessors"][index];
        let width = match accessor["type"].as_str().unwrap() {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            other => panic!("{other}"),
        };
        let count = usize_of(&accessor["count"]);
        let kind = usize_of(&accessor["componentType"]);
        let mut values = vec![vec![0.0; width]; count];
        if !accessor["bufferView"].is_null() {
            values = self.view(usize_of(&accessor["bufferView"]), kind, width, count);
        }
        if let Some(sparse) = accessor.get("sparse") {
            let count = usize_of(&sparse["count"]);
            let indices = &sparse["indices"];
            let targets = self.view(usize_of(&indices["bufferView"]), usize_of(&indices["componentType"]), 1, count);
            let news = self.view(usize_of(&sparse["values"]["bufferView"]), kind, width, count);
            for (target, new) in targets.iter().zip(news) {
                values[target[0] as usize] = new;
            }
        }
        values
    }

    fn view(&self, index: usize, kind: usize, width: usize, count: usize) -> Vec<Vec<f64>> {
        let view = &self.json["bufferViews"][index];
        let start = view["byteOffset"].as_u64().unwrap_or(0) as usize;
        let size = match kind {
            5121 => 1,
            5122 | 5123 => 2,
            _ => 4,
        };
        let stride = view["byteStride"].as_u64().map_or(width * size, |stride| stride as usize);
        assert!(count == 0 || (count - 1) * stride + width * size <= usize_of(&view["byteLength"]));
        let number = |at: usize| match kind {
            5121 => f64::from(self.bytes[at]),
            5122 => f64::from(i16::from_le_bytes(self.bytes[at..at + 2].try_into().unwrap())),
            5123 => f64::from(u16::from_le_bytes(self.bytes[at..at + 2].try_into().unwrap())),
            5125 => f64::from(u32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap())),
            5126 => f64::from(f32::from_le_bytes(self.bytes[at..at + 4].try_into().unwrap())),
            other => panic!("component type {other}"),
        };
        (0..count).map(|row| (0..width).map(|k| number(start + row * stride + k * size)).collect()).collect()
    }

    pub fn animation(&self, name: &str) -> &Value {
        let all = self.json["animations"].as_array().expect("there are animations");
        all.iter().find(|animation| animation["name"] == name).unwrap_or_else(|| panic!("no animation {name}"))
    }

    pub fn animation_names(&self) -> Vec<&str> {
        let all = self.json["animations"].as_array();
        all.into_iter().flatten().map(|animation| animation["name"].as_str().unwrap()).collect()
    }

    /// Returns the index of the node with this name.
    pub fn node(&self, name: &str) -> usize {
        let all = self.json["nodes"].as_array().unwrap();
        all.iter().position(|node| node["name"] == name).unwrap_or_else(|| panic!("no node {name}"))
    }

    /// Returns the value of each channel at a key; a channel with one key is constant.
    fn moved(&self, animation: Option<&Value>, key: usize) -> HashMap<(usize, String), Vec<f64>> {
        let mut moved = HashMap::new();
        for channel in animation.into_iter().flat_map(|animation| animation["channels"].as_array().unwrap()) {
            let sampler = &animation.unwrap()["samplers"][usize_of(&channel["sampler"])];
            let times = self.accessor(usize_of(&sampler["input"])).len();
            let values = self.accessor(usize_of(&sampler["output"]));
            let key = key.min(times - 1);
            let per_key = values.len() / times;
            let value = values[key * per_key..(key + 1) * per_key].concat();
            let target = &channel["target"];
            moved.insert((usize_of(&target["node"]), target["path"].as_str().unwrap().to_owned()), value);
        }
        moved
    }

    /// Returns the world transform of every node at a key of an animation, or at rest.
    pub fn transforms(&self, animation: Option<&Value>, key: usize) -> Vec<Affine3A> {
        let moved = self.moved(animation, key);
        let nodes = self.json["nodes"].as_array().unwrap();
        let mut transforms = vec![Affine3A::IDENTITY; nodes.len()];
        let numbers = |index: usize, path: &str, usual: &[f64]| {
            let own = nodes[index][path].as_array().map(|own| own.iter().map(|n| n.as_f64().unwrap()).collect());
            moved.get(&(index, path.to_owned())).cloned().or(own).unwrap_or_else(|| usual.to_vec())
        };
        let mut left: Vec<(usize, Affine3A)> =
            self.roots().into_iter().map(|root| (root, Affine3A::IDENTITY)).collect();
        while let Some((index, parent)) = left.pop() {
            let [t, r, s] = [
                numbers(index, "translation", &[0.0; 3]),
                numbers(index, "rotation", &[0.0, 0.0, 0.0, 1.0]),
                numbers(index, "scale", &[1.0; 3]),
            ];
            let rotation = Quat::from_xyzw(r[0] as f32, r[1] as f32, r[2] as f32, r[3] as f32);
            assert!((rotation.length() - 1.0).abs() < 1e-5, "{rotation}");
            transforms[index] = parent * Affine3A::from_scale_rotation_translation(vec3(&s), rotation, vec3(&t));
            let children = nodes[index]["children"].as_array().into_iter().flatten();
            left.extend(children.map(|child| (usize_of(child), transforms[index])));
        }
        transforms
    }

    fn roots(&self) -> Vec<usize> {
        self.json["scenes"][0]["nodes"].as_array().unwrap().iter().map(usize_of).collect()
    }

    /// Returns the corners of every mesh in node order, at a key of an animation or at rest.
    pub fn posed(&self, animation: Option<&Value>, key: usize) -> Vec<Corners> {
        let (moved, transforms) = (self.moved(animation, key), self.transforms(animation, key));
        let nodes = self.json["nodes"].as_array().unwrap();
        let meshes = nodes.iter().enumerate().filter(|(_, node)| !node["mesh"].is_null());
        meshes
            .map(|(index, node)| {
                let primitive = &self.json["meshes"][usize_of(&node["mesh"])]["primitives"][0];
                let attribute = |name: &str| self.accessor(usize_of(&primitive["attributes"][name]));
                let mut positions: Vec<Vec3> = attribute("POSITION").iter().map(|v| vec3(v)).collect();
                let mut normals: Vec<Vec3> = attribute("NORMAL").iter().map(|v| vec3(v)).collect();
                let weights = moved.get(&(index, "weights".to_owned())).cloned().unwrap_or_default();
                for (target, weight) in primitive["targets"].as_array().into_iter().flatten().zip(weights) {
                    let add = |own: &mut Vec<Vec3>, name: &str| {
                        let deltas = self.accessor(usize_of(&target[name]));
                        own.iter_mut().zip(deltas).for_each(|(own, delta)| *own += vec3(&delta) * weight as f32);
                    };
                    if weight != 0.0 {
                        add(&mut positions, "POSITION");
                        add(&mut normals, "NORMAL");
                    }
                }
                let matrices: Vec<Affine3A> = match node["skin"].as_u64() {
                    None => vec![transforms[index]; positions.len()],
                    Some(skin) => self.skinned(&self.json["skins"][skin as usize], primitive, &transforms),
                };
                let corners = self.accessor(usize_of(&primitive["indices"]));
                let corner = |corner: &Vec<f64>| {
                    let corner = corner[0] as usize;
                    let normal = matrices[corner].transform_vector3(normals[corner]).normalize();
                    (matrices[corner].transform_point3(positions[corner]), normal)
                };
                corners.iter().map(corner).collect()
            })
            .collect()
    }

    /// Returns the blended matrix of every vertex of a primitive. Weights must sum to 1, and joints must not repeat.
    fn skinned(&self, skin: &Value, primitive: &Value, transforms: &[Affine3A]) -> Vec<Affine3A> {
        let joints: Vec<usize> = skin["joints"].as_array().unwrap().iter().map(usize_of).collect();
        let inverses = self.accessor(usize_of(&skin["inverseBindMatrices"]));
        let palette: Vec<Mat4> = joints
            .iter()
            .zip(inverses)
            .map(|(joint, inverse)| {
                let inverse: Vec<f32> = inverse.iter().map(|number| *number as f32).collect();
                Mat4::from(transforms[*joint]) * Mat4::from_cols_slice(&inverse)
            })
            .collect();
        let mut blended: Vec<(Mat4, f64)> = Vec::new();
        for set in 0.. {
            let name = |word: &str| format!("{word}_{set}");
            let attributes = &primitive["attributes"];
            let (Some(joints), Some(weights)) = (attributes.get(name("JOINTS")), attributes.get(name("WEIGHTS")))
            else {
                break;
            };
            let (joints, weights) = (self.accessor(usize_of(joints)), self.accessor(usize_of(weights)));
            blended.resize(joints.len(), (Mat4::ZERO, 0.0));
            for ((sum, joints), weights) in blended.iter_mut().zip(joints).zip(weights) {
                for (joint, weight) in joints.iter().zip(weights) {
                    sum.0 += palette[*joint as usize] * weight as f32;
                    sum.1 += weight;
                }
            }
        }
        assert!(blended.iter().all(|(_, sum)| (sum - 1.0).abs() < 1e-6));
        blended.into_iter().map(|(matrix, _)| Affine3A::from_mat4(matrix)).collect()
    }

    /// Returns the key times, in seconds, of the channel with the most keys.
    pub fn times(&self, animation: &Value) -> Vec<f64> {
        let samplers = animation["samplers"].as_array().unwrap().iter();
        let times = samplers.map(|sampler| self.accessor(usize_of(&sampler["input"])).concat());
        times.max_by_key(Vec::len).unwrap()
    }
}

/// Converts a JSON value to an index or a count.
pub fn usize_of(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("{value} counts nothing")) as usize
}

fn vec3(numbers: &[f64]) -> Vec3 {
    Vec3::new(numbers[0] as f32, numbers[1] as f32, numbers[2] as f32)
}

/// Converts scene axes to model axes: (y, z, x) becomes (x, y, z).
pub fn in_model(position: Vec3) -> Vec3 {
    Vec3::new(position.z, position.x, position.y)
}
