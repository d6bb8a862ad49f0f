//! Conversion to MDL, and of header data.

use maquette_core::convert::{ConvertOptions, convert, measure, to_files};
use maquette_core::model::{Bounds, Clip, ClipSource, EmbeddedSkin, Format, Model, PixelKind, Pixels, Wrap};

use maquette_testing::files::{Md2, Md3, Mdl, MdlFrame};
use maquette_testing::gltf::GltfFile;
use serde_json::json;

use crate::convert::{detail, load, pose, problems, read_again};

#[test]
fn md3_converts_to_mdl_within_one_step() {
    let model = load(&Md3::typical().build());
    let conversion = convert(&model, &ConvertOptions::to(Format::Mdl)).unwrap();
    assert_eq!(problems(&model, &conversion), Vec::<String>::new());
    let again = read_again(&conversion);
    let measured = measure(&model, &again, &conversion.origin).unwrap();
    let bounds = (0..again.frames().len()).map(|frame| pose(&model, u32::try_from(frame).unwrap(), 0).bounds);
    let size = bounds.reduce(Bounds::union).unwrap().size();
    assert!(measured.position.value <= size.length() / 255.0, "{measured:?}");
    assert_eq!((again.surfaces().len(), again.frames().len()), (1, model.frames().len()));
}

#[test]
fn vertices_half_a_skin_apart_share_seam_vertex() {
    // A single frame is converted, so the mesh is built again.
    let model = load(&Mdl::typical().build());
    let conversion = convert(&model, &ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Mdl) }).unwrap();
    let again = read_again(&conversion);
    assert_eq!((again.stored_vertices(0), again.surfaces()[0].vertex_count()), (4, 6));
    assert_eq!(again.surfaces()[0].triangles, model.surfaces()[0].triangles);
    assert_eq!(again.surfaces()[0].uvs, model.surfaces()[0].uvs);
    assert_eq!((detail(&again, "flags"), detail(&again, "eyeposition")), ("0x8".to_owned(), "1 2 3.5".to_owned()));
    assert_eq!(again.embedded_skins(), model.embedded_skins());
}

#[test]
fn triangle_with_both_seam_vertices_stays_in_front() {
    // The first triangle has a vertex at both coordinates of the pair, so neither side fits.
    let file = Mdl {
        coordinates: vec![[0, 1, 0], [0, 5, 0], [0, 7, 3], [0, 2, 2]],
        triangles: vec![[1, 0, 1, 2], [1, 0, 1, 3]],
        ..Mdl::typical()
    };
    let mut file = file;
    for frame in &mut file.frames {
        let MdlFrame::Single(pose) = frame else { panic!("a group") };
        pose.vertices[1] = pose.vertices[0];
    }
    let model = load(&file.build());
    let conversion = convert(&model, &ConvertOptions { frame: Some(0), ..ConvertOptions::to(Format::Mdl) }).unwrap();
    assert_eq!(problems(&model, &conversion), Vec::<String>::new());
    assert_eq!(read_again(&conversion).surfaces()[0].uvs, model.surfaces()[0].uvs);
}

#[test]
fn mdl_skin_comes_from_options_or_is_grey() {
    let model = load(&Md3::typical().build());
    let conversion = convert(&model, &ConvertOptions { skin: [4, 2], ..ConvertOptions::to(Format::Mdl) }).unwrap();
    let [skin] = conversion.model.embedded_skins() else { panic!("one skin") };
    // Colour 8 of the palette is #7B7B7B.
    let pixels = skin.pixels().next().unwrap();
    assert_eq!((pixels.width, pixels.height, &pixels.bytes), (4, 2, &vec![8; 8]));
    assert!(conversion.losses.contains(&"the skin is grey: no image was found".to_owned()), "{:?}", conversion.losses);
    let kind = PixelKind::GamePalette { has_cutouts: true };
    let pixels = Pixels { kind, bytes: (0..8).collect(), ..pixels.clone() };
    let image = EmbeddedSkin::of_pixels("skin 0", pixels.clone());
    let options = ConvertOptions { skin_images: &[Some(image.clone())], ..ConvertOptions::to(Format::Mdl) };
    let again = read_again(&convert(&model, &options).unwrap());
    assert_eq!(again.embedded_skins(), std::slice::from_ref(&image));
    assert_eq!(detail(&again, "flags"), "0x4000");
    // Each surface has a material, and only the second image was found.
    let two = load(&Md3 { surfaces: 2, ..Md3::typical() }.build());
    let mut parts = two.into_parts();
    for (surface, material) in parts.surfaces.iter_mut().zip(["body", "hat"]) {
        surface.materials = vec![material.to_owned()];
    }
    let skin_images = &[Some(EmbeddedSkin::of_pixels("hat", pixels.clone()))];
    let options = ConvertOptions { skin_images, ..ConvertOptions::to(Format::Mdl) };
    let losses = convert(&Model::new(parts).unwrap(), &options).unwrap().losses;
    assert!(losses.contains(&"the skin has the image of hat; dropped: body".to_owned()), "{losses:?}");
    let broken = EmbeddedSkin::of_pixels("skin 0", Pixels { width: 5, ..pixels.clone() });
    let options = ConvertOptions { skin_images: &[Some(broken)], ..ConvertOptions::to(Format::Mdl) };
    assert!(convert(&model, &options).unwrap_err().to_string().contains("does not have the size"));
    // Colours that are not those of the game cannot be stored.
    let other = Pixels { kind: PixelKind::Palette([[0; 4]; 256].into()), ..pixels };
    let options =
        ConvertOptions { skin_images: &[Some(EmbeddedSkin::of_pixels("", other))], ..ConvertOptions::to(Format::Mdl) };
    assert!(convert(&model, &options).is_err());
}

