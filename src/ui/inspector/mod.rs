//! Inspector panel: sections about the selection, in one scroll area.

mod anchors;
mod character;
mod clips;
mod display;
mod effects;
mod element;
mod import;
mod issues;
mod materials;
mod measure;
mod model;
mod sections;
mod skins;
mod surfaces;
mod textures;

pub use character::size;
pub use import::UNITS as IMPORT_UNITS;
pub use issues::{counts as issue_counts, go_to as go_to_issue, sign as issue_sign, summary as issue_summary};
pub use materials::MATERIAL;
pub use measure::name as selection_name;
pub use model::frame_counts;

use std::collections::{HashMap, HashSet};

use egui::{Frame, Id, Margin, Role, ScrollArea, Ui};
use glam::Vec3;

use sections::Sections;

use super::kit::columns;
use super::kit::row::Row;
use super::thumbnails::Thumbnails;
use super::{arrange, context, field, fonts, format, list, menu, segmented_control, text, theme};
use maquette_assets::open::Anchor;
use maquette_assets::vfs::folder_of;
use maquette_scene::scene::{ClipChoice, Entity, EntityId};
use maquette_scene::session::{Action, Preference, Selection, Session, WindowAction};

struct Inspector<'a> {
    session: &'a Session,
    entity: &'a Entity,
    state: &'a mut State,
    thumbnails: &'a mut Thumbnails,
    actions: &'a mut Vec<Action>,
}

/// Function that returns the text at the right end of a section's heading. `None` hides the section.
type Count = fn(&Session, &Entity) -> Option<String>;

struct Section {
    title: &'static str,
    /// Search terms for the palette, which omits sections without terms.
    words: &'static str,
    of_character: bool,
    of_part: bool,
    opens: fn(&Session, &Entity) -> bool,
    count: Count,
    show: fn(&mut Ui, &mut Inspector<'_>),
}

impl Section {
    const fn new(title: &'static str, count: Count, show: fn(&mut Ui, &mut Inspector<'_>)) -> Self {
        Self { title, words: "", of_character: true, of_part: true, opens: |_, _| true, count, show }
    }

    const fn of_character(mut self) -> Self {
        self.of_part = false;
        self
    }

    const fn of_part(mut self) -> Self {
        self.of_character = false;
        self
    }

    const fn words(mut self, words: &'static str) -> Self {
        self.words = words;
        self
    }

    const fn opens(mut self, opens: fn(&Session, &Entity) -> bool) -> Self {
        self.opens = opens;
        self
    }

    fn count(&self, session: &Session, entity: &Entity) -> Option<String> {
        let applies = if session.document.selects_character() { self.of_character } else { self.of_part };
        applies.then(|| (self.count)(session, entity)).flatten()
    }
}

const TEXTURES: Section = Section::new(textures::TEXTURES, textures::count, textures::show)
    .words("images size used share texels density larger oversized state")
    .opens(textures::opens);

const SECTIONS: &[Section] = &[
    Section::new("Parts", character::part_count, character::parts).of_character(),
    TEXTURES.of_character(),
    Section::new("Character skin", character::skin_count, character::skin),
    Section::new("Motion", character::motion_count, character::motion),
    Section::new(element::VERTEX, element::vertex_number, element::vertex).of_part(),
    Section::new(element::TRIANGLE, element::triangle_number, element::triangle).of_part(),
    Section::new(measure::DISTANCE, measure::count, measure::show).of_part(),
    Section::new("Model", |_, _| Some(String::new()), model::show)
        .of_part()
        .words("facts frames triangles vertices size format version"),
    Section::new("Import", import::count, import::show)
        .of_part()
        .words("gltf blender forward axis scale unit frames per second rate obj handedness mirrored"),
    Section::new("Surfaces", surfaces::count, surfaces::show).of_part().words("meshes list triangles"),
    TEXTURES.of_part(),
    Section::new(materials::MATERIAL, materials::selected_name, materials::selected).of_part(),
    Section::new("Missing textures", materials::missing_count, materials::missing).of_part(),
    Section::new("In the game", materials::is_replaced, materials::in_game).of_part(),
    Section::new("Shader effects", effects::count, effects::show),
    Section::new("Skins", skins::count, skins::show).of_part().words("textures outfits"),
    Section::new("Clips", clips::count, clips::show).of_part().words("animations sequences list"),
    Section::new("Tags", anchors::tag_count, anchors::tags).of_part().words("attachment points list"),
    Section::new("Joints", anchors::joint_count, anchors::joints)
        .of_part()
        .opens(|_, _| false)
        .words("bones skeleton hierarchy weights list"),
    Section::new("Display", |_, _| Some(String::new()), display::show).opens(|_, _| false),
    Section::new("Issues", issues::count, issues::show).words("problems warnings errors list"),
];

