//! Generated glTF files.

use serde_json::{Value, json};

/// Component types of accessors.
pub const I8: u32 = 5120;
pub const U8: u32 = 5121;
pub const I16: u32 = 5122;
pub const U16: u32 = 5123;
pub const U32: u32 = 5125;
pub const F32: u32 = 5126;

/// A glTF with one buffer.
#[derive(Clone, Debug)]
pub struct GltfFile {
    pub json: Value,
    pub bytes: Vec<u8>,
}

impl GltfFile {
    /// Creates a file without nodes.
    pub fn empty() -> Self {
        Self { json: json!({ "asset": { "version": "2.0" } }), bytes: Vec::new() }
    }

    /// Creates a file with one node “body” that shows a triangle: (0, 0, 0), (1, 0, 0), (0, 1, 0) metres, normal +Z.
    pub fn triangle() -> Self {
        let mut file = Self::empty();
        let mesh = file.triangle_mesh();
        file.push("nodes", json!({ "name": "body", "mesh": mesh }));
        file.show(&[0]);
        file
    }

    /// Adds the mesh of [`Self::triangle`].
    pub fn triangle_mesh(&mut self) -> usize {
        let positions = self.floats("VEC3", &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
        let normals = self.floats("VEC3", &[0.0, 0.0, 1.0].repeat(3));
        let uvs = self.floats("VEC2", &[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
        let attributes = json!({ "POSITION": positions, "NORMAL": normals, "TEXCOORD_0": uvs });
        self.push("meshes", json!({ "name": "Mesh", "primitives": [{ "attributes": attributes }] }))
    }

    /// Creates a file with two joints, of which the second bends, a tag on it, and a material with a colour.
    pub fn skinned() -> Self {
        let mut file = Self::triangle();
        let joints = file.numbers(U8, "VEC4", &[0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0], 3);
        let weights = file.floats("VEC4", &[1.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        let one = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0];
        let mut below = one;
        below[13] = -1.0;
        let inverses = file.floats("MAT4", &[one, below].concat());
        file.json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"] = json!(joints);
        file.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"] = json!(weights);
        file.push("nodes", json!({ "name": "root", "children": [2] }));
        file.push("nodes", json!({ "name": "arm", "translation": [0, 1, 0], "children": [3] }));
        file.push("nodes", json!({ "name": "tag_hand", "translation": [0, 0, 0.254] }));
        file.push("skins", json!({ "joints": [1, 2], "inverseBindMatrices": inverses }));
        file.json["nodes"][0]["skin"] = json!(0);
        file.show(&[0, 1]);
        let half = std::f32::consts::FRAC_1_SQRT_2;
        file.animate("bend", 2, "rotation", &[0.0, 1.0], &[0.0, 0.0, 0.0, 1.0, half, 0.0, 0.0, half], "LINEAR");
        let material =
            json!({ "name": "models/box/skin", "pbrMetallicRoughness": { "baseColorFactor": [1, 0, 0, 1] } });
        file.push("materials", material);
        file.json["meshes"][0]["primitives"][0]["material"] = json!(0);
        file
    }

    /// Creates a file with a morph target that moves the second vertex by 1 m along Z, and its animation.
    pub fn morphing() -> Self {
        let mut file = Self::triangle();
        let target = file.floats("VEC3", &[0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]);
        file.json["meshes"][0]["primitives"][0]["targets"] = json!([{ "POSITION": target }]);
        file.animate("wave", 0, "weights", &[0.0, 0.5], &[0.0, 1.0], "LINEAR");
        file
    }

    /// Appends an object to a list of the document, and returns its index.
    pub fn push(&mut self, list: &str, value: Value) -> usize {
        if self.json[list].is_null() {
            self.json[list] = json!([]);
        }
        let list = self.json[list].as_array_mut().expect("it is a list");
        list.push(value);
        list.len() - 1
    }

    /// Sets the nodes of the only scene.
    pub fn show(&mut self, nodes: &[usize]) {
        self.json["scenes"] = json!([{ "nodes": nodes }]);
    }

    /// Appends bytes to the buffer, and returns the index of their view.
    pub fn view(&mut self, bytes: &[u8]) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let view = json!({ "buffer": 0, "byteOffset": self.bytes.len(), "byteLength": bytes.len() });
        self.bytes.extend_from_slice(bytes);
        self.push("bufferViews", view)
    }

    /// Adds an accessor of numbers, which are bytes of `component`.
    pub fn numbers(&mut self, component: u32, shape: &str, bytes: &[u8], count: usize) -> usize {
        let view = self.view(bytes);
        let accessor = json!({ "bufferView": view, "componentType": component, "type": shape, "count": count });
        self.push("accessors", accessor)
    }

    /// Adds an accessor of floats.
    pub fn floats(&mut self, shape: &str, numbers: &[f32]) -> usize {
        let width = match shape {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            _ => 16,
        };
        let bytes: Vec<u8> = numbers.iter().flat_map(|number| number.to_le_bytes()).collect();
        self.numbers(F32, shape, &bytes, numbers.len() / width)
    }

    /// Adds an animation with one channel.
    pub fn animate(&mut self, name: &str, node: usize, path: &str, times: &[f32], values: &[f32], how: &str) -> usize {
        let input = self.floats("SCALAR", times);
        let shape = match path {
            "weights" => "SCALAR",
            "rotation" => "VEC4",
            _ => "VEC3",
        };
        let output = self.floats(shape, values);
        let sampler = json!({ "input": input, "output": output, "interpolation": how });
        let channel = json!({ "sampler": 0, "target": { "node": node, "path": path } });
        self.push("animations", json!({ "name": name, "samplers": [sampler], "channels": [channel] }))
    }

    fn document(&self, buffer: Value) -> Vec<u8> {
        let mut json = self.json.clone();
        if !self.bytes.is_empty() && json["buffers"].is_null() {
            json["buffers"] = json!([buffer]);
        }
        serde_json::to_vec(&json).expect("memory takes everything")
    }

    /// Returns the `.glb`.
    pub fn glb(&self) -> Vec<u8> {
        let mut text = self.document(json!({ "byteLength": self.bytes.len() }));
        text.resize(text.len().next_multiple_of(4), b' ');
        let mut bytes = self.bytes.clone();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let word = |number: usize| u32::try_from(number).expect("the file is small").to_le_bytes();
        let mut file = [&b"glTF"[..], &word(2), &word(0), &word(text.len()), b"JSON", &text].concat();
        if !bytes.is_empty() {
            file.extend([&word(bytes.len())[..], b"BIN\0", &bytes].concat());
        }
        let length = word(file.len());
        file[8..12].copy_from_slice(&length);
        file
    }

    /// Returns the `.gltf` whose buffer is at `uri`.
    pub fn gltf(&self, uri: &str) -> Vec<u8> {
        self.document(json!({ "byteLength": self.bytes.len(), "uri": uri }))
    }

    /// Returns the `.gltf` with its buffer in a data URI.
    pub fn gltf_with_data(&self) -> Vec<u8> {
        self.gltf(&format!("data:application/octet-stream;base64,{}", base64(&self.bytes)))
    }
}

/// Encodes base 64 (RFC 4648).
pub fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let word = chunk.iter().fold(0_u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - chunk.len()));
        for digit in 0..4 {
            let shown = digit <= chunk.len();
            let digit = DIGITS[(word >> (18 - 6 * digit) & 63) as usize];
            text.push(if shown { char::from(digit) } else { '=' });
        }
    }
    text
}
