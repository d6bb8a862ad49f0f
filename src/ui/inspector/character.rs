//! Sections of a character: the sizes of its parts, the skin, and the clips of the parts.

use egui::{Color32, Response, Ui};

use super::{Inspector, model, skins};
use crate::ui::button::{Button, Emphasis};
use crate::ui::kit::row::Row;
use crate::ui::timeline::{clip_colour, named_clips, short_name};
use crate::ui::{arrange, fonts, format, list, menu, setting_rows, text, theme};
use maquette_core::model::Bounds;
use maquette_scene::scene::{ClipChoice, Entity, Track};
use maquette_scene::session::{Action, ClockAction, Panel, SceneAction, Selection, Session};

const MOVING_LISTED: usize = 6;
const COLUMN: f32 = 72.0;

fn shown(session: &Session) -> impl Iterator<Item = &Entity> {
    let scene = &session.document.scene;
    scene.entities().iter().filter(|entity| scene.shows(entity))
}

pub fn part_count(session: &Session, _: &Entity) -> Option<String> {
    Some(format::count(shown(session).count()))
}

/// Shows the size of each part and the total size. A click selects the part.
pub fn parts(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let tokens = theme::tokens(ui);
    let spoken = |name: &str, [triangles, vertices]: [usize; 2]| {
        format!("{name}: {}, {}", format::plural(triangles, "triangle"), format::plural(vertices, "vertex"))
    };
    let cells = |row: Row<'static>, texts: [String; 2], ink: Color32| {
        let row = row.inset(list::INSET);
        texts.into_iter().fold(row, |row, text| row.cell(text, COLUMN).value_colour(ink))
    };
    let headings = Row::label("").spoken("Triangles, Vertices").height(22.0);
    let headings = cells(headings, ["Triangles", "Vertices"].map(str::to_owned), tokens.text2);
    headings.value_font(&fonts::small()).show(ui, "columns");
    let mut sum = [0, 0];
    for entity in shown(panel.session) {
        let size = size(entity);
        sum = [sum[0] + size[0], sum[1] + size[1]];
        let row = Row::new(entity.label().to_owned()).spoken(spoken(entity.label(), size));
        let response = cells(row, size.map(format::count), tokens.text2).show(ui, ("part", entity.id));
        let select = Action::Scene(SceneAction::SelectIn(entity.id, Selection::None));
        panel.actions.extend(response.clicked().then_some(select));
        response.on_hover_text(format!("{}\nClick to select the part", entity.asset.game_path));
    }
    ui.painter().hline(ui.max_rect().x_range(), ui.cursor().top() + 0.5, (1.0, tokens.line));
    let total = Row::label("Total").spoken(spoken("Total", sum)).font(fonts::medium());
    cells(total, sum.map(format::count), tokens.text).value_font(&fonts::medium()).show(ui, "total");
    let bounds = shown(panel.session).fold(Bounds::EMPTY, |whole, entity| whole.union(entity.bounds()));
    if !bounds.is_empty() {
        text::fact_about(ui, "Size X × Y × Z", &model::size(bounds), Some("Size of the current pose"));
        let feet = format::fixed(f64::from(bounds.min.z), 1);
        text::fact_about(ui, "Lowest Z", &feet, Some("Lowest point of the current pose"));
    }
}

/// Returns the numbers of triangles and stored vertices of the current level of detail.
pub fn size(entity: &Entity) -> [usize; 2] {
    let model = entity.model();
    let shown = model.surfaces().iter().enumerate().filter(|(_, surface)| surface.lod == entity.lod);
    shown.fold([0, 0], |[triangles, vertices], (index, surface)| {
        [triangles + surface.triangles.len(), vertices + model.stored_vertices(index)]
    })
}

pub fn skin_count(session: &Session, _: &Entity) -> Option<String> {
    (session.document.skin_names().len() > 1).then(String::new)
}

pub fn skin(ui: &mut Ui, panel: &mut Inspector<'_>) {
    let current = panel.session.document.common_skin();
    let response = choice(ui, "Skin", current.as_deref().unwrap_or("mixed"), None);
    menu::below(&response, |ui| {
        for name in panel.session.document.skin_names() {
            let lacks = panel.session.document.skin_lacks_images(&name);
            let row = menu::Row { word: &name, warning: lacks, ..menu::Row::default() };
            let mut response = row.on(current.as_ref() == Some(&name)).show(ui);
            if lacks {
                response = response.on_hover_text(skins::LACKS_IMAGES);
            }
            if response.clicked() {
                // As for clips below, do not scroll to the *Skins* section.
                panel.state.skin = None;
                panel.actions.push(Action::Scene(SceneAction::ChooseSkinOfAll(name)));
            }
        }
    });
}

fn moving(session: &Session) -> impl Iterator<Item = Track<'_>> {
    let is_alone = session.document.scene.entities().len() < 2 && session.document.tracks().len() < 2;
    let moves = move |track: &Track| !is_alone && !named_clips(track.entity).is_empty();
    session.document.tracks().into_iter().filter(moves).take(MOVING_LISTED)
}

pub fn motion_count(session: &Session, _: &Entity) -> Option<String> {
    moving(session).next().map(|_| String::new())
}

pub fn motion(ui: &mut Ui, panel: &mut Inspector<'_>) {
    for track in moving(panel.session) {
        if clip(ui, track, panel.actions) {
            // Selecting a clip normally scrolls to the *Clips* section. Forget the clip, so that this section stays in
            // view.
            panel.state.clip = None;
        }
    }
    setting_rows::show(ui, panel.session, Panel::Motion, panel.actions);
}

/// Shows the clip of a part and the clip's rate. Returns whether the user chose another clip.
fn clip(ui: &mut Ui, track: Track<'_>, actions: &mut Vec<Action>) -> bool {
    let mut is_chosen = false;
    let clips = named_clips(track.entity);
    let current = match track.playback.choice {
        ClipChoice::Clip(index) => Some(index),
        ClipChoice::AllFrames => None,
    };
    let clip = track.clip();
    let label = track.label(true);
    let rate = format!("{} fps", format::short(f64::from(clip.frames_per_second), 2));
    // The row already names the part, so omit the prefix: ATTACK instead of TORSO_ATTACK.
    let short = short_name(track.entity.role, &clip.name).to_owned();
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
                actions.push(Action::Clock(ClockAction::ChooseClipOf(track.id, ClipChoice::Clip(index))));
            }
        }
    });
    is_chosen
}

/// Shows a name and a menu button with the chosen value. A clip also has a colour and a rate.
fn choice(ui: &mut Ui, name: &str, chosen: &str, clip: Option<(Color32, &str)>) -> Response {
    let mut button = Button::new(name).word(chosen).rank(Emphasis::Raised).menu();
    let ink = theme::tokens(ui).text2;
    let row = Row::label(name).spoken(format!("{name}: {chosen}")).colour(ink).height(34.0).inset(list::INSET);
    let row = row.loses_end().end(ui.available_width() - list::INSET - list::EDGE - 60.0).show_parts(ui, name);
    arrange::within(ui, row.end, ("choice", name), |ui| {
        arrange::at_end(ui, |ui| {
            if let Some((colour, rate)) = clip {
                text::line(ui, rate, fonts::body(), ink);
                button = button.dot(colour);
            }
            button.show_wide(ui)
        })
    })
}
