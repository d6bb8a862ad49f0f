//! Conversion to every format: within the precision of the format, or with a reason for the refusal.
//!
//! Limits per format: half a step of an MD2 frame's box, or of the box of all frames of an MDL; 1/128 unit in MD3; 0.025
//! more in MDC; 1/128 unit and the rounding of rotations in compressed MDR.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use glam::{Vec2, Vec3};
use maquette_core::convert::{
    BonePacking, Conversion, ConvertError, ConvertOptions, SurfaceLimits, TagOrigin, VertexOrigin, convert, measure,
    targets, to_files,
};
use maquette_core::edit::{Call, Notes, apply_with_notes};
use maquette_core::formats;
use maquette_core::model::{Bounds, DetailValue, Format, Model, Motion};
use maquette_core::pose::{FrameBlend, Pose, Sampling, sample};
use maquette_core::threads;

use maquette_testing::files::{Md2, Md3, Mdc, Mdl};
use maquette_testing::iqm::Iqm;
use maquette_testing::optional::{files_below, shared_folder};
use maquette_testing::skeletal_files::{MD5_ANIM, MD5_MESH, Mdr};

pub fn load(bytes: &[u8]) -> Model {
    formats::load(bytes).unwrap().0
}

pub fn read_again(conversion: &Conversion) -> Model {
    crate::writing::read_again(&conversion.model)
}

pub fn pose(model: &Model, frame: u32, lod: u32) -> Pose {
    let mut pose = Pose::default();
    sample(model, &Sampling { lod, ..Sampling::at(FrameBlend::single(frame)) }, &mut pose);
    pose
}

/// Returns the maximum error of a coordinate by format, size and distance.
fn limit([from, to]: [Format; 2], size: Vec3, far: f32) -> Vec3 {
    let rounding = Vec3::splat(far * 2e-6 + 1e-4);
    rounding
        + match to {
            Format::Md2 | Format::Mdl => size / 510.0,
            Format::Md3 => Vec3::splat(1.0 / 128.0),
            Format::Mdc => Vec3::splat(0.025 + 1.0 / 128.0),
            // The translation of a bone and three entries of its rotation, each half a step off.
            Format::Mdr => Vec3::splat(1.0 / 128.0 + 3.0 * far / 65532.0),
            // The translation of a joint, along the axes of its parent, and the rotation about it: four components of a
            // quaternion, each half a step of 1/16383 off, which changes the rotated vector by four times as much.
            // Joints follow their packed parents, so that errors do not add up.
            Format::Glm if from == Format::Glm => Vec3::ZERO,
            Format::Glm => {
                let packed = if from == Format::Mdr { 3.0 * 2.0 * far / 32766.0 } else { 0.0 };
                Vec3::splat(3.0_f32.sqrt() / 128.0 + 4.0 * size.length() / 16_383.0 + packed)
            }
            Format::Mds | Format::Mdm if from == to => Vec3::ZERO,
            // Three angles of a rotation and two of a direction, each half a step of 1/65536 turn off, and the distance
            // from the parent. Joints follow their packed parents.
            Format::Mds | Format::Mdm => {
                let half_step = std::f32::consts::PI / 65_536.0;
                Vec3::splat(1.0 / 32.0 + 5.0 * half_step * size.length().max(far))
            }
            // A chain of sixteen joints, each off by two steps of 1/65535.
            Format::Iqm => {
                let packed = if from == Format::Mdr { 3.0 * 2.0 * far / 32766.0 } else { 0.0 };
                Vec3::splat(32.0 * far / 65535.0 + packed)
            }
            // MD5 computes w of a rotation as √(1 − n). If w is near 0, the rounding of n turns by √2⁻²³.
            Format::Md5 if from == Format::Iqm => Vec3::splat(2.0 * far * f32::EPSILON.sqrt()),
            // Three entries of a rotation may be off by a whole step (packed toward zero). The result is not a pure
            // rotation, and the bone may be at the far side of the model.
            _ if from == Format::Mdr => Vec3::splat(3.0 * 2.0 * far / 32766.0),
            // An MD5 stores three components of a rotation. The square of the fourth is off by up to 2⁻²⁴, so near half a
            // turn, the rotation is off by up to 2⁻¹². Bones of an MDS, an MDM and a glTF turn by any angle.
            Format::Md5 if matches!(from, Format::Mds | Format::Mdm | Format::Gltf) => {
                Vec3::splat(size.length() / 4096.0)
            }
            // The quaternions have steps of 1/16383 and are not normalised: rounding four components by half a step
            // changes the length by up to one step, and the entries of the matrix by up to two.
            _ if from == Format::Glm => Vec3::splat(2.0 * far / 16_383.0),
            _ => Vec3::ZERO,
        }
}

