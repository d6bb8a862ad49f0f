//! Opening a model with all its companion files.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

use maquette_assets::info::Report;
use maquette_assets::material::{Image, ImageLoading, Limits, ResolveContext};
use maquette_assets::open::{
    OpenOptions, Opener, divide_coarser_levels, open, open_in, open_sample, sample_formats, scan,
};
use maquette_assets::vfs::{FileSystem, ReadLimit, Vfs};
use maquette_core::edit::Call;
use maquette_core::model::{ClipSource, Format};
use maquette_core::pose::{FrameBlend, Pose, Sampling};
use maquette_testing::files::{Md2, Md3, Mdl, TGA, tag_file};
use maquette_testing::gltf::GltfFile;
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};
use serde_json::json;

fn sample(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample").join(name)
}

/// Creates a folder with these files of the sample, renamed if another name is given.
fn folder_with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (name, target) in files {
        let target = folder.path().join(target);
        fs::create_dir_all(target.parent().unwrap()).unwrap();
        fs::copy(sample(name), target).unwrap();
    }
    folder
}

#[test]
fn sample_opens_without_warnings_in_every_format() {
    for format in sample_formats() {
        let part = open_sample(format).unwrap();
        assert_eq!(part.model.format(), format);
        assert!(part.warnings.is_empty(), "{format}: {:?}", part.warnings);
        let materials = &part.skins[0].materials;
        assert!(materials.iter().all(|material| material.image.is_some()), "{format} wears its picture");
        assert!(format == Format::Md2 || format == Format::Md5 || !part.model.tags().is_empty(), "{format} has tags");
    }
    let animations = |part: &maquette_assets::open::ModelAsset| {
        part.model.clips().iter().filter(|clip| clip.source == ClipSource::AnimationFile).count()
    };
    assert!(animations(&open_sample(Format::Md5).unwrap()) >= 2);
}

#[test]
fn lod_files_next_to_model_are_loaded() {
    let folder = folder_with(&[("umber.md3", "thing.md3"), ("umber_1.md3", "THING_1.MD3")]);
    let part = open(&folder.path().join("thing.md3")).unwrap();
    assert_eq!(part.model.lod_count(), 2);
    let coarse: usize = part.model.surfaces().iter().filter(|s| s.lod == 1).map(|s| s.triangles.len()).sum();
    let fine: usize = part.model.surfaces().iter().filter(|s| s.lod == 0).map(|s| s.triangles.len()).sum();
    assert!(0 < coarse && coarse < fine);
}

#[test]
fn animations_next_to_and_below_mesh_are_loaded() {
    let folder = folder_with(&[
        ("umber.md5mesh", "umber.md5mesh"),
        ("run.md5anim", "run.md5anim"),
        ("idle.md5anim", "anims/calm/idle.md5anim"),
    ]);
    let part = open(&folder.path().join("umber.md5mesh")).unwrap();
    let names: Vec<&str> = part.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    assert_eq!(names, ["bind pose", "run", "idle"]);
}

#[test]
fn broken_animation_is_a_warning_and_mesh_loads() {
    let folder = folder_with(&[("umber.md5mesh", "umber.md5mesh")]);
    fs::write(folder.path().join("bad.md5anim"), "MD5Version 10\nnumFrames rubbish").unwrap();
    let part = open(&folder.path().join("umber.md5mesh")).unwrap();
    assert!(part.warnings.iter().any(|warning| warning.about == "bad.md5anim"), "{:?}", part.warnings);
}

#[test]
fn format_is_detected_by_content_with_extension_warning() {
    let folder = folder_with(&[("umber.md3", "tris.md2")]);
    let part = open(&folder.path().join("tris.md2")).unwrap();
    assert_eq!(part.model.format(), Format::Md3);
    let is_reported = part
        .warnings
        .iter()
        .map(ToString::to_string)
        .any(|warning| warning.contains("the extension is .md2, but the format is MD3"));
    assert!(is_reported, "{:?}", part.warnings);
}

