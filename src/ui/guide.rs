//! User guide and the documents that it links to, as pages for the browser.

use pulldown_cmark::{CowStr, Event, Options, Parser, Tag, TagEnd};

macro_rules! documents {
    ($($name:literal)*) => {
        [$(($name, include_str!(concat!("../../docs/", $name, ".md")))),*]
    };
}

/// Documents by name, in Markdown. The guide comes first.
static DOCUMENTS: [(&str, &str); 11] = documents!(
    "guide" "games" "into-a-game" "converting" "authoring" "from-blender" "lint" "info-json"
    "convert-json" "diff-json" "at-scale"
);

macro_rules! files {
    ($($name:literal)*) => {
        [$((
            concat!("pictures/", $name, ".webp"),
            include_bytes!(concat!("../../docs/pictures/", $name, ".webp")).as_slice(),
        )),*]
    };
}

/// Encoded images of the documents by their path relative to the pages.
pub static GUIDE_IMAGES: [(&str, &[u8]); 18] = files!(
    "attach" "blender" "bytes" "check" "chosen" "film" "grey" "light" "looks" "manikin" "manikin_clips" "motion" "palette" "sheet" "tags"
    "timeline" "uv" "window"
);

fn anchor_of(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

/// Returns the address of a link on the pages. `None` for files that are not among [`DOCUMENTS`].
fn link_address(target: &str) -> Option<String> {
    if target.starts_with('#') || target.contains("://") {
        return Some(target.to_owned());
    }
    let (file, heading) = target.find('#').map_or((target, ""), |at| target.split_at(at));
    let name = file.strip_suffix(".md")?;
    DOCUMENTS.iter().any(|(known, _)| *known == name).then(|| format!("{name}.html{heading}"))
}

/// Leads links to the pages, and removes those to other files.
fn adapt_links(events: &mut Vec<Event<'_>>) {
    let mut is_kept = Vec::new();
    events.retain_mut(|event| match event {
        Event::Start(Tag::Link { dest_url, .. }) => {
            let address = link_address(dest_url);
            is_kept.push(address.is_some());
            let kept = address.is_some();
            *dest_url = CowStr::from(address.unwrap_or_default());
            kept
        }
        Event::End(TagEnd::Link) => is_kept.pop().unwrap_or(true),
        _ => true,
    });
}

fn page(source: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(source, Options::ENABLE_TABLES).collect();
    adapt_links(&mut events);
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
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}</title>\n<style>\n\
         :root {{ color-scheme: light dark }}\n\
         body {{ font: 16px/1.5 system-ui, sans-serif; max-width: 46em; margin: 2em auto; padding: 0 1em }}\n\
         img {{ max-width: 100% }}\n\
         table {{ border-collapse: collapse }}\n\
         th, td {{ text-align: left; vertical-align: top; padding: .25em .75em .25em 0; border-bottom: 1px solid #8886 }}\n\
         code {{ background: #8882; border-radius: 4px; padding: .1em .3em }}\n\
         pre code {{ display: block; padding: .75em; overflow-x: auto }}\n\
         </style>\n{body}</html>\n"
    )
}

/// Returns the guide and the documents that it links to as HTML pages by file name. The guide comes first.
pub fn guide_pages() -> impl Iterator<Item = (String, String)> {
    DOCUMENTS.iter().map(|(name, source)| (format!("{name}.html"), page(source)))
}
