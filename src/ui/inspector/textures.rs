//! *Textures* section: size, use and density of each texture. A click selects the surfaces of a texture and shows their
//! UVs.

use std::cmp::Reverse;

use egui::{RichText, Ui};

use super::{Inspector, Sorted, materials};
use crate::ui::kit::columns::{self, Column};
use crate::ui::kit::row::Row;
use crate::ui::{arrange, dock, fonts, format, icons, list, text, theme};
use maquette_assets::vfs::name_of;
use maquette_scene::scene::{
    Entity, EntityId, TextureKey, TextureUsage, used_textures, used_textures_key, used_textures_of_all,
};
use maquette_scene::session::{Action, DockTab, SceneAction, Selection, Session, WindowAction};

pub const TEXTURES: &str = "Textures";
const ROW: f32 = 42.0;
const TEXT: f32 = 70.0;
const USED: f32 = 46.0;
const DENSITY: f32 = 76.0;

type Textures = Vec<(Vec<EntityId>, TextureUsage)>;

/// Textures of one part (`false`) or of all parts (`true`).
pub type Table = Sorted<(bool, TextureKey), Textures>;

/// Returns the parts whose textures are listed: all visible ones if the whole character is selected.
fn parts<'a>(session: &'a Session, entity: &'a Entity) -> Vec<&'a Entity> {
    let scene = &session.document.scene;
    let all = session.document.selects_character();
    let listed = |other: &&Entity| if all { scene.shows(other) } else { other.id == entity.id };
    scene.entities().iter().filter(listed).collect()
}

/// Returns the surfaces without a texture. Only the section of the whole character lists them.
fn missing<'a>(session: &Session, parts: &[&'a Entity]) -> Vec<(&'a Entity, usize)> {
    let parts = parts.iter().filter(|_| session.document.selects_character());
    parts.flat_map(|entity| materials::missing_of(entity).into_iter().map(|surface| (*entity, surface))).collect()
}

pub fn count(session: &Session, entity: &Entity) -> Option<String> {
    let parts = parts(session, entity);
    let count = file_count(&parts) + missing(session, &parts).len();
    (count > 0).then(|| format::count(count))
}

/// Whether the section is open by default. It is not for a single texture of a part, which cannot be compared.
pub fn opens(session: &Session, entity: &Entity) -> bool {
    session.document.selects_character() || file_count(&[entity]) > 1
}

fn listed(session: &Session, entity: &Entity, table: &mut Table) -> Textures {
    let by = table.by;
    let is_other = |other: &&Entity| {
        let compared = session.document.comparison.as_ref();
        other.id != entity.id && compared.is_none_or(|comparison| comparison.other(entity.id) != Some(other.id))
    };
    let others = || session.document.scene.entities().iter().filter(is_other);
    if !session.document.selects_character() {
        let key = (false, used_textures_key(entity, others()));
        let textures = || used_textures(entity, others()).into_iter().map(|texture| (vec![entity.id], texture));
        return table.get(key, || sorted(textures().collect(), by)).clone();
    }
    let parts = parts(session, entity);
    let rest = parts.iter().copied().skip(1);
    let key = parts.first().map_or_else(TextureKey::default, |first| used_textures_key(first, rest));
    table.get((true, key), || sorted(used_textures_of_all(&parts), by)).clone()
}

fn sorted(mut textures: Textures, by: columns::Sorting) -> Textures {
    let Some((column, falls)) = by else {
        // Sort oversized textures first, those with the most spare texels at the top.
        textures.sort_by_key(|(_, texture)| {
            let spare = if texture.is_oversized() { texture.spare_texels() } else { 0.0 };
            (!texture.is_oversized(), Reverse(spare as u64))
        });
        return textures;
    };
    let key = |texture: &TextureUsage| match column {
        0 => texture.texels() as f64,
        1 => texture.usage.map_or(f64::INFINITY, |usage| f64::from(usage.used)),
        _ => texture.usage.and_then(|usage| usage.density()).map_or(0.0, f64::from),
    };
    textures.sort_by(|(_, a), (_, b)| {
        let order = key(a).total_cmp(&key(b));
        if falls { order.reverse() } else { order }
    });
    textures
}

pub fn show(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let (session, entity) = (panel.session, panel.entity);
    let parts = parts(session, entity);
    for (entity, surface) in missing(session, &parts) {
        missing_row(ui, entity, surface, panel.actions);
    }
    if file_count(&parts) == 0 {
        return;
    }
    let textures = listed(session, entity, &mut panel.state.textures);
    let headings = [("Size", "size", 0.0), ("Used", "share used", USED), ("Texels/unit", "texels per unit", DENSITY)];
    let headings = headings.map(|(word, what, width)| Column { word, what, about: None, width });
    if let Some(column) = columns::headings(ui, TEXT, &headings, panel.state.textures.by) {
        // The first click sorts the largest, least used or densest textures to the top.
        columns::sort(&mut panel.state.textures.by, column, column != 1);
    }
    list::rows(ui, "textures", 0..textures.len(), ROW, None, |ui, row| {
        if let Some((ids, texture)) = textures.get(row) {
            self::row(ui, panel, ids, texture);
        }
    });
    if textures.is_empty() {
        text::note(ui, "No visible surface uses a texture file", theme::tokens(ui).text2);
    }
}

