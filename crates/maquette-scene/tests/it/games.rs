//! Games with special rules: detection, and the companion files of their models.

use std::io::Cursor;

use glam::Vec3;
use image::{ImageFormat, RgbaImage};
use maquette_assets::material::{
    AlphaTest, Blend, DrawnFaces, ImageLoading, InGame, Material, ResolveContext, SurfaceMaterial, known_game,
};
use maquette_assets::open::{Anchor, Assembly, ModelAsset, Opener, open_in};
use maquette_assets::vfs::{ReadLimit, Vfs};
use maquette_core::error::{LoadError, Warnings};
use maquette_core::formats::clip_list::{self, NamedRange};
use maquette_core::formats::cube_cfg::{self, CubeFrames, CubePart};
use maquette_core::formats::{self, framegroups, ufoai_anm, ufoai_tag};
use maquette_core::model::{Clip, ClipSource, Format, Model, TagFrame};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_scene::scene::{Playback, Scene};
use proptest::prelude::*;

use maquette_testing::bytes::{ByteWriter, with_i32};
use maquette_testing::files::{Md2, Md2Frame, Md3, Mdc};
use maquette_testing::memory::peak_of;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

/// Returns an encoded image of one colour.
fn image_bytes() -> &'static [u8] {
    let mut bytes = Cursor::new(Vec::new());
    let image = RgbaImage::from_pixel(2, 2, image::Rgba([200, 100, 50, 255]));
    image.write_to(&mut bytes, ImageFormat::Png).unwrap();
    bytes.into_inner().leak()
}

/// Returns a virtual file system with these files. Files without bytes become images.
fn vfs_of(files: &[(&str, &[u8])]) -> Vfs {
    let of = |bytes: &[u8]| if bytes.is_empty() { image_bytes() } else { bytes.to_vec().leak() };
    Vfs::in_memory(files.iter().map(|(path, bytes)| ((*path).to_owned(), of(bytes))).collect())
}

fn open(vfs: &Vfs, path: &str) -> ModelAsset {
    let bytes = vfs.read(path, ReadLimit::Whole).unwrap();
    open_in(vfs, path, &bytes, &ResolveContext::new(ImageLoading::Decode)).unwrap()
}

fn paths(part: &ModelAsset, skin: usize) -> Vec<&str> {
    part.skins[skin].materials.iter().map(|material| material.path.as_str()).collect()
}

fn warnings_of(part: &ModelAsset) -> String {
    part.warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
}

/// Returns the name, first frame, frame count and rate of each clip, and whether the clip repeats.
fn rows(clips: &[Clip]) -> Vec<(&str, u32, u32, f32, bool)> {
    let row = |clip: &Clip| (clip.first, clip.count, clip.frames_per_second, clip.loops());
    clips.iter().map(|clip| (clip.name.as_str(), row(clip))).map(|(n, (a, b, c, d))| (n, a, b, c, d)).collect()
}

fn ranges(list: &[NamedRange]) -> Vec<(&str, u32, u32)> {
    list.iter().map(|range| (range.name.as_str(), range.first, range.count)).collect()
}

fn messages(warnings: Warnings) -> Vec<String> {
    warnings.into_vec().iter().map(ToString::to_string).collect()
}

fn md2(frames: usize) -> Vec<u8> {
    let frame = |_| Md2Frame {
        scale: [1.0; 3],
        translate: [0.0; 3],
        name: "FRAME 000......".to_owned(),
        vertices: vec![[0, 0, 0, 5], [2, 0, 0, 5], [0, 2, 0, 5], [2, 3, 4, 52]],
    };
    Md2 { frames: (0..frames).map(frame).collect(), ..Md2::typical() }.build()
}

/// Axes of an unrotated tag.
const STRAIGHT: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Returns a `.tag` file with these names, and the origins of each tag by frame.
fn tag_file(names: &[&str], origins: &[Vec<[f32; 3]>]) -> Vec<u8> {
    let count = |length: usize| i32::try_from(length).unwrap();
    let frames = origins.first().map_or(0, Vec::len);
    let (tags_at, tags) = (32 + 64 * names.len(), names.len() * frames);
    let mut file = ByteWriter::new();
    file.raw(b"JDP2")
        .i32(1) // version
        .i32(count(names.len())) // num_tags
        .i32(count(frames)) // num_frames
        .i32(32) // ofs_names
        .i32(count(tags_at)) // ofs_tags
        .i32(count(tags_at + 48 * tags)) // ofs_end
        .i32(count(tags_at + 64 * tags)); // ofs_extractend
    for name in names {
        file.name(name, 64);
    }
    for origin in origins.iter().flatten() {
        file.f32s(&STRAIGHT).f32s(origin);
    }
    file.finish()
}

fn load_tags(bytes: &[u8]) -> Result<ufoai_tag::TagFile, LoadError> {
    ufoai_tag::load(bytes, &mut Warnings::default())
}

// ---- lists of clips ----

#[test]
fn anm_rows_name_first_and_last_frame() {
    let text = b"// character animations\n// name\t\tstart\tend\tfps\n\nwalk0\t\t174\t204\t30\n/* of one\n\
        frame */ dead1 856 856 0\nshoot_melee 535 581 30 // hits\n";
    let mut warnings = Warnings::default();
    let list = ufoai_anm::parse(text, &mut warnings);
    assert_eq!(ranges(&list), [("walk0", 174, 31), ("dead1", 856, 1), ("shoot_melee", 535, 47)]);
    assert_eq!(list.iter().map(|range| range.frames_per_second).collect::<Vec<_>>(), [Some(30.0), None, Some(30.0)]);
    assert!(list.iter().all(|range| range.loops));
    // A row without a rate gets the default rate of the format.
    let clips = clip_list::clips(&list, 1007, 10.0, &mut warnings);
    assert_eq!(rows(&clips)[1], ("dead1", 856, 1, 10.0, true));
    assert!(clips.iter().all(|clip| clip.source == ClipSource::ClipList && clip.source.names_rates()));
    assert_eq!(messages(warnings), [] as [String; 0]);
}

#[test]
fn malformed_anm_rows_are_reported_and_rest_read() {
    let mut warnings = Warnings::default();
    let list = ufoai_anm::parse(b"walk 5\nback 9 3 10\nrun 0 4 ten\nstand 2 8 12\nstand 0 99 12\n", &mut warnings);
    assert_eq!(ranges(&list), [("stand", 2, 7), ("stand", 0, 100)]);
    let clips = clip_list::clips(&list, 10, 10.0, &mut warnings);
    assert_eq!(rows(&clips), [("stand", 2, 7, 12.0, true), ("stand (2)", 0, 10, 12.0, true)]);
    let messages = messages(warnings);
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].starts_with("line 1: ") && messages[2].starts_with("line 3: "), "{messages:?}");
    assert!(messages[3].contains("0 to 99, but the model's last frame is 9"), "{messages:?}");
    // An unclosed comment hides the rest of the file.
    let mut warnings = Warnings::default();
    assert_eq!(ranges(&ufoai_anm::parse(b"a 0 1 5\n/* b 0 1 5\n", &mut warnings)), [("a", 0, 2)]);
    assert_eq!(warnings.into_vec().len(), 1);
}

#[test]
fn framegroups_rows_have_first_frame_and_count() {
    let text =
        b"1   1   1  0 // stop\r\n1   29  15 1 // forward slow\n\n30  59\n4 2 0.5 1 fire // fifth word\n5 1 7 0\n";
    let mut warnings = Warnings::default();
    let list = framegroups::parse(text, &mut warnings);
    let clips = clip_list::clips(&list, 200, 10.0, &mut warnings);
    let expected = [
        ("stop", 1, 1, 1.0, false),
        ("forward slow", 1, 29, 15.0, true),
        // A row without a rate and a fourth number has 20 frames per second and repeats.
        ("group 2", 30, 59, 20.0, true),
        // The minimum rate is 1.
        ("fire", 4, 2, 1.0, true),
        ("group 4", 5, 1, 7.0, false),
    ];
    assert_eq!(rows(&clips), expected);
    assert_eq!(messages(warnings), [] as [String; 0]);
    let mut warnings = Warnings::default();
    assert_eq!(ranges(&framegroups::parse(b"7\nx 3\n0 0\n", &mut warnings)), [("group 0", 0, 1)]);
    assert_eq!(warnings.into_vec().len(), 2);
}

