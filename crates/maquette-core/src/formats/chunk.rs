//! Accessors for fixed-size records of a table whose bounds were checked.

use glam::Vec3;

macro_rules! numbers {
    ($($name:ident $type:ty),*) => {$(
        pub fn $name<const N: usize>(record: &[u8; N], at: usize) -> $type {
            let bytes = record.get(at..at + size_of::<$type>()).and_then(|bytes| bytes.try_into().ok());
            bytes.map_or_else(Default::default, <$type>::from_le_bytes)
        }
    )*};
}

numbers!(i16_at i16, u16_at u16, i32_at i32, f32_at f32);

pub fn vec3_at<const N: usize>(record: &[u8; N], at: usize) -> Vec3 {
    Vec3::new(f32_at(record, at), f32_at(record, at + 4), f32_at(record, at + 8))
}

pub fn f32s<const COUNT: usize>(record: &[u8]) -> [f32; COUNT] {
    let mut numbers = [0.0; COUNT];
    for (number, bytes) in numbers.iter_mut().zip(record.as_chunks::<4>().0) {
        *number = f32::from_le_bytes(*bytes);
    }
    numbers
}

pub fn u16s<const COUNT: usize>(record: &[u8]) -> [u16; COUNT] {
    let mut numbers = [0; COUNT];
    for (number, bytes) in numbers.iter_mut().zip(record.as_chunks::<2>().0) {
        *number = u16::from_le_bytes(*bytes);
    }
    numbers
}
