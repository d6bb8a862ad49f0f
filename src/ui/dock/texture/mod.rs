//! Texture panel: image, channels and mip levels, with the UV layout of a surface.

mod canvas;
mod channel;

use std::collections::HashMap;
use std::sync::Arc;

use egui::{Panel, Ui, Vec2};

use channel::{Channel, UploadedImage};

use crate::ui::button::Button;
use crate::ui::{arrange, context, fonts, format, list, menu, paint, segmented_control, text, theme};
use maquette_assets::material::Image;
use maquette_core::inspect::{UvEdge, UvInfo, uv_edges};
use maquette_scene::scene::{Choices as _, Entity, EntityId};
use maquette_scene::session::{Action, SaveAction, SceneAction, Selection, Session};

/// Width of the facts, sufficient for a value of four numbers with three digits.
const FACTS: f32 = 264.0;
/// Minimum width of a panel with both the texture and the facts next to it. A narrower panel shows one of them, unless
/// the facts fit below the texture.
const FACTS_FROM: f32 = 520.0;
/// Minimum height of the facts below the texture, and their full height in one and in two columns.
const LEAST_UNDER: f32 = 96.0;
const ONE_COLUMN: f32 = 330.0;
const TWO_COLUMNS: f32 = 192.0;

#[derive(Default)]
pub struct State {
    /// Surface that was shown last. It is used while no surface is selected.
    surface: usize,
    part: Option<EntityId>,
    image: usize,
    channel: Channel,
    mip: usize,
    hides_lines: bool,
    shows_overlaps: bool,
    shows_facts: bool,
    shown: Option<UploadedImage>,
    /// UV statistics, with part number and surface as the key.
    facts: Option<((u64, usize), UvInfo)>,
    edges: HashMap<(u64, usize), Arc<[UvEdge]>>,
    /// Scale relative to the image fitted to the panel, and offset of its centre from the panel's centre, in points.
    zoom: f32,
    pan: Vec2,
    zooms_in: bool,
    followed: Option<(u64, Selection)>,
    pointed: Option<glam::Vec2>,
}

impl State {
    /// Returns a state that has only the switches, for when the panel closes.
    pub fn closed(&self) -> Self {
        let Self { hides_lines, shows_overlaps, shows_facts, .. } = *self;
        Self { hides_lines, shows_overlaps, shows_facts, ..Self::default() }
    }

    fn edges_of(&mut self, entity: &Entity, surface: usize) -> Arc<[UvEdge]> {
        let still = entity.model().surfaces().get(surface);
        let edges = || still.map_or_else(Vec::new, uv_edges).into();
        Arc::clone(self.edges.entry((entity.number, surface)).or_insert_with(edges))
    }
}

/// Number of frames after which the request for an image is dropped.
const WAIT_FRAMES: u64 = 3;

fn asked_id() -> egui::Id {
    egui::Id::unique("asked texture")
}

/// Requests the image with a path, among the images of the selected surface, for the panel's next frame.
pub fn show_texture(ctx: &egui::Context, path: &str) {
    let asked = (path.to_owned(), ctx.cumulative_pass_nr());
    ctx.data_mut(|data| data.insert_temp(asked_id(), asked));
}

/// Returns the index of the requested image. A surface that was selected with the request has it only in a later frame.
fn asked(ui: &Ui, images: &[(String, Arc<Image>)]) -> Option<usize> {
    let (path, since) = ui.data(|data| data.get_temp::<(String, u64)>(asked_id()))?;
    let passed = ui.ctx().cumulative_pass_nr().saturating_sub(since);
    let place = images.iter().position(|(known, _)| *known == path).filter(|_| passed > 0);
    if place.is_some() || passed > WAIT_FRAMES {
        ui.data_mut(|data| data.remove::<(String, u64)>(asked_id()));
    }
    place
}

struct Shown<'a> {
    session: &'a Session,
    entity: &'a Entity,
    surface: usize,
    /// Images of the surface with their paths, and the index of the displayed image.
    images: Vec<(String, Arc<Image>)>,
    image: usize,
}

impl Shown<'_> {
    fn image(&self) -> Option<&Arc<Image>> {
        self.images.get(self.image).map(|(_, image)| image)
    }
}