// ---- tags ----

#[test]
fn tag_file_is_transposed_to_frame_order() {
    let head = vec![[0.0, 0.0, 11.0], [1.0, 0.0, 11.0], [2.0, 0.0, 11.0]];
    let hand = vec![[0.0, 5.0, 0.0], [0.0, 6.0, 0.0], [0.0, 7.0, 0.0]];
    let file = load_tags(&tag_file(&["tag_head", "tag_rweapon"], &[head, hand])).unwrap();
    assert_eq!((file.names.as_slice(), file.frame_count), (&["tag_head".to_owned(), "tag_rweapon".to_owned()][..], 3));
    let x_and_y = |tags: &[TagFrame]| tags.iter().map(|tag| (tag.origin.x, tag.origin.y)).collect::<Vec<_>>();
    let mut warnings = Warnings::default();
    let tags = file.for_frames(3, &mut warnings).unwrap();
    assert_eq!(x_and_y(&tags), [(0.0, 0.0), (0.0, 5.0), (1.0, 0.0), (0.0, 6.0), (2.0, 0.0), (0.0, 7.0)]);
    assert!(warnings.clone().into_vec().is_empty());
    // For a model with more frames, the last frame repeats. For a model with fewer, the rest is ignored.
    assert_eq!(x_and_y(&file.for_frames(4, &mut warnings).unwrap())[6..], [(2.0, 0.0), (0.0, 7.0)]);
    assert_eq!(file.for_frames(1, &mut warnings).unwrap().len(), 2);
    assert_eq!(warnings.into_vec().len(), 2);
}

#[test]
fn invalid_tag_files_are_rejected_with_field_and_offset() {
    let sound = tag_file(&["tag_head"], &[vec![[0.0; 3]; 2]]);
    let refusal = |bytes: &[u8]| load_tags(bytes).unwrap_err().to_string();
    assert!(refusal(b"JDP1").starts_with("TAG: ident at byte 0x0: "));
    assert_eq!(
        refusal(&with_i32(&sound, 4, 2)),
        "TAG: version at byte 0x4: version 2 is not supported; expected version 1"
    );
    assert!(refusal(&with_i32(&sound, 8, -1)).contains("num_tags at byte 0x8: the count -1"));
    assert!(refusal(&with_i32(&sound, 12, 0)).contains("num_frames at byte 0xc: no frames"));
    assert!(
        refusal(&with_i32(&sound, 20, 97)).contains(
            "ofs_tags at byte 0x14: the table at byte 0x61 ends at byte 0xc1, but the file ends at byte 0xc0"
        )
    );
    assert!(refusal(&with_i32(&sound, 16, -1)).contains("begins before the file"));
}

#[test]
fn tag_file_loader_survives_truncation_and_changes() {
    let sound = tag_file(&["tag_head", "tag_floor"], &[vec![[1.0; 3]; 2], vec![[2.0; 3]; 2]]);
    let survives = |bytes: &[u8]| {
        let (result, peak) = peak_of(|| load_tags(bytes));
        assert!(peak <= 16 * bytes.len() + (1 << 20), "{peak} bytes for a file of {}", bytes.len());
        let Ok(file) = result else { return };
        for frames in [1, 2, 3, 1 << 20] {
            let tags = file.for_frames(frames, &mut Warnings::default());
            assert!(tags.is_none_or(|tags| tags.len() == file.names.len() * frames));
        }
    };
    (0..sound.len()).for_each(|end| survives(&sound[..end]));
    for at in (0..32).step_by(4) {
        for value in [i32::MIN, -1, 0, 1, 2, 3, 1000, 1 << 20, i32::MAX] {
            survives(&with_i32(&sound, at, value));
        }
    }
}

