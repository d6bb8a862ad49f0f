//! Sections with sticky headings.

use std::collections::HashMap;

use egui::style::ScrollAnimation;
use egui::{Align, Id, Rect, Ui, vec2};

use crate::ui::{list, theme};

/// Height of the first rows of a revealed section.
const REVEALED: f32 = 180.0;

/// Open sections and their positions in the scroll area.
#[derive(Debug, Default)]
pub struct Sections {
    /// Sections that the user or the program opened or closed. All others have their default state.
    is_open: HashMap<&'static str, bool>,
    heights: HashMap<&'static str, f32>,
    /// The open section that is being laid out, and the top edge of its rows.
    current: Option<(&'static str, f32)>,
    sight: Option<Rect>,
    wanted: Option<&'static str>,
    /// Whether `wanted` is scrolled only as far as needed.
    is_revealed: bool,
    /// Whether `wanted` also gets the keyboard focus.
    wants_focus: bool,
    is_entered: bool,
    offering: Option<Id>,
    heading_focused: bool,
}

impl Sections {
    /// Prepares a frame. Call it before the first section, with the top edge of the scroll area.
    pub fn begin(&mut self, ui: &Ui, top: f32) {
        let clip = ui.clip_rect();
        self.sight = Some(clip.with_min_y(clip.top().max(top)));
        self.current = None;
        self.heading_focused = false;
    }

    pub fn open(&mut self, title: &'static str) {
        self.is_open.insert(title, true);
    }

    /// Opens a section and scrolls its heading to the top.
    pub fn go_to(&mut self, title: &'static str) {
        self.open(title);
        (self.wanted, self.is_revealed) = (Some(title), false);
    }

    /// Like [`Self::go_to`], but scrolls only until the heading and the first rows are visible.
    pub fn reveal(&mut self, title: &'static str) {
        self.go_to(title);
        self.is_revealed = true;
    }

    /// Like [`Self::go_to`], but also focuses the section's first row, or its heading if it has no rows.
    pub fn enter(&mut self, title: &'static str) {
        self.go_to(title);
        self.wants_focus = true;
    }

    /// Shows the heading of a section, which is open by default if `at_first`. Returns whether it is open, so that the
    /// caller shows its rows, and whether the user has just toggled it.
    pub fn section(&mut self, ui: &mut Ui, title: &'static str, count: &str, at_first: bool) -> (bool, bool) {
        self.end(ui);
        let sight = self.sight.unwrap_or(Rect::EVERYTHING);
        let was_open = self.is_open.get(title).copied().unwrap_or(at_first);
        let (_, place) = ui.allocate_space(vec2(ui.available_width(), list::HEADING));
        // A heading sticks to the top while any row of its section is visible; the next heading pushes it out.
        let rows = if was_open { self.heights.get(title).copied().unwrap_or(0.0) } else { 0.0 };
        let top = place.top().max(sight.top().min(place.top() + rows));
        let heading = place.translate(vec2(0.0, top - place.top()));
        let is_held = top > place.top();
        let mut open = was_open;
        let response = list::section(ui, heading, is_held, title, count, &mut open);
        self.heading_focused |= response.gained_focus();
        if self.wanted.take_if(|wanted| *wanted == title).is_some() {
            match self.is_revealed {
                true => ui.scroll_to_rect(place.with_max_y(place.bottom() + REVEALED), None),
                false => ui.scroll_to_rect(place, Some(Align::TOP)),
            }
            if std::mem::take(&mut self.wants_focus) {
                list::offer_focus(ui.ctx(), true);
                self.offering = Some(response.id);
                self.is_entered = true;
            }
        }
        if open != was_open {
            self.is_open.insert(title, open);
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

    /// Allocates a row that sticks below the heading while rows of the section are below it. Returns its rectangle.
    pub fn sticky(&self, ui: &mut Ui, height: f32) -> Rect {
        let (_, place) = ui.allocate_space(vec2(ui.available_width(), height));
        let end =
            self.current.map_or(place.bottom(), |(title, top)| top + self.heights.get(title).copied().unwrap_or(0.0));
        let top = ui.clip_rect().top().min(end - height).max(place.top());
        ui.painter().rect_filled(place.translate(vec2(0.0, top - place.top())), 0.0, theme::tokens(ui).panel);
        place.translate(vec2(0.0, top - place.top()))
    }

    /// Ends a section. Call it before content that is not a section.
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

    /// Ends the last section. Scrolls to a newly focused widget, so that the sticky heading does not hide it.
    pub fn finish(&mut self, ui: &mut Ui) {
        self.end(ui);
        // Drop requests for sections that were not shown, so that a later frame does not scroll to them.
        (self.wanted, self.wants_focus) = (None, false);
        if std::mem::take(&mut self.is_entered) {
            // The heading is already at the top, so only update the known focus.
            list::newly_focused(ui);
        } else {
            list::follow_focus_under(ui, if self.heading_focused { 0.0 } else { list::HEADING });
        }
    }
}
