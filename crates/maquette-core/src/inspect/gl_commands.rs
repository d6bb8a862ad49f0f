//! Comparison of the GL commands of an MD2 with its list of triangles.

use std::collections::HashMap;

use glam::Vec2;

use crate::formats::gl_commands::Commands;
use crate::model::{Model, Motion};

/// Differences between the GL commands of a model and its triangles.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CommandDifferences {
    /// Triangles that the commands lack.
    pub missing: usize,
    /// Triangles that only the commands have.
    pub added: usize,
    /// Common triangles with a corner more than one texel away on the skin.
    pub moved: usize,
}

/// Triangles with the same corners whose texture coordinates are compared.
const COPIES: usize = 16;

/// Corners of triangles on the skin, in texels, by the stored vertices.
type Triangles = HashMap<[u32; 3], Vec<[Vec2; 3]>>;

/// Compares the GL commands of an MD2 with its triangles. `None` for other formats.
pub fn command_differences(model: &Model) -> Option<CommandDifferences> {
    let words = model.data().gl_commands.as_ref()?;
    let size = Vec2::from_array(model.data().skin_size?.map(|side| side.max(1) as f32));
    let (Motion::Morph(motion), [surface]) = (model.motion(), model.surfaces()) else { return None };
    let track = motion.surfaces.first()?;
    let drawn = Commands::mesh_of(words, track.stored);
    let mut listed = triangles(&surface.triangles, &surface.uvs, track.remap.as_deref()?, size);
    let drawn = triangles(&drawn.triangles, &drawn.uvs, &drawn.remap, size);
    let mut found = CommandDifferences::default();
    for (corners, drawn) in drawn {
        let listed = listed.remove(&corners).unwrap_or_default();
        found.added += drawn.len().saturating_sub(listed.len());
        found.missing += listed.len().saturating_sub(drawn.len());
        let is_near = |a: &[Vec2; 3], b: &[Vec2; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs().max_element() <= 1.0);
        let is_moved = |drawn: &&[Vec2; 3]| !listed.iter().any(|listed| is_near(listed, drawn));
        // More triangles with the same corners occur in damaged files only.
        let comparable = if listed.len() <= COPIES { drawn.as_slice() } else { &[] };
        found.moved += comparable.iter().take(COPIES).filter(is_moved).count().min(listed.len());
    }
    found.missing += listed.values().map(Vec::len).sum::<usize>();
    Some(found)
}

/// Groups triangles with area by their stored vertices, the smallest first.
fn triangles(triangles: &[[u32; 3]], uvs: &[Vec2], remap: &[u32], size: Vec2) -> Triangles {
    let mut groups = Triangles::new();
    for triangle in triangles {
        let mut corners = triangle.map(|index| {
            let at = index as usize;
            (remap.get(at).copied().unwrap_or_default(), uvs.get(at).copied().unwrap_or_default() * size)
        });
        let smallest = (0..3).min_by_key(|corner| corners[*corner].0).unwrap_or(0);
        corners.rotate_left(smallest);
        let [a, b, c] = corners.map(|(vertex, _)| vertex);
        if a != b && b != c && c != a {
            groups.entry([a, b, c]).or_default().push(corners.map(|(_, texel)| texel));
        }
    }
    groups
}
