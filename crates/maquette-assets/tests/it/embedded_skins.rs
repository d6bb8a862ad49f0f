//! Skins whose images are inside the model's file.

use std::sync::Arc;

use maquette_assets::material::{
    Blend, Image, ImageLoading, Matching, MaterialResolver, Origin, ResolveContext, SurfaceMaterial, TextureWrap,
    Transparency, converted_skins, quake_pixels,
};
use maquette_assets::open::{ModelAsset, open_in};
use maquette_assets::vfs::Vfs;
use maquette_core::edit::{Call, apply, save};
use maquette_core::error::Warnings;
use maquette_core::formats;
use maquette_core::model::{EmbeddedImage, EmbeddedSkin, Model, PixelKind, Pixels};
use maquette_testing::files::{Md3, Mdl, MdlSkin};

fn opened_with(file: &Mdl, others: &[(&str, Vec<u8>)], search: &ResolveContext) -> ModelAsset {
    let bytes = file.build();
    let own = [("progs/box.mdl".to_owned(), bytes.clone())];
    let others = others.iter().map(|(name, bytes)| ((*name).to_owned(), bytes.clone()));
    let vfs = Vfs::in_memory(own.into_iter().chain(others).collect());
    open_in(&vfs, "progs/box.mdl", &bytes, search).unwrap()
}

fn opened(file: &Mdl, others: &[(&str, Vec<u8>)]) -> ModelAsset {
    opened_with(file, others, &ResolveContext::new(ImageLoading::Decode))
}

/// Returns a file with a skin of one colour for each index.
fn with_skins(indices: &[u8]) -> Mdl {
    Mdl { skins: indices.iter().map(|index| MdlSkin::Single(vec![*index; 32])).collect(), ..Mdl::typical() }
}

fn only(asset: &ModelAsset, skin: usize) -> &SurfaceMaterial {
    let [material] = &*asset.skins[skin].materials else { panic!("one surface") };
    material
}

fn texel(asset: &ModelAsset, skin: usize) -> [u8; 4] {
    only(asset, skin).image.as_ref().unwrap().texel(0, 0)
}

#[test]
fn palette_indices_become_colours_of_quake() {
    let asset = opened(&with_skins(&[0, 15, 224, 251, 254, 255]), &[]);
    let names: Vec<&str> = asset.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["skin 0", "skin 1", "skin 2", "skin 3", "skin 4", "skin 5"]);
    let texels: Vec<[u8; 4]> = (0..6).map(|skin| texel(&asset, skin)).collect();
    let expected = [[0, 0, 0], [235, 235, 235], [43, 0, 0], [255, 0, 0], [255, 255, 255], [159, 91, 83]];
    assert_eq!(texels, expected.map(|[red, green, blue]| [red, green, blue, 255]));
    let image = only(&asset, 0).image.as_ref().unwrap();
    assert_eq!((image.width, image.height, asset.warnings.len()), (8, 4, 0));
}

#[test]
fn image_rows_begin_at_the_top() {
    let asset = opened(&Mdl::typical(), &[]);
    let image = only(&asset, 0).image.as_ref().unwrap();
    // The typical skin counts up: index 9 is in the second row. The first 16 colours are grey, in steps of 16.
    assert_eq!((image.texel(1, 1), image.texel(0, 1)), ([139, 139, 139, 255], [123, 123, 123, 255]));
}

#[test]
fn palette_of_the_game_is_used() {
    let palette: Vec<u8> = (0..=255).flat_map(|index| [index, 0, 255 - index]).collect();
    let asset = opened(&with_skins(&[7, 255]), &[("gfx/palette.lmp", palette.clone())]);
    assert_eq!([texel(&asset, 0), texel(&asset, 1)], [[7, 0, 248, 255], [255, 0, 0, 255]]);
    // A model may be below the root that the file system assumes.
    let nearer: Vec<u8> = palette.iter().rev().copied().collect();
    let files = [("gfx/palette.lmp", palette.clone()), ("progs/gfx/palette.lmp", nearer)];
    assert_eq!(texel(&opened(&with_skins(&[7]), &files), 0), [7, 0, 248, 255]);
    // A file that is too short is not a palette.
    let asset = opened(&with_skins(&[251]), &[("gfx/palette.lmp", palette[..767].to_vec())]);
    assert_eq!(texel(&asset, 0), [255, 0, 0, 255]);
}

