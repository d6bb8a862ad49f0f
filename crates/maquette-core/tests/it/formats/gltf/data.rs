//! Buffers, shared vertices and images of a glTF.

use super::*;

#[test]
fn buffers_are_embedded_external_or_in_text() {
    let file = GltfFile::skinned();
    let inside = model(&file);
    let (data, _) = load(&file.gltf_with_data());
    let bytes = Rc::new(file.bytes.clone());
    let read = |path: &str| if path == "my data.bin" { Ok(Rc::clone(&bytes)) } else { Err("no such file".to_owned()) };
    let options = LoadOptions::default();
    let (beside, _) = formats::load_with(&file.gltf("my%20data.bin"), options, Some(&read)).unwrap();
    for other in [&data, &beside] {
        assert_eq!(at(other, 12).surfaces[0].positions, at(&inside, 12).surfaces[0].positions);
    }
    let refused = |uri: &str| formats::load_with(&file.gltf(uri), options, Some(&read)).unwrap_err().to_string();
    assert_eq!(refused("gone.bin"), "glTF: buffer 0: no such file");
    for uri in ["http://example.com/x.bin", "file:///etc/passwd", "/etc/passwd", "C:\\x.bin", "\\\\host\\x", "%2fetc"] {
        assert!(refused(uri).ends_with("is not a file next to the model; only those are read"), "{uri}");
    }
    assert!(refused("data:text/plain,abc").contains("not in base 64"));
    assert!(refused("data:;base64,AA*A").contains("character 2"));
    assert!(refused("data:;base64,AAAA").contains("the buffer has 3 bytes, but byteLength is"));
    assert!(refusal(&file.gltf("x.bin")).contains("“x.bin”"));
}

#[test]
fn buffers_of_one_file_count_once_against_the_limit() {
    let mut file = GltfFile::triangle();
    file.json["buffers"] = json!(vec![json!({ "byteLength": 1, "uri": "x.bin" }); 8]);
    file.json["accessors"][0] = json!({ "componentType": 5126, "type": "VEC3", "count": 1_500_000 });
    file.json["meshes"][0]["primitives"][0]["attributes"] = json!({ "POSITION": 0 });
    let bytes = Rc::new(vec![0; 3 << 20]);
    let read = |_: &str| Ok(Rc::clone(&bytes));
    let options = LoadOptions::default();
    // 18 MB of positions and 12 MB of texture coordinates exceed 6 × 3 MB, but not 6 × 8 × 3 MB.
    let error = formats::load_with(&file.gltf(""), options, Some(&read)).unwrap_err().to_string();
    assert!(error.contains("need too much memory"), "{error}");
}

/// Adds a mesh of primitives, each with its own indices, that share accessors of `count` vertices at (number / 64, 0, 0).
fn sharing_vertices(file: &mut GltfFile, count: u16, primitives: impl Iterator<Item = Vec<u16>>) {
    let floats = |vector: fn(f32) -> [f32; 3]| (0..count).flat_map(|vertex| vector(vertex.into())).collect::<Vec<_>>();
    let positions = file.floats("VEC3", &floats(|x| [x / 64.0, 0.0, 0.0]));
    let normals = file.floats("VEC3", &floats(|_| [0.0, 0.0, 1.0]));
    let primitives = primitives.map(|corners| {
        let bytes: Vec<u8> = corners.iter().flat_map(|corner| corner.to_le_bytes()).collect();
        let indices = file.numbers(U16, "SCALAR", &bytes, corners.len());
        json!({ "attributes": { "POSITION": positions, "NORMAL": normals }, "indices": indices })
    });
    let primitives: Vec<Value> = primitives.collect();
    let mesh = file.push("meshes", json!({ "primitives": primitives }));
    file.push("nodes", json!({ "mesh": mesh }));
    file.show(&[0]);
}

#[test]
fn primitives_keep_only_the_vertices_that_they_use() {
    let mut file = GltfFile::empty();
    sharing_vertices(&mut file, 40, [vec![4, 2, 0], vec![0, 1, 39]].into_iter());
    let model = model(&file);
    let counts: Vec<usize> = model.surfaces().iter().map(Surface::vertex_count).collect();
    assert_eq!(counts, [3, 3], "not all 40");
    assert_eq!(model.surfaces()[0].triangles, [[2, 0, 1]]);
    let pose = at(&model, 0);
    is_at(pose.surfaces[0].positions[1], [0.0, 2.0 / 64.0 * METRE, 0.0]);
    is_at(pose.surfaces[1].positions[2], [0.0, 39.0 / 64.0 * METRE, 0.0]);
}

#[test]
fn many_primitives_of_shared_vertices_fit_the_limit() {
    let mut file = GltfFile::empty();
    // 40 times all 30,000 vertices would be 29 MB of numbers, of a file of 0.7 MB.
    sharing_vertices(&mut file, 30_000, (0..40).map(|number| (number * 750..(number + 1) * 750).collect()));
    let (model, _) = load(&file.glb());
    assert_eq!(model.surfaces().iter().map(Surface::vertex_count).sum::<usize>(), 30_000);
}