#[test]
fn tag_count_is_limited_for_models_with_many_frames() {
    let names: Vec<String> = (0..512).map(|number| format!("tag {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let file = load_tags(&tag_file(&names, &vec![vec![[0.0; 3]]; 512])).unwrap();
    let mut warnings = Warnings::default();
    assert_eq!(file.for_frames(1 << 20, &mut warnings), None);
    assert!(messages(warnings).iter().any(|message| message.contains("the tags are skipped")));
}

#[test]
fn added_tags_follow_the_models_own() {
    let (mut model, _) = formats::load(&Md3::typical().build()).unwrap();
    let tag = |x: f32| TagFrame { origin: Vec3::new(x, 0.0, 0.0), axes: [Vec3::X, Vec3::Y, Vec3::Z] };
    model.add_tags(vec!["tag_a".to_owned(), "tag_b".to_owned()], &[tag(1.0), tag(2.0), tag(3.0), tag(4.0)]).unwrap();
    assert_eq!(model.tags(), ["tag_head", "tag_a", "tag_b"]);
    assert_eq!(tag_positions(&model, 0), [0.0, 1.0, 2.0]);
    // The model's own tag still moves by 8.
    assert_eq!(tag_positions(&model, 1), [8.0, 3.0, 4.0]);
    // Too few transforms for two frames; MDC stores angles instead.
    assert!(model.add_tags(vec!["tag_c".to_owned()], &[tag(5.0)]).is_err());
    assert_eq!(model.tags().len(), 3);
    let (mut mdc, _) = formats::load(&Mdc::typical().build()).unwrap();
    assert!(mdc.add_tags(Vec::new(), &[]).is_err());
}

/// Returns the X coordinates of all tags in a frame.
fn tag_positions(model: &Model, frame: u32) -> Vec<f32> {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose.tags.iter().map(|tag| tag.translation.x).collect()
}

// ---- UFO: Alien Invasion ----

#[test]
fn md2_takes_clips_and_tags_from_companion_files() {
    let tags = tag_file(&["tag_head"], &[vec![[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [5.0, 0.0, 0.0]]]);
    let vfs = vfs_of(&[
        ("models/soldier/body.md2", &md2(3)),
        ("models/soldier/body.anm", b"stand 0 0 1\nwalk 1 2 30\n"),
        ("models/soldier/body.tag", &tags),
        ("models/soldier/head.md2", &md2(1)),
        ("models/soldier/skin.png", b""),
    ]);
    let body = open(&vfs, "models/soldier/body.md2");
    assert_eq!(rows(body.model.clips()), [("stand", 0, 1, 1.0, true), ("walk", 1, 2, 30.0, true)]);
    assert_eq!(body.model.tags(), ["tag_head"]);
    assert_eq!((tag_positions(&body.model, 0), tag_positions(&body.model, 2)), (vec![1.0], vec![5.0]));
    let game = known_game(&vfs, "models/soldier/body.md2", Format::Md2).unwrap();
    assert_eq!((game.game.name, game.by.as_str()), ("UFO: Alien Invasion", "models/soldier/body.anm"));
    // The head has no companion files, so it is a plain MD2.
    assert!(known_game(&vfs, "models/soldier/head.md2", Format::Md2).is_none());
    assert!(open(&vfs, "models/soldier/head.md2").model.tags().is_empty());
}

#[test]
fn transparent_skin_does_not_stand_in_for_the_first() {
    let image = |alpha: u8| -> &'static [u8] {
        let mut bytes = Cursor::new(Vec::new());
        let image = RgbaImage::from_pixel(2, 2, image::Rgba([200, 100, 50, alpha]));
        image.write_to(&mut bytes, ImageFormat::Png).unwrap();
        bytes.into_inner().leak()
    };
    let (model, clear, solid) = (md2(2), image(0), image(255));
    let opened = |files: &[(&str, &[u8])]| {
        let mut all = vec![("models/box/tris.md2", model.as_slice())];
        all.extend_from_slice(files);
        open(&vfs_of(&all), "models/box/tris.md2")
    };
    // The model names skin.pcx and pain.pcx.
    let part = opened(&[("models/box/pain.png", clear)]);
    assert!(first(&part).is_missing() && first(&part).name == "models/box/skin.pcx");
    assert!(warnings_of(&part).contains("the other skins are fully transparent"), "{}", warnings_of(&part));
    assert_eq!(part.skins.iter().map(|skin| skin.name.as_str()).collect::<Vec<_>>(), ["skin.pcx", "pain.png"]);
    let part = opened(&[("models/box/pain.png", solid)]);
    assert_eq!(paths(&part, 0), ["models/box/pain.png"]);
    assert!(warnings_of(&part).contains("the first skin “models/box/skin.pcx” was not found; using pain.png"));
    let part = opened(&[("models/box/skin.png", clear), ("models/box/pain.png", solid)]);
    assert_eq!(paths(&part, 0), ["models/box/skin.png"]);
    assert!(warnings_of(&part).contains("the first skin is fully transparent"));
    assert_eq!(warnings_of(&opened(&[("models/box/skin.png", solid), ("models/box/pain.png", clear)])), "");
}

#[test]
fn broken_tag_file_is_reported_and_model_loads() {
    let vfs = vfs_of(&[("m/body.md2", &md2(3)), ("m/body.tag", b"JDP2\x01\0\0\0"), ("m/skin.png", b"")]);
    let body = open(&vfs, "m/body.md2");
    assert!(body.model.tags().is_empty());
    assert!(
        warnings_of(&body).contains("body.tag: the tags are skipped: TAG: num_tags at byte 0x8"),
        "{}",
        warnings_of(&body)
    );
    // A short list of frames gives a warning, and the last frame repeats.
    let short = tag_file(&["tag_head"], &[vec![[7.0, 0.0, 0.0]]]);
    let vfs = vfs_of(&[("m/body.md2", &md2(3)), ("m/body.tag", &short), ("m/skin.png", b"")]);
    let body = open(&vfs, "m/body.md2");
    assert_eq!(tag_positions(&body.model, 2), [7.0]);
    assert!(warnings_of(&body).contains("the file has 1 frames, but the model has 3"), "{}", warnings_of(&body));
}

// ---- Ports of Quake ----

#[test]
fn lmp_image_of_quake_uses_the_palette() {
    // Ironwail `Image_LoadLMP`: width, height, indices. `TEXPREF_ALPHA` makes colour 255 transparent.
    let mut palette = vec![0; 768];
    palette[3..6].copy_from_slice(&[10, 20, 30]);
    let lmp = |width: u8| [&[width, 0, 0, 0, 1, 0, 0, 0][..], &[1, 255]].concat();
    let opened = |width: u8, path: &str| {
        let image = lmp(width);
        let name = if path.ends_with("mesh") { "progs/gun_00_00.LMP" } else { "progs/u_torso_0.lmp" };
        let mesh = MD5_MESH.replace("models/box/skin", "gun");
        let bytes = if path.ends_with("mesh") { mesh.into_bytes() } else { md3("") };
        open(&vfs_of(&[(path, &bytes), (name, &image), ("gfx/palette.lmp", &palette)]), path)
    };
    for path in ["progs/gun.md5mesh", "progs/ogre.md3"] {
        let part = opened(2, path);
        let image = first(&part).image.clone().unwrap();
        assert_eq!((image.width, image.height), (2, 1), "{path}");
        assert_eq!(image.rgba, [10, 20, 30, 255, 0, 0, 0, 0]);
        assert_eq!(warnings_of(&part), "");
    }
    let part = opened(3, "progs/ogre.md3");
    assert!(warnings_of(&part).contains("u_torso_0.lmp: width × height differs from the number of texels"));
    let elsewhere =
        open(&vfs_of(&[("models/a.md3", &md3("models/skin")), ("models/skin.lmp", &lmp(2))]), "models/a.md3");
    assert!(first(&elsewhere).is_missing());
}

// ---- SRB2 ----

#[test]
fn model_of_srb2_has_image_of_its_name() {
    // SRB2 `PNG_Load`, `PCX_Load`: the path of the model with the extension `.png`, else `.pcx`.
    let body = Md3 { surfaces: 2, shaders: vec!["models/other.tga"], ..Md3::typical() }.build();
    let files: [(&str, &[u8]); 9] = [
        ("models.dat", b"PLAY SONIC.md3 3.0 0.0\n"),
        ("models/SONIC.md3", &body),
        ("models/SONIC.png", b""),
        ("models/SONIC.tga", b""),
        ("models/other.tga", b""),
        ("models/chars/tails.md2", &md2(2)),
        ("models/chars/tails.pcx", b""),
        ("models/chars/skin.png", b""),
        ("models/box/skin.png", b""),
    ];
    for (model, image) in
        [("models/SONIC.md3", "models/SONIC.png"), ("models/chars/tails.md2", "models/chars/tails.pcx")]
    {
        let part = open(&vfs_of(&files), model);
        assert_eq!(part.skins.len(), 1);
        assert!(part.skins[0].materials.iter().all(|material| material.path == image && !material.is_guess));
        assert!(part.missing_skins.is_empty() && warnings_of(&part).is_empty(), "{}", warnings_of(&part));
    }
    let part = open(&vfs_of(&files[1..]), "models/SONIC.md3");
    assert_eq!(paths(&part, 0), ["models/other.tga"; 2]);
}

// ---- Quake III ----

#[test]
fn skin_entry_with_suffix_has_no_effect_in_quake3() {
    // ioquake3 `R_LoadMD3` cuts `_1` off the surface's name, so only an entry without the suffix applies.
    let mut body = md3("x");
    let name = body.windows(7).position(|bytes| bytes == b"u_torso").unwrap();
    body[name..name + 7].copy_from_slice(b"u_arm_1");
    let drawn = |skin: &str| {
        let files: [(&str, &[u8]); 3] =
            [("models/x/x.md3", &body), ("models/x/x_default.skin", skin.as_bytes()), ("models/x/a.png", b"")];
        let part = open(&vfs_of(&files), "models/x/x.md3");
        (first(&part).path.clone(), first(&part).in_game == InGame::Whole)
    };
    assert_eq!(drawn("u_arm_1,models/x/a"), ("models/x/a.png".to_owned(), false));
    assert_eq!(drawn("u_arm,models/x/a"), ("models/x/a.png".to_owned(), true));
}

// ---- Quake II ----

#[test]
fn md2_skin_with_parent_folder_is_found_inside_root() {
    // q2pro `FS_NormalizePathBuffer` resolves `..`; ioquake3 `FS_FOpenFileReadDir` refuses the name.
    let skins = vec!["m/tank/skin.pcx", "m\\tank\\..\\ctank\\skin.pcx"];
    let body = Md2 { skins, ..Md2::typical() }.build();
    let named = md3("m/tank/../ctank/skin.pcx");
    let both: [(&str, &[u8]); 4] =
        [("m/tank/tris.md2", &body), ("m/b/b.md3", &named), ("m/tank/skin.png", b""), ("m/ctank/skin.png", b"")];
    let part = open(&vfs_of(&both), "m/tank/tris.md2");
    assert_eq!(part.skins.len(), 2);
    assert_eq!((paths(&part, 0), paths(&part, 1)), (vec!["m/tank/skin.png"], vec!["m/ctank/skin.png"]));
    assert!(part.missing_skins.is_empty());
    assert!(open(&vfs_of(&both), "m/b/b.md3").skins[0].materials[0].is_missing());
}

#[test]
fn quake2_player_has_skins_with_icon() {
    // yquake2 `menu.c`: a skin needs an icon. The list in the model does not matter.
    let body = Md2 { skins: vec!["players/foo/grunt.pcx", "players/foo/gone.pcx"], ..Md2::typical() }.build();
    let files = ["grunt", "grunt_i", "other", "other_i", "noicon", "weapon"];
    let names = files.map(|name| format!("players/foo/{name}.pcx"));
    let skins_of = |model: &str| {
        let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &[][..])).collect();
        files.push((model, &body));
        let part = open(&vfs_of(&files), model);
        (part.skins.iter().map(|skin| skin.name.clone()).collect::<Vec<_>>(), part.missing_skins.len())
    };
    assert_eq!(skins_of("players/foo/tris.md2"), (vec!["grunt.pcx".to_owned(), "other.pcx".to_owned()], 0));
    assert_eq!(skins_of("players/foo/weapon.md2"), (vec!["grunt.pcx".to_owned()], 1));
}

