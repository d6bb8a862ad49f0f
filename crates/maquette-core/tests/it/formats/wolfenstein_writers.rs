//! Writers of MDS, MDM and MDX. Expected numbers follow from the layouts and from the arithmetic of the engines: a vertex
//! is turned by the rows of a bone's matrix, which are forward, left and up of its angles.

use std::path::Path;

use maquette_core::convert::{CompanionKind, ConvertOptions, ConvertedFiles, convert, to_files};
use maquette_core::edit::{Call, apply};
use maquette_core::formats;
use maquette_core::glam::{Affine3A, EulerRot, Mat3, Quat, Vec3};
use maquette_core::model::{Format, JointFrames, Model, Motion};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};

use super::load;
use maquette_testing::files::Md3;
use maquette_testing::ghoul2_files::{Gla, Glm};
use maquette_testing::iqm::{Iqm, IqmArray, IqmJoint, IqmPose};
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr, MdrVertex, bone};
use maquette_testing::wolfenstein_files::{QUARTER, Wolf};

const TARGETS: [Format; 2] = [Format::Mds, Format::Mdm];

fn converted(model: &Model, format: Format) -> ConvertedFiles {
    to_files(model, &ConvertOptions::to(format)).unwrap()
}

fn posed(model: &Model, frame: f64) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
    pose
}

fn i32_at(bytes: &[u8], at: usize) -> i32 {
    i32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn i16_at(bytes: &[u8], at: usize) -> i16 {
    i16::from_le_bytes(bytes[at..at + 2].try_into().unwrap())
}

fn f32_at(bytes: &[u8], at: usize) -> f32 {
    f32::from_le_bytes(bytes[at..at + 4].try_into().unwrap())
}

fn usize_at(bytes: &[u8], at: usize) -> usize {
    usize::try_from(i32_at(bytes, at)).unwrap()
}

fn torso_weights(model: &Model) -> Vec<(&str, f32)> {
    let Motion::Skeletal(motion) = model.motion() else { panic!("no joints") };
    let JointFrames::Angles(angles) = &motion.tracks[0].frames else { panic!("no angles") };
    let names = model.joints().iter().map(|joint| joint.name.as_str());
    names.zip(angles.bones.iter().map(|bone| bone.torso_weight)).collect()
}

fn names(model: &Model) -> Vec<&str> {
    model.joints().iter().map(|joint| joint.name.as_str()).collect()
}

fn with_mdx(file: &Wolf) -> Model {
    let (mut model, _) = load(&file.mdm());
    model.add_animation("body", &file.mdx()).unwrap();
    model
}

#[test]
fn shared_files_are_written_byte_for_byte() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let read = |path: &str| std::fs::read(folder.join(path)).unwrap();
    for path in ["mds/conv-janitor/models/players/janitor/body.mds", "mds/conv-reman/models/players/reman/body.mds"] {
        let bytes = read(path);
        assert!(formats::write(&load(&bytes).0).unwrap().main == bytes, "{path}");
    }
    let (janitor, reman) = ("mdm/conv-janitor/models/janitor", "mdm/conv-reman");
    for (mesh, skeletons) in [
        (format!("{janitor}/body.mdm"), [format!("{janitor}/body.mdx"), format!("{janitor}/idle.mdx")]),
        (
            format!("{reman}/models/players/temperate/reman/body.mdm"),
            ["body", "dying"].map(|name| format!("{reman}/animations/human/base/{name}.mdx")),
        ),
    ] {
        let (bytes, skeletons) = (read(&mesh), skeletons.map(|path| read(&path)));
        let (mut model, _) = load(&bytes);
        for skeleton in &skeletons {
            model.add_animation("x", skeleton).unwrap();
        }
        let written = formats::write(&model).unwrap();
        assert!(written.main == bytes, "{mesh}");
        for (file, mut skeleton) in written.animations.iter().zip(skeletons) {
            // An MDX has its own name in the header; the written one has that of the mesh.
            skeleton[8..72].copy_from_slice(&bytes[8..72]);
            assert!(file.bytes == skeleton, "{mesh}");
        }
    }
}