/// Returns how far a vertex may move because its weights are in steps. Rounding moves at most one of `whole` steps of
/// weight between its joints: of n weights, the k with the largest remainders take what the n − k others lose, each
/// less than k/n. The sum is rounded by at most half a step.
fn weight_rounding(original: &Model, pose: &Pose, surface: usize, vertex: usize, whole: f32) -> f32 {
    let Motion::Skeletal(motion) = original.motion() else { return 0.0 };
    let binding = &motion.bindings[surface];
    // Weights of a GLM without its skeleton stay as they are.
    let weights = if motion.joints.is_empty() { &[] } else { binding.weights_of(binding.vertices[vertex]) };
    let points: Vec<Vec3> =
        weights.iter().map(|weight| pose.joints[weight.joint as usize].transform_point3(weight.offset)).collect();
    let spread = points.iter().flat_map(|a| points.iter().map(|b| a.distance(*b))).fold(0.0, f32::max);
    let steps = weights.iter().map(|weight| weight.bias).sum::<f32>() * whole;
    let reach = points.iter().map(|point| point.length()).fold(0.0, f32::max);
    (spread + (steps - steps.round()).abs() * reach) / whole
}

/// Lists deviations beyond the limit in evenly chosen frames.
pub fn problems(original: &Model, conversion: &Conversion) -> Vec<String> {
    let (again, origin) = (read_again(conversion), &conversion.origin);
    let format = again.format();
    let mut problems = Vec::new();
    let count = origin.frames.len();
    // A conversion to GLM adds the bind pose as the first frame, unless the model has no skeleton.
    let added = usize::from(format == Format::Glm && !again.joints().is_empty() && original.format() != format);
    if again.frames().len() != count + added || again.surfaces().len() != origin.surfaces.len() {
        return vec!["it has other frames or surfaces than were written".to_owned()];
    }
    let pose_at = |blend: FrameBlend, lod: u32| {
        let mut pose = Pose::default();
        sample(original, &Sampling { lod, ..Sampling::at(blend) }, &mut pose);
        pose
    };
    let whole = origin.frames.iter().map(|frame| pose_at(*frame, 0).bounds).reduce(Bounds::union).unwrap();
    for frame in (0..count).step_by(count / 5 + 1) {
        for lod in 0..again.lod_count() {
            let before = pose_at(origin.frames[frame], lod);
            let after = pose(&again, u32::try_from(frame + added).unwrap(), lod);
            let size = if format == Format::Mdl { whole.size() } else { before.bounds.size() };
            let far = before.bounds.min.abs().max(before.bounds.max.abs()).max_element();
            let limit = limit([original.format(), format], size, far);
            for (posed, own) in
                after.surfaces.iter().zip(&origin.surfaces).filter(|(posed, _)| !posed.positions.is_empty())
            {
                for (position, VertexOrigin { surface, vertex }) in posed.positions.iter().zip(own) {
                    let meant = before.surfaces[*surface as usize].positions[*vertex as usize];
                    let off = (*position - meant).abs();
                    let (surface_index, vertex_index) = (*surface as usize, *vertex as usize);
                    let rounded = match format {
                        Format::Iqm => weight_rounding(original, &before, surface_index, vertex_index, 255.0),
                        Format::Glm => weight_rounding(original, &before, surface_index, vertex_index, 1023.0),
                        _ => 0.0,
                    };
                    let limit = limit + rounded;
                    if off.cmpgt(limit).any() {
                        problems.push(format!("frame {frame}: vertex {vertex} of {surface} is {off} off, not {limit}"));
                    }
                }
            }
            for (tag, own) in after.tags.iter().zip(&origin.tags).filter(|_| lod == 0) {
                let meant = match own {
                    TagOrigin::Tag(tag) => before.tags[*tag as usize],
                    TagOrigin::Joint(joint) => before.joints[*joint as usize],
                };
                let off = tag.translation.distance(meant.translation);
                let distance = if matches!(format, Format::Mds | Format::Mdm) { 1.0 / 32.0 } else { 1.0 / 64.0 };
                if off > distance + far * 2e-6 {
                    problems.push(format!("frame {frame}: a tag is {off} off"));
                }
            }
        }
    }
    for (surface, own) in again.surfaces().iter().zip(&origin.surfaces) {
        for (uv, VertexOrigin { surface, vertex }) in surface.uvs.iter().zip(own) {
            let meant = original.surfaces()[*surface as usize].uvs[*vertex as usize];
            // MD2 and MDL store whole texels, here of a skin of 256.
            // ASE and OBJ count from the bottom, in floats, which rounds 1 − t to 2⁻²⁴, or to the digits of larger numbers.
            let limit = match format {
                _ if format.traits().whole_texels => 0.501 / 256.0 + meant.abs().max_element() * 1e-6,
                Format::Ase | Format::Obj => meant.abs().max_element().max(1.0) * f32::EPSILON,
                _ => 0.0,
            };
            if (*uv - meant).abs().cmpgt(Vec2::splat(limit)).any() {
                problems.push(format!("vertex {vertex} of {surface} has {uv}, not {meant}"));
            }
        }
    }
    problems
}

