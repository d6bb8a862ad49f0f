//! Tests of UFO: Alien Invasion.

use super::*;

/// Axes of an unrotated tag.
const STRAIGHT: [f32; 9] = [1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0];

/// Returns a `.tag` file with these names, and the origins of each tag by frame.
fn tag_file(names: &[&str], origins: &[Vec<[f32; 3]>]) -> Vec<u8> {
    let count = |length: usize| i32::try_from(length).unwrap();
    let frames = origins.first().map_or(0, Vec::len);
    let (tags_at, tags) = (32 + 64 * names.len(), names.len() * frames);
    let mut file = ByteWriter::new();
    file.raw(b"JDP2")
        .i32(1) // version
        .i32(count(names.len())) // num_tags
        .i32(count(frames)) // num_frames
        .i32(32) // ofs_names
        .i32(count(tags_at)) // ofs_tags
        .i32(count(tags_at + 48 * tags)) // ofs_end
        .i32(count(tags_at + 64 * tags)); // ofs_extractend
    for name in names {
        file.name(name, 64);
    }
    for origin in origins.iter().flatten() {
        file.f32s(&STRAIGHT).f32s(origin);
    }
    file.finish()
}

fn loaded_tags(bytes: &[u8]) -> Result<TagFile, LoadError> {
    load_tags(bytes, &mut Warnings::default())
}

/// Returns the X coordinates of all tags in a frame.
fn tag_positions(model: &Model, frame: u32) -> Vec<f32> {
    let mut pose = Pose::default();
    sample(model, &Sampling::at(FrameBlend::single(frame)), &mut pose);
    pose.tags.iter().map(|tag| tag.translation.x).collect()
}

#[test]
fn anm_rows_name_first_and_last_frame() {
    let text = b"// character animations\n// name\t\tstart\tend\tfps\n\nwalk0\t\t174\t204\t30\n/* of one\n\
        frame */ dead1 856 856 0\nshoot_melee 535 581 30 // hits\n";
    let mut warnings = Warnings::default();
    let list = parse_clips(text, &mut warnings);
    assert_eq!(ranges(&list), [("walk0", 174, 31), ("dead1", 856, 1), ("shoot_melee", 535, 47)]);
    assert_eq!(list.iter().map(|range| range.frames_per_second).collect::<Vec<_>>(), [Some(30.0), None, Some(30.0)]);
    assert!(list.iter().all(|range| range.loops));
    // A row without a rate gets the default rate of the format.
    let clips = clip_list::clips(&list, 1007, 10.0, &mut warnings);
    assert_eq!(rows(&clips)[1], ("dead1", 856, 1, 10.0, true));
    assert!(clips.iter().all(|clip| clip.source == ClipSource::ClipList && clip.source.names_rates()));
    assert_eq!(messages(warnings), [] as [String; 0]);
}

#[test]
fn malformed_anm_rows_are_reported_and_rest_read() {
    let mut warnings = Warnings::default();
    let list = parse_clips(b"walk 5\nback 9 3 10\nrun 0 4 ten\nstand 2 8 12\nstand 0 99 12\n", &mut warnings);
    assert_eq!(ranges(&list), [("stand", 2, 7), ("stand", 0, 100)]);
    let clips = clip_list::clips(&list, 10, 10.0, &mut warnings);
    assert_eq!(rows(&clips), [("stand", 2, 7, 12.0, true), ("stand (2)", 0, 10, 12.0, true)]);
    let messages = messages(warnings);
    assert_eq!(messages.len(), 4, "{messages:?}");
    assert!(messages[0].starts_with("line 1: ") && messages[2].starts_with("line 3: "), "{messages:?}");
    assert!(messages[3].contains("0 to 99, but the model's last frame is 9"), "{messages:?}");
    // An unclosed comment hides the rest of the file.
    let mut warnings = Warnings::default();
    assert_eq!(ranges(&parse_clips(b"a 0 1 5\n/* b 0 1 5\n", &mut warnings)), [("a", 0, 2)]);
    assert_eq!(warnings.into_vec().len(), 1);
}