pub fn show(ui: &mut Ui, head: &mut Ui, session: &Session, state: &mut State, actions: &mut Vec<Action>) {
    let Some(entity) = session.entity() else { return };
    let surface = surface_of(session, entity, state);
    let Some(still) = entity.model().surfaces().get(surface) else {
        list::nothing(ui, "This model has no surfaces");
        return;
    };
    let images = images(entity, surface);
    state.image = asked(ui, &images).unwrap_or(state.image).min(images.len().saturating_sub(1));
    let shown = Shown { session, entity, surface, image: state.image, images };
    state.mip = state.mip.min(shown.image().map_or(0, |image| image.level_count()));
    let key = (entity.number, surface);
    if state.facts.as_ref().is_none_or(|(known, _)| *known != key) {
        state.facts = Some((key, UvInfo::from_surface(still)));
    }
    let aspect = shown.image().map_or(1.0, |image| image.width as f32 / image.height.max(1) as f32);
    let place = FactsPlace::of(ui.available_size(), aspect);
    self::head(head, &shown, place == FactsPlace::Instead, state, actions);
    let side = match place {
        FactsPlace::Right => Panel::right("facts").exact_size(FACTS),
        FactsPlace::Under(height) => Panel::bottom("facts").exact_size(height),
        FactsPlace::Instead if state.shows_facts => return facts(ui, &shown, state),
        FactsPlace::Instead => return canvas::show(ui, &shown, state, actions),
    };
    side.resizable(false).frame(egui::Frame::NONE).show(ui, |ui| facts(ui, &shown, state));
    canvas::show(ui, &shown, state, actions);
}