/// Prints how far the written poses of shared models are off, in all frames. Half a step of three angles turns a vertex by
/// up to 1.4e-4 of its distance from a joint, half a step of two angles a joint by 0.7e-4 of its distance.
#[test]
fn mds_with_a_tag_named_unlike_its_bone_is_not_packed_again() {
    let mut file = Wolf::typical();
    file.tags[0].0 = "tag_other";
    let (model, _) = load(&file.mds());
    let written = formats::write(&model).unwrap().main;
    assert!(converted(&model, Format::Mds).main("body").as_ref() == written);
}

#[test]
fn shared_skeletons_keep_their_poses() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    for path in [
        "mdr/conv-drone-all/models/drone/animation.mdr",
        "mdr/conv-shotgun_view/models/weapons/shotgun/shotgun_view.mdr",
        "mdr/conv-ffflag/models/mapobjects/ffflag/ffflag.mdr",
        "md5/katsbits-bob/Bob.md5mesh",
        "md5/redeclipse-drone/actors/drone/drone.md5mesh",
        "iqm/conv-sparse/sparse.iqm",
        "iqm/raylib-guy/guy.iqm",
        "glm/conv-janitor/models/players/janitor/model.glm",
        "glm/conv-reman/models/players/reman/model.glm",
        "mds/conv-janitor/models/players/janitor/body.mds",
        "mds/conv-reman/models/players/reman/body.mds",
        "mdm/conv-janitor/models/janitor/body.mdm",
        "mdm/conv-reman/models/players/temperate/reman/body.mdm",
        "gltf/khronos-fox/Fox.glb",
    ] {
        let item = folder.join(path.split('/').take(2).collect::<Vec<_>>().join("/"));
        let all = files_below(&item);
        let extension = Path::new(path).extension();
        let named = folder.join(path);
        let first = all.iter().find(|file| named.exists() && **file == named);
        let Some(file) = first.or_else(|| all.iter().find(|file| file.extension() == extension)) else { continue };
        let Ok((mut model, _)) = formats::load(&std::fs::read(file).unwrap()) else { continue };
        let kind = model.format().traits().companions.animations.extension();
        for other in all.iter().filter(|other| other.extension().is_some_and(|end| Some(end.to_str().unwrap()) == kind))
        {
            let _ = model.add_animation("x", &std::fs::read(other).unwrap());
        }
        for format in TARGETS {
            let files = match to_files(&model, &ConvertOptions::to(format)) {
                Ok(files) => files,
                Err(why) => {
                    eprintln!("{} to {format}: {why}", file.display());
                    continue;
                }
            };
            let measured = files.measured.unwrap();
            eprintln!(
                "{} to {format}: {} frames, {} joints of {}, positions {:.5}, normals {:.3}, tags {:.5}, axes {:.4}; {:?}",
                path,
                files.model.frames().len(),
                files.model.joints().len(),
                model.joints().len(),
                measured.position.value,
                measured.normal.value,
                measured.tag.value,
                measured.tag_axes.value,
                files.losses
            );
            let size = posed(&model, 0.0).bounds.size().length();
            if !files.losses.iter().any(|loss| loss.contains("stores no scale") || loss.contains("mean distance")) {
                assert!(measured.position.value < 3e-4 * size + 1.0 / 32.0, "{path}: {measured:?} of {size}");
            }
        }
    }
}

#[test]
fn joints_with_changing_distances_follow_links() {
    let (model, _) = load(&Mdr::typical().build());
    for format in TARGETS {
        let files = converted(&model, format);
        // The second bone moves from (10 0 0) to (10 0 4); the first one stays.
        let tag: &[&str] = if format == Format::Mds { &["tag_hand"] } else { &[] };
        assert_eq!(names(&files.model)[..4], ["origin", "bone 0", "tag_hand_link", "tag_hand"]);
        assert_eq!(&names(&files.model)[4..], tag);
        let measured = files.measured.unwrap();
        assert!(measured.position.value < 2e-3 && measured.tag.value < 2e-3, "{measured:?}");
        assert!(measured.tag_axes.value < 0.02 && measured.normal.value < 0.02, "{measured:?}");
        let link = format!(
            "1 joint changes its distance from the parent and follows further joints called “…_link”, because the distances of {} are fixed",
            format.title()
        );
        assert!(files.losses.contains(&link), "{:?}", files.losses);
    }
}

