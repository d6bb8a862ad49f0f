//! A whole figure: its name, the skin all parts wear, and which clips its parts play.

use egui::{Rect, Role, Sense, Ui, WidgetInfo, pos2, vec2};

use super::{State, model};
use crate::ui::button::{Button, Emphasis};
use crate::ui::timeline::{View, clip_colour, named_clips};
use crate::ui::{checkbox, context, fonts, format, list, menu, paint, theme};
use maquette_assets::game::game_of_format;
use maquette_assets::open::Role as Part;
use maquette_core::model::Bounds;
use maquette_scene::scene::{ClipChoice, Entity};
use maquette_scene::session::{Action, ClockAction, SceneAction, Selection, Session};

/// Name, game, number of parts and place: always in sight.
pub fn head(ui: &mut Ui, session: &Session, entity: &Entity, actions: &mut Vec<Action>) {
    let Some(figure) = &session.document.scene.figure else { return };
    let first = session.document.scene.entities().first().unwrap_or(entity);
    let shown = session.document.scene.entities().iter().filter(|entity| session.document.scene.shows(entity)).count();
    let count = format::plural(shown, "part");
    let text = format!("{} character, {count}", game_of_format(first.model().format()).short_name);
    let place = figure.place.as_ref().map_or_else(String::new, |place| place.display().to_string());
    let short = maquette_assets::vfs::folder_of(&first.asset.game_path).to_owned();
    let response = super::head_lines(ui, first, &figure.name, &text, &short, &place);
    if let Some(file) = figure.place.as_ref().or(first.asset.file.as_ref()) {
        menu::context(&response, |ui| {
            context::opened(ui, file, actions);
            context::model(ui, session, actions);
        });
    }
}

/// The section Parts: how much there is of each, and of all together; a click leads to the part.
pub fn parts(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let scene = &session.document.scene;
    let parts: Vec<&Entity> = scene.entities().iter().filter(|entity| scene.shows(entity)).collect();
    if !memory.section(ui, "Parts", &format::count(parts.len()), true) {
        return;
    }
    let tokens = theme::tokens(ui);
    let columns = ["Triangles", "Vertices"];
    let (_, heading) = ui.allocate_space(vec2(ui.available_width(), 22.0));
    let inside = list::inside(heading, list::INSET, 12.0);
    cells(ui, inside, columns.map(str::to_owned), fonts::small(), tokens.text2);
    let mut sum = (0, 0);
    for entity in parts {
        let (triangles, vertices) = size(entity);
        sum = (sum.0 + triangles, sum.1 + vertices);
        let told = format!(
            "{}: {}, {}",
            entity.label(),
            format::plural(triangles, "triangle"),
            format::plural(vertices, "vertex")
        );
        let (rect, response) = list::row(ui, ui.scope_id().with(("part of", entity.id)), &told, list::ROW, false);
        let inside = list::inside(rect, list::INSET, 12.0);
        let left = cells(ui, inside, [triangles, vertices].map(format::count), fonts::body(), tokens.text2);
        let room = Rect::from_min_max(inside.min, pos2(left, inside.bottom()));
        paint::text_in(ui.painter(), room, entity.label(), fonts::body(), tokens.text);
        actions.extend(response.clicked().then_some(Action::Scene(SceneAction::SelectIn(entity.id, Selection::None))));
        response.on_hover_text(format!("{}\nClick to select the part", entity.asset.game_path));
    }
    let (_, row) = ui.allocate_space(vec2(ui.available_width(), list::ROW));
    let told = format!("Total: {}, {}", format::plural(sum.0, "triangle"), format::plural(sum.1, "vertex"));
    let response = ui.interact(row, ui.scope_id().with("total of parts"), Sense::hover());
    response.widget_info(|| WidgetInfo::labeled(Role::Label, true, &told));
    ui.painter().hline(row.x_range(), row.top() + 0.5, (1.0, tokens.line));
    let inside = list::inside(row, list::INSET, 12.0);
    cells(ui, inside, [sum.0, sum.1].map(format::count), fonts::medium(), tokens.text);
    paint::text_in(ui.painter(), inside, "Total", fonts::medium(), tokens.text);
    let shown = scene.entities().iter().filter(|entity| scene.shows(entity));
    let bounds = shown.fold(Bounds::EMPTY, |whole, entity| whole.union(entity.bounds()));
    if !bounds.is_empty() {
        let about = Some("Of the current pose");
        list::fact_about(ui, "Size X × Y × Z", &model::size(bounds), about);
        let feet = format::fixed(f64::from(bounds.min.z), 1);
        list::fact_about(ui, "Feet at Z", &feet, Some("Lowest point of the current pose"));
    }
    list::end_section(ui);
}

/// Width of a column of the parts.
const COLUMN: f32 = 72.0;

/// Numbers up to the right edge, each in its column; gives where they begin.
fn cells(ui: &Ui, inside: Rect, texts: [String; 2], font: egui::FontId, colour: egui::Color32) -> f32 {
    let mut right = inside.right();
    for text in texts.iter().rev() {
        let cell = Rect::from_min_max(inside.min, pos2(right, inside.bottom()));
        paint::text_right(ui.painter(), cell, text, font.clone(), colour);
        right -= COLUMN;
    }
    right
}