fn missing_row(ui: &mut Ui, entity: &Entity, surface: usize, actions: &mut Vec<Action>) {
    let ink = theme::tokens(ui).warn;
    let Some(material) = entity.materials().get(surface) else { return };
    let surface_name = entity.surface_name(surface);
    let name = if material.name.is_empty() { &surface_name } else { name_of(&material.name) };
    let spoken = format!("{name}: no texture found, {surface_name} of {}", entity.label());
    let second = format!("No texture found · {} · {surface_name}", entity.label());
    let row = Row::new(name).spoken(&spoken).height(ROW).second_in(second, ink).icon_in(icons::WARNING, ink);
    let response = row.inset(TEXT - 33.0).show(ui, ("missing", entity.id, surface));
    if response.clicked() {
        actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::Surface(surface))));
    }
    response.on_hover_text(spoken);
}

fn file_count(parts: &[&Entity]) -> usize {
    let materials = parts.iter().flat_map(|entity| {
        let surfaces = entity.model().surfaces().iter().zip(entity.materials().iter());
        surfaces.filter(|(surface, material)| {
            surface.lod == entity.lod && !surface.triangles.is_empty() && !material.hidden
        })
    });
    let mut paths: Vec<&str> = Vec::new();
    for (_, material) in materials {
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

/// Shows a texture, with the names of its parts if the whole character is selected.
fn row(ui: &mut Ui, panel: &mut Inspector<'_>, ids: &[EntityId], texture: &TextureUsage) {
    let session = panel.session;
    let parts: Vec<&Entity> = ids.iter().filter_map(|id| session.document.scene.entity(*id)).collect();
    let Some(entity) = parts.first() else { return };
    let of_all = session.document.selects_character();
    let names = of_all.then(|| parts.iter().map(|part| part.label()).collect::<Vec<_>>().join(", "));
    let tokens = theme::tokens(ui);
    let name = name_of(&texture.path);
    let selected = !of_all && !texture.surfaces.is_empty() && session.document.selected_surfaces() == texture.surfaces;
    let size = format!("{} × {}", texture.image.width, texture.image.height);
    let used = texture.usage.map_or("—".to_owned(), |usage| format!("{} %", percent(usage.used)));
    let density = texture.usage.and_then(|usage| usage.density());
    let density = density.map_or("—".to_owned(), |density| format::fixed(density, 1));
    let ink = |is_odd: bool| if is_odd { tokens.warn } else { tokens.text2 };
    let row = Row::new(name).spoken(format!("{name}: {size}, {used} used, {density} texels per unit"));
    let row = row.height(ROW).inset(list::INSET).start(TEXT - list::INSET).selected(selected);
    let row = row.aside(names.as_deref().unwrap_or_default()).warning(texture.is_oversized()).second(size);
    let row = row.values_below().cell(used, USED).value_colour(ink(texture.is_mostly_unused()));
    let row = row.cell(density, DENSITY).value_colour(ink(texture.is_too_dense())).value_font(&fonts::small());
    let shown = row.show_parts(ui, ("texture", &texture.path));
    arrange::within(ui, shown.start, ("image", &texture.path), |ui| {
        panel.thumbnails.show(ui, 32.0, Some(&texture.image), None);
    });
    if shown.response.clicked() {
        let shows_uv = session.interface.panels.dock == Some(DockTab::Texture);
        if selected && shows_uv {
            panel.actions.push(Action::Scene(SceneAction::Select(Selection::None)));
        } else {
            if of_all {
                panel.actions.push(Action::Scene(SceneAction::SelectIn(entity.id, Selection::None)));
            }
            panel.actions.push(Action::Scene(SceneAction::SelectSurfaces(texture.surfaces.clone())));
            dock::show_texture(ui.ctx(), &texture.path);
            if !shows_uv {
                panel.actions.push(Action::Window(WindowAction::ToggleDock(DockTab::Texture)));
            }
        }
    }
    shown.response.on_hover_ui(|ui| tooltip(ui, entity, texture, names.as_deref()));
}

fn tooltip(ui: &mut Ui, entity: &Entity, texture: &TextureUsage, parts: Option<&str>) {
    ui.label(RichText::new(&texture.path).monospace());
    let names: Vec<String> = texture.surfaces.iter().take(4).map(|surface| entity.surface_name(*surface)).collect();
    let more = if texture.surfaces.len() > names.len() { ", …" } else { "" };
    let surfaces = format!("{}{more}", names.join(", "));
    ui.label(format!("Used by {}", parts.unwrap_or(&surfaces)));
    match &texture.usage {
        None => drop(ui.label("The texture coordinates come from the shader")),
        Some(usage) if texture.is_mostly_unused() => {
            let unused = percent(1.0 - usage.used);
            ui.label(format!("Oversized texture: {unused} % of it is not used by any triangle"));
        }
        Some(_) => {}
    }
    if let Some(ratio) = texture.density_ratio.filter(|_| texture.is_too_dense()) {
        let ratio = format::fixed(ratio, 1);
        ui.label(format!("Oversized texture: {ratio} times the texels per unit of the other textures"));
    }
    let whose = match parts {
        Some(_) => format!("Click to select its surfaces of {} and show their UVs", entity.label()),
        None => "Click to select its surfaces and show their UVs".to_owned(),
    };
    ui.label(RichText::new(whose).small().weak());
}

/// Formats a share as a whole percentage. Only the exact values 0 and 1 become 0 % and 100 %.
fn percent(share: f32) -> String {
    let percent = f64::from(share) * 100.0;
    match percent {
        percent if percent > 0.0 && percent < 1.0 => "<1".to_owned(),
        percent if percent > 99.0 && percent < 100.0 => ">99".to_owned(),
        percent => format::fixed(percent, 0),
    }
}
