//! Operations leave models that engines accept: the lint finds nothing new.

use std::collections::BTreeSet;
use std::sync::Arc;

use maquette_assets::lint::{LintInput, Profile, Severity, check};
use maquette_core::edit::{Call, OPERATIONS, Operation, ParameterKind, apply, save};
use maquette_core::formats;
use maquette_core::model::{Model, PixelKind, Pixels};

use maquette_testing::files::{Md2, Md3, Mdc, Mdl};
use maquette_testing::iqm::Iqm;
use maquette_testing::optional::shared_folder;
use maquette_testing::skeletal_files::{MD5_MESH, Mdr};

/// Models of the shared folder, with several frames or surfaces.
const SHARED: [&str; 6] = [
    "md2/aqtion-smalls/models/weapons/shell/tris.md2",
    "md3/openarena-lods/models/weapons2/railgun/railgun_2.md3",
    "md5/assimp-small/SimpleCube.md5mesh",
    "mdc/conv-sarge/models/players/sarge/head.mdc",
    "mdl/librequake/progs/bolt.mdl",
    "mdr/vibestudio-fixture/thing.mdr",
];

fn models() -> Vec<(String, Vec<u8>)> {
    let generated = [
        ("md2", Md2::typical().build()),
        ("md3", Md3 { surfaces: 2, ..Md3::typical() }.build()),
        ("mdc", Mdc::typical().build()),
        ("mdl", Mdl::typical().build()),
        ("mdl with groups", Mdl::grouped().build()),
        ("iqm", Iqm::typical().build()),
        ("md5", MD5_MESH.as_bytes().to_vec()),
        ("mdr", Mdr::typical().build()),
    ];
    let shared = shared_folder("models", "MAQUETTE_MODELS")
        .into_iter()
        .flat_map(|folder| SHARED.map(|path| (path.to_owned(), std::fs::read(folder.join(path)).unwrap())));
    generated.map(|(name, bytes)| (name.to_owned(), bytes)).into_iter().chain(shared).collect()
}

/// Returns a call with a value for each parameter that needs one.
fn call(operation: &'static Operation, model: &Model) -> Call {
    let skins: Vec<String> = (0..model.skins().len()).rev().map(|skin| skin.to_string()).collect();
    let pairs = operation.parameters.iter().filter_map(|parameter| {
        let value = match (parameter.name, parameter.kind) {
            ("factor", _) => "1.5".to_owned(),
            ("order", _) => skins.join(","),
            ("clip", _) => model.clips().first()?.name.clone(),
            _ if parameter.default.is_some() => return None,
            (_, ParameterKind::Surfaces | ParameterKind::Tag) => "#0".to_owned(),
            (_, ParameterKind::Frames) => "1".to_owned(),
            (_, ParameterKind::Vector { .. }) => "1,2,3".to_owned(),
            (_, ParameterKind::Number { min, .. }) => min.max(5.0).to_string(),
            (_, ParameterKind::Whole { min, .. }) => min.max(0).to_string(),
            (_, ParameterKind::Choice(words)) => words[0].to_owned(),
            (_, ParameterKind::Switch) => "yes".to_owned(),
            (_, ParameterKind::Text | ParameterKind::Models | ParameterKind::Image) => "new".to_owned(),
            (_, ParameterKind::Material) => "models/new/skin".to_owned(),
        };
        Some((parameter.name.to_owned(), value))
    });
    let mut call = Call::new(operation, &pairs.collect::<Vec<_>>()).unwrap();
    call.load_models(|_| Ok(vec![Arc::new(model.clone())])).unwrap();
    let pixels =
        Pixels { width: 8, height: 4, kind: PixelKind::GamePalette { has_cutouts: false }, bytes: vec![7; 32] };
    call.load_images(|_| Ok(pixels.clone())).unwrap();
    call
}

/// Returns the rules that a file breaks, and the warnings of its loader.
fn problems(bytes: &[u8]) -> BTreeSet<String> {
    let (model, warnings) = formats::load(bytes).unwrap();
    let found = check(LintInput::alone(&model, &warnings), Some(Profile::for_format(model.format())), None);
    let severe = found.list.iter().filter(|finding| finding.severity != Severity::Note);
    severe.map(|finding| finding.rule.to_owned()).chain(warnings.iter().map(ToString::to_string)).collect()
}

#[test]
fn operations_cause_no_new_finding() {
    let models = models();
    for operation in OPERATIONS {
        let mut tested = 0;
        for (name, bytes) in &models {
            let (before, _) = formats::load(bytes).unwrap();
            if operation.why_not(&before).is_some() {
                continue;
            }
            // The arguments do not fit every model.
            let Ok(after) = apply(&before, &[call(operation, &before)]) else { continue };
            let (saved, _) = save(bytes, &before, &after).unwrap();
            let new: Vec<String> = problems(&saved).difference(&problems(bytes)).cloned().collect();
            assert_eq!(new, Vec::<String>::new(), "{} of {name}", operation.name);
            tested += 1;
        }
        assert!(tested > 0, "{} fits no model", operation.name);
    }
}
