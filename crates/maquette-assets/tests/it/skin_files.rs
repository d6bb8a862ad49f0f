//! `.skin` files: entries, and malformed lines as the games read them.

use maquette_assets::material::SkinFile;
use maquette_core::error::Warnings;
use proptest::prelude::*;

use maquette_testing::memory::peak_of;
use maquette_testing::optional::{files_below, shared_folder};

fn odd(text: &str) -> (SkinFile, Vec<String>) {
    let mut warnings = Warnings::default();
    let skin = SkinFile::parse_with(text.as_bytes(), &mut warnings);
    (skin, warnings.into_vec().iter().map(ToString::to_string).collect())
}

#[track_caller]
fn sound(text: &str) -> SkinFile {
    let (skin, warnings) = odd(text);
    assert!(warnings.is_empty(), "{warnings:?}");
    skin
}

#[test]
fn words_end_at_white_space_or_comma() {
    let skin =
        sound("a,x/1\r\nb, x/2 \n\tc ,x/3\nd x/4 rest of the line\n\"e e\",\"x/my 5\"\rf,x(6)/{7};8//9.tga g,x/10\n");
    let paths: Vec<_> = ["a", "b", "c", "d", "e e", "f", "g"].iter().map(|surface| skin.path_of(surface)).collect();
    assert_eq!(
        paths,
        [Some("x/1"), Some("x/2"), Some("x/3"), Some("x/4"), Some("x/my 5"), Some("x(6)/{7};8//9.tga"), Some("x/10")]
    );
    assert_eq!((skin.path_of("rest"), skin.path_of("of")), (None, None));
}

#[test]
fn comments_count_as_white_space() {
    let skin = sound("// u_a,x/1\n/* u_b,x/2\nu_c,x/3 */ u_d,/* here */x/4 // and here, too\n\u{0}u_e,x/5");
    assert_eq!((skin.path_of("u_a"), skin.path_of("u_b"), skin.path_of("u_c")), (None, None, None));
    assert_eq!((skin.path_of("u_d"), skin.path_of("u_e")), (Some("x/4"), Some("x/5")));
}

#[test]
fn tag_lines_are_skipped() {
    let (skin, warnings) = odd("TAG_head,\nu_a,x/1\ntag_weapon models/gun\nmontag_arm,u_b,x/2\ntag_torso");
    // ioquake3 `RE_RegisterSkin` skips only the name of a tag.
    let message = "counts as a tag; Quake III reads the rest of the line as other entries; line skipped";
    assert_eq!(warnings, [format!("line 3: “tag_weapon” {message}"), format!("line 4: “montag_arm” {message}")]);
    assert_eq!((skin.path_of("u_a"), skin.path_of("u_b"), skin.path_of("models/gun")), (Some("x/1"), None, None));
}

#[test]
fn replace_line_names_surface_and_path() {
    // DarkPlaces `Mod_LoadSkinFiles`. A comma after the word makes it the name of a surface.
    let skin = sound("replace \"Helmet\" \"models/h.tga\" // a comment\nreplace visor common/nodraw\nreplace,x/1");
    assert_eq!((skin.path_of("helmet"), skin.path_of("visor")), (Some("models/h.tga"), Some("common/nodraw")));
    assert_eq!((skin.path_of("replace"), skin.path_of("models/h.tga")), (Some("x/1"), None));
    let (skin, warnings) = odd("u_a,x/1\nreplace u_b\n");
    assert_eq!((skin.path_of("u_b"), skin.path_of("replace")), (None, None));
    assert_eq!(warnings, ["line 2: expected a surface and a path; line skipped"]);
}

#[test]
fn first_of_equal_surfaces_wins_even_with_empty_path() {
    let skin = sound("u_a,\nu_b,x/1\nU_B,x/2\n");
    assert_eq!((skin.path_of("u_a"), skin.path_of("u_b_1")), (Some(""), Some("x/1")));
}

#[test]
fn wolfenstein_skin_has_accessories_and_scale() {
    let skin = sound("playerscale,1.05\nmd3_hat, models/players/infantry/helmet.mdc\nMD3_beltL,\"models/belt.md3\"\n");
    let expected = [("hat", "models/players/infantry/helmet.mdc"), ("beltl", "models/belt.md3")];
    assert_eq!(skin.accessories, expected.map(|(slot, path)| (slot.to_owned(), path.to_owned())));
    assert_eq!(skin.scale, Some(1.05));
    assert!(!skin.is_empty());
    assert_eq!(sound("playerscale 1.1 1.2,1.3\nu_a,x").scale, Some(1.1));
    assert_eq!(sound("u_a,x").path_of("u_a"), Some("x"));
    assert!(sound("// nothing\n\ntag_head,\n").is_empty());
}

