// What every shader shares: the frame's numbers (group 0) and the sRGB curve.

// Twin of `Frame` in src/render/frame.rs.
struct Frame {
    clip_from_world: mat4x4f,
    // Perspective: the eye's place and 1. Orthographic: the direction towards it and 0.
    eye: vec4f,
    // Directions towards the lights; colours are linear light.
    key_direction: vec4f,
    key_colour: vec4f,
    fill_direction: vec4f,
    fill_colour: vec4f,
    rim_direction: vec4f,
    rim_colour: vec4f,
    sky: vec4f,
    ground: vec4f,
    clay: vec4f,
    // Width and height in pixels, pixels per point, unused.
    picture: vec4f,
    // Height of the floor, height of the model above it, light reflected at grazing angles, one unused.
    floor: vec4f,
    // Radius at which the floor ends, grid step in units, share of the finest lines, strength (0 without grid).
    grid: vec4f,
    grid_colour: vec4f,
    // The plane it lies in: where it begins, the height of a line for the floor (if modes.y is 1); its two directions,
    // each with the place of the grid's middle along it.
    grid_origin: vec4f,
    grid_u: vec4f,
    grid_v: vec4f,
    // Colours of its line v = 0, which runs along u, and of its line u = 0.
    u_axis: vec4f,
    v_axis: vec4f,
    // Dotted with (x, y, 1): place in the shadow texture.
    shadow_u: vec4f,
    shadow_v: vec4f,
    // Direction towards the light that throws the shadow: the key, but never flat.
    caster: vec4f,
    // Most the shadow takes (0 without), blur steps in texels: wide, narrow; size of the texture.
    shadow: vec4f,
    backdrop_top: vec4f,
    backdrop_bottom: vec4f,
    // Middle of the lift in pixels, its radius, its strength.
    lift: vec4f,
    // Colour of wireframes, and their width in points; then the size of dots on vertices, and their colour.
    wire: vec4f,
    wire_width: vec4f,
    vertices: vec4f,
    // Colour of triangles seen from behind.
    inside: vec4f,
    casing: vec4f,
    selection: vec4f,
    // Transforms from world space to the self-shadow maps: of the key light, and of a direction of the studio.
    map_from_world: array<mat4x4f, 2>,
    // That direction.
    dome: vec4f,
    // How much light an occluded point loses: key, studio; distance of the tested point from the surface; texel size.
    self_shadow: vec4f,
    // Factors of an image in the sum, and of the sum in the shown average; two unused.
    average: vec4f,
    // Shading (see src/render/frame.rs), whether the grid stands upright on a line for the floor, then two unused.
    modes: vec4u,
}

// Where a model stands: twin of `PartUniform` in src/render/frame.rs.
struct Part {
    world_from_model: mat4x4f,
    // The eye in the model's space, and 1; without perspective the direction towards it, and 0.
    eye: vec4f,
}

@group(0) @binding(0) var<uniform> frame: Frame;
@group(0) @binding(1) var self_shadow_maps: texture_depth_2d_array;
@group(0) @binding(2) var self_shadow_sampler: sampler_comparison;

// Stored (sRGB) values to linear light.
fn linear_from_stored(stored: vec3f) -> vec3f {
    let low = stored / 12.92;
    let high = pow((stored + 0.055) / 1.055, vec3f(2.4));
    return select(high, low, stored <= vec3f(0.04045));
}

// Linear light to stored (sRGB) values.
fn stored_from_linear(light: vec3f) -> vec3f {
    let low = light * 12.92;
    let high = 1.055 * pow(max(light, vec3f(0.0031308)), vec3f(1.0 / 2.4)) - 0.055;
    return select(high, low, light <= vec3f(0.0031308));
}

// The three corners of a triangle that covers the picture, in clip space.
fn covering_corner(index: u32) -> vec2f {
    return vec2f(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0);
}