/// Triangles and vertices at the level of detail that is shown.
fn size(entity: &Entity) -> (usize, usize) {
    let model = entity.model();
    let shown = model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod);
    shown.fold((0, 0), |sum, (index, surface)| (sum.0 + surface.triangles.len(), sum.1 + model.stored_vertices(index)))
}

/// The sections Skin and Motion.
pub fn show(ui: &mut Ui, session: &Session, memory: &mut State, actions: &mut Vec<Action>) {
    let names = session.skin_names();
    if names.len() > 1 && memory.section(ui, "Character skin", "", true) {
        let worn = session.worn();
        let word = worn.clone().unwrap_or_else(|| "mixed".to_owned());
        let response = choice(ui, "Skin", &word, None);
        menu::below(&response, |ui| {
            for name in &names {
                let lacks = session.skin_lacks_images(name);
                let row = menu::Row { word: name, warning: lacks, ..menu::Row::default() };
                let mut response = row.on(worn.as_ref() == Some(name)).show(ui);
                if lacks {
                    response = response.on_hover_text(super::skins::LACKS_IMAGES);
                }
                if response.clicked() {
                    actions.push(Action::Scene(SceneAction::ChooseSkinOfAll(name.clone())));
                }
            }
        });
        list::end_section(ui);
    }
    if session.document.scene.entities().len() < 2 {
        return;
    }
    let moving: Vec<&Entity> =
        session.tracks().into_iter().filter(|entity| !named_clips(entity).is_empty()).take(6).collect();
    if moving.is_empty() || !memory.section(ui, "Motion", "", true) {
        return;
    }
    for entity in moving {
        if motion(ui, entity, actions) {
            // What is chosen here does not move this section out of sight.
            memory.clip = None;
        }
    }
    let has = |role| session.document.scene.with_role(role).is_some();
    if has(Part::Legs) && has(Part::Torso) {
        let action = Action::Clock(ClockAction::SetPaired(!session.document.paired));
        if checkbox::show(ui, "Pair torso and legs as in Quake III", session.document.paired, &action, list::INSET) {
            actions.push(action);
        }
    }
    list::end_section(ui);
}

/// Which clip a part plays, and how fast. Gives whether another one was chosen.
fn motion(ui: &mut Ui, entity: &Entity, actions: &mut Vec<Action>) -> bool {
    let mut is_chosen = false;
    let clips = named_clips(entity);
    let current = match entity.playback.choice {
        ClipChoice::Clip(index) => Some(index),
        ClipChoice::AllFrames => None,
    };
    let clip = entity.clip();
    let label = entity.label();
    let rate = format!("{} fps", format::short(f64::from(clip.frames_per_second), 2));
    // Where the part is named, its prefix is not needed: ATTACK, not TORSO_ATTACK.
    let short = View::of(entity, true).short_name(&clip.name).to_owned();
    let response = choice(ui, label, &short, Some((clip_colour(ui, current), &rate)));
    menu::below(&response, |ui| {
        for (index, clip) in clips.iter().enumerate() {
            let row = menu::Row {
                word: &clip.name,
                value: format::plural(clip.count as usize, "frame"),
                dot: Some(clip_colour(ui, Some(index))),
                on: Some(current == Some(index)),
                ..menu::Row::default()
            };
            if row.show(ui).clicked() {
                is_chosen = true;
                actions.push(Action::Clock(ClockAction::ChooseClipOf(entity.id, ClipChoice::Clip(index))));
            }
        }
    });
    is_chosen
}

/// A name, and a button with what is chosen that opens the menu of choices; a colour and a number for clips.
fn choice(ui: &mut Ui, name: &str, chosen: &str, clip: Option<(egui::Color32, &str)>) -> egui::Response {
    let tokens = theme::tokens(ui);
    let (row, label) = ui.allocate_exact_size(vec2(ui.available_width(), 34.0), Sense::hover());
    label.widget_info(|| WidgetInfo::labeled(Role::Label, true, format!("{name}: {chosen}")));
    let inner = list::inside(row, list::INSET, 12.0);
    paint::name_in(
        ui.painter(),
        Rect::from_min_size(inner.min, vec2(56.0, inner.height())),
        name,
        fonts::body(),
        tokens.text2,
    );
    let mut right = inner.right();
    if let Some((_, rate)) = clip {
        right = paint::text_right(ui.painter(), inner, rate, fonts::body(), tokens.text2).left() - 8.0;
    }
    let place = Rect::from_min_max(pos2(inner.left() + 60.0, row.top() + 3.0), pos2(right, row.top() + 31.0));
    let word = paint::shortened(ui.painter(), chosen, &fonts::medium(), place.width() - 56.0);
    let mut button = Button::new(name).word(&word).rank(Emphasis::Raised).menu();
    if let Some((colour, _)) = clip {
        button = button.dot(colour);
    }
    button.show_at(ui, place, ("choice", name))
}
