//! Files that the loader of an engine refuses are errors of its profile, and of no other.

use maquette_assets::lint::{LintInput, PROFILES, Profile, Severity, check};
use maquette_assets::material::ImageLoading;
use maquette_assets::open::Opener;
use maquette_core::formats;
use maquette_core::model::Format;
use maquette_testing::archives::folder;
use maquette_testing::files::{Md2, Md3, Mdl, MdlSkin, typical};
use maquette_testing::ghoul2_files::Glm;
use maquette_testing::iqm::{Iqm, IqmArray};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH};

/// Returns the names of the profiles with errors about a fault, without the path of the model.
fn refusing(bytes: &[u8]) -> Vec<&'static str> {
    let (model, warnings) = formats::load(bytes).unwrap();
    let refuses = |profile: &&&Profile| {
        let findings = check(LintInput::alone(&model, &warnings), Some(profile), None);
        let is_refusal = |rule: &str| matches!(rule, "refused" | "missing-line" | "no-surfaces" | "empty-md2");
        findings.list.iter().any(|found| found.severity == Severity::Error && is_refusal(found.rule))
    };
    PROFILES.iter().filter(refuses).map(|profile| profile.name).collect()
}

/// Returns the messages of errors in a folder with a mesh and the animation of its name.
fn errors(mesh: &str, animation: &str, engine: &str) -> Vec<String> {
    let files: [(&str, &[u8]); 2] =
        [("models/d/box.md5mesh", mesh.as_bytes()), ("models/d/box.md5anim", animation.as_bytes())];
    let root = folder(&files);
    let asset =
        Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&root.path().join("models/d/box.md5mesh")).unwrap();
    let findings = check(LintInput::new(&asset), Profile::named(engine), None);
    let errors = findings.list.into_iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| finding.message).collect()
}

/// Doom 3 `Model_md5.cpp` (`LoadModel`, `ParseJoint`, `ParseMesh`), `tr_trisurf.cpp` (`R_RangeCheckIndexes`), Q2PRO
/// `models.c` (`MD5_ParseMesh`), Ironwail and vkQuake `gl_model.c` (`Mod_LoadMD5MeshModel`), FTE `com_mesh.c`
/// (`Mod_ParseMD5MeshModel`).
#[test]
fn faults_of_md5_mesh_are_errors_where_engine_refuses_them() {
    let all = ["ironwail", "vkquake", "fte", "q2pro", "doom3"];
    let strict = ["ironwail", "vkquake", "q2pro", "doom3"];
    let replaced = |from: &str, to: &str| MD5_MESH.replace(from, to);
    let more = "tri 0 0 1 2\n\ttri 1 0 1 2";
    for (mesh, expected) in [
        (MD5_MESH.to_owned(), &[][..]),
        (replaced("MD5Version 10", ""), &all),
        (replaced("commandline \"mesh box\"", ""), &["q2pro", "doom3"]),
        (replaced("shader \"models/box/skin\"", ""), &strict),
        // A `shader` line with an empty name is a line.
        (replaced("models/box/skin", ""), &[]),
        (replaced("shader", "name \"body\"\n\tshader"), &["ironwail", "vkquake", "fte", "q2pro"]),
        (replaced("vert 1 ( 1 0 ) 1 1", "vert 1 ( 1 0 ) 1 0"), &["fte", "doom3"]),
        (replaced("vert 2 ( 0.5 1 ) 2 2", "vert 2 ( 0.5 1 ) 2 9"), &strict),
        (replaced("weight 3 1 0.5", "weight 3 2 0.5"), &all),
        (
            replaced("tri 0 0 1 2", more).replace("numtris 1", "numtris 2").replace("tri 1 0 1 2", "tri 1 0 1 3"),
            &strict,
        ),
        (replaced("tri 0 0 1 2", more), &all),
        (replaced("\"arm\"\t0", "\"arm\"\t1"), &["fte", "doom3"]),
        (replaced("\"arm\"\t0", "\"arm\"\t-1"), &["fte"]),
        // Each negative parent makes a root in Doom 3.
        (replaced("\"origin\"\t-1", "\"origin\"\t-2"), &[]),
        (replaced("( 4 0 0 )", "( nan 0 0 )"), &["doom3"]),
        (replaced("( 4 0 0 )", "( 4e20 0 0 )"), &[]),
    ] {
        assert_eq!(refusing(mesh.as_bytes()), expected, "{mesh}");
    }
}

