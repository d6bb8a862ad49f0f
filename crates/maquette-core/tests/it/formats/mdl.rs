//! MDL. Byte positions follow from the layout: an 84-byte header, then the chunks without gaps.

use glam::{Vec2, Vec3};
use maquette_core::formats;
use maquette_core::model::{ClipSource, Model};
use maquette_core::pose::{FrameBlend, Pose, Repeat, Sampling, blend_at_seconds, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::files::{Mdl, MdlFrame, MdlPose, MdlSkin};

/// Position of the chunks in a typical file, with a skin of 8 × 4 texels, 4 vertices and 2 triangles.
const SKINS: usize = 84;
const STVERTS: usize = SKINS + 4 + 32;
const TRIANGLES: usize = STVERTS + 4 * 12;
const FRAMES: usize = TRIANGLES + 2 * 16;
/// Bytes of a typical pose: box, name and 4 vertices.
const POSE: usize = 24 + 4 * 4;

fn posed(model: &Model, frame: f64) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
    pose
}

fn single(name: &str) -> MdlFrame {
    MdlFrame::Single(MdlPose::typical(name, 0))
}

fn group(times: &[f32], names: &[&str]) -> MdlFrame {
    MdlFrame::Group(times.to_vec(), names.iter().map(|name| MdlPose::typical(name, 0)).collect())
}

/// Returns name, first frame, number of frames, frames per second and source of the clips.
fn clips(frames: Vec<MdlFrame>) -> Vec<(String, u32, u32, f32, ClipSource)> {
    let (model, _) = load(&Mdl { frames, ..Mdl::typical() }.build());
    let clip = |clip: &maquette_core::model::Clip| {
        assert_eq!(clip.loop_frames, clip.count);
        (clip.name.clone(), clip.first, clip.count, clip.frames_per_second, clip.source)
    };
    model.clips().iter().map(clip).collect()
}

fn named(name: &str, first: u32, count: u32) -> (String, u32, u32, f32, ClipSource) {
    (name.to_owned(), first, count, 10.0, ClipSource::FrameNames)
}

fn grouped(name: &str, first: u32, count: u32, rate: f32) -> (String, u32, u32, f32, ClipSource) {
    (name.to_owned(), first, count, rate, ClipSource::FrameGroup)
}

#[test]
fn back_seam_vertices_move_by_half_a_skin() {
    let (model, warnings) = load(&Mdl::typical().build());
    assert_eq!(warnings, "");
    let surface = &model.surfaces()[0];
    // The back triangle uses vertices 1 and 2 again, at other texture coordinates.
    assert_eq!(surface.triangles, [[0, 1, 2], [3, 4, 5]]);
    let texel = |s: f32, t: f32| Vec2::new((s + 0.5) / 8.0, (t + 0.5) / 4.0);
    let expected =
        [texel(0.0, 0.0), texel(3.0, 1.0), texel(1.0, 3.0), texel(5.0, 3.0), texel(7.0, 1.0), texel(7.0, 3.0)];
    assert_eq!(surface.uvs, expected);
    assert_eq!(model.stored_vertices(0), 4);
}

#[test]
fn half_of_an_odd_skin_is_rounded_down() {
    let file = Mdl { skin_size: [5, 1], skins: vec![MdlSkin::Single(vec![0; 5])], ..Mdl::typical() };
    let (model, _) = load(&file.build());
    assert_eq!(model.surfaces()[0].uvs[3], Vec2::new((1.0 + 2.0 + 0.5) / 5.0, 3.5));
}

#[test]
fn positions_and_normals_use_the_scale_of_the_header() {
    let (model, _) = load(&Mdl::typical().build());
    let pose = posed(&model, 0.0);
    // Vertex 2, then vertex 1.
    assert_eq!(pose.surfaces[0].positions[1], Vec3::new(10.0, 20.0 + 2.0 * 2.0, 30.0));
    assert_eq!(pose.surfaces[0].positions[2], Vec3::new(10.0 + 2.0, 20.0, 30.0));
    assert_eq!(pose.surfaces[0].normals[0], Vec3::Z);
    // A quarter of the way to the second frame, which is 10 steps higher.
    assert_eq!(posed(&model, 0.25).surfaces[0].positions[0], Vec3::new(10.0, 20.0, 30.0 + 0.25 * 10.0 * 3.0));
}

#[test]
fn frames_have_their_names_and_stored_boxes() {
    let (model, _) = load(&Mdl::typical().build());
    let frame = &model.frames()[1];
    let bounds = frame.bounds.unwrap();
    assert_eq!((frame.name.as_str(), bounds.min), ("stand2", Vec3::new(10.0, 22.0, 36.0)));
    assert_eq!(bounds.max, Vec3::new(13.0, 28.0, 45.0));
}