#[test]
fn unsupported_files_are_rejected_with_reason() {
    let folder = tempfile::tempdir().unwrap();
    let cases: [(&str, &[u8], &str); 6] = [
        ("empty.md3", b"", "the file is empty"),
        ("text.md3", b"hello there", "not a known model file (it begins with “hell”)"),
        ("hexen.mdl", b"RAPO\x32\0\0\0", "this is a Hexen II model (MDL), which is not supported"),
        ("walk.psa", b"ANIMHEAD", "this is an Unreal animation (PSA) without its mesh"),
        (
            "walk.md5anim",
            b"MD5Version 10\ncommandline \"\"\nnumFrames 1\n",
            "this is an MD5 animation without its mesh",
        ),
        ("old.md2", b"IDP2\x07\0\0\0", "version 7 is not supported; expected version 8"),
    ];
    for (name, bytes, wanted) in cases {
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let message = open(&path).unwrap_err().to_string();
        assert!(message.contains(wanted), "{message}");
        assert!(message.starts_with(&path.display().to_string()), "{message}");
    }
    let message = open(&folder.path().join("absent.md3")).unwrap_err().to_string();
    assert!(message.ends_with("no such file"), "{message}");
    assert!(open(folder.path()).is_err(), "a folder is no model");
}

#[test]
fn models_below_folder_are_listed_in_order() {
    let folder = folder_with(&[("umber.md3", "b/x.md3"), ("umber.md2", "a.MD2"), ("umber.png", "b/x.png")]);
    let names: Vec<PathBuf> = scan(&FileSystem::default(), folder.path(), &|| false).models;
    assert_eq!(names, [folder.path().join("a.MD2"), folder.path().join("b/x.md3")]);
}

#[cfg(unix)]
#[test]
fn symlink_cycle_is_not_followed() {
    let folder = folder_with(&[("umber.md2", "a.md2")]);
    std::os::unix::fs::symlink(folder.path(), folder.path().join("again")).unwrap();
    assert_eq!(scan(&FileSystem::default(), folder.path(), &|| false).models.len(), 1);
}

#[test]
fn doom3_declaration_names_mesh_animations() {
    let folder = folder_with(&[
        ("umber.md5mesh", "models/md5/umber/umber.md5mesh"),
        ("run.md5anim", "models/md5/anims/run.md5anim"),
        ("idle.md5anim", "models/md5/umber/idle.md5anim"),
    ]);
    fs::create_dir(folder.path().join("def")).unwrap();
    let def = "model monster_umber { mesh Models\\MD5\\umber\\umber.md5mesh\n\
      anim stroll models/md5/anims/run.md5anim { frame 1 footstep } }";
    fs::write(folder.path().join("def/umber.def"), def).unwrap();
    let part = open(&folder.path().join("models/md5/umber/umber.md5mesh")).unwrap();
    let names: Vec<&str> = part.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    // The declaration names its animation, which may be anywhere in the game; other animations are named after their
    // file.
    assert_eq!(names, ["bind pose", "stroll", "idle"]);
}

#[test]
fn animation_config_names_model_clips() {
    let folder = folder_with(&[("umber.md3", "umber.md3"), ("animation.cfg", "animation.cfg")]);
    let part = open(&folder.path().join("umber.md3")).unwrap();
    let clips: Vec<(&str, u32, u32)> =
        part.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips, [("idle", 0, 24), ("run", 24, 8), ("wave", 32, 20)]);
    assert!(part.model.clips().iter().all(|clip| clip.source == ClipSource::AnimationConfig && clip.loops()));
}

