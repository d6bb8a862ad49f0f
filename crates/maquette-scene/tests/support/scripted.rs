//! A model with a shader script.

use std::path::Path;

use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_scene::session::Session;
use maquette_testing::files::Md3;

/// Creates a game with a script and a model of one surface.
pub fn game(script: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &[u8]| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    let typical = Md3::typical();
    let model = Md3 { shaders: vec!["textures/box"], tags: vec![], frames: typical.frames[..1].to_vec(), ..typical };
    write("models/box.md3", &model.build());
    write("scripts/box.shader", script.as_bytes());
    image::RgbaImage::new(2, 2).save(folder.path().join("models/boxes.png")).unwrap();
    folder
}

/// Opens the model of [`game`].
pub fn session(folder: &Path) -> Session {
    let mut session = Session::default();
    session.show(Opener::new(Vec::new(), ImageLoading::Decode).assembly(&folder.join("models/box.md3")).unwrap());
    session
}
