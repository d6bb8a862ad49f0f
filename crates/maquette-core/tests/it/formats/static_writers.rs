//! Writers of ASE and OBJ.

use maquette_core::convert::{ConvertOptions, convert, to_files};
use maquette_core::export::{ExportPart, ply};
use maquette_core::formats::write;
use maquette_core::model::{Format, Model};
use maquette_core::pose::{Pose, Sampling, sample};
use maquette_testing::files::Md3;
use maquette_testing::iqm::{Iqm, IqmArray};
use maquette_testing::static_files::ASE;

use super::load;

fn written(bytes: &[u8], format: Format) -> (String, Vec<String>) {
    let conversion = convert(&load(bytes).0, &ConvertOptions::to(format)).unwrap();
    (String::from_utf8(write(&conversion.model).unwrap().main).unwrap(), conversion.losses)
}

#[test]
fn ase_material_is_the_path_below_base() {
    // Doom 3 takes what follows `base/`; q3map2 takes a name below `models/`.
    let (text, losses) = written(&Md3::typical().build(), Format::Ase);
    let model = load(&Md3::typical().build()).0;
    let shader = &model.surfaces()[0].materials[0];
    assert!(
        text.contains(&format!("*MATERIAL_NAME \"{shader}\"\n*MAP_DIFFUSE {{\n*BITMAP \"//base/{shader}\"")),
        "{text}"
    );
    assert!(losses.iter().any(|loss| loss.starts_with("ASE holds one frame; 1 other frame was dropped")), "{losses:?}");
    assert!(losses.iter().any(|loss| loss.starts_with("ASE has no tags; dropped: ")), "{losses:?}");
}

#[test]
fn ase_keeps_the_materials_of_its_source() {
    let (text, _) = written(ASE.as_bytes(), Format::Ase);
    let stored = |text: &str| -> Vec<String> {
        let lines = text.lines().map(str::trim).filter(|line| line.starts_with("*BITMAP") && line.contains("side"));
        lines.map(str::to_owned).collect()
    };
    assert_eq!(stored(&text), stored(ASE));
}

#[test]
fn ase_has_the_colours_of_an_iqm() {
    let mut file = Iqm::typical();
    file.arrays.push(IqmArray::bytes(6, 4, &[255, 128, 0, 255, 0, 0, 0, 0, 1, 2, 3, 4]));
    let (text, _) = written(&file.build(), Format::Ase);
    let (again, _) = load(text.as_bytes());
    let colours: Vec<[u8; 4]> =
        again.surfaces()[0].data.colours.as_ref().unwrap().iter().map(|colour| colour.to_le_bytes()).collect();
    // ASE has no alpha.
    for colour in [[255, 128, 0, 255], [0, 0, 0, 255], [1, 2, 3, 255]] {
        assert!(colours.contains(&colour), "{colours:?}");
    }
}

#[test]
fn lost_vertex_colours_are_reported_once() {
    let mut file = Iqm::typical();
    let plain = load(&file.build()).0;
    file.arrays.push(IqmArray::bytes(6, 4, &[255, 128, 0, 255, 0, 0, 0, 0, 1, 2, 3, 4]));
    let model = load(&file.build()).0;
    let lost = |model: &Model, format: Format| -> Vec<String> {
        let losses = to_files(model, &ConvertOptions::to(format)).unwrap().losses;
        losses.into_iter().filter(|loss| loss.contains("of vertices")).collect()
    };
    for format in [Format::Mdl, Format::Md2, Format::Md3, Format::Mdc, Format::Mdr, Format::Md5, Format::Obj] {
        let title = format.title();
        let told = format!("{title} stores no colours of vertices, which 1 surface has; dropped");
        assert_eq!(lost(&model, format), [told], "{title}");
        assert!(lost(&plain, format).is_empty(), "{title}");
    }
    assert_eq!(lost(&model, Format::Ase), ["ASE stores no alpha of vertices, which 1 surface has; dropped"]);
    assert!(lost(&model, Format::Iqm).is_empty());
}

#[test]
fn ply_lists_the_colours_of_vertices() {
    let mut file = Iqm::typical();
    file.arrays.push(IqmArray::bytes(6, 4, &[255, 128, 0, 255, 0, 0, 0, 0, 1, 2, 3, 4]));
    let model = load(&file.build()).0;
    let mut pose = Pose::default();
    sample(&model, &Sampling::default(), &mut pose);
    let mut out = Vec::new();
    ply::write(&[ExportPart::alone(&model, &pose)], &mut out).unwrap();
    let text = String::from_utf8(out).unwrap();
    let properties = ["red", "green", "blue", "alpha"].map(|name| format!("property uchar {name}\n")).concat();
    assert!(text.contains(&format!("property float t\n{properties}element face")), "{text}");
    for colour in [" 255 128 0 255\n", " 0 0 0 0\n", " 1 2 3 4\n"] {
        assert_eq!(text.matches(colour).count(), 1, "{text}");
    }
}

#[test]
fn obj_is_written_with_y_up() {
    let (text, _) = written(&Md3::typical().build(), Format::Obj);
    let (again, warnings) = load(text.as_bytes());
    assert_eq!((warnings.as_str(), again.format()), ("", Format::Obj));
    // The first vertex of the file, (x, y, z) in the game, is (x, z, −y).
    let first = text.lines().find(|line| line.starts_with("v ")).unwrap();
    assert_eq!(first, "v 0 0 0", "{text}");
}