/// Doom 3 `Anim.cpp` (`LoadAnim`) and `Lexer.cpp` (`ParseInt`), Q2PRO `models.c` (`MD5_ParseAnim`), Ironwail
/// `gl_model.c` (`MD5Anim_Load`), FTE `com_mesh.c` (`Mod_ParseMD5Anim`).
#[test]
fn faults_of_md5_animation_are_errors_where_engine_refuses_them() {
    let replaced = |from: &str, to: &str| MD5_ANIM.replace(from, to);
    let unordered = replaced("frame 0", "frame X").replace("frame 1", "frame 0").replace("frame X", "frame 1");
    let box_line = "\t( -3 -3 -3 ) ( 3 3 3 )\n";
    let cases = [
        (MD5_ANIM.to_owned(), ""),
        (replaced("frameRate 30", "frameRate 29.97"), "doom3"),
        (replaced("frameRate 30", "frameRate 30.0"), "doom3"),
        (replaced("frameRate 30", "frameRate 0"), "doom3"),
        (replaced("frameRate 30", ""), "doom3 ironwail vkquake fte q2pro"),
        (replaced("\"Arm\"\t0 32 1", "\"Arm\"\t-1 32 1"), "doom3"),
        (replaced("\"Arm\"\t0 32 1", "\"Arm\"\t1 32 1"), "doom3 q2pro"),
        (replaced("\"Arm\"\t0 32 1", "\"Arm\"\t0 96 1"), "doom3 ironwail vkquake"),
        (replaced("\"Arm\"\t0 32 1", "\"Arm\"\t0 48 1"), "doom3 q2pro"),
        // Doom 3 compares the first number even where none is used.
        (replaced("\"Arm\"\t0 32 1", "\"Arm\"\t0 0 2"), "doom3"),
        (replaced(box_line, ""), "doom3 fte q2pro"),
        (unordered, "doom3 fte"),
        (replaced("\t2 -1\n", "\t2 -1 0\n"), "doom3 ironwail vkquake fte q2pro"),
        (replaced("commandline \"anim box\"", ""), "doom3 q2pro"),
        (replaced("baseframe {", "baseframe"), "doom3 ironwail vkquake fte q2pro"),
    ];
    for (animation, expected) in cases {
        for engine in ["doom3", "ironwail", "vkquake", "fte", "q2pro", "cube2", "any"] {
            let found = errors(MD5_MESH, &animation, engine);
            let refused: Vec<&String> =
                found.iter().filter(|error| error.contains("rejects the animation: box")).collect();
            let is_expected = expected.split(' ').any(|name| name == engine);
            assert_eq!(!refused.is_empty(), is_expected, "{engine}: {animation}\n{found:?}");
        }
    }
    let fractional = errors(MD5_MESH, &replaced("frameRate 30", "frameRate 29.97"), "doom3");
    let message = "Doom 3 rejects the animation: box.md5anim: frameRate: the rate 29.97 is not written as a whole \
                   number, which Doom 3 requires";
    assert_eq!(fractional, [message]);
}

/// Ironwail `gl_model.c` (`MD5Anim_Begin`), Q2PRO `models.c` (`MOD_LoadMD5`).
#[test]
fn md5_without_animation_is_refused_by_quake_engines() {
    let refused = |engine: &str| {
        let root = folder(&[("progs/md5/box.md5mesh", MD5_MESH.as_bytes())]);
        let path = root.path().join("progs/md5/box.md5mesh");
        let asset = Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&path).unwrap();
        let findings = check(LintInput::new(&asset), Profile::named(engine), None);
        findings.list.iter().any(|finding| finding.message.starts_with("no animation of the mesh’s name"))
    };
    assert_eq!(["ironwail", "q2pro", "doom3", "fte", "any"].map(refused), [true, true, false, false, false]);
}