#[test]
fn models_in_archives_are_listed() {
    let folder = tempfile::tempdir().unwrap();
    let zip = maquette_testing::archives::zip(&[("models/a.md3", b"x"), ("models/b.tga", TGA), ("models/c.MD2", b"x")]);
    fs::write(folder.path().join("pak0.pk3"), zip).unwrap();
    fs::write(folder.path().join("z.mdr"), b"x").unwrap();
    let library = FileSystem::default();
    let below = |path: &Path| -> Vec<String> {
        let strip = |path: PathBuf| path.strip_prefix(folder.path()).unwrap().to_string_lossy().replace('\\', "/");
        scan(&library, path, &|| false).models.into_iter().map(strip).collect()
    };
    // Models of a folder precede those of its subfolders and archives.
    assert_eq!(below(folder.path()), ["z.mdr", "pak0.pk3/models/a.md3", "pak0.pk3/models/c.MD2"]);
    assert_eq!(below(&folder.path().join("pak0.pk3")), ["pak0.pk3/models/a.md3", "pak0.pk3/models/c.MD2"]);
    assert_eq!(below(&folder.path().join("pak0.pk3/Models")), ["pak0.pk3/models/a.md3", "pak0.pk3/models/c.MD2"]);
}

/// Writes an MD3 with as many triangles at `path`.
fn write_md3(path: &Path, triangles: usize) {
    fs::write(path, Md3 { triangles: vec![[0, 1, 2]; triangles], ..Md3::typical() }.build()).unwrap();
}

#[test]
fn finer_or_second_file_is_separate_model() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    let files =
        [("a.md3", 2), ("a_2.md3", 1), ("b.md3", 2), ("b_1.md3", 4), ("c.md3", 3), ("c_1.md3", 2), ("c_2.md3", 1)];
    files.iter().for_each(|(name, triangles)| write_md3(&at(name), *triangles));
    // `a_2` has no `a_1`, `b_1` is finer than `b`.
    let lods = ["a.md3", "b.md3", "c.md3"].map(|name| open(&at(name)).unwrap().model.lod_count());
    assert_eq!(lods, [1, 1, 3]);
    let listed = divide_coarser_levels(&FileSystem::default(), files.map(|(name, _)| at(name)).to_vec()).models;
    assert_eq!(listed, ["a.md3", "a_2.md3", "b.md3", "b_1.md3", "c.md3"].map(at));
}

#[test]
fn animation_of_other_skeleton_is_skipped() {
    let folder = tempfile::tempdir().unwrap();
    // A joint without weights, so that the two with weights are not half of all.
    let joints = "\t\"arm\"\t0 ( 10 0 0 ) ( 0 0 0 )\n\t\"a\" 0 ( 0 0 0 ) ( 0 0 0 )\n\t\"b\" 0 ( 0 0 0 ) ( 0 0 0 )\n\t\"c\" 0 ( 0 0 0 ) ( 0 0 0 )\n";
    let mesh = MD5_MESH.replace("numJoints 2", "numJoints 5").replace("\t\"arm\"\t0 ( 10 0 0 ) ( 0 0 0 )", joints);
    let foreign = MD5_ANIM.replace("\"Arm\"", "\"leg\"");
    let write = |name: &str, text: &str| fs::write(folder.path().join(name), text).unwrap();
    write("box.md5mesh", &mesh);
    // Moves both joints with weights, but 2 of 5.
    write("walk.md5anim", MD5_ANIM);
    // Moves one joint of 5.
    write("dog.md5anim", &foreign);
    let clips = || -> Vec<String> {
        let part = open(&folder.path().join("box.md5mesh")).unwrap();
        part.model.clips().iter().skip(1).map(|clip| clip.name.clone()).collect()
    };
    assert_eq!(clips(), ["walk"]);
    // The animation of the mesh's own name is always loaded.
    write("box.md5anim", &foreign);
    assert_eq!(clips(), ["box", "walk"]);
}

#[test]
fn skin_file_next_to_md5_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("body.md5mesh"), MD5_MESH).unwrap();
    let looks = || {
        let part = open(&folder.path().join("body.md5mesh")).unwrap();
        let skins = part.skins.iter();
        skins.map(|skin| (skin.name.clone(), format!("{:?}", skin.materials[0].in_game))).collect::<Vec<_>>()
    };
    let without = looks();
    fs::write(folder.path().join("body_default.skin"), "torso,models/x/body\n").unwrap();
    assert_eq!(looks(), without);
}