#[test]
fn search_log_names_the_file_and_the_palette() {
    let asset = opened(&with_skins(&[7]), &[]);
    let material = only(&asset, 0);
    assert_eq!((material.name.as_str(), material.path.as_str()), ("skin 0", "progs/box.mdl/skin 0"));
    let steps: Vec<_> = material.search_log.iter().map(|step| (step.what.as_str(), step.found.as_deref())).collect();
    assert_eq!(steps, [("Image inside the file", Some("skin 0")), ("Palette", None)]);
}

#[test]
fn colour_255_is_transparent_only_with_the_flag() {
    let half = [vec![255; 16], vec![3; 16]].concat();
    let file = |flags| Mdl { flags, skins: vec![MdlSkin::Single(half.clone())], ..Mdl::typical() };
    let opaque = opened(&file(0), &[]);
    assert_eq!((texel(&opaque, 0)[3], only(&opaque, 0).transparency()), (255, Transparency::Opaque));
    let cutout = opened(&file(0x4000), &[]);
    assert_eq!((texel(&cutout, 0)[3], only(&cutout, 0).transparency()), (0, Transparency::Cutout));
}

/// Returns the texels of the upper and the lower half of a stage's image.
fn halves(material: &SurfaceMaterial, stage: usize) -> [[u8; 4]; 2] {
    let image = material.definition.stages[stage].maps[0].image.as_ref().unwrap();
    [image.texel(0, 0), image.texel(0, 3)]
}

#[test]
fn bright_colours_are_added_without_light() {
    // QuakeSpasm: colours from 224 ignore light.
    let half = |index| [vec![index; 16], vec![223; 16]].concat();
    let asset = opened(&Mdl { skins: vec![MdlSkin::Single(half(224))], ..Mdl::typical() }, &[]);
    let material = only(&asset, 0);
    let [lit, bright] = material.definition.stages.as_slice() else { panic!("two stages") };
    assert!(lit.is_lit() && lit.blend.is_none());
    assert!(!bright.is_lit() && bright.blend == Some(Blend::ADD) && !bright.writes_depth);
    assert_eq!(halves(material, 0), [[0, 0, 0, 255], [11, 11, 15, 255]]);
    assert_eq!(halves(material, 1), [[43, 0, 0, 255], [0, 0, 0, 255]]);
    assert_eq!(texel(&asset, 0), [43, 0, 0, 255], "one image shows the whole skin");
    let dark = opened(&Mdl { skins: vec![MdlSkin::Single(half(222))], ..Mdl::typical() }, &[]);
    assert!(only(&dark, 0).is_plain());
}

#[test]
fn bright_colours_are_lit_on_request() {
    let mut search = ResolveContext::new(ImageLoading::Decode);
    search.lit_fullbrights = true;
    let asset = opened_with(&with_skins(&[251]), &[], &search);
    assert!(only(&asset, 0).is_plain());
    assert_eq!(texel(&asset, 0), [255, 0, 0, 255]);
}

#[test]
fn colours_of_players_replace_rows_of_the_palette() {
    // QuakeSpasm: rows from 8 on run backwards. Row 0 is grey in steps of 16, row 11 is green.
    let mut search = ResolveContext::new(ImageLoading::Decode);
    search.player_colours = [Some(0), Some(11)];
    let asset = opened_with(&with_skins(&[16, 31, 96, 111, 32, 112]), &[], &search);
    let texels: Vec<[u8; 4]> = (0..6).map(|skin| texel(&asset, skin)).collect();
    let expected = [[0, 0, 0], [235, 235, 235], [7, 11, 7], [111, 131, 123], [11, 11, 15], [11, 7, 0]];
    assert_eq!(texels, expected.map(|[red, green, blue]| [red, green, blue, 255]));
}

