//! Picking: triangles hit by rays, and tags and joints at screen positions.

use glam::{Vec2, Vec3};

use super::{
    BackfaceDisplay, Camera, Display, Entity, EntityId, LightingMode, OverlayKind, Ray, Scene, Selection, Wireframe,
};
use maquette_assets::material::DrawnFaces;

/// First hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// The entity.
    pub entity: EntityId,
    /// Index of the surface.
    pub surface: usize,
    /// Index of the triangle.
    pub triangle: usize,
    /// Index of the triangle's vertex nearest to the hit.
    pub vertex: usize,
    /// Position of the hit, in world space.
    pub point: Vec3,
}

/// Maximum distance in points from the pointer to a dot or a bone that is picked.
const HANDLE_REACH: f32 = 6.0;

/// A tag or joint at a screen position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PickedAnchor {
    /// The entity.
    pub entity: EntityId,
    /// The tag or joint.
    pub selection: Selection,
    /// Origin of the tag or joint, in world space.
    pub position: Vec3,
}

/// Returns the tag or joint whose dot is nearest to `at`, or else the joint at the start of the nearest bone, because
/// that joint turns the bone. `at` and `size` are in points.
pub fn pick_handle(scene: &Scene, display: &Display, camera: &Camera, at: Vec2, size: Vec2) -> Option<PickedAnchor> {
    let project = |position: Vec3| camera.project(position, size.x, size.y);
    let mut nearest: [Option<(f32, PickedAnchor)>; 2] = [None, None];
    let [dot, bone] = &mut nearest;
    let offer = |best: &mut Option<(f32, PickedAnchor)>, away: f32, handle: PickedAnchor| {
        if away <= HANDLE_REACH && best.is_none_or(|(known, _)| away < known) {
            *best = Some((away, handle));
        }
    };
    for entity in scene.entities().iter().filter(|entity| scene.shows(entity)) {
        let position_of = |frame: &glam::Affine3A| entity.world_from_model.transform_point3(frame.translation.into());
        let handle = |selection, position| PickedAnchor { entity: entity.id, selection, position };
        if display.shows(OverlayKind::Joints) {
            let positions: Vec<Vec3> = entity.pose.joints.iter().map(position_of).collect();
            for (index, (position, joint)) in positions.iter().zip(entity.model().joints()).enumerate() {
                let Some(end) = project(*position) else { continue };
                offer(dot, end.distance(at), handle(Selection::Joint(index), *position));
                let parent = joint.parent.map(|parent| parent as usize);
                let from = parent.and_then(|parent| Some((parent, *positions.get(parent)?)));
                if let Some((parent, from)) = from
                    && let Some(start) = project(from)
                {
                    offer(bone, distance_to_segment(at, start, end), handle(Selection::Joint(parent), from));
                }
            }
        }
        if display.shows(OverlayKind::Tags) {
            for (index, position) in entity.pose.tags.iter().map(position_of).enumerate() {
                if let Some(shown) = project(position) {
                    offer(dot, shown.distance(at), handle(Selection::Tag(index), position));
                }
            }
        }
    }
    let [dot, bone] = nearest;
    dot.or(bone).map(|(_, handle)| handle)
}

fn distance_to_segment(at: Vec2, start: Vec2, end: Vec2) -> f32 {
    let along = end - start;
    let share = (at - start).dot(along) / along.length_squared().max(1e-6);
    at.distance(start + along * share.clamp(0.0, 1.0))
}

/// Returns the first drawn triangle on `ray`. The search tests every triangle, so it is for clicks, not for hovering.
pub fn pick(scene: &Scene, display: &Display, ray: &Ray) -> Option<Hit> {
    let mut nearest: Option<(f32, Hit)> = None;
    for entity in scene.entities().iter().filter(|entity| scene.shows(entity)) {
        if let Some((distance, hit)) = pick_of(entity, display, ray)
            && nearest.is_none_or(|(known, _)| distance < known)
        {
            nearest = Some((distance, hit));
        }
    }
    nearest.map(|(_, hit)| hit)
}