#[test]
fn joints_beyond_the_room_of_games_keep_a_mean_distance() {
    // No two of the bones keep their distance.
    let frame = |far: f32| (0..127).map(|index| bone(0.0, [index as f32 * far, 0.0, 0.0])).collect();
    let vertex = |bone: i32| MdrVertex {
        normal: [0.0, 0.0, 1.0],
        uv: [0.0; 2],
        weights: vec![(bone, 1.0, [0.0, bone as f32, 1.0])],
    };
    let file = Mdr {
        frames: vec![frame(1.0), frame(1.25)],
        lods: 1,
        vertices: (0..3).map(vertex).collect(),
        tags: Vec::new(),
        ..Mdr::typical()
    };
    let files = converted(&load(&file.build()).0, Format::Mds);
    let loss = "126 joints keep mean distances from their parents, because the distances of MDS are fixed and games have room for 128 joints";
    assert!(files.losses.iter().any(|own| own == loss), "{:?}", files.losses);
    // The first two bones follow the origin, and each other one the bone before.
    let root = "a joint “origin” was added as the parent of 2 joints";
    assert!(files.losses.iter().any(|own| own.ends_with(root)), "{:?}", files.losses);
    // The second of the three bones is 1 or 1.25 from the first one.
    let off = files.measured.unwrap().position.value;
    assert!((0.1..0.26).contains(&off), "{off}");
}

/// The heavier joint comes first, and the normal is stored in its space: the joint turns X to Y, so −Y is the row that
/// gives Z × … of the model's normal.
#[test]
fn normal_is_stored_in_the_space_of_the_heaviest_joint() {
    let mut file = Mdr::typical();
    file.frames = vec![vec![bone(90.0, [0.0; 3]), bone(0.0, [10.0, 0.0, 0.0])]];
    file.vertices[0].normal = [0.0, 1.0, 0.0];
    file.vertices[2].weights = vec![(0, 0.25, [2.0, 0.0, 0.0]), (1, 0.75, [-8.0, 0.0, 0.0])];
    let (model, _) = load(&file.build());
    let files = converted(&model, Format::Mds);
    let mds = files.main("x");
    let surface = usize_at(&mds, 104);
    let vertices = surface + usize_at(&mds, surface + 148);
    // The bone turns the normal Y of its own space to −X of the model; the first vertex has one weight.
    assert_eq!([0, 4, 8].map(|at| f32_at(&mds, vertices + at).round()), [0.0, 1.0, 0.0]);
    let normal = posed(&files.model, 0.0).surfaces[0].normals[0];
    assert!((normal - Vec3::NEG_X).length() < 1e-3, "{normal}");
    // Two vertices with one weight of 20 bytes precede the third.
    let third = vertices + 2 * (32 + 20);
    assert_eq!((i32_at(&mds, third + 20), f32_at(&mds, third + 36), f32_at(&mds, third + 56)), (2, 0.75, 0.25));
    assert_eq!((i32_at(&mds, third + 24), f32_at(&mds, third + 28)), (-1, 0.0));
}

#[test]
fn written_mds_has_frames_bones_and_references() {
    let (model, _) = load(MD5_MESH.as_bytes());
    let files = converted(&model, Format::Mds);
    let mds = files.main("x");
    assert_eq!((&mds[..4], i32_at(&mds, 4), i32_at(&mds, 116)), (&b"MDSW"[..], 4, i32::try_from(mds.len()).unwrap()));
    let (frames, bones, joints) = (usize_at(&mds, 88), usize_at(&mds, 92), model.joints().len());
    assert_eq!((frames, bones), (120, 120 + 52 + 12 * joints));
    assert_eq!(usize_at(&mds, 104), bones + 80 * joints);
    let surface = usize_at(&mds, 104);
    let vertices = usize_at(&mds, surface + 144);
    // All vertices are drawn at any distance, and each could be replaced by one before it.
    assert_eq!(usize_at(&mds, surface + 136), vertices);
    let map = surface + usize_at(&mds, surface + 160);
    assert!((1..vertices).all(|vertex| usize_at(&mds, map + 4 * vertex) < vertex) && i32_at(&mds, map) == 0);
    assert!(f32_at(&mds, 72) > 1e5);
    // References begin at the root.
    assert_eq!(i32_at(&mds, surface + usize_at(&mds, surface + 168)), 0);
}

