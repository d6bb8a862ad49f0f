//! Tests of DarkPlaces.

use super::*;

#[test]
fn framegroups_rows_have_first_frame_and_count() {
    let text =
        b"1   1   1  0 // stop\r\n1   29  15 1 // forward slow\n\n30  59\n4 2 0.5 1 fire // fifth word\n5 1 7 0\n";
    let mut warnings = Warnings::default();
    let list = parse_frame_groups(text, &mut warnings);
    let clips = clip_list::clips(&list, 200, 10.0, &mut warnings);
    let expected = [
        ("stop", 1, 1, 1.0, false),
        ("forward slow", 1, 29, 15.0, true),
        // A row without a rate and a fourth number has 20 frames per second and repeats.
        ("groupified_2_anim", 30, 59, 20.0, true),
        // The minimum rate is 1.
        ("fire", 4, 2, 1.0, true),
        ("groupified_4_anim", 5, 1, 7.0, false),
    ];
    assert_eq!(rows(&clips), expected);
    assert_eq!(messages(warnings), [] as [String; 0]);
    let mut warnings = Warnings::default();
    assert_eq!(ranges(&parse_frame_groups(b"7\nx 3\n0 0\n", &mut warnings)), [("groupified_0_anim", 0, 1)]);
    assert_eq!(warnings.into_vec().len(), 2);
}

#[test]
fn block_comments_of_framegroups_are_skipped() {
    // DarkPlaces `common.c`: `COM_ParseToken_Simple` skips `/* … */`, including line ends, and reads quoted words.
    let text =
        b"/*\nforward speed\n1 2 3\n*/\n1 24 20 1 /* old */ // walk\n2 /* two\nlines */ 5 7/*fps*/ 1 \"run fast\"\n\
        3 4 9//jump\n// 8 8 /* no block\n7 1\nx\n/* open\n9 9";
    let mut warnings = Warnings::default();
    let list = parse_frame_groups(text, &mut warnings);
    let clips = clip_list::clips(&list, 200, 10.0, &mut Warnings::default());
    let expected = [
        ("walk", 1, 24, 20.0, true),
        ("run fast", 2, 5, 7.0, true),
        ("jump", 3, 4, 9.0, true),
        ("groupified_3_anim", 7, 1, 20.0, true),
    ];
    assert_eq!(rows(&clips), expected);
    let messages = messages(warnings);
    assert!(matches!(&messages[..], [only] if only.contains("line 11")), "{messages:?}");
}

#[test]
fn darkplaces_searches_bare_names_in_textures_folder() {
    let files = [("models/gun.md3", md3("nexgun.tga")), ("textures/nexgun.png", Vec::new())];
    let with = |more: &[&str]| {
        let mut all: Vec<(&str, &[u8])> = files.iter().map(|(path, bytes)| (*path, bytes.as_slice())).collect();
        all.extend(more.iter().map(|path| (*path, if path.ends_with(".dat") { &b"QuakeC"[..] } else { b"" })));
        vfs_of(&all)
    };
    assert!(first(&open(&with(&[]), "models/gun.md3")).is_missing());
    let part = open(&with(&["progs.dat"]), "models/gun.md3");
    assert_eq!(first(&part).path, "textures/nexgun.png");
    // The search step names the game and the file that identified it.
    let step = first(&part).search_log.iter().nth(1).unwrap();
    assert!(step.what == "Rules of the game" && step.found.as_deref().unwrap().ends_with("Xonotic), by progs.dat"));
    // override/ precedes textures/, which precedes the root and the model's folder.
    let part = open(&with(&["csprogs.dat", "override/nexgun.jpg", "nexgun.tga"]), "models/gun.md3");
    assert_eq!(first(&part).path, "override/nexgun.jpg");
    let part = open(&with(&["menu.dat", "nexgun.tga", "models/nexgun.tga"]), "models/gun.md3");
    assert_eq!(first(&part).path, "textures/nexgun.png");
    // A name with a folder is searched unchanged.
    let vfs = vfs_of(&[("progs.dat", b"q"), ("models/a.md3", &md3("gfx/a")), ("textures/gfx/a.png", b"")]);
    assert!(first(&open(&vfs, "models/a.md3")).is_missing());
}

