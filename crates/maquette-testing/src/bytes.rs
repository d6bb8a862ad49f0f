//! Writer of little-endian fields, so that code reads like a layout table.

/// A growing byte buffer.
#[derive(Default)]
pub struct ByteWriter {
    bytes: Vec<u8>,
}

impl ByteWriter {
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends raw bytes, such as an ident or a packed vertex.
    pub fn raw(&mut self, bytes: &[u8]) -> &mut Self {
        self.bytes.extend_from_slice(bytes);
        self
    }

    pub fn u16(&mut self, value: u16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn u32(&mut self, value: u32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn u64(&mut self, value: u64) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn i16(&mut self, value: i16) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn i32(&mut self, value: i32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn f32(&mut self, value: f32) -> &mut Self {
        self.raw(&value.to_le_bytes())
    }

    pub fn f32s(&mut self, values: &[f32]) -> &mut Self {
        values.iter().for_each(|value| {
            self.f32(*value);
        });
        self
    }

    /// Appends a text field of `width` bytes, padded with NUL.
    pub fn name(&mut self, text: &str, width: usize) -> &mut Self {
        let mut field = text.as_bytes().to_vec();
        assert!(field.len() <= width, "“{text}” is longer than {width} bytes");
        field.resize(width, 0);
        self.raw(&field)
    }

    /// Reserves a number and returns its offset for [`Self::fill`].
    pub fn later(&mut self) -> usize {
        self.i32(i32::MIN);
        self.len() - 4
    }

    /// Sets a number reserved by [`Self::later`].
    pub fn fill(&mut self, offset: usize, value: usize) {
        let value = i32::try_from(value).unwrap();
        self.bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    }

    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }
}

/// Returns `bytes` with the 32-bit number at `offset` replaced.
pub fn with_i32(bytes: &[u8], offset: usize, value: i32) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    bytes[offset..offset + 4].copy_from_slice(&value.to_le_bytes());
    bytes
}