/// At a pitch of 90°, only the sum of yaw and roll is known; between frames, each angle is blended.
#[test]
fn angles_follow_those_of_the_frame_before() {
    let at = |degrees: f32| {
        let turn = Quat::from_euler(EulerRot::ZYX, 0.4, degrees.to_radians(), 0.3);
        // Angles are those of the transposed rotation, whose columns are the rows of the bone.
        let rows = Mat3::from_quat(turn).to_cols_array();
        let [a, b, c, d, e, f, g, h, i] = rows;
        vec![[a, b, c, 0.0, d, e, f, 0.0, g, h, i, 0.0]]
    };
    let mut file = Mdr::typical();
    file.frames = [70.0, 80.0, 90.0, 100.0, 110.0].map(at).to_vec();
    file.vertices = (0..3)
        .map(|index| MdrVertex {
            normal: [0.0, 0.0, 1.0],
            uv: [0.0; 2],
            weights: vec![(0, 1.0, [10.0, 4.0 * index as f32, 3.0])],
        })
        .collect();
    file.tags = Vec::new();
    let (model, _) = load(&file.build());
    let files = converted(&model, Format::Mds);
    assert!(files.measured.unwrap().position.value < 0.005, "{:?}", files.measured);
    for frame in [0.5, 1.5, 2.5, 3.5] {
        let turn = Quat::from_euler(EulerRot::ZYX, 0.4, (70.0 + 10.0 * frame as f32).to_radians(), 0.3);
        let expected = turn.inverse() * Vec3::new(10.0, 4.0, 3.0);
        let position = posed(&files.model, frame).surfaces[0].positions[1];
        assert!(position.distance(expected) < 0.02, "frame {frame}: {position} instead of {expected}");
    }
}

#[test]
fn tag_on_a_joint_with_vertices_gets_its_own_bone() {
    let (model, _) = load(&Iqm::typical().build());
    let files = converted(&model, Format::Mds);
    assert_eq!(names(&files.model), ["root", "Tag_hand", "Tag_hand"]);
    assert_eq!(files.model.tags(), model.tags());
    let measured = files.measured.unwrap();
    assert!(measured.tag_axes.value < 0.02 && measured.tag.value < 0.01, "{measured:?}");
    let mds = files.main("x");
    let flags = |bone: usize| i32_at(&mds, usize_at(&mds, 92) + 80 * bone + 76);
    assert_eq!([0, 1, 2].map(flags), [0, 0, 1]);
    assert_eq!(names(&converted(&model, Format::Mdm).model), ["root", "Tag_hand"]);
}

#[test]
fn torso_weights_stay_or_follow_the_names() {
    let wolf = [("hips", 0.0), ("spine", 0.5), ("arm", 1.0), ("tag_weapon", 1.0)];
    let mds = load(&Wolf::typical().mds()).0;
    assert_eq!(torso_weights(&converted(&mds, Format::Mdm).model), wolf);
    let clip = ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Mds) };
    let one = to_files(&mds, &clip).unwrap();
    assert_eq!(torso_weights(&one.model), wolf);
    assert_eq!(i32_at(&one.main("x"), 96), 1);

    let mut file = Iqm::typical();
    file.joints[1] = IqmJoint::at("Upper_Spine", 0, [10.0, 0.0, 0.0]);
    file.joints.push(IqmJoint::at("arm", 1, [1.0, 0.0, 0.0]));
    file.poses.push(IqmPose::still(1, [1.0, 0.0, 0.0]));
    let files = converted(&load(&file.build()).0, Format::Mds);
    assert_eq!(torso_weights(&files.model), [("root", 0.0), ("Upper_Spine", 1.0), ("arm", 1.0)]);
    assert_eq!(i32_at(&files.main("x"), 96), 1);
}