#[test]
#[cfg(target_os = "linux")]
fn guessed_image_is_spelled_like_the_model() {
    let folder = tempfile::tempdir().unwrap();
    let image = fs::read(sample("umber.png")).unwrap();
    write_md3(&folder.path().join("crate.md3"), 2);
    for name in ["CRATE.png", "crate.png"] {
        fs::write(folder.path().join(name), &image).unwrap();
    }
    let part = open(&folder.path().join("crate.md3")).unwrap();
    assert_eq!(part.skins[0].materials[0].path, "crate.png");
}

#[test]
fn surface_without_texture_takes_image_of_its_own_name() {
    let folder = folder_with(&[("umber.md3", "gun.md3"), ("umber.png", "Scarf.png"), ("umber.png", "eyes.png")]);
    let part = open(&folder.path().join("gun.md3")).unwrap();
    let path_of = |name: &str| {
        let index = part.model.surfaces().iter().position(|surface| surface.name == name).unwrap();
        let material = &part.skins[0].materials[index];
        (!material.is_missing()).then(|| (material.path.clone(), material.is_guess))
    };
    assert_eq!(path_of("scarf"), Some(("Scarf.png".to_owned(), true)));
    assert_eq!(path_of("eyes"), Some(("eyes.png".to_owned(), true)));
    assert_eq!(path_of("fur"), None);
    let warnings: Vec<String> = part.warnings.iter().map(ToString::to_string).collect();
    assert!(
        warnings.iter().any(|warning| warning.contains("using Scarf.png, eyes.png from its folder")),
        "{warnings:?}"
    );
    assert!(warnings.iter().any(|warning| warning.contains("no image for")), "{warnings:?}");
}

#[test]
fn report_lists_skins_of_skin_files() {
    let folder = tempfile::tempdir().unwrap();
    write_md3(&folder.path().join("box.md3"), 1);
    for name in ["box_default.skin", "box_red.skin"] {
        fs::write(folder.path().join(name), "u_torso,models/box/red\n").unwrap();
    }
    let part = open(&folder.path().join("box.md3")).unwrap();
    let mut pose = Pose::default();
    maquette_core::pose::sample(&part.model, &Sampling::at(FrameBlend::single(0)), &mut pose);
    let report = Report::new(&part.model, &pose, &part.warnings, "box.md3").with_skins(&part.skins);
    let value = serde_json::to_value(&report).unwrap();
    assert_eq!(value["skins"], serde_json::json!(["default", "red"]));
    assert_eq!(value["skin_files"][1], serde_json::json!({ "name": "red", "file": "box_red.skin" }));
    assert!(report.to_text(10).contains("box_red.skin"), "{}", report.to_text(10));
}

