//! Broken, random and huge scripts.

use super::*;

/// The numbers exceed the integer range of the noise table.
#[test]
fn noise_of_huge_numbers_is_finite() {
    for numbers in ["0 1 0 1e30", "0 1 1e30 1", "0 1 0 3e38", "0 1 3e38 -3e38"] {
        let stage = stage(&format!("rgbGen wave noise {numbers}"));
        for seconds in [0.0, 1.0, 1e6] {
            assert!(stage.shade(seconds).iter().all(|value| value.is_finite()), "{numbers}");
        }
    }
    let corners = [[1.0, 2.0, 3.0]; 4];
    let (_, normals) = deformed("deformVertexes normal 1 1e30", 1.0, corners, PLAIN);
    assert!(normals.iter().all(|normal| normal.is_finite()));
}

/// Memory limit of parsing per byte of the file, plus a constant.
const PEAK_FACTOR: usize = 64;
const PEAK_FLOOR: usize = 1 << 20;

/// Reads, parses and evaluates all definitions in `bytes`.
#[track_caller]
fn survives(bytes: &[u8]) {
    let vfs = Vfs::in_memory(vec![("scripts/x.shader".to_owned(), bytes.to_vec())]);
    let most = PEAK_FACTOR * bytes.len() + PEAK_FLOOR;
    let (scripts, peak) = peak_of(|| Scripts::from_vfs(&vfs));
    assert!(peak <= most, "{peak} bytes for a file of {}", bytes.len());
    let mut names: Vec<_> = scripts.names(Kind::Quake3).take(20).map(str::to_owned).collect();
    names.extend(["m".to_owned(), String::new()]);
    let search = ResolveContext::new(ImageLoading::LocateOnly);
    let mut finder = MaterialResolver::new(&vfs, "models/a.md3", Format::Md3, None, &search);
    for name in names {
        let (found, peak) = peak_of(|| scripts.find(&name, Kind::Quake3, &mut Warnings::default()));
        assert!(peak <= most, "{peak} bytes for a file of {}", bytes.len());
        if let Some(found) = found {
            is_finite(&found.material);
        }
        for origin in [Origin::Model, Origin::Skin] {
            let material = finder.material(&name, origin, &mut Warnings::default());
            assert!(material.stages_in_game() <= material.definition.stages.len());
            let _ = material.problem();
        }
    }
}

#[track_caller]
fn is_finite(material: &Material) {
    assert!(material.sort.is_finite());
    for seconds in [0.0, 1e-3, 1e6] {
        for stage in &material.stages {
            let shade = stage.shade(seconds);
            assert!(shade.iter().all(|value| (0.0..=1.0).contains(value)), "{shade:?}: {stage:?}");
            let sound = warps(&stage.moves, material.time(seconds))
                .iter()
                .all(|warp| warp.matrix.is_finite() && warp.amplitude.is_finite() && warp.phase.is_finite());
            assert!(sound, "{:?}", stage.moves);
            assert!(stage.map_at(seconds) < stage.maps.len(), "{stage:?}");
        }
        deformed_by(&material.deforms, seconds, [[1.0, -2.0, 3e4]; 4], TURNED);
    }
}

#[test]
fn shader_parser_memory_is_bounded_by_file_size() {
    let many = |count: usize, text: &str| text.repeat(count);
    survives((0..200_000).map(|index| format!("{index:x}{{}}")).collect::<String>().as_bytes());
    survives(format!("m{{{}}}", many(60_000, "{map a}")).as_bytes());
    survives(format!("m{{{{animMap 1{}}}}}", many(200_000, " a")).as_bytes());
    survives(format!("m{{{{map a\n{}}}}}", many(30_000, "tcMod scale 1 1\n")).as_bytes());
    survives(format!("m{{{}}}", many(30_000, "deformVertexes autosprite\n")).as_bytes());
    survives(format!("m{{{}}}", many(100_000, "x\n")).as_bytes());
    survives(format!("m{{sort {}}}", many(200_000, "9")).as_bytes());
    for text in ["{", "}", "m{", "{}", "\"", "/*", "//", "\r", "a ", "\u{0}"] {
        survives(many(200_000, text).as_bytes());
    }
}

