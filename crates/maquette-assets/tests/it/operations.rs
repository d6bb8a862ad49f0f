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

/// Refusals of [`call`], whose arguments do not fit every model, with their operations.
const REFUSALS: [(&str, &[&str]); 14] = [
    ("frames 1 do not exist; the model has frames 0 to 0", &["add-clip", "rename-frames"]),
    ("frames of group “run” cannot be in another group", &["add-clip"]),
    ("count=1: expected fewer frames than the clip has (1)", &["blend-loop"]),
    ("no file lists clip “all frames”; it follows from the frames. Use add-clip", &["remove-clip"]),
    ("no file lists clip “frame”; it follows from the frames. Use add-clip", &["change-clip", "remove-clip"]),
    ("no file lists clip “stand”; it follows from the frames. Use add-clip", &["change-clip", "remove-clip"]),
    ("a group needs at least two skins", &["group-skins"]),
    ("no surface would be left", &["delete-surfaces"]),
    ("no triangle of the surface would be left", &["delete-triangles"]),
    ("no two of the surfaces have one material", &["join-surfaces"]),
    ("the surfaces are connected and cannot be split", &["split-surfaces"]),
    ("games do not load an MDL without skins", &["remove-skin"]),
    ("no path contains “mo”", &["replace-path"]),
    ("the model has no tags", &["move-tag", "remove-tag", "rename-tag", "turn-tag"]),
];

/// New findings, with operation and model. The normals of the MD2 and MDL do not fit the triangle that is left.
const FINDINGS: [&str; 5] = [
    "simplify of mdl: inside-out",
    "simplify of mdl with groups: inside-out",
    "delete-triangles of md2: inside-out",
    "delete-triangles of mdl: inside-out",
    "delete-triangles of mdl with groups: inside-out",
];

fn models() -> Vec<(String, Vec<u8>)> {
    let generated = [
        ("md2", Md2::typical().build()),
        ("md3", two_surfaces(&[])),
        ("md3 of two parts", two_surfaces(&["join-surfaces"])),
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

/// Returns an MD3 with a surface above an equal one, after further operations.
fn two_surfaces(operations: &[&str]) -> Vec<u8> {
    let bytes = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let (before, _) = formats::load(&bytes).unwrap();
    let calls = [&["move by=0,0,8 surfaces=#1", "rename-surface surfaces=#1 name=hat"], operations].concat();
    let calls: Vec<Call> = calls.into_iter().map(|text| Call::parse(text).unwrap()).collect();
    save(&bytes, &before, &apply(&before, &calls).unwrap()).unwrap().0
}

/// Returns a call with a value for each parameter that needs one.
fn call(operation: &'static Operation, model: &Model) -> Call {
    let skins: Vec<String> = (0..model.skins().len()).rev().map(|skin| skin.to_string()).collect();
    let pairs = operation.parameters.iter().filter_map(|parameter| {
        let value = match (parameter.name, parameter.kind) {
            ("factor", _) => "1.5".to_owned(),
            ("find", _) => "mo".to_owned(),
            // Clips of the models are short.
            ("count", _) => "1".to_owned(),
            ("order", _) => skins.join(","),
            ("width", ParameterKind::Whole { .. }) => "16".to_owned(),
            ("height", ParameterKind::Whole { .. }) => "8".to_owned(),
            ("clip", ParameterKind::Clip) => model.clips().first()?.name.clone(),
            ("surfaces", _) if operation.name == "delete-triangles" => "#0".to_owned(),
            _ if parameter.default.is_some() => return None,
            (_, ParameterKind::Surfaces | ParameterKind::Tag) => "#0".to_owned(),
            (_, ParameterKind::Frames) => "1".to_owned(),
            (_, ParameterKind::Vector { .. }) => "1,2,3".to_owned(),
            (_, ParameterKind::Number { min, .. }) => min.max(5.0).to_string(),
            (_, ParameterKind::Whole { min, .. }) => min.max(0).to_string(),
            (_, ParameterKind::Choice(words)) => words[0].to_owned(),
            (_, ParameterKind::Switch) => "yes".to_owned(),
            (_, ParameterKind::Vertices | ParameterKind::Triangles | ParameterKind::Skins) => "0".to_owned(),
            (_, ParameterKind::Durations) => "0.2".to_owned(),
            (_, ParameterKind::Vertex) => "#0:0".to_owned(),
            (_, ParameterKind::Clip | ParameterKind::Text | ParameterKind::Models | ParameterKind::Image) => {
                "new".to_owned()
            }
            (_, ParameterKind::Material) => "models/new/skin".to_owned(),
        };
        Some((parameter.name.to_owned(), value))
    });
    let mut call = Call::new(operation, &pairs.collect::<Vec<_>>()).unwrap();
    call.load_models(|_| Ok(vec![Arc::new(model.clone())])).unwrap();
    // Files are read in the size of the skins.
    let [width, height] = model.data().skin_size.unwrap_or([8, 4]).map(i32::unsigned_abs);
    let kind = PixelKind::GamePalette { has_cutouts: false };
    let pixels = Pixels { width, height, kind, bytes: vec![7; (width * height) as usize] };
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
    let mut unexpected = Vec::new();
    for operation in OPERATIONS {
        let mut tested = 0;
        for (name, bytes) in &models {
            let (before, _) = formats::load(bytes).unwrap();
            if operation.why_not(&before).is_some() {
                continue;
            }
            match apply(&before, &[call(operation, &before)]) {
                Ok(after) => {
                    let (saved, _) = save(bytes, &before, &after).unwrap();
                    let new = problems(&saved).difference(&problems(bytes)).cloned().collect::<Vec<_>>();
                    let new = new.iter().map(|rule| format!("{} of {name}: {rule}", operation.name));
                    unexpected.extend(new.filter(|finding| !FINDINGS.contains(&finding.as_str())));
                    tested += 1;
                }
                Err(why) => {
                    let is_known = |(text, own): &(&str, &[&str])| *text == why && own.contains(&operation.name);
                    let is_known = REFUSALS.iter().any(is_known);
                    unexpected.extend((!is_known).then(|| format!("{} of {name}: {why}", operation.name)));
                }
            }
        }
        unexpected.extend((tested == 0).then(|| format!("{} fits no model", operation.name)));
    }
    assert_eq!(unexpected, Vec::<String>::new());
}