fn facts(ui: &mut Ui, shown: &Shown<'_>, state: &mut State) {
    ui.spacing_mut().item_spacing = Vec2::ZERO;
    // Texture and coordinates have separate columns if both fit.
    let has_columns = ui.available_width() >= 2.0 * FACTS;
    list::scroll(ui, "facts", |ui| {
        ui.add_space(6.0);
        let image = shown.images.get(state.image);
        // The selection comes first.
        if has_columns {
            ui.columns_const(|[left, right]| {
                texture_facts(left, image, state);
                chosen(right, shown);
                coordinate_facts(right, shown, state);
            });
        } else {
            chosen(ui, shown);
            texture_facts(ui, image, state);
            coordinate_facts(ui, shown, state);
        }
    });
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum FactsPlace {
    Right,
    /// Below the texture, with this height in points.
    Under(f32),
    Instead,
}

impl FactsPlace {
    /// Chooses the position of the facts in a panel of size `whole`, for a texture of this aspect ratio.
    fn of(whole: Vec2, aspect: f32) -> Self {
        let max = if whole.x >= 2.0 * FACTS { TWO_COLUMNS } else { ONE_COLUMN };
        let free = whole.y - whole.x / aspect;
        // A slightly smaller texture is better than a cut row.
        let under = if free > max - whole.y * 0.05 { max } else { free };
        match (under >= LEAST_UNDER, whole.x >= FACTS_FROM) {
            (true, _) => Self::Under(under),
            (false, true) => Self::Right,
            (false, false) => Self::Instead,
        }
    }
}

/// Returns the selected surface, or else the last shown surface, or else the first surface of the current level of
/// detail.
fn surface_of(session: &Session, entity: &Entity, state: &mut State) -> usize {
    let is_shown =
        |index: &usize| entity.model().surfaces().get(*index).is_some_and(|surface| surface.lod == entity.lod);
    let selected = session.document.selection.surface();
    let of_level = || (0..entity.model().surfaces().len()).find(is_shown);
    let surface = selected.or(Some(state.surface)).filter(is_shown).or_else(of_level).unwrap_or(0);
    if (state.part, state.surface) != (Some(entity.id), surface) {
        (state.part, state.surface) = (Some(entity.id), surface);
        state.image = 0;
        (state.zoom, state.pan) = (1.0, Vec2::ZERO);
    }
    surface
}

fn beside(session: &Session, entity: &Entity, surface: usize, image: Option<&Arc<Image>>) -> Vec<usize> {
    let Some(image) = image else { return Vec::new() };
    let wears =
        |other: &usize| *other != surface && images(entity, *other).iter().any(|(_, known)| Arc::ptr_eq(known, image));
    session.document.selected_surfaces().into_iter().filter(wears).collect()
}

/// Returns the images of a surface without duplicates: the main image, then the images of stages.
fn images(entity: &Entity, surface: usize) -> Vec<(String, Arc<Image>)> {
    let Some(material) = entity.materials().get(surface) else { return Vec::new() };
    let mut all: Vec<(String, Arc<Image>)> = Vec::new();
    all.extend(material.image.as_ref().map(|image| (material.path.clone(), Arc::clone(image))));
    for (path, image) in material.stage_images() {
        if !all.iter().any(|(_, known)| Arc::ptr_eq(known, image)) {
            all.push((if path.is_empty() { "generated image".to_owned() } else { path.to_owned() }, Arc::clone(image)));
        }
    }
    all
}

fn head(ui: &mut Ui, shown: &Shown<'_>, is_narrow: bool, state: &mut State, actions: &mut Vec<Action>) {
    ui.spacing_mut().item_spacing.x = 4.0;
    let Shown { session, entity, images, .. } = shown;
    let selection = session.document.selection;
    let has_element = matches!(selection, Selection::Triangle { .. } | Selection::Vertex { .. });
    // Long names must leave room for the controls after them.
    let width = ui.available_width();
    let max = (width - 270.0).clamp(40.0, (width * 0.3).max(40.0));
    let name = entity.surface_name(state.surface);
    let name = paint::shortened(ui.painter(), &name, &fonts::body(), max);
    let button = Button::new("Surface").word(&name).menu().tight().show(ui);
    // Without rows, this button takes the offered keyboard focus.
    list::accept_focus(&button);
    let names = context::surfaces_shown(entity).map(|index| (index, entity.surface_name(index)));
    if let Some(index) = menu::choose_below(&button, names, state.surface) {
        state.surface = index;
        actions.push(Action::Scene(SceneAction::Select(Selection::Surface(index))));
    }
    if images.len() > 1 {
        let word = images.get(state.image).map_or("", |(path, _)| file_name(path));
        let word = paint::shortened(ui.painter(), word, &fonts::body(), max);
        let button = Button::new("Texture").word(&word).menu().tight().show(ui);
        let names = images.iter().map(|(path, _)| file_name(path)).enumerate();
        state.image = menu::choose_below(&button, names, state.image).unwrap_or(state.image);
    }
    let channels = Channel::labelled();
    let width = segmented_control::width(ui, &channels);
    let overlaps = Button::new("Overlaps").on(state.shows_overlaps);
    let overlaps = overlaps.note("Hatch triangles that share texels; mirrored halves do not count");
    let with_word = overlaps.clone().word("Overlaps").tight();
    let icons = if is_narrow { 5.0 } else { 4.0 };
    let others = icons * 32.0 + with_word.width(ui) + 8.0;
    let room = ui.available_width() - others;
    if !images.is_empty() && room > width {
        let chosen = segmented_control::choose(ui, "Channel", egui::Role::RadioButton, &channels, state.channel);
        state.channel = chosen.unwrap_or(state.channel);
    } else if !images.is_empty() {
        let button = Button::new("Channel").word(state.channel.label()).menu().tight().show(ui);
        state.channel = menu::choose_below(&button, channels, state.channel).unwrap_or(state.channel);
    }
    let lines = Button::new("Show UV layout").icon(crate::ui::icons::UV).on(!state.hides_lines);
    if lines.show(ui).clicked() {
        state.hides_lines = !state.hides_lines;
    }
    let has_room = ui.available_width() >= others;
    let overlaps = if has_room { with_word } else { overlaps.icon(crate::ui::icons::LAYERS) };
    if overlaps.show(ui).clicked() {
        state.shows_overlaps = !state.shows_overlaps;
    }
    if let Some((path, image)) = images.get(state.image) {
        let save = Button::new("Save texture…")
            .icon(crate::ui::icons::DOWNLOAD)
            .note("Save the texture as PNG, texel by texel");
        if save.show(ui).clicked() {
            actions.push(Action::Save(SaveAction::SaveTexture(path.clone(), Arc::clone(image))));
        }
    }
    let fit = Button::new("Fit to panel").icon(crate::ui::icons::MAXIMIZE);
    if fit.show(ui).clicked() {
        (state.zoom, state.pan) = (1.0, Vec2::ZERO);
    }
    let zoom = Button::new("Zoom to selection").icon(crate::ui::icons::SEARCH);
    let is_left_out = !has_element && ui.available_width() < if is_narrow { 60.0 } else { 28.0 };
    if !is_left_out && zoom.enabled(has_element, "Select a triangle or a vertex").show(ui).clicked() {
        state.zooms_in = true;
    }
    if is_narrow {
        let facts = Button::new("Show details").icon(crate::ui::icons::INFO).on(state.shows_facts);
        if facts.note("Show size, format, texel, islands and overlaps").show(ui).clicked() {
            state.shows_facts = !state.shows_facts;
        }
    }
}

fn file_name(path: &str) -> &str {
    path.rsplit(['/', '\\']).next().unwrap_or(path)
}

fn texture_facts(ui: &mut Ui, image: Option<&(String, Arc<Image>)>, state: &mut State) {
    let tokens = theme::tokens(ui);
    match image {
        Some((path, image)) => {
            text::fact_about(ui, "Texture", file_name(path), Some(path));
            if image.is_pending() {
                text::fact(ui, "Size", &format::texture_size(image));
                return;
            }
            let is_square = image.width.is_power_of_two() && image.height.is_power_of_two();
            let size = format::texture_size(image);
            let about =
                (!is_square).then_some("The sides are not powers of two; the games scale the texture before drawing");
            text::fact_about(ui, "Size", &size, about);
            let kind = path.rsplit_once('.').map_or(String::new(), |(_, extension)| extension.to_uppercase());
            let alpha = if image.has_alpha { "RGBA" } else { "RGB" };
            text::fact(ui, "Format", format!("{kind} {alpha}").trim());
            text::fact(ui, "Memory", &format::bytes(u64::from(image.width) * u64::from(image.height) * 4));
            mip_row(ui, image, state);
            let texel = state.pointed.map(|uv| pointed(image, uv));
            let (place, colour) =
                texel.as_ref().map_or(("—", "—"), |(place, colour)| (place.as_str(), colour.as_str()));
            text::fact(ui, "Texel", place);
            text::fact_about(ui, "Colour", colour, Some("Red, green, blue and alpha of the texel"));
        }
        None => {
            text::note(ui, "No texture was found", tokens.warn);
        }
    }
}

fn coordinate_facts(ui: &mut Ui, shown: &Shown<'_>, state: &State) {
    let uv =
        state.pointed.map(|uv| format!("{} {}", format::fixed(f64::from(uv.x), 4), format::fixed(f64::from(uv.y), 4)));
    text::fact(ui, "UV", uv.as_deref().unwrap_or("—"));
    let Some((_, facts)) = &state.facts else { return };
    let all = shown.entity.model().surfaces().get(shown.surface).map_or(0, |surface| surface.triangles.len());
    let share = |count: usize| match count {
        0 => "none".to_owned(),
        count => format!("{} of {}", format::count(count), format::count(all)),
    };
    text::fact(ui, "Islands", &format::count(facts.islands));
    text::fact(ui, "Overlapping", &share(facts.overlapping.len()));
    text::fact(ui, "Outside 0–1", &share(facts.outside.len()));
    text::fact(ui, "Mirrored", &share(facts.mirrored));
    text::fact(ui, "Used", &format!("{} %", format::short(f64::from(facts.covered) * 100.0, 1)));
    ui.add_space(6.0);
}

/// Shows the corners of the selected triangle in texels; without an image, as texture coordinates.
fn chosen(ui: &mut Ui, shown: &Shown<'_>) {
    let Selection::Triangle { surface, triangle } = shown.session.document.selection else { return };
    let image = shown.image();
    let still = shown.entity.model().surfaces().get(surface).filter(|_| surface == shown.surface);
    let Some(still) = still else { return };
    let Some(corners) = canvas::corners(still, triangle) else { return };
    text::note(ui, &format!("Triangle {}", format::count(triangle)), theme::tokens(ui).text2);
    let size = image.map_or(glam::Vec2::ONE, |image| glam::vec2(image.width as f32, image.height as f32));
    let decimals = if image.is_some() { 2 } else { 4 };
    let [a, b, c] = corners.map(|uv| uv * size);
    for (name, corner) in [("Corner 1", a), ("Corner 2", b), ("Corner 3", c)] {
        let place = [corner.x, corner.y].map(|value| format::fixed(f64::from(value), decimals));
        text::fact_about(ui, name, &place.join(", "), image.map(|_| "In texels from the left and from the top"));
    }
    if image.is_some() {
        let area = (b - a).perp_dot(c - a).abs() / 2.0;
        text::fact(ui, "Area", &format!("{} texels", format::short(f64::from(area), 2)));
    }
    ui.add_space(6.0);
}

fn mip_row(ui: &mut Ui, image: &Image, state: &mut State) {
    let size = |level: usize| {
        let (width, height) = image.level_size(level);
        format!("{level}: {width} × {height}")
    };
    let word = size(state.mip);
    // Align the word, which follows the button's padding, with the column of values.
    let button = arrange::form_row(ui, list::INSET, list::NAMED - 7.0, "Mip level", |ui| {
        Button::new("Mip level").word(&word).menu().tight().show(ui)
    });
    let levels = (0..=image.level_count()).map(|level| (level, size(level)));
    state.mip = menu::choose_below(&button, levels, state.mip).unwrap_or(state.mip);
}

/// Returns position and colour of the texel at texture coordinates.
fn pointed(image: &Image, uv: glam::Vec2) -> (String, String) {
    let (x, y) = ((uv.x * image.width as f32).floor(), (uv.y * image.height as f32).floor());
    let [red, green, blue, alpha] = image.texel(x as i64, y as i64);
    (format!("{x}, {y}"), format!("{red} {green} {blue} {alpha}"))
}
