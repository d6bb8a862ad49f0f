//! Texture usage of a model, compared with hand calculations.

use std::sync::Arc;

use egui::accesskit::Role;
use egui::vec2;
use egui_kittest::kittest::{NodeT as _, Queryable as _};
use glam::{Vec2, Vec3};
use maquette_assets::material::{Image, SurfaceMaterial, TextureWrap};
use maquette_assets::open::{ModelAsset, Skin};
use maquette_core::inspect::TextureUse;
use maquette_core::model::Surface;
use maquette_core::pose::PosedSurface;
use maquette_scene::scene::used_textures;
use maquette_scene::session::{Action, DockTab, SceneAction, Session, WindowAction};

use crate::support::panels::{bench, click, taken};
use crate::support::staged::showing;
use maquette_testing::shapes::{Shape, square};

/// Returns rectangles in texture space, each on a square of side 2.
fn laid(rectangles: &[[f32; 4]]) -> (Surface, PosedSurface) {
    let (mut surface, mut posed) = (Surface::default(), PosedSurface::default());
    for (index, [left, top, right, bottom]) in (0_u32..).zip(rectangles.iter().copied()) {
        let shape = square(Vec3::ZERO);
        let (corner, size) = (Vec2::new(left, top), Vec2::new(right - left, bottom - top));
        surface.uvs.extend(shape.uvs.iter().map(|uv| corner + *uv * size));
        posed.positions.extend(&shape.positions);
        posed.normals.extend(&shape.normals);
        surface.triangles.extend(shape.triangles.iter().map(|corners| corners.map(|corner| corner + 4 * index)));
    }
    (surface, posed)
}

fn use_of(rectangles: &[[f32; 4]], size: [u32; 2]) -> TextureUse {
    let (surface, posed) = laid(rectangles);
    TextureUse::new([(&surface, &posed)], size)
}

fn near(one: f32, other: f32) -> bool {
    (one - other).abs() < 0.005
}

#[test]
fn texels_under_triangles_are_counted_once() {
    let half = use_of(&[[0.0, 0.0, 0.5, 1.0]], [64, 32]);
    assert!(near(half.used, 0.5), "{}", half.used);
    // Half of 64 × 32 texels on 2 × 2 units: the density is the square root of 1024 / 4.
    assert_eq!((half.texels, half.area, half.density()), (1024.0, 4.0, Some(16.0)));
    let twice = use_of(&[[0.0, 0.0, 0.5, 1.0], [0.0, 0.0, 0.5, 1.0]], [64, 32]);
    assert!(near(twice.used, 0.5));
    assert_eq!((twice.texels, twice.density()), (2048.0, Some(16.0)));
    // Two adjacent quarters.
    let quarters = use_of(&[[0.0, 0.0, 0.5, 0.5], [0.5, 0.0, 1.0, 0.5]], [64, 64]);
    assert!(near(quarters.used, 0.5), "{}", quarters.used);
}

#[test]
fn texture_use_wraps_at_the_edges() {
    assert!(near(use_of(&[[3.0, -2.0, 3.5, -1.0]], [64, 64]).used, 0.5), "the left half of another repeat");
    assert!(near(use_of(&[[0.75, 0.0, 1.25, 1.0]], [64, 64]).used, 0.5), "over the edge");
    assert_eq!(use_of(&[[0.0, 0.0, 3.0, 2.0]], [64, 64]).used, 1.0);
    // Triangles with non-finite coordinates are ignored, and huge coordinates do not cause endless work.
    let none = use_of(&[[f32::NAN, 0.0, 1.0, 1.0]], [64, 64]);
    assert_eq!((none.used, none.texels, none.area, none.density()), (0.0, 0.0, 0.0, None));
    let _ = use_of(&[[-1e30, -1e30, 1e30, 1e30], [0.0, 0.0, 1e9, 1e9]], [64, 64]);
}

/// Opens shapes with these textures, given by name and size.
fn session_with_textures(shapes: &[Shape], images: &[(&str, u32)]) -> Session {
    let part = showing(shapes).asset().unwrap().clone();
    let mut known: Vec<(&str, Arc<Image>)> = Vec::new();
    let materials = images.iter().map(|(path, side)| {
        let found = known.iter().find(|(name, _)| name == path).map(|(_, image)| Arc::clone(image));
        let image = found.unwrap_or_else(|| {
            let image = Arc::new(Image::new(*side, *side, vec![128; (side * side * 4) as usize]));
            known.push((path, Arc::clone(&image)));
            image
        });
        SurfaceMaterial::of_image(path, path, image, TextureWrap::Repeat)
    });
    let materials: Arc<[SurfaceMaterial]> = materials.collect();
    let mut session = Session::default();
    session.show(ModelAsset { skins: vec![Skin::plain("test", materials)], ..part });
    session
}

