//! Lighting modes, playback of material effects, and allocations of their evaluation.

use glam::{Vec2, Vec3};
use maquette_assets::engines::LightRule;
use maquette_assets::material::{
    Deform, ImageLoading, Material, MaterialResolver, Origin, ResolveContext, SurfaceMaterial, Viewpoint, Wave,
    Waveform, warps,
};
use maquette_assets::vfs::Vfs;
use maquette_core::error::Warnings;
use maquette_core::model::{Format, Surface};
use maquette_scene::scene::{GameEffect, LightingMode, Shading};
use maquette_scene::session::{Action, ClockAction, DisplayAction, SceneAction};

use crate::support::loading::act;
use crate::support::scripted::{game, session};
use maquette_testing::memory;

const MOVING: &str = "textures/box { { map $whiteimage\n rgbGen wave sin 0 1 0 1 } }";
const STATIC: &str = "textures/box { { map $whiteimage\n rgbGen const ( 1 0 0 ) } }";

#[test]
fn static_material_requests_no_frames() {
    let folder = game(STATIC);
    let mut session = session(folder.path());
    assert!(!session.has_effects() && !session.is_moving());
    assert!(!session.advance(1.0));
    assert_eq!(session.view.material_clock.seconds, 0.0);
}

#[test]
fn animated_material_runs_on_its_own_clock() {
    let folder = game(MOVING);
    let mut session = session(folder.path());
    assert!(session.is_moving() && session.advance(0.25));
    assert_eq!(session.view.material_clock.seconds, 0.25);
    session.apply(Action::Clock(ClockAction::ToggleEffects));
    assert!(!session.is_moving() && !session.advance(0.25));
    session.apply(Action::Clock(ClockAction::SeekEffects(3.5)));
    assert_eq!(session.view.material_clock.seconds, 3.5);
    // A model without clips plays its materials.
    session.apply(Action::Clock(ClockAction::TogglePlay));
    assert!(session.is_moving());
    session.apply(Action::Clock(ClockAction::TogglePlay));
    assert!(!session.is_moving());
}

#[test]
fn materials_do_not_animate_where_not_shown() {
    let folder = game(MOVING);
    let mut session = session(folder.path());
    session.apply(Action::Display(DisplayAction::SetLighting(LightingMode::Plain)));
    assert!(!session.is_moving());
    session.apply(Action::Display(DisplayAction::SetLighting(LightingMode::Game)));
    assert!(session.is_moving());
    session.apply(Action::Display(DisplayAction::SetShading(Shading::Clay)));
    assert!(!session.is_moving());
}

#[test]
fn glow_of_quake_2_runs_in_its_own_light_only() {
    let folder = game(STATIC);
    let mut session = session(folder.path());
    let mut moves = |action| {
        session.apply(Action::Display(action));
        session.is_moving()
    };
    assert!(!moves(DisplayAction::SetLighting(LightingMode::Game)));
    assert!(!moves(DisplayAction::SetGameEffect(GameEffect::Glow)), "the light is that of Quake III");
    assert!(moves(DisplayAction::SetLightRule(Some(&LightRule::QUAKE_2))));
    assert!(!moves(DisplayAction::SetLighting(LightingMode::Studio)));
    assert!(moves(DisplayAction::SetLighting(LightingMode::Game)));
    assert!(!moves(DisplayAction::SetGameEffect(GameEffect::Translucent)));
}

#[test]
fn lighting_choice_restores_textures_and_is_kept_per_game() {
    let folder = game(STATIC);
    let mut session = session(folder.path());
    session.apply(Action::Display(DisplayAction::SetShading(Shading::Clay)));
    session.apply(Action::Display(DisplayAction::SetLighting(LightingMode::Game)));
    assert_eq!((session.view.display.shading, session.view.display.lighting), (Shading::Textured, LightingMode::Game));
    session.show(maquette_assets::open::open_sample(Format::Md5).unwrap());
    assert_eq!(session.view.display.lighting, LightingMode::Studio);
    session.show(maquette_assets::open::open_sample(Format::Md3).unwrap());
    assert_eq!(session.view.display.lighting, LightingMode::Game);
}

#[test]
fn nearest_name_replaces_missing_texture() {
    let folder = game("");
    let mut session = session(folder.path());
    let nearest = session.entity().unwrap().materials()[0].suggestion.clone().unwrap();
    assert_eq!(nearest.path, "models/boxes.png");
    act(&mut session, Action::Scene(SceneAction::UseNearest(0)));
    assert!(session.entity().unwrap().materials()[0].path.ends_with("models/boxes.png"));
}

fn look(script: &'static str, name: &str) -> SurfaceMaterial {
    let vfs = Vfs::in_memory(vec![("scripts/a.shader".to_owned(), script.as_bytes())]);
    let search = ResolveContext::new(ImageLoading::Decode);
    MaterialResolver::new(&vfs, "a.md3", Format::Md3, None, &search).material(
        name,
        Origin::Model,
        &mut Warnings::default(),
    )
}

#[test]
fn evaluating_material_allocates_nothing() {
    let script = "a { deformVertexes wave 100 sin 0 1 0 1
        { map $whiteimage\n rgbGen wave noise 0 1 0 1\n alphaGen wave sin 0 1 0 1\n tcMod turb 0 1 0 1\n tcMod rotate 30 } }";
    let material: std::sync::Arc<Material> = look(script, "a").definition;
    let mut positions = vec![Vec3::ONE; 64];
    let mut normals = vec![Vec3::Z; 64];
    let surface = Surface { uvs: vec![Vec2::ZERO; 64], ..Surface::default() };
    let eye = Viewpoint { forward: Vec3::X, left: Vec3::Y, up: Vec3::Z, position: Vec3::ZERO };
    let deforms = [
        material.deforms[0].clone(),
        Deform::Bulge { width: 1.0, height: 1.0, speed: 1.0 },
        Deform::Move(Vec3::X, Wave { form: Waveform::Sine, base: 0.0, amplitude: 1.0, phase: 0.0, frequency: 1.0 }),
        Deform::Normal { amplitude: 0.1, frequency: 1.0 },
        Deform::Sprite,
        Deform::Strip,
        Deform::Billboard { is_upright: true },
    ];
    let calls = memory::allocations_of(|| {
        for step in 0..100 {
            let seconds = f64::from(step) * 0.1;
            for stage in &material.stages {
                std::hint::black_box((stage.shade(seconds), warps(&stage.moves, seconds), stage.map_at(seconds)));
            }
            for deform in &deforms {
                deform.apply(seconds, &eye, &surface, &mut positions, &mut normals);
            }
        }
    });
    assert_eq!(calls, 0);
}