/// A cached list. It is computed again if its key or the sorting changes.
#[derive(Default)]
struct Sorted<K, T> {
    by: columns::Sorting,
    known: Option<((K, columns::Sorting), T)>,
    is_used: bool,
}

impl<K: PartialEq, T> Sorted<K, T> {
    fn get(&mut self, key: K, make: impl FnOnce() -> T) -> &T {
        let key = (key, self.by);
        self.is_used = true;
        let known = self.known.take().filter(|(known, _)| *known == key);
        &self.known.insert(known.unwrap_or_else(|| (key, make()))).1
    }

    /// Drops a list that was not used since the last call.
    fn forget_unused(&mut self) {
        if !std::mem::take(&mut self.is_used) {
            self.known = None;
        }
    }
}

#[derive(Default)]
pub struct State {
    sections: Sections,
    surfaces: surfaces::Table,
    textures: textures::Table,
    /// Expanded search steps, by surface and step.
    unfolded: HashSet<(usize, usize)>,
    filters: HashMap<&'static str, String>,
    part: Option<EntityId>,
    selection: Selection,
    measured: Option<(EntityId, Selection)>,
    clip: Option<ClipChoice>,
    skin: Option<usize>,
    /// Whether to scroll to the row of the selection, which changed since the last frame.
    scrolls_to_selection: bool,
    scrolls_to_clip: bool,
    scrolls_to_skin: bool,
}

const FILTERED_FROM: usize = 9;

impl State {
    pub fn show_section(&mut self, title: &'static str, enters: bool) {
        if enters { self.sections.enter(title) } else { self.sections.go_to(title) }
    }

    /// Frees the caches, because no model is open.
    pub fn free_caches(&mut self) {
        self.textures.known = None;
    }

    /// Tracks changes of the selection, clip and skin. Opens the section of a new selection and scrolls to its row.
    fn follow(&mut self, session: &Session, entity: &Entity) {
        let is_other = self.part != Some(entity.id);
        if is_other {
            self.part = Some(entity.id);
            self.filters.clear();
            self.unfolded.clear();
            self.textures.known = None;
        }
        self.textures.forget_unused();
        let selection = session.document.selection;
        let (clip, skin) = (Some(entity.playback.choice), Some(entity.skin));
        // For another part, the panel starts at its top, unless that part has a selection.
        self.scrolls_to_selection = is_other || self.selection != selection;
        // If an element is selected, a changed clip must not scroll away from it.
        self.scrolls_to_clip = !is_other && self.clip.is_some() && self.clip != clip && selection == Selection::None;
        self.scrolls_to_skin = !is_other && self.skin.is_some() && self.skin != skin;
        (self.selection, self.clip, self.skin) = (selection, clip, skin);
        let measured = session.document.measured_from;
        let begins = self.measured != measured;
        self.measured = measured;
        if !self.scrolls_to_selection && !begins {
            return;
        }
        match selection {
            Selection::Surface(index) => {
                self.sections.open("Surfaces");
                // The material explains the problem of the surface.
                if entity.materials().get(index).is_some_and(|material| material.problem().is_some()) {
                    self.sections.reveal(materials::MATERIAL);
                    self.scrolls_to_selection = false;
                }
            }
            Selection::Tag(_) => self.sections.open("Tags"),
            Selection::Joint(_) => self.sections.open("Joints"),
            Selection::Vertex { .. } => self.sections.go_to(element::VERTEX),
            Selection::Triangle { .. } => self.sections.go_to(element::TRIANGLE),
            Selection::None => {}
        }
        // While the user measures, the distance is more important than the selected row.
        if measured.is_some() {
            self.sections.go_to(measure::DISTANCE);
            self.scrolls_to_selection = false;
        }
    }
}

