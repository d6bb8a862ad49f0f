//! Values of fields.

use serde_json::json;

use crate::limits::MAX_QUOTED_LENGTH;
use maquette_core::bytes::{Kind, utf8_or_latin1};

/// Value of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// An integer.
    Integer(i64),
    /// A floating-point number, possibly not finite.
    Number(f32),
    /// Characters up to the first NUL.
    Text(String),
    /// A list of values.
    List(Vec<Value>),
    /// Raw bytes.
    Bytes(Vec<u8>),
}

fn array<const N: usize>(bytes: &[u8], offset: u64) -> Option<[u8; N]> {
    let start = usize::try_from(offset).ok()?;
    bytes.get(start..)?.first_chunk().copied()
}

/// Reads `count` values of a kind at an offset. Values beyond the end of the file are 0.
pub fn read(bytes: &[u8], kind: Kind, count: u64, offset: u64) -> Value {
    let raw = |max: u64| {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = usize::try_from(offset.saturating_add(count.min(max))).unwrap_or(usize::MAX);
        bytes.get(start..end.min(bytes.len())).unwrap_or_default()
    };
    let one = |offset: u64| match kind {
        Kind::U8 => Value::Integer(array::<1>(bytes, offset).map_or(0, |[byte]| byte.into())),
        Kind::U16 => Value::Integer(array(bytes, offset).map_or(0, u16::from_le_bytes).into()),
        Kind::I16 => Value::Integer(array(bytes, offset).map_or(0, i16::from_le_bytes).into()),
        Kind::I32 => Value::Integer(array(bytes, offset).map_or(0, i32::from_le_bytes).into()),
        Kind::U32 => Value::Integer(array(bytes, offset).map_or(0, u32::from_le_bytes).into()),
        Kind::F32 => Value::Number(array(bytes, offset).map_or(0.0, f32::from_le_bytes)),
        Kind::U32Be => Value::Integer(array(bytes, offset).map_or(0, u32::from_be_bytes).into()),
        Kind::F32Be => Value::Number(array(bytes, offset).map_or(0.0, f32::from_be_bytes)),
        Kind::Text | Kind::Statement | Kind::Bytes => Value::Bytes(Vec::new()),
    };
    match (kind, count) {
        (Kind::Text, _) => {
            let text = raw(u64::MAX).split(|byte| *byte == 0).next().unwrap_or_default();
            Value::Text(utf8_or_latin1(text))
        }
        (Kind::Statement, _) => Value::Text(utf8_or_latin1(raw(u64::MAX).trim_ascii())),
        (Kind::Bytes, _) => Value::Bytes(raw(MAX_QUOTED_LENGTH as u64).to_vec()),
        (_, 1) => one(offset),
        _ => Value::List((0..count).map(|index| one(offset + index * kind.size())).collect()),
    }
}

impl Value {
    /// Converts to JSON: numbers that are not finite become texts, bytes become hexadecimal text.
    pub fn to_json(&self) -> serde_json::Value {
        match self {
            Self::Integer(number) => json!(number),
            Self::Number(number) if number.is_finite() => json!(number),
            Self::Number(number) => json!(number.to_string()),
            Self::Text(text) => json!(text),
            Self::List(values) => values.iter().map(Self::to_json).collect(),
            Self::Bytes(bytes) => json!(hexadecimal(bytes)),
        }
    }

    /// Formats the value for display.
    pub fn to_text(&self) -> String {
        match self {
            Self::Integer(number) => number.to_string(),
            Self::Number(number) => number.to_string(),
            Self::Text(text) => format!("“{}”", text.escape_debug()),
            Self::List(values) => values.iter().map(Self::to_text).collect::<Vec<_>>().join(" "),
            Self::Bytes(bytes) => hexadecimal(bytes),
        }
    }
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect::<Vec<_>>().join(" ")
}