#[test]
fn listed_skin_with_foreign_image_is_missing() {
    let skins = vec!["m/tank/skin.pcx", "m/ctank/skin.pcx", "M\\Tank\\Skin.tga"];
    let body = Md2 { skins, ..Md2::typical() }.build();
    let part = open(&vfs_of(&[("m/tank/tris.md2", &body), ("m/tank/skin.png", b"")]), "m/tank/tris.md2");
    let missing: Vec<&str> = part.missing_skins.iter().map(|material| material.name.as_str()).collect();
    assert_eq!((part.skins.len(), missing), (1, vec!["m/ctank/skin.pcx"]));
}

// ---- DarkPlaces ----

/// Returns an MD3 with one surface that uses `shader`.
fn md3(shader: &'static str) -> Vec<u8> {
    Md3 { shaders: vec![shader], ..Md3::typical() }.build()
}

fn first(part: &ModelAsset) -> &SurfaceMaterial {
    &part.skins[0].materials[0]
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
    assert_eq!(rows(part.model.clips()), [("stop", 0, 1, 1.0, false), ("group 1", 0, 2, 15.0, true)]);
    assert_eq!(known_game(&vfs, "m/wheel.md3", Format::Md3).unwrap().by, "m/wheel.md3.framegroups");
}

// ---- Cube engines ----

fn cube(text: &str, format: Format) -> (Vec<CubePart>, Vec<String>) {
    let mut warnings = Warnings::default();
    let parts = cube_cfg::parse(text.as_bytes(), format, &mut |_| None, &mut warnings);
    (parts, messages(warnings))
}

#[test]
fn cube_script_assigns_skins_and_later_lines_win() {
    let text = "// a lamp\nmdlscale 400\nmd3load \"../tree09/tris.md3\" // shared\n\
        md3skin * ../all.png; md3skin bark <dds>../bark.png <dds><ffmask:25>../mask.jpg 0.5 0.3\n\
        md3bumpmap bark <dds>norm.png\nmd3skin leaves a.png\nmd3skin leaves b.png\n\
        md3anim mapmodel 0 23 33\nmd3anim \"gun idle\" 4\n";
    let (parts, warnings) = cube(text, Format::Md3);
    assert_eq!((parts.len(), warnings.len()), (1, 0), "{warnings:?}");
    let part = &parts[0];
    assert_eq!(part.model.file, "../tree09/tris.md3");
    let bark = part.skin_of("bark").unwrap();
    assert_eq!((bark.texture.file.as_str(), bark.mask.as_ref().unwrap().file.as_str()), ("../bark.png", "../mask.jpg"));
    assert_eq!(part.normal_map_of("bark").unwrap().file, "norm.png");
    assert_eq!(part.skin_of("leaves").unwrap().texture.file, "b.png");
    assert_eq!(part.skin_of("trunk").unwrap().texture.file, "../all.png");
    let animations: Vec<_> =
        part.animations.iter().map(|one| (one.name.as_str(), one.frames.clone(), one.frames_per_second)).collect();
    let range = |first, count| CubeFrames::Range(first, count);
    assert_eq!(animations, [("mapmodel", range(0, 23), Some(33.0)), ("gun idle", range(4, 1), None)]);
    // A later line for all meshes overrides one for a single mesh, as in the engine.
    let (parts, _) = cube("md3load a.md3\nmd3skin bark a.png\nmd3skin * b.png\n", Format::Md3);
    assert_eq!(parts[0].skin_of("bark").unwrap().texture.file, "b.png");
}

#[test]
fn cube_script_of_md5_names_files_and_joints() {
    let text = "md5dir \"ffflag\"\nmd5load \"ffflag.md5mesh\" \"\" 00\nmd5tag Weapon tag_weapon\n\
        md5anim \"claw|sword\" \"idle.md5anim\" 1\nmd5skin Cube \"skin.png\"\nmd3skin * other.png\n";
    let (parts, warnings) = cube(text, Format::Md5);
    assert_eq!(warnings, [] as [String; 0]);
    let part = &parts[0];
    assert_eq!(part.model.folder.as_deref(), Some("ffflag"));
    assert_eq!(part.tags, [("Weapon".to_owned(), "tag_weapon".to_owned())]);
    let CubeFrames::File(file) = &part.animations[0].frames else { panic!("a file") };
    assert_eq!((part.animations[0].name.as_str(), file.file.as_str()), ("claw|sword", "idle.md5anim"));
    assert_eq!((part.skins.len(), part.animations[0].frames_per_second), (1, Some(1.0)));
}

#[test]
fn malformed_cube_script_lines_are_reported_and_rest_read() {
    let text = "md5skin * early.png\nmd5load mesh.md5mesh\nmd5skin\nmd5anim \"reload\" ../a.md5anim\" 22.85\n\
        md5skin * \"open.png\nmd5tag hand tag_hand\n";
    let (parts, warnings) = cube(text, Format::Md5);
    assert_eq!(warnings.len(), 2, "{warnings:?}");
    assert!(warnings[0].starts_with("line 1: “md5skin” comes before the model is loaded"), "{warnings:?}");
    assert!(warnings[1].starts_with("line 3: “md5skin” needs 2 words"), "{warnings:?}");
    // A quoted text ends at the end of its line.
    assert_eq!(parts[0].skin_of("x").unwrap().texture.file, "open.png");
    assert_eq!((parts[0].tags.len(), parts[0].animations.len()), (1, 1));
    // An MD2 has one part even without a load line.
    let (parts, _) = cube("md2skin * a.png\nmd2anim \"idle\" 0 4", Format::Md2);
    assert_eq!((parts.len(), parts[0].model.file.as_str(), parts[0].animations.len()), (1, "tris.md2", 1));
}

#[test]
fn cube_script_next_to_model_assigns_materials() {
    let script = b"md3load tris.md3\nmd3skin * <dds>../shared/skin.jpg ../shared/mask.png\nmd3anim \"idle\" 0 2 25\n";
    let vfs = vfs_of(&[
        ("models/ladder/tris.md3", &md3("models/players/model/skin.tga")),
        ("models/ladder/md3.cfg", script),
        ("models/ladder/skin.png", b""),
        ("models/shared/skin.jpg", b""),
        ("models/shared/mask.png", b""),
    ]);
    let part = open(&vfs, "models/ladder/tris.md3");
    assert_eq!((paths(&part, 0), part.skins.len()), (vec!["models/shared/skin.jpg"], 1));
    assert_eq!(rows(part.model.clips()), [("idle", 0, 2, 25.0, true)]);
    assert!(part.warnings.is_empty(), "{}", warnings_of(&part));
    let trail: Vec<(&str, Option<&str>)> =
        first(&part).search_log.iter().map(|step| (step.what.as_str(), step.found.as_deref())).collect();
    assert_eq!(trail[0], ("Skin file", Some("models/ladder/md3.cfg: models/shared/skin.jpg")));
    assert_eq!(trail.last().unwrap(), &("Mask", Some("models/shared/mask.png")));
    let game = known_game(&vfs, "models/ladder/tris.md3", Format::Md3).unwrap();
    assert!(game.game.name.starts_with("Cube engine") && game.by == "models/ladder/md3.cfg");
}

