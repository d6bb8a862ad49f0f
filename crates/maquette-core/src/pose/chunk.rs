//! Division of surfaces into chunks for threads.

use std::sync::{Mutex, PoisonError};

use glam::Vec3;

use super::PosedSurface;
use super::lanes::BLOCK;
use crate::model::Bounds;
use crate::threads::with_others;

/// Vertices per chunk: enough to justify the overhead, few enough for a core's cache.
const SIZE: usize = 512 * BLOCK;
/// Vertices that justify the start of another thread.
const WORTH_A_THREAD: usize = 50_000;

pub(super) struct Chunk<'a> {
    pub first: usize,
    pub positions: &'a mut [Vec3],
    pub normals: &'a mut [Vec3],
    pub lengths: &'a mut [f32],
}

impl<'a> Chunk<'a> {
    pub fn whole(posed: &'a mut PosedSurface) -> Self {
        let PosedSurface { positions, normals, normal_lengths } = posed;
        Self { first: 0, positions, normals, lengths: normal_lengths }
    }

    fn each(posed: &'a mut PosedSurface) -> impl Iterator<Item = Self> {
        let PosedSurface { positions, normals, normal_lengths } = posed;
        let mut lengths = normal_lengths.chunks_mut(SIZE);
        let parts = (0..).step_by(SIZE).zip(positions.chunks_mut(SIZE).zip(normals.chunks_mut(SIZE)));
        parts.map(move |(first, (positions, normals))| {
            let lengths = lengths.next().unwrap_or_default();
            Self { first, positions, normals, lengths }
        })
    }

    #[inline(always)]
    pub fn each_block(self, mut pose: impl FnMut(usize, &mut [Vec3; BLOCK], &mut [Vec3; BLOCK])) {
        let (positions, last_positions) = self.positions.as_chunks_mut();
        let (normals, last_normals) = self.normals.as_chunks_mut();
        let mut spare = ([Vec3::ZERO; BLOCK], [Vec3::ZERO; BLOCK]);
        let last = (!last_positions.is_empty()).then_some((&mut spare.0, &mut spare.1));
        let blocks = positions.iter_mut().zip(normals).chain(last);
        for (first, (positions, normals)) in (self.first..).step_by(BLOCK).zip(blocks) {
            pose(first, positions, normals);
        }
        let fill = |to: &mut [Vec3], from: &[Vec3; BLOCK]| to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        fill(last_positions, &spare.0);
        fill(last_normals, &spare.1);
    }
}

/// Divides large surfaces among as many threads as worthwhile, at most `threads`. Returns the bounding box.
pub(super) fn share(
    surfaces: &mut [PosedSurface],
    threads: usize,
    pose: impl Fn(usize, Chunk<'_>) -> Bounds + Sync,
) -> Bounds {
    let vertices: usize = surfaces.iter().map(|surface| surface.positions.len()).sum();
    let threads = threads.min(vertices / WORTH_A_THREAD);
    let surfaces = surfaces.iter_mut().enumerate();
    if threads < 2 {
        return surfaces.fold(Bounds::EMPTY, |all, (index, posed)| all.union(pose(index, Chunk::whole(posed))));
    }
    let parts: Vec<_> = surfaces.flat_map(|(index, posed)| Chunk::each(posed).map(move |part| (index, part))).collect();
    let parts = Mutex::new(parts.into_iter());
    let all = Mutex::new(Bounds::EMPTY);
    let work = || {
        let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
        let mut own = Bounds::EMPTY;
        while let Some((index, part)) = next() {
            own = own.union(pose(index, part));
        }
        let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
        *all = all.union(own);
    };
    with_others(threads - 1, work);
    all.into_inner().unwrap_or_else(PoisonError::into_inner)
}
