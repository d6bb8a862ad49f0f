//! Every loader reads back exactly what its writer wrote.

use std::path::Path;

use glam::{EulerRot, Quat};
use maquette_core::formats;
use maquette_core::model::{DetailValue, Format, Model, Motion};

use maquette_testing::files::{Md3, Mdl, MdlSkin, typical};
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::MD5_MESH;

/// Describes everything a loader reads, except file offsets, unused texture coordinates and weights, and incorrect
/// counts.
fn description(model: &Model) -> Vec<String> {
    const FILE_POSITIONS: [&str; 7] =
        ["ofsHeader", "numMeshes", "numweights", "num_st", "framesize", "numFrames", "commandline"];
    let details = |details: &[maquette_core::model::Detail]| {
        let compared = details.iter().filter(|detail| !FILE_POSITIONS.contains(&detail.label));
        compared.map(|detail| format!("{} {:?}", detail.label, detail.value)).collect::<Vec<_>>().join("; ")
    };
    let mut lines = vec![
        format!("{:?} {:?} {:?} {}", model.format(), model.version().unwrap_or(10), model.name(), model.lod_count()),
        format!("{:?}", model.frames()),
        format!("{:?} {:?}", model.tags(), model.skins()),
        format!("{:?}", model.clips()),
        format!("{} {:?}", details(model.details()), model.embedded_skins()),
    ];
    for surface in model.surfaces() {
        let maquette_core::model::Surface { name, lod, materials, triangles, uvs, hidden, .. } = surface;
        lines.push(format!("{name} {lod} {materials:?} {hidden} {}", details(&surface.details)));
        lines.push(format!("{triangles:?}"));
        lines.push(format!("{uvs:?}"));
    }
    match model.motion() {
        Motion::Morph(morph) => {
            lines.push(format!("{:?}", morph.tags));
            lines.extend(morph.surfaces.iter().map(|track| format!("{track:?}")));
        }
        Motion::Skeletal(skeletal) => {
            lines.push(format!("{:?} {:?}", skeletal.joints, skeletal.tags));
            lines.extend(skeletal.bindings.iter().map(|binding| format!("{binding:?}")));
            lines.extend(skeletal.tracks.iter().map(|track| format!("{track:?}")));
        }
    }
    lines
}

/// Writes a model and loads the result.
pub fn read_again(model: &Model) -> Model {
    let written = formats::write(model).unwrap();
    let (mut again, _) = formats::load(&written.main).unwrap();
    for (lod, bytes) in &written.lods {
        let (coarser, _) = formats::load(bytes).unwrap();
        again.add_lod(coarser, *lod);
    }
    for animation in &written.animations {
        again.add_animation(&animation.name, &animation.bytes).unwrap();
    }
    again
}

/// Asserts that a written model reads back without differences. An MDM without its MDX cannot be written.
fn assert_same(model: &Model, what: &str) {
    if formats::write(model).is_err_and(|error| error.to_string().contains("its skeleton (.mdx), which was not found"))
    {
        return;
    }
    let (before, after) = (description(model), description(&read_again(model)));
    assert_eq!(before.len(), after.len(), "{what}");
    for (before, after) in before.iter().zip(&after) {
        if before != after {
            let at = before.bytes().zip(after.bytes()).position(|(a, b)| a != b).unwrap_or(0);
            let near = |text: &str| text.chars().skip(at.saturating_sub(60)).take(160).collect::<String>();
            panic!("{what}:\n  {}\n  {}", near(before), near(after));
        }
    }
}

#[test]
fn typical_files_are_written_as_read() {
    let written = Format::ALL.into_iter().filter(|format| format.is_written());
    for bytes in written.flat_map(typical) {
        let (model, _) = formats::load(&bytes).unwrap();
        assert_same(&model, model.format().name());
    }
}

#[test]
fn name_of_full_field_length_is_written() {
    let renamed = |length: usize| {
        let (model, _) = formats::load(&Md3::typical().build()).unwrap();
        let mut parts = model.into_parts();
        parts.surfaces[0].name = "x".repeat(length);
        formats::write(&Model::new(parts).unwrap())
    };
    assert!(renamed(64).is_ok());
    let refused = renamed(65).unwrap_err().to_string();
    assert!(
        refused.starts_with("MD3: surface “xxx") && refused.ends_with("has 65 bytes; the field holds at most 64"),
        "{refused}"
    );
}

