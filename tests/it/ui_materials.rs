//! Material panels: lighting, search steps, and effects.

use egui::{Role, vec2};
use egui_kittest::Harness;
use egui_kittest::kittest::{NodeT, Queryable};
use maquette_scene::scene::{ColourTheme, LightingMode};
use maquette_scene::session::{Action, ClockAction, DisplayAction, SceneAction, Selection, WindowAction};

use crate::support::panels::{Bench, bench, click};
use crate::support::scripted::{game, session};

/// Opens a model whose only surface uses `textures/box` with this script.
fn window(script: &str) -> Harness<'static, Bench> {
    let folder = game(script);
    let mut session = session(folder.path());
    session.interface.theme = Some(ColourTheme::Dark);
    session.view.material_clock.playing = false;
    bench(session, vec2(1280.0, 1400.0))
}

#[test]
fn in_game_button_toggles_lighting_mode() {
    let mut harness = window("");
    assert_eq!(
        click(&mut harness, Role::Button, "In-game"),
        [Action::Display(DisplayAction::SetLighting(LightingMode::Game))]
    );
    assert_eq!(
        click(&mut harness, Role::Button, "In-game"),
        [Action::Display(DisplayAction::SetLighting(LightingMode::Studio))]
    );
    click(&mut harness, Role::Button, "Shading");
    let done = click(&mut harness, Role::MenuItemCheckBox, "Textured — ignore shaders");
    assert_eq!(done, [Action::Display(DisplayAction::SetLighting(LightingMode::Plain))]);
}

#[test]
fn untextured_surface_lists_search_steps_and_nearest_texture() {
    let mut harness = window("");
    harness.get_by_role_and_label(Role::Label, "u_torso: no texture found");
    // A step without tried paths cannot unfold.
    harness.get_by_role_and_label(Role::Label, "Skin file: no .skin file");
    harness.get_by_label_contains("Shader script: not in scripts/");
    harness.get_by_role_and_label(Role::Label, "In game: default texture of the engine");
    harness.get_by_role_and_label(Role::Label, "Similar: models/boxes.png");
    assert_eq!(click(&mut harness, Role::Button, "Use it"), [Action::Scene(SceneAction::UseNearest(0))]);
}

#[test]
fn search_step_unfolds_and_copies_tried_paths() {
    let mut harness = window("");
    harness.get_by_label_contains("Image path").click();
    harness.run();
    // Paths with the same stem share a row of extensions. A click copies all of them.
    let row = harness.query_all_by_label_contains("textures/box .tga").next().unwrap();
    let label = row.accesskit_node().label().or_else(|| row.accesskit_node().value()).unwrap_or_default();
    let ends: Vec<&str> = label.split(' ').skip(1).collect();
    assert!(ends.contains(&".tga") && ends.contains(&".jpg"), "{label}");
    row.click();
    harness.run();
    let paths: Vec<String> = ends.iter().map(|end| format!("textures/box{end}")).collect();
    let copied = Action::Window(WindowAction::Copied(paths.join("\n")));
    assert!(harness.state().actions.contains(&copied), "{:?}", harness.state().actions);
}

#[test]
fn selected_surface_lists_script_stages() {
    let mut harness = window(
        "textures/box { { map $whiteimage } { map models/boxes\n blendFunc add\n tcMod scroll 1 0 } { map models/gone } }",
    );
    harness.state_mut().session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    harness.run();
    harness.get_by_role_and_label(Role::Label, "scripts/box.shader line 1");
    harness.get_by_role_and_label(Role::Label, "“models/gone” not found");
    harness.get_by_role_and_label(Role::Label, "Stage 1: $whiteimage");
    harness.get_by_role_and_label(Role::Label, "Stage 2: models/boxes, add, moves");
    harness.get_by_role_and_label(Role::Label, "Stage 3: models/gone");
}

#[test]
fn shader_effects_have_their_own_playback() {
    let mut harness = window("textures/box { { map $whiteimage\n rgbGen wave sin 0 1 0 1 } }");
    assert_eq!(click(&mut harness, Role::Button, "Play shader effects"), [Action::Clock(ClockAction::ToggleEffects)]);
    harness.get_by_role_and_label(Role::Button, "Pause shader effects");
    assert_eq!(
        click(&mut harness, Role::Button, "Restart shader effects"),
        [Action::Clock(ClockAction::SeekEffects(0.0))]
    );
    harness.get_by_role_and_label(Role::Slider, "Time of shader effects");
    harness.key_press(egui::Key::E);
    harness.run();
    assert_eq!(std::mem::take(&mut harness.state_mut().actions), [Action::Clock(ClockAction::ToggleEffects)]);
    // Static materials have no such section.
    let static_material = window("textures/box { { map $whiteimage } }");
    assert!(static_material.query_by_role_and_label(Role::Slider, "Time of shader effects").is_none());
}