/// Loads a model with its animations and LODs.
fn with_companions(path: &Path) -> Option<Model> {
    let (mut model, _) = formats::load(&std::fs::read(path).ok()?).ok()?;
    let folder = path.parent()?;
    if let Some(kind) = model.format().traits().companions.animations.extension() {
        for other in files_below(folder).iter().filter(|other| other.extension().is_some_and(|end| end == kind)) {
            let name = other.file_stem()?.to_string_lossy().into_owned();
            // Animations of other models fail to load.
            let _ = model.add_animation(&name, &std::fs::read(other).ok()?);
        }
    }
    let (stem, extension) = (path.file_stem()?.to_string_lossy(), path.extension()?.to_string_lossy());
    for lod in 1..3 {
        if let Ok(bytes) = std::fs::read(folder.join(format!("{stem}_{lod}.{extension}"))) {
            model.add_lod(formats::load(&bytes).ok()?.0, lod);
        }
    }
    Some(model)
}

/// Converts a model to `format` and back. Returns how many conversions succeeded, how many back, how many were refused,
/// and the failures.
fn convert_there_and_back(path: &Path, model: &Model, format: Format) -> ([usize; 3], Vec<String>) {
    let mut failures = Vec::new();
    let conversion = match convert(model, &ConvertOptions::to(format)) {
        Ok(conversion) => conversion,
        Err(why) => {
            let why = why.to_string();
            let reasons = [
                "needs a skeleton",
                "the model has no joints",
                "up to 512 units",
                "beyond 512 units",
                "more than 512 units",
                "at most 512 units",
                "has no surfaces",
                "has no triangles",
            ];
            if !reasons.iter().any(|reason| why.contains(reason)) {
                failures.push(format!("{} to {format}: {why}", path.display()));
            }
            return ([0, 0, 1], failures);
        }
    };
    // A reported loss of scale, shear or sums of weights has no limit.
    let is_rigid = |conversion: &Conversion| {
        let lost = ["stores no scale", "stores no shear", "a sum other than 1", "mean distance"];
        !conversion.losses.iter().any(|loss| lost.iter().any(|lost| loss.contains(lost)))
    };
    let problems = if is_rigid(&conversion) { problems(model, &conversion) } else { Vec::new() };
    failures.extend(problems.iter().take(2).map(|problem| format!("{} to {format}: {problem}", path.display())));
    // The way back stays within the precision of both formats.
    let again = read_again(&conversion);
    let Ok(back) = convert(&again, &ConvertOptions::to(model.format())) else { return ([1, 0, 0], failures) };
    if measure(&again, &read_again(&back), &back.origin).is_none() {
        failures.push(format!("{} to {format} and back: it has other parts", path.display()));
    }
    let problems = if is_rigid(&back) { self::problems(&again, &back) } else { Vec::new() };
    failures.extend(problems.iter().take(2).map(|problem| format!("{} from {format}: {problem}", path.display())));
    ([1, 1, 0], failures)
}

