//! Generated files of games that changed Quake II's engine: Kingpin MDX, Heretic II FM and Daikatana DKM.
//!
//! All have the same four vertices in two frames: a square in a plane across Z, 2 units wide, 3 times as far from the ground
//! as its byte.

use crate::bytes::ByteWriter;

const VERTICES: [[u8; 3]; 4] = [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0]];
/// Normal that points up.
const UP: u8 = 5;

fn count(length: usize) -> i32 {
    i32::try_from(length).unwrap()
}

fn word(number: f32) -> i32 {
    number.to_bits().cast_signed()
}

/// Writes the head of a frame, and lets `vertex` write its vertices.
fn frame(file: &mut ByteWriter, name: &str, vertex: impl Fn(&mut ByteWriter, [u8; 3])) {
    file.f32s(&[1.0, 2.0, 3.0]).f32s(&[10.0, 20.0, 30.0]).name(name, 16);
    VERTICES.iter().for_each(|position| vertex(file, *position));
}

fn frames(file: &mut ByteWriter, lift: u8) {
    for (name, lift) in [("stand01", 0), ("run01", lift)] {
        frame(file, name, |file, [x, y, z]| {
            file.raw(&[x, y, z + lift, UP]);
        });
    }
}

/// Corners of GL commands: s, t and the index of the vertex.
fn corners(list: &[(f32, f32, i32)]) -> Vec<i32> {
    list.iter().flat_map(|(s, t, index)| [word(*s), word(*t), *index]).collect()
}

/// Returns a Kingpin MDX with a fan of part 1, and a strip of part 0 whose last step has no area.
pub fn kmdx() -> Vec<u8> {
    let fan = [vec![-3, 1], corners(&[(0.0, 0.0, 0), (1.0, 0.0, 2), (1.0, 0.5, 1)])].concat();
    let strip = [vec![4, 0], corners(&[(0.0, 0.0, 0), (0.25, 1.0, 3), (1.0, 0.0, 2), (1.0, 0.0, 2)]), vec![0]].concat();
    let commands = [fan, strip].concat();
    let mut file = ByteWriter::new();
    file.raw(b"IDPX").i32(4).i32(64).i32(128); // ident, version, skinwidth, skinheight
    // framesize, skins, vertices, triangles, commands, frames
    file.i32(40 + 16).i32(1).i32(4).i32(1).i32(count(commands.len())).i32(2);
    file.i32(0).i32(0).i32(2); // num_sfxdef, num_sfxent, num_subobj
    let [skins, tris, frames_at, commands_at] = std::array::from_fn(|_| file.later());
    file.i32(0).i32(0).i32(0).i32(0).i32(0); // ofs_verts, ofs_sfxdef, ofs_sfxent, ofs_bbox, unused
    let end = file.later();
    file.fill(skins, file.len());
    file.name("models/thug/body.tga", 64);
    file.fill(tris, file.len());
    [0_u16, 2, 1, 0, 0, 0].iter().for_each(|index| {
        file.u16(*index);
    });
    file.fill(frames_at, file.len());
    frames(&mut file, 10);
    file.fill(commands_at, file.len());
    commands.iter().for_each(|word| {
        file.i32(*word);
    });
    file.fill(end, file.len());
    file.finish()
}

fn block(file: &mut ByteWriter, name: &str, version: i32, content: &[u8]) {
    file.name(name, 32).i32(version).i32(count(content.len())).raw(content);
}

/// Returns a Heretic II FM of two triangles with this number of mesh nodes, 0 or 2, and a block of a name that games skip.
pub fn fm(nodes: usize) -> Vec<u8> {
    let lists = [
        [vec![-3], corners(&[(0.0, 0.0, 0), (1.0, 0.0, 2), (1.0, 0.5, 1)]), vec![0]].concat(),
        [vec![3], corners(&[(0.0, 0.0, 0), (0.25, 1.0, 3), (1.0, 0.0, 2)]), vec![0]].concat(),
    ];
    let commands = lists.concat();
    let mut file = ByteWriter::new();
    let mut content = ByteWriter::new();
    // skinwidth, skinheight, framesize, skins, vertices, texture coordinates, triangles, commands, frames, nodes
    [64, 128, 40 + 16, 1, 4, 2, 2, count(commands.len()), 2, count(nodes)].iter().for_each(|number| {
        content.i32(*number);
    });
    block(&mut file, "header", 2, &content.finish());
    let mut content = ByteWriter::new();
    content.name("models/elf/skin.m8", 64);
    block(&mut file, "skin", 1, &content.finish());
    let numbers = |numbers: &[u16]| numbers.iter().flat_map(|number| number.to_le_bytes()).collect::<Vec<u8>>();
    block(&mut file, "st coord", 1, &numbers(&[0, 0, 31, 63]));
    block(&mut file, "tris", 1, &numbers(&[0, 2, 1, 0, 1, 0, 0, 3, 2, 0, 0, 1]));
    block(&mut file, "Comment", 7, b"abc");
    let mut content = ByteWriter::new();
    frames(&mut content, 10);
    block(&mut file, "frames", 1, &content.finish());
    let words: Vec<u8> = commands.iter().flat_map(|word| word.to_le_bytes()).collect();
    block(&mut file, "glcmds", 1, &words);
    let mut content = ByteWriter::new();
    let mut first = 0;
    for list in lists.iter().take(nodes) {
        content.raw(&[0; 512]).i16(first).i16(i16::try_from(list.len()).unwrap());
        first += i16::try_from(list.len()).unwrap();
    }
    block(&mut file, "mesh nodes", 3, &content.finish());
    file.finish()
}

/// Returns a Daikatana DKM of version 1 or 2 with two surfaces of a triangle, and a group of both frames.
pub fn dkm(version: i32) -> Vec<u8> {
    let vertex = if version == 1 { 4 } else { 5 };
    let mut file = ByteWriter::new();
    file.raw(b"DKMD").i32(version).f32s(&[100.0, 0.0, 0.0]); // ident, version, translate
    file.i32(40 + 4 * vertex).i32(1).i32(4).i32(2).i32(2).i32(0).i32(2).i32(2); // framesize … num_surf
    let [skins, st, tris, frames_at, _, _, end] = std::array::from_fn(|_| file.later());
    file.i32(1); // num_animgroup
    let groups = file.later();
    file.fill(skins, file.len());
    file.name("models/e_frog.wal", 64);
    file.fill(st, file.len());
    [0_i16, 0, 64, -128].iter().for_each(|number| {
        file.i16(*number);
    });
    file.fill(tris, file.len());
    [[1_u16, 0, 0, 2, 1, 0, 1, 0], [0, 0, 0, 3, 2, 0, 0, 1]].iter().flatten().for_each(|number| {
        file.u16(*number);
    });
    file.fill(frames_at, file.len());
    if version == 1 {
        frames(&mut file, 10);
    } else {
        for name in ["stand01", "run01"] {
            frame(&mut file, name, |file, [x, y, z]| {
                let [x, y, z] = [x, y, z].map(u32::from);
                file.u32((x + 1000) << 21 | (y + 500) << 11 | z).raw(&[200]);
            });
        }
    }
    file.fill(groups, file.len());
    file.name("amba", 16).i32(0).i32(1);
    file.fill(end, file.len());
    file.finish()
}