/// Quake `model.c` and `gl_model.c` (`Mod_LoadAliasModel`, `Mod_LoadAllSkins`, `Mod_LoadAliasGroup`), FTE `com_mesh.c`
/// (`Mod_LoadQ1Model`), Quake II `gl_model.c` (`Mod_LoadAliasModel`), Q2PRO `models.c` (`MOD_ValidateMD2`,
/// `MOD_ValidateMD3Mesh`).
#[test]
fn faults_of_quake_models_are_errors_where_engine_refuses_them() {
    let mdl = Mdl { skins: Vec::new(), ..Mdl::typical() };
    assert_eq!(refusing(&mdl.build()), ["quake", "quakespasm", "ironwail", "vkquake", "fte"]);
    let wide = Mdl { skin_size: [62, 2], skins: vec![MdlSkin::Single(vec![0; 124])], ..Mdl::typical() };
    assert_eq!(refusing(&wide.build()), ["quake"]);
    let wide = Mdl { skin_size: [64, 2], skins: vec![MdlSkin::Single(vec![0; 128])], ..Mdl::typical() };
    assert_eq!(refusing(&wide.build()), [""; 0]);
    let still = Mdl { skins: vec![MdlSkin::Group(vec![0.0, 0.1], vec![vec![7; 32], vec![9; 32]])], ..Mdl::typical() };
    assert_eq!(refusing(&still.build()), ["quake"]);

    let md2 = Md2 { coordinates: Vec::new(), ..Md2::typical() };
    assert_eq!(refusing(&md2.build()), ["quake2", "yquake2"]);
    assert_eq!(refusing(&Md2 { skin_size: [0, 128], ..Md2::typical() }.build()), ["q2pro"]);
    assert_eq!(refusing(&Md2::typical().build()), [""; 0]);
}

/// The joints of vertices are bytes in DarkPlaces and the Cube engines. FTE compares with its `MAX_BONES`, ioquake3 with
/// `IQM_MAX_JOINTS`.
#[test]
fn joints_beyond_a_byte_are_errors() {
    let exceeded = |count: usize| {
        let mut iqm = Iqm { poses: vec![], frames: vec![], anims: vec![], bounds: vec![], ..Iqm::typical() };
        let last = iqm.joints.last().unwrap().clone();
        iqm.joints.resize(count, last);
        let (model, warnings) = formats::load(&iqm.build()).unwrap();
        let has_many = |profile: &&&Profile| {
            let found = check(LintInput::alone(&model, &warnings), Some(profile), None);
            found.list.iter().any(|finding| finding.rule == "too-many-joints" && finding.severity == Severity::Error)
        };
        PROFILES.iter().filter(has_many).map(|profile| profile.name).collect::<Vec<_>>()
    };
    assert_eq!(exceeded(257), ["fte", "darkplaces", "ioquake3", "cube2"]);
    assert_eq!(exceeded(256), ["ioquake3"]);
}

/// ioquake3 `tr_model_iqm.c` (`R_LoadIQM`), DarkPlaces `model_alias.c` (`Mod_INTERQUAKEMODEL_Load`), FTE `com_mesh.c`
/// (`Mod_ParseIQMMeshModel`), Cube `iqm.h` (`loadiqmmeshes`).
#[test]
fn faults_of_iqm_are_errors_where_engine_refuses_them() {
    let without = |kinds: &[u32]| {
        let mut iqm = Iqm::typical();
        iqm.arrays.retain(|array| !kinds.contains(&array.kind));
        refusing(&iqm.build())
    };
    assert_eq!(without(&[]), [""; 0]);
    assert_eq!(without(&[1]), ["fte", "darkplaces", "ioquake3"]);
    assert_eq!(without(&[2]), ["ioquake3"]);
    assert_eq!(without(&[4, 5]), ["darkplaces", "ioquake3"]);
    let with = |array: IqmArray| {
        let mut iqm = Iqm::typical();
        iqm.arrays.retain(|other| other.kind != array.kind);
        iqm.arrays.push(array);
        refusing(&iqm.build())
    };
    let all = ["darkplaces", "ioquake3", "cube2"];
    // Noesis writes joints as `u32`, and weights as floats.
    assert_eq!(with(IqmArray { kind: 4, format: 5, size: 4, bytes: vec![0; 48] }), all);
    assert_eq!(with(IqmArray { kind: 4, format: 4, size: 4, bytes: vec![0; 48] }), all);
    assert_eq!(with(IqmArray::floats(5, 4, &[0.25; 12])), ["darkplaces", "cube2"]);
    assert_eq!(with(IqmArray::floats(6, 4, &[1.0; 12])), ["ioquake3"]);
    let old = Iqm { version: 1, poses: vec![], frames: vec![], anims: vec![], bounds: vec![], ..Iqm::typical() };
    assert_eq!(refusing(&old.build()), ["ioquake3"]);
    let mut longer = Iqm::typical().build();
    longer[20..24].copy_from_slice(&u32::MAX.to_le_bytes());
    assert_eq!(refusing(&longer), ["ioquake3"]);
}

