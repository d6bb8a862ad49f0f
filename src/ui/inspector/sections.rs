//! Headings of sections, each held at the top while its section scrolls by.

use std::collections::HashMap;

use egui::style::ScrollAnimation;
use egui::{Align, Id, Rect, Ui, vec2};

use crate::ui::list;

/// Which sections are open, and where they lie in the scroll.
#[derive(Debug, Default)]
pub struct Sections {
    /// What was opened or closed; the rest is as it is at first.
    wished: HashMap<&'static str, bool>,
    /// How high the rows of each section were in the last frame.
    heights: HashMap<&'static str, f32>,
    /// The open section that is laid out now, and where its rows begin.
    current: Option<(&'static str, f32)>,
    /// What is in sight of the scroll.
    sight: Option<Rect>,
    /// The section whose heading comes to the top.
    wanted: Option<&'static str>,
    /// The wanted section gets the keyboard, too.
    wants_focus: bool,
    is_entered: bool,
    /// The heading of the section whose first row is offered the keyboard.
    offering: Option<Id>,
    /// A heading has just got the keyboard.
    heading_focused: bool,
}

impl Sections {
    /// Before the first section; `top` is where the scroll's sight begins.
    pub fn begin(&mut self, ui: &Ui, top: f32) {
        let clip = ui.clip_rect();
        self.sight = Some(clip.with_min_y(clip.top().max(top)));
        self.current = None;
        self.heading_focused = false;
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

    /// Like [`Self::go_to`], and gives the keyboard to its first row, or to its heading if it has none.
    pub fn enter(&mut self, title: &'static str) {
        self.go_to(title);
        self.wants_focus = true;
    }

    /// Shows the heading of a section, which is open `at_first`. Gives whether it is open, so that its rows come next, and
    /// whether the user has just opened or closed it.
    pub fn section(&mut self, ui: &mut Ui, title: &'static str, count: &str, at_first: bool) -> (bool, bool) {
        self.end(ui);
        let sight = self.sight.unwrap_or(Rect::EVERYTHING);
        let was_open = self.wished.get(title).copied().unwrap_or(at_first);
        let (_, place) = ui.allocate_space(vec2(ui.available_width(), list::HEADING));
        // It stays in sight as long as any of its rows do, and is pushed out by the next one.
        let rows = if was_open { self.heights.get(title).copied().unwrap_or(0.0) } else { 0.0 };
        let top = place.top().max(sight.top().min(place.top() + rows));
        let heading = place.translate(vec2(0.0, top - place.top()));
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
            if is_held {
                ui.scroll_to_rect_animation(place, Some(Align::TOP), ScrollAnimation::none());
            }
        }
        if open {
            self.current = Some((title, place.bottom()));
            ui.set_clip_rect(sight.with_min_y(sight.top().max(heading.bottom())));
        }
        (open, open != was_open)
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
        ui.set_clip_rect(self.sight.unwrap_or(Rect::EVERYTHING));
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
