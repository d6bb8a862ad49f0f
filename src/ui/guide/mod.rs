//! User guide dialog: chapters and search at the left, text at the right.

mod document;
mod images;
mod prose;

use std::sync::LazyLock;

use egui::{Align, Frame, Id, Key, Margin, Modifiers, Panel, ScrollArea, Ui, vec2};

use super::{Button, Emphasis, Row, dialog, field, fonts, icons, list, theme};
use document::{Block, Chapter, plain};
use images::Images;
use maquette_scene::session::{Action, WindowAction};

const SOURCE: &str = include_str!("../../../docs/guide.md");
static CHAPTERS: LazyLock<Vec<Chapter>> = LazyLock::new(|| document::read(SOURCE));

const CHAPTERS_WIDTH: f32 = 224.0;
const NARROW_WIDTH: f32 = 152.0;
/// Maximum width of the text in points, because longer lines are hard to read.
const WIDEST: f32 = 620.0;
/// Distance in points by which an arrow key scrolls.
const LINE: f32 = 60.0;

#[derive(Default)]
pub struct State {
    open: bool,
    search: String,
    chapter: usize,
    /// Salt of the scroll area. With a new value, the text starts at its top.
    turn: u64,
    wanted: Option<String>,
    /// Search words to highlight in the chapter.
    marked: Vec<String>,
    /// Whether to scroll to the first highlighted block.
    reveal: bool,
    pictures: Images,
}

impl State {
    /// Frees everything except the current chapter when the dialog closes.
    pub fn closed(&mut self) {
        *self = Self { chapter: self.chapter, turn: self.turn, ..Self::default() };
    }

    fn go(&mut self, chapter: usize, heading: Option<String>) {
        self.marked = words_of(&self.search);
        self.reveal = heading.is_none() && !self.marked.is_empty();
        self.search.clear();
        (self.chapter, self.wanted) = (chapter, heading);
        self.turn += 1;
    }

    /// Goes to the chapter or heading of a link.
    fn follow(&mut self, anchor: &str) {
        let has = |chapter: &Chapter| chapter.blocks.iter().any(|block| is_heading(block, anchor));
        if let Some(index) = CHAPTERS.iter().position(|chapter| chapter.anchor == anchor) {
            self.go(index, None);
        } else if let Some(index) = CHAPTERS.iter().position(has) {
            self.go(index, Some(anchor.to_owned()));
        }
    }
}

fn is_heading(block: &Block, anchor: &str) -> bool {
    matches!(block, Block::Heading(_, own) if own == anchor)
}

/// Returns the titles of the guide's chapters in order.
#[must_use]
pub fn guide_chapters() -> Vec<&'static str> {
    CHAPTERS.iter().map(|chapter| chapter.title.as_str()).collect()
}

/// Returns the guide as an HTML page, and its images by relative path.
#[must_use]
pub fn guide_page() -> (String, &'static [(&'static str, &'static [u8])]) {
    (document::page(SOURCE), &images::FILES)
}

/// Splits a search text into words in lower case.
fn words_of(search: &str) -> Vec<String> {
    search.split_whitespace().map(str::to_lowercase).collect()
}

/// Common search terms that the guide does not use, and the guide's words for them.
const OTHER_WORDS: [(&str, &str); 14] = [
    ("armature", "joint"),
    ("capture", "save image"),
    ("culling", "backfaces"),
    ("hotkey", "shortcut"),
    ("keybinding", "shortcut"),
    ("lightmap", "shader"),
    ("material", "shader"),
    ("movie", "export animation"),
    ("picture", "image"),
    ("record", "export animation"),
    ("screenshot", "save image"),
    ("skeleton", "joint"),
    ("video", "export animation"),
    ("violet", "purple"),
];

/// Whether the text contains every word, or the guide's word for it.
fn has_all(text: &str, words: &[String]) -> bool {
    let text = text.to_lowercase();
    let guides = |word: &str| {
        let mut meant = OTHER_WORDS.iter().filter(|(other, _)| word.len() > 3 && other.starts_with(word));
        meant.any(|(_, own)| text.contains(own))
    };
    words.iter().all(|word| text.contains(word) || guides(word))
}

