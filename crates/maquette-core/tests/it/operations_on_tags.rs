//! Operations on tags.

use glam::Vec3;
use maquette_core::convert::{ConvertOptions, convert};
use maquette_core::edit::apply;
use maquette_core::model::{Format, Model};

use crate::operations::{changed, frames, load, operation, pose, refused};
use crate::operations_details::with_files;
use maquette_testing::files::{Md3, Mdc};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

/// Returns position and forward axis of a tag, rounded to the 1/8 that an MDC reaches.
fn place(model: &Model, tag: usize, frame: u32) -> [Vec3; 2] {
    let tag = pose(model, frame).tags[tag];
    [tag.translation, tag.matrix3.x_axis].map(|each| (Vec3::from(each) * 8.0).round() / 8.0)
}

#[test]
fn tag_follows_a_vertex_and_its_triangle() {
    // The triangle moves by 10 units along X, and then turns by 90 degrees about Z.
    let md3 = changed(&frames(2), &["rotate axis=z angle=90 frames=1"]);
    let mdc = convert(&md3, &ConvertOptions::to(Format::Mdc)).unwrap().model;
    for model in [md3, mdc] {
        let model = apply(&model, &[operation("add-tag name=tag_new at=3,0,0 vertex=#0:0")]).unwrap();
        assert_eq!(place(&model, 0, 0), [Vec3::new(3.0, 0.0, 0.0), Vec3::X]);
        assert_eq!(place(&model, 0, 1), [Vec3::new(0.0, 13.0, 0.0), Vec3::Y]);
    }
    let model = load(&frames(2));
    // The position is that of frame 1, and the vertex moves by 10 units.
    let moved = apply(&model, &[operation("add-tag name=tag_new at=3,0,0 vertex=#0:0 frame=1")]).unwrap();
    assert_eq!([0, 1].map(|frame| place(&moved, 0, frame)[0].x), [-7.0, 3.0]);
    assert_eq!(refused(&model, "add-tag name=x at=0,0,0 frame=2"), "the model has no frame 2");
    assert_eq!(refused(&model, "add-tag name=x at=0,0,0 vertex=#0:3"), "no vertex “3”; the surface has 3 vertices");
    assert_eq!(refused(&model, "add-tag name=x at=0,0,0 vertex=3"), "expected a surface and a vertex, such as head:12");
}

#[test]
fn tag_at_a_vertex_follows_the_joint_that_moves_it_most() {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("wave", MD5_ANIM.as_bytes()).unwrap();
    // The arm moves vertex 1 alone. In frame 1, it is turned by 90 degrees, 4 units from its origin at (10, 0, 1).
    let model = apply(&model, &[operation("add-tag name=tag_hand at=14,0,0 vertex=#0:1")]).unwrap();
    let md3 = convert(&model, &ConvertOptions::to(Format::Md3)).unwrap().model;
    assert_eq!(place(&md3, 0, 1), [Vec3::new(10.0, 4.0, 1.0), Vec3::Y]);
}

#[test]
fn tags_move_and_turn_in_chosen_frames() {
    for bytes in [Md3::typical().build(), Mdc::typical().build()] {
        let before = load(&bytes);
        let after =
            changed(&bytes, &["move-tag tag=#0 by=0,0,2 frames=1,1", "turn-tag tag=#0 axis=z angle=90 frames=1"]);
        assert_eq!(pose(&after, 0).tags, pose(&before, 0).tags);
        let [origin, _] = place(&before, 0, 1);
        let left = (Vec3::from(pose(&before, 1).tags[0].matrix3.y_axis) * 8.0).round() / 8.0;
        assert_eq!(place(&after, 0, 1), [origin + Vec3::Z * 2.0, left]);
        assert_eq!(pose(&after, 1).tags[1..], pose(&before, 1).tags[1..]);
    }
}

#[test]
fn copied_tags_replace_and_follow_the_own_ones() {
    let other = changed(&frames(1), &["add-tag name=TAG_A at=1,2,3", "add-tag name=tag_b at=4,5,6"]);
    let file = maquette_core::edit::save(&frames(1), &load(&frames(1)), &other).unwrap().0;
    let model = apply(&load(&frames(2)), &[operation("add-tag name=tag_a at=0,0,0")]).unwrap();
    let model = apply(&model, &[with_files("copy-tags files=other.md3", &[&file])]).unwrap();
    assert_eq!(model.tags(), ["tag_a", "tag_b"]);
    for frame in 0..2 {
        assert_eq!(place(&model, 0, frame)[0], Vec3::new(1.0, 2.0, 3.0));
        assert_eq!(place(&model, 1, frame)[0], Vec3::new(4.0, 5.0, 6.0));
    }
    let twins = Md3 { tags: vec![Md3::typical().tags[0].clone(); 2], ..Md3::typical() };
    let why = apply(&load(&frames(2)), &[with_files("copy-tags files=x", &[&twins.build()])]).unwrap_err();
    assert!(why.starts_with("the other model has two tags “"), "{why}");
    let why = apply(&load(&frames(2)), &[with_files("copy-tags files=x", &[&frames(3)])]).unwrap_err();
    assert_eq!(why, "the other model has 3 frames; expected 2, or a single one");
}
