//! glTF files that are refused or read in part.

use super::*;

#[test]
fn broken_files_are_refused_with_the_object() {
    type Change = fn(&mut GltfFile);
    let cases: &[(Change, &str)] = &[
        (|file| file.json["asset"]["version"] = json!("1.0"), "asset: this is glTF 1.0"),
        (|file| file.json["asset"]["version"] = json!(1), "asset: this is glTF 1"),
        (|file| file.json["asset"] = json!({ "version": "2.9", "minVersion": "3.0" }), "asset: this is glTF 3.0"),
        (|file| file.json["extensionsRequired"] = json!(["ABC_x"]), "requires the extension ABC_x"),
        (|file| file.json["extensionsRequired"] = json!(["KHR_draco_mesh_compression"]), "untick Compression"),
        (|file| file.json["extensionsRequired"] = json!(["EXT_meshopt_compression"]), "compressed with meshopt"),
        (|file| file.json["accessors"][0]["count"] = json!(4), "accessor 0: 4 elements do not fit"),
        (|file| file.json["accessors"][0]["count"] = json!(1_u64 << 60), "accessor 0: "),
        (|file| file.json["accessors"][0]["byteOffset"] = json!(u64::MAX), "accessor 0: the data begins after"),
        (|file| file.json["accessors"][0]["type"] = json!("VEC2"), "accessor 0: the type is VEC2"),
        (|file| file.json["accessors"][0]["componentType"] = json!(7), "accessor 0: "),
        (|file| file.json["accessors"][0]["bufferView"] = json!(99), "accessor 0: bufferView 99 does not exist"),
        (|file| file.json["accessors"][1]["count"] = json!(2), "accessor 1: 2 elements for 3 vertices"),
        (|file| file.json["bufferViews"][0]["byteLength"] = json!(u64::MAX), "bufferView 0: "),
        (|file| file.json["bufferViews"][0]["byteStride"] = json!(u64::MAX), "accessor 0: 3 elements do not fit"),
        (|file| file.json["bufferViews"][0]["buffer"] = json!(1), "bufferView 0: buffer 1 does not exist; there are 1"),
        (|file| file.json["nodes"][1]["children"] = json!([2, 2]), "node 2 “arm”: the node has two parents"),
        (|file| file.json["nodes"][2]["children"] = json!([1, 3]), "node 1 “root”: the node is its own ancestor"),
        (|file| file.json["nodes"][1]["children"] = json!([2, 77]), "node 1 “root”: node 77 does not exist"),
        (|file| file.json["nodes"][0]["mesh"] = json!(5), "node 0 “body”: mesh 5 does not exist"),
        (|file| file.json["nodes"][0]["skin"] = json!(5), "node 0 “body”: skin 5 does not exist"),
        (|file| file.json["nodes"][0]["mesh"] = json!("body"), "node 0: invalid type: string"),
        (|file| file.json["scene"] = json!(3), "scene 3 does not exist"),
        (|file| file.json["skins"][0]["joints"] = json!([1]), "vertex 1 names joint 1 of a skin with 1 joints"),
        (|file| file.json["skins"][0]["joints"] = json!([1, 2, 3]), "skin 0: 2 inverse bind matrices for 3 joints"),
        (|file| file.json["animations"][0]["channels"][0]["sampler"] = json!(9), "animation 0 “bend”: sampler 9"),
        (
            |file| file.json["animations"][0]["samplers"][0]["interpolation"] = json!("X"),
            "animation 0 “bend”: the interpola",
        ),
    ];
    for (change, wanted) in cases {
        let mut file = GltfFile::skinned();
        change(&mut file);
        let message = refusal(&file.glb());
        assert!(message.contains(wanted), "{message}\n{wanted}");
    }
}

#[test]
fn broken_containers_are_refused() {
    let file = GltfFile::triangle().glb();
    let changed = |at: usize, word: u32| {
        let mut file = file.clone();
        file[at..at + 4].copy_from_slice(&word.to_le_bytes());
        refusal(&file)
    };
    assert!(changed(4, 1).contains("version 1 is not supported"));
    assert!(changed(8, 1 << 20).contains("length at byte 0x8: the file should have 1048576 bytes"));
    assert!(changed(12, 1 << 20).contains("the chunk of 1048576 bytes ends after the file"));
    assert!(changed(16, 7).contains("the first chunk is not JSON"));
    assert!(refusal(&file[..file.len() - 4]).contains("it ends after"));
    assert!(formats::salvage(&file[..file.len() - 4]).is_err());
    let text = refusal(br#"{"asset":{"version":"2.0"},"nodes":[}"#);
    assert!(text.starts_with("glTF: JSON at line 1, column 3"), "{text}");
}

#[test]
fn draco_is_refused_only_without_other_data() {
    let mut file = GltfFile::triangle();
    let primitive = &mut file.json["meshes"][0]["primitives"][0];
    primitive["extensions"] = json!({ "KHR_draco_mesh_compression": { "bufferView": 0, "attributes": {} } });
    model(&file);
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    assert!(refusal(&file.glb()).contains("compressed with Draco"));
}

#[test]
fn shared_data_beyond_the_limit_is_refused() {
    let mut file = GltfFile::triangle();
    file.json["accessors"][0].as_object_mut().unwrap().remove("bufferView");
    file.json["accessors"][0]["count"] = json!(1 << 24);
    assert!(refusal(&file.glb()).contains("need too much memory"));
    let mut nodes = GltfFile::triangle();
    nodes.json["nodes"] = json!(vec![json!({}); 65_536]);
    assert!(refusal(&nodes.glb()).contains("node 65535: more objects than the limit"));
}

#[test]
fn deep_nodes_need_no_recursion() {
    let mut file = GltfFile::triangle();
    let depth = 50_000;
    for index in 1..=depth {
        let child = if index == depth { 0 } else { index + 1 };
        file.push("nodes", json!({ "children": [child] }));
    }
    file.show(&[1]);
    is_at(at(&model(&file), 0).surfaces[0].positions[1], [0.0, METRE, 0.0]);
}

#[test]
fn frames_beyond_the_limit_are_cut() {
    let mut file = GltfFile::skinned();
    let times = file.floats("SCALAR", &[0.0, 1e6]);
    file.json["animations"][0]["samplers"][0]["input"] = json!(times);
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.clip("bend").unwrap().count, 65_535);
    assert!(warnings.contains("“bend”: 24000001 frames; the first 65535 are used"), "{warnings}");
}

#[test]
fn second_scene_is_named_in_a_warning() {
    let mut file = GltfFile::triangle();
    file.json["scenes"] = json!([{ "nodes": [] }, { "nodes": [0] }]);
    file.json["scene"] = json!(1);
    let (model, warnings) = load(&file.glb());
    assert_eq!(model.surfaces().len(), 1);
    assert_eq!(warnings, "scenes: the file has 2 scenes; only scene 1 is shown");
    let index = file.numbers(U32, "SCALAR", &[0, 0, 0, 0, 1, 0, 0, 0, 2, 0, 0, 0], 3);
    file.json["meshes"][0]["primitives"][0]["indices"] = json!(index);
    file.json.as_object_mut().unwrap().remove("scenes");
    file.json.as_object_mut().unwrap().remove("scene");
    assert_eq!(load(&file.glb()).1, "", "without scenes, all roots are shown");
}
