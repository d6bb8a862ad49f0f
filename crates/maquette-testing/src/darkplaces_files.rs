//! Generated files of the big-endian formats of DarkPlaces: DPM and ZYM.
//!
//! Both have two frames of two bones. The root turns by 90 degrees about +Z from the first frame to the second and has a
//! scale of 0.5. The arm is at (10, 0, 0) of the root.

/// Matrices of the root and of the arm in each frame.
pub const BONES: [[[f32; 12]; 2]; 2] = [
    [[0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0], ARM],
    [[0.0, -0.5, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0], ARM],
];
/// A joint with only zeros as rotation, which counts as no rotation.
const ARM: [f32; 12] = [0.0, 0.0, 0.0, 10.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn u32s(&mut self, numbers: impl IntoIterator<Item = u32>) -> &mut Self {
        numbers.into_iter().for_each(|number| self.0.extend(number.to_be_bytes()));
        self
    }

    fn f32s(&mut self, numbers: &[f32]) -> &mut Self {
        self.u32s(numbers.iter().map(|number| number.to_bits()))
    }

    fn name(&mut self, text: &str, width: usize) -> &mut Self {
        self.0.extend(text.bytes().chain(std::iter::repeat(0)).take(width));
        self
    }
}

/// Returns a DPM with one triangle: one corner on the root, one on the arm, one on both.
pub fn dpm() -> Vec<u8> {
    let mut file = Writer::default();
    // The tables follow the header: bones at 80, meshes at 160, frames at 216, matrices at 352.
    file.name("DARKPLACESMODEL", 16).u32s([2, 732]).f32s(&[0.0; 8]).u32s([2, 1, 2, 80, 160, 216]);
    file.name("root", 32).u32s([u32::MAX, 0]).name("tag_arm", 32).u32s([0, 1]);
    file.name("models/box/side", 32).u32s([3, 1, 544, 684, 708, 720]);
    for (frame, name) in ["wave_0", "wave_1"].into_iter().enumerate() {
        file.name(name, 32).f32s(&[0.0; 8]).u32s([352 + 96 * frame as u32]);
    }
    BONES.as_flattened().iter().for_each(|matrix| {
        file.f32s(matrix);
    });
    let mut vertex = |weights: &[([f32; 3], f32, u32)]| {
        file.u32s([weights.len() as u32]);
        for (position, influence, bone) in weights {
            // Positions and normals are stored times the influence.
            let stored = position.map(|number| number * influence);
            file.f32s(&stored).f32s(&[*influence, 0.0, 0.0, *influence]).u32s([*bone]);
        }
    };
    vertex(&[([4.0, 0.0, 0.0], 1.0, 0)]);
    vertex(&[([2.0, 0.0, 0.0], 1.0, 1)]);
    vertex(&[([0.0, 8.0, 0.0], 0.75, 0), ([0.0, 8.0, 0.0], 0.25, 1)]);
    file.f32s(&[0.0, 0.0, 1.0, 0.0, 0.0, 1.0]).u32s([0, 1, 2]).u32s([0]);
    // Unused bytes at the end make the file as long as its header states.
    file.name("", 8);
    file.0
}

/// Returns a ZYM with a triangle for each of two shaders and two scenes, the second of which does not loop.
pub fn zym() -> Vec<u8> {
    let mut file = Writer::default();
    // Pairs of offset and length, from byte 68 on.
    let lengths = [152_u32, 192, 80, 16, 64, 32, 32, 64, 2];
    let starts = lengths.iter().scan(140, |at, length| {
        let start = *at;
        *at += length;
        Some([start, *length])
    });
    file.name("ZYMOTICMODEL", 12).u32s([1, 774]).f32s(&[0.0; 7]).u32s([4, 2, 2, 2, 2]);
    file.u32s(starts.flatten());
    file.name("turn", 32).f32s(&[0.0; 7]).f32s(&[15.0]).u32s([0, 0, 2]);
    file.name("hold", 32).f32s(&[0.0; 7]).f32s(&[5.0]).u32s([1, 1, 1]);
    BONES.as_flattened().iter().for_each(|matrix| {
        file.f32s(matrix);
    });
    file.name("root", 32).u32s([0, u32::MAX]).name("tag_arm", 32).u32s([0, 0]);
    file.u32s([1; 4]);
    for (bone, position) in [(0, [4.0, 0.0, 0.0]), (1, [2.0, 0.0, 0.0]), (0, [0.0, 8.0, 0.0]), (0, [0.0; 3])] {
        file.u32s([bone]).f32s(&position);
    }
    file.f32s(&[0.0, 0.25, 1.0, 0.0, 0.0, 1.0, 1.0, 1.0]);
    file.u32s([1, 0, 1, 2, 1, 0, 2, 3]).name("side", 32).name("lid", 32).name("", 2);
    file.0
}
