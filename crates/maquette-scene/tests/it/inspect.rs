//! Inspection of vertices, triangles and joints, and distances, compared with hand calculations.

use glam::{Vec2, Vec3};
use maquette_assets::open::{FIRST_SAMPLE, open_sample};
use maquette_core::inspect::{self, JointSource, StoredVertex};
use maquette_core::model::{Format, Motion};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_scene::scene::{SelectionLevel, Shading, ValueSource};
use maquette_scene::session::{Action, CameraAction, FileAction, SceneAction, Selection, Session};

use crate::support::loading::act;
use crate::support::staged::showing;
use maquette_testing::files::{Md2, Md3};
use maquette_testing::shapes::{model, square};

fn near(one: f32, other: f32) -> bool {
    (one - other).abs() < 1e-4
}

#[test]
fn vertex_info_shows_stored_values_normals_and_triangles() {
    // Positions are stored in 1/64 units. The packed normal 0 points up; the square faces X.
    let (model, mut pose) = model(&[square(Vec3::new(0.5, 0.0, 2.0))], &[]);
    sample(&model, &Sampling::default(), &mut pose);
    let facts = inspect::vertex(&model, 0, &pose.surfaces[0], 1, 0).unwrap();
    assert_eq!(facts.position, Vec3::new(0.5, 1.0, 3.0));
    assert_eq!(facts.stored, Some(StoredVertex::Shorts { position: [32, 64, 192], normal: 0 }));
    assert_eq!(facts.uv, Vec2::new(1.0, 0.0));
    assert_eq!(facts.triangles, [0]);
    assert!(facts.computed_normal.unwrap().abs_diff_eq(Vec3::X, 1e-6));
    assert!(near(facts.normal_deviation().unwrap(), 90.0));
    assert_eq!(facts.bind, None, "an MD3 has no bind pose");
    assert!(facts.weights.is_empty());
    let corner = inspect::vertex(&model, 0, &pose.surfaces[0], 0, 0).unwrap();
    assert_eq!(corner.triangles, [0, 1]);
    assert!(inspect::vertex(&model, 0, &pose.surfaces[0], 4, 0).is_none());
    assert!(inspect::vertex(&model, 1, &pose.surfaces[0], 0, 0).is_none());
}

#[test]
fn vertex_info_uses_stored_values_of_shown_frame() {
    let file = Md3::typical();
    let model = maquette_core::formats::load(&file.build()).unwrap().0;
    let mut pose = Pose::default();
    let last = model.frames().len() - 1;
    sample(&model, &Sampling::at(FrameBlend::single(last as u32)), &mut pose);
    let facts = inspect::vertex(&model, 0, &pose.surfaces[0], 0, last).unwrap();
    let Some(StoredVertex::Shorts { position, .. }) = facts.stored else { panic!("{facts:?}") };
    assert_eq!(facts.position, Vec3::from_array(position.map(|step| f32::from(step) / 64.0)));
}

#[test]
fn split_vertex_info_shows_its_file_index() {
    let model = maquette_core::formats::load(&Md2::typical().build()).unwrap().0;
    let Motion::Morph(motion) = model.motion() else { panic!("an MD2 morphs") };
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    let remap = motion.surfaces[0].remap.as_ref().unwrap();
    for (vertex, stored) in remap.iter().enumerate() {
        let facts = inspect::vertex(&model, 0, &pose.surfaces[0], vertex, 0).unwrap();
        assert_eq!(facts.number, *stored as usize);
        assert!(matches!(facts.stored, Some(StoredVertex::Bytes { .. })));
    }
}