#[test]
fn header_fields_are_kept_as_details() {
    let (model, _) = load(&Mdl::typical().build());
    let text = |label: &str| match &model.details().iter().find(|detail| detail.label == label).unwrap().value {
        maquette_core::model::DetailValue::Text(text) => text.clone(),
        other => panic!("{other:?}"),
    };
    assert_eq!(
        (model.version(), text("boundingradius"), text("eyeposition")),
        (Some(6), "50".into(), "1 2 3.5".into())
    );
    assert_eq!((text("flags"), text("synctype"), text("size")), ("0x8".into(), "1".into(), "2.5".into()));
}

#[test]
fn skins_are_kept_as_palette_indices() {
    let skins = vec![
        MdlSkin::Single((0..32).collect()),
        MdlSkin::Group(vec![0.25, 1.0], vec![vec![1; 32], vec![2; 32]]),
        MdlSkin::Group(Vec::new(), Vec::new()),
        MdlSkin::Single(vec![255; 32]),
    ];
    let (model, warnings) = load(&Mdl { skins, flags: 0x4000, ..Mdl::typical() }.build());
    assert_eq!(warnings, "skin 2: the skin has no whole image; skipped");
    assert_eq!(model.skins(), ["skin 0", "skin 1", "skin 3"]);
    assert_eq!(model.surfaces()[0].materials, model.skins());
    let [first, second, third] = model.embedded_skins() else { panic!("three skins") };
    let [pixels] = &first.pixels().collect::<Vec<_>>()[..] else { panic!("one image") };
    assert_eq!((pixels.width, pixels.height, &pixels.bytes), (8, 4, &(0..32).collect()));
    let second_images: Vec<&[u8]> = second.pixels().map(|pixels| &pixels.bytes[..]).collect();
    assert_eq!((second_images, &second.end_times), (vec![&[1; 32][..], &[2; 32][..]], &vec![0.25, 1.0]));
    assert_eq!((third.name.as_str(), third.images.len(), third.has_cutouts()), ("skin 3", 1, true));
    assert_eq!((first.summary(), second.summary()), ("8 × 4".to_owned(), "8 × 4, 2 images".to_owned()));
}

#[test]
fn file_without_skins_loads_with_a_warning() {
    let (model, warnings) = load(&Mdl { skins: Vec::new(), ..Mdl::typical() }.build());
    assert_eq!(warnings, "numskins: the file has no skin; the model is left without a texture");
    assert_eq!((model.skins().len(), model.embedded_skins().len()), (0, 0));
}

#[test]
fn single_frames_are_grouped_by_name() {
    let frames = ["stand1", "stand2", "run1", "run2", "stand1"].map(single).into_iter().collect();
    assert_eq!(clips(frames), [named("stand", 0, 2), named("run", 2, 2), named("stand (2)", 4, 1)]);
    assert_eq!(clips(["", ""].map(single).into_iter().collect()), [named("all", 0, 2)]);
}

#[test]
fn player_without_clip_names_offers_quake_clip_table() {
    let table = |names: fn(u32) -> String| {
        let frames = (1..=143).map(|number| single(&names(number))).collect();
        load(&Mdl { frames, ..Mdl::typical() }.build()).0.alternative_clips().to_vec()
    };
    let clips = table(|number| format!("frame{number}"));
    assert_eq!((clips.len(), clips[0].name.as_str(), clips[0].count), (20, "axrun", 6));
    assert_eq!((clips[19].name.as_str(), clips[19].first, clips[19].end()), ("axattd", 137, 143));
    assert!(table(|number| if number < 7 { format!("run{number}") } else { format!("stand{number}") }).is_empty());
}

#[test]
fn frame_group_becomes_a_clip_with_its_mean_rate() {
    let frames = vec![
        single("light1"),
        group(&[0.1, 0.15, 0.4, 0.5, 0.8, 1.0], &["burn1", "burn2", "burn3", "burn4", "burn5", "burn6"]),
        single("light2"),
        single("light3"),
        group(&[0.05], &["burn1"]),
    ];
    let expected =
        [named("light", 0, 1), grouped("burn", 1, 6, 6.0), named("light (2)", 7, 2), grouped("burn (2)", 9, 1, 20.0)];
    assert_eq!(clips(frames), expected);
}