/// Paths and contents of files.
type Files<'f> = &'f [(&'f str, &'f [u8])];
/// Name, source and file of skins.
type Skins<'s> = &'s [(&'s str, &'s str, Option<&'s str>)];

#[test]
fn report_lists_every_skin_with_its_source() {
    let md3 = Md3::typical().build();
    let md2 = Md2::typical().build();
    let uses =
        "Model Box { Model 0 \"box.md3\" Skin 0 \"a.png\" }\nModel Gold { Model 0 \"box.md3\" Skin 0 \"b.png\" }";
    let own_names = ("default (from file)", "model", None);
    let cases: [(Files, &str, Skins); 5] = [
        (
            &[("MODELDEF.txt", uses.as_bytes()), ("box.md3", &md3), ("a.png", TGA), ("b.png", TGA)],
            "box.md3",
            &[("Box", "game file", Some("MODELDEF.txt")), ("Gold", "game file", Some("MODELDEF.txt"))],
        ),
        (
            &[("progs/box.md3", &md3), ("progs/u_torso_0.png", TGA), ("progs/u_torso_1.png", TGA)],
            "progs/box.md3",
            &[("0", "image names", None), ("1", "image names", None)],
        ),
        (
            &[
                ("models/box/tris.md2", &md2),
                ("models/box/md5/tris.md5mesh", MD5_MESH.as_bytes()),
                ("models/box/md5/tris.md5anim", MD5_ANIM.as_bytes()),
                ("models/box/md5/skin.png", TGA),
                ("models/box/md5/pain.png", TGA),
            ],
            "models/box/md5/tris.md5mesh",
            &[("skin", "game file", Some("models/box/tris.md2")), ("pain", "game file", Some("models/box/tris.md2"))],
        ),
        (
            &[("models/box.md3", &md3), ("models/box_red.skin", b"u_torso,a.tga\n"), ("models/box/skin.tga", TGA)],
            "models/box.md3",
            &[("red", "skin file", Some("models/box_red.skin")), own_names],
        ),
        (
            &[("models/box/tris.md2", &md2), ("models/box/skin.pcx", b"a"), ("models/box/pain.pcx", b"b")],
            "models/box/tris.md2",
            &[("skin.pcx", "model", None), ("pain.pcx", "model", None)],
        ),
    ];
    for (files, path, wanted) in cases {
        let vfs = Vfs::in_memory(files.iter().map(|(path, bytes)| ((*path).to_owned(), bytes.to_vec())).collect());
        let bytes = vfs.read(path, ReadLimit::Whole).unwrap();
        let part = open_in(&vfs, path, &bytes, &ResolveContext::new(ImageLoading::LocateOnly)).unwrap();
        let mut pose = Pose::default();
        maquette_core::pose::sample(&part.model, &Sampling::at(FrameBlend::single(0)), &mut pose);
        let report = Report::new(&part.model, &pose, &part.warnings, path).with_skins(&part.skins);
        let value = serde_json::to_value(&report).unwrap();
        let skin = |(name, source, file): &(&str, &str, Option<&str>)| serde_json::json!({ "name": name, "source": source, "file": file });
        assert_eq!(value["available_skins"], wanted.iter().map(skin).collect::<serde_json::Value>(), "{path}");
        let text = report.to_text(10);
        let lists = |name: &str| text.split("\nSkins (").nth(1).is_some_and(|table| table.contains(name));
        assert!(wanted.iter().all(|(name, _, file)| lists(name) && lists(file.unwrap_or_default())), "{text}");
    }
}

#[test]
fn image_of_many_materials_is_encoded_once() {
    let mut file = GltfFile::triangle();
    // A red texel above a blue one.
    let png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAACCAIAAAAW4yFwAAAADUlEQVR42mP4zwAC/wEIAAH/Bs6pJQAAAABJRU5ErkJggg==";
    file.push("images", json!({ "uri": format!("data:image/png;base64,{png}") }));
    file.push("textures", json!({ "source": 0 }));
    let mut primitives = Vec::new();
    for number in 0..20 {
        let pbr = json!({ "baseColorTexture": { "index": 0 } });
        let material = file.push("materials", json!({ "name": format!("a/{number}"), "pbrMetallicRoughness": pbr }));
        let mut primitive = file.json["meshes"][0]["primitives"][0].clone();
        primitive["material"] = json!(material);
        primitives.push(primitive);
    }
    file.json["meshes"][0]["primitives"] = json!(primitives);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.glb");
    std::fs::write(&path, file.glb()).unwrap();
    // The limit on images allows one image, but not 20.
    let limits = Limits { memory: 64, ..Limits::default() };
    let opener = Opener::new(Vec::new(), ImageLoading::Decode).with(OpenOptions { limits, ..OpenOptions::default() });
    let encoded = std::cell::Cell::new(0);
    let encode = |image: &Image| {
        encoded.set(encoded.get() + 1);
        Ok(image.rgba.to_vec())
    };
    let loaded = opener.load(&path).unwrap();
    let (textures, missing) = opener.stored_textures(&path, &loaded.model, "tga", &HashMap::new(), encode).unwrap();
    assert_eq!((textures.len(), missing, encoded.get()), (20, Vec::new(), 1));
    assert!(textures.iter().all(|(_, bytes)| **bytes == [255, 0, 0, 255, 0, 0, 255, 255]));
}

/// `convert` writes such a list for another model of the folder.
#[test]
fn foreign_clip_list_is_skipped() {
    let opened = |path: &str, model: &[u8], list: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join(path), model).unwrap();
        fs::write(folder.path().join("animation.cfg"), list).unwrap();
        open(&folder.path().join(path)).unwrap()
    };
    let md3 = |frames: usize| {
        let frame = Md3::typical().frames[0].clone();
        Md3 { frames: vec![frame; frames], tags: Vec::new(), ..Md3::typical() }.build()
    };
    let iqm = Iqm::typical().build();
    for (path, model, list, wanted) in [
        ("a.md3", md3(1), "run 0 9 0 15\n", 0),
        ("a.md3", md3(2), "run 0 9 0 15\n", 1),
        ("a.iqm", iqm, "run 0 1 0 15\n", 0),
    ] {
        let part = opened(path, &model, list);
        assert!(part.model.clip("run").is_none(), "{path}: {:?}", part.model.clips());
        let told =
            part.warnings.iter().filter(|warning| warning.to_string().contains("animation.cfg: not used")).count();
        assert_eq!(told, wanted, "{path}: {:?}", part.warnings);
    }
    assert!(opened("a.md3", &md3(2), "run 0 2 0 15\nwalk 1 9 0 15\n").model.clip("walk").is_some());
}

