//! A generated Quake III player: three parts with round numbers, a weapon, skins and an animation.cfg.

use std::fs;
use std::path::Path;

use crate::files::Md3;

/// Frame count of legs and torso, enough for every clip of [`CONFIG`].
pub const FRAMES: usize = 60;

/// Returns a tag at `origin`, rotated by 90 degrees about Z: forward is +Y, left is −X.
pub const fn turned(origin: [f32; 3]) -> [f32; 12] {
    [origin[0], origin[1], origin[2], 0.0, 1.0, 0.0, -1.0, 0.0, 0.0, 0.0, 0.0, 1.0]
}

/// Returns an unrotated tag at `origin`.
pub const fn straight(origin: [f32; 3]) -> [f32; 12] {
    [origin[0], origin[1], origin[2], 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]
}

/// Clip list with two frames per clip in Quake III's order: torso clips from 12, legs clips from 26 in the file and
/// from 12 in `lower.md3`.
pub const CONFIG: &str = "sex m\n\
    0 2 0 10 1 1 0 10 2 2 0 10 3 1 0 10 4 2 0 10 5 1 0 10\n\
    12 2 0 10 14 2 0 20 16 2 0 20 18 2 0 20 20 2 0 20 22 1 1 10 23 1 1 10\n\
    26 2 2 10 28 2 2 10 30 4 4 10 34 2 2 10 36 2 2 10 38 4 2 10 42 2 0 10 44 2 0 10 46 2 0 10\n\
    48 2 2 10 50 2 2 10 52 2 2 10\n";

/// Returns an MD3 of `frames` equal frames with constant tags.
pub fn md3(frames: usize, tags: &[(&'static str, [f32; 12])]) -> Vec<u8> {
    let triangle = || vec![([0, 0, 0], [64, 0]), ([0, 64, 0], [64, 64]), ([0, 0, 128], [128, 0])];
    Md3 {
        tags: tags.iter().map(|(name, transform)| (*name, vec![*transform; frames])).collect(),
        frames: (0..frames).map(|_| triangle()).collect(),
        ..Md3::typical()
    }
    .build()
}

/// Returns all files of the game by path: the player `box` and two weapons.
pub fn files() -> Vec<(String, Vec<u8>)> {
    let player = |name: &str| format!("models/players/box/{name}");
    let weapon = |name: &str| format!("models/weapons2/{name}");
    let skin = |word: &str| format!("u_torso,models/players/box/{word}.png\n").into_bytes();
    let mut files = vec![
        (player("lower.md3"), md3(FRAMES, &[("tag_torso", turned([1.0, 2.0, 10.0]))])),
        (
            player("upper.md3"),
            md3(FRAMES, &[("tag_head", straight([5.0, 0.0, 3.0])), ("tag_weapon", turned([0.0, 4.0, 1.0]))]),
        ),
        (player("head.md3"), md3(1, &[])),
        (player("animation.cfg"), CONFIG.as_bytes().to_vec()),
        (
            weapon("machinegun/machinegun.md3"),
            md3(1, &[("tag_barrel", straight([2.0, 0.0, 0.0])), ("tag_flash", straight([6.0, 0.0, 0.0]))]),
        ),
        (weapon("machinegun/machinegun_barrel.md3"), md3(1, &[])),
        (weapon("machinegun/machinegun_flash.md3"), md3(1, &[])),
        (weapon("gauntlet/gauntlet.md3"), md3(1, &[])),
    ];
    for part in ["lower", "upper", "head"] {
        files.push((player(&format!("{part}_default.skin")), skin("default")));
        files.push((player(&format!("{part}_red.skin")), skin("red")));
    }
    files
}

pub fn write(root: &Path) {
    for (path, bytes) in files() {
        let path = root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}
