//! Headings of sections: each stays at the top while its section is scrolled through, and opens and closes by the user's
//! hand alone.

use std::collections::{BTreeMap, HashMap};

use egui::style::ScrollAnimation;
use egui::{Align, Id, Rect, Ui, pos2, vec2};

use crate::ui::list;

/// Which sections are open, and where they lie in the scroll.
#[derive(Debug)]
pub struct Sections {
    /// What was opened or closed; the rest is as it is at first.
    wished: HashMap<&'static str, bool>,
    /// What the user opened or closed by hand since the last frame, which is remembered.
    turned: Vec<(&'static str, bool)>,
    /// What was opened and closed in earlier sessions.
    remembered: BTreeMap<String, bool>,
    /// How high the rows of each section were in the last frame.
    heights: HashMap<&'static str, f32>,
    /// The open section that is laid out now, and where its rows begin.
    current: Option<(&'static str, f32)>,
    /// What is in sight of the scroll.
    sight: Rect,
    /// The section whose heading comes to the top.
    wanted: Option<&'static str>,
    /// It gets the keyboard, too.
    wants_focus: bool,
    /// It has just got it.
    is_entered: bool,
    /// The heading of the section whose first row is offered the keyboard.
    offering: Option<Id>,
    /// A heading has just got the keyboard.
    heading_focused: bool,
}

impl Default for Sections {
    fn default() -> Self {
        Self {
            wished: HashMap::new(),
            turned: Vec::new(),
            remembered: BTreeMap::new(),
            heights: HashMap::new(),
            current: None,
            sight: Rect::EVERYTHING,
            wanted: None,
            wants_focus: false,
            is_entered: false,
            offering: None,
            heading_focused: false,
        }
    }
}

impl Sections {
    /// Before the first section; `top` is where the scroll's sight begins.
    pub fn begin(&mut self, ui: &Ui, top: f32) {
        let clip = ui.clip_rect();
        self.sight = clip.with_min_y(clip.top().max(top));
        self.current = None;
        self.heading_focused = false;
    }

    /// Takes in what was opened and closed in earlier sessions.
    pub fn recall(&mut self, remembered: &BTreeMap<String, bool>) {
        if self.remembered != *remembered {
            self.remembered.clone_from(remembered);
        }
    }

    /// What the user opened or closed by hand since the last time.
    pub fn turned(&mut self) -> impl Iterator<Item = (&'static str, bool)> {
        self.turned.drain(..)
    }

    /// Opens a section.
    pub fn open(&mut self, title: &'static str) {
        self.wished.insert(title, true);
    }

    /// Opens a section and brings its heading to the top.
    pub fn go_to(&mut self, title: &'static str) {
        self.open(title);
        self.wanted = Some(title);
    }

    /// The same, and gives the keyboard to its first row, or to its heading if it has none.
    pub fn enter(&mut self, title: &'static str) {
        self.go_to(title);
        self.wants_focus = true;
    }

    /// The heading of a section; `at_first` tells whether it is open until the user opens or closes it. Gives whether it
    /// is open; its rows come next.
    pub fn section(&mut self, ui: &mut Ui, title: &'static str, count: &str, at_first: bool) -> bool {
        self.end(ui);
        let at_first = self.remembered.get(title).copied().unwrap_or(at_first);
        let was_open = self.wished.get(title).copied().unwrap_or(at_first);
        let (_, place) = ui.allocate_space(vec2(ui.available_width(), list::HEADING));
        // It stays in sight as long as any of its rows do, and is pushed out by the next one.
        let rows = if was_open { self.heights.get(title).copied().unwrap_or(0.0) } else { 0.0 };
        let top = place.top().max(self.sight.top().min(place.top() + rows));
        let heading = Rect::from_min_size(pos2(place.left(), top), place.size());
        let is_held = top > place.top();
        let mut open = was_open;
        let response = list::section(ui, heading, is_held, title, count, &mut open);
        self.heading_focused |= response.gained_focus();
        if self.wanted.take_if(|wanted| *wanted == title).is_some() {
            ui.scroll_to_rect(place, Some(Align::TOP));
            if std::mem::take(&mut self.wants_focus) {
                list::offer_focus(ui.ctx(), true);
                self.offering = Some(response.id);
                self.is_entered = true;
            }
        }
        if open != was_open {
            self.wished.insert(title, open);
            self.turned.push((title, open));
            if is_held {
                ui.scroll_to_rect_animation(place, Some(Align::TOP), ScrollAnimation::none());
            }
        }
        if open {
            self.current = Some((title, place.bottom()));
            ui.set_clip_rect(self.sight.with_min_y(self.sight.top().max(heading.bottom())));
        }
        open
    }

    /// After the last row of a section, where something else than a heading follows.
    pub fn end(&mut self, ui: &mut Ui) {
        if let Some(heading) = self.offering.take()
            && list::offer_focus(ui.ctx(), false)
        {
            ui.memory_mut(|memory| memory.request_focus(heading));
        }
        if let Some((title, top)) = self.current.take() {
            self.heights.insert(title, ui.cursor().top() - top);
        }
        ui.set_clip_rect(self.sight);
    }

    /// After the last section: what gets the keyboard comes into sight, under the heading that stays at the top.
    pub fn finish(&mut self, ui: &mut Ui) {
        self.end(ui);
        // What is not there now is not waited for.
        (self.wanted, self.wants_focus) = (None, false);
        if std::mem::take(&mut self.is_entered) {
            // Its heading is at the top already.
            list::newly_focused(ui);
        } else {
            list::follow_focus_under(ui, if self.heading_focused { 0.0 } else { list::HEADING });
        }
    }
}