#[test]
fn transparent_texels_are_not_bright() {
    let half = [vec![255; 16], vec![3; 16]].concat();
    let asset = opened(&Mdl { flags: 0x4000, skins: vec![MdlSkin::Single(half)], ..Mdl::typical() }, &[]);
    assert_eq!(only(&asset, 0).definition.stages.len(), 1);
}

#[test]
fn image_named_after_the_skin_replaces_it() {
    let image = |colour: [u8; 3]| {
        [vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0], colour.into_iter().rev().collect()].concat()
    };
    let files = [
        ("progs/box.mdl_1.tga", image([1, 2, 3])),
        ("progs/box.mdl_1_luma.tga", image([7, 8, 9])),
        ("progs/box.mdl_2.tga", image([4, 5, 6])),
        ("progs/box.mdl_4.tga", image([4, 5, 6])),
    ];
    let asset = opened(&with_skins(&[15, 15]), &files);
    let names: Vec<&str> = asset.skins.iter().map(|skin| skin.name.as_str()).collect();
    assert_eq!(names, ["skin 0", "skin 1", "skin 2"], "there is no skin 3");
    let texels: Vec<[u8; 4]> = (0..3).map(|skin| texel(&asset, skin)).collect();
    assert_eq!(texels, [[235, 235, 235, 255], [1, 2, 3, 255], [4, 5, 6, 255]]);
    let replaced = only(&asset, 1);
    assert_eq!(replaced.path, "progs/box.mdl_1.tga");
    let [_, glow] = replaced.definition.stages.as_slice() else { panic!("a glow map") };
    assert_eq!((glow.blend, glow.maps[0].path.as_str()), (Some(Blend::ADD), "progs/box.mdl_1_luma.tga"));
}

#[test]
fn animated_skin_changes_its_image_at_the_end_times() {
    let group = MdlSkin::Group(vec![0.3, 0.4], vec![vec![1; 32], vec![2; 32]]);
    let asset = opened(&Mdl { skins: vec![group, MdlSkin::Single(vec![3; 32])], ..Mdl::typical() }, &[]);
    assert_eq!(asset.skins.len(), 2);
    let material = only(&asset, 0);
    let stage = &material.definition.stages[0];
    let images: Vec<[u8; 4]> = stage.maps.iter().map(|map| map.image.as_ref().unwrap().texel(0, 0)).collect();
    assert_eq!((images, stage.rate), (vec![[15, 15, 15, 255], [31, 31, 31, 255]], 5.0));
    let times = [0.0, 0.29, 0.31, 0.39, 0.41, 0.69, 0.71];
    assert_eq!(times.map(|seconds| stage.map_at(seconds)), [0, 0, 1, 1, 0, 0, 1]);
    assert!(!material.is_plain() && stage.moves(), "it is drawn as a stage");
    assert!(only(&asset, 1).is_plain(), "a single image does not move");
}

#[test]
fn images_beyond_the_memory_limit_are_skipped() {
    let mut search = ResolveContext::new(ImageLoading::Decode);
    // A small image counts as 1 KB; all images may take three quarters of the limit.
    search.limits.memory = 4 << 10;
    let asset = opened_with(&with_skins(&[1, 2, 3, 4]), &[], &search);
    assert_eq!(asset.skins.iter().map(|skin| skin.name.as_str()).collect::<Vec<_>>(), ["skin 0", "skin 1", "skin 2"]);
    assert!(asset.warnings[0].message.contains("exceed the memory limit"), "{:?}", asset.warnings);
}

#[test]
fn file_without_skins_uses_no_image_of_its_folder() {
    let skin = [vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0], vec![1, 2, 3]].concat();
    let asset = opened(&with_skins(&[]), &[("progs/box.tga", skin)]);
    assert_eq!((asset.skins.len(), asset.skins[0].name.as_str()), (1, "default"));
    assert!(only(&asset, 0).is_missing());
    assert_eq!(asset.warnings.len(), 1, "{:?}", asset.warnings);
}

