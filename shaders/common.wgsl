// Code shared by all shaders: uniforms of the frame (group 0), sRGB conversion and studio lighting.

// Twin of `Frame` in src/render/frame.rs.
struct Frame {
    clip_from_world: mat4x4f,
    world_from_clip: mat4x4f,
    // Perspective: position of the eye, and 1. Orthographic: direction towards the eye, and 0.
    eye: vec4f,
    // Directions towards the lights. Colours of lights are linear.
    key_direction: vec4f,
    key_colour: vec4f,
    fill_direction: vec4f,
    fill_colour: vec4f,
    rim_direction: vec4f,
    rim_colour: vec4f,
    sky: vec4f,
    ground: vec4f,
    clay: vec4f,
    // Width and height of the image in pixels, pixels per point, factor on the light of glowing models.
    image: vec4f,
    // Height of the floor, height of the model above the floor, brightness of mirrored light, 1 if the floor is seen
    // from above.
    floor: vec4f,
    // Radius of the floor, units between the finest grid lines, visibility of these lines, strength (0 without a grid).
    grid: vec4f,
    grid_colour: vec4f,
    // Plane of the grid: its origin, and the height of the floor line (if modes.y is 1). Two directions follow, each
    // with the coordinate of the grid's centre along it.
    grid_origin: vec4f,
    grid_u: vec4f,
    grid_v: vec4f,
    // Colours of the grid's axes: v = 0, which runs along u, and u = 0.
    u_axis: vec4f,
    v_axis: vec4f,
    // Dot products with (x, y, 1) are the coordinates in the shadow texture.
    shadow_u: vec4f,
    shadow_v: vec4f,
    // Direction towards the light that casts the shadow: the key light, raised to a minimum elevation.
    caster: vec4f,
    // Maximum darkening by the shadow (0 without a shadow), wide and narrow blur step in texels, size of the texture.
    shadow: vec4f,
    backdrop_top: vec4f,
    backdrop_bottom: vec4f,
    // Centre of the backdrop's highlight in pixels, its radius, its strength.
    lift: vec4f,
    // Stored colour of the floor far away, brightness of the light on it.
    ground_colour: vec4f,
    // Centre of the light on the floor, its radius; unused.
    pool: vec4f,
    // Colour of wireframes; width of wireframes and size of vertex dots, in points; colour of vertex dots.
    wire: vec4f,
    wire_width: vec4f,
    vertices: vec4f,
    // Colour of back faces.
    inside: vec4f,
    casing: vec4f,
    selection: vec4f,
    // Transforms from world space to the depth maps: of the key light, and of the directions of the studio.
    map_from_world: array<mat4x4f, 5>,
    // Those directions.
    dome: array<vec4f, 4>,
    // Loss of the studio's light at an occluded point; distance of the tested point from the surface; texel size;
    // unused.
    self_shadow: vec4f,
    // Share of the studio's light that all surfaces mirror from the front, and in addition at grazing angles; share of
    // the light from behind along edges; unused.
    gloss: vec4f,
    // Factors of an image in the sum, and of the sum in the shown average; unused.
    average: vec4f,
    // Shading (see src/render/pass/model.rs), 1 if the grid is upright and has a floor line, two unused.
    modes: vec4u,
}

