//! Find by typing: every command, every model of the list, every clip, skin, surface, tag and joint of what stands there.

use std::path::PathBuf;

use egui::{Area, Frame, Id, Key, Margin, Modifiers, Order, Rect, Role, ScrollArea, Sense, Ui, WidgetInfo};
use egui::{pos2, vec2};

use super::theme::CORNER;
use super::{access, button, dialog, field, fonts, icons, inspector, keys, paint, theme, timeline};
use crate::model::Format;
use crate::scene::{ClipChoice, EntityId, LightingMode, Shading, Tone};
use crate::session::{
    Action, COMMANDS, ClockAction, Command, Dialog, DisplayAction, FileAction, SceneAction, Selection, Session,
    WindowAction,
};

/// Height of a row.
const ROW: f32 = 30.0;
/// Entries shown at most; one more letter finds the rest.
const MOST: usize = 200;
/// How far down what cannot be done now stands.
const UNUSABLE: u32 = 1 << 20;

/// Something that can be found.
#[derive(Clone, Debug)]
struct Entry {
    /// What it is called.
    name: String,
    /// What kind of thing, or where it is.
    what: String,
    icon: &'static str,
    command: Option<&'static Command>,
    actions: Vec<Action>,
    usable: bool,
}

/// What the palette remembers for itself.
#[derive(Debug, Default)]
pub struct Memory {
    query: String,
    open: bool,
    cursor: usize,
    /// What was found for which query on which stage.
    found: Option<(String, u64, Vec<Entry>)>,
    /// The cursor's row is to be brought into sight.
    bring: bool,
}

impl Memory {
    /// The palette is not shown.
    pub fn closed(&mut self) {
        *self = Self::default();
    }

    /// Looks for what the query asks for, if that or the scene is another one.
    fn look(&mut self, session: &Session, stage: u64) {
        let is_known = self.found.as_ref().is_some_and(|(query, on, _)| *query == self.query && *on == stage);
        if !is_known {
            let found = find(session, &self.query);
            self.found = Some((self.query.clone(), stage, found));
            (self.cursor, self.bring) = (0, true);
        }
    }
}

/// How well words fit a name: lower is better, none not at all. Every word must be in it; its start counts most, then
/// the start of one of its words.
fn fit(words: &[&str], name: &str, what: &str) -> Option<u32> {
    let (name, what) = (name.to_lowercase(), what.to_lowercase());
    let mut sum = 0;
    for word in words {
        sum += match name.find(word) {
            Some(0) => 0,
            Some(at) if !name.as_bytes().get(at - 1).is_some_and(u8::is_ascii_alphanumeric) => 1,
            Some(_) => 3,
            None if what.contains(word) => 5,
            None => return None,
        };
    }
    Some(sum)
}

/// Everything that fits a query, the best first.
fn find(session: &Session, query: &str) -> Vec<Entry> {
    let lower = query.to_lowercase();
    let words: Vec<&str> = lower.split_whitespace().collect();
    let mut found: Vec<(u32, Entry)> = Vec::new();
    let mut add = |bonus: u32, name: &str, what: &str, entry: &dyn Fn() -> Entry| {
        if let Some(fit) = fit(&words, name, what) {
            let entry = entry();
            // A whole name comes first; what cannot be done now comes last.
            let is_exact = !lower.is_empty() && name.to_lowercase() == lower.trim();
            let base = if is_exact { 0 } else { 1 + fit * 4 + bonus };
            found.push((if entry.usable { base } else { base + UNUSABLE }, entry));
        }
    };
    for command in
        COMMANDS.iter().filter(|command| command.action != Action::Window(WindowAction::ToggleDialog(Dialog::Palette)))
    {
        add(0, command.label, command.group.label(), &|| Entry {
            name: command.label_now(session),
            what: command.group.label().to_owned(),
            icon: icons::ENTER,
            command: Some(command),
            actions: vec![command.action.clone()],
            usable: (command.enabled)(session),
        });
    }
    let entry = |name: &str, what: String, icon, actions| Entry {
        name: name.to_owned(),
        what,
        icon,
        command: None,
        actions,
        usable: true,
    };
    if !words.is_empty() {
        of_stage(session, &entry, &mut add);
        of_menus(&entry, &mut add);
        if let Some(frame) =
            words.iter().find_map(|word| word.parse::<f64>().ok()).filter(|_| session.asset().is_some())
        {
            let name = format!("Go to frame {frame}");
            add(0, &format!("{name} {lower}"), "Animation", &|| {
                entry(&name, "Animation".to_owned(), icons::FORWARD, vec![Action::Clock(ClockAction::Seek(frame))])
            });
        }
        let paths = session.model_list.iter().map(|path| (path, "Model"));
        for (path, what) in paths.chain(session.preferences.recent.iter().map(|path| (path, "Opened before"))) {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            let folder = path.parent().map(|folder| folder.to_string_lossy()).unwrap_or_default();
            let action = || if what == "Model" { Action::File(FileAction::Show(path.clone())) } else { open(path) };
            add(2, &name, &folder, &|| entry(&name, format!("{what} in {folder}"), icons::FILE, vec![action()]));
        }
    }
    found.sort_by_key(|(score, _)| *score);
    found.into_iter().map(|(_, entry)| entry).take(MOST).collect()
}

