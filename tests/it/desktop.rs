//! Desktop files: MIME types, menu entry and thumbnailer.

use std::collections::BTreeSet;

use maquette_core::model::Format;

#[path = "../../assets/desktop/types.rs"]
mod types;

/// Returns the texts between each `before` and the next quotation mark.
fn quoted<'a>(text: &'a str, before: &str) -> Vec<&'a str> {
    text.split(before).skip(1).map(|rest| rest.split_once('"').unwrap().0).collect()
}

/// Returns the types in the line `MimeType=`.
fn opened(text: &str) -> BTreeSet<&str> {
    let line = text.lines().find_map(|line| line.strip_prefix("MimeType=")).unwrap();
    line.split_terminator(';').collect()
}

#[test]
fn every_format_has_mime_type_opener_and_thumbnailer() {
    let folder = tempfile::tempdir().unwrap();
    types::write(folder.path()).unwrap();
    let own = |name: &str| {
        let text = std::fs::read_to_string(folder.path().join("desktop").join(name)).unwrap();
        assert!(!text.contains('@'), "{text}");
        text
    };
    let types = own("maquette-mime.xml");
    let globs: BTreeSet<&str> = quoted(&types, "<glob pattern=\"*.").into_iter().collect();
    let mut expected: BTreeSet<&str> = Format::ALL.into_iter().map(Format::extension).collect();
    expected.insert("md5anim");
    assert_eq!(globs, expected);

    let defined: BTreeSet<&str> = quoted(&types, "<mime-type type=\"").into_iter().collect();
    let entry = own("maquette.desktop");
    let mut models = opened(&entry);
    assert_eq!(models, opened(&own("maquette.thumbnailer")));
    let software = own("maquette.metainfo.xml");
    for model in &models {
        assert!(software.contains(&format!("<mediatype>{model}</mediatype>")), "{model}");
    }
    // An animation file cannot be opened on its own.
    assert!(models.insert("model/x-doom3-md5anim"));
    assert_eq!(models, defined);
}