#[test]
fn every_folder_that_loads_a_model_is_its_skin() {
    let gun = MD5_MESH.replace("mesh {", "mesh {\n\t// meshes: Mesh");
    let vfs = vfs_of(&[
        ("guns/rifle/rifle.md5mesh", gun.as_bytes()),
        ("guns/rifle/a.md5anim", MD5_ANIM.as_bytes()),
        (
            "guns/rifle/hand/md5.cfg",
            b"md5load ../rifle.md5mesh\n\
         md5tag arm tag_muzzle\n\
         md5skin Mesh ../skin.png\n\
         md5anim \"shoot\" ../a.md5anim 8\n\
         md5anim \"idle\" ../a.md5anim\n\
         ",
        ),
        ("guns/rifle/item/md5.cfg", b"md5load ../rifle.md5mesh\nmd5skin Mesh ../gold.png\n"),
        ("guns/rifle/world/md5.cfg", b"md5load ../rifle.md5mesh\nmd5skin Mesh ../skin.png\n"),
        ("guns/rifle/other/md5.cfg", b"md5load ../other.md5mesh\nmd5skin * ../gone.png\n"),
        ("guns/rifle/skin.png", b""),
        ("guns/rifle/gold.png", b""),
    ]);
    let part = open(&vfs, "guns/rifle/rifle.md5mesh");
    let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["hand", "item"], "one that looks the same is none of its own");
    assert_eq!((paths(&part, 0), paths(&part, 1)), (vec!["guns/rifle/skin.png"], vec!["guns/rifle/gold.png"]));
    // Only a comment contains the name. Scripts use it to identify the mesh.
    let surface = &part.model.surfaces()[0];
    assert_eq!((surface.name.as_str(), surface.script_name()), ("", "Mesh"));
    assert_eq!(part.model.tags(), ["tag_muzzle"]);
    // One file with several clip names is stored once: the bind pose and its three frames.
    assert_eq!(part.model.frames().len(), 4);
    let clips: Vec<_> = rows(part.model.clips()).into_iter().skip(1).collect();
    assert_eq!(clips, [("shoot", 1, 3, 8.0, true), ("idle", 1, 3, 30.0, true), ("a", 1, 3, 30.0, true)]);
}

#[test]
fn subfolders_with_skin_image_are_skins_without_script() {
    let vfs = vfs_of(&[
        ("packages/models/armor/tris.md3", &md3("models/players/model/skin.tga")),
        ("packages/models/armor/md3.cfg", b"mdlspec 300\n"),
        ("packages/models/armor/green/skin.jpg", b""),
        ("packages/models/armor/yellow/skin.jpg", b""),
    ]);
    let part = open(&vfs, "packages/models/armor/tris.md3");
    let names: Vec<&str> = part.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["green", "yellow"]);
    assert_eq!(paths(&part, 1), ["packages/models/armor/yellow/skin.jpg"]);
}

#[test]
fn cube_model_without_script_has_skin_of_its_folder_or_the_parent() {
    // Sauerbraten `loaddefaultparts`: `loadskin(loadname, parentdir(loadname))`.
    let body = Md2 { skins: Vec::new(), ..Md2::typical() }.build();
    let vfs = vfs_of(&[
        ("packages/models/guns/a/tris.md2", &body),
        ("packages/models/guns/a/skin.png", b""),
        ("packages/models/guns/b/tris.md2", &body),
        ("packages/models/guns/b/other.png", b""),
        ("packages/models/guns/skin.jpg", b""),
        ("packages/modelsx/b/tris.md2", &body),
        ("packages/modelsx/skin.jpg", b""),
    ]);
    let image = |path: &str| {
        let part = open(&vfs, path);
        (paths(&part, 0)[0].to_owned(), first(&part).is_guess)
    };
    assert_eq!(image("packages/models/guns/a/tris.md2"), ("packages/models/guns/a/skin.png".to_owned(), false));
    assert_eq!(image("packages/models/guns/b/tris.md2"), ("packages/models/guns/skin.jpg".to_owned(), false));
    assert_eq!(image("packages/modelsx/b/tris.md2").0, "");
}

#[test]
fn folder_called_packages_may_be_the_root_of_a_cube_game() {
    // Sauerbraten's own layout: `packages` contains `models` and `textures`, so it looks like a game's root.
    let folder = tempfile::tempdir().unwrap();
    let models = folder.path().join("game/packages/models");
    let body = Md2 { skins: Vec::new(), ..Md2::typical() }.build();
    for (path, bytes) in [
        ("window/left/tris.md2", body.as_slice()),
        ("window/left/masks.png", image_bytes()),
        ("window/skin.png", image_bytes()),
        ("window/md2.cfg", b"mdlcullface 0\n"),
    ] {
        std::fs::create_dir_all(models.join(path).parent().unwrap()).unwrap();
        std::fs::write(models.join(path), bytes).unwrap();
    }
    let opener = Opener::new(Vec::new(), ImageLoading::Decode);
    let part = opener.model(&models.join("window/left/tris.md2")).unwrap();
    // The skin is the parent's, not the mask, and so are the states (`md2.h`, `loaddefaultparts`).
    assert_eq!((paths(&part, 0)[0], first(&part).is_guess), ("models/window/skin.png", false));
    assert_eq!(first(&part).definition.sides, DrawnFaces::Both);
    assert!(!first(&part).is_plain(), "both sides are drawn by its stage, not as a plain image");
}

#[test]
fn cube_script_reads_other_scripts() {
    // Sauerbraten's players: clips and hands are in scripts that others share. The folder of `md5dir` stays.
    let hands = b"md5dir hero/hands\nmd5load hands.md5mesh\nmd5skin * skin.png\nexec packages/models/gone.cfg\n";
    let vfs = vfs_of(&[
        ("packages/models/hero/hero.md5mesh", MD5_MESH.as_bytes()),
        ("packages/models/hero/wave.md5anim", MD5_ANIM.as_bytes()),
        (
            "packages/models/hero/md5.cfg",
            b"md5load hero.md5mesh\nmd5skin * a.png\nexec \"packages/models/hero/anims.cfg\"\n",
        ),
        ("packages/models/hero/anims.cfg", b"md5anim \"taunt\" wave.md5anim 12\nmd5tag arm\n"),
        ("packages/models/hero/a.png", b""),
        ("packages/models/hero/hands/hands.md5mesh", MD5_MESH.as_bytes()),
        ("packages/models/hero/hands/skin.png", b""),
        ("packages/models/hero/hands/gun/md5.cfg", b"exec packages/models/hero/hands.cfg\nmd5bumpmap * norm.png\n"),
        ("packages/models/hero/hands/norm.png", b""),
        ("packages/models/hero/hands.cfg", hands),
    ]);
    let part = open(&vfs, "packages/models/hero/hero.md5mesh");
    assert_eq!(rows(part.model.clips())[1], ("taunt", 1, 3, 12.0, true));
    let expected = "md5.cfg: packages/models/hero/anims.cfg line 2: “md5tag” needs 2 words; line skipped";
    assert!(warnings_of(&part).contains(expected), "{}", warnings_of(&part));
    let part = open(&vfs, "packages/models/hero/hands/hands.md5mesh");
    assert_eq!((part.skins[0].name.as_str(), paths(&part, 0)[0]), ("gun", "packages/models/hero/hands/skin.png"));
    let relief = first(&part).definition.stages[0].relief.as_ref().unwrap();
    assert_eq!(relief.bump.as_ref().unwrap().path, "packages/models/hero/hands/norm.png");
    // A script that reads itself ends.
    let mut itself = |_: &str| Some(b"md3load b.md3\nexec me\n".to_vec());
    let parts = cube_cfg::parse(b"md3load a.md3\nexec me\n", Format::Md3, &mut itself, &mut Warnings::default());
    assert!(parts.len() > 2 && parts.len() < 100);
}

