//! Connected parts of a surface.

use std::collections::HashMap;

use glam::Vec3;

use super::PosedPart;

/// Returns the number of the connected part of each triangle, in the order of their first triangles from 0. Vertices at
/// one position are connected.
pub fn connected_parts((positions, triangles): PosedPart<'_>) -> Vec<usize> {
    // Each vertex leads to another one of its part, or to itself.
    let mut first = HashMap::new();
    // Adding zero converts −0 to +0.
    let bits = |position: Vec3| (position + Vec3::ZERO).to_array().map(f32::to_bits);
    let at_position = |(vertex, position): (u32, &Vec3)| *first.entry(bits(*position)).or_insert(vertex);
    let mut leader: Vec<u32> = (0..).zip(positions).map(at_position).collect();
    for [a, b, c] in triangles {
        for other in [b, c] {
            let (first, second) = (find(&mut leader, *a), find(&mut leader, *other));
            if let Some(own) = leader.get_mut(first.max(second) as usize) {
                *own = first.min(second);
            }
        }
    }
    let mut numbers = HashMap::new();
    let number = |[vertex, ..]: &[u32; 3]| {
        let next = numbers.len();
        *numbers.entry(find(&mut leader, *vertex)).or_insert(next)
    };
    triangles.iter().map(number).collect()
}

fn find(leader: &mut [u32], vertex: u32) -> u32 {
    let mut at = vertex;
    while let Some(next) = leader.get(at as usize).copied().filter(|next| *next != at) {
        let above = leader.get(next as usize).copied().unwrap_or(next);
        if let Some(own) = leader.get_mut(at as usize) {
            *own = above;
        }
        at = next;
    }
    at
}
