//! Desktop files that list the formats: menu entry, thumbnailer, media types and the entry in software centres.

use std::fs;
use std::io;
use std::path::Path;

use maquette_core::model::Format;

/// Templates: each `@NAME@` is replaced by text made from the table of formats.
const TEMPLATES: [(&str, &str); 4] = [
    ("maquette.desktop", include_str!("maquette.desktop")),
    ("maquette.thumbnailer", include_str!("maquette.thumbnailer")),
    ("maquette-mime.xml", include_str!("maquette-mime.xml")),
    ("maquette.metainfo.xml", include_str!("maquette.metainfo.xml")),
];

/// Writes the desktop files into `folder`/desktop.
pub fn write(folder: &Path) -> io::Result<()> {
    let folder = folder.join("desktop");
    fs::create_dir_all(&folder)?;
    let each = |text: fn(Format) -> String| Format::ALL.into_iter().map(text).collect::<Vec<_>>();
    let values = [
        ("@FORMATS@", enumeration(&each(|format| format.title().to_owned()))),
        ("@FORMATS_WITH_GAMES@", enumeration(&each(|format| format!("{} ({})", format.title(), format.game())))),
        ("@KEYWORDS@", each(|format| format!("{};", format.title())).concat()),
        ("@MEDIA_TYPES@", each(|format| format!("{};", format.traits().media_type)).concat()),
        (
            "@PROVIDED_TYPES@",
            each(|format| format!("    <mediatype>{}</mediatype>", format.traits().media_type)).join("\n"),
        ),
        ("@MODEL_TYPES@", each(mime_type).join("\n")),
    ];
    for (name, template) in TEMPLATES {
        let text = values.iter().fold(template.to_owned(), |text, (key, value)| text.replace(key, value));
        fs::write(folder.join(name), text)?;
    }
    Ok(())
}

/// Joins `items` as in a sentence: "A, B and C".
fn enumeration(items: &[String]) -> String {
    match items {
        [others @ .., last] if !others.is_empty() => format!("{} and {last}", others.join(", ")),
        _ => items.concat(),
    }
}

/// Media type of a model in the XML of the shared MIME database. A binary file is known by its signature and the version
/// after it, a text file by its signature and perhaps a word. Other files are known by their extension.
fn mime_type(format: Format) -> String {
    let traits = format.traits();
    let end = traits.signature.len();
    let second = match traits.keyword {
        Some(word) => format!("<match type=\"string\" offset=\"{end}:1024\" value=\"{word}\"/>"),
        None if traits.is_text => String::new(),
        None => format!("<match type=\"little32\" offset=\"{end}\" value=\"{}\"/>", traits.version),
    };
    let magic = if traits.signature.is_empty() {
        String::new()
    } else {
        format!(
            r#"
    <magic priority="60">
      <match type="string" offset="0" value="{}">{second}</match>
    </magic>"#,
            traits.signature
        )
    };
    let parent = if traits.is_text { "\n    <sub-class-of type=\"text/plain\"/>" } else { "" };
    format!(
        r#"  <mime-type type="{}">
    <comment>{} model</comment>
    <acronym>{}</acronym>{parent}
    <generic-icon name="package-x-generic"/>{magic}
    <glob pattern="*.{}"/>
  </mime-type>"#,
        traits.media_type,
        format.game(),
        format.title(),
        format.extension(),
    )
}