/// Returns the block if it contains all words. For a table, returns the header row and the matching rows.
fn found_in(block: &Block, words: &[String]) -> Option<Block> {
    let fits = |text: &str| has_all(text, words);
    match block {
        Block::Heading(text, _) | Block::Paragraph(text) | Block::Item(text, _) => {
            fits(&plain(text)).then(|| block.clone())
        }
        Block::Code(lines) => fits(lines).then(|| block.clone()),
        Block::Picture { .. } => None,
        Block::Table(rows) => {
            let (head, rest) = rows.split_first()?;
            let row_fits =
                |row: &&document::Row| fits(&row.iter().map(|cell| plain(cell)).collect::<Vec<_>>().join(" "));
            let found: Vec<_> = rest.iter().filter(row_fits).cloned().collect();
            let rows = |found| std::iter::once(head.clone()).chain(found).collect();
            (!found.is_empty()).then(|| Block::Table(rows(found)))
        }
    }
}

fn hits(found: &[Block]) -> usize {
    found.iter().map(|block| if let Block::Table(rows) = block { rows.len() - 1 } else { 1 }).sum()
}

/// Shows the dialog. Returns whether it should close.
pub fn show(root: &Ui, memory: &mut State, actions: &mut Vec<Action>) -> bool {
    let first = !std::mem::replace(&mut memory.open, true);
    dialog::show_sized(root, "User guide", vec2(920.0, 720.0), |ui| {
        let words = words_of(&memory.search);
        let in_chapter =
            |chapter: &Chapter| chapter.blocks.iter().filter_map(|block| found_in(block, &words)).collect();
        let searched = CHAPTERS.iter().filter(|_| !words.is_empty());
        let found: Vec<Vec<Block>> = searched.map(in_chapter).collect();
        let width = if ui.available_width() < 700.0 { NARROW_WIDTH } else { CHAPTERS_WIDTH };
        let top = ui.max_rect();
        ui.painter().hline(top.x_range(), top.top() - 0.5, (1.0, theme::tokens(ui).line));
        let left = Panel::left("chapters").exact_size(width).resizable(false).frame(Frame::NONE);
        left.show(ui, |ui| chapters(ui, memory, &found, first, actions));
        text(ui, memory, &words, &found);
    })
}

fn chapters(ui: &mut Ui, memory: &mut State, found: &[Vec<Block>], first: bool, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.y = 0.0;
    let tokens = theme::tokens(ui);
    ui.add_space(12.0);
    let id = Id::unique("guide search");
    if field::filter(ui, id, &mut memory.search, "Search the guide", 12.0) {
        memory.turn += 1;
    }
    if first {
        ui.ctx().memory_mut(|memory| memory.request_focus(id));
    }
    ui.add_space(8.0);
    let room = ui.available_height() - 40.0;
    ScrollArea::vertical().auto_shrink([false, false]).max_height(room).show(ui, |ui| {
        for (index, chapter) in CHAPTERS.iter().enumerate() {
            let hits = found.get(index).map(|found| hits(found));
            let row = Row::new(&chapter.title).inset(dialog::EDGE).loses_end();
            let row = if hits == Some(0) { row.colour(tokens.text2) } else { row };
            let row = hits.filter(|hits| *hits > 0).into_iter().fold(row, |row, hits| row.value(hits.to_string()));
            let row = row.selected(hits.is_none() && index == memory.chapter);
            if row.show(ui, ("chapter", index)).clicked() {
                memory.go(index, None);
            }
        }
        list::follow_focus(ui);
    });
    Frame::new().inner_margin(Margin::symmetric(8, 4)).show(ui, |ui| {
        let browser = Button::new("Open in browser").icon(icons::OUTSIDE).word("Open in browser");
        browser.push(ui, Action::Window(WindowAction::OpenGuideInBrowser), actions);
    });
}

