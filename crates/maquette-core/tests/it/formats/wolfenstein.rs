//! MDS, MDM and MDX.
//!
//! Expected poses follow from the definition of the engines: rows of a bone's matrix are Quake's forward, left and up;
//! a position is the parent's, moved by the distance along the stored direction.

use maquette_core::convert::{BonePacking, ConvertOptions, convert, to_files};
use maquette_core::error::Warnings;
use maquette_core::formats;
use maquette_core::formats::animation_cfg::enemy_territory::{self, AnimationFile};
use maquette_core::glam::{Affine3A, Vec3};
use maquette_core::model::{DetailValue, Format, Model, Surface};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::{load, refusal};
use maquette_testing::bytes::with_i32;
use maquette_testing::wolfenstein_files::{QUARTER, Wolf};

const NUM_BONES_AT: usize = 84;
const OFS_FRAMES_AT: usize = 88;

fn mds(file: &Wolf) -> Model {
    let (model, warnings) = load(&file.mds());
    assert_eq!(warnings, "");
    model
}

/// Loads the MDM and adds its MDX.
fn mdm(file: &Wolf) -> Model {
    let (mut model, warnings) = load(&file.mdm());
    assert_eq!(warnings, "");
    assert!(model.add_animation("body", &file.mdx()).unwrap().is_empty());
    model
}

fn posed(model: &Model, legs: f64, torso: Option<f64>) -> Pose {
    let mut pose = Pose::default();
    let torso = torso.map(FrameBlend::at_frame);
    sample(model, &Sampling { torso, ..Sampling::at(FrameBlend::at_frame(legs)) }, &mut pose);
    pose
}

#[track_caller]
fn assert_near(actual: impl Into<Vec3>, expected: [f32; 3]) {
    let actual: Vec3 = actual.into();
    assert!((actual - Vec3::from_array(expected)).length() < 1e-4, "{actual} instead of {expected:?}");
}

/// Checks origin, forward and left of a transform.
#[track_caller]
fn assert_transform(actual: &Affine3A, origin: [f32; 3], forward: [f32; 3], left: [f32; 3]) {
    assert_near(actual.translation, origin);
    assert_near(actual.matrix3.x_axis, forward);
    assert_near(actual.matrix3.y_axis, left);
}

fn detail<'m>(surface: &'m Surface, label: &str) -> &'m DetailValue {
    &surface.details.iter().find(|detail| detail.label == label).unwrap().value
}

#[test]
fn surfaces_tags_and_bones_are_listed() {
    for model in [mds(&Wolf::typical()), mdm(&Wolf::typical())] {
        let surface = &model.surfaces()[0];
        assert_eq!(
            (surface.name.as_str(), surface.materials.as_slice()),
            ("u_body", ["models/players/test/body.tga".to_owned()].as_slice())
        );
        assert_eq!((surface.triangles.as_slice(), surface.vertex_count()), ([[0, 1, 2]].as_slice(), 3));
        assert_eq!(*detail(surface, "collapseMap"), DetailValue::Integers([0, 0, 1].into()));
        assert_eq!(*detail(surface, "boneReferences"), DetailValue::Integers([0, 1, 2].into()));
        assert_eq!(model.tags(), ["tag_weapon"]);
        let joints: Vec<(&str, Option<u32>)> =
            model.joints().iter().map(|joint| (joint.name.as_str(), joint.parent)).collect();
        assert_eq!(joints, [("hips", None), ("spine", Some(0)), ("arm", Some(1)), ("tag_weapon", Some(2))]);
        assert_eq!((model.frames().len(), model.has_torso()), (2, true));
        let frame = &model.frames()[1];
        assert_eq!((frame.radius, frame.origin), (4.0, Vec3::new(0.5, 0.0, 0.0)));
    }
}