#[test]
fn md2_without_gl_commands_gets_new_ones() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    for path in files_below(&folder.join("md2")) {
        let Some((model, _)) = std::fs::read(&path).ok().and_then(|bytes| formats::load(&bytes).ok()) else { continue };
        if model.format() != Format::Md2 {
            continue;
        }
        let mut parts = model.into_parts();
        parts.data.gl_commands = None;
        let triangles = parts.surfaces[0].triangles.len();
        let again = read_again(&Model::new(parts).unwrap());
        let words = again.details().iter().find(|detail| detail.label == "glCommands in words").unwrap();
        let DetailValue::Text(words) = &words.value else { panic!("no text") };
        assert!(words.ends_with(&format!("triangles {triangles}")), "{}: {words}", path.display());
    }
}

#[test]
fn mdl_is_written_byte_for_byte_without_appended_data() {
    // The third triangle is on the back, but none of its vertices is on the seam.
    let file = Mdl {
        triangles: vec![[1, 0, 2, 1], [0, 1, 2, 3], [0, 0, 3, 3]],
        skins: vec![
            MdlSkin::Single((0..32).collect()),
            MdlSkin::Group(vec![0.25, 1.0], vec![vec![1; 32], vec![2; 32]]),
        ],
        flags: 0x4008,
        ..Mdl::typical()
    };
    let bytes = file.build();
    let (model, _) = formats::load(&bytes).unwrap();
    assert_eq!(formats::write(&model).unwrap().main, bytes);
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    for path in files_below(&folder.join("mdl")) {
        let Ok(bytes) = std::fs::read(&path) else { continue };
        let Ok((model, warnings)) = formats::load(&bytes) else { continue };
        if warnings.is_empty() {
            let written = formats::write(&model).unwrap().main;
            assert!(bytes.starts_with(&written), "{}", path.display());
        }
    }
}

/// Doom 3 computes the fourth component of an orientation, and does not normalise (`idCQuat::ToQuat`).
#[test]
fn orientations_of_an_md5_are_not_longer_than_1() {
    let (mut model, _) = formats::load(MD5_MESH.as_bytes()).unwrap();
    for step in 0_u8..200 {
        let angle = f32::from(step) * 0.37;
        let mut parts = model.clone().into_parts();
        let Motion::Skeletal(motion) = &mut parts.motion else { panic!() };
        motion.joints[1].bind.rotation = Quat::from_euler(EulerRot::XYZ, angle, angle * 1.7, angle * 0.3);
        model = Model::new(parts).unwrap();
        let text = String::from_utf8(formats::write(&model).unwrap().main).unwrap();
        let joint = text.lines().skip_while(|line| !line.starts_with("joints")).nth(2).unwrap();
        let numbers: Vec<f32> = joint.split_whitespace().filter_map(|word| word.parse().ok()).collect();
        let [.., x, y, z] = numbers[..] else { panic!("{joint}") };
        assert!(x * x + y * y + z * z <= 1.0001, "{joint}");
    }
}

#[test]
fn shared_models_are_written_as_read() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let mut written = 0;
    for path in files_below(&folder) {
        let model = load_with_animations(&path).filter(|model| model.format().is_written());
        let Some(model) = model else { continue };
        assert_same(&model, &path.display().to_string());
        written += 1;
    }
    assert!(written > 100, "{written}");
}

/// Loads a model with the animations in its folder.
fn load_with_animations(path: &Path) -> Option<Model> {
    let (mut model, _) = formats::load(&std::fs::read(path).ok()?).ok()?;
    if let Some(extension) = model.format().traits().companions.animations.extension() {
        for other in files_below(path.parent()?) {
            if other.extension().is_some_and(|own| own == extension) {
                let name = other.file_stem()?.to_string_lossy().into_owned();
                // Animations of other models fail to load.
                let _ = model.add_animation(&name, &std::fs::read(&other).ok()?);
            }
        }
    }
    Some(model)
}