// Half a step of an 8-bit value up or down, different for neighbouring pixels: gradients show no bands.
fn dither(pixel: vec2f) -> f32 {
    return (fract(52.9829189 * fract(dot(floor(pixel), vec2f(0.06711056, 0.00583715)))) - 0.5) / 255.0;
}

// Share of the light of a map that reaches a point, from 0 to 1.
fn visibility(world: vec3f, normal: vec3f, map: u32) -> f32 {
    let place = frame.map_from_world[map] * vec4f(world + normal * frame.self_shadow.z, 1.0);
    let uv = place.xy * vec2f(0.5, -0.5) + 0.5;
    // The studio is everywhere, so its shadows are blurred more than those of the key light.
    let texel = frame.self_shadow.w * select(1.0, 5.0, map == 1u);
    var sum = 0.0;
    for (var corner = 0u; corner < 4u; corner++) {
        let offset = (vec2f(f32(corner & 1u), f32(corner >> 1u)) * 2.0 - 1.0) * texel;
        sum += textureSampleCompareLevel(self_shadow_maps, self_shadow_sampler, uv + offset, map, place.z);
    }
    return sum * 0.25;
}

// Studio light on a surface, as linear light; `shine` is how strongly it mirrors the key, `shelter` how much of the light
// from all around faces lose that look down, as under arms and belts.
fn lit(albedo: vec3f, normal: vec3f, world: vec3f, shine: f32, shelter: f32) -> vec3f {
    let view = normalize(frame.eye.xyz - world * frame.eye.w);
    // Never quite from the side: normals that turn away between the corners of a face would shine like an edge.
    let n_v = clamp(dot(normal, view), 0.08, 1.0);
    // The key wraps a little round the form, so that its shadow side begins softly.
    var key = max((dot(normal, frame.key_direction.xyz) + 0.18) / 1.18, 0.0);
    if frame.self_shadow.x > 0.0 {
        key *= 1.0 - frame.self_shadow.x * (1.0 - visibility(world, normal, 0u));
    }
    var fill = max(dot(normal, frame.fill_direction.xyz), 0.0);
    // What looks down has no edge of light: it would be a fringe along the bottom.
    let upwards = smoothstep(-0.1, 0.3, normal.z);
    let rim = max(dot(normal, frame.rim_direction.xyz), 0.0) * 1.5 * pow(1.0 - n_v, 1.5) * upwards;
    let open = 1.0 - shelter * (1.0 - smoothstep(-0.8, 0.5, normal.z));
    var ambient = mix(frame.ground.rgb, frame.sky.rgb, normal.z * 0.5 + 0.5) * open;
    if frame.self_shadow.y > 0.0 {
        // The mean of the cosine over the sphere is a quarter, so unoccluded points keep their light in every sample.
        let weight = 4.0 * max(dot(normal, frame.dome.xyz), 0.0);
        let open_share = 1.0 - frame.self_shadow.y * weight * (1.0 - visibility(world, normal, 1u));
        ambient *= open_share;
        fill *= open_share;
    }
    let lights = key * frame.key_colour.rgb + fill * frame.fill_colour.rgb + rim * frame.rim_colour.rgb;
    let halfway = normalize(view + frame.key_direction.xyz);
    let gloss = pow(max(dot(normal, halfway), 0.0), 28.0) * shine * step(0.0, dot(normal, frame.key_direction.xyz));
    let height = clamp((world.z - frame.floor.x) / max(frame.floor.y * 0.6, 1e-4), 0.0, 1.0);
    let grounded = 1.0 - 0.3 * (1.0 - height) * (1.0 - height);
    // At grazing angles, even black surfaces reflect the studio, so outlines stand out whatever the texture.
    let edge = pow(1.0 - n_v, 4.0) * mix(0.5, 1.0, upwards) * frame.floor.z;
    let light = (albedo * (ambient + 0.4 * lights) + gloss * frame.key_colour.rgb) * grounded * 1.12 + edge;
    return light * (1.0 + light / 6.0) / (1.0 + 0.35 * light);
}
