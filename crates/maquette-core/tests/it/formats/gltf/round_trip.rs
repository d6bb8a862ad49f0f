//! Exported models that are read again, and changed values.

use maquette_core::model::{EmbeddedSkin, PixelKind, Pixels};
use maquette_testing::files::Md3;

use super::*;

/// Exports a model with these clips, and reads it again.
pub(in crate::formats) fn exported_and_read(model: &Model, clips: &[Clip]) -> Model {
    let pose = at(model, 0);
    let animation = |clip: &Clip| {
        let rate = clip.frames_per_second;
        Animation::new(clip, rate, vec![Track::new(0, clip, rate)])
    };
    let scene = ExportScene {
        parts: vec![ExportPart::alone(model, &pose)],
        animations: clips.iter().map(animation).collect(),
        ..ExportScene::default()
    };
    let mut files = MainFile::default();
    write_glb(&scene, &ExportOptions::default(), &mut files).unwrap();
    formats::load(&files.0).unwrap().0
}

#[test]
fn exported_vertex_colours_read_back_unchanged() {
    let model = model(&GltfFile::triangle());
    for first in (0..=255_u8).step_by(3) {
        let [a, b, c] = [first, first.saturating_add(1), first.saturating_add(2)];
        let colours = [[a, b, c, 255], [c, a, b, a], [b, c, a, 0]].map(i32::from_le_bytes);
        let mut parts = model.clone().into_parts();
        Arc::make_mut(&mut parts.surfaces[0].data).colours = Some(colours.into());
        let again = exported_and_read(&Model::new(parts).unwrap(), &[]);
        assert_eq!(again.surfaces()[0].data.colours.as_deref(), Some(&colours[..]));
    }
}

#[test]
fn exported_models_read_back_with_their_clips_and_tags() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample");
    let read = |name: &str| std::fs::read(folder.join(name)).unwrap();
    for name in ["umber.md2", "umber.md3", "umber.mdc", "umber.mdr", "umber.md5mesh"] {
        let mut model = load(&read(name)).0;
        if model.format() == Format::Md5 {
            for clip in ["idle", "run"] {
                model.add_animation(clip, &read(&format!("{clip}.md5anim"))).unwrap();
            }
        }
        let named = model.clips().iter().filter(|clip| clip.source != ClipSource::BindPose).cloned();
        let mut clips: Vec<Clip> = named.collect();
        if clips.is_empty() {
            let count = u32::try_from(model.frames().len()).unwrap();
            clips = vec![Clip::new("some frames", 3, count.min(12), 12.0, ClipSource::AllFrames)];
        }
        let back = exported_and_read(&model, &clips);
        // The tags of bones follow the order of the bones.
        let sorted = |model: &Model| -> Vec<String> {
            let mut tags = model.tags().to_vec();
            tags.sort();
            tags
        };
        assert_eq!(sorted(&back), sorted(&model), "{name}");
        assert_eq!(back.surfaces().len(), model.surfaces().iter().filter(|surface| surface.lod == 0).count(), "{name}");
        for clip in &clips {
            let own = back.clip(&clip.name).unwrap();
            let facts = |clip: &Clip| (clip.count, clip.frames_per_second, clip.loop_frames, clip.wrap);
            assert_eq!(facts(own), facts(clip), "{name}");
            let is_unlisted = |clip: &Clip| clip.source == ClipSource::AllFrames;
            assert_eq!(is_unlisted(own), is_unlisted(clip), "{name}");
            for frame in [0, clip.count / 2, clip.count - 1] {
                compare_poses(name, &model, &at(&model, clip.first + frame), &back, &at(&back, own.first + frame));
            }
        }
    }
}

#[test]
fn exported_tag_of_any_name_reads_back() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/sample/umber.md3");
    let mut parts = load(&std::fs::read(file).unwrap()).0.into_parts();
    "shot".clone_into(&mut parts.tags[0]);
    let model = Model::new(parts).unwrap();
    assert_eq!(exported_and_read(&model, &[]).tags(), model.tags());
}

/// Returns a file with three materials, of which the variants “day” and “night” show the second and the third.
fn varied() -> GltfFile {
    let mut file = GltfFile::triangle();
    for name in ["plain", "red", "blue"] {
        file.push("materials", json!({ "name": name }));
    }
    let mappings = json!([{ "material": 1, "variants": [0] }, { "material": 2, "variants": [1] }]);
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["material"] = json!(0);
    primitive["extensions"] = json!({ "KHR_materials_variants": { "mappings": mappings } });
    let names = json!({ "variants": [{ "name": "day" }, { "name": "night" }] });
    file.json["extensions"] = json!({ "KHR_materials_variants": names });
    file
}