// Transform of a model. Twin of `PartUniform` in src/render/frame.rs.
struct Part {
    world_from_model: mat4x4f,
    // Perspective: position of the eye in model space, and 1. Orthographic: direction towards the eye, and 0.
    eye: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var self_shadow_maps: texture_depth_2d_array;
@group(0) @binding(2) var self_shadow_sampler: sampler_comparison;

// Magnification of textures. Twin of `TextureFilter` in crates/maquette-scene/src/scene/display.rs: 0 linear, 1 sharp,
// 2 nearest.
override texture_filter: u32 = 0;
// Whether the alpha of cut-outs is the share of the pixel that they cover.
override covers_by_alpha: bool = false;
// What the depth maps are used for: nothing (0), the shadows of the key light (1), or these and the shadows of the
// studio (2). Software adapters run both branches of a condition unless the compiler knows the number.
override shadow_detail: u32 = 2;

// Samples an image with the chosen magnification.
fn sample_image(image: texture_2d<f32>, image_sampler: sampler, uv: vec2f) -> vec4f {
    if texture_filter == 0u {
        return textureSample(image, image_sampler, uv);
    }
    let size = vec2f(textureDimensions(image));
    let across = dpdx(uv);
    let down = dpdy(uv);
    let texel = uv * size;
    // Texels per pixel.
    let step = max(abs(across), abs(down)) * size;
    var sampled = select(floor(texel) + 0.5, texel, step >= vec2f(1.0));
    if texture_filter == 1u {
        let seam = floor(texel + 0.5);
        sampled = seam + clamp((texel - seam) / clamp(step, vec2f(1e-6), vec2f(1.0)), vec2f(-0.5), vec2f(0.5));
    }
    return textureSampleGrad(image, image_sampler, sampled / size, across, down);
}

// Returns the alpha of a cut-out, raised where coarse mip levels would hide thin leaves. One half is the edge. The
// factor of a quarter for each level keeps the covered area of leaves about equal.
fn cutout_alpha(image: texture_2d<f32>, alpha: f32, uv: vec2f) -> f32 {
    let texels = uv * vec2f(textureDimensions(image));
    let across = dpdx(texels);
    let down = dpdy(texels);
    let level = 0.5 * log2(max(max(dot(across, across), dot(down, down)), 1.0));
    let raised = alpha * (1.0 + 0.25 * level);
    if covers_by_alpha {
        return clamp((raised - 0.5) / max(fwidth(raised), 1e-4) + 0.5, 0.0, 1.0);
    }
    return raised;
}

// Converts stored (sRGB) values to linear light.
fn linear_from_stored(stored: vec3f) -> vec3f {
    let low = stored / 12.92;
    let high = pow((stored + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, stored <= vec3f(0.04045));
}

// Converts linear light to stored (sRGB) values.
fn stored_from_linear(light: vec3f) -> vec3f {
    let low = light * 12.92;
    let high = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return select(high, low, light <= vec3f(0.0031308));
}

// Returns a corner of a triangle that covers the whole image, in clip space. `index` is 0 to 2.
fn covering_corner(index: u32) -> vec2f {
    return vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}

// Returns a number from 0 to 1 that differs between neighbouring pixels (J. Jimenez, interleaved gradient noise, 2014).
fn pixel_noise(pixel: vec2f) -> f32 {
    return fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715))));
}

// Returns up to half a step of an 8-bit value, positive or negative, so that gradients show no bands.
fn dither(pixel: vec2f) -> f32 {
    return (pixel_noise(pixel) - 0.5) / 255.0;
}

// Share of the key light that reaches a point, from 0 to 1.
fn visibility(world: vec3f, normal: vec3f) -> f32 {
    let projected = frame.map_from_world[0] * vec4f(world + normal * frame.self_shadow.y, 1.0);
    let uv = projected.xy * vec2f(0.5, -0.5) + 0.5;
    if shadow_detail == 1u {
        return textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv, 0u, projected.z);
    }
    var arm = vec2f(frame.self_shadow.z);
    var sum = 0.0;
    for (var corner = 0u; corner < 4u; corner++) {
        sum += textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv + arm, 0u, projected.z);
        arm = vec2f(-arm.y, arm.x);
    }
    return sum * 0.25;
}

// Share of the studio's light that reaches a point, from 0 to 1: the mean over the directions of this sample, whose
// depth maps are the quarters of the second map. The studio is everywhere, so its shadows are blurred more than those
// of the key light, and further from the surface.
fn unoccluded_share(world: vec3f, normal: vec3f) -> f32 {
    let off = vec4f(world + normal * (frame.self_shadow.y * 2.2), 1.0);
    var loss = 0.0;
    for (var number = 0u; number < 4u; number++) {
        let projected = frame.map_from_world[number + 1u] * off;
        let quarter = vec2f(f32(number & 1u), f32(number >> 1u)) * 0.5;
        // Points just outside of their quarter must not see the next one.
        let uv = clamp(projected.xy * vec2f(0.25, -0.25) + 0.25, vec2f(0.005), vec2f(0.495)) + quarter;
        // Each cross is turned, so that the edges of the shadows do not line up.
        let angle = f32(number) * 0.4 + 0.2;
        var arm = vec2f(cos(angle), sin(angle)) * 0.0045;
        var sum = 0.0;
        for (var corner = 0u; corner < 4u; corner++) {
            sum += textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv + arm, 1u, projected.z);
            arm = vec2f(-arm.y, arm.x);
        }
        // Directions that a surface sees from the side count less.
        loss += max(dot(normal, frame.dome[number].xyz), 0.0) * (4.0 - sum);
    }
    // The curve of brightness below has a pole at negative light, so the share must not be negative.
    return max(1.0 - frame.self_shadow.x * loss / 16.0, 0.0);
}