#[test]
fn triangle_info_shows_area_winding_and_uv_area() {
    let mut shape = square(Vec3::ZERO);
    // The second triangle is reversed. The third has no area.
    shape.triangles = vec![[0, 1, 2], [0, 3, 2], [0, 1, 1]];
    let (model, pose) = model(&[shape], &[]);
    let of = |triangle: usize| inspect::triangle(&model.surfaces()[0], &pose.surfaces[0], triangle);
    let first = of(0).unwrap();
    assert_eq!((first.corners, first.area), ([0, 1, 2], 2.0));
    assert!(near(first.sides[0], 2.0) && near(first.sides[1], 2.0) && near(first.sides[2], 8.0_f32.sqrt()));
    assert!(first.normal.abs_diff_eq(Vec3::X, 1e-6));
    assert!(near(first.deviation.unwrap(), 0.0) && !first.is_reversed());
    assert!(near(first.uv_area, 0.5), "half the picture, not mirrored");
    let second = of(1).unwrap();
    assert!(second.is_reversed() && near(second.deviation.unwrap(), 180.0));
    assert!(near(second.uv_area, -0.5));
    let third = of(2).unwrap();
    assert_eq!((third.area, third.deviation, third.normal), (0.0, None, Vec3::ZERO));
    assert!(of(3).is_none());
}

#[test]
fn vertex_position_equals_bind_position_in_bind_pose() {
    let sample_file = open_sample(Format::Md5).unwrap();
    let (model, mut pose) = (&sample_file.model, Pose::default());
    sample(model, &Sampling::default(), &mut pose);
    for (surface, posed) in pose.surfaces.iter().enumerate() {
        for vertex in 0..posed.positions.len() {
            let facts = inspect::vertex(model, surface, posed, vertex, 0).unwrap();
            assert!(facts.bind.unwrap().abs_diff_eq(facts.position, 1e-3));
            assert!(near(facts.weight_sum(), 1.0));
            assert!(facts.weights.is_sorted_by(|one, other| one.bias >= other.bias));
        }
    }
    let facts = inspect::joint(model, &pose, 1, 0).unwrap();
    assert_eq!(facts.source, JointSource::Bind);
    let parent = model.joints()[1].parent.unwrap() as usize;
    let own = pose.joints[parent] * facts.local;
    assert!(own.translation.abs_diff_eq(pose.joints[1].translation, 1e-3));
    // In the animation, joints have channels with the names of formats.md.
    let facts = inspect::joint(model, &pose, 0, 1).unwrap();
    assert!(matches!(facts.source, JointSource::Channels(_)), "{facts:?}");
    assert_eq!(JointSource::Channels(0b10_0001).channels().collect::<Vec<_>>(), ["Tx", "Qz"]);
}

#[test]
fn click_selects_by_selection_level() {
    // Seen from the front, corners 0 to 3 go round from the upper right.
    let mut session = showing(&[square(Vec3::ZERO)]);
    let at = Vec2::new(0.02, 0.08);
    let picked = |session: &mut Session, level| {
        session.apply(Action::Scene(SceneAction::SetSelectionLevel(level)));
        session.apply(Action::Camera(CameraAction::PickAt(at)));
        session.document.selection
    };
    assert_eq!(picked(&mut session, SelectionLevel::Surface), Selection::Surface(0));
    let triangle = picked(&mut session, SelectionLevel::Triangle);
    assert!(matches!(triangle, Selection::Triangle { surface: 0, .. }), "{triangle:?}");
    let vertex = picked(&mut session, SelectionLevel::Vertex);
    let Selection::Vertex { surface: 0, vertex: index } = vertex else { panic!("{vertex:?}") };
    let posed = &session.entity().unwrap().pose.surfaces[0];
    let right_and_up = posed.positions[index];
    assert!(right_and_up.y * session.view.camera.right_up().0.y > 0.0 && right_and_up.z > 0.0);
    assert_eq!(session.document.selected_surfaces(), [0], "its surface can be hidden and isolated");
}