#[test]
fn skins_of_every_pixel_kind_are_decoded() {
    let tga = [vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 1, 0, 24, 0], vec![9, 8, 7]].concat();
    let mut palette = [[0; 4]; 256];
    palette[255] = [1, 2, 3, 4];
    let one = |kind, bytes: &[u8]| {
        EmbeddedImage::Pixels(Arc::new(Pixels { width: 1, height: 1, kind, bytes: bytes.to_vec() }))
    };
    let images = [
        one(PixelKind::Rgba, &[10, 20, 30, 40]),
        one(PixelKind::Palette(palette.into()), &[255]),
        one(PixelKind::GamePalette { has_cutouts: true }, &[255]),
        EmbeddedImage::Encoded(tga.clone().into()),
        EmbeddedImage::External("skins/a.tga".to_owned()),
    ];
    let file = Mdl::typical().build();
    let mut parts = maquette_core::formats::load(&file).unwrap().0.into_parts();
    let skin = |image: EmbeddedImage| EmbeddedSkin { name: "skin".to_owned(), images: vec![image], end_times: vec![] };
    parts.data.embedded_skins = images.into_iter().map(skin).collect();
    let model = Model::new(parts).unwrap();
    let vfs = Vfs::in_memory(vec![("progs/box.mdl".to_owned(), file), ("progs/skins/a.tga".to_owned(), tga)]);
    let search = ResolveContext::new(ImageLoading::Decode);
    let mut resolver = MaterialResolver::new(&vfs, "progs/box.mdl", model.format(), None, &search);
    let mut warnings = Warnings::default();
    let materials = resolver.embedded_skins(&model, &mut warnings);
    let texels: Vec<[u8; 4]> = materials.iter().map(|material| material.image.as_ref().unwrap().texel(0, 0)).collect();
    assert_eq!(texels, [[10, 20, 30, 40], [1, 2, 3, 4], [159, 91, 83, 0], [7, 8, 9, 255], [7, 8, 9, 255]]);
    assert!(materials.iter().all(SurfaceMaterial::is_plain) && warnings.into_vec().is_empty());
    let steps: Vec<usize> = materials.iter().map(|material| material.search_log.iter().count()).collect();
    assert_eq!(steps, [1, 1, 2, 1, 1], "only indices of the game’s colours need its palette");

    let mut parts = model.into_parts();
    parts.data.embedded_skins = vec![skin(EmbeddedImage::External("b.tga".to_owned()))];
    let model = Model::new(parts).unwrap();
    let mut warnings = Warnings::default();
    assert_eq!(resolver.embedded_skins(&model, &mut warnings).len(), 0);
    assert_eq!(warnings.into_vec()[0].message, "skin: “b.tga” was not found next to the model");

    let mut parts = model.into_parts();
    parts.data.embedded_skins = vec![skin(one(PixelKind::Rgba, &[1, 2, 3]))];
    assert!(Model::new(parts).is_err(), "a pixel has four bytes");
}

/// Returns the skin of a material with an image of `width` texels per row.
fn quake_skin(width: u32, texels: &[[u8; 4]], size: Option<[u16; 2]>) -> Pixels {
    let height = u32::try_from(texels.len()).unwrap() / width;
    let image = Arc::new(Image::new(width, height, texels.as_flattened().to_vec()));
    let material = SurfaceMaterial::of_image("skin", "skin.png", image, TextureWrap::Repeat);
    converted_skins(&[Some(&material)], size, true).1[0]
        .as_ref()
        .and_then(|skin| skin.pixels().next().cloned())
        .unwrap()
}

/// Quake's `modelgen.h`: all skins of an MDL have `skinwidth` and `skinheight`.
#[test]
fn further_skins_have_the_size_of_the_first() {
    let of_size = |width: u32, height: u32| {
        let texels = vec![235; (width * height * 4) as usize];
        SurfaceMaterial::of_image("skin", "skin.png", Arc::new(Image::new(width, height, texels)), TextureWrap::Repeat)
    };
    let missing = SurfaceMaterial::missing("none", Origin::Model);
    let materials = [Some(&of_size(8, 4)), Some(&missing), None, Some(&of_size(64, 64))];
    let (size, made) = converted_skins(&materials, None, true);
    let sizes: Vec<Option<[u32; 2]>> =
        made.iter().map(|skin| skin.as_ref()?.pixels().next().map(|own| [own.width, own.height])).collect();
    assert_eq!(sizes, [Some([8, 4]), None, None, Some([8, 4])], "{size:?}");
}

