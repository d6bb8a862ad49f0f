//! Models that open before their images are decoded. They end with the materials of an immediate load.

use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};

use maquette_assets::material::{Image, Origin, SurfaceMaterial, TextureWrap};
use maquette_assets::open::ModelAsset;
use maquette_scene::loader::Loader;
use maquette_scene::session::{Action, FileAction, LoadAnswer, Session, SessionUpdate};

use crate::support::loading::{act, load_of};
use maquette_testing::files::Md2;
use maquette_testing::waiting::MAX_WAIT;

/// Textures of the model, one for each skin.
const NAMES: [&str; 12] =
    ["a.tga", "b.tga", "c.tga", "d.tga", "e.tga", "f.tga", "g.tga", "h.tga", "i.tga", "j.tga", "k.tga", "l.tga"];
/// Index of a truncated image.
const BROKEN: usize = 7;

/// Returns an image of one colour with 1024 × 1024 texels in runs of 128: small on disk, but slow to decode.
fn runs(colour: u8) -> Vec<u8> {
    let mut bytes = vec![0, 0, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 4, 0, 4, 24, 0];
    (0..1024 * 1024 / 128).for_each(|_| bytes.extend([0xFF, colour, 255 - colour, 7]));
    bytes
}

/// Creates a model with all these skins in a folder.
fn model() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("box.md2");
    std::fs::write(&path, Md2 { skins: NAMES.to_vec(), ..Md2::typical() }.build()).unwrap();
    for (number, name) in NAMES.iter().enumerate() {
        let mut bytes = runs(u8::try_from(number * 20).unwrap());
        if number == BROKEN {
            bytes.truncate(20_000);
        }
        std::fs::write(folder.path().join(name), bytes).unwrap();
    }
    (folder, path)
}

/// Starts a loader. Returns its answers and its reports of decoded images.
fn loader() -> (Loader<SessionUpdate>, Receiver<LoadAnswer>, Receiver<()>) {
    let ((answers, answered), (notify, notified)) = (channel(), channel());
    let loader = Loader::start(move |answer| drop(answers.send(answer)), move || notify.send(()).unwrap_or_default());
    (loader, answered, notified)
}

fn wait_for_images(session: &mut Session, notified: &Receiver<()>) {
    let mut last = (0, 0);
    while let Some(progress) = session.document.pending_textures() {
        assert!(progress.0 >= last.0 && progress.0 <= progress.1, "{progress:?} after {last:?}");
        last = progress;
        notified.recv_timeout(MAX_WAIT).unwrap();
        assert!(session.images_decoded().is_none());
    }
}

/// Name of a skin, path of its texture, width and first texels.
type Look = (String, String, Option<(u32, Vec<u8>)>);

fn looks(asset: &ModelAsset) -> Vec<Look> {
    let of = |material: &SurfaceMaterial| material.image.as_ref().map(|one| (one.width, one.rgba[..64].to_vec()));
    let skins = asset.skins.iter();
    skins.map(|skin| (skin.name.clone(), skin.materials[0].path.clone(), of(&skin.materials[0]))).collect()
}

#[test]
fn deferred_images_give_same_materials_as_immediate_load() {
    let (_folder, path) = model();
    let (loader, answered, notified) = loader();
    let mut session = Session::default();
    assert!(loader.load(load_of(session.apply(Action::File(FileAction::Open(vec![path.clone()]))))).is_none());
    session.loaded(answered.recv_timeout(MAX_WAIT).unwrap());
    assert_eq!(session.name(), Some("box.md2"));
    // Changes by the user in the meantime stay.
    let number = session.entity().unwrap().number;
    wait_for_images(&mut session, &notified);
    let mut waited = Session::default();
    act(&mut waited, Action::File(FileAction::Open(vec![path])));
    let (entity, wanted) = (session.entity().unwrap(), waited.entity().unwrap());
    assert_eq!(looks(&entity.asset), looks(&wanted.asset));
    let without: Vec<_> = entity.asset.skins.iter().filter(|skin| skin.materials[0].image.is_none()).collect();
    assert_eq!((entity.asset.skins.len(), without.len()), (NAMES.len(), 1), "the broken one has no image");
    assert!(without[0].materials[0].unreadable.is_some());
    assert_eq!(entity.asset.warnings, wanted.asset.warnings);
    assert_eq!(session.document.issues, waited.document.issues);
    assert_eq!(entity.number, number, "its shape is not taken for another one");
    assert!(!entity.materials().iter().any(SurfaceMaterial::is_pending));
}

#[test]
fn other_requests_are_served_while_images_load() {
    let (folder, path) = model();
    let skin = folder.path().join("none.md3");
    let (loader, answered, notified) = loader();
    let mut session = Session::default();
    let ask = |session: &mut Session, path: PathBuf| {
        assert!(loader.load(load_of(session.apply(Action::File(FileAction::Open(vec![path]))))).is_none());
        session.loaded(answered.recv_timeout(MAX_WAIT).unwrap());
    };
    ask(&mut session, path);
    // Another request fails in the meantime.
    ask(&mut session, skin);
    assert!(session.interface.failure.is_some());
    assert_eq!(session.name(), Some("box.md2"));
    wait_for_images(&mut session, &notified);
    assert_eq!(session.entity().unwrap().asset.skins.len(), NAMES.len());
}

#[test]
fn pending_image_is_not_missing() {
    let image = std::sync::Arc::new(Image::pending());
    let material = SurfaceMaterial::of_image("a", "a.tga", image, TextureWrap::Repeat);
    assert!(material.is_pending() && material.problem().is_none() && !material.is_missing());
    assert!(!SurfaceMaterial::missing("a", Origin::Model).is_pending());
}