fn pick_of(entity: &Entity, display: &Display, ray: &Ray) -> Option<(f32, Hit)> {
    let world_from_model = entity.world_from_model;
    let model_from_world = world_from_model.inverse();
    // The direction is not normalized, so that distances along the ray are equal in both spaces.
    let own = Ray {
        origin: model_from_world.transform_point3(ray.origin),
        direction: model_from_world.transform_vector3(ray.direction),
        start: ray.start,
    };
    if !own.origin.is_finite() || !own.direction.is_finite() {
        return None;
    }
    // Mirrored models show the other side of their triangles.
    let mirrored = world_from_model.matrix3.determinant() < 0.0;
    let mut nearest: Option<(f32, usize, usize)> = None;
    for (number, (surface, posed)) in entity.model().surfaces().iter().zip(&entity.pose.surfaces).enumerate() {
        if surface.lod != entity.lod || !entity.draws(number) {
            continue;
        }
        let faces = drawn_faces(entity, number, display);
        let (mut fronts, mut backs) = (faces != DrawnFaces::Back, faces != DrawnFaces::Front);
        if mirrored {
            std::mem::swap(&mut fronts, &mut backs);
        }
        for (triangle, corners) in surface.triangles.iter().enumerate() {
            let corner = |index: u32| posed.positions.get(index as usize).copied();
            let [Some(a), Some(b), Some(c)] = corners.map(corner) else { continue };
            if let Some((distance, is_front)) = meets(&own, [a, b, c])
                && (if is_front { fronts } else { backs })
                && nearest.is_none_or(|(known, ..)| distance < known)
            {
                nearest = Some((distance, number, triangle));
            }
        }
    }
    let (distance, surface, triangle) = nearest?;
    let point = ray.origin + ray.direction * distance;
    let vertex = nearest_corner(entity, surface, triangle, model_from_world.transform_point3(point))?;
    Some((distance, Hit { entity: entity.id, surface, triangle, vertex, point }))
}

fn nearest_corner(entity: &Entity, surface: usize, triangle: usize, position: Vec3) -> Option<usize> {
    let corners = entity.model().surfaces().get(surface)?.triangles.get(triangle)?.map(|corner| corner as usize);
    let posed = entity.pose.surfaces.get(surface)?;
    let away = |corner: usize| posed.positions.get(corner).map_or(f32::INFINITY, |at| at.distance_squared(position));
    corners.into_iter().min_by(|one, other| away(*one).total_cmp(&away(*other)))
}

fn drawn_faces(entity: &Entity, surface: usize, display: &Display) -> DrawnFaces {
    if display.sides != BackfaceDisplay::Front || display.wireframe == Wireframe::Alone {
        return DrawnFaces::Both;
    }
    let material = entity.materials().get(surface).filter(|_| display.shows_materials());
    // A surface drawn with a plain texture shows its front faces, whatever its material says.
    let material = material.filter(|material| display.lighting == LightingMode::Game || !material.is_plain());
    material.map(|material| material.definition.sides).unwrap_or_default()
}

/// Returns the distance along the ray, and whether it hits the front, where vertices are clockwise.
fn meets(ray: &Ray, [a, b, c]: [Vec3; 3]) -> Option<(f32, bool)> {
    let (ab, ac) = (b - a, c - a);
    let across = ray.direction.cross(ac);
    // The sign of the volume spanned by ray and triangle gives the side.
    let volume = ab.dot(across);
    if volume == 0.0 || !volume.is_finite() {
        return None;
    }
    let from_a = ray.origin - a;
    let along_ab = from_a.dot(across) / volume;
    let turned = from_a.cross(ab);
    let along_ac = ray.direction.dot(turned) / volume;
    let distance = ac.dot(turned) / volume;
    let inside = along_ab >= 0.0 && along_ac >= 0.0 && along_ab + along_ac <= 1.0;
    (inside && distance > ray.start && distance.is_finite()).then_some((distance, volume < 0.0))
}