fn open(path: &std::path::Path) -> Action {
    Action::File(FileAction::Open(vec![PathBuf::from(path)]))
}

type MakeEntry<'a> = &'a dyn Fn(&str, String, &'static str, Vec<Action>) -> Entry;
type AddEntry<'a> = &'a mut dyn FnMut(u32, &str, &str, &dyn Fn() -> Entry);

/// Adds what the entities in the scene have.
fn of_stage(session: &Session, entry: MakeEntry<'_>, add: AddEntry<'_>) {
    let choose = |entity: EntityId, selection| vec![Action::Scene(SceneAction::SelectIn(entity, selection))];
    for entity in session.document.scene.entities() {
        let (model, label) = (entity.model(), entity.label());
        for (index, clip) in timeline::named_clips(entity).iter().enumerate() {
            let play = || vec![Action::Clock(ClockAction::ChooseClipOf(entity.id, ClipChoice::Clip(index)))];
            add(1, &clip.name, "Play clip", &|| {
                entry(&clip.name, format!("Play clip of {label}"), icons::PLAY, play())
            });
        }
        for (index, tag) in model.tags().iter().enumerate() {
            add(1, tag, "Tag", &|| {
                entry(tag, format!("Tag of {label}"), icons::TAG, choose(entity.id, Selection::Tag(index)))
            });
        }
        for index in 0..model.surfaces().len() {
            let name = inspector::surface_name(entity, index);
            add(1, &name, "Surface", &|| {
                let selection = Selection::Surface(index);
                entry(&name, format!("Surface of {label}"), icons::TRIANGLE, choose(entity.id, selection))
            });
        }
        for (index, joint) in model.joints().iter().enumerate().filter(|(_, joint)| !joint.name.is_empty()) {
            add(2, &joint.name, "Joint", &|| {
                entry(&joint.name, format!("Joint of {label}"), icons::BONE, choose(entity.id, Selection::Joint(index)))
            });
        }
    }
    let mut names = session.skin_names();
    if let Some(entity) = session.entity().filter(|entity| names.is_empty() && entity.asset.skins.len() > 1) {
        names = entity.asset.skins.iter().map(|skin| skin.name.clone()).collect();
    }
    for name in &names {
        add(1, name, "Wear skin", &|| {
            entry(
                name,
                "Wear skin".to_owned(),
                icons::PALETTE,
                vec![Action::Scene(SceneAction::ChooseSkinOfAll(name.clone()))],
            )
        });
    }
}

/// Adds what else stands in menus and has no command of its own.
fn of_menus(entry: MakeEntry<'_>, add: AddEntry<'_>) {
    for format in Format::ALL {
        let name = format!("Open sample {}", format.name().to_uppercase());
        add(2, &name, "File", &|| {
            entry(&name, "File".to_owned(), icons::PERSON, vec![Action::File(FileAction::OpenSample(format))])
        });
    }
    for (name, tone) in [
        ("Light appearance", Some(Tone::Light)),
        ("Dark appearance", Some(Tone::Dark)),
        ("Appearance of the system", None),
    ] {
        add(2, name, "View", &|| {
            entry(name, "View".to_owned(), icons::SUN, vec![Action::Window(WindowAction::SetTone(tone))])
        });
    }
    for shading in Shading::ALL {
        let name = format!("Shading: {}", shading.label().to_lowercase());
        add(2, &name, "Display", &|| {
            entry(
                &name,
                "Display".to_owned(),
                icons::PALETTE,
                vec![Action::Display(DisplayAction::SetShading(shading))],
            )
        });
    }
    for lighting in LightingMode::ALL {
        let name = format!("Look: {}", lighting.label().to_lowercase());
        add(2, &name, "Display", &|| {
            entry(
                &name,
                "Display".to_owned(),
                icons::PALETTE,
                vec![Action::Display(DisplayAction::SetLighting(lighting))],
            )
        });
    }
}

/// Shows the palette below the top bar.
pub fn show(root: &Ui, session: &Session, memory: &mut Memory, actions: &mut Vec<Action>) {
    let screen = root.ctx().content_rect();
    let close = dialog::veil(root, "palette");
    let width = 560.0_f32.min(screen.width() - 24.0).max(0.0);
    let corner = pos2((screen.center().x - width / 2.0).round(), screen.top() + 6.0);
    let highest = (screen.height() - 24.0 - 48.0).clamp(0.0, ROW * 12.0);
    let stage = session.document.scene.entities().iter().map(|entity| entity.number).sum::<u64>()
        + session.model_list.len() as u64;
    memory.look(session, stage);
    let mut done = None;
    let area = Area::new(Id::unique("palette")).order(Order::Foreground).role(Role::Dialog).accessible_name("Find");
    area.fixed_pos(corner).show(root.ctx(), |ui| {
        ui.ctx().memory_mut(|memory| memory.set_modal_layer(ui.layer_id()));
        let tokens = theme::tokens(ui);
        let frame = Frame::new()
            .fill(tokens.pop)
            .stroke((1.0, tokens.line))
            .corner_radius(theme::CARD_CORNER)
            .shadow(ui.visuals().popup_shadow)
            .inner_margin(Margin::same(4));
        frame.show(ui, |ui| {
            ui.set_width(width - 8.0);
            // Room for a longer list than the last one.
            ui.set_max_height(highest + 60.0);
            ui.spacing_mut().item_spacing.y = 0.0;
            let id = Id::unique("palette field");
            ui.add_space(2.0);
            // Before the field sees them.
            steer(ui, memory);
            if ui.input(|input| input.key_pressed(Key::Enter)) {
                done = Some(memory.cursor);
            }
            field::filter(ui, id, &mut memory.query, "Find an action, a model, a clip, a tag …", 2.0);
            // What is typed and confirmed in one frame is what is meant.
            memory.look(session, stage);
            // Enter takes the keyboard from the field, which is still wanted if there was nothing to do.
            if !memory.open || done.is_some() {
                memory.open = true;
                ui.ctx().memory_mut(|memory| memory.request_focus(id));
            }
            ui.add_space(4.0);
            done = rows(ui, memory, highest).or(done);
            ui.add_space(2.0);
        });
        access::modal(ui, ui.min_rect());
    });
    let chosen = done.and_then(|row| memory.found.as_ref()?.2.get(row)).filter(|entry| entry.usable);
    if let Some(entry) = chosen {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
        actions.extend(entry.actions.iter().cloned());
    } else if close {
        actions.push(Action::Window(WindowAction::ToggleDialog(Dialog::Palette)));
    }
}

/// Up and down move the cursor.
fn steer(ui: &Ui, memory: &mut Memory) {
    let count = memory.found.as_ref().map_or(0, |(_, _, found)| found.len());
    if count == 0 {
        return;
    }
    let before = memory.cursor;
    let last = count - 1;
    ui.input_mut(|input| {
        let mut pressed = |key| input.count_and_consume_key(Modifiers::NONE, key);
        let (down, up) = (pressed(Key::ArrowDown), pressed(Key::ArrowUp));
        let (page_down, page_up) = (pressed(Key::PageDown), pressed(Key::PageUp));
        memory.cursor = (memory.cursor + down + page_down * 10).min(last).saturating_sub(up + page_up * 10);
    });
    memory.bring |= memory.cursor != before;
}

fn rows(ui: &mut Ui, memory: &mut Memory, highest: f32) -> Option<usize> {
    let Some((_, _, found)) = &memory.found else { return None };
    let tokens = theme::tokens(ui);
    if found.is_empty() {
        let (rect, response) = ui.allocate_exact_size(vec2(ui.available_width(), ROW), Sense::hover());
        let text = "Nothing is called like this";
        response.widget_info(|| WidgetInfo::labeled(Role::Label, true, text));
        paint::text_in(ui.painter(), rect.shrink2(vec2(12.0, 0.0)), text, fonts::body(), tokens.text2);
        return None;
    }
    let mut clicked = None;
    let bring = std::mem::take(&mut memory.bring);
    // No bar where all is in sight.
    let bar = egui::scroll_area::ScrollBarVisibility::VisibleWhenNeeded;
    ScrollArea::vertical().scroll_bar_visibility(bar).max_height(highest).auto_shrink([false, true]).show_viewport(
        ui,
        |ui, sight| {
            ui.set_height(ROW * found.len() as f32);
            let area = ui.max_rect();
            let place =
                |row: usize| Rect::from_min_size(area.min + vec2(0.0, row as f32 * ROW), vec2(area.width() - 6.0, ROW));
            if bring {
                ui.scroll_to_rect_animation(place(memory.cursor), None, egui::style::ScrollAnimation::none());
            }
            let first = (sight.top() / ROW).floor().max(0.0) as usize;
            let end = ((sight.bottom() / ROW).ceil().max(0.0) as usize + 1).min(found.len());
            for (row, entry) in found.iter().enumerate().take(end).skip(first) {
                if show_entry(ui, place(row), row, entry, row == memory.cursor) {
                    clicked = Some(row);
                }
            }
        },
    );
    clicked
}

fn show_entry(ui: &Ui, rect: Rect, row: usize, entry: &Entry, chosen: bool) -> bool {
    let tokens = theme::tokens(ui);
    // The field keeps the keyboard.
    let response = ui.interact(rect, ui.scope_id().with(("entry", row)), Sense::CLICK);
    let name = format!("{}, {}", entry.name, entry.what);
    access::choosable(&response, Role::ListItem, entry.usable, chosen, &name);
    if chosen {
        paint::fill(ui.painter(), rect, CORNER, tokens.selected);
    } else if response.hovered() {
        paint::fill(ui.painter(), rect, CORNER, tokens.hover);
    }
    let faint = |colour: egui::Color32| if entry.usable { colour } else { colour.gamma_multiply(0.55) };
    let icon = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(14.0, rect.height()));
    paint::icon(ui.painter(), icon, entry.icon, 14.0, faint(tokens.text2));
    let mut right = rect.right() - 8.0;
    let keys = entry.command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        right = paint::key_cap(ui, pos2(right, rect.center().y), &keys).left() - 8.0;
    }
    let half = rect.left() + rect.width() * 0.55;
    let own = Rect::from_min_max(pos2(rect.left() + 30.0, rect.top()), pos2(half, rect.bottom()));
    let own = paint::name_in(ui.painter(), own, &entry.name, fonts::body(), faint(tokens.text));
    let what = Rect::from_min_max(pos2(own.right() + 10.0, rect.top()), pos2(right, rect.bottom()));
    paint::name_in(ui.painter(), what, &entry.what, fonts::small(), faint(tokens.text2));
    response.clicked()
}