#[test]
fn invalid_scales_and_accessories_are_reported() {
    for scale in ["0", "-1", "1e9", "nan", "inf", "big", ""] {
        let (skin, warnings) = odd(&format!("\nplayerscale,{scale}\n"));
        assert_eq!((skin.scale, warnings.len(), skin.is_empty()), (None, 1, true), "{scale}");
        assert!(warnings[0].starts_with("line 2: "), "{warnings:?}");
    }
    let (skin, warnings) = odd("md3_hat,\nmd3_,models/hat\n");
    assert!(skin.accessories.is_empty());
    assert_eq!(warnings.len(), 2);
}

#[test]
fn overlong_names_and_excess_entries_are_skipped() {
    let (skin, warnings) = odd(&format!("a,x/1\n{},x/2\nb,{}\nc,x/4", "n".repeat(1025), "p".repeat(1025)));
    assert_eq!((skin.path_of("a"), skin.path_of("b"), skin.path_of("c")), (Some("x/1"), None, Some("x/4")));
    let message = |line: u32| format!("line {line}: a name is longer than 1024 bytes; line skipped");
    assert_eq!(warnings, [message(2), message(3)]);
    let (skin, warnings) = odd(&(0..5000).map(|surface| format!("u_{surface:04},x\n")).collect::<String>());
    assert_eq!((skin.path_of("u_4095"), skin.path_of("u_4096")), (Some("x"), None));
    assert!(
        warnings.iter().any(|warning| warning.ends_with("more than 4096 entries; the rest are skipped")),
        "{warnings:?}"
    );
}

#[test]
fn malformed_lines_are_reported_with_line_number() {
    let (skin, warnings) = odd("u_a,x/1\nlonely\nu_b,\"x/2\nu_c,x/3\n/* u_d,x/4");
    assert_eq!((skin.path_of("u_b"), skin.path_of("u_c"), skin.path_of("u_d")), (Some("x/2"), Some("x/3"), None));
    assert_eq!(warnings[0], "line 2: expected a surface and a path; line skipped");
    assert_eq!(warnings[1], "line 3: unclosed quoted text");
    let many: String = (0..300).map(|index| format!("s{index},x\n")).collect();
    let (skin, warnings) = odd(&many);
    assert_eq!(
        (skin.path_of("s299"), warnings),
        (Some("x"), vec!["the skin names 300 surfaces; the games read only 256".to_owned()])
    );
}

#[test]
fn shared_skins_have_no_warnings() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let mut read = 0;
    for path in files_below(&folder) {
        if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("skin")) {
            let text = String::from_utf8_lossy(&std::fs::read(&path).unwrap()).into_owned();
            // Doom 3 skin files have another grammar.
            if !text.contains('{') {
                let (_, warnings) = odd(&text);
                assert!(warnings.is_empty(), "{}: {warnings:?}", path.display());
                read += 1;
            }
        }
    }
    assert!(read > 20, "{read}");
}

#[test]
fn skin_parser_memory_is_bounded_by_file_size() {
    let distinct: String = (0..200_000).map(|index| format!("{index:x},\n")).collect();
    for text in
        [distinct, "a,b\n".repeat(200_000), "md3_a,b\n".repeat(100_000), "\"".repeat(400_000), "/*".repeat(400_000)]
    {
        let (skin, peak) = peak_of(|| odd(&text).0);
        assert!(peak <= 4 * text.len() + (8 << 20), "{peak} bytes for a file of {}", text.len());
        assert_eq!(skin.path_of("no such surface"), None);
    }
}

const SOUP: [&str; 18] = [
    "u_a",
    "tag_head",
    "md3_hat",
    "playerscale",
    ",",
    ",",
    "1.5",
    "nan",
    "models/a.tga",
    "nodraw",
    " ",
    "\n",
    "\r",
    "\"",
    "//",
    "/*",
    "*/",
    "\t",
];

fn survives(bytes: &[u8]) {
    let skin = SkinFile::parse_with(bytes, &mut Warnings::default());
    assert!(skin.scale.is_none_or(|scale| (0.01..=100.0).contains(&scale)));
    let _ = skin.path_of("u_a_1");
}

proptest! {
    #[test]
    fn skin_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
    }

    #[test]
    fn skin_parser_survives_arbitrary_words(words in proptest::collection::vec(0..SOUP.len(), 0..200)) {
        let text: String = words.iter().map(|word| SOUP[*word]).collect();
        survives(text.as_bytes());
    }
}
