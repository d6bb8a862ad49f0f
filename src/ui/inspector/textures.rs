//! The section Textures: how large each is and what the model uses of it; a click selects the surfaces and shows their UVs.

use std::cmp::Reverse;

use egui::{Rect, Ui, pos2, vec2};

use super::{State, columns, materials};
use crate::ui::thumbnails::Thumbnails;
use crate::ui::{dock, fonts, format, icons, list, paint, theme};
use maquette_assets::vfs::name_of;
use maquette_scene::scene::{
    Entity, EntityId, TextureKey, TextureUsage, worn_textures, worn_textures_key, worn_textures_of_all,
};
use maquette_scene::session::{Action, DockTab, SceneAction, Selection, Session, WindowAction};

/// The section's title.
pub const TEXTURES: &str = "Textures";
/// Height of a row with a picture and two lines.
const ROW: f32 = 42.0;
/// Where the two lines begin.
const TEXT: f32 = 70.0;
/// How wide the last columns are.
const USED: f32 = 46.0;
const DENSITY: f32 = 76.0;

/// What the list is sorted by; else by what could be spared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Column {
    Size,
    Used,
    Density,
}

/// Textures, each with the parts that wear it.
type Textures = Vec<(Vec<EntityId>, TextureUsage)>;

/// The textures of the part or of several, and how they are sorted.
#[derive(Default)]
pub struct Table {
    by: Option<(Column, bool)>,
    /// Whether they are of all parts and by what it is seen that they are the same as before, and they.
    known: Option<((bool, TextureKey), Textures)>,
}

impl Table {
    /// The textures of a part, made anew if it or what it wears is another one.
    fn of(&mut self, session: &Session, entity: &Entity) -> Textures {
        let compared = session.document.comparison.as_ref();
        let is_beside = |other: &&Entity| {
            other.id != entity.id && compared.is_none_or(|comparison| comparison.other(entity.id) != Some(other.id))
        };
        let others = || session.document.scene.entities().iter().filter(is_beside);
        let key = (false, worn_textures_key(entity, others()));
        self.sorted(key, || {
            worn_textures(entity, others()).into_iter().map(|texture| (vec![entity.id], texture)).collect()
        })
    }

    /// The textures of all parts that are shown.
    fn of_all(&mut self, session: &Session) -> Textures {
        let scene = &session.document.scene;
        let parts: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
        let others = || parts.iter().copied().skip(1);
        let key = parts.first().map_or_else(TextureKey::default, |first| worn_textures_key(first, others()));
        self.sorted((true, key), || worn_textures_of_all(&parts))
    }

    fn sorted(&mut self, key: (bool, TextureKey), make: impl FnOnce() -> Textures) -> Textures {
        let known = self.known.take().filter(|(known, _)| *known == key);
        let (_, textures) = self.known.insert(known.unwrap_or_else(|| (key, make())));
        let mut textures = textures.clone();
        let used = |texture: &TextureUsage| texture.usage.map_or(f32::INFINITY, |usage| usage.used);
        let density = |texture: &TextureUsage| texture.usage.and_then(|usage| usage.density()).unwrap_or(0.0);
        match self.by {
            // What is larger than its use stands first, and of that what has most to spare.
            None => textures.sort_by_key(|(_, texture)| {
                let spare = if texture.is_oversized() { texture.spare_texels() } else { 0.0 };
                (!texture.is_oversized(), Reverse(spare as u64))
            }),
            Some((Column::Size, falls)) => textures.sort_by_key(|(_, texture)| order(texture.texels(), falls)),
            Some((Column::Used, false)) => textures.sort_by(|(_, a), (_, b)| used(a).total_cmp(&used(b))),
            Some((Column::Used, true)) => textures.sort_by(|(_, a), (_, b)| used(b).total_cmp(&used(a))),
            Some((Column::Density, false)) => textures.sort_by(|(_, a), (_, b)| density(a).total_cmp(&density(b))),
            Some((Column::Density, true)) => textures.sort_by(|(_, a), (_, b)| density(b).total_cmp(&density(a))),
        }
        textures
    }

    /// Forgets the textures, not how they are sorted.
    pub fn forget(&mut self) {
        self.known = None;
    }

    /// First what is asked for most: the largest, the least used, the densest. A third click brings back the first order.
    fn click(&mut self, column: Column) {
        columns::sort(&mut self.by, column, column != Column::Used);
    }
}

/// A number by which to sort, the largest first if it falls.
fn order(number: u64, falls: bool) -> u64 {
    if falls { u64::MAX - number } else { number }
}

/// Shows the section, if the part wears pictures.
pub fn show(
    ui: &mut Ui,
    session: &Session,
    entity: &Entity,
    memory: &mut State,
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let count = file_count(&[entity]);
    // One alone has nothing to be held against.
    if count == 0 || !memory.section(ui, TEXTURES, &format::count(count), count > 1) {
        memory.textures.forget();
        return;
    }
    let textures = memory.textures.of(session, entity);
    rows(ui, session, &textures, false, memory, thumbnails, actions);
}

