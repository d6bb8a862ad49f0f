//! Operations change models by values that are counted by hand.

use glam::{Quat, Vec3};
use maquette_core::edit::{Call, Notes, OPERATIONS, apply, apply_with_notes, save};
use maquette_core::formats;
use maquette_core::model::{Bounds, Clip, ClipSource, Model, Motion, Wrap};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use maquette_testing::files::{Md2, Md3, Mdc, Mdl};
use maquette_testing::iqm::Iqm;
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr};

pub fn load(bytes: &[u8]) -> Model {
    formats::load(bytes).unwrap().0
}

pub fn operation(text: &str) -> Call {
    Call::parse(text).unwrap_or_else(|why| panic!("{text}: {why}"))
}

/// Applies operations to a file, saves it and reads it again.
pub fn changed(bytes: &[u8], operations: &[&str]) -> Model {
    let before = load(bytes);
    let edits: Vec<Call> = operations.iter().map(|text| operation(text)).collect();
    let after = apply(&before, &edits).unwrap_or_else(|why| panic!("{operations:?}: {why}"));
    load(&save(bytes, &before, &after).unwrap().0)
}

pub fn refused(model: &Model, text: &str) -> String {
    apply(model, &[operation(text)]).unwrap_err()
}

pub fn pose(model: &Model, frame: u32) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose
}

pub fn positions(model: &Model, frame: u32) -> Vec<Vec3> {
    pose(model, frame).surfaces.iter().flat_map(|surface| surface.positions.clone()).collect()
}

fn names(model: &Model) -> Vec<&str> {
    model.frames().iter().map(|frame| frame.name.as_str()).collect()
}

/// Returns the first vertex of each frame along X, in units.
pub fn first_x(model: &Model) -> Vec<f32> {
    (0..u32::try_from(model.frames().len()).unwrap()).map(|frame| positions(model, frame)[0].x).collect()
}

fn assert_near(a: &[Vec3], b: &[Vec3], tolerance: f32, what: &str) {
    assert_eq!(a.len(), b.len(), "{what}");
    for (a, b) in a.iter().zip(b) {
        assert!(a.distance(*b) <= tolerance, "{what}: {a} is not {b}");
    }
}

/// Returns an MD3 with one vertex column per frame at x = 0, 10, 20 …
pub fn frames(count: i16) -> Vec<u8> {
    let corners = |x: i16| vec![([x, 0, 0], [64, 0]), ([x, 64, 0], [64, 64]), ([x, 0, 128], [128, 0])];
    Md3 { tags: vec![], frames: (0..count).map(|frame| corners(frame * 640)).collect(), ..Md3::typical() }.build()
}

fn morphing() -> Vec<Vec<u8>> {
    vec![Md2::typical().build(), Mdl::typical().build(), Md3::typical().build(), Mdc::typical().build()]
}

fn skeletal() -> Vec<Vec<u8>> {
    let compressed = Mdr { compressed: true, ..Mdr::typical() };
    vec![Mdr::typical().build(), compressed.build(), MD5_MESH.into(), Iqm::typical().build()]
}

#[test]
fn scaled_md3_has_doubled_vertices_tags_and_bounds() {
    let model = changed(&Md3::typical().build(), &["scale factor=2"]);
    assert_eq!(positions(&model, 1), [Vec3::new(20.0, 0.0, 0.0), Vec3::new(20.0, 2.0, 0.0), Vec3::new(20.0, 0.0, 4.0)]);
    assert_eq!(Vec3::from(pose(&model, 1).tags[0].translation), Vec3::new(16.0, 0.0, 10.0));
    assert_eq!(Vec3::from(pose(&model, 1).tags[0].matrix3.x_axis), Vec3::Y);
    let frame = &model.frames()[0];
    assert_eq!(frame.bounds, Some(Bounds { min: Vec3::new(-2.0, -4.0, -6.0), max: Vec3::new(2.0, 4.0, 6.0) }));
    assert_eq!((frame.radius, frame.origin), (8.0, Vec3::new(200.0, 0.0, 0.0)));
}

#[test]
fn scale_to_height_measures_first_frame() {
    // The triangle is 2 units high.
    let model = changed(&Md3::typical().build(), &["scale height=56"]);
    assert_eq!(positions(&model, 0)[2], Vec3::new(0.0, 0.0, 56.0));
}

