//! Little-endian bytes, as all the binary formats store them.

use glam::{DVec2, DVec3};

/// A file under construction.
#[derive(Default)]
pub struct Bytes(pub Vec<u8>);

impl Bytes {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn u8(&mut self, value: u8) {
        self.0.push(value);
    }

    pub fn u16(&mut self, value: u16) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn i16(&mut self, value: i16) {
        self.0.extend(value.to_le_bytes());
    }

    pub fn i32(&mut self, value: i32) {
        self.0.extend(value.to_le_bytes());
    }

    /// A count or an offset.
    pub fn size(&mut self, value: usize) {
        self.i32(i32::try_from(value).expect("files stay below 2 GiB"));
    }

    pub fn f32(&mut self, value: f64) {
        // Minus zero would say nothing and only make files differ.
        self.0.extend((value as f32 + 0.0).to_le_bytes());
    }

    pub fn vec2(&mut self, value: DVec2) {
        value.to_array().into_iter().for_each(|part| self.f32(part));
    }

    pub fn vec3(&mut self, value: DVec3) {
        value.to_array().into_iter().for_each(|part| self.f32(part));
    }

    /// Text in a field of fixed length, the rest of it zero.
    pub fn text(&mut self, text: &str, length: usize) {
        assert!(text.len() < length, "{text} does not fit into {length} bytes");
        self.0.extend(text.bytes().chain(std::iter::repeat(0)).take(length));
    }

    /// Writes a count or an offset into a place left free earlier.
    pub fn set_size(&mut self, at: usize, value: usize) {
        let value = i32::try_from(value).expect("files stay below 2 GiB");
        self.0[at..at + 4].copy_from_slice(&value.to_le_bytes());
    }
}