#[test]
fn mesh_and_skeleton_of_an_mdm_have_tags_and_names() {
    let (mut model, _) = load(MD5_MESH.as_bytes());
    model.add_animation("walk", MD5_ANIM.as_bytes()).unwrap();
    let files = converted(&model, Format::Mdm);
    let companions = files.companions("body", "mdm");
    let [mdx] = companions.as_slice() else { panic!("{companions:?}") };
    assert_eq!((mdx.name.as_str(), mdx.kind, &mdx.bytes[..4]), ("body.mdx", CompanionKind::Own, &b"MDXW"[..]));
    assert_eq!(usize_at(&mdx.bytes, 76), model.joints().len());
    assert_eq!(names(&files.model), names(&model));
    // A single clip of the MD5 has all frames but the bind pose.
    assert_eq!(files.model.frames().len(), model.frames().len() - 1);
    assert!(files.measured.unwrap().position.value < 0.01, "{:?}", files.measured);
}

#[test]
fn mdm_with_all_frames_keeps_its_skeletons_and_tags() {
    let model = with_mdx(&Wolf::typical());
    let files = converted(&model, Format::Mdm);
    assert_eq!((files.companions("x", "mdm"), files.losses.clone()), (Vec::new(), Vec::new()));
    let measured = files.measured.unwrap();
    assert_eq!((measured.position.value, measured.tag.value), (0.0, 0.0));
    // The tag keeps its axes of length 2 also with a new skeleton.
    let one = to_files(&model, &ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Mdm) }).unwrap();
    let (old, new) = (posed(&model, 1.0).tags[0], posed(&one.model, 0.0).tags[0]);
    assert!(new.abs_diff_eq(old, 1e-3), "{new} instead of {old}");
    assert_eq!(one.companions("x", "mdm").len(), 1);
}

#[test]
fn mdm_and_glm_tags_become_bones_of_an_mds() {
    let (mut glm, _) = load(&Glm::typical().build());
    glm.add_animation("box", &Gla::typical().build()).unwrap();
    for (model, tag) in [(with_mdx(&Wolf::typical()), "tag_weapon"), (glm, "*hand")] {
        let files = converted(&model, Format::Mds);
        assert_eq!(files.model.tags(), [tag]);
        let measured = files.measured.unwrap();
        assert!(measured.tag.value < 0.01 && measured.tag_axes.value < 0.02, "{measured:?}");
        assert!(measured.position.value < 0.02 && measured.normal.value < 0.1, "{measured:?}");
    }
}

#[test]
fn frame_of_vertices_has_one_joint_and_its_tags() {
    let (model, _) = load(&Md3::typical().build());
    for format in TARGETS {
        let why = convert(&model, &ConvertOptions::to(format)).unwrap_err().to_string();
        assert!(why.contains("needs a skeleton, but this model has vertex animation; choose a single frame"), "{why}");
        let files = to_files(&model, &ConvertOptions { frame: Some(1), ..ConvertOptions::to(format) }).unwrap();
        assert_eq!((files.model.tags(), files.model.frames().len()), (model.tags(), 1));
        let measured = files.measured.unwrap();
        assert!(measured.position.value < 1e-4 && measured.tag.value < 0.01, "{measured:?}");
    }
}

/// Operations leave the bones and frames as they are.
#[test]
fn edits_change_surfaces_and_names_only() {
    for model in [load(&Wolf::typical().mds()).0, with_mdx(&Wolf::typical())] {
        let why_not = |edit: &str| Call::parse(edit).unwrap().operation.why_not(&model);
        for edit in ["scale factor=2", "delete-frames frames=0"] {
            assert!(why_not(edit).unwrap().ends_with("convert the model first"), "{edit}");
        }
        assert_eq!(why_not("rename-surface surfaces=u_body name=x"), None);
        let calls = ["rename-surface surfaces=u_body name=x", "add-tag name=tag_new at=1,2,3 joint=arm"];
        let edited = apply(&model, &calls.map(|call| Call::parse(call).unwrap())).unwrap();
        let files = converted(&edited, model.format());
        assert_eq!((files.model.surfaces()[0].name.as_str(), files.model.tags().len()), ("x", 2));
        let measured = files.measured.unwrap();
        assert!(measured.position.value < 1e-3 && measured.tag.value < 1e-3, "{measured:?}");
    }
}

#[test]
fn mesh_without_its_skeleton_is_refused() {
    let (model, _) = load(&Wolf::typical().mdm());
    for format in TARGETS {
        let why = convert(&model, &ConvertOptions::to(format)).unwrap_err().to_string();
        assert!(why.contains("the mesh needs a skeleton (.mdx), which was not found"), "{why}");
    }
    let why = formats::write(&model).unwrap_err().to_string();
    assert!(why.contains("the mesh needs its skeleton (.mdx), which was not found"), "{why}");
}