/// Khronos, `KHR_materials_variants`: a primitive without a mapping for the variant has its own material.
#[test]
fn variants_of_materials_become_skins() {
    let skins =
        |file: &GltfFile| to_files(&model(file), &ConvertOptions::to(Format::Md2)).unwrap().model.skins().to_vec();
    let mut file = varied();
    assert_eq!(skins(&file), ["plain", "red", "blue"]);
    file.json["meshes"][0]["primitives"][0]["material"] = json!(2);
    assert_eq!(skins(&file), ["red", "blue"], "a variant has the materials of the surfaces");
    let mappings = &mut file.json["meshes"][0]["primitives"][0]["extensions"]["KHR_materials_variants"]["mappings"];
    *mappings = json!([{ "material": 0, "variants": [0, 7, 4000] }]);
    assert_eq!(skins(&file), ["plain", "blue"]);
    file.json["extensions"]["KHR_materials_variants"]["variants"] = json!(vec![json!({ "name": "x" }); 33]);
    assert!(load(&file.glb()).1.contains("33 variants; the first 32 are read"));
}

/// Two primitives, of which the variants change the second only. “dusk” shows what “night” shows.
#[test]
fn skins_are_the_materials_that_variants_change() {
    let mut file = varied();
    let mut body = file.json["meshes"][0]["primitives"][0].clone();
    body.as_object_mut().unwrap().remove("extensions");
    file.json["meshes"][0]["primitives"].as_array_mut().unwrap().insert(0, body);
    let primitive = &mut file.json["meshes"][0]["primitives"][1];
    let mappings = &mut primitive["extensions"]["KHR_materials_variants"]["mappings"];
    mappings[1]["variants"] = json!([1, 2]);
    primitive["material"] = json!(1);
    let variants = &mut file.json["extensions"]["KHR_materials_variants"]["variants"];
    variants.as_array_mut().unwrap().push(json!({ "name": "dusk" }));
    let converted = to_files(&model(&file), &ConvertOptions::to(Format::Md2)).unwrap();
    assert_eq!(converted.model.skins(), ["red", "blue"]);
    let expected = "MD2 has skins for one surface: those of “body-2” were stored";
    assert!(converted.losses.iter().any(|loss| loss == expected), "{:?}", converted.losses);
}

/// Quake counts the skins of an MDL (`ent->v.skin`).
#[test]
fn skin_without_image_leaves_other_numbers() {
    let kind = PixelKind::GamePalette { has_cutouts: false };
    let image = |colour| {
        let pixels = Pixels { width: 4, height: 1, kind: kind.clone(), bytes: vec![colour; 4] };
        Some(EmbeddedSkin::of_pixels("", pixels))
    };
    let skin_images = &[image(1), None, image(2)];
    let options = ConvertOptions { skin_images, ..ConvertOptions::to(Format::Mdl) };
    let converted = to_files(&model(&varied()), &options).unwrap();
    let pixels = converted.model.embedded_skins().iter().flat_map(EmbeddedSkin::pixels);
    assert_eq!(pixels.map(|pixels| pixels.bytes[0]).collect::<Vec<_>>(), [1, 1, 2]);
    let expected = "skins without an image show that of skin 0: 1";
    assert!(converted.losses.iter().any(|loss| loss == expected), "{:?}", converted.losses);
}

/// Quake's `modelgen.h`: flags, `synctype` and `eyeposition` of `mdl_t`.
#[test]
fn header_fields_survive_an_export() {
    let file = Mdl { flags: 0x4008, ..Mdl::typical() };
    let mut parts = load(&file.build()).0.into_parts();
    (parts.data.sync_type, parts.data.eye_position) = (1, Vec3::new(0.5, -2.0, 24.0));
    let back = exported_and_read(&Model::new(parts).unwrap(), &[]);
    let again = to_files(&back, &ConvertOptions::to(Format::Mdl)).unwrap().model;
    for model in [&back, &again] {
        let data = model.data();
        assert_eq!((data.flags, data.sync_type, data.eye_position), (0x4008, 1, Vec3::new(0.5, -2.0, 24.0)));
    }
    // Exported again, they are still those of an MDL.
    let back = exported_and_read(&back, &[]);
    let flags = |model: &Model, format| to_files(model, &ConvertOptions::to(format)).unwrap().model.data().flags;
    assert_eq!([Format::Mdl, Format::Md3, Format::Iqm].map(|format| flags(&back, format)), [0x4008, 0, 0]);
    let losses = to_files(&back, &ConvertOptions::to(Format::Md3)).unwrap().losses;
    assert!(losses.contains(&"flags of the header were dropped: 0x4008".to_owned()), "{losses:?}");
    // An author states flags for the format of the conversion.
    let mut parts = back.into_parts();
    parts.data.flags_format = None;
    let stated = exported_and_read(&Model::new(parts).unwrap(), &[]);
    assert_eq!([Format::Mdl, Format::Md3, Format::Iqm].map(|format| flags(&stated, format)), [0x4008; 3]);
}

