//! Fixed-size records of a table that has been checked as a whole: reading them cannot fail.

use glam::{Vec2, Vec3};

use crate::bytes::latin1;

/// Text up to the first NUL; what follows it is garbage in many files.
pub fn text(bytes: &[u8]) -> String {
    latin1(bytes.split(|byte| *byte == 0).next().unwrap_or_default())
}

/// Signed 16 bits at byte `at` of a record.
pub fn i16_at<const N: usize>(record: &[u8; N], at: usize) -> i16 {
    record.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, i16::from_le_bytes)
}

/// Unsigned 16 bits at byte `at` of a record.
pub fn u16_at<const N: usize>(record: &[u8; N], at: usize) -> u16 {
    record.get(at..at + 2).and_then(|bytes| bytes.try_into().ok()).map_or(0, u16::from_le_bytes)
}

/// Signed 32 bits at byte `at` of a record.
pub fn i32_at<const N: usize>(record: &[u8; N], at: usize) -> i32 {
    record.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0, i32::from_le_bytes)
}

/// Single precision at byte `at` of a record.
pub fn f32_at<const N: usize>(record: &[u8; N], at: usize) -> f32 {
    record.get(at..at + 4).and_then(|bytes| bytes.try_into().ok()).map_or(0.0, f32::from_le_bytes)
}

/// Two single-precision numbers at byte `at` of a record.
pub fn vec2_at<const N: usize>(record: &[u8; N], at: usize) -> Vec2 {
    Vec2::new(f32_at(record, at), f32_at(record, at + 4))
}

/// Three single-precision numbers at byte `at` of a record.
pub fn vec3_at<const N: usize>(record: &[u8; N], at: usize) -> Vec3 {
    Vec3::new(f32_at(record, at), f32_at(record, at + 4), f32_at(record, at + 8))
}