/// All animations of a folder may belong to all meshes in it.
#[test]
fn many_meshes_of_a_folder_divide_its_animations() {
    let folder = tempfile::tempdir().unwrap();
    for index in 0..300 {
        fs::write(folder.path().join(format!("m{index:03}.md5mesh")), MD5_MESH).unwrap();
        fs::write(folder.path().join(format!("a{index:03}.md5anim")), MD5_ANIM).unwrap();
    }
    fs::write(folder.path().join("m200_walk.md5anim"), MD5_ANIM).unwrap();
    let part = open(&folder.path().join("m200.md5mesh")).unwrap();
    let names: Vec<&str> = part.model.clips().iter().map(|clip| clip.name.as_str()).collect();
    // The bind pose, and 16 animations.
    assert_eq!((names.len(), names[1]), (17, "m200_walk"));
}

#[test]
fn tags_are_copied_from_a_tag_file() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.tag"), tag_file(&[("tag_new", [1.0, 2.0, 3.0])])).unwrap();
    let (model, _) = maquette_core::formats::load(&Md3::typical().build()).unwrap();
    let mut call = Call::parse("copy-tags files=a.tag").unwrap();
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    opener.load_files_of(&mut call, &model, folder.path()).unwrap();
    let changed = maquette_core::edit::apply(&model, &[call]).unwrap();
    assert_eq!(changed.tags(), ["tag_head", "tag_new"]);
}

#[test]
fn large_image_becomes_the_skin_of_an_mdl() {
    let folder = tempfile::tempdir().unwrap();
    // Uncompressed, 200 by 200 texels of 24 bits: longer than the start of a file that shows its format.
    let mut image = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 200, 0, 200, 0, 24, 0];
    image.extend(std::iter::repeat_n(255_u8, 200 * 200 * 3));
    std::fs::write(folder.path().join("skin.tga"), image).unwrap();
    let (model, _) = maquette_core::formats::load(&Mdl::typical().build()).unwrap();
    let mut call = Call::parse("set-skin skin=0 image=skin.tga").unwrap();
    let opener = Opener::new(Vec::new(), ImageLoading::LocateOnly);
    opener.load_files_of(&mut call, &model, folder.path()).unwrap();
    let changed = maquette_core::edit::apply(&model, &[call]).unwrap();
    // Colour 254 of Quake's palette is white.
    let pixels = changed.embedded_skins()[0].pixels().next().unwrap();
    assert!(pixels.bytes.iter().all(|index| *index == 254), "{:?}", pixels.bytes.first());
}