#[test]
fn image_becomes_a_skin_in_quake_colours() {
    // Exact colours 0 and 15, the brightest white, which light does not darken, and nearly that white.
    let texels = [[0, 0, 0, 255], [235, 235, 235, 255], [255, 255, 255, 255], [254, 254, 254, 255]];
    let skin = quake_skin(4, &texels, None);
    assert_eq!((skin.width, skin.height, &skin.bytes), (4, 1, &vec![0, 15, 254, 15]));
    assert_eq!(skin.kind, PixelKind::GamePalette { has_cutouts: false });
    // Alpha of an opaque material has no effect.
    let clear = texels.map(|[red, green, blue, _]| [red, green, blue, 0]);
    assert_eq!(quake_skin(4, &clear, None).kind, PixelKind::GamePalette { has_cutouts: false });
}

#[test]
fn colours_are_dithered_and_bright_ones_avoided() {
    let image = |texel: [u8; 4]| Image::new(16, 16, texel.repeat(256));
    let indices = |texel, matching| quake_pixels(&image(texel), [16, 16], false, matching).unwrap().bytes;
    let usual = Matching::default();
    // Greys 7 and 8 of the palette have 107 and 123: three quarters of the texels of 119 are 8.
    assert_eq!(indices([119, 119, 119, 255], usual), [8; 256]);
    let dithered = indices([119, 119, 119, 255], Matching { dithers: true, ..usual });
    let lighter = dithered.iter().filter(|index| **index == 8).count();
    assert!(dithered.iter().all(|index| [7, 8].contains(index)) && (184..=200).contains(&lighter), "{lighter}");
    // Colour 254 is white and not darkened by light, which starts at 224; 15 is the lightest of the others.
    assert_eq!(indices([255; 4], usual), [254; 256]);
    assert_eq!(indices([255; 4], Matching { avoids_bright: true, ..usual }), [15; 256]);
}

#[test]
fn skin_has_a_texture_rather_than_a_colour() {
    let bytes = Md3 { surfaces: 2, ..Md3::typical() }.build();
    let (before, _) = formats::load(&bytes).unwrap();
    let call = Call::parse("set-material surfaces=#1 path=models/box/two.tga").unwrap();
    let bytes = save(&bytes, &before, &apply(&before, &[call]).unwrap()).unwrap().0;
    // Type 2 without palette, the two sides, 24 bits, rows from the top.
    let tga = |side: u8| {
        let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, side, 0, side, 0, 24, 0x20];
        [header.as_slice(), &vec![9; usize::from(side).pow(2) * 3]].concat()
    };
    let files = [("box.md3", bytes.clone()), ("skin.tga", tga(1)), ("two.tga", tga(2))];
    let vfs = Vfs::in_memory(files.map(|(name, bytes)| (format!("models/box/{name}"), bytes)).into());
    let asset = open_in(&vfs, "models/box/box.md3", &bytes, &ResolveContext::new(ImageLoading::Decode)).unwrap();
    let names: Vec<&str> = asset.skin_materials(&[]).iter().flatten().map(|own| own.path.as_str()).collect();
    assert_eq!(names, ["models/box/two.tga"]);
}

#[test]
fn skin_has_a_size_that_the_game_accepts() {
    let size = |width: u32, height: u32, wanted| {
        let skin = quake_skin(width, &vec![[0, 0, 0, 255]; (width * height) as usize], wanted);
        assert_eq!(skin.bytes.len(), (skin.width * skin.height) as usize);
        (skin.width, skin.height)
    };
    assert_eq!(size(8, 4, None), (8, 4));
    assert_eq!(size(1024, 1024, None), (256, 256));
    assert_eq!(size(30, 7, None), (32, 7));
    assert_eq!(size(8, 8, Some([10, 3])), (10, 3));
    // A single colour has room for texture coordinates, too.
    assert_eq!(size(1, 1, None), (256, 256));
}