#[test]
fn shared_models_convert_to_every_format_and_back() {
    let Some(folder) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let files: Vec<PathBuf> = files_below(&folder);
    let next = AtomicUsize::new(0);
    let converted = Mutex::new((BTreeMap::<[&str; 2], [usize; 3]>::new(), Vec::new()));
    threads::with_others(threads::processors() - 1, || {
        while let Some(path) = files.get(next.fetch_add(1, Ordering::Relaxed)) {
            let Some(model) = with_companions(path) else { continue };
            for format in targets() {
                let (counts, mut failed) = convert_there_and_back(path, &model, format);
                let (sums, failures) = &mut *converted.lock().unwrap();
                let sums = sums.entry([model.format().name(), format.name()]).or_default();
                sums.iter_mut().zip(counts).for_each(|(sum, count)| *sum += count);
                failures.append(&mut failed);
            }
        }
    });
    let (counts, failures) = converted.into_inner().unwrap();
    for ([from, to], [written, back, refused]) in &counts {
        eprintln!("{from} to {to}: {written} models, {back} of them back, {refused} refused with a reason");
    }
    assert!(failures.is_empty(), "{} problems:\n{}", failures.len(), failures.join("\n"));
}

#[test]
fn vertex_animation_converts_to_joints_one_frame_only() {
    let model = load(&Md3::typical().build());
    assert!(model.frames().len() > 1);
    for format in [Format::Mdr, Format::Md5] {
        let why = convert(&model, &ConvertOptions::to(format)).unwrap_err();
        assert!(matches!(&why, ConvertError::NeedsSkeleton(why) if why.contains("choose a single frame")), "{why}");
        let frame = ConvertOptions { frame: Some(1), ..ConvertOptions::to(format) };
        let conversion = convert(&model, &frame).unwrap();
        assert_eq!(conversion.origin.frames, [FrameBlend::single(1)]);
        assert_eq!(problems(&model, &conversion), Vec::<String>::new());
    }
}

#[test]
fn position_beyond_format_range_is_reported_with_frame() {
    let mut far = Mdr::typical();
    far.frames[1][1][3] = 700.0;
    let model = load(&far.build());
    let refused = |format: Format| match convert(&model, &ConvertOptions::to(format)) {
        Err(ConvertError::OutOfRange(why)) => why,
        other => panic!("{other:?}"),
    };
    assert!(
        refused(Format::Md3).contains("in frame 1; MD3 stores positions up to 512 units"),
        "{}",
        refused(Format::Md3)
    );
    assert!(refused(Format::Mdc).contains("MDC stores positions up to 512 units"), "{}", refused(Format::Mdc));
    let compressed = ConvertOptions { packing: Some(BonePacking::Compressed), ..ConvertOptions::to(Format::Mdr) };
    assert!(convert(&model, &compressed).unwrap_err().to_string().contains("write them uncompressed"));
    // MD2 frames have their own boxes, so MD2 has no such limit.
    assert_eq!(problems(&model, &convert(&model, &ConvertOptions::to(Format::Md2)).unwrap()), Vec::<String>::new());
}