#[test]
fn whole_frames_place_bones_along_stored_directions() {
    for model in [mds(&Wolf::typical()), mdm(&Wolf::typical())] {
        let pose = posed(&model, 0.0, None);
        let origins: Vec<Vec3> = pose.joints.iter().map(|joint| joint.translation.into()).collect();
        let expected = [[1.0, 2.0, 3.0], [11.0, 2.0, 3.0], [15.0, 2.0, 3.0], [17.0, 2.0, 3.0]];
        assert_eq!(origins, expected.map(Vec3::from_array));
        let pose = posed(&model, 1.0, None);
        assert_transform(&pose.joints[0], [1.0, 2.0, 5.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
        // A yaw of 90° has the rows (0 1 0) and (−1 0 0), so a point on X turns to −Y.
        assert_transform(&pose.joints[1], [1.0, 12.0, 5.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
        // A pitch of 90° leads down.
        assert_near(pose.joints[2].translation, [1.0, 12.0, 1.0]);
        let positions = &pose.surfaces[0].positions;
        assert_near(positions[0], [1.0, 2.0, 10.0]);
        // Three quarters of (1 8 5) at the spine and one quarter of (1 12 1) at the arm.
        assert_near(positions[1], [1.0, 9.0, 4.0]);
        assert_near(positions[2], [2.0, 12.0, 1.0]);
    }
}

#[test]
fn mds_tags_use_bone_rows_mdm_tags_own_axes() {
    let pose = posed(&mds(&Wolf::typical()), 1.0, None);
    assert_transform(&pose.tags[0], [3.0, 12.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]);
    assert_transform(&pose.joints[3], [3.0, 12.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]);
    // The arm turns the offset X to −Y, the axis 2Y to X, and −2X to Y.
    let pose = posed(&mdm(&Wolf::typical()), 1.0, None);
    assert_transform(&pose.tags[0], [1.0, 11.0, 1.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]);
    assert_transform(&pose.joints[3], [3.0, 12.0, 1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
}

#[test]
fn bone_of_an_mds_tag_needs_no_flag() {
    let mut file = Wolf::typical();
    file.tags = vec![("tag_arm", 2), ("tag_gone", 4)];
    let (model, warnings) = load(&file.mds());
    assert_eq!(warnings, "tag “tag_gone”: bone 4 does not exist; the tag is skipped");
    let pose = posed(&model, 1.0, None);
    assert_transform(&pose.tags[0], [1.0, 12.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]);
    // Vertices of the bone do not depend on the tag.
    assert_near(pose.surfaces[0].positions[2], [2.0, 12.0, 1.0]);
}

#[test]
fn frames_between_blend_angles_directions_and_root() {
    let half = 0.5_f32.sqrt();
    let pose = posed(&mds(&Wolf::typical()), 0.5, None);
    let [x, y, z] = [1.0 + 10.0 * half, 2.0 + 10.0 * half, 4.0];
    assert_transform(&pose.joints[1], [x, y, z], [half, -half, 0.0], [half, half, 0.0]);
    assert_near(pose.joints[2].translation, [x + 4.0 * half, y, z - 4.0 * half]);
}

#[test]
fn angles_are_blended_across_half_a_turn() {
    let mut file = Wolf::typical();
    file.frames[0].1[1] = [0, 32000, 0, 0, 0, 0];
    file.frames[1].1[1] = [0, -32000, 0, 0, 0, 0];
    let pose = posed(&mds(&file), 0.5, None);
    assert_near(pose.joints[1].matrix3.x_axis, [-1.0, 0.0, 0.0]);
}

#[test]
fn normals_are_turned_by_the_first_weight() {
    let pose = posed(&mds(&Wolf::typical()), 1.0, None);
    assert_near(pose.surfaces[0].normals[1], [0.0, -1.0, 0.0]);
    let mut file = Wolf::typical();
    file.vertices[1].weights.reverse();
    file.frames[1].1[2] = [0; 6];
    let pose = posed(&mds(&file), 1.0, None);
    assert_near(pose.surfaces[0].normals[1], [1.0, 0.0, 0.0]);
}

#[test]
fn torso_frame_blends_by_bone_weights() {
    let half = 0.5_f32.sqrt();
    for model in [mds(&Wolf::typical()), mdm(&Wolf::typical())] {
        let pose = posed(&model, 0.0, Some(1.0));
        // The root always follows the legs.
        assert_near(pose.joints[0].translation, [1.0, 2.0, 3.0]);
        let [x, y] = [1.0 + 10.0 * half, 2.0 + 10.0 * half];
        assert_transform(&pose.joints[1], [x, y, 3.0], [half, -half, 0.0], [half, half, 0.0]);
        assert_transform(&pose.joints[2], [x, y, -1.0], [0.0, -1.0, 0.0], [1.0, 0.0, 0.0]);
        let (legs, both) = (posed(&model, 1.0, None), posed(&model, 1.0, Some(1.0)));
        assert_eq!(legs.joints, both.joints);
    }
}

#[test]
fn torso_shows_frames_of_second_mdx() {
    let mut file = Wolf::typical();
    let mut model = mdm(&file);
    file.frames = vec![([9.0; 3], vec![[0, -QUARTER, 0, 0, 0, 0]; 4])];
    // Distances and torso weights of the second file are not used.
    file.bones[2].2 = 0.0;
    file.bones[2].3 = 100.0;
    model.add_animation("other", &file.mdx()).unwrap();
    let clips: Vec<(&str, u32, u32)> =
        model.clips().iter().map(|clip| (clip.name.as_str(), clip.first, clip.count)).collect();
    assert_eq!(clips, [("body", 0, 2), ("other", 2, 1)]);
    let pose = posed(&model, 0.0, Some(2.0));
    assert_transform(&pose.joints[2], [15.0, 2.0, 3.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]);
}

#[test]
fn mdm_without_skeleton_lists_surfaces_and_tags_only() {
    let (model, warnings) = load(&Wolf::typical().mdm());
    assert_eq!(warnings, "");
    assert_eq!(
        (model.joints().len(), model.tags(), model.frames().len()),
        (0, ["tag_weapon".to_owned()].as_slice(), 1)
    );
    assert!(!model.has_torso());
    let pose = posed(&model, 0.0, Some(3.0));
    assert_eq!((pose.surfaces[0].positions.len(), pose.tags.len()), (3, 1));
}

#[test]
fn skeletons_that_do_not_fit_are_refused() {
    let mut small = Wolf::typical();
    small.bones.truncate(2);
    small.frames.iter_mut().for_each(|(_, angles)| angles.truncate(2));
    let (mut model, _) = load(&Wolf::typical().mdm());
    let error = model.add_animation("small", &small.mdx()).unwrap_err().to_string();
    assert!(error.ends_with("a weight names a joint that does not exist"), "{error}");
    assert!(model.joints().is_empty());
    let mut model = mdm(&Wolf::typical());
    let error = model.add_animation("small", &small.mdx()).unwrap_err().to_string();
    assert!(error.ends_with("the file has 2 bones, but the model’s skeleton has 4"), "{error}");
    assert_eq!((model.frames().len(), model.clips().len()), (2, 1));
    assert!(mds(&Wolf::typical()).add_animation("body", &Wolf::typical().mdx()).is_err());
}

#[test]
fn mdx_alone_is_refused_with_advice() {
    let message = refusal(&Wolf::typical().mdx());
    assert_eq!(message, "this is a skeleton (MDX) without its mesh; open the .mdm instead");
}

#[test]
fn eyelids_are_hidden() {
    let file = Wolf { surface: "h_blink", ..Wolf::typical() };
    assert!(mds(&file).surfaces()[0].hidden && !mds(&Wolf::typical()).surfaces()[0].hidden);
}

#[test]
fn parents_after_their_bones_are_used_in_poses() {
    let mut file = Wolf::typical();
    // The arm precedes the spine, its parent.
    file.bones.swap(1, 2);
    file.frames.iter_mut().for_each(|(_, angles)| angles.swap(1, 2));
    (file.bones[1].1, file.bones[2].1, file.bones[3].1) = (2, 0, 1);
    let (model, warnings) = load(&file.mds());
    let message = "the parent comes after the bone; poses use it, but lists show the bone as a root";
    assert_eq!(warnings, format!("bone 1 “arm”: {message}"));
    let pose = posed(&model, 1.0, None);
    assert_near(pose.joints[2].translation, [1.0, 12.0, 5.0]);
    assert_near(pose.joints[1].translation, [1.0, 12.0, 1.0]);
    assert_near(pose.joints[3].translation, [3.0, 12.0, 1.0]);
}

#[test]
fn invalid_parents_make_roots() {
    let mut file = Wolf::typical();
    (file.bones[1].1, file.bones[2].1, file.bones[3].1) = (2, 1, 7);
    let (model, warnings) = load(&file.mds());
    assert!(
        warnings.contains("bone 3 “tag_weapon”: the bone has no valid parent (7); it becomes a root"),
        "{warnings}"
    );
    assert!(warnings.contains("bone 2 “arm”: the bone is its own ancestor; it becomes a root"), "{warnings}");
    let pose = posed(&model, 0.0, None);
    assert_near(pose.joints[2].translation, [1.0, 2.0, 3.0]);
    assert_near(pose.joints[1].translation, [11.0, 2.0, 3.0]);
    assert_near(pose.joints[3].translation, [1.0, 2.0, 3.0]);
}

#[test]
fn missing_skeletons_are_refused() {
    let file = Wolf::typical().mds();
    let message = refusal(&with_i32(&file, NUM_BONES_AT, 0));
    assert_eq!(message, "MDS: numBones at byte 0x54: a skeleton needs at least one bone");
    assert!(refusal(&with_i32(&file, NUM_BONES_AT, -1)).contains("numBones"));
    let message = refusal(&with_i32(&file, OFS_FRAMES_AT, 1_000_000));
    assert!(message.starts_with("MDS: ofsFrames at byte 0x58"), "{message}");
    let bones_at = OFS_FRAMES_AT + 4;
    assert!(refusal(&with_i32(&file, bones_at, -4)).starts_with("MDS: ofsBones at byte 0x5c"));
}

#[test]
fn weights_on_missing_bones_are_redistributed() {
    let mut file = Wolf::typical();
    file.vertices[1].weights[0].0 = 4;
    let (model, warnings) = load(&file.mds());
    let message = "1 weight names a bone that does not exist; the other weights of the vertex are used";
    assert_eq!(warnings, format!("surface 0 “u_body”: {message}"));
    let pose = posed(&model, 1.0, None);
    assert_near(pose.surfaces[0].positions[1], [1.0, 12.0, 1.0]);
    assert_near(pose.surfaces[0].normals[1], [0.0, -1.0, 0.0]);
}

#[test]
fn truncated_files_keep_their_intact_part_when_salvaged() {
    let file = Wolf::typical().mds();
    // The last tag is cut.
    let cut = &file[..file.len() - 4];
    assert!(refusal(cut).contains("ofsTags"));
    let salvaged = formats::salvage(cut).unwrap();
    assert!(salvaged.is_damaged);
    assert_eq!((salvaged.model.tags().len(), salvaged.model.surfaces().len()), (0, 1));
    let file = Wolf::typical().mdm();
    let cut = &file[..file.len() - 20];
    assert!(refusal(cut).contains("tag 0"), "{}", refusal(cut));
    let salvaged = formats::salvage(cut).unwrap();
    assert_eq!((salvaged.model.tags().len(), salvaged.model.surfaces()[0].triangles.len()), (0, 1));
}

#[test]
fn numbers_that_are_not_finite_are_replaced() {
    let mut file = Wolf::typical();
    file.frames[0].0[0] = f32::NAN;
    file.bones[1].3 = f32::INFINITY;
    file.bones[2].2 = 7.0;
    file.mdm_tags[0].3[0] = f32::NAN;
    let (model, warnings) = load(&file.mds());
    assert_eq!(warnings, "frames and bones: 2 numbers are not finite or beyond a billion; replaced by 0");
    let pose = posed(&model, 0.0, Some(1.0));
    assert_near(pose.joints[1].translation, [0.0, 2.0, 3.0]);
    let (_, warnings) = load(&file.mdm());
    assert!(warnings.starts_with("tag “tag_weapon”: axes or offset are not finite"), "{warnings}");
}

/// Converts a model and returns the written one.
fn converted(model: &Model, options: ConvertOptions) -> Model {
    to_files(model, &options).unwrap().model
}

#[test]
fn converted_skeletons_keep_positions_tags_and_normals() {
    for model in [mds(&Wolf::typical()), mdm(&Wolf::typical())] {
        let before = posed(&model, 1.0, None);
        let plain = ConvertOptions { packing: Some(BonePacking::Plain), ..ConvertOptions::to(Format::Mdr) };
        let after = posed(&converted(&model, plain), 1.0, None);
        for (position, expected) in after.surfaces[0].positions.iter().zip(&before.surfaces[0].positions) {
            assert_near(*position, expected.to_array());
        }
        assert_transform(
            &after.tags[0],
            before.tags[0].translation.into(),
            before.tags[0].matrix3.x_axis.into(),
            before.tags[0].matrix3.y_axis.into(),
        );
        // In the first frame, all bones turn the normal alike.
        let before = posed(&model, 0.0, None);
        let after = posed(&converted(&model, plain), 0.0, None);
        assert_near(after.surfaces[0].normals[1], before.surfaces[0].normals[1].to_array());
        let md5 = converted(&model, ConvertOptions::to(Format::Md5));
        let tag = md5.joints().iter().find(|joint| joint.name.starts_with("tag_weapon")).unwrap();
        assert_eq!(tag.name, "tag_weapon");
        assert_eq!(converted(&model, ConvertOptions::to(Format::Md3)).tags(), ["tag_weapon"]);
    }
}

#[test]
fn mesh_without_skeleton_is_not_converted() {
    let (model, _) = load(&Wolf::typical().mdm());
    let error = convert(&model, &ConvertOptions::to(Format::Md3)).unwrap_err().to_string();
    assert_eq!(error, "the mesh needs a skeleton (.mdx), which was not found");
}

fn parse_group(text: &str, included: Option<&str>) -> (Vec<AnimationFile>, Vec<String>) {
    let mut warnings = Warnings::default();
    let mut read = |_: &str| included.map(|text| text.as_bytes().to_vec());
    let files = enemy_territory::parse(text.as_bytes(), &mut read, &mut warnings);
    (files, warnings.into_vec().iter().map(ToString::to_string).collect())
}

#[test]
fn animation_groups_include_rows_of_other_files() {
    let group = "animgroup\n{\n animfile \"a/body.mdx\"\n {\n  #include \"a/body.aninc\"\n }\n \
                 animfile \"a/dying.mdx\" { DEATH 0 21 0 12.5 0 100 1 99 pain 21 4 9 0 0 0 0 }\n}\n";
    let rows = "// name first length looping fps movespeed transition reversed\nidle 5 20 10 15 0 100 0\n";
    let (files, warnings) = parse_group(group, Some(rows));
    assert!(warnings.iter().all(|warning| warning.contains("pain")), "{warnings:?}");
    let listed: Vec<_> = files
        .iter()
        .flat_map(|file| file.entries.iter().map(|entry| (file.path.as_str(), entry.name.as_str(), entry)))
        .map(|(path, name, entry)| (path, name, entry.first, entry.count, entry.loop_frames, entry.reversed))
        .collect();
    assert_eq!(
        listed,
        [
            ("a/body.mdx", "idle", 5, 20, 10, false),
            ("a/dying.mdx", "death", 0, 21, 0, true),
            // A loop is at most as long as its clip.
            ("a/dying.mdx", "pain", 21, 4, 4, false),
        ]
    );
    let rates: Vec<f32> = files[1].entries.iter().map(|entry| entry.frames_per_second).collect();
    assert_eq!(rates, [12.5, 1.0]);
    let mut warnings = Warnings::default();
    let clips = files[0].clips(10, &mut warnings);
    assert_eq!((clips[0].first, clips[0].count, clips[0].loop_frames), (5, 5, 0));
}

#[test]
fn animation_groups_that_include_themselves_end() {
    let (files, warnings) = parse_group("#include \"a\"", Some("#include \"a\""));
    assert_eq!((files.len(), warnings.len()), (0, 1));
    assert!(warnings[0].contains("nested too deeply"), "{warnings:?}");
    let (_, warnings) = parse_group("#include \"missing.aninc\"", None);
    assert!(warnings[0].contains("was not found"), "{warnings:?}");
}
