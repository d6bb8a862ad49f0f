//! Sort order of models.

use std::path::{Path, PathBuf};

/// Sorts models by folder, files before inner folders, names by case-insensitive natural order. Removes duplicates.
pub fn sort_models(models: &mut Vec<PathBuf>) {
    models.sort_by_cached_key(|path| key(path));
    models.dedup();
}

/// Returns the index in sorted models at which a path would be inserted.
pub fn sorted_index(models: &[PathBuf], path: &Path) -> usize {
    let own = key(path);
    models.partition_point(|model| key(model) < own)
}

fn key(path: &Path) -> Vec<u8> {
    const MODEL: u8 = 1;
    const FOLDER: u8 = 2;
    let mut key = Vec::new();
    let mut parts = path.components().peekable();
    while let Some(part) = parts.next() {
        let name = part.as_os_str();
        key.push(if parts.peek().is_some() { FOLDER } else { MODEL });
        add_natural(&name.to_string_lossy().to_lowercase(), &mut key);
        key.push(0);
        key.extend(name.as_encoded_bytes());
        key.push(0);
    }
    key
}

/// Adds a name in which numbers sort by value: the number of digits, then the digits.
fn add_natural(name: &str, key: &mut Vec<u8>) {
    let mut rest = name.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if !first.is_ascii_digit() {
            key.push(*first);
            rest = after;
            continue;
        }
        let end = rest.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(rest.len());
        let (digits, after) = rest.split_at(end);
        let zeros = digits.iter().take_while(|digit| **digit == b'0').count();
        let value = digits.get(zeros..).unwrap_or_default();
        key.push(b'0');
        key.push(u8::try_from(value.len() + 1).unwrap_or(u8::MAX));
        key.extend(value);
        rest = after;
    }
}