// Light of a softbox on a diffuse surface. `cosine` is that of the angle between its direction and the normal. The
// curve is the light of a lobe exp(4 (cosine - 1)), spread by the surface (spherical harmonics of order 2).
fn softbox(cosine: f32) -> f32 {
    let share = 0.5 + 0.5 * cosine;
    return share * share;
}

// Returns the light of the studio around `direction`, as a semi-gloss surface mirrors it: sky, ground and the three
// softboxes. `key` is the visible share of the key light.
fn studio(direction: vec3f, key: f32) -> vec3f {
    let cosines = direction * mat3x3f(frame.key_direction.xyz, frame.fill_direction.xyz, frame.rim_direction.xyz);
    // The tenth power, without the cost of `pow` on software adapters.
    let halves = max(0.5 + 0.5 * cosines, vec3f(0.0));
    let squares = halves * halves;
    let lobes = squares * squares * squares * squares * squares;
    return 0.25 * mix(frame.ground.rgb, frame.sky.rgb, direction.z * 0.5 + 0.5)
        + lobes.x * key * frame.key_colour.rgb
        + lobes.y * frame.fill_colour.rgb
        + lobes.z * frame.rim_colour.rgb;
}

// Shares of the stored colours in the brightness of a texel.
const BRIGHTNESS = vec3f(0.3, 0.59, 0.11);

// Returns the mean brightness of the image around `uv`, from a mip level of four to eight texels, even if the sampler of
// the image uses no mip levels. The image repeats here in all address modes: at a clamped edge, a texel may mirror more or
// less.
fn brightness_around(image: texture_2d<f32>, uv: vec2f) -> f32 {
    let level = max(i32(textureNumLevels(image)) - 3, 0);
    let size = vec2i(textureDimensions(image, level));
    let place = fract(uv) * vec2f(size) + vec2f(size) - 0.5;
    let low = vec2i(place) % size;
    let high = (vec2i(place) + 1) % size;
    let share = fract(place);
    let top = mix(textureLoad(image, low, level), textureLoad(image, vec2i(high.x, low.y), level), share.x);
    let bottom = mix(textureLoad(image, vec2i(low.x, high.y), level), textureLoad(image, high, level), share.x);
    return dot(mix(top, bottom, share.y).rgb, BRIGHTNESS);
}

// Returns how much a texel mirrors the studio, from 0 to 1. All texels of a dark image do, such as black leather and
// metal. In other images, dark texels are painted holes, seams and shadows, which would turn grey.
fn mirroring(image: texture_2d<f32>, texel: vec3f, uv: vec2f) -> f32 {
    let whole = dot(textureLoad(image, vec2i(0), i32(textureNumLevels(image)) - 1).rgb, BRIGHTNESS);
    let relative = smoothstep(0.2, 0.8, (dot(texel, BRIGHTNESS) + 0.02) / (brightness_around(image, uv) + 0.02));
    return mix(1.0, relative, smoothstep(0.12, 0.2, whole)) * (1.0 - smoothstep(0.25, 0.45, whole));
}