#[test]
fn conversion_messages_name_formats_in_capitals() {
    let models = [
        load(&Md2::typical().build()),
        load(&Md3::typical().build()),
        load(&Mdc::typical().build()),
        load(&Mdr::typical().build()),
        load(MD5_MESH.as_bytes()),
        load(&Mdl::typical().build()),
    ];
    let names = Format::ALL.map(Format::name);
    for (model, format) in models.iter().flat_map(|model| Format::ALL.map(|format| (model, format))) {
        let messages = match convert(model, &ConvertOptions::to(format)) {
            Ok(conversion) => conversion.losses,
            Err(error) => vec![error.to_string()],
        };
        let mut words = messages.iter().flat_map(|message| message.split(|letter: char| !letter.is_alphanumeric()));
        assert!(!words.any(|word| names.contains(&word)), "{messages:?}");
    }
    let losses = |model: &Model, format: Format| convert(model, &ConvertOptions::to(format)).unwrap().losses;
    let wanted = format!("MD2 has no tags; dropped: {}", models[1].tags().join(", "));
    assert!(losses(&models[1], Format::Md2).contains(&wanted), "{:?}", losses(&models[1], Format::Md2));
    let wanted = "MD3 stores no images; 1 skin inside the file was dropped".to_owned();
    assert!(losses(&models[5], Format::Md3).contains(&wanted), "{:?}", losses(&models[5], Format::Md3));
    for (format, name) in [(Format::Md2, "MD2"), (Format::Md5, "MD5")] {
        let wanted = format!("{name} has no LODs; 1 coarser LOD was dropped");
        assert!(losses(&models[3], format).contains(&wanted), "{:?}", losses(&models[3], format));
    }
}

#[test]
fn mdr_keeps_its_packing_unless_specified() {
    let is_compressed = |model: &Model, packing: Option<BonePacking>| {
        let conversion = convert(model, &ConvertOptions { packing, ..ConvertOptions::to(Format::Mdr) }).unwrap();
        detail(&read_again(&conversion), "frames") == "compressed"
    };
    for compressed in [false, true] {
        let model = load(&Mdr { compressed, ..Mdr::typical() }.build());
        assert_eq!(is_compressed(&model, None), compressed);
        assert!(!is_compressed(&model, Some(BonePacking::Plain)));
        assert!(is_compressed(&model, Some(BonePacking::Compressed)));
    }
    assert!(is_compressed(&load(MD5_MESH.as_bytes()), None));
}

#[test]
fn large_surfaces_are_split_without_losing_triangles() {
    let model = load(&Md2::typical().build());
    let triangles = |model: &Model| model.surfaces().iter().map(|surface| surface.triangles.len()).sum::<usize>();
    let most = SurfaceLimits { vertices: 3, triangles: 8 };
    let conversion = convert(&model, &ConvertOptions { limits: most, ..ConvertOptions::to(Format::Mdc) }).unwrap();
    let again = read_again(&conversion);
    assert!(again.surfaces().iter().all(|surface| surface.vertex_count() <= 3));
    assert_eq!(triangles(&again), triangles(&model));
    assert!(conversion.losses.iter().any(|loss| loss.contains("was split into")), "{:?}", conversion.losses);
    assert!(again.surfaces()[1].name.ends_with("_2"), "{}", again.surfaces()[1].name);
    assert_eq!(problems(&model, &conversion), Vec::<String>::new());
}

#[test]
fn mdc_stores_small_movements_as_deltas() {
    // The second frame of the typical MDC is a small delta.
    let model = load(&Mdc::typical().build());
    let as_md3 = read_again(&convert(&model, &ConvertOptions::to(Format::Md3)).unwrap());
    let mdc = convert(&as_md3, &ConvertOptions::to(Format::Mdc)).unwrap();
    assert_eq!(problems(&as_md3, &mdc), Vec::<String>::new());
    let Motion::Morph(motion) = mdc.model.motion() else { panic!("no vertices") };
    let maquette_core::model::PackedVertices::KeyDeltas { frames, .. } = &motion.surfaces[0].vertices else {
        panic!("no keys")
    };
    assert_eq!(frames[0].delta, None);
    assert!(frames.iter().any(|frame| frame.delta.is_some()), "{frames:?}");
}