/// A valid script, and the base of damaged ones.
const SOUND: &str = "
m
{
 cull none
 sort additive
 polygonOffset
 nomipmaps
 clampTime 12
 surfaceparm nodraw
 deformVertexes wave 100 sin 0 3 0 0.5
 deformVertexes bulge 3 4 1
 deformVertexes move 0 0 1 triangle 0 2 0.5 1
 {
  map models/a.tga
  rgbGen wave noise 0.5 0.5 0 10
  alphaGen wave sawtooth 0 1 0 1
  tcMod scale 2 2
  tcMod rotate 30
  tcMod stretch sin 1 0.5 0 1
  tcMod turb 0 0.25 0 0.5
 }
 {
  animMap 8 a.tga b.tga c.tga // three
  blendFunc GL_SRC_ALPHA GL_ONE
  rgbGen const ( 1 0.5 0.25 )
  alphaGen portal 256
  tcGen vector ( 1 0 0 ) ( 0 1 0 )
  tcMod scroll 0.5 -0.5
  tcMod transform 1 0 0 1 0.5 0.5
  alphaFunc GE128
  depthWrite
 }
}
models/other { implicitMask - }
third
{
 deformVertexes normal 0.5 2
 deformVertexes autosprite
 deformVertexes autosprite2
 { clampmap $whiteimage
  tcGen environment
  alphaGen lightingSpecular }
}
";
const SOUP: &str = "{|}|\n|\r|\"|//|/*|*/|(|)|0|-1|3e38|-3e38|1e-40|1e999|nan|inf|1e30|noise|sin|map|animMap|-|rgbGen wave|\
                    tcMod turb|tcMod stretch square|deformVertexes|blendFunc|implicitMap|\u{e9}\u{0}";

/// Removes, moves, swaps or replaces words of [`SOUND`].
fn shuffled(changes: &[(u8, Index, Index, Index)]) -> String {
    let mut words: Vec<&str> = SOUND.split_inclusive(char::is_whitespace).collect();
    let soup: &[&str] = &SOUP.split('|').collect::<Vec<_>>();
    for (how, first, second, other) in changes {
        if words.is_empty() {
            break;
        }
        let (first, second) = (first.index(words.len()), second.index(words.len()));
        match how % 5 {
            0 => drop(words.remove(first)),
            1 => words.insert(second, words[first]),
            2 => words.swap(first, second),
            3 => words[first] = *other.get(soup),
            _ => words.splice(first..first, [" ", *other.get(soup), " "]).for_each(drop),
        }
    }
    words.concat()
}

#[test]
fn sample_script_parses_without_warnings() {
    for (name, stages) in [("m", 2), ("models/other", 1), ("third", 1)] {
        let (found, warnings) = read(&[("scripts/x.shader", SOUND)], name);
        assert_eq!((found.unwrap().stages.len(), warnings), (stages, Vec::<String>::new()), "{name}");
    }
    survives(SOUND.as_bytes());
}

#[test]
fn shader_parser_survives_every_truncation() {
    (0..SOUND.len()).for_each(|length| survives(&SOUND.as_bytes()[..length]));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 256, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn shader_parser_survives_arbitrary_bytes(bytes in proptest::collection::vec(any::<u8>(), 0..400)) {
        survives(&bytes);
        survives(&[b"m{", &bytes[..]].concat());
        survives(&[b"m{{map a\n", &bytes[..]].concat());
    }

    #[test]
    fn shader_parser_survives_random_corruption(flips in proptest::collection::vec((any::<Index>(), any::<u8>()), 1..20)) {
        let mut bytes = SOUND.as_bytes().to_vec();
        for (index, value) in flips {
            let offset = index.index(bytes.len());
            bytes[offset] = value;
        }
        survives(&bytes);
    }

    #[test]
    fn shader_parser_survives_shuffled_words(
        changes in proptest::collection::vec((any::<u8>(), any::<Index>(), any::<Index>(), any::<Index>()), 1..30)
    ) {
        survives(shuffled(&changes).as_bytes());
    }

    #[test]
    fn waves_of_arbitrary_numbers_stay_in_range(
        form in 0..6_usize, numbers in proptest::array::uniform4(-1e6_f32..1e6), seconds in 0.0..1e6_f64
    ) {
        let word = ["sin", "triangle", "square", "sawtooth", "inverseSawtooth", "noise"][form];
        let [base, amplitude, phase, frequency] = numbers;
        let wave = Wave { form: Waveform::named(word).unwrap(), base, amplitude, phase, frequency };
        let value = wave.at(seconds);
        prop_assert!((value - base).abs() <= amplitude.abs() * 1.001 + 1.0, "{value} of {wave:?}");
    }
}

#[test]
fn broken_script_is_reported_by_file_and_line() {
    for (script, expected) in [
        (&b"models/other\n{\n{\nmap a.tga\n"[..], "line 2"),
        (b"models/other { }\n/* never closed", "line 2"),
        (b"\x7f\0\x01\x02 rubbish", "not a text file"),
    ] {
        let vfs = Vfs::in_memory(vec![("scripts/x.shader".to_owned(), script)]);
        let warnings = Scripts::from_vfs(&vfs).warnings().clone().into_vec();
        let [warning] = &warnings[..] else { panic!("{warnings:?}") };
        let warning = warning.to_string();
        assert!(warning.contains("scripts/x.shader") && warning.contains(expected), "{warning}");
    }
}