fn text(ui: &mut Ui, memory: &mut State, words: &[String], found: &[Vec<Block>]) {
    let mut link = None;
    let scroll = ScrollArea::vertical().id_salt(("guide", memory.turn)).auto_shrink([false, false]);
    scroll.show(ui, |ui| {
        scroll_by_keys(ui);
        let inset = if ui.available_width() < 480.0 { 16 } else { 28 };
        Frame::new().inner_margin(Margin { top: 16, bottom: 24, ..Margin::symmetric(inset, 0) }).show(ui, |ui| {
            ui.set_max_width(WIDEST.min(ui.available_width()));
            ui.spacing_mut().item_spacing.y = 0.0;
            link = if words.is_empty() { chapter(ui, memory) } else { results(ui, memory, words, found) };
        });
        list::follow_focus(ui);
    });
    if let Some(link) = link {
        match link.strip_prefix('#') {
            Some(anchor) => memory.follow(anchor),
            None => ui.ctx().open_url(egui::OpenUrl::new_tab(link)),
        }
    }
}

fn chapter(ui: &mut Ui, memory: &mut State) -> Option<String> {
    let chapter = CHAPTERS.get(memory.chapter)?;
    let mut link = None;
    prose::heading(ui, &chapter.title, &memory.marked, true);
    for block in &chapter.blocks {
        let top = ui.cursor().top();
        link = prose::block(ui, block, &memory.marked, &mut memory.pictures).or(link);
        let is_wanted = memory.wanted.as_ref().is_some_and(|wanted| is_heading(block, wanted));
        // Scroll to the first match, unless it is visible from the chapter's start.
        let is_found = memory.reveal && found_in(block, &memory.marked).is_some();
        if is_wanted || is_found {
            memory.reveal = false;
            let place = ui.max_rect().with_min_y(top).with_max_y(ui.cursor().top());
            if is_wanted {
                ui.scroll_to_rect(place, Some(Align::TOP));
            } else {
                list::bring_into_sight(ui, place);
            }
        }
    }
    // Scroll only once.
    (memory.wanted, memory.reveal) = (None, false);
    if let Some(next) = CHAPTERS.get(memory.chapter + 1) {
        ui.add_space(12.0);
        let word = format!("Next: {}", next.title);
        let button = Button::new(&word).word(&word).icon(icons::CHEVRON_RIGHT).rank(Emphasis::Raised);
        link = button.show(ui).clicked().then(|| format!("#{}", next.anchor)).or(link);
    }
    link
}

fn results(ui: &mut Ui, memory: &mut State, words: &[String], found: &[Vec<Block>]) -> Option<String> {
    let mut link = None;
    for (chapter, blocks) in CHAPTERS.iter().zip(found).filter(|(_, blocks)| !blocks.is_empty()) {
        let title = egui::RichText::new(&chapter.title).font(fonts::heading()).color(theme::tokens(ui).link);
        if ui.link(title).clicked() {
            link = Some(format!("#{}", chapter.anchor));
        }
        ui.add_space(8.0);
        for block in blocks {
            link = prose::block(ui, block, words, &mut memory.pictures).or(link);
        }
        ui.add_space(16.0);
    }
    if found.iter().all(Vec::is_empty) {
        let none = format!("No results for “{}”", memory.search.trim());
        ui.add(egui::Label::new(egui::RichText::new(none).color(theme::tokens(ui).text2)).wrap());
    }
    link
}

/// Scrolls the text by keys, even while the search field has the keyboard focus.
fn scroll_by_keys(ui: &Ui) {
    let free = ui.memory(|memory| memory.focused()).is_none_or(|focused| focused == Id::unique("guide search"));
    let page = ui.clip_rect().height() - LINE;
    let keys = [
        (Key::PageDown, -page, true),
        (Key::PageUp, page, true),
        (Key::ArrowDown, -LINE, false),
        (Key::ArrowUp, LINE, false),
    ];
    for (key, points, always) in keys {
        if (free || always) && ui.input_mut(|input| input.consume_key(Modifiers::NONE, key)) {
            ui.scroll_with_delta(vec2(0.0, points));
        }
    }
}