#[test]
fn cube_script_states_set_sides_and_alpha() {
    // Sauerbraten `animmodel.h`: `setcullface`, `setalphatest`, `setalphablend`; without them 0.9 and blended.
    let material = |script: &str| {
        let vfs = vfs_of(&[("m/tris.md3", &md3("x")), ("m/md3.cfg", script.as_bytes()), ("m/skin.png", b"")]);
        open(&vfs, "m/tris.md3").skins[0].materials[0].definition.as_ref().clone()
    };
    let alpha = |material: &Material| match &material.stages[0].alpha_test {
        AlphaTest::Above(alpha) => Some((alpha.at(0.0), material.stages[0].blend)),
        _ => None,
    };
    let load = "md3load tris.md3\nmd3skin * skin.png\n";
    let plain = material(load);
    assert_eq!((plain.sides, alpha(&plain)), (DrawnFaces::Front, None));
    // A script without `md3load` is about the default model.
    for load in [load, ""] {
        let leaf = material(&format!("{load}mdlcullface 0\nmdlalphablend 0\nmdlalphatest .35"));
        assert_eq!((leaf.sides, alpha(&leaf)), (DrawnFaces::Both, Some((0.35, None))));
    }
    assert_eq!(alpha(&material(&format!("{load}mdlalphablend 0"))), Some((0.9, None)));
    let fire = material(&format!("{load}mdlalphatest 0.01"));
    assert_eq!((alpha(&fire), fire.stages[0].writes_depth), (Some((0.01, Some(Blend::ALPHA))), true));
    // A test at 0 draws all texels.
    assert!(alpha(&material(&format!("{load}mdlalphatest 0"))).unwrap().0 < 0.0);
    // States of a mesh; the last command wins, and those for all come after the load.
    assert_eq!(material(&format!("{load}md3cullface gone 0")).sides, DrawnFaces::Front);
    assert_eq!(material(&format!("{load}mdlcullface 0\nmd3cullface * 1")).sides, DrawnFaces::Front);
    assert_eq!(material(&format!("{load}md3cullface * 1\nmdlcullface 0")).sides, DrawnFaces::Both);
}

#[test]
fn cube_script_without_skins_still_names_clips_and_tags() {
    let vfs = vfs_of(&[
        ("g/gun.md5mesh", MD5_MESH.as_bytes()),
        ("g/a.md5anim", MD5_ANIM.as_bytes()),
        ("g/md5.cfg", b"md5load gun.md5mesh\nmd5tag arm tag_muzzle\nmd5anim \"shoot\" a.md5anim 8\n"),
        ("models/box/skin.png", b""),
    ]);
    let part = open(&vfs, "g/gun.md5mesh");
    assert_eq!((part.model.tags(), paths(&part, 0)), (&["tag_muzzle".to_owned()][..], vec!["models/box/skin.png"]));
    assert_eq!(rows(part.model.clips())[1], ("shoot", 1, 3, 8.0, true));
    // An MD2 still uses the skin in its folder.
    let files: [(&str, &[u8]); 3] =
        [("m/tris.md2", &md2(3)), ("m/md2.cfg", b"md2anim \"idle\" 0 2 5\n"), ("m/skin.jpg", b"")];
    let part = open(&vfs_of(&files), "m/tris.md2");
    assert_eq!((paths(&part, 0), rows(part.model.clips())), (vec!["m/skin.jpg"], vec![("idle", 0, 2, 5.0, true)]));
}

#[test]
fn cube_script_of_different_file_is_the_fallback() {
    let vfs = vfs_of(&[
        ("v/tree01/tris.md3", &md3("models/players/model/skin.tga")),
        ("v/tree01/md3.cfg", b"md3load ../tree09/tris.md3\nmd3skin * ../green.png\n"),
        ("v/green.png", b""),
    ]);
    let part = open(&vfs, "v/tree01/tris.md3");
    assert_eq!(paths(&part, 0), ["v/green.png"]);
    assert!(warnings_of(&part).contains("md3.cfg: the script is for ../tree09/tris.md3"), "{}", warnings_of(&part));
}

#[test]
fn missing_and_outside_script_images_are_reported() {
    for path in ["../../../../etc/skin.png", "gone.png", "C:\\skin.png"] {
        let script = format!("md3load tris.md3\nmd3skin * \"{path}\"\n");
        let vfs = vfs_of(&[("a/b/tris.md3", &md3("x")), ("a/b/md3.cfg", script.as_bytes())]);
        let part = open(&vfs, "a/b/tris.md3");
        assert!(first(&part).is_missing(), "{path}");
        assert!(warnings_of(&part).contains("no image"), "{path}: {}", warnings_of(&part));
    }
}

fn skin_paths(part: &ModelAsset) -> Vec<(&str, &str)> {
    part.skins.iter().map(|skin| (skin.name.as_str(), skin.materials[0].path.as_str())).collect()
}

#[test]
fn quake_ports_derive_image_names_from_shader_or_surface() {
    // Ironwail `Mod_LoadMD5Skins`: `progs/<shader>_<skin>_<frame>`, glow maps with `_luma`.
    let shader = MD5_MESH;
    let named = shader.split("shader \"").nth(1).unwrap().split('"').next().unwrap();
    let mesh = shader.replace(named, "ogre");
    let files: [(&str, &[u8]); 5] = [
        ("progs/ogre.md5mesh", mesh.as_bytes()),
        ("progs/ogre_00_00.png", &[]),
        ("progs/ogre_00_00_luma.png", &[]),
        ("progs/ogre_01_00.png", &[]),
        ("progs/ogre_03_00.png", &[]),
    ];
    let part = open(&vfs_of(&files), "progs/ogre.md5mesh");
    assert_eq!(skin_paths(&part), [("0", "progs/ogre_00_00.png"), ("1", "progs/ogre_01_00.png")]);
    assert_eq!(first(&part).definition.stages[1].blend, Some(Blend::ADD));
    assert!(!first(&part).is_guess && warnings_of(&part).is_empty(), "{}", warnings_of(&part));

    // Ironwail `Mod_LoadMD3_LoadNonSkinFileTextures`: the surface is called `box`.
    let model = md3("");
    let skins = |images: &[&'static str]| -> Vec<(String, String)> {
        let mut files = vec![("progs/a.md3", model.as_slice())];
        files.extend(images.iter().map(|path| (*path, &[][..])));
        let part = open(&vfs_of(&files), "progs/a.md3");
        skin_paths(&part).iter().map(|(name, path)| ((*name).to_owned(), (*path).to_owned())).collect()
    };
    let surface = formats::load(&model).unwrap().0.surfaces()[0].name.clone();
    let path = |text: &str| -> &'static str { text.replace("SURFACE", &surface).leak() };
    let wanted = |list: &[&str]| -> Vec<(String, String)> {
        list.iter().enumerate().map(|(number, text)| (number.to_string(), path(text).to_owned())).collect()
    };
    let numbered = ["progs/SURFACE_0.png", "textures/SURFACE_1.png"];
    assert_eq!(skins(&numbered.map(path)), wanted(&numbered));
    let framed = ["progs/SURFACE_0_0.png", "progs/SURFACE_1_0.png"];
    assert_eq!(skins(&[path(framed[0]), path(framed[1]), path("progs/SURFACE_0.png")]), wanted(&framed));
    assert_eq!(skins(&[path("textures/SURFACE.png")]), wanted(&["textures/SURFACE.png"]));
    assert_eq!(skins(&["progs/a.md3_0_0_0.png", "progs/a.md3_0_1_0.png"]).len(), 2);
    // Other games do not derive such a name.
    let part = open(
        &vfs_of(&[("models/a.md3", &model), (path("models/SURFACE_0.png"), &[]), ("models/b.png", &[])]),
        "models/a.md3",
    );
    assert!(first(&part).is_missing());
    // The search log lists the patterns.
    let part = open(&vfs_of(&[("progs/a.md3", &model), ("progs/b.png", &[]), ("progs/c.png", &[])]), "progs/a.md3");
    let tried =
        |material: &SurfaceMaterial| material.search_log.iter().flat_map(|step| step.tried.clone()).collect::<Vec<_>>();
    assert!(tried(first(&part)).contains(&path("textures/SURFACE_0.tga").to_owned()), "{:?}", tried(first(&part)));
}