/// `R_LoadMD3` of Quake III and its kin does not compare the indices of triangles with the vertices. Doom 3 and Q2PRO
/// refuse the model. DarkPlaces refuses another number of frames (`Mod_IDP3_Load`).
#[test]
fn faults_of_md3_are_errors_where_engine_refuses_them() {
    let beyond = Md3 { triangles: vec![[0, 1, 2], [0, 1, 3]], ..Md3::typical() };
    let expected = ["q2pro", "quake3", "ioquake3", "elite-force", "rtcw", "et", "jka", "doom3"];
    assert_eq!(refusing(&beyond.build()), expected);
    assert_eq!(refusing(&Md3::typical().build()), [""; 0]);
    let mut other = Md3::typical().build();
    let surface = (0..other.len() - 4).rfind(|at| &other[*at..*at + 4] == b"IDP3").unwrap();
    other[surface + 72..surface + 76].copy_from_slice(&0_i32.to_le_bytes());
    assert_eq!(refusing(&other), ["darkplaces"]);
}

/// Engines copy `ofsEnd` bytes, and read the tables in the copy (`R_LoadMD3`, `R_LoadMDC`, `R_LoadMDS`, `R_LoadMDM`; Doom
/// 3 `InitFromFile`). OpenJK and Q2PRO keep the whole file. `R_LoadMDR` refuses an end beyond the file.
#[test]
fn end_in_header_before_table_is_error_where_engine_copies_so_much() {
    let with_end = |bytes: Vec<u8>, at: usize, end: usize| {
        let mut bytes = bytes;
        bytes[at..at + 4].copy_from_slice(&u32::try_from(end).unwrap().to_le_bytes());
        refusing(&bytes)
    };
    let cases = [
        (Format::Md3, 104, &["quake3", "ioquake3", "elite-force", "rtcw", "et", "doom3"][..]),
        (Format::Mdc, 108, &["rtcw", "et"]),
        (Format::Mds, 116, &["rtcw", "et"]),
        (Format::Mdm, 96, &["et"]),
        (Format::Mdr, 100, &[]),
    ];
    for (format, at, copying) in cases {
        let bytes = typical(format).swap_remove(0);
        let length = bytes.len();
        let stored = u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap());
        assert_eq!(usize::try_from(stored), Ok(length), "not the field ofsEnd");
        for short in [0, 100] {
            assert_eq!(with_end(bytes.clone(), at, short), copying);
        }
        assert_eq!(with_end(bytes.clone(), at, length - 1), [""; 0]);
        let refusing: &[&str] = if copying.is_empty() { &["ioquake3", "elite-force"] } else { &[] };
        assert_eq!(with_end(bytes, at, length + 1), refusing);
    }
}

/// OpenJK `tr_ghoul2.cpp` (`R_LoadMDXM`) refuses a mesh without its skeleton. Bolts have names like `*flash`.
#[test]
fn jedi_academy_needs_skeleton_and_accepts_bolts() {
    let mut glm = Glm::typical();
    glm.nodes.last_mut().unwrap().name = "*flash";
    let root = folder(&[("models/weapons2/t/t_w.glm", &glm.build())]);
    let path = root.path().join("models/weapons2/t/t_w.glm");
    let asset = Opener::new(Vec::new(), ImageLoading::LocateOnly).model(&path).unwrap();
    assert_eq!(asset.model.tags(), ["*flash"]);
    let findings = check(LintInput::new(&asset), Profile::named("jka"), None);
    let rules: Vec<&str> = findings.list.iter().map(|finding| finding.rule).collect();
    assert!(rules.contains(&"refused") && !rules.contains(&"misnamed-tag"), "{findings:?}");
}

/// The sphere of a frame without a stored box does not exist (ioquake3 `tr_model_iqm.c`, `R_LoadIQM`, computes the box).
#[test]
fn iqm_without_bounds_has_no_wrong_sphere() {
    let rules = |iqm: &Iqm| {
        let (model, warnings) = formats::load(&iqm.build()).unwrap();
        let findings = check(LintInput::alone(&model, &warnings), Profile::named("ioquake3"), None);
        findings.list.into_iter().filter(|finding| finding.rule == "wrong-radius").count()
    };
    let still = Iqm { frames: Vec::new(), poses: Vec::new(), anims: Vec::new(), bounds: Vec::new(), ..Iqm::typical() };
    assert_eq!(rules(&still), 0);
    assert_eq!(rules(&Iqm { bounds: Vec::new(), ..Iqm::typical() }), 0);
    let tiny = Iqm { bounds: vec![[-20.0, -20.0, -20.0, 20.0, 20.0, 20.0, 1.0, 1.0]; 2], ..Iqm::typical() };
    assert_eq!(rules(&tiny), 1);
}