#[test]
fn vertices_of_all_formats_follow_a_transform() {
    let turned = |v: Vec3| Vec3::new(-v.y, v.x, v.z);
    type Change<'a> = (&'a str, &'a dyn Fn(Vec3) -> Vec3);
    let changes: [Change; 6] = [
        ("scale factor=0.5", &|v| v * 0.5),
        ("rotate angle=90", &turned),
        ("mirror axis=y", &|v| v * Vec3::new(1.0, -1.0, 1.0)),
        ("mirror axis=x", &|v| v * Vec3::new(-1.0, 1.0, 1.0)),
        ("move by=1,-2,3", &|v| v + Vec3::new(1.0, -2.0, 3.0)),
        ("rotate axis=x angle=-90", &|v| Vec3::new(v.x, v.z, -v.y)),
    ];
    for bytes in morphing().into_iter().chain(skeletal()) {
        let model = load(&bytes);
        for (text, change) in &changes {
            let again = changed(&bytes, &[text]);
            let what = format!("{}: {text}", model.format());
            for frame in 0..u32::try_from(model.frames().len()).unwrap() {
                let mut meant: Vec<Vec3> = positions(&model, frame).into_iter().map(change).collect();
                let mut again = positions(&again, frame);
                // Readers of MD2 and MDL list vertices in the order of their first use.
                for list in [&mut meant, &mut again] {
                    list.sort_by_key(|v| v.to_array().map(|number| (number * 4.0).round() as i32));
                }
                // Steps of the formats: 1/64 unit, 1/20 unit, 1/255 of the box, and bones in steps of 1/32766.
                assert_near(&again, &meant, 0.16, &what);
            }
            let outside = |model: &Model| {
                let pose = pose(model, 0);
                let surface = &model.surfaces()[0];
                let [a, b, c] = surface.triangles[0].map(|corner| pose.surfaces[0].positions[corner as usize]);
                (c - a).cross(b - a).normalize()
            };
            let direction = (change(outside(&model)) - change(Vec3::ZERO)).normalize();
            assert!(outside(&again).dot(direction) > 0.99, "{what}: the front is inside");
        }
    }
}

#[test]
fn md2_and_mdl_keep_their_bytes_when_scaled() {
    for bytes in [Md2::typical().build(), Mdl::typical().build()] {
        let vertices = |model: &Model| {
            let Motion::Morph(motion) = model.motion() else { panic!() };
            motion.surfaces[0].vertices.clone()
        };
        let (before, again) = (load(&bytes), changed(&bytes, &["scale factor=2"]));
        let (maquette_core::model::PackedVertices::Bytes { frames, vertices: old }, new) =
            (vertices(&before), vertices(&again))
        else {
            panic!()
        };
        let maquette_core::model::PackedVertices::Bytes { frames: scaled, vertices: new } = new else { panic!() };
        assert_eq!(old, new);
        assert_eq!(scaled[0].scale, frames[0].scale * 2.0);
        assert_eq!(scaled[0].translate, Vec3::new(20.0, 40.0, 60.0));
    }
    let eyes = changed(&Mdl::typical().build(), &["scale factor=2"]);
    assert_eq!((eyes.data().eye_position, eyes.data().radius), (Vec3::new(2.0, 4.0, 7.0), 100.0));
    let moved = changed(&Mdl::typical().build(), &["scale factor=2", "move by=0,0,1"]);
    assert_eq!(moved.data().eye_position, Vec3::new(2.0, 4.0, 8.0));
}

#[test]
fn mirrored_tag_stays_a_rotation() {
    let bytes = Md3::typical().build();
    let tag = pose(&changed(&bytes, &["mirror axis=y"]), 0).tags[0];
    // Forward was (0, 1, 0) and left (-1, 0, 0).
    assert_eq!(Vec3::from(tag.matrix3.x_axis), Vec3::NEG_Y);
    assert_eq!(Vec3::from(tag.matrix3.y_axis), Vec3::X);
    assert!(tag.matrix3.determinant() > 0.0);
}

#[test]
fn joints_of_skeletons_stay_rotations() {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("wave", MD5_ANIM.as_bytes()).unwrap();
    // In frame 2, the arm is turned by 90 degrees at (10, 0, 1), and vertex 1 is 4 units along it.
    let before = positions(&model, 2)[1];
    assert_near(&[before], &[Vec3::new(10.0, 4.0, 1.0)], 1e-3, "before");
    for (text, after) in [
        ("scale factor=3", Vec3::new(30.0, 12.0, 3.0)),
        ("mirror axis=y", Vec3::new(10.0, -4.0, 1.0)),
        ("rotate angle=90", Vec3::new(-4.0, 10.0, 1.0)),
        ("move by=1,1,1", Vec3::new(11.0, 5.0, 2.0)),
    ] {
        let moved = apply(&model, &[operation(text)]).unwrap();
        let pose = pose(&moved, 2);
        assert_near(&[pose.surfaces[0].positions[1]], &[after], 1e-3, text);
        for joint in &pose.joints {
            assert!((joint.matrix3.determinant() - 1.0).abs() < 1e-3, "{text}: {joint}");
            assert!(Quat::from_mat3a(&joint.matrix3).is_finite());
        }
    }
}