#[test]
fn table_of_skins_has_a_column_for_each() {
    let model = md3("");
    let surface = formats::load(&model).unwrap().0.surfaces()[0].name.clone();
    let table = format!("{surface}, progs/b0 ,b1,progs/b2.tga\n\nother,x\n");
    let files: [(&str, &[u8]); 5] = [
        ("progs/a.md3", &model),
        ("progs/a.skin", table.as_bytes()),
        ("progs/b0.png", &[]),
        ("textures/b1.png", &[]),
        ("progs/b2.png", &[]),
    ];
    let part = open(&vfs_of(&files), "progs/a.md3");
    assert_eq!(skin_paths(&part), [("0", "progs/b0.png"), ("1", "textures/b1.png"), ("2", "progs/b2.png")]);
    assert!(warnings_of(&part).is_empty(), "{}", warnings_of(&part));
}

#[test]
fn replacing_model_has_skins_and_clips_of_the_replaced() {
    // The replaced MD2 has the frames stand01 and stand02, and the skins models/box/skin.pcx and pain.pcx.
    let body = Md2::typical().build();
    let files: [(&str, &[u8]); 5] = [
        ("models/box/tris.md2", &body),
        ("models/box/md5/tris.md5mesh", MD5_MESH.as_bytes()),
        ("models/box/md5/tris.md5anim", MD5_ANIM.as_bytes()),
        ("models/box/md5/skin.png", &[]),
        ("models/box/md5/pain.png", &[]),
    ];
    let part = open(&vfs_of(&files), "models/box/md5/tris.md5mesh");
    assert_eq!(skin_paths(&part), [("skin", "models/box/md5/skin.png"), ("pain", "models/box/md5/pain.png")]);
    let clips: Vec<_> = part.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    let whole = part.model.clip("tris").unwrap();
    assert_eq!(clips, [("stand", whole.first, 2)]);
    assert!(!first(&part).is_guess);
    // Without its animation, the MD5 replaces nothing.
    let part = open(&vfs_of(&[files[0], files[1], files[3], files[4]]), "models/box/md5/tris.md5mesh");
    assert!(part.model.clips().iter().all(|clip| clip.name != "stand"));
}

#[test]
fn gzdoom_definition_places_the_model() {
    // From GZDoom's `RenderModel`: the angles first, then the scale, then the offset in unscaled units.
    let cases = [
        ("Offset 10 0 5 Scale 2 2 3 AngleOffset 90", Vec3::X, Vec3::new(10.0, 2.0, 5.0)),
        ("PitchOffset 90 ZOffset 4", Vec3::X, Vec3::new(0.0, 0.0, 5.0)),
        ("RollOffset 90", Vec3::Y, Vec3::Z),
        ("Scale 0 1 1", Vec3::X, Vec3::X),
    ];
    let body = Md2::typical().build();
    for (settings, point, wanted) in cases {
        let text = format!("Model A {{ {settings} Model 0 \"tris.md2\" Skin 0 \"wood.png\" FrameIndex CRAT A 0 0 }}");
        let files: [(&str, &[u8]); 3] = [("MODELDEF", text.as_bytes()), ("tris.md2", &body), ("wood.png", &[])];
        let part = open(&vfs_of(&files), "tris.md2");
        let placed = part.skins[0].placement.transform_point3(point);
        assert!(placed.abs_diff_eq(wanted, 1e-5), "{settings}: {placed}");
    }
}

#[test]
fn gzdoom_definitions_give_skins_and_clips() {
    let body = Md2::typical().build();
    let text = "Model Plain {\n Path \"MODELS\\Box\"\n Model 0 \"tris.md2\" Skin 0 \"wood\"\n FrameIndex CRAT A 0 0\n FrameIndex CRAT B 0 1\n\
        Skin 0 \"gold.png\" Scale -2 2 2 ROTATING\n Frame GOLD A 0 \"STAND02\" }\n#include \"more/extra.def\"\n";
    let more = "// a comment\nmodel Third { model 1 \"models/box/tris.md2\" skin 1 \"textures/third.png\" }";
    let files: [(&str, &[u8]); 6] = [
        ("MODELDEF.txt", text.as_bytes()),
        ("more/extra.def", more.as_bytes()),
        ("models/box/tris.md2", &body),
        ("models/box/wood.png", &[]),
        ("models/box/gold.png", &[]),
        ("textures/third.png", &[]),
    ];
    let part = open(&vfs_of(&files), "models/box/tris.md2");
    let wanted =
        [("Plain", "models/box/wood.png"), ("Plain (2)", "models/box/gold.png"), ("Third", "textures/third.png")];
    assert_eq!(skin_paths(&part), wanted);
    let scales: Vec<Vec3> = part.skins.iter().map(|skin| skin.placement.transform_vector3(Vec3::ONE)).collect();
    assert_eq!(scales, [Vec3::ONE, Vec3::new(-2.0, 2.0, 2.0), Vec3::ONE]);
    let clips: Vec<_> = part.model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips, [("CRAT", 0, 2), ("GOLD", 1, 1)]);
    assert!(part.missing_skins.is_empty() && warnings_of(&part).is_empty(), "{}", warnings_of(&part));
}

#[test]
fn skin_of_gzdoom_may_be_name_of_texture() {
    // GZDoom `LoadSkin`: the file in the folder, else a texture by its name of at most 8 letters.
    let definition =
        |skin: &str| format!("Model A {{ Path \"models\" Model 0 \"a.md3\" Skin 0 \"{skin}\" FrameIndex A A 0 0 }}");
    let image = |skin: &str, images: &[&str]| {
        let (text, body) = (definition(skin), md3("x"));
        let mut files: Vec<(&str, &[u8])> = images.iter().map(|path| (*path, &[][..])).collect();
        files.extend([("modeldef.txt", text.as_bytes()), ("models/a.md3", &body)]);
        let part = open(&vfs_of(&files), "models/a.md3");
        first(&part).path.clone()
    };
    assert_eq!(image("CONSCR", &["Textures/tech/conscr.png"]), "Textures/tech/conscr.png");
    assert_eq!(image("CONSCR", &["textures/conscr.png", "models/conscr.jpg"]), "models/conscr.jpg");
    assert_eq!(image("beam", &["textures/beam.png", "graphics/beam.png", "patches/beam.png"]), "graphics/beam.png");
    assert_eq!(image("longname", &["textures/longname1.png"]), "textures/longname1.png");
    assert_eq!(image("longname1", &["textures/longname1.png"]), "");
    assert_eq!(image("other", &["misc/other.png"]), "");
}

#[test]
fn surfaces_of_gzdoom_have_textures_by_number_and_missing_ones_are_not_drawn() {
    let body = Md3 { surfaces: 2, shaders: vec!["nothing"], ..Md3::typical() }.build();
    let by_surface =
        "Model A { Path \"models\" Model 0 \"a.md3\" SurfaceSkin 0 1 \"b.png\" SurfaceSkin 0 0 \"a.png\" }";
    let by_both = by_surface.replace('}', "Skin 0 \"c.png\" }");
    let opened = |text: &str| {
        let files: [(&str, &[u8]); 5] = [
            ("modeldef", text.as_bytes()),
            ("models/a.md3", &body),
            ("models/a.png", &[]),
            ("models/b.png", &[]),
            ("models/c.png", &[]),
        ];
        open(&vfs_of(&files), "models/a.md3")
    };
    assert_eq!(paths(&opened(by_surface), 0), ["models/a.png", "models/b.png"]);
    assert_eq!(paths(&opened(&by_both), 0), ["models/c.png", "models/c.png"]);
    let part = opened("Model A { Model 0 \"models/a.md3\" Skin 0 \"gone.png\" }");
    assert_eq!((first(&part).is_missing(), first(&part).stages_in_game()), (true, 0));
    assert_eq!(first(&part).in_game, InGame::Stages(0));
}