impl Inspector<'_> {
    fn section(&mut self, ui: &mut Ui, section: &Section, count: &str) {
        let remembered = self.session.preferences.sections.get(section.title).copied();
        let at_first = remembered.unwrap_or_else(|| (section.opens)(self.session, self.entity));
        let (open, turned) = self.state.sections.section(ui, section.title, count, at_first);
        if turned {
            let preference = Preference::Section(section.title, open);
            self.actions.push(Action::Window(WindowAction::Prefer(preference)));
        }
        if open {
            ui.push_id(section.title, |ui| (section.show)(ui, self));
            ui.add_space(8.0);
        }
    }

    /// Shows a filter above a long list of items. Returns the indices of the matching names.
    fn filtered(
        &mut self,
        ui: &mut Ui,
        thing: &'static str,
        names: impl ExactSizeIterator<Item = impl AsRef<str>>,
    ) -> Vec<usize> {
        let count = names.len();
        let mut wanted = String::new();
        if count >= FILTERED_FROM {
            let hint = format!("Filter {thing}s");
            let place = self.state.sections.sticky(ui, field::HEIGHT + 4.0);
            let (id, filter) = (ui.scope_id().with((thing, "filter")), self.state.filters.entry(thing).or_default());
            let builder = egui::UiBuilder::new().max_rect(place).id_salt("filter");
            field::filter(&mut ui.new_child(builder), id, filter, &hint, list::EDGE);
            ui.set_clip_rect(ui.clip_rect().with_min_y(place.bottom().max(ui.clip_rect().top())));
            wanted = filter.to_lowercase();
        }
        if wanted.is_empty() {
            return (0..count).collect();
        }
        let fits = names.enumerate().filter(|(_, name)| name.as_ref().to_lowercase().contains(&wanted));
        let shown: Vec<usize> = fits.map(|(index, _)| index).collect();
        if shown.is_empty() {
            let nothing = Row::label(format!("No matching {thing}s")).colour(theme::tokens(ui).text2);
            nothing.inset(list::INSET).show(ui, "nothing");
        }
        shown
    }
}

/// Returns the title and search terms of each section that the palette lists.
pub fn sections(session: &Session) -> Vec<(&'static str, &'static str)> {
    let Some(entity) = session.entity() else { return Vec::new() };
    let is_there = |section: &&Section| !section.words.is_empty() && section.count(session, entity).is_some();
    SECTIONS.iter().filter(is_there).map(|section| (section.title, section.words)).collect()
}

pub fn show(ui: &mut Ui, session: &Session, state: &mut State, thumbnails: &mut Thumbnails, actions: &mut Vec<Action>) {
    let Some(entity) = session.entity() else { return };
    state.follow(session, entity);
    thumbnails.of_part(entity.number);
    ui.spacing_mut().item_spacing.y = 0.0;
    let mut panel = Inspector { session, entity, state, thumbnails, actions };
    head(ui, &mut panel);
    let of_character = session.document.selects_character();
    let mut names_part = !of_character && session.document.scene.entities().len() > 1;
    // The part's id in the salt resets the scroll position for another part.
    let salt = ("sections", (!of_character).then_some(entity.id));
    let top = ui.cursor().top();
    ScrollArea::vertical().id_salt(salt).auto_shrink([false, false]).show(ui, |ui| {
        ui.spacing_mut().item_spacing.y = 0.0;
        panel.state.sections.begin(ui, top);
        for section in SECTIONS {
            let Some(count) = section.count(session, entity) else { continue };
            if !section.of_character && std::mem::take(&mut names_part) {
                panel.state.sections.end(ui);
                part_name(ui, session, entity);
            }
            panel.section(ui, section, &count);
        }
        ui.add_space(12.0);
        panel.state.sections.finish(ui);
    });
}