/// Shows the section for all parts of a figure together: what none was found for, then the textures, each once.
pub fn show_all(
    ui: &mut Ui,
    session: &Session,
    memory: &mut State,
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let scene = &session.document.scene;
    let parts: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    let missing: Vec<(&Entity, usize)> = parts
        .iter()
        .flat_map(|entity| materials::missing(entity).into_iter().map(move |surface| (*entity, surface)))
        .collect();
    let count = file_count(&parts);
    if count + missing.len() == 0 || !memory.section(ui, TEXTURES, &format::count(count + missing.len()), true) {
        memory.textures.forget();
        return;
    }
    for (entity, surface) in missing {
        missing_row(ui, entity, surface, actions);
    }
    if count == 0 {
        list::end_section(ui);
        return;
    }
    let textures = memory.textures.of_all(session);
    rows(ui, session, &textures, true, memory, thumbnails, actions);
}

/// A surface for which no texture was found; a click selects it.
fn missing_row(ui: &mut Ui, entity: &Entity, surface: usize, actions: &mut Vec<Action>) {
    let tokens = theme::tokens(ui);
    let Some(material) = entity.materials().get(surface) else { return };
    let name = if material.name.is_empty() { entity.surface_name(surface) } else { name_of(&material.name).to_owned() };
    let told = format!("{name}: no texture found, {} of {}", entity.surface_name(surface), entity.label());
    let id = ui.scope_id().with(("missing", entity.id, surface));
    let (rect, response) = list::row(ui, id, &told, ROW, false);
    let icon = Rect::from_center_size(pos2(rect.left() + 44.0, rect.center().y), vec2(16.0, 16.0));
    paint::icon(ui.painter(), icon, icons::WARNING, 16.0, tokens.warn);
    let line = |top: f32| {
        let corner = pos2(rect.left() + TEXT, rect.top() + top);
        Rect::from_min_max(corner, pos2(rect.right() - 12.0, corner.y + 18.0))
    };
    paint::text_in(ui.painter(), line(3.0), &name, fonts::body(), tokens.text);
    let second = format!("No texture found · {} · {}", entity.label(), entity.surface_name(surface));
    paint::text_in(ui.painter(), line(21.0), &second, fonts::small(), tokens.warn);
    if response.clicked() {
        actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::Surface(surface))));
    }
    response.on_hover_text(told);
}

/// Headings and rows; of several parts, each row tells whose it is.
fn rows(
    ui: &mut Ui,
    session: &Session,
    textures: &[(Vec<EntityId>, TextureUsage)],
    tells_part: bool,
    memory: &mut State,
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    headings(ui, &mut memory.textures);
    list::rows(ui, "textures", 0..textures.len(), ROW, None, |ui, row| {
        let Some((ids, texture)) = textures.get(row) else { return };
        let parts: Vec<&Entity> = ids.iter().filter_map(|id| session.document.scene.entity(*id)).collect();
        if let Some(entity) = parts.first() {
            let names = tells_part.then(|| parts.iter().map(|part| part.label()).collect::<Vec<_>>().join(", "));
            self::row(ui, session, entity, texture, names.as_deref(), thumbnails, actions);
        }
    });
    if textures.is_empty() {
        list::note(ui, "No surface shown uses a texture file", theme::tokens(ui).text2);
    }
    list::end_section(ui);
}

/// How many files the pictures come from that these wear at the level of detail shown.
fn file_count(parts: &[&Entity]) -> usize {
    let worn = parts.iter().flat_map(|entity| {
        let surfaces = entity.model().surfaces().iter().zip(entity.materials().iter());
        surfaces.filter(|(surface, material)| {
            surface.lod == entity.lod && !surface.triangles.is_empty() && !material.hidden
        })
    });
    let mut paths: Vec<&str> = Vec::new();
    for (_, material) in worn {
        let plain = material.image.iter().filter(|_| material.script.is_none()).map(|_| material.path.as_str());
        let staged = material.stage_images().filter(|_| material.script.is_some()).map(|(path, _)| path);
        for path in plain.chain(staged).filter(|path| !path.is_empty()) {
            if !paths.iter().any(|known| known.eq_ignore_ascii_case(path)) {
                paths.push(path);
            }
        }
    }
    paths.len()
}

fn headings(ui: &mut Ui, table: &mut Table) {
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), 22.0));
    let right = row.right() - 12.0;
    for (column, word, what, from, to) in [
        (Column::Size, "Size", "size", row.left() + TEXT, right - DENSITY - USED),
        (Column::Used, "Used", "share used", right - DENSITY - USED, right - DENSITY),
        (Column::Density, "Texels/unit", "texels per unit", right - DENSITY, right),
    ] {
        let rect = Rect::from_min_max(pos2(from, row.top()), pos2(to, row.bottom()));
        let falls = table.by.and_then(|(by, falls)| (by == column).then_some(falls));
        if columns::heading(ui, rect, word, what, falls, column == Column::Size) {
            table.click(column);
        }
    }
}