#[test]
fn distance_is_measured_between_selections() {
    let mut session = showing(&[square(Vec3::ZERO), square(Vec3::new(0.0, 3.0, 4.0))]);
    let select = |session: &mut Session, surface, vertex| {
        session.apply(Action::Scene(SceneAction::Select(Selection::Vertex { surface, vertex })));
    };
    select(&mut session, 0, 0);
    session.apply(Action::Scene(SceneAction::MeasureFromSelection));
    assert_eq!(session.document.measure(), None, "from itself");
    select(&mut session, 1, 0);
    let measure = session.document.measure().unwrap();
    assert_eq!((measure.offset(), measure.distance()), (Vec3::new(0.0, 3.0, 4.0), 5.0));
    // The distance refers to the centre of the square.
    session.apply(Action::Scene(SceneAction::Select(Selection::Surface(0))));
    let from_corner = session.document.measure().unwrap().offset();
    assert_eq!(from_corner, Vec3::new(0.0, 1.0, -1.0));
    session.apply(Action::Scene(SceneAction::StopMeasuring));
    assert_eq!(session.document.measure(), None);
    // The measurement ends when its part is removed.
    session.apply(Action::Scene(SceneAction::MeasureFromSelection));
    session.apply(Action::Scene(SceneAction::PinSelection));
    act(&mut session, Action::File(FileAction::OpenSample(FIRST_SAMPLE)));
    assert_eq!((session.document.measured_from, session.document.pinned.len()), (None, 0));
}

/// Returns a surface with these triangles in texture coordinates.
fn on_picture(triangles: &[[[f32; 2]; 3]]) -> maquette_core::model::Surface {
    let uvs = triangles.iter().flatten().map(|uv| Vec2::from_array(*uv)).collect();
    let triangles = (0..triangles.len() as u32).map(|index| [3 * index, 3 * index + 1, 3 * index + 2]).collect();
    maquette_core::model::Surface { uvs, triangles, ..Default::default() }
}

#[test]
fn uv_info_finds_islands_overlaps_and_outside_triangles() {
    // The left half of the texture: two triangles with a shared edge, clockwise with v down.
    let half = [[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0]], [[0.0, 0.0], [0.5, 1.0], [0.0, 1.0]]];
    let facts = inspect::UvInfo::from_surface(&on_picture(&half));
    assert_eq!((facts.islands, facts.mirrored), (1, 0));
    assert!(facts.overlapping.is_empty() && facts.outside.is_empty());
    assert!((facts.covered - 0.5).abs() < 0.01, "{}", facts.covered);
    // One more triangle overlaps the first, and another extends beyond the texture.
    let more = [half[0], half[1], [[0.5, 0.0], [0.5, 1.0], [0.0, 0.0]], [[0.9, 0.1], [1.4, 0.1], [1.4, 0.3]]];
    let facts = inspect::UvInfo::from_surface(&on_picture(&more));
    assert_eq!((facts.islands, facts.mirrored), (2, 0));
    assert_eq!((facts.overlapping, facts.outside), (vec![0, 2], vec![3]));
    // Triangles with non-finite coordinates are ignored.
    let facts = inspect::UvInfo::from_surface(&on_picture(&[[[f32::NAN, 0.0], [0.5, 0.0], [0.5, 1.0]]]));
    assert_eq!((facts.covered, facts.outside.len(), facts.overlapping.len()), (0.0, 0, 0));
}

#[test]
fn mirrored_halves_are_not_overlaps() {
    let half = [[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0]], [[0.0, 0.0], [0.5, 1.0], [0.0, 1.0]]];
    // The mirrored half is split along the other diagonal.
    let twin = [[[0.5, 0.0], [0.0, 0.0], [0.0, 1.0]], [[0.5, 0.0], [0.0, 1.0], [0.5, 1.0]]];
    let facts = inspect::UvInfo::from_surface(&on_picture(&[half[0], half[1], twin[0], twin[1]]));
    assert_eq!((facts.mirrored, facts.overlapping), (2, vec![]));
    // A third layer makes all three overlap.
    let facts = inspect::UvInfo::from_surface(&on_picture(&[half[0], half[1], twin[0], twin[1], half[0]]));
    assert_eq!(facts.overlapping.len(), 5);
    // A triangle that is folded over a part of its neighbour is also mirrored.
    let facts = inspect::UvInfo::from_surface(&on_picture(&[half[0], [[0.5, 0.0], [0.4, 0.1], [0.5, 0.5]]]));
    assert_eq!(facts.overlapping, [0, 1]);
}

