//! Triangle strips and fans for MD2's command list, found greedily.

/// A corner of an MD2 triangle: vertex and texture coordinate.
pub type Corner = (usize, usize);

/// A run of corners that share edges.
pub struct Run {
    pub is_fan: bool,
    pub corners: Vec<Corner>,
}

/// Covers all triangles, each once, keeping their winding: from each triangle left over, the longest strip or fan that
/// starts at any of its corners.
pub fn runs(triangles: &[[Corner; 3]]) -> Vec<Run> {
    let mut done = vec![false; triangles.len()];
    let mut runs = Vec::new();
    for first in 0..triangles.len() {
        if done[first] {
            continue;
        }
        let starts = (0..3).flat_map(|corner| [(corner, true), (corner, false)]);
        let (taken, run) = starts
            .map(|(corner, is_fan)| grow(triangles, &done, first, corner, is_fan))
            .max_by_key(|(taken, _)| taken.len())
            .expect("there are six ways to start");
        taken.iter().for_each(|&index| done[index] = true);
        runs.push(run);
    }
    runs
}

/// The run from one corner of one triangle, and the triangles it takes.
fn grow(triangles: &[[Corner; 3]], done: &[bool], first: usize, corner: usize, is_fan: bool) -> (Vec<usize>, Run) {
    let rotated = |triangle: &[Corner; 3], by: usize| [triangle[by], triangle[(by + 1) % 3], triangle[(by + 2) % 3]];
    let mut corners = rotated(&triangles[first], corner).to_vec();
    let mut taken = vec![first];
    loop {
        let count = corners.len();
        // The edge the next triangle must hold, in its own order: (hub, last) in a fan; in a strip every second triangle
        // is stored reversed.
        let edge = if is_fan {
            [corners[0], corners[count - 1]]
        } else if count % 2 == 0 {
            [corners[count - 2], corners[count - 1]]
        } else {
            [corners[count - 1], corners[count - 2]]
        };
        let next = (triangles.iter().enumerate())
            .filter(|(index, _)| !done[*index] && !taken.contains(index))
            .find_map(|(index, triangle)| {
                let turned = (0..3).map(|by| rotated(triangle, by)).find(|turned| turned[..2] == edge)?;
                Some((index, turned[2]))
            });
        let Some((index, corner)) = next else { break };
        taken.push(index);
        corners.push(corner);
    }
    (taken, Run { is_fan, corners })
}