/// In an MD3, 8 does not mean “rotate” as in Quake.
#[test]
fn flags_of_an_md3_reach_no_mdl_through_a_gltf() {
    let mut parts = load(&Md3::typical().build()).0.into_parts();
    parts.data.flags = 8;
    let back = exported_and_read(&Model::new(parts).unwrap(), &[]);
    let flags = |format| to_files(&back, &ConvertOptions::to(format)).unwrap().model.data().flags;
    assert_eq!([Format::Md3, Format::Mdc, Format::Mdl].map(flags), [8, 8, 0]);
}

fn compare_poses(name: &str, model: &Model, pose: &Pose, back: &Model, again: &Pose) {
    let far = pose.bounds.min.abs().max(pose.bounds.max.abs()).max_element();
    // A packed bone is not a rotation: three entries may be off by a whole step.
    let limit = if model.format() == Format::Mdr { 3.0 * 2.0 * far / 32_766.0 } else { 1e-3 };
    for (index, surface) in back.surfaces().iter().enumerate() {
        let known = &model.surfaces()[index];
        assert_eq!(surface.triangles.len(), known.triangles.len(), "{name}");
        for (corners, own) in surface.triangles.iter().zip(&known.triangles) {
            for (corner, own) in corners.iter().zip(own) {
                let (found, wanted) =
                    (again.surfaces[index].positions[*corner as usize], pose.surfaces[index].positions[*own as usize]);
                assert!(found.distance(wanted) < limit, "{name} surface {index}: {found} is not {wanted}");
                assert_eq!(surface.uvs[*corner as usize], known.uvs[*own as usize], "{name}");
            }
        }
    }
    for (tag, wanted) in model.tags().iter().zip(&pose.tags) {
        let found = &again.tags[back.tags().iter().position(|own| own == tag).unwrap()];
        assert!(found.translation.distance(wanted.translation) < limit, "{name}");
        for (found, wanted) in axes(found).into_iter().zip(axes(wanted)) {
            assert!(found.distance(wanted) < 1e-3, "{name}: {found} is not {wanted}");
        }
    }
}

/// Replaces one value of the JSON, chosen by `random`.
fn change_one_value(json: &mut Value, random: &mut impl FnMut(usize) -> usize) {
    let hostile = [
        json!(0),
        json!(1),
        json!(2),
        json!(255),
        json!(65_535),
        json!(u32::MAX),
        json!(u64::MAX),
        json!(-1),
        json!(0.5),
        json!(1e38),
        json!(-1e300),
        json!(null),
        json!(true),
        json!(""),
        json!("tag_x"),
        json!([]),
        json!({}),
        json!([0]),
        json!([0, 0, 0]),
        json!([1e20, 0, 0]),
        json!([0, 0, 0, 0]),
        json!("MAT4"),
        json!("SCALAR"),
        json!("VEC4"),
        json!(5121),
        json!(5125),
        json!(5126),
        json!("CUBICSPLINE"),
        json!("STEP"),
        json!("weights"),
        json!("scale"),
    ];
    let mut value = json;
    for depth in 0.. {
        let count = match value {
            Value::Array(list) => list.len(),
            Value::Object(map) => map.len(),
            _ => 0,
        };
        if count == 0 || depth > 1 && random(12) == 0 {
            let is_number = value.is_number() && random(3) > 0;
            *value = if is_number { json!(random(5)) } else { hostile[random(hostile.len())].clone() };
            return;
        }
        let chosen = random(count);
        value = match value {
            Value::Array(list) => &mut list[chosen],
            Value::Object(map) => map.values_mut().nth(chosen).unwrap(),
            _ => return,
        };
    }
}

#[test]
fn changed_values_are_refused_or_give_finite_models() {
    let seeds = [GltfFile::triangle(), GltfFile::skinned(), GltfFile::morphing()];
    let mut state = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut loaded = 0;
    for round in 0..3000 {
        let mut file = seeds[round % seeds.len()].clone();
        for _ in 0..=random(2) {
            change_one_value(&mut file.json, &mut random);
        }
        for _ in 0..random(4) {
            let at = random(file.bytes.len());
            file.bytes[at] = u8::try_from(random(256)).unwrap();
        }
        let Ok((model, _)) = formats::load(&file.glb()) else { continue };
        loaded += 1;
        let last = u32::try_from(model.frames().len() - 1).unwrap();
        for frame in [0, 1, last] {
            let pose = at(&model, frame.min(last));
            let sound = |surface: &PosedSurface| {
                surface.positions.iter().chain(&surface.normals).all(|vector| vector.is_finite())
            };
            assert!(pose.surfaces.iter().all(sound), "{}", file.json);
            assert!(pose.tags.iter().chain(&pose.joints).all(|transform| transform.is_finite()), "{}", file.json);
        }
    }
    assert!(loaded > 300, "only {loaded} changed files were read");
}