/// The bits are Quake's (`modelgen.h`). Other formats have bits of their own, and MDC those of MD3.
#[test]
fn header_flags_stay_where_they_keep_their_meaning() {
    let flags = |model: &Model, format: Format| {
        let conversion = convert(model, &ConvertOptions { frame: Some(0), ..ConvertOptions::to(format) }).unwrap();
        let is_reported = conversion.losses.iter().any(|loss| loss == "flags of the header were dropped: 0x8");
        (conversion.model.data().flags, is_reported)
    };
    let quake = load(&Mdl { flags: 8, ..Mdl::typical() }.build());
    for format in [Format::Md2, Format::Md3, Format::Mdc, Format::Iqm] {
        assert_eq!(flags(&quake, format), (0, true), "{format:?}");
    }
    let mut parts = load(&Md3::typical().build()).into_parts();
    parts.data.flags = 8;
    let model = Model::new(parts).unwrap();
    assert_eq!((flags(&model, Format::Mdc), flags(&model, Format::Mdl)), ((8, false), (0, true)));
}

#[test]
fn loop_whose_last_frame_turns_a_tag_keeps_it() {
    let mut file = Md3::typical();
    file.frames[1] = file.frames[0].clone();
    file.tags[0].1[1] = file.tags[0].1[0];
    let wrap = |file: &Md3| {
        let mut parts = load(&file.build()).into_parts();
        parts.clips = vec![Clip { wrap: Wrap::LastIsFirst, ..Clip::new("x", 0, 2, 10.0, ClipSource::AnimationList) }];
        convert(&Model::new(parts).unwrap(), &ConvertOptions::to(Format::Mdc)).unwrap().model.clips()[0].wrap
    };
    assert_eq!(wrap(&file), Wrap::LastIsFirst);
    // The axes of the tag turn by a quarter.
    file.tags[0].1[1][3..].copy_from_slice(&[-1.0, 0.0, 0.0, 0.0, -1.0, 0.0, 0.0, 0.0, 1.0]);
    assert_eq!(wrap(&file), Wrap::LastToFirst);
}

/// Quake II reads `scale * byte + translate` (`qfiles.h`). Exporters that leave steps unused are found in UFO: AI.
#[test]
fn bytes_of_a_frame_that_uses_fewer_steps_are_kept() {
    let (mut md2, mut mdl) = (Md2::typical(), Mdl::typical());
    let MdlFrame::Single(pose) = &mut mdl.frames[0] else { panic!("a group") };
    for vertices in [&mut md2.frames[0].vertices, &mut pose.vertices] {
        for (vertex, [x, y, z]) in vertices.iter_mut().zip([[0, 9, 7], [101, 250, 7], [17, 11, 7], [254, 96, 7]]) {
            vertex[..3].copy_from_slice(&[x, y, z]);
        }
    }
    for model in [load(&md2.build()), load(&mdl.build())] {
        let options = ConvertOptions { frame: Some(0), ..ConvertOptions::to(model.format()) };
        let conversion = convert(&model, &options).unwrap();
        assert_eq!(problems(&model, &conversion), Vec::<String>::new());
        let measured = measure(&model, &conversion.model, &conversion.origin).unwrap();
        assert!(measured.position.value < 1e-4, "{measured:?}");
    }
}

/// Blender computes positions in metres, relative to those of another frame, so that they miss their step by more than
/// a thousandth. The scale of X is at offset 8 of an MDL (`mdl_t` in Quake's `modelgen.h`): 100 units in 254 steps.
#[test]
fn steps_of_a_box_are_found_in_rounded_positions() {
    let mut file = GltfFile::triangle();
    // glTF's Z is forward.
    let positions = [0.0, 101.004, 17.0, 253.997, 254.0].map(|step| [0.0, step % 2.0, step / 100.0]);
    let accessor = file.floats("VEC3", positions.as_flattened());
    let attributes = json!({ "POSITION": accessor });
    file.json["meshes"][0]["primitives"] = json!([{ "attributes": attributes, "mode": 5 }]);
    let files = to_files(&load(&file.glb()), &ConvertOptions::to(Format::Mdl)).unwrap();
    let scale = f32::from_le_bytes(files.main("x")[8..12].try_into().unwrap());
    assert!((scale - 100.0 / 254.0).abs() < 1e-5, "{scale}");
}