#[test]
fn group_frames_last_as_long_as_intervals() {
    // Intervals of 0.1, 0.3 and 0.1 s.
    let (model, _) = load(
        &Mdl { frames: vec![single("a1"), group(&[0.1, 0.4, 0.5], &["b1", "b2", "b3"])], ..Mdl::typical() }.build(),
    );
    let clip = model.clips().iter().find(|clip| clip.source == ClipSource::FrameGroup).unwrap();
    let at = |seconds: f64| {
        let blend = blend_at_seconds(clip, seconds, Repeat::Loop);
        (blend.from, blend.to, (f64::from(blend.t) * 100.0).round())
    };
    assert_eq!([0.0, 0.05, 0.25].map(at), [(1, 2, 0.0), (1, 2, 50.0), (2, 3, 50.0)]);
    assert_eq!([0.45, 0.55, 1.25].map(at), [(3, 1, 50.0), (1, 2, 50.0), (2, 3, 50.0)]);
    // Twice the rate halves the times.
    let faster = maquette_core::model::Clip { frames_per_second: 2.0 * clip.frames_per_second, ..clip.clone() };
    assert_eq!(blend_at_seconds(&faster, 0.125, Repeat::Loop), blend_at_seconds(clip, 0.25, Repeat::Loop));
    for frames in [-1.5, 0.0, 0.5, 1.9, 2.0, 2.5, 3.0, 7.25] {
        assert!((clip.frames_at(clip.intervals_at(frames)) - frames).abs() < 1e-9, "{frames}");
    }
    // Without the first frame, the others last as long as before.
    let part = clip.part(2, 2);
    let blend = blend_at_seconds(&part, 0.15, Repeat::Loop);
    assert_eq!((blend.from, blend.to, (blend.t * 100.0).round()), (2, 3, 50.0));
    assert!(clip.part(0, 2).end_times.is_empty(), "frame 0 is outside the group");
}

#[test]
fn group_without_usable_times_plays_at_the_usual_rate() {
    for times in [[0.2, 0.1], [0.0, 0.1], [0.1, f32::NAN], [0.1, f32::INFINITY], [-1.0, 1.0]] {
        let (model, warnings) = load(&Mdl { frames: vec![group(&times, &["a1", "a2"])], ..Mdl::typical() }.build());
        assert_eq!(warnings, "intervals: the times do not increase from 0; steps of 0.1 seconds are used");
        assert_eq!(model.clips()[0].frames_per_second, 10.0);
    }
    let times = [1e-30, 2e-30];
    assert_eq!(clips(vec![group(&times, &["a1", "a2"])]), [grouped("a", 0, 2, 1000.0)]);
}

#[test]
fn empty_frame_group_is_skipped() {
    let (model, warnings) = load(&Mdl { frames: vec![group(&[], &[]), single("a")], ..Mdl::typical() }.build());
    assert_eq!(warnings, "frame 0: the group has no poses; skipped");
    assert_eq!(model.frames().len(), 1);
    let nothing = Mdl { frames: vec![group(&[], &[])], ..Mdl::typical() }.build();
    assert!(refusal(&nothing).ends_with("a model needs at least one pose"), "{}", refusal(&nothing));
}

#[test]
fn bytes_after_the_last_pose_are_ignored() {
    let (model, warnings) = load(&Mdl { trailer: vec![7; 1000], ..Mdl::typical() }.build());
    assert_eq!((warnings.as_str(), model.frames().len()), ("", 2));
}

#[test]
fn triangles_with_missing_vertices_are_dropped() {
    for index in [4, -1, i32::MIN, i32::MAX] {
        let mut file = Mdl::typical();
        file.triangles[0][2] = index;
        let (model, warnings) = load(&file.build());
        assert_eq!(warnings, "triangles: 1 of 2 triangles name vertices that do not exist; skipped");
        assert_eq!(model.surfaces()[0].triangles.len(), 1);
    }
}

#[test]
fn normals_outside_the_table_are_computed() {
    let mut file = Mdl::typical();
    file.triangles = vec![[1, 0, 2, 1]];
    let MdlFrame::Single(pose) = &mut file.frames[0] else { panic!("single") };
    pose.vertices[0][3] = 162;
    let (model, warnings) = load(&file.build());
    assert_eq!(warnings, "verts: 1 normals are not in the table of 162; they are computed from the triangles");
    // (c − a) × (b − a) of the corners 0, 2, 1 points up.
    assert_eq!(posed(&model, 0.0).surfaces[0].normals[0], Vec3::Z);
}