fn head(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let scene = &panel.session.document.scene;
    let first = scene.entities().first().filter(|_| scene.character.is_some()).unwrap_or(panel.entity);
    let (asset, model) = (&first.asset, first.model());
    let game = asset.engine().short_name;
    let (title, what, place, file) = if let Some(character) = &scene.character {
        let shown = scene.entities().iter().filter(|entity| scene.shows(entity)).count();
        let what = format!("{game} character, {}", format::plural(shown, "part"));
        (character.name.clone(), what, folder_of(&asset.game_path), character.location.as_ref().or(asset.file.as_ref()))
    } else {
        let version = model.version().map_or(String::new(), |version| format!(", version {version}"));
        (asset.starred_name(), format!("{game} model{version}"), asset.game_path.as_str(), asset.file.as_ref())
    };
    let whole = file.map_or_else(|| place.to_owned(), |file| file.display().to_string());
    let ink = theme::tokens(ui).text2;
    let rows = [
        Row::heading(title).font(fonts::heading()).badge(model.format().title()).height(24.0),
        Row::label(what).colour(ink).height(20.0).without_keyboard(),
        Row::label(place).font(fonts::mono()).colour(ink).height(18.0).without_keyboard(),
    ];
    ui.add_space(10.0);
    let shown = rows.into_iter().enumerate().map(|(index, row)| row.copies(&whole, &whole).show(ui, ("head", index)));
    let response = shown.reduce(|above, below| above | below);
    ui.add_space(12.0);
    if let Some((file, response)) = file.zip(response) {
        menu::context(&response, |ui| {
            context::opened(ui, file, panel.actions);
            context::model(ui, panel.session, panel.actions);
        });
    }
}

/// Shows the part's name above the sections about the part.
fn part_name(ui: &mut Ui, session: &Session, entity: &Entity) {
    let tokens = theme::tokens(ui);
    let at = entity.attachment.as_ref().filter(|attachment| session.document.scene.entity(attachment.to).is_some());
    let place = at.map_or(String::new(), |attachment| match &attachment.anchor {
        Anchor::Origin => "at origin".to_owned(),
        anchor => format!("on {}", anchor.name()),
    });
    let top = ui.cursor().top() + 0.5;
    Frame::new().fill(tokens.bar).show(ui, |ui| {
        Row::heading(entity.asset.starred_name()).small_value(place).height(list::HEADING).show(ui, "part")
    });
    ui.painter().hline(ui.max_rect().x_range(), top, (1.0, tokens.line));
}

fn controls<R>(ui: &mut Ui, content: impl FnOnce(&mut Ui) -> R) -> R {
    arrange::form_row(ui, list::INSET, 0.0, "", content)
}

/// Shows content between the inset of the sections and the right edge, with margins above and below.
fn inset(ui: &mut Ui, room: i8, content: impl FnOnce(&mut Ui)) {
    let margin = Margin { left: list::INSET as i8, right: list::EDGE as i8, top: room, bottom: room };
    Frame::new().inner_margin(margin).show(ui, content);
}

/// Shows a position. With an id, its numbers are editable fields that move a tag, and the function returns the offset.
fn place_row(ui: &mut Ui, place: Vec3, edited: Option<Id>) -> Option<Vec3> {
    let Some(edited) = edited else {
        text::fact(ui, "Position", &numbers(place, 2, ""));
        return None;
    };
    let mut moved = None;
    let note = "Move the tag in every frame by the same distance";
    inset(ui, 3, |ui| moved = field::vector(ui, edited, "Position", note, place));
    moved.map(|moved| moved - place)
}

/// Shows the world position of a point if the part is attached.
fn world_row(ui: &mut Ui, entity: &Entity, place: Vec3) {
    if entity.attachment.is_some() {
        let text = numbers(entity.world_from_model.transform_point3(place), 2, "");
        text::fact_about(
            ui,
            "In the scene",
            &text,
            Some("Position in world space; the position above is in the space of the part"),
        );
    }
}

fn numbers(of: Vec3, decimals: usize, unit: &str) -> String {
    of.to_array().map(|number| format!("{}{unit}", format::fixed(f64::from(number), decimals))).join("  ")
}

fn segments<T: Copy + PartialEq>(ui: &mut Ui, name: &str, values: &[(T, impl AsRef<str>)], current: T) -> Option<T> {
    arrange::form_row(ui, list::INSET, list::NAMED, name, |ui| {
        segmented_control::choose_wide(ui, name, Role::RadioButton, values, current)
    })
}