#[test]
fn origin_moves_to_feet_centre_tag_or_vertex() {
    let bytes = Md3::typical().build();
    // The box of frame 0 reaches from (0, 0, 0) to (0, 1, 2); the tag is at (0, 0, 5).
    for (text, first) in [
        ("set-origin", Vec3::new(0.0, -0.5, 0.0)),
        ("set-origin to=centre", Vec3::new(0.0, -0.5, -1.0)),
        ("set-origin to=tag tag=TAG_HEAD", Vec3::new(0.0, 0.0, -5.0)),
        ("set-origin to=vertex vertex=#0:2", Vec3::new(0.0, 0.0, -2.0)),
    ] {
        assert_eq!(positions(&changed(&bytes, &[text]), 0)[0], first, "{text}");
    }
    assert_eq!(refused(&load(&bytes), "set-origin to=tag tag=x"), "unknown tag “x”; available: tag_head");
    assert_eq!(refused(&load(&bytes), "set-origin to=vertex"), "expected a surface and a vertex, such as head:12");
}

#[test]
fn transform_of_one_surface_keeps_other_surfaces() {
    let bytes = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let model = changed(&bytes, &["move by=1,0,0 surfaces=1"]);
    let x: Vec<f32> = positions(&model, 0).iter().map(|position| position.x).collect();
    assert_eq!(x, [0.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    // The tag stays, and the bounds contain the vertices.
    assert_eq!(Vec3::from(pose(&model, 0).tags[0].translation), Vec3::new(0.0, 0.0, 5.0));
    assert_eq!(model.frames()[0].bounds, Some(Bounds { min: Vec3::ZERO, max: Vec3::new(1.0, 1.0, 2.0) }));
    let why = refused(&load(&bytes), "move by=1,0,0 surfaces=hat");
    assert_eq!(why, "unknown surface “hat”; available: u_torso, u_torso");
    let why = refused(&load(&Mdr::typical().build()), "scale axes=1,1,2");
    assert_eq!(why, "a model with joints can only be scaled equally along all axes");
}

#[test]
fn frames_are_deleted_moved_repeated_and_reversed() {
    let bytes = frames(6);
    for (text, meant) in [
        ("delete-frames frames=1-2,4", &[0.0, 30.0, 50.0][..]),
        ("keep-frames frames=2-", &[20.0, 30.0, 40.0, 50.0]),
        ("duplicate-frames frames=1,2 times=2", &[0.0, 10.0, 20.0, 10.0, 20.0, 10.0, 20.0, 30.0, 40.0, 50.0]),
        ("move-frames frames=1,1 to=0", &[10.0, 0.0, 20.0, 30.0, 40.0, 50.0]),
        ("move-frames frames=0-1 to=5", &[20.0, 30.0, 40.0, 0.0, 10.0, 50.0]),
        ("reverse-frames", &[50.0, 40.0, 30.0, 20.0, 10.0, 0.0]),
        ("reverse-frames frames=1-3", &[0.0, 30.0, 20.0, 10.0, 40.0, 50.0]),
        ("keep-every step=4", &[0.0, 40.0]),
    ] {
        assert_eq!(first_x(&changed(&bytes, &[text])), meant, "{text}");
    }
    let model = load(&bytes);
    assert_eq!(refused(&model, "delete-frames frames=6"), "frames 6 do not exist; the model has frames 0 to 5");
    assert_eq!(refused(&model, "delete-frames frames=all"), "no frame would be left");
    assert_eq!(refused(&load(MD5_MESH.as_bytes()), "reverse-frames"), "The model has a single frame");
}

#[test]
fn frames_of_all_formats_can_be_reversed_and_restored() {
    for bytes in morphing().into_iter().chain([Mdr::typical().build(), Iqm::typical().build()]) {
        let model = load(&bytes);
        let last = u32::try_from(model.frames().len()).unwrap() - 1;
        let reversed = changed(&bytes, &["reverse-frames"]);
        for frame in 0..=last {
            let what = model.format().to_string();
            assert_near(&positions(&reversed, frame), &positions(&model, last - frame), 0.0, &what);
        }
        // Two reversals restore the file.
        let edits = [operation("reverse-frames"), operation("reverse-frames")];
        let restored = apply(&model, &edits).unwrap();
        assert_eq!(save(&bytes, &model, &restored).unwrap().0, bytes, "{}", model.format());
    }
}

#[test]
fn clips_follow_their_frames() {
    let md2 = |names: &[&str]| {
        let mut file = Md2::typical();
        let frame = file.frames.swap_remove(0);
        file.frames = names
            .iter()
            .map(|name| maquette_testing::files::Md2Frame {
                name: (*name).to_owned(),
                vertices: frame.vertices.clone(),
                ..frame
            })
            .collect();
        file.build()
    };
    let bytes = md2(&["stand1", "stand2", "run1", "run2", "run3", "run4"]);
    let clips = |model: &Model| -> Vec<(String, u32, u32)> {
        model.clips().iter().map(|clip| (clip.name.clone(), clip.first, clip.count)).collect()
    };
    let fewer = changed(&bytes, &["delete-frames frames=0,3"]);
    assert_eq!(names(&fewer), ["stand2", "run1", "run2", "run3"]);
    assert_eq!(clips(&fewer), [("stand".to_owned(), 0, 1), ("run".to_owned(), 1, 3)]);
    let (mut notes, model) = (Notes::default(), load(&bytes));
    apply_with_notes(&model, &[operation("delete-frames frames=stand")], &mut notes).unwrap();
    assert_eq!(notes.losses, ["clips without frames were removed: stand"]);
    let thin = apply(&model, &[operation("keep-every step=2")]).unwrap();
    assert_eq!(names(&thin), ["stand1", "run1", "run2"]);
    // Half as many frames last as long: 10 frames per second become 5.
    assert_eq!(thin.clips().last().unwrap().frames_per_second, model.clips()[1].frames_per_second / 2.0);
}

#[test]
fn times_of_frame_groups_follow_their_frames() {
    // The frames last 0.1 and 0.2 seconds.
    let model = changed(&Mdl::grouped().build(), &["reverse-frames"]);
    let times = &model.clips()[0].end_times;
    assert!((times[0] - 0.2).abs() < 1e-6 && (times[1] - 0.3).abs() < 1e-6, "{times:?}");
}

#[test]
fn resampled_frames_lie_between_the_stored_ones() {
    // Three looping frames at 15 frames per second become six at 30; the last blends into the first.
    let model = load(&frames(3));
    let rate = model.clips()[0].frames_per_second;
    let text = format!("resample rate={}", rate * 2.0);
    let twice = apply(&model, &[operation(&text)]).unwrap();
    assert_eq!(first_x(&twice), [0.0, 5.0, 10.0, 15.0, 20.0, 10.0]);
    assert_eq!((twice.clips()[0].count, twice.clips()[0].frames_per_second), (6, rate * 2.0));
    for bytes in morphing().into_iter().chain(skeletal()).filter(|bytes| load(bytes).frames().len() > 1) {
        let model = load(&bytes);
        let text = format!("resample rate={}", model.clips()[0].frames_per_second * 2.0);
        let twice = changed(&bytes, &[&text]);
        assert!(twice.frames().len() > model.frames().len(), "{}", model.format());
        assert_near(&positions(&twice, 0), &positions(&model, 0), 0.05, model.format().title());
    }
    assert_eq!(refused(&model, "resample clip=fly rate=20"), "unknown clip “fly”; available: frame");
}

#[test]
fn groups_of_an_mdl_are_resampled_and_thinned_with_times() {
    // Two frames of 0.1 and 0.2 seconds become six of 0.05.
    let bytes = Mdl::grouped().build();
    let twice = changed(&bytes, &["resample rate=20"]);
    let times = &twice.clips()[0].end_times;
    assert_eq!(times.len(), 6);
    for (index, time) in times.iter().enumerate() {
        assert!((time - (index + 1) as f32 * 0.05).abs() < 1e-6, "{times:?}");
    }
    // One frame of the group is left, and lasts as long as both.
    let thin = changed(&bytes, &["keep-every step=2"]);
    assert!((thin.clips()[0].end_times[0] - 0.3).abs() < 1e-6, "{:?}", thin.clips());
}

fn with_clip(bytes: &[u8], change: impl FnOnce(&mut Clip)) -> Model {
    let mut parts = load(bytes).into_parts();
    change(&mut parts.clips[0]);
    Model::new(parts).unwrap()
}

#[test]
fn resampling_follows_the_loop_and_direction_of_a_clip() {
    let rate = load(&frames(3)).clips()[0].frames_per_second;
    let twice = format!("resample rate={}", rate * 2.0);
    let closed = with_clip(&frames(3), |clip| clip.wrap = Wrap::LastIsFirst);
    assert_eq!(first_x(&apply(&closed, &[operation(&twice)]).unwrap()), [0.0, 5.0, 10.0, 15.0, 20.0]);
    let loops = apply(&closed, &[operation("blend-loop clip=frame count=2")]).unwrap();
    assert_eq!(first_x(&loops), [0.0, 5.0, 0.0]);
    // A clip that plays 20, 10, 0 blends from 0 to 20 at its end, which is the first stored frame.
    let reversed = with_clip(&frames(3), |clip| clip.reversed = true);
    assert_eq!(first_x(&apply(&reversed, &[operation(&twice)]).unwrap()), [10.0, 0.0, 5.0, 10.0, 15.0, 20.0]);
    let partial = with_clip(&frames(3), |clip| clip.loop_frames = 2);
    assert_eq!(refused(&partial, &twice), "clip “frame” repeats only its last 2 frames");
}

#[test]
fn overlapping_clips_are_resampled_only_inside_each_other() {
    let with_second = |first: u32, count: u32| {
        let mut parts = load(&frames(4)).into_parts();
        let mut clips = vec![Clip::new("dead", first, count, 10.0, ClipSource::AnimationConfig)];
        clips.insert(0, Clip { name: "death".to_owned(), first: 0, count: 3, loop_frames: 0, ..clips[0].clone() });
        parts.clips = clips;
        Model::new(parts).unwrap()
    };
    let why = refused(&with_second(2, 2), "resample rate=20");
    assert_eq!(why, "clips “death” and “dead” share frames and cannot be resampled");
    let twice = apply(&with_second(2, 1), &[operation("resample rate=20")]).unwrap();
    let clips: Vec<(u32, u32, f32)> =
        twice.clips().iter().map(|clip| (clip.first, clip.count, clip.frames_per_second)).collect();
    assert_eq!(clips, [(0, 5, 20.0), (4, 1, 20.0)]);
}

#[test]
fn blended_loop_approaches_its_first_frame() {
    // The last two of four frames at 0, 10, 20 and 30 move by 1/3 and 2/3 towards 0: 20 × 2/3, and 30 × 1/3.
    let model = changed(&frames(4), &["blend-loop clip=frame count=2"]);
    assert_near(
        &first_x(&model).into_iter().map(Vec3::splat).collect::<Vec<_>>(),
        &[0.0, 10.0, 40.0 / 3.0, 10.0].map(Vec3::splat),
        0.02,
        "loop",
    );
}

#[test]
fn part_of_all_paths_is_replaced_ignoring_case() {
    let shaders = vec!["models/box/skin.tga", "Models/BOX/models/box.tga", "textures/lid"];
    let model = changed(
        &Md3 { surfaces: 2, shaders, ..Md3::typical() }.build(),
        &["replace-path find=models/BOX with=models/crate"],
    );
    for surface in model.surfaces() {
        assert_eq!(surface.materials, ["models/crate/skin.tga", "models/crate/models/crate.tga", "textures/lid"]);
    }
    let model = changed(&Md2::typical().build(), &["replace-path find=.pcx with=.tga", "replace-path find=models/"]);
    assert_eq!(model.skins(), ["box/skin.tga", "box/pain.tga"]);
    assert_eq!(refused(&model, "replace-path find=.pcx with=.png"), "no path contains “.pcx”");
    let embedded = load(&Mdl::typical().build());
    let why = operation("replace-path find=a").operation.why_not(&embedded);
    assert_eq!(why.as_deref(), Some("Skins of an MDL are inside the file and have no names"));
}

#[test]
fn text_of_operations_is_checked() {
    let why = |text: &str| Call::parse(text).unwrap_err();
    assert!(why("shrink factor=2").starts_with("unknown operation “shrink”; expected scale, rotate, "));
    assert_eq!(
        why("scale size=2"),
        "scale has no parameter “size”; available: factor, height, axes, surfaces, frames, vertices"
    );
    assert_eq!(why("scale factor=0"), "factor=0: expected a number from 0.001 to 10000");
    assert_eq!(why("scale factor"), "expected NAME=VALUE, not “factor”");
    assert_eq!(why("delete-frames"), "delete-frames needs frames: frames such as 0-9,12, names of clips, or all");
    assert_eq!(why("move by=1,2"), "by=1,2: expected three numbers X,Y,Z");
    assert_eq!(why("mirror axis=w"), "axis=w: expected x, y, z");
    assert_eq!(why("scale surfaces=\"a b"), "a quotation mark is missing");
    let mut names: Vec<&str> = OPERATIONS.iter().map(|operation| operation.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), OPERATIONS.len());
}