fn quarter(middle: Vec3) -> Shape {
    let mut shape = square(middle);
    shape.uvs.iter_mut().for_each(|uv| *uv /= 2.0);
    shape
}

#[test]
fn texture_is_oversized_by_density_or_unused_area() {
    let shapes = [square(Vec3::ZERO), square(Vec3::Z), square(Vec3::Y)];
    let session = session_with_textures(&shapes, &[("low.png", 64), ("high.png", 256), ("low.png", 64)]);
    let all = used_textures(session.entity().unwrap(), []);
    let textures: Vec<(&str, &[usize])> = all.iter().map(|one| (one.path.as_str(), one.surfaces.as_slice())).collect();
    assert_eq!(textures, [("low.png", &[0, 2][..]), ("high.png", &[1][..])]);
    // The textures have 64 and 256 texels on 2 units.
    let densities: Vec<Option<f64>> = all.iter().map(|one| one.usage.unwrap().density()).collect();
    assert_eq!(densities, [Some(32.0), Some(128.0)]);
    assert_eq!(all[1].density_ratio, Some(4.0));
    assert_eq!((all[0].is_oversized(), all[1].is_too_dense(), all[1].is_mostly_unused()), (false, true, false));
    // With a sixteenth of its texels, the texture would have the same density.
    assert!((all[1].spare_texels() - 65_536.0 * 15.0 / 16.0).abs() < 1.0);

    let session = session_with_textures(&[quarter(Vec3::ZERO)], &[("atlas.png", 128)]);
    let all = used_textures(session.entity().unwrap(), []);
    assert!(near(all[0].usage.unwrap().used, 0.25));
    assert!(all[0].is_mostly_unused() && !all[0].is_too_dense(), "there is nothing to hold its density against");
    // A second part uses another area of the texture.
    let mut rest = square(Vec3::ZERO);
    rest.uvs.iter_mut().for_each(|uv| uv.x = uv.x / 2.0 + 0.5);
    let other = session_with_textures(&[rest], &[("ATLAS.PNG", 128)]);
    let all = used_textures(session.entity().unwrap(), other.entity());
    assert!(near(all[0].usage.unwrap().used, 0.75), "{:?}", all[0].usage);
    assert!(!all[0].is_oversized());
}

#[test]
fn inspector_lists_worst_textures_first_and_selects_surfaces() {
    let shapes = [square(Vec3::ZERO), square(Vec3::Z), square(Vec3::Y)];
    let session = session_with_textures(&shapes, &[("low.png", 64), ("high.png", 256), ("low.png", 64)]);
    let mut harness = bench(session, vec2(1280.0, 900.0));
    let rows = |harness: &egui_kittest::Harness<'static, _>| -> Vec<String> {
        let mut rows: Vec<(f32, String)> = harness
            .query_all_by_role(Role::ListItem)
            .filter_map(|row| Some((row.rect().top(), row.accesskit_node().label()?)))
            .filter(|(_, name)| name.contains("texels per unit"))
            .collect();
        rows.sort_by(|one, other| one.0.total_cmp(&other.0));
        rows.into_iter().map(|(_, name)| name).collect()
    };
    let low = "low.png: 64 × 64, 100 % used, 32.0 texels per unit";
    let high = "high.png: 256 × 256, 100 % used, 128.0 texels per unit";
    assert_eq!(rows(&harness), [high, low]);
    click(&mut harness, Role::Button, "Sort by texels per unit");
    click(&mut harness, Role::Button, "Sort by texels per unit");
    assert_eq!(rows(&harness), [low, high]);
    let done = click(&mut harness, Role::ListItem, low);
    let select = Action::Scene(SceneAction::SelectSurfaces(vec![0, 2]));
    assert_eq!(done, [select, Action::Window(WindowAction::ToggleDock(DockTab::Texture))]);
    taken(&mut harness);
    assert_eq!(harness.state().session.document.selected_surfaces(), [0, 2]);
    harness.get_by_label("Texture: low.png");
    // A second texture opens in the open dock; clicking it again clears the selection.
    click(&mut harness, Role::ListItem, high);
    harness.get_by_label("Texture: high.png");
    click(&mut harness, Role::ListItem, high);
    assert!(harness.state().session.document.selected_surfaces().is_empty());
}
