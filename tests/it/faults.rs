//! Files that claim or cost far more than they are, and places that cannot be written: each ends in a sentence, within its
//! limits, and what was there before is still there.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use maquette::material::{Depth, Limits, Picture, Stop};
use maquette::pose::{FrameBlend, Pose, Sampling, sample};
use maquette::scene::{Opener, open};
use maquette::vfs::{Archive, DEEPEST_PATH, LONGEST_PATH};

use crate::support::archives::zip;
use crate::support::files::{Md2, Md3, Mdc};
use crate::support::memory::peak_of;
use crate::support::skeletal_files::{MD5_MESH, Mdr};

fn folder(files: &[(&str, &[u8])]) -> tempfile::TempDir {
    let root = tempfile::tempdir().unwrap();
    for (path, bytes) in files {
        let path = root.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    }
    root
}

fn maquette(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_maquette")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn sample_model() -> String {
    format!("{}/assets/sample/umber.md2", env!("CARGO_MANIFEST_DIR"))
}

fn png(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    let picture = image::GrayImage::from_pixel(width, height, image::Luma([128]));
    picture.write_to(&mut Cursor::new(&mut bytes), image::ImageFormat::Png).unwrap();
    bytes
}

/// A PNG whose header claims another size.
fn png_that_claims(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32fast::hash(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

// ---------------------------------------------------------------- names

#[test]
fn entries_with_absurd_paths_are_skipped_with_a_sentence() {
    let model = Md3::typical().build();
    let deepest = "a/".repeat(DEEPEST_PATH - 1) + "m.md3";
    let deeper = "a/".repeat(DEEPEST_PATH) + "m.md3";
    let longer = "b".repeat(LONGEST_PATH + 1 - 4) + ".md3";
    let root = folder(&[("deep.pk3", &zip(&[(&deepest, &model), (&deeper, &model), (&longer, &model)]))]);
    let archive = Archive::open(&root.path().join("deep.pk3")).unwrap();
    assert_eq!(archive.files().collect::<Vec<_>>(), [deepest]);
    let remarks = archive.remarks().join("\n");
    assert!(
        remarks.starts_with("2 entries are skipped, with a path of more than 1024 bytes or 64 folders"),
        "{remarks}"
    );
}

#[test]
fn a_name_of_a_megabyte_is_not_looked_for() {
    let name = "x/y".repeat(350_000);
    let mesh = MD5_MESH.replacen("shader \"", &format!("shader \"{name}"), 1);
    assert!(mesh.len() > name.len(), "the name is in the file");
    let root = folder(&[("g/models/a/b/c/d/e/f/one.md5mesh", mesh.as_bytes())]);
    let (opened, peak) = peak_of(|| open(&root.path().join("g/models/a/b/c/d/e/f/one.md5mesh")).unwrap());
    assert!(peak <= 16 * mesh.len() + (4 << 20), "{peak} bytes for a file of {}", mesh.len());
    let told: Vec<String> = opened.warnings.iter().map(ToString::to_string).collect();
    let wanted = "bytes; at most 1024 are looked for";
    assert!(told.iter().any(|warning| warning.contains(wanted) && warning.len() < 300), "{:.300}", told.join("\n"));
}

#[test]
fn a_table_has_room_for_any_cell() {
    let mesh = MD5_MESH.replacen("shader \"", &format!("shader \"{}", "s".repeat(70_000)), 1);
    let root = folder(&[("a.md5mesh", mesh.as_bytes())]);
    let output = maquette(&["info", root.path().join("a.md5mesh").to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("ssss…"), "shortened");
}

// ---------------------------------------------------------------- work and memory

#[test]
fn image_programs_end_when_they_cost_too_much() {
    let program = "smoothnormals(".repeat(30) + "textures/n" + &")".repeat(30);
    let script = format!("models/a/skin\n{{\ndiffusemap textures/small\nbumpmap {program}\n}}\n");
    let mesh = MD5_MESH.replacen("shader \"", "shader \"models/a/skin\" // \"", 1);
    let root = folder(&[
        ("materials/a.mtr", script.as_bytes()),
        ("textures/n.png", &png(8192, 8192)),
        ("textures/small.png", &png(2, 2)),
        ("models/a/a.md5mesh", mesh.as_bytes()),
    ]);
    let asset = open(&root.path().join("models/a/a.md5mesh")).unwrap();
    let told: Vec<String> = asset.warnings.iter().map(ToString::to_string).collect();
    assert!(told.iter().any(|warning| warning.contains("too large together")), "{told:?}");
}

#[test]
fn what_is_not_wanted_any_more_is_stopped() {
    let root = folder(&[("models/a.md3", &Md3::typical().build()), ("textures/box.png", &png(4, 4))]);
    let mut opener = Opener::new(Vec::new(), Depth::Decoded);
    opener.set_stop(Stop::when(|| true));
    // It ends at once, with whatever there is; nobody looks at it.
    assert!(opener.model(&root.path().join("models/a.md3")).is_ok());
}

#[test]
fn a_picture_beyond_the_limit_is_refused_by_its_header() {
    let large = png_that_claims(16_384, 16_384);
    let (result, peak) = peak_of(|| Picture::decode(&large, "large.png"));
    let error = result.unwrap_err().to_string();
    assert_eq!(
        error,
        "large.png: 16384 × 16384 take 1024 MB of memory, more than the 256 MB that are allowed (--max-memory, or Settings)"
    );
    assert!(peak < 1 << 20, "{peak} bytes");
    // 4 MB of texels are 4 MB, whatever the limit is for.
    assert!(Picture::decode_within(&png(1024, 1024), "fits.png", 4 << 20).is_ok());
    assert!(Picture::decode_within(&png(1024, 1025), "does not.png", 4 << 20).is_err());
    assert_eq!(Limits::default().picture(), 8192 * 8192 * 4);
}

#[test]
fn what_is_no_image_is_called_that() {
    let error = Picture::decode(&Md3::typical().build(), "box.md3").unwrap_err().to_string();
    assert_eq!(error, "box.md3: this is no image of a kind that is read here");
}

#[test]
fn a_bomb_in_an_archive_is_not_unpacked() {
    let zeros = vec![0; 64 << 20];
    let mut model = Md3::typical().build();
    let length = model.len();
    model.resize(64 << 20, 0);
    let root = folder(&[("bomb.pk3", &zip(&[("models/none.md3", &zeros), ("models/tail.md3", &model)]))]);
    let opener = Opener::new(Vec::new(), Depth::Found);
    for (name, why) in [
        ("none.md3", "not a model file this program knows"),
        ("tail.md3", "it unpacks to more than 16 times its packed size"),
    ] {
        let path = root.path().join("bomb.pk3/models").join(name);
        let (result, peak) = peak_of(|| opener.model(&path).map(drop));
        let error = result.unwrap_err().to_string();
        assert!(error.contains(why), "{error}");
        assert!(peak < 34 << 20, "{name}: {peak} bytes");
    }
    // What is beside a model is read as far as it is used.
    model.truncate(length);
    let root = folder(&[(
        "beside.pk3",
        &zip(&[("p/x.md3", &model), ("p/animation.cfg", &zeros), ("p/x_default.skin", &zeros), ("p/x_1.md3", &zeros)]),
    )]);
    let (result, peak) = peak_of(|| opener.model(&root.path().join("beside.pk3/p/x.md3")).map(drop));
    assert!(result.is_ok());
    assert!(peak < 40 << 20, "{peak} bytes");
}

#[test]
fn numbers_whose_products_overflow_are_not_calculated_with() {
    let mut md2 = Md2::typical();
    md2.frames[1].scale = [3.0e38, 1.0, 1.0];
    md2.frames[0].translate = [0.0, -2.0e9, 0.0];
    let (model, warnings) = maquette::formats::load(&md2.build()).unwrap();
    let mut pose = Pose::default();
    for frame in [0.0, 0.5, 1.0] {
        sample(&model, &Sampling::at(FrameBlend::at_frame(frame)), &mut pose);
        assert!(pose.surfaces.iter().flat_map(|surface| &surface.positions).all(|position| position.is_finite()));
    }
    let told = warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(told.contains("2 scales or translations are not finite or beyond a billion; 0 is used for them"), "{told}");
}

// ---------------------------------------------------------------- what is written

#[cfg(unix)]
mod outputs {
    use std::os::unix::fs::{FileTypeExt as _, PermissionsExt as _, symlink};

    use super::*;

    fn export_to(path: &Path) -> Output {
        maquette(&["export", &sample_model(), "-o", path.to_str().unwrap()])
    }

    #[test]
    fn a_link_leads_to_the_file_that_is_replaced_and_its_mode_is_kept() {
        let root = folder(&[("real.obj", b"old"), ("deep/other", b"")]);
        let at = |name: &str| root.path().join(name);
        std::fs::set_permissions(at("real.obj"), std::fs::Permissions::from_mode(0o640)).unwrap();
        symlink("real.obj", at("link.obj")).unwrap();
        symlink("deep/new.obj", at("dangling.obj")).unwrap();
        assert_eq!(export_to(&at("link.obj")).status.code(), Some(0));
        assert!(at("link.obj").is_symlink());
        assert!(std::fs::read(at("real.obj")).unwrap().len() > 1000);
        assert_eq!(std::fs::metadata(at("real.obj")).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(export_to(&at("dangling.obj")).status.code(), Some(0));
        assert!(at("deep/new.obj").is_file() && at("dangling.obj").is_symlink());
        symlink("circle.obj", at("circle.obj")).unwrap();
        let output = export_to(&at("circle.obj"));
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("circle.obj: "), "{}", text(&output.stderr));
        assert_eq!(left_overs(root.path()), Vec::<PathBuf>::new());
    }

    #[test]
    fn devices_and_pipes_are_written_to_and_not_replaced() {
        let root = folder(&[]);
        let link = root.path().join("null.obj");
        symlink("/dev/null", &link).unwrap();
        assert_eq!(export_to(&link).status.code(), Some(0));
        assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        let pipe = root.path().join("pipe.obj");
        assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        let reader = std::thread::spawn({
            let pipe = pipe.clone();
            move || std::fs::read(pipe).unwrap()
        });
        assert_eq!(export_to(&pipe).status.code(), Some(0));
        assert!(text(&reader.join().unwrap()).contains("\nv "));
        assert!(std::fs::metadata(&pipe).unwrap().file_type().is_fifo());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_full_disk_is_told_with_the_file_and_takes_nothing() {
        let full = tempfile::tempdir().unwrap().path().join("full.obj");
        std::fs::create_dir_all(full.parent().unwrap()).unwrap();
        symlink("/dev/full", &full).unwrap();
        let output = export_to(&full);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stderr).contains("full.obj: No space left on device"), "{}", text(&output.stderr));
        // The same of a file: no file may grow beyond 4 KB.
        let root = folder(&[("old.obj", b"old")]);
        let old = root.path().join("old.obj");
        let script = format!(
            "trap '' XFSZ; ulimit -f 4; exec '{}' export '{}' -o '{}'",
            env!("CARGO_BIN_EXE_maquette"),
            sample_model(),
            old.display()
        );
        let output = Command::new("bash").args(["-c", &script]).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("old.obj: "), "{}", text(&output.stderr));
        assert_eq!(std::fs::read(&old).unwrap(), b"old");
        assert_eq!(left_overs(root.path()), Vec::<PathBuf>::new());
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn a_folder_that_cannot_be_read_is_a_failure() {
        let root = folder(&[("locked/a.md3", b"")]);
        let locked = root.path().join("locked");
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o0)).unwrap();
        let binary = env!("CARGO_BIN_EXE_maquette");
        // Root reads everything, unless it gives that up.
        let mut command = if std::fs::read_dir(&locked).is_ok() {
            let mut command = Command::new("setpriv");
            command.args(["--bounding-set=-dac_override,-dac_read_search", binary]);
            command
        } else {
            Command::new(binary)
        };
        let Ok(output) = command.args(["check"]).arg(root.path()).output() else {
            eprintln!("skipped: setpriv is absent");
            return;
        };
        std::fs::set_permissions(&locked, std::fs::Permissions::from_mode(0o755)).unwrap();
        assert_eq!(output.status.code(), Some(1), "{}", text(&output.stderr));
        assert!(text(&output.stdout).contains("locked: Permission denied"), "{}", text(&output.stdout));
    }

    #[test]
    fn a_dash_is_the_standard_output() {
        let output = maquette(&["snapshot", &sample_model(), "--size", "16x16", "-o", "-"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stdout.starts_with(b"\x89PNG"));
        let output = maquette(&["film", &sample_model(), "--size", "16x16", "--fps", "2", "-o", "-"]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        assert!(output.stdout.starts_with(b"GIF8"));
        assert!(!Path::new("-").exists());
    }

    fn left_overs(root: &Path) -> Vec<PathBuf> {
        let names = std::fs::read_dir(root).unwrap().flatten().map(|entry| entry.path());
        names.filter(|path| path.extension().is_some_and(|extension| extension == "part")).collect()
    }
}

// ---------------------------------------------------------------- what costs a file nothing

/// An animation of so many joints, none of which moves, and so many frames.
fn still_animation(joints: usize, frames: usize) -> String {
    let each = |count: usize, line: &dyn Fn(usize) -> String| (0..count).map(line).collect::<String>();
    format!(
        "MD5Version 10\nnumFrames {frames}\nnumJoints {joints}\nframeRate 24\nnumAnimatedComponents 0\n\
         hierarchy{{\n{}}}\nbounds{{\n{}}}\nbaseframe{{\n{}}}\n{}",
        each(joints, &|joint| format!("\"j{joint}\" -1 0 0\n")),
        each(frames, &|_| "(0 0 0)(1 1 1)\n".to_owned()),
        each(joints, &|_| "(1 0 0)(0 0 0)\n".to_owned()),
        each(frames, &|frame| format!("frame {frame}{{}}\n")),
    )
}

/// A mesh of so many joints and vertices.
fn mesh_of(joints: usize, vertices: usize) -> String {
    let joint_lines: String = (0..joints).map(|joint| format!("\"j{joint}\" -1 (0 0 0)(0 0 0)\n")).collect();
    let vertex_lines: String = (0..vertices).map(|vertex| format!("vert {vertex} (0 0) 0 1\n")).collect();
    format!(
        "MD5Version 10\nnumJoints {joints}\nnumMeshes 1\njoints{{\n{joint_lines}}}\nmesh{{\nshader \"a\"\nnumverts {vertices}\n\
         {vertex_lines}numtris 1\ntri 0 0 1 2\nnumweights 1\nweight 0 0 1 (1 2 3)\n}}\n"
    )
}

#[test]
fn joints_that_do_not_move_cannot_multiply_an_animation() {
    let mut model = maquette::formats::load(mesh_of(1000, 3).as_bytes()).unwrap().0;
    let animation = still_animation(1000, 30_000);
    let warnings = model.add_animation("still", animation.as_bytes()).unwrap();
    let frames = model.clips().last().unwrap().count as usize;
    // A million places of joints for a model, or one for each byte of the file.
    assert!(frames > 1 && frames * 1000 <= animation.len().max(1 << 20), "{frames} frames are used");
    let told = warnings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n");
    assert!(
        told.contains(&format!("30000 frames of 1000 joints are too many for a file of {} bytes", animation.len())),
        "{told}"
    );
    // As many joints and frames as games have are used to the last.
    let mut model = maquette::formats::load(mesh_of(110, 3).as_bytes()).unwrap().0;
    let warnings = model.add_animation("still", still_animation(110, 2000).as_bytes()).unwrap();
    assert!(warnings.is_empty() && model.clips().last().unwrap().count == 2000, "{warnings:?}");
}

#[test]
fn a_still_clip_does_not_become_gigabytes_of_vertices() {
    let mesh = mesh_of(1, 20_000);
    let root = folder(&[("a.md5mesh", mesh.as_bytes()), ("a.md5anim", still_animation(1, 60_000).as_bytes())]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    for name in ["b.md3", "b.md2", "b.mdc"] {
        let output = maquette(&["convert", &path("a.md5mesh"), "-o", &path(name)]);
        let told = text(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{told}");
        assert!(told.contains("60000 frames would take") && told.contains("at most 256 MB are written"), "{told}");
        assert!(!root.path().join(name).exists());
    }
    let output = maquette(&["convert", &path("a.md5mesh"), "--frame", "0", "-o", &path("b.md3")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn equal_names_are_told_apart_in_a_time_that_grows_with_their_number() {
    let tag = ("tag_same", vec![[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]; 2]);
    let bytes = Md3 { tags: vec![tag; 40_000], ..Md3::typical() }.build();
    let model = maquette::formats::load(&bytes).unwrap().0;
    let options = maquette::convert::ConvertOptions {
        frame: Some(0),
        ..maquette::convert::ConvertOptions::to(maquette::model::Format::Md5)
    };
    let converted = maquette::convert::convert(&model, &options).unwrap().model;
    let names: std::collections::HashSet<&str> = converted.joints().iter().map(|joint| joint.name.as_str()).collect();
    assert_eq!(names.len(), 40_001, "the root, and each tag");
    assert!(names.contains("tag_same") && names.contains("tag_same_2") && names.contains("tag_same_40000"));
}

#[test]
fn surfaces_of_one_material_are_told_once() {
    let bytes = Md3 { surfaces: 2000, shaders: vec!["models/box/not there"], ..Md3::typical() }.build();
    let root = folder(&[("models/box/a.md3", &bytes)]);
    let output = maquette(&["info", "--json", root.path().join("models/box/a.md3").to_str().unwrap()]);
    let told: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let materials = told["materials"].as_array().unwrap();
    assert_eq!(materials.len(), 1);
    let surfaces: Vec<u64> = materials[0]["surfaces"].as_array().unwrap().iter().filter_map(|it| it.as_u64()).collect();
    assert_eq!(surfaces, (0..2000).collect::<Vec<u64>>());
    assert!(!materials[0]["steps"].as_array().unwrap().is_empty(), "how it was looked for");
}

#[test]
fn bones_of_a_still_animation_are_packed_within_the_promise() {
    let mesh = mesh_of(1000, 3);
    let animation = still_animation(1000, 30_000);
    let mut model = maquette::formats::load(mesh.as_bytes()).unwrap().0;
    model.add_animation("still", animation.as_bytes()).unwrap();
    let options = maquette::convert::ConvertOptions::to(maquette::model::Format::Mdr);
    let (converted, peak) = peak_of(|| maquette::convert::convert(&model, &options).unwrap().model);
    assert_eq!(converted.frames().len() * converted.joints().len(), (model.frames().len() - 1) * 1000);
    let promised = 16 * (mesh.len() + animation.len()) + (96 << 20);
    assert!(peak < promised / 2, "{peak} bytes, and the model beside them");
}

#[test]
fn frames_that_share_their_vertices_are_not_all_exported() {
    let corners = 20_000;
    let bytes = Mdc {
        uvs: vec![[0.0; 2]; corners],
        keys: vec![vec![([0; 3], [0; 2]); corners], vec![([64; 3], [0; 2]); corners]],
        deltas: Vec::new(),
        tags: Vec::new(),
        tag_frames: Vec::new(),
        frames: (0..30_000).map(|frame| [frame % 2, -1]).collect(),
        ..Mdc::typical()
    }
    .build();
    let root = folder(&[("a.mdc", &bytes)]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let output = maquette(&["export", &path("a.mdc"), "-o", &path("a.glb")]);
    let told = text(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(
        told.contains("30000 frames of this model are too many to export: choose some of its animations, or one frame"),
        "{told}"
    );
    assert!(!root.path().join("a.glb").exists());
}

#[test]
fn a_report_of_many_looks_is_written_one_by_one() {
    let name = "models/box/abcdefghij";
    // All of them name one definition.
    let spelled = |number: usize| -> String {
        let is_upper = |at: usize| at >= 11 && number >> (at - 11) & 1 == 1;
        name.char_indices().map(|(at, c)| if is_upper(at) { c.to_ascii_uppercase() } else { c }).collect()
    };
    let mesh =
        |number: usize| format!("mesh{{\nshader \"{}\"\nnumverts 0\nnumtris 0\nnumweights 0\n}}\n", spelled(number));
    let meshes: String = (0..1000).map(mesh).collect();
    let model = format!("MD5Version 10\nnumJoints 1\nnumMeshes 1000\njoints{{\n\"j\" -1 (0 0 0)(0 0 0)\n}}\n{meshes}");
    let stage = "{\nblend add\nmap textures/a_name_of_some_length\nscroll time, time\n}\n";
    let script = format!("{name}\n{{\n{}}}\n", stage.repeat(60));
    let root = folder(&[("models/box/a.md5mesh", model.as_bytes()), ("materials/a.mtr", script.as_bytes())]);
    let asset = open(&root.path().join("models/box/a.md5mesh")).unwrap();
    let materials = &asset.skins.first().unwrap().materials;
    let write = || {
        let report = maquette::info::MaterialReports::new(materials);
        let mut written = Counted(0);
        serde_json::to_writer(&mut written, &report).unwrap();
        (report.iter().count(), written.0)
    };
    let ((looks, written), peak) = peak_of(write);
    assert_eq!(looks, 1000);
    assert!(peak * 10 < written, "{peak} bytes for {written} of {looks} looks");
}

/// Counts what is written to it.
struct Counted(usize);

impl std::io::Write for Counted {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// Runs a command that must refuse what it is asked for, with this in its sentence.
fn refuses(arguments: &[&str], sentence: &str) {
    let output = maquette(arguments);
    let told = text(&output.stderr);
    assert!(matches!(output.status.code(), Some(1 | 2)), "{told}");
    assert!(told.contains(sentence), "{told}");
}

#[test]
fn weights_count_in_what_a_frame_costs() {
    let weights: String = (0..24_000).map(|weight| format!("weight {weight} 0 0.0001 (1 2 3)\n")).collect();
    let vertices: String = (0..3).map(|vertex| format!("vert {vertex} (0 0) {} 8000\n", vertex * 8000)).collect();
    let mesh = format!(
        "MD5Version 10\nnumJoints 1\nnumMeshes 1\njoints{{\n\"j0\" -1 (0 0 0)(0 0 0)\n}}\nmesh{{\nshader \"a\"\nnumverts 3\n\
         {vertices}numtris 1\ntri 0 0 1 2\nnumweights 24000\n{weights}}}\n"
    );
    let root = folder(&[("a.md5mesh", mesh.as_bytes()), ("a.md5anim", still_animation(1, 30_000).as_bytes())]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let (from, to) = (path("a.md5mesh"), path("b.md3"));
    refuses(&["convert", &from, "-o", &to], "30000 frames of 3 vertices and 24000 weights are too many to convert");
    let output = maquette(&["convert", &from, "--frame", "0", "-o", &to]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn clips_that_share_their_frames_are_not_all_written() {
    let frames = vec![Mdr::typical().frames[0].clone(); 4000];
    let clips: String = (0..2000).map(|clip| format!("CLIP_{clip} 0 4000 0 10\n")).collect();
    let bytes = Mdr { frames, ..Mdr::typical() }.build();
    let root = folder(&[("a.mdr", &bytes), ("animation.cfg", clips.as_bytes())]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    let from = path("a.mdr");
    refuses(&["convert", &from, "-o", &path("b.md5mesh")], "its clips, of 8000000 frames together, would take");
    refuses(&["export", &from, "-o", &path("b.glb")], "have too many frames together: choose some of them");
    let output = maquette(&["export", &from, "--animation", "CLIP_7", "-o", &path("b.glb")]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
}

#[test]
fn frames_that_share_their_vertices_are_not_all_worked_out_anew() {
    let corners = 20_000;
    let bytes = Mdc {
        uvs: vec![[0.0; 2]; corners],
        keys: vec![vec![([0; 3], [0; 2]); corners]],
        deltas: Vec::new(),
        tags: Vec::new(),
        tag_frames: Vec::new(),
        frames: vec![[0, -1]; 20_000],
        ..Mdc::typical()
    }
    .build();
    let root = folder(&[("a.mdc", &bytes)]);
    let path = |name: &str| root.path().join(name).to_str().unwrap().to_owned();
    for change in [&["--recompute", "bounds"][..], &["--recompute", "normals"], &["--drop-degenerate"]] {
        let (from, to) = (path("a.mdc"), path("b.mdc"));
        refuses(
            &[&["convert", &from, "-o", &to], change].concat(),
            "its 20000 frames are too many to be worked out anew",
        );
    }
}

/// A model of 16 meshes, each with a picture of its own, opened with so much memory for them.
fn opened_with(pictures: &[u8], extension: &str, memory: u64) -> maquette::scene::ModelAsset {
    let mesh =
        |number: usize| format!("mesh{{\nshader \"models/p{number}\"\nnumverts 0\nnumtris 0\nnumweights 0\n}}\n");
    let meshes: String = (0..16).map(mesh).collect();
    let model = format!("MD5Version 10\nnumJoints 1\nnumMeshes 16\njoints{{\n\"j\" -1 (0 0 0)(0 0 0)\n}}\n{meshes}");
    let names: Vec<String> = (0..16).map(|number| format!("models/p{number}.{extension}")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), pictures)).collect();
    files.push(("models/a.md5mesh", model.as_bytes()));
    let root = folder(&[("a.pk4", &zip(&files))]);
    let mut opener = Opener::new(Vec::new(), Depth::Decoded);
    opener.set_memory(memory);
    opener.model(&root.path().join("a.pk4/models/a.md5mesh")).unwrap()
}

fn left_out(asset: &maquette::scene::ModelAsset) -> usize {
    let told = asset.warnings.iter().map(ToString::to_string);
    told.filter(|warning| warning.contains("too large together")).count()
}

#[test]
fn pictures_that_break_off_cost_as_much_as_whole_ones() {
    let mut broken = png(2048, 2048);
    broken.truncate(broken.len() - 6);
    // 48 MB of texels are decoded at most: three times 16 MB, in vain.
    assert_eq!(left_out(&opened_with(&broken, "png", 64 << 20)), 13);
    // Whole ones of 9 MB: five fit, and the room that is left is too small for another.
    assert_eq!(left_out(&opened_with(&png(1500, 1500), "png", 64 << 20)), 11);
    let mut padded = png(2, 2);
    padded.resize(16 << 20, 0);
    assert_eq!(left_out(&opened_with(&padded, "png", 64 << 20)), 13);
}

#[test]
fn a_colour_profile_is_not_unpacked_to_many_times_its_file() {
    let mut bytes = Vec::new();
    let mut encoder = image::codecs::png::PngEncoder::new(&mut bytes);
    image::ImageEncoder::set_icc_profile(&mut encoder, vec![0; 100 << 20]).unwrap();
    image::ImageEncoder::write_image(encoder, &[128; 16], 4, 4, image::ExtendedColorType::L8).unwrap();
    assert!(bytes.len() < 1 << 20);
    let (decoded, peak) = peak_of(|| Picture::decode(&bytes, "profile.png"));
    assert_eq!(decoded.map(|picture| picture.width), Ok(4), "the picture is there without it");
    assert!(peak < 32 << 20, "{peak} bytes");
}

#[test]
fn texts_of_blanks_are_not_all_unpacked() {
    let blanks = vec![b' '; 8 << 20];
    let model = Md3::typical().build();
    let names: Vec<String> = (0..24).map(|number| format!("scripts/s{number}.shader")).collect();
    let skins: Vec<String> = (0..24).map(|number| format!("p/x_{number}.skin")).collect();
    let mut files: Vec<(&str, &[u8])> = names.iter().chain(&skins).map(|name| (name.as_str(), &*blanks)).collect();
    files.push(("p/x.md3", &model));
    let root = folder(&[("a.pk3", &zip(&files))]);
    let opener = Opener::new(Vec::new(), Depth::Found);
    let (asset, peak) = peak_of(|| opener.model(&root.path().join("a.pk3/p/x.md3")));
    let told: Vec<String> = asset.unwrap().warnings.iter().map(ToString::to_string).collect();
    assert!(
        told.iter().any(|warning| warning.contains("they unpack to more than 4 times their size together")),
        "{told:?}"
    );
    assert!(peak < 96 << 20, "{peak} bytes");
}

#[test]
fn entries_that_share_their_bytes_too_often_are_skipped() {
    let model = Md2::typical().build();
    let mut pak = Vec::new();
    let count = 1000_u32;
    let place = 12;
    let start = u32::try_from(place + model.len()).unwrap();
    pak.extend(b"PACK");
    pak.extend(start.to_le_bytes());
    pak.extend((count * 64).to_le_bytes());
    pak.extend(&model);
    for number in 0..count {
        let mut name = format!("models/m{number}.md2").into_bytes();
        name.resize(56, 0);
        pak.extend(name);
        pak.extend(u32::try_from(place).unwrap().to_le_bytes());
        pak.extend(u32::try_from(model.len()).unwrap().to_le_bytes());
    }
    let root = folder(&[("a.pak", &pak)]);
    let archive = Archive::open(&root.path().join("a.pak")).unwrap();
    let kept = archive.files().count();
    assert_eq!(kept, pak.len() * 4 / model.len(), "as many as come to four times the archive");
    let told = archive.remarks().join("\n");
    assert!(told.contains(&format!("{} entries share the bytes of too many others", count as usize - kept)), "{told}");
}