/// Pitch and yaw of the direction from the root at the origin to (0 0 4) are −90° and 0.
#[test]
fn direction_straight_up_is_a_pitch() {
    let mut file = Iqm::typical();
    file.joints[1] = IqmJoint::at("up", 0, [0.0, 0.0, 4.0]);
    file.poses.clear();
    file.anims.clear();
    file.frames.clear();
    let files = converted(&load(&file.build()).0, Format::Mds);
    let mds = files.main("x");
    let angles = usize_at(&mds, 88) + 52 + 12;
    assert_eq!((i16_at(&mds, angles + 8), f32_at(&mds, usize_at(&mds, 92) + 80 + 72)), (-QUARTER, 4.0));
    assert!(posed(&files.model, 0.0).joints[1].abs_diff_eq(Affine3A::from_translation(Vec3::Z * 4.0), 1e-4));
}

/// 1024 lists of a chain of 65,536 bones take 256 MB, with four bytes for each.
#[test]
fn lists_of_long_chains_are_refused() {
    const BONES: usize = 1 << 16;
    let mut file = Wolf::typical();
    file.bones = (0..BONES).map(|bone| ("bone", bone as i32 - 1, 0.0, 1.0, 0)).collect();
    file.frames = vec![([0.0; 3], vec![[0; 6]; BONES])];
    let last = (BONES - 1) as i32;
    let axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let tags = |count: usize| (0..count).map(|_| ("tag_end", axes, last, [0.0; 3])).collect();
    file.mdm_tags = tags(2);
    assert!(formats::write(&with_mdx(&file)).is_ok());
    file.mdm_tags = tags(1024);
    let why = formats::write(&with_mdx(&file)).unwrap_err().to_string();
    assert_eq!(why, "MDM: boneReferences: the lists of the bones of all surfaces and tags would take over 256 MB");
}

/// At a yaw of 90°, the rows of the bone's matrix are (0 1 0), (−1 0 0) and (0 0 1). They are the axes of the tag, and turn
/// the offset (0 1 0) to (1 0 0).
#[test]
fn vertices_on_the_bone_of_a_tag_keep_their_places() {
    let mut file = Wolf::typical();
    file.vertices[2].weights = vec![(3, 1.0, [0.0, 1.0, 0.0])];
    let (model, _) = load(&file.mds());
    let one = |format| ConvertOptions { frame: Some(1), ..ConvertOptions::to(format) };
    let converted = [
        (convert(&model, &one(Format::Mds)).unwrap().model, 0.0),
        (convert(&model, &one(Format::Mdm)).unwrap().model, 0.0),
        (convert(&model, &ConvertOptions::to(Format::Mdm)).unwrap().model, 1.0),
        (convert(&model, &ConvertOptions::to(Format::Glm)).unwrap().model, 2.0),
        (convert(&model, &ConvertOptions::to(Format::Mdr)).unwrap().model, 1.0),
        (convert(&model, &ConvertOptions::to(Format::Iqm)).unwrap().model, 1.0),
    ];
    for (model, frame) in std::iter::once((model, 1.0)).chain(converted) {
        let (pose, format) = (posed(&model, frame), model.format());
        // From the root (1 2 5), the spine leads 10 along Y, the arm 4 down, and the tag 2 along X.
        let named = model.tags().iter().position(|name| name == "tag_weapon").unwrap();
        let (tag, vertex) = (pose.tags[named], pose.surfaces[0].positions[2]);
        assert!(vertex.distance(Vec3::new(4.0, 12.0, 1.0)) < 0.02, "{format}: {vertex}");
        assert!(Vec3::from(tag.translation).distance(Vec3::new(3.0, 12.0, 1.0)) < 0.02, "{format}: {tag}");
        let axes = Mat3::from_cols(Vec3::Y, Vec3::NEG_X, Vec3::Z);
        assert!(Mat3::from(tag.matrix3).abs_diff_eq(axes, 0.01), "{format}: {tag}");
    }
}