#[test]
fn tag_file_is_transposed_to_frame_order() {
    let head = vec![[0.0, 0.0, 11.0], [1.0, 0.0, 11.0], [2.0, 0.0, 11.0]];
    let hand = vec![[0.0, 5.0, 0.0], [0.0, 6.0, 0.0], [0.0, 7.0, 0.0]];
    let file = loaded_tags(&tag_file(&["tag_head", "tag_rweapon"], &[head, hand])).unwrap();
    assert_eq!((file.names.as_slice(), file.frame_count), (&["tag_head".to_owned(), "tag_rweapon".to_owned()][..], 3));
    let x_and_y = |tags: &[TagFrame]| tags.iter().map(|tag| (tag.origin.x, tag.origin.y)).collect::<Vec<_>>();
    let mut warnings = Warnings::default();
    let tags = file.for_frames(3, &mut warnings).unwrap();
    assert_eq!(x_and_y(&tags), [(0.0, 0.0), (0.0, 5.0), (1.0, 0.0), (0.0, 6.0), (2.0, 0.0), (0.0, 7.0)]);
    assert!(warnings.clone().into_vec().is_empty());
    // For a model with more frames, the last frame repeats. For a model with fewer, the rest is ignored.
    assert_eq!(x_and_y(&file.for_frames(4, &mut warnings).unwrap())[6..], [(2.0, 0.0), (0.0, 7.0)]);
    assert_eq!(file.for_frames(1, &mut warnings).unwrap().len(), 2);
    assert_eq!(warnings.into_vec().len(), 2);
}

#[test]
fn invalid_tag_files_are_rejected_with_field_and_offset() {
    let sound = tag_file(&["tag_head"], &[vec![[0.0; 3]; 2]]);
    let refusal = |bytes: &[u8]| loaded_tags(bytes).unwrap_err().to_string();
    assert!(refusal(b"JDP1").starts_with("TAG: ident at byte 0x0: "));
    assert_eq!(
        refusal(&with_i32(&sound, 4, 2)),
        "TAG: version at byte 0x4: version 2 is not supported; expected version 1"
    );
    assert!(refusal(&with_i32(&sound, 8, -1)).contains("num_tags at byte 0x8: the count -1"));
    assert!(refusal(&with_i32(&sound, 12, 0)).contains("num_frames at byte 0xc: no frames"));
    assert!(
        refusal(&with_i32(&sound, 20, 97)).contains(
            "ofs_tags at byte 0x14: the table at byte 0x61 ends at byte 0xc1, but the file ends at byte 0xc0"
        )
    );
    assert!(refusal(&with_i32(&sound, 16, -1)).contains("begins before the file"));
}

#[test]
fn tag_file_loader_survives_truncation_and_changes() {
    let sound = tag_file(&["tag_head", "tag_floor"], &[vec![[1.0; 3]; 2], vec![[2.0; 3]; 2]]);
    let survives = |bytes: &[u8]| {
        let (result, peak) = peak_of(|| loaded_tags(bytes));
        assert!(peak <= 16 * bytes.len() + (1 << 20), "{peak} bytes for a file of {}", bytes.len());
        let Ok(file) = result else { return };
        for frames in [1, 2, 3, 1 << 20] {
            let tags = file.for_frames(frames, &mut Warnings::default());
            assert!(tags.is_none_or(|tags| tags.len() == file.names.len() * frames));
        }
    };
    (0..sound.len()).for_each(|end| survives(&sound[..end]));
    for at in (0..32).step_by(4) {
        for value in [i32::MIN, -1, 0, 1, 2, 3, 1000, 1 << 20, i32::MAX] {
            survives(&with_i32(&sound, at, value));
        }
    }
}

