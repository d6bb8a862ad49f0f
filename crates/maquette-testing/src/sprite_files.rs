//! Generated sprites: SPR and SP2.

use crate::bytes::ByteWriter;

/// Pixels of an image, from the top row: indices, or red, green, blue and alpha in version 32.
fn image(file: &mut ByteWriter, version: i32, origin: [i32; 2], size: [i32; 2], index: u8) {
    file.i32(origin[0]).i32(origin[1]).i32(size[0]).i32(size[1]);
    for pixel in 0..size[0] * size[1] {
        let index = index.wrapping_add(u8::try_from(pixel).unwrap());
        if version == 32 {
            file.raw(&[index, 0, 0, 128])
        } else {
            file.raw(&[index])
        };
    }
}

/// Returns an SPR of version 1, 2 (index alpha) or 32: an image of 2 × 4 pixels, a group of two images, and an empty
/// image. It faces the viewer upright.
pub fn sprite(version: i32) -> Vec<u8> {
    let mut file = ByteWriter::new();
    file.raw(b"IDSP").i32(version).i32(0); // ident, version, type
    if version == 2 {
        file.i32(2); // texFormat
    }
    file.f32(3.0).i32(4).i32(4).i32(3).f32(0.0).i32(1); // radius, width, height, numframes, beamlength, synctype
    if version == 2 {
        file.u16(256);
        (0..=255).for_each(|index| {
            file.raw(&[index, 7, 9]);
        });
    }
    file.i32(0);
    image(&mut file, version, [-1, 3], [2, 4], 248);
    file.i32(1).i32(2).f32s(&[0.1, 0.4]);
    image(&mut file, version, [-2, 2], [4, 4], 16);
    image(&mut file, version, [-2, 2], [4, 4], 32);
    file.i32(0);
    image(&mut file, version, [0, 0], [0, 0], 0);
    file.finish()
}

/// Returns an SP2 of two frames with different images.
pub fn sp2() -> Vec<u8> {
    let mut file = ByteWriter::new();
    file.raw(b"IDS2").i32(2).i32(2); // ident, version, numframes
    // width, height, origin x and y, name
    file.i32(32).i32(16).i32(16).i32(4).name("sprites/s_x_0.pcx", 64);
    file.i32(20).i32(40).i32(10).i32(40).name("sprites/s_x_1.pcx", 64);
    file.finish()
}
