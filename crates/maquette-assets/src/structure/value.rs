//! What stands in a field.

use serde_json::json;

use maquette_core::bytes::{Kind, latin1};

/// What a field says.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A whole number.
    Integer(i64),
    /// A number that may be infinite or none.
    Number(f32),
    /// Characters up to the first NUL.
    Text(String),
    /// Several of a kind.
    List(Vec<Value>),
    /// Bytes that mean nothing as a number.
    Bytes(Vec<u8>),
}

/// Values shown of a longer list of bytes.
const BYTES_SHOWN: u64 = 64;

fn array<const N: usize>(bytes: &[u8], offset: u64) -> Option<[u8; N]> {
    let start = usize::try_from(offset).ok()?;
    bytes.get(start..)?.first_chunk().copied()
}

/// Reads so many of a kind at a place; what lies beyond the file is 0.
#[must_use]
pub fn read(bytes: &[u8], kind: Kind, count: u64, offset: u64) -> Value {
    let raw = |most: u64| {
        let start = usize::try_from(offset).unwrap_or(usize::MAX);
        let end = usize::try_from(offset.saturating_add(count.min(most))).unwrap_or(usize::MAX);
        bytes.get(start..end.min(bytes.len())).unwrap_or_default()
    };
    let one = |offset: u64| match kind {
        Kind::U8 => Value::Integer(array::<1>(bytes, offset).map_or(0, |[byte]| byte.into())),
        Kind::U16 => Value::Integer(array(bytes, offset).map_or(0, u16::from_le_bytes).into()),
        Kind::I16 => Value::Integer(array(bytes, offset).map_or(0, i16::from_le_bytes).into()),
        Kind::I32 => Value::Integer(array(bytes, offset).map_or(0, i32::from_le_bytes).into()),
        Kind::U32 => Value::Integer(array(bytes, offset).map_or(0, u32::from_le_bytes).into()),
        Kind::F32 => Value::Number(array(bytes, offset).map_or(0.0, f32::from_le_bytes)),
        Kind::Text | Kind::Statement | Kind::Bytes => Value::Bytes(Vec::new()),
    };
    match (kind, count) {
        (Kind::Text, _) => {
            let text = raw(u64::MAX).split(|byte| *byte == 0).next().unwrap_or_default();
            Value::Text(latin1(text))
        }
        (Kind::Statement, _) => Value::Text(latin1(raw(u64::MAX).trim_ascii())),
        (Kind::Bytes, _) => Value::Bytes(raw(BYTES_SHOWN).to_vec()),
        (_, 1) => one(offset),
        _ => Value::List((0..count).map(|index| one(offset + index * kind.size())).collect()),
    }
}

impl Value {
    /// As JSON: numbers that are none are texts, bytes are in hexadecimal.
    #[must_use]
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

    /// As people read it.
    #[must_use]
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