#[test]
fn models_that_gzdoom_joins_are_opened_together() {
    let folder = tempfile::tempdir().unwrap();
    let text = "Model Tank { Path \"models\" Model 0 \"hull.md2\" Model 1 \"tread.md2\" Skin 1 \"b.png\" Skin 0 \"a.png\" }\n\
        Model Debris { Model 0 \"models/tread.md2\" Skin 0 \"models/a.png\" }";
    std::fs::create_dir(folder.path().join("models")).unwrap();
    let files: [(&str, Vec<u8>); 5] = [
        ("MODELDEF", text.into()),
        ("models/hull.md2", Md2::typical().build()),
        ("models/tread.md2", Md2::typical().build()),
        ("models/a.png", image_bytes().to_vec()),
        ("models/b.png", image_bytes().to_vec()),
    ];
    for (path, bytes) in &files {
        std::fs::write(folder.path().join(path), bytes).unwrap();
    }
    let opener = Opener::new(Vec::new(), ImageLoading::Decode);
    let assembly = opener.assembly(&folder.path().join("models/hull.md2")).unwrap();
    let [hull, tread] = &assembly.members[..] else { panic!("{} members", assembly.members.len()) };
    assert_eq!((hull.asset.name.as_str(), paths(&hull.asset, 0)), ("hull.md2", vec!["models/a.png"]));
    assert_eq!((tread.asset.name.as_str(), paths(&tread.asset, 0)), ("tread.md2", vec!["models/b.png"]));
    assert_eq!((tread.parent.clone(), tread.follows_parent), (Some((0, Anchor::Origin)), true));
    // The file of definitions marks the root, regardless of folder names.
    std::fs::create_dir(folder.path().join("meshes")).unwrap();
    std::fs::write(folder.path().join("meshes/hull.md2"), Md2::typical().build()).unwrap();
    let model = opener.model(&folder.path().join("meshes/hull.md2")).unwrap();
    assert_eq!(model.game_path, "meshes/hull.md2");
    // The tread has the textures of both definitions as skins.
    assert_eq!(skin_paths(&tread.asset), [("Tank", "models/b.png"), ("Debris", "models/a.png")]);
}

#[test]
fn quake_3_folder_has_no_special_rules() {
    let vfs = vfs_of(&[
        ("models/players/sarge/upper.md3", &md3("x")),
        ("models/players/sarge/animation.cfg", b"sex m\n"),
        ("scripts/models.shader", b"x { }"),
        ("textures/x.tga", b""),
        ("default.cfg", b"bind w +forward\n"),
    ]);
    for format in Format::ALL {
        assert!(known_game(&vfs, "models/players/sarge/upper.md3", format).is_none());
    }
}

// ---- thumbnail times ----

#[test]
fn thumbnail_time_is_chosen_where_stages_are_visible() {
    let thumbnail_time = |script: &str| {
        let vfs = vfs_of(&[("m/a.md3", &md3("a")), ("scripts/a.shader", script.as_bytes()), ("a.tga", b"")]);
        let scene =
            Scene::from_assembly(Assembly::from(open(&vfs, "m/a.md3")), &Playback::default(), &Scene::default());
        scene.material_time_of_image()
    };
    // 1/0 at 0 s; at 0.4 s the sawtooth is at 1.6 periods.
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sawtooth 0 1 0 4 } }"), 0.4);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sin 0 1 0 0.5 } }"), 0.4);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sin 1 0.5 0 4 } }"), 0.0);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod scroll 1 0 } }"), 0.0);
    // The triangle wave is 0 at 0 s, 0.4 at 0.4 s and 0.8 at 0.3 s (1 at a quarter, back to 0 at a half).
    assert_eq!(thumbnail_time("a { { map a.tga\n blendfunc add\n rgbGen wave triangle 0 1 0 1 } }"), 0.3);
    // An opaque stage is visible at any brightness.
    assert_eq!(thumbnail_time("a { { map a.tga\n rgbGen wave triangle 0 1 0 1 } }"), 0.0);
    // A stage that is never visible uses 0 s.
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod stretch sin 0 0 0 1 } }"), 0.0);
    assert_eq!(thumbnail_time("a { { map a.tga\n tcMod scale 0 0 } }"), 0.0);
}

// ---- any bytes ----

const SOUP: [&str; 30] = [
    "md2skin",
    "md3load",
    "md3skin",
    "md5anim",
    "md5tag",
    "md3dir",
    "md3anim",
    "walk",
    "0",
    "1",
    "-1",
    "99999999999",
    "20",
    "1e30",
    "nan",
    "../",
    "../a.png",
    "<dds>a.png",
    "<",
    ">",
    "*",
    "\"",
    "//",
    "/*",
    "*/",
    "\n",
    ";",
    "{",
    "[",
    "tris.md3",
];

fn survive(bytes: &[u8]) {
    for parse in [ufoai_anm::parse, framegroups::parse] {
        let list = parse(bytes, &mut Warnings::default());
        for frames in [0, 1, 9, u32::MAX] {
            for clip in clip_list::clips(&list, frames, 10.0, &mut Warnings::default()) {
                assert!(clip.count >= 1 && clip.end() <= frames && clip.loop_frames <= clip.count, "{clip:?}");
                assert!((0.1..=1000.0).contains(&clip.frames_per_second), "{clip:?}");
            }
        }
    }
    for format in Format::ALL {
        for part in cube_cfg::parse(bytes, format, &mut |_| None, &mut Warnings::default()) {
            let _ = (part.skin_of("Mesh"), part.normal_map_of("Mesh"));
        }
    }
    let _ = load_tags(bytes);
}

proptest! {
    #[test]
    fn clip_list_parsers_survive_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survive(&bytes);
    }

    #[test]
    fn clip_list_parsers_survive_arbitrary_words(words in proptest::collection::vec(0..SOUP.len(), 0..200)) {
        let text: Vec<&str> = words.iter().map(|word| SOUP[*word]).collect();
        survive(text.join(" ").as_bytes());
        // The text also serves as a companion file of a model.
        let text = text.join(" ");
        let files: [(&str, &[u8]); 4] = [
            ("a/b/tris.md3", &md3("x")), ("a/b/md3.cfg", text.as_bytes()),
            ("a/b/tris.md3.framegroups", text.as_bytes()), ("a/b/c/md3.cfg", text.as_bytes()),
        ];
        let _ = open(&vfs_of(&files), "a/b/tris.md3");
    }
}

#[test]
fn cube_parser_memory_is_bounded() {
    for line in ["md3load tris.md3\n", "md3skin * a.png\n", "md3anim a 0 1\n", "a 0 1 5\n", "0 1\n", "md5tag a b\n"] {
        let text = format!("md3load tris.md3\nmd5load a.md5mesh\n{}", line.repeat(50_000));
        let (_, peak) = peak_of(|| survive(text.as_bytes()));
        assert!(peak < 64 << 20, "{peak} bytes for {line}");
    }
}

#[test]
fn overlong_cube_script_is_reported_and_long_words_skipped() {
    let script = format!("md3load tris.md3\nmd3skin * skin.png\n{}", "//\n".repeat(30_000));
    let part = open(&vfs_of(&[("m/tris.md3", &md3("x")), ("m/md3.cfg", script.as_bytes())]), "m/tris.md3");
    assert!(
        warnings_of(&part).contains("md3.cfg: the script is longer than 65536 bytes; skipped"),
        "{}",
        warnings_of(&part)
    );
    // Each path would store the long folder name.
    let script = format!("md3load tris.md3\nmd3dir {}\n{}", "f".repeat(50_000), "md3skin a b c\n".repeat(500));
    let (parts, peak) =
        peak_of(|| cube_cfg::parse(script.as_bytes(), Format::Md3, &mut |_| None, &mut Warnings::default()));
    assert!(parts[0].skins[0].texture.folder.is_none() && peak < 4 << 20, "{peak} bytes");
}
