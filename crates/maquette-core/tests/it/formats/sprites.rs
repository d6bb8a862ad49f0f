//! SPR and SP2.

use glam::Vec3;
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::model::{AlphaMode, Format, Model, PixelKind, Sprite};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::sprite_files::{sp2, sprite};

/// Returns the corners of the image at a time in frames, from the top left, clockwise.
fn corners(model: &Model, at: f64) -> [Vec3; 4] {
    let mut pose = Pose::default();
    sample(model, &Sampling { blend: FrameBlend::at_frame(at), ..Sampling::default() }, &mut pose);
    assert_eq!(f64::from(pose.frame), at.floor());
    let front = if model.data().sprite.unwrap().faces_viewer { Vec3::X } else { Vec3::NEG_X };
    assert_eq!(pose.surfaces[0].normals, [front; 4]);
    pose.surfaces[0].positions.as_slice().try_into().unwrap()
}

fn at(left: f32, right: f32, down: f32, up: f32) -> [Vec3; 4] {
    [(left, up), (right, up), (right, down), (left, down)].map(|(y, z)| Vec3::new(0.0, y, z))
}

#[test]
fn images_of_all_versions_are_frames() {
    for version in [1, 2, 32] {
        let (model, warnings) = load(&sprite(version));
        assert_eq!((warnings.as_str(), model.version(), model.frames().len()), ("", Some(version), 4));
        assert_eq!(corners(&model, 0.0), at(-1.0, 1.0, -1.0, 3.0));
        assert_eq!(corners(&model, 0.7), at(-1.0, 1.0, -1.0, 3.0), "games do not blend images");
        assert_eq!(corners(&model, 2.0), at(-2.0, 2.0, -2.0, 2.0));
        assert_eq!(corners(&model, 3.0), [Vec3::ZERO; 4]);
        let [skin] = model.embedded_skins() else { panic!("{:?}", model.embedded_skins()) };
        assert_eq!(skin.images.len(), 4);
        assert!(model.surfaces()[0].materials.is_empty());
    }
}

#[test]
fn converted_sprite_loses_its_images_and_direction() {
    for (format, name) in [(Format::Mdl, "MDL"), (Format::Md3, "MD3")] {
        let losses = convert(&load(&sprite(1)).0, &ConvertOptions::to(format)).unwrap().losses;
        let told = "does not turn to the camera and shows at most one image";
        assert!(losses.contains(&format!("{name} has no sprites; the model {told}")), "{losses:?}");
        assert!(!losses.iter().any(|loss| loss.contains("stores no images")), "{losses:?}");
    }
}

#[test]
fn groups_are_clips_with_their_times() {
    let (model, _) = load(&sprite(1));
    let clips: Vec<_> = model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips, [("frame 0", 0, 1), ("group 0", 1, 2), ("frame 3", 3, 1)]);
    assert_eq!(model.clips()[1].end_times, [0.1, 0.4]);
}

#[test]
fn pixels_are_in_the_palette_of_their_game() {
    let kinds = [1, 2, 32].map(|version| {
        let (model, _) = load(&sprite(version));
        model.embedded_skins()[0].images[0].pixels().unwrap().kind.clone()
    });
    assert_eq!(kinds[0], PixelKind::GamePalette { has_cutouts: true });
    assert_eq!(kinds[2], PixelKind::Rgba);
    let PixelKind::Palette(palette) = &kinds[1] else { panic!("{kinds:?}") };
    // The colour is that of entry 255, and the index is alpha.
    assert_eq!([palette[0], palette[40]], [[255, 7, 9, 0], [255, 7, 9, 40]]);
    // 3, alpha test: colour 255 is transparent.
    let (model, _) = load(&with_i32(&sprite(2), 12, 3));
    let PixelKind::Palette(palette) = model.embedded_skins()[0].pixels().next().unwrap().kind.clone() else { panic!() };
    assert_eq!([palette[40], palette[255]], [[40, 7, 9, 255], [0; 4]]);
}

#[test]
fn type_and_texture_format_state_how_a_sprite_is_drawn() {
    let drawn = |file: &[u8]| load(file).0.data().sprite.unwrap();
    let cut_out = Sprite { faces_viewer: true, is_upright: true, alpha: AlphaMode::Mask(2.0 / 3.0), is_added: false };
    assert_eq!(drawn(&sprite(1)), cut_out);
    assert_eq!(drawn(&with_i32(&sprite(1), 8, 2)), Sprite { is_upright: false, ..cut_out });
    let oriented = with_i32(&sprite(1), 8, 3);
    assert_eq!(drawn(&oriented), Sprite { faces_viewer: false, is_upright: false, ..cut_out });
    // Bullet marks have the axes of their entity, whose left is Y.
    let mirrored = at(-1.0, 1.0, -1.0, 3.0).map(|corner| corner * Vec3::new(1.0, -1.0, 1.0));
    assert_eq!(corners(&load(&oriented).0, 0.0), mirrored);
    let additive = with_i32(&sprite(2), 12, 1);
    assert_eq!(drawn(&additive), Sprite { alpha: AlphaMode::Opaque, is_added: true, ..cut_out });
    assert_eq!(drawn(&sprite(32)).alpha, AlphaMode::Blend);
}

#[test]
fn sp2_images_lie_as_in_quake2() {
    let (model, warnings) = load(&sp2());
    assert_eq!((warnings.as_str(), model.frames().len()), ("", 2));
    assert_eq!(corners(&model, 0.0), at(-16.0, 16.0, -4.0, 12.0));
    assert_eq!(corners(&model, 1.0), at(-10.0, 10.0, -40.0, 0.0));
    assert_eq!(model.surfaces()[0].materials, ["sprites/s_x_0.pcx", "sprites/s_x_1.pcx"]);
}

#[test]
fn broken_sprites_are_refused() {
    let file = sprite(1);
    assert!(refusal(&with_i32(&file, 4, 3)).contains("version 3 is not supported"));
    assert!(refusal(&with_i32(&file, 24, 0)).contains("at least one frame"));
    let cut = &file[..file.len() - 8];
    assert!(refusal(cut).contains("frame 2"), "{}", refusal(cut));
    // The first interval, after the first image and the type and the count of the group.
    let interval = 36 + 4 + 16 + 8 + 8;
    let negative = with_i32(&file, interval, (-0.2_f32).to_bits().cast_signed());
    assert!(refusal(&negative).ends_with("an interval is not above 0"), "{}", refusal(&negative));
    assert!(refusal(&with_i32(&sp2(), 8, 33)).ends_with("the count 33 is outside 0 to 32"));
    assert!(refusal(&with_i32(&sp2(), 12, -1)).contains("-1 × 16 units"));
}