#[test]
fn scale_that_is_not_finite_is_replaced() {
    let (model, warnings) = load(&Mdl { scale: [f32::NAN, 2.0, 3.0], ..Mdl::typical() }.build());
    assert_eq!(warnings, "scale: a number is not finite or beyond a billion; replaced by 0");
    assert!(posed(&model, 0.0).surfaces[0].positions.iter().all(|position| position.x == 10.0));
}

#[test]
fn invalid_mdl_headers_are_rejected_with_field_and_offset() {
    let file = Mdl::typical().build();
    let count = |max: u32| format!("the count -1 is outside 0 to {max}");
    let cases = [
        (48, -1, format!("numskins at byte 0x30: {}", count(4096))),
        (52, 0, "skinwidth at byte 0x34: the value must be at least 1".to_owned()),
        (52, i32::MAX, "skinheight at byte 0x38: a skin has 8589934588 texels; expected at most 67108864".to_owned()),
        (56, -1, format!("skinheight at byte 0x38: {}", count(u32::MAX))),
        (60, 0, "numverts at byte 0x3c: the value must be at least 1".to_owned()),
        (60, -1, format!("numverts at byte 0x3c: {}", count(1 << 24))),
        (64, 0, "numtris at byte 0x40: the value must be at least 1".to_owned()),
        (68, 0, "numframes at byte 0x44: a model needs at least one frame".to_owned()),
        (68, -1, format!("numframes at byte 0x44: {}", count(1 << 20))),
    ];
    for (offset, value, message) in cases {
        assert_eq!(refusal(&with_i32(&file, offset, value)), format!("MDL: {message}"));
    }
    let nothing = Mdl { triangles: vec![[1, 9, 9, 9]], ..Mdl::typical() };
    let message =
        "MDL: numtris at byte 0x40: nothing can be drawn: the only triangle refers to vertices that do not exist";
    assert_eq!(refusal(&nothing.build()), message);
}

#[test]
fn counts_beyond_the_file_are_rejected_at_their_fields() {
    let file = Mdl::typical().build();
    assert_eq!(file.len(), FRAMES + 2 * (4 + POSE));
    let ends = |start: usize, bytes: usize| {
        let end = start + bytes;
        format!("the table at byte {start:#x} ends at byte {end:#x}, but the file ends at byte {:#x}", file.len())
    };
    let cases = [
        (56, 1 << 20, format!("skin 0: skinheight at byte 0x38: {}", ends(SKINS + 4, 8 << 20))),
        (60, 1 << 20, format!("numverts at byte 0x3c: {}", ends(STVERTS, 12 << 20))),
        (64, 1 << 20, format!("numtris at byte 0x40: {}", ends(TRIANGLES, 16 << 20))),
    ];
    for (offset, value, message) in cases {
        assert_eq!(refusal(&with_i32(&file, offset, value)), format!("MDL: {message}"));
    }
}

#[test]
fn group_counts_beyond_the_file_are_rejected() {
    let frames = vec![group(&[0.1], &["a"])];
    let file = Mdl { frames, skins: vec![MdlSkin::Group(vec![0.1], vec![vec![0; 32]])], ..Mdl::typical() }.build();
    // After type, number, time and image of the skin.
    let in_frame = SKINS + 12 + 32 + (FRAMES - STVERTS) + 4;
    for (offset, field) in [(SKINS + 4, "skin 0: numskins"), (in_frame, "frame 0: numframes")] {
        for value in [-1, i32::MAX, 4000] {
            let message = refusal(&with_i32(&file, offset, value));
            assert!(message.starts_with(&format!("MDL: {field} at byte {offset:#x}: ")), "{message}");
        }
    }
}

#[test]
fn truncated_file_is_rejected_and_salvage_keeps_whole_poses() {
    let file = Mdl::typical().build();
    let cut = &file[..file.len() - 1];
    let start = FRAMES + 4 + POSE + 4;
    let message = format!(
        "MDL: frame 1: pose at byte {start:#x}: the file ends here; {POSE} bytes are needed, but only {} are left",
        POSE - 1
    );
    assert_eq!(refusal(cut), message);
    let salvaged = formats::salvage(cut).unwrap();
    assert!(salvaged.is_damaged);
    assert_eq!((salvaged.model.frames().len(), salvaged.model.skins().len()), (1, 1));
    assert_eq!(salvaged.warnings[1].to_string(), format!("{message}; 1 of 2 frames are used"));
    for length in 0..file.len() {
        assert!(formats::load(&file[..length]).is_err(), "{length} bytes");
        let first = FRAMES + 4 + POSE;
        assert_eq!(formats::salvage(&file[..length]).is_ok(), length >= first, "{length} bytes");
    }
}