/// Converts an MD5 with its animation to IQM, and the result to MD5 again.
#[test]
fn md5_survives_conversion_to_iqm_and_back() {
    // The last frame of a looping MD5 repeats the first; an IQM leaves it out.
    md5_survives_as_iqm(&MD5_ANIM.replace("2 -1", "0 0"), [3, 2, 3]);
    // A last frame that differs is kept, and the loop gets a copy of its first frame.
    md5_survives_as_iqm(MD5_ANIM, [3, 3, 4]);
}

/// Compares the frames and the counts of frames of the clip in the MD5, the IQM and the MD5 made of it.
fn md5_survives_as_iqm(animation: &str, counts: [u32; 3]) {
    // Weights in steps of 1/255 are exact in an IQM.
    let mesh = MD5_MESH.replace("0 0.5", "0 0.6").replace("1 0.5", "1 0.4");
    let mut original = load(mesh.as_bytes());
    original.add_animation("wave", animation.as_bytes()).unwrap();
    let there = convert(&original, &ConvertOptions::to(Format::Iqm)).unwrap();
    assert_eq!(there.losses, [] as [&str; 0]);
    let iqm = read_again(&there);
    let back = convert(&iqm, &ConvertOptions::to(Format::Md5)).unwrap();
    let again = read_again(&back);
    let joints = |model: &Model| -> Vec<(String, Option<u32>)> {
        model.joints().iter().map(|joint| (joint.name.clone(), joint.parent)).collect()
    };
    assert_eq!(joints(&iqm), joints(&original));
    assert_eq!(joints(&again), joints(&original));
    let clip = |model: &Model| model.clip("wave").unwrap().clone();
    assert_eq!([clip(&original).count, clip(&iqm).count, clip(&again).count], counts);
    assert_eq!(clip(&iqm).frames_per_second, 30.0);
    assert_eq!(clip(&again).frames_per_second, 30.0);
    for frame in 0..counts[1] {
        let before = pose(&original, clip(&original).first + frame, 0);
        for (model, name) in [(&iqm, "IQM"), (&again, "MD5")] {
            let after = pose(model, clip(model).first + frame, 0);
            for (a, b) in before.surfaces.iter().zip(&after.surfaces) {
                let off = a.positions.iter().zip(&b.positions).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
                assert!(off < 1e-3, "{name}, frame {frame}: {off}");
            }
        }
    }
}

#[test]
fn tags_become_joints_of_an_iqm() {
    let mut file = Mdr::typical();
    // Weights in steps of 1/255 are exact in an IQM.
    for vertex in &mut file.vertices {
        if let [(_, first, _), (_, second, _)] = vertex.weights.as_mut_slice() {
            (*first, *second) = (0.6, 0.4);
        }
    }
    let (model, options) = (load(&file.build()), ConvertOptions::to(Format::Iqm));
    let conversion = convert(&model, &options).unwrap();
    let again = read_again(&conversion);
    assert_eq!(again.tags(), model.tags());
    assert_eq!(again.lod_count(), 1);
    assert!(conversion.losses.iter().any(|loss| loss.contains("has no LODs")), "{:?}", conversion.losses);
    let measured = measure(&model, &again, &conversion.origin).unwrap();
    // Channels have steps of 1/65535 of their range, here at most 10 units.
    assert!(measured.position.value < 1e-3 && measured.tag.value < 1e-3, "{measured:?}");
}

#[test]
fn vertex_animation_converts_to_iqm_as_single_frame() {
    let model = load(&Md3::typical().build());
    let refused = convert(&model, &ConvertOptions::to(Format::Iqm)).unwrap_err().to_string();
    assert!(refused.contains("IQM needs a skeleton, but this model has vertex animation"), "{refused}");
    let conversion = convert(&model, &ConvertOptions { frame: Some(1), ..ConvertOptions::to(Format::Iqm) }).unwrap();
    let measured = measure(&model, &read_again(&conversion), &conversion.origin).unwrap();
    assert!(measured.position.value < 1e-4, "{measured:?}");
}