#[test]
fn tag_count_is_limited_for_models_with_many_frames() {
    let names: Vec<String> = (0..512).map(|number| format!("tag {number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let file = loaded_tags(&tag_file(&names, &vec![vec![[0.0; 3]]; 512])).unwrap();
    let mut warnings = Warnings::default();
    assert_eq!(file.for_frames(1 << 20, &mut warnings), None);
    assert!(messages(warnings).iter().any(|message| message.contains("the tags are skipped")));
}

#[test]
fn added_tags_follow_the_models_own() {
    let (mut model, _) = formats::load(&Md3::typical().build()).unwrap();
    let tag = |x: f32| TagFrame { origin: Vec3::new(x, 0.0, 0.0), axes: [Vec3::X, Vec3::Y, Vec3::Z] };
    model.add_tags(vec!["tag_a".to_owned(), "tag_b".to_owned()], &[tag(1.0), tag(2.0), tag(3.0), tag(4.0)]).unwrap();
    assert_eq!(model.tags(), ["tag_head", "tag_a", "tag_b"]);
    assert_eq!(tag_positions(&model, 0), [0.0, 1.0, 2.0]);
    // The model's own tag still moves by 8.
    assert_eq!(tag_positions(&model, 1), [8.0, 3.0, 4.0]);
    // Too few transforms for two frames; MDC stores angles instead.
    assert!(model.add_tags(vec!["tag_c".to_owned()], &[tag(5.0)]).is_err());
    assert_eq!(model.tags().len(), 3);
    let (mut mdc, _) = formats::load(&Mdc::typical().build()).unwrap();
    assert!(mdc.add_tags(Vec::new(), &[]).is_err());
}

#[test]
fn md2_takes_clips_and_tags_from_companion_files() {
    let tags = tag_file(&["tag_head"], &[vec![[1.0, 0.0, 0.0], [3.0, 0.0, 0.0], [5.0, 0.0, 0.0]]]);
    let vfs = vfs_of(&[
        ("models/soldier/body.md2", &md2(3)),
        ("models/soldier/body.anm", b"stand 0 0 1\nwalk 1 2 30\n"),
        ("models/soldier/body.tag", &tags),
        ("models/soldier/head.md2", &md2(1)),
        ("models/soldier/skin.png", b""),
    ]);
    let body = open(&vfs, "models/soldier/body.md2");
    assert_eq!(rows(body.model.clips()), [("stand", 0, 1, 1.0, true), ("walk", 1, 2, 30.0, true)]);
    assert_eq!(body.model.tags(), ["tag_head"]);
    assert_eq!((tag_positions(&body.model, 0), tag_positions(&body.model, 2)), (vec![1.0], vec![5.0]));
    let game = KnownEngine::for_model(&vfs, "models/soldier/body.md2", Format::Md2).unwrap();
    assert_eq!((game.engine.name, game.by.as_str()), ("UFO: Alien Invasion", "models/soldier/body.anm"));
    // The head has no companion files, so it is a plain MD2.
    assert!(KnownEngine::for_model(&vfs, "models/soldier/head.md2", Format::Md2).is_none());
    assert!(open(&vfs, "models/soldier/head.md2").model.tags().is_empty());
}

#[test]
fn broken_tag_file_is_reported_and_model_loads() {
    let vfs = vfs_of(&[("m/body.md2", &md2(3)), ("m/body.tag", b"JDP2\x01\0\0\0"), ("m/skin.png", b"")]);
    let body = open(&vfs, "m/body.md2");
    assert!(body.model.tags().is_empty());
    assert!(
        warnings_of(&body).contains("body.tag: the tags are skipped: TAG: num_tags at byte 0x8"),
        "{}",
        warnings_of(&body)
    );
    // A short list of frames gives a warning, and the last frame repeats.
    let short = tag_file(&["tag_head"], &[vec![[7.0, 0.0, 0.0]]]);
    let vfs = vfs_of(&[("m/body.md2", &md2(3)), ("m/body.tag", &short), ("m/skin.png", b"")]);
    let body = open(&vfs, "m/body.md2");
    assert_eq!(tag_positions(&body.model, 2), [7.0]);
    assert!(warnings_of(&body).contains("the file has 1 frames, but the model has 3"), "{}", warnings_of(&body));
}