/// The field in the top bar that opens the palette: `text` in it, as wide as `rect`.
pub fn door(ui: &Ui, rect: Rect, text: &str, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let action = Action::Window(WindowAction::ToggleDialog(Dialog::Palette));
    let response = ui.interact(rect, ui.scope_id().with("palette door"), Sense::click());
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, "Find an action or a model"));
    paint::fill(ui.painter(), rect, CORNER, tokens.field);
    let edge = if response.hovered() { tokens.text3 } else { tokens.line };
    paint::outline(ui.painter(), rect, CORNER, 1.0, edge);
    if response.has_focus() {
        button::focus_ring(ui, rect, 0.0);
    }
    let icon = Rect::from_min_size(rect.min + vec2(8.0, 0.0), vec2(14.0, rect.height()));
    paint::icon(ui.painter(), icon, icons::SEARCH, 14.0, tokens.text2);
    let mut right = rect.right() - 8.0;
    let command = crate::session::command_for(&action);
    let keys = command.map_or(String::new(), |command| keys::shown(ui.ctx(), command));
    if !keys.is_empty() {
        right = paint::key_cap(ui, pos2(right, rect.center().y), &keys).left() - 8.0;
    }
    let room = Rect::from_min_max(pos2(rect.left() + 29.0, rect.top()), pos2(right, rect.bottom()));
    paint::name_in(ui.painter(), room, text, fonts::body(), tokens.text2);
    if response.clicked() {
        actions.push(action);
    }
}