fn row(
    ui: &mut Ui,
    session: &Session,
    entity: &Entity,
    texture: &TextureUsage,
    parts: Option<&str>,
    thumbnails: &mut Thumbnails,
    actions: &mut Vec<Action>,
) {
    let tokens = theme::tokens(ui);
    let name = name_of(&texture.path);
    let selected =
        parts.is_none() && !texture.surfaces.is_empty() && session.document.selected_surfaces() == texture.surfaces;
    let size = format!("{} × {}", texture.image.width, texture.image.height);
    let used = texture.usage.map_or("—".to_owned(), |usage| format!("{} %", percent(usage.used)));
    let density = texture.usage.and_then(|usage| usage.density());
    let density = density.map_or("—".to_owned(), |density| format::fixed(density, 1));
    let told = format!("{name}: {size}, {used} used, {density} texels per unit");
    let (rect, response) = list::row(ui, ui.scope_id().with(("texture", &texture.path)), &told, ROW, selected);
    let place = Rect::from_center_size(pos2(rect.left() + 44.0, rect.center().y), vec2(32.0, 32.0));
    thumbnails.show(ui, place, Some(&texture.image), usize::MAX, &[]);
    let painter = ui.painter();
    let line = |top: f32| {
        Rect::from_min_max(
            pos2(rect.left() + TEXT, rect.top() + top),
            pos2(rect.right() - 12.0, rect.top() + top + 18.0),
        )
    };
    let mut first = line(3.0);
    if texture.is_oversized() {
        let place = Rect::from_min_max(pos2(first.right() - 14.0, first.top()), first.max);
        paint::icon(painter, place, icons::WARNING, 14.0, tokens.warn);
        first.max.x -= 20.0;
    }
    let font = if selected { fonts::medium() } else { fonts::body() };
    let shown = paint::name_in(painter, first, name, font, tokens.text);
    let rest = Rect::from_min_max(pos2(shown.right() + 8.0, first.top()), first.max);
    if let Some(parts) = parts.filter(|_| rest.width() > 24.0) {
        paint::text_in(painter, rest, parts, fonts::small(), tokens.text2);
    }
    let second = line(21.0);
    let ink = |is_odd: bool| if is_odd { tokens.warn } else { tokens.text2 };
    paint::text_right(painter, second, &density, fonts::small(), ink(texture.is_too_dense()));
    let room = list::inside(second, 0.0, DENSITY);
    paint::text_right(painter, room, &used, fonts::small(), ink(texture.is_mostly_unused()));
    let room = list::inside(second, 0.0, DENSITY + USED);
    paint::text_in(painter, room, &size, fonts::small(), tokens.text2);
    if response.clicked() {
        let shows_uv = session.interface.panels.dock == Some(DockTab::Texture);
        if selected && shows_uv {
            actions.push(Action::Scene(SceneAction::Select(Selection::None)));
        } else {
            if parts.is_some() {
                actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::None)));
            }
            actions.push(Action::Scene(SceneAction::SelectSurfaces(texture.surfaces.clone())));
            dock::show_texture(ui.ctx(), &texture.path);
            if !shows_uv {
                actions.push(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
            }
        }
    }
    response.on_hover_ui(|ui| tooltip(ui, entity, texture, parts));
}

/// What stands behind the numbers, and why a texture is marked.
fn tooltip(ui: &mut Ui, entity: &Entity, texture: &TextureUsage, parts: Option<&str>) {
    ui.label(egui::RichText::new(&texture.path).monospace());
    let names: Vec<String> = texture.surfaces.iter().take(4).map(|surface| entity.surface_name(*surface)).collect();
    let more = if texture.surfaces.len() > names.len() { ", …" } else { "" };
    match parts {
        Some(parts) => ui.label(format!("Used by {parts}")),
        None => ui.label(format!("Used by {}{more}", names.join(", "))),
    };
    match &texture.usage {
        None => drop(ui.label("Its texture coordinates come from the shader")),
        Some(usage) if texture.is_mostly_unused() => {
            let unused = percent(1.0 - usage.used);
            ui.label(format!("Larger than its use: {unused} % of it is on no triangle"));
        }
        Some(_) => {}
    }
    if let Some(ratio) = texture.density_ratio.filter(|_| texture.is_too_dense()) {
        let ratio = format::fixed(ratio, 1);
        ui.label(format!("Larger than its use: {ratio} times the texels per unit of the other textures"));
    }
    let whose = match parts {
        Some(_) => format!("Click to select its surfaces of {} and show their UVs", entity.label()),
        None => "Click to select its surfaces and show their UVs".to_owned(),
    };
    ui.label(egui::RichText::new(whose).small().weak());
}

/// A share in whole per cent; what is there at all is not 0, and what lacks anything not 100.
fn percent(share: f32) -> String {
    let percent = f64::from(share) * 100.0;
    match percent {
        percent if percent > 0.0 && percent < 1.0 => "<1".to_owned(),
        percent if percent > 99.0 && percent < 100.0 => ">99".to_owned(),
        percent => format::fixed(percent, 0),
    }
}
