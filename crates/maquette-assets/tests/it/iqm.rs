//! Companion files of IQM models.

use glam::Vec3;
use maquette_assets::material::{ImageLoading, ResolveContext};
use maquette_assets::open::{ModelAsset, open_in};
use maquette_assets::structure::Structure;
use maquette_assets::vfs::Vfs;
use maquette_core::convert::{ConvertOptions, to_files};
use maquette_core::model::{ClipSource, Format};
use maquette_testing::files::TGA;
use maquette_testing::iqm::{Iqm, IqmPose};

/// A mesh whose animations are in other files.
fn mesh() -> Vec<u8> {
    let mut file = Iqm::typical();
    (file.poses, file.anims, file.frames, file.bounds) = Default::default();
    file.build()
}

fn opened(path: &str, files: &[(&str, Vec<u8>)]) -> ModelAsset {
    let vfs = Vfs::in_memory(files.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone())).collect());
    let (_, bytes) = files.iter().find(|(name, _)| *name == path).unwrap();
    open_in(&vfs, path, bytes, &ResolveContext::new(ImageLoading::LocateOnly)).unwrap()
}

fn clips(asset: &ModelAsset) -> Vec<(&str, u32)> {
    let clips = asset.model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose);
    clips.map(|clip| (clip.name.as_str(), clip.count)).collect()
}

#[test]
fn animations_of_the_nearest_folder_are_added() {
    let walk = Iqm::animation().build();
    let files = [("a/b/c/d/body.iqm", mesh()), ("a/b/c/walk.iqm", walk.clone()), ("a/b/far.iqm", walk.clone())];
    assert_eq!(clips(&opened("a/b/c/d/body.iqm", &files)), [("walk", 2)]);
    let files = [("a/b/c/d/body.iqm", mesh()), ("a/b/walk.iqm", walk.clone())];
    assert_eq!(clips(&opened("a/b/c/d/body.iqm", &files)), [("walk", 2)]);
    let files = [("a/b/c/d/body.iqm", mesh()), ("a/walk.iqm", walk)];
    assert_eq!(clips(&opened("a/b/c/d/body.iqm", &files)), [], "three folders above is too far");
}

#[test]
fn animations_of_other_skeletons_are_passed_over() {
    let mut other = Iqm::animation();
    other.poses.push(IqmPose::still(1, [0.0; 3]));
    let files = [("a/b/body.iqm", mesh()), ("a/b/other.iqm", other.build()), ("a/walk.iqm", Iqm::animation().build())];
    let asset = opened("a/b/body.iqm", &files);
    assert_eq!(clips(&asset), [("walk", 2)]);
    assert!(asset.warnings.iter().all(|warning| warning.about != "animations"), "{:?}", asset.warnings);
}

#[test]
fn many_models_of_a_folder_have_the_animations_of_their_names() {
    let mut files = vec![("m/body500.iqm".to_owned(), mesh())];
    files.extend((0..500).map(|index| (format!("m/body{index:03}.iqm"), mesh())));
    files.extend((0..40).map(|index| (format!("m/a{index:02}.iqm"), Iqm::animation().build())));
    files.push(("m/Body200_walk.iqm".to_owned(), Iqm::animation().build()));
    let files: Vec<(&str, Vec<u8>)> = files.iter().map(|(path, bytes)| (path.as_str(), bytes.clone())).collect();
    // 4096 animations for all models of the folder together, but 16 for each.
    let asset = opened("m/body200.iqm", &files);
    let found = clips(&asset);
    assert_eq!((found.len(), found[0]), (16, ("Body200_walk", 2)));
    let warning = asset.warnings.iter().find(|warning| warning.about == "animations").unwrap();
    assert!(warning.message.starts_with("41 animations near many models; only 16 are read"), "{}", warning.message);
    let few: Vec<(&str, Vec<u8>)> = files.into_iter().skip(480).collect();
    assert_eq!(clips(&opened("m/body490.iqm", &few)).len(), 41);
}

#[test]
fn cube_script_names_skins_animations_tags_and_placement() {
    let script = "mdlscale 50\nmdlyaw 90\niqmload body.iqm\niqmskin Body skin.png\niqmanim \"run|swim\" walk.iqm 25\n\
        iqmtag root tag_waist\n";
    let files = [
        ("m/body.iqm", mesh()),
        ("m/walk.iqm", Iqm::animation().build()),
        ("m/skin.png", TGA.to_vec()),
        ("m/iqm.cfg", script.into()),
    ];
    let asset = opened("m/body.iqm", &files);
    assert_eq!(clips(&asset), [("run", 2), ("swim", 2), ("walk", 2)]);
    assert_eq!(asset.model.clip("swim").unwrap().frames_per_second, 25.0);
    assert_eq!(asset.model.tags(), ["Tag_hand", "tag_waist"]);
    // The script is not converted, so the file lists its clips, and its tag is a joint.
    let again = to_files(&asset.model, &ConvertOptions::to(Format::Iqm)).unwrap().model;
    let rates: Vec<_> = again.clips().iter().map(|clip| (clip.name.as_str(), clip.frames_per_second)).collect();
    assert_eq!(rates, [("run", 25.0), ("swim", 25.0), ("walk", 20.0)]);
    assert!(again.tags().iter().any(|tag| tag == "tag_waist"), "{:?}", again.tags());
    assert_eq!(asset.skins[0].materials[0].path, "m/skin.png");
    let placed = asset.skins[0].placement.transform_point3(Vec3::X);
    assert!(placed.abs_diff_eq(Vec3::new(0.0, 0.5, 0.0), 1e-6), "{placed}");
}

#[test]
fn frame_groups_replace_the_clips_of_the_file() {
    let groups = b"0 2 15 1 // both\n".to_vec();
    let files = [("m/body.iqm", Iqm::typical().build()), ("m/body.iqm.framegroups", groups)];
    let asset = opened("m/body.iqm", &files);
    assert_eq!(asset.model.clips().len(), 1);
    assert_eq!((asset.model.clips()[0].count, asset.model.clips()[0].frames_per_second), (2, 15.0));
    assert_eq!(asset.model.own_clips().len(), 2);
}

#[test]
fn skin_file_matches_lower_case_mesh_name() {
    let files = [
        ("m/body.iqm", Iqm::typical().build()),
        ("m/body_default.skin", b"body,m/red.tga\n".to_vec()),
        ("m/red.tga", TGA.to_vec()),
    ];
    assert_eq!(opened("m/body.iqm", &files).skins[0].materials[0].path, "m/red.tga");
}

#[test]
fn structure_of_an_animation_file_is_shown() {
    let structure = Structure::of_file("walk.iqm", &Iqm::animation().build());
    assert!(structure.error.is_none());
}
