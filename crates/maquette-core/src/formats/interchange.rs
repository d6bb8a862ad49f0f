//! Recognition of models that Blender reads, by their first bytes.

use super::begins;

/// Recognises a format by the bytes of a file.
type Test = fn(&[u8]) -> bool;

/// Formats that Blender opens and exports as glTF, with descriptions.
const FORMATS: &[(Test, &str)] = &[
    (|bytes| bytes.starts_with(b"BLENDER"), "a Blender file (.blend)"),
    // Blender compresses files since version 3.0.
    (|bytes| bytes.starts_with(b"\x28\xb5\x2f\xfd"), "a file compressed with Zstandard, perhaps of Blender (.blend)"),
    (|bytes| bytes.starts_with(b"Kaydara FBX") || begins(bytes, "; FBX"), "an FBX model"),
    (|bytes| begins(bytes, "<?xml") && contains(bytes, "<COLLADA"), "a COLLADA model (.dae)"),
    (|bytes| begins(bytes, "<COLLADA"), "a COLLADA model (.dae)"),
    (|bytes| begins(bytes, "solid") && contains(bytes, "facet") || is_binary_stl(bytes), "an STL model"),
    (|bytes| bytes.starts_with(b"ply\n") || bytes.starts_with(b"ply\r"), "a PLY model"),
    (|bytes| bytes.starts_with(b"#usda") || bytes.starts_with(b"PXR-USDC"), "a USD scene"),
    (|bytes| bytes.starts_with(b"Ogawa"), "an Alembic scene (.abc)"),
    (|bytes| bytes.starts_with(b"#VRML") || begins(bytes, "<?xml") && contains(bytes, "<X3D"), "a VRML or X3D scene"),
    (|bytes| bytes.starts_with(b"xof 0"), "a DirectX model (.x)"),
];

/// Number of leading bytes in which a keyword is searched for.
const HEAD: usize = 4096;

/// Describes a file that Blender reads; `None` for other files.
pub(super) fn describe(bytes: &[u8]) -> Option<&'static str> {
    FORMATS.iter().find(|(is_format, _)| is_format(bytes)).map(|(_, what)| *what)
}

fn head(bytes: &[u8]) -> &[u8] {
    bytes.get(..bytes.len().min(HEAD)).unwrap_or_default()
}

fn contains(bytes: &[u8], word: &str) -> bool {
    head(bytes).windows(word.len()).any(|window| window == word.as_bytes())
}

/// Whether the size of the file follows from its number of triangles, as in a binary STL.
fn is_binary_stl(bytes: &[u8]) -> bool {
    let count = bytes.get(80..84).and_then(|count| count.try_into().ok()).map(u32::from_le_bytes);
    count.is_some_and(|count| count > 0 && bytes.len() as u64 == 84 + 50 * u64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_that_blender_reads_are_recognised() {
        let stl = [&[0; 80][..], &1_u32.to_le_bytes(), &[0; 50]].concat();
        let cases: [(&[u8], Option<&str>); 14] = [
            (b"BLENDER-v300", Some("a Blender file (.blend)")),
            (b"\x28\xb5\x2f\xfd\x04", Some("a file compressed with Zstandard, perhaps of Blender (.blend)")),
            (b"Kaydara FBX Binary  \0", Some("an FBX model")),
            (b"; FBX 7.4.0 project file\n", Some("an FBX model")),
            (b"<?xml version=\"1.0\"?>\n<COLLADA version=\"1.4.1\">", Some("a COLLADA model (.dae)")),
            (b"solid cube\n facet normal 0 0 1\n", Some("an STL model")),
            (&stl, Some("an STL model")),
            (b"ply\nformat ascii 1.0\n", Some("a PLY model")),
            (b"#usda 1.0\n", Some("a USD scene")),
            (b"#VRML V2.0 utf8\n", Some("a VRML or X3D scene")),
            (b"xof 0303txt 0032", Some("a DirectX model (.x)")),
            (b"<?xml version=\"1.0\"?>\n<svg>", None),
            (b"solid advice\n", None),
            (b"version 1\n", None),
        ];
        for (bytes, what) in cases {
            assert_eq!(describe(bytes), what, "{}", bytes.escape_ascii());
        }
    }
}