#[test]
fn darkplaces_adds_companion_maps_as_stages() {
    let vfs = vfs_of(&[
        ("progs.dat", b"q"),
        ("m/gun.md3", &md3("gun")),
        ("textures/gun.tga", b""),
        ("textures/gun_glow.jpg", b""),
        ("textures/gun_norm.tga", b""),
        ("textures/gun_gloss.tga", b""),
        ("textures/gun_shirt.tga", b""),
    ]);
    let part = open(&vfs, "m/gun.md3");
    let material = first(&part);
    let stages = &material.definition.stages;
    let images: Vec<&str> = stages.iter().map(|stage| stage.maps[0].path.as_str()).collect();
    assert_eq!(images, ["textures/gun.tga", "textures/gun_shirt.tga", "textures/gun_glow.jpg"]);
    let relief = stages[0].relief.as_ref().unwrap();
    let path = |map: &Option<maquette_assets::material::Map>| map.as_ref().unwrap().path.clone();
    assert_eq!(
        (path(&relief.bump), path(&relief.specular)),
        ("textures/gun_norm.tga".into(), "textures/gun_gloss.tga".into())
    );
    // Both stages are additive. The tint is lit, but the glow is not.
    assert!(stages[1..].iter().all(|stage| stage.blend == Some(Blend::ADD) && !stage.writes_depth));
    assert_eq!((stages[1].is_lit(), stages[2].is_lit()), (true, false));
    assert!((stages[1].shade(0.0)[0] - 127.0 / 255.0).abs() < 1e-6, "neutral grey");
    assert!(stages[1..].iter().all(|stage| !stage.at_equal_depth) && stages[0].alpha_test == AlphaTest::None);
    assert!(!material.is_plain(), "it is drawn stage by stage");
    let steps: Vec<&str> = material.search_log.iter().map(|step| step.what.as_str()).collect();
    assert_eq!(steps[steps.len() - 4..], ["Normal map", "Specular map", "Tinted part", "Glow"]);
    // In other games these are unrelated images.
    let vfs = vfs_of(&[("m/gun.md3", &md3("gun")), ("gun.tga", b""), ("gun_glow.tga", b"")]);
    assert_eq!(first(&open(&vfs, "m/gun.md3")).definition.stages.len(), 1);
}

#[test]
fn darkplaces_and_cube_textures_use_alpha_test() {
    // Half of the image is transparent.
    let leaves = RgbaImage::from_fn(4, 4, |x, _| image::Rgba([20, 90, 10, if x < 2 { 0 } else { 255 }]));
    let mut bytes = Cursor::new(Vec::new());
    leaves.write_to(&mut bytes, ImageFormat::Png).unwrap();
    let leaves = bytes.into_inner();
    let test = |more: (&str, &[u8])| {
        let vfs =
            vfs_of(&[("m/tris.md3", &md3("leaf")), ("textures/leaf.png", &leaves), ("m/skin.png", &leaves), more]);
        first(&open(&vfs, "m/tris.md3")).definition.stages[0].alpha_test.clone()
    };
    assert_eq!(test(("progs.dat", b"q")), AlphaTest::Half);
    assert_eq!(test(("m/md3.cfg", b"md3load tris.md3\nmd3skin * skin.png\n")), AlphaTest::Half);
    // Quake III requires a script for alpha tests.
    assert_eq!(test(("readme", b"q")), AlphaTest::None);
}