#[test]
fn fifth_weight_of_a_vertex_is_reported() {
    let mut file = Mdr::typical();
    for bones in &mut file.frames {
        let first = bones[0];
        *bones = vec![first; 5];
    }
    file.vertices[2].weights = (0..5).map(|bone| (bone, 0.2, [2.0, 0.0, 0.0])).collect();
    let conversion = convert(&load(&file.build()), &ConvertOptions::to(Format::Iqm)).unwrap();
    let loss = "1 vertex keeps the 4 largest weights, the most that IQM stores";
    assert!(conversion.losses.iter().any(|own| own == loss), "{:?}", conversion.losses);
    let again = read_again(&conversion);
    assert!(pose(&again, 0, 0).surfaces[0].positions[2].abs_diff_eq(Vec3::new(2.0, 0.0, 0.0), 1e-3));
}

#[test]
fn iqm_converts_to_every_format() {
    let model = load(&Iqm::typical().build());
    for format in targets() {
        let conversion = convert(&model, &ConvertOptions::to(format)).unwrap();
        assert_eq!(problems(&model, &conversion), [] as [String; 0], "{format}");
    }
}

/// Returns the text of a detail of a converted model.
pub fn detail(model: &Model, label: &str) -> String {
    let found = model.details().iter().find(|detail| detail.label == label).map(|detail| &detail.value);
    let Some(DetailValue::Text(text)) = found else { panic!("no {label}") };
    text.clone()
}

/// In IQM, MD5 and MDR, a tag is a joint of the file.
#[test]
fn added_tag_becomes_a_joint_if_the_format_stays() {
    for bytes in [Iqm::typical().build(), MD5_MESH.as_bytes().to_vec(), Mdr::typical().build()] {
        let model = load(&bytes);
        let call = Call::parse("add-tag name=tag_new at=1,2,3").unwrap();
        let model = apply_with_notes(&model, &[call], &mut Notes::default()).unwrap();
        let files = to_files(&model, &ConvertOptions::to(model.format())).unwrap();
        let format = model.format();
        let tag = files.model.tags().iter().position(|tag| tag == "tag_new");
        let joint = files.model.joints().iter().position(|joint| joint.name == "tag_new");
        assert!(tag.or(joint).is_some(), "{format:?}: {:?}", files.losses);
        let pose = pose(&files.model, 0, 0);
        let found = tag.map_or_else(|| pose.joints[joint.unwrap()], |tag| pose.tags[tag]);
        assert!(found.translation.distance(glam::Vec3A::new(1.0, 2.0, 3.0)) < 0.01, "{format:?}: {found}");
    }
}

/// A script may give a joint a second name, and Doom 3 finds a joint by its own name only.
#[test]
fn tag_named_unlike_its_joint_is_kept_or_reported() {
    let mut model = load(MD5_MESH.as_bytes());
    model.add_animation("walk", MD5_ANIM.as_bytes()).unwrap();
    assert!(model.add_joint_tag("tag_weapon", 1) && model.add_joint_tag("arm", 1));
    let lost = "MD5 stores no tags; 1 tag was dropped: “tag_weapon” at the joint “arm”";
    let names = ["walk".to_owned()];
    for options in
        [None, Some(names.as_slice())].map(|clips| ConvertOptions { clips, ..ConvertOptions::to(Format::Md5) })
    {
        let losses = to_files(&model, &options).unwrap().losses;
        assert!(losses.iter().any(|loss| loss == lost), "{losses:?}");
    }
    let mut model = load(&Iqm::typical().build());
    assert!(model.add_joint_tag("tag_weapon", 0));
    let files = to_files(&model, &ConvertOptions::to(Format::Iqm)).unwrap();
    let tag = files.model.tags().iter().position(|tag| tag == "tag_weapon").expect("the tag is a joint of the file");
    assert_eq!(pose(&files.model, 1, 0).tags[tag], pose(&files.model, 1, 0).joints[0]);
}