// Returns the studio light that a surface reflects, as linear light. `reflectance` is the share of light that a surface
// mirrors from the front. `shelter` is the share of ambient light that downward faces lose, such as those under arms
// and belts. Cut-outs are flat cards, such as leaves: light shines through them. `shine` is 1 for what mirrors the
// studio, and 0 for cut-outs, whose whole cards would turn grey, and for layers over another one, which would mirror it
// twice.
fn lit(albedo: vec3f, normal: vec3f, world: vec3f, reflectance: f32, shelter: f32, is_cutout: bool, shine: f32) -> vec3f {
    let view = normalize(frame.eye.xyz - world * frame.eye.w);
    // Normals of coarse models point away from the eye on faces that do not, and would shine like an edge there.
    let face = normalize(cross(dpdx(world), dpdy(world)));
    let towards = dot(normal, view);
    let n_v = clamp(max(towards, abs(dot(face, view))), 0.08, 1.0);
    // Some exporters write one normal for all vertices. Shadows follow the faces then.
    let outwards = select(-face, face, dot(face, view) > 0.0);
    let off = select(outwards, normal, dot(normal, outwards) > 0.2 || is_cutout);
    let key_cosine = dot(normal, frame.key_direction.xyz);
    var seen_key = 1.0;
    if shadow_detail > 0u {
        // Surfaces along the light shadow themselves, in the steps of the map's texels. They have little of this light.
        // Light shines through cut-outs from behind, so both of their sides have shadows.
        let along = select(key_cosine, abs(key_cosine), is_cutout);
        seen_key = mix(1.0, visibility(world, off), smoothstep(0.0, 0.25, along));
    }
    var unoccluded = 1.0;
    if shadow_detail == 2u {
        unoccluded = unoccluded_share(world, off);
    }
    // Downward faces have no rim light, because it would be a fringe along the bottom.
    let upwards = smoothstep(-0.1, 0.3, normal.z);
    let open = 1.0 - shelter * (1.0 - smoothstep(-0.8, 0.5, normal.z));
    let ambient = mix(frame.ground.rgb, frame.sky.rgb, normal.z * 0.5 + 0.5) * open
        + 0.4 * softbox(dot(normal, frame.fill_direction.xyz)) * frame.fill_colour.rgb
        + 0.4 * softbox(dot(normal, frame.rim_direction.xyz)) * upwards * frame.rim_colour.rgb;
    // The key light wraps around the form a little, so that the shaded side begins softly.
    let through = select(0.0, -0.6 * key_cosine, is_cutout);
    let key = max(max((key_cosine + 0.18) / 1.18, through), 0.0) * seen_key;
    let diffuse = albedo * (ambient * unoccluded + 0.4 * key * frame.key_colour.rgb);
    // Lighter and coloured surfaces have painted highlights, so they shine less, and in their own hue, so that colours
    // stay clear.
    let strongest = max(albedo.r, max(albedo.g, albedo.b));
    let weakest = min(albedo.r, min(albedo.g, albedo.b));
    let coloured = (strongest - weakest) / (strongest + 0.004);
    let painted = max(smoothstep(0.0, 0.08, strongest), coloured);
    let hue = mix(vec3f(1.0), albedo / max(strongest, 1e-3), max(0.6 * painted, coloured));
    // Flat faces mirror one direction alone, so the same share would turn them grey as a whole. The bend is relative to
    // the height of the model: that of a sphere is 2.
    let turn = length(dpdx(normal)) + length(dpdy(normal));
    let way = length(dpdx(world)) + length(dpdy(world));
    let bend = smoothstep(0.2, 1.5, turn / max(way, 1e-12) * frame.floor.y);
    let own = hue * (shine * (1.0 - 0.8 * painted) * mix(0.2, 1.0, bend));
    // Every surface mirrors the studio a little, at grazing angles more. The rise is broader than that of polished
    // surfaces, so that the edges of dark models shine softly instead of as a line.
    let away = 1.0 - n_v;
    let share = smoothstep(-0.4, 0.0, towards) * (frame.gloss.x + frame.gloss.y * away * away);
    let mirrored = studio(reflect(-view, normal), seen_key) * (reflectance + own * share);
    // Light from behind on both sides, most on its own.
    let side = 0.3 + 0.7 * softbox(dot(normal, frame.rim_direction.xyz));
    let rim = frame.rim_colour.rgb * own * (frame.gloss.z * away * side * upwards);
    let reflected = diffuse + (mirrored + rim) * (unoccluded * frame.floor.z);
    let height = clamp((world.z - frame.floor.x) / max(frame.floor.y * 0.6, 1e-4), 0.0, 1.0);
    let grounded = 1.0 - 0.3 * (1.0 - height) * (1.0 - height);
    let light = reflected * grounded * 1.12;
    return shoulder(light * (1.0 + light / 6.0) / (1.0 + 0.35 * light));
}

// Compresses light above 0.5, so that bright textures keep their detail. Most of their hue remains, too: skin does not
// turn white.
fn shoulder(light: vec3f) -> vec3f {
    let strongest = max(light.r, max(light.g, light.b));
    let channels = compressed(vec4f(light, strongest));
    return mix(channels.rgb, light * (channels.a / max(strongest, 1e-6)), 0.75);
}

fn compressed(light: vec4f) -> vec4f {
    let over = max(light - 0.5, vec4f(0.0));
    // About (1 - exp(-2 * over)) / 2.
    return min(light, vec4f(0.5)) + over * (1.0 + over) / (1.0 + 2.0 * over * (1.0 + over));
}
