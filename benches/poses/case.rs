//! Models with many vertices. The baseline of each model is a copy of the bytes that a pose reads and writes.

#![forbid(unsafe_code)]

use std::hint::black_box;

use maquette_core::model::{Format, Model, Motion, PackedVertices};
use maquette_core::pose::{FrameBlend, Sampling};

use maquette_testing::large;

/// Vertex counts whose data fits in a core's cache, in the shared cache, and only in memory.
pub const SIZES: [usize; 3] = [4000, 100_000, 1_000_000];

/// Weights per vertex of a skinned model.
const WEIGHTS: usize = 2;

/// Time at which a model is posed.
#[derive(Clone, Copy)]
pub enum Moment {
    /// The time of a stored frame.
    Whole,
    /// A time between two frames.
    Between,
}

impl Moment {
    pub fn sampling(self) -> Sampling {
        Sampling::at(match self {
            Self::Whole => FrameBlend::single(1),
            Self::Between => FrameBlend { from: 1, to: 2, t: 0.37 },
        })
    }
}

/// A model with one surface.
pub struct Case {
    pub model: Model,
    pub vertices: usize,
}

impl Case {
    pub fn new(format: Format, vertices: usize) -> Self {
        let model = match format {
            Format::Mds | Format::Mdm | Format::Glm | Format::Iqm => large::loaded(format, vertices),
            _ => large::model(format, &[vertices], WEIGHTS),
        };
        Self { model, vertices }
    }

    /// Returns the number of bytes that a pose reads and writes per vertex.
    pub fn bytes(&self, time: Moment) -> usize {
        // A position and a normal are written.
        let written = 24;
        let frames = match time {
            Moment::Whole => 1,
            Moment::Between => 2,
        };
        match self.model.motion() {
            Motion::Morph(motion) => {
                let track = &motion.surfaces[0];
                let stored = match track.vertices {
                    PackedVertices::Bytes { .. } => 4,
                    PackedVertices::Shorts(_) => 8,
                    PackedVertices::KeyDeltas { .. } => 8 + 4,
                    PackedVertices::Floats(_) => size_of::<maquette_core::model::FloatVertex>(),
                };
                written + frames * stored + if track.remap.is_some() { 4 } else { 0 }
            }
            // A vertex has a range of weights, and the weights. MDR also stores the length of the normal.
            Motion::Skeletal(_) => {
                let length = if self.model.format() == Format::Mdr { 4 } else { 0 };
                written + 8 + WEIGHTS * size_of::<maquette_core::model::Weight>() + length
            }
        }
    }

    /// Returns a copy of the same number of bytes, as the baseline.
    pub fn copy(&self, time: Moment) -> Copy {
        let bytes = self.vertices * self.bytes(time);
        Copy { from: vec![1; bytes], to: vec![2; bytes] }
    }
}

/// A source buffer and a target buffer of equal size.
pub struct Copy {
    from: Vec<u8>,
    to: Vec<u8>,
}

impl Copy {
    pub fn run(&mut self) {
        black_box(&mut self.to).copy_from_slice(black_box(&self.from));
    }

    /// Like `run`, but a second thread copies half of the bytes.
    pub fn run_on_two(&mut self) {
        let middle = self.from.len() / 2;
        let ((a, b), (c, d)) = (self.from.split_at(middle), self.to.split_at_mut(middle));
        std::thread::scope(|scope| {
            scope.spawn(|| d.copy_from_slice(black_box(b)));
            c.copy_from_slice(black_box(a));
        });
        black_box(&mut self.to);
    }
}