#[test]
fn uv_edges_are_listed_once() {
    let half = [[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0]], [[0.0, 0.0], [0.5, 1.0], [0.0, 1.0]]];
    let edges = inspect::uv_edges(&on_picture(&half));
    assert_eq!(edges.len(), 5);
    let inner: Vec<_> = edges.iter().filter(|edge| !edge.is_border).collect();
    assert_eq!((inner.len(), inner[0].area), (1, 0.25));
    // An island and its mirrored twin share a border.
    let twin = half.map(|[a, b, c]| [c, b, a]);
    let edges = inspect::uv_edges(&on_picture(&[half[0], half[1], twin[0], twin[1]]));
    assert_eq!((edges.len(), edges.iter().filter(|edge| edge.is_border).count()), (5, 4));
}

#[test]
fn uv_position_finds_its_triangle() {
    let surface = on_picture(&[[[0.0, 0.0], [0.5, 0.0], [0.5, 1.0]], [[0.0, 0.0], [0.5, 1.0], [0.0, 1.0]]]);
    assert_eq!(inspect::triangle_at(&surface, Vec2::new(0.4, 0.2)), Some(0));
    assert_eq!(inspect::triangle_at(&surface, Vec2::new(0.1, 0.8)), Some(1));
    assert_eq!(inspect::triangle_at(&surface, Vec2::new(0.6, 0.5)), None);
}

#[test]
fn weight_shading_uses_selected_joint_and_density_its_median() {
    let session = {
        let mut session = Session::default();
        session.show(open_sample(Format::Md5).unwrap());
        session
    };
    let entity = session.entity().unwrap();
    let source = ValueSource::new(Shading::Weights, entity, Selection::Joint(3), None).unwrap();
    let values = source.values(entity, None);
    let Motion::Skeletal(motion) = entity.model().motion() else { panic!("an MD5 has joints") };
    let mut expected = Vec::new();
    for binding in &motion.bindings {
        for (first, count) in &binding.vertices {
            let own = &binding.weights[*first as usize..(first + count) as usize];
            expected.push(own.iter().filter(|weight| weight.joint == 3).map(|weight| weight.bias).sum::<f32>());
        }
    }
    assert_eq!(values, expected);
    assert!(values.contains(&1.0) && values.contains(&0.0));
    assert_eq!(ValueSource::new(Shading::Clay, entity, Selection::None, None), None);
    // Four squares have equal coordinates. One has sides twice as long, so half as many texels per unit.
    let mut shapes: Vec<_> = (0..4).map(|index| square(Vec3::new(0.0, 4.0 * index as f32, 0.0))).collect();
    shapes[3].positions.iter_mut().for_each(|position| *position = (*position - Vec3::Y * 12.0) * 2.0);
    let session = showing(&shapes);
    let entity = session.entity().unwrap();
    let values = ValueSource::new(Shading::TexelDensity, entity, Selection::None, None).unwrap().values(entity, None);
    // The scale covers four octaves with the median in the middle.
    assert!(values[..12].iter().all(|value| near(*value, 0.5)), "{values:?}");
    assert!(values[12..].iter().all(|value| near(*value, 0.25)), "{values:?}");
}

#[test]
fn difference_shading_uses_same_vertex_else_nearest() {
    let values = |own: &Session, other: &Session| {
        let (own, other) = (own.entity().unwrap(), other.entity().unwrap());
        let source = ValueSource::new(Shading::Difference, own, Selection::None, Some(other)).unwrap();
        source.values(own, Some((other, 4.0)))
    };
    // The models are one unit apart, and the scale ends at four.
    let (own, before) = (showing(&[square(Vec3::ZERO)]), showing(&[square(Vec3::X)]));
    assert_eq!(values(&own, &before), [0.25; 4]);
    // The other model has more vertices; the additional ones are far away.
    let mut more = square(Vec3::X);
    more.positions.extend([Vec3::splat(50.0); 3]);
    more.normals.extend([Vec3::X; 3]);
    more.uvs.extend([Vec2::ZERO; 3]);
    assert_eq!(values(&own, &showing(&[more])), [0.25; 4]);
    // Without a second model, all values are 0.
    let alone = own.entity().unwrap();
    let source = ValueSource::new(Shading::Difference, alone, Selection::None, None).unwrap();
    assert_eq!(source.values(alone, None), [0.0; 4]);
}
