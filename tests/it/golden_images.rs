//! Quake III screenshots of shader effects compared with `snapshot --look game`, if both are present.
//!
//! Measures and limits are defined in `pictures.json`: overlap of the silhouettes, mean difference within them, and the
//! share of pixels outside the value range of the neighbourhood in the other image.

use std::path::Path;
use std::process::Command;

use image::{Rgb, RgbImage};
use serde_json::Value;

use maquette_testing::optional::shared_folder;

/// A pixel belongs to the silhouette if a channel differs from the background by more than this.
const SILHOUETTE: i32 = 10;
/// A pixel counts as off if it is further than this outside its neighbourhood.
const LEVELS: i32 = 24;

fn channels(pixel: &Rgb<u8>) -> [i32; 3] {
    pixel.0.map(i32::from)
}

fn numbers(value: &Value) -> String {
    let values = value.as_array().unwrap().iter().map(|number| format!("{:.6}", number.as_f64().unwrap()));
    values.collect::<Vec<_>>().join(",")
}

/// Returns how far a pixel of `a` is outside the value range of the nine pixels around its position in `b`.
fn outside(a: &RgbImage, b: &RgbImage, x: u32, y: u32) -> i32 {
    let (mut low, mut high) = ([255; 3], [0; 3]);
    for near_y in y.saturating_sub(1)..=(y + 1).min(b.height() - 1) {
        for near_x in x.saturating_sub(1)..=(x + 1).min(b.width() - 1) {
            for (channel, value) in channels(b.get_pixel(near_x, near_y)).into_iter().enumerate() {
                low[channel] = value.min(low[channel]);
                high[channel] = value.max(high[channel]);
            }
        }
    }
    let own = channels(a.get_pixel(x, y));
    (0..3).map(|channel| (own[channel] - high[channel]).max(low[channel] - own[channel])).max().unwrap()
}

/// Returns the overlap of silhouettes, the mean difference, and the share of pixels that are off.
fn measured(actual: &RgbImage, expected: &RgbImage, background: [i32; 3]) -> (f64, f64, f64) {
    let differs = |pixel: &Rgb<u8>| channels(pixel).iter().zip(background).any(|(a, b)| (a - b).abs() > SILHOUETTE);
    let (mut both, mut either, mut sum, mut off) = (0_u32, 0_u32, 0_i64, 0_u32);
    for (x, y, pixel) in actual.enumerate_pixels() {
        let other = expected.get_pixel(x, y);
        let (here, there) = (differs(pixel), differs(other));
        if !here && !there {
            continue;
        }
        either += 1;
        both += u32::from(here && there);
        sum += channels(pixel).iter().zip(channels(other)).map(|(a, b)| i64::from((a - b).abs())).sum::<i64>();
        off += u32::from(outside(actual, expected, x, y).max(outside(expected, actual, x, y)) > LEVELS);
    }
    let count = f64::from(either.max(1));
    (f64::from(both) / count, sum as f64 / (3.0 * count), f64::from(off) / count)
}

fn draw(case: &Value, models: &Path, output: &Path) -> Option<RgbImage> {
    let text = |name: &str| case[name].as_str().unwrap().to_owned();
    let path = |name: &str| models.join(text(name)).display().to_string();
    let camera = &case["camera"];
    let eye = format!(
        "origin={} forward={} up={} fov={}",
        numbers(&camera["origin"]),
        numbers(&camera["forward"]),
        numbers(&camera["up"]),
        camera["fov_x"]
    );
    let mut command = Command::new(env!("CARGO_BIN_EXE_maquette"));
    command.args(["snapshot", &path("model"), "--look", "game", "--camera", &eye, "--root", &path("root")]);
    command.args(["--size", &format!("{}x{}", case["size"][0], case["size"][1]), "--background", &text("background")]);
    let number = |name: &str| case[name].as_f64().unwrap_or(0.0).to_string();
    command.args(["--frame", &number("frame"), "--time", &number("time"), "-o"]).arg(output);
    if case["skin"].is_string() {
        command.args(["--skin", &path("skin")]);
    }
    let done = command.output().unwrap();
    let message = String::from_utf8_lossy(&done.stderr);
    if !done.status.success() {
        assert!(std::env::var_os("MAQUETTE_REQUIRE_GPU").is_none_or(|value| value != "1"), "{message}");
        eprintln!("skipped: {message}");
        return None;
    }
    Some(image::open(output).unwrap().into_rgb8())
}

#[test]
fn shader_effects_match_game_screenshots() {
    let Some(models) = shared_folder("models", "MAQUETTE_MODELS") else { return };
    let Some(reference) = shared_folder("golden/pictures", "MAQUETTE_PICTURES") else { return };
    let data: Value = serde_json::from_slice(&std::fs::read(reference.join("pictures.json")).unwrap()).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let mut wrong = Vec::new();
    for own in data["cases"].as_array().unwrap() {
        let mut case = data["common"].clone();
        let mut limits = case["limits"].clone();
        for (name, value) in own.as_object().unwrap() {
            case[name] = value.clone();
        }
        for (name, value) in own["limits"].as_object().into_iter().flatten() {
            limits[name] = value.clone();
        }
        let name = own["name"].as_str().unwrap();
        let Some(actual) = draw(&case, &models, &folder.path().join(format!("{name}.png"))) else { return };
        let expected = image::open(reference.join(format!("{name}.png"))).unwrap().into_rgb8();
        let background = u32::from_str_radix(&case["background"].as_str().unwrap()[1..], 16).unwrap();
        let [_, red, green, blue] = background.to_be_bytes();
        let (same, mean, off) = measured(&actual, &expected, [red, green, blue].map(i32::from));
        let limit = |name: &str| limits[name].as_f64().unwrap();
        if same < limit("iou") || mean > limit("mean") || off > limit("off") {
            wrong.push(format!("{name}: silhouette {same:.3}, mean {mean:.2}, off {:.2} %", off * 100.0));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
