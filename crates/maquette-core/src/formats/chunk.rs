//! Accessors for fixed-size records of a table whose bounds were checked.

use glam::Vec3;

pub fn i16_at<const N: usize>(record: &[u8; N], at: usize) -> i16 {
    record.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, i16::from_le_bytes)
}

pub fn u16_at<const N: usize>(record: &[u8; N], at: usize) -> u16 {
    record.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_le_bytes)
}

pub fn i32_at<const N: usize>(record: &[u8; N], at: usize) -> i32 {
    record.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_le_bytes)
}

pub fn f32_at<const N: usize>(record: &[u8; N], at: usize) -> f32 {
    record.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0.0, f32::from_le_bytes)
}

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
