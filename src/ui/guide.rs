//! User guide as a page for the browser.

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

const SOURCE: &str = include_str!("../../docs/guide.md");

macro_rules! files {
    ($($name:literal)*) => {
        [$((
            concat!("pictures/", $name, ".webp"),
            include_bytes!(concat!("../../docs/pictures/", $name, ".webp")).as_slice(),
        )),*]
    };
}

/// Encoded images by their file names in the guide.
static IMAGES: [(&str, &[u8]); 14] = files!(
    "attach" "bytes" "chosen" "film" "grey" "light" "looks" "motion" "palette" "sheet" "tags" "timeline" "uv" "window"
);

fn anchor_of(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// Returns the guide as an HTML page, and its images by their path relative to the page.
#[must_use]
pub fn guide_page() -> (String, &'static [(&'static str, &'static [u8])]) {
    let mut events: Vec<Event<'_>> = Parser::new_ext(SOURCE, Options::ENABLE_TABLES).collect();
    // Give the headings their anchors.
    let mut title = String::new();
    for event in events.iter_mut().rev() {
        match event {
            Event::End(TagEnd::Heading(_)) => title.clear(),
            Event::Text(text) | Event::Code(text) => title.insert_str(0, text),
            Event::Start(Tag::Heading { id, .. }) => *id = Some(anchor_of(&title).into()),
            _ => {}
        }
    }
    let mut body = String::new();
    pulldown_cmark::html::push_html(&mut body, events.into_iter());
    let page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Maquette: a guide</title>\n<style>\n\
         :root {{ color-scheme: light dark }}\n\
         body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em }}\n\
         img {{ max-width: 100% }}\n\
         table {{ border-collapse: collapse }}\n\
         th, td {{ text-align: left; vertical-align: top; padding: .25em .75em .25em 0; border-bottom: 1px solid #8886 }}\n\
         code {{ background: #8882; border-radius: 4px; padding: .1em .3em }}\n\
         pre code {{ display: block; padding: .75em; overflow-x: auto }}\n\
         </style>\n{body}</html>\n"
    );
    (page, &IMAGES)
}