#[test]
fn sparse_elements_of_used_vertices_are_replaced() {
    let mut file = GltfFile::empty();
    sharing_vertices(&mut file, 40, [vec![0, 2, 39]].into_iter());
    let places = file.view(&[1, 2, 39]);
    let values: Vec<u8> = (7..16_u8).flat_map(|number| f32::from(number).to_le_bytes()).collect();
    let values = file.view(&values);
    file.json["accessors"][0]["sparse"] = json!({
        "count": 3,
        "indices": { "bufferView": places, "componentType": U8 },
        "values": { "bufferView": values },
    });
    let pose = at(&model(&file), 0);
    for (vertex, wanted) in [[0.0, 0.0, 0.0], [12.0, 10.0, 11.0], [15.0, 13.0, 14.0]].into_iter().enumerate() {
        is_at(pose.surfaces[0].positions[vertex], wanted.map(|metres| metres * METRE));
    }
}

#[test]
fn materials_share_the_bytes_of_an_image() {
    let mut file = GltfFile::empty();
    let image = file.view(&vec![7; 3 << 20]);
    file.triangle_mesh();
    let first = file.json["meshes"][0]["primitives"][0].clone();
    let mut primitives = Vec::new();
    // Each third material has an image of its own, in the same bytes.
    for number in 0..9 {
        let image = if number % 3 > 0 { 0 } else { file.push("images", json!({ "bufferView": image })) };
        let texture = file.push("textures", json!({ "source": image }));
        let pbr = json!({ "baseColorTexture": { "index": texture } });
        let mut own = first.clone();
        own["material"] = json!(file.push("materials", json!({ "pbrMetallicRoughness": pbr })));
        primitives.push(own);
    }
    file.json["meshes"][0]["primitives"] = json!(primitives);
    file.push("nodes", json!({ "mesh": 0 }));
    let model = model(&file);
    let images: Vec<_> = model.surfaces().iter().map(|surface| look(surface).image.clone()).collect();
    let bytes = |image: &Option<EmbeddedImage>| match image {
        Some(EmbeddedImage::Encoded(bytes)) => bytes.as_ptr(),
        _ => panic!("the image is inside"),
    };
    assert_eq!(images.len(), 9);
    assert!(images.iter().all(|image| bytes(image) == bytes(&images[0])), "one allocation");
}

/// `extras` are the author's (glTF 2.0, 3.11): numbers and text in them may be what no program reads.
#[test]
fn lists_in_foreign_extras_are_not_decoded() {
    for foreign in ["[1e99999]", "[\"\\ud800\"]"] {
        let mut file = GltfFile::triangle();
        let mark = "#".repeat(foreign.len() - 2);
        file.json["nodes"][0]["extras"] = json!({ "foreign": mark });
        let text = file.gltf_with_data();
        let text = String::from_utf8(text).unwrap().replace(&format!("\"{mark}\""), foreign);
        assert!(text.contains(foreign) && formats::load(text.as_bytes()).is_ok(), "{foreign}");
    }
}

/// Khronos, `KHR_materials_variants`: an optional extension, which nodes that show one mesh share.
#[test]
fn variants_may_lack_properties_and_are_shared_by_nodes() {
    let mut file = GltfFile::triangle();
    let material = file.push("materials", json!({ "name": "red" }));
    let mappings =
        json!([{}, { "material": material }, { "variants": [0] }, { "material": material, "variants": [1, 1] }]);
    file.json["extensions"] = json!({ "KHR_materials_variants": { "variants": [{}, { "name": "night" }] } });
    let extension = |value| json!({ "KHR_materials_variants": value });
    file.json["meshes"][0]["primitives"][0]["extensions"] = extension(json!({}));
    assert!(formats::load(&file.glb()).is_ok());
    file.json["meshes"][0]["primitives"][0]["extensions"] = extension(json!({ "mappings": mappings }));
    let again = file.push("nodes", json!({ "mesh": 0 }));
    file.show(&[0, again]);
    let model = formats::load(&file.glb()).unwrap().0;
    let [first, second] = [0, 1].map(|surface| &model.surfaces()[surface].data.variants);
    assert_eq!(first.iter().map(|(variant, name, _)| (*variant, name.as_str())).collect::<Vec<_>>(), [(1, "red")]);
    assert!(std::ptr::eq(first.as_ptr(), second.as_ptr()));
}

/// A skin holds a material for each surface, so that 32 variants of 65,535 surfaces would take a gigabyte.
#[test]
fn many_surfaces_have_fewer_variants() {
    let mut file = GltfFile::triangle();
    file.json["extensions"] = json!({ "KHR_materials_variants": { "variants": vec![json!({}); 32] } });
    let nodes: Vec<usize> = (0..20_000).map(|_| file.push("nodes", json!({ "mesh": 0 }))).collect();
    file.show(&nodes);
    let (model, warnings) = formats::load(&file.glb()).unwrap();
    assert_eq!((model.surfaces().len(), model.data().variants.len()), (20_000, 6));
    assert!(warnings.iter().any(|warning| warning.message == "32 variants; the first 6 are read"), "{warnings:?}");
}