#[test]
fn scales_and_mirrorings_of_joints_turn_normals() {
    let scaled = [2.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let mirrored = [1.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, -1.0, 0.0];
    for (matrix, expected) in [(scaled, Vec3::new(2.0, 1.0, 1.0)), (mirrored, Vec3::new(1.0, 1.0, -1.0))] {
        let mut file = Mdr::typical();
        file.frames = vec![vec![matrix, bone(0.0, [10.0, 0.0, 0.0])]];
        file.vertices[0].normal = [1.0, 1.0, 1.0];
        file.vertices[0].weights = vec![(0, 1.0, [1.0, 2.0, 3.0])];
        let (model, _) = load(&file.build());
        for (format, frame) in [(Format::Mds, 0.0), (Format::Mdm, 0.0), (Format::Glm, 1.0)] {
            let normal = posed(&converted(&model, format).model, frame).surfaces[0].normals[0];
            assert!(normal.distance(expected.normalize()) < 0.01, "{format}: {normal} instead of {expected}");
        }
    }
}

/// The games turn normals of an IQM by the cofactors of its joints, so that its bind pose has the stored normals.
#[test]
fn scaled_bind_pose_of_an_iqm_keeps_its_normals() {
    let mut file = Iqm::typical();
    (file.poses, file.anims, file.frames, file.bounds) = Default::default();
    file.joints[0].scale = [2.0, 1.0, 1.0];
    file.arrays[2] = IqmArray::floats(2, 3, &[1.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 1.0]);
    let (model, _) = load(&file.build());
    for format in [Format::Mds, Format::Mdm, Format::Glm] {
        let normal = posed(&converted(&model, format).model, 0.0).surfaces[0].normals[0];
        assert!(normal.distance(Vec3::new(1.0, 1.0, 0.0).normalize()) < 0.01, "{format}: {normal}");
    }
}

/// Games turn the normal by the first bone whatever its weight. The hips do not turn, the spine turns X to −Y.
#[test]
fn normal_follows_the_first_weight_whatever_its_size() {
    for share in [0.0, 0.0005, -0.5] {
        let mut file = Wolf::typical();
        file.vertices[1].weights = vec![(0, share, [0.0; 3]), (1, 1.0 - share, [4.0, 0.0, 0.0])];
        for model in [load(&file.mds()).0, with_mdx(&file)] {
            let again = |written: formats::WrittenModel| load(&written.main).0;
            let written = again(formats::write(&model).unwrap());
            let mut models = vec![converted(&model, Format::Mds).model, converted(&model, Format::Mdm).model];
            models.extend((model.format() == Format::Mds).then_some(written));
            models.push(model);
            for model in models {
                let normal = posed(&model, 1.0).surfaces[0].normals[1];
                assert!(normal.distance(Vec3::X) < 1e-3, "{share} in {}: {normal}", model.format());
            }
        }
    }
}

#[test]
fn small_movements_of_unrounded_joints_stay() {
    let mut file = Mdr::typical();
    file.frames = [0.0, 0.05].map(|far| vec![bone(0.0, [0.0; 3]), bone(0.0, [10.0 + far, 0.0, 0.0])]).to_vec();
    let files = converted(&load(&file.build()).0, Format::Mds);
    let measured = files.measured.unwrap();
    assert!(measured.position.value < 2e-3, "{measured:?}");
    file.frames[1][1] = bone(0.0, [10.001, 0.0, 0.0]);
    let files = converted(&load(&file.build()).0, Format::Mds);
    let loss = "1 joint changes its distance from the parent by at most 0.005 % of the skeleton’s size, which MDS does not store";
    assert!(files.losses.iter().any(|own| own == loss), "{:?}", files.losses);
}

#[test]
fn invalid_order_of_collapsing_vertices_is_replaced() {
    let mut bytes = Wolf::typical().mds();
    let surface = usize_at(&bytes, 104);
    let at = surface + usize_at(&bytes, surface + 160) + 8;
    bytes[at..at + 4].copy_from_slice(&2_i32.to_le_bytes());
    let files = converted(&load(&bytes).0, Format::Mdm);
    let mdm = files.main("x");
    let surface = usize_at(&mdm, 84);
    let map = surface + usize_at(&mdm, surface + 160);
    assert!(usize_at(&mdm, map + 8) < 2 && usize_at(&mdm, surface + 136) == 3);
}
