//! The limits in `SECURITY.md` equal those of the code.

use maquette_assets::limits::*;
use maquette_core::limits::*;

/// Formats a number as the table does, with digit groups from five digits on.
fn number(number: usize) -> String {
    let digits = number.to_string();
    let starts_group = |index: usize| digits.len() > 4 && index > 0 && (digits.len() - index).is_multiple_of(3);
    digits.char_indices().flat_map(|(index, c)| starts_group(index).then_some(',').into_iter().chain([c])).collect()
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes >> 20)
}

fn millions(number: u64) -> String {
    format!("{} million", (number + 500_000) / 1_000_000)
}

#[test]
fn security_table_matches_code_limits() {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../SECURITY.md")).unwrap();
    let short = format!("{} KB", MAX_SHORT_TEXT_BYTES >> 10);
    for (row, limits) in [
        ("a file read whole", vec![format!("{} GB", MAX_FILE_BYTES >> 30)]),
        ("an entry of an archive", vec![format!("{MAX_ENTRY_RATIO} times"), megabytes(MIN_ENTRY_BYTES)]),
        ("a text next to", vec![megabytes(MAX_TEXT_BYTES as u64)]),
        ("a list of clips", vec![number(MAX_CLIPS)]),
        ("a script of a Cube", vec![short.clone(), number(MAX_SETUP_LINES), number(MAX_MODEL_FILES)]),
        ("model definitions", vec![number(MAX_DECLARATIONS), number(MAX_MODEL_FILES)]),
        ("a definition", vec![short.clone(), number(MAX_STAGES)]),
        ("a file of lint rules", vec![short]),
        ("search folders", vec![number(MAX_ARCHIVES)]),
        ("archives searched", vec![number(MAX_ARCHIVES)]),
        ("scripts, `.skin`", vec![megabytes(MAX_UNPACKED_BYTES), format!("{MAX_UNPACKED_RATIO} times")]),
        ("animations of an MD5", vec![number(MAX_CLIPS)]),
        ("characters that an Enemy Territory", vec![number(MAX_GAME_FILES)]),
        ("`.def` files", vec![megabytes(MAX_DEF_BYTES), number(MAX_DECLARATIONS)]),
        ("names that scripts", vec![number(MAX_LISTED_NAMES)]),
        ("`.skin` files", vec![number(MAX_MODEL_FILES), number(MAX_SKIN_ENTRIES)]),
        ("models that skins", vec![number(MAX_MODEL_FILES)]),
        ("images next to an MD2", vec![number(MAX_SKINS)]),
        ("a path in", vec![format!("{MAX_PATH_BYTES} bytes"), format!("{MAX_PATH_NAMES} folders")]),
        ("entries of", vec![number(MAX_ARCHIVE_ENTRIES as usize), format!("{MAX_CLAIMED_PER_BYTE} times")]),
        ("positions", vec![number(MAX_COORDINATE as usize)]),
        ("programs of images", vec![millions(MAX_PROGRAM_WORK)]),
        ("different names", vec![number(MAX_MATERIAL_NAMES), number(MAX_SKIN_SURFACES)]),
        ("objects of each kind", vec![number(MAX_GLTF_OBJECTS)]),
        ("variants of the materials", vec![number(MAX_GLTF_VARIANTS), number(MAX_GLTF_VARIED_SURFACES)]),
        ("numbers of a glTF", vec![format!("{MAX_GLTF_DECODED_PER_BYTE} times"), megabytes(MIN_GLTF_DECODED_BYTES)]),
        (
            "triangles and copies of blocks",
            vec![number(MAX_DXF_TRIANGLES as usize), format!("{BYTES_PER_DXF_TRIANGLE} bytes")],
        ),
        ("vertices in all frames of a glTF", vec![number(MAX_BAKED_VERTICES)]),
        ("what `convert`", vec![megabytes(MAX_CONVERTED_BYTES)]),
        ("frames that", vec![millions(MAX_POSED_VERTICES as u64)]),
        ("searches", vec![millions(MAX_POSED_VERTICES as u64)]),
        ("models listed", vec![number(MAX_LISTED_NAMES)]),
    ] {
        let line = text.lines().find(|line| line.starts_with(&format!("| {row}"))).unwrap_or_default();
        assert!(limits.iter().all(|limit| line.contains(limit.as_str())), "{row}: {limits:?}, not {line:?}");
    }
}
