//! User guide parsed from Markdown into chapters and blocks.

use pulldown_cmark::{Event, HeadingLevel, Options, Parser, Tag, TagEnd};

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Chapter {
    pub title: String,
    pub anchor: String,
    pub blocks: Vec<Block>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Block {
    /// Heading within a chapter, and its anchor.
    Heading(Text, String),
    Paragraph(Text),
    /// List item and its nesting depth, from 0.
    Item(Text, usize),
    /// Table: the header row, then the other rows.
    Table(Vec<Row>),
    Code(String),
    Picture {
        /// Description, shown as the caption.
        alt: String,
        /// File, relative to the guide's folder.
        file: String,
    },
}

pub type Row = Vec<Text>;

pub type Text = Vec<Span>;

/// Text with uniform formatting.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Span {
    pub text: String,
    /// Whether the text is bold or italic in the source.
    pub strong: bool,
    /// Whether the text is a key, or text to type.
    pub code: bool,
    pub link: Option<String>,
}

const OPTIONS: Options = Options::ENABLE_TABLES;

pub fn anchor_of(title: &str) -> String {
    let kept = title.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect::<String>().to_lowercase()
}

pub fn plain(text: &[Span]) -> String {
    text.iter().map(|span| span.text.as_str()).collect()
}

/// Parses the guide. Text before the first chapter becomes a chapter of its own.
pub fn read(source: &str) -> Vec<Chapter> {
    let mut reader = Reader::default();
    for event in Parser::new_ext(source, OPTIONS) {
        reader.take(event);
    }
    reader.chapters.retain(|chapter| !chapter.blocks.is_empty());
    reader.chapters
}

#[derive(Default)]
struct Reader {
    chapters: Vec<Chapter>,
    text: Text,
    strong: usize,
    link: Option<String>,
    lists: usize,
    table: Option<Vec<Row>>,
    code: Option<String>,
    picture: Option<(String, String)>,
}

impl Reader {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(tag),
            Event::End(tag) => self.end(tag),
            Event::Text(text) => self.words(&text, false),
            Event::Code(text) => self.words(&text, true),
            Event::SoftBreak | Event::HardBreak => self.words(" ", false),
            _ => {}
        }
    }

    fn words(&mut self, words: &str, code: bool) {
        if let Some(lines) = &mut self.code {
            lines.push_str(words);
            return;
        }
        if let Some((alt, _)) = &mut self.picture {
            alt.push_str(words);
            return;
        }
        let span = Span { text: words.to_owned(), strong: self.strong > 0, code, link: self.link.clone() };
        match self.text.last_mut() {
            Some(last) if (last.strong, last.code, &last.link) == (span.strong, span.code, &span.link) => {
                last.text.push_str(&span.text);
            }
            _ => self.text.push(span),
        }
    }

    fn start(&mut self, tag: Tag<'_>) {
        match tag {
            Tag::Strong | Tag::Emphasis => self.strong += 1,
            Tag::Link { dest_url, .. } => self.link = Some(dest_url.into_string()),
            Tag::Image { dest_url, .. } => self.picture = Some((String::new(), dest_url.into_string())),
            Tag::List(_) => {
                // Finish the item that contains the nested list.
                self.item();
                self.lists += 1;
            }
            Tag::Table(_) => self.table = Some(Vec::new()),
            Tag::TableHead | Tag::TableRow => self.table.iter_mut().for_each(|rows| rows.push(Row::new())),
            Tag::CodeBlock(_) => self.code = Some(String::new()),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Strong | TagEnd::Emphasis => self.strong = self.strong.saturating_sub(1),
            TagEnd::Link => self.link = None,
            TagEnd::Image => {
                let picture = self.picture.take();
                self.add(picture.map(|(alt, file)| Block::Picture { alt, file }));
            }
            TagEnd::Heading(level) => self.heading(level),
            TagEnd::Paragraph if self.lists == 0 => {
                let text = std::mem::take(&mut self.text);
                self.add((!text.is_empty()).then_some(Block::Paragraph(text)));
            }
            TagEnd::Item => self.item(),
            TagEnd::List(_) => self.lists = self.lists.saturating_sub(1),
            TagEnd::TableCell => {
                let cell = std::mem::take(&mut self.text);
                if let Some(row) = self.table.as_mut().and_then(|rows| rows.last_mut()) {
                    row.push(cell);
                }
            }
            TagEnd::Table => {
                let table = self.table.take();
                self.add(table.map(Block::Table));
            }
            TagEnd::CodeBlock => {
                let code = self.code.take();
                self.add(code.map(|lines| Block::Code(lines.trim_end().to_owned())));
            }
            _ => {}
        }
    }

    fn heading(&mut self, level: HeadingLevel) {
        let text = std::mem::take(&mut self.text);
        let title = plain(&text);
        let anchor = anchor_of(&title);
        match level {
            HeadingLevel::H1 => {
                self.chapters.push(Chapter { title: "Overview".to_owned(), anchor, blocks: Vec::new() })
            }
            HeadingLevel::H2 => self.chapters.push(Chapter { title, anchor, blocks: Vec::new() }),
            _ => self.add(Some(Block::Heading(text, anchor))),
        }
    }

    fn item(&mut self) {
        let text = std::mem::take(&mut self.text);
        // Skip the table of contents, because the list of chapters replaces it.
        let is_contents = matches!(text.as_slice(), [Span { link: Some(link), .. }] if link.starts_with('#'));
        let is_item = self.lists > 0 && !text.is_empty() && !is_contents;
        self.add(is_item.then(|| Block::Item(text, self.lists - 1)));
    }

    fn add(&mut self, block: Option<Block>) {
        if self.chapters.is_empty() {
            self.chapters.push(Chapter::default());
        }
        if let Some(chapter) = self.chapters.last_mut() {
            chapter.blocks.extend(block);
        }
    }
}

/// Returns the guide as an HTML page. Its images are in the folder `pictures` next to the page.
pub fn page(source: &str) -> String {
    let mut events: Vec<Event<'_>> = Parser::new_ext(source, OPTIONS).collect();
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
        "<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>Maquette: a guide</title>\n<style>\n\
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
