//! Tag files of Enemy Territory.

use maquette_core::error::Warnings;
use maquette_core::formats::tag_file::{load, write};
use maquette_core::model::Model;
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_testing::files::{Md3, tag_file};

use super::{load as load_model, refusal};

fn pose(model: &Model, frame: u32) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose
}

fn read(bytes: &[u8]) -> Model {
    let mut warnings = Warnings::default();
    let model = load(bytes, &mut warnings).unwrap();
    assert!(warnings.into_vec().is_empty());
    model
}

#[test]
fn tag_file_is_read_and_written_byte_by_byte() {
    let bytes = tag_file(&[("tag_a", [1.0, 2.0, 3.0]), ("Tag_b", [-4.0, 0.5, 0.0])]);
    assert_eq!(bytes.len(), 16 + 2 * 112);
    let model = read(&bytes);
    assert_eq!((model.tags().join(" ").as_str(), model.frames().len(), model.surfaces().len()), ("tag_a Tag_b", 1, 0));
    let pose = pose(&model, 0);
    assert_eq!(pose.tags[1].translation.to_array(), [-4.0, 0.5, 0.0]);
    assert_eq!(write(&model, &pose.tags).unwrap(), bytes);
}

#[test]
fn tag_file_of_an_md3_has_the_tags_of_one_frame() {
    let (model, _) = load_model(&Md3::typical().build());
    let tags = read(&write(&model, &pose(&model, 1).tags).unwrap());
    let (own, stored) = (pose(&model, 1), pose(&tags, 0));
    assert_eq!((tags.tags(), stored.tags), (model.tags(), own.tags));
    let none = load_model(&Md3 { tags: Vec::new(), ..Md3::typical() }.build()).0;
    let why = write(&none, &[]).unwrap_err().to_string();
    assert_eq!(why, "TAG: tags: the model has 0 tags; Enemy Territory takes 1 to 255");
}

#[test]
fn broken_tag_file_is_refused() {
    let bytes = tag_file(&[("tag_a", [1.0, 2.0, 3.0])]);
    let why = |bytes: &[u8]| load(bytes, &mut Warnings::default()).unwrap_err().to_string();
    let cut = why(&bytes[..100]);
    assert_eq!(
        cut,
        "TAG: numTags at byte 0x8: the table at byte 0x10 ends at byte 0x80, but the file ends at byte 0x64"
    );
    let mut version = bytes.clone();
    version[4] = 2;
    assert_eq!(why(&version), "TAG: version at byte 0x4: version 2 is not supported; expected version 1");
    assert_eq!(
        refusal(&bytes),
        "this is a tag file (.tag), not a model; “Copy tags” (copy-tags) adds its tags to a model"
    );
}