#[test]
fn darkplaces_skips_lightmap_stages_on_models() {
    let script = b"tuba { { map textures/tuba\n tcGen environment } { map $lightmap } }\n\
        under { { map $lightmap } { map textures/tuba\n blendFunc filter } }\n\
        only { { map $lightmap } }";
    let stages = |name: &'static str, programs: &str| {
        let vfs = vfs_of(&[
            (programs, b"q"),
            ("m/a.md3", &md3(name)),
            ("scripts/a.shader", script),
            ("textures/tuba.tga", b""),
        ]);
        first(&open(&vfs, "m/a.md3")).definition.stages.clone()
    };
    assert_eq!(stages("tuba", "readme").len(), 2);
    let left = stages("tuba", "progs.dat");
    assert_eq!((left.len(), left[0].maps[0].path.as_str()), (1, "textures/tuba.tga"));
    // The stage above the removed lightmap now writes depth.
    let left = stages("under", "progs.dat");
    assert_eq!((left.len(), left[0].blend, left[0].writes_depth), (1, None, true));
    assert_eq!(stages("only", "progs.dat").len(), 1);
}

#[test]
fn darkplaces_framegroups_file_names_clips() {
    let vfs = vfs_of(&[
        ("m/wheel.md3", &md3("a")),
        ("m/wheel.md3.framegroups", b"0 1 1 0 // stop\n0 2 15 1\n"),
        ("a.tga", b""),
    ]);
    let part = open(&vfs, "m/wheel.md3");
    assert_eq!(rows(part.model.clips()), [("stop", 0, 1, 1.0, false), ("groupified_1_anim", 0, 2, 15.0, true)]);
    assert_eq!(KnownEngine::for_model(&vfs, "m/wheel.md3", Format::Md3).unwrap().by, "m/wheel.md3.framegroups");
}

#[test]
fn psa_with_the_name_of_a_psk_lists_its_clips() {
    let (mesh, animation) = (unreal_files::psk(), unreal_files::psa());
    // Games have a PSK called `.mdl`; the content decides.
    let files: [(&str, &[u8]); 4] =
        [("progs.dat", b""), ("m/a.psk", &mesh), ("m/b.mdl", &mesh), ("m/b.psa", &animation)];
    let part = open(&vfs_of(&files), "m/b.mdl");
    assert_eq!(part.model.format(), Format::Psk);
    assert_eq!(rows(part.model.clips()), [("turn", 0, 2, 15.0, true), ("bend", 2, 1, 30.0, true)]);
    // Another mesh of the same bones has it as a clip.
    let clips = open(&vfs_of(&files), "m/a.psk").model.clips().to_vec();
    assert_eq!(rows(&clips), [("b", 0, 3, 10.0, true)]);
}

#[test]
fn obj_of_darkplaces_and_quetoo_is_mirrored() {
    // `mod_obj_orientation 1`, and Quetoo `R_LoadObjModel`: (x, y, z) of the file is (x, z, y), and the corners keep their
    // order.
    let obj = b"v 1 2 3\nv 4 2 3\nv 1 7 3\nf 1 2 3\n";
    let first = |model: &Model| {
        let mut pose = Pose::default();
        sample(model, &Sampling::default(), &mut pose);
        let [a, b, c] = model.surfaces()[0].triangles[0].map(|corner| pose.surfaces[0].positions[corner as usize]);
        [a, b, c].map(|corner| corner.to_array())
    };
    for sign in ["progs.dat", "m/a.mat"] {
        let in_game = open(&vfs_of(&[(sign, b""), ("m/a.obj", obj)]), "m/a.obj");
        assert_eq!(first(&in_game.model), [[1.0, 3.0, 2.0], [4.0, 3.0, 2.0], [1.0, 3.0, 7.0]]);
    }
    let alone = open(&vfs_of(&[("m/a.obj", obj)]), "m/a.obj");
    assert_eq!(first(&alone.model), [[1.0, -3.0, 2.0], [1.0, -3.0, 7.0], [4.0, -3.0, 2.0]]);
}
